"""A house to try: everybody who works in one, players with money in their purses, robots, and a table of each game."""

from typing import Any

from aceking.house import login as door
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.roles import Role
from aceking.house.robots import RobotPlayer, Robots, Style
from aceking.house.running import Running
from aceking.rules.reading.load import book_ids, load_book

CURRENCIES = {"EUR": 2, "SGD": 2, "USD": 2}
FLOAT, PURSE, ROBOT_PURSE = 100_000_000, 500_000, 50_000_000
#: Those who may log in, and as what.
PEOPLE: dict[str, Role] = {
    "ann": "player",
    "ben": "player",
    "dora": "dealer",
    "fred": "floorperson",
    "sue": "supervisor",
    "eve": "executive",
    "max": "manager",
    "carl": "cashier",
    "audrey": "auditor",
}
#: Robots of the staff confirm and sign awards, so that no table waits for a person who is not there.
STAFF: dict[str, Role] = {"robot-supervisor": "supervisor", "robot-executive": "executive"}
_STYLES: tuple[Style, ...] = ("well", "by-thumb", "badly")
#: What a house must post where its book leaves that open.
_AWARDS: dict[str, dict[str, str]] = {
    "exchange": {"four_of_a_kind": "500", "full_house": "100", "flush": "50"},
    "washington": {
        "royal_flush": "100%",
        "straight_flush": "10%",
        "four_of_a_kind": "500",
        "full_house": "100",
        "flush": "50",
    },
}


def robot_players() -> tuple[RobotPlayer, ...]:
    """Two at every table: one style after the other, at the far boxes."""
    found = []
    for number, book in enumerate(book_ids()):
        boxes = load_book(book).table.seats_max
        for place, box in enumerate((boxes, boxes - 1)):
            style = _STYLES[(number + place) % len(_STYLES)]
            found.append(RobotPlayer(f"robot-{style}-{number + 1}", style, book, box))
    return tuple(found)


class DemoFailed(RuntimeError):
    """The house refused what the demonstration wanted of it."""


async def make_demo(house: Running) -> dict[str, str]:
    """Founds the house in an empty log; returns the passwords, which are shown once."""
    robots: dict[str, Role] = dict.fromkeys((one.name for one in robot_players()), "player")
    people = {**PEOPLE, **STAFF, **robots}
    await _do(house, w.HOUSE, w.Found(name="The AceKing", currencies=CURRENCIES, people=people, float=FLOAT))
    for player in (name for name, role in sorted(people.items()) if role == "player"):
        amount = ROBOT_PURSE if player in robots else PURSE
        for currency in CURRENCIES:
            await _do(house, w.Sender("carl", "cashier"), w.Deposit(player=player, currency=currency, amount=amount))
    for book in book_ids():
        await _table(house, book)
    passwords = {name: door.new_password() for name in PEOPLE}
    for name, password in passwords.items():
        door.set_password(house.store, name, password)
        await _do(house, w.HOUSE, w.Note(event={"is": "password-set", "name": name, "by": "house"}))
    return passwords


def robots_of(house: Running, *, pace: float = 1.0) -> Robots:
    """The robots of a demonstration, in a house that has them."""
    players = tuple(one for one in robot_players() if one.name in house.floor.people.persons)
    staff: dict[str, Role] = {name: role for name, role in STAFF.items() if name in house.floor.people.persons}
    return Robots(house, players, staff, pace=pace)


async def _table(house: Running, book: str) -> None:
    """A table of a book, on a meter of its own where it has a progressive."""
    rules, meter, awards = load_book(book), None, _AWARDS.get(book, {})
    sue, eve, fred = w.Sender("sue", "supervisor"), w.Sender("eve", "executive"), w.Sender("fred", "floorperson")
    if rules.progressive is not None:
        meter = book
        config = {
            "do": "configure",
            "tables": {book: book},
            "currency": rules.currency,
            "base": 5_000_000,
            "reset": 1_000_000,
            "rate": "70%",
            "hidden_rate": "10%",
            "executive_from": 500_000,
            "awards": awards,
        }
        await _do(house, sue, w.OnMeter(meter=meter, act=config))
        await _do(house, eve, w.Approve(number=house.floor.cage.asked))
        await _do(house, eve, w.OnMeter(meter=meter, act={"do": "open"}))
    table = w.SetTable(
        table=book,
        name=rules.title,
        book=book,
        ante_min=500,
        ante_max=20_000,
        meter=meter,
        awards=awards,
        reset=None if meter is None else 1_000_000,
        attended=False,
    )
    await _do(house, fred, table)
    await _do(house, sue, w.Fill(table=book, amount=5_000_000))
    await _do(house, w.Sender("carl", "cashier"), w.Approve(number=house.floor.cage.asked))


async def _do(house: Running, sender: w.Sender, wish: Any) -> None:
    reply = await house.ask(Request(id=f"demo/{house.desk.seq}", sender=sender, wish=wish))
    if reply.refused is not None:
        raise DemoFailed(f"{wish}: {reply.refused.reason} ({reply.refused.clause})")
