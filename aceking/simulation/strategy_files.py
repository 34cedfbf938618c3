"""A strategy from a file: lines of advice as `aceking strategy BOOK --json` writes them, every hand in one of them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS, SUITS, Card, CardError, card, cards, name, names
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank
from aceking.exact.advice import hand_text
from aceking.exact.stud.rows import FLUSHES
from aceking.rules.book import Book
from aceking.simulation.decisions import BET, FOLD, GIVE, GIVE_ODD, NONE, Rows
from aceking.simulation.games.game import Codes, SimulationError

_PLAIN = {"fold": FOLD, "bet": BET, "exchange the odd suit": GIVE_ODD}
_NO_SUITS = "none"
_DISCARD = " discard "


def read_lines(file: str) -> list[Mapping[str, Any]]:
    """The lines of a file."""
    try:
        raw = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as failed:
        raise SimulationError(f"{file}: {failed.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as broken:
        raise SimulationError(f"{file} is not JSON: {broken}") from None
    lines = raw.get("advice") if isinstance(raw, dict) else None
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise SimulationError(
            f'{file}: a strategy has "advice", a list of lines, as aceking strategy BOOK --json writes'
        )
    return lines


def codes_from_file(book: Book, file: str, every: Sequence[Rows]) -> list[Codes]:
    """What the file does with each row of a book with a dealer."""
    reader = _Reader(book, file)
    for number, line in enumerate(read_lines(file), start=1):
        reader.read(number, line)
    return [reader.codes(rows) for rows in every]


class _Line:
    """One line: the hands that it is about, and what is done with them."""

    def __init__(self, number: int, low: int, high: int, code: int, raw: Mapping[str, Any]) -> None:
        self.number, self.low, self.high, self.code = number, low, high, code
        self.four_suited: bool | None = raw.get("four_suited")
        self.suits = [_suits(str(text)) for text in raw.get("suits") or ()]

    def fits(self, strength: NDArray[np.intp], rows: Rows, four: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The rows that the line is about."""
        found = (strength >= self.low) & (strength <= self.high)
        if self.four_suited is not None:
            found &= four == self.four_suited
        if self.suits:
            some = np.zeros(len(found), np.bool_)
            for bits, odd in self.suits:
                some |= (rows.suited == bits) & ((rows.odd == odd) if odd else np.True_)
            found &= some
        return found


class _Reader:
    """Reads the lines of one file and gives every row its decision."""

    def __init__(self, book: Book, file: str) -> None:
        table = ranker(ace_low=book.hands.ace_low)
        self._file = file
        self._exchanges = book.exchange is not None
        self._texts = [hand_text(rank) for rank in table.ranks]
        self._strength = {text: strength for strength, text in enumerate(self._texts)}
        self._held = np.array([_ranks(rank, text) for rank, text in zip(table.ranks, self._texts, strict=True)])
        self._flush = np.array([category in FLUSHES for category in table.categories])
        self._lines: dict[int, list[_Line]] = {up: [] for up in range(len(RANKS))}

    def read(self, number: int, raw: Mapping[str, Any]) -> None:
        """One more line."""
        where = f"{self._file}, line {number} of the advice"
        try:
            up, low, high = RANKS.index(raw["up"]), self._strength[raw["weakest"]], self._strength[raw["strongest"]]
            self._lines[up].append(_Line(number, low, high, self._code(str(raw["best"])), raw))
        except (KeyError, ValueError, TypeError) as wrong:
            raise SimulationError(f"{where}: {wrong} is not understood") from None

    def _code(self, best: str) -> int:
        if best in _PLAIN and (self._exchanges or best != "exchange the odd suit"):
            return _PLAIN[best]
        does, _, rank = best.partition(" ")
        if self._exchanges and does == "exchange" and rank in RANKS and len(rank) == 1:
            return GIVE + RANKS.index(rank)
        raise ValueError(f"best {best!r}")

    def codes(self, rows: Rows) -> Codes:
        """The decision of every row."""
        found = np.full(len(rows.kind), NONE, np.uint8)
        strengths, ups = np.divmod(rows.kind, len(RANKS))
        for up in range(len(RANKS)):
            at = np.flatnonzero(ups == up)
            some = Rows(rows.kind[at], rows.suited[at], rows.odd[at])
            strength = strengths[at]
            four = (some.odd > 0) | self._flush[strength]
            for line in self._lines[up]:
                mine = at[line.fits(strength, some, four)]
                self._check(line, rows, mine, found)
                found[mine] = line.code
        gaps = np.flatnonzero(found == NONE)
        if len(gaps):
            raise SimulationError(f"{self._file}: no line says what to do with {self._hand(rows, int(gaps[0]))}")
        return found

    def _check(self, line: _Line, rows: Rows, mine: NDArray[np.intp], found: Codes) -> None:
        twice = mine[(found[mine] != NONE) & (found[mine] != line.code)]
        if len(twice):
            hand = self._hand(rows, int(twice[0]))
            raise SimulationError(f"{self._file}, line {line.number}: another line says otherwise about {hand}")
        strength = rows.kind[mine] // len(RANKS)
        if line.code == GIVE_ODD:
            wrong = mine[rows.odd[mine] == 0]
        elif line.code >= GIVE:
            wrong = mine[self._held[strength] >> (line.code - GIVE) & 1 == 0]
        else:
            wrong = mine[:0]
        if len(wrong):
            raise SimulationError(
                f"{self._file}, line {line.number}: {self._hand(rows, int(wrong[0]))} has no such card to give up"
            )

    def _hand(self, rows: Rows, at: int) -> str:
        strength, up = divmod(int(rows.kind[at]), len(RANKS))
        bits, odd = int(rows.suited[at]), int(rows.odd[at])
        suited = " ".join(RANKS[rank] for rank in reversed(range(len(RANKS))) if bits >> rank & 1) or _NO_SUITS
        drawn = f", four of one suit beside {RANKS[odd - 1]}" if odd else ""
        return f"{self._texts[strength]} against {RANKS[up]} (held in its suit: {suited}{drawn})"


def _ranks(rank: HandRank, text: str) -> int:
    """The ranks of a hand as bits."""
    if not rank.ranks:
        return 0
    return sum(1 << RANKS.index(letter) for letter in dict.fromkeys(text.split(" of ")[0].split()))


def _suits(text: str) -> tuple[int, int]:
    """`A 8; odd 5`: the ranks held in the up-card's suit as bits, and the odd rank plus one."""
    held, _, odd = text.partition("; odd ")
    letters = [] if held == _NO_SUITS else held.split()
    return sum(1 << RANKS.index(letter) for letter in letters), RANKS.index(odd) + 1 if odd else 0


# --- against a pay table ---


def columns_from_file(book: Book, file: str) -> tuple[int, ...]:
    """What the file does with each class of three cards."""
    from aceking.exact.community.hands import class_of
    from aceking.exact.community.strategy import columns

    said: dict[tuple[Card, ...], tuple[tuple[Card, ...], str]] = {}
    for number, line in enumerate(read_lines(file), start=1):
        where = f"{file}, line {number} of the advice"
        try:
            hand, best = cards(str(line["weakest"])), str(line["best"])
            if discard := best.partition(_DISCARD)[2]:
                card(discard)
        except KeyError as missing:
            raise SimulationError(f"{where}: it has no {missing}") from None
        except CardError as wrong:
            raise SimulationError(f"{where}: {wrong}") from None
        if len(set(hand)) != book.hands.cards:
            raise SimulationError(f"{where}: {names(hand)!r} is no hand of {book.hands.cards} cards")
        before = said.setdefault(class_of(hand), (hand, best))
        if best not in _renamed(*before, hand):
            raise SimulationError(f"{where}: another line says otherwise about {names(hand)}")

    def rule(_: Book, three: Sequence[Card]) -> str:
        found = said.get(class_of(three))
        if found is None:
            raise SimulationError(f"{file}: no line says what to do with {names(tuple(three))}")
        return next(_renamed(*found, three))

    try:
        return tuple(columns(book, rule))
    except SimulationError:
        raise
    except ValueError as wrong:
        raise SimulationError(f"{file}: {wrong}") from None


def _renamed(hand: tuple[Card, ...], best: str, three: Sequence[Card]) -> Iterator[str]:
    """What is said of a hand, for one that differs in the names of suits only; with two alike of either."""
    does, _, discard = best.partition(_DISCARD)
    if not discard:
        yield best
        return
    for suits in permutations(range(len(SUITS))):
        if {one & ~3 | suits[one & 3] for one in hand} == set(three):
            given = card(discard)
            yield f"{does}{_DISCARD}{name(Card(given & ~3 | suits[given & 3]))}"
