"""The steps of an award on a meter after the dealer's selection, and the order of winners."""

from msgspec.structs import replace

from aceking.award import steps
from aceking.award.authority import clause_of
from aceking.meter.awards.selection import award_at, in_round
from aceking.meter.awards.winners import (
    Lock,
    WinnersDraft,
    in_order,
    locks,
    open_majors,
    over_limit,
    relock,
    winner_of,
)
from aceking.meter.commands import CallMeterSupervisor, PayMeterAward, PrintAwardPage, SignAward, VerifyAward
from aceking.meter.events import AnyEvent, AwardSigned, AwardVerified, Paid, SupervisorCalled, WinPagePrinted
from aceking.meter.governing_rules import Books, person, rules_of, same_voucher
from aceking.meter.must_hit_by import CLAUSE
from aceking.meter.state import MUST_HIT_BY, MeterAward, MeterState, SinceHit
from aceking.rules.book import Book
from aceking.rules.refusal import No, Refusal
from aceking.settlement.jackpot import at_once, pool_of


def terms(state: MeterState, book: Book) -> steps.Terms:
    """Return the terms of an award: all steps, and the executive's limit of the book or else of the configuration."""
    rules, config = book.progressive, state.config
    assert rules is not None
    assert config is not None
    level = rules.executive_from if rules.executive_from is not None else config.executive_from
    return steps.Terms(executive_from=level)


def _step(
    books: Books,
    state: MeterState,
    command: CallMeterSupervisor | VerifyAward | SignAward | PrintAwardPage | PayMeterAward,
) -> tuple[MeterAward, Book] | Refusal:
    """Return the award and book of a command, or refuse the step."""
    if state.ceiling is not None:
        return _step_of_hit(books, state, command)
    found = in_round(books, state, command.table)
    if isinstance(found, Refusal):
        return found
    table, book = found
    award = award_at(state, command.table, table.game, command.seat)
    if award is None:
        clause = clause_of(book, "select-winner", otherwise="R16")
        return Refusal(f"no hand is selected at seat {command.seat}", clause)
    return steps.refusal(book, award, _act(state, command), terms(state, book)) or (award, book)


def _step_of_hit(
    books: Books,
    state: MeterState,
    command: CallMeterSupervisor | VerifyAward | SignAward | PrintAwardPage | PayMeterAward,
) -> tuple[MeterAward, Book] | Refusal:
    """The same on a must-hit-by meter: the first award of the seat that takes this step, of any round."""
    refused = None
    for award in state.awards.values():
        if (award.table, award.seat) != (command.table, command.seat):
            continue
        book = books[award.book]
        against = steps.refusal(book, award, _act(state, command), terms(state, book))
        if against is None:
            return award, book
        refused = refused or against
    return refused or Refusal(f"no wager of seat {command.seat} has reached the trigger", CLAUSE)


def _act(
    state: MeterState, command: CallMeterSupervisor | VerifyAward | SignAward | PrintAwardPage | PayMeterAward
) -> steps.AwardAct:
    by = person(state, command.by)
    match command:
        case CallMeterSupervisor():
            return steps.Call(by=by)
        case VerifyAward():
            return steps.VerifyStep(by=by, hand=command.hand, cards=command.cards, light=command.light)
        case SignAward():
            return steps.SignStep(by=by, amount=command.amount)
        case PrintAwardPage():
            return steps.PrintPage(by=by)
        case PayMeterAward():
            return steps.PayStep(by=by, amount=command.amount)


def call_supervisor(books: Books, state: MeterState, command: CallMeterSupervisor) -> tuple[AnyEvent, ...] | No:
    """Record that the dealer has called a supervisor."""
    found = _step(books, state, command)
    if isinstance(found, Refusal):
        return found
    return (SupervisorCalled(at=command.at, id=found[0].id, by=command.by),)


def verify(books: Books, state: MeterState, command: VerifyAward) -> tuple[AnyEvent, ...] | No:
    """Record the verification, which decides the order between tables."""
    found = _step(books, state, command)
    if isinstance(found, Refusal):
        return found
    award = found[0]
    draft = WinnersDraft(state)
    draft.add(AwardVerified(at=command.at, id=award.id, by=command.by, number=state.verified + 1))
    if award.major:
        relock(books, draft, command.at)
    return tuple(draft.events)


def sign(books: Books, state: MeterState, command: SignAward) -> tuple[AnyEvent, ...] | No:
    """Record the signature for exactly the amount, in the order of winners."""
    found = _step(books, state, command)
    if isinstance(found, Refusal):
        return found
    award, book = found
    if refused := same_voucher(state, award.verifier or "", command.by, "R16"):
        return refused
    if refused := _share_undone(book, award) or _out_of_turn(books, state, award):
        return refused
    draft = WinnersDraft(state)
    draft.add(_signed(books, state, award, command))
    # The refill plus the fraction that was left may exceed the limit (R7).
    over_limit(draft, command.at)
    return tuple(draft.events)


def _share_undone(book: Book, award: MeterAward) -> Refusal | None:
    """Refuse an award if one that shared with it was undone: it must be undone and entered again as well."""
    if not award.anew:
        return None
    text = f"one that shared with seat {award.seat} was backed out: adjust this award too, and enter it anew"
    return Refusal(text, book.cite("progressive.shared"))


def _out_of_turn(books: Books, state: MeterState, award: MeterAward) -> Refusal | None:
    """Refuse an award if another is paid first, or one that shares with it is unknown or not verified yet."""
    if not award.major or award.hand == MUST_HIT_BY:
        return None
    book, rules = books[award.book], rules_of(books, state, award.table)
    occasion = state.occasion
    if occasion is not None and occasion.waiting and not award.sealed:
        text = f"table {occasion.waiting[0]} has not shown all its hands"
        return Refusal(text, book.cite("progressive.across_tables"))
    if award.sealed:
        pass
    elif at_once(rules):
        if late := [one for one in open_majors(state) if one.step != "verified"]:
            text = f"seat {late[0].seat} of table {late[0].table} shares the occasion and is not verified"
            return Refusal(text, book.cite("progressive.shared"))
    else:
        for sharer in _sharing(books, state, award):
            if sharer.step != "verified":
                text = f"seat {sharer.seat} of table {sharer.table} shares the award and is not verified"
                return Refusal(text, book.cite("progressive.shared"))
    if at_once(rules):
        return None
    first = in_order(books, state, open_majors(state))[0]
    if first.id != award.id:
        key = "progressive.order" if first.table == award.table else "progressive.across_tables"
        return Refusal(f"seat {first.seat} of table {first.table} is paid first", book.cite(key))
    return None


def _sharing(books: Books, state: MeterState, award: MeterAward) -> list[MeterAward]:
    """The open awards that share a pool with this one, itself included."""
    pool = pool_of(rules_of(books, state, award.table), winner_of(books, state, award))
    if pool is None:
        return [award]
    return [
        one
        for one in open_majors(state)
        if pool_of(rules_of(books, state, one.table), winner_of(books, state, one)) == pool
    ]


def _signed(books: Books, state: MeterState, award: MeterAward, command: SignAward) -> AwardSigned:
    """The swipe, with what becomes final by it and what is left for those who come after."""
    role = state.people[command.by]
    occasion, since = state.occasion, state.since
    sealed: tuple[str, ...] = (award.id,)
    frozen, fed_in = None, 0
    if award.major and not award.sealed:
        assert occasion is not None
        planned = locks(books, state)
        held = [state.awards[one.id] for one in planned]
        assert [one.amount for one in planned] == [one.amount for one in held], "what is locked is what is due"
        if at_once(rules_of(books, state, award.table)):
            sealed = tuple(one.id for one in planned)
        else:
            sealed = tuple(one.id for one in _sharing(books, state, award))
        final = [one for one in planned if one.id in sealed]
        frozen = planned[-1].after if len(final) == len(planned) else final[0].after
        fed_in = max(occasion.fed_in, award.fed) if occasion.moved else occasion.fed_in
        since = _next_since(state, final, frozen=frozen, fed_later=occasion.fed - fed_in)
    return AwardSigned(
        at=command.at,
        id=award.id,
        by=command.by,
        role=role,
        amount=award.amount,
        sealed=sealed,
        since=since,
        frozen=frozen,
        fed_in=fed_in,
    )


def _next_since(state: MeterState, final: list[Lock], *, frozen: int, fed_later: int) -> SinceHit:
    """Return the history that the next hit starts from: what is left, and what was fed meanwhile."""
    if any(one.full for one in final):
        won = next(one for one in final if one.full)
        own = sum(state.awards[one.id].seed_house for one in final) * state.scale
        return SinceHit(start=frozen, own=own, fed=fed_later, at=state.awards[won.id].recognised)
    taken = sum(one.from_meter for one in final) * state.scale
    return replace(state.since, taken=state.since.taken + taken)


def print_win_page(books: Books, state: MeterState, command: PrintAwardPage) -> tuple[AnyEvent, ...] | No:
    """Record that the win page was printed."""
    found = _step(books, state, command)
    if isinstance(found, Refusal):
        return found
    return (WinPagePrinted(at=command.at, id=found[0].id, by=command.by),)


def pay(books: Books, state: MeterState, command: PayMeterAward) -> tuple[AnyEvent, ...] | No:
    """Record the payment of exactly the signed amount, from the meter, the tray or both."""
    found = _step(books, state, command)
    if isinstance(found, Refusal):
        return found
    award, book = found
    if refused := _share_undone(book, award):
        return refused
    return (
        Paid(
            at=command.at,
            id=award.id,
            by=command.by,
            from_meter=award.from_meter,
            from_tray=award.from_tray,
        ),
    )
