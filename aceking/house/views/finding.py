"""Find past rounds by table, time, player, amount or hand, without reading the log for each search.

The rows to search (`store/past_rounds.py`) are computed from the log by `Finder.catch_up`, `TURN` entries at a time,
while the house runs and before each search. They are a cache: the log is the truth.
"""

import time
from collections.abc import Callable, Iterable
from decimal import Decimal
from math import ceil, floor
from threading import Lock
from typing import Any, Literal

import msgspec

from aceking.cards.card import CardId, cards, name
from aceking.cards.hand import CATEGORY_BY_KEY, Category
from aceking.house.floor.codec import read_event
from aceking.house.floor.events import OfTable
from aceking.house.record import Unit, read_unit
from aceking.house.store import past_rounds
from aceking.house.store.protocol import Store
from aceking.house.views.table_history import PastRound, Reader, recall, rounds_between
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.settlement.judge import judge
from aceking.table import event as ev
from aceking.table.options import in_force
from aceking.table.show.explain import bare, evolve_with_options
from aceking.table.state import Box, Round, TableState

#: Entries per call of `catch_up`: a search waits no longer than for these.
TURN = 2_000
Whose = Literal["any", "player", "winner", "dealer"]


class FoundHand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hand of a found round; box 0 is the dealer, or the cards that all share."""

    box: int
    player: str = ""
    stake: str = "0"
    net: str = "0"
    hand: str | None = None
    cards: tuple[str, ...] = ()


class FoundRound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A found round, with the numbers of its first and last entry."""

    id: int
    table: str
    round: int
    began: int
    ended: int
    first: int
    last: int
    void: bool = False
    hands: tuple[FoundHand, ...] = ()


class FoundRounds(msgspec.Struct, frozen=True, kw_only=True):
    """A page of rounds, newest first; `more`: there are older ones, to be found with `before`."""

    rounds: tuple[FoundRound, ...]
    more: bool
    upto: int  # entries searched
    entries: int  # entries of the log


class RoundSearch(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a search as people enter them; empty fields do not restrict."""

    table: str = ""
    since: int | None = None
    until: int | None = None
    void: bool | None = None
    player: str = ""
    stake_from: str = ""
    stake_to: str = ""
    net_from: str = ""
    net_to: str = ""
    hand: str = ""
    whose: Whose = "any"
    cards: str = ""


class NotUnderstood(ValueError):
    """A search that cannot be made; the message says why."""


class Finder:
    """Finds rounds of one house and keeps the rows up to date with the log."""

    def __init__(self, store: Store, book_of: Callable[[str], Book], known: Callable[[], int]) -> None:
        self._store = store
        self._book_of = book_of  # of a table
        self.known = known  # the last entry that the house has read
        self._readers: dict[str, Reader] = {}
        self._upto: int | None = None
        self._lock = Lock()

    def catch_up(self, most: int = TURN) -> int:
        """Index at most `most` further entries. Return the number of entries left."""
        with self._lock:
            head, since = self.known(), past_rounds.upto(self._store)
            if since != self._upto:
                self._readers = {}  # another process has indexed entries, or this is the first call
            end = min(head, since + most)
            if end <= since:
                return 0
            rows: list[past_rounds.PastRow] = []
            for entry in self._store.log(since, end):
                rows += self._rows(entry.seq, read_unit(entry.body))
                time.sleep(0)  # let other threads run: the tables come first
            self._upto = end if past_rounds.add(self._store, rows, since=since, upto=end) else None
            return head - end

    def _rows(self, seq: int, unit: Unit) -> Iterable[past_rounds.PastRow]:
        number = 0
        for part in unit.parts:
            if not part.stream.startswith("table/"):
                continue
            table = part.stream.removeprefix("table/")
            reader = self._readers.setdefault(table, Reader(table))
            ended = list(reader.take(seq, unit))
            if not ended and any(b'"round-ended"' in bytes(event) for event in part.events):
                # It began before the first entry that this process has read.
                ended = recall(self._store, table, head=part.version, last=1)
            for past in ended:
                if past.last == seq:
                    yield row_of(self._book_of(table), table, past, place=number)
                    number += 1

    def find(
        self, sought: RoundSearch, decimals: Iterable[int], *, before: int | None = None, most: int = 50
    ) -> FoundRounds:
        """Return a page of rounds. Raises NotUnderstood."""
        wanted = _wanted(sought, frozenset(decimals))
        left = self.catch_up()
        rows = past_rounds.find(self._store, wanted, before=before, most=most + 1)
        upto = past_rounds.upto(self._store)
        return FoundRounds(
            rounds=tuple(_found_round(row) for row in rows[:most]),
            more=len(rows) > most,
            upto=upto,
            entries=upto + left,
        )

    def round(self, table: str, number: int, *, head: int) -> PastRound | None:
        """Return a round with its events, or None. If it is not indexed yet, read the stream backwards from `head`."""
        row = past_rounds.by_number(self._store, table, number)
        if row is not None:
            rounds = rounds_between(self._store, table, after=row.after, upto=row.version)
        else:
            rounds = recall(self._store, table, head=head, last=1, before=number + 1)
        return next((one for one in reversed(rounds) if one.round == number), None)


# Rows from the log


def row_of(book: Book, table: str, past: PastRound, *, place: int = 0) -> past_rounds.PastRow:
    """Return the row of a past round; `place` is its position among the rounds that end in the same entry."""
    events = events_of(table, past)
    state = bare(book, events)
    staked: dict[int, int] = {}
    for event in events:
        state = evolve_with_options(state, event)
        if isinstance(event, ev.Staked):
            staked[event.box] = staked.get(event.box, 0) + event.amount
    return past_rounds.PastRow(
        id=past.last * past_rounds.ROUNDS_OF_ENTRY + place,
        table=table,
        number=past.round,
        began=past.began,
        ended=past.ended,
        first=past.first,
        after=past.after,
        version=past.version,
        decimals=book.decimals,
        void=past.void,
        hands=tuple(_hands(in_force(book, state), state, staked)),
    )


def events_of(table: str, past: PastRound) -> tuple[Any, ...]:
    """Return the events of a round that the table itself made."""
    read = (read_event(f"table/{table}", msgspec.Raw(msgspec.json.encode(line["event"]))) for line in past.events)
    return tuple(event for event in read if not isinstance(event, OfTable))


def _hands(book: Book, state: TableState, staked: dict[int, int]) -> Iterable[past_rounds.PastHand]:
    current = state.round
    assert current is not None, "a round that is over was opened"
    bank = current.dealer or current.community
    if bank:
        yield past_rounds.PastHand(box=0, hand=_category(book, current.dealer), cards=_bits(bank))
    for box in current.boxes.values():
        if box.player:
            yield _hand(book, current, box, staked.get(box.number, 0))


def _hand(book: Book, current: Round, box: Box, staked: int) -> past_rounds.PastHand:
    lines = [] if box.void else [line for line in current.lines if line.seat == box.number]
    kept = box.kept
    shared = current.community if "reveal" in current.acts else ()
    lost = -staked if box.forfeited else 0
    return past_rounds.PastHand(
        box=box.number,
        player=box.player,
        stake=sum(line.stake for line in lines) if lines else staked,
        net=sum(line.net for line in lines) if lines else lost,
        hand=_category(book, (*kept, *shared)),
        cards=_bits((*box.cards, *shared, *box.gave)),
    )


def _category(book: Book, held: tuple[int, ...]) -> Category | None:
    if len(held) != 5:
        return None
    hand_judge = judge(book)
    return hand_judge.categories[hand_judge.strength(tuple(CardId(one) for one in held))]


def _bits(held: tuple[int, ...]) -> int:
    return sum(1 << card for card in set(held))


# Searches and found rounds as people see them


def _wanted(sought: RoundSearch, decimals: frozenset[int]) -> past_rounds.RoundQuery:
    if sought.hand and sought.hand not in CATEGORY_BY_KEY:
        raise NotUnderstood(f"there is no hand {sought.hand!r}: {', '.join(CATEGORY_BY_KEY)}")
    try:
        held = cards(sought.cards) if sought.cards else ()
    except ValueError as wrong:
        raise NotUnderstood(str(wrong)) from None
    if sought.since is not None and sought.until is not None and sought.since > sought.until:
        raise NotUnderstood("the time ends before it begins")
    return past_rounds.RoundQuery(
        table=sought.table,
        since=sought.since,
        until=sought.until,
        void=sought.void,
        player=sought.player,
        stake=_between("stake", sought.stake_from, sought.stake_to, decimals),
        net=_between("win", sought.net_from, sought.net_to, decimals),
        hand=CATEGORY_BY_KEY[sought.hand] if sought.hand else None,
        whose="" if sought.whose == "any" else sought.whose,
        cards=_bits(tuple(int(one) for one in held)),
    )


def _between(what: str, low: str, high: str, decimals: frozenset[int]) -> past_rounds.AmountRange:
    least, most = _amount(what, low), _amount(what, high)
    if least is not None and most is not None and least > most:
        raise NotUnderstood(f"a {what} of at least {low} is not at most {high}")
    return past_rounds.AmountRange(
        None if least is None else {places: ceil(least.scaleb(places)) for places in decimals},
        None if most is None else {places: floor(most.scaleb(places)) for places in decimals},
    )


def _amount(what: str, text: str) -> Decimal | None:
    if not text:
        return None
    if len(text) > 15 or not text.lstrip("-").replace(".", "", 1).isdecimal() or not text.isascii() or "-" in text[1:]:
        raise NotUnderstood(f"the {what} {text[:20]!r} is not an amount; write it as in 12.50")
    return Decimal(text)


def _found_round(row: past_rounds.PastRow) -> FoundRound:
    return FoundRound(
        id=row.id,
        table=row.table,
        round=row.number,
        began=row.began,
        ended=row.ended,
        first=row.first,
        last=row.last,
        void=row.void,
        hands=tuple(_found_hand(hand, row.decimals) for hand in row.hands),
    )


def _found_hand(hand: past_rounds.PastHand, decimals: int) -> FoundHand:
    return FoundHand(
        box=hand.box,
        player=hand.player,
        stake=shown(hand.stake, decimals=decimals),
        net=shown(hand.net, decimals=decimals),
        hand=None if hand.hand is None else Category(hand.hand).key,
        cards=tuple(name(CardId(card)) for card in range(51, -1, -1) if hand.cards >> card & 1),
    )
