"""Every script of the table, one case each; and every clause that governs an act or a ruling is proved by one."""

import pytest

from aceking.rules.load import book_ids, load_book
from aceking.scenarios.coverage import coverage
from aceking.scenarios.scripts import ScriptCase, read_scripts, run_script
from aceking.scenarios.sheets import default_folder, read_sheets

SCRIPTS = read_scripts(default_folder() / "table")


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.title for script in SCRIPTS])
def test_the_table_does_what_the_script_says(script: ScriptCase) -> None:
    assert not run_script(script.raw, script.book).problems


def test_every_clause_that_governs_an_act_or_a_ruling_has_a_scenario() -> None:
    found = coverage(read_sheets(default_folder()), SCRIPTS)
    proven = {(one.book, one.clause) for one in found.clauses if one.passing and not one.failing}
    bare = [
        f"{name}: {clause.id}"
        for name in book_ids()
        for clause in load_book(name).clauses.values()
        if (clause.acts or clause.rulings) and (name, clause.id) not in proven
    ]
    assert not bare
