"""The auditor of the simulator: rebuilds the state from the log and checks every promise after each step."""

from fractions import Fraction
from typing import Any

import msgspec

from aceking.house.desk import Reply, Request
from aceking.house.floor.codec import after_unit
from aceking.house.floor.ledger import open_pairs, win
from aceking.house.floor.roles import Role
from aceking.house.floor.states import Floor
from aceking.house.record import GENESIS, Unit, chained, read_unit
from aceking.house.store.protocol import Logged
from aceking.house.views import table as views
from aceking.meter.state import identity
from aceking.web.live import messages as m
from aceking.web.live.hub import floor_message
from tests.house.accounts import balance
from tests.house.simulator.server import Process
from tests.house.store.memory import MemoryStore

_READ_REPLY = msgspec.json.Decoder(Reply)


class Broken(AssertionError):
    """The house broke one of its promises."""


class Auditor:
    """Follows the log entry by entry, and checks what servers answer and show against it."""

    def __init__(self) -> None:
        self.floor, self.seq, self.tip = Floor(), 0, GENESIS
        self.units: list[Unit] = []
        self._by_id: dict[str, tuple[int, Unit]] = {}
        self._compared: dict[int, int] = {}  # by process number: the last entry at which its state was compared
        self.floors: list[Floor] = [self.floor]  # the state after each entry, the empty house first
        self._entries: list[Logged] = []
        self._moved: dict[tuple[str, int], int] = {}  # by stream and version: the entry that brought it there
        self._seeds: list[bytes] = []  # of decks in play and triggers, in hexadecimal
        self._floors_shown: dict[tuple[int, str | None, str | None], Any] = {}

    def follow(self, store: MemoryStore) -> int:
        """Read the new entries and return their number. Raises Broken if an older entry is missing or changed."""
        rows = store._rows
        if len(rows) < self.seq or (self.seq and rows[self.seq - 1].hash != self.tip):
            raise Broken(f"the log had {self.seq} entries and has {len(rows)}, or others")
        if len(rows) == self.seq:
            return 0
        before = self.seq
        for entry in store.log(self.seq):
            self._entry(entry, store)
        self._whole(store)
        return self.seq - before

    def acknowledged(self, request: Request, reply: Reply) -> None:
        """Check that the log holds this request with this reply. A reused id must be refused with HOUSE-id."""
        known = self._by_id.get(request.id)
        if known is None:
            raise Broken(f"{request.id} was answered with {reply} and is not in the log")
        seq, unit = known
        if unit.digest != request.digest:
            if reply.refused is None or reply.refused.clause != "HOUSE-id":
                raise Broken(f"{request.id} is of another request (entry {seq}) and was answered with {reply}")
        elif reply != _READ_REPLY.decode(unit.reply):
            raise Broken(f"{request.id} was answered with {reply}; entry {seq} says {bytes(unit.reply).decode()}")

    def compare(self, process: Process) -> None:
        """Check the state and the seeds of a process that has read the whole log."""
        desk = process.running.desk
        if desk.seq != self.seq or self._compared.get(process.number) == self.seq:
            return
        self._compared[process.number] = self.seq
        if desk.durable != self.floor:
            raise Broken(f"process {process.number} at entry {self.seq} has another state than the log")
        if not _commitments(self.floor) <= desk.seeds.keys():
            raise Broken(f"process {process.number} has not the seed of a deck in play")

    def _entry(self, entry: Logged, store: MemoryStore) -> None:
        unit = read_unit(entry.body)
        if entry.seq != self.seq + 1 or chained(self.tip, entry.body) != entry.hash:
            raise Broken(f"entry {entry.seq} does not follow entry {self.seq}")
        if unit.id in self._by_id:
            raise Broken(f"entry {entry.seq}: the id {unit.id} was used in entry {self._by_id[unit.id][0]}")
        for part in unit.parts:
            if self.floor.versions.get(part.stream, 0) != part.after:
                raise Broken(f"entry {entry.seq}: {part.stream} does not stand at {part.after}")
        told = _READ_REPLY.decode(unit.reply)
        if (told.refused is None) != bool(told.done) and unit.parts:
            raise Broken(f"entry {entry.seq}: something was done, and the answer is {told}")
        if any(seed.hex().encode() in entry.body for seed in store.sealed().values()):
            raise Broken(f"entry {entry.seq} shows the seed of a deck in play")
        self.floor = after_unit(self.floor, unit)
        self.seq, self.tip = entry.seq, entry.hash
        self.units.append(unit)
        self.floors.append(self.floor)
        self._entries.append(entry)
        for part in unit.parts:
            self._moved[part.stream, self.floor.versions[part.stream]] = self.seq
        self._by_id[unit.id] = (entry.seq, unit)

    def _whole(self, store: MemoryStore) -> None:
        """Check money, meters, sealed seeds and stream versions after the newest entry."""
        floor = self.floor
        if sum(balance(floor).values(), Fraction(0)):
            raise Broken(f"entry {self.seq}: the accounts of the house do not sum to nothing")
        if off := open_pairs(floor):
            raise Broken(f"entry {self.seq}: streams do not agree: {off}")
        for name, meter in floor.meters.items():
            if identity(meter):
                raise Broken(f"entry {self.seq}: the identity of meter {name} does not hold")
        for name, one in floor.tables.items():
            for player in one.bought:
                if one.chips(player) < 0:
                    raise Broken(f"entry {self.seq}: {player} at table {name} has less than nothing")
            lost = sum(brought - one.chips(player) for player, brought in one.bought.items())
            if one.table.live_round is None and win(one) != lost:
                raise Broken(f"entry {self.seq}: table {name} has won {win(one)}, and its players lost {lost}")
        for till in floor.cage.tills.values():
            if till.float < 0 or any(purse < 0 for purse in till.purses.values()):
                raise Broken(f"entry {self.seq}: a purse or the float is below nothing")
        if store.sealed().keys() != _commitments(floor):
            raise Broken(f"entry {self.seq}: the seeds that lie apart are not those of the decks in play")
        self._seeds = [seed.hex().encode() for seed in store.sealed().values()]
        if store.heads() != floor.versions:
            raise Broken(f"entry {self.seq}: the heads of the streams are not those of the log")

    # What servers send over live connections

    def no_seed_in(self, frames: bytes) -> None:
        """Check that these frames hold no seed of a deck in play."""
        if any(seed in frames for seed in self._seeds):
            raise Broken("the seed of a deck in play leaves the house")

    def table_shown(self, told: Any, *, role: Role | None, person: str) -> None:
        """Check that the view is the table at that version, limited to what this person may see."""
        table, version = told["rail"]["id"], told["rail"]["version"]
        seq = self._moved.get((f"table/{table}", version))
        if seq is None:
            raise Broken(f"table {table} is shown at {version}, which is not in the log")
        floor = self.floors[seq]
        rail, own = views.rail(floor, table), views.own_part(floor, table, role, person)
        for shown, true in ((told["rail"], rail), (told["own"], own)):
            expected = _told(true)
            expected["at"] = shown.get("at")  # the time of the log moves on without the table
            if {**shown, "at": shown.get("at")} != expected:
                raise Broken(f"table {table} at {version} for {person or 'nobody'} ({role}): {shown} is {expected}")

    def floor_shown(self, told: Any, *, role: Role | None, person: str | None, between: tuple[int, int]) -> int | None:
        """Return the newest entry in the range after which the floor looked like this to that person, or None."""
        oldest, newest = between
        return next((seq for seq in range(newest, oldest - 1, -1) if self.is_floor(told, role, person, seq)), None)

    def is_floor(self, told: Any, role: Role | None, person: str | None, seq: int) -> bool:
        """Return True if the floor looked like this to that person after that entry."""
        key = (seq, role, person if role == "player" else None)
        if key not in self._floors_shown:
            floor = self.floors[seq]
            self._floors_shown[key] = _told(floor_message(floor, person, role, views.lobby(floor), views.meters(floor)))
        return bool(self._floors_shown[key] == told)

    def entry_shown(self, told: Any) -> None:
        """Check that an entry is sent with the hash and the body of the log."""
        entry = self._entries[told["seq"] - 1]
        if told["hash"] != entry.hash.hex() or told["body"] != msgspec.json.decode(entry.body):
            raise Broken(f"entry {entry.seq} is sent as another")

    def ever_barred(self, person: str | None, role: Role | None, *, since: int) -> bool:
        """Return True if the person had another role, or none, after any entry since then."""
        return person is not None and any(floor.people.role(person) != role for floor in self.floors[since:])

    def no_secret_shown(self, store: MemoryStore) -> None:
        """Check that neither the state nor a snapshot holds the seed of a deck in play."""
        kept = msgspec.json.encode(self.floor) + b"".join(one.body for one in store.snapshots().values())
        if any(seed.hex().encode() in kept or seed in kept for seed in store.sealed().values()):
            raise Broken("a state shows the seed of a deck in play")


def _told(shown: Any) -> Any:
    """Return the value as a client decodes it."""
    return msgspec.json.decode(m.write(shown))


def _commitments(floor: Floor) -> set[str]:
    decks = {seal.commitment for one in floor.tables.values() for seal in one.seals.values()}
    return decks | {one.trigger.commitment for one in floor.meters.values() if one.trigger is not None}
