"""Requests that take two persons: one asks, another person with the confirming role confirms or declines."""

import msgspec

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.office import cage
from aceking.house.floor.play import meters
from aceking.house.floor.refusals import house_refusal
from aceking.house.floor.roles import Role
from aceking.house.record import canonical
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said

TwoPersonRequest = w.Fill | w.PutFloat | w.OnMeter
#: The roles that confirm each request of another person.
CONFIRMS: dict[type, tuple[Role, ...]] = {
    w.Fill: ("cashier",),
    w.PutFloat: ("executive",),
    w.OnMeter: ("supervisor", "executive"),
}
_READ: msgspec.json.Decoder[TwoPersonRequest] = msgspec.json.Decoder(TwoPersonRequest)


def ask(draft: Draft, sender: w.Sender, request: TwoPersonRequest) -> Refusal | None:
    """Record the request of the first person."""
    assert sender.role != "house", "the house itself sends no request that takes two persons"
    if (refused := _against(draft, request)) is not None:
        return refused
    draft.add(
        "cage",
        hp.ApprovalAsked(
            number=draft.floor.cage.asked + 1,
            what=canonical(request),
            by=sender.name,
            role=sender.role,
            of=CONFIRMS[type(request)],
        ),
    )
    return None


def approve(draft: Draft, sender: w.Sender, request: w.Approve) -> Refusal | None:
    """Confirm or decline as the second person. The person who asked may only take it back."""
    waiting = draft.floor.cage.waiting.get(request.number)
    if waiting is None:
        return house_refusal("two", said("nothing waits under number {number}", number=request.number))
    if sender.name == waiting.by and request.given:
        return house_refusal("two", "another person confirms what you asked for")
    if sender.name != waiting.by and sender.role not in waiting.of:
        return house_refusal("two", said("this is confirmed by the {roles}", roles=" or the ".join(waiting.of)))
    if not request.given and not request.reason.strip():
        return house_refusal("input", "give a reason for declining")
    draft.add(
        "cage", hp.ApprovalSettled(number=request.number, by=sender.name, given=request.given, reason=request.reason)
    )
    return _carry_out(draft, waiting.by, sender.name, _READ.decode(waiting.what)) if request.given else None


def _carry_out(draft: Draft, by: str, second: str, request: TwoPersonRequest) -> Refusal | None:
    if (refused := _against(draft, request)) is not None:
        return refused
    match request:
        case w.Fill():
            cage.fill(draft, by, second, request)
        case w.PutFloat():
            cage.put_float(draft, by, second, request)
        case w.OnMeter():
            return meters.command(draft, by, second, request)
    return None


def _against(draft: Draft, request: TwoPersonRequest) -> Refusal | None:
    """Return the refusal if it cannot be done now, or None: checked when it is asked and when it is confirmed."""
    return cage.against(draft, request) if isinstance(request, w.Fill | w.PutFloat) else meters.against(draft, request)
