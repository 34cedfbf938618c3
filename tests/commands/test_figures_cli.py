"""The commands of the mathematics as other programs use them: contract, exit status, one line of error."""

import io
import json
import re
import shlex
import subprocess
import sys
import time
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from aceking import edge, strategy, value
from aceking.cli import cli
from aceking.commands import figures
from aceking.rules.reading.load import book_ids, load_book
from tests.commands.in_process import aceking

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return aceking(*words)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept between two runs of the program lies in a folder of the tests."""
    monkeypatch.setenv("ACEKING_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def told(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The lines of standard error without the one that says, after a second, what the program is at."""
    at_work = ("counting every deal", "playing out every deal", "playing every state", "writing the sheet")
    return [line for line in done.stderr.splitlines() if not line.endswith(at_work)]


def answer(*words: str) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


#: Published for section10 with perfect play: net antes and deals.
OUTCOMES = {201: 16_759_740, 101: 156_929_720, 41: 2_832_435_800, 15: 16_624_475_280, 11: 21_856_990_280}
OUTCOMES |= {9: 43_805_516_100, 7: 234_242_908_320, 5: 488_012_139_360, 3: 2_343_248_003_808, 1: 4_532_514_033_720}
OUTCOMES |= {0: 321_623_100, -1: 9_523_005_974_460, -3: 2_726_592_727_512}


def test_the_contract_of_edge() -> None:
    data = answer("edge", "section10")
    # All figures follow from the published counts: only a fold loses one ante, so all other deals were bet.
    deals = sum(OUTCOMES.values())
    net = Fraction(sum(each * count for each, count in OUTCOMES.items()), deals)
    variance = Fraction(sum(each**2 * count for each, count in OUTCOMES.items()), deals) - net**2
    fold = Fraction(OUTCOMES[-1], deals)
    risk = -net / (1 + 2 * (1 - fold))
    assert data.pop("seconds") > 0
    assert data.pop("changes") == []
    assert data.pop("hash") == load_book("section10").digest
    assert len(data.pop("priced")) == 64
    assert data.pop("repeat") == "aceking edge section10"
    assert set(data.pop("side_bets")) == {"progressive"}
    assert data == {
        "book": "section10",
        "house_edge": round(float(-net), 12),
        "net_per_ante": str(net),
        "element_of_risk": round(float(risk), 12),
        "standard_deviation": round(sqrt(variance), 12),
        "decisions": {"fold": round(float(fold), 12), "bet": round(float(1 - fold), 12)},
        "outcomes": {str(each): count for each, count in OUTCOMES.items()},
        "deals": deals,
        "exact": {
            "house_edge": str(-net),
            "element_of_risk": str(risk),
            "risked": str(1 + 2 * (1 - fold)),
            "variance": str(variance),
            "decisions": {"fold": str(fold), "bet": str(1 - fold)},
        },
    }
    assert -net == Fraction(1_041_372_912_372, 19_933_230_517_200)


def test_edge_takes_pays_options_and_a_qualifier() -> None:
    base = Fraction(answer("edge", "section10")["net_per_ante"])
    more = answer("edge", "section10", "--pays", "full_house=8", "--pays", "flush=6")
    assert Fraction(more["net_per_ante"]) > base
    assert "warnings" not in more
    by_option = answer("edge", "section10", "--option", 'bet-paytable={"full_house": "8", "flush": "6"}')
    assert by_option["net_per_ante"] == more["net_per_ante"]
    harder = answer("edge", "section10", "--qualifier", "2 2 5 4 3")
    assert harder["net_per_ante"] != str(base)
    assert len(harder["warnings"]) == 1
    halves = answer("edge", "colorado-required", "--pays", "pair=4 to 3")
    assert any("/" in net for net in halves["outcomes"])


def test_pays_under_the_legal_minimum_are_computed_with_a_warning_line() -> None:
    done = run("edge", "section10", "--pays", "full_house=6", "--json")
    assert done.returncode == 0
    (line,) = told(done)
    assert line.startswith("aceking: warning: 6 to 1 for full_house is under the legal minimum of CSP-10(l)(3)")
    assert json.loads(done.stdout)["warnings"] == [line.removeprefix("aceking: warning: ")]


def test_the_contract_of_value() -> None:
    data = answer("value", "section10", "--cards", "Ah Kd 9c 5s 2d", "--up", "9h")
    assert data.pop("repeat") == "aceking value section10 --cards 'Ah Kd 9c 5s 2d' --up 9h"
    data = {key: data[key] for key in data if key not in ("changes", "hash", "priced")}
    assert data == {"book": "section10", "decisions": {"bet": "-53932/54395", "fold": "-1"}, "best": "bet"}
    bought = answer("value", "exchange", "--cards", "Qh Jh 9h 8h 2c", "--up", "7c")
    assert bought["best"] == "exchange 2c"
    assert set(bought["decisions"]) == {"fold", "bet", *(f"exchange {one}" for one in ["Qh", "Jh", "9h", "8h", "2c"])}
    three = answer("value", "colorado-required", "--cards", "Kd 4s 4d")
    assert three["best"] == "bet discard Kd"
    assert set(three["decisions"]) == {"fold", *(f"bet discard {one}" for one in ["Kd", "4s", "4d"])}
    instant = answer("value", "colorado-permissible", "--cards", "9h 8h 7h")
    assert (instant["best"], instant["decisions"]["declare"]) == ("declare", "5")


def test_the_strategy_as_data_is_complete() -> None:
    data = answer("strategy", "section10")
    assert sum(Fraction(line["share"]) for line in data["advice"]) == 1
    assert {"rules", "borders", "advice", "chart", "house_edge", "net_per_ante"} <= set(data)


def test_people_see_tables_with_percentages() -> None:
    shown = run("edge", "rws").stdout
    for word in ("house edge", "5.1991 %", "-1", "+501", "standard deviation"):
        assert word in shown
    assert "best" not in run("value", "rws", "--cards", "As Ks Qs Js Ts", "--up", "2c").stderr
    told = run("strategy", "colorado-permissible")
    for word in ("points", "costs more", "Where"):
        assert word in told.stdout


def test_the_sheet_is_written_where_it_is_told(tmp_path: Path) -> None:
    done = run("sheet", "colorado-required", "--out", str(tmp_path / "new"))
    assert done.returncode == 0
    assert {file.name for file in (tmp_path / "new").iterdir()} == {"colorado-required.html", "colorado-required.json"}
    data = json.loads((tmp_path / "new" / "colorado-required.json").read_text(encoding="utf-8"))
    plain = answer("edge", "colorado-required")
    more = {"seconds", "changes", "hash", "priced", "repeat", "side_bets"}
    assert data["figures"] == {key: figure for key, figure in plain.items() if key not in more}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("edge", "nowhere"), "there is no book 'nowhere'; there are"),
        (("edge", "section10", "--pays", "six_of_a_kind=3"), "section10 has no pay row 'six_of_a_kind'; it has"),
        (("edge", "section10", "--pays", "exchange.flush=3"), "section10 has no pay row 'exchange.flush'"),
        (("edge", "section10", "--pays", "flush=lots"), "pays flush: 'lots to 1' is not odds"),
        (("edge", "section10", "--pays", "flush=3 to 0"), "pays flush: '3 to 0' divides by zero"),
        (("edge", "section10", "--pays", "flush=-3"), "pays flush: '-3 to 1' is not odds"),
        (("edge", "section10", "--pays", "flush=\u0668"), "pays flush: '\u0668 to 1' is not odds"),
        (("edge", "section10", "--ante", "\u0661\u0660"), "ante: '\u0661\u0660' is not an amount"),
        (("edge", "section10", "--pays", "flush"), "--pays 'flush': write it as name=value"),
        (("edge", "section10", "--pays", "flush=5", "--pays", "flush=6"), "--pays flush: it is given twice"),
        (("edge", "section10", "--pays", "flush=99999999999999999999"), "more than 100,000 to 1"),
        (("edge", "section10", "--pays", "flush=5.0001"), "fractions of an ante finer than 1/100"),
        (("edge", "section10", "--option", "colour=red"), "section10 has no option 'colour'; it has"),
        (("edge", "exchange", "--option", "ace-low-straight=maybe"), "option ace-low-straight is one of"),
        (("edge", "section10", "--option", "bet-paytable={flush}"), "--option bet-paytable: rows are written as JSON"),
        (("edge", "section10", "--option", 'bet-paytable={"flush": "4"}'), "flush pays at least 5 to 1"),
        (("edge", "section10", "--qualifier", "A K"), "qualifier: 'A K' is not a hand of five ranks"),
        (("edge", "colorado-required", "--qualifier", "A K 4 3 2"), "colorado-required has no dealer who must qualify"),
        (("value", "section10", "--cards", "Ah Ah 9c 5s 2d", "--up", "9h"), "Ah is in the hand twice"),
        (("value", "section10", "--cards", "Ah Kd 9c 5s", "--up", "9h"), "is 4 cards; a hand of section10 is 5"),
        (("value", "section10", "--cards", "", "--up", "9h"), "is 0 cards; a hand of section10 is 5"),
        (("value", "section10", "--cards", "Ah Kd 9c 5s 2d"), "the up-card is missing"),
        (("value", "section10", "--cards", "Ah Kd 9c 5s 2d", "--up", "Ah"), "the up-card Ah is in the hand"),
        (("value", "section10", "--cards", "Ah Kd 9c 5s 1d", "--up", "9h"), "there is no card '1d'"),
        (("value", "section10", "--cards", "Ah Kd 9c 5s 2d", "--up", "9h 8h"), "there is no card '9h 8h'"),
        (("value", "colorado-required", "--cards", "Kd 4s 4d", "--up", "9h"), "there is no up-card"),
        (("value", "colorado-required", "--cards", "Kd 4s"), "is 2 cards; a hand of colorado-required is 3"),
        (("value", "section10"), "Missing option '--cards'"),
        (("sheet", "section10", "--out", "README.md"), "README.md is a file; --out takes a folder"),
    ],
)
def test_wrong_input_is_one_clear_sentence(words: tuple[str, ...], sentence: str) -> None:
    done = run(*words)
    errors = told(done)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(errors) == 1, done.stderr
    assert errors[0].startswith("aceking: ")
    assert sentence in errors[0]


def test_help_has_examples() -> None:
    for command in ("edge", "value", "strategy", "sheet"):
        done = run(command, "--help")
        assert done.returncode == 0
        assert f"aceking {command} " in done.stdout


def test_the_commands_are_imported_without_the_mathematics() -> None:
    probe = "import sys, aceking, aceking.commands.figures; print('numpy' in sys.modules, 'rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("name", book_ids())
def test_the_page_of_figures_says_what_the_program_says(name: str) -> None:
    found = edge(name)
    rows = (ROOT / "docs" / "reference" / "figures.md").read_text(encoding="utf-8").splitlines()
    row = next(row for row in rows if row.startswith(f"| `{name}` |"))
    for figure in (found.house_edge, f"{float(100 * found.house_edge):.4f} %", f"{found.standard_deviation:.4f}"):
        assert f"| {figure} |" in row
    for decision, share in found.decisions.items():
        assert f"{decision} {float(100 * share):.3f} %" in row


# --- the same from Python ---


def test_the_python_functions_take_an_id_or_a_book() -> None:
    assert edge("section10") == edge(load_book("section10"))
    assert edge("section10", pays={"full_house": 8}).house_edge < edge("section10").house_edge
    assert edge("section10", pays={"full_house": "15 to 2"}) == edge("section10", pays={"full_house": Fraction(15, 2)})
    assert value("section10", "Ah Kd 9c 5s 2d", "9h").best == "bet"
    assert value("colorado-required", "Kd 4s 4d", options={"bonus-on-fold": "returned"}).best == "bet discard Kd"
    assert strategy("colorado-required").best == edge("colorado-required")


def test_what_a_book_does_not_allow_is_a_python_warning() -> None:
    with pytest.warns(UserWarning, match="under the legal minimum"):
        edge("section10", pays={"full_house": 6})
    with pytest.raises(ValueError, match="is not odds"):
        edge("section10", pays={"full_house": 1.5})  # type: ignore[dict-item]


def test_a_what_if_is_marked_wherever_it_is_read() -> None:
    words = ("section10", "--pays", "full_house=8", "--pays", "flush=4", "--qualifier", "2 2 5 4 3")
    data = answer("edge", *words)
    changes = {one["name"]: one for one in data["changes"]}
    assert {name: (one["value"], one["book"], one["allowed"]) for name, one in changes.items()} == {
        "full_house": ("8 to 1", "7 to 1", True),
        "flush": ("4 to 1", "5 to 1", False),
        "qualifier": ("pair of twos (2-5-4-3)", "ace king high (A-K-4-3-2)", False),
    }
    assert data["priced"] != answer("edge", "section10")["priced"]
    # The command that is told gives the same figures again.
    again = answer(*shlex.split(data["repeat"])[1:])
    assert again["net_per_ante"] == data["net_per_ante"]
    assert again["priced"] == data["priced"]
    shown = run("edge", *words).stdout
    assert "WHAT-IF" in shown
    assert "full_house is 8 to 1, 7 to 1 in the book (CSP-10(l)(3))" in shown
    for line in shown.splitlines():
        if any(
            word in line for word in ("house edge", "element of risk", "standard deviation", "how often", "even at")
        ):
            assert "what-if: " in line
    for command, more in (("value", ("--cards", "Ah Kd 9c 5s 2d", "--up", "9h")), ("strategy", ())):
        shown = run(command, "section10", *more, "--pays", "full_house=8").stdout
        assert "WHAT-IF" in shown
        assert "what-if: " in shown


def test_options_that_no_figure_depends_on_are_said_to_be_left_out() -> None:
    done = run(
        "edge", "section10", "--option", "bet-payout-cap=60000", "--option", "shuffle-method=automated", "--json"
    )
    data = json.loads(done.stdout)
    assert data["net_per_ante"] == answer("edge", "section10")["net_per_ante"]
    method, cap = data["changes"]
    assert (cap["name"], cap["value"], cap["book"], cap["priced"]) == ("bet-payout-cap", "60,000", "none", False)
    assert "left out of the figures" in cap["says"]
    assert "no part of these figures" in method["says"]
    assert len(told(done)) == 2
    chosen = answer("edge", "exchange", "--option", "ace-low-straight=not-allowed")
    assert [(one["name"], one["priced"]) for one in chosen["changes"]] == [("ace-low-straight", True)]


def test_side_bets_stand_beside_the_main_game() -> None:
    side = answer("edge", "section10")["side_bets"]["progressive"]
    assert Fraction(side["break_even"]) == Fraction(4_142_900, 19)
    assert "even at USD 218,047.37" in " ".join(run("edge", "section10").stdout.split())
    bonus = answer("edge", "colorado-required")["side_bets"]["bonus"]
    assert bonus["house_edge"] == "666439/2035852"
    assert "bonus: costs 32.7351 % of its stake" in run("edge", "colorado-required").stdout


def test_open_awards_are_asked_for_all_at_once_and_then_priced() -> None:
    asked = answer("edge", "exchange")["side_bets"]["progressive"]["open"]
    for row in ("four_of_a_kind", "full_house", "flush", "--option 'jackpot-fixed-awards="):
        assert row in asked
    given = asked.split("--option ")[1].strip("'")
    assert "break_even" in answer("edge", "exchange", "--option", given)["side_bets"]["progressive"]
    # Awards below a flush, for hands of which some might be folded.
    low = '{"royal_flush": "100%", "three_of_a_kind": "5", "two_pair": "2"}'
    side = answer("edge", "washington", "--option", f"progressive-paytable={low}")["side_bets"]["progressive"]
    # Every three of a kind and every two pair is bet: 54,912 and 123,552 of 2,598,960 hands.
    assert Fraction(side["constant"]) == Fraction(5 * 54_912 + 2 * 123_552, 2_598_960) - 1


def test_what_took_long_is_kept_and_never_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACEKING_CACHE", str(tmp_path))
    first = answer("edge", "colorado-required")
    (kept,) = tmp_path.iterdir()
    again = answer("edge", "colorado-required")
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
    kept.write_text('{"house_edge": ', encoding="utf-8")  # broken off
    assert answer("edge", "colorado-required")["net_per_ante"] == first["net_per_ante"]
    changed = answer("edge", "colorado-required", "--pays", "pair=2")
    assert changed["net_per_ante"] != first["net_per_ante"]
    assert len(list(tmp_path.iterdir())) == 2
    monkeypatch.setenv("ACEKING_CACHE", "off")
    assert answer("edge", "colorado-required")["net_per_ante"] == first["net_per_ante"]
    assert len(list(tmp_path.iterdir())) == 2


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_strategy_shows_a_bar_that_knows_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setenv("ACEKING_CACHE", "off")
    monkeypatch.setattr(figures, "_PROGRESS_SECONDS", 0.001)  # a person is told after a second; a test has none
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "120")
    cli.main(["strategy", "colorado-required", "--json"], standalone_mode=False)
    assert re.search(r"playing every state \[#{10}-{10}\] 1 of 2 ", screen.getvalue())


@pytest.mark.parametrize("width", [20, 40, 60, 80])
@pytest.mark.proof
def test_a_line_that_is_written_over_never_wraps(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(figures, "_PROGRESS_SECONDS", 0.001)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", str(width))
    with figures.progress("colorado-permissible: playing every state") as tell:
        tell(1, 2)
        # The line after next was begun after it was told.
        seen, end = screen.getvalue().count("aceking"), time.monotonic() + 5
        while time.monotonic() < end and screen.getvalue().count("aceking") < seen + 2:
            time.sleep(0.001)
    lines = screen.getvalue().replace("\x1b[K", "").split("\r")
    assert any(line.startswith("aceking: ") for line in lines)
    assert max(len(line) for line in lines) < width
    assert ("1 of 2" in screen.getvalue()) == (width == 80)
