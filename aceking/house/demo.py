"""A demonstration house: staff, players with money in their purses, robots, and a table of each game."""

from typing import Any

from aceking.house import login as access
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.roles import Role
from aceking.house.robots import RobotPlayer, Robots, Style
from aceking.house.running import Running
from aceking.rules.reading.load import book_ids, load_book

CURRENCIES = {"EUR": 2, "SGD": 2, "USD": 2}
FLOAT, PURSE, ROBOT_PURSE = 100_000_000, 500_000, 50_000_000
#: The people who may log in, with their roles.
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
#: Staff robots confirm and sign awards, so that no table waits for a person who is not there.
STAFF: dict[str, Role] = {"robot-supervisor": "supervisor", "robot-executive": "executive"}
_STYLES: tuple[Style, ...] = ("well", "by-thumb", "badly")
#: The names of the robots that play, two for each table.
_ROBOTS = ("rosa", "karim", "ines", "tomas", "yuki", "omar", "lena", "pavel", "noor", "hugo", "mei", "diego")
#: The awards that the house must post where its book leaves them open.
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
    """Return two robots for every table, in the last boxes, with the styles in turn."""
    players = []
    for number, book in enumerate(book_ids()):
        boxes = load_book(book).table.seats_max
        for place, box in enumerate((boxes, boxes - 1)):
            style = _STYLES[(number + place) % len(_STYLES)]
            players.append(RobotPlayer(_ROBOTS[2 * number + place], style, book, box))
    return tuple(players)


class DemoFailed(RuntimeError):
    """The house refused a request of the demonstration."""


async def make_demo(house: Running) -> dict[str, str]:
    """Found the house in an empty log. Return the passwords, which are shown once. Raises DemoFailed."""
    robots: dict[str, Role] = dict.fromkeys((one.name for one in robot_players()), "player")
    people = {**PEOPLE, **STAFF, **robots}
    await _do(house, w.HOUSE, w.FoundHouse(name="The AceKing", currencies=CURRENCIES, people=people, float=FLOAT))
    for player in (name for name, role in sorted(people.items()) if role == "player"):
        amount = ROBOT_PURSE if player in robots else PURSE
        for currency in CURRENCIES:
            await _do(house, w.Sender("carl", "cashier"), w.Deposit(player=player, currency=currency, amount=amount))
    for book in book_ids():
        await _table(house, book)
    passwords = {name: access.new_password() for name in PEOPLE}
    for name, password in passwords.items():
        access.set_password(house.store, name, password)
        await _do(house, w.HOUSE, w.Note(event={"is": "password-set", "name": name, "by": "house"}))
    return passwords


def robots_of(house: Running, *, pace: float = 1.0) -> Robots:
    """Return the robots of a demonstration house."""
    players = tuple(one for one in robot_players() if one.name in house.floor.people.persons)
    staff: dict[str, Role] = {name: role for name, role in STAFF.items() if name in house.floor.people.persons}
    return Robots(house, players, staff, pace=pace)


async def _table(house: Running, book: str) -> None:
    """Put a table of a book on the floor, on a meter of its own if it has a progressive."""
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


async def _do(house: Running, sender: w.Sender, body: Any) -> None:
    reply = await house.ask(Request(id=f"demo/{house.desk.seq}", sender=sender, body=body))
    if reply.refused is not None:
        raise DemoFailed(f"{body}: {reply.refused.reason} ({reply.refused.clause})")
