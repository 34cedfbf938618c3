"""The dealer's part of an award: the place, then the hand; pressed again, the hand is taken back."""

from aceking.award import steps
from aceking.award.authority import DEALER, EXECUTIVE, cited, clause_of
from aceking.cards.hand import CATEGORY_BY_KEY, Category
from aceking.meter.awards.winners import (
    Draft,
    fixed_amount,
    open_majors,
    prize_of,
    release,
    relock,
    touches_meter,
    winner_of,
)
from aceking.meter.commands import SelectHand, SelectSeat
from aceking.meter.events import AnyEvent, Locked, Recognised, SeatChosen, Suspended, TakenBack
from aceking.meter.governing_rules import Books, No, acts_as, person, rules_of, table_of
from aceking.meter.must_hit_by import CLAUSE as MUST_HIT
from aceking.meter.state import Award, LinkState, Table
from aceking.rules.book import Book
from aceking.rules.odds import Share
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.vocabulary import Progressive
from aceking.settlement.jackpot import no_order, pool_of
from aceking.settlement.progressive import forfeited_by_silence


def award_id(state: LinkState, table: str, game: int, seat: int) -> str:
    """The name of an award: table, round, seat; where one was backed out there, the next has a number of its own."""
    before = sum(one.step == "undone" and one.seat == seat for one in _of_game(state, table, game))
    return f"{table}/{game}/{seat}" + (f"-{before + 1}" if before else "")


def award_at(state: LinkState, table: str, game: int, seat: int) -> Award | None:
    """The award that stands at a seat in a round."""
    return next((one for one in _of_game(state, table, game) if one.seat == seat and not one.gone), None)


def _of_game(state: LinkState, table: str, game: int) -> list[Award]:
    return [one for one in state.awards.values() if one.table == table and one.game == game]


def in_round(books: Books, state: LinkState, name: str) -> tuple[Table, Book] | Refusal:
    """A table with a round under way, and its book."""
    table = table_of(state, name)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    if not table.running:
        return Refusal("no round is under way", clause_of(book, "START GAME", otherwise="R16"))
    return table, book


def select_seat(books: Books, state: LinkState, command: SelectSeat) -> tuple[AnyEvent, ...] | No:
    """The dealer picks the place of a winner; its light must be on."""
    found = in_round(books, state, command.table)
    if isinstance(found, Refusal):
        return found
    table, book = found
    clause = clause_of(book, "select-winner", otherwise="R16")
    if refused := acts_as(state, command.by, DEALER, clause):
        return refused
    if command.seat not in table.lit:
        text = f"seat {command.seat} has no side bet: its light is off"
        return Refusal(text, cited(book, "progressive.light", otherwise=clause_of(book, "side-bet", otherwise=clause)))
    return (SeatChosen(at=command.at, table=command.table, seat=command.seat, by=command.by),)


def select_hand(books: Books, state: LinkState, command: SelectHand) -> tuple[AnyEvent, ...] | No:
    """The dealer presses the button of a hand: its amount is locked. Pressed again, it is taken back."""
    found = in_round(books, state, command.table)
    if isinstance(found, Refusal):
        return found
    table, book = found
    clause = clause_of(book, "select-winner", otherwise="R16")
    if refused := acts_as(state, command.by, DEALER, clause):
        return refused
    if state.ceiling is not None:
        return Refusal("no hand wins a must-hit-by meter: the wager that reaches its trigger does", MUST_HIT)
    if table.chosen is None:
        return Refusal("the place of the winner is selected first", clause)
    known = award_at(state, command.table, table.game, table.chosen)
    if known is not None:
        return _again(books, state, command, known)
    award = _recognised(books, state, command, table, table.chosen)
    if not isinstance(award, Award):
        return award
    return _recognise(books, state, award)


def _again(books: Books, state: LinkState, command: SelectHand, award: Award) -> tuple[AnyEvent, ...] | Refusal:
    """The same button again takes the hand back, until a card was swiped for it or for one that shares with it."""
    book = books[award.book]
    if award.sealed:
        return steps.only_by_adjustment(book)
    act = steps.Select(by=person(state, command.by), hand=command.hand, cards=command.cards)
    if refused := steps.refusal(book, award, act, steps.Terms()):
        return refused
    draft = Draft(state)
    if award.major:
        release(draft, command.at)
    draft.add(TakenBack(at=command.at, id=award.id, by=command.by))
    relock(books, draft, command.at)
    return tuple(draft.events)


def _recognised(
    books: Books, state: LinkState, command: SelectHand, table: Table, seat: int
) -> Award | Refusal | Unregulated:
    """The award that these cards win at this seat, or why they do not."""
    book, rules = books[table.book], rules_of(books, state, command.table)
    held = steps.shown_hand(book, command.hand, command.cards)
    if isinstance(held, Refusal):
        return held
    category, text = held
    for other in _of_game(state, command.table, table.game):
        if not other.gone and set(other.cards.split()) & set(text.split()):
            return Refusal(f"a card of this hand lies at seat {other.seat}", "R16")
    if refused := _impossible_moment(command, table):
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
    return Award(
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


def _impossible_moment(command: SelectHand, table: Table) -> Refusal | None:
    """A hand is dealt after its wagers are on the record, and before it is entered."""
    if command.dealt is None:
        return None
    if command.dealt > command.at:
        return Refusal("the hand is entered before it was dealt", "R20")
    if table.started is not None and command.dealt < table.started:
        return Refusal("the hand was dealt before the bets were closed", "R14")
    return None


def _not_payable(book: Book, rules: Progressive, category: Category, command: SelectHand) -> Refusal | None:
    """Whether what the player did has cost him the award."""
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
    books: Books, state: LinkState, command: SelectHand, table: Table, category: Category
) -> Refusal | Unregulated | None:
    """Why a winner cannot be put among the others: no order is known, or the share was signed away without him."""
    book, rules = books[table.book], rules_of(books, state, command.table)
    here = [one for one in open_majors(state) if one.table == command.table]
    if here and rules.order == "per-internal-controls":
        return no_order(book)
    if len(state.tables) > 1 and rules.across_tables == "by-time-of-deal":
        if command.dealt is None:
            return Refusal("when was the full hand dealt?", book.cite("progressive.across_tables"))
        if refused := _dealt_out_of_order(state, book, command, table):
            return refused
    if command.let_stand is not None:
        if refused := acts_as(state, command.let_stand, EXECUTIVE, book.cite("progressive.order")):
            return refused
    elif refused := _turn_has_passed(state, book, rules, command, table):
        return refused
    for one in state.awards.values():
        if one.hand != category.key or not one.sealed or one.gone or category.key not in rules.shared:
            continue
        pool = pool_of(rules, winner_of(books, state, one))
        same_round = one.table == command.table or (
            rules.across_tables == "shared"
            and (one.signed_at is None or table.started is None or table.started < one.signed_at)
        )
        if pool is not None and same_round:
            text = f"the award was signed at seat {one.seat} of table {one.table}; it takes an adjustment to share it"
            return Refusal(text, book.cite("progressive.shared"))
    return None


def _dealt_out_of_order(state: LinkState, book: Book, command: SelectHand, table: Table) -> Refusal | None:
    """A table is dealt to clockwise, so a seat's hand is not complete before that of a lower seat."""
    assert command.dealt is not None
    assert table.chosen is not None
    for one in state.awards.values():
        if one.table != command.table or one.dealt is None or one.gone:
            continue
        lower, higher = sorted([(one.seat, one.dealt), (table.chosen, command.dealt)])
        if lower[1] > higher[1]:
            text = f"seat {higher[0]} cannot have been dealt to before seat {lower[0]}"
            return Refusal(text, book.cite("progressive.order"))
    return None


def _turn_has_passed(
    state: LinkState, book: Book, rules: Progressive, command: SelectHand, table: Table
) -> Refusal | None:
    """Where the first dealt is paid first: whether a later hand was signed already, so that the House must decide."""
    assert table.chosen is not None
    for one in {one.id: one for one in (*state.hits, *state.awards.values())}.values():
        if not one.major or not one.signed:
            continue
        if one.table == command.table and one.game == table.game:
            key = "progressive.order"
            later = rules.order == "from-first-dealt" and one.seat > table.chosen
        else:
            key = "progressive.across_tables"
            known = one.dealt is not None and command.dealt is not None and one.dealt > command.dealt
            later = rules.across_tables == "by-time-of-deal" and known
        if later:
            text = f"seat {one.seat} of table {one.table} was dealt to later and is signed: that award is adjusted, "
            return Refusal(text + "or an executive lets it stand", book.cite(key))
    return None


def _recognise(books: Books, state: LinkState, award: Award) -> tuple[AnyEvent, ...]:
    """The events of a new award: an amount locked, the meter refilled, tables paused where the book says so."""
    draft, book, rules = Draft(state), books[award.book], rules_of(books, state, award.table)
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
        draft.add(Suspended(at=award.recognised, tables=others, by=award.dealer, reason=reason, clause=clause))
    return tuple(draft.events)


def _row(book: Book, hand: str) -> str:
    key = f"progressive.awards.{hand}"
    return key if key in book.by_key else "progressive.awards_are"
