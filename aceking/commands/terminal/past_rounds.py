"""Past rounds from a record: hands, choices and results, and the same in sentences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from aceking.cards.card import CardId, names
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.table import event as ev
from aceking.table.evolve import evolve
from aceking.table.show.explain import explain
from aceking.table.show.view import hand_words
from aceking.table.state import LAYOUT, METER, TRAY, Box, Deck, Round, TableState

_NOBODY = (LAYOUT, TRAY, METER)


@dataclass(frozen=True, slots=True)
class PastBox:
    """One box of a finished round."""

    box: int
    player: str
    cards: str
    words: str | None
    choice: str | None  # None: its hand was void or forfeited before a decision
    gave: str | None = None
    discard: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """One finished round."""

    number: int
    boxes: tuple[PastBox, ...]
    bank: str  # the dealer's or the community cards
    void: bool
    nets: dict[str, int]  # by player, in minor units

    @property
    def net(self) -> int:
        """The sum over all players, in minor units."""
        return sum(self.nets.values())


def book_of(events: Iterable[ev.TableEvent]) -> Book | None:
    """Return the book of a record with its options; None if no round was opened."""
    for event in events:
        if isinstance(event, ev.RoundOpened):
            book = with_options(load_book(event.book), event.options)
            assert isinstance(book, Book), "a round was opened under options that its book allows"
            return book
    return None


def by_round(events: Sequence[ev.TableEvent]) -> Iterator[Sequence[ev.TableEvent]]:
    """Yield the events of each round; events before the first round are left out."""
    starts = [place for place, event in enumerate(events) if isinstance(event, ev.RoundOpened)]
    for first, last in zip(starts, [*starts, len(events)][1:], strict=True):
        yield events[first:last]


def rounds(book: Book, events: Sequence[ev.TableEvent]) -> Iterator[RecordedRound]:
    """Yield every finished round."""
    decks = {name: Deck(name=name, back=name, since=0) for one in events if (name := getattr(one, "deck", None))}
    table = TableState(id="", book=book.id, digest=book.digest, mode="electronic", decks=decks)
    for part in by_round(events):
        before = dict(table.accounts)
        for event in part:
            table = evolve(table, event)
        assert table.round is not None
        if table.round.phase in ("done", "void"):
            yield _past(book, table.round, before, table.accounts)


def sentences(book: Book, events: Sequence[ev.TableEvent], number: int) -> list[str] | None:
    """Return one round in sentences with clauses; None if the record has no such round."""
    for part in by_round(events):
        opened = part[0]
        assert isinstance(opened, ev.RoundOpened)
        if opened.number == number:
            return explain(book, part)
    return None


def _past(book: Book, current: Round, before: dict[str, int], after: dict[str, int]) -> RecordedRound:
    players = dict.fromkeys(box.player for box in current.boxes.values() if box.player)
    return RecordedRound(
        number=current.number,
        boxes=tuple(_box(book, current, box) for _, box in sorted(current.boxes.items()) if box.player),
        bank=_names(current.dealer or current.community),
        void=current.phase == "void",
        nets={who: after.get(who, 0) - before.get(who, 0) for who in players if who not in _NOBODY},
    )


def _box(book: Book, current: Round, box: Box) -> PastBox:
    return PastBox(
        box=box.number,
        player=box.player,
        cards=_names(box.cards),
        words=hand_words(book, current, box) if len(box.cards) == book.hands.cards else None,
        choice=box.choice,
        gave=None if box.give is None else _names(box.gave),
        discard=_names(box.aside) or None,
    )


def _names(cards: Sequence[int]) -> str:
    return names(tuple(CardId(one) for one in cards))
