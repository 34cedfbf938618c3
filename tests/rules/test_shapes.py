"""Which hands are known against a table of pays: each loads, and each beside it is refused with what is possible."""

from itertools import product
from pathlib import Path

import pytest

from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import load_book
from aceking.rules.reading.soundness import AGAINST_PAYTABLE
from tests.exact.shapes import SHAPES, shaped, text

KNOWN = "they are 2, 3 and 0; 3, 2 and 0; 3, 3 and 1; 3, 4 and 2; 4, 2 and 1; 4, 3 and 2; 5, 2 and 2"


def complaints(tmp_path: Path, book: str) -> tuple[str, ...]:
    file = tmp_path / "tried.toml"
    file.write_text(book, encoding="utf-8")
    with pytest.raises(BookError) as refused:
        load_book(str(file))
    return refused.value.complaints


@pytest.mark.parametrize("base", ["colorado-required", "colorado-permissible"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_whose_kept_cards_make_five_with_the_board_loads(
    tmp_path: Path, shape: tuple[int, int, int], base: str
) -> None:
    book = shaped(tmp_path, shape, base=base)
    assert (book.hands.cards, book.hands.community, book.hands.discards) == shape
    assert shape in AGAINST_PAYTABLE


@pytest.mark.parametrize("shape", [one for one in product((2, 3, 4, 5), (2, 3, 4, 5), (0, 1, 2)) if one not in SHAPES])
def test_every_other_shape_is_refused_with_those_that_are_known(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    cards, board, aside = shape
    says = f"SHAPE-1: hands: {cards} cards, {board} on the board and {aside} laid aside cannot be dealt"
    found = complaints(tmp_path, text(shape))
    assert any(says in one and one.endswith(KNOWN) for one in found), found


def test_instant_winners_and_a_bonus_are_known_with_three_cards(tmp_path: Path) -> None:
    book = """
from = "colorado-required"
id = "tried"
[[clause]]
id = "T-1"
topic = "hands"
actor = "dealer"
says = "Four cards each."
set.hands = { cards = 4, community = 3, discards = 2 }
set.table.seats_max = 7
"""
    found = complaints(tmp_path, book)
    for step in ("instant", "bonus"):
        assert f"tried: T-1: steps: {step} is known with hands of three cards, not 4" in found


@pytest.mark.parametrize(
    ("shape", "case", "fits"),
    [
        ((4, 2, 1), "for-players-fourth-card", True),
        ((4, 2, 1), "for-players-fifth-card", False),
        ((5, 2, 2), "for-players-fifth-card", True),
        ((4, 2, 1), "for-second-community-card", True),
        ((4, 2, 1), "for-third-community-card", False),
        ((3, 4, 2), "for-fourth-community-card", True),
        ((3, 3, 1), "for-fourth-community-card", False),
        ((2, 3, 0), "for-players-third-card", False),
    ],
)
def test_a_clause_speaks_of_cards_that_somebody_gets(
    tmp_path: Path, shape: tuple[int, int, int], case: str, *, fits: bool
) -> None:
    clause = f"""
[[clause]]
id = "CASE-1"
topic = "deal"
actor = "dealer"
says = "A card lies face down."
act = [{{ do = "card-dealt", by = "dealer", case = ["{case}"], needs = ["dealt-face-down"], breach = "violation" }}]
"""
    if fits:
        file = tmp_path / "fits.toml"
        file.write_text(text(shape) + clause, encoding="utf-8")
        assert load_book(str(file)).clauses["CASE-1"].acts[0].case == (case,)
        return
    has = f"{shape[0]} cards for a player, {shape[1]} before the tray"
    found = complaints(tmp_path, text(shape) + clause)
    assert [one for one in found if "CASE-1" in one] == [
        f"{'required-' + '-'.join(map(str, shape))}: CASE-1: act: {case}: there is no such card; there are {has}"
    ]
