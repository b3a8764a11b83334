"""The pictures of items, in each look."""

from bridge.benches.euclifold.condition import PictureLook
from bridge.benches.euclifold.drawings import CubeDrawing, NetDrawing
from bridge.benches.euclifold.plots import CubePlot, NetPlot
from pysim.families.nets.cube import ArrowCube
from pysim.families.nets.faces import VISIBLE
from pysim.families.nets.folding import ArrowNet
from pysim.families.nets.plates import make_cube_scene, make_net_scene
from pysim.items import Picture

__all__ = ["make_cube_picture", "make_net_picture"]


def make_cube_picture(name: str, cube: ArrowCube, look: PictureLook) -> Picture:
    """Top, front and right of a cube."""
    seen = " ".join(
        f"{cube.get_arrow(face).colour}>{cube.get_arrow(face).towards}" for face in VISIBLE
    )
    match look:
        case PictureLook.LUBAN:
            return Picture(name, make_cube_scene(cube), seen)
        case PictureLook.PAPER:
            return Picture(name, CubeDrawing(cube.view), f"paper {seen}")
        case PictureLook.MATPLOTLIB:
            return Picture(name, CubePlot(cube.view), f"matplotlib {seen}")


def make_net_picture(name: str, net: ArrowNet, look: PictureLook) -> Picture:
    """Return a net that lies flat, the arrows up."""
    match look:
        case PictureLook.LUBAN:
            return Picture(name, make_net_scene(net), str(net))
        case PictureLook.PAPER:
            return Picture(name, NetDrawing(net), f"paper {net}")
        case PictureLook.MATPLOTLIB:
            return Picture(name, NetPlot(net), f"matplotlib {net}")
