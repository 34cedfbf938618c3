"""Each answer to an open question: what may be answered, what is refused in which words, and all that follows."""

import dataclasses
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Mishap, Remedy
from aceking.settle.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.mishaps.answers import answers, choose, decide_question, open_question
from aceking.table.mishaps.evidence import CANNOT_TELL
from aceking.table.now import Done, Now
from aceking.table.place import BURN, DEALER, Pile, box_place
from aceking.table.state import Question, SideWager, Table
from tests.table.moment import (
    ANN,
    BOB,
    COLORADO,
    DARK,
    EXCHANGE,
    NO_ROUND,
    ROUND,
    RWS,
    SECTION10,
    SIDE,
    TABLE,
    WASHINGTON,
    boxes,
    dealing,
    moment,
)
from tests.table.test_mishaps_circumstances import OF_THE_CARDS, holds

WHY = "the camera shows it"
#: Whole hands of five, and a dealer's of which the last card lies face up.
LAST_UP: dict[str, Any] = {"up": 14}


def question(mishap: Mishap = "dispute", *named: int, **more: Any) -> Question:
    return Question(**{"number": 3, "mishap": mishap, "of": "supervisor", "clause": "Q", "boxes": named, **more})


def asked(one: Question, book: Book = WASHINGTON, table: Table = TABLE, **changes: Any) -> Now:
    """The moment at which this question is open."""
    return moment(book, replace(table, questions=(one,)), **changes)


def rule(now: Now, then: Remedy, **more: Any) -> Done:
    return decide_question(now, c.Rule(**{"question": 3, "then": then, "reason": WHY, **more}))


def answered(then: Remedy, clause: str = "Q") -> ev.Answered:
    return ev.Answered(question=3, then=then, by="Sue", reason=WHY, clause=clause)


def back(box: int, wager: str, amount: int, clause: str = "Q") -> ev.Returned:
    return ev.Returned(box=box, wager=wager, amount=amount, clause=clause)


# What may be answered


def test_an_open_question_is_found_by_its_number() -> None:
    one, other = question(), question("talking", number=5)
    now = moment(table=replace(TABLE, questions=(one, other)))
    assert open_question(now, 3) is one
    assert open_question(now, 5) is other
    assert open_question(now, 4) is None


def test_where_record_and_claim_differ_one_of_them_stands() -> None:
    def may(one: Question, **more: Any) -> tuple[Remedy, ...]:
        return answers(asked(one, **more), one)

    machine = replace(TABLE, mode="electronic")
    differ = question(record="box 1 has 5 cards")
    assert may(differ) == ("record-stands", "correct-record")
    assert may(differ, table=machine) == ("record-stands",)
    unknown = question(record=CANNOT_TELL)
    assert may(unknown) == ("record-stands", "as-reported")
    assert may(unknown, table=machine) == ("record-stands", "as-reported")
    assert may(question(of="players")) == ()
    assert may(question(of="players", record="box 1 has 5 cards")) == ()


MISSED = {**LAST_UP, "boxes": boxes()}
#: Book, mishap, changes of the round; and the answers that the book leaves, each with its clause.
LEFT: list[tuple[Book, Mishap, dict[str, Any], dict[Remedy, str]]] = [
    (SECTION10, "talking", {}, {"forfeit-wagers": "CSP-10(j)(3)", "continue": "CSP-10(j)(3)"}),
    (RWS, "second-look", {}, {"void-hand": "RWS-5.19", "stands": "RWS-5.19"}),
    (RWS, "missed-burn", {}, {"void-round": "RWS-5.9", "offer-choice-to-all": "RWS-5.9#options"}),
    (RWS, "missed-burn", {"boxes": boxes(ann={"seen": True})}, {"void-round": "RWS-5.9"}),
    (RWS, "dealer-miscount", {}, {"void-round": "RWS-5.8.7", "offer-choice": "RWS-5.8.7"}),
    (RWS, "simultaneous-cards", dealing(5, RWS), {"offer-choice-to-all": "RWS-5.14.1"}),
    (
        RWS,
        "jackpot-fault",
        {"phase": "done"},
        {"block-affected-box": "RWS-5.18.2.b", "close-table": "RWS-5.18.2.a", "play-without-jackpot": "RWS-5.18.2.c"},
    ),
]


@pytest.mark.parametrize(("book", "mishap", "changes", "left"), LEFT)
def test_where_the_book_says_what_follows_from_a_finding_nothing_else_is_answered(
    book: Book, mishap: Mishap, changes: dict[str, Any], left: dict[Remedy, str]
) -> None:
    one = question(mishap, 1)
    now = asked(one, book, **changes)
    assert answers(now, one) == tuple(left)
    cards = (5, 6) if mishap == "simultaneous-cards" else (40,) if mishap in ("missed-burn", "dealer-miscount") else ()
    for then, clause in left.items():
        done = rule(now, then, cards=cards)
        assert isinstance(done, list), done
        assert done[0] == answered(then, clause)
    cited = "Q" if len(left) > 1 else next(iter(left.values()))
    words = f"the book leaves {' or '.join(left)}, not dead-cards"
    assert rule(now, "dead-cards") == Refusal(words, cited)


def test_a_finding_that_is_told_leaves_one_answer() -> None:
    one = question("second-look", 1)
    now = asked(one, RWS)
    alone = rule(now, "stands", facts=("intentional",))
    assert alone == Refusal("the book leaves void-hand, not stands", "RWS-5.19")
    found = rule(now, "void-hand", facts=("intentional",))
    assert isinstance(found, list)
    assert found[0] == answered("void-hand", "RWS-5.19")
    # What is no finding is no part of it.
    other = rule(now, "stands", facts=("nobody-looked",))
    assert other == [answered("stands", "RWS-5.19")]
    # A finding that was told with the report is not asked for again.
    given = question("second-look", 1, given=("intentional",))
    assert rule(asked(given, RWS), "void-hand")[0] == answered("void-hand", "RWS-5.19")  # type: ignore[index]


def test_a_finding_that_decides_nothing_leaves_no_answer() -> None:
    """Where words that are no violation would be a question again, only the other finding decides."""
    clause = SECTION10.clauses["CSP-10(j)(3)"]
    rulings = tuple(one for one in clause.rulings if one.wants != {"before-reveal", "no-violation"})
    assert len(rulings) == len(clause.rulings) - 1
    lacking = replace(clause, rulings=rulings)
    book = dataclasses.replace(SECTION10, clauses={**SECTION10.clauses, clause.id: lacking})
    one = question("talking", 1)
    assert answers(asked(one, book), one) == ("forfeit-wagers",)
    # Once the cards are dealt no order of theirs decides anything: it is left to the person.
    late = question("simultaneous-cards")
    assert answers(asked(late, RWS), late) == (*USUAL, "offer-choice-to-all", "void-round", "reshuffle")


USUAL: tuple[Remedy, ...] = ("continue", "stands", "settle")


def test_where_the_book_is_silent_what_would_have_an_effect_may_be_answered() -> None:
    one = question("dispute", 1)
    whole: tuple[Remedy, ...] = (*USUAL, "deemed-fold", "void-hand", "offer-choice-to-all", "void-round", "reshuffle")
    assert answers(asked(one), one) == whole
    raked = question("raked-cards", 1)
    rack = ((Pile("hand", 1), ANN.cards),)
    assert answers(asked(raked, rack=rack), raked) == (*whole, "rebuild")
    assert answers(asked(one, rack=rack), one) == whole
    over = question("over-maximum", 1)
    limited = replace(TABLE, ante_max=800)
    excess: tuple[Remedy, ...] = (*USUAL, "return-excess", "return-stake", *whole[3:])
    assert answers(asked(over, table=limited), over) == excess
    short: dict[str, Any] = {"dealer": ROUND.dealer[:4], "placed": 14, "sealed": True, "sequence": tuple(range(14))}
    lacking = question("dispute")
    completes: tuple[Remedy, ...] = (*USUAL, "offer-choice-to-all", "complete-hand", "void-round", "reshuffle")
    assert answers(asked(lacking, **short), lacking) == completes
    cut = replace(TABLE, decks={"blue": replace(TABLE.decks["blue"], acts=frozenset({"cut"}))})
    assert answers(asked(one, table=cut), one) == (*whole, "recut")
    stays = question("dispute", 1)
    three = boxes(ann={"cards": (0, 3, 6)}, bob={"cards": (1, 4, 7)})
    colorado = answers(asked(stays, COLORADO, boxes=three, dealer=(), community=(2, 5, 8), up=None), stays)
    assert "deemed-stay" not in colorado, "in this version who does not bet folds"
    nobody = question()
    assert answers(asked(nobody, table=NO_ROUND), nobody) == (*USUAL, "reshuffle")


@pytest.mark.parametrize("mishap", get_args(Mishap))
def test_a_hand_of_a_wrong_size_cannot_be_played_on(mishap: Mishap) -> None:
    """Of what else went wrong play can still go on, and the miscount is told by itself."""
    one = question(mishap, 1)
    stops = mishap in OF_THE_CARDS
    refused = Refusal("a hand with a wrong number of cards cannot be played on", "Q")

    def goes_on(**changes: Any) -> bool:
        now = asked(one, **changes)
        done = rule(now, "continue")
        assert done in (refused, [answered("continue")])
        assert ("continue" in answers(now, one)) is (done != refused)
        return done != refused

    short = boxes(ann={"cards": ANN.cards[:4]})
    for phase in ("deciding", "revealed"):
        assert goes_on(boxes=short, phase=phase) is not stops
        assert goes_on(**dealing(13, phase=phase)) is not stops
    assert goes_on(**dealing(14)), "the deal runs"
    assert goes_on(**dealing(15, boxes=short)) is not stops, "every card is dealt"
    assert goes_on()
    assert goes_on(boxes=short, phase="done")
    # What does not let the cards lie may be answered all the same.
    assert isinstance(rule(asked(one, boxes=short), "void-hand"), list)


# What is refused


NOT_ANSWERS: tuple[Remedy, ...] = (
    *("ask-supervisor", "ask-house", "choose-course", "hold-deal", "unregulated", "as-miscount"),
)


def test_what_is_no_answer() -> None:
    one = question("dispute", 1)
    now = asked(one)
    for then in NOT_ANSWERS:
        assert rule(now, then) == Refusal("that is the question, not an answer to it", "Q")
        assert rule(now, then, reason="") == Refusal("a decision needs a reason", "Q")
    assert rule(now, "continue", reason=" \t") == Refusal("a decision needs a reason", "Q")
    assert rule(asked(question(of="players")), "continue") == Refusal("the players concerned must choose", "Q")
    most = WASHINGTON.table.seats_max
    beyond = Refusal(f"there is no box {most + 1}", WASHINGTON.cite("table.seats_max"))
    assert rule(now, "void-hand", boxes=(1, most + 1)) == beyond
    for then in ("record-stands", "correct-record", "as-reported"):
        assert rule(now, then) == Refusal("record and claim do not differ here", "BASE-record")
    nothing = rule(now, "complete-hand")
    assert nothing == Refusal("complete hand: the dealer's hand does not lack one card", "Q")
    short: dict[str, Any] = {"dealer": ROUND.dealer[:4], "placed": 14, "sequence": tuple(range(14))}
    assert rule(asked(one, **short), "complete-hand") == Refusal("which card is it?", "BASE-input")


STAKES: set[Mishap] = {"uncovered", "over-maximum", "under-minimum", "bet-over", "bet-under"}
ONLY_OF: dict[Remedy, set[Mishap]] = {
    "lose-ante": {"wrong-declaration"},
    "pay-at-last-value": {"jackpot-fault", "uncovered"},
    "may-raise": STAKES,
    "raise-or-withdraw": STAKES,
    "settle-at-maximum": STAKES,
    "settle-as-staked": STAKES,
}


@pytest.mark.parametrize("mishap", get_args(Mishap))
@pytest.mark.parametrize("then", [*ONLY_OF, "stands", "no-effect"])
def test_some_answers_mean_something_of_some_mishaps_only(then: Remedy, mishap: Mishap) -> None:
    done = rule(asked(question(mishap)), then)
    if mishap in ONLY_OF.get(then, {mishap}):
        assert done == [answered(then)]
    else:
        assert done == Refusal(f"{then.replace('-', ' ')}: it would change nothing here", "Q")


def test_a_meter_that_nobody_had_read_is_read_with_the_answer() -> None:
    unread = question("uncovered", what="meter: seat 1 wins a share of the meter, and its value is not given")
    now = asked(unread)
    which = Refusal("what did the meter show?", "Q")
    assert rule(now, "settle") == which
    assert rule(now, "settle", meter=-1) == which
    assert rule(now, "settle", meter=0) == [answered("settle"), ev.Trayed(meter=0, clause="Q")]
    assert rule(now, "settle", meter=700) == [answered("settle"), ev.Trayed(meter=700, clause="Q")]
    void = rule(now, "void-hand", boxes=(1,))
    out = [back(1, "ante", 1000), ev.HandVoided(box=1, clause="Q")]
    assert void == [answered("void-hand"), *out], "who plays no more needs no meter"
    assert rule(now, "void-hand", boxes=(1,), meter=-1) == which
    read = rule(now, "void-hand", boxes=(1,), meter=5)
    assert read == [answered("void-hand"), ev.Trayed(meter=5, clause="Q"), *out]


def test_no_answer_changes_a_meter_that_is_not_asked_about() -> None:
    nobody = Refusal("nobody asks here what the meter showed", "BASE-input")
    unread = question("uncovered", what="meter: a share")
    for now in (
        asked(question()),
        asked(question(), table=NO_ROUND),
        asked(unread, meter=5_000_000),
        asked(unread, table=NO_ROUND),
        asked(question(what="the meter: a share")),
    ):
        assert rule(now, "continue", meter=7) == nobody
        assert rule(now, "continue") == [answered("continue")]


# What follows


def test_an_answer_is_about_the_boxes_that_it_names_or_else_those_of_the_question() -> None:
    now = asked(question("dispute", 1))
    ann = [back(1, "ante", 1000), ev.HandVoided(box=1, clause="Q")]
    bob = [back(2, "ante", 500), ev.HandVoided(box=2, clause="Q")]
    assert rule(now, "void-hand") == [answered("void-hand"), *ann]
    assert rule(now, "void-hand", boxes=(2,)) == [answered("void-hand"), *bob]
    most = WASHINGTON.table.seats_max
    none = Refusal("void hand: no such box is in the round", "Q")
    assert rule(now, "void-hand", boxes=(most,)) == none
    # And about the cards.
    seen = asked(question("hole-card-exposed", cards=(5,)))
    assert rule(seen, "becomes-up-card") == [answered("becomes-up-card"), ev.UpCard(card=5, clause="Q")]
    assert rule(seen, "becomes-up-card", cards=(8,)) == [answered("becomes-up-card"), ev.UpCard(card=8, clause="Q")]


def test_what_was_found_is_told_with_the_next_question() -> None:
    """5.9: the cards are put right with the next one of the deck, and every player may choose."""
    one = question("missed-burn")
    moved = ev.Rearranged(
        hands=(
            (BURN, (0,)),
            (box_place(1), (1, 4, 7, 10, 13)),
            (box_place(2), (2, 5, 8, 11, 14)),
            (DEALER, (3, 6, 9, 12, 15)),
        ),
        clause="RWS-5.9#options",
    )
    sealed = asked(one, RWS, sealed=True, **LAST_UP)
    offered = ev.Asked(
        question=4,
        mishap="missed-burn",
        of="players",
        boxes=(1, 2),
        given=tuple(sorted(holds(sealed, "missed-burn", told=frozenset({"rebuildable"})))),
        clause="RWS-5.9#options",
    )
    drawn = ev.Dealt(card=15, to=DEALER, clause="RWS-5.9#options")
    up = ev.UpCard(card=15, clause="RWS-5.9#options")
    first = answered("offer-choice-to-all", "RWS-5.9#options")
    assert rule(sealed, "offer-choice-to-all") == [first, drawn, moved, up, offered]
    unknown = asked(one, RWS, **LAST_UP)
    assert rule(unknown, "offer-choice-to-all") == Refusal("which card was drawn?", "RWS-5.9#options")
    told = rule(unknown, "offer-choice-to-all", cards=(40,))
    assert isinstance(told, list)
    assert told[:2] == [first, replace(drawn, card=40)]
    assert told[-1] == replace(offered, cards=(40,))
    # Nothing is drawn where nothing is put right.
    void = rule(unknown, "void-round")
    assert isinstance(void, list)
    assert void[0] == answered("void-round", "RWS-5.9")


def test_cards_that_came_together_are_dealt_in_the_order_that_is_decided() -> None:
    """5.14: the supervisor says which card comes first; then every player may go on or not."""
    one, clause = question("simultaneous-cards", cards=(5, 6)), "RWS-5.14.1"
    first = answered("offer-choice-to-all", clause)

    def decided(*cards: int, **changes: Any) -> Done:
        return rule(asked(one, RWS, **changes), "offer-choice-to-all", cards=cards)

    sealed = dealing(5, RWS, sealed=True)
    players = ev.Asked(
        question=4,
        mishap="simultaneous-cards",
        of="players",
        boxes=(1, 2),
        given=tuple(
            sorted(holds(moment(RWS, **sealed), "simultaneous-cards", cards=(5, 6), told=frozenset({"order-decided"})))
        ),
        clause=clause,
    )
    for cards in ((6, 5), (5, 6)):
        dealt = [
            ev.Dealt(card=cards[0], to=DEALER, clause=clause),
            ev.Dealt(card=cards[1], to=box_place(1), clause=clause),
        ]
        assert decided(*cards, **sealed) == [first, *dealt, players]
    # Where everybody has left nobody is asked: the cards lie as it was decided, and the deal goes on.
    alone = {**sealed, "boxes": {number: replace(box, left=True) for number, box in sealed["boxes"].items()}}
    assert decided(5, 6, **alone) == [
        first,
        ev.Dealt(card=5, to=DEALER, clause=clause),
        ev.Dealt(card=6, to=box_place(1), clause=clause),
    ]
    which = Refusal("which card comes first?", clause)
    assert decided(**sealed) == which
    assert decided(5, **sealed) == which
    assert decided(5, 7, **sealed) == Refusal("those are not the next cards of the deck", clause)
    live = dealing(5, RWS)
    dealt_already = Refusal("a card of these is dealt already", clause)
    assert decided(40, 4, **live) == dealt_already
    assert decided(40, 40, **live) == dealt_already
    other = decided(40, 41, **live)
    assert isinstance(other, list)
    assert other[1:3] == [
        ev.Dealt(card=40, to=DEALER, clause=clause),
        ev.Dealt(card=41, to=box_place(1), clause=clause),
    ]
    # One for which no place is left stays in the deck.
    last = decided(14, 15, **dealing(14, RWS, sealed=True))
    assert isinstance(last, list)
    assert [(one.card, one.to, one.face) for one in last if isinstance(one, ev.Dealt)] == [(14, DEALER, "up")]
    # Where no order is decided, or of another mishap, no card is dealt.
    cards = (40, 41)
    assert rule(asked(one, **live), "continue", cards=cards) == [answered("continue")]
    order: dict[str, Any] = {"facts": ("order-decided",)}
    assert rule(asked(question(), **live), "continue", **order) == [answered("continue")]
    assert rule(asked(question(), **live), "continue", **order, cards=cards) == [answered("continue")]
    assert rule(asked(one, table=NO_ROUND), "continue", **order, cards=cards) == [answered("continue")]
    burn = rule(asked(question("missed-burn"), RWS, sealed=True, **LAST_UP), "offer-choice-to-all", cards=(15,))
    assert isinstance(burn, list)


# Record and claim


CLAIM: dict[str, Any] = {"record": "box 1 has 5 cards"}
SHORT = c.HandWas(place=box_place(1), cards=ANN.cards[:4])


def corrected(one: c.HandWas | c.LookWas | c.LightWas) -> ev.Corrected:
    return ev.Corrected(now=one, by="Sue", reason=WHY, clause="Q")


def test_the_record_stands_or_is_corrected_and_then_ruled_on() -> None:
    claim = question("player-miscount", 1, **CLAIM)
    now = asked(claim, SECTION10)
    assert rule(now, "record-stands") == [answered("record-stands")]
    clause = "CSP-10(m)(4)"
    assert rule(now, "correct-record", corrects=(SHORT,)) == [
        answered("correct-record"),
        corrected(SHORT),
        ev.Ruled(mishap="player-miscount", given=(), then="void-hand", boxes=(1,), clause=clause),
        back(1, "ante", 1000, clause),
        ev.HandVoided(box=1, clause=clause),
    ]
    other = Refusal("the record stands, or it is corrected; the book rules on what it says then", "Q")
    for then in ("void-hand", "as-reported", "continue"):
        assert rule(now, then, corrects=(SHORT,)) == other
    machine = asked(claim, SECTION10, replace(TABLE, mode="electronic"))
    own = Refusal("an electronic table deals from its own record: there is nothing to correct", "BASE-record")
    assert rule(machine, "correct-record", corrects=(SHORT,)) == own
    assert rule(now, "correct-record") == Refusal("what should the record say?", "BASE-input")
    no_round = Refusal("there is no round whose record could be corrected", "BASE-record")
    assert rule(asked(claim, table=NO_ROUND), "correct-record", corrects=(SHORT,)) == no_round
    assert rule(asked(claim, phase="void"), "correct-record", corrects=(SHORT,)) == no_round
    same = c.HandWas(place=box_place(1), cards=ANN.cards)
    still = Refusal("the record would still say otherwise: box 1 has 5 cards", "BASE-record")
    assert rule(now, "correct-record", corrects=(same,)) == still
    # The last of several corrections counts.
    assert rule(now, "correct-record", corrects=(SHORT, same)) == still
    both = rule(now, "correct-record", corrects=(same, SHORT))
    assert isinstance(both, list)
    assert both[:3] == [answered("correct-record"), corrected(same), corrected(SHORT)]


def test_a_claim_about_cards_is_ruled_on_with_the_cards_that_the_answer_names() -> None:
    claim = question("dealer-miscount", cards=(), **CLAIM)
    four = c.HandWas(place=DEALER, cards=ROUND.dealer[:4])
    now = asked(claim, SECTION10)
    clause = "CSP-10(m)(4)#dealer-four"
    done = rule(now, "correct-record", corrects=(four,), cards=(40,))
    assert done == [
        answered("correct-record"),
        corrected(four),
        ev.Ruled(
            mishap="dealer-miscount", given=("dealer-has-four",), then="complete-hand", cards=(40,), clause=clause
        ),
        ev.Dealt(card=40, to=DEALER, clause=clause),
    ]
    assert rule(now, "correct-record", corrects=(four,)) == Refusal("which card is it?", "BASE-input")
    named = asked(replace(claim, cards=(40,)), SECTION10)
    assert rule(named, "correct-record", corrects=(four,)) == done
    other = rule(named, "correct-record", corrects=(four,), cards=(41,))
    assert isinstance(other, list)
    assert other[-1] == ev.Dealt(card=41, to=DEALER, clause=clause)


def test_what_the_record_cannot_tell_may_be_taken_as_reported() -> None:
    given: tuple[Circumstance, ...] = ("a-violation", "after-deal")
    claim = question("talking", 1, record=CANNOT_TELL, given=given)
    now = asked(claim, SECTION10)
    clause = "CSP-10(j)(3)"
    ruled = ev.Ruled(
        mishap="talking", given=("a-violation", "before-reveal"), then="forfeit-wagers", boxes=(1,), clause=clause
    )
    lost = ev.Forfeited(box=1, clause=clause)
    assert rule(now, "as-reported") == [answered("as-reported"), ruled, lost]
    plain = asked(replace(claim, given=("after-deal",)), SECTION10)
    told = rule(plain, "as-reported", facts=("a-violation", "somebody-looked"))
    assert told == [answered("as-reported"), ruled, lost]
    assert rule(now, "record-stands") == [answered("record-stands")]
    other = Refusal("the record stands, or it is corrected; the book rules on what it says then", "Q")
    assert rule(now, "forfeit-wagers") == other
    exposed = question("cards-exposed", 1, record=CANNOT_TELL, cards=(0,))
    assert rule(asked(exposed, SECTION10), "as-reported") == [
        answered("as-reported"),
        ev.Ruled(
            mishap="cards-exposed",
            given=("player-card",),
            then="continue",
            boxes=(1,),
            cards=(0,),
            clause="CSP-10(m)(3)",
        ),
    ]
    # A fault that is taken as reported leaves the jackpot out of order.
    fault = question("jackpot-fault", record=CANNOT_TELL)
    done = rule(asked(fault, RWS, boxes=boxes(ann={"seen": True})), "as-reported")
    assert done == [
        answered("as-reported"),
        ev.Ruled(
            mishap="jackpot-fault",
            given=("somebody-looked", "this-round"),
            then="pay-at-last-value",
            clause="RWS-5.18.1",
        ),
        ev.DeviceSet(device="jackpot", status="faulty", clause="RWS-5.18.1"),
    ]
    wants = question("card-drawn-in-error", record=CANNOT_TELL, given=("not-exposed",))
    assert rule(asked(wants, SECTION10, **dealing(5)), "as-reported") == Refusal("which card is it?", "BASE-input")


def test_what_the_record_cannot_say() -> None:
    claim = question("player-miscount", 1, **CLAIM)

    def no(*ones: Any, book: Book = EXCHANGE, mishap: Mishap = "player-miscount", **changes: Any) -> str:
        done = rule(asked(replace(claim, mishap=mishap), book, **changes), "correct-record", corrects=ones)
        assert isinstance(done, Refusal)
        assert done.clause == "BASE-record"
        return done.reason

    def was(*cards: int, box: int = 1) -> c.HandWas:
        return c.HandWas(place=box_place(box), cards=cards)

    elsewhere = "a card of these lies somewhere else on the record"
    assert no(was(0, 3, 6, 1)) == elsewhere
    assert no(was(0, 3, 6, 50), sequence=(*range(15), 50), burn=(50,)) == elsewhere
    assert no(was(0, 3, 6, 3)) == "a card comes twice"
    assert no(was(40, 41, box=5)) == "box 5 is not in the round"
    assert no(SHORT, c.LookWas(box=5, seen=True)) == "box 5 is not in the round"
    assert no(SHORT, c.LightWas(box=5, lit=True)) == "box 5 is not in the round"
    assert no(c.LightWas(box=1, lit=True), book=COLORADO) == "no wager of this book has a light"
    taken = {"ann": {"take": 12, "give": 45}}
    bought = "the card that was taken in the exchange is in the hand"
    assert no(was(0, 3, 6, 9), boxes=boxes(**taken)) == bought
    assert "still" in no(was(0, 3, 6, 40, 12), boxes=boxes(**taken)), "five cards, and it is one of them"
    gone = "those cards are in the rack, and what was given away or laid aside with them"
    rack = ((Pile("hand", 1), ANN.cards),)
    for aside in ({"give": 45}, {"discard": 45}):
        assert no(SHORT, boxes=boxes(ann=aside), rack=rack) == gone
    assert no(was(1, 4, box=2), boxes=boxes(ann={"give": 45}), rack=rack).startswith("the record would still")
    for look in ("early-pick-up", "second-look", "unlit-chip"):
        words = f"{look.replace('-', ' ')} is not about the cards of a hand"
        assert no(SHORT, mishap=look) == words


def test_what_the_record_can_say() -> None:
    claim = question("player-miscount", 1, **CLAIM)

    def yes(*ones: Any, book: Book = EXCHANGE, one: Question = claim, **changes: Any) -> list[ev.Event]:
        done = rule(asked(one, book, **changes), "correct-record", corrects=ones)
        assert isinstance(done, list), done
        assert done[0] == answered("correct-record")
        assert done[1 : 1 + len(ones)] == [corrected(each) for each in ones]
        return done[1 + len(ones) :]

    # A card that lay aside is found in the hand; one that nobody had comes from the deck.
    found = c.HandWas(place=box_place(1), cards=(*ANN.cards, 20))
    assert yes(found, sequence=(*range(15), 20), aside=(20,))
    assert yes(found)
    raked = ((Pile("hand", 1), ANN.cards),)
    assert yes(SHORT, rack=raked), "nothing was given away with it"
    assert yes(SHORT, boxes=boxes(ann={"give": 45})), "it does not lie in the rack"
    dealer = replace(claim, mishap="dealer-miscount", boxes=())
    assert yes(c.HandWas(place=DEALER, cards=(2, 5)), one=dealer, rack=raked, boxes=boxes(ann={"give": 45}))
    look = question("early-pick-up", 1, **CLAIM)
    ruled = yes(c.LookWas(box=1, seen=True), one=look)
    assert ruled[0] == ev.Ruled(
        mishap="early-pick-up", given=("after-deal",), then="record-violation", boxes=(1,), clause="EUR-p6-goahead"
    )


def test_a_chip_whose_light_was_never_on_registered_no_wager() -> None:
    claim = question("unlit-chip", 1, **CLAIM)
    off, on = c.LightWas(box=1, lit=False), c.LightWas(box=1, lit=True)
    lines = (Line(1, "side", 100, "lose", 0, "S"), Line(1, "ante", 1000, "lose", 0, "L"))
    lit = boxes(ann={"sides": SIDE})
    done = rule(asked(claim, boxes=lit, lines=lines, moved=frozenset({0, 1})), "correct-record", corrects=(off,))
    assert isinstance(done, list)
    assert done[:4] == [
        *(answered("correct-record"), corrected(off), ev.Unmoved(line=0, clause="Q"), back(1, "side", 100)),
    ]
    dark = boxes(ann={"sides": DARK})
    still = "the record would still say otherwise: the light of that box is on, or it has no side wager"
    assert rule(asked(claim, boxes=dark), "correct-record", corrects=(on,)) == Refusal(still, "BASE-record")
    other = c.LookWas(box=1, seen=False)
    plain = rule(asked(claim, boxes=dark), "correct-record", corrects=(other,))
    assert isinstance(plain, list)
    assert plain[:2] == [answered("correct-record"), corrected(other)]
    assert not isinstance(plain[2], ev.Returned), "nothing was said of its light"
    miscount = question("player-miscount", 1, **CLAIM)
    burns = rule(asked(miscount, SECTION10, boxes=lit), "correct-record", corrects=(SHORT, on))
    assert isinstance(burns, list)
    assert burns[3] == ev.Ruled(
        mishap="player-miscount", given=(), then="void-hand", boxes=(1,), clause="CSP-10(m)(4)"
    ), "a light that was on leaves the chip where it is"
    two = {"side": SideWager(100), "bonus": SideWager(50)}
    both = rule(asked(claim, boxes=boxes(ann={"sides": two})), "correct-record", corrects=(off, other))
    assert isinstance(both, list)
    assert both[3:5] == [back(1, "side", 100), back(1, "bonus", 50)]


# The players choose


def offered(*named: int, **more: Any) -> Question:
    return question("misdeal", *named, of="players", **more)


def chose(now: Now, box: int = 1, number: int = 3, *, go_on: bool) -> Done:
    return choose(now, c.Choose(question=number, box=box, go_on=go_on))


def chosen(box: int, clause: str, *, closes: bool, go_on: bool) -> ev.Answered:
    then: Remedy = "continue" if go_on else "void-hand"
    return ev.Answered(question=3, then=then, by="Sue", box=box, closes=closes, clause=clause)


@pytest.mark.parametrize(
    ("book", "given", "on", "out"),
    [
        (RWS, ("rebuildable",), "RWS-5.10.2", "RWS-5.10.3"),
        (RWS, ("rebuildable-from-stub",), "RWS-5.10.1", "RWS-5.10.3"),
        (RWS, (), "RWS-5.10.1", "RWS-5.10.3"),
        (RWS, ("not-rebuildable",), "RWS-5.10.1", "RWS-5.10.3"),
        (SECTION10, ("rebuildable",), "Q", "Q"),
    ],
)
def test_who_is_asked_goes_on_or_has_the_stakes_back(
    book: Book, given: tuple[Circumstance, ...], on: str, out: str
) -> None:
    both = asked(offered(1, 2, given=given), book)
    assert chose(both, go_on=True) == [chosen(1, on, closes=False, go_on=True)]
    assert chose(both, 2, go_on=True) == [chosen(2, on, closes=False, go_on=True)]
    gone = [back(1, "ante", 1000, out), ev.HandVoided(box=1, clause=out)]
    assert chose(both, go_on=False) == [chosen(1, out, closes=False, go_on=False), *gone]
    last = asked(offered(1, given=given), book)
    assert chose(last, go_on=True) == [chosen(1, on, closes=True, go_on=True)]
    assert chose(last, go_on=False) == [chosen(1, out, closes=True, go_on=False), *gone]


def test_where_nobody_is_left_the_round_ends_without_a_result() -> None:
    alone = asked(offered(1), SECTION10, boxes=boxes(bob={"void": True}))
    done = chose(alone, go_on=False)
    assert isinstance(done, list)
    assert [type(one) for one in done] == [
        *(ev.Answered, ev.Returned, ev.HandVoided, ev.RoundVoided, ev.Unshuffled, ev.RoundEnded),
    ]
    # While bets are open others may still come.
    open_bets = asked(offered(1), SECTION10, **dealing(0, phase="betting", boxes={1: replace(ANN, cards=())}))
    early = chose(open_bets, go_on=False)
    assert isinstance(early, list)
    assert [type(one) for one in early] == [ev.Answered, ev.Returned, ev.HandVoided]


def test_who_is_not_asked_has_nothing_to_choose() -> None:
    none = Refusal("there is no such choice to make", "BASE-question")
    now = asked(offered(1), RWS)
    assert chose(now, 2, go_on=True) == Refusal("that box is not asked, or has chosen", "Q")
    assert chose(now, 7, go_on=True) == none
    assert chose(now, 1, 4, go_on=True) == none
    assert chose(asked(question("misdeal", 1), RWS), go_on=True) == none, "it is the supervisor's"
    assert chose(asked(offered(1), table=NO_ROUND), go_on=True) == none
    for over in ("done", "void"):
        assert chose(asked(offered(1), phase=over), go_on=True) == none


def test_who_has_chosen_to_go_on_takes_what_comes() -> None:
    words = "who has chosen to go on takes what comes"
    went: dict[str, Any] = {"went_on": frozenset({1})}
    binding = Refusal(words, "RWS-5.10#binding")
    assert chose(asked(offered(2), RWS, **went), go_on=False) == binding
    assert chose(moment(RWS, **went), go_on=False) == binding, "whatever question it was"
    assert chose(moment(SECTION10, **went), go_on=False) == Refusal(words, "BASE-question")
    assert chose(asked(offered(2), RWS, **went), go_on=True) == Refusal("that box is not asked, or has chosen", "Q")
    assert chose(moment(RWS), go_on=False) == Refusal("there is no such choice to make", "BASE-question")
    # Of another mishap he is asked again.
    again = chose(asked(offered(1, 2), RWS, **went), go_on=False)
    assert isinstance(again, list)
    assert again[0] == chosen(1, "RWS-5.10.3", closes=False, go_on=False)


def test_who_has_decided_or_has_no_whole_hand_cannot_go_on_with_it() -> None:
    for choice in ("fold", "declare"):
        for go_on in (True, False):
            decided = asked(offered(1, 2), SECTION10, boxes=boxes(ann={"choice": choice}))
            assert chose(decided, go_on=go_on) == Refusal("box 1 has decided", "Q")
    bets = asked(offered(1, 2), SECTION10, boxes=boxes(ann={"choice": "bet"}))
    assert isinstance(chose(bets, go_on=True), list)
    for own in (ANN.cards[:4], (*ANN.cards, 40)):
        short = asked(offered(1, 2), SECTION10, boxes=boxes(ann={"cards": own}))
        assert chose(short, go_on=True) == Refusal("there is no whole hand to go on with", "Q")
        assert isinstance(chose(short, go_on=False), list)
    running = asked(offered(1, 2), SECTION10, **dealing(7))
    assert isinstance(chose(running, go_on=True), list), "its cards are still to come"


def test_the_moments_of_these_tests_are_moments_of_a_table() -> None:
    """The hands are those of the order in which the cards fell."""
    assert {1: ANN.cards, 2: BOB.cards} == {number: box.cards for number, box in dealing(15)["boxes"].items()}
    assert dealing(15)["dealer"] == ROUND.dealer
