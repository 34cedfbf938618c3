"""Every module of the package is imported by the package itself: what only tests need lies in tests/."""

import ast
from collections.abc import Iterator
from pathlib import Path

from aceking.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
MODULES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in (ROOT / "aceking").rglob("*.py")
}
#: Where users come in: the library, the client, the command line and its commands. Alembic finds migrations by folder.
ENTRANCES = {
    "aceking",
    "aceking.__main__",
    "aceking.client",
    *(f"aceking.commands.{module}" for module, _ in COMMANDS.values()),
    *(name for name in MODULES if name.startswith("aceking.house.store.sql.migrations")),
}
#: Folders of data.
DATA = {"aceking.books"}


def _imported(module: str) -> Iterator[str]:
    """Names that a module imports, at its head or in a function, and the packages it lies in."""
    yield module.rpartition(".")[0]
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_module_is_reached_from_the_library_the_client_or_the_command_line() -> None:
    reached, waiting = set(), [*ENTRANCES]
    while waiting:
        module = waiting.pop()
        if module in MODULES and module not in reached:
            reached.add(module)
            waiting.extend(_imported(module))
    assert MODULES.keys() - reached == DATA
