"""What axe-core says of a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def axe(page: Page) -> list[str]:
    """Its violations, each with where it is."""
    page.evaluate(_AXE)
    found: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:4]}" for one in found["violations"]
    ]
