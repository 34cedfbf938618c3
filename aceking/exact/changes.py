"""What a priced book has changed in itself: every row, option and threshold, with the book's own value beside it.

The changes are read off the book, not off what was asked for: whoever gives a figure can say what it is a figure of.
"""

import hashlib
import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from aceking.rules.vocabulary import SIDES

#: The rules that ante and bet are priced by, and those that side bets are; all others leave the figures alone.
_MAIN = (
    *("hands.", "ante.pays", "ante.returned_from", "bet.antes", "bet.required", "bet.pays.", "bet.unlisted"),
    *("decide.choices", "dealer.qualifies_", "dealer.unqualified_", "dealer.higher", "dealer.equal", "dealer.lower"),
    *("exchange.cards", "exchange.pays.", "exchange.price_antes", "exchange.prices"),
    *("paytable.", "instant.ace_low", "instant.pays."),
)
_SIDE = ("progressive.awards", "progressive.stake", "progressive.folded", "exchange.side", "bonus.", f"{SIDES}.")
_CAPS = ("bet.cap", "table.round_cap")
#: The sections of a book that figures are computed from.
_PRICED = ("hands", "ante", "bet", "decide", "exchange", "dealer", "paytable", "instant", "bonus", "progressive")


@dataclass(frozen=True, slots=True)
class Change:
    """One line in which a book is not the house's own."""

    kind: Literal["pays", "option", "qualifier", "ante"]
    name: str  # full_house, exchange.four_of_a_kind, ace-low-straight
    value: str
    own: str  # what the book says
    clause: str
    allowed: bool  # by the book itself
    enters: Literal["main", "side", "cap", "nothing"]  # which figures it is part of
    given: str  # how it is asked for on the command line

    def __str__(self) -> str:
        parts = [f"{self.name} is {self.value}, {self.own} in the book ({self.clause})"]
        if not self.allowed:
            parts.append("the book does not allow that: a what-if only")
        if self.enters == "cap":
            parts.append("left out of the figures, which are in antes: a cap bites from some amount of money on")
        if self.enters == "nothing":
            parts.append("it is no part of these figures")
        return "; ".join(parts)

    @property
    def short(self) -> str:
        """`full_house 8 to 1 (book: 7 to 1)`."""
        return f"{self.name} {self.value} (book: {self.own})"


def own_book(book: Book) -> Book:
    """The house's own book: all options at their defaults, no line changed."""
    return _with(book, {name: option.default for name, option in book.options.items()} | dict(book.fixed))


def changes_of(book: Book) -> tuple[Change, ...]:
    """Every line in which the book is not the house's own, the options first."""
    own, chosen = own_book(book), _with(book, dict(book.chosen))
    found = [one for option in book.options.values() for one in _by_option(book, own, chosen, option)]
    for key, rule in book.by_key.items():
        as_chosen = chosen.by_key.get(key)
        if as_chosen is not None and as_chosen.value != rule.value and key not in LIMITS:
            found.append(_by_line(book, key, rule, as_chosen))
    return (*found, *_by_ante(book, chosen))


def _by_ante(book: Book, chosen: Book) -> Iterator[Change]:
    """One ante, where the house takes several."""
    ante = one_ante(book)
    if ante is None or ante == one_ante(chosen):
        return
    value, capped = shown(ante, decimals=book.decimals), bool(counted_caps(book))
    clause = book.cite("ante.min")
    limits = [shown(one, decimals=book.decimals) for one in (chosen.ante.min, chosen.ante.max) if one is not None]
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
    """SHA-256 of the book's text, of every rule in force and of what figures read: of what they were computed from."""
    rules = sorted((key, _exactly(book, key, rule)) for key, rule in book.by_key.items())
    read = [repr(getattr(book, section)) for section in _PRICED]
    return hashlib.sha256(json.dumps([book.digest, rules, read]).encode()).hexdigest()


def command_line(command: str, book: str, changes: Sequence[Change], *more: str) -> str:
    """The command that gives the same figures again."""
    given = dict.fromkeys(one.given for one in changes)
    words = ["aceking", command, book, *more]
    return " ".join([*(shlex.quote(word) for word in words), *given])


def changes_data(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """The changes as JSON has them."""
    return [
        {
            "kind": one.kind,
            "name": one.name,
            "value": one.value,
            "book": one.own,
            "clause": one.clause,
            "allowed": one.allowed,
            "priced": one.enters in ("main", "side"),
            "says": str(one),
        }
        for one in changes
    ]


def _with(book: Book, options: dict[str, Any]) -> Book:
    found = with_options(book, options)
    assert not isinstance(found, Refusal), "a book allows its own choices"
    return found


def _by_option(book: Book, own: Book, chosen: Book, option: Option) -> Iterator[Change]:
    """A choice of the house that is not the default; a choice of rows is one change a row."""
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
    """A row of a pay table, or the qualifier, that was changed outside the book's options."""
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
    """A row of a named side wager: the book fixes each of them."""
    name = f"{key.split('.')[1]}.{row_of(key)}"
    value, before = _words(book, key, rule), _words(book, key, own)
    asked = f"{name}={_odds(value).replace(',', '')}"
    given = f"--pays {shlex.quote(asked)}"
    return Change("pays", name, value, before, own.clause, rule.value == own.value, enters(key), given)


def _odds(text: str) -> str:
    return text.removesuffix(" to 1")


def _hand(category: int, ranks: str) -> str:
    """The five ranks of a threshold: a rank that is held several times is written as often."""
    letters = ranks.split()
    sizes = {1: (2, 1, 1, 1), 2: (2, 2, 1), 3: (3, 1, 1), 6: (3, 2), 7: (4, 1)}.get(category)
    if sizes is not None:
        return " ".join(letter for letter, size in zip(letters, sizes, strict=True) for _ in range(size))
    if category == 4:
        top = RANKS.index(letters[0])
        return " ".join(RANKS[top - place] for place in range(5))
    return ranks


def _exactly(book: Book, key: str, rule: Rule) -> str:
    """A value in words, but for a fraction, which words would round."""
    return str(rule.value) if isinstance(rule.value, Fraction) else _words(book, key, rule)


def _words(book: Book, key: str, rule: Rule) -> str:
    return value_text(key, rule.value, decimals=book.decimals)


def _enters(book: Book, key: str) -> Literal["main", "side", "cap", "nothing"]:
    """Which figures a rule is part of in this book: a cap is, where one ante is known."""
    found = enters(key)
    return "main" if found == "cap" and one_ante(book) is not None else found


def enters(key: str) -> Literal["main", "side", "cap", "nothing"]:
    """Which figures a rule is part of."""
    if key.startswith(_CAPS):
        return "cap"
    if key.startswith(_MAIN):
        return "main"
    return "side" if key.startswith(_SIDE) else "nothing"
