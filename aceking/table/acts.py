"""The table of acts: for each act its command, its actors, its handler, when it may come, and its sentence in a story.

A new act is its command in `commands/`, its handler in `phases/`, one entry here, and a clause of a book.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aceking.rules.decisions import CHOICES
from aceking.rules.words import ActName, Actor
from aceking.table import commands as c
from aceking.table.moment import Done, Moment
from aceking.table.phases import awards, betting, buying, closing, dealing, deciding, majors, opening

Handler = Callable[[Moment, Any], Done]


@dataclass(frozen=True, slots=True)
class ActEntry:
    """What the table knows of an act, independent of the book."""

    command: type[c.Act]
    by: tuple[Actor, ...]  # unless the book says otherwise; the first if the command names none
    handler: Handler | None = None  # None: the act is only recorded
    text: str | None = None  # its sentence in the story of a round; None if other events tell it
    standing: bool = False  # once done, it holds as long as the table exists
    asked: bool = False  # it may come while a question is open
    suspended: bool = False  # it may come while the games are suspended
    reckons: bool = False  # after the reveal, the first of these acts settles the round
    creates: bool = False  # it creates what it is recorded on: a round, a deck


_PLAYER: tuple[Actor, ...] = ("player",)
_DEALER: tuple[Actor, ...] = ("dealer",)
_HOUSE: tuple[Actor, ...] = ("house",)
_FLOOR: tuple[Actor, ...] = ("supervisor", "floorperson", "house")
_SHUFFLES: tuple[Actor, ...] = ("dealer", "device")
_SEEN_BY: tuple[Actor, ...] = ("player", "dealer", "supervisor", "floorperson", "house")

ACTS: Mapping[ActName, ActEntry] = {
    # table, devices, notices
    "table-configured": ActEntry(c.ConfigureTable, _HOUSE, standing=True),
    "table-opened": ActEntry(c.OpenTable, _HOUSE, opening.open_table, standing=True),
    "device-registered": ActEntry(c.RegisterDevice, _HOUSE, opening.register_device, standing=True, suspended=True),
    "device-removed": ActEntry(c.RemoveDevice, _HOUSE, opening.remove_device, asked=True),
    "device-jam": ActEntry(c.JamDevice, ("device", "dealer", "house"), opening.jam, asked=True),
    "approval-recorded": ActEntry(c.RecordApproval, _HOUSE, opening.record_approval),
    "notice-given": ActEntry(c.GiveNotice, _HOUSE, opening.give_notice, standing=True, asked=True, suspended=True),
    "option-changed": ActEntry(c.ChangeOption, _HOUSE, opening.change_option),
    "suspend-tables": ActEntry(
        c.SuspendTables, ("house", "dealer"), majors.suspend, text="The games are suspended", suspended=True
    ),
    "resume-tables": ActEntry(
        c.ResumeTables, ("house", "supervisor"), majors.resume, text="The games go on", suspended=True
    ),
    "reseed": ActEntry(c.Reseed, ("device", "house"), awards.reseed),
    # cards
    "deck-registered": ActEntry(c.RegisterDeck, _HOUSE, opening.register_deck, creates=True),
    "deck-received": ActEntry(c.ReceiveDeck, ("house", "dealer"), opening.prepare),
    "dealer-inspected": ActEntry(c.InspectDeck, _DEALER, opening.prepare),
    "floorperson-verified": ActEntry(c.VerifyDeck, ("floorperson",), opening.prepare),
    "spread": ActEntry(c.SpreadDeck, _DEALER, opening.disturb),
    "first-player-inspection": ActEntry(c.PlayerInspects, _PLAYER, opening.prepare),
    "turn-up": ActEntry(c.TurnUpDeck, _DEALER, opening.disturb),
    "turn-down": ActEntry(c.TurnDownDeck, _DEALER, opening.disturb),
    "wash": ActEntry(c.WashDeck, _DEALER, opening.disturb),
    "stack": ActEntry(c.StackDeck, _DEALER, opening.disturb),
    "shuffle": ActEntry(c.Shuffle, _SHUFFLES, opening.shuffle),
    "cover-card-laid": ActEntry(c.LayCoverCard, _DEALER, opening.prepare),
    "cut": ActEntry(c.Cut, ("dealer", "player"), opening.cut),
    "cover-card-to-rack": ActEntry(c.RackCoverCard, _DEALER, opening.prepare),
    "recut-ordered": ActEntry(c.OrderRecut, ("supervisor",), opening.recut),
    "deck-loaded": ActEntry(c.LoadDeck, _SHUFFLES, opening.load),
    "deck-held": ActEntry(c.HoldDeck, _DEALER, opening.load),
    "deck-to-shuffler": ActEntry(c.DeckToShuffler, _SHUFFLES, opening.prepare),
    "deck-changed": ActEntry(c.ChangeDeck, ("dealer", "house"), opening.change_deck),
    "deck-removed": ActEntry(c.RemoveDeck, ("dealer", "house"), opening.remove_deck),
    "idle-spread": ActEntry(c.SpreadIdle, _DEALER, opening.spread_idle),
    "device-count": ActEntry(c.CountByDevice, ("device",), opening.device_count),
    # wagers
    "bets-opened": ActEntry(c.OpenBets, _DEALER, betting.open_bets, creates=True),
    "round-opened": ActEntry(c.OpenRound, _DEALER, betting.open_bets, creates=True),
    "ante": ActEntry(c.Ante, _PLAYER, betting.ante),
    "place-for-player": ActEntry(c.PlaceForPlayer, ("dealer", "supervisor", "floorperson"), deciding.place),
    "side-bet": ActEntry(c.SideBet, _PLAYER, betting.side_bet),
    "one-hand-notice": ActEntry(c.TellOneHand, _DEALER, betting.tell_one_hand),
    "no-more-bets": ActEntry(c.CloseBets, _DEALER, betting.close_bets, text="{closes}"),
    "lock-out": ActEntry(c.LockOut, _DEALER, betting.lock_out, text="The side bets are locked out"),
    "chip-light-count": ActEntry(c.CountChips, _DEALER, betting.count_chips),
    "START GAME": ActEntry(c.StartGame, _DEALER, betting.start_game, text="{closes}: no more bets"),
    # the deal
    "burn": ActEntry(c.Burn, _DEALER, dealing.burn),
    "card-dealt": ActEntry(c.DealCard, _DEALER, dealing.deal_card),
    "packet-dealt": ActEntry(c.DealPacket, _DEALER, dealing.deal_packet),
    "up-card": ActEntry(c.TurnUpCard, _DEALER, dealing.turn_up),
    "stub-to-rack": ActEntry(c.RackStub, _DEALER, dealing.stub_to_rack),
    "stub-count": ActEntry(c.CountStub, _DEALER, dealing.count_stub, text="The stub is counted"),
    "go-ahead": ActEntry(c.GoAhead, _DEALER, dealing.go_ahead, text="The players may look at their cards"),
    # decisions
    "look": ActEntry(c.Look, _PLAYER, deciding.look, suspended=True),
    **{one: ActEntry(c.DECISION_ACTS[one], _PLAYER, deciding.decide_box) for one in CHOICES},
    "exchange": ActEntry(c.Exchange, _PLAYER, deciding.exchange),
    "discard": ActEntry(c.Discard, _PLAYER, deciding.discard),
    "time-out": ActEntry(c.TimeOut, ("device", "house"), deciding.time_out),
    "claim": ActEntry(c.Claim, ("player", "dealer"), deciding.claim, asked=True, suspended=True),
    # reveal and settlement
    "reveal": ActEntry(c.Reveal, _DEALER, closing.reveal),
    "buy-dealer-card": ActEntry(c.BuyDealerCard, ("player", "device", "house"), buying.buy),
    "dealer-card-drawn": ActEntry(c.DrawDealerCard, _DEALER, buying.draw),
    "turn-hand": ActEntry(c.TurnHand, ("dealer", "player"), closing.turn_hand),
    "compare": ActEntry(c.Compare, _DEALER, closing.compare),
    "announce-no-hand": ActEntry(
        c.AnnounceNoHand, _DEALER, closing.announce_no_hand, text="The dealer says whether the bank has a hand"
    ),
    "reckon": ActEntry(c.Reckon, ("dealer", "house"), closing.reckon_now, reckons=True),
    "collect-chips": ActEntry(c.CollectChips, _DEALER, closing.collect_chips, reckons=True),
    "pay": ActEntry(c.Pay, _DEALER, closing.pay, reckons=True),
    "collect-cards": ActEntry(c.CollectCards, _DEALER, closing.collect_cards, reckons=True),
    "collect-award-cards": ActEntry(c.CollectAwardCards, _DEALER, closing.collect_cards, reckons=True),
    "fold-count": ActEntry(c.CountFold, _DEALER, closing.count_fold),
    "END GAME": ActEntry(c.EndGame, _DEALER, closing.end_round, reckons=True),
    "round-ended": ActEntry(c.EndRound, _DEALER, closing.end_round, reckons=True),
    # awards
    "select-winner": ActEntry(c.SelectWinner, _DEALER, awards.select_winner, reckons=True),
    "call-supervisor": ActEntry(c.CallSupervisor, _DEALER, awards.call_supervisor),
    "supervisor-validated": ActEntry(c.Validate, _FLOOR, awards.validate, text="{by} validates the award of box {box}"),
    "card-swipe": ActEntry(c.SwipeCard, _FLOOR, awards.swipe, text="{by} signs for the award of box {box}"),
    "win-page": ActEntry(c.PrintWinPage, _FLOOR, awards.print_page),
    "documentation-complete": ActEntry(
        c.CompletePapers, _FLOOR, awards.complete_papers, text="The papers of box {box} are done"
    ),
    "pay-award": ActEntry(c.PayAward, _DEALER, awards.pay_award, reckons=True),
    "award-locked": ActEntry(c.LockAward, ("device",), awards.lock),
    "manual-adjustment": ActEntry(c.Adjust, _FLOOR, awards.adjust, text="{by} backs out the award of box {box}"),
    # conduct
    "keep-in-view": ActEntry(c.KeepInView, _SEEN_BY, asked=True),
    "stay-seated": ActEntry(c.StaySeated, _SEEN_BY, asked=True),
    "touch-cards": ActEntry(c.TouchCards, _SEEN_BY, deciding.touch, asked=True),
    "talk": ActEntry(c.Talk, _SEEN_BY, deciding.talk, asked=True, suspended=True),
    "sit": ActEntry(c.Sit, _PLAYER, suspended=True),
    "reconstruct": ActEntry(c.Reconstruct, _FLOOR, closing.reconstruct, asked=True),
}
NAMES: Mapping[type[c.Act], ActName] = {entry.command: name for name, entry in ACTS.items()}
