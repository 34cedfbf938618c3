"""The states of the floor, one for each stream, and the functions that apply an event to each."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from aceking.house.floor import events as hp
from aceking.house.floor.roles import Role
from aceking.meter.state import MeterState
from aceking.settlement.lines import MAIN
from aceking.table.event import Dealt, RoundEnded, RoundOpened, Staked, WasCut
from aceking.table.event import TableEvent as TableEvent
from aceking.table.evolve import NEXT
from aceking.table.money.award_lines import is_award
from aceking.table.state import Round, TableState


class HouseState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str = ""
    currencies: dict[str, int] = {}  # code to decimals
    books: dict[str, hp.BookFiled] = {}  # by digest
    days: dict[str, hp.DayClosed] = {}  # the last two that were closed
    signed: str = ""  # the last signed day
    public: str = ""  # the public key of its signature
    program: str = ""  # the program version that decides


class Person(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person who may log in."""

    name: str
    role: Role
    shown: str = ""
    barred: bool = False
    has_password: bool = False


class People(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everybody whom the house knows."""

    persons: dict[str, Person] = {}

    def role(self, name: str) -> Role | None:
        """Return the role of a person; None if the person is unknown or barred."""
        person = self.persons.get(name)
        return None if person is None or person.barred else person.role


class WaitingApproval(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request of one person that another must confirm."""

    number: int
    what: msgspec.Raw
    by: str
    role: Role
    of: tuple[Role, ...]  # who may confirm it


class Till(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The money of the cage in one currency, in minor units."""

    purses: dict[str, int] = {}
    float: int = 0
    to_tables: int = 0  # went to tables, less what came back
    from_meters: int = 0  # paid by triggers of must-hit-by meters into purses


_EMPTY = Till()


class Cage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Purses of players, the float of the house, and the requests that wait for a second person."""

    tills: dict[str, Till] = {}  # by currency
    asked: int = 0
    waiting: dict[int, WaitingApproval] = {}
    won: dict[str, hp.TriggerWon] = {}  # won by a trigger and not paid yet, by "meter/award"

    def till(self, currency: str) -> Till:
        return self.tills.get(currency, _EMPTY)

    def purse(self, player: str, currency: str) -> int:
        return self.till(currency).purses.get(player, 0)


class Seal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The public part of what fixes the order of a deck."""

    commitment: str
    words: dict[str, str] = {}  # by player, in the order in which they were added
    cut: int = 0


class FloorTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table on the floor: the table of the book, and the people and money that the house has at it."""

    table: TableState
    posted: hp.TableSet
    seats: dict[int, str] = {}
    bought: dict[str, int] = {}  # by player: chips bought less chips cashed out
    tray: int = 0  # chips of the house in it, besides what was won and lost
    drop: int = 0  # cash in the box
    from_cage: int = 0  # came from the cage, less what went back
    ready: frozenset[str] = frozenset()
    away: dict[str, int] = {}  # by player: when the connection dropped
    returned: dict[str, int] = {}  # by player: when they came back
    seals: dict[str, Seal] = {}  # by deck
    dealt: dict[int, int] = {}  # by box: when its last card was dealt
    read: tuple[int, ...] = ()  # cards that a shoe has read and nobody has dealt yet
    lights: dict[int, bool] = {}  # by box: a sensor sees a chip; empty without sensors
    closing: bool = False
    gone: bool = False
    counted: hp.Totals = hp.Totals()  # without the last round, which may still be corrected
    before: dict[str, int] = {}  # the accounts of the table when its last round was opened
    first_ante: int = 0  # time of the first stake of this round
    ended: int = 0  # time when the last round ended

    def chips(self, player: str) -> int:
        """Return a player's chips, without those on the layout."""
        return self.bought.get(player, 0) + self.table.accounts.get(player, 0)

    @property
    def totals(self) -> hp.Totals:
        """The totals of the rounds that are over."""
        last = self.table.round
        return self.counted if last is None or self.table.live_round is not None else _with_round(self.counted, last)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who sits here, each once, in the order of the boxes."""
        seats = self.seats
        return tuple(dict.fromkeys([seats[box] for box in sorted(seats)]))


# A table


def table_after(state: FloorTable | None, event: hp.OfTable | TableEvent, at: int) -> FloorTable:
    """Return the table after an event of a unit of this time. The first event must be TableSet."""
    if state is None:
        assert isinstance(event, hp.TableSet), "the first event of a table sets it up"
        return FloorTable(table=_new(event), posted=event)
    kind = type(event)
    if kind in _NOTED:
        return _noted(state, event, at)
    handler = _OF_TABLE.get(kind)
    if handler is not None:
        return handler(state, event)
    table = NEXT[kind](state.table, event)
    return state if table is state.table else replace(state, table=table)


def _new(event: hp.TableSet) -> TableState:
    return TableState(
        id=event.id,
        book=event.book,
        digest=event.digest,
        mode=event.mode,
        options=event.options,
        ante_min=event.ante_min,
        ante_max=event.ante_max,
        decide_seconds=event.decide_seconds,
        awards=event.awards,
        reset=event.reset,
        attended=event.attended,
    )


#: Events of the table that also change the floor's own fields.
_NOTED = frozenset({Staked, Dealt, RoundOpened, RoundEnded, WasCut})


def _noted(state: FloorTable, event: Any, at: int) -> FloorTable:
    """Apply an event of the table that the floor takes note of as well."""
    kind = type(event)
    table = NEXT[kind](state.table, event)
    if kind is Staked and not state.first_ante:
        return replace(state, table=table, first_ante=at)
    if kind is Dealt:
        read = state.read[1:] if state.read[:1] == (event.card,) else state.read
        dealt = {**state.dealt, event.to.number: at} if event.to.kind == "box" else state.dealt
        return replace(state, table=table, dealt=dealt, read=read)
    if kind is RoundOpened:
        before = {"counted": state.totals, "before": state.table.accounts}
        return replace(state, table=table, first_ante=0, ready=frozenset(), dealt={}, read=(), **before)
    if kind is RoundEnded:
        return replace(state, table=table, ended=at)
    if kind is WasCut and event.deck in state.seals:
        seal = state.seals[event.deck]
        return replace(state, table=table, seals={**state.seals, event.deck: replace(seal, cut=seal.cut + event.count)})
    return replace(state, table=table)


def _with_round(totals: hp.Totals, current: Round) -> hp.Totals:
    """Add a round. Of a side stake, the house has won what was neither returned nor paid out."""
    won = sum(box.beside for box in current.boxes.values())
    off_meter = 0
    for number in current.moved:
        line = current.lines[number]
        off = current.from_meter.get(line.seat, 0) if is_award(line) else 0
        off_meter += off
        if line.wager not in MAIN:
            won -= line.stake + line.net - off
    totals = replace(totals, won_sides=totals.won_sides + won, paid_meter=totals.paid_meter + off_meter)
    if current.phase == "void":
        return replace(totals, voids=totals.voids + 1)
    boxes = [box for box in current.dealt_in if not box.void]
    return replace(
        totals,
        rounds=totals.rounds + 1,
        hands=totals.hands + len(boxes),
        antes=totals.antes + sum(box.ante for box in boxes),
        antes_squared=totals.antes_squared + sum(box.ante**2 for box in boxes),
        bets=totals.bets + sum(box.bet for box in boxes),
        fees=totals.fees + sum(box.fee + box.paid for box in boxes),
        sides=totals.sides + sum(box.beside for box in boxes),
    )


def _assigned(state: FloorTable, event: hp.Assigned) -> FloorTable:
    people = {**state.table.people, event.role: event.persons}
    return replace(state, table=replace(state.table, people={role: many for role, many in people.items() if many}))


def _bought_in(state: FloorTable, event: hp.BoughtIn) -> FloorTable:
    bought = {**state.bought, event.player: state.bought.get(event.player, 0) + event.amount}
    state = replace(state, counted=replace(state.counted, bought=state.counted.bought + event.amount))
    if event.cash:
        # Chips for cash come out of the tray, and the cash goes into the drop box.
        return replace(state, bought=bought, tray=state.tray - event.amount, drop=state.drop + event.amount)
    return replace(state, bought=bought, from_cage=state.from_cage + event.amount)


def _cashed_out(state: FloorTable, event: hp.CashedOut) -> FloorTable:
    bought = {**state.bought, event.player: state.bought.get(event.player, 0) - event.amount}
    state = replace(state, counted=replace(state.counted, cashed=state.counted.cashed + event.amount))
    return replace(state, bought=bought, from_cage=state.from_cage - event.amount)


def _filled(state: FloorTable, amount: int) -> FloorTable:
    return replace(state, tray=state.tray + amount, from_cage=state.from_cage + amount)


def _came_back(state: FloorTable, event: hp.CameBack) -> FloorTable:
    returned = {**state.returned, event.player: event.at}
    return replace(state, away=_without(state.away, event.player), returned=returned)


def _committed(state: FloorTable, event: hp.Committed) -> FloorTable:
    return replace(state, seals={**state.seals, event.deck: Seal(commitment=event.commitment)})


def _word_added(state: FloorTable, event: hp.WordAdded) -> FloorTable:
    deck = state.table.round.deck if state.table.round is not None else None
    assert deck is not None, "a word is added to the deck in use"
    seal = state.seals[deck]
    return replace(state, seals={**state.seals, deck: replace(seal, words={**seal.words, event.player: event.word})})


def _without(mapping: Mapping[Any, Any], key: Any) -> dict[Any, Any]:
    return {other: value for other, value in mapping.items() if other != key}


_OF_TABLE: Mapping[type, Callable[[FloorTable, Any], FloorTable]] = {
    hp.Assigned: _assigned,
    hp.Closing: lambda state, event: replace(state, closing=not event.back),
    hp.TableGone: lambda state, event: replace(_filled(state, -event.tray), gone=True),
    hp.Seated: lambda state, event: replace(state, seats={**state.seats, event.box: event.player}),
    hp.Rose: lambda state, event: replace(state, seats=_without(state.seats, event.box)),
    hp.BoughtIn: _bought_in,
    hp.CashedOut: _cashed_out,
    hp.Filled: lambda state, event: _filled(state, event.amount),
    hp.Ready: lambda state, event: replace(state, ready=state.ready | {event.player}),
    hp.DeadlinePassed: lambda state, event: state,
    hp.WentAway: lambda state, event: replace(state, away={**state.away, event.player: event.at}),
    hp.CameBack: _came_back,
    hp.CardRead: lambda state, event: replace(state, read=(*state.read, event.card)),
    hp.LightRead: lambda state, event: replace(state, lights={**state.lights, event.box: event.on}),
    hp.Committed: _committed,
    hp.WordAdded: _word_added,
    hp.SeedShown: lambda state, event: replace(state, seals=_without(state.seals, event.deck)),
}


# House, people, cage


def house_after(state: HouseState, event: hp.OfHouse) -> HouseState:
    match event:
        case hp.HouseFounded():
            return replace(state, name=event.name, currencies=event.currencies)
        case hp.Started():
            return replace(state, program=event.program)
        case hp.BookFiled():
            return replace(state, books={**state.books, event.digest: event})
        case hp.TableListed():
            return state
        case hp.DayClosed():
            last_day = dict(list(state.days.items())[-1:])
            return replace(state, days={**last_day, event.day: event})
        case hp.DaySigned():
            return replace(state, signed=event.day, public=event.public)


def people_after(state: People, event: hp.OfPeople) -> People:
    match event:
        case hp.PersonAdded():
            return _person(state, Person(name=event.name, role=event.role, shown=event.shown))
        case hp.RoleGiven():
            return _person(state, replace(state.persons[event.name], role=event.role))
        case hp.PersonBarred():
            return _person(state, replace(state.persons[event.name], barred=not event.back))
        case hp.PasswordSet():
            return _person(state, replace(state.persons[event.name], has_password=True))
        case hp.LoggedIn() | hp.LoggedOut() | hp.AccessRefused() | hp.LockedOut():
            return state


def _person(state: People, person: Person) -> People:
    return replace(state, persons={**state.persons, person.name: person})


def cage_after(state: Cage, event: hp.OfCage) -> Cage:
    match event:
        case hp.Deposited():
            return _till(state, event.currency, player=event.player, amount=event.amount)
        case hp.Withdrawn():
            return _till(state, event.currency, player=event.player, amount=-event.amount)
        case hp.Floated():
            return _till(state, event.currency, amount=event.amount)
        case hp.ToTable():
            return _till(state, event.currency, player=event.player, amount=-event.amount, to_tables=event.amount)
        case hp.TriggerWon():
            return replace(state, won={**state.won, f"{event.meter}/{event.award}": event})
        case hp.TriggerPaid():
            state = replace(state, won=_without(state.won, f"{event.meter}/{event.award}"))
            return _till(state, event.currency, player=event.player, amount=event.amount, from_meters=event.amount)
        case hp.ApprovalAsked():
            asked = WaitingApproval(number=event.number, what=event.what, by=event.by, role=event.role, of=event.of)
            return replace(state, asked=event.number, waiting={**state.waiting, event.number: asked})
        case hp.ApprovalSettled():
            return replace(state, waiting=_without(state.waiting, event.number))


def _till(
    state: Cage,
    currency: str,
    *,
    player: str | None = None,
    amount: int,
    to_tables: int = 0,
    from_meters: int = 0,
) -> Cage:
    """Add an amount to a purse, or without a player to the float; a negative amount is taken out."""
    till = state.till(currency)
    if player is None:
        till = replace(till, float=till.float + amount)
    else:
        till = replace(till, purses={**till.purses, player: till.purses.get(player, 0) + amount})
    till = replace(till, to_tables=till.to_tables + to_tables, from_meters=till.from_meters + from_meters)
    return replace(state, tills={**state.tills, currency: till})


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """The states of all streams, with their versions."""

    house: HouseState = HouseState()
    people: People = People()
    cage: Cage = Cage()
    tables: dict[str, FloorTable] = {}
    meters: dict[str, MeterState] = {}
    versions: dict[str, int] = {}
    moment: int = 0  # of the last unit; no later unit has an earlier time
