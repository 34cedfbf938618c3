"""What an answer to a question may not be: every wrong one is refused with its reason, and the question stays open."""

import pytest

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Remedy
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.place import DEALER, box_place
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.show.offers import question_offers
from tests.table.test_driver import SIGN, stake
from tests.table.test_explain import also
from tests.table.test_out_of_time import at

WHY = "the camera shows it"


def live(book_id: str, *, stage: str = "dealt", side: bool = True) -> Driver:
    """A live table of two players, each with a side wager."""
    book = load_book(book_id)
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    driver = Driver(book, new_table(book, mode="live", awards=SIGN if posted else {}, reset=1_000_000))
    driver.open_bets(DECK)
    stake(driver, 2, side=side)
    driver.close_bets(5_000_000 if book.progressive is not None else None)
    driver.deal(None if stage == "dealt" else 1)
    return driver


def hand(driver: Driver, number: int) -> tuple[int, ...]:
    assert driver.table.round is not None
    return driver.table.round.boxes[number].cards


def told(driver: Driver, report: c.Report) -> int:
    """The question that a report becomes."""
    driver.must(report)
    return driver.table.questions[-1].number


def refused(driver: Driver, answer: c.GiveRuling) -> Refusal:
    before = driver.table
    found = driver.do(answer)
    assert isinstance(found, Refusal), "it was taken"
    assert driver.table is before
    return found


BOOKS = ["section10", "rws", "exchange", "washington", "colorado-required"]


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_claim_against_the_record_has_two_answers_and_each_needs_its_words(book_id: str) -> None:
    driver = live(book_id)
    number = told(driver, c.Report(mishap="player-miscount", boxes=(1,)))
    question = driver.table.questions[-1]
    own = hand(driver, 1)
    new = max(own) + 20

    def rule(then: Remedy = "correct-record", reason: str = WHY, **more: object) -> Refusal:
        return refused(driver, c.GiveRuling(question=number, then=then, reason=reason, role="house", **more))  # type: ignore[arg-type]

    was = c.HandWas(place=box_place(1), cards=(*own, new))
    assert rule("ask-house").reason == "that is the question, not an answer to it"
    assert rule("as-miscount").reason == "that is the question, not an answer to it"
    assert rule(reason="  ", corrects=(was,)).reason == "a decision needs a reason"
    assert rule(reason="  ", corrects=(was,)).clause == question.clause
    others: tuple[Remedy, ...] = ("void-round", "as-reported")
    for other_than in others:
        assert "the record stands, or it is corrected" in rule(other_than).reason
    assert (rule().reason, rule().clause) == ("say what the record should say", "BASE-input")
    same = rule(corrects=(c.HandWas(place=box_place(1), cards=own),))
    assert same.reason.startswith("the record would still say otherwise")
    twice = rule(corrects=(c.HandWas(place=box_place(1), cards=(*own, own[0])),))
    assert twice.reason == "a card comes twice"
    other = rule(corrects=(c.HandWas(place=box_place(1), cards=(*own, hand(driver, 2)[0])),))
    assert other.reason == "a card of these lies somewhere else on the record"
    nobody = rule(corrects=(c.HandWas(place=box_place(5), cards=(*own[:2], new)),))
    assert nobody.reason in ("box 5 is not in the round", "a card of these lies somewhere else on the record")
    assert rule(corrects=(c.LookWas(box=5, seen=True),)).reason == "box 5 is not in the round"
    assert rule(boxes=(17,), corrects=(was,)).reason in ("there is no box 17", "the table has no box 17")
    if driver.book.progressive is None:
        assert rule(corrects=(c.LightWas(box=1, lit=False),)).reason == "no wager of this book has a light"
    assert len(driver.table.questions) == 1


@pytest.mark.parametrize("book_id", BOOKS)
def test_nobody_answers_a_question_that_is_not_open(book_id: str) -> None:
    none = refused(live(book_id), c.GiveRuling(question=3, then="continue", reason=WHY))
    assert (none.reason, none.clause) == ("there is no open question 3", "BASE-question")


@pytest.mark.parametrize("book_id", ["exchange", "washington"])
def test_where_nothing_was_claimed_the_record_is_no_answer(book_id: str) -> None:
    driver = live(book_id)
    number = told(driver, c.Report(mishap="walk-away", boxes=(1,)))
    for then in ("record-stands", "correct-record", "as-reported"):
        no = refused(driver, c.GiveRuling(question=number, then=then, reason=WHY, role="house"))
        assert (no.reason, no.clause) == ("record and claim do not differ here", "BASE-record")
    also(driver, c.GiveRuling(question=number, then="deemed-fold", reason=WHY, role="house"))
    assert driver.table.holding is None


def test_a_look_is_no_matter_of_the_cards_of_a_hand() -> None:
    driver = live("exchange", stage="dealing")
    number = told(driver, c.Report(mishap="early-pick-up", boxes=(1,)))
    was = c.HandWas(place=box_place(1), cards=cards("2c 3c 4c 5c 7d"))
    no = refused(
        driver, c.GiveRuling(question=number, then="correct-record", reason=WHY, role="house", corrects=(was,))
    )
    assert (no.reason, no.clause) == ("early pick up is not about the cards of a hand", "BASE-record")


def test_the_card_that_was_bought_is_in_the_hand_whatever_the_record_is_corrected_to() -> None:
    driver = live("exchange")
    driver.look(1)
    gives = hand(driver, 1)[0]
    driver.must(c.Exchange(box=1, give=(gives,)))
    assert driver.table.round is not None
    bought = driver.table.round.boxes[1].take
    number = told(driver, c.Report(mishap="player-miscount", boxes=(1,)))
    without = tuple(one for one in hand(driver, 1) if one != bought)
    was = c.HandWas(place=box_place(1), cards=without)
    no = refused(
        driver, c.GiveRuling(question=number, then="correct-record", reason=WHY, role="house", corrects=(was,))
    )
    assert no.reason == "the card that was taken in the exchange is in the hand"


def test_a_dealers_hand_that_is_corrected_to_four_cards_gets_the_next_one() -> None:
    """CSP-10(m)(4): the fifth card of the dealer is the next of the deck."""
    driver = live("section10")
    number = told(driver, c.Report(mishap="dealer-miscount"))
    assert driver.table.round is not None
    four = driver.table.round.dealer[:-1]
    after = driver.shoe.ahead(driver.table.round)[0]
    was = c.HandWas(place=DEALER, cards=four)
    also(driver, c.GiveRuling(question=number, then="correct-record", reason=WHY, role="house", corrects=(was,)))
    assert driver.table.round.dealer == (*four, after)
    assert driver.table.round.found[-1].clause == "CSP-10(m)(4)#dealer-four"


MOMENTS = ("bets-opened", "staked", "closed", "dealing", "dealt", "done")


def expected(book_id: str, moment: str) -> tuple[Remedy, ...]:
    """What a dispute about box 1 may be answered with: what would change something then, the mildest first."""
    staked, dealt = moment in ("staked", "closed", "dealing", "dealt"), moment in ("dealing", "dealt")
    folds, cuts = book_id != "colorado-permissible", book_id.startswith(("section10", "colorado"))
    found: list[tuple[Remedy, bool]] = [
        *(("continue", True), ("stands", True), ("settle", True)),
        ("deemed-fold", staked and folds),
        ("deemed-stay", dealt and not folds),  # a card is laid aside with it, so that there must be cards
        ("void-hand", staked or moment == "done"),
        ("offer-choice-to-all", staked),
        ("void-round", True),
        ("reshuffle", not dealt),  # cards that are being dealt are not touched
        ("recut", cuts and not dealt and moment != "done"),
    ]
    return tuple(one for one, may in found if may)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("book_id", [*BOOKS, "colorado-permissible"])
def test_every_answer_that_would_change_something_is_offered_and_taken(book_id: str, moment: str) -> None:
    def disputed() -> Driver:
        driver = at(load_book(book_id), moment)
        driver.must(c.Report(mishap="dispute", boxes=(1,), role="supervisor"))
        return driver

    first = disputed()
    (offer,) = question_offers(first.book, first.table)
    assert offer.answers == expected(book_id, moment)
    question = first.table.questions[-1]
    for then in offer.answers:
        driver = disputed()
        also(driver, c.GiveRuling(question=question.number, then=then, reason=WHY, role="house"))
        after = driver.table.questions
        assert question.number not in [one.number for one in after], then
        assert [(one.of, one.boxes) for one in after] == (
            [("players", (1, 2))] if then == "offer-choice-to-all" else []
        )
        answered = [one for one in driver.events if isinstance(one, ev.Answered)]
        assert [(one.then, one.clause, one.reason) for one in answered] == [(then, question.clause, WHY)]


def test_a_player_who_is_deemed_to_stay_lays_the_last_card_aside() -> None:
    driver = live("colorado-permissible", side=False)
    driver.look(1)
    *_, last = hand(driver, 1)
    number = told(driver, c.Report(mishap="walk-away", boxes=(1,)))
    also(driver, c.GiveRuling(question=number, then="deemed-stay", reason=WHY, role="supervisor"))
    assert driver.table.round is not None
    assert driver.table.round.boxes[1].discard == last
    assert driver.table.round.boxes[1].choice == "stay"


def test_a_player_who_laid_a_card_aside_and_walks_away_stays_in_with_the_others() -> None:
    """CHP-38(l)(2)(i): no bet comes after the discard, so it is the decision."""
    driver = live("colorado-permissible", side=False)
    driver.look(1)
    first, *_ = hand(driver, 1)
    driver.must(c.Discard(box=1, card=first))
    driver.must(c.Report(mishap="walk-away", boxes=(1,)))
    assert not driver.table.questions
    assert driver.table.round is not None
    assert driver.table.round.boxes[1].discard == first
    assert driver.table.round.boxes[1].choice == "stay"


@pytest.mark.parametrize("book_id", [*BOOKS, "colorado-permissible"])
def test_where_all_may_choose_one_goes_on_and_one_has_the_stakes_back(book_id: str) -> None:
    driver = live(book_id)
    number = told(driver, c.Report(mishap="dispute", boxes=(1,), role="supervisor"))
    also(driver, c.GiveRuling(question=number, then="offer-choice-to-all", reason=WHY, role="house"))
    asked = driver.table.questions[-1].number
    for wrong in (
        c.Choose(question=asked, box=5, go_on=True),
        c.Choose(question=asked, box=1, go_on=True, by="player 2", role="player"),
        c.Choose(question=number, box=1, go_on=True),
    ):
        assert isinstance(driver.do(wrong), Refusal)
    everybody = refused(driver, c.GiveRuling(question=asked, then="void-round", reason=WHY, role="house"))
    assert everybody.reason == "the players concerned must choose"
    also(driver, c.Choose(question=asked, box=1, go_on=True))
    again = driver.do(c.Choose(question=asked, box=1, go_on=False))
    assert isinstance(again, Refusal)
    assert driver.table.holding is not None
    also(driver, c.Choose(question=asked, box=2, go_on=False))
    assert driver.table.holding is None
    assert driver.table.round is not None
    assert [box.number for box in driver.table.round.live] == [1]
    assert driver.table.accounts["player 2"] == 0
    assert driver.table.accounts["player 1"] < 0
