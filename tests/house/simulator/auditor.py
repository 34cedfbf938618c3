"""Whoever watches the house: what must hold after every step, worked out from the log beside the servers."""

from fractions import Fraction

import msgspec

from aceking.house.desk import Reply, Request
from aceking.house.floor.codec import after_unit
from aceking.house.floor.ledger import balance, open_pairs
from aceking.house.floor.states import Floor
from aceking.house.record import GENESIS, Unit, chained, read_unit
from aceking.house.store.memory import MemoryStore
from aceking.house.store.protocol import Logged
from aceking.link.state import identity
from tests.house.simulator.server import Process

_READ_REPLY = msgspec.json.Decoder(Reply)


class Broken(AssertionError):
    """Something that the house promises does not hold."""


class Auditor:
    """Follows the log, entry by entry, and remembers what anybody was told."""

    def __init__(self) -> None:
        self.floor, self.seq, self.tip = Floor(), 0, GENESIS
        self.units: list[Unit] = []
        self._by_id: dict[str, tuple[int, Unit]] = {}
        self._compared: dict[int, int] = {}  # by process: the entry up to which it was found equal

    def follow(self, store: MemoryStore) -> int:
        """What has come to the log since; nothing that was there is gone or changed. Returns how many entries came."""
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
        """What somebody is told is in the log by then, once, as he is told it."""
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
        """Whoever has read the whole log has the state that follows from it, and the seeds that it wants."""
        desk = process.running.desk
        if desk.seq != self.seq or self._compared.get(process.number) == self.seq:
            return
        self._compared[process.number] = self.seq
        if desk.sure != self.floor:
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
        self._by_id[unit.id] = (entry.seq, unit)

    def _whole(self, store: MemoryStore) -> None:
        """Money and secrets, as they stand now."""
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
        for till in floor.cage.tills.values():
            if till.float < 0 or any(purse < 0 for purse in till.purses.values()):
                raise Broken(f"entry {self.seq}: a purse or the float is below nothing")
        if store.sealed().keys() != _commitments(floor):
            raise Broken(f"entry {self.seq}: the seeds that lie apart are not those of the decks in play")
        if store.heads() != floor.versions:
            raise Broken(f"entry {self.seq}: the heads of the streams are not those of the log")

    def no_secret_shown(self, store: MemoryStore) -> None:
        """No state that a server keeps has the seed of a deck in play."""
        kept = msgspec.json.encode(self.floor) + b"".join(one.body for one in store.snapshots().values())
        if any(seed.hex().encode() in kept or seed in kept for seed in store.sealed().values()):
            raise Broken("a state shows the seed of a deck in play")


def _commitments(floor: Floor) -> set[str]:
    decks = {seal.commitment for one in floor.tables.values() for seal in one.seals.values()}
    return decks | {one.trigger.commitment for one in floor.meters.values() if one.trigger is not None}
