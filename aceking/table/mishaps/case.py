"""What a ruling is about, and what comes of following it."""

from dataclasses import dataclass

from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Mishap
from aceking.table import event as ev


@dataclass(frozen=True, slots=True)
class Case:
    """What was ruled on: the mishap, by which clause, whose boxes and cards, and what held."""

    mishap: Mishap
    clause: str
    boxes: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    given: frozenset[Circumstance] = frozenset()


#: The events of a remedy; or why nothing follows; or what is missing for it.
Follow = list[ev.Event] | str | Refusal
