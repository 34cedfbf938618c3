"""Several winners of one meter, in turn or together: what each is paid, what comes off the meter, what refills it."""

from dataclasses import replace
from fractions import Fraction

from aceking.cards.hand import Category
from aceking.rules.odds import Amount, Fixed, Share
from aceking.rules.reading.load import load_book
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.jackpot import Display, Winner, pay_in_turn, pay_together, pool_of

ALL, TENTH = Share(Fraction(1)), Share(Fraction(1, 10))
ROYAL, STRAIGHT_FLUSH, FLUSH = Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH, Category.FLUSH


def rules(name: str) -> ProgressiveRules:
    found = load_book(name).progressive
    assert found is not None
    return found


def display(value: int, reset: int | None = 100_00) -> Display:
    return Display(Fraction(value), None if reset is None else Amount(reset))


def test_a_meter_that_is_won_falls_to_its_reset_value_and_the_next_is_paid_by_that() -> None:
    """RWS-4.5.1: in turn, at the meter of that moment; the house refills it at each full award."""
    own, meter = rules("rws"), display(1000_00)
    paid = pay_in_turn([(own, Winner(1, ROYAL, ALL)), (own, Winner(2, ROYAL, ALL))], meter)
    assert [(one.amount, one.from_meter, one.seed, one.after) for one in paid] == [
        (1000_00, 1000_00, 100_00, Fraction(100_00)),
        (100_00, 100_00, 100_00, Fraction(100_00)),
    ]


def test_without_a_reset_value_nothing_is_known_after_a_full_award() -> None:
    own, meter = rules("rws"), display(1000_00, reset=None)
    (paid,) = pay_in_turn([(own, Winner(1, ROYAL, ALL))], meter)
    assert (paid.seed, paid.after, meter.value) == (0, None, None)


def test_what_is_fed_while_the_first_is_paid_is_shown_to_the_next_and_only_once() -> None:
    own, meter = rules("rws"), display(1000_00)
    turns = [
        (own, Winner(1, STRAIGHT_FLUSH, TENTH, fed=Fraction(50_00))),  # fed before anybody was paid: in the value
        (own, Winner(2, STRAIGHT_FLUSH, TENTH, fed=Fraction(60_00))),
        (own, Winner(3, STRAIGHT_FLUSH, TENTH, fed=Fraction(60_00))),
        (own, Winner(4, STRAIGHT_FLUSH, TENTH, fed=Fraction(80_00))),
    ]
    meter.fed = Fraction(50_00)
    paid = pay_in_turn(turns, meter)
    # 1000; 900 + 10 = 910; 819; 737.10 + 20 = 757.10
    assert [one.amount for one in paid] == [100_00, 91_00, 81_90, 75_71]
    assert meter.value == 757_10 - 75_71


def test_what_was_fed_before_the_first_is_not_shown_again() -> None:
    own, meter = rules("rws"), display(1000_00)
    (paid,) = pay_in_turn([(own, Winner(1, STRAIGHT_FLUSH, TENTH, fed=Fraction(70_00)))], meter)
    assert paid.amount == 100_00


def test_an_older_moment_takes_nothing_off_the_meter() -> None:
    own, meter = rules("rws"), display(1000_00)
    meter.fed = Fraction(50_00)
    turns = [(own, Winner(seat, STRAIGHT_FLUSH, TENTH, fed=Fraction(20_00))) for seat in (1, 2)]
    assert [one.amount for one in pay_in_turn(turns, meter)] == [100_00, 90_00]


def test_royal_flushes_share_at_their_own_table_or_across_the_link() -> None:
    """CSP-10(l)(7): at one table. EUR-p25-share-royal: wherever they sit."""
    here, there = Winner(1, ROYAL, ALL, table="A"), Winner(1, ROYAL, ALL, table="B")
    section10, exchange = rules("section10"), rules("exchange")
    assert pool_of(section10, here) != pool_of(section10, there)
    assert pool_of(exchange, here) is not None
    assert pool_of(exchange, here) == pool_of(exchange, there)
    assert pool_of(rules("rws"), here) is None
    assert pool_of(section10, Winner(1, FLUSH, Fixed(Amount(50_00)))) is None


def test_two_tables_that_do_not_share_are_paid_one_after_the_other() -> None:
    own, meter = rules("section10"), display(1000_00)
    turns = [(own, Winner(2, ROYAL, ALL, table="A")), (own, Winner(1, ROYAL, ALL, table="A"))]
    turns.append((own, Winner(1, ROYAL, ALL, table="B")))
    assert [one.amount for one in pay_in_turn(turns, meter)] == [500_00, 500_00, 100_00]


def test_all_at_once_divides_the_value_that_was_frozen() -> None:
    """EUR-p25-share-sf: two royal flushes share the whole; the house pays the straight flush a tenth of it."""
    own, meter = rules("exchange"), display(999_99)
    winners = [Winner(1, ROYAL, ALL), Winner(3, ROYAL, ALL), Winner(2, STRAIGHT_FLUSH, TENTH)]
    winners.append(Winner(4, FLUSH, Fixed(Amount(75_00))))
    paid = pay_together(own, winners, meter)
    assert [(one.winner.seat, one.amount, one.from_meter, one.seed) for one in paid] == [
        (4, 75_00, 0, 0),
        (3, 500_00, 499_99, 0),
        (2, 100_00, 0, 0),
        (1, 500_00, 500_00, 100_00),
    ]
    assert {one.after for one in paid} == {Fraction(100_00)}


def test_a_value_from_before_a_fault_is_paid_as_far_as_the_meter_goes_and_the_rest_by_the_tray() -> None:
    own, meter = rules("rws"), display(300_00)
    (paid,) = pay_in_turn([(own, Winner(1, ROYAL, ALL, at_value=Amount(1000_00)))], meter)
    assert (paid.amount, paid.from_meter, paid.after) == (1000_00, 300_00, Fraction(100_00))


def test_a_share_stays_on_the_meter_where_only_full_awards_come_off() -> None:
    own, meter = replace(rules("rws"), deducts="full-awards"), display(1000_00)
    paid = pay_in_turn([(own, Winner(1, STRAIGHT_FLUSH, TENTH)), (own, Winner(2, STRAIGHT_FLUSH, TENTH))], meter)
    assert [(one.amount, one.from_meter, one.after) for one in paid] == [(100_00, 0, Fraction(1000_00))] * 2
