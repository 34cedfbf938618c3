"""Several winners of one meter: who is paid what, in which order, and what the meter shows after.

The arithmetic is here once, for a round that is settled (`pay_jackpots`) and for a link of many tables
(`aceking/meter/awards/winners.py`, which puts the winners in order and calls `pay_in_turn` or `pay_together`).

A winner is paid by the value shown, in whole coins; a fraction of a coin stays on the meter. A share that does not come
out even is rounded up, and all who share get the same: the meter gives what it had set aside, the tray the odd coins.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from aceking.cards.hand import Category
from aceking.money.chips import rounded_up
from aceking.rules.book import Book
from aceking.rules.odds import Amount, Award, Fixed, Share
from aceking.rules.refusal import Unregulated
from aceking.rules.vocabulary import Progressive
from aceking.settlement.lines import JackpotAward
from aceking.settlement.scenario import ScenarioError

_NONE = Amount(0)


@dataclass(frozen=True, slots=True)
class Winner:
    """A seat with a hand that the progressive pays."""

    seat: int
    category: Category
    award: Award
    table: str = ""
    fed: Fraction = Fraction(0)  # what the meter had been fed when this hand was recognised, since the first was
    at_value: Amount | None = None  # the value to be paid by, where the display failed after it


@dataclass(frozen=True, slots=True)
class Payout:
    """What a winner is paid, what of it comes off the meter, and what the meter was refilled with at this turn."""

    winner: Winner
    amount: Amount
    from_meter: Amount
    seed: Amount
    after: Fraction | None  # the meter after this turn


@dataclass(slots=True)
class Display:
    """The meter while winners are paid. None: it was won, and the reset value is not known."""

    value: Fraction | None
    reset: Amount | None
    fed: Fraction = Fraction(0)  # how much of what was fed meanwhile is in the value
    moved: bool = False  # somebody has been paid: the next is paid by what the display shows by then
    pools: dict[tuple[str, Category], "_Pool"] = field(default_factory=dict)

    def now(self) -> Amount:
        """The value shown, which must be known when somebody is paid by it."""
        if self.value is None:
            raise ScenarioError("reset: the next winner is paid by the reset value, and none is given")
        return Amount(int(self.value))

    def won(self, amount: Amount) -> Amount:
        """The jackpot is won: the meter gives it and is refilled to its reset value; the refill is returned."""
        self.value = None if self.reset is None or self.value is None else self.value - amount + self.reset
        return self.reset or _NONE

    def refresh(self, fed: Fraction) -> None:
        """What was fed while the others waited is shown to the next winner."""
        if self.moved and fed > self.fed and self.value is not None:
            self.value += fed - self.fed
            self.fed = fed
        self.moved = True


@dataclass(slots=True)
class _Pool:
    """An award set aside for several: what each gets, and what the meter gives for those who are still to be paid."""

    each: Amount
    from_meter: list[Amount]


@dataclass(frozen=True, slots=True)
class _Taken:
    """What an award takes: its size, what of it is the meter's, and the refill."""

    amount: Amount
    from_meter: Amount
    seed: Amount


def no_order(book: Book) -> Unregulated:
    """What is said where the book leaves the order of several winners to the house, and the house has none."""
    return book.silent("the order of several meter awards is left to the internal controls", "A-WA-09")


def pay_jackpots(
    rules: Progressive, winners: Sequence[Winner], *, meter: Amount | None, reset: Amount | None, unordered: Unregulated
) -> tuple[tuple[JackpotAward, ...], Amount | None] | Unregulated:
    """The awards of one round at one table in the order of payment, and the meter after them; or `unordered`."""
    shares = [one for one in winners if isinstance(one.award, Share)]
    if shares and meter is None:
        raise ScenarioError(f"meter: seat {shares[0].seat} wins a share of the meter, and its value is not given")
    if rules.order == "per-internal-controls" and len(shares) > 1:
        return unordered
    display = Display(None if meter is None else Fraction(meter), reset)
    paid = pay_together(rules, winners, display) if at_once(rules) else _from_one_end(rules, winners, display)
    awards = tuple(JackpotAward(one.winner.seat, one.amount, one.from_meter) for one in paid)
    return awards, None if display.value is None else Amount(int(display.value))


def at_once(rules: Progressive) -> bool:
    """Whether winners of one occasion are paid at once, by the same frozen value, instead of one after another."""
    return rules.order == "together" and rules.mixed != "from-right-falling"


def in_seat_order(rules: Progressive, winners: Sequence[Winner]) -> list[Winner]:
    """The winners of one table in the order of payment: from the first dealt, or from the dealer's right."""
    return sorted(winners, key=lambda one: one.seat, reverse=rules.order != "from-first-dealt")


def _from_one_end(rules: Progressive, winners: Sequence[Winner], display: Display) -> list[Payout]:
    return pay_in_turn([(rules, one) for one in in_seat_order(rules, winners)], display)


def pay_in_turn(turns: Sequence[tuple[Progressive, Winner]], display: Display) -> list[Payout]:
    """One winner after another at the meter of that moment, each by the rules of his own table.

    An award that is shared is set aside whole when the first of those who share it comes up.
    """
    paid = []
    for rules, winner in turns:
        taken = _turn(rules, winner, turns, display)
        paid.append(Payout(winner, taken.amount, taken.from_meter, taken.seed, display.value))
    return paid


def pool_of(rules: Progressive, winner: Winner) -> tuple[str, Category] | None:
    """Which pool a winner shares in: that of his table, or that of the whole link; None where nothing is shared."""
    if winner.category.key not in rules.shared or not isinstance(winner.award, Share):
        return None
    return ("" if rules.across_tables == "shared" else winner.table, winner.category)


def _turn(rules: Progressive, winner: Winner, turns: Sequence[tuple[Progressive, Winner]], display: Display) -> _Taken:
    pool = pool_of(rules, winner)
    if pool is not None and pool in display.pools:
        aside = display.pools[pool]
        return _Taken(aside.each, aside.from_meter.pop(0), _NONE)
    display.refresh(winner.fed)
    if isinstance(winner.award, Fixed):
        return _fixed(rules, winner.award.amount, display)
    assert isinstance(winner.award, Share), "a posted award was replaced by the sign's amount"
    taken = _take(rules, winner.award, display, at_value=winner.at_value)
    sharing = sum(pool is not None and pool_of(own, one) == pool for own, one in turns)
    if pool is None or sharing < 2:
        return taken
    aside = _Pool(rounded_up(Fraction(taken.amount, sharing)), _divided(taken.from_meter, sharing))
    display.pools[pool] = aside
    return _Taken(aside.each, aside.from_meter.pop(0), taken.seed)


def pay_together(rules: Progressive, winners: Sequence[Winner], display: Display) -> list[Payout]:
    """All at once: each category divides its own part of the value frozen when the tables paused."""
    majors = sorted({one.category for one in winners if isinstance(one.award, Share)})
    frozen = display.value
    paid: list[Payout] = []
    for category in majors:
        alike = [one for one in winners if one.category == category]
        award, at_value = alike[0].award, alike[0].at_value
        assert isinstance(award, Share)
        # Where a full award coincides with a smaller one, the smaller is borne by the house (A-EUR-17).
        if award.of_meter < 1 and len(majors) > 1 and rules.mixed == "each-of-frozen":
            assert frozen is not None
            pool = _Taken(rounded_up(award.of_meter * (int(frozen) if at_value is None else at_value)), _NONE, _NONE)
        else:
            pool = _take(rules, award, display, at_value=at_value)
        paid += _divide(pool, alike, display)
    for one in winners:
        if isinstance(one.award, Fixed):
            taken = _fixed(rules, one.award.amount, display)
            paid.append(Payout(one, taken.amount, taken.from_meter, taken.seed, display.value))
    paid.sort(key=lambda one: one.winner.seat, reverse=True)
    return [replace(one, after=display.value) for one in paid]


def _divide(pool: _Taken, alike: Sequence[Winner], display: Display) -> list[Payout]:
    """The same for everybody, rounded up; the first of them carries the refill of the meter."""
    each = rounded_up(Fraction(pool.amount, len(alike)))
    parts = _divided(pool.from_meter, len(alike))
    return [
        Payout(winner, each, part, _NONE if place else pool.seed, display.value)
        for place, (winner, part) in enumerate(zip(alike, parts, strict=True))
    ]


def _divided(whole: int, ways: int) -> list[Amount]:
    """A sum in so many whole parts, the first ones greater by a coin where it does not come out even."""
    part, odd = divmod(whole, ways)
    return [Amount(part + 1)] * odd + [Amount(part)] * (ways - odd)


def _take(rules: Progressive, award: Share, display: Display, *, at_value: Amount | None) -> _Taken:
    """The part of the meter that an award takes, in whole coins; the meter falls by it where the book says so."""
    shown = display.now()
    amount = rounded_up(award.of_meter * (shown if at_value is None else at_value))
    full = award.of_meter >= 1
    if not full and rules.deducts == "full-awards":
        return _Taken(amount, _NONE, _NONE)
    # A value from before a fault may exceed what the meter has now; the tray bears that.
    from_meter = min(amount, shown)
    assert display.value is not None
    if full:
        return _Taken(amount, from_meter, display.won(from_meter))
    display.value -= from_meter
    return _Taken(amount, from_meter, _NONE)


def _fixed(rules: Progressive, amount: Amount, display: Display) -> _Taken:
    """An award of an amount: from the tray, or off the meter as far as that goes, where the house chose so."""
    if rules.deducts != "all-awards" or display.value is None:
        return _Taken(amount, _NONE, _NONE)
    from_meter = min(amount, display.now())
    display.value -= from_meter
    return _Taken(amount, from_meter, _NONE)
