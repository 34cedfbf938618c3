"""The text formats, tables and style of a sheet's page."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

_MINUS = "\N{MINUS SIGN}"

STYLE = """
* { box-sizing: border-box; }
body { font: 10pt/1.38 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; color: #000; background: #fff;
  max-width: 182mm; margin: 8mm auto; padding: 0 4mm; hyphens: manual; }
h1 { font-size: 19pt; line-height: 1.15; margin: 0 0 1mm; }
h2 { font-size: 13pt; margin: 7mm 0 2mm; padding-top: 1.5mm; border-top: 1.2pt solid #000; break-after: avoid; }
h3 { font-size: 10.5pt; margin: 4mm 0 1mm; break-after: avoid; }
p { margin: 0 0 2mm; orphans: 3; widows: 3; }
h2 + p, h3 + p { break-after: avoid; }
table { border-collapse: collapse; width: 100%; margin: 1.5mm 0 3mm; font-size: 9pt; }
table.whole { break-inside: avoid; }
th { text-align: left; border-bottom: 0.8pt solid #000; font-weight: 600; padding: 0.6mm 2.5mm 0.6mm 0;
  vertical-align: bottom; }
td { border-bottom: 0.3pt solid #bbb; padding: 0.5mm 2.5mm 0.5mm 0; vertical-align: top; overflow-wrap: normal; }
.exact { overflow-wrap: anywhere; font-size: 8pt; }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.k { white-space: nowrap; }
tr { break-inside: avoid; }
tbody tr:nth-child(-n+3):not(:last-child) { break-after: avoid; }
tbody tr:nth-last-child(-n+3):not(:first-child) { break-before: avoid; }
thead { display: table-header-group; }
figure { margin: 2mm 0 3mm; break-inside: avoid; }
figure svg { max-width: 100%; height: auto; display: block; }
figcaption, .small { font-size: 8.5pt; color: #222; }
.lead { display: flex; gap: 6mm; margin: 4mm 0; }
.lead div { border: 0.8pt solid #000; padding: 2mm 3mm; flex: 1; }
.lead b { display: block; font-size: 15pt; }
table.small { font-size: 8pt; line-height: 1.25; }
table.narrow { width: auto; min-width: 55%; }
table.narrow th, table.narrow td { padding-right: 6mm; }
.grid { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 2mm 3mm; }
.grid figure { margin: 0; }
.warn { border: 1.4pt solid #000; padding: 2mm 3mm; margin: 3mm 0; }
.warn ul { margin: 1mm 0 0; padding-left: 5mm; }
code { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 8.4pt; overflow-wrap: anywhere; }
code span { display: inline-block; max-width: 100%; }
.columns { columns: 3; column-gap: 5mm; break-inside: avoid; }
.columns p { margin: 0; font-size: 7.6pt; line-height: 1.2; padding: 0.2mm 0 0.2mm 3mm; text-indent: -3mm;
  break-inside: avoid; orphans: 1; widows: 1; }
.columns small { white-space: nowrap; color: #222; }
@media print { body { margin: 0; padding: 0 0.4mm; max-width: none; } }
"""


def page_style(title: str, below: str, *, paper: str = "") -> str:
    """Return the style with running title and page numbers; the paper is the printer's own unless it is named."""
    small = 'font: 8pt "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; color: #000;'
    size = f"size: {paper};" if paper else ""
    boxes = {
        "top-left": f"content: {_css(title)}; {small} width: 100%; text-align: left; vertical-align: bottom; "
        "padding-bottom: 3mm;",
        "bottom-left": f"content: {_css(below)}; {small} width: 75%; text-align: left; vertical-align: top; "
        "padding-top: 3mm;",
        "bottom-right": f'content: "page " counter(page) " of " counter(pages); {small} width: 25%; '
        "text-align: right; vertical-align: top; padding-top: 3mm;",
    }
    inside = " ".join(f"@{place} {{ {style} }}" for place, style in boxes.items())
    return f"@page {{ {size} margin: 19mm 16mm 17mm; {inside} }}\n{STYLE}"


def _css(text: str) -> str:
    """Return a text as a CSS string in which no character can end the string or the style."""
    plain = " ,.:;()%/'+=-_$"
    return '"' + "".join(sign if sign.isalnum() or sign in plain else f"\\{ord(sign):x} " for sign in text) + '"'


def with_sign(text: str) -> str:
    """Return a figure with a typographic minus sign."""
    return text.replace("-", _MINUS)


def percent(figure: float | Fraction, places: int = 4) -> str:
    """Return a percentage: `5.2243 %`."""
    return with_sign(f"{100 * float(figure):.{places}f} %")


def decimal(text: str, places: int = 6) -> str:
    """Return an exact figure, rounded for display: `+0.123457`."""
    return with_sign(f"{float(Fraction(text)):+.{places}f}")


def antes(text: str) -> str:
    """Return a net result: `+201`."""
    net = Fraction(text)
    shown = f"{net.numerator:+,}" if net.denominator == 1 else f"{float(net):+,.4f}"
    return "0" if net == 0 else with_sign(shown)


def money(text: str, *, decimals: int) -> str:
    """Return an amount with its coins: `218,047.37`."""
    whole, coins = divmod(abs(round(Fraction(text) * 10**decimals)), 10**decimals)
    digits = f"{whole:,}" + (f".{coins:0{decimals}d}" if decimals else "")
    return with_sign(f"-{digits}" if Fraction(text) < 0 else digits)


def paragraph(*sentences: str, css: str = "") -> str:
    """Return one paragraph of sentences that are already HTML."""
    return f"<p{f' class={css!r}' if css else ''}>{' '.join(sentences)}</p>"


def command(line: str) -> str:
    """Return a command line that breaks between its words, not at their hyphens."""
    words = " ".join(f"<span>{escape(word)}</span>" for word in _words(line))
    return f"<code>{words}</code>"


def _words(line: str) -> list[str]:
    """Return the words of a line as they are written, with their quotes."""
    return re.findall(r"(?:'[^']*'|[^\s'])+", line)


#: A table of at most this many rows is kept on one page; a longer one has at least three rows on each.
_WHOLE = 10


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = (), css: str = "") -> str:
    """Return a table; columns of numbers are aligned right. Cells are escaped.

    A clause never breaks at its hyphens; an exact figure may break anywhere, because it has no blank.
    """
    kinds = [_kind(name, number=place in numbers) for place, name in enumerate(columns)]
    head = "".join(f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, columns, strict=True))
    lines = [
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    ]
    css = " ".join(filter(None, (css, "whole" if len(lines) <= _WHOLE else "")))
    kind = f' class="{css}"' if css else ""
    return f"<table{kind}><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _kind(name: str, *, number: bool) -> str:
    if number:
        return ' class="n"'
    return {"clause": ' class="k"', "option": ' class="k"', "exactly": ' class="exact"'}.get(name, "")


def figure(drawn: str, caption: str = "") -> str:
    below = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f"<figure>{drawn}{below}</figure>"
