"""Pictures of pieces: by Luban's renderers, or as plots of voxels like the paper's.

Viewpoints are those of Matplotlib's 3D axes, in which MARBLE's figures seem to be drawn, with the
columns of a piece along x and its rows along y: from the elevation of -135 degrees the camera is
below the plane of x and y and z points down in the picture, so that the piece is seen as it is
drawn, 45 degrees from above; from the azimuth of -120 degrees it stands 30 degrees to the right of
the middle of the bottom edge.
"""

from math import cos, radians, sin

from bridge.benches.mcube.condition import CubeCondition, Presentation, Style
from bridge.benches.mcube.cubes import LETTERS, Viewpoint, find_cube, sample_viewpoints
from bridge.benches.mcube.plotting import VoxelPlot
from pysim.families.jigsaw.faces import LAST
from pysim.families.jigsaw.puzzle import make_shape
from pysim.families.jigsaw.shell import PieceRows
from pysim.geometry import HOME, Bounds
from pysim.items import Picture
from pysim.render.palette import COLOURS
from pysim.scene import Body, Scene
from pysim.viewpoints import Panel, Vector, View

__all__ = ["make_picture", "make_pictures"]

_DIGITS = 6


def make_pictures(
    condition: CubeCondition, seed: int, pieces: tuple[int, ...]
) -> tuple[Picture, ...]:
    """Return the pictures of some pieces of a cube, as the condition's arm has it.

    Args:
        pieces: their numbers.
    """
    if condition.arm in (Presentation.TEXT, Presentation.NO_PICTURE):
        return ()
    shown = find_cube(condition, seed + 1 if condition.arm is Presentation.WRONG_PICTURE else seed)
    views = sample_viewpoints(condition, seed)
    return tuple(make_picture(i, shown.pieces[i], views[i], condition.look) for i in pieces)


def make_picture(piece: int, rows: PieceRows, view: Viewpoint, look: Style) -> Picture:
    """Return a piece seen from a viewpoint; its colour is that of its letter."""
    key = f"{look} {'/'.join(rows)} {view.elevation} {view.azimuth}"
    if look is Style.PAPER:
        return Picture(LETTERS[piece], VoxelPlot(rows, view.elevation, view.azimuth), key)
    colour = COLOURS[piece]
    body = Body(colour, make_shape(rows), HOME, colour)
    tile = Panel(towards=compute_view_direction(view), up=(0.0, 0.0, 1.0))
    scene = Scene((body,), Bounds((0, 0, 0), (LAST, LAST, 0)), views=(View("piece", (tile,)),))
    return Picture(LETTERS[piece], scene, key)


def compute_view_direction(view: Viewpoint) -> Vector:
    """From a piece to the camera, in the frame of its body: Matplotlib's y and z are -y and -z."""
    elevation, azimuth = radians(view.elevation), radians(view.azimuth)
    x, y, z = cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation)
    return (round(x, _DIGITS), round(-y, _DIGITS), round(-z, _DIGITS))
