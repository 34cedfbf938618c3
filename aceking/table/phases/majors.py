"""The hands for a share of the meter: declared as soon as they are seen, where the book wants it; and the pause."""

from aceking.rules.book import Book
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.commands import ResumeTables, SuspendTables
from aceking.table.moment import Done, Now
from aceking.table.money.award_lines import holds_major
from aceking.table.state import Box, Round


def pause(book: Book, current: Round, box: Box) -> list[ev.Event]:
    """A major hand declared before the reveal stops the games of all linked tables for a moment."""
    if not holds_major(book, box) or current.phase not in ("dealing", "deciding"):
        return []
    where = book.cite("progressive.tables_meanwhile")
    return [ev.Suspended(cause=f"box {box.number}", clause=where)]


def undeclared(book: Book, current: Round) -> list[int]:
    """The boxes whose player saw a major hand and told nobody of it."""
    silent = [box for box in current.live if box.seen and box.choice != "fold" and not box.claimed]
    return [box.number for box in silent if holds_major(book, box)]


def suspend(now: Now, act: SuspendTables) -> Done:
    """The house stops this table because of a hand here or at a linked one."""
    return [ev.Suspended(cause=act.cause, clause=now.clause)]


def resume(now: Now, act: ResumeTables) -> Done:
    """The games go on."""
    if now.table.suspended is None:
        return now.no("the games are not suspended", "time") if now.clause else base("time", "nothing is suspended")
    return [ev.Resumed(clause=now.clause)]
