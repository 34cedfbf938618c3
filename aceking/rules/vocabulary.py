"""Every rule that a book can set, as one frozen type for each step of a round.

A rule's key is `step.field`, as in `bet.antes`. A book lists its steps; each listed step needs all of its rules, and a
field that may be None is one on which a book may be silent. The loader reads these types; there is no second list.
They are made quickly (`step`), for every command waits for them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, NewType

from aceking.cards.hand import Category, HandRank
from aceking.rules.frozen import step
from aceking.rules.odds import Amount, Awards, Odds, Pays, Prizes
from aceking.rules.qualifier import Alike
from aceking.rules.words import ActName, Course


@dataclass(frozen=True, slots=True)
class Within:
    """The limits of a number, and how they are said."""

    least: int
    most: int
    words: str


#: Cards of a hand, of the board, laid aside: what one deck can give.
Few = Annotated[int, Within(0, 5, "a number from 0 to 5")]
Number = Annotated[int, Within(1, 1_000, "a number from 1 to 1,000")]
Antes = Annotated[int, Within(1, 100, "a number of antes from 1 to 100")]
#: A price: whole antes, or a part of one.
Price = Antes | Annotated[Fraction, Within(0, 100, "a share of the ante, as in '150%'")]
#: A stake or a limit: more than nothing, and less than anybody has.
Stake = Annotated[Amount, Within(1, 10**15, "an amount above 0, as in '5000'")]
Part = Annotated[Fraction, Within(0, 1, "a share from 0% to 100%, as in '70%'")]
Ratio = Annotated[Odds, Within(0, 10**9, "odds, as in '1 to 1', or 'push'")]

#: The weakest hand that passes: five ranks, or three where a wager goes by three cards.
Least = NewType("Least", HandRank)

Method = Literal["manual-shoe", "hand", "automated-shoe", "card-shoe", "electronic-shuffler", "automatic-shuffler"]
Side = Literal["lost", "returned"]
Place = Literal["first", "last", "none"]


@step
class Hands:
    """What a hand is and how two are compared."""

    cards: Few  # dealt to each player
    community: Few  # shared by all players
    discards: Few  # laid aside by each player who goes on
    ace_low: bool  # 5-4-3-2-A is a straight, the lowest
    suits_equal: Literal[True]  # nothing else is known to the ranker
    equal_class: Literal["groups-then-kickers"]  # how two hands of one category are told apart


@step
class Table:
    """Who may sit and bet where."""

    seats_max: Number
    boxes_per_player: Literal["one", "two-adjacent", "several"]
    hands_seen: Number | None  # how many of his own hands a player of several boxes may look at
    games_per_player: Number | None
    games_are: Literal["wagers-on-one-hand", "hands"] | None  # what that number counts
    games_notice: Literal["layout", "placard"] | None
    wager_max: Stake | None  # what no single wager may exceed
    round_cap: Stake | None  # the most that a round pays on ante and bet
    round_cap_for: Literal["box", "player", "table"] | None  # to each box, to a player, or to all together
    round_cap_cut: Literal["in-order", "pro-rata"] | None  # the last that are paid are cut, or all in proportion
    layout: str | None
    version: Literal["required-bet", "permissible-bet"] | None
    one_version: bool | None  # all tables of the house play the same version


@step
class Deck:
    """The cards on the table and how long they stay."""

    size: Literal[52]  # nothing else is known to the ranker
    decks: Literal[1, 2]  # used in turn
    second_deck_needs: Literal["automated"] | None
    extra_cards: tuple[str, ...]
    change_hours: Number | None
    change_hours_hand: Number | None  # where the book names shoes only


@step
class Opening:
    """What happens to a deck between its arrival and the first shuffle."""

    acts: tuple[ActName, ...]
    idle_spread: Literal["face-up", "face-down"]


@step
class Shuffle:
    """How and when the cards are mixed."""

    method: Literal["manual", "automated"]
    each_round: Literal[True]  # nothing else is known to the table


@step
class Cut:
    """The cut after a shuffle by hand."""

    after: Literal["manual"]
    cards_min: Number
    hands: Number
    recut_by: Literal["supervisor"]


@step
class Wagers:
    """The window in which bets are taken, and what counts as a bet."""

    opens: str | None  # the call that opens betting
    closes: str  # the call or key that closes it
    after_close: Literal["refused"] | None  # what is placed, raised or withdrawn after the close
    means: tuple[str, ...] | None
    match_play: bool | None


@step
class Deal:
    """The order in which cards leave the shoe."""

    method: Method
    methods: tuple[Method, ...]
    packets: tuple[Method, ...]  # the methods that deal whole hands at a time
    burn: tuple[Method, ...]  # the methods that burn a card first
    up_single: Place | None  # the dealer's card that lies face up where cards are dealt one at a time
    up_packet: Place  # and when hands come in packets; the last card is the bottom one
    needs_automated_shuffle: tuple[Method, ...] | None
    pick_up_after: Literal["stub-to-rack", "go-ahead"] | None
    shoe: Literal["electronic", "non-electronic"] | None
    procedure: str | None  # the house procedure on file for dealing by hand
    up_shown: Literal["dealt-face-up", "turned-face-up"] | None


@step
class Stub:
    """The cards left after the deal."""

    goes_to: Literal["rack", "shuffler"]
    count_rounds: Number | None
    count_clock: Literal["either", "per-deck", "per-table"] | None
    count: Literal["manual-every-5", "device-count-each-shuffle"] | None
    device_count_excuses: tuple[Method, ...] | None
    misdeal_found: Literal["all-void", "route-to-(m)(4)"] | None


@step
class Ante:
    """The opening wager."""

    required: Literal[True]
    pays: Ratio | Literal["by-hand"]  # by hand: at the odds of the bet table
    pays_from: Category | HandRank | None  # the least hand on which a winning ante is paid; below it it comes back
    returned_from: Category | HandRank | None  # the least hand on which a beaten ante comes back
    over_max: Literal["settled-at-maximum", "refused"] | None  # found at settlement
    under_min: Literal["stands"] | None
    top_up: Literal["if-unseen"] | None
    min: Stake | None  # the limits of the table, where the house posts them as options
    max: Stake | None


@step
class Bet:
    """The second wager, made after looking at the cards."""

    antes: Antes  # exactly so many times the ante; the least, where the player chooses
    antes_max: Antes | None  # the player chooses, in whole antes, up to so many
    required: bool  # to stay in
    blind: Literal["unseen-boxes", "any"] | None
    over: Literal["excess-returned"] | None  # found at settlement
    under: Literal["settled-as-staked"] | None
    pays: Pays
    unlisted: Literal["push", "lost"] | None  # what becomes of a bet that wins with a hand that has no row
    pays_are: Literal["minimums", "fixed"]
    pays_shown: Literal["table-signage", "layout"] | None
    cap: Stake | None  # the most that is paid
    cap_on: Literal["bet", "ante-plus-bet-of-one-hand", "each-wager"] | None
    cap_floor: Stake | None  # a cap may not be set below it
    cap_floor_basis: Literal["ante-plus-bet", "bet-only"] | None
    cap_on_layout: bool | None


@step
class Decide:
    """What a player may do with the hand."""

    order: Literal["clockwise", "any"]
    choices: tuple[Literal["bet", "fold", "exchange", "stay", "declare"], ...]
    absent: Literal["fold", "supervisor-then-fold", "supervisor"] | None
    fold_to: Literal["rack-after-count"] | None  # where folded cards go otherwise than every hand does


@step
class Fold:
    """Giving up the hand."""

    ante: Literal["lost"]


@step
class Exchange:
    """Buying cards for others, at once and once."""

    cards: Annotated[int, Within(1, 5, "a number from 1 to 5")]  # the most at a time
    price_antes: Antes  # of one card
    prices: tuple[Price, ...] | None  # of one card, of two and so on, where more than one may be exchanged
    price: Literal["lost"]
    price_on_player_void: Literal["retained", "returned"]
    pays: Pays  # on the bet, for a hand that was changed
    side: Side  # the side bet of a player who exchanges


@step
class Dealer:
    """The dealer's hand: when it plays, and what follows."""

    qualifies_with: HandRank  # the weakest; `any` where the dealer always plays
    qualifies_too: tuple[Alike, ...] | None  # hands below it that play as well
    unqualified_ante: Ratio | None  # None: the dealer always plays
    unqualified_bet: Literal["void", "returned", "push"] | None
    higher: Literal["win"]  # the player's hand against a qualifying dealer
    equal: Literal["push"]
    lower: Literal["lose"]
    turn_unqualified: Literal["all", "progressive-bettors-only", "none"] | None
    hole_card_window: Literal["until-last-decision", "literal-before-no-more-bets"] | None


@step
class Bought:
    """A card that players buy for a dealer who does not qualify, once they have seen the hand."""

    price_antes: Antes
    price: Literal["lost"]
    replaces: Literal["highest", "lowest"]  # the card of the dealer's hand that goes
    counts_for: Literal["who-paid"]  # one card comes, for all who paid; the others are settled without it
    unqualified_ante: Ratio  # where the dealer does not qualify with it either
    unqualified_bet: Literal["void", "returned", "push"]


@step
class Paytable:
    """A game against a table of pays instead of a dealer."""

    wins_with: HandRank
    pushes_with: HandRank
    loses_below: HandRank


@step
class InstantWinner:
    """Three cards that may be declared at once."""

    pays: Pays
    ace_low: bool
    no_bet: Literal[True]
    wrong_ante: Literal["lost"]


@step
class Bonus:
    """A side bet at fixed odds on the player's own hand."""

    offered: bool
    stake: Stake
    needs_ante: Literal[True]
    independent: Literal[True]  # no bearing on ante and bet, nor they on it
    pays: Pays
    pushes_with: HandRank
    folded: Side | None
    instant: Literal["paid-at-declaration", "lost"]
    wrong_declaration: Side


@step
class Progressive:
    """A side bet for a share of a meter or a fixed award."""

    stake: Stake
    needs_ante: Literal["refused", "returned"]  # what becomes of a stake without an ante
    wrong_stake: Literal["refused", "excess-returned"]
    light: Literal["required"] | None
    coupons: bool | None  # a coupon may stand for the chip
    awards: Awards
    awards_are: Literal["minimums", "fixed", "posted", "separate"]
    independent: Literal[True]  # paid whatever the dealer holds
    folded: Literal["not-payable", "payable"]
    claim: Literal["dealer-checks", "player-notifies", "player-tells-unqualified-bank"]
    undeclared_major: Literal["pay-if-shown", "forfeit"] | None
    order: Literal["from-right", "from-first-dealt", "together", "per-internal-controls"]
    ordered: Literal["meter-awards"] | None  # which awards that order is for; None: all of them
    shared: tuple[str, ...]  # the categories whose winners share one award
    mixed: Literal["each-of-frozen", "straight-flush-first-then-rest", "from-right-falling"] | None
    across_tables: Literal["at-each-turn", "by-time-of-deal", "shared", "by-confirmation"]
    deducts: Literal["percentage-awards", "all-awards", "full-awards"]  # what comes off the meter
    rounding: Literal["up"]  # of a share of the meter, to the smallest coin
    rate_min: Part | None
    seed: Stake | None  # what a new meter starts from
    reset: Stake | None  # what it returns to
    increment: Part | None
    void_feed: Literal["kept", "reversed"] | None
    signatures: tuple[str, ...] | None  # None: the acts of the book say who signs
    executive_from: Stake | None
    tables_meanwhile: Literal["play-on", "suspended"] | None
    fault_later: Course | None
    exchanged: Literal["not-payable"] | None


@step
class NamedSide:
    """A side wager with a name of its own; a book may have several, besides a progressive or a bonus."""

    stake: Stake | None  # the one amount that is taken
    min: Stake | None  # or every amount from this one
    max: Stake | None  # to this one
    cards: Literal["own", "own-and-up-card", "own-and-community", "dealer"]  # the hand that it goes by
    pays: Pays  # at odds: the stake comes back with a win
    awards: Prizes  # or fixed amounts: the stake is spent
    pays_from: Least | None  # the least hand of the lowest row that is paid
    returned_from: Category | Least | None  # the least hand below those that are paid on which the stake comes back
    needs: Literal["nothing", "dealer-qualifies", "dealer-does-not-qualify"] | None  # else it is lost
    folded: Literal["stands", "lost", "returned"] | None  # what becomes of it when the hand is given up
    exchanged: Literal["final-hand", "first-hand"] | None  # the hand that counts where cards were exchanged
    envy: Prizes  # what a box with this wager is paid when another player's hand makes the row


@step
class System:
    """The approved machines of the progressive."""

    maker: str
    chosen: Literal["first", "second"]  # the set of components in use
    first: tuple[str, ...]  # its components with their least versions; sets are not mixed
    second: tuple[str, ...]
    display_source: Literal["bally", "operator"]
    display_functions: tuple[str, ...]  # what the display may do besides showing the meter


@step
class Collection:
    """The order in which the dealer turns, takes and pays."""

    order: Literal["from-right", "any"]
    passes: tuple[Literal["lose", "push", "win", "seat"], ...]
    rebuildable: Literal[False] | None  # cards in the rack are never looked at again
    holds_for_papers: bool | None


@step
class Void:
    """What an annulled round or hand returns."""

    stakes: Literal["returned"] | None
    scope: Literal["whole-round", "open-hands-only"] | None
    last_word: str


@step
class Irregular:
    """The house's choices among the rulings on irregularities."""

    boxed_in_stack: Literal["short-hand-by-(m)(4)", "all-void", "replace-from-stub"] | None
    jam_after_delivery: Literal["play-on", "void"] | None
    exposed_after_look: Literal["continue", "continue-with-5.10-options"] | None
    early_pick_up: Literal["round", "that-player's-hand-only"] | None
    bad_deck: Literal["void-round", "house-decides"] | None  # a foreign card, or a deck too short or too long
    replacement: Literal["round", "that-hand-only"] | None  # what a replacement that is exposed or dropped makes void
    community_exposed: Literal["supervisor", "void-all"] | None
    unseen_miscount: Literal["void-round", "void-hand"] | None
    boxed_to_dealer: Literal["becomes-up-card", "use-as-next"] | None
    exposed_mixed: Literal["becomes-up-card", "void-round"] | None  # a dealer card and a player card
    rebuild_from_stub: Literal["house-decides", "not-rebuildable"] | None


STEPS: Mapping[str, type] = {
    "hands": Hands,
    "table": Table,
    "deck": Deck,
    "opening": Opening,
    "shuffle": Shuffle,
    "cut": Cut,
    "wagers": Wagers,
    "deal": Deal,
    "stub": Stub,
    "ante": Ante,
    "bet": Bet,
    "decide": Decide,
    "fold": Fold,
    "exchange": Exchange,
    "dealer": Dealer,
    "bought": Bought,
    "paytable": Paytable,
    "instant": InstantWinner,
    "bonus": Bonus,
    "progressive": Progressive,
    "system": System,
    "collection": Collection,
    "void": Void,
    "irregular": Irregular,
}
#: The table of the named side wagers, `sides.<name>`. It is no step: every book may have some, and none must.
SIDES = "sides"
#: The steps that every game has.
ALWAYS = ("hands", "table", "deck", "wagers", "deal", "ante", "bet", "decide", "collection", "void")
