"""The queue at the door: what strangers owe together, who is heard next, and who has not to stand there."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from aceking.web.limits.leaky_bucket import KEPT, Debts
from aceking.web.limits.queue import HEARD, PASSWORD, PUT_BACK_EACH, PUT_BACK_MOST, QUEUE_MOST, Queue
from aceking.web.limits.rate_limits import FORGOTTEN, PUT_BACK, SPEAKS_FOR, SPEAKS_SECONDS, Addresses

#: One a second for an address, one and a half for all strangers: ten and fifteen of them are let pass.
EACH, ALL = 10, 15


class Told:
    """A clock that is told what time it is."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def _in_loop(test: Callable[[Told], Any]) -> None:
    """The queue wakes itself up by the loop's clock; here it is its turn when the test says so."""

    async def run() -> None:
        test(Told())

    asyncio.run(run())


def _joins(queue: Queue, heard: list[str], name: str, *, back: float = 0.001, price: float = HEARD) -> None:
    """Somebody to whom something was refused lately, unless he is put back by nothing."""
    queue.join(name, price, back, lambda is_it: heard.append(name if is_it else f"not {name}"))


# The queue


def test_there_is_a_line_from_ten_seconds_of_what_is_allowed_until_time_has_paid_for_the_rest() -> None:
    clock = Told()
    queue = Queue(1.0, clock)
    queue.owe(10)
    assert not queue.there
    queue.owe(0.5)
    assert queue.there
    clock.now = 0.49
    assert queue.there
    clock.now = 0.5
    assert not queue.there


def test_what_strangers_owe_has_an_end() -> None:
    clock = Told()
    queue = Queue(1.0, clock)
    queue.owe(10_000)
    clock.now = 4.9
    assert queue.there
    clock.now = 5.0
    assert not queue.there


def test_all_together_are_heard_as_often_as_time_pays_for_it_whatever_their_number() -> None:
    def test(clock: Told) -> None:
        queue, heard = Queue(1.0, clock), list[str]()
        queue.owe(11)
        for number in range(50):
            _joins(queue, heard, str(number))
        assert queue.turn() == pytest.approx(1.0)
        assert heard == []
        clock.now = 1.0
        assert queue.turn() == pytest.approx(HEARD)
        assert heard == ["0"]
        for _ in range(8):
            clock.now += HEARD
            queue.turn()
        assert heard == [str(number) for number in range(9)]
        queue.owe(2)  # one of them was refused something
        clock.now += 2
        queue.turn()
        assert len(heard) == 9
        clock.now += HEARD
        queue.turn()
        assert len(heard) == 10

    _in_loop(test)


def test_who_is_put_back_is_heard_after_those_who_come_so_much_later_and_never_more_than_that() -> None:
    def test(clock: Told) -> None:
        queue, heard = Queue(1.0, clock), list[str]()
        queue.owe(15)
        _joins(queue, heard, "put back for ever", back=1_000)
        _joins(queue, heard, "put back by two", back=2)
        clock.now = 1.9
        _joins(queue, heard, "comes then")
        clock.now = 2.1
        _joins(queue, heard, "comes after")
        clock.now = PUT_BACK_MOST + 0.1
        _joins(queue, heard, "too late")
        while len(queue):
            clock.now += 0.1
            queue.turn()
        assert heard == ["comes then", "put back by two", "comes after", "put back for ever", "too late"]

    _in_loop(test)


def test_who_was_refused_nothing_lately_waits_a_second_at_most_for_what_others_owe() -> None:
    def test(clock: Told) -> None:
        queue, heard = Queue(1.0, clock), list[str]()
        queue.owe(1_000)
        _joins(queue, heard, "not new")
        _joins(queue, heard, "new", back=0.0)
        clock.now = 0.9
        assert queue.turn() == pytest.approx(0.1)
        assert heard == []
        clock.now = 1.0
        assert queue.turn() == pytest.approx(4 + HEARD)
        assert heard == ["new"]
        _joins(queue, heard, "new too", back=0.0)
        assert queue.turn() == pytest.approx(HEARD)
        clock.now = 1 + HEARD
        queue.turn()
        assert heard == ["new", "new too"]
        clock.now = 5.4
        queue.turn()
        assert heard == ["new", "new too"]
        clock.now = 5.5
        queue.turn()
        assert heard == ["new", "new too", "not new"]

    _in_loop(test)


def test_who_comes_often_does_not_come_before_everybody_else_each_time() -> None:
    def test(clock: Told) -> None:
        queue, heard = Queue(1.0, clock), list[str]()
        queue.owe(15)
        for _ in range(3):
            _joins(queue, heard, "often")
        clock.now = 1.5 * PUT_BACK_EACH
        _joins(queue, heard, "once")
        while len(queue):
            clock.now += 0.1
            queue.turn()
        assert heard == ["often", "often", "once", "often"]

    _in_loop(test)


def test_a_line_that_is_full_turns_the_last_away_and_who_would_be_the_last() -> None:
    def test(clock: Told) -> None:
        queue, heard = Queue(1.0, clock), list[str]()
        queue.owe(15)
        for number in range(QUEUE_MOST):
            _joins(queue, heard, f"{number}", back=1)
        assert (len(queue), heard) == (QUEUE_MOST, [])
        _joins(queue, heard, "one more", back=1)
        assert (len(queue), heard) == (QUEUE_MOST, ["not one more"])
        _joins(queue, heard, "comes once")
        assert (len(queue), heard) == (QUEUE_MOST, ["not one more", f"not {QUEUE_MOST - 1}"])
        clock.now = 5
        queue.turn()
        assert heard[2:] == ["comes once"]

    _in_loop(test)


def test_a_password_is_paid_for_before_it_is_looked_at_and_given_back_where_it_was_right() -> None:
    def test(clock: Told) -> None:
        queue, heard = Queue(4.0, clock), list[str]()
        queue.owe(42)
        for name in ("one", "two", "three"):
            _joins(queue, heard, name, price=PASSWORD)
        clock.now = 0.5
        queue.turn()
        assert heard == ["one"]
        clock.now = 2.9
        queue.turn()
        assert heard == ["one"]
        clock.now = 3.0
        queue.turn()
        assert heard == ["one", "two"]
        queue.owe(HEARD - PASSWORD)  # his was right
        clock.now += HEARD / 4
        queue.turn()
        assert heard == ["one", "two", "three"]

    _in_loop(test)


def test_the_line_moves_by_itself() -> None:
    async def run() -> list[bool]:
        queue = Queue(100.0, asyncio.get_running_loop().time)
        queue.owe(1_010)
        return await asyncio.gather(*(queue.stood(f"{number}", HEARD, 0.0) for number in range(QUEUE_MOST + 1)))

    assert asyncio.run(run()) == [True] * QUEUE_MOST + [False]


def test_who_is_new_does_not_wait_until_the_line_has_looked_at_those_before_him() -> None:
    async def run() -> tuple[bool, bool]:
        queue = Queue(1.0, asyncio.get_running_loop().time)
        queue.owe(13.9)
        before = asyncio.ensure_future(queue.stood("not new", HEARD, 1.0))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(3):  # the one before him waits for nearly four
            return await queue.stood("new", HEARD, 0.0), before.done()

    assert asyncio.run(run()) == (True, False)


# Who stands there


def _addresses() -> tuple[Addresses, Told]:
    clock = Told()
    return Addresses(60, clock), clock


def _besieged(owed: Addresses) -> None:
    for number in range(ALL + 5):
        owed.refused(f"attacker {number}")
    assert owed.queue.there


def test_one_address_makes_nobody_else_wait_however_long_it_goes_on() -> None:
    owed, clock = _addresses()
    for _ in range(1_000):
        for _ in range(5):
            owed.refused("here")
        assert not owed.stands_in_queue("elsewhere")
        clock.now += 0.1
    assert owed.late("here")


def test_two_addresses_that_go_on_do() -> None:
    owed, clock = _addresses()
    for _ in range(EACH):
        owed.refused("here")
    for _ in range(ALL - EACH):
        owed.refused("there")
    assert not owed.stands_in_queue("elsewhere")
    owed.refused("there")
    assert owed.stands_in_queue("elsewhere")
    for _ in range(100):  # and then all that is refused to them counts
        clock.now += 0.5
        owed.refused("here")
        owed.refused("there")
    assert owed.stands_in_queue("elsewhere")
    clock.now += 5
    assert not owed.stands_in_queue("elsewhere")


def test_many_addresses_of_which_none_owes_much_do() -> None:
    owed, _ = _addresses()
    for number in range(ALL):
        owed.refused(f"2001:db8:{number}::/64")
    assert not owed.stands_in_queue("elsewhere")
    owed.refused("2001:db8:ffff::/64")
    assert owed.stands_in_queue("elsewhere")
    assert not any(owed.late(f"2001:db8:{number}::/64") for number in range(ALL))


def test_a_guest_does_not_stand_in_line_and_what_is_refused_to_him_makes_nobody_stand_there() -> None:
    owed, _ = _addresses()
    owed.came("at home", "ann")
    owed.came("at work", "ann")
    for _ in range(1_000):
        owed.refused("at home")
        owed.refused("at work")
    assert not owed.queue.there
    _besieged(owed)
    assert owed.stands_in_queue("elsewhere")
    assert not owed.stands_in_queue("at home")
    assert owed.late("at home")  # for himself he does


def test_who_has_logged_in_is_a_guest_for_as_long_as_a_session_lasts() -> None:
    owed, clock = _addresses()
    owed.came("at home", "ann")
    clock.now = SPEAKS_SECONDS
    assert not owed.stranger("at home")
    clock.now += 1
    assert owed.stranger("at home")
    owed.came("at home", "ann")
    assert not owed.stranger("at home")


def test_one_person_speaks_for_the_last_addresses_he_came_from_and_no_more() -> None:
    owed, _ = _addresses()
    homes = [f"home {number}" for number in range(SPEAKS_FOR)]
    for home in homes:
        owed.came(home, "ann")
    owed.came(homes[0], "ann")
    assert not any(owed.stranger(home) for home in homes)
    owed.came("one more", "ann")
    assert [home for home in homes if owed.stranger(home)] == [homes[1]]
    assert not owed.stranger("one more")


def test_who_is_refused_much_under_his_name_speaks_for_nobody_until_he_has_paid() -> None:
    owed, clock = _addresses()
    owed.came("here", "bob")
    for number in range(EACH):
        owed.refused(f"anywhere {number}", person="bob")
    assert not owed.stranger("here")
    owed.refused("anywhere else", person="bob")
    assert owed.stranger("here")
    owed.came("there", "bob")
    assert owed.stranger("there")
    clock.now = 1
    assert not owed.stranger("here")
    assert owed.stranger("there")
    owed.came("there", "bob")
    assert not owed.stranger("there")


def test_who_shares_an_address_with_one_who_is_refused_much_stays_a_guest() -> None:
    owed, _ = _addresses()
    owed.came("the bar", "ann")
    owed.came("the bar", "bob")
    for _ in range(EACH + 1):
        owed.refused("elsewhere", person="bob")
    assert not owed.stranger("the bar")
    owed, _ = _addresses()
    owed.came("the bar", "bob")
    for _ in range(EACH + 1):
        owed.refused("elsewhere", person="bob")
    assert owed.stranger("the bar")
    owed.came("the bar", "ann")
    assert not owed.stranger("the bar")


def test_what_was_paid_in_line_is_not_owed_again() -> None:
    owed, clock = _addresses()
    owed.queue.owe(ALL)
    owed.refused("here", PASSWORD, paid=PASSWORD)
    assert not owed.queue.there
    owed.refused("here", 1.0, paid=HEARD)
    assert owed.queue.there
    clock.now = 0.5  # three quarters of one, at one and a half a second
    assert not owed.queue.there


def test_who_was_refused_something_is_put_back_for_a_while_and_with_him_all_that_is_his() -> None:
    owed, clock = _addresses()
    assert owed.put_back("here") == 0
    owed.refused("here", PASSWORD)
    assert owed.put_back("here") == PUT_BACK
    assert owed.put_back("there") == 0
    clock.now = PUT_BACK / FORGOTTEN - 10
    assert owed.put_back("here") == pytest.approx(1)
    clock.now += 10
    assert owed.put_back("here") == pytest.approx(0)
    for number in range(7):
        owed.refused(f"2001:db8:5:{number}::/64")
    assert owed.put_back("2001:db8:5:ffff::/64") == PUT_BACK_MOST
    assert owed.put_back("2001:db8:6::/64") == 0


# What is kept


def test_no_more_debts_are_kept_than_some_thousand_and_the_oldest_goes_first() -> None:
    debts = Debts(1.0, 40.0, Told())
    for number in range(KEPT - 1):
        debts.add(f"{number}", 5)
    debts.add("0", 1)
    debts.add("the last", 5)
    assert len(debts) == KEPT
    debts.add("one more", 5)
    assert len(debts) == KEPT
    assert (debts.of("0"), debts.of("1"), debts.of("2"), debts.of("one more")) == (6, 0, 5, 5)


def test_no_more_guests_are_kept_either() -> None:
    owed, _ = _addresses()
    for number in range(KEPT + 1):
        owed.came(f"home {number}", f"somebody {number}")
    assert len(owed._spoken_for) == KEPT
    assert owed.stranger("home 0")
    assert not owed.stranger("home 1")
