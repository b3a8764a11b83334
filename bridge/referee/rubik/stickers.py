"""The cube as 54 stickers: what a turn does to them follows from where they are in space.

A place is the unit cube that a sticker is on, x to the right, y up, z to the front, and the side
of it. Places are numbered as ``docs/rubik.md`` writes a cube: faces U L F R D B, row by row, each
face as it is seen looking straight at it. A *labelling* says which sticker is at each place, by the
place where it is on a solved cube.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from types import MappingProxyType

from bridge.referee.vectors import IntVector, compute_cross, scale

__all__ = [
    "COLOURS",
    "FACES",
    "HOME",
    "TURNS",
    "FaceNumbers",
    "apply_turns",
    "format_letters",
    "is_odd",
    "list_corners",
    "list_edges",
    "parse_letters",
    "turn",
]

Facelet = tuple[IntVector, IntVector]
"""A unit cube, and the side of it that the sticker is on."""
FaceNumbers = tuple[int, ...]
"""(54,) the sticker at each place."""

FACES = "ULFRDB"
COLOURS = "WOGRYB"
"""The colour of each face, in the same order."""
_SIDES: Mapping[str, tuple[IntVector, IntVector]] = MappingProxyType(
    {
        "U": ((0, 1, 0), (0, 0, -1)),
        "L": ((-1, 0, 0), (0, 1, 0)),
        "F": ((0, 0, 1), (0, 1, 0)),
        "R": ((1, 0, 0), (0, 1, 0)),
        "D": ((0, -1, 0), (0, 0, 1)),
        "B": ((0, 0, -1), (0, 1, 0)),
    }
)
"""Where each face points, and what is above it when one looks at it: for U the face B, for D F."""

HOME: FaceNumbers = tuple(range(54))
"""The solved cube."""
TURNS = tuple(face + amount for face in "FBLRUD" for amount in ("", "2", "'"))
"""The 18 turns of a face, in Singmaster's notation."""


@cache
def turn(name: str) -> FaceNumbers:
    """For each place the one that its sticker comes from.

    Raises:
        ValueError: there is no such turn.
    """
    if name not in TURNS:
        raise ValueError(f"{name!r:.40} is no turn of a face")
    quarters = {"": 1, "2": 2, "'": 3}[name[1:]]
    found = HOME
    for _ in range(quarters):
        found = _composed(found, _quarter(name[0]))
    return found


def apply_turns(labels: FaceNumbers, names: Iterable[str]) -> FaceNumbers:
    """Return the stickers after some turns."""
    for name in names:
        labels = _composed(labels, turn(name))
    return labels


def format_letters(labels: FaceNumbers) -> str:
    """Return the 54 letters of a cube."""
    return "".join(_colour(sticker) for sticker in labels)


def parse_letters(text: str) -> FaceNumbers:
    """Parse the sticker at each place of a cube, by its 54 letters.

    Raises:
        ValueError: no turns lead from the solved cube to this one; the message says why.
    """
    if len(text) != 54 or set(text) - set(COLOURS):
        raise ValueError(f"a cube is written in 54 letters {COLOURS}, unlike {text!r:.80}")
    for face, colour in enumerate(COLOURS):
        if text[9 * face + 4] != colour:
            raise ValueError(f"the centre of {FACES[face]} is {text[9 * face + 4]}, not {colour}")
    found: dict[int, int] = {}
    for cubies in (list_corners(), list_edges()):
        found |= _placed(text, cubies)
    labels = tuple(found.get(place, place) for place in HOME)
    _check(labels)
    return labels


def is_odd(labels: FaceNumbers) -> bool:
    """Whether an odd number of quarter turns leads home: each exchanges corners in a 4-cycle."""
    return _odd(_cubie_order(labels, list_corners()))


@cache
def list_corners() -> tuple[tuple[int, ...], ...]:
    """Return the places of each corner, clockwise as seen from outside, that on U or D first."""
    return tuple(_clockwise(cubie) for cubie in _cubies(3))


@cache
def list_edges() -> tuple[tuple[int, ...], ...]:
    """Return the two places of each edge."""
    return _cubies(2)


@cache
def _places() -> tuple[Facelet, ...]:
    return tuple(
        (_sum(side, scale(up, 1 - row), scale(compute_cross(up, side), column - 1)), side)
        for side, up in (_SIDES[face] for face in FACES)
        for row in range(3)
        for column in range(3)
    )


@cache
def _quarter(face: str) -> FaceNumbers:
    """A clockwise quarter turn: what is at v comes from where the turn the other way puts v."""
    side, _ = _SIDES[face]
    number = {place: k for k, place in enumerate(_places())}
    return tuple(
        number[_back(cube, side), _back(facing, side)] if _dot(cube, side) == 1 else k
        for k, (cube, facing) in enumerate(_places())
    )


def _back(vector: IntVector, axis: IntVector) -> IntVector:
    """The vector, turned by 90 degrees anticlockwise about an axis that points to the observer."""
    return _sum(scale(axis, _dot(axis, vector)), compute_cross(axis, vector))


def _composed(labels: FaceNumbers, source: FaceNumbers) -> FaceNumbers:
    return tuple(labels[place] for place in source)


def _cubies(stickers: int) -> tuple[tuple[int, ...], ...]:
    """Return the places of all cubies that show this number of stickers."""
    found: dict[IntVector, list[int]] = {}
    for place, (cube, _) in enumerate(_places()):
        found.setdefault(cube, []).append(place)
    return tuple(tuple(own) for own in found.values() if len(own) == stickers)


def _clockwise(cubie: tuple[int, ...]) -> tuple[int, ...]:
    a, b, c = sorted(cubie, key=lambda place: _places()[place][1][1] == 0)
    sides = [_places()[place][1] for place in (a, b, c)]
    # Seen from outside, x, y, z of the corner at (1, 1, 1) go anticlockwise, a right-handed triple.
    return (a, c, b) if _dot(compute_cross(sides[0], sides[1]), sides[2]) == 1 else (a, b, c)


def _placed(text: str, cubies: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """Return the sticker at each place of some cubies."""
    home = {frozenset(_colour(place) for place in cubie): cubie for cubie in cubies}
    found: dict[int, int] = {}
    for cubie in cubies:
        seen = [text[place] for place in cubie]
        own = home.get(frozenset(seen))
        if own is None:
            raise ValueError(f"there is no cubie of the colours {' '.join(seen)}")
        sticker = {_colour(place): place for place in own}
        found |= {place: sticker[colour] for place, colour in zip(cubie, seen, strict=True)}
    if len(set(found.values())) < len(found):
        raise ValueError("a cubie is there twice")
    return found


def _check(labels: FaceNumbers) -> None:
    """Refuse what no turns lead to: mirrored corners, a twist, a flip, two cubies exchanged."""
    twist = 0
    for cubie in list_corners():
        there = [labels[place] for place in cubie]
        own = next(home for home in list_corners() if there[0] in home)
        shift = own.index(there[0])
        if [own[(shift + k) % 3] for k in range(3)] != there:
            raise ValueError("a corner is mirrored")
        twist += shift
    if twist % 3:
        raise ValueError("a corner is twisted")
    if _odd(labels, [place for cubie in list_edges() for place in cubie]):
        raise ValueError("an edge is flipped")
    if is_odd(labels) != _odd(_cubie_order(labels, list_edges())):
        raise ValueError("two cubies are exchanged")


def _cubie_order(labels: FaceNumbers, cubies: Sequence[tuple[int, ...]]) -> list[int]:
    number = {place: k for k, cubie in enumerate(cubies) for place in cubie}
    return [number[labels[cubie[0]]] for cubie in cubies]


def _odd(labels: Sequence[int], places: Sequence[int] | None = None) -> bool:
    """Whether a permutation, or what it is on some places, is odd: by its pairs out of order."""
    order = [labels[place] for place in sorted(range(len(labels)) if places is None else places)]
    return bool(sum(a > b for a, b in combinations(order, 2)) % 2)


def _colour(place: int) -> str:
    return COLOURS[place // 9]


def _dot(a: IntVector, b: IntVector) -> int:
    return sum(own * other for own, other in zip(a, b, strict=True))


def _sum(*vectors: IntVector) -> IntVector:
    x, y, z = (sum(parts) for parts in zip(*vectors, strict=True))
    return x, y, z
