"""A past round for an auditor: every act with its clauses, the table after each, and the entries of the log."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from aceking.cards.card import CardId, name
from aceking.house.floor import events as hp
from aceking.house.floor.codec import read_event
from aceking.house.store.protocol import Store
from aceking.house.views.printed import clauses
from aceking.house.views.table_history import PastRound
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.sentence import Said, said
from aceking.table.show.explain import Teller
from aceking.table.show.part import ShownPart
from aceking.table.show.view import View, Viewer, view

_EYE = Viewer("surveillance")


class AuditedAct(ShownPart, frozen=True, kw_only=True):
    """One act or event in a sentence, and the state of the table after it."""

    told: str
    said: Said  # the sentence with its placeholders, for translation
    clauses: tuple[str, ...] = ()
    at: int
    by: str
    entry: int
    event: dict[str, Any]
    state: int  # index in `states`


class AuditedRound(ShownPart, frozen=True, kw_only=True):
    table: str
    round: int
    book: str
    digest: str
    title: str
    currency: str
    decimals: int
    began: int
    ended: int
    first: int
    last: int
    void: bool = False
    acts: tuple[AuditedAct, ...]
    states: tuple[View, ...]  # accounts count from the start of the round
    deck: int
    sequence: tuple[int, ...] = ()
    commitment: str = ""
    seed: str = ""
    words: tuple[str, ...] = ()
    cut: int = 0


class ChainEntry(msgspec.Struct, frozen=True):
    """An entry of the log: the hash before it, the body that is hashed with that, and its hash."""

    seq: int
    before: str
    body: str
    hash: str


def audited(book: Book, table: str, past: PastRound) -> AuditedRound:
    """Return the auditor's view of a past round."""
    read = [read_event(f"table/{table}", msgspec.Raw(msgspec.json.encode(one["event"]))) for one in past.events]
    teller = Teller(book, tuple(one for one in read if not isinstance(one, hp.OfTable)))
    acts, states, last = list[AuditedAct](), list[View](), None
    for record, event in zip(past.events, read, strict=True):
        for sentence, parts in _sentences(book, teller, event):
            if last is not teller.table:
                states.append(view(book, teller.table, _EYE))
                last = teller.table
            acts.append(
                AuditedAct(
                    told=sentence,
                    said=parts,
                    clauses=tuple(dict.fromkeys(_ids(book).findall(sentence))),
                    at=record["at"],
                    by=record["by"],
                    entry=record["seq"],
                    event=record["event"],
                    state=len(states) - 1,
                )
            )
    return AuditedRound(
        table=table,
        round=past.round,
        book=book.id,
        digest=past.digest,
        title=book.title,
        currency=book.currency,
        decimals=book.decimals,
        began=past.began,
        ended=past.ended,
        first=past.first,
        last=past.last,
        void=past.void,
        acts=tuple(acts),
        states=tuple(states),
        deck=book.deck.size,
        sequence=teller.round.sequence,
        commitment=past.commitment,
        seed=past.seed,
        words=tuple(past.words),
        cut=past.cut,
    )


def _sentences(book: Book, teller: Teller, event: Any) -> list[tuple[str, Said]]:
    if isinstance(event, hp.OfTable):
        sentence = _of_house(book, event)
        return [] if sentence is None else [(str(sentence), sentence)]
    before = len(teller.sentences)
    teller.tell(event)
    return list(zip(teller.sentences[before:], teller.said[before:], strict=True))


@cache
def _ids(book: Book) -> "re.Pattern[str]":
    """Return a pattern for the id of any clause or rule; the longest first, since one may begin with another."""
    return re.compile("|".join(re.escape(one) for one in sorted(clauses(book), key=len, reverse=True)))


def _of_house(book: Book, event: Any) -> Said | None:
    """Return the sentence for an event of the floor, or None."""

    def money(amount: int) -> str:
        return shown(amount, decimals=book.decimals)

    match event:
        case hp.Seated():
            return said("{player} takes box {box}.", player=event.player, box=event.box)
        case hp.Rose():
            return said("{player} gives box {box} up.", player=event.player, box=event.box)
        case hp.BoughtIn() if event.cash:
            return said("{player} gets chips for {amount} in cash.", player=event.player, amount=money(event.amount))
        case hp.BoughtIn():
            return said("{player} gets chips for {amount}.", player=event.player, amount=money(event.amount))
        case hp.CashedOut():
            return said("{player} gives chips of {amount} back.", player=event.player, amount=money(event.amount))
        case hp.Filled():
            known = {"amount": money(event.amount), "by": event.by, "second": event.second}
            return said("The tray is filled by {amount}, by {by} and {second}.", **known)
        case hp.Ready():
            return said("{player} wants no more time to bet.", player=event.player)
        case hp.DeadlinePassed() if event.what == "close-bets":
            return said("The time to bet is over.")
        case hp.DeadlinePassed() if event.what == "decision":
            return said("The time to decide is over.")
        case hp.DeadlinePassed():
            return said("The time between the rounds is over.")
        case _:
            return _of_connection(event) or _of_people(event)


def _of_connection(event: Any) -> Said | None:
    """Return the sentence for an event of a connection or a device, or None."""
    match event:
        case hp.WentAway():
            return said("The connection of {player} drops.", player=event.player)
        case hp.CameBack():
            return said("{player} is connected again.", player=event.player)
        case hp.CardRead():
            return said("The shoe {device} reads {cards}.", device=event.device, cards=name(CardId(event.card)))
        case hp.LightRead() if event.on:
            return said("The sensor {device} sees a chip at box {box}.", device=event.device, box=event.box)
        case hp.LightRead():
            return said("The sensor {device} sees no chip at box {box}.", device=event.device, box=event.box)
        case _:
            return None


def _of_people(event: Any) -> Said | None:
    """Return the sentence for a commitment, a word, an assignment or a close, or None."""
    match event:
        case hp.Committed():
            return said("The order of the {deck} deck is fixed, and its commitment is on the record.", deck=event.deck)
        case hp.WordAdded():
            return said("{player} adds the word {word} to the seed.", player=event.player, word=repr(event.word))
        case hp.Assigned():
            persons = ", ".join(event.persons) or said("nobody")
            return said("The {role} is {persons} from now on, by {by}.", role=event.role, persons=persons, by=event.by)
        case hp.Closing() if event.back:
            return said("{by} keeps the table open.", by=event.by)
        case hp.Closing():
            return said("{by} closes the table after this round.", by=event.by)
        case _:
            return None


def chain_of(store: Store, past: PastRound) -> list[ChainEntry]:
    """Return the entries of a round as they are stored, each with the hash before it. Raises Damaged."""
    numbers = sorted({one["seq"] for one in past.events})
    entries = list[ChainEntry]()
    for first, last in _runs(numbers):
        before = b"" if first > 1 else bytes(32)
        for entry in store.log(max(0, first - 2), last):
            if entry.seq >= first:
                entries.append(ChainEntry(entry.seq, before.hex(), entry.body.decode(), entry.hash.hex()))
            before = entry.hash
    return entries


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive numbers, each as its first and last."""
    sequence = list(numbers)
    starts = [sequence[0], *(after for before, after in pairwise(sequence) if after != before + 1)]
    ends = [*(before for before, after in pairwise(sequence) if after != before + 1), sequence[-1]]
    yield from zip(starts, ends, strict=True)
