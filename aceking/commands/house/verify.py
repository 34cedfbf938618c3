"""`aceking verify`: check a log against the rules, offline."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from aceking.house.record import Unit
    from aceking.house.store.protocol import Store
    from aceking.house.verify import Verifier


@click.command()
@click.argument("where", metavar="FILE|URL")
@click.option("--round", "one_round", metavar="TABLE/NUMBER", help="Also print what the log has of this round.")
@click.option("--day", metavar="DATE", help="Check only up to the close of this gaming day.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def verify(where: str, one_round: str | None, day: str | None, as_json: bool) -> int:
    """Verify a whole log: hash chain, shuffles, deals, settlement, money, and every act by the rules.

    It needs no server, and can run beside one. Exit status 0 if everything is correct, 1 with the first entry that is
    not.

    \b
    aceking verify aceking.db
    aceking verify aceking.db --round section10/12
    aceking verify postgresql://localhost/house --day 2026-11-15 --json
    """
    from aceking.house.store.errors import CannotOpen, Damaged, StoreFailed
    from aceking.house.store.open import open_store
    from aceking.house.verify import Wrong

    if "://" not in where and not Path(where).is_file():
        raise click.ClickException(f"{where}: there is no such file")
    try:
        store = open_store(where if "://" in where else f"sqlite:///{Path(where)}", only_read=True)
    except CannotOpen as wrong:
        raise click.ClickException(str(wrong)) from None
    except Damaged as damaged:
        return _report_wrong(damaged.seq, damaged.what, as_json=as_json)
    try:
        verifier = _verified(store, day)
        shown = {} if one_round is None else _round(store, verifier, one_round)
    except (Wrong, Damaged) as wrong:
        return _report_wrong(wrong.seq, wrong.what, as_json=as_json)
    except StoreFailed as wrong:
        raise click.ClickException("".join(one for one in str(wrong) if one.isprintable())[:300]) from None
    finally:
        store.close()
    return _report(verifier, shown, as_json=as_json)


def _verified(store: "Store", day: str | None) -> "Verifier":
    from aceking.house.store.check import check
    from aceking.house.verify import verify as verify_log

    check(store)
    last = store.last()[0] if day is None else _end_of(store, day)

    def log() -> "Iterator[tuple[int, Unit]]":
        from aceking.house.record import read_unit

        return ((entry.seq, read_unit(entry.body)) for entry in store.log(0, last))

    def hash_of(seq: int) -> str:
        return next(store.log(seq - 1, seq)).hash.hex()

    if not sys.stderr.isatty():
        return verify_log(log, hash_of=hash_of)
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("verifying", total=last)
        return verify_log(log, lambda seq: bar.update(task, completed=seq), hash_of)


def _end_of(store: "Store", day: str) -> int:
    """Return the entry with the signature of a gaming day. Raises ClickException if there is none."""
    from aceking.house.floor.codec import read_events
    from aceking.house.floor.events import DaySigned
    from aceking.house.record import read_unit

    for entry in store.stream("house"):
        for event in read_events(read_unit(entry.body)).get("house", ()):
            if isinstance(event, DaySigned) and event.day == day:
                return entry.seq
    raise click.ClickException(f"the gaming day {day} is not closed in this log")


def _round(store: "Store", verifier: "Verifier", named: str) -> dict[str, Any]:
    """Return the entries of one round, and what its cards can be checked with."""
    from aceking.house.views.table_history import recall

    table, _, number = named.rpartition("/")
    if table not in verifier.floor.tables or not number.isdecimal():
        known = ", ".join(sorted(verifier.floor.tables))
        raise click.ClickException(f"{named}: a round is TABLE/NUMBER, e.g. section10/12; the tables are {known}")
    head = verifier.floor.versions[f"table/{table}"]
    for past in recall(store, table, head=head, last=1, before=int(number) + 1):
        if past.round == int(number):
            data = {"round": named, "entries": [past.first, past.last], "events": len(past.events)}
            return data | {"commitment": past.commitment, "seed": past.seed, "words": past.words}
    raise click.ClickException(f"{named}: the log has no such finished round")


def _report_wrong(seq: int, what: str, *, as_json: bool) -> int:
    if as_json:
        import json

        click.echo(json.dumps({"holds": False, "entry": seq, "what": what}))
    else:
        click.echo(f"It does not hold. Entry {seq}: {what}")
    return 1


def _number(count: int, noun: str, plural: str = "") -> str:
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def _report(verifier: "Verifier", shown: dict[str, Any], *, as_json: bool) -> int:
    import json

    import msgspec

    seen = msgspec.to_builtins(verifier.seen)
    if as_json:
        click.echo(json.dumps({"holds": True, **seen, **shown}))
        return 0
    click.echo(
        f"Everything holds: {_number(seen['entries'], 'entry', 'entries')} with {_number(seen['events'], 'event')}, "
        f"{_number(seen['rounds'], 'round')}, {_number(seen['shuffles'], 'shuffle')} shown and dealt as committed, "
        f"{_number(seen['settled'], 'settlement')}."
    )
    if seen["triggers"]:
        triggers = _number(seen["triggers"], "trigger")
        click.echo(f"{triggers} of must-hit-by meters shown, each as committed, each hit at its wager.")
    click.echo(f"{_number(seen['decided'], 'entry', 'entries')} decided again, each with the same result.")
    if seen["sealed"]:
        later = _number(seen["sealed"], "entry is", "entries are")
        its = "its" if seen["sealed"] == 1 else "their"
        when = "before the round is over or the trigger is reached"
        click.echo(f"{later} decided again later: {its} seed is not shown {when}.")
    if seen["older"]:
        older = _number(seen["older"], "entry was", "entries were")
        click.echo(f"{older} decided by another version of the program and not decided again.")
    for key, value in shown.items():
        click.echo(f"{key}: {value}")
    return 0
