"""The one ledger: what every event changes in the accounts of its stream, in minor units or exact fractions of them.

Each stream is balanced in itself: what it has from another stands in an account against that one, and the two of a pair
sum to nothing after every unit (`open_pairs`).

    table/1/player/ann  layout  tray  meter  drop | cage  outside     meter: what the table paid off its meter
    meter/m/value  locked  owed  reserve  overflow | fed  house  paid
    purse/EUR/ann  cage/EUR | cage/EUR/tables  cage/EUR/meters  outside/EUR     meters: what triggers gave
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from aceking.house.floor.codec import State
from aceking.house.floor.states import Cage, Floor, FloorTable
from aceking.meter.state import LinkState
from aceking.table.state import LAYOUT, METER, TRAY

Amount = int | Fraction
Accounts = dict[str, Amount]


def table_accounts(one: FloorTable) -> Accounts:
    """The accounts of a table: those that its own rules have, and what the house has at it."""
    where, own = f"table/{one.table.id}", one.table.accounts
    found: Accounts = {
        _at_table(where, LAYOUT): own.get(LAYOUT, 0),
        _at_table(where, TRAY): own.get(TRAY, 0) + one.tray,
        _at_table(where, METER): own.get(METER, 0),
        f"{where}/drop": one.drop,
        f"{where}/cage": -one.from_cage,
        f"{where}/outside": -one.drop,
    }
    for player in {*one.bought, *own} - _OF_HOUSE:
        found[_at_table(where, player)] = one.chips(player)
    return found


_OF_HOUSE = frozenset({LAYOUT, TRAY, METER})


def _at_table(where: str, account: str) -> str:
    """An account that a table's own rules have, as the ledger calls it."""
    return f"{where}/{account}" if account in _OF_HOUSE else f"{where}/player/{account}"


def cage_accounts(one: Cage) -> Accounts:
    """Purses and float, what is at the tables, and what came from outside."""
    found: Accounts = {}
    for name, till in one.tills.items():
        found |= {f"purse/{name}/{player}": amount for player, amount in till.purses.items()}
        inside = sum(till.purses.values()) + till.float + till.to_tables - till.from_meters
        found |= {f"cage/{name}": till.float, f"cage/{name}/tables": till.to_tables, f"outside/{name}": -inside}
        if till.from_meters:
            found[f"cage/{name}/meters"] = -till.from_meters
    return found


def meter_accounts(name: str, one: LinkState) -> Accounts:
    """The money of a meter by its counters, and against them where it came from (the identity of R3)."""
    where, has = f"meter/{name}", one.counters
    parts = {
        "value": has.value,
        "locked": has.locked,
        "owed": has.owed,
        "reserve": has.reserve,
        "overflow": has.overflow,
        "paid": has.paid,
        "fed": -has.contributed,
        "house": has.retired - has.base - has.seeded - has.adjusted,
    }
    return {f"{where}/{key}": _whole(Fraction(amount, one.scale)) for key, amount in parts.items()}


def moved(before: Mapping[str, Amount], after: Mapping[str, Amount]) -> Accounts:
    """What an event moved: the accounts that it changed, and by how much."""
    changed = {key: after.get(key, 0) - before.get(key, 0) for key in {*before, *after}}
    return {key: _whole(amount) for key, amount in sorted(changed.items()) if amount}


def moved_in(stream: str, before: State, after: State) -> Accounts:
    """What one event of a stream moved; most move nothing, and that is seen at once."""
    match before, after:
        case FloorTable(), FloorTable():
            return _moved_at_table(before, after)
        case LinkState(), LinkState():
            name = stream.partition("/")[2]
            same = before.counters == after.counters
            return {} if same else moved(meter_accounts(name, before), meter_accounts(name, after))
        case Cage(), Cage():
            return moved(cage_accounts(before), cage_accounts(after))
        case _:
            return {}


def stands(was: FloorTable, one: FloorTable) -> bool:
    """Whether no account of a table can have moved: its states share what they do not change."""
    return was.table.accounts is one.table.accounts and was.bought is one.bought and was.tray == one.tray


def _moved_at_table(was: FloorTable, one: FloorTable) -> Accounts:
    old, new = was.table.accounts, one.table.accounts
    if was.bought is not one.bought or was.tray != one.tray:
        return moved(table_accounts(was), table_accounts(one))
    if old is new:
        return {}
    # Nobody bought or brought anything: only what the table's own rules have can have moved.
    where = f"table/{one.table.id}"
    return {_at_table(where, key): amount - old.get(key, 0) for key, amount in new.items() if amount != old.get(key, 0)}


def added(one: Mapping[str, Amount], other: Mapping[str, Amount]) -> Accounts:
    """Two sets of postings in one."""
    total = dict(one)
    for key, amount in other.items():
        total[key] = total.get(key, 0) + amount
    return {key: _whole(amount) for key, amount in total.items() if amount}


def written(postings: Mapping[str, Amount]) -> dict[str, int | str]:
    """Postings as they stand in the log."""
    return {key: amount if isinstance(amount, int) else f"{amount}" for key, amount in postings.items()}


def read(postings: Mapping[str, int | str]) -> Accounts:
    """Postings of the log."""
    return {key: amount if isinstance(amount, int) else _whole(Fraction(amount)) for key, amount in postings.items()}


def balance(floor: Floor) -> Accounts:
    """Every account of the house."""
    found = cage_accounts(floor.cage)
    for table in floor.tables.values():
        found |= table_accounts(table)
    for name, meter in floor.meters.items():
        found |= meter_accounts(name, meter)
    return found


def may_open(before: Floor, after: Floor, moved: Iterable[str], postings: Mapping[str, Amount]) -> bool:
    """Whether anything has moved that stands in one stream against another, so that a pair may not agree any more."""
    for account in postings:
        if account.endswith(("/cage", "/meter")):
            return True
    for stream in moved:
        kind, _, name = stream.partition("/")
        if kind in ("house", "people"):
            continue
        old = before.tables.get(name) if kind == "table" else None
        if old is None or after.tables[name].posted is not old.posted:
            return True
    return False


def open_pairs(floor: Floor) -> Accounts:
    """Accounts of two streams against each other that do not sum to nothing: always empty after a unit."""
    found: Accounts = {}
    for name in {one.posted.currency for one in floor.tables.values()}:
        tables = sum(one.from_cage for one in floor.tables.values() if one.posted.currency == name)
        if off := floor.cage.till(name).to_tables - tables:
            found[f"cage/{name}/tables"] = off
    for name in floor.cage.tills:
        by_trigger = [one for one in floor.meters.values() if one.ceiling is not None and _in(one, name)]
        given = sum((Fraction(one.counters.paid, one.scale) for one in by_trigger), Fraction(0))
        if unlike := _whole(given - floor.cage.till(name).from_meters):
            found[f"cage/{name}/meters"] = unlike
    for name, meter in floor.meters.items():
        if meter.ceiling is not None:
            continue
        linked = [one for one in floor.tables.values() if one.posted.meter == name]
        unpaid = _whole(
            Fraction(meter.counters.paid, meter.scale) + sum(one.table.accounts.get(METER, 0) for one in linked)
        )
        if unpaid:
            found[f"meter/{name}/paid"] = unpaid
    return found


def _in(meter: LinkState, currency: str) -> bool:
    return meter.config is not None and meter.config.currency == currency


def _whole(amount: Amount) -> Amount:
    return amount if isinstance(amount, int) or amount.denominator != 1 else int(amount)
