"""What clauses demand of the second half of a round and of the house's notices: predicates as in conditions.py."""

from collections.abc import Callable, Mapping
from functools import partial

from aceking.rules.book import Book
from aceking.table.command import Act
from aceking.table.options import changed_value
from aceking.table.reckon import owed
from aceking.table.state import Box, Round, Table


def _box(table: Table, act: Act) -> Box | None:
    current = table.round
    return None if current is None or act.box is None else current.boxes.get(act.box)


def _all_discarded(book: Book, table: Table, act: Act) -> str | None:
    """Who goes on lays a card aside, where the game has a discard."""
    current = table.live_round
    if current is None or not book.hands.discards:
        return None
    owing = [box.number for box in current.live if box.choice in ("bet", "stay") and box.discard is None]
    return f"box {owing[0]} has not discarded" if owing else None


#: What may have to be off the layout before the reveal.
EARLY = {"folded-hands-racked": "fold", "declared-hands-racked": "declare"}


def _waits(book: Book, box: Box) -> bool:
    """Where the house pays a jackpot on a folded hand, that hand waits for it."""
    payable = book.progressive is not None and book.progressive.folded == "payable"
    return payable and box.choice == "fold" and bool(box.side and box.lit)


def unsettled_early(book: Book, current: Round, choice: str) -> list[int]:
    """The boxes that made this choice whose chips or cards still lie on the layout."""
    waiting = {line.seat for _, line in owed(current)}
    early = [box for box in current.live if box.choice == choice and not _waits(book, box)]
    return [box.number for box in early if box.number in waiting or not box.racked]


def _early_hands_racked(book: Book, table: Table, act: Act, *, choice: str) -> str | None:
    current = table.live_round
    waiting = unsettled_early(book, current, choice) if current is not None else []
    return f"box {waiting[0]} is not yet settled and in the rack" if waiting else None


def _own_cards(book: Book, table: Table, act: Act) -> str | None:
    """Only the player of a hand and the dealer touch it."""
    box = _box(table, act)
    if box is None or act.player is None or act.player == box.player:
        return None
    return f"{act.player} touched the cards of box {box.number}"


def _notice_of_withdrawal(book: Book, table: Table, act: Act) -> str | None:
    """An offer is withdrawn after notice only."""
    if _rule(book, act) != "bonus.offered" or _noticed(table, act):
        return None
    withdrawn = book.bonus is not None and book.bonus.offered and changed_value(book, act) is False
    return "no notice was given before the offer is withdrawn" if withdrawn else None


def _notice_of_lower_cap(book: Book, table: Table, act: Act) -> str | None:
    """A cap that is not printed on the layout is lowered after notice only; no cap at all is the highest."""
    if _rule(book, act) != "bet.cap" or _noticed(table, act):
        return None
    new = changed_value(book, act)
    lower = isinstance(new, int) and (book.bet.cap is None or new < book.bet.cap)
    return "no notice was given before the payout limit is lowered" if lower and not book.bet.cap_on_layout else None


def _one_version(book: Book, table: Table, act: Act) -> str | None:
    """All tables of a house play one version; `method` is what its other tables play."""
    if not book.table.one_version or act.method is None or act.method == book.id:
        return None
    return f"the other tables of the house play {act.method}"


def _rule(book: Book, act: Act) -> str | None:
    found = book.options.get(act.option or "")
    return found.rule if found is not None else None


def _noticed(table: Table, act: Act) -> bool:
    return f"notice {act.option}" in table.facts


def _layout_clear(book: Book, table: Table, act: Act) -> str | None:
    """The cards of the last round are all in the rack before its deck is shuffled."""
    last = table.round
    if last is None or last.phase == "void" or not last.placed or (act.deck or table.deck) != table.deck:
        return None
    left = [f"box {box.number}" for box in last.boxes.values() if box.cards and not box.racked]
    racked = {what for what, _ in last.rack}
    left += ["the community"] if last.community and "community" not in racked else []
    left += ["the dealer"] if last.dealer and "dealer" not in racked else []
    return f"the cards of {left[0]} still lie on the layout" if left else None


def _stub_put_away(book: Book, table: Table, act: Act) -> str | None:
    """Before the first hand is looked at, the stub is in the rack."""
    current = table.live_round
    if current is None or current.anyone_looked or any(what == "stub" for what, _ in current.rack):
        return None
    return "the stub is not in the rack"


def _settles_early(current: Round, number: int | None) -> bool:
    """A folded or declared hand is settled before the others are turned."""
    box = current.boxes.get(number) if number is not None else None
    return box is not None and (box.choice in ("fold", "declare") or box.void)


def _hand_turned(book: Book, table: Table, act: Act) -> str | None:
    """A hand is shown before its wagers are taken or paid; one that folded or was declared is settled already."""
    current, box = table.round, _box(table, act)
    if current is None or box is None or box.turned or _settles_early(current, act.box):
        return None
    return f"the hand of box {box.number} is not turned"


def _from_the_right(book: Book, table: Table, act: Act) -> str | None:
    """Hands are turned from the dealer's far right; one that folded or was declared is not turned at all."""
    current, box = table.round, _box(table, act)
    if current is None or box is None:
        return None
    if _settles_early(current, act.box) and not _waits(book, box):
        return f"box {box.number} is out and has no hand to turn"
    farther = [one.number for one in current.live if one.number > box.number and not one.turned]
    waiting = [number for number in farther if not _settles_early(current, number)]
    return f"box {waiting[-1]} is turned first" if waiting else None


def _duty_kept(book: Book, table: Table, act: Act) -> str | None:
    """A standing duty: what is noted of it is its breach."""
    return act.note


def _outcomes_of(current: Round, number: int) -> set[str]:
    return {line.outcome for line in current.lines if line.seat == number and line.wager != "side"}


def _losers_collected(book: Book, table: Table, act: Act) -> str | None:
    """The cards of a push are picked up after those of all losers."""
    current = table.round
    if current is None or act.box is None or "push" not in _outcomes_of(current, act.box):
        return None
    return _left(book, current, {"lose"})


def _losers_and_pushes_settled(book: Book, table: Table, act: Act) -> str | None:
    """Winners are paid after losers and pushes have been cleared away."""
    current = table.round
    if current is None or act.box is None or _settles_early(current, act.box):
        return None
    return _left(book, current, {"lose", "push"}) if "win" in _outcomes_of(current, act.box) else None


def _all_winners_paid(book: Book, table: Table, act: Act) -> str | None:
    """Winning hands lie face up until the last of them is paid."""
    current = table.round
    if current is None or act.box is None or _settles_early(current, act.box):
        return None
    if "win" not in _outcomes_of(current, act.box):
        return None
    unpaid = [line.seat for _, line in owed(current) if line.outcome == "win"]
    return f"box {unpaid[0]} is not paid yet" if unpaid else None


def _left(book: Book, current: Round, outcomes: set[str]) -> str | None:
    # A hand that is owed an award lies there until that is paid.
    held = {line.seat for line in current.lines if line.wager == "side" and line.outcome == "win"}
    for box in current.live:
        if box.number in held or _waits(book, box):
            continue
        if _outcomes_of(current, box.number) & outcomes and not box.racked:
            return f"the hand of box {box.number} is not collected yet"
    return None


ROUND_CONDITIONS: Mapping[str, Callable[[Book, Table, Act], str | None]] = {
    "all-discarded": _all_discarded,
    **{name: partial(_early_hands_racked, choice=choice) for name, choice in EARLY.items()},
    "own-cards": _own_cards,
    "notice-of-withdrawal": _notice_of_withdrawal,
    "notice-of-lower-cap": _notice_of_lower_cap,
    "one-version-in-house": _one_version,
    "layout-clear": _layout_clear,
    "stub-put-away": _stub_put_away,
    "hand-turned": _hand_turned,
    "from-the-right": _from_the_right,
    "duty-kept": _duty_kept,
    "losers-collected": _losers_collected,
    "all-winners-paid": _all_winners_paid,
    "losers-and-pushes-settled": _losers_and_pushes_settled,
}
