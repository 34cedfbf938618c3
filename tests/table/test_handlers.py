"""What the handler of an act does by itself, before any clause: its events to the last field, or its refusal."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.card import card, cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Actor
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.awarding import award_line
from aceking.table.dealer.driver import Driver
from aceking.table.decide import decide
from aceking.table.now import Done, Now
from aceking.table.phases import awards, betting, closing, dealing, deciding, majors, opening
from aceking.table.place import BOXED, BURN, COMMUNITY, DEALER, STUB, box_place
from aceking.table.procedure.orders import orders
from aceking.table.reckon import owed
from aceking.table.state import Box, Device, Round, SideWager
from tests.table.test_driver import round_of
from tests.table.test_due import chosen, royal_for_ann
from tests.table.test_out_of_time import at

STUD, EXCHANGE, RWS = load_book("section10"), load_book("exchange"), load_book("rws")
COLORADO, WASHINGTON = load_book("colorado-required"), load_book("washington")
ONE: dict[str, Any] = {"box": 1, "player": "player 1"}


def now(driver: Driver, clause: str | None = None, *, by: str = "Di", role: Actor = "dealer", time: int = 7) -> Now:
    return Now(driver.book, driver.table, driver.shoe, time, by, role, clause)


def no(done: object, clause: str, reason: str) -> None:
    assert done == Refusal(reason, clause)


def boxed(driver: Driver, number: int, **what: object) -> Now:
    """The moment with a box as it is not."""
    current = round_of(driver)
    box: Box = replace(current.boxes[number], **what)
    return in_round(driver, boxes={**current.boxes, number: box})


def in_round(driver: Driver, **what: object) -> Now:
    current: Round = replace(round_of(driver), **what)
    return replace(now(driver), table=replace(driver.table, round=current))


def at_table(driver: Driver, **what: object) -> Now:
    return replace(now(driver), table=replace(driver.table, **what))


# Wagers


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


def test_whose_box_it_is() -> None:
    driver = at(STUD, "staked")
    no(betting.ante(now(driver), c.Ante(box=1, player="Bob", amount=1000)), "BASE-box", "box 1 is player 1's")
    no(betting.ante(now(driver), c.Ante(box=5, amount=1000)), "BASE-input", "which player is it?")
    for house in ("layout", "tray", "meter"):
        no(
            betting.ante(now(driver), c.Ante(box=5, player=house, amount=1000)),
            "BASE-people",
            f"{house} is no player",
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
    no(betting.side_bet(now(driver), c.SideBet(**ONE, amount=0)), "BASE-input", "how much is staked?")
    no(betting.side_bet(now(driver), c.SideBet(**ONE)), "BASE-input", "how much is staked?")
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
    for book, events in (
        (RWS, [ev.Trayed(meter=500, clause="X")]),
        (EXCHANGE, [ev.Trayed(meter=500, clause="X")]),
        (STUD, []),
        (COLORADO, []),
    ):
        driver = at(book, "staked")
        assert betting.close_bets(now(driver, "X"), c.CloseBets(meter=500)) == events
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


def test_who_has_several_boxes_is_told_of_the_one_hand() -> None:
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


# The deal


def test_a_card_is_burnt_once_before_the_first_and_only_where_the_book_burns() -> None:
    driver = at(RWS, "closed")
    (dealt,) = events(dealing.burn(now(driver, "X"), c.Burn()))
    assert dealt == ev.Dealt(card=DECK[0], to=BURN, clause="X")
    for moment in (in_round(driver, burn=(card("2c"),)), in_round(driver, placed=1)):
        no(dealing.burn(moment, c.Burn()), RWS.cite("deal.burn"), "no card is burnt now")
    no(dealing.burn(now(at(STUD, "closed")), c.Burn()), STUD.cite("deal.burn"), "no card is burnt now")
    for name in ("staked", "dealt", "done"):
        early = dealing.burn(now(at(RWS, name)), c.Burn())
        no(early, RWS.cite("wagers.closes"), "this is not the time to deal")


def events(done: Done) -> list[ev.Event]:
    assert isinstance(done, list), done
    return done


def test_a_card_goes_where_it_is_due_or_is_on_the_record_as_astray() -> None:
    driver = at(STUD, "dealing")
    second = ev.Dealt(card=DECK[1], to=box_place(2), clause="X")
    assert dealing.deal_card(now(driver, "X"), c.DealCard()) == [second]
    assert dealing.deal_card(now(driver, "X"), c.DealCard(to=box_place(2))) == [second]
    order = next(one.clause for one in orders(STUD)["card-dealt"] if "deal-in-order" in one.needs)
    astray = ev.Violated(what="a card went to box 1 and was due to box 2", by="Di", at=7, clause=order)
    for who, name in (("Di", "Di"), ("", "dealer")):
        wrong = c.DealCard(to=box_place(1), by=who, role="dealer")
        assert dealing.deal_card(now(driver, "X"), wrong) == [
            replace(second, to=box_place(1), stray=True),
            replace(astray, by=name),
        ]
    for number in (1, STUD.table.seats_max):
        assert isinstance(dealing.deal_card(now(driver), c.DealCard(to=box_place(number), role="dealer")), list)
    for place in (box_place(STUD.table.seats_max + 1), box_place(0), COMMUNITY, BOXED):
        no(
            dealing.deal_card(now(driver), c.DealCard(to=place)),
            "BASE-input",
            f"there is no place {place.words!r} to deal to",
        )
    driver.deal_some(1)
    # The dealer's first card lies face up.
    assert dealing.deal_card(now(driver), c.DealCard()) == [ev.Dealt(card=DECK[2], to=DEALER, face="up")]
    assert dealing.deal_card(now(driver), c.DealCard(face="up")) == [ev.Dealt(card=DECK[2], to=DEALER, face="up")]
    assert dealing.deal_card(in_round(driver, up=card("2c")), c.DealCard()) == [ev.Dealt(card=DECK[2], to=DEALER)]
    driver.deal_some(13)
    over = replace(now(driver), clause=None)
    none = dealing.deal_card(over, c.DealCard())
    assert isinstance(none, Refusal)
    assert none.reason == "every hand has its cards"
    sixth = events(dealing.deal_card(over, c.DealCard(to=box_place(1), role="dealer")))
    assert isinstance(sixth[1], ev.Violated)
    assert sixth[1].what == "a card went to box 1; none was due"


def test_a_card_that_is_dealt_face_up_by_mistake_is_ruled_on() -> None:
    driver = at(STUD, "dealing")
    done = events(dealing.deal_card(now(driver), c.DealCard(face="up")))
    ruled = next(one for one in done if isinstance(one, ev.Ruled | ev.Asked))
    assert (ruled.mishap, ruled.boxes, ruled.cards) == ("cards-exposed", (2,), (DECK[1],))
    driver.deal_some(4)
    hole = events(dealing.deal_card(now(driver), c.DealCard(face="up")))
    ruled = next(one for one in hole if isinstance(one, ev.Ruled | ev.Asked))
    assert (ruled.mishap, ruled.boxes, ruled.cards) == ("hole-card-exposed", (), (DECK[5],))


def test_a_packet_is_a_whole_hand_or_on_the_record_as_short() -> None:
    driver = at(EXCHANGE, "dealing")
    five = [ev.Dealt(card=one, to=box_place(2), clause="X") for one in DECK[5:10]]
    assert dealing.deal_packet(now(driver, "X"), c.DealPacket()) == five
    assert dealing.deal_packet(now(driver, "X"), c.DealPacket(cards=DECK[5:10])) == five
    # A stack that the device gave too short is its own fault, and no breach of the dealer.
    for size in (1, 4):
        short = events(dealing.deal_packet(now(driver, "X"), c.DealPacket(cards=DECK[5 : 5 + size])))
        assert short == [replace(one, stray=True) for one in five[:size]]
    astray = events(dealing.deal_packet(now(driver, "X"), c.DealPacket(to=box_place(1), role="dealer")))
    assert astray[:5] == [replace(one, to=box_place(1), stray=True) for one in five]
    assert [one.what for one in astray[5:] if isinstance(one, ev.Violated)] == [
        "a packet went to box 1 and was due to box 2"
    ]
    for wrong in ((), DECK[5:11]):
        no(
            dealing.deal_packet(now(driver), c.DealPacket(cards=wrong)),
            EXCHANGE.cite("deal.packets"),
            "a packet has 5 cards",
        )
    no(dealing.deal_card(now(driver), c.DealCard()), EXCHANGE.cite("deal.packets"), "hands are dealt in packets here")
    assert isinstance(dealing.deal_card(now(driver), c.DealCard(to=box_place(2), role="dealer")), list)
    single = dealing.deal_packet(now(at(STUD, "dealing")), c.DealPacket())
    no(single, STUD.cite("deal.up_single"), "cards are dealt one at a time here")
    up = events(dealing.deal_packet(now(driver), c.DealPacket(face="up")))
    ruled = next(one for one in up if isinstance(one, ev.Ruled | ev.Asked))
    assert (ruled.mishap, ruled.boxes, ruled.cards) == ("cards-exposed", (2,), DECK[5:10])


def test_the_up_card_is_the_one_of_the_book() -> None:
    driver = at(EXCHANGE, "closed")
    driver.deal_some(2)
    no(dealing.turn_up(now(driver), c.TurnUpCard()), "BASE-time", "the dealer has no cards")
    driver.deal_some(1)
    assert dealing.turn_up(now(driver, "X"), c.TurnUpCard()) == [ev.UpCard(card=DECK[14], clause="X")]
    assert dealing.turn_up(in_round(driver, up=DECK[14]), c.TurnUpCard()) == []
    driver = at(STUD, "dealing")
    driver.deal_some(3)
    # A first card that lay face down by mistake is turned at once; where cards went astray, after the deal.
    assert dealing.turn_up(in_round(driver, up=None), c.TurnUpCard()) == [ev.UpCard(card=DECK[2])]
    hidden = in_round(driver, up=None, strayed=True)
    no(dealing.turn_up(hidden, c.TurnUpCard()), "BASE-time", "the up-card is dealt face up")
    driver = at(STUD, "dealt")
    assert dealing.turn_up(in_round(driver, up=None), c.TurnUpCard()) == [ev.UpCard(card=DECK[2])]
    last = at(WASHINGTON, "dealt")
    assert dealing.turn_up(in_round(last, up=None), c.TurnUpCard()) == [ev.UpCard(card=DECK[14])]
    turned = at(chosen("washington", up_card_method="turned-face-up"), "dealing")
    turned.deal_some(4)
    no(dealing.turn_up(now(turned), c.TurnUpCard()), "BASE-time", "the deal is not finished")


def test_the_stub_is_racked_once_and_counted_when_the_hands_are_dealt() -> None:
    driver = at(STUD, "dealing")
    driver.deal_some(14)
    stub = ev.Racked(what=STUB, count=37, clause="X")
    assert dealing.stub_to_rack(now(driver, "X"), c.RackStub()) == [stub]
    assert dealing.stub_to_rack(now(driver, "X"), c.RackStub(face="up")) == [replace(stub, exposed=True)]
    for count in (None, 37):
        assert dealing.count_stub(now(driver), c.CountStub(count=count)) == []
    for count in (36, 38):
        found = events(dealing.count_stub(now(driver), c.CountStub(count=count)))
        assert isinstance(found[0], ev.Ruled | ev.Asked)
        assert found[0].mishap == "stub-miscount"
    early = at(STUD, "dealing")
    early.deal_some(12)
    no(dealing.count_stub(now(early), c.CountStub()), "BASE-time", "the deal is not finished")
    no(dealing.go_ahead(now(early), c.GoAhead()), "BASE-time", "the deal is not finished")
    early.deal_some(1)
    # Whether the dealer lacks his last card the record cannot tell.
    assert isinstance(dealing.count_stub(now(early), c.CountStub(count=38)), list)
    done = at(STUD, "dealt")
    no(dealing.go_ahead(now(done), c.GoAhead()), "BASE-time", "the players were told already")
    no(dealing.stub_to_rack(now(done), c.RackStub()), "BASE-deck", "the stub is in the rack already")
    for moment in ("closed", "done"):
        counters: list[Callable[..., Done]] = [dealing.stub_to_rack, dealing.count_stub]
        for act in counters:
            none = act(now(at(STUD, moment)), c.RackStub())
            no(none, "BASE-time", "nothing has been dealt")
        no(dealing.go_ahead(now(at(STUD, moment)), c.GoAhead()), "BASE-time", "the deal is not finished")


# Before the deal


def test_decks_come_and_go_between_the_rounds() -> None:
    driver = at(STUD, "table-opened")
    added = ev.DeckAdded(deck="second", back="blue", at=7, clause="X")
    register = c.RegisterDeck(deck="second", back="blue")
    assert opening.register_deck(now(driver, "X"), register) == [added]
    assert opening.register_deck(now(driver, "X"), c.RegisterDeck(deck="second")) == [replace(added, back="second")]
    known = opening.register_deck(now(driver), c.RegisterDeck(deck="first", back="red"))
    no(known, "BASE-deck", "the first deck is at the table already")
    dealing_ = at(STUD, "dealing")
    no(opening.register_deck(now(dealing_), register), "BASE-deck", "no deck is added while cards are dealt")
    assert isinstance(opening.register_deck(now(at(STUD, "closed")), register), list)
    gone = ev.DeckGone(deck="first", clause="X")
    assert opening.remove_deck(now(driver, "X"), c.RemoveDeck()) == [gone]
    fresh = ev.DeckAdded(deck="first", back="red", at=7, clause="X")
    assert opening.change_deck(now(driver, "X"), c.ChangeDeck(deck="first")) == [gone, fresh]
    handlers: list[tuple[Callable[..., Done], c.Act]] = [
        (opening.remove_deck, c.RemoveDeck()),
        (opening.change_deck, c.ChangeDeck()),
        (opening.shuffle, c.Shuffle()),
        (opening.cut, c.Cut(count=20)),
        (opening.recut, c.OrderRecut()),
        (opening.prepare, c.StackDeck()),
        (opening.disturb, c.WashDeck()),
        (opening.load, c.LoadDeck()),
        (opening.device_count, c.CountByDevice(count=52)),
    ]
    for handler, act in handlers:
        no(handler(now(dealing_), act), "BASE-deck", "that deck is in play")
        no(handler(at_table(driver, decks={}, deck=None), act), "BASE-deck", "there is no deck at the table")
        third: c.Act = replace(act, deck="third")
        no(handler(now(driver), third), "BASE-deck", "there is no third deck at the table")
        assert isinstance(handler(uncut(at(STUD, "bets-opened")), act), list)


def uncut(driver: Driver) -> Now:
    """The moment with a deck that is not cut."""
    deck = driver.table.decks["first"]
    return at_table(driver, decks={"first": replace(deck, acts=deck.acts - {"cut"})})


def test_a_deck_is_shuffled_cut_and_held() -> None:
    driver = at(STUD, "table-opened")
    mixed = ev.Shuffled(deck="first", method="manual", sealed=True, clause="X")
    assert opening.shuffle(now(driver, "X"), c.Shuffle(sealed=True)) == [mixed]
    assert opening.shuffle(now(driver), c.Shuffle(method="automated")) == [
        ev.Shuffled(deck="first", method="automated")
    ]
    assert opening.shuffle(now(at(RWS, "table-opened")), c.Shuffle()) == [ev.Shuffled(deck="first", method="automated")]
    for done in (opening.cut(now(driver), c.Cut(count=20)), opening.recut(now(driver), c.OrderRecut())):
        no(done, "BASE-deck", "there is no shuffled deck to cut")
    assert opening.disturb(now(driver), c.WashDeck()) == []
    driver.shuffle(DECK)
    assert opening.disturb(now(driver, "X"), c.WashDeck()) == [ev.Unshuffled(deck="first", clause="X")]
    assert opening.recut(now(driver, "X"), c.OrderRecut()) == [ev.Uncut(deck="first", clause="X")]
    for count in (1, 51):
        assert opening.cut(uncut(driver), c.Cut(count=count)) == [ev.WasCut(deck="first", count=count)]
    for count in (0, 52):
        no(opening.cut(uncut(driver), c.Cut(count=count)), "BASE-input", "a cut leaves cards on both sides: 1 to 51")
    twice = opening.cut(now(driver), c.Cut(count=20))
    no(twice, STUD.cite("cut.recut_by"), "the deck is cut; another cut is a supervisor's to order")
    # Where the book leaves another cut to nobody, it may be done.
    free = at(EXCHANGE, "bets-opened")
    assert opening.cut(now(free), c.Cut(count=20)) == [ev.WasCut(deck="first", count=20)]
    assert opening.load(now(driver), c.LoadDeck()) == []
    assert opening.load(now(driver), c.HoldDeck()) == []
    assert opening.load(now(driver, "X"), c.HoldDeck(hand="left")) == [ev.Held(hand="left", clause="X")]
    held = at(WASHINGTON, "dealing")
    assert opening.load(now(held), c.HoldDeck(hand="left")) == []
    assert opening.device_count(now(driver), c.CountByDevice(count=52)) == []
    wrong = events(opening.device_count(now(driver), c.CountByDevice(count=51)))
    assert isinstance(wrong[0], ev.Ruled | ev.Asked)
    assert wrong[0].mishap == "device-count-wrong"
    two = at(chosen("section10", shuffle_method="automated", second_deck="two-deck"), "dealing")
    other = opening.load(now(two), c.LoadDeck(deck="second"))
    no(other, "BASE-deck", "a round is being dealt from the other deck")


def test_devices_notices_approvals_and_options_are_put_on_file() -> None:
    driver = at(STUD, "table-opened")
    fitted = ev.DeviceSet(device="shoe", status="fitted", version="2", model="M", side="left", clause="X")
    act = c.RegisterDevice(device="shoe", version="2", model="M", side="left")
    assert opening.register_device(now(driver, "X"), act) == [fitted]
    assert opening.jam(now(driver), c.JamDevice(device="shoe")) == [ev.DeviceSet(device="shoe", status="jammed")]
    gone: dict[str, Device] = {"shoe": Device(status="removed")}
    for devices, name in ((gone, "shoe"), ({}, "shuffler"), ({}, "lamp")):
        no(
            opening.remove_device(at_table(driver, devices=devices), c.RemoveDevice(device=name)),
            "BASE-known",
            f"there is no {name} on the table",
        )
    # What the house deals from stands there, registered or not.
    removed = ev.DeviceSet(device="shoe", status="removed")
    for devices in ({}, {"shoe": Device(status="fitted")}):
        there = at_table(driver, devices=devices)
        assert opening.remove_device(there, c.RemoveDevice(device="shoe")) == [removed]
    notice = c.GiveNotice(about=("limits",), option="bet-paytable", where="layout")
    shown = ev.NoticeShown(about=("limits",), option="bet-paytable", where="layout", clause="X")
    assert opening.give_notice(now(driver, "X"), notice) == [shown]
    filed = ev.ApprovalFiled(of="maker", model="M", clause="X")
    assert opening.record_approval(now(driver, "X"), c.RecordApproval(of="maker", model="M")) == [filed]
    clause = STUD.options["shuffle-method"].clause
    change = c.ChangeOption(option="shuffle-method", value="automated")
    new = ev.OptionChanged(option="shuffle-method", value="automated", clause=clause)
    assert opening.change_option(now(driver), change) == [new]
    driver.shuffle(DECK)
    again = ev.Unshuffled(deck="first", clause=clause)
    assert opening.change_option(now(driver), change) == [new, again]
    other = c.ChangeOption(option="absent-player", value="fold")
    assert len(events(opening.change_option(now(driver), other))) == 1
    two = c.ChangeOption(option="second-deck", value="two-deck")
    needs = STUD.cite("deck.second_deck_needs")
    no(opening.change_option(now(driver), two), needs, "a second deck needs an automated shuffler")
    automated = at(chosen("section10", shuffle_method="automated"), "table-opened")
    assert isinstance(opening.change_option(now(automated), two), list)
    refused = opening.change_option(now(driver), c.ChangeOption(option="shuffle-method", value="by feet"))
    assert isinstance(refused, Refusal)
    assert refused.clause == clause


# Decisions


def asked(book: Book, *, seen: bool = True) -> Driver:
    driver = at(book, "dealt")
    if seen:
        driver.must(c.Look(box=1))
    return driver


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
    assert deciding.exchange(now(driver, "X"), c.Exchange(box=1, give=(given,), amount=900)) == [
        replace(bought[0], amount=900),
        *bought[1:],
    ]
    blind = replace(boxed(driver, 1, bet=2000), clause="X")
    back = ev.Returned(box=1, wager="bet", amount=2000, clause=EXCHANGE.cite("bet.blind"))
    assert deciding.exchange(blind, c.Exchange(box=1, give=(given,))) == [back, *bought]
    no(
        deciding.exchange(now(driver), c.Exchange(box=1, give=(given,), take=DECK[16])),
        "BASE-deck",
        "that is not the next card of the deck",
    )


def test_who_decides_when() -> None:
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
    assert isinstance(folded[1], ev.Settled)
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
        assert isinstance(done[-1], ev.Settled)


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


# From the reveal to the end


def decided(book: Book, *, bets: tuple[int, ...] = (1, 2)) -> Driver:
    """Both boxes have decided: these with a bet, the other folds."""
    driver = at(book, "dealt")
    for number in (1, 2):
        driver.look(number, declares=False)
        own = round_of(driver).boxes[number].cards[-1] if book.hands.discards else None
        driver.must(c.Bet(box=number, discard=own) if number in bets else c.Fold(box=number))
    return driver


def test_cards_are_revealed_when_everybody_has_decided() -> None:
    driver = decided(STUD)
    assert closing.reveal(now(driver), c.Reveal()) == []
    for phase in ("betting", "closed", "dealing", "revealed"):
        no(closing.reveal(in_round(driver, phase=phase), c.Reveal()), "BASE-time", "there is nothing to reveal now")
    owing = closing.reveal(boxed(driver, 2, choice=None), c.Reveal())
    no(owing, STUD.cite("decide.choices"), "box 2 has not decided")
    colorado = decided(COLORADO)
    assert closing.reveal(now(colorado), c.Reveal()) == []
    keeps = closing.reveal(boxed(colorado, 2, discard=None), c.Reveal())
    no(keeps, COLORADO.cite("bet.antes"), "box 2 has not discarded")
    assert closing.reveal(boxed(colorado, 2, discard=None, choice="fold"), c.Reveal()) == []
    # A blind bet on which the dealer never came back is a bet.
    blind = decided(EXCHANGE)
    stands = ev.Decided(box=2, choice="bet", clause=EXCHANGE.cite("bet.blind"))
    assert closing.reveal(boxed(blind, 2, choice=None), c.Reveal()) == [stands]


def test_a_major_hand_that_nobody_declared_is_ruled_on_at_the_reveal() -> None:
    driver = royal_for_ann(EXCHANGE)
    driver.must(c.Bet(box=2))
    for number in (3, 5):
        driver.must(c.Fold(box=number))
    done = events(closing.reveal(now(driver), c.Reveal()))
    ruled = [(one.mishap, one.boxes) for one in done if isinstance(one, ev.Ruled | ev.Asked)]
    assert ruled[0] == ("major-hand-undeclared", (2,))
    for told in ({"claimed": True}, {"seen": False}, {"choice": "fold", "bet": 0}):
        assert closing.reveal(boxed(driver, 2, **told), c.Reveal()) == []


def test_a_hand_is_turned_after_the_reveal_where_there_is_one() -> None:
    driver = decided(STUD)
    no(closing.turn_hand(now(driver), c.TurnHand(box=1)), "BASE-time", "hands are turned after the reveal")
    driver.must(c.Reveal())
    assert closing.turn_hand(now(driver), c.TurnHand(box=1)) == []
    for gone in ({"cards": ()}, {"racked": True}, {"void": True}):
        no(
            closing.turn_hand(boxed(driver, 1, **gone), c.TurnHand(box=1)),
            "BASE-box",
            "box 1 has no hand to turn",
        )
    no(closing.turn_hand(now(driver), c.TurnHand(box=5)), "BASE-box", "box 5 has no hand to turn")
    assert closing.reckon_now(now(driver), c.Reckon()) == []
    assert closing.reckon_now(now(at(STUD, "done")), c.Reckon()) == []
    no(closing.reckon_now(now(decided(STUD)), c.Reckon()), "BASE-time", "the cards are not shown yet")


def settled(book: Book, *, bets: tuple[int, ...] = (1, 2)) -> Driver:
    driver = decided(book, bets=bets)
    driver.until(lambda act: isinstance(act, c.CollectChips | c.Pay) and bool(round_of(driver).settled))
    return driver


def test_chips_are_moved_once_for_the_box_that_is_named() -> None:
    driver = settled(RWS)
    current = round_of(driver)
    ways: list[tuple[bool, Callable[..., Done], type[c.CollectChips | c.Pay]]] = [
        (True, closing.collect_chips, c.CollectChips),
        (False, closing.pay, c.Pay),
    ]
    for take, handler, act in ways:
        for number in (1, 2):
            own = [
                ev.Moved(line=place, clause=line.clause)
                for place, line in enumerate(current.lines)
                if line.seat == number and line.wager != "side" and (line.outcome == "lose") is take
            ]
            done = handler(now(driver), act(box=number))
            if own:
                assert [one for one in events(done) if isinstance(one, ev.Moved)][: len(own)] == own
            else:
                assert isinstance(done, Refusal) or take
        none = handler(now(driver), act(box=5))
        no(none, "BASE-chips", "there is nothing to move for that box")
        early = handler(now(decided(RWS)), act(box=1))
        no(early, "BASE-time", "nothing is settled yet")
        over = handler(now(at(RWS, "table-opened")), act(box=1))
        no(over, "BASE-time", "nothing is settled yet")


def test_side_chips_that_went_to_the_tray_are_taken_on_the_record_and_move_nothing() -> None:
    driver = at(STUD, "closed")
    assert closing.collect_chips(now(driver), c.CollectChips(box=1)) == []
    assert closing.collect_chips(now(driver), c.CollectChips()) == []
    no(closing.collect_chips(now(driver), c.CollectChips(box=5)), "BASE-time", "nothing is settled yet")
    no(closing.pay(now(driver), c.Pay(box=1)), "BASE-time", "nothing is settled yet")
    dealt = at(STUD, "dealing")
    no(closing.collect_chips(now(dealt), c.CollectChips(box=1)), "BASE-time", "nothing is settled yet")


def test_cards_go_to_the_rack_when_their_chips_are_settled() -> None:
    driver = settled(STUD)
    order = STUD.cite("collection.order")
    no(closing.collect_cards(now(driver), c.CollectCards(box=1)), order, "box 1 is not settled")
    no(closing.collect_cards(now(driver), c.CollectCards()), "BASE-time", "box 1 still has its cards")
    void = events(closing.collect_cards(boxed(driver, 1, void=True), c.CollectCards(box=1)))
    assert isinstance(void[0], ev.Racked)
    for gone in ({"cards": ()}, {"racked": True}):
        no(
            closing.collect_cards(boxed(driver, 1, **gone), c.CollectCards(box=1)),
            "BASE-time",
            "there are no cards to collect",
        )
    no(closing.end_round(now(driver), c.EndRound()), order, f"box {first_owed(driver)} is not settled")
    early = decided(STUD, bets=(1,))
    no(closing.end_round(now(early), c.EndRound()), order, "the round is not settled")
    no(closing.collect_cards(now(early), c.CollectCards(box=1)), order, "box 1 is not settled")
    no(closing.collect_cards(now(at(STUD, "done")), c.CollectCards()), "BASE-time", "there is no round")
    driver.until(lambda act: isinstance(act, c.CollectCards) and act.box is None)
    no(closing.end_round(now(driver), c.EndRound()), order, "the cards of dealer are not in the rack")
    driver.must(c.CollectCards())
    no(closing.collect_cards(now(driver), c.CollectCards()), "BASE-time", "there are no cards to collect")
    ended = ev.RoundEnded(at=7, counted=round_of(driver).counted, clause="X")
    assert closing.end_round(now(driver, "X"), c.EndRound()) == [ended]
    for phase in ("done", "void"):
        over = closing.end_round(in_round(driver, phase=phase), c.EndRound())
        no(over, "BASE-time", "there is no round to end")


def first_owed(driver: Driver) -> int:
    return owed(round_of(driver))[0][1].seat


def test_the_hand_of_an_award_stays_until_its_papers_are_done() -> None:
    driver = award_of(STUD, c.CompletePapers)
    waits = closing.collect_cards(now(driver), c.CollectCards(box=2))
    no(waits, STUD.cite("collection.holds_for_papers"), "the hand stays until its papers are done")
    driver.must(c.CompletePapers(box=2))
    assert isinstance(closing.collect_cards(now(driver), c.CollectCards(box=2)), list)


# Awards


def award_of(book: Book, until: type[c.Act]) -> Driver:
    """Ann's royal flush at box 2, until this act is due for it."""
    driver = royal_for_ann(book)
    driver.must(c.Bet(box=2))
    for number in (3, 5):
        driver.must(c.Look(box=number))
        driver.must(c.Fold(box=number))
    assert isinstance(driver.until(lambda act: isinstance(act, until)), until)
    return driver


def test_an_award_is_picked_taken_back_and_picked_anew() -> None:
    driver = award_of(STUD, c.SelectWinner)
    _, line = award_line(round_of(driver), 2) or (0, None)
    assert line is not None
    picked = ev.Selected(box=2, hand="royal_flush", by="Di", amount=line.pays, clause="X")
    for hand in (None, "royal_flush"):
        assert awards.select_winner(now(driver, "X"), c.SelectWinner(box=2, hand=hand)) == [picked]
    no(
        awards.select_winner(now(driver), c.SelectWinner(box=2, hand="straight_flush")),
        "BASE-award",
        "box 2 holds a royal flush, not a straight flush",
    )
    no(
        awards.select_winner(now(driver), c.SelectWinner(box=3)),
        "BASE-award",
        "box 3 has no award to verify",
    )
    back = [ev.AwardLost(box=2, back=True, clause="X"), picked]
    assert awards.select_winner(replace(boxed(driver, 2, unawarded=True), clause="X"), c.SelectWinner(box=2)) == back
    driver.must(c.SelectWinner(box=2))
    off = ev.Selected(box=2, hand=None, by="Di", clause="X")
    for hand in (None, "royal_flush"):
        assert awards.select_winner(now(driver, "X"), c.SelectWinner(box=2, hand=hand)) == [off]
    driver.must(c.Validate(box=2, by="Sam", role="supervisor"))
    no(
        awards.select_winner(now(driver), c.SelectWinner(box=2)),
        "BASE-award",
        "the award is signed; only an adjustment undoes it",
    )


def test_an_award_is_confirmed_paid_once_and_backed_out() -> None:
    driver = award_of(STUD, c.SelectWinner)
    steps: list[tuple[c.Act, Callable[..., Done]]] = [
        (c.Validate(box=2), awards.validate),
        (c.Adjust(box=2, reason="wrong box"), awards.adjust),
        (c.CompletePapers(box=2), awards.complete_papers),
    ]
    for act, handler in steps:
        unpicked = handler(now(driver), act)
        no(unpicked, "BASE-award", "no award was picked for box 2")
    no(awards.validate(now(driver), c.Validate(box=7)), "BASE-box", "box 7 is not in the round")
    driver.must(c.SelectWinner(box=2, by="Di"))
    assert awards.validate(now(driver, by="Sam", role="supervisor"), c.Validate(box=2)) == []
    assert isinstance(awards.validate(now(driver), c.Validate(box=2)), Refusal), "not by who picked it"
    assert isinstance(awards.complete_papers(now(driver), c.CompletePapers(box=2)), Refusal)
    driver.must(c.Validate(box=2, by="Sam", role="supervisor"))
    number, line = award_line(round_of(driver), 2) or (0, None)
    assert line is not None
    assert awards.pay_award(now(driver, "X"), c.PayAward(box=2)) == [ev.Moved(line=number, clause=line.clause)]
    no(awards.pay_award(now(driver), c.PayAward(box=3)), "BASE-award", "box 3 has no award")
    lost = [ev.Selected(box=2, hand=None, by="Sam", clause="X"), ev.AwardLost(box=2, clause="X")]
    adjust = c.Adjust(box=2, reason="wrong box")
    by_sam: dict[str, Any] = {"by": "Sam", "role": "supervisor"}
    assert awards.adjust(now(driver, "X", **by_sam), adjust) == lost
    driver.must(c.PayAward(box=2))
    no(awards.pay_award(now(driver), c.PayAward(box=2)), "BASE-award", "the award of box 2 is paid")
    back = ev.Unmoved(line=number, clause="X")
    assert awards.adjust(now(driver, "X", **by_sam), adjust) == [back, *lost]
    out = replace(boxed(driver, 2, void=True), by="Sam", role="supervisor")
    no(awards.adjust(out, adjust), "BASE-box", "the box is out of the round, and so is its award")
    assert awards.complete_papers(now(driver, **by_sam), c.CompletePapers(box=2)) == []
    assert isinstance(awards.complete_papers(now(driver), c.CompletePapers(box=2)), Refusal), "not by the dealer"


# What follows by itself


def test_who_left_folds_when_the_decisions_come_by_the_clause_of_walking_away() -> None:
    for book in (STUD, WASHINGTON):
        driver = at(book, "dealing")
        driver.deal_some(14)
        driver.until(lambda act: isinstance(act, c.GoAhead))
        driver.table = boxed(driver, 1, left=True).table
        done = driver.must(c.GoAhead())
        folds = [one for one in done if isinstance(one, ev.Decided)]
        clause = book.rules_on("walk-away") or "BASE-box"
        assert folds == [ev.Decided(box=1, choice="fold", deemed=True, clause=clause)]
        assert round_of(driver).boxes[2].choice is None


def test_who_left_a_bet_or_has_decided_does_not_fold() -> None:
    driver = at(STUD, "dealing")
    driver.deal_some(14)
    driver.until(lambda act: isinstance(act, c.GoAhead))
    for other in ({"bet": 2000}, {"choice": "bet"}):
        table = boxed(driver, 1, left=True, **other).table
        done = decide(STUD, table, c.GoAhead(), driver.shoe)
        assert isinstance(done, tuple)
        assert not [one for one in done if isinstance(one, ev.Decided)]


def test_an_act_is_put_on_the_record_after_what_it_makes_and_before_what_it_does() -> None:
    driver = at(STUD, "table-opened")
    driver.shuffle(DECK)
    opened = decide(STUD, driver.table, c.OpenBets(by="Di", at=9, remark="late"), driver.shoe)
    assert isinstance(opened, tuple)
    assert [type(one) for one in opened] == [ev.RoundOpened, ev.Acted]
    acted = opened[1]
    assert isinstance(acted, ev.Acted)
    assert (acted.act, acted.by, acted.role, acted.at, acted.box, acted.deck, acted.standing, acted.remark) == (
        "bets-opened", "Di", "dealer", 9, None, None, False, "late",
    )  # fmt: skip
    dealt = at(STUD, "dealt")
    looked = decide(STUD, dealt.table, c.Look(box=1), dealt.shoe)
    assert isinstance(looked, tuple)
    assert [type(one) for one in looked] == [ev.Acted, ev.Looked]
    assert isinstance(looked[0], ev.Acted)
    assert (looked[0].act, looked[0].box, looked[0].clause) == ("look", 1, looked[1].clause)


def test_the_first_act_after_the_reveal_that_needs_it_has_the_round_reckoned() -> None:
    driver = decided(RWS)
    driver.must(c.Reveal())
    done = decide(RWS, driver.table, c.Reckon(), driver.shoe)
    assert isinstance(done, tuple)
    assert [type(one) for one in done] == [ev.Settled, ev.Acted]
    driver.must(c.Reckon())
    again = decide(RWS, driver.table, c.Reckon(), driver.shoe)
    assert isinstance(again, tuple)
    assert [type(one) for one in again] == [ev.Acted]


@pytest.mark.parametrize("book", [RWS, EXCHANGE], ids=["rws", "exchange"])
def test_losers_are_collected_from_the_right_where_the_book_has_an_order(book: Book) -> None:
    """Who comes sooner is on the record there; a book without an order has no breach of it."""
    driver = three_bets(book)
    lines = round_of(driver).lines
    assert [(line.seat, line.outcome) for line in lines] == [(seat, "lose") for seat in (3, 3, 2, 2, 1, 1)]
    moved = [ev.Moved(line=place, clause=line.clause) for place, line in enumerate(lines)]
    assert closing.collect_chips(now(driver), c.CollectChips(box=3)) == moved[:2]
    assert closing.collect_chips(now(driver), c.CollectChips()) == moved
    what = "box 1 was served before box 3"
    late = ev.Violated(what=what, by="Di", at=7, clause="EUR-p12-qualify")
    sooner = closing.collect_chips(now(driver), c.CollectChips(box=1, by="Di", role="dealer"))
    assert sooner == ([late, *moved[4:]] if book is EXCHANGE else moved[4:])


def test_where_only_paying_has_an_order_losers_go_as_they_come() -> None:
    driver = three_bets(STUD)
    lines = round_of(driver).lines
    moved = [ev.Moved(line=place, clause=line.clause) for place, line in enumerate(lines)]
    assert [(line.seat, line.outcome) for line in lines] == [(seat, "push") for seat in (3, 3, 2, 2, 1, 1)]
    late = ev.Violated(what="box 1 was served before box 3", by="Di", at=7, clause="CSP-10(j)(5)")
    assert closing.pay(now(driver), c.Pay(box=1, by="Di", role="dealer")) == [late, *moved[4:]]
    lost = in_round(driver, lines=tuple(replace(line, outcome="lose") for line in lines))
    assert closing.collect_chips(lost, c.CollectChips(box=1)) == moved[4:]
    # But no push before the losers.
    mixed = tuple(replace(line, outcome="lose") if line.seat == 3 else line for line in lines)
    early = closing.pay(in_round(driver, lines=mixed), c.Pay(box=2, by="Di", role="dealer"))
    passes = STUD.cite("collection.passes")
    assert early == [replace(late, what="box 2 was served before box 3", clause=passes), *moved[2:4]]


def three_bets(book: Book) -> Driver:
    """Three boxes with bets, and the chips are due."""
    driver = at(book, "bets-opened")
    for number in (1, 2, 3):
        driver.must(c.Ante(box=number, player=f"player {number}", amount=1000))
    driver.close_bets()
    driver.deal()
    for number in (1, 2, 3):
        driver.must(c.Look(box=number))
        driver.must(c.Bet(box=number))
    driver.until(lambda act: isinstance(act, c.CollectChips | c.Pay))
    return driver
