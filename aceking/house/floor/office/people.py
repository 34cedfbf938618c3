"""Who may log in, in which part: added, changed and barred by those who answer for it, and all of it on the record."""

import msgspec

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.play import meters
from aceking.house.floor.refusals import house
from aceking.house.floor.roles import ON_METER
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said

#: Names that mean something else in the accounts of a table or on the roster of a meter.
RESERVED = frozenset(
    {"layout", "tray", "meter", "drop", "cage", "outside", "house", "program", "book", "player", "dealer"}
)
_NOTE = hp.LoggedIn | hp.LoggedOut | hp.AccessRefused | hp.LockedOut | hp.PasswordSet


def found(draft: Draft, wish: w.Found) -> Refusal | None:
    """A house begins: its name, its people, and its own money in the cage."""
    if draft.floor.house.name:
        return house("people", said("this is the house {name} already", name=repr(draft.floor.house.name)))
    if wrong := [name for name in wish.people if name in RESERVED]:
        return house("people", said("{name} means something else in a house", name=repr(wrong[0])))
    draft.add("house", hp.HouseFounded(name=wish.name, currencies=wish.currencies))
    for name, role in sorted(wish.people.items()):
        draft.add("people", hp.PersonAdded(name=name, role=role, by="house"))
    for currency in sorted(wish.currencies) if wish.float else ():
        draft.add("cage", hp.Floated(currency=currency, amount=wish.float, by="house", second="house"))
    return None


def change(draft: Draft, sender: w.Sender, wish: w.AddPerson | w.GiveRole | w.Bar) -> Refusal | None:
    """Somebody comes, has another part, or goes."""
    known = draft.floor.people.persons.get(wish.name)
    if wish.name in RESERVED:
        return house("people", said("{name} means something else in a house", name=repr(wish.name)))
    match wish:
        case w.AddPerson():
            if known is not None:
                return house("people", said("there is a {name} already", name=repr(wish.name)))
            added = hp.PersonAdded(name=wish.name, role=wish.role, shown=wish.shown, by=sender.name)
            draft.add("people", added)
            _enrol(draft, sender, wish.name)
        case _ if known is None:
            return house("people", said("there is nobody of the name {name}", name=repr(wish.name)))
        case _ if wish.name == sender.name:
            return house("two", "nobody changes his own part")
        case w.GiveRole():
            if _in_play(draft, wish.name):
                return house(
                    "people", said("{name} has chips on a table; his part stays until he has left it", name=wish.name)
                )
            draft.add("people", hp.RoleGiven(name=wish.name, role=wish.role, by=sender.name))
            _enrol(draft, sender, wish.name)
        case w.Bar():
            draft.add("people", hp.PersonBarred(name=wish.name, by=sender.name, reason=wish.reason, back=wish.back))
    return None


def _in_play(draft: Draft, name: str) -> bool:
    return any(name in one.players or one.chips(name) for one in draft.floor.tables.values())


def _enrol(draft: Draft, sender: w.Sender, name: str) -> None:
    """Whoever an executive brings in is on the roster of the meters too, on his word."""
    role = draft.floor.people.persons[name].role
    if sender.role == "executive" and role in ON_METER:
        for meter in draft.floor.meters:
            meters.enrol(draft, meter, sender, name)


def note(draft: Draft, wish: w.Note) -> Refusal | None:
    """What the gateway saw: log-ins, refusals, lock-outs."""
    draft.add("people", msgspec.convert(wish.event, _NOTE))
    return None
