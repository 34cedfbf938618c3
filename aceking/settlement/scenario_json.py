"""Scenarios and results as JSON, for the command line and other programs. No other module reads or writes this JSON."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from aceking.cards.card import CardError, CardId, card, cards, name
from aceking.cards.deck import one_deck
from aceking.cards.hand import CATEGORY_BY_KEY
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.decisions import CHOICES, Choice
from aceking.rules.odds import Amount, AwardAmount, OddsError, amount, award
from aceking.rules.options import OptionError
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settlement.lines import Line, Settlement
from aceking.settlement.scenario import AnteLimits, DiscardedCards, Scenario, ScenarioError, Seat, Swap, discards
from aceking.settlement.settle import settle

#: How the reference describes the value of a key.
MoneyText = Annotated[str | int, msgspec.Meta(description="an amount")]
CardsText = Annotated[str, msgspec.Meta(description="cards")]
OneCard = Annotated[str, msgspec.Meta(description="card")]


class SwapIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card given and the card taken for it; several if the book has a price list."""

    give: CardsText  # of the five cards first dealt
    take: CardsText  # the replacements, as many cards


class LimitsIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of the ante; without them none are checked."""

    min: MoneyText | None = None  # the least ante
    max: MoneyText | None = None  # the greatest ante


class SeatIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat of a scenario."""

    seat: int  # the number of the seat; 1 is at the dealer's far left
    play: Choice  # the player's decision; stay and declare only if the book has them
    cards: CardsText = ""  # as first dealt, before an exchange: five, in Colorado three, else the book's number
    ante: MoneyText = 0  # the ante; a seat without one takes no part in the round
    bet: MoneyText | None = None  # the bet; left out, it has the size that the book prescribes
    side: MoneyText = 0  # the stake on the progressive, the jackpot or the bonus
    sides: dict[str, MoneyText] = {}  # the stakes on the book's named side wagers
    claims: bool = True  # false if the player does not announce a jackpot
    exchange: SwapIn | None = None  # the card given and the card taken, if the book has an exchange
    discard: CardsText | list[OneCard] | None = None  # the discarded card, or two cards, if the book has discards
    player: str | None = None  # the player's name, if one player has several seats
    buys: bool = False  # true if the player paid for a card for the dealer, if the book has that


class ScenarioIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario: one round as it lay on the table, and the book that settles it."""

    seats: list[SeatIn]  # every seat that plays
    book: str = ""  # the id of a book, or the path of its TOML file; --book overrides it
    id: str | int | None = None  # any id; the result repeats it
    options: dict[str, Any] = {}  # choices of the house, by the book's names for them
    meter: MoneyText | None = None  # the value of the jackpot at lock-out, with this round's contributions
    reset: MoneyText | None = None  # the value of the jackpot after all of it is won
    dealer: CardsText = ""  # the dealer's five cards; not needed if everybody has folded
    up: CardsText | None = None  # the dealer's face-up card, for side wagers that use it; left out, the first card
    community: CardsText = ""  # the community cards, if the game has some
    limits: LimitsIn | None = None  # the limits of the ante
    awards: dict[str, MoneyText] = {}  # posted awards: an amount, or a share of the meter such as 10%
    bought: CardsText | None = None  # the card bought for the dealer, if a player paid for it


_KEYS = ("give", "take", "min", "max", *SeatIn.__struct_fields__, *ScenarioIn.__struct_fields__)
_NOTHING = Amount(0)
_DECODER = msgspec.json.Decoder(ScenarioIn)
_ENCODER = msgspec.json.Encoder()
#: The errors that wrong input can raise.
INPUT_ERRORS = (ScenarioError, CardError, OddsError, OptionError, BookError)


def scenario_from_json(text: bytes | str) -> ScenarioIn:
    """Read a scenario from one JSON object. Raises ScenarioError."""
    try:
        try:
            return _DECODER.decode(text)
        except msgspec.ValidationError as refused:
            raise ScenarioError(_where(msgspec.json.decode(text), refused)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as broken:
        raise ScenarioError(f"this is not JSON: {broken}") from None
    except RecursionError:
        raise ScenarioError("a scenario is not nested that deeply") from None


def scenario_from_data(raw: Any) -> ScenarioIn:
    """Read a scenario of a sheet, in which a seat bets unless it says otherwise. Raises ScenarioError."""
    seats = raw.get("seats") if isinstance(raw, dict) else None
    if isinstance(seats, list):
        raw = {**raw, "seats": [{"play": "bet", **seat} if isinstance(seat, dict) else seat for seat in seats]}
    return scenario_from_table(raw)


def scenario_from_table(raw: Any) -> ScenarioIn:
    """Read a scenario with the same keys from another format, such as TOML. Raises ScenarioError."""
    try:
        return msgspec.convert(raw, ScenarioIn)
    except msgspec.ValidationError as refused:
        raise ScenarioError(_where(raw, refused)) from None


def _where(raw: Any, refused: msgspec.ValidationError) -> str:
    """Return msgspec's message in plain words, with the seat that it leaves out."""
    seats = raw.get("seats") if isinstance(raw, dict) else None
    for place, seat in enumerate(seats if isinstance(seats, list) else [], start=1):
        try:
            msgspec.convert(seat, SeatIn)
        except msgspec.ValidationError as exact:
            number = seat.get("seat") if isinstance(seat, dict) else None
            return f"seat {number if type(number) is int else place}: {_plain(exact, 'a seat')}"
    return _plain(refused, "a scenario")


#: What a float gets in the place of money.
MONEY_IS_TEXT = "an amount is a text, as in '10.50', so that no cent is lost"
_OUR_WORDS = {
    "Object contains unknown field": "there is no key",
    "Object missing required field": "there must be a key",
}
_EXPECTED = re.compile(r"Expected `(.+)`, got `(.+)`")
_TYPES = {
    "object": "an object {…}",
    "array": "a list",
    "str": "a text",
    "int": "a whole number",
    "float": "a fraction",
    "bool": "true or false",
}
_HOLD_CARDS = ("cards", "dealer", "community", "up", "bought", "give", "take", "discard")


def _plain(refused: msgspec.ValidationError, whole: str) -> str:
    """Return an error of msgspec in plain words; `whole` is what it calls `$`."""
    what, _, place = str(refused).partition(" - at ")
    place = place.strip("`").removeprefix("$").lstrip(".")
    if expected := _EXPECTED.fullmatch(what):
        return _other_type(place or whole, expected[1].split(" | "), expected[2])
    for theirs, ours in _OUR_WORDS.items():
        what = what.replace(theirs, ours)
    if "there is no key" in what:
        what += suggestion(what.split("`")[1], _KEYS)
    if what.startswith("Invalid enum value") and place == "play":
        word = what.removeprefix("Invalid enum value ").strip("'")
        return f"there is no play {word!r}; there are {', '.join(CHOICES)}{suggestion(word, CHOICES)}"
    if what == "there must be a key `play`":
        what += f": {', '.join(CHOICES)}"
    return f"{place}: {what}" if place else what


def _other_type(place: str, wanted: list[str], got: str) -> str:
    """Return what a value must be that has another type."""
    key = place.rpartition(".")[2]
    if got == "float" and {*wanted} >= {"int", "str"} and key != "id":
        return f"{place}: {MONEY_IS_TEXT}"
    if key in _HOLD_CARDS:
        return f"{'' if place == 'cards' else f'{place}: '}cards are one text, as in 'Ah Kd 9c'"
    kinds = [_TYPES.get(one, one) for one in wanted if one != "null"]
    return f"{place} is {' or '.join(kinds)}, not {_TYPES.get(got, got)}"


def settle_in(raw: ScenarioIn, book_id: str | None = None) -> tuple[Book, Settlement] | Refusal | Unregulated:
    """Settle a scenario by its own book or by another. Raises one of INPUT_ERRORS."""
    name = book_id or raw.book
    if not name:
        raise ScenarioError("there must be a key `book`, or --book on the command line")
    book = _book(name, raw.options)
    if isinstance(book, Refusal):
        return book
    result = settle(book, to_scenario(book, raw))
    return result if isinstance(result, (Refusal, Unregulated)) else (book, result)


def _book(name: str, options: Mapping[str, Any]) -> Book | Refusal:
    book = load_book(name)
    return _book_with(book, json.dumps(options, sort_keys=True)) if options else book


@lru_cache(maxsize=1024)
def _book_with(book: Book, options: str) -> Book | Refusal:
    return with_options(book, json.loads(options))


def to_scenario(book: Book, raw: ScenarioIn) -> Scenario:
    """Return the scenario with its cards and amounts parsed. Raises ScenarioError, also if a card appears twice."""
    if not raw.seats:
        raise ScenarioError("seats: there must be at least one")
    decimals = book.decimals
    seats = tuple([_seat(book, one) for one in raw.seats])
    if len(seats) > 1 and len({seat.number for seat in seats}) < len(seats):
        raise ScenarioError("seats: two have the same number")
    dealt_in = [seat.number for seat in seats if seat.ante and not seat.ended_early]
    dealer = _cards(raw.dealer, "dealer", 5 if book.dealer else 0, needed=bool(dealt_in))
    community = _cards(raw.community, "community", book.hands.community, needed=bool(dealt_in))
    bought = None if raw.bought is None else _card(raw.bought, "bought")
    used = [*dealer, *community, *(() if bought is None else (bought,))]
    for seat in seats:
        used += seat.cards if seat.swap is None else (*seat.cards, *seat.swap.take)
    up = None if raw.up is None else _up_card(book, raw.up, dealer)
    if up is not None and not dealer:
        used.append(up)
    if len(set(used)) < len(used):
        _name_both(seats, dealer or (() if up is None else (up,)), community, bought)
    return Scenario(
        seats=seats,
        dealer=dealer,
        community=community,
        meter=None if raw.meter is None else _money(raw.meter, "", "meter", decimals),
        reset=None if raw.reset is None else _money(raw.reset, "", "reset", decimals),
        limits=None if raw.limits is None else _limits(raw.limits, decimals),
        awards={row: _award(row, one, decimals) for row, one in raw.awards.items()} if raw.awards else {},
        bought=bought,
        up=up,
    )


def _up_card(book: Book, text: str, dealer: tuple[CardId, ...]) -> CardId:
    if book.dealer is None:
        raise ScenarioError("up: this game has no dealer's card")
    up = _card(text, "up")
    if dealer and up not in dealer:
        raise ScenarioError(f"up: {text} is not among the dealer's cards")
    return up


def _name_both(
    seats: tuple[Seat, ...], dealer: tuple[CardId, ...], community: tuple[CardId, ...], bought: CardId | None
) -> None:
    """Raise an error that names both places of a card that appears twice."""
    places = [("the dealer's hand", dealer), ("the community cards", community)]
    places.append(("the bought card", () if bought is None else (bought,)))
    for seat in seats:
        taken = seat.swap.take if seat.swap else ()
        places.append((f"seat {seat.number}", (*seat.cards, *taken)))
    one_deck(places)


def _seat(book: Book, raw: SeatIn) -> Seat:
    place = f"seat {raw.seat}"
    if raw.seat < 1:
        raise ScenarioError(f"{place}: seats are numbered from 1, at the dealer's far left")
    decimals = book.decimals
    ante = _money(raw.ante, place, "ante", decimals)
    held = _cards(raw.cards, place, book.hands.cards, needed=ante > 0)
    swap = None if raw.exchange is None else _swap(raw.exchange, held, place)
    return Seat(
        number=raw.seat,
        cards=held,
        ante=ante,
        play=raw.play,
        bet=None if raw.bet is None else _money(raw.bet, place, "bet", decimals),
        side=_money(raw.side, place, "side", decimals) if raw.side else _NOTHING,
        claims=raw.claims,
        swap=swap,
        discard=None if raw.discard is None else _discard(book, raw.discard, held, place),
        player=raw.player,
        buys=raw.buys,
        sides=_sides(raw, place, decimals) if raw.sides else (),
    )


def _discard(book: Book, raw: str | list[str], held: tuple[CardId, ...], place: str) -> DiscardedCards:
    """Return the discarded card, or the cards if the book asks for several."""
    due = book.hands.discards
    if not due:
        raise ScenarioError(f"{place}: discard: no card is discarded in this game")
    if due == 1 and isinstance(raw, str):
        aside: tuple[CardId, ...] = (_card(raw, place),)
    else:
        aside = _cards(raw if isinstance(raw, str) else " ".join(raw), f"{place}: discard", due, needed=True)
    for card_id in aside:
        if card_id not in held:
            raise ScenarioError(f"{place}: {name(card_id)} is discarded and is not in the hand")
    if len(set(aside)) < len(aside):
        raise ScenarioError(f"{place}: {name(aside[0])} is discarded twice")
    return discards(aside)


def _swap(raw: SwapIn, held: tuple[CardId, ...], place: str) -> Swap:
    """Return the cards given and taken. Raises ScenarioError if their numbers differ."""
    give, take = _several(raw.give, place), _several(raw.take, place)
    for card_id in give:
        if card_id not in held:
            raise ScenarioError(f"{place}: {name(card_id)} is given away and is not in the hand")
    if len(set(give)) < len(give):
        raise ScenarioError(f"{place}: a card is given away twice")
    if len(give) != len(take):
        raise ScenarioError(f"{place}: {len(give)} given away and {len(take)} taken; the two numbers must be equal")
    return Swap(give, take)


def _several(text: str, place: str) -> tuple[CardId, ...]:
    return _cards(text, place, len(text.split()), needed=True) if " " in text.strip() else (_card(text, place),)


def _sides(raw: SeatIn, place: str, decimals: int) -> tuple[tuple[str, Amount], ...]:
    """Return the stakes on the named side wagers, without those of zero."""
    stakes = [(wager, _money(stake, place, f"sides.{wager}", decimals)) for wager, stake in raw.sides.items()]
    return tuple([one for one in stakes if one[1]])


def _cards(text: str, place: str, count: int, *, needed: bool) -> tuple[CardId, ...]:
    if not text and not count:
        return ()
    try:
        held = cards(text)
    except CardError as unknown:
        raise ScenarioError(f"{place}: {unknown}") from None
    if len(held) != count and (held or needed):
        if count == 0:
            raise ScenarioError(f"{place}: this game has no such cards")
        raise ScenarioError(f"{place}: {count} cards belong here, not {len(held)}")
    return held


def _card(text: str, place: str) -> CardId:
    try:
        return card(text)
    except CardError as unknown:
        raise ScenarioError(f"{place}: {unknown}") from None


def _optional(raw: MoneyText | None, name: str, decimals: int) -> Amount | None:
    return None if raw is None else _money(raw, "", name, decimals)


def _money(raw: MoneyText, place: str, name: str, decimals: int) -> Amount:
    try:
        return _amount(str(raw), decimals)
    except OddsError as refused:
        raise ScenarioError(f"{place}: {name}: {refused}" if place else f"{name}: {refused}") from None


@lru_cache(maxsize=4096)
def _amount(text: str, decimals: int) -> Amount:
    if text.startswith("-"):
        raise OddsError(f"{text!r} is negative")
    return amount(text, decimals=decimals)


def _limits(raw: LimitsIn, decimals: int) -> AnteLimits:
    limits = AnteLimits(_optional(raw.min, "limits.min", decimals), _optional(raw.max, "limits.max", decimals))
    if limits.least is not None and limits.most is not None and limits.least > limits.most:
        raise ScenarioError(f"limits: the minimum {raw.min} is above the maximum {raw.max}")
    return limits


def _award(row: str, raw: MoneyText, decimals: int) -> AwardAmount:
    if row not in CATEGORY_BY_KEY:
        known = ", ".join(CATEGORY_BY_KEY)
        raise ScenarioError(f"awards: there is no hand {row!r}; there are {known}{suggestion(row, CATEGORY_BY_KEY)}")
    if str(raw) == "posted":
        raise ScenarioError(f"awards.{row}: an amount or a share of the meter, as in '500' or '10%'")
    try:
        return award(str(raw), decimals=decimals)
    except OddsError as refused:
        raise ScenarioError(f"awards.{row}: {refused}") from None


def result_data(
    scenario_id: str | int | None, result: tuple[Book, Settlement] | Refusal | Unregulated
) -> dict[str, Any]:
    """Return the result of a scenario as the JSON object of the command line."""
    if isinstance(result, Refusal):
        return {"id": scenario_id, "refused": {"clause": result.clause, "reason": result.reason}}
    if isinstance(result, Unregulated):
        silence = {"reason": result.reason, "decides": result.decides, "reading": result.reading}
        return {"id": scenario_id, "unregulated": {key: value for key, value in silence.items() if value}}
    book, settlement = result
    decimals = book.decimals
    data: dict[str, Any] = {"id": scenario_id, "book": settlement.book}
    if settlement.dealer is not None:
        data["dealer"] = {"hand": settlement.dealer.words, "qualifies": settlement.dealer.qualifies}
    if settlement.bought is not None:
        data["bought"] = {"hand": settlement.bought.words, "qualifies": settlement.bought.qualifies}
    by_seat: dict[int, list[dict[str, str | int]]] = {one.seat: [] for one in settlement.seats}
    for line in settlement.lines:
        by_seat[line.seat].append(_line_data(line, decimals))
    data["seats"] = [
        {"seat": seat.seat, "hand": seat.hand, "net": shown(seat.net, decimals=decimals), "lines": by_seat[seat.seat]}
        for seat in settlement.seats
    ]
    if settlement.meter is not None:
        after = settlement.meter.after
        data["meter"] = {
            "before": shown(settlement.meter.before, decimals=decimals),
            "after": None if after is None else shown(after, decimals=decimals),
            "awards": [
                {"seat": jackpot.seat, "amount": shown(jackpot.amount, decimals=decimals), "from": jackpot.source}
                for jackpot in settlement.awards
            ],
        }
    return data


def _line_data(line: Line, decimals: int) -> dict[str, str | int]:
    data: dict[str, str | int] = {
        "wager": line.wager,
        "stake": shown(line.stake, decimals=decimals),
        "outcome": line.outcome,
        "pays": shown(line.pays, decimals=decimals),
        "clause": line.clause,
    }
    if line.envy_of is not msgspec.UNSET:
        data["envy_of"] = line.envy_of
    return data


def settle_line(text: bytes, place: str, book_id: str | None = None) -> tuple[bytes, str | None]:
    """Settle one line of JSON Lines. Return the result as JSON, and the error text or None."""
    scenario_id = None
    try:
        raw = scenario_from_json(text)
        scenario_id = raw.id
        return _ENCODER.encode(result_data(raw.id, settle_in(raw, book_id))), None
    except INPUT_ERRORS as wrong:
        error = f"{place}: {wrong}"
        return _ENCODER.encode({"id": scenario_id if scenario_id is not None else _id_of(text), "error": error}), error


def _id_of(text: bytes) -> Any:
    """Return the id of a scenario that is otherwise wrong; None if it cannot be read."""
    try:
        raw = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return raw.get("id") if isinstance(raw, dict) else None
