"""Conditions on wagers before the deal: when, with what, how much, and on which box."""

from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.rules.odds import Posted, award
from aceking.settlement.progressive import may_post
from aceking.table.commands import Act, Ante, Bet, Exchange, PlaceForPlayer, SideBet, Stake
from aceking.table.money.limits import ante_limits
from aceking.table.procedure.conditions.predicate import Predicate, box_of, of_own_side
from aceking.table.state import Round, TableState

#: Words before "chips" and "plaques" that do not change their meaning.
_PLAIN = frozenset({"a", "one", "gaming", "casino"})


def _means(act: Act) -> str | None:
    """Return what a wager is made with; chips and plaques in any number and spelling are "chips" and "plaques"."""
    means = act.means if isinstance(act, (Stake, Bet, Exchange)) else None
    if means is None or means in ("chips", "plaques"):
        return means
    *before, last = means.lower().split() or [""]
    kind = last.removesuffix("s") + "s"
    return kind if kind in ("chips", "plaques") and _PLAIN.issuperset(before) else means


def _is_side(act: Act) -> bool:
    return isinstance(act, SideBet) or (isinstance(act, PlaceForPlayer) and act.wager == "side")


def _chips_not_cash(book: Book, table: TableState, act: Act) -> str | None:
    means = _means(act)
    if means is None or means in (book.wagers.means or ()):
        return None
    if "coupon" in means and book.wagers.match_play and not _is_side(act) and "progressive" not in means:
        return None
    # Another clause says whether a coupon for the progressive is accepted.
    if "coupon" in means and _is_side(act) and book.progressive is not None and book.progressive.coupons is not None:
        return None
    return f"wagers are made with chips on the layout, not with {means}"


def _chip_only(book: Book, table: TableState, act: Act) -> str | None:
    """A side wager of one chip takes no plaque, and a coupon only if the book has one for it."""
    means = _means(act)
    own_coupon = book.progressive is not None and bool(book.progressive.coupons) and "coupon" in (means or "")
    if own_coupon and "match" not in (means or ""):
        return None
    return f"this wager is one chip, not {means}" if means not in (None, "chips", "chip") else None


def _coupon_accepted(book: Book, table: TableState, act: Act) -> str | None:
    refused = book.progressive is not None and not book.progressive.coupons
    return "the house takes no coupon for this wager" if refused and "coupon" in (_means(act) or "") else None


def _open(table: TableState) -> bool:
    return table.round is not None and table.round.phase == "betting"


def _bets_are_open(book: Book, table: TableState, act: Act) -> str | None:
    return None if _open(table) else "betting is not open"


def _not_too_late(book: Book, table: TableState, act: Act) -> str | None:
    """No bet is placed once betting is closed; taking one back is not meant."""
    late = table.live_round is not None and not _open(table)
    takes_back = isinstance(act, Stake) and (act.amount or 0) < 0
    return "betting is closed" if late and not takes_back else None


def _blind_in_time(book: Book, table: TableState, act: Act) -> str | None:
    """A blind bet is placed before betting closes or when its box is asked, not in between."""
    between = table.live_round is not None and table.live_round.phase in ("closed", "dealing")
    takes_back = isinstance(act, Bet) and (act.amount or 0) < 0
    return "betting is closed, and no box has been asked yet" if between and not takes_back else None


def _called(book: Book, table: TableState, act: Act) -> str | None:
    return "the call for bets has not been made" if table.live_round is None else None


def _has_ante(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    # A stake that nobody notices is put right later by the book.
    unnoticed = isinstance(act, Stake) and not act.noticed
    return None if unnoticed or (box is not None and box.ante > 0) else "there is no ante on that box"


def _one_box(book: Book, table: TableState, act: Act) -> str | None:
    current = table.live_round
    if current is None or not act.player or act.box is None:
        return None
    return too_many_boxes(book, current, act.player, act.box)


def too_many_boxes(book: Book, current: Round, player: str, number: int) -> str | None:
    """Return why a player may not have this box too; None if they may."""
    if book.table.boxes_per_player == "several":
        return None
    own = [box for box in current.boxes.values() if box.player == player and box.number != number]
    others = [box.number for box in own if box.ante or box.beside] if own else []
    if not others:
        return None
    if book.table.boxes_per_player == "one":
        return f"{player} has box {others[0]} already; a player has one"
    beside = len(others) == 1 and abs(others[0] - number) == 1
    return None if beside else f"{player} may have two boxes side by side"


def _box_unclaimed(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act) if table.live_round is not None else None
    if box is not None and box.taken and act.player is not None and box.player != act.player:
        return f"box {act.box} is {box.player}'s"
    return None


def _seated(book: Book, table: TableState, act: Act) -> str | None:
    stands = isinstance(act, Stake) and act.standing
    return "only seated players may wager" if stands else None


def _prescribed_stake(book: Book, table: TableState, act: Act) -> str | None:
    rules = book.progressive or book.bonus
    if rules is None or not isinstance(act, SideBet) or act.amount is None or not act.noticed:
        return None
    takes_back = act.amount < 0
    return "the side bet is not the prescribed amount" if act.amount != rules.stake and not takes_back else None


def _not_locked_out(book: Book, table: TableState, act: Act) -> str | None:
    current = table.live_round
    locked = current is not None and current.acts & {"lock-out", "START GAME"}
    return "the side bets are locked out" if locked else None


def _light_on(book: Book, table: TableState, act: Act) -> str | None:
    box = box_of(table, act)
    return None if box is not None and box.lit else "no light is on at that box"


def _light_comes_on(book: Book, table: TableState, act: Act) -> str | None:
    return f"the light at box {act.box} is off" if isinstance(act, SideBet) and not act.lit else None


def _awards_known(book: Book, table: TableState, act: Act) -> str | None:
    """No side bet is taken before the house has posted what it pays."""
    rules = book.progressive
    if rules is None or (isinstance(act, Stake) and not act.noticed):
        return None
    if not rules.awards and not table.awards:
        return "no pay table of the progressive is loaded"
    posted = [row.key for row, prize in rules.awards.items() if isinstance(prize, Posted)]
    missing = [row for row in posted if row not in table.awards]
    return f"the award for a {missing[0].replace('_', ' ')} is not posted" if missing else None


def _awards_lawful(book: Book, table: TableState, act: Act) -> str | None:
    """An award that the house posts is no less than the book allows."""
    unlawful = [row for row, text in table.awards.items() if not _may_post(book, row, text)]
    return f"the award posted for a {unlawful[0].replace('_', ' ')} is less than the book allows" if unlawful else None


def _may_post(book: Book, row: str, text: str) -> bool:
    return may_post(book, row, award(text, decimals=book.decimals))


def _within_limits(book: Book, table: TableState, act: Act) -> str | None:
    """The bet that an ante calls for is within the legal limit of a single wager."""
    most, box = book.table.wager_max, box_of(table, act)
    if most is None or not isinstance(act, (Ante, PlaceForPlayer)):
        return None
    total = (act.amount or 0) + (box.ante if box is not None and table.live_round is not None else 0)
    return "the bet on this ante would pass the authorised limit" if total * book.bet.antes > most else None


def _within_table_limits(book: Book, table: TableState, act: Act) -> str | None:
    """The ante is within the posted limits. One that nobody noticed is dealt with when it is found."""
    if not isinstance(act, Stake) or act.amount is None or not act.noticed:
        return None
    box = box_of(table, act) if table.live_round is not None else None
    total = act.amount + (box.ante if box is not None else 0)
    least, most = ante_limits(book, table)
    if least is not None and 0 < total < least:
        return "the ante is under the minimum"
    return "the ante is over the maximum" if most is not None and total > most else None


def _within_games(book: Book, table: TableState, act: Act) -> str | None:
    """A player wagers on no more games than allowed, including other games declared with the stake."""
    most, current = book.table.games_per_player, table.live_round
    if most is None or current is None or act.box is None or not isinstance(act, Stake) or (act.amount or 0) < 0:
        return None
    box = current.boxes.get(act.box)
    if book.table.games_are == "hands":
        player = box.player if box is not None else act.player
        hands = {one.number for one in current.boxes.values() if one.player == player and one.ante}
        games = len(hands | {act.box})
    else:
        on_base = not isinstance(act, SideBet) or (box is not None and box.ante > 0)
        on_side = isinstance(act, SideBet) or (box is not None and box.beside > 0)
        games = on_base + on_side + max(act.games, box.games if box is not None else 0)
    return f"{games} games; a player may wager on {most}" if games > most else None


def _told_one_hand(book: Book, table: TableState, act: Act) -> str | None:
    """Before the first card, players with several boxes are told that they may look at one hand only."""
    current = table.live_round
    if current is None or current.sequence:
        return None
    many = [player for player in several_boxes(table) if player not in current.told]
    return f"{many[0]} was not told that only one hand may be looked at" if many else None


def several_boxes(table: TableState) -> list[str]:
    """Return the players with more than one box in the round."""
    current = table.live_round
    players = [box.player for box in current.dealt_in] if current is not None else []
    return [player for player in dict.fromkeys(players) if players.count(player) > 1]


def _game_not_started(book: Book, table: TableState, act: Act) -> str | None:
    return "the game before was not ended" if table.game_runs else None


WAGERS: Mapping[str, Predicate] = {
    "chips-not-cash": _chips_not_cash,
    "chip-only": of_own_side(_chip_only),
    "coupon-accepted": of_own_side(_coupon_accepted),
    "bets-are-open": _bets_are_open,
    "not-too-late": _not_too_late,
    "blind-in-time": _blind_in_time,
    "called": _called,
    "has-ante": _has_ante,
    "one-box-a-player": _one_box,
    "boxes-adjacent": _one_box,
    "box-unclaimed": _box_unclaimed,
    "seated": _seated,
    "prescribed-stake": of_own_side(_prescribed_stake),
    "not-locked-out": _not_locked_out,
    "light-on": _light_on,
    "light-comes-on": of_own_side(_light_comes_on),
    "awards-known": of_own_side(_awards_known),
    "awards-lawful": of_own_side(_awards_lawful),
    "within-limits": _within_limits,
    "within-table-limits": _within_table_limits,
    "within-games": _within_games,
    "told-one-hand": _told_one_hand,
    "game-not-started": _game_not_started,
}
