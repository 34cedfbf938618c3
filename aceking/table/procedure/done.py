"""Whether an act has gone before: for the deck, the table or the box that is meant, or as cards and chips show it."""

from aceking.rules.book import Book
from aceking.rules.words import ActName
from aceking.table.blind import is_blind
from aceking.table.commands import Act, Pay
from aceking.table.deal import dealt_out
from aceking.table.decks import deck_in_use
from aceking.table.procedure.due import count_is_due
from aceking.table.reckon import owed
from aceking.table.state import Round, Table

#: Acts that prepare a deck; they count for the deck they are done to.
DECK_ACTS: frozenset[ActName] = frozenset(
    {
        *("deck-received", "dealer-inspected", "floorperson-verified", "spread", "first-player-inspection", "turn-up"),
        *("turn-down", "wash", "stack", "shuffle", "cover-card-laid", "cut", "cover-card-to-rack", "deck-loaded"),
        *("deck-held", "device-count", "deck-registered", "idle-spread", "deck-to-shuffler"),
    }
)
#: Acts of the house at the table itself; once done they stay done.
TABLE_ACTS: frozenset[ActName] = frozenset({"table-configured", "table-opened", "notice-given", "device-registered"})


def has_been_done(book: Book, table: Table, needed: ActName, act: Act) -> bool:
    """Whether an act has gone before, for the deck or the box that is meant."""
    if needed in DECK_ACTS:
        deck = deck_in_use(table, act.deck)
        if deck is None:
            return False
        # Only cards that lay spread face down must be turned up.
        face_down = book.opening is not None and book.opening.idle_spread == "face-down"
        idle = "idle-spread" in deck.acts and face_down
        return needed in deck.acts or (needed == "turn-up" and not idle)
    if needed in TABLE_ACTS:
        return needed in table.did
    current = table.round
    if current is None:
        return False
    by_state = _by_state(book, table, current, needed, act)
    return by_state if by_state is not None else needed in current.acts


def _by_state(book: Book, table: Table, current: Round, needed: ActName, act: Act) -> bool | None:
    """Acts whose doing shows in the cards and chips themselves; None for all others."""
    box = current.boxes.get(act.box) if act.box is not None else None
    match needed:
        case "ante":
            return (box.ante > 0 or box.void) if box is not None else act.box is None and bool(current.dealt_in)
        case "bets-opened" | "round-opened":
            return table.live_round is not None
        case "look":
            # Once the cards are turned, who bet blind may speak of his as well.
            return box is not None and (box.seen or current.phase == "revealed")
        case "bet":
            return box is not None and (box.bet > 0 or box.choice == "bet")
        case "fold" | "declare":
            # What is said of a folded or declared hand binds no other.
            return box is None or box.choice == needed or current.phase == "revealed"
        case "decision":
            return not any(one.owes_decision and not is_blind(book, one) for one in current.dealt_in)
        case "chip-light-count":
            return not any(one.lit and not one.trayed for one in current.boxes.values())
        case "card-dealt" | "packet-dealt":
            return dealt_out(book, current)
        case "burn":
            return bool(current.burn)
        case "up-card":
            return current.up is not None
        case "stub-count":
            return current.counted or not count_is_due(book, table)
        case _:
            return _by_chips(current, needed, act)


def _by_chips(current: Round, needed: ActName, act: Act) -> bool | None:
    box = current.boxes.get(act.box) if act.box is not None else None
    match needed:
        case "collect-chips":
            return _moved(current, None if isinstance(act, Pay) else act.box, {"lose"})
        case "pay":
            return _moved(current, act.box, {"lose", "win", "push", "returned", "void"})
        case "pay-award":
            return _moved(current, act.box, {"win"})
        case "supervisor-validated":
            return act.box in current.validated
        case "documentation-complete":
            return act.box in current.documented or not current.from_meter.get(act.box or 0)
        case "select-winner":
            return act.box in current.selected
        case "call-supervisor" | "card-swipe" | "win-page" | "fold-count":
            return needed in box.acts if box is not None else needed in current.acts
        case _:
            return None


def _moved(current: Round, box: int | None, outcomes: set[str]) -> bool:
    """Whether the chips of these outcomes have moved: of one box, or of all."""
    return not any(
        line.outcome in outcomes and (box is None or line.seat == box) and (line.wager != "side" or "win" in outcomes)
        for _, line in owed(current)
    )
