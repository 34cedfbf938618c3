"""What a report becomes: a ruling with what follows, a question, or nothing new; whole, in books made for it."""

import dataclasses
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.clause import Clause, Ruling
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Mishap
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.place import BOXED, box_place
from aceking.table.mishaps.circumstances import circumstances
from aceking.table.mishaps.report import report
from aceking.table.mishaps.ruling import rule_on, with_fault
from aceking.table.moment import Moment
from aceking.table.state import Question, RecordedMishap
from tests.table.mishaps.following import ANN, BOOK, NO_ROUND, ROUND, TABLE, ann, now
from tests.table.moment import BOB

RETURNS = BOOK.by_key["void.stakes"].clause


def book_of(*rulings: tuple[str, Any, Any, tuple[Circumstance, ...]], plain: Book = BOOK) -> Book:
    """A book that rules only this: clause, mishap, remedy, and what it wants."""
    pattern = next(iter(plain.clauses.values()))
    found: dict[str, Clause] = {}
    for name, on, then, given in rulings:
        ruling = Ruling(on=on, during=(), given=given, then=then)
        found[name] = replace(pattern, id=name, rulings=(ruling,), acts=())
    return dataclasses.replace(plain, clauses=found)


def known(moment: Moment, mishap: Mishap, **more: Any) -> tuple[Circumstance, ...]:
    args: dict[str, Any] = {"boxes": (), "cards": (), "reported": frozenset(), **more}
    return tuple(sorted(circumstances(moment.book, moment.table, moment.shoe, mishap, **args)))


def ruled(mishap: Mishap, then: Any, clause: str, **more: Any) -> ev.Ruled:
    return ev.Ruled(mishap=mishap, then=then, clause=clause, **{"given": (), **more})


def test_the_book_rules_or_the_person_with_the_last_word_is_asked() -> None:
    book = book_of(("A", "misdeal", "record-violation", ("bets-closed", "after-deal")))
    breach = ev.Violated(what="misdeal", by="box 1", at=50, clause="A")
    given: tuple[Circumstance, ...] = ("after-deal", "bets-closed")
    assert rule_on(now(book), "misdeal", boxes=(1,), cards=(3,)) == [
        ruled("misdeal", "record-violation", "A", given=given, boxes=(1,), cards=(3,)),
        breach,
    ]
    moment = now(book)
    question = ev.Asked(
        question=4,
        mishap="dispute",
        of=book.void.last_word,
        boxes=(1,),
        cards=(3,),
        unregulated=True,
        what="the book has no rule for dispute",
        given=known(moment, "dispute", boxes=(1,), cards=(3,)),
        clause=book.cite("void.last_word"),
    )
    assert rule_on(moment, "dispute", boxes=(1,), cards=(3,)) == [question]
    silent = book_of(("U", "uncovered", "ask-house", ()))
    assert rule_on(now(silent), "dispute", boxes=(1,), cards=(3,)) == [replace(question, clause="U")]
    # Nothing follows where nothing can: the ruling says why.
    idle = book_of(("A", "misdeal", "void-hand", ()))
    assert rule_on(now(idle), "misdeal", boxes=(7,)) == [
        ruled("misdeal", "void-hand", "A", boxes=(7,), why="no such box is in the round")
    ]
    wants = book_of(("A", "boxed-card", "use-as-next", ()))
    early = now(wants, boxes=ann(cards=()), sequence=(), placed=0, dealer=(), phase="dealing")
    assert isinstance(rule_on(early, "boxed-card"), Refusal), "which card?"


def test_how_many_cards_a_deck_has_is_part_of_what_holds() -> None:
    book = book_of(
        ("W", "deck-short-or-long", "continue", ("52-cards",)),
        ("N", "deck-short-or-long", "record-violation", ("not-52-cards",)),
    )
    for count, clause in ((52, "W"), (51, "N"), (53, "N")):
        done = rule_on(now(book), "deck-short-or-long", count=count)
        assert isinstance(done, list)
        assert done[0].clause == clause
    asked = rule_on(now(book), "deck-short-or-long")
    assert isinstance(asked, list)
    assert isinstance(asked[0], ev.Asked)


def test_once_a_round_is_settled_only_what_the_book_says_of_that_time_applies() -> None:
    plain = book_of(("A", "misdeal", "record-violation", ()), ("D", "dispute", "record-violation", ()))
    late = book_of(("A", "misdeal", "record-violation", ("before-next-round",)))
    over: dict[str, Any] = {"phase": "done"}
    assert isinstance(rule_on(now(plain, **over), "misdeal")[0], ev.Asked)  # type: ignore[index]
    assert isinstance(rule_on(now(plain), "misdeal")[0], ev.Ruled)  # type: ignore[index]
    assert isinstance(rule_on(now(plain, **over), "dispute")[0], ev.Ruled)  # type: ignore[index]
    assert isinstance(rule_on(now(late, **over), "misdeal")[0], ev.Ruled)  # type: ignore[index]
    assert isinstance(rule_on(now(plain, table=NO_ROUND), "misdeal")[0], ev.Ruled)  # type: ignore[index]


MISCOUNTS = (
    ("M", "stub-miscount", "as-miscount", ()),
    ("P", "player-miscount", "record-violation", ()),
    ("D", "dealer-miscount", "record-violation", ()),
    ("C", "community-miscount", "record-violation", ()),
)


def test_a_count_that_is_wrong_is_ruled_on_as_the_hand_that_it_is() -> None:
    book = book_of(*MISCOUNTS)
    first = ruled("stub-miscount", "as-miscount", "M")

    def follows(moment: Moment) -> list[tuple[str | None, tuple[int, ...]]]:
        done = rule_on(moment, "stub-miscount")
        assert isinstance(done, list)
        assert done[0] == first
        return [(one.clause, one.boxes) for one in done if isinstance(one, ev.Ruled)][1:]

    assert follows(now(book)) == []
    assert follows(now(book, boxes=ann(cards=ANN.cards[:4]))) == [("P", (1,))]
    both = {1: replace(ANN, cards=ANN.cards[:4]), 2: replace(BOB, cards=(*BOB.cards, 40))}
    assert follows(now(book, boxes=both, dealer=(2,))) == [("P", (1, 2))]
    assert follows(now(book, boxes=ann(cards=()))) == []
    assert follows(now(book, boxes=ann(cards=(1,), void=True))) == []
    assert follows(now(book, dealer=ROUND.dealer[:4])) == [("D", ())]
    assert follows(now(book, community=(40,))) == [("C", ())]
    assert follows(now(book, table=NO_ROUND)) == []
    colorado = book_of(*MISCOUNTS, plain=load_book("colorado-required"))
    three = {1: replace(ANN, cards=(0, 3, 6)), 2: replace(BOB, cards=(1, 4, 7))}
    assert follows(now(colorado, boxes=three, dealer=(), community=(2, 5, 8))) == []
    assert follows(now(colorado, boxes=three, dealer=(), community=(2, 5))) == [("C", ())]


def test_a_stack_without_the_card_is_a_hand_too_short() -> None:
    rulings = (("B", "boxed-card", "discard-and-use-next", ()), MISCOUNTS[1])
    packets = book_of(*rulings, plain=load_book("exchange"))
    out = ev.Rearranged(hands=((box_place(1), (0, 3, 9, 12)), (BOXED, (6,))), clause="B")
    first = ruled("boxed-card", "discard-and-use-next", "B", cards=(6,))
    done = rule_on(now(packets), "boxed-card", cards=(6,))
    assert isinstance(done, list)
    assert done[:2] == [first, out]
    assert done[2] == ruled("player-miscount", "record-violation", "P", boxes=(1,))
    assert rule_on(now(book_of(*rulings)), "boxed-card", cards=(6,)) == [first, out], "one by one the next one comes"
    # Of a hand that is still to come nothing is missing.
    short: dict[str, Any] = {"boxes": ann(cards=ANN.cards[:4])}
    apart = rule_on(now(packets, **short), "boxed-card", cards=(40,))
    assert apart == [replace(first, cards=(40,)), ev.Dealt(card=40, to=BOXED, clause="B")]


def test_a_fault_that_was_ruled_on_leaves_the_jackpot_out_of_order() -> None:
    fault = ruled("jackpot-fault", "continue", "J")
    broken = ev.DeviceSet(device="jackpot", status="faulty", clause="J")
    assert with_fault("jackpot-fault", [fault]) == [fault, broken]
    assert with_fault("dispute", [fault]) == [fault]
    asked = rule_on(now(book_of()), "jackpot-fault")
    assert with_fault("jackpot-fault", asked) == asked
    no = Refusal("no", "C")
    assert with_fault("jackpot-fault", no) is no


# Reports


WITHOUT_ROUND = {
    *("improper-cut", "shuffler-fault", "device-count-wrong", "device-still-on-table", "jackpot-fault", "dispute"),
}
#: What the table finds by itself, and the clause that rules on it in this book.
BY_ITSELF = {"void-round": RETURNS, "stub-miscount": "CSP-10(g)(6)(ii)", "wrong-declaration": "BASE-record"}


def test_what_nobody_reports_and_what_needs_a_round() -> None:
    washington = load_book("washington")
    for mishap in get_args(Mishap):
        found = report(now(table=NO_ROUND), c.Report(mishap=mishap))
        if mishap in BY_ITSELF:
            why = "a round is void for a cause" if mishap == "void-round" else "the table finds that by itself"
            assert found == Refusal(why, BY_ITSELF[mishap])
            bare = report(now(washington), c.Report(mishap=mishap))
            assert bare == Refusal(why, "BASE-record")
            told = report(now(), c.Report(mishap=mishap, facts=("earlier-rounds",)))
            assert told != Refusal(why, BY_ITSELF[mishap])
        elif mishap in WITHOUT_ROUND:
            assert isinstance(found, list), mishap
        else:
            assert found == Refusal("there has been no round", "BASE-time"), mishap


def test_there_is_no_box_beyond_the_last() -> None:
    most = BOOK.table.seats_max
    beyond = report(now(), c.Report(mishap="dispute", boxes=(1, most + 1)))
    assert beyond == Refusal(f"there is no box {most + 1}", BOOK.cite("table.seats_max"))
    assert isinstance(report(now(), c.Report(mishap="dispute", boxes=(most,))), list)


def about(moment: Moment, **command: Any) -> Any:
    """The mishap, boxes and cards of each ruling or question that a report becomes."""
    done = report(moment, c.Report(**command))
    assert isinstance(done, list), done
    return [(one.mishap, one.boxes, one.cards) for one in done if isinstance(one, ev.Ruled | ev.Asked)]


def test_whose_boxes_a_report_is_about() -> None:
    book = book_of(*((f"C-{one}", one, "record-violation", ()) for one in get_args(Mishap)))
    assert about(now(book), mishap="dispute", cards=(3, 10)) == [("dispute", (1, 2), (3, 10))]
    assert about(now(book), mishap="dispute", boxes=(2,), cards=(3,)) == [("dispute", (2,), (3,))]
    assert about(now(book), mishap="dispute") == [("dispute", (), ())]
    short = now(book, boxes=ann(cards=ANN.cards[:4]))
    assert about(short, mishap="player-miscount") == [("player-miscount", (1,), ())]
    assert about(short, mishap="dispute") == [("dispute", (), ())]
    hers = {1: ANN, 2: BOB, 3: replace(ANN, number=3, cards=(40, 41, 42, 43, 44), choice=None, bet=0)}
    assert about(now(book, boxes=hers), mishap="walk-away", boxes=(3,)) == [("walk-away", (1, 3), ())]
    assert about(now(book, boxes=hers), mishap="talking", boxes=(3,)) == [("talking", (3,), ())]


def test_exposed_cards_of_the_dealer_and_of_others_are_two_mishaps() -> None:
    book = book_of(
        ("H", "hole-card-exposed", "record-violation", ()),
        ("E", "cards-exposed", "record-violation", ()),
    )
    both = [("hole-card-exposed", (), (5,)), ("cards-exposed", (1,), (3,))]
    assert about(now(book), mishap="cards-exposed", cards=(3, 5)) == both
    assert about(now(book), mishap="hole-card-exposed", cards=(5, 3)) == both
    assert about(now(book), mishap="cards-exposed", cards=(3,)) == [("cards-exposed", (1,), (3,))]
    assert about(now(book), mishap="cards-exposed", cards=(5,)) == [("hole-card-exposed", (), (5,))]
    assert about(now(book), mishap="hole-card-exposed", cards=(5,)) == [("hole-card-exposed", (), (5,))]
    assert about(now(book), mishap="cards-exposed") == [("cards-exposed", (), ())]
    # Where the first makes the round void, there is nothing left to rule on.
    ends = book_of(("H", "hole-card-exposed", "void-round", ()), ("E", "cards-exposed", "record-violation", ()))
    assert about(now(ends), mishap="cards-exposed", cards=(3, 5)) == both[:1]


def test_the_same_mishap_again_is_one_mishap() -> None:
    book = book_of(
        ("E", "cards-exposed", "continue", ()), ("T", "talking", "continue", ()), ("S", "second-look", "continue", ())
    )
    found = (RecordedMishap("cards-exposed", (1,), (3,), "E"),)
    again = report(now(book, found=found), c.Report(mishap="cards-exposed", cards=(3,)))
    same = ev.Ruled(
        mishap="cards-exposed",
        given=(),
        then="no-effect",
        boxes=(1,),
        clause="E",
        why="it is on the record already",
    )
    assert again == [same]
    other = report(now(book, found=found), c.Report(mishap="cards-exposed", cards=(6,)))
    assert isinstance(other, list)
    assert [one.then for one in other if isinstance(one, ev.Ruled)] == ["continue"]
    # People may talk again.
    spoke = (RecordedMishap("talking", (1,), (), "T"),)
    more = report(now(book, found=spoke), c.Report(mishap="talking", boxes=(1,)))
    assert isinstance(more, list)
    assert [one.then for one in more if isinstance(one, ev.Ruled)] == ["continue"]


def test_the_same_question_while_it_is_open_is_one_question() -> None:
    book = book_of()
    first = report(now(book), c.Report(mishap="dispute", boxes=(1,)))
    assert isinstance(first, list)
    (asked,) = first
    assert isinstance(asked, ev.Asked)
    open_one = Question(
        4, "dispute", asked.of, asked.clause, boxes=(1,), unregulated=True, given=asked.given, what=asked.what
    )
    table = replace(TABLE, questions=(open_one,), asked=4)
    again = ev.Ruled(
        mishap="dispute",
        given=(),
        then="no-effect",
        boxes=(1,),
        clause=asked.clause,
        why="question 4 asks it already",
    )
    assert report(now(book, table), c.Report(mishap="dispute", boxes=(1,))) == [again]
    for other in (
        replace(open_one, boxes=(2,)),
        replace(open_one, mishap="misdeal"),
        replace(open_one, what="something else"),
        replace(open_one, record="the record"),
        replace(open_one, cards=(3,)),
    ):
        told = report(now(book, replace(table, questions=(other,))), c.Report(mishap="dispute", boxes=(1,)))
        assert told == [replace(asked, question=5)]


def test_a_report_that_the_record_refutes_is_a_question() -> None:
    book = book_of(("P", "player-miscount", "void-round", ()), ("D", "dispute", "void-round", ()))
    moment = now(book)
    question = ev.Asked(
        question=4,
        mishap="player-miscount",
        of=book.void.last_word,
        boxes=(1,),
        what="Sue reports player miscount",
        record="box 1 has 5 cards",
        given=known(moment, "player-miscount", boxes=(1,)),
        clause=book.cite("void.last_word"),
    )
    assert report(moment, c.Report(mishap="player-miscount", boxes=(1,))) == [question]
    said = report(moment, c.Report(mishap="player-miscount", boxes=(1,), facts=("intentional", "nobody-looked")))
    assert said == [replace(question, what="Sue reports player miscount (intentional, nobody-looked)")]
    # A fact that the record has not, where the mishap itself cannot be told from it.
    facts = report(moment, c.Report(mishap="dispute", boxes=(1,), facts=("nobody-looked", "bets-open", "bets-closed")))
    assert isinstance(facts, list)
    (asked,) = facts
    assert isinstance(asked, ev.Asked)
    assert asked.record == "the record does not have: nobody looked, bets open"
    more = report(now(book_of()), c.Report(mishap="cards-exposed", cards=(3,), facts=("two-or-more",)))
    assert isinstance(more, list)
    assert isinstance(more[0], ev.Asked)
    assert more[0].record == "the record has one card of these"


@pytest.mark.parametrize(("role", "believed"), [("supervisor", True), ("dealer", True), ("player", False)])
def test_whose_word_is_enough(role: Any, *, believed: bool) -> None:
    book = book_of(("T", "talking", "continue", ()), ("D", "dispute", "continue", ()))
    moment = replace(now(book), role=role, by="X")
    told = report(moment, c.Report(mishap="talking", boxes=(1,)))
    assert isinstance(told, list)
    assert [type(one) for one in told] == [ev.Ruled if believed else ev.Asked]
    if not believed:
        assert isinstance(told[0], ev.Asked)
        assert told[0].record == "the record cannot tell"
    anybody = report(moment, c.Report(mishap="dispute", boxes=(1,)))
    assert isinstance(anybody, list)
    assert [type(one) for one in anybody] == [ev.Ruled]
