"""What the shell may complete: books, their options, and the rows of their pay tables."""

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from aceking.rules.book import Book


def book_names(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The books that come with the program; a path is completed as a file."""
    from aceking.rules.reading.load import book_ids

    found = [CompletionItem(name) for name in book_ids() if name.startswith(begun)]
    return found or [CompletionItem(begun, type="file")]


def option_choices(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """`name=`, then the values that the book leaves."""
    book = _book(context)
    if book is None:
        return []
    name, equals, value = begun.partition("=")
    if not equals:
        return [CompletionItem(f"{one}=") for one in book.options if one.startswith(name)]
    option = book.options.get(name)
    return [CompletionItem(f"{name}={one}") for one in option.values if one.startswith(value)] if option else []


def pay_choices(context: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The rows of the book's pay tables, each with what it pays now."""
    book = _book(context)
    if book is None:
        return []
    from aceking.rules.value_text import value_text

    found = []
    for key, rule in book.by_key.items():
        step, _, row = key.partition(".pays.")
        name = row if step == "bet" else f"{step}.{row}"
        if row and name.startswith(begun.partition("=")[0]):
            pays = value_text(key, rule.value, decimals=book.decimals)
            found.append(CompletionItem(f"{name}=", help=f"{pays} ({rule.clause})"))
    return found


def clause_names(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """The clauses of the book."""
    book = _book(context)
    return [] if book is None else [CompletionItem(one) for one in book.clauses if one.startswith(begun)]


def session_names(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The sessions that are kept; a path is completed as a file."""
    from aceking.commands.terminal.session import kept

    found = [CompletionItem(one.name) for one in kept() if one.name.startswith(begun)]
    return found or [CompletionItem(begun, type="file")]


def _book(context: click.Context) -> "Book | None":
    from aceking.rules.reading.complaints import BookError
    from aceking.rules.reading.load import load_book

    # A line that breaks off at an option is not parsed to its end: the book is then still among its words.
    for name in (context.params.get("book"), *context.args):
        try:
            if isinstance(name, str):
                return load_book(name)
        except BookError:
            continue
    return None
