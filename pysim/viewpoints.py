"""Shots: the pictures of an observation, where a family wants others than the usual views.

A shot is one square picture, made of one or more tiles in a grid: looks at the place where the
puzzle is worked on. What draws them is :func:`pysim.render.views.observe`.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn

from pysim.errors import InputError
from pysim.limits import quote

__all__ = ["Panel", "Vector", "View", "Views"]

Vector = tuple[float, float, float]
"""A point or direction in the world, in units of a cell edge."""


class Views(StrEnum):
    """Composition of an observation's pictures.

    A level whose scene has shots of its own shows these in place of camera views.
    """

    COMPOSED = "composed"
    """Every body is seen: loose material and the place to put it are in one frame, and bodies that
    others enclose have a picture of their own."""
    SHEET = "sheet"
    """One picture, with up to four of these as tiles."""
    SINGLE = "single"
    """The first of the composed pictures alone: one fixed view."""
    CLASSIC = "classic"
    """As before version 0.2: close on the work block, with one view of the loose bodies."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"views is one of {', '.join(cls)}, not {quote(value)}")


@dataclass(frozen=True, slots=True)
class Panel:
    """One look at a scene, as a part of a picture: at its work block, or from a point.

    Attributes:
        towards: from what is looked at to where the camera stands; need not be of length 1.
        up: the direction that points up in it; not along ``towards``.
        parallel: whether its rays are parallel; else it is seen through a pinhole, with a little
            perspective.
        shaded: whether faces are brighter or darker the way they look; if not, colours are just
            those of the palette.
        row, column: its place in the picture's grid, from 0 at the top left.
        label: what is written above it; nothing if empty.
        eye: where the camera stands, to look around as with eyes of its own; None for a place from
            which all of the block is seen. (The text of a tile is without this and what follows:
            digests of items are made of it, and some are older.)
        leaves_out: the names of bodies that are not drawn, so that one sees what is behind them.
        adds: the names of bodies of the scene's ``scenery`` that are drawn.
        ruler: whether numbers along the edges of the work block give the coordinates of its cells.
    """

    towards: Vector
    up: Vector
    parallel: bool = False
    shaded: bool = True
    row: int = 0
    column: int = 0
    label: str = ""
    eye: Vector | None = field(default=None, repr=False)
    leaves_out: frozenset[str] = field(default=frozenset(), repr=False)
    adds: frozenset[str] = field(default=frozenset(), repr=False)
    ruler: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class View:
    """A named picture.

    Attributes:
        name: what the picture is called in an observation.
        tiles: what is seen in it; places of the grid may stay empty.

    Raises:
        ValueError: no tiles, two in one place, or a place outside the grid.
    """

    name: str
    panels: tuple[Panel, ...]

    def __post_init__(self) -> None:
        places = [(tile.row, tile.column) for tile in self.panels]
        if not places:
            raise ValueError(f"the shot {self.name!r} needs a tile")
        if len(set(places)) < len(places):
            raise ValueError(f"two tiles of the shot {self.name!r} are in one place")
        if min(min(place) for place in places) < 0:
            raise ValueError(f"rows and columns of the shot {self.name!r} are counted from 0")

    @property
    def rows(self) -> int:
        """Rows of the grid."""
        return 1 + max(tile.row for tile in self.panels)

    @property
    def columns(self) -> int:
        """Columns of the grid."""
        return 1 + max(tile.column for tile in self.panels)

    @property
    def labelled(self) -> bool:
        """Whether something is written above a tile."""
        return any(tile.label for tile in self.panels)
