"""The committed shuffle: anybody can work it out again, and nothing that is shown before tells of it."""

import hashlib
from collections import Counter

import pytest

from aceking.house.chance import commitment, order_of

SEED = bytes(range(32))


def test_an_order_is_all_cards_once_and_the_same_for_the_same_seed_and_words() -> None:
    assert sorted(order_of(SEED, ("luck",), 52)) == list(range(52))
    assert order_of(SEED, ("luck",), 52) == order_of(SEED, ("luck",), 52)


def test_seed_and_every_word_with_its_borders_change_the_order() -> None:
    orders = [
        order_of(SEED, (), 52),
        order_of(bytes(32), (), 52),
        order_of(SEED, ("ab", "c"), 52),
        order_of(SEED, ("a", "bc"), 52),
        order_of(SEED, ("abc",), 52),
        order_of(SEED, ("c", "ab"), 52),
    ]
    assert len(set(orders)) == len(orders)


def test_the_order_is_that_of_the_published_description() -> None:
    """A second writing of docs/explanation/house.md: ChaCha20 by the quarter rounds of RFC 8439, not by a library."""
    key = hashlib.sha256(b"aceking deck" + SEED + (4).to_bytes(4, "little") + b"luck").digest()
    numbers = _words_of_stream(key)
    cards = list(range(52))
    for last in range(51, 0, -1):
        limit = 2**32 // (last + 1) * (last + 1)
        number = next(one for one in numbers if one < limit)
        place = number % (last + 1)
        cards[last], cards[place] = cards[place], cards[last]
    assert tuple(cards) == order_of(SEED, ("luck",), 52)


def _words_of_stream(key: bytes):  # type: ignore[no-untyped-def]
    constants = [int.from_bytes(b"expand 32-byte k"[at : at + 4], "little") for at in range(0, 16, 4)]
    start = [*constants, *(int.from_bytes(key[at : at + 4], "little") for at in range(0, 32, 4)), 0, 0, 0, 0]
    while True:
        mixed = list(start)
        for _ in range(10):
            for a, b, c, d in _QUARTERS:
                for one, other, rotated, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    mixed[one] = (mixed[one] + mixed[other]) & 0xFFFFFFFF
                    turned = mixed[rotated] ^ mixed[one]
                    mixed[rotated] = ((turned << by) | (turned >> (32 - by))) & 0xFFFFFFFF
        yield from ((one + was) & 0xFFFFFFFF for one, was in zip(mixed, start, strict=True))
        start[12] += 1


_QUARTERS = (
    *((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),
    *((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)),
)


def test_the_commitment_is_of_the_seed_alone_and_not_its_plain_hash() -> None:
    assert commitment(SEED) == hashlib.sha256(b"aceking seed" + SEED).hexdigest()
    assert commitment(SEED) != hashlib.sha256(SEED).hexdigest()


@pytest.mark.parametrize("seed", [b"", b"short", bytes(33)])
def test_a_seed_of_another_length_is_none(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(seed)
    with pytest.raises(ValueError, match="32 bytes"):
        order_of(seed, (), 52)


def test_every_card_comes_to_every_place_about_equally_often() -> None:
    """Chi-squared over 6,000 shuffles at 99.9 %: 51 degrees of freedom, 87.0."""
    places: list[Counter[int]] = [Counter() for _ in range(52)]
    shuffles = 6000
    for number in range(shuffles):
        for place, card in enumerate(order_of(hashlib.sha256(number.to_bytes(4, "big")).digest(), (), 52)):
            places[place][card] += 1
    expected = shuffles / 52
    for place in (0, 1, 25, 50, 51):
        chi = sum((places[place][card] - expected) ** 2 / expected for card in range(52))
        assert chi < 87.0, f"place {place}: {chi}"
