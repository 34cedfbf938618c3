"""A table for the people who run it: the act that is due and by whom, the acts of players to enter, the steps done,
the mishaps that the book rules on, and the result of a trial report.

No view here shows a card that its reader may not see: cards of players are never named, and a trial shows only
rulings, questions and money.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from aceking.house.floor.draft import Draft
from aceking.house.floor.library import book_of
from aceking.house.floor.play.bridge import unsigned
from aceking.house.floor.play.devices import with_readings
from aceking.house.floor.roles import AT_TABLE, Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.record import read_unit
from aceking.house.store.protocol import Store
from aceking.meter.state import MeterAward
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.rulings import ruling_for, rulings_on
from aceking.rules.sentence import Said
from aceking.rules.words import Actor, Circumstance, Mishap, Remedy
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.acts import ACTS
from aceking.table.cards.deal_order import hand_size, next_due
from aceking.table.cards.shoe import NO_SHOE
from aceking.table.dealer.next_act import due
from aceking.table.gate import completed, gate
from aceking.table.mishaps.circumstances import REPORTERS, circumstances
from aceking.table.mishaps.report import NOT_REPORTED
from aceking.table.options import in_force
from aceking.table.procedure.orders import check, clause_of, parts_in
from aceking.table.show.offers import Offer, player_offers
from aceking.table.show.part import ShownPart
from aceking.table.show.view import QuestionView, question_view
from aceking.table.state import TableState

#: About the number of events since the last end of a round; the first read goes this far back.
_EVENTS_BACK = 400
#: Mishaps whose report may name cards.
_OF_CARDS: frozenset[Mishap] = frozenset(
    {
        *("hole-card-exposed", "boxed-card", "card-drawn-in-error", "cards-exposed", "foreign-card"),
        *("simultaneous-cards", "dropped-card", "raked-cards", "own-cards-raked"),
    }
)
#: Mishaps whose report gives a count of the deck.
_OF_COUNT: frozenset[Mishap] = frozenset({"deck-short-or-long", "foreign-card", "device-count-wrong"})


class Field(ShownPart, frozen=True, kw_only=True):
    """A field to fill in before an act can be done."""

    name: str
    kind: Literal["card", "cards", "count", "money"]
    many: int = 1


class DueView(ShownPart, frozen=True, kw_only=True):
    """The act that is due, complete except for `fields`, and who does it."""

    do: str
    act: dict[str, Any]
    by: Actor
    mine: bool = False
    role: Actor | None = None  # the role in which the viewer does it
    player: str | None = None  # the player for whom it is entered
    box: int | None = None
    to: str | None = None  # where the card goes
    up: bool = False  # face up
    clause: str | None = None
    meter: str | None = None  # set if it is a command of the meter
    fields: tuple[Field, ...] = ()


class EntryView(ShownPart, frozen=True, kw_only=True):
    """An act that a player of a live table may do and staff may enter; `card`: with a card that the player names."""

    player: str
    offer: Offer
    card: bool = False


class StepView(ShownPart, frozen=True, kw_only=True):
    """An act that was done, once or several times in a row."""

    act: str
    by: str
    at: int
    times: int = 1
    boxes: tuple[int, ...] = ()
    clause: str | None = None


class MishapView(ShownPart, frozen=True, kw_only=True):
    """A mishap that this book rules on: the clause that would decide it now, and the fields of a report."""

    mishap: Mishap
    clause: str
    then: Remedy | None = None  # None: it depends on the report
    boxes: bool = True
    cards: bool = False
    count: bool = False
    facts: tuple[Circumstance, ...] = ()


class Console(ShownPart, frozen=True, kw_only=True):
    version: int
    due: DueView | None = None
    entries: tuple[EntryView, ...] = ()
    steps: tuple[StepView, ...] = ()
    mishaps: tuple[MishapView, ...] = ()
    read: int = 0  # cards that the shoe has read and that are not dealt yet


class RuledView(ShownPart, frozen=True, kw_only=True):
    """A ruling of the book on a mishap."""

    mishap: Mishap
    then: Remedy
    clause: str | None
    boxes: tuple[int, ...] = ()
    why: str = ""


class BackView(ShownPart, frozen=True, kw_only=True):
    """A stake that is returned."""

    box: int
    wager: str
    amount: str
    player: str = ""
    clause: str | None = None


class Trial(ShownPart, frozen=True, kw_only=True):
    """The result that a report would have; nothing is done."""

    refused: str = ""
    said: Said | None = None  # the refusal with its placeholders, for translation
    clause: str | None = None  # of the refusal
    rulings: tuple[RuledView, ...] = ()
    asks: tuple[QuestionView, ...] = ()
    back: tuple[BackView, ...] = ()
    void_boxes: tuple[int, ...] = ()
    void_round: bool = False


def console(floor: Floor, name: str, role: Role, person: str) -> Console:
    """Return the console of a table for one person, without the steps, which are read from the log."""
    state = floor.tables[name]
    book = in_force(book_of(floor.house, state), state.table)
    return Console(
        version=floor.versions[f"table/{name}"],
        due=due_view(floor, book, state, role, person),
        entries=tuple(_entries(book, state)) if state.posted.mode == "live" else (),
        mishaps=tuple(_mishaps(book, state.table)),
        read=len(state.read),
    )


# The act that is due


def due_view(floor: Floor, book: Book, state: FloorTable, role: Role, person: str) -> DueView | None:
    """Return the act that is due at a table as this role sees it, or None."""
    due_act = None if state.gone else due(book, state.table)
    if due_act is None:
        return None
    if isinstance(due_act, c.PayAward) and (award := unsigned(floor, state.table.id, due_act.box)) is not None:
        assert state.posted.meter is not None, "a meter has the award"
        return _signature(floor, state.posted.meter, award, role, person)
    if isinstance(due_act, c.Report):
        act = _plain(due_act)
        mine = bool(AT_TABLE.get(role, ())) and role != "player"
        return DueView(do="report", act=act, by="dealer", mine=mine, clause=book.rules_on(due_act.mishap))
    roles = parts_in(book, due_act.do) or ACTS[_name(due_act)].by
    own = next((part for part in AT_TABLE.get(role, ()) if part in roles), None)
    player = next(iter(state.players), None) if "player" in roles and state.posted.mode == "live" else None
    entered = own is None and player is not None and bool(AT_TABLE.get(role, ()))
    fields = tuple(_fields(book, state, due_act))
    current = state.table.live_round
    is_deal = isinstance(due_act, c.DealCard | c.DealPacket) and current is not None
    place = next_due(book, current) if is_deal and current is not None else None
    return DueView(
        do=due_act.do,
        act={key: value for key, value in _plain(due_act).items() if key not in {field.name for field in fields}},
        by=roles[0],
        mine=own is not None or entered,
        role=own,
        player=player if entered else None,
        box=due_act.box,
        to=None if place is None else place.to.words,
        up=place is not None and place.up,
        clause=_clause(book, state.table, due_act, own or roles[0], person),
        fields=fields,
    )


def due_by_trigger(floor: Floor, state: FloorTable, role: Role, person: str) -> DueView | None:
    """Return the confirmation or signature due for a trigger's award at this table, or None; no round waits for it."""
    for meter in state.posted.must_hit:
        for award in floor.meters[meter].awards.values():
            if award.table != state.table.id or award.step not in ("called", "verified"):
                continue
            if award.step == "verified":
                return _signature(floor, meter, award, role, person)
            fields = {"table": award.table, "seat": award.seat, "hand": award.hand, "cards": "", "light": True}
            return DueView(
                do="supervisor-validated",
                act={"do": "verify", **fields},
                by="supervisor",
                mine=role in _CONFIRM and person != award.dealer,
                box=award.seat,
                clause=award.clause,
                meter=meter,
            )
    return None


#: The roles that confirm and sign on a meter.
_CONFIRM: tuple[Role, ...] = ("executive", "supervisor", "floorperson")


def _signature(floor: Floor, meter: str, award: MeterAward, role: Role, person: str) -> DueView:
    """Return the signature that the meter needs before it pays: a third person's, from an amount on an executive's."""
    config = floor.meters[meter].config
    level = None if config is None else config.executive_from
    signs = ("executive",) if level is not None and award.amount >= level else _CONFIRM
    return DueView(
        do="card-swipe",
        act={"do": "sign", "table": award.table, "seat": award.seat, "amount": award.amount},
        by="house" if "supervisor" not in signs else "supervisor",
        mine=role in signs and person not in (award.dealer, award.verifier),
        box=award.seat,
        clause=award.clause,
        meter=meter,
    )


def _name(act: c.Act) -> Any:
    return act.do


def _plain(command: c.TableCommand) -> dict[str, Any]:
    """Return a command as the act of a request, without `by`, `role` and `at`."""
    act: dict[str, Any] = msgspec.to_builtins(replace(command, by="", role=None, at=None))
    return act


def _clause(book: Book, table: TableState, act: c.Act, role: Actor, person: str) -> str | None:
    """Return the clause by which the act is done."""
    passed = gate(book, table, replace(act, role=role, by=person if role in table.people else ""))
    if isinstance(passed, Refusal):
        return clause_of(book, table, act)
    full = completed(book, table, act, passed)
    if isinstance(full, Refusal):
        return clause_of(book, table, act)
    checked = check(book, table, full, passed.role, passed.at)
    return clause_of(book, table, act) if isinstance(checked, Refusal) else checked[0]


def _fields(book: Book, state: FloorTable, act: c.Act) -> Iterator[Field]:
    """Yield the fields that people must fill in: cards of a live table, counts, the value of a meter."""
    if state.posted.mode != "live":
        return
    unread = book.progressive is not None and state.posted.meter is None
    match act:
        case c.Burn() | c.DealCard() if with_readings(state, act).card is None:
            yield Field(name="card", kind="card")
        case c.DealPacket():
            place = next_due(book, state.table.live_round) if state.table.live_round is not None else None
            assert place is not None, "a packet is due to a place"
            yield Field(name="cards", kind="cards", many=hand_size(book, place.to))
        case c.CountStub() | c.CountByDevice() | c.CountFold() | c.CountChips():
            yield Field(name="count", kind="count")
        case _:
            pass
    counts_last = "chip-light-count" in parts_of(book)
    reads = isinstance(act, c.CountChips if counts_last else c.CloseBets | c.StartGame)
    if unread and reads:
        yield Field(name="meter", kind="money")


def parts_of(book: Book) -> frozenset[str]:
    """Return the names of the acts in the book."""
    return frozenset(one.do for clause in book.clauses.values() for one in clause.acts)


# Acts of players


def _entries(book: Book, state: FloorTable) -> Iterator[EntryView]:
    """Yield the acts that each player at a live table may do at their boxes, without the cards of the hand."""
    for player in state.players:
        for offer in player_offers(book, state.table, player):
            if offer.box is not None and state.seats.get(offer.box) == player:
                yield EntryView(player=player, offer=replace(offer, cards=()), card=bool(offer.cards))


# Steps


def steps_of(store: Store, table: str, *, head: int) -> tuple[StepView, ...]:
    """Return the acts since the last round ended, oldest first."""
    reach = _EVENTS_BACK
    while True:
        after = max(0, head - reach)
        acts, whole = _acted(store, table, after)
        if whole or after == 0:
            return tuple(_in_a_row(acts))
        reach *= 2


def _acted(store: Store, table: str, after: int) -> tuple[list[dict[str, Any]], bool]:
    """Return the acts after the last end of a round, and True if such an end was read."""
    stream, acts, whole = f"table/{table}", list[dict[str, Any]](), False
    for entry in store.stream(stream, after):
        for raw in next(part.events for part in read_unit(entry.body).parts if part.stream == stream):
            event = msgspec.json.decode(raw)
            if event["is"] == "round-ended":
                acts, whole = [], True
            elif event["is"] == "acted":
                acts.append(event)
    return acts, whole


def _in_a_row(acts: Iterable[Mapping[str, Any]]) -> Iterator[StepView]:
    last: StepView | None = None
    for act in acts:
        boxes = () if act.get("box") is None else (act["box"],)
        if last is not None and (last.act, last.clause) == (act["act"], act.get("clause")):
            last = replace(last, times=last.times + 1, boxes=tuple(dict.fromkeys((*last.boxes, *boxes))))
            continue
        if last is not None:
            yield last
        last = StepView(act=act["act"], by=act["by"], at=act["at"], boxes=boxes, clause=act.get("clause"))
    if last is not None:
        yield last


# Mishaps


def _mishaps(book: Book, table: TableState) -> Iterator[MishapView]:
    """Yield the mishaps that this book rules on, first those that it could rule on now."""
    views = list[MishapView]()
    for mishap in get_args(Mishap):
        rulings = rulings_on(book, mishap)
        if not rulings or mishap in NOT_REPORTED:
            continue
        known = circumstances(book, table, NO_SHOE, mishap, boxes=(), cards=())
        now = ruling_for(book, mishap, known)
        wanted = {one for _, ruling in rulings for one in ruling.circumstances}
        views.append(
            MishapView(
                mishap=mishap,
                clause=rulings[0][0] if now is None else now[0],
                then=None if now is None else now[1].then,
                cards=mishap in _OF_CARDS,
                count=mishap in _OF_COUNT,
                facts=tuple(sorted(one for one in wanted if one in REPORTERS and "dealer" in REPORTERS[one])),
            )
        )
    yield from sorted(views, key=lambda one: one.then is None)


def trial(book: Book, table: str, before: FloorTable, decision: Draft | Refusal) -> Trial:
    """Return the rulings, questions and money that a draft would bring about at a table."""
    if isinstance(decision, Refusal):
        return Trial(refused=decision.reason, said=decision.said, clause=decision.clause)
    current = before.table.round
    boxes = {} if current is None else current.boxes
    rulings, asks, back, void = list[RuledView](), list[QuestionView](), list[BackView](), list[int]()
    void_round = False
    for event in decision.events.get(f"table/{table}", ()):
        match event:
            case ev.Ruled():
                rulings.append(
                    RuledView(
                        mishap=event.mishap, then=event.then, clause=event.clause, boxes=event.boxes, why=event.why
                    )
                )
            case ev.Asked():
                asked = next(one for one in decision.table(table).table.questions if one.number == event.question)
                asks.append(question_view(asked))
            case ev.Returned():
                player = boxes[event.box].player if event.box in boxes else ""
                amount = shown(event.amount, decimals=book.decimals)
                back.append(
                    BackView(box=event.box, wager=event.wager, amount=amount, player=player, clause=event.clause)
                )
            case ev.HandVoided():
                void.append(event.box)
            case ev.RoundVoided():
                void_round = True
            case _:
                pass
    return Trial(
        rulings=tuple(rulings), asks=tuple(asks), back=tuple(back), void_boxes=tuple(void), void_round=void_round
    )
