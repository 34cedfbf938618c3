"""What clauses demand of acts, as predicates: each gives the reason why it does not hold, or None."""

from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.table.command import Act
from aceking.table.deal import in_packets
from aceking.table.procedure.awards import AWARD_CONDITIONS
from aceking.table.procedure.boxes import BOX_CONDITIONS
from aceking.table.procedure.cards import CARD_CONDITIONS
from aceking.table.procedure.house import HOUSE_CONDITIONS
from aceking.table.procedure.players import PLAYER_CONDITIONS
from aceking.table.procedure.round import ROUND_CONDITIONS
from aceking.table.state import Box, Round, Table

Predicate = Callable[[Book, Table, Act], str | None]


def _round(table: Table) -> Round | None:
    return table.live_round


def _box(table: Table, act: Act) -> Box | None:
    current = table.round
    return None if current is None or act.box is None else current.boxes.get(act.box)


def _deck_complete(book: Book, table: Table, act: Act) -> str | None:
    if act.count is not None and act.count != book.deck.size:
        return f"a deck has {book.deck.size} cards, not {act.count}"
    return None


def _extra_cards_present(book: Book, table: Table, act: Act) -> str | None:
    missing = [one for one in book.deck.extra_cards if one not in (act.note or "")]
    return f"the {missing[0]} is missing" if missing else None


def _second_deck_allowed(book: Book, table: Table, act: Act) -> str | None:
    others = [name for name in table.decks if name != act.deck] if act.do == "deck-registered" else []
    method = book.shuffle.method if book.shuffle is not None else None
    if book.deck.decks > 1 and book.deck.second_deck_needs not in (None, method):
        return "a second deck needs an automated shuffler"
    if len(others) >= book.deck.decks:
        return f"the table plays with {book.deck.decks} deck{'s' if book.deck.decks > 1 else ''}"
    return None


def _backs_uniform(book: Book, table: Table, act: Act) -> str | None:
    return "the backs of a deck are of one colour and design" if "mixed" in (act.method or "") else None


def _backs_differ(book: Book, table: Table, act: Act) -> str | None:
    same = [one for one in table.decks.values() if one.name != act.deck and one.back == act.method]
    return f"the other deck has {act.method} backs too" if same else None


def _assigned(book: Book, table: Table, act: Act) -> str | None:
    people = table.people.get(act.role or "floorperson")
    if people is not None and act.by not in people:
        return f"{act.by} is not assigned to this table"
    return None


def _face_up_in_sequence(book: Book, table: Table, act: Act) -> str | None:
    if act.method not in (None, "suit-and-sequence"):
        return "the cards are spread by suit and in sequence"
    return "the cards are spread face up" if act.face == "down" else None


def _each_deck_opened(book: Book, table: Table, act: Act) -> str | None:
    """Where two decks are in turn, each has been through the opening by itself."""
    steps = ("floorperson-verified", "spread", "first-player-inspection", "wash", "stack")
    for deck in table.decks.values() if len(table.decks) > 1 else ():
        missing = [one for one in steps if one not in deck.acts]
        # A deck that has been dealt is shuffled again while the other is in play.
        served = deck.racked or deck.name == table.last_deck or "deck-to-shuffler" in deck.acts
        if not missing and deck.shuffled is None and not served:
            missing = ["shuffle"]
        if missing:
            return f"the {deck.name} deck still wants {missing[0]}"
    return None


def _deck_fresh(book: Book, table: Table, act: Act) -> str | None:
    hours = book.deck.change_hours
    # Where the book leaves decks dealt by hand to the house, the house may set no time at all.
    if book.deal.method == "hand" and "deck.change_hours_hand" in book.by_key:
        hours = book.deck.change_hours_hand
    at = act.at if act.at is not None else table.clock
    for deck in table.decks.values():
        if hours and at - deck.since > hours * 3600:
            return f"the {deck.name} deck has lain at the table for more than {hours} hours"
    return None


def _shuffled(book: Book, table: Table, act: Act) -> str | None:
    deck = table.decks.get(act.deck or table.deck or next(iter(table.decks), ""))
    return None if deck is not None and deck.shuffled else "the deck was not shuffled since the last round"


def _cut_large_enough(book: Book, table: Table, act: Act) -> str | None:
    if book.cut is not None and act.count is not None and act.count < book.cut.cards_min:
        return f"at least {book.cut.cards_min} cards are cut, not {act.count}"
    return None


def _one_handed(book: Book, table: Table, act: Act) -> str | None:
    return "the cut is made with one hand" if act.hands is not None and act.hands != 1 else None


def _before_first_card(book: Book, table: Table, act: Act) -> str | None:
    current = _round(table)
    return "a card has been dealt" if current is not None and current.placed else None


def _chips_not_cash(book: Book, table: Table, act: Act) -> str | None:
    if act.means is None or act.means in (book.wagers.means or ("chips", "plaques")):
        return None
    if "coupon" in act.means and book.wagers.match_play:
        return None
    return f"wagers are made with chips on the layout, not with {act.means}"


def _bets_are_open(book: Book, table: Table, act: Act) -> str | None:
    current = _round(table)
    return None if current is not None and current.phase == "betting" else "betting is not open"


def _has_ante(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    # What slips through unnoticed is the book's to put right later.
    return None if (box is not None and box.ante > 0) or act.note == "unnoticed" else "there is no ante on that box"


def _boxes_of(table: Table, act: Act) -> list[int]:
    current = table.round
    if current is None:
        return []
    mine = [one for one in current.boxes.values() if one.player == act.player and one.number != act.box]
    return [one.number for one in mine if one.ante or one.side]


def _one_box(book: Book, table: Table, act: Act) -> str | None:
    others = _boxes_of(table, act)
    if not others or book.table.boxes_per_player == "several":
        return None
    if book.table.boxes_per_player == "one":
        return f"{act.player} has box {others[0]} already; a player has one"
    if len(others) > 1 or act.box is None or abs(others[0] - act.box) != 1:
        return f"{act.player} may have two boxes side by side"
    return None


def _box_unclaimed(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    if box is not None and box.taken and box.player != act.player:
        return f"box {act.box} is {box.player}'s"
    return None


def _seated(book: Book, table: Table, act: Act) -> str | None:
    return "only seated players may wager" if act.note == "standing" else None


def _prescribed_stake(book: Book, table: Table, act: Act) -> str | None:
    rules = book.progressive or book.bonus
    if rules is not None and act.amount is not None and act.amount != rules.stake:
        return "the side bet is not the prescribed amount"
    return None


def _not_locked_out(book: Book, table: Table, act: Act) -> str | None:
    current = _round(table)
    locked = current is not None and current.acts & {"lock-out", "START GAME"}
    return "the side bets are locked out" if locked else None


def _light_on(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    return None if box is not None and box.side and box.lit else "no light is on at that box"


def _automated_shuffle(book: Book, table: Table, act: Act) -> str | None:
    needs = book.deal.needs_automated_shuffle or ()
    manual = book.shuffle is not None and book.shuffle.method == "manual"
    return "dealing from the hand needs an automated shuffler" if book.deal.method in needs and manual else None


def _packet_of_right_size(book: Book, table: Table, act: Act) -> str | None:
    size = len(act.cards) if act.cards is not None else act.count
    if size is not None and size != book.hands.cards:
        return f"a stack has {book.hands.cards} cards, not {size}"
    return None


def _previous_round_settled(book: Book, table: Table, act: Act) -> str | None:
    return "the round before is not settled" if table.live_round is not None else None


def _after_deal(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    dealt = current is not None and current.phase in ("deciding", "revealed")
    return None if dealt else "the deal is not finished"


def _not_yet_decided(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    return None if box is None or box.choice is None else f"box {act.box} has decided"


def _bet_exact(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    if box is None or act.amount is None or act.amount == box.ante * book.bet.antes:
        return None
    if act.amount == 0 and not book.bet.required:
        return None
    return f"the bet is exactly {book.bet.antes} times the ante" if book.bet.antes > 1 else "the bet equals the ante"


def _in_turn(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    if current is None or act.box is None or book.decide.order == "any":
        return None
    owing = [box.number for box in current.dealt_in if box.owes_decision]
    if owing and act.box != owing[0]:
        return f"box {owing[0]} decides first"
    return None


def _different_person(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    picked = current.selected.get(act.box or 0) if current is not None else None
    return f"{act.by} picked the award and may not validate it" if picked and act.by and picked[1] == act.by else None


def _counted_five(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    if box is not None and box.choice == "fold" and act.count is not None and act.count != book.hands.cards:
        return f"a folded hand is counted: {book.hands.cards} cards, not {act.count}"
    return None


def _odds_say_to(book: Book, table: Table, act: Act) -> str | None:
    return "odds are written with 'to' or 'win', never with 'for'" if " for " in f" {act.note or ''} " else None


def _layout_approved(book: Book, table: Table, act: Act) -> str | None:
    layout = book.table.layout
    if layout is not None and act.method is not None and act.method.lower().replace(" ", "-") != layout.lower():
        return f"the layout is not {layout}"
    return None


_KIND = {"shuffle": "shuffler", "card-dealt": "shoe", "packet-dealt": "shoe"}


def _device_off_table(book: Book, table: Table, act: Act) -> str | None:
    """A device that has jammed, or that this way of shuffling and dealing does not use, is off the table."""
    for fact, status in table.facts.items():
        name = fact.removeprefix("device ")
        # A shoe is in nobody's way while cards are shuffled, nor a shuffler while they are dealt.
        if name == fact or status == "removed" or _KIND.get(act.do, "") not in name:
            continue
        by_hand = book.shuffle is not None and book.shuffle.method == "manual"
        unused = ("shuffler" in name and by_hand) or ("automated shoe" in name and not in_packets(book))
        if status == "jammed" or unused:
            return f"the {name} is still on the table"
    return None


def _one_card_only(book: Book, table: Table, act: Act) -> str | None:
    limit = book.exchange.cards if book.exchange is not None else 0
    count = len(act.cards) if act.cards is not None else 1
    return f"{limit} card may be exchanged" if count > limit else None


def _fee_exact(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    if box is None or book.exchange is None or act.amount is None:
        return None
    return "the price is the ante" if act.amount != box.ante * book.exchange.price_antes else None


def _before_cards_collected(book: Book, table: Table, act: Act) -> str | None:
    box = _box(table, act)
    return "the cards have been collected" if box is not None and box.racked else None


def _within_limits(book: Book, table: Table, act: Act) -> str | None:
    most, box = book.table.wager_max, _box(table, act)
    total = (act.amount or 0) + (box.ante if box is not None and table.live_round is not None else 0)
    if most is not None and total * book.bet.antes > most:
        return "the bet on this ante would pass the authorised limit"
    return None


def _never(book: Book, table: Table, act: Act) -> str | None:
    return f"{act.do} is not allowed"


CONDITIONS: Mapping[str, Predicate] = {
    "deck-complete": _deck_complete,
    "extra-cards-present": _extra_cards_present,
    "second-deck-allowed": _second_deck_allowed,
    "backs-uniform": _backs_uniform,
    "backs-differ": _backs_differ,
    "assigned-to-table": _assigned,
    "face-up-in-sequence": _face_up_in_sequence,
    "each-deck-opened": _each_deck_opened,
    "deck-fresh": _deck_fresh,
    "shuffled-since-last-round": _shuffled,
    "cut-large-enough": _cut_large_enough,
    "one-handed": _one_handed,
    "before-first-card": _before_first_card,
    "chips-not-cash": _chips_not_cash,
    "bets-are-open": _bets_are_open,
    "has-ante": _has_ante,
    "one-box-a-player": _one_box,
    "boxes-adjacent": _one_box,
    "box-unclaimed": _box_unclaimed,
    "seated": _seated,
    "prescribed-stake": _prescribed_stake,
    "not-locked-out": _not_locked_out,
    "light-on": _light_on,
    "automated-shuffle": _automated_shuffle,
    "packet-of-right-size": _packet_of_right_size,
    "previous-round-settled": _previous_round_settled,
    "after-deal": _after_deal,
    "not-yet-decided": _not_yet_decided,
    "bet-exact": _bet_exact,
    "in-turn": _in_turn,
    "different-person": _different_person,
    "counted-five": _counted_five,
    "odds-say-to": _odds_say_to,
    "layout-approved": _layout_approved,
    "device-off-table": _device_off_table,
    "one-card-only": _one_card_only,
    "fee-exact": _fee_exact,
    "before-cards-collected": _before_cards_collected,
    "within-limits": _within_limits,
    "never": _never,
    **CARD_CONDITIONS,
    **ROUND_CONDITIONS,
    **BOX_CONDITIONS,
    **AWARD_CONDITIONS,
    **HOUSE_CONDITIONS,
    **PLAYER_CONDITIONS,
}
