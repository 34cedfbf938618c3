"""Double entry: every movement of money is a set of postings that sum to zero."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount that an account gains, or gives where it is negative, by a clause."""

    account: str
    amount: int
    clause: str


def transfer(*, source: str, target: str, amount: int, clause: str) -> tuple[Posting, ...]:
    """One account gives what the other gains."""
    if amount == 0:
        return ()
    return Posting(source, -amount, clause), Posting(target, amount, clause)


def balances(postings: Iterable[Posting]) -> Counter[str]:
    """What each account has gained."""
    totals: Counter[str] = Counter()
    for one in postings:
        totals[one.account] += one.amount
    return totals
