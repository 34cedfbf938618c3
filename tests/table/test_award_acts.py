"""Awards: what a handler does by itself, before any clause: its events to the last field, or its refusal."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.moment import Done
from aceking.table.money.award_lines import award_line
from aceking.table.phases import awards
from tests.table.handled import STUD, award_of, boxed, no, now
from tests.table.test_driver import round_of


def test_an_award_is_picked_taken_back_and_picked_anew() -> None:
    driver = award_of(STUD, c.SelectWinner)
    _, line = award_line(round_of(driver), 2) or (0, None)
    assert line is not None
    picked = ev.Selected(box=2, hand="royal_flush", by="Di", amount=line.pays, clause="X")
    for hand in (None, "royal_flush"):
        assert awards.select_winner(now(driver, "X"), c.SelectWinner(box=2, hand=hand)) == [picked]
    no(
        awards.select_winner(now(driver), c.SelectWinner(box=2, hand="straight_flush")),
        "BASE-award",
        "box 2 holds a royal flush, not a straight flush",
    )
    no(
        awards.select_winner(now(driver), c.SelectWinner(box=3)),
        "BASE-award",
        "box 3 has no award to verify",
    )
    back = [ev.AwardLost(box=2, back=True, clause="X"), picked]
    assert awards.select_winner(replace(boxed(driver, 2, unawarded=True), clause="X"), c.SelectWinner(box=2)) == back
    driver.must(c.SelectWinner(box=2))
    off = ev.Selected(box=2, hand=None, by="Di", clause="X")
    for hand in (None, "royal_flush"):
        assert awards.select_winner(now(driver, "X"), c.SelectWinner(box=2, hand=hand)) == [off]
    driver.must(c.Validate(box=2, by="Sam", role="supervisor"))
    no(
        awards.select_winner(now(driver), c.SelectWinner(box=2)),
        "BASE-award",
        "the award is signed; only an adjustment undoes it",
    )


def test_an_award_is_confirmed_paid_once_and_backed_out() -> None:
    driver = award_of(STUD, c.SelectWinner)
    steps: list[tuple[c.Act, Callable[..., Done]]] = [
        (c.Validate(box=2), awards.validate),
        (c.Adjust(box=2, reason="wrong box"), awards.adjust),
        (c.CompletePapers(box=2), awards.complete_papers),
    ]
    for act, handler in steps:
        unpicked = handler(now(driver), act)
        no(unpicked, "BASE-award", "no award was picked for box 2")
    no(awards.validate(now(driver), c.Validate(box=7)), "BASE-box", "box 7 is not in the round")
    driver.must(c.SelectWinner(box=2, by="Di"))
    assert awards.validate(now(driver, by="Sam", role="supervisor"), c.Validate(box=2)) == []
    assert isinstance(awards.validate(now(driver), c.Validate(box=2)), Refusal), "not by who picked it"
    assert isinstance(awards.complete_papers(now(driver), c.CompletePapers(box=2)), Refusal)
    driver.must(c.Validate(box=2, by="Sam", role="supervisor"))
    number, line = award_line(round_of(driver), 2) or (0, None)
    assert line is not None
    assert awards.pay_award(now(driver, "X"), c.PayAward(box=2)) == [ev.Moved(line=number, clause=line.clause)]
    no(awards.pay_award(now(driver), c.PayAward(box=3)), "BASE-award", "box 3 has no award")
    lost = [ev.Selected(box=2, hand=None, by="Sam", clause="X"), ev.AwardLost(box=2, clause="X")]
    adjust = c.Adjust(box=2, reason="wrong box")
    by_sam: dict[str, Any] = {"by": "Sam", "role": "supervisor"}
    assert awards.adjust(now(driver, "X", **by_sam), adjust) == lost
    driver.must(c.PayAward(box=2))
    no(awards.pay_award(now(driver), c.PayAward(box=2)), "BASE-award", "the award of box 2 is paid")
    back = ev.Unmoved(line=number, clause="X")
    assert awards.adjust(now(driver, "X", **by_sam), adjust) == [back, *lost]
    out = replace(boxed(driver, 2, void=True), by="Sam", role="supervisor")
    no(awards.adjust(out, adjust), "BASE-box", "the box is out of the round, and so is its award")
    assert awards.complete_papers(now(driver, **by_sam), c.CompletePapers(box=2)) == []
    assert isinstance(awards.complete_papers(now(driver), c.CompletePapers(box=2)), Refusal), "not by the dealer"
