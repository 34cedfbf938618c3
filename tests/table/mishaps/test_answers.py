"""Each answer to an open question: what may be answered, what is refused in which words, and all that follows."""

import dataclasses
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Mishap, Remedy
from aceking.table import event as ev
from aceking.table.cards.place import BURN, DEALER, Pile, box_place
from aceking.table.mishaps.answers import answers, open_question
from aceking.table.mishaps.evidence import CANNOT_TELL
from aceking.table.moment import Done
from aceking.table.state import Question
from tests.table.mishaps.asking import LAST_UP, answered, asked, back, question, rule
from tests.table.mishaps.test_circumstances import OF_THE_CARDS, holds
from tests.table.moment import ANN, COLORADO, NO_ROUND, ROUND, RWS, SECTION10, TABLE, WASHINGTON, boxes, dealing, moment

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
    rulings = tuple(one for one in clause.rulings if one.circumstances != {"before-reveal", "no-violation"})
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
    assert rule(asked(one, **short), "complete-hand") == Refusal("name the card", "BASE-input")


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
    which = Refusal("give the value that the meter showed", "Q")
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
        given=tuple(sorted(holds(sealed, "missed-burn", reported=frozenset({"rebuildable"})))),
        clause="RWS-5.9#options",
    )
    drawn = ev.Dealt(card=15, to=DEALER, clause="RWS-5.9#options")
    up = ev.UpCard(card=15, clause="RWS-5.9#options")
    first = answered("offer-choice-to-all", "RWS-5.9#options")
    assert rule(sealed, "offer-choice-to-all") == [first, drawn, moved, up, offered]
    unknown = asked(one, RWS, **LAST_UP)
    assert rule(unknown, "offer-choice-to-all") == Refusal("name the card that was drawn", "RWS-5.9#options")
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
            sorted(
                holds(moment(RWS, **sealed), "simultaneous-cards", cards=(5, 6), reported=frozenset({"order-decided"}))
            )
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
    which = Refusal("name the card that comes first", clause)
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
