"""`aceking simulate`, `seeing` and `ask`: one JSON object, one sentence, the right status."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import aceking
from aceking.cli import cli

RUN = CliRunner()
#: Tests that run in the background of a shell ignore Ctrl-C and hand that down; a program at a terminal does not.
ENTRY = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from aceking.cli import main; main()"


def answer(*words: str) -> dict[str, object]:
    found = RUN.invoke(cli, [*words, "--json"], catch_exceptions=False, standalone_mode=False)
    assert found.exit_code == 0, found.output
    data: dict[str, object] = json.loads(found.stdout)
    return data


def test_the_contract_of_simulate() -> None:
    found = answer("simulate", "colorado-required", "--rounds", "70000", "--seats", "2", "--seed", "3")
    assert {"net_per_ante", "standard_error", "rounds", "rounds_per_second"} <= set(found)
    assert (found["rounds"], found["seats"], found["hands"]) == (70_000, 2, 140_000)
    called = aceking.simulate("colorado-required", rounds=70_000, seats=2, seed=3)
    assert float(called.net_per_ante) == pytest.approx(found["net_per_ante"], abs=1e-15)


def test_people_see_a_table_and_the_progressive() -> None:
    words = ["simulate", "rws", "--rounds", "70000", "--side", "--meter", "10000", "--rate", "70%"]
    found = RUN.invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    assert "95 % interval" in found.stdout
    assert "meter won in full" in found.stdout


@pytest.mark.proof
def test_ctrl_c_stops_with_what_was_done_so_far(tmp_path: Path) -> None:
    file = tmp_path / "night.json"
    words = ["simulate", "colorado-permissible", "--rounds", "1000000000000", "--json", "--checkpoint", str(file)]
    running = subprocess.Popen([sys.executable, "-c", ENTRY, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        while not file.exists():  # the first rounds are written at once
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert errors == b""
    found = json.loads(output)
    assert found["stopped"] is True
    assert 0 < found["rounds"] < 10**12
    assert json.loads(file.read_text())["tally"]["rounds"] == found["rounds"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["simulate", "rws", "--rounds", "0"], "the rounds must be 1 or more, not 0"),
        (["simulate", "rws", "--rounds", "1", "--seats", "8"], "rws has 7 seats"),
        (["simulate", "rws", "--rounds", "1", "--strategy", "clever"], "no strategy 'clever'"),
        (["simulate", "nowhere", "--rounds", "1"], "nowhere"),
        (["simulate", "rws", "--rounds", "1", "--meter", "5"], "add --side"),
        (["simulate", "rws", "--rounds", "1", "--side", "--meter", "5"], "give a rate"),
        (["simulate", "rws", "--rounds", "1", "--side", "--meter", "x"], "is not an amount"),
        (["simulate", "rws", "--rounds", "1", "--side", "--award", "flush"], "write ROW=AWARD, e.g. flush=75"),
        (["simulate", "rws", "--rounds", "1", "--cluster", "here"], "is not the address of a cluster"),
        (["simulate", "rws", "--rounds", "-3"], "the rounds must be 1 or more, not -3"),
        (["simulate", "rws", "--rounds", "1", "--seed", "-1"], "a seed is a whole number"),
        (["seeing", "rws", "--hands", "2", "--seed", "-1"], "a seed is a whole number"),
        (["seeing", "rws", "--hands", "3", "--exact"], "leave --exact out"),
        (["ask", "ruin", "rws", "--bankroll", "9", "--seed", "-1"], "a seed is a whole number"),
        (["ask", "meter", "section10", "--meter", "9000", "--rate", "70%", "--seed", "-1"], "a seed is a whole number"),
        (["ask", "night", "rws", "--picture", "night.png"], "end in .svg"),
        (["ask", "night", "rws", "--picture", "no-such-folder/night.svg"], "there is no folder"),
        (["seeing", "exchange", "--dealer-cards", "2"], "has an exchange"),
        (["seeing", "rws", "--dealer-cards", "2", "--hands", "2"], "not both"),
        (["ask", "ruin", "rws", "--bankroll", "1"], "does not pay for one round"),
        (["ask", "ruin", "rws", "--bankroll", "9" * 30], "a bankroll is at most 1,000,000,000,000 antes, not 1e"),
        (["simulate", "rws", "--rounds", "9", "--workers", "9" * 12], "too many for a machine; give at most 1024"),
        (["ask", "meter", "colorado-required"], "has no progressive"),
    ],
)
def test_wrong_input_is_one_sentence(words: list[str], says: str) -> None:
    with pytest.raises(Exception, match=says) as refused:
        RUN.invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    assert type(refused.value).__name__ == "ClickException"
    assert "\n" not in str(refused.value)


def test_each_question_has_an_answer_and_a_picture(tmp_path: Path) -> None:
    floor = ["--tables", "4", "--years", "2", "--meter", "10000"]
    asked = {
        "night": ["night", "section10", "--nights", "50", "--rounds", "20", "--seats", "2"],
        "hold": ["hold", "section10", "--rounds", "20", "--samples", "20"],
        "ruin": ["ruin", "section10", "--bankroll", "10", "--rounds", "50", "--sessions", "100"],
        "meter": ["meter", "section10", *floor],
        "advantage": ["advantage", "section10", *floor, "--ante", "25", "--least", "5"],
    }
    for name, words in asked.items():
        picture = tmp_path / f"{name}.svg"
        assert answer("ask", *words, "--picture", str(picture))["book"] == "section10"
        assert picture.read_text(encoding="utf-8").endswith("</svg>")
        shown = RUN.invoke(cli, ["ask", *words], catch_exceptions=False, standalone_mode=False)
        assert "section10" in shown.stdout


def test_seeing_says_what_is_exact_and_what_is_sampled() -> None:
    assert answer("seeing", "section10")["exact"] == "-142031221/2718662100"
    found = answer("seeing", "section10", "--hands", "3", "--error", "0.001")
    assert "standard_error" in found
