"""Ranking five cards: hands per second through each package's Python call, and for an array of hands at once.

Ratios are to phevaluator's call, one hand at a time, in the same run.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import eval7
import numpy as np
import pkrbot
import pokerkit
import treys
from phevaluator import evaluate_cards  # three times slower if looked up in its package on each call

from aceking.cards.array import HandArray, cores, strengths
from aceking.cards.card import CardId, name
from aceking.cards.fast import ranker
from aceking.cards.hand import rank

#: Hands for packages that rank one at a time; enough to measure their speed.
ONE_BY_ONE = 50_000
#: Hands for an array at once.
AT_ONCE = 4_000_000
ROUNDS = 5

Hand = TypeVar("Hand")


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed of one way of ranking."""

    way: str
    hands_per_second: float
    ratio: float  # to phevaluator's Python call


def speeds() -> list[Speed]:
    """Measure every ranker, the baseline first."""
    hands = random_hands(AT_ONCE)
    few = [tuple(CardId(int(one)) for one in hand) for hand in hands[:ONE_BY_ONE]]
    text = [[name(one) for one in hand] for hand in few]
    treys_hands = [[treys.Card.new(one) for one in hand] for hand in text]
    ours, treys_evaluator = ranker(ace_low=True), treys.Evaluator()
    measured = {
        "phevaluator": _one_by_one(lambda hand: evaluate_cards(*hand), few),
        "pkrbot": _one_by_one(pkrbot.evaluate, [[pkrbot.Card(one) for one in hand] for hand in text]),
        "eval7": _one_by_one(eval7.evaluate, [[eval7.Card(one) for one in hand] for hand in text]),
        "treys": _one_by_one(lambda hand: treys_evaluator.evaluate(hand[:2], hand[2:]), treys_hands),
        "pokerkit": _one_by_one(pokerkit.StandardHighHand, list(islice(map("".join, text), ONE_BY_ONE // 10))),
        "aceking, the obvious ranker": _one_by_one(rank, few),
        "aceking, one hand by table": _one_by_one(ours.strength, few),
        "aceking, an array, one thread": _at_once(hands, threads=1),
        f"aceking, an array, {cores()} cores": _at_once(hands, threads=cores()),
    }
    baseline = measured["phevaluator"]
    return [Speed(way, speed, speed / baseline) for way, speed in measured.items()]


def random_hands(number: int) -> HandArray:
    """Return hands of five different cards."""
    generator = np.random.default_rng(1)
    hands = generator.integers(0, 52, (number + number // 2, 5), np.uint8)
    rising = np.sort(hands, axis=1)
    different = (rising[:, 1:] != rising[:, :-1]).all(axis=1)
    return np.ascontiguousarray(hands[different][:number])


def main() -> None:
    for speed in speeds():
        print(f"{speed.way:32} {speed.hands_per_second / 1e6:9.2f} M hands/s {speed.ratio:8.2f} x")


def _one_by_one(evaluate: Callable[[Hand], object], hands: Sequence[Hand]) -> float:
    return max(len(hands) / _seconds(lambda: [evaluate(hand) for hand in hands]) for _ in range(ROUNDS))


def _at_once(hands: HandArray, *, threads: int) -> float:
    # Parts this small are ranked in the calling thread.
    parts = np.array_split(hands, len(hands) // 100_000)

    def work() -> None:
        if threads > 1:
            strengths(hands)
        else:
            for part in parts:
                strengths(part)

    return max(len(hands) / _seconds(work) for _ in range(ROUNDS))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
