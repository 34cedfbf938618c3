"""What stands against an act at each stage of a table: every act is tried, against a table read from the documents.

A refusal names all clauses that stand against the act, so a clause that another one hides is missed when it falls away.
Under the other choices of a house only what differs is written down.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.scenarios.spelling import command_from
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.decide import decide
from aceking.table.gate import knows

READ = tomllib.loads(Path(__file__).with_name("refused.toml").read_text(encoding="utf-8"))
STAGES = ("deck", "betting", "closed", "dealt", "looked", "decided", "revealed")
#: What the sign at the table says, where the book leaves awards to it.
POSTED = {
    "exchange": {"four_of_a_kind": "500", "full_house": "250", "flush": "100"},
    "washington": {
        "royal_flush": "100%",
        "straight_flush": "10%",
        "four_of_a_kind": "500",
        "full_house": "100",
        "flush": "50",
    },
}
#: Ann has a flush and a side bet, Bob a pair; the dealer, where there is one, has ace and king.
HANDS = {1: "Qh 9h 7h 4h 2h", 2: "Ts Td 8c 5s 2d"}
DEALER = "Ah Kd 9c 6s 3d"
_BOX = ("look", "bet", "stay", "fold", "declare", "claim", "turn-hand", "fold-count", "time-out")
_CLOSING = ("compare", "collect-chips", "pay", "collect-cards", "collect-award-cards")
_AWARD = (
    *("select-winner", "call-supervisor", "supervisor-validated", "card-swipe", "win-page"),
    *("documentation-complete", "pay-award", "manual-adjustment", "reseed"),
)
_SAID: dict[str, dict[str, Any]] = {
    "cut": {"count": 20},
    "device-count": {"count": 52},
    "fold-count": {"count": 5},
    "stub-count": {"count": 42},
    "ante": {"player": "Cy", "amount": "10", "box": 3},
    "side-bet": {"player": "Cy", "amount": "1", "box": 3},
    "exchange": {"box": 1, "give": "2h"},
    "discard": {"box": 1, "card": "2h"},
    "card-swipe": {"card": "supervisor"},
    "device-registered": {"device": "shuffler"},
    "device-removed": {"device": "shuffler"},
}
_PLAIN = (
    *("table-configured", "table-opened", "device-registered", "device-removed", "notice-given"),
    *("deck-received", "dealer-inspected", "floorperson-verified", "spread", "first-player-inspection", "turn-up"),
    *("turn-down", "wash", "stack", "cover-card-laid", "cut", "cover-card-to-rack", "recut-ordered", "deck-held"),
    *("deck-to-shuffler", "deck-changed", "deck-removed", "idle-spread", "device-count", "bets-opened", "round-opened"),
    *("ante", "side-bet", "one-hand-notice", "no-more-bets", "lock-out", "chip-light-count", "START GAME", "burn"),
    *("card-dealt", "packet-dealt", "up-card", "stub-to-rack", "stub-count", "go-ahead", "exchange", "discard"),
    *("reveal", "announce-no-hand", "END GAME", "round-ended", "suspend-tables", "resume-tables", "reconstruct"),
)


def tries() -> list[dict[str, Any]]:
    """Every act that can go wrong, and those on a box for both boxes."""
    found: list[dict[str, Any]] = [{"do": act, **_SAID.get(act, {})} for act in _PLAIN]
    found += [{"do": act, "role": role} for act in ("shuffle", "deck-loaded") for role in ("dealer", "device")]
    found += [{"do": act, "box": 1, **_SAID.get(act, {})} for act in (*_BOX, *_AWARD)]
    return found + [{"do": act, "box": box} for act in _CLOSING for box in (1, 2)]


def named(step: Mapping[str, Any]) -> str:
    """How the table of refusals names it: the act, and the part or the box where it is tried for several."""
    if step["do"] in ("shuffle", "deck-loaded") or step["do"] in _CLOSING:
        return f"{step['do']} {step.get('role', step.get('box'))}"
    return str(step["do"])


def order_of(book: Book, first: Mapping[int, str], dealer: str) -> list[int]:
    """The deck from the top, so that each box gets its cards and the dealer his."""
    size = book.hands.cards
    hands = [cards(one)[:size] for one in first.values()]
    hands += [cards(dealer)[: size if book.dealer is not None else book.hands.community]]
    packets = book.deal.method in book.deal.packets
    rows = [[card for hand in hands for card in hand]] if packets else [[*lap] for lap in zip(*hands, strict=False)]
    burnt = [DECK[0]] if book.deal.method in book.deal.burn else []
    top = [*burnt, *(int(card) for row in rows for card in row)]
    return [*top, *(int(card) for card in DECK if int(card) not in top)]


def opened(book: Book, until: str) -> Driver:
    """A table at a stage: each stage goes on where the one before has ended."""
    driver = Driver(book, new_table(book, awards=POSTED.get(book.id)))
    if until == "deck":
        extras = (c.ExtraCard(kind="cutting card", colour="yellow"), c.ExtraCard(kind="cover card", colour="black"))
        driver.must(c.RegisterDeck(deck="first", back="red", count=52, extras=extras))
        return driver
    unit = 10**book.decimals
    driver.open_bets(order_of(book, HANDS, DEALER))
    driver.must(c.Ante(box=1, player="Ann", amount=10 * unit))
    if knows(book, "side-bet"):
        driver.must(c.SideBet(box=1, player="Ann", amount=unit))
    driver.must(c.Ante(box=2, player="Bob", amount=10 * unit))
    steps: dict[str, Callable[[], object]] = {
        "betting": lambda: None,
        "closed": driver.close_bets,
        "dealt": driver.deal,
        "looked": lambda: [driver.must(c.Look(box=box)) for box in HANDS],
        "decided": lambda: [driver.must(decision(driver, box)) for box in HANDS],
        "revealed": lambda: driver.must(c.Reveal()),
    }
    for stage, go in steps.items():
        go()
        if stage == until:
            return driver
    raise AssertionError(f"there is no stage {until}")


def decision(driver: Driver, box: int) -> c.Act:
    assert driver.table.round is not None
    cards_held = driver.table.round.boxes[box].cards
    return c.Bet(box=box, discard=cards_held[-1] if driver.book.hands.discards else None)


@cache
def chosen(name: str, options: tuple[tuple[str, str], ...] = ()) -> Book:
    book = with_options(load_book(name), dict(options))
    assert not isinstance(book, Refusal)
    return book


def against(book: Book, stage: str) -> dict[str, str]:
    """What the book says against each act at a stage: the clauses that refuse it, or breaches that go on record."""
    driver, found = opened(book, stage), {}
    for step in tries():
        done = decide(driver.book, driver.table, command_from(driver.book, step), driver.shoe)
        if isinstance(done, Refusal):
            said = [one for one in (done.clause, *done.also) if one in book.clauses]
        else:
            breached = dict.fromkeys(one.clause for one in done if isinstance(one, ev.Violated) and one.clause)
            said = ["recorded:", *breached] if breached else []
        if said:
            found[named(step)] = " ".join(said)
    return found


def written(name: str, options: Mapping[str, str], until: str) -> dict[str, str]:
    """What the documents say: each stage tells only what is new in it, and nothing stands against an act under ""."""
    own = READ[name]
    nearer = [one for one in READ.get("variant", []) if name in one["book"].split() and one["options"] == options]
    layers = [*([READ[own["like"]]] if "like" in own else []), own, *nearer]
    prefix = next(one["prefix"] for one in layers if "prefix" in one)
    found: dict[str, str] = {}
    for stage in STAGES[: STAGES.index(until) + 1]:
        for layer in layers:
            found |= layer.get(stage, {})
    return {
        act: " ".join(one if one == "recorded:" else prefix + one for one in said.split())
        for act, said in found.items()
        if said
    }


VARIANTS = {(name, tuple(one["options"].items())): None for one in READ["variant"] for name in one["book"].split()}
CASES = [(*one, stage) for one in (*((name, ()) for name in book_ids()), *VARIANTS) for stage in STAGES]


@pytest.mark.parametrize(("name", "options", "stage"), CASES, ids=str)
def test_the_clauses_that_stand_against_an_act(name: str, options: tuple[tuple[str, str], ...], stage: str) -> None:
    assert against(chosen(name, options), stage) == written(name, dict(options), stage)
