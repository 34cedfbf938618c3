"""`python -m mutants`: run a sample of small changes to books and code, and list those that no test notices."""

import argparse
import contextlib
import json
import math
import os
import random
import re
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from mutants.mutant import Equivalent, Mutant, equivalents, excused

PACKAGES = ("settlement", "table", "meter")
#: The control, a change of nothing, which no test may notice.
UNCHANGED = Mutant("no change", "aceking/__init__.py", 1, "", "", "none", -1)
_SECONDS_MAX = 240  # for one mutant; an endless loop is noticed by its timeout


@dataclass(slots=True)
class Tally:
    """The results so far."""

    noticed: dict[str, str] = field(default_factory=dict)  # id: by whom
    survivors: list[Mutant] = field(default_factory=list)
    excused: list[Mutant] = field(default_factory=list)
    parts: Counter[tuple[str, bool]] = field(default_factory=Counter)

    def note(self, mutant: Mutant, by: str | None, known: list[Equivalent]) -> None:
        if mutant is UNCHANGED:
            if by is not None:
                raise SystemExit(f"without any change: {by}; mend that first")
            return
        if by is None and excused(mutant, known):
            self.excused.append(mutant)
            return
        self.parts[mutant.part, by is not None] += 1
        if mutant.file.endswith(".toml"):
            self.parts[Path(mutant.file).name, by is not None] += 1
        if by is None:
            self.survivors.append(mutant)
            _say(f"survives {mutant.id}")
        else:
            self.noticed[mutant.id] = by

    @property
    def share(self) -> float:
        return len(self.noticed) / max(1, len(self.noticed) + len(self.survivors))


Notice = Callable[[Mutant], str | None]


@dataclass(slots=True)
class _Child:
    mutant: Mutant
    pid: int
    pipe: int
    began: float
    text: bytes = b""


def _fork(mutant: Mutant, notice: Notice) -> _Child:
    """Fork a child that reports through a pipe who noticed the change, and ends."""
    out, into = os.pipe()
    pid = os.fork()
    if pid:
        os.close(into)
        return _Child(mutant, pid, out, time.monotonic())
    os.setsid()
    os.close(out)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        by = notice(mutant)
    except BaseException as failed:  # a child must never continue as a second coordinator
        by = f"{type(failed).__name__}: {failed}"[:200]
    os.write(into, json.dumps([by]).encode()[:4000])
    os._exit(0)


def _gather(children: list[_Child], tally: Tally, known: list[Equivalent]) -> None:
    """Wait until a child reports or has taken too long."""
    ready, _, _ = select.select([one.pipe for one in children], [], [], 1.0)
    for child in [*children]:
        # Running all tests against the unchanged program takes long on a busy machine.
        late = child.mutant is not UNCHANGED and time.monotonic() - child.began > _SECONDS_MAX
        if child.pipe in ready:
            text = os.read(child.pipe, 65536)
            child.text += text
            if text:
                continue
        elif not late:
            continue
        if late:
            _kill(child)
        os.waitpid(child.pid, 0)
        os.close(child.pipe)
        children.remove(child)
        by = json.loads(child.text)[0] if child.text else "it took too long" if late else "the tests crashed"
        tally.note(child.mutant, by, known)


def _kill(child: _Child) -> None:
    """Kill a child and the processes that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def _run(
    mutants: list[Mutant],
    notice: Notice,
    *,
    jobs: int,
    seconds: float,
    known: list[Equivalent],
    keep: Callable[[Tally], None],
    control: bool = True,
) -> Tally:
    tally, children, ends = Tally(), list[_Child](), time.monotonic() + seconds
    waiting, told = [*reversed(mutants), *([UNCHANGED] if control else [])], time.monotonic()
    try:
        while children or (waiting and time.monotonic() < ends):
            while waiting and len(children) < jobs and time.monotonic() < ends:
                children.append(_fork(waiting.pop(), notice))
            _gather(children, tally, known)
            done = len(tally.noticed) + len(tally.survivors) + len(tally.excused)
            left = f", {max(0, int(ends - time.monotonic()))} s left  " if ends < math.inf else ""
            if sys.stdout.isatty() or time.monotonic() > told + 30:
                told = time.monotonic()
                line = f"{done} of {len(mutants)} tried, {tally.share:.1%} noticed, {len(tally.survivors)} survive"
                keep(tally)
                _say(f"{line}{left}", end="\r" if sys.stdout.isatty() else "\n")
    finally:
        for child in children:
            _kill(child)
    return tally


def _say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


def _code(packages: list[str], wanted: re.Pattern[str], *, near: bool, everybody: bool) -> tuple[list[Mutant], Notice]:
    from mutants.code import changed_tree, code_mutants
    from mutants.reach import reach
    from mutants.watch import notice_code, preload_below

    if not {"cards", "rules", "money"} & set(packages):
        preload_below()
    found = [one for package in packages for one in code_mutants(package) if wanted.search(one.id)]
    known = None if near else reach()
    return found, lambda mutant: notice_code(mutant, changed_tree(mutant), known, chosen=not everybody)


def _books(wanted: re.Pattern[str], *, near: bool) -> tuple[list[Mutant], Notice]:
    from mutants.books import book_mutants, change
    from mutants.watch import notice_book, script_cases, sheet_cases

    sheet_cases()
    script_cases()
    return [one for one in book_mutants() if wanted.search(one.id)], lambda mutant: notice_book(
        mutant, change, near_only=near
    )


def _again(by: str, notice: Notice) -> Notice:
    from mutants.watch import asked_again

    return lambda mutant: asked_again(by, lambda: notice(mutant))


def _report(what: str, tally: Tally) -> None:
    tried = len(tally.noticed) + len(tally.survivors)
    excused_too = f", {len(tally.excused)} known to make no difference" if tally.excused else ""
    _say(f"{what}: {len(tally.noticed)} of {tried} noticed ({tally.share:.1%}){excused_too}")
    for part in sorted({part for part, _ in tally.parts}):
        seen, missed = tally.parts[part, True], tally.parts[part, False]
        _say(f"  {part:25} {seen} of {seen + missed} ({seen / (seen + missed):.1%})")
    for one in sorted(tally.survivors, key=lambda one: (one.file, one.line)):
        _say(f"  survives {one.file}:{one.line}  {one.old}  ->  {one.new}\n           id: {one.id}")


def _told(seed: int, tallies: list[Tally]) -> dict[str, Any]:
    """Return the result of each mutant, for a file."""
    told: dict[str, Any] = {"seed": seed, "noticed": {}, "survivors": [], "equivalent": []}
    for tally in tallies:
        told["noticed"] |= tally.noticed
        told["survivors"] += [one.id for one in tally.survivors]
        told["equivalent"] += [one.id for one in tally.excused]
    return told


def _preload() -> None:
    """Import what every child needs, except the program, which each child imports with its change."""
    for name in ("hypothesis.stateful", "msgspec", "numpy", "pytest", "rich.console", "rich.table"):
        import_module(name)


def main() -> int:
    """Sample, run and report. The exit status is 1 if fewer than nine in ten are noticed."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long to go on sampling (10)")
    parser.add_argument("--seed", type=int, help="of the sample; printed, so that a run can be repeated")
    parser.add_argument("--books", action="store_true", help="only the books")
    parser.add_argument("--code", nargs="*", metavar="PACKAGE", help=f"only code: {', '.join(PACKAGES)}")
    parser.add_argument("--only", default="", metavar="PATTERN", help="only mutants whose id has this pattern")
    parser.add_argument("--id", help="one mutant by its id, and who notices it")
    parser.add_argument("--near", action="store_true", help="a quick look: ask only those who are likeliest to notice")
    parser.add_argument("--everybody", action="store_true", help="ask also those who do not reach the changed line")
    parser.add_argument("--all", action="store_true", help="all of them in order, however long it takes")
    parser.add_argument("--but", type=Path, help="not those that are on this earlier report")
    parser.add_argument("--again", type=Path, help="only the survivors of this earlier report")
    parser.add_argument("--most", type=int, help="at most N of books and of code")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--report", type=Path, help="also write what came of each mutant to this file, as JSON")
    asked = parser.parse_args()
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)
    wanted = re.compile(f"^{re.escape(asked.id)}$" if asked.id else asked.only)
    _say(f"seed {seed}")
    _preload()
    known = equivalents()
    halves: list[tuple[str, Callable[[], tuple[list[Mutant], Notice]]]] = []
    if not asked.books or asked.code is not None:
        # Code first: books import the program in this process, and changed code must be imported fresh.
        halves.append(
            ("code", lambda: _code(asked.code or list(PACKAGES), wanted, near=asked.near, everybody=asked.everybody))
        )
    if asked.books or asked.code is None:
        halves.append(("books", lambda: _books(wanted, near=asked.near)))
    tallies: list[Tally] = []

    def keep(*last: Tally) -> None:
        if asked.report:
            asked.report.write_text(json.dumps(_told(seed, [*tallies, *last]), indent=1), encoding="utf-8")

    for what, make in halves:
        mutants, notice = make()
        if asked.again:
            again = set(json.loads(asked.again.read_text(encoding="utf-8"))["survivors"])
            mutants = [one for one in mutants if one.id in again]
        if asked.but:
            before = json.loads(asked.but.read_text(encoding="utf-8"))
            tried = {*before["noticed"], *before["survivors"], *before["equivalent"]}
            mutants = [one for one in mutants if one.id not in tried]
        if not asked.all:
            random.Random(f"{seed} {what}").shuffle(mutants)
        _say(f"{what}: {len(mutants)} mutants")
        seconds = math.inf if asked.all else asked.minutes * 60 / len(halves)
        how: dict[str, Any] = {"jobs": asked.jobs, "seconds": seconds, "known": known, "keep": keep}
        # For one mutant, only the test that noticed must pass on the unchanged program; for a sample, all tests.
        tally = _run(mutants[: asked.most], notice, **how, control=not asked.id)
        if asked.id:
            for by in tally.noticed.values():
                _run([], _again(by, notice), **how)
        _report(what, tally)
        tallies.append(tally)
        if asked.id:
            _say("\n".join(f"noticed by {by}" for by in tally.noticed.values()))
    keep()
    return 0 if all(tally.share >= 0.9 for tally in tallies) else 1


if __name__ == "__main__":
    sys.exit(main())
