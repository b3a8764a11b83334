"""Nets of a cube: the hexominoes that fold into one.

All hexominoes are enumerated and folded; the nets are those whose squares cover six faces.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from pysim.families.nets.faces import CubeFace, Frame, Heading

__all__ = ["NetShape", "Square", "draw_outline", "fold_shape", "list_net_shapes", "normalize"]

Square = tuple[int, int]
"""Position (x, y) of a unit square in the plane: x to the right, y up."""
NetShape = tuple[Square, ...]
"""Squares in ascending order, with the smallest x and the smallest y at 0."""

_SQUARES = 6


def fold_shape(shape: Iterable[Square], base: Square, frame: Frame) -> dict[Square, Frame]:
    """Fold a shape around a cube, and return the frame in which each square lies on it.

    Args:
        shape: squares that are connected along edges.
        base: the square that folding begins with.
        frame: the frame of ``base`` on the cube.
    """
    squares, found = set(shape), {base: frame}
    queue = [base]
    for square in queue:  # The loop appends to the queue that it iterates over.
        for heading in Heading:
            neighbour = _step(square, heading)
            if neighbour in squares and neighbour not in found:
                found[neighbour] = found[square].cross(heading)
                queue.append(neighbour)
    return found


def normalize(squares: Iterable[Square]) -> NetShape:
    """Return the squares in ascending order, moved so that the smallest x and y are 0."""
    chosen = list(squares)
    left, low = min(x for x, _ in chosen), min(y for _, y in chosen)
    return tuple(sorted((x - left, y - low) for x, y in chosen))


@cache
def list_net_shapes() -> tuple[NetShape, ...]:
    """Return the 11 nets of a cube, counted up to rotation and reflection.

    Each class is represented by its smallest member that is at least as wide as it is high.
    """
    return tuple(shape for shape in _list_hexominoes() if _is_net(shape))


def _is_net(shape: NetShape) -> bool:
    """Return whether a folded hexomino covers each face of the cube once."""
    frames = fold_shape(shape, shape[0], Frame(CubeFace.FRONT, CubeFace.TOP))
    return len({frame.outward for frame in frames.values()}) == len(CubeFace)


def _list_hexominoes() -> list[NetShape]:
    """Return the 35 free hexominoes, in order."""
    shapes: set[NetShape] = {((0, 0),)}
    for _ in range(_SQUARES - 1):
        shapes = {
            _make_canonical((*shape, _step(square, heading)))
            for shape in shapes
            for square in shape
            for heading in Heading
            if _step(square, heading) not in shape
        }
    return sorted(shapes)


def _make_canonical(squares: Iterable[Square]) -> NetShape:
    """Return the smallest of the rotated and reflected copies of a shape that are wide."""
    return min(filter(_is_wide, map(normalize, _rotate_and_reflect(tuple(squares)))))


def _rotate_and_reflect(shape: NetShape) -> Iterator[NetShape]:
    """Yield the eight images of a shape under the symmetries of the square."""
    for copy in (shape, tuple((-x, y) for x, y in shape)):
        for _ in range(4):
            copy = tuple((y, -x) for x, y in copy)
            yield copy


def _is_wide(shape: NetShape) -> bool:
    return max(x for x, _ in shape) >= max(y for _, y in shape)


def _step(square: Square, heading: Heading) -> Square:
    (x, y), (dx, dy) = square, heading.step
    return x + dx, y + dy


def draw_outline(shape: NetShape) -> str:
    """Return the rows of a shape, top first, joined with ``/``: ``#`` for a square, else ``.``."""
    width, height = 1 + max(x for x, _ in shape), 1 + max(y for _, y in shape)
    return "/".join(
        "".join("#" if (x, y) in shape else "." for x in range(width))
        for y in reversed(range(height))
    )
