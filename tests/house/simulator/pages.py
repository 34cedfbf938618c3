"""Open pages of the house, whose users read fast, slowly or not at all.

Everything that a server sends is compared with the log at that moment. A view must be a state of the log, limited to
what its viewer may see, and never older than the view before. An answer must be that of the log, and entries must come
in order. The pages also check what the house promises without a request: readers soon see the newest state, every
request is answered, and a client that does not read is disconnected.
"""

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from aceking.house.desk import Reply, Request
from aceking.web.live import messages as m
from aceking.web.live.hub import (
    CLOSED_HOUSE,
    CLOSED_SESSION,
    CLOSED_SLOW,
    SESSION_SECONDS,
    STALLED_SECONDS,
    UNSENT_REPLIES_MAX,
    Connection,
)
from tests.house.simulator.auditor import Broken
from tests.house.simulator.wire import SimulatedWire

if TYPE_CHECKING:
    from tests.house.simulator.people import Client
    from tests.house.simulator.world import World

#: Simulated seconds until a view is shown, an entry is sent, a request is answered, a barred person is disconnected.
_SHOWN, _FOLLOWED, _ANSWERED, _BARRED = 1.0, 3.0, 30.0, SESSION_SECONDS + 2
_MOMENT = 0.1
#: High and low watermarks of the transport's write buffer in bytes: the real ones, and smaller ones.
_MARKS = ((65_536, 16_384), (4_096, 1_024), (300, 100))
_READ = msgspec.json.Decoder()
_READ_REPLY = msgspec.json.Decoder(Reply)


class Page:
    """A page with at most one live connection. Without a token nobody is logged in."""

    def __init__(self, world: "World", person: str, *, token: str = "") -> None:
        self.world, self.person, self.token = world, person, token
        self.dice = world.dice
        self.owner: Client | None = None  # receives the answers
        self.wire: SimulatedWire | None = None
        self.reads, self._asleep = float("inf"), False
        self._followed = 0  # the last entry that arrived at the page
        self._requests: dict[str, Request] = {}
        self._new()
        self._later(self.dice.random())

    def _new(self) -> None:
        """Forget everything that was known of the last connection."""
        self.name: str | None = None
        self.role: Any = None
        self._shown: dict[str, int] = {}
        self._floor: tuple[int, Any] | None = None  # the entry after which the floor was shown, and the view
        self._expects: list[int] = []  # for each Follow that the server received: the last entry sent
        self._follows_anew = False  # a Follow is on its way to the server
        self._asked: dict[str, float] = {}  # received by the server and not answered yet: id and time
        self._pings: list[int] = []
        self._since: dict[str, float] = {}  # each delay that is going on, and since when
        self._opened_at = 0  # the last entry of the log when the connection was opened
        self._held = b""

    # What the user does

    def ask(self, request: Request) -> bool:
        """Send a request over the live connection. Returns False if there is none."""
        if self.wire is None or self.name is None:
            return False
        self._requests[request.id] = request
        self.wire.send(m.write(m.Ask(id=request.id, wish=request.body)))
        return True

    def _later(self, seconds: float) -> None:
        self.world.later(seconds, self._wakes)

    def _wakes(self) -> None:
        world, dice = self.world, self.dice
        if world.quiet_until <= world.loop.time():
            if self.wire is None:
                self._connects()
            elif not world.closing and dice.random() < world.weather.wires_cut:
                world.counts["wires cut"] += 1
                self.wire.breaks()
            else:
                self._does_something(self.wire)
        self._changes_reading_speed()
        self._later(dice.expovariate(1 / 0.6))

    def _changes_reading_speed(self) -> None:
        """Choose a reading speed: fast, some bytes at a time, nothing for a while, or nothing any more."""
        before = self.reads
        if self.world.closing:
            self.reads = float("inf")
        elif not self._asleep and self.dice.random() < self.world.weather.slow_readers:
            self.world.counts["slow readers"] += 1
            self.reads = self.dice.choice((0.0, 0.0, 40.0, 400.0, float("inf")))
            self._asleep = self.reads == 0 and self.dice.random() < 0.3
        if self.reads > before and self.wire is not None:
            self.wire.wakes()

    def _connects(self) -> None:
        process = self.world.some_process()
        if process is None:
            return
        self._new()
        self.reads, self._asleep = float("inf"), False
        self._opened_at = self.world.auditor.seq
        self.world.counts["connections"] += 1
        wire = self.wire = SimulatedWire(self.world, self, marks=self.dice.choice(_MARKS))
        wire.send(m.write(m.WatchFloor()))
        self.world.network.reaches(lambda: process.attends(wire, self.token))

    def _does_something(self, wire: SimulatedWire) -> None:
        tables = [*self.world.auditor.floor.tables]
        match self.dice.randrange(8):
            case 0 | 1 | 2:
                wire.send(m.write(m.Watch(table=self.dice.choice(tables))))
            case 3:
                wire.send(m.write(m.Unwatch(table=self.dice.choice(tables))))
            case 4:
                wire.send(m.write(m.Ping(number=self.dice.randrange(1000))))
            case 5 if self.role == "auditor" and len(self._expects) <= 1 and not self._follows_anew:
                self._follows_anew = True
                after = self.dice.choice(
                    (self._followed, self._followed, self.dice.randint(self._followed // 2, self._followed))
                )
                wire.send(m.write(m.Follow(after=after)))
            case 6:
                wire.send(m.write(m.WatchFloor()))

    # The far end of a wire

    def server_heard(self, text: bytes) -> None:
        """Note which answer the server must send to this message."""
        match m.read(text):
            case m.Ask(id=id_) if self.name is not None:
                self._asked.setdefault(id_, self.world.loop.time())
            case m.Ping(number=number):
                self._pings.append(number)
            case m.Follow(after=after) if self.role == "auditor":
                assert self.wire is not None
                self._follows_anew = False
                if _connection(self.wire).follows != after:  # otherwise the server continues where it is
                    self._expects.append(after)

    def leaves_the_house(self, frames: bytes) -> None:
        """Check that every message is true, and meant for this viewer."""
        auditor = self.world.auditor
        auditor.no_seed_in(frames)
        for told in _messages(frames)[0]:
            match told["is"]:
                case "welcome":
                    self._welcomed(told)
                case "table":
                    self._table(told)
                case "floor":
                    self._is_floor(told)
                case "entry":
                    self._entry(told)
                case "answer":
                    self._answer(told["id"], told["reply"])
                case "pong":
                    if not self._pings or self._pings.pop(0) != told["number"]:
                        raise Broken(f"{self._who} got an answer to a request that was not sent")
                case "sorry":
                    self._sorry(told)
                case other:
                    raise Broken(f"{self._who} is told something of no kind: {other}")

    def has_come(self, data: bytes) -> None:
        """Pass answers on to the owner of the page, and remember the last entry."""
        found, self._held = _messages(self._held + data)
        for told in found:
            if told["is"] == "answer" and self.owner is not None:
                self.owner.hears(self._requests[told["id"]], _reply(told["reply"]))
            elif told["is"] == "entry":
                self._followed = told["seq"]

    def over(self, why: tuple[int, str] | None) -> None:
        """Note the end of the connection, and check that the server had a reason to close it."""
        wire, self.wire = self.wire, None
        self._held = b""
        if why is None or wire is None:
            return
        self.world.counts["let go"] += 1
        if why[0] == CLOSED_SLOW:
            took = wire.flowed_at > wire.stalled_last and wire.closed_at - wire.flowed_at > _MOMENT
            waited = not took and wire.closed_at - wire.stalled_last > STALLED_SECONDS - _MOMENT
            if not waited and len(_connection(wire)._replies) < UNSENT_REPLIES_MAX:
                raise Broken(f"{self._who} is let go as too slow, and was not")
        elif why[0] == CLOSED_SESSION:
            if not self.world.auditor.ever_barred(self.name, self.role, since=self._opened_at):
                raise Broken(f"{self._who} is disconnected as if the session were over")
        elif why[0] != CLOSED_HOUSE:
            raise Broken(f"{self._who} is let go with {why}")

    # What the page shows

    @property
    def _who(self) -> str:
        return f"the page of {self.person or 'nobody'}"

    def _welcomed(self, told: Any) -> None:
        if told["name"] not in (None, self.person or None):
            raise Broken(f"{self._who} is taken for {told['name']}")
        self.name, self.role = told["name"], told["role"]

    def _table(self, told: Any) -> None:
        table, version = told["rail"]["id"], told["rail"]["version"]
        self.world.counts["views"] += 1
        if version < self._shown.get(table, 0):
            raise Broken(f"{self._who} shows table {table} at {version} after {self._shown[table]}")
        self._shown[table] = version
        self.world.auditor.table_shown(told, role=self.role, person=self.name or "")

    def _is_floor(self, told: Any) -> None:
        assert self.wire is not None
        assert self.wire.process is not None
        before = self._floor[0] if self._floor is not None else 0
        newest = self.wire.process.running.desk.seq
        seq = self.world.auditor.floor_shown(told, role=self.role, person=self.name, between=(before, newest))
        if seq is None:
            raise Broken(f"{self._who} shows a floor that was not so between entries {before} and {newest}")
        self._floor = (seq, told)

    def _entry(self, told: Any) -> None:
        """Check that an entry is the next one, or the first one of a newer Follow."""
        while self._expects and told["seq"] != self._expects[0] + 1:
            self._expects.pop(0)
        if not self._expects:
            raise Broken(f"{self._who} is sent entry {told['seq']}, and follows from elsewhere")
        self.world.auditor.entry_shown(told)
        self.world.counts["entries sent"] += 1
        self._expects[0] = told["seq"]

    def _answer(self, id_: str, reply: Any) -> None:
        request = self._requests.get(id_)
        if request is None:
            raise Broken(f"{self._who} hears the answer of somebody else: {id_}")
        self._asked.pop(id_, None)
        self.world.told_over_a_wire(request, _reply(reply))

    def _sorry(self, told: Any) -> None:
        if told["code"] not in ("not-written", "no-table", "access", "log-in"):
            raise Broken(f"{self._who} is told {told}")
        self._asked.pop(told.get("id") or "", None)

    # What the house promises without another request

    def check(self) -> None:
        """Raise Broken if the house is late with anything on a connection that is open at both ends."""
        wire = self.wire
        if wire is None or wire.ended or wire.process is None or wire.handler is None or not wire.process.alive:
            self._since.clear()
            return
        one, now = _connection(wire), self.world.loop.time()
        if wire.stalled_at is not None:
            if now - wire.stalled_at > STALLED_SECONDS + 1:
                raise Broken(f"{self._who} takes nothing for {now - wire.stalled_at:.0f} seconds and is not let go")
            if len(one._views) > len(wire.process.floor.tables) + 1 or len(one._replies) > UNSENT_REPLIES_MAX + 1:
                raise Broken(f"more and more waits for {self._who}")
            self._since.clear()
            return
        if not wire.process.ready or one.closing.is_set():
            self._since.clear()
            return
        lags = self._lags(wire, one, now)
        self._since = {what: self._since.get(what, now) for what in lags}
        for what, within in lags.items():
            if now - self._since[what] > within:
                raise Broken(f"{self._who}: {what} for {within} seconds")

    def _lags(self, wire: SimulatedWire, one: Connection, now: float) -> dict[str, float]:
        """Return what is late now, and the seconds for which each may be late."""
        assert wire.process is not None
        floor, seq = wire.process.floor, wire.process.running.desk.seq
        found = {
            f"table {table} is shown at {self._shown.get(table, 0)}, and is further": _SHOWN
            for table in sorted(one.tables)
            if self._shown.get(table, 0) < floor.versions[f"table/{table}"]
        }
        if one.floor and not (
            self._floor is not None and self.world.auditor.is_floor(self._floor[1], self.role, self.name, seq)
        ):
            found[f"the floor after entry {seq} is not shown"] = _SHOWN
        for id_, heard in self._asked.items():
            if now - heard > _ANSWERED:
                found[f"{id_} is not answered"] = 0.0
        # A failure to reach the database starts these delays again.
        failures = wire.process.failures
        if one.follows is not None and self._expects and self._expects[-1] < seq:
            found[f"what follows entry {self._expects[-1]} is not sent, {failures} failures"] = _FOLLOWED
        if self.name is not None and floor.people.role(self.name) != self.role:
            found[f"barred, and not let go, {failures} failures"] = _BARRED
        return found


def _connection(wire: SimulatedWire) -> Connection:
    """Return the server's side of the wire."""
    assert wire.handler is not None
    one: Connection = wire.handler._connection  # type: ignore[attr-defined]
    return one


def _reply(told: Any) -> Reply:
    return _READ_REPLY.decode(msgspec.json.encode(told))


def _messages(data: bytes) -> tuple[list[Any], bytes]:
    """Return the decoded messages of whole frames, and the bytes of an unfinished frame."""
    found, taken = [], 0
    while len(data) >= taken + 2:
        size, begins = data[taken + 1], taken + 2
        if size >= 126:
            wide: Literal[2, 8] = 2 if size == 126 else 8
            size, begins = int.from_bytes(data[begins : begins + wide]), begins + wide
        if len(data) < begins + size:
            break
        found.append(_READ.decode(data[begins : begins + size]))
        taken = begins + size
    return found, data[taken:]
