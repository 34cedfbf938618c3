"""A past round for an auditor: act by act with the clauses, everything that lay on the table, and its entries."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from aceking.cards.card import Card, name
from aceking.house.floor import events as hp
from aceking.house.floor.codec import read_event
from aceking.house.store.protocol import Store
from aceking.house.views.printed import clauses
from aceking.house.views.recall import PastRound
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.sentence import Said, said
from aceking.table.show.explain import Teller
from aceking.table.show.view import View, Viewer, view

_EYE = Viewer("surveillance")


class _View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what an auditor sees."""


class AuditedAct(_View, frozen=True, kw_only=True):
    """One thing that happened, in a sentence, and the table as it lay after it."""

    told: str
    said: Said  # the sentence as it was made, for other languages
    clauses: tuple[str, ...] = ()
    at: int
    by: str
    entry: int
    event: dict[str, Any]
    state: int  # which of the states


class AuditedRound(_View, frozen=True, kw_only=True):
    """One round that is over."""

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
    states: tuple[View, ...]  # accounts count from the beginning of the round
    deck: int
    sequence: tuple[int, ...] = ()
    commitment: str = ""
    seed: str = ""
    words: tuple[str, ...] = ()
    cut: int = 0


class ChainEntry(msgspec.Struct, frozen=True):
    """An entry of the log: the hash before it, the bytes that are hashed with that, and the hash."""

    seq: int
    before: str
    body: str
    hash: str


def audited(book: Book, table: str, past: PastRound) -> AuditedRound:
    """A round from its events."""
    read = [read_event(f"table/{table}", msgspec.Raw(msgspec.json.encode(one["event"]))) for one in past.events]
    teller = Teller(book, tuple(one for one in read if not isinstance(one, hp.OfTable)))
    acts, states, last = list[AuditedAct](), list[View](), None
    for record, event in zip(past.events, read, strict=True):
        for sentence, made in _sentences(book, teller, event):
            if last is not teller.table:
                states.append(view(book, teller.table, _EYE))
                last = teller.table
            acts.append(
                AuditedAct(
                    told=sentence,
                    said=made,
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
        made = _of_house(book, event)
        return [] if made is None else [(str(made), made)]
    before = len(teller.sentences)
    teller.tell(event)
    return list(zip(teller.sentences[before:], teller.said[before:], strict=True))


@cache
def _ids(book: Book) -> "re.Pattern[str]":
    """The id of any clause or rule; the longest first, for one may begin as another does."""
    return re.compile("|".join(re.escape(one) for one in sorted(clauses(book), key=len, reverse=True)))


def _of_house(book: Book, event: Any) -> Said | None:
    """What happened beside the game, in a sentence."""

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
        case hp.Rang() if event.what == "close-bets":
            return said("The time to bet is over.")
        case hp.Rang() if event.what == "decision":
            return said("The time to decide is over.")
        case hp.Rang():
            return said("The time between the rounds is over.")
        case _:
            return _of_connection(event) or _of_people(event)


def _of_connection(event: Any) -> Said | None:
    """What was heard from players and devices."""
    match event:
        case hp.WentAway():
            return said("The connection of {player} drops.", player=event.player)
        case hp.CameBack():
            return said("{player} is connected again.", player=event.player)
        case hp.CardRead():
            return said("The shoe {device} reads {cards}.", device=event.device, cards=name(Card(event.card)))
        case hp.LightRead() if event.on:
            return said("The sensor {device} sees a chip at box {box}.", device=event.device, box=event.box)
        case hp.LightRead():
            return said("The sensor {device} sees no chip at box {box}.", device=event.device, box=event.box)
        case _:
            return None


def _of_people(event: Any) -> Said | None:
    """What was fixed, added or arranged."""
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
    """The entries of a round as they are kept, each with the hash before it; raises Damaged."""
    numbers = sorted({one["seq"] for one in past.events})
    found = list[ChainEntry]()
    for first, last in _runs(numbers):
        before = b"" if first > 1 else bytes(32)
        for entry in store.log(max(0, first - 2), last):
            if entry.seq >= first:
                found.append(ChainEntry(entry.seq, before.hex(), entry.body.decode(), entry.hash.hex()))
            before = entry.hash
    return found


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow each other, as their first and last."""
    many = list(numbers)
    starts = [many[0], *(after for before, after in pairwise(many) if after != before + 1)]
    ends = [*(before for before, after in pairwise(many) if after != before + 1), many[-1]]
    yield from zip(starts, ends, strict=True)
