"""The units that everything is measured in, and ratios to them measured interleaved: a little of each in turn.

U is the time that phevaluator's Python call takes for all 2,598,960 hands, one by one. L is the speed of the lean loop:
a round of stud in plain Python, `random.sample`, at most two calls of phevaluator, bet A-K-J-8-3 or better. A machine
that is busy, or that slows down, slows unit and work alike if they take turns; the best of several turns is taken. U is
by the clock, or by the time of the processor if that is less: then others used the cores, and the work waited for them.
"""

import random
import resource
import time
from collections.abc import Callable
from itertools import combinations, islice

from phevaluator import evaluate_cards

HANDS = 2_598_960
#: Hands of one turn of U, and rounds of one turn of L.
_SLICE = HANDS // 20
LEAN_ROUNDS = 40_000

_Work = Callable[[], object]


def seconds(work: _Work) -> float:
    """What one run takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def processor_time() -> float:
    """What this process and the ones that it waited for have taken of all processors."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _processor(work: _Work) -> float:
    """What one run takes of the processor."""
    started = processor_time()
    work()
    return processor_time() - started


def _both(work: _Work) -> tuple[float, float]:
    """By the clock and by the processor."""
    started = time.perf_counter()
    used = _processor(work)
    return time.perf_counter() - started, used


def slice_of_unit() -> None:
    """A twentieth of U."""
    for hand in islice(combinations(range(52), 5), _SLICE):
        evaluate_cards(*hand)


def in_units(work: _Work, *, times: int = 3) -> tuple[float, float]:
    """What the work takes in U, and the seconds of U; both the best of several turns."""
    units, works = [_both(slice_of_unit)], []
    for _ in range(times):
        works.append(_both(work))
        units.append(_both(slice_of_unit))
    by_clock, by_processor = (
        min(work[way] for work in works) / min(unit[way] for unit in units) * _SLICE / HANDS for way in (0, 1)
    )
    return min(by_clock, by_processor), min(unit[1] for unit in units) * HANDS / _SLICE


# Smaller is better: phevaluator's rank of the hands at the two borders.
_BET = evaluate_cards("Ac", "Kd", "Jh", "8s", "3c")
_QUALIFIES = evaluate_cards("Ac", "Kd", "4h", "3s", "2c")


def lean_loop(rounds: int = LEAN_ROUNDS) -> int:
    """Rounds of stud, one after another, as lean as plain Python can be; every win at even money is enough here."""
    net = 0
    deck = range(52)
    for _ in range(rounds):
        cards = random.sample(deck, 10)
        mine = evaluate_cards(*cards[:5])
        if mine > _BET:
            net -= 1
            continue
        dealer = evaluate_cards(*cards[5:])
        if dealer > _QUALIFIES:
            net += 1
        elif mine < dealer:
            net += 3
        elif mine > dealer:
            net -= 3
    return net


def in_lean_rounds(work: _Work, rounds: int, *, times: int = 5) -> tuple[float, float]:
    """How many times as many rounds a second the work plays as the lean loop, and the loop's microseconds a round."""
    lean, works = [_processor(lean_loop)], []
    for _ in range(times):
        works.append(_processor(work))
        lean.append(_processor(lean_loop))
    each = min(lean) / LEAN_ROUNDS
    return each / (min(works) / rounds), 1e6 * each
