"""The result of a settled round."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from os import PathLike
from typing import Any

from aceking.api.arguments import book_name


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of a scenario; `data` is the JSON of `aceking settle --json`."""

    data: Mapping[str, Any]

    @property
    def refused(self) -> Mapping[str, str] | None:
        """The clause and the reason if the book does not allow the round; otherwise None."""
        return self.data.get("refused")

    @property
    def unregulated(self) -> Mapping[str, str] | None:
        """Why the book has no rule for the round, and who decides; otherwise None."""
        return self.data.get("unregulated")

    @property
    def net(self) -> Mapping[int, str]:
        """The net result of each seat: a decimal text in the table's currency."""
        return {seat["seat"]: seat["net"] for seat in self.data.get("seats", [])}

    @property
    def lines(self) -> tuple[Mapping[str, Any], ...]:
        """Every wager with its seat, stake, outcome, payment and clause."""
        seats = self.data.get("seats", [])
        return tuple({"seat": seat["seat"], **line} for seat in seats for line in seat["lines"])

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __repr__(self) -> str:
        if self.refused:
            return f"Settled(refused by {self.refused['clause']}: {self.refused['reason']})"
        if self.unregulated:
            return f"Settled(unregulated: {self.unregulated['reason']})"
        seats = [f"seat {seat['seat']} {seat['hand'] or ''} {with_sign(seat['net'])}" for seat in self.data["seats"]]
        return f"Settled({self.data['book']}: {'; '.join(seats)})"

    def _repr_html_(self) -> str:
        if self.refused or self.unregulated:
            return f"<p>{escape(repr(self))}</p>"
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(str(line[key]))}</td>" for key in _COLUMNS) + "</tr>" for line in self.lines
        )
        head = "".join(f"<th>{key}</th>" for key in _COLUMNS)
        seats = "<br>".join(
            f"seat {seat['seat']}: {escape(seat['hand'] or '')}, <b>{with_sign(seat['net'])}</b>"
            for seat in self.data["seats"]
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{seats}</p>"


_COLUMNS = ("seat", "wager", "stake", "outcome", "pays", "clause")


def with_sign(net: str) -> str:
    """Return the amount with a plus sign if it is positive: `+30`, `-10`, `0`."""
    return net if net.startswith("-") or net == "0" else f"+{net}"


def settle(scenario: "Mapping[str, Any] | str", *, book: "str | PathLike[str] | None" = None) -> Settled:
    """Settle one round; docs/reference/scenario.md lists the keys. Raises ValueError if the scenario is wrong.

    >>> from aceking import settle
    >>> seat = {"seat": 1, "cards": "A♠ K♠ Q♠ J♠ 10♠", "ante": "10", "play": "bet"}
    >>> settle({"book": "rws", "dealer": "Ah Kd 9c 5s 2d", "seats": [seat]})
    Settled(rws: seat 1 royal flush +5010)
    >>> settle({"book": "rws", "dealer": "Ah Kd 9c 5s 2d", "seats": [seat]}, book="section10").net
    {1: '2010'}
    """
    from aceking.settlement.scenario_json import result_data, scenario_from_json, scenario_from_table, settle_in

    if not isinstance(scenario, str | Mapping):
        raise TypeError(f"scenario: a mapping or a JSON text, not {scenario!r}")
    raw = scenario_from_json(scenario) if isinstance(scenario, str) else scenario_from_table(dict(scenario))
    return Settled(result_data(raw.id, settle_in(raw, None if book is None else book_name(book))))
