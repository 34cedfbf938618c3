"""`aceking verify`: a log held against the rules, offline."""

from pathlib import Path

import click


@click.command()
@click.argument("where", metavar="FILE|URL")
@click.option("--round", "round_id", metavar="TABLE/NUMBER", help="Say what was found for this round.")
@click.option("--day", metavar="DATE", help="Only up to the close of this gaming day, and its root.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def verify(where: str, round_id: str | None, day: str | None, as_json: bool) -> int:
    """Works a whole log out again: chain, shuffles, deals, settlement, money, and every act by the rules.

    Exit status 0 when everything holds, 1 with the first entry that does not.

    \b
    aceking verify aceking.db
    aceking verify postgresql://localhost/house --json
    """
    from aceking.commands.verifying import run

    return run(where if "://" in where else f"sqlite:///{Path(where)}", round_id, day, as_json=as_json)
