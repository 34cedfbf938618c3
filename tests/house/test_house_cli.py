"""`aceking house` and `aceking verify` at a console: a house made, its people, copies, and bad input."""

import csv
import io
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from aceking.house.settings import Settings, SettingsError, read_settings
from tests.commands.in_process import aceking


def _run(folder: Path, *words: str) -> tuple[int, str, str]:
    done = aceking(*words, cwd=folder)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a house in aceking.db."""
    folder = tmp_path_factory.mktemp("house")
    status, out, _ = _run(folder, "house", "init", "--name", "The Ace", "--currency", "EUR", "--float", "1000.50")
    assert status == 0
    assert out.startswith("The Ace is created.")
    assert out.count("-1 ") == 7  # one of each part, with a password
    return folder


def test_a_second_house_does_not_take_the_place_of_the_first(made: Path) -> None:
    status, out, told = _run(made, "house", "init", "--name", "Another", "--currency", "EUR")
    assert (status, out, told) == (2, "", "aceking: there is a house already: 'The Ace'\n")


@pytest.mark.proof
def test_a_reader_who_stops_after_the_first_line_leaves_nobody_without_a_password(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "aceking", "house", "init", "--name", "X", "--currency", "EUR"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as making:
        assert making.stdout is not None
        making.stdout.close()
        making.wait(60)
    listed = _run(tmp_path, "house", "people", "list")[1]
    assert listed.count("\n") == 7
    assert "no password" not in listed


def test_people_come_get_passwords_and_are_listed(made: Path) -> None:
    status, out, _ = _run(made, "house", "people", "add", "zoe", "--role", "player")
    assert (status, out.split(" password ")[0]) == (0, "zoe: player,")
    first = out.split(" password ")[1]
    status, out, _ = _run(made, "house", "people", "password", "zoe")
    assert status == 0
    assert out.split(" password ")[1] != first
    assert "zoe                  player\n" in _run(made, "house", "people", "list")[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("house", "people", "add", "zoe-2", "--role", "king"), "there is no role 'king'; there are player,"),
        (("house", "people", "add", "zoe-2", "--role", "deeler"), "did you mean dealer?"),
        (("house", "people", "add", "Not A Name", "--role", "player"), "'Not A Name' is not a name"),
        (("house", "people", "add", "tray", "--role", "player"), "is a reserved name"),
        (("house", "people", "password", "nobody"), "there is no person 'nobody'"),
        (("house", "init", "--name", "X", "--currency", "euro"), "a currency is three letters"),
        (("house", "init", "--name", "X", "--currency", "EUR", "--person", "ann"), "a person is NAME=ROLE"),
        (("house", "init", "--name", " ", "--currency", "EUR"), "the name of the house is empty"),
        (("house", "init", "--name", "X", "--currency", "EUR:9"), "its decimals, which are 0 to 4"),
        (("house", "init", "--name", "X", "--currency", "EUR", "--currency", "EUR:3"), "EUR is named twice"),
        (("house", "init", "--name", "X", "--currency", "EUR", *2 * ("--person", "ann=dealer")), "ann is named twice"),
        (("house", "init", "--name", "X", "--currency", "EUR", "--person", "=dealer"), "'' is not a name"),
        (("house", "init", "--name", "X", "--currency", "EUR", "--person", "ann\n=dealer"), "is not a name"),
        (("house", "init", "--name", "X", "--currency", "EUR\n"), "a currency is three letters"),
        (("house", "people", "add", "ann\n", "--role", "dealer"), "is not a name"),
        (("house", "people", "password", "ann\n"), "there is no person"),
        (("house", "init", "--name", "X", "--currency", "EUR", "--float", "much"), "is not an amount"),
        (("house", "init", "--name", "X", "--currency", "EUR", "--currency", "JPY:0", "--float", "5"), "decimals"),
        (("house", "backup", "aceking.db"), "there is a file already"),
        (("house", "backup", "nosuch/x.db"), "nosuch: there is no such folder"),
        (("house", "peopel", "list"), "there is no command 'peopel'; there are backup, export, init, people, restore"),
        (("house", "restore", "aceking.db"), "there is a house already"),
        (("house", "people", "list", "--db", "nowhere://x"), "an address is sqlite:///PATH"),
        (("verify", "none-such.db"), "there is no such file"),
        (("verify", "aceking.db", "--round", "one"), "a round is TABLE/NUMBER"),
        (("verify", "aceking.db", "--day", "2026-01-01\n"), "is not closed in this log"),
        (("verify", "aceking.db", "--day", "2026-01-01"), "is not closed in this log"),
        (("serve", "--listen", "nowhere"), "is not HOST:PORT"),
        (("serve", "--listen", "127.0.0.1:\u00b2"), "is not HOST:PORT"),
        (("serve", "--listen", "127.0.0.1:\u0668\u0660"), "is not HOST:PORT"),
        (("serve", "--listen", "\u2028:0"), "is not HOST:PORT"),
    ],
)
def test_bad_input_is_one_sentence_and_status_two(made: Path, words: tuple[str, ...], says: str) -> None:
    status, out, told = _run(made, *words)
    assert (status, out) == (2, "")
    assert says in told
    assert told.startswith("aceking: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("serve",), ("house", "people", "list"), ("house", "people", "add", "x", "--role", "dealer")]
)
def test_a_mistyped_address_is_no_house_and_leaves_nothing_behind(tmp_path: Path, words: tuple[str, ...]) -> None:
    status, out, told = _run(tmp_path, *words, "--db", "sqlite:///huose.db")
    assert (status, out, told) == (
        2,
        "",
        "aceking: huose.db: there is no such file, and so no house; `aceking house init` makes one\n",
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "card.json"),
        ("serve", "--db", "sqlite:///card.json"),
        ("house", "people", "list", "--db", "sqlite:///card.json"),
        ("house", "restore", "card.json", "--db", "sqlite:///new.db"),
        ("house", "backup", "copy.db", "--db", "sqlite:///card.json"),
    ],
)
def test_a_file_of_another_kind_is_named_and_stays_as_it_is(tmp_path: Path, words: tuple[str, ...]) -> None:
    text = '{"cards": ["Ah", "Kd"]}' * 40
    (tmp_path / "card.json").write_text(text, encoding="utf-8")
    assert _run(tmp_path, *words) == (2, "", "aceking: card.json is not an SQLite database\n")
    assert (tmp_path / "card.json").read_text(encoding="utf-8") == text
    assert not {"new.db", "copy.db"} & {file.name for file in tmp_path.iterdir()}


def test_a_file_without_a_house_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    status, out, told = _run(tmp_path, "serve", "--db", "sqlite:///empty.db")
    assert (status, out) == (2, "")
    assert "there is no house in this database" in told


def test_names_and_currencies_of_a_new_house_are_checked_before_anything_is_written(tmp_path: Path) -> None:
    status, _, told = _run(tmp_path, "house", "init", "--name", "X", "--currency", "EUR", "--person", "A B=dealer")
    assert status == 2
    assert "'A B' is not a name" in told
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('listn = "x"', "there is no setting 'listn'; did you mean listen?"),
        ('colour = "red"', "there is no setting 'colour'"),
        ('secure = "maybe"', "secure: 'maybe' is not true or false"),
        ("db = ", "house.toml: Invalid value"),
        ('workers = "many"', "workers: 'many' is not a whole number"),
        ("db = 3", "db: 3 is not a text"),
        ('origins = "x"', "origins: 'x' is not a list of texts"),
        ("workers = 0", "workers: 0 is not a number from 1 to 64"),
        ("requests_a_minute = 0", "requests_a_minute must be 1 or more, not 0"),
        ("lab_seconds = -1", "lab_seconds must be 1 or more, not -1"),
        ('log_level = "loud"', "'loud' is not one of debug, info, warning, error"),
    ],
)
def test_a_setting_that_cannot_be_is_named(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        read_settings(tmp_path / "house.toml", {})
    assert says in str(refused.value)


def test_a_slip_in_a_variable_is_told_and_those_of_other_parts_are_left_alone() -> None:
    with pytest.raises(SettingsError, match=r"ACEKING_LISTN: there is no such setting; did you mean ACEKING_LISTEN\?"):
        read_settings(env={"ACEKING_LISTN": "x"})
    others = {"ACEKING_CACHE": "x", "ACEKING_SESSIONS": "y", "ACEKING_TRACEBACK": "1", "ACEKING_COMPLETE": "z"}
    assert read_settings(env={**others, "ACEKING_SECURE": "true"}) == Settings(secure=True)


def test_a_copy_holds_is_restored_and_says_the_same(made: Path) -> None:
    assert _run(made, "house", "backup", "copy.db")[0] == 0
    assert _run(made, "house", "restore", "copy.db", "--db", "sqlite:///again.db")[0] == 0
    money = [_run(made, "house", "export", "--db", f"sqlite:///{file}")[1] for file in ("aceking.db", "again.db")]
    assert money[0] == money[1]
    rows = list(csv.DictReader(io.StringIO(money[0])))
    assert {(row["account"], row["amount"]) for row in rows} == {("cage/EUR", "100050"), ("outside/EUR", "-100050")}
    header = "seq,at,by,request,account,amount\n"
    none = _run(made, "house", "export", "--account", "nope")
    assert none == (0, header, "aceking: no account begins with 'nope'\n")
    status, out, _ = _run(made, "verify", "again.db")
    assert status == 0
    assert out.startswith("Everything holds: ")


def test_a_changed_log_does_not_hold_and_the_entry_is_named(made: Path) -> None:
    assert _run(made, "house", "backup", "spoilt.db")[0] == 0
    with sqlite3.connect(made / "spoilt.db") as database:
        [body] = database.execute("SELECT body FROM log WHERE seq = 2").fetchone()
        database.execute("UPDATE log SET body = ? WHERE seq = 2", (body[:-1] + bytes([body[-1] ^ 1]),))
    database.close()
    status, out, _ = _run(made, "verify", "spoilt.db")
    assert status == 1
    assert out.startswith("It does not hold. Entry 2: ")
