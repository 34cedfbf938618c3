"""The state of a table and of its round: everything that decides what may happen next.

The order of the cards that are still to come is not here: it is sealed outside, and told card by card.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from aceking.award.steps import Award
from aceking.rules.words import ActName, Circumstance, Course, Mishap, Topic
from aceking.settlement.lines import Line
from aceking.table.cards.place import STUB, Pile, Place, pile_of
from aceking.table.commands import Aside, CardNumber, Choice, Face, Side, laid_aside
from aceking.table.event import DeviceStatus

Phase = Literal["betting", "closed", "dealing", "deciding", "revealed", "done", "void"]
Mode = Literal["electronic", "live"]


#: The side wagers that have a step of their own in a book, and the word for either; all others are a book's by name.
OWN_SIDES = frozenset({"progressive", "bonus", "side"})


class SideWager(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A side wager of a box."""

    stake: int
    lit: bool = True
    coupon: bool = False  # it stands for the chip
    trayed: bool = False  # it was counted and lies in the tray


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
    unseen: bool = False  # the bet was made before the cards were looked at
    discard: Aside = None
    give: CardNumber | None = None  # in an exchange
    take: CardNumber | None = None
    also: tuple[tuple[CardNumber, CardNumber], ...] = ()  # given and taken with it, where several may be exchanged
    buys: bool | None = None  # a card for the dealer, where it was asked
    paid: int = 0  # for that
    claimed: bool = False
    left: bool = False  # the player is gone, and his decision counts as a fold
    void: bool = False
    forfeited: bool = False
    unawarded: bool = False  # no award of the progressive comes to it in this round
    acts: frozenset[ActName] = frozenset()  # what was done for this box
    racked: bool = False

    @property
    def aside(self) -> tuple[int, ...]:
        """The cards laid aside."""
        return laid_aside(self.discard)

    @property
    def kept(self) -> tuple[int, ...]:
        """The cards without those laid aside."""
        aside = self.aside
        return tuple([one for one in self.cards if one not in aside]) if aside else self.cards

    @property
    def gave(self) -> tuple[CardNumber, ...]:
        """All cards given in an exchange."""
        return () if self.give is None else (self.give, *(given for given, _ in self.also))

    @property
    def took(self) -> tuple[CardNumber, ...]:
        """What came for them."""
        return () if self.take is None else (self.take, *(taken for _, taken in self.also))

    @property
    def side(self) -> int:
        """The chips on the progressive or the bonus."""
        return sum([one.stake for name, one in self.sides.items() if name in OWN_SIDES]) if self.sides else 0

    @property
    def named(self) -> dict[str, SideWager]:
        """The side wagers that the book has by name."""
        return {name: one for name, one in self.sides.items() if name not in OWN_SIDES} if self.sides else {}

    @property
    def beside(self) -> int:
        """The chips on all side wagers."""
        return sum([one.stake for one in self.sides.values()]) if self.sides else 0

    @property
    def lit(self) -> bool:
        """Whether a stake on the progressive or the bonus is registered."""
        sides = self.sides
        return bool(sides) and any(one.stake and one.lit for name, one in sides.items() if name in OWN_SIDES)

    @property
    def trayed(self) -> bool:
        """Whether its stake on the progressive lies in the tray."""
        return bool(self.sides) and any(one.trayed for one in self.sides.values())

    @property
    def taken(self) -> bool:
        """Whether somebody has a stake on it, or had one when the cards were dealt."""
        return bool(self.player and (self.ante or self.beside or self.cards or self.void))

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
        return self.choice is None and not self.left and self.live


class Question(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Something that a person must answer before play goes on."""

    number: int
    mishap: Mishap
    of: str
    clause: str  # by which it is asked
    boxes: tuple[int, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    unregulated: bool = False
    given: tuple[Circumstance, ...] = ()
    what: str = ""
    record: str = ""  # what the table's own record says, where a claim differs

    @property
    def holds_play(self) -> bool:
        """Whether play waits for the answer. A claim against the record moves nothing, and stops nothing."""
        return not self.record


class Found(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
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
    sealed: bool = False  # the order of the deck is fixed, outside
    book: str = ""
    digest: str = ""
    options: dict[str, Any] = {}  # what the house chose where the book leaves a choice
    phase: Phase = "betting"
    acts: frozenset[ActName] = frozenset()
    told: frozenset[str] = frozenset()  # players who know that they may look at one hand
    boxes: dict[int, Box] = {}
    sequence: tuple[CardNumber, ...] = ()  # every card in the order in which it left the deck
    placed: int = 0  # how many places of the deal are filled
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
    locked: dict[
        int, tuple[int, int]
    ] = {}  # what the meter says of an award: its amount, and how much is off the meter
    settled: bool = False
    rack: tuple[tuple[Pile, tuple[CardNumber, ...]], ...] = ()
    counted: bool = False
    awards: dict[int, Award] = {}  # of boxes whose hand was picked
    documented: frozenset[int] = frozenset()
    found: tuple[Found, ...] = ()
    waived: bool = False  # a person let stand what the book does not settle
    turn_at: int = 0  # since when the next decision is awaited
    offered: tuple[int, ...] = ()  # boxes that are asked whether they buy a card for the dealer
    bought: CardNumber | None = None  # what came for the dealer
    went_on: frozenset[int] = frozenset()  # boxes that chose to keep their hand

    @property
    def buying(self) -> list[Box]:
        """The boxes that have not said yet whether they buy a card for the dealer."""
        asked = () if self.settled or self.phase != "revealed" else self.offered
        if not asked:
            return []
        return [box for box in self.live if box.number in asked and box.buys is None and not box.left]

    @property
    def awaits_card(self) -> bool:
        """Whether a card was paid for, everybody has said his word, and it has not come."""
        if not self.offered or self.bought is not None or self.phase != "revealed":
            return False
        return any(box.buys for box in self.live) and not self.buying

    @property
    def dealt_in(self) -> list[Box]:
        """The boxes with an ante, from the dealer's left."""
        boxes = self.boxes
        return [box for number in sorted(boxes) if (box := boxes[number]).ante > 0]

    @property
    def live(self) -> list[Box]:
        """The boxes still in the round."""
        boxes = self.boxes
        return [box for number in sorted(boxes) if (box := boxes[number]).live]

    @property
    def contested(self) -> bool:
        """Whether a hand is left that was neither given up nor declared."""
        return any(box.choice not in ("fold", "declare") and box.live for box in self.boxes.values())

    @property
    def anyone_looked(self) -> bool:
        """Whether any player has seen any card of his."""
        for box in self.boxes.values():
            if box.seen:
                return True
        return False

    @property
    def selected(self) -> dict[int, str]:
        """The boxes whose hand is picked for an award, and the hand."""
        return {box: award.hand for box, award in self.awards.items()}

    @property
    def validated(self) -> frozenset[int]:
        """The boxes whose award another person has confirmed."""
        return frozenset(box for box, award in self.awards.items() if award.step in ("verified", "signed", "paid"))

    @property
    def stub_racked(self) -> bool:
        """Whether what is left of the deck lies in the rack."""
        return bool(self.rack) and any(what == STUB for what, _ in self.rack)

    def held(self, place: Place) -> tuple[CardNumber, ...]:
        """The cards that lie at a place."""
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
        """Whether the cards of a place have gone to the rack."""
        return any(what == pile_of(place) for what, _ in self.rack)

    def is_out(self, card: int) -> bool:
        """Whether a card has left the deck, wherever it lies now."""
        return card in self.sequence


class Deck(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A deck at the table."""

    name: str
    back: str
    since: int
    acts: frozenset[ActName] = frozenset()  # what was done to it since it came, or since it lay idle
    shuffled: str | None = None  # by which method, and not yet dealt
    sealed: bool = False
    rounds_uncounted: int = 0
    racked: bool = False  # cards of it lie in the discard rack
    idle: Face | None = None  # how it lay when nobody played


class Device(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A device at the table."""

    status: DeviceStatus
    version: str | None = None
    model: str | None = None
    side: Side | None = None


class Table(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A table: its book, its people, its decks, its round."""

    id: str
    book: str
    digest: str
    mode: Mode
    options: dict[str, Any] = {}  # what the house chose where the book leaves a choice
    people: dict[str, tuple[str, ...]] = {}  # role: persons assigned; a role without an entry is anybody's
    ante_min: int | None = None
    ante_max: int | None = None
    decide_seconds: int | None = None  # how long a box may take to decide, posted before anybody sits down
    awards: dict[str, str] = {}
    reset: int | None = None
    attended: bool = True  # False: nobody of the pit is there; the house's posted rule decides a time-out
    open: bool = False
    did: frozenset[ActName] = frozenset()  # acts of the house that stand as long as the table does
    devices: dict[str, Device] = {}
    notices: dict[Topic, str] = {}  # what is shown, and where
    notice_of: frozenset[str] = frozenset()  # options of which a change was announced
    approvals: frozenset[tuple[str, str]] = frozenset()  # of model or maker, for a model
    course: Course | None = None  # how the house goes on while the jackpot is out of order
    blocked: frozenset[int] = frozenset()  # boxes that take no bets by it
    suspended: str | None = None  # why the games stand still
    game_runs: bool = False  # by the keys of the system: started and not ended
    holding_hand: Side | None = None
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
    def holding(self) -> Question | None:
        """The question that play waits for."""
        return next((one for one in self.questions if one.holds_play), None) if self.questions else None

    @property
    def jackpot_faulty(self) -> bool:
        """Whether the jackpot is out of order."""
        device = self.devices.get(JACKPOT)
        return device is not None and device.status == "faulty"


LAYOUT = "layout"
TRAY = "tray"
METER = "meter"
#: The device whose fault stops the jackpot.
JACKPOT = "jackpot"


def balance(accounts: Mapping[str, int]) -> int:
    """What all accounts sum to: always zero, for chips are neither made nor lost."""
    return sum(accounts.values())
