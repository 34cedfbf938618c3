"""Win of a table: what the ledger has, what the players lost and what the report says are one number."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aceking.cards.card import CardId, cards, suit_of
from aceking.house.floor import ledger
from aceking.house.floor import requests as w
from aceking.house.floor.library import book_of
from aceking.house.floor.states import FloorTable
from aceking.house.reports import TableRow, day_report
from aceking.house.robots import RobotPlayer, request_of
from aceking.house.verify import verify
from aceking.house.views.pit import pit
from aceking.rules.book import Book
from aceking.rules.odds import amount
from aceking.rules.reading.load import book_ids
from aceking.settlement.lines import MAIN
from aceking.table import commands as c
from aceking.table import player as pl
from aceking.table.cards.place import DEALER
from aceking.table.dealer.next_act import due
from aceking.table.show.offers import Offer, player_offers
from aceking.table.state import Round
from tests.house.by_hand import entered
from tests.house.evening import CURRENCIES, Evening
from tests.house.test_jackpot import AWARDS, ROYAL, Dealing, linked

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "books"
#: Books on file: named side wagers, cards sold to players and to the dealer, a progressive of fixed awards.
FILED = ("lantern", "oasis", "harbour", "russian")
POSTED: dict[str, dict[str, str]] = {
    "washington": AWARDS,
    "exchange": {"four_of_a_kind": "500", "full_house": "100", "flush": "50"},
}
DAYS = ("2026-09-19", "2026-09-20", "2026-09-21")
BOXES = 3


class Playing:
    """A table with three players who play by lot, and with its people where it is live."""

    def __init__(self, book: str, mode: str, seed: int = 1, **posted: Any) -> None:
        self.house, self.dice = Evening(seed).found(), random.Random(seed)
        self.sided = set[tuple[int, int]]()
        self.lucky = False  # every hand of the round is a flush
        if book in FILED:
            text = (EXAMPLES / f"{book}.toml").read_text(encoding="utf-8")
            self.house.do("max", w.FileBook(files={f"{book}.toml": text}))
        posted = {"awards": POSTED.get(book, {}), "reset": 500_000 if book in POSTED else None} | posted
        posted |= {"ante_min": 1000, "ante_max": 10_000, "mode": mode, "attended": mode == "live"}
        self.house.do("fay", w.SetTable(table="one", name="One", book=book, **posted))
        for box in range(1, BOXES + 1):
            self.house.do(f"p{box}", w.SitRequest(table="one", box=box))
            self.house.do(f"p{box}", w.BuyIn(table="one", amount=300_000))

    @property
    def one(self) -> FloorTable:
        return self.house.table("one")

    @property
    def book(self) -> Book:
        return book_of(self.house.floor.house, self.one)

    def play(self, until: str | None = None) -> Round:
        """One round; returns it as it ended, or as it is when it comes to this phase."""
        before = self.one.table.rounds
        for _ in range(500):
            current = self.one.table.round
            if current is not None and (self.one.table.rounds > before or current.phase == until):
                return current
            self._step()
        raise AssertionError("the round never ends")

    def _step(self) -> None:
        live, current = self.one.posted.mode == "live", self.one.table.live_round
        for box in range(1, BOXES + 1):
            if (asked := self._asks(box)) is not None:
                self.house.do(*asked)
                return
        staked = current is not None and len(current.dealt_in) == BOXES
        act = due(self.book, self.one.table, betting_may_close=staked)
        if not live and not isinstance(act, c.Validate | c.SwipeCard | c.CompletePapers):
            self.house.ring()
            return
        assert isinstance(act, c.Act), f"nobody has anything to do: {self.one.table.questions}"
        player = self.one.seats.get(getattr(act, "box", None) or 1, "p1")
        self.house.do(*entered(self.book, self.one, act, player=player, cards=self._cards))

    def _asks(self, box: int) -> tuple[str, Any] | None:
        """What the player of a box does now: side bets and an exchange by lot, all else as a robot."""
        current, name = self.one.table.live_round, f"p{box}"
        own = current.boxes.get(box) if current is not None else None
        if current is not None and own is not None:
            offers = [one for one in player_offers(self.book, self.one.table, name) if one.box == box]
            if current.phase == "betting" and (box, current.number) not in self.sided:
                self.sided.add((box, current.number))
                sides = [one for one in offers if one.do == "side-bet"]
                if sides and self.dice.random() < 0.9:
                    return self._side(box, name, self.dice.choice(sides))
            sold = [one for one in offers if one.do == "exchange"]
            if sold and own.give is None and self.dice.random() < 0.4:
                return self._exchange(box, name, self.dice.choice(sold))
        asked = request_of(self.house.floor, RobotPlayer(name, "badly", "one", box), self.dice)
        return None if asked is None else (name, asked)

    def _side(self, box: int, name: str, offer: Offer) -> tuple[str, Any]:
        stake = amount(offer.amount or offer.least or "", decimals=CURRENCIES[self.book.currency])
        coupons = offer.wager is None and self.book.progressive is not None and self.book.progressive.coupons
        if coupons and self.one.posted.mode == "live" and self.dice.random() < 0.5:
            told = {"do": "side-bet", "box": box, "amount": stake, "means": "$1 coupon"}
            return "deb", w.TableAct(table="one", act=told, player=name)
        return name, w.PlayRequest(table="one", act=pl.PlaceSide(box=box, amount=stake, wager=offer.wager))

    def _exchange(self, box: int, name: str, offer: Offer) -> tuple[str, Any]:
        given = " ".join(self.dice.sample(offer.cards, offer.count or 1))
        if self.one.posted.mode == "electronic":
            return name, w.PlayRequest(table="one", act=pl.BuyCard(box=box, give=given))
        numbers = [int(one) for one in cards(given)]
        told = {"do": "exchange", "box": box, "give": numbers, "take": self._cards(len(numbers))}
        return "deb", w.TableAct(table="one", act=told, player=name)

    def _cards(self, size: int) -> list[int]:
        current = self.one.table.live_round
        assert current is not None
        out = current.sequence
        left = self.dice.sample([card for card in range(52) if card not in out], 52 - len(out))
        if self.lucky:
            # One card at a time goes round three boxes and the dealer, or a whole hand comes at once.
            suit = len(out) % 4 if size == 1 else len(out) // size % 4
            left.sort(key=lambda card: suit_of(CardId(card)) != suit)
        return left[:size]

    def close(self, day: str) -> TableRow:
        """Close a day; return the row of the table in its report."""
        self.house.do("aud", w.CloseDay(day=day))
        *before, closed = self.house.floor.house.days.values()
        [row] = day_report(self.house.floor, closed, before[-1] if before else None, {"one": None}).tables
        assert minor(row, "win") == minor(row, "main_win") + minor(row, "side_win") - minor(row, "from_meter")
        return row


def minor(row: TableRow, key: str) -> int:
    return round(float(getattr(row, key)) * 100)  # all currencies of the house have two decimals


def lost(one: FloorTable) -> int:
    """What the players have lost, by what they brought and what they have."""
    return sum(brought - one.chips(player) for player, brought in one.bought.items())


def main_of(current: Round) -> int:
    """What a round without any mishap won on antes, bets and prices, by its lines."""
    return -sum(line.net for line in current.lines if line.wager in MAIN)


@pytest.mark.parametrize("mode", ["live", "electronic"])
@pytest.mark.parametrize("book", [*book_ids(), *FILED])
def test_win_is_what_the_players_lost_and_what_the_ledger_moved(book: str, mode: str) -> None:
    table, main = Playing(book, mode), 0
    rows, wins, paid = [], [0], 0
    for day in DAYS:
        for number in range(4):
            table.lucky = number == 3
            current = table.play()
            main += main_of(current)
            paid += sum(line.pays for line in current.lines if line.wager not in MAIN)
            one = table.one
            assert ledger.win(one) == lost(one)
            assert ledger.win(one) == main + one.totals.won_sides - one.totals.paid_meter
        rows.append(table.close(day))
        wins.append(ledger.win(table.one))
    assert [minor(row, "win") for row in rows] == [after - before for before, after in pairwise(wins)]
    assert sum(minor(row, "main_win") for row in rows) == main
    assert {row.rounds for row in rows} == {4}
    # An electronic table draws its own cards: flushes come by themselves, and seldom.
    assert paid or mode == "electronic" or not any(minor(row, "side_handle") for row in rows)
    moved = sum(
        unit.postings.get(f"table/one/{account}", 0)  # type: ignore[misc]
        for _, unit in table.house.log()
        for account in ("tray", "meter")
    )
    assert moved == wins[-1]
    [shown] = pit(table.house.floor, "floorperson", "fay", at=table.house.at).tables
    assert float(shown.won) * 100 == wins[-1]
    assert verify(table.house.log).floor == table.house.floor


def test_a_lost_side_stake_that_nobody_moved_is_won() -> None:
    """It went to the tray before the deal, and its line stays where it is."""
    table = Playing("section10", "live")
    for _ in range(20):
        current = table.play()
        quiet = [line for number, line in enumerate(current.lines) if number not in current.moved]
        if quiet:
            break
    assert {(line.wager, line.outcome, line.stake) for line in quiet} == {("side", "lose", 100)}
    row = table.close(DAYS[0])
    assert minor(row, "side_win") == minor(row, "side_handle") > 0
    assert minor(row, "win") == lost(table.one)


def test_a_round_under_way_belongs_to_the_next_day() -> None:
    """Its side stakes lie in the tray and its chips on the layout when the day is closed."""
    table = Playing("section10", "live")
    table.play()
    won = ledger.win(table.one)
    table.play(until="revealed")
    tray = table.one.table.accounts["tray"]
    assert tray != won
    first = table.close(DAYS[0])
    assert (first.rounds, minor(first, "win")) == (1, won)
    table.play()
    second = table.close(DAYS[1])
    assert (second.rounds, minor(second, "win")) == (1, lost(table.one) - won)


def _ruled(table: Playing, report: dict[str, Any], then: str, **more: Any) -> None:
    """A mishap is reported by the dealer, and the supervisor or the house decides."""
    table.house.do("deb", w.TableAct(table="one", act={"do": "report", **report}))
    [asked] = table.one.table.questions
    ruling = {"do": "rule", "question": asked.number, "then": then, "reason": "seen on the camera", **more}
    who = "sam" if asked.of == "supervisor" else "eve"
    table.house.do(who, w.TableAct(table="one", act=ruling))


def test_a_void_round_wins_nothing_and_a_forfeited_box_loses_all_of_its_stakes() -> None:
    table = Playing("section10", "live")
    table.play(until="deciding")
    _ruled(table, {"mishap": "interruption"}, "void-round")
    assert (ledger.win(table.one), lost(table.one), table.one.totals.won_sides) == (0, 0, 0)
    current = table.play(until="deciding")
    box = next(box for box in current.dealt_in if box.beside)
    _ruled(table, {"mishap": "talking", "boxes": [box.number]}, "forfeit-wagers")
    ended = table.play()
    assert ended.boxes[box.number].forfeited
    row = table.close(DAYS[0])
    assert (row.rounds, row.voids) == (1, 1)
    assert minor(row, "win") == lost(table.one) == ledger.win(table.one)
    assert minor(row, "side_win") == minor(row, "side_handle")  # all were lost
    assert minor(row, "main_win") == main_of(ended) + box.ante


def test_a_round_that_is_void_after_its_end_is_taken_out_of_the_win() -> None:
    """Also where the day that had it is closed: the next one has the correction."""
    table = Playing("rws", "live")
    table.play()
    won = ledger.win(table.one)
    assert won == lost(table.one) != 0
    assert minor(table.close(DAYS[0]), "win") == won
    ended = table.one.table.round
    assert ended is not None
    four = msgspec.to_builtins(c.HandWas(place=DEALER, cards=ended.dealer[:4]))
    _ruled(table, {"mishap": "dealer-miscount", "count": 4}, "correct-record", corrects=[four])
    assert table.one.table.round is not None
    assert table.one.table.round.phase == "void"
    assert (ledger.win(table.one), lost(table.one), table.one.totals.won_sides) == (0, 0, 0)
    row = table.close(DAYS[1])
    assert (minor(row, "win"), minor(row, "main_win") + minor(row, "side_win")) == (-won, -won)
    assert (row.rounds, row.voids) == (-1, 1)


def test_what_is_paid_off_the_meter_is_the_players_and_apart_from_the_tables_own_win() -> None:
    house = linked("washington", ("a",), AWARDS)
    Dealing(house, "a", "p1", ROYAL).until()
    house.do("aud", w.CloseDay(day=DAYS[0]))
    [closed] = house.floor.house.days.values()
    [row] = day_report(house.floor, closed, None, {"a": None}).tables
    assert minor(row, "from_meter") == 1_000_070
    assert minor(row, "side_win") == 100
    assert minor(row, "win") == lost(house.table("a")) == minor(row, "main_win") + 100 - 1_000_070
