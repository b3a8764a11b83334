"""Promises of ``docs/packing.md`` about generated puzzles, by the mode of the generator."""

import re
from collections.abc import Iterator, Mapping
from itertools import permutations

from bridge.referee.documents import get_facts, get_generator, read_int
from bridge.referee.findings import JudgementBuilder
from bridge.referee.polycubes import Cell, Shape, is_same_shape, translate

from .rules import Box
from .statics import is_stable

__all__ = ["find_mode", "judge_making"]

_UNITS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_HARD_EFFORT = 100
"""Rows for each filling that a hard puzzle takes at least."""


def find_mode(document: Mapping[str, object]) -> str | None:
    """Return the mode of the generator that made a level; None if none did."""
    found = re.fullmatch(r"\w+/(easy|mid|hard) \d+", get_generator(document))
    return found[1] if found else None


def judge_making(document: Mapping[str, object], box: Box, builder: JudgementBuilder) -> None:
    """Decide whether a generated level's pieces are such as its mode makes."""
    mode = find_mode(document)
    if mode is not None:
        flaws = list(_flaws(box, mode, get_facts(document)))
        builder.decide("source.generator", not flaws, "; ".join(flaws))


def _flaws(box: Box, mode: str, facts: Mapping[str, object]) -> Iterator[str]:
    for colour, shape in box.pieces.items():
        yield from (f"{colour} {flaw}" for flaw in _piece_flaws(shape, mode))
    if mode != "hard":
        return
    for (one, a), (other, b) in permutations(box.pieces.items(), 2):
        if one < other and is_same_shape(a, b):
            yield f"{one} and {other} are of one shape"
    if read_int(facts.get("nodes_per_solution"), "nodes_per_solution") < _HARD_EFFORT:
        yield f"fewer than {_HARD_EFFORT} rows for each filling"


def _piece_flaws(shape: Shape, mode: str) -> Iterator[str]:
    sides = [1 + max(axis) for axis in zip(*shape, strict=True)]
    if len(shape) > (8 if mode == "easy" else 6):
        yield f"has {len(shape)} cells"
    if not _connected(shape):
        yield "is not connected"
    if _has_plate(shape):
        yield "contains a 2 x 3 rectangle"
    if not is_stable([shape]):
        yield "would tip over on the table"
    if mode == "easy" and (len(set(sides)) > 2 or len(shape) != sides[0] * sides[1] * sides[2]):
        yield "is no cuboid with two equal sides"
    if mode == "mid" and min(sides) > 1:
        yield "is not flat"


def _connected(shape: Shape) -> bool:
    reached, edge = frozenset[Cell](), frozenset([min(shape)])
    while edge:
        reached |= edge
        around = (translate(edge, unit, sign) for unit in _UNITS for sign in (1, -1))
        edge = (frozenset[Cell]().union(*around) & shape) - reached
    return reached == shape


def _has_plate(shape: Shape) -> bool:
    """Return whether two cells along one axis and three along another are filled somewhere."""
    return any(_filled(shape, short, long) for short, long in permutations(_UNITS, 2))


def _filled(shape: Shape, short: Cell, long: Cell) -> bool:
    pairs = shape & translate(shape, short, -1)
    return bool(pairs & translate(pairs, long, -1) & translate(pairs, long, -2))
