"""Requests of a player: types that cannot name another person, a role, an undealt card or a time.

The server reads one of these from a player's page and adds the player from the session and the time from its clock. A
card in a request is one of the player's own hand; cards that are drawn come from the deck.
"""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

import msgspec

from aceking.cards.card import card, cards
from aceking.rules.words import Actor
from aceking.table import commands as c

#: `$` alone would also match before a line break at the end.
_CARD, _END = "[2-9TJQKA][cdhs]", r"$(?!\n)"
_CardName = Annotated[str, msgspec.Meta(pattern=f"^{_CARD}{_END}")]
#: One card, or two if the book asks for two: `4d`, `4d 9c`.
_CardNames = Annotated[str, msgspec.Meta(pattern=f"^{_CARD}( {_CARD})?{_END}")]
#: The cards given in an exchange: one to five.
_ExchangedCards = Annotated[str, msgspec.Meta(pattern=f"^{_CARD}( {_CARD}){{0,4}}{_END}")]
_Chips = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]


class _Asks(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="do"):
    box: c.BoxNumber


class PlaceAnte(_Asks, tag="ante", frozen=True, kw_only=True):
    """Stake an ante, or take it back with a negative amount."""

    amount: _Chips


class PlaceSide(_Asks, tag="side-bet", frozen=True, kw_only=True):
    """Stake a side wager, or take it back."""

    amount: _Chips
    wager: str | None = None


class SeeHand(_Asks, tag="look", frozen=True):
    """Look at the hand."""


class BuyCard(_Asks, tag="exchange", frozen=True, kw_only=True):
    """Exchange a card for the next of the deck; several if the book has a price list."""

    give: _ExchangedCards


class BuyForDealer(_Asks, tag="buy-dealer-card", frozen=True, kw_only=True):
    """Pay for a card for a dealer without a hand, or decline."""

    buys: bool


class LayAside(_Asks, tag="discard", frozen=True, kw_only=True):
    """Discard a card."""

    card: _CardName


class MakeBet(_Asks, tag="bet", frozen=True, kw_only=True):
    """Bet, with discards if the game has them; an amount only for a bet before the box is asked."""

    discard: _CardNames | None = None
    amount: _Chips | None = None


class StayIn(_Asks, tag="stay", frozen=True, kw_only=True):
    """Stay without a bet."""

    discard: _CardNames | None = None


class PlainDecision(_Asks, frozen=True):
    """A decision without further fields."""


def _plain(choice: str, command: type[c.DecisionAct]) -> type[PlainDecision]:
    described = {"__doc__": command.__doc__, "__module__": __name__}
    request = msgspec.defstruct(f"Ask{choice.title()}", [], bases=(PlainDecision,), tag=choice, namespace=described)
    assert issubclass(request, PlainDecision)
    return request


#: The requests of the decisions whose commands have no further fields.
PLAIN: Mapping[str, type[PlainDecision]] = {
    choice: _plain(choice, command)
    for choice, command in c.DECISION_ACTS.items()
    if command.__struct_fields__ == c.DecisionAct.__struct_fields__
}
GiveUp, DeclareWinner = PLAIN["fold"], PLAIN["declare"]
if TYPE_CHECKING:
    _Plain = PlainDecision
else:
    _Plain = reduce(or_, PLAIN.values())


class ClaimJackpot(_Asks, tag="claim", frozen=True):
    """Give notice of a jackpot hand."""


class PlayerAnswer(_Asks, tag="choose", frozen=True, kw_only=True):
    """Go on with the hand, or take the bet back, if the book asks."""

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
    | _Plain
    | ClaimJackpot
    | PlayerAnswer
)
_PLAIN_COMMANDS = {asks: c.DECISION_ACTS[choice] for choice, asks in PLAIN.items()}
ROLE: Actor = "player"


def as_command(asked: PlayerCommand, *, player: str, at: int) -> c.TableCommand:
    """Return the table's command for a player's request, with the player's name and the server's time."""
    who = {"by": player, "role": ROLE, "at": at}
    match asked:
        case PlayerAnswer():
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
        case PlainDecision():
            return _PLAIN_COMMANDS[type(asked)](box=asked.box, player=player, by=player, role=ROLE, at=at)
        case ClaimJackpot():
            return c.Claim(box=asked.box, player=player, by=player, role=ROLE, at=at)


def _aside(names: str | None) -> c.Aside:
    return None if names is None else c.as_aside(cards(names))
