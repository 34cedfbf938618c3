"""The base procedure of all tables: acts and rules that no book mentions because every house has them.

A book decides what it mentions. All else is in this list, with its reasons: an act that neither the book nor the base
procedure knows is refused.
"""

from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.rules.decisions import CHOICES
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import Said
from aceking.rules.words import ActName

#: The rules that refusals cite (as BASE-name) if the book has none.
RULES: Mapping[str, str] = {
    "input": "A command says all that its act needs, in words and numbers that the table knows.",
    "clock": "The table's clock does not run backwards.",
    "known": "What neither the book nor the base procedure knows is not done.",
    "people": "Each act is for certain people; where the house has assigned persons, it is for those.",
    "open": "A house opens a table once, and no game is played at one that it has not opened.",
    "time": "An act has its time in the round.",
    "box": "A box is played by the player who has bet on it, as long as it is in the round.",
    "deck": "One deck of different cards: a card that enters a round is the next of a known order, or not seen yet.",
    "chips": "Chips are staked, taken and paid once.",
    "question": "While a question is open, play waits for its answer.",
    "record": "The table's record is the truth, until a person with the last word corrects it.",
    "award": "An award is picked, confirmed and paid by different people, in that order.",
    "limit": "Posted limits hold: the least and the greatest stake, and the time to decide in full.",
}


def base(rule: str, reason: str | Said) -> Refusal:
    assert rule in RULES, f"there is no base rule {rule}"
    return refusal(reason, f"BASE-{rule}")


def _always(book: Book) -> bool:
    return True


def _has_progressive(book: Book) -> bool:
    return book.progressive is not None


def _has_side(book: Book) -> bool:
    return book.progressive is not None or book.bonus is not None or bool(book.sides)


def _has_dealer(book: Book) -> bool:
    return book.dealer is not None


def _ends_by_call(book: Book) -> bool:
    return book.governs("END GAME") is None


def _closes_by_call(book: Book) -> bool:
    return book.governs("START GAME") is None


def _deals_from_hand(book: Book) -> bool:
    return book.deal.method == "hand"


def _deals_from_device(book: Book) -> bool:
    return book.deal.method != "hand"


def _in_packets(book: Book) -> bool:
    return book.deal.method in book.deal.packets


def _burns(book: Book) -> bool:
    return book.deal.method in book.deal.burn


def _discards(book: Book) -> bool:
    return book.hands.discards > 0


def _exchanges(book: Book) -> bool:
    return book.exchange is not None


def _buys(book: Book) -> bool:
    return book.bought is not None


def _racks_stub(book: Book) -> bool:
    return book.stub is not None and book.stub.goes_to == "rack"


#: Acts of every table whose book meets the condition, whether or not a clause mentions them; and the reason.
BASE: Mapping[ActName, tuple[Callable[[Book], bool], str]] = {
    "table-configured": (_always, "a table is set up before it is opened"),
    "table-opened": (_always, "a house opens its tables"),
    "notice-given": (_always, "a house tells its players what they should know"),
    "device-registered": (_always, "a device at the table is on its register"),
    "device-removed": (_always, "the register says when a device leaves"),
    "device-jam": (_always, "a device that stops is out of use"),
    "option-changed": (_always, "the house may change its choices between rounds"),
    "deck-registered": (_always, "a round needs a deck"),
    "deck-changed": (_always, "a worn deck is replaced"),
    "deck-removed": (_always, "a deck may be taken away"),
    "shuffle": (_always, "cards are mixed before they are dealt"),
    "deck-loaded": (_deals_from_device, "a device deals the cards that were put in it"),
    "deck-held": (_deals_from_hand, "the dealer deals from the hand"),
    "bets-opened": (_always, "a round begins when bets may be placed"),
    "round-opened": (_always, "some houses call it so"),
    "ante": (_always, "a player joins a round with an ante"),
    "side-bet": (_has_side, "a side wager of the book can be staked"),
    "no-more-bets": (_closes_by_call, "bets are closed before the deal"),
    "burn": (_burns, "the book burns a card"),
    "card-dealt": (_always, "cards are dealt"),
    "packet-dealt": (_in_packets, "the device gives whole hands"),
    "up-card": (_has_dealer, "one card of the dealer is shown"),
    "stub-to-rack": (_racks_stub, "the rest of the deck is put away"),
    "stub-count": (_always, "a house may count the rest of the deck at any time"),
    "go-ahead": (_always, "players are told when they may look"),
    "look": (_always, "players look at their hands"),
    **dict.fromkeys(CHOICES, (_always, "the decisions that the book leaves to players")),
    "exchange": (_exchanges, "the book has an exchange"),
    "discard": (_discards, "the book has discards"),
    "time-out": (_always, "a posted time runs out"),
    "claim": (_has_progressive, "players may say what they hold"),
    "reveal": (_always, "hidden cards are turned before anybody is paid"),
    "buy-dealer-card": (_buys, "the book lets players buy a card for the dealer"),
    "dealer-card-drawn": (_buys, "the bought card comes off the deck"),
    "turn-hand": (_always, "players' hands are turned before they are paid"),
    "compare": (_has_dealer, "hands are compared"),
    "reckon": (_always, "the amounts are worked out before they are paid"),
    "collect-chips": (_always, "the house takes what it won"),
    "pay": (_always, "the house pays what it lost"),
    "collect-cards": (_always, "cards go to the rack"),
    "select-winner": (_has_progressive, "an award is picked by the dealer (R16)"),
    "supervisor-validated": (_has_progressive, "an award is confirmed by another person (R16)"),
    "pay-award": (_has_progressive, "a confirmed award is paid"),
    "award-locked": (_has_progressive, "a linked meter decides what it pays"),
    "manual-adjustment": (_has_progressive, "an award is undone only with a reason on the record (R17)"),
    "round-ended": (_ends_by_call, "a round ends"),
    "place-for-player": (_always, "staff may place a player's chips; the rules for the player's bets hold"),
    "approval-recorded": (_always, "an outside approval is put on file"),
    "talk": (_always, "conduct can be recorded; it changes nothing by itself"),
    "touch-cards": (_always, "conduct can be recorded; it changes nothing by itself"),
    "stay-seated": (_always, "conduct can be recorded; it changes nothing by itself"),
    "keep-in-view": (_always, "conduct can be recorded; it changes nothing by itself"),
    "sit": (_always, "conduct can be recorded; it changes nothing by itself"),
}
