"""The counts of W. H. Cutler, The Six-Piece Burr, Journal of Recreational Mathematics 10 (1977-78).

He counts assemblies that come apart, without holes inside, and tells mirror images apart.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.notches import make_stick
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver import solve
from pysim.geometry import Cell, Voxels, list_rotations

# The pieces that can be notched with a saw, and of which burrs without holes are made.
NOTCHABLE = (
    1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792, 824, 856, 871, 888, 911, 928, 943,
    960, 975, 992, 1007, 1024,
)  # fmt: skip

Assembled = frozenset[frozenset[Cell]]


def make_design(numbers: Sequence[int]) -> Design:
    """Return the burr without holes, made of any six of some pieces."""
    goal = make_six_piece_design([1] * 6).shapes[0]
    sticks = [DrawnShape((6, 2, 2), make_stick(number).cell_set) for number in numbers]
    full = DrawnShape(goal.size, goal.filled | goal.variable)
    parts = tuple(PartUse(k, 0, 6) for k in range(1, len(numbers) + 1))
    return Design((full, *sticks), (Problem("", parts, 0),))


def list_turned(assembled: Assembled) -> Iterator[Assembled]:
    """Yield an assembly turned in 24 ways about the middle of the cube."""
    for rotation in list_rotations():
        yield frozenset(
            frozenset(
                tuple((v + 5) // 2 for v in rotation.apply(tuple(2 * v - 5 for v in cell)))
                for cell in piece
            )
            for piece in assembled
        )


@cache
def list_sets() -> list[tuple[int, ...]]:
    """Return the numbers of the pieces of each assembly that comes apart, sorted.

    Of two mirror images the solver gives one. The other one is made of the mirrored pieces.
    """
    design = make_design(NOTCHABLE)
    numbers = {make_stick(number).canonical: number for number in NOTCHABLE}
    found = []
    for assembly in solve(design, design.problems[0]):
        own = frozenset(frozenset(cells) for _, cells in assembly.pieces)
        image = frozenset(frozenset((5 - x, y, z) for x, y, z in piece) for piece in own)
        for pieces in (own,) if image in list_turned(own) else (own, image):
            shapes = [Voxels.from_cells(piece).canonical for piece in pieces]
            if assembly.level and numbers.keys() >= set(shapes):
                found.append(tuple(sorted(numbers[shape] for shape in shapes)))
    return found


def test_25_notchable_pieces_have_314_assemblies() -> None:
    assert len({make_stick(number).canonical for number in NOTCHABLE}) == len(NOTCHABLE) == 25
    assert len(list_sets()) == 314
    assert {number for pieces in list_sets() for number in pieces} == set(NOTCHABLE)


def test_314_assemblies_are_of_221_sets_of_pieces() -> None:
    assert len(set(list_sets())) == 221


def test_42_pieces_are_enough_for_each_of_the_314_assemblies() -> None:
    """The set that is sold: of each piece as many as an assembly needs at most."""
    assert sum(max(one.count(number) for one in list_sets()) for number in NOTCHABLE) == 42
