"""The scene: the one thing that worlds and renderers understand.

Units: one voxel edge. Frame: right-handed, z up; cell centres on integer coordinates, so the table
under a body whose lowest cell has z = k is the plane z = k - 0.5.
"""

from dataclasses import dataclass
from typing import NewType

from pysim.geometry import Bounds, Cell, Direction, Pose, Voxels
from pysim.glyphs import Glyph
from pysim.viewpoints import View

__all__ = ["Body", "Bounds", "Colour", "Container", "Pose", "Scene", "Sticker", "hex_color"]

Colour = NewType("Colour", str)
"""A colour's name, such as ``red``: the public name of a piece. A sticker may have ``#rrggbb``."""


def hex_color(values: tuple[int, int, int]) -> Colour:
    """Return the colour of sRGB components, 0..255 each, as ``#rrggbb``."""
    return Colour("#" + bytes(values).hex())


@dataclass(frozen=True, slots=True)
class Sticker:
    """A coloured patch with round corners on one face of one cell of a body.

    Attributes:
        cell: in body coordinates.
        side: which face of the cell, in body coordinates.
        colour: how it is painted.
        glyph: what stands on it, in black or white; None for nothing.
    """

    cell: Cell
    side: Direction
    colour: Colour
    glyph: Glyph | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body.

    Attributes:
        name: its handle, unique in the scene. For pieces this is the colour's name.
        shape: its cells in body coordinates.
        pose: where it is.
        colour: how it is painted.
        loose: True if it lies free on the table, under gravity; False if it is held in place.
        stickers: what is stuck on its faces; to be seen only, worlds know nothing of it.
        translucent: True to see through it; it then has no ids, depth or shadow in pictures.
    """

    name: str
    shape: Voxels
    pose: Pose
    colour: Colour
    loose: bool = False
    stickers: tuple[Sticker, ...] = ()
    translucent: bool = False

    def place(self) -> Voxels:
        """Return the cells that it covers in the world."""
        return self.pose.place(self.shape)


@dataclass(frozen=True, slots=True)
class Container:
    """A box with thin walls. It is there to be seen: worlds know nothing of it.

    Attributes:
        bounds: the cells inside.
        open: the sides without a wall.
    """

    bounds: Bounds
    open: frozenset[Direction]


@dataclass(frozen=True, slots=True)
class Scene:
    """Bodies at one moment, and the places that matter.

    Attributes:
        bodies: in a fixed order; the picture id of body ``i`` is ``i + 1``.
        work: where the puzzle is worked on; close-up cameras look here.
        table: where loose bodies lie, or None if the scene has no table. The table's surface is
            the plane ``table.low[2] - 0.5``, endless in x and y.
        container: the box that is to be filled, or None if there is none.
        shots: the pictures that an observation of the scene has; empty for none at all, None for
            the usual views. Their names are the same in every state of a level.
        scenery: bodies that only tiles of shots that name them show, without ids or depth: the
            ceiling of a room into which all other pictures look. Those that one sees through are in
            films, too. Worlds know nothing of them.
        frames_loose: whether the loose bodies are material that is yet to be put in place, so that
            every usual view frames them together with the work block.
    """

    bodies: tuple[Body, ...]
    work: Bounds
    table: Bounds | None = None
    container: Container | None = None
    views: tuple[View, ...] | None = None
    scenery: tuple[Body, ...] = ()
    frames_loose: bool = False

    def __post_init__(self) -> None:
        names = [body.name for body in (*self.bodies, *self.scenery)]
        if len(set(names)) != len(names):
            raise ValueError(f"two bodies share a name: {sorted(names)}")
        pictures = [shot.name for shot in self.views or ()]
        if len(set(pictures)) != len(pictures):
            raise ValueError(f"two shots share a name: {sorted(pictures)}")

    def find_body(self, name: str) -> Body:
        """Return the body called ``name``.

        Raises:
            KeyError: there is none.
        """
        for body in self.bodies:
            if body.name == name:
                return body
        raise KeyError(name)
