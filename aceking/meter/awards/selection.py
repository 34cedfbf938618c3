"""The dealer selects a seat, then its hand; a second press takes the hand back."""

from aceking.award import steps
from aceking.award.authority import DEALER, EXECUTIVE, cited, clause_of
from aceking.cards.hand import CATEGORY_BY_KEY, Category
from aceking.meter.awards.winners import (
    WinnersDraft,
    fixed_amount,
    open_majors,
    prize_of,
    release,
    relock,
    touches_meter,
    winner_of,
)
from aceking.meter.commands import SelectHand, SelectSeat
from aceking.meter.events import AnyEvent, Locked, MeterSuspended, Recognised, SeatChosen, TakenBack
from aceking.meter.governing_rules import Books, acts_as, person, rules_of, table_of
from aceking.meter.must_hit_by import CLAUSE as MUST_HIT
from aceking.meter.state import MeterAward, MeterState, MeterTable
from aceking.rules.book import Book
from aceking.rules.odds import Share
from aceking.rules.refusal import No, Refusal, Unregulated
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.jackpot import no_order, pool_of
from aceking.settlement.progressive import forfeited_by_silence


def award_id(state: MeterState, table: str, game: int, seat: int) -> str:
    """Return the id of a new award: table/round/seat, with a number if one was undone there."""
    before = sum(one.step == "undone" and one.seat == seat for one in _of_game(state, table, game))
    return f"{table}/{game}/{seat}" + (f"-{before + 1}" if before else "")


def award_at(state: MeterState, table: str, game: int, seat: int) -> MeterAward | None:
    """Return the award at a seat in a round, or None."""
    return next((one for one in _of_game(state, table, game) if one.seat == seat and not one.gone), None)


def _of_game(state: MeterState, table: str, game: int) -> list[MeterAward]:
    return [one for one in state.awards.values() if one.table == table and one.game == game]


def in_round(books: Books, state: MeterState, name: str) -> tuple[MeterTable, Book] | Refusal:
    """Return a table with a round under way and its book, or a refusal."""
    table = table_of(state, name)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    if not table.running:
        return Refusal("no round is under way", clause_of(book, "START GAME", otherwise="R16"))
    return table, book


def _selecting(
    books: Books, state: MeterState, command: SelectSeat | SelectHand
) -> tuple[MeterTable, Book, str] | Refusal:
    """Return the table of a dealer who selects, its book and the clause; a refusal if nobody may select there."""
    found = in_round(books, state, command.table)
    if isinstance(found, Refusal):
        return found
    clause = clause_of(found[1], "select-winner", otherwise="R16")
    return acts_as(state, command.by, DEALER, clause) or (*found, clause)


def select_seat(books: Books, state: MeterState, command: SelectSeat) -> tuple[AnyEvent, ...] | No:
    """The dealer picks the place of a winner; its light must be on."""
    found = _selecting(books, state, command)
    if isinstance(found, Refusal):
        return found
    table, book, clause = found
    if command.seat not in table.lit:
        text = f"seat {command.seat} has no side bet: its light is off"
        return Refusal(text, cited(book, "progressive.light", otherwise=clause_of(book, "side-bet", otherwise=clause)))
    return (SeatChosen(at=command.at, table=command.table, seat=command.seat, by=command.by),)


def select_hand(books: Books, state: MeterState, command: SelectHand) -> tuple[AnyEvent, ...] | No:
    """Record a winning hand and lock its amount; the same button again takes it back."""
    found = _selecting(books, state, command)
    if isinstance(found, Refusal):
        return found
    table, _, clause = found
    if state.ceiling is not None:
        return Refusal("no hand wins a must-hit-by meter: the wager that reaches its trigger does", MUST_HIT)
    if table.chosen is None:
        return Refusal("the place of the winner is selected first", clause)
    known = award_at(state, command.table, table.game, table.chosen)
    if known is not None:
        return _again(books, state, command, known)
    award = _recognised(books, state, command, table, table.chosen)
    if not isinstance(award, MeterAward):
        return award
    return _recognise(books, state, award)


def _again(books: Books, state: MeterState, command: SelectHand, award: MeterAward) -> tuple[AnyEvent, ...] | Refusal:
    """Take the hand back, unless it or an award that shares with it is signed."""
    book = books[award.book]
    if award.sealed:
        return steps.only_by_adjustment(book)
    act = steps.Select(by=person(state, command.by), hand=command.hand, cards=command.cards)
    if refused := steps.refusal(book, award, act, steps.Terms()):
        return refused
    draft = WinnersDraft(state)
    if award.major:
        release(draft, command.at)
    draft.add(TakenBack(at=command.at, id=award.id, by=command.by))
    relock(books, draft, command.at)
    return tuple(draft.events)


def _recognised(
    books: Books, state: MeterState, command: SelectHand, table: MeterTable, seat: int
) -> MeterAward | Refusal | Unregulated:
    """Return the award that these cards win at this seat, or the refusal."""
    book, rules = books[table.book], rules_of(books, state, command.table)
    held = steps.shown_hand(book, command.hand, command.cards)
    if isinstance(held, Refusal):
        return held
    category, text = held
    for other in _of_game(state, command.table, table.game):
        if not other.gone and set(other.cards.split()) & set(text.split()):
            return Refusal(f"a card of this hand lies at seat {other.seat}", "R16")
    if refused := _time_refusal(command, table):
        return refused
    prize = prize_of(books, state, table.book, category)
    if prize is None:
        return Refusal(f"a {category.title} wins nothing", book.cite("progressive.awards_are"))
    if refused := _not_payable(book, rules, category, command):
        return refused
    major = touches_meter(rules, prize)
    if major and (no := _cannot_join(books, state, command, table, category)):
        return no
    at_value = table.fault.value if table.fault is not None and table.fault.this_round else None
    return MeterAward(
        id=award_id(state, command.table, table.game, seat),
        table=command.table,
        game=table.game,
        seat=seat,
        book=table.book,
        hand=category.key,
        cards=text,
        number=state.recognised + 1,
        recognised=command.at,
        dealer=command.by,
        major=major,
        dealt=command.dealt,
        let_stand=command.let_stand,
        fed=0 if state.occasion is None else state.occasion.fed,
        at_value=at_value,
    )


def _time_refusal(command: SelectHand, table: MeterTable) -> Refusal | None:
    """Refuse a hand that was dealt before the bets were closed, or after it was entered."""
    if command.dealt is None:
        return None
    if command.dealt > command.at:
        return Refusal("the hand is entered before it was dealt", "R20")
    if table.started is not None and command.dealt < table.started:
        return Refusal("the hand was dealt before the bets were closed", "R14")
    return None


def _not_payable(book: Book, rules: ProgressiveRules, category: Category, command: SelectHand) -> Refusal | None:
    """Refuse an award that the player has lost by folding, exchanging or silence."""
    if command.play == "fold" and rules.folded == "not-payable":
        return Refusal("a folded hand wins no award", book.cite("progressive.folded"))
    if command.exchanged and book.exchange is None:
        return Refusal("no card is exchanged in this game", book.cite("decide.choices"))
    if command.exchanged and rules.exchanged == "not-payable":
        return Refusal("a hand with an exchanged card wins no award", book.cite("progressive.exchanged"))
    folded = command.play == "fold"
    silent = forfeited_by_silence(rules, category, folded=folded, qualifies=bool(command.dealer_qualifies))
    if not command.claimed and silent is not None:
        return Refusal("the player gave no notice of the hand", book.cite(silent))
    return None


def _cannot_join(
    books: Books, state: MeterState, command: SelectHand, table: MeterTable, category: Category
) -> Refusal | Unregulated | None:
    """Refuse a winner without a place in the order, or whose share was signed without them; None otherwise."""
    book, rules = books[table.book], rules_of(books, state, command.table)
    here = [one for one in open_majors(state) if one.table == command.table]
    if here and rules.order == "per-internal-controls":
        return no_order(book)
    if len(state.tables) > 1 and rules.across_tables == "by-time-of-deal":
        if command.dealt is None:
            return Refusal("give the time at which the hand was complete", book.cite("progressive.across_tables"))
        if refused := _dealt_out_of_order(state, book, command, table):
            return refused
    if command.let_stand is not None:
        if refused := acts_as(state, command.let_stand, EXECUTIVE, book.cite("progressive.order")):
            return refused
    elif refused := _turn_has_passed(state, book, rules, command, table):
        return refused
    for hit in state.awards.values():
        if hit.hand != category.key or not hit.sealed or hit.gone or category.key not in rules.shared:
            continue
        pool = pool_of(rules, winner_of(books, state, hit))
        same_round = hit.table == command.table or (
            rules.across_tables == "shared"
            and (hit.signed_at is None or table.started is None or table.started < hit.signed_at)
        )
        if pool is not None and same_round:
            text = f"the award was signed at seat {hit.seat} of table {hit.table}; it takes an adjustment to share it"
            return Refusal(text, book.cite("progressive.shared"))
    return None


def _dealt_out_of_order(state: MeterState, book: Book, command: SelectHand, table: MeterTable) -> Refusal | None:
    """Refuse times of deal that are not clockwise: a lower seat's hand is complete first."""
    assert command.dealt is not None
    assert table.chosen is not None
    for hit in state.awards.values():
        if hit.table != command.table or hit.dealt is None or hit.gone:
            continue
        lower, higher = sorted([(hit.seat, hit.dealt), (table.chosen, command.dealt)])
        if lower[1] > higher[1]:
            text = f"seat {higher[0]} cannot have been dealt to before seat {lower[0]}"
            return Refusal(text, book.cite("progressive.order"))
    return None


def _turn_has_passed(
    state: MeterState, book: Book, rules: ProgressiveRules, command: SelectHand, table: MeterTable
) -> Refusal | None:
    """Refuse a hand if one that was dealt later is signed already: an executive must decide."""
    assert table.chosen is not None
    for hit in {one.id: one for one in (*state.hits, *state.awards.values())}.values():
        if not hit.major or not hit.signed:
            continue
        if hit.table == command.table and hit.game == table.game:
            key = "progressive.order"
            later = rules.order == "from-first-dealt" and hit.seat > table.chosen
        else:
            key = "progressive.across_tables"
            known = hit.dealt is not None and command.dealt is not None and hit.dealt > command.dealt
            later = rules.across_tables == "by-time-of-deal" and known
        if later:
            text = f"seat {hit.seat} of table {hit.table} was dealt to later and is signed: that award is adjusted, "
            return Refusal(text + "or an executive lets it stand", book.cite(key))
    return None


def _recognise(books: Books, state: MeterState, award: MeterAward) -> tuple[AnyEvent, ...]:
    """Return the events of a new award: amounts locked, the meter refilled, tables suspended if the book says so."""
    draft, book, rules = WinnersDraft(state), books[award.book], rules_of(books, state, award.table)
    waiting: tuple[str, ...] = ()
    prize = prize_of(books, state, award.book, CATEGORY_BY_KEY[award.hand])
    assert prize is not None
    if rules.across_tables == "shared":
        waiting = tuple(name for name, one in state.tables.items() if one.running and name != award.table)
    draft.add(Recognised(at=award.recognised, award=award, waiting=waiting))
    if not award.major:
        clause = book.cite(_row(book, award.hand))
        amount = fixed_amount(prize)
        draft.add(
            Locked(at=award.recognised, id=award.id, amount=amount, from_meter=0, clause=clause, came=state.since)
        )
        return tuple(draft.events)
    relock(books, draft, award.recognised)
    others = tuple(name for name, one in state.tables.items() if not one.suspended)
    if rules.tables_meanwhile == "suspended" and isinstance(prize, Share) and others:
        clause = book.cite("progressive.tables_meanwhile")
        reason = f"a {steps.hand_title(award.hand)} at table {award.table}"
        draft.add(MeterSuspended(at=award.recognised, tables=others, by=award.dealer, reason=reason, clause=clause))
    return tuple(draft.events)


def _row(book: Book, hand: str) -> str:
    key = f"progressive.awards.{hand}"
    return key if key in book.by_key else "progressive.awards_are"
