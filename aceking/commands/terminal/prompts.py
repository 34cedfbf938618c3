"""Prompts for the player. Words that work at any prompt are handled here."""

import sys
from collections.abc import Callable, Mapping, Sequence

from aceking.cards.card import CardError, CardId, card, name
from aceking.commands.output.settlement import cards_text, printable
from aceking.commands.terminal.screen import Screen
from aceking.rules.odds import OddsError, amount

HELP = (
    ("10", "at the ante: a number of chips; Enter for the same again"),
    ("s", "at the ante: side bet on or off"),
    ("n 2", "at the ante: play two boxes, if the book allows it"),
    ("b f …", "at a hand: the letter in brackets, or the word"),
    ("v", "at a hand: what each choice is worth, exactly"),
    ("c", "coach: values, mistakes or off"),
    ("g", "how the game is played"),
    ("r", "what it pays"),
    ("l", "your last rounds"),
    ("w", "the last finished round in sentences, clause by clause"),
    ("q", "leave; the session is saved"),
)
#: Added if the book has named side wagers.
HELP_NAMED = (("s NAME 5", "at the ante: that side wager with its stake; s NAME on or off"),)


def whole(word: str) -> int | None:
    """Return the number if the word is one of at most three digits; otherwise None."""
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 4 else None


class LeaveError(Exception):
    """The player leaves the table."""


class Asker:
    """Asks on the terminal. `answers` maps the words that work at any prompt to their actions."""

    def __init__(
        self, screen: Screen, answers: Mapping[str, Callable[[], None]], may_leave: Callable[[], bool]
    ) -> None:
        self.screen = screen
        self.answers = answers
        self.may_leave = may_leave

    def ask(self, prompt: str) -> str:
        """Ask for one line. Raises LeaveError if the player leaves, EOFError at the end of the input."""
        while True:
            self.screen.out.print(prompt, end=" ", markup=False)
            word = self._line()
            match word.lower():
                case "q" | "quit":
                    if self.may_leave():
                        raise LeaveError
                case "h" | "help" | "?":
                    self.screen.help((*HELP, *HELP_NAMED) if self.screen.book.sides else HELP)
                case known if known in self.answers:
                    self.answers[known]()
                case _:
                    return word

    def sure(self, prompt: str) -> bool:
        """Ask yes or no; anything but yes is no."""
        self.screen.out.print(f"{prompt} (y)es, (n)o?", end=" ", markup=False)
        return self._line().lower() in ("y", "yes")

    def chips(self, word: str, what: str) -> int | None:
        """Return the amount in minor units; None, after a message, if the word is no amount."""
        try:
            chips = amount(word, decimals=self.screen.book.decimals)
        except OddsError:
            chips = None
        if chips is None or chips <= 0:
            self.screen.wrong(f"{what} is a number of chips, such as 10; {word[:20]!r} is not.")
            return None
        return chips

    def card(self, prompt: str, held: Sequence[str]) -> CardId | None:
        """Ask for a card of the hand, by position or name. Returns None, after a message, if it is not in the hand."""
        listed = "  ".join(f"{place} {cards_text(one).plain}" for place, one in enumerate(held, start=1))
        return self._held(self.ask(f"{prompt}  {listed} ?"), held)

    def several(self, prompt: str, held: Sequence[str], count: int) -> tuple[CardId, ...] | None:
        """Ask for `count` different cards of the hand. Returns None, after a message, if they are not that."""
        listed = "  ".join(f"{place} {cards_text(one).plain}" for place, one in enumerate(held, start=1))
        words = self.ask(f"{prompt}  {listed} ?").replace(",", " ").split()
        chosen = [one for word in words if (one := self._held(word, held)) is not None]
        if len(chosen) != len(words):
            return None
        if len(set(chosen)) != count or len(chosen) != count:
            self.screen.wrong(f"Name {count} different cards, separated by blanks.")
            return None
        return tuple(chosen)

    def _held(self, word: str, held: Sequence[str]) -> CardId | None:
        place = whole(word)
        if place is not None and 1 <= place <= len(held):
            return card(held[place - 1])
        try:
            named = card(word)
        except CardError as wrong:
            self.screen.wrong(f"A card of your hand, or its place from 1 to {len(held)}: {wrong}.")
            return None
        if name(named) not in held:
            self.screen.wrong(f"{cards_text(name(named)).plain} is not in your hand.")
            return None
        return named

    def _line(self) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        word = printable(line.strip())
        if not sys.stdin.isatty():
            self.screen.out.print(word, markup=False)
        return word
