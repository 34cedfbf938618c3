"""A robot of thirty lines: it sits down at the first free box of a table, bets the least, and plays pairs or better.

python examples/robot.py http://127.0.0.1:8000 section10 ann HER-PASSWORD
"""

import sys

from aceking.client import House
from aceking.house.floor.wishes import BuyIn, Play, SayReady, Sit
from aceking.table.player import GiveUp, MakeBet, PlaceAnte, SeeHand


def main(address: str, table: str, name: str, password: str, *, rounds: int = 3) -> None:
    """Plays some rounds and says how they went."""
    with House(address, name, password) as house, house.live(table) as live:
        posted, taken = house.table(table).rail.posted, house.table(table).rail.seats
        box = next(number for number in range(1, posted.boxes + 1) if number not in taken)
        least = int(float(posted.ante_min) * 10**posted.decimals)
        live.ask(Sit(table=table, box=box))
        live.ask(BuyIn(table=table, amount=20 * least))
        for view in live.views():
            may = {offer.do for offer in view.own.may if offer.box == box}
            own = next((one for one in view.own.boxes if one.box == box), None)
            if "ante" in may and not any(one.box == box for one in view.rail.common.boxes):
                live.ask(Play(table=table, act=PlaceAnte(box=box, amount=least)))
                live.ask(SayReady(table=table))
            elif "look" in may:
                live.ask(Play(table=table, act=SeeHand(box=box)))
            elif own is not None and may & {"bet", "fold"}:
                ranks = [card[0] for card in own.cards if card]
                bets = len(set(ranks)) < len(ranks) or {"A", "K"} <= set(ranks)
                live.ask(Play(table=table, act=MakeBet(box=box) if bets else GiveUp(box=box)))
            elif view.rail.common.phase == "done" and any(one.box == box for one in view.rail.common.boxes):
                print(f"round {view.rail.common.round}: {view.rail.chips.get(name)} before me")
                rounds -= 1
                if not rounds:
                    return


if __name__ == "__main__":
    main(*sys.argv[1:5])
