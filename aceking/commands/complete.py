"""Shell completion: books, their options, pay rows and clauses, and saved sessions."""

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from aceking.rules.book import Book


def book_names(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the shipped books, or a file if none matches."""
    from aceking.rules.reading.load import book_ids

    items = [CompletionItem(name) for name in book_ids() if name.startswith(begun)]
    return items or [CompletionItem(begun, type="file")]


def option_choices(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the options of the book as `name=`, then the values of the named option."""
    book = _book(context)
    if book is None:
        return []
    name, equals, value = begun.partition("=")
    if not equals:
        return [CompletionItem(f"{one}=") for one in book.options if one.startswith(name)]
    option = book.options.get(name)
    return [CompletionItem(f"{name}={one}") for one in option.values if one.startswith(value)] if option else []


def pay_choices(context: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the rows of the book's pay tables, each with its current pay."""
    book = _book(context)
    if book is None:
        return []
    from aceking.rules.value_text import value_text

    items = []
    for key, rule in book.by_key.items():
        step, _, row = key.partition(".pays.")
        name = row if step == "bet" else f"{step}.{row}"
        if row and name.startswith(begun.partition("=")[0]):
            pays = value_text(key, rule.value, decimals=book.decimals)
            items.append(CompletionItem(f"{name}=", help=f"{pays} ({rule.clause})"))
    return items


def clause_names(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    book = _book(context)
    return [] if book is None else [CompletionItem(one) for one in book.clauses if one.startswith(begun)]


def session_names(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the saved sessions, or a file if none matches."""
    from aceking.commands.terminal.session import saved_records

    items = [CompletionItem(one.name) for one in saved_records() if one.name.startswith(begun)]
    return items or [CompletionItem(begun, type="file")]


def _book(context: click.Context) -> "Book | None":
    from aceking.rules.reading.complaints import BookError
    from aceking.rules.reading.load import load_book

    # If parsing stops at an unfinished option, the book is still among the unparsed arguments.
    for name in (context.params.get("book"), *context.args):
        try:
            if isinstance(name, str):
                return load_book(name)
        except BookError:
            continue
    return None
