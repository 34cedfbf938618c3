"""The units U and L, and ratios to them measured in turns.

U is the time of phevaluator's Python call for all 2,598,960 hands, one by one. L is the speed of the lean loop: a round
of stud in plain Python, `random.sample`, at most two calls of phevaluator, bet A-K-J-8-3 or better. A busy machine
slows unit and work alike if they take turns; the best of several turns counts. U is wall time, or processor time if
that is less: then other work used the cores, and the measured work waited for it too.
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
    """Return the wall time of one run."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def processor_time() -> float:
    """Return the processor time of this process and of the children that it has waited for."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _processor(work: _Work) -> float:
    """Return the processor time of one run."""
    started = processor_time()
    work()
    return processor_time() - started


def _both(work: _Work) -> tuple[float, float]:
    """Return wall time and processor time."""
    started = time.perf_counter()
    used = _processor(work)
    return time.perf_counter() - started, used


def slice_of_unit() -> None:
    """Run a twentieth of U."""
    for hand in islice(combinations(range(52), 5), _SLICE):
        evaluate_cards(*hand)


def in_units(work: _Work, *, times: int = 3) -> tuple[float, float]:
    """Return the time of the work in U, and U in seconds; both the best of several turns."""
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
    """Play rounds of stud as lean as plain Python can be; every win pays even money."""
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
    """Return the ratio of the work's rounds per second to the lean loop's, and the loop's microseconds per round."""
    lean, works = [_processor(lean_loop)], []
    for _ in range(times):
        works.append(_processor(work))
        lean.append(_processor(lean_loop))
    each = min(lean) / LEAN_ROUNDS
    return each / (min(works) / rounds), 1e6 * each
