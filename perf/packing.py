"""CPU time of the exact cover search on packings, against the PyPI packages xcover and exact-cover.

Every search gets the same rows, one thread and one warm-up. Soma and Bedlam's cube are counted up
to rotation: one piece that no rotation of the box leaves in place has one placement of each orbit
only. exact-cover, of which there are builds for Python 3.11 only, is left out where it is not
installed; it takes minutes on Bedlam's cube and is asked for it only with ``--all-peers``.
"""

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TypeVar

import numpy as np

from perf.harness import Report, run_benchmark
from pysim.geometry import Cell, Rotation, Voxels, list_rotations
from pysim.search.exact_cover import CoverMatrix, CoverResult, solve

__all__ = ["BEDLAM", "FLAT_BOX", "SOMA", "Packing", "Problem"]


T = TypeVar("T")


@dataclass(frozen=True)
class Problem:
    """Rows of columns, all of which must be covered."""

    rows: list[list[int]]
    columns: int


@dataclass(frozen=True)
class Packing:
    """Pieces that fill a box.

    Attributes:
        name: a word for the figures.
        box: the box's size in cells.
        pieces: the cells of each piece as digits, x, y and z.
        reduced: the piece that stands for the whole in questions of symmetry, or None.
        solutions: how many ways there are.
        repeats: searches are timed this often, and the least time counts.
    """

    name: str
    box: Cell
    pieces: tuple[str, ...]
    reduced: int | None
    solutions: int
    repeats: int

    def problem(self) -> Problem:
        """Return a row for each placement; columns are the pieces, then the cells."""
        cells = Voxels.make_block(self.box).cells
        column = {cell: len(self.pieces) + i for i, cell in enumerate(cells)}
        rows = []
        for piece, text in enumerate(self.pieces):
            placements = self._placements(text)
            if piece == self.reduced:
                placements = list({self._orbit(p): p for p in reversed(placements)}.values())
            rows += [[piece, *(column[cell] for cell in placed.cells)] for placed in placements]
        return Problem(rows, len(self.pieces) + len(cells))

    def _placements(self, text: str) -> list[Voxels]:
        x, y, z = self.box
        shape = Voxels.from_cells((int(d[0]), int(d[1]), int(d[2])) for d in text.split())
        turned = {shape.rotate(rotation).move_to_origin() for rotation in list_rotations()}
        found = []
        for one in sorted(turned, key=lambda voxels: voxels.cells):
            a, b, c = one.bounds.size
            corners = itertools.product(range(x - a + 1), range(y - b + 1), range(z - c + 1))
            found += [one.translate(corner) for corner in corners]
        return found

    def _orbit(self, placed: Voxels) -> frozenset[Voxels]:
        """Return the copies of a placement under the rotations of the box."""
        return frozenset(
            placed.rotate(rotation).translate(offset) for rotation, offset in _turns(self.box)
        )


@cache
def _turns(box: Cell) -> list[tuple[Rotation, Cell]]:
    """Rotations of a box into itself, and how it is moved back after each."""
    block = Voxels.make_block(box)
    turns = []
    for rotation in list_rotations():
        turned = block.rotate(rotation)
        if turned.move_to_origin() == block:
            x, y, z = turned.bounds.low
            turns.append((rotation, (-x, -y, -z)))
    return turns


SOMA = Packing(
    "soma",
    (3, 3, 3),
    (
        "000 010 100",
        "000 010 100 200",
        "000 100 110 200",
        "000 100 110 210",
        "000 010 110 111",
        "000 100 110 111",
        "000 001 010 100",
    ),
    reduced=1,
    solutions=480,  # 240 (Conway and Guy, 1961) and their mirror images.
    repeats=5,
)
BEDLAM = Packing(
    "bedlam",
    (4, 4, 4),
    (
        "010 100 110 120 210",
        "010 100 110 111 210",
        "010 110 200 201 210",
        "020 100 101 110 120",
        "020 110 120 200 210",
        "020 100 110 120 210",
        "010 100 101 110 210",
        "020 100 110 120 121",
        "010 020 100 101 110",
        "020 100 110 111 120",
        "010 020 100 110 111",
        "010 020 101 110 111",
        "010 011 100 110",
    ),
    reduced=4,
    solutions=19186,  # The count that Bedlam's puzzle was sold with.
    repeats=1,
)
FLAT_BOX = Packing(
    "box_3x3x4",
    (3, 3, 4),
    (
        "000 001 002 010 011",
        "000 001 011 101 102",
        "000 001 002 012 112",
        "000 001 002 010 011 012",
        "000 001 011 101 111 112",
        "000 001 002 010 100",
        "000 001 010 011",
    ),
    reduced=None,
    solutions=16,
    repeats=5,
)


def measure(*, all_peers: bool = False) -> Report:
    """Time all searches on all packings."""
    report = Report("packing")
    different = 0
    _warm_up()
    for packing in (SOMA, FLAT_BOX, BEDLAM):
        name, problem = packing.name, packing.problem()
        own, result = _timed(_with_luban, problem, packing.repeats)
        different += len(result.covers) != packing.solutions
        report.figures |= {
            f"{name}_rows": len(problem.rows),
            f"{name}_solutions": len(result.covers),
            f"{name}_nodes": result.nodes,
            f"{name}_cpu_s": own,
        }
        for peer, count in _peers().items():
            if packing is BEDLAM and peer == "exact_cover" and not all_peers:
                continue
            seconds, found = _timed(count, problem, packing.repeats)
            different += found != packing.solutions
            report.figures[f"{name}_{peer}_cpu_s"] = seconds
            report.figures[f"{name}_of_{peer}"] = own / seconds
    report.figures["different_counts"] = different
    report.targets = {
        "bedlam_of_xcover": ("<=", 0.2),
        "box_3x3x4_of_xcover": ("<=", 0.2),
        "different_counts": ("<=", 0),
    }
    return report


def _timed(job: Callable[[Problem], T], problem: Problem, repeats: int) -> tuple[float, T]:
    """Least CPU seconds of a job, and its answer."""
    least = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        answer = job(problem)
        least = min(least, time.process_time() - began)
    return least, answer


def _with_luban(problem: Problem) -> CoverResult:
    return solve(CoverMatrix.from_rows(problem.rows, problem.columns))


def _with_xcover(problem: Problem) -> int:
    from xcover import covers

    return sum(1 for _ in covers(problem.rows, primary=list(range(problem.columns))))


def _with_exact_cover(problem: Problem) -> int:
    from exact_cover import get_solution_count

    matrix = np.zeros((len(problem.rows), problem.columns), bool)
    for i, row in enumerate(problem.rows):
        matrix[i, row] = True
    return int(get_solution_count(matrix))


def _peers() -> dict[str, Callable[[Problem], int]]:
    """Return the packages that are installed, by name."""
    known = {"xcover": _with_xcover, "exact_cover": _with_exact_cover}
    return {name: count for name, count in known.items() if find_spec(name)}


def _warm_up() -> None:
    """Load the packages, and compile."""
    problem = Problem([[0], [1]], 2)
    for job in (_with_luban, *_peers().values()):
        job(problem)


if __name__ == "__main__":
    run_benchmark(
        measure,
        "CPU time of the exact cover search on packings.",
        all_peers="also time exact-cover on Bedlam's cube, which takes minutes",
    )
