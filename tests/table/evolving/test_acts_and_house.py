"""What acts and events of the house change: the table before and after, whole, so that nothing else moves with it."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.award.steps import Award
from aceking.rules.words import ActName
from aceking.table import event as ev
from aceking.table.evolve import evolve
from aceking.table.state import Deck, Device
from tests.table.evolving.before import (
    ANN,
    BLUE,
    EVERY_ACT,
    ONCE,
    ONCE_UNTIL_IDLE,
    RED,
    ROUND,
    TABLE,
    acted,
    with_ann,
    with_deck,
    with_round,
)

# Acts


PHASES = ("betting", "closed", "dealing", "deciding", "revealed", "done", "void")
NEXT_TURN = {"stub-to-rack", "go-ahead", "bet", "stay", "fold", "declare", "discard", "time-out"}
#: The keys that start and end a game of the system.
KEYS = {"START GAME": True, "END GAME": False}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("before", [False, True])
def test_an_act_of_the_round_is_noted_and_some_move_it_on(phase: str, *, before: bool) -> None:
    for act in EVERY_ACT:
        acts = ROUND.acts | ({act} if before else set())
        table = with_round(phase=phase, acts=acts)
        then = phase
        if act in ("no-more-bets", "START GAME", "reveal") and phase in ("betting", "closed", "deciding"):
            then = "revealed" if act == "reveal" else "closed"
        if act in ("stub-to-rack", "go-ahead") and phase == "dealing":
            then = "deciding"
        expected = with_round(table, phase=then, acts=acts | {act})
        if act in NEXT_TURN:
            expected = with_round(expected, turn_at=120)
        if act == "stub-count":
            expected = with_round(expected, counted=True)
        if act in KEYS:
            table = replace(table, game_runs=not KEYS[act])
            expected = replace(expected, game_runs=KEYS[act])
        assert evolve(table, acted(act)) == replace(expected, clock=120), act
        # What comes with an earlier time sets no clock back.
        early = evolve(replace(table, clock=500), acted(act))
        assert early == replace(expected, clock=500), act


def test_an_act_for_a_box_is_noted_there_and_for_its_award() -> None:
    picked = Award(seat=1, hand="flush", dealer="Dee", amount=7500)
    table = with_round(awards={1: picked})
    after: dict[str, dict[str, Any]] = {
        "call-supervisor": {"step": "called"},
        "supervisor-validated": {"step": "verified", "verifier": "Dee"},
        "card-swipe": {"step": "signed", "signer": "Dee"},
        "win-page": {"printed": True},
        "pay-award": {"step": "paid", "payer": "Dee"},
    }
    for act in sorted({*EVERY_ACT} - NEXT_TURN - KEYS.keys() - {"no-more-bets", "reveal", "stub-count"}):
        expected = replace(with_ann(table, acts=ANN.acts | {act}), clock=120)
        expected = with_round(expected, acts=ROUND.acts | {act}, awards={1: replace(picked, **after.get(act, {}))})
        if act == "documentation-complete":
            expected = with_round(expected, documented=frozenset({1}))
        assert evolve(table, acted(act, box=1)) == expected, act
    # Of a box that is not there only the round knows.
    nobody = evolve(table, acted("turn-hand", box=5))
    assert nobody == replace(with_round(table, acts=ROUND.acts | {"turn-hand"}), clock=120)
    again = evolve(with_round(acts=ROUND.acts | {"turn-hand"}), acted("turn-hand", box=2))
    assert again.round is not None
    assert again.round.boxes[2].acts == {"turn-hand"}


def test_an_act_of_the_house_stands_and_one_opens_the_table() -> None:
    for act in EVERY_ACT:
        expected = replace(TABLE, clock=120, did=frozenset({act}), open=act == "table-opened")
        assert evolve(TABLE, acted(act, standing=True)) == expected
        assert evolve(replace(TABLE, open=True), acted(act, standing=True)) == replace(expected, open=True)
    bare = replace(TABLE, round=None)
    assert evolve(bare, acted("cut")) == replace(bare, clock=120)
    assert evolve(TABLE, acted("cut", deck="green")) == replace(TABLE, clock=120)
    same = with_round(acts=ROUND.acts | {"turn-hand"})
    assert evolve(same, replace(acted("turn-hand"), at=100)) is same


def test_an_act_on_a_deck_is_noted_there() -> None:
    on_table = {"spread", "turn-up", "turn-down", "wash", "stack", "cover-card-laid", "deck-loaded", "deck-held"}
    full = with_deck(acts=RED.acts | {"deck-to-shuffler"}, racked=True)
    for act in EVERY_ACT:
        acts = full.decks["red"].acts
        changes: dict[str, Any] = {"acts": (acts - {"deck-to-shuffler"} if act in on_table else acts) | {act}}
        if act == "idle-spread":
            changes = {"acts": ONCE | {"deck-to-shuffler", act}, "shuffled": None, "sealed": False}
        if act == "deck-to-shuffler":
            changes["racked"] = False
        expected = replace(with_deck("red", full, **changes), clock=120)
        assert evolve(full, acted(act, deck="red")) == expected, act


@pytest.mark.parametrize("act", ["deck-loaded", "deck-held"])
def test_the_deck_that_is_loaded_or_held_is_the_one_in_use(act: ActName) -> None:
    held = with_deck("blue", acts=frozenset({"deck-received", act}))
    # Cards of the round are out: it stays the round of its deck.
    assert evolve(TABLE, acted(act, deck="blue")) == replace(held, clock=120, deck="blue")
    fresh = with_round(sequence=(), phase="betting")
    expected = with_round(replace(held, clock=120, deck="blue"), sequence=(), phase="betting", deck="blue")
    assert evolve(fresh, acted(act, deck="blue")) == with_round(expected, sealed=False)
    sealed = with_deck("blue", fresh, sealed=True)
    assert evolve(sealed, acted(act, deck="blue")) == with_deck("blue", with_round(expected, sealed=True), sealed=True)
    for over in ("done", "void"):
        assert evolve(with_round(phase=over), acted(act, deck="blue")).round == replace(ROUND, phase=over)


# The house


def test_devices_notices_and_options() -> None:
    shown = replace(
        TABLE,
        course="close-table",
        blocked=frozenset({2}),
        notices={"no-jackpot-bets": "at the table", "awards": "on the sign"},
        notice_of=frozenset({"stub-count"}),
    )
    event = ev.DeviceSet(device="jackpot", status="fitted", version="2", model="M", side="left")
    device = Device("fitted", "2", "M", "left")
    ends = replace(shown, devices={"jackpot": device}, course=None, blocked=frozenset())
    assert evolve(shown, event) == replace(ends, notices={"awards": "on the sign"})
    broken = evolve(shown, replace(event, status="faulty"))
    assert broken == replace(shown, devices={"jackpot": replace(device, status="faulty")})
    other = evolve(broken, replace(event, device="shuffler"))
    assert other == replace(broken, devices={**broken.devices, "shuffler": device})
    more = evolve(shown, ev.NoticeShown(about=("rules",), option="second-deck", where="at the pit"))
    assert more == replace(
        shown,
        notices={**shown.notices, "rules": "at the pit"},
        notice_of=frozenset({"stub-count", "second-deck"}),
    )
    assert evolve(shown, ev.NoticeShown(about=("rules",))) == replace(shown, notices={**shown.notices, "rules": ""})
    filed = replace(TABLE, approvals=frozenset({("model", "M")}))
    assert evolve(TABLE, ev.ApprovalFiled(of="model", model="M")) == filed
    assert evolve(filed, ev.ApprovalFiled(of="maker", model="M")).approvals == {("model", "M"), ("maker", "M")}
    course = evolve(shown, ev.CourseTaken(course="block-affected-box", boxes=(1, 3)))
    assert course == replace(shown, course="block-affected-box", blocked=frozenset({1, 3}))
    still = evolve(TABLE, ev.Suspended(cause="an award"))
    assert still == replace(TABLE, suspended="an award")
    assert evolve(still, ev.Resumed()) == TABLE
    chosen = replace(shown, options={"stub-count": "a", "second-deck": "no"})
    changed = evolve(chosen, ev.OptionChanged(option="stub-count", value="b"))
    assert changed == replace(chosen, options={"stub-count": "b", "second-deck": "no"}, notice_of=frozenset())
    assert evolve(chosen, ev.OptionChanged(option="second-deck", value="b")).notice_of == {"stub-count"}
    assert evolve(TABLE, ev.Held(hand="left")) == replace(TABLE, holding_hand="left")


def test_decks_come_and_go() -> None:
    added = evolve(TABLE, ev.DeckAdded(deck="green", back="plain", at=130))
    assert added == replace(TABLE, decks={**TABLE.decks, "green": Deck("green", "plain", 130)})
    assert evolve(TABLE, ev.DeckGone(deck="red")) == replace(TABLE, decks={"blue": BLUE}, deck=None)
    assert evolve(TABLE, ev.DeckGone(deck="blue")) == replace(TABLE, decks={"red": RED})


def test_a_deck_is_shuffled_cut_and_neither() -> None:
    idle = with_deck(acts=RED.acts | {"idle-spread"}, racked=True)
    mixed = evolve(idle, ev.Shuffled(deck="red", method="automated", sealed=True))
    kept = ONCE | ONCE_UNTIL_IDLE
    assert mixed == with_deck(acts=kept | {"shuffle"}, shuffled="automated")
    assert evolve(mixed, ev.Shuffled(deck="red", method="m")) == with_deck(
        acts=kept | {"shuffle"}, shuffled="m", sealed=False
    )
    assert evolve(mixed, ev.WasCut(deck="red", count=20)) == with_deck(
        acts=kept | {"shuffle", "cut"}, shuffled="automated"
    )
    assert evolve(TABLE, ev.Uncut(deck="red")) == with_deck(acts=kept | {"shuffle"})
    again = with_deck(acts=kept, shuffled=None, sealed=False)
    assert evolve(TABLE, ev.Unshuffled(deck="red")) == again, "the order of cards that are being dealt is what it was"
    fresh, unsealed = with_round(sequence=()), with_round(again, sequence=(), sealed=False)
    assert evolve(fresh, ev.Unshuffled(deck="red")) == unsealed
    assert evolve(fresh, ev.Unshuffled(deck="blue")).round == fresh.round
    over = with_round(sequence=(), phase="done")
    assert evolve(over, ev.Unshuffled(deck="red")).round == over.round
