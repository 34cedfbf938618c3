"""`aceking reference`: every key that the program reads, generated from the types that read it."""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import click

from aceking.commands.reference_examples import AT, METER, SCENARIOS, SEATS, SHEET

if TYPE_CHECKING:
    import msgspec

TOPICS = ("commands", "scenario", "sheet", "meter", "script", "acts", "mishaps", "book")

_SHEET_SAYS = (
    "Scenarios in TOML with expected results. A scenario also has the keys of the JSON; a seat has bet unless it says "
    "otherwise. Without `books` a [[scenario]], or the whole file, has the keys of the JSON only."
)
_SHEET_KEYS = {
    "id": "the clause or row of the scenario",
    "name": "a title in words",
    "why": "the reason for the result, for the reader",
    "books": "the books that the scenario holds for",
    "proves": "further clauses that it proves",
    "seat": "keys of the seat that all rows share",
    "seats": "instead of rows: all seats of one round",
    "rows": "rounds of one seat that differ in a few keys, of the seat, the scenario or the expected result",
    "then": "the expected result, for all books or book by book",
}
_THEN_KEYS = {
    "net": "the net result of the seat",
    "hand": "the words for its hand",
    "outcomes": "the outcomes of its wagers in order, e.g. `win lose`",
    "cites": "clauses that must be cited",
    "refused": "the clause that refuses the round",
    "unregulated": "true: the book has no rule",
    "error": "a part of the error message",
    "meter": "the meter after the round; in a row: `after`",
    "awards": "the award of each seat",
}


#: The meaning of the keys of a book.
_BOOK_SAYS: Mapping[str, Mapping[str, str]] = {
    "header": {
        "id": "a name of lower-case letters, digits and hyphens",
        "title": "the game",
        "house": "the house that the book belongs to",
        "version": "of the text",
        "source": "where the text is from",
        "currency": "three to five capitals",
        "decimals": "of the currency, 0 to 4",
        "steps": "the parts that this game has, each with its rules",
        "includes": "a file beside it with clauses and anomalies that books share",
        "fixes": "options that are fixed here, with their values",
        "clause": "[[clause]], a list",
        "anomaly": "[[anomaly]], a list",
        "from": "the book that this one starts from: a shipped one by its id, or a file beside it",
        "drops": "clauses of that book that are left out",
    },
    "clause": {
        "id": "the number of the clause in the text",
        "topic": "its subject in one word",
        "actor": "who must follow it",
        "says": "what it says, in our own words",
        "set": "rules that the text sets: set.bet.antes = 2",
        "read": "rules that a reading supplies",
        "option": "[[clause.option]]",
        "act": "[[clause.act]]",
        "ruling": "[[clause.ruling]]",
        "defines": "terms that it defines",
        "outside": "why software does not enforce it",
        "reading": "anomalies whose reading it carries",
        "refers": "places that the text points to",
    },
    "option": {
        "name": "the name by which the house chooses it",
        "rule": "the rule or row that it sets",
        "kind": "choice, amount, odds, pays, award, awards, percent, number or text (choice)",
        "default": "the value if the house does not choose",
        "values": "the allowed values",
        "means": "the rule's value for each, if it differs",
        "floor": "the least value: amount, share or number",
    },
    "act": {
        "do": "the act",
        "by": "who does it",
        "after": "acts that must come before",
        "case": "the one case that it is about",
        "needs": "conditions that must hold",
        "breach": "refused or violation: what happens if one does not",
        "when": "options with the values for which it applies",
    },
    "ruling": {
        "on": "the mishap",
        "during": "the part of the round",
        "given": "circumstances that must hold",
        "then": "the remedy",
        "when": "options with the values for which it applies",
    },
    "anomaly": {
        "id": "a name of its own",
        "where": "the place in the text",
        "problem": "what is wrong there",
        "reading": "how it is read",
        "why": "the reason",
        "open": "true: the text does not settle it",
    },
    "reference": {
        "to": "the place that the text names",
        "read": "the place that it must mean",
        "external": "true: the place is in another document",
    },
}
#: Keys that many commands share.
_COMMON = {
    "at": "the time of the command with its offset: 2026-01-05T21:00:05Z",
    "by": "the name of the person who gives it",
    "second": "the name of the required second person",
    "table": "the table",
    "seat": "the seat",
    "hand": "the row of the award table, e.g. royal_flush",
    "cards": "the five cards",
    "amount": "the amount",
    "reason": "the reason",
    "name": "the person's name",
    "role": "the role of the person",
    "people": "the role of each person",
    "currency": "the currency of the meter",
    "do": "the command",
    "light": "the lamp of the wager is lit",
    "seats": "the seats with a wager",
    "tables": "the tables",
    "wagers": "the number of wagers",
    "feed": "what happens to the contributions of the round",
    "play": "the decision of the player",
    "exchanged": "a card of the hand was exchanged",
    "dealer_qualifies": "the dealer has a hand that qualifies",
    "course": "how it goes on",
    "ruling": "the ruling of the person, if the book has none",
}


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its values, whether it is required, and its meaning."""

    name: str
    takes: str
    needed: bool
    says: str


@click.command()
@click.argument("topic", required=False, metavar="[TOPIC]")
@click.option("--markdown", is_flag=True, help="Print Markdown: everything, or the page of a topic in docs/reference.")
def reference(topic: str | None, *, markdown: bool) -> None:
    """Show every key that the program reads, with examples.

    TOPIC is commands, scenario, sheet, meter, script, acts, mishaps or book.

    \b
    aceking reference scenario
    aceking reference acts
    """
    if topic is not None and topic not in TOPICS:
        from aceking.rules.reading.did_you_mean import suggestion

        raise click.ClickException(
            f"there is no topic {topic!r}; there are {', '.join(TOPICS)}{suggestion(topic, TOPICS)}"
        )
    if markdown:
        click.echo(page() if topic is None else topic_page(topic), nl=False)
        return
    from aceking.commands.output.settlement import console, grid, paragraph

    out = console()
    for one in TOPICS if topic is None else (topic,):
        for title, says, keys, examples in sections(one):
            paragraph(out, f"\n{title}: {says}")
            rows = [(key.name, key.takes, "must" if key.needed else "", key.says) for key in keys]
            if rows:
                columns = [(name, False) for name in ("key", "takes", "", "what it is")]
                out.print(grid(columns, rows, width=out.width, wraps=(1, 3), least=18))
            for example in examples:
                paragraph(out, example, indent=2)


def sections(topic: str) -> Iterator[tuple[str, str, list[Key], list[str]]]:
    """Yield the parts of a topic: title, description, keys, and examples."""
    from aceking.settlement import scenario_json

    if topic == "commands":
        root = click.get_current_context().find_root()
        yield from _of_command(root.command, root)
        return
    if topic == "scenario":
        for title, kind, examples in (
            ("scenario", scenario_json.ScenarioIn, [json.dumps(one, ensure_ascii=False) for one in SCENARIOS.values()]),
            ("seat", scenario_json.SeatIn, [json.dumps({key: value}) for key, value in SEATS.items()]),
            ("exchange", scenario_json.SwapIn, [json.dumps(SEATS["exchange"])]),
            ("limits", scenario_json.LimitsIn, ['{"min": "10", "max": "500"}']),
        ):
            yield title, _doc(kind), list(keys_of(kind)), examples
        return
    if topic == "sheet":
        yield (
            "sheet",
            _SHEET_SAYS,
            [Key(name, "", name in ("id", "name", "books"), says) for name, says in _SHEET_KEYS.items()],
            SHEET.splitlines(),
        )
        yield "then", "What follows.", [Key(name, "", False, says) for name, says in _THEN_KEYS.items()], []
        return
    if topic == "book":
        yield from of_books()
        return
    if topic != "meter":
        yield from _of_table(topic)
        return
    from aceking.meter.commands import AnyCommand
    from aceking.meter.script import _MONEY as AMOUNTS  # keys of a script that are decimal texts

    for kind in get_args(AnyCommand):
        do = kind.__struct_config__.tag
        keys = [Key("do", f"`{do}`", True, _COMMON["do"]), *keys_of(kind, amounts=AMOUNTS.get(do, ()))]
        yield do, _doc(kind), keys, [json.dumps({"do": do, "at": AT, **METER[do]})]


def _of_command(command: click.Command, context: click.Context) -> Iterator[tuple[str, str, list[Key], list[str]]]:
    """Yield a command with its arguments and options; of a group, its subcommands."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            yield from _of_command(below, click.Context(below, info_name=name, parent=context))
        return
    parts = [part.split("\n") for part in inspect.cleandoc(command.help or "").split("\n\n")]
    says = " ".join(line for lines in parts if lines[0] != "\b" for line in lines)
    keys = []
    for parameter in command.params:
        name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
        takes = "nothing" if getattr(parameter, "is_flag", False) else parameter.make_metavar(context)
        keys.append(Key(name.strip("[]."), takes, parameter.required, getattr(parameter, "help", None) or ""))
    yield context.command_path, says, keys, [line for lines in parts if lines[0] == "\b" for line in lines[1:]]


def of_books() -> Iterator[tuple[str, str, list[Key], list[str]]]:
    """Yield the parts of a book, the rules of each step, and the words of acts and rulings."""
    from dataclasses import fields

    from aceking.rules import words
    from aceking.rules.reading import clauses as text
    from aceking.rules.reading.values import is_table, may_be_silent, rule_types, side_types, takes
    from aceking.rules.vocabulary import ALWAYS, SIDES, STEPS, SideWagerRules

    parts = {
        "header": ("The header of a book.", (*text.BOOK_KEYS, *text.HEIR_KEYS), text.HEADER),
        "clause": ("One clause of the text.", text.CLAUSE_KEYS, ("id", "topic", "actor", "says")),
        "option": ("A choice of the house.", text.OPTION_KEYS, ("name", "rule", "default")),
        "act": ("An act: who does it, and when.", text.ACT_KEYS, ("do", "by")),
        "ruling": ("The remedy for a mishap.", text.RULING_KEYS, ("on", "then")),
        "anomaly": ("A fault or a gap of the text, and its reading.", text.ANOMALY_KEYS, text.ANOMALY_KEYS),
        "reference": ("A place that the text points to.", text.REFERENCE_KEYS, ("to",)),
    }
    for title, (says, keys, needed) in parts.items():
        yield title, says, [Key(one, "", one in needed, _BOOK_SAYS[title][one]) for one in keys], []
    kinds = rule_types()
    for step, kind in STEPS.items():
        comments = dict(_comments(kind))
        rules = [
            Key(key, takes(kinds[key]), not may_be_silent(kinds[key]), comments[one.name])
            for one in fields(kind)
            if (key := f"{step}.{one.name}")
        ]
        yield f"step {step}", _doc(kind) + (" Every book has it." if step in ALWAYS else ""), rules, []
    comments = dict(_comments(SideWagerRules))
    sides = [
        Key(f"{SIDES}.NAME.{field}", takes(kind), not may_be_silent(kind) and not is_table(kind), comments[field])
        for field, kind in side_types().items()
    ]
    yield "side wagers by name", _doc(SideWagerRules) + " Any book may have some.", sides, []
    lists: tuple[tuple[str, str, Any], ...] = (
        ("actor", "Who acts.", words.Actor),
        ("do", "Acts, for `do` and `after`; `aceking reference acts` describes each.", words.ActName),
        ("case", "The one case that an act is about.", words.CaseWord),
        ("needs", "Conditions of an act.", words.Condition),
        ("on", "Mishaps.", words.Mishap),
        ("during", "Parts of a round.", words.Window),
        ("given", "Circumstances of a mishap.", words.Circumstance),
        ("then", "Remedies.", words.Remedy),
    )
    for title, says, listed in lists:
        yield f"words for {title}", says, [], [", ".join(get_args(listed))]


def _of_table(topic: str) -> Iterator[tuple[str, str, list[Key], list[str]]]:
    """Yield a topic about scripts of a table: keys, acts with their fields, or mishaps."""
    from aceking.scenarios import reference as table

    match topic:
        case "script":
            keys = [Key(name, "", name in ("book", "when"), says) for name, says in table.SCRIPT.items()]
            yield "script", "A round of a table, step by step: aceking round FILE.", keys, []
            yield "step", "The keys of a step.", [Key(name, "", False, says) for name, says in table.STEP.items()], []
        case "acts":
            for name, says, entry in table.acts():
                own = [one for one in keys_of(entry.command) if one.name not in ("by", "role", "at", "remark")]
                yield name, f"{says} Usually by the {', '.join(entry.by)}.", own, []
        case "mishaps":
            keys = [Key(name, "", False, who) for name, who in table.mishaps()]
            says = "What can be reported, and whose word is enough if the record does not show it."
            yield "mishaps", says, keys, []
            says = "What only people can know about a mishap (`facts`), and who may state it."
            yield "facts", says, [Key(name, "", False, who) for name, who in table.reported_circumstances()], []
            yield (
                "remedies",
                "The remedies of a ruling or an answer.",
                [Key(one, "", False, "") for one in table.remedies()],
                [],
            )


def keys_of(kind: "type[msgspec.Struct]", *, amounts: tuple[str, ...] = ()) -> Iterator[Key]:
    """Yield the keys of a type; the comment beside a field is its description."""
    import msgspec

    says = {name: text for one in reversed(kind.__mro__[:-1]) for name, text in _comments(one)}
    for field in msgspec.structs.fields(kind):
        takes = "an amount" if field.name in amounts else _takes(field.type)
        yield Key(field.encode_name, takes, field.required, says.get(field.name) or _COMMON.get(field.name, ""))


def _comments(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class with the comments beside them."""
    try:
        text = textwrap.dedent(inspect.getsource(kind))
    except (OSError, TypeError):  # a type of another package
        return
    lines = text.splitlines()
    (body,) = ast.parse(text).body
    assert isinstance(body, ast.ClassDef)
    for statement in body.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            _, _, comment = lines[(statement.end_lineno or statement.lineno) - 1].partition("  # ")
            yield statement.target.id, comment


def _doc(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())


def _takes(kind: Any) -> str:
    """Return the values of a type in words."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return getattr(parts[1], "description", None) or _takes(parts[0])
    if origin is Literal:
        return ", ".join(f"`{one}`" for one in parts)
    if origin in (Union, UnionType):
        return " or ".join(_takes(one) for one in parts if one is not NoneType)
    if origin in (list, tuple):
        return f"a list of {_takes(parts[0]).removeprefix('a ')}s"
    if origin is dict:
        return f"names with {_takes(parts[1])}"
    if kind is NoneType:
        return "nothing"
    words = {str: "a text", int: "a whole number", bool: "true or false", datetime: "a moment", Any: "a value"}
    return words.get(kind) or {
        "SwapIn": "give and take",
        "LimitsIn": "min and max",
        "SeatIn": "a seat",
        "Place": "a place: box 3, dealer",
    }.get(kind.__name__, "its own keys")


#: The title of each page in docs/reference, and its first sentence.
PAGES = {
    "commands": ("Commands", "What `aceking` does on the command line."),
    "scenario": ("Scenarios", "One round in JSON or TOML: `aceking settle FILE`, `aceking compare FILE`."),
    "sheet": ("Sheets", "Rounds in TOML with expected results: `aceking settle FILE`."),
    "meter": ("Scripts of a meter", "One JSON command per line: `aceking meter run FILE`."),
    "script": ("Scripts of a table", "A round in TOML, step by step: `aceking round FILE`."),
    "acts": ("Acts", "What a step of a script may do, and the keys of each act."),
    "mishaps": ("Mishaps", "What can go wrong at a table, who may report it, and what a ruling may do."),
    "book": ("Rule books", "Every key, rule and word of a book: `aceking books check FILE`."),
}
_MADE = "Generated from the types by `make docs`; on the command line: `aceking reference{topic}`."
_CARDS = """Amounts are decimal texts in the table's currency (`"10.50"`), cards are `As Td 9c`, `A♠ 10♦ 9♣` or
`as 10d 9C`. Exit status: 0 done, 1 the answer is no, 2 the input is wrong; 3 a fault of the program."""


def page() -> str:
    """Return the whole reference in Markdown."""
    lines = ["# What the program reads", "", _MADE.format(topic=""), "", _CARDS]
    for topic in TOPICS:
        lines += ["", f"## {topic.capitalize()}", *_markdown(topic, "###")]
    return "\n".join(lines) + "\n"


def topic_page(topic: str) -> str:
    """Return one topic as the page of docs/reference that `make docs` writes."""
    title, says = PAGES.get(topic, (topic.capitalize(), ""))
    lines = [f"# {title}", "", says, _MADE.format(topic=f" {topic}"), "", _CARDS, *_markdown(topic, "##")]
    return "\n".join(lines) + "\n"


def _markdown(topic: str, level: str) -> Iterator[str]:
    for title, says, keys, examples in sections(topic):
        yield from ("", f"{level} {title}", "", says)
        if keys:
            yield from ("", "| key | takes | | what it is |", "|---|---|---|---|")
            for key in keys:
                cells = (f"`{key.name}`", key.takes, "must" * key.needed, key.says)
                yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
        if examples:
            kind = {"sheet": "toml", "commands": "sh"}.get(topic, "json")
            yield from ("", f"```{kind}", *examples, "```")
