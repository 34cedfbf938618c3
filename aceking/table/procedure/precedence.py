"""Whether an act was done before: on the record of the deck, table or box, or as cards and chips show it."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from aceking.rules.book import Book
from aceking.rules.decisions import ENDS_EARLY
from aceking.rules.words import ActName
from aceking.settlement.lines import MAIN
from aceking.table.cards.deal_order import dealt_out
from aceking.table.cards.decks import deck_in_use
from aceking.table.commands import Act, EndGame, Pay
from aceking.table.money.award_lines import is_award
from aceking.table.money.blind_bets import is_blind
from aceking.table.money.settling import owed
from aceking.table.procedure.stub_count import count_is_due
from aceking.table.state import Box, Round, TableState

#: Acts that prepare a deck; they count for that deck.
DECK_ACTS: frozenset[ActName] = frozenset(
    {
        *("deck-received", "dealer-inspected", "floorperson-verified", "spread", "first-player-inspection", "turn-up"),
        *("turn-down", "wash", "stack", "shuffle", "cover-card-laid", "cut", "cover-card-to-rack", "deck-loaded"),
        *("deck-held", "device-count", "deck-registered", "idle-spread", "deck-to-shuffler"),
    }
)
#: Acts of the house at the table itself; once done they stay done.
TABLE_ACTS: frozenset[ActName] = frozenset({"table-configured", "table-opened", "notice-given", "device-registered"})


def has_been_done(book: Book, table: TableState, needed: ActName, act: Act) -> bool:
    """Return True if an act was done before, for the deck or the box of this one."""
    if needed in DECK_ACTS:
        deck = deck_in_use(table, act.deck)
        if deck is None:
            return False
        if needed in deck.acts:
            return True
        # Only cards that were spread face down must be turned up.
        return needed == "turn-up" and not ("idle-spread" in deck.acts and deck.idle == "down")
    if needed in TABLE_ACTS:
        return needed in table.did
    current = table.round
    if current is None:
        return False
    shows = _SHOWS.get(needed)
    return needed in current.acts if shows is None else shows(book, table, current, act)


#: Returns True if an act shows in the cards and chips themselves.
Shows = Callable[[Book, TableState, Round, Act], bool]


def _box(current: Round, act: Act) -> Box | None:
    return current.boxes.get(act.box) if act.box is not None else None


def _has_ante(book: Book, table: TableState, current: Round, act: Act) -> bool:
    box = _box(current, act)
    return (box.ante > 0 or box.void) if box is not None else act.box is None and bool(current.dealt_in)


def _is_open(book: Book, table: TableState, current: Round, act: Act) -> bool:
    return table.live_round is not None


def _has_looked(book: Book, table: TableState, current: Round, act: Act) -> bool:
    """Once the cards are turned, a player who bet blind may announce a hand too."""
    box = _box(current, act)
    return box is not None and (box.seen or current.phase == "revealed")


def _has_bet(book: Book, table: TableState, current: Round, act: Act) -> bool:
    box = _box(current, act)
    return box is not None and (box.bet > 0 or box.choice == "bet")


def _has_chosen(choice: str) -> Shows:
    """A clause about a folded or declared hand binds no other."""

    def shows(book: Book, table: TableState, current: Round, act: Act) -> bool:
        box = _box(current, act)
        return box is None or box.chose(choice) or current.phase == "revealed"

    return shows


def _all_decided(book: Book, table: TableState, current: Round, act: Act) -> bool:
    return not any(one.owes_decision and not is_blind(book, one) for one in current.dealt_in)


def _all_trayed(book: Book, table: TableState, current: Round, act: Act) -> bool:
    for box in current.boxes.values():
        if box.lit and not box.trayed:
            return False
    return True


def _all_dealt(book: Book, table: TableState, current: Round, act: Act) -> bool:
    return dealt_out(book, current)


def _is_counted(book: Book, table: TableState, current: Round, act: Act) -> bool:
    return current.counted or not count_is_due(book, table)


def _has_papers(book: Book, table: TableState, current: Round, act: Act) -> bool:
    return act.box in current.documented or not current.from_meter.get(act.box or 0)


def _noted_of_box(needed: ActName) -> Shows:
    """On the record of the named box; of the round if none is named."""

    def shows(book: Book, table: TableState, current: Round, act: Act) -> bool:
        box = _box(current, act)
        return needed in (current.acts if box is None else box.acts)

    return shows


def _chips_moved(*outcomes: str, awards: bool = True) -> Shows:
    """Return a test whether the chips of these outcomes have moved, of the box or of all; awards may be left out."""

    def shows(book: Book, table: TableState, current: Round, act: Act) -> bool:
        # No winner is paid while any loser's chips lie on the layout.
        box = None if isinstance(act, Pay) and outcomes == ("lose",) else act.box
        for _, line in owed(current):
            exempt = is_award(line) if not awards else line.wager not in MAIN and "win" not in outcomes
            if line.outcome in outcomes and (box is None or line.seat == box) and not exempt:
                return False
        return True

    return shows


def _game_started(book: Book, table: TableState, current: Round, act: Act) -> bool:
    """A voided game is still ended by its key, also while the next bets are being placed."""
    return "START GAME" in current.acts or (isinstance(act, EndGame) and table.game_runs)


_SHOWS: Mapping[str, Shows] = {
    "START GAME": _game_started,
    "ante": _has_ante,
    "bets-opened": _is_open,
    "round-opened": _is_open,
    "look": _has_looked,
    "bet": _has_bet,
    **{one: _has_chosen(one) for one in ENDS_EARLY},
    "decision": _all_decided,
    "chip-light-count": _all_trayed,
    "card-dealt": _all_dealt,
    "packet-dealt": _all_dealt,
    "burn": lambda book, table, current, act: bool(current.burn),
    "up-card": lambda book, table, current, act: current.up is not None,
    "stub-count": _is_counted,
    "collect-chips": _chips_moved("lose"),
    "pay": _chips_moved("lose", "win", "push", "returned", "void", awards=False),
    "pay-award": _chips_moved("win"),
    "supervisor-validated": lambda book, table, current, act: act.box in current.validated,
    "documentation-complete": _has_papers,
    "select-winner": lambda book, table, current, act: act.box in current.selected,
    "call-supervisor": _noted_of_box("call-supervisor"),
    "card-swipe": _noted_of_box("card-swipe"),
    "win-page": _noted_of_box("win-page"),
    "fold-count": _noted_of_box("fold-count"),
}


class Before(msgspec.Struct, frozen=True):
    """The acts that must come before an act, by where they are recorded, so that all are checked at once."""

    of_deck: frozenset[ActName]
    of_table: frozenset[ActName]
    of_round: frozenset[ActName]
    shown: tuple[Shows, ...]


def before(needed: Iterable[ActName]) -> Before:
    """Return the acts that must come before, by where they are recorded."""
    every = frozenset(needed)
    of_deck, of_table = every & DECK_ACTS, every & TABLE_ACTS
    rest = every - of_deck - of_table
    shown = tuple(_SHOWS[one] for one in sorted(rest) if one in _SHOWS)
    return Before(of_deck, of_table, frozenset(one for one in rest if one not in _SHOWS), shown)


def all_done(book: Book, table: TableState, needed: Before, act: Act) -> bool:
    """Return True if all of them are on the record. If not, `has_been_done` decides, which knows the exceptions."""
    if needed.of_deck:
        deck = deck_in_use(table, act.deck)
        if deck is None or not needed.of_deck <= deck.acts:
            return False
    if not needed.of_table <= table.did:
        return False
    if not needed.of_round and not needed.shown:
        return True
    current = table.round
    if current is None or not needed.of_round <= current.acts:
        return False
    for shows in needed.shown:
        if not shows(book, table, current, act):
            return False
    return True
