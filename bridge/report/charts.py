"""Plots as SVG text. Nothing but numbers and names goes in; names are escaped here."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["COLOURS", "ScatterPoint", "draw_bars", "draw_curves", "draw_scatter"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#808080", "#8a8a00")
"""Told apart by the colour-blind too: Okabe and Ito, "Color Universal Design" (2002); grey in place
of their black, for pages may be dark."""

_WIDTH, _HEIGHT = 560, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 14, 44
_LETTER = 6.5
"""Width of a letter, roughly."""
_SLANT = 40
"""How much further down slanted names reach."""


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A named point of a scatter plot."""

    name: str
    x: float
    y: float


def draw_bars(
    groups: Mapping[str, Mapping[str, float]], series: Sequence[str], y_label: str
) -> str:
    """Groups of bars, one bar of a group for each series that it has.

    Args:
        groups: group -> series -> height; those below 0 hang from the line at 0.
        series: all of them, in the order of their colours.
        y_label: what heights are.
    """
    heights = [v for group in groups.values() for v in group.values()]
    top, low = _nice(max(heights, default=1.0)), min(heights, default=0.0)
    low = -_nice(-low) if low < 0 else 0.0
    slot = _inner_width() / max(1, len(groups))
    width = slot * 0.8 / max(1, len(series))
    parts = [*_axis(top, y_label, low)]
    crowded = any(_LETTER * len(name) > slot for name in groups)
    for g, (name, group) in enumerate(groups.items()):
        left = _LEFT + g * slot + slot * 0.1
        parts.append(_below(left + slot * 0.4, name, slanted=crowded))
        for s, one in enumerate(series):
            if one in group:
                y, zero = _y(max(0.0, group[one]), top, low), _y(min(0.0, group[one]), top, low)
                title = f"{one}, {name}: {_short(group[one])}"
                parts.append(
                    f'<rect x="{left + s * width:.1f}" y="{y:.1f}" width="{width * 0.92:.1f}" '
                    f'height="{zero - y:.1f}" fill="{_colour(s)}">'
                    f"<title>{escape(title)}</title></rect>"
                )
    return _svg(parts, series, lower=_SLANT if crowded else 0)


def draw_scatter(points: Sequence[ScatterPoint], x_label: str, y_label: str) -> str:
    """Named points on a logarithmic x axis; x is more than 0."""
    low = math.floor(min(math.log10(p.x) for p in points))
    high = max(low + 1, math.ceil(max(math.log10(p.x) for p in points)))
    top = _nice(max(p.y for p in points))
    parts = [*_axis(top, y_label)]
    for power in range(low, high + 1):
        x = _LEFT + (power - low) / (high - low) * _inner_width()
        parts.append(_text(x, _HEIGHT - _BOTTOM + 16, _short(10.0**power), "middle"))
    parts.append(_text(_LEFT + _inner_width() / 2, _HEIGHT - 8, x_label, "middle"))
    for i, p in enumerate(points):
        x = _LEFT + (math.log10(p.x) - low) / (high - low) * _inner_width()
        title = escape(f"{p.name}: {_short(p.x)}, {_short(p.y)}")
        parts.append(
            f'<circle cx="{x:.1f}" cy="{_y(p.y, top):.1f}" r="6" fill="{_colour(i)}">'
            f"<title>{title}</title></circle>"
        )
    return _svg(parts, [p.name for p in points])


def draw_curves(series: Mapping[str, Sequence[float]], x_label: str, y_label: str) -> str:
    """Steps that go up: the value of each series at 0, 1, 2, ...; it keeps its last value."""
    length = max((len(values) for values in series.values()), default=1)
    end = max(1, length - 1)
    top = _nice(max((v for values in series.values() for v in values), default=1.0))
    parts = [*_axis(top, y_label)]
    for tick in sorted({round(end * i / 4) for i in range(5)}):
        x = _LEFT + tick / end * _inner_width()
        parts.append(_text(x, _HEIGHT - _BOTTOM + 16, str(tick), "middle"))
    parts.append(_text(_LEFT + _inner_width() / 2, _HEIGHT - 8, x_label, "middle"))
    for i, values in enumerate(series.values()):
        parts.append(
            f'<polyline points="{_corners(values, end, top)}" fill="none" stroke="{_colour(i)}" '
            'stroke-width="2"/>'
        )
    return _svg(parts, list(series))


def _corners(values: Sequence[float], end: int, top: float) -> str:
    """Return the corners of the steps of one series; each value lasts until the next."""
    kept = [*values, *[values[-1] if values else 0.0] * (end + 1 - len(values))]
    return " ".join(
        f"{_LEFT + step / end * _inner_width():.1f},{_y(value, top):.1f}"
        for j, value in enumerate(kept)
        for step in (j, min(j + 1, end))
    )


def _inner_width() -> float:
    return _WIDTH - _LEFT - _RIGHT


def _y(value: float, top: float, low: float = 0.0) -> float:
    return _HEIGHT - _BOTTOM - (value - low) / (top - low) * (_HEIGHT - _BOTTOM - _TOP)


def _nice(value: float) -> float:
    """Return the next of 1, 2, 5, 10, ... times a power of ten."""
    if value <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if value <= step * power * (1 + 1e-9))


def _axis(top: float, label: str, low: float = 0.0) -> Iterator[str]:
    ticks = [low + (top - low) * i / 4 for i in range(5)]
    for value in [*ticks, *([0.0] if low < 0 and 0.0 not in ticks else [])]:
        y = _y(value, top, low)
        yield f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>'
        yield _text(_LEFT - 6, y + 4, _short(value), "end")
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    yield (
        f'<text x="12" y="{middle:.1f}" text-anchor="middle" '
        f'transform="rotate(-90 12 {middle:.1f})">{escape(label)}</text>'
    )


def _below(x: float, name: str, *, slanted: bool) -> str:
    """Return a name below the axis; slanted ones end where they belong."""
    y = _HEIGHT - _BOTTOM + 16
    if not slanted:
        return _text(x, y, name, "middle")
    return (
        f'<text x="{x:.1f}" y="{y}" text-anchor="end" transform="rotate(-30 {x:.1f} {y})">'
        f"{escape(_cut(name, 20))}</text>"
    )


def _legend(names: Sequence[str], top: int) -> Iterator[str]:
    for i, name in enumerate(names):
        y = top + 18 * i
        yield f'<rect x="{_LEFT}" y="{y}" width="11" height="11" fill="{_colour(i)}"/>'
        yield _text(_LEFT + 17, y + 10, _cut(name, 68), "start")


def _svg(parts: Sequence[str], names: Sequence[str], lower: int = 0) -> str:
    """Return the picture, with the names of its series in a legend ``lower`` than usual."""
    top = _HEIGHT + 6 + lower
    body = "\n".join([*parts, *_legend(names, top)])
    height = top + 4 + 18 * len(names)
    return f'<svg viewBox="0 0 {_WIDTH} {height}" role="img">\n{body}\n</svg>'


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _short(value: float) -> str:
    return f"{value:.3g}"
