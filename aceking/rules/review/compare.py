"""Compare two books rule by rule, with the clause on either side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aceking.rules.book import Book, Rule
from aceking.rules.reading.values import is_table, row_of, rule_of, rule_type, rule_types, side_types
from aceking.rules.value_text import value_text
from aceking.rules.vocabulary import SIDES

SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Difference:
    """A rule that two books set differently."""

    key: str
    left: str
    left_clause: str | None
    right: str
    right_clause: str | None


def differences(left: Book, right: Book) -> Iterator[Difference]:
    """Yield the rules that differ, in the order of the vocabulary."""
    for key in _keys(left, right):
        rules = left.by_key.get(key), right.by_key.get(key)
        texts = _text(left, key, rules[0]), _text(right, key, rules[1])
        if texts[0] != texts[1]:
            clauses = [rule.clause if rule else None for rule in rules]
            yield Difference(key, texts[0], clauses[0], texts[1], clauses[1])


def _keys(left: Book, right: Book) -> list[str]:
    order = {key: place for place, key in enumerate((*rule_types(), *side_types()))}
    keys = {key for book in (left, right) for key, rule in book.by_key.items() if not _is_heading(key, rule)}
    return sorted(keys, key=lambda key: _place(key, order))


def _place(key: str, order: Mapping[str, int]) -> tuple[int, str, int, str]:
    """The sort key of a rule: the order of the vocabulary, then the named side wagers one after another."""
    step, name, *field = rule_of(key).split(".")
    if step == SIDES:
        return len(order), name, order[field[0]], key
    return order[rule_of(key)], "", 0, key


def _is_heading(key: str, rule: Rule) -> bool:
    """Return True for the key of a whole table, which only has a clause."""
    if rule_of(key).startswith(f"{SIDES}."):
        return row_of(key) is None and is_table(rule_type(key))
    return row_of(key) is None and rule.value is None


def rules_of(book: Book) -> Iterator[tuple[str, str, str]]:
    """Yield every rule of a book: key, value in words, clause."""
    for key in _keys(book, book):
        rule = book.by_key[key]
        yield key, value_text(key, rule.value, decimals=book.decimals), rule.clause


def _text(book: Book, key: str, rule: Rule | None) -> str:
    return SILENT if rule is None else value_text(key, rule.value, decimals=book.decimals)


def options_of(book: Book) -> Mapping[str, str]:
    """Return the chosen value of every option, in words."""
    return {name: _chosen(book, name) for name in book.options}


def _chosen(book: Book, name: str) -> str:
    """The chosen value in words; without chosen rows it is the book's own table, if it has one."""
    chosen = book.chosen[name]
    if not isinstance(chosen, Mapping):
        return str(chosen)
    given = ", ".join(f"{row.replace('_', ' ')} {value}" for row, value in chosen.items())
    has_rows = any(key.startswith(f"{book.options[name].rule}.") for key in book.by_key)
    return given or ("as in the book" if has_rows else "none")
