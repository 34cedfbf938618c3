"""What a player may choose to do with a hand: one entry for each choice.

From the entries follow the types of books, scenarios, commands and events, the offers, the letters, the places of the
buttons, which hands end before the reveal, and what is priced. A new choice is an entry here, its command, its arm of
settlement, its words and a book. If one of these is missing, an import or `tests/rules/test_decisions.py` fails.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

#: The choices that end the decision of a box.
Choice = Literal["bet", "fold", "stay", "declare"]
#: What a book may list in `decide.choices`: after an exchange the box still decides.
BookChoice = Literal[Choice, "exchange"]
#: Where the button stands: give up the hand, change it, go on with it, or in the menu of other choices.
DockPlace = Literal["out", "change", "on", "more"]


@dataclass(frozen=True, slots=True)
class ChoiceEntry:
    """What the program knows of a choice, whatever the book says of it."""

    key: BookChoice
    rule: str  # the rule cited on the record; a book has both the choice and this rule's step, or neither
    letter: str  # the key that selects it, at the terminal and on the page
    place: DockPlace
    ends_early: bool = False  # the hand is settled before the reveal
    gives_up: bool = False  # the hand is thrown away, so clauses about a fold hold for it
    takes_cards: bool = False  # cards are laid aside or given with it
    needs_look: bool = False  # it is offered to those who have seen their cards
    priced: bool = True  # figures are counted with it

    @property
    def step(self) -> str:
        """Return the step of a book that rules on this choice."""
        return self.rule.partition(".")[0]


_ENTRIES = (
    ChoiceEntry("bet", "bet.antes", "b", "on", takes_cards=True),
    ChoiceEntry("fold", "fold.ante", "f", "out", ends_early=True, gives_up=True),
    ChoiceEntry("stay", "bet.antes", "s", "change", takes_cards=True),
    ChoiceEntry("declare", "instant.no_bet", "d", "change", ends_early=True, needs_look=True),
    ChoiceEntry("exchange", "exchange.price_antes", "x", "change", takes_cards=True, needs_look=True),
)
DECISIONS: Mapping[BookChoice, ChoiceEntry] = {one.key: one for one in _ENTRIES}
CHOICES: tuple[Choice, ...] = get_args(Choice)
ENDS_EARLY = frozenset(one for one in CHOICES if DECISIONS[one].ends_early)
GIVES_UP = tuple(one for one in CHOICES if DECISIONS[one].gives_up)
#: The choices after which the hand is played to its end.
GOES_ON = tuple(one for one in CHOICES if one not in ENDS_EARLY)

assert DECISIONS.keys() == set(get_args(BookChoice)), "a choice has one entry, and is in one of the types above"
assert ENDS_EARLY.issuperset(GIVES_UP), "a hand that is given up ends before the reveal"
assert len({one.letter for one in _ENTRIES}) == len(_ENTRIES), "two choices have the same letter"
