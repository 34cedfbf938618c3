"""What the terminal table shows: hands, values, results, pays and past rounds, on any width."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rich.console import Console
from rich.text import Text

from aceking.api.table import Table
from aceking.cards.card import Card, card, cards, names
from aceking.commands.output.settlement import cards_text, console, hanging, money, paragraph, printable
from aceking.commands.terminal.lesson import lesson
from aceking.commands.terminal.past_rounds import Past
from aceking.commands.terminal.session import Coach, Judged, Session
from aceking.exact.choices import Forfeit
from aceking.exact.figures import Values
from aceking.rules.book import Book
from aceking.rules.odds import amount
from aceking.rules.value_text import value_text
from aceking.settlement.dealer_card import with_bought
from aceking.settlement.hands import bank_of
from aceking.table import event as ev
from aceking.table.show.offers import Offer
from aceking.table.show.phrases import rulings_in_words
from aceking.table.show.view import BoxView, LineView, OwnBox, clause_words

_BACK = " ▒▒"
_VALUES = 12  # more of them would push the hand off a screen of 24 lines
_PAYS = ("bet.pays", "exchange.pays", "instant.pays", "bonus.pays", "progressive.awards")


def _best_of_each(decisions: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Of every kind of choice, such as an exchange of two cards, the first; the best stand first."""
    kinds: dict[tuple[str, int], str] = {}
    for choice in decisions:
        kinds.setdefault((choice.split()[0], len(choice.split())), choice)
    return {choice: decisions[choice] for choice in kinds.values()}


def choice_text(choice: str) -> Text:
    """`exchange 4♦`, `bet, without K♦`."""
    word, _, held = choice.partition(" ")
    if not held or held.isdigit():
        return Text(choice)
    if held.startswith("discard "):
        return Text.assemble(f"{word}, without ", cards_text(held.removeprefix("discard ")))
    return Text.assemble(f"{word} ", cards_text(held))


def past_text(past: Past) -> Text:
    """What was held and done in a round, box by box."""
    told = []
    for box in past.boxes:
        held = cards_text(box.cards) if box.cards else Text("no cards")
        if box.gave is not None:
            held = Text.assemble(held, " (gave ", cards_text(box.gave), ")")
        told.append(Text.assemble(held, f" {box.choice or 'out'}", "" if box.discard is None else " without "))
        if box.discard is not None:
            told[-1].append_text(cards_text(box.discard))
    bank = Text.assemble(" against ", cards_text(past.bank)) if past.bank else Text()
    return Text("; ").join(told).append_text(bank).append(", void" if past.void else "")


class Screen:
    """The terminal, for one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.out: Console = console()
        self.quoted: set[str] = set()  # clauses whose words have been told
        self.warned: set[str] = set()  # and those by which something small is given up

    def chips(self, amount: int, *, sign: bool = False) -> str:
        """An amount for people."""
        return money(amount, decimals=self.book.decimals, sign=sign)

    def say(self, *parts: str | tuple[str, str] | Text, indent: int = 0) -> None:
        """A sentence that wraps under its own beginning."""
        paragraph(self.out, _text(*parts), indent=indent)

    def wrong(self, sentence: str, clause: str = "") -> None:
        """What cannot be done, and by which clause."""
        self.say((sentence, "red"), (f"  {clause}" if clause else "", "dim"))

    def title(self) -> None:
        """Which game it is."""
        book = self.book
        self.say("\n", (book.title, "bold"), f", {book.house}", (f"  {book.version}", "dim"))

    def lesson(self) -> None:
        """How the game is played."""
        told = enumerate(lesson(self.book), start=1)
        self._listed((f"{number}", _text(says, (f"  {clause}", "dim"))) for number, (says, clause) in told)

    def help(self, words: Iterable[tuple[str, str]]) -> None:
        """What may be typed."""
        self._listed((key, Text(says)) for key, says in words)

    def labelled(self, label: str, *parts: str | tuple[str, str] | Text) -> None:
        """A text behind its label: `  Dealer    …`."""
        self._listed([(f"  {label:<9}", _text(*parts))], style="")

    def _listed(self, rows: Iterable[tuple[str, Text]], style: str = "bold") -> None:
        """Texts behind their numbers or names, which wrap under their own beginning."""
        listed = list(rows)
        longest = max(len(name) for name, _ in listed)
        for name, text in listed:
            hanging(self.out, Text.assemble((name, style), " " * (longest + 1 - len(name))), text)

    def pays(self, sign: Mapping[str, str]) -> None:
        """The pay tables of the book, and the awards that the sign of the table has."""
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
        """The player's cards with the words for them, and the dealer's up-card."""
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
        """What each choice is worth, in antes and chips, the best first; and what is counted in them."""
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

    def status(self, session: Session, chips: int, meter: str | None) -> None:
        """What stands before the next round."""
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
        """What a choice would give up besides its price, before it is made; what is always so is told once."""
        # An exchange is offered once for each number of cards.
        offered = dict.fromkeys(one.do for one in offers if one.do != "declare")
        told: dict[Forfeit, list[str]] = {}
        for choice in offered:
            if choice in lost:
                told.setdefault(lost[choice], []).append(choice)
        for one, several in told.items():
            if not one.grave and one.clause in self.warned:
                continue
            self.warned.add(one.clause)
            what = f"{one.what} ({self.chips(one.amount)})"
            self.say((f"If you {' or '.join(several)}: ", "yellow"), what, (f"  {one.clause}", "dim"), indent=2)

    def coach(self, mode: Coach) -> None:
        """What the coach says from now on."""
        says = {
            "values": "The coach shows what each choice is worth, and what a mistake costs.",
            "mistakes": "The coach says what a mistake costs, once it is made.",
            "off": "The coach is silent.",
        }
        self.say(says[mode])

    def ruling(self, events: Sequence[ev.Event]) -> None:
        """What becomes of a hand that is left: by which clause, or by the posted rule of the house."""
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
                self.say(cards_text(names((Card(event.card),))), " is laid aside.", indent=2)

    def rounds(self, past: Iterable[Past]) -> None:
        """Rounds in a line each."""
        for one in past:
            self.say(f"round {one.number}: ", past_text(one), f", {self.chips(one.net, sign=True)}", indent=2)

    def farewell(self, session: Session, chips: int, name: str | None) -> None:
        """What the session came to, and how it is taken up again."""
        net = self.chips(chips - session.brought, sign=True)
        self.say("You leave with ", (f"{self.chips(chips)} {self.book.currency}", "bold"), f" ({net}).")
        if session.decisions:
            many = len(session.mistakes)
            told = f"{many} mistake{'s' * (many != 1)} that cost {self.chips(session.cost)}" if many else "no mistake"
            self.say(f"The coach judged {session.decisions} decision{'s' * (session.decisions != 1)}: {told}.")
        if name is not None:
            self.say((f"Take it up again: aceking play --again {name}", "dim"))
            self.say((f"See it again:     aceking replay {name}", "dim"))

    def forfeit(self, one: Forfeit) -> None:
        """What a choice would give up."""
        self.say(("That gives up ", "yellow"), self.chips(one.amount), f": {one.what}", (f"  {one.clause}", "dim"))

    def mistake(self, one: Judged, session: Session) -> None:
        """What a decision cost, and all of them together."""
        total = ""
        if len(session.mistakes) > 1:
            total = f" Your {len(session.mistakes)} mistakes cost {self.chips(session.cost)} so far."
        self.judged(one, total)

    def judged(self, one: Judged, more: str = "") -> None:
        """One mistake: what it cost, and what would have been better."""
        antes = float(Fraction(one.antes))
        chose, best = choice_text(one.chose), choice_text(one.best)
        cost = f" cost {self.chips(one.chips)} ({antes:.4f} antes). Better: "
        self.say(("A mistake: ", "yellow"), chose, cost, best, f".{more}", indent=2)

    def result(self, table: Table, boxes: Sequence[int]) -> None:
        """The cards of the bank, and every line of money with its reason."""
        common = table.view().common
        self.bank(table)
        own = {one.box: one for one in table.view().own.boxes}
        for box in common.boxes:
            if box.box in boxes:
                self._box(box, own.get(box.box), alone=len(boxes) == 1)

    def bank(self, table: Table) -> None:
        """The dealer's cards or the community's, once they show, and a card that was bought for the dealer."""
        common = table.view().common
        label = "Dealer" if self.book.dealer is not None else "Community"
        faces = " ".join(one for one in (common.dealer or common.community) if one is not None)
        if faces and all(one is not None for one in common.dealer or common.community):
            plays = {True: ", qualifies", False: ", does not qualify", None: ""}[common.dealer_qualifies]
            self.labelled(label, cards_text(faces), f"   {common.dealer_words}{plays}" if common.dealer_words else "")
        if common.bought is not None:
            held = with_bought(self.book, cards(faces), card(common.bought))
            hand = bank_of(self.book, held).shown
            told = "qualifies" if hand.qualifies else "does not qualify"
            self.labelled("Bought", cards_text(names(held)), f"   {hand.words}, {told}")

    def _box(self, box: BoxView, mine: OwnBox | None, *, alone: bool) -> None:
        words = mine.words if mine is not None and box.choice not in ("fold", "declare") else None
        if not alone:
            self.labelled(f"Box {box.box}", f"{box.choice}" + (f", {words}" if words else ""))
        elif self.book.dealer is None and words:
            self.labelled("You have", words)
        for line in box.lines:
            self._line(line)

    def _line(self, line: LineView) -> None:
        """One line of money: what became of a wager, and the clause that says so; its words when it is new."""
        paid = f" {line.pays}" if line.pays != "0" else ""
        wager = line.wager if line.envy_of is None else f"{line.wager}, envy of box {line.envy_of}"
        self.say(f"{wager:<8}{line.stake:>6}  {line.outcome + paid:<12} ", (line.clause, "dim"), indent=2)
        if line.clause not in self.quoted:
            self.quoted.add(line.clause)
            words = clause_words(self.book, [line.clause]).get(line.clause, "")
            if words:
                self.say((words, "dim"), indent=8)

    def net(self, net: int) -> None:
        """What the round came to."""
        style = "green" if net > 0 else "red" if net < 0 else "yellow"
        self.say("  ", (self.chips(net, sign=True), f"bold {style}"))

    def sentences(self, lines: Iterable[str]) -> None:
        """A round in sentences."""
        for line in lines:
            self.say(line, indent=2)


def _text(*parts: str | tuple[str, str] | Text) -> Text:
    """The parts in one; control signs in the words of a book, or of a player, do nothing."""
    plain = [Text(printable(one[0]), one[1]) if isinstance(one, tuple) else one for one in parts]
    return Text.assemble(*(printable(one) if isinstance(one, str) else one for one in plain))


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
