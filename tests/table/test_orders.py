"""How the clauses of a book bind an act: which of them, in which case, for whom, and what a breach means."""

import dataclasses
import itertools
from typing import Any

from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.rules.book import Book
from aceking.rules.clause import Clause, ClauseAct
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.procedure.cases import CASES, due_lap, qualified
from aceking.table.procedure.orders import (
    check,
    clause_for,
    clause_of,
    is_demanded,
    orders,
    parts_in,
)
from aceking.table.state import Box, Deck, Round, TableState

PLAIN = load_book("section10")
BOXES = {
    1: Box(number=1, player="Ann", ante=1000, cards=(0,)),
    2: Box(number=2, player="Bob", ante=1000),
}
TABLE = TableState(
    id="t",
    book="section10",
    digest="d",
    mode="live",
    round=Round(number=1, at=1, phase="dealing", boxes=BOXES, sequence=(0,), placed=1),
)


def said(do: Any, by: Any = "dealer", **more: Any) -> ClauseAct:
    return ClauseAct(do=do, by=by, **{"after": (), "case": (), "needs": (), "breach": "refused", **more})


def book_of(*clauses: tuple[str, str, ClauseAct], **changes: Any) -> Book:
    """A book in which these clauses, each of a topic, say these things of acts, and no others."""
    pattern = next(iter(PLAIN.clauses.values()))
    found: dict[str, Clause] = {}
    for name, topic, act in clauses:
        found[name] = replace(pattern, id=name, topic=topic, acts=(act,))
    return dataclasses.replace(PLAIN, clauses=found, **changes)


def with_round(**changes: Any) -> TableState:
    assert TABLE.round is not None
    return replace(TABLE, round=replace(TABLE.round, **changes))


def done(book: Book, act: c.Act, table: TableState = TABLE, role: Any = "dealer") -> Any:
    """The clause that an act is done by, with the breaches; or what refuses it."""
    found = check(book, table, act, role, 50)
    return (found.reason, found.clause) if isinstance(found, Refusal) else found


def test_an_act_that_no_clause_mentions_is_free() -> None:
    book = book_of(("A", "settle", said("pay")))
    assert done(book, c.GoAhead()) == (None, [])
    assert done(book, c.Pay(), role="device") == (None, []), "what binds the dealer does not bind the device"
    assert done(book, c.Pay()) == ("A", [])
    assert (clause_of(book, TABLE, c.Pay()), clause_of(book, TABLE, c.GoAhead())) == ("A", None)
    assert (parts_in(book, "pay"), parts_in(book, "go-ahead")) == (("dealer",), ())
    both = book_of(("A", "settle", said("pay")), ("B", "settle", said("pay", "device")), ("C", "settle", said("pay")))
    assert parts_in(both, "pay") == ("dealer", "device")


def test_what_comes_before_its_time_is_refused_or_a_breach() -> None:
    strict = book_of(("A", "settle", said("pay", after=("lock-out", "reveal"))))
    assert done(strict, c.Pay()) == ("pay comes after lock-out", "A")
    assert done(strict, c.Pay(), with_round(acts=frozenset({"lock-out"}))) == ("pay comes after reveal", "A")
    assert done(strict, c.Pay(), with_round(acts=frozenset({"lock-out", "reveal"}))) == ("A", [])
    mild = book_of(
        ("A", "settle", said("pay", after=("lock-out",), breach="violation")),
        ("B", "settle", said("pay", after=("reveal",), breach="violation")),
    )
    one = ev.Violated(clause="A", what="pay comes after lock-out", by="dealer", at=50)
    two = ev.Violated(clause="B", what="pay comes after reveal", by="dealer", at=50)
    assert done(mild, c.Pay()) == ("A", [one, two])
    assert done(mild, c.Pay(by="Dee")) == ("A", [replace(one, by="Dee"), replace(two, by="Dee")])
    assert done(mild, c.Pay(), with_round(acts=frozenset({"lock-out"}))) == ("A", [two])
    mixed = book_of(
        ("A", "settle", said("pay", after=("lock-out",), breach="violation")),
        ("B", "settle", said("pay", after=("reveal",))),
    )
    assert done(mixed, c.Pay()) == ("pay comes after reveal", "B")


def test_what_a_clause_needs_is_asked() -> None:
    book = book_of(
        ("A", "settle", said("manual-adjustment", needs=("reason-given",))),
        ("B", "settle", said("pay", "device", needs=("reason-given",))),
    )
    assert done(book, c.Adjust(box=1, reason=" ")) == ("an adjustment needs a reason", "A")
    assert done(book, c.Adjust(box=1, reason="why")) == ("A", [])
    assert clause_for(book, TABLE, c.Adjust(box=1, reason=""), "dealer", "reason-given") == "A"
    assert clause_for(book, TABLE, c.Adjust(box=1, reason=""), "device", "reason-given") is None
    assert clause_for(book, TABLE, c.Adjust(box=1, reason=""), "dealer", "counted-five") is None
    assert is_demanded(book, "pay", "reason-given")
    assert not is_demanded(book, "pay", "counted-five")
    assert not is_demanded(book, "go-ahead", "reason-given")


def test_a_choice_of_the_house_takes_a_clause_away() -> None:
    option, value = next(iter(PLAIN.chosen.items()))
    book = book_of(("A", "settle", said("pay", when=((option, (value,)),))))
    assert "pay" in orders(book)
    assert "pay" not in orders(book_of(("A", "settle", said("pay", when=((option, ("something else",)),)))))


def test_the_nearest_clause_is_the_one_that_an_act_is_done_by() -> None:
    """The one for the case, then the one about that part of a round, then by the order of a round."""
    topics = (
        *("deal-single", "decisions", "settle", "pay-order", "reveal", "table-opening", "shuffle", "cut"),
        *("wagers", "side-bets", "anything-else"),
    )
    for near, far in itertools.pairwise(topics):
        book = book_of(("far", far, said("lock-out")), ("near", near, said("lock-out")))
        assert done(book, c.LockOut()) == ("near", []), (near, far)
        assert clause_of(book, TABLE, c.LockOut()) == "near"
    own: tuple[tuple[c.Act, str], ...] = (
        *((act(box=1), "decisions") for act in (c.Look, c.Bet, c.Stay, c.Fold, c.Declare)),
        (c.Exchange(box=1, give=(0,)), "decisions"),
        (c.Discard(box=1, card=0), "decisions"),
        (c.Reveal(), "reveal"),
        (c.TurnHand(box=1), "reveal"),
        (c.CloseBets(), "deal-single"),
        (c.Shuffle(), "shuffle"),
        (c.Cut(count=20), "cut"),
        (c.SideBet(box=1, amount=100), "side-bets"),
    )
    for act, part in own:
        for other in {"deal-single", "settle", "wagers"} - {part}:
            book = book_of(("other", other, said(act.do)), ("own", part, said(act.do)))
            assert clause_of(book, TABLE, act) == "own", (act.do, other)
    cased = book_of(
        ("any", "deal-single", said("collect-cards")),
        ("folded", "anything-else", said("collect-cards", case=("for-folded-box",))),
    )
    folded = with_round(boxes={1: replace(BOXES[1], choice="fold"), 2: BOXES[2]})
    assert done(cased, c.CollectCards(box=1), folded) == ("folded", [])
    assert done(cased, c.CollectCards(box=2), folded) == ("any", [])
    assert clause_of(cased, folded, c.CollectCards(box=1)) == "folded"
    assert clause_of(cased, folded, c.CollectCards(box=2)) == "any"
    # Where a book speaks of one case only, it is cited in no other.
    only = book_of(("folded", "settle", said("collect-cards", case=("for-folded-box",))))
    assert clause_of(only, folded, c.CollectCards(box=1)) == "folded"
    assert clause_of(only, folded, c.CollectCards(box=2)) is None
    assert done(only, c.CollectCards(box=1), folded) == ("folded", [])
    assert done(only, c.CollectCards(box=2), folded) == (None, [])
    # Which card of the deal it is, is not asked of who deals.
    lap = book_of(
        ("lap", "deal-single", said("card-dealt", case=("for-players-first-card",))), ("any", "x", said("card-dealt"))
    )
    assert clause_of(lap, TABLE, c.DealCard()) == "any"


def test_what_is_said_of_one_case_binds_in_no_other() -> None:
    book = book_of(
        ("any", "settle", said("collect-cards", after=("reveal",), breach="violation")),
        ("folded", "settle", said("collect-cards", case=("for-folded-box",), after=("lock-out",))),
    )
    folded = with_round(boxes={1: replace(BOXES[1], choice="fold"), 2: BOXES[2]}, acts=frozenset({"reveal"}))
    assert done(book, c.CollectCards(box=1), folded) == ("collect-cards comes after lock-out", "folded")
    assert done(book, c.CollectCards(box=2), folded) == ("any", [])
    breach = ev.Violated(clause="any", what="collect-cards comes after reveal", by="dealer", at=50)
    early = with_round(acts=frozenset({"lock-out"}), boxes={1: replace(BOXES[1], choice="fold"), 2: BOXES[2]})
    assert done(book, c.CollectCards(box=1), early) == ("folded", [breach])
    two = book_of(
        ("A", "settle", said("collect-cards", case=("for-folded-box", "for-losing-box"))),
        ("B", "x", said("collect-cards")),
    )
    assert done(two, c.CollectCards(box=1), folded) == ("B", []), "both cases must hold"


def test_a_card_of_the_deal_has_the_clause_of_its_lap() -> None:
    book = book_of(
        ("first", "deal-single", said("card-dealt", case=("for-players-first-card",), after=("lock-out",))),
        ("dealer", "deal-single", said("card-dealt", case=("for-dealers-first-card",))),
        ("second", "deal-single", said("card-dealt", case=("for-players-second-card",))),
        ("later", "deal-single", said("card-dealt", case=("for-later-cards",))),
    )

    def at(placed: int, **more: Any) -> TableState:
        """Return the table after `placed` cards, dealt one by one to the two boxes and the dealer."""
        laid = tuple(range(placed))
        boxes = {1: replace(BOXES[1], cards=laid[0::3]), 2: replace(BOXES[2], cards=laid[1::3])}
        return with_round(**{"boxes": boxes, "dealer": laid[2::3], "sequence": laid, "placed": placed, **more})

    locked = frozenset({"lock-out"})
    cited = [done(book, c.DealCard(), at(placed, acts=locked))[0] for placed in range(15)]
    assert cited == [
        *("first", "first", "dealer", "second", "second"),
        None,  # nothing is said of the dealer's second card
        *["later"] * 9,
    ]
    assert done(book, c.DealCard(), at(0)) == ("card-dealt comes after lock-out", "first")
    assert done(book, c.DealCard(), at(2)) == ("dealer", [])
    assert due_lap(book, at(0)) == (False, 1)
    assert due_lap(book, at(2)) == (True, 1)
    assert due_lap(book, at(4)) == (False, 2)
    assert due_lap(book, at(15)) is None
    assert due_lap(load_book("exchange"), at(0)) is None
    assert due_lap(book, replace(TABLE, round=None)) is None
    assert due_lap(book, at(0, phase="done")) is None
    last = book_of(("last", "deal-single", said("card-dealt", case=("for-dealers-last-card",))))
    assert [due_lap(last, at(placed)) for placed in (5, 14)] == [(True, 2), (True, 5)]
    for word, lap in (
        ("for-dealers-second-card", 5),
        ("for-players-third-card", 6),
        ("for-first-community-card", 2),
        ("for-second-community-card", 5),
        ("for-third-community-card", 8),
    ):
        one = book_of(("none", "x", said("card-dealt")), ("own", "x", said("card-dealt", case=(word,))))
        assert [done(one, c.DealCard(), at(n))[0] == "own" for n in range(9)] == [
            n == lap or (word == "for-players-third-card" and n == 7) for n in range(9)
        ]


def test_what_is_said_of_decisions_is_said_of_each_way_to_decide() -> None:
    book = book_of(("D", "decisions", said("decision", "player", after=("go-ahead",))))
    for act in (c.Bet(box=1), c.Stay(box=1), c.Fold(box=1), c.Declare(box=1)):
        assert done(book, act, role="player") == (f"{act.do} comes after go-ahead", "D")
        assert clause_of(book, TABLE, act) == "D"
        assert done(book, act, with_round(acts=frozenset({"go-ahead"})), role="player") == ("D", [])
    assert done(book, c.Discard(box=1, card=0), role="player") == (None, [])


def test_a_bet_before_anybody_is_asked_is_no_decision_where_bets_may_be_laid_blind() -> None:
    said_of = ("D", "decisions", said("decision", "player", after=("go-ahead",)))
    blind = book_of(said_of, bet=dataclasses.replace(PLAIN.bet, blind="any"))
    seen = {1: replace(BOXES[1], seen=True), 2: BOXES[2]}
    too_early = ("bet comes after go-ahead", "D")
    for phase in ("betting", "closed", "dealing"):
        assert done(blind, c.Bet(box=1), with_round(phase=phase), role="player") == (None, [])
        assert done(blind, c.Bet(box=5), with_round(phase=phase), role="player") == (None, [])
        assert done(blind, c.Bet(box=1), with_round(phase=phase, boxes=seen), role="player") == too_early
        fold = ("fold comes after go-ahead", "D")
        assert done(blind, c.Fold(box=1), with_round(phase=phase), role="player") == fold
        assert done(book_of(said_of), c.Bet(box=1), with_round(phase=phase), role="player") == too_early
    assert done(blind, c.Bet(box=1), with_round(phase="deciding"), role="player") == too_early
    assert done(blind, c.Bet(box=1), replace(TABLE, round=None), role="player") == too_early


def test_what_binds_a_wager_binds_staff_who_lay_it_down_for_a_player() -> None:
    wagers = (
        ("A", "wagers", said("ante", "player", after=("lock-out",))),
        ("S", "side-bets", said("side-bet", "player", after=("reveal",))),
        ("B", "decisions", said("bet", "player", after=("go-ahead",))),
    )
    book = book_of(*wagers)
    assert set(parts_in(book, "place-for-player")) == {"dealer", "supervisor", "floorperson"}
    for role in ("dealer", "supervisor", "floorperson"):
        for wager, clause, needs in (("ante", "A", "lock-out"), ("side", "S", "reveal"), ("bet", "B", "go-ahead")):
            act = c.PlaceForPlayer(box=1, wager=wager, amount=100)  # type: ignore[arg-type]
            assert done(book, act, role=role) == (f"place-for-player comes after {needs}", clause)
            ready = with_round(acts=frozenset({needs}))
            assert done(book, act, ready, role=role) == (clause, [])
    # The book may say who of the staff does, and its own word is the one that is cited.
    named = book_of(*wagers, ("P", "anything-else", said("place-for-player", "supervisor")))
    assert parts_in(named, "place-for-player") == ("supervisor",)
    act = c.PlaceForPlayer(box=1, wager="ante", amount=100)
    assert done(named, act, with_round(acts=frozenset({"lock-out"})), role="supervisor") == ("P", [])
    assert done(named, act, role="supervisor") == ("place-for-player comes after lock-out", "A")
    assert done(named, act, role="dealer") == (None, [])


# Cases


def holds(word: str, act: c.Act, table: TableState = TABLE) -> bool:
    return CASES[word](PLAIN, table, act)


def test_the_cases_of_decks() -> None:
    red, blue = Deck("red", "red", 1), Deck("blue", "blue", 1)
    for decks, second in (
        ({}, False),
        ({"red": red}, False),
        ({"red": red, "blue": blue}, True),
        ({"blue": blue}, True),
    ):
        table = replace(TABLE, decks=decks)
        assert holds("for-second-deck", c.WashDeck(deck="red"), table) is second
        assert holds("for-first-deck", c.WashDeck(deck="red"), table) is not second


def test_the_cases_of_the_dealers_hand() -> None:
    # Ace and king with the lowest cards beside them play; ace and queen with the highest do not.
    strong, weak = cards("Ah Kd 4c 3s 2h"), cards("Ah Qd Jc 9s 8h")
    table = {name: with_round(phase="revealed", dealer=hand) for name, hand in (("strong", strong), ("weak", weak))}
    for name, one in table.items():
        assert holds("for-qualified-dealer", c.Pay(), one) is (name == "strong")
        assert holds("for-unqualified-dealer", c.Pay(), one) is (name == "weak")
    for other in (
        with_round(dealer=strong),
        with_round(phase="revealed", dealer=strong[:4]),
        replace(TABLE, round=None),
    ):
        assert not holds("for-qualified-dealer", c.Pay(), other)
        assert not holds("for-unqualified-dealer", c.Pay(), other)
    assert table["strong"].round is not None
    assert qualified(load_book("colorado-required"), table["strong"].round) is None


def test_the_cases_of_a_box() -> None:
    one, two, none = c.Pay(box=1), c.Pay(box=2), c.Pay()
    bare = replace(TABLE, round=None)
    for word, changes in (
        ("for-folded-box", {"choice": "fold"}),
        ("for-declared-box", {"choice": "declare"}),
        ("for-exchanged-box", {"give": 0}),
    ):
        table = with_round(boxes={1: replace(BOXES[1], **changes), 2: BOXES[2]})
        assert [holds(word, act, table) for act in (one, two, none)] == [True, False, False]
        assert not holds(word, one, bare)
    over = with_round(boxes={1: replace(BOXES[1], give=0)}, phase="done")
    assert not holds("for-exchanged-box", one, over)
    for outcome, word in (("lose", "for-losing-box"), ("push", "for-pushing-box"), ("win", "for-winning-box")):
        other = "push" if outcome == "win" else "win"
        lines = (Line(1, "ante", 1000, outcome, 0, "C"), Line(1, "bet", 2000, other, 0, "C"))  # type: ignore[arg-type]
        table = with_round(lines=lines)
        assert [holds(word, act, table) for act in (one, two, none)] == [True, False, False]
        assert not holds(word, one, with_round(lines=(replace(lines[0], wager="bet"),)))
        assert not holds(word, one, bare)
        for choice in ("fold", "declare"):
            boxes = {1: replace(BOXES[1], choice=choice), 2: BOXES[2]}
            assert not holds(word, one, with_round(lines=lines, boxes=boxes))
        assert holds(word, one, with_round(lines=lines, boxes={1: replace(BOXES[1], choice="bet")}))
    assert holds("for-asked-box", none)
