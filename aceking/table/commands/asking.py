"""Reports of mishaps, rulings on them, and choices of players."""

import msgspec

from aceking.rules.words import Circumstance, Mishap, Remedy
from aceking.table.cards.place import Place
from aceking.table.commands.base import BoxNumber, CardNumber, ShortText, TableCommand, Whole


class HandWas(msgspec.Struct, tag="hand", tag_field="what", frozen=True, forbid_unknown_fields=True):
    """A place holds these cards, whatever the record says."""

    place: Place
    cards: tuple[CardNumber, ...]


class LookWas(msgspec.Struct, tag="look", tag_field="what", frozen=True, forbid_unknown_fields=True):
    """A player has, or has not, seen the cards of a box."""

    box: BoxNumber
    seen: bool


class LightWas(msgspec.Struct, tag="light", tag_field="what", frozen=True, forbid_unknown_fields=True):
    """The light of a side wager was on, or off."""

    box: BoxNumber
    lit: bool


Correction = HandWas | LookWas | LightWas


class Report(TableCommand, tag="report", frozen=True, kw_only=True):
    """Something went wrong. Facts that the table cannot know are reported; against the record they are only a claim."""

    mishap: Mishap
    boxes: tuple[BoxNumber, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    count: Whole | None = None
    facts: tuple[Circumstance, ...] = ()
    remark: ShortText | None = None


class GiveRuling(TableCommand, tag="rule", frozen=True, kw_only=True):
    """A person's decision on an open question, with a reason; if the record was wrong, also what it should say."""

    question: int
    then: Remedy
    facts: tuple[Circumstance, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    boxes: tuple[BoxNumber, ...] = ()
    corrects: tuple[Correction, ...] = ()
    meter: Whole | None = None  # the value it showed, if nobody had read it
    reason: ShortText = ""


class Choose(TableCommand, tag="choose", frozen=True, kw_only=True):
    """A player's answer if the book gives a choice: go on with the hand, or take the bet back."""

    question: int
    box: BoxNumber
    go_on: bool
