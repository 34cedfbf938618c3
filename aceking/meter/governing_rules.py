"""What governs an act on a meter: the roster, the tables, the rules of their books, and the posted awards."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from aceking.award.authority import AwardRole, Signer, may_act
from aceking.meter.commands import Configure
from aceking.meter.state import MeterState, MeterTable
from aceking.rules.book import Book
from aceking.rules.odds import AwardAmount, Awards, Posted, award
from aceking.rules.refusal import Refusal
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.progressive import awards_in_force
from aceking.settlement.scenario import Scenario

Books = Mapping[str, Book]


def person(state: MeterState, name: str) -> Signer:
    """Return a person with their role on the roster, or without one."""
    return Signer(name, state.people.get(name))


def acts_as(state: MeterState, name: str, roles: Collection[AwardRole], clause: str) -> Refusal | None:
    """Return None if this person has one of these roles, else the refusal."""
    return may_act(person(state, name), roles, clause)


def voucher(state: MeterState, name: str) -> str:
    """Return the one person who put somebody on the roster; their own name if two persons did."""
    return state.on_word_of.get(name, name)


def same_voucher(state: MeterState, first: str, second: str, clause: str) -> Refusal | None:
    """Refuse two signatures that depend on one voucher: nobody may enrol a person and sign in their name."""
    vouching = voucher(state, first)
    if vouching != voucher(state, second):
        return None
    if first == second:
        return Refusal("the second signature is another person's", clause)
    return Refusal(f"{first} and {second} act on {vouching}'s word alone; it takes another person", clause)


@dataclass(frozen=True, slots=True)
class GoverningRules:
    """A table in operation, its book and rules, and the clause that governs an act there."""

    table: MeterTable
    book: Book
    rules: ProgressiveRules
    clause: str


class AtTable(Protocol):
    """A command at a table."""

    @property
    def table(self) -> str: ...

    @property
    def by(self) -> str: ...


def governing(
    books: Books, state: MeterState, command: AtTable, roles: Collection[AwardRole], clause: Callable[[Book], str]
) -> GoverningRules | Refusal:
    """Return what governs a command at a table; refuse it if the meter is closed or the person has another role."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    rules = book.progressive
    assert rules is not None, "a table without a progressive was refused at configuration"
    cited = clause(book)
    return acts_as(state, command.by, roles, cited) or GoverningRules(table, book, rules, cited)


def table_of(state: MeterState, name: str) -> MeterTable | Refusal:
    """Return a table of the meter; refuse if the meter is not in operation or has no such table."""
    if state.phase != "open":
        return Refusal("the meter is not in operation", "R5")
    if name not in state.tables:
        return Refusal(f"there is no table {name!r} on this meter", "R5")
    return state.tables[name]


def rules_of(books: Books, state: MeterState, table: str) -> ProgressiveRules:
    """Return the rules of a table's progressive, with the house's own order if the book leaves it to the house."""
    rules = books[state.tables[table].book].progressive
    assert rules is not None, "a table without a progressive was refused at configuration"
    order = None if state.config is None else state.config.internal_order
    if rules.order == "per-internal-controls" and order is not None:
        return replace(rules, order=order)
    return rules


def posted(config: Configure, *, decimals: int) -> dict[str, AwardAmount]:
    return {row: award(text, decimals=decimals) for row, text in config.awards.items()}


@lru_cache(maxsize=256)
def _in_force(book: Book, rows: tuple[tuple[str, AwardAmount], ...]) -> Awards | Refusal:
    awards = awards_in_force(book, Scenario(seats=(), awards=dict(rows)))
    if isinstance(awards, Refusal):
        return awards
    for category, prize in awards.items():
        if isinstance(prize, Posted):
            clause = book.cite(f"progressive.awards.{category.key}")
            return Refusal(f"{book.id}: the award for a {category.title} is to be posted, and is not given", clause)
    if not awards:
        text = f"{book.id}: the pay table of the progressive is issued separately, and none is given"
        return Refusal(text, book.cite("progressive.awards_are"))
    return awards


def awards_of(book: Book, config: Configure) -> Awards | Refusal:
    """Return what each hand wins at a table of this book, or refuse what the house posts."""
    return _in_force(book, tuple(sorted(posted(config, decimals=book.decimals).items())))
