"""A dealer's hands on the console, and the colleagues who do what is not the dealer's."""

from dataclasses import dataclass, field

from playwright.sync_api import Page, expect

from aceking.cards.card import CardId, name
from tests.web.running import CARDS, LiveTable
from tests.web.served import Served

#: What changes with every act: the next thing to do, and what was done.
_SHOWN = "['.next h2', '.steps'].map((one) => document.querySelector(one)?.innerText).join()"


@dataclass
class Dealer:
    """The console in a browser; who else is wanted acts over the API."""

    page: Page
    served: Served
    table: str
    others: tuple[str, ...] = ("fay", "eve")
    cards: list[int] = field(default_factory=lambda: [*CARDS])
    did: list[str] = field(default_factory=list)
    counts: str = "0"  # what the dealer counts

    @property
    def due(self) -> str:
        """What the console says is next, once it knows of everything that it shows."""
        expect(self.page.locator('.console main[aria-busy="false"]')).to_be_visible()
        form = self.page.locator("[data-due], .idle").first
        expect(form).to_be_visible()
        return form.get_attribute("data-due") or ""

    def until(self, act: str) -> None:
        """Does what is due by the keys alone, until this is due."""
        for _ in range(120):
            if (due := self.due) == act:
                return
            assert due, f"nothing is due, and {act} was wanted after {self.did}"
            self.once()
        raise AssertionError(f"{act} never came: {self.did}")

    def once(self) -> None:
        """Do the one act that is due, as the person who must do it; the console goes on to the next."""
        self.did.append(self.due)
        before = self._mark()
        if self.page.locator(".due-act .tag").count():
            with self.served.person(self.others[0]) as first, self.served.person(self.others[1]) as second:
                LiveTable(self.table, [first, second]).step()
        else:
            self._enter()
        self.page.wait_for_function(f"(before) => {_SHOWN} !== before", arg=before)

    def _mark(self) -> str:
        """What the console shows, so that a change is seen."""
        return str(self.page.evaluate(f"() => {_SHOWN}"))

    def _enter(self) -> None:
        wanted = self.page.locator(".due-act .entered .place")
        entered = self.page.locator(".due-act .entered img")
        while wanted.count():
            before = entered.count()
            for key in list(name(CardId(self.cards.pop(0)))):
                self.page.keyboard.press(key)
            expect(entered).to_have_count(before + 1)
        asked = self.page.locator(".due-act input").all()
        for one in asked:
            one.fill({"meter": "50000"}.get(one.get_attribute("name") or "", self.counts))
        if asked:
            asked[-1].press("Enter")
        else:
            self.page.keyboard.press("Enter")

    def seat(self, player: str, box: int, *, cash: int = 500) -> None:
        """A player sits down at a box and buys in with cash."""
        self.page.locator(f'[data-box="{box}"]').click()
        self.page.get_by_label("Name of the player").fill(player)
        self.page.get_by_role("button", name="Sit").click()
        self.page.get_by_label("Cash for chips").fill(str(cash))
        self.page.get_by_role("button", name="Take cash").click()
        expect(self.page.locator(".entries h2")).to_contain_text(f"{cash}.00")

    def begin(self, player: str, box: int) -> None:
        """Seat a player, open the bets and place the ante of the player."""
        self.seat(player, box)
        self.page.keyboard.press("Escape")
        self.until("bets-opened")
        self.once()
        self.page.locator(f'[data-box="{box}"]').click()
        self.ante(box)

    def enter(self, do: str, box: int) -> None:
        """Enter what a player does."""
        if self.page.locator(f'[data-box="{box}"][aria-pressed="true"]').count() == 0:
            self.page.locator(f'[data-box="{box}"]').click()
        self.page.locator(f'.entries [data-act^="entry/{do}/"]').click()

    def ante(self, box: int, amount: int = 10) -> None:
        """Enter a player's ante."""
        self.page.locator('[data-stake="ante"]').fill(str(amount))
        self.page.locator('[data-stake="ante"]').press("Enter")
        expect(self.page.locator(f'[data-box="{box}"] .row2').first).to_contain_text(str(amount))
        self.page.keyboard.press("Escape")
