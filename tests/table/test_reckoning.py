"""From cards and chips to what is owed, and to the rack: each on both sides of its line."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.award.steps import Award
from aceking.cards.card import cards
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.discard_rack import not_racked, rack_box, rack_rest
from aceking.table.cards.place import STUB, Pile
from aceking.table.money.accounts import chips_on_layout, pay
from aceking.table.money.award_lines import (
    award_line,
    held_row,
    holds_major,
    is_award,
    is_signed,
    unqualified,
)
from aceking.table.money.blind_bets import confirm_blind_bets, is_blind, stake_blind, take_back, without_bet
from aceking.table.money.settling import (
    ante_in_play,
    early_lines,
    final_lines,
    miscounted,
    owed,
    reckon_again,
    unmoved,
)
from aceking.table.state import Box, Round, SideWager, TableState
from tests.table.rebuilt import Rebuilt, reconstruct

BOOK = load_book("section10")
EXCHANGE = load_book("exchange")
FLUSH, PAIR, LOW = cards("Ks Js 9s 5s 2s"), cards("7h 7d 4c 3s 2h"), cards("Qh Jd 8c 4h 2d")
DEALER, WEAK = cards("Ah Kd 9c 6h 3d"), cards("Qd Jh 9d 6c 3h")
ANN = Box(number=1, player="Ann", ante=1000, bet=2000, cards=FLUSH, choice="bet", sides={"side": SideWager(100)})
BOB = Box(number=2, player="Bob", ante=1000, bet=2000, cards=LOW, choice="bet")
ROUND = Round(number=1, at=1, phase="revealed", boxes={1: ANN, 2: BOB}, dealer=DEALER, meter=5_000_000)
TABLE = TableState(id="t", book="section10", digest="d", mode="live", round=ROUND, reset=1_000_000)


def with_round(**changes: Any) -> TableState:
    return replace(TABLE, round=replace(ROUND, **changes))


def ann(**changes: Any) -> dict[int, Box]:
    return {1: replace(ANN, **changes), 2: BOB}


def lines_of(book: Book = BOOK, table: TableState = TABLE) -> list[tuple[int, str, int, str, int]]:
    found = final_lines(book, table)
    assert isinstance(found, ev.RoundSettled), found
    return sorted((one.seat, one.wager, one.stake, one.outcome, one.pays) for one in found.lines)


# Money


def test_what_of_a_box_still_lies_on_the_layout() -> None:
    box = replace(ANN, fee=300)
    lines = (
        Line(1, "ante", 1000, "win", 1000, "W"),
        Line(1, "side", 100, "lose", 0, "S"),
        Line(2, "ante", 1000, "lose", 0, "L"),
    )
    assert chips_on_layout(ROUND, box) == 3400
    assert chips_on_layout(replace(ROUND, lines=lines), box) == 3400
    assert chips_on_layout(replace(ROUND, lines=lines, moved=frozenset({0, 2})), box) == 2400
    assert chips_on_layout(replace(ROUND, lines=lines, moved=frozenset({1})), box) == 3300
    trayed = replace(box, sides={"side": SideWager(100, trayed=True)})
    assert chips_on_layout(replace(ROUND, lines=lines, moved=frozenset({1})), trayed) == 3300
    assert chips_on_layout(replace(ROUND, lines=lines, moved=frozenset({0, 1})), trayed) == 2300
    assert chips_on_layout(ROUND, replace(box, forfeited=True)) == 0


def test_chips_leave_one_account_for_another() -> None:
    assert pay(TABLE, "Ann", "layout", 5).accounts == {"Ann": -5, "layout": 5}
    assert pay(pay(TABLE, "Ann", "layout", 5), "tray", "Ann", 3).accounts == {"Ann": -2, "layout": 5, "tray": -3}
    assert pay(TABLE, "Ann", "layout", -5).accounts == {"Ann": 5, "layout": -5}
    assert pay(TABLE, "Ann", "layout", 0) is TABLE


# The rack


def test_a_hand_goes_to_the_rack_with_what_was_given_or_laid_aside_before_it() -> None:
    hand = Pile("hand", 1)
    assert rack_box(ROUND, 1, "C") == [ev.Racked(what=hand, cards=FLUSH, clause="C")]
    one, two, *rest = FLUSH
    swapped = replace(ROUND, boxes=ann(give=44, take=one))
    assert rack_box(swapped, 1, "C") == [
        ev.Racked(what=Pile("exchanged", 1), cards=(44,), clause="C"),
        ev.Racked(what=hand, cards=(two, *rest, one), clause="C"),
    ]
    laid = replace(ROUND, boxes=ann(discard=two))
    assert rack_box(laid, 1, None) == [
        ev.Racked(what=Pile("discard", 1), cards=(two,)),
        ev.Racked(what=hand, cards=(one, *rest)),
    ]


def test_the_rest_goes_to_the_rack_once() -> None:
    full = replace(ROUND, community=(40,), burn=(41,), boxed=(42,), aside=(43,), sequence=tuple(range(20)))
    piles = {"dealer": DEALER, "community": (40,), "burn": (41,), "boxed": (42,), "aside": (43,)}
    all_of_it = [ev.Racked(what=Pile(kind), cards=held, clause="C") for kind, held in piles.items()]  # type: ignore[arg-type]
    stub = ev.Racked(what=STUB, count=32, clause="C")
    assert rack_rest(BOOK, full, "C") == [*all_of_it, stub]
    for place, one in enumerate(all_of_it):
        racked = replace(full, rack=((one.what, one.cards),))
        assert rack_rest(BOOK, racked, "C") == [*all_of_it[:place], *all_of_it[place + 1 :], stub]
    assert rack_rest(BOOK, replace(full, rack=((STUB, ()),)), "C") == all_of_it
    assert rack_rest(BOOK, replace(full, sequence=tuple(range(52))), "C") == all_of_it
    bare = Round(number=1, at=1, sequence=tuple(range(51)))
    assert rack_rest(BOOK, bare, "C") == [ev.Racked(what=STUB, count=1, clause="C")]


def test_the_first_place_whose_cards_lie_on_the_table() -> None:
    order = ["dealer", "box 1", "box 2"]
    piles = [(Pile("dealer"), DEALER), (Pile("hand", 1), FLUSH), (Pile("hand", 2), LOW)]
    assert not_racked(ROUND) == "dealer"
    for count, place in enumerate([*order, None]):
        assert not_racked(replace(ROUND, rack=tuple(piles[:count]))) == place
    assert not_racked(replace(ROUND, rack=tuple(piles), aside=(3,))) == "aside"
    assert not_racked(Round(number=1, at=1, boxes={1: replace(ANN, cards=())})) is None


def test_hands_are_rebuilt_from_the_rack() -> None:
    rack = (
        (Pile("exchanged", 1), (44,)),
        (Pile("hand", 1), (1, 2, 3)),
        (Pile("discard", 2), (45,)),
        (Pile("hand", 2), (4, 5)),
        (Pile("hand", 3), (6, 7)),
        (Pile("dealer"), (8, 9)),
        (Pile("community"), (10,)),
        (Pile("burn"), (11,)),
        (STUB, ()),
    )
    hands = reconstruct(rack)
    assert hands == {
        Pile("hand", 1): Rebuilt((1, 2, 3), gave=(44,), took=(3,)),
        Pile("hand", 2): Rebuilt((4, 5), discard=45),
        Pile("hand", 3): Rebuilt((6, 7)),
        Pile("dealer"): Rebuilt((8, 9)),
        Pile("community"): Rebuilt((10,)),
    }
    assert [one.dealt for one in hands.values()][:3] == [{1, 2, 44}, {4, 5, 45}, {6, 7}]


# Awards


WON = Line(1, "side", 100, "win", 7500, "A", consumed=True)


def test_which_line_is_an_award() -> None:
    assert is_award(WON)
    for other in (replace(WON, wager="ante"), replace(WON, consumed=False), replace(WON, outcome="lose")):
        assert not is_award(other)
    current = replace(ROUND, lines=(Line(1, "ante", 1000, "win", 1000, "W"), WON))
    assert award_line(current, 1) == (1, WON)
    assert award_line(current, 2) is None
    for out in ({"void": True}, {"forfeited": True}):
        assert award_line(replace(current, boxes=ann(**out)), 1) is None
    later = replace(current, boxes={1: replace(ANN, void=True), 2: BOB}, lines=(WON, replace(WON, seat=2)))
    assert award_line(later, 2) == (1, replace(WON, seat=2))


def test_an_award_is_past_undoing_when_it_is_signed() -> None:
    picked = Award(seat=1, hand="flush")
    signs = {
        name: "card-swipe" in {act.do for one in load_book(name).clauses.values() for act in one.acts}
        for name in ("section10", "rws")
    }
    for name, swipes in signs.items():
        for step, final in (("selected", False), ("called", False), ("verified", not swipes), ("signed", True)):
            current = replace(ROUND, awards={1: replace(picked, step=step)})
            assert is_signed(load_book(name), current, 1) is final, (name, step)
            assert not is_signed(load_book(name), current, 2)


def test_who_holds_a_hand_that_wins_a_share_of_the_meter() -> None:
    royal, straight = cards("As Ks Qs Js Ts"), cards("9h 8h 7h 6h 5h")
    assert EXCHANGE.progressive is not None
    held = replace(ANN, cards=royal)
    assert held_row(EXCHANGE, held) == "royal_flush"
    assert holds_major(EXCHANGE, held)
    assert holds_major(EXCHANGE, replace(ANN, cards=straight))
    assert not holds_major(EXCHANGE, ANN)
    assert not holds_major(EXCHANGE, replace(held, give=3))
    assert not holds_major(EXCHANGE, replace(held, cards=royal[:4]))
    on = dataclasses.replace(
        EXCHANGE, progressive=dataclasses.replace(EXCHANGE.progressive, tables_meanwhile="play-on")
    )
    assert not holds_major(on, held)
    assert not holds_major(load_book("colorado-required"), held)


def test_a_dealers_hand_that_does_not_play() -> None:
    for phase in ("betting", "closed", "dealing", "deciding", "revealed", "done", "void"):
        assert unqualified(BOOK, replace(ROUND, dealer=WEAK, phase=phase)) is (phase in ("revealed", "done"))
    assert not unqualified(BOOK, ROUND), "ace and king play"
    assert not unqualified(BOOK, replace(ROUND, dealer=PAIR))
    assert not unqualified(BOOK, replace(ROUND, dealer=WEAK[:4]))
    assert not unqualified(load_book("colorado-required"), replace(ROUND, dealer=WEAK[:3]))


# Blind bets


def test_a_bet_is_blind_until_its_box_is_asked() -> None:
    waiting = replace(ANN, choice=None)
    assert is_blind(EXCHANGE, waiting)
    assert is_blind(EXCHANGE, replace(waiting, bet=1))
    assert not is_blind(EXCHANGE, replace(waiting, bet=0))
    assert not is_blind(EXCHANGE, ANN)
    assert not is_blind(BOOK, waiting)
    clause = EXCHANGE.cite("bet.blind")
    assert take_back(EXCHANGE, waiting) == [ev.Returned(box=1, wager="bet", amount=2000, clause=clause)]
    assert without_bet(waiting) == replace(waiting, bet=0)


def test_a_blind_bet_is_laid_down_and_taken_back_whole() -> None:
    clause, size = EXCHANGE.cite("bet.blind"), EXCHANGE.cite("bet.antes")
    bare, laid = replace(ANN, choice=None, bet=0), replace(ANN, choice=None)

    def staked(box: Box, amount: int | None, *, noticed: bool = True) -> Any:
        return stake_blind(EXCHANGE, ROUND, box, c.Bet(box=1, amount=amount, noticed=noticed))

    def down(amount: int) -> list[ev.TableEvent]:
        return [ev.Staked(box=1, player="Ann", wager="bet", amount=amount, clause=clause)]

    assert staked(bare, None) == down(2000)
    assert staked(bare, 2000) == down(2000)
    wrong = Refusal("the bet is not the size that the book prescribes", size)
    assert staked(bare, 1999) == wrong
    assert staked(bare, 1999, noticed=False) == down(1999)
    assert staked(bare, 0, noticed=False) == wrong
    assert staked(bare, 1, noticed=False) == down(1)
    assert staked(laid, 2000) == Refusal("there is a bet down already", clause)
    assert staked(laid, -2000) == take_back(EXCHANGE, laid)
    assert staked(laid, -1) == Refusal("all of the bet is taken back, or none", clause)


def test_blind_bets_that_the_dealer_has_passed_are_bets() -> None:
    boxes = {n: replace(ANN, number=n, choice=None) for n in (1, 2, 3)} | {
        4: replace(BOB, number=4, choice=None, bet=0)
    }

    def decided(until: int | None) -> list[int]:
        events = confirm_blind_bets(EXCHANGE, with_round(boxes=boxes, phase="deciding"), until)
        clause = EXCHANGE.cite("bet.blind")
        found = [one.box for one in events if isinstance(one, ev.Decided)]
        assert events == [ev.Decided(box=number, choice="bet", clause=clause) for number in found]
        return found

    assert decided(None) == [1, 2, 3]
    assert decided(3) == [1, 2]
    assert decided(1) == []


# What is owed


def test_lines_are_owed_until_their_chips_have_moved() -> None:
    lost = Line(1, "side", 100, "lose", 0, "S", consumed=True)
    lines = (Line(1, "ante", 1000, "win", 1000, "W"), lost, Line(2, "ante", 1000, "lose", 0, "L"))
    current = replace(ROUND, lines=lines)
    assert unmoved(current) == list(enumerate(lines))
    assert owed(current) == list(enumerate(lines))
    assert owed(replace(current, moved=frozenset({0}))) == [(1, lost), (2, lines[2])]
    tray = replace(current, boxes=ann(sides={"side": SideWager(100, trayed=True)}))
    assert unmoved(tray) == list(enumerate(lines))
    assert owed(tray) == [(0, lines[0]), (2, lines[2])], "a side wager that lost lies in the tray"
    won = replace(tray, lines=(WON,))
    assert owed(won) == [(0, WON)]
    for out in ({"void": True}, {"forfeited": True}):
        assert owed(replace(current, boxes=ann(**out))) == [(2, lines[2])]
        assert unmoved(replace(current, boxes=ann(**out))) == [(2, lines[2])]


def test_the_ante_that_counts_is_no_more_than_the_maximum_where_the_book_says_so() -> None:
    limited = replace(TABLE, ante_max=800)
    assert ante_in_play(EXCHANGE, limited, ANN) == 800
    assert ante_in_play(EXCHANGE, replace(TABLE, ante_max=1200), ANN) == 1000
    assert ante_in_play(BOOK, limited, ANN) == 1000
    none = dataclasses.replace(EXCHANGE, ante=dataclasses.replace(EXCHANGE.ante, max=None))
    assert ante_in_play(none, TABLE, ANN) == 1000


def test_hands_with_a_wrong_number_of_cards_are_ruled_on_first() -> None:
    assert miscounted(BOOK, ANN) is None
    clause = BOOK.rules_on("player-miscount")
    assert clause is not None
    for held, count in ((FLUSH[:4], 4), ((*FLUSH, 1), 6)):
        wrong = Refusal(f"box 1 has {count} cards, not 5: that is ruled on first", clause)
        assert miscounted(BOOK, replace(ANN, cards=held)) == wrong
        assert final_lines(BOOK, with_round(boxes=ann(cards=held))) == wrong
        assert reckon_again(BOOK, with_round(boxes=ann(cards=held))) == wrong
        assert miscounted(BOOK, replace(ANN, cards=held, choice="fold")) is None
    dealer = BOOK.rules_on("dealer-miscount")
    assert dealer is not None
    short = Refusal("the dealer has 4 cards, not 5: that is ruled on first", dealer)
    assert final_lines(BOOK, with_round(dealer=DEALER[:4])) == short
    folded = {n: replace(one, choice="fold", bet=0) for n, one in ROUND.boxes.items()}
    assert isinstance(final_lines(BOOK, with_round(dealer=DEALER[:4], boxes=folded)), ev.RoundSettled)
    declared = {n: replace(one, choice="declare", bet=0, sides={}) for n, one in ROUND.boxes.items()}
    assert final_lines(BOOK, with_round(dealer=DEALER[:4], boxes={1: declared[1], 2: BOB})) == short
    colorado = load_book("colorado-required")
    boxes = {1: Box(number=1, player="Ann", ante=1000, bet=1000, cards=FLUSH[:3], discard=FLUSH[0], choice="bet")}
    shared = final_lines(colorado, with_round(boxes=boxes, community=LOW[:2], dealer=()))
    assert isinstance(shared, Refusal)
    assert shared.reason == "there are 2 community cards, not 3: that is ruled on first"


def test_what_is_owed_follows_cards_and_chips() -> None:
    # Ace and king play: the flush wins even money and five to one on the bet, queen high loses.
    found = lines_of()
    assert [one for one in found if one[1] == "ante"] == [(1, "ante", 1000, "win", 1000), (2, "ante", 1000, "lose", 0)]
    assert [one[3] for one in found if one[1] == "bet"] == ["win", "lose"]
    assert [(one[0], one[3]) for one in found if one[1] == "side"] == [(1, "win")]
    for dark in (ann(sides={"side": SideWager(100, lit=False)}), ann(sides={})):
        assert not [one for one in lines_of(BOOK, with_round(boxes=dark)) if one[1] == "side"]
    lost = [one for one in lines_of(BOOK, with_round(boxes=ann(unawarded=True))) if one[1] == "side"]
    assert lost == [(1, "side", 100, "lose", 0)]
    # Who is out has no line; who said nothing has folded.
    for out in ({"void": True}, {"forfeited": True}):
        assert {one[0] for one in lines_of(BOOK, with_round(boxes=ann(**out, sides={})))} == {2}
    silent = [one for one in lines_of(BOOK, with_round(boxes=ann(choice=None, bet=0))) if one[1] == "ante"]
    assert silent[0] == (1, "ante", 1000, "lose", 0)
    # What was settled before is not settled twice.
    early = Line(2, "ante", 1000, "lose", 0, "L", early=True)
    assert (2, "ante") not in [one[:2] for one in lines_of(BOOK, with_round(lines=(early,)))]
    nobody = final_lines(BOOK, with_round(boxes={}))
    assert nobody == ev.RoundSettled(lines=(), clause=BOOK.cite("ante.required"))


def test_a_bet_of_another_size_is_a_question_until_a_person_lets_it_stand() -> None:
    for bet in (2500, 1500):
        odd = final_lines(EXCHANGE, with_round(boxes=ann(bet=bet, sides={})))
        over, under = EXCHANGE.bet.over, EXCHANGE.bet.under
        silent = (over if bet > 2000 else under) is None
        assert isinstance(odd, Unregulated) is silent
    free = dataclasses.replace(BOOK, bet=dataclasses.replace(BOOK.bet, over=None, under=None))
    for bet in (2500, 1500):
        asked = final_lines(free, with_round(boxes=ann(bet=bet)))
        assert isinstance(asked, Unregulated)
        assert asked.reason.startswith("the bet of box 1 is not the size that the book prescribes")
        stands = [one for one in lines_of(free, with_round(boxes=ann(bet=bet), waived=True)) if one[1] == "bet"]
        assert sum(one[2] for one in stands if one[0] == 1) == bet
    assert isinstance(final_lines(free, TABLE), ev.RoundSettled)


def test_a_price_that_no_line_speaks_of_goes_back() -> None:
    taken = cards("2c")[0]
    swapped = replace(ANN, cards=(*FLUSH[:4], taken), give=FLUSH[4], take=taken, fee=1500, sides={})
    found = [one for one in lines_of(EXCHANGE, with_round(boxes={1: swapped, 2: BOB})) if one[1] == "exchange"]
    assert sorted(one[2:4] for one in found) == [(500, "returned"), (1000, "lose")]
    exact = replace(swapped, fee=1000)
    found = [one for one in lines_of(EXCHANGE, with_round(boxes={1: exact, 2: BOB})) if one[1] == "exchange"]
    assert [one[2:4] for one in found] == [(1000, "lose")]


def test_a_fold_is_lost_at_once_and_other_choices_wait() -> None:
    for choice in ("bet", "stay"):
        assert early_lines(BOOK, TABLE, ANN, choice) == []
    lost = early_lines(BOOK, TABLE, replace(ANN, bet=0, choice=None), "fold")
    assert len(lost) == 1
    assert isinstance(lost[0], ev.RoundSettled)
    assert [(one.seat, one.wager, one.stake, one.outcome, one.early) for one in lost[0].lines] == [
        (1, "ante", 1000, "lose", True)
    ]
    assert lost[0].clause == lost[0].lines[0].clause
    # Whatever cards there are, and whatever the limits: a hand may be given up.
    for box in (replace(ANN, bet=0, cards=()), replace(ANN, bet=0, cards=FLUSH[:2])):
        assert early_lines(BOOK, TABLE, box, "fold") == lost
    tight = replace(TABLE, ante_max=800)
    assert [one.outcome for one in early_lines(BOOK, tight, replace(ANN, bet=0), "fold")[0].lines] == ["lose"]  # type: ignore[union-attr]


def test_what_changed_since_the_reckoning_is_undone_and_paid_anew() -> None:
    first = final_lines(BOOK, TABLE)
    assert isinstance(first, ev.RoundSettled)
    settled = with_round(lines=first.lines, from_meter=first.from_meter, settled=True)
    assert settled.round is not None
    assert reckon_again(BOOK, settled) == []
    every = frozenset(range(len(first.lines)))
    paid = replace(settled, round=replace(settled.round, moved=every))
    assert paid.round is not None
    assert reckon_again(BOOK, paid) == []
    # Box 2 is found to hold a pair of kings: only its own lines are undone.
    kings = {1: ANN, 2: replace(BOB, cards=cards("Kh Kc 8c 4h 2d"))}
    again = reckon_again(BOOK, replace(paid, round=replace(paid.round, boxes=kings)))
    assert isinstance(again, list)
    own = [n for n, line in enumerate(first.lines) if line.seat == 2]
    assert again[: len(own)] == [ev.Unmoved(line=n, clause=first.lines[n].clause) for n in own]
    (anew,) = again[len(own) :]
    assert isinstance(anew, ev.RoundSettled)
    assert anew.again
    assert anew.clause == anew.lines[0].clause
    assert [anew.lines[n].seat for n in anew.moved] == [1] * (len(first.lines) - len(own))
    assert {line.outcome for line in anew.lines if line.seat == 2} == {"win"}
    # In a round that is over the chips go where they belong at once.
    over = reckon_again(BOOK, replace(paid, round=replace(paid.round, boxes=kings, phase="done")))
    assert isinstance(over, list)
    moves = [one.line for one in over if isinstance(one, ev.Moved)]
    assert sorted([*moves, *anew.moved]) == list(range(len(anew.lines)))
    assert all(one.clause == anew.lines[one.line].clause for one in over if isinstance(one, ev.Moved))
    # What a box that is out was paid is not touched.
    gone = {1: ANN, 2: replace(BOB, void=True)}
    assert reckon_again(BOOK, replace(paid, round=replace(paid.round, boxes=gone))) == []


@pytest.mark.parametrize("meter", [None, 5_000_000])
def test_a_share_of_a_meter_that_nobody_read_is_a_question(meter: int | None) -> None:
    royal = ann(cards=cards("As Ks Qs Js Ts"))
    found = final_lines(BOOK, with_round(boxes=royal, meter=meter))
    assert isinstance(found, Unregulated) is (meter is None)
    if isinstance(found, ev.RoundSettled):
        assert found.from_meter == {1: 5_000_000}
        assert found.meter_after == 1_000_000
        again = reckon_again(BOOK, with_round(boxes=royal, meter=meter, lines=found.lines, from_meter={1: 4_000_000}))
        assert isinstance(again, list)
        assert [type(one) for one in again] == [ev.RoundSettled]
