"""Which ruling of a book decides a mishap: the one that asks for the most of what holds.

Two rulings that ask for equally much in a case that can be are an error of the book. Choices of the house part them:
`when` says under which options a ruling stands.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations

from aceking.rules.book import Book
from aceking.rules.clause import Clause, Ruling, When
from aceking.rules.words import Circumstance, Mishap

#: Circumstances of which exactly one holds at a time.
EXCLUSIVE: tuple[frozenset[Circumstance], ...] = (
    frozenset({"bets-open", "bets-closed"}),
    frozenset({"before-no-more-bets", "bets-closed"}),
    frozenset({"during-deal", "after-deal"}),
    frozenset({"before-first-card", "after-deal"}),
    frozenset({"a-violation", "no-violation"}),
    frozenset({"before-first-card", "after-up-card"}),
    frozenset({"before-first-card", "somebody-looked"}),
    frozenset({"before-up-card", "after-up-card"}),
    frozenset({"one", "two-or-more"}),
    frozenset({"nobody-looked", "somebody-looked"}),
    frozenset({"dealer-has-four", "dealer-has-other"}),
    frozenset({"misdealt", "not-misdealt"}),
    frozenset({"52-cards", "not-52-cards"}),
    frozenset({"decision-owed", "no-decision-owed"}),
    frozenset({"outcome-established", "no-outcome"}),
    frozenset({"rebuildable", "rebuildable-from-stub", "not-rebuildable"}),
    frozenset({"this-round", "later-rounds"}),
    frozenset({"before-next-round", "after-next-round"}),
    frozenset({"intentional", "unintentional"}),
    frozenset({"player-goes-on", "player-withdraws"}),
    frozenset({"course-close-table", "course-block-affected-box", "course-play-without-jackpot"}),
)


class RulingError(ValueError):
    """Two rulings that nothing parts; the message names both."""


def stands(when: When, chosen: Mapping[str, object]) -> bool:
    """Whether the house's choices are those under which something stands."""
    return all(str(chosen.get(option)) in values for option, values in when)


@cache
def rulings_on(book: Book, mishap: Mishap) -> tuple[tuple[str, Ruling], ...]:
    """The rulings on a mishap with their clauses, under the options of this house."""
    return tuple(
        (clause.id, ruling)
        for clause in book.clauses.values()
        for ruling in clause.rulings
        if ruling.on == mishap and stands(ruling.when, book.chosen)
    )


def ruling_for(book: Book, mishap: Mishap, known: Iterable[Circumstance]) -> tuple[str, Ruling] | None:
    """The ruling that asks for the most of what holds, with its clause; None where the book is silent."""
    holds = frozenset(known)
    fitting = [one for one in rulings_on(book, mishap) if one[1].wants <= holds]
    return max(fitting, key=lambda one: len(one[1].wants), default=None)


def check_rulings(clauses: Mapping[str, Clause]) -> None:
    """Every case that can be has one ruling that is nearest to it."""
    by_mishap: dict[Mishap, list[tuple[str, Ruling]]] = {}
    for clause in clauses.values():
        for ruling in clause.rulings:
            by_mishap.setdefault(ruling.on, []).append((clause.id, ruling))
    for mishap, found in by_mishap.items():
        for one, other in combinations(found, 2):
            _check_pair(mishap, one, other, found)


def _check_pair(
    mishap: Mishap, one: tuple[str, Ruling], other: tuple[str, Ruling], found: list[tuple[str, Ruling]]
) -> None:
    case = one[1].wants | other[1].wants
    if one[1].then == other[1].then or len(one[1].wants) != len(other[1].wants):
        return
    if not _together(one[1].when, other[1].when) or not _can_be(case):
        return
    nearer = [
        ruling
        for _, ruling in found
        if ruling.wants <= case
        and len(ruling.wants) > len(one[1].wants)
        and _covers(ruling.when, one[1].when, other[1].when)
    ]
    if not nearer:
        given = " and ".join(sorted(case)) or "always"
        raise RulingError(f"{other[0]}: it decides {mishap} ({given}) otherwise than {one[0]} does")


def _can_be(case: frozenset[Circumstance]) -> bool:
    return not any(len(case & group) > 1 for group in EXCLUSIVE)


def _together(one: When, other: When) -> bool:
    """Whether there are choices of the house under which both stand."""
    mine, theirs = dict(one), dict(other)
    return all(set(mine[option]) & set(theirs[option]) for option in mine.keys() & theirs.keys())


def _covers(when: When, one: When, other: When) -> bool:
    """Whether a ruling stands wherever the two stand together."""
    both = {**dict(one), **dict(other)}
    return all(option in both and set(both[option]) <= set(values) for option, values in when)
