"""The floor by its rules: who may what, chips and purses, seats, clocks, words, two persons."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from aceking.cards.hand import Category
from aceking.house.floor import requests as w
from aceking.house.floor.decide import MAY
from aceking.house.floor.library import book_of, book_on_file
from aceking.house.floor.roles import ROLES
from aceking.house.verify import verify
from aceking.house.views import table as views
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import book_ids
from aceking.table import player as pl
from tests.house.accounts import balance
from tests.house.evening import PLAYERS, STAFF, Evening


@pytest.fixture
def house() -> Evening:
    return Evening().found()


@pytest.mark.parametrize("book", book_ids())
def test_a_round_of_every_book_runs_by_itself_between_the_acts_of_players(house: Evening, book: str) -> None:
    house.open(book)
    house.play(rounds=3)
    one = house.table("one")
    assert one.table.rounds == 3
    assert not one.seals or all(seal.commitment in house.desk.seeds for seal in one.seals.values())
    assert sum(one.chips(player) for player in one.players) + one.table.accounts.get("tray", 0) == 700_000


def test_a_player_stakes_only_chips_that_are_at_the_table(house: Evening) -> None:
    house.do("fay", w.SetTable(table="one", name="T", book="section10", ante_min=1000, ante_max=500_000))
    house.do("p1", w.SitRequest(table="one", box=1))
    assert house.no("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000))) == "HOUSE-chips"
    house.do("p1", w.BuyIn(table="one", amount=2999))
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
    house.do("p1", w.SayReady(table="one"))
    house.do("p1", w.PlayRequest(table="one", act=pl.SeeHand(box=1)))
    assert house.no("p1", w.PlayRequest(table="one", act=pl.MakeBet(box=1))) == "HOUSE-chips"  # 1999 are left for 2000
    house.do("p1", w.BuyIn(table="one", amount=1))
    house.do("p1", w.PlayRequest(table="one", act=pl.MakeBet(box=1)))


def test_money_goes_from_outside_to_purse_to_table_and_back(house: Evening) -> None:
    house.open("rws", players=1)
    before = balance(house.floor)
    assert (before["purse/SGD/p1"], before["table/one/player/p1"]) == (900_000, 100_000)
    assert house.no("p1", w.CashOut(table="one", amount=100_001)) == "HOUSE-chips"
    house.do("p1", w.CashOut(table="one", amount=100_000))
    assert house.no("cas", w.Withdraw(player="p1", currency="SGD", amount=1_000_001)) == "HOUSE-chips"
    assert house.no("cas", w.Withdraw(player="p1", currency="GBP", amount=1)) == "HOUSE-chips"
    house.do("cas", w.Withdraw(player="p1", currency="SGD", amount=1_000_000))
    assert balance(house.floor)["purse/SGD/p1"] == 0
    assert house.no("p1", w.BuyIn(table="one", amount=1)) == "HOUSE-chips"


def test_what_lies_on_the_layout_cannot_be_cashed_and_its_box_not_left(house: Evening) -> None:
    house.open("section10", players=1)
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
    assert house.no("p1", w.CashOut(table="one", amount=100_000)) == "HOUSE-chips"
    assert house.no("p1", w.Rise(table="one", box=1)) == "HOUSE-seat"
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=-1000)))
    house.do("p1", w.CashOut(table="one", amount=100_000))
    house.do("p1", w.Rise(table="one", box=1))
    assert not house.table("one").seats


def test_a_box_has_one_player_and_nobody_else_plays_it(house: Evening) -> None:
    house.open("section10", players=1)
    assert house.no("p2", w.SitRequest(table="one", box=1)) == "HOUSE-seat"
    assert house.no("p2", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000))) == "HOUSE-seat"
    assert house.no("p2", w.PlayRequest(table="one", act=pl.PlaceAnte(box=2, amount=1000))) == "HOUSE-seat"
    assert house.no("p2", w.Rise(table="one", box=1)) == "HOUSE-seat"
    assert house.no("p1", w.SitRequest(table="one", box=50)).startswith("CSP-")


def test_betting_closes_when_all_are_ready_or_the_posted_time_is_over(house: Evening) -> None:
    house.open("section10", players=2, bet_seconds=20)
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
    staked = house.at
    house.do("p1", w.SayReady(table="one"))
    assert house.table("one").table.live_round.phase == "betting"  # type: ignore[union-attr]
    house.at = staked + 19_000
    assert house.no("house", w.Tick(table="one", what="close-bets")) == "HOUSE-clock"
    house.at = staked + 20_000
    house.do("house", w.Tick(table="one", what="close-bets"))
    assert house.table("one").table.live_round.phase == "deciding"  # type: ignore[union-attr]


def test_a_decision_that_does_not_come_is_ruled_by_the_posted_rule(house: Evening) -> None:
    house.open("section10", players=1, decide_seconds=30)
    house.bets()
    house.ring()
    one = house.table("one")
    assert one.table.live_round is None
    assert one.table.round is not None
    assert one.table.round.boxes[1].choice == "fold"
    assert one.chips("p1") == 99_000


def test_a_dropped_player_has_a_grace_time_and_finds_everything_where_it_was(house: Evening) -> None:
    house.open("section10", players=1, decide_seconds=5, grace_seconds=60)
    house.bets()
    house.at += 4_000
    house.do("house", w.ConnectionLost(table="one", player="p1"))
    gone = house.at
    house.at = gone + 10_000
    assert house.no("house", w.Tick(table="one", what="decision")) == "HOUSE-clock"
    before = house.table("one").table
    house.do("house", w.ConnectionBack(table="one", player="p1"))
    assert house.table("one").table == before
    house.do("p1", w.PlayRequest(table="one", act=pl.SeeHand(box=1)))
    house.do("house", w.ConnectionLost(table="one", player="p1"))
    house.at += 55_000
    house.do("house", w.Tick(table="one", what="decision"))  # the grace is given once
    assert house.table("one").table.live_round is None


def test_the_commitment_is_there_before_the_bets_and_the_seed_after_the_round(house: Evening) -> None:
    house.open("section10", players=2)
    shown = house.table("one").seals["first"].commitment
    house.do("p2", w.AddWord(table="one", word="four-leaf clover"))
    assert house.no("p2", w.AddWord(table="one", word="again")) == "HOUSE-word"
    house.bets()
    assert house.no("p1", w.AddWord(table="one", word="late")) == "HOUSE-word"
    seed = house.desk.seeds[shown].hex()
    text = b"".join(bytes(one.body) for one in house.store.log())
    assert seed.encode() not in text
    assert seed not in msgspec.json.encode(house.floor).decode()
    house.decide()
    assert seed.encode() in b"".join(bytes(one.body) for one in house.store.log())
    assert shown not in house.desk.seeds
    assert shown not in house.store.sealed()


def test_a_fill_takes_the_pit_and_a_cashier(house: Evening) -> None:
    house.open("section10", players=1)
    house.do("fay", w.Fill(table="one", amount=50_000))
    assert house.table("one").tray == 0
    assert house.no("fay", w.Approve(number=1)) == "HOUSE-two"
    assert house.no("sam", w.Approve(number=1)) == "HOUSE-two"
    assert house.no("cas", w.Approve(number=2)) == "HOUSE-two"
    house.do("cas", w.Approve(number=1))
    assert house.table("one").tray == 50_000
    assert house.no("cas", w.Approve(number=1)) == "HOUSE-two"
    house.do("sam", w.Fill(table="one", amount=-50_000))
    assert house.no("cas", w.Approve(number=2, given=False)) == "HOUSE-input"
    house.do("cas", w.Approve(number=2, given=False, reason="count it again"))
    assert house.table("one").tray == 50_000
    assert house.no("fay", w.Fill(table="one", amount=10**12)) == "HOUSE-chips"
    assert house.no("fay", w.Fill(table="one", amount=-50_001)) == "HOUSE-chips"


def test_a_table_is_closed_when_its_round_is_over_and_every_chip_goes_home(house: Evening) -> None:
    house.open("exchange", players=2)
    house.bets()
    house.do("fay", w.CloseTable(table="one"))
    assert not house.table("one").gone
    house.decide()
    assert house.table("one").table.live_round is None
    house.do("fay", w.CloseTable(table="one"))
    one = house.table("one")
    assert one.gone
    assert all(not amount for name, amount in balance(house.floor).items() if name.startswith("table/one/"))
    assert house.no("p1", w.SitRequest(table="one", box=1)) == "HOUSE-table"
    assert house.no("fay", w.SetTable(table="one", name="T", book="rws", ante_min=1, ante_max=2)) == "HOUSE-table"


def test_every_request_is_for_those_who_may_send_it_and_for_nobody_else(house: Evening) -> None:
    """Every role asks for everything: who is not named is refused before anything else is looked at."""
    house.open("section10", players=1)
    named = {role: name for name, role in STAFF.items()} | {"player": "p2"}
    for role in set(ROLES) - {"device"}:
        for kind, body in REQUESTS.items():
            clause = house.ask(named[role], body).refused
            barred = clause is not None and clause.clause == "HOUSE-access"
            assert barred == (role not in MAY[kind]), f"{role}: {body}: {clause}"


REQUESTS = {
    w.PlayRequest: w.PlayRequest(table="one", act=pl.SeeHand(box=5)),
    w.TableAct: w.TableAct(table="one", act={"do": "nothing of the kind"}),
    w.SitRequest: w.SitRequest(table="one", box=1),
    w.Rise: w.Rise(table="one", box=5),
    w.BuyIn: w.BuyIn(table="one", amount=1, player="nobody"),
    w.CashOut: w.CashOut(table="one", amount=10**9),
    w.AddWord: w.AddWord(table="one", word="a"),
    w.SayReady: w.SayReady(table="one"),
    w.Read: w.Read(table="one"),
    w.SetTable: w.SetTable(table="one", name="T", book="rws", ante_min=1, ante_max=2),
    w.Assign: w.Assign(table="one", role="dealer", persons=("nobody",)),
    w.CloseTable: w.CloseTable(table="one", back=True),
    w.FileBook: w.FileBook(files={}),
    w.Deposit: w.Deposit(player="nobody", currency="USD", amount=1),
    w.Withdraw: w.Withdraw(player="nobody", currency="USD", amount=1),
    w.Fill: w.Fill(table="one", amount=10**12),
    w.PutFloat: w.PutFloat(currency="USD", amount=-(10**12)),
    w.Approve: w.Approve(number=99),
    w.OnMeter: w.OnMeter(meter="m", act={"do": "open"}),
    w.AddPerson: w.AddPerson(name="tray", role="player"),
    w.GiveRole: w.GiveRole(name="tray", role="player"),
    w.Bar: w.Bar(name="tray", reason="none"),
    w.CloseDay: w.CloseDay(day="1990-01-01"),
}


def test_the_requests_tried_are_all_there_are() -> None:
    assert set(REQUESTS) == set(MAY)


@pytest.mark.parametrize("who", ["p1", "fay", "max"])
def test_what_only_the_house_does_nobody_else_does(house: Evening, who: str) -> None:
    house.open("section10", players=1)
    for body in (
        w.Tick(table="one", what="next-round"),
        w.ConnectionLost(table="one", player="p1"),
        w.FoundHouse(name="Mine", currencies={"USD": 2}),
        w.Start(program="0"),
        w.Note(event={"is": "logged-in", "name": "max"}),
    ):
        assert house.no(who, body) == "HOUSE-access"


def test_somebody_who_is_barred_or_has_another_part_by_now_is_refused(house: Evening) -> None:
    house.open("section10", players=1)
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
    house.do("max", w.Bar(name="fay", reason="left the house"))
    assert house.no("fay", w.CloseTable(table="one")) == "HOUSE-access"
    house.do("max", w.Bar(name="fay", reason="came back", back=True))
    house.do("fay", w.CloseTable(table="one"))
    assert house.no("max", w.GiveRole(name="max", role="executive")) == "HOUSE-two"
    assert house.no("max", w.GiveRole(name="p1", role="dealer")) == "HOUSE-people"  # p1 is a player
    assert house.no("max", w.AddPerson(name="p2", role="dealer")) == "HOUSE-people"


def test_staff_cannot_say_who_they_are_or_when_it_is(house: Evening) -> None:
    house.open("section10", players=1, mode="live")
    for told in ({"by": "eve"}, {"role": "house"}, {"at": 5}):
        assert house.no("deb", w.TableAct(table="one", act={"do": "shuffle", **told})) == "HOUSE-input"
    assert house.no("deb", w.TableAct(table="one", act={"do": "shuffle"}, role="house")) == "HOUSE-access"
    assert house.no("deb", w.TableAct(table="one", act={"do": "fold", "box": 1}, player="p2")) == "HOUSE-seat"
    assert house.no("deb", w.TableAct(table="one", act={"do": "dance"})) == "HOUSE-input"
    assert house.no("deb", w.TableAct(table="one", act={"do": "fold", "box": 1, "colour": 2})) == "HOUSE-input"


def test_a_request_for_a_round_that_is_over_is_stale(house: Evening) -> None:
    house.open("section10", players=1)
    expects = w.Expects(round=1, phase="betting")
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000), expects=expects))
    house.do("p1", w.SayReady(table="one"))
    late = w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000), expects=expects)
    assert house.no("p1", late) == "HOUSE-stale"
    gone = w.PlayRequest(table="one", act=pl.GiveUp(box=1), expects=w.Expects(round=7))
    assert house.no("p1", gone) == "HOUSE-stale"


def test_a_book_from_a_file_is_filed_whole_and_played(house: Evening) -> None:
    from importlib.resources import files

    text = (files("aceking.books") / "section10.toml").read_text(encoding="utf-8")
    own = text.replace('id = "section10"', 'id = "our-own"', 1)
    assert house.no("max", w.FileBook(files={"../our.toml": own})) == "HOUSE-input"
    assert house.no("max", w.FileBook(files={"our.toml": "id = 3"})) == "HOUSE-book"
    assert house.no("max", w.FileBook(files={"our.toml": "not toml ["})) == "HOUSE-book"
    house.do("max", w.FileBook(files={"our.toml": own}))
    assert house.no("max", w.FileBook(files={"our.toml": own})) == "HOUSE-book"
    house.do("fay", w.SetTable(table="own", name="Own", book="our-own", ante_min=1000, ante_max=9000, attended=False))
    house.do("p1", w.SitRequest(table="own", box=1))
    house.do("p1", w.BuyIn(table="own", amount=10_000))
    house.play("own")
    assert house.again().floor == house.floor


HEIR = """
from = "{older}"
id = "{name}"

[[clause]]
id = "{name}-1"
topic = "pays"
actor = "house"
says = "A flush pays more here."
set.bet.pays.flush = "{flush} to 1"
"""


def test_an_heir_is_filed_with_the_file_that_it_starts_from(house: Evening) -> None:
    first = HEIR.format(older="section10", name="first", flush=7)
    second = HEIR.format(older="first.toml", name="second", flush=8)
    house.do("max", w.FileBook(files={"first.toml": first, "second.toml": second}))
    house.do("fay", w.SetTable(table="own", name="Own", book="second", ante_min=1000, ante_max=9000, attended=False))
    book = book_of(house.floor.house, house.floor.tables["own"])
    assert book.heritage.line == ("first", "section10")
    assert book.bet.pays[Category.FLUSH] == 8
    house.do("p1", w.SitRequest(table="own", box=1))
    house.do("p1", w.BuyIn(table="own", amount=10_000))
    house.play("own")
    loop = HEIR.format(older="second.toml", name="first", flush=7)
    for files in ({"first.toml": loop, "second.toml": second}, {"a.toml": first, "b.toml": first}, {}):
        assert house.no("max", w.FileBook(files=files)) in ("HOUSE-book", "HOUSE-input")


def test_a_house_opens_no_file_by_a_name(house: Evening, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(HEIR.format(older="section10", name="own", flush=7), encoding="utf-8")
    for name in (str(file), "/etc/hostname", "../section10.toml", "section-10"):
        body = w.SetTable(table="own", name="Own", book=name, ante_min=1000, ante_max=9000, attended=False)
        assert house.no("max", body) == "HOUSE-book"


def test_a_filed_book_that_says_something_else_now_is_an_error(house: Evening) -> None:
    house.do("max", w.FileBook(files={"own.toml": HEIR.format(older="section10", name="own", flush=7)}))
    books = house.floor.house.books
    digest, filed = next(iter(books.items()))
    # The shipped book that an heir starts from is another one in the next version of the program.
    other = replace(filed, files={"own.toml": HEIR.format(older="rws", name="own", flush=7)})
    assert book_on_file(house.floor.house, "own", digest).id == "own"
    with pytest.raises(BookError, match=f"own has changed: its digest is .*, the house put up {digest[:12]}"):
        book_on_file(replace(house.floor.house, books={digest: other}), "own", digest)


def test_a_table_is_refused_with_a_reason(house: Evening) -> None:
    good = {"table": "x", "name": "X", "ante_min": 1000, "ante_max": 2000}
    assert house.no("fay", w.SetTable(book="no-such", **good)) == "HOUSE-book"  # type: ignore[arg-type]
    assert house.no("fay", w.SetTable(book="rws", **good | {"ante_min": 3000})) == "HOUSE-input"  # type: ignore[arg-type]
    assert house.no("fay", w.SetTable(book="rws", options={"none": 1}, **good)) == "HOUSE-input"  # type: ignore[arg-type]
    assert house.no("fay", w.SetTable(book="rws", meter="m", **good)) == "HOUSE-meter"  # type: ignore[arg-type]


def test_the_players_are_as_many_as_the_tests_think() -> None:
    assert len(PLAYERS) == 7


def test_a_table_whose_round_has_no_stake_is_taken_off_and_leaves_no_seed_behind(house: Evening) -> None:
    house.open("section10", players=1)
    assert house.table("one").table.live_round is not None
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
    house.do("fay", w.CloseTable(table="one"))
    assert not house.table("one").gone  # the ante of p1 is in play
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=-1000)))
    house.do("fay", w.CloseTable(table="one"))
    assert house.table("one").gone
    assert (house.floor.cage.purse("p1", "USD"), house.store.sealed()) == (1_000_000, {})
    assert verify(house.log).floor == house.floor


def test_a_player_is_offered_antes_at_their_own_boxes_and_nobody_else_is() -> None:
    evening = Evening().found()
    evening.open("section10", players=3)
    seen = {name: views.own_part(evening.floor, "one", "player", name) for name in ("p2", "p7")}
    assert [(offer.do, offer.box) for offer in seen["p2"].may] == [("ante", 2)]
    assert seen["p7"].may == ()
    assert evening.no("p7", w.PlayRequest(table="one", act=pl.PlaceAnte(box=5, amount=1000))) == "HOUSE-seat"
    evening.do("p2", w.PlayRequest(table="one", act=pl.PlaceAnte(box=2, amount=1000)))
