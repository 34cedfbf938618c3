"""Contributions to the meter by the wagers of tables, and the rounds that they belong to."""

from aceking.award.authority import DEALER, FLOOR, cited, clause_of
from aceking.award.faults import forbids
from aceking.meter.commands import Contribute, EndMeterGame, Feed, ReportFault, ShownAll, StartMeterGame, VoidRound
from aceking.meter.events import AnyEvent, Contributed, GameEnded, GameStarted, HandsShown, MeterRoundVoided
from aceking.meter.evolve import evolve
from aceking.meter.governing_rules import Books, GoverningRules, governing, table_of
from aceking.meter.must_hit_by import CLAUSE, Seeds, fed_in_turn, no_trigger
from aceking.meter.state import MUST_HIT_BY, MeterState, MeterTable, pending
from aceking.rules.book import Book
from aceking.rules.refusal import No, Refusal


def contribute(books: Books, state: MeterState, command: Contribute) -> tuple[AnyEvent, ...] | No:
    """Count the wagers of one table, reported without a round."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    if command.wagers < 1:
        return Refusal("a contribution is of one wager or more", "R1")
    if state.ceiling is not None:
        return Refusal("a must-hit-by meter is fed at START GAME, so that it is known whose wager has won", CLAUSE)
    if table.running:
        return Refusal("a round is under way, and its wagers were counted at START GAME", "R2")
    book = books[table.book]
    if table.suspended or table.fault is not None:
        refused = _stopped(book, table, seats=(0,))
        if refused is not None:
            return refused
    fed = _contribution(book, state, command, command.wagers)
    return fed if isinstance(fed, Refusal) else (fed,)


def _contribution(
    book: Book, state: MeterState, command: Contribute | StartMeterGame, wagers: int
) -> Contributed | Refusal:
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


def start_game(books: Books, state: MeterState, command: StartMeterGame, seeds: Seeds) -> tuple[AnyEvent, ...] | No:
    """START GAME: bets close, the lights of the seats with a wager stay on, and those wagers feed the meter."""
    found = governing(
        books, state, command, DEALER, lambda book: clause_of(book, "START GAME", otherwise=book.cite("wagers.closes"))
    )
    if isinstance(found, Refusal):
        return found
    table, book, clause = found.table, found.book, found.clause
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
    fed = no_trigger(state) or _contribution(book, state, command, len(seats))
    if isinstance(fed, Refusal) or state.ceiling is None:
        return fed if isinstance(fed, Refusal) else (started, fed)
    return (started, *fed_in_turn(book, evolve(state, started), command, fed, seeds))


def _stopped(book: Book, table: MeterTable, *, seats: tuple[int, ...]) -> Refusal | None:
    """Return the refusal of a round because of a suspension or a fault, or None."""
    if table.suspended:
        return Refusal("the table is suspended", cited(book, "progressive.tables_meanwhile", otherwise="R12"))
    fault = table.fault
    return None if fault is None else forbids(book, fault.course, blocked=fault.boxes, seats=seats)


def _in_round(found: GoverningRules | Refusal) -> GoverningRules | Refusal:
    """Pass the rules on if a round is under way at the table, else refuse."""
    if isinstance(found, GoverningRules) and not found.table.running:
        return Refusal("no round is under way", found.clause)
    return found


def end_game(books: Books, state: MeterState, command: EndMeterGame) -> tuple[AnyEvent, ...] | No:
    """END GAME: refused while an award of the round is open, or its papers are missing if the book wants them."""
    found = _in_round(
        governing(books, state, command, DEALER, lambda book: clause_of(book, "END GAME", otherwise="R16"))
    )
    if isinstance(found, Refusal):
        return found
    table, book, clause = found.table, found.book, found.clause
    for award in state.awards.values():
        if award.table != command.table or award.gone or award.hand == MUST_HIT_BY:
            continue
        if award.anew:
            text = f"the award of seat {award.seat} is to be reckoned anew: one that shared with it was backed out"
            return Refusal(text, book.cite("progressive.shared"))
        if award.step != "paid":
            return Refusal(
                f"the award of seat {award.seat} is not paid", clause_of(book, "pay-award", otherwise=clause)
            )
        papers = clause_of(book, "documentation-complete", otherwise="")
        if papers and award.from_meter and award.printed_at is None:
            return Refusal(f"the papers of seat {award.seat}'s award are not complete", papers)
    return (GameEnded(at=command.at, table=command.table, game=table.game, by=command.by),)


def void_round(books: Books, state: MeterState, command: VoidRound) -> tuple[AnyEvent, ...] | No:
    """Void a round. Its contributions stay on the meter or are reversed, as the book or the house decides."""
    found = _in_round(
        governing(books, state, command, FLOOR, lambda book: cited(book, "progressive.void_feed", otherwise="R17"))
    )
    if isinstance(found, Refusal):
        return found
    book, rules, clause = found.book, found.rules, found.clause
    if not command.reason.strip():
        return Refusal("a round is not annulled without a reason", "R17")
    if rules.void_feed is not None and command.feed not in (None, rules.void_feed):
        return Refusal(f"what a void round fed is {rules.void_feed}", clause)
    feed = rules.void_feed or command.feed
    if feed is None:
        return book.silent("what becomes of the feed of a void round is not said")
    return voided(state, command, reason=command.reason, feed=feed, clause=clause)


def voided(
    state: MeterState, command: VoidRound | ReportFault, *, reason: str, feed: Feed, clause: str
) -> tuple[AnyEvent, ...] | Refusal:
    """Return the events of a void round: its contributions stay, or are taken from where they went."""
    table, has, back = state.tables[command.table], state.counters, feed == "reversed"
    if state.ceiling is not None:
        pass  # An award by trigger stands; the round does not wait for it.
    elif any(one.table == command.table and not one.gone for one in state.awards.values()):
        return Refusal("an award of this round is to be taken back, or adjusted, first", "R17")
    elif back and pending(state):
        return Refusal("the meter is held for awards that are not signed yet", "R6")
    # If the meter was won since and has less than the round fed, only that is reversed.
    return (
        MeterRoundVoided(
            at=command.at,
            table=command.table,
            game=table.game,
            by=command.by,
            reason=reason,
            feed=feed,
            clause=clause,
            from_meter=min(table.game_fed, has.value) if back else 0,
            from_reserve=min(table.game_reserve, has.reserve) if back else 0,
            from_overflow=table.game_overflow if back else 0,
        ),
    )


def shown_all(books: Books, state: MeterState, command: ShownAll) -> tuple[AnyEvent, ...] | No:
    """Record that a table paused in mid-round has no other winner."""
    found = governing(
        books,
        state,
        command,
        (*DEALER, *FLOOR),
        lambda book: cited(book, "progressive.across_tables", otherwise="R16"),
    )
    if isinstance(found, Refusal):
        return found
    if state.occasion is None or command.table not in state.occasion.waiting:
        return Refusal("nobody waits for this table", found.clause)
    return (HandsShown(at=command.at, table=command.table, by=command.by),)
