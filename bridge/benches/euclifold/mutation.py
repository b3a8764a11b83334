"""False cubes that are nearly right: one face is changed, and the result is proven to be wrong.

Sections 4.2 and 5.1.2, appendices A and B: colour or arrow of one face is mutated at random, until
what comes out is no rotation of the true cube. Where only three faces are seen, more is asked for:
that the true cube looks so from no side.
"""

from collections.abc import Sequence
from random import Random

from bridge.benches.euclifold.condition import Negatives
from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube
from pysim.families.nets.faces import VISIBLE, CubeFace

__all__ = ["change_cube", "change_view", "choose_another"]


def change_view(cube: ArrowCube, negatives: Negatives, random: Random) -> ArrowCube:
    """The cube as it stands with one of its visible faces changed, so that it never looks so."""
    while True:
        found = _mutated(cube, random.choice(VISIBLE), negatives, random)
        if found.view not in cube.views:
            return found


def change_cube(cube: ArrowCube, random: Random) -> ArrowCube:
    """Return the cube as it stands with one face changed; no rotation makes it of the true one."""
    while True:
        found = _mutated(cube, random.choice(list(CubeFace)), Negatives.PROPER, random)
        if not found.is_same(cube):
            return found


def choose_another(of: Sequence[CubeFace], than: CubeFace, random: Random) -> CubeFace:
    """Return one of several faces that is not this one."""
    return random.choice([face for face in of if face is not than])


def _mutated(cube: ArrowCube, face: CubeFace, negatives: Negatives, random: Random) -> ArrowCube:
    """Return one face with another colour, or its arrow turned.

    A new colour is one that the cube has elsewhere; in leaked negatives it is one that it has not,
    and the colour always changes.
    """
    arrow = cube.get_arrow(face)
    present = {one.colour for one in cube.arrows}
    leaked = negatives is Negatives.LEAKED
    choices = [c for c in ArrowColour if (c in present) is not leaked and c is not arrow.colour]
    if choices and (leaked or random.random() < 0.5):
        return cube.replace_arrow(face, Arrow(random.choice(choices), arrow.towards))
    return cube.replace_arrow(
        face, Arrow(arrow.colour, choose_another(face.beside, arrow.towards, random))
    )
