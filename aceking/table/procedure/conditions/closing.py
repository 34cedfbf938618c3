"""Conditions on the second half of a round: turning, collecting, paying, and the awards of the progressive."""

from collections.abc import Mapping
from functools import partial

from aceking.rules.book import Book
from aceking.rules.odds import Share, award
from aceking.settlement.lines import MAIN, Line
from aceking.table.commands import Act, Adjust, CollectAwardCards, CollectCards, CountFold, SelectWinner, SwipeCard
from aceking.table.money.award_lines import award_line, held_row, is_award, is_signed, unqualified
from aceking.table.money.settling import owed
from aceking.table.procedure.conditions.predicate import Predicate, box_of
from aceking.table.state import Box, Round, TableState

#: Conditions by which folded or declared hands must be off the layout before the reveal.
EARLY = {"folded-hands-racked": "fold", "declared-hands-racked": "declare"}


def _previous_round_settled(book: Book, table: TableState, act: Act) -> str | None:
    return "the round before is not settled" if table.live_round is not None else None


def waits_for_award(book: Book, box: Box) -> bool:
    """Return True if a folded hand must wait: it may win a jackpot, or a side wager on it stands."""
    if not box.gave_up:
        return False
    payable = book.progressive is not None and book.progressive.folded == "payable"
    return (payable and box.lit) or (bool(book.sides) and any(book.sides[one].folded == "stands" for one in box.named))


def unsettled_early(book: Book, current: Round, choice: str) -> list[int]:
    """Return the boxes with this choice whose chips or cards still lie on the layout."""
    waiting = {line.seat for _, line in owed(current)}
    early = [box for box in current.live if box.chose(choice) and not waits_for_award(book, box)]
    return [box.number for box in early if box.number in waiting or not box.racked]


def _early_hands_racked(book: Book, table: TableState, act: Act, *, choice: str) -> str | None:
    current = table.live_round
    waiting = unsettled_early(book, current, choice) if current is not None else []
    return f"box {waiting[0]} is not yet settled and in the rack" if waiting else None


def _settles_early(current: Round, number: int | None) -> bool:
    """Return True for a folded, declared or void hand, which is settled before the others are turned."""
    box = current.boxes.get(number) if number is not None else None
    return box is not None and (box.ended_early or box.void)


def _hand_turned(book: Book, table: TableState, act: Act) -> str | None:
    """A hand is turned before its wagers are taken or paid, unless it was folded or declared."""
    current, box = table.round, box_of(table, act)
    if current is None or box is None or box.turned or _settles_early(current, act.box):
        return None
    return f"the hand of box {box.number} is not turned"


def _from_the_right(book: Book, table: TableState, act: Act) -> str | None:
    """Hands are turned from the dealer's far right; folded and declared hands are not turned at all."""
    current, box = table.round, box_of(table, act)
    if current is None or box is None:
        return None
    if _settles_early(current, act.box) and not waits_for_award(book, box):
        return f"box {box.number} is out and has no hand to turn"
    farther = [one.number for one in current.live if one.number > box.number and not one.turned]
    waiting = [number for number in farther if not _settles_early(current, number)]
    return f"box {waiting[-1]} is turned first" if waiting else None


def _turned_if_due(book: Book, table: TableState, act: Act) -> str | None:
    """Against a dealer without a hand, only the hands are turned that the house chose to turn."""
    box = box_of(table, act)
    chosen = book.dealer.turn_unqualified if book.dealer is not None else None
    if box is None or box.buys or box.named or chosen not in ("progressive-bettors-only", "none"):
        return None
    if chosen == "none":
        return None if box.claimed else f"the hand of box {box.number} stays face down: its player announced no jackpot"
    return None if box.lit else f"the hand of box {box.number} stays face down: it has no progressive wager"


def _progressive_hand_turned(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    due = box is not None and box.lit and not box.turned and not box.gave_up
    return "the hand of a progressive wager is turned first" if due else None


def _outcomes_of(current: Round, number: int) -> set[str]:
    return {line.outcome for line in current.lines if line.seat == number and line.wager in MAIN}


def _losers_collected(book: Book, table: TableState, act: Act) -> str | None:
    """The cards of a push are collected after those of all losers."""
    current = table.round
    if current is None or act.box is None or "push" not in _outcomes_of(current, act.box):
        return None
    return _left(book, current, {"lose"})


def _losers_and_pushes_settled(book: Book, table: TableState, act: Act) -> str | None:
    """Winners are paid after losers and pushes are cleared."""
    current = table.round
    if current is None or act.box is None or _settles_early(current, act.box):
        return None
    return _left(book, current, {"lose", "push"}) if "win" in _outcomes_of(current, act.box) else None


def _all_winners_paid(book: Book, table: TableState, act: Act) -> str | None:
    """Winning hands lie face up until the last of them is paid."""
    current = table.round
    if current is None or act.box is None or _settles_early(current, act.box):
        return None
    if "win" not in _outcomes_of(current, act.box):
        return None
    unpaid = [line.seat for _, line in owed(current) if line.outcome == "win" and not is_award(line)]
    return f"box {unpaid[0]} is not paid yet" if unpaid else None


def _left(book: Book, current: Round, outcomes: set[str]) -> str | None:
    # A hand with an award stays on the layout until it is paid.
    held = {line.seat for line in current.lines if line.wager not in MAIN and _keeps_hand(line)}
    for box in current.live:
        if box.number in held or waits_for_award(book, box):
            continue
        if _outcomes_of(current, box.number) & outcomes and not box.racked:
            return f"the hand of box {box.number} is not collected yet"
    return None


def _keeps_hand(line: Line) -> bool:
    """Return True if a hand stays until its side wager is paid; a named one also if its stake comes back."""
    return line.outcome == "win" if line.wager == "side" else line.outcome != "lose"


def _picked_up_in_order(book: Book, table: TableState, act: Act) -> str | None:
    """Compared hands go to the rack one after another, from one side to the other, in each pass anew."""
    current = table.live_round
    if current is None or act.box is None or current.phase != "revealed" or not _is_compared(current, act.box):
        return None
    racked = [what.number for what, _ in current.rack if what.kind == "hand" and _is_compared(current, what.number)]
    lying = [box.number for box in current.live if box.cards and not box.racked and _is_compared(current, box.number)]
    if "seat" not in book.collection.passes:
        outcomes = _outcomes_of(current, act.box)
        racked = [number for number in racked if _outcomes_of(current, number) == outcomes]
        lying = [number for number in lying if _outcomes_of(current, number) == outcomes]
    if act.box not in lying:
        return None
    last: int | None = None
    for place, number in enumerate(racked):
        if number in _next_in_order([*racked[place:], *lying], last):
            last = number
    wrong = act.box not in _next_in_order(lying, last)
    return f"box {act.box} is picked up out of order" if wrong else None


def _is_compared(current: Round, number: int) -> bool:
    """Return True unless the hand was settled early or waits for its award."""
    return not _settles_early(current, number) and award_line(current, number) is None


def _next_in_order(lying: list[int], last: int | None) -> set[int]:
    """Return the hands that may come next: at first either end, then the nearest neighbour."""
    return {min(lying), max(lying)} if last is None else {min(lying, key=lambda number: abs(number - last))}


def _before_cards_collected(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    return "the cards have been collected" if box is not None and box.racked else None


def _counted_five(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    count = act.count if isinstance(act, (CountFold, CollectCards, CollectAwardCards)) else None
    if box is not None and box.gave_up and count is not None and count != book.hands.cards:
        return f"a folded hand is counted: {book.hands.cards} cards, not {count}"
    return None


def _fold_counted(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    if box is None or not box.gave_up or "fold-count" in box.acts:
        return None
    return f"the folded cards of box {box.number} were not spread and counted"


def _no_hand_announced(book: Book, table: TableState, act: Act) -> str | None:
    current = table.round
    silent = current is not None and unqualified(book, current) and "announce-no-hand" not in current.acts
    return "the dealer has not said that there is no hand" if silent else None


def _bank_unqualified(book: Book, table: TableState, act: Act) -> str | None:
    current = table.round
    return None if current is not None and unqualified(book, current) else "the dealer has a hand"


# Awards


def _hand_wins_award(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    if book.progressive is None or box is None or len(box.cards) != book.hands.cards:
        return "there is no such hand"
    held = held_row(book, box)
    rows = {key.removeprefix("progressive.awards.") for key in book.by_key if key.startswith("progressive.awards.")}
    return None if held in rows | set(table.awards) else f"a {held.replace('_', ' ')} wins no award"


def _winning_hand_shown(book: Book, table: TableState, act: Act) -> str | None:
    """The picked hand is the hand that the cards show."""
    current, box = table.round, box_of(table, act)
    if current is None or box is None or len(box.cards) != book.hands.cards:
        return None
    picked = act.hand if isinstance(act, SelectWinner) else current.selected.get(box.number)
    held = held_row(book, box)
    if picked is None or picked == held:
        return None
    return f"box {box.number} holds a {held.replace('_', ' ')}, not what was picked"


def _hand_selected(book: Book, table: TableState, act: Act) -> str | None:
    current = table.round
    return None if current is not None and act.box in current.selected else f"no hand is selected for box {act.box}"


def _supervisor_called(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    return None if box is not None and "call-supervisor" in box.acts else "no supervisor was called"


def _different_person(book: Book, table: TableState, act: Act) -> str | None:
    """The person who picked an award may not confirm it, if persons are named."""
    current = table.round
    if current is None or act.box is None or not act.by:
        return None
    award = current.awards.get(act.box)
    if award is not None and award.dealer == act.by:
        return f"{act.by} picked the award and may not validate it"
    return None


def _award_verified(book: Book, table: TableState, act: Act) -> str | None:
    """A hand with an award stays face up until a supervisor has seen it."""
    current = table.round
    if current is None or act.box is None or award_line(current, act.box) is None:
        return None
    return None if act.box in current.validated else f"the award of box {act.box} is not verified"


def _right_card(book: Book, table: TableState, act: Act) -> str | None:
    """From a level set by the house, an award takes an executive's card; and the amount must be the award's."""
    current = table.round
    won = award_line(current, act.box) if current is not None and act.box is not None else None
    if won is None or book.progressive is None or not isinstance(act, SwipeCard):
        return None
    pays, level = won[1].pays, book.progressive.executive_from
    if act.amount is not None and act.amount != pays:
        return "the award is another amount"
    if level is not None and pays >= level and act.card != "executive":
        return "an award of this size takes an executive's card"
    return None


def _not_after_signature(book: Book, table: TableState, act: Act) -> str | None:
    current = table.round
    signed = current is not None and act.box is not None and is_signed(book, current, act.box)
    return "the award is signed and logged; only a manual adjustment undoes it" if signed else None


def _award_signed(book: Book, table: TableState, act: Act) -> str | None:
    """An award of the round, or that of the box, is confirmed and signed."""
    current = table.round
    boxes = [act.box] if act.box is not None else sorted(current.boxes) if current is not None else []
    signed = current is not None and any(is_signed(book, current, number) for number in boxes)
    return None if signed else "no award is signed"


def _full_award(book: Book, table: TableState, act: Act) -> str | None:
    """The meter is reset only when all of it was won and signed for."""
    current = table.round
    boxes = [] if current is None else [act.box] if act.box is not None else sorted(current.from_meter)
    won = current is not None and any(
        is_signed(book, current, number) and _is_full(book, table, current.boxes[number])
        for number in boxes
        if number in current.from_meter
    )
    return None if won else "the meter is set back after a full award only"


def _is_full(book: Book, table: TableState, box: Box) -> bool:
    rules, row = book.progressive, held_row(book, box)
    own = {category.key: prize for category, prize in rules.awards.items()} if rules is not None else {}
    prize = award(table.awards[row], decimals=book.decimals) if row in table.awards else own.get(row)
    return isinstance(prize, Share) and prize.of_meter == 1


def _reason_given(book: Book, table: TableState, act: Act) -> str | None:
    reason = act.reason if isinstance(act, Adjust) else act.remark
    return None if (reason or "").strip() else "an adjustment needs a reason"


def _award_paid(book: Book, table: TableState, act: Act) -> str | None:
    """A hand with an award stays face up until it is paid."""
    current = table.live_round
    if current is None or act.box is None:
        return None
    box = current.boxes.get(act.box)
    if box is not None and waits_for_award(book, box) and not current.settled:
        return f"the folded hand of box {act.box} may still win an award: its cards stay on the layout"
    line = award_line(current, act.box)
    waits = line is not None and line[0] not in current.moved
    return f"the award of box {act.box} is not paid: its cards stay on the layout" if waits else None


CLOSING: Mapping[str, Predicate] = {
    "previous-round-settled": _previous_round_settled,
    **{name: partial(_early_hands_racked, choice=choice) for name, choice in EARLY.items()},
    "hand-turned": _hand_turned,
    "from-the-right": _from_the_right,
    "turned-if-due": _turned_if_due,
    "progressive-hand-turned": _progressive_hand_turned,
    "losers-collected": _losers_collected,
    "losers-and-pushes-settled": _losers_and_pushes_settled,
    "all-winners-paid": _all_winners_paid,
    "before-cards-collected": _before_cards_collected,
    "picked-up-in-order": _picked_up_in_order,
    "counted-five": _counted_five,
    "fold-counted": _fold_counted,
    "no-hand-announced": _no_hand_announced,
    "bank-unqualified": _bank_unqualified,
    "hand-wins-award": _hand_wins_award,
    "winning-hand-shown": _winning_hand_shown,
    "hand-selected": _hand_selected,
    "supervisor-called": _supervisor_called,
    "different-person": _different_person,
    "award-verified": _award_verified,
    "right-card-for-amount": _right_card,
    "not-after-signature": _not_after_signature,
    "award-signed": _award_signed,
    "full-award": _full_award,
    "reason-given": _reason_given,
    "award-paid": _award_paid,
}
