"""The words and tables of a sheet's page."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

_MINUS = "\N{MINUS SIGN}"

STYLE = """
@page { size: A4; margin: 16mm 15mm 18mm; }
* { box-sizing: border-box; }
body { font: 10pt/1.4 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; color: #000; background: #fff;
  max-width: 180mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 19pt; line-height: 1.15; margin: 0 0 1mm; }
h2 { font-size: 13pt; margin: 9mm 0 2mm; padding-top: 1.5mm; border-top: 1.2pt solid #000; break-after: avoid; }
h3 { font-size: 10.5pt; margin: 5mm 0 1mm; break-after: avoid; }
p { margin: 0 0 2mm; }
h2 + p { break-after: avoid; }
table { border-collapse: collapse; width: 100%; margin: 1.5mm 0 3mm; font-size: 9pt; break-inside: avoid; }
th { text-align: left; border-bottom: 0.8pt solid #000; font-weight: 600; padding: 0.6mm 2mm 0.6mm 0;
  vertical-align: bottom; }
td { border-bottom: 0.3pt solid #bbb; padding: 0.55mm 2mm 0.55mm 0; vertical-align: top; overflow-wrap: break-word; }
table.exact td:last-child, table.small td { overflow-wrap: anywhere; }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
figure { margin: 2mm 0 4mm; break-inside: avoid; }
figure svg { max-width: 100%; height: auto; display: block; }
figcaption, .small { font-size: 8.5pt; color: #222; }
.lead { display: flex; gap: 6mm; margin: 4mm 0; }
.lead div { border: 0.8pt solid #000; padding: 2mm 3mm; flex: 1; }
.lead b { display: block; font-size: 15pt; }
table.small { font-size: 7.6pt; break-inside: auto; }
table.narrow { width: auto; min-width: 55%; }
table.narrow th, table.narrow td { padding-right: 6mm; }
.grid { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 2mm 3mm; }
.grid figure { margin: 0; }
.warn { border: 1pt solid #000; padding: 2mm 3mm; margin: 3mm 0; }
code { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 8.4pt; overflow-wrap: anywhere; }
@media print { body { margin: 0; padding: 0; max-width: none; } h2.page { break-before: page; border-top: 0; } }
"""


def signed(text: str) -> str:
    """A figure with a printer's minus sign."""
    return text.replace("-", _MINUS)


def percent(figure: float | Fraction, places: int = 4) -> str:
    """`5.2243 %`."""
    return signed(f"{100 * float(figure):.{places}f} %")


def decimal(text: str, places: int = 6) -> str:
    """An exact figure, rounded for people: `+0.123457`."""
    return signed(f"{float(Fraction(text)):+.{places}f}")


def antes(text: str) -> str:
    """A net result: `+201`."""
    net = Fraction(text)
    shown = f"{net.numerator:+,}" if net.denominator == 1 else f"{float(net):+,.4f}"
    return "0" if net == 0 else signed(shown)


def money(text: str) -> str:
    """An amount with its cents: `218,047.37`."""
    return f"{float(Fraction(text)):,.2f}"


def paragraph(*sentences: str, css: str = "") -> str:
    """Sentences that are HTML already, as one paragraph."""
    return f"<p{f' class={css!r}' if css else ''}>{' '.join(sentences)}</p>"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = (), css: str = "") -> str:
    """A table; the columns of numbers stand to the right. Cells are escaped."""
    kinds = [' class="n"' if place in numbers else "" for place in range(len(columns))]
    head = "".join(f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, columns, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f"<table{f' class={css!r}' if css else ''}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def figure(drawn: str, caption: str = "") -> str:
    """A picture, with what it says."""
    told = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f"<figure>{drawn}{told}</figure>"
