"""A clause of a rule book: what it says, and what it sets, governs or leaves outside."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from aceking.rules.words import ActName, Actor, Case, Circumstance, Condition, Mishap, Remedy

OptionKind = Literal["choice", "amount", "odds", "pays", "award", "awards", "percent", "number", "text"]


#: The choices of the house under which an order or a ruling stands: option, and the values that it may have.
When = tuple[tuple[str, tuple[str, ...]], ...]


Breach = Literal["refused", "violation"]


class Act(msgspec.Struct, frozen=True):
    """An act that a clause orders, allows or forbids: who does it, and what must have gone before."""

    do: ActName
    by: Actor
    after: tuple[ActName, ...]
    case: tuple[Case, ...]  # the case it speaks of; in any other it says nothing
    needs: tuple[Condition, ...]  # what else must hold
    breach: Breach | None  # what follows where that is not so; None where nothing is demanded but who does it
    when: When = ()


class Ruling(msgspec.Struct, frozen=True):
    """What a clause decides when something goes wrong."""

    on: Mishap
    during: tuple[Circumstance, ...]  # the part of the round in which it decides
    given: tuple[Circumstance, ...]  # and what else must hold
    then: Remedy
    when: When = ()

    @property
    def wants(self) -> frozenset[Circumstance]:
        """All that must hold for it."""
        return frozenset((*self.during, *self.given))


class Reference(msgspec.Struct, frozen=True):
    """A place that the text points to, and the place that it must mean where that is another."""

    to: str
    read: str | None
    external: bool


class Option(msgspec.Struct, frozen=True):
    """A choice that the book leaves to the house."""

    name: str
    clause: str
    rule: str
    kind: OptionKind
    default: Any
    values: tuple[str, ...]
    means: Mapping[str, Any]  # the rule's value for each allowed value
    floor: Mapping[str, str]  # the least that a table, a share or an amount may be


class Anomaly(msgspec.Struct, frozen=True):
    """A fault or a gap of the text, and the reading taken."""

    id: str
    where: str
    problem: str
    reading: str
    why: str
    open: bool  # the text does not settle it: the house may choose otherwise


class Clause(msgspec.Struct, frozen=True):
    """One clause of a book."""

    id: str
    topic: str
    actor: Actor
    says: str
    sets: tuple[str, ...]
    reads: tuple[str, ...]  # the rules among those it sets that come from a reading, not from the text
    defines: tuple[str, ...]
    acts: tuple[Act, ...]
    rulings: tuple[Ruling, ...]
    outside: str | None
    readings: tuple[str, ...]
    options: tuple[str, ...]
    refers: tuple[Reference, ...]

    @property
    def kind(self) -> Literal["sets", "acts", "rules", "defines", "outside"]:
        """What the clause mainly is; a clause that sets a rule counts as that whatever else it does."""
        if self.sets:
            return "sets"
        if self.rulings:
            return "rules"
        if self.acts:
            return "acts"
        if self.defines:
            return "defines"
        return "outside"
