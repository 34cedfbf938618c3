"""Several winners of one meter: the amount and order of each payment, and the meter afterwards.

A settled round (`pay_jackpots`) and a meter of many tables use the same arithmetic
(`aceking/meter/awards/winners.py` puts the winners in order and calls `pay_in_turn` or `pay_together`).

A winner is paid by the value shown, in whole coins; a fraction of a coin stays on the meter. An uneven share is rounded
up, and all who share get the same: the meter gives what was set aside for them, the tray the odd coins.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from aceking.cards.hand import Category
from aceking.money.chips import rounded_up
from aceking.rules.book import Book
from aceking.rules.odds import Amount, AwardAmount, Fixed, Share
from aceking.rules.refusal import Unregulated
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.lines import JackpotAward
from aceking.settlement.scenario import ScenarioError

_NONE = Amount(0)


@dataclass(frozen=True, slots=True)
class Winner:
    """A seat with a hand that the progressive pays."""

    seat: int
    category: Category
    award: AwardAmount
    table: str = ""
    fed: Fraction = Fraction(0)  # fed to the meter between the first recognised hand and this one
    at_value: Amount | None = None  # the value to pay by, if the display failed after it


@dataclass(frozen=True, slots=True)
class Payout:
    """What a winner is paid, how much of it comes off the meter, and the refill of the meter at this turn."""

    winner: Winner
    amount: Amount
    from_meter: Amount
    seed: Amount
    after: Fraction | None  # the meter after this turn


@dataclass(slots=True)
class Display:
    """The meter while winners are paid. A value of None: it was won, and the reset value is not known."""

    value: Fraction | None
    reset: Amount | None
    fed: Fraction = Fraction(0)  # the part of the winners' `fed` that the value already has
    moved: bool = False  # a winner has been paid: the next is paid by what the display shows then
    pools: dict[tuple[str, Category], "_Pool"] = field(default_factory=dict)

    def whole_value(self) -> Amount:
        """Return the value shown, in whole coins. Raises ScenarioError if the reset value is needed and not given."""
        if self.value is None:
            raise ScenarioError("reset: the next winner is paid by the reset value, and none is given")
        return Amount(int(self.value))

    def pay_all(self, amount: Amount) -> Amount:
        """Take the whole jackpot off the meter, refill it to its reset value, and return the refill."""
        self.value = None if self.reset is None or self.value is None else self.value - amount + self.reset
        return self.reset or _NONE

    def refresh(self, fed: Fraction) -> None:
        """Add what was fed since the last winner was paid, so that the next winner is paid by it."""
        if self.moved and fed > self.fed and self.value is not None:
            self.value += fed - self.fed
            self.fed = fed
        self.moved = True


@dataclass(slots=True)
class _Pool:
    """An award that several share: the amount for each, and the meter's part for those still to be paid."""

    each: Amount
    from_meter: list[Amount]


@dataclass(frozen=True, slots=True)
class _Cost:
    """What an award costs: its amount, the part that comes off the meter, and the refill of the meter."""

    amount: Amount
    from_meter: Amount
    seed: Amount


def no_order(book: Book) -> Unregulated:
    """Return the answer if the book leaves the order of several winners to the house, and the house has none."""
    return book.silent("the order of several meter awards is left to the internal controls", "A-WA-09")


def pay_jackpots(
    rules: ProgressiveRules,
    winners: Sequence[Winner],
    *,
    meter: Amount | None,
    reset: Amount | None,
    unordered: Unregulated,
) -> tuple[tuple[JackpotAward, ...], Amount | None] | Unregulated:
    """Return the awards of one round in the order of payment and the meter after them, or `unordered`."""
    shares = [one for one in winners if isinstance(one.award, Share)]
    if shares and meter is None:
        raise ScenarioError(f"meter: seat {shares[0].seat} wins a share of the meter, and its value is not given")
    if rules.order == "per-internal-controls" and len(shares) > 1:
        return unordered
    display = Display(None if meter is None else Fraction(meter), reset)
    paid = pay_together(rules, winners, display) if at_once(rules) else _from_one_end(rules, winners, display)
    awards = tuple(JackpotAward(one.winner.seat, one.amount, one.from_meter) for one in paid)
    return awards, None if display.value is None else Amount(int(display.value))


def at_once(rules: ProgressiveRules) -> bool:
    """Return True if the winners of one occasion are all paid by the same frozen value."""
    return rules.order == "together" and rules.mixed != "from-right-falling"


def in_seat_order(rules: ProgressiveRules, winners: Sequence[Winner]) -> list[Winner]:
    """Return the winners of one table in the order of payment: from the first dealt, or from the dealer's right."""
    return sorted(winners, key=lambda one: one.seat, reverse=rules.order != "from-first-dealt")


def _from_one_end(rules: ProgressiveRules, winners: Sequence[Winner], display: Display) -> list[Payout]:
    return pay_in_turn([(rules, one) for one in in_seat_order(rules, winners)], display)


def pay_in_turn(turns: Sequence[tuple[ProgressiveRules, Winner]], display: Display) -> list[Payout]:
    """Pay one winner after another by the meter at that turn, each by the rules of their own table.

    A shared award is set aside whole when the first of its winners has their turn.
    """
    paid = []
    for rules, winner in turns:
        cost = _turn(rules, winner, turns, display)
        paid.append(Payout(winner, cost.amount, cost.from_meter, cost.seed, display.value))
    return paid


def pool_of(rules: ProgressiveRules, winner: Winner) -> tuple[str, Category] | None:
    """Return the key of the pool that a winner shares in (of the table or of all tables); None if nothing is shared."""
    if winner.category.key not in rules.shared or not isinstance(winner.award, Share):
        return None
    return ("" if rules.across_tables == "shared" else winner.table, winner.category)


def _turn(
    rules: ProgressiveRules, winner: Winner, turns: Sequence[tuple[ProgressiveRules, Winner]], display: Display
) -> _Cost:
    pool = pool_of(rules, winner)
    if pool is not None and pool in display.pools:
        aside = display.pools[pool]
        return _Cost(aside.each, aside.from_meter.pop(0), _NONE)
    display.refresh(winner.fed)
    if isinstance(winner.award, Fixed):
        return _fixed(rules, winner.award.amount, display)
    assert isinstance(winner.award, Share), "a posted award was replaced by the sign's amount"
    cost = _take(rules, winner.award, display, at_value=winner.at_value)
    sharing = sum(pool is not None and pool_of(own, one) == pool for own, one in turns)
    if pool is None or sharing < 2:
        return cost
    aside = _Pool(rounded_up(Fraction(cost.amount, sharing)), _divided(cost.from_meter, sharing))
    display.pools[pool] = aside
    return _Cost(aside.each, aside.from_meter.pop(0), cost.seed)


def pay_together(rules: ProgressiveRules, winners: Sequence[Winner], display: Display) -> list[Payout]:
    """Pay all at once: each category divides its own part of the value frozen when the tables paused."""
    majors = sorted({one.category for one in winners if isinstance(one.award, Share)})
    frozen = display.value
    paid: list[Payout] = []
    for category in majors:
        alike = [one for one in winners if one.category == category]
        award, at_value = alike[0].award, alike[0].at_value
        assert isinstance(award, Share)
        # If a full award coincides with a smaller one, the house pays the smaller (A-EUR-17).
        if award.of_meter < 1 and len(majors) > 1 and rules.mixed == "each-of-frozen":
            assert frozen is not None
            pool = _Cost(rounded_up(award.of_meter * (int(frozen) if at_value is None else at_value)), _NONE, _NONE)
        else:
            pool = _take(rules, award, display, at_value=at_value)
        paid += _divide(pool, alike, display)
    for winner in winners:
        if isinstance(winner.award, Fixed):
            cost = _fixed(rules, winner.award.amount, display)
            paid.append(Payout(winner, cost.amount, cost.from_meter, cost.seed, display.value))
    paid.sort(key=lambda one: one.winner.seat, reverse=True)
    return [replace(one, after=display.value) for one in paid]


def _divide(pool: _Cost, alike: Sequence[Winner], display: Display) -> list[Payout]:
    """Return equal payouts, rounded up; the first one carries the refill of the meter."""
    each = rounded_up(Fraction(pool.amount, len(alike)))
    parts = _divided(pool.from_meter, len(alike))
    return [
        Payout(winner, each, part, _NONE if place else pool.seed, display.value)
        for place, (winner, part) in enumerate(zip(alike, parts, strict=True))
    ]


def _divided(whole: int, ways: int) -> list[Amount]:
    """Divide a sum into whole parts; the first ones are larger by a coin if it does not divide evenly."""
    part, odd = divmod(whole, ways)
    return [Amount(part + 1)] * odd + [Amount(part)] * (ways - odd)


def _take(rules: ProgressiveRules, award: Share, display: Display, *, at_value: Amount | None) -> _Cost:
    """Take a share of the meter, in whole coins; the meter falls by it if the book says so."""
    shown = display.whole_value()
    amount = rounded_up(award.of_meter * (shown if at_value is None else at_value))
    full = award.of_meter >= 1
    if not full and rules.deducts == "full-awards":
        return _Cost(amount, _NONE, _NONE)
    # A value from before a fault may exceed what the meter has now; the tray pays the difference.
    from_meter = min(amount, shown)
    assert display.value is not None
    if full:
        return _Cost(amount, from_meter, display.pay_all(from_meter))
    display.value -= from_meter
    return _Cost(amount, from_meter, _NONE)


def _fixed(rules: ProgressiveRules, amount: Amount, display: Display) -> _Cost:
    """Pay a fixed award from the tray, or off the meter as far as it goes if the house chose so."""
    if rules.deducts != "all-awards" or display.value is None:
        return _Cost(amount, _NONE, _NONE)
    from_meter = min(amount, display.whole_value())
    display.value -= from_meter
    return _Cost(amount, from_meter, _NONE)
