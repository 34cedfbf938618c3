"""Which ruling of a book decides a mishap: of those that apply, the one that needs the most circumstances.

If two rulings that need equally many can apply to one case, the book is refused, unless `when` restricts them to
different options of the house.
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
    """Two rulings apply to one case, and neither is nearer; the message names both."""


def applies(when: When, chosen: Mapping[str, object]) -> bool:
    """Return True if the house has chosen options under which an act or a ruling applies."""
    return all(str(chosen.get(option)) in values for option, values in when)


@cache
def rulings_on(book: Book, mishap: Mishap) -> tuple[tuple[str, Ruling], ...]:
    """Return the rulings on a mishap with their clauses, under the options of this book."""
    return tuple(
        (clause.id, ruling)
        for clause in book.clauses.values()
        for ruling in clause.rulings
        if ruling.on == mishap and applies(ruling.when, book.chosen)
    )


def ruling_for(book: Book, mishap: Mishap, known: Iterable[Circumstance]) -> tuple[str, Ruling] | None:
    """Return the ruling that applies and needs the most circumstances, with its clause; None if there is none."""
    holds = frozenset(known)
    fitting = [(clause, one) for clause, one in rulings_on(book, mishap) if one.circumstances <= holds]
    return max(fitting, key=lambda found: len(found[1].circumstances), default=None)


def check_rulings(clauses: Mapping[str, Clause]) -> None:
    """Raise RulingError if a possible case has two nearest rulings."""
    by_mishap: dict[Mishap, list[tuple[str, Ruling]]] = {}
    for clause in clauses.values():
        for ruling in clause.rulings:
            by_mishap.setdefault(ruling.on, []).append((clause.id, ruling))
    for mishap, rulings in by_mishap.items():
        for first, second in combinations(rulings, 2):
            _check_pair(mishap, first, second, rulings)


def _check_pair(
    mishap: Mishap, first: tuple[str, Ruling], second: tuple[str, Ruling], rulings: list[tuple[str, Ruling]]
) -> None:
    (clause, one), (other_clause, other) = first, second
    case = one.circumstances | other.circumstances
    if one.then == other.then or len(one.circumstances) != len(other.circumstances):
        return
    if not _together(one.when, other.when) or not _can_be(case):
        return
    nearer = [
        ruling
        for _, ruling in rulings
        if ruling.circumstances <= case
        and len(ruling.circumstances) > len(one.circumstances)
        and _covers(ruling.when, one.when, other.when)
    ]
    if not nearer:
        given = " and ".join(sorted(case)) or "always"
        raise RulingError(f"{other_clause}: it decides {mishap} ({given}) otherwise than {clause} does")


def _can_be(case: frozenset[Circumstance]) -> bool:
    return not any(len(case & group) > 1 for group in EXCLUSIVE)


def _together(one: When, other: When) -> bool:
    """Return True if there are options of the house under which both apply."""
    mine, theirs = dict(one), dict(other)
    return all(set(mine[option]) & set(theirs[option]) for option in mine.keys() & theirs.keys())


def _covers(when: When, one: When, other: When) -> bool:
    """Return True if a ruling applies wherever the two others both apply."""
    both = {**dict(one), **dict(other)}
    return all(option in both and set(both[option]) <= set(values) for option, values in when)
