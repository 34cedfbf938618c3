"""Settle the exchange fee, the price of a bought card, the ante and the bet, each by its clause."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from aceking.cards.hand import Category
from aceking.money.chips import at_odds
from aceking.rules.book import Book
from aceking.rules.decisions import ENDS_EARLY, Choice
from aceking.settlement.hands import Bank, HeldHand
from aceking.settlement.judge import judge
from aceking.settlement.lines import Line, Outcome, Wager


def main_lines(book: Book, hand: HeldHand, dealer: Bank | None) -> list[Line]:
    """Return the lines of the exchange fee, the bought card, the ante and the bet."""
    stakes, number = hand.staked, hand.number
    lines = []
    if stakes.fee:
        lines.append(Line(number, "exchange", stakes.fee, "lose", 0, book.cite("exchange.price"), early=True))
    if stakes.bought:
        lines.append(Line(number, "bought", stakes.bought, "lose", 0, book.cite("bought.price")))
    if stakes.ante:
        if hand.seat.ended_early:
            lines += _EARLY[hand.seat.play](book, hand)
        elif dealer is not None:
            lines += _against_dealer(book, hand, dealer)
        else:
            lines += _against_table(book, hand)
    lines += stakes.returned
    return lines


def _against_dealer(book: Book, hand: HeldHand, dealer: Bank) -> tuple[Line, Line]:
    """Return the lines of the ante and the bet."""
    rules, stakes, number = book.dealer, hand.staked, hand.number
    assert rules is not None
    assert hand.strength is not None
    if not dealer.shown.qualifies:
        step, without = ("bought", book.bought) if stakes.bought and book.bought else ("dealer", rules)
        assert without.unqualified_ante is not None
        assert without.unqualified_bet is not None
        ante = _ante(hand, without.unqualified_ante, book.cite(f"{step}.unqualified_ante"))
        return ante, Line(number, "bet", stakes.bet, without.unqualified_bet, 0, book.cite(f"{step}.unqualified_bet"))
    if hand.strength > dealer.strength:
        return _won_ante(book, hand), _paid_bet(book, hand, judge(book).categories[hand.strength])
    outcome: Outcome = "push" if hand.strength == dealer.strength else "lose"
    clause = book.cite("dealer.equal" if outcome == "push" else "dealer.lower")
    bet = Line(number, "bet", stakes.bet, outcome, 0, clause)
    saves = outcome == "lose" and book.ante.returned_from is not None
    if saves and hand.strength >= judge(book).ante_saved_at:
        return Line(number, "ante", stakes.ante, "push", 0, book.cite("ante.returned_from")), bet
    return Line(number, "ante", stakes.ante, outcome, 0, clause), bet


def _ante(hand: HeldHand, odds: Fraction, clause: str) -> Line:
    """Pay an ante; at odds of zero it comes back."""
    stake = hand.staked.ante
    return Line(hand.number, "ante", stake, "win" if odds else "push", at_odds(stake, odds), clause)


def _won_ante(book: Book, hand: HeldHand) -> Line:
    """Pay the ante of a hand that beats the dealer's, or return it if the hand is too low to be paid."""
    assert hand.strength is not None
    if book.ante.pays_from is not None and hand.strength < judge(book).ante_paid_at:
        return _ante(hand, Fraction(0), book.cite("ante.pays_from"))
    assert isinstance(book.ante.pays, Fraction)
    return _ante(hand, book.ante.pays, book.cite("ante.pays"))


def _paid_bet(book: Book, hand: HeldHand, category: Category) -> Line:
    """Pay a winning bet at the odds of the hand, under the cap."""
    step = "exchange" if hand.staked.fee else "bet"
    table = book.exchange.pays if hand.staked.fee and book.exchange else book.bet.pays
    if category not in table:
        outcome: Outcome = "push" if book.bet.unlisted == "push" else "lose"
        return Line(hand.number, "bet", hand.staked.bet, outcome, 0, book.cite("bet.unlisted"))
    pays = at_odds(hand.staked.bet, table[category])
    clause = book.cite(f"{step}.pays.{category.key}")
    if book.bet.cap is not None and pays > book.bet.cap:
        pays, clause = book.bet.cap, book.cite("bet.cap")
    return Line(hand.number, "bet", hand.staked.bet, "win", pays, clause)


def _against_table(book: Book, hand: HeldHand) -> list[Line]:
    """Settle ante and bet alike, by the final hand alone."""
    stakes, number, rater = hand.staked, hand.number, judge(book)
    assert hand.strength is not None
    wagers: list[tuple[Wager, int]] = (
        [("ante", stakes.ante), ("bet", stakes.bet)] if stakes.bet else [("ante", stakes.ante)]
    )
    if hand.strength >= rater.wins_at:
        return _paid_by_hand(book, hand, rater.categories[hand.strength])
    push = hand.strength >= rater.pushes_at
    clause = book.cite("paytable.pushes_with" if push else "paytable.loses_below")
    return [Line(number, wager, stake, "push" if push else "lose", 0, clause) for wager, stake in wagers]


def _paid_by_hand(book: Book, hand: HeldHand, category: Category) -> list[Line]:
    if category not in book.bet.pays:
        return _unlisted(book, hand)
    stakes, odds = hand.staked, book.bet.pays[category]
    ante, bet = at_odds(stakes.ante, odds), at_odds(stakes.bet, odds)
    clause = book.cite(f"bet.pays.{category.key}")
    capped_ante, capped_bet = _under_cap(book, ante, bet)
    cap = book.cite("bet.cap") if (capped_ante, capped_bet) != (ante, bet) else clause
    lines = [Line(hand.number, "ante", stakes.ante, "win", capped_ante, cap if capped_ante != ante else clause)]
    if stakes.bet:
        lines.append(Line(hand.number, "bet", stakes.bet, "win", capped_bet, cap if capped_bet != bet else clause))
    return lines


def _unlisted(book: Book, hand: HeldHand) -> list[Line]:
    """Settle ante and bet of a winning hand for which the pay table has no row."""
    outcome: Outcome = "push" if book.bet.unlisted == "push" else "lose"
    clause = book.cite("bet.unlisted")
    lines = [Line(hand.number, "ante", hand.staked.ante, outcome, 0, clause)]
    if hand.staked.bet:
        lines.append(Line(hand.number, "bet", hand.staked.bet, outcome, 0, clause))
    return lines


def _under_cap(book: Book, ante: int, bet: int) -> tuple[int, int]:
    """Apply the cap to ante and bet: together in proportion, or to each."""
    cap = book.bet.cap
    if cap is None:
        return ante, bet
    if book.bet.cap_on == "each-wager":
        return min(ante, cap), min(bet, cap)
    if ante + bet <= cap:
        return ante, bet
    part = cap * bet // (ante + bet)
    return cap - part, part


def _folded(book: Book, hand: HeldHand) -> list[Line]:
    return [Line(hand.number, "ante", hand.staked.ante, "lose", 0, book.cite("fold.ante"), early=True)]


def _declared(book: Book, hand: HeldHand) -> list[Line]:
    """Pay the ante of an instant winner; a wrong declaration loses it."""
    rules, ante = book.instant, hand.staked.ante
    assert rules is not None
    if hand.declared is None:
        return [Line(hand.number, "ante", ante, "lose", 0, book.cite("instant.wrong_ante"), early=True)]
    pays = at_odds(ante, rules.pays[hand.declared])
    clause = book.cite(f"instant.pays.{hand.declared.value}")
    if book.bet.cap is not None and pays > book.bet.cap:
        pays, clause = book.bet.cap, book.cite("bet.cap")
    return [Line(hand.number, "ante", ante, "win", pays, clause, early=True)]


#: What becomes of the ante of a hand that ends before the reveal.
_EARLY: Mapping[Choice, Callable[[Book, HeldHand], list[Line]]] = {"fold": _folded, "declare": _declared}
assert _EARLY.keys() == ENDS_EARLY, "a choice that ends a hand early has its arm of settlement"
