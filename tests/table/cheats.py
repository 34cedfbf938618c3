"""Who tries to get something by side wagers, exchanges and bought cards, and what may have been taken of it.

What is right is told apart here by counting and looking, not with the engine's checks.
"""

import random
from collections import Counter
from typing import Any

from aceking.cards.card import CardId
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Actor
from aceking.settlement.judge import judge
from aceking.table import commands as c
from aceking.table.state import LAYOUT, Box, Round, TableState
from tests.table.walk import PLAYERS, Walk

_NAMES = (None, *PLAYERS, "a stranger")
_ROLES: tuple[Actor | None, ...] = (None, None, None, "player", "dealer", "house")
_AMOUNTS = (None, -10_000, -500, -1, 0, 1, 500, 1000, 2000, 3000, 10_001)
#: What might be taken in a phase.
_KINDS = {"betting": ("side", "side", "side for a player"), "deciding": ("exchange",), "revealed": ("buy", "draw")}


def cheat(walk: Walk, chance: random.Random) -> c.Act:
    """An act that is mostly wrong in one thing: the time, the box, the player, the amount, or a card."""
    current = walk.table.round
    boxes = list(current.boxes.values()) if current is not None else []
    box = chance.choice(boxes) if boxes else Box(number=1, player="Ann")
    own: dict[str, Any] = {"box": box.number, "player": box.player if chance.random() < 0.6 else chance.choice(_NAMES)}
    own["role"] = role = chance.choice(_ROLES)
    amount = None if chance.random() < 0.5 else chance.choice(_AMOUNTS)
    fits = _KINDS.get(current.phase, ()) if current is not None and chance.random() < 0.8 else ()
    match chance.choice(fits or ("side", "side for a player", "exchange", "buy", "draw")):
        case "side":
            name, stake = _wager(walk.book, box, chance)
            return c.SideBet(**own, amount=stake, wager=name)
        case "side for a player":
            side, stake = _wager(walk.book, box, chance)
            return c.PlaceForPlayer(**own, amount=stake, wager="side", side=side, noticed=False)
        case "exchange":
            take = chance.choice((None, None, _some(current, chance, 1), _some(current, chance, 2)))
            return c.Exchange(**own, give=_given(box, chance), take=take, amount=amount)
        case "buy":
            return c.BuyDealerCard(**own, amount=amount, buys=chance.random() < 0.8)
        case _:
            return c.DrawDealerCard(role=role, card=chance.choice((None, *_some(current, chance, 1))))


def _wager(book: Book, box: Box, chance: random.Random) -> tuple[str, int | None]:
    """A side wager and a stake on it: on both sides of what it takes, and of what may be taken back."""
    name = chance.choice((*book.sides, "nothing"))
    if name not in book.sides:
        return name, chance.choice(_AMOUNTS)
    side, lies = book.sides[name], box.sides[name].stake if name in box.sides else 0
    edges = [one for one in (side.stake, side.min, side.max) if one is not None]
    return name, chance.choice((*edges, *edges, *(one + 1 for one in edges), *(one - 1 for one in edges), 0, -lies, -1))


def _some(current: Round | None, chance: random.Random, count: int) -> tuple[int, ...]:
    """Any cards, those that are out among them."""
    out = current.sequence if current is not None else ()
    return tuple(chance.sample(range(52), count)) if len(out) < count or chance.random() < 0.5 else out[:count]


def _given(box: Box, chance: random.Random) -> tuple[int, ...]:
    """Some of the cards of a hand; now and then none, one twice, six, or one of another."""
    held = chance.sample(box.cards, min(len(box.cards), chance.choice((1, 1, 2, 3, 5))))
    odd = chance.random()
    if odd < 0.1:
        return ()
    if odd < 0.2 and held:
        return (*held, held[0])
    return (*held, chance.randrange(52)) if odd < 0.35 else tuple(held)


def tried(walk: Walk, act: c.Act) -> bool:
    """Takes an act of a cheat: it is refused and leaves nothing, or everything about it was right."""
    book, before, ahead = walk.book, walk.table, walk.shoe
    done = walk.take(act)
    if isinstance(done, Refusal):
        assert walk.table is before, "a refusal left something"
        return False
    current, after = before.live_round, walk.table.round
    assert current is not None, f"taken without a round: {act}"
    assert after is not None
    came: tuple[int | None, ...]
    if isinstance(act, c.DrawDealerCard):
        _check_drawn(book, current, after)
        came = (after.bought,)
    else:
        assert act.box is not None
        box = current.boxes[act.box]
        assert box.live, f"taken for a box that is out: {act}"
        assert act.player in (None, box.player), f"another's box: {act}"
        cost = _cost(book, before, current, box, act)
        came = tuple(card for card in after.boxes[box.number].took if card not in box.took)
        assert _moved(before, walk.table) == _gone(box.player, cost), f"money that is not its price: {act}"
    if came and current.sealed:
        assert came == ahead.ahead(current)[: len(came)], f"not the next cards: {act}"
    assert not set(came) & set(current.sequence), f"cards that were out: {act}"
    return True


def _moved(before: TableState, after: TableState) -> Counter[str]:
    found = Counter(after.accounts)
    found.subtract(before.accounts)
    return Counter({name: amount for name, amount in found.items() if amount})


def _gone(player: str, cost: int) -> Counter[str]:
    return Counter({player: -cost, LAYOUT: cost} if cost else {})


def _cost(book: Book, table: TableState, current: Round, box: Box, act: c.Act) -> int:
    """What an act that was taken costs, once all else about it is right."""
    match act:
        case c.SideBet() | c.PlaceForPlayer():
            name = act.wager if isinstance(act, c.SideBet) else act.side
            return _staked(book, current, box, name, act.amount or 0)
        case c.Exchange():
            return _exchanged(book, table, current, box, act)
        case _:
            assert isinstance(act, c.BuyDealerCard)
            return _bought(book, table, current, box, act)


def _staked(book: Book, current: Round, box: Box, name: str | None, amount: int) -> int:
    assert current.phase == "betting", "a late side wager"
    assert name is not None
    assert name in book.sides, f"there is no {name}"
    side, lay = book.sides[name], box.sides[name].stake if name in box.sides else 0
    least, most = (side.stake, side.stake) if side.stake is not None else (side.min, side.max)
    assert least is not None
    assert most is not None
    assert lay + amount == 0 or least <= lay + amount <= most, f"{lay} and {amount} is not {least} to {most}"
    assert box.ante, "a side wager without an ante"
    return amount


def _exchanged(book: Book, table: TableState, current: Round, box: Box, act: c.Exchange) -> int:
    assert book.exchange is not None, "an exchange in a book without one"
    assert current.phase in ("dealing", "deciding"), "an exchange out of its time"
    assert box.choice is None, "an exchange of who has decided"
    assert box.give is None, "a second exchange"
    assert 1 <= len(act.give) <= book.exchange.cards, "more than may be exchanged"
    assert not Counter(act.give) - Counter(box.cards), "a card that is not held"
    prices = book.exchange.prices or (book.exchange.price_antes,)
    cost = prices[len(act.give) - 1] * _ante(book, table, box)
    assert cost.denominator == 1, "the antes of a walk are even"
    # A bet that was made unseen goes back to a player who exchanges after all.
    return int(cost) - box.bet


def _bought(book: Book, table: TableState, current: Round, box: Box, act: c.BuyDealerCard) -> int:
    assert book.bought is not None, "a card for the dealer in a book without it"
    assert current.phase == "revealed", "the dealer's cards are hidden"
    assert not current.settled, "the round is reckoned"
    assert box.choice == "bet", "who has not bet buys nothing"
    assert box.buys is None, "he has said it before"
    assert act.role in (None, "player"), "the house speaks for a player who has time"
    by = judge(book)
    assert not by.qualifies[by.strength([CardId(one) for one in current.dealer])], "the dealer has a hand"
    return book.bought.price_antes * _ante(book, table, box) if act.buys else 0


def _ante(book: Book, table: TableState, box: Box) -> int:
    most = table.ante_max if book.ante.over_max == "settled-at-maximum" else None
    return box.ante if most is None else min(box.ante, most)


def _check_drawn(book: Book, current: Round, after: Round) -> None:
    assert book.bought is not None, "a card for the dealer in a book without it"
    assert current.bought is None, "a second card for the dealer"
    assert any(box.buys and box.paid for box in current.live), "nobody has paid for it"
    waited = [box for box in current.live if box.choice == "bet" and not box.left and not box.racked]
    assert all(box.buys is not None for box in waited), "somebody has not said whether he pays"
    assert after.bought is not None
