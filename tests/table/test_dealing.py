"""The deal: what a handler does by itself, before any clause: its events to the last field, or its refusal."""

from collections.abc import Callable

from msgspec.structs import replace

from aceking.cards.card import card
from aceking.cards.deck import DECK
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.place import BOXED, BURN, COMMUNITY, DEALER, STUB, box_place
from aceking.table.moment import Done
from aceking.table.phases import dealing
from aceking.table.procedure.orders import orders
from tests.table.handled import EXCHANGE, RWS, STUD, WASHINGTON, events, in_round, no, now
from tests.table.test_next_act import chosen
from tests.table.test_out_of_time import at


def test_a_card_is_burnt_once_before_the_first_and_only_where_the_book_burns() -> None:
    driver = at(RWS, "closed")
    (dealt,) = events(dealing.burn(now(driver, "X"), c.Burn()))
    assert dealt == ev.Dealt(card=DECK[0], to=BURN, clause="X")
    for moment in (in_round(driver, burn=(card("2c"),)), in_round(driver, placed=1)):
        no(dealing.burn(moment, c.Burn()), RWS.cite("deal.burn"), "no card is burnt now")
    no(dealing.burn(now(at(STUD, "closed")), c.Burn()), STUD.cite("deal.burn"), "no card is burnt now")
    for name in ("staked", "dealt", "done"):
        early = dealing.burn(now(at(RWS, name)), c.Burn())
        no(early, RWS.cite("wagers.closes"), "this is not the time to deal")


def test_a_card_goes_where_it_is_due_or_is_on_the_record_as_astray() -> None:
    driver = at(STUD, "dealing")
    second = ev.Dealt(card=DECK[1], to=box_place(2), clause="X")
    assert dealing.deal_card(now(driver, "X"), c.DealCard()) == [second]
    assert dealing.deal_card(now(driver, "X"), c.DealCard(to=box_place(2))) == [second]
    order = next(one.clause for one in orders(STUD)["card-dealt"] if "deal-in-order" in one.needs)
    astray = ev.Violated(what="a card went to box 1 and was due to box 2", by="Di", at=7, clause=order)
    for who, name in (("Di", "Di"), ("", "dealer")):
        wrong = c.DealCard(to=box_place(1), by=who, role="dealer")
        assert dealing.deal_card(now(driver, "X"), wrong) == [
            replace(second, to=box_place(1), stray=True),
            replace(astray, by=name),
        ]
    for number in (1, STUD.table.seats_max):
        assert isinstance(dealing.deal_card(now(driver), c.DealCard(to=box_place(number), role="dealer")), list)
    for place in (box_place(STUD.table.seats_max + 1), box_place(0), COMMUNITY, BOXED):
        no(
            dealing.deal_card(now(driver), c.DealCard(to=place)),
            "BASE-input",
            f"there is no place {place.words!r} to deal to",
        )
    driver.deal_some(1)
    # The dealer's first card lies face up.
    assert dealing.deal_card(now(driver), c.DealCard()) == [ev.Dealt(card=DECK[2], to=DEALER, face="up")]
    assert dealing.deal_card(now(driver), c.DealCard(face="up")) == [ev.Dealt(card=DECK[2], to=DEALER, face="up")]
    assert dealing.deal_card(in_round(driver, up=card("2c")), c.DealCard()) == [ev.Dealt(card=DECK[2], to=DEALER)]
    driver.deal_some(13)
    over = replace(now(driver), clause=None)
    none = dealing.deal_card(over, c.DealCard())
    assert isinstance(none, Refusal)
    assert none.reason == "every hand has its cards"
    sixth = events(dealing.deal_card(over, c.DealCard(to=box_place(1), role="dealer")))
    assert isinstance(sixth[1], ev.Violated)
    assert sixth[1].what == "a card went to box 1; none was due"


def test_a_card_that_is_dealt_face_up_by_mistake_is_ruled_on() -> None:
    driver = at(STUD, "dealing")
    done = events(dealing.deal_card(now(driver), c.DealCard(face="up")))
    ruled = next(one for one in done if isinstance(one, ev.Ruled | ev.Asked))
    assert (ruled.mishap, ruled.boxes, ruled.cards) == ("cards-exposed", (2,), (DECK[1],))
    driver.deal_some(4)
    hole = events(dealing.deal_card(now(driver), c.DealCard(face="up")))
    ruled = next(one for one in hole if isinstance(one, ev.Ruled | ev.Asked))
    assert (ruled.mishap, ruled.boxes, ruled.cards) == ("hole-card-exposed", (), (DECK[5],))


def test_a_packet_is_a_whole_hand_or_on_the_record_as_short() -> None:
    driver = at(EXCHANGE, "dealing")
    five = [ev.Dealt(card=one, to=box_place(2), clause="X") for one in DECK[5:10]]
    assert dealing.deal_packet(now(driver, "X"), c.DealPacket()) == five
    assert dealing.deal_packet(now(driver, "X"), c.DealPacket(cards=DECK[5:10])) == five
    # A stack that the device gave too short is its own fault, and no breach of the dealer.
    for size in (1, 4):
        short = events(dealing.deal_packet(now(driver, "X"), c.DealPacket(cards=DECK[5 : 5 + size])))
        assert short == [replace(one, stray=True) for one in five[:size]]
    astray = events(dealing.deal_packet(now(driver, "X"), c.DealPacket(to=box_place(1), role="dealer")))
    assert astray[:5] == [replace(one, to=box_place(1), stray=True) for one in five]
    assert [one.what for one in astray[5:] if isinstance(one, ev.Violated)] == [
        "a packet went to box 1 and was due to box 2"
    ]
    for wrong in ((), DECK[5:11]):
        no(
            dealing.deal_packet(now(driver), c.DealPacket(cards=wrong)),
            EXCHANGE.cite("deal.packets"),
            "a packet has 5 cards",
        )
    no(dealing.deal_card(now(driver), c.DealCard()), EXCHANGE.cite("deal.packets"), "hands are dealt in packets here")
    assert isinstance(dealing.deal_card(now(driver), c.DealCard(to=box_place(2), role="dealer")), list)
    single = dealing.deal_packet(now(at(STUD, "dealing")), c.DealPacket())
    no(single, STUD.cite("deal.up_single"), "cards are dealt one at a time here")
    up = events(dealing.deal_packet(now(driver), c.DealPacket(face="up")))
    ruled = next(one for one in up if isinstance(one, ev.Ruled | ev.Asked))
    assert (ruled.mishap, ruled.boxes, ruled.cards) == ("cards-exposed", (2,), DECK[5:10])


def test_the_up_card_is_the_one_of_the_book() -> None:
    driver = at(EXCHANGE, "closed")
    driver.deal_some(2)
    no(dealing.turn_up(now(driver), c.TurnUpCard()), "BASE-time", "the dealer has no cards")
    driver.deal_some(1)
    assert dealing.turn_up(now(driver, "X"), c.TurnUpCard()) == [ev.UpCard(card=DECK[14], clause="X")]
    assert dealing.turn_up(in_round(driver, up=DECK[14]), c.TurnUpCard()) == []
    driver = at(STUD, "dealing")
    driver.deal_some(3)
    # A first card that lay face down by mistake is turned at once; where cards went astray, after the deal.
    assert dealing.turn_up(in_round(driver, up=None), c.TurnUpCard()) == [ev.UpCard(card=DECK[2])]
    hidden = in_round(driver, up=None, strayed=True)
    no(dealing.turn_up(hidden, c.TurnUpCard()), "BASE-time", "the up-card is dealt face up")
    driver = at(STUD, "dealt")
    assert dealing.turn_up(in_round(driver, up=None), c.TurnUpCard()) == [ev.UpCard(card=DECK[2])]
    last = at(WASHINGTON, "dealt")
    assert dealing.turn_up(in_round(last, up=None), c.TurnUpCard()) == [ev.UpCard(card=DECK[14])]
    turned = at(chosen("washington", up_card_method="turned-face-up"), "dealing")
    turned.deal_some(4)
    no(dealing.turn_up(now(turned), c.TurnUpCard()), "BASE-time", "the deal is not finished")


def test_the_stub_is_racked_once_and_counted_when_the_hands_are_dealt() -> None:
    driver = at(STUD, "dealing")
    driver.deal_some(14)
    stub = ev.Racked(what=STUB, count=37, clause="X")
    assert dealing.stub_to_rack(now(driver, "X"), c.RackStub()) == [stub]
    assert dealing.stub_to_rack(now(driver, "X"), c.RackStub(face="up")) == [replace(stub, exposed=True)]
    for count in (None, 37):
        assert dealing.count_stub(now(driver), c.CountStub(count=count)) == []
    for count in (36, 38):
        found = events(dealing.count_stub(now(driver), c.CountStub(count=count)))
        assert isinstance(found[0], ev.Ruled | ev.Asked)
        assert found[0].mishap == "stub-miscount"
    early = at(STUD, "dealing")
    early.deal_some(12)
    no(dealing.count_stub(now(early), c.CountStub()), "BASE-time", "the deal is not finished")
    no(dealing.go_ahead(now(early), c.GoAhead()), "BASE-time", "the deal is not finished")
    early.deal_some(1)
    # The record cannot tell whether the dealer lacks the last card.
    assert isinstance(dealing.count_stub(now(early), c.CountStub(count=38)), list)
    done = at(STUD, "dealt")
    no(dealing.go_ahead(now(done), c.GoAhead()), "BASE-time", "the players were told already")
    no(dealing.stub_to_rack(now(done), c.RackStub()), "BASE-deck", "the stub is in the rack already")
    for moment in ("closed", "done"):
        counters: list[Callable[..., Done]] = [dealing.stub_to_rack, dealing.count_stub]
        for act in counters:
            none = act(now(at(STUD, moment)), c.RackStub())
            no(none, "BASE-time", "nothing has been dealt")
        no(dealing.go_ahead(now(at(STUD, moment)), c.GoAhead()), "BASE-time", "the deal is not finished")
