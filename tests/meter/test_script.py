"""`aceking meter`: scripts in, state and papers out; wrong input is one sentence with its line."""

import json
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner, Result

from aceking.commands import meter as command
from aceking.meter.awards.win_page import win_page
from aceking.meter.reports import days, run_data
from aceking.meter.script import MeterScriptError, Run
from tests.meter.acting import play_script

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ROYALS, NIGHT = EXAMPLES / "meter-two-royals.jsonl", EXAMPLES / "meter-night.jsonl"
PUT_RIGHT = EXAMPLES / "meter-put-right.jsonl"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(command.meter, list(arguments), input=text, standalone_mode=False)


def test_the_royals_of_two_tables_for_machines() -> None:
    result = run("run", str(ROYALS), "--json")
    assert result.return_value == 0
    data = json.loads(result.stdout)
    assert data["identity"] == "0"
    assert data["display"] == "10000"
    assert [(one["id"], one["amount"], one["signer_role"]) for one in data["hits"]] == [
        ("B/1/4", "100000", "executive"),
        ("A/1/2", "10000", "supervisor"),
    ]
    assert [one["clause"] for one in data["refused"]] == ["RWS-4.5.2", "R16", "R16"]


def test_a_hand_that_is_put_right_and_a_meter_that_is_retired() -> None:
    data = json.loads(run("run", str(PUT_RIGHT), "--json").stdout)
    assert [(one["id"], one["undone"], one["amount"]) for one in data["hits"]] == [
        ("A/1/2", True, "50"),
        ("A/1/2-2", False, "2000.42"),
    ]
    assert (data["refused"], data["repeated"], data["identity"]) == ([], [5], "0")
    assert (data["retired"]["moved"], data["counters"]["paid"]) == ("18003.78", "2000.42")


def test_a_night_is_printed_for_people() -> None:
    result = run("run", str(NIGHT))
    assert result.return_value == 0
    assert "identity: in less out = 0" in result.stdout
    assert "S2/1/2 (undone)" in result.stdout
    assert "line 38 refused: the cards show a straight flush, not a royal flush (WA-9d)" in result.stdout


def test_what_is_pending_is_shown() -> None:
    script = "\n".join(ROYALS.read_text(encoding="utf-8").splitlines()[:7])
    result = run("run", "-", text=script)
    assert "PENDING  table A seat 2: 100000" in result.stdout


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 1: this is not JSON"),
        ("[]", "line 1: a command is an object"),
        ("{}", "line 1: there must be a key `do`, the command: configure, enrol, open, close, "),
        ('{"do": "dance", "at": "2026-01-05T21:00:00Z"}', "line 1: do: there is no command 'dance'"),
        ('{"do": "open", "by": "Sam"}', "line 1: there must be a key `at`"),
        ('{"do": "open", "at": "2026-01-05T21:00:00", "by": "Sam"}', "line 1: at: a moment has its offset"),
        ('{"do": "open", "at": "yesterday", "by": "Sam"}', "line 1: at: a moment is written as in"),
        ('{"do": "open", "at": "2026-01-05T21:00:00Z", "by": "Sam", "x": 1}', "line 1: there is no key `x`"),
        ('{"do": "pay", "amount": 1.5}', "line 1: amount: an amount is a text"),
        ('{"do": "pay", "amount": "1.505"}', "line 1: amount: '1.505' is finer than the smallest coin"),
        ("", "there is no command"),
    ],
)
def test_wrong_input_is_one_sentence(line: str, says: str) -> None:
    result = run("run", "-", text=line)
    assert isinstance(result.exception, click.ClickException)
    message = result.exception.format_message()
    assert message.startswith(f"standard input: {says}")
    assert "\n" not in message


def test_an_unknown_book_an_unknown_option_and_a_missing_file() -> None:
    configure = json.loads(ROYALS.read_text(encoding="utf-8").splitlines()[1])
    for change, says in (({"tables": {"A": "nowhere"}}, "nowhere"), ({"options": {"rws": {"x": "y"}}}, "'x'")):
        result = run("run", "-", text=json.dumps({**configure, **change}))
        assert isinstance(result.exception, click.ClickException)
        assert "line 1" in result.exception.format_message()
        assert says in result.exception.format_message()
    missing = run("run", "no-such-file.jsonl")
    assert isinstance(missing.exception, click.ClickException)
    assert missing.exception.format_message() == "no-such-file.jsonl: No such file or directory"


def test_an_option_that_the_book_does_not_allow_is_a_refusal() -> None:
    configure = json.loads(NIGHT.read_text(encoding="utf-8").splitlines()[1])
    configure["options"] = {"section10": {"progression-rate": "60%"}}
    result = run("run", "-", "--json", text=json.dumps(configure))
    assert json.loads(result.stdout)["refused"][0]["clause"] == "CSP-10(l)(6)"


def test_the_report_of_a_night_writes_its_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_BROWSERS", ())
    result = run("report", str(NIGHT), "--out", str(tmp_path / "papers"))
    assert result.return_value == 0
    assert "no PDF: Chromium is not installed" in result.stdout
    names = sorted(file.name for file in (tmp_path / "papers").iterdir())
    assert names[:4] == ["days.csv", "days.json", "hits.csv", "hits.json"]
    assert len([name for name in names if name.endswith(".html")]) == 4
    rows = json.loads((tmp_path / "papers" / "days.json").read_text(encoding="utf-8"))
    assert [row["day"] for row in rows] == ["2026-01-05", "2026-01-06"]
    assert rows[0]["closing"] == rows[1]["opening"]
    assert (tmp_path / "papers" / "days.csv").read_text(encoding="utf-8").startswith("day,opening,wagers")


def test_the_win_page_says_how_the_amount_came_about() -> None:
    with NIGHT.open("rb") as stream:
        played = play_script(stream)
    award = next(one for one in played.state.hits if one.id == "S1/1/1")
    page = win_page(played.books, played.state, award)
    for text in ("USD 11,431.09", "USD 402.175", "USD -2,540.00", "USD 22,862.175", "100% of the meter, shared by 2"):
        assert text in page
    for text in ("Table S1, seat 1", "royal flush", "Dora, 2026-01-06", "Sam, 2026-01-06", "Eva, 2026-01-06"):
        assert text in page
    undone = next(one for one in played.state.hits if one.step == "undone")
    assert "Undone by a manual adjustment" in win_page(played.books, played.state, undone)


def test_names_are_written_safely_on_the_page() -> None:
    text = ROYALS.read_text(encoding="utf-8").replace('"Dan"', '"<b>Dan</b>"')
    played = play_script(text.splitlines())
    page = win_page(played.books, played.state, played.state.hits[0])
    assert "<b>Dan" not in page
    assert "&lt;b&gt;Dan" in page


def test_days_add_up() -> None:
    with NIGHT.open("rb") as stream:
        played = play_script(stream)
    rows = days(played.events, decimals=2)
    assert sum(row.wagers for row in rows) == played.state.counters.wagers
    assert sum(row.refusals for row in rows) == 3
    assert {row.identity for row in rows} == {"0"}


def test_a_line_that_is_no_command_says_where_and_prints_nothing_else() -> None:
    good = ROYALS.read_text(encoding="utf-8").splitlines()[:4]
    for line, says in (
        ('{"do": "contribute", "at": "2026-01-05T21:00:15Z", "table": "A", "wagers": "ten"}', "wagers: Expected `int`"),
        (
            '{"do": "adjust", "at": "2026-01-05T21:00:15Z", "amount": "' + "9" * 31 + '"}',
            "amount: the amount is too large",
        ),
        ("[" * 100_000, "this is nested too deeply for a command"),
        ('{"do": ["open"]}', "do: Expected `str`"),
        ('{"do": "retire", "at": "2026-01-05T21:00:15Z", "by": "Sam", "to": "me"}', "to: Invalid enum value"),
    ):
        result = run("run", "-", "--json", text="\n".join([*good, line]))
        assert isinstance(result.exception, click.ClickException)
        message = result.exception.format_message()
        assert message.startswith("standard input: line 5: ")
        assert says in message
        assert result.stdout == ""


def test_a_message_that_comes_twice_is_listed_and_counts_once() -> None:
    good = ROYALS.read_text(encoding="utf-8").splitlines()[:3]
    fed = '{"do": "contribute", "at": "2026-01-05T21:00:15Z", "table": "A", "wagers": 10, "id": "A-1"}'
    data = json.loads(run("run", "-", "--json", text="\n".join([*good, fed, fed])).stdout)
    assert (data["repeated"], data["refused"], data["counters"]["wagers"]) == ([5], [], 10)
    unmarked = fed.replace(', "id": "A-1"', "")
    data = json.loads(run("run", "-", "--json", text="\n".join([*good, unmarked, unmarked])).stdout)
    assert (data["repeated"], data["refused"], data["counters"]["wagers"]) == ([], [], 20)


def test_options_that_a_book_refuses_are_answered_once_too() -> None:
    configure = json.loads(NIGHT.read_text(encoding="utf-8").splitlines()[1])
    wrong = json.dumps({**configure, "options": {"section10": {"progression-rate": "60%"}}, "id": "c-1"})
    data = json.loads(run("run", "-", "--json", text="\n".join([wrong, wrong])).stdout)
    assert ([one["line"] for one in data["refused"]], data["repeated"]) == ([1], [2])
    late = json.dumps({**json.loads(wrong), "at": "2026-01-01T00:00:00Z", "id": None})
    data = json.loads(run("run", "-", "--json", text="\n".join([wrong, late])).stdout)
    assert [one["clause"] for one in data["refused"]] == ["CSP-10(l)(6)", "R20"]


def test_days_are_those_of_one_clock_whatever_the_offsets() -> None:
    """Half past midnight at two hours east is the evening before in universal time, and comes first."""
    good = ROYALS.read_text(encoding="utf-8").splitlines()[:3]
    fed = '{"do": "contribute", "at": "%s", "table": "A", "wagers": 10}'
    east, west = fed % "2026-01-06T00:30:00+02:00", fed % "2026-01-05T22:31:00Z"
    rows = days(play_script([*good, east, west]).events, decimals=2)
    assert [(row.day, row.wagers) for row in rows] == [("2026-01-05", 20)]
    after = fed % "2026-01-06T00:00:00Z"
    rows = days(play_script([*good, east, after]).events, decimals=2)
    assert [(row.day, row.wagers) for row in rows] == [("2026-01-05", 10), ("2026-01-06", 10)]


def test_a_book_that_left_the_meter_still_explains_its_hits() -> None:
    with NIGHT.open("rb") as stream:
        played = play_script(stream)
    one = next(award for award in played.state.hits if award.book == "section10")
    page = win_page({}, played.state, one)
    assert "section10. Decided by" in page
    assert one.id in page


ODD: list[object] = [
    *(None, True, -1, 0, 10**13, 10**30, 1.5, "", " ", "x", "-5", "1e9", "9" * 5_000, "0.001", "\0", [], {}, [1, 1]),
    *(["a"], {"A": "rws"}, {"a": {}}, "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "150%", "0%"),
    *("70.000000000000001%", "Sam", "A", {"royal_flush": "150%"}, {"royal_flush": "9" * 5_000}, {"nowhere": {}}),
    {"section10": {"meter-on-void": ["x"]}},
]


def _played_or_told(script: list[dict[str, object]]) -> Run | str:
    """The outcome of a script, or the one sentence that it is refused with."""
    try:
        return play_script(json.dumps(line) for line in script)
    except MeterScriptError as wrong:
        return str(wrong)


def test_whatever_is_written_in_a_script_nothing_breaks() -> None:
    """A night with one to three keys changed to something odd: an outcome with its identity, or one sentence."""
    night = [json.loads(line) for line in NIGHT.read_text(encoding="utf-8").splitlines() if line[:1] == "{"]
    outcomes = {"played": 0, "refused": 0, "unreadable": 0}
    for number in range(150):
        chance = Random(number)
        script = [dict(line) for line in night]
        for _ in range(chance.randint(1, 3)):
            line = chance.choice([script[0], chance.choice(script)])
            line[chance.choice([*line, "id", "undo"])] = chance.choice(ODD)
        played = _played_or_told(script)
        if isinstance(played, str):
            assert "\n" not in played
            assert played.startswith("line ")
            outcomes["unreadable"] += 1
            continue
        assert run_data(played)["identity"] == "0"
        assert all(row.identity == "0" for row in days(played.events, decimals=2))
        outcomes["refused" if len(played.refused) > 3 else "played"] += 1
    assert min(outcomes.values()) >= 3, outcomes
