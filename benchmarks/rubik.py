"""Seconds for a shortest solution of the cube, on one core.

Ten fixed random states at each of 12, 14 and 16 face turns from home: scrambles drawn with fixed
seeds and kept if the solver proves that distance (so every state is solved whole, and its proof is
part of the time). Times are of this process's CPU. Missing tables are made first, and the time for
that is a figure of its own. The two-phase algorithm solves 100 cubes, each after 40 random moves.
"""

import random
import sys
import time
from collections.abc import Iterator
from itertools import islice

from benchmarks.harness import Report, run_benchmark
from pysim.families.rubik.cube import Cube, cube_after
from pysim.families.rubik.moves import Metric, Move, all_moves
from pysim.families.rubik.solver.optimal import has_tables, prepare, solve_optimally
from pysim.families.rubik.solver.storing import cache_folder
from pysim.families.rubik.solver.twophase import solve_in_two_phases

SEED = 7
STATES = 10
DEPTHS = (12, 14, 16)
CUBES = 100


def measure() -> Report:
    """Solve every state once."""
    report = Report("rubik")
    missing = not has_tables(Metric.HTM)
    began = time.perf_counter()
    prepare(Metric.HTM, _tell)
    if missing:
        report.figures["build_s"] = time.perf_counter() - began
    solve_optimally(next(_scrambles(5)))
    for depth in DEPTHS:
        seconds = _seconds(depth)
        report.figures[f"mean_{depth}_moves_s"] = sum(seconds) / len(seconds)
        report.figures[f"most_{depth}_moves_s"] = max(seconds)
    milliseconds, turns = _near_optimal()
    report.figures |= {"two_phase_mean_ms": milliseconds, "two_phase_mean_turns": turns}
    report.figures["tables_mb"] = sum(f.stat().st_size for f in cache_folder().iterdir()) / 1e6
    report.targets = {
        "mean_16_moves_s": ("<=", 10.0),
        "tables_mb": ("<=", 200.0),
        "two_phase_mean_ms": ("<=", 100.0),
        "two_phase_mean_turns": ("<=", 21.0),
    }
    if missing:
        report.targets["build_s"] = ("<=", 360.0)
    return report


def _seconds(depth: int) -> list[float]:
    """CPU seconds for each of the states that are ``depth`` away."""
    seconds: list[float] = []
    for cube in _scrambles(depth):
        began = time.process_time()
        solution = solve_optimally(cube)
        took = time.process_time() - began
        if solution.moves is not None and len(solution.moves) == depth:
            if not cube.after(solution.moves).solved:
                raise AssertionError("the solver's moves do not solve the cube")
            seconds.append(took)
        if len(seconds) == STATES:
            break
    return seconds


def _near_optimal() -> tuple[float, float]:
    """Milliseconds and face turns of a two-phase solution, on average."""
    cubes = list(islice(_scrambles(40), CUBES))
    solve_in_two_phases(cubes[0])  # Makes its tables.
    began = time.process_time()
    turns = sum(len(solve_in_two_phases(cube)) for cube in cubes)
    return (time.process_time() - began) / CUBES * 1000.0, turns / CUBES


def _scrambles(length: int) -> Iterator[Cube]:
    """Cubes after random moves, no two of one face in a row; the same ones every time."""
    chance = random.Random(f"{SEED} {length}")
    while True:
        moves: list[Move] = []
        while len(moves) < length:
            move = chance.choice(all_moves())
            if not moves or move.face is not moves[-1].face:
                moves.append(move)
        yield cube_after(moves)


def _tell(share: float) -> None:
    print(f"\rtables: {share:4.0%}", end="\n" if share >= 1.0 else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    run_benchmark(measure, "CPU time of the optimal solver of the cube.")
