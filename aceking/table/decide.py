"""What follows from a command: events, or the refusal that the book or the state of the table gives."""

from collections.abc import Callable

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import ActName, Actor
from aceking.table import event as ev
from aceking.table.command import Act, Choose, Command, Report, Rule
from aceking.table.evolve import DECK_ACTS, evolve
from aceking.table.mishaps import answers as answering
from aceking.table.mishaps import report as irregular
from aceking.table.options import change_option, in_force
from aceking.table.phases import awards, betting, closing, dealing, deciding, equipment, majors, opening
from aceking.table.procedure.orders import check, default_role
from aceking.table.state import Table

Handler = Callable[[Book, Table, Act, str | None, int], list[ev.Event] | Refusal]

#: What an act does besides being on the record.
HANDLERS: dict[str, Handler] = {
    "deck-registered": opening.register_deck,
    "shuffle": opening.shuffle,
    "cut": opening.cut,
    "recut-ordered": opening.recut,
    "deck-loaded": opening.load,
    "deck-held": opening.load,
    "deck-removed": opening.remove_deck,
    "deck-changed": opening.change_deck,
    "device-count": opening.device_count,
    "device-registered": opening.register_device,
    "device-removed": opening.remove_device,
    "device-jam": opening.jam,
    "notice-given": opening.give_notice,
    "option-changed": change_option,
    "bets-opened": betting.open_bets,
    "round-opened": betting.open_bets,
    "ante": betting.ante,
    "place-for-player": betting.ante,
    "side-bet": betting.side_bet,
    "no-more-bets": betting.close_bets,
    "START GAME": betting.start_game,
    "lock-out": betting.lock_out,
    "chip-light-count": betting.count_chips,
    "burn": dealing.burn,
    "card-dealt": dealing.deal_card,
    "packet-dealt": dealing.deal_packet,
    "up-card": dealing.turn_up,
    "stub-to-rack": dealing.stub_to_rack,
    "stub-count": dealing.count_stub,
    "go-ahead": dealing.go_ahead,
    "look": deciding.look,
    "exchange": deciding.exchange,
    "discard": deciding.discard,
    "decision": deciding.decide_box,
    "bet": deciding.decide_box,
    "fold": deciding.decide_box,
    "declare": deciding.decide_box,
    "claim": deciding.claim,
    "time-out": deciding.time_out,
    "touch-cards": deciding.touch,
    "suspend-tables": majors.suspend,
    "resume-tables": majors.resume,
    "approval-recorded": equipment.record_approval,
    "reveal": closing.reveal,
    "collect-chips": closing.collect_chips,
    "pay": closing.pay,
    "select-winner": awards.select_winner,
    "supervisor-validated": awards.validate,
    "manual-adjustment": awards.adjust,
    "pay-award": awards.pay_award,
    "collect-cards": closing.collect_cards,
    "collect-award-cards": closing.collect_cards,
    "END GAME": closing.end_round,
    "round-ended": closing.end_round,
}
#: What may be done while a question is open.
_WHILE_ASKED = frozenset(
    {"claim", "talk", "touch-cards", "stay-seated", "keep-in-view", "notice-given", "device-removed", "reconstruct"}
)
#: After the reveal the first of these has the round reckoned.
_RECKONS = frozenset(
    {"reckon", "collect-chips", "pay", "select-winner", "pay-award", "collect-cards", "END GAME", "round-ended"}
)


def decide(book: Book, table: Table, command: Command) -> tuple[ev.Event, ...] | Refusal:
    """The events that a command brings about, or why it does not."""
    book = in_force(book, table)
    match command:
        case Act():
            return _act(book, table, command)
        case Report():
            return _frozen(irregular.report(book, table, command))
        case Rule():
            return _frozen(answering.decide_question(book, table, command))
        case Choose():
            return _frozen(answering.choose(book, table, command))


def run(book: Book, table: Table, command: Command) -> tuple[Table, tuple[ev.Event, ...]] | Refusal:
    """Decides a command and takes its events into the state."""
    events = decide(book, table, command)
    if isinstance(events, Refusal):
        return events
    for event in events:
        table = evolve(table, event)
    return table, events


def _frozen(found: list[ev.Event] | Refusal) -> tuple[ev.Event, ...] | Refusal:
    return found if isinstance(found, Refusal) else tuple(found)


def _act(book: Book, table: Table, act: Act) -> tuple[ev.Event, ...] | Refusal:
    at = table.clock if act.at is None else act.at
    if at < table.clock:
        return Refusal("the table's clock does not run backwards", "")
    if table.questions and act.do not in _WHILE_ASKED:
        asked = table.questions[0]
        by = asked.clause or book.cite("void.last_word")
        return Refusal(f"{asked.of} must answer question {asked.number} first", by)
    if majors.is_suspended(table) and act.do not in majors.WHILE_SUSPENDED:
        where = book.cite_first("progressive.tables_meanwhile", "void.last_word")
        return Refusal("the games are suspended for a jackpot", where)
    role = act.role or default_role(book, act.do)
    events: list[ev.Event] = []
    if act.do in _RECKONS and table.round is not None and table.round.phase == "revealed" and not table.round.settled:
        reckoned = closing.reckon(book, table, None)
        if isinstance(reckoned, Refusal):
            return reckoned
        events += reckoned
        for event in reckoned:
            table = evolve(table, event)
        if table.questions:
            return tuple(events)
    if act.do in DECK_ACTS and act.deck is None:
        act = replace(act, deck=opening.deck_meant(table, act), role=role)
    elif act.role is None:
        act = replace(act, role=role)
    checked = _checked(book, table, act, role, at)
    if isinstance(checked, Refusal):
        return checked
    clause, breaches = checked
    handler = HANDLERS.get(act.do)
    done = handler(book, table, act, clause, at) if handler is not None else []
    if isinstance(done, Refusal):
        return done
    acted = ev.Acted(
        act=act.do, by=act.by or role, role=role, at=at, box=act.box, deck=act.deck, note=act.note, clause=clause
    )
    # A round must exist before an act can be put on its record, and cards before the stub is.
    if act.do in ("bets-opened", "round-opened", "deck-registered"):
        return (*events, *breaches, *done, acted)
    return (*events, *breaches, acted, *done)


#: A decision is also the act that it decides for.
_NAMED: dict[str, ActName] = {"bet": "bet", "fold": "fold", "declare": "declare"}


def _checked(book: Book, table: Table, act: Act, role: Actor, at: int) -> Refusal | tuple[str | None, list[ev.Event]]:
    """The act held against its clauses; a decision to bet, fold or declare against those of that act as well."""
    checked = check(book, table, act, role, at)
    if isinstance(checked, Refusal) or act.do != "decision" or act.choice not in _NAMED:
        return checked
    named = check(book, table, replace(act, do=_NAMED[act.choice]), role, at)
    if isinstance(named, Refusal):
        return named
    return named[0] or checked[0], [*checked[1], *named[1]]
