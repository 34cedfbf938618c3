"""The people who use the house: they see the durable state of a server, and repeat a request until it is answered."""

import random
from itertools import count
from typing import TYPE_CHECKING, Any

from aceking.house.desk import Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.robots import service
from aceking.table import player as pl
from aceking.table.show.offers import Offer, player_offers
from tests.house.evening import PLAYERS
from tests.house.simulator.opening import LIVE, PLAYING, POSTED, TABLES, token_of
from tests.house.simulator.pages import Page

if TYPE_CHECKING:
    from tests.house.simulator.server import Process
    from tests.house.simulator.world import World

#: Seconds after which an unanswered request is sent again.
_PATIENCE = 0.6
_WITH_PAGES = (*PLAYERS[:PLAYING], "sam", "cas", "aud")


class Client:
    """A person with at most one request under way."""

    def __init__(self, world: "World", name: str, *, think: float) -> None:
        self.world, self.name, self.think = world, name, think
        self.dice: random.Random = world.dice
        self.page: Page | None = None
        self.pending: Request | None = None
        self.answered: dict[tuple[str, str], tuple[Request, Reply]] = {}
        self._numbers = count(1)
        self._later(self.dice.random() * think)

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Return the next request, or None."""
        raise NotImplementedError

    def last_request(self, floor: Floor, process: "Process") -> Any:
        """Return a request that is still needed while the house is being closed, or None."""
        return None

    def wake(self) -> None:
        """Make a new request, or send the pending one again."""
        if self.world.quiet_until > self.world.loop.time():
            self._later(self.world.quiet_until - self.world.loop.time() + self.dice.random())
            return
        process = self.world.some_process()
        patience = self.dice.expovariate(1 / self.think)
        if process is not None:
            if self.pending is None:
                self._asks(process)
            if self.pending is not None:
                self._send(self.pending, process)
                patience = _PATIENCE
            elif self.answered and self.dice.random() < 0.05:
                self._send(self.dice.choice([*self.answered.values()])[0], process)
        self._later(patience)

    def _asks(self, process: "Process") -> None:
        floor = process.floor
        body = self.last_request(floor, process) if self.world.closing else self.next_request(floor, process)
        if body is not None:
            self.pending = Request(id=self.new_id(), sender=self.sender(floor), body=body)
            self.world.asked(self.pending)

    def new_id(self) -> str:
        return f"{self.name}:{next(self._numbers):06}"

    def sender(self, floor: Floor) -> w.Sender:
        """Return the sender as the session identifies them."""
        return w.HOUSE if self.name == "house" else w.Sender(self.name, floor.people.role(self.name) or "player")

    def _send(self, request: Request, process: "Process") -> None:
        """Send over the live connection of the person's page if there is one, or else as a single request."""
        if self.page is not None and self.dice.random() < 0.5 and self.page.ask(request):
            return

        def respond(reply: Reply | None) -> None:
            self.world.network.send(lambda: self.hears(request, reply))

        self.world.network.send(lambda: process.take(request, respond))

    def hears(self, request: Request, reply: Reply | None) -> None:
        """Take an answer. None means that nothing was written: the request is sent again later."""
        if reply is None:
            return
        self.world.told(request, reply)
        first = self.answered.setdefault((request.id, request.digest), (request, reply))
        assert first[1] == reply, f"{request.id} was answered with {first[1]}, and later with {reply}"
        if self.pending == request:
            self.pending = None
            self._later(self.dice.expovariate(1 / self.think))

    def _later(self, seconds: float) -> None:
        self._due = self.world.loop.time() + seconds
        self.world.later(seconds, self._rings)

    def _rings(self) -> None:
        if self.world.loop.time() >= self._due - 1e-6:
            self.wake()


class Player(Client):
    """Sits down, buys chips, plays at random what is offered, and leaves."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Act at the player's own table most of the time."""
        homes = (*TABLES, LIVE) if self.world.weather.live else TABLES
        home = homes[PLAYERS.index(self.name) % len(homes)]
        tables = [name for name, one in floor.tables.items() if not one.gone]
        if not tables:
            return None
        name = home if home in tables and self.dice.random() < 0.8 else self.dice.choice(tables)
        return self._at(floor, name, floor.tables[name])

    def last_request(self, floor: Floor, process: "Process") -> Any:
        """Finish the rounds that the player is in."""
        for name, one in floor.tables.items():
            if not one.gone and self.name in one.players:
                act = self._act(floor, name, one, last=True)
                if act is not None:
                    return act
        return None

    def _at(self, floor: Floor, name: str, one: FloorTable) -> Any:
        if self.name not in one.players:
            boxes = [box for box in range(1, 8) if box not in one.seats] or [1]
            return w.SitRequest(table=name, box=self.dice.choice(boxes))
        luck = self.dice.random()
        if one.chips(self.name) < 5000 or luck < 0.03:
            return w.BuyIn(table=name, amount=self.dice.choice((4000, 20_000, 20_000, 50_000)))
        if luck < 0.06:
            return w.CashOut(table=name, amount=self.dice.randint(1, one.chips(self.name) + 1000))
        if luck < 0.07:
            return w.Rise(table=name, box=next(box for box, who in one.seats.items() if who == self.name))
        return self._act(floor, name, one, last=False)

    def _act(self, floor: Floor, name: str, one: FloorTable, *, last: bool) -> Any:
        current = one.table.live_round
        if current is None:
            return None
        box = next(box for box, who in one.seats.items() if who == self.name)
        own = current.boxes.get(box)
        staked = own is not None and own.ante > 0
        if current.phase == "betting" and not staked:
            stake = self.dice.choice((1000, 1000, 2000, 11_000))
            return None if last else w.PlayRequest(table=name, act=pl.PlaceAnte(box=box, amount=stake))
        if current.phase == "betting" and self.dice.random() < 0.4:
            return w.SayReady(table=name)
        offers = [offer for offer in player_offers(book_of(floor.house, one), one.table, self.name) if offer.box == box]
        if current.phase == "betting" and self.dice.random() < 0.3:
            return w.AddWord(table=name, word=self.dice.choice(("luck", "seven", "ünlü")))
        act = self._taken(offers, box, last=last)
        if act is None:
            return None
        expects = w.Expects(round=current.number) if self.dice.random() < 0.5 else None
        return w.PlayRequest(table=name, act=act, expects=expects)

    def _taken(self, offers: list[Offer], box: int, *, last: bool) -> Any:
        """Return one of the offers as an act, or None."""
        known = [offer for offer in offers if offer.do != "ante" or (not last and self.dice.random() < 0.1)]
        if not known:
            return None
        offer = self.dice.choice(known)
        card = self.dice.choice(offer.cards) if offer.cards else None
        match offer.do:
            case "ante":
                return pl.PlaceAnte(box=box, amount=_minor(offer.amount or offer.least))
            case "side-bet":
                return pl.PlaceSide(box=box, amount=_minor(offer.amount))
            case "look":
                return pl.SeeHand(box=box)
            case "exchange" if card is not None:
                return pl.BuyCard(box=box, give=card)
            case "discard" if card is not None:
                return pl.LayAside(box=box, card=card)
            case "bet":
                return pl.MakeBet(box=box, discard=card)
            case "stay":
                return pl.StayIn(box=box, discard=card)
            case "fold":
                return pl.GiveUp(box=box)
            case "declare":
                return pl.DeclareWinner(box=box)
            case "claim":
                return pl.ClaimJackpot(box=box)
            case "choose" if offer.question is not None:
                return pl.PlayerAnswer(box=box, question=offer.question, go_on=bool(offer.go_on))
            case _:
                return None


def _minor(shown: str | None) -> int:
    """Return an amount in cents from its text; if the conversion is wrong, the house only refuses."""
    return round(float(shown or "10") * 100)


class Staff(Client):
    """Confirms and signs awards, as the robots of the house do."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Return the step of an award that this person has to do."""
        for table in floor.tables:
            found = service(floor, table, {"sam": "supervisor", "eve": "executive"})
            if found is not None and found[0] == self.name:
                return found[2]
        return None

    last_request = next_request


class Executive(Staff):
    """Signs awards and confirms money of the house."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Do awards first."""
        found = super().next_request(floor, process)
        waiting = [one for one in floor.cage.waiting.values() if "executive" in one.of]
        if found is None and waiting and self.dice.random() < 0.5:
            return w.Approve(number=self.dice.choice(waiting).number, given=self.dice.random() < 0.8, reason="so")
        return found

    last_request = Staff.next_request


class Supervisor(Staff):
    """Confirms awards, and asks for fills and credits."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Do awards first."""
        found = super().next_request(floor, process)
        if found is None and self.dice.random() < 0.5:
            amount = self.dice.choice((100_000, 50_000, -20_000))
            return w.Fill(table=self.dice.choice([*floor.tables]), amount=amount)
        return found

    last_request = Staff.next_request


class Cashier(Client):
    """Takes and pays out money, and confirms fills."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        player, currency = self.dice.choice(PLAYERS), self.dice.choice([*floor.house.currencies])
        waiting = [*floor.cage.waiting]
        match self.dice.randrange(4):
            case 0:
                return w.Deposit(player=player, currency=currency, amount=self.dice.randint(1, 50_000))
            case 1:
                return w.Withdraw(player=player, currency=currency, amount=self.dice.randint(1, 400_000))
            case 2:
                return w.PutFloat(currency=currency, amount=self.dice.choice((10_000, -10_000, -(10**10))))
            case _ if waiting:
                return w.Approve(number=self.dice.choice(waiting), given=self.dice.random() < 0.9, reason="so")
        return None


class Floorperson(Client):
    """Opens and closes tables, and at the end closes all of them."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        luck = self.dice.random()
        tables = [name for name, one in floor.tables.items() if not one.gone]
        closing = [name for name in tables if floor.tables[name].closing]
        if closing and luck < 0.6:
            return w.CloseTable(table=self.dice.choice(closing), back=luck < 0.2)
        if luck < 0.1 and tables:
            return w.CloseTable(table=self.dice.choice(tables))
        if luck < 0.3 and len(floor.tables) < 6:
            like = self.dice.choice([*floor.tables.values()]).posted
            name = f"t{len(floor.tables)}"
            return w.SetTable(table=name, name=name, book=like.book, awards=like.awards, **POSTED)
        return None

    def last_request(self, floor: Floor, process: "Process") -> Any:
        left = [name for name, one in floor.tables.items() if not one.gone]
        return w.CloseTable(table=self.dice.choice(left)) if left else None


class Manager(Client):
    """Bars people and lets them in again."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Bar one player at a time."""
        barred = [one.name for one in floor.people.persons.values() if one.barred]
        if barred:
            return w.Bar(name=barred[0], reason="forgiven", back=True) if self.dice.random() < 0.3 else None
        return w.Bar(name=self.dice.choice(PLAYERS), reason="a word too many") if self.dice.random() < 0.6 else None

    def last_request(self, floor: Floor, process: "Process") -> Any:
        """Let everybody in again: a seated player must finish the round."""
        barred = [one.name for one in floor.people.persons.values() if one.barred]
        return w.Bar(name=barred[0], reason="forgiven", back=True) if barred else None


class DayAuditor(Client):
    """Closes one gaming day after another."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Close the next day, which the house signs."""
        return w.CloseDay(day=f"2026-09-{len(self.answered) % 28 + 1:02}")


class Gateway(Client):
    """Reports in the name of the house that connections drop and come back."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        table, player = self.dice.choice([*floor.tables]), self.dice.choice(PLAYERS)
        gone = self.dice.random() < 0.5
        return w.ConnectionLost(table=table, player=player) if gone else w.ConnectionBack(table=table, player=player)


class Liar(Client):
    """A player who claims another role, uses the ids of others, and asks for what a player may not do."""

    def next_request(self, floor: Floor, process: "Process") -> Any:
        """Return a request that must be refused."""
        table = self.dice.choice([*floor.tables])
        lies = (
            w.PlayRequest(
                table=table, act=pl.PlaceAnte(box=self.dice.randint(1, 7), amount=self.dice.choice((1000, 10**12)))
            ),
            w.CashOut(table=table, amount=10**9),
            w.BuyIn(table=table, amount=10**9),
            w.Deposit(player=self.name, currency="EUR", amount=1_000_000),
            w.Fill(table=table, amount=5_000_000),
            w.Approve(number=floor.cage.asked),
            w.TableAct(table=table, act={"do": "pay-award", "box": 1}),
            w.Tick(table=table, what="close-bets"),
            w.CloseTable(table="nowhere"),
        )
        return self.dice.choice(lies)

    def new_id(self) -> str:
        """Return a new id, or often one that somebody else has used."""
        taken = self.world.ids
        return self.dice.choice(taken) if taken and self.dice.random() < 0.5 else super().new_id()

    def sender(self, floor: Floor) -> w.Sender:
        """Claim any role. A gateway would not allow that, and the floor must refuse it too."""
        return w.Sender(self.name, self.dice.choice(("player", "cashier", "executive")))

    def hears(self, request: Request, reply: Reply | None) -> None:
        """Check that the request was refused."""
        if reply is not None:
            assert reply.refused is not None, f"a lie was taken: {request}"
        super().hears(request, reply)


def everybody(world: "World") -> list[Client]:
    """Return everybody who is in the house tonight."""
    found: list[Client] = [Player(world, name, think=0.15) for name in PLAYERS[:PLAYING]]
    found += [
        Supervisor(world, "sam", think=0.8),
        Executive(world, "eve", think=0.8),
        Cashier(world, "cas", think=0.8),
        Floorperson(world, "fay", think=1.5),
        Manager(world, "max", think=1.2),
        Gateway(world, "house", think=1.5),
        Liar(world, "p7", think=0.6),
    ]
    if world.weather.days:
        found.append(DayAuditor(world, "aud", think=1.5))
    return found


def pages(world: "World") -> list[Page]:
    """Return a page for each player, for some of the staff, and two for spectators."""
    if not world.weather.pages:
        return []
    found = [Page(world, one.name, token=token_of(one.name)) for one in world.clients if one.name in _WITH_PAGES]
    for page in found:
        page.owner = next(one for one in world.clients if one.name == page.person)
        page.owner.page = page
    if not world.weather.days:
        found.append(Page(world, "aud", token=token_of("aud")))
    return [*found, Page(world, ""), Page(world, "")]
