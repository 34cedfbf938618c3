"""A strategy from a file: lines of advice as `aceking strategy BOOK --json` writes them, with each hand in one line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS, SUITS, CardError, CardId, card, cards, name, names
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank
from aceking.exact.advice import hand_text
from aceking.exact.stud.rows import FLUSHES
from aceking.rules.book import Book
from aceking.simulation.decisions import BET, FOLD, GIVE, GIVE_ODD, NONE, DecisionRows
from aceking.simulation.games.game import Codes, SimulationError

_PLAIN = {"fold": FOLD, "bet": BET, "exchange the odd suit": GIVE_ODD}
_NO_SUITS = "none"
_DISCARD = " discard "


def read_lines(file: str) -> list[Mapping[str, Any]]:
    """Return the lines of advice in a file. Raises SimulationError."""
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


def codes_from_file(book: Book, file: str, every: Sequence[DecisionRows]) -> list[Codes]:
    """Return the codes of each row of a book with a dealer, by the file. Raises SimulationError."""
    reader = _Reader(book, file)
    for number, line in enumerate(read_lines(file), start=1):
        reader.read(number, line)
    return [reader.codes(rows) for rows in every]


class _Line:
    """One line: the hands that it covers, and their decision."""

    def __init__(self, number: int, low: int, high: int, code: int, raw: Mapping[str, Any]) -> None:
        self.number, self.low, self.high, self.code = number, low, high, code
        self.four_suited: bool | None = raw.get("four_suited")
        self.suits = [_suits(str(text)) for text in raw.get("suits") or ()]

    def fits(self, strength: NDArray[np.intp], rows: DecisionRows, four: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which rows the line covers."""
        covered = (strength >= self.low) & (strength <= self.high)
        if self.four_suited is not None:
            covered &= four == self.four_suited
        if self.suits:
            suited = np.zeros(len(covered), np.bool_)
            for bits, odd in self.suits:
                suited |= (rows.suited == bits) & ((rows.odd == odd) if odd else np.True_)
            covered &= suited
        return covered


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

    def codes(self, rows: DecisionRows) -> Codes:
        """Return the decision of every row. Raises SimulationError if a line is wrong or a hand has none."""
        codes = np.full(len(rows.kind), NONE, np.uint8)
        strengths, ups = np.divmod(rows.kind, len(RANKS))
        for up in range(len(RANKS)):
            at = np.flatnonzero(ups == up)
            here = DecisionRows(rows.kind[at], rows.suited[at], rows.odd[at])
            strength = strengths[at]
            four = (here.odd > 0) | self._flush[strength]
            for line in self._lines[up]:
                covered = at[line.fits(strength, here, four)]
                self._check(line, rows, covered, codes)
                codes[covered] = line.code
        gaps = np.flatnonzero(codes == NONE)
        if len(gaps):
            raise SimulationError(f"{self._file}: no line says what to do with {self._hand(rows, int(gaps[0]))}")
        return codes

    def _check(self, line: _Line, rows: DecisionRows, covered: NDArray[np.intp], codes: Codes) -> None:
        twice = covered[(codes[covered] != NONE) & (codes[covered] != line.code)]
        if len(twice):
            hand = self._hand(rows, int(twice[0]))
            raise SimulationError(f"{self._file}, line {line.number}: another line says otherwise about {hand}")
        strength = rows.kind[covered] // len(RANKS)
        if line.code == GIVE_ODD:
            wrong = covered[rows.odd[covered] == 0]
        elif line.code >= GIVE:
            wrong = covered[self._held[strength] >> (line.code - GIVE) & 1 == 0]
        else:
            wrong = covered[:0]
        if len(wrong):
            raise SimulationError(
                f"{self._file}, line {line.number}: {self._hand(rows, int(wrong[0]))} has no such card to give up"
            )

    def _hand(self, rows: DecisionRows, at: int) -> str:
        strength, up = divmod(int(rows.kind[at]), len(RANKS))
        bits, odd = int(rows.suited[at]), int(rows.odd[at])
        suited = " ".join(RANKS[rank] for rank in reversed(range(len(RANKS))) if bits >> rank & 1) or _NO_SUITS
        drawn = f", four of one suit beside {RANKS[odd - 1]}" if odd else ""
        return f"{self._texts[strength]} against {RANKS[up]} (held in its suit: {suited}{drawn})"


def _ranks(rank: HandRank, text: str) -> int:
    """Return the ranks of a hand as bits."""
    if not rank.ranks:
        return 0
    return sum(1 << RANKS.index(letter) for letter in dict.fromkeys(text.split(" of ")[0].split()))


def _suits(text: str) -> tuple[int, int]:
    """Return the ranks held in the up-card's suit as bits, and the odd rank plus one, from a text as `A 8; odd 5`."""
    held, _, odd = text.partition("; odd ")
    letters = [] if held == _NO_SUITS else held.split()
    return sum(1 << RANKS.index(letter) for letter in letters), RANKS.index(odd) + 1 if odd else 0


# --- against a pay table ---


def columns_from_file(book: Book, file: str) -> tuple[int, ...]:
    """Return the decision of each class of three cards by the file, as columns. Raises SimulationError."""
    from aceking.exact.community.hands import class_of
    from aceking.exact.community.strategy import columns

    advice: dict[tuple[CardId, ...], tuple[tuple[CardId, ...], str]] = {}
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
            raise SimulationError(f"{where}: {names(hand)!r} is not a hand of {book.hands.cards} cards")
        before = advice.setdefault(class_of(hand), (hand, best))
        if best not in _renamed(*before, hand):
            raise SimulationError(f"{where}: another line says otherwise about {names(hand)}")

    def rule(_: Book, three: Sequence[CardId]) -> str:
        line = advice.get(class_of(three))
        if line is None:
            raise SimulationError(f"{file}: no line says what to do with {names(tuple(three))}")
        return next(_renamed(*line, three))

    try:
        return tuple(columns(book, rule))
    except SimulationError:
        raise
    except ValueError as wrong:
        raise SimulationError(f"{file}: {wrong}") from None


def _renamed(hand: tuple[CardId, ...], best: str, three: Sequence[CardId]) -> Iterator[str]:
    """Yield the decision of a hand for one that differs only in the names of suits; two if two cards are alike."""
    does, _, discard = best.partition(_DISCARD)
    if not discard:
        yield best
        return
    for suits in permutations(range(len(SUITS))):
        if {held & ~3 | suits[held & 3] for held in hand} == set(three):
            given = card(discard)
            yield f"{does}{_DISCARD}{name(CardId(given & ~3 | suits[given & 3]))}"
