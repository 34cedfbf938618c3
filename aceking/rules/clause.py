"""A clause of a rule book: its words, and the rules, acts and rulings in it."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from aceking.rules.words import ActName, Actor, CaseWord, Circumstance, Condition, Mishap, Remedy

OptionKind = Literal["choice", "amount", "odds", "pays", "award", "awards", "percent", "number", "text"]


#: The options under which an act or a ruling applies: each option with the values it may have.
When = tuple[tuple[str, tuple[str, ...]], ...]


Breach = Literal["refused", "violation"]


class ClauseAct(msgspec.Struct, frozen=True):
    """An act that a clause orders, allows or forbids: who does it, and which acts come first."""

    do: ActName
    by: Actor
    after: tuple[ActName, ...]
    case: tuple[CaseWord, ...]  # the clause applies in these cases only
    needs: tuple[Condition, ...]  # conditions that must hold
    breach: Breach | None  # the result if `after` or `needs` fails; None if both are empty
    when: When = ()


class Ruling(msgspec.Struct, frozen=True):
    """What a clause decides when something goes wrong."""

    on: Mishap
    during: tuple[Circumstance, ...]  # the part of the round in which it applies
    given: tuple[Circumstance, ...]  # other circumstances that must hold
    then: Remedy
    when: When = ()

    @property
    def circumstances(self) -> frozenset[Circumstance]:
        """All circumstances that must hold for it to apply."""
        return frozenset((*self.during, *self.given))


class Reference(msgspec.Struct, frozen=True):
    """A place that the text points to. `read` is the place that it must mean, if that is another."""

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
    floor: Mapping[str, str]  # the least `amount`, `share` or `number` that the house may choose


class Anomaly(msgspec.Struct, frozen=True):
    """A fault or a gap in the text, and the reading taken."""

    id: str
    where: str
    problem: str
    reading: str
    why: str
    open: bool  # the text does not decide it: the house may choose another reading


class Clause(msgspec.Struct, frozen=True):
    id: str
    topic: str
    actor: Actor
    says: str
    sets: tuple[str, ...]
    reads: tuple[str, ...]  # the rules among those it sets that come from a reading, not from the text
    defines: tuple[str, ...]
    acts: tuple[ClauseAct, ...]
    rulings: tuple[Ruling, ...]
    outside: str | None
    readings: tuple[str, ...]
    options: tuple[str, ...]
    refers: tuple[Reference, ...]

    @property
    def kind(self) -> Literal["sets", "acts", "rules", "defines", "outside"]:
        """What the clause mainly does; one that sets a rule is always `sets`."""
        if self.sets:
            return "sets"
        if self.rulings:
            return "rules"
        if self.acts:
            return "acts"
        if self.defines:
            return "defines"
        return "outside"
