"""Questions to the player: one line each; the words that work at any time are answered here."""

import sys
from collections.abc import Callable, Mapping, Sequence

from aceking.cards.card import Card, CardError, card, name
from aceking.commands.output.settlement import cards_text, printable
from aceking.commands.terminal.screen import Screen
from aceking.rules.odds import OddsError, amount

HELP = (
    ("10", "at the ante: a number of chips; Enter for the same again"),
    ("s", "at the ante: side bet on or off"),
    ("n 2", "at the ante: play two boxes, where the book has that"),
    ("b f …", "at a hand: the letter in brackets, or the word"),
    ("v", "at a hand: what each choice is worth, exactly"),
    ("c", "coach: values, mistakes or off"),
    ("g", "how the game is played"),
    ("r", "what it pays"),
    ("l", "your last rounds"),
    ("w", "the last round in sentences, clause by clause"),
    ("q", "leave; the session is kept"),
)
#: And where the book has side wagers by name.
HELP_NAMED = (("s NAME 5", "at the ante: that side wager with its stake; s NAME on or off"),)


def whole(word: str) -> int | None:
    """The number that a word is, where it is a small one."""
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 4 else None


class LeaveError(Exception):
    """The player leaves the table."""


class Asker:
    """Asks on the terminal. `answers` are the words that work at any time, and what they do."""

    def __init__(
        self, screen: Screen, answers: Mapping[str, Callable[[], None]], may_leave: Callable[[], bool]
    ) -> None:
        self.screen = screen
        self.answers = answers
        self.may_leave = may_leave

    def ask(self, prompt: str) -> str:
        """One line from the player."""
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
        """A question of yes or no; anything else is no."""
        self.screen.out.print(f"{prompt} (y)es, (n)o?", end=" ", markup=False)
        return self._line().lower() in ("y", "yes")

    def chips(self, word: str, what: str) -> int | None:
        """The amount that a word is; what is none is told."""
        try:
            found = amount(word, decimals=self.screen.book.decimals)
        except OddsError:
            found = None
        if found is None or found <= 0:
            self.screen.wrong(f"{what} is a number of chips, such as 10; {word[:20]!r} is none.")
            return None
        return found

    def card(self, prompt: str, held: Sequence[str]) -> Card | None:
        """A card of the hand, by its place or by its name."""
        listed = "  ".join(f"{place} {cards_text(one).plain}" for place, one in enumerate(held, start=1))
        return self._held(self.ask(f"{prompt}  {listed} ?"), held)

    def several(self, prompt: str, held: Sequence[str], count: int) -> tuple[Card, ...] | None:
        """So many different cards of the hand, parted by blanks."""
        listed = "  ".join(f"{place} {cards_text(one).plain}" for place, one in enumerate(held, start=1))
        words = self.ask(f"{prompt}  {listed} ?").replace(",", " ").split()
        found = [one for word in words if (one := self._held(word, held)) is not None]
        if len(found) != len(words):
            return None
        if len(set(found)) != count or len(found) != count:
            self.screen.wrong(f"{count} different cards belong here, parted by blanks.")
            return None
        return tuple(found)

    def _held(self, word: str, held: Sequence[str]) -> Card | None:
        place = whole(word)
        if place is not None and 1 <= place <= len(held):
            return card(held[place - 1])
        try:
            found = card(word)
        except CardError as wrong:
            self.screen.wrong(f"A card of your hand, or its place from 1 to {len(held)}: {wrong}.")
            return None
        if name(found) not in held:
            self.screen.wrong(f"{cards_text(name(found)).plain} is not in your hand.")
            return None
        return found

    def _line(self) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        word = printable(line.strip())
        if not sys.stdin.isatty():
            self.screen.out.print(word, markup=False)
        return word
