"""`aceking house`: create a house, manage its people, back it up and export its records."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.output.groups import Group

if TYPE_CHECKING:
    from aceking.house.running import Running
    from aceking.house.store.sql.queries import SqlStore

DB = click.option(
    "--db", metavar="URL", help="sqlite:///PATH or postgresql://USER@HOST/DATABASE (else ACEKING_DB, else aceking.db)."
)


@click.group(cls=Group)
def house() -> None:
    """Create and administer a house. `aceking serve` runs the server.

    \b
    aceking house init --name "The Ace" --currency EUR
    aceking house people add dora --role dealer
    aceking house backup house-monday.db
    aceking house export --account table/ > money.csv
    """


@house.command()
@click.option("--name", required=True, help="The name of the house.")
@click.option("--currency", "currencies", multiple=True, required=True, metavar="EUR[:2]", help="With its decimals.")
@click.option("--float", "own", default="0", metavar="AMOUNT", help="The house's own money in the cage.")
@click.option("--person", "persons", multiple=True, metavar="NAME=ROLE", help="A person who may log in.")
@DB
def init(name: str, currencies: tuple[str, ...], own: str, persons: tuple[str, ...], db: str | None) -> int:
    """Create a house, and print its people with their passwords once.

    Without --person it has one person of each role: dealer, floorperson, supervisor, executive, manager, cashier,
    auditor.
    """
    from aceking.house.floor import requests as w

    if not name.strip():
        raise click.ClickException("--name: the name of the house is empty")
    decimals = _unique([_currency(one) for one in currencies], "currency")
    amount = _minor(own, min(decimals.values()))
    if amount and len(set(decimals.values())) > 1:
        raise click.ClickException("--float is one amount for all currencies, and these have different decimals")
    people = _unique([_person(one) for one in persons], "person") or {f"{role}-1": role for role in _STAFF}
    wish = _convert(w.FoundHouse, {"name": name, "currencies": decimals, "people": people, "float": amount})

    async def make(running: "Running") -> int:
        if running.floor.house.name:
            raise click.ClickException(f"there is a house already: {running.floor.house.name!r}")
        await _ask(running, wish)
        # All passwords are set before one is printed: the reader may close the pipe after the first line.
        passwords = {person: await _new_password(running, person) for person in people}
        lines = [f"  {person:16} {role:12} {passwords[person]}" for person, role in people.items()]
        head = f"{name} is created. These people may log in; the passwords are shown only once:"
        click.echo("\n".join((head, *lines)))
        return 0

    return _with_house(db, make, makes=True)


_STAFF = ("dealer", "floorperson", "supervisor", "executive", "manager", "cashier", "auditor")


@house.group(cls=Group)
def people() -> None:
    """The people who may log in, with their roles."""


@people.command("list")
@DB
def people_list(db: str | None) -> int:
    """List all people with their role and state."""

    async def show(running: "Running") -> int:
        for name, person in sorted(running.floor.people.persons.items()):
            state = "barred" if person.barred else "" if person.has_password else "no password"
            click.echo(f"{name:20} {person.role:12} {state}".rstrip())
        return 0

    return _with_house(db, show)


@people.command("add")
@click.argument("name")
@click.option(
    "--role", required=True, help="player, dealer, floorperson, supervisor, executive, manager, cashier, auditor."
)
@DB
def people_add(name: str, role: str, db: str | None) -> int:
    """Add a person who may log in, and print the password once."""
    from aceking.house.floor import requests as w

    wish = _convert(w.AddPerson, {"name": _name(name), "role": _role(role)})

    async def add(running: "Running") -> int:
        await _ask(running, wish)
        click.echo(f"{name}: {role}, password {await _new_password(running, name)}")
        return 0

    return _with_house(db, add)


@people.command("password")
@click.argument("name")
@DB
def people_password(name: str, db: str | None) -> int:
    """Set and print a new password. Ends the sessions of the person and a lock of the account."""

    async def change(running: "Running") -> int:
        if name not in running.floor.people.persons:
            raise click.ClickException(f"there is no person {name!r}")
        click.echo(f"{name}: password {await _new_password(running, name)}")
        return 0

    return _with_house(db, change)


@house.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DB
def backup(file: Path, db: str | None) -> int:
    """Copy a whole house to one SQLite file, from any database and also while it runs."""
    from aceking.house.store.backup import backup as copy
    from aceking.house.store.errors import StoreError

    if not file.parent.is_dir():
        raise click.ClickException(f"{file.parent}: there is no such folder")
    store = _opened(_address(db), only_read=True)
    try:
        summary = copy(store, file)
    except StoreError as wrong:
        raise click.ClickException(str(wrong)) from None
    finally:
        store.close()
    click.echo(f"{summary.seq} entries copied to {file}, and checked")
    return 0


@house.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@DB
def restore(file: Path, db: str | None) -> int:
    """Restore a house from a copy. An existing house is not overwritten."""
    from aceking.house.store.backup import restore as put
    from aceking.house.store.errors import StoreError

    try:
        summary = put(file, _address(db))
    except StoreError as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(f"{summary.seq} entries restored from {file}, and checked")
    return 0


@house.command()
@click.option("--account", default="", help="Start of the account names: table/section10, purse/EUR/ann, meter/ …")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines instead of CSV.")
@DB
def export(account: str, as_json: bool, db: str | None) -> int:
    """Export every posting for a regulator: entry, time, person, account, amount in minor units."""
    import csv
    import json
    import sys

    from aceking.house.record import read_unit

    store = _opened(_address(db), only_read=True)
    found = False
    try:
        rows = csv.writer(sys.stdout, lineterminator="\n")
        if not as_json:
            rows.writerow(("seq", "at", "by", "request", "account", "amount"))
        for entry in store.log():
            unit = read_unit(entry.body)
            for name, amount in unit.postings.items():
                if name.startswith(account):
                    found = True
                    row = {"seq": entry.seq, "at": unit.at, "by": unit.by, "request": unit.id}
                    row |= {"account": name, "amount": amount}
                    if as_json:
                        click.echo(json.dumps(row))
                    else:
                        rows.writerow(row.values())
    finally:
        store.close()
    if account and not found:
        click.echo(f"aceking: no account begins with {account!r}", err=True)
    return 0


def _address(db: str | None) -> str:
    from aceking.house.settings import SettingsError, read_settings

    try:
        return read_settings(db=db).db
    except SettingsError as wrong:
        raise click.ClickException(str(wrong)) from None


def _opened(address: str, *, only_read: bool = False, makes: bool = False) -> "SqlStore":
    from aceking.house.store.errors import StoreError
    from aceking.house.store.open import open_store

    try:
        return open_store(address, only_read=only_read, makes=makes)
    except StoreError as wrong:
        raise click.ClickException(str(wrong)) from None


def _with_house(db: str | None, action: "Callable[[Running], Awaitable[int]]", *, makes: bool = False) -> int:
    """Open a house that no server has open, run the action, and close it."""
    from aceking.house.running import Running, SystemClock

    store = _opened(_address(db), makes=makes)

    async def run() -> int:
        running = Running(store, clock=SystemClock(), draw=os.urandom)
        await running.start()
        try:
            return await action(running)
        finally:
            await running.stop()

    try:
        return asyncio.run(run())
    finally:
        store.close()


async def _new_password(running: "Running", name: str) -> str:
    """Set and return a new password; the log records that it was set."""
    from aceking.house import login
    from aceking.house.floor import requests as w

    password = login.new_password()
    login.set_password(running.store, name, password)
    await _ask(running, w.Note(event={"is": "password-set", "name": name, "by": "house"}))
    return password


async def _ask(running: "Running", wish: Any) -> None:
    import uuid

    from aceking.house.desk import Request
    from aceking.house.floor import requests as w

    reply = await running.ask(Request(id=f"console/{uuid.uuid4().hex}", sender=w.HOUSE, body=wish))
    if reply.refused is not None:
        raise click.ClickException(f"{reply.refused.reason} ({reply.refused.clause})")


def _convert(kind: Any, data: dict[str, Any]) -> Any:
    import msgspec

    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as wrong:
        raise click.ClickException(str(wrong)) from None


def _currency(text: str) -> tuple[str, int]:
    name, colon, decimals = text.partition(":")
    if not (len(name) == 3 and name.isascii() and name.isalpha() and name.isupper()):
        raise click.ClickException(f"{text!r}: a currency is three letters and its decimals, e.g. EUR or JPY:0")
    if colon and decimals not in ("0", "1", "2", "3", "4"):
        raise click.ClickException(f"{text!r}: a currency is three letters and its decimals, which are 0 to 4")
    return name, int(decimals or 2)


def _person(text: str) -> tuple[str, str]:
    name, equals, role = text.partition("=")
    if not equals:
        raise click.ClickException(f"{text!r}: a person is NAME=ROLE; the roles are player, {', '.join(_STAFF)}")
    return _name(name), _role(role)


def _name(text: str) -> str:
    from aceking.house.names import is_name

    if not is_name(text):
        raise click.ClickException(
            f"{text!r} is not a name: up to 40 small letters, digits, dots and dashes, a letter or a digit first"
        )
    return text


def _role(text: str) -> str:
    from aceking.house.floor.roles import ROLES
    from aceking.rules.reading.did_you_mean import suggestion

    if text not in ROLES:
        raise click.ClickException(f"there is no role {text!r}; there are {', '.join(ROLES)}{suggestion(text, ROLES)}")
    return text


def _unique(items: list[tuple[str, Any]], what: str) -> dict[str, Any]:
    """Return the items as a dict. Raises ClickException if a key is there twice."""
    for key, _ in items:
        if [one for one, _ in items].count(key) > 1:
            raise click.ClickException(f"the {what} {key} is named twice")
    return dict(items)


def _minor(text: str, decimals: int) -> int:
    from aceking.rules.odds import amount

    try:
        return int(amount(text, decimals=decimals))
    except ValueError as wrong:
        raise click.ClickException(str(wrong)) from None
