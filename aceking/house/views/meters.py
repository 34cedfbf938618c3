"""The record of a meter for the staff: where its money is, its settings, and the steps of each award."""

from datetime import datetime
from typing import Any

import msgspec

from aceking.house.floor.states import Floor
from aceking.house.views import table as views
from aceking.meter.reports import exact
from aceking.meter.state import MeterAward, MeterState, identity
from aceking.money.chips import shown
from aceking.table.show.part import ShownPart

_CAME = ("base", "seeded", "contributed", "adjusted")
_LIES = ("value", "locked", "owed", "paid", "overflow", "reserve", "retired")
#: The settings that a change of them repeats.
_SET = ("tables", "currency", "base", "reset", "rate", "hidden_rate", "limit", "contribution_max", "executive_from")
_ALSO = ("awards", "odds", "internal_order", "options", "must_hit_by")


class TriggerView(ShownPart, frozen=True, kw_only=True):
    """The trigger of an award: its commitment, and the seed that opens it."""

    trigger: str
    least: str
    most: str
    drawn: datetime
    commitment: str
    seed: str


class AwardView(ShownPart, frozen=True, kw_only=True):
    """An award and the person of each of its steps."""

    id: str
    table: str
    seat: int
    round: int
    hand: str
    cards: str
    amount: str
    step: str
    recognised: datetime
    dealer: str = ""
    verifier: str | None = None
    signer: str | None = None
    payer: str | None = None
    verified_at: datetime | None = None
    signed_at: datetime | None = None
    paid_at: datetime | None = None
    at_value: str | None = None
    from_meter: str = "0"
    major: bool = False
    clause: str = ""
    came: dict[str, str] = {}  # the parts of the meter's value since the last hit
    trigger: TriggerView | None = None  # of a must-hit-by meter


class MeterRecord(ShownPart, frozen=True, kw_only=True):
    """A whole meter: `came` is where its money came from, `lies` where it is now; the sums are equal."""

    view: views.MeterView
    decimals: int
    came: dict[str, str]
    lies: dict[str, str]
    total: str
    difference: str
    events: int
    refusals: int
    settings: dict[str, Any]  # as the fields of a `configure` command
    awards: tuple[AwardView, ...] = ()  # newest first


def meter_record(floor: Floor, name: str) -> MeterRecord | None:
    """Return the record of a meter, or None if it is not set up."""
    meter = floor.meters.get(name)
    if meter is None or meter.config is None:
        return None
    decimals = floor.house.currencies.get(meter.config.currency, 2)

    def parts(amount: int) -> str:
        return exact(amount, scale=meter.scale, decimals=decimals)

    came = {key: getattr(meter.counters, key) for key in _CAME}
    lies = {key: getattr(meter.counters, key) for key in _LIES}
    return MeterRecord(
        view=next(view for view in views.meters(floor) if view.id == name),
        decimals=decimals,
        came={key: parts(amount) for key, amount in came.items()},
        lies={key: parts(amount) for key, amount in lies.items()},
        total=parts(sum(came.values())),
        difference=parts(identity(meter)),
        events=meter.events,
        refusals=meter.refusals,
        settings={
            key: value
            for key in (*_SET, *_ALSO)
            if (value := getattr(meter.config, key)) not in (None, {}, msgspec.UNSET)
        },
        awards=tuple(_award(meter, award, decimals) for award in reversed(_all_awards(meter))),
    )


def _all_awards(meter: MeterState) -> list[MeterAward]:
    """Return every award once: those in progress are among the awards, signed ones among the hits."""
    awards = {award.id: award for award in (*meter.hits, *meter.awards.values())}
    return sorted(awards.values(), key=lambda award: award.number)


def _award(meter: MeterState, award: MeterAward, decimals: int) -> AwardView:
    return AwardView(
        id=award.id,
        table=award.table,
        seat=award.seat,
        round=award.game,
        hand=award.hand.replace("_", " "),
        cards=award.cards,
        amount=shown(award.amount, decimals=decimals),
        step=award.step,
        recognised=award.recognised,
        dealer=award.dealer,
        verifier=award.verifier,
        signer=award.signer,
        payer=award.payer,
        verified_at=award.verified_at,
        signed_at=award.signed_at,
        paid_at=award.paid_at,
        at_value=None if award.at_value is None else shown(award.at_value, decimals=decimals),
        from_meter=shown(award.from_meter, decimals=decimals),
        major=award.major,
        clause=award.clause,
        came={
            key: exact(getattr(award.came, key), scale=meter.scale, decimals=decimals)
            for key in ("start", "fed", "adjusted", "taken")
        },
        trigger=_trigger(meter, award, decimals),
    )


def _trigger(meter: MeterState, award: MeterAward, decimals: int) -> TriggerView | None:
    shown_trigger = next((known for known in meter.shown if known.award == award.id), None)
    if shown_trigger is None:
        return None
    return TriggerView(
        trigger=shown(shown_trigger.trigger, decimals=decimals),
        least=shown(shown_trigger.drawn.low, decimals=decimals),
        most=shown(shown_trigger.drawn.high, decimals=decimals),
        drawn=shown_trigger.drawn.at,
        commitment=shown_trigger.drawn.commitment,
        seed=shown_trigger.seed,
    )
