"""The cube as bodies: 26 cubies with stickers."""

from functools import cache

from pysim.families.rubik.cube import (
    CORNER_FACELETS,
    CORNER_NAMES,
    EDGE_FACELETS,
    EDGE_NAMES,
    Cube,
    find_layer_rotation,
)
from pysim.families.rubik.faces import Face, list_facelets
from pysim.families.rubik.moves import Move
from pysim.geometry import IDENTITY, Cell, Pose, Rotation, Voxels, list_rotations
from pysim.scene import Body, Bounds, Colour, Sticker

__all__ = ["WHOLE", "list_layer", "make_bodies"]

WHOLE = Bounds((-1, -1, -1), (1, 1, 1))
_PLASTIC = Colour("black")
_FACES = tuple(Face(letter) for letter in "ULFRDB")
_CUBIE = Voxels(((0, 0, 0),))


def make_bodies(cube: Cube, spins: tuple[int, ...] = (0,) * 6) -> tuple[Body, ...]:
    """The six centres, named after their colours, then the corners and edges after their slots.

    Args:
        spins: (6,) clockwise quarter turns of the centres.
    """
    corners = _placed(CORNER_NAMES, CORNER_FACELETS, cube.corners, cube.twists)
    edges = _placed(EDGE_NAMES, EDGE_FACELETS, cube.edges, cube.flips)
    return (*map(_centre, _FACES, (spins[face.number] for face in _FACES)), *corners, *edges)


def list_layer(cube: Cube, face: Face) -> frozenset[str]:
    """Return the names of the bodies in the layer of a face."""
    corners, edges = _slots_in(face)
    return frozenset(
        [
            face.colour,
            *(CORNER_NAMES[cube.corners[slot]] for slot in corners),
            *(EDGE_NAMES[cube.edges[slot]] for slot in edges),
        ]
    )


@cache
def _slots_in(face: Face) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the corner slots and of the edge slots in the layer of a face."""

    def slots(names: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(i for i, name in enumerate(names) if face.value in name)

    return slots(CORNER_NAMES), slots(EDGE_NAMES)


@cache
def _centre(face: Face, spin: int) -> Body:
    return Body(
        name=face.colour,
        shape=_CUBIE,
        pose=Pose(find_layer_rotation(Move(face, spin)) if spin else IDENTITY, face.side.vector),
        colour=_PLASTIC,
        stickers=(Sticker((0, 0, 0), face.side, Colour(face.colour)),),
    )


def _placed(
    names: tuple[str, ...],
    slots: tuple[tuple[int, ...], ...],
    cubies: tuple[int, ...],
    turns: tuple[int, ...],
) -> tuple[Body, ...]:
    """Return bodies in the order of the cubies, each where it is now."""
    found: dict[int, Body] = {}
    for slot, cubie, turned in zip(slots, cubies, turns, strict=True):
        home = slots[cubie]
        there = tuple(slot[(k + turned) % len(slot)] for k in range(len(slot)))
        found[cubie] = _body(names[cubie], home, there)
    return tuple(found[i] for i in range(len(names)))


@cache
def _body(name: str, home: tuple[int, ...], there: tuple[int, ...]) -> Body:
    """Return the cubie whose facelets are ``home``, with them at the facelets ``there``."""
    sides = [(list_facelets()[number][1], list(Face)[number // 9]) for number in home]
    return Body(
        name=name,
        shape=_CUBIE,
        pose=Pose(_rotation(home, there), list_facelets()[there[0]][0]),
        colour=_PLASTIC,
        stickers=tuple(Sticker((0, 0, 0), side, Colour(face.colour)) for side, face in sides),
    )


def _rotation(home: tuple[int, ...], there: tuple[int, ...]) -> Rotation:
    """Return the rotation that takes the facelets ``home`` of a cubie to ``there``."""

    def vector(number: int) -> Cell:
        return list_facelets()[number][1].vector

    return next(
        rotation
        for rotation in list_rotations()
        if all(rotation.apply(vector(a)) == vector(b) for a, b in zip(home, there, strict=True))
    )
