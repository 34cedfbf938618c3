"""What each viewer may see of a table, decided here and nowhere else: what is hidden never leaves this module.

A view has a common part, the same for everybody, and a small own part. A player sees their own cards once they have
looked, and what lies face up. The pit also sees money, breaches and questions; surveillance sees all that is recorded.
Clauses are named by their ids; `clause_words` gives their words once.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import msgspec

from aceking.cards.card import RANK_WORDS, CardId, name, named, names, rank_of
from aceking.cards.hand import plural
from aceking.cards.three import instant
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.settlement.judge import judge
from aceking.settlement.lines import Line
from aceking.table.options import in_force
from aceking.table.show.offers import Offer, dealer_offers, player_offers, question_offers
from aceking.table.state import Box, Question, Round, TableState

Eye = Literal["player", "dealer", "pit", "rail", "surveillance"]
#: Cards by name from the first dealt; None is a card face down.
Faces = tuple[str | None, ...]


class Viewer(msgspec.Struct, frozen=True):
    """Who looks at the table."""

    eye: Eye
    player: str = ""  # the name, if the viewer is a player
    seats: tuple[int, ...] | None = None  # the places where the player may stake, if places are assigned


class LineView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of money, with the clause that is its reason."""

    wager: str
    stake: str
    outcome: str
    pays: str
    clause: str
    net: str
    moved: bool = False
    envy_of: int | None = None  # the box whose hand it is paid for, if not this one


class SideView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A side wager and its light."""

    wager: str
    stake: str
    lit: bool = False


class BoxView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One betting place, as all may see it."""

    box: int
    player: str
    ante: str = "0"
    sides: tuple[SideView, ...] = ()
    bet: str = "0"
    fee: str = "0"
    paid: str | None = None  # for a card for the dealer
    cards: Faces = ()
    words: str | None = None
    seen: bool = False
    choice: str | None = None
    gave_up: bool = False  # by that choice
    left: bool = False
    out: Literal["void", "forfeited"] | None = None
    lines: tuple[LineView, ...] = ()
    net: str | None = None


class QuestionView(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open question; if a claim differs from the record, both."""

    question: int
    mishap: str
    of: str
    boxes: tuple[int, ...] = ()
    unregulated: bool = False
    what: str = ""
    record: str = ""
    clause: str | None = None


class Common(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table as everybody may see it. Amounts are decimal texts in the book's currency."""

    table: str
    book: str
    mode: str
    open: bool = False
    round: int | None = None
    phase: str | None = None
    turn: str | None = None  # "players", "box 3", "dealer", or who must answer a question
    ante_min: str | None = None
    ante_max: str | None = None
    boxes: tuple[BoxView, ...] = ()
    dealer: Faces = ()
    up: str | None = None
    dealer_words: str | None = None
    dealer_qualifies: bool | None = None
    bought: str | None = None  # the card bought for the dealer
    community: Faces = ()
    burn: Faces = ()
    boxed: Faces = ()
    meter: str | None = None
    suspended: str | None = None
    questions: tuple[QuestionView, ...] = ()


class OwnBox(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What only the player of a box, or surveillance, may see of it."""

    box: int
    cards: Faces = ()
    discard: str | None = None
    gave: str | None = None  # in an exchange
    words: str | None = None


class OwnView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one viewer sees besides the common part, and what they may do."""

    eye: Eye
    player: str = ""
    boxes: tuple[OwnBox, ...] = ()
    may: tuple[Offer, ...] = ()
    chips: str | None = None  # what the viewing player has won or lost at this table
    accounts: dict[str, str] = {}  # pit and surveillance
    violations: int | None = None
    dealer: Faces = ()  # surveillance
    community: Faces = ()
    burn: Faces = ()
    rack: tuple[tuple[str, Faces], ...] = ()


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as one viewer may see it, ready for JSON."""

    common: Common
    own: OwnView


def view(book: Book, table: TableState, viewer: Viewer) -> View:
    """Return the table as this viewer may see it."""
    return View(common(book, table), own(book, table, viewer))


def common(book: Book, table: TableState) -> Common:
    """Return what everybody may see; made once for all viewers."""
    book = in_force(book, table)
    current = table.round
    fixed = Common(
        table=table.id,
        book=book.id,
        mode=table.mode,
        open=table.open,
        turn=_turn(book, table),
        ante_min=_money(book, table.ante_min),
        ante_max=_money(book, table.ante_max),
        suspended=table.suspended,
        questions=tuple([question_view(one) for one in table.questions]),
    )
    if current is None:
        return fixed
    revealed = "reveal" in current.acts
    dealer_shows = revealed and len(current.dealer) == book.hands.cards
    judged = judge(book).strength(_cards(current.dealer)) if dealer_shows else None
    return msgspec.structs.replace(
        fixed,
        round=current.number,
        phase=current.phase,
        boxes=tuple([_box(book, current, current.boxes[number]) for number in sorted(current.boxes)]),
        dealer=_faces(current.dealer, current.dealer if revealed else (current.up,)),
        up=None if current.up is None else name(CardId(current.up)),
        dealer_words=None if judged is None else judge(book).words_at(judged),
        dealer_qualifies=None if judged is None else bool(judge(book).qualifies[judged]),
        bought=None if current.bought is None else name(CardId(current.bought)),
        community=_faces(current.community, current.community if revealed else ()),
        burn=_faces(current.burn, ()),
        boxed=_faces(current.boxed, current.boxed),
        meter=_money(book, current.meter),
    )


def own(book: Book, table: TableState, viewer: Viewer) -> OwnView:
    """Return what only this viewer sees and may do."""
    book = in_force(book, table)
    current = table.round
    everything = viewer.eye == "surveillance"
    overseer = everything or viewer.eye == "pit"
    seen = OwnView(
        eye=viewer.eye,
        player=viewer.player,
        boxes=_own_boxes(book, current, viewer),
        may=_may(book, table, viewer),
        chips=_money(book, table.accounts.get(viewer.player, 0)) if viewer.eye == "player" else None,
        accounts={who: _sure(book, chips) for who, chips in table.accounts.items()} if overseer else {},
        violations=table.violations if overseer else None,
    )
    if current is None or not everything:
        return seen
    return msgspec.structs.replace(
        seen,
        dealer=_faces(current.dealer, current.dealer),
        community=_faces(current.community, current.community),
        burn=_faces(current.burn, current.burn),
        rack=tuple((what.words, _faces(cards, cards)) for what, cards in current.rack),
    )


def _own_boxes(book: Book, current: Round | None, viewer: Viewer) -> tuple[OwnBox, ...]:
    """Return the player's own boxes that they have looked at; for surveillance, all boxes."""
    if current is None or viewer.eye not in ("player", "surveillance"):
        return ()
    sees = [
        box
        for box in current.boxes.values()
        if viewer.eye == "surveillance" or (box.player == viewer.player and box.seen)
    ]
    return tuple(
        [
            OwnBox(
                box=box.number,
                cards=_faces(box.cards, box.cards),
                discard=names(_cards(box.aside)) if box.discard is not None else None,
                gave=names(_cards(box.gave)) if box.give is not None else None,
                words=hand_words(book, current, box),
            )
            for box in sees
        ]
    )


def _box(book: Book, current: Round, box: Box) -> BoxView:
    face_up = _face_up(current, box)
    out = box.void or box.forfeited
    own = () if out else [(number, line) for number, line in enumerate(current.lines) if line.seat == box.number]
    return BoxView(
        box=box.number,
        player=box.player,
        ante=_sure(book, box.ante),
        sides=tuple([SideView(wager, _sure(book, one.stake), one.lit) for wager, one in box.sides.items()]),
        bet=_sure(book, box.bet),
        fee=_sure(book, box.fee),
        paid=_sure(book, box.paid) if box.paid else None,
        cards=_faces(box.cards, face_up),
        words=hand_words(book, current, box) if face_up and set(face_up) >= set(box.kept) else None,
        seen=box.seen,
        choice=box.choice,
        gave_up=box.gave_up,
        left=box.left,
        out="void" if box.void else "forfeited" if box.forfeited else None,
        lines=tuple([_line(book, line, moved=number in current.moved) for number, line in own]),
        net=_sure(book, sum([line.net for _, line in own])) if current.settled and not out else None,
    )


def _face_up(current: Round, box: Box) -> tuple[int, ...]:
    """Return the cards of a box that lie face up. A discard stays hidden from all others for ever."""
    turned = (box.turned and "reveal" in current.acts) or (box.choice == "declare" and not box.aside)
    return box.kept if turned else ()


def hand_words(book: Book, current: Round, box: Box) -> str | None:
    """Return the words for a hand as far as its holder can know it; None if it is incomplete."""
    held = box.kept
    if "reveal" in current.acts and len(box.aside) == book.hands.discards:
        held = (*held, *current.community)
    return _words(book, held)


@lru_cache(maxsize=4096)  # a hand is shown again with every view until its round is over
def _words(book: Book, numbers: tuple[int, ...]) -> str | None:
    held = _cards(numbers)
    if len(held) == 5:
        return judge(book).words(held)
    return few_words(book, held) if len(held) == book.hands.cards else None


def few_words(book: Book, held: tuple[CardId, ...]) -> str | None:
    """Return the words for the cards before the community cards: an instant winner, a pair, or the high card."""
    if book.instant is not None and (winner := instant(held, ace_low=book.instant.ace_low)):
        return winner.title
    ranks = sorted((rank_of(one) for one in held), reverse=True)
    pair = next((one for one in ranks if ranks.count(one) > 1), None)
    return f"pair of {plural(pair)}" if pair is not None else f"{RANK_WORDS[ranks[0]]} high"


def clause_words(book: Book, clauses: Iterable[str]) -> dict[str, str]:
    """Return the words of the clauses that a view names, each once."""
    return {one: book.clauses[one].says for one in clauses if one in book.clauses}


def _line(book: Book, line: Line, *, moved: bool) -> LineView:
    return LineView(
        wager=line.wager,
        stake=_sure(book, line.stake),
        outcome=line.outcome,
        pays=_sure(book, line.pays),
        clause=line.clause,
        net=_sure(book, line.net),
        moved=moved,
        envy_of=None if isinstance(line.envy_of, msgspec.UnsetType) else line.envy_of,
    )


def _turn(book: Book, table: TableState) -> str | None:
    """Return who must act before the game goes on; None if the table is closed."""
    if table.holding is not None:
        return table.holding.of
    current = table.live_round
    if current is None:
        return "dealer" if table.open else None
    if current.phase == "betting" or current.buying:
        return "players"
    owing = [box.number for box in current.dealt_in if box.owes_decision]
    if current.phase == "deciding" and owing:
        return f"box {owing[0]}" if book.decide.order == "clockwise" else "players"
    return "dealer"


def _may(book: Book, table: TableState, viewer: Viewer) -> tuple[Offer, ...]:
    match viewer.eye:
        case "player":
            return player_offers(book, table, viewer.player, viewer.seats)
        case "dealer":
            return dealer_offers(book, table)
        case "pit":
            return question_offers(book, table)
        case _:
            return ()


def question_view(ask: Question) -> QuestionView:
    """Return an open question as everybody may see it."""
    return QuestionView(ask.number, ask.mishap, ask.of, ask.boxes, ask.unregulated, ask.what, ask.record, ask.clause)


def _faces(cards: tuple[int, ...], known: tuple[int | None, ...]) -> Faces:
    if known == cards:
        return named(cards)
    return tuple([name(CardId(one)) if one in known else None for one in cards]) if known else (None,) * len(cards)


def _cards(numbers: tuple[int, ...]) -> tuple[CardId, ...]:
    return tuple([CardId(one) for one in numbers])


def _money(book: Book, amount: int | None) -> str | None:
    return None if amount is None else shown(amount, decimals=book.decimals)


def _sure(book: Book, amount: int) -> str:
    return shown(amount, decimals=book.decimals)
