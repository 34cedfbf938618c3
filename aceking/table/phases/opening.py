"""The table and its cards before the deal: set up, registered, opened, mixed, cut, loaded."""

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
from aceking.table.moment import Done, Now
from aceking.table.options import tried
from aceking.table.procedure.orders import is_demanded
from aceking.table.state import Deck


def open_table(now: Now, act: OpenTable) -> Done:
    """The house opens the table; it stays open."""
    return base("open", "the table is open already") if now.table.open else []


def register_deck(now: Now, act: RegisterDeck) -> Done:
    """A deck is put on the register of the table."""
    if act.deck in now.table.decks:
        return now.no(said("the {deck} deck is at the table already", deck=act.deck), "deck")
    current = now.table.live_round
    if current is not None and current.sequence:
        return now.no("no deck is added while cards are dealt", "deck")
    return [ev.DeckAdded(deck=act.deck, back=act.back or act.deck, at=now.at, clause=now.clause)]


def _deck(now: Now, name: str | None, *, at_rest: bool = True) -> Deck | Refusal:
    """The deck that is meant; one that is being dealt is not touched."""
    deck = deck_in_use(now.table, name)
    if deck is None:
        return base(
            "deck", said("there is no {name} deck at the table", name=name) if name else "there is no deck at the table"
        )
    current = now.table.live_round
    if at_rest and current is not None and current.sequence and deck.name == now.table.deck:
        return now.no("that deck is in play", "deck")
    return deck


def shuffle(now: Now, act: Shuffle) -> Done:
    """The cards are mixed. The order is sealed outside by a generator or a device, or unknown at a live table."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    method = act.method or (now.book.shuffle.method if now.book.shuffle is not None else "automated")
    return [ev.Shuffled(deck=deck.name, method=method, sealed=act.sealed, clause=now.clause)]


def prepare(now: Now, act: OfDeck) -> Done:
    """A deck is made ready; one that is being dealt is not touched."""
    deck = _deck(now, act.deck)
    return deck if isinstance(deck, Refusal) else []


def disturb(now: Now, act: OfDeck) -> Done:
    """Cards that are spread, turned, washed or stacked are no shuffled deck any more; those in play are not touched."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    return [ev.Unshuffled(deck=deck.name, clause=now.clause)] if deck.shuffled else []


def spread_idle(now: Now, act: SpreadIdle) -> Done:
    """The cards lie idle either way up; where nobody says how, as this house lays them."""
    done = disturb(now, act)
    deck = _deck(now, act.deck)
    if isinstance(done, Refusal) or isinstance(deck, Refusal):
        return done
    usual: Face = "down" if now.book.opening is not None and now.book.opening.idle_spread == "face-down" else "up"
    return [*done, ev.LaidIdle(deck=deck.name, face=act.face or usual, clause=now.clause)]


def cut(now: Now, act: Cut) -> Done:
    """So many cards from the top go below the rest."""
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


def recut(now: Now, act: OrderRecut) -> Done:
    """A supervisor orders another cut: the deck counts as not cut."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    if deck.shuffled is None:
        return now.no("there is no shuffled deck to cut", "deck")
    return [ev.Uncut(deck=deck.name, clause=now.clause)]


def load(now: Now, act: LoadDeck | HoldDeck) -> Done:
    """The deck goes to the shoe, the shuffler or the dealer's hand."""
    # A deck may change hands while it is dealt; into a shoe it goes before that.
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


def remove_deck(now: Now, act: RemoveDeck) -> Done:
    """A deck leaves the table."""
    deck = _deck(now, act.deck)
    return deck if isinstance(deck, Refusal) else [ev.DeckGone(deck=deck.name, clause=now.clause)]


def change_deck(now: Now, act: ChangeDeck) -> Done:
    """A deck is replaced by a fresh one of the same name."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    gone = ev.DeckGone(deck=deck.name, clause=now.clause)
    return [gone, ev.DeckAdded(deck=deck.name, back=deck.back, at=now.at, clause=now.clause)]


def device_count(now: Now, act: CountByDevice) -> Done:
    """A counting shuffler reports; what follows from a wrong number the book says."""
    deck = _deck(now, act.deck)
    if isinstance(deck, Refusal):
        return deck
    return [] if act.count == now.book.deck.size else rule_on(now, "device-count-wrong", count=act.count)


def register_device(now: Now, act: RegisterDevice) -> Done:
    """A shuffler, shoe, system or display is fitted."""
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


def remove_device(now: Now, act: RemoveDevice) -> Done:
    """A device leaves the table, so that another way of shuffling or dealing may be used."""
    name = at_table(now.book, now.table, act.device)
    if name is None:
        return now.no(said("there is no {device} on the table", device=act.device), "known")
    return [ev.DeviceSet(device=name, status="removed", clause=now.clause)]


def jam(now: Now, act: JamDevice) -> Done:
    """A device stops; what follows is reported as a mishap. Where none is named, it is the one that is at work."""
    current = now.table.live_round
    deals = in_packets(now.book) and current is not None and current.phase in ("closed", "dealing")
    device = act.device or (AUTOMATED_SHOE if deals else SHUFFLER)
    name = at_table(now.book, now.table, device)
    if name is None:
        return base("known", said("there is no {device} on the table", device=device))
    return [ev.DeviceSet(device=name, status="jammed", clause=now.clause)]


def give_notice(now: Now, act: GiveNotice) -> Done:
    """A notice is displayed."""
    return [ev.NoticeShown(about=act.about, option=act.option, where=act.where, clause=now.clause)]


def record_approval(now: Now, act: RecordApproval) -> Done:
    """An outside approval is put on file."""
    return [ev.ApprovalFiled(of=act.of, model=act.model, clause=now.clause)]


def change_option(now: Now, act: ChangeOption) -> Done:
    """The house chooses otherwise, from the next round on."""
    option = now.book.options.get(act.option)
    if option is None:
        return base("input", said("the book leaves no such choice as {option}", option=act.option))
    if now.table.live_round is not None:
        return Refusal("nothing is changed while a round runs", option.clause)
    changed = tried(now.book, act)
    if isinstance(changed, Refusal):
        return changed
    method = changed.shuffle.method if changed.shuffle is not None else None
    if changed.deck.decks > 1 and changed.deck.second_deck_needs not in (None, method):
        # A house that chose both would have a table at which no round could begin.
        return Refusal("a second deck needs an automated shuffler", changed.cite("deck.second_deck_needs"))
    if changed.deal.method in (changed.deal.needs_automated_shuffle or ()) and method == "manual":
        reason = said("dealing by {method} needs an automated shuffler", method=changed.deal.method)
        return refusal(reason, changed.cite("deal.needs_automated_shuffle"))
    # Cards that were mixed in the old way are mixed again in the new one.
    mixed = [deck.name for deck in now.table.decks.values() if deck.shuffled is not None]
    again = [ev.Unshuffled(deck=name, clause=option.clause) for name in mixed if option.rule == "shuffle.method"]
    left = _left_standing(now, changed)
    stays = [ev.DeviceSet(device=kind, status="fitted", clause=option.clause) for kind in left]
    return [ev.OptionChanged(option=act.option, value=act.value, clause=option.clause), *stays, *again]


def _left_standing(now: Now, changed: Book) -> list[str]:
    """Devices that the house chose before and not any more: until somebody takes them away they stand there."""
    demanded = any(is_demanded(now.book, act, "device-off-table") for act in ("shuffle", "card-dealt"))
    if not demanded or "table-configured" not in now.table.did:
        return []
    unused = (set_up(now.book) - set_up(changed)) & {SHUFFLER, AUTOMATED_SHOE}
    known = {kind_of(name) for name in now.table.devices}
    return sorted(unused - known)
