"""Picture sheet of a cube: all six faces, from two corners and unfolded."""

from pysim.families.rubik.faces import Face
from pysim.families.rubik.pictures import make_net_view
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.scene import WHOLE, make_bodies
from pysim.geometry import add
from pysim.puzzle import PreviewPanel
from pysim.scene import Scene
from pysim.viewpoints import Panel, View

__all__ = ["make_preview"]


def make_preview(puzzle: CubePuzzle) -> tuple[PreviewPanel, ...]:
    """Return the cube as it starts."""
    bodies = make_bodies(puzzle.start)
    return (
        PreviewPanel("in front", Scene(bodies, WHOLE, views=(_from_corner("FRU"),))),
        PreviewPanel("behind", Scene(bodies, WHOLE, views=(_from_corner("BLD"),))),
        PreviewPanel("unfolded", Scene(bodies, WHOLE, views=(make_net_view(),))),
    )


def _from_corner(faces: str) -> View:
    a, b, c = (Face(letter).side.vector for letter in faces)
    return View("corner", (Panel(add(a, add(b, c)), Face.U.side.vector),))
