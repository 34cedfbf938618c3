"""The terminal table itself: prompts, cards, chips, and the words for what happened. No rule is here."""

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from aceking.cards.card import Card, CardError, card, name
from aceking.commands.show import cards_text, console, money
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, amount
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.show.explain import explain
from aceking.table.show.offers import Offer, player_offers
from aceking.table.show.view import BoxView, LineView, OwnBox, Viewer, clause_words, common, own

PLAYER = "Player 1"
#: What a house posts where its book leaves the awards to a sign.
SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}
HELP = """At the ante: a number, or Enter for the same again.   s  side bet on or off
At your hand: b bet, f fold, s stay, d declare, x exchange, as the game has them; v what each choice is worth
Any time:     h this help   r the pays   l the last rounds   w the last round in sentences, clause by clause
              q leave the table (the record is kept)"""


class LeaveError(Exception):
    """The player leaves the table."""


class TerminalTable:
    """One player at a table of one book."""

    def __init__(
        self,
        book: Book,
        *,
        bankroll: int,
        shuffle: Callable[[], list[int]],
        record: Path | None,
        meter: int,
        box: int = 1,
    ) -> None:
        self.book = book
        self.box = box
        self.bankroll = bankroll
        self.shuffle = shuffle
        self.record = record
        self.meter = Fraction(meter)
        self.reset = meter // 5
        posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
        self.driver = Driver(book, new_table(book, awards=SIGN if posted else {}, reset=self.reset))
        self.out: Console = console()
        self.last_ante = min(1000, bankroll)
        self.with_side = False
        self.history: list[str] = []
        self.written = 0
        self.before = 0

    def run(self) -> None:
        """Rounds until the player leaves or has no chips left."""
        self.out.print(f"\n[bold]{self.book.title}[/], {self.book.house}  [dim]{self.book.version}[/]")
        self.out.print("[dim]Enter h for help, q to leave.[/]")
        try:
            while self.bankroll > 0:
                self.round()
            self.out.print("You have no chips left.")
        except (LeaveError, EOFError, KeyboardInterrupt):
            self.out.print()
            self.walk_away()
        finally:
            self.write_record()
        self.out.print(f"You leave with [bold]{self.chips(self.bankroll)} {self.book.currency}[/].")
        if self.record is not None:
            self.out.print(f"[dim]Every act is on the record: {self.record}[/]")

    def round(self) -> None:
        """One round from ante to pay."""
        driver, book = self.driver, self.book
        ante = self.ask_ante()
        driver.open_bets(self.shuffle())
        self.before = driver.table.accounts.get(PLAYER, 0)
        if not self.did(driver.do(c.Ante(box=self.box, player=PLAYER, amount=ante))):
            return
        rules = book.progressive or book.bonus
        if self.with_side and rules is not None:
            self.did(driver.do(c.SideBet(box=self.box, player=PLAYER, amount=rules.stake)))
            self.feed(rules.stake)
        driver.close_bets(int(self.meter) if book.progressive is not None else None)
        driver.deal()
        driver.look(self.box)
        self.show_hand()
        self.decide()
        driver.finish()
        self.show_result(driver.table.accounts.get(PLAYER, 0) - self.before)
        self.write_record()

    def walk_away(self) -> None:
        """Leaving in the middle of a round: the book says what becomes of the hand."""
        driver = self.driver
        current = driver.table.live_round
        if current is None:
            return
        staked = current.boxes[self.box].ante if self.box in current.boxes else 0
        if not staked or not current.sequence:
            return
        result = driver.do(c.Report(mishap="walk-away", boxes=(self.box,)))
        if isinstance(result, Refusal):
            return
        for event in result:
            if isinstance(event, ev.Ruled):
                self.out.print(f"You walk away from your hand: {event.then}  [dim]{event.clause}[/]")
        current = driver.table.live_round
        if driver.table.holding is not None or current is None or any(box.owes_decision for box in current.dealt_in):
            self.out.print("Your chips stay on the layout until the house has decided.")
            return
        driver.finish()
        self.show_result(driver.table.accounts.get(PLAYER, 0) - self.before)

    def feed(self, stake: int) -> None:
        """The meter rises with every side bet."""
        if self.book.progressive is not None:
            self.meter += stake * (self.book.progressive.increment or Fraction(7, 10))

    # Asking

    def ask(self, prompt: str) -> str:
        """One line from the player; the commands that work at any time are answered here."""
        while True:
            self.out.print(prompt, end=" ")
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            word = line.strip()
            if not sys.stdin.isatty():
                self.out.print(word)
            match word.lower():
                case "q" | "quit":
                    raise LeaveError
                case "h" | "help" | "?":
                    self.out.print(HELP)
                case "r":
                    self.show_pays()
                case "w":
                    self.tell_last()
                case "l":
                    self.out.print("\n".join(self.history[-10:]) or "No round yet.")
                case _:
                    return word

    def ask_ante(self) -> int:
        """The ante of the next round."""
        while True:
            jackpot = f"  jackpot {self.chips(int(self.meter))}" if self.book.progressive is not None else ""
            side = f"  side bet {'on' if self.with_side else 'off'}" if self.book.progressive or self.book.bonus else ""
            self.out.print(f"\n[dim]chips {self.chips(self.bankroll)}{jackpot}{side}[/]")
            word = self.ask(f"Ante? [{self.chips(self.last_ante)}]")
            if word.lower() == "s":
                self.with_side = not self.with_side
                continue
            try:
                ante = amount(word, decimals=self.book.decimals) if word else self.last_ante
            except OddsError:
                self.out.print("[red]An ante is a number of chips, such as 10.[/]")
                continue
            needed = ante * (1 + self.book.bet.antes)
            if ante <= 0 or needed > self.bankroll:
                self.out.print(f"[red]With {self.chips(self.bankroll)} an ante of {word} cannot be played out.[/]")
                continue
            self.last_ante = ante
            return ante

    def offers(self) -> dict[str, Offer]:
        """What the player may do at the box now, by its first letter."""
        letters = {"bet": "b", "fold": "f", "stay": "s", "declare": "d", "exchange": "x"}
        found = player_offers(self.driver.book, self.driver.table, PLAYER)
        return {letters[one.do]: one for one in found if one.box == self.box and one.do in letters}

    def decide(self) -> None:
        """The player's decision, asked until the book takes one."""
        while offers := self.offers():
            word = self.ask(self.choices(offers)).lower()
            act = self.act_for(word, offers)
            if act is not None and self.did(self.driver.do(act)) and isinstance(act, c.Exchange):
                self.show_hand()

    def choices(self, offers: dict[str, Offer]) -> str:
        """What the player may do, with its price."""
        words = {
            "b": "[bold]b[/]et {amount}",
            "f": "[bold]f[/]old",
            "s": "[bold]s[/]tay",
            "d": "[bold]d[/]eclare",
            "x": "e[bold]x[/]change a card for {amount}",
        }
        offered = [words[letter].format(amount=one.amount) for letter, one in offers.items()]
        return ", ".join(offered) + "?"

    def act_for(self, word: str, offers: dict[str, Offer]) -> c.Act | None:
        """The act that a word stands for."""
        if word[:1] == "v":
            self.show_values()
            return None
        offer = offers.get(word[:1])
        if offer is None:
            self.out.print("[red]That is not a choice here.[/]")
            return None
        if offer.do == "exchange" and not self.can_exchange():
            self.out.print("[red]You have not the chips for an exchange and a bet.[/]")
            return None
        asks = {"exchange": "Which card do you give?"}.get(offer.do, "Which card do you discard?")
        chosen = self.ask_card(asks, offer.cards) if offer.cards else None
        if offer.cards and chosen is None:
            return None
        match offer.do:
            case "bet":
                return c.Bet(box=self.box, discard=chosen)
            case "stay":
                return c.Stay(box=self.box, discard=chosen)
            case "fold":
                return c.Fold(box=self.box)
            case "declare":
                return c.Declare(box=self.box)
            case _:
                assert chosen is not None, "an exchange names the card that is given"
                return c.Exchange(box=self.box, give=(chosen,))

    def can_exchange(self) -> bool:
        """Whether the chips at hand pay for an exchange and the bet after it."""
        rules, current = self.book.exchange, self.driver.table.live_round
        assert rules is not None
        assert current is not None
        return self.bankroll >= current.boxes[self.box].ante * (1 + rules.price_antes + self.book.bet.antes)

    def ask_card(self, prompt: str, held: tuple[str, ...]) -> Card | None:
        """A card of the hand, by its place or by its name."""
        listed = "  ".join(f"{place} {one}" for place, one in enumerate(held, start=1))
        word = self.ask(f"{prompt} {listed}")
        if word.isdecimal() and 1 <= int(word) <= len(held):
            return card(held[int(word) - 1])
        try:
            found = card(word[:1].upper() + word[1:].lower())
        except CardError:
            found = None
        if found is None or name(found) not in held:
            self.out.print("[red]That card is not in your hand.[/]")
            return None
        return found

    # Telling

    def chips(self, value: int) -> str:
        """An amount for people."""
        return money(value, decimals=self.book.decimals)

    def did(self, result: object) -> bool:
        """Whether it was done; a refusal is told with its clause."""
        if isinstance(result, Refusal):
            self.out.print(f"[red]Refused:[/] {result.reason}  [dim]{result.clause}[/]")
            return False
        return True

    def my_box(self) -> tuple[BoxView, OwnBox | None]:
        """The player's box as all see it, and what only he sees of it."""
        everybody = common(self.driver.book, self.driver.table)
        mine = own(self.driver.book, self.driver.table, Viewer("player", PLAYER))
        box = next(one for one in everybody.boxes if one.box == self.box)
        return box, next((one for one in mine.boxes if one.box == self.box), None)

    def show_hand(self) -> None:
        """The player's cards with the words for them, and the dealer's up-card."""
        everybody = common(self.driver.book, self.driver.table)
        _, mine = self.my_box()
        assert mine is not None
        held = " ".join(one for one in mine.cards if one is not None)
        line = Text("  You hold  ").append_text(cards_text(held))
        self.out.print(line.append(f"   {mine.words}") if mine.words and self.book.dealer is not None else line)
        if everybody.up is not None:
            hidden = " ▒▒" * (len(everybody.dealer) - 1)
            self.out.print(Text("  Dealer    ").append_text(cards_text(everybody.up)).append(hidden))

    def show_result(self, net: int) -> None:
        """The cards of the bank, and every line of money with its reason."""
        everybody = common(self.driver.book, self.driver.table)
        box, mine = self.my_box()
        label = "  Dealer    " if self.book.dealer is not None else "  Community "
        faces = " ".join(one for one in (everybody.dealer or everybody.community) if one is not None)
        line = Text(label).append_text(cards_text(faces))
        if everybody.dealer_words is not None:
            plays = "qualifies" if everybody.dealer_qualifies else "does not qualify"
            line.append(f"   {everybody.dealer_words}, {plays}")
        if everybody.community and mine is not None and mine.discard is not None:
            line.append(f"   you have {mine.words}")
        self.out.print(line)
        for one in box.lines:
            self.out.print(self.reason(one), no_wrap=True, overflow="ellipsis")
        self.bankroll += net
        style = "green" if net > 0 else "red" if net < 0 else "yellow"
        self.out.print(f"  [bold {style}]{money(net, decimals=self.book.decimals, sign=True)}[/]")
        after = [one.meter_after for one in self.driver.events if isinstance(one, ev.Settled) and one.from_meter]
        current = self.driver.table.round
        if current is not None and current.from_meter and after and after[-1] is not None:
            self.meter = Fraction(after[-1])
        held = " ".join(one for one in mine.cards if one is not None) if mine is not None else ""
        self.history.append(
            f"round {everybody.round}: {held}, {box.choice}, {money(net, decimals=self.book.decimals, sign=True)}"
        )

    def reason(self, line: LineView) -> Text:
        """One line of money: what became of a wager, and the clause that says so."""
        paid = f" {line.pays}" if line.pays != "0" else ""
        text = Text(f"  {line.wager:<8} {line.stake:>8}  {line.outcome + paid:<16}")
        words = clause_words(self.book, [line.clause]).get(line.clause, "")
        return text.append(f" {line.clause}: {words}", style="dim")

    def tell_last(self) -> None:
        """The last finished round in sentences."""
        ends = [place for place, one in enumerate(self.driver.events) if isinstance(one, ev.RoundEnded)]
        if not ends:
            self.out.print("No round yet.")
            return
        starts = [place for place, one in enumerate(self.driver.events) if isinstance(one, ev.RoundOpened)]
        first = max(place for place in starts if place < ends[-1])
        for line in explain(self.book, self.driver.events[first : ends[-1] + 1]):
            self.out.print(f"  {line}", highlight=False)

    def show_pays(self) -> None:
        """The pay table of the book."""
        from aceking.rules.say import value_text

        for key in ("bet.pays", "exchange.pays", "instant.pays", "bonus.pays", "progressive.awards"):
            rows = [(row, rule) for row, rule in self.book.by_key.items() if row.startswith(f"{key}.")]
            if rows:
                decimals = self.book.decimals
                shown_rows = [
                    (row.rsplit(".", 1)[1], value_text(row, rule.value, decimals=decimals)) for row, rule in rows
                ]
                pays = ", ".join(f"{row.replace('_', ' ')} {value}" for row, value in shown_rows)
                self.out.print(f"  [bold]{key.split('.')[0]}[/]: {pays}")

    def show_values(self) -> None:
        """What each choice is worth, exactly."""
        from aceking.exact.community import edge as community
        from aceking.exact.stud import edge as stud

        everybody = common(self.driver.book, self.driver.table)
        _, mine = self.my_box()
        assert mine is not None
        held = tuple(card(one) for one in mine.cards if one is not None)
        if mine.gave is not None:
            self.out.print("The values are those of the hand as dealt.")
        if self.book.dealer is None:
            worth = community.value(self.book, held)
        else:
            assert everybody.up is not None
            worth = stud.value(self.book, held, card(everybody.up))
        for decision, value in worth.decisions.items():
            mark = "→" if decision == worth.best else " "
            self.out.print(f"  {mark} {decision:<22} {float(value):+.4f} antes")

    def write_record(self) -> None:
        """Appends what has happened to the record; nothing that was played is lost."""
        if self.record is None:
            return
        new = self.driver.events[self.written :]
        if new:
            self.record.parent.mkdir(parents=True, exist_ok=True)
            with self.record.open("ab") as stream:
                stream.writelines(msgspec.json.encode(event) + b"\n" for event in new)
            self.written = len(self.driver.events)


def tell_round(book: Book, order: list[int], *, player: str = "Ann") -> None:
    """One round of a game, told for a reader: the demonstration."""
    table = TerminalTable(book, bankroll=1000_00, shuffle=lambda: order, record=None, meter=100_000_00)
    driver, out = table.driver, table.out
    out.print(f"\n[bold]{book.title}[/], {book.house}  [dim]{book.id}[/]")
    driver.open_bets(order)
    driver.must(c.Ante(box=1, player=PLAYER, amount=10_00))
    rules = book.progressive or book.bonus
    assert rules is not None
    driver.must(c.SideBet(box=1, player=PLAYER, amount=rules.stake))
    out.print(f"  {player} stakes an ante of 10 and a side bet of {shown(rules.stake, decimals=book.decimals)}.")
    driver.close_bets(int(table.meter) if book.progressive is not None else None)
    driver.deal()
    driver.look(1)
    table.show_hand()
    current = driver.table.round
    assert current is not None
    discard = current.boxes[1].cards[2] if book.hands.discards else None
    driver.must(c.Bet(box=1, discard=discard))
    out.print(f"  {player} bets {shown(10_00 * book.bet.antes, decimals=book.decimals)}.")
    driver.finish()
    table.show_result(driver.table.accounts.get(PLAYER, 0))
