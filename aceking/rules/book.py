"""A resolved rule book: the typed rules of each step, and the clause that sets each rule."""

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
    """The value of a rule, and the clause that sets it."""

    value: Any
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Book:
    """A rule book under one choice of its options. Two books are equal only if they are the same object."""

    id: str
    title: str
    house: str
    version: str
    source: str
    currency: str
    decimals: int
    steps: tuple[str, ...]
    digest: str  # SHA-256 of the whole text, options at their defaults
    clauses: Mapping[str, Clause]
    anomalies: Mapping[str, Anomaly]
    heritage: Heritage
    options: Mapping[str, Option]
    chosen: Mapping[str, Any]
    fixed: Mapping[str, Any]  # options that the house cannot change, such as the version of the game
    minimums: Mapping[str, Rule]  # the rules as the text sets them; an option may raise a row, not lower it
    by_key: Mapping[str, Rule]  # the rules under the chosen options

    hands: rules.HandRules
    table: rules.TableRules
    deck: rules.DeckRules
    wagers: rules.WagerRules
    deal: rules.DealRules
    ante: rules.AnteRules
    bet: rules.BetRules
    decide: rules.DecideRules
    collection: rules.CollectionRules
    void: rules.VoidRules
    opening: rules.OpeningRules | None = None
    shuffle: rules.ShuffleRules | None = None
    cut: rules.CutRules | None = None
    stub: rules.StubRules | None = None
    fold: rules.FoldRules | None = None
    exchange: rules.ExchangeRules | None = None
    bought: rules.BoughtCardRules | None = None
    dealer: rules.DealerRules | None = None
    paytable: rules.PaytableRules | None = None
    instant: rules.InstantWinnerRules | None = None
    bonus: rules.BonusRules | None = None
    progressive: rules.ProgressiveRules | None = None
    system: rules.MachineRules | None = None
    irregular: rules.IrregularRules | None = None
    sides: Mapping[str, rules.SideWagerRules] = field(
        default_factory=dict
    )  # the named side wagers, in the book's order

    def cite(self, key: str) -> str:
        """Return the clause that sets a rule: `book.cite("bet.antes")`. Raises KeyError if none does."""
        return self.by_key[key].clause

    def cite_first(self, *keys: str) -> str:
        """Return the clause of the first of these rules that the book sets. It must set one of them."""
        return next(self.by_key[key].clause for key in keys if key in self.by_key)

    def silent(self, reason: str, reading: str | None = None) -> Unregulated:
        """Return the answer to a case without a rule: who decides it, and the clause that says so."""
        return Unregulated(reason, self.void.last_word, self.cite("void.last_word"), reading)

    def rules_on(self, mishap: str) -> str | None:
        """Return the clause that rules on a mishap, or None; of several, the one with the fewest circumstances."""
        return _rules_on(self, mishap)

    def governs(self, act: str) -> str | None:
        """Return the first clause that allows or orders an act, or None. One that only records a breach is skipped."""
        return _governs(self, act)


@cache
def _rules_on(book: Book, mishap: str) -> str | None:
    rulings = [(len(r.given), clause.id) for clause in book.clauses.values() for r in clause.rulings if r.on == mishap]
    return min(rulings, key=lambda ruling: ruling[0])[1] if rulings else None


@cache
def _governs(book: Book, act: str) -> str | None:
    orders = ((clause.id, order) for clause in book.clauses.values() for order in clause.acts)
    return next((clause for clause, order in orders if order.do == act and order.breach != "violation"), None)
