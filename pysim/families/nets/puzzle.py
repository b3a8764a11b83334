"""The data of a level: one net and a view of the cube that it is to become, or two nets."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from pysim.errors import InputError
from pysim.families.nets.cube import Arrow, ArrowColour, CornerView
from pysim.families.nets.faces import VISIBLE, CubeFace, Heading
from pysim.families.nets.folding import ArrowNet, FlatArrow, fold
from pysim.families.nets.joints import Tree, build_tree
from pysim.families.nets.plates import PAPER
from pysim.families.nets.shapes import Square, normalize
from pysim.limits import quote
from pysim.options import is_whole
from pysim.restoring import build_unchecked
from pysim.scene import Colour

__all__ = ["FlatNet", "NetPuzzle", "Plate", "read_puzzle", "restore_puzzle", "write_puzzle"]

_SQUARES = 6


@dataclass(frozen=True, slots=True)
class Plate:
    """A face of a net.

    Attributes:
        name: a colour, unique in the puzzle: that of its arrow or else of its paper.
        square: where it lies in the drawing.
        arrow: what is printed on it.
    """

    name: Colour
    square: Square
    arrow: FlatArrow

    @property
    def paper(self) -> Colour:
        """Paper of the net: white, unless it is called after its paper."""
        return PAPER if self.name == self.arrow.colour.value else self.name


@dataclass(frozen=True)
class FlatNet:
    """A net as it lies at first, the printed side up.

    Attributes:
        plates: its six faces; the net is held by the first one.

    Raises:
        InputError: it does not fold into a cube.
    """

    plates: tuple[Plate, ...]

    def __post_init__(self) -> None:
        squares = [plate.square for plate in self.plates]
        if len(set(squares)) != _SQUARES or len(squares) != _SQUARES:
            raise InputError(f"a net has {_SQUARES} squares, no two in one place")
        if len(self.tree) != _SQUARES:
            raise InputError("the squares of a net hang together")
        fold(self.net)

    @cached_property
    def tree(self) -> Tree:
        """Tree of its faces."""
        return build_tree(tuple(plate.square for plate in self.plates))

    @property
    def net(self) -> ArrowNet:
        """The drawing alone."""
        placed = normalize(plate.square for plate in self.plates)
        arrows = {p.square: p.arrow for p in self.plates}
        return ArrowNet(placed, tuple(arrows[square] for square in sorted(arrows)))


@dataclass(frozen=True)
class NetPuzzle:
    """Nets that lie flat, and what is to come of them.

    Attributes:
        nets: one, to become a cube that looks like the target; or two, to become cubes that are
            alike and lie alike.
        target: the arrows on top, front and right; None if there are two nets.

    Raises:
        InputError: there is something else, or names are there twice.
    """

    nets: tuple[FlatNet, ...]
    target: CornerView | None = None

    def __post_init__(self) -> None:
        if (len(self.nets), self.target is None) not in ((1, False), (2, True)):
            raise InputError("a puzzle has one net and a target, or two nets and none")
        names = self.colours
        if len(set(names)) < len(names):
            raise InputError(f"two faces share a name: {', '.join(names)}")
        cubes = [fold(net.net) for net in self.nets]
        if self.target is not None and self.target not in cubes[0].views:
            raise InputError("the cube of this net looks like the target from no side")
        if self.target is None and not cubes[0].is_same(cubes[1]):
            raise InputError("the two nets make unlike cubes")

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The names of all faces, net by net."""
        return tuple(plate.name for net in self.nets for plate in net.plates)

    @cached_property
    def places(self) -> Mapping[Colour, tuple[int, int]]:
        """Name -> number of the net, and of the face in it."""
        return {
            plate.name: (n, k)
            for n, net in enumerate(self.nets)
            for k, plate in enumerate(net.plates)
        }


def read_puzzle(document: Mapping[str, object]) -> NetPuzzle:
    """Return a puzzle from the ``puzzle`` part of a level document.

    ``{"nets": [[{"face", "colour", "square": [x, y], "arrow": "up"}]], "target": {"top":
    {"colour", "towards"}, "front", "right"} | null}``; each net is held by its first face.

    Raises:
        InputError: something is missing, of the wrong type or impossible; the message says what.
    """
    nets = document.get("nets")
    if not isinstance(nets, list) or not all(isinstance(net, list) for net in nets):
        raise InputError("a puzzle has nets, each a list of six faces")
    target = document.get("target")
    return NetPuzzle(
        tuple(FlatNet(tuple(map(_read_plate, net))) for net in nets),
        None if target is None else _read_view(target),
    )


def restore_puzzle(document: Mapping[str, Any]) -> NetPuzzle:
    """Return a puzzle from the document that :func:`write_puzzle` has made, without checks."""
    target = document["target"]
    return build_unchecked(
        NetPuzzle,
        nets=tuple([_restore_net(net) for net in document["nets"]]),
        target=None
        if target is None
        else tuple([_restore_arrow(**target[face.value]) for face in VISIBLE]),
    )


def _restore_net(plates: Sequence[Mapping[str, Any]]) -> FlatNet:
    read = [_restore_plate(p["face"], *p["square"], p["colour"], p["arrow"]) for p in plates]
    return build_unchecked(FlatNet, plates=tuple(read))


@lru_cache(maxsize=1 << 14)
def _restore_plate(name: str, x: int, y: int, colour: str, way: str) -> Plate:
    return Plate(Colour(name), (x, y), FlatArrow(ArrowColour(colour), Heading(way)))


@lru_cache(maxsize=1 << 10)
def _restore_arrow(colour: str, towards: str) -> Arrow:
    return Arrow(ArrowColour(colour), CubeFace(towards))


def _read_plate(document: object) -> Plate:
    if not isinstance(document, Mapping):
        raise InputError(f"a face is an object, not {quote(document, 60)}")
    name, square = document.get("face"), document.get("square")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", name):
        # Agents name faces in one word, and letter case is not told apart.
        raise InputError(f"a face's name is one word in lower case, not {quote(name, 60)}")
    if not isinstance(square, list) or len(square) != 2 or not all(map(_is_small, square)):
        raise InputError(f"{name}: a square is two small whole numbers, not {quote(square, 60)}")
    way = document.get("arrow")
    if way not in list(Heading):
        raise InputError(f"{name}: an arrow points {', '.join(Heading)}, not {quote(way, 60)}")
    arrow = FlatArrow(_read_colour(document.get("colour")), Heading(str(way)))
    return Plate(Colour(name), (square[0], square[1]), arrow)


def _is_small(value: object) -> bool:
    return is_whole(value, -100, 100)


def _read_colour(value: object) -> ArrowColour:
    if value not in list(ArrowColour):
        raise InputError(f"an arrow is {', '.join(ArrowColour)}, not {quote(value, 60)}")
    return ArrowColour(str(value))


def _read_view(document: object) -> CornerView:
    if not isinstance(document, Mapping) or set(document) != {face.value for face in VISIBLE}:
        raise InputError(f"a target has the faces {', '.join(VISIBLE)}")
    top, front, right = (_read_arrow(face, document[face.value]) for face in VISIBLE)
    return top, front, right


def _read_arrow(face: CubeFace, document: object) -> Arrow:
    towards = document.get("towards") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or towards not in list(face.beside):
        raise InputError(f"the target's {face} has an arrow towards {', '.join(face.beside)}")
    return Arrow(_read_colour(document.get("colour")), CubeFace(str(towards)))


def write_puzzle(puzzle: NetPuzzle) -> dict[str, object]:
    """Return the document that :func:`read_puzzle` reads."""
    target = puzzle.target
    return {
        "nets": [[_write_plate(plate) for plate in net.plates] for net in puzzle.nets],
        "target": None
        if target is None
        else {
            face.value: {"colour": arrow.colour.value, "towards": arrow.towards.value}
            for face, arrow in zip(VISIBLE, target, strict=True)
        },
    }


def _write_plate(plate: Plate) -> dict[str, object]:
    return {
        "face": plate.name,
        "colour": plate.arrow.colour.value,
        "square": list(plate.square),
        "arrow": plate.arrow.way.value,
    }
