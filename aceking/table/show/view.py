"""What each viewer may see of a table, cut here and nowhere else: what is hidden never leaves this module.

A player sees his own cards once he has looked, and what lies face up. Dealer, pit and rail see what lies face up; the
pit also sees money, breaches and questions. Surveillance sees whatever is recorded, except cards that are not yet out.
"""

from typing import Literal

import msgspec

from aceking.cards.card import RANK_WORDS, Card, name, rank_of
from aceking.cards.hand import plural
from aceking.cards.three import instant
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.settle.judge import judge
from aceking.settle.lines import Line
from aceking.table.options import in_force
from aceking.table.show.offers import Offer, dealer_offers, player_offers, question_offers
from aceking.table.state import Box, Question, Round, Table

Eye = Literal["player", "dealer", "pit", "rail", "surveillance"]
#: Cards by name from the first dealt; None is a back.
Faces = tuple[str | None, ...]


class Viewer(msgspec.Struct, frozen=True):
    """Who looks at the table."""

    eye: Eye
    player: str = ""  # where the eye is a player's


class LineView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of money, with its reason."""

    wager: str
    stake: str
    outcome: str
    pays: str
    clause: str
    says: str
    moved: bool = False


class BoxView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One betting place."""

    box: int
    player: str
    own: bool = False
    ante: str = "0"
    side: str = "0"
    lit: bool = False
    bet: str = "0"
    fee: str = "0"
    cards: Faces = ()
    discard: str | None = None  # known to its owner and to surveillance
    gave: str | None = None  # in an exchange; likewise
    words: str | None = None
    seen: bool = False
    choice: str | None = None
    out: Literal["void", "forfeited"] | None = None
    lines: tuple[LineView, ...] = ()
    net: str | None = None


class QuestionView(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open question."""

    question: int
    incident: str
    of: str
    boxes: tuple[int, ...] = ()
    unregulated: bool = False


class View(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table as one viewer may see it, ready for JSON. Amounts are decimal texts in the book's currency."""

    table: str
    book: str
    title: str
    mode: str
    eye: Eye
    player: str = ""
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
    community: Faces = ()
    burn: Faces = ()
    boxed: Faces = ()
    meter: str | None = None
    may: tuple[Offer, ...] = ()
    questions: tuple[QuestionView, ...] = ()
    chips: str | None = None  # what the viewing player is better off by at this table
    accounts: dict[str, str] = {}  # pit and surveillance
    violations: int | None = None
    rack: tuple[tuple[str, Faces], ...] = ()  # surveillance


def view(book: Book, table: Table, viewer: Viewer) -> View:
    """The table as this viewer may see it."""
    book = in_force(book, table)
    current = table.round
    overseer = viewer.eye in ("pit", "surveillance")
    common = View(
        table=table.id,
        book=book.id,
        title=book.title,
        mode=table.mode,
        eye=viewer.eye,
        player=viewer.player,
        turn=_turn(book, table),
        ante_min=_money(book, table.ante_min),
        ante_max=_money(book, table.ante_max),
        may=_may(book, table, viewer),
        questions=tuple(_question(one) for one in table.questions),
        chips=_money(book, table.accounts.get(viewer.player, 0)) if viewer.eye == "player" else None,
        accounts={who: _sure(book, chips) for who, chips in table.accounts.items()} if overseer else {},
        violations=table.violations if overseer else None,
    )
    if current is None:
        return common
    revealed = "reveal" in current.acts
    dealer_shows = revealed and len(current.dealer) == book.hands.cards
    judged = judge(book).strength(_cards(current.dealer)) if dealer_shows else None
    everything = viewer.eye == "surveillance"
    return msgspec.structs.replace(
        common,
        round=current.number,
        phase=current.phase,
        boxes=tuple(_box(book, current, current.boxes[number], viewer) for number in sorted(current.boxes)),
        dealer=_faces(current.dealer, current.dealer if revealed or everything else (current.up,)),
        up=None if current.up is None else name(Card(current.up)),
        dealer_words=None if judged is None else judge(book).words_at(judged),
        dealer_qualifies=None if judged is None else judged >= judge(book).qualifies_at,
        community=_faces(current.community, current.community if revealed or everything else ()),
        burn=_faces(current.burn, current.burn if everything else ()),
        boxed=_faces(current.boxed, current.boxed),
        meter=_money(book, current.meter),
        rack=_rack(current) if everything else (),
    )


def _box(book: Book, current: Round, box: Box, viewer: Viewer) -> BoxView:
    own = viewer.eye == "player" and box.player == viewer.player
    knows = viewer.eye == "surveillance" or (own and box.seen)
    shown_cards = _known(current, box, knows=knows)
    lines = tuple(
        _line(book, line, moved=number in current.moved)
        for number, line in enumerate(current.lines)
        if line.seat == box.number
    )
    total = sum(line.net for line in current.lines if line.seat == box.number)
    return BoxView(
        box=box.number,
        player=box.player,
        own=own,
        ante=_sure(book, box.ante),
        side=_sure(book, box.side),
        lit=box.lit,
        bet=_sure(book, box.bet),
        fee=_sure(book, box.fee),
        cards=_faces(box.cards, shown_cards),
        discard=name(Card(box.discard)) if knows and box.discard is not None else None,
        gave=name(Card(box.give)) if knows and box.give is not None else None,
        words=hand_words(book, current, box) if set(shown_cards) >= _kept(box) else None,
        seen=box.seen,
        choice=box.choice,
        out="void" if box.void else "forfeited" if box.forfeited else None,
        lines=() if box.void or box.forfeited else lines,
        net=_sure(book, total) if current.settled and not box.void and not box.forfeited else None,
    )


def _known(current: Round, box: Box, *, knows: bool) -> tuple[int, ...]:
    """The cards of a box that a viewer may see. A discard stays hidden from all others for ever."""
    if knows:
        return box.cards
    face_up = (box.turned and "reveal" in current.acts) or (box.choice == "declare" and box.discard is None)
    return tuple(one for one in box.cards if one != box.discard) if face_up else ()


def _kept(box: Box) -> set[int]:
    """The cards that make the hand; a hand without cards has no words."""
    return {one for one in box.cards if one != box.discard} or {-1}


def hand_words(book: Book, current: Round, box: Box) -> str | None:
    """The words for a hand as far as its holder can know it: with the community cards once they are turned."""
    held = _cards(tuple(one for one in box.cards if one != box.discard))
    if "reveal" in current.acts and box.discard is not None:
        held = (*held, *_cards(current.community))
    if len(held) == 5:
        return judge(book).words(held)
    return _three_words(book, held) if len(held) == book.hands.cards else None


def _three_words(book: Book, held: tuple[Card, ...]) -> str | None:
    """Three cards before the community cards: an instant winner, a pair, or the high card."""
    if book.instant is not None and (found := instant(held, ace_low=book.instant.ace_low)):
        return found.title
    ranks = sorted((rank_of(one) for one in held), reverse=True)
    pair = next((one for one in ranks if ranks.count(one) > 1), None)
    return f"pair of {plural(pair)}" if pair is not None else f"{RANK_WORDS[ranks[0]]} high"


def _line(book: Book, line: Line, *, moved: bool) -> LineView:
    return LineView(
        wager=line.wager,
        stake=_sure(book, line.stake),
        outcome=line.outcome,
        pays=_sure(book, line.pays),
        clause=line.clause,
        says=book.clauses[line.clause].says,
        moved=moved,
    )


def _rack(current: Round) -> tuple[tuple[str, Faces], ...]:
    """What lies in the rack; the stub only once the round is over, for its cards never came out."""
    over = current.phase in ("done", "void")
    return tuple((what, _faces(cards, cards if what != "stub" or over else ())) for what, cards in current.rack)


def _turn(book: Book, table: Table) -> str | None:
    """Who must act before the game goes on."""
    if table.questions:
        return table.questions[0].of
    current = table.live_round
    if current is None:
        return "dealer" if table.open else None
    if current.phase == "betting":
        return "players"
    owing = [box.number for box in current.dealt_in if box.owes_decision]
    if current.phase == "deciding" and owing:
        return f"box {owing[0]}" if book.decide.order == "clockwise" else "players"
    return "dealer"


def _may(book: Book, table: Table, viewer: Viewer) -> tuple[Offer, ...]:
    match viewer.eye:
        case "player":
            return player_offers(book, table, viewer.player)
        case "dealer":
            return dealer_offers(book, table)
        case "pit":
            return question_offers(table)
        case _:
            return ()


def _question(one: Question) -> QuestionView:
    return QuestionView(one.number, one.incident, one.of, one.boxes, one.unregulated)


def _faces(cards: tuple[int, ...], known: tuple[int | None, ...]) -> Faces:
    return tuple([name(Card(one)) if one in known else None for one in cards])


def _cards(numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple([Card(one) for one in numbers])


def _money(book: Book, amount: int | None) -> str | None:
    return None if amount is None else shown(amount, decimals=book.decimals)


def _sure(book: Book, amount: int) -> str:
    return shown(amount, decimals=book.decimals)
