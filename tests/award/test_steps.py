"""One award, step by step: what is allowed from where, who may do it, and which clause says no."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.award import steps
from aceking.award.authority import AwardRole, Signer, signature_clause
from aceking.award.steps import Award, AwardStep, BackOut, Call, PayStep, PrintPage, Select, SignStep, Terms, VerifyStep
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal

DORA, DAN = Signer("Dora", "dealer"), Signer("Dan", "dealer")
SAM, SUE = Signer("Sam", "supervisor"), Signer("Sue", "supervisor")
EVA, MAX = Signer("Eva", "executive"), Signer("Max", "executive")
ROYAL, OTHER = "As Ks Qs Js Ts", "Ad Kd Qd Jd Td"
LEVEL = 50_000
STUD = ("section10", "rws", "exchange", "washington")
WASHINGTON = load_book("washington")
SECTION10 = load_book("section10")

SELECT = Select(by=DORA, hand="royal_flush", cards=ROYAL)
CHECK = VerifyStep(by=SAM, hand="royal_flush", cards=ROYAL, light=True)
ACTS: dict[str, steps.AwardAct] = {
    "select": SELECT,
    "call": Call(by=DORA),
    "verify": CHECK,
    "sign": SignStep(by=EVA, amount=LEVEL),
    "print": PrintPage(by=SAM),
    "pay": PayStep(by=DORA, amount=LEVEL),
    "back out": BackOut(by=SAM, second=EVA, reason="a marked card"),
}
#: From where each act is allowed, and where it leads, where every step is wanted.
ALLOWED: dict[str, dict[AwardStep, AwardStep]] = {
    "select": {"selected": "taken-back", "called": "taken-back", "verified": "taken-back"},
    "call": {"selected": "called"},
    "verify": {"called": "verified"},
    "sign": {"verified": "signed"},
    "print": {"signed": "signed", "paid": "paid"},
    "pay": {"signed": "paid"},
    "back out": {"signed": "undone", "paid": "undone"},
}
#: Where the book has neither a call nor a card, the check is final.
WITHOUT_CARD: dict[str, dict[AwardStep, AwardStep]] = {
    "select": {"selected": "taken-back", "called": "taken-back"},
    "call": {"selected": "called"},
    "verify": {"selected": "verified", "called": "verified"},
    "sign": {"verified": "signed"},
    "print": {"verified": "verified", "signed": "signed", "paid": "paid"},
    "pay": {"verified": "paid", "signed": "paid"},
    "back out": {"verified": "undone", "signed": "undone", "paid": "undone"},
}


def after(book: Book, award: Award, act: steps.AwardAct, terms: Terms) -> Award | Refusal:
    """The award after an act, or what stands against the act."""
    if refused := steps.refusal(book, award, act, terms):
        return refused
    match act:
        case Select():
            return replace(award, step="taken-back")
        case Call():
            return steps.called(award)
        case VerifyStep():
            return steps.verified(award, act.by.name)
        case SignStep():
            return steps.with_signature(award, act.by.name, act.by.role)
        case PrintPage():
            return steps.printed(award)
        case PayStep():
            return steps.paid(award, act.by.name)
        case BackOut():
            return steps.undone(award)


def at(step: AwardStep, amount: int = LEVEL) -> Award:
    """An award that has come so far."""
    order = ("selected", "called", "verified", "signed", "paid")
    done = order.index(step) if step in order else 0
    return Award(
        seat=3,
        hand="royal_flush",
        cards=ROYAL,
        dealer="Dora",
        amount=amount,
        step=step,
        verifier="Sam" if done > 1 else None,
        signer="Eva" if done > 2 else None,
    )


@pytest.mark.parametrize(
    ("terms", "allowed"), [(Terms(), ALLOWED), (Terms(called=False, signed=False), WITHOUT_CARD)], ids=["all", "few"]
)
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("book", STUD)
def test_every_act_from_every_step_goes_as_the_table_says(
    book: str, act: str, terms: Terms, allowed: dict[str, dict[AwardStep, AwardStep]]
) -> None:
    """Walked whole: an act is carried out exactly where the table above has it, else a clause says no."""
    for step in get_args(AwardStep):
        found = after(load_book(book), at(step), ACTS[act], terms)
        if step in allowed[act]:
            assert isinstance(found, Award), (step, found)
            assert found.step == allowed[act][step]
        else:
            assert isinstance(found, Refusal), (step, found)
            assert found.clause
            assert found.reason


def test_the_way_of_an_award_and_its_persons() -> None:
    award: Award | Refusal = steps.selected(WASHINGTON, SELECT, seat=3, amount=LEVEL)
    for act in ("call", "verify", "sign", "print", "pay"):
        assert isinstance(award, Award)
        award = after(WASHINGTON, award, ACTS[act], Terms())
    assert isinstance(award, Award)
    assert (award.dealer, award.verifier, award.signer, award.signer_role, award.payer) == (
        *("Dora", "Sam", "Eva"),
        "executive",
        "Dora",
    )
    assert award.printed
    undone = after(WASHINGTON, award, ACTS["back out"], Terms())
    assert isinstance(undone, Award)
    assert undone.gone
    assert not undone.signed
    anew = steps.selected(WASHINGTON, replace(SELECT, cards=OTHER), seat=3)
    assert isinstance(anew, Award)
    assert anew.open


@pytest.mark.parametrize(
    ("act", "by", "clause"),
    [
        ("select", SAM, "WA-9d"),
        ("call", SAM, "WA-9e"),
        ("verify", DAN, "WA-show-a-proghand"),
        ("verify", Signer("Root", "administrator"), "WA-show-a-proghand"),
        ("sign", DAN, "WA-9f"),
        ("sign", Signer("Ghost", None), "WA-9f"),
        ("print", DORA, "WA-9f#winpage"),
        ("pay", SAM, "WA-9"),
        ("back out", DORA, "WA-9h"),
    ],
)
def test_an_act_by_the_wrong_role_is_refused(act: str, by: Signer, clause: str) -> None:
    before: dict[str, AwardStep] = {"verify": "called", "sign": "verified", "print": "signed", "pay": "signed"}
    award = at("signed" if act == "back out" else before.get(act, "selected"))
    refused = steps.refusal(WASHINGTON, award, replace(ACTS[act], by=by), Terms())
    assert refused is not None
    assert refused.clause == clause
    assert by.name in refused.reason


@pytest.mark.parametrize("book", STUD)
def test_dealer_verifier_and_signer_are_three_persons(book: str) -> None:
    text = load_book(book)
    twice = Signer("Dora", "supervisor")  # whatever the roster says of her now
    for award, act in (
        (at("called"), replace(CHECK, by=twice)),
        (at("verified"), SignStep(by=SAM, amount=LEVEL)),
        (at("verified"), SignStep(by=twice, amount=LEVEL)),
    ):
        refused = steps.refusal(text, award, act, Terms())
        assert refused is not None
        assert refused.reason.endswith("it takes another person")
        assert refused.clause
    assert steps.refusal(text, at("called"), CHECK, Terms()) is None
    assert steps.refusal(text, at("verified"), SignStep(by=SUE, amount=LEVEL), Terms()) is None


@pytest.mark.parametrize(
    ("amount", "by", "allowed"),
    [(LEVEL - 1, SUE, True), (LEVEL, SUE, False), (LEVEL, EVA, True), (LEVEL - 1, EVA, True), (LEVEL + 1, SUE, False)],
)
def test_from_the_level_on_an_executive_signs(amount: int, by: Signer, allowed: bool) -> None:
    terms = Terms(executive_from=LEVEL)
    refused = steps.refusal(WASHINGTON, at("verified", amount), SignStep(by=by, amount=amount), terms)
    assert (refused is None) == allowed
    assert steps.refusal(WASHINGTON, at("verified", amount), SignStep(by=by, amount=amount), Terms()) is None


@pytest.mark.parametrize("wrong", [LEVEL - 1, LEVEL + 1, 0])
def test_an_award_is_signed_and_paid_for_exactly_its_amount(wrong: int) -> None:
    for award, act in (
        (at("verified"), SignStep(by=EVA, amount=wrong)),
        (at("signed"), PayStep(by=DORA, amount=wrong)),
    ):
        refused = steps.refusal(WASHINGTON, award, act, Terms())
        assert refused is not None
        assert refused.reason.startswith("the award is 500, not ")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"light": False}, "the light of the seat is off"),
        ({"cards": OTHER}, f"the dealer entered {ROYAL}, a royal flush"),
        ({"cards": "9s 8s 7s 6s 5s"}, "the cards show a straight flush, not a royal flush"),
        ({"hand": "straight_flush", "cards": "9s 8s 7s 6s 5s"}, f"the dealer entered {ROYAL}, a royal flush"),
        ({"cards": "As Ks Qs Js"}, "a hand is five different cards, not 'As Ks Qs Js'"),
        ({"cards": "As As Qs Js Ts"}, "a hand is five different cards, not 'As As Qs Js Ts'"),
        ({"hand": "five_aces"}, "there is no hand 'five_aces'"),
    ],
)
def test_the_check_is_of_hand_cards_and_light(change: dict[str, Any], reason: str) -> None:
    refused = steps.refusal(WASHINGTON, at("called"), replace(CHECK, **change), Terms())
    assert refused is not None
    assert refused.reason == reason
    assert refused.clause
    shuffled = " ".join(reversed(ROYAL.split()))
    assert steps.refusal(WASHINGTON, at("called"), replace(CHECK, cards=shuffled), Terms()) is None


def test_a_table_that_has_the_cards_itself_enters_none() -> None:
    award = steps.selected(WASHINGTON, replace(SELECT, cards=""), seat=3)
    assert isinstance(award, Award)
    assert award.cards == ""
    award = replace(award, step="called")
    assert steps.refusal(WASHINGTON, award, CHECK, Terms()) is None
    other = replace(CHECK, hand="straight_flush", cards="9s 8s 7s 6s 5s")
    assert steps.refusal(WASHINGTON, award, other, Terms()) is not None
    assert isinstance(steps.selected(WASHINGTON, replace(SELECT, cards="", hand="flash"), seat=3), Refusal)
    assert isinstance(steps.selected(WASHINGTON, replace(SELECT, by=SAM), seat=3), Refusal)


def test_a_table_that_names_nobody_still_asks_for_roles() -> None:
    def nobody(role: AwardRole) -> Signer:
        return Signer("", role)

    award: Award | Refusal = steps.selected(WASHINGTON, replace(SELECT, by=nobody("dealer")), seat=3)
    for act in (
        Call(by=nobody("dealer")),
        replace(CHECK, by=nobody("supervisor")),
        SignStep(by=nobody("supervisor"), amount=0),
        PayStep(by=nobody("dealer"), amount=0),
        BackOut(by=nobody("supervisor"), second=nobody("executive"), reason="a wrong seat"),
    ):
        assert isinstance(award, Award), award
        award = after(WASHINGTON, award, act, Terms())
    assert isinstance(award, Award)
    refused = steps.refusal(WASHINGTON, at("called"), replace(CHECK, by=nobody("dealer")), Terms())
    assert refused == Refusal("the person is a dealer; this takes a supervisor or an executive", "WA-show-a-proghand")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"reason": " "}, "an adjustment has a reason"),
        ({"second": SAM}, "the second signature is another person's"),
        ({"second": DORA}, "Dora is a dealer; this takes a supervisor or an executive"),
        ({"by": Signer("Root", "administrator")}, "Root is an administrator; this takes a supervisor or an executive"),
    ],
)
def test_a_back_out_has_two_persons_and_a_reason(change: dict[str, Any], reason: str) -> None:
    act = replace(BackOut(by=SAM, second=EVA, reason="a marked card"), **change)
    assert steps.refusal(WASHINGTON, at("paid"), act, Terms()) == Refusal(reason, "WA-9h")
    assert steps.refusal(SECTION10, at("paid"), act, Terms()) == Refusal(reason, "R17")
    assert steps.not_backed_out(None, act) == Refusal(reason, "R17")


def test_another_hand_than_the_selected_one_does_not_take_it_back() -> None:
    refused = steps.refusal(WASHINGTON, at("called"), replace(SELECT, hand="flush"), Terms())
    assert refused == Refusal("seat 3 is selected as a royal flush; take that back first", "WA-9d")


def test_what_each_book_asks_for() -> None:
    """Only washington has a call and a card; in the others the check is final at the table."""
    assert steps.terms_of(WASHINGTON) == Terms(called=True, signed=True, executive_from=None)
    for book in ("section10", "rws", "exchange", "colorado-required"):
        terms = steps.terms_of(load_book(book))
        assert not terms.signed
        assert steps.is_final(at("verified"), terms)
    assert not steps.is_final(at("verified"), Terms())
    assert steps.is_final(at("signed"), Terms())
    assert not steps.is_final(at("called"), Terms(signed=False))


@pytest.mark.parametrize(
    ("book", "clause"),
    [("section10", "CSP-10(k)(2)(iii)"), ("washington", "WA-9f"), ("rws", "R16"), ("exchange", "R16")],
)
def test_what_asks_for_a_signature(book: str, clause: str) -> None:
    assert signature_clause(load_book(book)) == clause
