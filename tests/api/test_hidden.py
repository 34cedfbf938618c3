"""In mid-hand nothing that a player can ask of a table or of the terminal depends on a card that is hidden.

Two tables are dealt that differ in hidden cards only. Whatever is shown must be the same at both.
"""

import io
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from aceking import Table
from aceking.api.table import RefusedError
from aceking.cards.card import CardId, names
from aceking.cards.deck import DECK
from aceking.commands.terminal.session import TerminalSession
from aceking.commands.terminal.table import TerminalTable
from aceking.rules.reading.load import book_ids

SEEDS = range(3)
#: What knows every card, as its words say.
ENGINE = {"state", "events", "record", "begins"}
#: What does something, or makes another table.
ACTS = {
    "ante",
    "bet",
    "buy_dealer_card",
    "copy",
    "deal",
    "declare",
    "do",
    "exchange",
    "finish",
    "fold",
    "leave",
    "load",
}
ACTS |= {"look", "open", "resumed", "save", "side", "stay"}
#: What tells something: of the table, of a box, or to a player.
OF_TABLE = {"book", "buying", "meter", "meter_exact", "phase", "playing", "round", "seed", "shuffles", "told", "up"}
OF_BOX = {"hand", "lines", "net", "seen", "values"}
TO_PLAYER = {"boxes", "chips", "offers", "view"}
Reach = Callable[[Table], Table]


def _fold_or_stay(table: Table) -> Table:
    may = {one.do for one in table.offers()}
    return table.fold(box=1) if "fold" in may else table.stay(table.seen()[0], box=1)


def _exchange(table: Table) -> Table:
    looked = MOMENTS["looked"](table)
    return looked.exchange(looked.seen()[0], box=1) if looked.book.exchange is not None else looked


MOMENTS: dict[str, Reach] = {
    "dealt": lambda table: table.ante(10).side().ante(10, box=2, player="Bob").deal(look=False),
    "looked": lambda table: MOMENTS["dealt"](table).look(1),
    "exchanged": _exchange,
    "one has decided": lambda table: _fold_or_stay(MOMENTS["looked"](table)),
}


def _opened(book: str, order: list[CardId], before: int) -> Table:
    """A table open for bets on a deck in this order, after some finished rounds."""
    table = Table(book, seed=1)
    for _ in range(before):
        _fold_or_stay(table.ante(10).deal())
    return table.open(names(tuple(order)))


def _pairs(book: str, reach: Reach, before: int) -> Iterator[tuple[list[CardId], list[CardId]]]:
    """Decks by lot, each with another that differs in the cards that nobody has seen at that moment."""
    for seed in SEEDS:
        chance = random.Random(seed)
        order = chance.sample(DECK, 52)
        table = reach(_opened(book, order, before))
        current = table.state.live_round
        assert current is not None, "the round is not over"
        known = {current.up, *current.boxed}
        for box in current.boxes.values():
            known |= {*box.cards, *box.gave} if box.seen else set()
        hidden = [one for one in order if one not in known]
        others = iter(hidden[1:] + hidden[:1])
        yield order, [one if one in known else next(others) for one in order]


def _answer(ask: Any, *of: Any) -> str:
    """What comes back, as text; a refusal is an answer too."""
    try:
        told = ask(*of) if callable(ask) else ask
    except (RefusedError, ValueError) as refused:
        return f"{type(refused).__name__}: {refused}"
    return msgspec.json.encode(told).decode() if isinstance(told, msgspec.Struct) else repr(told)


def _shown(table: Table) -> dict[str, str]:
    """Everything that a table tells, and how it shows itself."""
    found = {"repr": repr(table), "str": str(table), "html": table._repr_html_()}
    found |= {name: _answer(getattr(table, name)) for name in OF_TABLE - {"book"}}
    found |= {f"{name} {box}": _answer(getattr(table, name), box) for name in OF_BOX for box in (1, 2, 3)}
    players = ("player", "Bob", "Cy")
    return found | {f"{name} {who}": _answer(getattr(table, name), who) for name in TO_PLAYER for who in players}


def test_every_public_name_of_a_table_is_looked_at_here() -> None:
    table = Table("section10", seed=1)
    public = {name for name in {*dir(table), *vars(table)} if not name.startswith("_")}
    assert public == ENGINE | ACTS | OF_TABLE | OF_BOX | TO_PLAYER


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("book", book_ids())
def test_no_public_name_of_a_table_tells_a_hidden_card(book: str, moment: str) -> None:
    reach = MOMENTS[moment]
    for before in (0, 1):
        for order, other in _pairs(book, reach, before):
            one, two = (reach(_opened(book, deck, before)) for deck in (order, other))
            assert one.record() != two.record(), "the hidden cards are not the same"
            assert _shown(one) == _shown(two)


@pytest.mark.parametrize("book", book_ids())
def test_a_round_is_told_when_it_is_over_and_the_next_one_is_not_told_before(book: str) -> None:
    table = Table(book, seed=5)
    assert table.ante(10).deal().told() == []
    told = _fold_or_stay(table).told()
    assert told[0].startswith("Round 1 of ")
    assert told[-1].startswith("The round is over.")
    assert table.ante(10).told() == told
    assert table.deal().told() == told
    assert _fold_or_stay(table).told()[0].startswith("Round 2 of ")


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("book", book_ids())
def test_no_key_of_the_terminal_tells_a_hidden_card(
    book: str, before: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = ["w", "l", "r", "g", "h", "v", "c", "v", "c", "v", "c", "v", "q", "n", "zzz"]

    def played(deck: list[CardId]) -> str:
        table = _opened(book, deck, before)
        session = TerminalSession(begins=table.begins, book=book, brought=100_000, ante=1_000, side=True)
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(["10", *keys, ""])))
        seat = TerminalTable(session, table, None)
        assert {*seat.asker.answers} <= {*keys}
        seat.run()
        shown = capsys.readouterr().out
        return shown[: shown.index("zzz is not a choice here")]

    for order, other in _pairs(book, lambda table: table.ante(10).side().deal(), before):
        shown = played(order)
        assert "Leave? (y)es, (n)o? n" in shown
        assert ("No round is over yet." in shown) == (before == 0)
        assert ("Round 1 of " in shown) == (before == 1)
        assert played(other) == shown
