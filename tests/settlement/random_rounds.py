"""Random rounds for every book: well-formed, with the hands, stakes and options that make rules differ.

At most one thing in a round is out of order, so that one clause decides what becomes of it.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Row = dict[str, Any]

BOOKS = ("section10", "rws", "exchange", "washington", "colorado-required", "colorado-permissible")
RANKS = "23456789TJQKA"
SUITS = "cdhs"
ANTES = ("5", "10", "10", "10", "12.50", "25", "50", "75.25", "100", "500", "1000", "2500", "20000")


class Deck:
    """The cards that are left. A hand that cannot be had any more is dealt at random instead."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left = [rank + suit for rank in RANKS for suit in SUITS]

    def dealt(self, count: int) -> list[str]:
        return self.take(self.rng.sample(self.left, count)) or []

    def take(self, wanted: list[str]) -> list[str] | None:
        if len(set(wanted)) < len(wanted) or any(one not in self.left for one in wanted):
            return None
        self.left = [one for one in self.left if one not in wanted]
        return wanted

    def of_ranks(self, ranks: str, suited: bool = False) -> list[str] | None:
        """Cards of these ranks, all of one suit or of any."""
        if suited:
            suit = self.rng.choice(SUITS)
            return self.take([rank + suit for rank in ranks])
        wanted: list[str] = []
        for rank in ranks:
            free = [rank + suit for suit in SUITS if rank + suit in self.left and rank + suit not in wanted]
            if not free:
                return None
            wanted.append(self.rng.choice(free))
        return self.take(wanted)

    def planted(self, recipe: Callable[[random.Random], tuple[str, bool]], count: int = 5) -> list[str]:
        for _ in range(8):
            hand = self.of_ranks(*recipe(self.rng))
            if hand is not None:
                self.rng.shuffle(hand)
                return hand
        return self.dealt(count)


def straight(rng: random.Random, count: int = 5) -> str:
    """A run of ranks, the ace low as well as high."""
    low = rng.randrange(-1, 13 - count + 1)
    return "".join(RANKS[one] for one in range(low, low + count))


def grouped(rng: random.Random, *sizes: int) -> str:
    return "".join(rank * size for rank, size in zip(rng.sample(RANKS, len(sizes)), sizes, strict=True))


def odd_cards(rng: random.Random, first: str) -> str:
    """Those ranks and, to make five, others below them that are all different."""
    below = RANKS[: RANKS.index(first[-1])]
    return first + "".join(rng.sample(below, 5 - len(first)))


def near_pair(rng: random.Random) -> str:
    rank = rng.choice("6789TJ")
    return rank * 2 + "".join(rng.sample([one for one in RANKS if one != rank], 3))


FIVE_CARDS: tuple[Callable[[random.Random], tuple[str, bool]], ...] = (
    lambda rng: ("AKQJT", True),
    lambda rng: ("AKQJT", True),
    lambda rng: (straight(rng), True),
    lambda rng: (straight(rng), True),
    lambda rng: ("5432A", True),
    lambda rng: (grouped(rng, 4, 1), False),
    lambda rng: (grouped(rng, 3, 2), False),
    lambda rng: ("".join(rng.sample(RANKS, 5)), True),
    lambda rng: (straight(rng), False),
    lambda rng: ("5432A", False),
    lambda rng: (grouped(rng, 3, 1, 1), False),
    lambda rng: (grouped(rng, 2, 2, 1), False),
    lambda rng: (grouped(rng, 2, 1, 1, 1), False),
    lambda rng: (near_pair(rng), False),
    lambda rng: (odd_cards(rng, "AK"), False),
    lambda rng: ("AK432", False),
)
DEALERS: tuple[Callable[[random.Random], tuple[str, bool]], ...] = (
    lambda rng: (odd_cards(rng, "AK"), False),
    lambda rng: ("AK432", False),
    lambda rng: ("AQJT9", False),
    lambda rng: (odd_cards(rng, "AQ"), False),
    lambda rng: (odd_cards(rng, "K"), False),
    lambda rng: ("5432A", False),
    lambda rng: (grouped(rng, 2, 1, 1, 1), False),
    lambda rng: (grouped(rng, 2, 2, 1), False),
    lambda rng: (grouped(rng, 3, 1, 1), False),
    lambda rng: (straight(rng), False),
    lambda rng: (grouped(rng, 4, 1), False),
)
THREE_CARDS: tuple[Callable[[random.Random], tuple[str, bool]], ...] = (
    lambda rng: (straight(rng, 3), True),
    lambda rng: (straight(rng, 3), True),
    lambda rng: ("A23", True),
    lambda rng: ("KA2", True),
    lambda rng: ("AKQ", True),
    lambda rng: (grouped(rng, 3), False),
    lambda rng: (straight(rng, 3), False),
    lambda rng: ("".join(rng.sample(RANKS, 3)), True),
    lambda rng: (grouped(rng, 2, 1), False),
)


def cents(rng: random.Random, low: int, high: int) -> str:
    """An amount with odd cents."""
    whole, part = divmod(rng.randrange(low * 100, high * 100), 100)
    return f"{whole}.{part:02}"


def times(amount: str, factor: int) -> str:
    whole, part = divmod(int(Fraction(amount) * 100) * factor, 100)
    return f"{whole}.{part:02}" if part else str(whole)


def random_scenario(rng: random.Random) -> Row:
    """One round of any book, in the form that `aceking settle` reads."""
    book = rng.choice(BOOKS)
    out_of_order = rng.random() < 0.15
    if book.startswith("colorado"):
        return colorado_round(rng, book, out_of_order)
    return stud_round(rng, book, out_of_order)


def seat_numbers(rng: random.Random, most: int = 5) -> list[int]:
    return rng.sample(range(1, 8), rng.randint(1, most))


def stud_round(rng: random.Random, book: str, out_of_order: bool) -> Row:
    deck = Deck(rng)
    rich = rng.choice((len(FIVE_CARDS), len(FIVE_CARDS), 9, 9, 5))
    seats: list[Row] = []
    for number in seat_numbers(rng):
        recipe = rng.choice(FIVE_CARDS[:rich])
        hand = deck.planted(recipe) if rng.random() < 0.85 else deck.dealt(5)
        ante = rng.choice(ANTES)
        seat: Row = {"seat": number, "cards": " ".join(hand), "ante": ante}
        seat["play"] = "fold" if rng.random() < 0.12 else "bet"
        if seat["play"] == "bet" and rng.random() < 0.5:
            seat["bet"] = times(ante, 2)
        if rng.random() < 0.7:
            seat["side"] = "1"
        if rng.random() < 0.12:
            seat["claims"] = False
        seats.append(seat)
    scenario: Row = {"book": book, "dealer": " ".join(stud_dealer(rng, deck, seats)), "seats": seats}
    scenario["meter"] = cents(rng, 20_000, 300_000) if rng.random() < 0.8 else "100000"
    scenario["reset"] = rng.choice(("20000", "25000.37", "20000.01"))
    {"section10": section10_house, "rws": rws_house, "exchange": exchange_house, "washington": washington_house}[book](
        rng, scenario, deck
    )
    if "limits" not in scenario and rng.random() < 0.3:
        scenario["limits"] = limits_around(rng, scenario)
    if out_of_order:
        rng.choice(STUD_FAULTS[book])(rng, scenario, rng.choice([seat for seat in seats if "ante" in seat]))
    return scenario


def stud_dealer(rng: random.Random, deck: Deck, seats: list[Row]) -> list[str]:
    """Often an edge of qualification, now and then the very ranks of a player."""
    if rng.random() < 0.15:
        tied = deck.of_ranks("".join(one[0] for one in rng.choice(seats)["cards"].split()))
        if tied is not None:
            return tied
    return deck.planted(rng.choice(DEALERS)) if rng.random() < 0.75 else deck.dealt(5)


def limits_around(rng: random.Random, scenario: Row) -> Row:
    """Limits that every ante keeps, its edges included."""
    antes = sorted((seat["ante"] for seat in scenario["seats"] if "ante" in seat), key=Fraction)
    limits: Row = {"min": rng.choice(("5", antes[0]))}
    if rng.random() < 0.6:
        limits["max"] = rng.choice(("25000", antes[-1]))
    return limits


def some(rng: random.Random, chance: float, **choices: tuple[Any, ...]) -> Row:
    """Each option with that chance, at one of its values."""
    return {name.replace("_", "-"): rng.choice(values) for name, values in choices.items() if rng.random() < chance}


def section10_house(rng: random.Random, scenario: Row, deck: Deck) -> None:
    scenario["options"] = some(
        rng,
        0.25,
        folded_progressive=("payable", "not-payable"),
        progressive_straight_flush=("10%", "15%", "12.5%", "5000", "7500"),
        progressive_paytable=({"flush": "75"}, {"four_of_a_kind": "800", "full_house": "100"}),
        progressive_meter_deduction=("percentage-awards", "all-awards", "all-awards"),
        bet_paytable=({"royal_flush": "250"}, {"flush": "6", "straight": "5"}, {"full_house": "8", "two_pair": "2"}),
        cap_floor_basis=("ante-plus-bet", "bet-only"),
    )
    if rng.random() < 0.2:
        scenario["options"]["bet-payout-cap"] = rng.choice(("5000", "6000.50", "10050", "none"))
        scenario["limits"] = {"min": "5"}
    elif rng.random() < 0.3:
        rows = {"flush": "60", "full_house": "100", "four_of_a_kind": "501.50", "straight_flush": "11%"}
        scenario["awards"] = dict(rng.sample(sorted(rows.items()), rng.randint(1, 4)))


def rws_house(rng: random.Random, scenario: Row, deck: Deck) -> None:
    scenario["options"] = some(rng, 0.3, sf_award_from_meter=("deduct", "leave", "leave"))
    if rng.random() < 0.1:
        scenario["awards"] = {"flush": "100", "royal_flush": "100%"}
    for seat in scenario["seats"]:
        wrong_chips(rng, seat)
        if "side" in seat and rng.random() < 0.15:
            seat["side"] = rng.choice(("2", "5", "1.50", "0.50"))
    if rng.random() < 0.1:
        free = [one for one in range(1, 8) if one not in [seat["seat"] for seat in scenario["seats"]]]
        scenario["seats"].append({"seat": rng.choice(free), "side": "1"})
    if rng.random() < 0.15:
        scenario["limits"] = rng.choice(({"min": "10", "max": "100"}, {"min": "20", "max": "500"}, {"max": "50"}))


def exchange_house(rng: random.Random, scenario: Row, deck: Deck) -> None:
    scenario["options"] = some(
        rng,
        0.3,
        ace_low_straight=("allowed", "not-allowed"),
        undeclared_major=("pay-if-shown", "forfeit"),
    )
    mixed = rng.choice((None, "each-of-frozen", "straight-flush-first-then-rest", "from-right-falling"))
    if mixed is not None:
        scenario["options"]["mixed-majors"] = mixed
    scenario["awards"] = {"four_of_a_kind": "500", "full_house": "150", "flush": rng.choice(("75", "62.50"))}
    if rng.random() < 0.2:
        scenario["awards"].update({"royal_flush": "100%", "straight_flush": "10%"})
    changes = rng.random() < 0.8
    for seat in scenario["seats"]:
        wrong_chips(rng, seat)
        if changes and rng.random() < 0.3:
            give = rng.choice(seat["cards"].split())
            seat["exchange"] = {"give": give, "take": deck.dealt(1)[0]}
    if rng.random() < 0.15:
        scenario["limits"] = rng.choice(({"min": "10", "max": "100"}, {"min": "20", "max": "500"}, {"max": "50"}))


def washington_house(rng: random.Random, scenario: Row, deck: Deck) -> None:
    scenario["options"] = some(
        rng,
        0.3,
        folded_hand_progressive=("eligible", "not-eligible"),
        multi_meter_pay_order=("right-counterclockwise",),
        wager_limits=("50000", "40000"),
    )
    scenario["awards"] = {
        "royal_flush": rng.choice(("100%", "100%", "100%", "50000")),
        "straight_flush": rng.choice(("10%", "10%", "12.5%", "2000")),
        "four_of_a_kind": rng.choice(("500", "1%", "300.50")),
        "full_house": rng.choice(("100", "75")),
        "flush": rng.choice(("50", "40")),
    }
    if rng.random() < 0.2:
        scenario["awards"].update({"straight": "20", "three_of_a_kind": "6"})


def wrong_chips(rng: random.Random, seat: Row) -> None:
    """A bet that is not twice the ante and slipped through."""
    if seat["play"] == "bet" and rng.random() < 0.12:
        seat["bet"] = rng.choice((times(seat["ante"], 1), times(seat["ante"], 3), "15", "17.50", "30"))


# What a book does not allow, or does not regulate


def fault_bet(rng: random.Random, scenario: Row, seat: Row) -> None:
    seat.update(play="bet", bet=rng.choice((times(seat["ante"], 3), "0.50")))


def fault_play(rng: random.Random, scenario: Row, seat: Row) -> None:
    seat.pop("bet", None)
    seat["play"] = rng.choice(("stay", "declare"))


def fault_exchange(rng: random.Random, scenario: Row, seat: Row) -> None:
    used = scenario["dealer"].split() + [one for each in scenario["seats"] for one in each.get("cards", "").split()]
    free = [rank + suit for rank in RANKS for suit in SUITS if rank + suit not in used]
    seat["exchange"] = {"give": seat["cards"].split()[0], "take": rng.choice(free)}


def fault_side(rng: random.Random, scenario: Row, seat: Row) -> None:
    seat["side"] = rng.choice(("2", "0.50", "5"))


def fault_no_ante(rng: random.Random, scenario: Row, seat: Row) -> None:
    free = [one for one in range(1, 8) if one not in [each["seat"] for each in scenario["seats"]]]
    scenario["seats"].append({"seat": rng.choice(free), "side": "1"})


def fault_over_maximum(rng: random.Random, scenario: Row, seat: Row) -> None:
    scenario["limits"] = {
        "max": times(max((one["ante"] for one in scenario["seats"] if "ante" in one), key=Fraction), 1)
    }
    seat.update(ante="30000")
    seat.pop("bet", None)


def fault_under_minimum(rng: random.Random, scenario: Row, seat: Row) -> None:
    scenario["limits"] = {"min": "5"}
    seat.update(ante="4.50")
    seat.pop("bet", None)


def fault_section10_house(rng: random.Random, scenario: Row, seat: Row) -> None:
    scenario.pop("awards", None)
    scenario["limits"] = {"min": "50"}
    name, value = rng.choice(
        (
            ("bet-payout-cap", rng.choice(("4999", "10049", "9999"))),
            ("progressive-straight-flush", rng.choice(("9%", "4999.99"))),
            ("progressive-paytable", rng.choice(({"flush": "49"}, {"four_of_a_kind": "499.99"}))),
            ("bet-paytable", rng.choice(({"flush": "4"}, {"royal_flush": "99"}))),
        )
    )
    scenario["options"].pop("cap-floor-basis", None)
    scenario["options"][name] = value


def fault_section10_awards(rng: random.Random, scenario: Row, seat: Row) -> None:
    scenario["awards"] = rng.choice(({"flush": "49"}, {"straight_flush": "9.9%"}, {"full_house": "99.50"}))


def fault_fixed_awards(rng: random.Random, scenario: Row, seat: Row) -> None:
    rows = [{"straight_flush": "12%"}, {"royal_flush": "90%"}, {"straight_flush": "5000"}]
    row = rng.choice(rows if scenario["book"] == "exchange" else [*rows, {"flush": "150"}, {"full_house": "100"}])
    scenario["awards"] = {**scenario.get("awards", {}), **row}


def fault_no_awards(rng: random.Random, scenario: Row, seat: Row) -> None:
    scenario.pop("awards", None)


def fault_eighth_seat(rng: random.Random, scenario: Row, seat: Row) -> None:
    seat["seat"] = 8


def fault_wager_limit(rng: random.Random, scenario: Row, seat: Row) -> None:
    scenario.pop("limits", None)
    highest = max((one["ante"] for one in scenario["seats"] if "ante" in one), key=Fraction)
    scenario["options"]["wager-limits"] = rng.choice((highest, times(highest, 2)))


Fault = Callable[[random.Random, Row, Row], None]
STUD_FAULTS: dict[str, tuple[Fault, ...]] = {
    "section10": (
        *(fault_bet, fault_play, fault_exchange, fault_side, fault_no_ante, fault_over_maximum),
        *(fault_under_minimum, fault_section10_house, fault_section10_house, fault_section10_awards),
    ),
    "rws": (fault_play, fault_exchange, fault_fixed_awards, fault_under_minimum),
    "exchange": (
        *(fault_play, fault_side, fault_no_ante, fault_fixed_awards, fault_no_awards, fault_under_minimum),
        *(fault_eighth_seat, fault_no_awards),
    ),
    # No wrong side stake in Washington: the text names no amount, so there is nothing to agree on.
    "washington": (
        *(fault_bet, fault_play, fault_exchange, fault_no_ante, fault_over_maximum),
        *(fault_under_minimum, fault_no_awards, fault_wager_limit),
    ),
}


# Colorado


def colorado_round(rng: random.Random, book: str, out_of_order: bool) -> Row:
    deck = Deck(rng)
    community, seats = colorado_hands(rng, deck)
    for seat in seats:
        seat["ante"] = rng.choice(ANTES)
        cards = seat["cards"].split()
        other = "fold" if book == "colorado-required" else "stay"
        wanted = ("declare", "declare", "bet") if seat.pop("planted") == 3 else ("bet", "bet", "bet", "bet", other)
        play = seat["play"] = rng.choice(wanted) if rng.random() < 0.95 else "declare"
        if play in ("bet", "stay"):
            seat["discard"] = cards[2]
        if play == "bet" and rng.random() < 0.5:
            seat["bet"] = seat["ante"]
        if rng.random() < 0.6:
            seat["side"] = "1"
    version = book.removeprefix("colorado-")
    scenario: Row = {"book": book, "community": " ".join(community), "seats": seats}
    scenario["options"] = colorado_options(rng, version)
    if rng.random() < 0.3:
        scenario["limits"] = limits_around(rng, scenario)
    if out_of_order:
        rng.choice(COLORADO_FAULTS)(rng, scenario, rng.choice(seats))
    return scenario


def colorado_hands(rng: random.Random, deck: Deck) -> tuple[list[str], list[Row]]:
    """The first seat's hand is planted with the community; others share it, or hold three cards of note."""
    first = deck.planted(rng.choice(FIVE_CARDS)) if rng.random() < 0.85 else deck.dealt(5)
    community, kept = first[2:], first[:2]
    seats: list[Row] = []
    for number in seat_numbers(rng):
        if not seats:
            cards, planted = kept + deck.dealt(1), 2
        elif rng.random() < 0.4:
            cards, planted = deck.planted(rng.choice(THREE_CARDS), 3), 3
        elif rng.random() < 0.5:
            pair = deck.of_ranks(rng.choice("6789TJQ") * 2) or deck.dealt(2)
            cards, planted = pair + deck.dealt(1), 2
        else:
            match_one = deck.of_ranks(rng.choice(community)[0]) or deck.dealt(1)
            cards, planted = match_one + deck.dealt(2), 2
        seats.append({"seat": number, "cards": " ".join(cards), "planted": planted})
    return community, seats


def colorado_options(rng: random.Random, version: str) -> Row:
    options = some(
        rng,
        0.25,
        three_card_ace_low=("allowed", "not-allowed"),
        instant_winner_bonus=("paid-at-declaration", "lost"),
        bonus_on_wrong_declaration=("returned", "lost"),
        hand_payout_cap=("none", "50000", "60000.50"),
        cap_scope=("ante-plus-bet-of-one-hand", "each-wager"),
    )
    if version == "required":
        options.update(
            some(rng, 0.25, bonus_on_fold=("lost", "returned"), bonus_required_trips=("3", "1", "push", "9"))
        )
    if rng.random() < 0.2:
        rows = ({"royal_flush": "800"}, {"four_of_a_kind": "50", "flush": "9"}, {"three_card_straight_flush": "6"})
        options[f"paytable-{version}"] = rng.choice(rows)
    if rng.random() < 0.2:
        bonus_rows: tuple[dict[str, str], ...] = (
            *({"full_house": "50", "flush": "25"}, {"straight": "16"}, {"instant_three_of_a_kind": "7"}),
            {"pair": "1", "two_pair": "2"},
        )
        options[f"bonus-paytable-{version}"] = rng.choice(bonus_rows)
    return options


def fault_colorado_bet(rng: random.Random, scenario: Row, seat: Row) -> None:
    seat.update(play="bet", bet=times(seat["ante"], 2), discard=seat["cards"].split()[0])


def fault_colorado_play(rng: random.Random, scenario: Row, seat: Row) -> None:
    """The choice that only the other version has."""
    for key in ("bet", "discard"):
        seat.pop(key, None)
    if scenario["book"] == "colorado-required":
        seat.update(play="stay", discard=seat["cards"].split()[0])
    else:
        seat.update(play="fold")


def fault_declare_bet(rng: random.Random, scenario: Row, seat: Row) -> None:
    seat.pop("discard", None)
    seat.update(play="declare", bet=seat["ante"])


def fault_no_bonus(rng: random.Random, scenario: Row, seat: Row) -> None:
    scenario["options"]["bonus-wager"] = "not-offered"


def fault_colorado_house(rng: random.Random, scenario: Row, seat: Row) -> None:
    version = scenario["book"].removeprefix("colorado-")
    name, value = rng.choice(
        (
            ("hand-payout-cap", "49999"),
            (f"paytable-{version}", rng.choice(({"flush": "7"}, {"three_card_straight_flush": "4"}))),
            (f"bonus-paytable-{version}", rng.choice(({"straight": "14"}, {"instant_three_of_a_kind": "4"}))),
        )
    )
    scenario["options"][name] = value


COLORADO_FAULTS: tuple[Fault, ...] = (
    *(fault_colorado_bet, fault_colorado_play, fault_declare_bet, fault_side, fault_no_ante),
    *(fault_no_bonus, fault_colorado_house, fault_over_maximum, fault_under_minimum),
)
