"""What takes two persons: asked by one, confirmed by another of the part that answers for it, or declined."""

import msgspec

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.office import cage
from aceking.house.floor.play import meters
from aceking.house.floor.refusals import house
from aceking.house.floor.roles import Role
from aceking.house.record import canonical
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said

Twice = w.Fill | w.PutFloat | w.OnMeter
#: Who confirms what somebody else has asked for.
CONFIRMS: dict[type, tuple[Role, ...]] = {
    w.Fill: ("cashier",),
    w.PutFloat: ("executive",),
    w.OnMeter: ("supervisor", "executive"),
}
_READ: msgspec.json.Decoder[Twice] = msgspec.json.Decoder(Twice)


def ask(draft: Draft, sender: w.Sender, wish: Twice) -> Refusal | None:
    """The first of two persons."""
    assert sender.role != "house", "the house itself asks for nothing that takes persons"
    if (refused := _against(draft, wish)) is not None:
        return refused
    draft.add(
        "cage",
        hp.Asked(
            number=draft.floor.cage.asked + 1,
            what=canonical(wish),
            by=sender.name,
            role=sender.role,
            of=CONFIRMS[type(wish)],
        ),
    )
    return None


def approve(draft: Draft, sender: w.Sender, wish: w.Approve) -> Refusal | None:
    """The second of two persons: another one, of the part that confirms. Who asked may only take it back."""
    waiting = draft.floor.cage.waiting.get(wish.number)
    if waiting is None:
        return house("two", said("nothing waits under number {number}", number=wish.number))
    if sender.name == waiting.by and wish.given:
        return house("two", "another person confirms what you asked for")
    if sender.name != waiting.by and sender.role not in waiting.of:
        return house("two", said("this is confirmed by the {roles}", roles=" or the ".join(waiting.of)))
    if not wish.given and not wish.reason.strip():
        return house("input", "why is it declined?")
    draft.add("cage", hp.Settled(number=wish.number, by=sender.name, given=wish.given, reason=wish.reason))
    return _done(draft, waiting.by, sender.name, _READ.decode(waiting.what)) if wish.given else None


def _done(draft: Draft, by: str, second: str, wish: Twice) -> Refusal | None:
    if (refused := _against(draft, wish)) is not None:
        return refused
    match wish:
        case w.Fill():
            cage.fill(draft, by, second, wish)
        case w.PutFloat():
            cage.put_float(draft, by, second, wish)
        case w.OnMeter():
            return meters.command(draft, by, second, wish)
    return None


def _against(draft: Draft, wish: Twice) -> Refusal | None:
    """What stands against it, when it is asked and again when it is confirmed."""
    return cage.against(draft, wish) if isinstance(wish, w.Fill | w.PutFloat) else meters.against(draft, wish)
