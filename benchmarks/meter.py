"""One million contributions from forty tables through decide and evolve, exact to the last fraction."""

import random
import time
from datetime import UTC, datetime
from fractions import Fraction

from aceking.meter.commands import Configure, Contribute, Open
from aceking.meter.state import MeterState, carried, display, identity
from aceking.rules.reading.load import load_book
from tests.meter.acting import act

CONTRIBUTIONS = 1_000_000
TABLES = 40
BASE = 1_000_000
#: A rate and a reserve that are never whole cents.
RATE, HIDDEN = "71.337%", "3.113%"
AT = datetime(2026, 1, 5, 21, 0, tzinfo=UTC)
BOOKS = {"section10": load_book("section10")}


def opened() -> MeterState:
    """Return an open meter with forty tables of one book."""
    configure = Configure(
        at=AT,
        by="Sam",
        second="Eva",
        tables={f"T{number:02}": "section10" for number in range(1, TABLES + 1)},
        currency="USD",
        base=BASE,
        reset=BASE,
        rate=RATE,
        hidden_rate=HIDDEN,
        people={"Sam": "supervisor", "Eva": "executive"},
    )
    state, _ = act(BOOKS, MeterState(), configure)
    return act(BOOKS, state, Open(at=AT, by="Sam"))[0]


def main() -> None:
    """Print the seconds, and whether the meter is exact."""
    chance = random.Random(4)
    commands = [
        Contribute(at=AT, table=f"T{chance.randint(1, TABLES):02}", wagers=chance.randint(1, 7))
        for _ in range(CONTRIBUTIONS)
    ]
    state = opened()
    started, started_cpu = time.perf_counter(), time.process_time()
    for command in commands:
        state, _ = act(BOOKS, state, command)
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - started_cpu
    # The same sum computed at once, with fractions.
    wagered = 100 * sum(command.wagers for command in commands)
    on_meter = BASE + wagered * Fraction(RATE.rstrip("%")) / 100
    in_reserve = wagered * Fraction(HIDDEN.rstrip("%")) / 100
    found = display(state) + carried(state)
    exact = found == on_meter and Fraction(state.counters.reserve, state.scale) == in_reserve
    print(f"meter: {CONTRIBUTIONS:,} contributions from {TABLES} tables in {seconds:.1f} s")
    print(f"       {cpu_seconds:.1f} s of one core; the rest, if any, went to other processes")
    print(f"       {display(state)} cents and {carried(state)}; exact: {exact}; identity: {identity(state)}")
    assert exact
    assert state.counters.wagers * 100 == wagered
    assert identity(state) == 0


if __name__ == "__main__":
    main()
