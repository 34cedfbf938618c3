"""What each address owes for what was refused: who owes much is heard late, so that he costs the others little.

Somebody who is refused now and then notices nothing of it. Who sends one bad request after another, from one address,
waits a moment before each; where several do so at once, or where passwords are guessed, it is a second, and there are
never more than some of his connections at a time. Where they come from many addresses, strangers stand in a queue
(queue.py), and guests do not: those at an address from which somebody came who has logged in and owes nothing.
"""

import time
from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network

from aceking.house.login import SESSION_MS
from aceking.web.limits.leaky_bucket import KEPT, Clock, Debts
from aceking.web.limits.queue import PUT_BACK_MOST, Queue

#: Seconds of allowed refusals that may be owed before somebody is heard late, and at most.
_LATE_FROM, _MOST = 10, 40
LATE_SECONDS = 1.0
#: One after the other is no crowd: a program that tries everything out goes on at fifty requests a second.
ALONE, MOMENT_SECONDS = 2, 0.02
#: Connections of one address that are heard late at the same time, and log-ins of it; more are refused at once.
WAITING_MOST = 64
LOG_INS_MOST = 2
#: Strangers together are allowed so much more than one address: one alone makes nobody else wait, two do.
TOGETHER = 1.5
#: Seconds by which a refusal puts him back in the queue, and how many of them a second takes off: a debt that is paid
#: off within seconds tells nothing of who has many addresses.
PUT_BACK, FORGOTTEN = 5.0, 0.1
#: Somebody who has logged in speaks for so many addresses, the last he came from, for as long as a session lasts.
SPEAKS_FOR, SPEAKS_SECONDS = 4, SESSION_MS / 1000


class Addresses:
    """Debts by address and by person, and who speaks for which address."""

    def __init__(self, refusals_a_minute: int, clock: Clock = time.monotonic) -> None:
        self._a_second = a_second = refusals_a_minute / 60
        self._clock = clock
        self._places = Debts(a_second, _MOST * a_second, clock)
        self._people = Debts(a_second, _MOST * a_second, clock)
        self._lately = Debts(FORGOTTEN, PUT_BACK_MOST, clock)
        self._spoken_for: dict[str, tuple[str, float]] = {}  # by address: by whom, and when he last came from there
        self._speaks_for: dict[str, list[str]] = {}  # by person: his addresses, the last one last
        self.queue = Queue(TOGETHER * a_second, clock)
        self.waiting: Counter[str] = Counter()
        self.log_ins: Counter[str] = Counter()

    def refused(self, place: str, cost: float = 1.0, *, person: str | None = None, paid: float = 0.0) -> None:
        """Something was, to somebody there; of it he has paid something already, when he stood in the queue."""
        owed = self._owes_much(self._places, place)
        self._places.add(place, cost)
        self._lately.add(_whole(place), PUT_BACK)
        if person is not None:
            self._people.add(person, cost)
        # Who waits for himself already makes nobody else wait, unless all of them do.
        if self.stranger(place) and (self.queue.there or not owed):
            self.queue.owe(max(0.0, cost - paid))

    def late(self, place: str, *, guess: bool = False) -> float:
        """For how many seconds whoever comes from there waits."""
        if not self._owes_much(self._places, place):
            return 0.0
        return LATE_SECONDS if guess or self.waiting[place] >= ALONE else MOMENT_SECONDS

    def put_back(self, place: str) -> float:
        """By how many seconds whoever comes from there is put back in the queue."""
        return self._lately.of(_whole(place))

    def came(self, place: str, person: str) -> None:
        """Somebody who has logged in was served there."""
        by, _ = self._spoken_for.get(place, ("", 0.0))
        if self._owes_much(self._people, person) or (by != person and not self.stranger(place)):
            return  # who floods speaks for nobody, and who shares an address with somebody takes nothing from him
        self._spoken_for.pop(place, None)
        if len(self._spoken_for) >= KEPT:
            del self._spoken_for[next(iter(self._spoken_for))]
        self._spoken_for[place] = (person, self._clock())
        mine = self._speaks_for.setdefault(person, [])
        if place in mine:
            mine.remove(place)
        mine.append(place)
        if len(mine) > SPEAKS_FOR:
            left = mine.pop(0)
            if self._spoken_for.get(left, ("", 0.0))[0] == person:
                del self._spoken_for[left]

    def stranger(self, place: str) -> bool:
        """Whether nobody speaks for whoever is there."""
        by, when = self._spoken_for.get(place, ("", 0.0))
        return not by or self._clock() - when > SPEAKS_SECONDS or self._owes_much(self._people, by)

    def stands_in_queue(self, place: str) -> bool:
        """Whether whoever comes from there has to."""
        return self.queue.there and self.stranger(place)

    def _owes_much(self, debts: Debts, who: str) -> bool:
        return debts.of(who) > _LATE_FROM * self._a_second


def place_of(client: tuple[str, int] | None) -> str:
    """An address as one that somebody has: of IPv6 a network, for whoever has one has all of it."""
    if client is None:
        return "nowhere"
    try:
        address = ip_address(client[0])
    except ValueError:
        return client[0][:100]
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else str(address)


def _whole(place: str) -> str:
    """Of IPv6 what a customer of a network may have: 65,536 places, with which he would be new each time."""
    return str(ip_network(place).supernet(new_prefix=48)) if place.endswith("/64") else place
