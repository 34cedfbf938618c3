"""The parts that people of a house have, and in which part each may act at a table and on a meter."""

from typing import Literal, get_args

from aceking.award.authority import Role as LinkRole
from aceking.rules.words import Actor

Role = Literal["player", "dealer", "floorperson", "supervisor", "executive", "manager", "cashier", "auditor", "device"]
ROLES: tuple[Role, ...] = get_args(Role)
STAFF: frozenset[Role] = frozenset(ROLES) - {"player", "device"}
#: Those who answer questions of the book, open and close tables, and see all of a table's money.
PIT: frozenset[Role] = frozenset({"floorperson", "supervisor", "executive", "manager"})

#: The part at a table: the first is taken where a request names none.
AT_TABLE: dict[Role, tuple[Actor, ...]] = {
    "player": ("player",),
    "dealer": ("dealer",),
    "floorperson": ("floorperson",),
    "supervisor": ("supervisor", "floorperson"),
    "executive": ("house", "supervisor"),
    "manager": ("house",),
    "cashier": (),
    "auditor": (),
    "device": ("device",),
}

#: The part on the roster of a meter.
ON_METER: dict[Role, LinkRole] = {
    "dealer": "dealer",
    "floorperson": "supervisor",
    "supervisor": "supervisor",
    "executive": "executive",
    "manager": "administrator",
}
