"""How a game is played, in a few sentences generated from its book, each with its clause."""

from collections.abc import Iterator
from fractions import Fraction

from aceking.cards.hand import words
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.decisions import GIVES_UP, GOES_ON
from aceking.rules.odds import Pays, odds_text
from aceking.rules.thresholds import with_article
from aceking.rules.value_text import value_text
from aceking.rules.vocabulary import DealerRules, ExchangeRules

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_HANDS = {
    "own": "your own cards",
    "own-and-up-card": "your own cards with the dealer's up-card",
    "own-and-community": "your own cards with the community cards",
    "dealer": "the dealer's hand",
}
_BOXES = {"one": "one box", "two-adjacent": "one box, or two side by side", "several": "one box or several"}


def lesson(book: Book) -> list[tuple[str, str]]:
    """Return the sentences in the order of a round, each with its clause."""
    return [*_stakes(book), *_cards(book), *_choices(book), *_instant(book), *_result(book)]


def _stakes(book: Book) -> Iterator[tuple[str, str]]:
    boxes = _BOXES[book.table.boxes_per_player]
    yield f"Put an ante on {boxes}.", book.cite("table.boxes_per_player")
    if book.progressive is not None:
        stake = shown(book.progressive.stake, decimals=book.decimals)
        folded = "" if book.progressive.folded == "payable" else " A folded hand wins none of it."
        yield f"A side bet of {stake} plays for the jackpot.{folded}", book.cite("progressive.stake")
    if book.bonus is not None and book.bonus.offered:
        stake = shown(book.bonus.stake, decimals=book.decimals)
        yield f"A bonus bet of {stake} is paid by your own hand.", book.cite("bonus.stake")
    for name, side in book.sides.items():
        stake = " to ".join(
            shown(one, decimals=book.decimals) for one in (side.stake, side.min, side.max) if one is not None
        )
        dealt = " as they were dealt" if side.exchanged == "first-hand" else ""
        yield f"The wager {name}, {stake}, depends on {_HANDS[side.cards]}{dealt}.", book.cite(f"sides.{name}.cards")
        if side.pays_from is not None:
            least = with_article(side.pays_from)
            yield f"It is paid from {least} on.", book.cite(f"sides.{name}.pays_from")
        if side.returned_from is not None:
            least = with_article(side.returned_from)
            yield f"Below that its stake comes back from {least} on.", book.cite(f"sides.{name}.returned_from")


def _cards(book: Book) -> Iterator[tuple[str, str]]:
    number = _NUMBERS[book.hands.cards]
    if book.dealer is not None:
        yield f"You and the dealer get {number} cards each; one of the dealer's is face up.", book.cite("hands.cards")
    else:
        shared = _NUMBERS[book.hands.community]
        yield f"You get {number} cards; {shared} more are dealt face down for all.", book.cite("hands.community")
    if book.table.hands_seen is not None and book.table.boxes_per_player == "several":
        seen = _NUMBERS[book.table.hands_seen]
        yield f"Of several hands you may look at {seen}.", book.cite("table.hands_seen")


def _choices(book: Book) -> Iterator[tuple[str, str]]:
    few = f"card{'s'[: book.hands.discards != 1]}"
    aside = f" and lay {_NUMBERS[book.hands.discards]} {few} aside" if book.hands.discards else ""
    says = {
        "bet": f"bet {_bet(book)}",
        "fold": "fold and lose the ante",
        "stay": "stay without a bet",
    }
    on, out = ([says.get(one, one) for one in kind if one in book.decide.choices] for kind in (GOES_ON, GIVES_UP))
    if aside:
        rest = "".join(f", or {one}" for one in out)
        yield f"Look at them. Then {' or '.join(on)}{aside}{rest}.", book.cite("decide.choices")
    else:
        yield f"Look at them. Then {' or '.join([*on, *out])}.", book.cite("decide.choices")
    if book.exchange is not None:
        side = "; a side bet is lost by it" if book.exchange.side == "lost" else ""
        yield (
            f"Before that you may buy {_bought(book.exchange)}{side}.",
            book.cite_first("exchange.prices", "exchange.price_antes"),
        )


def _instant(book: Book) -> Iterator[tuple[str, str]]:
    if book.instant is None or "declare" not in book.decide.choices:
        return
    rows = " and ".join(f"{row.title} {odds_text(odds)}" for row, odds in book.instant.pays.items())
    yield f"Declared at once, three cards pay on the ante: {rows}.", book.cite("instant.no_bet")
    yield "A declaration that is wrong loses the ante.", book.cite("instant.wrong_ante")


def _qualifier(rules: DealerRules) -> str:
    """Return the qualifier of the dealer in words, and the result if the dealer does not qualify."""
    if rules.unqualified_ante is None:
        return "The dealer plays with any hand."
    ante = odds_text(rules.unqualified_ante)
    too = "".join(f", or with {one.words}" for one in rules.qualifies_too or ())
    paid = "comes back" if rules.unqualified_ante == 0 else f"is paid {ante}"
    return (
        f"The dealer plays with {words(rules.qualifies_with)} or better{too}. Without it your ante {paid} and the bet"
        " goes back."
    )


def _result(book: Book) -> Iterator[tuple[str, str]]:
    if book.dealer is not None:
        yield _qualifier(book.dealer), book.cite("dealer.qualifies_with")
        if book.bought is not None:
            price = _antes(book.bought.price_antes)
            yield (
                f"Then you may buy the dealer another card for the {book.bought.replaces} one, at {price}.",
                book.cite("bought.price_antes"),
            )
        pays = "comes back" if book.ante.pays == 0 else odds_text(Fraction(book.ante.pays))
        yield (
            (
                f"If the dealer plays, the higher hand wins: the ante {pays}, the bet {_range(book.bet.pays)}."
                " Equal hands push."
            ),
            book.cite("dealer.higher"),
        )
        if book.ante.pays_from is not None:
            least = value_text("ante.pays_from", book.ante.pays_from, decimals=book.decimals)
            yield f"A winning ante is paid from {_article(least)} on; below it comes back.", book.cite("ante.pays_from")
        if book.ante.returned_from is not None:
            least = value_text("ante.returned_from", book.ante.returned_from, decimals=book.decimals)
            yield f"A beaten hand gets its ante back from {_article(least)} on.", book.cite("ante.returned_from")
    if book.paytable is not None:
        wins, pushes = words(book.paytable.wins_with), words(book.paytable.pushes_with)
        kept = _NUMBERS[book.hands.cards - book.hands.discards]
        yield (
            (
                f"Your {kept} cards and the {_NUMBERS[book.hands.community]} make the hand. From a {wins} on, ante and"
                f" bet are paid, {_range(book.bet.pays)}; from a {pushes} on they come back; less loses."
            ),
            book.cite("paytable.wins_with"),
        )
    if book.exchange is not None and book.exchange.pays != book.bet.pays:
        changed = _range(book.exchange.pays)
        yield f"A hand with a bought card is paid {changed}.", book.cite("exchange.pays")


def _bet(book: Book) -> str:
    if book.bet.antes_max is None:
        return _antes(book.bet.antes)
    return f"{_number(book.bet.antes)} to {_antes(book.bet.antes_max)}"


def _bought(rules: ExchangeRules) -> str:
    """Return what may be exchanged and its price in words."""
    if rules.prices is None or rules.cards == 1:
        return f"one card for another at {_antes(rules.price_antes)}"
    listed = ", ".join(f"{_number(number)} {price}" for number, price in enumerate(rules.prices, start=1))
    return f"one to {_number(rules.cards)} cards for others; prices in antes: {listed}"


def _antes(number: int) -> str:
    return "one ante" if number == 1 else f"{_number(number)} antes"


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _range(pays: Pays) -> str:
    """Return e.g. `from 1 to 1 up to 100 to 1 for a royal flush`: the lowest and the highest pay."""
    top = max(pays, key=lambda row: pays[row])
    return f"from {odds_text(min(pays.values()))} up to {odds_text(pays[top])} for a {top.title}"


def _article(hand: str) -> str:
    """Return the hand with its article: `a flush`. Hands named by their ranks have one already or need none."""
    return hand if "(" in hand else f"a {hand}"
