"""The only way by which cards enter a round: the next of a known order, or one that has not been seen yet."""

from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said
from aceking.table.base_procedure import base
from aceking.table.moment import Moment


def next_card(now: Moment, named: int | None) -> int | Refusal:
    """Return the next card: the deck's own, or at a live table the one that the dealer names."""
    cards = next_cards(now, 1, None if named is None else (named,))
    return cards if isinstance(cards, Refusal) else cards[0]


def next_cards(now: Moment, count: int, named: tuple[int, ...] | None) -> tuple[int, ...] | Refusal:
    """Return the next `count` cards of the deck, in order; or why they are refused."""
    current = now.table.round
    assert current is not None
    if named is not None and len(named) != count:
        return base("deck", said("{count} cards come off the deck, not {given}", count=count, given=len(named)))
    if not count:
        return ()
    if current.sealed:
        ahead = now.shoe.ahead(current)
        if len(ahead) < count:
            return base("deck", "the order of the deck is sealed, and the shoe does not tell the next card")
        if named is not None and named != ahead[:count]:
            return base(
                "deck", "that is not the next card of the deck" if count == 1 else "those are not the next cards"
            )
        return ahead[:count]
    if named is None:
        return base("input", "name the card" if count == 1 else said("name {count} cards", count=count))
    if len(set(named)) < count:
        return base("deck", "a card comes twice")
    out = [card for card in named if current.is_out(card) or card >= now.book.deck.size]
    return base("deck", "that card is dealt already, or there is no such card") if out else named
