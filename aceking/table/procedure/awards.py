"""What clauses demand of an award of the progressive, from the light to the signature: as in conditions.py."""

from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.rules.odds import Posted
from aceking.table.command import Act
from aceking.table.phases.awards import award_line, is_signed, row_of, unqualified
from aceking.table.state import Box, Table


def _box(table: Table, act: Act) -> Box | None:
    current = table.round
    return None if current is None or act.box is None else current.boxes.get(act.box)


def _awards_known(book: Book, table: Table, act: Act) -> str | None:
    """No side bet is taken before the house has posted what it pays."""
    rules = book.progressive
    if rules is None or act.note == "unnoticed":
        return None
    if not rules.awards and not table.awards:
        return "no pay table of the progressive is loaded"
    posted = [row.key for row, prize in rules.awards.items() if isinstance(prize, Posted)]
    missing = [row for row in posted if row not in table.awards]
    return f"the award for a {missing[0].replace('_', ' ')} is not posted" if missing else None


def _light_comes_on(book: Book, table: Table, act: Act) -> str | None:
    return f"the light at box {act.box} is off" if act.note == "dark" else None


def _not_started(book: Book, table: Table, act: Act) -> str | None:
    current = table.live_round
    running = current is not None and "START GAME" in current.acts
    return "the game before was not ended" if running else None


def _award_verified(book: Book, table: Table, act: Act) -> str | None:
    """A hand that wins an award lies face up until a supervisor has seen it."""
    current = table.round
    if current is None or act.box is None or award_line(current, act.box) is None:
        return None
    return None if act.box in current.validated else f"the award of box {act.box} is not verified"


def _hand_selected(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    return None if current is not None and act.box in current.selected else f"no hand is selected for box {act.box}"


def _supervisor_called(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    return None if box is not None and "call-supervisor" in box.acts else "no supervisor was called"


def _winning_hand_shown(book: Book, table: Table, act: Act) -> str | None:
    """The hand that was picked is the hand that the cards show."""
    current, box = table.round, _box(table, act)
    if current is None or box is None or box.number not in current.selected:
        return None
    picked, held = current.selected[box.number][0], row_of(book, box)
    return f"box {box.number} holds a {held.replace('_', ' ')}, not what was picked" if picked != held else None


def _right_card(book: Book, table: Table, act: Act) -> str | None:
    """From a level of the house on it takes the card of an executive; and the amount must be the award's."""
    current = table.round
    found = award_line(current, act.box) if current is not None and act.box is not None else None
    if found is None or book.progressive is None:
        return None
    pays, level = found[1].pays, book.progressive.executive_from
    if act.amount is not None and act.amount != pays:
        return "the award is another amount"
    if level is not None and pays >= level and act.method != "executive":
        return "an award of this size takes an executive's card"
    return None


def _not_after_signature(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    signed = current is not None and act.box is not None and is_signed(book, current, act.box)
    return "the award is signed and logged; only a manual adjustment undoes it" if signed else None


def _award_signed(book: Book, table: Table, act: Act) -> str | None:
    """Some award of the round, or that of the box, is confirmed and signed."""
    current = table.round
    boxes = [act.box] if act.box is not None else sorted(current.boxes) if current is not None else []
    signed = current is not None and any(is_signed(book, current, number) for number in boxes)
    return None if signed else "no award is signed"


def _reason_given(book: Book, table: Table, act: Act) -> str | None:
    return None if (act.note or "").strip() else "an adjustment needs a reason"


def _no_hand_announced(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    silent = current is not None and unqualified(book, current) and "announce-no-hand" not in current.acts
    return "the dealer has not said that there is no hand" if silent else None


def _bank_unqualified(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    return None if current is not None and unqualified(book, current) else "the dealer has a hand"


def _fold_counted(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    if box is None or box.choice != "fold" or "fold-count" in box.acts:
        return None
    return f"the folded cards of box {box.number} were not spread and counted"


AWARD_CONDITIONS: Mapping[str, Callable[[Book, Table, Act], str | None]] = {
    "awards-known": _awards_known,
    "light-comes-on": _light_comes_on,
    "game-not-started": _not_started,
    "award-verified": _award_verified,
    "hand-selected": _hand_selected,
    "supervisor-called": _supervisor_called,
    "winning-hand-shown": _winning_hand_shown,
    "right-card-for-amount": _right_card,
    "not-after-signature": _not_after_signature,
    "award-signed": _award_signed,
    "reason-given": _reason_given,
    "no-hand-announced": _no_hand_announced,
    "bank-unqualified": _bank_unqualified,
    "fold-counted": _fold_counted,
}
