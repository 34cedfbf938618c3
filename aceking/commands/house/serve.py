"""`aceking serve`: the house."""

import asyncio
from pathlib import Path

import click


@click.command()
@click.option(
    "--demo", is_flag=True, default=None, help="Where there is no house, one with six open tables and robots."
)
@click.option("--db", metavar="URL", help="sqlite:///PATH or postgresql://USER@HOST/DATABASE.")
@click.option("--listen", metavar="HOST:PORT", help="Where to listen (127.0.0.1:8000; port 0 is any that is free).")
@click.option("--workers", type=int, help="Processes that serve, of this machine (1).")
@click.option(
    "--settings", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A TOML file with settings."
)
def serve(demo: bool | None, db: str | None, listen: str | None, workers: int | None, settings: Path | None) -> int:
    """Runs the house: tables, people, meters and the API, until Ctrl-C.

    Settings come from the file, then from the environment (ACEKING_DB, ACEKING_LISTEN …), then from this line.

    \b
    aceking serve --demo
    aceking serve --workers 2
    aceking serve --db postgresql://localhost/house --listen 0.0.0.0:8000
    """
    from aceking.house.settings import SettingsError, read_settings
    from aceking.web.serving import ENDS, set_up_logs
    from aceking.web.serving import serve as run
    from aceking.web.workers import Workers

    try:
        read = read_settings(settings, demo=demo, db=db, listen=listen, workers=workers)
        set_up_logs(read)
        if read.workers > 1:
            return Workers(read, click.echo).run()
        asyncio.run(run(read, click.echo))
    except (SettingsError, *ENDS) as wrong:
        raise click.ClickException(str(wrong)) from None
    except KeyboardInterrupt:
        return 0
    return 0
