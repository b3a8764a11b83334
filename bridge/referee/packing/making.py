"""What ``docs/packing.md`` promises of generated puzzles, by the mode of the generator."""

import re
from collections.abc import Iterator, Mapping
from itertools import permutations

from bridge.referee.documents import facts_of, generator_of, whole
from bridge.referee.findings import Docket
from bridge.referee.polycubes import Cell, Shape, moved, same_shape

from .placing import Box
from .statics import stays

__all__ = ["judge_making", "mode_of"]

_UNITS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_HARD_EFFORT = 100
"""Rows for each filling that a hard puzzle takes at least."""


def mode_of(document: Mapping[str, object]) -> str | None:
    """The mode of the generator that made a level; None if none did."""
    found = re.fullmatch(r"\w+/(easy|mid|hard) \d+", generator_of(document))
    return found[1] if found else None


def judge_making(document: Mapping[str, object], box: Box, docket: Docket) -> None:
    """Decide whether a generated level's pieces are such as its mode makes."""
    mode = mode_of(document)
    if mode is not None:
        flaws = list(_flaws(box, mode, facts_of(document)))
        docket.decide("source.generator", not flaws, "; ".join(flaws))


def _flaws(box: Box, mode: str, facts: Mapping[str, object]) -> Iterator[str]:
    for colour, shape in box.pieces.items():
        yield from (f"{colour} {flaw}" for flaw in _piece_flaws(shape, mode))
    if mode != "hard":
        return
    for (one, a), (other, b) in permutations(box.pieces.items(), 2):
        if one < other and same_shape(a, b):
            yield f"{one} and {other} are of one shape"
    if whole(facts.get("nodes_per_solution"), "nodes_per_solution") < _HARD_EFFORT:
        yield f"fewer than {_HARD_EFFORT} rows for each filling"


def _piece_flaws(shape: Shape, mode: str) -> Iterator[str]:
    sides = [1 + max(axis) for axis in zip(*shape, strict=True)]
    if len(shape) > (8 if mode == "easy" else 6):
        yield f"has {len(shape)} cells"
    if not _connected(shape):
        yield "is not connected"
    if _has_plate(shape):
        yield "contains a 2 x 3 rectangle"
    if not stays([shape]):
        yield "would tip over on the table"
    if mode == "easy" and (len(set(sides)) > 2 or len(shape) != sides[0] * sides[1] * sides[2]):
        yield "is no cuboid with two equal sides"
    if mode == "mid" and min(sides) > 1:
        yield "is not flat"


def _connected(shape: Shape) -> bool:
    reached, edge = frozenset[Cell](), frozenset([min(shape)])
    while edge:
        reached |= edge
        around = (moved(edge, unit, sign) for unit in _UNITS for sign in (1, -1))
        edge = (frozenset[Cell]().union(*around) & shape) - reached
    return reached == shape


def _has_plate(shape: Shape) -> bool:
    """Whether two cells along one axis and three along another are filled somewhere."""
    return any(_filled(shape, short, long) for short, long in permutations(_UNITS, 2))


def _filled(shape: Shape, short: Cell, long: Cell) -> bool:
    pairs = shape & moved(shape, short, -1)
    return bool(pairs & moved(pairs, long, -1) & moved(pairs, long, -2))
