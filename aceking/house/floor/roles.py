"""The roles of people in a house, and the role that each has at a table and on a meter."""

from typing import Literal, get_args

from aceking.award.authority import AwardRole
from aceking.rules.words import Actor

Role = Literal["player", "dealer", "floorperson", "supervisor", "executive", "manager", "cashier", "auditor", "device"]
ROLES: tuple[Role, ...] = get_args(Role)
#: The roles that answer questions of the book, open and close tables, and see all money of a table.
PIT: frozenset[Role] = frozenset({"floorperson", "supervisor", "executive", "manager"})

#: The roles that a person may take at a table; the first is the default.
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

#: The role on the roster of a meter.
ON_METER: dict[Role, AwardRole] = {
    "dealer": "dealer",
    "floorperson": "supervisor",
    "supervisor": "supervisor",
    "executive": "executive",
    "manager": "administrator",
}
