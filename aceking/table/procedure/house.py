"""What clauses demand of the house: signs, procedures, approved machines, limits; predicates as in conditions.py."""

import re
from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.table.command import Act
from aceking.table.phases.equipment import components, missing
from aceking.table.state import Table


def _posted(table: Table, word: str, places: tuple[str, ...] = ()) -> bool:
    """Whether a notice about this is displayed, and where it must be if that is laid down."""
    return any(
        key.startswith("notice ") and word in key and (not places or value in ("shown", *places))
        for key, value in table.facts.items()
    )


def _places(book: Book, rule: str) -> tuple[str, ...]:
    """The places among which the book lets the house choose."""
    return next((option.values for option in book.options.values() if option.rule == rule), ())


def _limits_posted(book: Book, table: Table, act: Act) -> str | None:
    return None if _posted(table, "limits") else "no sign shows the minimum and the maximum"


def _rules_posted(book: Book, table: Table, act: Act) -> str | None:
    return None if _posted(table, "rules") else "the regulations are not there for players to read"


def _games_posted(book: Book, table: Table, act: Act) -> str | None:
    shown = _posted(table, "games", _places(book, "table.games_notice"))
    return None if shown else "neither layout nor placard says how many games a player may wager on"


def _pays_posted(book: Book, table: Table, act: Act) -> str | None:
    shown = _posted(table, "pays", _places(book, "bet.pays_shown"))
    return None if shown else "neither sign nor layout shows the pay table"


def _procedure_on_file(book: Book, table: Table, act: Act) -> str | None:
    """A table that is dealt by hand needs the house's own procedure; filing it is part of its configuration."""
    if book.deal.method != "hand" or (book.deal.procedure is not None and "did table-configured" in table.facts):
        return None
    return "no house procedure for shuffling and dealing is on file"


def _approved_device(book: Book, table: Table, act: Act) -> str | None:
    """A shuffler needs two outside approvals on file: of the model, and of its maker."""
    if "shuffler" not in (act.device or "").lower():
        return None
    absent = [one for one in ("model", "maker") if f"approval {one} {act.method}" not in table.facts]
    return f"no approval of the {absent[0]} of shuffler {act.method} is on file" if absent else None


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _of_set(book: Book, act: Act, which: str) -> str | None:
    """Whether a component fits the set in use. Generations are not mixed."""
    system = book.system
    if system is None or system.chosen != which:
        return None
    sets = {"first": components(system.first), "second": components(system.second)}
    name = (act.device or "").lower()
    if not any(name in one for one in sets.values()):
        return None
    if name not in sets[which]:
        return f"{act.device} does not go with the system in use"
    least = sets[which][name]
    if least and _version(act.method or "") < _version(least):
        return f"{act.device} must be version {least} or higher, not {act.method}"
    return None


def _of_first_set(book: Book, table: Table, act: Act) -> str | None:
    return _of_set(book, act, "first")


def _of_second_set(book: Book, table: Table, act: Act) -> str | None:
    return _of_set(book, act, "second")


def _is_display(act: Act) -> bool:
    return "display" in (act.device or "").lower()


def _approved_system(book: Book, table: Table, act: Act) -> str | None:
    """A part of the progressive is one of the approved ones, and of the approved maker; displays may be anybody's."""
    system = book.system
    if system is None or "shuffler" in (act.device or "").lower() or _is_display(act):
        return None
    known = {**components(system.first), **components(system.second)}
    if (act.device or "").lower() not in known:
        return f"{act.device} is no part of an approved progressive system"
    if act.note is not None and act.note.lower() != system.maker.lower():
        return f"the system must be {system.maker}'s, not {act.note}'s"
    return None


def _system_complete(book: Book, table: Table, act: Act) -> str | None:
    absent = missing(book, table)
    return f"the progressive system has no {absent[0]}" if absent else None


def _plain_display(book: Book, table: Table, act: Act) -> str | None:
    """A display may do nothing that the book does not allow it."""
    if book.system is None or not _is_display(act) or act.method is None:
        return None
    extra = [one.strip() for one in act.method.split(",") if one.strip() not in book.system.display_functions]
    return f"a display with {extra[0]} is not a plain monitor" if extra else None


def _within_table_limits(book: Book, table: Table, act: Act) -> str | None:
    """The ante lies between the posted limits. One that nobody noticed is dealt with when it is found."""
    if act.amount is None or act.amount < 0 or act.note == "unnoticed":
        return None
    current = table.round
    box = current.boxes.get(act.box) if current is not None and act.box is not None else None
    total = act.amount + (box.ante if box is not None and table.live_round is not None else 0)
    least = table.ante_min if table.ante_min is not None else book.ante.min
    most = table.ante_max if table.ante_max is not None else book.ante.max
    if least is not None and total < least:
        return "the ante is under the minimum"
    return "the ante is over the maximum" if most is not None and total > most else None


def _within_games(book: Book, table: Table, act: Act) -> str | None:
    """So many games for a player. `count` tells of other games that he has on the hand besides this book's."""
    most, current = book.table.games_per_player, table.live_round
    if most is None or current is None or act.box is None or (act.amount or 0) < 0:
        return None
    box = current.boxes.get(act.box)
    if book.table.games_are == "hands":
        player = box.player if box is not None else act.player
        hands = {one.number for one in current.boxes.values() if one.player == player and one.ante}
        games = len(hands | {act.box})
    else:
        base = act.do == "ante" or (box is not None and box.ante > 0)
        side = act.do == "side-bet" or (box is not None and box.side > 0)
        games = base + side + (act.count or 0)
    return f"{games} games; a player may wager on {most}" if games > most else None


HOUSE_CONDITIONS: Mapping[str, Callable[[Book, Table, Act], str | None]] = {
    "limits-posted": _limits_posted,
    "rules-posted": _rules_posted,
    "games-posted": _games_posted,
    "pays-posted": _pays_posted,
    "procedure-on-file": _procedure_on_file,
    "approved-device": _approved_device,
    "of-first-set": _of_first_set,
    "of-second-set": _of_second_set,
    "approved-system": _approved_system,
    "system-complete": _system_complete,
    "plain-display": _plain_display,
    "within-table-limits": _within_table_limits,
    "within-games": _within_games,
}
