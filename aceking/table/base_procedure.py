"""The base procedure of all tables: what no book says because every house does it so, and what refusals cite then.

A book decides what it mentions. Besides that there is this one list, with its reasons, and nothing else: an act that
neither the book nor the base procedure knows is refused.
"""

from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import Said
from aceking.rules.words import ActName

#: What a refusal cites where it is not for a book to decide.
RULES: Mapping[str, str] = {
    "input": "A command says all that its act needs, in words and numbers that the table has.",
    "clock": "The table's clock does not run backwards.",
    "known": "What neither the book nor the base procedure knows is not done.",
    "people": "Each act is for certain people; where the house has assigned persons, it is for those.",
    "open": "A house opens a table once, and no game is played at one that it has not opened.",
    "time": "An act has its time in the round.",
    "box": "A box is played by who has bet on it, as long as it is in the round.",
    "deck": "One deck of different cards: what enters a round is the next of a known order, or not seen yet.",
    "chips": "Chips are staked, taken and paid once.",
    "question": "While a question is open, play waits for its answer.",
    "record": "The table's record is the truth, until a person with the last word corrects it.",
    "award": "An award is picked, confirmed and paid by different people, in that order.",
    "limit": "What is posted holds: the least and the greatest stake, and a time to decide, no sooner than it says.",
}


def base(rule: str, reason: str | Said) -> Refusal:
    """A refusal by the base procedure."""
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


#: Acts that every table of such a book has, whether or not a clause mentions them; and why.
BASE: Mapping[ActName, tuple[Callable[[Book], bool], str]] = {
    "table-configured": (_always, "a table is set up before it is opened"),
    "table-opened": (_always, "a house opens its tables"),
    "notice-given": (_always, "a house tells its players what they should know"),
    "device-registered": (_always, "what stands at the table is on its register"),
    "device-removed": (_always, "and so is what leaves it"),
    "device-jam": (_always, "a device that stops is out of use"),
    "option-changed": (_always, "what a book leaves to the house, the house may choose anew between rounds"),
    "deck-registered": (_always, "a round needs a deck"),
    "deck-changed": (_always, "and a worn deck is replaced"),
    "deck-removed": (_always, "or taken away"),
    "shuffle": (_always, "cards are mixed before they are dealt"),
    "deck-loaded": (_deals_from_device, "cards are dealt from where they were put"),
    "deck-held": (_deals_from_hand, "or from the hand"),
    "bets-opened": (_always, "a round begins when bets may be placed"),
    "round-opened": (_always, "the same by another name"),
    "ante": (_always, "a round is bought into"),
    "side-bet": (_has_side, "a side wager that the book has can be staked"),
    "no-more-bets": (_closes_by_call, "bets are closed before the deal"),
    "burn": (_burns, "where the book burns a card, it is burnt"),
    "card-dealt": (_always, "cards are dealt"),
    "packet-dealt": (_in_packets, "or hands, where the device gives hands"),
    "up-card": (_has_dealer, "one card of the dealer is shown"),
    "stub-to-rack": (_racks_stub, "what is left is put away"),
    "stub-count": (_always, "a house may count what is left whenever it likes"),
    "go-ahead": (_always, "players are told when they may look"),
    "look": (_always, "players look at their hands"),
    "bet": (_always, "the decisions that the book leaves to players"),
    "stay": (_always, "the same"),
    "fold": (_always, "the same"),
    "declare": (_always, "the same"),
    "exchange": (_exchanges, "where a card can be bought, it is bought"),
    "discard": (_discards, "where a card is laid aside, it is laid aside"),
    "time-out": (_always, "a posted time runs out"),
    "claim": (_has_progressive, "players may say what they hold"),
    "reveal": (_always, "hidden cards are turned before anybody is paid"),
    "buy-dealer-card": (_buys, "where a card can be bought for the dealer, it is bought"),
    "dealer-card-drawn": (_buys, "and comes off the deck"),
    "turn-hand": (_always, "and so are the players'"),
    "compare": (_has_dealer, "hands are compared"),
    "reckon": (_always, "what is owed is worked out before it is paid"),
    "collect-chips": (_always, "the house takes what it won"),
    "pay": (_always, "and pays what it lost"),
    "collect-cards": (_always, "cards go to the rack"),
    "select-winner": (_has_progressive, "an award is picked by the dealer (R16)"),
    "supervisor-validated": (_has_progressive, "confirmed by another person (R16)"),
    "pay-award": (_has_progressive, "and paid"),
    "award-locked": (_has_progressive, "what a linked meter pays is the meter's to say"),
    "manual-adjustment": (_has_progressive, "and undone only with a reason on the record (R17)"),
    "round-ended": (_ends_by_call, "a round ends"),
    "place-for-player": (_always, "staff may lay a player's chips down for him; what is said of his bets holds"),
    "approval-recorded": (_always, "what was approved outside is put on file"),
    "talk": (_always, "what people do at a table can be put on its record; it moves nothing by itself"),
    "touch-cards": (_always, "the same"),
    "stay-seated": (_always, "the same"),
    "keep-in-view": (_always, "the same"),
    "sit": (_always, "the same"),
}
