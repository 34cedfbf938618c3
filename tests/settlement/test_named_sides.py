"""Side wagers by name, settled: by which cards, at which odds or awards, when a hand is given up, and envy."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from aceking.cards.deck import DECK
from aceking.cards.three import THREE_CARD_ORDER, category_of_three
from aceking.rules.odds import Amount
from aceking.rules.reading.load import load_book
from aceking.settlement.lines import Line, Settlement
from aceking.settlement.other_books import adapted
from aceking.settlement.scenario import Scenario, Seat
from aceking.settlement.scenario_json import (
    INPUT_ERRORS,
    result_data,
    scenario_from_data,
    settle_in,
    to_scenario,
)
from aceking.settlement.settle import settle
from tests.named_sides import LANTERN, PAIRS_UP, TRIPS_UP, with_side
from tests.settlement.postings import Posting, postings

DEALER = "As Kd 7c 4h 2d"  # plays
NO_HAND = "Ks Qd 7c 4h 2d"  # does not
TRIPS, NOTHING, QUADS = "9c 9h 9s 8d 3d", "Qc Jc 8h 5s 3c", "Tc Td Th Ts 6c"


def settled(book: str, seats: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """The result of a scenario as JSON has it."""
    raw = scenario_from_data({"book": book, "seats": [{"ante": "10", **seat} for seat in seats], **more})
    return result_data(None, settle_in(raw))


def lines(found: dict[str, Any], wager: str = "extra") -> list[tuple[Any, ...]]:
    return [
        (seat["seat"], line["stake"], line["outcome"], line["pays"], line["clause"], line.get("envy_of"))
        for seat in found["seats"]
        for line in seat["lines"]
        if line["wager"] == wager
    ]


def book_of(tmp_path: Path, rules: str, older: str = "section10") -> str:
    file = tmp_path / "heir.toml"
    file.write_text(with_side(rules, older), encoding="utf-8")
    return str(file)


def rules(cards: str = "own", folded: str = "stands", more: str = "") -> str:
    return f'stake = "5"\ncards = "{cards}"\nfolded = "{folded}"\npays = {TRIPS_UP}\n{more}'


def one(tmp_path: Path, said: str, hand: str, dealer: str = DEALER, **seat: Any) -> tuple[Any, ...]:
    """The line of the wager `extra` of a box alone: outcome and pays."""
    found = settled(
        book_of(tmp_path, said), [{"seat": 1, "cards": hand, "sides": {"extra": "5"}, **seat}], dealer=dealer
    )
    ((_, stake, outcome, pays, clause, envy),) = lines(found)
    assert (stake, clause, envy) == ("5", "X-1", None)
    return outcome, pays


@pytest.mark.parametrize(
    ("cards", "hand", "dealer", "outcome"),
    [
        ("own", TRIPS, DEALER, ("win", "35")),
        ("own", NOTHING, DEALER, ("lose", "0")),
        ("own", "9c 9h 8s 8d 3d", DEALER, ("lose", "0")),  # two pair is below the lowest row
        ("own-and-up-card", "Ac Ad 9h 8s 3c", DEALER, ("win", "35")),  # the ace of spades makes three
        ("own-and-up-card", "Ks Qs Js Ts 3c", "As Kd 7c 4h 2d", ("win", "5000")),
        ("own-and-up-card", "Kh Qs Js Ts 3c", "7c As Kd 4h 2d", ("lose", "0")),  # the first card lies up
        ("dealer", NOTHING, "7s 7d 7c 4h 2d", ("win", "35")),
        ("dealer", TRIPS, DEALER, ("lose", "0")),
    ],
)
def test_a_wager_goes_by_its_cards(
    cards: str, hand: str, dealer: str, outcome: tuple[str, str], tmp_path: Path
) -> None:
    assert one(tmp_path, rules(cards), hand, dealer) == outcome


def test_the_up_card_may_be_named(tmp_path: Path) -> None:
    book = book_of(tmp_path, rules("own-and-up-card"))
    seats = [{"seat": 1, "cards": "Ks Qs Js Ts 3c", "sides": {"extra": "5"}}]
    assert lines(settled(book, seats, dealer="7c As Kd 4h 2d", up="As"))[0][2:4] == ("win", "5000")
    assert lines(settled(book, seats, dealer="7c As Kd 4h 2d"))[0][2:4] == ("lose", "0")
    with pytest.raises(INPUT_ERRORS, match="up: Ad is not among the dealer's cards"):
        settled(book, seats, dealer="7c As Kd 4h 2d", up="Ad")
    folded = [{**seats[0], "play": "fold"}]
    assert lines(settled(book, folded, up="As"))[0][2:4] == ("win", "5000")
    with pytest.raises(INPUT_ERRORS, match="Ks is in the dealer's hand and again in seat 1"):
        settled(book, folded, up="Ks")
    says = "dealer: the extra of seat 1 goes by the dealer's up-card, and it is not given"
    with pytest.raises(INPUT_ERRORS, match=says):
        settled(book, folded)


@pytest.mark.parametrize(
    ("folded", "hand", "outcome"),
    [
        ("stands", TRIPS, ("win", "35")),
        ("stands", NOTHING, ("lose", "0")),
        ("lost", TRIPS, ("lose", "0")),
        ("returned", TRIPS, ("returned", "0")),
        ("returned", NOTHING, ("returned", "0")),
    ],
)
def test_a_wager_beside_a_folded_hand_goes_as_the_book_says(
    folded: str, hand: str, outcome: tuple[str, str], tmp_path: Path
) -> None:
    assert one(tmp_path, rules(folded=folded), hand, play="fold") == outcome


@pytest.mark.parametrize(
    ("needs", "dealer", "outcome"),
    [
        ("nothing", NO_HAND, "win"),
        ("dealer-qualifies", DEALER, "win"),
        ("dealer-qualifies", NO_HAND, "lose"),
        ("dealer-does-not-qualify", DEALER, "lose"),
        ("dealer-does-not-qualify", NO_HAND, "win"),
    ],
)
def test_what_a_wager_needs_of_the_dealer(needs: str, dealer: str, outcome: str, tmp_path: Path) -> None:
    assert one(tmp_path, rules(more=f'needs = "{needs}"'), TRIPS, dealer)[0] == outcome


def test_the_dealers_hand_is_wanted_where_a_folded_wager_goes_by_it(tmp_path: Path) -> None:
    seat = {"seat": 1, "cards": TRIPS, "play": "fold", "sides": {"extra": "5"}}
    says = "^dealer: the extra of seat 1 goes by the dealer's hand, and it is not given$"
    with pytest.raises(INPUT_ERRORS, match=says):
        settled(book_of(tmp_path, rules("dealer")), [seat])
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(INPUT_ERRORS, match=says):
        settled(book_of(other, rules(more='needs = "dealer-qualifies"')), [seat])


def test_after_an_exchange_it_is_the_final_hand(tmp_path: Path) -> None:
    book = book_of(tmp_path, rules(), "exchange")
    seat = {"seat": 1, "cards": "9c 9h Qs 8d 3d", "sides": {"extra": "5"}}
    assert lines(settled(book, [seat], dealer=DEALER))[0][2] == "lose"
    changed = {**seat, "exchange": {"give": "3d", "take": "9s"}}
    assert lines(settled(book, [changed], dealer=DEALER))[0][2:4] == ("win", "35")


def test_a_row_that_is_a_push_gives_the_stake_back(tmp_path: Path) -> None:
    assert one(tmp_path, rules().replace('"7 to 1"', '"push"'), TRIPS) == ("push", "0")


PAIRS = TRIPS_UP.replace("{", '{ pair = "1 to 1", two_pair = "2 to 1",')


def jacks(cards: str) -> str:
    """Jacks or better, and from ace-king on the stake comes back."""
    said = f'stake = "5"\ncards = "{cards}"\nfolded = "stands"\npays = {PAIRS}\n'
    return said + 'pays_from = "J J 4 3 2"\nreturned_from = "A K 4 3 2"\n'


@pytest.mark.parametrize(
    ("cards", "hand", "dealer", "outcome"),
    [
        ("own", "Jc Jd 4s 3s 2c", DEALER, ("win", "5")),
        ("own", "Tc Td Ah Ks Qc", DEALER, ("push", "0")),
        ("own", "2c 2h 3h 4s 5c", DEALER, ("push", "0")),
        ("own", "Ac Kh 4d 3s 2c", DEALER, ("push", "0")),
        ("own", "Ac Qh Jd Ts 9c", DEALER, ("lose", "0")),
        ("own", "3c 3d 2h 2s 4c", DEALER, ("win", "10")),
        ("own-and-up-card", "Jc 9d 4h 3s 2c", "Js Kd 7c 4c 2d", ("win", "5")),  # the up-card makes the pair
        ("own-and-up-card", "Tc 9d 4h 3s 2c", "Ts Kd 7c 4c 2d", ("push", "0")),
        ("own-and-up-card", "Kc 9d 4h 3s 2c", "Qs Qd 7c 4c 2d", ("lose", "0")),
        ("dealer", NOTHING, "Js Jd 7c 4h 2d", ("win", "5")),
        ("dealer", NOTHING, "Ts Td 7c 4h 2d", ("push", "0")),
        ("dealer", TRIPS, NO_HAND, ("lose", "0")),
    ],
)
def test_both_sides_of_the_weakest_hand_that_is_paid(
    cards: str, hand: str, dealer: str, outcome: tuple[str, str], tmp_path: Path
) -> None:
    assert one(tmp_path, jacks(cards), hand, dealer) == outcome


def test_a_threshold_cites_its_own_clause(tmp_path: Path) -> None:
    text = with_side(jacks("own")).replace('pays_from = "J J 4 3 2"\n', "").replace('returned_from = "A K 4 3 2"\n', "")
    for number, rule in (("2", 'pays_from = "J J 4 3 2"'), ("3", 'returned_from = "6 6 4 3 2"')):
        text += f'[[clause]]\nid = "X-{number}"\ntopic = "side-bets"\nactor = "house"\nsays = "It has a least hand."\n'
        text += f"set.sides.extra.{rule}\n"
    file = tmp_path / "heir.toml"
    file.write_text(text, encoding="utf-8")
    cited = {"Jc Jd 4s 3s 2c": "X-1", "6c 6d 4s 3s 2c": "X-3", "5c 5d 4s 3s 2c": "X-2", NOTHING: "X-1"}
    for hand, clause in cited.items():
        found = settled(str(file), [{"seat": 1, "cards": hand, "sides": {"extra": "5"}}], dealer=DEALER)
        assert lines(found)[0][4] == clause


@pytest.mark.parametrize(
    ("own", "outcome"),
    [("Jc Jd 2h", ("win", "5")), ("Tc Td Ah", ("push", "0")), ("2c 2d 3h", ("push", "0")), ("Ac Kd 9h", ("lose", "0"))],
)
def test_both_sides_with_three_cards_and_with_the_community(own: str, outcome: tuple[str, str], tmp_path: Path) -> None:
    three = (
        f'stake = "5"\ncards = "own"\nfolded = "lost"\npays_from = "J J 2"\nreturned_from = "pair"\npays = {PAIRS_UP}'
    )
    seat = {"seat": 1, "cards": own, "discard": own.split()[2], "sides": {"extra": "5"}}
    found = settled(book_of(tmp_path, three, "colorado-required"), [seat], community="8c 6s 4d")
    assert lines(found)[0][2:4] == outcome
    whole = jacks("own-and-community").replace("stands", "lost").replace("A K 4 3 2", "2 2 5 4 3")
    other = tmp_path / "other"
    other.mkdir()
    found = settled(book_of(other, whole, "colorado-required"), [seat], community="8c 6s 4d")
    assert lines(found)[0][2:4] == outcome


def test_the_first_hand_counts_where_the_book_says_so(tmp_path: Path) -> None:
    book = book_of(tmp_path, rules(more='exchanged = "first-hand"'), "exchange")
    seat = {"seat": 1, "cards": "9c 9h 9s 8d 3d", "exchange": {"give": "9s", "take": "4s"}, "sides": {"extra": "5"}}
    assert lines(settled(book, [seat], dealer=DEALER))[0][2:4] == ("win", "35")


def test_an_award_spends_the_stake_and_comes_from_the_tray() -> None:
    raw = scenario_from_data(
        {
            "book": str(LANTERN),
            "dealer": DEALER,
            "meter": "1000",
            "seats": [{"seat": 1, "cards": QUADS, "ante": "10", "side": "1", "sides": {"lantern": "5"}}],
        }
    )
    found = settle_in(raw)
    assert isinstance(found, tuple)
    book, settlement = found
    line = next(one for one in settlement.lines if one.wager == "lantern")
    assert (line.outcome, line.pays, line.consumed, line.net) == ("win", 150_000, True, 149_500)
    moved = postings(book, settlement)
    of_line = [one for one in moved if one.clause == "LAN-2"]
    assert of_line == [
        *(Posting("player:1", -500, "LAN-2"), Posting("tray", 500, "LAN-2")),
        *(Posting("tray", -150_000, "LAN-2"), Posting("player:1", 150_000, "LAN-2")),
    ]
    assert sum(one.amount for one in moved) == 0
    assert sum(one.amount for one in moved if one.account == "player:1") == settlement.seats[0].net


ENVY = rules(folded="lost", more='envy = { royal_flush = "100", straight_flush = "50", four_of_a_kind = "25" }')


def test_envy_goes_to_the_other_boxes_with_the_wager_for_each_hand(tmp_path: Path) -> None:
    seats = [
        {"seat": 1, "cards": NOTHING, "sides": {"extra": "5"}},
        {"seat": 2, "cards": QUADS, "sides": {"extra": "5"}},
        {"seat": 3, "cards": "2c 2h 2s Ah 8c"},
        {"seat": 4, "cards": "9c 9h 9s 9d 3d"},  # no wager of its own, and a hand all the same
    ]
    found = lines(settled(book_of(tmp_path, ENVY), seats, dealer="As Kd 7c 4h 2d"))
    assert found == [
        (1, "5", "lose", "0", "X-1", None),
        (1, "0", "win", "25", "X-1", 4),
        (1, "0", "win", "25", "X-1", 2),
        (2, "5", "win", "500", "X-1", None),
        (2, "0", "win", "25", "X-1", 4),
    ]


def test_no_envy_for_a_hand_that_was_given_up_nor_of_one_nor_among_the_boxes_of_a_player(tmp_path: Path) -> None:
    book = book_of(tmp_path, ENVY)
    own = {"seat": 1, "cards": NOTHING, "sides": {"extra": "5"}}
    other = {"seat": 2, "cards": QUADS}
    assert len(lines(settled(book, [own, other], dealer=DEALER))) == 2
    assert len(lines(settled(book, [own, {**other, "play": "fold"}], dealer=DEALER))) == 1
    assert len(lines(settled(book, [{**own, "play": "fold"}, other], dealer=DEALER))) == 1
    several = tmp_path / "several.toml"
    text = with_side(ENVY, "rws")
    several.write_text(text, encoding="utf-8")
    both = [{**own, "player": "Ann"}, {**other, "player": "Ann"}]
    assert len(lines(settled(str(several), both, dealer=DEALER))) == 1
    assert len(lines(settled(str(several), [both[0], {**other, "player": "Ben"}], dealer=DEALER))) == 2


def test_the_same_need_holds_for_envy(tmp_path: Path) -> None:
    seats = [{"seat": 1, "cards": NOTHING, "sides": {"extra": "5"}}, {"seat": 2, "cards": QUADS}]
    book = book_of(tmp_path, ENVY + '\nneeds = "dealer-qualifies"')
    assert len(lines(settled(book, seats, dealer=DEALER))) == 2
    assert len(lines(settled(book, seats, dealer=NO_HAND))) == 1


def test_named_wagers_come_last_from_the_right_in_the_order_of_the_book() -> None:
    seats = [
        {"seat": number, "cards": hand, "side": "1", "sides": {"lantern": "5", "five-plus-one": "2"}}
        for number, hand in ((1, NOTHING), (2, TRIPS))
    ]
    raw = scenario_from_data(
        {"book": str(LANTERN), "dealer": DEALER, "seats": [{"ante": "10", **one} for one in seats]}
    )
    found = settle_in(raw)
    assert isinstance(found, tuple)
    order = [(line.seat, line.wager) for line in found[1].lines]
    assert order[-4:] == [(2, "five-plus-one"), (2, "lantern"), (1, "five-plus-one"), (1, "lantern")]
    assert {wager for _, wager in order[-6:-4]} == {"side"}


@pytest.mark.parametrize(
    ("sides", "reason", "clause"),
    [
        ({"lantern": "6"}, "seat 1: the wager lantern is exactly 5, not 6", "LAN-2"),
        ({"five-plus-one": "0.99"}, "seat 1: the wager five-plus-one is 1 to 100, not 0.99", "LAN-1"),
        ({"five-plus-one": "100.01"}, "seat 1: the wager five-plus-one is 1 to 100, not 100.01", "LAN-1"),
    ],
)
def test_a_stake_out_of_range_is_refused(sides: dict[str, str], reason: str, clause: str) -> None:
    found = settled(str(LANTERN), [{"seat": 1, "cards": TRIPS, "sides": sides}], dealer=DEALER)
    assert found["refused"] == {"clause": clause, "reason": reason}
    at = [{"seat": 1, "cards": TRIPS, "sides": {"five-plus-one": stake}} for stake in ("1", "100")]
    assert all("refused" not in settled(str(LANTERN), [one], dealer=DEALER) for one in at)


def test_no_stake_is_no_wager() -> None:
    found = settled(str(LANTERN), [{"seat": 1, "cards": TRIPS, "sides": {"lantern": 0}}], dealer=DEALER)
    assert not lines(found, "lantern")


def test_a_wager_without_an_ante_is_refused() -> None:
    found = settled(str(LANTERN), [{"seat": 1, "ante": 0, "play": "fold", "sides": {"lantern": "5"}}])
    assert "without an ante" in found["refused"]["reason"]


def test_a_name_that_the_book_does_not_have() -> None:
    seat = {"seat": 1, "cards": TRIPS, "sides": {"lanters": "5"}}
    says = r"^seat 1: sides: there is no wager 'lanters'; there are five-plus-one, lantern; did you mean lantern\?$"
    with pytest.raises(INPUT_ERRORS, match=says):
        settled(str(LANTERN), [seat], dealer=DEALER)
    with pytest.raises(INPUT_ERRORS, match="there is no wager 'lanters'; the book has none by name"):
        settled("section10", [seat], dealer=DEALER)


def test_a_deal_is_laid_out_for_a_book_without_the_wager() -> None:
    raw = scenario_from_data(
        {
            "book": str(LANTERN),
            "dealer": DEALER,
            "seats": [{"seat": 1, "ante": "10", "cards": TRIPS, "sides": {"lantern": "5"}}],
        }
    )
    scenario, notes = adapted(load_book("rws"), to_scenario(load_book(str(LANTERN)), raw))
    assert scenario.seats[0].sides == ()
    assert notes == ("has no wager lantern",)


THREE = f'stake = "5"\ncards = "own"\nfolded = "stands"\npays = {PAIRS_UP}'


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("Kd 4s 4d", "5"),
        ("Kd 4d 2d", "15"),
        ("4s 3d 2d", "30"),
        ("Ad 2s 3d", "30"),
        ("Ad Kd Qd", "250"),
        ("Kd 4s 2h", "0"),
    ],
)
def test_three_cards_are_judged_as_three(cards: str, pays: str, tmp_path: Path) -> None:
    book = book_of(tmp_path, THREE, "colorado-required")
    seat = {"seat": 1, "cards": cards, "sides": {"extra": "5"}}
    played = {**seat, "play": "bet", "discard": cards.split()[-1]}
    assert lines(settled(book, [played], community="7h 8c Jh"))[0][3] == pays
    assert lines(settled(book, [{**seat, "play": "fold"}]))[0][3] == pays


def test_the_classes_of_three_cards_are_counted() -> None:
    found = dict.fromkeys(THREE_CARD_ORDER, 0)
    for three in combinations(DECK, 3):
        found[category_of_three(three, ace_low=True)] += 1
    assert list(found.values()) == [16_440, 3_744, 1_096, 720, 52, 44, 4]


def test_a_hand_with_the_community_is_the_one_that_is_kept(tmp_path: Path) -> None:
    said = rules("own-and-community", "returned")
    book = book_of(tmp_path, said, "colorado-required")
    seat = {"seat": 1, "cards": "Kd 9s 9d", "sides": {"extra": "5"}}
    board = {"community": "9h 8c Jh"}
    assert lines(settled(book, [{**seat, "discard": "Kd"}], **board))[0][2:4] == ("win", "35")
    assert lines(settled(book, [{**seat, "discard": "9s"}], **board))[0][2:4] == ("lose", "0")
    assert lines(settled(book, [{**seat, "play": "fold"}], **board))[0][2:4] == ("returned", "0")
    declared = {**seat, "cards": "9c 9s 9d", "play": "declare"}
    assert lines(settled(book, [declared], **board))[0][2:4] == ("returned", "0")


def test_a_hand_that_was_never_whole_loses_what_stands(tmp_path: Path) -> None:
    on_folds = """
[[clause]]
id = "X-2"
topic = "side-bets"
actor = "house"
says = "It stands when the hand is folded."
set.sides.extra.folded = "stands"
"""
    book = load_book(book_of(tmp_path, rules().replace('folded = "stands"\n', "") + on_folds))
    folded = Seat(
        number=1,
        cards=(),
        ante=Amount(1000),
        play="fold",
        bet=None,
        side=Amount(0),
        claims=False,
        swap=None,
        discard=None,
        player=None,
        sides=(("extra", Amount(500)),),
    )
    found = settle(book, Scenario(seats=(folded,)))
    assert isinstance(found, Settlement)
    assert found.lines[1:] == (Line(1, "extra", Amount(500), "lose", Amount(0), "X-2"),)


def test_a_wager_beside_a_side_bet_without_an_ante_is_refused(tmp_path: Path) -> None:
    alone = {"seat": 1, "ante": "0", "side": "1", "sides": {"extra": "5"}}
    found = settled(book_of(tmp_path, rules(), "rws"), [alone, {"seat": 2, "cards": NOTHING}], dealer=DEALER)
    assert found["refused"] == {"reason": "seat 1: the wager extra needs an ante", "clause": "RWS-3.6"}


@pytest.mark.parametrize(("limit", "refused"), [("20", None), ("19", "seat 1: the wager extra is over the limit")])
def test_a_wager_lies_within_the_limit_of_any_wager(tmp_path: Path, limit: str, refused: str | None) -> None:
    book = book_of(tmp_path, rules().replace('stake = "5"', 'min = "1"\nmax = "20"'), "washington")
    seat = {"seat": 1, "cards": TRIPS, "ante": "5", "sides": {"extra": "20"}}
    found = settled(book, [seat], dealer=DEALER, options={"wager-limits": limit})
    assert found.get("refused") == (refused and {"reason": refused, "clause": "WA-0-limits"})
