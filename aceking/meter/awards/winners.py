"""Several winners of one meter, across tables: their order, and the money set aside for each.

Winners who are open at the same time make an occasion. It is paid from the value when the first of them was recognised;
later contributions count for the winners after the first. Until the first signature the amounts follow the order of the
books: they are released and locked again when a winner is added, taken back or verified.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from msgspec.structs import replace

from aceking.cards.hand import CATEGORY_BY_KEY, Category
from aceking.meter.events import AnyEvent, Locked, Overflowed, Released, Reseeded
from aceking.meter.evolve import evolve
from aceking.meter.governing_rules import Books, awards_of, rules_of
from aceking.meter.state import MeterAward, MeterState, SinceHit
from aceking.rules.odds import Amount, Fixed, Share
from aceking.rules.odds import AwardAmount as Prize
from aceking.rules.refusal import Refusal
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.jackpot import (
    Display,
    Payout,
    Winner,
    at_once,
    in_seat_order,
    pay_in_turn,
    pay_together,
    pool_of,
)


@dataclass(frozen=True, slots=True)
class Lock:
    """The money to set aside for one award."""

    id: str
    amount: int
    from_meter: int
    seed: int
    full: bool  # the whole meter is won
    after: int  # the value for the next winner, in parts
    came: SinceHit
    clause: str


class WinnersDraft:
    """Events decided one after another, and the state after them."""

    def __init__(self, state: MeterState) -> None:
        self.state = state
        self.events: list[AnyEvent] = []

    def add(self, event: AnyEvent) -> None:
        self.state = evolve(self.state, event)
        self.events.append(event)


def prize_of(books: Books, state: MeterState, book_id: str, category: Category) -> Prize | None:
    """Return what a hand wins at a table of this book, or None."""
    assert state.config is not None
    awards = awards_of(books[book_id], state.config)
    assert not isinstance(awards, Refusal), "the awards were checked at configuration"
    return awards.get(category)


def touches_meter(rules: ProgressiveRules, prize: Prize) -> bool:
    """Return True if an award depends on the meter or changes it, so that the order of winners matters."""
    return isinstance(prize, Share) or rules.deducts == "all-awards"


def winner_of(books: Books, state: MeterState, award: MeterAward) -> Winner:
    """Return the award as `aceking.settlement.jackpot` takes it."""
    category = CATEGORY_BY_KEY[award.hand]
    prize = prize_of(books, state, award.book, category)
    assert prize is not None, "an award without a prize was refused at recognition"
    at_value = None if award.at_value is None else Amount(award.at_value)
    return Winner(award.seat, category, prize, award.table, Fraction(award.fed, state.scale), at_value)


def in_order(books: Books, state: MeterState, awards: Sequence[MeterAward]) -> list[MeterAward]:
    """Return awards in the order of payment, by the book's rules within a table and across tables."""
    tables = dict.fromkeys(one.table for one in awards)
    if not tables:
        return []
    rules = rules_of(books, state, next(iter(tables)))
    if rules.across_tables == "shared":
        return sorted(awards, key=lambda one: (-one.seat, one.number))
    if len(state.tables) > 1 and rules.across_tables == "by-time-of-deal":
        # Hands completed at the same time: the seat dealt to first, then the one recognised first.
        clockwise = 1 if rules.order == "from-first-dealt" else -1
        return sorted(awards, key=lambda one: (one.dealt or one.recognised, clockwise * one.seat, one.number))
    groups = [_at_table(books, state, [one for one in awards if one.table == table]) for table in tables]
    return [one for group in sorted(groups, key=lambda one: _place(state, one[0].table)) for one in group]


def _at_table(books: Books, state: MeterState, awards: Sequence[MeterAward]) -> list[MeterAward]:
    by_seat = {one.seat: one for one in awards}
    rules = rules_of(books, state, awards[0].table)
    ordered = in_seat_order(rules, [winner_of(books, state, one) for one in awards])
    return [by_seat[one.seat] for one in ordered]


def _place(state: MeterState, table: str) -> tuple[bool, int, int]:
    """The sort key of a table: its first verification, else its first recognition. Signing does not change it.

    Awards that were signed in an earlier occasion, or undone, do not count.
    """
    first = 0 if state.occasion is None else state.occasion.first
    here = [one for one in state.awards.values() if one.table == table and one.major and not one.gone]
    awards = [one for one in here if one.number >= first or one.open]
    confirmed = [one.verified for one in awards if one.verified is not None]
    return not confirmed, min(confirmed, default=0), min(one.number for one in awards)


def open_majors(state: MeterState) -> list[MeterAward]:
    """Return the unsigned awards that depend on the meter or change it."""
    return [one for one in state.awards.values() if one.major and one.open]


def locks(books: Books, state: MeterState) -> list[Lock]:
    """Return the money to set aside for awards whose amounts are not final, in the order of payment."""
    occasion, config = state.occasion, state.config
    awards = in_order(books, state, [one for one in open_majors(state) if not one.sealed])
    if not awards:
        return []
    assert occasion is not None
    assert config is not None
    display = Display(
        Fraction(occasion.frozen, state.scale),
        Amount(config.reset),
        fed=Fraction(occasion.fed_in, state.scale),
        moved=occasion.moved,
    )
    rules = rules_of(books, state, awards[0].table)
    winners = [winner_of(books, state, one) for one in awards]
    if at_once(rules):
        payouts = pay_together(rules, winners, display)
    else:
        payouts = pay_in_turn([(rules_of(books, state, one.table), one) for one in winners], display)
    by_place = {(one.table, one.seat): one for one in awards}
    return _with_history(books, state, payouts, by_place, together=at_once(rules))


def _with_history(
    books: Books,
    state: MeterState,
    payouts: Sequence[Payout],
    by_place: dict[tuple[str, int], MeterAward],
    *,
    together: bool,
) -> list[Lock]:
    """Return the payouts as locks, each with the history of its amount."""
    assert state.occasion is not None
    came, fed_in, moved = state.occasion.came, state.occasion.fed_in, state.occasion.moved
    pools: dict[tuple[str, Category], SinceHit] = {}
    result = []
    for payout in payouts:
        award, winner = by_place[payout.winner.table, payout.winner.seat], payout.winner
        prize = winner.award
        full = isinstance(prize, Share) and prize.of_meter >= 1
        pool = pool_of(rules_of(books, state, award.table), winner)
        # A share of a pool that was set aside earlier is paid from the display at that time.
        set_aside = pool is not None and pool in pools
        if moved and award.fed > fed_in and not together and not set_aside:
            came, fed_in = replace(came, fed=came.fed + award.fed - fed_in), award.fed
        moved = True
        own = pools.setdefault(pool, came) if pool is not None else came
        assert payout.after is not None, "a meter has a reset value"
        after = int(payout.after * state.scale)
        result.append(
            Lock(
                award.id, payout.amount, payout.from_meter, payout.seed, full, after, own, _clause(books, award, prize)
            )
        )
        if not together and not set_aside:
            came = _next_history(came, after, won_at=award.recognised if full else None)
    return result


def _next_history(came: SinceHit, after: int, *, won_at: datetime | None) -> SinceHit:
    """Return the history of the value for the next winner."""
    if won_at is not None:
        return SinceHit(start=after, at=won_at)
    total = came.start + came.fed + came.adjusted - came.taken
    return replace(came, taken=came.taken + total - after)


def _clause(books: Books, award: MeterAward, prize: Prize) -> str:
    book = books[award.book]
    key = f"progressive.awards.{award.hand}"
    return book.cite(key if key in book.by_key else "progressive.awards_are")


def release(draft: WinnersDraft, at: datetime) -> None:
    """Put the money of awards whose amounts are not final back on the meter."""
    held = [one for one in open_majors(draft.state) if not one.sealed]
    if any(one.amount or one.seed_house or one.seed_reserve for one in held):
        draft.add(
            Released(
                at=at,
                ids=tuple(one.id for one in held),
                amount=sum(one.from_meter for one in held),
                seed_house=sum(one.seed_house for one in held),
                seed_reserve=sum(one.seed_reserve for one in held),
            )
        )


def relock(books: Books, draft: WinnersDraft, at: datetime) -> None:
    """Set aside the amounts of the present order, unless they are set aside already."""
    state = draft.state
    wanted = locks(books, state)
    if all(state.awards[one.id].amount == one.amount and _same(state.awards[one.id], one) for one in wanted):
        over_limit(draft, at)
        return
    release(draft, at)
    for lock in wanted:
        draft.add(
            Locked(
                at=at, id=lock.id, amount=lock.amount, from_meter=lock.from_meter, clause=lock.clause, came=lock.came
            )
        )
        if lock.seed:
            reserve = min(lock.seed, draft.state.counters.reserve // draft.state.scale)
            draft.add(Reseeded(at=at, id=lock.id, from_house=lock.seed - reserve, from_reserve=reserve))
    over_limit(draft, at)


def _same(award: MeterAward, lock: Lock) -> bool:
    seeded = award.seed_house + award.seed_reserve
    return award.from_meter == lock.from_meter and seeded == lock.seed and award.came == lock.came


def over_limit(draft: WinnersDraft, at: datetime) -> None:
    """Move what exceeds the limit to overflow, once no occasion is open (R7)."""
    state = draft.state
    if state.config is None or state.config.limit is None or state.occasion is not None:
        return
    over = state.counters.value - state.config.limit * state.scale
    if over > 0:
        draft.add(Overflowed(at=at, parts=over))


def fixed_amount(prize: Prize) -> int:
    """Return the amount of an award that does not depend on the meter."""
    assert isinstance(prize, Fixed)
    return prize.amount
