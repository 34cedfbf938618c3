"""Players over the typed client: they see what the house shows them, and ask for what it offers."""

import random
import time
from dataclasses import dataclass, field
from typing import Any

from aceking.client import House, Live
from aceking.house.floor import requests as w
from aceking.table import player as pl
from aceking.web.live import messages as m


def next_request(view: m.TableIs, name: str, box: int, dice: random.Random) -> Any:
    """Return the next request of a player, chosen by the dice; None if it is not their turn."""
    common, table = view.rail.common, view.rail.id
    may = {offer.do: offer for offer in view.own.may if offer.box == box}
    staked = any(one.box == box for one in common.boxes)
    if common.phase == "betting" and staked:
        return None if name in view.rail.ready else w.SayReady(table=table)
    if "ante" in may and not staked:
        least = int(float(view.rail.posted.ante_min) * 10**view.rail.posted.decimals)
        return w.PlayRequest(table=table, act=pl.PlaceAnte(box=box, amount=least))
    if "choose" in may and may["choose"].question is not None:
        return w.PlayRequest(table=table, act=pl.PlayerAnswer(box=box, question=may["choose"].question, go_on=True))
    if "look" in may:
        return w.PlayRequest(table=table, act=pl.SeeHand(box=box))
    if "exchange" in may and may["exchange"].cards and dice.random() < 0.3:
        return w.PlayRequest(table=table, act=pl.BuyCard(box=box, give=may["exchange"].cards[0]))
    choices = [one for one in ("bet", "stay", "fold") if one in may]
    if not choices:
        return None
    choice = dice.choice(choices)
    aside = may[choice].cards[0] if may[choice].cards else None
    acts: dict[str, Any] = {
        "bet": pl.MakeBet(box=box, discard=aside),
        "stay": pl.StayIn(box=box, discard=aside),
        "fold": pl.GiveUp(box=box),
    }
    return w.PlayRequest(table=table, act=acts[choice])


@dataclass
class Robot:
    """One player at one table, for some rounds."""

    house: House
    name: str
    table: str
    box: int
    rounds: int
    pause: float = 0
    heard: list[str] = field(default_factory=list)  # every text that came over the connection

    def plays(self) -> None:
        """Sit down, play the rounds, and stay seated after the last one."""
        dice = random.Random(f"{self.name}/{self.table}")
        with self.house.live(self.table) as live:
            self._listens(live)
            live.ask(w.SitRequest(table=self.table, box=self.box))
            live.ask(w.BuyIn(table=self.table, amount=500_000))
            played: set[int] = set()
            for view in live.views():
                number = view.rail.common.round or 0
                if len(played) == self.rounds and number not in played:
                    return
                request = next_request(view, self.name, self.box, dice)
                if request is None or number in played - {max(played, default=0)}:
                    continue
                if len(played) == self.rounds and isinstance(getattr(request, "act", None), pl.PlaceAnte):
                    return
                played.add(number)
                time.sleep(self.pause)
                live.ask(request)

    def _listens(self, live: Live) -> None:
        receive = live._socket.recv

        def heard(*args: Any, **named: Any) -> Any:
            text = receive(*args, **named)
            self.heard.append(str(text))
            return text

        live._socket.recv = heard  # type: ignore[method-assign]
