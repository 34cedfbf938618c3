"""The award after the dealer's selection: supervisor, check, signature, paper, payment. Nobody has two parts (R16)."""

from msgspec.structs import replace

from aceking.link.bylaws import (
    DEALER,
    EXECUTIVE,
    FLOOR,
    Books,
    No,
    acts_as,
    cited,
    clause_of,
    rules_of,
    signature_clause,
)
from aceking.link.commands import CallSupervisor, Pay, PrintWinPage, Sign, Verify
from aceking.link.events import AnyEvent, Paid, Signed, SupervisorCalled, Verified, WinPagePrinted
from aceking.link.recognise import award_id, hand_title, in_round, shown_hand
from aceking.link.state import Award, LinkState, SinceHit
from aceking.link.winners import Draft, Lock, in_order, locks, open_majors, relock, winner_of
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.settle.jackpot import at_once, pool_of


def _award_at(
    books: Books, state: LinkState, command: CallSupervisor | Verify | Sign | PrintWinPage | Pay
) -> tuple[Award, Book] | Refusal:
    found = in_round(books, state, command.table)
    if isinstance(found, Refusal):
        return found
    table, book = found
    award = state.awards.get(award_id(command.table, table.game, command.seat))
    if award is None:
        clause = clause_of(book, "select-winner", otherwise="R16")
        return Refusal(f"no hand is selected at seat {command.seat}", clause)
    return award, book


def call_supervisor(books: Books, state: LinkState, command: CallSupervisor) -> tuple[AnyEvent, ...] | No:
    """The dealer calls for the check."""
    found = _award_at(books, state, command)
    if isinstance(found, Refusal):
        return found
    award, book = found
    clause = clause_of(book, "call-supervisor", otherwise="R16")
    if refused := acts_as(state, command.by, DEALER, clause):
        return refused
    if award.step != "selected":
        return Refusal("the supervisor was called", clause)
    return (SupervisorCalled(at=command.at, id=award.id, by=command.by),)


def verify(books: Books, state: LinkState, command: Verify) -> tuple[AnyEvent, ...] | No:
    """A person who is not the dealer confirms win, light and cards; that fixes the order between tables."""
    found = _award_at(books, state, command)
    if isinstance(found, Refusal):
        return found
    award, book = found
    clause = clause_of(book, "supervisor-validated", otherwise="R16")
    if refused := acts_as(state, command.by, FLOOR, clause) or _two_parts(award, command.by, clause):
        return refused
    if award.step == "selected":
        return Refusal("the dealer calls a supervisor first", clause_of(book, "call-supervisor", otherwise="R16"))
    if award.step != "called":
        return Refusal(f"the award is {award.step}", clause)
    if not command.light:
        return Refusal("the light of the seat is off", cited(book, "progressive.light", otherwise=clause))
    held = shown_hand(book, command.hand, command.cards)
    if isinstance(held, Refusal):
        return held
    if held[0].key != award.hand or set(held[1].split()) != set(award.cards.split()):
        return Refusal(f"the dealer entered {award.cards}, a {hand_title(award.hand)}", clause)
    draft = Draft(state)
    draft.add(Verified(at=command.at, id=award.id, by=command.by, number=state.verified + 1))
    if award.major:
        relock(books, draft, command.at)
    return tuple(draft.events)


def _two_parts(award: Award, name: str, clause: str) -> Refusal | None:
    """Nobody has two parts in one award."""
    parts = {award.dealer: "selected the hand", award.verifier: "verified the hand", award.signer: "signed for it"}
    if name in parts:
        return Refusal(f"{name} {parts[name]}; it takes another person", clause)
    return None


def sign(books: Books, state: LinkState, command: Sign) -> tuple[AnyEvent, ...] | No:
    """A card is swiped for exactly the amount, by a supervisor, or from a set amount on by an executive."""
    found = _award_at(books, state, command)
    if isinstance(found, Refusal):
        return found
    award, book = found
    swipe = signature_clause(book)
    if not award.open:
        return Refusal(f"the award is {award.step}", swipe)
    refused = _signature_refused(state, book, award, command.by, swipe)
    if refused is not None:
        return refused
    if award.step != "verified":
        clause = clause_of(book, "supervisor-validated", otherwise="R16")
        return Refusal("the hand is not verified", clause)
    if command.amount != award.amount:
        due = shown(award.amount, decimals=book.decimals)
        return Refusal(f"the award is {due}, not {shown(command.amount, decimals=book.decimals)}", swipe)
    if refused := _out_of_turn(books, state, award):
        return refused
    return (_signed(books, state, award, command),)


def _signature_refused(state: LinkState, book: Book, award: Award, name: str, swipe: str) -> Refusal | None:
    """Whether this person may sign for this amount."""
    rules, config = book.progressive, state.config
    assert rules is not None
    assert config is not None
    threshold = rules.executive_from if rules.executive_from is not None else config.executive_from
    if threshold is not None and award.amount >= threshold:
        clause = cited(book, "progressive.executive_from", otherwise="R16")
        return acts_as(state, name, EXECUTIVE, clause) or _two_parts(award, name, clause)
    return acts_as(state, name, FLOOR, swipe) or _two_parts(award, name, swipe)


def _out_of_turn(books: Books, state: LinkState, award: Award) -> Refusal | None:
    """Whether somebody comes first, or somebody who shares is not known or not verified yet."""
    if not award.major:
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
        for one in _sharing(books, state, award):
            if one.step != "verified":
                text = f"seat {one.seat} of table {one.table} shares the award and is not verified"
                return Refusal(text, book.cite("progressive.shared"))
    if at_once(rules):
        return None
    first = in_order(books, state, open_majors(state))[0]
    if first.id != award.id:
        key = "progressive.order" if first.table == award.table else "progressive.across_tables"
        return Refusal(f"seat {first.seat} of table {first.table} is paid first", book.cite(key))
    return None


def _sharing(books: Books, state: LinkState, award: Award) -> list[Award]:
    """The open awards that share a pool with this one, itself included."""
    pool = pool_of(rules_of(books, state, award.table), winner_of(books, state, award))
    if pool is None:
        return [award]
    return [
        one
        for one in open_majors(state)
        if pool_of(rules_of(books, state, one.table), winner_of(books, state, one)) == pool
    ]


def _signed(books: Books, state: LinkState, award: Award, command: Sign) -> Signed:
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
    return Signed(
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


def _next_since(state: LinkState, final: list[Lock], *, frozen: int, fed_later: int) -> SinceHit:
    """What the next hit will have come from: what is left, and what came in meanwhile."""
    if any(one.full for one in final):
        won = next(one for one in final if one.full)
        return SinceHit(start=frozen, fed=fed_later, at=state.awards[won.id].recognised)
    taken = sum(one.from_meter for one in final) * state.scale
    return replace(state.since, taken=state.since.taken + taken)


def print_win_page(books: Books, state: LinkState, command: PrintWinPage) -> tuple[AnyEvent, ...] | No:
    """The paper of a signed award."""
    found = _award_at(books, state, command)
    if isinstance(found, Refusal):
        return found
    award, book = found
    clause = clause_of(book, "win-page", otherwise=clause_of(book, "documentation-complete", otherwise="R21"))
    if refused := acts_as(state, command.by, FLOOR, clause):
        return refused
    if not award.signed:
        return Refusal("the award is not signed", clause)
    return (WinPagePrinted(at=command.at, id=award.id, by=command.by),)


def pay(books: Books, state: LinkState, command: Pay) -> tuple[AnyEvent, ...] | No:
    """The dealer pays exactly what was signed: off the meter, from the tray, or both, as the book has it."""
    found = _award_at(books, state, command)
    if isinstance(found, Refusal):
        return found
    award, book = found
    clause = clause_of(book, "pay-award", otherwise=signature_clause(book))
    if refused := acts_as(state, command.by, DEALER, clause):
        return refused
    if award.step != "signed":
        return Refusal("the award is paid" if award.step == "paid" else "the award is not signed", clause)
    if command.amount != award.amount:
        due = shown(award.amount, decimals=book.decimals)
        return Refusal(f"the award is {due}, not {shown(command.amount, decimals=book.decimals)}", clause)
    return (
        Paid(
            at=command.at,
            id=award.id,
            by=command.by,
            from_meter=award.from_meter,
            from_tray=award.from_tray,
        ),
    )
