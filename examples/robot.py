"""A robot in thirty lines: it takes a free box, bets the least, and plays a pair or ace-king.

python examples/robot.py http://127.0.0.1:8000 section10 ann PASSWORD
"""

import sys

from aceking.client import House
from aceking.house.floor.requests import BuyIn, PlayRequest, SayReady, SitRequest
from aceking.table.player import GiveUp, MakeBet, PlaceAnte, SeeHand


def main(address: str, table: str, name: str, password: str, *, rounds: int = 3) -> None:
    """Plays some rounds and says how they went."""
    with House(address, name, password) as house, house.live(table) as live:
        posted, taken = house.table(table).rail.posted, house.table(table).rail.seats
        box = next(number for number in range(1, posted.boxes + 1) if number not in taken)
        least = round(float(posted.ante_min) * 10**posted.decimals)
        live.ask(SitRequest(table=table, box=box))
        live.ask(BuyIn(table=table, amount=20 * least))
        for view in live.views():
            may = {offer.do for offer in view.own.may if offer.box == box}
            mine = [one for one in view.rail.common.boxes if one.box == box]
            if "ante" in may and not mine:
                live.ask(PlayRequest(table=table, act=PlaceAnte(box=box, amount=least)))
                live.ask(SayReady(table=table))
            elif "look" in may:
                live.ask(PlayRequest(table=table, act=SeeHand(box=box)))
            elif view.own.boxes and "fold" in may:
                ranks = [card[0] for card in view.own.boxes[0].cards if card]
                strong = len(set(ranks)) < len(ranks) or {"A", "K"} <= set(ranks)
                live.ask(PlayRequest(table=table, act=MakeBet(box=box) if strong else GiveUp(box=box)))
            elif view.rail.common.phase == "done" and mine and (rounds := rounds - 1) >= 0:
                print(f"round {view.rail.common.round}: {view.rail.chips.get(name)} before me")
            if rounds <= 0:
                return


print(__doc__) if len(sys.argv) < 5 else main(*sys.argv[1:5])
