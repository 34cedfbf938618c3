"""Move chips between the accounts of a table, and count those of a box on the layout."""

from msgspec.structs import replace

from aceking.table.state import Box, Round, TableState


def pay(table: TableState, source: str, target: str, amount: int) -> TableState:
    """Move chips from one account to another; a negative amount moves them back."""
    if not amount:
        return table
    accounts = dict(table.accounts)
    accounts[source] = accounts.get(source, 0) - amount
    accounts[target] = accounts.get(target, 0) + amount
    return replace(table, accounts=accounts)


def chips_on_layout(current: Round, box: Box) -> int:
    """Return the chips of a box that still lie on the layout."""
    if box.forfeited:
        return 0
    moved = sum(
        line.stake
        for number, line in enumerate(current.lines)
        if number in current.moved and line.seat == box.number and not (line.wager == "side" and box.trayed)
    )
    loose = sum(one.stake for one in box.sides.values() if not one.trayed)
    return box.ante + box.bet + box.fee + box.paid + loose - moved
