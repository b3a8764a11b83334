"""Scenes to look at: none of them is its own mirror image, whichever way it is turned."""

from dataclasses import replace

from pysim.geometry import Bounds, Direction, Pose, Rotation, Voxels
from pysim.glyphs import Glyph
from pysim.render.camera import Camera, list_cameras, make_camera_set, measure_bounds
from pysim.scene import Body, Colour, Container, Scene, Sticker

__all__ = ["adorned", "bare", "cameras"]


def bare() -> Scene:
    """A crooked body, a bar that is turned, and a cube apart from both."""
    crooked = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (0, 0, 1), (0, 0, 2)])
    bar = Voxels.from_cells([(0, 0, 0), (0, 1, 0), (0, 2, 0)])
    cube = Voxels.from_cells([(0, 0, 0)])
    bodies = (
        Body("red", crooked, Pose(Rotation(0), (0, 0, 0)), Colour("red")),
        Body("blue", bar, Pose(Rotation(5), (4, 3, 1)), Colour("blue")),
        Body("green", cube, Pose(Rotation(0), (1, 3, 0)), Colour("green")),
    )
    block = Bounds.cover(body.place().bounds for body in bodies)
    return Scene(bodies, block)


def adorned() -> Scene:
    """The same with stickers and signs on them, the cube seen through, in a box on a table."""
    scene = bare()
    red, blue, green = scene.bodies
    signs = [Glyph("F", 1), Glyph("R"), None]
    stickers = tuple(
        Sticker(cell, side, Colour("yellow"), signs[i % 3])
        for i, cell in enumerate(red.shape.cells)
        for side in Direction
    )
    block = measure_bounds(scene)
    return replace(
        scene,
        bodies=(replace(red, stickers=stickers), blue, replace(green, translucent=True)),
        container=Container(block, frozenset({Direction.PLUS_Z, Direction.MINUS_Y})),
        table=Bounds(block.low, (block.high[0] + 2, block.high[1], block.low[2])),
    )


def cameras(scene: Scene) -> list[Camera]:
    """A pinhole, one with parallel rays, one that does not shade, and one with a shift."""
    pinhole, *_ = list_cameras(scene)
    parallel, other, *_ = make_camera_set("iso4", measure_bounds(scene), orthographic=True)
    return [
        pinhole,
        parallel,
        replace(other, shaded=False),
        replace(pinhole, name="shifted", shift=(0.3, -0.2)),
    ]
