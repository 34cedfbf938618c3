"""After the reveal of a dealer without a hand: players may buy a card for the dealer before the settlement."""

from aceking.cards.card import CardId
from aceking.money.chips import shown
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said
from aceking.settlement.judge import judge
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.next_card import next_card
from aceking.table.commands import BuyDealerCard, DrawDealerCard
from aceking.table.moment import Done, Moment
from aceking.table.money.settling import ante_in_play
from aceking.table.phases.deciding import before_time


def offered(now: Moment) -> list[ev.TableEvent]:
    """Ask every box that has bet, once, whether it buys a card for a dealer without a hand."""
    current, book = now.table.live_round, now.book
    if current is None or book.bought is None or current.offered or len(current.dealer) != book.hands.cards:
        return []
    rater = judge(book)
    boxes = tuple(box.number for box in current.live if box.choice == "bet" and not box.racked)
    if not boxes or rater.qualifies[rater.strength([CardId(one) for one in current.dealer])]:
        return []
    return [ev.DealerCardOffered(boxes=boxes, clause=book.cite("bought.price_antes"))]


def buy(now: Moment, act: BuyDealerCard) -> Done:
    """Pay for a card for the dealer, or decline.

    The house declines for a player whose time runs out, and buys for nobody.
    """
    in_round = now.box(act.box)
    if isinstance(in_round, Refusal):
        return in_round
    current, box = in_round
    rules = now.book.bought
    assert rules is not None, "the gate knows of no bought card in a book without one"
    where = now.book.cite("bought.price_antes")
    if box.number not in [one.number for one in current.buying]:
        reason = "no card is bought for the dealer now" if box.buys is None else f"box {box.number} has said it already"
        return Refusal(reason, where)
    if now.role != "player":
        if act.buys:
            owner_only = said("a card for the dealer is bought by the player of box {box}", box=box.number)
            return base("people", owner_only)
        if early := before_time(now, current, box):
            return early
    chosen = ev.DealerCardChosen(box=box.number, buys=act.buys, clause=now.clause or where)
    if not act.buys:
        return [chosen]
    price = ante_in_play(now.book, now.table, box) * rules.price_antes
    if act.amount not in (None, price):
        reason = f"the price is {shown(price, decimals=now.book.decimals)}"
        return Refusal("the price is the ante" if rules.price_antes == 1 else reason, where)
    paid = ev.Staked(box=box.number, player=box.player, wager="bought", amount=price, clause=now.clause or where)
    return [paid, chosen]


def draw(now: Moment, act: DrawDealerCard) -> Done:
    """Draw the card for the dealer, once, when every box that may buy has answered."""
    current = now.table.live_round
    if current is None or not current.awaits_card:
        return now.no("nobody waits for a card for the dealer", "time")
    card = next_card(now, act.card)
    return card if isinstance(card, Refusal) else [ev.DealerDrew(card=card, clause=now.clause)]
