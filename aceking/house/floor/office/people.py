"""Add people, change their roles and bar them; everything is on the record."""

import msgspec

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.play import meters
from aceking.house.floor.refusals import house_refusal
from aceking.house.floor.roles import ON_METER
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said

#: Names with a meaning of their own in the accounts of a table or on the roster of a meter.
RESERVED = frozenset(
    {"layout", "tray", "meter", "drop", "cage", "outside", "house", "program", "book", "player", "dealer"}
)
_NOTE = hp.LoggedIn | hp.LoggedOut | hp.AccessRefused | hp.LockedOut | hp.PasswordSet


def found_house(draft: Draft, request: w.FoundHouse) -> Refusal | None:
    """Found the house: its name, its people, and its own money in the cage."""
    if draft.floor.house.name:
        return house_refusal("people", said("this log already has the house {name}", name=repr(draft.floor.house.name)))
    if wrong := [name for name in request.people if name in RESERVED]:
        return house_refusal("people", said("{name} is a reserved name", name=repr(wrong[0])))
    draft.add("house", hp.HouseFounded(name=request.name, currencies=request.currencies))
    for name, role in sorted(request.people.items()):
        draft.add("people", hp.PersonAdded(name=name, role=role, by="house"))
    for currency in sorted(request.currencies) if request.float else ():
        draft.add("cage", hp.Floated(currency=currency, amount=request.float, by="house", second="house"))
    return None


def change(draft: Draft, sender: w.Sender, request: w.AddPerson | w.GiveRole | w.Bar) -> Refusal | None:
    """Add a person, change their role, or bar them."""
    known = draft.floor.people.persons.get(request.name)
    if request.name in RESERVED:
        return house_refusal("people", said("{name} is a reserved name", name=repr(request.name)))
    match request:
        case w.AddPerson():
            if known is not None:
                return house_refusal("people", said("there is already a person {name}", name=repr(request.name)))
            added = hp.PersonAdded(name=request.name, role=request.role, shown=request.shown, by=sender.name)
            draft.add("people", added)
            _enrol(draft, sender, request.name)
        case _ if known is None:
            return house_refusal("people", said("nobody has the name {name}", name=repr(request.name)))
        case _ if request.name == sender.name:
            return house_refusal("two", "nobody changes their own role")
        case w.GiveRole():
            if _in_play(draft, request.name):
                words = "{name} has chips on a table; their role stays until they have left it"
                return house_refusal("people", said(words, name=request.name))
            draft.add("people", hp.RoleGiven(name=request.name, role=request.role, by=sender.name))
            _enrol(draft, sender, request.name)
        case w.Bar():
            barred = hp.PersonBarred(name=request.name, by=sender.name, reason=request.reason, back=request.back)
            draft.add("people", barred)
    return None


def _in_play(draft: Draft, name: str) -> bool:
    return any(name in state.players or state.chips(name) for state in draft.floor.tables.values())


def _enrol(draft: Draft, sender: w.Sender, name: str) -> None:
    """Put a person whom an executive brings in on the roster of every meter too."""
    role = draft.floor.people.persons[name].role
    if sender.role == "executive" and role in ON_METER:
        for meter in draft.floor.meters:
            meters.enrol(draft, meter, sender, name)


def note(draft: Draft, request: w.Note) -> Refusal | None:
    """Record a log-in, a log-out, a refused access, a lock-out or a password change."""
    draft.add("people", msgspec.convert(request.event, _NOTE))
    return None
