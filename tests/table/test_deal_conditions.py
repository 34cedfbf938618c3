"""What a book may demand of the deal, of decisions and of conduct, each condition on both sides of its line."""

import dataclasses
from typing import Any

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.words import Condition
from aceking.table import commands as c
from aceking.table.cards.place import DEALER, box_place
from aceking.table.procedure.conditions import CONDITIONS
from aceking.table.state import Box, Device, TableState
from tests.meter.floor import book_with
from tests.table.test_out_of_time import at

STUD = load_book("section10")
PACKETS = book_with("section10", {"dealing-method": "automated-shoe", "shuffle-method": "automated"})
HAND = dataclasses.replace(STUD, deal=dataclasses.replace(STUD.deal, method="hand"))


def says(word: Condition, table: TableState, act: c.Act, book: Book | None = None) -> str | None:
    return CONDITIONS[word](book or load_book(table.book), table, act)


def moment(name: str, book_id: str = "section10") -> TableState:
    return at(load_book(book_id), name).table


def changed(table: TableState, number: int | None = None, **changes: Any) -> TableState:
    """The round, or a box of it, with these changes."""
    assert table.round is not None
    if number is None:
        return replace(table, round=replace(table.round, **changes))
    boxes = {**table.round.boxes, number: replace(table.round.boxes[number], **changes)}
    return replace(table, round=replace(table.round, boxes=boxes))


def box(table: TableState, number: int) -> Box:
    assert table.round is not None
    return table.round.boxes[number]


DEALT = moment("dealt")


def test_cards_lie_face_down_but_the_one_that_all_may_see() -> None:
    start = moment("closed")
    assert says("dealt-face-down", start, c.DealCard(face="up")) == "the card is dealt face down"
    assert says("dealt-face-down", start, c.DealCard(face="down")) is None
    assert says("dealt-face-down", start, c.DealCard()) is None
    assert says("dealt-face-up", start, c.DealCard(face="down")) == "the card is dealt face up"
    assert says("dealt-face-up", start, c.DealCard(face="up")) is None
    assert says("dealt-face-up", start, c.DealCard()) is None
    assert says("dealt-face-up", DEALT, c.DealCard(face="down")) is None, "a card shows already"
    word: Condition = "only-dealer-card-up"
    assert says(word, start, c.DealCard(face="up")) == "a player's card lies face up"
    assert says(word, start, c.DealCard(face="down")) is None
    assert says(word, start, c.DealCard(face="up", to=DEALER)) == "the dealer's other cards are dealt face down"
    assert says(word, start, c.DealCard(face="up", to=box_place(1))) == "a player's card lies face up"
    assert says(word, moment("table-opened"), c.DealCard(face="up")) is None
    assert says("unexposed", DEALT, c.RackStub(face="up")) == "the stub is not shown"
    assert says("unexposed", DEALT, c.RackStub(face="down")) is None


def test_the_one_card_that_lies_open_is_the_one_that_is_due_so() -> None:
    driver = at(STUD, "closed")
    opens = []
    for number in range(15):
        if says("only-dealer-card-up", driver.table, c.DealCard(face="up")) is None:
            opens.append(number)
        driver.deal(1)
    shown = 14 if STUD.deal.up_single == "last" else 2
    assert opens == [shown], "of three hands the dealer's last card, or the first"


def test_cards_are_dealt_as_the_table_is_set_up() -> None:
    word: Condition = "as-configured"
    for book, deals, packets, holds, loads in (
        (STUD, True, False, False, True),
        (PACKETS, False, True, False, True),
        (HAND, True, False, True, False),
    ):
        for act, right in (
            (c.DealCard(), deals),
            (c.DealPacket(), packets),
            (c.HoldDeck(), holds),
            (c.LoadDeck(), loads),
        ):
            assert (says(word, DEALT, act, book) is None) is right, (book.deal.method, act)
        assert says(word, DEALT, c.OpenBets(), book) is None
    assert says(word, DEALT, c.DealCard(to=box_place(1)), PACKETS) is None, "a card that is put right"
    assert says(word, DEALT, c.DealPacket()) == "the table deals by manual shoe"


def test_the_hand_that_draws_is_nearer_to_the_shoe_and_does_not_hold_the_deck() -> None:
    right = replace(DEALT, devices={"manual shoe": Device("fitted", side="right")})
    assert says("nearer-hand", DEALT, c.DealCard(hand="left")) is None, "a shoe stands at the left"
    assert says("nearer-hand", DEALT, c.DealCard(hand="right")) is not None
    assert says("nearer-hand", right, c.DealCard(hand="right")) is None
    assert (
        says("nearer-hand", right, c.DealCard(hand="left"))
        == "the shoe stands at the right; the left hand drew the card"
    )
    assert says("nearer-hand", right, c.DealCard()) is None
    held = replace(DEALT, holding_hand="left")
    assert (
        says("other-hand", held, c.DealCard(hand="left"))
        == "the deck is held in the left hand and dealt with the other"
    )
    assert says("other-hand", held, c.DealCard(hand="right")) is None
    assert says("other-hand", held, c.DealCard()) is None
    assert says("other-hand", DEALT, c.DealCard(hand="left")) is None


def test_what_comes_before_and_after_the_first_card() -> None:
    closed, dealing = moment("closed"), moment("dealing")
    assert says("before-first-card", closed, c.LockOut()) is None
    assert says("before-first-card", dealing, c.LockOut()) == "a card has been dealt"
    assert says("burnt-first", closed, c.DealCard()) is None, "nothing is burnt here"
    rws = moment("closed", "rws")
    burning = at(load_book("rws"), "closed")
    assert says("burnt-first", rws, c.DealCard()) == "no card was burnt"
    burning.deal(1)
    assert says("burnt-first", burning.table, c.DealCard()) is None
    hidden = "the dealer's up-card is not shown yet"
    stacks = with_options(load_book("section10"), {"dealing-method": "automated-shoe", "shuffle-method": "automated"})
    assert isinstance(stacks, Book)
    assert says("up-card-shown", dealing, c.Look(box=1), stacks) == hidden
    assert says("up-card-shown", dealing, c.Look(box=1)) is None, "who looks too early breaks another clause"
    assert says("up-card-shown", DEALT, c.Look(box=1)) is None
    assert DEALT.round is not None
    turned_down = replace(DEALT, round=replace(DEALT.round, up=None))
    assert says("up-card-shown", turned_down, c.Look(box=1)) == hidden
    assert says("up-card-shown", moment("dealing", "colorado-required"), c.Look(box=1)) is None


def test_hands_are_complete() -> None:
    word: Condition = "hands-complete"
    assert says(word, DEALT, c.Reveal()) is None
    short = changed(DEALT, 2, cards=box(DEALT, 2).cards[:-1])
    assert says(word, short, c.Reveal()) == "box 2 has not 5 cards: a misdeal to be ruled on"
    assert says(word, changed(short, 2, racked=True), c.Reveal()) is None
    assert says(word, changed(short, 2, void=True), c.Reveal()) is None
    assert DEALT.round is not None
    assert says(word, changed(DEALT, dealer=DEALT.round.dealer[:-1]), c.Reveal()) is not None


def test_the_stub_is_put_away_and_counted_before_anybody_looks() -> None:
    assert DEALT.round is not None
    loose = changed(DEALT, rack=())
    assert says("stub-put-away", loose, c.Look(box=1)) == "the stub is not in the rack"
    assert says("stub-put-away", DEALT, c.Look(box=1)) is None
    assert says("stub-put-away", changed(loose, 1, seen=True), c.Look(box=2)) is None
    late = replace(
        DEALT, rounds_uncounted=99, decks={n: replace(one, rounds_uncounted=99) for n, one in DEALT.decks.items()}
    )
    assert says("count-posted", late, c.Look(box=1)) == "the stub must be counted in this round"
    assert says("count-posted", changed(late, counted=True), c.Look(box=1)) is None
    assert says("count-posted", changed(late, placed=0), c.Look(box=1)) is None
    assert says("count-posted", DEALT, c.Look(box=1)) is None


# Decisions


def test_a_bet_is_exactly_two_antes() -> None:
    for amount, exact in ((1999, False), (2000, True), (2001, False), (0, True), (-5, True)):
        assert (says("bet-exact", DEALT, c.Bet(box=1, amount=amount)) is None) is exact
    assert says("bet-exact", DEALT, c.Bet(box=1, amount=1999)) == "the bet is exactly 2 times the ante"
    assert says("bet-exact", DEALT, c.Bet(box=1, amount=1999, noticed=False)) is None
    assert says("bet-exact", DEALT, c.Bet(box=1)) is None
    assert says("bet-exact", changed(DEALT, 1, bet=2000), c.Bet(box=1, amount=1999)) is None
    colorado = moment("dealt", "colorado-required")
    assert says("bet-exact", colorado, c.Bet(box=1, amount=999)) == "the bet equals the ante"


def test_a_box_is_looked_at_and_decided_for_by_its_player() -> None:
    word: Condition = "own-box"
    assert says(word, DEALT, c.Look(box=1, player="player 2")) == "box 1 is player 1's"
    assert says(word, DEALT, c.Look(box=1, player="player 1")) is None
    assert says(word, DEALT, c.Look(box=1)) is None
    assert says(word, DEALT, c.Look(box=1, by="player 2", role="player")) == "box 1 is player 1's"
    assert says(word, DEALT, c.Look(box=1, by="player", role="player")) is None
    assert says(word, DEALT, c.Look(box=1, by="Dora", role="dealer")) is None
    assert says(word, DEALT, c.Look(box=5, player="player 2")) is None
    assert says("examined", DEALT, c.Bet(box=1)) == "box 1 has not looked at its hand"
    assert says("examined", changed(DEALT, 1, seen=True), c.Bet(box=1)) is None
    assert says("examined", changed(DEALT, 2, player="player 1"), c.Bet(box=1)) is not None, (
        "this book has no blind bets"
    )
    rws = changed(moment("dealt", "rws"), 2, player="player 1")
    assert (says("examined", rws, c.Bet(box=1)) is None) is (load_book("rws").bet.blind is not None)


def test_the_hole_cards_are_hidden_until_the_reveal() -> None:
    for name, hidden, shown in (("bets-opened", True, True), ("dealt", True, False), ("done", False, True)):
        assert (says("hole-cards-hidden", moment(name), c.Claim(box=1)) is None) is hidden
        assert (says("hole-cards-shown", moment(name), c.Claim(box=1)) is None) is shown
    revealed = changed(DEALT, phase="revealed")
    assert says("hole-cards-hidden", revealed, c.Claim(box=1)) == "the hole cards are shown"
    assert says("hole-cards-shown", revealed, c.Claim(box=1)) is None


def test_an_exchange_is_of_one_card_once_for_one_ante() -> None:
    table = moment("dealt", "exchange")
    one, two = box(table, 1).cards[:1], box(table, 1).cards[:2]
    assert says("one-card-only", table, c.Exchange(box=1, give=one)) is None
    assert says("one-card-only", table, c.Exchange(box=1, give=two)) == "1 card may be exchanged"
    assert says("one-card-only", table, c.Bet(box=1)) is None
    for amount, exact in ((999, False), (1000, True), (1001, False)):
        assert (says("fee-exact", table, c.Exchange(box=1, give=one, amount=amount)) is None) is exact
    assert says("fee-exact", table, c.Exchange(box=1, give=one)) is None
    assert says("once-only", table, c.Exchange(box=1, give=one)) is None
    assert (
        says("once-only", changed(table, 1, give=one[0]), c.Exchange(box=1, give=two)) == "box 1 has exchanged already"
    )


def test_who_goes_on_lays_a_card_aside_face_down() -> None:
    table = moment("dealt", "colorado-required")
    assert says("all-discarded", table, c.Reveal()) is None
    bets = changed(table, 2, choice="bet")
    assert says("all-discarded", bets, c.Reveal()) == "box 2 has not discarded"
    assert says("all-discarded", changed(table, 2, choice="stay"), c.Reveal()) == "box 2 has not discarded"
    assert says("all-discarded", changed(table, 2, choice="fold"), c.Reveal()) is None
    assert says("all-discarded", changed(bets, 2, discard=3), c.Reveal()) is None
    assert says("all-discarded", changed(DEALT, 2, choice="bet"), c.Reveal()) is None
    assert says("laid-face-down", table, c.Discard(box=1, card=3, face="up")) == "the discard is laid face down"
    assert says("laid-face-down", table, c.Discard(box=1, card=3)) is None
    assert says("not-discarded", table, c.Bet(box=1)) is None
    assert says("not-discarded", changed(table, 1, discard=3), c.Bet(box=1)) == "box 1 has laid its card aside"


# Conduct


def test_cards_are_touched_by_their_player_and_the_dealer_until_they_are_set_down() -> None:
    word: Condition = "own-cards"
    assert (
        says(word, DEALT, c.TouchCards(box=1, role="player", player="player 2"))
        == "player 2 touched the cards of box 1"
    )
    assert says(word, DEALT, c.TouchCards(box=1, role="player", by="player 2")) == "player 2 touched the cards of box 1"
    assert says(word, DEALT, c.TouchCards(box=1, role="player", by="player")) is None
    assert says(word, DEALT, c.TouchCards(box=1, role="player", player="player 1")) is None
    assert says(word, DEALT, c.TouchCards(box=1, role="dealer", by="Dora")) is None
    assert says(word, DEALT, c.TouchCards(box=1, role="supervisor")) == "supervisor touched the cards of box 1"
    assert says(word, DEALT, c.TouchCards(role="player", player="player 2")) is None
    folded = changed(DEALT, 1, choice="fold")
    own = c.TouchCards(box=1, role="player", player="player 1")
    assert says("not-set-down", DEALT, own) is None
    assert says("not-set-down", folded, own) == "the cards were set down"
    assert says("not-set-down", folded, c.TouchCards(box=1, role="player")) == "the cards were set down"
    assert says("not-set-down", folded, c.TouchCards(box=1, role="player", player="player 2")) is None
    assert says("not-set-down", folded, c.TouchCards(box=1, role="dealer")) is None
    bet = changed(DEALT, 1, choice="bet")
    assert says("not-laid-down", bet, own) == "the cards of box 1 lie by the bet until the reveal"
    assert says("not-laid-down", folded, own) is None
    assert says("not-laid-down", changed(bet, phase="revealed"), own) is None


def test_a_card_that_was_given_away_or_folded_is_not_taken_up() -> None:
    own = box(DEALT, 1).cards[0]
    touch = c.TouchCards(box=1, card=own)
    assert says("not-thrown-away", DEALT, touch) is None
    assert says("not-thrown-away", changed(DEALT, 1, choice="fold"), touch) == "the card has been exchanged"
    assert says("not-thrown-away", changed(DEALT, 1, give=own, cards=()), touch) == "the card has been exchanged"
    assert says("not-thrown-away", changed(DEALT, 1, choice="bet"), touch) is None
    assert says("not-thrown-away", changed(DEALT, 1, choice="fold"), c.TouchCards(box=1)) is None


def test_who_plays_stays_and_who_sits_plays() -> None:
    assert says("stays-seated", DEALT, c.StaySeated(box=1, left=True)) == "player 1 left the seat in the round"
    assert says("stays-seated", DEALT, c.StaySeated(box=1)) is None
    assert says("stays-seated", moment("staked"), c.StaySeated(box=1, left=True)) is None
    assert says("stays-seated", DEALT, c.StaySeated(box=5, left=True)) is None
    assert says("stays-seated", changed(DEALT, 1, void=True), c.StaySeated(box=1, left=True)) is None
    assert says("in-play", DEALT, c.Sit(box=5, player="Cid")) == "Cid sits at the table without playing"
    assert says("in-play", DEALT, c.Sit(box=1)) is None
    assert says("in-play", DEALT, c.Sit(box=5, player="player 1")) is None
    assert says("in-play", moment("staked"), c.Sit(box=5, player="Cid")) is None
    assert says("in-view", DEALT, c.KeepInView(kept=False)) == "the cards are not in view above the table"
    assert says("in-view", DEALT, c.KeepInView(kept=False, remark="under the table")) == "under the table"
    assert says("in-view", DEALT, c.KeepInView(kept=True)) is None
