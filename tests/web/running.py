"""A live table run by its people through what their consoles say: nobody knows more than the page would show."""

from dataclasses import dataclass, field
from typing import Any

from aceking.client import House
from aceking.house.floor import requests as w

#: The deck in an order in which nobody has anything.
CARDS = [number * 17 % 52 for number in range(52)]


@dataclass
class LiveTable:
    """The people of a live table, each with their own connection."""

    table: str
    staff: list[House]  # the dealer first
    cards: list[int] = field(default_factory=lambda: [*CARDS])
    done: list[str] = field(default_factory=list)

    def console(self, who: House) -> dict[str, Any]:
        """The table as this person's console has it."""
        answer = who._http.get(f"/api/tables/{self.table}/console")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def seat(self, player: str, box: int, *, cash: int) -> None:
        """Give a player a box and chips for cash, as the dealer."""
        self.staff[0].ask(w.SitRequest(table=self.table, box=box, player=player))
        self.staff[0].ask(w.BuyIn(table=self.table, player=player, amount=cash))

    def step(self) -> str | None:
        """Does what is due, whosever it is; None where players must act."""
        for who in self.staff:
            due = self.console(who).get("due")
            if due is None:
                return None
            if due.get("mine"):
                self.do(who, due)
                self.done.append(due["do"])
                return str(due["do"])
        raise AssertionError(f"nobody here does {due}")

    def do(self, who: House, due: dict[str, Any], **told: Any) -> None:
        """Does what is due, with what is left to enter."""
        act = {**due["act"], **{one["name"]: self.entered(one, told) for one in due.get("fields", ())}}
        who.ask(w.TableAct(table=self.table, act=act, role=due.get("role"), player=due.get("player")))

    def entered(self, one: dict[str, Any], told: dict[str, Any]) -> Any:
        """What a person keys in: the next cards, or what was counted."""
        if one["name"] in told:
            return told[one["name"]]
        match one["kind"]:
            case "card":
                return self.cards.pop(0)
            case "cards":
                return [self.cards.pop(0) for _ in range(one.get("many", 1))]
            case "money":
                return 5_000_000
            case _:
                return 0

    def enter(self, do: str, box: int, **told: Any) -> None:
        """Enter an act of a player, as the dealer."""
        entries = self.console(self.staff[0])["entries"]
        one = next(one for one in entries if one["offer"]["do"] == do and one["offer"]["box"] == box)
        self.staff[0].ask(w.TableAct(table=self.table, act={"do": do, "box": box, **told}, player=one["player"]))
