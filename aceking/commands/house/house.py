"""`aceking house`: a house made, its people, copies of it, and what it has on record."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from aceking.house.running import Running
    from aceking.house.store.sql.queries import SqlStore

DB = click.option(
    "--db", metavar="URL", help="sqlite:///PATH or postgresql://USER@HOST/DATABASE (else ACEKING_DB, else aceking.db)."
)


@click.group()
def house() -> None:
    """A house: made, looked after, copied. The server itself is `aceking serve`.

    \b
    aceking house init --name "The Ace" --currency EUR
    aceking house people add dora --role dealer
    aceking house backup house-monday.db
    aceking house export --account table/ > money.csv
    """


@house.command()
@click.option("--name", required=True, help="What the house is called.")
@click.option("--currency", "currencies", multiple=True, required=True, metavar="EUR[:2]", help="With its decimals.")
@click.option("--float", "own", default="0", metavar="AMOUNT", help="The house's own money in the cage.")
@click.option("--person", "persons", multiple=True, metavar="NAME=ROLE", help="Who may log in besides the manager.")
@DB
def init(name: str, currencies: tuple[str, ...], own: str, persons: tuple[str, ...], db: str | None) -> int:
    """Makes a house, and prints once who may log in.

    Without any --person it has one of each part: dealer, floorperson, supervisor, executive, manager, cashier, auditor.
    """
    from aceking.house.floor import requests as w

    if not name.strip():
        raise click.ClickException("--name: a house has a name")
    taken = _each([_currency(one) for one in currencies], "currency")
    amount = _minor(own, min(taken.values()))
    if amount and len(set(taken.values())) > 1:
        raise click.ClickException("--float is one amount for all currencies, and these have different decimals")
    people = _each([_person(one) for one in persons], "person") or {f"{role}-1": role for role in _ALL}
    wish = _read(w.Found, {"name": name, "currencies": taken, "people": people, "float": amount})

    async def make(running: "Running") -> int:
        if running.floor.house.name:
            raise click.ClickException(f"there is a house already: {running.floor.house.name!r}")
        await _done(running, wish)
        # All of them before a line is told: whoever reads may stop after the first.
        passwords = {person: await _new_password(running, person) for person in people}
        told = [f"  {person:16} {role:12} {passwords[person]}" for person, role in people.items()]
        click.echo("\n".join((f"{name} is there. These may log in; the passwords are shown this once:", *told)))
        return 0

    return _with_house(db, make, makes=True)


_ALL = ("dealer", "floorperson", "supervisor", "executive", "manager", "cashier", "auditor")


@house.group()
def people() -> None:
    """Who may log in, as what."""


@people.command("list")
@DB
def people_list(db: str | None) -> int:
    """Everybody, with part and state."""

    async def tell(running: "Running") -> int:
        for name, one in sorted(running.floor.people.persons.items()):
            state = "barred" if one.barred else "" if one.has_password else "no password"
            click.echo(f"{name:20} {one.role:12} {state}".rstrip())
        return 0

    return _with_house(db, tell)


@people.command("add")
@click.argument("name")
@click.option(
    "--role", required=True, help="player, dealer, floorperson, supervisor, executive, manager, cashier, auditor."
)
@DB
def people_add(name: str, role: str, db: str | None) -> int:
    """Somebody may log in from now on; the password is printed once."""
    from aceking.house.floor import requests as w

    wish = _read(w.AddPerson, {"name": _name(name), "role": _role(role)})

    async def add(running: "Running") -> int:
        await _done(running, wish)
        click.echo(f"{name}: {role}, password {await _new_password(running, name)}")
        return 0

    return _with_house(db, add)


@people.command("password")
@click.argument("name")
@DB
def people_password(name: str, db: str | None) -> int:
    """A new password for somebody, printed once; his sessions and a lock on his account are over."""

    async def change(running: "Running") -> int:
        if name not in running.floor.people.persons:
            raise click.ClickException(f"there is nobody of the name {name!r}")
        click.echo(f"{name}: password {await _new_password(running, name)}")
        return 0

    return _with_house(db, change)


@house.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DB
def backup(file: Path, db: str | None) -> int:
    """A whole copy of a house in one SQLite file, also while it runs and whatever database it is in."""
    from aceking.house.store.backup import backup as copy
    from aceking.house.store.errors import StoreError

    store = _opened(_address(db), only_read=True)
    try:
        found = copy(store, file)
    except StoreError as wrong:
        raise click.ClickException(str(wrong)) from None
    finally:
        store.close()
    click.echo(f"{found.seq} entries copied to {file}, and checked")
    return 0


@house.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@DB
def restore(file: Path, db: str | None) -> int:
    """Puts a copy in the place of a house that is not there any more; one that is there stays."""
    from aceking.house.store.backup import restore as put
    from aceking.house.store.errors import StoreError

    try:
        found = put(file, _address(db))
    except StoreError as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(f"{found.seq} entries restored from {file}, and checked")
    return 0


@house.command()
@click.option("--account", default="", help="Only accounts that begin so: table/section10, purse/EUR/ann, meter/ …")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines instead of CSV.")
@DB
def export(account: str, as_json: bool, db: str | None) -> int:
    """Every movement of money, for a regulator: entry, time, person, account, amount in minor units."""
    import csv
    import json
    import sys

    from aceking.house.record import read_unit

    store = _opened(_address(db), only_read=True)
    try:
        rows = csv.writer(sys.stdout, lineterminator="\n")
        if not as_json:
            rows.writerow(("seq", "at", "by", "request", "account", "amount"))
        for entry in store.log():
            unit = read_unit(entry.body)
            for name, amount in unit.postings.items():
                if name.startswith(account):
                    told = {"seq": entry.seq, "at": unit.at, "by": unit.by, "request": unit.id}
                    told |= {"account": name, "amount": amount}
                    if as_json:
                        click.echo(json.dumps(told))
                    else:
                        rows.writerow(told.values())
    finally:
        store.close()
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


def _with_house(db: str | None, doing: "Callable[[Running], Awaitable[int]]", *, makes: bool = False) -> int:
    """Runs something in a house that nobody else serves, and lets go of it."""
    from aceking.house.running import Running, SystemClock

    store = _opened(_address(db), makes=makes)

    async def run() -> int:
        running = Running(store, clock=SystemClock(), draw=os.urandom)
        await running.start()
        try:
            return await doing(running)
        finally:
            await running.stop()

    try:
        return asyncio.run(run())
    finally:
        store.close()


async def _new_password(running: "Running", name: str) -> str:
    """A password that was never shown before, and on the record that there is one."""
    from aceking.house import login as door
    from aceking.house.floor import requests as w

    password = door.new_password()
    door.set_password(running.store, name, password)
    await _done(running, w.Note(event={"is": "password-set", "name": name, "by": "house"}))
    return password


async def _done(running: "Running", wish: Any) -> None:
    import uuid

    from aceking.house.desk import Request
    from aceking.house.floor import requests as w

    reply = await running.ask(Request(id=f"console/{uuid.uuid4().hex}", sender=w.HOUSE, wish=wish))
    if reply.refused is not None:
        raise click.ClickException(f"{reply.refused.reason} ({reply.refused.clause})")


def _read(kind: Any, told: dict[str, Any]) -> Any:
    import msgspec

    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as wrong:
        raise click.ClickException(str(wrong)) from None


def _currency(text: str) -> tuple[str, int]:
    name, colon, decimals = text.partition(":")
    if not (len(name) == 3 and name.isascii() and name.isalpha() and name.isupper()):
        raise click.ClickException(f"{text!r}: a currency is three letters and its decimals, as EUR or JPY:0")
    if colon and decimals not in ("0", "1", "2", "3", "4"):
        raise click.ClickException(f"{text!r}: a currency is three letters and its decimals, which are 0 to 4")
    return name, int(decimals or 2)


def _person(text: str) -> tuple[str, str]:
    name, equals, role = text.partition("=")
    if not equals:
        raise click.ClickException(f"{text!r}: a person is NAME=ROLE; the parts are player, {', '.join(_ALL)}")
    return _name(name), _role(role)


def _name(text: str) -> str:
    import msgspec

    from aceking.house.floor.requests import Name

    try:
        return msgspec.convert(text, Name)
    except msgspec.ValidationError:
        raise click.ClickException(
            f"{text!r} is no name: that is up to 40 small letters, digits, dots, dashes, a letter or a digit first"
        ) from None


def _role(text: str) -> str:
    from aceking.house.floor.roles import ROLES
    from aceking.rules.reading.did_you_mean import near

    if text not in ROLES:
        raise click.ClickException(f"{text!r} is none of the parts {', '.join(ROLES)}{near(text, ROLES)}")
    return text


def _each(told: list[tuple[str, Any]], what: str) -> dict[str, Any]:
    """What was told once each."""
    for key, _ in told:
        if [one for one, _ in told].count(key) > 1:
            raise click.ClickException(f"the {what} {key} is named twice")
    return dict(told)


def _minor(text: str, decimals: int) -> int:
    from aceking.rules.odds import amount

    try:
        return int(amount(text, decimals=decimals))
    except ValueError as wrong:
        raise click.ClickException(str(wrong)) from None
