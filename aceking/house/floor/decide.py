"""One request in, one unit out, or a refusal with the clause or rule that decides it."""

from collections.abc import Mapping
from typing import Any, get_args

from aceking.house.chance import Chance
from aceking.house.floor import approvals
from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.ledger import may_open, open_pairs
from aceking.house.floor.office import cage, days, people
from aceking.house.floor.play import acts as playing
from aceking.house.floor.play import bridge, devices, meters, tables
from aceking.house.floor.refusals import house
from aceking.house.floor.roles import PIT, Role
from aceking.house.floor.states import Floor
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said

_PLAYER: frozenset[Role] = frozenset({"player"})
_MANAGER: frozenset[Role] = frozenset({"manager", "executive"})
_CASHIER: frozenset[Role] = frozenset({"cashier"})

#: Who may ask for what. At a table the book says the rest.
MAY: Mapping[type, frozenset[Role]] = {
    w.Play: _PLAYER,
    w.Act: PIT | {"dealer", "device"},
    w.Sit: _PLAYER | {"dealer"},
    w.Rise: _PLAYER | {"dealer"},
    w.BuyIn: _PLAYER | {"dealer"},
    w.CashOut: _PLAYER,
    w.AddWord: _PLAYER,
    w.SayReady: _PLAYER,
    w.Read: frozenset({"device"}),
    w.SetTable: PIT,
    w.Assign: PIT,
    w.CloseTable: PIT,
    w.FileBook: _MANAGER,
    w.Deposit: _CASHIER,
    w.Withdraw: _CASHIER,
    w.Fill: PIT,
    w.PutFloat: _CASHIER,
    w.Approve: PIT | _CASHIER,
    w.OnMeter: PIT,
    w.AddPerson: _MANAGER,
    w.GiveRole: _MANAGER,
    w.Bar: _MANAGER,
    w.CloseDay: frozenset({"executive", "auditor"}),
}
assert set(MAY) == set(get_args(w.Wish)), "every wish says who may have it"


def decide(
    floor: Floor, sender: w.Sender, wish: Any, *, at: int, seeds: Mapping[str, bytes], draw: Chance
) -> Draft | Refusal:
    """What a request does, with everything that follows from it; or why it does nothing."""
    if (refused := _access(floor, sender, wish)) is not None:
        return refused
    draft = Draft(floor, at=at, seeds=seeds, draw=draw)
    if (refused := _one(draft, sender, wish)) is not None:
        return refused
    for stream in [*draft.events]:
        kind, _, name = stream.partition("/")
        if kind == "table":
            playing.go_on(draft, name)
        elif kind == "meter":
            for table in bridge.awaiting(draft, name):
                playing.go_on(draft, table)
    assert not sum(draft.postings.values()), "what one account loses another gains"
    if may_open(floor, draft.floor, draft.events, draft.postings):
        assert not open_pairs(draft.floor), f"streams do not agree: {open_pairs(draft.floor)}"
    return draft


def _access(floor: Floor, sender: w.Sender, wish: Any) -> Refusal | None:
    if isinstance(wish, w.Own):
        if sender != w.HOUSE:
            return house("access", "this is for the house itself")
        table = getattr(wish, "table", None)
        return None if table is None or table in floor.tables else _no_table(table)
    known = floor.people.role(sender.name)
    if sender != w.HOUSE and known != sender.role:
        return house("access", said("{who} is not on the staff as {role}", who=sender.name, role=sender.role))
    if sender != w.HOUSE and known not in MAY[type(wish)]:
        return house("access", said("{wish} is not for the {role}", wish=wish.__struct_config__.tag, role=sender.role))
    table = getattr(wish, "table", None)
    if table is not None and not isinstance(wish, w.SetTable):
        one = floor.tables.get(table)
        if one is None or one.gone:
            return _no_table(table)
    return None


def _no_table(table: str) -> Refusal:
    return house("table", said("there is no table {table} on this floor", table=repr(table)))


def _one(draft: Draft, sender: w.Sender, wish: Any) -> Refusal | None:
    match wish:
        case w.Play():
            return playing.play(draft, sender, wish)
        case w.Act():
            return playing.act(draft, sender, wish)
        case w.Tick():
            return playing.tick(draft, wish)
        case w.Sit():
            return tables.sit(draft, sender, wish)
        case w.Rise():
            return tables.rise(draft, sender, wish)
        case w.AddWord():
            return tables.add_word(draft, sender, wish)
        case w.SayReady():
            return tables.say_ready(draft, sender, wish)
        case w.Read():
            return devices.read(draft, sender, wish)
        case w.Gone() | w.Back():
            return tables.connection(draft, wish)
        case w.SetTable():
            return tables.set_table(draft, sender, wish)
        case w.Assign():
            return tables.assign(draft, sender, wish)
        case w.CloseTable():
            return tables.close(draft, sender, wish)
        case w.FileBook():
            return tables.file_book(draft, wish)
        case w.BuyIn():
            return cage.buy_in(draft, sender, wish)
        case w.CashOut():
            return cage.cash_out(draft, sender, wish)
        case w.Deposit() | w.Withdraw():
            return cage.purse(draft, sender, wish)
        case w.Fill() | w.PutFloat():
            return approvals.ask(draft, sender, wish)
        case w.OnMeter() if meters.takes_two(wish):
            return approvals.ask(draft, sender, wish)
        case w.OnMeter():
            return meters.command(draft, sender.name, "", wish)
        case w.Approve():
            return approvals.approve(draft, sender, wish)
        case w.AddPerson() | w.GiveRole() | w.Bar():
            return people.change(draft, sender, wish)
        case w.Found():
            return people.found(draft, wish)
        case w.Start():
            draft.add("house", hp.Started(program=wish.program))
            return None
        case w.Note():
            return people.note(draft, wish)
        case w.CloseDay():
            return days.close(draft, sender, wish)
        case w.SignDay():
            return days.sign(draft, wish)
        case _:
            raise AssertionError(f"nobody knows {wish}")
