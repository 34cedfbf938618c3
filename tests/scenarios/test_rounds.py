"""Every script of the table, one case each. What they prove: tests/scenarios/test_what_clauses_change.py."""

import pytest

from aceking.scenarios.scripts import ScriptCase, read_scripts, run_script
from aceking.scenarios.sheets import default_folder

SCRIPTS = read_scripts(default_folder() / "table")


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.title for script in SCRIPTS])
def test_the_table_does_what_the_script_says(script: ScriptCase) -> None:
    assert not run_script(script.raw, script.book, strict=True).problems
