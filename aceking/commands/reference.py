"""`aceking reference`: every key that the program reads, made from the types that read it."""

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

TOPICS = ("scenario", "sheet", "meter", "script", "acts", "mishaps", "book", "renamed")

_SHEET_SAYS = (
    "Scenarios in TOML with what must follow. The keys of a scenario stand beside these; a seat has bet unless it says "
    "otherwise. Without `books` a [[scenario]], or the whole file, has the keys of the JSON."
)
_SHEET_KEYS = {
    "id": "the clause or the row that it is about",
    "name": "what it is about, in words",
    "why": "why that follows, for the reader",
    "books": "the books under which it holds",
    "proves": "further clauses that it proves",
    "seat": "what the seat of every row says",
    "seats": "instead of rows: all seats of one round",
    "rows": "rounds of one seat that differ in a few words: keys of a seat or a scenario, and of what follows",
    "then": "what follows, for all books or book by book",
}
_THEN_KEYS = {
    "net": "what the seat wins or loses",
    "hand": "the words for its hand",
    "outcomes": "of its wagers in order, as in `win lose`",
    "cites": "clauses that must be cited",
    "refused": "the clause that refuses the round",
    "unregulated": "true: the book is silent",
    "error": "a part of the sentence that says what is wrong",
    "meter": "what the meter shows after it; in a row: `after`",
    "awards": "what each seat is awarded",
}


#: What the keys of a book are for.
_BOOK_SAYS: Mapping[str, Mapping[str, str]] = {
    "header": {
        "id": "a name of lower-case letters, digits and hyphens",
        "title": "the game",
        "house": "whose book it is",
        "version": "of the text",
        "source": "where the text is from",
        "currency": "three to five capitals",
        "decimals": "of the currency, 0 to 4",
        "steps": "the parts that this game has, each with its rules",
        "includes": "a file beside it with clauses and anomalies that books share",
        "fixes": "options that are no choice here, with their values",
        "clause": "[[clause]], one after the other",
        "anomaly": "[[anomaly]], likewise",
        "from": "the book that this one starts from: a shipped one by its id, or a file beside it",
        "drops": "clauses of that book that are gone",
    },
    "clause": {
        "id": "as the text has it",
        "topic": "a word for what it is about",
        "actor": "whom it binds",
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
        "name": "as the house chooses it",
        "rule": "the rule or the row that it decides",
        "kind": "choice, amount, odds, pays, award, awards, percent, number or text; choice where it is left out",
        "default": "where the house does not choose",
        "values": "what it may be",
        "means": "the rule's value for each, where that is another",
        "floor": "the least: amount, share or number",
    },
    "act": {
        "do": "the act",
        "by": "who does it",
        "after": "acts that must have gone before",
        "case": "the one case it speaks of",
        "needs": "conditions that must hold",
        "breach": "refused or violation: what follows where one does not",
        "when": "options under which it stands, with their values",
    },
    "ruling": {
        "on": "the mishap",
        "during": "the part of the round",
        "given": "circumstances that must hold",
        "then": "the remedy",
        "when": "options under which it stands, with their values",
    },
    "anomaly": {
        "id": "a name of its own",
        "where": "in the text",
        "problem": "what is wrong there",
        "reading": "how it is read",
        "why": "the reason",
        "open": "true: the text does not settle it",
    },
    "reference": {
        "to": "the place that it names",
        "read": "the place that it must mean",
        "external": "true: it leaves the document",
    },
}
#: Keys that many commands have, and that need no comment in each.
_COMMON = {
    "at": "when it was given, with its offset: 2026-01-05T21:00:05Z",
    "by": "who gives it, by name",
    "second": "the other person it takes",
    "table": "at which table",
    "seat": "at which place",
    "hand": "the row of the award table, as in royal_flush",
    "cards": "the five cards",
    "amount": "how much",
    "reason": "why",
    "name": "the person's name",
    "role": "what the person is",
    "people": "who is what",
    "currency": "of the meter",
    "do": "which command it is",
    "light": "the lamp of the wager is lit",
    "seats": "the places with a wager",
    "tables": "which tables",
    "wagers": "how many",
    "feed": "what becomes of the round's contributions",
    "play": "what the player did",
    "exchanged": "a card of the hand was exchanged",
    "dealer_qualifies": "the dealer has a hand that qualifies",
    "course": "how it goes on",
    "ruling": "the person's, where the book has none",
}


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what it takes, whether it must be there, and what it is for."""

    name: str
    takes: str
    needed: bool
    says: str


@click.command()
@click.argument("topic", required=False, metavar="[TOPIC]")
@click.option("--markdown", is_flag=True, help="Everything, as a page: docs/REFERENCE.md.")
def reference(topic: str | None, *, markdown: bool) -> None:
    """Every key that the program reads, with examples.

    TOPIC is scenario, sheet, meter, script, acts, mishaps, book or renamed.

    \b
    aceking reference scenario
    aceking reference acts
    aceking reference renamed
    """
    if markdown:
        click.echo(page(), nl=False)
        return
    if topic is not None and topic not in TOPICS:
        from aceking.rules.reading.did_you_mean import near

        raise click.ClickException(f"there is no topic {topic!r}; there are {', '.join(TOPICS)}{near(topic, TOPICS)}")
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
    """The parts of a topic: title, what it is, its keys, and examples that run."""
    from aceking.settlement import scenario_json as wire

    if topic == "scenario":
        for title, kind, examples in (
            ("scenario", wire.ScenarioIn, [json.dumps(one, ensure_ascii=False) for one in SCENARIOS.values()]),
            ("seat", wire.SeatIn, [json.dumps({key: value}) for key, value in SEATS.items()]),
            ("exchange", wire.SwapIn, [json.dumps(SEATS["exchange"])]),
            ("limits", wire.LimitsIn, ['{"min": "10", "max": "500"}']),
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
    from aceking.meter.script import _MONEY as AMOUNTS  # which keys of a script are decimal texts

    for kind in get_args(AnyCommand):
        do = kind.__struct_config__.tag
        found = [Key("do", f"`{do}`", True, _COMMON["do"]), *keys_of(kind, amounts=AMOUNTS.get(do, ()))]
        yield do, _doc(kind), found, [json.dumps({"do": do, "at": AT, **METER[do]})]


def of_books() -> Iterator[tuple[str, str, list[Key], list[str]]]:
    """The parts of a book, the rules of each step, and the words that acts and rulings are written in."""
    from dataclasses import fields

    from aceking.rules import words
    from aceking.rules.reading import clauses as text
    from aceking.rules.reading.values import is_table, may_be_silent, rule_types, side_types, takes
    from aceking.rules.vocabulary import ALWAYS, SIDES, STEPS, NamedSide

    parts = {
        "header": ("What a book is.", (*text.BOOK_KEYS, *text.HEIR_KEYS), text.HEADER),
        "clause": ("One clause of the text.", text.CLAUSE_KEYS, ("id", "topic", "actor", "says")),
        "option": ("A choice of the house.", text.OPTION_KEYS, ("name", "rule", "default")),
        "act": ("Who does what, and when.", text.ACT_KEYS, ("do", "by")),
        "ruling": ("What follows when something goes wrong.", text.RULING_KEYS, ("on", "then")),
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
    comments = dict(_comments(NamedSide))
    sides = [
        Key(f"{SIDES}.NAME.{field}", takes(kind), not may_be_silent(kind) and not is_table(kind), comments[field])
        for field, kind in side_types().items()
    ]
    yield "side wagers by name", _doc(NamedSide) + " Any book may have some.", sides, []
    lists: tuple[tuple[str, str, Any], ...] = (
        ("actor", "Who acts.", words.Actor),
        ("do", "Acts, as `do` and `after` have them; `aceking reference acts` tells each.", words.ActName),
        ("case", "The one case that an act speaks of.", words.Case),
        ("needs", "Conditions of an act.", words.Condition),
        ("on", "Mishaps.", words.Mishap),
        ("during", "Parts of a round.", words.Window),
        ("given", "Circumstances of a mishap.", words.Circumstance),
        ("then", "Remedies.", words.Remedy),
    )
    for title, says, listed in lists:
        yield f"words for {title}", says, [], [", ".join(get_args(listed))]


def _of_table(topic: str) -> Iterator[tuple[str, str, list[Key], list[str]]]:
    """Scripts of a table: their keys, the acts with their fields, the mishaps, and what was renamed."""
    from aceking.scenarios import reference as table

    match topic:
        case "script":
            keys = [Key(name, "", name in ("book", "when"), says) for name, says in table.SCRIPT.items()]
            yield "script", "A round of a table, told step by step: aceking round FILE.", keys, []
            yield "step", "What a step says.", [Key(name, "", False, says) for name, says in table.STEP.items()], []
        case "acts":
            for name, says, entry in table.acts():
                own = [one for one in keys_of(entry.command) if one.name not in ("by", "role", "at", "remark")]
                yield name, f"{says} By nature of the {', '.join(entry.by)}.", own, []
        case "mishaps":
            keys = [Key(name, "", False, who) for name, who in table.mishaps()]
            says = "What can be reported, and whose word is enough where the record cannot tell."
            yield "mishaps", says, keys, []
            says = "What only people can know of it (`facts`), and who may say it."
            yield "facts", says, [Key(name, "", False, who) for name, who in table.told()], []
            yield (
                "remedies",
                "What a ruling or an answer can be.",
                [Key(one, "", False, "") for one in table.remedies()],
                [],
            )
        case _:
            for act, keys_became in table.BECAME.items():
                keys = [Key(old, "", False, f"now: {new}") for old, new in keys_became.items()]
                yield act, "Keys of the first edition; they are still read.", keys, []


def keys_of(kind: "type[msgspec.Struct]", *, amounts: tuple[str, ...] = ()) -> Iterator[Key]:
    """The keys of a type: the comment beside a field is what a reader is told of it."""
    import msgspec

    says = {name: text for one in reversed(kind.__mro__[:-1]) for name, text in _comments(one)}
    for field in msgspec.structs.fields(kind):
        takes = "an amount" if field.name in amounts else _takes(field.type)
        yield Key(field.encode_name, takes, field.required, says.get(field.name) or _COMMON.get(field.name, ""))


def _comments(kind: type) -> Iterator[tuple[str, str]]:
    """The fields of a class with the comments beside them."""
    try:
        text = textwrap.dedent(inspect.getsource(kind))
    except (OSError, TypeError):  # a type that is not ours
        return
    lines = text.splitlines()
    (body,) = ast.parse(text).body
    assert isinstance(body, ast.ClassDef)
    for one in body.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            _, _, comment = lines[(one.end_lineno or one.lineno) - 1].partition("  # ")
            yield one.target.id, comment


def _doc(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())


def _takes(kind: Any) -> str:
    """What a type takes, in words."""
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


def page() -> str:
    """The whole reference in Markdown."""
    lines = [
        "# What the program reads",
        "",
        "Made from the types by `make docs`; on the command line: `aceking reference`.",
    ]
    lines += [
        "",
        'Amounts are decimal texts in the table\'s currency (`"10.50"`), cards are `As Td 9c`, `A♠ 10♦ 9♣` or',
    ]
    lines += ["`as 10d 9C`. Exit status: 0 done, 1 the answer is no, 2 the input is wrong; 3 a fault of the program."]
    for topic in TOPICS:
        lines += ["", f"## {topic.capitalize()}"]
        for title, says, keys, examples in sections(topic):
            lines += ["", f"### {title}", "", says]
            if keys:
                lines += ["", "| key | takes | | what it is |", "|---|---|---|---|"]
                lines += [f"| `{one.name}` | {one.takes} | {'must' * one.needed} | {one.says} |" for one in keys]
            if examples:
                kind = "toml" if topic == "sheet" else "json"
                lines += ["", f"```{kind}", *examples, "```"]
    return "\n".join(lines) + "\n"
