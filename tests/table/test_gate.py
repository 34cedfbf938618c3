"""The gate, the next card and the order of the deal: who may act, when, on whose box, and which card comes next."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.card import card
from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Actor
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.deal_order import (
    Due,
    boxes_to_discard,
    cards_due,
    dealt_out,
    due_places,
    from_the_left,
    next_due,
    places,
)
from aceking.table.cards.decks import counts_by_device, cuts, deck_in_use, next_deck
from aceking.table.cards.next_card import next_card, next_cards
from aceking.table.cards.place import BURN, COMMUNITY, DEALER, box_place
from aceking.table.cards.shoe import NO_SHOE, Shoe
from aceking.table.gate import Passed, completed, gate
from aceking.table.money.limits import ante_limits
from aceking.table.procedure.orders import clause_of
from aceking.table.state import Question
from tests.table.handled import COLORADO, EXCHANGE, RWS, STUD, WASHINGTON, boxed, in_round, now
from tests.table.rebuilt import hands_from
from tests.table.test_driver import round_of
from tests.table.test_next_act import chosen
from tests.table.test_out_of_time import at

PEOPLE: dict[str, tuple[str, ...]] = {"dealer": ("Di", "Dan"), "supervisor": ("Sam",)}


def test_time_does_not_run_backwards_and_stands_still_where_none_is_told() -> None:
    table = replace(at(STUD, "dealt").table, clock=5_000)
    assert gate(STUD, table, c.Look(box=1)) == Passed(5_000, "player", "player")
    assert gate(STUD, table, c.Look(box=1, at=5_000, by="Ann")) == Passed(5_000, "Ann", "player")
    early = gate(STUD, table, c.Look(box=1, at=4_999))
    assert early == Refusal("the table's clock does not run backwards", "BASE-clock")


def test_persons_act_in_the_parts_that_the_house_gave_them() -> None:
    table = replace(at(STUD, "dealing").table, people=PEOPLE)
    for by, who in (("", "Di"), ("Di", "Di"), ("Dan", "Dan")):
        assert gate(STUD, table, c.DealCard(by=by)) == Passed(0, who, "dealer")
    stranger = gate(STUD, table, c.DealCard(by="Eve"))
    assert isinstance(stranger, Refusal)
    assert stranger.reason == "Eve is not assigned to this table as dealer"
    assert stranger.clause in STUD.clauses
    report = gate(STUD, table, c.Report(mishap="dispute", by="Eve"))
    assert report == Refusal("Eve is not assigned to this table as dealer", "BASE-people")
    plays = gate(STUD, table, c.Ante(box=3, amount=1000, by="Sam"))
    assert plays == Refusal("Sam is assigned to this table, and does not play at it", "BASE-people")
    assert gate(STUD, table, c.Look(box=1, by="Ann")) == Passed(0, "Ann", "player")
    assert gate(STUD, table, c.Look(box=1)) == Passed(0, "player", "player")
    nobody = replace(table, people={})
    assert gate(STUD, nobody, c.DealCard(by="Eve")) == Passed(0, "Eve", "dealer")


def asked(of: str, **more: Any) -> Question:
    return Question(number=4, mishap="dispute", of=of, clause="Q", **more)


@pytest.mark.parametrize(
    ("of", "role", "passes"),
    [
        ("supervisor", None, "supervisor"),
        ("supervisor", "house", "house"),
        ("supervisor", "dealer", None),
        ("Gaming Management", None, "house"),
        ("Gaming Management", "supervisor", None),
    ],
)
def test_a_question_is_answered_by_the_rank_it_went_to_or_one_above(
    of: str, role: Actor | None, passes: Actor | None
) -> None:
    table = replace(at(STUD, "dealt").table, questions=(asked(of),))
    rule = c.GiveRuling(question=4, then="continue", reason="so", role=role)
    found = gate(STUD, table, rule)
    if passes is None:
        assert found == Refusal(f"this is for {of}, not for the {role}", "Q")
    else:
        assert found == Passed(0, passes, passes)
    none = gate(STUD, table, c.GiveRuling(question=5, then="continue", reason="so"))
    assert none == Refusal("there is no open question 5", "BASE-question")
    assigned = replace(table, people={"supervisor": ("Sam",), "house": ("Gil",)})
    stranger = gate(STUD, assigned, c.GiveRuling(question=4, then="continue", reason="so", by="Eve"))
    assert isinstance(stranger, Refusal)
    assert stranger.clause in STUD.clauses


def test_a_choice_is_the_players_and_staff_may_enter_it() -> None:
    table = at(STUD, "dealt").table
    own: dict[str, Any] = {"question": 1, "box": 1, "go_on": True}
    entered: list[tuple[Actor | None, str, Actor]] = [
        (None, "", "player"),
        (None, "player 1", "player"),
        ("dealer", "Di", "dealer"),
        ("device", "", "device"),
    ]
    for role, by, passes in entered:
        found = gate(STUD, table, c.Choose(**own, role=role, by=by))
        assert found == Passed(0, by or passes, passes)
    foreign = gate(STUD, table, c.Choose(**own, by="player 2"))
    assert foreign == Refusal("box 1 is player 1's to choose for", "BASE-box")
    boss = gate(STUD, table, c.Choose(**own, role="supervisor"))
    assert boss == Refusal("a choice is for the player of the box", "BASE-people")


def test_play_waits_for_questions_and_jackpots() -> None:
    table = at(EXCHANGE, "dealt").table
    holds = replace(table, questions=(asked("supervisor"),))
    assert gate(EXCHANGE, holds, c.Fold(box=1)) == Refusal("supervisor must answer question 4 first", "Q")
    assert isinstance(gate(EXCHANGE, holds, c.Talk(box=1)), Passed)
    stands = replace(table, suspended="box 2")
    where = EXCHANGE.cite("progressive.tables_meanwhile")
    assert gate(EXCHANGE, stands, c.Fold(box=1)) == Refusal("the games are suspended for a jackpot", where)
    assert isinstance(gate(EXCHANGE, stands, c.ResumeTables()), Passed)
    rws = replace(at(RWS, "dealt").table, suspended="box 2")
    assert gate(RWS, rws, c.Fold(box=1)) == Refusal("the games are suspended for a jackpot", RWS.cite("void.last_word"))


def test_an_act_is_for_certain_parts_and_unknown_ones_are_for_nobody() -> None:
    table = at(STUD, "dealt").table
    wrong = gate(STUD, table, c.Reveal(role="player"))
    assert isinstance(wrong, Refusal)
    assert wrong.reason.startswith("reveal is for the dealer")
    assert wrong.clause == (clause_of(STUD, table, c.Reveal()) or "BASE-people")
    option = c.ChangeOption(option="shuffle-method", value="manual", role="player")
    refused = gate(STUD, table, option)
    assert isinstance(refused, Refusal)
    assert refused.clause == STUD.options["shuffle-method"].clause
    for act, clause in ((c.Exchange(box=1, give=(0,)), STUD.cite("decide.choices")), (c.StartGame(), "BASE-known")):
        unknown = gate(STUD, table, act)
        assert unknown == Refusal(f"neither the book nor the base procedure knows {act.do}", clause)


def test_what_a_command_leaves_open_is_filled_in() -> None:
    table = at(STUD, "dealt").table
    dealer, player = Passed(7, "Di", "dealer"), Passed(7, "player", "player")
    cut = completed(STUD, table, c.Cut(count=20), dealer)
    assert cut == c.Cut(count=20, deck="first", by="Di", role="dealer", at=7)
    named = completed(STUD, table, c.Cut(count=20, deck="second"), dealer)
    assert named == c.Cut(count=20, deck="second", by="Di", role="dealer", at=7)
    bare = replace(table, decks={}, deck=None)
    assert completed(STUD, bare, c.Cut(count=20), dealer) == c.Cut(count=20, by="Di", role="dealer", at=7)
    own = c.Look(box=1, player="player 1", by="player", role="player", at=7)
    assert completed(STUD, table, c.Look(box=1), player) == own
    assert completed(STUD, table, c.Look(box=1), replace(player, by="player 1")) == replace(own, by="player 1")
    free = completed(STUD, table, c.Ante(box=5, amount=1000), replace(player, by="Cy"))
    assert free == c.Ante(box=5, amount=1000, player="Cy", by="Cy", role="player", at=7)
    other = completed(STUD, table, c.Look(box=1, player="player 1"), replace(player, by="Eve"))
    assert other == Refusal("Eve does not act for player 1", "BASE-people")
    foreign = completed(STUD, table, c.Look(box=1), replace(player, by="player 2"))
    assert isinstance(foreign, Refusal)
    assert foreign.reason == "box 1 is player 1's"
    staff = completed(STUD, table, c.Look(box=1), dealer)
    assert staff == c.Look(box=1, by="Di", role="dealer", at=7)


# Cards


def test_the_next_card_is_that_of_the_sealed_order_or_one_not_seen_yet() -> None:
    driver = at(STUD, "dealing")
    assert next_card(now(driver), None) == DECK[1]
    assert next_card(now(driver), DECK[1]) == DECK[1]
    assert next_cards(now(driver), 3, None) == DECK[1:4]
    assert next_cards(now(driver), 3, DECK[1:4]) == DECK[1:4]
    assert next_card(now(driver), DECK[2]) == Refusal("that is not the next card of the deck", "BASE-deck")
    assert next_cards(now(driver), 2, DECK[2:4]) == Refusal("those are not the next cards", "BASE-deck")
    assert next_cards(now(driver), 2, DECK[1:4]) == Refusal("2 cards come off the deck, not 3", "BASE-deck")
    blank = replace(now(driver), shoe=NO_SHOE)
    silent = "the order of the deck is sealed, and the shoe does not tell the next card"
    assert next_card(blank, None) == Refusal(silent, "BASE-deck")
    assert next_cards(now(driver), 51, None) == DECK[1:]
    assert next_cards(now(driver), 52, None) == Refusal(silent, "BASE-deck")
    open_ = in_round(driver, sealed=False)
    assert next_card(open_, None) == Refusal("name the card", "BASE-input")
    assert next_cards(open_, 2, None) == Refusal("name 2 cards", "BASE-input")
    assert next_cards(open_, 2, (7, 7)) == Refusal("a card comes twice", "BASE-deck")
    assert next_cards(open_, 2, (7, 51)) == (7, 51)
    for out in (DECK[0], 52):
        wrong = Refusal("that card is dealt already, or there is no such card", "BASE-deck")
        assert next_card(open_, out) == wrong


def test_a_shoe_follows_the_cut_and_what_has_left_it() -> None:
    shoe = Shoe().with_order("first", (1, 2, 3, 4, 5))
    assert shoe.after(ev.WasCut(deck="first", count=2)).orders == {"first": (3, 4, 5, 1, 2)}
    for other in (ev.WasCut(deck="second", count=2), ev.Uncut(deck="first")):
        assert shoe.after(other) is shoe
    current = round_of(at(STUD, "closed"))
    assert current.deck == "first"
    assert shoe.ahead(current) == (1, 2, 3, 4, 5)
    assert shoe.ahead(replace(current, sequence=(1, 2))) == (3, 4, 5)
    assert shoe.ahead(replace(current, sequence=(1, 3))) == (2, 4, 5)
    assert shoe.ahead(replace(current, sealed=False)) == ()
    assert shoe.ahead(replace(current, deck=None)) == ()


def test_the_order_of_the_deal_card_by_card_and_in_packets() -> None:
    one, two = box_place(1), box_place(2)
    assert places(STUD, [2, 1]) == (
        Due(one), Due(two), Due(DEALER, up=True), *((Due(one), Due(two), Due(DEALER)) * 4),
    )  # fmt: skip
    assert places(RWS, [1]) == (*((Due(one), Due(DEALER)) * 4), Due(one), Due(DEALER, up=True))
    turned = chosen("washington", up_card_method="turned-face-up")
    assert places(turned, [1]) == (Due(one), Due(DEALER)) * 5
    assert places(EXCHANGE, [1, 2]) == (*((Due(one),) * 5), *((Due(two),) * 5), *((Due(DEALER),) * 5))
    assert places(COLORADO, [1]) == (Due(one), Due(COMMUNITY)) * 3
    hands = hands_from(RWS, [1], tuple(range(11)))
    assert hands == {BURN: (0,), one: (1, 3, 5, 7, 9), DEALER: (2, 4, 6, 8, 10)}
    assert from_the_left(COLORADO, (1, 2, 3)) == (1, 2, 3)
    shoe = chosen("colorado-required", dealing_method="automated-shoe", shuffle_method="automated")
    assert from_the_left(shoe, (1, 2, 3)) == (3, 2, 1)


def test_a_hand_that_is_out_gets_no_further_card_and_who_was_passed_over_is_served_first() -> None:
    driver = at(STUD, "dealing")
    driver.deal_some(3)
    current = driver.table.round
    assert current is not None
    assert next_due(STUD, current) == Due(box_place(2))
    assert cards_due(STUD, current) == {box_place(1): 2, box_place(2): 1, DEALER: 1}
    void = boxed(driver, 2, void=True).table.round
    assert void is not None
    left = [one.to for one in due_places(STUD, void)]
    assert (left.count(box_place(2)), left.count(box_place(1)), left.count(DEALER)) == (1, 5, 5)
    assert next_due(STUD, void) == Due(DEALER)
    driver.must(c.DealCard(to=box_place(1)))
    strayed = driver.table.round
    assert strayed is not None
    assert next_due(STUD, strayed) == Due(box_place(2))
    assert not dealt_out(STUD, strayed)
    gone = boxed(driver, 2, void=True).table.round
    assert gone is not None
    assert next_due(STUD, gone) == Due(DEALER)
    packets = at(EXCHANGE, "closed")
    packets.must(c.DealPacket(cards=DECK[:4]))
    short = packets.table.round
    assert short is not None
    # A stack that came too short is not filled by the next one.
    assert next_due(EXCHANGE, short) == Due(box_place(2))


def test_who_keeps_a_card_that_should_be_laid_aside() -> None:
    driver = at(COLORADO, "dealt")
    for choice, kept in (("bet", [1]), ("stay", [1]), ("fold", []), ("declare", []), (None, [])):
        current = boxed(driver, 1, choice=choice).table.round
        assert current is not None
        assert boxes_to_discard(COLORADO, current) == kept
    laid = boxed(driver, 1, choice="bet", discard=card("2c")).table.round
    stud = boxed(at(STUD, "dealt"), 1, choice="bet").table.round
    assert laid is not None
    assert stud is not None
    assert (boxes_to_discard(COLORADO, laid), boxes_to_discard(STUD, stud)) == ([], [])


def test_decks_take_turns_and_the_one_in_use_is_meant() -> None:
    two = at(chosen("section10", shuffle_method="automated", second_deck="two-deck"), "bets-opened")
    table = two.table
    assert [deck.name for deck in table.decks.values()] == ["first", "second"]
    for name, found in (("second", "second"), (None, table.deck), ("third", None)):
        deck = deck_in_use(table, name)
        assert (deck.name if deck is not None else None) == found
    only = deck_in_use(replace(table, deck=None), None)
    assert only is not None
    assert only.name == "first"
    for last, comes in ((None, "first"), ("first", "second"), ("second", "first")):
        assert next_deck(replace(table, last_deck=last)) == comes
    one = at(STUD, "done").table
    assert next_deck(replace(one, last_deck="first")) == "first"
    assert next_deck(replace(one, decks={}, deck=None)) == "first"
    device = {"shuffle_method": "automated", "stub_count": "device-count-each-shuffle"}
    assert counts_by_device(chosen("section10", dealing_method="automated-shoe", **device))
    for other in (chosen("section10", **device), STUD, RWS, EXCHANGE):
        assert not counts_by_device(other)
    assert [cuts(book) for book in (STUD, COLORADO, RWS, WASHINGTON)] == [True, True, False, False]
    assert not cuts(chosen("section10", shuffle_method="automated"))


def test_posted_limits_come_before_those_of_the_book() -> None:
    book = chosen("rws", table_min="5", table_max="100")
    table = at(book, "table-opened").table
    assert ante_limits(book, table) == (500, 10_000)
    assert ante_limits(book, replace(table, ante_min=0, ante_max=0)) == (0, 0)
    assert ante_limits(load_book("rws"), table) == (None, None)


def test_a_moment_refuses_by_its_clause_then_by_a_rule_then_by_the_base() -> None:
    driver = at(STUD, "dealt")
    assert now(driver, "X").no("so", "time", book="ante.required") == Refusal("so", "X")
    assert now(driver).no("so", "time", book="ante.required") == Refusal("so", STUD.cite("ante.required"))
    assert now(driver).no("so", "time", book="no.such") == Refusal("so", "BASE-time")
    assert now(driver).no("so", "time") == Refusal("so", "BASE-time")
    assert now(at(STUD, "done")).round() == Refusal("there is no round", "BASE-time")
    assert now(driver).round() is driver.table.round
    cut = now(driver).after([ev.WasCut(deck="first", count=1)])
    assert cut.shoe.orders["first"][:2] == (now(driver).shoe.orders["first"][1:3])
