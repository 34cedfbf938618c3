"""Commands for a walk: what comes next, what somebody might do, what nobody should, and lies."""

import random
from collections.abc import Sequence
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Actor, Circumstance, Mishap, Remedy
from aceking.table import commands as c
from aceking.table.acts import ACTS
from aceking.table.cards.deal_order import hand_size, next_due
from aceking.table.cards.decks import cuts
from aceking.table.cards.place import DEALER, Place, place_from
from aceking.table.dealer.next_act import CUT, due
from aceking.table.mishaps.answers import answers
from aceking.table.mishaps.circumstances import OF_THE_CARDS
from aceking.table.moment import Moment
from aceking.table.show.offers import Offer, player_offers
from aceking.table.state import Box, Question, Round, TableState
from tests.table.walk import PLAYERS, Walk

ACTORS: tuple[Actor, ...] = get_args(Actor)
MISHAPS: tuple[Mishap, ...] = get_args(Mishap)
FACTS: tuple[Circumstance, ...] = get_args(Circumstance)
REMEDIES: tuple[Remedy, ...] = get_args(Remedy)
ANTES = (500, 1000, 1000, 2000, 10_000)
AMOUNTS = (-1000, -1, 0, 1, 100, 500, 1000, 1500, 2000, 4000, 10_000, 10**9)
PEOPLE = ("", "dealer", "Dee", "Flo", "Sue", "Ann", "Bob", "tray")


def some_command(walk: Walk, chance: random.Random) -> c.TableCommand:
    """Mostly what comes next; now and then a mishap, a lie, an act at the wrong time, or by the wrong person."""
    roll = chance.random()
    if roll < 0.10:
        return anything(walk.book, walk.table, chance)
    if roll < 0.16:
        return mishap(walk.book, walk.table, chance)
    if roll < 0.17 and walk.commands:
        return again(walk, chance)
    if roll < 0.18:
        return answer(walk, chance, right=False)
    if roll < 0.19:
        return another_option(walk.book, chance)
    if roll < 0.29 and walk.table.live_round is not None:
        return by_a_player(walk, chance)
    return next_step(walk, chance)


def next_step(walk: Walk, chance: random.Random) -> c.TableCommand:
    """What a table that is well run does now."""
    book, table = walk.book, walk.table
    if table.holding is not None or (table.questions and chance.random() < 0.3):
        return answer(walk, chance, right=True)
    current = table.live_round
    if current is not None and current.phase == "betting" and (not current.dealt_in or chance.random() < 0.6):
        return a_stake(book, current, chance)
    act = due(book, table)
    return by_a_player(walk, chance) if act is None else with_cards(walk, act, chance)


def with_cards(walk: Walk, act: c.Act | c.Report, chance: random.Random) -> c.TableCommand:
    """An act of the house with what a generator, or a dealer at a live table, adds to it."""
    book, current = walk.book, walk.table.live_round
    if isinstance(act, c.Shuffle) and walk.table.mode == "electronic" and act.deck is not None:
        order = a_deck(chance)
        lies = (*order[-CUT:], *order[:-CUT]) if cuts(book) else order
        walk.shoe = walk.shoe.with_order(act.deck, lies)
        return replace(act, sealed=True)
    if isinstance(act, c.CountChips | c.StartGame | c.CloseBets) and book.progressive is not None:
        return replace(act, meter=chance.choice((None, 5_000_000, 12_345_678)))
    if current is None or current.sealed:
        return act
    free = [card for card in range(52) if card not in current.sequence]
    if isinstance(act, c.DealPacket):
        place = next_due(book, current)
        size = hand_size(book, place.to if place is not None else DEALER)
        return replace(act, cards=tuple(chance.sample(free, size)))
    if isinstance(act, c.Report) and act.mishap == "dealer-miscount":
        # The card that completes the hand comes off a deck of unknown order: the person who reports it holds it.
        return replace(act, cards=(chance.choice(free),))
    return replace(act, card=chance.choice(free)) if isinstance(act, c.Burn | c.DealCard | c.DrawDealerCard) else act


def a_deck(chance: random.Random) -> tuple[int, ...]:
    """A deck in any order; now and then one that deals a flush or better to some place."""
    order = chance.sample(range(52), 52)
    if chance.random() < 0.3:
        suit, low, among = chance.randrange(4), chance.choice((8, 8, 3, 0)), chance.randint(1, 5)
        start = chance.randrange(among)
        for place, rank in zip(range(start, 52, among), range(low, low + 5), strict=False):
            other = order.index(4 * rank + suit)
            order[place], order[other] = order[other], order[place]
    return tuple(order)


def a_stake(book: Book, current: Round, chance: random.Random) -> c.Act:
    """An ante, or a side bet beside one."""
    if book.sides and current.dealt_in and chance.random() < 0.5:
        return a_named_stake(book, chance.choice(current.dealt_in), chance)
    with_ante = [box for box in current.dealt_in if not box.side]
    rules = book.progressive or book.bonus
    if with_ante and rules is not None and chance.random() < 0.4:
        box = chance.choice(with_ante)
        lit = chance.random() < 0.75
        return c.SideBet(box=box.number, player=box.player, amount=rules.stake, lit=lit)
    number = chance.randint(1, book.table.seats_max)
    noticed = chance.random() >= 0.05
    return c.Ante(box=number, player=chance.choice(PLAYERS), amount=chance.choice(ANTES), noticed=noticed)


def a_named_stake(book: Book, box: Box, chance: random.Random) -> c.Act:
    """A side wager by name: mostly one that is taken, now and then too much, too little, back, or of no such name."""
    name, side = chance.choice(list(book.sides.items()))
    least, most = (side.stake, side.stake) if side.stake is not None else (side.min, side.max)
    assert least is not None
    assert most is not None
    amount = chance.choice((least, least, most, most + 1, least - 1, -least))
    wager = name if chance.random() < 0.95 else "nothing"
    return c.SideBet(box=box.number, player=box.player, amount=amount, wager=wager, noticed=chance.random() < 0.9)


def by_a_player(walk: Walk, chance: random.Random) -> c.TableCommand:
    """What a player is offered, or does unasked."""
    book, table = walk.book, walk.table
    current = table.live_round
    if current is not None and chance.random() < 0.6:
        player = chance.choice(PLAYERS)
        offers = [one for one in player_offers(book, table, player) if one.do != "ante"]
        if offers:
            return taken(walk, chance.choice(offers), player, chance)
    boxes = [] if current is None else [box for box in current.dealt_in if box.owes_decision]
    if current is None or not boxes:
        return c.Claim(box=chance.randint(1, book.table.seats_max))
    return _unasked(current, boxes[0] if chance.random() < 0.8 else chance.choice(boxes), book, chance)


def _unasked(current: Round, box: Box, book: Book, chance: random.Random) -> c.Act:
    number, player = box.number, box.player
    if not box.seen and chance.random() < 0.8:
        return c.Look(box=number, player=player)
    discard = _aside(book, box.cards, chance)
    if chance.random() < 0.2 and discard is not None:
        return c.Discard(box=number, card=c.laid_aside(discard)[0])
    if chance.random() < 0.05:
        return c.Bet(box=number, amount=chance.choice(AMOUNTS), noticed=False, discard=discard)
    acts: dict[str, c.Act] = {
        **{one: command(box=number, player=player) for one, command in c.DECISION_ACTS.items()},
        "bet": c.Bet(box=number, player=player, discard=discard),
        "stay": c.Stay(box=number, player=player, discard=discard),
    }
    return acts[chance.choice([one for one in book.decide.choices if one in acts])]


def _aside(book: Book, held: Sequence[int], chance: random.Random) -> c.Aside:
    """Cards to lay aside: often all that the book wants, sometimes fewer."""
    due = book.hands.discards
    if not due or not held:
        return None
    if due == 1:
        return chance.choice(held)
    return c.as_aside(chance.sample(held, min(len(held), chance.choice((1, due, due, due)))))


def taken(walk: Walk, offer: Offer, player: str, chance: random.Random) -> c.TableCommand:
    """The command that an offer stands for."""
    from aceking.cards.card import card

    chosen = card(chance.choice(offer.cards)) if offer.cards else None
    two = walk.book.hands.discards > 1
    aside = _aside(walk.book, [card(one) for one in offer.cards], chance) if two else chosen
    amount = None if offer.amount is None else _minor(walk.book, offer.amount)
    number = offer.box or 0
    match offer.do:
        case "choose":
            assert offer.question is not None
            assert offer.go_on is not None
            return c.Choose(question=offer.question, box=number, go_on=offer.go_on, by=player)
        case "ante":
            least = _minor(walk.book, offer.least) if offer.least is not None else amount
            return c.Ante(box=number, player=player, amount=least)
        case "side-bet":
            stake = _minor(walk.book, offer.least) if offer.least is not None else amount
            return c.SideBet(box=number, player=player, amount=stake, wager=offer.wager)
        case "look":
            return c.Look(box=number, player=player)
        case "exchange":
            current = walk.table.live_round
            assert current is not None
            assert chosen is not None
            free = [one for one in range(52) if one not in current.sequence]
            if offer.count is not None:
                give = tuple(card(one) for one in chance.sample(offer.cards, offer.count))
                come = None if current.sealed else tuple(chance.sample(free, offer.count))
                return c.Exchange(box=number, player=player, give=give, take=come, amount=amount)
            take = None if current.sealed else chance.choice(free)
            return c.Exchange(box=number, player=player, give=(chosen,), take=take, amount=amount)
        case "buy-dealer-card":
            assert offer.go_on is not None
            return c.BuyDealerCard(box=number, player=player, buys=offer.go_on, amount=amount)
        case "discard":
            assert chosen is not None
            return c.Discard(box=number, player=player, card=chosen)
        case "bet":
            return c.Bet(box=number, player=player, amount=amount, discard=aside)
        case "stay":
            return c.Stay(box=number, player=player, discard=aside)
        case "claim":
            return c.Claim(box=number, player=player)
        case _:
            return c.DECISION_ACTS[offer.do](box=number, player=player)


def _minor(book: Book, text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    whole, _, rest = text.removeprefix("-").partition(".")
    minor: int = int(whole) * 10**book.decimals + int(rest.ljust(book.decimals, "0") or 0)
    return sign * minor


def anything(book: Book, table: TableState, chance: random.Random) -> c.TableCommand:
    """Any act by anybody with anything that its type lets in."""
    command = chance.choice([entry.command for entry in ACTS.values()])
    option = chance.choice(list(book.options.values()))
    values: dict[str, Any] = {
        "by": chance.choice(PEOPLE),
        "role": chance.choice((None, *ACTORS)),
        "at": chance.choice((None, None, 0, table.clock, table.clock + 60_000, table.clock + 40_000_000)),
        "box": chance.choice((1, 2, 3, 5, 7, 99)),
        "player": chance.choice((None, *PLAYERS, "tray", "layout")),
        "amount": chance.choice(AMOUNTS),
        "meter": chance.choice((None, 0, 5_000_000)),
        "card": chance.randrange(52),
        "cards": tuple(chance.sample(range(52), chance.choice((1, 2, 3, 5)))),
        "give": (chance.randrange(52),),
        "take": chance.choice((None, 3, 51)),
        "discard": chance.choice((None, 3, 51 if book.hands.discards < 2 else (3, 51))),
        "count": chance.choice((0, 1, 5, 9, 10, 26, 42, 51, 52, 53)),
        "deck": chance.choice(("first", "second")),
        "to": chance.choice((None, DEALER, place_from("community"), place_from("box 1"), place_from("box 2"))),
        "face": chance.choice(("up", "down")),
        "option": option.name,
        "value": str(chance.choice((*option.values, "none", "5"))),
        "device": chance.choice(("shuffler", "automated shoe", "jackpot", "toaster")),
        "of": "model",
        "model": "M-1",
        "standing": chance.random() < 0.3,
        "noticed": chance.random() < 0.5,
        "kept": chance.random() < 0.5,
        "left": chance.random() < 0.5,
        "reason": chance.choice(("", "a reason")),
        "hand": None if "hand" not in command.__struct_fields__ or command is not c.SelectWinner else "royal_flush",
    }
    if command is c.SwipeCard:
        values["card"] = chance.choice(("supervisor", "executive"))
    wanted = [one for one in msgspec.structs.fields(command) if one.name in values]
    given = {one.name: values[one.name] for one in wanted if one.required or chance.random() < 0.5}
    return command(**given)


def another_option(book: Book, chance: random.Random) -> c.Act:
    """The house gives notice of a change, or makes it."""
    option = chance.choice(list(book.options.values()))
    if chance.random() < 0.4:
        return c.GiveNotice(option=option.name)
    if option.kind in ("pays", "awards"):
        rows = {chance.choice(("flush", "full_house", "no_such_row")): chance.choice(("1", "8 to 1", "75", "10%"))}
        return c.ChangeOption(role="house", option=option.name, value={**rows})
    value = chance.choice(option.values) if option.values else chance.choice(("none", "1", "50000"))
    return c.ChangeOption(role="house", option=option.name, value=str(value))


def mishap(book: Book, table: TableState, chance: random.Random) -> c.Report:
    """Any mishap with any facts, true or not, by anybody."""
    current = table.round
    out = current.sequence if current is not None else ()
    boxes = [box.number for box in current.dealt_in] if current is not None else []
    return c.Report(
        mishap=chance.choice(MISHAPS),
        boxes=tuple(chance.sample(boxes, min(len(boxes), chance.randrange(3)))) or chance.choice(((), (), (1,), (99,))),
        cards=tuple(chance.sample(out, min(len(out), chance.randrange(3)))) or chance.choice(((), (), (5,), (7, 7))),
        facts=tuple(chance.sample(FACTS, chance.choice((0, 0, 0, 1, 3)))),
        role=chance.choice((None, *ACTORS)),
        by=chance.choice(PEOPLE),
    )


def again(walk: Walk, chance: random.Random) -> c.TableCommand:
    """What somebody said or did a moment ago, once more."""
    return chance.choice(walk.commands[-6:])


def answer(walk: Walk, chance: random.Random, *, right: bool) -> c.TableCommand:
    """A person answers an open question, rightly or not."""
    table = walk.table
    question = chance.choice(table.questions) if table.questions else None
    if question is not None and table.holding is not None and chance.random() < 0.8:
        question = table.holding
    if question is not None and right:
        return _right_answer(walk, question, chance)
    number = question.number if question is not None and chance.random() < 0.5 else chance.randrange(4)
    if chance.random() < 0.3:
        return c.Choose(question=number, box=chance.choice((1, 2, 99)), go_on=chance.random() < 0.5)
    return c.GiveRuling(
        question=number,
        then=chance.choice(REMEDIES),
        facts=tuple(chance.sample(FACTS, chance.choice((0, 0, 1)))),
        cards=chance.choice(((), (), (3,), (51, 51))),
        reason="as the camera shows" if chance.random() < 0.7 else " ",
        role=chance.choice((None, *ACTORS)),
    )


def _right_answer(walk: Walk, question: Question, chance: random.Random) -> c.TableCommand:
    """An answer that is offered."""
    table = walk.table
    if question.of == "players":
        return c.Choose(question=question.number, box=chance.choice(question.boxes), go_on=chance.random() < 0.5)
    then = chance.choice(offered(walk, question))
    corrects = _correction(table, question, chance) if then == "correct-record" else ()
    cards = named_cards(walk, question, chance)
    meter = 5_000_000 if question.what.startswith("meter:") else None
    return c.GiveRuling(
        question=question.number, then=then, cards=cards, corrects=corrects, meter=meter, reason="as the camera shows"
    )


def offered(walk: Walk, question: Question) -> tuple[Remedy, ...]:
    """The answers that the engine offers; there is always one."""
    found = answers(Moment(walk.book, walk.table, walk.shoe, walk.table.clock, "", "house"), question)
    assert found, f"a question without an answer: {question}"
    return found


def named_cards(walk: Walk, question: Question, chance: random.Random) -> tuple[int, ...]:
    """The cards that an answer may have to name: those reported, or the next of the deck."""
    current = walk.table.live_round
    if current is None:
        return ()
    if question.mishap == "simultaneous-cards":
        ahead = walk.shoe.ahead(current) or tuple(one for one in range(52) if one not in current.sequence)
        return ahead[:2]
    if current.sealed:
        return ()
    free = [card for card in range(52) if card not in current.sequence]
    return tuple(chance.sample(free, 1))


def _correction(table: TableState, question: Question, chance: random.Random) -> tuple[c.Correction, ...]:
    """What the record might say instead: a card less in a hand, a look, a light."""
    current = table.round
    boxes = [number for number in question.boxes if current is not None and number in current.boxes]
    if question.mishap not in OF_THE_CARDS and question.mishap not in ("unlit-chip", "second-look", "early-pick-up"):
        return (c.LookWas(chance.choice(list(current.boxes)) if current is not None and current.boxes else 1, True),)
    if current is None or not boxes:
        place = Place("dealer") if question.mishap == "dealer-miscount" else Place("community")
        held = current.held(place) if current is not None else ()
        return (c.HandWas(place, held[:-1]),)
    number = chance.choice(boxes)
    match question.mishap:
        case "unlit-chip":
            return (c.LightWas(number, False),)
        case "second-look" | "early-pick-up":
            return (c.LookWas(number, True),)
        case _:
            return (c.HandWas(Place("box", number), current.boxes[number].cards[:-1]),)


def brought_to_its_end(walk: Walk, chance: random.Random, most: int = 400) -> int:
    """Due acts, offered answers and decisions until the round is over: how many it took. There is always one."""
    for step in range(most):
        if walk.table.live_round is None:
            return step
        command = _onward(walk, chance)
        result = walk.take(command)
        assert not isinstance(result, Refusal), f"what was due or offered was refused: {command}: {result}"
    raise AssertionError(f"a round that does not end: {walk.table.round}")


def _onward(walk: Walk, chance: random.Random) -> c.TableCommand:
    book, table = walk.book, walk.table
    current = table.live_round
    assert current is not None
    if table.holding is not None:
        return _answer_offered(walk, table.holding, chance)
    if current.phase == "betting" and not current.dealt_in and table.suspended is None:
        return _first_ante(walk)
    act = due(book, table)
    if act is not None:
        return with_cards(walk, act, chance)
    for box in current.dealt_in:
        offers = [one for one in player_offers(book, table, box.player) if one.do in _DECIDES]
        offers.sort(key=lambda one: _DECIDES.index(one.do))
        if offers:
            return taken(walk, offers[0], box.player, chance)
    raise AssertionError(f"a dead end: {current.phase}, {current.boxes}, {table.questions}")


_DECIDES = ("fold", "stay", "bet", "declare", "discard", "look", "buy-dealer-card")


def _answer_offered(walk: Walk, question: Question, chance: random.Random) -> c.TableCommand:
    if question.of == "players":
        current = walk.table.live_round
        assert current is not None
        number = question.boxes[0]
        player = current.boxes[number].player
        offers = [one for one in player_offers(walk.book, walk.table, player) if one.do == "choose"]
        assert offers, f"a choice that nobody is offered: {question}"
        return taken(walk, chance.choice(offers), player, chance)
    then = chance.choice(offered(walk, question))
    cards = (
        named_cards(walk, question, chance) if then in ("offer-choice-to-all", "offer-choice", "complete-hand") else ()
    )
    meter = 5_000_000 if question.what.startswith("meter:") else None
    return c.GiveRuling(question=question.number, then=then, cards=cards, meter=meter, reason="as the book has it")


def _first_ante(walk: Walk) -> c.TableCommand:
    offers = [one for one in player_offers(walk.book, walk.table, PLAYERS[0]) if one.do == "ante"]
    assert offers, "a round in which nobody can bet"
    return taken(walk, offers[0], PLAYERS[0], random.Random(0))
