"""Hands for a share of the meter: announced when they are seen, if the book wants it; and the suspension of games."""

from aceking.rules.book import Book
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.commands import ResumeTables, SuspendTables
from aceking.table.moment import Done, Moment
from aceking.table.money.award_lines import holds_major
from aceking.table.state import Box, Round


def pause(book: Book, current: Round, box: Box) -> list[ev.TableEvent]:
    """Suspend the games of all linked tables for a major hand announced before the reveal."""
    if not holds_major(book, box) or current.phase not in ("dealing", "deciding"):
        return []
    where = book.cite("progressive.tables_meanwhile")
    return [ev.Suspended(cause=f"box {box.number}", clause=where)]


def undeclared(book: Book, current: Round) -> list[int]:
    """Return the boxes whose players saw a major hand and did not announce it."""
    silent = [box for box in current.live if box.seen and not box.gave_up and not box.claimed]
    return [box.number for box in silent if holds_major(book, box)]


def suspend(now: Moment, act: SuspendTables) -> Done:
    """Suspend the games of this table for a hand at this or a linked table."""
    return [ev.Suspended(cause=act.cause, clause=now.clause)]


def resume(now: Moment, act: ResumeTables) -> Done:
    if now.table.suspended is None:
        return now.no("the games are not suspended", "time") if now.clause else base("time", "nothing is suspended")
    return [ev.Resumed(clause=now.clause)]
