"""A finished round in sentences: the story a floor manager reads at three in the morning."""

import random

import pytest

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.load import load_book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.place import box_place
from aceking.table.show.explain import explain, rulings_in_words
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


def also(driver: Driver, command: c.Command) -> None:
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
    also(driver, c.Rule(question=1, then="void-round", by="Sue", reason="the lights went out"))
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
