"""Commands, scripts and records of one meter, carried out and checked."""

from collections.abc import Iterable
from typing import Any

import msgspec

from aceking.meter.commands import AnyCommand
from aceking.meter.decide import NO_SEEDS, decide, recorded
from aceking.meter.events import AnyEvent, Contributed, GameStarted, TriggerReached, TriggerShown
from aceking.meter.evolve import evolve
from aceking.meter.governing_rules import Books
from aceking.meter.must_hit_by import Seeds, shown_by, wrong_feed, wrong_trigger
from aceking.meter.script import MeterScriptError, Run, command_of, play_lines, read_object, take_seed
from aceking.meter.state import MeterState


def act(
    books: Books, state: MeterState, command: AnyCommand, seeds: Seeds = NO_SEEDS
) -> tuple[MeterState, tuple[AnyEvent, ...]]:
    """Carries a command out. What is refused moves nothing and is on the record all the same."""
    decided = decide(books, state, command, seeds)
    return recorded(state, command, decided)


def replay(events: Iterable[AnyEvent], state: MeterState | None = None) -> MeterState:
    """The state after these events, from a new link unless another is given."""
    state = MeterState() if state is None else state
    for event in events:
        state = evolve(state, event)
    return state


def play_script(lines: Iterable[str | bytes]) -> Run:
    """All commands of a script of one meter, in order."""
    run = Run()

    def give(raw: dict[str, Any], number: int) -> None:
        run.seeds |= take_seed(raw)
        run.give(command_of(raw, decimals=run.decimals), line=number)

    play_lines(lines, give)
    if not run.events:
        raise MeterScriptError("there is no command")
    return run


def read_command(text: str, *, decimals: int) -> AnyCommand:
    """A command from one JSON object; of a draw, what is on the record: its commitment."""
    raw = read_object(text)
    take_seed(raw)
    return command_of(raw, decimals=decimals)


def checked(events: Iterable[AnyEvent]) -> int:
    """How many triggers a record shows, each held against its commitment and its hit; ValueError where one is wrong."""
    record = list(events)
    known = [one for one in record if isinstance(one, TriggerReached | TriggerShown)]
    seeds = {key: seed for one in known for key, seed in shown_by(one).items()}
    state = MeterState()
    for number, event in enumerate(record, start=1):
        wrong = None
        if isinstance(event, TriggerReached | TriggerShown):
            wrong = wrong_trigger(state, event)
        elif isinstance(event, Contributed) and state.ceiling is not None:
            wrong = wrong_feed(state, event, seeds)
        elif isinstance(event, GameStarted) and state.ceiling is not None and event.seats:
            wrong = None if state.trigger is not None else "a round began without a trigger"
        if wrong is not None:
            raise ValueError(f"event {number}: {wrong}")
        state = evolve(state, event)
    return len(known)


_ENCODER = msgspec.json.Encoder(order="sorted")


def state_bytes(state: MeterState) -> bytes:
    """The state as JSON, always the same bytes for the same state."""
    return _ENCODER.encode(state)
