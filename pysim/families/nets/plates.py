"""Faces as bodies: plates and cubes of cells on which arrows are laid out in stickers.

A plate is seven cells wide and one thick, and lies in the plane z = 0 with its arrow above; what
is up in a drawing is +y. The middles of two plates of a flat net are eight cells apart: the row of
cells between them is empty, and a hinge runs along its middle, so that a plate that is turned about
it by 90 degrees lies on the lattice again.
"""

from functools import cache

from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube
from pysim.families.nets.faces import CubeFace, Frame, Heading
from pysim.families.nets.folding import ArrowNet
from pysim.geometry import HOME, IDENTITY, Bounds, Cell, Pose, Voxels
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.viewpoints import Panel, View

__all__ = [
    "HALF",
    "PAPER",
    "PITCH",
    "PLATE",
    "make_arrow_stickers",
    "make_cube_scene",
    "make_net_scene",
]

HALF = 3
"""Cells from the middle of a plate to its last one."""
PITCH = 8
"""Cells from the middle of a plate to that of its neighbour."""
PAPER = Colour("white")
"""What plates are made of."""
PLATE = Voxels.from_cells(
    [(x, y, 0) for x in range(-HALF, HALF + 1) for y in range(-HALF, HALF + 1)]
)

_REACH = 2
_SIGN = ("..#..", ".###.", "#.#.#", "..#..", "..#..")
"""An arrow that points up, rows from the top; it reaches ``_REACH`` cells from the middle."""
_BLOCK = range(-HALF, HALF + 1)
_FROM_ABOVE = Panel((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), parallel=True, shaded=False)
_FROM_THE_CORNER = Panel((1.0, -1.0, 0.9), (0.0, 0.0, 1.0))


@cache
def _inked() -> tuple[tuple[int, int], ...]:
    """Return the cells of an arrow that points up: x to the right and y up, from its middle."""
    return tuple(
        (x - _REACH, _REACH - y)
        for y, row in enumerate(_SIGN)
        for x, sign in enumerate(row)
        if sign == "#"
    )


@cache
def make_arrow_stickers(colour: ArrowColour, way: Heading) -> tuple[Sticker, ...]:
    """Return the arrow on the upper side of a plate."""
    return _stickers(Frame(CubeFace.TOP, CubeFace.BACK), colour, way, 0)


def _stickers(frame: Frame, colour: ArrowColour, way: Heading, out: int) -> tuple[Sticker, ...]:
    """Return an arrow on a face.

    Args:
        frame: where the face is.
        way: the arrow's, seen from outside in this frame.
        out: cells from the middle of the body to the layer with the face.
    """
    along = [frame.find_face(way.turn(1)).side.vector, frame.find_face(way).side.vector]
    outward = frame.outward.side
    middle = [out * k for k in outward.vector]

    def cell(x: int, y: int) -> Cell:
        a, b, c = (m + x * r + y * u for m, r, u in zip(middle, *along, strict=True))
        return a, b, c

    return tuple(Sticker(cell(x, y), outward, Colour(colour.value)) for x, y in _inked())


@cache
def _on_cube(face: CubeFace, arrow: Arrow) -> tuple[Sticker, ...]:
    frame = Frame(face, arrow.towards)
    return _stickers(frame, arrow.colour, Heading.UP, HALF)


_CUBE = Voxels.from_cells([(x, y, z) for x in _BLOCK for y in _BLOCK for z in _BLOCK])


def make_cube_scene(cube: ArrowCube) -> Scene:
    """Return a cube, seen from the corner between top, front and right."""
    stickers = tuple(one for face in CubeFace for one in _on_cube(face, cube.get_arrow(face)))
    body = Body("cube", _CUBE, HOME, PAPER, stickers=stickers)
    return Scene((body,), _CUBE.bounds, views=(View("cube", (_FROM_THE_CORNER,)),))


def make_net_scene(net: ArrowNet) -> Scene:
    """Return a net that lies flat, seen from above."""
    bodies = tuple(
        Body(
            f"square {number}",
            PLATE,
            Pose(IDENTITY, (PITCH * x, PITCH * y, 0)),
            PAPER,
            stickers=make_arrow_stickers(arrow.colour, arrow.way),
        )
        for number, ((x, y), arrow) in enumerate(zip(net.shape, net.arrows, strict=True), start=1)
    )
    work = Bounds.cover(body.place().bounds for body in bodies)
    return Scene(bodies, work, views=(View("net", (_FROM_ABOVE,)),))
