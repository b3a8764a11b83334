"""The counts of W. H. Cutler, The Six-Piece Burr, Journal of Recreational Mathematics 10 (1977-78).

He counts assemblies that come apart, without holes inside, and tells mirror images apart.
"""

from collections.abc import Iterator, Sequence, Sized
from functools import cache
from random import Random

import pytest

from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.generator.rods import list_places
from pysim.families.burr.notches import make_stick
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver import solve_in_batches
from pysim.geometry import Cell, Voxels, add, list_rotations
from tests.families.burr.oracle import naive_levels

# The pieces that can be notched with a saw, and of which burrs without holes are made.
NOTCHABLE = (
    1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792, 824, 856, 871, 888, 911, 928, 943,
    960, 975, 992, 1007, 1024,
)  # fmt: skip

# The pieces of which burrs without holes are made. A search through all sharings of the 32 cells
# that several sticks may have found them, without Luban's solver.
USABLE = (
    1, 18, 20, 22, 24, 35, 36, 39, 40, 50, 51, 52, 54, 55, 56, 60, 64, 71, 79, 82, 84, 86, 88,
    94, 96, 100, 103, 104, 111, 112, 114, 116, 118, 120, 124, 126, 128, 154, 156, 158, 160, 172,
    176, 180, 184, 188, 190, 192, 208, 216, 220, 224, 240, 256, 274, 276, 278, 280, 291, 292,
    295, 296, 306, 307, 308, 311, 312, 316, 320, 323, 324, 327, 328, 338, 340, 342, 344, 350,
    352, 355, 356, 357, 359, 360, 365, 367, 368, 370, 371, 372, 375, 376, 380, 384, 393, 395,
    397, 399, 410, 412, 414, 416, 425, 427, 428, 429, 431, 432, 436, 440, 442, 443, 444, 447,
    448, 453, 455, 457, 459, 461, 462, 463, 464, 470, 472, 474, 476, 477, 478, 479, 480, 485,
    487, 489, 491, 492, 493, 495, 496, 500, 503, 504, 506, 507, 508, 509, 511, 512, 530, 532,
    534, 536, 547, 548, 551, 552, 562, 563, 564, 566, 567, 568, 572, 576, 594, 596, 598, 600,
    606, 608, 611, 612, 613, 615, 616, 621, 623, 624, 626, 627, 628, 630, 631, 632, 638, 640,
    649, 651, 653, 655, 666, 668, 670, 672, 681, 683, 684, 685, 687, 688, 692, 696, 698, 699,
    700, 702, 703, 704, 709, 711, 713, 717, 718, 719, 720, 726, 728, 730, 733, 734, 735, 736,
    741, 743, 745, 749, 750, 751, 752, 756, 758, 759, 760, 762, 765, 766, 767, 768, 786, 788,
    790, 791, 792, 799, 800, 818, 819, 820, 823, 824, 828, 831, 832, 850, 852, 854, 855, 856,
    862, 863, 864, 867, 868, 871, 872, 880, 882, 883, 884, 887, 888, 895, 896, 903, 904, 905,
    907, 909, 911, 912, 919, 920, 922, 924, 926, 927, 928, 935, 936, 937, 939, 940, 941, 943,
    944, 948, 951, 952, 954, 955, 956, 959, 960, 965, 967, 968, 969, 973, 974, 975, 976, 982,
    983, 984, 986, 989, 990, 991, 992, 997, 999, 1000, 1001, 1005, 1007, 1008, 1012, 1015, 1016,
    1021, 1023, 1024, 1417, 1419, 1421, 1423, 1449, 1481, 1513, 1554, 1558, 1586, 1618, 1650,
    1690, 1694, 1927, 1928, 1929, 1931, 1933, 1935, 1936, 1961, 2322, 2324, 2326, 2328, 2386,
    2458, 2460, 2834, 2836, 2838, 2839, 2840, 2847, 2848, 2898,
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


def list_apart(usable: tuple[int, ...]) -> Iterator[Assembled]:
    """Yield the assemblies that come apart, of two mirror images the one that the solver gives."""
    design = make_design(usable)
    for batch in solve_in_batches(design, design.problems[0]):
        for laid, level in zip(batch.found.laid.tolist(), batch.found.levels, strict=True):
            if level:
                yield frozenset(frozenset(batch.board.placed[row]) for _, row in laid)


@cache
def index_forms(usable: tuple[int, ...]) -> dict[frozenset[Cell], int]:
    """Return the number of each piece by its cells in each turn, the low corner at the origin."""
    return {
        make_stick(number).rotate(rotation).move_to_origin().cell_set: number
        for number in usable
        for rotation in list_rotations()
    }


def list_numbers(assembled: Assembled, usable: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of the pieces of an assembly, sorted, 0 for each that is not usable."""
    forms = index_forms(usable)
    pieces = (Voxels.from_cells(piece).move_to_origin().cell_set for piece in assembled)
    return tuple(sorted(forms.get(piece, 0) for piece in pieces))


@cache
def list_sets(usable: tuple[int, ...] = NOTCHABLE) -> list[tuple[int, ...]]:
    """Return the numbers of the pieces of each assembly that comes apart.

    The solver counts two mirror images as one if there are the pieces for both.
    """
    found = []
    for own in list_apart(usable):
        image = frozenset(frozenset((5 - x, y, z) for x, y, z in piece) for piece in own)
        sets = list_numbers(own, usable), list_numbers(image, usable)
        is_same = sets[0] == sets[1] and image in list_turned(own)
        found += [numbers for numbers in sets[: 1 if is_same else 2] if numbers[0]]
    return found


def list_forced(usable: tuple[int, ...]) -> Iterator[tuple[Assembled, tuple[int, ...]]]:
    """Yield every way to fill the six rods with pieces, rod by rod, and the numbers of the pieces.

    What no later rod can cover must be covered. Turned copies are all given.
    """
    rods = [sorted(rod) for rod in list_places(6, 6)]
    last = [frozenset(rod).difference(*rods[k + 1 :]) for k, rod in enumerate(rods)]
    fitting: list[dict[frozenset[Cell], list[tuple[frozenset[Cell], int]]]] = [{} for _ in rods]
    for cells, number in index_forms(usable).items():
        for k, rod in enumerate(rods):
            placed = frozenset(add(cell, rod[0]) for cell in cells)
            if placed <= set(rod):
                fitting[k].setdefault(placed & last[k], []).append((placed, number))

    def fill(k: int, covered: frozenset[Cell]) -> Iterator[tuple[tuple[frozenset[Cell], int], ...]]:
        if k == len(rods):
            yield ()
            return
        for piece in fitting[k].get(last[k] - covered, ()):
            if not piece[0] & covered:
                for others in fill(k + 1, covered | piece[0]):
                    yield piece, *others

    for pieces in fill(0, frozenset()):
        yield frozenset(cells for cells, _ in pieces), tuple(sorted(n for _, n in pieces))


def list_forced_sets(usable: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return what :func:`list_sets` does, without the solver."""
    seen: set[Assembled] = set()
    found = []
    for assembled, numbers in list_forced(usable):
        if assembled not in seen:
            seen.update(list_turned(assembled))
            if naive_levels(assembled):
                found.append(numbers)
    return found


def test_25_notchable_pieces_have_314_assemblies() -> None:
    assert len({make_stick(number).canonical for number in NOTCHABLE}) == len(NOTCHABLE) == 25
    assert len(list_sets()) == 314
    assert {number for pieces in list_sets() for number in pieces} == set(NOTCHABLE)


def test_314_assemblies_are_of_221_sets_of_pieces() -> None:
    assert len(set(list_sets())) == 221


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_assemblies_of_some_usable_pieces_are_those_that_force_finds(seed: int) -> None:
    rest = sorted(set(USABLE) - set(NOTCHABLE))
    usable = tuple(sorted((*NOTCHABLE[seed::2], *Random(seed).sample(rest, 24))))
    forced = sorted(list_forced_sets(usable))
    assert forced and sorted(list_sets(usable)) == forced


@pytest.mark.slow
def test_solver_keeps_nothing_of_the_assemblies_that_it_found() -> None:
    """Nine million assemblies are laid from the 369 pieces."""
    design = make_design(USABLE[::6])
    kept = [
        sum(len(value) for value in vars(batch.dealer).values() if isinstance(value, Sized))
        for batch in solve_in_batches(design, design.problems[0])
        if len(batch)
    ]
    assert len(kept) > 10 and len(set(kept)) == 1


# Takes 166 CPU seconds.
@pytest.mark.slow
def test_369_usable_pieces_have_119_979_assemblies() -> None:
    assert len({make_stick(number).canonical for number in USABLE}) == len(USABLE) == 369
    assert len(list_sets(USABLE)) == 119_979
    assert {number for pieces in list_sets(USABLE) for number in pieces} == set(USABLE)


def test_42_pieces_are_enough_for_each_of_the_314_assemblies() -> None:
    """The set that is sold: of each piece as many as an assembly needs at most."""
    assert sum(max(one.count(number) for one in list_sets()) for number in NOTCHABLE) == 42
