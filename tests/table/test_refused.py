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
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.scenarios.spelling import command_from
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.gate import completed, gate
from aceking.table.procedure.orders import FAMILY, check
from tests.table.saved import knows

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


_EXTRAS = [{"kind": "cutting card", "colour": "yellow"}, {"kind": "cover card", "colour": "black"}]
#: Acts with something wrong about them.
_WRONG: tuple[dict[str, Any], ...] = (
    {"name": "ante, standing", "do": "ante", "box": 3, "player": "Cy", "amount": "10", "standing": True},
    {"name": "ante in cash", "do": "ante", "box": 3, "player": "Cy", "amount": "10", "means": "cash"},
    {"name": "ante, a second box", "do": "ante", "box": 4, "player": "Ann", "amount": "10"},
    {"name": "side-bet, standing", "do": "side-bet", "box": 2, "player": "Bob", "amount": "1", "standing": True},
    {"name": "side-bet in cash", "do": "side-bet", "box": 2, "player": "Bob", "amount": "1", "means": "cash"},
    {"name": "side-bet of 2", "do": "side-bet", "box": 2, "player": "Bob", "amount": "2"},
    {"name": "side-bet on an ante", "do": "side-bet", "box": 2, "player": "Bob", "amount": "1"},
    {"name": "side-bet on Ann's box", "do": "side-bet", "box": 1, "player": "Cy", "amount": "1"},
    {"name": "ante on Ann's box", "do": "ante", "box": 1, "player": "Cy", "amount": "10"},
    {"name": "ante, a fifth game", "do": "ante", "box": 3, "player": "Cy", "amount": "10", "games": 4},
    {"name": "side-bet, a fifth game", "do": "side-bet", "box": 2, "player": "Bob", "amount": "1", "games": 4},
    {"name": "look at Ann's hand", "do": "look", "box": 1, "player": "Bob"},
    {"name": "fold of Ann's hand", "do": "fold", "box": 1, "player": "Bob"},
    {"name": "bet on Ann's hand", "do": "bet", "box": 1, "player": "Bob"},
    {"name": "bet in cash", "do": "bet", "box": 1, "means": "cash"},
    {"name": "bet of 15", "do": "bet", "box": 1, "amount": "15"},
    {"name": "bet of box 2", "do": "bet", "box": 2},
    {"name": "exchange in cash", "do": "exchange", "box": 1, "give": "2h", "means": "cash"},
    {"name": "exchange for 5", "do": "exchange", "box": 1, "give": "2h", "amount": "5"},
    {"name": "exchange of two", "do": "exchange", "box": 1, "give": "2h 4h"},
    {"name": "discard, face up", "do": "discard", "box": 1, "card": "2h", "face": "up"},
    {"name": "cut of 9", "do": "cut", "count": 9},
    {"name": "cut with two hands", "do": "cut", "count": 20, "hands": 2},
    {"name": "card to box 2", "do": "card-dealt", "to": "box 2"},
    {"name": "card face up", "do": "card-dealt", "face": "up"},
    {"name": "card face down", "do": "card-dealt", "face": "down"},
    {"name": "packet to box 2", "do": "packet-dealt", "to": "box 2"},
    {"name": "packet face up", "do": "packet-dealt", "face": "up"},
    {"name": "stub face up", "do": "stub-to-rack", "face": "up"},
    {"name": "deck of 51", "do": "deck-registered", "deck": "other", "back": "blue", "count": 51, "extras": _EXTRAS},
    {"name": "deck with two backs", "do": "deck-registered", "deck": "other", "back": "blue", "uniform": False},
    {"name": "second deck", "do": "deck-registered", "deck": "other", "back": "red", "count": 52, "extras": _EXTRAS},
    {"name": "touch of another hand", "do": "touch-cards", "box": 1, "role": "player", "player": "Bob"},
    {"name": "touch of his own hand", "do": "touch-cards", "box": 1, "role": "player", "player": "Ann"},
    {"name": "touch by the dealer", "do": "touch-cards", "box": 1, "role": "dealer"},
    {"name": "touch by the floor", "do": "touch-cards", "box": 1, "role": "floorperson"},
    {"name": "out of view", "do": "keep-in-view", "box": 1, "role": "player", "kept": False},
    {"name": "out of view, as the floor saw it", "do": "keep-in-view", "box": 1, "role": "supervisor", "kept": False},
    {"name": "deck out of view", "do": "keep-in-view", "role": "dealer", "kept": False},
    {"name": "deck in view", "do": "keep-in-view", "role": "dealer"},
    {"name": "packets of 4", "do": "table-configured", "packet": 4},
    {"name": "odds for one", "do": "table-configured", "odds": "5 for 1"},
    {"name": "notice of odds for one", "do": "notice-given", "odds": "5 for 1"},
    {"name": "seat left", "do": "stay-seated", "box": 1, "role": "player", "left": True},
    {"name": "seat left, as the dealer saw it", "do": "stay-seated", "box": 1, "role": "dealer", "left": True},
)


def tries() -> list[dict[str, Any]]:
    """Every act that can go wrong, and those on a box for both boxes."""
    found: list[dict[str, Any]] = [{"do": act, **_SAID.get(act, {})} for act in _PLAIN]
    found += [{"do": act, "role": role} for act in ("shuffle", "deck-loaded") for role in ("dealer", "device")]
    found += [{"do": act, "box": 1, **_SAID.get(act, {})} for act in (*_BOX, *_AWARD)]
    found += [{"do": act, "box": box} for act in _CLOSING for box in (1, 2)]
    return [*found, *_WRONG]


def named(step: Mapping[str, Any]) -> str:
    """How the table of refusals names it: the act, and the part or the box where it is tried for several."""
    if "name" in step:
        return str(step["name"])
    if step["do"] in ("shuffle", "deck-loaded") or step["do"] in _CLOSING:
        return f"{step['do']} {step.get('role', step.get('box'))}"
    return str(step["do"])


def order_of(book: Book, first: Mapping[int, str], dealer: str) -> list[int]:
    """Return the deck from the top, so that each box and the dealer get their cards."""
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
        "revealed": lambda: (driver.must(c.Reveal()), driver.must(c.Reckon())),
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
    """What clauses say of each act at a stage: those that refuse it, breaches on record, or the one it is done by."""
    driver, found = opened(book, stage), {}
    for step in tries():
        act = command_from(driver.book, {key: value for key, value in step.items() if key != "name"})
        assert isinstance(act, c.Act)
        passed = gate(driver.book, driver.table, act)
        if isinstance(passed, Refusal):
            continue
        full = completed(driver.book, driver.table, act, passed)
        said = full if isinstance(full, Refusal) else check(driver.book, driver.table, full, passed.role, passed.at)
        if isinstance(said, Refusal):
            found[named(step)] = " ".join(one for one in (said.clause, *said.also) if one in book.clauses)
        elif breached := dict.fromkeys(str(one.clause) for one in said[1]):
            found[named(step)] = " ".join(("recorded:", *breached))
        elif "name" not in step and said[0] is not None and (act.do not in FAMILY or act.do in book.decide.choices):
            found[named(step)] = f"by {said[0]}"
    return {name: said for name, said in found.items() if said}


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
        act: " ".join(one if one in ("recorded:", "by") else prefix + one for one in said.split())
        for act, said in found.items()
        if said
    }


VARIANTS = {(name, tuple(one["options"].items())): None for one in READ["variant"] for name in one["book"].split()}
CASES = [(*one, stage) for one in (*((name, ()) for name in book_ids()), *VARIANTS) for stage in STAGES]


@pytest.mark.parametrize(("name", "options", "stage"), CASES, ids=str)
def test_the_clauses_that_stand_against_an_act(name: str, options: tuple[tuple[str, str], ...], stage: str) -> None:
    assert against(chosen(name, options), stage) == written(name, dict(options), stage)


#: Against a dealer without a hand: whose cards the dealer turns. Ann has a side bet and no hand for it, Bob has none.
TURNED: list[tuple[str, set[int]]] = [("section10", {1, 2}), ("exchange", set()), ("washington", {1})]


@pytest.mark.parametrize(("name", "turned"), TURNED, ids=str)
def test_hands_are_turned_against_no_hand_as_the_document_has_it(name: str, turned: set[int]) -> None:
    """CSP-10(j)(6)(i) turns all hands, WA-show-a-proghand those with a progressive bet, EUR-p11-noqualify none."""
    book = chosen(name)
    driver = Driver(book, new_table(book, awards=POSTED.get(name), reset=10**6))
    unit = 10**book.decimals
    driver.open_bets(order_of(book, {1: "Ts Td 8c 5s 2d", 2: "7s 7d 8h 4s 2h"}, "Qh Jd 9c 6s 3d"))
    for box, player in ((1, "Ann"), (2, "Bob")):
        driver.must(c.Ante(box=box, player=player, amount=10 * unit))
    driver.must(c.SideBet(box=1, player="Ann", amount=unit))
    driver.close_bets(10**7)
    driver.deal()
    for box in (1, 2):
        driver.look(box)
        driver.must(c.Bet(box=box))
    driver.finish()
    assert {one.box for one in driver.events if isinstance(one, ev.Acted) and one.act == "turn-hand"} == turned
