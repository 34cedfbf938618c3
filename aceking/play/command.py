"""What people and devices at a table ask for. A command is a request: it is done, ruled on or refused."""

from typing import Literal

import msgspec

from aceking.rules.words import ActName, Actor, Circumstance, Incident, Outcome

Choice = Literal["bet", "fold", "stay", "declare"]


class _Command(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who asks, in which part, and when on the table's clock (seconds)."""

    by: str = ""
    role: Actor | None = None
    at: int | None = None


class Act(_Command, tag="act", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """An act of procedure, with whatever belongs to it."""

    do: ActName
    box: int | None = None
    player: str | None = None
    amount: int | None = None  # minor units
    card: int | None = None
    cards: tuple[int, ...] | None = None  # a packet, or a whole deck in order
    count: int | None = None
    deck: str | None = None
    to: str | None = None  # where a card or packet really went: "box 3", "dealer", "community"
    face: Literal["up", "down"] | None = None
    method: str | None = None
    choice: Choice | None = None
    hand: str | None = None  # a row of the award table
    hands: int | None = None  # with how many hands a cut is made
    device: str | None = None
    means: str | None = None  # chips, cash, a coupon
    note: str | None = None


class Report(_Command, tag="report", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Something went wrong. What the table itself cannot know is stated as facts."""

    incident: Incident
    boxes: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    count: int | None = None
    facts: tuple[Circumstance, ...] = ()
    note: str | None = None


class Rule(_Command, tag="rule", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A person's decision on an open question, with a reason."""

    question: int
    then: Outcome
    facts: tuple[Circumstance, ...] = ()
    cards: tuple[int, ...] = ()
    reason: str = ""


class Choose(_Command, tag="choose", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A player's answer where the book gives a choice: go on with the hand, or take the bet back."""

    question: int
    box: int
    go_on: bool


Command = Act | Report | Rule | Choose
