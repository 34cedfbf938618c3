"""Every settlement sheet once more, through the table: dealt from a deck order, played, revealed, paid, collected."""

from collections.abc import Mapping
from typing import Any

import pytest

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.odds import amount
from aceking.rules.reading.load import load_book, with_options
from aceking.scenarios.sheets import SheetCase, default_folder, read_sheets
from aceking.settlement.scenario_json import INPUT_ERRORS, result_data, scenario_from_data, settle_in
from aceking.table import commands as c
from aceking.table.cards.deal_order import burns, places
from aceking.table.cards.place import COMMUNITY, DEALER, box_place
from aceking.table.dealer.driver import Driver, DriverError, new_table
from aceking.table.money.award_lines import is_award
from aceking.table.money.settling import owed
from aceking.table.state import TRAY, balance


def settled_cases() -> list[tuple[SheetCase, dict[str, Any]]]:
    """The cases that settle, with what settlement makes of them."""
    found = []
    for case in read_sheets(default_folder()):
        try:
            raw = scenario_from_data({"book": case.book, **case.round})
            result = result_data(None, settle_in(raw))
        except INPUT_ERRORS:
            continue
        seats = case.round["seats"]
        whole = all(seat.get("ante") and seat.get("cards") for seat in seats) and dealt(case)
        # Several boxes of one player are played in the scripts of the table.
        if "seats" in result and whole and not several_boxes(case.round):
            found.append((case, result))
    return found


def several_boxes(round_: Mapping[str, Any]) -> bool:
    players = [seat.get("player") for seat in round_["seats"] if seat.get("player")]
    return len(players) != len(set(players))


def dealt(case: SheetCase) -> bool:
    """Whether all the cards of the round are given, so that a deck order can be made of them."""
    book = load_book(case.book)
    return bool(case.round.get("dealer") if book.dealer else case.round.get("community"))


CASES = settled_cases()


def order_for(book: Book, round_: dict[str, Any]) -> list[int]:
    """A deck order that deals just these hands under this book."""
    hands = {box_place(seat["seat"]): list(cards(seat["cards"])) for seat in round_["seats"]}
    hands[DEALER] = list(cards(round_.get("dealer", "")))
    hands[COMMUNITY] = list(cards(round_.get("community", "")))
    taken = [one for seat in round_["seats"] if "exchange" in seat for one in cards(seat["exchange"]["take"])]
    named = {one for held in hands.values() for one in held} | set(taken)
    spare = [one for one in DECK if one not in named]
    order: list[int] = [spare.pop()] if burns(book) else []
    order += [hands[place.to].pop(0) for place in places(book, [seat["seat"] for seat in round_["seats"]])]
    return [*order, *taken, *spare]


def minor(book: Book, text: object) -> int:
    return amount(str(text), decimals=book.decimals)


def play(book: Book, round_: dict[str, Any]) -> Driver:
    """The round through decide and evolve. What slipped through unnoticed in the sheet does so here."""
    limits = round_.get("limits", {})
    table = new_table(
        book,
        ante_min=minor(book, limits["min"]) if "min" in limits else None,
        ante_max=minor(book, limits["max"]) if "max" in limits else None,
        awards={row: str(award) for row, award in round_.get("awards", {}).items()},
        reset=minor(book, round_["reset"]) if "reset" in round_ else None,
    )
    driver = Driver(book, table)
    driver.open_bets(order_for(book, round_))
    for seat in round_["seats"]:
        player = seat.get("player", f"player {seat['seat']}")
        stake = minor(book, seat["ante"])
        driver.must(c.Ante(box=seat["seat"], player=player, amount=stake, noticed=False))
        if minor(book, seat.get("side", 0)):
            side = minor(book, seat["side"])
            driver.must(c.SideBet(box=seat["seat"], player=player, amount=side, noticed=False))
        for wager, named in seat.get("sides", {}).items():
            driver.must(c.SideBet(box=seat["seat"], player=player, amount=minor(book, named), wager=wager))
    driver.close_bets(minor(book, round_["meter"]) if "meter" in round_ else None)
    driver.deal()
    for seat in sorted(round_["seats"], key=lambda one: int(one["seat"])):
        decide(driver, seat)
    driver.finish(silent=[seat["seat"] for seat in round_["seats"] if not seat.get("claims", True)])
    return driver


def decide(driver: Driver, seat: dict[str, Any]) -> None:
    number = seat["seat"]
    driver.look(number, declares=seat.get("claims", True))
    if "exchange" in seat:
        driver.must(c.Exchange(box=number, give=cards(seat["exchange"]["give"])))
    choice = seat.get("play", "bet")
    bet = minor(driver.book, seat["bet"]) if "bet" in seat and choice == "bet" else None
    discard = cards(seat["discard"])[0] if "discard" in seat and choice in ("bet", "stay") else None
    if bet == 0:
        choice, bet = "stay", None
    acts: dict[str, c.Act] = {
        "bet": c.Bet(box=number, amount=bet, discard=discard, noticed=False),
        "stay": c.Stay(box=number, discard=discard),
        "fold": c.Fold(box=number),
        "declare": c.Declare(box=number),
    }
    driver.must(acts[choice])


@pytest.mark.parametrize(("case", "result"), CASES, ids=[case.title for case, _ in CASES])
def test_the_table_pays_what_settlement_says(case: SheetCase, result: dict[str, Any]) -> None:
    book = with_options(load_book(case.book), case.round.get("options", {}))
    assert isinstance(book, Book)
    driver = play(book, dict(case.round))
    accounts = driver.table.accounts
    assert balance(accounts) == 0
    assert accounts.get("layout", 0) == 0
    for seat in result["seats"]:
        player = next(one for one in case.round["seats"] if one["seat"] == seat["seat"]).get("player")
        net = accounts.get(player or f"player {seat['seat']}", 0)
        sign = -1 if seat["net"].startswith("-") else 1
        assert net == sign * minor(book, seat["net"].removeprefix("-")), seat
    assert TRAY in accounts or not any(accounts.values())
    current = driver.table.round
    assert current is not None
    assert current.phase == "done"
    assert not owed(current)
    assert all(is_award(line) <= (line.wager == "side") for line in current.lines)


def test_the_driver_says_when_a_person_must_look() -> None:
    driver = Driver(load_book("section10"))
    with pytest.raises(DriverError, match="card-dealt"):
        driver.must(c.DealCard())
