"""The terminal table as a person meets it: on a real terminal, with a coach, and with chips that are counted."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from aceking.cli import cli
from aceking.commands.terminal.lesson import lesson
from aceking.rules.reading.load import load_book
from tests.commands.terminal import CTRL_C, RECORDED, ROOT, SESSIONS, figures, session, typed


@pytest.fixture(autouse=True)
def _kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACEKING_SESSIONS", str(tmp_path / "sessions"))


Play = Callable[..., str]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """A table that is played from a stream, by a seed of its own unless it is given one: what it shows."""

    def played(*words: str, given: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        seed = () if "--seed" in words or "--again" in words else ("--seed", "5")
        assert cli.main(["play", *words, *seed], standalone_mode=False) == 0
        shown = capsys.readouterr()
        assert shown.err == ""
        return shown.out

    return played


def chips_shown(shown: str) -> list[float]:
    """The chips of the player, before every round and at the end."""
    return [
        float(one.replace(",", "")) for one in re.findall(r"(?:^chips|leave with) (-?[\d,.]+?)(?= |$)", shown, re.M)
    ]


# On record


@pytest.mark.parametrize("book", SESSIONS)
def test_the_session_on_record_is_what_a_terminal_of_80_by_24_shows(book: str, tmp_path: Path) -> None:
    shown, status = session(book, tmp_path, python=("-W", "error", "-X", "dev"))
    assert status == 0
    recorded = (RECORDED / f"play-{book}.txt").read_text(encoding="utf-8").split("\n", 1)[1]
    assert shown == recorded
    assert max(map(len, shown.split("\n"))) <= 80


@pytest.mark.parametrize("book", SESSIONS)
def test_the_figures_on_record_are_what_the_program_counts(book: str, tmp_path: Path) -> None:
    assert figures(book, tmp_path) == (RECORDED / f"{book}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("book", SESSIONS)
def test_on_forty_columns_the_same_words_wrap_and_none_is_cut(book: str, tmp_path: Path) -> None:
    narrow, status = session(book, tmp_path, columns=40)
    assert status == 0
    assert max(map(len, narrow.split("\n"))) <= 40
    recorded = (RECORDED / f"play-{book}.txt").read_text(encoding="utf-8").split("\n", 1)[1]
    assert narrow.split() == recorded.split()


# The coach


@pytest.mark.parametrize("book", SESSIONS)
def test_before_the_first_hand_the_book_says_how_it_is_played(play: Play, book: str) -> None:
    found = load_book(book)
    told = lesson(found)
    assert 5 <= len(told) <= 9
    assert {clause for _, clause in told} <= set(found.clauses)
    shown = play(book, given="q\n")
    assert shown.index("1 Put an ante") < shown.index("Ante?")
    words = " ".join(sentence for sentence, _ in told)
    assert ("exchange" in found.decide.choices) == ("buy one card" in words)
    assert ("stay" in found.decide.choices) == ("stay without a bet" in words)
    assert ("declare" in found.decide.choices) == ("declaration" in words)


def test_a_changed_rule_is_another_lesson(play: Play) -> None:
    shown = play("section10", "--option", 'bet-paytable={"royal_flush": "150"}', given="q\n")
    assert "150 to 1 for a royal flush" in shown
    shown = play("section10", "--option", "folded-progressive=payable", given="q\n")
    assert "wins none of it" not in shown


def test_after_an_exchange_only_what_is_left_has_a_value_and_the_fee_is_counted(play: Play) -> None:
    shown = play("exchange", "--seed", "5", given="10\nx\n1\nv\nf\nq\n")
    after = shown[shown.index("gave J♠") :]
    values = after[after.index("worth, in") : after.index("(f)old, (b)et 20? f")]
    assert re.findall(r"^ +→? *(bet|fold|exchange)", values, re.M) == ["bet", "fold"]
    assert "-2.0000   -20.00" in values
    assert "the price of the exchange counted" in values


def test_a_mistake_is_told_at_once_and_summed_over_the_session(play: Play) -> None:
    # A pair of kings against a six, folded twice over: seed 5 of section10, then a pair of sevens and sixes.
    shown = play("section10", "--seed", "5", given="10\nf\n10\nf\nq\n")
    assert "A mistake: fold cost 24.18 (2.4183 antes). Better: bet." in shown
    assert "Your 2 mistakes cost" in shown
    assert "mistakes 1, cost 24.18" in shown
    assert "The coach judged 2 decisions: 2 mistakes that cost" in shown
    silent = play("section10", "--seed", "5", "--coach", "off", given="10\nf\nq\n")
    assert "mistake" not in silent
    best = play("section10", "--seed", "5", given="10\nb\nq\n")
    assert "The coach judged 1 decision: no mistake." in best


def test_values_stand_at_the_prompt_for_who_wants_them(play: Play) -> None:
    shown = play("section10", "--seed", "5", "--coach", "values", given="10\nb\nc\n10\nb\nq\n")
    first, second = shown.split("The coach says what a mistake costs, once it is made.")
    assert first.index("→ bet") < first.index("(b)et 20")
    assert "→" not in second


@pytest.mark.parametrize(
    ("book", "seed", "word", "warning"),
    [
        ("rws", "259", "f", "That gives up 100: the award for your hand is not paid  RWS-3.12.1"),
        ("exchange", "1", "x", "That gives up 75: side bet and award are lost  EUR-exchange-4-jackpot"),
        ("colorado-required", "103", "b", "That gives up 55: three of a kind pays only if it is declared now"),
        ("colorado-permissible", "5", "d", "That gives up 10: these cards are no instant winner, and the ante is lost"),
    ],
)
def test_a_choice_that_forfeits_something_is_asked_twice(
    play: Play, book: str, seed: str, word: str, warning: str
) -> None:
    shown = play(book, "--seed", seed, "--side", given=f"10\n{word}\nn\nq\ny\n")
    assert warning in shown
    assert "anyway? (y)es, (n)o? n" in shown


def test_without_a_side_bet_there_is_no_award_to_give_up(play: Play) -> None:
    shown = play("rws", "--seed", "259", given="10\nf\nq\n")
    assert "gives up" not in shown


# Boxes and side bets


def test_several_boxes_where_the_book_has_them_and_one_hand_to_look_at(play: Play) -> None:
    shown = play("rws", "--seed", "5", "--boxes", "3", "--side", given="10\n9\n2\nf\nb\nb\nq\n")
    assert "You may look at one of your hands.  RWS-3.7" in shown
    assert "Your boxes are 1, 2, 3." in shown
    assert shown.count("not looked at") == 2
    assert shown.count("  side ") == 3
    assert chips_shown(shown) == [500, 507, 507]  # -11, +9 and +9: the dealer does not qualify


@pytest.mark.parametrize(
    ("book", "option", "boxes", "given"),
    [
        ("washington", "boxes-per-player=several", "3", "10\nv\nb\nb\nb\nq\n"),
        ("colorado-permissible", "positions-per-player=2-adjacent", "2", "10\nv\nb\n1\ns\n2\nq\n"),
    ],
)
def test_boxes_that_a_choice_of_the_house_allows(play: Play, book: str, option: str, boxes: str, given: str) -> None:
    shown = play(book, "--seed", "5", "--option", option, "--boxes", boxes, "--side", given=given)
    assert shown.count("  side ") == int(boxes)
    assert "the side bet counted; what your other hands show left out" in shown
    assert f"The coach judged {boxes} decisions" in shown
    with pytest.raises(click.ClickException, match=r"\(\S+\)$"):
        play(book, "--option", option, "--boxes", "16", given="")


@pytest.mark.parametrize("book", [one for one in SESSIONS if one != "rws"])
def test_a_second_box_is_refused_with_the_clause_where_the_book_has_one_to_a_player(play: Play, book: str) -> None:
    with pytest.raises(click.ClickException, match=r"player has box 1 already; a player has one \(\S+\)$"):
        play(book, "--boxes", "2", given="")
    assert "Refused: player has box 1 already" in play(book, given="n 2\nn\nn x\nq\n")


# Chips


def test_a_bankroll_cannot_go_below_nothing(play: Play) -> None:
    # Ante, bet and side bet are 31; the first edition let them be staked with 30, and left with -1.
    shown = play("section10", "--seed", "6", "--chips", "30", "--side", given="10\nb\n\nb\nq\n")
    assert "30 is not enough to play out an ante of 10: the most is 9.66." in shown
    assert min(chips_shown(shown)) >= 0


@pytest.mark.parametrize("book", SESSIONS)
def test_a_player_who_stakes_everything_ends_with_nothing_and_may_buy_again(play: Play, book: str) -> None:
    choice = {"exchange": "x\n1\nb\n", "colorado-required": "b\n1\n", "colorado-permissible": "b\n1\n"}.get(book, "b\n")
    rounds = f"\n{choice}" * 12
    shown = play(book, "--seed", "2", "--chips", "40", "--side", given=f"{rounds}25\n10\nq\n")
    assert min(chips_shown(shown)) >= 0


def test_chips_that_are_gone_can_be_bought_and_are_not_called_won(play: Play) -> None:
    shown = play("section10", "--seed", "6", "--chips", "0.03", given="\nb\n25\nq\n")
    assert "You have 0 in chips: too little for another round." in shown
    assert "You leave with 25 USD (-0.03)." in shown


def test_an_exchange_is_not_offered_to_who_could_not_bet_after_it(play: Play) -> None:
    shown = play("exchange", "--seed", "5", "--chips", "30", given="10\nx\nf\nq\n")
    assert "exchange a card" not in shown
    assert "x is not a choice here: f fold, b bet." in shown


OASIS = str(ROOT / "examples" / "books" / "oasis.toml")


def test_several_cards_are_given_by_place_or_name_and_wrong_ones_are_asked_for_again(play: Play) -> None:
    lines = "10\nx2\n1\nx2\n1 1\nx2\n1 9\nx2\n1 2\nf\nq\n"
    shown = play(OASIS, "--seed", "5", "--coach", "off", given=lines)
    assert "one to five cards for others; prices in antes: one 1, two 2, three 3, four 2, five 1" in " ".join(
        shown.split()
    )
    assert "e(x)change a card for 10, (x2) 2 for 20, (x3) 3 for 30, (x4) 4 for 20, (x5) 5 for 10, (f)old" in shown
    assert shown.count("Name 2 different cards, separated by blanks.") == 2
    assert "A card of your hand, or its place from 1 to 5" in shown
    assert "gave J♠ " in shown
    assert "exchange    20  lose" in shown


def test_of_many_choices_the_best_of_each_kind_are_shown(play: Play) -> None:
    shown = play(OASIS, "--seed", "5", "--coach", "off", given="10\nv\nb\nq\n")
    table = shown[shown.index("worth, in") : shown.index("the best of each kind; 26 others are worth no more")]
    choices = [line.strip(" →").split("  ")[0] for line in table.splitlines()[1:-1]]
    assert choices[:3] == ["bet", "exchange 6♣", "exchange 6♣ 7♥"]
    assert len(choices) == 7
    assert len({len(line) for line in table.splitlines()[1:-1]}) == 1, "the figures stand in columns"


def test_cards_that_are_laid_aside_together_are_named_together(play: Play) -> None:
    quartet = str(ROOT / "examples" / "books" / "quartet.toml")
    shown = play(quartet, "--seed", "5", given="10\nb\n2\nb\n2 7h\nq\n")
    assert "Which 2 cards do you lay aside?  1 J♠  2 6♣  3 7♥  4 Q♦ ? 2 7h" in shown
    assert shown.count("Name 2 different cards, separated by blanks.") == 1
    assert "no mistake" in shown


def test_the_hand_that_a_bought_card_makes_is_told(play: Play) -> None:
    russian = str(ROOT / "examples" / "books" / "russian.toml")
    shown = play(russian, "--seed", "5", given="10\nx\n1\nb\ny\nq\n")
    assert "Dealer    Q♦ 10♦ 2♦ 9♦ 5♠   queen ten high, does not qualify" in shown
    assert "Bought    2♠ 10♦ 2♦ 9♦ 5♠   pair of twos, qualifies" in shown


def test_no_number_of_cards_is_offered_that_leaves_too_little_for_the_bet(play: Play) -> None:
    shown = play(OASIS, "--seed", "5", "--chips", "50", "--coach", "off", given="10\nf\nq\n")
    assert "(x2) 2 for 20, (x4) 4 for 20, (x5) 5 for 10, (f)old" in shown
    assert "(x3)" not in shown


def test_an_ante_below_the_posted_least_is_refused_and_the_table_goes_on(play: Play) -> None:
    shown = play("rws", "--seed", "5", "--option", "table-min=10", given="5\n10\nf\nq\n")
    assert re.search(r"^Refused: .* RWS-", shown, re.M)
    assert "You leave with 490 SGD (-10)." in shown


# Leaving


@pytest.mark.parametrize(
    ("book", "ruling", "chips"),
    [
        ("rws", "The hand counts as folded.  RWS-5.5", 490),
        ("section10", "The book leaves that to the supervisor.  CSP-10(f)(6)", 490),
        ("washington", "The book has no rule for it: that is for the supervisor.  WA-7", 490),
        ("exchange", "The book has no rule for it: that is for the Gaming Management.  EUR-p26-dispute", 490),
        ("colorado-required", "The book leaves that to the supervisor.  CHP-38(k)(2)#ask", 490),
        ("colorado-permissible", "The book leaves that to the supervisor.  CHP-38(l)(2)", 490),
    ],
)
def test_leaving_in_mid_hand_is_ruled_by_the_book_or_by_the_posted_rule(
    play: Play, book: str, ruling: str, chips: int
) -> None:
    shown = play(book, "--seed", "5", given="10\nq\nn\nq\ny\n")
    assert shown.count("If you leave now:") == 2
    assert ruling in shown
    if book == "colorado-permissible":
        assert "K♣ is laid aside." in shown  # no book says which; the table takes the last card, and says so
    if book != "rws":
        assert "the posted rule of the house: the hand " in shown
    assert chips_shown(shown)[-1] == chips
    # If the input ends, the ruling is the same: the player has left.
    assert chips_shown(play(book, "--seed", "5", given="10\n"))[-1] == chips


def test_nonsense_at_every_prompt_is_one_sentence_and_moves_nothing(play: Play) -> None:
    long = "1" * 5000
    given = f"lots\n-5\n0\n1e9\n🂡\n{long}\nn {long}\nn ²\n\x1b[2J\n10\nzzz\n\nfodl\nx\nq\nmaybe\nf\nq\n"
    shown = play("section10", "--seed", "5", given=given)
    assert "'lots' is not" in shown
    assert "\x1b[2J" not in shown
    assert "fodl is not a choice here: b bet, f fold; did you mean fold?" in shown
    assert chips_shown(shown)[-1] == 490


def test_ctrl_c_at_a_prompt_leaves_by_the_same_rule(tmp_path: Path) -> None:
    shown, status = typed(["play", "rws", "--seed", "5", "--record", "r"], ["10", CTRL_C], cwd=tmp_path)
    assert status == 0
    assert "The hand counts as folded.  RWS-5.5" in shown
    assert (tmp_path / "r.session").exists()


def test_of_a_great_ante_it_is_said_that_the_cap_is_left_out(play: Play) -> None:
    shown = play("rws", "--seed", "5", "--chips", "10000", given="500\nv\nf\n100\nv\nf\nq\n")
    assert shown.count("the most that is paid, 100,000, counted") == 1  # 250 times a bet of 1,000, not of 200


def test_a_record_that_another_window_writes_to_is_dropped_and_the_game_goes_on(tmp_path: Path) -> None:
    words = ["play", "rws", "--seed", "5", "--record", "r"]
    first, _ = typed(words, ["10", "f", "q"], cwd=tmp_path)
    assert "You leave with 490" in first
    # The second window takes the session up and, while it asks for the ante, the first one goes on writing.
    program = (
        "import sys; from aceking.commands.terminal.session import Record; from aceking.commands.terminal.table import "
        "TerminalTable; from pathlib import Path; r = Record(Path('r')); s, t = r.resume(); "
        "Path('r').open('ab').write(b'\\n'); TerminalTable(s, t, r).run(again=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="10\nf\nq\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("This session is no longer saved: another program writes to r.") == 1
    assert "You leave with 480 SGD (-20)." in done.stdout
