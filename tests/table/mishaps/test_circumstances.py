"""All that holds when something goes wrong, whole sets, and each circumstance on both sides of what makes it hold."""

import dataclasses
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.rules.book import Book
from aceking.rules.words import Actor, Circumstance, Mishap
from aceking.settlement.lines import Line
from aceking.table import event as ev
from aceking.table.cards.place import Pile
from aceking.table.commands import Report
from aceking.table.mishaps.circumstances import circumstances
from aceking.table.mishaps.report import report
from aceking.table.moment import Moment
from aceking.table.state import Box, RecordedMishap
from tests.table.moment import (
    ANN,
    BOB,
    COLORADO,
    EXCHANGE,
    NO_ROUND,
    ROUND,
    RWS,
    SECTION10,
    TABLE,
    WASHINGTON,
    boxes,
    dealing,
    moment,
)


def holds(now: Moment, mishap: Mishap = "dispute", *named: int, **more: Any) -> set[Circumstance]:
    """All that holds, of a mishap of these boxes and cards."""
    asked: dict[str, Any] = {"cards": (), "reported": frozenset(), **more}
    return circumstances(now.book, now.table, now.shoe, mishap, boxes=named, **asked)


#: While all decide, nobody has looked, every hand is whole, and no box is named.
BASE: set[Circumstance] = {
    *("this-round", "before-next-round", "bets-closed", "after-deal", "after-up-card", "before-reveal"),
    *("before-last-decision", "no-outcome", "nobody-looked", "no-decision-owed", "dealer-has-other", "not-misdealt"),
    "one",
}
WAITS: set[Circumstance] = {"decision-owed", "unseen"}


def changed(without: set[Circumstance], more: set[Circumstance]) -> set[Circumstance]:
    assert without <= BASE
    return BASE - without | more


def test_a_moment_in_which_all_decide() -> None:
    assert holds(moment()) == BASE
    assert holds(moment(), "dispute", 1) == changed({"no-decision-owed"}, WAITS)
    assert holds(moment(), "dispute", 7) == BASE


# What is told


STAFF = ("dealer", "floorperson", "supervisor", "house", "device")
RANK = ("supervisor", "house")
#: What only people can know: who deals sees what happened, a person of rank finds what it was, the house chooses.
REPORTERS: dict[Circumstance, tuple[str, ...]] = {
    **dict.fromkeys(("not-exposed", "two-or-more", "earlier-rounds"), STAFF),
    **dict.fromkeys(("found-by-stub-count", "exchange-being-served"), STAFF),
    **dict.fromkeys(("rebuildable", "not-rebuildable", "intentional", "unintentional"), RANK),
    **dict.fromkeys(("a-violation", "no-violation", "order-decided"), RANK),
    **dict.fromkeys(("course-close-table", "course-block-affected-box", "course-play-without-jackpot"), ("house",)),
    **dict.fromkeys(("player-goes-on", "player-withdraws"), ("player",)),
}


@pytest.mark.parametrize("fact", get_args(Circumstance))
def test_only_what_the_table_cannot_know_is_taken_from_people(fact: Circumstance) -> None:
    expected = BASE | ({fact} if fact in REPORTERS else set())
    if fact == "two-or-more":
        expected -= {"one"}
    assert holds(moment(), reported=frozenset({fact})) == expected


def test_how_many_cards_there_were_is_counted_where_they_are_named() -> None:
    reported = frozenset({"two-or-more"})
    assert holds(moment(), "cards-exposed", cards=(0,), reported=reported) == changed(set(), {"player-card"})
    assert holds(moment(), "cards-exposed", reported=reported) == changed({"one"}, {"two-or-more"})
    intentional = holds(moment(), "cards-exposed", cards=(0,), reported=frozenset({"intentional"}))
    assert intentional == changed(set(), {"player-card", "intentional"})


@pytest.mark.parametrize("role", get_args(Actor))
@pytest.mark.parametrize("fact", REPORTERS)
def test_a_fact_is_believed_of_who_may_say_it(fact: Circumstance, role: Actor) -> None:
    now = moment(role=role, found=(RecordedMishap("stub-miscount"),))
    done = report(now, Report(mishap="dispute", boxes=(1,), facts=(fact,)))
    assert isinstance(done, list)
    asked = [one.record for one in done if isinstance(one, ev.Asked)]
    assert asked == ([""] if role in REPORTERS[fact] else ["the record cannot tell"])


# Rounds


OF_THE_CARDS: set[Mishap] = {
    *("foreign-card", "cards-exposed", "hole-card-exposed", "deck-short-or-long", "shoe-empty", "not-shuffled"),
    *("misdeal", "missed-burn", "dealing-error", "simultaneous-cards", "skipped-box", "empty-box-dealt"),
    *("boxed-card", "card-drawn-in-error", "dealer-miscount", "player-miscount", "community-miscount"),
}
AT_THE_TOP: set[Mishap] = {"boxed-card", "card-drawn-in-error", "simultaneous-cards"}


@pytest.mark.parametrize("mishap", get_args(Mishap))
def test_what_can_only_be_of_a_round_before(mishap: Mishap) -> None:
    def is_late(now: Moment) -> bool:
        found = holds(now, mishap)
        assert len(found & {"before-next-round", "after-next-round"}) == 1
        return "after-next-round" in found

    called = mishap == "late-found-error"
    of_cards = mishap in OF_THE_CARDS
    assert is_late(moment(**dealing(0, phase="betting"))) is (called or of_cards)
    assert is_late(moment(**dealing(0))) is (called or (of_cards and mishap not in AT_THE_TOP))
    assert is_late(moment(**dealing(1))) is called
    assert is_late(moment()) is called
    for phase in ("done", "void"):
        assert is_late(moment(phase=phase)) is False
        assert is_late(moment(**dealing(0, phase=phase))) is False
    assert is_late(moment(phase="betting")) is called, "cards are out"
    assert is_late(moment(table=replace(TABLE, rounds=1), **dealing(0, phase="betting"))) is (called or of_cards)
    none_before = replace(TABLE, rounds=0)
    for now in (moment(table=none_before), moment(table=none_before, **dealing(0, phase="betting"))):
        assert is_late(now) is False
    assert holds(moment(table=NO_ROUND), mishap) == {"later-rounds", "before-first-card", "before-next-round"}


def with_course(course: Any) -> Book:
    assert RWS.progressive is not None
    rules = dataclasses.replace(RWS.progressive, fault_later=course)
    return dataclasses.replace(RWS, progressive=rules)


def test_the_course_that_the_house_has_posted_holds_for_the_rounds_after_a_fault() -> None:
    """5.18.2: the table closes, the box is blocked, or the game goes on without the jackpot."""
    before: set[Circumstance] = {"later-rounds", "before-first-card", "before-next-round"}
    close: set[Circumstance] = {"course-close-table"}
    assert holds(moment(RWS, NO_ROUND), "jackpot-fault") == before | close
    assert holds(moment(RWS, NO_ROUND), "jackpot-fault", 1) == before | close
    assert holds(moment(RWS, NO_ROUND), "dispute") == before
    assert holds(moment(with_course(None), NO_ROUND), "jackpot-fault") == before
    assert holds(moment(COLORADO, NO_ROUND), "jackpot-fault") == before
    assert holds(moment(SECTION10, NO_ROUND), "jackpot-fault") == before
    without = with_course("play-without-jackpot")
    assert holds(moment(without, NO_ROUND), "jackpot-fault") == before | {"course-play-without-jackpot"}
    block = with_course("block-affected-box")
    assert holds(moment(block, NO_ROUND), "jackpot-fault", 1) == before | {"course-block-affected-box"}
    assert holds(moment(block, NO_ROUND), "jackpot-fault") == before, "nobody said which box"
    for told in ("course-close-table", "course-block-affected-box", "course-play-without-jackpot"):
        named: set[Any] = {told}
        assert holds(moment(block, NO_ROUND), "jackpot-fault", 1, reported=frozenset(named)) == before | named
    assert holds(moment(without, NO_ROUND), "jackpot-fault", reported=frozenset({"intentional"})) == (
        before | {"course-play-without-jackpot", "intentional"}
    )
    assert "course-close-table" not in holds(moment(RWS), "jackpot-fault"), "the round of the fault itself is played"
    assert "course-close-table" in holds(moment(RWS, phase="done"), "jackpot-fault")


# The part of the round


EARLY: set[Circumstance] = {
    *("this-round", "before-next-round", "before-reveal", "before-last-decision", "no-outcome", "nobody-looked"),
    *("no-decision-owed", "dealer-has-other", "one"),
}


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        (
            dealing(0, phase="betting"),
            {"bets-open", "before-no-more-bets", "before-first-card", "before-up-card", "misdealt"},
        ),
        (dealing(0), {"bets-closed", "before-first-card", "during-deal", "before-up-card", "misdealt"}),
        (dealing(2), {"bets-closed", "during-deal", "before-up-card", "misdealt"}),
        (dealing(3), {"bets-closed", "during-deal", "after-up-card", "misdealt"}),
        (dealing(15), {"bets-closed", "after-deal", "after-up-card", "not-misdealt"}),
        (dealing(3, phase="deciding"), {"bets-closed", "after-deal", "after-up-card", "misdealt"}),
    ],
)
def test_what_holds_before_all_cards_show(changes: dict[str, Any], more: set[Circumstance]) -> None:
    assert holds(moment(**changes)) == EARLY | more


def test_what_holds_once_the_cards_show() -> None:
    shown = changed({"before-reveal", "no-outcome"}, {"outcome-established"})
    # The dealer's hand has no pair, nor an ace with a king.
    assert holds(moment(phase="revealed", dealer=cards("2c 4d 6h 8s Tc"))) == shown | {"unqualified"}
    assert holds(moment(phase="revealed", dealer=cards("2c 2d 6h 8s Tc"))) == shown
    # What was never dealt comes no more.
    lacks = shown - {"not-misdealt"} | {"misdealt"}
    assert holds(moment(**dealing(3, phase="revealed"))) == lacks
    assert holds(moment(**dealing(3, phase="done"))) == lacks - {"this-round"} | {"later-rounds"}
    over = shown - {"this-round"} | {"later-rounds"}
    assert holds(moment(phase="done", dealer=cards("2c 4d 6h 8s Tc"))) == over | {"unqualified"}
    void = changed({"before-reveal", "this-round"}, {"later-rounds"})
    assert holds(moment(phase="void")) == void
    cut_short = void - {"after-deal", "not-misdealt"} | {"during-deal", "misdealt"}
    assert holds(moment(**dealing(7, phase="void"))) == cut_short


def test_where_the_cards_are_the_communitys_nothing_is_said_of_a_dealers_hand() -> None:
    three: dict[str, Any] = {
        "boxes": boxes(ann={"cards": (0, 3, 6)}, bob={"cards": (1, 4, 7)}),
        "dealer": (),
        "up": None,
    }
    no_dealer = BASE - {"after-up-card", "dealer-has-other"}
    assert holds(moment(COLORADO, **three, community=(2, 5, 8))) == no_dealer
    assert holds(moment(COLORADO, **three, community=(2, 5))) == no_dealer - {"not-misdealt"} | {"misdealt"}


def test_decisions_are_made_one_after_another() -> None:
    decided = boxes(ann={"choice": "bet"})
    assert holds(moment(boxes=decided)) == BASE, "Bob has still to decide"
    both = boxes(ann={"choice": "bet"}, bob={"choice": "bet"})
    assert holds(moment(boxes=both)) == changed({"before-last-decision"}, set())
    gone = boxes(ann={"choice": "bet"}, bob={"void": True})
    assert holds(moment(boxes=gone)) == changed({"before-last-decision"}, set())


@pytest.mark.parametrize(
    ("wager", "outcome", "lost"),
    [("ante", "lose", True), ("ante", "win", False), ("exchange", "lose", False), ("bet", "lose", True)],
)
def test_what_a_fold_lost_is_an_outcome_for_all_to_see(wager: Any, outcome: Any, *, lost: bool) -> None:
    lines = (Line(1, "ante", 1000, "push", 0, "W"), Line(1, wager, 1000, outcome, 0, "L"))
    expected = changed({"no-outcome"}, {"outcome-established"}) if lost else BASE
    assert holds(moment(lines=lines)) == expected


def test_a_stack_that_was_just_delivered_is_looked_over_as_it_comes() -> None:
    """A card that lies the wrong way round in the last stack is found while the cards are dealt."""
    deal = dealing(15, EXCHANGE)

    def part(
        cards: tuple[int, ...] = (3,), mishap: Mishap = "boxed-card", book: Book = EXCHANGE, **more: Any
    ) -> object:
        found = holds(moment(book, **{**deal, **more}), mishap, cards=cards)
        return found & {"during-deal", "after-deal"}

    during, after = {"during-deal"}, {"after-deal"}
    for held in ((3,), (7,), (14,), (0, 5, 10)):
        assert part(held) == during
    assert part((3, 40)) == after
    assert part(()) == after
    assert part((3,), "card-drawn-in-error") == after
    assert part(phase="deciding") == after
    assert part(rack=((Pile("stub"), ()),)) == after
    assert part(counted=True) == after
    assert part(boxes=boxes(ann={"cards": (0, 1, 2, 3, 4), "seen": True})) == after
    assert part(book=SECTION10) == after
    shared: dict[str, Any] = {"community": (10, 11, 12), "dealer": (10, 11, 12, 13, 14)}
    assert part((12,), **shared) == during


# People and hands


def test_who_has_looked_and_who_owes_a_decision() -> None:
    seen = boxes(ann={"seen": True})
    looked = changed({"nobody-looked"}, {"somebody-looked"})
    assert holds(moment(boxes=seen)) == looked
    assert holds(moment(boxes=seen), "dispute", 1) == looked - {"no-decision-owed"} | {"decision-owed"}
    assert holds(moment(boxes=seen), "dispute", 2) == looked - {"no-decision-owed"} | WAITS
    assert holds(moment(boxes=seen), "dispute", 1, 2) == looked - {"no-decision-owed"} | {"decision-owed"}
    decided = boxes(ann={"choice": "bet"})
    assert holds(moment(boxes=decided), "dispute", 1) == changed(set(), {"unseen"})
    assert holds(moment(boxes=decided), "dispute", 1, 2) == changed({"no-decision-owed"}, WAITS)


def test_who_has_several_boxes_and_who_chose_to_go_on() -> None:
    hers = boxes(replace(ANN, number=3, cards=(40, 41, 42, 43, 44)))
    waits = changed({"no-decision-owed"}, WAITS)
    assert holds(moment(boxes=hers), "dispute", 1) == waits | {"several-boxes"}
    assert holds(moment(boxes=hers), "dispute", 1, 3) == waits | {"several-boxes"}
    assert holds(moment(boxes=hers), "dispute", 1, 2) == waits
    assert holds(moment(boxes=hers), "dispute", 2) == waits
    assert holds(moment(boxes=hers)) == BASE
    off = boxes(replace(ANN, number=3, ante=0, cards=()))
    assert holds(moment(boxes=off), "dispute", 1) == waits
    on = frozenset({1})
    assert holds(moment(went_on=on), "dispute", 1) == waits | {"player-went-on"}
    assert holds(moment(went_on=on), "dispute", 2) == waits
    assert holds(moment(went_on=on), "dispute", 2, 1) == waits | {"player-went-on"}


@pytest.mark.parametrize(("count", "four"), [(3, False), (4, True), (5, False), (6, False)])
def test_a_dealer_who_lacks_one_card_has_four(count: int, *, four: bool) -> None:
    dealer = (*ROUND.dealer, 40)[:count]
    expected = BASE if count == 5 else changed({"not-misdealt"}, {"misdealt"})
    assert holds(moment(dealer=dealer)) == (expected - {"dealer-has-other"} | {"dealer-has-four"} if four else expected)


def test_a_hand_of_another_size_is_misdealt() -> None:
    wrong = changed({"not-misdealt"}, {"misdealt"})
    for own in (ANN.cards[:4], (*ANN.cards, 40)):
        assert holds(moment(boxes=boxes(ann={"cards": own}))) == wrong
        assert holds(moment(boxes=boxes(ann={"cards": own, "void": True}))) == BASE
        assert holds(moment(boxes=boxes(ann={"cards": own, "ante": 0}))) == BASE
    assert holds(moment(community=(40,))) == wrong


def test_a_stub_with_other_cards_on_it_or_that_was_seen_is_mixed() -> None:
    """A-CSP-21: not because it is in the rack."""
    stub, hand = (Pile("stub"), (50, 51)), (Pile("hand", 1), ANN.cards)
    for rack, mixed in (((), False), ((stub,), False), ((hand, stub), False), ((stub, hand), True), ((hand,), False)):
        assert ("stub-mixed" in holds(moment(rack=rack))) is mixed
    assert holds(moment(stub_exposed=True)) == changed(set(), {"stub-mixed"})


# Cards


def test_whose_card_it_is() -> None:
    own: set[Circumstance] = {"dealer-card"}
    hers: set[Circumstance] = {"player-card"}
    assert holds(moment(), "cards-exposed", cards=(5,)) == changed(set(), own)
    assert holds(moment(), "cards-exposed", cards=(4,)) == changed(set(), hers)
    assert holds(moment(), "cards-exposed", cards=(40,)) == BASE
    both = changed({"one"}, own | hers | {"two-or-more"})
    assert holds(moment(), "cards-exposed", cards=(4, 5)) == both
    shared: dict[str, Any] = {"community": (45,), "sequence": (*range(15), 45)}
    found = holds(moment(**shared), "cards-exposed", cards=(45,))
    assert found == changed({"not-misdealt"}, {"community-card", "misdealt"})
    # A card of a box that nobody names is a player's; where a card is named, that one counts.
    waits = changed({"no-decision-owed"}, WAITS)
    assert holds(moment(), "cards-exposed", 1) == waits | hers
    assert holds(moment(), "cards-exposed", 1, cards=(40,)) == waits
    assert holds(moment(), "cards-exposed", 7, 1) == waits | hers
    assert holds(moment(), "dropped-card", 1) == waits
    bare = boxes(ann={"cards": ()})
    assert holds(moment(boxes=bare), "cards-exposed", 1) == waits - {"not-misdealt"} | {"misdealt"}


@pytest.mark.parametrize("mishap", ["boxed-card", "card-drawn-in-error", "simultaneous-cards"])
@pytest.mark.parametrize(
    ("book", "count", "whose"),
    [
        (SECTION10, 5, "dealer-card"),
        (SECTION10, 6, "player-card"),
        (SECTION10, 0, "player-card"),
        (COLORADO, 5, "community-card"),
        (SECTION10, 15, None),
        (EXCHANGE, 10, "dealer-card"),
        (EXCHANGE, 5, "player-card"),
    ],
)
def test_a_card_that_comes_off_the_deck_belongs_to_the_next_place(
    mishap: Mishap, book: Book, count: int, whose: Circumstance | None
) -> None:
    kinds: set[Circumstance] = {"dealer-card", "community-card", "player-card", "in-stack"}
    expected: set[Circumstance] = set()
    if mishap != "simultaneous-cards":
        expected = ({whose} if whose is not None else set()) | ({"in-stack"} if book is EXCHANGE else set())
    assert holds(moment(book, **dealing(count, book)), mishap) & kinds == expected
    assert holds(moment(book, **dealing(count, book)), mishap, cards=(45,)) & kinds == expected
    betting = moment(book, **dealing(0, phase="betting"))
    assert holds(betting, mishap) & kinds == expected & {"in-stack"}


def test_a_card_that_was_dealt_belongs_to_the_hand_that_has_it() -> None:
    kinds: set[Circumstance] = {"dealer-card", "player-card"}
    assert holds(moment(**dealing(5)), "boxed-card", cards=(4,)) & kinds == {"player-card"}
    assert holds(moment(**dealing(6)), "boxed-card", cards=(5,)) & kinds == {"dealer-card"}


def test_a_replacement_is_bought_or_next_while_all_decide() -> None:
    bought = boxes(ann={"take": 40, "give": 0, "cards": (3, 6, 9, 12, 40)})
    exchanged = {"replacement-card", "after-exchange"}
    asked: set[Circumstance] = {"replacement-card", "after-exchange"}
    assert holds(moment(boxes=bought), "cards-exposed", cards=(40,)) & asked == exchanged
    assert holds(moment(boxes=bought), "cards-exposed", cards=(1, 40)) & asked == exchanged
    assert holds(moment(boxes=bought), "cards-exposed", cards=(1,)) & asked == {"after-exchange"}
    assert holds(moment(boxes=bought), "cards-exposed") & asked == {"after-exchange"}
    assert holds(moment(boxes=bought, phase="revealed"), "cards-exposed", cards=(40,)) & asked == {"after-exchange"}
    assert holds(moment(sealed=True), "cards-exposed", cards=(15,)) & asked == {"replacement-card"}
    assert holds(moment(sealed=True), "cards-exposed", cards=(16,)) & asked == set()
    assert holds(moment(), "cards-exposed", cards=(15,)) & asked == set(), "nobody knows what is next"


def test_how_many_cards_a_mishap_is_about_in_one_round() -> None:
    number: set[Circumstance] = {"one", "two-or-more", "mixed"}

    def many(mishap: Mishap, *cards: int, found: tuple[RecordedMishap, ...] = (), **more: Any) -> set[Circumstance]:
        return holds(moment(found=found, **more), mishap, cards=cards) & number

    one: set[Circumstance] = {"one"}
    two: set[Circumstance] = {"two-or-more"}
    assert many("cards-exposed") == one
    assert many("cards-exposed", 0) == one
    assert many("cards-exposed", 0, 0) == one
    assert many("cards-exposed", 0, 3) == two
    # The up-card is not exposed by mistake; of other mishaps it is a card like any.
    for exposed in ("cards-exposed", "hole-card-exposed"):
        assert many(exposed, 0, 2) == one
    assert many("boxed-card", 0, 2) == two
    before = (RecordedMishap("cards-exposed", (1,), (0,)),)
    assert many("cards-exposed", 3, found=before) == two
    assert many("cards-exposed", found=before) == two
    assert many("cards-exposed", found=(RecordedMishap("cards-exposed"),)) == two
    assert many("boxed-card", 3, found=before) == one
    assert many("boxed-card", 0, 3, found=before) == two
    assert many("hole-card-exposed", 5, found=before) == {"one", "mixed"}
    assert many("cards-exposed", 3, found=(RecordedMishap("hole-card-exposed", (), (5,)),)) == {"one", "mixed"}
    assert many("boxed-card", 3, found=(RecordedMishap("hole-card-exposed", (), (5,)),)) == one


# What can be put right


def test_whole_hands_in_the_wrong_places_can_be_moved() -> None:
    crossed: dict[str, Any] = {
        "boxes": boxes(ann={"cards": BOB.cards}, bob={"cards": ANN.cards}),
        "strayed": True,
    }
    rebuilt: set[Circumstance] = {"rebuildable", "rebuildable-from-stub", "not-rebuildable"}
    assert holds(moment(**crossed), "misdeal") == BASE | {"rebuildable"}
    assert holds(moment(**crossed), "dispute") == BASE
    for told in ("rebuildable", "not-rebuildable"):
        named: set[Any] = {told}
        assert holds(moment(**crossed), "misdeal", reported=frozenset(named)) & rebuilt == named
    dealers: dict[str, Any] = {"boxes": boxes(ann={"cards": ROUND.dealer}), "dealer": ANN.cards, "strayed": True}
    assert holds(moment(**dealers), "misdeal") & rebuilt == {"rebuildable-from-stub"}
    for told in ("rebuildable", "not-rebuildable"):
        named = {told}
        assert holds(moment(**dealers), "misdeal", reported=frozenset(named)) & rebuilt == named
    assert holds(moment(), "misdeal") & rebuilt == set()


def test_a_box_that_nobody_played_is_no_part_of_it() -> None:
    nobody = Box(number=3, player="", cards=(40, 41))
    assert holds(moment(WASHINGTON, boxes=boxes(nobody))) == BASE
    assert holds(moment(boxes=boxes(nobody)), "dispute", 3) == changed(set(), {"unseen"})
