"""The auditor of a real house: compares the new entries of the log with what people were told and shown."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

import msgspec

from aceking.house.desk import Reply
from aceking.house.floor import requests as w
from aceking.house.floor.codec import after_unit
from aceking.house.floor.ledger import open_pairs
from aceking.house.floor.states import Floor
from aceking.house.record import GENESIS, read_unit
from aceking.house.store.check import check, check_tail
from aceking.house.store.open import _opened
from aceking.house.store.protocol import Store, newest
from aceking.house.store.sql.queries import SqlStore
from aceking.house.views import table as views
from aceking.meter.state import identity
from aceking.web.live import messages as m
from aceking.web.routes import HouseView
from tests.house.accounts import balance
from tests.house.campaign.load import APART, Sender
from tests.web.served import PLAYERS

#: The promises, in the words of the verdict.
PROMISES = (
    "acknowledged and lost",
    "done twice",
    "told two things",
    "ledger not nothing",
    "chain, versions or indexes broken",
    "meters whose identity fails",
    "views that the log does not have",
    "live rounds that did not go on",
    "verify disagrees",
    "servers that did not come back",
    "faults in what servers wrote to their logs",
)
#: States of the last entries that are kept. They are enough for every view that was shown since the last look.
_FLOORS = 5_000
#: The amount in each purse of currency `APART` when the house is founded.
PURSE = 10**7


@dataclass
class Verdict:
    """What was checked, and each promise that was broken."""

    seen: Counter[str] = field(default_factory=Counter)
    broken: dict[str, list[str]] = field(default_factory=lambda: {one: [] for one in PROMISES})

    def breaks(self, promise: str, what: str) -> None:
        self.broken[promise].append(what)

    @property
    def holds(self) -> bool:
        """Return True if no promise was broken."""
        return not any(self.broken.values())


@dataclass
class Auditor:
    """Follows the log of one house."""

    url: str
    verdict: Verdict = field(default_factory=Verdict)
    ids: dict[str, bytes] = field(default_factory=dict)  # by request id: the reply in the log
    floor: Floor = field(default_factory=Floor)
    seq: int = 0
    tip: bytes = GENESIS
    _floors: deque[Floor] = field(default_factory=lambda: deque(maxlen=_FLOORS))  # after each of the last entries
    _live: set[tuple[str, int]] = field(default_factory=set)

    def resumes(self, people: Iterable[Sender], *, seq: int, tip: bytes, live: Iterable[tuple[str, int]]) -> None:
        """Continue a stopped campaign: read the whole log again and check everything that was ever told."""
        for counted in ("entries", "acknowledged", "of them refusals"):
            self.verdict.seen[counted] = 0
        self._live = set(live)
        self.looks(people, whole=True)
        with closing(self._opened()) as store:
            there = next(store.log(seq - 1, seq), None) if seq else None
        if seq and (there is None or there.hash != tip):
            self.verdict.breaks("chain, versions or indexes broken", f"entry {seq} is not what it was before the pause")

    def _opened(self) -> SqlStore:
        """Open the store without a server's check of its tail: `looks` checks the new entries itself."""
        return _opened(self.url, only_read=True, makes=False)

    def looks(self, people: Iterable[Sender], *, whole: bool = False) -> None:
        """Check what people were told since the last look against the log. `whole` checks all entries again."""
        # Answers and views are copied before the log is read: by then the log must have them.
        told = [(one, one.fresh[:], one.shown[:-1], one.shown[-1:]) for one in people]
        with closing(self._opened()) as store:
            summary, before = store.summary(), self.seq
            self._follow(store, summary.seq)
            check_tail(store, back=max(0, newest(store.snapshots().values()) - before))
            if summary.heads != self.floor.versions:
                self.verdict.breaks("chain, versions or indexes broken", f"entry {self.seq}: heads are not the log's")
            if whole:
                check(store)
        for one, fresh, views_past, view_now in told:
            self._acknowledged(one, fresh)
            self._shown(one.name, [*views_past, *view_now])
            del one.fresh[: len(fresh)]
            del one.shown[: len(views_past)]
        self._money()
        self._rounds()

    def _follow(self, store: Store, upto: int) -> None:
        if self.seq and next(store.log(self.seq - 1, self.seq)).hash != self.tip:
            self.verdict.breaks("chain, versions or indexes broken", f"entry {self.seq} is another than it was")
        before = self.seq
        for entry in store.log(self.seq, upto):
            unit = read_unit(entry.body)
            if unit.id in self.ids:
                self.verdict.breaks("done twice", f"{unit.id} is in the log twice, again as entry {entry.seq}")
            self.ids[unit.id] = bytes(unit.reply)
            self.floor, self.seq, self.tip = after_unit(self.floor, unit), entry.seq, entry.hash
            self._floors.append(self.floor)
        self.verdict.seen["entries"] += self.seq - before

    def _acknowledged(self, one: Sender, fresh: list[str]) -> None:
        for key in fresh:
            logged = self.ids.get(key)
            if logged is None or msgspec.json.decode(logged, type=Reply) != one.answered[key]:
                self.verdict.breaks("acknowledged and lost", f"{key}: told {one.answered[key]}, the log has {logged!r}")
        self.verdict.seen["acknowledged"] += len(fresh)
        self.verdict.seen["of them refusals"] += sum(one.answered[key].refused is not None for key in fresh)
        for words in one.contradicted:
            self.verdict.breaks("told two things", words)
        one.contradicted.clear()

    def _shown(self, name: str, shown: list[m.TableIs]) -> None:
        """Check that each view is a state of the log."""
        for view in shown:
            stream = f"table/{view.rail.id}"
            floor = next((one for one in reversed(self._floors) if one.versions.get(stream) == view.rail.version), None)
            if floor is None:
                if view.rail.version > self.floor.versions.get(stream, 0):
                    what = f"{name} was shown {stream} at {view.rail.version}, which the log does not have"
                    self.verdict.breaks("views that the log does not have", what)
                continue  # older than the kept states
            self.verdict.seen["views compared"] += 1
            if _timeless(view) != _timeless(_view(floor, view.rail.id, name)):
                what = f"{name} was shown {stream} at {view.rail.version} otherwise than the log has it"
                self.verdict.breaks("views that the log does not have", what)

    def lobby(self, seen: HouseView) -> None:
        """Check that the lobby and the meters were like this after one of the kept entries."""
        self.verdict.seen["lobbies compared"] += 1
        shown = as_sent(seen.tables, seen.meters)
        if not any(as_sent(*_lobby(floor)) == shown for floor in reversed(self._floors)):
            what = f"the lobby was never as it was shown: {shown}; the last is {as_sent(*_lobby(self.floor))}"
            self.verdict.breaks("views that the log does not have", what)

    def _money(self) -> None:
        if sum(balance(self.floor).values()) or open_pairs(self.floor):
            self.verdict.breaks("ledger not nothing", f"at entry {self.seq}")
        for name, meter in self.floor.meters.items():
            if identity(meter):
                self.verdict.breaks("meters whose identity fails", f"{name} at entry {self.seq}")

    def purses(self, people: Iterable[Sender]) -> None:
        """Compare the purses with the sum of deposits that the cashier was told were done."""
        told = dict.fromkeys(PLAYERS, PURSE)
        for one in people:
            for key, reply in one.answered.items():
                body = one.asked[key]
                if isinstance(body, w.Deposit) and reply.refused is None:
                    told[body.player] += body.amount
        there = self.floor.cage.tills[APART].purses
        if {player: there[player] for player in PLAYERS} != told:
            self.verdict.breaks("done twice", f"purses are {there}, and by the cashier's answers {told}")

    # Rounds that were live when a server was killed

    def _rounds(self) -> None:
        self._live = {(name, number) for name, number in self._live if self._is_live(name, number)}

    def _is_live(self, name: str, number: int) -> bool:
        return _played(self.floor, name) == number

    def killed(self) -> None:
        """Remember the live rounds: they must end later."""
        for name in self.floor.tables:
            number = _played(self.floor, name)
            if number is not None:
                self._live.add((name, number))
                self.verdict.seen["rounds live at a kill"] += 1

    @property
    def live(self) -> frozenset[tuple[str, int]]:
        """Return the rounds that were live at a kill and are not over yet."""
        return frozenset(self._live)


def _played(floor: Floor, name: str) -> int | None:
    """Return the number of the round in play; None if nobody has staked anything, for then it need not go on."""
    current = floor.tables[name].table.live_round
    return current.number if current is not None and any(box.ante for box in current.boxes.values()) else None


def _view(floor: Floor, name: str, person: str) -> m.TableIs:
    role = floor.people.role(person)
    return m.TableIs(rail=views.rail(floor, name), own=views.own_part(floor, name, role, person))


def _timeless(view: m.TableIs) -> bytes:
    """Return the view as it is sent, without its time: entries of other streams change that."""
    return m.write(msgspec.structs.replace(view, rail=msgspec.structs.replace(view.rail, at=0)))


def _lobby(floor: Floor) -> tuple[object, object]:
    return views.lobby(floor), views.meters(floor)


def as_sent(*shown: object) -> object:
    """Return values as a client decodes them: times are texts."""
    return msgspec.to_builtins(shown)


def problems(verdict: Verdict) -> Iterator[str]:
    """Yield each broken promise with its first instances."""
    for promise, instances in verdict.broken.items():
        for one in instances[:3]:
            yield f"{promise}: {one}"
