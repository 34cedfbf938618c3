"""The hands for a share of the meter: declared as soon as they are seen, where the book wants it; and the pause."""

from aceking.rules.book import Book
from aceking.rules.odds import Share
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.phases.awards import row_of
from aceking.table.phases.opening import Outcome
from aceking.table.state import Box, Round, Table

_SUSPENDED = "suspended"
#: What may be done while the games of all linked tables stand still.
WHILE_SUSPENDED = frozenset({"claim", "look", "suspend-tables", "resume-tables", "notice-given", "sit", "talk"})


def is_major(book: Book, box: Box) -> bool:
    """Whether a box with a live side bet holds a hand that wins a share of the meter."""
    rules = book.progressive
    if rules is None or rules.tables_meanwhile != "suspended" or not (box.side and box.lit):
        return False
    if box.give is not None or len(box.cards) != book.hands.cards:
        return False
    row = row_of(book, box)
    return any(category.key == row and isinstance(prize, Share) for category, prize in rules.awards.items())


def pause(book: Book, current: Round, box: Box) -> list[ev.Event]:
    """A major hand declared before the reveal stops the games of all linked tables for a moment."""
    if not is_major(book, box) or current.phase not in ("dealing", "deciding"):
        return []
    where = book.cite("progressive.tables_meanwhile")
    return [ev.TableSet(key=_SUSPENDED, value=f"box {box.number}", clause=where)]


def too_late(book: Book, box: Box) -> bool:
    """Whether a declaration comes after the decision, and the house takes that for silence."""
    rules = book.progressive
    late = rules is not None and rules.undeclared_major == "forfeit" and box.choice is not None
    return late and is_major(book, box)


def undeclared(book: Book, current: Round) -> list[int]:
    """The boxes whose major hand nobody was told of."""
    return [box.number for box in current.live if box.choice != "fold" and not box.claimed and is_major(book, box)]


def is_suspended(table: Table) -> bool:
    """Whether the games stand still."""
    return bool(table.facts.get(_SUSPENDED))


def suspend(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The house stops this table because of a hand here or at a linked one."""
    return [ev.TableSet(key=_SUSPENDED, value=act.note or "another table", clause=clause)]


def resume(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The games go on."""
    if not is_suspended(table):
        return Refusal("the games are not suspended", clause or "")
    return [ev.TableSet(key=_SUSPENDED, value="", clause=clause)]
