"""Several winners of one meter: who is paid what, in which order, and what the meter shows after."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from aceking.cards.hand import Category
from aceking.money.chips import rounded_up
from aceking.play.lines import JackpotAward
from aceking.play.scenario import ScenarioError
from aceking.rules.odds import Amount, Award, Fixed, Share
from aceking.rules.refusal import Unregulated
from aceking.rules.vocabulary import Progressive


@dataclass(frozen=True, slots=True)
class Winner:
    """A seat with a hand that the progressive pays."""

    seat: int
    category: Category
    award: Award


@dataclass(slots=True)
class _Display:
    """The meter while winners are paid. None: it was won, and the reset value is not known."""

    value: Fraction | None
    reset: Amount | None
    pools: dict[Category, Fraction] = field(default_factory=dict)

    def now(self) -> Fraction:
        """The value shown, which must be known when somebody is paid by it."""
        if self.value is None:
            raise ScenarioError("reset: the next winner is paid by the reset value, and none is given")
        return self.value

    def won(self) -> None:
        """All of it is won: the meter shows its reset value."""
        self.value = None if self.reset is None else Fraction(self.reset)


def pay_jackpots(
    rules: Progressive, winners: Sequence[Winner], *, meter: Amount | None, reset: Amount | None, last_word: str
) -> tuple[tuple[JackpotAward, ...], Amount | None] | Unregulated:
    """The awards in the order of payment, and the meter after them."""
    shares = [one for one in winners if isinstance(one.award, Share)]
    if shares and meter is None:
        raise ScenarioError(f"meter: seat {shares[0].seat} wins a share of the meter, and its value is not given")
    if rules.order == "per-internal-controls" and len(shares) > 1:
        return Unregulated("the order of several meter awards is left to the internal controls", last_word, "A-WA-09")
    display = _Display(None if meter is None else Fraction(meter), reset)
    if rules.order == "together" and rules.mixed != "from-right-falling":
        awards = _together(rules, winners, display)
    else:
        ordered = sorted(winners, key=lambda one: one.seat, reverse=rules.order != "from-first-dealt")
        awards = tuple(_in_turn(rules, one, winners, display) for one in ordered)
    after = None if display.value is None else Amount(int(display.value))
    return awards, after


def _in_turn(rules: Progressive, winner: Winner, winners: Sequence[Winner], display: _Display) -> JackpotAward:
    """One winner at the meter of that moment; a shared category is set aside when its first winner comes up."""
    if isinstance(winner.award, Fixed):
        return _fixed(rules, winner.seat, winner.award.amount, display)
    assert isinstance(winner.award, Share), "a posted award was replaced by the sign's amount"
    alike = [one for one in winners if one.category == winner.category]
    if winner.category.key in rules.shared and len(alike) > 1:
        if winner.category not in display.pools:
            display.pools[winner.category] = _take(rules, winner.award, display)
        return _from_meter(winner.seat, display.pools[winner.category] / len(alike))
    taken = _take(rules, winner.award, display)
    return _from_meter(winner.seat, taken, on_meter=_comes_off(rules, winner.award))


def _together(rules: Progressive, winners: Sequence[Winner], display: _Display) -> tuple[JackpotAward, ...]:
    """All at once: each category divides its own part of the value frozen when the tables paused."""
    majors = sorted({one.category for one in winners if isinstance(one.award, Share)})
    frozen = display.value
    awards: list[JackpotAward] = []
    for category in majors:
        alike = [one for one in winners if one.category == category]
        award = alike[0].award
        assert isinstance(award, Share)
        # Where a full award coincides with a smaller one, the smaller is borne by the house (A-EUR-17).
        borne = award.of_meter < 1 and len(majors) > 1 and rules.mixed == "each-of-frozen"
        if borne:
            assert frozen is not None
            pool = Fraction(rounded_up(award.of_meter * frozen))
        else:
            pool = _take(rules, award, display)
        awards += [_from_meter(one.seat, pool / len(alike), on_meter=not borne) for one in alike]
    awards += [_fixed(rules, one.seat, one.award.amount, display) for one in winners if isinstance(one.award, Fixed)]
    return tuple(sorted(awards, key=lambda one: one.seat, reverse=True))


def _take(rules: Progressive, award: Share, display: _Display) -> Fraction:
    """The part of the meter that an award takes, in whole coins; the meter falls by it where the book says so."""
    pool = Fraction(rounded_up(award.of_meter * display.now()))
    if award.of_meter >= 1:
        display.won()
    elif _comes_off(rules, award):
        display.value = display.now() - pool
    return pool


def _comes_off(rules: Progressive, award: Share) -> bool:
    return award.of_meter >= 1 or rules.deducts != "full-awards"


def _from_meter(seat: int, exact: Fraction, *, on_meter: bool = True) -> JackpotAward:
    """An award in whole coins; what rounding adds is not the meter's."""
    paid = rounded_up(exact)
    return JackpotAward(seat, paid, Amount(int(exact)) if on_meter else Amount(0))


def _fixed(rules: Progressive, seat: int, paid: Amount, display: _Display) -> JackpotAward:
    if rules.deducts != "all-awards" or display.value is None:
        return JackpotAward(seat, paid, Amount(0))
    taken = min(Fraction(paid), display.value)
    display.value -= taken
    return JackpotAward(seat, paid, Amount(int(taken)))
