"""What clauses demand where a player has several boxes, bets late, or the jackpot is out of order: as conditions.py."""

from collections import Counter
from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.table.command import Act
from aceking.table.deal import burns
from aceking.table.phases.awards import is_award
from aceking.table.state import Round, Table


def several_boxes(current: Round) -> list[str]:
    """The players with more than one box in the round."""
    boxes = Counter(box.player for box in current.dealt_in)
    return [player for player, count in boxes.items() if count > 1]


def _told_one_hand(book: Book, table: Table, act: Act) -> str | None:
    """Before the first card, who has several boxes is told that only one hand may be looked at."""
    current = table.live_round
    if current is None or current.sequence or "one-hand-notice" in current.acts:
        return None
    many = several_boxes(current)
    return f"{many[0]} was not told that only one hand may be looked at" if many else None


def _burnt_first(book: Book, table: Table, act: Act) -> str | None:
    """The first card of a round is burnt; what was left out is one breach, not one for each card."""
    current = table.live_round
    missed = current is not None and burns(book) and not current.sequence
    return "no card was burnt" if missed else None


def _own_box(book: Book, table: Table, act: Act) -> str | None:
    """A box is decided for by the player who bet on it."""
    box = table.live_round.boxes.get(act.box or 0) if table.live_round is not None else None
    if box is None or act.player is None or box.player == act.player:
        return None
    return f"box {box.number} is {box.player}'s to decide"


def _not_too_late(book: Book, table: Table, act: Act) -> str | None:
    """No bet is placed once betting is closed; taking one back is another matter."""
    current = table.live_round
    late = current is not None and current.phase != "betting"
    return "betting is closed" if late and (act.amount or 0) >= 0 else None


def _called(book: Book, table: Table, act: Act) -> str | None:
    return "the call for bets has not been made" if table.live_round is None else None


def _dealing_device(book: Book, table: Table, act: Act) -> str | None:
    """A device that cards are dealt from is one of the kinds that the book knows."""
    if act.method != "dealing" or act.device is None or act.device in book.deal.methods:
        return None
    return f"cards are dealt from a {' or '.join(book.deal.methods)}, not from a {act.device}"


def _course_chosen(book: Book, table: Table, act: Act) -> str | None:
    faulty = table.facts.get("device jackpot") == "faulty"
    return "the house has not said how it goes on without the jackpot" if faulty and table.course is None else None


def _table_not_closed(book: Book, table: Table, act: Act) -> str | None:
    return "the table is closed while the jackpot is out of order" if table.course == "close-table" else None


def _box_not_blocked(book: Book, table: Table, act: Act) -> str | None:
    blocked = table.course == "block-box" and f"blocked {act.box}" in table.facts
    return f"box {act.box} takes no bets while its jackpot device is out of order" if blocked else None


def _jackpot_notice(book: Book, table: Table, act: Act) -> str | None:
    """Play without the jackpot starts when the notice of it is up."""
    missing = table.course == "play-without-jackpot" and f"notice {NO_JACKPOT}" not in table.facts
    return "the notice that no jackpot bets are taken is not up" if missing else None


def _jackpot_in_play(book: Book, table: Table, act: Act) -> str | None:
    return "no jackpot bets are taken" if table.course == "play-without-jackpot" else None


def _award_paid(book: Book, table: Table, act: Act) -> str | None:
    """A hand with an award stays face up until it is paid."""
    current = table.live_round
    if current is None or act.box is None:
        return None
    mine = [number for number, line in enumerate(current.lines) if line.seat == act.box and is_award(line)]
    waits = any(number not in current.moved for number in mine)
    return f"the award of box {act.box} is not paid: its cards stay on the layout" if waits else None


#: The words of the notice under which a table goes on without its jackpot.
NO_JACKPOT = "no jackpot bets"

BOX_CONDITIONS: Mapping[str, Callable[[Book, Table, Act], str | None]] = {
    "award-paid": _award_paid,
    "told-one-hand": _told_one_hand,
    "burnt-first": _burnt_first,
    "own-box": _own_box,
    "not-too-late": _not_too_late,
    "called": _called,
    "dealing-device": _dealing_device,
    "course-chosen": _course_chosen,
    "table-not-closed": _table_not_closed,
    "box-not-blocked": _box_not_blocked,
    "jackpot-notice": _jackpot_notice,
    "jackpot-in-play": _jackpot_in_play,
}
