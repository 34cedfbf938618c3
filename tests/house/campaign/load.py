"""The load of a campaign: a house with a jackpot, and clients on real sockets that repeat unanswered requests."""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from aceking.house.desk import Reply
from aceking.house.floor import requests as w
from aceking.rules.reading.load import load_book
from aceking.table import player as pl
from aceking.web.live import messages as m
from tests.web.playing import next_request
from tests.web.served import PLAYERS, Served, table

#: Two tables on one meter, and one table of another game.
BOOKS = {"a": "section10", "b": "exchange", "c": "section10"}
LINKED = ("a", "c")
METER = "m"
APART = "SGD"  # a currency of no table: only the cashier changes these purses
#: Staff who confirm and sign; they start nothing by themselves.
STAFF: dict[str, Any] = {"sam": "supervisor", "eve": "executive"}
#: Unanswered requests per connection.
UNDER_WAY = 8
_BUYS = 1_000_000
_FROM_HOUSE: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(m.FromHouse)


def opening() -> Iterator[tuple[str, Any]]:
    """Yield the requests that set up the meter and the tables, and seat everybody at all of them."""
    meter = {
        "do": "configure",
        "tables": {name: BOOKS[name] for name in LINKED},
        "currency": load_book(BOOKS["a"]).currency,
        "base": 1_000_000,
        "reset": 500_000,
        "rate": "70%",
        "hidden_rate": "10%",
        "executive_from": 100_000,
    }
    yield "sam", w.OnMeter(meter=METER, act=meter)
    yield "eve", w.Approve(number=1)
    yield "eve", w.OnMeter(meter=METER, act={"do": "open"})
    for name, book in BOOKS.items():
        linked: dict[str, Any] = {"meter": METER, "reset": 500_000} if name in LINKED else {}
        yield table(name, book, bet_seconds=1, decide_seconds=1, grace_seconds=1, **linked)
        for box, player in enumerate(PLAYERS, start=1):
            yield player, w.SitRequest(table=name, box=box)
            yield player, w.BuyIn(table=name, amount=_BUYS)


@dataclass
class Sender:
    """A connection that sends requests without waiting, and remembers which were answered."""

    name: str
    table: str
    cookies: str
    chance: random.Random
    unanswered: dict[str, Any] = field(default_factory=dict)
    answered: dict[str, Reply] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)  # ids answered since the auditor looked
    shown: list[m.TableIs] = field(default_factory=list)  # the first and the last view of each connection
    contradicted: list[str] = field(default_factory=list)
    again: int = 0
    notes: Callable[[m.Ask | m.Answer], None] = lambda _: None  # called with each request and each first answer

    async def asks(self, address: str, *, new: int = 400) -> None:
        """Send unanswered requests first, then new ones, until the server is gone or everything is answered."""
        # With several worker processes, half of the connections name their table and so reach the worker that has it.
        url = f"{address.replace('http', 'ws')}/api/live{self.chance.choice(('', f'?table={self.table}'))}"
        headers = {"Cookie": self.cookies}
        with suppress(ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
            async with connect(url, additional_headers=headers, max_size=2**22) as socket:
                says = asyncio.create_task(self._says(socket, new))
                hears = asyncio.create_task(self._hears(socket))
                try:
                    await asyncio.wait((hears, says), return_when=asyncio.FIRST_COMPLETED)
                    while says.done() and self.unanswered and not hears.done():
                        await asyncio.sleep(0.002)
                finally:
                    for task in (says, hears):
                        task.cancel()
                    for found in await asyncio.gather(says, hears, return_exceptions=True):
                        if isinstance(found, AssertionError | msgspec.DecodeError):
                            raise found

    async def _says(self, socket: ClientConnection, new: int) -> None:
        await socket.send(msgspec.json.encode(m.Watch(table=self.table)).decode())
        for key, body in [*self.unanswered.items()]:
            self.again += 1
            await self._send(socket, key, body)
        known = [*self.answered] if len(self.answered) < 200 else [*self.answered][-200:]
        for key in self.chance.sample(known, min(2, len(known))):
            self.again += 1
            await self._send(socket, key, self.asked[key])  # some answered requests are sent again
        for _ in range(0 if self.name in STAFF else new):
            while len(self.unanswered) >= UNDER_WAY:
                await asyncio.sleep(0.002)
            await self._send(socket, self.wants(self._next_request()), None)

    def wants(self, body: Any) -> str:
        """Add a new request, which is sent until it is answered, and return its id."""
        key = f"{self.name}.{self.table}.{len(self.asked)}-request"
        self.asked[key] = self.unanswered[key] = body
        self.notes(m.Ask(id=key, wish=body))
        return key

    async def _send(self, socket: ClientConnection, key: str, body: Any) -> None:
        await socket.send(msgspec.json.encode(m.Ask(id=key, wish=body or self.asked[key])).decode())

    def _next_request(self) -> Any:
        """Return one of the offers half of the time, and else any act."""
        if self.name == "cas":
            return w.Deposit(player=self.chance.choice([*PLAYERS]), currency=APART, amount=self.chance.randint(1, 999))
        name, box = self.table, int(self.name[1:])
        offered = next_request(self.shown[-1], self.name, box, self.chance) if self.shown else None
        if offered is not None and self.chance.random() < 0.5:
            return offered
        acts: list[Any] = [pl.PlaceAnte(box=box, amount=1000), pl.SeeHand(box=box), pl.GiveUp(box=box)]
        progressive = load_book(BOOKS[name]).progressive
        if progressive is not None:
            acts += [pl.PlaceSide(box=box, amount=progressive.stake)] * 3
        own = [
            w.SayReady(table=name),
            w.BuyIn(table=name, amount=self.chance.randint(1, 50)),
            w.CashOut(table=name, amount=self.chance.randint(1, 50)),
            w.AddWord(table=name, word="luck"),
        ]
        return self.chance.choice([*own, *(w.PlayRequest(table=name, act=act) for act in acts)])

    async def _hears(self, socket: ClientConnection) -> None:
        first = True
        async for text in socket:
            message = _FROM_HOUSE.decode(text)
            match message:
                case m.Answer():
                    self._is_told(message)
                case m.TableIs() if first:
                    first = False
                    self.shown += [message, message]
                case m.TableIs():
                    self.shown[-1] = message
                case m.Sorry(code="not-written"):
                    pass  # the house has lost its database or is ending: the request is sent again
                case m.Sorry():
                    raise AssertionError(f"{self.name} was told {message}")
                case _:
                    pass

    def _is_told(self, message: m.Answer) -> None:
        known = self.answered.setdefault(message.id, message.reply)
        if known != message.reply:
            self.contradicted.append(f"{message.id} was told {known} and later {message.reply}")
        if self.unanswered.pop(message.id, None) is not None:
            self.fresh.append(message.id)
            self.notes(message)

    def remembers(self, message: m.Ask | m.Answer) -> None:
        """Restore a request or an answer from before a pause."""
        if isinstance(message, m.Ask):
            self.asked[message.id] = self.unanswered[message.id] = message.wish
        else:
            self._is_told(message)


def senders(served: Served, dice: random.Random) -> list[Sender]:
    """Log everybody in.

    Returns a sender for each player at each table, two for the cashier, and one for each of the staff.
    """
    found = []
    for name in (*PLAYERS, "cas", *STAFF):
        with served.person(name) as person:
            cookies = "; ".join(f"{one.name}={one.value}" for one in person._http.cookies.jar)
        at = [*BOOKS] if name in PLAYERS else [*BOOKS][:2] if name == "cas" else [*BOOKS][:1]
        found += [Sender(name, place, cookies, random.Random(dice.random())) for place in at]
    return found
