"""Attackers over raw sockets, each in a different way, and how a player fares meanwhile.

python -m benchmarks.hostile [--seconds 10] [--turns 3] [--addresses 1]     a served house with all attacks
python -m benchmarks.hostile --way floods --at-once 36                      the same with one kind of attack

Attackers share the machine with house and player. To subtract that, each turn also runs a control program that uses as
much processor time and attacks nobody, and measures the player beside it.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import statistics
import struct
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

from aceking.house.floor import requests as w
from aceking.web.sessions import COOKIE
from benchmarks import crowd as people
from benchmarks.limits import at_most, note, summary
from benchmarks.wire import Socket

_UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n"
_KEY = "AAAAAAAAAAAAAAAAAAAAAA=="
WAYS = ("oversized", "guesses", "forges", "nonsense", "slow", "fuzzes", "wrong_types", "floods", "does_not_read")
#: Allowed close codes: normal, protocol error, too long, and our own (4401 to 4429).
CLOSES = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 4401, 4403, 4408, 4429}


@dataclass
class Seen:
    """Counts of what came back."""

    statuses: Counter[int] = field(default_factory=Counter)
    messages: Counter[str] = field(default_factory=Counter)  # by kind, or by the code of a refusal
    closes: Counter[int] = field(default_factory=Counter)
    texts: list[bytes] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)


@dataclass
class Attack:
    """A house to attack, with valid session tokens."""

    host: str
    port: int
    token: str
    dice: random.Random
    addresses: int = 1  # number of addresses that connections come from
    seen: Seen = field(default_factory=Seen)

    # Over HTTP

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        source = f"127.0.0.{self.dice.randint(1, self.addresses)}"
        return await asyncio.open_connection(self.host, self.port, limit=2**22, local_addr=(source, 0))

    async def _request(self, head: str, body: bytes = b"") -> bytes:
        """Send one request on its own connection and return the answer, as far as it came."""
        reader, writer = await self._opened()
        found = b""
        with suppress(OSError, TimeoutError):
            writer.write(head.encode("latin-1") + body)
            async with asyncio.timeout(60):
                while data := await reader.read(2**20):
                    found += data
        writer.close()
        if found.startswith(b"HTTP/1.1 "):
            self.seen.statuses[int(found[9:12])] += 1
        self.seen.texts.append(found)
        return found

    def _head(self, method: str, path: str, *lines: str, cookie: str = "") -> str:
        told = (f"Host: {self.host}", "Connection: close", *([f"Cookie: {cookie}"] if cookie else []), *lines)
        return f"{method} {path} HTTP/1.1\r\n" + "".join(f"{line}\r\n" for line in told) + "\r\n"

    async def _posts(self, path: str, body: bytes) -> bytes:
        """Post with the CSRF cookie that everybody gets, so that the body is read."""
        page = await self._request(self._head("GET", "/api/house"))
        cookie = page.partition(b"csrftoken=")[2].partition(b";")[0].decode()
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}", f"x-csrftoken: {cookie}")
        return await self._request(self._head("POST", path, *lines, cookie=f"csrftoken={cookie}"), body)

    async def oversized(self) -> None:
        """Send bodies, heads and paths that are too long, and wrong lengths."""
        size = self.dice.choice((600_000, 5_000_000))
        choice = self.dice.randrange(5)
        json_type = "Content-Type: application/json"
        if choice == 0:
            await self._request(self._head("POST", "/api/login", json_type, f"Content-Length: {size}"), bytes(size))
        elif choice == 1:
            await self._request(self._head("GET", "/api/house", f"X-Long: {'x' * size}"))
        elif choice == 2:
            await self._request(self._head("GET", "/" + "x" * size))
        elif choice == 3:
            lies = self.dice.choice(("-1", "1e9", "99999999999999999999", "5, 6"))
            await self._request(self._head("POST", "/api/login", json_type, f"Content-Length: {lies}"), b"{}")
        else:
            deep = self.dice.choice((60, 5_000))
            await self._posts("/api/login", b"[" * deep)

    async def guesses(self) -> None:
        """Guess passwords of people who exist and who do not."""
        name = self.dice.choice(("max", "eve", "root", "p1", "", "x" * 300, "\0", "' OR 1=1 --"))
        body = json.dumps({"name": name, "password": str(self.dice.random())}).encode()
        found = await self._posts("/api/login", body)
        assert b" 20" not in found[:13], found

    async def forges(self) -> None:
        """Send session tokens that do not exist or are malformed."""
        cookie = self.dice.choice(
            (uuid.uuid4().hex, self.token[:-1], self.token.upper() + "x", "\xff" * 50, "x" * 5_000)
        )
        path = self.dice.choice(("/api/me", "/api/log", "/api/export", "/api/purse", "/api/pit", "/api/waiting"))
        found = await self._request(self._head("GET", path, cookie=f"{COOKIE}={cookie}"))
        assert b" 20" not in found[:13], found[:200]

    async def nonsense(self) -> None:
        """Send bytes that are not HTTP."""
        await self._request(self.dice.randbytes(self.dice.randint(1, 3_000)).decode("latin-1") + "\r\n\r\n")

    async def slow(self) -> None:
        """Send half a request, then a byte now and then, until the house closes the connection."""
        reader, writer = await self._opened()
        head = self._head("POST", "/api/login", "Content-Length: 1000", "Content-Type: application/json")
        half = self.dice.choice(("", "G", "GET /api/house HT", head[:-2], head))
        with suppress(OSError):
            writer.write(half.encode())
            while not reader.at_eof():
                await asyncio.sleep(0.2)
                writer.write(b"a")
                await writer.drain()
                with suppress(TimeoutError):
                    self.seen.texts.append(await asyncio.wait_for(reader.read(1_000), 0.05))
        writer.close()
        self.seen.messages["let go while slow"] += 1

    # Over a live connection

    async def _live(self, cookie: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self._opened()
        head = self._head("GET", "/api/live", cookie=cookie).replace("Connection: close\r\n", "")
        writer.write((head[:-2] + _UPGRADE.format(_KEY) + "\r\n").encode())
        await reader.readuntil(b"\r\n\r\n")
        return reader, writer

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Count every frame until the house closes the connection."""
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                first, second = await reader.readexactly(2)
                size = second & 127
                if size >= 126:
                    size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8))
                text = await reader.readexactly(size)
                if first & 15 == 8:
                    self.seen.closes[int.from_bytes(text[:2])] += 1
                    return
                if first & 15 == 1:
                    self.seen.texts.append(text)
                    told = json.loads(text)
                    self.seen.messages[str(told.get("code", told["is"]))] += 1

    async def _tells(self, frames: list[bytes], *, pause: float = 0) -> None:
        """Send frames over one connection, with or without a session."""
        reader, writer = await self._live(f"{COOKIE}={self.token}" if self.dice.random() < 0.7 else "")
        listens = asyncio.create_task(self._listen(reader))
        with suppress(OSError):
            for one in frames:
                writer.write(one)
                await writer.drain()
                await asyncio.sleep(pause)
        with suppress(TimeoutError):
            await asyncio.wait_for(listens, 0.5)
        writer.close()

    async def fuzzes(self) -> None:
        """Send random bytes as frames: unknown kinds, no mask, wrong lengths, invalid text."""
        await self._tells([self._bytes() for _ in range(self.dice.randint(1, 5))])

    def _bytes(self) -> bytes:
        noise = self.dice.randbytes(self.dice.randint(0, 200))
        return self.dice.choice(
            (
                noise,
                _frame(noise, kind=self.dice.randrange(16)),
                _frame(noise, kind=1),
                _frame(b'{"is":"ping"}', masked=False),
                bytes([0x81, 0xFF]) + struct.pack(">Q", 2 ** self.dice.randint(20, 62)) + bytes(4),
                _frame(bytes(200), kind=9),
                _frame(b"x" * self.dice.choice((20_000, 63_000, 70_000))),
                _frame(b'{"is":', final=False) + _frame(b'"ping"}', kind=0),
                _frame(b"[" * 15_000),
            )
        )

    async def wrong_types(self) -> None:
        """Send valid JSON of the wrong shape."""
        await self._tells([_frame(json.dumps(self._message()).encode()) for _ in range(20)], pause=0.005)

    def _message(self) -> Any:
        name = self.dice.choice(("sit", "play", "buy-in", "deposit", "tick", "found", "set-table", "close-day", "?"))
        usual: dict[str, Any] = {
            "is": self.dice.choice(("ask", "watch", "follow", "ping", "unwatch", "watch-floor", "answer", "dance")),
            "id": uuid.uuid4().hex,
            "table": "t0",
            "wish": {"ask": name, "table": "t0", "box": 1, "amount": 1000, "act": {"do": "ante", "box": 1}},
        }
        for place in (usual, usual["wish"]):
            for key in list(place):
                if self.dice.random() < 0.25:
                    place[key] = self.dice.choice(
                        (
                            None,
                            -1,
                            1e308,
                            2**70,
                            True,
                            [],
                            {},
                            [[[]]],
                            "",
                            "x" * 500,
                            "\u0000",
                            "\ud83c\udca1",
                            {"is": {}},
                        )
                    )
        return usual

    async def floods(self) -> None:
        """Send as many messages as possible, until the house closes the connection."""
        await self._tells([_frame(b'{"is":"ping","number":1}') * 100 for _ in range(30)])

    async def does_not_read(self) -> None:
        """Watch everything, ask for it again and again, and read none of it."""
        _, writer = await self._live(f"{COOKIE}={self.token}")
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(5):
                for number in range(60):
                    writer.write(_frame(json.dumps({"is": "watch", "table": f"t{number % 30}"}).encode()))
                    writer.write(_frame(b'{"is":"watch-floor"}'))
                    await writer.drain()
                    await asyncio.sleep(0.05)
        writer.transport.abort()

    @property
    def ways(self) -> tuple[Callable[[], Awaitable[None]], ...]:
        """Return every kind of attack."""
        return tuple(getattr(self, name) for name in WAYS)

    async def goes_on(self, seconds: float, *, at_once: int = 4, way: str = "") -> Seen:
        """Repeat each attack, or one of them, `at_once` times in parallel."""
        ends = time.monotonic() + seconds

        async def one(name: str) -> None:
            while time.monotonic() < ends:
                with suppress(ConnectionError, asyncio.IncompleteReadError):
                    await getattr(self, name)()
                self.seen.tried[name] += 1

        await asyncio.gather(*(one(name) for name in ([way] if way else WAYS) for _ in range(at_once)))
        return self.seen


def _frame(text: bytes, *, kind: int = 1, masked: bool = True, final: bool = True) -> bytes:
    size, bit = len(text), 128 if masked else 0
    length = bytes([bit | size]) if size < 126 else bytes([bit | (126 if size < 2**16 else 127)])
    if size >= 126:
        length += size.to_bytes(2 if size < 2**16 else 8)
    return bytes([(128 if final else 0) | kind]) + length + (bytes(4) if masked else b"") + text


# Measuring a player meanwhile


class Witness:
    """A player who asks one thing after another and records how long each answer took."""

    def __init__(self) -> None:
        self.table = next(people.FULL.places())[1]
        self._eye = people.Eye(self.table)
        self._socket: Socket

    async def comes(self, server: people.Server, token: str) -> None:
        self._socket = await people.connect(server, self._eye.hears, token)

    async def asks(self, seconds: float) -> list[float]:
        """Ask at most twenty times a second and return the times of the answers."""
        took, ends = [], time.perf_counter() + seconds
        while time.perf_counter() < ends:
            began = time.perf_counter()
            self._socket.send({"is": "ask", "id": uuid.uuid4().hex, "wish": w.BuyIn(table=self.table, amount=1)})
            answered, _ = await asyncio.wait_for(self._eye.answers.get(), 60)
            took.append(answered - began)
            await asyncio.sleep(0.05)
        return took


@dataclass(frozen=True, slots=True)
class Plan:
    """The attackers, and for how long they attack."""

    seconds: float = 10
    turns: int = 3
    addresses: int = 1
    way: str = ""  # empty: every way
    at_once: int = 4  # of each way


_USUAL = (Plan(), Plan(addresses=36))


def attacks(host: str, port: int, token: str, seconds: float, plan: Plan, used: "Queue[float]") -> None:
    """Run the attackers in their own process, so that they take only the house's time from the witness."""
    os.nice(5)
    attack = Attack(host, port, token, random.Random(1), plan.addresses)
    asyncio.run(attack.goes_on(seconds, at_once=plan.at_once, way=plan.way))
    used.put(time.process_time() / seconds)


def works(share: float, seconds: float) -> None:
    """The control: use as much processor time without attacking."""
    os.nice(5)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        began = time.process_time()
        while time.process_time() - began < 0.01 * share:
            pass
        time.sleep(0.01 * (1 - min(share, 0.95)))


@dataclass
class Fared:
    """The times of answers before, during, beside the control and afterwards."""

    before: list[float] = field(default_factory=list)
    meanwhile: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)  # by the attackers, as a share of one processor
    served: list[float] = field(default_factory=list)  # by the house meanwhile


async def _turn(server: people.Server, witness: Witness, token: str, plan: Plan, fared: Fared) -> None:
    seconds = plan.seconds
    spawn = multiprocessing.get_context("spawn")
    fared.before += await witness.asks(seconds)
    used: Queue[float] = spawn.Queue()
    hostile = spawn.Process(target=attacks, args=(server.host, server.port, token, seconds + 3, plan, used))
    hostile.start()
    await asyncio.sleep(3)
    spent = server.processor()
    fared.meanwhile += await witness.asks(seconds)
    fared.served.append((server.processor() - spent) / seconds)
    fared.used.append(await asyncio.to_thread(used.get))
    hostile.join()
    fared.again += await witness.asks(seconds)
    control = spawn.Process(target=works, args=(fared.used[-1], seconds + 3))
    control.start()
    await asyncio.sleep(2)
    fared.beside += await witness.asks(seconds)
    while control.is_alive():
        await asyncio.sleep(0.1)


async def _measured(server: people.Server, tokens: dict[str, str], plan: Plan) -> None:
    witness, fared = Witness(), Fared()
    await witness.comes(server, tokens["p1"])
    await witness.asks(2)
    for _ in range(plan.turns):  # in turns, because other work on the machine varies
        await _turn(server, witness, tokens["p2"], plan, fared)
    calm = statistics.median(fared.before)
    note("a player's median answer before hostile clients", 1000 * calm, "ms")
    note("of a processor: used by the attackers", statistics.mean(fared.used), "")
    note("of a processor: used by the house meanwhile", statistics.mean(fared.served), "")
    meanwhile, beside = statistics.median(fared.meanwhile) / calm, statistics.median(fared.beside) / calm
    note("median of the player during the attack, to that before", meanwhile, "")
    note("the same beside the control, which attacks nobody", beside, "")
    at_most("while they are there, to beside the control", meanwhile / beside, "", 1.25)
    note("slowest but 5 % while they are there, to before", _slow(fared.meanwhile) / _slow(fared.before), "")
    note("the same beside the control", _slow(fared.beside) / _slow(fared.before), "")
    note("median of the player after the attack, to that before", statistics.median(fared.again) / calm, "")


def _slow(took: list[float]) -> float:
    return statistics.quantiles(took, n=20)[-1]


def main(*plans: Plan) -> None:
    """Measure a player before, during and after attacks from one address, and from one address per attacker."""
    for plan in plans or _USUAL:
        print(f"{len(WAYS) if not plan.way else 1} x {plan.at_once} attackers, {plan.addresses} addresses", flush=True)
        _measure(plan)
    summary()


def _measure(plan: Plan) -> None:
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/house.db"
        tokens = people.make_house(url)
        with people.served(url, Path(name)) as server:
            asyncio.run(_measured(server, tokens, plan))
            faults = server.told.count("Traceback")
            note("faults in the log of the server", faults, "")


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=10)
    reader.add_argument("--turns", type=int, default=3)
    reader.add_argument("--addresses", type=int, choices=range(1, 255), default=1, metavar="N", help="1 to 254")
    reader.add_argument("--way", default="", choices=WAYS, metavar="WAY", help=f"one alone: {', '.join(WAYS)}")
    reader.add_argument("--at-once", type=int, default=4, help="attackers of each way")
    main(Plan(**vars(reader.parse_args())))
