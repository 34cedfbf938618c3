"""What governs an act on a link: its persons, its tables, the rules of their books, and the awards that are posted."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from aceking.award.authority import Person, Role, may_act
from aceking.meter.commands import Configure
from aceking.meter.state import LinkState, Table
from aceking.rules.book import Book
from aceking.rules.odds import Award, Awards, Posted, award
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.vocabulary import Progressive
from aceking.settlement.progressive import awards_in_force
from aceking.settlement.scenario import Scenario

Books = Mapping[str, Book]
No = Refusal | Unregulated


def person(state: LinkState, name: str) -> Person:
    """Somebody as the roster has him."""
    return Person(name, state.people.get(name))


def acts_as(state: LinkState, name: str, roles: Collection[Role], clause: str) -> Refusal | None:
    """Whether this person may do what only these roles may."""
    return may_act(person(state, name), roles, clause)


def voucher(state: LinkState, name: str) -> str:
    """On whose word alone somebody is on the roster; his own where two persons put him there."""
    return state.on_word_of.get(name, name)


def one_word(state: LinkState, first: str, second: str, clause: str) -> Refusal | None:
    """Two signatures that rest on one person's word are one: who invents persons does not sign in their names."""
    word = voucher(state, first)
    if word != voucher(state, second):
        return None
    if first == second:
        return Refusal("the second signature is another person's", clause)
    return Refusal(f"{first} and {second} act on {word}'s word alone; it takes another person", clause)


@dataclass(frozen=True, slots=True)
class Place:
    """A table in operation, its book, and the clause that governs what is asked there."""

    table: Table
    book: Book
    rules: Progressive
    clause: str


class AtTable(Protocol):
    """A command at a table."""

    @property
    def table(self) -> str:
        """Which table."""
        ...

    @property
    def by(self) -> str:
        """Who gives it."""
        ...


def place_of(
    books: Books, state: LinkState, command: AtTable, roles: Collection[Role], clause: Callable[[Book], str]
) -> Place | Refusal:
    """Where a command is given, if the table is in operation and the person has one of these roles."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    rules = book.progressive
    assert rules is not None, "a table without a progressive was refused at configuration"
    governs = clause(book)
    return acts_as(state, command.by, roles, governs) or Place(table, book, rules, governs)


def table_of(state: LinkState, name: str) -> Table | Refusal:
    """A table of the link, when the link is in operation."""
    if state.phase != "open":
        return Refusal("the link is not in operation", "R5")
    if name not in state.tables:
        return Refusal(f"there is no table {name!r} on this link", "R5")
    return state.tables[name]


def rules_of(books: Books, state: LinkState, table: str) -> Progressive:
    """The rules of a table's progressive, with the house's own order where the book leaves that to it."""
    rules = books[state.tables[table].book].progressive
    assert rules is not None, "a table without a progressive was refused at configuration"
    order = None if state.config is None else state.config.internal_order
    if rules.order == "per-internal-controls" and order is not None:
        return replace(rules, order=order)
    return rules


def posted(config: Configure, *, decimals: int) -> dict[str, Award]:
    """The awards that the house posts."""
    return {row: award(text, decimals=decimals) for row, text in config.awards.items()}


@lru_cache(maxsize=256)
def _in_force(book: Book, rows: tuple[tuple[str, Award], ...]) -> Awards | Refusal:
    found = awards_in_force(book, Scenario(seats=(), awards=dict(rows)))
    if isinstance(found, Refusal):
        return found
    for category, one in found.items():
        if isinstance(one, Posted):
            clause = book.cite(f"progressive.awards.{category.key}")
            return Refusal(f"{book.id}: the award for a {category.title} is to be posted, and is not given", clause)
    if not found:
        text = f"{book.id}: the pay table of the progressive is issued separately, and none is given"
        return Refusal(text, book.cite("progressive.awards_are"))
    return found


def awards_of(book: Book, config: Configure) -> Awards | Refusal:
    """What each hand wins at a table of this book, or why the house may not post that."""
    return _in_force(book, tuple(sorted(posted(config, decimals=book.decimals).items())))
