"""A real Chromium: where it is, and what to say where there is none."""

import os
import shutil
import sys

MISSING = (
    "the pages are tested in a real Chromium, and there is none here: install Debian's package `chromium`, "
    "or name one in the variable CHROMIUM"
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Return the path of Chromium, or None if it is not installed."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for name in _NAMES if (found := shutil.which(name))), None)


def flags() -> list[str]:
    """As root, as in a container, Chromium needs to be told to run without its own sandbox."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


if __name__ == "__main__":
    if chromium() is None:
        sys.exit(MISSING)
