"""Reports on a meter: its state as JSON, its days, its hits."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

import msgspec

from aceking.meter.events import AnyEvent, MeterRefused
from aceking.meter.evolve import evolve
from aceking.meter.expected_value import MustHit
from aceking.meter.script import Run
from aceking.meter.state import (
    Counters,
    MeterAward,
    MeterState,
    Shown,
    SinceHit,
    carried,
    display,
    identity,
    pending,
    screens,
)
from aceking.money.chips import shown
from aceking.rules.odds import amount, share

_PARTS = (
    "base",
    "contributed",
    "seeded",
    "adjusted",
    "value",
    "locked",
    "owed",
    "paid",
    "overflow",
    "reserve",
    "retired",
)
_DAY = ("contributed", "seeded", "adjusted", "paid", "overflow", "reserve", "retired")


class MeterDay(msgspec.Struct, frozen=True, kw_only=True):
    """One day of a meter. Amounts are exact decimal texts in the currency of the meter."""

    day: str
    opening: str
    wagers: int
    wagered: str
    contributed: str
    seeded: str
    adjusted: str
    paid: str
    overflow: str
    reserve: str
    retired: str
    hits: int
    won: str
    won_tray: str
    refusals: int
    closing: str
    identity: str


def exact(parts: int, *, scale: int, decimals: int) -> str:
    """Return parts of a minor unit as an exact decimal: `100000.007`. Rates are percentages, so there always is one."""
    value = Fraction(parts, scale * 10**decimals)
    places = 0
    while 10**places % value.denominator:
        places += 1
    return _trimmed(shown(int(value * 10**places), decimals=places), decimals)


def _trimmed(text: str, decimals: int) -> str:
    """Fill the decimals up to a whole coin."""
    whole, dot, rest = text.partition(".")
    return f"{whole}.{rest.ljust(decimals, '0')}" if dot else whole


def days(events: Iterable[AnyEvent], *, decimals: int) -> tuple[MeterDay, ...]:
    """Return the meter by day, in the time zone of the first event."""
    ends: dict[date, MeterState] = {}
    state, zone = MeterState(), None
    for event in events:
        state = evolve(state, event)
        zone = zone or event.at.tzinfo
        ends[event.at.astimezone(zone).date()] = state
    rows = []
    before = MeterState()
    for day, after in sorted(ends.items()):
        rows.append(_day(day, before, after, decimals))
        before = after
    return tuple(rows)


def _day(day: date, before: MeterState, after: MeterState, decimals: int) -> MeterDay:
    # A change of rate may have made the parts finer in between.
    finer = after.scale // before.scale
    was, has = before.counters, after.counters

    def change(name: str) -> str:
        parts = getattr(has, name) - getattr(was, name) * finer
        return exact(parts, scale=after.scale, decimals=decimals)

    def coins(name: str) -> str:
        return shown(getattr(has, name) - getattr(was, name), decimals=decimals)

    opening = has.base if before.config is None else was.value * finer
    return MeterDay(
        day=day.isoformat(),
        opening=exact(opening, scale=after.scale, decimals=decimals),
        wagers=has.wagers - was.wagers,
        wagered=coins("wagered"),
        **{name: change(name) for name in _DAY},
        hits=has.hits - was.hits,
        won=coins("won"),
        won_tray=coins("won_tray"),
        refusals=after.refusals - before.refusals,
        closing=exact(has.value, scale=after.scale, decimals=decimals),
        identity=exact(identity(after), scale=after.scale, decimals=decimals),
    )


def as_csv(rows: Sequence[msgspec.Struct]) -> str:
    """Return rows as CSV with a header; empty if there are none."""
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, fieldnames=rows[0].__struct_fields__, lineterminator="\n")
        writer.writeheader()
        writer.writerows(msgspec.to_builtins(row) for row in rows)
    return out.getvalue()


class HitRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    table: str
    seat: int
    hand: str
    cards: str
    amount: str
    from_meter: str
    from_tray: str
    clause: str
    recognised: str
    dealer: str
    verifier: str
    signer: str
    signer_role: str
    signed: str
    paid: str
    undone: bool
    anew: bool  # an award that shared with it was undone since


def hit_row(award: MeterAward, *, decimals: int) -> HitRow:
    return HitRow(
        id=award.id,
        table=award.table,
        seat=award.seat,
        hand=award.hand.replace("_", " "),
        cards=award.cards,
        amount=shown(award.amount, decimals=decimals),
        from_meter=shown(award.from_meter, decimals=decimals),
        from_tray=shown(award.from_tray, decimals=decimals),
        clause=award.clause,
        recognised=award.recognised.isoformat(),
        dealer=award.dealer,
        verifier=award.verifier or "",
        signer=award.signer or "",
        signer_role=award.signer_role or "",
        signed="" if award.signed_at is None else award.signed_at.isoformat(),
        paid="" if award.paid_at is None else award.paid_at.isoformat(),
        undone=award.step == "undone",
        anew=award.anew and not award.gone,
    )


def counters_data(has: Counters, *, scale: int, decimals: int) -> dict[str, Any]:
    """Return the counters of R2 by name, as decimal texts."""
    data: dict[str, Any] = {"wagers": has.wagers, "wagered": shown(has.wagered, decimals=decimals)}
    data |= {name: exact(getattr(has, name), scale=scale, decimals=decimals) for name in _PARTS}
    data |= {"hits": has.hits, "won": shown(has.won, decimals=decimals)}
    return data | {"won_tray": shown(has.won_tray, decimals=decimals)}


def since_total(since: SinceHit) -> int:
    """Return the value that a history adds up to, in parts."""
    return since.start + since.fed + since.adjusted - since.taken


def run_data(run: Run) -> dict[str, Any]:
    """Return the outcome of a script for JSON: state, counters, identity, hits and refusals."""
    state, decimals = run.state, run.decimals
    waits = [
        {"table": one.table, "seat": one.seat, "hand": one.hand, "amount": shown(one.amount, decimals=decimals)}
        for one in pending(state)
    ]
    data = {
        "phase": state.phase,
        "currency": None if state.config is None else state.config.currency,
        "display": shown(display(state), decimals=decimals),
        "carried": str(carried(state)),
        "counters": counters_data(state.counters, scale=state.scale, decimals=decimals),
        "identity": exact(identity(state), scale=state.scale, decimals=decimals),
        "pending": waits,
        "tables": {
            one.table: {
                "running": state.tables[one.table].running,
                "suspended": one.suspended,
                "without_jackpot": one.without_jackpot,
                "wagers": state.tables[one.table].wagers,
            }
            for one in screens(state)
        },
        "hits": [msgspec.to_builtins(hit_row(one, decimals=decimals)) for one in state.hits],
        "events": state.events,
        "refused": [_refused(line, event) for line, event in run.refused],
        "repeated": run.repeated,
        "retired": _retired(state, decimals=decimals),
    }
    return data if state.ceiling is None else data | {"must_hit_by": must_hit_data(run)}


def must_hit_data(run: Run) -> dict[str, Any]:
    """Return what a must-hit-by meter shows: its limit, its commitment, known triggers, the worth of a wager.

    Probabilities and averages are exact fractions; money is in units of the currency.
    """
    state, decimals = run.state, run.decimals
    limit, waiting = state.ceiling, state.trigger
    assert limit is not None
    return {
        "limit": shown(limit, decimals=decimals),
        "commitment": None if waiting is None else waiting.commitment,
        "drawn_from": None if waiting is None else shown(waiting.low, decimals=decimals),
        "wagers": {name: _worth(run, name, limit) for name in state.tables if waiting is not None},
        "triggers": [_trigger_data(one, decimals=decimals) for one in state.shown],
    }


def _worth(run: Run, table: str, limit: int) -> dict[str, Any]:
    """The next wager of a table."""
    state, rules = run.state, run.books[run.state.tables[table].book].progressive
    assert rules is not None
    meter = MustHit(limit=limit, stake=rules.stake, feed=Fraction(rules.stake * state.rate_parts, state.scale))
    return _figures(meter, Fraction(state.counters.value, state.scale), decimals=run.decimals)


def worth_data(limit: str, rate: str, value: str, stake: str, returned: str, *, decimals: int) -> dict[str, Any]:
    """Return the figures of a meter given by decimal texts. Raises ValueError if no such meter is possible."""
    wagered, most, now = (amount(text, decimals=decimals) for text in (stake, limit, value))
    feed = wagered * share(rate)
    if not feed:
        raise ValueError("a wager that feeds nothing never reaches a trigger")
    if now >= most:
        raise ValueError(f"the meter is won by {limit}: it cannot stand at {value}")
    return _figures(MustHit(most, wagered, feed), Fraction(now), decimals=decimals, returned=share(returned))


def _figures(meter: MustHit, value: Fraction, *, decimals: int, returned: Fraction = Fraction(0)) -> dict[str, Any]:
    """The probability, award and worth of the next wager, and the average distance to the hit."""
    unit = 10**decimals
    chance, award = meter.next_wager(value)
    even = meter.breaks_even(returned)
    return {
        "chance": str(chance),
        "award": shown(award, decimals=decimals),
        "worth": str(meter.worth(value) / unit),
        "wagers_to_hit": str(meter.wagers_to_hit(value)),
        "contribution_to_hit": str(meter.wagers_to_hit(value) * meter.feed / unit),
        "award_on_average": str(meter.award(value) / unit),
        "breaks_even_from": None if even is None else shown(even, decimals=decimals),
    }


def _trigger_data(known: Shown, *, decimals: int) -> dict[str, Any]:
    """A revealed trigger, with all that is needed to compute it again."""
    drawn = known.drawn
    amounts = {"low": drawn.low, "high": drawn.high, "trigger": known.trigger}
    texts = {key: shown(amount, decimals=decimals) for key, amount in amounts.items()}
    return {"commitment": drawn.commitment, "seed": known.seed, **texts, "award": known.award}


def _retired(state: MeterState, *, decimals: int) -> dict[str, Any] | None:
    """Where the money of a retired meter went."""
    record = state.retired
    if record is None:
        return None
    data: dict[str, Any] = msgspec.to_builtins(record)
    amounts = {"moved": record.moved, "recovered": record.recovered}
    return data | {key: exact(parts, scale=state.scale, decimals=decimals) for key, parts in amounts.items()}


def _refused(line: int, event: MeterRefused) -> dict[str, Any]:
    data = {"line": line, "clause": event.clause, "reason": event.reason, "decides": event.decides}
    return {key: value for key, value in data.items() if value is not None}
