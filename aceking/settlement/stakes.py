"""The stakes of each seat that are settled: checked against the book, with the excess returned."""

import msgspec

from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.decisions import DECISIONS
from aceking.rules.odds import Amount
from aceking.rules.refusal import No, Refusal, Unregulated
from aceking.settlement.amounts import bet_sizes, exchange_limit_text, exchange_price, most_antes
from aceking.settlement.lines import Line, Wager
from aceking.settlement.scenario import AnteLimits, Scenario, Seat

_NONE = Amount(0)


class StakedSeat(msgspec.Struct, frozen=True, gc=False):
    """The stakes that are settled, and the lines that return an excess."""

    ante: Amount
    bet: Amount
    fee: Amount  # the price of an exchange
    side: Amount
    returned: tuple[Line, ...]
    bought: Amount = _NONE  # the price of a card for the dealer


def check_table(book: Book, scenario: Scenario) -> No | None:
    """Return why these seats may not play together; None if they may: places, boxes per player, payout cap."""
    boxes: dict[str, list[int]] = {}
    for seat in scenario.seats:
        if seat.number > book.table.seats_max:
            return Refusal(
                f"the table has {book.table.seats_max} places, there is no {seat.number}", book.cite("table.seats_max")
            )
        if seat.player is not None:
            boxes.setdefault(seat.player, []).append(seat.number)
    for player, numbers in boxes.items():
        if refused := _check_boxes(book, player, sorted(numbers)):
            return refused
    return check_cap(book, scenario.limits)


def _check_boxes(book: Book, player: str, numbers: list[int]) -> Refusal | None:
    rule, clause = book.table.boxes_per_player, book.cite("table.boxes_per_player")
    if len(numbers) == 1 or rule == "several":
        return None
    if rule == "one":
        return Refusal(f"{player} has boxes {numbers[0]} and {numbers[1]}; a player has one", clause)
    if len(numbers) > 2 or numbers[1] - numbers[0] != 1:
        return Refusal(f"{player} may have two boxes side by side, not {', '.join(map(str, numbers))}", clause)
    return None


def check_cap(book: Book, limits: AnteLimits | None) -> Refusal | None:
    """Return a refusal if the cap on the bet's payout is below the book's floor."""
    bet = book.bet
    if bet.cap is None or bet.cap_floor is None:
        return None
    floor: int = bet.cap_floor
    if bet.cap_floor_basis is not None and limits is not None and limits.least is not None:
        # The most that one patron could win in a round at the table's minimum (A-CSP-16).
        ante_part = 1 if bet.cap_floor_basis == "ante-plus-bet" else 0
        most = limits.least * (ante_part + most_antes(book) * max(bet.pays.values()))
        floor = max(floor, -(-most.numerator // most.denominator))
    if bet.cap < floor:
        least = shown(floor, decimals=book.decimals)
        return Refusal(f"the payout cap may not be under {least}", book.cite("bet.cap"))
    return None


def staked(book: Book, seat: Seat, limits: AnteLimits | None) -> StakedSeat | No:
    """Return the stakes of one seat, or why the book refuses them."""
    if refused := _check_play(book, seat) or _check_buys(book, seat):
        return refused
    if seat.ante == 0:
        return _without_ante(book, seat)
    ante = _ante(book, seat, limits)
    if isinstance(ante, (Refusal, Unregulated)):
        return ante
    bet = _bet(book, seat, ante)
    if isinstance(bet, Refusal):
        return bet
    side = _side(book, seat)
    if isinstance(side, Refusal):
        return side
    returned = []
    if seat.ante > ante:
        returned.append(_back(seat, "ante", seat.ante - ante, book.cite("ante.over_max")))
    if seat.bet is not None and seat.bet > bet:
        returned.append(_back(seat, "bet", seat.bet - bet, book.cite("bet.over")))
    if seat.side > side:
        returned.append(_back(seat, "side", seat.side - side, book.cite("progressive.wrong_stake")))
    fee = _NONE if seat.swap is None else exchange_price(book, ante, len(seat.swap.give))
    if not seat.buys or book.bought is None:
        return StakedSeat(ante, bet, fee, side, tuple(returned))
    return StakedSeat(ante, bet, fee, side, tuple(returned), Amount(ante * book.bought.price_antes))


def _back(seat: Seat, wager: Wager, amount: int, clause: str) -> Line:
    return Line(seat.number, wager, amount, "returned", 0, clause)


def _check_play(book: Book, seat: Seat) -> Refusal | None:
    """Return a refusal if the book does not offer this decision."""
    choices = book.decide.choices
    if seat.swap is not None and (book.exchange is None or "exchange" not in choices):
        return Refusal(f"seat {seat.number}: no card may be exchanged", book.cite("decide.choices"))
    if seat.swap is not None and book.exchange is not None and len(seat.swap.give) > book.exchange.cards:
        return Refusal(f"seat {seat.number}: {exchange_limit_text(book)}", book.cite("exchange.cards"))
    if seat.play == "stay" and book.bet.required:
        return Refusal(f"seat {seat.number}: staying in takes a bet", book.cite("bet.required"))
    if seat.play not in choices:
        allowed = ", ".join(choices)
        return Refusal(
            f"seat {seat.number}: {seat.play} is not offered; a player may {allowed}", book.cite("decide.choices")
        )
    if seat.play != "bet" and seat.bet:
        key = DECISIONS[seat.play].rule
        clause = book.governs(seat.play) if seat.gave_up else None
        return Refusal(f"seat {seat.number}: there is no {seat.play} with a bet down", clause or book.cite(key))
    due = book.hands.discards
    if due and not seat.ended_early and len(seat.laid_aside) < due:
        cards = "one card" if due == 1 else f"{due} cards"
        return Refusal(f"seat {seat.number}: {cards} must be discarded before the reveal", book.cite("bet.antes"))
    return None


def _check_buys(book: Book, seat: Seat) -> Refusal | None:
    """Return a refusal if this player may not buy a card for the dealer."""
    if not seat.buys:
        return None
    if book.bought is None:
        return Refusal(
            f"seat {seat.number}: no card may be bought for the dealer",
            book.cite_first("dealer.qualifies_with", "decide.choices"),
        )
    if seat.play != "bet":
        return Refusal(
            f"seat {seat.number}: a player without a bet buys no card for the dealer", book.cite("bought.price_antes")
        )
    return None


def _without_ante(book: Book, seat: Seat) -> StakedSeat | Refusal:
    """A box without an ante takes no part: by the book, its side bet is returned or refused."""
    if seat.side and book.progressive is not None and book.progressive.needs_ante == "returned":
        back = _back(seat, "side", seat.side, book.cite("progressive.needs_ante"))
        return StakedSeat(_NONE, _NONE, _NONE, _NONE, (back,))
    if seat.side and book.progressive is not None:
        return Refusal(f"seat {seat.number}: a side bet needs an ante", book.cite("progressive.needs_ante"))
    if seat.side and book.bonus is not None:
        return Refusal(f"seat {seat.number}: a bonus wager needs an ante", book.cite("bonus.needs_ante"))
    return Refusal(f"seat {seat.number}: a seat without an ante takes no part in the round", book.cite("ante.required"))


def _ante(book: Book, seat: Seat, limits: AnteLimits | None) -> Amount | No:
    """Return the ante that is settled."""
    ante = seat.ante
    limits = limits or AnteLimits(book.ante.min, book.ante.max)
    most = book.table.wager_max
    if most is not None and ante * book.bet.antes > most:
        # A larger ante would leave only an unlawful bet or a fold (A-WA-18).
        limit = shown(most, decimals=book.decimals)
        return Refusal(
            f"seat {seat.number}: the bet on this ante would pass the limit of {limit}", book.cite("table.wager_max")
        )
    if limits.most is not None and ante > limits.most:
        text = f"seat {seat.number}: the ante is over the maximum of {shown(limits.most, decimals=book.decimals)}"
        match book.ante.over_max:
            case "settled-at-maximum":
                return limits.most
            case "refused":
                return Refusal(text, book.cite("ante.over_max"))
            case None:
                return book.silent(f"{text}, and the book has no rule for it")
    if limits.least is not None and ante < limits.least and book.ante.under_min is None:
        text = f"seat {seat.number}: the ante is under the minimum of {shown(limits.least, decimals=book.decimals)}"
        return book.silent(f"{text}, and the book has no rule for it")
    return ante


def _bet(book: Book, seat: Seat, ante: Amount) -> Amount | Refusal:
    """Return the bet that is settled: of an allowed size, or what the book makes of another size."""
    if seat.play != "bet":
        return _NONE
    if seat.bet is None:
        return Amount(ante * book.bet.antes)
    sizes = bet_sizes(book, ante)
    least, most = Amount(sizes[0]), Amount(sizes[-1])
    if seat.bet in sizes:
        return _lawful(book, seat, seat.bet)
    if seat.bet == 0 and not book.bet.required:
        return _NONE
    if seat.bet > most and book.bet.over == "excess-returned":
        return most
    if 0 < seat.bet < most and book.bet.under == "settled-as-staked":
        return seat.bet
    size = shown(least, decimals=book.decimals)
    wanted = f"exactly {size}" if least == most else f"{size} to {shown(most, decimals=book.decimals)} in whole antes"
    return Refusal(
        f"seat {seat.number}: the bet is {wanted}, not {shown(seat.bet, decimals=book.decimals)}",
        book.cite("bet.antes"),
    )


def _lawful(book: Book, seat: Seat, bet: Amount) -> Amount | Refusal:
    """Refuse a chosen bet that is over the limit of a single wager."""
    if book.table.wager_max is not None and bet > book.table.wager_max:
        limit = shown(book.table.wager_max, decimals=book.decimals)
        return Refusal(f"seat {seat.number}: the bet would pass the limit of {limit}", book.cite("table.wager_max"))
    return bet


def _side(book: Book, seat: Seat) -> Amount | Refusal:
    """Return the side bet that is settled."""
    if not seat.side:
        return _NONE
    if book.table.wager_max is not None and seat.side > book.table.wager_max:
        return Refusal(f"seat {seat.number}: the side bet is over the limit", book.cite("table.wager_max"))
    if book.bonus is not None and not book.bonus.offered:
        return Refusal(f"seat {seat.number}: the house offers no bonus wager", book.cite("bonus.offered"))
    rules, key = (book.progressive, "progressive.wrong_stake") if book.progressive else (book.bonus, "bonus.stake")
    if rules is None:
        return Refusal(f"seat {seat.number}: the book has no side bet", book.cite("ante.required"))
    if seat.side == rules.stake:
        return seat.side
    if book.progressive is not None and book.progressive.wrong_stake == "excess-returned":
        # A higher stake is cut to the prescribed one; a lower stake is none (A-RWS-34).
        return rules.stake if seat.side > rules.stake else _NONE
    size = shown(rules.stake, decimals=book.decimals)
    return Refusal(f"seat {seat.number}: the side bet is exactly {size}", book.cite(key))
