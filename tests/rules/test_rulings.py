"""What is ruled, case by case, against a table read from the documents: each word of a ruling on both of its sides.

A case names its moment, what else holds, and the choices of the house: `dealing: player-card {void-scope=whole-round}`.
What no person and no card brings about holds by itself: one card, nobody owes a decision, every hand is complete.
"""

import re
import tomllib
from pathlib import Path

import pytest

from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.rules.rulings import ruling_for, rulings_on
from aceking.rules.words import Circumstance, Mishap

READ = tomllib.loads(Path(__file__).with_name("rulings.toml").read_text(encoding="utf-8"))
_LIVE = "this-round before-next-round"
_BETTING = "bets-open before-no-more-bets before-first-card before-up-card before-reveal"
_OVER = "bets-closed after-deal after-up-card outcome-established somebody-looked"
_UNDECIDED = "bets-closed before-reveal before-last-decision"
#: The moments of a round, and what holds in each whatever has gone wrong.
MOMENTS = {
    "no round": "later-rounds before-first-card before-next-round",
    "betting": f"{_LIVE} {_BETTING} before-last-decision",
    "closed": f"{_LIVE} {_UNDECIDED} before-first-card during-deal before-up-card",
    "dealing": f"{_LIVE} {_UNDECIDED} during-deal before-up-card",
    "dealing, card up": f"{_LIVE} {_UNDECIDED} during-deal after-up-card",
    "dealt": f"{_LIVE} {_UNDECIDED} after-deal before-up-card",
    "deciding": f"{_LIVE} {_UNDECIDED} after-deal after-up-card",
    "decided": f"{_LIVE} bets-closed after-deal after-up-card before-reveal",
    "revealed": f"{_LIVE} {_OVER}",
    "settled": f"later-rounds before-next-round {_OVER}",
    "next round": f"this-round after-next-round {_BETTING}",
}
#: Of each pair the second holds where the first does not.
OTHERWISE = (
    ("two-or-more", "one"),
    ("somebody-looked", "nobody-looked"),
    ("decision-owed", "no-decision-owed"),
    ("outcome-established", "no-outcome"),
    ("misdealt", "not-misdealt"),
)
_DEALER = ("before-up-card", "after-up-card")
CASES = [
    (name, mishap, case, said)
    for own in READ.values()
    for name in own["books"].split()
    for mishap, cases in own.items()
    if isinstance(cases, dict)
    for case, said in cases.items()
]
PREFIX = {name: own["prefix"] for own in READ.values() for name in own["books"].split()}


def holds(moment: str, words: str, *, dealer: bool) -> set[str]:
    """Everything that holds in a case."""
    known = {*MOMENTS[moment].split(), *words.split()}
    if moment == "no round":
        return known
    known |= {other for word, other in OTHERWISE if word not in known}
    if not dealer:
        return known - set(_DEALER)
    return known if "dealer-has-four" in known else known | {"dealer-has-other"}


@pytest.mark.parametrize(("name", "mishap", "case", "said"), CASES, ids=str)
def test_a_case_is_ruled_as_the_document_has_it(name: str, mishap: Mishap, case: str, said: str) -> None:
    parts = re.fullmatch(r"([a-z, ]+):([^{]*)(?:\{(.*)\})?", case)
    assert parts is not None, case
    options = dict(one.split("=") for one in (parts[3] or "").split())
    book = with_options(load_book(name), options)
    assert not isinstance(book, Refusal)
    known: set[Circumstance] = holds(parts[1], parts[2], dealer=book.dealer is not None)  # type: ignore[assignment]
    found = ruling_for(book, mishap, known)
    assert (f"{found[0].removeprefix(PREFIX[name])} {found[1].then}" if found is not None else "silent") == said


#: Where a house deals and shuffles by hand, no machine fails, and no ruling is missed.
OF_MACHINES = ("deal.method", "shuffle.method")


@pytest.mark.parametrize("name", book_ids())
def test_a_mishap_that_is_ruled_on_by_an_option_has_a_ruling_for_each_of_its_values(name: str) -> None:
    book = load_book(name)
    rulings = [ruling for clause in book.clauses.values() for ruling in clause.rulings]
    for ruling in rulings:
        given = {option: values[0] for option, values in ruling.when}
        for option in given:
            for value in book.options[option].values if book.options[option].rule not in OF_MACHINES else ():
                house = with_options(book, {**given, option: value})
                assert isinstance(house, Book)
                assert list(rulings_on(house, ruling.on)), f"{ruling.on}: nothing for {option} = {value}"
