"""What is due from the house, act by act, through whole rounds of every book; and when nothing is."""

import itertools

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.rules.words import Topic
from aceking.table import commands as c
from aceking.table.cards.deal_order import burns, places
from aceking.table.cards.place import box_place
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.dealer.next_act import due
from aceking.table.state import SideWager
from tests.table.test_driver import SIGN, round_of
from tests.table.test_out_of_time import at

CARIBBEAN_OPENING = (
    "deck-received first, dealer-inspected first, floorperson-verified first, spread first,"
    " first-player-inspection first, turn-down first, wash first, stack first"
)
MIXED_BY_HAND = "shuffle first, cover-card-laid first, cut first #26, cover-card-to-rack first, deck-loaded first"
MIXED_BY_DEVICE = "shuffle first, deck-loaded first"
#: Ann has the side bet and bets on box 2, Bob folds box 3 (or stays), Cy bets on box 5: before the deal, the deal,
#: and what comes after the decisions. The hands are those of ORDER.
ROUNDS = {
    "section10": (
        f"{CARIBBEAN_OPENING}, {MIXED_BY_HAND}",
        "no-more-bets, lock-out, chip-light-count #1, card-dealt x20, stub-to-rack, go-ahead",
        (
            "collect-chips 3, collect-cards 3, reveal, claim 2, turn-hand 5, turn-hand 2, reckon, collect-chips 5,"
            " collect-cards 5 #5, pay 2, collect-cards 2 #5, collect-cards, round-ended"
        ),
    ),
    "rws": (
        MIXED_BY_DEVICE,
        "no-more-bets, burn, card-dealt x20, go-ahead",
        (
            "reveal, claim 2, turn-hand 2, reckon, collect-chips 3, pay 5, pay 2, collect-cards 5 #5,"
            " collect-cards 3 #5, collect-cards 2 #5, collect-cards, round-ended"
        ),
    ),
    "exchange": (
        MIXED_BY_DEVICE,
        "no-more-bets, packet-dealt x4, up-card, go-ahead",
        (
            "reveal, claim 2, turn-hand 5, turn-hand 2, reckon, collect-chips 3, collect-chips 5, collect-chips 2,"
            " collect-cards 5 #5, collect-cards 3 #5, collect-cards 2 #5, collect-cards, round-ended"
        ),
    ),
    "washington": (
        "shuffle first, deck-held first",
        "START GAME, card-dealt x20, stub-to-rack, go-ahead",
        (
            "reveal, claim 2, turn-hand 5, turn-hand 2, reckon, collect-chips 3, collect-chips 5, pay 2,"
            " collect-cards 5 #5, fold-count 3 #5, collect-cards 3 #5, collect-cards 2 #5, collect-cards, END GAME"
        ),
    ),
    "colorado-required": (
        f"{CARIBBEAN_OPENING}, {MIXED_BY_HAND}",
        "no-more-bets, card-dealt x12, stub-to-rack, go-ahead",
        (
            "collect-chips 3, collect-cards 3, reveal, turn-hand 5, turn-hand 2, reckon, pay 5, collect-cards 5 #3,"
            " pay 2, collect-chips 2, collect-cards 2 #3, collect-cards, round-ended"
        ),
    ),
    "colorado-permissible": (
        f"{CARIBBEAN_OPENING}, {MIXED_BY_HAND}",
        "no-more-bets, card-dealt x12, stub-to-rack, go-ahead",
        (
            "reveal, turn-hand 5, turn-hand 3, turn-hand 2, reckon, collect-chips 5, collect-cards 5 #3,"
            " collect-chips 2, collect-cards 2 #3, pay 3, collect-cards 3 #3, collect-cards, round-ended"
        ),
    ),
}
FIRST = cards("9h Ts Ah 8c Td Kd 7d 8h 9c 6s 5s 6h 5h 2d 3d")
ORDER = (*FIRST, *(one for one in DECK if one not in FIRST))


def in_words(act: c.Act | c.Report) -> str:
    """An act by its name, box, deck and count."""
    if isinstance(act, c.Report):
        return " ".join(["report", act.mishap, *map(str, act.boxes)])
    box = [] if act.box is None else [str(act.box)]
    deck = [] if act.deck is None else [act.deck]
    count = getattr(act, "count", None)
    return " ".join([act.do, *box, *deck, *([] if count is None else [f"#{count}"])])


def joined(acts: list[str]) -> str:
    """Acts in a row; the same several times over is told once."""
    runs = [(act, len(list(many))) for act, many in itertools.groupby(acts)]
    return ", ".join(act if many == 1 else f"{act} x{many}" for act, many in runs)


def chosen(book_id: str, **options: object) -> Book:
    book = with_options(load_book(book_id), {name.replace("_", "-"): value for name, value in options.items()})
    assert isinstance(book, Book)
    return book


def a_driver(book: Book, *, people: dict[str, tuple[str, ...]] | None = None, seconds: int | None = None) -> Driver:
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    awards = SIGN if posted else {}
    return Driver(book, new_table(book, awards=awards, reset=1_000_000, people=people, decide_seconds=seconds))


def goes_on(driver: Driver, order: tuple[int, ...] = ORDER) -> str:
    """Does what is due until people must act, and tells it; a new deck lies in this order."""
    told = []
    while (act := due(driver.book, driver.table)) is not None:
        if isinstance(act, c.OpenBets) and (driver.table.rounds or "bets-opened" in told):
            break
        told.append(in_words(act))
        if isinstance(act, c.Shuffle):
            driver.seal(order, act.deck or "")
            act = replace(act, sealed=True)
        driver.must(act)
    return joined(told)


def staked(driver: Driver, *, side: bool = True) -> None:
    for box, player in ((2, "Ann"), (3, "Bob"), (5, "Cy")):
        driver.must(c.Ante(box=box, player=player, amount=1000))
    if side:
        driver.must(c.SideBet(box=2, player="Ann", amount=100))


def decided(driver: Driver) -> None:
    for number in (2, 3, 5):
        driver.must(c.Look(box=number))
        discard = round_of(driver).boxes[number].cards[0]
        lazy = c.Fold(box=number) if "fold" in driver.book.decide.choices else c.Stay(box=number, discard=discard)
        driver.must(c.Bet(box=number, discard=discard) if number != 3 else lazy)


NOTICES: tuple[Topic, ...] = ("rules", "limits", "pays", "games", "jackpot")
FIRST_ACTS: dict[str, list[c.Act]] = {
    "section10": [
        c.GiveNotice(about=NOTICES),
        c.RegisterDeck(
            deck="first",
            back="red",
            count=52,
            extras=(c.ExtraCard(kind="cutting card"), c.ExtraCard(kind="cover card")),
        ),
    ],
    "rws": [c.GiveNotice(about=NOTICES), c.RegisterDeck(deck="first", back="red", count=52)],
    "exchange": [c.GiveNotice(about=NOTICES), c.RegisterDeck(deck="first", back="red", count=52)],
    "washington": [
        c.GiveNotice(about=("rules", "limits", "jackpot")),
        c.GiveNotice(about=("games",), where="layout"),
        c.GiveNotice(about=("pays",), where="table-signage"),
        c.RegisterDevice(device="nexus command game manager", version="1.3.0"),
        c.RegisterDevice(device="nexus command table controller", version="2.0.0"),
        c.RegisterDevice(device="progressive display"),
        c.RegisterDeck(deck="first", back="red", count=52),
    ],
    "colorado-required": [
        c.GiveNotice(about=NOTICES),
        c.RegisterDeck(deck="first", back="red", count=52, extras=(c.ExtraCard(kind="cover card"),)),
    ],
}
FIRST_ACTS["colorado-permissible"] = FIRST_ACTS["colorado-required"]


@pytest.mark.parametrize("book_id", book_ids())
def test_a_new_table_is_noticed_fitted_and_opened_in_this_order(book_id: str) -> None:
    driver = a_driver(load_book(book_id))
    for act in (*FIRST_ACTS[book_id], c.ConfigureTable(), c.OpenTable()):
        assert due(driver.book, driver.table) == act
        driver.must(act)


@pytest.mark.parametrize("book_id", ROUNDS)
def test_a_whole_round_of_the_house(book_id: str) -> None:
    before, deal, after = ROUNDS[book_id]
    driver = a_driver(load_book(book_id))
    for act in (*FIRST_ACTS[book_id], c.ConfigureTable(), c.OpenTable()):
        driver.must(act)
    assert goes_on(driver) == f"{before}, bets-opened"
    staked(driver)
    assert due(driver.book, driver.table, betting_may_close=False) is None
    assert goes_on(driver) == deal
    decided(driver)
    mixed = before.removeprefix(f"{CARIBBEAN_OPENING}, ")
    assert goes_on(driver) == f"{after}, {mixed}"
    assert driver.table.violations == 0


#: The house's choices, and what they change of the acts before the first deal, and of the deal.
CHOICES: list[tuple[str, dict[str, object], str, str]] = [
    (
        "section10",
        {"shuffle_method": "automated", "second_deck": "two-deck"},
        "shuffle first, deck-loaded first, deck-to-shuffler second",
        "card-dealt x20, stub-to-rack",
    ),
    (
        "section10",
        {"shuffle_method": "automated", "dealing_method": "hand"},
        "shuffle first, deck-held first",
        "card-dealt x20, stub-to-rack",
    ),
    (
        "section10",
        {
            "shuffle_method": "automated",
            "dealing_method": "automated-shoe",
            "stub_count": "device-count-each-shuffle",
        },
        "shuffle first, device-count first #52, deck-loaded first",
        "packet-dealt x4, up-card, stub-to-rack",
    ),
    (
        "washington",
        {"dealing_method": "automatic-shuffler"},
        "shuffle first, deck-loaded first",
        "packet-dealt x4, up-card, stub-to-rack",
    ),
    (
        "washington",
        {"up_card_method": "turned-face-up"},
        "shuffle first, deck-held first",
        "card-dealt x20, up-card, stub-to-rack",
    ),
    ("rws", {"dealing_method": "electronic-shuffler"}, "shuffle first, deck-loaded first", "packet-dealt x4, up-card"),
]


@pytest.mark.parametrize(("book_id", "options", "mixed", "deal"), CHOICES)
def test_what_a_choice_of_the_house_changes(book_id: str, options: dict[str, object], mixed: str, deal: str) -> None:
    driver = a_driver(chosen(book_id, **options))
    driver.open_table()
    assert goes_on(driver) == f"{mixed}, bets-opened"
    staked(driver, side=False)
    driver.close_bets()
    assert goes_on(driver) == f"{deal}, go-ahead"
    decided(driver)
    driver.finish()
    # Of two decks the other one comes next.
    swapped = mixed.replace("first", "*").replace("second", "first").replace("*", "second")
    assert goes_on(driver) == (swapped if "second" in mixed else mixed)


def order_for(book: Book, hand: str) -> tuple[int, ...]:
    """A deck that gives box 2 of boxes 2, 3 and 5 this hand."""
    own, others = list(cards(hand)), [one for one in DECK if one not in cards(hand)]
    order = [others.pop(0)] if burns(book) else []
    order += [(own if due.to == box_place(2) else others).pop(0) for due in places(book, [2, 3, 5])]
    return (*order, *others)


ROYAL = "As Ks Qs Js Ts"
#: Ann looks at a royal flush, bets and has an award for it; Bob and Cy fold. What follows her look, and the reveal.
AWARDS = {
    "section10": (
        "",
        (
            "collect-chips 3, collect-cards 3, collect-chips 5, collect-cards 5, reveal, claim 2, turn-hand 2, reckon,"
            " pay 2, select-winner 2, supervisor-validated 2, pay-award 2, documentation-complete 2,"
            " collect-award-cards 2 #5, collect-cards, round-ended"
        ),
    ),
    "rws": (
        "",
        (
            "reveal, claim 2, turn-hand 2, reckon, collect-chips 3, collect-chips 5, pay 2, select-winner 2,"
            " supervisor-validated 2, pay-award 2, collect-cards 5 #5, collect-cards 3 #5, collect-cards 2 #5,"
            " collect-cards, round-ended"
        ),
    ),
    "exchange": (
        "claim 2, resume-tables",
        (
            "reveal, turn-hand 2, reckon, collect-chips 3, collect-chips 5, pay 2, select-winner 2,"
            " supervisor-validated 2, pay-award 2, collect-cards 5 #5, collect-cards 3 #5, collect-cards 2 #5,"
            " collect-cards, round-ended"
        ),
    ),
    "washington": (
        "",
        (
            "reveal, claim 2, turn-hand 2, reckon, collect-chips 3, collect-chips 5, pay 2, select-winner 2,"
            " call-supervisor 2, supervisor-validated 2, card-swipe 2, pay-award 2, fold-count 5 #5,"
            " collect-cards 5 #5, fold-count 3 #5, collect-cards 3 #5, collect-award-cards 2 #5, collect-cards,"
            " END GAME"
        ),
    ),
}


def royal_for_ann(book: Book, *, people: dict[str, tuple[str, ...]] | None = None) -> Driver:
    driver = a_driver(book, people=people)
    driver.open_bets(order_for(book, ROYAL))
    staked(driver)
    driver.close_bets(5_000_000)
    driver.deal()
    driver.must(c.Look(box=2))
    return driver


@pytest.mark.parametrize("book_id", AWARDS)
def test_the_way_of_an_award(book_id: str) -> None:
    looked, after = AWARDS[book_id]
    driver = royal_for_ann(load_book(book_id))
    assert goes_on(driver) == looked
    driver.must(c.Bet(box=2))
    for number in (3, 5):
        driver.must(c.Look(box=number))
        driver.must(c.Fold(box=number))
    assert goes_on(driver).startswith(f"{after}, shuffle first")


def test_a_silent_box_gives_no_notice_and_a_live_table_leaves_it_to_people() -> None:
    driver = royal_for_ann(load_book("exchange"))
    claim = due(driver.book, driver.table)
    assert isinstance(claim, c.Claim)
    assert (claim.box, claim.role) == (2, None)
    assert due(driver.book, driver.table, silent=(2,)) is None
    assert due(driver.book, driver.table, silent=(3,)) == claim
    assert due(driver.book, replace(driver.table, mode="live")) is None


@pytest.mark.parametrize(
    ("people", "by"),
    [(None, "executive"), ({"dealer": ("Di",), "supervisor": ("Sam",), "executive": ("Eve",)}, "")],
)
def test_who_swipes_the_card_of_an_award(people: dict[str, tuple[str, ...]] | None, by: str) -> None:
    driver = royal_for_ann(load_book("washington"), people=people)
    driver.must(c.Bet(box=2))
    for number in (3, 5):
        driver.must(c.Fold(box=number))
    act = driver.until(lambda one: isinstance(one, c.SwipeCard))
    assert act == c.SwipeCard(box=2, card="executive", by=by)


def test_the_posted_time_is_up_when_it_is_and_not_a_moment_sooner() -> None:
    driver = a_driver(load_book("section10"), seconds=20)
    goes_on(driver)
    staked(driver)
    goes_on(driver)
    driver.must(c.Look(box=2, at=5_000))
    driver.must(c.Bet(box=2, at=7_000))
    asked = 7_000
    assert due(driver.book, driver.table, at=asked + 19_999) is None
    assert due(driver.book, driver.table, at=None) is None
    late = due(driver.book, driver.table, at=asked + 20_000)
    assert late == c.TimeOut(box=3, at=asked + 20_000)
    assert due(driver.book, replace(driver.table, decide_seconds=None), at=asked + 90_000) is None


@pytest.mark.parametrize("book_id", ["colorado-required", "colorado-permissible"])
def test_the_reveal_waits_for_the_cards_that_are_laid_aside(book_id: str) -> None:
    driver = a_driver(load_book(book_id))
    goes_on(driver)
    driver.must(c.Ante(box=2, player="Ann", amount=1000))
    goes_on(driver)
    driver.must(c.Look(box=2))
    driver.must(c.Bet(box=2))
    assert due(driver.book, driver.table) is None
    driver.must(c.Discard(box=2, card=round_of(driver).boxes[2].cards[0]))
    assert due(driver.book, driver.table) == c.Reveal()


def test_nothing_is_due_while_a_question_is_open_and_the_games_go_on_first_when_they_stand_still() -> None:
    driver = a_driver(load_book("washington"))
    goes_on(driver)
    staked(driver)
    stopped = replace(driver.table, suspended="table 7")
    assert due(driver.book, stopped) == c.ResumeTables()
    assert not isinstance(driver.do(c.Report(mishap="interruption")), Refusal)
    assert due(driver.book, driver.table) is None
    assert due(driver.book, replace(driver.table, suspended="table 7")) is None


def test_a_shuffler_is_approved_twice_before_it_is_fitted() -> None:
    driver = a_driver(chosen("washington", dealing_method="automatic-shuffler"))
    acts = list[c.Act | c.Report]()
    while not isinstance(act := due(driver.book, driver.table), c.RegisterDeck):
        assert act is not None
        acts.append(act)
        driver.must(act)
    assert acts[-3:] == [
        c.RecordApproval(of="model", model="house model"),
        c.RecordApproval(of="maker", model="house model"),
        c.RegisterDevice(device="shuffler", model="house model"),
    ]


def test_no_notice_is_due_of_a_hand_that_was_never_whole() -> None:
    """A deal that broke off when nobody was left to play: who folded in it has no hand to speak of."""
    driver = at(load_book("washington"), "dealing")
    table = driver.table
    current = table.round
    assert current is not None
    lit = {"progressive": SideWager(stake=100, lit=True, trayed=True)}
    for held, claims in (((0, 1, 2), False), ((0, 1, 2, 3, 4), True)):
        box = replace(current.boxes[1], cards=held, choice="fold", sides=lit)
        shown = replace(current, phase="revealed", boxes={1: box}, dealer=(14,), strayed=True)
        act = due(driver.book, replace(table, round=shown))
        assert isinstance(act, c.Claim) == claims, act
