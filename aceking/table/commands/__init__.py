"""Commands: what people and devices at a table ask for, each with its own fields.

A command is a request: it is done, ruled on or refused. `aceking/table/acts.py` says who does each act and what it
does. The fields are checked when read: cards of the deck; amounts, numbers and times within limits.
"""

from aceking.table.commands.asking import *
from aceking.table.commands.base import *
from aceking.table.commands.cards import *
from aceking.table.commands.closing import *
from aceking.table.commands.conduct import *
from aceking.table.commands.dealing import *
from aceking.table.commands.deciding import *
from aceking.table.commands.equipment import *
from aceking.table.commands.wagers import *
