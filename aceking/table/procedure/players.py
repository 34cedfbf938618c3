"""What clauses demand of players' conduct and of an exchange: predicates as in conditions.py."""

from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.table.command import Act
from aceking.table.state import Box, Table


def _box(table: Table, act: Act) -> Box | None:
    current = table.round
    return None if current is None or act.box is None else current.boxes.get(act.box)


def _once_only(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    return f"box {box.number} has exchanged already" if box is not None and box.give is not None else None


def _not_laid_down(book: Book, table: Table, act: Act) -> str | None:
    """Who has bet leaves the cards alone until the dealer's are turned."""
    current, box = table.live_round, _box(table, act)
    waiting = current is not None and current.phase == "deciding" and box is not None and box.choice == "bet"
    return f"the cards of box {act.box} lie by the bet until the reveal" if waiting else None


def _not_thrown_away(book: Book, table: Table, act: Act) -> str | None:
    return "the card has been exchanged" if is_thrown_away(table, act.card) else None


def is_thrown_away(table: Table, card: int | None) -> bool:
    """Whether a card was given for another, or folded: nobody may take it up again."""
    current = table.live_round
    if current is None or card is None:
        return False
    return any(one.give == card or (one.choice == "fold" and card in one.cards) for one in current.boxes.values())


def _in_view(book: Book, table: Table, act: Act) -> str | None:
    return "the cards are not in view above the table" if act.note in ("below", "out of view") else None


def _in_play(book: Book, table: Table, act: Act) -> str | None:
    """Who sits, plays: once betting is closed, a stake must lie on the box."""
    current = table.live_round
    if current is None or current.phase == "betting":
        return None
    own = [one for one in current.dealt_in if one.player == act.player or one.number == act.box]
    return None if own else f"{act.player or 'somebody'} sits at the table without playing"


def _only_dealer_card_up(book: Book, table: Table, act: Act) -> str | None:
    to_player = act.to is None or act.to.startswith("box ")
    return "a player's card lies face up" if act.face == "up" and to_player else None


PLAYER_CONDITIONS: Mapping[str, Callable[[Book, Table, Act], str | None]] = {
    "once-only": _once_only,
    "not-laid-down": _not_laid_down,
    "not-thrown-away": _not_thrown_away,
    "in-view": _in_view,
    "in-play": _in_play,
    "only-dealer-card-up": _only_dealer_card_up,
}
