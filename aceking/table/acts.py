"""The one table of acts: who does it by nature, what it carries, when it may come, how it is told, what it does.

A new act is its command in `commands/`, its handler in `phases/`, one entry here, and a clause of a book.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aceking.rules.words import ActName, Actor
from aceking.table import commands as c
from aceking.table.moment import Done, Now
from aceking.table.phases import awards, betting, buying, closing, dealing, deciding, majors, opening

Handler = Callable[[Now, Any], Done]


@dataclass(frozen=True, slots=True)
class Entry:
    """What the table knows of an act, whatever its book says of it."""

    command: type[c.Act]
    by: tuple[Actor, ...]  # by nature; the first where the command does not say
    handler: Handler | None = None  # what it does besides being on the record
    told: str | None = None  # how a reader hears of it; None where it shows in what follows
    standing: bool = False  # once done it stands as long as the table does
    asked: bool = False  # it may come while a question is open
    suspended: bool = False  # it may come while the games are suspended
    reckons: bool = False  # after the reveal the first of these has the round reckoned
    makes: bool = False  # it makes what it is recorded on: a round, a deck


_PLAYER: tuple[Actor, ...] = ("player",)
_DEALER: tuple[Actor, ...] = ("dealer",)
_HOUSE: tuple[Actor, ...] = ("house",)
_FLOOR: tuple[Actor, ...] = ("supervisor", "floorperson", "house")
_SHUFFLES: tuple[Actor, ...] = ("dealer", "device")
_SEEN_BY: tuple[Actor, ...] = ("player", "dealer", "supervisor", "floorperson", "house")

ACTS: Mapping[ActName, Entry] = {
    # table, devices, notices
    "table-configured": Entry(c.ConfigureTable, _HOUSE, standing=True),
    "table-opened": Entry(c.OpenTable, _HOUSE, opening.open_table, standing=True),
    "device-registered": Entry(c.RegisterDevice, _HOUSE, opening.register_device, standing=True, suspended=True),
    "device-removed": Entry(c.RemoveDevice, _HOUSE, opening.remove_device, asked=True),
    "device-jam": Entry(c.JamDevice, ("device", "dealer", "house"), opening.jam, asked=True),
    "approval-recorded": Entry(c.RecordApproval, _HOUSE, opening.record_approval),
    "notice-given": Entry(c.GiveNotice, _HOUSE, opening.give_notice, standing=True, asked=True, suspended=True),
    "option-changed": Entry(c.ChangeOption, _HOUSE, opening.change_option),
    "suspend-tables": Entry(
        c.SuspendTables, ("house", "dealer"), majors.suspend, told="The games are suspended", suspended=True
    ),
    "resume-tables": Entry(
        c.ResumeTables, ("house", "supervisor"), majors.resume, told="The games go on", suspended=True
    ),
    "reseed": Entry(c.Reseed, ("device", "house"), awards.reseed),
    # cards
    "deck-registered": Entry(c.RegisterDeck, _HOUSE, opening.register_deck, makes=True),
    "deck-received": Entry(c.ReceiveDeck, ("house", "dealer"), opening.prepare),
    "dealer-inspected": Entry(c.InspectDeck, _DEALER, opening.prepare),
    "floorperson-verified": Entry(c.VerifyDeck, ("floorperson",), opening.prepare),
    "spread": Entry(c.SpreadDeck, _DEALER, opening.disturb),
    "first-player-inspection": Entry(c.PlayerInspects, _PLAYER, opening.prepare),
    "turn-up": Entry(c.TurnUpDeck, _DEALER, opening.disturb),
    "turn-down": Entry(c.TurnDownDeck, _DEALER, opening.disturb),
    "wash": Entry(c.WashDeck, _DEALER, opening.disturb),
    "stack": Entry(c.StackDeck, _DEALER, opening.disturb),
    "shuffle": Entry(c.Shuffle, _SHUFFLES, opening.shuffle),
    "cover-card-laid": Entry(c.LayCoverCard, _DEALER, opening.prepare),
    "cut": Entry(c.Cut, ("dealer", "player"), opening.cut),
    "cover-card-to-rack": Entry(c.RackCoverCard, _DEALER, opening.prepare),
    "recut-ordered": Entry(c.OrderRecut, ("supervisor",), opening.recut),
    "deck-loaded": Entry(c.LoadDeck, _SHUFFLES, opening.load),
    "deck-held": Entry(c.HoldDeck, _DEALER, opening.load),
    "deck-to-shuffler": Entry(c.DeckToShuffler, _SHUFFLES, opening.prepare),
    "deck-changed": Entry(c.ChangeDeck, ("dealer", "house"), opening.change_deck),
    "deck-removed": Entry(c.RemoveDeck, ("dealer", "house"), opening.remove_deck),
    "idle-spread": Entry(c.SpreadIdle, _DEALER, opening.spread_idle),
    "device-count": Entry(c.CountByDevice, ("device",), opening.device_count),
    # wagers
    "bets-opened": Entry(c.OpenBets, _DEALER, betting.open_bets, makes=True),
    "round-opened": Entry(c.OpenRound, _DEALER, betting.open_bets, makes=True),
    "ante": Entry(c.Ante, _PLAYER, betting.ante),
    "place-for-player": Entry(c.PlaceForPlayer, ("dealer", "supervisor", "floorperson"), deciding.place),
    "side-bet": Entry(c.SideBet, _PLAYER, betting.side_bet),
    "one-hand-notice": Entry(c.TellOneHand, _DEALER, betting.tell_one_hand),
    "no-more-bets": Entry(c.CloseBets, _DEALER, betting.close_bets, told="{closes}"),
    "lock-out": Entry(c.LockOut, _DEALER, betting.lock_out, told="The side bets are locked out"),
    "chip-light-count": Entry(c.CountChips, _DEALER, betting.count_chips),
    "START GAME": Entry(c.StartGame, _DEALER, betting.start_game, told="{closes}: no more bets"),
    # the deal
    "burn": Entry(c.Burn, _DEALER, dealing.burn),
    "card-dealt": Entry(c.DealCard, _DEALER, dealing.deal_card),
    "packet-dealt": Entry(c.DealPacket, _DEALER, dealing.deal_packet),
    "up-card": Entry(c.TurnUpCard, _DEALER, dealing.turn_up),
    "stub-to-rack": Entry(c.RackStub, _DEALER, dealing.stub_to_rack),
    "stub-count": Entry(c.CountStub, _DEALER, dealing.count_stub, told="The stub is counted"),
    "go-ahead": Entry(c.GoAhead, _DEALER, dealing.go_ahead, told="The players may look at their cards"),
    # decisions
    "look": Entry(c.Look, _PLAYER, deciding.look, suspended=True),
    "bet": Entry(c.Bet, _PLAYER, deciding.decide_box),
    "stay": Entry(c.Stay, _PLAYER, deciding.decide_box),
    "fold": Entry(c.Fold, _PLAYER, deciding.decide_box),
    "declare": Entry(c.Declare, _PLAYER, deciding.decide_box),
    "exchange": Entry(c.Exchange, _PLAYER, deciding.exchange),
    "discard": Entry(c.Discard, _PLAYER, deciding.discard),
    "time-out": Entry(c.TimeOut, ("device", "house"), deciding.time_out),
    "claim": Entry(c.Claim, ("player", "dealer"), deciding.claim, asked=True, suspended=True),
    # reveal and settlement
    "reveal": Entry(c.Reveal, _DEALER, closing.reveal),
    "buy-dealer-card": Entry(c.BuyDealerCard, ("player", "device", "house"), buying.buy),
    "dealer-card-drawn": Entry(c.DrawDealerCard, _DEALER, buying.draw),
    "turn-hand": Entry(c.TurnHand, ("dealer", "player"), closing.turn_hand),
    "compare": Entry(c.Compare, _DEALER, closing.compare),
    "announce-no-hand": Entry(
        c.AnnounceNoHand, _DEALER, closing.announce_no_hand, told="The dealer says whether the bank has a hand"
    ),
    "reckon": Entry(c.Reckon, ("dealer", "house"), closing.reckon_now, reckons=True),
    "collect-chips": Entry(c.CollectChips, _DEALER, closing.collect_chips, reckons=True),
    "pay": Entry(c.Pay, _DEALER, closing.pay, reckons=True),
    "collect-cards": Entry(c.CollectCards, _DEALER, closing.collect_cards, reckons=True),
    "collect-award-cards": Entry(c.CollectAwardCards, _DEALER, closing.collect_cards, reckons=True),
    "fold-count": Entry(c.CountFold, _DEALER, closing.count_fold),
    "END GAME": Entry(c.EndGame, _DEALER, closing.end_round, reckons=True),
    "round-ended": Entry(c.EndRound, _DEALER, closing.end_round, reckons=True),
    # awards
    "select-winner": Entry(c.SelectWinner, _DEALER, awards.select_winner, reckons=True),
    "call-supervisor": Entry(c.CallSupervisor, _DEALER, awards.call_supervisor),
    "supervisor-validated": Entry(c.Validate, _FLOOR, awards.validate, told="{by} validates the award of box {box}"),
    "card-swipe": Entry(c.SwipeCard, _FLOOR, awards.swipe, told="{by} signs for the award of box {box}"),
    "win-page": Entry(c.PrintWinPage, _FLOOR, awards.print_page),
    "documentation-complete": Entry(
        c.CompletePapers, _FLOOR, awards.complete_papers, told="The papers of box {box} are done"
    ),
    "pay-award": Entry(c.PayAward, _DEALER, awards.pay_award, reckons=True),
    "award-locked": Entry(c.LockAward, ("device",), awards.lock),
    "manual-adjustment": Entry(c.Adjust, _FLOOR, awards.adjust, told="{by} backs out the award of box {box}"),
    # conduct
    "keep-in-view": Entry(c.KeepInView, _SEEN_BY, asked=True),
    "stay-seated": Entry(c.StaySeated, _SEEN_BY, asked=True),
    "touch-cards": Entry(c.TouchCards, _SEEN_BY, deciding.touch, asked=True),
    "talk": Entry(c.Talk, _SEEN_BY, deciding.talk, asked=True, suspended=True),
    "sit": Entry(c.Sit, _PLAYER, suspended=True),
    "reconstruct": Entry(c.Reconstruct, _FLOOR, closing.reconstruct, asked=True),
}
NAMES: Mapping[type[c.Act], ActName] = {entry.command: name for name, entry in ACTS.items()}
