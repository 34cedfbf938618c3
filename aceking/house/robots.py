"""Robot players and staff, so that a visitor is never alone. They see and ask only what a person could.

Players play well (the exact best decision), by a rule of thumb, or badly. Staff confirm and sign awards. A robot is
a person of the house: its acts are on the record under its name.
"""

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from aceking.cards.card import CardId, rank_of
from aceking.exact.choices import choices
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.library import book_of
from aceking.house.floor.roles import Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.running import NotWritten, Running
from aceking.rules.book import Book
from aceking.rules.decisions import CHOICES, DECISIONS, GIVES_UP, GOES_ON
from aceking.table import commands as c
from aceking.table import player as pl
from aceking.table.dealer.next_act import due
from aceking.table.show.offers import Offer, player_offers

Style = Literal["well", "by-thumb", "badly"]
_BUYS = 100  # antes to buy when chips run short
_KEEPS = 8  # the most antes that a round may take: the ante, the dearest exchange, the bet, a card for the dealer
_ACE_KING = (14, 13)


@dataclass(frozen=True, slots=True)
class RobotPlayer:
    """The name of a robot, its style and its box."""

    name: str
    style: Style
    table: str
    box: int


class Robots:
    """The robots of this process: they look when a table has moved, and act after a pause."""

    def __init__(
        self, house: Running, players: tuple[RobotPlayer, ...], staff: dict[str, Role], *, pace: float
    ) -> None:
        self.house, self.players, self.staff, self.pace = house, players, staff, pace
        self.dice = random.Random()
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy: set[str] = set()

    def start(self) -> None:
        """Start to play and serve."""
        self.house.listeners.append(self._moved)
        self._moved({f"table/{player.table}" for player in self.players})

    async def stop(self) -> None:
        """Stop acting; seats and chips stay."""
        if self._moved in self.house.listeners:
            self.house.listeners.remove(self._moved)
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _moved(self, streams: set[str]) -> None:
        for player in self.players:
            if f"table/{player.table}" in streams:
                self._begin(player.name, self._play(player))
        for stream in streams:
            if stream.startswith("table/"):
                self._begin(f"staff of {stream}", self._serve(stream.removeprefix("table/")))

    def _begin(self, key: str, coroutine: Any) -> None:
        if key in self._busy:
            coroutine.close()
            return
        self._busy.add(key)
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: self._busy.discard(key))

    async def _ask(self, name: str, role: Role, body: Any) -> bool:
        key = f"robot/{name}/{self.house.desk.seq}/{self.dice.getrandbits(40):x}"
        try:
            reply = await self.house.ask(Request(id=key, sender=w.Sender(name, role), body=body))
        except NotWritten:
            return False
        return reply.refused is None

    async def _play(self, robot: RobotPlayer) -> None:
        """Send every request that is due now, one after another."""
        for _ in range(20):
            body = await self._next_request(robot)
            if body is None:
                return
            await asyncio.sleep(self.pace * self.dice.uniform(0.3, 1.2))
            if not await self._ask(robot.name, "player", body):
                return

    async def _next_request(self, robot: RobotPlayer) -> Any:
        # In a thread: pricing a hand may take two seconds, and the tables must not wait for it.
        return await asyncio.get_running_loop().run_in_executor(None, request_of, self.house.floor, robot, self.dice)

    # Staff

    async def _serve(self, table: str) -> None:
        """Send the steps of an award that need a person, each by another one."""
        for _ in range(6):
            body = service(self.house.floor, table, self.staff)
            if body is None:
                return
            await asyncio.sleep(self.pace * 3)
            if not await self._ask(*body):
                return


def request_of(floor: Floor, robot: RobotPlayer, dice: random.Random) -> Any:
    """Return the next request of a robot, or None if there is nothing to do."""
    state = floor.tables.get(robot.table)
    if state is None or state.gone or state.closing:
        return None
    if robot.box not in state.seats:
        return w.SitRequest(table=robot.table, box=robot.box)
    if state.seats[robot.box] != robot.name:
        return None
    book = book_of(floor.house, state)
    if _is_short(robot, state):
        amount = min(_BUYS * state.posted.ante_min, floor.cage.purse(robot.name, book.currency))
        if amount > 0:
            return w.BuyIn(table=robot.table, amount=amount)
    offers = {offer.do: offer for offer in player_offers(book, state.table, robot.name) if offer.box == robot.box}
    act = _act(robot, book, state, offers, dice)
    if act is not None:
        return w.PlayRequest(table=robot.table, act=act)
    current = state.table.live_round
    staked = current is not None and any(box.player == robot.name for box in current.dealt_in)
    if current is not None and current.phase == "betting" and staked and robot.name not in state.ready:
        return w.SayReady(table=robot.table)
    return None


def _is_short(robot: RobotPlayer, state: FloorTable) -> bool:
    """Return True if a round may take more chips than the robot has."""
    return state.chips(robot.name) < _KEEPS * state.posted.ante_min


def _act(robot: RobotPlayer, book: Book, state: FloorTable, offers: Mapping[str, Offer], dice: random.Random) -> Any:
    current = state.table.live_round
    if current is None:
        return None
    own = current.boxes.get(robot.box)
    if current.phase == "betting":
        may_ante = "ante" in offers and (own is None or not own.ante) and not _is_short(robot, state)
        return pl.PlaceAnte(box=robot.box, amount=state.posted.ante_min) if may_ante else None
    if "choose" in offers:
        question = offers["choose"].question
        return None if question is None else pl.PlayerAnswer(box=robot.box, question=question, go_on=True)
    if "buy-dealer-card" in offers:
        return pl.BuyForDealer(box=robot.box, buys=robot.style == "badly")
    if "look" in offers:
        return pl.SeeHand(box=robot.box)
    if "claim" in offers:
        return pl.ClaimJackpot(box=robot.box)
    if own is None or offers.keys().isdisjoint((*GOES_ON, *GIVES_UP)):
        return None
    choice = _decision(robot, book, state, [CardId(number) for number in own.cards], offers, dice)
    return act_named(robot, choice, offers, own.ante, discards=book.hands.discards)


def _decision(
    robot: RobotPlayer,
    book: Book,
    state: FloorTable,
    held: Sequence[CardId],
    offers: Mapping[str, Offer],
    dice: random.Random,
) -> str:
    """Return the robot's decision by its name. If the game is not priced, a rule of thumb decides."""
    if robot.style == "badly":
        return dice.choice([name for name in CHOICES if name in offers and not DECISIONS[name].needs_look])
    values = choices(book, state.table, robot.box) if robot.style == "well" else None
    if values is not None:
        return values.best
    ranks = sorted((rank_of(card) for card in held), reverse=True)
    strong = len(set(ranks)) < len(ranks) or tuple(state + 2 for state in ranks[:2]) == _ACE_KING
    wanted = ("bet", "stay", "fold") if strong else ("fold", "stay", "bet")
    return next(name for name in wanted if name in offers)


def act_named(robot: RobotPlayer, choice: str, offers: Mapping[str, Offer], ante: int, *, discards: int) -> Any:
    """Return the act of a decision by its name: `bet`, `fold`, `exchange Kd 4c`, `bet discard 4d`, `bet 3`."""
    name, _, rest = choice.partition(" ")
    named = rest.removeprefix("discard ") or None
    offer = offers.get(name)
    if offer is None:
        name, offer = next((one, offers[one]) for one in ("fold", "stay", "bet") if one in offers)
        named = None
    antes = int(named) if named is not None and named.isdigit() else None
    discard = (named if antes is None else None) or (" ".join(offer.cards[-discards:]) if offer.cards else None)
    match name:
        case "exchange" if named is not None:
            return pl.BuyCard(box=robot.box, give=named)
        case "bet":
            amount = None if antes is None else antes * ante
            return pl.MakeBet(box=robot.box, amount=amount, discard=discard)
        case "stay":
            return pl.StayIn(box=robot.box, discard=discard)
        case _:
            return pl.PLAIN[name](box=robot.box)


def service(floor: Floor, table: str, staff: Mapping[str, Role]) -> tuple[str, Role, Any] | None:
    """Return the next step of an award at an electronic table that needs a person: name, role and request; or None."""
    state = floor.tables.get(table)
    if state is None or state.gone or state.posted.mode != "electronic" or not staff:
        return None
    act = due(book_of(floor.house, state), state.table, betting_may_close=False)
    confirms = next(name for name, role in staff.items() if role == "supervisor")
    signs = next(name for name, role in staff.items() if role == "executive")
    if (hit := _of_trigger(floor, state, confirms, signs)) is not None:
        return hit
    match act:
        case c.Validate():
            fields = {"do": "supervisor-validated", "box": act.box}
            return confirms, "supervisor", w.TableAct(table=table, act=fields, role="supervisor")
        case c.SwipeCard():
            fields = {"do": "card-swipe", "box": act.box, "card": "executive"}
            return signs, "executive", w.TableAct(table=table, act=fields, role="supervisor")
        case c.CompletePapers():
            fields = {"do": "documentation-complete", "box": act.box}
            return confirms, "supervisor", w.TableAct(table=table, act=fields, role="supervisor")
        case c.PayAward() if state.posted.meter is not None:
            return signature(floor, state, act.box, signs)
        case _:
            return None


def _of_trigger(floor: Floor, state: FloorTable, confirms: str, signs: str) -> tuple[str, Role, Any] | None:
    """Return the next confirmation or signature of a trigger's award at this table, or None."""
    for meter in state.posted.must_hit:
        for award in floor.meters[meter].awards.values():
            fields: dict[str, Any] = {"table": award.table, "seat": award.seat}
            if award.table != state.table.id or award.step not in ("called", "verified"):
                continue
            if award.step == "called":
                fields |= {"do": "verify", "hand": award.hand, "cards": "", "light": True}
                return confirms, "supervisor", w.OnMeter(meter=meter, act=fields)
            return signs, "executive", w.OnMeter(meter=meter, act=fields | {"do": "sign", "amount": award.amount})
    return None


def signature(floor: Floor, state: FloorTable, box: int, signs: str) -> tuple[str, Role, Any] | None:
    """Return the signature on the meter, for a book without a card to swipe; None if no award waits for it."""
    assert state.posted.meter is not None
    for award in floor.meters[state.posted.meter].awards.values():
        if award.table == state.table.id and award.seat == box and award.step == "verified":
            fields = {"do": "sign", "table": award.table, "seat": box, "amount": award.amount}
            return signs, "executive", w.OnMeter(meter=state.posted.meter, act=fields)
    return None
