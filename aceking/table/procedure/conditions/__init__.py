"""The conditions that clauses demand of acts, by subject: each returns the reason why it does not hold, or None."""

from collections.abc import Mapping

from aceking.table.procedure.conditions.closing import CLOSING
from aceking.table.procedure.conditions.deal import DEAL, KEPT_BY_HANDLERS
from aceking.table.procedure.conditions.deciding import DECIDING
from aceking.table.procedure.conditions.decks import DECKS
from aceking.table.procedure.conditions.house import HOUSE
from aceking.table.procedure.conditions.predicate import Predicate
from aceking.table.procedure.conditions.wagers import WAGERS

CONDITIONS: Mapping[str, Predicate] = {**DECKS, **HOUSE, **WAGERS, **DEAL, **DECIDING, **CLOSING}

__all__ = ["CONDITIONS", "KEPT_BY_HANDLERS", "Predicate"]
