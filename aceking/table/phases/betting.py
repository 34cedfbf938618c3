"""The wagers before the deal: open, place, take back, close, lock out, count."""

import msgspec

from aceking.rules.refusal import Refusal, refusal
from aceking.rules.rulings import ruling_for
from aceking.rules.sentence import said
from aceking.rules.words import Mishap
from aceking.settlement.side_wagers import stake_refused
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.commands import (
    Ante,
    CloseBets,
    CountChips,
    LockOut,
    OpenBets,
    OpenRound,
    PlaceForPlayer,
    SideBet,
    StartGame,
    TellOneHand,
)
from aceking.table.mishaps.stakes import all_sides_back, side_back
from aceking.table.moment import Done, Moment
from aceking.table.money.limits import ante_limits
from aceking.table.procedure.conditions.wagers import too_many_boxes
from aceking.table.state import LAYOUT, METER, TRAY, Box, Round


def open_bets(now: Moment, act: OpenBets | OpenRound) -> Done:
    """Begin a new round."""
    table = now.table
    if table.live_round is not None:
        return now.no("the round before is not over", "time", book="ante.required")
    if not table.open:
        return base("open", "the table is not open")
    if table.course == "close-table":
        return Refusal("the table is closed after a jackpot fault", now.book.cite("void.last_word"))
    opened = ev.RoundOpened(
        number=table.rounds + 1,
        at=now.at,
        deck=table.deck,
        book=table.book,
        digest=table.digest,
        options=table.options,
        clause=now.clause,
    )
    return [opened]


def ante(now: Moment, act: Ante | PlaceForPlayer) -> Done:
    """Stake an ante, or take it back with a negative amount."""
    current = now.table.live_round
    if act.amount is None or act.amount == 0:
        return base("input", "name an amount greater than zero")
    if act.box > now.book.table.seats_max:
        return refusal(
            said("the table has {count} places", count=now.book.table.seats_max), now.book.cite("table.seats_max")
        )
    if current is not None and (left := has_left(now, current.boxes.get(act.box))):
        return left
    if current is not None and (topped := _top_up(now, current, act)) is not None:
        return topped
    if current is None or current.phase != "betting":
        return _late(now)
    player = _staker(now, current, act.box, act.player)
    if isinstance(player, Refusal):
        return player
    box = current.boxes.get(act.box)
    staked = box.ante if box is not None else 0
    if staked + act.amount < 0:
        return now.no("more is taken back than was staked", "chips")
    if act.amount < 0:
        return _take_back(now, current, act.box, -act.amount)
    if too_many := too_many_boxes(now.book, current, player, act.box):
        return refusal(too_many, now.book.cite("table.boxes_per_player"))
    return _limits(now, act, player, staked + act.amount)


def _late(now: Moment) -> Refusal:
    reason = "betting is not open"
    late = now.book.by_key.get("wagers.after_close")
    return refusal(reason, late.clause) if late is not None else now.no(reason, "time")


def _staker(now: Moment, current: Round, number: int, player: str | None) -> str | Refusal:
    """Return the player whose chips go on a box: the box's own player, or any if it is free."""
    if player in (LAYOUT, TRAY, METER):
        return base("people", said("{player} is not a player at this table", player=player))
    if any(player in persons for persons in now.table.people.values()):
        return base("people", said("{who} is assigned to this table, and does not play at it", who=player))
    box = current.boxes.get(number)
    if box is not None and (box.void or box.forfeited):
        return base("box", said("box {box} is out of the round", box=number))
    if box is not None and (box.ante or box.beside):
        if player is not None and box.player != player:
            return now.no(said("box {box} is {player}'s", box=number, player=box.player), "box")
        return box.player
    return player or base("input", "name the player")


def has_left(now: Moment, box: Box | None) -> Refusal | None:
    """Refuse if the player of a box has left: the hand counts as folded, so nobody looks at it or stakes on it."""
    if box is None or not box.left:
        return None
    reason, clause = f"the player of box {box.number} has left", now.book.rules_on("walk-away")
    return refusal(reason, clause) if clause else base("box", reason)


def _top_up(now: Moment, current: Round, act: Ante | PlaceForPlayer) -> Done | None:
    """Raise an ante that was found too low after the close, unless it was seen; None if that is not the case."""
    box, least = current.boxes.get(act.box), ante_limits(now.book, now.table)[0]
    if now.book.ante.top_up is None or current.phase == "betting" or box is None or not box.live or least is None:
        return None
    if box.ante >= least or act.player not in (None, box.player) or act.amount is None:
        return None
    clause = now.book.cite("ante.top_up")
    if box.seen:
        return Refusal("the player has looked: the ante stands as it is", clause)
    if act.amount != least - box.ante:
        return Refusal("the ante is brought up to the minimum, no further", clause)
    return [ev.Staked(box=box.number, player=box.player, wager="ante", amount=act.amount, clause=clause)]


def _take_back(now: Moment, current: Round, number: int, amount: int) -> Done:
    box = current.boxes[number]
    least = ante_limits(now.book, now.table)[0]
    if least is not None and 0 < box.ante - amount < least:
        return _refused_by(now, "under-minimum", "what is left would be under the minimum")
    events: list[ev.TableEvent] = [ev.Returned(box=number, wager="ante", amount=amount, clause=now.clause)]
    if amount == box.ante:
        clause = now.clause or "BASE-chips"
        events += all_sides_back(box, clause)
        if box.bet:
            events.append(ev.Returned(box=number, wager="bet", amount=box.bet, clause=clause))
    return events


def _refused_by(now: Moment, mishap: Mishap, reason: str) -> Refusal:
    """Refuse a stake outside the limits while betting is open: by the clause that rules on it, else by the limits."""
    ruling = ruling_for(now.book, mishap, {"bets-open", "before-no-more-bets"})
    return refusal(reason, ruling[0]) if ruling is not None else base("limit", reason)


def _limits(now: Moment, act: Ante | PlaceForPlayer, player: str, total: int) -> Done:
    """Stake an ante within the limits; the excess over the maximum is returned or refused."""
    assert act.amount is not None
    staked = ev.Staked(box=act.box, player=player, wager="ante", amount=act.amount, games=act.games, clause=now.clause)
    # A bet that nobody notices is settled by the book's own rule for it.
    if not act.noticed:
        return [staked]
    least, most = ante_limits(now.book, now.table)
    if most is not None and total > most:
        refused = _refused_by(now, "over-maximum", "the ante is over the maximum")
        if now.book.ante.over_max == "refused" or act.amount <= total - most:
            return refused
        return [staked, ev.Returned(box=act.box, wager="ante", amount=total - most, clause=refused.clause)]
    if least is not None and total < least:
        reason = "the ante is under the minimum; raise it or take it back"
        return _refused_by(now, "under-minimum", reason)
    return [staked]


def side_bet(now: Moment, act: SideBet) -> Done:
    """Stake a side wager, whose light comes on unless the sensor fails; or take it back while bets are open."""
    book, current = now.book, now.table.live_round
    if act.wager is not None and act.wager in book.sides:
        return named_bet(now, act, act.wager)
    rules = book.progressive or book.bonus
    if rules is None:
        if book.sides:
            return base("input", f"which side wager is it? There are {', '.join(book.sides)}")
        # A derived book may have dropped the wager, but not every clause about it.
        return base("known", "this game has no side wager")
    name = "progressive" if book.progressive is not None else "bonus"
    if act.wager not in (None, name):
        side = f"{name} and {', '.join(book.sides)}" if book.sides else name
        return base("input", said("the side wager of this book is the {side}, not {wager}", side=side, wager=act.wager))
    if current is None or current.phase != "betting":
        return _late(now)
    if book.bonus is not None and not book.bonus.offered:
        return Refusal("the house offers no bonus wager", book.cite("bonus.offered"))
    if now.table.course == "play-without-jackpot":
        return now.no("no jackpot bets are taken", "known", book="progressive.fault_later")
    if act.amount is None or act.amount == 0:
        return base("input", "name an amount greater than zero")
    if act.box > book.table.seats_max:
        return refusal(said("the table has {count} places", count=book.table.seats_max), book.cite("table.seats_max"))
    player = _staker(now, current, act.box, act.player)
    if isinstance(player, Refusal):
        return player
    box = current.boxes.get(act.box)
    if left := has_left(now, box):
        return left
    if act.amount < 0:
        return _side_back(now, box, -act.amount, name)
    if problem := _side_refused(now, act, box):
        return problem
    coupon = "coupon" in (act.means or "")
    lit = book.progressive is None or act.lit
    staked = ev.Staked(
        box=act.box,
        player=player,
        wager=name,
        amount=act.amount,
        lit=lit,
        coupon=coupon,
        games=act.games,
        clause=now.clause,
    )
    return [staked]


def named_bet(now: Moment, act: SideBet, name: str) -> Done:
    """Stake a named side wager beside an ante, raise it within its limits, or take it back whole."""
    book, current = now.book, now.table.live_round
    if current is None or current.phase != "betting":
        return _late(now)
    if act.amount is None or act.amount == 0:
        return base("input", "name an amount greater than zero")
    if act.box > book.table.seats_max:
        return Refusal(f"the table has {book.table.seats_max} places", book.cite("table.seats_max"))
    player = _staker(now, current, act.box, act.player)
    if isinstance(player, Refusal):
        return player
    box = current.boxes.get(act.box)
    if left := has_left(now, box):
        return left
    clause = book.cite_first(f"sides.{name}.stake", f"sides.{name}.min")
    if act.amount < 0:
        back = _side_back(now, box, -act.amount, name)
        return back if isinstance(back, Refusal) else [msgspec.structs.replace(one, clause=clause) for one in back]
    if box is None or not box.ante:
        return Refusal(f"the wager {name} needs an ante on that box", book.cite("ante.required"))
    if "coupon" in (act.means or ""):
        return Refusal(f"no coupon stands for the wager {name}", clause)
    before = box.sides[name].stake if name in box.sides else 0
    if refused := stake_refused(book, name, before + act.amount):
        return refused
    return [
        ev.Staked(box=act.box, player=player, wager=name, amount=act.amount, games=act.games, clause=clause),
    ]


def _side_back(now: Moment, box: Box | None, amount: int, name: str) -> Done:
    wager = box.sides.get(name) if box is not None else None
    if box is None or wager is None or wager.stake != amount:
        return now.no("all of the side wager is taken back, or none", "chips")
    return [ev.Returned(box=box.number, wager=name, amount=amount, clause=now.clause)]


def _side_refused(now: Moment, act: SideBet, box: Box | None) -> Refusal | None:
    step = "progressive" if now.book.progressive is not None else "bonus"
    rules = now.book.progressive or now.book.bonus
    assert rules is not None
    if (box is None or not box.ante) and act.noticed:
        return Refusal("a side bet needs an ante on that box", now.book.cite(f"{step}.needs_ante"))
    wrong_stake = "progressive.wrong_stake" if now.book.progressive else "bonus.stake"
    if act.amount != rules.stake and act.noticed:
        return Refusal("the side bet is not the prescribed amount", now.book.cite(wrong_stake))
    # A sensor registers only the prescribed chip, noticed or not; a bonus of another size is no wager at all.
    strict = now.book.progressive is None or now.book.progressive.wrong_stake == "refused"
    if act.amount != rules.stake and strict:
        return Refusal("the prescribed chip is taken and no other", now.book.cite(wrong_stake))
    if box is not None and box.side:
        return now.no("there is a side bet on that box already", "chips")
    return None


def close_bets(now: Moment, act: CloseBets) -> Done:
    """Close the bets. If nothing else locks the side wagers, they go to the tray with the call."""
    refused = _cannot_close(now)
    if refused is not None:
        return refused
    by_others = any(now.book.governs(act_name) for act_name in ("lock-out", "chip-light-count", "START GAME"))
    if now.book.progressive is None or by_others:
        return []
    return [*dark_chips(now), ev.Trayed(meter=act.meter, clause=now.clause)]


def _cannot_close(now: Moment) -> Refusal | None:
    current = now.table.live_round
    if current is None or current.phase != "betting":
        return now.no("betting is not open", "time")
    if not any(box.ante for box in current.boxes.values()):
        return Refusal("nobody has staked an ante", now.book.cite("ante.required"))
    return None


def start_game(now: Moment, act: StartGame) -> Done:
    """Close the bets by the system's key; the side chips leave the table."""
    refused = _cannot_close(now)
    return refused or [*dark_chips(now), ev.Trayed(meter=act.meter, clause=now.clause)]


def count_chips(now: Moment, act: CountChips) -> Done:
    """Compare chips with lights, then move them to the tray; a difference waits for a supervisor."""
    current = now.table.live_round
    if current is None:
        return base("time", "there is no round")
    if current.lines or current.phase == "betting":
        return now.no("the chips are counted between the close and the deal", "time")
    lit = [box for box in current.boxes.values() if box.lit]
    if lit and all(box.trayed for box in lit):
        return now.no("the chips are in the tray already", "chips")
    # A redeemed coupon counts with the chips. A difference that a supervisor has cleared is not asked about again.
    coupons = sum(any(one.coupon for one in box.sides.values()) for box in lit)
    cleared = any(one.mishap == "chip-light-mismatch" for one in current.found)
    if act.count is not None and act.count + coupons != len(lit) and not cleared:
        what = f"{act.count} chips and {len(lit)} lights" + (f", {coupons} of them by coupon" if coupons else "")
        clause = now.book.rules_on("chip-light-mismatch") or now.book.cite("void.last_word")
        return [
            ev.Ruled(mishap="chip-light-mismatch", given=(), then="hold-deal", clause=clause),
            ev.Asked(
                question=now.table.asked + 1, mishap="chip-light-mismatch", of="supervisor", what=what, clause=clause
            ),
        ]
    return [*dark_chips(now), ev.Trayed(meter=act.meter, clause=now.clause)]


def dark_chips(now: Moment) -> list[ev.TableEvent]:
    """Return the chips whose light never came on: they registered no wager."""
    current = now.table.live_round
    light = now.book.by_key.get("progressive.light")
    clause = light.clause if light is not None else now.clause or "BASE-chips"
    assert current is not None
    dark = [box for box in current.boxes.values() if box.side and not box.lit and not box.forfeited]
    return [one for box in dark for one in side_back(box, clause)]


def lock_out(now: Moment, act: LockOut) -> Done:
    """Lock out the side bets, once in a round."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    return now.no("the side bets are locked out already", "time") if "lock-out" in current.acts else []


def tell_one_hand(now: Moment, act: TellOneHand) -> Done:
    """Tell players with several boxes that they may look at one hand: the named player, or all of them."""
    current = now.table.live_round
    if current is None:
        return base("time", "there is no round")
    players = [box.player for box in current.dealt_in]
    several = [player for player in dict.fromkeys(players) if players.count(player) > 1]
    box = current.boxes.get(act.box) if act.box is not None else None
    named = act.player or (box.player if box is not None else None)
    players_told = [player for player in several if named in (None, player)]
    return [ev.Told(player=player, clause=now.clause) for player in players_told]
