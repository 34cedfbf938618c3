"""What governs an act on a link: the clause of the table's book, else the requirement of docs/PROGRESSIVE.md."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from aceking.link.commands import Configure, Role
from aceking.link.state import LinkState, Table
from aceking.rules.book import Book
from aceking.rules.odds import Award, Awards, Posted, award
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.vocabulary import Progressive
from aceking.rules.words import ActName, Mishap
from aceking.settle.scenario import Scenario
from aceking.settle.side import awards_in_force

Books = Mapping[str, Book]
No = Refusal | Unregulated
#: The roles that verify, sign and set.
FLOOR: tuple[Role, ...] = ("supervisor", "executive")
EXECUTIVE: tuple[Role, ...] = ("executive",)
DEALER: tuple[Role, ...] = ("dealer",)


def clause_of(book: Book, act: ActName, *, otherwise: str) -> str:
    """The clause of the book that governs an act; where the book has none, what stands in for it."""
    for clause in book.clauses.values():
        if any(one.do == act for one in clause.acts):
            return clause.id
    return otherwise


def cited(book: Book, key: str, *, otherwise: str) -> str:
    """The clause that sets a rule; where the book is silent, what stands in for it."""
    return book.by_key[key].clause if key in book.by_key else otherwise


def ruling_of(book: Book, on: Mishap, given: Iterable[str]) -> tuple[str, str] | None:
    """What the book decides about an incident, and by which clause: the ruling that fits closest."""
    holds = set(given)
    fitting = [
        (len(one.given), one.then, clause.id)
        for clause in book.clauses.values()
        for one in clause.rulings
        if one.on == on and holds.issuperset(one.given)
    ]
    if not fitting:
        return None
    _, then, clause_id = max(fitting, key=lambda one: one[0])
    return then, clause_id


def acts_as(state: LinkState, name: str, roles: Collection[Role], clause: str) -> Refusal | None:
    """Whether this person may do what only these roles may."""
    role = state.people.get(name)
    if role is None:
        return Refusal(f"{name} is not on the roster", clause)
    if role not in roles:
        return Refusal(f"{name} is {_a(role)}; this takes {' or '.join(_a(one) for one in roles)}", clause)
    return None


def _a(role: str) -> str:
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"


def signature_clause(book: Book) -> str:
    """What asks for the signature: the book's swipe or signature, else R16."""
    rules = book.progressive
    named = rules is not None and bool(rules.signatures)
    return clause_of(book, "card-swipe", otherwise=book.cite("progressive.signatures") if named else "R16")


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
