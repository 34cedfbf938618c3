"""Every scenario sheet, one case each: what the books make of it is what the sheet says."""

import pytest

from aceking.rules.load import book_ids, load_book
from aceking.scenarios.coverage import coverage
from aceking.scenarios.sheets import Case, default_folder, judge_case, read_sheets

CASES = read_sheets(default_folder())

#: Rules that settlement does not read: they wait for the table, and their scenarios come with it.
LATER = {
    *("ante.top_up", "bet.blind", "bet.cap_on_layout", "bet.pays_shown", "dealer.turn_unqualified"),
    *("dealer.hole_card_window", "exchange.price_on_player_void", "exchange.cards", "table.seated_only"),
    *("table.hands_seen", "table.games_per_player", "table.games_are", "table.games_notice", "table.layout"),
    *("table.one_version", "progressive.light", "progressive.coupons", "progressive.across_tables"),
    *("progressive.rate_min", "progressive.seed", "progressive.increment", "progressive.void_feed"),
    *("progressive.signatures", "progressive.executive_from", "progressive.tables_meanwhile"),
    *("progressive.fault_later", "progressive.reset"),
}
SETTLED_STEPS = {
    *("hands", "table", "ante", "bet", "fold", "exchange", "dealer", "paytable", "instant", "bonus", "progressive"),
}


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_the_round_settles_as_the_sheet_says(case: Case) -> None:
    assert not judge_case(case).problems


def test_every_clause_that_sets_a_settled_rule_has_a_scenario() -> None:
    found = coverage(CASES)
    proven = {(one.book, one.clause) for one in found.clauses if one.passing}
    bare = [
        f"{name}: {clause.id}"
        for name in book_ids()
        for clause in load_book(name).clauses.values()
        if any(key.split(".")[0] in SETTLED_STEPS and key not in LATER for key in clause.sets)
        and (name, clause.id) not in proven
    ]
    assert not bare


def test_all_508_clauses_are_accounted_for() -> None:
    found = coverage([])
    assert found.catalogue == 508
    assert not found.missing
    assert not found.unknown
