"""Currencies of no, three and four decimals through every command: each amount to the last coin, and none misread."""

import csv
import html
import io
import json
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from aceking.house.floor import requests as w
from aceking.house.store.open import open_store
from aceking.rules.reading.load import load_book
from aceking.table import player as pl
from tests.commands.in_process import aceking
from tests.house.evening import PLAYERS, STAFF, Evening


class Coins(NamedTuple):
    """A currency, and amounts that end in its smallest coin."""

    currency: str
    decimals: int
    stake: str  # on the progressive
    ante: str
    meter: str
    tenth: str  # of the meter, rounded up to a coin
    left: str  # on the meter after that

    def units(self, text: str) -> int:
        return int(Decimal(text).scaleb(self.decimals))

    def times(self, number: int, text: str | None = None) -> str:
        """Return N times the ante, or another amount, as text; zero decimals are left out."""
        return self.shown(number * self.units(text or self.ante))

    def shown(self, units: int) -> str:
        whole, rest = divmod(units, 10**self.decimals)
        return f"{whole}.{rest:0{self.decimals}d}" if rest else str(whole)

    def grouped(self, text: str) -> str:
        """Return the amount with a comma after each thousand."""
        whole, _, rest = text.partition(".")
        return f"{int(whole):,}" + (f".{rest}" if rest else "")


MONEY = (
    Coins("JPY", 0, stake="1000", ante="5001", meter="123457", tenth="12346", left="111111"),
    Coins("KWD", 3, stake="0.250", ante="2.505", meter="12345.678", tenth="1234.568", left="11111.110"),
    Coins("CLF", 4, stake="0.0125", ante="0.7503", meter="1234.5671", tenth="123.4568", left="1111.1103"),
)
each = pytest.mark.parametrize("coins", MONEY, ids=lambda one: one.currency)


def text_of(coins: Coins) -> str:
    return f"""from = "section10"
id = "{coins.currency.lower()}-stud"
currency = "{coins.currency}"
decimals = {coins.decimals}

[[clause]]
id = "CUR-1"
topic = "side-bets"
actor = "house"
says = "The stake on the progressive, and a side wager on one's own cards with awards of single coins."
set.progressive.stake = "{coins.stake}"
[clause.set.sides.coin]
stake = "{coins.shown(3)}"
cards = "own"
folded = "stands"
[clause.set.sides.coin.awards]
royal_flush = "{coins.shown(70_001)}"
straight_flush = "{coins.shown(7_001)}"
four_of_a_kind = "none"
full_house = "none"
flush = "none"
straight = "{coins.shown(7)}"
"""


Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The program in a folder with the book of each currency: what it shows."""
    for coins in MONEY:
        (tmp_path / f"{coins.currency.lower()}.toml").write_text(text_of(coins), encoding="utf-8")

    def started(*words: str, said: str = "", status: int = 0) -> str:
        apart = {"ACEKING_CACHE": "off", "ACEKING_SESSIONS": str(tmp_path), "COLUMNS": "200"}
        done = aceking(*words, given=said, cwd=tmp_path, env=apart)
        assert done.returncode == status, done.stderr
        return done.stdout or done.stderr

    return started


def book_of(coins: Coins) -> str:
    return f"{coins.currency.lower()}.toml"


def deal(coins: Coins) -> str:
    """A straight, a folded hand, and a straight flush that takes a tenth of the meter."""
    seat = {"ante": coins.ante, "side": coins.stake, "sides": {"coin": coins.shown(3)}}
    seats = [
        {**seat, "seat": 1, "cards": "9s 8s 7s 6s 5h", "play": "bet"},
        {**seat, "seat": 2, "cards": "Kc Qd Jh 8h 4s", "play": "fold"},
        {**seat, "seat": 3, "cards": "8d 7d 6d 5d 4d", "play": "bet"},
    ]
    return json.dumps(
        {"id": "x", "book": book_of(coins), "dealer": "Ah Kd 9c 5s 2d", "meter": coins.meter, "seats": seats}
    )


@each
def test_settle_pays_to_the_last_coin(coins: Coins, run: Run) -> None:
    done = json.loads(run("settle", "-", "--json", said=deal(coins)))
    lines = [[(one["wager"], one["stake"], one["pays"]) for one in seat["lines"]] for seat in done["seats"]]
    side = coins.shown(3)
    assert lines[0] == [
        ("ante", coins.ante, coins.ante),
        ("bet", coins.times(2), coins.times(8)),
        ("side", coins.stake, "0"),
        ("coin", side, coins.shown(7)),
    ]
    assert lines[2][2:] == [("side", coins.stake, coins.tenth), ("coin", side, coins.shown(7_001))]
    assert done["meter"] == {
        "before": coins.meter,
        "after": coins.left,
        "awards": [{"seat": 3, "amount": coins.tenth, "from": "meter"}],
    }
    lost = coins.units(coins.ante) + coins.units(coins.stake) + 3
    assert done["seats"][1]["net"] == f"-{coins.shown(lost)}"
    shown = run("settle", "-", said=deal(coins))
    assert f"Jackpot {coins.grouped(coins.meter)} → {coins.grouped(coins.left)}" in shown


@each
def test_an_amount_finer_than_the_coin_is_refused(coins: Coins, run: Run) -> None:
    fine = deal(coins).replace(f'"ante": "{coins.ante}"', f'"ante": "1.{"0" * coins.decimals}1"')
    told = run("settle", "-", said=fine, status=2)
    assert f"ante: '1.{'0' * coins.decimals}1' is finer than the smallest coin; {coins.decimals} decimals" in told


@each
def test_compare_lays_the_same_amount_before_every_book_or_says_that_it_cannot(
    coins: Coins, run: Run, tmp_path: Path
) -> None:
    """What was 2.505 in coins of three decimals was 25.05 in coins of two."""
    (tmp_path / "deal.json").write_text(deal(coins), encoding="utf-8")
    books = json.loads(run("compare", "deal.json", "--book", book_of(coins), "--json"))["books"]
    own = books[book_of(coins)]["seats"][0]["lines"]
    assert (own[0]["stake"], own[1]["pays"]) == (coins.ante, coins.times(8))
    if coins.decimals > 2:
        says = "an amount of the deal is finer than the smallest coin here; at most 2 decimals"
        assert books["rws"]["error"] == books["washington"]["error"] == says
    else:
        assert books["rws"]["seats"][0]["lines"][0]["stake"] == coins.ante
    for other in MONEY:
        if other.decimals > coins.decimals:
            laid = json.loads(run("compare", "deal.json", "--book", book_of(other), "--json"))["books"][book_of(other)]
            assert "refused" in laid  # the stakes of its side bets are others
            assert laid["refused"]["reason"] == f"seat 1: the side bet is exactly {other.stake}"


@each
def test_edge_tells_stakes_and_awards_in_coins(coins: Coins, run: Run) -> None:
    found = json.loads(run("edge", book_of(coins), "--json"))["side_bets"]
    line, coin = found["progressive"], found["coin"]
    assert (line["stake"], coin["stake"]) == (coins.stake, coins.shown(3))
    assert line["awards"]["four of a kind"] == "500"
    assert [one["ante"] for one in line["whole_game_even"]] == ["5", "10", "25", "100"]
    # With 90 of 649,740 a straight flush or better: the meter that makes the stake even, in units of the currency.
    fixed = Fraction(624 * 500 + 3744 * 100 + 5108 * 50)
    meter = (2_598_960 * Fraction(coins.stake) - fixed) / (4 + Fraction(36, 10))
    assert Fraction(line["break_even"]) == meter
    paid = Fraction(4 * 70_001 + 36 * 7_001 + 10_200 * 7, 3 * 2_598_960)
    assert Fraction(coin["house_edge"]) == 1 - paid
    told = run("edge", book_of(coins))
    assert f"a stake of {coins.stake} costs" in " ".join(told.split())


@each
def test_a_cap_and_an_ante_are_told_in_coins(coins: Coins, run: Run) -> None:
    told = run("edge", book_of(coins), "--ante", coins.ante, "--option", "bet-payout-cap=5000")
    assert f"is counted, for an ante of {coins.ante} {coins.currency}" in " ".join(told.split())


@each
def test_a_sheet_has_as_many_decimals_as_its_currency(coins: Coins, run: Run, tmp_path: Path) -> None:
    run("sheet", book_of(coins), "--out", "out")
    name = f"{coins.currency.lower()}-stud"
    page = (tmp_path / "out" / f"{name}.html").read_text(encoding="utf-8")
    plain = html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", " ", page, flags=re.DOTALL)))
    amounts = re.findall(rf"{coins.currency} (\d[\d,]*(?:\.\d+)?)", plain)
    assert "500" + (f".{'0' * coins.decimals}" if coins.decimals else "") in amounts
    stakes = {coins.shown(3), "5", "10", "25", "100"}
    for one in amounts:
        _, _, rest = one.partition(".")
        assert one in stakes or len(rest) == coins.decimals, one
    assert f"stake {coins.stake})" in plain
    data = json.loads((tmp_path / "out" / f"{name}.json").read_text(encoding="utf-8"))
    assert data["document"]["decimals"] == coins.decimals


@each
def test_a_simulated_meter_ends_in_coins(coins: Coins, run: Run) -> None:
    words = ("--rounds", "2000", "--side", "--meter", coins.meter, "--reset", coins.shown(1001), "--rate", "70%")
    found = json.loads(run("simulate", book_of(coins), *words, "--json"))
    assert found["side"]["meter"]["start"] == coins.meter
    won = sum(number * share for number, share in ((found["side"]["paid"]["straight_flush"], 1),))
    grown = coins.units(coins.meter) + 2000 * coins.units(coins.stake) * 7 // 10
    end = coins.units(found["side"]["meter"]["end"])
    assert end == grown if not won else end < grown
    assert set(found["sides"]) == {"coin"}


@each
def test_rounds_at_a_table_hold(coins: Coins, run: Run) -> None:
    assert "Everything holds." in run("books", "check", book_of(coins), "--rounds", "50")


@each
def test_the_terminal_table_takes_and_pays_coins(coins: Coins, run: Run) -> None:
    given = f"s coin on\n{coins.ante}\nb\nq\n"
    shown = run("play", book_of(coins), "--seed", "5", "--chips", "100000", said=given)
    ante, bet = coins.ante, coins.times(2)
    assert f"(b)et {bet}, (f)old?" in shown
    # The dealer has no hand: the ante is paid; no straight: the wager by name is lost.
    assert re.search(rf"ante +{re.escape(ante)}  win {re.escape(ante)} ", shown)
    assert re.search(rf"coin +{re.escape(coins.shown(3))}  lose", shown)
    gain = coins.units(coins.ante) - 3
    left = coins.grouped(coins.shown(100_000 * 10**coins.decimals + gain))
    assert f"You leave with {left} {coins.currency} (+{coins.grouped(coins.shown(gain))})." in shown


def script(coins: Coins) -> str:
    """A meter that is fed three wagers."""
    people = {"Dora": "dealer", "Sam": "supervisor", "Eva": "executive"}
    steps: list[dict[str, Any]] = [
        {"do": "configure", "by": "Sam", "second": "Eva", "tables": {"T": book_of(coins)}, "currency": coins.currency}
        | {"base": coins.meter, "reset": coins.shown(1001), "rate": "70%", "people": people},
        {"do": "open", "by": "Sam"},
        {"do": "start-game", "table": "T", "by": "Dora", "seats": [1, 2, 3]},
    ]
    return "".join(
        json.dumps({**one, "at": f"2026-01-05T21:00:{5 * place:02d}Z"}) + "\n" for place, one in enumerate(steps, 1)
    )


@each
def test_a_meter_is_run_and_reported_in_coins(coins: Coins, run: Run, tmp_path: Path) -> None:
    (tmp_path / "meter.jsonl").write_text(script(coins), encoding="utf-8")
    data = json.loads(run("meter", "run", "meter.jsonl", "--json"))
    fed = Fraction(3 * 7 * coins.units(coins.stake), 10)
    assert data["identity"] == "0"
    assert data["counters"]["base"] == coins.meter
    assert data["counters"]["wagered"] == coins.shown(3 * coins.units(coins.stake))
    value = coins.shown(coins.units(coins.meter) + int(fed))
    assert Fraction(data["counters"]["value"]) == (coins.units(coins.meter) + fed) / 10**coins.decimals
    assert f"{coins.currency} {value}   carried {fed - int(fed)} of a minor unit" in run("meter", "run", "meter.jsonl")
    run("meter", "report", "meter.jsonl", "--out", "papers")
    [days] = tmp_path.glob("papers/**/days.csv")
    [row] = csv.DictReader(io.StringIO(days.read_text(encoding="utf-8")))
    assert Fraction(data["counters"]["value"]) in [Fraction(one) for one in row.values() if one[:4] != "2026"]


def test_a_house_of_three_currencies_is_exported_and_verified(run: Run, tmp_path: Path) -> None:
    """A round with the progressive at a table of each; the export is in coins, and the log holds."""
    evening = Evening()
    evening.store.close()
    evening.store = open_store(f"sqlite:///{tmp_path / 'house.db'}", makes=True)  # type: ignore[assignment]
    people: dict[str, Any] = {**STAFF, **dict.fromkeys(PLAYERS, "player")}
    currencies = {one.currency: one.decimals for one in MONEY}
    evening.do("house", w.FoundHouse(name="Abroad", currencies=currencies, people=people, float=10**9))
    for coins in MONEY:
        name = coins.currency.lower()
        book = load_book(str(tmp_path / book_of(coins)))
        evening.do("max", w.FileBook(files={f"{name}-stud.toml": text_of(coins)}))
        ante = coins.units(coins.ante)
        posted: dict[str, Any] = {"ante_min": ante, "ante_max": 10 * ante, "attended": False}
        evening.do("fay", w.SetTable(table=name, name=name, book=book.id, **posted))
        evening.do("cas", w.Deposit(player="p1", currency=coins.currency, amount=100 * ante + 7))
        evening.do("p1", w.SitRequest(table=name, box=1))
        evening.do("p1", w.BuyIn(table=name, amount=100 * ante + 7))
        evening.do("p1", w.PlayRequest(table=name, act=pl.PlaceAnte(box=1, amount=ante)))
        evening.do("p1", w.PlayRequest(table=name, act=pl.PlaceSide(box=1, wager="coin", amount=3)))
        evening.do("p1", w.SayReady(table=name))
        evening.do("p1", w.PlayRequest(table=name, act=pl.SeeHand(box=1)))
        evening.do("p1", w.PlayRequest(table=name, act=pl.GiveUp(box=1)))
    evening.store.close()
    db = f"sqlite:///{tmp_path / 'house.db'}"
    rows = list(csv.DictReader(io.StringIO(run("house", "export", "--db", db))))
    for coins in MONEY:
        purse = [int(one["amount"]) for one in rows if one["account"] == f"purse/{coins.currency}/p1"]
        assert purse == [100 * coins.units(coins.ante) + 7, -100 * coins.units(coins.ante) - 7]
    told = run("verify", "house.db")
    assert "holds" in told
