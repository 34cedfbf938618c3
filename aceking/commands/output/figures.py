"""Print figures as tables on a terminal of any width. Every figure of a changed book is marked `what-if`."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.text import Text

from aceking.cards.card import names
from aceking.commands.output.settlement import book_title, cards_text, console, grid, paragraph
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.settlement.amounts import usual_ante
from aceking.settlement.scenario import Swap

_MISTAKES = 5  # printed of each rule


def show_edge(book: Book, data: Mapping[str, Any], seconds: float) -> None:
    """Print the figures of `aceking edge`: the main game, the side bets and every outcome."""
    _title(book, data)
    exact, mark = data["exact"], _mark(data)
    edge, risk = Fraction(exact["house_edge"]), Fraction(exact["element_of_risk"])
    rows = [
        (f"{mark}house edge, of the ante", Text(percent(edge), "bold"), exact["house_edge"]),
        (f"{mark}element of risk, of all chips", percent(risk), exact["element_of_risk"]),
        (f"{mark}chips put down, antes", f"{float(Fraction(exact['risked'])):.4f}", exact["risked"]),
        (f"{mark}standard deviation, antes", f"{data['standard_deviation']:.4f}", ""),
    ]
    rows += [
        (f"{mark}how often: {name}", percent(Fraction(share)), share) for name, share in exact["decisions"].items()
    ]
    _table((("", False), ("", True), ("exactly", False)), rows, wraps=())
    _say(f"{mark}variance, square antes: {exact['variance']}")
    _show_sides(book, data["side_bets"], mark)
    for sentence in (*data.get("counted", ()), *data.get("left_out", ())):
        _say(sentence)
    deals = data["deals"]
    outcomes = [
        (
            antes(Fraction(net)),
            f"{count:,}",
            f"{100 * count / deals:.6f} %",
            f"{float(Fraction(net) * Fraction(count, deals)):+.6f}",
        )
        for net, count in data["outcomes"].items()
    ]
    outcomes.append(("all", f"{deals:,}", "100 %", f"{float(Fraction(data['net_per_ante'])):+.6f}"))
    names = (f"{mark}net, in antes", "deals", "chance", "adds")
    _table([(name, True) for name in names], outcomes, wraps=())
    _say(Text(f"every deal counted once, the best play taken; {seconds:.2f} s", "dim"))


def _show_sides(book: Book, sides: Mapping[str, Any], mark: str) -> None:
    """Print what each side bet costs of its own stake, or why it is not priced."""
    for name, side in sides.items():
        if "open" in side:
            _say(f"{mark}{name}: not priced: {side['open']}")
        elif name in book.sides:
            _say(f"{mark}{name}: {_named_words(book, side)}")
        elif name == "bonus":
            beside, alone = Fraction(side["house_edge"]), Fraction(side["played_for_the_bonus"])
            _say(
                f"{mark}bonus: costs {percent(beside)} of its stake beside the best play of ante and bet"
                f" ({side['house_edge']}), {percent(alone)} if every hand is played for it"
            )
        else:
            _say(f"{mark}{name}: {_meter_words(book, side)}")


def _named_words(book: Book, side: Mapping[str, Any]) -> str:
    """Return e.g. `costs 4.32 % of its stake of 5 (3/70): flush 0.2 %, …; envy gives back …`."""
    rows = ", ".join(f"{hand} {percent(Fraction(chance))}" for hand, chance in side["rows"].items())
    if "stake_back" in side:
        rows += f", stake back {percent(Fraction(side['stake_back']))}"
    beside = f" beside {side['beside']}" if "beside" in side else ""
    cost = percent(Fraction(side["house_edge"]))
    words = f"costs {cost} of its stake of {side['stake']}{beside} ({side['house_edge']}): {rows}"
    if (envy := side.get("envy")) is None:
        return words
    each = percent(Fraction(envy["of_least_stake"]))
    return f"{words}; envy gives back {each} of a stake of {side['stake'].split()[0]} for each other box that plays"


def _meter_words(book: Book, side: Mapping[str, Any]) -> str:
    awards = ", ".join(f"{hand} {award}" for hand, award in side["awards"].items())
    if side["break_even"] is None:
        return f"costs {percent(Fraction(side['house_edge']))} of its stake of {side['stake']} ({awards})"
    slope = Fraction(side["slope"]) * 10_000
    ante = shown(usual_ante(book), decimals=book.decimals)
    even = next(one["meter"] for one in side["whole_game_even"] if one["ante"] == ante)
    return (
        f"a stake of {side['stake']} costs {percent(-Fraction(side['constant']))} of itself less"
        f" {percent(slope)} for every 10,000 on the meter; {_even(book, side['break_even'], 'even at')},"
        f" the whole game with an ante of {ante} {_even(book, even, 'at')} ({awards})"
    )


def _even(book: Book, meter: str, at: str) -> str:
    """Return the break-even meter in words. A break-even meter of zero or less means: always in the player's favour."""
    return f"{at} {_money(book, meter)}" if Fraction(meter) > 0 else "in the player's favour at any meter"


def show_value(book: Book, data: Mapping[str, Any], cards: str, up: str | None, swap: Swap | None) -> None:
    """Print the value of every decision, and what each costs against the best."""
    if data["changes"]:
        _title(book, data)
    head = Text.assemble("Hand  ", cards_text(cards))
    if up is not None:
        head = Text.assemble(head, "   dealer shows ", cards_text(up))
    if swap is not None:
        head = Text.assemble(head, "   gave ", cards_text(names(swap.give)), " for ", cards_text(names(swap.take)))
    _say(head)
    best, mark = Fraction(data["decisions"][data["best"]]), _mark(data)
    rows = []
    for name, text in data["decisions"].items():
        worth = Fraction(text)
        cost = "" if name == data["best"] else f"{float(best - worth):.6f}"
        shown = Text(f"{mark}{name}", "bold" if name == data["best"] else "")
        rows.append((shown, f"{float(worth):+.6f}", cost, text))
    _table((("decision", False), ("value, in antes", True), ("costs", True), ("exactly", False)), rows, wraps=())


def show_strategy(book: Book, data: Mapping[str, Any]) -> None:
    """Print the weakest hands to bet, simple rules with their cost, and their worst mistakes."""
    _title(book, data)
    mark = _mark(data)
    shares = ", ".join(f"{name} {100 * share:.2f} %" for name, share in data["decisions"].items())
    edge = percent(-Fraction(data["net_per_ante"]))
    _say(Text.assemble(f"{mark}The best play costs ", (edge, "bold"), f" of the ante: {shares}."))
    if data["borders"]:
        _say("\nThe weakest hands to bet:")
        _table(
            (("up-card", False), ("with one of its rank, from", False), ("without, from", False)),
            [(one["up"], one["matched"] or "never", one["unmatched"] or "never") for one in data["borders"]],
            wraps=(1, 2),
            least=12,
        )
    _say("\nRules to carry:")
    rules = [
        (f"{mark}{one['name']}", one["says"], percent(-Fraction(one["net_per_ante"])), _more(one), one["source"])
        for one in data["rules"]
    ]
    columns = (("rule", False), ("what to do", False), ("house edge", True), ("costs more", True), ("source", False))
    _table(columns, rows=rules, wraps=(1, 4), least=18)
    for rule in data["rules"][:3]:
        if rule["mistakes"]:
            _show_mistakes(rule, mark)
    for note in data["notes"]:
        _say(note)
    _say(Text(f"the complete strategy has {len(data['advice']):,} lines: {data['repeat']} --json", "dim"))


def _more(rule: Mapping[str, Any]) -> str:
    return percent(Fraction(rule["costs"]), 5)


def _show_mistakes(rule: Mapping[str, Any], mark: str) -> None:
    _say(
        Text.assemble(f"\n{mark}Where ", (rule["name"], "bold"), f" errs most, of {rule['errs_in']:,} kinds of hands:")
    )
    rows = [
        (
            one["hand"],
            one["up"] or "",
            one["taken"],
            one["best"],
            f"{float(Fraction(one['costs'])):.6f}",
            f"{1e6 * float(Fraction(one['per_round'])):,.3f}",
        )
        for one in rule["mistakes"][:_MISTAKES]
    ]
    names = ("hand", "up", "the rule", "better", "costs, in antes", "in a million rounds")
    _table([(name, place > 3) for place, name in enumerate(names)], rows, wraps=(0,), least=16)


def percent(share: Fraction, places: int = 4) -> str:
    """Return e.g. `5.2243 %`."""
    return f"{float(100 * share):.{places}f} %"


def antes(net: Fraction) -> str:
    """Return e.g. `+201`, `0`, `-3`; a fraction as a decimal."""
    text = f"{net.numerator:+,}" if net.denominator == 1 else f"{float(net):+,.4f}"
    return "0" if net == 0 else text


def _money(book: Book, amount: str) -> str:
    return f"{book.currency} {float(Fraction(amount)):,.{book.decimals}f}"


def _mark(data: Mapping[str, Any]) -> str:
    """Return the mark for the figures of a changed book; empty for the book itself."""
    return "what-if: " if data["changes"] else ""


def _title(book: Book, data: Mapping[str, Any]) -> None:
    """Print the title of the book; of a changed one also the changed lines and the hash of what was priced."""
    if not data["changes"]:
        _say(book_title(book))
        return
    _say(Text.assemble(("WHAT-IF", "bold red"), ", not the house's own book: ", book_title(book)))
    for one in data["changes"]:
        _say(Text(f"- {one['says']}", "" if one["allowed"] else "red"))
    _say(Text(f"priced {data['priced']}\nagain: {data['repeat']}", "dim"))


def _say(text: Text | str) -> None:
    paragraph(console(), text)


def _table(
    columns: Sequence[tuple[str, bool]],
    rows: Iterable[Sequence[Any]],
    *,
    wraps: Sequence[int] = (-1,),
    least: int = 24,
) -> None:
    out = console()
    out.print(grid(columns, rows, width=out.width, wraps=wraps, least=least))
