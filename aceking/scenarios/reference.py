"""The reference of scripts: their keys, every act and every mishap."""

from collections.abc import Iterator, Mapping
from typing import get_args

from aceking.rules.words import Mishap, Remedy
from aceking.table.acts import ACTS, ActEntry
from aceking.table.mishaps.circumstances import REPORTERS
from aceking.table.mishaps.evidence import BELIEVED

SCRIPT: Mapping[str, str] = {
    "id": "the clause or the row that it is about",
    "name": "what it is about, in words",
    "why": "why that follows, for the reader",
    "book": "the book it is played by; `books` for several",
    "options": 'what the house chose: { dealing-method = "hand" }',
    "mode": "electronic, or live where people enter what they do",
    "people": 'persons with their roles: { dealer = ["Dora"], supervisor = ["Sue"] }',
    "limits": 'of the ante: { min = "10", max = "500" }',
    "awards": 'what the house posts: { flush = "75" }',
    "meter": "what the meter shows when the first round closes, unless a step says so; `reset`: its value once won",
    "order": "the deck from the top; cards that are not named follow",
    "boxes": 'who sits where: { box = 1, player = "Ann", ante = "10", side = "1", play = "bet" }',
    "rounds": "number of rounds to play before this one",
    "seconds": "the posted time to decide",
    "attended": "false: no staff of the pit is present",
    "start": "the state in which the steps begin: new, opened, shuffled, betting, closed, dealt, decided, revealed",
    "when": "the steps: do, report, rule, choose or drive, each with what must follow",
    "then": "what must hold at the end: net, phase, hands, up, meter, lights, accounts, rack, cites …",
    "proves": "further clauses that it shows",
}
STEP: Mapping[str, str] = {
    "do": 'an act: { do = "ante", box = 1, player = "Ann", amount = "10" }',
    "report": 'a mishap: { report = "boxed-card", cards = "Qh" }; boxes, cards, count, facts, remark',
    "rule": 'an answer to a question, with a reason: { rule = "void-round", role = "supervisor", reason = "…" }',
    "choose": 'a player\'s answer: { choose = "go on", box = 1 }, or "withdraw"',
    "drive": "the house acts by itself: open, bets, close, deal, cards, after-deal, finish",
    "by, role, at": "who, in which role, and when in seconds on the table's clock",
    "refused": "the clause that refuses it first, a list of all that do, or true; `because`: a part of the reason",
    "violates": "the clause of a breach that is recorded; a list is all of them",
    "rules": "the remedy; `asks`: who is asked",
    "under": "the clause by which an act is done",
    "corrects": "with correct-record: [{ place = 'box 1', cards = '…' }], [{ box = 1, seen = true }], { box, lit }",
}


def acts() -> Iterator[tuple[str, str, ActEntry]]:
    """Yield every act: its name, its description, and its entry in the table of acts."""
    for name, entry in ACTS.items():
        yield name, " ".join((entry.command.__doc__ or "").split()), entry


def mishaps() -> Iterator[tuple[str, str]]:
    """Yield every mishap, and the roles whose report is enough if the record cannot show it."""
    for name in get_args(Mishap):
        yield name, ", ".join(BELIEVED.get(name, ("dealer", "floorperson", "supervisor", "house", "device")))


def reported_circumstances() -> Iterator[tuple[str, str]]:
    """Yield the circumstances that only people can know, and the roles that may report them."""
    for name, roles in REPORTERS.items():
        yield name, ", ".join(roles)


def remedies() -> tuple[Remedy, ...]:
    return get_args(Remedy)
