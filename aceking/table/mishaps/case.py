"""The case that a ruling is about, and the result of applying a remedy to it."""

from dataclasses import dataclass

from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Mishap
from aceking.table import event as ev


@dataclass(frozen=True, slots=True)
class MishapCase:
    """A ruling's case: the mishap, the clause, the boxes and cards concerned, and the circumstances."""

    mishap: Mishap
    clause: str
    boxes: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    given: frozenset[Circumstance] = frozenset()


#: The events of a remedy; or why nothing follows; or a refusal that says what is missing.
RemedyResult = list[ev.TableEvent] | str | Refusal
