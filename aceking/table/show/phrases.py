"""Phrases of a story for rulings, outcomes, decisions and places, with placeholders, as in a catalogue of words."""

from aceking.rules.decisions import CHOICES, Choice
from aceking.rules.words import Remedy

_RULINGS: dict[Remedy, str] = {
    "void-round": "the round is void",
    "void-hand": "the hand is void",
    "continue": "the round goes on",
    "complete-hand": "the hand is completed from the deck",
    "discard-and-use-next": "the card is laid aside and the next one used",
    "use-as-next": "the card is used as the next one",
    "becomes-up-card": "the card becomes the dealer's up-card",
    "rebuild": "the cards go where they were meant to fall",
    "offer-choice": "the players concerned may go on or take their bets back",
    "offer-choice-to-all": "every player may go on or take the bets back",
    "ask-supervisor": "a supervisor decides",
    "ask-house": "the house decides",
    "deemed-fold": "the hand counts as folded",
    "forfeit-wagers": "all wagers of the box are lost",
    "return-excess": "what is too much goes back",
    "return-stake": "the stake goes back",
    "return-all-stakes": "all stakes go back",
    "record-violation": "it is put on the record",
    "stands": "the bet stands",
    "hold-deal": "the deal waits",
    "record-stands": "the record stands",
    "correct-record": "the record was wrong",
    "as-reported": "it was as reported",
    "as-miscount": "it is ruled on as a hand with a wrong number of cards",
    "replace-from-stub": "the card is laid aside and the stub fills the hand",
    "deemed-stay": "the hand stays in without a bet",
    "no-effect": "nothing follows",
}
OUTCOMES = {
    "win": "The {wager} of {stake} of {whose} wins {pays}. {says}",
    "lose": "The {wager} of {stake} of {whose} is lost. {says}",
    "push": "The {wager} of {stake} of {whose} is a push: nothing is taken or paid. {says}",
    "returned": "The {wager} of {stake} of {whose} goes back. {says}",
    "void": "The {wager} of {stake} of {whose} is void and goes back. {says}",
}
DECISIONS: dict[Choice, str] = {
    "bet": "{player} bets {amount} on box {box}{blind}{cite}.",
    "fold": "{player} folds box {box}{blind}{cite}.",
    "stay": "{player} stays without a bet in box {box}{blind}{cite}.",
    "declare": "{player} declares an instant winner in box {box}{blind}{cite}.",
}
assert DECISIONS.keys() == set(CHOICES), "the story has a sentence for every decision"
PLACES = {"burn": "burnt:", "boxed": "laid aside:", "dealer": "the dealer", "community": "the community"}


def rulings_in_words(then: Remedy) -> str:
    """Return what a ruling means, in words."""
    return _RULINGS.get(then, then.replace("-", " "))
