"""The side bet: a bonus wager paid at odds, or a progressive paid from the meter."""

from collections.abc import Sequence

from msgspec.structs import replace

from aceking.cards.hand import CATEGORY_BY_KEY, Category
from aceking.money.chips import at_odds
from aceking.rules.book import Book
from aceking.rules.odds import AwardAmount, Awards, Fixed, PayTableRow, Posted
from aceking.rules.options import award_refusal, is_less
from aceking.rules.refusal import No, Refusal, Unregulated
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.hands import Bank, HeldHand
from aceking.settlement.jackpot import Winner, no_order, pay_jackpots
from aceking.settlement.judge import judge
from aceking.settlement.lines import JackpotAward, Line, MeterResult, Outcome, paying_place
from aceking.settlement.scenario import Scenario, ScenarioError


def progressive_lines(
    book: Book, hands: Sequence[HeldHand], dealer: Bank | None, awards: Awards, scenario: Scenario
) -> tuple[tuple[Line, ...], tuple[JackpotAward, ...], MeterResult | None] | No:
    meter = None if scenario.meter is None else MeterResult(scenario.meter, scenario.meter)
    with_side = [hand for hand in hands if hand.staked.side]
    if not with_side or book.progressive is None:
        return (), (), meter
    lost: list[Line] = []
    winners: list[Winner] = []
    for hand in with_side:
        result = _progressive(book, hand, dealer, awards)
        if isinstance(result, Refusal):
            return result
        if isinstance(result, Line):
            lost.append(result)
        else:
            winners.append(result)
    reset = book.progressive.reset if scenario.reset is None else scenario.reset
    paid = pay_jackpots(book.progressive, winners, meter=scenario.meter, reset=reset, unordered=no_order(book))
    if isinstance(paid, Unregulated):
        return paid
    jackpots, after = paid
    stake = {hand.number: hand.staked.side for hand in with_side}
    rows = {winner.seat: winner.category.key for winner in winners}
    won = [_won(book, one, stake[one.seat], rows[one.seat]) for one in jackpots]
    lost.sort(key=lambda line: paying_place(book, line.seat))
    return (*lost, *won), jackpots, None if meter is None else replace(meter, after=after)


def _won(book: Book, jackpot: JackpotAward, stake: int, row: str) -> Line:
    key = f"progressive.awards.{row}"
    clause = book.cite(key if key in book.by_key else "progressive.awards_are")
    return Line(jackpot.seat, "side", stake, "win", jackpot.amount, clause, consumed=True)


def _progressive(book: Book, hand: HeldHand, dealer: Bank | None, awards: Awards) -> Line | Winner | Refusal:
    """Return the winner, the losing or returned line, or a refusal if the award is not known."""
    rules, stake, number = book.progressive, hand.staked.side, hand.number
    assert rules is not None
    if hand.staked.fee:
        assert book.exchange is not None
        outcome: Outcome = "lose" if book.exchange.side == "lost" else "returned"
        return Line(number, "side", stake, outcome, 0, book.cite("exchange.side"))
    if hand.seat.gave_up and rules.folded == "not-payable":
        return Line(number, "side", stake, "lose", 0, book.cite("progressive.folded"))
    if hand.strength is None:
        # Folded before the hand was complete: there is no hand to judge.
        return Line(number, "side", stake, "lose", 0, book.cite("progressive.folded"))
    category = judge(book).categories[hand.strength]
    award = awards.get(category)
    if award is None:
        return Line(number, "side", stake, "lose", 0, book.cite("progressive.awards"))
    qualifies = dealer is not None and dealer.shown.qualifies
    folded = hand.seat.gave_up
    if not hand.seat.claims and (key := forfeited_by_silence(rules, category, folded=folded, qualifies=qualifies)):
        return Line(number, "side", stake, "lose", 0, book.cite(key))
    if isinstance(award, Posted):
        text = f"seat {number}: the award for a {category.title} is on the table's sign, and no awards are given"
        return Refusal(text, book.cite(f"progressive.awards.{category.key}"))
    return Winner(number, category, award)


def forfeited_by_silence(rules: ProgressiveRules, category: Category, *, folded: bool, qualifies: bool) -> str | None:
    """Return the rule by which a player who did not announce the hand gets nothing; None if there is none."""
    if rules.claim == "player-notifies" and (folded or not qualifies):
        # The dealer reads a hand that is turned and compared, announced or not (A-RWS-16).
        return "progressive.claim"
    if rules.claim == "player-tells-unqualified-bank":
        # A folded hand is collected unseen, whatever the dealer shows afterwards.
        if folded or not qualifies:
            return "progressive.claim"
        if category >= Category.STRAIGHT_FLUSH and rules.undeclared_major == "forfeit":
            return "progressive.undeclared_major"
    return None


def awards_in_force(book: Book, scenario: Scenario) -> Awards | Refusal:
    """Return the book's awards, with those the house posts where the book leaves them open or sets a minimum."""
    rules = book.progressive
    if rules is None:
        if scenario.awards:
            raise ScenarioError("awards: the side bet of this book pays at odds and has no awards")
        return {}
    awards = rules.awards
    for row, award in scenario.awards.items():
        if refused := _award_refused(book, row, award):
            return refused
        awards = {**awards, CATEGORY_BY_KEY[row]: award}
    if not awards and any(seat.side for seat in scenario.seats):
        text = "the pay table of the progressive is issued separately, and none is given"
        return Refusal(text, book.cite("progressive.awards_are"))
    return awards


def may_post(book: Book, row: str, award: AwardAmount) -> bool:
    return book.progressive is not None and _award_refused(book, row, award) is None


def _award_refused(book: Book, row: str, award: AwardAmount) -> Refusal | None:
    """Return why the house may not post that award; None if it may."""
    rules = book.progressive
    assert rules is not None
    if rules.awards_are == "separate":
        return None
    key = f"progressive.awards.{row}"
    if key not in book.minimums:
        return Refusal(f"a {row.replace('_', ' ')} wins no award", book.cite("progressive.awards"))
    least = book.minimums[key].value
    if isinstance(least, Posted):
        return None if isinstance(award, Fixed) else Refusal(f"the award for {row} is an amount", book.cite(key))
    if rules.awards_are != "minimums":
        return None if award == least else Refusal(f"the award for {row} is fixed by the book", book.cite(key))
    for option in book.options.values():
        if option.rule == key:
            return award_refusal(option, award, decimals=book.decimals)
    return Refusal(f"the award for {row} is under the minimum", book.cite(key)) if is_less(award, least) else None


def bonus_line(book: Book, hand: HeldHand) -> Line:
    """Settle a bonus wager; its stake comes back if it wins or pushes."""
    rules, stake, number = book.bonus, hand.staked.side, hand.number
    assert rules is not None
    if hand.seat.gave_up:
        outcome: Outcome = "returned" if rules.folded == "returned" else "lose"
        return Line(number, "side", stake, outcome, 0, book.cite("bonus.folded"))
    if hand.seat.play == "declare" and hand.declared is None:
        outcome = "returned" if rules.wrong_declaration == "returned" else "lose"
        return Line(number, "side", stake, outcome, 0, book.cite("bonus.wrong_declaration"))
    if hand.declared is not None:
        if rules.instant == "lost":
            return Line(number, "side", stake, "lose", 0, book.cite("bonus.instant"))
        if hand.declared not in rules.pays:
            return Line(number, "side", stake, "lose", 0, book.cite("bonus.pays"))
        return _bonus_win(book, hand, hand.declared, hand.declared.value)
    assert hand.strength is not None
    category = judge(book).categories[hand.strength]
    if hand.strength < judge(book).bonus_pushes_at:
        return Line(number, "side", stake, "lose", 0, book.cite("bonus.pushes_with"))
    if category not in rules.pays:
        return Line(number, "side", stake, "lose", 0, book.cite("bonus.pays"))
    if rules.pays[category] == 0:
        return Line(number, "side", stake, "push", 0, book.cite(f"bonus.pays.{category.key}"))
    return _bonus_win(book, hand, category, category.key)


def _bonus_win(book: Book, hand: HeldHand, row: PayTableRow, key: str) -> Line:
    assert book.bonus is not None
    pays = at_odds(hand.staked.side, book.bonus.pays[row])
    return Line(hand.number, "side", hand.staked.side, "win", pays, book.cite(f"bonus.pays.{key}"))
