"""The way of one award, from the button to the money: each step once, for a table and for a meter.

    selected ─► called ─► verified ─► signed ─► paid
       └─ pressed again: taken back      └──────┴─ backed out: undone, and the right winner is entered anew

Dealer, verifier and signer are three persons (R16). `refusal` says what stands against an act, `step` gives the award
after it, or that refusal. A meter, whose awards have more to them, asks `refusal` and puts the step on its own record
with `called`, `verified`, `signed`, `printed`, `paid` and `undone`.

A table keeps an `Award` for each box, with `terms_of(book)`, and hands every act of the workflow to `step`:

    select-winner           Select(by, hand, cards)   `selected` makes the award; in `step` the same takes it back
    call-supervisor         Call(by)
    supervisor-validated    Verify(by, hand, cards, light)
    card-swipe              Sign(by, amount)
    win-page, documentation-complete   PrintPage(by)
    pay-award               Pay(by, amount)
    manual-adjustment       BackOut(by, second, reason)

A table that names nobody gives persons without a name; then only their roles are asked for. What only the table or only
the meter knows stays with them: whether the light is on, whose turn it is, whether the amount is final with another's.
"""

from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from aceking.award.authority import (
    DEALER,
    EXECUTIVE,
    FLOOR,
    Person,
    Role,
    cited,
    clause_of,
    may_act,
    signature_clause,
)
from aceking.cards.card import CardError, cards, names
from aceking.cards.hand import CATEGORY_BY_KEY, Category
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.settlement.judge import judge

#: What stands for the hand of an award that a wager has won by reaching the trigger of its meter, and no cards.
MUST_HIT_BY = "must_hit_by"

Step = Literal["selected", "called", "verified", "signed", "paid", "taken-back", "undone"]


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that the dealer has selected, and who has done what about it."""

    seat: int
    hand: str
    cards: str = ""  # as the dealer entered them; none where the table itself has them
    dealer: str = ""
    amount: int = 0
    step: Step = "selected"
    verifier: str | None = None
    signer: str | None = None
    signer_role: Role | None = None
    printed: bool = False
    payer: str | None = None

    @property
    def signed(self) -> bool:
        """Whether a card was swiped for it."""
        return self.step in ("signed", "paid")

    @property
    def open(self) -> bool:
        """Whether nobody has signed it yet, and it can still be taken back."""
        return self.step in ("selected", "called", "verified")

    @property
    def gone(self) -> bool:
        """Whether it counts no longer, so that its place is free for the right one."""
        return self.step in ("taken-back", "undone")


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What the house asks for on the way of an award."""

    called: bool = True  # the dealer calls somebody to check
    signed: bool = True  # a card is swiped; else the check is final
    executive_from: int | None = None  # from this amount on an executive signs


def terms_of(book: Book) -> Terms:
    """What the book alone asks for."""
    rules = book.progressive
    return Terms(
        called=bool(clause_of(book, "call-supervisor", otherwise="")),
        signed=bool(clause_of(book, "card-swipe", otherwise="")),
        executive_from=None if rules is None else rules.executive_from,
    )


def is_final(award: Award, terms: Terms) -> bool:
    """Whether only an adjustment undoes it: it was signed, or, where no card is swiped, it was verified."""
    return award.signed or (award.step == "verified" and not terms.signed)


class Select(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer presses the button of a hand; pressed again, it is taken back."""

    by: Person
    hand: str
    cards: str = ""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer calls for the check."""

    by: Person


class Verify(msgspec.Struct, frozen=True, kw_only=True):
    """Another person has looked at win, light and cards."""

    by: Person
    hand: str
    cards: str
    light: bool


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """A card is swiped for an amount."""

    by: Person
    amount: int


class PrintPage(msgspec.Struct, frozen=True, kw_only=True):
    """The paper of an award."""

    by: Person


class Pay(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer pays."""

    by: Person
    amount: int


class BackOut(msgspec.Struct, frozen=True, kw_only=True):
    """An adjustment takes a final award off the record."""

    by: Person
    second: Person
    reason: str


Act = Select | Call | Verify | Sign | PrintPage | Pay | BackOut
Kept = TypeVar("Kept", bound=Award)


def selected(book: Book, act: Select, *, seat: int, amount: int = 0) -> Award | Refusal:
    """A new award at a seat."""
    clause = clause_of(book, "select-winner", otherwise="R16")
    if refused := may_act(act.by, DEALER, clause):
        return refused
    held = shown_hand(book, act.hand, act.cards) if act.cards else known_hand(book, act.hand)
    if isinstance(held, Refusal):
        return held
    return Award(seat=seat, hand=held[0].key, cards=held[1], dealer=act.by.name, amount=amount)


def step(book: Book, award: Kept, act: Act, terms: Terms) -> Kept | Refusal:
    """The award after an act, or what stands against the act."""
    if refused := refusal(book, award, act, terms):
        return refused
    match act:
        case Select():
            return taken_back(award)
        case Call():
            return called(award)
        case Verify():
            return verified(award, act.by.name)
        case Sign():
            return signed(award, act.by.name, act.by.role)
        case PrintPage():
            return printed(award)
        case Pay():
            return paid(award, act.by.name)
        case BackOut():
            return undone(award)


def refusal(book: Book, award: Award, act: Act, terms: Terms) -> Refusal | None:
    """What stands against an act, with the clause that says so."""
    if award.gone:
        clause = clause_of(book, "select-winner", otherwise="R16")
        return Refusal(f"no hand is selected at seat {award.seat}", clause)
    match act:
        case Select():
            return _not_taken_back(book, award, act, terms)
        case Call():
            clause = clause_of(book, "call-supervisor", otherwise="R16")
            late = None if award.step == "selected" else Refusal("the supervisor was called", clause)
            return may_act(act.by, DEALER, clause) or late
        case Verify():
            return _not_verified(book, award, act, terms)
        case Sign():
            return _not_signed(book, award, act, terms)
        case PrintPage():
            clause = clause_of(book, "win-page", otherwise=clause_of(book, "documentation-complete", otherwise="R21"))
            early = None if is_final(award, terms) else Refusal("the award is not signed", clause)
            return may_act(act.by, FLOOR, clause) or early
        case Pay():
            return _not_paid(book, award, act, terms)
        case BackOut():
            return not_backed_out(book, act) or _not_final(book, award, terms)


def _not_taken_back(book: Book, award: Award, act: Select, terms: Terms) -> Refusal | None:
    clause = clause_of(book, "select-winner", otherwise="R16")
    if refused := may_act(act.by, DEALER, clause):
        return refused
    if is_final(award, terms):
        return only_by_adjustment(book)
    if act.hand != award.hand:
        return Refusal(f"seat {award.seat} is selected as a {hand_title(award.hand)}; take that back first", clause)
    return None


def only_by_adjustment(book: Book) -> Refusal:
    """Once it is signed, the dealer's button does nothing any more."""
    clause = clause_of(book, "manual-adjustment", otherwise="R17")
    return Refusal("the award is signed; only a manual adjustment undoes it", clause)


def _not_verified(book: Book, award: Award, act: Verify, terms: Terms) -> Refusal | None:
    clause = clause_of(book, "supervisor-validated", otherwise="R16")
    if refused := may_act(act.by, FLOOR, clause) or _two_parts(award, act.by.name, clause):
        return refused
    if award.step == "selected" and terms.called:
        return Refusal("the dealer calls a supervisor first", clause_of(book, "call-supervisor", otherwise="R16"))
    if award.step not in ("selected", "called"):
        return Refusal(f"the award is {award.step}", clause)
    if not act.light:
        return Refusal("the light of the seat is off", cited(book, "progressive.light", otherwise=clause))
    if MUST_HIT_BY in (award.hand, act.hand):
        same = award.hand == act.hand and not act.cards
        return None if same else Refusal(f"seat {award.seat} has {_won_by(award.hand)}", clause)
    held = shown_hand(book, act.hand, act.cards)
    if isinstance(held, Refusal):
        return held
    same_cards = not award.cards or set(held[1].split()) == set(award.cards.split())
    if held[0].key != award.hand or not same_cards:
        return Refusal(f"the dealer entered {award.cards or 'it as'}, a {hand_title(award.hand)}", clause)
    return None


def _won_by(hand: str) -> str:
    return "reached the trigger of the meter: no cards win that" if hand == MUST_HIT_BY else f"a {hand_title(hand)}"


def _two_parts(award: Award, name: str, clause: str) -> Refusal | None:
    """Nobody has two parts in one award."""
    parts = {award.dealer: "selected the hand", award.verifier: "verified the hand", award.signer: "signed for it"}
    if name and name in parts:
        return Refusal(f"{name} {parts[name]}; it takes another person", clause)
    return None


def _not_signed(book: Book, award: Award, act: Sign, terms: Terms) -> Refusal | None:
    """A card is swiped for exactly the amount, by a supervisor, or from a set amount on by an executive."""
    swipe = signature_clause(book)
    if not award.open:
        return Refusal(f"the award is {award.step}", swipe)
    large = terms.executive_from is not None and award.amount >= terms.executive_from
    clause = cited(book, "progressive.executive_from", otherwise="R16") if large else swipe
    if refused := may_act(act.by, EXECUTIVE if large else FLOOR, clause) or _two_parts(award, act.by.name, clause):
        return refused
    if award.step != "verified":
        return Refusal("the hand is not verified", clause_of(book, "supervisor-validated", otherwise="R16"))
    return _other_amount(book, award, act.amount, swipe)


def _not_paid(book: Book, award: Award, act: Pay, terms: Terms) -> Refusal | None:
    clause = clause_of(book, "pay-award", otherwise=signature_clause(book))
    if refused := may_act(act.by, DEALER, clause):
        return refused
    if award.step == "paid":
        return Refusal("the award is paid", clause)
    if not is_final(award, terms):
        return Refusal("the award is not signed" if terms.signed else "the hand is not verified", clause)
    return _other_amount(book, award, act.amount, clause)


def _other_amount(book: Book, award: Award, amount: int, clause: str) -> Refusal | None:
    if amount == award.amount:
        return None
    due = shown(award.amount, decimals=book.decimals)
    return Refusal(f"the award is {due}, not {shown(amount, decimals=book.decimals)}", clause)


def not_backed_out(book: Book | None, act: BackOut) -> Refusal | None:
    """Whether the persons or the reason of an adjustment are wanting; also where no book is concerned."""
    clause = "R17" if book is None else clause_of(book, "manual-adjustment", otherwise="R17")
    if not act.reason.strip():
        return Refusal("an adjustment has a reason", clause)
    for person in (act.by, act.second):
        if refused := may_act(person, FLOOR, clause):
            return refused
    if act.by.name and act.by.name == act.second.name:
        return Refusal("the second signature is another person's", clause)
    return None


def _not_final(book: Book, award: Award, terms: Terms) -> Refusal | None:
    clause = clause_of(book, "manual-adjustment", otherwise="R17")
    if is_final(award, terms):
        return None
    return Refusal("the award is not signed; the dealer takes it back by the same button", clause)


def taken_back(award: Kept) -> Kept:
    """The button was pressed again."""
    return replace(award, step="taken-back")


def called(award: Kept) -> Kept:
    """Somebody was called to check."""
    return replace(award, step="called")


def verified(award: Kept, by: str) -> Kept:
    """Win, light and cards are confirmed."""
    return replace(award, step="verified", verifier=by)


def signed(award: Kept, by: str, role: Role | None) -> Kept:
    """The swipe: the award is logged."""
    return replace(award, step="signed", signer=by, signer_role=role)


def printed(award: Kept) -> Kept:
    """Its paper is there."""
    return replace(award, printed=True)


def paid(award: Kept, by: str) -> Kept:
    """The player has the money."""
    return replace(award, step="paid", payer=by)


def undone(award: Kept) -> Kept:
    """Backed out."""
    return replace(award, step="undone")


def hand_title(hand: str) -> str:
    """The name of a hand as people say it."""
    return hand.replace("_", " ")


def known_hand(book: Book, hand: str) -> tuple[Category, str] | Refusal:
    """The category of a button, where no cards are entered with it."""
    if hand not in CATEGORY_BY_KEY:
        return Refusal(f"there is no hand {hand!r}", clause_of(book, "select-winner", otherwise="R16"))
    return CATEGORY_BY_KEY[hand], ""


def shown_hand(book: Book, hand: str, text: str) -> tuple[Category, str] | Refusal:
    """The category that was named, if the cards show it."""
    clause = clause_of(book, "select-winner", otherwise="R16")
    known = known_hand(book, hand)
    if isinstance(known, Refusal):
        return known
    try:
        held = cards(text)
    except CardError as unknown:
        return Refusal(str(unknown), clause)
    if len(held) != 5 or len(set(held)) != 5:
        return Refusal(f"a hand is five different cards, not {text!r}", clause)
    category = judge(book).categories[judge(book).strength(held)]
    if category.key != hand:
        return Refusal(f"the cards show a {category.title}, not a {hand_title(hand)}", clause)
    return category, names(held)
