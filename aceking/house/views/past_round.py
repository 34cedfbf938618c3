"""A past round for players: its sentences, the table at its end, and what is needed to check the shuffle."""

import msgspec

from aceking.house.floor.codec import read_event
from aceking.house.floor.events import OfTable
from aceking.house.views.table_history import PastRound
from aceking.rules.book import Book
from aceking.rules.sentence import Said
from aceking.table.show.explain import Teller
from aceking.table.show.view import Common, common


class ToldRound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    round: int
    began: int
    ended: int
    void: bool = False
    sentences: tuple[str, ...]
    said: tuple[Said, ...] = ()  # the sentences with their placeholders, for translation
    common: Common  # the table at the end
    frames: tuple[Common, ...] = ()  # the table after each sentence
    deck: int  # number of cards
    sequence: tuple[int, ...] = ()  # every card in the order in which it left the deck
    commitment: str = ""
    seed: str = ""
    words: tuple[str, ...] = ()
    cut: int = 0


def past_round_view(book: Book, table: str, past: PastRound) -> ToldRound:
    events = [read_event(f"table/{table}", msgspec.Raw(msgspec.json.encode(one["event"]))) for one in past.events]
    of_round = tuple(one for one in events if not isinstance(one, OfTable))
    teller = Teller(book, of_round)
    frames = list[Common]()
    for event in of_round:
        teller.tell(event)
        # The sentence on the deal is added with the next one.
        frames += [common(book, teller.table)] * (len(teller.sentences) - len(frames))
    sentences = tuple(teller.finish())
    frames += [common(book, teller.table)] * (len(sentences) - len(frames))
    return ToldRound(
        round=past.round,
        began=past.began,
        ended=past.ended,
        void=past.void,
        sentences=sentences,
        said=tuple(teller.said),
        common=common(book, teller.table),
        frames=tuple(frames),
        deck=book.deck.size,
        sequence=teller.round.sequence,
        commitment=past.commitment,
        seed=past.seed,
        words=tuple(past.words),
        cut=past.cut,
    )
