"""Load a book: resolve every rule of its text to a typed value, or raise BookError with book and clause."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import fields
from fractions import Fraction
from functools import cache
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from aceking.cards.hand import Category
from aceking.rules.book import Book, Rule
from aceking.rules.clause import Option
from aceking.rules.odds import OddsError
from aceking.rules.options import OptionError, option_rules, unknown_option
from aceking.rules.qualifier import ANY_HAND
from aceking.rules.reading.clauses import BookText, Setting, read_book
from aceking.rules.reading.complaints import BookError, Complaints
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.parse_cache import BOOKS
from aceking.rules.reading.soundness import misshapen
from aceking.rules.reading.source import OnDisk, Shipped, shipped_books, stamp
from aceking.rules.reading.values import (
    ROWS,
    RuleValueError,
    is_table,
    may_be_silent,
    row_of,
    row_value,
    rule_type,
    rule_types,
    rule_value,
)
from aceking.rules.refusal import Refusal
from aceking.rules.side_wagers import gaps, named_sides, unplayable
from aceking.rules.vocabulary import STEPS

_INSTANTS = ("three_card_straight_flush", "instant_three_of_a_kind")


def book_ids() -> tuple[str, ...]:
    """Return the ids of the books that come with the program."""
    return shipped_books()


@cache
def catalogue() -> tuple[str, ...]:
    """Return the ids of all clauses in the source documents of the shipped books."""
    return tuple((BOOKS / "clauses.txt").read_text(encoding="utf-8").splitlines())


#: The folder of the file being read: a book that it names may be there too.
_beside: ContextVar[Path | None] = ContextVar("beside", default=None)


@contextmanager
def books_in(folder: Path) -> Iterator[None]:
    """Inside the context, paths of books are looked for in this folder first, then in the working directory."""
    before = _beside.set(folder)
    try:
        yield
    finally:
        _beside.reset(before)


def load_book(name: str | PathLike[str]) -> Book:
    """Load a book by its id or the path of its TOML file, with all options at their defaults. Raises BookError."""
    name = fspath(name)
    if name in book_ids():
        return _shipped(name)
    if name.endswith(".toml") or "/" in name:
        folder = _beside.get()
        beside = folder / name if folder is not None else None
        return _on_disk(beside if beside is not None and beside.exists() else Path(name))
    raise BookError(f"there is no book {name!r}; there are {', '.join(book_ids())}{suggestion(name, book_ids())}")


@cache
def _shipped(name: str) -> Book:
    return resolve(read_book(Shipped(f"{name}.toml")))


def _on_disk(path: Path) -> Book:
    """Load the book of a file, from the cache unless the file, or one that it starts from, has changed."""
    cached = _read.get(path)
    if cached is not None:
        with suppress(OSError):
            if all(stamp(file) == before for file, before in cached[0].items()):
                return cached[1]
    source = OnDisk(path)
    book = resolve(read_book(source))
    _read[path] = (source.stamps, book)
    return book


#: The books loaded from files, with the stamps of their files.
_read: dict[Path, tuple[dict[Path, tuple[int, int]], Book]] = {}


def with_options(book: Book, options: Mapping[str, Any]) -> Book | Refusal:
    """Return the book under these options, or a refusal if it does not leave the choice. Raises OptionError."""
    if not options:
        return book
    for name in options:
        if name not in book.options:
            raise unknown_option(book.id, name, book.options)
        if name in book.fixed and options[name] != book.fixed[name]:
            return Refusal(f"{book.id} is the book of {name} {book.fixed[name]}", book.options[name].clause)
    chosen = _chosen(book, {**book.chosen, **options})
    return chosen if isinstance(chosen, Refusal) else _unsound(chosen) or chosen


def _unsound(book: Book) -> Refusal | None:
    """Return what makes the book unplayable under these options, or None."""
    complaint = next(chain(misshapen(book), unplayable(book, None)), None)
    return None if complaint is None else Refusal(complaint[1], complaint[0] or book.cite("hands.cards"))


def resolve(text: BookText) -> Book:
    """Return the typed book with all options at their defaults. Raises BookError with everything that is wrong."""
    complaints = text.complaints
    settled = {
        key: rule
        for key, one in text.settings.items()
        if not isinstance(one.raw, Option) and not _removes_row(one) and (rule := _rule(text, one)) is not None
    }
    _complain_of_missing_rules(text)
    complaints.raise_any()
    book = _build(text, settled, {})
    defaults = {name: option.default for name, option in text.options.items()} | text.header["fixes"]
    for name in defaults:
        _check_option(book, name, defaults[name], complaints)
    complaints.raise_any()
    chosen = _chosen(book, defaults)
    if isinstance(chosen, Refusal):
        complaints.add(chosen.reason, chosen.clause)
        complaints.raise_any()
    assert isinstance(chosen, Book)
    unsound = unplayable(chosen, text.settings)
    for clause, says in (*_incomplete(text, chosen.by_key), *misshapen(chosen), *unsound):
        complaints.add(says, clause)
    complaints.raise_any()
    return chosen


def _removes_row(setting: Setting) -> bool:
    """Return True for a row that the book takes out of its table: `flush = "none"`."""
    return setting.raw == "none" and row_of(setting.key) in ROWS


def _rule(text: BookText, setting: Setting) -> Rule | None:
    row = row_of(setting.key)
    kind = rule_type(setting.key)
    decimals = text.header["decimals"]
    try:
        if row is not None and row not in ROWS:
            raise RuleValueError(f"there is no row {row!r}{suggestion(row, ROWS)}")
        parse = rule_value if row is None else row_value
        return Rule(parse(kind, setting.raw, decimals=decimals), setting.clause)
    except (RuleValueError, OddsError) as refused:
        text.complaints.add(str(refused), setting.clause, setting.key)
        return None


def _complain_of_missing_rules(text: BookText) -> None:
    """Complain of each required rule and row that no clause or option sets.

    The rows of a progressive may depend on its options, so `_incomplete` checks those later.
    """
    for step in text.header["steps"]:
        for field in fields(STEPS[step]):
            key = f"{step}.{field.name}"
            kind = rule_types()[key]
            if key not in text.settings and not is_table(kind) and not may_be_silent(kind):
                text.complaints.add(f"no clause sets {key}")
    for key in gaps(text.settings):
        text.complaints.add(f"no clause sets {key}")
    given = {*text.settings, *(option.rule for option in text.options.values())}
    for key in rows_needed(
        set(text.header["steps"]) - {"progressive"}, text.settings, listed="bet.unlisted" not in text.settings
    ):
        if key not in given:
            text.complaints.add(f"there is no row {key}", text.tables.get(key.rsplit(".", 1)[0]))


def _check_option(book: Book, name: str, raw: Any, complaints: Complaints) -> None:
    """Complain if an option does not take the value that the book itself gives it."""
    option = book.options[name]
    least = {key: rule.value for key, rule in book.minimums.items()} | _open_rows(book)
    try:
        rules = option_rules(option, raw, decimals=book.decimals, minimums=least)
    except OptionError as wrong:
        complaints.add(str(wrong), option.clause)
        return
    if isinstance(rules, Refusal):
        complaints.add(rules.reason, rules.clause)


def _chosen(book: Book, choices: Mapping[str, Any]) -> Book | Refusal:
    """Return the book with these options; a pay table may not go below the rows that the text sets."""
    by_key = dict(book.minimums)
    for name, raw in choices.items():
        option = book.options[name]
        least = {key: rule.value for key, rule in book.minimums.items()} | _open_rows(book)
        rules = option_rules(option, raw, decimals=book.decimals, minimums=least)
        if isinstance(rules, Refusal):
            return rules
        by_key.update({key: Rule(value, option.clause) for key, value in rules.items()})
    chosen = _with_rules(book, by_key, choices)
    return _boxes_refusal(chosen) or _deal_refusal(chosen) or _cap_refusal(chosen) or chosen


def _boxes_refusal(book: Book) -> Refusal | None:
    """Refuse more boxes than the deck can deal to."""
    bank = book.hands.community or book.hands.cards
    exchanged = 0 if book.exchange is None else book.exchange.cards
    needed = book.table.seats_max * (book.hands.cards + exchanged) + bank + (book.deal.method in book.deal.burn)
    needed += book.bought is not None
    if book.table.seats_max < 1 or needed > book.deck.size:
        reason = f"{book.table.seats_max} boxes take {needed} cards, and the deck has {book.deck.size}"
        if exchanged > 1:
            reason = f"{reason}, counting {exchanged} that each box may exchange"
        return Refusal(reason, book.cite("table.seats_max"))
    return None


def _deal_refusal(book: Book) -> Refusal | None:
    """Refuse a dealing method that the book does not have, or that shows no dealer's card in a game with a dealer."""
    deal = book.deal
    if deal.method not in deal.methods:
        return Refusal(f"cards are not dealt by {deal.method} here", book.cite("deal.methods"))
    key = "up_packet" if deal.method in deal.packets else "up_single"
    up = deal.up_packet if deal.method in deal.packets else deal.up_single
    if (book.dealer is None) != (up in (None, "none")):
        there = "no dealer's card to lie" if book.dealer is None else "a dealer's card, and none lies"
        return Refusal(f"there is {there} face up", book.cite_first(f"deal.{key}", "deal.methods"))
    return None


def _cap_refusal(book: Book) -> Refusal | None:
    """Refuse a cap that does not fit the game: against a dealer it counts the bet alone."""
    counted = book.bet.cap_on
    if ("bet.cap" in book.by_key) != (counted is not None):
        return Refusal("bet.cap and bet.cap_on must be set together", book.cite_first("bet.cap", "bet.cap_on"))
    if counted is not None and (counted == "bet") != (book.dealer is not None):
        return Refusal(f"no cap is counted on {counted} here", book.cite("bet.cap_on"))
    return None


def _open_rows(book: Book) -> dict[str, Any]:
    """Rows that the text lacks and an option supplies: the house may post any odds, from a push up."""
    return {one.rule: Fraction(0) for one in book.options.values() if one.kind == "odds"}


def _build(text: BookText, settled: Mapping[str, Rule], chosen: Mapping[str, Any]) -> Book:
    header = text.header
    tables = {key: Rule(None, clause) for key, clause in text.tables.items()}
    unset: dict[str, Any] = dict.fromkeys(STEPS)
    return Book(
        id=header["id"],
        title=header["title"],
        house=header["house"],
        version=header["version"],
        source=header["source"],
        currency=header["currency"],
        decimals=header["decimals"],
        steps=tuple(header["steps"]),
        digest=text.digest,
        clauses=text.clauses,
        anomalies=text.anomalies,
        heritage=text.heritage,
        options=text.options,
        chosen=chosen,
        fixed=header["fixes"],
        minimums={**tables, **settled},
        by_key=settled,
        **unset,
    )


def _with_rules(book: Book, by_key: Mapping[str, Rule], chosen: Mapping[str, Any]) -> Book:
    sections = {step: _section(book, step, by_key) for step in book.steps}
    kept = {field.name: getattr(book, field.name) for field in fields(book) if field.name not in STEPS}
    return Book(
        **{**kept, **dict.fromkeys(STEPS), **sections, "by_key": by_key, "chosen": chosen, "sides": named_sides(by_key)}
    )


def _section(book: Book, step: str, by_key: Mapping[str, Rule]) -> Any:
    values: dict[str, Any] = {}
    for field in fields(STEPS[step]):
        key = f"{step}.{field.name}"
        kind = rule_types()[key]
        if is_table(kind):
            prefix = f"{key}."
            values[field.name] = {
                ROWS[name.removeprefix(prefix)]: rule.value for name, rule in by_key.items() if name.startswith(prefix)
            }
        elif key in by_key:
            values[field.name] = by_key[key].value
        elif may_be_silent(kind):
            values[field.name] = None
        else:
            raise AssertionError(f"{book.id}: no clause sets {key}")
    return STEPS[step](**values)


def _incomplete(text: BookText, by_key: Mapping[str, Rule]) -> Iterator[tuple[str | None, str]]:
    """Yield rows that a pay table lacks, and a contribution rate below the book's own minimum."""
    unlisted = by_key.get("bet.unlisted")
    for key in rows_needed(text.header["steps"], by_key, listed=unlisted is None or unlisted.value is None):
        taken_out = key in text.settings and key.startswith(("bonus.", "progressive."))
        if key not in by_key and not taken_out:
            yield text.tables.get(key.rsplit(".", 1)[0]), f"there is no row {key}"
    for table in ("bet.pays", "exchange.pays"):
        if table.partition(".")[0] in text.header["steps"] and not any(key.startswith(f"{table}.") for key in by_key):
            yield text.tables.get(table), f"{table}: no row is left"
    least, rate = by_key.get("progressive.rate_min"), by_key.get("progressive.increment")
    if least and rate and None not in (least.value, rate.value) and rate.value < least.value:
        yield rate.clause, f"the meter is fed less than {least.clause} orders"


def rows_needed(steps: Iterable[str], by_key: Mapping[str, Any], *, listed: bool) -> list[str]:
    """Return the keys of all rows that the pay tables of these steps must have.

    If `bet.unlisted` decides winners without a row, the tables of the bet may lack any row: `listed` is False.
    """
    steps = tuple(steps)
    lowest = Category.PAIR if "paytable" in steps else Category.HIGH_CARD
    needed = [f"bet.pays.{one.key}" for one in Category if one >= lowest and listed]
    if "exchange" in steps and listed:
        needed += [f"exchange.pays.{one.key}" for one in Category if one >= lowest]
    if "instant" in steps:
        needed += [f"instant.pays.{row}" for row in _INSTANTS]
    if "bonus" in steps:
        needed += [f"bonus.pays.{one.key}" for one in Category if one >= Category.PAIR]
        needed += [f"bonus.pays.{row}" for row in _INSTANTS]
    if "progressive" in steps and by_key["progressive.awards_are"].value != "separate":
        needed += [f"progressive.awards.{one.key}" for one in Category if one >= Category.FLUSH]
    return needed


def what_if(
    book: Book, *, options: Mapping[str, Any], pays: Mapping[str, Any], qualifies_with: str | None
) -> tuple[Book, tuple[str, ...]]:
    """Return the book with rows of its bet table or its qualifier changed, and warnings if it does not allow that."""
    warnings = []
    changed = with_options(book, options)
    if isinstance(changed, Refusal):
        raise OptionError(f"{changed.reason} ({changed.clause})")
    by_key = dict(changed.by_key)
    for row, raw in pays.items():
        key = f"bet.pays.{row}"
        if key not in by_key:
            raise OptionError(f"{book.id} has no pay row {row!r}")
        try:
            value = row_value(rule_types()["bet.pays"], raw, decimals=book.decimals)
        except (RuleValueError, OddsError) as refused:
            raise OptionError(f"pays {row}: {refused}") from None
        least = book.minimums[key]
        if changed.bet.pays_are == "fixed" and value != least.value:
            warnings.append(f"{book.id} pays {row} at fixed odds ({least.clause}); {raw} is a what-if")
        elif value < least.value:
            warnings.append(f"{raw} for {row} is under the legal minimum of {least.clause}; a what-if only")
        by_key[key] = Rule(value, least.clause)
    if qualifies_with is not None:
        if "dealer.qualifies_with" not in by_key:
            raise OptionError(f"{book.id} has no dealer who must qualify")
        try:
            weakest = rule_value(rule_types()["dealer.qualifies_with"], qualifies_with, decimals=book.decimals)
        except RuleValueError as refused:
            raise OptionError(f"qualifier: {refused}") from None
        assert changed.dealer is not None
        if weakest != ANY_HAND and changed.dealer.unqualified_ante is None:
            raise OptionError(f"{book.id}: no clause says what follows when the dealer does not qualify")
        clause = by_key["dealer.qualifies_with"].clause
        by_key["dealer.qualifies_with"] = Rule(weakest, clause)
        warnings.append(f"the dealer qualifies with {qualifies_with}, which {clause} does not say; a what-if only")
    return _with_rules(changed, by_key, changed.chosen), tuple(warnings)
