"""Decisions: what a handler does by itself, before any clause: its events to the last field, or its refusal."""

from pathlib import Path

from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.phases import deciding, majors
from tests.rules.test_inheritance import heir
from tests.table.handled import COLORADO, EXCHANGE, RWS, STUD, asked, at_table, boxed, events, in_round, no, now
from tests.table.test_driver import round_of
from tests.table.test_next_act import chosen, royal_for_ann
from tests.table.test_out_of_time import at


def test_a_look_is_put_down_once_and_at_cards_that_lie_there() -> None:
    driver = asked(STUD, seen=False)
    assert deciding.look(now(driver, "X"), c.Look(box=1)) == [ev.Looked(box=1, at=7, clause="X")]
    assert deciding.look(boxed(driver, 1, seen=True), c.Look(box=1)) == []
    for gone in ({"cards": ()}, {"racked": True}):
        no(deciding.look(boxed(driver, 1, **gone), c.Look(box=1)), "BASE-time", "there are no cards to look at")
    no(deciding.look(now(driver), c.Look(box=5)), "BASE-box", "box 5 is not in the round")
    no(deciding.look(boxed(driver, 1, ante=0), c.Look(box=1)), "BASE-box", "box 1 is not in the round")
    for out in ("void", "forfeited"):
        no(deciding.look(boxed(driver, 1, **{out: True}), c.Look(box=1)), "BASE-box", "box 1 is out of the round")
    no(deciding.look(now(at(STUD, "done")), c.Look(box=1)), "BASE-time", "there is no round")


def test_a_second_look_of_one_player_is_refused_by_the_page_and_ruled_on_at_a_live_table() -> None:
    driver = at(RWS, "bets-opened")
    for number, player in ((1, "Ann"), (2, "Ann"), (3, "Bob")):
        driver.must(c.Ante(box=number, player=player, amount=1000))
    driver.close_bets()
    driver.deal()
    driver.must(c.Look(box=1))
    second = deciding.look(now(driver), c.Look(box=2))
    no(second, RWS.cite("table.hands_seen"), "Ann has looked at box 1")
    assert deciding.look(now(driver), c.Look(box=3)) == [ev.Looked(box=3, at=7)]
    live = events(deciding.look(at_table(driver, mode="live"), c.Look(box=2)))
    assert live[0] == ev.Looked(box=2, at=7)
    assert isinstance(live[1], ev.Ruled | ev.Asked)
    assert (live[1].mishap, live[1].boxes) == ("second-look", (2,))


def test_who_picks_up_before_the_deal_is_over_is_ruled_on_where_the_book_has_a_rule() -> None:
    early = events(deciding.look(now(at(EXCHANGE, "dealing")), c.Look(box=1)))
    assert early[0] == ev.Looked(box=1, at=7)
    assert isinstance(early[1], ev.Ruled | ev.Asked)
    assert (early[1].mishap, early[1].boxes) == ("early-pick-up", (1,))
    assert not STUD.rules_on("early-pick-up")
    assert deciding.look(now(at(STUD, "dealing")), c.Look(box=1)) == [ev.Looked(box=1, at=7)]


def test_a_card_is_bought_for_one_ante() -> None:
    driver = asked(EXCHANGE)
    given, taken = DECK[0], DECK[15]
    bought = [
        ev.Staked(box=1, player="player 1", wager="exchange", amount=1000, clause="X"),
        ev.Swapped(box=1, give=given, take=taken, clause="X"),
        ev.Looked(box=1, at=7, clause="X"),
    ]
    assert deciding.exchange(now(driver, "X"), c.Exchange(box=1, give=(given,))) == bought
    assert deciding.exchange(now(driver, "X"), c.Exchange(box=1, give=(given,), amount=1000)) == bought
    for amount in (-1000, 0, 999, 1001):
        wrong = deciding.exchange(now(driver, "X"), c.Exchange(box=1, give=(given,), amount=amount))
        no(wrong, "EUR-exchange-1", "the price is the ante")
    again = deciding.exchange(boxed(driver, 1, give=51, take=50), c.Exchange(box=1, give=(given,)))
    no(again, "EUR-exchange-1", "box 1 has exchanged already")
    blind = replace(boxed(driver, 1, bet=2000), clause="X")
    back = ev.Returned(box=1, wager="bet", amount=2000, clause=EXCHANGE.cite("bet.blind"))
    assert deciding.exchange(blind, c.Exchange(box=1, give=(given,))) == [back, *bought]
    no(
        deciding.exchange(now(driver), c.Exchange(box=1, give=(given,), take=DECK[16])),
        "BASE-deck",
        "that is not the next card of the deck",
    )


def test_a_box_decides_once_in_its_turn_and_with_a_whole_hand() -> None:
    driver = asked(EXCHANGE)
    fold = c.Fold(box=1)
    choices = EXCHANGE.cite("decide.choices")
    for choice, clause in (
        ("fold", EXCHANGE.cite("fold.ante")),
        ("bet", choices),
        ("stay", choices),
        ("declare", choices),
    ):
        no(deciding.decide_box(boxed(driver, 1, choice=choice), fold), clause, "box 1 has decided")
    unseen = deciding.decide_box(boxed(driver, 1, choice="bet", unseen=True), fold)
    no(unseen, EXCHANGE.cite("bet.blind"), "box 1 has decided")
    never = deciding.decide_box(boxed(asked(STUD), 1, choice="bet", unseen=True), fold)
    no(never, STUD.cite("decide.choices"), "box 1 has decided")
    for phase in ("betting", "closed", "revealed"):
        no(
            deciding.decide_box(in_round(driver, phase=phase), fold),
            choices,
            "this is not the time for decisions",
        )
    # After the last card the first decision does for a go-ahead.
    assert isinstance(deciding.decide_box(in_round(driver, phase="dealing"), fold), list)
    no(deciding.decide_box(boxed(driver, 1, left=True), fold), "BASE-box", "the player of box 1 has left")
    away = deciding.decide_box(boxed(driver, 1, racked=True), fold)
    assert isinstance(away, Refusal)
    assert away.reason == "the cards of box 1 are in the rack"
    assert away.clause == (EXCHANGE.rules_on("raked-cards") or EXCHANGE.cite("void.last_word"))
    four = deciding.decide_box(boxed(driver, 1, cards=DECK[:4]), fold)
    assert isinstance(four, Refusal)
    assert four.reason.startswith("box 1 has 4 cards, not 5")
    no(deciding.decide_box(now(driver), c.Fold(box=2)), EXCHANGE.cite("decide.order"), "box 1 decides first")
    # A blind bet is a bet already: the dealer goes past it, and then it stands.
    past = deciding.decide_box(boxed(driver, 1, bet=2000), c.Fold(box=2))
    assert past == [
        ev.Decided(box=1, choice="bet", clause=EXCHANGE.cite("bet.blind")),
        ev.Decided(box=2, choice="fold", clause=EXCHANGE.cite("fold.ante")),
        *events(past)[2:],
    ]
    assert isinstance(deciding.decide_box(now(asked(STUD)), c.Fold(box=2)), list)


def test_a_bet_is_the_size_of_the_book_and_a_fold_gives_up() -> None:
    driver = asked(STUD)
    clause = STUD.cite("bet.antes")
    bet = [
        ev.Staked(box=1, player="player 1", wager="bet", amount=2000, clause=clause),
        ev.Decided(box=1, choice="bet", clause=clause),
    ]
    for amount in (None, 2000):
        assert deciding.decide_box(now(driver, "X"), c.Bet(box=1, amount=amount)) == bet
    odd = deciding.decide_box(now(driver, "X"), c.Bet(box=1, amount=1999, noticed=False))
    assert odd == [replace(bet[0], amount=1999), bet[1]]
    for amount in (1999, 2001):
        no(
            deciding.decide_box(now(driver), c.Bet(box=1, amount=amount)),
            clause,
            "the bet is not the size that the book prescribes",
        )
    for amount in (0, -1):
        no(deciding.decide_box(now(driver), c.Bet(box=1, amount=amount)), clause, "a bet is more than nothing")
    down = boxed(driver, 1, bet=2000)
    assert deciding.decide_box(down, c.Bet(box=1)) == [bet[1]]
    no(deciding.decide_box(down, c.Bet(box=1, amount=2000)), clause, "there is a bet down already")
    fold = deciding.decide_box(down, c.Fold(box=1))
    no(fold, STUD.governs("fold") or clause, "there is no fold with a bet down")
    folded = events(deciding.decide_box(now(driver), c.Fold(box=1)))
    assert folded[0] == ev.Decided(box=1, choice="fold", clause=STUD.cite("fold.ante"))
    assert isinstance(folded[1], ev.RoundSettled)
    no(deciding.decide_box(now(driver), c.Stay(box=1)), STUD.cite("bet.required"), "staying in takes a bet")
    no(
        deciding.decide_box(now(driver), c.Declare(box=1)),
        STUD.cite("decide.choices"),
        "declare is not offered",
    )


def test_a_box_that_stays_lays_a_card_aside_with_its_word_or_after_it() -> None:
    book = load_book("colorado-permissible")
    driver = asked(book)
    own = round_of(driver).boxes[1].cards
    clause = book.cite("bet.antes")
    stays = ev.Decided(box=1, choice="stay", clause=clause)
    aside = ev.Discarded(box=1, card=own[1], clause=clause)
    assert deciding.decide_box(now(driver), c.Stay(box=1)) == [stays]
    assert deciding.decide_box(now(driver), c.Stay(box=1, discard=own[1])) == [aside, stays]
    # A bet of nothing is a stay.
    assert deciding.decide_box(now(driver), c.Bet(box=1, amount=0, discard=own[1])) == [aside, stays]
    assert deciding.decide_box(boxed(driver, 1, discard=own[0]), c.Stay(box=1, discard=own[1])) == [stays]
    foreign = round_of(driver).boxes[2].cards[0]
    no(
        deciding.decide_box(now(driver), c.Stay(box=1, discard=foreign)),
        "BASE-deck",
        "the discard is not in the hand",
    )
    no(
        deciding.decide_box(boxed(driver, 1, discard=own[0]), c.Declare(box=1)),
        book.cite("instant.no_bet"),
        "a card is laid aside: the player goes on",
    )
    lay = c.Discard(box=1, card=own[1])
    # No bet comes after it: without one the player goes on with the ante alone.
    assert deciding.discard(now(driver, "X"), lay) == [replace(aside, clause="X"), stays]
    for choice in ("bet", "stay"):
        decided_ = replace(boxed(driver, 1, choice=choice), clause="X")
        assert deciding.discard(decided_, lay) == [replace(aside, clause="X")]
    # It is a decision like any other, and waits for its turn.
    sooner = deciding.discard(now(driver), c.Discard(box=2, card=round_of(driver).boxes[2].cards[0]))
    no(sooner, book.cite("decide.order"), "box 1 decides first")
    # Where staying in takes a bet, a card laid aside decides nothing.
    required = asked(COLORADO)
    held = round_of(required).boxes[1].cards[1]
    alone = ev.Discarded(box=1, card=held, clause="X")
    assert deciding.discard(now(required, "X"), c.Discard(box=1, card=held)) == [alone]
    for moment, clause_, reason in (
        (in_round(driver, phase="dealing"), "BASE-time", "no card is discarded now"),
        (boxed(driver, 1, discard=own[0]), "BASE-time", "a card is discarded already"),
        (boxed(driver, 1, choice="fold"), "BASE-time", "box 1 has decided, and has no card to lay aside"),
        (boxed(driver, 1, choice="declare"), "BASE-time", "box 1 has decided, and has no card to lay aside"),
    ):
        no(deciding.discard(moment, lay), clause_, reason)
    no(deciding.discard(now(driver), c.Discard(box=1, card=foreign)), "BASE-deck", "the discard is not in the hand")
    no(deciding.discard(now(driver), c.Discard(box=5, card=foreign)), "BASE-box", "box 5 is not in the round")
    gone = deciding.discard(boxed(driver, 1, racked=True), lay)
    assert isinstance(gone, Refusal)
    assert gone.reason == "the cards of box 1 are in the rack"
    no(
        deciding.discard(now(asked(STUD)), c.Discard(box=1, card=DECK[0])),
        "BASE-time",
        "no card is discarded now",
    )


def test_a_wrong_declaration_is_ruled_on_and_a_right_one_is_paid() -> None:
    driver = asked(COLORADO)
    for held, right in (("9h 8h 7h", True), ("9h 9c 9d", True), ("9h 8h 6h", False)):
        done = events(deciding.decide_box(boxed(driver, 1, cards=cards(held)), c.Declare(box=1)))
        assert done[0] == ev.Decided(box=1, choice="declare", clause=COLORADO.cite("instant.no_bet"))
        ruled = [one.mishap for one in done if isinstance(one, ev.Ruled | ev.Asked)]
        assert ruled == ([] if right else ["wrong-declaration"])
        assert isinstance(done[-1], ev.RoundSettled)


def test_a_posted_time_runs_out_to_the_second() -> None:
    driver = asked(STUD)
    act = c.TimeOut(box=1)
    no(deciding.time_out(now(driver), act), "BASE-limit", "no time limit is posted at this table")
    start = round_of(driver).turn_at
    timed = at_table(driver, decide_seconds=20)
    for left, seconds in ((20_000, 20), (19_001, 20), (19_000, 19), (1, 1)):
        early = replace(timed, at=start + 20_000 - left)
        no(deciding.time_out(early, act), "BASE-limit", f"box 1 has {seconds} seconds left")
    up = events(deciding.time_out(replace(timed, at=start + 20_000), act))
    assert isinstance(up[0], ev.Ruled | ev.Asked)
    assert up[0].mishap == "walk-away"
    alone = replace(timed, at=start + 20_000, table=replace(timed.table, attended=False))
    answered = [one for one in events(deciding.time_out(alone, act)) if isinstance(one, ev.Answered)]
    assert [(one.then, one.by, one.question) for one in answered] == [("deemed-fold", "house", 1)]


def test_notice_of_a_hand_is_given_while_its_cards_lie_there() -> None:
    driver = asked(STUD)
    claimed = ev.Claimed(box=1, clause="X")
    assert deciding.claim(now(driver, "X"), c.Claim(box=1)) == [claimed]
    own = STUD.cite("progressive.claim")
    assert deciding.claim(now(driver), c.Claim(box=1)) == [replace(claimed, clause=own)]
    no(deciding.claim(boxed(driver, 1, racked=True), c.Claim(box=1)), own, "the cards have been collected")
    no(deciding.claim(now(driver), c.Claim(box=5)), "BASE-box", "box 5 is not in the round")
    royal = royal_for_ann(chosen("exchange", undeclared_major="forfeit"))
    stop = ev.Suspended(cause="box 2", clause=EXCHANGE.cite("progressive.tables_meanwhile"))
    assert deciding.claim(now(royal, "X"), c.Claim(box=2)) == [replace(claimed, box=2), stop]
    shown = replace(in_round(royal, phase="revealed"), clause="X")
    assert deciding.claim(shown, c.Claim(box=2)) == [replace(claimed, box=2)]
    late = deciding.claim(boxed(royal, 2, choice="bet"), c.Claim(box=2))
    no(late, EXCHANGE.cite("progressive.undeclared_major"), "it was not declared when it was seen")
    others: list[dict[str, object]] = [{"seen": False}, {"sides": {}}]
    for other in others:
        assert isinstance(deciding.claim(boxed(royal, 2, choice="bet", **other), c.Claim(box=2)), list)
    kind = royal_for_ann(chosen("exchange", undeclared_major="pay-if-shown"))
    assert isinstance(deciding.claim(boxed(kind, 2, choice="bet"), c.Claim(box=2)), list)


def test_the_games_stand_still_and_go_on() -> None:
    driver = at(EXCHANGE, "dealt")
    stop = ev.Suspended(cause="table 7", clause="X")
    assert majors.suspend(now(driver, "X"), c.SuspendTables(cause="table 7")) == [stop]
    no(majors.resume(now(driver), c.ResumeTables()), "BASE-time", "nothing is suspended")
    no(majors.resume(now(driver, "X"), c.ResumeTables()), "X", "the games are not suspended")
    assert majors.resume(at_table(driver, suspended="box 2"), c.ResumeTables()) == [ev.Resumed()]


def test_staff_lay_down_what_a_player_would() -> None:
    driver = at(STUD, "staked")
    ante = c.PlaceForPlayer(box=3, player="Cy", wager="ante", amount=700)
    assert deciding.place(now(driver), ante) == [ev.Staked(box=3, player="Cy", wager="ante", amount=700)]
    side = c.PlaceForPlayer(box=5, player="Cy", wager="side", amount=100, noticed=False, means="coupon", games=1)
    assert deciding.place(now(driver), side) == [
        ev.Staked(box=5, player="Cy", wager="progressive", amount=100, coupon=True, games=1)
    ]
    bet = c.PlaceForPlayer(box=1, player="player 1", wager="bet", amount=1999, noticed=False)
    assert deciding.place(now(asked(STUD)), bet) == [
        ev.Staked(box=1, player="player 1", wager="bet", amount=1999, clause=STUD.cite("bet.antes")),
        ev.Decided(box=1, choice="bet", clause=STUD.cite("bet.antes")),
    ]


def test_a_blind_bet_is_not_taken_back_once_it_is_a_decision() -> None:
    driver = asked(EXCHANGE)
    driver.must(c.Bet(box=1))
    back = deciding.decide_box(now(driver), c.Bet(box=1, amount=-2000))
    no(back, EXCHANGE.cite("bet.blind"), "the dealer has gone on")


def test_a_chosen_bet_lies_within_the_limit_of_a_wager(tmp_path: Path) -> None:
    sizes = """
from = "washington"
id = "sizes"
[[clause]]
id = "SZ-1"
topic = "bet"
actor = "player"
says = "The bet is one to three antes, as the player chooses."
set.bet.antes = 1
set.bet.antes_max = 3
"""
    chosen_bet = c.Bet(box=1, amount=3000)
    for limit, taken in (("30", True), ("29", False)):
        book = with_options(heir(tmp_path, sizes), {"wager-limits": limit})
        assert isinstance(book, Book)
        done = deciding.decide_box(now(asked(book)), chosen_bet)
        if taken:
            assert [one.amount for one in events(done) if isinstance(one, ev.Staked)] == [3000]
        else:
            no(done, "WA-0-limits", "the bet would pass the limit of a single wager")
