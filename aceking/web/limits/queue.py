"""The queue at the door: where strangers together owe too much, they are heard one by one, whatever their number.

Each address has an allowance of its own, and who has a hundred addresses would have a hundred of them. What is refused
to strangers is therefore owed by all of them together too. While that is too much, whoever is nobody's guest stands in
the queue: the next is heard when time has paid enough of it off, so that guesses and floods, which cost more, make all
of them slower and nobody else. Who was refused nothing lately goes before who was, and waits a second at most for what
others owe.
"""

import asyncio
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass

from aceking.web.limits.leaky_bucket import Clock, Debts

#: So many stand in queue; who comes then takes the place of the last, or is turned away.
QUEUE_MOST = 64
#: What being heard costs there, and a password, which is given back where it was right.
HEARD, PASSWORD = 0.25, 10.0
#: Nobody is put back by more seconds than that, so that nobody waits for ever.
PUT_BACK_MOST = 30.0
#: Who stands there already is put back for each time that he does: one who comes often does not fill the queue.
PUT_BACK_EACH = 0.1
#: Seconds of the allowance that strangers may owe before there is a queue; before those wait too who were refused
#: nothing lately; and after which no more is counted.
_QUEUE_FROM, _NEW_TOO_FROM, _MOST = 10, 14, 15
_ALL = "strangers"

Heard = Callable[[bool], None]  # true: it is his turn; false: he is turned away


@dataclass(frozen=True, slots=True, eq=False)
class _Waits:
    rank: float
    new: bool  # nothing was refused to him lately
    place: str
    price: float
    heard: Heard


class Queue:
    """Those who wait, and what all strangers owe."""

    def __init__(self, a_second: float, clock: Clock) -> None:
        self._clock = clock
        self._debts = Debts(a_second, _MOST * a_second, clock)
        self._allowed, self._allowed_new = _QUEUE_FROM * a_second, _NEW_TOO_FROM * a_second
        self._waiting: list[_Waits] = []  # who is next comes first
        self._timer: asyncio.TimerHandle | None = None

    @property
    def there(self) -> bool:
        """Whether strangers have to stand in queue."""
        return bool(self._waiting) or self._debts.of(_ALL) > self._allowed

    def __len__(self) -> int:
        return len(self._waiting)

    def owe(self, cost: float) -> None:
        """Something was refused to a stranger; or, below nothing, is given back to all of them."""
        self._debts.add(_ALL, cost)
        if cost < 0:
            self._look_again(0.0)

    def join(self, place: str, price: float, put_back: float, heard: Heard) -> None:
        """He stands in queue, or is turned away at once."""
        stands = sum(one.place == place for one in self._waiting)
        rank = self._clock() + min(PUT_BACK_MOST, put_back + stands * PUT_BACK_EACH)
        if len(self._waiting) >= QUEUE_MOST:
            if rank >= self._waiting[-1].rank:
                heard(False)
                return
            self._waiting.pop().heard(False)
        insort(self._waiting, _Waits(rank, put_back == 0, place, price, heard), key=lambda one: one.rank)
        self._look_again(0.0)  # it may be his turn before that of those who stand there

    async def stood(self, place: str, price: float, put_back: float) -> bool:
        """Stands in queue; whether he is heard then."""
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def heard(is_it: bool) -> None:
            if not turn.done():
                turn.set_result(is_it)

        self.join(place, price, put_back, heard)
        return await turn

    def turn(self) -> float | None:
        """Hears those whose turn it is; how many seconds until the next, None where nobody waits."""
        while self._waiting:
            owed = self._debts.of(_ALL)
            new = next((one for one in self._waiting if one.new), None)
            one = self._waiting[0] if owed <= self._allowed or new is None else new
            too_much = owed - (self._allowed_new if one.new else self._allowed)
            if too_much > 0:
                return too_much / self._debts.a_second
            self._waiting.remove(one)
            self._debts.add(_ALL, one.price)
            one.heard(True)
        return None

    def _look_again(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        seconds = self.turn()
        if seconds is not None:
            self._look_again(seconds + 0.001)
