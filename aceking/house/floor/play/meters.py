"""Commands that people give to a meter: set up, open, close, adjust, retire. Awards come from the acts of tables."""

from typing import Any

import msgspec

from aceking.house.floor import requests as w
from aceking.house.floor.draft import BOOK, PROGRAM, Draft, moment
from aceking.house.floor.library import book_named
from aceking.house.floor.play import bridge
from aceking.house.floor.refusals import house_refusal
from aceking.house.floor.roles import ON_METER
from aceking.meter import commands as k
from aceking.meter import several_meters
from aceking.meter.decide import decide as meter_decide
from aceking.meter.state import MeterState
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import Refusal, Unregulated, refusal
from aceking.rules.sentence import said

#: Commands that a person may give; the others follow from the acts of its tables.
_BY_HAND = (
    k.Configure
    | k.Enrol
    | k.Open
    | k.Close
    | k.Retire
    | k.AdjustMeter
    | k.VerifyAward
    | k.SignAward
    | k.PrintAwardPage
    | k.ShownAll
)
_TWO = ("configure", "adjust", "retire")


def takes_two(request: w.OnMeter) -> bool:
    """Return True if a second person must confirm the command (R5, R17)."""
    return request.act.get("do") in _TWO


def against(draft: Draft, request: w.OnMeter) -> Refusal | None:
    """Return the refusal if the command cannot be read, or None."""
    meter_command = _read(draft, "", "", request)
    return meter_command if isinstance(meter_command, Refusal) else None


def command(draft: Draft, by: str, second: str, request: w.OnMeter) -> Refusal | None:
    """Do a command on the meter in the name of the persons who gave it."""
    meter_command = _read(draft, by, second, request)
    if isinstance(meter_command, Refusal):
        return meter_command
    state = draft.floor.meters.get(request.meter, MeterState())
    if not draft.floor.meters.get(request.meter) and not isinstance(meter_command, k.Configure):
        return house_refusal("meter", said("there is no meter {meter}", meter=repr(request.meter)))
    books = bridge.books_of(draft, request.meter)
    if isinstance(meter_command, k.Configure):
        configured = _books(draft, meter_command)
        if isinstance(configured, Refusal):
            return configured
        # Of two meters that hands win, the table itself names the one that it is on.
        ceiling, known = meter_command.ceiling, draft.floor.meters.items()
        others = {name: other for name, other in known if {ceiling, other.ceiling} != {None}}
        if refused := several_meters.conflict(others, request.meter, meter_command):
            return refused
        books = {**configured, **books}
    if isinstance(meter_command, k.VerifyAward) and state.ceiling is None:
        return house_refusal("meter", "a hand is confirmed at its table")
    if isinstance(meter_command, k.Close | k.Retire) and (table := _plays_by_itself(draft, request.meter)) is not None:
        words = "table {table} plays by itself and needs meter {meter}: close the table first"
        return house_refusal("meter", said(words, table=repr(table), meter=repr(request.meter)))
    events = meter_decide(books, state, meter_command, draft.seeds)
    if isinstance(events, Unregulated):
        return refusal(said("{reason}; {decides} decides", reason=events.reason, decides=events.decides), events.clause)
    if isinstance(events, Refusal):
        return events
    return bridge.add_meter_events(draft, request.meter, events)


def _plays_by_itself(draft: Draft, meter: str) -> str | None:
    """Return the first electronic table on this meter, or None. Nobody there could decide how to go on without it."""
    for name, state in draft.floor.tables.items():
        if state.posted.meter == meter and state.posted.mode == "electronic" and not state.gone:
            return name
    return None


def enrol(draft: Draft, meter: str, sender: w.Sender, name: str) -> None:
    """Put a person on the roster of a meter, on the authority of an executive."""
    role = ON_METER[draft.floor.people.persons[name].role]
    command = k.Enrol(at=moment(draft.at), by=sender.name, name=name, role=role)
    events = meter_decide(bridge.books_of(draft, meter), draft.floor.meters[meter], command)
    if isinstance(events, tuple):
        draft.add(f"meter/{meter}", *events)


def _read(draft: Draft, by: str, second: str, request: w.OnMeter) -> k.AnyCommand | Refusal:
    fields = request.act.keys() & {"by", "second", "at", "id", "people"}
    if fields:
        return house_refusal(
            "input", said("{field}: a request does not say who gives a command or when", field=min(fields))
        )
    raw: dict[str, Any] = {**request.act, "by": by, "at": moment(draft.at)}
    if takes_two(request):
        raw["second"] = second
    if request.act.get("do") == "configure":
        staff = draft.floor.people.persons.values()
        roster = {one.name: ON_METER[one.role] for one in staff if one.role in ON_METER and not one.barred}
        raw["people"] = {**roster, PROGRAM: "dealer", BOOK: "supervisor"}
    try:
        command: k.AnyCommand = msgspec.convert(raw, _BY_HAND)
    except msgspec.ValidationError as wrong:
        return house_refusal("input", str(wrong))
    return command


def _books(draft: Draft, command: k.Configure) -> dict[str, Any] | Refusal:
    books: dict[str, Any] = {}
    for name in set(command.tables.values()):
        try:
            book = with_options(book_named(draft.floor.house, name), command.options.get(name, {}))
        except (BookError, ValueError) as wrong:
            return house_refusal("book", str(wrong))
        if isinstance(book, Refusal):
            return book
        books[name] = book
    return books
