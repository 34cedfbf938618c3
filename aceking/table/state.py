"""The state of a table and of its round: everything that decides what may happen next."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from aceking.rules.words import ActName, Circumstance, Incident
from aceking.settle.lines import Line
from aceking.table.command import CardNumber

Phase = Literal["betting", "closed", "dealing", "deciding", "revealed", "done", "void"]
Mode = Literal["electronic", "live"]


class Box(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One betting place in a round."""

    number: int
    player: str
    ante: int = 0
    side: int = 0
    lit: bool = False
    coupon: bool = False  # it stands for the chip of the side bet
    trayed: bool = False  # the side bet was counted and lies in the tray
    bet: int = 0
    fee: int = 0
    cards: tuple[CardNumber, ...] = ()
    seen: bool = False
    choice: Literal["bet", "fold", "stay", "declare"] | None = None
    discard: CardNumber | None = None
    give: CardNumber | None = None
    take: CardNumber | None = None
    claimed: bool = False
    void: bool = False
    forfeited: bool = False
    acts: frozenset[ActName] = frozenset()  # what was done for this box
    racked: bool = False

    @property
    def taken(self) -> bool:
        """Whether somebody has a stake on it, or had one when the cards were dealt."""
        return bool(self.player and (self.ante or self.side or self.cards or self.void))

    @property
    def live(self) -> bool:
        """In the round, with a result to come or already made."""
        return self.ante > 0 and not self.void and not self.forfeited

    @property
    def turned(self) -> bool:
        """Whether the cards lie face up."""
        return "turn-hand" in self.acts

    @property
    def owes_decision(self) -> bool:
        """Dealt in, and neither decided nor out."""
        return self.live and self.choice is None


class Question(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that a person must answer before play goes on."""

    number: int
    incident: Incident
    of: str
    boxes: tuple[int, ...] = ()
    unregulated: bool = False
    given: tuple[Circumstance, ...] = ()
    clause: str | None = None  # by which it is asked


class Round(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One round, from the call that opens betting to the last card in the rack."""

    number: int
    at: int
    deck: str | None = None
    book: str = ""
    digest: str = ""
    options: dict[str, Any] = {}  # what the house chose where the book leaves a choice
    phase: Phase = "betting"
    acts: frozenset[ActName] = frozenset()
    boxes: dict[int, Box] = {}
    order: tuple[CardNumber, ...] = ()  # the cards still to come, where the order is known
    sequence: tuple[CardNumber, ...] = ()  # every card in the order in which it left the deck
    placed: int = 0  # how many places of the deal are filled
    dealer: tuple[CardNumber, ...] = ()
    up: CardNumber | None = None
    community: tuple[CardNumber, ...] = ()
    burn: tuple[CardNumber, ...] = ()
    boxed: tuple[CardNumber, ...] = ()
    misdealt: bool = False
    meter: int | None = None
    lines: tuple[Line, ...] = ()
    moved: frozenset[int] = frozenset()
    from_meter: dict[int, int] = {}
    settled: bool = False
    rack: tuple[tuple[str, tuple[CardNumber, ...]], ...] = ()
    counted: bool = False
    selected: dict[int, tuple[str, str]] = {}  # box: hand, person
    validated: frozenset[int] = frozenset()
    documented: frozenset[int] = frozenset()
    incidents: dict[str, int] = {}
    waived: bool = False  # a person let stand what the book does not settle
    turn_at: int = 0  # since when the next decision is awaited
    went_on: frozenset[int] = frozenset()  # boxes that chose to keep their hand

    @property
    def dealt_in(self) -> list[Box]:
        """The boxes with an ante, from the dealer's left."""
        return [self.boxes[number] for number in sorted(self.boxes) if self.boxes[number].ante > 0]

    @property
    def live(self) -> list[Box]:
        """The boxes still in the round."""
        return [box for box in self.dealt_in if box.live]

    @property
    def anyone_looked(self) -> bool:
        """Whether any player has seen any card of his."""
        return any(box.seen for box in self.boxes.values())


class Deck(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A deck at the table."""

    name: str
    back: str
    since: int
    acts: frozenset[ActName] = frozenset()  # what was done to it since it came, or since it lay idle
    shuffled: str | None = None  # by which method, and not yet dealt
    order: tuple[CardNumber, ...] = ()
    rounds_uncounted: int = 0
    racked: bool = False  # cards of it lie in the discard rack


class Table(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table: its book, its people, its decks, its round."""

    id: str
    book: str
    digest: str
    mode: Mode
    options: dict[str, Any] = {}  # what the house chose where the book leaves a choice
    people: dict[str, tuple[str, ...]] = {}  # role: persons assigned; empty: anybody may act in any part
    ante_min: int | None = None
    ante_max: int | None = None
    decide_seconds: int | None = None  # how long a box may take to decide, posted before anybody sits down
    awards: dict[str, str] = {}
    reset: int | None = None
    open: bool = False
    facts: dict[str, str] = {}  # devices fitted, notices shown, courses chosen
    decks: dict[str, Deck] = {}
    deck: str | None = None  # in use
    last_deck: str | None = None  # which served the round before
    rounds: int = 0
    rounds_uncounted: int = 0
    clock: int = 0
    round: Round | None = None
    questions: tuple[Question, ...] = ()
    asked: int = 0
    accounts: dict[str, int] = {}
    violations: int = 0

    @property
    def live_round(self) -> Round | None:
        """The round that is not over."""
        found = self.round
        return found if found is not None and found.phase not in ("done", "void") else None

    @property
    def course(self) -> str | None:
        """How the house goes on while the jackpot is out of order."""
        return None if self.facts.get("device jackpot") == "fitted" else self.facts.get("course")


LAYOUT = "layout"
TRAY = "tray"
METER = "meter"


def balance(accounts: Mapping[str, int]) -> int:
    """What all accounts sum to: always zero, for chips are neither made nor lost."""
    return sum(accounts.values())
