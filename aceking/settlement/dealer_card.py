"""The card that players may buy for a dealer who does not qualify."""

from collections.abc import Sequence

from aceking.cards.card import CardId, rank_of
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.settlement.hands import Bank, bank_of
from aceking.settlement.scenario import Scenario, ScenarioError


def with_bought(book: Book, dealer: Sequence[CardId], bought: CardId) -> tuple[CardId, ...]:
    """Return the dealer's hand with the bought card in place of the one it replaces.

    A hand that does not qualify has five different ranks (the loader checks it), so highest and lowest are unique.
    """
    assert book.bought is not None, f"{book.id} has no bought card"
    replaced = (max if book.bought.replaces == "highest" else min)(dealer, key=rank_of)
    return tuple(bought if one == replaced else one for one in dealer)


def bought_bank(book: Book, scenario: Scenario, dealer: Bank | None) -> Bank | Refusal | None:
    """Return the dealer's hand for the players who bought a card; None if nobody did. Raises ScenarioError."""
    buyers = [seat.number for seat in scenario.seats if seat.buys]
    if not buyers:
        if scenario.bought is not None:
            raise ScenarioError("bought: a card came for the dealer, and nobody has paid for it")
        return None
    if scenario.bought is None:
        raise ScenarioError(f"bought: seat {buyers[0]} has paid for a card for the dealer, and none came")
    assert dealer is not None, "who buys has bet, and a bet is against the dealer's hand"
    if dealer.shown.qualifies:
        return Refusal(
            f"seat {buyers[0]}: the dealer has a hand, and no card is bought for it", book.cite("bought.price_antes")
        )
    return bank_of(book, with_bought(book, scenario.dealer, scenario.bought))
