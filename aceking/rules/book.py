"""A rule book, resolved: typed rules for each step, and for each rule the clause that sets it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from aceking.rules import vocabulary as rules
from aceking.rules.clause import Anomaly, Clause, Option
from aceking.rules.reading.inheritance import Heritage
from aceking.rules.refusal import Unregulated


@dataclass(frozen=True, slots=True)
class Rule:
    """The value of a rule, and the clause that decides it."""

    value: Any
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Book:
    """A rule book under one choice of its options. Two books are the same only if they are one object."""

    id: str
    title: str
    house: str
    version: str
    source: str
    currency: str
    decimals: int
    steps: tuple[str, ...]
    digest: str  # of the whole text, options at their defaults
    clauses: Mapping[str, Clause]
    anomalies: Mapping[str, Anomaly]
    heritage: Heritage
    options: Mapping[str, Option]
    chosen: Mapping[str, Any]
    fixed: Mapping[str, Any]  # options that make the book what it is, such as its version
    minimums: Mapping[str, Rule]  # the rules as the text sets them; a pay table may not go below its rows
    by_key: Mapping[str, Rule]  # the rules under the chosen options

    hands: rules.Hands
    table: rules.Table
    deck: rules.Deck
    wagers: rules.Wagers
    deal: rules.Deal
    ante: rules.Ante
    bet: rules.Bet
    decide: rules.Decide
    collection: rules.Collection
    void: rules.Void
    opening: rules.Opening | None = None
    shuffle: rules.Shuffle | None = None
    cut: rules.Cut | None = None
    stub: rules.Stub | None = None
    fold: rules.Fold | None = None
    exchange: rules.Exchange | None = None
    bought: rules.Bought | None = None
    dealer: rules.Dealer | None = None
    paytable: rules.Paytable | None = None
    instant: rules.InstantWinner | None = None
    bonus: rules.Bonus | None = None
    progressive: rules.Progressive | None = None
    system: rules.System | None = None
    irregular: rules.Irregular | None = None
    sides: Mapping[str, rules.NamedSide] = field(default_factory=dict)  # the named side wagers, in the book's order

    def cite(self, key: str) -> str:
        """The clause that sets a rule: `book.cite("bet.antes")`."""
        return self.by_key[key].clause

    def cite_first(self, *keys: str) -> str:
        """The clause of the first of these rules that the book sets."""
        return next(self.by_key[key].clause for key in keys if key in self.by_key)

    def silent(self, reason: str, reading: str | None = None) -> Unregulated:
        """The book says nothing of it: who decides then, and by which clause."""
        return Unregulated(reason, self.void.last_word, self.cite("void.last_word"), reading)

    def rules_on(self, incident: str) -> str | None:
        """The clause that decides such a mishap: of several the one that asks for the least circumstances."""
        return _rules_on(self, incident)

    def governs(self, act: str) -> str | None:
        """The first clause that allows or orders an act, and does not only put a breach on record."""
        return _governs(self, act)


@cache
def _rules_on(book: Book, incident: str) -> str | None:
    found = [(len(r.given), one.id) for one in book.clauses.values() for r in one.rulings if r.on == incident]
    return min(found, key=lambda one: one[0])[1] if found else None


@cache
def _governs(book: Book, act: str) -> str | None:
    ordering = ((one.id, done) for one in book.clauses.values() for done in one.acts)
    return next((clause for clause, done in ordering if done.do == act and done.breach != "violation"), None)
