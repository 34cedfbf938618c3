"""Robot players and staff, so that a newcomer is never alone: they see what a person would, and ask as he would.

Players play well (the exact best decision), by a rule of thumb, or badly. Staff confirm and sign awards. A robot is a
person of the house like any other: what it does is on the record under its name.
"""

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from aceking.cards.card import Card, rank_of
from aceking.exact.choices import choices
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.library import book_of
from aceking.house.floor.roles import Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.running import NotWritten, Running
from aceking.rules.book import Book
from aceking.table import commands as c
from aceking.table import player as pl
from aceking.table.dealer.next_act import due
from aceking.table.show.offers import Offer, player_offers

Style = Literal["well", "by-thumb", "badly"]
_BUYS = 100  # antes, when a robot has too few chips
_KEEPS = 8  # antes that a round may take: the ante, the dearest exchange, the bet, a card for the dealer
_ACE_KING = (14, 13)


@dataclass(frozen=True, slots=True)
class RobotPlayer:
    """Who it is, how it plays, and where."""

    name: str
    style: Style
    table: str
    box: int


class Robots:
    """The robots of this process: they look whenever something has moved, and act after a moment."""

    def __init__(
        self, house: Running, players: tuple[RobotPlayer, ...], staff: dict[str, Role], *, pace: float
    ) -> None:
        self.house, self.players, self.staff, self.pace = house, players, staff, pace
        self.dice = random.Random()
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy: set[str] = set()

    def start(self) -> None:
        """They sit down."""
        self.house.listeners.append(self._moved)
        self._moved({f"table/{one.table}" for one in self.players})

    async def stop(self) -> None:
        """They stand still; nothing of theirs is given up."""
        if self._moved in self.house.listeners:
            self.house.listeners.remove(self._moved)
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _moved(self, streams: set[str]) -> None:
        for one in self.players:
            if f"table/{one.table}" in streams:
                self._begin(one.name, self._play(one))
        for stream in streams:
            if stream.startswith("table/"):
                self._begin(f"staff of {stream}", self._serve(stream.removeprefix("table/")))

    def _begin(self, key: str, doing: Any) -> None:
        if key in self._busy:
            doing.close()
            return
        self._busy.add(key)
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: self._busy.discard(key))

    async def _ask(self, name: str, role: Role, wish: Any) -> bool:
        key = f"robot/{name}/{self.house.desk.seq}/{self.dice.getrandbits(40):x}"
        try:
            reply = await self.house.ask(Request(id=key, sender=w.Sender(name, role), wish=wish))
        except NotWritten:
            return False
        return reply.refused is None

    async def _play(self, robot: RobotPlayer) -> None:
        """Everything that there is to do now, one thing after another."""
        for _ in range(20):
            wish = await self._wish(robot)
            if wish is None:
                return
            await asyncio.sleep(self.pace * self.dice.uniform(0.3, 1.2))
            if not await self._ask(robot.name, "player", wish):
                return

    async def _wish(self, robot: RobotPlayer) -> Any:
        # What a hand is worth may take a second or two: the tables of the house do not wait for it.
        return await asyncio.get_running_loop().run_in_executor(None, wish_of, self.house.floor, robot, self.dice)

    # Staff

    async def _serve(self, table: str) -> None:
        """The steps of an award that take a person, each by another one."""
        for _ in range(6):
            wish = service(self.house.floor, table, self.staff)
            if wish is None:
                return
            await asyncio.sleep(self.pace * 3)
            if not await self._ask(*wish):
                return


def wish_of(floor: Floor, robot: RobotPlayer, dice: random.Random) -> Any:
    """What a robot asks for now; None where there is nothing to do."""
    one = floor.tables.get(robot.table)
    if one is None or one.gone or one.closing:
        return None
    if robot.box not in one.seats:
        return w.Sit(table=robot.table, box=robot.box)
    if one.seats[robot.box] != robot.name:
        return None
    book = book_of(floor.house, one)
    if _is_short(robot, one):
        wanted = min(_BUYS * one.posted.ante_min, floor.cage.purse(robot.name, book.currency))
        if wanted > 0:
            return w.BuyIn(table=robot.table, amount=wanted)
    offers = {offer.do: offer for offer in player_offers(book, one.table, robot.name) if offer.box == robot.box}
    act = _act(robot, book, one, offers, dice)
    if act is not None:
        return w.Play(table=robot.table, act=act)
    current = one.table.live_round
    staked = current is not None and any(box.player == robot.name for box in current.dealt_in)
    if current is not None and current.phase == "betting" and staked and robot.name not in one.ready:
        return w.SayReady(table=robot.table)
    return None


def _is_short(robot: RobotPlayer, one: FloorTable) -> bool:
    """Whether a round may take more chips than lie before it."""
    return one.chips(robot.name) < _KEEPS * one.posted.ante_min


def _act(robot: RobotPlayer, book: Book, one: FloorTable, offers: Mapping[str, Offer], dice: random.Random) -> Any:
    current = one.table.live_round
    if current is None:
        return None
    own = current.boxes.get(robot.box)
    if current.phase == "betting":
        may_ante = "ante" in offers and (own is None or not own.ante) and not _is_short(robot, one)
        return pl.PlaceAnte(box=robot.box, amount=one.posted.ante_min) if may_ante else None
    if "choose" in offers:
        question = offers["choose"].question
        return None if question is None else pl.Answer(box=robot.box, question=question, go_on=True)
    if "buy-dealer-card" in offers:
        return pl.BuyForDealer(box=robot.box, buys=robot.style == "badly")
    if "look" in offers:
        return pl.SeeHand(box=robot.box)
    if "claim" in offers:
        return pl.ClaimJackpot(box=robot.box)
    if own is None or not ({"bet", "fold", "stay"} & offers.keys()):
        return None
    choice = _decision(robot, book, one, [Card(number) for number in own.cards], offers, dice)
    return act_named(robot, choice, offers, own.ante, discards=book.hands.discards)


def _decision(
    robot: RobotPlayer,
    book: Book,
    one: FloorTable,
    held: Sequence[Card],
    offers: Mapping[str, Offer],
    dice: random.Random,
) -> str:
    """A decision in the words of `value`; by a rule of thumb too where nothing is priced."""
    if robot.style == "badly":
        return dice.choice([name for name in ("bet", "fold", "stay") if name in offers])
    values = choices(book, one.table, robot.box) if robot.style == "well" else None
    if values is not None:
        return values.best
    ranks = sorted((rank_of(card) for card in held), reverse=True)
    strong = len(set(ranks)) < len(ranks) or tuple(one + 2 for one in ranks[:2]) == _ACE_KING
    wanted = ("bet", "stay", "fold") if strong else ("fold", "stay", "bet")
    return next(name for name in wanted if name in offers)


def act_named(robot: RobotPlayer, choice: str, offers: Mapping[str, Offer], ante: int, *, discards: int) -> Any:
    """The act of a decision by its name: `bet`, `fold`, `exchange Kd 4c`, `bet discard 4d`, `bet 3`."""
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
        case "declare":
            return pl.DeclareWinner(box=robot.box)
        case "bet":
            amount = None if antes is None else antes * ante
            return pl.MakeBet(box=robot.box, amount=amount, discard=discard)
        case "stay":
            return pl.StayIn(box=robot.box, discard=discard)
        case _:
            return pl.GiveUp(box=robot.box)


def service(floor: Floor, table: str, staff: Mapping[str, Role]) -> tuple[str, Role, Any] | None:
    """The next step of an award at an electronic table that takes a person: who of these, in which part, and what."""
    one = floor.tables.get(table)
    if one is None or one.gone or one.posted.mode != "electronic" or not staff:
        return None
    act = due(book_of(floor.house, one), one.table, betting_may_close=False)
    confirms = next(name for name, role in staff.items() if role == "supervisor")
    signs = next(name for name, role in staff.items() if role == "executive")
    if (hit := _of_trigger(floor, one, confirms, signs)) is not None:
        return hit
    match act:
        case c.Validate():
            told = {"do": "supervisor-validated", "box": act.box}
            return confirms, "supervisor", w.Act(table=table, act=told, role="supervisor")
        case c.SwipeCard():
            told = {"do": "card-swipe", "box": act.box, "card": "executive"}
            return signs, "executive", w.Act(table=table, act=told, role="supervisor")
        case c.CompletePapers():
            told = {"do": "documentation-complete", "box": act.box}
            return confirms, "supervisor", w.Act(table=table, act=told, role="supervisor")
        case c.PayAward() if one.posted.meter is not None:
            return signature(floor, one, act.box, signs)
        case _:
            return None


def _of_trigger(floor: Floor, one: FloorTable, confirms: str, signs: str) -> tuple[str, Role, Any] | None:
    """What a trigger has given at this table and nobody has confirmed or signed yet."""
    for meter in one.posted.must_hit:
        for award in floor.meters[meter].awards.values():
            told: dict[str, Any] = {"table": award.table, "seat": award.seat}
            if award.table != one.table.id or award.step not in ("called", "verified"):
                continue
            if award.step == "called":
                told |= {"do": "verify", "hand": award.hand, "cards": "", "light": True}
                return confirms, "supervisor", w.OnMeter(meter=meter, act=told)
            return signs, "executive", w.OnMeter(meter=meter, act=told | {"do": "sign", "amount": award.amount})
    return None


def signature(floor: Floor, one: FloorTable, box: int, signs: str) -> tuple[str, Role, Any] | None:
    """The meter's own signature, where the book of the table has no card to swipe."""
    assert one.posted.meter is not None
    for award in floor.meters[one.posted.meter].awards.values():
        if award.table == one.table.id and award.seat == box and award.step == "verified":
            told = {"do": "sign", "table": award.table, "seat": box, "amount": award.amount}
            return signs, "executive", w.OnMeter(meter=one.posted.meter, act=told)
    return None
