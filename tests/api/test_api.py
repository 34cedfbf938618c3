"""What a programmer imports: names, docstrings that run, objects that show themselves, a notebook that holds."""

import doctest
import json
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

import aceking
from aceking import Card, Hand, Table, edge, settle, strategy, value
from aceking.api import cards, settled, table
from aceking.api.table import RefusedError
from aceking.cards import card as spelling
from aceking.rules.reading.load import book_ids
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table.replay import RecordError

ROOT = Path(__file__).resolve().parents[2]
SEAT = {"seat": 1, "cards": "A♠ K♠ Q♠ J♠ 10♠", "ante": "10", "play": "bet"}
ROUND: dict[str, Any] = {"book": "rws", "dealer": "Ah Kd 9c 5s 2d", "seats": [SEAT]}


@pytest.mark.parametrize("module", [aceking, cards, settled, table])
def test_the_examples_in_docstrings_run(module: Any) -> None:
    done = doctest.testmod(module)
    assert done.attempted >= 4
    assert done.failed == 0


def test_all_names_are_there_and_importing_them_costs_nothing() -> None:
    probe = (
        "import sys\nfrom aceking import *\nfrom aceking import __version__\n"
        "print(__version__, 'numpy' in sys.modules, 'rich' in sys.modules, callable(settle))"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [aceking.__version__, "False", "False", "True"]
    with pytest.raises(AttributeError, match="aceking has no 'Moon'"):
        _ = aceking.Moon


def test_settle_is_a_function_and_still_the_room_of_settlement() -> None:
    assert Line.__module__ == "aceking.settlement.lines"
    found = settle(ROUND)
    assert (found.net, found["seats"][0]["hand"]) == ({1: "5010"}, "royal flush")
    assert [line["clause"] for line in found.lines] == ["RWS-3.14.1", "RWS-4.1"]
    assert settle(json.dumps(ROUND), book="section10").net == {1: "2010"}
    refused = settle({**ROUND, "book": "section10", "seats": [{**SEAT, "bet": "15"}]})
    assert refused.refused is not None
    assert repr(refused) == "Settled(refused by CSP-10(a)(1)(ii): seat 1: the bet is exactly 20, not 15)"
    silent = settle({**ROUND, "book": "section10", "limits": {"max": "5"}})
    assert silent.unregulated is not None
    assert "unregulated" in repr(silent)
    with pytest.raises(ValueError, match="there must be a key `play`"):
        settle({**ROUND, "seats": [{"seat": 1}]})


def test_cards_and_hands_are_objects_and_numbers() -> None:
    assert [Card(str(one)) for one in (Card(number) for number in range(52))] == list(range(52))
    assert value("section10", Hand("Ah Kd 9c 5s 2d"), Card("9h")) == value("section10", "Ah Kd 9c 5s 2d", "9h")
    tied = Hand("Ah Kd 9c 5s 2d"), Hand("As Kc 9h 5d 2c")
    assert tied[0] == tied[1]
    assert hash(tied[0]) == hash(tied[1])
    assert next(iter(tied[0])) == Card("Ah") == tied[0][0]
    assert len(tied[0]) == 5
    for wrong in ("As Ks", "As As Ks Qs Js", "As Ks Qs Js Xx"):
        with pytest.raises(spelling.CardError):
            Hand(wrong)
    with pytest.raises(spelling.CardError, match="numbered from 0 to 51"):
        Card(52)
    numbers: tuple[Any, ...] = (1.5, None)
    for odd in numbers:
        with pytest.raises(TypeError):
            Card(odd)
    assert Hand(["Ah", "K♦", Card("9c"), int(Card("5s")), "2d"]) == tied[0]
    with pytest.raises(TypeError, match="not supported between instances of 'Hand' and 'int'"):
        assert tied[0] < 3
    assert tied[0] != 3


def test_objects_show_themselves_to_a_notebook() -> None:
    shown: list[Any] = [
        edge("section10"),
        value("rws", "As Ks Qs Js Ts", "2c"),
        strategy("colorado-required"),
        settle(ROUND),
        Table("rws"),
        Table("rws", seed=1).ante(10),
        Table("exchange", seed=1).ante(10).side().deal(),
        Table("colorado-required", seed=1).ante(10).side().deal().fold(),
    ]
    for one in (*shown, Card("Ah"), Hand("As Ks Qs Js Ts")):
        html = one._repr_html_()
        assert html.startswith("<")
        assert len(repr(one)) < 400
    assert repr(shown[0]) == "Edge(section10: house edge 5.2243 %, fold 47.77 %, bet 52.23 %)"
    assert str(edge("section10").house_edge) in shown[0]._repr_html_()
    assert "#b00020" in Card("Ah")._repr_html_()


def test_the_notebook_says_what_the_program_says() -> None:
    """Every cell is run again, and what it shows is held against what the notebook has on record."""
    notebook = json.loads((ROOT / "examples" / "tour.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    shown = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        *body, last = "".join(cell["source"]).split("\n")
        exec("\n".join(body), names)
        found = eval(last, names)
        (output,) = cell["outputs"]
        assert "".join(output["data"]["text/plain"]) == repr(found)
        if "text/html" in output["data"]:
            assert "".join(output["data"]["text/html"]) == found._repr_html_()
        shown += 1
    assert shown >= 8


def test_a_figure_of_the_api_is_exact() -> None:
    assert edge("section10").house_edge == Fraction(142_031_221, 2_718_662_100)


@pytest.mark.parametrize("book", book_ids())
def test_a_round_at_a_table_comes_to_what_settlement_says(book: str) -> None:
    """The table's own lines against the same cards settled as a scenario."""
    for seed in range(12):
        played = Table(book, seed=seed, meter="1000").ante("7.50").side().deal()
        held = played.seen()
        aside = held[0] if played.book.hands.discards else None
        played.bet(aside)
        assert not played.playing
        state = played.state.round
        assert state is not None
        seat: dict[str, Any] = {
            "seat": 1,
            "cards": " ".join(map(str, held)),
            "ante": "7.50",
            "side": "1",
            "play": "bet",
        }
        if aside is not None:
            seat["discard"] = str(aside)
        bank = " ".join(str(Card(one)) for one in state.dealer or state.community)
        scenario = {
            "book": book,
            "seats": [seat],
            "dealer" if state.dealer else "community": bank,
            "meter": "1000.70",
            "awards": dict(played.state.awards),
        }
        if state.community:
            del scenario["meter"], scenario["awards"]
        found = settle(scenario)
        net = played.net()
        assert net is not None
        assert net.removeprefix("+") == found.net[1]
        assert played.chips() == net
        lines = [(line["wager"], line["outcome"], line["pays"], line["clause"]) for line in found.lines]
        assert [(line.wager, line.outcome, line.pays, line.clause) for line in played.lines()] == lines


def test_what_a_table_refuses_is_an_error_with_its_clause() -> None:
    with pytest.raises(RefusedError, match=r"a player has one \(CSP-10\(f\)\(5\)\)") as refused:
        Table("section10", seed=1).ante(10).ante(10, box=2)
    assert refused.value.clause == "CSP-10(f)(5)"
    with pytest.raises(RefusedError, match="has looked at box 1"):
        Table("rws", seed=1).ante(10).ante(10, box=2).deal().look(2)
    with pytest.raises(RefusedError):
        Table("rws", options={"table-min": "10"}, seed=1).ante(5)
    with pytest.raises(RefusedError):
        Table("section10", options={"bet-payout-cap": "10"})
    with pytest.raises(RefusedError, match="dealing from the hand needs an automated shuffler"):
        Table("section10", options={"dealing-method": "hand"})
    for wrong in ("ten", "-5", "0.001"):
        with pytest.raises(ValueError, match=r"ten|-5|0\.001|more than nothing"):
            Table("section10", seed=1).ante(wrong)
    with pytest.raises(ValueError, match="there is no ante on the table"):
        Table("section10", seed=1).deal()
    with pytest.raises(ValueError, match="round 1 is not over"):
        Table("section10", seed=1).open().open()
    with pytest.raises(ValueError, match="2c"):
        Table("section10").open("2c 3c 2c")
    with pytest.raises(ValueError, match="there is no hand 'flushes'; did you mean flush"):
        Table("washington", awards={"flushes": "50"})
    with pytest.raises(RefusedError):
        Table("section10", seed=1).bet()
    with pytest.raises(RefusedError):
        Table("section10", seed=1).bet(antes=2)
    with pytest.raises(RefusedError):
        Table("section10", seed=1).ante(10).deal().bet(box=5, antes=2)
    with pytest.raises(ValueError, match="section10 has no discards, and 20 is given"):
        Table("section10", seed=1).ante(10).deal().bet(20)
    with pytest.raises(ValueError, match="nobody plays on box 4"):
        Table("section10", seed=1).ante(10).seen(4)


def test_players_of_one_table_see_their_own_cards_only() -> None:
    played = Table("rws", seed=3).ante(10, player="Ann").ante(20, box=2, player="Bob").deal()
    assert {one.box for one in played.view("Ann").own.boxes} == {1}
    assert {one.box for one in played.view("Bob").own.boxes} == {2}
    assert [one.amount for one in played.offers("Bob") if one.do == "bet"] == ["40"]
    played.bet(box=2)
    assert played.playing
    played.fold(box=1)
    assert not played.playing
    assert played.chips("Ann") == "-10"


def test_a_table_goes_on_from_what_was_saved_and_a_copy_changes_nothing() -> None:
    played = Table("exchange", seed=5).ante(10).side().deal()
    with pytest.raises(ValueError, match="a round is under way"):
        played.save()
    before = repr(played)
    other = played.copy().exchange(played.seen()[0]).bet()
    assert repr(played) == before
    assert other.net() is not None
    assert played.exchange(played.seen()[0]).bet().record() == other.record()
    again = Table.load(played.save())
    assert again.meter == played.meter == "50000.70"
    assert repr(again.ante(10).deal()) == repr(played.ante(10).deal())
    assert again.state == played.state
    with pytest.raises(RecordError, match="this is not a saved table"):
        Table.load("{}")


def test_a_table_tells_its_round_and_takes_any_command() -> None:
    played = Table("section10", seed=5).ante(10)
    assert played.do(c.Ante(box=1, player="player", amount=-1000)).boxes() == ()
    assert played.ante(10).deal().bet().told()[-1] == "The round is over. Net: player +10."
    assert Table("rws").told() == []
    assert played.values() is None


def test_what_a_module_says_that_it_offers_is_there() -> None:
    names = [
        one.name for one in walk_packages(aceking.__path__, "aceking.") if not one.name.endswith(("__main__", ".env"))
    ]
    offered = {name: getattr(import_module(name), "__all__", ()) for name in ("aceking", *names)}
    missing = [
        f"{name}.{one}" for name, many in offered.items() for one in many if not hasattr(import_module(name), one)
    ]
    assert not missing
    assert len(offered["aceking"]) >= 10
