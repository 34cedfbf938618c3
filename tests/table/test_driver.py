"""All six books through the driver: whole rounds, counts, cuts, and ways of dealing."""

import random

import msgspec
import pytest

from aceking.cards.card import CardId, card, cards, names
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.place import DEALER, box_place
from aceking.table.dealer.driver import Driver, DriverError, new_table
from aceking.table.dealer.next_act import due
from aceking.table.state import Deck, Round, TableState, balance
from tests.table.rebuilt import hands_from

SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}
#: Every way of dealing and shuffling that a book leaves to its house.
WAYS = [
    (book_id, name, value)
    for book_id in book_ids()
    for name in ("dealing-method", "shuffle-method", "second-deck", "stub-count", "ecs-burn", "up-card-method")
    if name in load_book(book_id).options
    for value in load_book(book_id).options[name].values
]


def table_of(book: Book) -> TableState:
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    return new_table(book, awards=SIGN if posted else {}, reset=1_000_000)


def a_deck(chance: random.Random) -> list[int]:
    return chance.sample(range(52), 52)


def stake(driver: Driver, boxes: int, *, side: bool) -> None:
    rules = driver.book.progressive or driver.book.bonus
    assert rules is not None
    for number in range(1, boxes + 1):
        driver.must(c.Ante(box=number, player=f"player {number}", amount=1000))
        if side and rules is not None:
            driver.must(c.SideBet(box=number, player=f"player {number}", amount=rules.stake))


def play(driver: Driver, chance: random.Random) -> None:
    """Every box looks and does something that the book offers."""
    for number in [box.number for box in round_of(driver).dealt_in]:
        driver.look(number)
        box = round_of(driver).boxes[number]
        if "exchange" in driver.book.decide.choices and chance.random() < 0.5:
            driver.must(c.Exchange(box=number, give=(box.cards[0],)))
        choice = chance.choice([one for one in driver.book.decide.choices if one in ("bet", "fold", "stay")])
        discard = box.cards[2] if driver.book.hands.discards and choice != "fold" else None
        acts = {"bet": c.Bet(box=number, discard=discard), "stay": c.Stay(box=number, discard=discard)}
        driver.must(acts.get(choice, c.Fold(box=number)))


def round_of(driver: Driver) -> Round:
    assert driver.table.round is not None
    return driver.table.round


def whole_round(driver: Driver, chance: random.Random, *, boxes: int, side: bool = True) -> None:
    driver.open_bets(a_deck(chance))
    stake(driver, boxes, side=side)
    driver.close_bets(5_000_000 if driver.book.progressive is not None else None)
    driver.deal()
    play(driver, chance)
    driver.finish()


def test_several_rounds_of_each_book_without_a_breach(book: Book) -> None:
    chance = random.Random(7)
    driver = Driver(book, table_of(book))
    for number in range(1, 13):
        whole_round(driver, chance, boxes=1 + number % 4)
        assert round_of(driver).phase == "done"
        assert driver.table.rounds == number
        assert balance(driver.table.accounts) == 0
        assert driver.table.accounts.get("layout", 0) == 0
    assert driver.table.violations == 0


def chosen(book_id: str, option: str, value: str) -> Book:
    """A book with one of its ways; it may want a shuffling device for a way of dealing, or for a second deck."""
    options: dict[str, object] = {option: value}
    if option in ("dealing-method", "second-deck", "stub-count") and "shuffle-method" in load_book(book_id).options:
        options["shuffle-method"] = "automated"
    book = with_options(load_book(book_id), options)
    assert isinstance(book, Book)
    return book


@pytest.mark.parametrize(("book_id", "option", "value"), WAYS)
def test_every_way_of_dealing_and_shuffling(book_id: str, option: str, value: str) -> None:
    book = chosen(book_id, option, value)
    chance = random.Random(3)
    driver = Driver(book, table_of(book))
    for _ in range(6):
        whole_round(driver, chance, boxes=2)
    assert (driver.table.rounds, driver.table.violations) == (6, 0)


def test_the_stub_is_counted_every_fifth_round_and_no_other() -> None:
    book = load_book("section10")
    assert book.stub is not None
    assert book.stub.count_rounds == 5
    driver = Driver(book, table_of(book))
    chance = random.Random(1)
    counted = []
    for number in range(1, 12):
        driver.events.clear()
        whole_round(driver, chance, boxes=1)
        if any(isinstance(one, ev.Acted) and one.act == "stub-count" for one in driver.events):
            counted.append(number)
    assert counted == [5, 10]


def test_a_manual_shuffle_is_cut_and_an_automated_one_is_not() -> None:
    for method, cuts in (("manual", 1), ("automated", 0)):
        book = with_options(load_book("section10"), {"shuffle-method": method})
        assert isinstance(book, Book)
        driver = Driver(book, table_of(book))
        driver.open_bets(DECK)
        assert sum(isinstance(one, ev.WasCut) for one in driver.events) == cuts
        # The order that was asked for is the order of the deal all the same.
        assert driver.shoe.ahead(round_of(driver)) == DECK


ORDER = cards("Ts Ah Td Kd 8h 9c 5s 6s 2d 3d 4c")
FULL = (*ORDER, *(one for one in DECK if one not in ORDER))
G40 = {
    "section10": ("Ts Td 8h 5s 2d", "Ah Kd 9c 6s 3d", "Ah"),
    "rws": ("Ah Kd 9c 6s 3d", "Td 8h 5s 2d 4c", "4c"),
    "exchange": ("Ts Ah Td Kd 8h", "9c 5s 6s 2d 3d", "3d"),
    "washington": ("Ts Td 8h 5s 2d", "Ah Kd 9c 6s 3d", "3d"),
}


@pytest.mark.parametrize("book_id", G40)
def test_the_same_deck_gives_each_book_its_own_hands(book_id: str) -> None:
    box, dealer, up = G40[book_id]
    book = load_book(book_id)
    driver = Driver(book, table_of(book))
    driver.open_bets(FULL)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    driver.close_bets()
    driver.deal()
    current = round_of(driver)
    assert names(tuple(CardId(one) for one in current.boxes[1].cards)) == box
    assert names(tuple(CardId(one) for one in current.dealer)) == dealer
    assert current.up == card(up)
    assert hands_from(book, [1], FULL)[box_place(1)] == current.boxes[1].cards


def test_the_driver_says_what_was_refused() -> None:
    driver = Driver(load_book("section10"))
    driver.open_bets(DECK)
    with pytest.raises(DriverError, match="nobody has staked an ante"):
        driver.close_bets()


def test_what_is_due_waits_for_the_word_that_betting_may_close() -> None:
    driver = Driver(load_book("section10"))
    driver.open_bets(DECK)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    assert due(driver.book, driver.table, betting_may_close=False) is None
    assert isinstance(due(driver.book, driver.table), c.CloseBets)


#: By which clause somebody is asked about a player who is gone, and whether it is a ruling; RWS-5.5 folds at once.
TIME_OUT = {
    "colorado-permissible": ("CHP-38(l)(2)", True),
    "colorado-required": ("CHP-38(k)(2)#ask", True),
    "exchange": ("EUR-p26-dispute", False),
    "rws": (None, True),
    "section10": ("CSP-10(f)(6)", True),
    "washington": ("WA-7", False),
}


def test_an_unattended_table_goes_on_after_a_time_out_by_the_posted_rule(book: Book) -> None:
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    table = new_table(book, decide_seconds=20, attended=False, awards=SIGN if posted else {})
    driver = Driver(book, table)
    driver.open_bets(DECK)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    driver.close_bets()
    driver.deal()
    turn = round_of(driver).turn_at
    assert due(driver.book, driver.table, at=turn + 19_999) is None
    act = due(driver.book, driver.table, at=turn + 20_000)
    assert act == c.TimeOut(box=1, at=turn + 20_000)
    assert isinstance(act, c.TimeOut)
    assert isinstance(driver.do(c.TimeOut(box=1, at=turn + 19_999)), Refusal)
    driver.must(act)
    answers = [one for one in driver.events if isinstance(one, ev.Answered)]
    ruled = [one for one in driver.events if isinstance(one, ev.Ruled)]
    clause, is_ruled = TIME_OUT[book.id]
    assert (bool(answers), bool(ruled)) == (clause is not None, is_ruled), "the ruling is on the record"
    assert driver.table.holding is None
    goes_on = book.id == "colorado-permissible"  # nobody folds there
    decided = next(one for one in driver.events if isinstance(one, ev.Decided))
    assert (decided.choice, decided.deemed) == ("stay" if goes_on else "fold", True)
    for one in answers:
        assert (one.by, one.then) == ("house", f"deemed-{decided.choice}")
        assert "posted rule" in (one.reason or "")
        assert one.clause == decided.clause == clause
    aside = [one.card for one in driver.events if isinstance(one, ev.Discarded)]
    assert aside == ([round_of(driver).boxes[1].cards[-1]] if goes_on else []), "the last card that was dealt"
    driver.finish()
    assert round_of(driver).phase == "done"
    assert round_of(driver).boxes[1].choice == decided.choice


def test_the_undealt_order_is_in_no_state_and_no_event() -> None:
    driver = Driver(load_book("section10"))
    driver.open_bets(DECK)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    driver.close_bets()
    driver.deal()
    left = set(driver.shoe.ahead(round_of(driver)))
    assert len(left) == 42
    told = {one.card for one in driver.events if isinstance(one, ev.Dealt)}
    assert not told & left
    assert "order" not in {*Round.__struct_fields__, *Deck.__struct_fields__, *ev.Shuffled.__struct_fields__}


@pytest.mark.parametrize("book_id", ["section10", "colorado-required"])
@pytest.mark.parametrize("decided", [False, True])
def test_a_count_that_becomes_due_after_the_cards_were_released_is_due_before_play_goes_on(
    book_id: str, *, decided: bool
) -> None:
    book = load_book(book_id)
    driver = Driver(book, table_of(book))
    driver.open_table()
    driver.open_bets(a_deck(random.Random(5)))
    stake(driver, 1, side=False)
    driver.close_bets()
    driver.deal()
    driver.look(1)
    assert not round_of(driver).counted
    if decided:
        driver.must(c.Fold(box=1))
    late = {name: msgspec.structs.replace(deck, rounds_uncounted=99) for name, deck in driver.table.decks.items()}
    driver.table = msgspec.structs.replace(driver.table, decks=late, rounds_uncounted=99)
    if not decided:
        assert isinstance(driver.do(c.Fold(box=1)), Refusal)
        driver.until(lambda act: not isinstance(act, c.CountStub))
        assert round_of(driver).counted
        driver.must(c.Fold(box=1))
    driver.finish()
    assert round_of(driver).counted
    assert round_of(driver).phase == "done"


def test_a_card_found_boxed_before_the_lock_out_does_not_hide_the_lock_out() -> None:
    book = load_book("section10")
    driver = Driver(book, new_table(book, mode="live", awards=SIGN))
    driver.open_table()
    driver.open_bets()
    stake(driver, 1, side=True)
    driver.must(c.CloseBets())
    driver.must(c.Report(mishap="boxed-card", cards=(31,)))
    assert round_of(driver).boxed == (31,)
    driver.close_bets()
    assert {"lock-out", "chip-light-count"} <= round_of(driver).acts
    driver.must(c.DealCard(card=7))


def test_a_hand_with_a_wrong_number_of_cards_is_looked_for_before_anybody_plays_on() -> None:
    def dealt(book_id: str) -> Driver:
        driver = Driver(load_book(book_id), table_of(load_book(book_id)))
        driver.open_bets(DECK)
        stake(driver, 2, side=False)
        driver.close_bets(5_000_000 if driver.book.progressive is not None else None)
        driver.deal()
        return driver

    def with_round(driver: Driver, **changes: object) -> TableState:
        return msgspec.structs.replace(driver.table, round=msgspec.structs.replace(round_of(driver), **changes))

    stud, colorado = dealt("section10"), dealt("colorado-required")
    for driver in (stud, colorado):
        assert not isinstance(due(driver.book, driver.table), c.Report)
        current = round_of(driver)
        boxes = {**current.boxes, 2: msgspec.structs.replace(current.boxes[2], cards=current.boxes[2].cards[:-1])}
        assert due(driver.book, with_round(driver, boxes=boxes)) == c.Report(mishap="player-miscount", boxes=(2,))
    for count in (4, 6):
        dealer = (*round_of(stud).dealer, 50)[:count]
        assert due(stud.book, with_round(stud, dealer=dealer)) == c.Report(mishap="dealer-miscount")
    for count in (2, 4):
        community = (*round_of(colorado).community, 50)[:count]
        assert due(colorado.book, with_round(colorado, community=community)) == c.Report(mishap="community-miscount")
    folded = {n: msgspec.structs.replace(box, choice="fold") for n, box in round_of(stud).boxes.items()}
    nobody = with_round(stud, dealer=round_of(stud).dealer[:4], boxes=folded)
    assert not isinstance(due(stud.book, nobody), c.Report), "nobody plays against it"


def test_where_nobody_called_the_go_ahead_the_first_decision_is_one() -> None:
    driver = Driver(load_book("washington"), table_of(load_book("washington")))
    driver.open_bets(DECK)
    stake(driver, 2, side=False)
    driver.close_bets(5_000_000)
    driver.until(lambda act: isinstance(act, c.RackStub | c.GoAhead))
    assert round_of(driver).phase == "dealing"
    driver.must(c.Look(box=1))
    driver.must(c.Fold(box=1))
    assert round_of(driver).phase == "deciding"


@pytest.mark.parametrize(("book_id", "first"), [("section10", True), ("rws", False), ("exchange", False)])
def test_whether_the_cards_of_losers_go_before_winners_are_paid(book_id: str, *, first: bool) -> None:
    """CSP-10(j)(5)(iii): losers and pushes are cleared away before a winner is paid."""
    driver = Driver(load_book(book_id), table_of(load_book(book_id)))
    hands = [cards(hand) for hand in ("7h 7d 4c 3s 2h", "Qh Jd 8c 4h 2d", "Ah Kd 9c 6h 3d")]
    one_by_one = tuple(hand[n] for n in range(5) for hand in hands)
    order = tuple(one for hand in hands for one in hand) if book_id == "exchange" else one_by_one
    burnt = (50,) if book_id == "rws" else ()
    left = [one for one in DECK if one not in order and one not in burnt]
    driver.open_bets((*burnt, *order, *left))
    stake(driver, 2, side=False)
    driver.close_bets(5_000_000)
    driver.deal()
    for number in (1, 2):
        driver.look(number)
        driver.must(c.Bet(box=number))
    did: list[str] = []
    while (act := due(driver.book, driver.table)) is not None and driver.table.live_round is not None:
        did.append(f"{act.do} {act.box}" if isinstance(act, c.Act) else act.mishap)
        driver.must(act)
    assert {"pay 1", "collect-chips 2", "collect-cards 2"} <= set(did), did
    assert (did.index("collect-cards 2") < did.index("pay 1")) is first


def test_a_round_is_not_finished_before_there_is_one_or_while_somebody_must_speak() -> None:
    driver = Driver(load_book("section10"))
    with pytest.raises(DriverError, match="the players have not decided"):
        driver.finish()
    driver.open_bets(DECK)
    stake(driver, 1, side=False)
    driver.close_bets(5_000_000)
    driver.deal()
    with pytest.raises(DriverError, match="the players have not decided"):
        driver.finish()
    driver.must(c.Report(mishap="dispute", boxes=(1,), role="supervisor"))
    with pytest.raises(DriverError, match="supervisor must answer question 1"):
        driver.finish()


def test_the_dealer_may_take_and_pay_all_boxes_with_one_act() -> None:
    driver = Driver(load_book("washington"), table_of(load_book("washington")))
    chance = random.Random(8)
    driver.open_bets(a_deck(chance))
    stake(driver, 4, side=False)
    driver.close_bets(5_000_000)
    driver.deal()
    for number in (1, 2, 3, 4):
        driver.look(number)
        driver.must(c.Bet(box=number))
    driver.must(c.Reveal())
    driver.must(c.Reckon())
    lines = list(enumerate(round_of(driver).lines))
    lost = {number for number, line in lines if line.outcome == "lose"}
    assert 0 < len({line.seat for number, line in lines if number in lost}) < 4
    driver.must(c.CollectChips())
    assert round_of(driver).moved == lost
    driver.must(c.Pay())
    assert round_of(driver).moved == {number for number, _ in lines}
    again = driver.do(c.Pay())
    assert isinstance(again, Refusal)
    assert again.reason == "there is nothing to move for that box"


@pytest.mark.parametrize("book_id", ["section10", "washington"])
@pytest.mark.parametrize("amount", [1, 1999, 2000, 2001])
def test_a_bet_of_another_size_that_nobody_noticed_is_a_question_where_the_book_has_no_rule(
    book_id: str, amount: int
) -> None:
    book = load_book(book_id)
    driver = Driver(book, table_of(book))
    driver.open_bets(DECK)
    stake(driver, 1, side=False)
    driver.close_bets(5_000_000)
    driver.deal()
    driver.look(1)
    driver.must(c.Bet(box=1, amount=amount, noticed=False))
    driver.must(c.Reveal())
    driver.must(c.Reckon())
    rule = book.bet.over if amount > 2000 else book.bet.under
    asked = amount != 2000 and rule is None
    assert (driver.table.holding is not None) is asked
    if asked:
        assert driver.table.holding is not None
        assert driver.table.holding.of == book.void.last_word


@pytest.mark.parametrize("option", ["all-void", "route-to-(m)(4)"])
def test_a_dealers_hand_of_six_that_the_count_brings_to_light_voids_the_round_by_the_clause_of_the_count(
    option: str,
) -> None:
    """CSP-10(g)(6)(ii), whichever way the house goes with a misdeal of players (A-CSP-07)."""
    book = with_options(load_book("section10"), {"misdeal-found-by-stub-count": option})
    assert isinstance(book, Book)
    driver = Driver(book, table_of(book))
    driver.open_bets(DECK)
    stake(driver, 1, side=False)
    driver.close_bets(5_000_000)
    driver.deal(9)
    driver.must(c.DealCard(to=DEALER))
    driver.must(c.DealCard(to=DEALER))
    while len(round_of(driver).boxes[1].cards) < 5:
        driver.must(c.DealCard(to=box_place(1)))
    assert len(round_of(driver).dealer) == 6
    driver.do(c.RackStub())
    driver.must(c.CountStub())
    ruled = [one for one in driver.events if isinstance(one, ev.Ruled)]
    assert round_of(driver).phase == "void"
    assert {one.clause for one in ruled} == {"CSP-10(g)(6)(ii)"}


def test_at_a_live_table_the_dealer_names_each_card_once() -> None:
    def closed(options: dict[str, object]) -> Driver:
        book = with_options(load_book("section10"), options)
        assert isinstance(book, Book)
        driver = Driver(book, new_table(book, mode="live", awards=SIGN, reset=1_000_000))
        driver.open_bets()
        stake(driver, 1, side=False)
        driver.close_bets(5_000_000)
        return driver

    def refused(driver: Driver, act: c.Act) -> tuple[str | None, str]:
        found = driver.do(act)
        assert isinstance(found, Refusal)
        return found.clause, found.reason

    one = closed({})
    assert refused(one, c.DealCard()) == ("BASE-input", "name the card")
    one.must(c.DealCard(card=7))
    assert refused(one, c.DealCard(card=7)) == ("BASE-deck", "that card is dealt already, or there is no such card")
    many = closed({"dealing-method": "automated-shoe", "shuffle-method": "automated"})
    assert refused(many, c.DealPacket()) == ("BASE-input", "name 5 cards")
    assert refused(many, c.DealPacket(cards=(1, 2, 3, 4, 4))) == ("BASE-deck", "a card comes twice")
    size = refused(many, c.DealPacket(cards=(1, 2, 3, 4, 5, 6)))
    assert size[1] == "a packet has 5 cards"
    assert size[0] is not None
    assert size[0] in many.book.clauses
    many.must(c.DealPacket(cards=(1, 2, 3, 4, 5)))


@pytest.mark.parametrize(("least", "stake_"), [(None, 1000), (700, 700)])
def test_rounds_that_are_only_played_to_pass_cost_one_ante_each(book: Book, least: int | None, stake_: int) -> None:
    driver = Driver(book, msgspec.structs.replace(table_of(book), ante_min=least))
    driver.play_rounds(3)
    assert (driver.table.rounds, driver.table.violations, round_of(driver).phase) == (3, 0, "done")
    done = [one.act for one in driver.events if isinstance(one, ev.Acted)]
    for act in ("bets-opened", "ante", "go-ahead", "look", "fold" if "fold" in book.decide.choices else "stay"):
        assert done.count(act) == 3, act
    staked = [one for one in driver.events if isinstance(one, ev.Staked)]
    assert [(one.box, one.player, one.wager, one.amount) for one in staked] == [(1, "player 1", "ante", stake_)] * 3


def test_a_driver_deals_the_number_of_cards_asked_for_and_opens_without_an_order() -> None:
    book = load_book("section10")
    driver = Driver(book, table_of(book))
    driver.shuffle()
    assert driver.shoe.orders == {}
    assert not driver.table.decks["first"].sealed
    driver = Driver(book, table_of(book))
    driver.open_bets(DECK)
    stake(driver, 1, side=False)
    driver.close_bets()
    driver.deal(3)
    assert round_of(driver).placed == 3
    driver.deal_some(2)
    assert round_of(driver).placed == 5
    driver.deal()
    assert (round_of(driver).placed, round_of(driver).phase) == (10, "deciding")


def test_a_new_table_keeps_only_the_options_that_differ_from_the_usual() -> None:
    book = with_options(load_book("section10"), {"shuffle-method": "automated"})
    assert isinstance(book, Book)
    table = new_table(book)
    assert table.options == {"shuffle-method": "automated"}
    assert new_table(load_book("section10")).options == {}
    assert (table.id, table.book, table.digest, table.mode, table.attended) == (
        "1", "section10", book.digest, "electronic", True,
    )  # fmt: skip
    assert (table.people, table.awards, table.ante_min, table.ante_max) == ({}, {}, None, None)
    assert (table.decide_seconds, table.reset) == (None, None)
