"""One deal under every book, side by side: the same cards, settled by each.

The deal is the player's five cards, the dealer's five, the first of them up, and one extra card. If a card may be
bought, it is the extra one. If a hand is two of three cards with three in the middle, the first two of the five and
the extra card are dealt, and the other three lie in the middle: laying aside the extra card makes the same five.
"""

import random
from collections.abc import Mapping
from typing import Literal

import msgspec

from aceking.cards.card import CardError, CardId, cards, name
from aceking.cards.deck import DECK
from aceking.exact.games import value
from aceking.lab.movable_lines import EXAMPLE_AWARDS
from aceking.lab.question import LabQuestion, book_of
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.decisions import CHOICES
from aceking.rules.odds import Amount, AwardAmount, Posted, amount, award
from aceking.rules.options import OptionError
from aceking.rules.reading.load import book_ids
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat, Swap
from aceking.settlement.settle import settle
from aceking.table.show.part import ShownPart

#: What the player does: bets, folds, or takes the best decision of each book.
How = Literal["bet", "fold", "best"]
_HAND = 5
_DIGITS_MAX = 9


class DealLine(ShownPart, frozen=True, kw_only=True):
    """One movement of chips, with its clause."""

    wager: str
    stake: str
    outcome: str
    pays: str
    moves: str  # with its sign
    clause: str


class Under(ShownPart, frozen=True, kw_only=True):
    """The deal under one book."""

    book: str
    title: str
    house: str
    version: str
    currency: str
    decimals: int
    what_if: bool = False
    did: str = ""  # the decision in the words of `value`: bet, exchange 4d, bet discard Kd
    hand: str | None = None
    dealer: str | None = None
    qualifies: bool | None = None
    lines: tuple[DealLine, ...] = ()
    net: str | None = None
    says: str | None = None  # why there is no settlement
    clause: str | None = None


class LabDeal(ShownPart, frozen=True, kw_only=True):
    """The cards, and what follows under each book."""

    player: tuple[str, ...]
    dealer: tuple[str, ...]
    more: str
    under: tuple[Under, ...]


def deal(
    question: LabQuestion | None,
    *,
    player: str = "",
    dealer: str = "",
    more: str = "",
    how: How = "bet",
    ante: str = "10",
    side: bool = False,
    meter: str = "100000",
    seed: bytes | None = None,
) -> LabDeal:
    """Return the deal under every book, and under the question's book if lines of it are moved. Raises CardError.

    Cards that are not given are drawn from the seed, or from the system if there is none.
    """
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    five, bank, next_card = _cards(player, dealer, more, rng)
    books = [(book_of(LabQuestion(book=book_id))[0], False) for book_id in book_ids()]
    if question is not None and question.moved:
        books.append((book_of(question)[0], True))
    for text, what in ((ante, "ante"), (meter, "meter")):
        if len(text) > _DIGITS_MAX:
            raise OptionError(f"{what}: that is more than any house has")
    return LabDeal(
        player=tuple(name(card) for card in five),
        dealer=tuple(name(card) for card in bank),
        more=name(next_card),
        under=tuple(
            _under(book, five, bank, next_card, how, ante, side=side, meter=meter, what_if=moved)
            for book, moved in books
        ),
    )


def _cards(
    player: str, dealer: str, more: str, rng: random.Random
) -> tuple[tuple[CardId, ...], tuple[CardId, ...], CardId]:
    """Return the cards that are given, and random ones from the rest of the deck for the others. Raises CardError."""
    given = []
    for what, text, size in (("the player", player, _HAND), ("the dealer", dealer, _HAND), ("one more", more, 1)):
        part = cards(text) if text.strip() else ()
        if part and len(part) != size:
            raise CardError(f"{what}: {len(part)} card{'s'[: len(part) != 1]}, {size} belong here")
        given.append(part)
    seen = [card for part in given for card in part]
    for card in seen:
        if seen.count(card) > 1:
            raise CardError(f"{name(card)} is dealt twice; there is one deck of 52")
    rest = [card for card in DECK if card not in seen]
    rng.shuffle(rest)
    held = given[0] or tuple(rest.pop() for _ in range(_HAND))
    bank = given[1] or tuple(rest.pop() for _ in range(_HAND))
    return held, bank, given[2][0] if given[2] else rest.pop()


def _under(
    book: Book,
    five: tuple[CardId, ...],
    bank: tuple[CardId, ...],
    more: CardId,
    how: How,
    ante: str,
    *,
    side: bool,
    meter: str,
    what_if: bool,
) -> Under:
    dealt = five if book.dealer is not None else (*five[:2], more)
    shared = () if book.dealer is not None else five[2:]
    did = _decision(book, dealt, bank[0] if book.dealer is not None else None, more, how)
    play, _, card_text = did.partition(" discard ") if " discard " in did else did.partition(" ")
    antes = int(card_text) if card_text.isdigit() else None
    given = cards(card_text)[0] if card_text and antes is None else None
    swap = Swap((given,), (more,)) if play == "exchange" and given is not None else None
    stake = amount(ante, decimals=book.decimals)
    if swap is not None and how == "best":
        after = value(book, dealt, bank[0], exchanged=swap)
        play = after.best
    seat = Seat(
        number=1,
        cards=dealt,
        ante=stake,
        play=next((one for one in CHOICES if one == play), "bet"),
        bet=None if antes is None else Amount(stake * antes),
        side=_side(book) if side else Amount(0),
        claims=True,
        swap=swap,
        discard=given if swap is None else None,
        player=None,
    )
    scenario = Scenario(
        seats=(seat,),
        dealer=bank if book.dealer is not None else (),
        community=shared,
        meter=amount(meter, decimals=book.decimals) if side and book.progressive is not None else None,
        reset=Amount(0) if side and book.progressive is not None else None,
        awards=_posted(book),
    )
    decision = f"{did}, {play}" if swap is not None else did
    return _answer(book, settle(book, scenario), decision, what_if=what_if)


def _decision(book: Book, dealt: tuple[CardId, ...], up: CardId | None, more: CardId, how: How) -> str:
    """Return the decision in the words of `value`. Of three cards the extra one is laid aside; without a fold, stay."""
    if how == "best":
        return value(book, dealt, up).best
    if how == "fold" and "fold" in book.decide.choices:
        return "fold"
    play = "stay" if how == "fold" and not book.bet.required else "bet"
    return f"{play} discard {name(more)}" if book.hands.discards else play


def _side(book: Book) -> Amount:
    if book.progressive is not None:
        return book.progressive.stake
    return book.bonus.stake if book.bonus is not None and book.bonus.offered else Amount(0)


def _posted(book: Book) -> Mapping[str, AwardAmount]:
    """Return example awards for the rows that the book leaves to the house."""
    if book.progressive is None:
        return {}
    own = book.progressive.awards
    posted = [row.key for row, what in own.items() if isinstance(what, Posted)]
    missing = posted or ([] if own else list(EXAMPLE_AWARDS))
    return {row: award(EXAMPLE_AWARDS[row], decimals=book.decimals) for row in missing}


def _answer(book: Book, settled: Settlement | Refusal | Unregulated, did: str, *, what_if: bool) -> Under:
    about = Under(
        book=book.id,
        title=book.title,
        house=book.house,
        version=book.version,
        currency=book.currency,
        decimals=book.decimals,
        what_if=what_if,
        did=did,
    )
    if isinstance(settled, Refusal):
        return msgspec.structs.replace(about, says=settled.reason, clause=settled.clause)
    if isinstance(settled, Unregulated):
        return msgspec.structs.replace(about, says=settled.reason)
    lines = tuple(
        DealLine(
            wager=line.wager,
            stake=shown(line.stake, decimals=book.decimals),
            outcome=line.outcome,
            pays=shown(line.pays, decimals=book.decimals),
            moves=shown(line.net, decimals=book.decimals),
            clause=line.clause,
        )
        for line in settled.lines
    )
    return msgspec.structs.replace(
        about,
        hand=settled.seats[0].hand,
        dealer=None if settled.dealer is None else settled.dealer.words,
        qualifies=None if settled.dealer is None else settled.dealer.qualifies,
        lines=lines,
        net=shown(settled.seats[0].net, decimals=book.decimals),
    )
