"""The state of a table and of its round: everything that decides what may happen next.

The order of the cards still to come is not part of the state: it is kept outside, and revealed card by card.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from aceking.award.steps import Award
from aceking.rules.decisions import ENDS_EARLY, GIVES_UP, Choice
from aceking.rules.words import ActName, Circumstance, Course, Mishap, Topic
from aceking.settlement.lines import Line
from aceking.table.cards.place import STUB, Pile, Place, pile_of
from aceking.table.commands import Aside, CardNumber, Face, TableSide, laid_aside
from aceking.table.event import DeviceStatus

RoundPhase = Literal["betting", "closed", "dealing", "deciding", "revealed", "done", "void"]
Mode = Literal["electronic", "live"]


#: The side wagers that have a step of their own in a book, and the word for either; a book has the others by name.
OWN_SIDES = frozenset({"progressive", "bonus", "side"})


class SideWager(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A side wager of a box."""

    stake: int
    lit: bool = True
    coupon: bool = False  # a coupon stands for the chip
    trayed: bool = False  # counted and moved to the tray


class Box(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One betting place in a round."""

    number: int
    player: str
    ante: int = 0
    sides: dict[str, SideWager] = {}  # by name
    bet: int = 0
    fee: int = 0
    games: int = 0  # other games that the player has on the hand
    cards: tuple[CardNumber, ...] = ()
    seen: bool = False
    choice: Choice | None = None
    unseen: bool = False  # the bet was made before the player looked at the cards
    discard: Aside = None
    give: CardNumber | None = None  # the card given in an exchange
    take: CardNumber | None = None
    also: tuple[tuple[CardNumber, CardNumber], ...] = ()  # (given, taken) of the other cards of an exchange
    buys: bool | None = None  # whether it buys a card for the dealer; None: not answered
    paid: int = 0  # for a card for the dealer
    claimed: bool = False
    left: bool = False  # the player has left, and the decision counts as a fold
    void: bool = False
    forfeited: bool = False
    unawarded: bool = False  # it gets no award of the progressive in this round
    acts: frozenset[ActName] = frozenset()  # the acts done for this box
    racked: bool = False

    @property
    def aside(self) -> tuple[int, ...]:
        """Return the discards."""
        return laid_aside(self.discard)

    @property
    def kept(self) -> tuple[int, ...]:
        """Return the cards without the discards."""
        aside = self.aside
        return tuple([one for one in self.cards if one not in aside]) if aside else self.cards

    @property
    def gave(self) -> tuple[CardNumber, ...]:
        """Return all cards given in an exchange."""
        return () if self.give is None else (self.give, *(given for given, _ in self.also))

    @property
    def took(self) -> tuple[CardNumber, ...]:
        """Return all cards taken in an exchange."""
        return () if self.take is None else (self.take, *(taken for _, taken in self.also))

    @property
    def side(self) -> int:
        """Return the chips on the progressive or the bonus."""
        return sum([one.stake for name, one in self.sides.items() if name in OWN_SIDES]) if self.sides else 0

    @property
    def named(self) -> dict[str, SideWager]:
        """Return the book's named side wagers."""
        return {name: one for name, one in self.sides.items() if name not in OWN_SIDES} if self.sides else {}

    @property
    def beside(self) -> int:
        """Return the chips on all side wagers."""
        return sum([one.stake for one in self.sides.values()]) if self.sides else 0

    @property
    def lit(self) -> bool:
        """Return True if a stake on the progressive or the bonus is registered."""
        sides = self.sides
        return bool(sides) and any(one.stake and one.lit for name, one in sides.items() if name in OWN_SIDES)

    @property
    def trayed(self) -> bool:
        """Return True if a side stake of the box is in the tray."""
        return bool(self.sides) and any(one.trayed for one in self.sides.values())

    @property
    def taken(self) -> bool:
        """Return True if a player has a stake on it, or had one when the cards were dealt."""
        return bool(self.player and (self.ante or self.beside or self.cards or self.void))

    @property
    def live(self) -> bool:
        """Return True if the box is in the round, with a result to come or already known."""
        return self.ante > 0 and not self.void and not self.forfeited

    @property
    def turned(self) -> bool:
        """Return True if the cards lie face up."""
        return "turn-hand" in self.acts

    @property
    def ended_early(self) -> bool:
        """Whether the hand was settled before the reveal: folded or declared."""
        return self.choice in ENDS_EARLY

    @property
    def gave_up(self) -> bool:
        """Whether the hand was thrown away."""
        return self.choice in GIVES_UP

    def chose(self, choice: str) -> bool:
        """Whether a clause about a choice speaks of this hand: what is said of a fold, of every hand given up."""
        return self.choice == choice or (choice == "fold" and self.gave_up)

    @property
    def owes_decision(self) -> bool:
        """Return True if the box is in the round and its player has not decided."""
        return self.choice is None and not self.left and self.live


class Question(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Something that a person must answer before play goes on."""

    number: int
    mishap: Mishap
    of: str
    clause: str  # the clause that asks
    boxes: tuple[int, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    unregulated: bool = False
    given: tuple[Circumstance, ...] = ()
    what: str = ""
    record: str = ""  # what the table's record says, if a claim differs from it

    @property
    def holds_play(self) -> bool:
        """Return True if play waits for the answer. A claim against the record does not stop play."""
        return not self.record


class RecordedMishap(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A mishap of this round that is on the record."""

    mishap: Mishap
    boxes: tuple[int, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    clause: str | None = None


class Round(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One round, from the call that opens betting to the last card in the rack."""

    number: int
    at: int
    deck: str | None = None
    sealed: bool = False  # the order of the deck is fixed, and kept outside the state
    book: str = ""
    digest: str = ""
    options: dict[str, Any] = {}  # the choices of the house
    phase: RoundPhase = "betting"
    acts: frozenset[ActName] = frozenset()
    told: frozenset[str] = frozenset()  # players who were told that they may look at one hand
    boxes: dict[int, Box] = {}
    sequence: tuple[CardNumber, ...] = ()  # every card in the order in which it left the deck
    placed: int = 0  # places of the deal that are filled
    strayed: bool = False  # a card went where it was not due, or a hand left the deal
    dealer: tuple[CardNumber, ...] = ()
    up: CardNumber | None = None
    community: tuple[CardNumber, ...] = ()
    burn: tuple[CardNumber, ...] = ()
    boxed: tuple[CardNumber, ...] = ()
    aside: tuple[CardNumber, ...] = ()
    stub_exposed: bool = False
    meter: int | None = None
    lines: tuple[Line, ...] = ()
    moved: frozenset[int] = frozenset()
    from_meter: dict[int, int] = {}
    #: The amount of an award and the part that comes off the meter, as the meter says.
    locked: dict[int, tuple[int, int]] = {}
    settled: bool = False
    rack: tuple[tuple[Pile, tuple[CardNumber, ...]], ...] = ()
    counted: bool = False
    awards: dict[int, Award] = {}  # of boxes whose hand was picked
    documented: frozenset[int] = frozenset()
    found: tuple[RecordedMishap, ...] = ()
    waived: bool = False  # a person accepted what the book does not settle
    turn_at: int = 0  # when the next decision became due
    offered: tuple[int, ...] = ()  # boxes that may buy a card for the dealer
    bought: CardNumber | None = None  # the card bought for the dealer
    went_on: frozenset[int] = frozenset()  # boxes that chose to keep their hand

    @property
    def buying(self) -> list[Box]:
        """Return the boxes that have not answered whether they buy a card for the dealer."""
        offered = () if self.settled or self.phase != "revealed" else self.offered
        if not offered:
            return []
        return [box for box in self.live if box.number in offered and box.buys is None and not box.left]

    @property
    def awaits_card(self) -> bool:
        """Return True if a card for the dealer is paid for, all boxes have answered, and it is not drawn yet."""
        if not self.offered or self.bought is not None or self.phase != "revealed":
            return False
        return any(box.buys for box in self.live) and not self.buying

    @property
    def dealt_in(self) -> list[Box]:
        """Return the boxes with an ante, from the dealer's left."""
        boxes = self.boxes
        return [box for number in sorted(boxes) if (box := boxes[number]).ante > 0]

    @property
    def live(self) -> list[Box]:
        """Return the boxes still in the round."""
        boxes = self.boxes
        return [box for number in sorted(boxes) if (box := boxes[number]).live]

    @property
    def contested(self) -> bool:
        """Whether a hand is left that was neither given up nor declared."""
        return any(not box.ended_early and box.live for box in self.boxes.values())

    @property
    def anyone_looked(self) -> bool:
        """Return True if any player has seen a card of theirs."""
        for box in self.boxes.values():
            if box.seen:
                return True
        return False

    @property
    def selected(self) -> dict[int, str]:
        """Return the boxes picked for an award, each with its hand."""
        return {box: award.hand for box, award in self.awards.items()}

    @property
    def validated(self) -> frozenset[int]:
        """Return the boxes whose award another person has confirmed."""
        return frozenset(box for box, award in self.awards.items() if award.step in ("verified", "signed", "paid"))

    @property
    def stub_racked(self) -> bool:
        """Return True if the rest of the deck is in the rack."""
        return bool(self.rack) and any(what == STUB for what, _ in self.rack)

    def held(self, place: Place) -> tuple[CardNumber, ...]:
        """Return the cards at a place."""
        match place.kind:
            case "box":
                box = self.boxes.get(place.number)
                return () if box is None else box.cards
            case "dealer":
                return self.dealer
            case "community":
                return self.community
            case "burn":
                return self.burn
            case "boxed":
                return self.boxed
            case "aside":
                return self.aside

    def in_rack(self, place: Place) -> bool:
        """Return True if the cards of a place are in the rack."""
        return any(what == pile_of(place) for what, _ in self.rack)

    def is_out(self, card: int) -> bool:
        """Return True if a card has left the deck."""
        return card in self.sequence


class Deck(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A deck at the table."""

    name: str
    back: str
    since: int
    acts: frozenset[ActName] = frozenset()  # what was done to it since it came, or since it lay idle
    shuffled: str | None = None  # the method of a shuffle that was not dealt yet
    sealed: bool = False
    rounds_uncounted: int = 0
    racked: bool = False  # cards of it are in the discard rack
    idle: Face | None = None  # how it lay while nobody played


class Device(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A device at the table."""

    status: DeviceStatus
    version: str | None = None
    model: str | None = None
    side: TableSide | None = None


class TableState(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A table: its book, its people, its decks, its round."""

    id: str
    book: str
    digest: str
    mode: Mode
    options: dict[str, Any] = {}  # the choices of the house
    people: dict[str, tuple[str, ...]] = {}  # role: persons assigned; a role without an entry is anybody's
    ante_min: int | None = None
    ante_max: int | None = None
    decide_seconds: int | None = None  # posted time to decide, in seconds
    awards: dict[str, str] = {}
    reset: int | None = None
    attended: bool = True  # False: no staff is there; the posted rule of the house decides a time-out
    open: bool = False
    did: frozenset[ActName] = frozenset()  # acts of the house that hold as long as the table exists
    devices: dict[str, Device] = {}
    notices: dict[Topic, str] = {}  # notices shown, each with its place
    notice_of: frozenset[str] = frozenset()  # options with an announced change
    approvals: frozenset[tuple[str, str]] = frozenset()  # ("model" or "maker", the model)
    course: Course | None = None  # how the house goes on while the jackpot is out of order
    blocked: frozenset[int] = frozenset()  # boxes that take no bets during that course
    suspended: str | None = None  # why the games are suspended
    game_runs: bool = False  # started by the system's key, and not ended
    holding_hand: TableSide | None = None
    decks: dict[str, Deck] = {}
    deck: str | None = None  # the deck in use
    last_deck: str | None = None  # the deck of the previous round
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
        """Return the round that is not over; None if there is none."""
        current = self.round
        return current if current is not None and current.phase not in ("done", "void") else None

    @property
    def holding(self) -> Question | None:
        """Return the question that play waits for; None if there is none."""
        return next((one for one in self.questions if one.holds_play), None) if self.questions else None

    @property
    def jackpot_faulty(self) -> bool:
        """Return True if the jackpot is out of order."""
        device = self.devices.get(JACKPOT)
        return device is not None and device.status == "faulty"


LAYOUT = "layout"
TRAY = "tray"
METER = "meter"
#: The device whose fault stops the jackpot.
JACKPOT = "jackpot"


def balance(accounts: Mapping[str, int]) -> int:
    """Return the sum of all accounts: always zero, since chips are neither created nor lost."""
    return sum(accounts.values())
