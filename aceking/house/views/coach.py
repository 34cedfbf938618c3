"""What the choices of a box are worth to its player, exactly: a coach for whoever asks for one."""

import msgspec

from aceking.exact.choices import choices, forfeits
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.house.views.returns import at_posted
from aceking.money.chips import shown


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what the coach says."""


class Forfeited(_Part, frozen=True, kw_only=True):
    """What a choice gives up for certain."""

    what: str
    amount: str
    clause: str
    grave: bool = False


class Coaching(_Part, frozen=True, kw_only=True):
    """The exact value of every choice in antes, and the best of them."""

    best: str
    values: dict[str, str]
    ante: str
    forfeits: dict[str, Forfeited] = {}


def coach(floor: Floor, name: str, box: int, player: str) -> Coaching | None:
    """For the player of a box who has seen its cards and owes a decision; None for all others, and at other times."""
    one = floor.tables[name]
    current = one.table.live_round
    held = None if current is None else current.boxes.get(box)
    if held is None or held.player != player:
        return None
    book = at_posted(book_of(floor.house, one), one)
    found = choices(book, one.table, box)
    if found is None:
        return None
    return Coaching(
        best=found.best,
        values={choice: str(worth) for choice, worth in found.decisions.items()},
        ante=shown(held.ante, decimals=book.decimals),
        forfeits={
            choice: Forfeited(
                what=lost.what,
                amount=shown(lost.amount, decimals=book.decimals),
                clause=lost.clause,
                grave=lost.grave,
            )
            for choice, lost in forfeits(book, one.table, box).items()
        },
    )
