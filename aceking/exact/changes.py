"""The changes in a priced book: every row, option and threshold that differs, with the book's own value.

The changes are read from the book itself, not from the request, so a figure can always say what it was computed from.
"""

import hashlib
import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal

from aceking.cards.card import RANKS
from aceking.exact.caps import LIMITS, one_ante
from aceking.exact.unpriced import counted_caps
from aceking.money.chips import shown
from aceking.rules.book import Book, Rule
from aceking.rules.clause import Option
from aceking.rules.odds import odds_text
from aceking.rules.reading.load import with_options
from aceking.rules.reading.values import row_of
from aceking.rules.refusal import Refusal
from aceking.rules.value_text import value_text
from aceking.rules.vocabulary import SIDES, STEPS

#: The rules that price ante and bet, those that price side bets, and caps; no other rule changes the figures.
_MAIN = (
    *("hands.", "ante.pays", "ante.returned_from", "bet.antes", "bet.required", "bet.pays.", "bet.unlisted"),
    *("decide.choices", "dealer.qualifies_", "dealer.unqualified_", "dealer.higher", "dealer.equal", "dealer.lower"),
    *("exchange.cards", "exchange.pays.", "exchange.price_antes", "exchange.prices"),
    *("paytable.", "instant.ace_low", "instant.pays."),
)
_SIDE = ("progressive.awards", "progressive.stake", "progressive.folded", "exchange.side", "bonus.", f"{SIDES}.")
_CAPS = ("bet.cap", "table.round_cap")


@dataclass(frozen=True, slots=True)
class Change:
    """One line in which a book differs from the house's own book."""

    kind: Literal["pays", "option", "qualifier", "ante"]
    name: str  # full_house, exchange.four_of_a_kind, ace-low-straight
    value: str
    own: str  # the value in the house's own book
    clause: str
    allowed: bool  # by the book itself
    enters: Literal["main", "side", "cap", "nothing"]  # which figures it is part of
    given: str  # the command line option that makes the change

    def __str__(self) -> str:
        parts = [f"{self.name} is {self.value}, {self.own} in the book ({self.clause})"]
        if not self.allowed:
            parts.append("the book does not allow that: a what-if only")
        if self.enters == "cap":
            parts.append("left out of the figures, which are in antes: a cap bites from some amount of money on")
        if self.enters == "nothing":
            parts.append("it is no part of these figures")
        return "; ".join(parts)


def own_book(book: Book) -> Book:
    """Return the house's own book: all options at their defaults, no line changed."""
    return _with(book, {name: option.default for name, option in book.options.items()} | dict(book.fixed))


def changes_of(book: Book) -> tuple[Change, ...]:
    """Return every line in which the book differs from the house's own book, the options first."""
    own, chosen = own_book(book), _with(book, dict(book.chosen))
    changes = [change for option in book.options.values() for change in _by_option(book, own, chosen, option)]
    for key, rule in book.by_key.items():
        as_chosen = chosen.by_key.get(key)
        if as_chosen is not None and as_chosen.value != rule.value and key not in LIMITS:
            changes.append(_by_line(book, key, rule, as_chosen))
    return (*changes, *_by_ante(book, chosen))


def _by_ante(book: Book, chosen: Book) -> Iterator[Change]:
    """Yield the change if the book has one ante and the house takes several."""
    ante = one_ante(book)
    if ante is None or ante == one_ante(chosen):
        return
    value, capped = shown(ante, decimals=book.decimals), bool(counted_caps(book))
    clause = book.cite("ante.min")
    limits = [shown(limit, decimals=book.decimals) for limit in (chosen.ante.min, chosen.ante.max) if limit is not None]
    yield Change(
        "ante",
        "ante",
        value,
        " to ".join(limits) or "any",
        clause,
        True,
        "main" if capped else "nothing",
        f"--ante {value}",
    )


def priced_hash(book: Book) -> str:
    """Return the SHA-256 of everything that figures are computed from: the book's text, its rules in force, its steps.

    Rules that the book does not set are left out, so a rule added to the language later changes no book's hash.
    """
    rules = sorted((key, _exactly(book, key, rule)) for key, rule in book.by_key.items())
    steps = {step: getattr(book, step) for step in STEPS} | {f"{SIDES}.{name}": one for name, one in book.sides.items()}
    texts = sorted((f"{name}.{key}", repr(value)) for name, step in steps.items() for key, value in _set_rules(step))
    return hashlib.sha256(json.dumps([book.digest, rules, texts]).encode()).hexdigest()


def _set_rules(step: Any) -> Iterator[tuple[str, Any]]:
    """Yield the rules of a step that the book sets. One that it does not set is None, or an empty table."""
    for field in fields(step) if step is not None else ():
        value = getattr(step, field.name)
        if value is not None and value != {}:
            yield field.name, value


def command_line(command: str, book: str, changes: Sequence[Change], *more: str) -> str:
    """Return the command that gives the same figures again."""
    options = dict.fromkeys(change.given for change in changes)
    words = ["aceking", command, book, *more]
    return " ".join([*(shlex.quote(word) for word in words), *options])


def changes_data(changes: Sequence[Change]) -> list[dict[str, Any]]:
    return [
        {
            "kind": change.kind,
            "name": change.name,
            "value": change.value,
            "book": change.own,
            "clause": change.clause,
            "allowed": change.allowed,
            "priced": change.enters in ("main", "side"),
            "says": str(change),
        }
        for change in changes
    ]


def _with(book: Book, options: dict[str, Any]) -> Book:
    changed = with_options(book, options)
    assert not isinstance(changed, Refusal), "a book allows its own choices"
    return changed


def _by_option(book: Book, own: Book, chosen: Book, option: Option) -> Iterator[Change]:
    """Yield the change of an option that is not at its default; an option of rows is one change for each row."""
    raw = book.chosen[option.name]
    text = json.dumps(raw) if isinstance(raw, dict) else str(raw)
    given = f"--option {shlex.quote(f'{option.name}={text}')}"
    of_rows = option.kind in ("pays", "awards")
    tables = (option.rule, "instant.pays") if option.rule == "bet.pays" else (option.rule,)
    keys = [f"{table}.{row}" for row in raw for table in tables] if of_rows else [option.rule]
    for key in keys:
        now, before = chosen.by_key.get(key), own.by_key.get(key)
        if now is None or (before is not None and now.value == before.value):
            continue
        words = _words(book, key, now), "not given" if before is None else _words(book, key, before)
        if not of_rows and option.kind == "choice":
            words = str(raw), str(option.default)
        name = f"{option.name}, {key.rsplit('.', 1)[1]}" if of_rows else option.name
        yield Change("option", name, *words, option.clause, True, _enters(book, key), given)


def _by_line(book: Book, key: str, rule: Rule, own: Rule) -> Change:
    """Return the change of a pay table row or of the qualifier, made outside the book's options."""
    if key.startswith(f"{SIDES}."):
        return _by_side_row(book, key, rule, own)
    step, _, row = key.partition(".pays.")
    if not row:
        ranks = " ".join(RANKS[one] for one in rule.value.ranks)
        given = f"--qualifier {shlex.quote(_hand(rule.value.category.value, ranks))}"
        words = _words(book, key, rule), _words(book, key, own)
        return Change("qualifier", "qualifier", *words, own.clause, False, enters(key), given)
    name = row if step == "bet" else f"{step}.{row}"
    least = book.minimums.get(key, own).value
    fixed = step == "exchange" or (step == "bet" and book.bet.pays_are == "fixed")
    allowed = rule.value == least or (rule.value > least and not fixed)
    given = f"--pays {shlex.quote(f'{name}={_odds(odds_text(rule.value))}')}"
    return Change("pays", name, odds_text(rule.value), odds_text(own.value), own.clause, allowed, enters(key), given)


def _by_side_row(book: Book, key: str, rule: Rule, own: Rule) -> Change:
    """Return the change of a row of a named side wager. The book fixes all of these rows."""
    name = f"{key.split('.')[1]}.{row_of(key)}"
    value, before = _words(book, key, rule), _words(book, key, own)
    asked = f"{name}={_odds(value).replace(',', '')}"
    given = f"--pays {shlex.quote(asked)}"
    return Change("pays", name, value, before, own.clause, rule.value == own.value, enters(key), given)


def _odds(text: str) -> str:
    return text.removesuffix(" to 1")


def _hand(category: int, ranks: str) -> str:
    """Return the five ranks of a threshold; a rank that is held N times is written N times."""
    letters = ranks.split()
    sizes = {1: (2, 1, 1, 1), 2: (2, 2, 1), 3: (3, 1, 1), 6: (3, 2), 7: (4, 1)}.get(category)
    if sizes is not None:
        return " ".join(letter for letter, size in zip(letters, sizes, strict=True) for _ in range(size))
    if category == 4:
        top = RANKS.index(letters[0])
        return " ".join(RANKS[top - place] for place in range(5))
    return ranks


def _exactly(book: Book, key: str, rule: Rule) -> str:
    """Return a value in words; a fraction as a fraction, because words would round it."""
    return str(rule.value) if isinstance(rule.value, Fraction) else _words(book, key, rule)


def _words(book: Book, key: str, rule: Rule) -> str:
    return value_text(key, rule.value, decimals=book.decimals)


def _enters(book: Book, key: str) -> Literal["main", "side", "cap", "nothing"]:
    """Return which figures a rule is part of in this book: a cap is part of the main ones if the ante is known."""
    figures = enters(key)
    return "main" if figures == "cap" and one_ante(book) is not None else figures


def enters(key: str) -> Literal["main", "side", "cap", "nothing"]:
    """Return which figures a rule is part of."""
    if key.startswith(_CAPS):
        return "cap"
    if key.startswith(_MAIN):
        return "main"
    return "side" if key.startswith(_SIDE) else "nothing"
