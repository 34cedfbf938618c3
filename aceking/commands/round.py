"""`aceking round`: a script of commands through the engine, told for people or as JSON."""

import json
import tomllib
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.output.streams import books_beside, read

if TYPE_CHECKING:
    from aceking.scenarios.judge import Story


@click.command("round")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--book", help="Play it by this book, whatever the script names.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--upgrade", is_flag=True, help="Print the script in today's spelling instead of running it.")
def round_command(file: str, book: str | None, *, as_json: bool, upgrade: bool) -> int:
    """Run a script of a table: who did what, what the book says to it, what is owed.

    FILE is TOML or JSON with one script, or with several as [[script]]. Exit status 1 if a step does not go as the
    script expects.

    \b
    aceking round examples/boxed-card.toml
    aceking round examples/boxed-card.toml --book rws --json
    aceking round old.toml --upgrade > new.toml
    aceking reference acts
    """
    from aceking.scenarios.judge import ScriptError
    from aceking.scenarios.scripts import run_script
    from aceking.settlement.scenario_json import INPUT_ERRORS

    books_beside(file)
    text = read(file).decode()
    scripts = _scripts(file, text)
    if upgrade:
        from aceking.scenarios.spelling import StepError
        from aceking.scenarios.upgrade import upgraded_text

        try:
            click.echo(upgraded_text(scripts), nl=False)
        except StepError as wrong:
            raise click.ClickException(f"{file}: {wrong}") from None
        return 0
    stories = []
    for number, raw in enumerate(scripts):
        names = [book] if book else raw.get("books") or [raw.get("book")]
        if not isinstance(names, list) or not isinstance(raw.get("then", {}), dict):
            raise click.ClickException(f"{file}: books is a list of books, and then a table of what must follow")
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
            _tell(script, story)
    return 1 if any(story.problems for _, story in stories) else 0


def _scripts(file: str, text: str) -> list[dict[str, Any]]:
    try:
        raw = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as broken:
        raise click.ClickException(f"{file}: {broken}") from None
    found = raw.get("script", [raw])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise click.ClickException(f"{file}: a script is a table with book, boxes, when and then")
    return found


def _line(text: str, script: int, message: str) -> str:
    """The message with the line of its step, where every step has a line of its own."""
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
    for told in story.steps:
        step: dict[str, Any] = {"step": told.step, "events": msgspec.to_builtins(told.events)}
        if told.refusal is not None:
            step["refused"] = {"clause": told.refusal.clause, "reason": told.refusal.reason}
            if told.refusal.also:
                step["refused"]["also"] = list(told.refusal.also)
        steps.append(step)
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


def _tell(script: dict[str, Any], story: "Story") -> None:
    from rich.text import Text

    from aceking.commands.output.settlement import console
    from aceking.scenarios.judge import net_of
    from aceking.table.show.explain import Teller

    out = console()
    out.print(f"\n[bold]{script.get('name', 'A round')}[/]  [dim]{story.book.id} {story.book.digest[:12]}[/]")
    teller = Teller(story.book, tuple(story.events))
    for told in story.steps:
        if told.step:
            out.print(Text(f"{told.step:>3}. {told.what}", style="bold"))
        if told.refusal is not None:
            clauses = ", ".join((told.refusal.clause, *told.refusal.also))
            out.print(Text(f"     refused: {told.refusal.reason}", style="red").append(f"  {clauses}", "dim"))
        before = len(teller.sentences)
        for event in told.events:
            teller.tell(event)
        for line in teller.sentences[before:]:
            out.print(Text(f"     {line}"))
        for problem in told.problems:
            out.print(Text(f"     not as the script says: {problem}", style="red"))
    told_so_far = len(teller.sentences)
    for line in teller.finish()[told_so_far:]:
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
