"""What the table works out by itself, moment by moment: all of it, so that nothing is there that does not hold."""

import pytest

from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.words import Circumstance, Mishap
from aceking.table import commands as c
from aceking.table.cards.place import DEALER, box_place
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.mishaps.circumstances import circumstances
from tests.table.test_driver import SIGN, round_of, stake
from tests.table.test_explain import also
from tests.table.test_out_of_time import at

STUD = ("section10", "washington")
COLORADO = ("colorado-required", "colorado-permissible")
#: Of a box whose player has not looked, while its decision is owed.
WAITS = {"decision-owed", "before-last-decision", "unseen", "nobody-looked"}
BEFORE_REVEAL = {"this-round", "before-next-round", "before-reveal", "no-outcome", "one"}
BY_MOMENT: dict[str, set[str]] = {
    "table-opened": {"later-rounds", "before-first-card", "before-next-round"},
    "bets-opened": BEFORE_REVEAL
    | {"bets-open", "before-no-more-bets", "before-first-card", "misdealt", "no-decision-owed", "nobody-looked"},
    "staked": BEFORE_REVEAL | WAITS | {"bets-open", "before-no-more-bets", "before-first-card", "misdealt"},
    "closed": BEFORE_REVEAL | WAITS | {"bets-closed", "during-deal", "before-first-card", "misdealt"},
    "dealing": BEFORE_REVEAL | WAITS | {"bets-closed", "during-deal", "misdealt"},
    "dealt": BEFORE_REVEAL | WAITS | {"bets-closed", "after-deal", "not-misdealt"},
    "done": {
        *("later-rounds", "before-next-round", "bets-closed", "after-deal", "not-misdealt", "no-decision-owed"),
        *("somebody-looked", "outcome-established", "stub-mixed", "one"),
    },
}


def known(
    driver: Driver,
    mishap: Mishap = "walk-away",
    boxes: tuple[int, ...] = (1,),
    cards: tuple[int, ...] = (),
    reported: frozenset[Circumstance] = frozenset(),
) -> set[str]:
    return {*circumstances(driver.book, driver.table, driver.shoe, mishap, boxes=boxes, cards=cards, reported=reported)}


@pytest.mark.parametrize("moment", BY_MOMENT)
@pytest.mark.parametrize("book_id", [*STUD, *COLORADO])
def test_what_holds_at_each_moment_of_a_round(book_id: str, moment: str) -> None:
    driver = at(load_book(book_id), moment)
    expected = set(BY_MOMENT[moment])
    if book_id in STUD and moment != "table-opened":
        # No dealer's hand lacks just one card at these moments; the up-card shows when all are dealt.
        expected |= {"dealer-has-other", "after-up-card" if moment in ("dealt", "done") else "before-up-card"}
    assert known(driver) == expected


def _live(book_id: str) -> Driver:
    book = load_book(book_id)
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    driver = Driver(book, new_table(book, mode="live", awards=SIGN if posted else {}, reset=1_000_000))
    driver.open_bets(DECK)
    stake(driver, 2, side=False)
    driver.close_bets(5_000_000 if book.progressive is not None else None)
    return driver


def test_whose_card_it_is_and_how_many_they_are() -> None:
    driver = _live("section10")
    driver.deal()
    current = round_of(driver)
    dealer, player = current.dealer[1], current.boxes[1].cards[0]
    kinds = {"dealer-card", "community-card", "player-card"}
    assert known(driver, "cards-exposed", (), (dealer,)) & kinds == {"dealer-card"}
    assert known(driver, "cards-exposed", (), (player,)) & kinds == {"player-card"}
    assert known(driver, "cards-exposed", (), (dealer, player)) & {*kinds, "one", "two-or-more"} == {
        *("dealer-card", "player-card", "two-or-more"),
    }
    # The same card twice is one; the up-card is not exposed by mistake.
    assert current.up is not None
    assert "one" in known(driver, "cards-exposed", (), (player, player))
    assert "one" in known(driver, "cards-exposed", (), (player, current.up))
    colorado = _live("colorado-required")
    colorado.deal()
    assert known(colorado, "cards-exposed", (), round_of(colorado).community[:1]) & kinds == {"community-card"}


@pytest.mark.parametrize("mishap", ["boxed-card", "card-drawn-in-error"])
@pytest.mark.parametrize(
    ("dealt", "whose"), [(0, "player-card"), (1, "player-card"), (2, "dealer-card"), (5, "dealer-card")]
)
def test_a_card_that_is_still_to_come_is_whose_turn_it_is(mishap: Mishap, dealt: int, whose: str) -> None:
    driver = _live("section10")
    driver.deal(dealt)
    assert known(driver, mishap, ()) & {"dealer-card", "player-card", "in-stack"} == {whose}


def test_of_two_boxes_of_one_player_each_is_one_of_several() -> None:
    assert "several-boxes" not in known(_live("rws"))
    other = Driver(load_book("rws"))
    other.open_bets(DECK)
    for number, player in ((1, "Ann"), (2, "Ann"), (3, "Bob")):
        other.must(c.Ante(box=number, player=player, amount=1000))
    assert "several-boxes" in known(other, boxes=(1, 2))
    assert "several-boxes" not in known(other, boxes=(1, 3))
    assert "several-boxes" not in known(other, boxes=(3,))
    assert "several-boxes" not in known(other, boxes=())


def test_who_has_looked_and_who_has_decided() -> None:
    driver = _live("section10")
    driver.deal()
    driver.look(1)
    people = {"somebody-looked", "nobody-looked", "unseen", "decision-owed", "no-decision-owed"}
    assert known(driver, boxes=(1,)) & people == {"somebody-looked", "decision-owed"}
    assert known(driver, boxes=(2,)) & people == {"somebody-looked", "decision-owed", "unseen"}
    assert known(driver, boxes=()) & people == {"somebody-looked", "no-decision-owed"}
    driver.must(c.Fold(box=1))
    assert known(driver, boxes=(1,)) & people == {"somebody-looked", "no-decision-owed"}
    assert {"before-last-decision", "outcome-established"} <= known(driver), "a fold is lost; box 2 has still to decide"
    driver.look(2)
    driver.must(c.Bet(box=2))
    assert "before-last-decision" not in known(driver)
    driver.must(c.Reveal())
    assert not {"before-reveal", "before-last-decision"} & known(driver)


@pytest.mark.parametrize(("book_id", "cards"), [("section10", 4), ("section10", 3), ("section10", 6)])
def test_a_dealers_hand_that_lacks_one_card_is_told_from_any_other(book_id: str, cards: int) -> None:
    driver = _live(book_id)
    driver.deal()
    dealer = (*round_of(driver).dealer, 50)[:cards]
    question = c.Report(mishap="dealer-miscount")
    driver.must(question)
    answer = c.GiveRuling(
        question=1,
        then="correct-record",
        reason="seen",
        role="house",
        corrects=(c.HandWas(place=DEALER, cards=dealer),),
    )
    also(driver, answer)
    ruled = round_of(driver).found[-1]
    assert ruled.mishap == "dealer-miscount"
    assert ruled.clause == ("CSP-10(m)(4)#dealer-four" if cards == 4 else "CSP-10(m)(4)#dealer-other")


def test_a_hand_with_a_card_too_few_is_misdealt_and_a_void_one_is_not() -> None:
    driver = _live("rws")
    driver.deal()
    assert "not-misdealt" in known(driver)
    driver.must(c.Report(mishap="player-miscount", boxes=(1,)))
    short = c.HandWas(place=box_place(1), cards=round_of(driver).boxes[1].cards[:-1])
    also(driver, c.GiveRuling(question=1, then="correct-record", reason="seen", role="house", corrects=(short,)))
    void = round_of(driver).boxes[1].void
    assert ("misdealt" in known(driver)) is not void


def test_only_what_people_alone_can_know_is_taken_from_them() -> None:
    driver = _live("section10")
    reported: frozenset[Circumstance] = frozenset({"intentional", "somebody-looked", "after-deal", "two-or-more"})
    heard = known(driver, reported=reported)
    assert {"intentional", "two-or-more"} <= heard
    assert not {"somebody-looked", "after-deal", "one"} & heard
    # How many cards there were is counted where they are named.
    assert "one" in known(driver, "cards-exposed", cards=(50,), reported=reported)


def test_a_mishap_of_the_cards_told_before_the_first_card_is_of_the_round_before() -> None:
    driver = at(load_book("section10"), "done")
    assert "before-next-round" in known(driver, "player-miscount")
    driver.open_bets(DECK)
    assert "after-next-round" in known(driver, "player-miscount")
    assert "after-next-round" in known(driver, "boxed-card")
    assert "before-next-round" in known(driver, "walk-away")
    stake(driver, 1, side=False)
    driver.close_bets(5_000_000)
    # At the top of the deck lie the cards of this round.
    assert "before-next-round" in known(driver, "boxed-card")
    assert "after-next-round" in known(driver, "player-miscount")
    driver.deal(1)
    assert "before-next-round" in known(driver, "player-miscount")
    assert "after-next-round" in known(driver, "late-found-error")
    first = at(load_book("section10"), "bets-opened")
    assert "before-next-round" in known(first, "player-miscount"), "there was no round before"
    assert "before-next-round" in known(first, "late-found-error")
