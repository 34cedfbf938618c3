"""A must-hit-by meter: the wager that reaches a secret trigger wins all that the display shows.

    draw ─► a trigger from the next whole coin up to the limit, uniform; its commitment is recorded
    START GAME ─► seats feed in order; the wager that brings the display to the trigger wins; the seed is revealed

The caller stores the seed and passes it with the command; nothing here is random. A wager may carry the display over
the limit; then the award is the limit, and the rest stays on the meter.
"""

from collections.abc import Mapping
from datetime import datetime

from msgspec.structs import replace

from aceking.award.authority import DEALER, FLOOR
from aceking.meter.awards.winners import WinnersDraft
from aceking.meter.commands import Configure, DrawTrigger, Retire, StartMeterGame
from aceking.meter.events import (
    AnyEvent,
    Contributed,
    TriggerDrawn,
    TriggerReached,
    TriggerShown,
)
from aceking.meter.governing_rules import Books, acts_as
from aceking.meter.state import MUST_HIT_BY, MeterAward, MeterState, Shown, SinceHit, Trigger, display
from aceking.money.chips import shown as in_currency
from aceking.rules.book import Book
from aceking.rules.refusal import No, Refusal
from aceking.seal import SEED_BYTES, commitment, number_of

#: The rule of must-hit-by meters; no book and no requirement has one.
RULES = {
    "must-hit": "A must-hit-by meter is won by its limit at the latest, by the wager that reaches a trigger which was "
    "sealed before and is shown after."
}
CLAUSE = "METER-must-hit"
_PURPOSE = b"aceking trigger"

Seeds = Mapping[str, bytes]


def trigger_of(seed: bytes, *, low: int, high: int) -> int:
    """Return the trigger of a seed, in minor units."""
    return number_of(seed, _PURPOSE, low=low, high=high)


def kind_refusal(state: MeterState, command: Configure) -> Refusal | None:
    """Refuse to change the kind of a meter: money fed for hands is not won by a trigger."""
    if state.config is None or (state.config.ceiling is None) == (command.ceiling is None):
        return None
    return Refusal("a meter that hands win and one that a trigger gives do not become each other", CLAUSE)


def parameters_refusal(
    books: Books, state: MeterState, command: Configure, *, scale: int, rate_parts: int
) -> Refusal | None:
    """Return the refusal of the parameters of a must-hit-by meter, or None."""
    limit = command.ceiling
    if limit is None:
        return None
    if refused := _without_effect(command):
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
        # After a hit: the reset, a fraction or excess that stays, and the feed of the seats after the winner.
        if (command.reset + 1) * scale + round_feeds > limit * scale:
            return Refusal(f"must_hit_by: one round of table {table} could bring the reset value to {shown}", CLAUSE)
        if command.contribution_max is not None and round_feeds > command.contribution_max * scale:
            return Refusal(f"contribution_max: a round with every seat of table {table} feeds more than that", CLAUSE)
    return None


def _without_effect(command: Configure) -> Refusal | None:
    """Refuse parameters that only a meter won by hands can have."""
    for key in ("awards", "odds", "internal_order", "limit"):
        if getattr(command, key):
            return Refusal(f"{key}: no hand wins a must-hit-by meter, and it has no other limit", CLAUSE)
    return None


def draw(state: MeterState, command: DrawTrigger, seeds: Seeds) -> tuple[AnyEvent, ...] | No:
    """Draw a trigger from the next coin that the display can show up to the limit."""
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
        return Refusal("this seed was shown: anybody who has read it would know the trigger", CLAUSE)
    drawn = Trigger(commitment=command.commitment, low=display(state) + 1, high=limit, at=command.at)
    return (TriggerDrawn(at=command.at, drawn=drawn, by=command.by),)


def no_trigger(state: MeterState) -> Refusal | None:
    """Refuse wagers while a must-hit-by meter has no trigger; None otherwise."""
    if state.ceiling is None or state.trigger is not None:
        return None
    return Refusal("no trigger is drawn: nobody could win the meter", CLAUSE)


def fed_in_turn(
    book: Book, state: MeterState, command: StartMeterGame, whole: Contributed, seeds: Seeds
) -> tuple[AnyEvent, ...]:
    """Return the events of a round's wagers in the order of seats, with the hit if one of them reaches the trigger."""
    trigger, seats = state.trigger, tuple(sorted(command.seats))
    assert trigger is not None, "no wager feeds before the draw"
    target = _value_of(trigger, seeds)
    each = whole.to_meter // len(seats)
    missing_parts = target * state.scale - state.counters.value
    needed = -(-missing_parts // each)  # wagers up to the hit
    if needed > len(seats):
        return (whole,)
    draft = WinnersDraft(state)
    draft.add(_portion(whole, needed, len(seats)))
    draft.add(_reached(book, draft.state, command, seats[needed - 1], seeds))
    if needed < len(seats):
        draft.add(_portion(whole, len(seats) - needed, len(seats)))
    return tuple(draft.events)


def _portion(whole: Contributed, seats: int, of: int) -> Contributed:
    """Return the contribution of some of a round's seats; all of them wager the same."""
    parts = {name: getattr(whole, name) // of * seats for name in ("wagers", "wagered", "to_meter", "to_reserve")}
    return replace(whole, **parts)


def _value_of(trigger: Trigger, seeds: Seeds) -> int:
    seed = seeds.get(trigger.commitment)
    assert seed is not None, f"the seed of {trigger.commitment} is lost"
    return trigger_of(seed, low=trigger.low, high=trigger.high)


def _reached(book: Book, state: MeterState, command: StartMeterGame, seat: int, seeds: Seeds) -> TriggerReached:
    config, trigger, table = state.config, state.trigger, state.tables[command.table]
    assert config is not None
    assert trigger is not None
    amount = min(display(state), trigger.high)
    reserve = min(config.reset, state.counters.reserve // state.scale)
    house = config.reset - reserve
    award = MeterAward(
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
    value = _value_of(trigger, seeds)
    return Shown(drawn=trigger, seed=seeds[trigger.commitment].hex(), trigger=value, award=award, at=at)


def reveal_trigger(state: MeterState, command: Retire, seeds: Seeds) -> tuple[AnyEvent, ...]:
    """Return the event that reveals the trigger of a retired meter, so that it can be checked."""
    if state.trigger is None:
        return ()
    return (TriggerShown(at=command.at, shown=_shown(state.trigger, seeds, award=None, at=command.at)),)


def wrong_trigger(state: MeterState, event: TriggerReached | TriggerShown) -> str | None:
    """Return what is wrong with a revealed trigger: its seed, its value, or the hit; None if all is right.

    `state` is the state before the event and after the contribution. No secret is needed.
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


def wrong_feed(state: MeterState, event: Contributed, seeds: Seeds) -> str | None:
    """Return what is wrong if an earlier wager had reached the trigger, as far as its seed is known; else None."""
    drawn = state.trigger
    if drawn is None or drawn.commitment not in seeds or not event.wagers:
        return None
    target = _value_of(drawn, seeds)
    before_last = state.counters.value + event.to_meter // event.wagers * (event.wagers - 1)
    if before_last // state.scale >= target:
        return f"the trigger was {target}, and a wager before this one had reached it"
    return None


def _bytes(text: str) -> bytes | None:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return None
    return seed if len(seed) == SEED_BYTES else None


def shown_by(event: TriggerReached | TriggerShown) -> dict[str, bytes]:
    """Return the revealed seed by its commitment; empty if it is malformed."""
    seed = _bytes(event.shown.seed)
    return {} if seed is None else {commitment(seed): seed}
