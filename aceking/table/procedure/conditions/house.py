"""Conditions on the house: signs, procedures, approved machines, notices, the courses after a fault."""

import re
from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.words import Topic
from aceking.settlement.scenario import AnteLimits
from aceking.settlement.stakes import check_cap
from aceking.table.cards.deal_order import in_packets
from aceking.table.commands import (
    Act,
    ChangeOption,
    ConfigureTable,
    DealCard,
    DealPacket,
    GiveNotice,
    OpenTable,
    RegisterDevice,
    RemoveDevice,
    Shuffle,
)
from aceking.table.devices import (
    AUTOMATED_SHOE,
    DISPLAY,
    SHOE,
    SHUFFLER,
    has_stopped_in_deal,
    kind_of,
    of_kind,
    was_removed,
)
from aceking.table.options import changed_value, with_change
from aceking.table.procedure.conditions.predicate import Predicate, of_own_side
from aceking.table.required_machines import components, missing_components
from aceking.table.state import TableState


def _posted(table: TableState, topic: Topic, places: tuple[str, ...] = ()) -> bool:
    """Return True if a notice about this is displayed, at one of the places if the book names some."""
    return topic in table.notices and (not places or table.notices[topic] in ("", *places))


def _places(book: Book, rule: str) -> tuple[str, ...]:
    """Return the places among which the book lets the house choose."""
    return next((option.values for option in book.options.values() if option.rule == rule), ())


def _limits_posted(book: Book, table: TableState, act: Act) -> str | None:
    return None if _posted(table, "limits") else "no sign shows the minimum and the maximum"


def _limits_lawful(book: Book, table: TableState, act: Act) -> str | None:
    """The bet on the table's least ante is within the legal limit of a single wager."""
    changes = isinstance(act, ChangeOption) and _rule_of(book, act) == "table.wager_max"
    most = changed_value(book, act) if isinstance(act, ChangeOption) and changes else book.table.wager_max
    least = table.ante_min
    if not isinstance(most, int) or least is None or least * book.bet.antes <= most:
        return None
    return "the bet on the posted minimum would pass the authorised limit"


def _jackpot_posted(book: Book, table: TableState, act: Act) -> str | None:
    return None if _posted(table, "jackpot") else "no sign shows the amount of the jackpot bet"


def _rules_posted(book: Book, table: TableState, act: Act) -> str | None:
    return None if _posted(table, "rules") else "the regulations are not there for players to read"


def _games_posted(book: Book, table: TableState, act: Act) -> str | None:
    shown = _posted(table, "games", _places(book, "table.games_notice"))
    return None if shown else "neither layout nor placard says how many games a player may wager on"


def _pays_posted(book: Book, table: TableState, act: Act) -> str | None:
    shown = _posted(table, "pays", _places(book, "bet.pays_shown"))
    return None if shown else "neither sign nor layout shows the pay table"


def _procedure_on_file(book: Book, table: TableState, act: Act) -> str | None:
    """A table dealt by hand needs the house's own procedure; filing it is part of its configuration."""
    if book.deal.method != "hand" or (book.deal.procedure is not None and "table-configured" in table.did):
        return None
    return "no house procedure for shuffling and dealing is on file"


def _is_shuffler(name: str) -> bool:
    return kind_of(name) == SHUFFLER


def _approved_device(book: Book, table: TableState, act: Act) -> str | None:
    """A shuffler needs two outside approvals on file: of the model, and of its maker."""
    if not isinstance(act, RegisterDevice) or not _is_shuffler(act.device):
        return None
    absent = [one for one in ("model", "maker") if (one, act.model) not in table.approvals]
    return f"no approval of the {absent[0]} of shuffler {act.model} is on file" if absent else None


def _shuffler_registered(book: Book, table: TableState, act: Act) -> str | None:
    """A table dealt from a shuffler has an approved one on its register."""
    if "shuffler" not in book.deal.method or _has_shuffler(table):
        return None
    return "the table is dealt from a shuffler, and no approved one is on its register"


def _has_shuffler(table: TableState) -> bool:
    return any(table.devices[name].status == "fitted" for name in of_kind(table, SHUFFLER))


def _shuffler_fitted(book: Book, table: TableState, act: Act) -> str | None:
    """A shuffle by machine uses a shuffler on the register."""
    by_machine = isinstance(act, Shuffle) and (act.role == "device" or act.method == "automated")
    return "no approved shuffler is on the register" if by_machine and not _has_shuffler(table) else None


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _of_set(book: Book, act: Act, which: str) -> str | None:
    """A component fits the set in use. Generations are not mixed."""
    system = book.system
    if system is None or system.chosen != which or not isinstance(act, RegisterDevice):
        return None
    sets = {"first": components(system.first), "second": components(system.second)}
    name = act.device.lower()
    if not any(name in one for one in sets.values()):
        return None
    if name not in sets[which]:
        return f"{act.device} does not go with the system in use"
    least = sets[which][name]
    if least and _version(act.version or "") < _version(least):
        return f"{act.device} must be version {least} or higher, not {act.version}"
    return None


def _of_first_set(book: Book, table: TableState, act: Act) -> str | None:
    return _of_set(book, act, "first")


def _of_second_set(book: Book, table: TableState, act: Act) -> str | None:
    return _of_set(book, act, "second")


def _is_display(name: str) -> bool:
    return kind_of(name) == DISPLAY


def _approved_system(book: Book, table: TableState, act: Act) -> str | None:
    """A part of the progressive is an approved one of the approved maker; displays may be of any maker."""
    system = book.system
    if system is None or not isinstance(act, RegisterDevice) or _is_shuffler(act.device) or _is_display(act.device):
        return None
    known = {**components(system.first), **components(system.second)}
    if act.device.lower() not in known:
        return f"{act.device} is no part of an approved progressive system"
    if act.maker is not None and act.maker.lower() != system.maker.lower():
        return f"the system must be {system.maker}'s, not {act.maker}'s"
    return None


def _system_complete(book: Book, table: TableState, act: Act) -> str | None:
    absent = missing_components(book, table)
    return f"the progressive system has no {absent[0]}" if absent else None


def _plain_display(book: Book, table: TableState, act: Act) -> str | None:
    """A display has only the functions that the book allows."""
    if book.system is None or not isinstance(act, RegisterDevice) or not _is_display(act.device):
        return None
    extra = [one for one in act.functions if one not in book.system.display_functions]
    return f"a display with {extra[0]} is not a plain monitor" if extra else None


def _display_of_source(book: Book, table: TableState, act: Act) -> str | None:
    """A display comes from the system's maker or the operator; one that the operator provides may be of any maker."""
    if book.system is None or not isinstance(act, RegisterDevice) or not _is_display(act.device):
        return None
    if act.maker is None or book.system.display_source == "operator":
        return None
    maker = act.maker.lower()
    own = maker == "operator" or book.system.maker.lower().startswith(maker)
    return None if own else f"the display is {book.system.maker}'s or the operator's, not {act.maker}'s"


def _dealing_device(book: Book, table: TableState, act: Act) -> str | None:
    """A device that cards are dealt from is of a kind that the book knows."""
    if not isinstance(act, RegisterDevice) or not act.for_dealing:
        return None
    kind = book.deal.shoe
    if act.device == "card-shoe" and kind is not None and act.model not in (None, kind):
        return f"the house deals from a shoe that is {kind}, not {act.model}"
    if act.device in book.deal.methods:
        return None
    return f"cards are dealt from a {' or '.join(book.deal.methods)}, not from a {act.device}"


def _device_off_table(book: Book, table: TableState, act: Act) -> str | None:
    """A device that has jammed, or that this way of shuffling and dealing does not use, is off the table."""
    name = in_the_way(book, table, act)
    return f"the {name} is still on the table" if name is not None else None


#: A constant, since a union in the call would be created for every card.
_DEALS = (DealCard, DealPacket)


def in_the_way(book: Book, table: TableState, act: Act) -> str | None:
    """Return the device that must leave the table before an act; None if there is none."""
    if isinstance(act, Shuffle):
        return _shuffler_in_the_way(book, table, act)
    if not table.devices or not isinstance(act, _DEALS):
        return None
    # A shoe is not in the way of a shuffle, nor a shuffler in the way of a deal.
    for kind in (AUTOMATED_SHOE, SHOE):
        for name in of_kind(table, kind):
            unused = kind == AUTOMATED_SHOE and not in_packets(book)
            if unused or table.devices[name].status == "jammed":
                return name
    return None


def _shuffler_in_the_way(book: Book, table: TableState, act: Shuffle) -> str | None:
    """Return the shuffler that must leave before a shuffle by hand; one in the setup counts, registered or not."""
    chosen = book.shuffle.method if book.shuffle is not None else None
    if (act.method or chosen) != "manual":
        return None
    registered = of_kind(table, SHUFFLER)
    unregistered = chosen == "automated" and not was_removed(table, SHUFFLER)
    return registered[0] if registered else SHUFFLER if unregistered else None


def _jam_ruled_on(book: Book, table: TableState, act: Act) -> str | None:
    """The shoe does not leave the table in mid-deal: the round must be ruled on first."""
    waits = isinstance(act, RemoveDevice) and has_stopped_in_deal(book, table, act.device)
    return "the shoe has stopped in mid-deal: that is reported, and the round ruled on" if waits else None


def _layout_approved(book: Book, table: TableState, act: Act) -> str | None:
    layout = book.table.layout
    shown = act.layout if isinstance(act, ConfigureTable) else None
    if layout is not None and shown is not None and shown.lower().replace(" ", "-") != layout.lower():
        return f"the layout is not {layout}"
    return None


_NUMBER = r"(?:\d+|one|two|three|four|five|seven|ten|twenty|fifty|hundred)"
_FOR_ODDS = re.compile(rf"{_NUMBER}[\s-]+for[\s-]+{_NUMBER}\b", re.IGNORECASE)


def _odds_say_to(book: Book, table: TableState, act: Act) -> str | None:
    """Payout odds that a sign or the layout states are worded `5 to 1`, never `5 for 1`."""
    odds = act.odds if isinstance(act, GiveNotice | ConfigureTable) else None
    return "odds are written with 'to' or 'win', never with 'for'" if odds and _FOR_ODDS.search(odds) else None


def _one_version(book: Book, table: TableState, act: Act) -> str | None:
    """All tables of a house play one version."""
    elsewhere = act.elsewhere if isinstance(act, OpenTable) else None
    if not book.table.one_version or elsewhere is None:
        return None
    # Named by its book or by its version; a game without versions does not count.
    version = load_book(elsewhere).table.version if elsewhere in book_ids() else elsewhere
    return f"the other tables of the house play {elsewhere}" if version not in (None, book.table.version) else None


def _rule_of(book: Book, act: Act) -> str | None:
    option = book.options.get(act.option) if isinstance(act, ChangeOption) else None
    return option.rule if option is not None else None


def _notice_of_withdrawal(book: Book, table: TableState, act: Act) -> str | None:
    """An offer is withdrawn after notice only."""
    if not isinstance(act, ChangeOption) or _rule_of(book, act) != "bonus.offered" or act.option in table.notice_of:
        return None
    withdrawn = book.bonus is not None and book.bonus.offered and changed_value(book, act) is False
    return "no notice was given before the offer is withdrawn" if withdrawn else None


def _notice_of_lower_cap(book: Book, table: TableState, act: Act) -> str | None:
    """A cap that is not printed on the layout is lowered after notice only; no cap at all is the highest."""
    if not isinstance(act, ChangeOption) or _rule_of(book, act) != "bet.cap" or act.option in table.notice_of:
        return None
    new = changed_value(book, act)
    lower = isinstance(new, int) and (book.bet.cap is None or new < book.bet.cap)
    return "no notice was given before the payout limit is lowered" if lower and not book.bet.cap_on_layout else None


def _cap_above_floor(book: Book, table: TableState, act: Act) -> str | None:
    """The limit on what a bet pays is not below the book's floor, now or after the change."""
    if isinstance(act, ChangeOption):
        changed = with_change(book, act) if act.option in book.options else None
        if not isinstance(changed, Book):
            return None
        book = changed
    least = None if table.ante_min is None else Amount(table.ante_min)
    refused = check_cap(book, AnteLimits(least, None))
    return None if refused is None else refused.reason


def _assigned(book: Book, table: TableState, act: Act) -> str | None:
    """The gate checks that persons are assigned, and cites the clause that wants it."""
    return None


def _course_chosen(book: Book, table: TableState, act: Act) -> str | None:
    waits = table.jackpot_faulty and table.course is None
    return "the house has not said how it goes on without the jackpot" if waits else None


def _table_not_closed(book: Book, table: TableState, act: Act) -> str | None:
    return "the table is closed while the jackpot is out of order" if table.course == "close-table" else None


def _box_not_blocked(book: Book, table: TableState, act: Act) -> str | None:
    blocked = table.course == "block-affected-box" and act.box in table.blocked
    return f"box {act.box} takes no bets while its jackpot device is out of order" if blocked else None


def _jackpot_notice(book: Book, table: TableState, act: Act) -> str | None:
    """Play without the jackpot starts when its notice is displayed."""
    absent = table.course == "play-without-jackpot" and "no-jackpot-bets" not in table.notices
    return "the notice that no jackpot bets are taken is not up" if absent else None


def _jackpot_in_play(book: Book, table: TableState, act: Act) -> str | None:
    return "no jackpot bets are taken" if table.course == "play-without-jackpot" else None


def _never(book: Book, table: TableState, act: Act) -> str | None:
    return f"{act.do} is not allowed"


HOUSE: Mapping[str, Predicate] = {
    "limits-posted": _limits_posted,
    "limits-lawful": _limits_lawful,
    "rules-posted": _rules_posted,
    "jackpot-posted": of_own_side(_jackpot_posted),
    "games-posted": _games_posted,
    "pays-posted": _pays_posted,
    "procedure-on-file": _procedure_on_file,
    "approved-device": _approved_device,
    "shuffler-registered": _shuffler_registered,
    "shuffler-fitted": _shuffler_fitted,
    "of-first-set": _of_first_set,
    "of-second-set": _of_second_set,
    "approved-system": _approved_system,
    "system-complete": of_own_side(_system_complete),
    "plain-display": _plain_display,
    "display-of-source": _display_of_source,
    "dealing-device": _dealing_device,
    "device-off-table": _device_off_table,
    "jam-ruled-on": _jam_ruled_on,
    "layout-approved": _layout_approved,
    "odds-say-to": _odds_say_to,
    "one-version-in-house": _one_version,
    "notice-of-withdrawal": _notice_of_withdrawal,
    "notice-of-lower-cap": _notice_of_lower_cap,
    "cap-above-floor": _cap_above_floor,
    "assigned-to-table": _assigned,
    "course-chosen": _course_chosen,
    "table-not-closed": _table_not_closed,
    "box-not-blocked": _box_not_blocked,
    "jackpot-notice": of_own_side(_jackpot_notice),
    "jackpot-in-play": of_own_side(_jackpot_in_play),
    "never": _never,
}
