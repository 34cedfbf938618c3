"""Whatever the stream, the encoding, the width or the reader: an answer or one sentence, never a traceback."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from aceking.cli import cli
from aceking.rules.reading.load import load_book

ROOT = Path(__file__).resolve().parents[2]
ACEKING = [sys.executable, "-m", "aceking"]
PEOPLE = [
    ("settle", "examples/jackpot-rws.json"),
    ("compare", "examples/royal-flush.json"),
    ("books", "list"),
    ("books", "show", "rws"),
    ("books", "diff", "section10", "rws"),
    ("edge", "rws"),
    ("value", "exchange", "--cards", "Ks Js 9s 5s 4d", "--up", "7c"),
    ("meter", "run", "examples/meter-night.jsonl"),
    ("play",),
]


def run(*words: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, **environment}
    return subprocess.run([*ACEKING, *words], input=given, capture_output=True, cwd=ROOT, env=env, check=False)


def told(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """Standard error without the line that says, after a second, what the program is at."""
    return [line for line in done.stderr.decode().splitlines() if not line.endswith("every deal")]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of bash; `aceking` in it is ours."""
    line = line.replace("aceking", f"{sys.executable} -m aceking")
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=ROOT, check=False)


def terminal(width: int, *words: str) -> str:
    """Return what a terminal of this width in columns shows, without colours."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "COLUMNS": str(width), "LINES": "24", "TERM": "xterm"}
    with subprocess.Popen([*ACEKING, *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=env):
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            parts.append(part)
    os.close(ours)
    text = b"".join(parts).decode("utf-8").replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("words", PEOPLE, ids=" ".join)
def test_signs_that_cannot_be_written_are_written_plainly(words: tuple[str, ...], encoding: str) -> None:
    done = run(*words, LC_ALL="C", PYTHONIOENCODING=encoding)
    assert (done.returncode, told(done)) == (0, [])
    done.stdout.decode(encoding)


def test_a_suit_in_plain_letters_is_a_card_again() -> None:
    shown = run("settle", "examples/jackpot-rws.json", PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert "As Ks Qs Js 10s  royal flush" in shown
    assert "Jackpot 100,000 -> 10,000" in shown


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path, encoding: str) -> None:
    scenario, meter, book = tmp_path / "round.json", tmp_path / "night.jsonl", tmp_path / "mine.toml"
    scenario.write_text((ROOT / "examples/jackpot-rws.json").read_text(encoding="utf-8"), encoding=encoding)
    meter.write_text((ROOT / "examples/meter-two-royals.jsonl").read_text(encoding="utf-8"), encoding=encoding)
    assert json.loads(run("settle", str(scenario), "--json").stdout)["seats"][0]["net"] == "105009"
    assert json.loads(run("settle", "-", "--json", given=scenario.read_bytes()).stdout)["id"] == "jackpot"
    assert run("compare", str(scenario)).returncode == 0
    assert run("meter", "run", str(meter)).returncode == 0
    book.write_text((ROOT / "aceking/books/rws.toml").read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert run("edge", str(book)).returncode == 0


@pytest.mark.parametrize(
    "line",
    [
        "aceking books show rws | head -1",
        "aceking edge rws 2>/dev/null | true",
        "yes '{}' | head -20000 | aceking settle - --json 2>/dev/null | head -1",
        "aceking compare examples/royal-flush.json | true",
        "aceking --help | true",
    ],
)
def test_a_reader_who_leaves_is_no_error(line: str) -> None:
    place = 2 if line.startswith("yes") else 0
    done = shell(f"{line}; exit ${{PIPESTATUS[{place}]}}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", ["books list", "settle examples/jackpot-rws.json", "books list --json"])
def test_a_full_disk_is_one_sentence(words: str) -> None:
    done = shell(f"aceking {words} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "aceking: standard output: No space left on device\n")


def test_a_file_that_cannot_be_written_is_named() -> None:
    done = shell("printf '10\\nf\\nq\\n' | aceking play section10 --record /dev/null/record.jsonl > /dev/null")
    assert done.returncode == 2
    assert "/dev/null" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_closed_streams_are_no_traceback() -> None:
    for words in ("books list", "settle examples/jackpot-rws.json --json", "--help"):
        done = shell(f"aceking {words} >&-")
        assert (done.returncode, done.stderr) == (0, "")
    assert shell("aceking settle - <&-").stderr == "aceking: standard input: there is no scenario\n"
    assert shell("aceking settle nowhere 2>&-").returncode == 2


def test_the_bare_command_is_help() -> None:
    for words in ((), ("books",), ("meter",)):
        done = run(*words)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"Usage:" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("edge", "tests"), "there is no book 'tests'"),
        (("edge", "./tests"), "tests: Is a directory"),
        (("edge", "examples/jackpot-rws.json"), "jackpot-rws.json: this is not TOML: Invalid"),
        (("settle", "tests"), "tests: Is a directory"),
        (("compare", "tests"), "tests: Is a directory"),
        (("meter", "run", "tests"), "tests: Is a directory"),
        (("settle", "nowhere\udcff.json"), "No such file"),
        (("setle",), "did you mean settle?"),
        (("books", "lst"), "there is no command 'lst'; there are check, coverage, "),
        (("ask", "nigt"), "there are advantage, hold, meter, night, ruin; did you mean night?"),
        (("meter", "rnu"), "there are report, run, worth; did you mean run?"),
        (("edge", "sectoin10"), "did you mean section10?"),
        (("edge", "section10", "--pays", "ful_house=8"), "did you mean full_house?"),
        (("edge", "section10", "--option", "bet-paytabel=1"), "did you mean bet-paytable?"),
        (("edge", "exchange", "--option", "ace-low-straight=alowed"), "did you mean allowed?"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_a_near_word(words: tuple[str, ...], says: str) -> None:
    done = run(*words)
    told = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert told.startswith("aceking: ")
    assert len(told.splitlines()) == 1
    assert says in told


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"\xff\xfe", id="mark"),
        pytest.param(b"\x00", id="nothing"),
        pytest.param(b"[" * 100_000, id="lists"),
        pytest.param(b'{"a":' * 100_000, id="objects"),
        pytest.param(b"\xe9\n{}", id="latin"),
        pytest.param(b'{"seats": "\xe9"}', id="latin-text"),
        pytest.param(b"a = [", id="toml"),
    ],
)
def test_bytes_of_any_kind_are_answered(text: bytes) -> None:
    for words in (("settle", "-"), ("settle", "-", "--json"), ("compare", "-"), ("meter", "run", "-")):
        done = run(*words, given=text)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert done.stderr.startswith(b"aceking: ")


def test_a_book_that_has_no_shape_is_told_all_that_it_lacks(tmp_path: Path) -> None:
    for number, text in enumerate((b"", b"steps = 3", b'id = "x"\nclause = 4', b"[[clause]]\nid = 4")):
        file = tmp_path / f"{number}.toml"
        file.write_bytes(text)
        done = run("books", "show", str(file))
        assert (done.returncode, done.stdout) == (2, b"")
        first, *lines = done.stderr.decode().splitlines()
        assert first.endswith(f": {len(lines)} things are wrong")
        assert all(line.startswith("  ") for line in lines)
    file = tmp_path / "latin.toml"
    file.write_bytes(b"\xff")
    done = run("books", "show", str(file))
    assert (done.returncode, done.stderr.decode().splitlines()) == (2, [f"aceking: {file}: a book is a text in UTF-8"])


SCENARIO: dict[str, Any] = {"book": "rws", "dealer": "Ah Kd 9c 5s 2d"}
SCENARIO["seats"] = [{"seat": 1, "cards": "As Ks Qs Js Ts", "ante": "10", "play": "bet"}]


@pytest.mark.parametrize(
    "bad", ['{"id": 7, "book": ', "nonsense", '{"id": 7}', '{"id": 7, "seats": 3}', "\udcff", "[]"]
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_bad_line_is_one_error_result_wherever_it_stands(bad: str, place: int) -> None:
    lines = [json.dumps({"id": number, **SCENARIO}) for number in range(3)]
    lines[place] = bad
    done = run("settle", "-", "--json", given="\n".join(lines).encode("utf-8", "surrogateescape"))
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert ["error" in one for one in results] == [number == place for number in range(3)]


def test_an_answer_comes_before_the_next_question() -> None:
    with subprocess.Popen(
        [*ACEKING, "settle", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for number in range(3):
            asked.stdin.write(json.dumps({"id": number, **SCENARIO}).encode() + b"\n")
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["id"] == number
        asked.stdin.close()
    assert asked.returncode == 0


AMOUNTS = {
    ("settle", "examples/jackpot-rws.json"): (
        "+105,009",
        "100,000",
        "5,000",
        "RWS-3.14.1",
        "RWS-4.2",
        "K♥ J♥ 9♥ 5♥ 2♥",
    ),
    ("compare", "examples/royal-flush.json"): (
        "+105,009",
        "+102,009",
        "+100,000",
        "EUR-p14-paytable",
        "CHP-38(k)(3)#push",
    ),
    ("books", "list"): ("colorado-permissible", load_book("rws").digest[:12], "136"),
    ("books", "show", "exchange"): ("progressive.awards.four_of_a_kind", "EUR-p26-samehand", "EUR-exchange-5-pay"),
    ("books", "diff", "section10", "rws"): ("bet.pays.royal_flush", "250 to 1", "CSP-10(l)(3)"),
    ("books", "show", "rws", "--clause", "RWS-4.1.1"): ("bet.cap = 100,000",),
    ("edge", "section10"): ("5.2243 %", "142031221/2718662100", "9,523,005,974,460"),
    ("value", "exchange", "--cards", "Ks Js 9s 5s 4d", "--up", "7c"): ("exchange 4d", "in antes"),
    ("meter", "run", "examples/meter-night.jsonl"): ("straight flush", "11431.09", "25402.18", "executive", "(WA-9d)"),
}


def helps(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """The help of a command and of all below it, as a terminal of 80 columns has it."""
    context = click.Context(command, info_name=name, parent=parent, terminal_width=80)
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            if (found := command.get_command(context, below)) is not None:
                yield from helps(found, below, context)


def test_the_help_of_every_command_fits_a_terminal_of_80_columns() -> None:
    found = dict(helps(cli, "aceking"))
    assert len(found) > 30
    assert [(name, line) for name, text in found.items() for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("words", AMOUNTS, ids=" ".join)
def test_nothing_is_cut_off(words: tuple[str, ...], width: int) -> None:
    shown = terminal(width, *words)
    assert "…" not in shown
    for word in AMOUNTS[words]:
        # A phrase may go over a line; a figure and a clause may not.
        assert all(part in shown for part in word.split(" ")), f"{word} is not whole at {width} columns"
    lines = shown.replace("\r", "\n").splitlines()
    assert max(len(line) for line in lines if not line.startswith("aceking: ")) <= width


def test_nothing_is_cut_off_where_there_is_no_terminal() -> None:
    for words, wanted in AMOUNTS.items():
        shown = run(*words).stdout.decode()
        assert "…" not in shown
        assert all(word in shown for word in wanted)


@pytest.mark.parametrize("spelling", ["A♠ K♠ Q♠ J♠ 10♠", "as ks qs js ts", "AS KS QS JS 10S", "AsKsQsJs10s"])
def test_cards_are_read_as_people_write_them(spelling: str) -> None:
    seat = {**SCENARIO["seats"][0], "cards": spelling}
    given = json.dumps({**SCENARIO, "dealer": "A♥ kd 9C 5♤ 2d", "seats": [seat]}).encode()
    assert json.loads(run("settle", "-", "--json", given=given).stdout)["seats"][0]["hand"] == "royal flush"
    assert "A♠ K♠ Q♠ J♠ 10♠  royal flush" in run("settle", "-", given=given).stdout.decode()
    asked = run("value", "rws", "--cards", spelling, "--up", "2♥")
    assert asked.returncode == 0
    assert "A♠ K♠ Q♠ J♠ 10♠   dealer shows 2♥" in asked.stdout.decode()


def test_the_hand_shown_is_the_hand_held_with_the_exchange_told() -> None:
    seat = {"seat": 1, "cards": "Ks Qs Js Ts 2h", "exchange": {"give": "2♥", "take": "A♠"}, "ante": "10", "play": "bet"}
    given = json.dumps({"book": "exchange", "dealer": "Ac Kd 9c 6d 3h", "seats": [seat]}).encode()
    for command in ("settle", "compare"):
        shown = run(command, "-", given=given).stdout.decode()
        assert "K♠ Q♠ J♠ 10♠ A♠" in shown
        assert "gave 2♥ for A♠" in shown
    kept = {"seat": 1, "cards": "As Ks 4d", "discard": "4d", "ante": "10", "play": "bet"}
    given = json.dumps({"book": "colorado-required", "community": "Qs Js Ts", "seats": [kept]}).encode()
    assert "A♠ K♠  royal flush, laid aside 4♦" in run("settle", "-", given=given).stdout.decode()
    assert "not dealt: the deal" in run("compare", "-", given=given).stdout.decode()
