"""Rows to find past rounds by: one for each round and each hand, computed from the log."""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import ColumnElement, and_, insert, or_, select

from aceking.house.store.protocol import Store
from aceking.house.store.sql.tables import past_hand, past_round, past_upto

#: Ids per log entry, since several rounds may end in one entry.
ROUNDS_OF_ENTRY = 1000


class PastHand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand of a round; box 0 is the dealer, or the cards that all share."""

    box: int
    player: str = ""
    stake: int = 0
    net: int = 0
    hand: int | None = None
    cards: int = 0  # one bit for each card of the hand


class PastRow(msgspec.Struct, frozen=True, kw_only=True):
    """One round that is over, and its place in the log."""

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
        return self.id // ROUNDS_OF_ENTRY


class AmountRange(msgspec.Struct, frozen=True):
    """Amounts from and to, by the decimals of their currency; None is no limit."""

    low: dict[int, int] | None = None
    high: dict[int, int] | None = None


class RoundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A search for rounds; empty fields do not restrict. The fields of a hand apply to the same hand."""

    table: str = ""
    since: int | None = None
    until: int | None = None
    void: bool | None = None
    player: str = ""
    stake: AmountRange = AmountRange()
    net: AmountRange = AmountRange()
    hand: int | None = None
    whose: str = ""  # "dealer", "player", or "winner": a player's that won
    cards: int = 0


def upto(store: Store) -> int:
    """Return the last entry of the log whose rounds can be found."""
    with store.reading() as connection:
        return connection.execute(select(past_upto.c.seq)).scalar() or 0


def add(store: Store, rows: Sequence[PastRow], *, since: int, upto: int) -> bool:
    """Insert the rounds of the entries between these two. Return False if another process has done so."""
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


def find(store: Store, query: RoundQuery, *, before: int | None, most: int) -> list[PastRow]:
    """Return the newest matching rounds before the id `before`, newest first."""
    where = [*_of_round(query)]
    if before is not None:
        where.append(past_round.c.id < before)
    if of_hand := [*_of_hand(query)]:
        same = past_hand.c.round == past_round.c.id
        where.append(select(past_hand.c.box).where(same, *of_hand).exists())
    if query.player:
        # By the index of players, so that only the rounds of this player are read.
        where.append(past_round.c.id.in_(select(past_hand.c.round).where(past_hand.c.player == query.player)))
    with store.reading() as connection:
        matches = connection.execute(select(past_round).where(*where).order_by(past_round.c.id.desc()).limit(most))
        rows = [dict(row._mapping) for row in matches]
        hands: dict[int, list[PastHand]] = {row["id"]: [] for row in rows}
        of_rounds = select(past_hand).where(past_hand.c.round.in_(list(hands)))
        for row in connection.execute(of_rounds.order_by(past_hand.c.round, past_hand.c.box)):
            hand = dict(row._mapping)
            hands[hand.pop("round")].append(PastHand(**hand))
    return [PastRow(**row, hands=tuple(hands[row["id"]])) for row in rows]


def by_number(store: Store, table: str, number: int) -> PastRow | None:
    """Return a round by its table and number, without its hands; None if it is not indexed."""
    query = select(past_round).where(past_round.c.table == table, past_round.c.number == number)
    with store.reading() as connection:
        row = connection.execute(query).first()
    return None if row is None else PastRow(**row._mapping)


def _of_round(query: RoundQuery) -> Iterable[ColumnElement[bool]]:
    if query.table:
        yield past_round.c.table == query.table
    if query.since is not None:
        yield past_round.c.ended >= query.since
    if query.until is not None:
        yield past_round.c.began <= query.until
    if query.void is not None:
        yield past_round.c.void == query.void


def _of_hand(query: RoundQuery) -> Iterable[ColumnElement[bool]]:
    if query.player:
        yield past_hand.c.player == query.player
    for column, limits in ((past_hand.c.stake, query.stake), (past_hand.c.net, query.net)):
        if limits.low is not None:
            yield or_(*(and_(past_round.c.decimals == places, column >= low) for places, low in limits.low.items()))
        if limits.high is not None:
            yield or_(*(and_(past_round.c.decimals == places, column <= high) for places, high in limits.high.items()))
        if limits != AmountRange():
            yield past_hand.c.box > 0
    if query.hand is not None:
        yield past_hand.c.hand == query.hand
    if query.cards:
        yield past_hand.c.cards.op("&")(query.cards) == query.cards
    match query.whose:
        case "dealer":
            yield past_hand.c.box == 0
        case "player":
            yield past_hand.c.box > 0
        case "winner":
            yield past_hand.c.net > 0
        case _:
            pass
