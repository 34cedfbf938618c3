"""Check a report against the table's own record: the record confirms it, refutes it, or cannot tell.

Each mishap that shows in cards, looks, chips or lights has a check here. It returns what the record says if that
refutes the report, else None. The other mishaps only people can know: see `BELIEVED`.
"""

from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.rules.words import Actor, Mishap
from aceking.settlement.amounts import bet_sizes
from aceking.table.cards.deal_order import (
    burns,
    cards_due,
    dealing_place,
    due_places,
    hand_size,
    in_packets,
    next_due,
    up_card_of_packet,
)
from aceking.table.cards.decks import is_unready
from aceking.table.cards.place import COMMUNITY, DEALER, Place, box_place
from aceking.table.cards.shoe import Shoe
from aceking.table.commands import Report
from aceking.table.devices import AUTOMATED_SHOE, SHUFFLER, at_table
from aceking.table.mishaps.circumstances import STAFF, is_misdealt, is_of_earlier_round
from aceking.table.mishaps.rebuilding import cannot_rebuild, hands_held, intended
from aceking.table.money.award_lines import holds_major
from aceking.table.money.limits import ante_limits
from aceking.table.money.settling import ante_in_play
from aceking.table.state import Box, Round, TableState

#: Roles whose report is ruled on at once; a report by another role becomes a question.
BELIEVED: Mapping[Mishap, tuple[Actor, ...]] = {
    "dispute": ("player", *STAFF),
    "uncovered": ("player", *STAFF),
}
#: The record's side of a claim that it cannot decide.
CANNOT_TELL = "the record cannot tell"
Check = Callable[[Book, TableState, Shoe, Report], str | None]


def is_believed(mishap: Mishap, role: Actor) -> bool:
    """Return True if a report by this role is taken as it is, if the record cannot tell."""
    return role in BELIEVED.get(mishap, STAFF)


def refuted(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """Return what the record says against a report; None if it confirms it or cannot tell."""
    check = _CHECKS.get(report.mishap)
    if check is None or is_of_earlier_round(table, report.mishap):
        return None
    if table.round is None and report.mishap not in _WITHOUT_ROUND:
        return None
    return check(book, table, shoe, report)


def is_confirmed(book: Book, table: TableState, shoe: Shoe, report: Report) -> bool:
    """Return True if the record itself shows the mishap."""
    if report.mishap not in _CHECKS or table.round is None or report.mishap in _ONLY_REFUTED:
        return False
    return _CHECKS[report.mishap](book, table, shoe, report) is None


#: Mishaps of decks, for which the record has evidence without a round too.
_WITHOUT_ROUND: frozenset[Mishap] = frozenset({"improper-cut", "device-count-wrong", "device-still-on-table"})
#: Mishaps that the record can refute but not confirm.
_ONLY_REFUTED: frozenset[Mishap] = frozenset(
    {
        *("cards-exposed", "hole-card-exposed", "boxed-card", "card-drawn-in-error", "simultaneous-cards"),
        *("improper-cut", "discard-picked-up", "no-decision", "device-count-wrong", "walk-away"),
        *("dealing-error", "shoe-empty", "deck-short-or-long", "not-shuffled", "raked-cards", "chip-light-mismatch"),
        "device-still-on-table",
    }
)


def _round(table: TableState) -> Round:
    assert table.round is not None
    return table.round


def _named(table: TableState, report: Report) -> list[Box]:
    boxes = _round(table).boxes
    return [boxes[number] for number in report.boxes if number in boxes]


# Hands


def _is_short(book: Book, current: Round, place: Place) -> bool:
    """Return True if a place has another number of cards than the deal so far should have given it.

    While the deal runs, the last place may only lack cards that are still to come: the record cannot tell whether the
    dealer means to go on.
    """
    count, size = len(current.held(place)), hand_size(book, place)
    ended = current.phase != "dealing" or next_due(book, current) is None
    if ended or (in_packets(book) and count):
        return count != size
    if current.strayed and count != cards_due(book, current)[place]:
        return True
    to_come = {one.to for one in due_places(book, current)[current.placed :]}
    # Nothing of a stack that is still to come is there yet.
    return not in_packets(book) and bool(current.placed) and to_come == {place}


def _player_miscount(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    current = _round(table)
    in_round = [box.number for box in current.boxes.values() if box.ante or box.void]
    # If nobody plays, no player can have a wrong number of cards.
    named = [number for number in in_round if not report.boxes or number in report.boxes]
    if not named:
        return "no such box is in the round"
    if not current.sequence:
        return "no card has been dealt"
    if any(_is_short(book, current, box_place(number)) for number in named):
        return None
    return "; ".join(f"box {number} has {len(current.held(box_place(number)))} cards" for number in named)


def _last_miscount(place: Place) -> Check:
    def check(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
        current = _round(table)
        if not current.sequence:
            return "no card has been dealt"
        if _is_short(book, current, place):
            return None
        return f"the {place.words} has {len(current.held(place))} cards"

    return check


def _skipped(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    current = _round(table)
    named = [box.number for box in _named(table, report) if box.ante or box.void]
    if not named:
        return "no such box is in the round"
    expected = cards_due(book, current)
    short = [number for number in named if len(current.held(box_place(number))) < expected[box_place(number)]]
    if short or any(_was_passed(book, current, number) for number in named):
        return None
    return "; ".join(f"box {number} has {len(current.held(box_place(number)))} cards" for number in named)


def _was_passed(book: Book, current: Round, number: int) -> bool:
    """Return True if a box has no card although a place behind it in the order of the deal has one."""
    place = dealing_place(book, number)
    boxes = [box.cards for box in current.boxes.values() if dealing_place(book, box.number) > place]
    behind = (*boxes, current.dealer, current.community)
    return any(behind) and not current.held(box_place(number))


def _empty_box_dealt(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    stray = [box for box in _round(table).boxes.values() if box.cards and not box.ante and not box.void]
    return None if stray else "no box without an ante has cards"


def _lies_wrong(book: Book, current: Round) -> bool:
    """Return True if hands of the right size hold other cards than the order of the deal intended."""
    present, meant = hands_held(book, current), intended(book, current)
    wrong = any(set(cards) != set(meant.get(place, ())) for place, cards in present.items())
    return wrong and current.strayed and cannot_rebuild(current) is None


def _misdeal(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    current = _round(table)
    if not current.sequence:
        return "no card has been dealt"
    expected = cards_due(book, current)
    places = {*expected, *(box_place(number) for number in current.boxes)}
    right = all(len(current.held(place)) == expected[place] for place in places)
    if not right or (current.phase != "dealing" and is_misdealt(book, current)) or _lies_wrong(book, current):
        return None
    return "every place has the cards that were due to it"


def _missed_burn(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    current = _round(table)
    if current.burn:
        return "a card was burnt"
    if not burns(book):
        return "this table burns no card"
    return None if current.sequence else "no card has been dealt"


def _dealing_error(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    return None if _round(table).sequence else "no card has been dealt"


# The deck


def _shoe_empty(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """An empty shoe lacks no card if nothing is left to deal; an electronic one knows its cards."""
    current = _round(table)
    if current.sequence and next_due(book, current) is None:
        return "every hand has its cards"
    left = len(shoe.ahead(current)) if table.mode == "electronic" else 0
    return f"{left} cards are in the shoe" if left else None


def _wrong_deck(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """An electronic table knows the order of its deck; a find by the stub count is checked elsewhere."""
    current = _round(table)
    if report.count == book.deck.size:
        return f"{report.count} cards are the whole deck"
    known = table.mode == "electronic" and "found-by-stub-count" not in report.facts
    dealt = (*current.sequence, *shoe.ahead(current)) if known and current.sealed else ()
    return f"the deck of this round has {len(dealt)} cards" if len(dealt) == book.deck.size else None


def _not_shuffled(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """An electronic table deals from the order that its own shuffle gave."""
    sealed = table.mode == "electronic" and _round(table).sealed
    return "the deck was shuffled, and its order kept, before this round" if sealed else None


# Single cards


def _where(current: Round, card: int) -> str | None:
    """Return where the record has a card that is out of the deck; None if it is in a hand or not out."""
    for pile, cards in current.rack:
        if card in cards:
            return f"in the rack with {pile.words}"
    if card in current.burn or card in current.boxed:
        return "laid aside"
    return None


def _lies_open(current: Round, card: int) -> bool:
    """Return True if a card was turned at the right time: by the reveal, with its hand, or by a declaration."""
    if card in current.dealer or card in current.community:
        return current.phase in ("revealed", "done")
    return any(card in box.cards and (box.turned or box.choice == "declare") for box in current.boxes.values())


def _exposed(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """An exposed card is in a hand or next to come; it is neither the up-card nor in the rack."""
    current = _round(table)
    for card in report.cards:
        if card == current.up:
            return "the card is the dealer's up-card, which all may see"
        if _lies_open(current, card):
            return "a card of these lies face up, as it should"
        if (where := _where(current, card)) is not None:
            return f"a card of these lies {where}"
        ahead = shoe.ahead(current)
        if not current.is_out(card) and ahead and card not in ahead[: len(report.cards) + book.hands.cards]:
            return "a card of these is deep in the deck"
    return _no_hole_card(book, current, shoe, report) if report.mishap == "hole-card-exposed" else None


def _no_hole_card(book: Book, current: Round, shoe: Shoe, report: Report) -> str | None:
    """A hole card lies face down before the dealer or is on its way there. The up-card is not one."""
    own = current.dealer
    packet = in_packets(book) and current.up is None and len(own) == book.hands.cards
    shown = up_card_of_packet(book, own) if packet else current.up
    hidden = {card for card in own if card != shown}
    due = next_due(book, current) if current.phase in ("closed", "dealing") else None
    to_dealer = due is not None and due.to == DEALER and not due.up
    coming = shoe.ahead(current)[: book.hands.cards if in_packets(book) else 1] if to_dealer else ()
    unknown = to_dealer and not coming
    players = {card for box in current.boxes.values() for card in box.cards}
    if not report.cards:
        return None if hidden else "the dealer has no hole card"
    for card in report.cards:
        if card == shown:
            return "the card is the one that the dealer turns up"
        if card not in hidden and card not in players and card not in coming and not unknown:
            return "a card of these is not the dealer's"
    return None


def not_by_count(current: Round, mishap: Mishap) -> str | None:
    """Return what the record says against a find by the stub count; None if the recorded count confirms it."""
    if any(one.mishap == "stub-miscount" for one in current.found):
        return None
    if not current.counted:
        return "the stub was not counted in this round"
    # A count with the right number can still find a card that does not belong to the deck.
    return None if mishap == "foreign-card" else "the count of the stub proved the deck"


def _off_the_deck(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """A card that came off the deck wrongly is one of the next cards, or one just dealt."""
    current = _round(table)
    if not current.sequence and is_unready(book, table, current.deck):
        return "no card leaves a deck that is not shuffled and cut"
    ahead = shoe.ahead(current)
    fresh = [card for card in report.cards if not current.is_out(card)]
    for card in report.cards:
        if (where := _where(current, card)) is not None and card not in current.boxed:
            return f"a card of these lies {where}"
    dealing = current.phase in ("closed", "dealing")
    window = max(len(fresh), book.hands.cards) if in_packets(book) else len(fresh)
    if ahead and dealing and any(card not in ahead[:window] for card in fresh):
        return "a card of these is not next in the deck"
    if report.mishap in ("card-drawn-in-error", "simultaneous-cards") and len(fresh) < len(report.cards):
        return "a card of these was dealt before"
    return None


# Looks and players


def _looked_early(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    named = _named(table, report) if report.boxes else list(_round(table).boxes.values())
    return None if any(box.seen for box in named) else "the record has no look at that box"


def _picked_up_early(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """Once players may pick up, no look is too early; an earlier look was recorded when it happened."""
    if (against := _looked_early(book, table, shoe, report)) is not None:
        return against
    allowed = book.deal.pick_up_after in _round(table).acts
    return "the players have been told that they may pick up" if allowed else None


def _second_look(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """A further hand was looked at: seen, by a player who has seen another hand first."""
    current, named = _round(table), _named(table, report)
    further = {number for one in current.found if one.mishap == "second-look" for number in one.boxes}
    for box in named:
        own = [one.number for one in current.dealt_in if one.player == box.player and one.seen and one is not box]
        if box.seen and not further.issuperset(own):
            return None
    return "the record has no look at a further hand there"


def _discard_picked_up(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    current, named = _round(table), _named(table, report)
    if not any(box.give is not None for box in named):
        return "that box has not exchanged a card"
    if all(box.gave_up for box in named):
        return "that hand is given up"
    moved = {current.lines[place].seat for place in current.moved if not current.lines[place].early}
    return "that hand is finished, and its chips have moved" if all(box.number in moved for box in named) else None


def _raked(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """People see whether a racked hand should not be there; that no hand was dealt, the record knows."""
    named = _named(table, report)
    dealt = any(box.cards for box in (named if report.boxes else _round(table).boxes.values()))
    return None if dealt else "no card has been dealt there"


def _major_undeclared(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    undeclared = any(box.seen and not box.claimed and holds_major(book, box) for box in _named(table, report))
    return None if undeclared else "nobody there has seen such a hand and kept quiet"


def _no_decision(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    current, named = _round(table), _named(table, report)
    owing = current.phase == "deciding" and any(box.owes_decision and not box.bet for box in named)
    return None if owing else "that box owes no decision"


# Chips and lights


def _over_maximum(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    most = ante_limits(book, table)[1]
    return None if most is not None and any(box.ante > most for box in _named(table, report)) else "no ante is over it"


def _under_minimum(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    least = ante_limits(book, table)[0]
    named = [box for box in _named(table, report) if box.ante]
    return None if least is not None and any(box.ante < least for box in named) else "no ante is under it"


def _sizes(book: Book, table: TableState, box: Box) -> range:
    return bet_sizes(book, ante_in_play(book, table, box))


def _bet_over(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    over = any(box.bet > _sizes(book, table, box)[-1] for box in _named(table, report))
    return None if over else "no bet is too large"


def _bet_under(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    under = any(0 < box.bet < _sizes(book, table, box)[0] for box in _named(table, report))
    return None if under else "no bet is too small"


def _side_without_ante(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    alone = any(box.side and not box.ante for box in _named(table, report))
    return None if alone else "every side wager there has its ante"


def _unlit(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    dark = any(box.side and not box.lit for box in _named(table, report))
    return None if dark else "the light of that box is on, or it has no side wager"


def _chip_and_light(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """The record can only check this if a box is named."""
    return _unlit(book, table, shoe, report) if report.boxes else None


def _improper_cut(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    return None if any("cut" in deck.acts for deck in table.decks.values()) else "no cut stands"


def _device_count(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """A wrong count removes the deck at once: a counted deck at the table had the right number."""
    counted = any("device-count" in deck.acts for deck in table.decks.values())
    return f"the device counted {book.deck.size} cards" if counted else None


def _walk_away(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    """A player who leaves after the round has stayed to its end."""
    if table.live_round is None:
        return "the round is over"
    return None if not report.boxes or any(box.taken for box in _named(table, report)) else "nobody plays there"


def _device_there(book: Book, table: TableState, shoe: Shoe, report: Report) -> str | None:
    # If the book is silent, the person asked may know of a device that is not registered.
    silent = book.rules_on("device-still-on-table") is None
    present = any(at_table(book, table, kind) for kind in (SHUFFLER, AUTOMATED_SHOE))
    return None if present or silent else "no shuffler or automated shoe stands at the table"


_CHECKS: Mapping[Mishap, Check] = {
    "device-count-wrong": _device_count,
    "walk-away": _walk_away,
    "device-still-on-table": _device_there,
    "player-miscount": _player_miscount,
    "dealer-miscount": _last_miscount(DEALER),
    "community-miscount": _last_miscount(COMMUNITY),
    "skipped-box": _skipped,
    "empty-box-dealt": _empty_box_dealt,
    "misdeal": _misdeal,
    "missed-burn": _missed_burn,
    "dealing-error": _dealing_error,
    "shoe-empty": _shoe_empty,
    "deck-short-or-long": _wrong_deck,
    "not-shuffled": _not_shuffled,
    "cards-exposed": _exposed,
    "hole-card-exposed": _exposed,
    "boxed-card": _off_the_deck,
    "card-drawn-in-error": _off_the_deck,
    "simultaneous-cards": _off_the_deck,
    "second-look": _second_look,
    "early-pick-up": _picked_up_early,
    "discard-picked-up": _discard_picked_up,
    "raked-cards": _raked,
    "major-hand-undeclared": _major_undeclared,
    "no-decision": _no_decision,
    "over-maximum": _over_maximum,
    "under-minimum": _under_minimum,
    "bet-over": _bet_over,
    "bet-under": _bet_under,
    "side-bet-without-ante": _side_without_ante,
    "unlit-chip": _unlit,
    "chip-light-mismatch": _chip_and_light,
    "improper-cut": _improper_cut,
}
