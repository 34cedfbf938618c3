"""The terminal table itself: prompts, cards, chips, and the words for what happened. No rule is here."""

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from aceking.cards.card import Card, CardError, card, name, names
from aceking.commands.show import cards_text, console, money
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, amount
from aceking.rules.refusal import Refusal
from aceking.settle.judge import judge
from aceking.settle.lines import Line
from aceking.table import event as ev
from aceking.table.command import Act, Report
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.decide import run
from aceking.table.show.explain import explain
from aceking.table.state import Box

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
        if not self.did(driver.do(Act(do="ante", box=self.box, player=PLAYER, amount=ante))):
            return
        rules = book.progressive or book.bonus
        if self.with_side and rules is not None:
            self.did(driver.do(Act(do="side-bet", box=self.box, player=PLAYER, amount=rules.stake)))
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
        result = run(self.book, driver.table, Report(incident="walk-away", boxes=(self.box,)))
        if isinstance(result, Refusal):
            return
        driver.table, events = result
        driver.events += events
        for event in events:
            if isinstance(event, ev.Ruled):
                self.out.print(f"You walk away from your hand: {event.then}  [dim]{event.clause}[/]")
        current = driver.table.live_round
        if driver.table.questions or current is None or any(box.owes_decision for box in current.dealt_in):
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

    def decide(self) -> None:
        """The player's decision, asked until the book takes one."""
        while True:
            current = self.driver.table.live_round
            assert current is not None
            if current.boxes[self.box].choice is not None:
                return
            word = self.ask(self.choices(current.boxes[self.box])).lower()
            act = self.act_for(word, current.boxes[self.box])
            if act is not None and self.did(self.driver.do(act)) and act.do == "exchange":
                self.show_hand()

    def choices(self, box: Box) -> str:
        """What the player may do, with its price."""
        bet = self.chips(box.ante * self.book.bet.antes)
        words = {
            "bet": f"[bold]b[/]et {bet}",
            "fold": "[bold]f[/]old",
            "stay": "[bold]s[/]tay",
            "declare": "[bold]d[/]eclare",
            "exchange": f"e[bold]x[/]change a card for {self.chips(box.ante)}",
        }
        offered = [words[one] for one in self.book.decide.choices if one != "exchange" or box.give is None]
        return ", ".join(offered) + "?"

    def act_for(self, word: str, box: Box) -> Act | None:
        """The act that a word stands for."""
        match word[:1]:
            case "v":
                self.show_values(box)
            case "b" | "s" if self.book.hands.discards:
                discard = self.ask_card("Which card do you discard?", box)
                if discard is not None:
                    return Act(do="decision", box=self.box, choice="bet" if word[0] == "b" else "stay", card=discard)
            case "b":
                return Act(do="bet", box=self.box)
            case "s":
                return Act(do="decision", box=self.box, choice="stay")
            case "f":
                return Act(do="fold", box=self.box)
            case "d":
                return Act(do="declare", box=self.box)
            case "x" if self.book.exchange is not None:
                if self.bankroll < box.ante * (1 + self.book.exchange.price_antes + self.book.bet.antes):
                    self.out.print("[red]You have not the chips for an exchange and a bet.[/]")
                    return None
                given = self.ask_card("Which card do you give?", box)
                if given is not None:
                    return Act(do="exchange", box=self.box, card=given)
            case _:
                self.out.print("[red]That is not a choice here.[/]")
        return None

    def ask_card(self, prompt: str, box: Box) -> Card | None:
        """A card of the hand, by its place or by its name."""
        held = [Card(one) for one in box.cards]
        listed = "  ".join(f"{place} {name(one)}" for place, one in enumerate(held, start=1))
        word = self.ask(f"{prompt} {listed}")
        if word.isdecimal() and 1 <= int(word) <= len(held):
            return held[int(word) - 1]
        try:
            found = card(word[:1].upper() + word[1:].lower())
        except CardError:
            found = None
        if found not in held:
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

    def show_hand(self) -> None:
        """The player's cards with the words for them, and the dealer's up-card."""
        current = self.driver.table.round
        assert current is not None
        box = current.boxes[self.box]
        line = Text("  You hold  ").append_text(cards_text(names(tuple(Card(one) for one in box.cards))))
        if self.book.dealer is not None:
            line.append(f"   {judge(self.book).words(tuple(Card(one) for one in box.cards))}")
        self.out.print(line)
        if current.up is not None:
            self.out.print(Text("  Dealer    ").append_text(cards_text(name(Card(current.up)))).append(" ▒▒ ▒▒ ▒▒ ▒▒"))

    def show_result(self, net: int) -> None:
        """The cards of the bank, and every line of money with its reason."""
        current = self.driver.table.round
        assert current is not None
        shown_cards = current.dealer or current.community
        label = "  Dealer    " if self.book.dealer is not None else "  Community "
        line = Text(label).append_text(cards_text(names(tuple(Card(one) for one in shown_cards))))
        if current.dealer:
            by = judge(self.book)
            strength = by.strength(tuple(Card(one) for one in current.dealer))
            plays = "qualifies" if strength >= by.qualifies_at else "does not qualify"
            line.append(f"   {by.words_at(strength)}, {plays}")
        box = current.boxes[self.box]
        if current.community and box.discard is not None:
            hand = (*(one for one in box.cards if one != box.discard), *current.community)
            line.append(f"   you have {judge(self.book).words(tuple(Card(one) for one in hand))}")
        self.out.print(line)
        for one in current.lines:
            if one.seat == self.box:
                self.out.print(self.reason(one), no_wrap=True, overflow="ellipsis")
        self.bankroll += net
        style = "green" if net > 0 else "red" if net < 0 else "yellow"
        self.out.print(f"  [bold {style}]{money(net, decimals=self.book.decimals, sign=True)}[/]")
        after = [one.meter_after for one in self.driver.events if isinstance(one, ev.Settled)]
        if current.from_meter and after and after[-1] is not None:
            self.meter = Fraction(after[-1])
        held = names(tuple(Card(one) for one in box.cards))
        self.history.append(
            f"round {current.number}: {held}, {box.choice}, {money(net, decimals=self.book.decimals, sign=True)}"
        )

    def reason(self, line: Line) -> Text:
        """One line of money: what became of a wager, and the clause that says so."""
        paid = f" {self.chips(line.pays)}" if line.pays else ""
        text = Text(f"  {line.wager:<8} {self.chips(line.stake):>8}  {line.outcome + paid:<16}")
        return text.append(f" {line.clause}: {self.book.clauses[line.clause].says}", style="dim")

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

    def show_values(self, box: Box) -> None:
        """What each choice is worth, exactly."""
        from aceking.exact.community import edge as community
        from aceking.exact.stud import edge as stud

        current = self.driver.table.round
        assert current is not None
        held = tuple(Card(one) for one in box.cards)
        if box.give is not None:
            self.out.print("The values are those of the hand as dealt.")
        if self.book.dealer is None:
            worth = community.value(self.book, held)
        else:
            assert current.up is not None
            worth = stud.value(self.book, held, Card(current.up))
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
    driver.must(Act(do="ante", box=1, player=PLAYER, amount=10_00))
    rules = book.progressive or book.bonus
    assert rules is not None
    driver.must(Act(do="side-bet", box=1, player=PLAYER, amount=rules.stake))
    out.print(f"  {player} stakes an ante of 10 and a side bet of {shown(rules.stake, decimals=book.decimals)}.")
    driver.close_bets(int(table.meter) if book.progressive is not None else None)
    driver.deal()
    driver.look(1)
    table.show_hand()
    current = driver.table.round
    assert current is not None
    discard = current.boxes[1].cards[2] if book.hands.discards else None
    driver.must(Act(do="decision", box=1, choice="bet", card=discard))
    out.print(f"  {player} bets {shown(10_00 * book.bet.antes, decimals=book.decimals)}.")
    driver.finish()
    table.show_result(driver.table.accounts.get(PLAYER, 0))
