"""`aceking round`: a script of commands through the engine, told for people or as JSON."""

import json
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from aceking.play import event as ev
    from aceking.rounds import Story


@click.command("round")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--book", help="Play it by this book, whatever the script names.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def round_command(file: str, book: str | None, *, as_json: bool) -> int:
    """Run a script of a table: who did what, what the book says to it, what is owed.

    FILE is TOML or JSON with one script, or with several as [[script]]. Exit status 1 if a step does not go as the
    script expects.

    \b
    aceking round examples/boxed-card.toml
    aceking round examples/boxed-card.toml --book rws --json
    """
    from aceking.rounds import ScriptError, run_script
    from aceking.wire import INPUT_ERRORS

    text = _read(file)
    scripts = _scripts(file, text)
    stories = []
    for number, raw in enumerate(scripts):
        names = [book] if book else raw.get("books") or [raw.get("book")]
        for name in names:
            then = raw.get("then", {})
            expected = then.get(name, {}) if raw.get("books") and set(then) <= set(raw["books"]) else then
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


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else open(file, encoding="utf-8").read()
    except OSError as missing:
        raise click.ClickException(f"{file}: {missing.strerror}") from None


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

    from aceking.rounds import net_of

    steps = []
    for told in story.steps:
        step: dict[str, Any] = {"step": told.step, "events": msgspec.to_builtins(told.events)}
        if told.refusal is not None:
            step["refused"] = {"clause": told.refusal.clause, "reason": told.refusal.reason}
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

    from aceking.commands.show import console
    from aceking.rounds import net_of

    out = console()
    out.print(f"\n[bold]{script.get('name', 'A round')}[/]  [dim]{story.book.id} {story.book.digest[:12]}[/]")
    for told in story.steps:
        if told.step:
            out.print(Text(f"{told.step:>3}. {told.what}", style="bold"))
        if told.refusal is not None:
            out.print(
                Text(f"     refused: {told.refusal.reason}", style="red").append(f"  {told.refusal.clause}", "dim")
            )
        for event in told.events:
            line = sentence(story, event)
            if line and (told.step or not line.startswith("·")):
                out.print(Text(f"     {line}").append(f"  {event.clause or ''}", style="dim"))
        for problem in told.problems:
            out.print(Text(f"     not as the script says: {problem}", style="red"))
    for question in story.table.questions:
        out.print(f"[yellow]open question {question.number}[/]: {question.incident}, for {question.of}")
    for box in _boxes(story):
        net = net_of(story.book, story.table, box.player)
        out.print(
            f"{box.player}: [bold]{net if net.startswith('-') or net == '0' else '+' + net}[/] {story.book.currency}"
        )
    for problem in story.problems:
        if not problem.startswith("step "):
            out.print(f"[red]not as the script says[/]: {problem}")


def sentence(story: "Story", event: "ev.Event") -> str:
    """One event in words; procedure that went as it should begins with a dot."""
    from aceking.commands.show import money
    from aceking.play import event as ev
    from aceking.rounds import names_of

    def chips(amount: int) -> str:
        return money(amount, decimals=story.book.decimals)

    match event:
        case ev.Acted():
            return f"· {event.act}" + (f", box {event.box}" if event.box else "")
        case ev.Staked():
            return f"{event.player} stakes {chips(event.amount)} on {event.wager}, box {event.box}"
        case ev.Returned():
            return f"{event.wager} {chips(event.amount)} goes back to box {event.box}"
        case ev.Dealt():
            return f"{names_of(event.card)} to {event.to}" + (", face up" if event.face == "up" else "")
        case ev.UpCard():
            return f"{names_of(event.card)} lies face up"
        case ev.Decided():
            return f"box {event.box}: {event.choice}" + (" (deemed)" if event.deemed else "")
        case ev.Swapped():
            return f"box {event.box} gives {names_of(event.give)} for {names_of(event.take)}"
        case ev.Settled():
            return "; ".join(
                f"box {line.seat} {line.wager} {line.outcome}" + (f" {chips(line.pays)}" if line.pays else "")
                for line in event.lines
            )
        case ev.Violated():
            return f"breach: {event.what}"
        case ev.Ruled():
            given = f" ({', '.join(event.given)})" if event.given else ""
            return f"ruling on {event.incident}{given}: {event.then}"
        case ev.Asked():
            silent = "the book is silent; " if event.unregulated else ""
            boxes = f" of boxes {', '.join(map(str, event.boxes))}" if event.boxes else ""
            return f"{silent}question {event.question} to {event.of}{boxes}: {event.incident}"
        case ev.Answered():
            return f"answer to question {event.question} by {event.by}: {event.then}" + (
                f" ({event.reason})" if event.reason else ""
            )
        case ev.HandVoided():
            return f"box {event.box} is void"
        case ev.Forfeited():
            return f"box {event.box} forfeits its wagers"
        case ev.RoundVoided():
            return "the round is void"
        case ev.Rearranged():
            return "the cards are put back in their order"
        case ev.Moved() | ev.Unmoved() | ev.Racked() | ev.Looked() | ev.Discarded():
            return ""
        case _:
            return f"· {type(event).__name__.lower()}"
