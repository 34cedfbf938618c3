"""A checked question for the simulator: book, number of rounds and seats, strategy, side bet."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from aceking.exact.caps import without_shared_cap
from aceking.exact.changes import priced_hash
from aceking.rules.book import Book
from aceking.simulation.chance import BLOCK_ROUNDS, DECK_CARDS, SEEDS
from aceking.simulation.games.game import Game, SimulationError
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.meter import SimulatedSide
from aceking.simulation.strategies import OPTIMAL, strategies, strategy_name


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A question that has been checked."""

    book: Book
    rounds: int
    seed: int
    strategy: str
    side: SimulatedSide | None
    game: Game
    sides: tuple[SideColumns, ...] = ()  # the named side wagers; every seat stakes on each

    @property
    def seats(self) -> int:
        """The number of players' hands in a round."""
        return self.game.seats

    @property
    def on_meter(self) -> frozenset[int]:
        """The categories whose awards are paid from the meter."""
        if self.side is None:
            return frozenset()
        return frozenset(int(category) for category in self.side.awards if self.side.on_meter(category))

    @property
    def key(self) -> str:
        """A hash of the question, the same for any number of rounds."""
        text = repr(
            (
                BLOCK_ROUNDS,
                priced_hash(self.book),
                self.seats,
                self.seed,
                _strategy_key(self.book, self.strategy),
            )
        )
        side = (
            ""
            if self.side is None
            else repr((dict(self.side.awards), self.side.rate, self.side.start, self.side.reset))
        )
        return hashlib.sha256(f"{text}{side}".encode()).hexdigest()


def plan(
    book: Book,
    *,
    rounds: int,
    seats: int = 1,
    seed: int = 1,
    strategy: str = OPTIMAL,
    side: SimulatedSide | None = None,
) -> Plan:
    """Check a question and make the tables that it needs. Raises SimulationError or UnpricedError."""
    if rounds < 1:
        raise SimulationError(f"the rounds must be 1 or more, not {rounds}")
    check_seed(seed)
    check_seats(book, seats)
    name = strategy_name(book, strategy)
    game = _game(book if seats == 1 else without_shared_cap(book), name, seats=seats, side=side)
    return Plan(book, rounds, seed, name, side, game, _named(book, game))


def _named(book: Book, game: Game) -> tuple[SideColumns, ...]:
    return tuple(SideColumns.of(book, name, game) for name in book.sides)


def check_seed(seed: int) -> None:
    if not 0 <= seed < SEEDS:
        raise SimulationError(f"a seed is a whole number from 0 to 2^64 - 1, not {seed}")


def check_seats(book: Book, seats: int) -> None:
    """Raise SimulationError for more seats than the book or the deck allows."""
    if seats < 1:
        raise SimulationError(f"the seats must be 1 or more, not {seats}")
    if seats > book.table.seats_max:
        raise SimulationError(
            f"{book.id} has {book.table.seats_max} seats ({book.cite('table.seats_max')}), not {seats}"
        )
    burnt = int(book.deal.method in book.deal.burn)
    each = book.hands.cards + (book.exchange.cards if book.exchange is not None else 0)
    shared = book.hands.community + (book.hands.cards if book.dealer is not None else 0) + burnt
    if seats * each + shared > DECK_CARDS:
        raise SimulationError(
            f"{seats} seats of {book.id} may need {seats * each + shared} cards; there is one deck of {DECK_CARDS}"
        )


def _game(book: Book, strategy: str, *, seats: int, side: SimulatedSide | None) -> Game:
    awarded = frozenset() if side is None else side.awarded
    if book.dealer is None:
        from aceking.simulation.games.boards import BoardGame
        from aceking.simulation.games.community import SHAPE, CommunityGame
        from aceking.simulation.strategies import community_decisions

        decisions = community_decisions(book, strategy)
        if (book.hands.cards, book.hands.community, book.hands.discards) == SHAPE:
            return CommunityGame.of(book, decisions, seats=seats)
        return BoardGame.of(book, decisions, seats=seats)
    if book.exchange is not None:
        from aceking.simulation.games.exchange import ExchangeGame
        from aceking.simulation.strategies import exchange_decisions

        return ExchangeGame.of(book, exchange_decisions(book, strategy), seats=seats, awarded=awarded)
    from aceking.simulation.games.stud import StudGame
    from aceking.simulation.strategies import stud_decisions

    if book.bet.antes_max is not None:
        from aceking.simulation.games.sized import SizedGame

        return SizedGame.of(book, stud_decisions(book, strategy), seats=seats, awarded=awarded)
    return StudGame.of(book, stud_decisions(book, strategy), seats=seats, awarded=awarded)


def _strategy_key(book: Book, strategy: str) -> str:
    if strategy in strategies(book):
        return strategy
    return hashlib.sha256(Path(strategy).read_bytes()).hexdigest()
