"""What is due next at a table from the house's side: one act, from the state alone.

The dealer of a live table is shown it; a program that plays the house's part does it.
"""

from aceking.rules.book import Book
from aceking.rules.words import ActName
from aceking.table.command import Act
from aceking.table.deal import burns, due_places, in_packets
from aceking.table.options import in_force
from aceking.table.phases.awards import is_award, unqualified
from aceking.table.phases.blind import is_blind
from aceking.table.phases.equipment import fitting, missing
from aceking.table.phases.majors import is_suspended, undeclared
from aceking.table.phases.opening import BACKS, DECKS, counts_by_device, next_deck
from aceking.table.procedure.boxes import several_boxes
from aceking.table.procedure.orders import count_is_due, orders
from aceking.table.procedure.round import EARLY, unsettled_early
from aceking.table.procedure.scopes import qualified
from aceking.table.reckon import owed
from aceking.table.state import Box, Round, Table

CUT = 26


def due(book: Book, table: Table) -> Act | None:
    """The next act of dealer, devices or staff; None while players or a supervisor must act."""
    book = in_force(book, table)
    if table.questions:
        return None
    if is_suspended(table):
        return Act(do="resume-tables")
    current = table.live_round
    if current is None:
        return _opening(book, table) or _shuffling(book, table) or Act(do="bets-opened")
    match current.phase:
        case "betting":
            return _closing_of_bets(book, current) if current.dealt_in else None
        case "closed" | "dealing":
            return _lock_out(book, current) or _dealing(book, current) or _after_deal(book, table, current)
        case "deciding" if not any(box.seen or box.choice for box in current.dealt_in):
            return Act(do="go-ahead") if "go-ahead" not in current.acts else None
        case "deciding" if seen := [one for one in undeclared(book, current) if current.boxes[one].seen]:
            # The program itself declares a hand for a share of the meter as soon as it is seen.
            return Act(do="claim", box=seen[0])
        case "deciding":
            owing = any(box.owes_decision and not is_blind(book, box) for box in current.dealt_in)
            return None if owing else _early(book, current) or Act(do="reveal")
        case _:
            return _after_reveal(book, current)


def _opening(book: Book, table: Table) -> Act | None:
    """Notices, deck, inspection, spread and wash."""
    if "did notice-given" not in table.facts:
        return Act(do="notice-given", note="rules, limits, pays and number of games")
    if absent := missing(book, table):
        return fitting(book, absent[0])
    for name, back in zip(DECKS[: book.deck.decks], BACKS, strict=False):
        if name not in table.decks:
            extras = ", ".join(book.deck.extra_cards)
            return Act(do="deck-registered", deck=name, method=back, count=book.deck.size, note=extras)
    for act in ("table-configured", "table-opened"):
        if f"did {act}" not in table.facts:
            return Act(do=act)
    for deck in table.decks.values():
        for done in book.opening.acts if book.opening is not None else ():
            if done not in deck.acts and done not in ("shuffle", "deck-registered"):
                return Act(do=done, deck=deck.name)
    return None


def _shuffling(book: Book, table: Table) -> Act | None:
    """A shuffled deck, cut where the book wants it, in the shoe or in the hand."""
    deck = table.decks[next_deck(table)]
    loads: ActName = "deck-held" if book.deal.method == "hand" else "deck-loaded"
    if deck.shuffled is None:
        return Act(do="shuffle", deck=deck.name)
    if counts_by_device(book) and "device-count" not in deck.acts:
        return Act(do="device-count", deck=deck.name, count=book.deck.size)
    by_hand = book.cut is not None and book.shuffle is not None and book.shuffle.method == "manual"
    wanted: tuple[ActName, ...] = ("cover-card-laid", "cut", "cover-card-to-rack") if by_hand else ()
    for act in (*wanted, loads):
        if act not in deck.acts:
            return Act(do=act, deck=deck.name, count=CUT if act == "cut" else None)
    waiting = [one for one in table.decks.values() if one.name != deck.name and "deck-to-shuffler" not in one.acts]
    return Act(do="deck-to-shuffler", deck=waiting[0].name) if waiting else None


def _closing_of_bets(book: Book, current: Round) -> Act:
    return Act(do="START GAME" if "START GAME" in orders(book) else "no-more-bets")


def _lock_out(book: Book, current: Round) -> Act | None:
    """The side bets are locked out, counted and put in the tray."""
    if "START GAME" in orders(book) or current.sequence:
        return None
    if "lock-out" in orders(book) and "lock-out" not in current.acts:
        return Act(do="lock-out")
    if "chip-light-count" not in current.acts:
        lights = sum(bool(box.side and box.lit) for box in current.boxes.values())
        return Act(do="chip-light-count", count=lights)
    return None


def _dealing(book: Book, current: Round) -> Act | None:
    if "one-hand-notice" in orders(book) and "one-hand-notice" not in current.acts and several_boxes(current):
        return Act(do="one-hand-notice")
    if burns(book) and not current.burn and not current.placed:
        return Act(do="burn")
    if current.placed < len(due_places(book, current)):
        return Act(do="packet-dealt" if in_packets(book) else "card-dealt")
    return None


def _after_deal(book: Book, table: Table, current: Round) -> Act | None:
    """Up-card, count and stub, then the players may look."""
    if book.dealer is not None and current.up is None:
        return Act(do="up-card")
    if count_is_due(book, table) and not current.counted:
        return Act(do="stub-count", count=len(current.order))
    racked = any(what == "stub" for what, _ in current.rack)
    if book.exchange is None and book.stub is not None and book.stub.goes_to == "rack" and not racked:
        return Act(do="stub-to-rack")
    return Act(do="go-ahead")


def _early(book: Book, current: Round) -> Act | None:
    """Chips and cards of a hand that folded or was declared, where the book wants them gone before the reveal."""
    wanted = {need for order in orders(book).get("reveal", ()) for need in order.needs}
    choices = [choice for need, choice in EARLY.items() if need in wanted]
    waiting = sorted(number for choice in choices for number in unsettled_early(book, current, choice))
    if not waiting:
        return None
    outcomes = {line.outcome for _, line in owed(current) if line.seat == waiting[0]}
    if not outcomes:
        return Act(do="collect-cards", box=waiting[0])
    return Act(do="collect-chips" if "lose" in outcomes else "pay", box=waiting[0])


def _after_reveal(book: Book, current: Round) -> Act:
    """Notices of jackpot hands, hands turned from the right, chips in the book's order, then the cards."""
    # The program itself gives notice of a jackpot hand, so that nothing is lost by silence.
    if book.progressive is not None and not current.settled:
        for box in current.live:
            if box.side and box.lit and not box.claimed and not box.racked:
                return Act(do="claim", box=box.number)
    silent = "announce-no-hand" in orders(book) and "announce-no-hand" not in current.acts
    if silent and unqualified(book, current):
        return Act(do="announce-no-hand")
    for box in reversed(current.live):
        if not box.turned and not box.racked and is_turned(book, current, box):
            return Act(do="turn-hand", box=box.number)
    if not current.settled:
        return Act(do="reckon")
    return _chips(book, current) or _cards(book, current)


def is_turned(book: Book, current: Round, box: Box) -> bool:
    """Whether the dealer turns a hand: a folded one only for its side bet, and not every one without a bank."""
    plays_side = bool(box.side and box.lit and book.progressive is not None)
    if box.choice == "declare":
        return False
    if box.choice == "fold":
        return plays_side and book.progressive is not None and book.progressive.folded == "payable"
    if book.dealer is None or qualified(book, current) is not False:
        return True
    match book.dealer.turn_unqualified:
        case "none":
            return False
        case "progressive-bettors-only":
            return plays_side
        case _:
            return True


def _chips(book: Book, current: Round) -> Act | None:
    """The chips of the first line that have not moved; an award needs its people first."""
    waiting = owed(current)
    if not waiting:
        return None
    for seat in dict.fromkeys(line.seat for line in current.lines):
        if is_done_with(book, current, seat):
            return Act(do="collect-cards", box=seat)
    _, line = waiting[0]
    if not is_award(line):
        return Act(do="collect-chips" if line.outcome == "lose" else "pay", box=line.seat)
    done = current.boxes[line.seat].acts
    if line.seat not in current.selected:
        return Act(do="select-winner", box=line.seat, by="dealer")
    steps: tuple[tuple[ActName, str], ...] = (
        ("call-supervisor", ""),
        ("supervisor-validated", "supervisor"),
        ("card-swipe", "executive"),
    )
    for act, by in steps:
        if act not in done and (act in orders(book) or act == "supervisor-validated"):
            return Act(do=act, box=line.seat, by=by, method="executive" if act == "card-swipe" else None)
    return Act(do="pay-award", box=line.seat)


def is_done_with(book: Book, current: Round, number: int) -> bool:
    """Whether the cards of a loser or a push go to the rack before the winners are paid, as some books have it."""
    if current.boxes[number].racked or not current.boxes[number].cards:
        return False
    own = [line for line in current.lines if line.seat == number]
    settled = bool(own) and not any(line.outcome == "win" for line in own)
    needs = {need for order in orders(book).get("pay", ()) for need in order.needs}
    wanted = not needs.isdisjoint({"losers-collected", "losers-and-pushes-settled"})
    return settled and wanted and not any(line.seat == number for _, line in owed(current))


def _cards(book: Book, current: Round) -> Act:
    """The hands go to the rack from the right, the dealer's and what is left of the deck last."""
    for number in sorted(current.boxes, reverse=True):
        box = current.boxes[number]
        if box.cards and not box.racked:
            return _collecting(book, current, box)
    racked = {what for what, _ in current.rack}
    if (current.dealer and "dealer" not in racked) or (current.community and "community" not in racked):
        return Act(do="collect-cards")
    return Act(do="END GAME" if "END GAME" in orders(book) else "round-ended")


def _collecting(book: Book, current: Round, box: Box) -> Act:
    if current.from_meter.get(box.number) and box.number not in current.documented:
        return Act(do="documentation-complete", box=box.number)
    if "fold-count" in orders(book) and box.choice == "fold" and "fold-count" not in box.acts:
        return Act(do="fold-count", box=box.number, count=len(box.cards))
    does: ActName = "collect-award-cards" if box.number in current.selected else "collect-cards"
    return Act(do=does, box=box.number, count=len(box.cards))
