"""Decide one request: a draft of its unit, or a refusal with the clause or house rule that decides it."""

from collections.abc import Mapping
from typing import Any, get_args

from aceking.house.chance import Chance
from aceking.house.floor import approvals
from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.ledger import may_open, open_pairs
from aceking.house.floor.office import cage, days, people
from aceking.house.floor.play import acts, bridge, devices, meters, tables
from aceking.house.floor.refusals import house_refusal
from aceking.house.floor.roles import PIT, Role
from aceking.house.floor.states import Floor
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said

_PLAYER: frozenset[Role] = frozenset({"player"})
_MANAGER: frozenset[Role] = frozenset({"manager", "executive"})
_CASHIER: frozenset[Role] = frozenset({"cashier"})

#: The roles that may send each request. At a table the book may restrict them further.
MAY: Mapping[type, frozenset[Role]] = {
    w.PlayRequest: _PLAYER,
    w.TableAct: PIT | {"dealer", "device"},
    w.SitRequest: _PLAYER | {"dealer"},
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
assert set(MAY) == set(get_args(w.AnyRequest)), "every request says who may send it"


def decide(
    floor: Floor, sender: w.Sender, request: Any, *, at: int, seeds: Mapping[str, bytes], draw: Chance
) -> Draft | Refusal:
    """Return the draft of everything that follows from a request, or the refusal."""
    if (refused := _access(floor, sender, request)) is not None:
        return refused
    draft = Draft(floor, at=at, seeds=seeds, draw=draw)
    if (refused := _dispatch(draft, sender, request)) is not None:
        return refused
    for stream in [*draft.events]:
        kind, _, name = stream.partition("/")
        if kind == "table":
            acts.go_on(draft, name)
        elif kind == "meter":
            for table in bridge.awaiting(draft, name):
                acts.go_on(draft, table)
    assert not sum(draft.postings.values()), "postings sum to zero"
    if may_open(floor, draft.floor, draft.events, draft.postings):
        assert not open_pairs(draft.floor), f"streams do not agree: {open_pairs(draft.floor)}"
    return draft


def _access(floor: Floor, sender: w.Sender, request: Any) -> Refusal | None:
    if isinstance(request, w.OwnRequest):
        if sender != w.HOUSE:
            return house_refusal("access", "this is for the house itself")
        table = getattr(request, "table", None)
        return None if table is None or table in floor.tables else _no_table(table)
    known = floor.people.role(sender.name)
    if sender != w.HOUSE and known != sender.role:
        return house_refusal("access", said("{who} does not have the role {role}", who=sender.name, role=sender.role))
    if sender != w.HOUSE and known not in MAY[type(request)]:
        tag = request.__struct_config__.tag
        return house_refusal("access", said("{request} is not for the {role}", request=tag, role=sender.role))
    table = getattr(request, "table", None)
    if table is not None and not isinstance(request, w.SetTable):
        state = floor.tables.get(table)
        if state is None or state.gone:
            return _no_table(table)
    return None


def _no_table(table: str) -> Refusal:
    return house_refusal("table", said("there is no table {table} on this floor", table=repr(table)))


def _dispatch(draft: Draft, sender: w.Sender, request: Any) -> Refusal | None:
    match request:
        case w.PlayRequest():
            return acts.play(draft, sender, request)
        case w.TableAct():
            return acts.act(draft, sender, request)
        case w.Tick():
            return acts.tick(draft, request)
        case w.SitRequest():
            return tables.sit(draft, sender, request)
        case w.Rise():
            return tables.rise(draft, sender, request)
        case w.AddWord():
            return tables.add_word(draft, sender, request)
        case w.SayReady():
            return tables.say_ready(draft, sender, request)
        case w.Read():
            return devices.read(draft, sender, request)
        case w.ConnectionLost() | w.ConnectionBack():
            return tables.connection(draft, request)
        case w.SetTable():
            return tables.set_table(draft, sender, request)
        case w.Assign():
            return tables.assign(draft, sender, request)
        case w.CloseTable():
            return tables.close(draft, sender, request)
        case w.FileBook():
            return tables.file_book(draft, request)
        case w.BuyIn():
            return cage.buy_in(draft, sender, request)
        case w.CashOut():
            return cage.cash_out(draft, sender, request)
        case w.Deposit() | w.Withdraw():
            return cage.purse(draft, sender, request)
        case w.Fill() | w.PutFloat():
            return approvals.ask(draft, sender, request)
        case w.OnMeter() if meters.takes_two(request):
            return approvals.ask(draft, sender, request)
        case w.OnMeter():
            return meters.command(draft, sender.name, "", request)
        case w.Approve():
            return approvals.approve(draft, sender, request)
        case w.AddPerson() | w.GiveRole() | w.Bar():
            return people.change(draft, sender, request)
        case w.FoundHouse():
            return people.found_house(draft, request)
        case w.Start():
            draft.add("house", hp.Started(program=request.program))
            return None
        case w.Note():
            return people.note(draft, request)
        case w.CloseDay():
            return days.close(draft, sender, request)
        case w.SignDay():
            return days.sign(draft, request)
        case _:
            raise AssertionError(f"no handler for {request}")
