"""The steps of one award, from the dealer's button to the payment, for a table and for a meter.

    selected ─► called ─► verified ─► signed ─► paid
       └─ pressed again: taken back      └──────┴─ backed out: undone, and the right winner is entered again

Dealer, verifier and signer are three persons (R16). `refusal` returns why an act is refused, or None; `step` returns
the award after the act, or that refusal. A meter, whose awards have more fields, calls `refusal` and applies the step
with `called`, `verified`, `signed`, `printed`, `paid` and `undone`.

A table keeps an `Award` for each box, with `terms_of(book)`, and gives every act of the workflow to `step`:

    select-winner           Select(by, hand, cards)   `selected` makes the award; in `step` the same takes it back
    call-supervisor         Call(by)
    supervisor-validated    Verify(by, hand, cards, light)
    card-swipe              Sign(by, amount)
    win-page, documentation-complete   PrintPage(by)
    pay-award               Pay(by, amount)
    manual-adjustment       BackOut(by, second, reason)

A table that does not record names gives persons without a name; then only their roles are checked. The table or the
meter checks what only it knows: whether the light is on, whose turn it is, whether others share the amount.
"""

from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from aceking.award.authority import (
    DEALER,
    EXECUTIVE,
    FLOOR,
    AwardRole,
    Signer,
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

#: The `hand` of an award that was won by reaching the trigger of a must-hit-by meter, without cards.
MUST_HIT_BY = "must_hit_by"

AwardStep = Literal["selected", "called", "verified", "signed", "paid", "taken-back", "undone"]


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that the dealer has selected, and who has done what about it."""

    seat: int
    hand: str
    cards: str = ""  # as the dealer entered them; empty if the table itself has them
    dealer: str = ""
    amount: int = 0
    step: AwardStep = "selected"
    verifier: str | None = None
    signer: str | None = None
    signer_role: AwardRole | None = None
    printed: bool = False
    payer: str | None = None

    @property
    def signed(self) -> bool:
        return self.step in ("signed", "paid")

    @property
    def open(self) -> bool:
        """Not signed yet: it can still be taken back."""
        return self.step in ("selected", "called", "verified")

    @property
    def gone(self) -> bool:
        """It no longer counts: another award may be selected at its seat."""
        return self.step in ("taken-back", "undone")


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The steps that a house requires."""

    called: bool = True  # the dealer calls a supervisor
    signed: bool = True  # a card is swiped; otherwise the verification is final
    executive_from: int | None = None  # in minor units; from this amount up an executive signs


def terms_of(book: Book) -> Terms:
    """Return the steps that the book requires."""
    rules = book.progressive
    return Terms(
        called=bool(clause_of(book, "call-supervisor", otherwise="")),
        signed=bool(clause_of(book, "card-swipe", otherwise="")),
        executive_from=None if rules is None else rules.executive_from,
    )


def is_final(award: Award, terms: Terms) -> bool:
    """Return True if only an adjustment can undo it: it is signed, or verified if no card is swiped."""
    return award.signed or (award.step == "verified" and not terms.signed)


class Select(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer presses the button of a hand; a second press takes the award back."""

    by: Signer
    hand: str
    cards: str = ""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer calls a supervisor."""

    by: Signer


class VerifyStep(msgspec.Struct, frozen=True, kw_only=True):
    """Another person has checked win, light and cards."""

    by: Signer
    hand: str
    cards: str
    light: bool


class SignStep(msgspec.Struct, frozen=True, kw_only=True):
    """A card is swiped for an amount."""

    by: Signer
    amount: int


class PrintPage(msgspec.Struct, frozen=True, kw_only=True):
    """The win page of an award is printed."""

    by: Signer


class PayStep(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer pays."""

    by: Signer
    amount: int


class BackOut(msgspec.Struct, frozen=True, kw_only=True):
    """An adjustment undoes a final award."""

    by: Signer
    second: Signer
    reason: str


AwardAct = Select | Call | VerifyStep | SignStep | PrintPage | PayStep | BackOut
AwardT = TypeVar("AwardT", bound=Award)


def selected(book: Book, act: Select, *, seat: int, amount: int = 0) -> Award | Refusal:
    """Return a new award at a seat, or the refusal."""
    clause = clause_of(book, "select-winner", otherwise="R16")
    if refused := may_act(act.by, DEALER, clause):
        return refused
    held = shown_hand(book, act.hand, act.cards) if act.cards else known_hand(book, act.hand)
    if isinstance(held, Refusal):
        return held
    return Award(seat=seat, hand=held[0].key, cards=held[1], dealer=act.by.name, amount=amount)


def refusal(book: Book, award: Award, act: AwardAct, terms: Terms) -> Refusal | None:
    """Return the refusal of an act, or None if it is allowed."""
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
        case VerifyStep():
            return _not_verified(book, award, act, terms)
        case SignStep():
            return _not_signed(book, award, act, terms)
        case PrintPage():
            clause = clause_of(book, "win-page", otherwise=clause_of(book, "documentation-complete", otherwise="R21"))
            early = None if is_final(award, terms) else Refusal("the award is not signed", clause)
            return may_act(act.by, FLOOR, clause) or early
        case PayStep():
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
    """Return the refusal of the dealer's button for a signed award."""
    clause = clause_of(book, "manual-adjustment", otherwise="R17")
    return Refusal("the award is signed; only a manual adjustment undoes it", clause)


def _not_verified(book: Book, award: Award, act: VerifyStep, terms: Terms) -> Refusal | None:
    clause = clause_of(book, "supervisor-validated", otherwise="R16")
    if refused := may_act(act.by, FLOOR, clause) or _same_person(award, act.by.name, clause):
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


def _same_person(award: Award, name: str, clause: str) -> Refusal | None:
    """Refuse a person who has already acted on the award (R16)."""
    parts = {award.dealer: "selected the hand", award.verifier: "verified the hand", award.signer: "signed for it"}
    if name and name in parts:
        return Refusal(f"{name} {parts[name]}; it takes another person", clause)
    return None


def _not_signed(book: Book, award: Award, act: SignStep, terms: Terms) -> Refusal | None:
    """Refuse a signature that is not by a supervisor, or for a large amount an executive, for exactly the amount."""
    swipe = signature_clause(book)
    if not award.open:
        return Refusal(f"the award is {award.step}", swipe)
    large = terms.executive_from is not None and award.amount >= terms.executive_from
    clause = cited(book, "progressive.executive_from", otherwise="R16") if large else swipe
    if refused := may_act(act.by, EXECUTIVE if large else FLOOR, clause) or _same_person(award, act.by.name, clause):
        return refused
    if award.step != "verified":
        return Refusal("the hand is not verified", clause_of(book, "supervisor-validated", otherwise="R16"))
    return _other_amount(book, award, act.amount, swipe)


def _not_paid(book: Book, award: Award, act: PayStep, terms: Terms) -> Refusal | None:
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
    """Return the refusal of an adjustment for its persons or its reason, or None. `book` may be None."""
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


def called(award: AwardT) -> AwardT:
    return replace(award, step="called")


def verified(award: AwardT, by: str) -> AwardT:
    return replace(award, step="verified", verifier=by)


def with_signature(award: AwardT, by: str, role: AwardRole | None) -> AwardT:
    return replace(award, step="signed", signer=by, signer_role=role)


def printed(award: AwardT) -> AwardT:
    return replace(award, printed=True)


def paid(award: AwardT, by: str) -> AwardT:
    return replace(award, step="paid", payer=by)


def undone(award: AwardT) -> AwardT:
    return replace(award, step="undone")


def hand_title(hand: str) -> str:
    return hand.replace("_", " ")


def known_hand(book: Book, hand: str) -> tuple[Category, str] | Refusal:
    """Return the category of a button pressed without cards, or the refusal of an unknown one."""
    if hand not in CATEGORY_BY_KEY:
        return Refusal(f"there is no hand {hand!r}", clause_of(book, "select-winner", otherwise="R16"))
    return CATEGORY_BY_KEY[hand], ""


def shown_hand(book: Book, hand: str, text: str) -> tuple[Category, str] | Refusal:
    """Return the category and the cards if the cards show that hand, else the refusal."""
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
