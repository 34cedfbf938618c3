"""Settle a round: what each seat wins or loses, by which clause. One pure function for every book."""

from collections.abc import Sequence

from aceking.rules.book import Book
from aceking.rules.refusal import No, Refusal, Unregulated
from aceking.settlement.caps import under_round_cap
from aceking.settlement.dealer_card import bought_bank
from aceking.settlement.hands import HeldHand, dealer_hand, held_hand
from aceking.settlement.lines import Line, SeatResult, Settlement, paying_place
from aceking.settlement.payments import main_lines
from aceking.settlement.progressive import awards_in_force, bonus_line, progressive_lines
from aceking.settlement.scenario import Scenario
from aceking.settlement.side_wagers import named_lines, sides_refused
from aceking.settlement.stakes import check_table, staked

#: Standing of a seat by its best wager, the worst first; a void or returned wager counts as a push.
_STANDING = ("lose", "push", "win")
_OF_OUTCOME = {"lose": 0, "push": 1, "void": 1, "returned": 1, "win": 2}
_NO = (Refusal, Unregulated)


def settle(book: Book, scenario: Scenario) -> Settlement | No:
    """Return the settlement of a round, a refusal with its clause, or Unregulated if the book has no rule."""
    if refused := check_table(book, scenario):
        return refused
    hands: list[HeldHand] = []
    for seat in scenario.seats:
        stakes = staked(book, seat, scenario.limits)
        if isinstance(stakes, _NO):
            return stakes
        if seat.sides and (refused := sides_refused(book, seat)):
            return refused
        hands.append(held_hand(book, seat, stakes, scenario))
    awards = awards_in_force(book, scenario)
    if isinstance(awards, Refusal):
        return awards
    dealer = dealer_hand(book, scenario, hands)
    bought = bought_bank(book, scenario, dealer)
    if isinstance(bought, Refusal):
        return bought
    side = progressive_lines(book, hands, dealer, awards, scenario)
    if isinstance(side, _NO):
        return side
    side_lines, paid, meter = side
    lines_of = {hand.number: main_lines(book, hand, bought if hand.seat.buys else dealer) for hand in hands}
    if book.bonus is not None:
        for hand in hands:
            if hand.staked.side:
                lines_of[hand.number].append(bonus_line(book, hand))
    ordered = (*under_round_cap(book, _in_order(book, lines_of), scenario.seats), *side_lines)
    if book.sides:
        ordered = (*ordered, *named_lines(book, hands, dealer, scenario))
    nets = dict.fromkeys(lines_of, 0)
    for line in ordered:
        nets[line.seat] += line.net
    return Settlement(
        book=book.id,
        dealer=None if dealer is None else dealer.shown,
        seats=tuple([SeatResult(one.number, one.words, nets[one.number]) for one in hands]),
        lines=ordered,
        awards=paid,
        meter=meter,
        bought=None if bought is None else bought.shown,
    )


def _in_order(book: Book, lines_of: dict[int, list[Line]]) -> Sequence[Line]:
    """Return the lines in the order of the dealer's work: those decided before the reveal, then the book's passes.

    Within a pass the dealer starts at the right. A seat goes through one pass as a whole, that of its best wager: one
    with a paid ante and a returned bet is a winner.
    """
    if len(lines_of) == 1:
        return next(iter(lines_of.values()))
    passes = book.collection.passes
    early = [line for seat in sorted(lines_of) for line in lines_of[seat] if line.early]
    seats = []
    for seat, lines in lines_of.items():
        rest = [line for line in lines if not line.early]
        if rest:
            standing = _STANDING[max(_OF_OUTCOME[line.outcome] for line in rest)]
            seats.append((0 if "seat" in passes else passes.index(standing), paying_place(book, seat), rest))
    seats.sort(key=lambda one: one[:2])
    return [*early, *(line for *_, rest in seats for line in rest)]
