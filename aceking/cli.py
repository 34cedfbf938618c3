"""The command line. Each command imports what it needs when it runs, so that help answers at once."""

import sys

import click

from aceking.commands.ask import ask
from aceking.commands.books import books
from aceking.commands.compare import compare
from aceking.commands.figures import COMMANDS as FIGURES
from aceking.commands.meter import meter
from aceking.commands.play import play
from aceking.commands.round import round_command
from aceking.commands.settle import settle
from aceking.commands.simulate import seeing, simulate


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="aceking")
def cli() -> None:
    """The casino stud poker family, from the written rule books of real houses.

    \b
    aceking play rws                                       sit down at a table
    aceking compare examples/royal-flush.json              one deal under every book
    aceking settle examples/jackpot-rws.json               who is owed what, by which clause
    aceking books show rws                                 a rule book, rule by rule
    aceking edge section10 --pays full_house=8             what a book costs, exactly
    aceking value exchange --cards "Ks Js 9s 5s 4d" --up 7c    what each decision is worth
    aceking sheet rws --out sheets                         the figures as a document
    aceking simulate rws --rounds 10000000                 whole rounds, by the million
    aceking ask ruin rws --bankroll 50                     nights, hold, ruin and meters
    """


for command in (play, settle, compare, round_command, books, *FIGURES, simulate, seeing, ask, meter):
    cli.add_command(command)


def main() -> None:
    """Runs a command. Exit status: 0 done, 1 the answer is no, 2 the input is wrong."""
    try:
        status = cli(standalone_mode=False)
    except click.ClickException as wrong:
        click.echo(f"aceking: {wrong.format_message()}", err=True)
        sys.exit(2)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone, as with `| head`; there is nobody left to tell.
        sys.stderr.close()
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)
