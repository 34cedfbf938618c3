"""Where record and claim differ: the record stands, is corrected, or cannot tell."""

from typing import Any

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Mishap
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.place import DEALER, Pile, box_place
from aceking.table.mishaps.evidence import CANNOT_TELL
from aceking.table.state import Question, SideWager
from tests.table.mishaps.asking import WHY, answered, asked, back, question, rule
from tests.table.moment import (
    ANN,
    COLORADO,
    DARK,
    EXCHANGE,
    NO_ROUND,
    ROUND,
    RWS,
    SECTION10,
    SIDE,
    TABLE,
    boxes,
    dealing,
)

CLAIM: dict[str, Any] = {"record": "box 1 has 5 cards"}
SHORT = c.HandWas(place=box_place(1), cards=ANN.cards[:4])


def corrected(one: c.HandWas | c.LookWas | c.LightWas) -> ev.Corrected:
    return ev.Corrected(now=one, by="Sue", reason=WHY, clause="Q")


def test_the_record_stands_or_is_corrected_and_then_ruled_on() -> None:
    claim = question("player-miscount", 1, **CLAIM)
    now = asked(claim, SECTION10)
    assert rule(now, "record-stands") == [answered("record-stands")]
    clause = "CSP-10(m)(4)"
    assert rule(now, "correct-record", corrects=(SHORT,)) == [
        answered("correct-record"),
        corrected(SHORT),
        ev.Ruled(mishap="player-miscount", given=(), then="void-hand", boxes=(1,), clause=clause),
        back(1, "ante", 1000, clause),
        ev.HandVoided(box=1, clause=clause),
    ]
    other = Refusal("the record stands, or it is corrected; the book rules on what it says then", "Q")
    for then in ("void-hand", "as-reported", "continue"):
        assert rule(now, then, corrects=(SHORT,)) == other
    machine = asked(claim, SECTION10, replace(TABLE, mode="electronic"))
    own = Refusal("an electronic table deals from its own record: there is nothing to correct", "BASE-record")
    assert rule(machine, "correct-record", corrects=(SHORT,)) == own
    assert rule(now, "correct-record") == Refusal("say what the record should say", "BASE-input")
    no_round = Refusal("there is no round whose record could be corrected", "BASE-record")
    assert rule(asked(claim, table=NO_ROUND), "correct-record", corrects=(SHORT,)) == no_round
    assert rule(asked(claim, phase="void"), "correct-record", corrects=(SHORT,)) == no_round
    same = c.HandWas(place=box_place(1), cards=ANN.cards)
    still = Refusal("the record would still say otherwise: box 1 has 5 cards", "BASE-record")
    assert rule(now, "correct-record", corrects=(same,)) == still
    # The last of several corrections counts.
    assert rule(now, "correct-record", corrects=(SHORT, same)) == still
    both = rule(now, "correct-record", corrects=(same, SHORT))
    assert isinstance(both, list)
    assert both[:3] == [answered("correct-record"), corrected(same), corrected(SHORT)]


def test_a_claim_about_cards_is_ruled_on_with_the_cards_that_the_answer_names() -> None:
    claim = question("dealer-miscount", cards=(), **CLAIM)
    four = c.HandWas(place=DEALER, cards=ROUND.dealer[:4])
    now = asked(claim, SECTION10)
    clause = "CSP-10(m)(4)#dealer-four"
    done = rule(now, "correct-record", corrects=(four,), cards=(40,))
    assert done == [
        answered("correct-record"),
        corrected(four),
        ev.Ruled(
            mishap="dealer-miscount", given=("dealer-has-four",), then="complete-hand", cards=(40,), clause=clause
        ),
        ev.Dealt(card=40, to=DEALER, clause=clause),
    ]
    assert rule(now, "correct-record", corrects=(four,)) == Refusal("name the card", "BASE-input")
    named = asked(replace(claim, cards=(40,)), SECTION10)
    assert rule(named, "correct-record", corrects=(four,)) == done
    other = rule(named, "correct-record", corrects=(four,), cards=(41,))
    assert isinstance(other, list)
    assert other[-1] == ev.Dealt(card=41, to=DEALER, clause=clause)


def test_what_the_record_cannot_tell_may_be_taken_as_reported() -> None:
    given: tuple[Circumstance, ...] = ("a-violation", "after-deal")
    claim = question("talking", 1, record=CANNOT_TELL, given=given)
    now = asked(claim, SECTION10)
    clause = "CSP-10(j)(3)"
    ruled = ev.Ruled(
        mishap="talking", given=("a-violation", "before-reveal"), then="forfeit-wagers", boxes=(1,), clause=clause
    )
    lost = ev.Forfeited(box=1, clause=clause)
    assert rule(now, "as-reported") == [answered("as-reported"), ruled, lost]
    plain = asked(replace(claim, given=("after-deal",)), SECTION10)
    told = rule(plain, "as-reported", facts=("a-violation", "somebody-looked"))
    assert told == [answered("as-reported"), ruled, lost]
    assert rule(now, "record-stands") == [answered("record-stands")]
    other = Refusal("the record stands, or it is corrected; the book rules on what it says then", "Q")
    assert rule(now, "forfeit-wagers") == other
    exposed = question("cards-exposed", 1, record=CANNOT_TELL, cards=(0,))
    assert rule(asked(exposed, SECTION10), "as-reported") == [
        answered("as-reported"),
        ev.Ruled(
            mishap="cards-exposed",
            given=("player-card",),
            then="continue",
            boxes=(1,),
            cards=(0,),
            clause="CSP-10(m)(3)",
        ),
    ]
    # A fault that is taken as reported leaves the jackpot out of order.
    fault = question("jackpot-fault", record=CANNOT_TELL)
    done = rule(asked(fault, RWS, boxes=boxes(ann={"seen": True})), "as-reported")
    assert done == [
        answered("as-reported"),
        ev.Ruled(
            mishap="jackpot-fault",
            given=("somebody-looked", "this-round"),
            then="pay-at-last-value",
            clause="RWS-5.18.1",
        ),
        ev.DeviceSet(device="jackpot", status="faulty", clause="RWS-5.18.1"),
    ]
    wants = question("card-drawn-in-error", record=CANNOT_TELL, given=("not-exposed",))
    assert rule(asked(wants, SECTION10, **dealing(5)), "as-reported") == Refusal("name the card", "BASE-input")


def test_what_the_record_cannot_say() -> None:
    claim = question("player-miscount", 1, **CLAIM)

    def no(*ones: Any, book: Book = EXCHANGE, mishap: Mishap = "player-miscount", **changes: Any) -> str:
        done = rule(asked(replace(claim, mishap=mishap), book, **changes), "correct-record", corrects=ones)
        assert isinstance(done, Refusal)
        assert done.clause == "BASE-record"
        return done.reason

    def was(*cards: int, box: int = 1) -> c.HandWas:
        return c.HandWas(place=box_place(box), cards=cards)

    elsewhere = "a card of these lies somewhere else on the record"
    assert no(was(0, 3, 6, 1)) == elsewhere
    assert no(was(0, 3, 6, 50), sequence=(*range(15), 50), burn=(50,)) == elsewhere
    assert no(was(0, 3, 6, 3)) == "a card comes twice"
    assert no(was(40, 41, box=5)) == "box 5 is not in the round"
    assert no(SHORT, c.LookWas(box=5, seen=True)) == "box 5 is not in the round"
    assert no(SHORT, c.LightWas(box=5, lit=True)) == "box 5 is not in the round"
    assert no(c.LightWas(box=1, lit=True), book=COLORADO) == "no wager of this book has a light"
    taken = {"ann": {"take": 12, "give": 45}}
    bought = "the card that was taken in the exchange is in the hand"
    assert no(was(0, 3, 6, 9), boxes=boxes(**taken)) == bought
    assert "still" in no(was(0, 3, 6, 40, 12), boxes=boxes(**taken)), "five cards, and it is one of them"
    gone = "those cards are in the rack, and what was given away or laid aside with them"
    rack = ((Pile("hand", 1), ANN.cards),)
    for aside in ({"give": 45}, {"discard": 45}):
        assert no(SHORT, boxes=boxes(ann=aside), rack=rack) == gone
    assert no(was(1, 4, box=2), boxes=boxes(ann={"give": 45}), rack=rack).startswith("the record would still")
    for look in ("early-pick-up", "second-look", "unlit-chip"):
        words = f"{look.replace('-', ' ')} is not about the cards of a hand"
        assert no(SHORT, mishap=look) == words


def test_what_the_record_can_say() -> None:
    claim = question("player-miscount", 1, **CLAIM)

    def yes(*ones: Any, book: Book = EXCHANGE, one: Question = claim, **changes: Any) -> list[ev.TableEvent]:
        done = rule(asked(one, book, **changes), "correct-record", corrects=ones)
        assert isinstance(done, list), done
        assert done[0] == answered("correct-record")
        assert done[1 : 1 + len(ones)] == [corrected(each) for each in ones]
        return done[1 + len(ones) :]

    # A card that lay aside is found in the hand; one that nobody had comes from the deck.
    found = c.HandWas(place=box_place(1), cards=(*ANN.cards, 20))
    assert yes(found, sequence=(*range(15), 20), aside=(20,))
    assert yes(found)
    raked = ((Pile("hand", 1), ANN.cards),)
    assert yes(SHORT, rack=raked), "nothing was given away with it"
    assert yes(SHORT, boxes=boxes(ann={"give": 45})), "it does not lie in the rack"
    dealer = replace(claim, mishap="dealer-miscount", boxes=())
    assert yes(c.HandWas(place=DEALER, cards=(2, 5)), one=dealer, rack=raked, boxes=boxes(ann={"give": 45}))
    look = question("early-pick-up", 1, **CLAIM)
    ruled = yes(c.LookWas(box=1, seen=True), one=look)
    assert ruled[0] == ev.Ruled(
        mishap="early-pick-up", given=("after-deal",), then="record-violation", boxes=(1,), clause="EUR-p6-goahead"
    )


def test_a_chip_whose_light_was_never_on_registered_no_wager() -> None:
    claim = question("unlit-chip", 1, **CLAIM)
    off, on = c.LightWas(box=1, lit=False), c.LightWas(box=1, lit=True)
    lines = (Line(1, "side", 100, "lose", 0, "S"), Line(1, "ante", 1000, "lose", 0, "L"))
    lit = boxes(ann={"sides": SIDE})
    done = rule(asked(claim, boxes=lit, lines=lines, moved=frozenset({0, 1})), "correct-record", corrects=(off,))
    assert isinstance(done, list)
    assert done[:4] == [
        *(answered("correct-record"), corrected(off), ev.Unmoved(line=0, clause="Q"), back(1, "side", 100)),
    ]
    dark = boxes(ann={"sides": DARK})
    still = "the record would still say otherwise: the light of that box is on, or it has no side wager"
    assert rule(asked(claim, boxes=dark), "correct-record", corrects=(on,)) == Refusal(still, "BASE-record")
    other = c.LookWas(box=1, seen=False)
    plain = rule(asked(claim, boxes=dark), "correct-record", corrects=(other,))
    assert isinstance(plain, list)
    assert plain[:2] == [answered("correct-record"), corrected(other)]
    assert not isinstance(plain[2], ev.Returned), "nothing was said of its light"
    miscount = question("player-miscount", 1, **CLAIM)
    burns = rule(asked(miscount, SECTION10, boxes=lit), "correct-record", corrects=(SHORT, on))
    assert isinstance(burns, list)
    assert burns[3] == ev.Ruled(
        mishap="player-miscount", given=(), then="void-hand", boxes=(1,), clause="CSP-10(m)(4)"
    ), "a light that was on leaves the chip where it is"
    two = {"side": SideWager(100), "bonus": SideWager(50)}
    both = rule(asked(claim, boxes=boxes(ann={"sides": two})), "correct-record", corrects=(off, other))
    assert isinstance(both, list)
    assert both[3:5] == [back(1, "side", 100), back(1, "bonus", 50)]
