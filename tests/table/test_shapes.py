"""Hands of other shapes at the table: the deal, two cards laid aside or none, what is seen, racked and rebuilt."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from aceking.api.table import RefusedError
from aceking.api.table import Table as ApiTable
from aceking.cards.card import CardId, name, names
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.deal_order import dealt_out, last_place, next_due, places
from aceking.table.cards.place import COMMUNITY, Pile, box_place
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.decide import decide
from aceking.table.evolve import evolve
from aceking.table.replay import events_from_json_lines, events_to_json_lines, replay
from aceking.table.show.explain import explain
from aceking.table.show.offers import player_offers
from aceking.table.show.view import Viewer, view
from aceking.table.state import Box, Round
from tests.exact.shapes import SHAPES, shaped, text
from tests.table.rebuilt import hands_from, reconstruct
from tests.torture import walk_once

MAY_STAY = "colorado-permissible"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "books"


def round_of(driver: Driver) -> Round:
    assert driver.table.round is not None
    return driver.table.round


def box(driver: Driver, number: int) -> Box:
    return round_of(driver).boxes[number]


def dealt(book: Book, boxes: int = 2) -> Driver:
    """A round of a new table after the deal: the deck lies in the order of its numbers."""
    driver = Driver(book, new_table(book))
    driver.open_bets(range(52))
    for number in range(1, boxes + 1):
        driver.must(c.Ante(box=number, player=f"player {number}", amount=1000))
    driver.close_bets()
    driver.deal()
    for number in range(1, boxes + 1):
        driver.look(number)
    return driver


def refused(driver: Driver, act: c.Act) -> Refusal:
    done = driver.do(act)
    assert isinstance(done, Refusal), done
    return done


def _laps(book: Book) -> Iterator[str]:
    for due in places(book, [1, 2]):
        yield {box_place(1): "1", box_place(2): "2", COMMUNITY: "b"}[due.to]


@pytest.mark.parametrize(
    ("shape", "singly", "in_packets"),
    [
        ((2, 3, 0), "12b 12b b", "11 22 bbb"),
        ((3, 2, 0), "12 12b 12b", "111 222 bb"),
        ((3, 3, 1), "12b 12b 12b", "111 222 bbb"),
        ((3, 4, 2), "12b 12b 12b b", "111 222 bbbb"),
        ((4, 2, 1), "12 12 12b 12b", "1111 2222 bb"),
        ((5, 2, 2), "12 12 12 12b 12b", "11111 22222 bb"),
    ],
)
def test_every_box_gets_its_cards_and_the_deal_ends_on_the_board(
    tmp_path: Path, shape: tuple[int, int, int], singly: str, in_packets: str
) -> None:
    book = shaped(tmp_path, shape)
    assert "".join(_laps(book)) == singly.replace(" ", "")
    packets = shaped(tmp_path, shape, method="automated-shoe")
    assert "".join(_laps(packets)) == in_packets.replace(" ", "")
    for each in (book, packets):
        hands = hands_from(each, [1, 2], tuple(range(52)))
        assert [len(hands[to]) for to in (box_place(1), box_place(2), COMMUNITY)] == [shape[0], shape[0], shape[1]]
        assert (places(each, [1, 2])[-1].to, last_place(each)) == (COMMUNITY, COMMUNITY)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_deal_is_over_when_all_have_their_cards_and_not_before(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    book = shaped(tmp_path, shape)
    driver = Driver(book, new_table(book))
    driver.open_bets(range(52))
    driver.must(c.Ante(box=1, player="player 1", amount=1000))
    driver.close_bets()
    for _ in range(shape[0] + shape[1] - 1):
        driver.deal(1)
        assert not dealt_out(book, round_of(driver))
    driver.deal(1)
    assert dealt_out(book, round_of(driver))
    assert next_due(book, round_of(driver)) is None


@pytest.mark.parametrize(
    ("shape", "case", "before"),
    [
        ((4, 2, 1), "for-players-fourth-card", 4),
        ((5, 2, 2), "for-players-fifth-card", 5),
        ((3, 4, 2), "for-fourth-community-card", 6),
    ],
)
def test_a_clause_on_one_card_binds_that_card(
    tmp_path: Path, shape: tuple[int, int, int], case: str, before: int
) -> None:
    clause = f"""
[[clause]]
id = "CASE-1"
topic = "deal"
actor = "dealer"
says = "That card lies face down."
act = [{{ do = "card-dealt", by = "dealer", case = ["{case}"], needs = ["dealt-face-down"], breach = "violation" }}]
"""
    file = tmp_path / "case.toml"
    file.write_text(text(shape) + clause, encoding="utf-8")
    driver = Driver(book := load_book(str(file)), new_table(book))
    driver.open_bets(range(52))
    driver.must(c.Ante(box=1, player="player 1", amount=1000))
    driver.close_bets()
    driver.deal(before)
    broken = driver.must(c.DealCard(face="up"))
    assert [one.clause for one in broken if isinstance(one, ev.Violated)] == ["CASE-1"]
    after = Driver(book, new_table(book))
    after.open_bets(range(52))
    after.must(c.Ante(box=1, player="player 1", amount=1000))
    after.close_bets()
    after.deal(before - 1)
    other = after.must(c.DealCard(face="up"))
    assert "CASE-1" not in [one.clause for one in other if isinstance(one, ev.Violated)]


def test_two_cards_are_laid_aside_together_or_one_after_the_other(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 3, 2))
    driver = dealt(book)
    first, second = box(driver, 1).cards, box(driver, 2).cards
    three = refused(driver, c.Bet(box=1, discard=first[:3]))
    assert (three.reason, three.clause) == ("2 cards may be laid aside, not more", "SHAPE-1")
    for wrong in ((first[0], first[0]), (first[0], second[0]), second[0]):
        assert refused(driver, c.Bet(box=1, discard=wrong)).reason == "the discard is not in the hand"
    done = driver.must(c.Bet(box=1, discard=first[:2]))
    assert [one.card for one in done if isinstance(one, ev.Discarded)] == [first[0], first[1]]
    assert (box(driver, 1).discard, box(driver, 1).kept) == (first[:2], first[2:])
    driver.must(c.Bet(box=2, discard=second[3]))
    assert (box(driver, 2).discard, box(driver, 2).aside) == (second[3], (second[3],))
    assert refused(driver, c.Reveal()).reason == "box 2 has not discarded"
    (offer,) = [one for one in player_offers(book, driver.table, "player 2") if one.do == "discard"]
    assert offer.cards == tuple(name(CardId(one)) for one in second[:3])
    assert refused(driver, c.Discard(box=2, card=second[3])).reason == "the discard is not in the hand"
    driver.must(c.Discard(box=2, card=second[0]))
    assert refused(driver, c.Discard(box=2, card=second[1])).reason == "2 cards are discarded already"
    driver.finish()
    assert round_of(driver).phase == "done"


def test_a_hand_without_discards_is_played_whole(tmp_path: Path) -> None:
    book = shaped(tmp_path, (3, 2, 0))
    driver = dealt(book)
    assert all(not offer.cards for offer in player_offers(book, driver.table, "player 1"))
    driver.must(c.Bet(box=1))
    assert refused(driver, c.Discard(box=1, card=box(driver, 1).cards[0])).reason == "no card is discarded now"
    driver.must(c.Fold(box=2))
    driver.finish()
    shown = view(book, driver.table, Viewer("player", "player 1"))
    assert shown.own.boxes[0].words == shown.common.boxes[0].words
    assert shown.own.boxes[0].words is not None
    assert (shown.own.boxes[0].discard, shown.common.boxes[0].cards) == (None, shown.own.boxes[0].cards)


def test_what_is_laid_aside_is_seen_by_its_player_alone_racked_apart_and_found_again(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 3, 2), base=MAY_STAY)
    driver = dealt(book)
    start = new_table(book)
    held = box(driver, 1).cards
    driver.must(c.Stay(box=1, discard=(held[3], held[1])))
    driver.must(c.Bet(box=2, discard=box(driver, 2).cards[:2]))
    mine = view(book, driver.table, Viewer("player", "player 1")).own.boxes[0]
    assert mine.discard == names((CardId(held[3]), CardId(held[1])))
    driver.finish()
    for viewer in (Viewer("player", "player 2"), Viewer("pit")):
        seen = msgspec.json.encode(view(book, driver.table, viewer)).decode()
        assert not any(f'"{name(CardId(card))}"' in seen for card in (held[1], held[3]))
    rack = dict(round_of(driver).rack)
    assert (rack[Pile("discard", 1)], rack[Pile("hand", 1)]) == ((held[3], held[1]), (held[0], held[2]))
    found = reconstruct(round_of(driver).rack)[Pile("hand", 1)]
    assert (found.discard, found.dealt) == ((held[3], held[1]), frozenset(held))
    again = events_from_json_lines(events_to_json_lines(tuple(driver.events)))
    assert replay(book, start, again).round == round_of(driver)
    assert "with the community cards" in " ".join(explain(book, driver.events))


def test_a_player_who_is_deemed_to_stay_lays_the_last_cards_aside(tmp_path: Path) -> None:
    driver = dealt(shaped(tmp_path, (4, 3, 2), base=MAY_STAY))
    held = box(driver, 1).cards
    driver.must(c.Report(mishap="walk-away", boxes=(1,)))
    answer = c.GiveRuling(
        question=driver.table.questions[0].number, then="deemed-stay", reason="gone", role="supervisor"
    )
    done = decide(driver.book, driver.table, answer, driver.shoe)
    assert not isinstance(done, Refusal), done
    for event in done:
        driver.table = evolve(driver.table, event)
    assert (box(driver, 1).choice, box(driver, 1).aside) == ("stay", held[2:])


def test_a_corrected_hand_keeps_what_was_laid_aside_of_it(tmp_path: Path) -> None:
    driver = dealt(shaped(tmp_path, (4, 3, 2)))
    held = box(driver, 1).cards
    driver.must(c.Bet(box=1, discard=held[:2]))
    for cards, left in ((held[1:], held[1]), (held[2:], None), (held[:3], held[:2])):
        found = c.HandWas(place=box_place(1), cards=cards)
        after = evolve(driver.table, ev.Corrected(now=found, by="Sue", reason="seen")).round
        assert after is not None
        assert after.boxes[1].discard == left


def test_a_hand_with_too_few_cards_is_a_miscount_in_the_books_own_number(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 2, 1))
    driver = dealt(book)
    table = driver.table
    short = msgspec.structs.replace(box(driver, 1), cards=box(driver, 1).cards[:3])
    boxes = {**round_of(driver).boxes, 1: short}
    driver.table = msgspec.structs.replace(table, round=msgspec.structs.replace(round_of(driver), boxes=boxes))
    assert "3 cards, not 4" in refused(driver, c.Bet(box=1)).reason


def test_a_game_without_a_side_wager_takes_none(tmp_path: Path) -> None:
    driver = Driver(book := shaped(tmp_path, (4, 2, 1)), new_table(book))
    driver.open_bets(range(52))
    driver.must(c.Ante(box=1, player="player 1", amount=1000))
    assert refused(driver, c.SideBet(box=1, player="player 1", amount=100)).clause.startswith("BASE-")
    assert not isinstance(driver.do(c.CloseBets()), Refusal)


def test_who_goes_on_cannot_declare_where_nothing_is_declared(tmp_path: Path) -> None:
    book = shaped(tmp_path, (3, 3, 1), base=MAY_STAY)
    driver = dealt(book)
    driver.must(c.Discard(box=1, card=box(driver, 1).cards[0]))
    told = refused(driver, c.Declare(box=1))
    assert (told.reason, told.clause) == ("a card is laid aside: the player goes on", "SHAPE-1")


def test_a_programmer_lays_two_cards_aside_by_name_or_by_themselves() -> None:
    path = str(EXAMPLES / "quartet.toml")
    for how in (
        lambda held: f"{held[0]} {held[1]}",
        lambda held: held[:2],
        lambda held: [str(one) for one in held[:2]],
    ):
        table = ApiTable(path, seed=4).open().ante(10).deal()
        held = table.seen()
        table.bet(how(held))
        assert table.round is not None
        assert table.net() is not None
        again = ApiTable(path, seed=4).open().ante(10).deal()
        with pytest.raises(RefusedError, match="2 cards may be laid aside, not more"):
            again.bet(again.seen()[:3])


@pytest.mark.parametrize("file", ["quartet", "trio"])
def test_a_walk_of_an_example_from_fixed_seeds(file: str) -> None:
    path = str(EXAMPLES / f"{file}.toml")
    ended = sum(walk_once(path, 30_000 + seed, steps=150).rounds["ended"] for seed in range(3))
    assert ended > 3, "the walks play hardly any round to its end"


def test_the_examples_have_the_shapes_that_they_say() -> None:
    found = [load_book(str(EXAMPLES / f"{file}.toml")).hands for file in ("quartet", "trio")]
    assert [(one.cards, one.community, one.discards) for one in found] == [(4, 3, 2), (3, 2, 0)]
