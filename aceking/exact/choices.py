"""What the choices of a box at a table are worth now, its side wager among them, and what each of them gives up.

Ante and bet are valued over every deal that is still possible. The side wager, and a declaration that is wrong, come
to the same whatever the dealer holds: those are settled as they lie. A wrong declaration is no advice, whatever it is
worth, and so not among the choices (docs/DECISIONS.md). Caps are counted, for the ante that lies there; one that
all boxes share is left out where there are several.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from aceking.cards.card import Card, names
from aceking.cards.deck import DECK
from aceking.cards.three import instant
from aceking.exact import games
from aceking.exact.caps import is_capped, with_ante, without_shared_cap
from aceking.exact.figures import Values
from aceking.exact.side_bets import bonus
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.settlement.lines import Line, Settlement
from aceking.settlement.scenario import Play, Scenario, Seat, Swap, discards
from aceking.settlement.settle import settle
from aceking.table import commands as c
from aceking.table.money.settling import ante_in_play, posted, swap_of
from aceking.table.options import in_force
from aceking.table.state import Box, Round, Table


@dataclass(frozen=True, slots=True)
class Forfeit:
    """What one choice gives up for certain, and by which clause."""

    what: str
    amount: int  # minor units
    clause: str
    grave: bool  # it is worth asking twice


def choice_of(act: c.Act, ante: int) -> str:
    """The name that an act has among the values: `bet`, `exchange 2c 4d`, `bet discard Kd`, `bet 3` for three antes."""
    match act:
        case c.Bet() if act.amount is not None:
            return f"bet {act.amount // ante}"
        case c.Exchange():
            return f"exchange {names(tuple(Card(one) for one in sorted(act.give)))}"
        case c.Bet() | c.Stay() if act.discard is not None:
            aside = sorted(Card(one) for one in c.laid_aside(act.discard))
            return f"{act.do} discard {names(tuple(aside))}"
        case _:
            return act.do


def choices(book: Book, table: Table, number: int) -> Values | None:
    """What every choice of a box is worth, in antes; None where nobody has looked or all is decided.

    None too where a card may be bought for the dealer: that is not priced.
    """
    book = in_force(book, table)
    spot = _spot(book, table, number)
    if spot is None or book.bought is not None:
        return None
    box, dealt = spot.box, spot.dealt
    ratio = Fraction(box.side, spot.ante) if box.lit else Fraction(0)
    if len(spot.current.live) > 1:
        book = without_shared_cap(book)
    if is_capped(book):
        book = with_ante(book, Amount(spot.ante))
    if book.dealer is None:
        with_bonus = ratio and book.bonus is not None
        found = bonus.value(book, dealt, ratio=ratio) if with_bonus else games.value(book, dealt, None)
        return _with_named(spot, found)
    found = games.value(book, dealt, None if spot.up is None else Card(spot.up), exchanged=spot.swap)
    if not ratio:
        return _with_named(spot, found)
    lines = {play: line for play in ("fold", "bet", "exchange") if (line := _side(spot, play)) is not None}
    with_side = Values.of(
        {
            choice: worth + Fraction(_net(lines.get(choice.split()[0])), spot.ante)
            for choice, worth in found.decisions.items()
        }
    )
    return _with_named(spot, with_side)


def _with_named(spot: "_Spot", found: Values) -> Values:
    """The values with the side wagers by name that go with a folded hand, where the cards that are known decide them.

    One that stands whatever is done has no bearing on the choice. What hangs on cards that nobody has seen is left out;
    what a fold gives up of it is among the forfeits.
    """
    known = counted_sides(spot.book, spot.box)
    if not known:
        return found
    nets = {play: sum(line.net for line in spot.lines(play) if line.wager in known) for play in ("fold", "bet")}
    return Values.of(
        {
            choice: worth + Fraction(nets["fold" if choice == "fold" else "bet"], spot.ante)
            for choice, worth in found.decisions.items()
        }
    )


def counted_sides(book: Book, box: Box) -> list[str]:
    """The side wagers by name that the values of the choices count."""
    if book.exchange is not None:
        return []
    return [name for name in _given_up_with_a_fold(book, box) if _is_known(book, name)]


def _given_up_with_a_fold(book: Book, box: Box) -> list[str]:
    if "fold" not in book.decide.choices:
        return []
    return [name for name in box.named if book.sides[name].folded != "stands"]


def _is_known(book: Book, name: str) -> bool:
    """Whether a wager by name goes by cards that its player has seen."""
    side = book.sides[name]
    return side.cards in ("own", "own-and-up-card") and side.needs in (None, "nothing")


def cost(book: Book, table: Table, number: int, choice: str, *, among: Values) -> Fraction | None:
    """What a choice costs against the best one `among` them all, in antes; None where it has no value."""
    worth = among.decisions.get(choice)
    if worth is None and choice == "declare":
        spot = _spot(in_force(book, table), table, number)
        assert spot is not None, "what can be valued can be settled"
        worth = Fraction(sum(line.net for line in spot.lines("declare")), spot.ante)
    return None if worth is None else max(among.decisions[among.best] - worth, Fraction(0))


def forfeits(book: Book, table: Table, number: int) -> Mapping[str, Forfeit]:
    """What each kind of choice (`fold`, `exchange`, `declare`, `bet`, `stay`) gives up besides its price."""
    book = in_force(book, table)
    spot = _spot(book, table, number)
    if spot is None:
        return {}
    found: dict[str, Forfeit] = {}
    if book.dealer is not None:
        found |= _side_forfeits(spot)
    if book.bonus is not None and spot.box.lit and book.fold is not None:
        line = _side(spot, "fold")
        if line is not None and line.outcome == "lose":
            found["fold"] = Forfeit("your bonus bet is lost", line.stake, line.clause, grave=False)
    if book.instant is not None and "declare" in book.decide.choices:
        found |= _instant_forfeits(spot)
    return _named_forfeits(spot) | found


@dataclass(frozen=True, slots=True)
class _Spot:
    """A box that owes a decision, as its player sees it."""

    book: Book
    table: Table
    current: Round
    box: Box
    dealt: tuple[Card, ...]  # before an exchange
    swap: Swap | None
    ante: int

    @property
    def up(self) -> int | None:
        return self.current.up

    @property
    def given_up_with_a_fold(self) -> list[str]:
        """The side wagers by name that a fold takes along."""
        return _given_up_with_a_fold(self.book, self.box)

    def lines(self, play: Play, swap: Swap | None = None) -> tuple[Line, ...]:
        """How the box is settled for that play, whatever cards fill the places that nobody has seen."""
        box, book = self.box, self.book
        known = {*self.dealt, self.up, *(() if swap is None else swap.take)}
        unseen = [one for one in DECK if one not in known]
        bank = () if self.up is None else (Card(self.up), *unseen[:4])
        aside = self.dealt[: book.hands.discards] if play in ("bet", "stay") else ()
        seat = Seat(
            number=box.number,
            cards=self.dealt,
            ante=Amount(self.ante),
            play=play,
            bet=None,
            side=Amount(box.side if box.lit else 0),
            claims=True,
            swap=swap,
            discard=discards(aside),
            player=None,
            sides=tuple((name, Amount(one.stake)) for name, one in box.named.items()),
        )
        scenario = Scenario(
            seats=(seat,),
            dealer=bank,
            community=tuple(unseen[: book.hands.community]),
            meter=None if self.current.meter is None else Amount(self.current.meter),
            reset=None if self.table.reset is None else Amount(self.table.reset),
            awards=posted(book, self.table),
        )
        done = settle(book, scenario)
        return done.lines if isinstance(done, Settlement) else ()


def _spot(book: Book, table: Table, number: int) -> _Spot | None:
    current = table.live_round
    box = None if current is None else current.boxes.get(number)
    if current is None or box is None or not box.seen or not box.owes_decision or len(box.cards) != book.hands.cards:
        return None
    if book.dealer is not None and current.up is None:
        return None
    came_for = dict(zip(box.took, box.gave, strict=True))
    dealt = tuple(Card(came_for.get(one, one)) for one in box.cards)
    return _Spot(book, table, current, box, dealt, swap_of(box), ante_in_play(book, table, box))


def _side(spot: _Spot, play: str) -> Line | None:
    """The line of the side wager after a fold, a bet, or an exchange whatever comes of it."""
    swap = spot.swap
    if play == "exchange":
        unseen = next(one for one in DECK if one not in spot.dealt and one != spot.up)
        swap = Swap(spot.dealt[:1], (unseen,))
    lines = spot.lines("fold" if play == "fold" else "bet", swap)
    return next((line for line in lines if line.wager == "side"), None)


def _net(line: Line | None) -> int:
    return 0 if line is None else line.net


def _side_forfeits(spot: _Spot) -> dict[str, Forfeit]:
    """The award of a hand that is given up or changed, and the stake on it."""
    kept = _side(spot, "bet")
    if not spot.box.lit or kept is None:
        return {}
    found = {}
    award = kept.pays if kept.outcome == "win" else 0
    given_up = _side(spot, "fold")
    if award and given_up is not None and given_up.outcome != "win":
        found["fold"] = Forfeit("the award for your hand is not paid", award, given_up.clause, grave=True)
    if spot.book.exchange is not None and spot.swap is None:
        changed = _side(spot, "exchange")
        if changed is not None and changed.outcome == "lose":
            what = "side bet and award are lost" if award else "your side bet is lost"
            found["exchange"] = Forfeit(what, award or changed.stake, changed.clause, grave=award > 0)
    return found


def _named_forfeits(spot: _Spot) -> dict[str, Forfeit]:
    """What a fold gives up of side wagers by name: what they win by the cards that the player sees, or else a stake."""
    given_up = spot.given_up_with_a_fold
    if not given_up:
        return {}
    sure = [name for name in given_up if _is_known(spot.book, name)]
    won = [line for line in spot.lines("bet", spot.swap) if line.wager in sure and line.outcome == "win"]
    lost = [name for name in given_up if name not in sure and spot.book.sides[name].folded == "lost"]
    if won:
        what = f"what {' and '.join(line.wager for line in won)} wins is not paid"
        amount, first = sum(line.pays for line in won), won[0].wager
    elif lost:
        what = f"your stake on {' and '.join(lost)} is lost"
        amount, first = sum(spot.box.named[name].stake for name in lost), lost[0]
    else:
        return {}
    return {"fold": Forfeit(what, amount, spot.book.cite(f"sides.{first}.folded"), grave=bool(won))}


def _instant_forfeits(spot: _Spot) -> dict[str, Forfeit]:
    """A declaration that is wrong loses the ante; an instant winner that is not declared is none."""
    assert spot.book.instant is not None
    lines = spot.lines("declare")
    found = instant(spot.dealt, ace_low=spot.book.instant.ace_low)
    if found is None:
        lost = [line for line in lines if line.outcome == "lose"]
        amount = sum(line.stake for line in lost)
        what = "these cards are no instant winner, and the ante is lost"
        return {"declare": Forfeit(what, amount, lost[0].clause, grave=True)} if lost else {}
    won = [line for line in lines if line.outcome == "win"]
    if not won:
        return {}
    what = f"{found.title} pays only if it is declared now"
    one = Forfeit(what, sum(line.pays for line in won), won[0].clause, grave=True)
    return {choice: one for choice in spot.book.decide.choices if choice != "declare"}
