"""The shapes of nets: six squares that fold into a cube. They are found by trial, not listed."""

from collections.abc import Iterable, Iterator
from functools import cache

from pysim.families.nets.faces import CubeFace, Frame, Heading

__all__ = ["NetShape", "Square", "draw_outline", "lay", "list_net_shapes", "normalize"]

Square = tuple[int, int]
"""A square of a drawing: x to the right, y up."""
NetShape = tuple[Square, ...]
"""Squares in order, the lowest x and the lowest y 0."""

_SQUARES = 6


def lay(shape: Iterable[Square], base: Square, frame: Frame) -> dict[Square, Frame]:
    """Lay each square on the cube, with all edges between squares folded.

    Args:
        shape: squares that hang together.
        base: one of them.
        frame: how this one lies.
    """
    squares, found = set(shape), {base: frame}
    queue = [base]
    for square in queue:  # It grows while it is gone through.
        for way in Heading:
            there = _beside(square, way)
            if there in squares and there not in found:
                found[there] = found[square].cross(way)
                queue.append(there)
    return found


def normalize(squares: Iterable[Square]) -> NetShape:
    """Return squares in order, moved to the origin."""
    chosen = list(squares)
    left, low = min(x for x, _ in chosen), min(y for _, y in chosen)
    return tuple(sorted((x - left, y - low) for x, y in chosen))


@cache
def list_net_shapes() -> tuple[NetShape, ...]:
    """Return the nets of a cube, one of those that are turned or mirrored; there are 11.

    Each is at least as wide as it is high; of several such the first in order.
    """
    return tuple(shape for shape in _hexominoes() if _folds(shape))


def _folds(shape: NetShape) -> bool:
    """Return whether no two squares get onto one face."""
    frames = lay(shape, shape[0], Frame(CubeFace.FRONT, CubeFace.TOP))
    return len({frame.outward for frame in frames.values()}) == len(CubeFace)


def _hexominoes() -> list[NetShape]:
    """Return all shapes of six squares, up to turns and mirror images."""
    shapes: set[NetShape] = {((0, 0),)}
    for _ in range(_SQUARES - 1):
        shapes = {
            _chosen((*shape, _beside(square, way)))
            for shape in shapes
            for square in shape
            for way in Heading
            if _beside(square, way) not in shape
        }
    return sorted(shapes)


def _chosen(squares: Iterable[Square]) -> NetShape:
    """Return one of the eight turned and mirrored copies of a shape."""
    return min(filter(_is_wide, map(normalize, _copies(tuple(squares)))))


def _copies(shape: NetShape) -> Iterator[NetShape]:
    for copy in (shape, tuple((-x, y) for x, y in shape)):
        for _ in range(4):
            copy = tuple((y, -x) for x, y in copy)
            yield copy


def _is_wide(shape: NetShape) -> bool:
    return max(x for x, _ in shape) >= max(y for _, y in shape)


def _beside(square: Square, way: Heading) -> Square:
    (x, y), (dx, dy) = square, way.step
    return x + dx, y + dy


def draw_outline(shape: NetShape) -> str:
    """Return the shape as text, ``#`` for squares, rows from the top joined with ``/``."""
    width, height = 1 + max(x for x, _ in shape), 1 + max(y for _, y in shape)
    return "/".join(
        "".join("#" if (x, y) in shape else "." for x in range(width))
        for y in reversed(range(height))
    )
