"""Six thousand random rounds: the program against a second reading of the documents."""

import json
import random
from fractions import Fraction
from typing import Any

import pytest

from aceking.settlement.scenario_json import result_data, scenario_from_data, settle_in
from tests.settlement.independent import expected
from tests.settlement.random_rounds import random_scenario

BLOCKS = 12
ROUNDS_PER_BLOCK = 500


def program(scenario: dict[str, Any]) -> dict[str, Any]:
    """What the program says, in the form of `expected`."""
    result: dict[str, Any] = result_data(None, settle_in(scenario_from_data(scenario)))
    for answer in ("refused", "unregulated"):
        if answer in result:
            return {answer: True}
    awards: dict[int, Fraction] = {}
    meter = result.get("meter") or {"awards": [], "after": None}
    for award in meter["awards"]:
        awards[award["seat"]] = awards.get(award["seat"], Fraction(0)) + Fraction(award["amount"])
    return {
        "nets": {seat["seat"]: Fraction(seat["net"]) for seat in result["seats"]},
        "awards": awards,
        "meter_after": None if meter["after"] is None else Fraction(meter["after"]),
    }


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_program_and_a_second_reading_of_the_documents_agree(block: int) -> None:
    rng = random.Random(f"second reading {block}")
    for _ in range(ROUNDS_PER_BLOCK):
        scenario = random_scenario(rng)
        assert program(scenario) == expected(scenario), json.dumps(scenario)
