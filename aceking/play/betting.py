"""The wagers before the deal: opened, placed, withdrawn, closed, locked out, counted."""

from aceking.play import event as ev
from aceking.play.command import Act
from aceking.play.opening import Outcome
from aceking.play.state import Round, Table
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal


def open_bets(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A new round begins."""
    if table.live_round is not None:
        return Refusal("the round before is not over", clause or book.cite("ante.required"))
    if table.facts.get("course") == "close-table":
        return Refusal("the table is closed after a jackpot fault", book.cite("progressive.fault_later"))
    return [ev.RoundOpened(number=table.rounds + 1, at=at, deck=table.deck, clause=clause)]


def ante(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A player stakes an ante, or takes it back with an amount below nothing."""
    current = table.live_round
    if current is None or current.phase != "betting":
        return Refusal("betting is not open", _late(book, clause))
    if act.box is None or act.amount is None or not act.player:
        return Refusal("which box, which player, how much?", "")
    if act.box < 1 or act.box > book.table.seats_max:
        return Refusal(f"the table has {book.table.seats_max} places", book.cite("table.seats_max"))
    if table.facts.get(f"blocked {act.box}"):
        return Refusal(f"box {act.box} takes no bets", book.cite("progressive.fault_later"))
    box = current.boxes.get(act.box)
    if box is not None and box.player != act.player:
        return Refusal(f"box {act.box} is {box.player}'s", clause or "")
    staked = box.ante if box is not None else 0
    if staked + act.amount < 0:
        return Refusal("more is taken back than was staked", clause or "")
    if act.amount < 0:
        return _take_back(current, act.box, -act.amount, clause)
    return _limits(book, table, act, staked + act.amount, clause)


def _late(book: Book, clause: str | None) -> str:
    return book.by_key["wagers.after_close"].clause if "wagers.after_close" in book.by_key else clause or ""


def _take_back(current: Round, number: int, amount: int, clause: str | None) -> Outcome:
    box = current.boxes[number]
    events: list[ev.Event] = [ev.Returned(box=number, wager="ante", amount=amount, clause=clause)]
    if box.side and amount == box.ante:
        events.append(ev.Returned(box=number, wager="side", amount=box.side, clause=clause))
    return events


def _limits(book: Book, table: Table, act: Act, total: int, clause: str | None) -> Outcome:
    """What is over the maximum is not taken while betting is open; what is under the minimum waits for the player."""
    assert act.box is not None
    assert act.amount is not None
    assert act.player is not None
    staked = ev.Staked(box=act.box, player=act.player, wager="ante", amount=act.amount, clause=clause)
    events: list[ev.Event] = [staked]
    # A bet that slips through unnoticed is settled by the book's own rule for it (note "unnoticed").
    if act.note == "unnoticed":
        return events
    if table.ante_max is not None and total > table.ante_max:
        over = total - table.ante_max
        if book.ante.over_max == "refused":
            return Refusal("the ante is over the maximum", book.cite("ante.over_max"))
        where = book.by_key.get("ante.over_max")
        events.append(ev.Returned(box=act.box, wager="ante", amount=over, clause=where.clause if where else clause))
    if table.ante_min is not None and total < table.ante_min:
        where = book.by_key.get("ante.under_min")
        return Refusal(
            "the ante is under the minimum; raise it or take it back", where.clause if where else clause or ""
        )
    return events


def side_bet(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A side bet, whose light comes on unless the command says that it did not."""
    current = table.live_round
    if current is None or current.phase != "betting":
        return Refusal("betting is not open", _late(book, clause))
    rules = book.progressive or book.bonus
    if rules is None:
        return Refusal("the book has no side bet", clause or "")
    if book.bonus is not None and not book.bonus.offered:
        return Refusal("the house offers no bonus wager", book.cite("bonus.offered"))
    if table.facts.get("course") == "play-without-jackpot":
        return Refusal("no jackpot bets are taken", book.cite("progressive.fault_later"))
    if act.box is None or act.amount is None:
        return Refusal("which box, and how much?", "")
    box = current.boxes.get(act.box)
    unnoticed = act.note == "unnoticed"
    if (box is None or not box.ante) and not unnoticed:
        key = "progressive.needs_ante" if book.progressive else "bonus.needs_ante"
        return Refusal("a side bet needs an ante on that box", book.cite(key))
    if act.amount != rules.stake and not unnoticed:
        key = "progressive.wrong_stake" if book.progressive else "bonus.stake"
        return Refusal("the side bet is not the prescribed amount", book.cite(key))
    if box is not None and box.side:
        return Refusal("there is a side bet on that box already", clause or "")
    player = box.player if box is not None else act.player or ""
    lit = book.progressive is None or act.note != "dark"
    return [ev.Staked(box=act.box, player=player, wager="side", amount=act.amount, lit=lit, clause=clause)]


def close_bets(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """No more bets."""
    current = table.live_round
    if current is None or current.phase not in ("betting", "closed"):
        return Refusal("betting is not open", clause or "")
    if not any(box.ante for box in current.boxes.values()):
        return Refusal("nobody has staked an ante", book.cite("ante.required"))
    return []


def start_game(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The key that closes the progressive; the chips leave the table."""
    closed = close_bets(book, table, act, clause, at)
    if isinstance(closed, Refusal):
        return closed
    return [*_dark_chips(table, clause), ev.Trayed(meter=act.amount, clause=clause)]


def lock_out(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """No further side bet registers. The meter's value at this moment is the one the round plays for."""
    return []


def count_chips(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """Chips are held against lights, then go to the tray; a difference waits for a supervisor."""
    current = table.live_round
    if current is None:
        return Refusal("there is no round", "")
    lights = sum(bool(box.side and box.lit) for box in current.boxes.values())
    if act.count is not None and act.count != lights:
        number = table.asked + 1
        what = f"{act.count} chips and {lights} lights"
        return [
            ev.Ruled(incident="chip-light-mismatch", given=(), then="hold-deal", clause=clause),
            ev.Asked(question=number, incident="chip-light-mismatch", of="supervisor", what=what, clause=clause),
        ]
    return [*_dark_chips(table, clause), ev.Trayed(meter=act.amount, clause=clause)]


def _dark_chips(table: Table, clause: str | None) -> list[ev.Event]:
    """A chip whose light never lit registered no wager: it goes back."""
    current = table.live_round
    assert current is not None
    dark = [box for box in current.boxes.values() if box.side and not box.lit]
    return [ev.Returned(box=box.number, wager="side", amount=box.side, clause=clause) for box in dark]
