"""What a handler is given: the book, the state, the shoe, and who acts, when and by which clause."""

import msgspec

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import Said, said
from aceking.rules.words import Actor
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.shoe import Shoe
from aceking.table.evolve import evolve
from aceking.table.state import Box, Round, TableState

#: The result of a handler.
Done = list[ev.TableEvent] | Refusal


class Moment(msgspec.Struct, frozen=True, gc=False):
    """The circumstances of an act, and the clause that governs it."""

    book: Book
    table: TableState
    shoe: Shoe
    at: int
    by: str
    role: Actor
    clause: str | None = None

    def after(self, events: list[ev.TableEvent]) -> "Moment":
        """Return the same moment with these events applied to the state."""
        table, shoe = self.table, self.shoe
        for event in events:
            table = evolve(table, event)
            if type(event) is ev.WasCut:
                shoe = shoe.after(event)
        return Moment(self.book, table, shoe, self.at, self.by, self.role, self.clause)

    def no(self, reason: str | Said, rule: str, *, book: str | None = None) -> Refusal:
        """Refuse by the clause of the act, else by a rule of the book, else by the base procedure."""
        if self.clause:
            return refusal(reason, self.clause)
        return (
            base(rule, reason)
            if book is None or book not in self.book.by_key
            else refusal(reason, self.book.cite(book))
        )

    def round(self) -> Round | Refusal:
        """Return the current round, or a refusal if there is none."""
        current = self.table.live_round
        return base("time", "there is no round") if current is None else current

    def box(self, number: int) -> tuple[Round, Box] | Refusal:
        """Return the round and a box that is in it, or a refusal."""
        current = self.table.live_round
        if current is None:
            return base("time", "there is no round")
        box = current.boxes.get(number)
        if box is None or not box.ante:
            return base("box", said("box {box} is not in the round", box=number))
        if box.void or box.forfeited:
            return base("box", said("box {box} is out of the round", box=number))
        return current, box
