"""What feeds the meter: wagers of tables, to the last fraction; and the rounds they belong to."""

from aceking.link.bylaws import DEALER, FLOOR, Books, No, acts_as, cited, clause_of, table_of
from aceking.link.commands import Contribute, EndGame, Fault, Feed, ShownAll, StartGame, VoidRound
from aceking.link.events import AnyEvent, Contributed, GameEnded, GameStarted, HandsShown, RoundVoided
from aceking.link.state import LinkState, Table, pending
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated


def contribute(books: Books, state: LinkState, command: Contribute) -> tuple[AnyEvent, ...] | No:
    """The wagers of one table at one moment. Tables are taken in the order in which they report; none is left out."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    if command.wagers < 1:
        return Refusal("a contribution is of one wager or more", "R1")
    if table.running:
        return Refusal("a round is under way, and its wagers were counted at START GAME", "R2")
    book = books[table.book]
    if table.suspended or table.fault is not None:
        refused = _stopped(book, table, seats=(0,))
        if refused is not None:
            return refused
    fed = _fed(book, state, command, command.wagers)
    return fed if isinstance(fed, Refusal) else (fed,)


def _fed(book: Book, state: LinkState, command: Contribute | StartGame, wagers: int) -> Contributed | Refusal:
    config, rules = state.config, book.progressive
    assert config is not None
    assert rules is not None
    wagered = wagers * rules.stake
    to_meter, to_reserve = wagered * state.rate_parts, wagered * state.hidden_parts
    if config.contribution_max is not None and to_meter > config.contribution_max * state.scale:
        return Refusal("no round feeds so much: the contribution is unreasonable", "R1")
    to_overflow = 0
    if config.limit is not None:
        to_overflow = max(0, min(to_meter, state.counters.value + to_meter - config.limit * state.scale))
    return Contributed(
        at=command.at,
        table=command.table,
        wagers=wagers,
        wagered=wagered,
        to_meter=to_meter - to_overflow,
        to_reserve=to_reserve,
        to_overflow=to_overflow,
    )


def start_game(books: Books, state: LinkState, command: StartGame) -> tuple[AnyEvent, ...] | No:
    """START GAME: bets close, the lights of the seats with a wager stay on, and those wagers feed the meter."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    clause = clause_of(book, "START GAME", otherwise=book.cite("wagers.closes"))
    if refused := acts_as(state, command.by, DEALER, clause):
        return refused
    if table.running:
        return Refusal("the round before is not ended", clause)
    if refused := _stopped(book, table, seats=command.seats):
        return refused
    if len(set(command.seats)) < len(command.seats):
        return Refusal("a seat is lit twice", cited(book, "progressive.light", otherwise=clause))
    if wrong := [seat for seat in command.seats if not 1 <= seat <= book.table.seats_max]:
        text = f"the table has {book.table.seats_max} places, there is no {wrong[0]}"
        return Refusal(text, book.cite("table.seats_max"))
    seats = tuple(sorted(command.seats))
    started = GameStarted(at=command.at, table=command.table, game=table.game + 1, seats=seats, by=command.by)
    if not seats:
        return (started,)
    fed = _fed(book, state, command, len(seats))
    return fed if isinstance(fed, Refusal) else (started, fed)


def _stopped(book: Book, table: Table, *, seats: tuple[int, ...]) -> Refusal | None:
    """Whether the table may not start a round, or not with these seats, because of a pause or a fault."""
    if table.suspended:
        return Refusal("the table is suspended", cited(book, "progressive.tables_meanwhile", otherwise="R12"))
    fault = table.fault
    if fault is None:
        return None
    clause = cited(book, "progressive.fault_later", otherwise="R12")
    match fault.course:
        case None:
            return Refusal("the progressive has failed, and how to go on is not decided", clause)
        case "close-table":
            return Refusal("the table is closed until the progressive works again", clause)
        case "block-affected-box":
            # Wagers that are reported without their seats may come from the box that is blocked.
            if blocked := [seat for seat in seats if seat in fault.boxes or seat == 0]:
                return Refusal(f"box {blocked[0]} is blocked until the progressive works again", clause)
        case "play-without-jackpot":
            if seats:
                return Refusal("no jackpot bets are taken until the progressive works again", clause)
    return None


def end_game(books: Books, state: LinkState, command: EndGame) -> tuple[AnyEvent, ...] | No:
    """END GAME: refused while an award of the round is open, or its paper is missing where the book wants paper."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    clause = clause_of(book, "END GAME", otherwise="R16")
    if refused := acts_as(state, command.by, DEALER, clause):
        return refused
    if not table.running:
        return Refusal("no round is under way", clause)
    for one in state.awards.values():
        if one.table != command.table or one.step == "undone":
            continue
        if one.step != "paid":
            return Refusal(f"the award of seat {one.seat} is not paid", clause_of(book, "pay-award", otherwise=clause))
        papers = clause_of(book, "documentation-complete", otherwise="")
        if papers and one.from_meter and one.printed_at is None:
            return Refusal(f"the papers of seat {one.seat}'s award are not complete", papers)
    return (GameEnded(at=command.at, table=command.table, game=table.game, by=command.by),)


def void_round(books: Books, state: LinkState, command: VoidRound) -> tuple[AnyEvent, ...] | No:
    """Stakes go back; what they fed stays on the meter or is backed out, as the book or its house has it."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    rules = book.progressive
    assert rules is not None
    clause = cited(book, "progressive.void_feed", otherwise="R17")
    if refused := acts_as(state, command.by, FLOOR, clause):
        return refused
    if not table.running:
        return Refusal("no round is under way", clause)
    if not command.reason.strip():
        return Refusal("a round is not annulled without a reason", "R17")
    if rules.void_feed is not None and command.feed not in (None, rules.void_feed):
        return Refusal(f"what a void round fed is {rules.void_feed}", clause)
    feed = rules.void_feed or command.feed
    if feed is None:
        return Unregulated("what becomes of the feed of a void round is not said", book.void.last_word)
    return voided(state, command, reason=command.reason, feed=feed, clause=clause)


def voided(
    state: LinkState, command: VoidRound | Fault, *, reason: str, feed: Feed, clause: str
) -> tuple[AnyEvent, ...] | Refusal:
    """The annulment itself: what the round fed stays, or comes off wherever it went."""
    table, has, back = state.tables[command.table], state.counters, feed == "reversed"
    if any(one.table == command.table and one.step != "undone" for one in state.awards.values()):
        return Refusal("an award of this round is to be taken back, or adjusted, first", "R17")
    if back and pending(state):
        return Refusal("the meter is held for awards that are not signed yet", "R6")
    if back and (has.value < table.game_fed or has.reserve < table.game_reserve):
        return Refusal("the meter was won since: what this round fed is no longer on it", clause)
    return (
        RoundVoided(
            at=command.at,
            table=command.table,
            game=table.game,
            by=command.by,
            reason=reason,
            feed=feed,
            clause=clause,
            from_meter=table.game_fed if back else 0,
            from_reserve=table.game_reserve if back else 0,
            from_overflow=table.game_overflow if back else 0,
        ),
    )


def shown_all(books: Books, state: LinkState, command: ShownAll) -> tuple[AnyEvent, ...] | No:
    """A table that was paused in mid-round reports that it has no other winner."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    clause = cited(books[table.book], "progressive.across_tables", otherwise="R16")
    if refused := acts_as(state, command.by, (*DEALER, *FLOOR), clause):
        return refused
    if state.occasion is None or command.table not in state.occasion.waiting:
        return Refusal("nobody waits for this table", clause)
    return (HandsShown(at=command.at, table=command.table, by=command.by),)
