"""`aceking round`: run a script of commands through the engine and print what happened."""

import json
import tomllib
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.output.streams import books_beside, read

if TYPE_CHECKING:
    from aceking.scenarios.judge import Story


@click.command("round")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--book", help="Play it by this book instead of the one that the script names.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def round_command(file: str, book: str | None, *, as_json: bool) -> int:
    """Run a script of a table: each act, what the book says to it, and the payments.

    FILE is TOML or JSON with one script, or with several as [[script]]. Exit status 1 if a step does not go as the
    script expects.

    \b
    aceking round examples/boxed-card.toml
    aceking round examples/boxed-card.toml --book rws --json
    aceking reference acts
    """
    from aceking.scenarios.judge import ScriptError
    from aceking.scenarios.scripts import run_script
    from aceking.settlement.scenario_json import INPUT_ERRORS

    books_beside(file)
    text = read(file).decode()
    scripts = _scripts(file, text)
    stories = []
    for number, raw in enumerate(scripts):
        names = [book] if book else raw.get("books") or [raw.get("book")]
        if not isinstance(names, list) or not isinstance(raw.get("then", {}), dict):
            raise click.ClickException(f"{file}: books is a list of books, and then a table of expected results")
        for name in names:
            then = raw.get("then", {})
            by_book = bool(raw.get("books")) and isinstance(then, dict) and set(then) <= set(raw["books"])
            expected = then.get(name, {}) if by_book else then
            script = {key: value for key, value in raw.items() if key != "books"} | {"then": expected}
            try:
                stories.append((script, run_script(script, name)))
            except (ScriptError, *INPUT_ERRORS) as wrong:
                raise click.ClickException(f"{file}: {_line(text, number, str(wrong))}") from None
    if as_json:
        data = [_story_data(script, story) for script, story in stories]
        click.echo(json.dumps(data[0] if len(data) == 1 else {"rounds": data}))
    else:
        for script, story in stories:
            _print_story(script, story)
    return 1 if any(story.problems for _, story in stories) else 0


def _scripts(file: str, text: str) -> list[dict[str, Any]]:
    try:
        raw = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except json.JSONDecodeError as broken:
        raise click.ClickException(f"{file}: this is not JSON: {broken}") from None
    except tomllib.TOMLDecodeError as broken:
        raise click.ClickException(f"{file}: this is not TOML: {broken}") from None
    scripts = raw.get("script", [raw])
    if not isinstance(scripts, list) or not all(isinstance(one, dict) for one in scripts):
        raise click.ClickException(f"{file}: a script is a table with book, boxes, when and then")
    return scripts


def _line(text: str, script: int, message: str) -> str:
    """Return the message with the line number of its step, if every step has its own line."""
    if not message.startswith("step "):
        return message
    step = int(message.split()[1].rstrip(":"))
    seen = -1
    inside = False
    count = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip().startswith(("when", '"when"')):
            seen, inside, count = seen + 1, True, 0
        elif inside and line.strip().startswith("{"):
            count += 1
            if seen == script and count == step:
                return f"line {number}, {message}"
    return message


def _story_data(script: dict[str, Any], story: "Story") -> dict[str, Any]:
    import msgspec

    from aceking.scenarios.judge import net_of

    steps = []
    for step in story.steps:
        data: dict[str, Any] = {"step": step.step, "events": msgspec.to_builtins(step.events)}
        if step.refusal is not None:
            data["refused"] = {"clause": step.refusal.clause, "reason": step.refusal.reason}
            if step.refusal.also:
                data["refused"]["also"] = list(step.refusal.also)
        steps.append(data)
    current = story.table.round
    return {
        "id": script.get("id"),
        "book": story.book.id,
        "steps": steps,
        "phase": current.phase if current is not None else None,
        "net": {box.player: net_of(story.book, story.table, box.player) for box in _boxes(story)},
        "questions": [question.number for question in story.table.questions],
        "violations": story.table.violations,
        "problems": story.problems,
    }


def _boxes(story: "Story") -> list[Any]:
    current = story.table.round
    return [] if current is None else [box for box in current.boxes.values() if box.player]


def _print_story(script: dict[str, Any], story: "Story") -> None:
    from rich.text import Text

    from aceking.commands.output.settlement import console
    from aceking.scenarios.judge import net_of
    from aceking.table.show.explain import Teller

    out = console()
    out.print(f"\n[bold]{script.get('name', 'A round')}[/]  [dim]{story.book.id} {story.book.digest[:12]}[/]")
    teller = Teller(story.book, tuple(story.events))
    for step in story.steps:
        if step.step:
            out.print(Text(f"{step.step:>3}. {step.what}", style="bold"))
        if step.refusal is not None:
            clauses = ", ".join((step.refusal.clause, *step.refusal.also))
            out.print(Text(f"     refused: {step.refusal.reason}", style="red").append(f"  {clauses}", "dim"))
        before = len(teller.sentences)
        for event in step.events:
            teller.tell(event)
        for line in teller.sentences[before:]:
            out.print(Text(f"     {line}"))
        for problem in step.problems:
            out.print(Text(f"     not as the script says: {problem}", style="red"))
    printed = len(teller.sentences)
    for line in teller.finish()[printed:]:
        out.print(Text(f"     {line}"))
    for question in story.table.questions:
        out.print(f"[yellow]open question {question.number}[/]: {question.mishap}, for {question.of}")
    for box in _boxes(story):
        net = net_of(story.book, story.table, box.player)
        out.print(
            f"{box.player}: [bold]{net if net.startswith('-') or net == '0' else '+' + net}[/] {story.book.currency}"
        )
    for problem in story.problems:
        if not problem.startswith("step "):
            out.print(f"[red]not as the script says[/]: {problem}")
