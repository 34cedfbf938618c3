"""Deal the rest of a lap to the boxes like its first card.

Nothing that a clause depends on changes between these cards except their number. A program that deals whole rounds need
not check every clause again for each card; a test compares the result with the same cards dealt one by one.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.cards.deal_order import dealing_place, due_places
from aceking.table.cards.next_card import next_cards
from aceking.table.cards.shoe import Shoe
from aceking.table.moment import Moment
from aceking.table.state import TableState


def rest_of_lap(book: Book, table: TableState, shoe: Shoe, first: Sequence[ev.TableEvent]) -> list[ev.TableEvent]:
    """Return the events up to the end of the lap, after the events `first` of its first card.

    Empty if that card did not go straight to a box without any breach, or if the order of the deck is not known.
    """
    current = table.live_round
    if current is None or current.strayed or len(first) != 2:
        return []
    acted, dealt = first
    if type(acted) is not ev.Acted or type(dealt) is not ev.Dealt or dealt.to.kind != "box":
        return []
    places = []
    for due in due_places(book, current)[current.placed :]:
        if due.to.kind != "box" or dealing_place(book, due.to.number) <= dealing_place(book, dealt.to.number):
            break  # the last place is due, or the next lap begins
        places.append(due.to)
    cards = next_cards(Moment(book, table, shoe, acted.at, acted.by, acted.role, dealt.clause), len(places), None)
    if isinstance(cards, Refusal):
        return []
    events: list[ev.TableEvent] = []
    for to, card in zip(places, cards, strict=True):
        events += (acted, replace(dealt, card=card, to=to))
    return events
