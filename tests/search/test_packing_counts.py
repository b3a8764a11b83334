"""Published numbers of packings, with the pieces of the benchmark."""

from itertools import permutations, product

import pytest

from perf.packing import BEDLAM, FLAT_BOX, SOMA, Packing
from pysim.geometry import Cell, Voxels
from pysim.search.exact_cover import CoverMatrix, CoverSearch, solve

PENTOMINOES = (
    "00 01 02 03 04", "00 01 02 03 10", "00 01 02 03 11", "00 01 02 12 13", "00 01 02 10 20",
    "00 01 02 10 11", "00 01 02 10 12", "00 01 02 11 21", "00 01 11 12 22", "00 01 11 21 22",
    "01 10 11 12 20", "01 10 11 12 21",
)  # fmt: skip


def matrix(packing: Packing) -> CoverMatrix:
    problem = packing.problem()
    return CoverMatrix.from_rows(problem.rows, problem.columns)


def piece_of_each_cell(packing: Packing) -> list[dict[Cell, int]]:
    """For each solution, which piece lies where."""
    problem = packing.problem()
    cells = Voxels.make_block(packing.box).cells
    pieces = len(packing.pieces)
    return [
        {cells[c - pieces]: problem.rows[row][0] for row in cover for c in problem.rows[row][1:]}
        for cover in solve(CoverMatrix.from_rows(problem.rows, problem.columns))
    ]


def pentomino_rows(width: int, height: int) -> list[list[int]]:
    """All placements: columns are the 12 pieces, then the cells."""
    rows = []
    for piece, text in enumerate(PENTOMINOES):
        cells = [(int(cell[0]), int(cell[1])) for cell in text.split()]
        shapes = set()
        for swap, a, b in product((False, True), (1, -1), (1, -1)):
            turned = [(a * (y if swap else x), b * (x if swap else y)) for x, y in cells]
            low_x, low_y = min(x for x, _ in turned), min(y for _, y in turned)
            shapes.add(frozenset((x - low_x, y - low_y) for x, y in turned))
        for shape, dx, dy in product(sorted(map(sorted, shapes)), range(width), range(height)):
            moved = [(x + dx, y + dy) for x, y in shape]
            if all(x < width and y < height for x, y in moved):
                rows.append([piece, *(12 + x * height + y for x, y in moved)])
    return rows


def test_soma_has_480_solutions_up_to_rotation() -> None:
    assert solve(matrix(SOMA)).count == SOMA.solutions == 480


def test_soma_has_240_solutions_up_to_rotation_and_reflection() -> None:
    # Conway and Guy (1961). A solution is known by its cells' pieces; the two screws, 4 and 5 here,
    # are each other's mirror images.
    mirrored_piece = [0, 1, 2, 3, 5, 4, 6]
    classes = set()
    for solution in piece_of_each_cell(SOMA):
        images = []
        for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
            odd = sum(order[a] > order[b] for a in range(3) for b in range(a + 1, 3)) % 2
            is_mirror = (-1) ** odd * signs[0] * signs[1] * signs[2] < 0
            image = {}
            for cell, piece in solution.items():
                turned = tuple((cell[order[k]] - 1) * signs[k] + 1 for k in range(3))
                image[turned] = mirrored_piece[piece] if is_mirror else piece
            images.append(tuple(image[cell] for cell in sorted(image)))
        classes.add(min(images))
    assert len(classes) == 240


def test_the_flat_box_is_filled_in_16_ways_two_up_to_rotation() -> None:
    assert solve(matrix(FLAT_BOX)).count == FLAT_BOX.solutions == 16


@pytest.mark.parametrize(("width", "height", "count"), [(3, 20, 8), (6, 10, 9356)])
def test_pentominoes_fill_rectangles_in_their_published_numbers(
    width: int, height: int, count: int
) -> None:
    # Haselgrove (1960): 2 and 2339, times the four symmetries of a rectangle.
    found = solve(
        CoverMatrix.from_rows(pentomino_rows(width, height), 12 + width * height), keep=False
    )
    assert found.count == count


def test_bedlams_cube_has_a_first_solution_at_once() -> None:
    problem = BEDLAM.problem()
    result = solve(CoverMatrix.from_rows(problem.rows, problem.columns), max_covers=1)
    assert result.first is not None
    covered = sorted(column for row in result.first for column in problem.rows[row])
    assert covered == list(range(13 + 64))


@pytest.mark.slow
def test_bedlams_cube_has_19186_solutions_also_when_interrupted() -> None:
    search = CoverSearch(matrix(BEDLAM))
    count = 0
    while not search.exhausted:
        count += search.run(keep=False, max_nodes=5_000_000).count
    assert count == BEDLAM.solutions == 19186
