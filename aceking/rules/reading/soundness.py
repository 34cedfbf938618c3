"""Check that a book describes a game that can be dealt, settled and played, and has no rule without effect.

A rule that has no effect in the book's game is refused: nobody would notice that it is ignored.
"""

from collections.abc import Callable, Iterator

from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank, weakest
from aceking.rules.book import Book
from aceking.rules.deal_positions import DEAL_POSITIONS
from aceking.rules.decisions import DECISIONS
from aceking.rules.qualifier import ANY_HAND, span
from aceking.rules.reading.complaints import Complaint
from aceking.rules.thresholds import is_low_ace
from aceking.rules.vocabulary import ALWAYS

#: The games against a dealer's hand: cards of a hand, cards on the board, cards laid aside.
AGAINST_DEALER = (5, 0, 0)
#: The games against a table of pays, likewise: the cards kept and the board make a hand of five.
AGAINST_PAYTABLE = ((2, 3, 0), (3, 2, 0), (3, 3, 1), (3, 4, 2), (4, 2, 1), (4, 3, 2), (5, 2, 2))
#: Cards of an instant winner, and of a hand on which a bonus is paid at once.
_THREE = 3

#: Choices of a player, and the step with their rules, if not every game has that step.
_CHOICE_STEP = {one.key: one.step for one in DECISIONS.values() if one.step not in ALWAYS}


def _must_qualify(book: Book) -> bool:
    return book.dealer is not None and book.dealer.qualifies_with != ANY_HAND


#: Rules with an effect in some games only: what the game must have, and the test for it.
_BELONGS: dict[str, tuple[str, Callable[[Book], bool]]] = {
    "progressive.exchanged": ("an exchange", lambda book: book.exchange is not None),
    "table.hands_seen": ("several boxes for a player", lambda book: book.table.boxes_per_player != "one"),
    "irregular.community_exposed": ("community cards", lambda book: bool(book.hands.community)),
    "irregular.boxed_to_dealer": ("a dealer's hand", lambda book: book.dealer is not None),
    "ante.pays_from": ("a dealer's hand", lambda book: book.dealer is not None),
    "ante.returned_from": ("a dealer's hand", lambda book: book.dealer is not None),
    "table.round_cap": ("a dealer's hand", lambda book: book.dealer is not None),
    "table.round_cap_for": ("a cap on the round", lambda book: book.table.round_cap is not None),
    "table.round_cap_cut": ("a cap on the round", lambda book: book.table.round_cap is not None),
    "dealer.qualifies_too": ("a qualifier", _must_qualify),
    "dealer.unqualified_ante": ("a qualifier", _must_qualify),
    "dealer.unqualified_bet": ("a qualifier", _must_qualify),
    "irregular.exposed_mixed": ("a dealer's hand", lambda book: book.dealer is not None),
}


def misshapen(book: Book) -> Iterator[Complaint]:
    """Yield what makes a book impossible to deal, settle or play."""
    yield from _opponent(book)
    yield from _choices(book)
    yield from _cases(book)
    yield from _thresholds(book)
    yield from _low_aces(book)
    yield from _qualifier(book)
    yield from _ante(book)
    yield from _unlisted(book)
    yield from _sizes(book)
    yield from _prices(book)
    yield from _bought(book)
    yield from _limits(book)
    for key, (needed, has) in _BELONGS.items():
        if key in book.by_key and book.by_key[key].value is not None and not has(book):
            yield book.cite(key), f"{key}: it means nothing in a game without {needed}"


def _opponent(book: Book) -> Iterator[Complaint]:
    if (book.dealer is None) == (book.paytable is None):
        yield None, "steps: a game is played against a dealer's hand or against a table of pays: one of the two"
        return
    shape = (book.hands.cards, book.hands.community, book.hands.discards)
    if book.dealer is None:
        yield from _board(book, shape)
        for step in ("exchange", "progressive", "bought"):
            if step in book.steps:
                yield None, f"steps: {step} is known in games against a dealer's hand"
        if book.ante.pays != "by-hand":
            yield book.cite("ante.pays"), "ante.pays: against a table of pays the ante is paid by hand: 'by-hand'"
        return
    names = ("hands.cards", "hands.community", "hands.discards")
    for key, has, known in zip(names, shape, AGAINST_DEALER, strict=True):
        if has != known:
            game = "5 cards, 0 on the board and 0 laid aside"
            says = f"{key}: {has} cannot be dealt, settled and priced; against a dealer's hand it is {game}"
            yield book.cite(key), says
    for step in ("instant", "bonus"):
        if step in book.steps:
            yield None, f"steps: {step} is known in games against a table of pays"
    if book.ante.pays == "by-hand":
        yield book.cite("ante.pays"), "ante.pays: against a dealer's hand the ante has odds of its own, as in '1 to 1'"
    if not book.bet.required:
        yield book.cite("bet.required"), "bet.required: against a dealer's hand a player without a bet has folded: true"


def _board(book: Book, shape: tuple[int, int, int]) -> Iterator[Complaint]:
    """The cards kept and the board make five; instant winners and bonuses need hands of three cards."""
    if shape not in AGAINST_PAYTABLE:
        known = "; ".join(f"{cards}, {board} and {aside}" for cards, board, aside in AGAINST_PAYTABLE)
        has = f"{shape[0]} cards, {shape[1]} on the board and {shape[2]} laid aside"
        says = f"hands: {has} cannot be dealt, settled and priced; against a table of pays they are {known}"
        yield book.cite("hands.cards"), says
    for step in ("instant", "bonus"):
        if step in book.steps and book.hands.cards != _THREE:
            yield book.cite("hands.cards"), f"steps: {step} is known with hands of three cards, not {book.hands.cards}"


def _choices(book: Book) -> Iterator[Complaint]:
    """Every choice has the step with its rules, and every such step its choice."""
    choices, where = book.decide.choices, book.cite("decide.choices")
    for choice, step in _CHOICE_STEP.items():
        if (choice in choices) != (step in book.steps):
            there = f"a choice without its step {step}" if choice in choices else f"the step {step} without its choice"
            yield where, f"decide.choices: {choice}: {there}"
    if "bet" not in choices:
        yield where, "decide.choices: there is no bet"
    if ("stay" in choices) == book.bet.required:
        yield where, "decide.choices: stay is for games in which no bet is required, and for those"


def _cases(book: Book) -> Iterator[Complaint]:
    """No clause names a card that is never dealt."""
    before_tray = book.hands.community or (book.hands.cards if book.dealer is not None else 0)
    places = ((False, book.hands.cards), (True, before_tray))
    dealt = {(tray, position) for tray, number in places for position in range(1, number + 1)}
    for clause in book.clauses.values():
        for case in dict.fromkeys(one for act in clause.acts for one in act.case):
            if case in DEAL_POSITIONS and dealt.isdisjoint(DEAL_POSITIONS[case]):
                has = f"{book.hands.cards} cards for a player, {before_tray} before the tray"
                yield clause.id, f"act: {case}: there is no such card; there are {has}"


def _thresholds(book: Book) -> Iterator[Complaint]:
    if book.paytable is not None:
        wins, pushes, loses = book.paytable.wins_with, book.paytable.pushes_with, book.paytable.loses_below
        if not (loses <= pushes <= wins):
            yield (
                book.cite("paytable.wins_with"),
                "paytable: the hand that pushes stands between the one that wins and the one that loses",
            )


def _low_aces(book: Book) -> Iterator[Complaint]:
    """No threshold is a straight that needs a low ace in a game without low aces."""
    for key, rule in book.by_key.items():
        if isinstance(rule.value, HandRank) and is_low_ace(rule.value) and not book.hands.ace_low:
            yield rule.clause, f"{key}: the ace is never low here (hands.ace_low), so that it makes no such straight"


def _qualifier(book: Book) -> Iterator[Complaint]:
    """A qualifier needs rules for a dealer who does not qualify; `qualifies_too` lies below `qualifies_with`."""
    rules = book.dealer
    if rules is None or not _must_qualify(book):
        return
    for key in ("dealer.unqualified_ante", "dealer.unqualified_bet"):
        if key not in book.by_key or book.by_key[key].value is None:
            yield book.cite("dealer.qualifies_with"), f"{key}: nothing says what follows when the dealer does not play"
    if not rules.qualifies_too:
        return
    where = book.cite("dealer.qualifies_too")
    if rules.qualifies_with.category > Category.STRAIGHT:
        yield where, "dealer.qualifies_too: it is known where a straight or less qualifies"
        return
    least = ranker(ace_low=book.hands.ace_low).ranks.index(rules.qualifies_with)
    for alike in rules.qualifies_too:
        first, end = span(alike, ace_low=book.hands.ace_low)
        if first == end:
            yield where, f"dealer.qualifies_too: no hand begins with {alike}"
        elif end > least:
            yield where, f"dealer.qualifies_too: {alike.words} is not below what the dealer qualifies with anyhow"


def _ante(book: Book) -> Iterator[Complaint]:
    if book.dealer is not None and book.ante.pays_from in (Category.HIGH_CARD, ANY_HAND):
        yield book.cite("ante.pays_from"), "ante.pays_from: every hand is a high_card or more; leave it out"
    if book.ante.pays_from is not None and book.ante.pays == 0:
        yield book.cite("ante.pays_from"), "ante.pays_from: a winning ante comes back anyhow (ante.pays)"


def _sizes(book: Book) -> Iterator[Complaint]:
    most = book.bet.antes_max
    if most is None:
        return
    where = book.cite("bet.antes_max")
    if book.dealer is None or book.exchange is not None:
        yield where, "bet.antes_max: a choice of bets is known against a dealer's hand, without an exchange"
    if most <= book.bet.antes:
        yield where, f"bet.antes_max: {most} is not more than the least bet, {book.bet.antes}"


def _prices(book: Book) -> Iterator[Complaint]:
    """Every number of cards that may be exchanged has a price; the first is `price_antes`."""
    rules = book.exchange
    if rules is None:
        return
    if rules.prices is None:
        if rules.cards > 1:
            yield (
                book.cite("exchange.cards"),
                f"exchange.prices: 1 to {rules.cards} cards may be exchanged, and nothing says at which prices",
            )
        return
    where = book.cite("exchange.prices")
    if len(rules.prices) != rules.cards:
        listed = len(rules.prices)
        yield where, f"exchange.prices: {listed} prices, and 1 to {rules.cards} cards may be exchanged (exchange.cards)"
    if rules.prices and rules.prices[0] != rules.price_antes:
        yield where, f"exchange.prices: the first is that of one card, {rules.price_antes} (exchange.price_antes)"
    if any(price == 0 for price in rules.prices):
        yield where, "exchange.prices: an exchange has a price above 0"


def _bought(book: Book) -> Iterator[Complaint]:
    """A card is bought for a dealer who must qualify, from a deck that is still there, and replaces one clear card."""
    if book.bought is None or book.dealer is None:
        return
    where = book.cite("bought.price_antes")
    if not _must_qualify(book):
        yield where, "bought: it means nothing where the dealer always plays (dealer.qualifies_with)"
    elif book.dealer.qualifies_with > weakest("2 2 5 4 3"):
        yield (
            book.cite("dealer.qualifies_with"),
            "dealer.qualifies_with: with a bought card every pair qualifies, or two cards could be the one that goes",
        )
    if book.exchange is None and book.stub is not None and book.stub.goes_to == "rack":
        yield (
            book.cite("stub.goes_to"),
            "stub.goes_to: a bought card comes off the deck, and this one lies in the rack by then; it is 'shuffler'",
        )


def _unlisted(book: Book) -> Iterator[Complaint]:
    """`bet.unlisted` is refused if every winning hand has a row."""
    if book.bet.unlisted is None:
        return
    lowest = Category.HIGH_CARD if book.paytable is None else book.paytable.wins_with.category
    tables = [book.bet.pays, *(() if book.exchange is None else (book.exchange.pays,))]
    if all(one in table for table in tables for one in Category if one >= lowest):
        yield book.cite("bet.unlisted"), "bet.unlisted: every hand that can win has a row"


def _limits(book: Book) -> Iterator[Complaint]:
    if book.table.round_cap is not None:
        for key in ("table.round_cap_for", "table.round_cap_cut"):
            if key not in book.by_key or book.by_key[key].value is None:
                yield book.cite("table.round_cap"), f"{key}: a cap on the round says for whom it is, and who is cut"
    least, most = book.ante.min, book.ante.max
    if least is not None and most is not None and least > most:
        yield book.cite("ante.min"), "ante.min: the least ante is more than the greatest"
