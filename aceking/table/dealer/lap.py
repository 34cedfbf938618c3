"""The cards of one lap to the boxes are dealt alike: by what the first of them is dealt, the others are.

Nothing that a clause looks at changes between them but how many have fallen. A program that deals whole rounds need not
ask every clause again for each card; a test holds what it deals against the same cards dealt one by one.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.cards.deal_order import due_places
from aceking.table.cards.next_card import next_cards
from aceking.table.cards.shoe import Shoe
from aceking.table.moment import Now
from aceking.table.state import Table


def rest_of_lap(book: Book, table: Table, shoe: Shoe, first: Sequence[ev.Event]) -> list[ev.Event]:
    """What follows up to the end of the lap; nothing where the `first` card, after which the table is as it is, did
    not go straight to a box without a word against it, or where nobody knows how the cards lie."""
    current = table.live_round
    if current is None or current.strayed or len(first) != 2:
        return []
    acted, dealt = first
    if type(acted) is not ev.Acted or type(dealt) is not ev.Dealt or dealt.to.kind != "box":
        return []
    places = []
    for due in due_places(book, current)[current.placed :]:
        if due.to.number <= dealt.to.number:
            break  # the next lap begins, or it is the turn of who is dealt to last, who has no number
        places.append(due.to)
    cards = next_cards(Now(book, table, shoe, acted.at, acted.by, acted.role, dealt.clause), len(places), None)
    if isinstance(cards, Refusal):
        return []
    events: list[ev.Event] = []
    for to, card in zip(places, cards, strict=True):
        events += (acted, replace(dealt, card=card, to=to))
    return events
