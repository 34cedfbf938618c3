"""A finished round in sentences: the story a floor manager reads at three in the morning."""

import random
from typing import get_args

import pytest

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Remedy
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.base_procedure import RULES
from aceking.table.cards.place import DEALER, box_place
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.show.explain import explain
from aceking.table.show.phrases import rulings_in_words
from tests.table.test_driver import SIGN, table_of, whole_round

FIRST = cards("Ks Ah Js Kd 9s 9c 5s 6h 2s 3d 4c")
ORDER = (*FIRST, *(one for one in DECK if one not in FIRST))


def dealt(book_id: str, *, side: bool = True, with_one_more: bool = False) -> Driver:
    """Ann alone at box 1, dealt the demonstration deck; or a card too many to her, and the rest of the deal."""
    book = load_book(book_id)
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    driver = Driver(book, new_table(book, awards=SIGN if posted else {}, reset=1_000_000))
    driver.open_table()
    driver.events.clear()
    driver.open_bets(ORDER)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    rules = book.progressive or book.bonus
    if side and rules is not None:
        driver.must(c.SideBet(box=1, player="Ann", amount=rules.stake))
    driver.close_bets(5_000_000 if book.progressive is not None else None)
    if with_one_more:
        driver.deal(9)
        driver.must(c.DealCard(to=box_place(1)))
    driver.deal()
    return driver


def told(driver: Driver) -> str:
    return "\n".join(explain(driver.book, driver.events))


def also(driver: Driver, command: c.TableCommand) -> None:
    result = driver.do(command)
    assert not isinstance(result, Refusal), result


def test_a_round_of_section_10_from_ante_to_net() -> None:
    driver = dealt("section10")
    driver.must(c.Look(box=1))
    driver.must(c.Bet(box=1))
    driver.finish()
    story = told(driver)
    for sentence in (
        "Round 1 of Caribbean Stud Poker is open for bets",
        "Ann stakes 10 on the ante of box 1 (CSP-10(f)(1)).",
        "Ann stakes 1 on the progressive bet of box 1",
        "The meter stands at 50000",
        "The cards fall: box 1 Ks Js 9s 5s 2s; the dealer Ah Kd 9c 6h 3d, Ah face up",
        "Ann bets 20 on box 1 (CSP-10(a)(1)(ii)).",
        "The dealer holds Ah Kd 9c 6h 3d, ace king high, and qualifies (CSP-10(a)(1)(viii)).",
        "Box 1 (Ann) has Ks Js 9s 5s 2s: flush, king high.",
        f"The bet of 20 of box 1 (Ann) wins 100. CSP-10(l)(3): {driver.book.clauses['CSP-10(l)(3)'].says.rstrip('.')}.",
        "The progressive bet of 1 of box 1 (Ann) wins 50. CSP-10(l)(5):",
        "The round is over. Net: Ann +159.",
    ):
        assert sentence in story


#: The calls of the documents, word for word: the one that opens betting, where there is one, and the one that ends it.
CALLS = [
    ("section10", None, "No more bets (CSP-10(g)(2))."),
    ("colorado-required", None, "No more bets (CHP-38(h)(2))."),
    ("colorado-permissible", None, "No more bets (CHP-38(h)(2))."),
    ("rws", "Place your Bets, please", "No more Bets (RWS-3.9)."),
    ("exchange", "Messieurs faites vos jeux", "Rien ne va plus (EUR-p6-close)."),
    ("washington", None, "START GAME: no more bets (WA-6)."),
]


@pytest.mark.parametrize(("book", "opens", "closes"), CALLS)
def test_bets_are_opened_and_closed_with_the_words_of_the_book(book: str, opens: str | None, closes: str) -> None:
    story = told(dealt(book)).splitlines()
    opening = story[0].rstrip(".").split(" (")[0]
    assert opening.endswith("is open for bets" if opens is None else f"is open for bets: {opens}")
    assert closes in story


def test_an_exchange_tells_both_cards_and_its_price() -> None:
    driver = dealt("exchange")
    driver.must(c.Look(box=1))
    driver.must(c.Exchange(box=1, give=(FIRST[0],)))
    driver.must(c.Bet(box=1))
    driver.finish()
    story = told(driver)
    assert "Ann exchanges Ks for 4c in box 1 at a price of 10" in story
    assert "and does not qualify" in story
    assert "The price of the exchange of 10 of box 1 (Ann) is lost." in story
    assert story.endswith("Net: Ann -1.")


def test_a_colorado_hand_is_told_with_the_community_cards() -> None:
    driver = dealt("colorado-required")
    driver.must(c.Look(box=1))
    driver.must(c.Bet(box=1, discard=cards("9s")[0]))
    driver.finish()
    story = told(driver)
    assert "Ann lays aside 9s in box 1" in story
    assert "The community cards are Ah Kd 9c." in story
    assert "Box 1 (Ann) has Ks Js with the community cards: pair of kings." in story


def test_a_ruling_is_told_with_its_clause_and_what_it_says_and_what_goes_back() -> None:
    driver = dealt("rws", with_one_more=True)
    also(driver, c.Report(mishap="player-miscount", boxes=(1,)))
    story = told(driver)
    ruled = next(one for one in driver.events if isinstance(one, ev.Ruled))
    assert ruled.clause is not None
    says = driver.book.clauses[ruled.clause].says.rstrip(".")
    assert (
        f"Mishap: player miscount at box 1. The ruling: {rulings_in_words(ruled.then)}. {ruled.clause}: {says}."
        in story
    )
    assert "10 of the ante of box 1 (Ann) goes back" in story


def test_a_question_and_its_answer_are_told_with_the_reason() -> None:
    driver = dealt("washington", side=False)
    also(driver, c.Report(mishap="interruption"))
    also(driver, c.GiveRuling(question=1, then="void-round", by="Sue", reason="the lights went out"))
    story = told(driver)
    assert "The book is silent. Question 1 goes to supervisor: the book has no rule for interruption" in story
    assert "Sue answers question 1: the round is void, because: the lights went out" in story
    assert "The round is void: it has no result" in story
    assert "The round is over. Net: Ann 0." in story


def test_a_breach_is_on_the_record_with_the_clause() -> None:
    driver = dealt("exchange")
    also(driver, c.Report(mishap="talking", boxes=(1,)))
    breach = next((one for one in driver.events if isinstance(one, ev.Violated)), None)
    assert breach is not None
    assert f"On the record, by {breach.by}: {breach.what}. " in told(driver)


def test_a_clause_is_quoted_once() -> None:
    driver = dealt("rws", side=False)
    driver.must(c.Look(box=1))
    driver.must(c.Bet(box=1))
    driver.finish()
    assert told(driver).count(driver.book.clauses["RWS-3.13"].says.rstrip(".")) == 1
    assert "RWS-3.13 again." in told(driver)


@pytest.mark.parametrize("seed", range(3))
def test_every_round_of_every_book_can_be_told(book: Book, seed: int) -> None:
    driver = Driver(book, table_of(book))
    chance = random.Random(seed)
    for number in range(4):
        whole_round(driver, chance, boxes=1 + number)
    story = explain(book, driver.events)
    assert sum(sentence.startswith("The round is over. Net: ") for sentence in story) == 4
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in story)
    # From the middle of the record as well: each round stands alone.
    last = max(place for place, one in enumerate(driver.events) if isinstance(one, ev.RoundOpened))
    assert explain(book, driver.events[last:])[-1] == story[-1]


#: One of each event that is rarely seen, after the deal of Ann's round, and its sentence.
RARE: list[tuple[ev.TableEvent, str]] = [
    (ev.Selected(box=1, hand="flush", by="Dora", clause="X-1"), "Box 1 is picked for its award by Dora (X-1)."),
    (ev.Selected(box=1, hand=None, by="Dora"), "Box 1 is not picked any more by Dora."),
    (ev.Kept(box=1, amount=1000, clause="X-1"), "The price of 10 of box 1 stays with the house (X-1)."),
    (ev.HandVoided(box=1, clause="X-1"), "Box 1 (Ann) is out of the round (X-1)."),
    (ev.Forfeited(box=1, clause="X-1"), "Box 1 (Ann) forfeits all wagers (X-1)."),
    (ev.RoundVoided(clause="X-1"), "The round is void: it has no result (X-1)."),
    (ev.DeckGone(deck="first", clause="X-1"), "The first deck leaves the table (X-1)."),
    (ev.Unshuffled(deck="first", clause="X-1"), "The first deck must be shuffled again (X-1)."),
    (ev.Left(box=1, clause="X-1"), "Box 1 (Ann) has left, and folds when it is asked (X-1)."),
    (ev.AwardLost(box=1, clause="X-1"), "Box 1 (Ann) has no award in this round (X-1)."),
    (
        ev.CourseTaken(course="play-without-jackpot", clause="X-1"),
        "Without the jackpot the house goes on: play without jackpot (X-1).",
    ),
    (ev.Suspended(cause="a major hand", clause="X-1"), "The games stand still for a major hand (X-1)."),
    (
        ev.OptionChanged(option="stub-count", value="manual-rounds", clause="X-1"),
        "The house chooses manual-rounds for stub-count (X-1).",
    ),
    (
        ev.Rearranged(hands=((box_place(1), cards("Ks Js")), (box_place(2), ())), clause="X-1"),
        "The cards are put where they were meant to fall: box 1 Ks Js; box 2 nothing (X-1).",
    ),
    (ev.Decided(box=1, choice="fold", deemed=True, clause="X-1"), "Box 1 counts as folded (X-1)."),
    (ev.Decided(box=1, choice="stay", deemed=True, clause="X-1"), "Box 1 stays in without a bet (X-1)."),
    (ev.Decided(box=1, choice="bet"), "Ann bets 0 on box 1, without having looked."),
    (ev.Decided(box=1, choice="fold"), "Ann folds box 1, without having looked."),
    (ev.Decided(box=1, choice="declare"), "Ann declares an instant winner in box 1, without having looked."),
    (ev.Claimed(box=1), "Notice is given of the hand of box 1."),
    (ev.Discarded(box=1, card=cards("2s")[0]), "Ann lays aside 2s in box 1."),
    (ev.UpCard(card=cards("Ah")[0], clause="X-1"), "The dealer shows Ah (X-1)."),
    (ev.Returned(box=1, wager="progressive", amount=100), "1 of the progressive bet of box 1 (Ann) goes back."),
    (
        ev.Staked(box=2, player="Bob", wager="progressive", amount=100, lit=False),
        "Bob stakes 1 on the progressive bet of box 2, and the light stays dark.",
    ),
    (
        ev.Staked(box=2, player="Bob", wager="progressive", amount=100, coupon=True),
        "Bob stakes 1 on the progressive bet of box 2 with a coupon.",
    ),
    (
        ev.Violated(what="a card was dealt too soon", by="Dora", at=0, clause=None),
        "On the record, by Dora: a card was dealt too soon. No clause governs it.",
    ),
    (
        ev.Violated(what="a card was dealt too soon", by="Dora", at=0, clause="BASE-deck"),
        f"On the record, by Dora: a card was dealt too soon. BASE-deck: {RULES['deck']}",
    ),
    (
        ev.Asked(question=1, mishap="walk-away", of="supervisor", unregulated=True, clause="X-1"),
        "The book is silent. Question 1 goes to supervisor: walk away (X-1).",
    ),
    (
        ev.Asked(question=1, mishap="misdeal", of="supervisor", what="Ann says so", record="all is well", clause="X-1"),
        "Question 1 goes to supervisor: Ann says so; the record: all is well (X-1).",
    ),
    (
        ev.Answered(question=1, then="void-round", by="Sam", reason="seen", clause="X-1"),
        f"Sam answers question 1: {rulings_in_words('void-round')}, because: seen (X-1).",
    ),
    (ev.Answered(question=1, then="continue", by="Ann", box=1), "Box 1 (Ann) goes on with the hand."),
    (ev.Answered(question=1, then="void-hand", by="Ann", box=1), "Box 1 (Ann) takes the bet back."),
    (
        ev.Ruled(mishap="walk-away", given=(), then="deemed-fold", boxes=(1, 2), clause=None, why="he came back"),
        "Mishap: walk away at box 1, 2. The ruling: the hand counts as folded (he came back). No clause governs it.",
    ),
]


@pytest.mark.parametrize(("event", "says"), RARE, ids=[says for _, says in RARE])
def test_what_is_rarely_seen_is_told_in_one_sentence(event: ev.TableEvent, says: str) -> None:
    driver = dealt("section10")
    assert explain(driver.book, [*driver.events, event])[-1] == says


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("Ah Kd 4c 3h 2d", "and qualifies"),
        ("Ah Qd Jc Th 8d", "and does not qualify"),
        ("2c 2d 5h 4s 3c", "and qualifies"),
    ],
)
def test_the_dealer_qualifies_from_the_weakest_ace_king_on(hand: str, says: str) -> None:
    """RWS-1.14 and its like: the border itself qualifies."""
    driver = dealt("section10")
    done = [one for one in driver.events if not isinstance(one, ev.Dealt) or one.to != DEALER]
    given = [ev.Dealt(card=one, to=DEALER) for one in cards(hand)]
    story = explain(driver.book, [*done, *given, ev.Acted(act="reveal", by="Di", role="dealer", at=9)])
    assert any(line.startswith("The dealer holds") and says in line for line in story), story


def test_a_player_is_written_under_their_own_name() -> None:
    driver = dealt("section10")
    staked = ev.Staked(box=2, player="p4", wager="ante", amount=1000)
    assert explain(driver.book, [*driver.events, staked])[-1].startswith("p4 stakes 10 on the ante of box 2")
    out = explain(driver.book, [*driver.events, ev.Forfeited(box=1, clause="X-1")])[-1]
    assert out == "Box 1 (Ann) forfeits all wagers (X-1)."


def test_a_look_is_told_in_every_round_anew() -> None:
    driver = dealt("section10")
    driver.must(c.Look(box=1))
    first = list(driver.events)
    assert "\n".join(explain(driver.book, [*first, *first])).count("looks at") == 2 * "\n".join(
        explain(driver.book, first)
    ).count("looks at")
    assert "looks at" in told(driver)


def test_a_clause_is_quoted_once_and_named_after_that() -> None:
    driver = dealt("section10")
    twice = ev.Violated(what="a talk", by="Ann", at=0, clause="CSP-10(f)(1)")
    said = driver.book.clauses["CSP-10(f)(1)"].says.rstrip(".")
    assert explain(driver.book, [*driver.events, twice, twice])[-2:] == [
        f"On the record, by Ann: a talk. CSP-10(f)(1): {said}.",
        "On the record, by Ann: a talk. CSP-10(f)(1) again.",
    ]


def test_what_does_not_change_the_story_is_not_told() -> None:
    driver = dealt("section10")
    before = explain(driver.book, driver.events)
    looked = ev.Looked(box=1, at=0)
    for event in (
        ev.Trayed(meter=None),
        ev.AwardLost(box=1, back=True),
        ev.Staked(box=1, player="Ann", wager="bet", amount=2000),
        ev.WasCut(deck="first", count=20),
    ):
        assert explain(driver.book, [*driver.events, event]) == before
    assert explain(driver.book, [*driver.events, looked, looked]) == [*before, "Ann looks at the cards of box 1."]


def test_every_ruling_has_words_of_its_own() -> None:
    words = {one: rulings_in_words(one) for one in get_args(Remedy)}
    bare = {one for one, said in words.items() if said == one.replace("-", " ")}
    # Of these the name says it all.
    assert bare == {
        *("reshuffle", "remove-deck", "void-round-and-remove-deck", "settle-at-maximum", "settle-as-staked"),
        *("raise-or-withdraw", "settle", "lose-ante", "refuse", "choose-course", "close-table", "block-affected-box"),
        *("play-without-jackpot", "pay-at-last-value", "recut", "valid-without-box", "dead-cards", "may-raise"),
        "unregulated",
    }
    assert len(set(words.values())) == len(words)
