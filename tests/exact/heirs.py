"""Books of a few lines that start from a shipped one, and what is asked of each: the table plays what is priced."""

from aceking.exact.simulate.chance import deals
from aceking.exact.simulate.honest import HonestTable
from aceking.exact.simulate.plan import plan
from aceking.rules.book import Book


def same_at_the_table(book: Book, *, rounds: int = 60, seats: int = 2, seed: int = 5) -> bool:
    """Whether the same deals, played act by act at a table, come to what the simulator by columns has."""
    asked = plan(book, rounds=rounds, seats=seats, seed=seed)
    honest = HonestTable(asked)
    dealt = deals(seed, 0, cards=asked.game.cards, rounds=rounds)
    codes = asked.game.play(dealt).codes
    fast = [[int(asked.game.outcomes[int(code)].net * honest.ante) for code in one] for one in codes.T]
    return list(honest.rounds()) == fast
