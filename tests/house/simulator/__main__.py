"""Run the simulator with one seed after another until a run fails.

python -m tests.house.simulator [--seed N] [--seeds K] [--steps M] [--minutes T]
"""

import argparse
import sys
import time
import traceback
from collections import Counter

from tests.house.simulator.world import World


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Run seeds in order until the given number or time is reached. Returns 1 if a run fails."""
    parser = argparse.ArgumentParser(description="A simulator of the house.")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, help="how many of them")
    parser.add_argument("--steps", type=int, default=300, help="requests in one run")
    parser.add_argument("--minutes", type=float, help="go on as long as that")
    given = parser.parse_args()
    most = given.seeds if given.seeds is not None else (sys.maxsize if given.minutes else 1)
    began, total, seed, told_at = time.monotonic(), Counter[str](), given.seed, 0.0
    ends = began + given.minutes * 60 if given.minutes else float("inf")
    while seed < given.seed + most and time.monotonic() < ends:
        world = World(seed, given.steps)
        try:
            seen = world.run()
        except Exception:
            traceback.print_exc()
            say(f"\nFAILED: seed {seed}, {world.weather}")
            say(f"again: python -m tests.house.simulator --seed {seed} --steps {given.steps}")
            return 1
        total.update(world.counts)
        total.update({"entries": seen.entries, "rounds": seen.rounds, "decided again": seen.decided, "seeds": 1})
        total["lives"] += world.lives
        if time.monotonic() - told_at > 10:
            told_at = time.monotonic()
            say(f"seed {seed}, {told_at - began:.0f} s: {_shown(total)}")
        seed += 1
    say(
        f"seeds {given.seed} to {seed - 1} of {given.steps} requests, {time.monotonic() - began:.0f} s: {_shown(total)}"
    )
    if most == 1:
        say(f"{world.weather}, trace {world.trace()}")
    say("everything held")
    return 0


def _shown(total: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in total.items())


if __name__ == "__main__":
    sys.exit(main())
