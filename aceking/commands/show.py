"""A settlement for people: cards, chips, words and clauses on a terminal."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settle.lines import Line, Settlement
from aceking.wire import ScenarioIn

_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_STYLES = {"win": "green", "lose": "red", "push": "yellow", "returned": "yellow", "void": "yellow"}


def console() -> Console:
    """The terminal; wide enough for a table where there is none."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(width=118, highlight=False)


def cards_text(cards: str) -> Text:
    """`A♠ K♠`, red suits in red."""
    text = Text()
    for number, name in enumerate(cards.split()):
        rank = name[0].replace("T", "10")
        text.append(" " if number else "").append(rank + _SUITS[name[1]], style="red" if name[1] in "dh" else "bold")
    return text


def money(amount: int, *, decimals: int, sign: bool = False) -> str:
    """`105,009`, `+12.50`."""
    unit = 10**decimals
    text = f"{abs(amount) // unit:,}" + (f".{abs(amount) % unit:0{decimals}d}" if amount % unit else "")
    prefix = "-" if amount < 0 else "+" if sign and amount else ""
    return prefix + text


def show_result(raw: ScenarioIn, result: tuple[Book, Settlement] | Refusal | Unregulated) -> None:
    """One settled scenario."""
    out = console()
    if isinstance(result, Refusal):
        out.print(f"[red]Refused[/] by [bold]{result.clause}[/]: {result.reason}")
        return
    if isinstance(result, Unregulated):
        out.print(f"[yellow]Unregulated[/]: {result.reason}; {result.decides} decides")
        return
    book, settlement = result
    out.print(f"[bold]{book.title}[/], {book.house}, {book.version}  [dim]{book.id} {book.digest[:12]}[/]")
    if settlement.dealer is not None:
        plays = "qualifies" if settlement.dealer.qualifies else "does not qualify"
        out.print(Text("Dealer  ").append_text(cards_text(raw.dealer)).append(f"  {settlement.dealer.words}, {plays}"))
    if raw.community:
        out.print(Text("Community  ").append_text(cards_text(raw.community)))
    for seat in settlement.seats:
        held = next(one for one in raw.seats if one.seat == seat.seat)
        title = Text(f"Seat {seat.seat}  ").append_text(cards_text(held.cards)).append(f"  {seat.hand or ''}")
        out.print(title)
        out.print(_lines(book, [line for line in settlement.lines if line.seat == seat.seat]))
        out.print(f"  net [bold]{money(seat.net, decimals=book.decimals, sign=True)}[/] {book.currency}\n")
    if settlement.meter is not None:
        after = settlement.meter.after
        shown = "its reset value" if after is None else money(after, decimals=book.decimals)
        out.print(f"Jackpot {money(settlement.meter.before, decimals=book.decimals)} → {shown}")


def _lines(book: Book, lines: list[Line]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, justify in (
        ("wager", "left"),
        ("stake", "right"),
        ("outcome", "left"),
        ("pays", "right"),
        ("clause", "left"),
    ):
        table.add_column(name, justify="right" if justify == "right" else "left", no_wrap=True)
    table.add_column("what it says", ratio=1)
    for line in lines:
        table.add_row(
            line.wager,
            money(line.stake, decimals=book.decimals),
            Text(line.outcome, style=_STYLES[line.outcome]),
            money(line.pays, decimals=book.decimals) if line.pays else "",
            line.clause,
            Text(book.clauses[line.clause].says, style="dim"),
        )
    return table
