"""The wagers before the deal: opened, placed, withdrawn, closed, locked out, counted."""

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Incident
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.phases.opening import Outcome
from aceking.table.state import LAYOUT, METER, TRAY, Box, Round, Table


def open_bets(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A new round begins."""
    if table.live_round is not None:
        return Refusal("the round before is not over", clause or book.cite("ante.required"))
    if table.course == "close-table":
        return Refusal("the table is closed after a jackpot fault", _course_clause(book))
    return [
        ev.RoundOpened(
            number=table.rounds + 1,
            at=at,
            deck=table.deck,
            book=table.book,
            digest=table.digest,
            options=table.options,
            clause=clause,
        )
    ]


def ante(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A player stakes an ante, or takes it back with an amount below nothing."""
    current = table.live_round
    if current is not None and (topped := _top_up(book, table, current, act)) is not None:
        return topped
    if current is None or not _antes_open(current, act):
        return Refusal("betting is not open", _late(book, clause))
    if act.box is None or act.amount is None or not act.player:
        return Refusal("which box, which player, how much?", "")
    if act.box < 1 or act.box > book.table.seats_max:
        return Refusal(f"the table has {book.table.seats_max} places", book.cite("table.seats_max"))
    if table.course == "block-box" and table.facts.get(f"blocked {act.box}"):
        return Refusal(f"box {act.box} takes no bets", _course_clause(book))
    box = current.boxes.get(act.box)
    if refused := _not_his(box, act.player, clause):
        return refused
    if act.amount == 0:
        return Refusal("an ante is more than nothing", clause or book.cite("ante.required"))
    staked = box.ante if box is not None else 0
    if staked + act.amount < 0:
        return Refusal("more is taken back than was staked", clause or "")
    if act.amount < 0:
        return _take_back(current, act.box, -act.amount, clause)
    return _limits(book, table, act, staked + act.amount, clause)


def _antes_open(current: Round, act: Act) -> bool:
    """A call closes all betting. A key that closes the side bets leaves antes open until the first card."""
    if current.phase == "betting":
        return True
    by_key = current.phase == "closed" and "no-more-bets" not in current.acts and "START GAME" in current.acts
    return by_key and not current.sequence and (act.amount or 0) > 0


def _top_up(book: Book, table: Table, current: Round, act: Act) -> Outcome | None:
    """An ante under the minimum, found after the deal, is brought up to it unless he has looked; None: no such case."""
    box = current.boxes.get(act.box or 0)
    least = table.ante_min if table.ante_min is not None else book.ante.min
    if book.ante.top_up is None or not current.sequence or box is None or not box.live or least is None:
        return None
    if box.ante >= least or box.player != act.player or act.amount is None:
        return None
    clause = book.cite("ante.top_up")
    if box.seen:
        return Refusal("the player has looked: the ante stands as it is", clause)
    if act.amount != least - box.ante:
        return Refusal("the ante is brought up to the minimum, no further", clause)
    return [ev.Staked(box=box.number, player=box.player, wager="ante", amount=act.amount, clause=clause)]


def _not_his(box: Box | None, player: str | None, clause: str | None) -> Refusal | None:
    """Whether a box takes no chips from this player in this round."""
    if player in (LAYOUT, TRAY, METER):
        return Refusal(f"{player} is no player", "")
    if box is None:
        return None
    if player is not None and box.player != player and (box.ante or box.side):
        return Refusal(f"box {box.number} is {box.player}'s", clause or "")
    return Refusal(f"box {box.number} is out of the round", clause or "") if box.void or box.forfeited else None


def _course_clause(book: Book) -> str:
    """By which clause a house stops or narrows its table after a fault."""
    return book.cite_first("progressive.fault_later", "void.last_word")


def _late(book: Book, clause: str | None) -> str:
    return book.by_key["wagers.after_close"].clause if "wagers.after_close" in book.by_key else clause or ""


def _take_back(current: Round, number: int, amount: int, clause: str | None) -> Outcome:
    box = current.boxes[number]
    events: list[ev.Event] = [ev.Returned(box=number, wager="ante", amount=amount, clause=clause)]
    if box.side and amount == box.ante:
        events.append(ev.Returned(box=number, wager="side", amount=box.side, clause=clause))
    if box.bet and amount == box.ante:
        events.append(ev.Returned(box=number, wager="bet", amount=box.bet, clause=clause))
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
    least = book.ante.min if table.ante_min is None else table.ante_min
    most = book.ante.max if table.ante_max is None else table.ante_max
    if most is not None and total > most:
        over = total - most
        if book.ante.over_max == "refused":
            return Refusal("the ante is over the maximum", book.cite("ante.over_max"))
        by = _noticed(book, "over-maximum") or _clause_of(book, "ante.over_max") or clause
        events.append(ev.Returned(box=act.box, wager="ante", amount=over, clause=by))
    if least is not None and total < least:
        by = _noticed(book, "under-minimum") or _clause_of(book, "ante.under_min") or clause
        return Refusal("the ante is under the minimum; raise it or take it back", by or "")
    return events


def _noticed(book: Book, incident: Incident) -> str | None:
    """The clause for a stake outside the limits that is seen while betting is open."""
    from aceking.table.mishaps.report import ruling_for

    found = ruling_for(book, incident, {"bets-open"})
    return found[0] if found is not None else None


def _clause_of(book: Book, key: str) -> str | None:
    return book.cite(key) if key in book.by_key else None


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
    if table.course == "play-without-jackpot":
        return Refusal("no jackpot bets are taken", _course_clause(book))
    if act.box is None or act.amount is None:
        return Refusal("which box, and how much?", "")
    box = current.boxes.get(act.box)
    if refused := _not_his(box, act.player, clause):
        return refused
    unnoticed = act.note == "unnoticed"
    if (box is None or not box.ante) and not unnoticed:
        key = "progressive.needs_ante" if book.progressive else "bonus.needs_ante"
        return Refusal("a side bet needs an ante on that box", book.cite(key))
    if act.amount != rules.stake and not unnoticed:
        key = "progressive.wrong_stake" if book.progressive else "bonus.stake"
        return Refusal("the side bet is not the prescribed amount", book.cite(key))
    if act.amount <= 0 or not 1 <= act.box <= book.table.seats_max or (box is None and not act.player):
        return Refusal("which box, which player, how much?", "")
    if box is not None and box.side:
        return Refusal("there is a side bet on that box already", clause or "")
    player = box.player if box is not None else act.player or ""
    lit = book.progressive is None or act.note != "dark"
    staked = ev.Staked(
        box=act.box,
        player=player,
        wager="side",
        amount=act.amount,
        lit=lit,
        coupon="coupon" in (act.means or ""),
        clause=clause,
    )
    return [staked]


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
    return [*dark_chips(book, table, clause), ev.Trayed(meter=act.amount, clause=clause)]


def lock_out(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """No further side bet registers. The meter's value at this moment is the one the round plays for."""
    return []


def count_chips(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """Chips are held against lights, then go to the tray; a difference waits for a supervisor."""
    current = table.live_round
    if current is None:
        return Refusal("there is no round", "")
    if current.lines:
        return Refusal("the chips are counted before anything is settled", clause or "")
    lit = [box for box in current.boxes.values() if box.side and box.lit]
    if lit and all(box.trayed for box in lit):
        return Refusal("the chips are in the tray already", clause or "")
    # A redeemed coupon counts with the chips. What a supervisor has cleared is not held a second time.
    coupons = sum(box.coupon for box in lit)
    cleared = "chip-light-mismatch" in current.incidents
    if act.count is not None and act.count + coupons != len(lit) and not cleared:
        number = table.asked + 1
        what = f"{act.count} chips and {len(lit)} lights" + (f", {coupons} of them by coupon" if coupons else "")
        return [
            ev.Ruled(incident="chip-light-mismatch", given=(), then="hold-deal", clause=clause),
            ev.Asked(question=number, incident="chip-light-mismatch", of="supervisor", what=what, clause=clause),
        ]
    return [*dark_chips(book, table, clause), ev.Trayed(meter=act.amount, clause=clause)]


def dark_chips(book: Book, table: Table, clause: str | None) -> list[ev.Event]:
    """A chip whose light never lit registered no wager: it goes back."""
    current = table.live_round
    light = book.by_key.get("progressive.light")
    clause = light.clause if light is not None else clause
    assert current is not None
    dark = [box for box in current.boxes.values() if box.side and not box.lit and not box.forfeited]
    return [ev.Returned(box=box.number, wager="side", amount=box.side, clause=clause) for box in dark]
