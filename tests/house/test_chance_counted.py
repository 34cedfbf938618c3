"""The shuffle counted at large, in small; whether a worse shuffle would be found; the same from the record of play."""

import asyncio
import random
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from aceking.house.chance import order_of
from aceking.house.running import Running
from aceking.house.store.open import open_store
from benchmarks import crowd as people
from benchmarks.inside import ToldClock, play_round
from tests.house.chance.__main__ import passed
from tests.house.chance.counts import HANDS, Counts, chance_of_complexity, complexity, eulerian
from tests.house.chance.deals import Shuffle, numbered, of_log

DEALS = 20_000


def _any_place(seed: bytes, _: tuple[str, ...], size: int) -> tuple[int, ...]:
    """Each card changes places with any other: the oldest mistake."""
    dice, cards = random.Random(seed), list(range(size))
    for place in range(size):
        other = dice.randrange(size)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def _never_at_home(seed: bytes, _: tuple[str, ...], size: int) -> tuple[int, ...]:
    """One too few to choose from (Sattolo): no card stays where it was."""
    dice, cards = random.Random(seed), list(range(size))
    for last in range(size - 1, 0, -1):
        place = dice.randrange(last)
        cards[last], cards[place] = cards[place], cards[last]
    return tuple(cards)


def _riffled(seed: bytes, _: tuple[str, ...], size: int) -> tuple[int, ...]:
    """Seven riffles and a cut: each card is about anywhere, and rising sequences are too few."""
    dice, cards = random.Random(seed), list(range(size))
    for _riffle in range(7):
        high = {card for card in cards if dice.random() < 0.5}
        cards = [card for card in cards if card not in high] + [card for card in cards if card in high]
    cut = dice.randrange(size)
    return tuple(cards[cut:] + cards[:cut])


def _cut(seed: bytes, _: tuple[str, ...], size: int) -> tuple[int, ...]:
    """Every card is everywhere equally often, and always behind the same one."""
    cut = random.Random(seed).randrange(size)
    return (*range(cut, size), *range(cut))


def test_the_shuffle_of_the_house_is_as_chance_has_it() -> None:
    counts = Counts()
    for first in range(0, DEALS, 5_000):
        counts.add(numbered("suite", first, 5_000))
    tests = counts.found()
    assert counts.deals == DEALS
    assert len(tests) >= 9
    assert passed(tests), tests


@pytest.mark.parametrize("shuffle", [_any_place, _never_at_home, _riffled, _cut], ids=lambda one: one.__name__)
def test_a_worse_shuffle_is_found(shuffle: Shuffle) -> None:
    counts = Counts()
    counts.add(numbered("suite", 0, 10_000, shuffle=shuffle))
    assert not passed(counts.found())


def test_a_commitment_that_tells_of_the_card_on_top_is_found() -> None:
    counts = Counts()
    counts.add(
        numbered(
            "suite", 0, 4_000, shown=lambda seed: f"{order_of(seed, (), 52)[0]:02x}" + sha256(seed).hexdigest()[2:]
        )
    )
    assert [one.what for one in counts.found() if one.chance < 1e-9] == ["commitment against the card on top"]


def test_a_commitment_that_tells_of_the_seed_is_found() -> None:
    counts = Counts()
    counts.add(numbered("suite", 0, 4_000, shown=lambda seed: sha256(seed).hexdigest()[:-2] + seed.hex()[:2]))
    assert [one.what for one in counts.found() if one.chance < 1e-9] == ["commitment against the seed, bit by bit"]


def test_a_generator_that_follows_a_linear_rule_is_found_by_its_past() -> None:
    dice = random.Random(5)
    assert complexity([dice.getrandbits(1) for _ in range(45_000)]) == 19_937  # the state of a Mersenne Twister
    assert chance_of_complexity(19_937, 45_000) < 1e-9
    assert complexity([0, 0, 0, 1]) == 4
    assert complexity([1, 0] * 50) == 2


def test_what_is_expected_is_exact() -> None:
    assert eulerian(5) == (1, 26, 66, 26, 1)
    assert sum(HANDS) == 2_598_960


@pytest.mark.proof
def test_the_record_of_real_play_is_as_chance_has_it_and_the_program_says_so(tmp_path: Path) -> None:
    """Seeds of the system's generator, so this fails where nothing is wrong once in a hundred thousand runs."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    asyncio.run(_played(url, 10))
    deals = of_log(url)
    assert len(deals) >= 300
    counts = Counts()
    counts.add(deals)
    assert all(one.chance > 1e-6 for one in counts.found()), counts.found()
    said = subprocess.run(
        [sys.executable, "-m", "tests.house.chance", "--log", f"sqlite:///{tmp_path / 'nothing.db'}"],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert (said.returncode, "no such file" in said.stderr) == (2, True), said.stderr


async def _played(url: str, rounds: int) -> None:
    clock = ToldClock()
    with closing(open_store(url)) as store:
        house = Running(store, clock=clock, draw=random.Random(rounds).randbytes)
        await house.start()
        await people.found(house, people.Plan(books=("section10",), boxes=1))
        for _ in range(rounds):
            await play_round(house, clock)
        await house.stop()
