"""What people see of the floor: the lobby, a table with what is posted at it, meters, what waits, past rounds.

Cut by who looks, here and in `table/show/view.py` and nowhere else. Nothing here has the order of the cards.
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from aceking.house.floor.library import book_of
from aceking.house.floor.play import acts as playing
from aceking.house.floor.roles import PIT, Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.meter.state import LinkState, display, pending
from aceking.money.chips import shown
from aceking.table.show.view import Common, Own, Viewer, common, own

Eye = Literal["player", "dealer", "pit", "rail", "surveillance"]


#: With whose eyes those see who are not of the pit; everybody else sees what the rail does.
_EYES: dict[Role | None, Eye] = {
    "player": "player",
    "dealer": "dealer",
    "device": "dealer",
    "auditor": "surveillance",
}


class _View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what somebody sees."""


class Posted(_View, frozen=True, kw_only=True):
    """What is printed at a table before anybody sits down."""

    name: str
    book: str
    title: str
    house: str
    version: str
    mode: str
    currency: str
    decimals: int
    ante_min: str
    ante_max: str
    boxes: int
    bet_seconds: int
    decide_seconds: int
    grace_seconds: int
    pause_seconds: int
    options: dict[str, Any] = {}
    meter: str | None = None
    attended: bool = True


class TableCard(_View, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    posted: Posted
    seats: dict[int, str] = {}
    open: bool = True
    round: int | None = None
    phase: str | None = None
    meter: str | None = None  # what it shows
    must_hit: dict[str, str] = {}  # what its must-hit-by meters show, by their names


class ClockView(_View, frozen=True, kw_only=True):
    """Which clock runs, and until when, in milliseconds since 1970."""

    what: str
    ends: int


class SealView(_View, frozen=True, kw_only=True):
    """What fixes the order of the deck in use, as far as it may be seen."""

    commitment: str
    words: dict[str, str] = {}


class Rail(_View, frozen=True, kw_only=True):
    """A table as everybody may see it: made once for all who watch."""

    id: str
    version: int  # of its stream: what is newer replaces what is older
    at: int
    posted: Posted
    seats: dict[int, str]
    chips: dict[str, str]  # what lies before each player
    common: Common
    clock: ClockView | None = None
    seal: SealView | None = None
    ready: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    closing: bool = False


class MeterView(_View, frozen=True, kw_only=True):
    """A meter as every display shows it."""

    id: str
    phase: str
    value: str
    currency: str
    tables: tuple[str, ...] = ()
    must_hit_by: str | None = None
    commitment: str | None = None  # of the trigger that waits to be reached
    pending: tuple[dict[str, Any], ...] = ()
    hits: tuple[dict[str, Any], ...] = ()


class WaitingView(_View, frozen=True, kw_only=True):
    """What one person asked for and another must confirm."""

    number: int
    what: msgspec.Raw
    by: str
    of: tuple[Role, ...]


def eye_of(role: Role | None) -> Eye:
    """With whose eyes somebody of this part sees a table."""
    return "pit" if role in PIT else _EYES.get(role, "rail")


def posted(floor: Floor, one: FloorTable) -> Posted:
    """What is printed at a table."""
    book, told = book_of(floor.house, one), one.posted
    return Posted(
        name=told.name,
        book=book.id,
        title=book.title,
        house=book.house,
        version=book.version,
        mode=told.mode,
        currency=book.currency,
        decimals=book.decimals,
        ante_min=shown(told.ante_min, decimals=book.decimals),
        ante_max=shown(told.ante_max, decimals=book.decimals),
        boxes=book.table.seats_max,
        bet_seconds=told.bet_seconds,
        decide_seconds=told.decide_seconds,
        grace_seconds=told.grace_seconds,
        pause_seconds=told.pause_seconds,
        options=one.table.options,
        meter=told.meter,
        attended=told.attended,
    )


def lobby(floor: Floor) -> tuple[TableCard, ...]:
    """Every table that stands."""
    return tuple(_card(floor, one) for one in floor.tables.values() if not one.gone)


def _card(floor: Floor, one: FloorTable) -> TableCard:
    current, told = one.table.round, posted(floor, one)
    meter = floor.meters.get(one.posted.meter or "")
    return TableCard(
        id=one.table.id,
        posted=told,
        seats=one.seats,
        open=not one.closing,
        round=None if current is None else current.number,
        phase=None if current is None else current.phase,
        meter=None if meter is None else shown(display(meter), decimals=told.decimals),
        must_hit={name: shown(display(floor.meters[name]), decimals=told.decimals) for name in one.posted.must_hit},
    )


def rail(floor: Floor, name: str) -> Rail:
    """A table as everybody may see it."""
    one = floor.tables[name]
    book = book_of(floor.house, one)
    clock = playing.deadline(one)
    current = one.table.live_round
    seal = one.seals.get(current.deck or "") if current is not None else None
    return Rail(
        id=name,
        version=floor.versions[f"table/{name}"],
        at=floor.moment,
        posted=posted(floor, one),
        seats=one.seats,
        chips={player: shown(one.chips(player), decimals=book.decimals) for player in one.players},
        common=common(book, one.table),
        clock=None if clock is None else ClockView(what=clock[1], ends=clock[0]),
        seal=None if seal is None else SealView(commitment=seal.commitment, words=seal.words),
        ready=tuple(sorted(one.ready)),
        away=tuple(sorted(one.away)),
        closing=one.closing,
    )


def own_part(floor: Floor, name: str, role: Role | None, person: str) -> Own:
    """What one person sees and may do at a table besides."""
    one = floor.tables[name]
    eye, book = eye_of(role), book_of(floor.house, one)
    if eye != "player":
        return own(book, one.table, Viewer(eye))
    seats = tuple([box for box, player in one.seats.items() if player == person])
    return own(book, one.table, Viewer(eye, person, seats))


def meters(floor: Floor) -> tuple[MeterView, ...]:
    """Every meter that runs or ran."""
    return tuple(
        _meter(name, one, floor.house.currencies.get(one.config.currency, 2))
        for name, one in floor.meters.items()
        if one.config is not None
    )


def _meter(name: str, one: LinkState, decimals: int) -> MeterView:
    assert one.config is not None, "a meter is configured before it is shown"
    return MeterView(
        id=name,
        phase=one.phase,
        value=shown(display(one), decimals=decimals),
        currency=one.config.currency,
        tables=tuple(one.tables),
        must_hit_by=None if one.ceiling is None else shown(one.ceiling, decimals=decimals),
        commitment=None if one.trigger is None else one.trigger.commitment,
        pending=tuple(
            {"table": award.table, "seat": award.seat, "amount": shown(award.amount, decimals=decimals)}
            for award in pending(one)
        ),
        hits=tuple(
            {
                "id": award.id,
                "table": award.table,
                "seat": award.seat,
                "hand": award.hand,
                "amount": shown(award.amount, decimals=decimals),
                "at": award.recognised,
            }
            for award in one.hits[-10:]
        ),
    )


def waiting(floor: Floor, role: Role | None) -> tuple[WaitingView, ...]:
    """What waits for a second person, for those who may confirm it or have a part in the pit."""
    return tuple(
        WaitingView(number=one.number, what=one.what, by=one.by, of=one.of)
        for one in floor.cage.waiting.values()
        if role in one.of or role in PIT
    )


def purse(floor: Floor, player: str) -> dict[str, str]:
    """What a player has in his purse, by currency."""
    return {
        currency: shown(till.purses[player], decimals=floor.house.currencies[currency])
        for currency, till in floor.cage.tills.items()
        if player in till.purses
    }


def tables_of(streams: Iterable[str]) -> set[str]:
    """The tables among streams."""
    return {stream.removeprefix("table/") for stream in streams if stream.startswith("table/")}
