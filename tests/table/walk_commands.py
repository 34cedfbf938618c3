"""Commands for a walk: what comes next, what somebody might do, and what nobody should."""

import random
from typing import TypeVar, get_args

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.words import ActName, Actor, Circumstance, Incident, Outcome
from aceking.table.command import Act, Choice, Choose, Command, Report, Rule
from aceking.table.deal import places
from aceking.table.dealer.due import due
from aceking.table.state import Box, Round, Table
from tests.table.walk import PLAYERS, Walk

T = TypeVar("T")
ACTS: tuple[ActName, ...] = get_args(ActName)
ACTORS: tuple[Actor, ...] = get_args(Actor)
INCIDENTS: tuple[Incident, ...] = get_args(Incident)
FACTS: tuple[Circumstance, ...] = get_args(Circumstance)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
ANTES = (500, 1000, 1000, 2000, 10_000)
AMOUNTS = (-1000, -1, 0, 1, 100, 500, 1000, 1500, 2000, 4000, 10_000, 10**9)
PEOPLE = ("", "dealer", "Dee", "Flo", "Sue", "Ann", "tray")


def some_command(walk: Walk, chance: random.Random) -> Command:
    """Mostly what comes next; now and then a mishap, an act at the wrong time, or by the wrong person."""
    roll = chance.random()
    if roll < 0.10:
        return anything(walk.book, walk.table, chance)
    if roll < 0.13:
        return mishap(walk.book, walk.table, chance)
    if roll < 0.14:
        return answer(walk.table, chance, right=False)
    if roll < 0.15:
        return another_option(walk.book, chance)
    if roll < 0.25 and walk.table.live_round is not None:
        return by_a_player(walk.book, walk.table, chance)
    return next_step(walk.book, walk.table, chance)


def next_step(book: Book, table: Table, chance: random.Random) -> Command:
    """What a table that is well run does now."""
    if table.questions:
        return answer(table, chance, right=True)
    current = table.live_round
    if current is not None and current.phase == "betting" and (not current.dealt_in or chance.random() < 0.6):
        return a_stake(book, current, chance)
    act = due(book, table)
    if act is None:
        return by_a_player(book, table, chance)
    return with_cards(book, table, act, chance)


def with_cards(book: Book, table: Table, act: Act, chance: random.Random) -> Act:
    """An act of the house with what a generator, or a dealer at a live table, adds to it."""
    if act.do == "shuffle" and table.mode == "electronic":
        return replace(act, cards=a_deck(chance))
    if act.do in ("chip-light-count", "START GAME") and book.progressive is not None:
        return replace(act, amount=chance.choice((None, 5_000_000, 12_345_678)))
    current = table.live_round
    if current is None or current.order or act.do not in ("burn", "card-dealt", "packet-dealt"):
        return act
    free = [card for card in range(52) if card not in current.sequence]
    if act.do == "packet-dealt":
        due_places = places(book, [box.number for box in current.dealt_in])
        to = due_places[current.placed].to if current.placed < len(due_places) else "dealer"
        size = book.hands.community if to == "community" else book.hands.cards
        return replace(act, cards=tuple(chance.sample(free, size)))
    return replace(act, card=chance.choice(free))


def a_deck(chance: random.Random) -> tuple[int, ...]:
    """A deck in any order; now and then one that deals a flush or better to some place."""
    order = chance.sample(range(52), 52)
    if chance.random() < 0.3:
        suit, low, among = chance.randrange(4), chance.choice((8, 8, 3, 0)), chance.randint(1, 5)
        start = chance.randrange(among)
        for place, rank in zip(range(start, 52, among), range(low, low + 5), strict=False):
            other = order.index(4 * rank + suit)
            order[place], order[other] = order[other], order[place]
    return tuple(order)


def a_stake(book: Book, current: Round, chance: random.Random) -> Act:
    """An ante, or a side bet beside one."""
    with_ante = [box for box in current.dealt_in if not box.side]
    rules = book.progressive or book.bonus
    if with_ante and rules is not None and chance.random() < 0.4:
        box = chance.choice(with_ante)
        note = chance.choice((None, None, None, "dark"))
        return Act(do="side-bet", box=box.number, player=box.player, amount=rules.stake, note=note)
    number = chance.randint(1, book.table.seats_max)
    note = "unnoticed" if chance.random() < 0.05 else None
    return Act(do="ante", box=number, player=chance.choice(PLAYERS), amount=chance.choice(ANTES), note=note)


def by_a_player(book: Book, table: Table, chance: random.Random) -> Act:
    """A look, an exchange, a discard or a decision of some box."""
    current = table.live_round
    boxes = [] if current is None else [box for box in current.dealt_in if box.owes_decision]
    if current is None or not boxes:
        return Act(do="claim", box=chance.randint(1, book.table.seats_max))
    box = boxes[0] if chance.random() < 0.8 else chance.choice(boxes)
    if not box.seen and chance.random() < 0.8:
        return Act(do="look", box=box.number, player=box.player)
    if book.exchange is not None and box.give is None and box.cards and chance.random() < 0.4:
        return _exchange(current, box, chance)
    choices = [one for one in book.decide.choices if one != "exchange"]
    choice: Choice = chance.choice(choices)
    discard = chance.choice(box.cards) if book.hands.discards and box.cards else None
    if chance.random() < 0.2 and discard is not None:
        return Act(do="discard", box=box.number, card=discard)
    if chance.random() < 0.05:
        return Act(do="bet", box=box.number, amount=chance.choice(AMOUNTS), note="unnoticed", card=discard)
    return Act(do="decision", box=box.number, player=box.player, choice=choice, card=discard)


def _exchange(current: Round, box: Box, chance: random.Random) -> Act:
    drawn = None if current.order else chance.randrange(52)
    return Act(do="exchange", box=box.number, player=box.player, card=chance.choice(box.cards), count=drawn)


def anything(book: Book, table: Table, chance: random.Random) -> Act:
    """Any act by anybody with anything."""

    def maybe(*values: T) -> T | None:
        """Some of the parts, some of the time."""
        return chance.choice(values) if chance.random() < 0.4 else None

    cards = tuple(chance.sample(range(52), chance.choice((1, 2, 3, 5, 52))))
    option = chance.choice(list(book.options.values()))
    return Act(
        do=chance.choice(ACTS),
        by=chance.choice(PEOPLE),
        role=maybe(*ACTORS),
        at=maybe(0, table.clock, table.clock + 60, table.clock + 40_000),
        box=maybe(-1, 0, 1, 2, 3, 5, 7, 99),
        player=maybe(*PLAYERS, "", "tray", "layout"),
        amount=maybe(*AMOUNTS),
        card=maybe(*range(52)),
        cards=maybe(cards),
        count=maybe(-1, 0, 1, 5, 9, 10, 26, 42, 51, 52, 53),
        deck=maybe("first", "second", ""),
        to=maybe("dealer", "community", "box 1", "box 2", "box 0", "box x", "burn", "floor"),
        face=maybe("up", "down"),
        method=maybe("manual", "automated", "red", "blue", ""),
        choice=maybe("bet", "fold", "stay", "declare"),
        hand=maybe("royal_flush", "nonsense"),
        hands=maybe(1, 2),
        device=maybe("shuffler", "shoe"),
        means=maybe("chips", "cash", "coupon"),
        option=maybe(option.name, "no-such-option"),
        value=maybe("", "none", "5", *(str(one) for one in option.values)),
        note=maybe("unnoticed", "dark", "standing", "whatever"),
    )


def another_option(book: Book, chance: random.Random) -> Act:
    """The house gives notice of a change, or makes it."""
    option = chance.choice(list(book.options.values()))
    if chance.random() < 0.4:
        return Act(do="notice-given", note=option.name)
    value = chance.choice(option.values) if option.values else chance.choice(("none", "1", "50000"))
    return Act(do="option-changed", role="house", option=option.name, value=str(value), note=option.name)


def mishap(book: Book, table: Table, chance: random.Random) -> Report:
    """Any incident with any facts."""
    current = table.round
    out = current.sequence if current is not None else ()
    boxes = [box.number for box in current.dealt_in] if current is not None else []
    return Report(
        incident=chance.choice(INCIDENTS),
        boxes=tuple(chance.sample(boxes, min(len(boxes), chance.randrange(3)))) or chance.choice(((), (), (1,), (99,))),
        cards=tuple(chance.sample(out, min(len(out), chance.randrange(3)))) or chance.choice(((), (), (5,), (7, 7))),
        facts=tuple(chance.sample(FACTS, chance.choice((0, 0, 0, 1, 3)))),
        role=chance.choice((None, *ACTORS)),
        by=chance.choice(PEOPLE),
    )


def answer(table: Table, chance: random.Random, *, right: bool) -> Command:
    """A person answers an open question, rightly or not."""
    question = table.questions[0] if table.questions else None
    number = question.number if question is not None and (right or chance.random() < 0.5) else chance.randrange(4)
    boxes = question.boxes if question is not None else ()
    if question is not None and question.of == "players" and (right or chance.random() < 0.5) and boxes:
        return Choose(question=number, box=chance.choice(boxes), go_on=chance.random() < 0.5)
    if not right and chance.random() < 0.3:
        return Choose(question=number, box=chance.choice((0, 1, 2, 99)), go_on=chance.random() < 0.5)
    return Rule(
        question=number,
        then=chance.choice(("continue", "void-round")) if chance.random() < 0.5 else chance.choice(OUTCOMES),
        facts=tuple(chance.sample(FACTS, chance.choice((0, 0, 1)))),
        cards=chance.choice(((), (), (3,), (51, 51))),
        reason="as the camera shows" if right or chance.random() < 0.7 else " ",
        role=None if right else chance.choice((None, *ACTORS)),
    )
