"""Views of the floor for people: the lobby, a table and what is posted at it, meters, waiting requests.

What each viewer may see is decided here and in `table/show/view.py` and nowhere else. Nothing here has the order of
the cards.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from aceking.house.floor.library import book_of
from aceking.house.floor.play import acts
from aceking.house.floor.roles import PIT, Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.meter.state import MeterState, display, pending
from aceking.money.chips import shown
from aceking.table.show.part import ShownPart
from aceking.table.show.view import Common, Eye, OwnView, Viewer, common, own

#: The view of each role outside the pit; other roles see what the rail sees.
_EYES: dict[Role | None, Eye] = {
    "player": "player",
    "dealer": "dealer",
    "device": "dealer",
    "auditor": "surveillance",
}


class PostedLimits(ShownPart, frozen=True, kw_only=True):
    """The limits, times and options that a table posts before anybody sits down."""

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


class TableCard(ShownPart, frozen=True, kw_only=True):
    id: str
    posted: PostedLimits
    seats: dict[int, str] = {}
    open: bool = True
    round: int | None = None
    phase: str | None = None
    meter: str | None = None  # the displayed value
    must_hit: dict[str, str] = {}  # the displayed value of each must-hit-by meter, by name


class ClockView(ShownPart, frozen=True, kw_only=True):
    """The clock that runs, and when it ends in milliseconds since 1970."""

    what: str
    ends: int


class SealView(ShownPart, frozen=True, kw_only=True):
    """The public part of what fixes the order of the deck in use."""

    commitment: str
    words: dict[str, str] = {}


class Rail(ShownPart, frozen=True, kw_only=True):
    """A table as everybody may see it, made once for all viewers."""

    id: str
    version: int  # of its stream: a newer view replaces an older one
    at: int
    posted: PostedLimits
    seats: dict[int, str]
    chips: dict[str, str]  # by player
    common: Common
    clock: ClockView | None = None
    seal: SealView | None = None
    ready: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    closing: bool = False


class MeterView(ShownPart, frozen=True, kw_only=True):
    """A meter as every display shows it."""

    id: str
    phase: str
    value: str
    currency: str
    tables: tuple[str, ...] = ()
    must_hit_by: str | None = None
    commitment: str | None = None  # of the current trigger
    pending: tuple[dict[str, Any], ...] = ()
    hits: tuple[dict[str, Any], ...] = ()


class WaitingView(ShownPart, frozen=True, kw_only=True):
    """A request of one person that another must confirm."""

    number: int
    what: msgspec.Raw
    by: str
    of: tuple[Role, ...]


def eye_of(role: Role | None) -> Eye:
    """Return the view that a role has of a table."""
    return "pit" if role in PIT else _EYES.get(role, "rail")


def posted(floor: Floor, state: FloorTable) -> PostedLimits:
    book, limits = book_of(floor.house, state), state.posted
    return PostedLimits(
        name=limits.name,
        book=book.id,
        title=book.title,
        house=book.house,
        version=book.version,
        mode=limits.mode,
        currency=book.currency,
        decimals=book.decimals,
        ante_min=shown(limits.ante_min, decimals=book.decimals),
        ante_max=shown(limits.ante_max, decimals=book.decimals),
        boxes=book.table.seats_max,
        bet_seconds=limits.bet_seconds,
        decide_seconds=limits.decide_seconds,
        grace_seconds=limits.grace_seconds,
        pause_seconds=limits.pause_seconds,
        options=state.table.options,
        meter=limits.meter,
        attended=limits.attended,
    )


def lobby(floor: Floor) -> tuple[TableCard, ...]:
    """Return a card for every table on the floor."""
    return tuple(_card(floor, state) for state in floor.tables.values() if not state.gone)


def _card(floor: Floor, state: FloorTable) -> TableCard:
    current, limits = state.table.round, posted(floor, state)
    meter = floor.meters.get(state.posted.meter or "")
    return TableCard(
        id=state.table.id,
        posted=limits,
        seats=state.seats,
        open=not state.closing,
        round=None if current is None else current.number,
        phase=None if current is None else current.phase,
        meter=None if meter is None else shown(display(meter), decimals=limits.decimals),
        must_hit={name: shown(display(floor.meters[name]), decimals=limits.decimals) for name in state.posted.must_hit},
    )


def rail(floor: Floor, name: str) -> Rail:
    """Return a table as everybody may see it."""
    state = floor.tables[name]
    book = book_of(floor.house, state)
    clock = acts.deadline(state)
    current = state.table.live_round
    seal = state.seals.get(current.deck or "") if current is not None else None
    return Rail(
        id=name,
        version=floor.versions[f"table/{name}"],
        at=floor.moment,
        posted=posted(floor, state),
        seats=state.seats,
        chips={player: shown(state.chips(player), decimals=book.decimals) for player in state.players},
        common=common(book, state.table),
        clock=None if clock is None else ClockView(what=clock[1], ends=clock[0]),
        seal=None if seal is None else SealView(commitment=seal.commitment, words=seal.words),
        ready=tuple(sorted(state.ready)),
        away=tuple(sorted(state.away)),
        closing=state.closing,
    )


def own_part(floor: Floor, name: str, role: Role | None, person: str) -> OwnView:
    """Return what one person sees and may do at a table, besides the rail."""
    state = floor.tables[name]
    eye, book = eye_of(role), book_of(floor.house, state)
    if eye != "player":
        return own(book, state.table, Viewer(eye))
    seats = tuple([box for box, player in state.seats.items() if player == person])
    return own(book, state.table, Viewer(eye, person, seats))


def meters(floor: Floor) -> tuple[MeterView, ...]:
    """Return every meter that is set up."""
    return tuple(
        _meter(name, meter, floor.house.currencies.get(meter.config.currency, 2))
        for name, meter in floor.meters.items()
        if meter.config is not None
    )


def _meter(name: str, meter: MeterState, decimals: int) -> MeterView:
    assert meter.config is not None, "a meter is configured before it is shown"
    return MeterView(
        id=name,
        phase=meter.phase,
        value=shown(display(meter), decimals=decimals),
        currency=meter.config.currency,
        tables=tuple(meter.tables),
        must_hit_by=None if meter.ceiling is None else shown(meter.ceiling, decimals=decimals),
        commitment=None if meter.trigger is None else meter.trigger.commitment,
        pending=tuple(
            {"table": award.table, "seat": award.seat, "amount": shown(award.amount, decimals=decimals)}
            for award in pending(meter)
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
            for award in meter.hits[-10:]
        ),
    )


def waiting(floor: Floor, role: Role | None) -> tuple[WaitingView, ...]:
    """Return the requests that wait for a second person, for the roles that may confirm them and for the pit."""
    return tuple(
        WaitingView(number=approval.number, what=approval.what, by=approval.by, of=approval.of)
        for approval in floor.cage.waiting.values()
        if role in approval.of or role in PIT
    )


def purse(floor: Floor, player: str) -> dict[str, str]:
    """Return a player's money in their purse, by currency."""
    return {
        currency: shown(till.purses[player], decimals=floor.house.currencies[currency])
        for currency, till in floor.cage.tills.items()
        if player in till.purses
    }


def tables_of(streams: Iterable[str]) -> set[str]:
    """Return the tables among these streams."""
    return {stream.removeprefix("table/") for stream in streams if stream.startswith("table/")}
