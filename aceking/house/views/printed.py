"""The felt and the sign of a table as they are printed: spots, pay tables and rules, from the book in force."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from aceking.cards.hand import HandRank, words
from aceking.cards.three import Instant
from aceking.house.floor.refusals import RULES as HOUSE_RULES
from aceking.meter.must_hit_by import RULES as METER_RULES
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.decisions import DECISIONS
from aceking.rules.odds import Fixed, PayTableRow, Posted, Share, odds_text
from aceking.rules.qualifier import ANY_HAND
from aceking.rules.thresholds import or_better
from aceking.rules.value_text import value_text
from aceking.table.base_procedure import RULES as BASE_RULES
from aceking.table.show.part import ShownPart

#: The acts of a player at a box.
_ACTS = ("ante", "side-bet", "look", *DECISIONS, "discard", "claim", "buy-dealer-card")


class SideSpot(ShownPart, frozen=True, kw_only=True):
    """The spot of the side wager; with a sensor it has a light."""

    wager: Literal["progressive", "bonus"]
    stake: str
    clause: str
    light: bool = False


class NamedSpot(ShownPart, frozen=True, kw_only=True):
    """The spot of a side wager that the book names, with its one stake or its limits."""

    wager: str
    clause: str
    stake: str | None = None
    least: str | None = None
    most: str | None = None


class PrintedRow(ShownPart, frozen=True, kw_only=True):
    """A hand and what it pays: odds, an amount, or a share of the meter in percent."""

    hand: str
    three: bool = False  # a hand of three cards, as dealt
    odds: str | None = None
    amount: str | None = None
    share: str | None = None  # if all three are None, the house has not posted it yet


class PrintedTable(ShownPart, frozen=True, kw_only=True):
    """The pay table of one wager, best hand first, and its clause."""

    wager: str  # bet, exchange, instant, bonus, progressive, or the name of a side wager
    clause: str
    rows: tuple[PrintedRow, ...]
    envy: bool = False  # for the hand of another player


class Fact(ShownPart, frozen=True, kw_only=True):
    """A rule that the felt states."""

    what: Literal[
        "ante-pays",
        "ante-pushes",
        "ante-pays-from",
        "ante-returned-from",
        "bet-antes",
        "bet-from",
        "bet-to",
        "qualifies",
        "qualifies-any",
        "qualifies-too",
        "wins",
        "pushes",
        "exchange-antes",
    ]
    value: str
    clause: str


class Printed(ShownPart, frozen=True, kw_only=True):
    """The felt and the sign of a table."""

    cards: int
    community: int = 0
    discards: int = 0
    dealer: bool = False
    packets: bool = False  # whole hands are dealt at a time, not card by card
    choices: tuple[str, ...] = ()
    governs: dict[str, str] = {}  # act of a player to the clause that governs it
    exchange: bool = False
    side: SideSpot | None = None
    sides: tuple[NamedSpot, ...] = ()
    facts: tuple[Fact, ...] = ()
    pays: tuple[PrintedTable, ...] = ()


class ClauseWords(ShownPart, frozen=True, kw_only=True):
    """The topic and the words of a clause."""

    topic: str
    says: str


def printed(book: Book) -> Printed:
    """Return the felt and the sign of a table of this book."""
    return Printed(
        cards=book.hands.cards,
        community=book.hands.community,
        discards=book.hands.discards,
        dealer=book.dealer is not None,
        packets=book.deal.method in book.deal.packets,
        choices=book.decide.choices,
        governs={act: clause for act in _ACTS if (clause := book.governs(act)) is not None},
        exchange=book.exchange is not None,
        side=_side(book),
        sides=tuple(_sides(book)),
        facts=tuple(_facts(book)),
        pays=tuple(_pays(book)),
    )


def clauses(book: Book) -> dict[str, ClauseWords]:
    """Return the words of every clause and rule that a refusal or a line of money at this table may cite."""
    texts = {one.id: ClauseWords(topic=one.topic, says=one.says) for one in book.clauses.values()}
    for begins, rules in (("BASE", BASE_RULES), ("HOUSE", HOUSE_RULES), ("METER", METER_RULES)):
        texts |= {f"{begins}-{name}": ClauseWords(topic=begins.lower(), says=says) for name, says in rules.items()}
    return texts


def _side(book: Book) -> SideSpot | None:
    if book.progressive is not None:
        return SideSpot(
            wager="progressive",
            stake=shown(book.progressive.stake, decimals=book.decimals),
            light=book.progressive.light is not None,
            clause=book.cite("progressive.stake"),
        )
    if book.bonus is not None and book.bonus.offered:
        stake = shown(book.bonus.stake, decimals=book.decimals)
        return SideSpot(wager="bonus", stake=stake, clause=book.cite("bonus.stake"))
    return None


def _sides(book: Book) -> Iterator[NamedSpot]:
    def amount_text(amount: int | None) -> str | None:
        return None if amount is None else shown(amount, decimals=book.decimals)

    for name, side in book.sides.items():
        clause = book.cite(f"sides.{name}.{'min' if side.stake is None else 'stake'}")
        least, most = amount_text(side.min), amount_text(side.max)
        yield NamedSpot(wager=name, clause=clause, stake=amount_text(side.stake), least=least, most=most)


def _facts(book: Book) -> Iterator[Fact]:
    def fact(what: Any, key: str) -> Fact:
        value = book.by_key[key].value
        text = words(value) if isinstance(value, HandRank) else value_text(key, value, decimals=book.decimals)
        return Fact(what=what, value=text, clause=book.cite(key))

    if not isinstance(book.ante.pays, str):
        yield fact("ante-pays" if book.ante.pays else "ante-pushes", "ante.pays")
    if book.ante.pays_from is not None:
        yield fact("ante-pays-from", "ante.pays_from")
    if book.ante.returned_from is not None:
        yield fact("ante-returned-from", "ante.returned_from")
    if book.dealer is not None:
        always = book.dealer.qualifies_with == ANY_HAND
        yield fact("qualifies-any" if always else "qualifies", "dealer.qualifies_with")
        if book.dealer.qualifies_too:
            yield fact("qualifies-too", "dealer.qualifies_too")
    if book.paytable is not None:
        yield fact("wins", "paytable.wins_with")
        yield fact("pushes", "paytable.pushes_with")
    yield fact("bet-antes" if book.bet.antes_max is None else "bet-from", "bet.antes")
    if book.bet.antes_max is not None:
        yield fact("bet-to", "bet.antes_max")
    if book.exchange is not None:
        yield fact("exchange-antes", "exchange.price_antes")


def _pays(book: Book) -> Iterator[PrintedTable]:
    tables: tuple[tuple[Any, str, Mapping[Any, Any] | None], ...] = (
        ("bet", "bet.pays", book.bet.pays),
        ("exchange", "exchange.pays", None if book.exchange is None else book.exchange.pays),
        ("instant", "instant.pays", None if book.instant is None else book.instant.pays),
        ("bonus", "bonus.pays", book.bonus.pays if book.bonus is not None and book.bonus.offered else None),
        ("progressive", "progressive.awards", None if book.progressive is None else book.progressive.awards),
    )
    named = (
        (name, f"sides.{name}.{field}", getattr(side, field))
        for name, side in book.sides.items()
        for field in ("pays", "awards", "envy")
    )
    for wager, key, rows in (*tables, *named):
        if rows:
            # Envy is for whole rows; what a wager pays may begin within its lowest.
            least = book.sides[wager].pays_from if wager in book.sides and not key.endswith(".envy") else None
            lines = tuple(replace(_row(book, hand, pays), hand=or_better(hand, least)) for hand, pays in rows.items())
            yield PrintedTable(wager=wager, clause=book.cite(key), rows=lines, envy=key.endswith(".envy"))


def _row(book: Book, hand: PayTableRow, pays: Any) -> PrintedRow:
    row = PrintedRow(hand=hand.title, three=isinstance(hand, Instant))
    match pays:
        case Share():
            return replace(row, share=str(pays).removesuffix("%"))
        case Fixed():
            return replace(row, amount=shown(pays.amount, decimals=book.decimals))
        case Posted():
            return row
        case int():
            return replace(row, amount=shown(pays, decimals=book.decimals))
        case _:
            return replace(row, odds=odds_text(pays))
