"""Figures as the cells of a table show them; what is not known is a dash."""

import re

from bridge.scoring.metrics import PlanDistance
from bridge.scoring.statistics import Interval

__all__ = [
    "NOTHING",
    "cut_cell",
    "format_distance",
    "format_interval",
    "format_number",
    "format_percent",
    "is_figure",
]

NOTHING = "–"

_MOST = 60
_FIGURE = re.compile(rf"[-+−]?\d|{NOTHING}?$")


def cut_cell(text: str) -> str:
    """Return a name, with dots in place of what is too long for a table."""
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def format_percent(share: float | None) -> str:
    """Return a share in per cent, with one digit."""
    return NOTHING if share is None else f"{share * 100:.1f}"


def format_interval(interval: Interval | None) -> str:
    """Return an interval of shares, in per cent."""
    if interval is None:
        return NOTHING
    return f"{format_percent(interval.low)}–{format_percent(interval.high)}"


def format_number(value: float | None, digits: int) -> str:
    """Return a number with this many digits after the point."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def format_distance(distance: PlanDistance | None) -> str:
    """Return a distance from the shortest plans; a range where it is not known exactly."""
    if distance is None:
        return NOTHING
    if distance.exact:
        return f"{distance.low:.2f}"
    return f"{distance.low:.2f}–{distance.high:.2f}"


def is_figure(cell: str) -> bool:
    """Return whether a cell begins with a number, or stands for one that is not known."""
    return _FIGURE.match(cell) is not None
