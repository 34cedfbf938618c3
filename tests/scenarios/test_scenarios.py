"""Every scenario sheet, one case each: what the books make of it is what the sheet says."""

import pytest

from aceking.scenarios.coverage import coverage
from aceking.scenarios.sheets import SheetCase, default_folder, judge_case, read_sheets

CASES = read_sheets(default_folder())


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_the_round_settles_as_the_sheet_says(case: SheetCase) -> None:
    assert not judge_case(case).problems


def test_all_508_clauses_are_accounted_for() -> None:
    found = coverage([])
    assert found.catalogue == 508
    assert not found.missing
    assert not found.unknown
