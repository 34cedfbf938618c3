"""`aceking serve`: run the server of a house."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from aceking.house.chance import Chance
    from aceking.house.settings import Settings


@click.command()
@click.option(
    "--demo", is_flag=True, default=None, help="Create a demo house with six open tables and robots if there is none."
)
@click.option("--db", metavar="URL", help="sqlite:///PATH or postgresql://USER@HOST/DATABASE.")
@click.option("--listen", metavar="HOST:PORT", help="The address to listen at (127.0.0.1:8000; port 0: any free one).")
@click.option("--workers", type=int, help="Number of server processes (1).")
@click.option(
    "--settings", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A TOML file with settings."
)
def serve(demo: bool | None, db: str | None, listen: str | None, workers: int | None, settings: Path | None) -> int:
    """Run a house until Ctrl-C: tables, people, meters, pages and the API.

    Options override the environment (ACEKING_DB, ACEKING_LISTEN …), which overrides the settings file.

    \b
    aceking serve --demo
    aceking serve --workers 2
    aceking serve --db postgresql://localhost/house --listen 0.0.0.0:8000
    """
    from aceking.house.settings import SettingsError, read_settings

    try:
        read = read_settings(settings, demo=demo, db=db, listen=listen, workers=workers)
    except SettingsError as wrong:
        raise click.ClickException(str(wrong)) from None
    return run(read)


def run(settings: "Settings", *, draw: "Chance" = os.urandom) -> int:
    """Serve until a signal ends the server. Return the exit status.

    Raises ClickException if there is nothing to serve.
    """
    from aceking.web.serving import ENDS, serve, set_up_logs
    from aceking.web.workers import Workers

    set_up_logs(settings)
    try:
        if settings.workers > 1:
            return Workers(settings, click.echo, draw=draw).run()
        asyncio.run(serve(settings, click.echo, draw=draw))
    except ENDS as wrong:
        raise click.ClickException(str(wrong)) from None
    except KeyboardInterrupt:
        return 0
    return 0
