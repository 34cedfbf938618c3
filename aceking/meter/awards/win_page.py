"""The win page of an award, for the file and for the player."""

from datetime import datetime
from fractions import Fraction
from html import escape

from aceking.cards.hand import CATEGORY_BY_KEY
from aceking.meter.governing_rules import Books, awards_of
from aceking.meter.reports import exact, since_total
from aceking.meter.state import MUST_HIT_BY, MeterAward, MeterState
from aceking.money.chips import shown
from aceking.rules.odds import Share
from aceking.rules.refusal import Refusal

_SUITS = {"c": ("♣", "black"), "d": ("♦", "red"), "h": ("♥", "red"), "s": ("♠", "black")}
_STYLE = """
@page { size: A4; margin: 18mm }
* { box-sizing: border-box }
body { font: 15px/1.45 Georgia, 'Times New Roman', serif; color: #1a1a1a; max-width: 720px; margin: 24px auto;
  padding: 0 16px }
h1 { font-size: 26px; margin: 0 }
h2 { font-size: 15px; margin: 26px 0 6px; border-bottom: 1px solid #999; padding-bottom: 3px }
.head { display: flex; justify-content: space-between; align-items: baseline; border-bottom: 3px double #1a1a1a;
  padding-bottom: 8px }
.amount { font-size: 40px; font-weight: bold; margin: 18px 0 2px; font-variant-numeric: tabular-nums }
.cards { display: flex; gap: 8px; margin: 14px 0 0; padding: 0; list-style: none }
.cards li { width: 58px; height: 80px; border: 1px solid #555; border-radius: 6px; font: bold 24px/1.1 Georgia, serif;
  text-align: center; padding-top: 12px; background: #fff; -webkit-print-color-adjust: exact }
.red { color: #b00020 }
table { border-collapse: collapse; width: 100% }
td { overflow-wrap: anywhere }
th, td { text-align: left; padding: 3px 0; vertical-align: top }
th { font-weight: normal; color: #444; width: 44% }
td.money { text-align: right; font-variant-numeric: tabular-nums }
tr.sum th, tr.sum td { border-top: 1px solid #1a1a1a; font-weight: bold; color: #1a1a1a }
.void { border: 3px solid #b00020; color: #b00020; padding: 6px 10px; font-weight: bold; margin-top: 14px }
.lines { display: flex; gap: 28px; margin-top: 44px }
.lines div { flex: 1; border-top: 1px solid #1a1a1a; padding-top: 3px; font-size: 12px; color: #444 }
footer { margin-top: 30px; font-size: 12px; color: #444 }
"""


def win_page(books: Books, state: MeterState, award: MeterAward) -> str:
    """Return the page as one self-contained HTML document."""
    book = books.get(award.book)  # None: the book has left the meter
    others = (one.decimals for one in books.values())  # all books of a meter have the same
    money = _Money(state, next(others, 2) if book is None else book.decimals)
    under = award.book if book is None else f"{book.title}, {book.version}"
    title = award.hand.replace("_", " ")
    void = '<p class="void">Undone by a manual adjustment. Not payable.</p>' if award.step == "undone" else ""
    paid = "not paid yet" if award.paid_at is None else f"paid {_moment(award.paid_at)} by {escape(award.payer or '')}"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Win page {escape(award.id)}</title><style>{_STYLE}</style></head><body>
<div class="head"><h1>Progressive win page</h1><span>No. {escape(award.id)}</span></div>
{void}<p class="amount">{money.coins(award.amount)}</p>
<p>Table {escape(award.table)}, seat {award.seat}, round {award.game}: <strong>{escape(title)}</strong>, {paid}.</p>
<ul class="cards" aria-label="{escape(award.cards)}">{"".join(_card(one) for one in award.cards.split())}</ul>
<h2>Payment</h2><table>{_payment(award, money)}</table>
<h2>How the amount came about</h2><table>{_history(books, state, award, money)}</table>
<h2>Persons and times</h2><table>{_persons(award)}</table>
<div class="lines"><div>Player</div><div>Signature for the house</div><div>Cage</div></div>
<footer>{escape(under)}. Decided by {escape(award.clause)}.</footer>
</body></html>
"""


class _Money:
    """Amounts as the page writes them."""

    def __init__(self, state: MeterState, decimals: int) -> None:
        self._scale, self._decimals = state.scale, decimals
        self._currency = "" if state.config is None else state.config.currency

    def coins(self, amount: int) -> str:
        """Return minor units with the currency and thousands separators."""
        return self._grouped(shown(amount, decimals=self._decimals))

    def parts(self, parts: int) -> str:
        """Return parts of a minor unit, exactly."""
        return self._grouped(exact(parts, scale=self._scale, decimals=self._decimals))

    def _grouped(self, text: str) -> str:
        whole, _, rest = text.removeprefix("-").partition(".")
        sign = "-" if text.startswith("-") else ""
        dot = "." if self._decimals else ""
        return f"{escape(self._currency)} {sign}{int(whole):,}{dot}{rest.ljust(self._decimals, '0')}"


def _card(name: str) -> str:
    sign, colour = _SUITS[name[1]]
    rank = "10" if name[0] == "T" else name[0]
    return f'<li class="{colour}">{rank}<br>{sign}</li>'


def _row(name: str, value: str, *, money: bool = True, total: bool = False) -> str:
    row = ' class="sum"' if total else ""
    cell = ' class="money"' if money else ""
    return f"<tr{row}><th>{escape(name)}</th><td{cell}>{value}</td></tr>"


def _payment(award: MeterAward, money: _Money) -> str:
    rows = [_row("off the meter", money.coins(award.from_meter)), _row("from the tray", money.coins(award.from_tray))]
    return "".join([*rows, _row("due to the player", money.coins(award.amount), total=True)])


def _history(books: Books, state: MeterState, award: MeterAward, money: _Money) -> str:
    """The history of the value: what the meter started from, what fed it, what left it."""
    came = award.came
    since = "" if came.at is None else f", {_moment(came.at)}"
    total = since_total(came)
    rows = [_row(f"meter when last set or reset{since}", money.parts(came.start))]
    rows.append(_row("contributions since then", money.parts(came.fed)))
    if came.adjusted:
        rows.append(_row("adjustments and overflow", money.parts(came.adjusted)))
    if came.taken:
        rows.append(_row("other awards since then", money.parts(-came.taken)))
    rows.append(_row("value of the meter", money.parts(total), total=True))
    rows.append(_row("as displayed, in whole coins", money.coins(total // state.scale)))
    if award.at_value is not None:
        rows.append(_row("paid by the last value before a fault", money.coins(award.at_value)))
    if award.hand == MUST_HIT_BY:
        rows += _trigger(state, award, money)
    else:
        rows.append(_row("award for this hand", escape(_share(books, state, award, total // state.scale))))
    if award.seed_house or award.seed_reserve:
        rows.append(_row("meter refilled by the house", money.coins(award.seed_house)))
        rows.append(_row("meter refilled from the reserve", money.coins(award.seed_reserve)))
    return "".join(rows)


def _trigger(state: MeterState, award: MeterAward, money: _Money) -> list[str]:
    """All that is needed to compute the trigger again."""
    known = next(one for one in state.shown if one.award == award.id)
    low, high = money.coins(known.drawn.low), money.coins(known.drawn.high)
    return [
        _row("trigger that this wager reached", money.coins(known.trigger)),
        _row("drawn from, up to the limit", f"{low} to {high}"),
        _row("drawn", _moment(known.drawn.at), money=False),
        _row("commitment", escape(known.drawn.commitment), money=False),
        _row("seed", escape(known.seed), money=False),
    ]


def _share(books: Books, state: MeterState, award: MeterAward, value: int) -> str:
    """Return `100% of the meter, shared by 2`."""
    assert state.config is not None
    book = books.get(award.book)
    awards = Refusal("", "") if book is None else awards_of(book, state.config)
    if isinstance(awards, Refusal):
        return ""
    prize = awards.get(CATEGORY_BY_KEY[award.hand])
    if not isinstance(prize, Share):
        return "a fixed amount"
    whole = prize.of_meter * (value if award.at_value is None else award.at_value)
    sharing = round(Fraction(whole, award.amount)) if award.amount else 1
    return f"{prize} of the meter" + (f", shared by {sharing}" if sharing > 1 else "")


def _persons(award: MeterAward) -> str:
    rows = [_row("full hand dealt", _moment(award.dealt), money=False)] if award.dealt else []
    rows.append(_row("selected by the dealer", _who(award.dealer, award.recognised), money=False))
    rows.append(_row("verified: win, light, cards", _who(award.verifier, award.verified_at), money=False))
    role = f" ({award.signer_role})" if award.signer_role else ""
    rows.append(_row(f"signed{role}", _who(award.signer, award.signed_at), money=False))
    if award.printed_at:
        rows.append(_row("page printed", _moment(award.printed_at), money=False))
    rows.append(_row("paid", _who(award.payer, award.paid_at), money=False))
    return "".join(rows)


def _who(name: str | None, at: datetime | None) -> str:
    return "-" if name is None or at is None else f"{escape(name)}, {_moment(at)}"


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} {at.tzname() or ''}".rstrip()
