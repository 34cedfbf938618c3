"""What a script of a table can say: its keys, every act, every mishap, and the keys that were renamed."""

from collections.abc import Iterator, Mapping
from typing import get_args

from aceking.rules.words import Mishap, Remedy
from aceking.table.acts import ACTS, Entry
from aceking.table.mishaps.circumstances import TOLD
from aceking.table.mishaps.evidence import TELLERS

SCRIPT: Mapping[str, str] = {
    "id": "the clause or the row that it is about",
    "name": "what it is about, in words",
    "why": "why that follows, for the reader",
    "book": "the book it is played by; `books` for several",
    "options": 'what the house chose: { dealing-method = "hand" }',
    "mode": "electronic, or live where people enter what they do",
    "people": 'persons assigned to parts: { dealer = ["Dora"], supervisor = ["Sue"] }',
    "limits": 'of the ante: { min = "10", max = "500" }',
    "awards": 'what a sign posts: { flush = "75" }',
    "meter": "what the meter shows at the close of the first round, unless a step says so; `reset` what it returns to",
    "order": "the deck from the top; what is not named follows",
    "boxes": 'who sits where: { box = 1, player = "Ann", ante = "10", side = "1", play = "bet" }',
    "rounds": "so many rounds before this one",
    "seconds": "the posted time to decide",
    "attended": "false: nobody of the pit is there",
    "start": "how far the house brings it: new, opened, shuffled, betting, closed, dealt, decided, revealed",
    "when": "the steps: do, report, rule, choose or drive, each with what must follow",
    "then": "what must be so at the end: net, phase, hands, up, meter, lights, accounts, rack, cites …",
    "proves": "further clauses that it shows",
}
STEP: Mapping[str, str] = {
    "do": 'an act: { do = "ante", box = 1, player = "Ann", amount = "10" }',
    "report": 'a mishap: { report = "boxed-card", cards = "Qh" }; boxes, cards, count, facts, remark',
    "rule": 'an answer to a question, with a reason: { rule = "void-round", role = "supervisor", reason = "…" }',
    "choose": 'a player\'s answer: { choose = "go on", box = 1 }, or "withdraw"',
    "drive": "the house's part: open, bets, close, deal, cards, after-deal, finish",
    "by, role, at": "who, in which part, and when in seconds on the table's clock",
    "refused": "the clause that refuses it first, a list of all that do, or true; `because` a part of the reason",
    "violates": "the clause of a breach that it puts on record; a list is all of them",
    "rules": "the remedy that is ruled; `asks` who is asked",
    "under": "the clause by which an act is done",
    "corrects": "with correct-record: [{ place = 'box 1', cards = '…' }], [{ box = 1, seen = true }], { box, lit }",
}
#: What the keys of the first edition are now; both are read, and `aceking round --upgrade` rewrites them.
BECAME: Mapping[str, Mapping[str, str]] = {
    "decision": {"choice": "the act itself: bet, stay, fold, declare"},
    "deck-registered": {"method": "back, uniform", "note": "extras"},
    "spread": {"method": "in_sequence"},
    "table-configured": {"method": "layout", "count": "packet", "note": "odds"},
    "table-opened": {"method": "elsewhere"},
    "deck-held": {"method": "hand"},
    "card-dealt": {"method": "hand"},
    "device-registered": {"method": "version, model, side, for_dealing or functions", "note": "maker"},
    "notice-given": {"note": "about, option, odds", "method": "where"},
    "approval-recorded": {"note": "of", "method": "model"},
    "ante": {"note": "noticed, standing", "count": "games"},
    "place-for-player": {"note": "noticed, standing", "count": "games"},
    "side-bet": {"note": "noticed, lit, standing", "count": "games"},
    "bet": {"card": "discard", "note": "noticed"},
    "stay": {"card": "discard", "note": "noticed", "amount": "nothing: a box that stays stakes nothing"},
    "fold": {"note": "noticed", "card": "nothing", "amount": "nothing"},
    "declare": {"note": "noticed", "card": "nothing", "amount": "nothing"},
    "exchange": {"card": "give", "cards": "give", "draws": "take", "count": "take"},
    "chip-light-count": {"amount": "meter"},
    "START GAME": {"amount": "meter"},
    "no-more-bets": {"amount": "meter"},
    "card-swipe": {"method": "card"},
    "suspend-tables": {"note": "cause"},
    "keep-in-view": {"note": "kept, remark"},
    "stay-seated": {"note": "left"},
    "manual-adjustment": {"note": "reason"},
    "any other act, and a report": {"note": "remark"},
    "report card-drawn-in-error": {"facts = unseen": "facts = not-exposed"},
    "rule block-box": {"rule": "block-affected-box, as the option has it"},
}


def acts() -> Iterator[tuple[str, str, Entry]]:
    """Every act: its name, what it is, and what the table knows of it."""
    for name, entry in ACTS.items():
        yield name, " ".join((entry.command.__doc__ or "").split()), entry


def mishaps() -> Iterator[tuple[str, str]]:
    """Every mishap, and whose word is enough for it where the record cannot tell."""
    for name in get_args(Mishap):
        yield name, ", ".join(TELLERS.get(name, ("dealer", "floorperson", "supervisor", "house", "device")))


def told() -> Iterator[tuple[str, str]]:
    """Circumstances that only people can know, and who may say them. All others the table works out itself."""
    for name, roles in TOLD.items():
        yield name, ", ".join(roles)


def remedies() -> tuple[Remedy, ...]:
    """What a ruling or an answer can be."""
    return get_args(Remedy)
