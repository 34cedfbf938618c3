"""The next act that is due from the house at a table, worked out from the state alone.

The dealer of a live table is shown it; a program that plays the house's part does it. The caller decides whether
betting may close, and gives the time.
"""

from collections.abc import Collection
from functools import cache

from aceking.rules.book import Book
from aceking.rules.words import ActName, Topic
from aceking.settlement.lines import paying_place
from aceking.table import commands as c
from aceking.table.cards.deal_order import boxes_to_discard, burns, has_hand, in_packets, next_due
from aceking.table.cards.decks import BACKS, NAMES, counts_by_device, cuts, next_deck
from aceking.table.cards.discard_rack import not_racked, stub_size
from aceking.table.devices import AUTOMATED_SHOE, SHUFFLER, kind_of, of_kind, was_removed
from aceking.table.money.award_lines import (
    has_majors,
    holds_major,
    is_award,
    is_decided_on,
    is_signed,
    too_late,
    unqualified,
)
from aceking.table.money.blind_bets import is_blind
from aceking.table.money.limits import decision_deadline
from aceking.table.money.settling import needs_bank, owed, unruled
from aceking.table.options import in_force
from aceking.table.procedure.cases import qualified
from aceking.table.procedure.conditions.closing import EARLY, unsettled_early, waits_for_award
from aceking.table.procedure.conditions.house import in_the_way
from aceking.table.procedure.conditions.wagers import several_boxes
from aceking.table.procedure.orders import is_demanded, orders
from aceking.table.procedure.stub_count import count_is_due
from aceking.table.required_machines import missing_components, required_components
from aceking.table.state import Box, Round, TableState

#: Cards that the dealer cuts: the middle satisfies every book.
CUT = 26
_NOBODY: frozenset[int] = frozenset()


def due(
    book: Book,
    table: TableState,
    *,
    betting_may_close: bool = True,
    at: int | None = None,
    silent: Collection[int] = _NOBODY,
    reports: bool = True,
) -> c.Act | c.Report | None:
    """Return the next act of dealer, devices or staff, or the mishap that they must report.

    None while players or a person of rank must act.

    `at` is the time on the table's clock, for a decision whose posted time has run out; `silent` are boxes for which
    the program does not announce a jackpot hand; `reports`: whether a hand with a wrong number of cards is reported, as
    it must be before play goes on.
    """
    book = in_force(book, table)
    if table.holding is not None:
        return None
    if table.suspended is not None:
        return c.ResumeTables()
    current = table.live_round
    if current is None:
        return _opening(book, table) or _cleared(book, table, _shuffling(book, table)) or c.OpenBets()
    match current.phase:
        case "betting":
            if not betting_may_close or not current.dealt_in:
                return None
            return (
                _opening(book, table) or _cleared(book, table, _shuffling(book, table)) or _closing_of_bets(book, table)
            )
        case "closed" | "dealing":
            if (failed := _failed(book, table, current)) is not None:
                return failed
            ready = None if current.sequence else _opening(book, table) or _shuffling(book, table)
            dealing = _lock_out(book, current) or ready or _dealing(book, table, current)
            if dealing is not None:
                return _cleared(book, table, dealing)
            return (_miscounted(book, current) if reports else None) or _after_deal(book, table, current)
        case "deciding":
            return (_miscounted(book, current) if reports else None) or _deciding(book, table, current, at, silent)
        case _:
            return (_miscounted(book, current) if reports else None) or _after_reveal(book, table, current, at, silent)


def _cleared(book: Book, table: TableState, act: c.Act | None) -> c.Act | None:
    """Return the removal of a device that is in the way of an act, else the act."""
    if act is None or not is_demanded(book, act.do, "device-off-table"):
        return act
    name = in_the_way(book, table, act)
    return act if name is None else c.RemoveDevice(device=name)


def _failed(book: Book, table: TableState, current: Round) -> c.Report | None:
    """Report an automated shoe that cannot deal the rest of a round: it is a mishap of that round."""
    if _shoe_runs(book, table) or next_due(book, current) is None:
        return None
    return c.Report(mishap="shoe-fault")


@cache
def _by_automated_shoe(book: Book) -> bool:
    return kind_of(book.deal.method) == AUTOMATED_SHOE


def _shoe_runs(book: Book, table: TableState) -> bool:
    """Return False if the table deals from an automated shoe that has jammed or was removed."""
    if not _by_automated_shoe(book):
        return True
    shoes = of_kind(table, AUTOMATED_SHOE)
    return not was_removed(table, AUTOMATED_SHOE) and all(table.devices[name].status == "fitted" for name in shoes)


def _miscounted(book: Book, current: Round) -> c.Report | None:
    """Report a hand with a wrong number of cards once all are dealt: it is ruled on before play goes on."""
    wrong = unruled(book, current)
    if wrong is not None:
        return c.Report(mishap="player-miscount", boxes=(wrong.number,))
    if current.settled:
        return None
    if book.dealer is not None and len(current.dealer) != book.hands.cards and needs_bank(book, current):
        return c.Report(mishap="dealer-miscount")
    if len(current.community) != book.hands.community and current.contested:
        return c.Report(mishap="community-miscount")
    return None


def _deciding(book: Book, table: TableState, current: Round, at: int | None, silent: Collection[int]) -> c.Act | None:
    if "go-ahead" not in current.acts and not any(box.seen or box.choice for box in current.dealt_in):
        return c.GoAhead()
    if (count := _late_count(book, table, current, "decision")) is not None:
        return count
    # The program announces a hand for a share of the meter as soon as it is seen.
    for box in current.live if table.mode == "electronic" and has_majors(book) else ():
        in_time = box.seen and not box.claimed and not is_decided_on(current, box)
        if in_time and holds_major(book, box) and box.number not in silent:
            return c.Claim(box=box.number, role="dealer" if "dealer" in _claimants(book) else None)
    owing = [box for box in current.dealt_in if box.owes_decision and not is_blind(book, box)]
    if not owing:
        return _early(book, current) or (None if boxes_to_discard(book, current) else c.Reveal())
    return c.TimeOut(box=owing[0].number, at=at) if _is_late(table, current, at) else None


def _is_late(table: TableState, current: Round, at: int | None) -> bool:
    """Return True if the posted time to decide has run out."""
    ends = decision_deadline(table, current)
    return at is not None and ends is not None and at >= ends


def _late_count(book: Book, table: TableState, current: Round, waiting: ActName) -> c.Act | None:
    """Return the count that a change of deck or option made due after the cards were released: play waits for it."""
    late = not current.counted and is_demanded(book, waiting, "count-posted") and count_is_due(book, table)
    return c.CountStub(count=stub_size(book, current)) if late else None


def _claimants(book: Book) -> set[str]:
    return {order.by for order in orders(book).get("claim", ())}


def _opening(book: Book, table: TableState) -> c.Act | None:
    """Return the next act before the first shuffle: notices, devices, decks, inspection, spread and wash."""
    if "notice-given" not in table.did:
        placed: dict[Topic, object] = {"games": book.table.games_notice, "pays": book.bet.pays_shown}
        topics: tuple[Topic, ...] = ("rules", "limits", "pays", "games", "jackpot")
        return c.GiveNotice(about=tuple(one for one in topics if placed.get(one) is None))
    # A notice whose place the house chose is shown there.
    if book.table.games_notice is not None and "games" not in table.notices:
        return c.GiveNotice(about=("games",), where=book.table.games_notice)
    if book.bet.pays_shown is not None and "pays" not in table.notices:
        return c.GiveNotice(about=("pays",), where=book.bet.pays_shown)
    if absent := missing_components(book, table):
        return c.RegisterDevice(device=absent[0], version=required_components(book)[absent[0]] or None)
    wants_shuffler = "shuffler" in book.deal.method and is_demanded(book, "table-opened", "shuffler-registered")
    if wants_shuffler and (act := _shuffler(table)) is not None:
        return act
    if not _shoe_runs(book, table):
        jammed = of_kind(table, AUTOMATED_SHOE)
        return c.RemoveDevice(device=jammed[0]) if jammed else c.RegisterDevice(device=AUTOMATED_SHOE)
    for name, back in zip(NAMES[: book.deck.decks], BACKS, strict=False):
        if name not in table.decks:
            extras = tuple(c.ExtraCard(kind=one) for one in book.deck.extra_cards)
            return c.RegisterDeck(deck=name, back=back, count=book.deck.size, extras=extras)
    if "table-configured" not in table.did:
        return c.ConfigureTable()
    if "table-opened" not in table.did:
        return c.OpenTable()
    for deck in table.decks.values():
        for name in book.opening.acts if book.opening is not None else ():
            if name not in deck.acts and name in _OPENING:
                return _OPENING[name](deck=deck.name)
    return None


#: Acts on a deck between its arrival and the first shuffle.
_OPENING: dict[str, type[c.OfDeck]] = {
    "deck-received": c.ReceiveDeck,
    "dealer-inspected": c.InspectDeck,
    "floorperson-verified": c.VerifyDeck,
    "spread": c.SpreadDeck,
    "first-player-inspection": c.PlayerInspects,
    "turn-up": c.TurnUpDeck,
    "turn-down": c.TurnDownDeck,
    "wash": c.WashDeck,
    "stack": c.StackDeck,
}


def _shuffler(table: TableState) -> c.Act | None:
    """Return the next act for a shuffler that a table is dealt from: its two approvals, then the device."""
    model = "house model"
    if any(table.devices[name].status == "fitted" for name in of_kind(table, SHUFFLER)):
        return None
    if ("model", model) not in table.approvals:
        return c.RecordApproval(of="model", model=model)
    if ("maker", model) not in table.approvals:
        return c.RecordApproval(of="maker", model=model)
    return c.RegisterDevice(device="shuffler", model=model)


def _shuffling(book: Book, table: TableState) -> c.Act | None:
    """Return the next act of shuffling: shuffle, cut if the book wants it, load the shoe or take up the deck."""
    deck = table.decks[next_deck(table)]
    if deck.shuffled is None:
        return c.Shuffle(deck=deck.name)
    if counts_by_device(book) and "device-count" in orders(book) and "device-count" not in deck.acts:
        return c.CountByDevice(deck=deck.name, count=book.deck.size)
    if cuts(book):
        if "cover-card-laid" not in deck.acts:
            return c.LayCoverCard(deck=deck.name)
        if "cut" not in deck.acts:
            return c.Cut(deck=deck.name, count=CUT)
        if "cover-card-to-rack" not in deck.acts:
            return c.RackCoverCard(deck=deck.name)
    by_hand = book.deal.method == "hand"
    # Another deck may have been taken up meanwhile.
    if ("deck-held" if by_hand else "deck-loaded") not in deck.acts or table.deck != deck.name:
        return c.HoldDeck(deck=deck.name) if by_hand else c.LoadDeck(deck=deck.name)
    waiting = [one for one in table.decks.values() if one.name != deck.name and "deck-to-shuffler" not in one.acts]
    return c.DeckToShuffler(deck=waiting[0].name) if waiting and "deck-to-shuffler" in orders(book) else None


def _closing_of_bets(book: Book, table: TableState) -> c.Act:
    if table.game_runs:
        return c.EndGame()  # of a game that was voided
    return c.StartGame() if "START GAME" in orders(book) else c.CloseBets()


def _lock_out(book: Book, current: Round) -> c.Act | None:
    """Lock out, count and tray the side bets before the first card, even if a boxed card was found before."""
    if current.placed:
        return None
    if "lock-out" in orders(book) and "lock-out" not in current.acts:
        return c.LockOut()
    untrayed = any(box.lit and not box.trayed for box in current.boxes.values())
    if "chip-light-count" in orders(book) and (untrayed or "chip-light-count" not in current.acts):
        # A coupon stands for a chip that is not there to be counted.
        chips = [box for box in current.boxes.values() if box.lit and not any(one.coupon for one in box.sides.values())]
        return c.CountChips(count=len(chips))
    return None


def _dealing(book: Book, table: TableState, current: Round) -> c.Act | None:
    if not current.placed and "one-hand-notice" in orders(book) and set(several_boxes(table)) - current.told:
        return c.TellOneHand()
    if not current.placed and not current.burn and burns(book):
        return c.Burn()
    if next_due(book, current) is not None:
        return c.DealPacket() if in_packets(book) else c.DealCard()
    return None


def _after_deal(book: Book, table: TableState, current: Round) -> c.Act | None:
    """Return the next act after the deal: up-card, count and stub, then the players may look."""
    if book.dealer is not None and current.up is None:
        return c.TurnUpCard()
    if count_is_due(book, table) and not current.counted:
        return c.CountStub(count=stub_size(book, current))
    if book.exchange is None and book.stub is not None and book.stub.goes_to == "rack" and not current.stub_racked:
        return c.RackStub()
    return c.GoAhead()


def _early(book: Book, current: Round) -> c.Act | None:
    """Return the clearing of a folded or declared hand, if the book wants it before the reveal."""
    demanded = _demanded(book, "reveal")
    choices = [choice for need, choice in EARLY.items() if need in demanded]
    waiting = sorted(number for choice in choices for number in unsettled_early(book, current, choice))
    if not waiting:
        return None
    outcomes = {line.outcome for _, line in owed(current) if line.seat == waiting[0]}
    if outcomes:
        return c.CollectChips(box=waiting[0]) if "lose" in outcomes else c.Pay(box=waiting[0])
    return c.CollectCards(box=waiting[0])


def _after_reveal(
    book: Book, table: TableState, current: Round, at: int | None, silent: Collection[int]
) -> c.Act | None:
    """Return the next act after the reveal: notices of jackpot hands, hands turned from the right, chips, cards."""
    # The program announces a jackpot hand, so that no award is lost by silence.
    if book.progressive is not None and not current.settled:
        for box in current.live:
            settled_claim = box.claimed or box.racked or too_late(book, current, box)
            if box.lit and not settled_claim and has_hand(book, current, box) and box.number not in silent:
                return c.Claim(box=box.number)
    unannounced = "announce-no-hand" in orders(book) and "announce-no-hand" not in current.acts
    if unannounced and unqualified(book, current):
        return c.AnnounceNoHand()
    if current.buying:
        # A box that does not answer in time buys nothing.
        late = _is_late(table, current, at)
        return c.BuyDealerCard(box=current.buying[0].number, buys=False, role="house", at=at) if late else None
    if current.awaits_card:
        return c.DrawDealerCard()
    for box in sorted(current.live, key=lambda one: paying_place(book, one.number)):
        if not box.turned and not box.racked and is_turned(book, current, box):
            return c.TurnHand(box=box.number)
    if not current.settled:
        return c.Reckon()
    return _chips(book, table, current) or _late_count(book, table, current, "round-ended") or _cards(book, current)


def is_turned(book: Book, current: Round, box: Box) -> bool:
    """Return True if the dealer turns a hand: a folded one only for its side bet; against no hand, by the book."""
    if box.choice == "declare":
        return False
    if box.gave_up:
        return waits_for_award(book, box)
    if book.dealer is None or qualified(book, current) is not False or box.buys or box.named:
        return True
    match book.dealer.turn_unqualified:
        case "none":
            return False
        case "progressive-bettors-only":
            return box.lit and book.progressive is not None
        case "all":
            return True
        case None:
            # If players must give notice, an unannounced hand is not turned against a dealer without a hand.
            silent = book.progressive is not None and book.progressive.claim == "player-notifies"
            return box.claimed or not silent


def _chips(book: Book, table: TableState, current: Round) -> c.Act | None:
    """Return the move of the first line whose chips have not moved; an award needs its people first."""
    waiting = owed(current)
    if not waiting:
        return None
    if cleared := _done_with(book, current, {line.seat for _, line in waiting}):
        return _collecting(book, current, cleared[0])
    _, line = waiting[0]
    if not is_award(line):
        return c.CollectChips(box=line.seat) if line.outcome == "lose" else c.Pay(box=line.seat)
    return _award(book, current, line.seat, has_people="supervisor" in table.people)


def _award(book: Book, current: Round, number: int, *, has_people: bool) -> c.Act:
    """Return the next step of an award."""
    done = current.boxes[number].acts
    if number not in current.selected:
        return c.SelectWinner(box=number)
    if "call-supervisor" in orders(book) and "call-supervisor" not in done:
        return c.CallSupervisor(box=number)
    if number not in current.validated:
        return c.Validate(box=number)
    if not is_signed(book, current, number):
        return c.SwipeCard(box=number, card="executive", by="" if has_people else "executive")
    return c.PayAward(box=number)


_LOSERS_FIRST = frozenset({"losers-collected", "losers-and-pushes-settled"})


def _done_with(book: Book, current: Round, waiting: Collection[int]) -> list[Box]:
    """Return the losers and pushes whose cards go to the rack before the winners are paid, if the book has it so."""
    if _demanded(book, "pay").isdisjoint(_LOSERS_FIRST):
        return []
    winners = {line.seat for line in current.lines if line.outcome == "win"}
    settled = dict.fromkeys([line.seat for line in current.lines if line.seat not in winners])
    boxes = [current.boxes[seat] for seat in settled if seat not in waiting]
    return [box for box in boxes if box.cards and not box.racked]


@cache
def _demanded(book: Book, act: ActName) -> frozenset[str]:
    """Return all conditions that clauses demand of an act."""
    return frozenset(need for order in orders(book).get(act, ()) for need in order.needs)


def _cards(book: Book, current: Round) -> c.Act:
    """Collect the hands from the right, then the dealer's cards and the rest of the deck."""
    for number in sorted(current.boxes, key=lambda one: paying_place(book, one)):
        box = current.boxes[number]
        if box.cards and not box.racked:
            return _collecting(book, current, box)
    if not_racked(current) is not None or not current.stub_racked:
        return c.CollectCards()
    return c.EndGame() if "END GAME" in orders(book) else c.EndRound()


def _collecting(book: Book, current: Round, box: Box) -> c.Act:
    papers = book.collection.holds_for_papers and current.from_meter.get(box.number)
    if papers and box.number not in current.documented:
        return c.CompletePapers(box=box.number)
    if book.decide.fold_to == "rack-after-count" and box.gave_up and "fold-count" not in box.acts:
        return c.CountFold(box=box.number, count=len(box.cards))
    if box.number in current.selected and "collect-award-cards" in orders(book):
        return c.CollectAwardCards(box=box.number, count=len(box.cards))
    return c.CollectCards(box=box.number, count=len(box.cards))
