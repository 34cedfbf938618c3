"""`aceking examples`: the files that the help speaks of, wherever the program was installed."""

from pathlib import Path

import click

#: Where a wheel keeps what lies beside the package in a checkout.
_SHIPPED = Path(__file__).resolve().parent.parent / "shipped"


def shipped(name: str) -> Path | None:
    """A folder that comes with the program, `examples` or `scenarios`; None where it was installed without it."""
    for folder in (_SHIPPED.parent.parent / name, _SHIPPED / name):
        # Beside a package that is installed lie other packages: only ours has a book of its own.
        if folder.is_dir() and (folder.parent == _SHIPPED or (folder.parent / "pyproject.toml").is_file()):
            return folder
    return None


@click.command()
@click.option(
    "--out", default="examples", show_default=True, type=click.Path(path_type=Path), help="The folder to write to."
)
def examples(out: Path) -> int:
    """Write out the example files that the help of the other commands uses.

    A file that is there already and is not the same is left alone, and said so: exit status 1.

    \b
    aceking examples
    aceking settle examples/jackpot-rws.json
    aceking edge examples/books/harbour.toml
    """
    from aceking.commands.output.streams import reason

    folder = shipped("examples")
    if folder is None:
        raise click.ClickException("the examples did not come with this installation; they are in the source")
    left = 0
    try:
        out.mkdir(parents=True, exist_ok=True)
        for file in sorted(folder.rglob("*")):
            if not file.is_file() or "__pycache__" in file.parts:
                continue
            target, text = out / file.relative_to(folder), file.read_bytes()
            target.parent.mkdir(exist_ok=True)
            if target.exists() and target.read_bytes() != text:
                click.echo(f"{target}: is another file already; left alone")
                left += 1
            else:
                target.write_bytes(text)
                click.echo(str(target))
    except OSError as failed:
        raise click.ClickException(f"{failed.filename or out}: {reason(failed)}") from None
    return 1 if left else 0
