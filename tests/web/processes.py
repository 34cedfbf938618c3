"""Who is whose child, who has which connection and who has what open: read from /proc."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

#: Processes are looked at by what Linux tells of them.
LINUX = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")


def children(process: int) -> list[int]:
    """Its children, in the order in which they began."""
    found = Path(f"/proc/{process}/task/{process}/children")
    return [int(one) for one in found.read_text(encoding="ascii").split()] if found.exists() else []


def is_gone(process: int) -> bool:
    """Whether it does not run any more; nobody may have asked how it ended."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return True
    return told.rpartition(")")[2].split()[0] in "ZX"


def at_work_in(folder: Path) -> list[int]:
    """Those that have a file of this folder open, or were started with its name: others' files are hidden."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            named = str(folder) in (one / "cmdline").read_text(encoding="utf-8", errors="replace")
            opened = named or any(Path(place).is_relative_to(folder) for place in _open_in(int(one.name)))
        except (FileNotFoundError, PermissionError, ProcessLookupError):  # or it has ended meanwhile
            continue
        if opened:
            found.append(int(one.name))
    return found


def who_serves(port: int, client: int, processes: list[int]) -> list[int]:
    """Those of them that have the server's end of a connection, by the ports of both ends."""
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        fields = line.split()
        here, there = (int(fields[place].rpartition(":")[2], 16) for place in (1, 2))
        if (here, there) == (port, client):
            return [one for one in processes if f"socket:[{fields[9]}]" in _open_in(one)]
    return []


def _open_in(process: int) -> set[str]:
    found = set()
    for one in Path(f"/proc/{process}/fd").iterdir():
        try:
            found.add(os.readlink(one))
        except FileNotFoundError:
            continue
    return found


def wait_until(true: Callable[[], bool], told: Callable[[], str], seconds: float = 300) -> None:
    """Wait until `true()` is True; fail with `told()` after `seconds`."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, told()
        time.sleep(0.02)
