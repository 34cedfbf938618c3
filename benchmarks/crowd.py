"""A house with 200 players on 30 tables over real sockets, to measure with.

Each player has a live connection, watches their table and asks for what they are offered, one thing at a time. The
players decode only what they need of a view, so that the crowd is not slower than the house.
"""

import asyncio
import os
import re
import select
import signal
import subprocess
import sys
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec

from aceking.house import login as door
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.roles import Role
from aceking.house.running import Running, SystemClock
from aceking.house.store import secrets as apart
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from aceking.table import player as pl
from benchmarks import wire
from benchmarks.wire import Socket

PLAYERS = tuple(f"p{number}" for number in range(1, 201))
#: All books, each at five tables, so that every game is played.
BOOKS = ("section10", "exchange", "rws", "washington", "colorado-required", "colorado-permissible")
CURRENCIES = {"EUR": 2, "SGD": 2, "USD": 2}
STAFF: dict[str, Role] = {"fay": "floorperson", "cas": "cashier", "max": "manager"}
ANTE = 10_00
#: Seconds between two reads of a busy crowd: it shares the cores with the house, and no person sees more.
GLANCE_SECONDS = 0.005
PASSWORD = "a password to measure with"


class Plan(NamedTuple):
    """The tables and players of a house."""

    books: tuple[str, ...] = BOOKS
    tables: int = 30
    boxes: int = 7

    def places(self) -> Iterator[tuple[str, str, int]]:
        """Yield player, table and box, box by box, until there are no more players or boxes."""
        spread = [(f"t{table}", box) for box in range(1, self.boxes + 1) for table in range(self.tables)]
        for player, (table, box) in zip(PLAYERS, spread, strict=False):
            yield player, table, box

    def opening(self) -> Iterator[tuple[str, Any]]:
        """Everything that is asked for before the first round."""
        people: dict[str, Role] = {**STAFF, **dict.fromkeys(PLAYERS, "player")}
        yield "house", w.FoundHouse(name="The Bench", currencies=CURRENCIES, people=people, float=10**12)
        for player in PLAYERS:
            for currency in CURRENCIES:
                yield "cas", w.Deposit(player=player, currency=currency, amount=2 * 10**10)
        for number in range(self.tables):
            yield "fay", posted(f"t{number}", self.books[number % len(self.books)])
        for player, table, box in self.places():
            yield player, w.SitRequest(table=table, box=box)
            yield player, w.BuyIn(table=table, amount=10**10)


FULL = Plan()


def posted(table: str, book: str) -> w.SetTable:
    """Return an electronic table whose clocks matter only if a player is slow."""
    return w.SetTable(
        table=table,
        name=table,
        book=book,
        ante_min=ANTE,
        ante_max=10 * ANTE,
        attended=False,
        pause_seconds=0,
        bet_seconds=60,
        decide_seconds=60,
    )


def sender(name: str) -> w.Sender:
    return w.HOUSE if name == "house" else w.Sender(name, STAFF.get(name, "player"))


async def found(house: Running, plan: Plan = FULL) -> None:
    """Set up and open the house, with as few commits as possible."""
    asked = [
        Request(id=f"opening-{number}", sender=sender(name), body=body)
        for number, (name, body) in enumerate(plan.opening())
    ]
    first, *others = asked
    for some in ([first], others):
        for reply in await asyncio.gather(*(house.ask(one) for one in some)):
            assert reply.refused is None, reply.refused


def sessions(store: Store) -> dict[str, str]:
    """Create a session for each player without logging in: hashing passwords is slow on purpose."""
    tokens = {player: sha256(player.encode()).hexdigest() for player in PLAYERS}
    now = SystemClock().now()
    for player, token in tokens.items():
        key = sha256(token.encode()).digest()
        apart.start_session(store, apart.Session(token_hash=key, person=player, made=now, seen=now, ends=now + 10**8))
    return tokens


def make_house(url: str) -> dict[str, str]:
    """Create a house in a database and return the session tokens of its players."""

    async def made(store: Store) -> dict[str, str]:
        house = Running(store, clock=SystemClock(), draw=os.urandom)
        await house.start()
        await found(house)
        await house.stop()
        return sessions(store)

    with closing(open_store(url)) as store:
        return asyncio.run(made(store))


def give_passwords(url: str, names: Sequence[str]) -> None:
    """Add people with one shared password hash: hashing is slow on purpose."""

    async def made(store: Store) -> None:
        house = Running(store, clock=SystemClock(), draw=os.urandom)
        await house.start()
        for name in names:
            await house.ask(Request(id=f"add-{name}", sender=w.HOUSE, body=w.AddPerson(name=name, role="player")))
        await house.stop()
        door.set_password(store, names[0], PASSWORD)
        known = apart.credential(store, names[0])
        assert known is not None
        for name in names:
            apart.set_credential(store, apart.Credential(person=name, hash=known.hash))

    with closing(open_store(url)) as store:
        asyncio.run(made(store))


async def log_in(server: "Server", names: Sequence[str]) -> float:
    """Log all of them in at once and return the seconds that took."""
    started = time.perf_counter()
    async with httpx.AsyncClient(base_url=f"http://{server.host}:{server.port}", timeout=120) as http:
        await http.get("/api/house")
        headers = {"x-csrftoken": http.cookies["csrftoken"]}
        for reply in await asyncio.gather(
            *(http.post("/api/login", json={"name": name, "password": PASSWORD}, headers=headers) for name in names)
        ):
            assert reply.status_code == 200, reply.text
    return time.perf_counter() - started


class Server:
    """A running `aceking serve`, with one process or several."""

    def __init__(self, url: str, folder: Path, workers: int = 1) -> None:
        self.workers = workers
        self.out = folder / f"server-{time.monotonic_ns()}.txt"
        env = {**os.environ, "ACEKING_REQUESTS_A_MINUTE": "100000"}
        command = [sys.executable, "-m", "aceking", "serve", "--db", url, "--listen", "127.0.0.1:0"]
        command += ["--workers", str(workers)]
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=env)
        ends = time.monotonic() + 60
        while (told := re.search(r"tables at http://([^:]+):(\d+)", self.told)) is None:
            assert self.process.poll() is None, self.told
            assert time.monotonic() < ends, self.told
            time.sleep(0.02)
        self.host, self.port = told[1], int(told[2])

    @property
    def told(self) -> str:
        """Its output so far."""
        return self.out.read_text(encoding="utf-8", errors="replace")

    def processor(self) -> float:
        """Return the processor seconds of all its processes."""
        parent = f"/proc/{self.process.pid}"
        children = Path(f"{parent}/task/{self.process.pid}/children").read_text(encoding="ascii").split()
        return sum(_used(process) for process in (parent, *[f"/proc/{child}" for child in children]))

    def stop(self) -> None:
        """Stop it with SIGINT, as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


def _used(process: str) -> float:
    fields = Path(f"{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(url: str, folder: Path, workers: int = 1) -> Iterator[Server]:
    """Run a server inside the context."""
    server = Server(url, folder, workers)
    try:
        yield server
    finally:
        server.stop()


# The fields of messages that a player reads; msgspec skips the rest.


class _Offer(msgspec.Struct):
    do: str
    box: int | None = None
    cards: tuple[str, ...] = ()
    question: int | None = None


class _Box(msgspec.Struct):
    box: int


class _Common(msgspec.Struct):
    phase: str | None = None
    boxes: tuple[_Box, ...] = ()


class _Rail(msgspec.Struct):
    version: int
    common: _Common
    ready: tuple[str, ...] = ()


class _Own(msgspec.Struct):
    may: tuple[_Offer, ...] = ()


class _Refused(msgspec.Struct):
    clause: str
    reason: str


class _Reply(msgspec.Struct):
    done: dict[str, int] = {}
    refused: _Refused | None = None


class _Table(msgspec.Struct, tag="table", tag_field="is"):
    rail: _Rail
    own: _Own


class _Answer(msgspec.Struct, tag="answer", tag_field="is"):
    id: str
    reply: _Reply


class _Welcome(msgspec.Struct, tag="welcome", tag_field="is"):
    pass


class _Sorry(msgspec.Struct, tag="sorry", tag_field="is"):
    code: str
    reason: str


_READ: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(_Table | _Answer | _Welcome | _Sorry)
_VIEW = b'{"is":"table"'


class Player:
    """One player at a table. `ready` is called when the player could ask; `asks` sends the request."""

    def __init__(self, name: str, table: str, box: int) -> None:
        self.name, self.table, self.box = name, table, box
        self.socket: Socket
        self.view: _Table | None = None
        self.answered: list[float] = []  # seconds from each request to its answer
        self.refused: list[_Refused] = []
        self.ready: Callable[[Player], None] = lambda _: None
        self._newest = b""  # a view that came while an answer was missing
        self._least = 0  # the version of the table after the last act
        self._asked: float | None = None
        self._told = False
        self._offered: Any = None  # the next request, by the newest view
        self._own, self._count = uuid.uuid4().hex[:24], 0  # for unique ids

    def hears(self, payload: bytes) -> None:
        """Take a view, or the answer to the last request."""
        if self._asked is not None and payload.startswith(_VIEW):
            self._newest = payload  # decoded once the answer is there
            return
        message = _READ.decode(payload)
        if isinstance(message, _Table):
            self.view, self._newest, self._told = message, b"", False
        elif isinstance(message, _Answer):
            assert self._asked is not None
            self.answered.append(time.perf_counter() - self._asked)
            self._asked = None
            if message.reply.refused is not None:
                self.refused.append(message.reply.refused)
            self._least = message.reply.done.get(f"table/{self.table}", self._least)
            if self._newest:
                self.hears(self._newest)
                return
        else:
            assert isinstance(message, _Welcome), message
        self._offer()

    def _offer(self) -> None:
        if not self._told:
            self._offered = self.next_request()
            if self._offered is not None:
                self._told = True
                self.ready(self)

    @property
    def waits(self) -> bool:
        return self._asked is not None

    def asks(self) -> bool:
        """Send the next request, if there is one; return whether it was sent."""
        request = self._offered if self._told else self.next_request()
        self._told = False
        if request is None:
            return False
        self._asked = time.perf_counter()
        self._count += 1
        self.socket.send({"is": "ask", "id": f"{self._own}{self._count}", "wish": request})
        return True

    def next_request(self) -> Any:
        """Return the next request; None while an answer, or a view newer than the last act, is missing."""
        view = self.view
        if view is None or self._asked is not None or view.rail.version < self._least:
            return None
        may = {offer.do: offer for offer in view.own.may if offer.box == self.box}
        staked = any(one.box == self.box for one in view.rail.common.boxes)
        if view.rail.common.phase == "betting" and staked:
            return None if self.name in view.rail.ready else w.SayReady(table=self.table)
        act = self._act(may, staked)
        return None if act is None else w.PlayRequest(table=self.table, act=act)

    def _act(self, may: dict[str, _Offer], staked: bool) -> Any:
        if "ante" in may and not staked:
            return pl.PlaceAnte(box=self.box, amount=ANTE)
        if "choose" in may and may["choose"].question is not None:
            return pl.PlayerAnswer(box=self.box, question=may["choose"].question, go_on=True)
        if "look" in may:
            return pl.SeeHand(box=self.box)
        # Even boxes bet and odd boxes fold, so that a round has both.
        for do in ("bet", "stay", "fold") if self.box % 2 == 0 else ("fold", "bet", "stay"):
            if do in may:
                aside = may[do].cards[0] if may[do].cards else None
                if do == "fold":
                    return pl.GiveUp(box=self.box)
                return (pl.MakeBet if do == "bet" else pl.StayIn)(box=self.box, discard=aside)
        return None


class Eye:
    """A connection that only records what it receives, and when."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.answers: asyncio.Queue[tuple[float, int]] = asyncio.Queue()  # when, and the version of the table after it
        self._seen: list[tuple[float, int]] = []

    def hears(self, payload: bytes) -> None:
        """Record a view or an answer."""
        now, message = time.perf_counter(), _READ.decode(payload)
        if isinstance(message, _Table):
            self._seen.append((now, message.rail.version))
        elif isinstance(message, _Answer):
            assert message.reply.refused is None, message.reply.refused
            self.answers.put_nowait((now, message.reply.done[f"table/{self.table}"]))

    async def sees(self, version: int) -> float:
        """Wait for this version of the table or a newer one, and return when it was first shown."""
        async with asyncio.timeout(10):
            while not self._seen or self._seen[-1][1] < version:
                await asyncio.sleep(0.001)
        return next(at for at, shown in self._seen if shown >= version)


class Crowd:
    """All players of a house, each connected and watching their table."""

    def __init__(self) -> None:
        self.players = [Player(name, table, box) for name, table, box in FULL.places()]
        self._could: deque[Player] = deque()  # players who could ask
        self._go = False

    async def come(self, server: Server, tokens: dict[str, str]) -> None:
        """Connect everybody and watch the tables."""
        for one in self.players:
            one.socket = await connect(server, one.hears, tokens[one.name], one.table)
            one.ready = self._ready
            one.socket.send({"is": "watch", "table": one.table})

    def leave(self) -> None:
        for one in self.players:
            one.socket.close()

    @property
    def answers(self) -> list[float]:
        """The time of each answer in seconds."""
        return [seconds for one in self.players for seconds in one.answered]

    @property
    def refused(self) -> list[Any]:
        """The refusals; a player may be refused if their view was late."""
        return [refusal for one in self.players for refusal in one.refused]

    def forget(self) -> None:
        """Clear the recorded times."""
        for one in self.players:
            one.answered.clear()

    def _ready(self, one: Player) -> None:
        if self._go:
            one.asks()
        else:
            self._could.append(one)

    async def ask(self, seconds: float) -> float:
        """Let everybody ask as fast as they are answered, and return the answers per second."""
        self._go, before = True, len(self.answers)
        started = time.perf_counter()
        while self._could:
            self._could.popleft().asks()
        with self._glancing() as glance:
            while time.perf_counter() < started + seconds:
                await asyncio.sleep(GLANCE_SECONDS)
                glance()
        answered = (len(self.answers) - before) / (time.perf_counter() - started)
        self._go = False
        await self._quiet()
        return answered

    @contextmanager
    def _glancing(self) -> Iterator[Callable[[], None]]:
        """Inside the context, received data is read only when the yielded function is called."""
        by_number = {one.socket.fileno(): one.socket for one in self.players}
        with closing(select.epoll()) as eyes:
            for number, socket in by_number.items():
                socket.pause()
                eyes.register(number, select.EPOLLIN)

            def glance() -> None:
                for number, _ in eyes.poll(0):
                    by_number[number].read()

            yield glance
        for socket in by_number.values():
            socket.resume()

    async def ask_evenly(self, seconds: float, *, a_second: int) -> None:
        """Let players ask one after another, `a_second` requests per second."""
        started = time.perf_counter()
        for number in range(int(seconds * a_second)):
            await asyncio.sleep(max(0.0, started + number / a_second - time.perf_counter()))
            while self._could and not self._could.popleft().asks():
                continue
        await self._quiet()

    async def _quiet(self) -> None:
        """Wait until every answer has come."""
        async with asyncio.timeout(30):
            while any(one.waits for one in self.players):
                await asyncio.sleep(0.01)


async def connect(server: Server, hears: Callable[[bytes], None], token: str, table: str = "") -> Socket:
    """Open a live connection, for a table or for none."""
    return await wire.connect(server.host, server.port, hears, token, table)
