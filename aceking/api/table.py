"""A table to play at from Python: the house's part is done by itself, the players' part is a method each."""

import random
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any

import msgspec

from aceking.api.cards import Card, Hand
from aceking.api.settled import signed
from aceking.api.showing import table_html, table_text
from aceking.cards.card import Card as Number
from aceking.cards.card import CardError, card, cards
from aceking.cards.deck import DECK, one_deck
from aceking.cards.hand import CATEGORY_BY_KEY
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.odds import amount as read_amount
from aceking.rules.reading.did_you_mean import near
from aceking.rules.reading.load import load_book, with_options
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
from aceking.table.state import Table as State

if TYPE_CHECKING:
    from aceking.exact.figures import Values

PLAYER = "player"
#: What a house posts where its book leaves the awards to a sign.
SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}
#: What of a side stake feeds the meter, where the book leaves that to the house too.
FEED = Fraction(7, 10)
#: How a house answers for who has left, where its book asks a person: the mildest that ends the hand.
_POSTED: tuple[Remedy, ...] = ("deemed-fold", "deemed-stay")
Aside = str | int | Sequence[str | int] | None  # what is laid aside: "4d", "4d 9c", or cards by themselves


class RefusedError(ValueError):
    """The book, or the state of the table, does not allow it; `clause` says which clause or base rule."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason} ({refusal.clause})")
        self.reason = refusal.reason
        self.clause = refusal.clause


class Table:
    """A table of one book. Each method of play gives the table back, so that a round can be written in one line.

    >>> table = Table("rws", seed=3)
    >>> table.ante(10).deal()
    Table(rws, round 1: box 1 Jd 4c Jh Qc 3c, pair of jacks, against Kh; bet 20 or fold)
    >>> table.values()
    Values(bet 0.529883, fold -1)
    >>> table.bet()
    Table(rws, round 1 is over: box 1 pair of jacks +30; dealer ace king high)
    >>> [(line.wager, line.outcome, line.pays, line.clause) for line in table.lines()]
    [('ante', 'win', '10', 'RWS-3.14.1'), ('bet', 'win', '20', 'RWS-4.1')]

    What the book does not allow is an error that names its clause:

    >>> Table("section10").ante(10).ante(10, box=2)
    Traceback (most recent call last):
    aceking.api.table.RefusedError: player has box 1 already; a player has one (CSP-10(f)(5))

    The cards may be given in the order in which the book deals them; what is left of the deck follows in its own:

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
        loaded = load_book(book) if isinstance(book, str | PathLike) else book
        found = with_options(loaded, options) if options else loaded
        if isinstance(found, Refusal):
            raise RefusedError(found)
        rules = found.progressive
        if awards is None:
            awards = SIGN if rules is not None and rules.awards_are in ("posted", "separate") else {}
        for row in awards:
            if row not in CATEGORY_BY_KEY:
                raise ValueError(f"awards: there is no hand {row!r}{near(row, CATEGORY_BY_KEY)}")
        self._text = found
        chips = read_amount(str(meter), decimals=found.decimals)
        self._meter = Fraction(chips) if rules is not None else None
        state = new_table(
            found,
            ante_min=None if ante_min is None else read_amount(str(ante_min), decimals=found.decimals),
            ante_max=None if ante_max is None else read_amount(str(ante_max), decimals=found.decimals),
            awards=awards,
            reset=chips // 5 if rules is not None else None,
            attended=False,
        )
        self._begin(state, seed)
        # Notices, decks and devices: what the options of the house make impossible is refused here.
        while isinstance(act := due(self.book, self.state), c.Act) and not isinstance(act, c.Shuffle | c.OpenBets):
            self.do(act)

    def _begin(self, state: State, seed: int | None) -> None:
        self.begins = state
        self._driver = Driver(self._text, state)
        self._chance = random.SystemRandom() if seed is None else random.Random(seed)
        self.seed = seed
        self.shuffles = 0

    # What there is to see

    @property
    def book(self) -> Book:
        """The book under the options of the house."""
        return self._driver.book

    @property
    def state(self) -> State:
        """The table itself, frozen: what `aceking.table` works with."""
        return self._driver.table

    @property
    def events(self) -> Sequence[ev.Event]:
        """Everything that has happened, from the first notice on."""
        return self._driver.events

    @property
    def round(self) -> int | None:
        """The number of the round, the one that runs or the last."""
        return None if self._round is None else self._round.number

    @property
    def phase(self) -> str | None:
        """How far the round is: betting, deciding, done …"""
        return None if self._round is None else self._round.phase

    @property
    def playing(self) -> bool:
        """Whether a round runs."""
        return self.state.live_round is not None

    @property
    def meter(self) -> str | None:
        """What the jackpot shows."""
        return None if self._meter is None else self._shown(int(self._meter))

    @property
    def meter_exact(self) -> str | None:
        """The same in minor units and to the last part of one, "p/q"."""
        return None if self._meter is None else str(self._meter)

    @property
    def up(self) -> Card | None:
        """The dealer's card that lies face up."""
        return None if self._round is None or self._round.up is None else Card(self._round.up)

    def view(self, player: str = PLAYER) -> View:
        """The table as a player sees it, ready for JSON: what is hidden from him is not in it."""
        return view(self.book, self.state, Viewer("player", player))

    def boxes(self, player: str = PLAYER) -> tuple[int, ...]:
        """The boxes that a player has an ante on in this round."""
        found = [] if self._round is None else [box for box in self._round.dealt_in if box.player == player]
        return tuple(box.number for box in found)

    def seen(self, box: int = 1) -> tuple[Card, ...]:
        """The cards of a box, once its player has looked."""
        held = self._box(box)
        return tuple(Card(one) for one in held.cards) if held.seen else ()

    def hand(self, box: int = 1) -> Hand:
        """The five cards of a box, as they rank."""
        return Hand(self.seen(box), ace_low=self.book.hands.ace_low)

    def offers(self, player: str = PLAYER) -> tuple[Offer, ...]:
        """What a player may do now, with its price and the cards that are left to choose."""
        return player_offers(self.book, self.state, player)

    def values(self, box: int = 1) -> "Values | None":
        """What every choice of a box is worth, in antes, its side bet among them; None for a hand not seen."""
        from aceking.exact.choices import choices

        return choices(self.book, self.state, box)

    def lines(self, box: int = 1) -> tuple[LineView, ...]:
        """Every wager of a box with its outcome, what it pays and the clause that says so."""
        return next((one.lines for one in self.view().common.boxes if one.box == box), ())

    def net(self, box: int = 1) -> str | None:
        """What a box won or lost in this round, `+30`; None before it is settled."""
        net = next((one.net for one in self.view().common.boxes if one.box == box), None)
        return None if net is None else signed(net)

    def chips(self, player: str = PLAYER) -> str:
        """What a player is better off by since the table opened, chips that still lie on it not counted."""
        return signed(self._shown(self.state.accounts.get(player, 0)))

    def told(self) -> list[str]:
        """The last round in sentences, clause by clause."""
        starts = [place for place, one in enumerate(self.events) if isinstance(one, ev.RoundOpened)]
        return explain(self.book, self.events[starts[-1] :]) if starts else []

    # What is played

    def open(self, first: str = "") -> "Table":
        """Betting opens on a new round; `first` are the cards that will fall first, else the deck is shuffled."""
        if self.playing:
            raise ValueError(f"round {self.round} is not over")
        if first:
            falls = cards(first)
            one_deck((("the deck", falls),))
            order = [*falls, *(one for one in DECK if one not in falls)]
        else:
            order = [Number(one) for one in self._chance.sample(range(52), 52)]
            self.shuffles += 1
        self._driver.open_bets(order)
        return self

    def ante(self, chips: "int | str", *, box: int = 1, player: str = PLAYER) -> "Table":
        """An ante on a box, in the table's currency: `10`, `"7.50"`. Betting opens by itself."""
        if not self.playing:
            self.open()
        return self.do(c.Ante(box=box, player=player, amount=read_amount(str(chips), decimals=self.book.decimals)))

    def side(
        self, wager: str | None = None, chips: "int | str | None" = None, *, box: int = 1, player: str = PLAYER
    ) -> "Table":
        """The side bet beside an ante: progressive, jackpot or bonus; or one by name, at its least or with `chips`."""
        if wager is not None and (named := self.book.sides.get(wager)) is not None:
            least = named.stake or named.min
            chosen = least if chips is None else read_amount(str(chips), decimals=self.book.decimals)
            return self.do(c.SideBet(box=box, player=player, amount=chosen, wager=wager))
        rules = self.book.progressive or self.book.bonus
        stake = 0 if rules is None else rules.stake
        self.do(c.SideBet(box=box, player=player, amount=stake, wager=wager))
        if self._meter is not None and self.book.progressive is not None:
            self._meter += stake * (self.book.progressive.increment or FEED)
        return self

    def deal(self, *, look: bool = True) -> "Table":
        """No more bets, and the cards; every player looks at as many of his hands as the book lets him."""
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
        """The player of a box looks at its cards; where the book wants it, a jackpot hand is declared at once."""
        refused = decide(self.book, self.state, c.Look(box=box), self._driver.shoe)
        if isinstance(refused, Refusal):
            raise RefusedError(refused)
        self._driver.look(box)
        return self

    def bet(self, discard: Aside = None, *, box: int | None = None, antes: int | None = None) -> "Table":
        """Bet, with the card or cards laid aside where the book has that; so many antes, where the player chooses."""
        asked, current = self._asked(box), self.state.round
        staked = None if current is None else current.boxes.get(asked)
        amount = None if antes is None or staked is None else antes * staked.ante
        return self._decide(c.Bet(box=asked, amount=amount, discard=self._aside(discard)))

    def stay(self, discard: Aside = None, *, box: int | None = None) -> "Table":
        """Stay in without a bet, where the book has that."""
        return self._decide(c.Stay(box=self._asked(box), discard=self._aside(discard)))

    def _aside(self, of: Aside) -> c.Aside:
        """The cards that are laid aside; a number is a card and not an amount, so none is taken where none belongs."""
        if of is not None and not self.book.hands.discards:
            raise CardError(f"no card is laid aside in {self.book.id}, and {of!r} is given")
        each = cards(of) if isinstance(of, str) else (of,) if isinstance(of, int) else of or ()
        return c.as_aside([card(one) if isinstance(one, str) else Number(int(one)) for one in each])

    def fold(self, *, box: int | None = None) -> "Table":
        """Give the hand up."""
        return self._decide(c.Fold(box=self._asked(box)))

    def declare(self, *, box: int | None = None) -> "Table":
        """Declare an instant winner, where the book has them."""
        return self._decide(c.Declare(box=self._asked(box)))

    def exchange(self, give: "str | int", *, box: int | None = None) -> "Table":
        """Buy the next card of the deck for one of the hand, or several (`"2c 3d"`), where the book has that."""
        given = cards(give) if isinstance(give, str) else (Number(int(give)),)
        return self.do(c.Exchange(box=self._asked(box), give=given))

    @property
    def buying(self) -> tuple[int, ...]:
        """The boxes that are asked whether they buy a card for a dealer without a hand."""
        current = self.state.live_round
        return () if current is None else tuple(box.number for box in current.buying)

    def buy_dealer_card(self, *, buys: bool = True, box: int | None = None) -> "Table":
        """Pay for a card for a dealer without a hand, or say that you do not, where the book has that."""
        asked = next(iter(self.buying), 1) if box is None else box
        return self._decide(c.BuyDealerCard(box=asked, buys=buys))

    def leave(self, player: str = PLAYER) -> "Table":
        """A player walks away in mid-hand: the book rules, or the posted rule of the house where it asks a person."""
        boxes = tuple(one for one in self.boxes(player) if self._box(one).owes_decision)
        if boxes and self.playing:
            self.do(c.Report(mishap="walk-away", boxes=boxes[:1]))
            self._answer()
        for number in self.buying:
            if self._box(number).player == player:
                self.do(c.BuyDealerCard(box=number, buys=False))
        return self.finish()

    def copy(self) -> "Table":
        """The same table, to try something at: what is done there is not done here."""
        other = copy(self)
        other._driver = Driver(self._text, self.state)
        other._driver.shoe, other._driver.events = self._driver.shoe, list(self.events)
        other._chance = self._chance if self.seed is None else deepcopy(self._chance)
        return other

    def do(self, command: c.Command) -> "Table":
        """Any command of the table, by anybody: `aceking.table.commands` has them all."""
        result = self._driver.do(command)
        if isinstance(result, Refusal):
            raise RefusedError(result)
        return self

    def finish(self) -> "Table":
        """The house ends the round, once nobody has anything left to decide; after `do` it is called for."""
        current = self.state.live_round
        waits = current is None or current.phase == "betting" or any(box.owes_decision for box in current.dealt_in)
        if not waits and self.state.holding is None:
            # A dealer without a hand is shown first where players may buy a card for it.
            self._driver.until(lambda act: self.state.live_round is None)
            if self.buying:
                return self
            self._driver.finish()
            paid = [one for one in self._since_opening() if isinstance(one, ev.Settled) and one.from_meter]
            if paid and paid[-1].meter_after is not None:
                self._meter = Fraction(paid[-1].meter_after)
        return self

    # What is kept

    def record(self) -> bytes:
        """Every event as JSON Lines; with `begins` it makes the table again."""
        return events_to_json_lines(self.events)

    def save(self) -> bytes:
        """The table between two rounds, as JSON; the order of a shuffled deck is in no save."""
        if self.playing:
            raise ValueError("a round runs: a table is saved between rounds")
        kept = _Saved(
            self.begins, events=list(self.events), meter=self.meter_exact, seed=self.seed, shuffles=self.shuffles
        )
        return msgspec.json.encode(kept)

    @classmethod
    def load(cls, data: "bytes | str", *, book: "str | PathLike[str] | Book | None" = None) -> "Table":
        """A saved table: its events are taken into its state again. A book of one's own is named once more."""
        try:
            kept = msgspec.json.decode(data, type=_Saved)
        except msgspec.DecodeError as wrong:
            raise RecordError(f"this is no saved table: {wrong}") from None
        return cls.resumed(
            kept.begins, kept.events, book=book, meter=kept.meter, seed=kept.seed, shuffles=kept.shuffles
        )

    @classmethod
    def resumed(
        cls,
        begins: State,
        events: "Sequence[ev.Event] | bytes",
        *,
        book: "str | PathLike[str] | Book | None" = None,
        meter: str | None,
        seed: int | None,
        shuffles: int,
    ) -> "Table":
        """A table taken up again from what it began with and everything that has happened since."""
        past = events_from_json_lines(events) if isinstance(events, bytes) else tuple(events)
        table = cls.__new__(cls)
        text = begins.book if book is None else book
        found = with_options(load_book(text) if isinstance(text, str | PathLike) else text, begins.options)
        if isinstance(found, Refusal):
            raise RefusedError(found)
        table._text = found
        table._meter = None if meter is None else Fraction(meter)
        table._begin(begins, seed)
        table._driver.table = replay(found, begins, past)
        table._driver.events = list(past)
        for _ in range(shuffles if seed is not None else 0):
            table._chance.sample(range(52), 52)  # the cards go on where they were
        table.shuffles = shuffles
        return table

    # How it shows itself

    def __repr__(self) -> str:
        return f"Table({table_text(self.book, self.state)})"

    def _repr_html_(self) -> str:
        return table_html(self.book, self.view())

    # Inside

    @property
    def _round(self) -> Round | None:
        return self.state.round

    def _box(self, number: int) -> Box:
        found = None if self._round is None else self._round.boxes.get(number)
        if found is None:
            raise ValueError(f"nobody plays on box {number}")
        return found

    def _asked(self, box: int | None) -> int:
        """The box that is meant: the one that is named, or the first that owes a decision."""
        if box is not None:
            return box
        owing = [] if self._round is None else [one for one in self._round.dealt_in if one.owes_decision]
        return owing[0].number if owing else 1

    def _decide(self, act: c.Act) -> "Table":
        return self.do(act).finish()

    def _since_opening(self) -> Sequence[ev.Event]:
        starts = [place for place, one in enumerate(self.events) if isinstance(one, ev.RoundOpened)]
        return self.events[starts[-1] :] if starts else ()

    def _answer(self) -> None:
        """Where the book asks a person who is not there, the house's posted rule is the answer, and on the record."""
        for one in question_offers(self.book, self.state):
            then = next((remedy for remedy in _POSTED if remedy in one.answers), None)
            if one.question is not None and then is not None:
                self.do(c.Rule(question=one.question, then=then, reason="the posted rule of the house for who leaves"))

    def _shown(self, chips: int) -> str:
        return shown(chips, decimals=self.book.decimals)


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    """A table as it is saved."""

    begins: State
    events: list[ev.Event]
    meter: str | None = None
    seed: int | None = None
    shuffles: int = 0


def _one(of: "str | int | None") -> Number | None:
    return None if of is None else card(of) if isinstance(of, str) else Number(int(of))
