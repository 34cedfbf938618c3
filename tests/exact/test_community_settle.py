"""The mathematics of Colorado pays what the table pays: every kind of hand, every decision, settled by the rules."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from aceking.cards.card import CardId, cards
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank
from aceking.cards.three import instant
from aceking.exact.community import play
from aceking.exact.community.edge import main_nets
from aceking.exact.community.hands import hands
from aceking.exact.side_bets.bonus import bonus_nets
from aceking.rules.book import Book
from aceking.rules.decisions import Choice
from aceking.rules.odds import Amount
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat
from aceking.settlement.settle import settle

ANTE, SIDE = 1000, 100


def book_of(name: str, options: dict[str, str]) -> Book:
    book = with_options(load_book(name), options)
    assert not isinstance(book, Refusal)
    return book


BOOKS = [
    book_of("colorado-required", {}),
    book_of("colorado-required", {"bonus-on-fold": "returned", "instant-winner-bonus": "lost"}),
    book_of("colorado-permissible", {}),
    book_of("colorado-permissible", {"three-card-ace-low": "not-allowed"}),
]


def settled(
    book: Book,
    three: Sequence[CardId],
    decision: Choice,
    discard: CardId | None = None,
    community: Sequence[CardId] = (),
) -> tuple[Fraction, Fraction]:
    """What ante and bet net, in antes, and what the bonus nets, in its own stake."""
    seat = Seat(
        number=1,
        cards=tuple(three),
        ante=Amount(ANTE),
        play=decision,
        bet=None,
        side=Amount(SIDE),
        claims=True,
        swap=None,
        discard=discard,
        player=None,
    )
    found = settle(book, Scenario(seats=(seat,), community=tuple(community)))
    assert isinstance(found, Settlement), found
    side = sum(line.net for line in found.lines if line.wager == "side")
    return Fraction(sum(line.net for line in found.lines) - side, ANTE), Fraction(side, SIDE)


def a_hand_of(
    ranked: HandRank, by_rank: dict[HandRank, tuple[CardId, ...]]
) -> tuple[list[CardId], CardId, list[CardId]]:
    """Three cards, one of them laid aside, and a community that make a final hand of this rank."""
    hand = by_rank[ranked]
    spare = next(one for one in DECK if one not in hand)
    return [*hand[:2], spare], spare, list(hand[2:])


@pytest.fixture(scope="module")
def by_rank() -> dict[HandRank, tuple[CardId, ...]]:
    """One hand for each of the 7,462 ranks: in one suit, or with suits in turn."""
    table = ranker(ace_low=True)
    found: dict[HandRank, tuple[CardId, ...]] = {}
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] == ranks[4]:
            continue
        taken = [ranks[:place].count(value) for place, value in enumerate(ranks)]
        for suits in [taken] if any(taken) else [[0, 0, 0, 0, 1], [0] * 5]:
            hand = tuple(CardId(4 * value + suit) for value, suit in zip(ranks, suits, strict=True))
            found[table.ranks[table.strength(hand)]] = hand
    assert len(found) == len(table.ranks) == 7462
    return found


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_every_kind_of_hand_pays_at_the_table_what_it_pays_in_the_mathematics(
    book: Book, by_rank: dict[HandRank, tuple[CardId, ...]]
) -> None:
    kinds = play.game(book).kinds
    main, side = main_nets(book, kinds), bonus_nets(book, kinds)
    kind = -1
    for ranked in sorted(by_rank):
        while kind + 1 < len(kinds.starts) and kinds.starts[kind + 1] <= ranked:
            kind += 1
        three, discard, community = a_hand_of(ranked, by_rank)
        assert settled(book, three, "bet", discard, community) == (main.bet[kind], side.bet[kind])
        if main.stay is not None and side.stay is not None:
            assert settled(book, three, "stay", discard, community) == (main.stay[kind], side.stay[kind])


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_every_instant_winner_pays_at_the_table_what_it_pays_in_the_mathematics(book: Book) -> None:
    assert book.instant is not None
    deals = play.game(book)
    main, side = main_nets(book, deals.kinds), bonus_nets(book, deals.kinds)
    for row, numbers in enumerate(hands().cards):
        three = [CardId(int(one)) for one in numbers]
        found = instant(three, ace_low=book.instant.ace_low)
        assert deals.instants.get(row) == found
        if found is not None:
            assert settled(book, three, "declare") == (main.declare[found], side.declare[found])


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_a_fold_costs_at_the_table_what_it_costs_in_the_mathematics(book: Book) -> None:
    kinds = play.game(book).kinds
    main, side = main_nets(book, kinds), bonus_nets(book, kinds)
    assert (main.fold is None) == (side.fold is None) == ("fold" not in book.decide.choices)
    if main.fold is not None:
        assert settled(book, cards("7c 4d 2h"), "fold") == (main.fold, side.fold)


def test_other_thresholds_are_settled_alike(by_rank: dict[HandRank, tuple[CardId, ...]]) -> None:
    book = BOOKS[0]
    assert book.paytable is not None
    threshold = sorted(by_rank)[2000]
    picky = replace(book, paytable=replace(book.paytable, pushes_with=threshold, loses_below=threshold))
    kinds = play.game(picky).kinds
    main = main_nets(picky, kinds)
    for place in (1999, 2000):
        ranked = sorted(by_rank)[place]
        kind = max(number for number, start in enumerate(kinds.starts) if start <= ranked)
        three, discard, community = a_hand_of(ranked, by_rank)
        assert settled(picky, three, "bet", discard, community)[0] == main.bet[kind] == (0 if place == 2000 else -2)
