"""Figures as the cells of a table show them; what is not known is a dash."""

from bridge.evals.metrics import Distance

__all__ = ["NOTHING", "distance_cell", "number_cell", "percent_cell"]

NOTHING = "–"


def percent_cell(share: float | None) -> str:
    """A share in per cent, with one digit."""
    return NOTHING if share is None else f"{share * 100:.1f}"


def number_cell(value: float | None, digits: int) -> str:
    """A number with so many digits after the point."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def distance_cell(distance: Distance | None) -> str:
    """A distance from the shortest plans; a range where it is not known exactly."""
    if distance is None:
        return NOTHING
    if distance.exact:
        return f"{distance.low:.2f}"
    return f"{distance.low:.2f}–{distance.high:.2f}"
