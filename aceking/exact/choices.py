"""The value of each choice of a box at a table, its side wager included, and what each choice gives up.

Ante and bet are valued over every deal that is still possible. The side wager and a wrong declaration have the same
result whatever the dealer holds, so they are settled on the known cards. A wrong declaration is never advised,
whatever it is worth, so it is not among the choices (docs/decisions/index.md). Caps are counted for the ante that is
staked; a cap that all boxes share is left out if there are several boxes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from aceking.cards.card import CardId, names
from aceking.cards.deck import DECK
from aceking.cards.three import instant
from aceking.exact import games
from aceking.exact.caps import is_capped, with_ante, without_shared_cap
from aceking.exact.figures import Values
from aceking.exact.side_bets import bonus
from aceking.exact.unpriced import unpriced_choices
from aceking.rules.book import Book
from aceking.rules.decisions import ENDS_EARLY, GIVES_UP, Choice
from aceking.rules.odds import Amount
from aceking.settlement.lines import Line, Settlement
from aceking.settlement.scenario import Scenario, Seat, Swap, discards
from aceking.settlement.settle import settle
from aceking.table import commands as c
from aceking.table.money.settling import ante_in_play, posted, swap_of
from aceking.table.options import in_force
from aceking.table.state import Box, Round, TableState


@dataclass(frozen=True, slots=True)
class Forfeit:
    """What one choice gives up for certain, and by which clause."""

    what: str
    amount: int  # minor units
    clause: str
    grave: bool  # the player is asked to confirm


def choice_of(act: c.Act, ante: int) -> str:
    """Return an act's name among the values: `bet`, `exchange 2c 4d`, `bet discard Kd`, `bet 3` for three antes."""
    match act:
        case c.Bet() if act.amount is not None:
            return f"bet {act.amount // ante}"
        case c.Exchange():
            return f"exchange {names(tuple(CardId(one) for one in sorted(act.give)))}"
        case c.Bet() | c.Stay() if act.discard is not None:
            aside = sorted(CardId(one) for one in c.laid_aside(act.discard))
            return f"{act.do} discard {names(tuple(aside))}"
        case _:
            return act.do


def choices(book: Book, table: TableState, number: int) -> Values | None:
    """Return what every choice of a box is worth, in antes.

    None if nobody has looked at the cards, if all is decided, if a card may be bought for the dealer, or if a choice
    is not priced.
    """
    book = in_force(book, table)
    decision = _decision(book, table, number)
    if decision is None or book.bought is not None or unpriced_choices(book):
        return None
    box, dealt = decision.box, decision.dealt
    ratio = Fraction(box.side, decision.ante) if box.lit else Fraction(0)
    if len(decision.current.live) > 1:
        book = without_shared_cap(book)
    if is_capped(book):
        book = with_ante(book, Amount(decision.ante))
    if book.dealer is None:
        with_bonus = ratio and book.bonus is not None
        values = bonus.value(book, dealt, ratio=ratio) if with_bonus else games.value(book, dealt, None)
        return _with_named(decision, values)
    values = games.value(book, dealt, None if decision.up is None else CardId(decision.up), exchanged=decision.swap)
    if not ratio:
        return _with_named(decision, values)
    lines = {play: line for play in ("fold", "bet", "exchange") if (line := _side(decision, play)) is not None}
    with_side = Values.of(
        {
            choice: worth + Fraction(_net(lines.get(choice.split()[0])), decision.ante)
            for choice, worth in values.decisions.items()
        }
    )
    return _with_named(decision, with_side)


def _with_named(decision: "_Decision", values: Values) -> Values:
    """Return the values with the named side wagers that a fold gives up, if the known cards decide them.

    A wager that stands in any case does not affect the choice. A wager that depends on unseen cards is left out; what a
    fold gives up of it is among the forfeits.
    """
    counted = counted_sides(decision.book, decision.box)
    if not counted:
        return values
    nets = {play: sum(line.net for line in decision.lines(play) if line.wager in counted) for play in ("fold", "bet")}
    return Values.of(
        {
            choice: worth + Fraction(nets["fold" if choice == "fold" else "bet"], decision.ante)
            for choice, worth in values.decisions.items()
        }
    )


def counted_sides(book: Book, box: Box) -> list[str]:
    """Return the named side wagers that the values of the choices count."""
    if book.exchange is not None:
        return []
    return [name for name in _given_up_with_a_fold(book, box) if _is_known(book, name)]


def _given_up_with_a_fold(book: Book, box: Box) -> list[str]:
    if not _giving_up(book):
        return []
    return [name for name in box.named if book.sides[name].folded != "stands"]


def _giving_up(book: Book) -> list[Choice]:
    """The choices of a book by which a hand is given up."""
    return [one for one in GIVES_UP if one in book.decide.choices]


def _is_known(book: Book, name: str) -> bool:
    """Return True if a named wager depends only on cards that its player has seen."""
    side = book.sides[name]
    return side.cards in ("own", "own-and-up-card") and side.needs in (None, "nothing")


def cost(book: Book, table: TableState, number: int, choice: str, *, among: Values) -> Fraction | None:
    """Return what a choice costs against the best one `among` them, in antes; None if it has no value."""
    worth = among.decisions.get(choice)
    if worth is None and choice == "declare":
        decision = _decision(in_force(book, table), table, number)
        assert decision is not None, "what can be valued can be settled"
        worth = Fraction(sum(line.net for line in decision.lines("declare")), decision.ante)
    return None if worth is None else max(among.decisions[among.best] - worth, Fraction(0))


def forfeits(book: Book, table: TableState, number: int) -> Mapping[str, Forfeit]:
    """Return what each kind of choice (`fold`, `exchange`, `declare`, `bet`, `stay`) gives up besides its price."""
    book = in_force(book, table)
    decision = _decision(book, table, number)
    if decision is None:
        return {}
    given_up: dict[str, Forfeit] = {}
    if book.dealer is not None:
        given_up |= _side_forfeits(decision)
    for choice in _giving_up(book) if book.bonus is not None and decision.box.lit else ():
        line = _side(decision, choice)
        if line is not None and line.outcome == "lose":
            given_up[choice] = Forfeit("your bonus bet is lost", line.stake, line.clause, grave=False)
    if book.instant is not None and "declare" in book.decide.choices:
        given_up |= _instant_forfeits(decision)
    return _named_forfeits(decision) | given_up


@dataclass(frozen=True, slots=True)
class _Decision:
    """A box that must decide, as its player sees it."""

    book: Book
    table: TableState
    current: Round
    box: Box
    dealt: tuple[CardId, ...]  # before an exchange
    swap: Swap | None
    ante: int

    @property
    def up(self) -> int | None:
        return self.current.up

    @property
    def given_up_with_a_fold(self) -> list[str]:
        """The named side wagers that a fold gives up."""
        return _given_up_with_a_fold(self.book, self.box)

    def lines(self, play: Choice, swap: Swap | None = None) -> tuple[Line, ...]:
        """Return the lines of the box after that play, with arbitrary cards in the places that nobody has seen."""
        box, book = self.box, self.book
        known = {*self.dealt, self.up, *(() if swap is None else swap.take)}
        unseen = [one for one in DECK if one not in known]
        bank = () if self.up is None else (CardId(self.up), *unseen[:4])
        aside = self.dealt[: book.hands.discards] if play not in ENDS_EARLY else ()
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
            sides=tuple((name, Amount(wager.stake)) for name, wager in box.named.items()),
        )
        scenario = Scenario(
            seats=(seat,),
            dealer=bank,
            community=tuple(unseen[: book.hands.community]),
            meter=None if self.current.meter is None else Amount(self.current.meter),
            reset=None if self.table.reset is None else Amount(self.table.reset),
            awards=posted(book, self.table),
        )
        settled = settle(book, scenario)
        return settled.lines if isinstance(settled, Settlement) else ()


def _decision(book: Book, table: TableState, number: int) -> _Decision | None:
    current = table.live_round
    box = None if current is None else current.boxes.get(number)
    if current is None or box is None or not box.seen or not box.owes_decision or len(box.cards) != book.hands.cards:
        return None
    if book.dealer is not None and current.up is None:
        return None
    came_for = dict(zip(box.took, box.gave, strict=True))
    dealt = tuple(CardId(came_for.get(one, one)) for one in box.cards)
    return _Decision(book, table, current, box, dealt, swap_of(box), ante_in_play(book, table, box))


def _side(decision: _Decision, play: str) -> Line | None:
    """Return the line of the side wager after a fold, a bet, or an exchange; None if there is none."""
    swap = decision.swap
    if play == "exchange":
        unseen = next(one for one in DECK if one not in decision.dealt and one != decision.up)
        swap = Swap(decision.dealt[:1], (unseen,))
    lines = decision.lines(next((choice for choice in GIVES_UP if choice == play), "bet"), swap)
    return next((line for line in lines if line.wager == "side"), None)


def _net(line: Line | None) -> int:
    return 0 if line is None else line.net


def _side_forfeits(decision: _Decision) -> dict[str, Forfeit]:
    """Return what the side wager loses by a fold or an exchange: the award of the hand, or the stake."""
    kept = _side(decision, "bet")
    if not decision.box.lit or kept is None:
        return {}
    forfeits: dict[str, Forfeit] = {}
    award = kept.pays if kept.outcome == "win" else 0
    for choice in _giving_up(decision.book) if award else ():
        given_up = _side(decision, choice)
        if given_up is not None and given_up.outcome != "win":
            forfeits[choice] = Forfeit("the award for your hand is not paid", award, given_up.clause, grave=True)
    if decision.book.exchange is not None and decision.swap is None:
        changed = _side(decision, "exchange")
        if changed is not None and changed.outcome == "lose":
            what = "side bet and award are lost" if award else "your side bet is lost"
            forfeits["exchange"] = Forfeit(what, award or changed.stake, changed.clause, grave=award > 0)
    return forfeits


def _named_forfeits(decision: _Decision) -> dict[str, Forfeit]:
    """Return what a fold gives up of named side wagers: what they win by the player's own cards, or else the stake."""
    given_up = decision.given_up_with_a_fold
    if not given_up:
        return {}
    known = [name for name in given_up if _is_known(decision.book, name)]
    won = [line for line in decision.lines("bet", decision.swap) if line.wager in known and line.outcome == "win"]
    lost = [name for name in given_up if name not in known and decision.book.sides[name].folded == "lost"]
    if won:
        what = f"what {' and '.join(line.wager for line in won)} wins is not paid"
        amount, first = sum(line.pays for line in won), won[0].wager
    elif lost:
        what = f"your stake on {' and '.join(lost)} is lost"
        amount, first = sum(decision.box.named[name].stake for name in lost), lost[0]
    else:
        return {}
    forfeit = Forfeit(what, amount, decision.book.cite(f"sides.{first}.folded"), grave=bool(won))
    return dict.fromkeys(_giving_up(decision.book), forfeit)


def _instant_forfeits(decision: _Decision) -> dict[str, Forfeit]:
    """Return the forfeits of a declaration: a wrong one loses the ante, an undeclared instant winner is not paid."""
    assert decision.book.instant is not None
    lines = decision.lines("declare")
    winner = instant(decision.dealt, ace_low=decision.book.instant.ace_low)
    if winner is None:
        lost = [line for line in lines if line.outcome == "lose"]
        amount = sum(line.stake for line in lost)
        what = "these cards are no instant winner, and the ante is lost"
        return {"declare": Forfeit(what, amount, lost[0].clause, grave=True)} if lost else {}
    won = [line for line in lines if line.outcome == "win"]
    if not won:
        return {}
    what = f"{winner.title} pays only if it is declared now"
    forfeit = Forfeit(what, sum(line.pays for line in won), won[0].clause, grave=True)
    return {choice: forfeit for choice in decision.book.decide.choices if choice != "declare"}
