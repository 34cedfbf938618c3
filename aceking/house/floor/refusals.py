"""The rules of the house, cited by refusals that neither a book nor the base procedure of a table decides."""

from collections.abc import Mapping

from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import Said

RULES: Mapping[str, str] = {
    "input": "A request has every field that it needs, each with a value that the house knows.",
    "access": "Each request is for certain people.",
    "stale": "A request is for the round and the phase that its sender has seen.",
    "id": "The id of a request is its sender's own, and stands for one request only.",
    "table": "Games are played at tables that are on this floor and open.",
    "seat": "A box is taken by one player, and given up when nothing of theirs is in play.",
    "chips": "Nobody stakes or takes out more than they have.",
    "two": "What takes two persons is asked by one and confirmed by another (R16, R17).",
    "word": "A word is added to the seed while the bets are open, before a card has left the deck.",
    "device": "The reading of a device counts until a person with the authority to do so corrects the record.",
    "meter": "What a meter pays and what a table pays of it are one act.",
    "clock": "A clock of the house acts when its time has come.",
    "day": "A gaming day is closed once, after the days before it; a round in progress belongs to the next.",
    "people": "A person has one role and a name that nobody else has.",
    "fault": "A request that makes the program fail is refused.",
    "book": "A table is run by a book that the house has on file.",
}


def house_refusal(rule: str, reason: str | Said) -> Refusal:
    """Return a refusal by a rule of the house."""
    assert rule in RULES, f"there is no rule {rule} of the house"
    return refusal(reason, f"HOUSE-{rule}")
