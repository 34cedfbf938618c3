"""The check of the shuffle in the browser against the program's own, and that it notices what is wrong."""

import random
from typing import Any

import pytest

from aceking.house import chance
from tests.pages.conftest import Player

pytestmark = pytest.mark.proof


def _in_page(visit: Player, does: str, given: Any) -> Any:
    page = visit("/")
    source = "() => document.querySelector('script[type=module]').src.replace('main.js', 'shuffle.js')"
    address = page.evaluate(source)
    return page.evaluate(
        f"async ([address, given]) => {{ const it = await import(address); {does} }}", [address, given]
    )


def test_the_browser_deals_as_the_program_does(visit: Player) -> None:
    draw = random.Random(20261115)
    given, wanted = [], []
    for size in (52, 52, 53, 2, 104):
        seed = draw.randbytes(32)
        words = tuple(draw.choice(("", "blue", "Straße", "七", "x" * 64)) for _ in range(draw.randrange(4)))
        given.append([seed.hex(), list(words), size])
        wanted.append([chance.commitment(seed), list(chance.order_of(seed, words, size))])
    does = (
        "return Promise.all(given.map(async ([seed, words, size]) =>"
        " [await it.commitment(seed), await it.order(seed, words, size)]))"
    )
    assert _in_page(visit, does, given) == wanted


def test_the_browser_notices_another_seed_another_card_another_cut_and_another_word(visit: Player) -> None:
    seed = random.Random(7).randbytes(32)
    order = chance.order_of(seed, ("word",), 52)
    lies = (*order[20:], *order[:20])
    right = {
        "seed": seed.hex(),
        "commitment": chance.commitment(seed),
        "words": ["word"],
        "cut": 20,
        "deck": 52,
        "sequence": list(lies[:15]),
    }
    swapped = [lies[1], lies[0], *lies[2:15]]
    cases: list[tuple[dict[str, Any], str]] = [
        (right, right["commitment"]),  # type: ignore[list-item]
        ({**right, "seed": bytes(32).hex()}, ""),
        ({**right, "sequence": swapped}, ""),
        ({**right, "cut": 21}, ""),
        ({**right, "words": []}, ""),
        (right, "0" * 64),  # the page saw another commitment before the cards were dealt
    ]
    told = _in_page(visit, "return Promise.all(given.map(([round, seen]) => it.check(round, seen)))", cases)
    assert [one["holds"] for one in told] == [True, False, False, False, False, False]
    assert [one["committed"] for one in told] == [True, False, True, True, True, False]
