"""The tree holds to its own rules: no house in the code, small modules, nothing of one machine."""

import re
import subprocess
from pathlib import Path

from aceking.rules.reading.load import book_ids

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "aceking").rglob("*.py"))


def test_no_book_is_named_in_the_code() -> None:
    houses = "|".join(book_ids())
    named = re.compile(rf"""book(?:\.id|_id|\.book)?\s*(?:==|!=|in)\s*\(?["'](?:{houses})""")
    assert not [file.name for file in MODULES if named.search(file.read_text(encoding="utf-8"))]


def test_no_module_outgrows_500_lines() -> None:
    assert not [file.name for file in MODULES if len(file.read_text(encoding="utf-8").splitlines()) > 500]


def test_there_is_no_drawer_for_odds_and_ends() -> None:
    assert not [file for file in MODULES if file.stem in ("utils", "util", "common", "helpers", "manager", "misc")]


def test_no_path_of_a_machine_no_mark_of_a_merge_and_no_address_in_a_lock() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    machine = re.compile(r"(^|[^A-Za-z0-9_.])/(work|root|home/[a-z]+)/")
    for name in tracked:
        file = ROOT / name
        if file.suffix in (".py", ".toml", ".md", ".lock", ".json", "") and file.is_file() and file != Path(__file__):
            text = file.read_text(encoding="utf-8", errors="ignore")
            assert not machine.search(text), name
            assert not re.search(r"^(<{7}|>{7}) ", text, re.MULTILINE), f"{name}: the mark of a merge"
            if file.suffix == ".lock":
                assert "://" not in text, name
