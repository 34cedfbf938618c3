"""The circumstances of a mishap. Each has one source.

*Known* circumstances come from the table's own record, never from a reporter. *Reported* ones only people can know,
each with the roles that may report it. A *finding* is reported by the person who answers the question.
"""

from collections.abc import Mapping
from typing import get_args

from aceking.award.faults import COURSES
from aceking.rules.book import Book
from aceking.rules.words import Actor, Circumstance, Mishap
from aceking.table.cards.deal_order import dealt_out, in_packets, next_due
from aceking.table.cards.place import STUB, box_place
from aceking.table.cards.shoe import Shoe
from aceking.table.mishaps.rebuilding import can_rebuild
from aceking.table.money.award_lines import unqualified
from aceking.table.state import Round, TableState

STAFF: tuple[Actor, ...] = ("dealer", "floorperson", "supervisor", "house", "device")

#: What only people can know, and the roles that may report it.
REPORTERS: Mapping[Circumstance, tuple[Actor, ...]] = {
    "not-exposed": STAFF,
    "two-or-more": STAFF,
    "earlier-rounds": STAFF,
    "found-by-stub-count": STAFF,
    "exchange-being-served": STAFF,
    "rebuildable": ("supervisor", "house"),
    "not-rebuildable": ("supervisor", "house"),
    "intentional": ("supervisor", "house"),
    "unintentional": ("supervisor", "house"),
    "a-violation": ("supervisor", "house"),
    "no-violation": ("supervisor", "house"),
    "order-decided": ("supervisor", "house"),
    "course-close-table": ("house",),
    "course-block-affected-box": ("house",),
    "course-play-without-jackpot": ("house",),
    "player-goes-on": ("player",),
    "player-withdraws": ("player",),
}
#: What the person who answers a question finds, and the table cannot know.
FINDINGS: frozenset[Circumstance] = frozenset(
    {
        *("rebuildable", "not-rebuildable", "intentional", "unintentional", "order-decided"),
        *("a-violation", "no-violation"),
        *("course-close-table", "course-block-affected-box", "course-play-without-jackpot"),
    }
)
KNOWN: frozenset[Circumstance] = frozenset(get_args(Circumstance)) - frozenset(REPORTERS)


def circumstances(
    book: Book,
    table: TableState,
    shoe: Shoe,
    mishap: Mishap,
    *,
    boxes: tuple[int, ...],
    cards: tuple[int, ...],
    reported: frozenset[Circumstance] = frozenset(),
) -> set[Circumstance]:
    """Return what holds now: what the table knows by itself, and what was reported of the rest."""
    # "two-or-more" is taken from the report only if no cards were named.
    known: set[Circumstance] = {one for one in reported if one in REPORTERS and (one != "two-or-more" or not cards)}
    current = table.round
    known.add("this-round" if table.live_round is not None else "later-rounds")
    if mishap == "jackpot-fault":
        known |= _posted_course(book, known, boxes)
    if current is None:
        return known | {"before-first-card", "before-next-round"}
    known.add("after-next-round" if is_of_earlier_round(table, mishap) else "before-next-round")
    known |= _window(book, current)
    if mishap == "boxed-card" and _is_being_delivered(book, current, cards):
        known = (known - {"after-deal"}) | {"during-deal"}
    known |= _people(current, boxes)
    known |= _hands(book, current)
    known |= _cards_concerned(book, current, shoe, mishap, cards)
    if mishap == "cards-exposed" and not cards and any(current.held(box_place(number)) for number in boxes):
        # A card of a box is a player's card, whichever it was.
        known.add("player-card")
    if "two-or-more" not in known:
        known.add("one")
    if unqualified(book, current):
        known.add("unqualified")
    if any(box.give is not None for box in current.boxes.values()):
        known.add("after-exchange")
    if not known & {"rebuildable", "not-rebuildable"} and (how := can_rebuild(book, current, mishap)):
        known.add(how)
    return known


#: Mishaps of a round that count as found late once its cards are gone.
OF_THE_CARDS: frozenset[Mishap] = frozenset(
    {
        *("foreign-card", "cards-exposed", "hole-card-exposed", "deck-short-or-long", "shoe-empty", "not-shuffled"),
        *("misdeal", "missed-burn", "dealing-error", "simultaneous-cards", "skipped-box", "empty-box-dealt"),
        *("boxed-card", "card-drawn-in-error", "dealer-miscount", "player-miscount", "community-miscount"),
    }
)


#: Mishaps found at the top of the deck, when the first card is about to be dealt.
_NEXT_CARDS: frozenset[Mishap] = frozenset({"boxed-card", "card-drawn-in-error", "simultaneous-cards"})


def is_of_earlier_round(table: TableState, mishap: Mishap) -> bool:
    """Return True if the mishap can only be of an earlier round: a new one has begun, and no card of it is out."""
    current = table.round
    # A late-found error is of an earlier round, however far this one has come.
    late = mishap == "late-found-error" and table.live_round is not None
    phases = ("betting",) if mishap in _NEXT_CARDS else ("betting", "closed")
    begun = current is not None and current.phase in phases and not current.sequence
    return table.rounds > 0 and (late or (begun and mishap in OF_THE_CARDS))


def _posted_course(book: Book, known: set[Circumstance], boxes: tuple[int, ...]) -> set[Circumstance]:
    """Return the course posted by the house for rounds after a jackpot fault; a box is blocked only if it was named."""
    chosen = book.progressive.fault_later if book.progressive is not None else None
    reported = known & {needs.given for needs in COURSES.values()}
    if chosen is None or reported or "later-rounds" not in known or (COURSES[chosen].boxes and not boxes):
        return set()
    return {COURSES[chosen].given}


def _window(book: Book, current: Round) -> set[Circumstance]:
    """Return the circumstances of the time in the round."""
    known: set[Circumstance] = {"bets-open" if current.phase == "betting" else "bets-closed"}
    if current.phase == "betting":
        known.add("before-no-more-bets")
    if not current.sequence:
        known.add("before-first-card")
    # A box that was left out stays out once the last hand is complete.
    if dealt_out(book, current) or current.phase in ("deciding", "revealed", "done"):
        known.add("after-deal")
    elif current.phase != "betting":
        known.add("during-deal")
    if book.dealer is not None:
        known.add("before-up-card" if current.up is None else "after-up-card")
    if current.phase not in ("revealed", "done", "void"):
        known.add("before-reveal")
    if any(box.owes_decision for box in current.dealt_in):
        known.add("before-last-decision")
    # What the open cards show to all: a fold is lost, and a revealed dealer's hand decides.
    lost = any(line.outcome == "lose" for line in current.lines if line.wager != "exchange")
    known.add("outcome-established" if lost or current.phase in ("revealed", "done") else "no-outcome")
    return known


def _is_being_delivered(book: Book, current: Round, cards: tuple[int, ...]) -> bool:
    """Return True if the cards lie in stacks that were just delivered and are still being checked."""
    fresh = current.phase == "dealing" and not current.stub_racked and not current.counted and not current.anyone_looked
    hands = (current.dealer, current.community, *(box.cards for box in current.boxes.values()))
    return in_packets(book) and fresh and bool(cards) and all(any(card in hand for hand in hands) for card in cards)


def _people(current: Round, boxes: tuple[int, ...]) -> set[Circumstance]:
    """Return who has looked, and who owes a decision."""
    known: set[Circumstance] = {"somebody-looked" if current.anyone_looked else "nobody-looked"}
    concerned = [current.boxes[number] for number in boxes if number in current.boxes]
    known.add("decision-owed" if any(box.owes_decision for box in concerned) else "no-decision-owed")
    if concerned and not any(box.seen for box in concerned):
        known.add("unseen")
    players = [box.player for box in current.dealt_in]
    if concerned and all(players.count(box.player) > 1 for box in concerned):
        known.add("several-boxes")
    if any(box.number in current.went_on for box in concerned):
        known.add("player-went-on")
    return known


def _hands(book: Book, current: Round) -> set[Circumstance]:
    """Return whether the hands have the right number of cards, and whether the stub is still separate."""
    known: set[Circumstance] = set()
    if book.dealer is not None:
        known.add("dealer-has-four" if len(current.dealer) == book.hands.cards - 1 else "dealer-has-other")
    known.add("misdealt" if is_misdealt(book, current) else "not-misdealt")
    piles = [what for what, _ in current.rack]
    if current.stub_exposed or (STUB in piles and piles[-1] != STUB):
        known.add("stub-mixed")
    return known


def is_misdealt(book: Book, current: Round) -> bool:
    """Return True if a hand has too few or too many cards."""
    if any(not box.void and len(box.cards) != book.hands.cards for box in current.dealt_in):
        return True
    if book.dealer is not None and len(current.dealer) != book.hands.cards:
        return True
    return len(current.community) != book.hands.community


#: The two mishaps of exposed cards, of the dealer and of others, each with the other one.
_EXPOSURES: Mapping[Mishap, Mishap] = {"cards-exposed": "hole-card-exposed", "hole-card-exposed": "cards-exposed"}


def counted_cards(current: Round, mishap: Mishap, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards of a mishap without those reported before, and without the up-card for an exposure."""
    reported = {card for one in current.found if one.mishap == mishap for card in one.cards}
    fresh = tuple(dict.fromkeys(card for card in cards if card not in reported))
    return tuple(card for card in fresh if card != current.up) if mishap in _EXPOSURES else fresh


def _cards_concerned(
    book: Book, current: Round, shoe: Shoe, mishap: Mishap, cards: tuple[int, ...]
) -> set[Circumstance]:
    """Return whose cards they are, and how many of them in this round."""
    known: set[Circumstance] = set()
    for card in cards:
        if card in current.dealer:
            known.add("dealer-card")
        elif card in current.community:
            known.add("community-card")
        elif any(card in box.cards for box in current.boxes.values()):
            known.add("player-card")
    if mishap in ("boxed-card", "card-drawn-in-error"):
        due = next_due(book, current)
        if due is not None and current.phase != "betting" and not known:
            kinds: dict[str, Circumstance] = {"dealer": "dealer-card", "community": "community-card"}
            known.add(kinds.get(due.to.kind, "player-card"))
        if in_packets(book):
            known.add("in-stack")
    exchanged = {one for box in current.boxes.values() for one in box.took}
    ahead = shoe.ahead(current)[:1]
    if current.phase == "deciding" and any(card in exchanged or card in ahead for card in cards):
        known.add("replacement-card")
    mishaps = {one.mishap for one in current.found}
    if mishap in mishaps or len(counted_cards(current, mishap, cards)) > 1:
        known.add("two-or-more")
    if _EXPOSURES.get(mishap) in mishaps:
        known.add("mixed")
    return known
