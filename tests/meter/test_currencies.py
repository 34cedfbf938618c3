"""Currencies without coins and with coins of four decimals: on the meter as at the table."""

from pathlib import Path

import pytest

from aceking.exact.games import edge
from aceking.meter.awards.win_page import win_page
from aceking.meter.events import MeterRefused
from aceking.meter.reports import run_data
from aceking.meter.script import MeterScriptError, Run
from aceking.rules.reading.load import load_book
from aceking.settlement.scenario_json import scenario_from_json, settle_in
from tests.exact.heirs import same_at_the_table
from tests.meter.acting import play_script

ROYALS = Path(__file__).resolve().parents[2] / "examples" / "meter-two-royals.jsonl"


def book_of(tmp_path: Path, currency: str, decimals: int) -> str:
    file = tmp_path / f"{currency.lower()}.toml"
    text = f'from = "rws"\nid = "{currency.lower()}-house"\ncurrency = "{currency}"\ndecimals = {decimals}\n'
    file.write_text(text, encoding="utf-8")
    return str(file)


def played(tmp_path: Path, currency: str, decimals: int, base: str, won: str = "100000") -> Run:
    text = ROYALS.read_text(encoding="utf-8").replace('"rws"', f'"{book_of(tmp_path, currency, decimals)}"')
    return play_script(
        text.replace("SGD", currency).replace("99998.60", base).replace('"100000"', f'"{won}"').splitlines()
    )


@pytest.mark.parametrize(
    ("currency", "decimals", "base", "won"),
    [
        ("JPY", 0, "99998", ("99999", "10000")),
        ("TND", 3, "99998.600", ("100000", "10000")),
        ("CLF", 4, "99998.6", ("100000", "10000")),
        ("CLF", 4, "99998.6001", ("100000.0001", "10000")),
    ],
)
def test_a_meter_counts_in_the_coins_of_its_books(
    tmp_path: Path, currency: str, decimals: int, base: str, won: tuple[str, str]
) -> None:
    run = played(tmp_path, currency, decimals, base, won[0])
    data = run_data(run)
    assert data["identity"] == "0"
    assert tuple(one["amount"] for one in data["hits"]) == won
    assert run.state.config is not None
    assert run.state.config.reset == 10_000 * 10**decimals
    page = win_page(run.books, run.state, run.state.hits[0])
    assert f"{currency} {int(won[0].partition('.')[0]):,}" in page


def test_an_amount_finer_than_the_coin_is_told(tmp_path: Path) -> None:
    with pytest.raises(MeterScriptError, match=r"line 2: base: '99998.60' is finer than the smallest coin; 0 decimals"):
        played(tmp_path, "JPY", 0, "99998.60")


def test_tables_of_one_meter_have_the_same_coins(tmp_path: Path) -> None:
    one = book_of(tmp_path, "TND", 3)
    other = Path(one).with_name("other.toml")
    other.write_text(f'from = "{Path(one).name}"\nid = "other"\ndecimals = 2\n', encoding="utf-8")
    text = ROYALS.read_text(encoding="utf-8").replace('"A": "rws"', f'"A": "{one}"')
    run = play_script(text.replace('"B": "rws"', f'"B": "{other}"').replace("SGD", "TND").splitlines())
    assert isinstance(run.events[0], MeterRefused)
    assert "has 2 decimals, other tables have 3" in run.events[0].reason


@pytest.mark.parametrize("decimals", [0, 1, 3, 4])
def test_a_table_and_its_figures_know_any_number_of_decimals(tmp_path: Path, decimals: int) -> None:
    name = book_of(tmp_path, "XYZ", decimals)
    book = load_book(name)
    assert edge(book).house_edge == edge(load_book("rws")).house_edge
    assert same_at_the_table(book, rounds=10)
    text = (
        '{"seats": [{"seat": 1, "cards": "2c 2d 5h 7s 9c", "ante": "10", "play": "bet", "side": "1"}],'
        f' "dealer": "Ah Kd 9h 5s 3d", "book": "{name}", "meter": "5000"}}'
    )
    found = settle_in(scenario_from_json(text))
    assert isinstance(found, tuple)
    _, settled = found
    assert [(line.wager, line.net // 10**decimals) for line in settled.lines] == [
        ("ante", 10),
        ("bet", 20),
        ("side", -1),
    ]
