"""Money between outside, purses, tables and the cage."""

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.refusals import house_refusal
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said


def buy_in(draft: Draft, sender: w.Sender, request: w.BuyIn) -> Refusal | None:
    """Sell chips for money of the purse, or at a live table for cash that the dealer takes."""
    if sender.role == "dealer":
        return _for_cash(draft, sender, request)
    if request.player not in (None, sender.name):
        return house_refusal("people", "players buy chips only for themselves")
    currency = draft.table(request.table).posted.currency
    if draft.floor.cage.purse(sender.name, currency) < request.amount:
        return house_refusal("chips", said("there is not that much {currency} in your purse", currency=currency))
    if sender.name not in draft.table(request.table).players:
        return house_refusal("seat", "take a box first")
    draft.add("cage", hp.ToTable(table=request.table, currency=currency, amount=request.amount, player=sender.name))
    draft.add(f"table/{request.table}", hp.BoughtIn(player=sender.name, amount=request.amount, by=sender.name))
    return None


def _for_cash(draft: Draft, sender: w.Sender, request: w.BuyIn) -> Refusal | None:
    state = draft.table(request.table)
    if state.posted.mode != "live":
        return house_refusal("chips", "cash is taken at live tables; here chips are bought from the purse")
    if request.player is None or request.player not in state.players:
        return house_refusal("seat", "name the player whose cash it is; they must sit at the table")
    bought = hp.BoughtIn(player=request.player, amount=request.amount, cash=True, by=sender.name)
    draft.add(f"table/{request.table}", bought)
    return None


def cash_out(draft: Draft, sender: w.Sender, request: w.CashOut) -> Refusal | None:
    """Move a player's chips back into their purse; stakes on the layout stay there."""
    if draft.table(request.table).chips(sender.name) < request.amount:
        return house_refusal("chips", "you do not have that many chips")
    draft.add(f"table/{request.table}", hp.CashedOut(player=sender.name, amount=request.amount))
    currency = draft.table(request.table).posted.currency
    draft.add("cage", hp.ToTable(table=request.table, currency=currency, amount=-request.amount, player=sender.name))
    return None


def purse(draft: Draft, sender: w.Sender, request: w.Deposit | w.Withdraw) -> Refusal | None:
    """Put a player's money into their purse at the cage, or take it out."""
    player, currency, amount = request.player, request.currency, request.amount
    if draft.floor.people.role(player) != "player":
        return house_refusal("people", said("there is no player {player}", player=repr(player)))
    if currency not in draft.floor.house.currencies:
        return house_refusal(
            "chips", said("the house takes {currencies}", currencies=", ".join(draft.floor.house.currencies))
        )
    if isinstance(request, w.Deposit):
        draft.add("cage", hp.Deposited(player=player, currency=currency, amount=amount, by=sender.name))
        return None
    if draft.floor.cage.purse(player, currency) < amount:
        words = "{player} does not have that much {currency} in the purse"
        return house_refusal("chips", said(words, player=player, currency=currency))
    draft.add("cage", hp.Withdrawn(player=player, currency=currency, amount=amount, by=sender.name))
    return None


def fill(draft: Draft, by: str, second: str, request: w.Fill) -> None:
    """Move chips between the cage and a tray, by two persons."""
    currency = draft.table(request.table).posted.currency
    draft.add("cage", hp.ToTable(table=request.table, currency=currency, amount=request.amount))
    draft.add(f"table/{request.table}", hp.Filled(amount=request.amount, by=by, second=second))


def put_float(draft: Draft, by: str, second: str, request: w.PutFloat) -> None:
    """Put money of the house into the cage or take it out, by two persons."""
    draft.add("cage", hp.Floated(currency=request.currency, amount=request.amount, by=by, second=second))


def against(draft: Draft, request: w.Fill | w.PutFloat) -> Refusal | None:
    """Return the refusal if it cannot be done now, or None: checked when it is asked and when it is confirmed."""
    match request:
        case w.Fill():
            state = draft.floor.tables.get(request.table)
            if state is None or state.gone:
                return house_refusal(
                    "table", said("there is no table {table} on this floor", table=repr(request.table))
                )
            if request.amount == 0:
                return house_refusal("input", "name an amount other than zero")
            if request.amount > draft.floor.cage.till(state.posted.currency).float:
                return house_refusal("chips", "the cage does not have that much of the house's money")
            if request.amount < 0 and state.tray + state.table.accounts.get("tray", 0) < -request.amount:
                return house_refusal("chips", "the tray does not have that much")
        case w.PutFloat():
            if request.currency not in draft.floor.house.currencies:
                return house_refusal(
                    "chips", said("the house takes {currencies}", currencies=", ".join(draft.floor.house.currencies))
                )
            if request.amount == 0 or draft.floor.cage.till(request.currency).float + request.amount < 0:
                return house_refusal("chips", "the cage does not have that much of the house's money")
    return None
