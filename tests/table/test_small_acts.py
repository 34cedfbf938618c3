"""Acts that move little: what is compared, counted, touched, locked and said, each on both sides of its line."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.card import CardId, card, cards, name
from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.place import Pile
from aceking.table.dealer.driver import Driver
from aceking.table.dealer.next_act import is_turned
from aceking.table.decide import decide
from aceking.table.moment import Moment
from aceking.table.money.award_lines import award_line
from aceking.table.phases import awards, closing, deciding
from aceking.table.procedure.conditions import CONDITIONS
from aceking.table.procedure.conditions.closing import waits_for_award
from aceking.table.show.view import Viewer, view
from aceking.table.state import Box, SideWager
from tests.table.handled import asked, at_table, award_of, boxed, events, in_round, no, now
from tests.table.test_driver import round_of
from tests.table.test_out_of_time import at

STUD, EXCHANGE, WASHINGTON = load_book("section10"), load_book("exchange"), load_book("washington")
COLORADO = load_book("colorado-required")


def test_the_amount_of_a_linked_award_is_the_meters() -> None:
    driver = award_of(STUD, c.SelectWinner)
    number, line = award_line(round_of(driver), 2) or (0, None)
    assert line is not None
    for amount, off in ((900, 0), (900, 900), (900, 500), (0, 0)):
        act = c.LockAward(box=2, amount=amount, from_meter=off)
        locked = ev.AwardLocked(box=2, amount=amount, from_meter=off, clause=line.clause)
        assert awards.lock(now(driver, "X"), act) == [locked]
    right = c.LockAward(box=2, amount=900, from_meter=900)
    for off in (901, -1):
        act = replace(right, from_meter=off)
        no(awards.lock(now(driver), act), "BASE-input", "no more comes off the meter than the award is")
    no(awards.lock(now(driver), replace(right, box=3)), "BASE-award", "box 3 has no award")
    paid = in_round(driver, moved=frozenset({number}))
    no(awards.lock(paid, right), "BASE-award", "the award of box 2 is paid")
    no(awards.lock(at_table(driver, round=None), right), "BASE-time", "there is no round")


def test_a_hand_that_is_compared_is_there() -> None:
    driver = at(STUD, "dealt")
    assert closing.compare(now(driver), c.Compare()) == []
    assert closing.compare(now(driver), c.Compare(box=1)) == []
    no(closing.compare(now(driver), c.Compare(box=7)), "BASE-box", "box 7 has no cards")
    no(closing.compare(boxed(driver, 1, cards=()), c.Compare(box=1)), "BASE-box", "box 1 has no cards")
    no(closing.compare(now(at(STUD, "done")), c.Compare()), "BASE-time", "there is no round")


def test_no_hand_is_announced_in_a_round() -> None:
    assert closing.announce_no_hand(now(at(STUD, "dealt")), c.AnnounceNoHand()) == []
    no(closing.announce_no_hand(now(at(STUD, "done")), c.AnnounceNoHand()), "BASE-time", "there is no round")


def test_hands_are_rebuilt_where_cards_lie_in_the_rack() -> None:
    driver = at(STUD, "dealt")
    assert closing.reconstruct(in_round(driver, rack=((Pile("stub"), (1,)),)), c.Reconstruct()) == []
    assert closing.reconstruct(now(at(STUD, "done")), c.Reconstruct()) == []
    for moment in (in_round(driver, rack=()), at_table(driver, round=None)):
        no(closing.reconstruct(moment, c.Reconstruct()), "BASE-time", "nothing lies in the rack")


def test_only_folded_cards_on_the_layout_are_counted() -> None:
    driver = at(STUD, "dealt")
    count = c.CountFold(box=1, count=5)
    assert closing.count_fold(boxed(driver, 1, choice="fold"), count) == []
    for moment in (
        boxed(driver, 1, choice="bet"),
        boxed(driver, 1, choice="fold", racked=True),
        at_table(driver, round=None),
    ):
        no(closing.count_fold(moment, count), "BASE-box", "box 1 has no folded cards")
    no(closing.count_fold(now(driver), c.CountFold(box=7, count=5)), "BASE-box", "box 7 has no folded cards")


def test_the_key_ends_a_game_that_was_voided() -> None:
    driver = at(WASHINGTON, "dealt")
    end, key = c.EndRound(), c.EndGame()
    runs = replace(driver.table, game_runs=True)
    current = round_of(driver)
    void = replace(now(driver), table=replace(runs, round=replace(current, phase="void")))
    assert closing.end_round(void, key) == []
    no(closing.end_round(void, end), "BASE-time", "there is no round to end")
    stopped = replace(void, table=replace(void.table, game_runs=False))
    no(closing.end_round(stopped, key), "BASE-time", "there is no round to end")
    # The next bets are being placed, and the game before still runs.
    unstarted = replace(current, acts=current.acts - {"START GAME"})
    assert closing.end_round(replace(void, table=replace(runs, round=unstarted)), key) == []
    started = replace(current, acts=current.acts | {"START GAME"})
    own = closing.end_round(replace(void, table=replace(runs, round=started)), key)
    assert isinstance(own, Refusal)
    assert own.reason == "the round is not settled"


def exchanged() -> Driver:
    driver = asked(EXCHANGE)
    driver.must(c.Exchange(box=1, give=(DECK[0],)))
    return driver


def test_a_player_who_takes_up_a_given_card_is_ruled_on() -> None:
    driver = exchanged()
    touch = c.TouchCards(box=1, card=DECK[0])
    ruled = [one for one in events(deciding.touch(now(driver), touch)) if isinstance(one, ev.Ruled | ev.Asked)]
    assert [(one.mishap, one.boxes) for one in ruled] == [("discard-picked-up", (1,))]
    assert deciding.touch(now(driver), replace(touch, card=DECK[1])) == [], "a card of the player's own hand"
    assert deciding.touch(now(driver), replace(touch, card=None)) == []
    assert deciding.touch(now(driver), replace(touch, box=None)) == []
    assert deciding.touch(now(driver), replace(touch, box=2)) == [], "who has not exchanged"
    assert deciding.touch(now(driver), replace(touch, box=7)) == []
    for gone in ({"void": True}, {"choice": "fold"}, {"give": None}):
        assert deciding.touch(boxed(driver, 1, **gone), touch) == []
    assert deciding.touch(at_table(driver, round=None), touch) == []
    # Once the player's chips have moved, a touch undoes nothing; other players' chips, and early ones, do not count.
    line = Line(1, "ante", 1000, "lose", 0, "L")
    for lines, moved, undone in (
        ((line,), {0}, True),
        ((line,), set(), False),
        ((replace(line, seat=2),), {0}, False),
        ((replace(line, early=True),), {0}, False),
    ):
        done = deciding.touch(in_round(driver, lines=lines, moved=frozenset(moved)), touch)
        assert (done == []) is undone, (lines, moved)


def test_no_book_without_a_rule_for_it_minds_what_is_touched() -> None:
    driver = asked(STUD)
    assert deciding.touch(boxed(driver, 1, give=DECK[0]), c.TouchCards(box=1, card=DECK[0])) == []


def test_talk_is_ruled_on_when_it_happens_where_the_book_has_a_rule() -> None:
    driver = asked(STUD)
    done = events(deciding.talk(now(driver), c.Talk(box=1)))
    assert next((one.mishap, one.boxes) for one in done if isinstance(one, ev.Ruled | ev.Asked)) == ("talking", (1,))
    assert deciding.talk(now(driver), c.Talk()) == []
    assert deciding.talk(at_table(driver, round=None), c.Talk(box=1)) == []
    silent = [book for book in (EXCHANGE, WASHINGTON, COLORADO) if not book.rules_on("talking")]
    assert silent
    for book in silent:
        assert deciding.talk(now(asked(book)), c.Talk(box=1)) == []


def test_a_player_who_has_laid_a_card_aside_may_say_stay() -> None:
    book = load_book("colorado-permissible")
    driver = asked(book)
    stays = replace(round_of(driver).boxes[1], choice="stay", discard=round_of(driver).boxes[1].cards[0])

    def says(phase: str = "deciding", **more: Any) -> object:
        box = replace(stays, **more)
        boxes = {**round_of(driver).boxes, 1: box}
        return deciding.decide_box(in_round(driver, phase=phase, boxes=boxes), c.Stay(box=1))

    assert says(acts=frozenset({"discard"})) == []
    again = Refusal("box 1 has decided", book.cite("decide.choices"))
    assert says() == again
    assert says(acts=frozenset({"discard", "stay"})) == again
    assert says(phase="revealed", acts=frozenset({"discard"})) == again
    bet = says(acts=frozenset({"discard"}), choice="bet")
    assert bet == again


@pytest.mark.parametrize("full", [True, False])
def test_the_meter_is_set_back_after_a_full_award_that_is_signed(*, full: bool) -> None:
    driver = award_of(WASHINGTON, c.SwipeCard)
    driver.must(c.SwipeCard(box=2, card="executive", by="Eve"))
    holds, act = CONDITIONS["full-award"], c.Reseed()
    no_reset = "the meter is set back after a full award only"
    table = driver.table
    if not full:
        # The same way for a hand that wins a part of the meter.
        current = round_of(driver)
        boxes = {**current.boxes, 2: replace(current.boxes[2], cards=straight_flush(current.boxes[2].cards))}
        table = replace(table, round=replace(current, boxes=boxes))
    assert holds(WASHINGTON, table, act) == (None if full else no_reset)
    assert holds(WASHINGTON, table, replace(act, box=3)) == no_reset
    assert table.round is not None
    unsigned = {2: replace(table.round.awards[2], step="verified", signer="")}
    assert holds(WASHINGTON, replace(table, round=replace(table.round, awards=unsigned)), act) == no_reset
    assert holds(WASHINGTON, replace(table, round=replace(table.round, from_meter={})), act) == no_reset
    assert holds(WASHINGTON, replace(table, round=None), act) == no_reset


def straight_flush(royal: tuple[int, ...]) -> tuple[int, ...]:
    """The hand with a nine in place of its ace."""
    names = [name(CardId(one)) for one in royal]
    suit = names[0][1]
    return tuple(card(f"9{suit}") if one[0] == "A" else card(one) for one in names)


def test_only_a_declared_hand_without_a_discard_lies_open_before_the_reveal() -> None:
    driver = asked(COLORADO)
    own = round_of(driver).boxes[1].cards

    def open_cards(**what: Any) -> tuple[str | None, ...]:
        moment: Moment = boxed(driver, 1, **what)
        shown = view(COLORADO, moment.table, Viewer("rail"))
        return next(one.cards for one in shown.common.boxes if one.box == 1)

    assert None not in open_cards(choice="declare")
    for hidden in (
        {"choice": "bet"},
        {"choice": "fold"},
        {"choice": "declare", "discard": own[0]},
        {"acts": frozenset({"turn-hand"})},
    ):
        assert set(open_cards(**hidden)) == {None}, hidden


def test_the_weakest_hand_that_plays_is_shown_as_one_that_plays() -> None:
    driver = at(STUD, "dealt")
    for held, plays in (("As Kd 4c 3s 2h", True), ("As Qd Jc 9s 8h", False)):
        acts = round_of(driver).acts | {"reveal"}
        moment = in_round(driver, dealer=cards(held), acts=acts)
        assert view(STUD, moment.table, Viewer("rail")).common.dealer_qualifies is plays


@pytest.mark.parametrize(
    ("folded", "choice", "lit", "waits"),
    [
        ("payable", "fold", True, True),
        ("payable", "fold", False, False),
        ("payable", "bet", True, False),
        ("forfeit", "fold", True, False),
    ],
)
def test_a_folded_hand_waits_for_its_award_where_the_house_pays_it(
    folded: str, choice: str, *, lit: bool, waits: bool
) -> None:
    assert STUD.progressive is not None
    rules = dataclasses.replace(STUD.progressive, folded=folded)  # type: ignore[arg-type]
    book = dataclasses.replace(STUD, progressive=rules)
    sides = {"progressive": SideWager(100, lit=lit)}
    box = Box(number=1, player="Ann", ante=1000, choice=choice, sides=sides)  # type: ignore[arg-type]
    assert waits_for_award(book, box) is waits
    assert not waits_for_award(dataclasses.replace(STUD, progressive=None), box)
    if choice == "fold":
        assert is_turned(book, round_of(at(STUD, "dealt")), box) is waits


def test_a_box_is_its_players_whichever_field_names_the_player() -> None:
    own_box, table = CONDITIONS["own-box"], at(STUD, "dealt").table
    not_theirs = "box 1 is player 1's"
    for who, why in (
        ({"player": "player 1"}, None),
        ({"player": "player 2"}, not_theirs),
        ({"role": "player", "by": "player 1"}, None),
        ({"role": "player", "by": "player 2"}, not_theirs),
        ({"role": "player", "by": "player"}, None),
        ({"role": "dealer", "by": "Di"}, None),
        ({}, None),
    ):
        assert own_box(STUD, table, c.Look(box=1, **who)) == why, who  # type: ignore[arg-type]
    assert own_box(STUD, table, c.Look(box=7, player="player 2")) is None


def test_what_is_reported_moves_the_clock_and_no_further_than_it_is() -> None:
    driver = at(STUD, "dealt")
    table = replace(driver.table, clock=500)
    for time, moved in ((501, True), (500, False)):
        found = decide(STUD, table, c.Report(mishap="dispute", at=time), driver.shoe)
        assert isinstance(found, tuple)
        assert (found[0] == ev.ClockRead(at=time)) is moved
        assert sum(isinstance(one, ev.ClockRead) for one in found) == moved
