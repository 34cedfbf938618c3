"""Whether a script went as it says: what came of each step, and every way in which it differs from what was told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aceking.cards.card import Card, card, names
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.deal import from_the_left
from aceking.table.money import lying_on
from aceking.table.place import place_from
from aceking.table.state import Table


class ScriptError(ValueError):
    """A script that cannot be run: the message says which step and what was expected."""


@dataclass(slots=True)
class Told:
    """What came of one step."""

    step: int
    what: str
    events: tuple[ev.Event, ...] = ()
    refusal: Refusal | None = None
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Story:
    """A script that was run: every step, the table at the end, and every way in which it differs from the script."""

    book: Book
    table: Table
    before: Table
    steps: list[Told]
    problems: list[str]
    cited: tuple[str, ...]

    @property
    def events(self) -> list[ev.Event]:
        """All events in order."""
        return [event for told in self.steps for event in told.events]


def step_problems(told: Told, expects: Mapping[str, Any]) -> list[str]:
    problems = []
    wanted = expects.get("refused")
    if wanted is None and told.refusal is not None:
        problems.append(f"it was refused: {told.refusal.reason} ({told.refusal.clause})")
    if wanted is not None and told.refusal is None:
        problems.append(f"it was not refused by {wanted}")
    if wanted not in (None, True) and told.refusal is not None and told.refusal.clause != wanted:
        problems.append(f"it was refused by {told.refusal.clause} ({told.refusal.reason}), not by {wanted}")
    if "because" in expects and told.refusal is not None and expects["because"] not in told.refusal.reason:
        problems.append(f"the reason is {told.refusal.reason!r}, without {expects['because']!r}")
    breaches = [one.clause for one in told.events if isinstance(one, ev.Violated)]
    if "violates" in expects and expects["violates"] not in breaches:
        problems.append(f"the breaches are {breaches}, without {expects['violates']}")
    if "violates" not in expects and breaches and not expects.get("rules"):
        problems.append(f"it breaches {breaches}")
    outcomes = [one.then for one in told.events if isinstance(one, ev.Ruled | ev.Answered)]
    if "rules" in expects and expects["rules"] not in outcomes:
        problems.append(f"the rulings are {outcomes}, without {expects['rules']}")
    asked = [one.of for one in told.events if isinstance(one, ev.Asked)]
    if "asks" in expects and expects["asks"] not in asked:
        problems.append(f"the questions go to {asked}, not to {expects['asks']}")
    return problems


def cited(steps: list[Told]) -> tuple[str, ...]:
    clauses: dict[str, None] = {}
    for told in steps[1:]:
        if told.refusal is not None:
            clauses[told.refusal.clause] = None
        for event in told.events:
            if event.clause:
                clauses[event.clause] = None
    return tuple(clauses)


def differences(
    book: Book, table: Table, then: Mapping[str, Any], steps: list[Told], cited: tuple[str, ...]
) -> list[str]:
    problems = []
    current = table.round
    for key in set(then) - {
        "net",
        "phase",
        "hands",
        "up",
        "unregulated",
        "cites",
        "violations",
        "rounds",
        "open",
        "meter",
        "lights",
        "accounts",
        "rack",
        "decks",
    }:
        raise ScriptError(f"then: {key!r} is nothing that follows")
    for who, wanted in then.get("net", {}).items():
        found = net_of(book, table, who)
        if found != wanted:
            problems.append(f"{who} has {found}, not {wanted}")
    if "phase" in then and (current is None or current.phase != then["phase"]):
        problems.append(f"the round is {current and current.phase}, not {then['phase']}")
    for place, wanted in then.get("hands", {}).items():
        found = hand_at(book, table, place)
        if found != wanted:
            problems.append(f"{place} has {found}, not {wanted}")
    if "up" in then and (current is None or current.up != card(then["up"])):
        problems.append(f"the up-card is {names_of(current.up) if current else None}, not {then['up']}")
    silent = any(isinstance(one, ev.Asked) and one.unregulated for told in steps for one in told.events)
    if "unregulated" in then and then["unregulated"] != silent:
        problems.append("the book was not silent" if then["unregulated"] else "the book was silent")
    problems += [
        f"it cites {', '.join(cited)}, not {clause}" for clause in then.get("cites", []) if clause not in cited
    ]
    if "violations" in then and table.violations != then["violations"]:
        problems.append(f"{table.violations} breaches are on the record, not {then['violations']}")
    if "rounds" in then and table.rounds != then["rounds"]:
        problems.append(f"{table.rounds} rounds were played, not {then['rounds']}")
    for account, wanted in then.get("accounts", {}).items():
        found = shown(table.accounts.get(account, 0), decimals=book.decimals)
        if found != wanted:
            problems.append(f"the {account} has {found}, not {wanted}")
    lying = {pile.words: cards for pile, cards in current.rack} if current is not None else {}
    for what, wanted in then.get("rack", {}).items():
        if names_of(*lying.get(what, ())) != wanted:
            problems.append(f"of {what} the rack has {names_of(*lying.get(what, ()))}, not {wanted}")
    if "decks" in then and sorted(table.decks) != sorted(then["decks"]):
        problems.append(f"the decks at the table are {', '.join(sorted(table.decks))}")
    if "meter" in then:
        problems += _meter_problems(book, then["meter"], steps)
    if "lights" in then and current is not None:
        lit = [number for number in sorted(current.boxes) if current.boxes[number].lit]
        problems += [] if lit == then["lights"] else [f"the lights are on at {lit}, not at {then['lights']}"]
    if "open" in then and table.open != then["open"]:
        problems.append(f"the table is {'open' if table.open else 'closed'}")
    return problems


def _meter_problems(book: Book, wanted: str, steps: list[Told]) -> list[str]:
    """The meter after the round, as the settlement left it."""
    after = [one.meter_after for told in steps for one in told.events if isinstance(one, ev.Settled)]
    known = [one for one in after if one is not None]
    found = shown(known[-1], decimals=book.decimals) if known else "unknown"
    return [] if found == wanted else [f"the meter is {found}, not {wanted}"]


def net_of(book: Book, table: Table, who: str) -> str:
    """What a player, or the player of a box, is better off by. Chips on the layout are still his."""
    current = table.round
    player = who
    if who.isdecimal() and current is not None and int(who) in current.boxes:
        player = current.boxes[int(who)].player
    lying = 0
    if current is not None and current.phase not in ("done", "void"):
        lying = sum(lying_on(current, box) for box in current.boxes.values() if box.player == player)
    return shown(table.accounts.get(player, 0) + lying, decimals=book.decimals)


def hand_at(book: Book, table: Table, place: str) -> str:
    """The cards at a place of the round, by name."""
    current = table.round
    if current is None:
        return ""
    if place == "community from the left":
        return names_of(*from_the_left(book, current.community))
    return names_of(*current.held(place_from(place)))


def names_of(*numbers: int | None) -> str:
    """Cards by name."""
    return names(tuple(Card(one) for one in numbers if one is not None))
