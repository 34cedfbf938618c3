"""Side wagers by name: what a book may say of them, what is refused, and what an heir makes of them."""

import random
from pathlib import Path
from typing import Any, get_args

import pytest

from aceking.cards.hand import Category
from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.reading.source import OnDisk, parsed
from aceking.rules.reading.values import least
from aceking.rules.review.compare import differences, rules_of
from aceking.rules.review.lint import lint
from aceking.rules.thresholds import least_words
from aceking.settlement.lines import Wager
from aceking.table.state import LAYOUT, METER, OWN_SIDES, TRAY
from tests.named_sides import LANTERN, PAIRS_UP, TRIPS_UP, lantern, with_side
from tests.rules.damage import damaged, try_book
from tests.rules.damage import whole as shipped
from tests.rules.test_inheritance import complaints, heir

OWN = f'stake = "5"\ncards = "own"\nfolded = "stands"\npays = {TRIPS_UP}'
THREE = f'stake = "5"\ncards = "own"\nfolded = "stands"\npays = {PAIRS_UP}'


def test_no_shipped_book_has_one() -> None:
    assert not any(load_book(name).sides for name in book_ids())


def test_a_wager_is_typed_and_each_of_its_rules_has_its_clause() -> None:
    book = lantern()
    assert list(book.sides) == ["five-plus-one", "lantern"]
    one, other = book.sides.values()
    assert (one.stake, one.min, one.max, one.cards, one.folded) == (None, 100, 10_000, "own-and-up-card", "stands")
    assert one.pays[Category.FLUSH] == 15
    assert other.awards[Category.FLUSH] == 15_000
    assert other.envy == {
        Category.ROYAL_FLUSH: 100_000,
        Category.STRAIGHT_FLUSH: 25_000,
        Category.FOUR_OF_A_KIND: 2_500,
    }
    assert book.cite("sides.five-plus-one.pays.flush") == "LAN-1"
    assert book.cite("sides.lantern.envy.royal_flush") == "LAN-2"
    assert book.progressive is not None
    assert all(found.explained for found in lint(book))


def test_a_book_tells_its_wagers_rule_by_rule() -> None:
    told = {key: (value, clause) for key, value, clause in rules_of(lantern())}
    assert told["sides.lantern.stake"] == ("5", "LAN-2")
    assert told["sides.lantern.awards.two_pair"] == ("20", "LAN-2")
    assert told["sides.five-plus-one.pays.straight"] == ("10 to 1", "LAN-1")
    assert "sides.lantern.awards" not in told


def test_an_heir_changes_one_row_and_the_clause_of_that_row_is_its_own(tmp_path: Path) -> None:
    text = LANTERN.read_text(encoding="utf-8")
    (tmp_path / "lantern.toml").write_text(text, encoding="utf-8")
    book = heir(
        tmp_path,
        'from = "lantern.toml"\nid = "younger"\n[[clause]]\nid = "Y-1"\ntopic = "pays"\nactor = "house"\n'
        'says = "A flush pays more."\nset.sides.five-plus-one.pays.flush = "16 to 1"\n',
    )
    assert book.sides["five-plus-one"].pays[Category.FLUSH] == 16
    assert book.sides["five-plus-one"].pays[Category.STRAIGHT] == 10
    assert book.cite("sides.five-plus-one.pays.flush") == "Y-1"
    assert book.cite("sides.five-plus-one.pays.straight") == "LAN-1"
    assert book.heritage.anew == {"sides.five-plus-one.pays.flush": "LAN-1"}
    (found,) = differences(lantern(), book)
    assert (found.key, found.left, found.right) == ("sides.five-plus-one.pays.flush", "15 to 1", "16 to 1")


def test_an_heir_drops_a_wager_with_its_clause(tmp_path: Path) -> None:
    (tmp_path / "lantern.toml").write_text(LANTERN.read_text(encoding="utf-8"), encoding="utf-8")
    book = heir(tmp_path, 'from = "lantern.toml"\nid = "younger"\ndrops = ["LAN-1"]\n')
    assert list(book.sides) == ["lantern"]
    assert {one.key.split(".")[1] for one in differences(lantern(), book)} == {"five-plus-one"}


def test_an_heir_with_other_pays_and_a_side_bet_is_under_twenty_lines(tmp_path: Path) -> None:
    text = with_side(OWN) + '[clause.set.bet.pays]\nflush = "6 to 1"\n'
    assert len(text.splitlines()) < 20
    assert heir(tmp_path, text).bet.pays[Category.FLUSH] == 6


REFUSED = {
    "no cards": ('stake = "5"\nfolded = "lost"\npays = ' + TRIPS_UP, "no clause sets sides.extra.cards"),
    "no stake": (OWN.replace('stake = "5"', ""), "sides.extra.stake: a wager has one stake, or a least and a greatest"),
    "stake and limits": (OWN + '\nmin = "1"\nmax = "9"', "sides.extra.stake: a wager has one stake, or a least"),
    "a least alone": (OWN.replace("stake", "min"), "sides.extra.stake: a wager has one stake, or a least"),
    "limits upside down": (OWN.replace('stake = "5"', 'min = "9"\nmax = "8"'), "the least stake is more than"),
    "no stake at all": (OWN.replace('"5"', '"0"'), "sides.extra.stake: '0' is not an amount above 0"),
    "no rows": (OWN.split("pays")[0], "sides.extra.pays: a wager is paid by rows at odds (pays) or of fixed amounts"),
    "both tables": (OWN + '\nawards = { royal_flush = "5" }', "sides.extra.pays: a wager is paid by rows at odds"),
    "a gap": (OWN.replace('flush = "15 to 1", ', ""), "a better hand than a three of a kind has no row: flush"),
    "an unknown row": (OWN.replace("flush = ", "flash = "), "there is no row 'flash'"),
    "a row of three cards": (
        OWN.replace("pays = {", 'pays = { instant_three_of_a_kind = "2 to 1",'),
        "instant_three_of_a_kind: no hand of these cards makes it",
    ),
    "a gap of envy": (OWN + '\nenvy = { straight_flush = "5" }', "sides.extra.envy: a better hand than a straight"),
    "an award of a share": (
        'stake = "5"\ncards = "own"\nfolded = "lost"\nawards = { royal_flush = "10%" }',
        "sides.extra.awards.royal_flush: '10%' is not an amount",
    ),
    "an award of nothing": (
        'stake = "5"\ncards = "own"\nfolded = "lost"\nawards = { royal_flush = "0" }',
        "sides.extra.awards.royal_flush: '0' is not an amount above 0",
    ),
    "unknown cards": (OWN.replace('"own"', '"ours"'), "sides.extra.cards: 'ours' is not one of own, own-and-up-card"),
    "cards of another game": (
        OWN.replace('"own"', '"own-and-community"'),
        "sides.extra.cards: there is no own-and-community in a game against a dealer's hand",
    ),
    "silence on a fold": (OWN.replace('folded = "stands"', ""), "sides.extra.folded: nothing says what becomes of it"),
    "envy of the dealer": (
        OWN.replace('"own"', '"dealer"') + '\nenvy = { royal_flush = "5" }',
        "sides.extra.envy: the dealer's hand is nobody's",
    ),
    "no rule": (OWN + '\nfold = "lost"', "sides.extra.fold is not a rule; did you mean sides.extra.folded?"),
    "a number for a table": (OWN + "\nenvy = 5", "sides.extra.envy is a table of rows, not 5"),
}


PAIRS = OWN.replace("pays = {", 'pays = { pair = "1 to 1", two_pair = "2 to 1",')
JACKS = PAIRS + '\npays_from = "J J 4 3 2"'
REFUSED |= {
    "a threshold above its row": (
        PAIRS + '\npays_from = "2 2 2 4 3"',
        "three of a kind, twos is no pair, the lowest row",
    ),
    "a threshold below every row": (PAIRS + '\npays_from = "A K 4 3 2"', "ace king high is no pair, the lowest row"),
    "a threshold that all pass": (PAIRS + '\npays_from = "2 2 5 4 3"', "sides.extra.pays_from: every pair is that or"),
    "a threshold of a flush": (
        OWN.replace(', straight = "10 to 1", three_of_a_kind = "7 to 1"', "") + '\npays_from = "A K Q J 9"',
        "is no flush, the lowest row that is paid",
    ),
    "an unknown rank": (PAIRS + '\npays_from = "X X 4 3 2"', "'X X 4 3 2' is not a hand of five ranks"),
    "an unknown rank of three": (PAIRS + '\npays_from = "X X 4"', "'X X 4' is not a hand of three ranks"),
    "a row for a hand": (PAIRS + '\npays_from = "pair"', "sides.extra.pays_from: 'pair' is not a hand of five ranks"),
    "any": (PAIRS + '\npays_from = "any"', "sides.extra.pays_from: seven high is no pair, the lowest row"),
    "three cards of five": (PAIRS + '\npays_from = "J J 2"', "pays_from: the wager goes by 5 cards; a hand of them is"),
    "back where it is paid": (
        JACKS + '\nreturned_from = "Q Q 4 3 2"',
        "returned_from: from pair of jacks on hands are",
    ),
    "back at the same hand": (
        JACKS + '\nreturned_from = "J J 4 3 2"',
        "returned_from: from pair of jacks on hands are",
    ),
    "back by a row that is paid": (PAIRS + '\nreturned_from = "pair"', "returned_from: from pair on hands are paid"),
    "back whatever it is": (JACKS + '\nreturned_from = "high_card"', "every hand is that or more, and the wager could"),
    "back with any": (JACKS + '\nreturned_from = "any"', "every hand is that or more, and the wager could not be"),
    "a stake that is spent": (
        'stake = "5"\ncards = "own"\nfolded = "lost"\nawards = { royal_flush = "9" }\nreturned_from = "flush"',
        "sides.extra.returned_from: a stake on fixed awards is spent",
    ),
    "an exchange that is not": (OWN + '\nexchanged = "first-hand"', "exchanged: it means nothing in a game without an"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_settled_is_refused_with_its_clause_and_key(case: str, tmp_path: Path) -> None:
    rules, says = REFUSED[case]
    told = complaints(tmp_path, with_side(rules))
    assert any(says in one for one in told), told
    assert all(one.startswith("heir: ") for one in told)


#: What else has a name in the records of a table.
OTHER_THINGS = sorted({*get_args(Wager), *OWN_SIDES, LAYOUT, TRAY, METER})


@pytest.mark.parametrize("name", [*OTHER_THINGS, "Pairs", "pair_plus", "-x", "a" * 21, "9-lives"])
def test_a_name_is_words_with_dashes_and_no_other_thing(name: str, tmp_path: Path) -> None:
    text = with_side(OWN).replace("sides.extra", f'sides."{name}"')
    (told,) = complaints(tmp_path, text)
    assert f"X-1: sides: '{name}'" in told


@pytest.mark.parametrize("name", ["pairs", "five-plus-one", "a" * 20, "lucky-7"])
def test_other_names_are_taken(name: str, tmp_path: Path) -> None:
    assert list(heir(tmp_path, with_side(OWN).replace("sides.extra", f"sides.{name}")).sides) == [name]


def test_a_wager_that_is_no_table_is_refused(tmp_path: Path) -> None:
    text = with_side("").replace("[clause.set.sides.extra]", "set.sides.extra = 5")
    assert complaints(tmp_path, text) == ("heir: X-1: sides.extra: 5 is not a table of rules",)


def test_as_many_as_a_layout_has_room_for(tmp_path: Path) -> None:
    sides = "".join(f"[clause.set.sides.{name}]\n{OWN}\n" for name in "abcdefghi")
    text = with_side("").replace("[clause.set.sides.extra]", "")
    (told,) = complaints(tmp_path, text + sides)
    assert told == "heir: X-1: sides: 9 side wagers; 8 at the most"
    eight = sides.rpartition("[clause")[0]
    assert len(heir(tmp_path, text + eight, "eight.toml").sides) == 8


def test_a_row_that_is_taken_out_is_no_gap(tmp_path: Path) -> None:
    book = heir(tmp_path, with_side(OWN.replace('"15 to 1"', '"none"')))
    assert Category.FLUSH not in book.sides["extra"].pays


def test_no_wager_is_higher_than_any_wager_may_be(tmp_path: Path) -> None:
    limit = '\n[clause.set.table]\nwager_max = "{}"'
    (told,) = complaints(tmp_path, with_side(OWN + limit.format(4)))
    assert "sides.extra.stake: no single wager may be so high" in told
    assert heir(tmp_path, with_side(OWN + limit.format(5)), "at.toml").sides


def test_a_qualifier_that_is_needed_must_be_there(tmp_path: Path) -> None:
    always = "[clause.set.dealer]\nqualifies_with = 'any'\nunqualified_ante = 'none'\nunqualified_bet = 'none'\n"
    (told,) = complaints(tmp_path, with_side(OWN + '\nneeds = "dealer-qualifies"\n' + always))
    assert "sides.extra.needs: it means nothing in a game without a dealer who must qualify" in told
    assert heir(tmp_path, with_side(OWN + '\nneeds = "nothing"\n' + always), "nothing.toml").sides["extra"].needs


def test_three_cards_have_their_own_rows(tmp_path: Path) -> None:
    assert heir(tmp_path, with_side(THREE, "colorado-required"), "three.toml").sides["extra"].pays[Category.FLUSH] == 3
    four = THREE.replace("pays = {", 'pays = { four_of_a_kind = "9 to 1",')
    (told,) = complaints(tmp_path, with_side(four, "colorado-required"))
    assert "four_of_a_kind: no hand of these cards makes it; there are high_card, pair, flush, straight" in told


def test_thresholds_of_three_cards_are_three_cards(tmp_path: Path) -> None:
    older = "colorado-required"
    book = heir(tmp_path, with_side(THREE + '\npays_from = "J J 2"\nreturned_from = "pair"', older), "jacks.toml")
    assert book.sides["extra"].pays_from == (Category.PAIR, (9, 0))
    wrong = {
        'pays_from = "J J 4 3 2"': "the wager goes by 3 cards; a hand of them is written as in 'J J 2'",
        'pays_from = "5 4 3"': "straight, five high is no pair, the lowest row that is paid",
        'pays_from = "2 2 3"': "every pair is that or more; leave it out",
        'returned_from = "two_pair"': "two_pair: no hand of these cards makes it; there are high_card, pair, flush",
        'returned_from = "5 3 2"': "every hand is that or more, and the wager could not be lost",
    }
    for rule, says in wrong.items():
        (told,) = complaints(tmp_path, with_side(f"{THREE}\n{rule}", older))
        assert says in told


def test_an_ace_that_is_never_low_makes_no_straight_for_a_threshold(tmp_path: Path) -> None:
    """Such a qualifier was a fault of the program, and such an ante was paid from elsewhere on."""
    never = "\n[clause.set.hands]\nace_low = false\n"
    straights = OWN.replace(', three_of_a_kind = "7 to 1"', "") + '\npays_from = "A 5 4 3 2"'
    for rule in (
        f'{OWN}{never}[clause.set.ante]\npays_from = "A 5 4 3 2"',
        f'{OWN}{never}[clause.set.dealer]\nqualifies_with = "A 5 4 3 2"',
        straights + never,
    ):
        told = complaints(tmp_path, with_side(rule))
        assert any("the ace is never low here (hands.ace_low)" in one for one in told), told


def test_thresholds_are_told_in_words(tmp_path: Path) -> None:
    book = heir(tmp_path, with_side(JACKS + '\nreturned_from = "A K 4 3 2"'))
    told = {key: (value, clause) for key, value, clause in rules_of(book)}
    assert told["sides.extra.pays_from"] == ("pair of jacks (J-4-3-2)", "X-1")
    assert told["sides.extra.returned_from"] == ("ace king high (A-K-4-3-2)", "X-1")


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        ("J J 4 3 2", "pair of jacks"),
        ("J J A 3 2", "pair of jacks (J-A-3-2)"),
        ("J J 2", "pair of jacks"),
        ("J J 3", "pair of jacks (J-3)"),
        ("A 6 4 3 2", "ace high"),
        ("A K 4 3 2", "ace king high"),
        ("A K Q 3 2", "ace king high (A-K-Q-3-2)"),
        ("A 4 2", "ace high"),
        ("K Q 2", "king queen high"),
        ("A A 2 2 3", "two pair, aces and twos"),
        ("9 8 7", "straight, nine high"),
        ("5 5 5 3 2", "three of a kind, fives"),
    ],
)
def test_a_threshold_is_said_with_no_more_kickers_than_matter(ranks: str, words: str) -> None:
    assert least_words(least(ranks)) == words


def test_a_hand_that_is_never_formed_cannot_stand(tmp_path: Path) -> None:
    rules = OWN.replace('"own"', '"own-and-community"')
    (told,) = complaints(tmp_path, with_side(rules, "colorado-required"))
    assert "sides.extra.folded: a hand that is given up before the reveal is never formed" in told
    assert heir(tmp_path, with_side(rules.replace("stands", "lost"), "colorado-required"), "lost.toml").sides


def test_a_better_hand_that_pays_less_is_a_finding(tmp_path: Path) -> None:
    book = heir(tmp_path, with_side(OWN.replace('"15 to 1"', '"9 to 1"')))
    found = [one for one in lint(book) if one.kind == "not-monotone" and one.clause == "X-1"]
    assert [one.says for one in found] == ["sides.extra.pays: a flush pays 9 to 1, a straight 10 to 1"]
    # With three cards a straight is the better hand, and pays more here.
    assert not [
        one for one in lint(heir(tmp_path, with_side(THREE, "colorado-required"), "three.toml")) if one.clause == "X-1"
    ]


def test_an_option_decides_a_rule_of_a_wager(tmp_path: Path) -> None:
    from aceking.rules.reading.load import with_options

    option = (
        '[[clause.option]]\nname = "extra-folded"\nrule = "sides.extra.folded"\nvalues = ["stands", "lost"]\n'
        'default = "lost"\n'
    )
    book = heir(tmp_path, with_side(OWN.replace('folded = "stands"', "")) + option)
    assert book.sides["extra"].folded == "lost"
    chosen = with_options(book, {"extra-folded": "stands"})
    assert isinstance(chosen, Book)
    assert chosen.sides["extra"].folded == "stands"


def test_an_option_may_be_a_hand(tmp_path: Path) -> None:
    """A value with blanks was none of those that it was compared with."""
    from aceking.rules.options import OptionError
    from aceking.rules.reading.load import with_options

    option = (
        '[[clause.option]]\nname = "least-pair"\nrule = "sides.extra.pays_from"\nvalues = ["J J 4 3 2", "T T 4 3 2"]\n'
        'default = "J J 4 3 2"\n'
    )
    book = heir(tmp_path, with_side(PAIRS) + option)
    assert book.sides["extra"].pays_from == least("J J 4 3 2")
    chosen = with_options(book, {"least-pair": "T T 4 3 2"})
    assert isinstance(chosen, Book)
    assert chosen.sides["extra"].pays_from == least("T T 4 3 2")
    with pytest.raises(OptionError, match="is one of J J 4 3 2, T T 4 3 2, not '9 9 4 3 2'"):
        with_options(book, {"least-pair": "9 9 4 3 2"})


def test_a_choice_that_cannot_be_played_is_refused_when_it_is_made(tmp_path: Path) -> None:
    """Only the defaults were looked at: a threshold below all rows was taken, and did nothing."""
    from aceking.rules.reading.load import with_options
    from aceking.rules.refusal import Refusal

    option = '[[clause.option]]\nname = "least"\nrule = "{}"\nvalues = ["J J 4 3 2", "any"]\ndefault = "J J 4 3 2"\n'
    side = heir(tmp_path, with_side(PAIRS) + option.format("sides.extra.pays_from"), "side.toml")
    assert with_options(side, {"least": "any"}) == Refusal(
        "sides.extra.pays_from: seven high is no pair, the lowest row that is paid; it is a hand of that row", "X-1"
    )
    ante = heir(tmp_path, with_side(OWN) + option.format("ante.pays_from"), "ante.toml")
    assert with_options(ante, {"least": "any"}) == Refusal(
        "ante.pays_from: every hand is a high_card or more; leave it out", "X-1"
    )


def test_a_damaged_wager_is_refused_or_still_played() -> None:
    older, wagers = shipped("section10"), [one["set"] for one in parsed(OnDisk(LANTERN))["clause"]]
    found = []
    for number in range(80):
        chance = random.Random(f"sides/{number}")
        clause: dict[str, Any] = {"id": "X-1", "topic": "side-bets", "actor": "house", "says": "It is damaged."}
        clause["set"] = damaged(chance.choice(wagers), chance)
        found.append(try_book({**older, "clause": [*older["clause"], clause]}, chance))
    assert set(found) == {"refused", "loaded"}
    assert found.count("refused") > 60
