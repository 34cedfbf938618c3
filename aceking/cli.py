"""The command line. Each command imports what it needs when it runs, so that help is quick."""

import os
import sys
from collections.abc import Mapping, Sequence

import click

import aceking
from aceking.commands.output.groups import Group
from aceking.commands.output.streams import OutputError, prepare, reason

#: The exit status for a fault of the program itself.
FAULT = 3


#: Module and name of each command, in the order of the help.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "play": ("play", "play"),
    "replay": ("replay", "replay"),
    "settle": ("settle", "settle"),
    "compare": ("compare", "compare"),
    "round": ("round", "round_command"),
    "books": ("books", "books"),
    "edge": ("figures", "edge"),
    "value": ("figures", "value"),
    "strategy": ("figures", "strategy"),
    "sheet": ("figures", "sheet"),
    "simulate": ("simulate", "simulate"),
    "seeing": ("simulate", "seeing"),
    "ask": ("ask", "ask"),
    "meter": ("meter", "meter"),
    "serve": ("house.serve", "serve"),
    "house": ("house.house", "house"),
    "verify": ("house.verify", "verify"),
    "reference": ("reference", "reference"),
    "examples": ("examples", "examples"),
}


class Commands(Group):
    """A group that imports the module of a command when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in self.commands if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            from importlib import import_module

            module, name = COMMANDS[cmd_name]
            command: click.Command = getattr(import_module(f"aceking.commands.{module}"), name)
            self.add_command(command, cmd_name)
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(aceking.__version__, prog_name="aceking")
@click.pass_context
def cli(context: click.Context) -> None:
    """The casino stud poker family, from the written rule books of real houses.

    \b
    aceking play rws                            sit down at a table, with a coach
    aceking replay                              your past sessions, round by round
    aceking compare examples/royal-flush.json   one deal under every book
    aceking settle examples/jackpot-rws.json    who is owed what, by which clause
    aceking books show rws                      a rule book, rule by rule
    aceking edge section10 --pays full_house=8  what a book costs, exactly
    aceking value colorado-required --cards "Kd 4s 4d"  what a decision is worth
    aceking sheet rws --out sheets              the figures as a document
    aceking simulate rws --rounds 10000000      whole rounds, by the million
    aceking ask ruin rws --bankroll 50          nights, hold, ruin and meters
    aceking examples                            the files of these examples
    aceking reference                           every key that a file may have

    Completion in the shell: eval "$(_ACEKING_COMPLETE=bash_source aceking)", or zsh_source, fish_source.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run a command. Exit status: 0 done, 1 the answer is no, 2 the input is wrong, 3 the program has a fault."""
    prepare()
    if "_ACEKING_COMPLETE" in os.environ:
        cli.main(prog_name="aceking")  # called by the completion of the shell
    try:
        status = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        status = 0
        _discard_output()
    except (OSError, OutputError) as failed:
        file = getattr(failed, "filename", None)
        status = _wrong(f"{file or 'standard output'}: {reason(failed)}")
        if file is None:
            _discard_output()
    sys.exit(status)


def _run(words: Sequence[str]) -> int:
    """Return the exit status of a command. Wrong input is reported in one line."""
    try:
        with cli.make_context("aceking", list(words)) as context:
            status = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as bare:
        click.echo(bare.ctx.get_help() if bare.ctx else "")
        return 0
    except click.ClickException as wrong:
        return _wrong(wrong.format_message())
    except (click.Abort, KeyboardInterrupt, EOFError):
        return 130
    except (OSError, OutputError):
        raise
    except SystemExit as left:
        # rich exits by itself when the reader has closed the pipe.
        return 0 if left.code == 1 else int(left.code or 0)
    except UnicodeDecodeError as broken:
        return _wrong(f"the input is not UTF-8 text: {broken.reason} at byte {broken.start}")
    except (MemoryError, RecursionError):
        return _wrong("the input is too large or nested too deeply for the memory of the program")
    except Exception as fault:
        if os.environ.get("ACEKING_TRACEBACK"):
            raise
        if isinstance(fault, UnicodeEncodeError) and fault.reason == "surrogates not allowed":
            return _wrong("an argument or a setting is not UTF-8 text")
        summary = f"{type(fault).__name__}: {fault}".splitlines()[0]
        _wrong(f"a fault of the program, not of its input: {summary} (ACEKING_TRACEBACK=1 shows where)")
        return FAULT
    return status if isinstance(status, int) else 0


def _wrong(sentence: str) -> int:
    lines = [" ".join(line.split()) for line in sentence.split("\n  ")]  # a list of errors has one line for each
    click.echo("aceking: " + "\n  ".join(lines), err=True)
    return 2


def _discard_output() -> None:
    """Send the rest of the output to the null device, so that Python does not report the closed pipe at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
