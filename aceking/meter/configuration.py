"""The parameters of a meter and its roster, and opening, closing and suspending it."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb, lcm

from aceking.award.authority import EXECUTIVE, FLOOR, AwardRole, a_role, cited
from aceking.cards.hand import CATEGORY_BY_KEY, Category
from aceking.meter import must_hit_by
from aceking.meter.commands import Close, Configure, Enrol, Open, Resume, Suspend
from aceking.meter.events import AnyEvent, Closed, Configured, Enrolled, MeterOpened, MeterResumed, MeterSuspended
from aceking.meter.gate import AMOUNT_LARGEST
from aceking.meter.governing_rules import Books, acts_as, awards_of, same_voucher, voucher
from aceking.meter.state import MeterState, pending
from aceking.rules.book import Book
from aceking.rules.odds import Awards, Fixed, OddsError, Share, share
from aceking.rules.refusal import No, Refusal
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.jackpot import at_once

#: The longest odds to one that the house may state (R4).
ODDS_LONGEST = 100_000_000
#: The most parts of a minor unit.
SCALE_LARGEST = 10**9
#: Characters in the text of an award.
_TEXT_LONGEST = 30


def chances(book: Book) -> dict[Category, Fraction]:
    """Return the exact probability of each category of five cards."""
    runs = 10 if book.hands.ace_low else 9
    counts = {
        Category.ROYAL_FLUSH: 4,
        Category.STRAIGHT_FLUSH: 4 * (runs - 1),
        Category.FOUR_OF_A_KIND: 13 * 48,
        Category.FULL_HOUSE: 13 * 4 * 12 * 6,
        Category.FLUSH: 4 * (comb(13, 5) - runs),
        Category.STRAIGHT: runs * (4**5 - 4),
        Category.THREE_OF_A_KIND: 13 * 4 * comb(12, 2) * 16,
        Category.TWO_PAIR: comb(13, 2) * 36 * 44,
        Category.PAIR: 13 * 6 * comb(12, 3) * 64,
    }
    all_hands = comb(52, 5)
    counts[Category.HIGH_CARD] = all_hands - sum(counts.values())
    return {category: Fraction(count, all_hands) for category, count in counts.items()}


def configure(books: Books, state: MeterState, command: Configure) -> tuple[AnyEvent, ...] | No:
    """Set the parameters, or refuse what the books or R1 to R10 do not allow."""
    refused = _check_persons(state, command) or _check_tables(books, state, command) or _check_amounts(state, command)
    if refused := refused or must_hit_by.kind_refusal(state, command):
        return refused
    try:
        rate, hidden = share(command.rate), share(command.hidden_rate)
        refused = _check_rates(books, command, rate, hidden)
        if command.ceiling is None:
            refused = refused or _check_alike(books, command)
    except OddsError as unreadable:
        return Refusal(str(unreadable), "R1")
    if refused is not None:
        return refused
    scale = lcm(state.scale, rate.denominator, hidden.denominator)
    if scale > SCALE_LARGEST:
        return Refusal(f"a rate of {command.rate} and {command.hidden_rate} is finer than any meter counts", "R4")
    if refused := must_hit_by.parameters_refusal(books, state, command, scale=scale, rate_parts=int(rate * scale)):
        return refused
    digests = {name: books[name].digest for name in sorted(set(command.tables.values()))}
    return (
        Configured(
            at=command.at,
            new=command,
            old=state.config,
            scale=scale,
            rate_parts=int(rate * scale),
            hidden_parts=int(hidden * scale),
            books=digests,
        ),
    )


def _check_persons(state: MeterState, command: Configure) -> Refusal | None:
    """Parameters change only while the meter is closed, by two persons of different roles."""
    if state.phase == "open":
        return Refusal("no parameter changes while the meter is in operation: close it first", "R5")
    for name, role in command.people.items():
        if refused := _check_name(state, name, role):
            return refused
    if len({_plain(name) for name in command.people}) < len(command.people):
        return Refusal("two persons of the roster have the same name", "R16")
    # A new meter gets its first persons from these parameters.
    people = state.people if state.config is not None else command.people
    return two_of_the_floor(state, people, command.by, command.second, _TWO)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def _check_name(state: MeterState, name: str, role: AwardRole) -> Refusal | None:
    """Every person has their own name and one role."""
    if not name.strip():
        return Refusal("a person has a name", "R16")
    for known, has in state.people.items():
        if known == name and has != role:
            return Refusal(f"{name} is {a_role(has)} already", "R5")
        if known != name and _plain(known) == _plain(name):
            return Refusal(f"{name!r} and {known!r} would be two persons of one name", "R16")
    return None


def two_of_the_floor(
    state: MeterState, people: Mapping[str, AwardRole], by: str, second: str, takes: str
) -> Refusal | None:
    """Return None for a supervisor and an executive whom different persons vouch for, else the refusal."""
    for name in (by, second):
        role = people.get(name)
        if role not in FLOOR:
            return Refusal(f"{name} is {a_role(role) if role else 'not on the roster'}; {takes}", "R5")
    if people[by] == people[second]:
        return Refusal(f"{by} and {second} are both {people[by]}s; {takes}", "R5")
    return same_voucher(state, by, second, "R5")


_TWO = "parameters are set by a supervisor and an executive together"


def _check_tables(books: Books, state: MeterState, command: Configure) -> Refusal | None:
    if not command.tables:
        return Refusal("a meter has at least one table", "R1")
    if not all(name.strip() for name in command.tables):
        return Refusal("a table has a name", "R1")
    if state.config is not None and command.currency != state.config.currency:
        return Refusal(f"the meter has {state.config.currency}; it cannot become {command.currency}", "R6")
    decimals = next((books[name].decimals for name in command.tables.values() if name in books), 0)
    for table, name in command.tables.items():
        if name not in books:
            return Refusal(f"table {table}: there is no book {name!r}", "R1")
        book = books[name]
        if book.progressive is None:
            side = cited(book, "bonus.offered", otherwise="R10")
            return Refusal(f"table {table}: {name} has a bonus at odds and no progressive", side)
        if book.currency != command.currency:
            return Refusal(f"table {table}: {name} is played in {book.currency}, not in {command.currency}", "R1")
        if book.decimals != decimals:
            return Refusal(f"table {table}: {name} has {book.decimals} decimals, other tables have {decimals}", "R1")
    return None


def _check_amounts(state: MeterState, command: Configure) -> Refusal | None:
    least = min(command.base, command.reset, command.limit or 0, command.contribution_max or 0)
    if least < 0 or (command.executive_from or 0) < 0:
        return Refusal("no amount of a meter is negative", "R1")
    if state.config is not None and command.base != state.config.base:
        return Refusal("the base was paid in when the meter began; a new amount takes an adjustment", "R6")
    if command.limit is None:
        return None
    value = state.counters.value if state.config is not None else command.base * state.scale
    if command.limit * state.scale < value:
        return Refusal("the limit is below the value of the meter", "R7")
    if command.limit < command.reset:
        return Refusal("the limit is below the reset value", "R7")
    return None


def _check_rates(books: Books, command: Configure, rate: Fraction, hidden: Fraction) -> Refusal | None:
    if rate == 0 or rate + hidden > 1:
        return Refusal(f"a wager cannot feed {rate} of itself to the meter and {hidden} to the reserve", "R4")
    for name in sorted(set(command.tables.values())):
        rules = _progressive(books, name)
        # A book's minimum rate is for the meter that its hands win.
        if rules.rate_min is not None and command.ceiling is None and rate < rules.rate_min:
            text = f"{name}: the meter is fed {command.rate} of a wager and must have {rules.rate_min * 100}%"
            return Refusal(text, books[name].cite("progressive.rate_min"))
    return None


def _check_alike(books: Books, command: Configure) -> Refusal | None:
    """Games share a meter only if awards, probabilities and the order of winners are the same (R10)."""
    for row, text in command.awards.items():
        if row not in CATEGORY_BY_KEY:
            return Refusal(f"awards: there is no hand {row!r}", "R1")
        if len(text) > _TEXT_LONGEST:
            return Refusal(f"awards: the award for {row} is too long a text", "R1")
    first_name, *others = sorted(set(command.tables.values()))
    tables: dict[str, Awards] = {}
    for name in (first_name, *others):
        awards = awards_of(books[name], command)
        if isinstance(awards, Refusal):
            return awards
        if refused := _check_prizes(name, awards) or _check_odds(books[name], awards, command):
            return refused
        tables[name] = awards
    first = books[first_name]
    for name in others:
        book = books[name]
        if book.hands != first.hands or book.deck.size != first.deck.size or chances(book) != chances(first):
            return Refusal(f"{first_name} and {name}: the same hand is not equally likely in both", "R10")
        if tables[name] != tables[first_name]:
            return Refusal(f"{first_name} and {name}: the same hand does not win the same in both", "R10")
        if _order_rules(_progressive(books, name)) != _order_rules(_progressive(books, first_name)):
            return Refusal(f"{first_name} and {name} put winners of several tables in different orders", "R10")
    return None


def _check_prizes(name: str, awards: Awards) -> Refusal | None:
    """An award is more than 0, and at most the whole meter."""
    for category, prize in awards.items():
        part = prize.of_meter if isinstance(prize, Share) else None
        if part is not None and not 0 < part <= 1:
            return Refusal(f"{name}: a {category.title} cannot win {prize} of the meter", "R1")
        if isinstance(prize, Fixed) and not 0 < prize.amount <= AMOUNT_LARGEST:
            return Refusal(f"{name}: a {category.title} cannot win {prize.amount} minor units", "R1")
    return None


def _order_rules(rules: ProgressiveRules) -> tuple[object, ...]:
    """Return the rules that two books must share, so that winners at their tables have one order."""
    if rules.across_tables == "shared":
        return "shared", rules.order, rules.shared, rules.mixed, rules.deducts
    if rules.across_tables == "by-time-of-deal":
        return ("by-time-of-deal",)
    assert not at_once(rules), "a book that pays at once shares across tables"
    return ("by-confirmation",)


def _check_odds(book: Book, awards: Awards, command: Configure) -> Refusal | None:
    """Stated odds must be those of the cards, and not longer than R4 allows."""
    likely = chances(book)
    for row, one_in in command.odds.items():
        if row not in CATEGORY_BY_KEY or CATEGORY_BY_KEY[row] not in awards:
            return Refusal(f"odds: no award is posted for {row!r}", "R4")
        if one_in < 1 or one_in - 1 > ODDS_LONGEST:
            return Refusal(f"odds: one in {one_in:,} is no hand of a game; {ODDS_LONGEST:,} to 1 is the longest", "R4")
        if one_in != round(1 / likely[CATEGORY_BY_KEY[row]]):
            true_odds = round(1 / likely[CATEGORY_BY_KEY[row]])
            return Refusal(f"odds: {row} comes once in {true_odds:,} hands, not once in {one_in:,}", "R4")
    return None


def _progressive(books: Books, name: str) -> ProgressiveRules:
    rules = books[name].progressive
    assert rules is not None
    return rules


def enrol(state: MeterState, command: Enrol) -> tuple[AnyEvent, ...] | No:
    """Give a person a role. Nobody changes their own, nor that of a person with a part in an open award.

    An executive may do it alone, but then cannot be the second signature beside that person.
    """
    if command.second is None:
        if refused := acts_as(state, command.by, EXECUTIVE, "R5"):
            return refused
    elif refused := two_of_the_floor(state, state.people, command.by, command.second, _ROSTER):
        return refused
    if command.name in (command.by, command.second):
        return Refusal("nobody gives themselves a role", "R5")
    if state.people.get(command.name, command.role) != command.role:
        for award in state.awards.values():
            if command.name in (award.dealer, award.verifier, award.signer):
                return Refusal(f"{command.name} has a part in an award that is not finished", "R16")
    elif refused := _check_name(state, command.name, command.role):
        return refused
    return (
        Enrolled(
            at=command.at,
            name=command.name,
            role=command.role,
            by=command.by,
            second=command.second,
            on_word_of=_on_word_of(state, command),
        ),
    )


_ROSTER = "a person is put on the roster by a supervisor and an executive together, or by an executive alone"


def _on_word_of(state: MeterState, command: Enrol) -> str | None:
    """Return the one person who vouches for this one; None if two do, or did when they gave the same role."""
    if command.second is not None:
        return None
    if state.people.get(command.name) == command.role:
        return state.on_word_of.get(command.name)
    return voucher(state, command.by)


def operate(state: MeterState, command: Open | Close) -> tuple[AnyEvent, ...] | No:
    """Open or close the meter."""
    if refused := acts_as(state, command.by, FLOOR, "R5"):
        return refused
    if isinstance(command, Open):
        if state.phase != "closed":
            return Refusal("the meter is open" if state.phase == "open" else "the meter is not configured", "R5")
        if refused := must_hit_by.no_trigger(state):
            return refused
        return (MeterOpened(at=command.at, by=command.by),)
    if state.phase != "open":
        return Refusal("the meter is not in operation", "R5")
    if running := [name for name, table in state.tables.items() if table.running]:
        return Refusal(f"a round is under way at table {running[0]}", "R5")
    return (Closed(at=command.at, by=command.by),)


def pause(books: Books, state: MeterState, command: Suspend | Resume) -> tuple[AnyEvent, ...] | No:
    """Stop tables from starting rounds, or let them go on."""
    if refused := acts_as(state, command.by, FLOOR, "R5"):
        return refused
    names = command.tables or tuple(state.tables)
    for name in names:
        if name not in state.tables:
            return Refusal(f"there is no table {name!r} on this meter", "R5")
    if isinstance(command, Suspend):
        if not command.reason.strip():
            return Refusal("give a reason for the suspension", "R17")
        changed = tuple(name for name in names if not state.tables[name].suspended)
        return (MeterSuspended(at=command.at, tables=changed, by=command.by, reason=command.reason, clause="R12"),)
    for award in pending(state):
        book = books[award.book]
        if _progressive(books, award.book).tables_meanwhile == "suspended":
            text = f"the award of table {award.table}, seat {award.seat} is not signed yet"
            return Refusal(text, book.cite("progressive.tables_meanwhile"))
    changed = tuple(name for name in names if state.tables[name].suspended)
    return (MeterResumed(at=command.at, tables=changed, by=command.by),)
