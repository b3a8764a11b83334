"""Nets as rigid plates in space, moved by matrices of real numbers; no lattice, no cells.

A plate is a box of 7 x 7 x 1 in its own axes, its print on top; the middles of two neighbours of a
flat net are 8 apart, and the hinge between them runs half-way, in the plane of both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge.referee.documents import get_puzzle, read_int, read_mapping, read_sequence, read_text

from .collision import detect_overlap

__all__ = [
    "Facet",
    "Reals",
    "Sheet",
    "flatten",
    "is_closed",
    "read_facets",
    "read_sheets",
    "turn_matrix",
]

Reals = NDArray[np.float64]

ARROWS = {"up": (0, 1, 0), "right": (1, 0, 0), "down": (0, -1, 0), "left": (-1, 0, 0)}
_SIDES = {
    (0, 0, 1): "top",
    (0, -1, 0): "front",
    (1, 0, 0): "right",
    (0, 0, -1): "bottom",
    (0, 1, 0): "back",
    (-1, 0, 0): "left",
}
_APART = 8.0
_STEP = 3.0
"""Degrees between two looks at a flap that is folded."""

Facet = tuple[str, str]
"""The colour of an arrow, and where it points."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A net at one moment.

    Attributes:
        names: of its plates; it is held by the first one.
        colours, arrows: what is printed on each: a colour, and a direction in the plate's axes.
        parents: on which plate each hangs; its own for the first one.
        hinges: (6, 3) from the parent's middle to the hinge, in the parent's axes.
        bends: 1 for a mountain fold, -1 for a valley fold, 0.
        held: (3, 3) how the first plate is turned.
    """

    names: tuple[str, ...]
    colours: tuple[str, ...]
    arrows: tuple[tuple[int, int, int], ...]
    parents: tuple[int, ...]
    hinges: Reals
    bends: tuple[int, ...]
    held: Reals

    def list_attached(self, plate: int) -> list[int]:
        """Return a plate and all that hang on it."""
        found = [plate]
        for one in found:  # It grows while it is gone through.
            found += [k for k, p in enumerate(self.parents) if p == one and k not in (0, *found)]
        return found

    def set_bend(self, plate: int, bend: int) -> "Sheet":
        """With one hinge otherwise."""
        return replace(self, bends=(*self.bends[:plate], bend, *self.bends[plate + 1 :]))

    def compute_poses(self) -> list[Reals]:
        """(4, 4) of each plate."""
        found: dict[int, Reals] = {0: _rigid(self.held)}
        while len(found) < len(self.names):
            for k, parent in enumerate(self.parents):
                if k not in found and parent in found:
                    found[k] = found[parent] @ _hinged(self.hinges[k], 90.0 * self.bends[k])
        return [found[k] for k in range(len(self.names))]

    def find_blockers(self, plate: int, by: int) -> list[str]:
        """Return the plates that one meets when its hinge goes by a quarter turn, 1 or -1."""
        moving = self.list_attached(plate)
        others = [k for k in range(len(self.names)) if k not in moving]
        steps = np.arange(_STEP, 90.0 + _STEP / 2, _STEP)
        poses = self.compute_poses()
        angles = 90.0 * self.bends[plate] + by * steps
        turned = poses[self.parents[plate]] @ [_hinged(self.hinges[plate], a) for a in angles]
        # All that hangs on the plate keeps its place beside it.
        carried = turned @ np.linalg.inv(poses[plate])
        ways = [carried @ poses[k] for k in moving]
        still = [np.broadcast_to(pose, turned.shape) for pose in poses]
        hit = (k for k in others if any(detect_overlap(still[k], way) for way in ways))
        return [self.names[k] for k in hit]


def flatten(sheet: Sheet) -> Sheet:
    """With no hinge bent, and held as at first."""
    return replace(sheet, bends=(0,) * len(sheet.names), held=np.eye(3))


def is_closed(sheet: Sheet) -> bool:
    """Return whether it is a cube with the prints outside."""
    return sheet.bends[1:] == (1,) * (len(sheet.names) - 1)


def read_facets(sheet: Sheet) -> Mapping[str, Facet]:
    """Return the print on each side of a closed sheet, by the side's name."""
    found = {}
    for place, colour, arrow in zip(
        sheet.compute_poses(), sheet.colours, sheet.arrows, strict=True
    ):
        found[_side(place, (0, 0, 1))] = (colour, _side(place, arrow))
    return found


def turn_matrix(axis: str, quarters: int) -> Reals:
    """(3, 3) of right-handed quarter turns about an axis."""
    vector = np.eye(3)["xyz".index(axis)]
    return np.rint(_about(vector, 90.0 * quarters))


def read_sheets(document: Mapping[str, object]) -> list[Sheet]:
    """Return the nets of a level document, flat.

    Raises:
        ValueError: the document is malformed, or squares do not hang together.
    """
    nets = read_sequence(get_puzzle(document).get("nets"), "the nets")
    return [_read(read_sequence(net, "a net")) for net in nets]


def _read(net: Sequence[object]) -> Sheet:
    faces = [read_mapping(face, "a face") for face in net]
    squares = [_square(face.get("square")) for face in faces]
    parents, hinges = {0: 0}, {0: np.zeros(3)}
    queue = [0]
    for k in queue:  # It grows while it is gone through.
        for other, way in _neighbours(squares, k):
            if other not in parents:
                parents[other], hinges[other] = k, np.array(way) * _APART / 2.0
                queue.append(other)
    if len(parents) < len(faces) or len(set(squares)) < len(faces):
        raise ValueError("the squares of a net hang together, and no two are in one place")
    arrows = [read_text(face.get("arrow"), "an arrow") for face in faces]
    if set(arrows) - set(ARROWS):
        raise ValueError(f"an arrow points {', '.join(ARROWS)}")
    return Sheet(
        tuple(read_text(face.get("face"), "a face's name") for face in faces),
        tuple(read_text(face.get("colour"), "a colour") for face in faces),
        tuple(ARROWS[arrow] for arrow in arrows),
        tuple(parents[k] for k in range(len(faces))),
        np.array([hinges[k] for k in range(len(faces))]),
        (0,) * len(faces),
        np.eye(3),
    )


def _square(value: object) -> tuple[int, int]:
    x, y = read_sequence(value, "a square")
    return read_int(x, "a coordinate"), read_int(y, "a coordinate")


def _neighbours(
    squares: Sequence[tuple[int, int]], k: int
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Squares that share an edge with one: number, and on which side; in the order of the ways."""
    x, y = squares[k]
    for way in ARROWS.values():
        there = (x + way[0], y + way[1])
        if there in squares:
            yield squares.index(there), way


def _hinged(hinge: Reals, degrees: float) -> Reals:
    """From a plate's axes to its parent's; a mountain fold leads away from the print, down."""
    x, y, _ = hinge / np.linalg.norm(hinge)
    axis = np.array([-y, x, 0.0])  # The print's normal, +z, times the way to the hinge.
    moved = np.eye(4)
    moved[:3, :3] = _about(axis, degrees)
    moved[:3, 3] = hinge + moved[:3, :3] @ hinge
    return moved


def _rigid(rotation: Reals) -> Reals:
    place = np.eye(4)
    place[:3, :3] = rotation
    return place


def _about(axis: Reals, degrees: float) -> Reals:
    """Rodrigues' rotation about a vector of length 1, right-handed."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = np.radians(degrees)
    rotation: Reals = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return rotation


def _side(place: Reals, vector: Sequence[int]) -> str:
    """Return the direction that a direction of a plate faces."""
    x, y, z = np.rint(place[:3, :3] @ np.array(vector)).astype(int).tolist()
    return _SIDES[x, y, z]
