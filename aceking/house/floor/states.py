"""The states of the floor, one for each stream, and what an event makes of each. All of it follows from the log."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from aceking.house.floor import events as hp
from aceking.house.floor.roles import Role
from aceking.meter.state import LinkState
from aceking.table.event import Dealt, RoundEnded, RoundOpened, Staked, WasCut
from aceking.table.event import Event as TableEvent
from aceking.table.evolve import NEXT
from aceking.table.money.award_lines import is_award
from aceking.table.state import Table


class House(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The house itself."""

    name: str = ""
    currencies: dict[str, int] = {}  # with their decimals
    books: dict[str, hp.BookFiled] = {}  # by digest
    days: dict[str, hp.DayClosed] = {}  # the last two that were closed
    signed: str = ""  # the last one that was signed
    public: str = ""  # the key that it was signed with
    program: str = ""  # the version that decides


class Person(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody who may log in."""

    name: str
    role: Role
    shown: str = ""
    barred: bool = False
    has_password: bool = False


class People(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everybody whom the house knows."""

    persons: dict[str, Person] = {}

    def role(self, name: str) -> Role | None:
        """The part of somebody who may act."""
        found = self.persons.get(name)
        return None if found is None or found.barred else found.role


class Waiting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one person asked for and another must confirm."""

    number: int
    what: msgspec.Raw
    by: str
    role: Role
    of: tuple[Role, ...]


class Till(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The money of the cage in one currency."""

    purses: dict[str, int] = {}
    float: int = 0
    to_tables: int = 0  # everything that went to tables and has not come back
    from_meters: int = 0  # what triggers gave, from must-hit-by meters into purses


_EMPTY = Till()


class Cage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Purses of players, the float of the house, and what waits for a second person."""

    tills: dict[str, Till] = {}  # by currency
    asked: int = 0
    waiting: dict[int, Waiting] = {}
    won: dict[str, hp.TriggerWon] = {}  # by triggers and not paid yet: by meter and award

    def till(self, currency: str) -> Till:
        """The money in one currency."""
        return self.tills.get(currency, _EMPTY)

    def purse(self, player: str, currency: str) -> int:
        """What a player has in his purse."""
        return self.till(currency).purses.get(player, 0)


class Seal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What fixes the order of a deck, as far as it may be seen."""

    commitment: str
    words: dict[str, str] = {}  # by player, in the order in which they came
    cut: int = 0


class FloorTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table on the floor: the table of the book, and who and what the house has at it."""

    table: Table
    posted: hp.TableSet
    seats: dict[int, str] = {}
    bought: dict[str, int] = {}  # chips for money less money for chips
    tray: int = 0  # what the house has in it besides what was won and lost
    drop: int = 0  # cash in the box
    from_cage: int = 0  # everything that came from the cage and has not gone back
    ready: frozenset[str] = frozenset()
    away: dict[str, int] = {}  # since when
    returned: dict[str, int] = {}  # when somebody who was away came back
    seals: dict[str, Seal] = {}  # by deck
    dealt: dict[int, int] = {}  # when the last card of a box came
    read: tuple[int, ...] = ()  # cards that a shoe has read and nobody has dealt yet
    lights: dict[int, bool] = {}  # what a sensor sees; empty where there is none
    closing: bool = False
    gone: bool = False
    totals: hp.Totals = hp.Totals()
    first_ante: int = 0  # when the bets of this round began
    ended: int = 0  # when the last round ended

    def chips(self, player: str) -> int:
        """What a player has before him, not counting what lies on the layout."""
        return self.bought.get(player, 0) + self.table.accounts.get(player, 0)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who sits here, each once."""
        seats = self.seats
        return tuple(dict.fromkeys([seats[box] for box in sorted(seats)]))


# A table


def table_after(one: FloorTable | None, event: hp.OfTable | TableEvent, at: int) -> FloorTable:
    """The table after an event of a unit of this moment."""
    if one is None:
        assert isinstance(event, hp.TableSet), "the first event of a table sets it up"
        return FloorTable(table=_new(event), posted=event)
    kind = type(event)
    if kind in _NOTED:
        return _noted(one, event, at)
    handler = _OF_TABLE.get(kind)
    if handler is not None:
        return handler(one, event)
    table = NEXT[kind](one.table, event)
    return one if table is one.table else replace(one, table=table)


def _new(event: hp.TableSet) -> Table:
    return Table(
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


#: What the floor itself notes something of.
_NOTED = frozenset({Staked, Dealt, RoundOpened, RoundEnded, WasCut})


def _noted(one: FloorTable, event: Any, at: int) -> FloorTable:
    """Such an event of the table, and what the floor notes of it."""
    kind = type(event)
    table = NEXT[kind](one.table, event)
    if kind is Staked and not one.first_ante:
        return replace(one, table=table, first_ante=at)
    if kind is Dealt:
        read = one.read[1:] if one.read[:1] == (event.card,) else one.read
        dealt = {**one.dealt, event.to.number: at} if event.to.kind == "box" else one.dealt
        return replace(one, table=table, dealt=dealt, read=read)
    if kind is RoundOpened:
        return replace(one, table=table, first_ante=0, ready=frozenset(), dealt={}, read=())
    if kind is RoundEnded:
        return replace(one, table=table, ended=at, totals=_counted(one.totals, table))
    if kind is WasCut and event.deck in one.seals:
        seal = one.seals[event.deck]
        return replace(one, table=table, seals={**one.seals, event.deck: replace(seal, cut=seal.cut + event.count)})
    return replace(one, table=table)


def _counted(totals: hp.Totals, table: Table) -> hp.Totals:
    """One round more. A round without a result moved nothing."""
    current = table.round
    assert current is not None, "a round has ended"
    if current.phase == "void":
        return replace(totals, voids=totals.voids + 1)
    boxes = [box for box in current.dealt_in if not box.void]
    won = sides = meter = 0
    for number, line in enumerate(current.lines):
        if number not in current.moved:
            continue
        off = current.from_meter.get(line.seat, 0) if is_award(line) else 0
        gain = line.stake if line.outcome == "lose" or line.consumed else 0
        gain -= line.pays - off if line.outcome == "win" else 0
        meter += off
        if line.wager in ("ante", "bet", "exchange", "bought"):
            won += gain
        else:
            sides += gain
    forfeited = sum(box.ante + box.bet + box.fee + box.paid for box in boxes if box.forfeited)
    return replace(
        totals,
        rounds=totals.rounds + 1,
        hands=totals.hands + len(boxes),
        antes=totals.antes + sum(box.ante for box in boxes),
        antes_squared=totals.antes_squared + sum(box.ante**2 for box in boxes),
        bets=totals.bets + sum(box.bet for box in boxes),
        fees=totals.fees + sum(box.fee + box.paid for box in boxes),
        sides=totals.sides + sum(box.beside for box in boxes),
        won=totals.won + won + forfeited,
        won_sides=totals.won_sides + sides,
        paid_meter=totals.paid_meter + meter,
    )


def _assigned(one: FloorTable, event: hp.Assigned) -> FloorTable:
    people = {**one.table.people, event.role: event.persons}
    return replace(one, table=replace(one.table, people={role: many for role, many in people.items() if many}))


def _bought_in(one: FloorTable, event: hp.BoughtIn) -> FloorTable:
    bought = {**one.bought, event.player: one.bought.get(event.player, 0) + event.amount}
    one = replace(one, totals=replace(one.totals, bought=one.totals.bought + event.amount))
    if event.cash:
        # Chips for cash come out of the tray, and the cash goes into the drop box.
        return replace(one, bought=bought, tray=one.tray - event.amount, drop=one.drop + event.amount)
    return replace(one, bought=bought, from_cage=one.from_cage + event.amount)


def _cashed_out(one: FloorTable, event: hp.CashedOut) -> FloorTable:
    bought = {**one.bought, event.player: one.bought.get(event.player, 0) - event.amount}
    one = replace(one, totals=replace(one.totals, cashed=one.totals.cashed + event.amount))
    return replace(one, bought=bought, from_cage=one.from_cage - event.amount)


def _filled(one: FloorTable, amount: int) -> FloorTable:
    return replace(one, tray=one.tray + amount, from_cage=one.from_cage + amount)


def _came_back(one: FloorTable, event: hp.CameBack) -> FloorTable:
    returned = {**one.returned, event.player: event.at}
    return replace(one, away=_without(one.away, event.player), returned=returned)


def _committed(one: FloorTable, event: hp.Committed) -> FloorTable:
    return replace(one, seals={**one.seals, event.deck: Seal(commitment=event.commitment)})


def _word_added(one: FloorTable, event: hp.WordAdded) -> FloorTable:
    deck = one.table.round.deck if one.table.round is not None else None
    assert deck is not None, "a word is added to the deck in use"
    seal = one.seals[deck]
    return replace(one, seals={**one.seals, deck: replace(seal, words={**seal.words, event.player: event.word})})


def _without(mapping: Mapping[Any, Any], key: Any) -> dict[Any, Any]:
    return {one: value for one, value in mapping.items() if one != key}


_OF_TABLE: Mapping[type, Callable[[FloorTable, Any], FloorTable]] = {
    hp.Assigned: _assigned,
    hp.Closing: lambda one, event: replace(one, closing=not event.back),
    hp.TableGone: lambda one, event: replace(_filled(one, -event.tray), gone=True),
    hp.Seated: lambda one, event: replace(one, seats={**one.seats, event.box: event.player}),
    hp.Rose: lambda one, event: replace(one, seats=_without(one.seats, event.box)),
    hp.BoughtIn: _bought_in,
    hp.CashedOut: _cashed_out,
    hp.Filled: lambda one, event: _filled(one, event.amount),
    hp.Ready: lambda one, event: replace(one, ready=one.ready | {event.player}),
    hp.Rang: lambda one, event: one,
    hp.WentAway: lambda one, event: replace(one, away={**one.away, event.player: event.at}),
    hp.CameBack: _came_back,
    hp.CardRead: lambda one, event: replace(one, read=(*one.read, event.card)),
    hp.LightRead: lambda one, event: replace(one, lights={**one.lights, event.box: event.on}),
    hp.Committed: _committed,
    hp.WordAdded: _word_added,
    hp.SeedShown: lambda one, event: replace(one, seals=_without(one.seals, event.deck)),
}


# House, people, cage


def house_after(one: House, event: hp.OfHouse) -> House:
    """The house after an event."""
    match event:
        case hp.HouseFounded():
            return replace(one, name=event.name, currencies=event.currencies)
        case hp.Started():
            return replace(one, program=event.program)
        case hp.BookFiled():
            return replace(one, books={**one.books, event.digest: event})
        case hp.TableListed():
            return one
        case hp.DayClosed():
            kept = dict(list(one.days.items())[-1:])
            return replace(one, days={**kept, event.day: event})
        case hp.DaySigned():
            return replace(one, signed=event.day, public=event.public)


def people_after(one: People, event: hp.OfPeople) -> People:
    """Everybody after an event."""
    match event:
        case hp.PersonAdded():
            return _person(one, Person(name=event.name, role=event.role, shown=event.shown))
        case hp.RoleGiven():
            return _person(one, replace(one.persons[event.name], role=event.role))
        case hp.PersonBarred():
            return _person(one, replace(one.persons[event.name], barred=not event.back))
        case hp.PasswordSet():
            return _person(one, replace(one.persons[event.name], has_password=True))
        case hp.LoggedIn() | hp.LoggedOut() | hp.AccessRefused() | hp.LockedOut():
            return one


def _person(one: People, person: Person) -> People:
    return replace(one, persons={**one.persons, person.name: person})


def cage_after(one: Cage, event: hp.OfCage) -> Cage:
    """The cage after an event."""
    match event:
        case hp.Deposited():
            return _till(one, event.currency, player=event.player, amount=event.amount)
        case hp.Withdrawn():
            return _till(one, event.currency, player=event.player, amount=-event.amount)
        case hp.Floated():
            return _till(one, event.currency, amount=event.amount)
        case hp.ToTable():
            return _till(one, event.currency, player=event.player, amount=-event.amount, to_tables=event.amount)
        case hp.TriggerWon():
            return replace(one, won={**one.won, f"{event.meter}/{event.award}": event})
        case hp.TriggerPaid():
            one = replace(one, won=_without(one.won, f"{event.meter}/{event.award}"))
            return _till(one, event.currency, player=event.player, amount=event.amount, from_meters=event.amount)
        case hp.Asked():
            asked = Waiting(number=event.number, what=event.what, by=event.by, role=event.role, of=event.of)
            return replace(one, asked=event.number, waiting={**one.waiting, event.number: asked})
        case hp.Settled():
            return replace(one, waiting=_without(one.waiting, event.number))


def _till(
    one: Cage,
    currency: str,
    *,
    player: str | None = None,
    amount: int,
    to_tables: int = 0,
    from_meters: int = 0,
) -> Cage:
    """Money into a purse, or else into the float; below nothing: out of it."""
    till = one.till(currency)
    if player is None:
        till = replace(till, float=till.float + amount)
    else:
        till = replace(till, purses={**till.purses, player: till.purses.get(player, 0) + amount})
    till = replace(till, to_tables=till.to_tables + to_tables, from_meters=till.from_meters + from_meters)
    return replace(one, tills={**one.tills, currency: till})


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """The whole floor, with the version at which each stream stands."""

    house: House = House()
    people: People = People()
    cage: Cage = Cage()
    tables: dict[str, FloorTable] = {}
    meters: dict[str, LinkState] = {}
    versions: dict[str, int] = {}
    moment: int = 0  # of the last unit: no clock goes back behind it
