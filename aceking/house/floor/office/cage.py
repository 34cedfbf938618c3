"""Money between outside, purses, tables and the cage."""

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.refusals import house
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said


def buy_in(draft: Draft, sender: w.Sender, wish: w.BuyIn) -> Refusal | None:
    """Chips for money of the purse; at a live table the dealer takes a player's cash into the box."""
    if sender.role == "dealer":
        return _for_cash(draft, sender, wish)
    if wish.player not in (None, sender.name):
        return house("people", "everybody buys chips for himself")
    currency = draft.table(wish.table).posted.currency
    if draft.floor.cage.purse(sender.name, currency) < wish.amount:
        return house("chips", said("there is not so much {currency} in your purse", currency=currency))
    if sender.name not in draft.table(wish.table).players:
        return house("seat", "take a box first")
    draft.add("cage", hp.ToTable(table=wish.table, currency=currency, amount=wish.amount, player=sender.name))
    draft.add(f"table/{wish.table}", hp.BoughtIn(player=sender.name, amount=wish.amount, by=sender.name))
    return None


def _for_cash(draft: Draft, sender: w.Sender, wish: w.BuyIn) -> Refusal | None:
    one = draft.table(wish.table)
    if one.posted.mode != "live":
        return house("chips", "cash is taken at live tables; here chips are bought from the purse")
    if wish.player is None or wish.player not in one.players:
        return house("seat", "name the player whose cash it is: he sits at the table")
    bought = hp.BoughtIn(player=wish.player, amount=wish.amount, cash=True, by=sender.name)
    draft.add(f"table/{wish.table}", bought)
    return None


def cash_out(draft: Draft, sender: w.Sender, wish: w.CashOut) -> Refusal | None:
    """Chips that lie before a player go back into his purse; what is on the layout stays there."""
    if draft.table(wish.table).chips(sender.name) < wish.amount:
        return house("chips", "you have not so many chips before you")
    draft.add(f"table/{wish.table}", hp.CashedOut(player=sender.name, amount=wish.amount))
    currency = draft.table(wish.table).posted.currency
    draft.add("cage", hp.ToTable(table=wish.table, currency=currency, amount=-wish.amount, player=sender.name))
    return None


def purse(draft: Draft, sender: w.Sender, wish: w.Deposit | w.Withdraw) -> Refusal | None:
    """A player's money comes in at the cage, or goes out."""
    if draft.floor.people.role(wish.player) != "player":
        return house("people", said("there is no player {player}", player=repr(wish.player)))
    if wish.currency not in draft.floor.house.currencies:
        return house("chips", said("the house takes {currencies}", currencies=", ".join(draft.floor.house.currencies)))
    if isinstance(wish, w.Deposit):
        draft.add("cage", hp.Deposited(player=wish.player, currency=wish.currency, amount=wish.amount, by=sender.name))
        return None
    if draft.floor.cage.purse(wish.player, wish.currency) < wish.amount:
        return house(
            "chips",
            said("{player} has not so much {currency} in the purse", player=wish.player, currency=wish.currency),
        )
    draft.add("cage", hp.Withdrawn(player=wish.player, currency=wish.currency, amount=wish.amount, by=sender.name))
    return None


def fill(draft: Draft, by: str, second: str, wish: w.Fill) -> None:
    """Chips between the cage and a tray, by two persons."""
    currency = draft.table(wish.table).posted.currency
    draft.add("cage", hp.ToTable(table=wish.table, currency=currency, amount=wish.amount))
    draft.add(f"table/{wish.table}", hp.Filled(amount=wish.amount, by=by, second=second))


def put_float(draft: Draft, by: str, second: str, wish: w.PutFloat) -> None:
    """Money of the house in or out of the cage, by two persons."""
    draft.add("cage", hp.Floated(currency=wish.currency, amount=wish.amount, by=by, second=second))


def against(draft: Draft, wish: w.Fill | w.PutFloat) -> Refusal | None:
    """What stands against it now, when it is asked and again when it is confirmed."""
    match wish:
        case w.Fill():
            one = draft.floor.tables.get(wish.table)
            if one is None or one.gone:
                return house("table", said("there is no table {table} on this floor", table=repr(wish.table)))
            if wish.amount == 0:
                return house("input", "how much?")
            if wish.amount > draft.floor.cage.till(one.posted.currency).float:
                return house("chips", "the cage has not so much of the house's own")
            if wish.amount < 0 and one.tray + one.table.accounts.get("tray", 0) < -wish.amount:
                return house("chips", "the tray has not so much")
        case w.PutFloat():
            if wish.currency not in draft.floor.house.currencies:
                return house(
                    "chips", said("the house takes {currencies}", currencies=", ".join(draft.floor.house.currencies))
                )
            if wish.amount == 0 or draft.floor.cage.till(wish.currency).float + wish.amount < 0:
                return house("chips", "the cage has not so much of the house's own")
    return None
