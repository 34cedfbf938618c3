"""What a report becomes: whose card it names, which round it is of, what is told again, and what the record says."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Mishap
from aceking.table import event as ev
from aceking.table.cards.place import DEALER
from aceking.table.commands import Report
from aceking.table.mishaps.report import report
from aceking.table.moment import Moment
from aceking.table.state import Question, RecordedMishap
from tests.table.moment import (
    ANN,
    COLORADO,
    EXCHANGE,
    NO_ROUND,
    RWS,
    SECTION10,
    TABLE,
    WASHINGTON,
    boxes,
    dealing,
    moment,
)


def told(now: Moment, mishap: Mishap, *named: int, **more: Any) -> list[ev.TableEvent]:
    done = report(now, Report(mishap=mishap, boxes=named, **more))
    assert isinstance(done, list), done
    return done


def about(
    now: Moment, mishap: Mishap, *named: int, **more: Any
) -> list[tuple[Mishap, tuple[int, ...], tuple[int, ...]]]:
    """The mishap, boxes and cards of each ruling that a report becomes."""
    done = told(now, mishap, *named, **more)
    return [(one.mishap, one.boxes, one.cards) for one in done if isinstance(one, ev.Ruled)]


def record(now: Moment, mishap: Mishap, *named: int, **more: Any) -> str:
    """What stands beside the claim, where a report becomes a question."""
    (asked,) = told(now, mishap, *named, **more)
    assert isinstance(asked, ev.Asked)
    return asked.record


def no_effect(mishap: Mishap, why: str, clause: str, **more: Any) -> ev.Ruled:
    return ev.Ruled(mishap=mishap, given=(), then="no-effect", why=why, clause=clause, **more)


# Which card


def test_a_card_of_the_dealers_that_nobody_names_is_the_one_that_just_fell() -> None:
    """5.16: seen as it was dealt, it is the one that all may see."""
    fell = told(moment(RWS, **dealing(6, RWS)), "hole-card-exposed")
    assert fell == [
        ev.Ruled(
            mishap="hole-card-exposed",
            given=("during-deal", "one"),
            then="becomes-up-card",
            cards=(5,),
            clause="RWS-5.16",
        ),
        ev.UpCard(card=5, clause="RWS-5.16"),
    ]
    # With a fact more than one may be meant; after Ann's card it was another one; and the deal is still running.
    several = told(moment(RWS, **dealing(6, RWS)), "hole-card-exposed", facts=("two-or-more",))
    assert isinstance(several[0], ev.Ruled)
    assert (several[0].cards, several[0].clause) == ((), "RWS-5.8.2")
    named = about(moment(RWS, **dealing(6, RWS)), "hole-card-exposed", cards=(2,))
    assert named == [("hole-card-exposed", (), (2,))]
    which = Refusal("name the card of the dealer that was seen", "BASE-input")
    hers = moment(RWS, **dealing(7, RWS))
    assert report(hers, Report(mishap="hole-card-exposed")) == which
    last: dict[str, Any] = {**dealing(15, RWS), "phase": "deciding"}
    assert report(moment(RWS, **last), Report(mishap="hole-card-exposed")) == which, "the deal is over"
    stack = about(moment(EXCHANGE, **dealing(15, EXCHANGE)), "hole-card-exposed")
    assert stack == [("hole-card-exposed", (), ())], "of a stack nobody can say which"
    up = moment(SECTION10, **dealing(3))
    assert record(up, "hole-card-exposed") == "the dealer has no hole card"
    later = moment(SECTION10, **dealing(6))
    assert about(later, "hole-card-exposed") == [("hole-card-exposed", (), (5,))]
    (over,) = told(moment(phase="done"), "hole-card-exposed")
    assert isinstance(over, ev.Asked)
    assert over.cards == ()
    other = about(moment(SECTION10, **dealing(6)), "dealing-error")
    assert other == [], "of another mishap no card is meant"


def test_a_card_on_its_way_to_the_dealer_is_told_apart_from_a_players() -> None:
    found = about(moment(RWS, **dealing(5, RWS)), "hole-card-exposed", cards=(40, 3))
    assert found == [("hole-card-exposed", (), (40,)), ("cards-exposed", (1,), (3,))]
    one_is_his = about(moment(), "cards-exposed", cards=(40, 5))
    assert one_is_his == [("hole-card-exposed", (), (40, 5))]
    asks = report(moment(RWS, **dealing(5, RWS, sealed=True)), Report(mishap="hole-card-exposed", cards=(6,)))
    assert isinstance(asks, list)
    assert isinstance(asks[0], ev.Asked)


def test_where_there_is_no_dealers_hand_an_exposed_card_is_one_mishap() -> None:
    three: dict[str, Any] = {
        "boxes": boxes(ann={"cards": (0, 3, 6)}, bob={"cards": (1, 4, 7)}),
        "dealer": (),
        "up": None,
        "community": (2, 5, 8),
    }
    both = told(moment(COLORADO, **three), "cards-exposed", cards=(0, 2))
    assert [(one.mishap, one.cards) for one in both if isinstance(one, ev.Ruled)] == [("cards-exposed", (0, 2))]
    (silent,) = told(moment(COLORADO, **three), "hole-card-exposed", cards=(0,))
    assert isinstance(silent, ev.Asked)
    assert silent.what == "the book has no rule for hole-card-exposed"


def test_what_was_told_beside_it_decides_the_ruling() -> None:
    """(m)(3): a card that nobody saw is used as though it were the next."""
    drawn = told(moment(**dealing(5)), "card-drawn-in-error", cards=(40,), facts=("not-exposed",))
    assert drawn == [
        ev.Ruled(
            mishap="card-drawn-in-error",
            given=("not-exposed",),
            then="use-as-next",
            cards=(40,),
            clause="CSP-10(m)(3)",
        ),
        ev.Dealt(card=40, to=DEALER, clause="CSP-10(m)(3)"),
    ]
    (seen,) = told(moment(**dealing(5)), "card-drawn-in-error", cards=(40,))
    assert isinstance(seen, ev.Ruled)
    assert (seen.then, seen.given) == ("continue", ())


# Which round


OPENED: dict[str, Any] = dealing(0, phase="betting")
EARLIER = "no card of this round is out: it can only be of a round before"


def test_an_error_of_a_round_before_is_what_the_book_says_of_it() -> None:
    """5.20: once another round has begun, the one before stands."""
    late = told(moment(RWS, **OPENED), "misdeal", 1, cards=(3,))
    assert late == [
        ev.Ruled(
            mishap="late-found-error",
            given=("after-next-round",),
            then="no-effect",
            boxes=(1,),
            cards=(3,),
            clause="RWS-5.20",
        )
    ]
    now = moment(**OPENED)
    asked = ev.Asked(
        question=4,
        mishap="misdeal",
        of="supervisor",
        boxes=(1,),
        cards=(3,),
        what="Sue reports misdeal",
        record=EARLIER,
        clause=SECTION10.cite("void.last_word"),
    )
    assert told(now, "misdeal", 1, cards=(3,)) == [asked]
    open_one = Question(
        4, "misdeal", "supervisor", asked.clause, boxes=(1,), cards=(3,), what=asked.what, record=EARLIER
    )
    again = replace(now.table, questions=(open_one,), asked=4)
    same = no_effect("misdeal", "question 4 asks it already", asked.clause, boxes=(1,))
    assert told(replace(now, table=again), "misdeal", 1, cards=(3,)) == [same]
    two = told(moment(**OPENED), "player-miscount", 1)
    assert isinstance(two[0], ev.Asked)
    assert two[0].what == "Sue reports player miscount"


def test_of_a_void_round_no_card_changes_anything_any_more() -> None:
    found = (RecordedMishap("boxed-card", clause="A"), RecordedMishap("misdeal", clause="B"))
    void = "the round is void"
    assert told(moment(phase="void", found=found), "misdeal", 1, cards=(3,)) == [
        no_effect("misdeal", void, "B", boxes=(1,), cards=(3,))
    ]
    one = moment(phase="void", found=found[:1])
    assert told(one, "misdeal") == [no_effect("misdeal", void, "A")]
    assert told(moment(phase="void"), "misdeal") == [no_effect("misdeal", void, "BASE-record")]
    bare = moment(phase="void", found=(RecordedMishap("misdeal"),))
    assert told(bare, "dealer-miscount") == [no_effect("dealer-miscount", void, "BASE-record")]
    dispute = told(moment(phase="void", found=found), "dispute", 1)
    assert [type(event) for event in dispute] == [ev.Ruled, ev.Asked]
    over = told(moment(phase="done", found=found), "misdeal")
    assert isinstance(over[0], ev.Asked)


# Whose boxes


def test_a_player_who_walks_away_is_known_by_their_boxes() -> None:
    hers = boxes(replace(ANN, number=3, cards=(40, 41, 42, 43, 44)))
    (ruled, _) = told(moment(boxes=hers), "walk-away", 1, 7)
    assert isinstance(ruled, ev.Ruled)
    assert ruled.boxes == (1, 3, 7)
    which = Refusal("name the box that the player left", "BASE-input")
    assert report(moment(), Report(mishap="walk-away")) == which
    (silent,) = told(moment(WASHINGTON), "walk-away")
    assert isinstance(silent, ev.Asked)
    assert silent.boxes == ()


# Told again


def test_the_same_of_the_same_boxes_is_on_the_record_already() -> None:
    already = "it is on the record already"

    def again(found: RecordedMishap, *named: int, mishap: Mishap = "cards-exposed", **changes: Any) -> bool:
        done = told(moment(found=(found,), **changes), mishap, *named)
        return done == [no_effect(mishap, already, "F", boxes=named)]

    before = RecordedMishap("cards-exposed", (1,), (), "F")
    assert again(before, 1)
    assert again(replace(before, boxes=(1, 2)), 1)
    assert again(replace(before, boxes=(2, 1)), 1, 2)
    assert not again(before, 2)
    assert not again(before, 1, 2)
    assert not again(replace(before, cards=(3,)), 1)
    assert not again(replace(before, mishap="misdeal"), 1)
    assert not again(before), "nothing is named"
    # What the record still shows is not dealt with; and people may talk again.
    short = boxes(ann={"cards": ANN.cards[:4]})
    assert not again(RecordedMishap("player-miscount", (1,), (), "F"), 1, mishap="player-miscount", boxes=short)
    assert again(RecordedMishap("player-miscount", (1,), (), "F"), 1, mishap="player-miscount")
    assert not again(RecordedMishap("talking", (1,), (), "F"), 1, mishap="talking")
    assert again(RecordedMishap("second-look", (1,), (), "F"), 1, mishap="second-look")
    ruled, asked = told(moment(table=NO_ROUND), "dispute", 1)
    assert isinstance(ruled, ev.Ruled)
    assert isinstance(asked, ev.Asked)
    assert (ruled.boxes, asked.boxes) == ((1,), (1,))


def test_the_same_claim_against_the_record_is_one_question() -> None:
    (first,) = told(moment(), "player-miscount", 1)
    assert isinstance(first, ev.Asked)
    now = moment()
    again = told(replace(now, table=now.after([first]).table), "player-miscount", 1)
    assert again == [no_effect("player-miscount", "question 4 asks it already", first.clause, boxes=(1,))]
    other = told(replace(now, table=now.after([first]).table), "player-miscount", 2)
    assert isinstance(other[0], ev.Asked)


def test_the_same_cards_are_on_the_record_already() -> None:
    found = (RecordedMishap("boxed-card", (), (41,), "G"), RecordedMishap("cards-exposed", (1,), (3, 6), "F"))
    now = moment(found=found)
    same = no_effect("cards-exposed", "it is on the record already", "F", boxes=(1,))
    assert told(now, "cards-exposed", cards=(6,)) == [same]
    assert told(now, "cards-exposed", cards=(6, 3)) == [same]
    (more,) = told(now, "cards-exposed", cards=(6, 9))
    assert isinstance(more, ev.Ruled)
    assert more.then == "continue"


# The record


@pytest.mark.parametrize("role", ["player", "supervisor"])
def test_what_the_record_says_stands_beside_the_claim_of_every_role(role: Any) -> None:
    assert record(moment(role=role), "player-miscount", 1) == "box 1 has 5 cards"
    assert record(moment(role=role), "player-miscount", 1, facts=("intentional",)) == "box 1 has 5 cards"


def test_what_a_count_found_is_held_against_the_count() -> None:
    fact: dict[str, Any] = {"facts": ("found-by-stub-count",)}
    assert record(moment(), "foreign-card", **fact) == "the stub was not counted in this round"
    ruled = told(moment(counted=True), "foreign-card", **fact)
    assert isinstance(ruled[0], ev.Ruled)
    assert ruled[0].then == "void-round-and-remove-deck"
    (asked,) = told(moment(), "foreign-card")
    assert isinstance(asked, ev.Asked)
    assert (asked.record, asked.unregulated) == ("", True), "the book rules on what a count finds only"
    without = told(moment(table=NO_ROUND), "dispute", **fact)
    assert [type(event) for event in without] == [ev.Ruled, ev.Asked]


def test_a_fact_that_the_record_has_not_is_part_of_the_question() -> None:
    said = record(moment(), "dispute", facts=("somebody-looked", "bets-closed", "during-deal"))
    assert said == "the record does not have: somebody looked, during deal"
    without = told(moment(table=NO_ROUND), "dispute", facts=("somebody-looked",))
    assert [type(event) for event in without] == [ev.Ruled, ev.Asked]
    assert record(moment(), "player-miscount", 1, facts=("somebody-looked",)) == "box 1 has 5 cards"
    up = record(moment(), "cards-exposed", cards=(2,), facts=("two-or-more",))
    assert up == "the card is the dealer's up-card, which all may see"
    one = record(moment(), "cards-exposed", cards=(3,), facts=("two-or-more",))
    assert one == "the record has one card of these"


@pytest.mark.parametrize("book", [SECTION10, RWS, EXCHANGE])
def test_what_the_record_itself_shows_is_ruled_on_when_a_player_says_it(book: Book) -> None:
    short = moment(book, boxes=boxes(ann={"cards": ANN.cards[:4]}), role="player")
    assert about(short, "player-miscount", 1)[0] == ("player-miscount", (1,), ())
    assert record(moment(book, role="player"), "missed-burn" if book is not RWS else "talking") != ""
    assert record(moment(book, replace(TABLE, mode="electronic"), role="player"), "interruption") == (
        "the record cannot tell"
    )
