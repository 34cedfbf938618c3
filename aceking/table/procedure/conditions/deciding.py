"""Conditions on players' decisions and conduct."""

from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.settlement.amounts import bet_sizes, exchange_price, price_of
from aceking.table.cards.deal_order import boxes_to_discard
from aceking.table.commands import Act, Bet, Discard, Exchange, KeepInView, StaySeated, TouchCards
from aceking.table.money.award_lines import holds_major, is_decided_on
from aceking.table.money.settling import ante_in_play
from aceking.table.procedure.conditions.predicate import Predicate, box_of
from aceking.table.state import TableState


def _after_deal(book: Book, table: TableState, act: Act) -> str | None:
    current = table.round
    dealt = current is not None and current.phase in ("deciding", "revealed")
    return None if dealt else "the deal is not finished"


def _not_yet_decided(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    return None if box is None or box.choice is None else f"box {act.box} has decided"


def _not_discarded(book: Book, table: TableState, act: Act) -> str | None:
    """The bet comes with the discard or before it."""
    box = box_of(table, act)
    return f"box {act.box} has laid its card aside" if box is not None and box.discard is not None else None


def _bet_exact(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    amount = act.amount if isinstance(act, Bet) and act.noticed else None
    if box is None or not box.ante or amount is None or amount <= 0 or box.bet:
        return None
    if amount in bet_sizes(book, box.ante) or amount in bet_sizes(book, ante_in_play(book, table, box)):
        return None
    if book.bet.antes_max is not None:
        return f"the bet is {book.bet.antes} to {book.bet.antes_max} whole antes"
    return f"the bet is exactly {book.bet.antes} times the ante" if book.bet.antes > 1 else "the bet equals the ante"


def _own_box(book: Book, table: TableState, act: Act) -> str | None:
    """A box is looked at and decided for by the player who bet on it."""
    box = table.live_round.boxes.get(act.box or 0) if table.live_round is not None else None
    # If the act names no player, it is the person who does it.
    who = act.by if act.player is None and act.role == "player" and act.by != "player" else act.player
    if box is None or not box.player or not who or box.player == who:
        return None
    return f"box {box.number} is {box.player}'s"


def _examined(book: Book, table: TableState, act: Act) -> str | None:
    """A bet comes after looking, except on the further boxes of a player who may look at one hand only."""
    current, box = table.live_round, box_of(table, act)
    if current is None or box is None or box.seen:
        return None
    own = [one for one in current.dealt_in if one.player == box.player]
    return None if len(own) > 1 and book.bet.blind is not None else f"box {box.number} has not looked at its hand"


def _hole_cards_hidden(book: Book, table: TableState, act: Act) -> str | None:
    current = table.round
    shown = current is not None and current.phase in ("revealed", "done")
    return "the hole cards are shown" if shown else None


def _hole_cards_shown(book: Book, table: TableState, act: Act) -> str | None:
    current = table.live_round
    hidden = current is not None and bool(current.placed) and current.phase != "revealed"
    return "the hole cards are still hidden" if hidden else None


def _one_card_only(book: Book, table: TableState, act: Act) -> str | None:
    """No more cards are exchanged than the book allows at a time."""
    if book.exchange is None or not isinstance(act, Exchange) or len(act.give) <= book.exchange.cards:
        return None
    most = book.exchange.cards
    return "1 card may be exchanged" if most == 1 else f"1 to {most} cards may be exchanged"


def fee_exact(book: Book, table: TableState, act: Act) -> str | None:
    """An exchange costs the book's price, of the ante that counts or of the ante as placed."""
    box = box_of(table, act)
    if box is None or book.exchange is None or not isinstance(act, Exchange) or act.amount is None:
        return None
    count = len(act.give)
    if not 1 <= count <= book.exchange.cards:
        return None
    antes = (box.ante, ante_in_play(book, table, box))
    if act.amount in [exchange_price(book, ante, count) for ante in antes]:
        return None
    price = price_of(book, count)
    return "the price is the ante" if price == 1 else f"the price of {count} is {price} times the ante"


def once_only(book: Book, table: TableState, act: Act) -> str | None:
    """A box exchanges once in a round."""
    box = box_of(table, act)
    return f"box {box.number} has exchanged already" if box is not None and box.give is not None else None


def _all_discarded(book: Book, table: TableState, act: Act) -> str | None:
    """Boxes that go on discard, if the game has discards."""
    current = table.live_round
    if current is None:
        return None
    owing = boxes_to_discard(book, current)
    return f"box {owing[0]} has not discarded" if owing else None


def _laid_face_down(book: Book, table: TableState, act: Act) -> str | None:
    return "the discard is laid face down" if isinstance(act, Discard) and act.face == "up" else None


def _with_the_look(book: Book, table: TableState, act: Act) -> str | None:
    """A major hand is announced when it is seen, before the decision."""
    current, box = table.live_round, box_of(table, act)
    if current is None or box is None or "reveal" in current.acts:
        return None
    late = box.seen and is_decided_on(current, box) and holds_major(book, box)
    return f"box {act.box} had decided before it was declared" if late else None


# Conduct


def _own_cards(book: Book, table: TableState, act: Act) -> str | None:
    """Only the player of a hand and the dealer touch it."""
    box = box_of(table, act)
    if box is None or not box.cards or act.role == "dealer":
        return None
    who = act.by or act.role
    if act.role == "player":
        # If nobody is named, it was the player of the box.
        who = act.player or (act.by if act.by != "player" else None)
    return None if not who or who == box.player else f"{who} touched the cards of box {box.number}"


def _not_set_down(book: Book, table: TableState, act: Act) -> str | None:
    """Cards that were examined and set face down are not touched again."""
    box = box_of(table, act)
    own = box is not None and act.role == "player" and act.player in (None, box.player)
    return "the cards were set down" if own and box is not None and box.choice is not None else None


def _not_laid_down(book: Book, table: TableState, act: Act) -> str | None:
    """A player who has bet leaves the cards alone until the dealer's are turned."""
    current, box = table.live_round, box_of(table, act)
    waiting = current is not None and current.phase == "deciding" and box is not None and box.choice == "bet"
    return f"the cards of box {act.box} lie by the bet until the reveal" if waiting else None


def _not_thrown_away(book: Book, table: TableState, act: Act) -> str | None:
    card = act.card if isinstance(act, TouchCards) else None
    return "the card has been exchanged" if is_thrown_away(table, card) else None


def is_thrown_away(table: TableState, card: int | None) -> bool:
    """Return True if a card was exchanged or folded: nobody may pick it up again."""
    current = table.live_round
    if current is None or card is None:
        return False
    return any(card in one.gave or (one.gave_up and card in one.cards) for one in current.boxes.values())


def _kept_in_view(book: Book, table: TableState, act: Act) -> str | None:
    seen = isinstance(act, KeepInView) and not act.kept
    return (act.remark or "the cards are not in view above the table") if seen else None


def _stays_seated(book: Book, table: TableState, act: Act) -> str | None:
    current = table.live_round
    box = current.boxes.get(act.box or 0) if current is not None else None
    left = isinstance(act, StaySeated) and act.left
    dealt_in = box is not None and box.live and bool(box.cards)
    return f"{box.player} left the seat in the round" if box is not None and dealt_in and left else None


def _in_play(book: Book, table: TableState, act: Act) -> str | None:
    """A seated player plays: once betting is closed, the box must have a stake."""
    current = table.live_round
    if current is None or current.phase == "betting":
        return None
    own = [one for one in current.dealt_in if one.player == act.player or one.number == act.box]
    return None if own else f"{act.player or 'somebody'} sits at the table without playing"


DECIDING: Mapping[str, Predicate] = {
    "after-deal": _after_deal,
    "not-yet-decided": _not_yet_decided,
    "not-discarded": _not_discarded,
    "bet-exact": _bet_exact,
    "examined": _examined,
    "own-box": _own_box,
    "hole-cards-hidden": _hole_cards_hidden,
    "hole-cards-shown": _hole_cards_shown,
    "one-card-only": _one_card_only,
    "fee-exact": fee_exact,
    "once-only": once_only,
    "all-discarded": _all_discarded,
    "laid-face-down": _laid_face_down,
    "with-the-look": _with_the_look,
    "own-cards": _own_cards,
    "not-set-down": _not_set_down,
    "not-laid-down": _not_laid_down,
    "not-thrown-away": _not_thrown_away,
    "in-view": _kept_in_view,
    "duty-kept": _kept_in_view,
    "stays-seated": _stays_seated,
    "in-play": _in_play,
}
