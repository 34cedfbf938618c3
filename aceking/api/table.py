"""A table to play at from Python. The dealer acts by itself; each act of a player is a method."""

import random
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any

import msgspec

from aceking.api.arguments import book_of, check_mapping, minor_units
from aceking.api.cards import Card, Hand
from aceking.api.settled import with_sign
from aceking.api.showing import table_html, table_text
from aceking.cards.card import CardError, card, cards
from aceking.cards.card import CardId as Number
from aceking.cards.deck import DECK, one_deck
from aceking.cards.hand import CATEGORY_BY_KEY
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import Refusal
from aceking.rules.words import Remedy
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.dealer.next_act import due
from aceking.table.decide import decide
from aceking.table.replay import RecordError, events_from_json_lines, events_to_json_lines, replay
from aceking.table.show.explain import explain
from aceking.table.show.offers import Offer, player_offers, question_offers
from aceking.table.show.view import LineView, View, Viewer, view
from aceking.table.state import Box, Round
from aceking.table.state import TableState as State

if TYPE_CHECKING:
    from aceking.exact.figures import Values

PLAYER = "player"
#: The posted awards, for books that leave them to the house.
SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}
#: The part of a side stake that goes to the meter, for books that leave it to the house.
FEED = Fraction(7, 10)
#: How the house rules on a player who has left, if the book asks a person: the mildest remedy that ends the hand.
_POSTED: tuple[Remedy, ...] = ("deemed-fold", "deemed-stay")
Discards = str | int | Sequence[str | int] | None  # the discarded cards: "4d", "4d 9c", or cards


class RefusedError(ValueError):
    """The book or the state of the table does not allow an act; `clause` is the clause or base rule."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason} ({refusal.clause})")
        self.reason = refusal.reason
        self.clause = refusal.clause


class Table:
    """A table of one book. Each act returns the table, so that a round can be written in one line.

    >>> table = Table("rws", seed=3)
    >>> table.ante(10).deal()
    Table(rws, round 1: box 1 Jd 4c Jh Qc 3c, pair of jacks, against Kh; bet 20 or fold)
    >>> table.values()
    Values(bet 0.529883, fold -1)
    >>> table.bet()
    Table(rws, round 1 is over: box 1 pair of jacks +30; dealer ace king high)
    >>> [(line.wager, line.outcome, line.pays, line.clause) for line in table.lines()]
    [('ante', 'win', '10', 'RWS-3.14.1'), ('bet', 'win', '20', 'RWS-4.1')]

    An act that the book does not allow raises RefusedError with the clause:

    >>> Table("section10", seed=1).ante(10).ante(10, box=2)
    Traceback (most recent call last):
    aceking.api.table.RefusedError: player has box 1 already; a player has one (CSP-10(f)(5))

    The first cards can be given in the order of the deal; the rest of the deck follows unshuffled:

    >>> table = Table("colorado-required").open("8c 2c 8d 3c 8h 4c")
    >>> table.ante(10).side().deal()
    Table(colorado-required, round 1: box 1 8c 8d 8h, three of a kind; bet 10, fold or declare)
    >>> table.declare().net()
    '+55'
    """

    def __init__(
        self,
        book: "str | PathLike[str] | Book" = "section10",
        *,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        meter: "int | str" = 50_000,
        awards: Mapping[str, str] | None = None,
        ante_min: "int | str | None" = None,
        ante_max: "int | str | None" = None,
    ) -> None:
        loaded = book_of(book)
        check_mapping("options", options, "names to values")
        check_mapping("awards", awards, "hands to awards")
        text = with_options(loaded, options) if options else loaded
        if isinstance(text, Refusal):
            raise RefusedError(text)
        rules = text.progressive
        if awards is None:
            awards = SIGN if rules is not None and rules.awards_are in ("posted", "separate") else {}
        for row in awards:
            if row not in CATEGORY_BY_KEY:
                raise ValueError(f"awards: there is no hand {row!r}{suggestion(row, CATEGORY_BY_KEY)}")
        self._text = text
        chips = minor_units("meter", meter, text)
        self._meter = Fraction(chips) if rules is not None else None
        state = new_table(
            text,
            ante_min=None if ante_min is None else minor_units("ante_min", ante_min, text),
            ante_max=None if ante_max is None else minor_units("ante_max", ante_max, text),
            awards=awards,
            reset=chips // 5 if rules is not None else None,
            attended=False,
        )
        self._begin(state, seed)
        # Notices, decks and devices. Options that the book does not allow together are refused here.
        while isinstance(act := due(self.book, self.state), c.Act) and not isinstance(act, c.Shuffle | c.OpenBets):
            self.do(act)

    def _begin(self, state: State, seed: int | None) -> None:
        self.begins = state
        self._driver = Driver(self._text, state)
        self._chance = random.SystemRandom() if seed is None else random.Random(seed)
        self.seed = seed
        self.shuffles = 0

    # Views

    @property
    def book(self) -> Book:
        """The book with the options of the house."""
        return self._driver.book

    @property
    def state(self) -> State:
        """The immutable state that `aceking.table` works with. It has the hidden cards."""
        return self._driver.table

    @property
    def events(self) -> Sequence[ev.TableEvent]:
        """Every event since the table opened, with the hidden cards."""
        return self._driver.events

    @property
    def round(self) -> int | None:
        """The number of the current or last round; None before the first."""
        return None if self._round is None else self._round.number

    @property
    def phase(self) -> str | None:
        """The phase of the round, e.g. betting, deciding or done; None before the first round."""
        return None if self._round is None else self._round.phase

    @property
    def playing(self) -> bool:
        """True while a round is under way."""
        return self.state.live_round is not None

    @property
    def meter(self) -> str | None:
        """The value of the meter as displayed; None if the book has no progressive."""
        return None if self._meter is None else self._shown(int(self._meter))

    @property
    def meter_exact(self) -> str | None:
        """The exact value of the meter in minor units, "p/q"; None if the book has no progressive."""
        return None if self._meter is None else str(self._meter)

    @property
    def up(self) -> Card | None:
        """The dealer's up-card; None if there is none."""
        return None if self._round is None or self._round.up is None else Card(self._round.up)

    def view(self, player: str = PLAYER) -> View:
        """Return the table as a player sees it, ready for JSON. It has no card that is hidden from the player."""
        return view(self.book, self.state, Viewer("player", player))

    def boxes(self, player: str = PLAYER) -> tuple[int, ...]:
        """Return the boxes with an ante of this player in this round."""
        boxes = [] if self._round is None else [box for box in self._round.dealt_in if box.player == player]
        return tuple(box.number for box in boxes)

    def seen(self, box: int = 1) -> tuple[Card, ...]:
        """Return the cards of a box; an empty tuple before its player has looked."""
        held = self._box(box)
        return tuple(Card(one) for one in held.cards) if held.seen else ()

    def hand(self, box: int = 1) -> Hand:
        """Return the five cards of a box as a hand. Raises CardError before the player has looked."""
        return Hand(self.seen(box), ace_low=self.book.hands.ace_low)

    def offers(self, player: str = PLAYER) -> tuple[Offer, ...]:
        """Return what a player may do now, each with its price and the cards to choose from."""
        return player_offers(self.book, self.state, player)

    def values(self, box: int = 1) -> "Values | None":
        """Return the value of every choice of a box in antes, with its side bet; None before the player has looked."""
        from aceking.exact.choices import choices

        return choices(self.book, self.state, box)

    def lines(self, box: int = 1) -> tuple[LineView, ...]:
        """Return every wager of a box with its outcome, payment and clause."""
        return next((one.lines for one in self.view().common.boxes if one.box == box), ())

    def net(self, box: int = 1) -> str | None:
        """Return what a box won or lost in this round, e.g. `+30`; None before it is settled."""
        net = next((one.net for one in self.view().common.boxes if one.box == box), None)
        return None if net is None else with_sign(net)

    def chips(self, player: str = PLAYER) -> str:
        """Return what a player won or lost since the table opened, without the chips on the table."""
        return with_sign(self._shown(self.state.accounts.get(player, 0)))

    def told(self) -> list[str]:
        """Return the last finished round as sentences with their clauses.

        An unfinished round is left out: it would name hidden cards.
        """
        starts = [place for place, one in enumerate(self.events) if isinstance(one, ev.RoundOpened)]
        end = starts.pop() if self.playing else len(self.events)
        return explain(self.book, self.events[starts[-1] : end]) if starts else []

    # Acts

    def open(self, first: str = "") -> "Table":
        """Open betting on a new round. `first`: the first cards of the deck; without it the deck is shuffled.

        Raises ValueError if a round is under way.
        """
        if self.playing:
            raise ValueError(f"round {self.round} is not over")
        if first:
            given = cards(first)
            one_deck((("the deck", given),))
            order = [*given, *(one for one in DECK if one not in given)]
        else:
            order = [Number(one) for one in self._chance.sample(range(52), 52)]
            self.shuffles += 1
        self._driver.open_bets(order)
        return self

    def ante(self, chips: "int | str", *, box: int = 1, player: str = PLAYER) -> "Table":
        """Place an ante on a box, in the table's currency: `10`, `"7.50"`. Opens betting if no round is under way."""
        if not self.playing:
            self.open()
        return self.do(c.Ante(box=box, player=player, amount=minor_units("ante", chips, self.book)))

    def side(
        self, wager: str | None = None, chips: "int | str | None" = None, *, box: int = 1, player: str = PLAYER
    ) -> "Table":
        """Place the side bet of the book, or a named one with `chips` (without them: its least stake)."""
        if wager is not None and (named := self.book.sides.get(wager)) is not None:
            least = named.stake or named.min
            chosen = least if chips is None else minor_units(wager, chips, self.book)
            return self.do(c.SideBet(box=box, player=player, amount=chosen, wager=wager))
        rules = self.book.progressive or self.book.bonus
        stake = 0 if rules is None else rules.stake
        self.do(c.SideBet(box=box, player=player, amount=stake, wager=wager))
        if self._meter is not None and self.book.progressive is not None:
            self._meter += stake * (self.book.progressive.increment or FEED)
        return self

    def deal(self, *, look: bool = True) -> "Table":
        """Close betting and deal. `look`: every player looks at as many of their hands as the book allows.

        Raises ValueError if there is no ante.
        """
        if not self.playing or self._round is None or not self._round.dealt_in:
            raise ValueError("there is no ante on the table")
        self._driver.close_bets(None if self._meter is None else int(self._meter))
        self._driver.deal()
        current = self._round
        for box in current.dealt_in if current is not None and look else ():
            if any(one.do == "look" and one.box == box.number for one in self.offers(box.player)):
                self.look(box.number)
        return self

    def look(self, box: int = 1) -> "Table":
        """Look at the cards of a box. A jackpot hand is declared at once if the book requires it."""
        refused = decide(self.book, self.state, c.Look(box=box), self._driver.shoe)
        if isinstance(refused, Refusal):
            raise RefusedError(refused)
        self._driver.look(box)
        return self

    def bet(self, discard: Discards = None, *, box: int | None = None, antes: int | None = None) -> "Table":
        """Bet. `discard`: the discarded cards, if the book has discards. `antes`: the size, if it may be chosen."""
        number, current = self._box_or_first(box), self.state.round
        staked = None if current is None else current.boxes.get(number)
        amount = None if antes is None or staked is None else antes * staked.ante
        return self._decide(c.Bet(box=number, amount=amount, discard=self._discarded(discard)))

    def stay(self, discard: Discards = None, *, box: int | None = None) -> "Table":
        """Stay in without a bet, if the book has that."""
        return self._decide(c.Stay(box=self._box_or_first(box), discard=self._discarded(discard)))

    def _discarded(self, of: Discards) -> c.Aside:
        """Return the discarded cards. Raises CardError if the book has no discards: in `bet(20)`, 20 is a card."""
        if of is not None and not self.book.hands.discards:
            raise CardError(f"{self.book.id} has no discards, and {of!r} is given")
        each = cards(of) if isinstance(of, str) else (of,) if isinstance(of, int) else of or ()
        return c.as_aside([card(one) if isinstance(one, str) else Number(int(one)) for one in each])

    def fold(self, *, box: int | None = None) -> "Table":
        """Fold the hand of a box."""
        return self._decide(c.Fold(box=self._box_or_first(box)))

    def declare(self, *, box: int | None = None) -> "Table":
        """Declare an instant winner, if the book has them."""
        return self._decide(c.Declare(box=self._box_or_first(box)))

    def exchange(self, give: "str | int", *, box: int | None = None) -> "Table":
        """Exchange a card of the hand, or several (`"2c 3d"`), for the next of the deck, if the book has that."""
        given = cards(give) if isinstance(give, str) else (Number(int(give)),)
        return self.do(c.Exchange(box=self._box_or_first(box), give=given))

    @property
    def buying(self) -> tuple[int, ...]:
        """The boxes that are asked to buy a card for a dealer without a hand."""
        current = self.state.live_round
        return () if current is None else tuple(box.number for box in current.buying)

    def buy_dealer_card(self, *, buys: bool = True, box: int | None = None) -> "Table":
        """Buy a card for a dealer without a hand, or decline (`buys=False`), if the book has that."""
        number = next(iter(self.buying), 1) if box is None else box
        return self._decide(c.BuyDealerCard(box=number, buys=buys))

    def leave(self, player: str = PLAYER) -> "Table":
        """Let a player leave during a hand. The book rules; if it asks a person, the house's posted rule does."""
        boxes = tuple(one for one in self.boxes(player) if self._box(one).owes_decision)
        if boxes and self.playing:
            self.do(c.Report(mishap="walk-away", boxes=boxes[:1]))
            self._rule_on_leaving()
        for number in self.buying:
            if self._box(number).player == player:
                self.do(c.BuyDealerCard(box=number, buys=False))
        return self.finish()

    def copy(self) -> "Table":
        """Return an independent copy of the table, to try something. Without a seed both draw from the system."""
        other = copy(self)
        other._driver = Driver(self._text, self.state)
        other._driver.shoe, other._driver.events = self._driver.shoe, list(self.events)
        other._chance = self._chance if self.seed is None else deepcopy(self._chance)
        return other

    def do(self, command: c.TableCommand) -> "Table":
        """Do any command of `aceking.table.commands`. Raises RefusedError."""
        result = self._driver.do(command)
        if isinstance(result, Refusal):
            raise RefusedError(result)
        return self

    def finish(self) -> "Table":
        """End the round if no decision is open. The other acts call it; after `do` you call it."""
        current = self.state.live_round
        waits = current is None or current.phase == "betting" or any(box.owes_decision for box in current.dealt_in)
        if not waits and self.state.holding is None:
            # A dealer without a hand is shown first where players may buy a card for it.
            self._driver.until(lambda act: self.state.live_round is None)
            if self.buying:
                return self
            self._driver.finish()
            paid = [one for one in self._round_events() if isinstance(one, ev.RoundSettled) and one.from_meter]
            if paid and paid[-1].meter_after is not None:
                self._meter = Fraction(paid[-1].meter_after)
        return self

    # Saving

    def record(self) -> bytes:
        """Return every event as JSON Lines, with the hidden cards. `Table.resumed` takes it, with `begins`."""
        return events_to_json_lines(self.events)

    def save(self) -> bytes:
        """Return the table as JSON, without the order of the deck. Raises ValueError during a round."""
        if self.playing:
            raise ValueError("a round is under way: a table can be saved between rounds")
        saved = _Saved(
            self.begins, events=list(self.events), meter=self.meter_exact, seed=self.seed, shuffles=self.shuffles
        )
        return msgspec.json.encode(saved)

    @classmethod
    def load(cls, data: "bytes | str", *, book: "str | PathLike[str] | Book | None" = None) -> "Table":
        """Return a saved table. Give `book` if it was a file of your own. Raises RecordError if the data is damaged."""
        try:
            saved = msgspec.json.decode(data, type=_Saved)
        except msgspec.DecodeError as wrong:
            raise RecordError(f"this is not a saved table: {wrong}") from None
        return cls.resumed(
            saved.begins, saved.events, book=book, meter=saved.meter, seed=saved.seed, shuffles=saved.shuffles
        )

    @classmethod
    def resumed(
        cls,
        begins: State,
        events: "Sequence[ev.TableEvent] | bytes",
        *,
        book: "str | PathLike[str] | Book | None" = None,
        meter: str | None,
        seed: int | None,
        shuffles: int,
    ) -> "Table":
        """Return a table from its first state and every event since. Raises RecordError if they do not fit."""
        past = events_from_json_lines(events) if isinstance(events, bytes) else tuple(events)
        table = cls.__new__(cls)
        source = begins.book if book is None else book
        text = with_options(book_of(source), begins.options)
        if isinstance(text, Refusal):
            raise RefusedError(text)
        table._text = text
        table._meter = None if meter is None else Fraction(meter)
        table._begin(begins, seed)
        table._driver.table = replay(text, begins, past)
        table._driver.events = list(past)
        for _ in range(shuffles if seed is not None else 0):
            table._chance.sample(range(52), 52)  # continue the sequence of shuffles
        table.shuffles = shuffles
        return table

    # Display

    def __repr__(self) -> str:
        return f"Table({table_text(self.book, self.state)})"

    def _repr_html_(self) -> str:
        return table_html(self.book, self.view())

    # Helpers

    @property
    def _round(self) -> Round | None:
        return self.state.round

    def _box(self, number: int) -> Box:
        box = None if self._round is None else self._round.boxes.get(number)
        if box is None:
            raise ValueError(f"nobody plays on box {number}")
        return box

    def _box_or_first(self, box: int | None) -> int:
        """Return the named box, or the first that has to decide."""
        if box is not None:
            return box
        owing = [] if self._round is None else [one for one in self._round.dealt_in if one.owes_decision]
        return owing[0].number if owing else 1

    def _decide(self, act: c.Act) -> "Table":
        return self.do(act).finish()

    def _round_events(self) -> Sequence[ev.TableEvent]:
        starts = [place for place, one in enumerate(self.events) if isinstance(one, ev.RoundOpened)]
        return self.events[starts[-1] :] if starts else ()

    def _rule_on_leaving(self) -> None:
        """Answer the book's questions to a person with the posted rule of the house."""
        for offer in question_offers(self.book, self.state):
            then = next((remedy for remedy in _POSTED if remedy in offer.answers), None)
            if offer.question is not None and then is not None:
                self.do(
                    c.GiveRuling(
                        question=offer.question, then=then, reason="the posted rule of the house for players who leave"
                    )
                )

    def _shown(self, chips: int) -> str:
        return shown(chips, decimals=self.book.decimals)


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    """The JSON of a saved table."""

    begins: State
    events: list[ev.TableEvent]
    meter: str | None = None
    seed: int | None = None
    shuffles: int = 0
