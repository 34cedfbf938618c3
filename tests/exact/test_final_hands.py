"""Side wagers in a game with an exchange: the hands that are held at the end, counted and enumerated."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb
from pathlib import Path

import numpy as np
import pytest

from aceking.cards.array import strengths
from aceking.cards.card import RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank, weakest
from aceking.exact.exchange.counts import DEALER_HANDS_AFTER
from aceking.exact.exchange.edge import DEALS, ExchangeTable
from aceking.exact.exchange.finals import final_hands
from aceking.exact.games import edge
from aceking.exact.side_bets.progressive import frequencies
from aceking.exact.side_bets.side_wagers import named_edge, named_figures
from aceking.exact.stud.rows import UP_SUITS
from aceking.rules.reading.load import load_book
from aceking.simulation.chance import BLOCK_ROUNDS, Deals
from aceking.simulation.games.exchange import ExchangeGame
from aceking.simulation.games.game import NO_CARD
from aceking.simulation.plan import plan
from tests.exact.test_thresholds import PAIRS
from tests.named_sides import LANTERN, with_side
from tests.rules.test_inheritance import heir

JACKS = weakest("J J 4 3 2")


def rules(cards: str = "own", folded: str = "stands", more: str = "") -> str:
    return f'stake = "5"\ncards = "{cards}"\nfolded = "{folded}"\npays = {PAIRS}\n{more}'


@cache
def simulated() -> ExchangeGame:
    game = plan(load_book("exchange"), rounds=1).game
    assert isinstance(game, ExchangeGame)
    return game


def rounds(hands: Deals, bank: Deals, drawn: int) -> Iterator[Deals]:
    """The hands against one bank, with one card to draw, as many at a time as are simulated."""
    for start in range(0, hands.shape[1], BLOCK_ROUNDS):
        part = hands[:, start : start + BLOCK_ROUNDS]
        number = part.shape[1]
        yield np.concatenate([part, np.tile(bank[:, None], number), np.full((1, number), drawn, np.uint8)])


@pytest.mark.parametrize(("up", "folded"), [("7", True), ("7", False), ("A", True)])
@pytest.mark.proof
def test_every_hand_and_every_card_against_one_up_card(up: str, folded: bool) -> None:
    """All 2,349,060 hands against the card, as simulated rounds decide them; of those that exchange all 46 cards."""
    book, game, rank = load_book("exchange"), simulated(), RANKS.index(up)
    card = 4 * rank
    rest = np.array([one for one in range(52) if one != card], np.uint8)
    hands = np.ascontiguousarray(rest[np.array(list(combinations(range(51), 5)), np.uint8)].T)
    # Only the up-card matters: the others that lie before the dealer decide nothing here.
    bank = np.array([card, 1, 6, 11, 15], np.uint8)
    given = np.concatenate([game.given(part)[0] for part in rounds(hands, bank, 0)])
    exchanged = np.flatnonzero(given != NO_CARD)
    is_bet = np.array([one.net != -2 for one in game.outcomes])
    found = np.zeros(len(ranker(ace_low=True).ranks), np.int64)
    for drawn in rest.tolist():
        mine = exchanged[(hands[:, exchanged] != drawn).all(axis=0)]
        before = hands[:, mine]
        after = np.where(before == given[mine], np.uint8(drawn), before)
        if not folded:
            codes = np.concatenate([game.play(part).codes[0] for part in rounds(before, bank, drawn)])
            after = after[:, is_bet[codes]]
        found += np.bincount(strengths(np.ascontiguousarray(after.T), ace_low=True), minlength=len(found))
    chosen = ExchangeTable(book, (JACKS,)).choose(rank, folded=folded)
    assert chosen is not None
    assert int(chosen.states.sum()) == UP_SUITS * len(exchanged)
    parts: Counter[HandRank] = Counter()
    for first, deals, _ in chosen.card.final_hands(chosen.played, chosen.states, (JACKS,)):
        parts[first] += deals
    starts = sorted(parts)
    assert JACKS in starts
    places = [*(ranker(ace_low=True).ranks.index(one) for one in starts), len(found)]
    enumerated = [int(found[first:end].sum()) for first, end in pairwise(places)]
    assert [parts[one] for one in starts] == [UP_SUITS * DEALER_HANDS_AFTER * number for number in enumerated]


def test_every_deal_ends_in_one_hand_and_those_that_are_bet_are_those_of_the_edge(tmp_path: Path) -> None:
    """At two antes for a card and a bet of three every way in which a round can end has a net of its own."""
    said = "[clause.set.exchange]\nprice_antes = 2\n[clause.set.bet]\nantes = 3\n"
    said += '[clause.set.dealer]\nunqualified_ante = "1 to 3"\n'
    book = heir(tmp_path, with_side(rules() + said, "exchange"))
    outcomes = edge(book).outcomes
    folds = outcomes[Fraction(-1)] + outcomes[Fraction(-3)]
    unqualified = outcomes[Fraction(1, 3)] + outcomes[Fraction(-5, 3)]
    assert outcomes[Fraction(-3)] > 0
    for cuts in ((), (JACKS,)):
        assert sum(deals for _, deals, _ in final_hands(book, folded=True, cuts=cuts)) == DEALS
        assert sum(deals for _, deals, _ in final_hands(book, folded=False, cuts=cuts)) == DEALS - folds
    found = [without for _, _, without in final_hands(book, folded=False, cuts=())]
    assert None not in found
    assert sum(one or 0 for one in found) == unqualified


def test_where_nobody_exchanges_the_final_hand_is_the_one_that_was_dealt(tmp_path: Path) -> None:
    dear = rules(more='pays_from = "J J 4 3 2"\n[clause.set.exchange]\nprice_antes = 100\n')
    found = named_edge(heir(tmp_path, with_side(dear, "exchange")), "extra")
    plain = named_edge(heir(tmp_path, with_side(rules(more='pays_from = "J J 4 3 2"')), "plain.toml"), "extra")
    assert (found.rows, found.nets) == (plain.rows, plain.nets)
    assert (found.by_play, plain.by_play) == (True, False)


def test_a_fold_takes_along_what_is_folded_before_the_exchange_and_after_it(tmp_path: Path) -> None:
    stands, lost, returned = (
        named_edge(heir(tmp_path, with_side(rules(folded=folded), "exchange"), f"{folded}.toml"), "extra")
        for folded in ("stands", "lost", "returned")
    )
    assert returned.house_edge == lost.house_edge - returned.nets[Fraction(0)]
    assert all(stands.rows[row] >= lost.rows[row] == returned.rows[row] for row in stands.rows)
    # The best play folds few hands that a wager from a pair on would pay.
    assert sum(stands.rows.values()) - sum(lost.rows.values()) < Fraction(1, 100)


@pytest.mark.parametrize("older", ["exchange", "oasis.toml", "russian.toml"])
def test_the_first_hand_and_the_dealer_s_are_priced_whatever_is_exchanged(older: str, tmp_path: Path) -> None:
    for name in ("oasis.toml", "russian.toml"):
        (tmp_path / name).write_text((LANTERN.parent / name).read_text(encoding="utf-8"), encoding="utf-8")
    first = 'exchanged = "first-hand"'
    own = named_edge(heir(tmp_path, with_side(rules(more=first), older), "own.toml"), "extra")
    assert own.rows == {row: Fraction(frequencies(ace_low=True)[row], comb(52, 5)) for row in own.rows}
    assert named_edge(heir(tmp_path, with_side(rules("dealer"), older), "dealer.toml"), "extra").rows == own.rows
    six = heir(tmp_path, with_side(rules("own-and-up-card", more=first), older), "six.toml")
    plain = heir(tmp_path, with_side(rules("own-and-up-card")), "plain.toml")
    assert named_edge(six, "extra").rows == named_edge(plain, "extra").rows


OPEN = {
    "with the up-card": (rules("own-and-up-card"), "cards: with the up-card a final hand is not counted; the first"),
    "the first hand, lost with a fold": (
        rules(folded="lost", more='exchanged = "first-hand"'),
        "folded: by the first hand it is counted where a folded wager stands",
    ),
    "a need and a threshold": (
        rules(more='needs = "dealer-qualifies"\npays_from = "J J 4 3 2"'),
        "needs: of a final hand it is counted by whole rows, or with no need",
    ),
    "the dealer's, lost with a fold": (rules("dealer", "lost"), "folded: by the dealer's hand it is counted where"),
}


@pytest.mark.parametrize("case", OPEN)
def test_what_is_not_counted_is_said_in_one_sentence(case: str, tmp_path: Path) -> None:
    said, says = OPEN[case]
    told = named_figures(heir(tmp_path, with_side(said, "exchange")), "extra")
    assert set(told) == {"open"}
    assert told["open"].startswith(f"X-1: sides.extra.{says}")


@pytest.mark.parametrize("older", ["oasis.toml", "russian.toml"])
def test_a_final_hand_is_not_counted_where_the_game_is_not(older: str, tmp_path: Path) -> None:
    (tmp_path / older).write_text((LANTERN.parent / older).read_text(encoding="utf-8"), encoding="utf-8")
    told = named_figures(heir(tmp_path, with_side(rules(), older)), "extra")
    says = "the final hand depends on a play that is not priced here; the first hand is counted"
    assert told == {"open": f"X-1: sides.extra.cards: {says} (exchanged = 'first-hand')"}


def test_the_play_beside_which_it_is_priced_is_told(tmp_path: Path) -> None:
    told = named_figures(heir(tmp_path, with_side(rules(), "exchange")), "extra")
    assert told["beside"] == "the best play of ante and bet"
    assert "beside" not in named_figures(heir(tmp_path, with_side(rules()), "plain.toml"), "extra")
