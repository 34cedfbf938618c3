"""Sessions that are kept: left, taken up again, shown again; and records that are not what was written."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import click
import pytest

from aceking.cli import cli
from aceking.commands.terminal.session import Record, SessionError, TerminalSession, saved_records
from aceking.rules.reading.load import book_ids, load_book
from tests.commands.terminal import ROOT

Run = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ACEKING_SESSIONS", str(tmp_path))
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*words: str, given: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        assert not cli.main(list(words), standalone_mode=False)
        return capsys.readouterr().out

    return ran


def newest() -> Record:
    return next(saved_records())


def test_a_session_is_taken_up_where_it_was_left_with_its_chips_meter_and_mistakes(run: Run) -> None:
    left = run("play", "section10", "--seed", "5", "--side", given="10\nf\nq\n")
    assert "You leave with 489 USD (-11)." in left
    again = run("play", "--again", given="\nf\nl\nq\n")
    assert "Resumed with 489 in chips." in again
    assert "chips 489 · jackpot 50,000.70 · side bet on · mistakes 1, cost 24.18" in again
    assert "round 1: J♠ K♠ K♣ 10♦ 9♦ fold" in again
    assert "You leave with 478 USD (-22)." in again
    assert "1 Put an ante" not in again  # who has played is not taught again
    # The cards go on where they were: the same two hands as in one session.
    once = run("play", "section10", "--seed", "5", "--side", given="10\nf\n\nf\nl\nq\n")
    assert [line for line in once.splitlines() if "round 2:" in line] == [
        line for line in again.splitlines() if "round 2:" in line
    ]


@pytest.mark.parametrize("book", book_ids())
def test_every_book_is_kept_and_taken_up(book: str, run: Run) -> None:
    choice = "b\n1\n" if book.startswith("colorado") else "b\n"
    run("play", book, "--seed", "7", "--side", given=f"10\n{choice}q\n")
    run("play", "--again", book, given=f"\n{choice}q\n")
    data = json.loads(run("replay", book, "--json"))
    assert [one["round"] for one in data["rounds"]] == [1, 2]
    (listed,) = json.loads(run("replay", "--json"))["sessions"]
    won = sum(Decimal(one["net"]["player"]) for one in data["rounds"])
    assert (listed["book"], listed["rounds"], Decimal(listed["net"])) == (book, 2, won)
    assert Decimal(listed["chips"]) == 500 + won


def test_chips_are_bought_when_a_session_is_taken_up_and_not_called_won(run: Run) -> None:
    run("play", "rws", "--seed", "5", given="10\nf\nq\n")
    assert "You leave with 590 SGD (-10)." in run("play", "--again", "--chips", "100", given="q\n")


def test_a_session_killed_in_mid_hand_is_ruled_on_when_it_is_taken_up(folder: Path, run: Run) -> None:
    command = [sys.executable, "-m", "aceking", "play", "exchange", "--seed", "5", "--side"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as killed:
        assert killed.stdin is not None
        assert killed.stdout is not None
        killed.stdin.write("10\nx\n1\n")
        killed.stdin.flush()
        while "gave" not in killed.stdout.readline():
            pass
        killed.kill()
    again = run("play", "--again", given="q\n")
    assert "You had left in the middle of a hand." in again
    assert "the posted rule of the house: the hand counts as folded." in again
    assert "You leave with 479 EUR (-21)." in again  # ante, price and side bet


def test_a_record_that_was_changed_is_refused(run: Run) -> None:
    run("play", "rws", "--seed", "5", given="10\nf\nq\n")
    record = newest()
    lines = record.file.read_bytes().splitlines(keepends=True)
    for changed in (
        b"".join(lines[:20] + lines[21:]),
        b"".join(lines).replace(b'"amount":1000', b'"amount":9000'),
        b"".join(lines[:-1]),
    ):
        assert changed != b"".join(lines)
        record.file.write_bytes(changed)
        for words in (("play", "--again"), ("replay", "last")):
            with pytest.raises(click.ClickException, match="the record has been changed since it was written"):
                run(*words)
    record.file.write_bytes(b"".join(lines) + b"garbage\n")
    with pytest.raises(click.ClickException, match=f"line {len(lines) + 1}: "):
        run("replay", "last")
    record.file.write_bytes(b"".join(lines))
    record.session_file.write_text("{")
    with pytest.raises(click.ClickException, match="this is not a session"):
        run("play", "--again")


def test_two_windows_do_not_write_on_one_record(run: Run) -> None:
    run("play", "rws", "--seed", "5", given="10\nf\nq\n")
    first, second = newest(), newest()
    session, table = first.resume()
    other, same = second.resume()
    second.write(other, same.ante(10).deal().fold())
    with pytest.raises(SessionError, match="another program writes to"):
        first.write(session, table.ante(10).deal().fold())


def test_a_record_by_its_file_is_not_written_over_and_can_be_taken_up(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "elsewhere" / "night.jsonl")
    run("play", "rws", "--seed", "5", "--record", file, given="10\nf\nq\n")
    with pytest.raises(click.ClickException, match="there is a record already; resume it with --again"):
        run("play", "rws", "--seed", "5", "--record", file, given="q\n")
    assert "with 490 in chips" in run("play", "--again", file, given="q\n")
    assert "+" not in run("replay", file).split("-10")[0]


def test_rounds_are_listed_and_told_again_clause_by_clause(run: Run) -> None:
    run("play", "exchange", "--seed", "5", "--side", given="10\nx\n1\nb\n10\nf\nq\n")
    listed = run("replay", "last")
    assert "K♥ 6♣ K♠ 7♥ K♣ (gave J♠) bet against Q♦ 10♦ 2♦ 9♦ 5♠" in listed
    assert "6.93" in listed
    told = run("replay", "last", "1")
    assert "Player exchanges Js for Kh in box 1 at a price of 10 (EUR-p6-options)." in told
    assert "A mistake: exchange J♠ cost 6.93 (0.6934 antes). Better: bet." in told
    whole = run("replay", "last", "--all")
    assert told.strip() in whole
    assert "Round 2" in whole
    data = json.loads(run("replay", "last", "2", "--json"))
    (one,) = data["rounds"]
    assert (one["round"], one["boxes"][0]["choice"], one["net"]) == (2, "fold", {"player": "-11"})
    assert one["told"][-1] == "The round is over. Net: player -11."


def test_a_record_alone_is_enough_to_see_its_rounds(run: Run, tmp_path: Path) -> None:
    run("play", "colorado-required", "--seed", "103", "--side", given="10\nd\nq\n")
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(newest().file.read_bytes())
    assert "K♦ K♥ K♠ declare against 9♦ K♣ 5♦" in run("replay", str(alone))
    with pytest.raises(click.ClickException, match="there is no saved session for this record"):
        run("play", "--again", str(alone))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("replay", "last"), "there is no saved session yet; aceking play starts one"),
        (("play", "--again"), "there is no saved session yet; aceking play starts one"),
        (("replay", "moon"), "there is no session 'moon'; aceking replay lists them"),
        (("play", "rws", "--again"), "give a book or --again, not both"),
        (("play", "--again", "last", "--seed", "3"), "a session continues as it was left"),
        (("play", "rws", "--chips", "0"), "the amount must be greater than zero"),
        (("play", "rws", "--coach", "loud"), "'loud' is not one of"),
        (("play", "rws", "--option", "moon=full"), "moon"),
        (("play", "section10", "--option", "dealing-method=hand"), "needs an automated shuffler (CSP-10(h)(2)(i))"),
    ],
)
def test_wrong_words_for_a_session_are_one_sentence(words: tuple[str, ...], sentence: str, run: Run) -> None:
    with pytest.raises(click.ClickException) as wrong:
        run(*words, given="q\n")
    assert sentence in wrong.value.format_message()


def test_a_round_that_is_not_there_is_told_and_a_near_session_named(run: Run) -> None:
    assert run("replay") == "There is no saved session yet; aceking play starts one.\n"
    run("play", "rws", "--seed", "5", given="10\nf\nq\n")
    with pytest.raises(click.ClickException, match="has no finished round 7; it has 1 to 1"):
        run("replay", "last", "7")
    name = newest().name
    with pytest.raises(click.ClickException, match=f"did you mean {name}"):
        run("replay", f"{name}x")


def test_a_round_that_is_not_over_is_not_told_for_its_cards_are_hidden(run: Run, tmp_path: Path) -> None:
    run("play", "rws", "--seed", "5", given="10\nf\nq\n")
    lines = newest().file.read_text(encoding="utf-8").splitlines(keepends=True)
    [decided] = [number for number, line in enumerate(lines) if '"decided"' in line]
    alone = tmp_path / "alone.jsonl"
    alone.write_text("".join(lines[:decided]), encoding="utf-8")
    with pytest.raises(click.ClickException, match="has no finished round 1; it has none yet"):
        run("replay", str(alone), "1")


def test_a_session_without_a_round_is_named_and_so_is_a_folder(run: Run, folder: Path) -> None:
    run("play", "rws", "--seed", "5", given="")
    with pytest.raises(click.ClickException, match=f"^{newest().name}: no round was played$"):
        run("replay", "last")
    with pytest.raises(click.ClickException, match=f"^{folder} is a folder$"):
        run("play", "rws", "--seed", "5", "--record", str(folder), given="q\n")


def test_a_session_that_cannot_be_read_is_named(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("play", "rws", "--seed", "5", given="10\nf\nq\n")
    record = newest()
    record.session_file.write_text("{")
    assert cli.main(["replay"], standalone_mode=False) is None
    assert capsys.readouterr().err.startswith(f"aceking: session {record.name}: ")


def test_events_that_do_not_follow_one_another_are_damage(run: Run, tmp_path: Path) -> None:
    run("play", "rws", "--seed", "5", given="10\nf\nq\n")
    lines = newest().file.read_bytes().splitlines(keepends=True)
    alone = tmp_path / "alone" / "night.jsonl"
    alone.parent.mkdir()
    left_out = (b'"is":"staked"', b'"is":"dealt"')
    alone.write_bytes(b"".join(line for line in lines if not any(one in line for one in left_out)))
    with pytest.raises(click.ClickException, match=r": the record is damaged: its events do not follow one another$"):
        run("replay", str(alone))


def test_where_nothing_can_be_kept_a_table_is_played_all_the_same(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ACEKING_SESSIONS", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("10\nf\nq\n"))
    assert cli.main(["play", "rws", "--seed", "5"], standalone_mode=False) == 0
    shown = capsys.readouterr()
    assert "this session is not saved: Not a directory" in shown.err
    assert "You leave with 490 SGD" in shown.out
    assert "--again" not in shown.out


def test_a_mistake_is_kept_to_the_last_part_of_an_ante() -> None:
    session = TerminalSession(begins=None, book="rws", brought=0, ante=0)  # type: ignore[arg-type]
    assert session.judge(1, 1, "fold", "bet", Fraction(0), 1000) is None
    mistake = session.judge(1, 1, "fold", "bet", Fraction(1, 3), 1000)
    assert mistake is not None
    assert (mistake.antes, mistake.chips, session.decisions, session.cost) == ("1/3", 333, 2, 333)


def test_a_book_of_ones_own_is_kept_by_its_file(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    text = (ROOT / "aceking" / "books" / "rws.toml").read_text(encoding="utf-8")
    own.write_text(text.replace('id = "rws"', 'id = "mine"', 1), encoding="utf-8")
    assert load_book(str(own)).id == "mine"
    run("play", str(own), "--seed", "5", given="10\nf\nq\n")
    assert "with 490 in chips" in run("play", "--again", given="q\n")
    assert "fold" in run("replay", "mine")
    own.write_text(own.read_text(encoding="utf-8").replace("250 to 1", "251 to 1"), encoding="utf-8")
    # In a program of its own: this one has read the book already.
    command = [sys.executable, "-m", "aceking", "play", "--again"]
    done = subprocess.run(command, input="", capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert "the table was played by another text of mine" in done.stderr
