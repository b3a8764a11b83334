"""Is a state one that turns lead to, and if not, why?

Of the ways in which corners and edges can be put into a cube only one in twelve is (Hofstadter
1981): twists add up to a whole turn, flips to an even number, and both permutations have one
parity.
"""

from enum import StrEnum

from pysim.errors import InputError
from pysim.families.rubik.cube import CORNER_NAMES, EDGE_NAMES, Cube, compute_parity

__all__ = ["Defect", "InvalidCube", "check_cube", "find_faults"]


class Defect(StrEnum):
    """Fault of a state."""

    COUNT = "count"
    """A cubie, or a colour, is there too often or not at all."""
    TWIST = "twist"
    """The corners are twisted by a third or two thirds of a turn altogether."""
    FLIP = "flip"
    """An odd number of edges is flipped."""
    PARITY = "parity"
    """Two corners, or two edges, have changed places."""


class InvalidCube(InputError):
    """A state that no turns lead to.

    Attributes:
        faults: everything that is wrong with it.
    """

    def __init__(self, faults: tuple[Defect, ...], message: str) -> None:
        super().__init__(message)
        self.faults = faults


def check_cube(cube: Cube) -> Cube:
    """``cube``, if turns lead to it.

    Raises:
        InvalidCube: they don't; the message names everything that is wrong.
    """
    found = find_faults(cube)
    if found:
        raise InvalidCube(tuple(found), "no turns lead to this cube: " + "; ".join(found.values()))
    return cube


def find_faults(cube: Cube) -> dict[Defect, str]:
    """Find the faults of a state, in words; empty if there is none."""
    wrong = [
        *_wrong_counts("corner", cube.corners, CORNER_NAMES),
        *_wrong_counts("edge", cube.edges, EDGE_NAMES),
    ]
    found = {Defect.COUNT: ", ".join(wrong)} if wrong else {}
    twist, flip = sum(cube.twists) % 3, sum(cube.flips) % 2
    if twist:
        found[Defect.TWIST] = f"its corners are twisted by {twist}/3 of a turn altogether"
    if flip:
        found[Defect.FLIP] = f"{sum(cube.flips)} edges are flipped, an odd number"
    if not wrong and compute_parity(cube.corners) != compute_parity(cube.edges):
        found[Defect.PARITY] = "two corners or two edges have changed places (parity)"
    return found


def _wrong_counts(noun: str, cubies: tuple[int, ...], names: tuple[str, ...]) -> list[str]:
    return [
        f"{noun} {name} is there {cubies.count(i)} times"
        for i, name in enumerate(names)
        if cubies.count(i) != 1
    ]
