"""Every link of the documents leads to a page, picture or heading of the repository."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import ALL, DOCS, ROOT, name, prose, text, without_spans

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_REGISTRIES = re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.com|crates\.io")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as a forge makes them."""
    found: set[str] = set()
    for _, line in prose(page):
        if heading := re.match(r"#+ (.+)$", line):
            words = re.sub(r"[^\w\- ]", "", heading[1].lower().replace("`", "")).replace(" ", "-")
            number = next(n for n in range(100) if (words if n == 0 else f"{words}-{n}") not in found)
            found.add(words if number == 0 else f"{words}-{number}")
    return found


@pytest.mark.parametrize("page", ALL, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    wrong = []
    for number, line in prose(page):
        for target in _LINK.findall(without_spans(line)):
            if re.match(r"https?://|mailto:", target):
                continue
            file, _, anchor = target.partition("#")
            leads_to = (page.parent / file).resolve() if file else page
            if not leads_to.is_relative_to(ROOT) or not leads_to.exists():
                wrong.append(f"{name(page)}:{number}: {target} leads nowhere in the repository")
            elif anchor and anchor not in anchors(leads_to):
                wrong.append(f"{name(page)}:{number}: {name(leads_to)} has no heading #{anchor}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", ALL, ids=name)
def test_no_page_has_the_address_of_a_registry(page: Path) -> None:
    assert not _REGISTRIES.search(text(page))


def test_every_page_can_be_reached_from_the_index() -> None:
    seen, waiting = set(), [ROOT / "README.md", ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or not page.exists():
            continue
        seen.add(page)
        targets = [target.partition("#")[0] for _, line in prose(page) for target in _LINK.findall(line)]
        waiting += [(page.parent / target).resolve() for target in targets if target.endswith(".md")]
    older = {DOCS / "measured", DOCS / "decisions"}  # a newer page takes the place of some of these
    assert not [name(page) for page in ALL if page not in seen and page.parent not in older]


def test_readme_says_how_to_install_what_there_is() -> None:
    """Before the first release there is nothing to fetch: a clone is installed."""
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    released = any(re.fullmatch(r"v?\d+\.\d+\.\d+", tag) for tag in tags)
    assert ("pip install aceking" if released else "pip install .") in text(ROOT / "README.md")
