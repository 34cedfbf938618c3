"""The rules of the house that refusals cite where it is neither for a book nor for the base procedure of a table."""

from collections.abc import Mapping

from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import Said

RULES: Mapping[str, str] = {
    "input": "A request says all that it needs, in words and numbers that the house has.",
    "access": "Each request is for certain people (R18).",
    "stale": "A request holds for the round and the phase that its sender has seen.",
    "id": "The id of a request is its sender's own, and stands for one request only.",
    "table": "One plays at tables that stand on this floor and are open.",
    "seat": "A box is taken by one player, and given up when nothing of his is in play.",
    "chips": "Nobody stakes what he has not before him, and nobody takes out what he has not.",
    "two": "What takes two persons is asked by one and confirmed by another (R16, R17).",
    "word": "A word is added to the seed while the bets are open, before a card has left the deck.",
    "device": "What a device has read is what was there, until a person with the last word corrects the record.",
    "meter": "What a meter pays and what a table pays of it are one act.",
    "clock": "A clock of the house acts when its time has come.",
    "day": "A gaming day is closed once, after the days before it; what is under way belongs to the next.",
    "people": "A person has one name, one part and no other person's.",
    "fault": "What the program cannot do without a fault it does not do.",
    "book": "A table is run by a book that the house has on file.",
}


def house(rule: str, reason: str | Said) -> Refusal:
    """A refusal by the rules of the house."""
    assert rule in RULES, f"there is no rule {rule} of the house"
    return refusal(reason, f"HOUSE-{rule}")
