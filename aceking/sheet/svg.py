"""Charts of a sheet as SVG: readable in grey, with fills distinguished by hatching and by words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

#: The fill of a decision, in grey: a colour or a pattern.
_FILLS = {
    "fold": "#ffffff",
    "bet": "#4a4a4a",
    "exchange": "url(#slash)",
    "declare": "url(#cross)",
    "bet, lay aside the lowest": "#a6a6a6",
    "bet, lay aside the middle": "url(#bars)",
    "bet, lay aside the highest": "#4a4a4a",
    "stay, lay aside the lowest": "#dedede",
    "stay, lay aside the middle": "url(#dots)",
    "stay, lay aside the highest": "url(#slash)",
}
_LEGEND_WIDTH = 560
_DIGIT = 5.9  # the width of a digit on an axis
_TILES = {
    "slash": '<path d="M-1.5 1.5L1.5 -1.5M0 6L6 0M4.5 7.5L7.5 4.5" stroke="#222" stroke-width="1.3"/>',
    "dots": '<circle cx="3" cy="3" r="1.5" fill="#222"/>',
    "cross": '<path d="M0 3H6M3 0V6" stroke="#222" stroke-width="1.2"/>',
    "bars": '<path d="M0 3H6" stroke="#222" stroke-width="1.8"/>',
}
_PATTERNS = (
    "<defs>"
    + "".join(
        f'<pattern id="{name}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<rect width="6" height="6" fill="#fff"/>{tile}</pattern>'
        for name, tile in _TILES.items()
    )
    + "</defs>"
)


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """A line of a plot: its name, its points, and whether it is dashed."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


def fills(decisions: Sequence[str]) -> dict[str, str]:
    """Return the fill of each decision, in drawing order."""
    return {name: fill for name, fill in _FILLS.items() if name in decisions}


def legend(decisions: Sequence[str]) -> str:
    """Return the fills with their names, in as many lines as needed."""
    parts, x, y, widest = [], 0.0, 0.0, 0.0
    for name, fill in fills(decisions).items():
        width = 36 + 5.9 * len(name)
        if x and x + width > _LEGEND_WIDTH:
            x, y = 0.0, y + 15
        frame = f'x="{x + 0.5:.1f}" y="{y + 3.5:.1f}" width="16" height="10"'
        parts.append(f'<rect {frame} fill="{fill}" stroke="#000" stroke-width="0.6"/>')
        parts.append(f'<text x="{x + 21:.1f}" y="{y + 12:.1f}" font-size="11">{escape(name)}</text>')
        x += width
        widest = max(widest, x)
    return _svg(widest, y + 17, "Legend", "".join(parts))


def chart(
    columns: Sequence[str], rows: Sequence[tuple[str, Sequence[Mapping[str, float]]]], decisions: Sequence[str]
) -> str:
    """Draw hands (down) against up-cards (across); a cell is divided by how often each decision is the best."""
    label = 8 + 5.5 * max(len(name) for name, _ in rows)
    blocks = 1 if len(rows) <= 60 else 3
    per_block = ceil(len(rows) / blocks)
    cell_width, cell_height = (
        (24.0, 11.5) if blocks == 1 and len(rows) > 20 else (11.2, 10.6) if blocks > 1 else (34.0, 20.0)
    )
    width = label + len(columns) * cell_width
    fill = fills(decisions)
    parts = [_PATTERNS]
    for block in range(blocks):
        left = block * (width + 16)
        for place, name in enumerate(columns):
            where = f'x="{left + label + (place + 0.5) * cell_width:.1f}" y="10" text-anchor="middle"'
            parts.append(f'<text {where} font-size="10.5" font-weight="bold">{escape(name)}</text>')
        for down, (name, cells) in enumerate(rows[block * per_block : (block + 1) * per_block]):
            y = 14 + down * cell_height
            text = f'x="{left + label - 4:.1f}" y="{y + cell_height / 2 + 3:.1f}" font-size="9.6" text-anchor="end"'
            parts.append(f"<text {text}>{escape(name)}</text>")
            for place, cell in enumerate(cells):
                x = left + label + place * cell_width
                parts.append(_cell(x, y, cell_width, cell_height, cell, fill))
    return _svg(blocks * width + (blocks - 1) * 16 + 1, 15 + per_block * cell_height, "Strategy chart", "".join(parts))


def _cell(x: float, y: float, width: float, height: float, shares: Mapping[str, float], fill: Mapping[str, str]) -> str:
    if not shares:
        return ""
    parts, at = [], x
    for name in fill:
        if name in shares:
            part = width * shares[name]
            parts.append(
                f'<rect x="{at:.2f}" y="{y:.1f}" width="{part:.2f}" height="{height:.1f}" fill="{fill[name]}"/>'
            )
            at += part
    size = f'width="{width:.2f}" height="{height:.1f}"'
    frame = f'<rect x="{x:.2f}" y="{y:.1f}" {size} fill="none" stroke="#777" stroke-width="0.5"/>'
    return "".join(parts) + frame


def plot(
    curves: Sequence[DrawnCurve],
    *,
    across: str,
    up: str,
    title: str = "",
    mark: tuple[float, float] | None = None,
    width: float = 560,
    height: float = 250,
    zero: bool = False,
) -> str:
    """Draw lines over a grid; the marked point is the book as it is."""
    xs = [x for curve in curves for x, _ in curve.points]
    ys = [y for curve in curves for _, y in curve.points] + ([0.0] if zero else [])
    ticks_x, ticks_y = (
        _ticks(min(xs), max(xs), 7 if width > 300 else 4),
        _ticks(min(ys), max(ys), 6 if height > 180 else 4),
    )
    frame = _Frame(width, height, ticks_x, ticks_y, (min(xs), max(xs)), (min(ys), max(ys)), title=bool(title))
    parts = [frame.grid(across, up, title)]
    for number, curve in enumerate(curves):
        path = " ".join(
            f"{'L' if place else 'M'}{frame.x(x):.1f} {frame.y(y):.1f}" for place, (x, y) in enumerate(curve.points)
        )
        dash = ' stroke-dasharray="5 3"' if curve.dashed else ""
        parts.append(f'<path d="{path}" fill="none" stroke="#000" stroke-width="1.4"{dash}/>')
        if len(curves) > 1:
            # The first curve is named near its start, the next where the first has crossed it.
            x, y = curve.points[min(len(curve.points) * (2 + 4 * number) // 10, len(curve.points) - 1)]
            place = f'x="{frame.x(x) + 6:.1f}" y="{frame.y(y) - 5:.1f}"'
            parts.append(f'<text {place} font-size="11" {_HALO}>{escape(curve.name)}</text>')
    if zero:
        parts.append(
            f'<path d="M{frame.left:.1f} {frame.y(0):.1f}H{frame.right:.1f}" stroke="#000" stroke-width="0.8"/>'
        )
    if mark is not None:
        centre = f'cx="{frame.x(mark[0]):.1f}" cy="{frame.y(mark[1]):.1f}"'
        parts.append(f'<circle {centre} r="3.2" fill="#fff" stroke="#000" stroke-width="1.4"/>')
    return _svg(width, height, title or up, "".join(parts))


def bars(columns: Sequence[tuple[float, float, float]], *, across: str, up: str, marks: Mapping[str, float]) -> str:
    """Draw a histogram of (from, to, share), with vertical lines at the marks."""
    width, height = 620.0, 260.0
    low, high = columns[0][0], columns[-1][1]
    top = max(share for *_, share in columns)
    frame = _Frame(width, height, _ticks(low, high, 9), _ticks(0, top, 5), (low, high), (0, top), title=True)
    parts = [frame.grid(across, up, "")]
    for first, last, share in columns:
        x, y = frame.x(first), frame.y(share)
        size = f'width="{frame.x(last) - x:.2f}" height="{frame.y(0) - y:.2f}"'
        fill = "#8a8a8a" if last <= 0 else "#d6d6d6"
        parts.append(f'<rect x="{x:.2f}" y="{y:.2f}" {size} fill="{fill}" stroke="#222" stroke-width="0.5"/>')
    for name, at in marks.items():
        x = frame.x(at)
        line = f"M{x:.1f} {frame.top:.1f}V{frame.y(0):.1f}"
        parts.append(f'<path d="{line}" stroke="#000" stroke-width="1" stroke-dasharray="3 2"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{frame.top - 5:.1f}" font-size="10.5" text-anchor="middle">{escape(name)}</text>'
        )
    return _svg(width, height, up, "".join(parts))


_HALO = 'stroke="#fff" stroke-width="2.5" paint-order="stroke"'


@dataclass(frozen=True, slots=True)
class _Frame:
    """The field of a plot; it converts values to coordinates."""

    width: float
    height: float
    ticks_x: Sequence[float]
    ticks_y: Sequence[float]
    span_x: tuple[float, float]
    span_y: tuple[float, float]
    title: bool

    @property
    def left(self) -> float:
        return 54.0

    @property
    def right(self) -> float:
        return self.width - 12

    @property
    def top(self) -> float:
        return 20.0 if self.title else 10.0

    def x(self, value: float) -> float:
        low, high = self.span_x
        return self.left + (value - low) / ((high - low) or 1) * (self.right - self.left)

    def y(self, value: float) -> float:
        low, high = min(self.span_y[0], self.ticks_y[0]), max(self.span_y[1], self.ticks_y[-1])
        bottom = self.height - 34
        return bottom - (value - low) / ((high - low) or 1) * (bottom - self.top)

    def grid(self, across: str, up: str, title: str) -> str:
        bottom = self.height - 34
        parts = []
        for value in self.ticks_y:
            y = self.y(value)
            parts.append(f'<path d="M{self.left:.1f} {y:.1f}H{self.right:.1f}" stroke="#ccc" stroke-width="0.6"/>')
            text = _number(value, self.ticks_y)
            parts.append(
                f'<text x="{self.left - 4:.1f}" y="{y + 3:.1f}" font-size="10.5" text-anchor="end">{text}</text>'
            )
        for value in self.ticks_x:
            if self.span_x[0] <= value <= self.span_x[1]:
                x = self.x(value)
                parts.append(f'<path d="M{x:.1f} {bottom:.1f}v3" stroke="#000" stroke-width="0.7"/>')
                text = _number(value, self.ticks_x)
                place = min(x, self.width - _DIGIT * len(text) / 2)  # so that the last number is not cut off
                parts.append(
                    f'<text x="{place:.1f}" y="{bottom + 13:.1f}" font-size="10.5" text-anchor="middle">{text}</text>'
                )
        axes = f"M{self.left:.1f} {self.top:.1f}V{bottom:.1f}H{self.right:.1f}"
        parts.append(f'<path d="{axes}" fill="none" stroke="#000" stroke-width="0.9"/>')
        middle = (self.left + self.right) / 2
        below = f'x="{middle:.1f}" y="{self.height - 6:.1f}"'
        parts.append(f'<text {below} font-size="11" text-anchor="middle">{escape(across)}</text>')
        half = (self.top + bottom) / 2
        turned = f'transform="translate(10 {half:.1f}) rotate(-90)"'
        parts.append(f'<text {turned} font-size="11" text-anchor="middle">{escape(up)}</text>')
        if title:
            # A long title is never cut off: it starts farther left, and only then gets smaller.
            size = min(12.0, self.right / (0.56 * len(title)))
            x = min(self.left, self.right - 0.56 * size * len(title))
            parts.append(f'<text x="{x:.1f}" y="12" font-size="{size:.1f}" font-weight="bold">{escape(title)}</text>')
        return "".join(parts)


def _ticks(low: float, high: float, number: int) -> list[float]:
    """Return round numbers that cover the span."""
    span = (high - low) or abs(high) or 1.0
    rough = span / number
    power = 10.0 ** floor(log10(rough))
    step = next(power * each for each in (1, 2, 2.5, 5, 10) if power * each >= rough)
    return [round(place * step, 10) for place in range(floor(low / step), ceil(high / step) + 1)]


def _number(value: float, ticks: Sequence[float]) -> str:
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    places = max(0, -floor(log10(step) + 1e-9))
    if places and round(step * 10**places, 6) % 1:
        places += 1
    return f"{value:,.{places}f}".replace("-", "\N{MINUS SIGN}")


def _svg(width: float, height: float, title: str, inside: str) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="inherit">'
    return f"{head}<title>{escape(title)}</title>{inside}</svg>"
