"""What a player may ask for: types of their own that cannot name another person, a role, a card of the deck or a time.

A gateway reads one of these from a player's page; who he is comes from the session, when it was from the server. A card
that he names is one of his own hand, by the way it is written; what he draws the deck says.
"""

from typing import Annotated

import msgspec

from aceking.cards.card import card, cards
from aceking.rules.words import Actor
from aceking.table import commands as c

_CardName = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][cdhs]$")]
#: One card, or two where the book wants that: `4d`, `4d 9c`.
_CardNames = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])?$")]
#: What may be exchanged at once: one card to five.
_Given = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs]){0,4}$")]
_Chips = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]


class _Asks(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that a player asks for at a box."""

    box: c.BoxNumber


class PlaceAnte(_Asks, tag="ante", frozen=True, kw_only=True):
    """Stake an ante, or take it back with an amount below nothing."""

    amount: _Chips


class PlaceSide(_Asks, tag="side-bet", frozen=True, kw_only=True):
    """Stake a side wager, or take it back."""

    amount: _Chips
    wager: str | None = None


class SeeHand(_Asks, tag="look", frozen=True):
    """Look at the hand."""


class BuyCard(_Asks, tag="exchange", frozen=True, kw_only=True):
    """Give a card for the next of the deck; several where the book has a price list."""

    give: _Given


class BuyForDealer(_Asks, tag="buy-dealer-card", frozen=True, kw_only=True):
    """Pay for a card for a dealer without a hand, or leave it."""

    buys: bool


class LayAside(_Asks, tag="discard", frozen=True, kw_only=True):
    """Lay a card aside."""

    card: _CardName


class MakeBet(_Asks, tag="bet", frozen=True, kw_only=True):
    """Bet, and lay cards aside where the game has that; an amount only for a bet before the box is asked."""

    discard: _CardNames | None = None
    amount: _Chips | None = None


class StayIn(_Asks, tag="stay", frozen=True, kw_only=True):
    """Stay without a bet."""

    discard: _CardNames | None = None


class GiveUp(_Asks, tag="fold", frozen=True):
    """Fold."""


class DeclareWinner(_Asks, tag="declare", frozen=True):
    """Declare an instant winner."""


class ClaimJackpot(_Asks, tag="claim", frozen=True):
    """Give notice of a jackpot hand."""


class Answer(_Asks, tag="choose", frozen=True, kw_only=True):
    """Go on with the hand, or take the bet back, where the book asks."""

    question: int
    go_on: bool


PlayerCommand = (
    PlaceAnte
    | PlaceSide
    | SeeHand
    | BuyCard
    | BuyForDealer
    | LayAside
    | MakeBet
    | StayIn
    | GiveUp
    | DeclareWinner
    | ClaimJackpot
    | Answer
)
ROLE: Actor = "player"


def as_command(asked: PlayerCommand, *, player: str, at: int) -> c.Command:
    """The command of the table that a player's request is, in his name and at the server's time."""
    who = {"by": player, "role": ROLE, "at": at}
    match asked:
        case Answer():
            return c.Choose(box=asked.box, question=asked.question, go_on=asked.go_on, by=player, role=ROLE, at=at)
        case PlaceAnte():
            return c.Ante(box=asked.box, player=player, amount=asked.amount, by=player, role=ROLE, at=at)
        case PlaceSide():
            side = c.SideBet(box=asked.box, player=player, amount=asked.amount, wager=asked.wager)
            return msgspec.structs.replace(side, **who)
        case SeeHand():
            return c.Look(box=asked.box, player=player, by=player, role=ROLE, at=at)
        case BuyCard():
            give = cards(asked.give)
            return c.Exchange(box=asked.box, player=player, give=give, by=player, role=ROLE, at=at)
        case BuyForDealer():
            return c.BuyDealerCard(box=asked.box, player=player, buys=asked.buys, by=player, role=ROLE, at=at)
        case LayAside():
            return c.Discard(box=asked.box, player=player, card=card(asked.card), by=player, role=ROLE, at=at)
        case MakeBet():
            bet = c.Bet(box=asked.box, player=player, amount=asked.amount, discard=_aside(asked.discard))
            return msgspec.structs.replace(bet, **who)
        case StayIn():
            stay = c.Stay(box=asked.box, player=player, discard=_aside(asked.discard))
            return msgspec.structs.replace(stay, **who)
        case GiveUp():
            return c.Fold(box=asked.box, player=player, by=player, role=ROLE, at=at)
        case DeclareWinner():
            return c.Declare(box=asked.box, player=player, by=player, role=ROLE, at=at)
        case ClaimJackpot():
            return c.Claim(box=asked.box, player=player, by=player, role=ROLE, at=at)


def _aside(names: str | None) -> c.Aside:
    return None if names is None else c.as_aside(cards(names))
