"""The staff of the live table: they do what is due, each under their own name, with a shuffled deck."""

from typing import TYPE_CHECKING

from aceking.cards.card import cards
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.library import book_of
from aceking.house.floor.roles import Role
from aceking.house.robots import signature
from aceking.rules.book import Book
from aceking.table import commands as c
from aceking.table.cards.deal_order import next_due
from aceking.table.cards.place import box_place
from aceking.table.dealer.next_act import due
from aceking.table.state import TableState
from tests.house.by_hand import entered
from tests.house.simulator.opening import LIVE
from tests.house.simulator.people import Client

if TYPE_CHECKING:
    from tests.house.simulator.server import Process
    from tests.house.simulator.world import World

_ROYAL = [int(one) for one in cards("As Ks Qs Js Ts")]


class Crew(Client):
    """Dealer, floorperson, supervisor and executive of the live table."""

    def __init__(self, world: "World") -> None:
        super().__init__(world, "deb", think=0.04)
        self._round, self._deck = 0, list[int]()
        self._lucky: int | None = None  # the box that is dealt a royal flush

    def _asks(self, process: "Process") -> None:
        floor = process.floor
        one = floor.tables.get(LIVE)
        if one is None or one.gone:
            return
        current, book = one.table.live_round, book_of(floor.house, one)
        in_haste = self.world.closing or self.dice.random() < 0.05
        act = due(book, one.table, betting_may_close=current is not None and bool(current.dealt_in) and in_haste)
        if not isinstance(act, c.Act) or (isinstance(act, c.OpenBets) and (self.world.closing or one.closing)):
            return
        signs = signature(floor, one, act.box, "eve") if isinstance(act, c.PayAward) and one.posted.meter else None
        if signs is not None:
            self._enters(*signs)
            return
        player = one.seats.get(getattr(act, "box", 0)) or next(iter(one.players), "")
        who, body = entered(book, one, act, player=player, cards=lambda size: self._cards(book, one.table, size))
        if body.player == "":
            return  # this act needs a player, and nobody is seated
        role = floor.people.role(who)
        assert role is not None, f"{who} is on the staff"
        self._enters(who, role, body)

    def _enters(self, who: str, role: Role, body: w.AnyRequest) -> None:
        self.pending = Request(id=self.new_id(), sender=w.Sender(who, role), body=body)
        self.world.entered(self.pending)

    def _cards(self, book: Book, table: TableState, size: int) -> list[int]:
        """Return the next cards of the deck. In some rounds a box with a side wager gets a royal flush."""
        current = table.live_round
        assert current is not None, "cards are dealt in a round"
        if current.number != self._round:
            self._round, self._deck = current.number, [*range(52)]
            self.dice.shuffle(self._deck)
            staked = [number for number, box in sorted(current.boxes.items()) if box.beside]
            self._lucky = self.dice.choice(staked) if staked and self.dice.random() < 0.5 else None
        to = next_due(book, current)
        is_lucky = self._lucky is not None and to is not None and to.to == box_place(self._lucky)
        left = [card for card in self._deck if card not in current.sequence]
        if self._lucky is not None:
            left.sort(key=lambda card: (card in _ROYAL) != is_lucky)  # the sort is stable
        return left[:size]
