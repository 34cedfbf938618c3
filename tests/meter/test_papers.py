"""What a night leaves on paper: every row of hits, days and pages, worked out from the commands of the night."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aceking.meter.awards.win_page import win_page
from aceking.meter.reports import as_csv, days, hit_row, run_data
from aceking.meter.script import Run
from tests.meter.acting import play_script

NIGHT = Path(__file__).resolve().parents[2] / "examples" / "meter-night.jsonl"
COMMANDS = [json.loads(line) for line in NIGHT.read_text(encoding="utf-8").splitlines() if line[:1] == "{"]


def night(commands: list[dict[str, Any]] = COMMANDS) -> Run:
    return play_script(json.dumps(one) for one in commands)


def asked(do: str, table: str, seat: int) -> dict[str, Any]:
    """The last command of a kind for a seat."""
    return next(
        one for one in reversed(COMMANDS) if (one["do"], one.get("table"), one.get("seat")) == (do, table, seat)
    )


@pytest.mark.parametrize("number", range(4))
def test_a_row_of_hits_names_who_did_what_and_when(number: int) -> None:
    """R16: dealer, second person and signature of each award, each with its moment."""
    played = night()
    award = played.state.hits[number]
    row = hit_row(award, decimals=2)
    assert row.id == f"{row.table}/1/{row.seat}"
    verify, sign, pay = (asked(do, row.table, row.seat) for do in ("verify", "sign", "pay"))
    assert (row.verifier, row.signer, row.dealer) == (verify["by"], sign["by"], pay["by"])
    assert row.signer_role == {"Sam": "supervisor", "Eva": "executive"}[row.signer]
    assert (row.hand, row.cards) == (verify["hand"].replace("_", " "), verify["cards"])
    assert row.amount == sign["amount"] == pay["amount"]
    for moment, command in ((row.signed, sign), (row.paid, pay)):
        assert moment == command["at"].replace("Z", "+00:00")
    assert (row.undone, row.anew) == (row.id == "S2/1/2", False)


def test_a_row_of_what_nobody_has_verified_signed_or_paid_is_empty_there() -> None:
    until = next(n for n, one in enumerate(COMMANDS) if one["do"] == "call-supervisor" and one["table"] == "S1")
    waiting = night(COMMANDS[:until]).state.awards
    row = next(hit_row(one, decimals=2) for one in waiting.values() if one.open)
    assert (row.verifier, row.signer, row.signer_role, row.signed, row.paid) == ("", "", "", "", "")
    assert (row.dealer, row.undone) == ("Dora", False)


def test_the_two_days_of_the_night_to_the_last_fraction() -> None:
    """557 chips of 1 on the first day, 72.5 % shown and 2.25 % hidden, up to the limit of 25,400; 8 on the second."""
    first, second = days(night().events, decimals=2)
    assert msgspec.to_builtins(first) == {
        "day": "2026-01-05",
        "opening": "25000",
        "wagers": 557,
        "wagered": "557",
        "contributed": "416.3575",  # 74.75 % of 557
        "reserve": "12.5325",  # 2.25 % of 557
        "overflow": "3.825",  # 25,000 and 72.5 % of 557, less the limit
        "seeded": "0",
        "adjusted": "0",
        "retired": "0",
        "paid": "2540",
        "won": "2540",
        "won_tray": "0",
        "hits": 1,  # a tenth of 25,400
        "refusals": 1,
        "closing": "22860",
        "identity": "0",
    }
    assert msgspec.to_builtins(second) == {
        "day": "2026-01-06",
        "opening": "22860",
        "wagers": 8,
        "wagered": "8",
        "contributed": "5.98",
        "reserve": "-12.42",  # 2.25 % of 8 fed, 12.60 whole coins used for the reset
        "seeded": "9987.40",  # the rest of 10,000
        "overflow": "0",
        "adjusted": "0",
        "retired": "0",
        "paid": "22862.17",
        "won": "22862.18",
        "won_tray": "0.01",
        "hits": 2,  # halves rounded up: a cent of the tray
        "refusals": 2,
        "closing": "10003.63",
        "identity": "0",
    }
    head, *rows = as_csv((first, second)).splitlines()
    assert head.split(",")[:4] == ["day", "opening", "wagers", "wagered"]
    assert [row.split(",")[:3] for row in rows] == [["2026-01-05", "25000", "557"], ["2026-01-06", "22860", "8"]]
    assert as_csv(()) == ""


def test_the_state_of_the_meter_after_the_night_for_machines() -> None:
    data = run_data(night())
    assert (data["phase"], data["currency"], data["display"], data["carried"]) == ("closed", "USD", "10003.63", "0")
    assert data["counters"] == {
        "wagers": 565,
        "wagered": "565",
        "base": "25000",
        "contributed": "422.3375",
        "seeded": "9987.40",
        "adjusted": "0",
        "value": "10003.63",
        "locked": "0",
        "owed": "0",
        "paid": "25402.17",
        "overflow": "3.825",
        "reserve": "0.1125",
        "retired": "0",
        "hits": 3,
        "won": "25402.18",
        "won_tray": "0.01",
    }
    quiet = {"running": False, "suspended": False, "without_jackpot": False}
    assert data["tables"] == {name: {**quiet, "wagers": fed} for name, fed in (("S1", 190), ("S2", 190), ("W1", 185))}
    wrong = next(n for n, one in enumerate(COMMANDS, start=1) if one.get("hand") == "royal_flush")
    unsaid = next(n for n, one in enumerate(COMMANDS, start=1) if one.get("reason") == "")
    refused = [(wrong, "WA-9d"), (unsaid - 1, "R17"), (unsaid, "R17")]
    assert [(one["line"], one["clause"]) for one in data["refused"]] == refused
    assert all("decides" not in one for one in data["refused"])
    assert (data["pending"], data["retired"], data["repeated"]) == ([], None, [])


def test_what_is_pending_while_a_round_runs_for_machines() -> None:
    until = next(n for n, one in enumerate(COMMANDS) if one["do"] == "sign" and one["table"] == "S1")
    data = run_data(night(COMMANDS[:until]))
    assert data["pending"] == [
        {"table": "S1", "seat": seat, "hand": "royal_flush", "amount": "11431.09"} for seat in (1, 5)
    ]
    assert [name for name, one in data["tables"].items() if one["running"]] == ["S1"]
    assert data["phase"] == "open"


def table_of(page: str, heading: str) -> list[tuple[str, str]]:
    part = page.split(f"<h2>{heading}</h2>")[1].split("</table>")[0]
    return re.findall(r"<th>(.*?)</th><td.*?>(.*?)</td>", part)


def page_of(played: Run, award: str) -> str:
    return win_page(played.books, played.state, next(one for one in played.state.hits if one.id == award))


def test_the_page_of_a_shared_royal_from_the_meter_to_the_signature() -> None:
    page = page_of(night(), "S1/1/1")
    assert table_of(page, "Payment") == [
        ("off the meter", "USD 11,431.08"),
        ("from the tray", "USD 0.01"),
        ("due to the player", "USD 11,431.09"),
    ]
    assert table_of(page, "How the amount came about") == [
        ("meter when last set or reset, 2026-01-05 23:00:05 UTC", "USD 25,000.00"),
        ("contributions since then", "USD 402.175"),  # 400 to the limit, and three chips of the round
        ("other awards since then", "USD -2,540.00"),
        ("value of the meter", "USD 22,862.175"),
        ("as displayed, in whole coins", "USD 22,862.17"),
        ("award for this hand", "100% of the meter, shared by 2"),
    ]
    assert table_of(page, "Persons and times") == [
        ("selected by the dealer", "Dora, 2026-01-06 00:10:15 UTC"),
        ("verified: win, light, cards", "Sam, 2026-01-06 00:10:35 UTC"),
        ("signed (executive)", "Eva, 2026-01-06 00:11:00 UTC"),
        ("page printed", "2026-01-06 00:11:15 UTC"),
        ("paid", "Dora, 2026-01-06 00:11:20 UTC"),
    ]
    assert 'class="sum"><th>due to the player' in page
    assert 'class="sum"><th>value of the meter' in page
    assert page.count('<td class="money">') == 9
    assert "paid 2026-01-06 00:11:20 UTC by Dora." in page


def test_the_page_of_the_other_half_says_what_the_reset_cost() -> None:
    page = page_of(night(), "S1/1/5")
    assert table_of(page, "Payment")[:2] == [("off the meter", "USD 11,431.09"), ("from the tray", "USD 0.00")]
    refilled = [row for row in table_of(page, "How the amount came about") if row[0].startswith("meter refilled")]
    assert refilled == [
        ("meter refilled by the house", "USD 9,987.40"),
        ("meter refilled from the reserve", "USD 12.60"),
    ]


@pytest.mark.parametrize(
    ("award", "cards"),
    [
        ("S1/1/1", [("black", rank, "♠") for rank in ("A", "K", "Q", "J", "10")]),
        ("S1/1/5", [("red", rank, "♥") for rank in ("A", "K", "Q", "J", "10")]),
        ("S2/1/2", [("red", rank, "♦") for rank in ("K", "J", "9", "5", "2")]),
        ("W1/1/3", [("black", rank, "♣") for rank in ("9", "8", "7", "6", "5")]),
    ],
)
def test_the_cards_of_a_page_have_their_colours(award: str, cards: list[tuple[str, str, str]]) -> None:
    assert re.findall(r'<li class="(\w+)">(\w+)<br>(.)</li>', page_of(night(), award)) == cards


def test_the_page_of_a_fixed_award_and_of_one_that_is_not_paid_yet() -> None:
    page = page_of(night(), "S2/1/2")
    assert table_of(page, "How the amount came about")[-1] == ("award for this hand", "a fixed amount")
    assert 'class="void"' in page
    assert "page printed" not in page
    until = next(n for n, one in enumerate(COMMANDS) if one["do"] == "pay" and one["table"] == "W1")
    signed = page_of(night(COMMANDS[:until]), "W1/1/3")
    assert "<strong>straight flush</strong>, not paid yet." in signed
    assert table_of(signed, "Persons and times")[-1] == ("paid", "-")
    assert 'class="void"' not in signed
    assert ("award for this hand", "10% of the meter") in table_of(signed, "How the amount came about")
