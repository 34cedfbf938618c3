"""Apply the book's cap on what one round pays on ante and bet."""

from collections.abc import Sequence

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.settlement.lines import Line
from aceking.settlement.scenario import Seat

_CAPPED = ("ante", "bet")


def under_round_cap(book: Book, lines: Sequence[Line], seats: Sequence[Seat]) -> Sequence[Line]:
    """Return the lines in the order of payment, with the wins cut to the cap of the round."""
    cap = book.table.round_cap
    if cap is None:
        return lines
    groups: dict[int | str, list[int]] = {}
    owners = {seat.number: seat.player or seat.number for seat in seats}
    for place, line in enumerate(lines):
        if line.wager in _CAPPED and line.pays:
            owner = {"box": line.seat, "player": owners[line.seat]}.get(book.table.round_cap_for or "", 0)
            groups.setdefault(owner, []).append(place)
    capped, clause = list(lines), book.cite("table.round_cap")
    for places in groups.values():
        wins = [lines[place].pays for place in places]
        kept = _pro_rata(wins, cap) if book.table.round_cap_cut == "pro-rata" else _in_order(wins, cap)
        for place, pays in zip(places, kept, strict=True):
            if pays != lines[place].pays:
                capped[place] = replace(lines[place], pays=pays, clause=clause)
    return capped


def _in_order(wins: Sequence[int], cap: int) -> list[int]:
    """Pay each win in full until the cap is used up; the last ones are cut."""
    left, kept = cap, []
    for win in wins:
        kept.append(min(win, left))
        left -= kept[-1]
    return kept


def _pro_rata(wins: Sequence[int], cap: int) -> list[int]:
    """Pay each win its part of the cap; the odd coins go to those who are paid first."""
    total = sum(wins)
    if total <= cap:
        return list(wins)
    kept = [win * cap // total for win in wins]
    for place in range(cap - sum(kept)):
        kept[place] += 1
    return kept
