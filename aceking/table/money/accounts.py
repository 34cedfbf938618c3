"""Chips between the accounts of a table, and what of a box still lies on the layout."""

from msgspec.structs import replace

from aceking.table.state import Box, Round, Table


def pay(table: Table, source: str, target: str, amount: int) -> Table:
    """Chips go from one account to another; a negative amount goes back."""
    if not amount:
        return table
    accounts = dict(table.accounts)
    accounts[source] = accounts.get(source, 0) - amount
    accounts[target] = accounts.get(target, 0) + amount
    return replace(table, accounts=accounts)


def lying_on(current: Round, box: Box) -> int:
    """The chips of a box that still lie on the layout."""
    if box.forfeited:
        return 0
    gone = sum(
        line.stake
        for number, line in enumerate(current.lines)
        if number in current.moved and line.seat == box.number and not (line.wager == "side" and box.trayed)
    )
    loose = sum(one.stake for one in box.sides.values() if not one.trayed)
    return box.ante + box.bet + box.fee + box.paid + loose - gone
