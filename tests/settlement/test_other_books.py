"""One deal laid out for every game: what is kept, what is changed, and what is said about it."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards, names
from aceking.rules.odds import Amount, AwardAmount, Fixed, Share
from aceking.rules.reading.load import load_book
from aceking.settlement.other_books import adapted
from aceking.settlement.scenario import Scenario, Seat, Swap

STUD = Scenario(
    seats=(
        Seat(1, cards("Ts Td 8h 4s 3c"), Amount(10_00), "bet", Amount(20_00), Amount(1_00), True, None, None, "Ann"),
        Seat(2, cards("Qd Jd 8c 6h 3h"), Amount(10_00), "bet", Amount(20_00), Amount(0), True, None, None, None),
    ),
    dealer=cards("Ah Kd 9c 5s 2c"),
    meter=Amount(1000_00),
)
COMMUNITY = ("colorado-required", "colorado-permissible")


@pytest.mark.parametrize("name", COMMUNITY)
def test_a_stud_deal_becomes_a_community_deal(name: str) -> None:
    found, notes = adapted(load_book(name), STUD)
    assert notes == ("keeps the first two cards, shares the last three",)
    assert names(found.community) == "8h 4s 3c"
    assert found.dealer == ()
    # The lowest free cards are added as the discards: 2c lies with the dealer.
    assert [names(one.cards) for one in found.seats] == ["Ts Td 2d", "Qd Jd 2h"]
    assert [one.discard for one in found.seats] == [one.cards[2] for one in found.seats]
    assert [one.bet for one in found.seats] == [10_00, 10_00]
    assert found.meter == STUD.meter


@pytest.mark.parametrize("name", COMMUNITY)
def test_a_community_deal_stays_as_it_is(name: str) -> None:
    own, _ = adapted(load_book(name), STUD)
    again, notes = adapted(load_book(name), own)
    assert (again, notes) == (own, ())


@pytest.mark.parametrize("name", ["section10", "rws", "washington", "exchange"])
def test_a_stud_deal_stays_one_where_the_game_is_stud(name: str) -> None:
    assert adapted(load_book(name), STUD) == (STUD, ())


def test_an_exchange_is_dropped_where_the_book_has_none() -> None:
    swapped = replace(STUD.seats[0], swap=Swap(STUD.seats[0].cards[4:], cards("Th")))
    deal = replace(STUD, seats=(swapped, STUD.seats[1]))
    found, notes = adapted(load_book("rws"), deal)
    assert (found, notes) == (STUD, ("no exchange: plays the hand as dealt",))
    assert adapted(load_book("exchange"), deal) == (deal, ())
    community, notes = adapted(load_book("colorado-required"), deal)
    assert notes == ("keeps the first two cards, shares the last three",)
    assert [one.swap for one in community.seats] == [None, None]


@pytest.mark.parametrize(("bet", "stud", "community"), [(10_00, 20_00, 10_00), (20_00, 20_00, 10_00), (15_00,) * 3])
def test_a_bet_of_one_or_two_antes_is_one_of_the_books_size(bet: int, stud: int, community: int) -> None:
    deal = replace(STUD, seats=(replace(STUD.seats[0], bet=Amount(bet)),))
    assert adapted(load_book("section10"), deal)[0].seats[0].bet == stud
    assert adapted(load_book("colorado-required"), deal)[0].seats[0].bet == community


def test_no_bet_stays_no_bet() -> None:
    deal = replace(STUD, seats=(replace(STUD.seats[0], bet=None),))
    assert adapted(load_book("rws"), deal)[0].seats[0].bet is None


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("section10", {"straight_flush", "full_house"}),
        ("rws", {"straight_flush"}),
        ("exchange", {"straight_flush", "full_house"}),
        ("washington", {"straight_flush", "full_house"}),
        ("colorado-required", set[str]()),
    ],
)
def test_awards_that_the_house_may_not_post_are_left_out(name: str, kept: set[str]) -> None:
    """A tenth of the meter is what every book has; 250 for a full house passes section10's least, and rws fixes 200."""
    posted: dict[str, AwardAmount] = {"straight_flush": Share(Fraction(1, 10)), "full_house": Fixed(Amount(250_00))}
    found, _ = adapted(load_book(name), replace(STUD, awards=posted))
    assert set(found.awards) == kept
