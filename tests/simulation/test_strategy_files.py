"""Strategies from files: what `aceking strategy --json` writes plays as the best strategy does; a gap is named."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aceking.exact.exchange.states import ExchangeStates
from aceking.exact.exchange.strategy import against
from aceking.exact.strategy import strategy, strategy_data
from aceking.rules.reading.load import load_book
from aceking.simulation.games.game import SimulationError
from aceking.simulation.plan import plan
from aceking.simulation.strategies import (
    OPTIMAL,
    community_decisions,
    decision_codes,
    exchange_rows,
    stud_decisions,
)
from aceking.simulation.strategy_files import codes_from_file, read_lines

Lines = list[dict[str, Any]]

#: One process writes the strategies once.
pytestmark = pytest.mark.xdist_group("strategy files")


def written(folder: Path, lines: Lines) -> str:
    file = folder / "mine.json"
    file.write_text(json.dumps({"advice": lines}), encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def stud_lines() -> Lines:
    lines: Lines = strategy_data(strategy(load_book("section10")))["advice"]
    return lines


@pytest.fixture(scope="module")
def colorado_lines() -> Lines:
    lines: Lines = strategy_data(strategy(load_book("colorado-permissible")))["advice"]
    return lines


def test_the_best_strategy_of_stud_survives_a_file(stud_lines: Lines, tmp_path: Path) -> None:
    book = load_book("section10")
    found, best = stud_decisions(book, written(tmp_path, stud_lines)), stud_decisions(book, OPTIMAL)
    assert (found.by_kind == best.by_kind).all()
    assert (found.keys == best.keys).all()
    assert (found.codes == best.codes).all()


def test_the_best_strategy_against_a_pay_table_survives_a_file(colorado_lines: Lines, tmp_path: Path) -> None:
    book = load_book("colorado-permissible")
    assert community_decisions(book, written(tmp_path, colorado_lines)) == community_decisions(book, OPTIMAL)


def test_the_best_strategy_of_the_exchange_survives_a_file(tmp_path: Path) -> None:
    """Against one up-card; the whole strategy is the same thirteen times over."""
    book = load_book("exchange")
    states = ExchangeStates(book)
    table = states.against(5)
    lines = [asdict(one) for one in against(states, 5).advice]
    file = written(
        tmp_path,
        [{key: one[key] for key in ("up", "weakest", "strongest", "best", "four_suited", "suits")} for one in lines],
    )
    (codes,) = codes_from_file(book, file, [exchange_rows(table)])
    assert (codes == decision_codes(table, table.best)).all()
    assert len(np.unique(codes)) > 10


def test_a_gap_is_named_by_its_hand(stud_lines: Lines, colorado_lines: Lines, tmp_path: Path) -> None:
    some = [line for line in stud_lines if line["weakest"] != stud_lines[0]["weakest"] or line["up"] != "7"]
    with pytest.raises(SimulationError, match="no line says what to do with 7 5 4 3 2 against 7"):
        plan(load_book("section10"), rounds=1, strategy=written(tmp_path, some))
    with pytest.raises(SimulationError, match="no line says what to do with 2c 2d 2h"):
        plan(load_book("colorado-permissible"), rounds=1, strategy=written(tmp_path, colorado_lines[1:]))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"best": "raise"}, "best 'raise' is not understood"),
        ({"best": "exchange 7"}, "best 'exchange 7' is not understood"),
        ({"weakest": "A B"}, "'A B' is not understood"),
        ({"up": "1"}, "is not understood"),
        ({"strongest": "A K Q J T of one suit", "best": "bet"}, "another line says otherwise about"),
    ],
)
def test_a_line_that_says_nothing_is_refused(
    stud_lines: Lines, change: dict[str, str], says: str, tmp_path: Path
) -> None:
    with pytest.raises(SimulationError, match=says):
        plan(
            load_book("section10"), rounds=1, strategy=written(tmp_path, [{**stud_lines[0], **change}, *stud_lines[1:]])
        )


@pytest.mark.parametrize(
    ("text", "says"), [("{", "is not JSON"), ("[]", "a list of lines"), ('{"advice": [1]}', "a list")]
)
def test_a_file_that_is_no_strategy_is_refused(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SimulationError, match=says):
        read_lines(str(file))
    with pytest.raises(SimulationError, match="No such file"):
        read_lines(str(tmp_path / "none.json"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"best": "fold"}, "another line says otherwise about 2c 2d 2h"),
        ({"weakest": "Ah Kh"}, "not a hand of 3 cards"),
        ({"weakest": "A K 4 3 2"}, "there is no card 'A'"),
        ({"best": "bet discard Zz"}, "there is no card 'Zz'"),
    ],
)
def test_a_line_about_three_cards_that_cannot_be_is_refused(
    changes: dict[str, str], says: str, colorado_lines: Lines, tmp_path: Path
) -> None:
    lines = [*colorado_lines, {**colorado_lines[0], **changes}]
    with pytest.raises(SimulationError, match=f"line {len(lines)} of the advice: .*{says}"):
        community_decisions(load_book("colorado-permissible"), written(tmp_path, lines))


def test_hands_may_be_written_in_any_suits_and_one_of_two_alike_may_be_laid_aside(
    colorado_lines: Lines, tmp_path: Path
) -> None:
    """With 2c 2d 5h it is the same whether 2c or 2d is laid aside."""
    book = load_book("colorado-permissible")
    lines = [
        {**colorado_lines[0], "weakest": "2s 2h 5c", "best": "stay discard 2h"},
        {**colorado_lines[0], "weakest": "2c 2d 5h", "best": "stay discard 2c"},
        *(line for line in colorado_lines if line["weakest"] != "2c 2d 5h"),
    ]
    assert len(lines) == len(colorado_lines) + 1
    community_decisions(book, written(tmp_path, lines))
