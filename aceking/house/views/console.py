"""What the people who run a table see of it: the act that is due and who does it, what players do and is entered for
them, what was done, which mishaps the book rules on, and what a report would bring about.

Nothing here has a card that its reader may not see: cards of players are never named, and a trial tells rulings,
questions and money alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from aceking.house.floor.draft import Draft
from aceking.house.floor.library import book_of
from aceking.house.floor.play.bridge import unsigned
from aceking.house.floor.play.devices import completed as as_read
from aceking.house.floor.roles import AT_TABLE, Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.record import read_unit
from aceking.house.store.protocol import Store
from aceking.meter.state import Award
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
from aceking.table.mishaps.circumstances import TOLD, circumstances
from aceking.table.mishaps.report import NOT_REPORTED
from aceking.table.options import in_force
from aceking.table.procedure.orders import check, clause_of, parts_in
from aceking.table.show.offers import Offer, player_offers
from aceking.table.show.view import QuestionView, question_view
from aceking.table.state import Table

#: Events of a table since the end of a round, about: how far back the first look goes.
_EVENTS_BACK = 400
#: Mishaps that are of certain cards, and may be told with them.
_OF_CARDS: frozenset[Mishap] = frozenset(
    {
        *("hole-card-exposed", "boxed-card", "card-drawn-in-error", "cards-exposed", "foreign-card"),
        *("simultaneous-cards", "dropped-card", "raked-cards", "own-cards-raked"),
    }
)
#: Mishaps of which a count of the deck is told.
_OF_COUNT: frozenset[Mishap] = frozenset({"deck-short-or-long", "foreign-card", "device-count-wrong"})


class _View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what somebody sees."""


class Field(_View, frozen=True, kw_only=True):
    """What is left to enter before an act can be done."""

    name: str
    kind: Literal["card", "cards", "count", "money"]
    many: int = 1


class DueView(_View, frozen=True, kw_only=True):
    """The act that is due: ready to be asked for but for the fields that are left, and whose it is."""

    do: str
    act: dict[str, Any]
    by: Actor
    mine: bool = False
    role: Actor | None = None  # the part in which the viewer does it
    player: str | None = None  # for whom it is entered, where it is a player's
    box: int | None = None
    to: str | None = None  # where a card falls
    up: bool = False  # face up
    clause: str | None = None
    meter: str | None = None  # whose act it is, where it is not the table's
    fields: tuple[Field, ...] = ()


class EntryView(_View, frozen=True, kw_only=True):
    """What a player of a live table may do, to be entered for him; a card that he names is entered with it."""

    player: str
    offer: Offer
    card: bool = False


class StepView(_View, frozen=True, kw_only=True):
    """What was done, once or several times in a row."""

    act: str
    by: str
    at: int
    times: int = 1
    boxes: tuple[int, ...] = ()
    clause: str | None = None


class MishapView(_View, frozen=True, kw_only=True):
    """A mishap that this book rules on: the clause that would decide it as the table stands, and what may be told."""

    mishap: Mishap
    clause: str
    then: Remedy | None = None  # None: by what is told
    boxes: bool = True
    cards: bool = False
    count: bool = False
    facts: tuple[Circumstance, ...] = ()


class Console(_View, frozen=True, kw_only=True):
    """A table for those who run it."""

    version: int
    due: DueView | None = None
    entries: tuple[EntryView, ...] = ()
    steps: tuple[StepView, ...] = ()
    mishaps: tuple[MishapView, ...] = ()
    read: int = 0  # cards that the shoe has read and nobody has dealt


class RuledView(_View, frozen=True, kw_only=True):
    """What the book says of a mishap."""

    mishap: Mishap
    then: Remedy
    clause: str | None
    boxes: tuple[int, ...] = ()
    why: str = ""


class BackView(_View, frozen=True, kw_only=True):
    """A stake that goes back."""

    box: int
    wager: str
    amount: str
    player: str = ""
    clause: str | None = None


class Trial(_View, frozen=True, kw_only=True):
    """What a report would bring about; nothing has happened."""

    refused: str = ""
    said: Said | None = None  # how the refusal was made, for other languages
    clause: str | None = None  # of the refusal
    rulings: tuple[RuledView, ...] = ()
    asks: tuple[QuestionView, ...] = ()
    back: tuple[BackView, ...] = ()
    void_boxes: tuple[int, ...] = ()
    void_round: bool = False


def console(floor: Floor, name: str, role: Role, person: str) -> Console:
    """A table as one of the people who run it sees it, but for the steps, which are read from the record."""
    one = floor.tables[name]
    book = in_force(book_of(floor.house, one), one.table)
    return Console(
        version=floor.versions[f"table/{name}"],
        due=due_view(floor, book, one, role, person),
        entries=tuple(_entries(book, one)) if one.posted.mode == "live" else (),
        mishaps=tuple(_mishaps(book, one.table)),
        read=len(one.read),
    )


# What is due


def due_view(floor: Floor, book: Book, one: FloorTable, role: Role, person: str) -> DueView | None:
    """The act that is due at a table, as somebody of this part can do it or not."""
    found = None if one.gone else due(book, one.table)
    if found is None:
        return None
    if isinstance(found, c.PayAward) and (award := unsigned(floor, one.table.id, found.box)) is not None:
        assert one.posted.meter is not None, "a meter has the award"
        return _signature(floor, one.posted.meter, award, role, person)
    if isinstance(found, c.Report):
        act = _plain(found)
        mine = bool(AT_TABLE.get(role, ())) and role != "player"
        return DueView(do="report", act=act, by="dealer", mine=mine, clause=book.rules_on(found.mishap))
    parts = parts_in(book, found.do) or ACTS[_name(found)].by
    own = next((part for part in AT_TABLE.get(role, ()) if part in parts), None)
    player = next(iter(one.players), None) if "player" in parts and one.posted.mode == "live" else None
    entered = own is None and player is not None and bool(AT_TABLE.get(role, ()))
    fields = tuple(_fields(book, one, found))
    current = one.table.live_round
    falls = isinstance(found, c.DealCard | c.DealPacket) and current is not None
    place = next_due(book, current) if falls and current is not None else None
    return DueView(
        do=found.do,
        act={key: value for key, value in _plain(found).items() if key not in {field.name for field in fields}},
        by=parts[0],
        mine=own is not None or entered,
        role=own,
        player=player if entered else None,
        box=found.box,
        to=None if place is None else place.to.words,
        up=place is not None and place.up,
        clause=_clause(book, one.table, found, own or parts[0], person),
        fields=fields,
    )


def due_by_trigger(floor: Floor, one: FloorTable, role: Role, person: str) -> DueView | None:
    """What a trigger has given at this table and somebody must confirm or sign; no round waits for it."""
    for meter in one.posted.must_hit:
        for award in floor.meters[meter].awards.values():
            if award.table != one.table.id or award.step not in ("called", "verified"):
                continue
            if award.step == "verified":
                return _signature(floor, meter, award, role, person)
            told = {"table": award.table, "seat": award.seat, "hand": award.hand, "cards": "", "light": True}
            return DueView(
                do="supervisor-validated",
                act={"do": "verify", **told},
                by="supervisor",
                mine=role in _CONFIRM and person != award.dealer,
                box=award.seat,
                clause=award.clause,
                meter=meter,
            )
    return None


#: Who confirms and signs on a meter.
_CONFIRM: tuple[Role, ...] = ("executive", "supervisor", "floorperson")


def _signature(floor: Floor, meter: str, award: Award, role: Role, person: str) -> DueView:
    """What the meter wants before an award is paid: a third person's signature, from some amount on an executive's."""
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


def _plain(command: c.Command) -> dict[str, Any]:
    """A command as a request has it: who, in which part and when is not for the request to say."""
    told: dict[str, Any] = msgspec.to_builtins(replace(command, by="", role=None, at=None))
    return told


def _clause(book: Book, table: Table, act: c.Act, role: Actor, person: str) -> str | None:
    """The clause by which it is done."""
    passed = gate(book, table, replace(act, role=role, by=person if role in table.people else ""))
    if isinstance(passed, Refusal):
        return clause_of(book, table, act)
    full = completed(book, table, act, passed)
    if isinstance(full, Refusal):
        return clause_of(book, table, act)
    found = check(book, table, full, passed.role, passed.at)
    return clause_of(book, table, act) if isinstance(found, Refusal) else found[0]


def _fields(book: Book, one: FloorTable, act: c.Act) -> Iterator[Field]:
    """What people must tell of an act: the cards of a live table, what was counted, what a meter shows."""
    if one.posted.mode != "live":
        return
    unread = book.progressive is not None and one.posted.meter is None
    match act:
        case c.Burn() | c.DealCard() if as_read(one, act).card is None:
            yield Field(name="card", kind="card")
        case c.DealPacket():
            place = next_due(book, one.table.live_round) if one.table.live_round is not None else None
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
    """The acts that the book knows."""
    return frozenset(one.do for clause in book.clauses.values() for one in clause.acts)


# What players do


def _entries(book: Book, one: FloorTable) -> Iterator[EntryView]:
    """What each player at a live table may do at his own boxes; the cards of his hand stay his."""
    for player in one.players:
        for offer in player_offers(book, one.table, player):
            if offer.box is not None and one.seats.get(offer.box) == player:
                yield EntryView(player=player, offer=replace(offer, cards=()), card=bool(offer.cards))


# What was done


def steps_of(store: Store, table: str, *, head: int) -> tuple[StepView, ...]:
    """What was done since the last round ended, the first act first."""
    reach = _EVENTS_BACK
    while True:
        after = max(0, head - reach)
        acts, whole = _acted(store, table, after)
        if whole or after == 0:
            return tuple(_in_a_row(acts))
        reach *= 2


def _acted(store: Store, table: str, after: int) -> tuple[list[dict[str, Any]], bool]:
    """Acts after the last end of a round, and whether such an end was found."""
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
    for one in acts:
        boxes = () if one.get("box") is None else (one["box"],)
        if last is not None and (last.act, last.clause) == (one["act"], one.get("clause")):
            last = replace(last, times=last.times + 1, boxes=tuple(dict.fromkeys((*last.boxes, *boxes))))
            continue
        if last is not None:
            yield last
        last = StepView(act=one["act"], by=one["by"], at=one["at"], boxes=boxes, clause=one.get("clause"))
    if last is not None:
        yield last


# Something is wrong


def _mishaps(book: Book, table: Table) -> Iterator[MishapView]:
    """What this book rules on, those first that it would rule on as the table stands."""
    found = list[MishapView]()
    for mishap in get_args(Mishap):
        rulings = rulings_on(book, mishap)
        if not rulings or mishap in NOT_REPORTED:
            continue
        known = circumstances(book, table, NO_SHOE, mishap, boxes=(), cards=())
        now = ruling_for(book, mishap, known)
        wanted = {one for _, ruling in rulings for one in ruling.wants}
        found.append(
            MishapView(
                mishap=mishap,
                clause=rulings[0][0] if now is None else now[0],
                then=None if now is None else now[1].then,
                cards=mishap in _OF_CARDS,
                count=mishap in _OF_COUNT,
                facts=tuple(sorted(one for one in wanted if one in TOLD and "dealer" in TOLD[one])),
            )
        )
    yield from sorted(found, key=lambda one: one.then is None)


def trial(book: Book, table: str, before: FloorTable, found: Draft | Refusal) -> Trial:
    """What a draft would do at a table, in rulings, questions and money."""
    if isinstance(found, Refusal):
        return Trial(refused=found.reason, said=found.said, clause=found.clause)
    current = before.table.round
    boxes = {} if current is None else current.boxes
    rulings, asks, back, void = list[RuledView](), list[QuestionView](), list[BackView](), list[int]()
    void_round = False
    for event in found.events.get(f"table/{table}", ()):
        match event:
            case ev.Ruled():
                rulings.append(
                    RuledView(
                        mishap=event.mishap, then=event.then, clause=event.clause, boxes=event.boxes, why=event.why
                    )
                )
            case ev.Asked():
                asked = next(one for one in found.table(table).table.questions if one.number == event.question)
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
