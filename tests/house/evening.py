"""A house for tests: the real line on the real store in memory, with a clock that is told and chance from a seed."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aceking.house.desk import Desk, Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.ledger import open_pairs
from aceking.house.floor.library import book_of
from aceking.house.floor.play import acts
from aceking.house.floor.roles import Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.record import Unit, read_unit
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.table import player as pl
from aceking.table.show.offers import Offer, player_offers
from tests.house.accounts import balance
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore

CURRENCIES = {"EUR": 2, "SGD": 2, "USD": 2}
STAFF: dict[str, Role] = {
    "max": "manager",
    "eve": "executive",
    "sam": "supervisor",
    "fay": "floorperson",
    "deb": "dealer",
    "cas": "cashier",
    "aud": "auditor",
}
PLAYERS = tuple(f"p{number}" for number in range(1, 8))
MORNING = 1_790_000_000_000


@dataclass
class Evening:
    """One process of a house, asked one thing after another."""

    seed: int = 1
    disk: Disk = field(default_factory=Disk)
    at: int = MORNING

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.store = MemoryStore(self.disk)
        self.desk = Desk(self.chance.randbytes)
        self.ids = count(1)

    @property
    def floor(self) -> Floor:
        return self.desk.durable

    def table(self, name: str) -> FloorTable:
        return self.floor.tables[name]

    def request(self, who: str, body: Any, name: str | None = None) -> Request:
        role = "house" if who == "house" else self.floor.people.role(who) or "player"
        return Request(id=name or f"{who}-{next(self.ids)}", sender=w.Sender(who, role), body=body)

    def ask(self, who: str, body: Any, name: str | None = None) -> Reply:
        """The answer to one request, written."""
        self.at += 50
        known = self.desk.ask(self.request(who, body, name), at=self.at)
        if known is not None:
            return known.reply
        answers = self.desk.written(self.store.append(self.desk.take()))
        assert not self.desk.faults, self.desk.faults
        assert not open_pairs(self.floor)
        assert not sum(balance(self.floor).values())
        return answers[-1].reply

    def do(self, who: str, body: Any) -> Reply:
        """Send a request that must be done."""
        reply = self.ask(who, body)
        assert reply.refused is None, f"{who}: {body}: {reply.refused}"
        return reply

    def no(self, who: str, body: Any) -> str:
        """Send a request that must be refused; return the clause or rule."""
        before = self.floor
        reply = self.ask(who, body)
        assert reply.refused is not None, f"{who}: {body} was done"
        assert reply.refused.reason
        same = (before.tables, before.cage, before.meters, before.people, before.house)
        assert same == (self.floor.tables, self.floor.cage, self.floor.meters, self.floor.people, self.floor.house)
        return reply.refused.clause

    def found(self) -> "Evening":
        """A house with its staff, seven players and their purses."""
        people: dict[str, Role] = {**STAFF, **dict.fromkeys(PLAYERS, "player")}
        self.do("house", w.FoundHouse(name="The Test", currencies=CURRENCIES, people=people, float=10**9))
        for player in PLAYERS:
            for currency in CURRENCIES:
                self.do("cas", w.Deposit(player=player, currency=currency, amount=1_000_000))
        return self

    def open(self, book: str, *, name: str = "one", players: int = 7, **posted: Any) -> Book:
        """An electronic table with players who have bought chips."""
        posted = {"ante_min": 1000, "ante_max": 10_000, "attended": False} | posted
        self.do("fay", w.SetTable(table=name, name="Table", book=book, **posted))
        rules = load_book(book)
        for box in range(1, min(players, rules.table.seats_max) + 1):
            self.do(f"p{box}", w.SitRequest(table=name, box=box))
            self.do(f"p{box}", w.BuyIn(table=name, amount=100_000))
        return rules

    def ring(self, name: str = "one") -> None:
        """The next clock of a table runs out."""
        found = acts.deadline(self.table(name))
        assert found is not None, "no clock runs"
        self.at = max(self.at, found[0])
        self.do("house", w.Tick(table=name, what=found[1]))

    def bets(self, name: str = "one", *, ante: int = 1000) -> None:
        """Everybody who sits stakes an ante and is ready."""
        if self.table(name).table.live_round is None:
            self.ring(name)
        for box, player in sorted(self.table(name).seats.items()):
            self.do(player, w.PlayRequest(table=name, act=pl.PlaceAnte(box=box, amount=ante)))
        for player in self.table(name).players:
            self.do(player, w.SayReady(table=name))

    def offers(self, name: str, player: str) -> dict[str, Offer]:
        one = self.table(name)
        return {offer.do: offer for offer in player_offers(book_of(self.floor.house, one), one.table, player)}

    def decide(self, name: str = "one") -> None:
        """Everybody looks, and decides by the dice."""
        for box, player in sorted(self.table(name).seats.items()):
            self.do(player, w.PlayRequest(table=name, act=pl.SeeHand(box=box)))
        for box, player in sorted(self.table(name).seats.items()):
            offers = self.offers(name, player)
            choice = self.chance.choice([one for one in ("bet", "stay", "fold") if one in offers])
            discard = offers[choice].cards[0] if offers[choice].cards else None
            acts: dict[str, Any] = {
                "bet": pl.MakeBet(box=box, discard=discard),
                "stay": pl.StayIn(box=box, discard=discard),
                "fold": pl.GiveUp(box=box),
            }
            self.do(player, w.PlayRequest(table=name, act=acts[choice]))

    def play(self, name: str = "one", rounds: int = 1) -> None:
        """Play whole rounds."""
        for _ in range(rounds):
            self.bets(name)
            self.decide(name)
            assert self.table(name).table.live_round is None

    def log(self) -> Iterator[tuple[int, Unit]]:
        return ((one.seq, read_unit(one.body)) for one in self.store.log())

    def again(self) -> "Evening":
        """Another process that has only what the disk has."""
        other = Evening(self.seed + 1000, self.disk, self.at)
        other.desk.catch_up(other.log(), other.store.sealed())
        return other
