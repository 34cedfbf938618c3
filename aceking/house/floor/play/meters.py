"""Commands of a meter that people give: set up, open, close, adjust, retire. Awards come by the table's own acts."""

from typing import Any

import msgspec

from aceking.house.floor import requests as w
from aceking.house.floor.draft import BOOK, PROGRAM, Draft, moment
from aceking.house.floor.library import book_named
from aceking.house.floor.play import bridge
from aceking.house.floor.refusals import house
from aceking.house.floor.roles import ON_METER
from aceking.meter import commands as k
from aceking.meter import several_meters as several
from aceking.meter.decide import decide as link_decide
from aceking.meter.state import LinkState
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import Refusal, Unregulated, refusal
from aceking.rules.sentence import said

#: What a person may ask of a meter by hand; the rest follows from the acts of its tables.
_BY_HAND = (
    k.Configure | k.Enrol | k.Open | k.Close | k.Retire | k.Adjust | k.Verify | k.Sign | k.PrintWinPage | k.ShownAll
)
_TWO = ("configure", "adjust", "retire")


def takes_two(wish: w.OnMeter) -> bool:
    """Whether a second person must confirm it (R5, R17)."""
    return wish.act.get("do") in _TWO


def against(draft: Draft, wish: w.OnMeter) -> Refusal | None:
    """Whether it can be read at all."""
    read = _read(draft, "", "", wish)
    return read if isinstance(read, Refusal) else None


def command(draft: Draft, by: str, second: str, wish: w.OnMeter) -> Refusal | None:
    """A command of the meter in the name of those who gave it."""
    read = _read(draft, by, second, wish)
    if isinstance(read, Refusal):
        return read
    state = draft.floor.meters.get(wish.meter, LinkState())
    if not draft.floor.meters.get(wish.meter) and not isinstance(read, k.Configure):
        return house("meter", said("there is no meter {meter}", meter=repr(wish.meter)))
    books = bridge.books_of(draft, wish.meter)
    if isinstance(read, k.Configure):
        found = _books(draft, read)
        if isinstance(found, Refusal):
            return found
        # Which of two meters that hands win a table is on, the table says itself.
        others = {name: one for name, one in draft.floor.meters.items() if {read.ceiling, one.ceiling} != {None}}
        if refused := several.against(others, wish.meter, read):
            return refused
        books = {**found, **books}
    if isinstance(read, k.Verify) and state.ceiling is None:
        return house("meter", "who confirms a hand does it at its table")
    if isinstance(read, k.Close | k.Retire) and (table := _plays_by_itself(draft, wish.meter)) is not None:
        words = "table {table} plays on meter {meter} by itself, and cannot without it: close the table first"
        return house("meter", said(words, table=repr(table), meter=repr(wish.meter)))
    events = link_decide(books, state, read, draft.seeds)
    if isinstance(events, Unregulated):
        return refusal(said("{reason}; {decides} decides", reason=events.reason, decides=events.decides), events.clause)
    if isinstance(events, Refusal):
        return events
    return bridge.followed(draft, wish.meter, events)


def _plays_by_itself(draft: Draft, meter: str) -> str | None:
    """An electronic table that is on this meter: nobody there could say how the game goes on without it."""
    for name, one in draft.floor.tables.items():
        if one.posted.meter == meter and one.posted.mode == "electronic" and not one.gone:
            return name
    return None


def enrol(draft: Draft, meter: str, sender: w.Sender, name: str) -> None:
    """Somebody is put on the roster of a meter by an executive."""
    role = ON_METER[draft.floor.people.persons[name].role]
    asked = k.Enrol(at=moment(draft), by=sender.name, name=name, role=role)
    events = link_decide(bridge.books_of(draft, meter), draft.floor.meters[meter], asked)
    if isinstance(events, tuple):
        draft.add(f"meter/{meter}", *events)


def _read(draft: Draft, by: str, second: str, wish: w.OnMeter) -> k.AnyCommand | Refusal:
    told = wish.act.keys() & {"by", "second", "at", "id", "people"}
    if told:
        return house(
            "input", said("{field}: who gives a command and when is not for the request to say", field=min(told))
        )
    raw: dict[str, Any] = {**wish.act, "by": by, "at": moment(draft)}
    if takes_two(wish):
        raw["second"] = second
    if wish.act.get("do") == "configure":
        staff = draft.floor.people.persons.values()
        roster = {one.name: ON_METER[one.role] for one in staff if one.role in ON_METER and not one.barred}
        raw["people"] = {**roster, PROGRAM: "dealer", BOOK: "supervisor"}
    try:
        read: k.AnyCommand = msgspec.convert(raw, _BY_HAND)
    except msgspec.ValidationError as wrong:
        return house("input", str(wrong))
    return read


def _books(draft: Draft, read: k.Configure) -> dict[str, Any] | Refusal:
    found: dict[str, Any] = {}
    for name in set(read.tables.values()):
        try:
            book = with_options(book_named(draft.floor.house, name), read.options.get(name, {}))
        except (BookError, ValueError) as wrong:
            return house("book", str(wrong))
        if isinstance(book, Refusal):
            return book
        found[name] = book
    return found
