"""What each event changes: the table before and after, whole, so that nothing else moves with it."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.award.steps import Award
from aceking.rules.words import ActName, Remedy
from aceking.settle.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.evolve import evolve
from aceking.table.place import ASIDE, BOXED, BURN, COMMUNITY, DEALER, STUB, Pile, box_place
from aceking.table.state import Box, Deck, Device, Found, Question, Round, SideWager, Table

EVERY_ACT: tuple[ActName, ...] = get_args(ActName)
#: Done to a deck once, however often it is dealt; and what is done for each round.
ONCE: frozenset[ActName] = frozenset({"deck-received", "dealer-inspected", "floorperson-verified", "spread"})
ONCE_UNTIL_IDLE: frozenset[ActName] = frozenset(
    {"first-player-inspection", "turn-up", "turn-down", "wash", "stack"},
)
EACH_ROUND: frozenset[ActName] = frozenset(
    {"shuffle", "device-count", "cover-card-laid", "cut", "cover-card-to-rack", "deck-loaded", "deck-held"}
)
RED = Deck(
    name="red",
    back="red",
    since=1,
    acts=ONCE | ONCE_UNTIL_IDLE | EACH_ROUND,
    shuffled="manual",
    sealed=True,
    rounds_uncounted=2,
)
BLUE = Deck(name="blue", back="blue", since=2, acts=frozenset({"deck-received", "deck-to-shuffler"}), racked=True)
ANN = Box(
    number=1,
    player="Ann",
    ante=1000,
    bet=2000,
    fee=300,
    games=1,
    sides={"side": SideWager(100), "bonus": SideWager(50, lit=False)},
    cards=(1, 2, 3, 4, 5),
    acts=frozenset({"look", "call-supervisor"}),
)
BOB = Box(number=2, player="Bob", ante=500, cards=(11, 12))
ASKED = Question(4, "misdeal", "players", "C", boxes=(1, 2))
TO_ONE = Question(5, "misdeal", "players", "C", boxes=(1,))
TO_HOUSE = Question(6, "dispute", "house", "C", boxes=(1,))
WON = Line(1, "ante", 1000, "win", 1000, "W")
LOST = Line(1, "bet", 2000, "lose", 0, "L")
AWARD = Line(1, "side", 100, "win", 7500, "A", consumed=True)
PUSHED = Line(2, "ante", 500, "push", 0, "P")
SIDE_LOST = Line(1, "side", 100, "lose", 0, "S", consumed=True)
BONUS = Line(1, "side", 100, "win", 700, "B")
ROUND = Round(
    number=7,
    at=90,
    deck="red",
    sealed=True,
    phase="dealing",
    acts=frozenset({"bets-opened"}),
    boxes={1: ANN, 2: BOB},
    sequence=(20, 1, 2, 3, 4, 5, 11, 12, 31),
    placed=8,
    dealer=(31,),
    burn=(20,),
    meter=9000,
    turn_at=3,
)
TABLE = Table(
    id="t",
    book="section10",
    digest="d",
    mode="live",
    decks={"red": RED, "blue": BLUE},
    deck="red",
    last_deck="blue",
    rounds=6,
    rounds_uncounted=3,
    clock=100,
    round=ROUND,
    accounts={"Ann": -3450, "Bob": -500, "layout": 3950},
)


def with_round(table: Table = TABLE, **changes: Any) -> Table:
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def with_ann(table: Table = TABLE, **changes: Any) -> Table:
    assert table.round is not None
    boxes = table.round.boxes
    return with_round(table, boxes={**boxes, 1: replace(boxes[1], **changes)})


def with_deck(name: str = "red", table: Table = TABLE, **changes: Any) -> Table:
    return replace(table, decks={**table.decks, name: replace(table.decks[name], **changes)})


def paid(table: Table, source: str, target: str, amount: int) -> Table:
    accounts = dict(table.accounts)
    accounts[source] = accounts.get(source, 0) - amount
    accounts[target] = accounts.get(target, 0) + amount
    return replace(table, accounts=accounts)


def acted(act: ActName, **more: Any) -> ev.Acted:
    return ev.Acted(act=act, by="Dee", role="dealer", at=120, **more)


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


# Stakes


def test_a_round_opens_fresh() -> None:
    event = ev.RoundOpened(number=8, at=130, deck="red", book="b", digest="x", options={"o": "v"})
    fresh = Round(
        number=8,
        at=130,
        deck="red",
        sealed=True,
        book="b",
        digest="x",
        options={"o": "v"},
        acts=frozenset({"bets-opened", "round-opened"}),
    )
    assert evolve(TABLE, event) == replace(TABLE, round=fresh, clock=130)
    assert evolve(replace(TABLE, clock=150), event).clock == 150
    for table in (with_deck(sealed=False), replace(TABLE, deck=None), replace(TABLE, deck="blue")):
        assert evolve(table, event) == replace(table, round=replace(fresh, sealed=False), clock=130)


def staked(wager: str, amount: int, **more: Any) -> ev.Staked:
    return ev.Staked(box=1, player="Ann", wager=wager, amount=amount, **more)


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (staked("ante", 200), {"ante": 1200}),
        (staked("ante", -200), {"ante": 800}),
        (staked("bet", 200), {"bet": 2200}),
        (staked("exchange", 200), {"fee": 500}),
        (staked("ante", 200, games=3), {"ante": 1200, "games": 3}),
        (staked("side", 100), {"sides": {**ANN.sides, "side": SideWager(200)}}),
        (
            staked("new", 70, lit=False, coupon=True),
            {"sides": {**ANN.sides, "new": SideWager(70, lit=False, coupon=True)}},
        ),
    ],
)
def test_chips_go_down_on_their_wager(event: ev.Staked, changes: dict[str, Any]) -> None:
    assert evolve(TABLE, event) == paid(with_ann(**changes), "Ann", "layout", event.amount)


def test_who_takes_all_chips_back_leaves_the_box_to_the_next() -> None:
    event = ev.Staked(box=1, player="Cyd", wager="ante", amount=400)
    fresh = {1: Box(number=1, player="Cyd", ante=400), 2: BOB}
    for left in (with_ann(ante=0, sides={}), with_round(boxes={2: BOB})):
        assert evolve(left, event) == paid(with_round(left, boxes=fresh), "Cyd", "layout", 400)
    for held in (replace(ANN, sides={}), replace(ANN, ante=0)):
        after = evolve(with_round(boxes={1: held, 2: BOB}), event)
        assert after.round is not None
        assert after.round.boxes[1] == replace(held, ante=held.ante + 400)


@pytest.mark.parametrize(
    ("wager", "amount", "changes"),
    [
        ("ante", 200, {"ante": 800}),
        ("bet", 2000, {"bet": 0}),
        ("exchange", 100, {"fee": 200}),
        ("side", 30, {"sides": {"bonus": SideWager(50, lit=False), "side": SideWager(70)}}),
        ("side", 100, {"sides": {"bonus": SideWager(50, lit=False)}}),
        ("side", 99, {"sides": {"bonus": SideWager(50, lit=False), "side": SideWager(1)}}),
    ],
)
def test_chips_go_back_from_their_wager(wager: str, amount: int, changes: dict[str, Any]) -> None:
    after = evolve(TABLE, ev.Returned(box=1, wager=wager, amount=amount))
    assert after == paid(with_ann(**changes), "layout", "Ann", amount)


def test_a_side_wager_that_was_counted_comes_back_from_the_tray() -> None:
    counted = evolve(TABLE, ev.Trayed(meter=9500))
    sides = {"side": SideWager(100, trayed=True), "bonus": SideWager(50, lit=False)}
    assert counted == paid(with_round(with_ann(sides=sides), meter=9500), "layout", "tray", 100)
    assert evolve(counted, ev.Trayed()) == counted, "once"
    back = evolve(counted, ev.Returned(box=1, wager="side", amount=100))
    assert back == paid(with_ann(counted, sides={"bonus": sides["bonus"]}), "tray", "Ann", 100)
    lost = with_ann(forfeited=True)
    assert evolve(lost, ev.Trayed()) == lost
    empty = with_ann(sides={"side": SideWager(0)})
    assert evolve(empty, ev.Trayed(meter=0)) == with_round(empty, meter=0)
    two = with_ann(sides={"side": SideWager(100), "bonus": SideWager(30)})
    assert evolve(two, ev.Trayed()) == paid(
        with_ann(sides={"side": SideWager(100, trayed=True), "bonus": SideWager(30, trayed=True)}),
        "layout",
        "tray",
        130,
    )
    named = with_ann(sides={"lucky": SideWager(100)})
    assert evolve(named, ev.Trayed()) == named, "a side wager by name stays on the layout"


def test_the_price_of_an_exchange_is_kept_and_a_box_is_out_or_forfeits() -> None:
    assert evolve(TABLE, ev.Kept(box=1, amount=300)) == paid(with_ann(fee=0), "layout", "tray", 300)
    asked = replace(TABLE, questions=(ASKED, TO_ONE, TO_HOUSE))
    unasked = replace(TABLE, questions=(replace(ASKED, boxes=(2,)), TO_HOUSE))
    assert evolve(asked, ev.HandVoided(box=1)) == with_round(with_ann(unasked, void=True), strayed=True)
    assert evolve(TABLE, ev.HandVoided(box=1)) == with_round(with_ann(void=True), strayed=True)
    assert evolve(asked, ev.Forfeited(box=1)) == paid(with_ann(unasked, forfeited=True), "layout", "tray", 3450)
    # What has moved, or lies in the tray, is not taken a second time.
    moved = with_round(lines=(LOST, AWARD, PUSHED), moved=frozenset({0, 2}))
    assert evolve(moved, ev.Forfeited(box=1)) == paid(with_ann(moved, forfeited=True), "layout", "tray", 1450)
    tray = with_ann(with_round(moved, moved=frozenset({0, 1})), sides={"side": SideWager(100, trayed=True)})
    assert evolve(tray, ev.Forfeited(box=1)) == paid(with_ann(tray, forfeited=True), "layout", "tray", 1300)


# Cards


@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize("stray", [False, True])
@pytest.mark.parametrize("phase", ["closed", "dealing", "deciding"])
def test_a_card_that_leaves_the_deck_lies_in_its_place(phase: str, *, stray: bool, up: bool) -> None:
    cyd = Box(number=3, player="", cards=(40,))
    for place, changes in (
        (DEALER, {"dealer": (31, 40), "placed": 9, "up": 40 if up else None}),
        (COMMUNITY, {"community": (40,), "placed": 9}),
        (BURN, {"burn": (20, 40)}),
        (BOXED, {"boxed": (40,)}),
        (box_place(2), {"boxes": {1: ANN, 2: replace(BOB, cards=(11, 12, 40))}, "placed": 9}),
        (box_place(3), {"boxes": {1: ANN, 2: BOB, 3: cyd}}),
    ):
        table = with_round(phase=phase)
        after = evolve(table, ev.Dealt(card=40, to=place, face="up" if up else "down", stray=stray))
        then = "deciding" if phase == "deciding" else "dealing"
        more: dict[str, Any] = {"phase": then, "sequence": (*ROUND.sequence, 40), "strayed": stray, **changes}
        assert after == with_round(table, **more), place
    again = with_round(boxed=(7,), community=(8,))
    for place, field in ((BOXED, "boxed"), (COMMUNITY, "community")):
        dealt = evolve(again, ev.Dealt(card=40, to=place)).round
        assert dealt is not None
        assert getattr(dealt, field)[1:] == (40,)


def test_a_card_to_a_void_box_fills_its_place_of_the_deal() -> None:
    for box, placed in (({"ante": 0, "void": True}, 9), ({"ante": 0}, 8), ({"void": True}, 9)):
        after = evolve(with_ann(**box), ev.Dealt(card=40, to=box_place(1))).round
        assert after is not None
        assert after.placed == placed


def test_cards_are_laid_elsewhere() -> None:
    up = evolve(TABLE, ev.UpCard(card=31))
    assert up == with_round(up=31)
    event = ev.Rearranged(hands=((box_place(1), (1, 2)), (box_place(3), (3, 41)), (BOXED, (4, 5))))
    boxes = {1: replace(ANN, cards=(1, 2)), 2: BOB, 3: Box(number=3, player="", cards=(3, 41))}
    assert evolve(TABLE, event) == with_round(
        boxes=boxes, boxed=(4, 5), placed=7, sequence=(*ROUND.sequence, 41), strayed=True
    )
    dealt = evolve(with_round(community=(50,)), ev.Rearranged(hands=((DEALER, (31, 42, 43)),)))
    assert dealt == with_round(
        community=(50,), dealer=(31, 42, 43), placed=11, sequence=(*ROUND.sequence, 42, 43), strayed=True
    )
    shared = evolve(TABLE, ev.Rearranged(hands=((COMMUNITY, (50, 51)),)))
    assert shared == with_round(community=(50, 51), placed=10, sequence=(*ROUND.sequence, 50, 51), strayed=True)


def test_players_are_told_look_exchange_lay_aside_decide_claim_and_leave() -> None:
    assert evolve(TABLE, ev.Told(player="Ann")) == with_round(told=frozenset({"Ann"}))
    assert evolve(with_round(told=frozenset({"Bob"})), ev.Told(player="Ann")) == with_round(
        told=frozenset({"Ann", "Bob"})
    )
    assert evolve(TABLE, ev.Looked(box=1, at=130)) == with_ann(seen=True)
    swapped = with_round(with_ann(cards=(1, 2, 44, 4, 5), give=3, take=44), sequence=(*ROUND.sequence, 44))
    assert evolve(TABLE, ev.Swapped(box=1, give=3, take=44)) == swapped
    assert evolve(TABLE, ev.Discarded(box=1, card=3)) == with_ann(discard=3)
    assert evolve(TABLE, ev.Claimed(box=1)) == with_ann(claimed=True)
    asked = replace(TABLE, questions=(ASKED, TO_ONE, TO_HOUSE))
    unasked = replace(TABLE, questions=(replace(ASKED, boxes=(2,)), TO_HOUSE))
    assert evolve(asked, ev.Left(box=1)) == with_ann(unasked, left=True)
    # Where nobody called the go-ahead, the first decision of a player is one; what counts as a decision is none.
    assert evolve(asked, ev.Decided(box=1, choice="bet")) == with_round(
        with_ann(unasked, choice="bet", unseen=True), phase="deciding"
    )
    assert evolve(asked, ev.Decided(box=1, choice="stay")) == with_round(
        with_ann(unasked, choice="stay"), phase="deciding"
    )
    looked = with_ann(asked, seen=True)
    assert evolve(looked, ev.Decided(box=1, choice="bet")) == with_round(
        with_ann(unasked, choice="bet", seen=True), phase="deciding"
    )
    assert evolve(asked, ev.Decided(box=1, choice="fold", deemed=True)) == with_ann(unasked, choice="fold")
    late = with_round(phase="betting")
    assert evolve(late, ev.Decided(box=1, choice="bet")) == with_ann(late, choice="bet", unseen=True)
    three = replace(ASKED, boxes=(1, 2, 3))
    after = evolve(replace(TABLE, questions=(three,)), ev.Left(box=2))
    assert after.questions == (replace(three, boxes=(1, 3)),)


# Lines


def test_what_is_reckoned_stands_beside_or_instead_of_what_was() -> None:
    before = with_round(lines=(WON,), from_meter={2: 10}, moved=frozenset({0}))
    more = evolve(before, ev.Settled(lines=(LOST, AWARD), from_meter={1: 7000}))
    assert more == with_round(before, lines=(WON, LOST, AWARD), from_meter={1: 7000, 2: 10})
    assert evolve(with_round(before, phase="revealed"), ev.Settled(lines=())) == with_round(
        before, phase="revealed", settled=True
    )
    same = Award(seat=1, hand="flush", dealer="Dee", amount=7500, step="verified", verifier="Sue")
    gone = Award(seat=2, hand="flush", dealer="Dee", amount=5000)
    event = ev.Settled(
        lines=(LOST, AWARD, replace(PUSHED, outcome="win")), from_meter={1: 7000}, again=True, moved=(1,)
    )
    expected = with_round(before, lines=event.lines, from_meter={1: 7000}, moved=frozenset({1}), awards={1: same})
    assert evolve(with_round(before, awards={1: same, 2: gone}), event) == expected
    # What was confirmed for another amount is to be done again.
    other = evolve(with_round(before, awards={1: replace(same, amount=100)}), event).round
    assert other is not None
    assert other.awards == {1: Award(seat=1, hand="flush", dealer="Dee", amount=7500)}
    lost = evolve(with_round(before, awards={1: same}), replace(event, lines=(SIDE_LOST, BONUS))).round
    assert lost is not None
    assert lost.awards == {}


IN_TRAY = {"sides": {"side": SideWager(100, trayed=True)}}
MOVES: list[tuple[Line, dict[str, Any], dict[str, int]]] = [
    (WON, {}, {"tray": -1000, "layout": -1000, "Ann": 2000}),
    (LOST, {}, {"layout": -2000, "tray": 2000}),
    (PUSHED, {}, {"layout": -500, "Bob": 500}),
    (AWARD, {}, {"meter": -7000, "tray": -400, "layout": -100, "Ann": 7500}),
    (AWARD, IN_TRAY, {"meter": -7000, "tray": -500, "Ann": 7500}),
    (SIDE_LOST, {}, {"layout": -100, "tray": 100}),
    (SIDE_LOST, IN_TRAY, {}),
    (BONUS, {}, {"tray": -700, "layout": -100, "Ann": 800}),
    (BONUS, IN_TRAY, {"tray": -800, "Ann": 800}),
    (replace(WON, outcome="returned", pays=0), {}, {"layout": -1000, "Ann": 1000}),
    (replace(LOST, outcome="void"), IN_TRAY, {"layout": -2000, "Ann": 2000}),
]


@pytest.mark.parametrize(("line", "box", "moves"), MOVES)
def test_the_chips_of_a_line_go_their_way_and_back(line: Line, box: dict[str, Any], moves: dict[str, int]) -> None:
    table = with_ann(with_round(lines=(PUSHED, line), from_meter={1: 7000}, moved=frozenset({0})), **box)
    after = evolve(table, ev.Moved(line=1))
    gained = {name: after.accounts.get(name, 0) - table.accounts.get(name, 0) for name in after.accounts}
    assert {name: amount for name, amount in gained.items() if amount} == moves
    assert replace(after, accounts=table.accounts) == with_round(table, moved=frozenset({0, 1}))
    back = evolve(after, ev.Unmoved(line=1))
    assert {name: amount for name, amount in back.accounts.items() if amount} == TABLE.accounts
    assert replace(back, accounts=table.accounts) == table


def test_an_award_is_picked_taken_back_and_lost() -> None:
    picked = Award(seat=1, hand="flush", dealer="Dee", amount=7500)
    other = Award(seat=2, hand="flush", dealer="Dee", amount=5000)
    event = ev.Selected(box=1, hand="flush", by="Dee", amount=7500)
    assert evolve(with_round(awards={2: other}), event) == with_round(awards={1: picked, 2: other})
    done: frozenset[ActName] = frozenset(
        {"call-supervisor", "supervisor-validated", "card-swipe", "win-page", "pay-award", "documentation-complete"}
    )
    far = with_ann(with_round(awards={1: picked, 2: other}, documented=frozenset({1, 2})), acts=done | {"turn-hand"})
    back = evolve(far, replace(event, hand=None))
    assert back == with_ann(with_round(awards={2: other}, documented=frozenset({2})), acts=frozenset({"turn-hand"}))
    lost = evolve(TABLE, ev.AwardLost(box=1))
    assert lost == with_ann(unawarded=True)
    assert evolve(lost, ev.AwardLost(box=1, back=True)) == TABLE


def test_cards_go_to_the_rack_and_out_of_it() -> None:
    hand = evolve(TABLE, ev.Racked(what=Pile("hand", 1), cards=ANN.cards))
    racked = with_deck(table=with_round(with_ann(racked=True), rack=((Pile("hand", 1), ANN.cards),)), racked=True)
    assert hand == racked
    stub = evolve(hand, ev.Racked(what=STUB, count=40, exposed=True))
    assert stub == with_round(racked, rack=((Pile("hand", 1), ANN.cards), (STUB, ())), stub_exposed=True)
    assert evolve(stub, ev.Racked(what=Pile("burn"), cards=(20,))).round == replace(
        stub.round,  # type: ignore[type-var]
        rack=(*stub.round.rack, (Pile("burn"), (20,))),  # type: ignore[union-attr]
    )
    back = evolve(stub, ev.Racked(what=Pile("hand", 1), cards=ANN.cards, back=True))
    assert back == with_round(with_ann(stub, racked=False), rack=((STUB, ()),))
    without = with_round(deck=None)
    assert evolve(without, ev.Racked(what=Pile("burn"), cards=(20,))) == with_round(
        without, rack=((Pile("burn"), (20,)),)
    )


def test_a_round_is_void_or_ends() -> None:
    held = replace(TABLE, questions=(ASKED,), suspended="an award")
    assert evolve(held, ev.RoundVoided()) == with_round(phase="void")
    kept = ONCE | ONCE_UNTIL_IDLE
    ended = with_deck(acts=kept, shuffled=None, sealed=False, rounds_uncounted=3)
    ended = replace(ended, rounds=7, last_deck="red", rounds_uncounted=4, clock=130)
    asked = replace(TABLE, questions=(ASKED,))
    assert evolve(asked, ev.RoundEnded(at=130)) == with_round(ended, phase="done")
    assert evolve(replace(asked, clock=200), ev.RoundEnded(at=130)).clock == 200
    void = with_round(phase="void")
    assert evolve(void, ev.RoundEnded(at=130)) == with_round(ended, phase="void")
    counted = with_deck("red", ended, rounds_uncounted=0)
    assert evolve(TABLE, ev.RoundEnded(at=130, counted=True)) == with_round(
        replace(counted, rounds_uncounted=0), phase="done"
    )
    for none in (replace(TABLE, deck=None), replace(TABLE, deck="green")):
        after = evolve(none, ev.RoundEnded(at=130))
        assert after == with_round(replace(ended, decks=TABLE.decks, deck=none.deck), phase="done")


# Mishaps


def test_breaches_rulings_and_questions_are_on_the_record() -> None:
    broken = evolve(TABLE, ev.Violated(what="w", by="Dee", at=130))
    assert broken == replace(TABLE, violations=1)
    assert evolve(broken, ev.Violated(what="w", by="Dee", at=130)).violations == 2
    ruled = ev.Ruled(mishap="misdeal", given=("one",), then="void-round", boxes=(1,), cards=(3,), clause="C")
    found = Found("misdeal", (1,), (3,), "C")
    assert evolve(TABLE, ruled) == with_round(found=(found,))
    assert evolve(with_round(found=(found,)), ruled) == with_round(found=(found, found))
    bare = replace(TABLE, round=None)
    assert evolve(bare, ruled) == bare
    asked = ev.Asked(
        question=4,
        mishap="misdeal",
        of="house",
        boxes=(1,),
        cards=(3,),
        unregulated=True,
        given=("one",),
        clause="C",
        what="what",
        record="record",
    )
    question = Question(4, "misdeal", "house", "C", (1,), (3,), unregulated=True, given=("one",), what="what")
    first = replace(TABLE, questions=(TO_HOUSE,))
    assert evolve(first, asked) == replace(TABLE, questions=(TO_HOUSE, replace(question, record="record")), asked=4)


LIMITS = ("uncovered", "over-maximum", "under-minimum", "bet-over", "bet-under")
LET_STAND: tuple[Remedy, ...] = ("stands", "settle", "settle-as-staked", "continue")


def test_an_answer_closes_its_question_and_lets_stand_what_it_lets_stand() -> None:
    both = replace(TABLE, questions=(ASKED, TO_HOUSE))
    for mishap in (*LIMITS, "misdeal", "dispute"):
        question = replace(TO_HOUSE, mishap=mishap)
        for then in (*LET_STAND, "void-hand", "return-stake"):
            after = evolve(replace(TABLE, questions=(ASKED, question)), ev.Answered(question=6, then=then, by="Sue"))
            waived = mishap in LIMITS and then in LET_STAND
            expected = with_round(replace(TABLE, questions=(ASKED,)), waived=waived, turn_at=TABLE.clock)
            assert after == expected, (mishap, then)
    waited = with_round(turn_at=TABLE.clock)
    on = evolve(both, ev.Answered(question=4, then="continue", by="Ann", box=1, closes=False))
    one_left = replace(waited, questions=(replace(ASKED, boxes=(2,)), TO_HOUSE))
    assert on == with_round(one_left, went_on=frozenset({1}))
    last = evolve(on, ev.Answered(question=4, then="continue", by="Bob", box=2))
    assert last == with_round(replace(waited, questions=(TO_HOUSE,)), went_on=frozenset({1, 2}))
    out = evolve(both, ev.Answered(question=4, then="void-hand", by="Ann", box=1, closes=False))
    assert out == one_left
    # Nobody's time runs while play waits for an answer; a claim against the record stops nothing.
    claim = replace(TABLE, questions=(replace(TO_HOUSE, record="five cards"),))
    assert evolve(claim, ev.Answered(question=6, then="record-stands", by="Sue")) == TABLE
    late = with_round(replace(TABLE, questions=(TO_HOUSE,)), turn_at=TABLE.clock + 1)
    later = with_round(turn_at=TABLE.clock + 1)
    assert evolve(late, ev.Answered(question=6, then="return-stake", by="Sue")) == later
    # An answer to a question that is not open changes nothing.
    assert evolve(both, ev.Answered(question=9, then="continue", by="Sue")) == both
    bare = replace(TABLE, round=None, questions=(replace(TO_HOUSE, mishap="uncovered"),))
    assert evolve(bare, ev.Answered(question=6, then="continue", by="Sue")) == replace(bare, questions=())


def corrected(now: c.Correction) -> ev.Corrected:
    return ev.Corrected(now=now, by="Sue", reason="seen")


def test_a_record_that_is_corrected_says_what_was() -> None:
    was = with_round(aside=(45, 46), sequence=(*ROUND.sequence, 45, 46))
    after = evolve(was, corrected(c.HandWas(place=box_place(1), cards=(1, 2, 3, 4, 46))))
    expected = with_round(with_ann(was, cards=(1, 2, 3, 4, 46)), aside=(45, 5), strayed=True)
    assert after == expected
    dealer = evolve(TABLE, corrected(c.HandWas(place=DEALER, cards=(47,))))
    assert dealer == with_round(dealer=(47,), aside=(31,), sequence=(*ROUND.sequence, 47), strayed=True)
    for card, left in ((5, None), (1, 1)):
        laid = evolve(with_ann(discard=card), corrected(c.HandWas(place=box_place(1), cards=(1, 2, 3, 4))))
        assert laid == with_round(with_ann(discard=left, cards=(1, 2, 3, 4)), aside=(5,), placed=7, strayed=True)
    assert evolve(TABLE, corrected(c.LookWas(box=1, seen=True))) == with_ann(seen=True)
    assert evolve(with_ann(seen=True), corrected(c.LookWas(box=1, seen=False))) == TABLE
    dark = {"side": SideWager(100, lit=False), "bonus": SideWager(50, lit=False)}
    assert evolve(TABLE, corrected(c.LightWas(box=1, lit=False))) == with_ann(sides=dark)
    light = {"side": SideWager(100), "bonus": SideWager(50)}
    assert evolve(TABLE, corrected(c.LightWas(box=1, lit=True))) == with_ann(sides=light)


def test_cards_that_are_corrected_in_the_rack_lie_there_as_they_were_found() -> None:
    rack = ((Pile("burn"), (20,)), (Pile("hand", 1), ANN.cards), (Pile("aside"), (45,)))
    table = with_round(rack=rack, aside=(45,), sequence=(*ROUND.sequence, 45))
    after = evolve(table, corrected(c.HandWas(place=box_place(1), cards=(1, 2, 3, 4)))).round
    assert after is not None
    assert after.rack == ((Pile("burn"), (20,)), (Pile("hand", 1), (1, 2, 3, 4)), (Pile("aside"), (45, 5)))
    found = evolve(table, corrected(c.HandWas(place=box_place(1), cards=(*ANN.cards, 45)))).round
    assert found is not None
    assert found.rack == ((Pile("burn"), (20,)), (Pile("hand", 1), (*ANN.cards, 45)))
    elsewhere = evolve(table, corrected(c.HandWas(place=box_place(2), cards=(11,)))).round
    assert elsewhere is not None
    assert elsewhere.rack == rack
    assert elsewhere.held(ASIDE) == (45, 12)
