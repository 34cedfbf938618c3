"""The loader refuses what is not a book, and names book and clause."""

import copy
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from aceking.rules.book import Book
from aceking.rules.options import OptionError
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import book_ids, load_book, resolve, with_options
from aceking.rules.refusal import Refusal
from tests.rules.parsed import book_text

Raw = dict[str, Any]


def raw_book(name: str) -> Raw:
    return tomllib.loads((files("aceking.books") / f"{name}.toml").read_text(encoding="utf-8"))


def clause(raw: Raw, name: str) -> Raw:
    found: Raw = next(one for one in raw["clause"] if one["id"] == name)
    return found


def option(raw: Raw, name: str) -> Raw:
    found: Raw = next(one for c in raw["clause"] for one in c.get("option", []) if one["name"] == name)
    return found


def broken(name: str, change: Callable[[Raw], object]) -> str:
    """The loader's message on a book that was changed."""
    raw = copy.deepcopy(raw_book(name))
    change(raw)
    with pytest.raises(BookError) as refused:
        resolve(book_text(raw))
    assert all(one.startswith(f"{name}: ") and "\n" not in one for one in refused.value.complaints)
    message = str(refused.value)
    assert message.startswith(f"{name}: "), message
    return message


def test_the_six_books_load(book: Book) -> None:
    assert set(book_ids()) == {
        *("section10", "rws", "exchange", "washington", "colorado-required", "colorado-permissible"),
    }
    assert len(book.digest) == 64


def test_a_rule_set_twice_names_both_clauses() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-1.3").update(set={"bet": {"antes": 3}}))
    assert "RWS-1.3" in message
    assert "RWS-3.12.2" in message
    assert "bet.antes" in message


def test_a_rule_set_by_a_clause_and_by_an_option_is_set_twice() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-1.3").update(set={"table": {"seats_max": 7}}))
    assert "RWS-1.3" in message
    assert "RWS-2.1.1.a" in message


def test_an_unknown_rule_is_refused_with_the_nearest_one() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-1.3").update(set={"bet": {"ante": 2}}))
    assert "RWS-1.3: bet.ante is not a rule; did you mean bet.antes?" in message


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("antes", "two", "not a whole number"),
        ("antes", True, "not a whole number"),
        ("required", 1, "not true or false"),
        ("pays_are", "generous", "not one of minimums, fixed"),
        ("cap", 100000, "not a text"),
        ("cap", "100000.005", "finer than the smallest coin"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(key: str, value: object, complaint: str) -> None:
    def change(raw: Raw) -> None:
        for one in raw["clause"]:
            one.get("set", {}).get("bet", {}).pop(key, None)
        clause(raw, "RWS-1.3").update(set={"bet": {key: value}})

    message = broken("rws", change)
    assert f"RWS-1.3: bet.{key}" in message
    assert complaint in message


def test_odds_in_other_words_are_refused() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-4.1")["set"]["bet"]["pays"].update(flush="6 for 1"))
    assert "RWS-4.1" in message
    assert "'6 for 1' is not odds" in message


def test_a_threshold_is_five_ranks() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-1.14")["set"]["dealer"].update(qualifies_with="A K"))
    assert "RWS-1.14: dealer.qualifies_with" in message


def test_a_missing_row_in_a_pay_table_is_refused() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-4.1")["set"]["bet"]["pays"].pop("straight"))
    assert "RWS-4.1: there is no row bet.pays.straight" in message


def test_a_row_that_no_hand_has_is_refused() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-4.1")["set"]["bet"]["pays"].update(five_of_a_kind="500 to 1"))
    assert "RWS-4.1" in message
    assert "five_of_a_kind" in message


def test_a_listed_step_without_its_rules_is_refused() -> None:
    message = broken("rws", lambda raw: raw["steps"].append("exchange"))
    assert "no clause sets exchange." in message


def test_a_book_without_a_rule_has_no_default_for_it() -> None:
    message = broken("rws", lambda raw: clause(raw, "RWS-3.12.2")["set"]["bet"].pop("antes"))
    assert message == "rws: no clause sets bet.antes"


def test_a_rule_that_no_step_uses_is_refused() -> None:
    message = broken("rws", lambda raw: raw["steps"].remove("fold"))
    assert "RWS-3.12.1" in message
    assert "fold.ante, and no step of the book uses it" in message


def test_pays_under_the_books_own_minimum_are_refused() -> None:
    message = broken("section10", lambda raw: option(raw, "bet-paytable").update(default={"flush": "4 to 1"}))
    assert message == "section10: CSP-10(l)(3): flush pays at least 5 to 1, not 4 to 1"


def test_a_jackpot_rate_under_the_books_minimum_is_refused() -> None:
    message = broken("section10", lambda raw: option(raw, "progression-rate").update(default="69%"))
    assert "CSP-10(l)(6)" in message
    assert "70%" in message


def test_an_award_under_its_floor_is_refused() -> None:
    message = broken("section10", lambda raw: option(raw, "progressive-straight-flush").update(default="4999"))
    assert "CSP-10(l)(5)" in message
    assert "5000" in message


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda raw: raw["clause"].append(raw["clause"][0]), "the book has this clause twice"),
        (lambda raw: raw["clause"][0].update(colour="red"), "a clause has no key 'colour'"),
        (lambda raw: raw["clause"][0].pop("says"), "it has no says"),
        (lambda raw: clause(raw, "RWS-2.1").pop("outside"), "neither sets nor governs anything"),
        (lambda raw: raw["clause"][0].update(reading=["A-RWS-99"]), "there is no anomaly A-RWS-99"),
        (lambda raw: raw["clause"][0].update(actor="croupier"), "'croupier' is not one of player, dealer, supervisor"),
        (lambda raw: raw["clause"][0].update(act=[{"do": "sing", "by": "dealer"}]), "'sing' is not a word"),
        (lambda raw: raw["clause"][0].update(ruling=[{"on": "boxed-card", "then": "cry"}]), "'cry' is not a word"),
        (lambda raw: raw["clause"][0].update(read={"bet": {"antes": 2}}), "names no anomaly"),
        (lambda raw: raw["steps"].append("siesta"), "'siesta' is not a step"),
        (lambda raw: raw["steps"].remove("ante"), "every book has the step 'ante'"),
        (lambda raw: raw.pop("currency"), "the header has no currency"),
        (lambda raw: raw.update(colour="red"), "a book has no key 'colour'"),
        (lambda raw: option(raw, "max-boxes").pop("default"), "an option has no default"),
        (lambda raw: option(raw, "layout").update(default="Appendix Z"), "option layout is one of"),
    ],
)
def test_a_fault_of_form_is_refused(change: Callable[[Raw], object], complaint: str) -> None:
    assert complaint in broken("rws", change)


def test_two_clauses_that_rule_otherwise_on_one_case_are_refused() -> None:
    ruling = {"on": "foreign-card", "then": "continue"}
    message = broken("rws", lambda raw: clause(raw, "RWS-1.3").update(ruling=[ruling]))
    assert "RWS-1.3" in message
    assert "RWS-5.8.1" in message


def test_the_hash_follows_the_content_and_nothing_else() -> None:
    raw = raw_book("rws")
    again = dict(reversed(list(copy.deepcopy(raw).items())))
    assert book_text(again).digest == load_book("rws").digest
    clause(again, "RWS-4.1")["set"]["bet"]["pays"]["flush"] = "6 to 1"
    assert book_text(again).digest != load_book("rws").digest


def test_a_new_house_is_one_new_file(tmp_path: Path) -> None:
    text = (files("aceking.books") / "rws.toml").read_text(encoding="utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('id = "rws"', 'id = "mine"', 1), encoding="utf-8")
    assert load_book(str(file)).id == "mine"


def test_a_book_that_is_not_there_is_named() -> None:
    with pytest.raises(BookError, match="there is no book 'vegas'; there are colorado-permissible"):
        load_book("vegas")
    with pytest.raises(BookError, match=r"nowhere.toml: there is no such file"):
        load_book("/nowhere.toml")


def test_toml_that_does_not_parse_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("id = ", encoding="utf-8")
    with pytest.raises(BookError, match=r"broken\.toml: this is not TOML: Invalid value"):
        load_book(str(file))


def test_every_option_takes_every_value_that_it_lists(book: Book) -> None:
    for name, one in book.options.items():
        for value in one.values:
            chosen = with_options(book, {name: value})
            if name in book.fixed and value != book.fixed[name]:
                assert isinstance(chosen, Refusal)
                assert chosen.clause == one.clause
                continue
            assert isinstance(chosen, Book)
            assert chosen.chosen[name] == value


def test_an_unknown_option_or_value_is_an_error(book: Book) -> None:
    with pytest.raises(OptionError, match="no option 'moon-phase'"):
        with_options(book, {"moon-phase": "full"})
    choice = next(one for one in book.options.values() if one.kind == "choice")
    with pytest.raises(OptionError, match=f"option {choice.name} is one of"):
        with_options(book, {choice.name: "no-such-value"})


def test_an_option_under_the_legal_minimum_is_a_refusal_with_its_clause() -> None:
    refused = with_options(load_book("section10"), {"bet-paytable": {"royal_flush": "99"}})
    assert refused == Refusal("royal_flush pays at least 100 to 1, not 99", "CSP-10(l)(3)")
    accepted = with_options(load_book("section10"), {"bet-paytable": {"royal_flush": "100"}})
    assert isinstance(accepted, Book)


def test_every_anomaly_with_a_reading_is_carried_by_a_clause_or_is_about_the_whole(book: Book) -> None:
    carried = {reading for one in book.clauses.values() for reading in one.readings}
    for anomaly in book.anomalies.values():
        assert anomaly.reading
        about_the_whole = anomaly.id in ("A-EUR-01", "A-WA-11") or anomaly.id.startswith("A-CHP")
        assert anomaly.id in carried or about_the_whole, anomaly.id


def test_every_anomaly_of_colorado_is_carried_by_one_of_its_versions() -> None:
    versions = [load_book("colorado-required"), load_book("colorado-permissible")]
    carried = {reading for book in versions for one in book.clauses.values() for reading in one.readings}
    assert carried >= set(versions[0].anomalies) - {"A-CHP-25"}
