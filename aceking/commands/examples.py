"""`aceking examples`: write the files that the help mentions, for an installed program too."""

from pathlib import Path

import click

#: The folder of a wheel for files that are beside the package in a checkout.
_SHIPPED = Path(__file__).resolve().parent.parent / "shipped"


def shipped(name: str) -> Path | None:
    """Return the folder `examples` or `scenarios` of the program; None if it is not installed."""
    for folder in (_SHIPPED.parent.parent / name, _SHIPPED / name):
        # In site-packages the folder could belong to another package; a checkout has a pyproject.toml.
        if folder.is_dir() and (folder.parent == _SHIPPED or (folder.parent / "pyproject.toml").is_file()):
            return folder
    return None


@click.command()
@click.option(
    "--out", default="examples", show_default=True, type=click.Path(path_type=Path), help="The folder to write to."
)
def examples(out: Path) -> int:
    """Write the example files that the help of the other commands uses.

    An existing file with other contents is not overwritten; then the exit status is 1.

    \b
    aceking examples
    aceking settle examples/jackpot-rws.json
    aceking edge examples/books/harbour.toml
    """
    from aceking.commands.output.streams import check_folder, reason

    check_folder(out)
    folder = shipped("examples")
    if folder is None:
        raise click.ClickException("this installation has no examples; they are in the source")
    kept = 0
    try:
        out.mkdir(parents=True, exist_ok=True)
        for file in sorted(folder.rglob("*")):
            if not file.is_file() or "__pycache__" in file.parts:
                continue
            target, text = out / file.relative_to(folder), file.read_bytes()
            target.parent.mkdir(exist_ok=True)
            if target.exists() and target.read_bytes() != text:
                click.echo(f"{target}: a different file exists; not overwritten")
                kept += 1
            else:
                target.write_bytes(text)
                click.echo(str(target))
    except OSError as failed:
        raise click.ClickException(f"{failed.filename or out}: {reason(failed)}") from None
    return 1 if kept else 0
