"""A table before an event, and with one thing changed."""

from typing import Any, get_args

from msgspec.structs import replace

from aceking.rules.words import ActName
from aceking.settlement.lines import Line
from aceking.table import event as ev
from aceking.table.state import Box, Deck, Question, Round, SideWager, TableState

EVERY_ACT: tuple[ActName, ...] = get_args(ActName)
#: Done to a deck once, however often it is dealt; and what is done for each round.
ONCE: frozenset[ActName] = frozenset({"deck-received", "dealer-inspected", "floorperson-verified", "spread"})
ONCE_UNTIL_IDLE: frozenset[ActName] = frozenset(
    {"first-player-inspection", "turn-up", "turn-down", "wash", "stack"},
)
EACH_ROUND: frozenset[ActName] = frozenset(
    {"shuffle", "device-count", "cover-card-laid", "cut", "cover-card-to-rack", "deck-loaded", "deck-held"}
)
RED = Deck(
    name="red",
    back="red",
    since=1,
    acts=ONCE | ONCE_UNTIL_IDLE | EACH_ROUND,
    shuffled="manual",
    sealed=True,
    rounds_uncounted=2,
)
BLUE = Deck(name="blue", back="blue", since=2, acts=frozenset({"deck-received", "deck-to-shuffler"}), racked=True)
ANN = Box(
    number=1,
    player="Ann",
    ante=1000,
    bet=2000,
    fee=300,
    games=1,
    sides={"side": SideWager(100), "bonus": SideWager(50, lit=False)},
    cards=(1, 2, 3, 4, 5),
    acts=frozenset({"look", "call-supervisor"}),
)
BOB = Box(number=2, player="Bob", ante=500, cards=(11, 12))
ASKED = Question(4, "misdeal", "players", "C", boxes=(1, 2))
TO_ONE = Question(5, "misdeal", "players", "C", boxes=(1,))
TO_HOUSE = Question(6, "dispute", "house", "C", boxes=(1,))
WON = Line(1, "ante", 1000, "win", 1000, "W")
LOST = Line(1, "bet", 2000, "lose", 0, "L")
AWARD = Line(1, "side", 100, "win", 7500, "A", consumed=True)
PUSHED = Line(2, "ante", 500, "push", 0, "P")
SIDE_LOST = Line(1, "side", 100, "lose", 0, "S", consumed=True)
BONUS = Line(1, "side", 100, "win", 700, "B")
ROUND = Round(
    number=7,
    at=90,
    deck="red",
    sealed=True,
    phase="dealing",
    acts=frozenset({"bets-opened"}),
    boxes={1: ANN, 2: BOB},
    sequence=(20, 1, 2, 3, 4, 5, 11, 12, 31),
    placed=8,
    dealer=(31,),
    burn=(20,),
    meter=9000,
    turn_at=3,
)
TABLE = TableState(
    id="t",
    book="section10",
    digest="d",
    mode="live",
    decks={"red": RED, "blue": BLUE},
    deck="red",
    last_deck="blue",
    rounds=6,
    rounds_uncounted=3,
    clock=100,
    round=ROUND,
    accounts={"Ann": -3450, "Bob": -500, "layout": 3950},
)


def with_round(table: TableState = TABLE, **changes: Any) -> TableState:
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def with_ann(table: TableState = TABLE, **changes: Any) -> TableState:
    assert table.round is not None
    boxes = table.round.boxes
    return with_round(table, boxes={**boxes, 1: replace(boxes[1], **changes)})


def with_deck(name: str = "red", table: TableState = TABLE, **changes: Any) -> TableState:
    return replace(table, decks={**table.decks, name: replace(table.decks[name], **changes)})


def paid(table: TableState, source: str, target: str, amount: int) -> TableState:
    accounts = dict(table.accounts)
    accounts[source] = accounts.get(source, 0) - amount
    accounts[target] = accounts.get(target, 0) + amount
    return replace(table, accounts=accounts)


def acted(act: ActName, **more: Any) -> ev.Acted:
    return ev.Acted(act=act, by="Dee", role="dealer", at=120, **more)
