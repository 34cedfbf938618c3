"""The ledger: how every event changes the accounts of its stream, in minor units or exact fractions of them.

Each stream balances in itself: what it has from another stream stands in an account against that one, and the two
accounts of such a pair sum to zero after every unit (`open_pairs`).

    table/1/player/ann  layout  tray  meter  drop | cage  outside     meter: paid by the table off its meter
    meter/m/value  locked  owed  reserve  overflow | fed  house  paid
    purse/EUR/ann  cage/EUR | cage/EUR/tables  cage/EUR/meters  outside/EUR     meters: paid by triggers
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from aceking.house.floor.codec import State
from aceking.house.floor.states import Cage, Floor, FloorTable
from aceking.meter.state import MeterState
from aceking.table.state import LAYOUT, METER, TRAY

LedgerAmount = int | Fraction
Accounts = dict[str, LedgerAmount]


def table_accounts(state: FloorTable) -> Accounts:
    """Return the accounts of a table: those of its own rules, and the money of the house at it."""
    where, own = f"table/{state.table.id}", state.table.accounts
    accounts: Accounts = {
        _at_table(where, LAYOUT): own.get(LAYOUT, 0),
        _at_table(where, TRAY): own.get(TRAY, 0) + state.tray,
        _at_table(where, METER): own.get(METER, 0),
        f"{where}/drop": state.drop,
        f"{where}/cage": -state.from_cage,
        f"{where}/outside": -state.drop,
    }
    for player in {*state.bought, *own} - _OF_HOUSE:
        accounts[_at_table(where, player)] = state.chips(player)
    return accounts


_OF_HOUSE = frozenset({LAYOUT, TRAY, METER})


def _at_table(where: str, account: str) -> str:
    """Return the ledger's name for an account of the table's own rules."""
    return f"{where}/{account}" if account in _OF_HOUSE else f"{where}/player/{account}"


def win(state: FloorTable) -> int:
    """Return the house's win at a table since it was set up, in rounds that are over: the loss of its players.

    Tray and meter hold it. A round that is over may still be corrected; one in progress is left out.
    """
    own = state.table.accounts if state.table.live_round is None else state.before
    return own.get(TRAY, 0) + own.get(METER, 0)


def cage_accounts(cage: Cage) -> Accounts:
    """Return the accounts of the cage: purses and float, money at the tables, and money from outside."""
    accounts: Accounts = {}
    for name, till in cage.tills.items():
        accounts |= {f"purse/{name}/{player}": amount for player, amount in till.purses.items()}
        inside = sum(till.purses.values()) + till.float + till.to_tables - till.from_meters
        accounts |= {f"cage/{name}": till.float, f"cage/{name}/tables": till.to_tables, f"outside/{name}": -inside}
        if till.from_meters:
            accounts[f"cage/{name}/meters"] = -till.from_meters
    return accounts


def meter_accounts(name: str, meter: MeterState) -> Accounts:
    """Return the accounts of a meter: its counters, and against them where the money came from (the identity of R3)."""
    where, has = f"meter/{name}", meter.counters
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
    return {f"{where}/{key}": _whole(Fraction(amount, meter.scale)) for key, amount in parts.items()}


def changes(before: Mapping[str, LedgerAmount], after: Mapping[str, LedgerAmount]) -> Accounts:
    """Return the accounts that an event changed, each with the change."""
    changed = {key: after.get(key, 0) - before.get(key, 0) for key in {*before, *after}}
    return {key: _whole(amount) for key, amount in sorted(changed.items()) if amount}


def moved_in(stream: str, before: State, after: State) -> Accounts:
    """Return the accounts that one event of a stream changed, each with the change. Most events change none."""
    match before, after:
        case FloorTable(), FloorTable():
            return _moved_at_table(before, after)
        case MeterState(), MeterState():
            name = stream.partition("/")[2]
            same = before.counters == after.counters
            return {} if same else changes(meter_accounts(name, before), meter_accounts(name, after))
        case Cage(), Cage():
            return changes(cage_accounts(before), cage_accounts(after))
        case _:
            return {}


def unchanged(before: FloorTable, after: FloorTable) -> bool:
    """Return True if no account of a table can have changed: its states share what they do not change."""
    return before.table.accounts is after.table.accounts and before.bought is after.bought and before.tray == after.tray


def _moved_at_table(before: FloorTable, after: FloorTable) -> Accounts:
    old, new = before.table.accounts, after.table.accounts
    if before.bought is not after.bought or before.tray != after.tray:
        return changes(table_accounts(before), table_accounts(after))
    if old is new:
        return {}
    # No chips were bought or filled: only accounts of the table's own rules can have changed.
    where = f"table/{after.table.id}"
    return {_at_table(where, key): amount - old.get(key, 0) for key, amount in new.items() if amount != old.get(key, 0)}


def total_of(postings: Mapping[str, LedgerAmount], other: Mapping[str, LedgerAmount]) -> Accounts:
    """Return the sum of two sets of postings."""
    total = dict(postings)
    for key, amount in other.items():
        total[key] = total.get(key, 0) + amount
    return {key: _whole(amount) for key, amount in total.items() if amount}


def written(postings: Mapping[str, LedgerAmount]) -> dict[str, int | str]:
    """Return postings as the log has them, with fractions as text."""
    return {key: amount if isinstance(amount, int) else f"{amount}" for key, amount in postings.items()}


def read(postings: Mapping[str, int | str]) -> Accounts:
    """Return postings of the log as numbers."""
    return {key: amount if isinstance(amount, int) else _whole(Fraction(amount)) for key, amount in postings.items()}


def may_open(before: Floor, after: Floor, moved: Iterable[str], postings: Mapping[str, LedgerAmount]) -> bool:
    """Return True if a pair of accounts of two streams may have changed, so that `open_pairs` must be checked."""
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
    """Return the pairs of accounts of two streams that do not sum to zero, with the difference; empty after a unit."""
    unequal: Accounts = {}
    for name in {one.posted.currency for one in floor.tables.values()}:
        tables = sum(one.from_cage for one in floor.tables.values() if one.posted.currency == name)
        if difference := floor.cage.till(name).to_tables - tables:
            unequal[f"cage/{name}/tables"] = difference
    for name in floor.cage.tills:
        by_trigger = [one for one in floor.meters.values() if one.ceiling is not None and _in(one, name)]
        paid = sum((Fraction(one.counters.paid, one.scale) for one in by_trigger), Fraction(0))
        if meter_difference := _whole(paid - floor.cage.till(name).from_meters):
            unequal[f"cage/{name}/meters"] = meter_difference
    for name, meter in floor.meters.items():
        if meter.ceiling is not None:
            continue
        linked = [one for one in floor.tables.values() if one.posted.meter == name]
        unpaid = _whole(
            Fraction(meter.counters.paid, meter.scale) + sum(one.table.accounts.get(METER, 0) for one in linked)
        )
        if unpaid:
            unequal[f"meter/{name}/paid"] = unpaid
    return unequal


def _in(meter: MeterState, currency: str) -> bool:
    return meter.config is not None and meter.config.currency == currency


def _whole(amount: LedgerAmount) -> LedgerAmount:
    return amount if isinstance(amount, int) or amount.denominator != 1 else int(amount)
