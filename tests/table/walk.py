"""A walk over one table: any command by anybody, and what must hold after every one of them."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Union

import msgspec

from aceking.cards.card import CardId, name
from aceking.money.chips import shown as chips
from aceking.rules.book import Book
from aceking.rules.decisions import Choice
from aceking.rules.odds import Amount, award
from aceking.rules.options import OptionError
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import AnteLimits, Scenario, Seat, Swap, discards
from aceking.settlement.settle import settle
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.acts import ACTS
from aceking.table.base_procedure import RULES
from aceking.table.cards.place import BOXED, Pile
from aceking.table.cards.shoe import NO_SHOE, Shoe
from aceking.table.dealer.driver import new_table
from aceking.table.dealer.lap import rest_of_lap
from aceking.table.decide import decide
from aceking.table.evolve import evolve
from aceking.table.gate import completed, gate
from aceking.table.options import in_force
from aceking.table.procedure.orders import check, is_clear
from aceking.table.replay import events_from_json_lines, events_to_json_lines, replay
from aceking.table.show.explain import explain
from aceking.table.show.view import Viewer, view
from aceking.table.state import LAYOUT, METER, TRAY, Box, Round, TableState, balance
from tests.table.lies import check_lie
from tests.table.rebuilt import reconstruct
from tests.table.saved import dump, load

#: Every command there is, for a reader.
ANY_COMMAND: Any = Union[tuple([entry.command for entry in ACTS.values()] + [c.Report, c.GiveRuling, c.Choose])]  # noqa: UP007
PLAYERS = ("Ann", "Bob", "Cyd", "Dov")
#: Everybody who may turn up as a player: where the house has assigned nobody, anybody may.
PEOPLE = (*PLAYERS, "dealer", "Dee", "Flo", "Sue")
#: What a house posts where its book leaves the awards to a sign.
SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}


_READ: msgspec.json.Decoder[c.TableCommand] = msgspec.json.Decoder(ANY_COMMAND)


class Walk:
    """One table on its way, with a shadow that follows the written record."""

    def __init__(self, book: Book, table: TableState) -> None:
        self.text = book
        self.start = table
        self.table = table
        self.shadow = table
        self.events: list[ev.TableEvent] = []
        self.commands: list[c.TableCommand] = []
        self.shoe: Shoe = NO_SHOE
        self.before_round: dict[str, int] = {}
        self.kept: Counter[str] = Counter()
        self.rounds = Counter[str]()
        self.taken = 0  # of what a cheat has tried
        self.laps = 0  # cards after which others of the same lap came
        self.sight = Sight()

    @property
    def book(self) -> Book:
        """The book under the options that the table has now."""
        return in_force(self.text, self.table)

    def take(self, command: c.TableCommand) -> tuple[ev.TableEvent, ...] | Refusal:
        """One command, and everything that must hold after it."""
        self.commands.append(command)
        assert _READ.decode(msgspec.json.encode(command)) == command, "a command is not the same after the wire"
        before, saved = self.table, dump(self.table)
        if isinstance(command, c.Act):
            check_clear(self.book, before, command)
        result = decide(self.text, before, command, self.shoe)
        assert dump(before) == saved, "deciding changed the state"
        if isinstance(result, Refusal):
            self._check_refusal(result)
            return result
        read = events_from_json_lines(events_to_json_lines(result))
        assert read == result, "an event is not the same after writing and reading"
        for written, event in zip(read, result, strict=True):
            self._remember(event)
            self.sight.saw(event)
            self.table = evolve(self.table, event)
            self.shoe = self.shoe.after(event)
            self.shadow = evolve(self.shadow, written)
        assert dump(before) == saved, "an event changed the state before it"
        self.events += result
        self._check_events(in_force(self.text, before), command, result)
        if isinstance(command, c.DealCard):
            self.laps += bool(check_lap(self.text, self.table, self.shoe, command, result))
        check_lie(in_force(self.text, before), before, command, self.table)
        self.check()
        current = self.table.round
        if current is not None and any(isinstance(event, ev.RoundEnded | ev.RoundVoided) for event in result):
            self._check_result(current)
            self._check_story(current)
        return result

    def _remember(self, event: ev.TableEvent) -> None:
        """What later checks compare with: the accounts before a round, and what the book lets the house keep."""
        if isinstance(event, ev.RoundOpened):
            self.before_round = dict(self.table.accounts)
            self.kept = Counter()
        if isinstance(event, ev.Kept):
            assert self.table.round is not None
            self.kept[self.table.round.boxes[event.box].player] += event.amount
        if isinstance(event, ev.RoundVoided):
            self.rounds["void"] += 1
        elif isinstance(event, ev.RoundEnded):
            self.rounds["ended"] += 1

    # What must hold

    def check(self) -> None:
        """Chips, cards and the record, after any command."""
        self._check_chips()
        current = self.table.round
        if current is not None:
            check_cards(self.book, current)

    def check_view(self, viewer: Viewer) -> None:
        """No card in a view that must not show it."""
        shown = view(self.text, self.table, viewer)
        named = set(_NAMED.findall(msgspec.json.encode(shown).decode()))
        allowed = {name(CardId(card)) for card in self.sight.allowed(self.table, viewer)}
        assert named <= allowed, f"{viewer} sees {named - allowed}"
        current = self.table.round
        if current is not None and viewer.eye == "player":
            mine = {box.number for box in current.boxes.values() if box.player == viewer.player and box.seen}
            assert {box.box for box in shown.own.boxes} == mine, "a player sees his own cards, and those only"

    def check_record(self) -> None:
        """The written record gives the same table, and a saved table is the same when it is loaded."""
        now = dump(self.table)
        assert dump(self.shadow) == now, "the written events give another state"
        assert dump(load(now)) == now, "a saved table is not the same when loaded"
        # A process that takes over a saved table must decide alike.
        self.shadow = load(now)

    def check_replay(self) -> None:
        """All events from the first give the table as it stands."""
        assert dump(replay(self.text, self.start, self.events)) == dump(self.table), "replay is not equal to live"

    def _check_refusal(self, refusal: Refusal) -> None:
        assert refusal.reason, "a refusal without a reason"
        assert is_rule(self.book, refusal.clause), f"no clause {refusal.clause!r}: {refusal.reason}"

    def _check_events(self, book: Book, command: c.TableCommand, events: tuple[ev.TableEvent, ...]) -> None:
        """Every event stands by a clause or a base rule, unless it is base procedure that no clause mentions."""
        for event in events:
            assert event.clause is None or is_rule(book, event.clause), f"no clause {event.clause}: {event}"
            if isinstance(event, ev.Moved | ev.Returned | ev.Violated | ev.Ruled | ev.Forfeited | ev.RoundSettled):
                assert event.clause, f"money or a ruling without a clause: {event} of {command}"

    def _check_chips(self) -> None:
        accounts = self.table.accounts
        assert balance(accounts) == 0, f"chips were made or lost: {accounts}"
        strangers = set(accounts) - {LAYOUT, TRAY, METER, *PEOPLE}
        assert not strangers, f"accounts of nobody: {strangers}"
        current = self.table.round
        stakes = [] if current is None else [stakes_lying(current, box) for box in current.boxes.values()]
        assert all(stake >= 0 for stake in stakes), f"more left a box than lay on it: {stakes}"
        over = current is None or current.phase in ("done", "void")
        lying = 0 if over else sum(stakes)
        assert accounts.get(LAYOUT, 0) == lying, f"{accounts.get(LAYOUT, 0)} on the layout, and the stakes are {lying}"

    def _check_story(self, current: Round) -> None:
        """A finished round can be told, and the story knows the money."""
        opened = max(place for place, event in enumerate(self.events) if isinstance(event, ev.RoundOpened))
        story = explain(self.text, self.events[opened:])
        ends = [sentence for sentence in story if sentence.startswith("The round is over. Net: ")]
        assert ends, "a story without an end"
        for box in current.boxes.values():
            gained = self.table.accounts.get(box.player, 0) - self.before_round.get(box.player, 0)
            amount = ("+" if gained > 0 else "") + chips(gained, decimals=self.book.decimals)
            told = f"{box.player} {amount}" in ends[-1] or not box.player or current.phase == "void"
            assert told, f"{box.player} has {amount}, and the story ends: {ends[-1]}"

    def _check_result(self, current: Round) -> None:
        """Void leaves everybody as before, and a finished round pays what settlement says, hand by hand."""
        gained = {name: self.table.accounts.get(name, 0) - self.before_round.get(name, 0) for name in PEOPLE}
        expected = Counter({name: -self.kept[name] for name in PEOPLE})
        for box in current.boxes.values():
            if box.forfeited:
                expected[box.player] -= box.ante + box.bet + box.fee + box.paid + box.beside
        open_only = self.book.void.scope == "open-hands-only"
        if current.phase == "void":
            # Where only open hands are void, those that folded or were declared keep their result.
            done = {box.player for box in current.boxes.values() if open_only and box.choice in ("fold", "declare")}
            wrong = {name for name in PEOPLE if gained[name] != expected[name]} - done
            assert not wrong, f"a void round changed {wrong}: {gained}, and not {dict(expected)}"
        elif current.phase == "done" and not current.waived:
            for seat, net in settled_nets(self.book, self.table, current).items():
                expected[current.boxes[seat].player] += net
            wrong = {name for name in PEOPLE if gained[name] != expected[name]}
            assert not wrong, f"{gained}, and settlement says {dict(expected)}"
            check_rack(self.book, current)


def check_clear(book: Book, table: TableState, act: c.Act) -> None:
    """Who asks whether anything stands against an act hears the same as who asks what."""
    passed = gate(book, table, act)
    full = passed if isinstance(passed, Refusal) else completed(book, table, act, passed)
    if isinstance(passed, Refusal) or isinstance(full, Refusal):
        return
    checked = check(book, table, full, passed.role, passed.at)
    against = isinstance(checked, Refusal) or bool(checked[1])
    assert is_clear(book, table, full, passed.role, passed.at) is not against, (full, checked)


def check_lap(
    book: Book, table: TableState, shoe: Shoe, command: c.DealCard, first: Sequence[ev.TableEvent]
) -> list[ev.TableEvent]:
    """What a program deals after a card, to the end of the lap: the same as comes of the act again and again."""
    at_once = rest_of_lap(in_force(book, table), table, shoe, first)
    one_by_one: list[ev.TableEvent] = []
    while len(one_by_one) < len(at_once):
        events = decide(book, table, msgspec.structs.replace(command, to=None, card=None), shoe)
        assert not isinstance(events, Refusal), events
        one_by_one += events
        for event in events:
            table = evolve(table, event)
    assert one_by_one == at_once, "a lap that is dealt at once is another than one card by card"
    return at_once


def is_rule(book: Book, clause: str) -> bool:
    """Whether a citation names a clause of the book, or a rule of the base procedure."""
    return clause in book.clauses or clause.removeprefix("BASE-") in RULES


_NAMED = re.compile(r'"([2-9TJQKA][cdhs])"')
VIEWERS = (
    *(Viewer("player", player) for player in (*PLAYERS, "a stranger")),
    *(Viewer(eye) for eye in ("dealer", "pit", "rail", "surveillance")),
)


class Sight:
    """Who has seen what in a round, from the events alone."""

    def __init__(self) -> None:
        self.face_up: set[int] = set()
        self.looked: set[int] = set()
        self.turned: set[int] = set()
        self.revealed = False

    def saw(self, event: ev.TableEvent) -> None:
        """What an event lets people see."""
        match event:
            case ev.RoundOpened():
                self.__init__()  # type: ignore[misc]
            case ev.Dealt():
                if event.face == "up" or event.to == BOXED:
                    self.face_up.add(event.card)
            case ev.UpCard():
                self.face_up.add(event.card)
            case ev.Rearranged():
                self.face_up |= set(dict(event.hands).get(BOXED, ()))
            case ev.Looked():
                self.looked.add(event.box)
            case ev.Corrected(now=c.LookWas(box=number, seen=seen)):
                (self.looked.add if seen else self.looked.discard)(number)
            case ev.Decided(choice="declare"):
                self.turned.add(event.box)
            case ev.Acted(act="reveal"):
                self.revealed = True
            case ev.Acted(act="turn-hand") if event.box is not None:
                self.turned.add(event.box)

    def allowed(self, table: TableState, viewer: Viewer) -> set[int]:
        """The cards that a viewer may have seen by now."""
        current = table.round
        if current is None:
            return set()
        if viewer.eye == "surveillance":
            return {*cards_out(current), *(card for _, cards in current.rack for card in cards)}
        seen = set(self.face_up)
        if self.revealed:
            seen |= {*current.dealer, *current.community, *_bought(current)}
        for box in current.boxes.values():
            if box.number in self.turned and (self.revealed or box.choice == "declare"):
                seen |= {*box.kept}
            if viewer.eye == "player" and box.player == viewer.player and box.number in self.looked:
                seen |= {*box.cards, *box.gave}
        return seen


def stakes_lying(current: Round, box: Box) -> int:
    """The chips of a box that should lie on the layout."""
    if box.forfeited:
        return 0
    stakes = box.ante + box.bet + box.fee + box.paid + sum(one.stake for one in box.sides.values() if not one.trayed)
    for number in current.moved:
        line = current.lines[number]
        if line.seat == box.number and not (line.wager == "side" and box.trayed):
            stakes -= line.stake
    return stakes


def cards_out(current: Round) -> list[int]:
    """Every card that has left the deck, wherever it lies now."""
    out = [*current.dealer, *current.community, *current.burn, *current.boxed, *current.aside]
    for box in current.boxes.values():
        out += [*box.cards, *box.gave]
    return [*out, *_bought(current)]


def check_cards(book: Book, current: Round) -> None:
    """Every card is in one place, and where the order is known all 52 are somewhere."""
    out = cards_out(current)
    twice = [card for card, count in Counter(out).items() if count > 1]
    assert not twice, f"cards in two places: {twice}"
    assert all(0 <= card < book.deck.size for card in out)
    assert set(out) <= set(current.sequence), "a card came by another door"
    assert len(set(current.sequence)) == len(current.sequence), "a card left the deck twice"
    racked = [card for what, cards in current.rack for card in cards]
    assert len(set(racked)) == len(racked), "a card lies twice in the rack"
    assert set(racked) <= set(current.sequence), "the rack holds what never left the deck"


def check_rack(book: Book, current: Round) -> None:
    """Every hand of the round can be rebuilt from the rack."""
    hands = reconstruct(current.rack)
    for box in current.boxes.values():
        if box.cards:
            assert hands[Pile("hand", box.number)].dealt == set(_as_dealt(box)), f"box {box.number} cannot be rebuilt"
            assert hands[Pile("hand", box.number)].discard == box.discard
    if current.dealer:
        assert hands[Pile("dealer")].cards == current.dealer
    if current.community:
        assert hands[Pile("community")].cards == current.community


def settled_nets(book: Book, table: TableState, current: Round) -> dict[int, int]:
    """What settlement gives each seat of a finished round, from what lay on the table."""
    boxes = [box for box in current.boxes.values() if box.ante and not box.void and not box.forfeited]
    alone = [box for box in current.boxes.values() if not box.ante and box.side and not box.void and not box.forfeited]
    if not boxes and not alone:
        return {}
    seats = tuple(_seat(book, box) for box in (*boxes, *alone))
    limits = None
    if table.ante_min is not None or table.ante_max is not None:
        limits = AnteLimits(
            None if table.ante_min is None else Amount(table.ante_min),
            None if table.ante_max is None else Amount(table.ante_max),
        )
    scenario = Scenario(
        seats=seats,
        dealer=_cards(current.dealer) if any(seat.play != "fold" or seat.sides for seat in seats) else (),
        up=None if current.up is None else CardId(current.up),
        community=_cards(current.community),
        meter=None if current.meter is None else Amount(current.meter),
        reset=None if table.reset is None else Amount(table.reset),
        limits=limits,
        awards={row: award(text, decimals=book.decimals) for row, text in table.awards.items()},
        bought=CardId(current.bought) if current.bought is not None and any(seat.buys for seat in seats) else None,
    )
    result = settle(book, scenario)
    assert isinstance(result, Settlement), f"a finished round cannot be settled: {result}"
    nets = {one.seat: one.net for one in result.seats}
    for box in boxes:
        if box.unawarded and box.lit:
            nets[box.number] -= box.side
    return nets


def _bought(current: Round) -> set[int]:
    return set() if current.bought is None else {current.bought}


def _as_dealt(box: Box) -> tuple[int, ...]:
    came_for = dict(zip(box.took, box.gave, strict=True))
    return tuple(came_for.get(card, card) for card in box.cards)


def _seat(book: Book, box: Box) -> Seat:
    play: Choice = box.choice or "fold"
    dealt = _as_dealt(box)
    if play == "fold" and len(dealt) != book.hands.cards:
        dealt = ()
    return Seat(
        number=box.number,
        cards=_cards(dealt),
        ante=Amount(box.ante),
        play=play,
        bet=Amount(box.bet) if box.bet else None,
        side=Amount(box.side if box.lit and not box.unawarded else 0),
        claims=box.claimed
        or (box.turned and book.progressive is not None and book.progressive.claim == "player-notifies"),
        swap=None if box.give is None else Swap(_cards(box.gave), _cards(box.took)),
        discard=discards([CardId(one) for one in box.aside]),
        player=box.player if book.sides and box.ante else None,
        buys=bool(box.buys),
        sides=tuple((name, Amount(one.stake)) for name, one in box.named.items()),
    )


def _cards(numbers: tuple[int, ...]) -> tuple[CardId, ...]:
    return tuple(CardId(one) for one in numbers)


def new_walk(book_id: str, chance: random.Random) -> Walk:
    """A table of that book under some choices of the house, with some limits, people and awards."""
    book = _some_options(load_book(book_id), chance)
    parts: dict[str, Any] = {"awards": SIGN if book.progressive is not None else {}}
    if book.progressive is not None and book.progressive.awards_are not in ("posted", "separate"):
        parts["awards"] = {}
    if chance.random() < 0.5:
        parts["reset"] = 1_000_000
    if chance.random() < 0.3:
        parts |= {"ante_min": 500, "ante_max": 10_000}
    if chance.random() < 0.2:
        parts["people"] = {"dealer": ("Dee",), "floorperson": ("Flo",), "supervisor": ("Sue",)}
    table = new_table(book, mode="electronic" if chance.random() < 0.7 else "live", **parts)
    return Walk(book, table)


def _some_options(book: Book, chance: random.Random) -> Book:
    for _ in range(chance.randrange(3)):
        option = chance.choice([one for one in book.options.values() if one.kind == "choice"])
        try:
            changed = with_options(book, {option.name: chance.choice(option.values)})
        except OptionError:
            continue
        if isinstance(changed, Book):
            book = changed
    return book
