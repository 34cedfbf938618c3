"""Between the reveal of a dealer without a hand and the settlement: players may buy a card for the dealer."""

from aceking.cards.card import Card
from aceking.money.chips import shown
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said
from aceking.settlement.judge import judge
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.next_card import next_card
from aceking.table.commands import BuyDealerCard, DrawDealerCard
from aceking.table.moment import Done, Now
from aceking.table.money.settling import ante_in_play
from aceking.table.phases.deciding import before_time


def offered(now: Now) -> list[ev.Event]:
    """Once the dealer's cards show no hand, every box that has bet is asked whether it buys a card for it: once."""
    current, book = now.table.live_round, now.book
    if current is None or book.bought is None or current.offered or len(current.dealer) != book.hands.cards:
        return []
    by = judge(book)
    boxes = tuple(box.number for box in current.live if box.choice == "bet" and not box.racked)
    if not boxes or by.qualifies[by.strength([Card(one) for one in current.dealer])]:
        return []
    return [ev.DealerCardOffered(boxes=boxes, clause=book.cite("bought.price_antes"))]


def buy(now: Now, act: BuyDealerCard) -> Done:
    """A box pays for a card for the dealer, or leaves the dealer's hand as it is.

    The house says no for who lets his time run out, and buys for nobody.
    """
    found = now.box(act.box)
    if isinstance(found, Refusal):
        return found
    current, box = found
    rules = now.book.bought
    assert rules is not None, "the gate knows of no bought card in a book without one"
    where = now.book.cite("bought.price_antes")
    if box.number not in [one.number for one in current.buying]:
        told = "no card is bought for the dealer now" if box.buys is None else f"box {box.number} has said it already"
        return Refusal(told, where)
    if now.role != "player":
        if act.buys:
            whose = said("a card for the dealer is bought by the player of box {box}", box=box.number)
            return base("people", whose)
        if early := before_time(now, current, box):
            return early
    chosen = ev.DealerCardChosen(box=box.number, buys=act.buys, clause=now.clause or where)
    if not act.buys:
        return [chosen]
    price = ante_in_play(now.book, now.table, box) * rules.price_antes
    if act.amount not in (None, price):
        told = f"the price is {shown(price, decimals=now.book.decimals)}"
        return Refusal("the price is the ante" if rules.price_antes == 1 else told, where)
    paid = ev.Staked(box=box.number, player=box.player, wager="bought", amount=price, clause=now.clause or where)
    return [paid, chosen]


def draw(now: Now, act: DrawDealerCard) -> Done:
    """The next card of the deck comes for the dealer, once, when everybody who may has said whether he pays."""
    current = now.table.live_round
    if current is None or not current.awaits_card:
        return now.no("nobody waits for a card for the dealer", "time")
    taken = next_card(now, act.card)
    return taken if isinstance(taken, Refusal) else [ev.DealerDrew(card=taken, clause=now.clause)]
