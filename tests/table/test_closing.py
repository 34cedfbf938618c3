"""From the reveal to the end: what a handler does by itself, its events to the last field, or its refusal."""

from collections.abc import Callable

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver
from aceking.table.moment import Done
from aceking.table.money.settling import owed
from aceking.table.phases import closing
from tests.table.handled import COLORADO, EXCHANGE, RWS, STUD, award_of, boxed, decided, events, in_round, no, now
from tests.table.test_driver import round_of
from tests.table.test_next_act import royal_for_ann
from tests.table.test_out_of_time import at


def test_cards_are_revealed_when_everybody_has_decided() -> None:
    driver = decided(STUD)
    assert closing.reveal(now(driver), c.Reveal()) == []
    for phase in ("betting", "closed", "dealing", "revealed"):
        no(closing.reveal(in_round(driver, phase=phase), c.Reveal()), "BASE-time", "there is nothing to reveal now")
    owing = closing.reveal(boxed(driver, 2, choice=None), c.Reveal())
    no(owing, STUD.cite("decide.choices"), "box 2 has not decided")
    colorado = decided(COLORADO)
    assert closing.reveal(now(colorado), c.Reveal()) == []
    keeps = closing.reveal(boxed(colorado, 2, discard=None), c.Reveal())
    no(keeps, COLORADO.cite("bet.antes"), "box 2 has not discarded")
    assert closing.reveal(boxed(colorado, 2, discard=None, choice="fold"), c.Reveal()) == []
    # A blind bet on which the dealer never came back is a bet.
    blind = decided(EXCHANGE)
    stands = ev.Decided(box=2, choice="bet", clause=EXCHANGE.cite("bet.blind"))
    assert closing.reveal(boxed(blind, 2, choice=None), c.Reveal()) == [stands]


def test_a_major_hand_that_nobody_declared_is_ruled_on_at_the_reveal() -> None:
    driver = royal_for_ann(EXCHANGE)
    driver.must(c.Bet(box=2))
    for number in (3, 5):
        driver.must(c.Fold(box=number))
    done = events(closing.reveal(now(driver), c.Reveal()))
    ruled = [(one.mishap, one.boxes) for one in done if isinstance(one, ev.Ruled | ev.Asked)]
    assert ruled[0] == ("major-hand-undeclared", (2,))
    for told in ({"claimed": True}, {"seen": False}, {"choice": "fold", "bet": 0}):
        assert closing.reveal(boxed(driver, 2, **told), c.Reveal()) == []


def test_a_hand_is_turned_after_the_reveal_where_there_is_one() -> None:
    driver = decided(STUD)
    no(closing.turn_hand(now(driver), c.TurnHand(box=1)), "BASE-time", "hands are turned after the reveal")
    driver.must(c.Reveal())
    assert closing.turn_hand(now(driver), c.TurnHand(box=1)) == []
    for gone in ({"cards": ()}, {"racked": True}, {"void": True}):
        no(
            closing.turn_hand(boxed(driver, 1, **gone), c.TurnHand(box=1)),
            "BASE-box",
            "box 1 has no hand to turn",
        )
    no(closing.turn_hand(now(driver), c.TurnHand(box=5)), "BASE-box", "box 5 has no hand to turn")
    assert closing.reckon_now(now(driver), c.Reckon()) == []
    assert closing.reckon_now(now(at(STUD, "done")), c.Reckon()) == []
    no(closing.reckon_now(now(decided(STUD)), c.Reckon()), "BASE-time", "the cards are not shown yet")


def settled(book: Book, *, bets: tuple[int, ...] = (1, 2)) -> Driver:
    driver = decided(book, bets=bets)
    driver.until(lambda act: isinstance(act, c.CollectChips | c.Pay) and bool(round_of(driver).settled))
    return driver


def test_chips_are_moved_once_for_the_box_that_is_named() -> None:
    driver = settled(RWS)
    current = round_of(driver)
    ways: list[tuple[bool, Callable[..., Done], type[c.CollectChips | c.Pay]]] = [
        (True, closing.collect_chips, c.CollectChips),
        (False, closing.pay, c.Pay),
    ]
    for take, handler, act in ways:
        for number in (1, 2):
            own = [
                ev.Moved(line=place, clause=line.clause)
                for place, line in enumerate(current.lines)
                if line.seat == number and line.wager != "side" and (line.outcome == "lose") is take
            ]
            done = handler(now(driver), act(box=number))
            if own:
                assert [one for one in events(done) if isinstance(one, ev.Moved)][: len(own)] == own
            else:
                assert isinstance(done, Refusal) or take
        none = handler(now(driver), act(box=5))
        no(none, "BASE-chips", "there is nothing to move for that box")
        early = handler(now(decided(RWS)), act(box=1))
        no(early, "BASE-time", "nothing is settled yet")
        over = handler(now(at(RWS, "table-opened")), act(box=1))
        no(over, "BASE-time", "nothing is settled yet")


def test_side_chips_that_went_to_the_tray_are_taken_on_the_record_and_move_nothing() -> None:
    driver = at(STUD, "closed")
    assert closing.collect_chips(now(driver), c.CollectChips(box=1)) == []
    assert closing.collect_chips(now(driver), c.CollectChips()) == []
    no(closing.collect_chips(now(driver), c.CollectChips(box=5)), "BASE-time", "nothing is settled yet")
    no(closing.pay(now(driver), c.Pay(box=1)), "BASE-time", "nothing is settled yet")
    dealt = at(STUD, "dealing")
    no(closing.collect_chips(now(dealt), c.CollectChips(box=1)), "BASE-time", "nothing is settled yet")


def test_cards_go_to_the_rack_when_their_chips_are_settled() -> None:
    driver = settled(STUD)
    order = STUD.cite("collection.order")
    no(closing.collect_cards(now(driver), c.CollectCards(box=1)), order, "box 1 is not settled")
    no(closing.collect_cards(now(driver), c.CollectCards()), "BASE-time", "box 1 still has its cards")
    void = events(closing.collect_cards(boxed(driver, 1, void=True), c.CollectCards(box=1)))
    assert isinstance(void[0], ev.Racked)
    for gone in ({"cards": ()}, {"racked": True}):
        no(
            closing.collect_cards(boxed(driver, 1, **gone), c.CollectCards(box=1)),
            "BASE-time",
            "there are no cards to collect",
        )
    no(closing.end_round(now(driver), c.EndRound()), order, f"box {first_owed(driver)} is not settled")
    early = decided(STUD, bets=(1,))
    no(closing.end_round(now(early), c.EndRound()), order, "the round is not settled")
    no(closing.collect_cards(now(early), c.CollectCards(box=1)), order, "box 1 is not settled")
    no(closing.collect_cards(now(at(STUD, "done")), c.CollectCards()), "BASE-time", "there is no round")
    driver.until(lambda act: isinstance(act, c.CollectCards) and act.box is None)
    no(closing.end_round(now(driver), c.EndRound()), order, "the cards of dealer are not in the rack")
    driver.must(c.CollectCards())
    no(closing.collect_cards(now(driver), c.CollectCards()), "BASE-time", "there are no cards to collect")
    ended = ev.RoundEnded(at=7, counted=round_of(driver).counted, clause="X")
    assert closing.end_round(now(driver, "X"), c.EndRound()) == [ended]
    for phase in ("done", "void"):
        over = closing.end_round(in_round(driver, phase=phase), c.EndRound())
        no(over, "BASE-time", "there is no round to end")


def first_owed(driver: Driver) -> int:
    return owed(round_of(driver))[0][1].seat


def test_the_hand_of_an_award_stays_until_its_papers_are_done() -> None:
    driver = award_of(STUD, c.CompletePapers)
    waits = closing.collect_cards(now(driver), c.CollectCards(box=2))
    no(waits, STUD.cite("collection.holds_for_papers"), "the hand stays until its papers are done")
    driver.must(c.CompletePapers(box=2))
    assert isinstance(closing.collect_cards(now(driver), c.CollectCards(box=2)), list)
