"""Wagers: what a handler does by itself, before any clause: its events to the last field, or its refusal."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.moment import Done
from aceking.table.phases import betting
from aceking.table.state import SideWager
from tests.table.handled import (
    COLORADO,
    EXCHANGE,
    ONE,
    RWS,
    STUD,
    WASHINGTON,
    at_table,
    boxed,
    events,
    in_round,
    no,
    now,
)
from tests.table.test_next_act import chosen
from tests.table.test_out_of_time import at


def test_a_round_is_opened_at_an_open_table_after_the_last_one() -> None:
    driver = at(STUD, "done")
    table = driver.table
    opened = ev.RoundOpened(number=2, at=7, deck="first", book=STUD.id, digest=STUD.digest, clause="X")
    assert betting.open_bets(now(driver, "X"), c.OpenBets()) == [opened]
    no(betting.open_bets(at_table(driver, open=False), c.OpenBets()), "BASE-open", "the table is not open")
    closed = betting.open_bets(at_table(driver, course="close-table"), c.OpenBets())
    no(closed, STUD.cite("void.last_word"), "the table is closed after a jackpot fault")
    again = betting.open_bets(now(at(STUD, "staked")), c.OpenBets())
    no(again, STUD.cite("ante.required"), "the round before is not over")
    assert table.rounds == 1


def test_an_ante_is_staked_raised_and_taken_back_within_the_limits() -> None:
    driver = at(STUD, "staked")
    driver.table = replace(driver.table, ante_min=500, ante_max=2000)
    staked = ev.Staked(box=1, player="player 1", wager="ante", amount=1000, games=2, clause="X")
    assert betting.ante(now(driver, "X"), c.Ante(**ONE, amount=1000, games=2)) == [staked]
    no(
        betting.ante(now(driver), c.Ante(**ONE, amount=-501)),
        "BASE-limit",
        "what is left would be under the minimum",
    )
    back = ev.Returned(box=1, wager="ante", amount=500)
    assert betting.ante(now(driver), c.Ante(**ONE, amount=-500)) == [back]
    all_back = [
        ev.Returned(box=1, wager="ante", amount=1000),
        ev.Returned(box=1, wager="progressive", amount=100, clause="BASE-chips"),
    ]
    assert betting.ante(now(driver), c.Ante(**ONE, amount=-1000)) == all_back
    with_bet = boxed(driver, 1, bet=2000, sides={})
    bet_back = ev.Returned(box=1, wager="bet", amount=2000, clause="BASE-chips")
    assert betting.ante(with_bet, c.Ante(**ONE, amount=-1000)) == [all_back[0], bet_back]
    no(
        betting.ante(now(driver), c.Ante(**ONE, amount=-1001)),
        "BASE-chips",
        "more is taken back than was staked",
    )
    new: dict[str, Any] = {"box": 3, "player": "Cy"}
    for amount in (500, 2000):
        assert isinstance(betting.ante(now(driver), c.Ante(**new, amount=amount)), list)
    under = betting.ante(now(driver), c.Ante(**new, amount=499))
    no(under, "BASE-limit", "the ante is under the minimum; raise it or take it back")
    for amount in (499, 2001):
        unseen = betting.ante(now(driver), c.Ante(**new, amount=amount, noticed=False))
        assert unseen == [ev.Staked(box=3, player="Cy", wager="ante", amount=amount)]


def test_what_is_over_the_maximum_goes_back_where_the_book_does_not_refuse_it() -> None:
    driver = at(RWS, "staked")
    driver.table = replace(driver.table, ante_max=2000)
    done = betting.ante(now(driver), c.Ante(**ONE, amount=1500))
    assert isinstance(done, list)
    staked, back = done
    assert staked == ev.Staked(box=1, player="player 1", wager="ante", amount=1500)
    assert isinstance(back, ev.Returned)
    assert (back.box, back.wager, back.amount) == (1, "ante", 500)
    # At the maximum nothing more is taken.
    driver.table = replace(driver.table, ante_max=1000)
    refused = betting.ante(now(driver), c.Ante(**ONE, amount=1))
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.clause) == ("the ante is over the maximum", back.clause)
    washington = at(WASHINGTON, "staked")
    washington.table = replace(washington.table, ante_max=2000)
    assert isinstance(betting.ante(now(washington), c.Ante(**ONE, amount=1500)), Refusal)


def test_an_ante_below_the_minimum_is_brought_up_to_it_unless_it_was_seen() -> None:
    driver = at(EXCHANGE, "dealt")
    driver.table = replace(driver.table, ante_min=1500)
    clause = EXCHANGE.cite("ante.top_up")
    staked = ev.Staked(box=1, player="player 1", wager="ante", amount=500, clause=clause)
    for act in (c.Ante(**ONE, amount=500), c.Ante(box=1, amount=500)):
        assert betting.ante(now(driver), act) == [staked]
    for amount in (499, 501):
        no(
            betting.ante(now(driver), c.Ante(**ONE, amount=amount)),
            clause,
            "the ante is brought up to the minimum, no further",
        )
    no(
        betting.ante(boxed(driver, 1, seen=True), c.Ante(**ONE, amount=500)),
        clause,
        "the player has looked: the ante stands as it is",
    )
    late = EXCHANGE.cite("wagers.after_close")
    for moment, act in (
        (now(driver), c.Ante(box=1, player="Bob", amount=500)),
        (now(driver), c.Ante(box=5, player="Cy", amount=500)),
        (boxed(driver, 1, ante=1500), c.Ante(**ONE, amount=500)),
        (boxed(driver, 1, void=True), c.Ante(**ONE, amount=500)),
        (at_table(driver, ante_min=None), c.Ante(**ONE, amount=500)),
    ):
        no(betting.ante(moment, act), late, "betting is not open")


def test_a_box_with_chips_belongs_to_its_player() -> None:
    driver = at(STUD, "staked")
    no(betting.ante(now(driver), c.Ante(box=1, player="Bob", amount=1000)), "BASE-box", "box 1 is player 1's")
    no(betting.ante(now(driver), c.Ante(box=5, amount=1000)), "BASE-input", "name the player")
    for house in ("layout", "tray", "meter"):
        no(
            betting.ante(now(driver), c.Ante(box=5, player=house, amount=1000)),
            "BASE-people",
            f"{house} is not a player at this table",
        )
    for out in ("void", "forfeited"):
        no(
            betting.ante(boxed(driver, 1, **{out: True}), c.Ante(**ONE, amount=1000)),
            "BASE-box",
            "box 1 is out of the round",
        )
    assert isinstance(betting.ante(now(driver), c.Ante(box=1, amount=1000)), list)
    # Without an ante a side bet alone holds a box, and without any chips it is free.
    assert isinstance(betting.ante(boxed(driver, 1, ante=0), c.Ante(box=1, player="Bob", amount=1000)), Refusal)
    freed = boxed(driver, 1, ante=0, sides={})
    assert isinstance(betting.ante(freed, c.Ante(box=1, player="Bob", amount=1000)), list)
    seats = STUD.table.seats_max
    assert isinstance(betting.ante(now(driver), c.Ante(box=seats, player="Cy", amount=1000)), list)
    for done in (
        betting.ante(now(driver), c.Ante(box=seats + 1, player="Cy", amount=1000)),
        betting.side_bet(now(driver), c.SideBet(box=seats + 1, player="Cy", amount=100)),
    ):
        no(done, STUD.cite("table.seats_max"), "the table has 9 places")


def test_a_side_wager_is_the_prescribed_chip_beside_an_ante() -> None:
    driver = at(STUD, "bets-opened")
    driver.must(c.Ante(**ONE, amount=1000))
    staked = ev.Staked(box=1, player="player 1", wager="progressive", amount=100, games=1, clause="X")
    assert betting.side_bet(now(driver, "X"), c.SideBet(**ONE, amount=100, games=1)) == [staked]
    dark = c.SideBet(**ONE, amount=100, lit=False, means="$1 coupon")
    assert betting.side_bet(now(driver), dark) == [replace(staked, lit=False, coupon=True, games=0, clause=None)]
    assert betting.side_bet(now(driver), c.SideBet(**ONE, amount=100, wager="progressive")) == [
        replace(staked, games=0, clause=None)
    ]
    for act, clause, reason in (
        (c.SideBet(box=5, player="Cy", amount=100), "progressive.needs_ante", "a side bet needs an ante on that box"),
        (c.SideBet(**ONE, amount=99), "progressive.wrong_stake", "the side bet is not the prescribed amount"),
        (
            c.SideBet(**ONE, amount=99, noticed=False),
            "progressive.wrong_stake",
            "the prescribed chip is taken and no other",
        ),
    ):
        no(betting.side_bet(now(driver), act), STUD.cite(clause), reason)
    unnoticed = c.SideBet(box=5, player="Cy", amount=100, noticed=False)
    assert betting.side_bet(now(driver), unnoticed) == [ev.Staked(box=5, player="Cy", wager="progressive", amount=100)]
    no(
        betting.side_bet(now(driver), c.SideBet(**ONE, amount=100, wager="bonus")),
        "BASE-input",
        "the side wager of this book is the progressive, not bonus",
    )
    no(
        betting.side_bet(at_table(driver, course="play-without-jackpot"), c.SideBet(**ONE, amount=100)),
        "BASE-known",
        "no jackpot bets are taken",
    )
    no(betting.side_bet(now(driver), c.SideBet(**ONE, amount=0)), "BASE-input", "name an amount greater than zero")
    no(betting.side_bet(now(driver), c.SideBet(**ONE)), "BASE-input", "name an amount greater than zero")
    down = now(at(STUD, "staked"))
    no(
        betting.side_bet(down, c.SideBet(**ONE, amount=100)),
        "BASE-chips",
        "there is a side bet on that box already",
    )
    assert betting.side_bet(down, c.SideBet(**ONE, amount=-100)) == [
        ev.Returned(box=1, wager="progressive", amount=100)
    ]
    for moment, act in ((down, c.SideBet(**ONE, amount=-99)), (down, c.SideBet(box=5, player="Cy", amount=-100))):
        no(betting.side_bet(moment, act), "BASE-chips", "all of the side wager is taken back, or none")
    late = betting.side_bet(now(at(STUD, "closed")), c.SideBet(**ONE, amount=100))
    no(late, STUD.cite("wagers.after_close"), "betting is not open")


def test_a_bonus_needs_no_light_and_is_taken_where_the_house_offers_it() -> None:
    driver = at(COLORADO, "bets-opened")
    driver.must(c.Ante(**ONE, amount=1000))
    lit = ev.Staked(box=1, player="player 1", wager="bonus", amount=100)
    assert betting.side_bet(now(driver), c.SideBet(**ONE, amount=100, lit=False)) == [lit]
    wrong = betting.side_bet(now(driver), c.SideBet(**ONE, amount=99, noticed=False))
    no(wrong, COLORADO.cite("bonus.stake"), "the prescribed chip is taken and no other")
    without = betting.side_bet(now(driver), c.SideBet(box=5, player="Cy", amount=100))
    no(without, COLORADO.cite("bonus.needs_ante"), "a side bet needs an ante on that box")
    none = chosen("colorado-required", bonus_wager="not-offered")
    no(
        betting.side_bet(replace(now(driver), book=none), c.SideBet(**ONE, amount=100)),
        none.cite("bonus.offered"),
        "the house offers no bonus wager",
    )


def test_the_close_sends_the_side_chips_to_the_tray_where_nothing_else_does() -> None:
    for book, done in (
        (RWS, [ev.Trayed(meter=500, clause="X")]),
        (EXCHANGE, [ev.Trayed(meter=500, clause="X")]),
        (STUD, []),
        (COLORADO, []),
    ):
        driver = at(book, "staked")
        assert betting.close_bets(now(driver, "X"), c.CloseBets(meter=500)) == done
    driver = at(WASHINGTON, "staked")
    assert betting.start_game(now(driver, "X"), c.StartGame(meter=500)) == [ev.Trayed(meter=500, clause="X")]
    empty = boxed(driver, 1, ante=0)
    assert empty.table.round is not None
    both = {number: replace(box, ante=0) for number, box in empty.table.round.boxes.items()}
    closers: list[Callable[..., Done]] = [betting.start_game, betting.close_bets]
    for act in closers:
        nobody = act(in_round(driver, boxes=both), c.StartGame())
        no(nobody, WASHINGTON.cite("ante.required"), "nobody has staked an ante")
        # The call or the key that closes the bets comes once.
        for moment in ("table-opened", "closed", "dealing", "done"):
            shut = act(now(at(WASHINGTON, moment)), c.StartGame())
            no(shut, "BASE-time", "betting is not open")


def test_a_chip_without_its_light_goes_back_at_the_close() -> None:
    driver = at(STUD, "staked")
    driver.must(c.CloseBets())
    dark = {"progressive": SideWager(stake=100, lit=False)}
    back = ev.Returned(box=1, wager="progressive", amount=100, clause=STUD.cite("progressive.light"))
    assert betting.dark_chips(boxed(driver, 1, sides=dark)) == [back]
    assert betting.dark_chips(boxed(driver, 1, sides=dark, forfeited=True)) == []
    assert betting.dark_chips(now(driver)) == []
    counted = betting.count_chips(boxed(driver, 1, sides=dark), c.CountChips(count=1, meter=500))
    assert counted == [back, ev.Trayed(meter=500)]
    rws = at(RWS, "staked")
    assert betting.dark_chips(replace(boxed(rws, 1, sides=dark), clause="X")) == [replace(back, clause="X")]
    assert betting.dark_chips(boxed(rws, 1, sides=dark)) == [replace(back, clause="BASE-chips")]


def test_chips_are_held_against_lights_and_a_difference_is_a_question() -> None:
    driver = at(STUD, "staked")
    no(
        betting.count_chips(now(driver), c.CountChips(count=2)),
        "BASE-time",
        "the chips are counted between the close and the deal",
    )
    driver.must(c.CloseBets())
    assert betting.count_chips(now(driver, "X"), c.CountChips(count=2, meter=9)) == [ev.Trayed(meter=9, clause="X")]
    assert betting.count_chips(now(driver), c.CountChips()) == [ev.Trayed()]
    clause = STUD.rules_on("chip-light-mismatch")
    assert clause is not None
    for count in (1, 3):
        asked = ev.Asked(
            question=1,
            mishap="chip-light-mismatch",
            of="supervisor",
            what=f"{count} chips and 2 lights",
            clause=clause,
        )
        ruled = ev.Ruled(mishap="chip-light-mismatch", given=(), then="hold-deal", clause=clause)
        assert betting.count_chips(now(driver), c.CountChips(count=count)) == [ruled, asked]
    coupon = {"progressive": SideWager(stake=100, lit=True, coupon=True)}
    assert betting.count_chips(boxed(driver, 1, sides=coupon), c.CountChips(count=1)) == [ev.Trayed()]
    wrong = betting.count_chips(boxed(driver, 1, sides=coupon), c.CountChips(count=2))
    assert isinstance(wrong, list)
    assert isinstance(wrong[1], ev.Asked)
    assert wrong[1].what == "2 chips and 2 lights, 1 of them by coupon"
    tray = now(at(STUD, "closed"))
    no(betting.count_chips(tray, c.CountChips(count=2)), "BASE-chips", "the chips are in the tray already")
    no(betting.count_chips(now(at(STUD, "done")), c.CountChips()), "BASE-time", "there is no round")


def test_a_player_with_several_boxes_is_told_that_only_one_hand_may_be_looked_at() -> None:
    driver = at(RWS, "bets-opened")
    for number, player in ((1, "Ann"), (2, "Ann"), (3, "Bob"), (4, "Cy"), (5, "Cy")):
        driver.must(c.Ante(box=number, player=player, amount=1000))
    ann, cy = ev.Told(player="Ann", clause="X"), ev.Told(player="Cy", clause="X")
    for act, told in (
        (c.TellOneHand(), [ann, cy]),
        (c.TellOneHand(player="Cy"), [cy]),
        (c.TellOneHand(box=1), [ann]),
        (c.TellOneHand(box=3), []),
        (c.TellOneHand(box=7), [ann, cy]),
    ):
        assert betting.tell_one_hand(now(driver, "X"), act) == told
    no(betting.tell_one_hand(now(at(RWS, "done")), c.TellOneHand()), "BASE-time", "there is no round")


def test_a_book_that_is_silent_on_chips_and_lights_leaves_it_to_the_last_word() -> None:
    assert WASHINGTON.rules_on("chip-light-mismatch") is None
    closed = boxed(at(WASHINGTON, "closed"), 1, sides={"progressive": SideWager(100)})
    done = events(betting.count_chips(closed, c.CountChips(count=5)))
    assert {one.clause for one in done} == {WASHINGTON.cite("void.last_word")}
