"""The rules of a book in words, for readers who do not know the keys."""

import re

from aceking.rules.vocabulary import SIDES

_WORDS = {
    "hands.cards": "Cards dealt to each player",
    "hands.community": "Cards shared by all players",
    "hands.discards": "Cards laid aside by each player who goes on",
    "hands.ace_low": "5-4-3-2-A is a straight, the lowest",
    "hands.suits_equal": "All suits are equal",
    "hands.equal_class": "Two hands of one class are compared by",
    "table.seats_max": "Places at the table",
    "table.boxes_per_player": "Boxes for one player",
    "table.hands_seen": "Of their own hands a player may look at",
    "table.version": "Version of the game",
    "table.one_version": "All tables play the same version",
    "table.wager_max": "No single wager exceeds",
    "table.round_cap": "The most that a round pays on ante and bet, in money",
    "table.round_cap_for": "Such a cap is counted for each",
    "table.round_cap_cut": "Wins above such a cap are cut",
    "deck.size": "Cards in the deck",
    "deck.decks": "Decks used in turn",
    "deck.change_hours": "Hours after which the cards are changed",
    "bet.antes": "The bet, in antes",
    "bet.antes_max": "The bet goes, as the player chooses, up to antes",
    "bet.required": "A player who stays in must bet",
    "bet.blind": "A bet may be made blind",
    "bet.unlisted": "A bet that wins with a hand that has no odds is",
    "bet.pays_are": "The odds of the bet are",
    "bet.cap": "The most that a bet pays, in money",
    "bet.cap_on": "What a cap is counted on",
    "bet.cap_floor": "A cap is not below",
    "bet.cap_floor_basis": "What the least cap is counted on",
    "bet.cap_on_layout": "A cap stands on the layout",
    "bet.over": "A bet that is too large",
    "bet.under": "A bet that is too small",
    "bet.pays_shown": "Where the odds are shown",
    "ante.required": "No part in the round without an ante",
    "ante.pays": "The ante pays",
    "ante.pays_from": "A winning ante is paid from",
    "ante.returned_from": "A beaten ante comes back from",
    "ante.over_max": "An ante over the maximum",
    "ante.under_min": "An ante under the minimum",
    "ante.top_up": "An ante may be topped up",
    "ante.min": "Least ante",
    "ante.max": "Greatest ante",
    "fold.ante": "The ante of a hand that is folded",
    "decide.choices": "A player may",
    "decide.order": "Players decide in the order",
    "decide.absent": "A player who is not there",
    "decide.fold_to": "Folded cards go to",
    "exchange.cards": "Cards that may be exchanged",
    "exchange.price_antes": "The price of an exchange, in antes",
    "exchange.prices": "The prices of one card, of two and so on, in antes",
    "exchange.price": "The price of an exchange is",
    "exchange.price_on_player_void": "The price where the player's own fault voids the hand",
    "exchange.side": "The side stake of a player who exchanges",
    "dealer.qualifies_with": "The dealer qualifies from",
    "dealer.qualifies_too": "The dealer qualifies too with",
    "dealer.unqualified_ante": "The dealer does not qualify: the ante pays",
    "dealer.unqualified_bet": "The dealer does not qualify: the bet is",
    "dealer.higher": "The player's hand is higher: ante and bet",
    "dealer.equal": "Both hands are equal: ante and bet",
    "dealer.lower": "The player's hand is lower: ante and bet",
    "dealer.turn_unqualified": "Hands turned up when the dealer does not qualify",
    "dealer.hole_card_window": "A hole card that is exposed matters",
    "instant.ace_low": "3-2-A is a straight of three cards",
    "instant.no_bet": "An instant winner makes no bet",
    "instant.wrong_ante": "The ante of a wrong declaration",
    "paytable.wins_with": "Ante and bet win from",
    "paytable.pushes_with": "Ante and bet push from",
    "paytable.loses_below": "Ante and bet lose below",
    "bonus.offered": "The bonus is offered",
    "bonus.stake": "The stake on the bonus",
    "bonus.pushes_with": "The bonus pushes from",
    "bonus.instant": "The bonus of an instant winner",
    "bonus.folded": "The bonus of a hand that is folded",
    "bonus.wrong_declaration": "The bonus of a wrong declaration",
    "progressive.stake": "The stake on the progressive",
    "progressive.folded": "The progressive of a hand that is folded",
    "progressive.exchanged": "The progressive of a hand that was exchanged",
    "progressive.awards_are": "The awards of the progressive are",
    "progressive.increment": "Part of each stake that goes to the meter",
    "progressive.rate_min": "At least this part of each stake goes to the meter",
    "progressive.deducts": "Awards that are taken off the meter",
    "progressive.claim": "How an award is claimed",
    "progressive.order": "Several winners at one table are paid",
    "progressive.shared": "Awards that are shared",
    "progressive.rounding": "A share of the meter is rounded",
    "collection.order": "The dealer takes and pays",
    "collection.passes": "Taken and paid in turn",
    "void.stakes": "Stakes of a void round",
    "void.scope": "What is void",
    "void.last_word": "The last word has",
}
_STEPS = {"decide": "decision", "hands": "hand", "irregular": "irregularity", "void": "void round"}
#: A word of the vocabulary, such as `groups-then-kickers`; never a hand such as A-K-4-3-2.
_KEY = re.compile(r"\b[a-z][a-z]*(?:[-_][a-z0-9]+)+\b(?:-(?=\())?")


def rule_words(key: str) -> str:
    """Return the words of a rule, as `The dealer qualifies from`; by default its step and its field."""
    if key in _WORDS:
        return _WORDS[key]
    step, field, *row = key.removeprefix(f"{SIDES}.").split(".")
    hand = row[0].removeprefix("instant_").replace("_", " ") if row else ""
    match field:
        case "pays" if row:
            return f"{step.capitalize()}: {hand} pays"
        case "awards" if row:
            return f"{step.capitalize()}: award for {hand}"
        case "envy" if row:
            return f"{step.capitalize()}: envy for {hand}"
        case "pays_from":
            return f"{step.capitalize()}: paid from"
        case "returned_from":
            return f"{step.capitalize()}: the stake comes back from"
        case "exchanged":
            return f"{step.capitalize()}: of a hand that was exchanged counts"
        case _:
            return f"{_STEPS.get(step, step).capitalize()}: {field.replace('_', ' ')}"


def value_words(value: str) -> str:
    """Return a value without the hyphens of the vocabulary: `groups then kickers`."""
    return _KEY.sub(lambda word: word[0].replace("-", " ").replace("_", " "), value)
