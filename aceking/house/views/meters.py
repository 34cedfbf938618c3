"""A meter for those who answer for it: where every part of its money is, what is set, and the way of each award."""

from datetime import datetime
from typing import Any

import msgspec

from aceking.house.floor.states import Floor
from aceking.house.views import table as views
from aceking.meter.reports import exact
from aceking.meter.state import Award, LinkState, identity
from aceking.money.chips import shown

_CAME = ("base", "seeded", "contributed", "adjusted")
_LIES = ("value", "locked", "owed", "paid", "overflow", "reserve", "retired")
#: What a change of the settings says again.
_SET = ("tables", "currency", "base", "reset", "rate", "hidden_rate", "limit", "contribution_max", "executive_from")
_ALSO = ("awards", "odds", "internal_order", "options", "must_hit_by")


class _View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what is seen of a meter."""


class TriggerView(_View, frozen=True, kw_only=True):
    """The trigger that an award was given by: what was sealed before, and what opens it."""

    trigger: str
    least: str
    most: str
    drawn: datetime
    commitment: str
    seed: str


class AwardView(_View, frozen=True, kw_only=True):
    """An award and who has done what about it, each step by another person."""

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
    came: dict[str, str] = {}  # what made up the meter since the last hit
    trigger: TriggerView | None = None  # of a must-hit-by meter


class MeterRecord(_View, frozen=True, kw_only=True):
    """A meter, whole: what came in is what is somewhere, to the last part of a cent."""

    view: views.MeterView
    decimals: int
    came: dict[str, str]
    lies: dict[str, str]
    total: str
    difference: str
    events: int
    refusals: int
    settings: dict[str, Any]  # as a change of them is asked for
    awards: tuple[AwardView, ...] = ()  # the last first


def meter_record(floor: Floor, name: str) -> MeterRecord | None:
    """The record of a meter that is set up."""
    one = floor.meters.get(name)
    if one is None or one.config is None:
        return None
    decimals = floor.house.currencies.get(one.config.currency, 2)

    def parts(amount: int) -> str:
        return exact(amount, scale=one.scale, decimals=decimals)

    came = {key: getattr(one.counters, key) for key in _CAME}
    lies = {key: getattr(one.counters, key) for key in _LIES}
    return MeterRecord(
        view=next(view for view in views.meters(floor) if view.id == name),
        decimals=decimals,
        came={key: parts(amount) for key, amount in came.items()},
        lies={key: parts(amount) for key, amount in lies.items()},
        total=parts(sum(came.values())),
        difference=parts(identity(one)),
        events=one.events,
        refusals=one.refusals,
        settings={
            key: value
            for key in (*_SET, *_ALSO)
            if (value := getattr(one.config, key)) not in (None, {}, msgspec.UNSET)
        },
        awards=tuple(_award(one, award, decimals) for award in reversed(_all(one))),
    )


def _all(one: LinkState) -> list[Award]:
    """Every award once: those under way stand among the awards, those that are signed among the hits."""
    found = {award.id: award for award in (*one.hits, *one.awards.values())}
    return sorted(found.values(), key=lambda award: award.number)


def _award(one: LinkState, award: Award, decimals: int) -> AwardView:
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
            key: exact(getattr(award.came, key), scale=one.scale, decimals=decimals)
            for key in ("start", "fed", "adjusted", "taken")
        },
        trigger=_trigger(one, award, decimals),
    )


def _trigger(one: LinkState, award: Award, decimals: int) -> TriggerView | None:
    found = next((known for known in one.shown if known.award == award.id), None)
    if found is None:
        return None
    return TriggerView(
        trigger=shown(found.trigger, decimals=decimals),
        least=shown(found.drawn.low, decimals=decimals),
        most=shown(found.drawn.high, decimals=decimals),
        drawn=found.drawn.at,
        commitment=found.drawn.commitment,
        seed=found.seed,
    )
