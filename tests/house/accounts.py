"""Every account of a house, for checks that its money sums to zero."""

from aceking.house.floor.ledger import Accounts, cage_accounts, meter_accounts, table_accounts
from aceking.house.floor.states import Floor


def balance(floor: Floor) -> Accounts:
    """Every account of the house."""
    found = cage_accounts(floor.cage)
    for table in floor.tables.values():
        found |= table_accounts(table)
    for name, meter in floor.meters.items():
        found |= meter_accounts(name, meter)
    return found
