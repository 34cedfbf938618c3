"""A second reading of the five rule documents, to be compared with the program.

Written from the documents and their catalogue alone: it shares nothing with the program but the names of the cards.
Plain on purpose: hands are counted and sorted, pay tables are typed out, one function settles one game.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from aceking.cards.card import card
from tests.settlement.independent_hands import (
    CLASSES,
    FLUSH,
    HIGH_CARD,
    PAIR,
    ROYAL,
    STRAIGHT_FLUSH,
    TRIPS,
    Hand,
    Scenario,
    amount,
    cents_up,
    instant_winner,
    is_share,
    limit,
    numbers,
    rank,
    share,
)

Money = dict[int, Fraction]

ACE_KING: Hand = (HIGH_CARD, [14, 13, 4, 3, 2])

# From high card up to royal flush, each "to 1".
SECTION10_BET = (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)  # CSP-10(l)(3), minimums
RWS_BET = (1, 1, 2, 3, 4, 5, 7, 20, 50, 250)  # RWS-4.1
EXCHANGE_BET = (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)  # EUR-p14-paytable; no row under a pair: A-EUR-05
EXCHANGED_BET = (1, 1, 2, 3, 4, 5, 7, 12, 30, 60)  # EUR-exchange-5-pay
WASHINGTON_BET = (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)  # WA-show-b-paytable
REQUIRED_PAYS = (0, 1, 2, 3, 5, 8, 11, 40, 100, 500)  # CHP-38(m)(2), minimums
PERMISSIBLE_PAYS = (0, 1, 2, 3, 5, 8, 10, 25, 100, 500)  # CHP-38(n)(2), minimums
REQUIRED_BONUS = (0, 0, 1, 3, 15, 8, 11, 100, 1000, 10000)  # CHP-38(m)(4), trips by A-CHP-04
PERMISSIBLE_BONUS = (0, 0, 1, 3, 15, 25, 50, 100, 1000, 10000)  # CHP-38(n)(4)

SECTION10_AWARDS = {"royal_flush": "100%", "four_of_a_kind": "500", "full_house": "100", "flush": "50"}  # CSP-10(l)(5)
RWS_AWARDS = {  # RWS-4.2
    "royal_flush": "100%",
    "straight_flush": "10%",
    "four_of_a_kind": "500",
    "full_house": "200",
    "flush": "100",
}
EXCHANGE_AWARDS = {"royal_flush": "100%", "straight_flush": "10%"}  # EUR-p16-jp-pay; the rest is on the sign


class RefusedError(Exception):
    """The book does not allow it."""


class UnregulatedError(Exception):
    """The book is silent on what settlement cannot do without."""


def expected(scenario: Scenario) -> dict[str, Any]:
    """What the documents make of the round: nets, awards and the meter, or refused, or unregulated."""
    try:
        match scenario["book"]:
            case "section10":
                return section10(scenario)
            case "rws":
                return rws(scenario)
            case "exchange":
                return exchange(scenario)
            case "washington":
                return washington(scenario)
            case "colorado-required":
                return colorado(scenario, required=True)
            case "colorado-permissible":
                return colorado(scenario, required=False)
            case other:
                raise KeyError(other)
    except RefusedError:
        return {"refused": True}
    except UnregulatedError:
        return {"unregulated": True}


# What the books share


def raised(minimums: tuple[int, ...], posted: Mapping[str, str]) -> list[Fraction]:
    """A pay table of minimums with the house's own rows in it; no row may fall."""
    pays = [Fraction(one) for one in minimums]
    for row, odds in posted.items():
        if row not in CLASSES:
            continue
        if Fraction(odds) < minimums[CLASSES.index(row)]:
            raise RefusedError
        pays[CLASSES.index(row)] = Fraction(odds)
    return pays


def against_dealer(
    hand: Hand, dealer: Hand, ante: Fraction, bet: Fraction, pays: Fraction, cap: Fraction | None
) -> Fraction:
    """Ante and bet of one stud hand; all four stud books agree on this."""
    if dealer < ACE_KING:
        return ante
    if hand == dealer:
        return Fraction(0)
    if hand < dealer:
        return -ante - bet
    won = bet * pays
    return ante + (won if cap is None else min(won, cap))


def result(nets: Money, awards: Money, meter: Fraction | None) -> dict[str, Any]:
    paid = {seat: won for seat, won in awards.items() if won}
    total = {seat: net + paid.get(seat, 0) for seat, net in nets.items()}
    return {"nets": total, "awards": paid, "meter_after": meter}


def start_of_meter(scenario: Scenario) -> Fraction | None:
    return Fraction(scenario["meter"]) if "meter" in scenario else None


# Section 10


def section10(scenario: Scenario) -> dict[str, Any]:
    options = scenario.get("options", {})
    pays = raised(SECTION10_BET, options.get("bet-paytable", {}))
    cap = section10_cap(scenario, pays[ROYAL])
    posted = section10_posted(scenario)
    folded_too = options.get("folded-progressive", "not-payable") == "payable"  # A-CSP-12
    dealer = rank(numbers(scenario["dealer"]))
    maximum = limit(scenario, "max")
    nets: Money = {}
    winners: dict[int, str] = {}
    for seat in scenario["seats"]:
        ante, side, play = amount(seat, "ante"), amount(seat, "side"), seat.get("play", "bet")
        if ante == 0 or side not in (0, 1):  # CSP-10(f)(3): an ante first, then a one-dollar chip
            raise RefusedError
        if play not in ("bet", "fold") or "exchange" in seat:  # CSP-10(j)(1)
            raise RefusedError
        if maximum is not None and ante > maximum:  # the section is silent; an ante under the minimum stands (G33)
            raise UnregulatedError
        hand = rank(numbers(seat["cards"]))
        if play == "fold":  # CSP-10(j)(1)
            nets[seat["seat"]] = -ante - side
        else:
            bet = Fraction(seat.get("bet", 2 * ante))
            if bet != 2 * ante:  # CSP-10(a)(1)(ii)
                raise RefusedError
            nets[seat["seat"]] = against_dealer(hand, dealer, ante, bet, pays[hand[0]], cap) - side
        if side and CLASSES[hand[0]] in posted and (play == "bet" or folded_too):  # CSP-10(k)(3)
            winners[seat["seat"]] = CLASSES[hand[0]]
    meter = start_of_meter(scenario)
    awards, meter = section10_awards(scenario, winners, posted, meter)
    return result(nets, awards, meter)


def section10_cap(scenario: Scenario, royal: Fraction) -> Fraction | None:
    """CSP-10(l)(4), A-CSP-16: a cap on the bet's winnings, and how low it may be."""
    options = scenario.get("options", {})
    if options.get("bet-payout-cap", "none") == "none":
        return None
    antes = 2 * royal + (0 if options.get("cap-floor-basis") == "bet-only" else 1)
    floor = max(Fraction(5000), (limit(scenario, "min") or Fraction(0)) * antes)
    cap = Fraction(options["bet-payout-cap"])
    if cap < floor:
        raise RefusedError
    return cap


def section10_posted(scenario: Scenario) -> dict[str, str]:
    """CSP-10(l)(5): the amounts are minimums; the straight flush has a share or a fixed sum."""
    options = scenario.get("options", {})
    posted = dict(SECTION10_AWARDS)
    posted["straight_flush"] = options.get("progressive-straight-flush", "10%")
    posted.update(options.get("progressive-paytable", {}))
    posted.update(scenario.get("awards", {}))
    flush = posted["straight_flush"]
    if share(flush) < Fraction(1, 10) if is_share(flush) else Fraction(flush) < 5000:
        raise RefusedError
    if share(posted["royal_flush"]) < 1:
        raise RefusedError
    if any(
        Fraction(posted[row]) < Fraction(SECTION10_AWARDS[row]) for row in ("four_of_a_kind", "full_house", "flush")
    ):
        raise RefusedError
    return posted


def section10_awards(
    scenario: Scenario, winners: dict[int, str], posted: dict[str, str], meter: Fraction | None
) -> tuple[Money, Fraction | None]:
    """CSP-10(l)(7), A-CSP-05, A-CSP-19: from the far right; the first royal sets the meter aside for all royals."""
    all_fall = scenario.get("options", {}).get("progressive-meter-deduction") == "all-awards"  # A-CSP-18
    royals = [seat for seat, row in winners.items() if row == "royal_flush"]
    awards: Money = {}
    for seat in sorted(winners, reverse=True):
        row = winners[seat]
        if row == "royal_flush":
            if seat == max(royals):
                assert meter is not None
                each = cents_up(meter * share(posted[row]) / len(royals))
                meter = Fraction(scenario["reset"])
            awards[seat] = each
        elif is_share(posted[row]):
            assert meter is not None
            awards[seat] = cents_up(meter * share(posted[row]))
            meter -= awards[seat]
        else:
            awards[seat] = Fraction(posted[row])
            if all_fall and meter is not None:
                meter -= awards[seat]
    return awards, meter


# Resorts World Sentosa


def rws(scenario: Scenario) -> dict[str, Any]:
    if any(RWS_AWARDS.get(row) != award for row, award in scenario.get("awards", {}).items()):  # RWS-4.2 is fixed
        raise RefusedError
    dealer = rank(numbers(scenario["dealer"]))
    maximum = limit(scenario, "max")
    nets: Money = {}
    winners: dict[int, str] = {}
    for seat in scenario["seats"]:
        ante, side, play = amount(seat, "ante"), amount(seat, "side"), seat.get("play", "bet")
        if ante == 0:  # RWS-5.4: the jackpot bet goes back, the box is not in the round
            nets[seat["seat"]] = Fraction(0)
            continue
        if play not in ("bet", "fold") or "exchange" in seat:  # RWS-3.12
            raise RefusedError
        placed = Fraction(seat.get("bet", 2 * ante))
        if maximum is not None:
            ante = min(ante, maximum)  # RWS-5.1.1, A-RWS-14; under the minimum it stands: RWS-5.2.1
        bet = min(placed, 2 * ante)  # RWS-5.3.1, RWS-5.3.2
        side = Fraction(1) if side >= 1 else Fraction(0)  # A-RWS-34
        hand = rank(numbers(seat["cards"]))
        if play == "fold":  # RWS-3.12.1
            nets[seat["seat"]] = -ante - side
            continue
        cap = Fraction(100_000)  # RWS-4.1.1
        nets[seat["seat"]] = against_dealer(hand, dealer, ante, bet, Fraction(RWS_BET[hand[0]]), cap) - side
        # RWS-3.14, RWS-4.3: a qualifying dealer compares the hands, which lie open then; only unseen ones need notice
        known = seat.get("claims", True) or dealer >= ACE_KING  # RWS-4.4, A-RWS-16
        if side and CLASSES[hand[0]] in RWS_AWARDS and known:
            winners[seat["seat"]] = CLASSES[hand[0]]
    meter = start_of_meter(scenario)
    leave = scenario.get("options", {}).get("sf-award-from-meter") == "leave"  # A-RWS-33
    awards: Money = {}
    for number in sorted(winners):  # RWS-4.5.1: clockwise from the first dealt
        award = RWS_AWARDS[winners[number]]
        if not is_share(award):
            awards[number] = Fraction(award)
            continue
        assert meter is not None
        awards[number] = cents_up(meter * share(award))
        if winners[number] == "royal_flush":
            meter = Fraction(scenario["reset"])  # RWS-1.13
        elif not leave:
            meter -= awards[number]
    return result(nets, awards, meter)


# The European house with the exchange


def exchange(scenario: Scenario) -> dict[str, Any]:
    options, posted = scenario.get("options", {}), scenario.get("awards", {})
    if any(posted.get(row, fixed) != fixed for row, fixed in EXCHANGE_AWARDS.items()):  # EUR-p16-jp-pay
        raise RefusedError
    wheel = options.get("ace-low-straight", "allowed") == "allowed"  # A-EUR-06
    dealer = rank(numbers(scenario["dealer"]), wheel)
    maximum = limit(scenario, "max")
    nets: Money = {}
    winners: dict[int, str] = {}
    for seat in scenario["seats"]:
        ante, side, play = amount(seat, "ante"), amount(seat, "side"), seat.get("play", "bet")
        if seat["seat"] > 7 or ante == 0 or side not in (0, 1):  # EUR-p2-seats, EUR-p13-jp-only, EUR-p13-jp-entry
            raise RefusedError
        if play not in ("bet", "fold"):  # EUR-p6-options
            raise RefusedError
        placed = Fraction(seat.get("bet", 2 * ante))
        if maximum is not None:
            ante = min(ante, maximum)  # EUR-p26-limits-strict, A-EUR-24; under the minimum: EUR-p24-undermin
        bet = min(placed, 2 * ante)  # EUR-p25-bet-under, EUR-p25-bet-over
        held, fee, pays = numbers(seat["cards"]), Fraction(0), EXCHANGE_BET
        if "exchange" in seat:
            held.remove(card(seat["exchange"]["give"]))
            held.append(card(seat["exchange"]["take"]))
            fee, pays = ante, EXCHANGED_BET  # EUR-exchange-1, A-EUR-03
        hand = rank(held, wheel)
        if play == "fold":  # EUR-p7-fold, A-EUR-10
            nets[seat["seat"]] = -ante - fee - side
            continue
        nets[seat["seat"]] = against_dealer(hand, dealer, ante, bet, Fraction(pays[hand[0]]), None) - fee - side
        if not side or hand[0] < FLUSH or "exchange" in seat:  # EUR-p13-jp-hands, EUR-exchange-4-jackpot
            continue
        if not seat.get("claims", True):
            shown = dealer >= ACE_KING  # EUR-p13-jp-inform: an unqualified bank looks at no hand
            forfeits = hand[0] >= STRAIGHT_FLUSH and options.get("undeclared-major") == "forfeit"  # A-EUR-26
            if not shown or forfeits:
                continue
        winners[seat["seat"]] = CLASSES[hand[0]]
    awards, meter = exchange_awards(scenario, winners)
    return result(nets, awards, meter)


def exchange_awards(scenario: Scenario, winners: dict[int, str]) -> tuple[Money, Fraction | None]:
    """EUR-p25-share-royal, EUR-p25-share-sf: equal hands share; A-EUR-17 where a royal meets a straight flush."""
    meter, posted = start_of_meter(scenario), scenario.get("awards", {})
    mixed = scenario.get("options", {}).get("mixed-majors", "each-of-frozen")
    royals = [seat for seat, row in winners.items() if row == "royal_flush"]
    flushes = [seat for seat, row in winners.items() if row == "straight_flush"]
    awards: Money = {}
    for seat, row in winners.items():
        if seat not in royals and seat not in flushes:
            if row not in posted:  # A-EUR-11: the sign at the table is part of the rules
                raise RefusedError
            awards[seat] = Fraction(posted[row])
    majors = [group for group in (flushes, royals) if group]
    if royals and flushes and mixed == "from-right-falling":
        majors.sort(key=max, reverse=True)
    frozen = meter
    for group in majors:
        assert meter is not None
        assert frozen is not None
        base = frozen if mixed == "each-of-frozen" else meter
        each = cents_up(base * (1 if group is royals else Fraction(1, 10)) / len(group))
        awards.update(dict.fromkeys(group, each))
        meter = Fraction(scenario["reset"]) if group is royals else meter - cents_up(base / 10)
    return awards, meter


# Washington State


def washington(scenario: Scenario) -> dict[str, Any]:
    options, posted = scenario.get("options", {}), scenario.get("awards", {})
    if not posted and any(amount(seat, "side") for seat in scenario["seats"]):  # WA-3
        raise RefusedError
    folded_too = options.get("folded-hand-progressive", "not-eligible") == "eligible"  # WA-8, A-WA-01
    dealer = rank(numbers(scenario["dealer"]))
    minimum, maximum = limit(scenario, "min"), limit(scenario, "max")
    nets: Money = {}
    winners: dict[int, str] = {}
    for seat in scenario["seats"]:
        ante, side, play = amount(seat, "ante"), amount(seat, "side"), seat.get("play", "bet")
        if ante == 0:  # WA-5
            raise RefusedError
        if side not in (0, 1):  # the text names no amount at all
            raise UnregulatedError
        if play not in ("bet", "fold") or "exchange" in seat:  # WA-play-decide
            raise RefusedError
        if maximum is not None and ante > maximum:  # WA-0-limits
            raise RefusedError
        if "wager-limits" in options and 2 * ante > Fraction(options["wager-limits"]):  # A-WA-18
            raise RefusedError
        if minimum is not None and ante < minimum:  # A-WA-07
            raise UnregulatedError
        hand = rank(numbers(seat["cards"]))
        if play == "fold":  # WA-play-a-fold
            nets[seat["seat"]] = -ante - side
        else:
            bet = Fraction(seat.get("bet", 2 * ante))
            if bet != 2 * ante:  # WA-play-b-bet
                raise RefusedError
            pays = Fraction(WASHINGTON_BET[hand[0]])
            nets[seat["seat"]] = against_dealer(hand, dealer, ante, bet, pays, None) - side
        if side and CLASSES[hand[0]] in posted and (play == "bet" or folded_too):  # WA-2, A-WA-19
            winners[seat["seat"]] = CLASSES[hand[0]]
    meter = start_of_meter(scenario)
    awards: Money = {}
    for number in sorted(winners, reverse=True):  # WA-9c: from the far right
        award = posted[winners[number]]
        if not is_share(award):  # WA-9b: from the tray
            awards[number] = Fraction(award)
            continue
        assert meter is not None
        awards[number] = cents_up(meter * share(award))  # WA-9a
        meter = Fraction(scenario["reset"]) if share(award) == 1 else meter - awards[number]  # WA-4
    return result(nets, awards, meter)


# Colorado


def colorado(scenario: Scenario, required: bool) -> dict[str, Any]:
    options, version = scenario.get("options", {}), "required" if required else "permissible"
    table = options.get(f"paytable-{version}", {})
    pays = raised(REQUIRED_PAYS if required else PERMISSIBLE_PAYS, table)
    bonus_pays = colorado_bonus(options, version)
    instant_rows = ("three_card_straight_flush", "instant_three_of_a_kind")
    bonus_table = options.get(f"bonus-paytable-{version}", {})
    if any(Fraction(one.get(row, "5")) < 5 for one in (table, bonus_table) for row in instant_rows):
        raise RefusedError
    cap = None if options.get("hand-payout-cap", "none") == "none" else Fraction(options["hand-payout-cap"])
    if cap is not None and cap < 50_000:  # CHP-38(m)(3), CHP-38(n)(3)
        raise RefusedError
    ace_low = options.get("three-card-ace-low", "allowed") == "allowed"  # A-CHP-08
    maximum = limit(scenario, "max")
    nets: Money = {}
    for seat in scenario["seats"]:
        ante, side, play = amount(seat, "ante"), amount(seat, "side"), seat.get("play", "bet")
        if ante == 0 or side not in (0, 1):  # CHP-38(f)(4), CHP-38(g)(2)
            raise RefusedError
        if side and options.get("bonus-wager", "offered") == "not-offered":  # CHP-38(g)(1)
            raise RefusedError
        if maximum is not None and ante > maximum:  # silent; an ante under the minimum stands (G33)
            raise UnregulatedError
        choices = ("bet", "fold", "declare") if required else ("bet", "stay", "declare")
        if play not in choices or "exchange" in seat:  # CHP-38(k)(2); CHP-38(l)(2), A-CHP-31
            raise RefusedError
        dealt = numbers(seat["cards"])
        if play == "fold":  # A-CHP-16, A-CHP-14
            lost = options.get("bonus-on-fold", "lost") == "lost"
            nets[seat["seat"]] = -ante - (side if lost else 0)
        elif play == "declare":
            if amount(seat, "bet"):  # CHP-38(l)(2)(ii)(A)
                raise RefusedError
            row = instant_winner(dealt, ace_low)
            if row is None:  # CHP-38(o)(4), A-CHP-14
                lost = options.get("bonus-on-wrong-declaration", "returned") == "lost"
                nets[seat["seat"]] = -ante - (side if lost else 0)
            else:
                won = ante * Fraction(table.get(row, "5"))
                bonus = side * Fraction(bonus_table.get(row, "5"))
                if options.get("instant-winner-bonus", "paid-at-declaration") == "lost":  # A-CHP-13
                    bonus = -side
                nets[seat["seat"]] = (won if cap is None else min(won, cap)) + bonus
        else:
            bet = Fraction(seat.get("bet", ante)) if play == "bet" else amount(seat, "bet")
            if bet != (ante if play == "bet" else 0):  # CHP-38(a)(1)(ii), CHP-38(l)(2)(i)
                raise RefusedError
            dealt.remove(card(seat["discard"]))
            hand = rank(dealt + numbers(scenario["community"]))
            both = options.get("cap-scope", "ante-plus-bet-of-one-hand") != "each-wager"  # A-CHP-20
            main = colorado_main(hand, ante, bet, pays[hand[0]], required, cap, both)
            nets[seat["seat"]] = main + colorado_side(hand, side, bonus_pays)
    return result(nets, {}, None)


def colorado_bonus(options: Mapping[str, Any], version: str) -> list[Fraction]:
    """CHP-38(m)(4), CHP-38(n)(4); the missing trips row of the required version is a choice: A-CHP-04."""
    minimums = list(REQUIRED_BONUS if version == "required" else PERMISSIBLE_BONUS)
    if version == "required":
        trips = options.get("bonus-required-trips", "3")
        minimums[TRIPS] = 0 if trips == "push" else int(trips)
    return raised(tuple(minimums), options.get(f"bonus-paytable-{version}", {}))


def colorado_main(
    hand: Hand, ante: Fraction, bet: Fraction, pays: Fraction, required: bool, cap: Fraction | None, both: bool
) -> Fraction:
    """Both wagers at one row: A-CHP-19."""
    # CHP-38(k)(3) and A-CHP-03: sevens to nines push; CHP-38(l)(5), CHP-38(l)(6): nines and tens push.
    push_from, push_to = (7, 9) if required else (9, 10)
    if hand[0] == HIGH_CARD or (hand[0] == PAIR and hand[1][0] < push_from):
        return -ante - bet
    if hand[0] == PAIR and hand[1][0] <= push_to:
        return Fraction(0)
    if cap is None:
        return (ante + bet) * pays
    if both:
        return min((ante + bet) * pays, cap)
    return min(ante * pays, cap) + min(bet * pays, cap)


def colorado_side(hand: Hand, side: Fraction, pays: list[Fraction]) -> Fraction:
    """CHP-38(g)(1), A-CHP-27, A-CHP-33: jacks or better push, less loses."""
    if hand[0] == HIGH_CARD or (hand[0] == PAIR and hand[1][0] < 11):
        return -side
    return side * pays[hand[0]]
