"""What each viewer sees, and what nobody sees: cut before it leaves the engine."""

import msgspec
import pytest

from aceking.cards.card import card, cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.show.offers import Offer
from aceking.table.show.view import BoxView, OwnBox, View, Viewer, clause_words, view
from aceking.table.state import Mode
from tests.table.test_driver import SIGN

ANN, BOB = Viewer("player", "Ann"), Viewer("player", "Bob")
DEALER, PIT, RAIL, SURVEILLANCE = Viewer("dealer"), Viewer("pit"), Viewer("rail"), Viewer("surveillance")
# One card at a time to two boxes and the dealer: Ann 9h 8c 7d 6s 5h, Bob Ts Td 8h 5s 2d, the dealer Ah Kd 9c 6h 3d.
FIRST = cards("9h Ts Ah 8c Td Kd 7d 8h 9c 6s 5s 6h 5h 2d 3d")
ORDER = (*FIRST, *(one for one in DECK if one not in FIRST))
BACKS = (None,) * 5


def at_table(book_id: str, *, mode: Mode = "electronic", order: tuple[int, ...] = ORDER) -> Driver:
    """Ann at box 1 and Bob at box 2, dealt in."""
    book = load_book(book_id)
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    driver = Driver(book, new_table(book, mode=mode, awards=SIGN if posted else {}))
    driver.open_bets(order)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    driver.must(c.Ante(box=2, player="Bob", amount=1000))
    driver.close_bets()
    driver.deal()
    return driver


def seen_by(driver: Driver, viewer: Viewer) -> View:
    shown = view(driver.book, driver.table, viewer)
    assert msgspec.json.decode(msgspec.json.encode(shown), type=View) == shown
    return shown


def box_of(shown: View, number: int) -> BoxView:
    return next(one for one in shown.common.boxes if one.box == number)


def own_of(shown: View, number: int) -> OwnBox | None:
    return next((one for one in shown.own.boxes if one.box == number), None)


def test_a_seat_sees_its_own_hand_once_it_has_looked_and_no_other() -> None:
    driver = at_table("section10")
    assert box_of(seen_by(driver, ANN), 1).cards == BACKS
    assert own_of(seen_by(driver, ANN), 1) is None
    driver.must(c.Look(box=1))
    own = own_of(seen_by(driver, ANN), 1)
    assert own is not None
    assert own.cards == ("9h", "8c", "7d", "6s", "5h")
    assert own.words == "straight, nine high"
    assert box_of(seen_by(driver, ANN), 2).cards == BACKS
    for other in (BOB, DEALER, PIT, RAIL):
        assert box_of(seen_by(driver, other), 1).cards == BACKS
        assert box_of(seen_by(driver, other), 1).words is None
        assert own_of(seen_by(driver, other), 1) is None


def test_before_the_reveal_only_the_up_card_of_the_dealer_shows() -> None:
    driver = at_table("section10")
    for viewer in (ANN, BOB, DEALER, PIT, RAIL):
        shown = seen_by(driver, viewer).common
        assert shown.dealer == ("Ah", None, None, None, None)
        assert shown.up == "Ah"
        assert (shown.dealer_words, shown.dealer_qualifies) == (None, None)
    assert seen_by(driver, SURVEILLANCE).own.dealer == ("Ah", "Kd", "9c", "6h", "3d")


def test_after_the_reveal_everybody_sees_what_was_turned_and_a_folded_hand_stays_hidden() -> None:
    driver = at_table("section10")
    for number, choice in ((1, "bet"), (2, "fold")):
        driver.must(c.Look(box=number))
        driver.must(c.Bet(box=number) if choice == "bet" else c.Fold(box=number))
    driver.finish()
    for viewer in (BOB, DEALER, PIT, RAIL):
        shown = seen_by(driver, viewer)
        assert shown.common.dealer == ("Ah", "Kd", "9c", "6h", "3d")
        assert (shown.common.dealer_words, shown.common.dealer_qualifies) == ("ace king high", True)
        assert box_of(shown, 1).cards == ("9h", "8c", "7d", "6s", "5h")
        assert box_of(shown, 1).net == "90"
    assert box_of(seen_by(driver, ANN), 2).cards == BACKS
    assert box_of(seen_by(driver, RAIL), 2).cards == BACKS
    for viewer in (BOB, SURVEILLANCE):
        mine = own_of(seen_by(driver, viewer), 2)
        assert mine is not None
        assert mine.cards == ("Ts", "Td", "8h", "5s", "2d")


def test_lines_of_money_carry_their_clause_and_what_it_says() -> None:
    driver = at_table("section10")
    for number in (1, 2):
        driver.must(c.Look(box=number))
        driver.must(c.Bet(box=number))
    assert box_of(seen_by(driver, RAIL), 1).lines == ()
    driver.finish()
    ante, bet = box_of(seen_by(driver, RAIL), 1).lines
    assert (ante.wager, ante.stake, ante.outcome, ante.pays) == ("ante", "10", "win", "10")
    assert (bet.wager, bet.stake, bet.outcome, bet.pays, bet.clause) == ("bet", "20", "win", "80", "CSP-10(l)(3)")
    assert clause_words(driver.book, [bet.clause]) == {"CSP-10(l)(3)": driver.book.clauses["CSP-10(l)(3)"].says}
    assert bet.moved


@pytest.mark.parametrize("mode", ["electronic", "live"])
def test_nobody_sees_the_deck_the_stub_or_the_burn(mode: Mode) -> None:
    driver = at_table("rws", mode=mode)
    assert driver.table.round is not None
    left = driver.shoe.ahead(driver.table.round)
    assert len(left) == 52 - 16
    for viewer in (ANN, BOB, DEALER, PIT, RAIL, SURVEILLANCE):
        text = msgspec.json.encode(seen_by(driver, viewer)).decode()
        names = {
            name for name in (f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs") if f'"{name}"' in text
        }
        assert not {card(name) for name in names} & set(left)
        if viewer != SURVEILLANCE:
            assert seen_by(driver, viewer).common.burn == (None,)
    assert seen_by(driver, SURVEILLANCE).own.burn == ("9h",)


def test_of_several_boxes_a_player_may_look_at_one_hand() -> None:
    """RWS 3.7: the backs of the other hands cannot be turned on the page."""
    book = load_book("rws")
    driver = Driver(book)
    driver.open_bets(ORDER)
    for number in (1, 2):
        driver.must(c.Ante(box=number, player="Ann", amount=1000))
    driver.close_bets()
    driver.deal()
    assert [one.box for one in seen_by(driver, ANN).own.may if one.do == "look"] == [1, 2]
    driver.must(c.Look(box=1))
    shown = seen_by(driver, ANN)
    assert not [one for one in shown.own.may if one.do == "look"]
    assert own_of(shown, 1) is not None
    assert own_of(shown, 2) is None
    assert box_of(shown, 2).cards == BACKS


@pytest.mark.parametrize("book_id", ["colorado-required", "colorado-permissible"])
def test_a_discard_is_hidden_from_all_others_for_ever(book_id: str) -> None:
    driver = at_table(book_id)
    assert driver.table.round is not None
    thrown = driver.table.round.boxes[1].cards[2]
    for number in (1, 2):
        driver.must(c.Look(box=number))
        discard = driver.table.round.boxes[number].cards[2]
        driver.must(c.Bet(box=number, discard=discard))
    assert box_of(seen_by(driver, BOB), 1).cards == (None, None, None)
    assert seen_by(driver, BOB).common.community == (None, None, None)
    driver.finish()
    for viewer in (BOB, DEALER, PIT, RAIL):
        box = box_of(seen_by(driver, viewer), 1)
        assert box.cards[2] is None
        assert None not in box.cards[:2]
        assert own_of(seen_by(driver, viewer), 1) is None
        assert box.words is not None
        assert None not in seen_by(driver, viewer).common.community
    for viewer in (ANN, SURVEILLANCE):
        mine = own_of(seen_by(driver, viewer), 1)
        assert mine is not None
        assert mine.discard is not None
        assert card(mine.discard) == thrown


def test_the_words_of_three_cards_before_the_community_cards() -> None:
    for dealt, words in (
        ("9h 8h 7h", "three card straight flush"),
        ("9h 9c 7h", "pair of nines"),
        ("Ah 9c 7h", "ace high"),
    ):
        one, two, three = cards(dealt)
        rest = [number for number in DECK if number not in (one, two, three)]
        # Box 1, box 2 and the community in turn.
        order = (one, rest.pop(), rest.pop(), two, rest.pop(), rest.pop(), three, *rest)
        driver = at_table("colorado-required", order=order)
        driver.must(c.Look(box=1))
        mine = own_of(seen_by(driver, ANN), 1)
        assert mine is not None
        assert mine.words == words


def test_an_exchanged_card_is_known_to_its_player_and_to_surveillance() -> None:
    driver = at_table("exchange")
    assert driver.table.round is not None
    given = driver.table.round.boxes[1].cards[0]
    driver.must(c.Look(box=1))
    driver.must(c.Exchange(box=1, give=(given,)))
    for viewer in (ANN, SURVEILLANCE):
        mine = own_of(seen_by(driver, viewer), 1)
        assert mine is not None
        assert mine.gave is not None
        assert card(mine.gave) == given
    for viewer in (BOB, DEALER, PIT, RAIL):
        assert own_of(seen_by(driver, viewer), 1) is None
        assert box_of(seen_by(driver, viewer), 1).fee == "10"


def test_what_a_player_may_do_at_each_point_with_its_price() -> None:
    book = load_book("section10")
    driver = Driver(book, new_table(book, ante_min=500, ante_max=10_000))
    driver.open_bets(ORDER)
    shown = seen_by(driver, ANN)
    assert (shown.common.phase, shown.common.turn) == ("betting", "players")
    assert Offer(do="ante", box=1, least="5", most="100") in shown.own.may
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    offers = seen_by(driver, ANN).own.may
    assert Offer(do="side-bet", box=1, amount="1") in offers
    assert Offer(do="ante", box=1, amount="-10") in offers
    # One box a player; and a box that is taken is no offer for another.
    assert not [one for one in offers if one.box == 2]
    assert 1 not in [one.box for one in seen_by(driver, BOB).own.may]
    driver.close_bets()
    driver.deal()
    assert Offer(do="look", box=1) in seen_by(driver, ANN).own.may
    driver.must(c.Look(box=1))
    shown = seen_by(driver, ANN)
    assert shown.common.turn == "players"
    assert [one for one in shown.own.may if one.do in ("bet", "fold")] == [
        Offer(do="bet", box=1, amount="20", letter="b", place="on"),
        Offer(do="fold", box=1, loses="10", letter="f", place="out"),
    ]
    assert seen_by(driver, BOB).own.may == ()
    driver.must(c.Bet(box=1))
    assert not [one for one in seen_by(driver, ANN).own.may if one.do in ("bet", "fold")]


def test_an_exchange_is_offered_with_the_cards_that_may_go() -> None:
    driver = at_table("exchange")
    # The boxes decide one after another here.
    assert seen_by(driver, BOB).common.turn == "box 1"
    assert not [one for one in seen_by(driver, ANN).own.may if one.do == "exchange"]
    driver.must(c.Look(box=1))
    offer = next(one for one in seen_by(driver, ANN).own.may if one.do == "exchange")
    mine = own_of(seen_by(driver, ANN), 1)
    assert mine is not None
    assert (offer.amount, offer.cards) == ("10", mine.cards)


@pytest.mark.parametrize("name", [name for name in book_ids() if load_book(name).hands.discards])
def test_colorado_offers_what_each_version_has(name: str) -> None:
    book = load_book(name)
    driver = at_table(name)
    driver.must(c.Look(box=1))
    offers = [one for one in seen_by(driver, ANN).own.may if one.do in ("bet", "stay", "fold")]
    assert {one.do for one in offers} == set(book.decide.choices) - {"declare"}
    assert all(len(one.cards) == 3 for one in offers if one.do != "fold")


def test_the_dealer_is_told_what_is_due_and_the_rail_nothing() -> None:
    book = load_book("section10")
    driver = Driver(book)
    driver.open_bets(ORDER)
    assert seen_by(driver, DEALER).own.may == ()
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    assert seen_by(driver, DEALER).own.may == (Offer(do="no-more-bets"),)
    for viewer in (RAIL, SURVEILLANCE):
        assert seen_by(driver, viewer).own.may == ()


def test_the_pit_sees_money_breaches_and_questions() -> None:
    driver = at_table("washington")
    assert not isinstance(driver.do(c.Report(mishap="interruption")), Refusal)
    shown = seen_by(driver, PIT)
    assert shown.common.turn == "supervisor"
    assert [(one.mishap, one.unregulated) for one in shown.common.questions] == [("interruption", True)]
    (asked,) = shown.own.may
    assert (asked.do, asked.question) == ("rule", 1)
    assert {"continue", "void-round"} <= set(asked.answers)
    assert shown.own.accounts == {"Ann": "-10", "Bob": "-10", "layout": "20"}
    assert shown.own.violations == 0
    for viewer in (ANN, DEALER, RAIL):
        assert seen_by(driver, viewer).own.accounts == {}
        assert seen_by(driver, viewer).own.violations is None
    assert seen_by(driver, ANN).own.chips == "-10"


def test_of_the_stub_nobody_sees_more_than_that_it_lies_in_the_rack() -> None:
    driver = at_table("section10")
    assert dict(seen_by(driver, SURVEILLANCE).own.rack)["stub"] == ()
    for number in (1, 2):
        driver.must(c.Look(box=number))
        driver.must(c.Fold(box=number))
    driver.finish()
    assert dict(seen_by(driver, SURVEILLANCE).own.rack)["stub"] == ()
    assert seen_by(driver, PIT).own.rack == ()


def test_a_table_before_its_first_round_can_be_looked_at(book: Book) -> None:
    driver = Driver(book)
    for viewer in (ANN, DEALER, PIT, RAIL, SURVEILLANCE):
        assert seen_by(driver, viewer).common.round is None


def whole(shown: View) -> tuple[dict[str, object], dict[str, object]]:
    """The common and the own part, as they would be sent."""
    sent = msgspec.to_builtins(shown)
    return sent["common"], sent["own"]


def test_every_field_of_a_caribbean_round_for_every_eye() -> None:
    book = load_book("section10")
    driver = Driver(book, new_table(book, table_id="7", ante_min=500, ante_max=20_000, reset=1_000_000))
    start = {"table": "7", "book": "section10", "mode": "electronic", "ante_min": "5", "ante_max": "200"}
    assert whole(seen_by(driver, RAIL)) == (start, {"eye": "rail"})
    driver.open_bets(ORDER)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    driver.must(c.Ante(box=2, player="Bob", amount=1050))
    driver.must(c.SideBet(box=2, player="Bob", amount=100))
    driver.close_bets(2_000_050)
    driver.deal()
    driver.must(c.Look(box=1))
    driver.must(c.Look(box=2))
    backs = (None,) * 5
    side = {"wager": "progressive", "stake": "1", "lit": True}
    nothing = {"bet": "0", "fee": "0"}
    ann = {"box": 1, "player": "Ann", "ante": "10", **nothing, "cards": backs, "seen": True}
    bob = {"box": 2, "player": "Bob", "ante": "10.50", **nothing, "sides": (side,), "cards": backs, "seen": True}
    common = {
        **start,
        "open": True,
        "round": 1,
        "phase": "deciding",
        "turn": "players",
        "boxes": (ann, bob),
        "dealer": ("Ah", None, None, None, None),
        "up": "Ah",
        "meter": "20000.50",
    }
    hands = (
        {"box": 1, "cards": ("9h", "8c", "7d", "6s", "5h"), "words": "straight, nine high"},
        {"box": 2, "cards": ("Ts", "Td", "8h", "5s", "2d"), "words": "pair of tens"},
    )
    accounts = {"Ann": "-10", "Bob": "-11.50", "layout": "20.50", "tray": "1"}
    held = {"dealer": ("Ah", "Kd", "9c", "6h", "3d"), "rack": (("stub", ()),)}
    may = (
        {"do": "bet", "box": 1, "amount": "20", "letter": "b", "place": "on"},
        {"do": "fold", "box": 1, "loses": "10", "letter": "f", "place": "out"},
    )
    own: dict[Viewer, dict[str, object]] = {
        ANN: {"eye": "player", "player": "Ann", "boxes": hands[:1], "may": may, "chips": "-10"},
        Viewer("player", "Cy"): {"eye": "player", "player": "Cy", "chips": "0"},
        DEALER: {"eye": "dealer"},
        PIT: {"eye": "pit", "accounts": accounts, "violations": 0},
        RAIL: {"eye": "rail"},
        SURVEILLANCE: {"eye": "surveillance", "boxes": hands, "accounts": accounts, "violations": 0, **held},
    }
    for viewer, seen in own.items():
        assert whole(seen_by(driver, viewer)) == (common, seen)
    driver.must(c.Bet(box=1))
    driver.must(c.Fold(box=2))
    folded = {"wager": "ante", "stake": "10.50", "outcome": "lose", "pays": "0", "net": "-10.50"}
    folded |= {"clause": "CSP-10(j)(1)"}
    ann |= {"bet": "20", "choice": "bet"}
    bob |= {"choice": "fold", "gave_up": True, "lines": (folded,)}
    assert whole(seen_by(driver, RAIL))[0] == common | {"turn": "dealer", "boxes": (ann, bob)}
    driver.until(lambda act: isinstance(act, c.Reckon))
    # Turned and not reckoned: the hand shows, and nobody has won yet.
    ann |= {"cards": hands[0]["cards"], "words": "straight, nine high"}
    bob |= {"lines": (folded | {"moved": True},)}
    shows = {"dealer": held["dealer"], "dealer_words": "ace king high", "dealer_qualifies": True}
    turned = common | shows | {"turn": "dealer", "phase": "revealed", "boxes": (ann, bob)}
    assert whole(seen_by(driver, RAIL))[0] == turned
    driver.finish()
    won = {"outcome": "win", "moved": True}
    paid = (
        {"wager": "ante", "stake": "10", "pays": "10", "net": "10", "clause": "CSP-10(l)(2)", **won},
        {"wager": "bet", "stake": "20", "pays": "80", "net": "80", "clause": "CSP-10(l)(3)", **won},
    )
    # A folded hand has no part in the progressive: its dollar is spent.
    seen = whole(seen_by(driver, RAIL))[0]
    ann |= {"lines": paid, "net": "90"}
    assert seen == turned | {"phase": "done", "boxes": (ann, seen["boxes"][1])}  # type: ignore[index]
    assert box_of(seen_by(driver, RAIL), 2).net == "-11.50"
    rack = (("stub", ()), ("box 2", hands[1]["cards"]), ("box 1", hands[0]["cards"]), ("dealer", held["dealer"]))
    assert whole(seen_by(driver, SURVEILLANCE))[1]["rack"] == rack


def test_every_field_of_a_colorado_round_with_a_discard() -> None:
    driver = at_table("colorado-required")
    for number in (1, 2):
        driver.must(c.Look(box=number))
        driver.must(c.Bet(box=1, discard=card("7d")) if number == 1 else c.Fold(box=2))
    # What is left of three cards is no hand before the community cards are turned.
    hands: tuple[dict[str, object], ...] = (
        {"box": 1, "cards": ("9h", "8c", "7d"), "discard": "7d"},
        {"box": 2, "cards": ("Ts", "Td", "8h"), "words": "pair of tens"},
    )
    common, own = whole(seen_by(driver, SURVEILLANCE))
    assert own["boxes"] == hands
    assert (common["community"], own["community"]) == ((None, None, None), ("Ah", "Kd", "9c"))
    assert whole(seen_by(driver, ANN))[1]["boxes"] == hands[:1]
    driver.finish()
    common, own = whole(seen_by(driver, SURVEILLANCE))
    # With the community's ace, king and nine it is a pair; the folded hand is what its player saw.
    assert own["boxes"] == (hands[0] | {"words": "pair of nines"}, hands[1])
    assert common["community"] == ("Ah", "Kd", "9c")
    assert "dealer_words" not in common
    assert [(one.cards, one.words) for one in seen_by(driver, RAIL).common.boxes] == [
        (("9h", "8c", None), "pair of nines"),
        ((None, None, None), None),
    ]
    rack = dict(seen_by(driver, SURVEILLANCE).own.rack)
    assert (rack["discard 1"], rack["box 1"], rack["box 2"]) == (("7d",), ("9h", "8c"), ("Ts", "Td", "8h"))


def test_an_instant_winner_lies_open_when_it_is_declared() -> None:
    one, two, three = cards("9h 8h 7h")
    rest = [number for number in DECK if number not in (one, two, three)]
    order = (one, rest.pop(), rest.pop(), two, rest.pop(), rest.pop(), three, *rest)
    driver = at_table("colorado-required", order=order)
    driver.must(c.Look(box=1))
    assert (box_of(seen_by(driver, BOB), 1).cards, box_of(seen_by(driver, BOB), 1).words) == ((None,) * 3, None)
    driver.must(c.Declare(box=1))
    shown = box_of(seen_by(driver, BOB), 1)
    assert (shown.cards, shown.words) == (("9h", "8h", "7h"), "three card straight flush")


def test_a_hand_that_is_out_shows_no_money_and_says_so() -> None:
    driver = at_table("section10")
    for number in (1, 2):
        driver.must(c.Look(box=number))
        driver.must(c.Bet(box=number))
    driver.finish()
    current = driver.table.round
    assert current is not None
    for out in ("void", "forfeited"):
        box = msgspec.structs.replace(current.boxes[1], **{out: True})
        table = msgspec.structs.replace(
            driver.table, round=msgspec.structs.replace(current, boxes={**current.boxes, 1: box})
        )
        shown = box_of(view(driver.book, table, RAIL), 1)
        assert (shown.out, shown.lines, shown.net) == (out, (), None)
    shown = box_of(view(driver.book, driver.table, RAIL), 1)
    assert (shown.out, len(shown.lines), shown.net) == (None, 2, "90")


def test_a_dealer_below_ace_king_does_not_qualify_and_one_of_four_cards_is_not_judged() -> None:
    # One card at a time: Ann, Bob, the dealer. The dealer has king and queen.
    first = cards("9h Ts Qh 8c Td Kd 7d 8h 9c 6s 5s 6h 5h 2d 3d")
    driver = at_table("section10", order=(*first, *(one for one in DECK if one not in first)))
    for number in (1, 2):
        driver.must(c.Look(box=number))
        driver.must(c.Bet(box=number))
    driver.must(c.Reveal())
    shown = seen_by(driver, RAIL).common
    assert (shown.dealer_words, shown.dealer_qualifies) == ("king queen high", False)
    current = driver.table.round
    assert current is not None
    short = msgspec.structs.replace(driver.table, round=msgspec.structs.replace(current, dealer=current.dealer[:4]))
    lacks = view(driver.book, short, RAIL).common
    assert (lacks.dealer, lacks.dealer_words, lacks.dealer_qualifies) == (("Qh", "Kd", "9c", "6h"), None, None)


def test_whose_turn_it_is() -> None:
    driver = Driver(load_book("exchange"))
    assert seen_by(driver, RAIL).common.turn is None
    driver.open_table()
    assert seen_by(driver, RAIL).common.turn == "dealer"
    driver.open_bets(ORDER)
    assert seen_by(driver, RAIL).common.turn == "players"
    for number, player in ((1, "Ann"), (2, "Bob")):
        driver.must(c.Ante(box=number, player=player, amount=1000))
    driver.close_bets()
    assert seen_by(driver, RAIL).common.turn == "dealer"
    driver.deal()
    for number in (1, 2):
        assert seen_by(driver, RAIL).common.turn == f"box {number}"
        driver.must(c.Fold(box=number))
    assert seen_by(driver, RAIL).common.turn == "dealer"


def test_a_question_is_shown_with_claim_and_record() -> None:
    driver = at_table("washington")
    assert not isinstance(driver.do(c.Report(mishap="player-miscount", boxes=(2,))), Refusal)
    (asked,) = seen_by(driver, RAIL).common.questions
    told = driver.table.questions[0]
    assert (asked.question, asked.mishap, asked.of, asked.boxes) == (1, "player-miscount", told.of, (2,))
    assert asked.record == told.record
    assert asked.record
    assert (asked.what, asked.unregulated, asked.clause) == (told.what, told.unregulated, told.clause)
