"""What a cube's picture sheet shows: all six faces, from two corners and unfolded."""

from pysim.families.rubik.faces import Face
from pysim.families.rubik.pictures import net_shot
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.scene import WHOLE, bodies_of
from pysim.geometry import add
from pysim.puzzle import Panel
from pysim.scene import Scene
from pysim.shots import Shot, Tile

__all__ = ["sheet_of"]


def sheet_of(puzzle: CubePuzzle) -> tuple[Panel, ...]:
    """The cube as it starts."""
    bodies = bodies_of(puzzle.start)
    return (
        Panel("in front", Scene(bodies, WHOLE, shots=(_from_corner("FRU"),))),
        Panel("behind", Scene(bodies, WHOLE, shots=(_from_corner("BLD"),))),
        Panel("unfolded", Scene(bodies, WHOLE, shots=(net_shot(),))),
    )


def _from_corner(faces: str) -> Shot:
    a, b, c = (Face(letter).side.vector for letter in faces)
    return Shot("corner", (Tile(add(a, add(b, c)), Face.U.side.vector),))
