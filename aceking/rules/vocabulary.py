"""Every rule that a book can set, as one frozen type for each step of a round.

A rule's key is `step.field`, as in `bet.antes`. A book lists its steps and sets all rules of each; it may leave out a
field that may be None. The loader reads these types; there is no second list. Types use `step` instead of `dataclass`
because every command imports them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, NewType

from aceking.cards.hand import Category, HandRank
from aceking.rules.decisions import BookChoice
from aceking.rules.frozen import step
from aceking.rules.odds import Amount, Awards, Odds, Pays, Prizes
from aceking.rules.qualifier import Alike
from aceking.rules.words import ActName, Course


@dataclass(frozen=True, slots=True)
class Within:
    """The limits of a number, and the words for them."""

    least: int
    most: int
    words: str


#: Cards of a hand, on the board or laid aside.
Few = Annotated[int, Within(0, 5, "a number from 0 to 5")]
Number = Annotated[int, Within(1, 1_000, "a number from 1 to 1,000")]
Antes = Annotated[int, Within(1, 100, "a number of antes from 1 to 100")]
#: A price in whole antes, or as a share of the ante.
ExchangePrice = Antes | Annotated[Fraction, Within(0, 100, "a share of the ante, as in '150%'")]
#: A stake or a limit, in minor units.
StakeAmount = Annotated[Amount, Within(1, 10**15, "an amount above 0, as in '5000'")]
Portion = Annotated[Fraction, Within(0, 1, "a share from 0% to 100%, as in '70%'")]
Ratio = Annotated[Odds, Within(0, 10**9, "odds, as in '1 to 1', or 'push'")]

#: The weakest hand that passes: five ranks, or three if the wager is on three cards.
Least = NewType("Least", HandRank)

Method = Literal["manual-shoe", "hand", "automated-shoe", "card-shoe", "electronic-shuffler", "automatic-shuffler"]
SideFate = Literal["lost", "returned"]
UpCardAt = Literal["first", "last", "none"]


@step
class HandRules:
    """What a hand is and how two are compared."""

    cards: Few  # dealt to each player
    community: Few  # shared by all players
    discards: Few  # laid aside by each player who goes on
    ace_low: bool  # 5-4-3-2-A is a straight, the lowest
    suits_equal: Literal[True]  # the ranker knows no other rule
    equal_class: Literal["groups-then-kickers"]  # how two hands of one category are compared


@step
class TableRules:
    """Who may sit and bet where."""

    seats_max: Number
    boxes_per_player: Literal["one", "two-adjacent", "several"]
    hands_seen: Number | None  # hands that a player with several boxes may look at
    games_per_player: Number | None
    games_are: Literal["wagers-on-one-hand", "hands"] | None  # what `games_per_player` counts
    games_notice: Literal["layout", "placard"] | None
    wager_max: StakeAmount | None  # the most for a single wager
    round_cap: StakeAmount | None  # the most that a round pays on ante and bet
    round_cap_for: Literal["box", "player", "table"] | None  # for each box, for each player, or for the whole table
    round_cap_cut: Literal["in-order", "pro-rata"] | None  # who gets less: the last to be paid, or all in proportion
    layout: str | None
    version: Literal["required-bet", "permissible-bet"] | None
    one_version: bool | None  # all tables of the house play the same version


@step
class DeckRules:
    """The cards on the table and how long they stay."""

    size: Literal[52]  # the ranker knows no other deck
    decks: Literal[1, 2]  # used in turn
    second_deck_needs: Literal["automated"] | None
    extra_cards: tuple[str, ...]
    change_hours: Number | None
    change_hours_hand: Number | None  # for cards dealt by hand, if the book names shoes only


@step
class OpeningRules:
    """What happens to a deck between its arrival and the first shuffle."""

    acts: tuple[ActName, ...]
    idle_spread: Literal["face-up", "face-down"]


@step
class ShuffleRules:
    """How and when the cards are mixed."""

    method: Literal["manual", "automated"]
    each_round: Literal[True]  # the table knows no other rule


@step
class CutRules:
    """The cut after a shuffle by hand."""

    after: Literal["manual"]
    cards_min: Number
    hands: Number
    recut_by: Literal["supervisor"]


@step
class WagerRules:
    """The window in which bets are taken, and what counts as a bet."""

    opens: str | None  # the call that opens betting
    closes: str  # the call or key that closes it
    after_close: Literal["refused"] | None  # a wager placed, raised or withdrawn after the close
    means: tuple[str, ...] | None
    match_play: bool | None


@step
class DealRules:
    """The order in which cards leave the shoe."""

    method: Method
    methods: tuple[Method, ...]
    packets: tuple[Method, ...]  # the methods that deal whole hands at a time
    burn: tuple[Method, ...]  # the methods that burn a card first
    up_single: UpCardAt | None  # the dealer's card that is face up if cards are dealt one at a time
    up_packet: UpCardAt  # the same if hands are dealt in packets; the last card is the bottom one
    needs_automated_shuffle: tuple[Method, ...] | None
    pick_up_after: Literal["stub-to-rack", "go-ahead"] | None
    shoe: Literal["electronic", "non-electronic"] | None
    procedure: str | None  # the house procedure on file for dealing by hand
    up_shown: Literal["dealt-face-up", "turned-face-up"] | None


@step
class StubRules:
    """The cards left after the deal."""

    goes_to: Literal["rack", "shuffler"]
    count_rounds: Number | None
    count_clock: Literal["either", "per-deck", "per-table"] | None
    count: Literal["manual-every-5", "device-count-each-shuffle"] | None
    device_count_excuses: tuple[Method, ...] | None
    misdeal_found: Literal["all-void", "route-to-(m)(4)"] | None


@step
class AnteRules:
    """The opening wager."""

    required: Literal[True]
    pays: Ratio | Literal["by-hand"]  # by-hand: at the odds of the bet table
    pays_from: Category | HandRank | None  # the weakest hand on which a winning ante is paid, not just returned
    returned_from: Category | HandRank | None  # the weakest hand on which a losing ante is returned
    over_max: Literal["settled-at-maximum", "refused"] | None  # an ante over the maximum, found at settlement
    under_min: Literal["stands"] | None
    top_up: Literal["if-unseen"] | None
    min: StakeAmount | None  # the limits of the table, if the house posts them as options
    max: StakeAmount | None


@step
class BetRules:
    """The second wager, made after looking at the cards."""

    antes: Antes  # the bet in antes; the least, if the player chooses
    antes_max: Antes | None  # the most, if the player chooses a bet in whole antes
    required: bool  # to stay in
    blind: Literal["unseen-boxes", "any"] | None
    over: Literal["excess-returned"] | None  # a bet that is too high, found at settlement
    under: Literal["settled-as-staked"] | None
    pays: Pays
    unlisted: Literal["push", "lost"] | None  # the result of a bet that wins with a hand that has no row
    pays_are: Literal["minimums", "fixed"]
    pays_shown: Literal["table-signage", "layout"] | None
    cap: StakeAmount | None  # the most that is paid, counted as `cap_on` says
    cap_on: Literal["bet", "ante-plus-bet-of-one-hand", "each-wager"] | None
    cap_floor: StakeAmount | None  # the least cap that the house may set
    cap_floor_basis: Literal["ante-plus-bet", "bet-only"] | None
    cap_on_layout: bool | None


@step
class DecideRules:
    """What a player may do with their hand."""

    order: Literal["clockwise", "any"]
    choices: tuple[BookChoice, ...]
    absent: Literal["fold", "supervisor-then-fold", "supervisor"] | None
    fold_to: Literal["rack-after-count"] | None  # where folded cards go, if not where other hands go


@step
class FoldRules:
    """Giving up the hand."""

    ante: Literal["lost"]


@step
class ExchangeRules:
    """Exchanging cards for a price, once in a round and all at a time."""

    cards: Annotated[int, Within(1, 5, "a number from 1 to 5")]  # the most at a time
    price_antes: Antes  # of one card
    prices: tuple[ExchangePrice, ...] | None  # of one card, of two and so on, if more than one may be exchanged
    price: Literal["lost"]
    price_on_player_void: Literal["retained", "returned"]
    pays: Pays  # on the bet, for a hand that was changed
    side: SideFate  # the side bet of a player who exchanges


@step
class DealerRules:
    """The dealer's hand: when it plays, and what follows."""

    qualifies_with: HandRank  # the weakest hand; `any` if the dealer always plays
    qualifies_too: tuple[Alike, ...] | None  # hands below it that play as well
    unqualified_ante: Ratio | None  # None: the dealer always plays
    unqualified_bet: Literal["void", "returned", "push"] | None
    higher: Literal["win"]  # the player's hand against a qualifying dealer
    equal: Literal["push"]
    lower: Literal["lose"]
    turn_unqualified: Literal["all", "progressive-bettors-only", "none"] | None
    hole_card_window: Literal["until-last-decision", "literal-before-no-more-bets"] | None


@step
class BoughtCardRules:
    """A card that players buy for a dealer who does not qualify, after seeing the dealer's hand."""

    price_antes: Antes
    price: Literal["lost"]
    replaces: Literal["highest", "lowest"]  # the card of the dealer's hand that is replaced
    counts_for: Literal["who-paid"]  # one card is drawn for all who paid; the other boxes are settled without it
    unqualified_ante: Ratio  # if the dealer does not qualify with it either
    unqualified_bet: Literal["void", "returned", "push"]


@step
class PaytableRules:
    """A game against a table of pays instead of a dealer."""

    wins_with: HandRank
    pushes_with: HandRank
    loses_below: HandRank


@step
class InstantWinnerRules:
    """Three cards that may be declared at once."""

    pays: Pays
    ace_low: bool
    no_bet: Literal[True]
    wrong_ante: Literal["lost"]


@step
class BonusRules:
    """A side bet at fixed odds on the player's own hand."""

    offered: bool
    stake: StakeAmount
    needs_ante: Literal[True]
    independent: Literal[True]  # settled independently of ante and bet
    pays: Pays
    pushes_with: HandRank
    folded: SideFate | None
    instant: Literal["paid-at-declaration", "lost"]
    wrong_declaration: SideFate


@step
class ProgressiveRules:
    """A side bet for a share of a meter or a fixed award."""

    stake: StakeAmount
    needs_ante: Literal["refused", "returned"]  # the result of a stake without an ante
    wrong_stake: Literal["refused", "excess-returned"]
    light: Literal["required"] | None
    coupons: bool | None  # a coupon may replace the chip
    awards: Awards
    awards_are: Literal["minimums", "fixed", "posted", "separate"]
    independent: Literal[True]  # paid whatever hand the dealer has
    folded: Literal["not-payable", "payable"]
    claim: Literal["dealer-checks", "player-notifies", "player-tells-unqualified-bank"]
    undeclared_major: Literal["pay-if-shown", "forfeit"] | None
    order: Literal["from-right", "from-first-dealt", "together", "per-internal-controls"]
    ordered: Literal["meter-awards"] | None  # the awards that `order` is for; None: all awards
    shared: tuple[str, ...]  # the categories whose winners share one award
    mixed: Literal["each-of-frozen", "straight-flush-first-then-rest", "from-right-falling"] | None
    across_tables: Literal["at-each-turn", "by-time-of-deal", "shared", "by-confirmation"]
    deducts: Literal["percentage-awards", "all-awards", "full-awards"]  # the awards that are taken off the meter
    rounding: Literal["up"]  # of a share of the meter, to the smallest coin
    rate_min: Portion | None
    seed: StakeAmount | None  # the value of a new meter
    reset: StakeAmount | None  # the value that it is refilled to when the jackpot is won
    increment: Portion | None
    void_feed: Literal["kept", "reversed"] | None
    signatures: tuple[str, ...] | None  # None: the acts of the book say who signs
    executive_from: StakeAmount | None
    tables_meanwhile: Literal["play-on", "suspended"] | None
    fault_later: Course | None
    exchanged: Literal["not-payable"] | None


@step
class SideWagerRules:
    """A side wager with its own name; a book may have several, besides a progressive or a bonus."""

    stake: StakeAmount | None  # the one amount that is allowed
    min: StakeAmount | None  # instead of `stake`: the least amount
    max: StakeAmount | None  # and the greatest
    cards: Literal["own", "own-and-up-card", "own-and-community", "dealer"]  # the hand that decides it
    pays: Pays  # rows at odds; a winning stake is returned as well
    awards: Prizes  # instead of `pays`: rows of fixed amounts; the stake is not returned
    pays_from: Least | None  # the weakest paid hand of the lowest row
    returned_from: Category | Least | None  # the weakest hand, below the paid ones, on which the stake is returned
    needs: Literal["nothing", "dealer-qualifies", "dealer-does-not-qualify"] | None  # or it is lost
    folded: Literal["stands", "lost", "returned"] | None  # its result if the hand is folded or declared early
    exchanged: Literal["final-hand", "first-hand"] | None  # the hand that counts if cards were exchanged
    envy: Prizes  # what a box with this wager is paid if another player's hand makes the row


@step
class MachineRules:
    """The approved machines of the progressive."""

    maker: str
    chosen: Literal["first", "second"]  # the set of components in use
    first: tuple[str, ...]  # components with their least versions; sets are not mixed
    second: tuple[str, ...]
    display_source: Literal["bally", "operator"]
    display_functions: tuple[str, ...]  # what the display may do besides showing the meter


@step
class CollectionRules:
    """The order in which the dealer turns, takes and pays."""

    order: Literal["from-right", "any"]
    passes: tuple[Literal["lose", "push", "win", "seat"], ...]
    rebuildable: Literal[False] | None  # cards in the rack are not looked at again
    holds_for_papers: bool | None


@step
class VoidRules:
    """What an annulled round or hand returns."""

    stakes: Literal["returned"] | None
    scope: Literal["whole-round", "open-hands-only"] | None
    last_word: str


@step
class IrregularRules:
    """The house's choices among the rulings on irregularities."""

    boxed_in_stack: Literal["short-hand-by-(m)(4)", "all-void", "replace-from-stub"] | None
    jam_after_delivery: Literal["play-on", "void"] | None
    exposed_after_look: Literal["continue", "continue-with-5.10-options"] | None
    early_pick_up: Literal["round", "that-player's-hand-only"] | None
    bad_deck: Literal["void-round", "house-decides"] | None  # a foreign card, or too few or too many cards
    replacement: Literal["round", "that-hand-only"] | None  # what is void if a replacement card is exposed or dropped
    community_exposed: Literal["supervisor", "void-all"] | None
    unseen_miscount: Literal["void-round", "void-hand"] | None
    boxed_to_dealer: Literal["becomes-up-card", "use-as-next"] | None
    exposed_mixed: Literal["becomes-up-card", "void-round"] | None  # a dealer's and a player's card
    rebuild_from_stub: Literal["house-decides", "not-rebuildable"] | None


STEPS: Mapping[str, type] = {
    "hands": HandRules,
    "table": TableRules,
    "deck": DeckRules,
    "opening": OpeningRules,
    "shuffle": ShuffleRules,
    "cut": CutRules,
    "wagers": WagerRules,
    "deal": DealRules,
    "stub": StubRules,
    "ante": AnteRules,
    "bet": BetRules,
    "decide": DecideRules,
    "fold": FoldRules,
    "exchange": ExchangeRules,
    "dealer": DealerRules,
    "bought": BoughtCardRules,
    "paytable": PaytableRules,
    "instant": InstantWinnerRules,
    "bonus": BonusRules,
    "progressive": ProgressiveRules,
    "system": MachineRules,
    "collection": CollectionRules,
    "void": VoidRules,
    "irregular": IrregularRules,
}
#: The table of the named side wagers, `sides.<name>`. It is not a step: every book may have some, none must.
SIDES = "sides"
#: The steps that every game has.
ALWAYS = ("hands", "table", "deck", "wagers", "deal", "ante", "bet", "decide", "collection", "void")
