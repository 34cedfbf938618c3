"""What a player is offered: every offer of every stage of a round, in every book, with its amount and its cards."""

import pytest
from msgspec.structs import replace

from aceking.cards.card import card
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver
from aceking.table.show.offers import Offer, dealer_offers, is_free, player_offers, question_offers
from aceking.table.state import Box, TableState
from tests.table.test_driver import round_of
from tests.table.test_next_act import ORDER, a_driver, royal_for_ann


def in_words(offer: Offer) -> str:
    """An offer with its box, its amount or the limits of one, the cards, the question, and the answer."""
    amount = [] if offer.amount is None else [offer.amount]
    limits = [] if offer.least is None else [f"{offer.least}..{offer.most or ''}"]
    asked = [] if offer.question is None else [f"#{offer.question} {offer.go_on}"]
    return " ".join([offer.do, str(offer.box), *amount, *limits, *offer.cards, *asked])


def offered(driver: Driver, player: str) -> str:
    return ", ".join(in_words(one) for one in player_offers(driver.book, driver.table, player))


def changed(driver: Driver, number: int, **what: object) -> TableState:
    """The table with a box as it is not, for an eye that only looks."""
    current = round_of(driver)
    box: Box = replace(current.boxes[number], **what)
    return replace(driver.table, round=replace(current, boxes={**current.boxes, number: box}))


def to_ann(driver: Driver, table: TableState) -> str:
    return ", ".join(in_words(one) for one in player_offers(driver.book, table, "Ann"))


def betting(book: Book, **limits: int) -> Driver:
    driver = a_driver(book)
    driver.table = replace(driver.table, **limits)
    driver.open_bets(ORDER)
    return driver


def dealt(book: Book, *, side: bool = True) -> Driver:
    """Ann has ten and a side bet on box 2, Bob has five on box 3; cards from ORDER."""
    driver = betting(book)
    driver.must(c.Ante(box=2, player="Ann", amount=1000))
    if side:
        driver.must(c.SideBet(box=2, player="Ann", amount=100))
    driver.must(c.Ante(box=3, player="Bob", amount=500))
    driver.close_bets(5_000_000)
    driver.deal()
    return driver


SEATS = {"section10": 9, "washington": 9, "rws": 7, "exchange": 7, "colorado-required": 16, "colorado-permissible": 16}


def free(boxes: list[int], limits: str) -> list[str]:
    return [f"ante {number} {limits}" for number in boxes]


@pytest.mark.parametrize("book_id", SEATS)
def test_antes_on_free_boxes_within_the_limits_and_what_is_down_may_go_back(book_id: str) -> None:
    driver = betting(load_book(book_id), ante_min=500, ante_max=10_000)
    boxes = list(range(1, SEATS[book_id] + 1))
    assert offered(driver, "Ann").split(", ") == free(boxes, "5..100")
    driver.must(c.Ante(box=2, player="Ann", amount=1000))
    blind = ["bet 2 20"] if book_id == "exchange" else []
    own = ["ante 2 -10", "side-bet 2 1", *blind]
    # RWS alone lets a player have several boxes.
    others = free(boxes[2:], "5..100") if book_id == "rws" else []
    before = free([1], "5..100") if others else []
    assert offered(driver, "Ann").split(", ") == [*before, *own, *others]
    assert offered(driver, "Bob").split(", ") == free([1, *boxes[2:]], "5..100")
    driver.must(c.SideBet(box=2, player="Ann", amount=100))
    own[1] = "side-bet 2 -1"
    if blind:
        driver.must(c.Bet(box=2, player="Ann", amount=2000))
        own[2] = "bet 2 -20"
    assert offered(driver, "Ann").split(", ") == [*before, *own, *others]
    driver.close_bets(5_000_000)
    assert offered(driver, "Ann") == ("bet 2 -20" if blind else "")
    driver.deal(1)
    assert offered(driver, "Ann") == ("bet 2 -20" if blind else "")
    assert offered(driver, "Bob") == ""


def test_without_posted_limits_any_chip_is_an_ante_and_one_limit_may_stand_alone() -> None:
    for limits, told in (({}, "0.01.."), ({"ante_min": 700}, "7.."), ({"ante_max": 900}, "0.01..9")):
        driver = betting(load_book("section10"), **limits)
        assert offered(driver, "Ann").split(", ")[0] == f"ante 1 {told}"
    assert player_offers(driver.book, replace(driver.table, round=None), "Ann") == ()


def test_a_box_that_is_out_or_taken_is_no_offer_and_one_that_was_left_is() -> None:
    driver = betting(load_book("rws"), ante_min=500)
    driver.must(c.Ante(box=2, player="Ann", amount=1000))
    for out in ({"void": True}, {"forfeited": True}, {"player": "Bob"}):
        assert "2" not in [one.split()[1] for one in to_ann(driver, changed(driver, 2, **out)).split(", ")]
    # The chips are gone and with them the box: it is free for everybody.
    driver.must(c.Ante(box=2, player="Ann", amount=-1000))
    for player in ("Ann", "Bob"):
        assert "ante 2 5.." in offered(driver, player).split(", ")


def test_no_side_bet_is_offered_where_the_house_takes_none() -> None:
    book = with_options(load_book("colorado-required"), {"bonus-wager": "not-offered"})
    assert isinstance(book, Book)
    driver = betting(book)
    driver.must(c.Ante(box=2, player="Ann", amount=1000))
    assert offered(driver, "Ann") == "ante 2 -10"
    driver = betting(load_book("section10"))
    driver.must(c.Ante(box=2, player="Ann", amount=1000))
    assert offered(driver, "Ann") == "ante 2 -10, side-bet 2 1"
    assert to_ann(driver, replace(driver.table, course="play-without-jackpot")) == "ante 2 -10"


#: After the deal; Ann has looked; she has done what the column says; Bob has looked. Each time Ann's offers and Bob's.
FIVE, PACKET = "9h 8c 7d 6s 5h", "9h Ts Ah 8c Td"
STAGES: dict[str, list[tuple[str, str]]] = {
    "section10": [
        ("look 2", "look 3"),
        ("bet 2 20, fold 2, claim 2", "look 3"),
        ("claim 2", "look 3"),
        ("claim 2", "bet 3 10, fold 3"),
    ],
    "rws": [
        ("look 2, fold 2", "look 3, fold 3"),
        ("bet 2 20, fold 2, claim 2", "look 3, fold 3"),
        ("claim 2", "look 3, fold 3"),
        ("claim 2", "bet 3 10, fold 3"),
    ],
    "washington": [
        ("look 2, fold 2, bet 2 20", "look 3, fold 3, bet 3 10"),
        ("fold 2, bet 2 20, claim 2", "look 3, fold 3, bet 3 10"),
        ("claim 2", "look 3, fold 3, bet 3 10"),
        ("claim 2", "fold 3, bet 3 10"),
    ],
    "exchange": [
        ("look 2, fold 2, bet 2 20", "look 3"),
        (f"exchange 2 10 {PACKET}, fold 2, bet 2 20, claim 2", "look 3"),
        ("claim 2", "look 3, fold 3, bet 3 10"),
        ("claim 2", "exchange 3 5 Kd 7d 8h 9c 6s, fold 3, bet 3 10"),
    ],
    "colorado-required": [
        ("look 2", "look 3"),
        ("bet 2 10 9h 8c 7d, fold 2, declare 2", "look 3"),
        ("discard 2 9h 8c 7d", "look 3"),
        ("discard 2 9h 8c 7d", "bet 3 5 Ts Td 8h, fold 3, declare 3"),
    ],
    "colorado-permissible": [
        ("look 2", "look 3"),
        ("bet 2 10 9h 8c 7d, stay 2 9h 8c 7d, declare 2", "look 3"),
        ("discard 2 9h 8c 7d", "look 3"),
        ("discard 2 9h 8c 7d", "bet 3 5 Ts Td 8h, stay 3 Ts Td 8h, declare 3"),
    ],
}


@pytest.mark.parametrize("book_id", STAGES)
def test_looks_decisions_and_notices_of_two_boxes(book_id: str) -> None:
    driver = dealt(load_book(book_id))
    acts: list[c.Act | None] = [None, c.Look(box=2), c.Bet(box=2), c.Look(box=3)]
    for act, (ann, bob) in zip(acts, STAGES[book_id], strict=True):
        if act is not None:
            driver.must(act)
        assert (offered(driver, "Ann"), offered(driver, "Bob")) == (ann, bob)
        assert offered(driver, "Cy") == ""


@pytest.mark.parametrize("choice", ["bet", "stay"])
def test_a_card_is_laid_aside_once_by_who_goes_on(choice: str) -> None:
    driver = dealt(load_book("colorado-permissible"))
    driver.must(c.Look(box=2))
    driver.must(c.Bet(box=2) if choice == "bet" else c.Stay(box=2))
    assert offered(driver, "Ann") == "discard 2 9h 8c 7d"
    assert to_ann(driver, changed(driver, 2, racked=True)) == ""
    assert to_ann(driver, changed(driver, 2, seen=False)) == "look 2"
    driver.must(c.Discard(box=2, card=card("8c")))
    assert offered(driver, "Ann") == ""


def test_who_has_exchanged_is_offered_no_second_exchange() -> None:
    driver = dealt(load_book("exchange"))
    driver.must(c.Look(box=2))
    driver.must(c.Exchange(box=2, give=(card("9h"),)))
    assert offered(driver, "Ann") == "fold 2, bet 2 20, claim 2"


def test_a_blind_bet_may_be_played_changed_or_given_up_when_its_turn_comes() -> None:
    driver = betting(load_book("exchange"))
    for number, player in ((2, "Ann"), (3, "Bob")):
        driver.must(c.Ante(box=number, player=player, amount=1000))
    driver.must(c.Bet(box=2, player="Ann", amount=2000))
    driver.close_bets()
    driver.deal()
    # The dealer goes past a bet that lies there; until then its player may look and think again.
    assert offered(driver, "Ann") == "look 2, fold 2, bet 2 20"
    assert offered(driver, "Bob") == "look 3, fold 3, bet 3 20"
    driver.must(c.Look(box=2))
    assert offered(driver, "Ann") == f"exchange 2 10 {PACKET}, fold 2, bet 2 20"
    driver.must(c.Fold(box=3))
    assert offered(driver, "Ann") == ""


def test_no_notice_is_offered_of_a_hand_without_a_side_bet_twice_or_too_late() -> None:
    driver = dealt(load_book("section10"), side=False)
    driver.must(c.Look(box=2))
    assert offered(driver, "Ann") == "bet 2 20, fold 2"
    driver = dealt(load_book("section10"))
    assert "claim 2" not in offered(driver, "Ann").split(", ")
    driver.must(c.Look(box=2))
    assert to_ann(driver, changed(driver, 2, racked=True)) == ""
    driver.must(c.Claim(box=2))
    assert offered(driver, "Ann") == "bet 2 20, fold 2"
    # A hand for a share of the meter is told when it is seen.
    driver = royal_for_ann(load_book("exchange"))
    assert "claim 2" in offered(driver, "Ann").split(", ")
    driver.must(c.Bet(box=2))
    assert offered(driver, "Ann") == ""


def test_cards_that_are_away_or_wrong_in_number_are_no_offer() -> None:
    driver = dealt(load_book("section10"))
    assert to_ann(driver, changed(driver, 2, cards=())) == ""
    assert to_ann(driver, changed(driver, 2, racked=True)) == ""
    driver.must(c.Look(box=2))
    for wrong in ({"racked": True}, {"cards": round_of(driver).boxes[2].cards[:4]}, {"choice": "fold"}):
        assert "bet" not in to_ann(driver, changed(driver, 2, **wrong))
    for out in ({"void": True}, {"forfeited": True}, {"player": "Bob"}):
        assert to_ann(driver, changed(driver, 2, **out)) == ""


def test_while_a_person_of_rank_is_asked_only_players_questions_are_offered() -> None:
    driver = dealt(load_book("washington"))
    assert not isinstance(driver.do(c.Report(mishap="interruption")), Refusal)
    assert offered(driver, "Ann") == ""
    (asked,) = question_offers(driver.book, driver.table)
    assert (asked.do, asked.box, asked.question) == ("rule", None, 1)
    assert dealer_offers(driver.book, driver.table) == ()


def test_the_dealer_is_offered_the_report_of_a_hand_that_lacks_a_card() -> None:
    driver = dealt(load_book("section10"))
    short = changed(driver, 2, cards=round_of(driver).boxes[2].cards[:4])
    assert dealer_offers(driver.book, short) == (Offer(do="report", box=2),)
    current = round_of(driver)
    lacks = replace(driver.table, round=replace(current, dealer=current.dealer[:4]))
    assert dealer_offers(driver.book, lacks) == (Offer(do="report"),)


def test_what_is_free_is_what_gate_and_book_let_pass_without_a_breach() -> None:
    driver = dealt(load_book("section10"))
    for act, passes in (
        (c.Look(box=2, player="Ann"), True),
        (c.Look(box=2, player="Ann", at=-1), False),
        (c.Look(box=2, player="Bob"), False),
        (c.Look(box=2, role="device"), False),
    ):
        assert is_free(driver.book, driver.table, act) is passes


def test_a_choice_is_offered_to_those_it_concerns_and_to_nobody_else() -> None:
    driver = dealt(load_book("section10"))
    driver.table = replace(driver.table, mode="live")
    assert not isinstance(driver.do(c.Report(mishap="dispute", boxes=(2,), role="supervisor")), Refusal)
    first = driver.table.questions[-1].number
    choice = c.GiveRuling(question=first, then="offer-choice-to-all", reason="so it is", role="house")
    assert not isinstance(driver.do(choice), Refusal)
    asked = driver.table.questions[-1].number
    assert offered(driver, "Ann") == f"choose 2 #{asked} True, choose 2 #{asked} False"
    assert offered(driver, "Bob") == f"choose 3 #{asked} True, choose 3 #{asked} False"
    assert offered(driver, "Cy") == ""
    # It is for players: no person of rank answers it for them.
    assert asked not in [one.question for one in question_offers(driver.book, driver.table)]
    # Who lacks a card of a deal that is over cannot go on with the hand.
    assert to_ann(driver, changed(driver, 2, cards=round_of(driver).boxes[2].cards[:4])) == f"choose 2 #{asked} False"
    assert not isinstance(driver.do(c.Choose(question=asked, box=2, go_on=True)), Refusal)
    assert offered(driver, "Ann") == ""
    assert offered(driver, "Bob") == f"choose 3 #{asked} True, choose 3 #{asked} False"


def test_while_the_cards_are_dealt_a_hand_that_is_not_whole_yet_may_go_on() -> None:
    driver = betting(load_book("section10"))
    driver.must(c.Ante(box=2, player="Ann", amount=1000))
    driver.close_bets()
    driver.deal(3)
    driver.table = replace(driver.table, mode="live")
    assert not isinstance(driver.do(c.Report(mishap="dispute", boxes=(2,), role="supervisor")), Refusal)
    choice = c.GiveRuling(
        question=driver.table.questions[-1].number, then="offer-choice-to-all", reason="so it is", role="house"
    )
    assert not isinstance(driver.do(choice), Refusal)
    asked = driver.table.questions[-1].number
    assert offered(driver, "Ann") == f"choose 2 #{asked} True, choose 2 #{asked} False"
