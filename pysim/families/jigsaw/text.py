"""Jigsaw cubes in words: the task and the state, for agents."""

from pysim.families.jigsaw.faces import LAST, Seat, ShellFace
from pysim.families.jigsaw.fitting import find_gaps
from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.families.jigsaw.shell import list_cells, mask_of
from pysim.families.jigsaw.state import JigsawState

__all__ = ["describe_state", "describe_views", "write_instruction"]


def describe_views() -> str:
    """Describe right and down in the view of each face."""
    return "; ".join(f"{face}: right is {face.right}, down is {face.down}" for face in ShellFace)


def write_instruction(jigsaw: Jigsaw) -> str:
    """Return the task in words."""
    given = [
        piece.colour
        for piece, place in zip(jigsaw.pieces, jigsaw.start, strict=True)
        if place is not None
    ]
    placed = f" Already on the cube, and well placed: {', '.join(given)}." if given else ""
    return (
        f"Six flat jigsaw pieces are to become the faces of a hollow cube of 5 x 5 x 5 cells: "
        f"{', '.join(jigsaw.colours)}. Each piece is one cell thick, full in its middle 3 x 3 "
        f"cells, with teeth and notches around. Put them together so that every cell of the "
        f"cube's surface is filled by exactly one piece.{placed} Pieces lie on the table; the "
        f"left, top, right and bottom edge of a piece are named as it lies there, seen from above, "
        f"rows from the top: left is -x, top is +y. The cube hangs above the table; its cells are "
        f"named [x, y, z], from [0, 0, 0] to [{LAST}, {LAST}, {LAST}]; z points "
        f"up. A face is looked at from outside: {describe_views()}. "
        f"A piece may be turned, and turned over. It comes straight from outside, and where a cell "
        f"would be filled twice, it does not fit. A cell that no piece can fill any more is a gap: "
        f"then a piece has to be taken off again."
    )


def describe_state(jigsaw: Jigsaw, state: JigsawState) -> str:
    """Return one line per piece, with its rows or its cells, then the gaps."""
    lines = [
        f"{piece.colour}: {_whereabouts(piece.rows, place)}"
        for piece, place in zip(jigsaw.pieces, state.places, strict=True)
    ]
    empty = find_gaps(jigsaw.rows, state.places)
    cells = " ".join(f"({x},{y},{z})" for x, y, z in empty)
    return "\n".join([*lines, f"gaps that no loose piece can fill: {cells or 'none'}"])


def _whereabouts(rows: tuple[str, ...], place: Seat | None) -> str:
    if place is None:
        return f"on the table, rows from the top {' / '.join(rows)}"
    cells = " ".join(f"({x},{y},{z})" for x, y, z in list_cells(mask_of(rows, place)))
    return (
        f"on the cube, face {place.face}, its {place.left} edge on the left and its {place.top} "
        f"edge on top, cells {cells}"
    )
