"""Stakes after a mishap: void a round or a hand, forfeit wagers, return an excess or a whole stake."""

from aceking.rules.words import Mishap
from aceking.settlement.amounts import bet_sizes
from aceking.table import event as ev
from aceking.table.moment import Moment
from aceking.table.money.award_lines import is_out_of_round
from aceking.table.money.limits import ante_limits
from aceking.table.money.settling import ante_in_play
from aceking.table.state import OWN_SIDES, Box, Round


def void_round(now: Moment, clause: str) -> list[ev.TableEvent]:
    """Return every stake of the round, once; what was taken or paid is undone."""
    current, book = now.table.round, now.book
    assert current is not None
    where = book.by_key.get("void.stakes")
    returns = where.clause if where is not None else clause
    open_only = book.void.scope == "open-hands-only"
    events: list[ev.TableEvent] = []
    settled = {line.seat for line in current.lines}  # a hand that ended early may be unsettled: its ante is unregulated
    kept = {box.number for box in current.boxes.values() if open_only and box.ended_early and box.number in settled}
    for number, line in enumerate(current.lines):
        if is_out_of_round(current, line):
            continue
        if number in current.moved and line.seat not in kept:
            events.append(ev.Unmoved(line=number, clause=returns))
        if number not in current.moved and line.seat in kept:
            events.append(ev.Moved(line=number, clause=line.clause))
    for box in current.boxes.values():
        if box.void or box.forfeited:
            continue
        events += (
            _unsettled_back(current, box, returns) if box.number in kept else _all_back(box, returns, with_fee=True)
        )
    return [*events, *_end_void(now, current, clause)]


def _unsettled_back(current: Round, box: Box, clause: str) -> list[ev.TableEvent]:
    """Return the side wagers of a hand that ended early, as far as no line has settled them."""
    settled = {line.wager for line in current.lines if line.seat == box.number}
    return [one for one in _named_back(box, clause) if one.wager not in settled]


def _end_void(now: Moment, current: Round, clause: str) -> list[ev.TableEvent]:
    """End the round without a result; its cards are shuffled again."""
    if current.phase == "done":
        return [ev.RoundVoided(clause=clause)]
    deck: list[ev.TableEvent] = (
        [ev.Unshuffled(deck=now.table.deck, clause=clause)] if now.table.deck is not None else []
    )
    return [ev.RoundVoided(clause=clause), *deck, ev.RoundEnded(at=now.at, counted=current.counted, clause=clause)]


def void_hand(now: Moment, number: int, clause: str, *, own_fault: bool = False) -> list[ev.TableEvent]:
    """Take one box out: undo what it was paid, then return its stakes."""
    current = now.table.round
    assert current is not None
    box = current.boxes.get(number)
    if box is None or box.void or box.forfeited:
        return []
    with_fee = not own_fault or (now.book.exchange is not None and now.book.exchange.price_on_player_void == "returned")
    lost: list[ev.TableEvent] = []
    if box.fee and not with_fee:
        lost = [ev.Kept(box=number, amount=box.fee, clause=clause)]
    undone = _undone(current, number, clause)
    return [*undone, *_all_back(box, clause, with_fee=with_fee), *lost, ev.HandVoided(box=number, clause=clause)]


def _undone(current: Round, number: int, clause: str, wager: str | None = None) -> list[ev.TableEvent]:
    """Undo the lines of a box that have moved."""
    return [
        ev.Unmoved(line=place, clause=clause)
        for place, line in enumerate(current.lines)
        if line.seat == number and place in current.moved and wager in (None, line.wager)
    ]


def _all_back(box: Box, clause: str, *, with_fee: bool) -> list[ev.TableEvent]:
    fee = box.fee if with_fee else 0
    main = (("ante", box.ante), ("bet", box.bet), ("exchange", fee), ("bought", box.paid))
    chips: list[ev.TableEvent] = [
        ev.Returned(box=box.number, wager=wager, amount=amount, clause=clause) for wager, amount in main if amount
    ]
    return [*chips, *all_sides_back(box, clause)]


def side_back(box: Box, clause: str) -> list[ev.TableEvent]:
    """Return the stake of a box on the progressive or the bonus."""
    return [
        ev.Returned(box=box.number, wager=name, amount=side.stake, clause=clause)
        for name, side in box.sides.items()
        if side.stake and name in OWN_SIDES
    ]


def _named_back(box: Box, clause: str) -> list[ev.Returned]:
    return [
        ev.Returned(box=box.number, wager=name, amount=side.stake, clause=clause)
        for name, side in box.named.items()
        if side.stake
    ]


def all_sides_back(box: Box, clause: str) -> list[ev.TableEvent]:
    """Return all side wagers of a box."""
    return [*side_back(box, clause), *_named_back(box, clause)]


def side_undone(now: Moment, number: int, clause: str) -> list[ev.TableEvent]:
    """Return the side wagers of a box, after undoing what was settled of them."""
    current = now.table.round
    assert current is not None
    return [*_undone(current, number, clause, "side"), *side_back(current.boxes[number], clause)]


def forfeit(now: Moment, number: int, clause: str) -> list[ev.TableEvent]:
    """Take all wagers of a box, after undoing what it was paid."""
    current = now.table.round
    assert current is not None
    return [*_undone(current, number, clause), ev.Forfeited(box=number, clause=clause)]


#: Mishaps that are about the side wagers of a box.
_OF_SIDE: frozenset[Mishap] = frozenset({"side-bet-without-ante", "unlit-chip", "chip-light-mismatch", "jackpot-fault"})


def give_back(now: Moment, box: Box, mishap: Mishap, clause: str) -> list[ev.TableEvent]:
    """Return the excess of a stake, or a stake that should not be there, after undoing what was paid on it."""
    current, most = now.table.round, ante_limits(now.book, now.table)[1]
    assert current is not None
    if not current.settled and any(line.seat == box.number for line in current.lines):
        return []  # a fold or a declaration has settled it: its lines pay or take the stake
    if mishap == "over-maximum" and most is not None and box.ante > most:
        undone = _undone(current, box.number, clause, "ante")
        return [*undone, ev.Returned(box=box.number, wager="ante", amount=box.ante - most, clause=clause)]
    exact = bet_sizes(now.book, ante_in_play(now.book, now.table, box))[-1]
    if mishap == "bet-over" and box.bet > exact:
        undone = _undone(current, box.number, clause, "bet")
        return [*undone, ev.Returned(box=box.number, wager="bet", amount=box.bet - exact, clause=clause)]
    lit_stays = mishap in ("chip-light-mismatch", "unlit-chip") and box.lit
    if mishap in _OF_SIDE and box.side and not lit_stays:
        return [*_undone(current, box.number, clause, "side"), *side_back(box, clause)]
    return []
