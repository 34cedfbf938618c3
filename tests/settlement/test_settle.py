"""What settlement must hold to whatever the cards: money conserved, suits alike, better hands never worse."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from aceking.cards.card import CardId, cards
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import Category
from aceking.rules.book import Book
from aceking.rules.decisions import Choice
from aceking.rules.odds import Amount, AwardAmount, Fixed, Share
from aceking.rules.reading.load import book_ids, load_book
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat, Swap, discards
from aceking.settlement.settle import settle
from tests.settlement.postings import balances, player, postings

SIGN: dict[str, AwardAmount] = {
    "royal_flush": Share(Fraction(1)),
    "straight_flush": Share(Fraction(1, 10)),
    "four_of_a_kind": Fixed(Amount(500_00)),
    "full_house": Fixed(Amount(150_00)),
    "flush": Fixed(Amount(75_00)),
}


def awards(book: Book) -> dict[str, AwardAmount]:
    """What the house must post, where the book leaves it open."""
    if book.progressive is None or book.progressive.awards_are not in ("posted", "separate"):
        return {}
    return SIGN


def seat(number: int, held: tuple[CardId, ...], play: Choice = "bet", *, side: int = 1_00) -> Seat:
    return Seat(
        number=number,
        cards=held,
        ante=Amount(10_00),
        play=play,
        bet=None,
        side=Amount(side),
        claims=True,
        swap=None,
        discard=held[2] if len(held) == 3 else None,
        player=None,
    )


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Book, Scenario]:
    """Any round that a book allows: one to five seats, side bets, folds, exchanges and declarations."""
    book = load_book(draw(st.sampled_from(book_ids())))
    deck = draw(st.permutations(DECK))
    count = draw(st.integers(1, 5))
    size = book.hands.cards
    seats = []
    for number in range(1, count + 1):
        held = tuple(deck[(number - 1) * size : number * size])
        choices: list[Choice] = [one for one in book.decide.choices if one != "exchange"]
        one = seat(number, held, draw(st.sampled_from(choices)), side=draw(st.sampled_from([0, 1_00])))
        if book.exchange is not None and draw(st.booleans()):
            one = replace(one, swap=Swap(held[:1], (deck[-number],)))
        seats.append(replace(one, claims=draw(st.booleans())))
    rest = deck[count * size :]
    scenario = Scenario(
        seats=tuple(seats),
        dealer=tuple(rest[:5]) if book.dealer else (),
        community=tuple(rest[:3]) if book.paytable else (),
        meter=Amount(draw(st.integers(1, 10**9))),
        reset=Amount(10_000_00),
        awards=awards(book),
    )
    return book, scenario


def settled(book: Book, scenario: Scenario) -> Settlement:
    result = settle(book, scenario)
    assert isinstance(result, Settlement), result
    return result


@given(rounds())
@settings(max_examples=400, deadline=None)
def test_what_the_players_win_the_house_loses_to_the_cent(laid_out: tuple[Book, Scenario]) -> None:
    book, scenario = laid_out
    result = settled(book, scenario)
    moved = postings(book, result)
    gained = balances(moved)
    assert sum(gained.values()) == 0
    for one in result.seats:
        assert gained[player(one.seat)] == one.net
    if result.meter is not None and result.meter.after is not None:
        assert gained["meter"] == result.meter.after - result.meter.before


@given(rounds())
@settings(max_examples=300, deadline=None)
def test_every_line_cites_a_clause_of_the_book_and_no_stake_is_settled_twice(laid_out: tuple[Book, Scenario]) -> None:
    book, scenario = laid_out
    result = settled(book, scenario)
    for line in result.lines:
        assert line.clause in book.clauses
        assert line.pays >= 0
        assert (line.outcome == "win") == (line.pays > 0)
    wagers = [(line.seat, line.wager) for line in result.lines]
    assert len(wagers) == len(set(wagers))


@given(rounds(), st.permutations(range(4)))
@settings(max_examples=300, deadline=None)
def test_permuting_suits_changes_nothing(laid_out: tuple[Book, Scenario], suits: list[int]) -> None:
    book, scenario = laid_out

    def other(many: tuple[CardId, ...]) -> tuple[CardId, ...]:
        return tuple(CardId((one & ~3) | suits[one & 3]) for one in many)

    seats = tuple(
        replace(
            one,
            cards=other(one.cards),
            swap=one.swap and Swap(other(one.swap.give), other(one.swap.take)),
            discard=discards(other(one.laid_aside)),
        )
        for one in scenario.seats
    )
    turned = replace(scenario, seats=seats, dealer=other(scenario.dealer), community=other(scenario.community))
    assert settled(book, turned) == settled(book, scenario)


STUD = [name for name in book_ids() if load_book(name).dealer is not None]


@pytest.mark.parametrize("name", STUD)
@given(deck=st.permutations(DECK))
@settings(max_examples=150, deadline=None)
def test_a_better_hand_never_settles_worse_against_the_same_dealer_hand(name: str, deck: list[CardId]) -> None:
    book = load_book(name)
    table = ranker(ace_low=book.hands.ace_low)
    dealer, first, second = tuple(deck[:5]), tuple(deck[5:10]), tuple(deck[10:15])
    worse, better = sorted((first, second), key=table.strength)

    def net(held: tuple[CardId, ...]) -> int:
        scenario = Scenario(
            seats=(seat(1, held),), dealer=dealer, meter=Amount(100_000_00), reset=Amount(0), awards=awards(book)
        )
        return settled(book, scenario).seats[0].net

    assert net(better) >= net(worse)


@pytest.mark.parametrize("name", [name for name in book_ids() if load_book(name).paytable is not None])
def test_a_better_hand_never_settles_worse_on_the_main_wagers_of_colorado(name: str) -> None:
    """On the main wagers it holds for every pair of neighbouring kinds of hands."""
    book = load_book(name)
    nets = [net for _, net in _colorado_nets(book, side=0)]
    assert nets == sorted(nets)


@pytest.mark.parametrize(
    ("name", "expected"), [("colorado-required", {"flush", "full_house"}), ("colorado-permissible", set[str]())]
)
def test_only_the_required_bonus_pays_a_straight_more_than_better_hands(name: str, expected: set[str]) -> None:
    """CHP-38(m)(4) pays a straight 15 to 1, a flush 8 and a full house 11: the one place where better is worse."""
    book = load_book(name)
    assert book.bonus is not None
    pays = [(row, book.bonus.pays[row]) for row in Category if row in book.bonus.pays]
    worse = {row.key for place, (row, odds) in enumerate(pays) if any(less > odds for _, less in pays[:place])}
    assert worse == expected


def _colorado_nets(book: Book, *, side: int) -> list[tuple[str, int]]:
    """One round for each category and pair rank, weakest hand first."""
    hands = [
        "Ks Qh 9d 5c 2s",
        "2s 2h 9d 5c Ks",
        *(f"{rank}s {rank}h 2d 5c 3s" for rank in "6789TJQKA"),
        "8s 8h 5d 5c Ks",
        "8s 8h 8d 5c Ks",
        "9s 8h 7d 6c 5s",
        "Ks Js 9s 5s 2s",
        "8s 8h 8d 5c 5s",
        "8s 8h 8d 8c 5s",
        "9s 8s 7s 6s 5s",
        "As Ks Qs Js Ts",
    ]
    nets = []
    for text in hands:
        hand = cards(text)
        spare = next(one for one in DECK if one not in hand)
        scenario = Scenario(seats=(seat(1, (*hand[:2], spare), side=side),), community=hand[2:])
        result = settled(book, scenario)
        nets.append((result.seats[0].hand or "", result.seats[0].net))
    return nets
