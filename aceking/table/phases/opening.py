"""The table and its cards before the deal: registered, opened, inspected, shuffled, cut, loaded."""

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.state import Table

Outcome = list[ev.Event] | Refusal

#: The decks of a table, of which a second is used in turn with the first, and their backs.
DECKS = ("first", "second")
BACKS = ("red", "blue")


def register_deck(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A deck is put on the register of the table."""
    if not act.deck:
        return Refusal("which deck is it?", "")
    if act.deck in table.decks:
        return Refusal(f"the {act.deck} deck is at the table already", clause or "")
    if table.live_round is not None:
        return Refusal("no deck is added while a round runs", clause or "")
    return [ev.DeckAdded(deck=act.deck, back=act.method or act.deck, at=at, clause=clause)]


def shuffle(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The cards are mixed. An order is given by a generator or a device, or unknown at a live table."""
    deck = deck_meant(table, act)
    if deck is None:
        return Refusal("there is no deck to shuffle", "")
    in_play = table.live_round
    if in_play is not None and in_play.sequence and deck == table.deck:
        return Refusal("that deck is in play", clause or "")
    if act.cards is not None and sorted(act.cards) != list(range(book.deck.size)):
        return Refusal(f"a shuffled deck has each of its {book.deck.size} cards once", clause or "")
    method = act.method or (book.shuffle.method if book.shuffle is not None else "automated")
    return [ev.Shuffled(deck=deck, method=method, order=act.cards or (), clause=clause)]


def cut(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """So many cards from the top go below the rest."""
    deck = deck_meant(table, act)
    if deck is None or table.decks[deck].shuffled is None:
        return Refusal("there is no shuffled deck to cut", clause or "")
    if act.count is None or not 0 < act.count < book.deck.size:
        return Refusal("how many cards were cut?", clause or "")
    return [ev.WasCut(deck=deck, count=act.count, clause=clause)]


def recut(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A supervisor orders another cut: the deck counts as not cut."""
    deck = deck_meant(table, act)
    if deck is None:
        return Refusal("there is no deck to cut", clause or "")
    kept = table.decks[deck]
    # The same shuffle stands; only the cut is to be done again.
    return [ev.Shuffled(deck=deck, method=kept.shuffled or "manual", order=kept.order, clause=clause)]


def load(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The deck goes to the shoe, the shuffler or the dealer's hand."""
    deck = deck_meant(table, act)
    if deck is None:
        return Refusal("there is no deck to deal from", clause or "")
    current = table.live_round
    if current is not None and current.sequence and deck != table.deck:
        return Refusal("a round is being dealt from the other deck", clause or "")
    # The hand that takes up the deck is the holding hand of the round.
    chosen = act.do == "deck-held" and act.method and "deck-held" not in table.decks[deck].acts
    return [ev.TableSet(key="holding hand", value=act.method or "", clause=clause)] if chosen else []


def remove_deck(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A deck leaves the table."""
    deck = deck_meant(table, act)
    if deck is None:
        return Refusal("there is no such deck", "")
    if table.live_round is not None and table.live_round.sequence and deck == table.deck:
        return Refusal("that deck is in play", clause or "")
    return [ev.DeckGone(deck=deck, clause=clause)]


def change_deck(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A deck is replaced by a fresh one of the same name."""
    gone = remove_deck(book, table, act, clause, at)
    if isinstance(gone, Refusal):
        return gone
    deck = deck_meant(table, act)
    assert deck is not None
    return [*gone, ev.DeckAdded(deck=deck, back=table.decks[deck].back, at=at, clause=clause)]


def device_count(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A counting shuffler reports; a wrong number removes the deck."""
    deck = deck_meant(table, act)
    if deck is None or act.count is None:
        return Refusal("which deck, and how many cards?", clause or "")
    if act.count == book.deck.size:
        return []
    ruling = ev.Ruled(incident="device-count-wrong", given=(), then="remove-deck", clause=clause)
    return [ruling, ev.DeckGone(deck=deck, clause=clause)]


def register_device(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A shuffler, shoe, system or display is fitted."""
    if act.device is None:
        return Refusal("which device is it?", "")
    fitted: list[ev.Event] = [ev.TableSet(key=f"device {act.device}", value="fitted", clause=clause)]
    # At which side of the dealer it stands, where that matters.
    side = [ev.TableSet(key=f"side {act.device}", value=act.method, clause=clause)] if act.method else []
    return [*fitted, *side]


def remove_device(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A device leaves the table, so that another way of shuffling or dealing may be used."""
    if act.device is None or f"device {act.device}" not in table.facts:
        return Refusal("there is no such device on the table", clause or "")
    return [ev.TableSet(key=f"device {act.device}", value="removed", clause=clause)]


def jam(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A device stops; what follows is reported as an incident."""
    return [ev.TableSet(key=f"device {act.device or 'shuffler'}", value="jammed", clause=clause)]


def give_notice(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A notice is displayed."""
    return [ev.TableSet(key=f"notice {act.note or 'rules and limits'}", value=act.method or "shown", clause=clause)]


def next_deck(table: Table) -> str:
    """The deck whose turn it is: of two, the one that did not serve the round before."""
    return next((name for name in table.decks if name != table.last_deck), None) or table.deck or DECKS[0]


def counts_by_device(book: Book) -> bool:
    """Whether the shuffler counts the deck after each shuffle, instead of the dealer the stub."""
    stub = book.stub
    excused = stub is not None and book.deal.method in (stub.device_count_excuses or ())
    return excused and stub is not None and stub.count == "device-count-each-shuffle"


#: What a ruling does to a deck, in a round or between two.
DECK_OUTCOMES = frozenset({"reshuffle", "remove-deck", "recut"})


def deck_outcome(table: Table, then: str, clause: str) -> list[ev.Event]:
    """The deck is mixed again, cut again or taken away. Cards that are being dealt are not touched."""
    current = table.live_round
    dealt = table.deck if current is not None and current.sequence else None
    free = [name for name in (table.deck, *table.decks) if name in table.decks and name != dealt]
    name = next((one for one in free if one is not None), None)
    if name is None:
        return []
    deck = table.decks[name]
    match then:
        case "reshuffle":
            return [ev.Unshuffled(deck=name, clause=clause)]
        case "remove-deck":
            return [ev.DeckGone(deck=name, clause=clause)]
        case _:
            # The same shuffle stands; only the cut is to be done again.
            return [ev.Shuffled(deck=name, method=deck.shuffled or "manual", order=deck.order, clause=clause)]


def deck_meant(table: Table, act: Act) -> str | None:
    """The deck that an act names, or the one in use, or the only one."""
    if act.deck is not None:
        return act.deck if act.deck in table.decks else None
    if table.deck is not None:
        return table.deck
    return next(iter(table.decks), None)
