"""What axe-core says of a page, and pictures of it."""

from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

#: Where pictures of the pages go; git does not look there.
PICTURES = Path(__file__).parents[2] / "build" / "pictures"
_AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
#: In the dark only colours are looked at, for everything else is the same.
_THEMES: dict[Literal["light", "dark"], tuple[str, ...]] = {
    "light": (),
    "dark": ("color-contrast", "link-in-text-block"),
}


def axe(page: Page, *rules: str) -> list[str]:
    """Its violations, each with where it is; of these rules alone, or of all."""
    page.evaluate(_AXE)
    asked: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found: dict[str, Any] = page.evaluate("(asked) => axe.run(document, asked)", asked)
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']][:4]}" for one in found["violations"]
    ]


def in_both_themes(page: Page, name: str, size: str, *, full_page: bool = False) -> list[str]:
    """A picture of the page by day and by night, and what axe says of both."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    found = []
    for theme, rules in _THEMES.items():
        page.emulate_media(color_scheme=theme)
        page.wait_for_timeout(150)
        page.screenshot(path=PICTURES / f"{name}-{theme}-{size}.png", full_page=full_page)
        found += [f"{name}, {theme}: {one}" for one in axe(page, *rules)]
    page.emulate_media(color_scheme="light")
    return found
