"""Who may do what about an award, and which clause says so: the book's, else a requirement of docs/PROGRESSIVE.md."""

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.rulings import ruling_for
from aceking.rules.words import ActName, Circumstance, Mishap, Remedy

Role = Literal["dealer", "supervisor", "executive", "administrator"]
DEALER: tuple[Role, ...] = ("dealer",)
#: The roles that verify, sign and set.
FLOOR: tuple[Role, ...] = ("supervisor", "executive")
EXECUTIVE: tuple[Role, ...] = ("executive",)


class Person(msgspec.Struct, frozen=True):
    """Somebody in a part. No name: nobody asked for it. No role: he is not on the roster."""

    name: str
    role: Role | None


def clause_of(book: Book, act: ActName, *, otherwise: str) -> str:
    """The clause of the book that governs an act; where the book has none, what stands in for it."""
    for clause in book.clauses.values():
        if any(one.do == act for one in clause.acts):
            return clause.id
    return otherwise


def cited(book: Book, key: str, *, otherwise: str) -> str:
    """The clause that sets a rule; where the book is silent, what stands in for it."""
    return book.by_key[key].clause if key in book.by_key else otherwise


def ruling_of(book: Book, on: Mishap, given: Iterable[Circumstance]) -> tuple[Remedy, str] | None:
    """What the book decides about a mishap, and by which clause: the ruling that fits closest."""
    found = ruling_for(book, on, given)
    return None if found is None else (found[1].then, found[0])


def signature_clause(book: Book) -> str:
    """What asks for the signature: the book's swipe or signature, else R16."""
    rules = book.progressive
    named = rules is not None and bool(rules.signatures)
    return clause_of(book, "card-swipe", otherwise=book.cite("progressive.signatures") if named else "R16")


def may_act(person: Person, roles: Collection[Role], clause: str) -> Refusal | None:
    """Whether this person may do what only these roles may."""
    if person.role is None:
        return Refusal(f"{person.name or 'nobody'} is not on the roster", clause)
    if person.role not in roles:
        takes = " or ".join(a_role(one) for one in roles)
        return Refusal(f"{person.name or 'the person'} is {a_role(person.role)}; this takes {takes}", clause)
    return None


def a_role(role: str) -> str:
    """`an executive`."""
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"
