"""The cubes that are asked about: drawn evenly, and no two that look alike from any side.

Section 4.1 and appendices A and B: 50 cubes, each in its 24 rotations, make 1,200 pictures. Luban
takes no cube of which a view is one of those before, so that no picture is there twice.
"""

from functools import lru_cache
from random import Random

from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube, CornerView
from pysim.families.nets.faces import CubeFace
from pysim.families.nets.folding import ArrowNet, list_unfoldings, open_cube
from pysim.geometry import list_rotations

__all__ = ["CUBES", "TURNINGS", "create_rng", "draw_cube", "draw_net", "make_cube"]

CUBES = 50
"""Of the paper's size."""
TURNINGS = 24
_AT_ONCE = 10
"""Cubes are drawn in blocks; which ones does not depend on how many are asked for."""


def create_rng(*of: object) -> Random:
    """Return random numbers that depend on nothing but what is named."""
    return Random("euclifold/" + "/".join(map(str, of)))


def draw_cube(random: Random) -> ArrowCube:
    """Return one of the (8 x 4)^6 ways to paint a cube, each as likely."""
    return ArrowCube(
        tuple(
            Arrow(random.choice(list(ArrowColour)), random.choice(face.beside)) for face in CubeFace
        )
    )


def draw_net(cube: ArrowCube, random: Random) -> ArrowNet:
    """Return one of the 264 nets of a cube, each as likely."""
    return open_cube(cube, *random.choice(list_unfoldings()))


def make_cube(seed: int, number: int) -> ArrowCube:
    """Picture ``number`` of a seed: cube ``number // 24`` in rotation ``number % 24``."""
    cube = _cubes(seed, 1 + number // TURNINGS // _AT_ONCE)[number // TURNINGS]
    return cube.rotate(list_rotations()[number % TURNINGS])


@lru_cache(maxsize=16)
def _cubes(seed: int, blocks: int) -> tuple[ArrowCube, ...]:
    """Return the first cubes of a seed."""
    before = _cubes(seed, blocks - 1) if blocks > 1 else ()
    seen: set[CornerView] = {view for cube in before for view in cube.views}
    found: list[ArrowCube] = []
    random = create_rng("cubes", seed, blocks)
    while len(found) < _AT_ONCE:
        cube = draw_cube(random)
        views = set(cube.views)
        if len(views) == TURNINGS and not views & seen:
            found.append(cube)
            seen |= views
    return (*before, *found)
