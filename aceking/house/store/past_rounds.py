"""What past rounds are found by: a row for each round and each hand, worked out from the log and kept up with it."""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import ColumnElement, and_, insert, or_, select

from aceking.house.store.protocol import Store
from aceking.house.store.sql.tables import past_hand, past_round, past_upto

#: Rounds that end in one entry have ids of their own.
ROUNDS_OF_ENTRY = 1000


class PastHand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand of a round; box 0 is the dealer, or the cards that all share."""

    box: int
    player: str = ""
    stake: int = 0
    net: int = 0
    hand: int | None = None
    cards: int = 0  # a bit for each card that lay in it


class PastRow(msgspec.Struct, frozen=True, kw_only=True):
    """One round that is over, and where the log has it."""

    id: int
    table: str
    number: int
    began: int
    ended: int
    first: int
    after: int
    version: int
    decimals: int
    void: bool
    hands: tuple[PastHand, ...] = ()

    @property
    def last(self) -> int:
        """The entry that ended it."""
        return self.id // ROUNDS_OF_ENTRY


class Between(msgspec.Struct, frozen=True):
    """Amounts, by the decimals of the currency that they are in, from and to; None is without end."""

    low: dict[int, int] | None = None
    high: dict[int, int] | None = None


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which rounds are looked for; what is left open is not asked. All that is said of a hand is of the same hand."""

    table: str = ""
    since: int | None = None
    until: int | None = None
    void: bool | None = None
    player: str = ""
    stake: Between = Between()
    net: Between = Between()
    hand: int | None = None
    whose: str = ""  # "dealer", "player", or "winner": a player's that won
    cards: int = 0


def upto(store: Store) -> int:
    """The entry of the log up to which rounds can be found."""
    with store.reading() as connection:
        return connection.execute(select(past_upto.c.seq)).scalar() or 0


def add(store: Store, rows: Sequence[PastRow], *, since: int, upto: int) -> bool:
    """Puts rounds in, of the entries between these two; false where another process was faster."""
    rounds = [{key: value for key, value in msgspec.structs.asdict(row).items() if key != "hands"} for row in rows]
    hands = [msgspec.structs.asdict(hand) | {"round": row.id} for row in rows for hand in row.hands]
    with store.aside() as connection:
        if since:
            moved = connection.execute(past_upto.update().where(past_upto.c.seq == since).values(seq=upto)).rowcount
            if moved != 1:
                return False
        elif connection.execute(select(past_upto.c.seq)).first() is not None:
            return False
        else:
            connection.execute(insert(past_upto).values(seq=upto))
        if rounds:
            connection.execute(insert(past_round), rounds)
        if hands:
            connection.execute(insert(past_hand), hands)
    return True


def find(store: Store, wanted: Wanted, *, before: int | None, most: int) -> list[PastRow]:
    """The newest rounds that are wanted, before one of them, the newest first."""
    where = [*_of_round(wanted)]
    if before is not None:
        where.append(past_round.c.id < before)
    if of_hand := [*_of_hand(wanted)]:
        same = past_hand.c.round == past_round.c.id
        where.append(select(past_hand.c.box).where(same, *of_hand).exists())
    if wanted.player:
        # The rounds of one player by their index, before any of them is looked at.
        where.append(past_round.c.id.in_(select(past_hand.c.round).where(past_hand.c.player == wanted.player)))
    with store.reading() as connection:
        found = connection.execute(select(past_round).where(*where).order_by(past_round.c.id.desc()).limit(most))
        rows = [dict(row._mapping) for row in found]
        hands: dict[int, list[PastHand]] = {row["id"]: [] for row in rows}
        lie = select(past_hand).where(past_hand.c.round.in_(list(hands))).order_by(past_hand.c.round, past_hand.c.box)
        for row in connection.execute(lie):
            told = dict(row._mapping)
            hands[told.pop("round")].append(PastHand(**told))
    return [PastRow(**row, hands=tuple(hands[row["id"]])) for row in rows]


def one(store: Store, table: str, number: int) -> PastRow | None:
    """One round by its table and number."""
    asked = select(past_round).where(past_round.c.table == table, past_round.c.number == number)
    with store.reading() as connection:
        row = connection.execute(asked).first()
    return None if row is None else PastRow(**row._mapping)


def _of_round(wanted: Wanted) -> Iterable[ColumnElement[bool]]:
    if wanted.table:
        yield past_round.c.table == wanted.table
    if wanted.since is not None:
        yield past_round.c.ended >= wanted.since
    if wanted.until is not None:
        yield past_round.c.began <= wanted.until
    if wanted.void is not None:
        yield past_round.c.void == wanted.void


def _of_hand(wanted: Wanted) -> Iterable[ColumnElement[bool]]:
    if wanted.player:
        yield past_hand.c.player == wanted.player
    for column, asked in ((past_hand.c.stake, wanted.stake), (past_hand.c.net, wanted.net)):
        if asked.low is not None:
            yield or_(*(and_(past_round.c.decimals == places, column >= low) for places, low in asked.low.items()))
        if asked.high is not None:
            yield or_(*(and_(past_round.c.decimals == places, column <= high) for places, high in asked.high.items()))
        if asked != Between():
            yield past_hand.c.box > 0
    if wanted.hand is not None:
        yield past_hand.c.hand == wanted.hand
    if wanted.cards:
        yield past_hand.c.cards.op("&")(wanted.cards) == wanted.cards
    match wanted.whose:
        case "dealer":
            yield past_hand.c.box == 0
        case "player":
            yield past_hand.c.box > 0
        case "winner":
            yield past_hand.c.net > 0
        case _:
            pass
