"""The pictures of items, in either look."""

from pysim.families.nets.cube import ArrowCube
from pysim.families.nets.euclifold.condition import PictureLook
from pysim.families.nets.euclifold.drawings import CubeDrawing, NetDrawing
from pysim.families.nets.faces import VISIBLE
from pysim.families.nets.folding import ArrowNet
from pysim.families.nets.plates import cube_scene, net_scene
from pysim.items import Picture

__all__ = ["cube_picture", "net_picture"]


def cube_picture(name: str, cube: ArrowCube, look: PictureLook) -> Picture:
    """Top, front and right of a cube."""
    of = cube_scene(cube) if look is PictureLook.LUBAN else CubeDrawing(cube.view)
    seen = " ".join(f"{cube.on(face).colour}>{cube.on(face).towards}" for face in VISIBLE)
    return Picture(name, of, seen if look is PictureLook.LUBAN else f"paper {seen}")


def net_picture(name: str, net: ArrowNet, look: PictureLook) -> Picture:
    """A net that lies flat, the arrows up."""
    of = net_scene(net) if look is PictureLook.LUBAN else NetDrawing(net)
    return Picture(name, of, str(net) if look is PictureLook.LUBAN else f"paper {net}")
