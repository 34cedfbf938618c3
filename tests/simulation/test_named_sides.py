"""Side wagers by name in simulated rounds: by columns and through the table they net the same, round by round."""

from pathlib import Path

import pytest

from aceking.exact.side_bets.side_wagers import named_edge
from aceking.rules.book import Book
from aceking.simulation.chance import deals
from aceking.simulation.plan import Plan, plan
from aceking.simulation.run import Where, run
from aceking.simulation.through_table import ReferenceTable
from tests.named_sides import PAIRS_UP, lantern, with_side
from tests.rules.test_inheritance import heir

#: Rows from the lowest on, so that most rounds pay something.
EVERY = (
    '{ royal_flush = "1000 to 1", straight_flush = "200 to 1", four_of_a_kind = "50 to 1", full_house = "20 to 1",'
    ' flush = "15 to 1", straight = "10 to 1", three_of_a_kind = "7 to 2", two_pair = "2 to 1", pair = "1 to 1" }'
)
PRIZES = (
    '{ royal_flush = "900", straight_flush = "500", four_of_a_kind = "100", full_house = "50", flush = "40",'
    ' straight = "30", three_of_a_kind = "20", two_pair = "10", pair = "6", high_card = "1" }'
)
ENVY = PRIZES.replace(', high_card = "1"', "")
WAGERS = {
    "own, with envy": ("section10", f'stake = "5"\ncards = "own"\nfolded = "lost"\nawards = {PRIZES}\nenvy = {ENVY}'),
    "a need that is met": (
        "rws",
        f'min = "3"\nmax = "9"\ncards = "own"\nneeds = "dealer-qualifies"\nfolded = "returned"\npays = {EVERY}',
    ),
    "with the up-card": ("section10", f'stake = "5"\ncards = "own-and-up-card"\nfolded = "stands"\npays = {EVERY}'),
    "the dealer's hand": (
        "washington",
        f'stake = "5"\ncards = "dealer"\nneeds = "dealer-does-not-qualify"\nfolded = "stands"\nawards = {PRIZES}',
    ),
    "three cards": ("colorado-required", f'stake = "5"\ncards = "own"\nfolded = "stands"\npays = {PAIRS_UP}'),
    "with the community": (
        "colorado-permissible",
        f'stake = "5"\ncards = "own-and-community"\nfolded = "lost"\npays = {EVERY}',
    ),
}
LEAST = 'pays_from = "8 8 4 3 2"\nreturned_from = "Q 6 4 3 2"'
WAGERS |= {
    f"{name}, from a hand within a row on": (WAGERS[name][0], f"{WAGERS[name][1]}\n{LEAST}")
    for name in ("a need that is met", "with the up-card", "with the community")
}
WAGERS |= {
    "the final hand": (
        "exchange",
        f'stake = "5"\ncards = "own"\nfolded = "lost"\npays = {EVERY}\npays_from = "4 4 5 3 2"\nenvy = {ENVY}',
    ),
    "the final hand with the up-card": (
        "exchange",
        f'stake = "5"\ncards = "own-and-up-card"\nexchanged = "final-hand"\nfolded = "returned"\npays = {EVERY}',
    ),
    "the first hand": (
        "exchange",
        (
            'stake = "5"\ncards = "own"\nexchanged = "first-hand"\nneeds = "dealer-qualifies"\nfolded = "lost"\n'
            f"pays = {EVERY}"
        ),
    ),
}
WAGERS["three cards, from a hand within a row on"] = (
    "colorado-required",
    f'{WAGERS["three cards"][1]}\npays_from = "7 7 2"\nreturned_from = "A 4 2"',
)


def asked(tmp_path: Path, name: str, *, rounds: int) -> Plan:
    older, rules = WAGERS[name]
    return plan(heir(tmp_path, with_side(rules, older)), rounds=rounds, seats=3, seed=8)


@pytest.mark.parametrize("name", WAGERS)
@pytest.mark.proof
def test_columns_and_the_table_agree_round_by_round(tmp_path: Path, name: str) -> None:
    question = asked(tmp_path, name, rounds=40)
    (side,) = question.sides
    dealt = deals(8, 0, cards=question.game.cards, rounds=40)
    codes = question.game.play(dealt).codes
    fast, table = side.nets(dealt, codes), ReferenceTable(question, sides=True)
    main = [[int(question.game.outcomes[int(code)].net * table.ante) for code in one] for one in codes.T]
    both = [[one + int(two) for one, two in zip(*pair, strict=True)] for pair in zip(main, fast.T, strict=True)]
    assert list(table.rounds()) == both
    assert len(set(fast.ravel().tolist())) > 1


def test_many_rounds_come_near_the_exact_figure_with_any_number_of_workers() -> None:
    book: Book = lantern()
    question = plan(book, rounds=200_000, seats=2, seed=4)
    found = run(question)
    for name, side in found.sides.items():
        exact = named_edge(book, name)
        stake = book.sides[name].stake or book.sides[name].min
        assert stake is not None
        envy = 0 if exact.envy is None else exact.envy / stake
        assert abs(side.net_per_stake + float(exact.house_edge - envy)) < 5 * side.standard_error
    assert list(found.data()["sides"]) == ["five-plus-one", "lantern"]
    assert run(question, Where(2)).sides == found.sides


def test_an_exchange_counts_the_final_hand_as_often_as_it_is_counted(tmp_path: Path) -> None:
    rules = f'stake = "5"\ncards = "own"\nfolded = "lost"\npays_from = "J J 4 3 2"\npays = {EVERY}'
    book = heir(tmp_path, with_side(rules, "exchange"))
    found = run(plan(book, rounds=300_000, seats=2, seed=6)).sides["extra"]
    assert abs(found.net_per_stake + float(named_edge(book, "extra").house_edge)) < 5 * found.standard_error
