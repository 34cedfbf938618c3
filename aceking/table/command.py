"""What people and devices at a table ask for. A command is a request: it is done, ruled on or refused."""

from typing import Annotated, Literal

import msgspec

from aceking.rules.words import ActName, Actor, Circumstance, Incident, Outcome

Choice = Literal["bet", "fold", "stay", "declare"]
#: What is read from outside is checked: a card of the deck; an amount, a number or a time within reason.
CardNumber = Annotated[int, msgspec.Meta(ge=0, le=51)]
Whole = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]


class _Command(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who asks, in which part, and when on the table's clock (seconds)."""

    by: str = ""
    role: Actor | None = None
    at: Whole | None = None


class Act(_Command, tag="act", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """An act of procedure, with whatever belongs to it."""

    do: ActName
    box: Whole | None = None
    player: str | None = None
    amount: Whole | None = None  # minor units
    card: CardNumber | None = None
    cards: tuple[CardNumber, ...] | None = None  # a packet, or a whole deck in order
    count: Whole | None = None
    deck: str | None = None
    to: str | None = None  # where a card or packet really went: "box 3", "dealer", "community"
    face: Literal["up", "down"] | None = None
    method: str | None = None
    choice: Choice | None = None
    hand: str | None = None  # a row of the award table
    hands: Whole | None = None  # with how many hands a cut is made
    device: str | None = None
    means: str | None = None  # chips, cash, a coupon
    option: str | None = None  # of the house, and what it chooses
    value: str | None = None
    note: str | None = None


class Report(_Command, tag="report", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Something went wrong. What the table itself cannot know is stated as facts."""

    incident: Incident
    boxes: tuple[Whole, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    count: Whole | None = None
    facts: tuple[Circumstance, ...] = ()
    note: str | None = None


class Rule(_Command, tag="rule", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A person's decision on an open question, with a reason."""

    question: int
    then: Outcome
    facts: tuple[Circumstance, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    reason: str = ""


class Choose(_Command, tag="choose", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A player's answer where the book gives a choice: go on with the hand, or take the bet back."""

    question: int
    box: int
    go_on: bool


Command = Act | Report | Rule | Choose
