"""What axe-core says of a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


#: What depends on nothing but colours: the rest is the same in the dark.
COLOURS = ("color-contrast", "link-in-text-block")


def axe(page: Page, *rules: str) -> list[str]:
    """Its violations, each with where it is; of these rules alone, or of all."""
    page.evaluate(_AXE)
    asked: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found: dict[str, Any] = page.evaluate("(asked) => axe.run(document, asked)", asked)
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:4]}" for one in found["violations"]
    ]
