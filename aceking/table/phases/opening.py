"""The table and its cards before the deal: set up, register, open, shuffle, cut, load."""

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import said
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import dealt_out, in_packets
from aceking.table.cards.decks import deck_in_use
from aceking.table.commands import (
    ChangeDeck,
    ChangeOption,
    CountByDevice,
    Cut,
    Face,
    GiveNotice,
    HoldDeck,
    JamDevice,
    LoadDeck,
    OfDeck,
    OpenTable,
    OrderRecut,
    RecordApproval,
    RegisterDeck,
    RegisterDevice,
    RemoveDeck,
    RemoveDevice,
    Shuffle,
    SpreadIdle,
)
from aceking.table.devices import AUTOMATED_SHOE, SHUFFLER, at_table, is_device, kind_of, set_up, was_removed
from aceking.table.mishaps.ruling import rule_on
from aceking.table.moment import Done, Moment
from aceking.table.options import with_change
from aceking.table.procedure.orders import is_demanded
from aceking.table.state import Deck


def open_table(now: Moment, act: OpenTable) -> Done:
    """Open the table; it stays open."""
    return base("open", "the table is open already") if now.table.open else []


def register_deck(now: Moment, act: RegisterDeck) -> Done:
    """Register a deck at the table."""
    if act.deck in now.table.decks:
        return now.no(said("the {deck} deck is at the table already", deck=act.deck), "deck")
    current = now.table.live_round
    if current is not None and current.sequence:
        return now.no("no deck is added while cards are dealt", "deck")
    return [ev.DeckAdded(deck=act.deck, back=act.back or act.deck, at=now.at, clause=now.clause)]


def _deck(now: Moment, name: str | None, *, at_rest: bool = True) -> Deck | Refusal:
    """Return the deck that is meant; with `at_rest`, refuse one that is being dealt."""
    deck = deck_in_use(now.table, name)
    if deck is None:
        return base(
            "deck", said("there is no {name} deck at the table", name=name) if name else "there is no deck at the table"
        )
    current = now.table.live_round
    if at_rest and current is not None and current.sequence and deck.name == now.table.deck:
        return now.no("that deck is in play", "deck")
    return deck


def shuffle(now: Moment, act: Shuffle) -> Done:
    """Shuffle a deck. A generator or a device fixes the order outside; at a live table it is unknown."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    method = act.method or (now.book.shuffle.method if now.book.shuffle is not None else "automated")
    return [ev.Shuffled(deck=deck.name, method=method, sealed=act.sealed, clause=now.clause)]


def prepare(now: Moment, act: OfDeck) -> Done:
    """Prepare a deck that is not being dealt."""
    deck = _deck(now, act.deck)
    return deck if isinstance(deck, Refusal) else []


def disturb(now: Moment, act: OfDeck) -> Done:
    """Spread, turn, wash or stack cards, after which the deck is no longer shuffled; a deck in play is not touched."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    return [ev.Unshuffled(deck=deck.name, clause=now.clause)] if deck.shuffled else []


def spread_idle(now: Moment, act: SpreadIdle) -> Done:
    """Spread the cards while nobody plays; without a given side, as the house's option says."""
    done = disturb(now, act)
    deck = _deck(now, act.deck)
    if isinstance(done, Refusal) or isinstance(deck, Refusal):
        return done
    usual: Face = "down" if now.book.opening is not None and now.book.opening.idle_spread == "face-down" else "up"
    return [*done, ev.LaidIdle(deck=deck.name, face=act.face or usual, clause=now.clause)]


def cut(now: Moment, act: Cut) -> Done:
    """Put `count` cards from the top below the rest."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    if deck.shuffled is None:
        return now.no("there is no shuffled deck to cut", "deck")
    if "cut" in deck.acts and "cut.recut_by" in now.book.by_key:
        return Refusal("the deck is cut; another cut is a supervisor's to order", now.book.cite("cut.recut_by"))
    if not 0 < act.count < now.book.deck.size:
        return now.no(said("a cut leaves cards on both sides: 1 to {most}", most=now.book.deck.size - 1), "input")
    return [ev.WasCut(deck=deck.name, count=act.count, clause=now.clause)]


def recut(now: Moment, act: OrderRecut) -> Done:
    """Order another cut: the deck counts as not cut."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    if deck.shuffled is None:
        return now.no("there is no shuffled deck to cut", "deck")
    return [ev.Uncut(deck=deck.name, clause=now.clause)]


def load(now: Moment, act: LoadDeck | HoldDeck) -> Done:
    """Put the deck in the shoe, the shuffler or the dealer's hand."""
    # A deck may change hands while it is dealt; into a shoe it goes only before.
    deck = _deck(now, act.deck, at_rest=isinstance(act, LoadDeck))
    if isinstance(deck, Refusal):
        return deck
    to_shoe = isinstance(act, LoadDeck) and kind_of(now.book.deal.method) == AUTOMATED_SHOE
    if to_shoe and was_removed(now.table, AUTOMATED_SHOE):
        return now.no("the automated shoe is off the table", "deck")
    current = now.table.live_round
    if current is not None and current.sequence and deck.name != now.table.deck:
        return now.no("a round is being dealt from the other deck", "deck")
    # The hand that takes up the deck is the holding hand of the round.
    hand = act.hand if isinstance(act, HoldDeck) and "deck-held" not in deck.acts else None
    return [ev.Held(hand=hand, clause=now.clause)] if hand is not None else []


def remove_deck(now: Moment, act: RemoveDeck) -> Done:
    deck = _deck(now, act.deck)
    return deck if isinstance(deck, Refusal) else [ev.DeckGone(deck=deck.name, clause=now.clause)]


def change_deck(now: Moment, act: ChangeDeck) -> Done:
    """Replace a deck by a fresh one of the same name."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    gone = ev.DeckGone(deck=deck.name, clause=now.clause)
    return [gone, ev.DeckAdded(deck=deck.name, back=deck.back, at=now.at, clause=now.clause)]


def device_count(now: Moment, act: CountByDevice) -> Done:
    """Check the number that a counting shuffler reports; a wrong one is ruled on by the book."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    return [] if act.count == now.book.deck.size else rule_on(now, "device-count-wrong", count=act.count)


def register_device(now: Moment, act: RegisterDevice) -> Done:
    """Fit a shuffler, shoe, system or display."""
    if not is_device(now.book, act.device):
        return base("known", said("no table has such a device as {device}", device=act.device))
    current = now.table.live_round
    mid_deal = current is not None and bool(current.sequence) and not dealt_out(now.book, current)
    if mid_deal and kind_of(act.device) == AUTOMATED_SHOE:
        return base("time", "no shoe is changed while cards are dealt")
    fitted = ev.DeviceSet(
        device=act.device,
        status="fitted",
        version=act.version,
        model=act.model,
        side=act.side,
        clause=now.clause,
    )
    return [fitted]


def remove_device(now: Moment, act: RemoveDevice) -> Done:
    """Remove a device, so that another way of shuffling or dealing may be used."""
    name = at_table(now.book, now.table, act.device)
    if name is None:
        return now.no(said("there is no {device} on the table", device=act.device), "known")
    return [ev.DeviceSet(device=name, status="removed", clause=now.clause)]


def jam(now: Moment, act: JamDevice) -> Done:
    """Mark a device as jammed, by default the one at work; what follows is reported as a mishap."""
    current = now.table.live_round
    deals = in_packets(now.book) and current is not None and current.phase in ("closed", "dealing")
    device = act.device or (AUTOMATED_SHOE if deals else SHUFFLER)
    name = at_table(now.book, now.table, device)
    if name is None:
        return base("known", said("there is no {device} on the table", device=device))
    return [ev.DeviceSet(device=name, status="jammed", clause=now.clause)]


def give_notice(now: Moment, act: GiveNotice) -> Done:
    return [ev.NoticeShown(about=act.about, option=act.option, where=act.where, clause=now.clause)]


def record_approval(now: Moment, act: RecordApproval) -> Done:
    return [ev.ApprovalFiled(of=act.of, model=act.model, clause=now.clause)]


def change_option(now: Moment, act: ChangeOption) -> Done:
    """Change an option of the house, from the next round on."""
    option = now.book.options.get(act.option)
    if option is None:
        return base("input", said("the book leaves no such choice as {option}", option=act.option))
    if now.table.live_round is not None:
        return Refusal("nothing is changed while a round runs", option.clause)
    changed = with_change(now.book, act)
    if isinstance(changed, Refusal):
        return changed
    method = changed.shuffle.method if changed.shuffle is not None else None
    if changed.deck.decks > 1 and changed.deck.second_deck_needs not in (None, method):
        # With both options no round could begin at the table.
        return Refusal("a second deck needs an automated shuffler", changed.cite("deck.second_deck_needs"))
    if changed.deal.method in (changed.deal.needs_automated_shuffle or ()) and method == "manual":
        reason = said("dealing by {method} needs an automated shuffler", method=changed.deal.method)
        return refusal(reason, changed.cite("deal.needs_automated_shuffle"))
    # Decks shuffled in the old way are shuffled again in the new one.
    mixed = [deck.name for deck in now.table.decks.values() if deck.shuffled is not None]
    again = [ev.Unshuffled(deck=name, clause=option.clause) for name in mixed if option.rule == "shuffle.method"]
    devices_left = _devices_left(now, changed)
    stays = [ev.DeviceSet(device=kind, status="fitted", clause=option.clause) for kind in devices_left]
    return [ev.OptionChanged(option=act.option, value=act.value, clause=option.clause), *stays, *again]


def _devices_left(now: Moment, changed: Book) -> list[str]:
    """Return devices that the new options do not use, which stay at the table until they are removed."""
    demanded = any(is_demanded(now.book, act, "device-off-table") for act in ("shuffle", "card-dealt"))
    if not demanded or "table-configured" not in now.table.did:
        return []
    unused = (set_up(now.book) - set_up(changed)) & {SHUFFLER, AUTOMATED_SHOE}
    known = {kind_of(name) for name in now.table.devices}
    return sorted(unused - known)
