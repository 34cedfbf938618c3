"""A coach: the exact values of a player's choices."""

from aceking.exact.choices import choices, forfeits
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.house.views.returns import at_posted
from aceking.money.chips import shown
from aceking.table.show.part import ShownPart


class ForfeitedValue(ShownPart, frozen=True, kw_only=True):
    """The money that a choice certainly gives up."""

    what: str
    amount: str
    clause: str
    grave: bool = False


class Coaching(ShownPart, frozen=True, kw_only=True):
    """The exact value of every choice in antes, and the best choice."""

    best: str
    values: dict[str, str]
    ante: str
    forfeits: dict[str, ForfeitedValue] = {}


def coach(floor: Floor, name: str, box: int, player: str) -> Coaching | None:
    """Return the values of a box's choices for its player; None unless they have seen its cards and must decide."""
    state = floor.tables[name]
    current = state.table.live_round
    held = None if current is None else current.boxes.get(box)
    if held is None or held.player != player:
        return None
    book = at_posted(book_of(floor.house, state), state)
    values = choices(book, state.table, box)
    if values is None:
        return None
    return Coaching(
        best=values.best,
        values={choice: str(worth) for choice, worth in values.decisions.items()},
        ante=shown(held.ante, decimals=book.decimals),
        forfeits={
            choice: ForfeitedValue(
                what=lost.what,
                amount=shown(lost.amount, decimals=book.decimals),
                clause=lost.clause,
                grave=lost.grave,
            )
            for choice, lost in forfeits(book, state.table, box).items()
        },
    )
