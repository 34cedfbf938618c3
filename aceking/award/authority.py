"""Who may do what with an award, and the clause: of the book, or a requirement of docs/explanation/progressive.md."""

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.rulings import ruling_for
from aceking.rules.words import ActName, Circumstance, Mishap, Remedy

AwardRole = Literal["dealer", "supervisor", "executive", "administrator"]
DEALER: tuple[AwardRole, ...] = ("dealer",)
#: The roles that verify, sign and set.
FLOOR: tuple[AwardRole, ...] = ("supervisor", "executive")
EXECUTIVE: tuple[AwardRole, ...] = ("executive",)


class Signer(msgspec.Struct, frozen=True):
    """A person who acts on an award. Without a name: the table records none. Without a role: not on the roster."""

    name: str
    role: AwardRole | None


def clause_of(book: Book, act: ActName, *, otherwise: str) -> str:
    """Return the first clause of the book that has this act, or `otherwise`."""
    for clause in book.clauses.values():
        if any(one.do == act for one in clause.acts):
            return clause.id
    return otherwise


def cited(book: Book, key: str, *, otherwise: str) -> str:
    """Return the clause that sets a rule, or `otherwise` if the book is silent."""
    return book.by_key[key].clause if key in book.by_key else otherwise


def ruling_of(book: Book, on: Mishap, given: Iterable[Circumstance]) -> tuple[Remedy, str] | None:
    """Return the remedy for a mishap and its clause, or None if the book is silent."""
    found = ruling_for(book, on, given)
    return None if found is None else (found[1].then, found[0])


def signature_clause(book: Book) -> str:
    """Return the clause that requires the signature: of the book, else R16."""
    rules = book.progressive
    named = rules is not None and bool(rules.signatures)
    return clause_of(book, "card-swipe", otherwise=book.cite("progressive.signatures") if named else "R16")


def may_act(person: Signer, roles: Collection[AwardRole], clause: str) -> Refusal | None:
    """Return None if this person has one of these roles, else the refusal."""
    if person.role is None:
        return Refusal(f"{person.name or 'nobody'} is not on the roster", clause)
    if person.role not in roles:
        takes = " or ".join(a_role(one) for one in roles)
        return Refusal(f"{person.name or 'the person'} is {a_role(person.role)}; this takes {takes}", clause)
    return None


def a_role(role: str) -> str:
    """Return a role with its article: `an executive`."""
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"
