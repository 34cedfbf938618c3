"""The reference simulator: the same deals and decisions, but every round played through the table engine, act by act.

It is thousands of times slower than the simulator by columns, and settles by the clauses instead of by the net results.
On the same deals both must agree, round by round and seat by seat; a test checks it. This is the only module of the
mathematics that uses a table, and it uses it through its driver alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from aceking.rules.book import Book
from aceking.rules.odds import Fixed, Share
from aceking.settlement.amounts import usual_ante
from aceking.simulation.chance import BLOCK_ROUNDS, DECK_CARDS, Deals, deals
from aceking.simulation.plan import Plan
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, new_table


@dataclass(frozen=True, slots=True)
class _Places:
    """Where in the deck each card of a deal must lie: hands, the dealer's or shared cards, and the cards drawn."""

    dealt: tuple[int, ...]
    stub: tuple[int, ...]

    def order(self, cards: list[int]) -> list[int]:
        """Return the deck that deals these cards, with the others behind them."""
        deck: list[int | None] = [None] * DECK_CARDS
        for place, card in zip((*self.dealt, *self.stub), cards, strict=True):
            deck[place] = card
        spare = iter(sorted(set(range(DECK_CARDS)) - set(cards)))
        return [next(spare) if card is None else card for card in deck]


class ReferenceTable:
    """A table of the book with all seats taken, driven round after round."""

    def __init__(self, plan: Plan, *, sides: bool = False) -> None:
        """With `sides` every seat also stakes the least on each named side wager of the plan."""
        self._plan = plan
        self._sides = [(wager.name, wager.stake) for wager in plan.sides] if sides else []
        self._book: Book = plan.book
        self.ante = usual_ante(self._book)
        side = plan.side
        awards = {} if side is None else {row.key: _posted(award, self._book) for row, award in side.awards.items()}
        posted = side is not None and side.rules.awards_are in ("posted", "separate", "minimums")
        reset = None if side is None else side.reset
        self._driver = Driver(self._book, new_table(self._book, awards=awards if posted else {}, reset=reset))
        self._places = self._find_places()

    def rounds(self, *, meters: Iterator[int] | None = None) -> Iterator[list[int]]:
        """Yield the net result of each seat in every round, in minor units; `meters` is the meter at each lock-out."""
        left, block = self._plan.rounds, 0
        while left:
            dealt = deals(self._plan.seed, block, cards=self._plan.game.cards, rounds=min(left, BLOCK_ROUNDS))
            yield from self.play(dealt, meters=meters)
            left, block = left - dealt.shape[1], block + 1

    def play(self, dealt: Deals, *, meters: Iterator[int] | None = None) -> Iterator[list[int]]:
        """Yield the net results of the rounds of these deals."""
        game = self._plan.game
        codes, given = game.play(dealt).codes, game.given(dealt)
        for number in range(dealt.shape[1]):
            decisions = [
                (game.outcomes[int(code)].decision, game.outcomes[int(code)].ends, tuple(cards.ravel().tolist()))
                for code, cards in zip(codes[:, number], given[:, number], strict=True)
            ]
            meter = None if meters is None else next(meters)
            yield self._round([int(card) for card in dealt[:, number]], decisions, meter)

    def _round(
        self, cards: list[int], decisions: list[tuple[str, str, tuple[int, ...]]], meter: int | None
    ) -> list[int]:
        before = dict(self._driver.table.accounts)
        self._open(self._places.order(cards), meter)
        for box, (decision, ends, given) in enumerate(decisions, start=1):
            self._driver.look(box)
            if decision == "exchange":
                self._driver.must(c.Exchange(box=box, give=given))
                self._driver.must(_decision(box, "fold" if ends == "fold" else "bet", None))
            else:
                goes_on = decision in ("bet", "stay") and self._book.hands.discards
                aside = c.as_aside(given) if goes_on else None
                self._driver.must(self._sized(box, decision) or _decision(box, decision, aside))
        self._driver.finish()
        self._driver.events.clear()
        after = self._driver.table.accounts
        return [after.get(_player(box), 0) - before.get(_player(box), 0) for box in range(1, len(decisions) + 1)]

    def _sized(self, box: int, decision: str) -> c.Act | None:
        """Return a bet of a number of antes, as in `bet 3`; None for any other decision."""
        antes = decision.removeprefix("bet ")
        return c.Bet(box=box, amount=int(antes) * self.ante) if antes.isdigit() else None

    def _open(self, order: list[int], meter: int | None) -> None:
        """Take the bets and deal."""
        self._driver.open_bets(order)
        side = self._plan.side
        for box in range(1, self._plan.seats + 1):
            self._driver.must(c.Ante(box=box, player=_player(box), amount=self.ante))
            if side is not None:
                self._driver.must(c.SideBet(box=box, player=_player(box), amount=side.rules.stake))
            for name, stake in self._sides:
                self._driver.must(c.SideBet(box=box, player=_player(box), wager=name, amount=stake))
        self._driver.close_bets(meter)
        self._driver.deal()

    def _find_places(self) -> _Places:
        """Deal a deck in the order of its numbers, so that every card tells the place from which it came."""
        side = self._plan.side
        self._open(list(range(DECK_CARDS)), None if side is None else int(side.start))
        current = self._driver.table.round
        assert current is not None
        hands = [card for box in range(1, self._plan.seats + 1) for card in current.boxes[box].cards]
        others = (current.up, *(card for card in current.dealer if card != current.up))
        shared = current.community if self._book.dealer is None else others
        dealt = (*hands, *(int(card) for card in shared if card is not None))
        drawn = self._plan.game.cards - len(dealt)
        folds = "fold" in self._book.decide.choices
        for box in range(1, self._plan.seats + 1):
            self._driver.look(box)
            held = current.boxes[box].cards
            aside = None if folds else c.as_aside(held[len(held) - self._book.hands.discards :])
            self._driver.must(_decision(box, "fold" if folds else "stay", aside))
        self._driver.finish()
        return _Places(dealt, tuple(range(max(dealt) + 1, max(dealt) + 1 + drawn)))


def _decision(box: int, choice: str, discard: c.Aside) -> c.Act:
    """Return the act of a box's decision."""
    match choice:
        case "bet":
            return c.Bet(box=box, discard=discard)
        case "stay":
            return c.Stay(box=box, discard=discard)
        case "declare":
            return c.Declare(box=box)
        case _:
            return c.Fold(box=box)


def _player(box: int) -> str:
    return f"player {box}"


def _posted(award: Share | Fixed, book: Book) -> str:
    """Return an award as it is posted."""
    if isinstance(award, Share):
        return str(award)
    whole, coins = divmod(award.amount, 10**book.decimals)
    return f"{whole}.{coins:0{book.decimals}d}" if coins else str(whole)
