"""A must-hit-by meter: a sealed trigger, and the wager that reaches it wins all that the display shows.

    draw ─► trigger from the next whole coin up to the limit, each equally likely: its commitment is on the record
    START GAME ─► seats feed in their order; whose wager brings the display to the trigger wins; the seed is shown

The seed lies apart, by its commitment, and comes with the command: chance is given, never taken. A wager may carry the
display over the limit; the award is the limit then, and what is over stays on the meter.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec.structs import replace

from aceking.award.authority import DEALER, FLOOR
from aceking.meter.awards.winners import Draft
from aceking.meter.commands import Configure, Draw, Retire, StartGame
from aceking.meter.events import AnyEvent, Contributed, GameStarted, TriggerDrawn, TriggerReached, TriggerShown
from aceking.meter.evolve import evolve
from aceking.meter.governing_rules import Books, No, acts_as
from aceking.meter.state import MUST_HIT_BY, Award, LinkState, Shown, SinceHit, Trigger, display
from aceking.money.chips import shown as in_currency
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.seal import SEED_BYTES, commitment, number_of

#: The rule that a must-hit-by meter is held to, of the meter itself: no book and no requirement has one.
RULES = {
    "must-hit": "A must-hit-by meter is won by its limit at the latest, by the wager that reaches a trigger which was "
    "sealed before and is shown after."
}
CLAUSE = "METER-must-hit"
_PURPOSE = b"aceking trigger"

Seeds = Mapping[str, bytes]


def trigger_of(seed: bytes, *, low: int, high: int) -> int:
    """What a seed has for a trigger, in minor units."""
    return number_of(seed, _PURPOSE, low=low, high=high)


def another_kind(state: LinkState, command: Configure) -> Refusal | None:
    """A meter stays what it is: what players fed for their hands is not given by a trigger."""
    if state.config is None or (state.config.ceiling is None) == (command.ceiling is None):
        return None
    return Refusal("a meter that hands win and one that a trigger gives do not become each other", CLAUSE)


def against(books: Books, state: LinkState, command: Configure, *, scale: int, rate_parts: int) -> Refusal | None:
    """What stands against the parameters of a must-hit-by meter."""
    limit = command.ceiling
    if limit is None:
        return None
    if refused := _means_nothing(command):
        return refused
    shown = in_currency(limit, decimals=next(books[name].decimals for name in command.tables.values()))
    if state.counters.locked or state.counters.owed:
        return Refusal("an award that a trigger has given is not paid yet", CLAUSE)
    trigger = state.trigger
    if trigger is not None and trigger.high != limit:
        return Refusal("a trigger is drawn up to another limit: it changes after the hit, before the next draw", CLAUSE)
    value = state.counters.value // state.scale if state.config is not None else command.base
    if limit <= value:
        return Refusal(f"must_hit_by: the meter stands at {shown} or more already", CLAUSE)
    for table, name in command.tables.items():
        book = books[name]
        assert book.progressive is not None, "a table without a progressive was refused before"
        round_feeds = book.table.seats_max * book.progressive.stake * rate_parts
        # What is left of the display, less than a coin or over the limit, and the seats after the one that has won.
        if (command.reset + 1) * scale + round_feeds > limit * scale:
            return Refusal(f"must_hit_by: one round of table {table} could bring the reset value to {shown}", CLAUSE)
        if command.contribution_max is not None and round_feeds > command.contribution_max * scale:
            return Refusal(f"contribution_max: a round with every seat of table {table} feeds more than that", CLAUSE)
    return None


def _means_nothing(command: Configure) -> Refusal | None:
    """What only a meter has that hands win."""
    for key in ("awards", "odds", "internal_order", "limit"):
        if getattr(command, key):
            return Refusal(f"{key}: no hand wins a must-hit-by meter, and it has no other limit", CLAUSE)
    return None


def draw(state: LinkState, command: Draw, seeds: Seeds) -> tuple[AnyEvent, ...] | No:
    """A trigger is sealed: from the next coin that the display can show up to the limit."""
    limit = state.ceiling
    if limit is None:
        return Refusal("hands win this meter: there is no trigger to draw", CLAUSE)
    if refused := acts_as(state, command.by, (*DEALER, *FLOOR), CLAUSE):
        return refused
    if state.trigger is not None:
        return Refusal("a trigger is drawn; the next one is drawn when it has been reached", CLAUSE)
    if command.commitment not in seeds:
        return Refusal("the seed of this commitment does not lie with the meter", CLAUSE)
    if any(one.drawn.commitment == command.commitment for one in state.shown):
        return Refusal("this seed was shown: whoever has read it would know the trigger", CLAUSE)
    drawn = Trigger(commitment=command.commitment, low=display(state) + 1, high=limit, at=command.at)
    return (TriggerDrawn(at=command.at, drawn=drawn, by=command.by),)


def missing(state: LinkState) -> Refusal | None:
    """Whether the meter waits for a draw, so that no wager may feed it."""
    if state.ceiling is None or state.trigger is not None:
        return None
    return Refusal("no trigger is drawn: nobody could win the meter", CLAUSE)


def fed_in_turn(
    book: Book, state: LinkState, command: StartGame, whole: Contributed, seeds: Seeds
) -> tuple[AnyEvent, ...]:
    """The wagers of a round in the order of the seats: up to the one that reaches the trigger, and the rest."""
    trigger, seats = state.trigger, tuple(sorted(command.seats))
    assert trigger is not None, "no wager feeds before the draw"
    aim = _known(trigger, seeds)
    each = whole.to_meter // len(seats)
    missing_parts = aim * state.scale - state.counters.value
    first = -(-missing_parts // each)  # how many wagers it takes
    if first > len(seats):
        return (whole,)
    draft = Draft(state)
    draft.add(_some_of(whole, first, len(seats)))
    draft.add(_reached(book, draft.state, command, seats[first - 1], seeds))
    if first < len(seats):
        draft.add(_some_of(whole, len(seats) - first, len(seats)))
    return tuple(draft.events)


def _some_of(whole: Contributed, some: int, of: int) -> Contributed:
    """The part of a round's feed that some of its seats have; all of them wager the same."""
    parts = {name: getattr(whole, name) // of * some for name in ("wagers", "wagered", "to_meter", "to_reserve")}
    return replace(whole, **parts)


def _known(trigger: Trigger, seeds: Seeds) -> int:
    seed = seeds.get(trigger.commitment)
    assert seed is not None, f"the seed of {trigger.commitment} is lost"
    return trigger_of(seed, low=trigger.low, high=trigger.high)


def _reached(book: Book, state: LinkState, command: StartGame, seat: int, seeds: Seeds) -> TriggerReached:
    config, trigger, table = state.config, state.trigger, state.tables[command.table]
    assert config is not None
    assert trigger is not None
    amount = min(display(state), trigger.high)
    reserve = min(config.reset, state.counters.reserve // state.scale)
    house = config.reset - reserve
    award = Award(
        id=f"{command.table}/{table.game}/{seat}",
        table=command.table,
        game=table.game,
        seat=seat,
        book=book.id,
        hand=MUST_HIT_BY,
        dealer=command.by,
        number=state.recognised + 1,
        recognised=command.at,
        major=True,
        amount=amount,
        from_meter=amount,
        seed_house=house,
        seed_reserve=reserve,
        clause=CLAUSE,
        sealed=True,
        came=state.since,
    )
    left = state.counters.value + (config.reset - amount) * state.scale
    return TriggerReached(
        at=command.at,
        award=award,
        shown=_shown(trigger, seeds, award=award.id, at=command.at),
        since=SinceHit(start=left, own=house * state.scale, at=command.at),
    )


def _shown(trigger: Trigger, seeds: Seeds, *, award: str | None, at: datetime) -> Shown:
    aim = _known(trigger, seeds)
    return Shown(drawn=trigger, seed=seeds[trigger.commitment].hex(), trigger=aim, award=award, at=at)


def shown_at_last(state: LinkState, command: Retire, seeds: Seeds) -> tuple[AnyEvent, ...]:
    """The trigger of a meter that goes out of service, so that it can be checked as well."""
    if state.trigger is None:
        return ()
    return (TriggerShown(at=command.at, shown=_shown(state.trigger, seeds, award=None, at=command.at)),)


def wrong_trigger(state: LinkState, event: TriggerReached | TriggerShown) -> str | None:
    """What a record does not bear out: the seed, the number it has, or that this wager was the one to reach it.

    `state` is that before the event, after the wager was fed. Needs nothing that is secret.
    """
    drawn, shown = state.trigger, event.shown
    if drawn is None or shown.drawn != drawn:
        return "a trigger is shown, and nothing was committed to"
    seed = _bytes(shown.seed)
    if seed is None or commitment(seed) != drawn.commitment:
        return f"the seed of the trigger is not the one of the commitment {drawn.commitment}"
    if trigger_of(seed, low=drawn.low, high=drawn.high) != shown.trigger:
        return f"the seed has another trigger than {shown.trigger}"
    if isinstance(event, TriggerReached) and display(state) < shown.trigger:
        return f"the meter stood at {display(state)} and the trigger was {shown.trigger}"
    return None


def wrong_feed(state: LinkState, event: Contributed, seeds: Seeds) -> str | None:
    """Whether wagers before the last of these had reached the trigger, so far as its seed is known by now."""
    drawn = state.trigger
    if drawn is None or drawn.commitment not in seeds or not event.wagers:
        return None
    aim = _known(drawn, seeds)
    before_last = state.counters.value + event.to_meter // event.wagers * (event.wagers - 1)
    if before_last // state.scale >= aim:
        return f"the trigger was {aim}, and a wager before this one had reached it"
    return None


def _bytes(text: str) -> bytes | None:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return None
    return seed if len(seed) == SEED_BYTES else None


def shown_by(event: TriggerReached | TriggerShown) -> dict[str, bytes]:
    """The seed that a record shows, by its own commitment; none where that is no seed."""
    seed = _bytes(event.shown.seed)
    return {} if seed is None else {commitment(seed): seed}


def checked(events: Iterable[AnyEvent]) -> int:
    """How many triggers a record shows, each held against its commitment and its hit; ValueError where one is wrong."""
    record = list(events)
    known = [one for one in record if isinstance(one, TriggerReached | TriggerShown)]
    seeds = {key: seed for one in known for key, seed in shown_by(one).items()}
    state = LinkState()
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
