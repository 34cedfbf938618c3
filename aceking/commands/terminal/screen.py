"""The screen of the terminal table: hands, values, results, pays and past rounds, on any width."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rich.console import Console
from rich.text import Text

from aceking.api.table import Table
from aceking.cards.card import CardId, card, cards, names
from aceking.commands.output.settlement import cards_text, console, hanging, money, paragraph, printable
from aceking.commands.terminal.lesson import lesson
from aceking.commands.terminal.past_rounds import RecordedRound
from aceking.commands.terminal.session import Coach, Judged, TerminalSession
from aceking.exact.choices import Forfeit
from aceking.exact.figures import Values
from aceking.rules.book import Book
from aceking.rules.decisions import ENDS_EARLY
from aceking.rules.odds import amount
from aceking.rules.value_text import value_text
from aceking.settlement.dealer_card import with_bought
from aceking.settlement.hands import bank_of
from aceking.table import event as ev
from aceking.table.show.offers import Offer
from aceking.table.show.phrases import rulings_in_words
from aceking.table.show.view import BoxView, LineView, OwnBox, clause_words

_BACK = " ▒▒"
_VALUES = 12  # more lines would push the hand off a screen of 24 lines
_PAYS = ("bet.pays", "exchange.pays", "instant.pays", "bonus.pays", "progressive.awards")


def _best_of_each(decisions: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the best choice of each kind, e.g. of exchanges of two cards; `decisions` has the best first."""
    kinds: dict[tuple[str, int], str] = {}
    for choice in decisions:
        kinds.setdefault((choice.split()[0], len(choice.split())), choice)
    return {choice: decisions[choice] for choice in kinds.values()}


def choice_text(choice: str) -> Text:
    """Return e.g. `exchange 4♦`, `bet, without K♦`."""
    word, _, held = choice.partition(" ")
    if not held or held.isdigit():
        return Text(choice)
    if held.startswith("discard "):
        return Text.assemble(f"{word}, without ", cards_text(held.removeprefix("discard ")))
    return Text.assemble(f"{word} ", cards_text(held))


def past_text(past: RecordedRound) -> Text:
    """Return hand and choice of each box of a round."""
    boxes = []
    for box in past.boxes:
        held = cards_text(box.cards) if box.cards else Text("no cards")
        if box.gave is not None:
            held = Text.assemble(held, " (gave ", cards_text(box.gave), ")")
        boxes.append(Text.assemble(held, f" {box.choice or 'out'}", "" if box.discard is None else " without "))
        if box.discard is not None:
            boxes[-1].append_text(cards_text(box.discard))
    bank = Text.assemble(" against ", cards_text(past.bank)) if past.bank else Text()
    return Text("; ").join(boxes).append_text(bank).append(", void" if past.void else "")


class Screen:
    """The terminal, for one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.out: Console = console()
        self.quoted: set[str] = set()  # clauses whose text was printed
        self.warned: set[str] = set()  # clauses of minor forfeits that were printed

    def chips(self, amount: int, *, sign: bool = False) -> str:
        return money(amount, decimals=self.book.decimals, sign=sign)

    def say(self, *parts: str | tuple[str, str] | Text, indent: int = 0) -> None:
        """Print a sentence; further lines are indented like the first."""
        paragraph(self.out, _text(*parts), indent=indent)

    def wrong(self, sentence: str, clause: str = "") -> None:
        """Print an error, with the clause if there is one."""
        self.say((sentence, "red"), (f"  {clause}" if clause else "", "dim"))

    def title(self) -> None:
        book = self.book
        self.say("\n", (book.title, "bold"), f", {book.house}", (f"  {book.version}", "dim"))

    def lesson(self) -> None:
        """Print how the game is played."""
        sentences = enumerate(lesson(self.book), start=1)
        self._listed((f"{number}", _text(says, (f"  {clause}", "dim"))) for number, (says, clause) in sentences)

    def help(self, words: Iterable[tuple[str, str]]) -> None:
        """Print the words that may be typed."""
        self._listed((key, Text(says)) for key, says in words)

    def labelled(self, label: str, *parts: str | tuple[str, str] | Text) -> None:
        """Print a text behind a label: `  Dealer    …`."""
        self._listed([(f"  {label:<9}", _text(*parts))], style="")

    def _listed(self, rows: Iterable[tuple[str, Text]], style: str = "bold") -> None:
        """Print texts behind numbers or names; further lines are indented to the text."""
        listed = list(rows)
        longest = max(len(name) for name, _ in listed)
        for name, text in listed:
            hanging(self.out, Text.assemble((name, style), " " * (longest + 1 - len(name))), text)

    def pays(self, sign: Mapping[str, str]) -> None:
        """Print the pay tables of the book, and the posted awards of the table."""
        tables: dict[str, dict[str, str]] = {}
        for key, rule in self.book.by_key.items():
            table, _, row = key.rpartition(".")
            if table in _PAYS:
                words = value_text(key, rule.value, decimals=self.book.decimals)
                tables.setdefault(table, {})[row] = words
        if sign:
            tables["progressive.awards"] = {**tables.get("progressive.awards", {}), **sign}
        for table in _PAYS:
            rows = ", ".join(f"{row.replace('_', ' ')} {words}" for row, words in tables.get(table, {}).items())
            if rows:
                self.say((f"{table.partition('.')[0]}: ", "bold"), rows, indent=2)

    def hand(self, table: Table, box: int, *, alone: bool) -> None:
        """Print the player's hand in cards and words, and the dealer's up-card."""
        seen = table.view()
        mine = next((one for one in seen.own.boxes if one.box == box), None)
        label = "You hold" if alone else f"Box {box}"
        if mine is None:
            self.labelled(label, _BACK.strip() + _BACK * (self.book.hands.cards - 1), "   not looked at")
        else:
            held = cards_text(" ".join(one for one in mine.cards if one is not None))
            gave = Text() if mine.gave is None else Text.assemble(", gave ", cards_text(mine.gave))
            self.labelled(label, held, f"   {mine.words}" if mine.words else "", gave)
        if seen.common.up is not None:
            hidden = _BACK * (len(seen.common.dealer) - 1)
            self.labelled("Dealer", cards_text(seen.common.up), hidden)

    def values(self, values: Values, ante: int, counted: str) -> None:
        """Print the value of each choice in antes and chips, the best first; `counted` says what the values include."""
        unit = 10**self.book.decimals
        shown = values.decisions if len(values.decisions) <= _VALUES else _best_of_each(values.decisions)
        wide = max(17, *(len(choice_text(choice).plain) for choice in shown))
        self.say((f"    {'worth, in':<{wide}}{'antes':>9}{self.book.currency:>9}", "dim"))
        for choice, worth in shown.items():
            mark = "→" if choice == values.best else " "
            name = choice_text(choice)
            name.append(" " * (wide - len(name.plain)))
            chips = float(worth * Fraction(ante, unit))
            self.out.print(
                Text.assemble(f"  {mark} ", name, f"{float(worth):>+9.4f}{chips:>+9.2f}"), no_wrap=True, crop=False
            )
        if left := len(values.decisions) - len(shown):
            self.say((f"the best of each kind; {left} others are worth no more", "dim"), indent=4)
        if counted:
            self.say((counted, "dim"), indent=4)

    def status(self, session: TerminalSession, chips: int, meter: str | None) -> None:
        """Print chips, meter, side bets and mistakes before the next round."""
        book = self.book
        parts = [f"chips {self.chips(chips)}"]
        if meter is not None:
            parts.append(f"jackpot {self.chips(amount(meter, decimals=book.decimals))}")
        if book.progressive is not None or (book.bonus is not None and book.bonus.offered):
            parts.append(f"side bet {'on' if session.side else 'off'}")
        on = {name: self.chips(stake) for name, stake in session.sides.items()}
        parts += [f"{name} {on.get(name, 'off')}" for name in book.sides]
        if session.boxes > 1:
            parts.append(f"{session.boxes} boxes")
        if session.mistakes:
            parts.append(f"mistakes {len(session.mistakes)}, cost {self.chips(session.cost)}")
        self.say("\n", (" · ".join(parts), "dim"))

    def before(self, offers: Iterable[Offer], lost: Mapping[str, Forfeit]) -> None:
        """Print what each choice gives up besides its price. A minor forfeit is printed once per session."""
        # An exchange is offered once for each number of cards.
        offered = dict.fromkeys(one.do for one in offers if one.do != "declare")
        by_forfeit: dict[Forfeit, list[str]] = {}
        for choice in offered:
            if choice in lost:
                by_forfeit.setdefault(lost[choice], []).append(choice)
        for forfeit, choices in by_forfeit.items():
            if not forfeit.grave and forfeit.clause in self.warned:
                continue
            self.warned.add(forfeit.clause)
            what = f"{forfeit.what} ({self.chips(forfeit.amount)})"
            self.say((f"If you {' or '.join(choices)}: ", "yellow"), what, (f"  {forfeit.clause}", "dim"), indent=2)

    def coach(self, mode: Coach) -> None:
        """Print what the coach says in this mode."""
        says = {
            "values": "The coach shows what each choice is worth, and what a mistake costs.",
            "mistakes": "The coach says what a mistake costs, once it is made.",
            "off": "The coach is silent.",
        }
        self.say(says[mode])

    def ruling(self, events: Sequence[ev.TableEvent]) -> None:
        """Print the ruling on a hand that the player leaves, with its clause or the posted rule of the house."""
        for event in events:
            if isinstance(event, ev.Ruled) and not event.then.startswith("ask-"):
                self.say(_sentence(rulings_in_words(event.then)), (f"  {event.clause}", "dim"), indent=2)
            elif isinstance(event, ev.Asked):
                silent = "The book has no rule for it: that is for" if event.unregulated else "The book leaves that to"
                self.say(f"{silent} the {event.of.removeprefix('the ')}.", (f"  {event.clause}", "dim"), indent=2)
            elif isinstance(event, ev.Answered):
                answer = rulings_in_words(event.then)
                self.say(f"Nobody of the pit is here; the posted rule of the house: {answer}.", indent=2)
            elif isinstance(event, ev.Discarded):
                self.say(cards_text(names((CardId(event.card),))), " is laid aside.", indent=2)

    def rounds(self, past: Iterable[RecordedRound]) -> None:
        """Print one line per round."""
        for one in past:
            self.say(f"round {one.number}: ", past_text(one), f", {self.chips(one.net, sign=True)}", indent=2)

    def farewell(self, session: TerminalSession, chips: int, name: str | None) -> None:
        """Print the result of the session, and how to resume it."""
        net = self.chips(chips - session.brought, sign=True)
        self.say("You leave with ", (f"{self.chips(chips)} {self.book.currency}", "bold"), f" ({net}).")
        if session.decisions:
            count, total = len(session.mistakes), self.chips(session.cost)
            cost = f"{count} mistake{'s' * (count != 1)} that cost {total}" if count else "no mistake"
            self.say(f"The coach judged {session.decisions} decision{'s' * (session.decisions != 1)}: {cost}.")
        if name is not None:
            self.say((f"Resume it:        aceking play --again {name}", "dim"))
            self.say((f"See it again:     aceking replay {name}", "dim"))

    def forfeit(self, lost: Forfeit) -> None:
        """Print what a choice would give up."""
        self.say(("That gives up ", "yellow"), self.chips(lost.amount), f": {lost.what}", (f"  {lost.clause}", "dim"))

    def mistake(self, mistake: Judged, session: TerminalSession) -> None:
        """Print the cost of a mistake, and of all mistakes together."""
        total = ""
        if len(session.mistakes) > 1:
            total = f" Your {len(session.mistakes)} mistakes cost {self.chips(session.cost)} so far."
        self.judged(mistake, total)

    def judged(self, mistake: Judged, more: str = "") -> None:
        """Print a mistake, its cost, and the best choice."""
        antes = float(Fraction(mistake.antes))
        chose, best = choice_text(mistake.chose), choice_text(mistake.best)
        cost = f" cost {self.chips(mistake.chips)} ({antes:.4f} antes). Better: "
        self.say(("A mistake: ", "yellow"), chose, cost, best, f".{more}", indent=2)

    def result(self, table: Table, boxes: Sequence[int]) -> None:
        """Print the dealer's or community cards, and every wager with its outcome and clause."""
        common = table.view().common
        self.bank(table)
        own = {one.box: one for one in table.view().own.boxes}
        for box in common.boxes:
            if box.box in boxes:
                self._box(box, own.get(box.box), alone=len(boxes) == 1)

    def bank(self, table: Table) -> None:
        """Print the dealer's or community cards once they are face up, and a card bought for the dealer."""
        common = table.view().common
        label = "Dealer" if self.book.dealer is not None else "Community"
        faces = " ".join(one for one in (common.dealer or common.community) if one is not None)
        if faces and all(one is not None for one in common.dealer or common.community):
            plays = {True: ", qualifies", False: ", does not qualify", None: ""}[common.dealer_qualifies]
            self.labelled(label, cards_text(faces), f"   {common.dealer_words}{plays}" if common.dealer_words else "")
        if common.bought is not None:
            held = with_bought(self.book, cards(faces), card(common.bought))
            hand = bank_of(self.book, held).shown
            plays = "qualifies" if hand.qualifies else "does not qualify"
            self.labelled("Bought", cards_text(names(held)), f"   {hand.words}, {plays}")

    def _box(self, box: BoxView, mine: OwnBox | None, *, alone: bool) -> None:
        words = mine.words if mine is not None and box.choice not in ENDS_EARLY else None
        if not alone:
            self.labelled(f"Box {box.box}", f"{box.choice}" + (f", {words}" if words else ""))
        elif self.book.dealer is None and words:
            self.labelled("You have", words)
        for line in box.lines:
            self._line(line)

    def _line(self, line: LineView) -> None:
        """Print a wager with its outcome and clause, and the text of the clause the first time."""
        paid = f" {line.pays}" if line.pays != "0" else ""
        wager = line.wager if line.envy_of is None else f"{line.wager}, envy of box {line.envy_of}"
        self.say(f"{wager:<8}{line.stake:>6}  {line.outcome + paid:<12} ", (line.clause, "dim"), indent=2)
        if line.clause not in self.quoted:
            self.quoted.add(line.clause)
            words = clause_words(self.book, [line.clause]).get(line.clause, "")
            if words:
                self.say((words, "dim"), indent=8)

    def net(self, net: int) -> None:
        """Print the net result of the round."""
        style = "green" if net > 0 else "red" if net < 0 else "yellow"
        self.say("  ", (self.chips(net, sign=True), f"bold {style}"))

    def sentences(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line, indent=2)


def _text(*parts: str | tuple[str, str] | Text) -> Text:
    """Return the parts as one text, without control characters from a book or a player."""
    plain = [Text(printable(one[0]), one[1]) if isinstance(one, tuple) else one for one in parts]
    return Text.assemble(*(printable(one) if isinstance(one, str) else one for one in plain))


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
