"""Print settlements on a terminal of any width, with helpers for cards, money and tables."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UnsetType
from rich import box
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from aceking.cards.card import cards as read_cards
from aceking.cards.card import names
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated

if TYPE_CHECKING:  # commands that print figures need not import settlement
    from aceking.settlement.lines import Line, Settlement
    from aceking.settlement.scenario_json import ScenarioIn, SeatIn

_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_STYLES = {"win": "green", "lose": "red", "push": "yellow", "returned": "yellow", "void": "yellow"}
#: The least width of a column of sentences.
_READABLE = 34
#: Columns of the output if it is no terminal.
_WIDTH = 118


def console() -> Console:
    """Return the terminal; if the output is no terminal, a console of a fixed width."""
    terminal = Console(highlight=False)
    return terminal if terminal.is_terminal else Console(width=_WIDTH, highlight=False)


def printable(text: str) -> str:
    """Return the text with control characters replaced by `?`."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "?", text)


def cards_text(cards: str) -> Text:
    """Return e.g. `A♠ K♠`, red suits in red."""
    text = Text()
    for number, name in enumerate(names(read_cards(cards)).split()):
        rank = name[0].replace("T", "10")
        text.append(" " if number else "").append(rank + _SUITS[name[1]], style="red" if name[1] in "dh" else "bold")
    return text


def money(amount: int, *, decimals: int, sign: bool = False) -> str:
    """Return e.g. `105,009`, `+12.50`."""
    unit = 10**decimals
    text = f"{abs(amount) // unit:,}" + (f".{abs(amount) % unit:0{decimals}d}" if amount % unit else "")
    prefix = "-" if amount < 0 else "+" if sign and amount else ""
    return prefix + text


def grid(
    columns: Sequence[tuple[str, bool]],
    rows: Iterable[Sequence[Any]],
    *,
    width: int,
    wraps: Sequence[int] = (-1,),
    least: int = _READABLE,
) -> Any:
    """Return a table. A column is (name, whether it holds numbers); `wraps` are the columns that may wrap.

    If a wrapping column would be narrower than `least`, each row becomes a few lines instead.
    """
    cells = [[one if isinstance(one, Text) else Text(printable(str(one))) for one in row] for row in rows]
    may_wrap = {place % len(columns) for place in wraps}
    needed = 0
    for place, (name, _) in enumerate(columns):
        lines = [line for row in cells for line in row[place].plain.split("\n")]
        size = max(len(name), *(len(line) for line in lines)) if lines else len(name)
        needed += 3 + (min(size, least) if place in may_wrap else size)
    if needed > width:
        return _stacked(columns, cells)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, (name, numbers) in enumerate(columns):
        table.add_column(
            name, justify="right" if numbers else "left", no_wrap=place not in may_wrap, overflow="fold", min_width=1
        )
    for row in cells:
        table.add_row(*row)
    return table


def _stacked(columns: Sequence[tuple[str, bool]], rows: Sequence[Sequence[Text]]) -> Group:
    """Return each row as its first cell, and below it the other cells with their names. Empty cells are left out."""
    parts: list[Any] = []
    for first, *rest in rows:
        named = [
            Text.assemble((f"{name}: " if name else "", "dim"), Text(" ").join(cell.split("\n")))
            for (name, _), cell in zip(columns[1:], rest, strict=True)
            if cell.plain
        ]
        parts += [first, Padding(Text("; ").join(named), (0, 0, 0, 2), expand=False)]
    return Group(*parts)


def paragraph(out: Console, text: Text | str, *, indent: int = 0) -> None:
    """Print a text whose lines are all indented."""
    hanging(out, Text(" " * indent), text if isinstance(text, Text) else Text(printable(text)))


def hanging(out: Console, label: Text, text: Text) -> None:
    """Print a text behind a label; further lines are indented to the text. No line ends in blanks."""
    room = max(out.width - label.cell_len, 1)
    for number, line in enumerate(text.wrap(out, room, overflow="fold")):
        line.rstrip()
        begins = Text(" " * label.cell_len) if number else label
        out.print(Text.assemble(begins, line) if line.plain else "", no_wrap=True)


def show_result(raw: "ScenarioIn", result: "tuple[Book, Settlement] | Refusal | Unregulated") -> None:
    """Print a settled, refused or unregulated scenario."""
    out = console()
    if isinstance(result, Refusal):
        reason = (f" by {result.clause}: ", "bold"), printable(result.reason)
        paragraph(out, Text.assemble(("Refused", "red"), *reason))
        return
    if isinstance(result, Unregulated):
        decides = f": {printable(result.reason)}; {result.decides} decides"
        paragraph(out, Text.assemble(("Unregulated", "yellow"), decides))
        return
    book, settlement = result
    paragraph(out, book_title(book))
    if settlement.dealer is not None:
        plays = "qualifies" if settlement.dealer.qualifies else "does not qualify"
        paragraph(out, Text.assemble("Dealer  ", cards_text(raw.dealer), f"  {settlement.dealer.words}, {plays}"))
    if settlement.bought is not None and raw.bought is not None:
        plays = "qualifies" if settlement.bought.qualifies else "does not qualify"
        for_those = f"  for those who paid: {settlement.bought.words}, {plays}"
        paragraph(out, Text.assemble("Bought  ", cards_text(raw.bought), for_those))
    if raw.community:
        paragraph(out, Text.assemble("Community  ", cards_text(raw.community)))
    for seat in settlement.seats:
        held = next(one for one in raw.seats if one.seat == seat.seat)
        paragraph(out, Text.assemble(f"Seat {seat.seat}  ", held_text(held, seat.hand)))
        for part in _lines(book, [line for line in settlement.lines if line.seat == seat.seat], out.width):
            out.print(part)
        net = money(seat.net, decimals=book.decimals, sign=True)
        paragraph(out, Text.assemble("net ", (net, "bold"), f" {book.currency}\n"), indent=2)
    if settlement.meter is not None:
        after = settlement.meter.after
        shown = "its reset value" if after is None else money(after, decimals=book.decimals)
        paragraph(out, f"Jackpot {money(settlement.meter.before, decimals=book.decimals)} → {shown}")


def book_title(book: Book) -> Text:
    """Return title, house, version, id and hash of a book."""
    house = f", {printable(book.house)}, {printable(book.version)}"
    return Text.assemble((printable(book.title), "bold"), house, (f"  {book.id} {book.digest[:12]}", "dim"))


def held_text(seat: "SeatIn", words: str | None) -> Text:
    """Return the final hand in cards and words, with the exchanged and discarded cards."""
    cards = read_cards(seat.cards)
    note = Text()
    if seat.exchange is not None:
        gave, took = read_cards(seat.exchange.give), read_cards(seat.exchange.take)
        came = dict(zip(gave, took, strict=True))
        cards = tuple(came.get(one, one) for one in cards)
        note.append(", gave ").append_text(cards_text(names(gave))).append(" for ").append_text(cards_text(names(took)))
    if seat.discard is not None:
        laid = read_cards(seat.discard if isinstance(seat.discard, str) else " ".join(seat.discard))
        cards = tuple(one for one in cards if one not in laid)
        note.append(", laid aside ").append_text(cards_text(names(laid)))
    return cards_text(names(cards)).append(f"  {words or seat.play}").append_text(note)


def _lines(book: Book, lines: "list[Line]", width: int) -> list[Any]:
    """Return the wagers with their clauses. The text of the clauses is beside them, or below on a narrow terminal."""
    columns = [("wager", False), ("stake", True), ("outcome", False), ("pays", True), ("clause", False)]
    rows = [
        [
            _wager(line),
            money(line.stake, decimals=book.decimals),
            Text(line.outcome, style=_STYLES[line.outcome]),
            money(line.pays, decimals=book.decimals) if line.pays else "",
            line.clause,
        ]
        for line in lines
    ]
    says = {line.clause: Text(printable(book.clauses[line.clause].says), style="dim") for line in lines}
    beside = grid(
        [*columns, ("what it says", False)],
        [[*row, says[line.clause]] for row, line in zip(rows, lines, strict=True)],
        width=width,
    )
    if isinstance(beside, Table):
        return [beside]
    with_clause = grid(columns, rows, width=width)
    if isinstance(with_clause, Table):
        return [with_clause, *(_below(Text(f"{clause}: "), said) for clause, said in says.items())]
    chips = grid(columns[:4], [row[:4] for row in rows], width=width)
    return [chips, *(_below(Text(f"{_wager(line)}, {line.clause}: "), says[line.clause]) for line in lines)]


def _wager(line: "Line") -> str:
    return line.wager if isinstance(line.envy_of, UnsetType) else f"{line.wager}, envy of seat {line.envy_of}"


def _below(name: Text, said: Text) -> Padding:
    return Padding(Text.assemble(name, said), (0, 0, 0, 2), expand=False)
