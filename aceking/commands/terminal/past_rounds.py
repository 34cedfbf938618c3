"""Past rounds, read off a record: what was held, done and won, and the same in sentences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from aceking.cards.card import Card, names
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.table import event as ev
from aceking.table.evolve import evolve
from aceking.table.show.explain import explain
from aceking.table.show.view import hand_words
from aceking.table.state import LAYOUT, METER, TRAY, Box, Deck, Round, Table

_NOBODY = (LAYOUT, TRAY, METER)


@dataclass(frozen=True, slots=True)
class PastBox:
    """One box of a round that is over."""

    box: int
    player: str
    cards: str
    words: str | None
    choice: str | None  # None: its hand was void or forfeited before a decision
    gave: str | None = None
    discard: str | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """One round that is over."""

    number: int
    boxes: tuple[PastBox, ...]
    bank: str  # the dealer's cards, or those that all share
    void: bool
    nets: dict[str, int]  # by player, in minor units

    @property
    def net(self) -> int:
        """What all players of the round won or lost together."""
        return sum(self.nets.values())


def book_of(events: Iterable[ev.Event]) -> Book | None:
    """The book that a record was played by, under its options; None where no round was opened."""
    for event in events:
        if isinstance(event, ev.RoundOpened):
            found = with_options(load_book(event.book), event.options)
            assert isinstance(found, Book), "a round was opened under options that its book allows"
            return found
    return None


def parts(events: Sequence[ev.Event]) -> Iterator[Sequence[ev.Event]]:
    """The events round by round; what was done before the first bet belongs to none."""
    starts = [place for place, event in enumerate(events) if isinstance(event, ev.RoundOpened)]
    for first, last in zip(starts, [*starts[1:], len(events)], strict=True):
        yield events[first:last]


def rounds(book: Book, events: Sequence[ev.Event]) -> Iterator[Past]:
    """Every round that came to its end."""
    decks = {name: Deck(name=name, back=name, since=0) for one in events if (name := getattr(one, "deck", None))}
    table = Table(id="", book=book.id, digest=book.digest, mode="electronic", decks=decks)
    for part in parts(events):
        before = dict(table.accounts)
        for event in part:
            table = evolve(table, event)
        assert table.round is not None
        if table.round.phase in ("done", "void"):
            yield _past(book, table.round, before, table.accounts)


def sentences(book: Book, events: Sequence[ev.Event], number: int) -> list[str] | None:
    """One round in sentences, clause by clause; None where the record has no such round."""
    for part in parts(events):
        opened = part[0]
        assert isinstance(opened, ev.RoundOpened)
        if opened.number == number:
            return explain(book, part)
    return None


def _past(book: Book, current: Round, before: dict[str, int], after: dict[str, int]) -> Past:
    players = dict.fromkeys(box.player for box in current.boxes.values() if box.player)
    return Past(
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
    return names(tuple(Card(one) for one in cards))
