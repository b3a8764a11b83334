"""Seconds for a shortest solution of the cube, on all cores.

Ten fixed random states at each of 12, 14 and 16 face turns from home: scrambles drawn with fixed
seeds and kept if the solver proves that distance (so every state is solved whole, and its proof is
part of the time). ``--deep`` adds ten at 17 face turns and three at 18, which takes minutes. Times
are by the clock, and of this process's CPU on all cores together. ``LUBAN_CUBE_TABLES`` chooses the
size of the tables, else it is ``medium``, the smallest that reaches the targets; missing ones
are made first, and the time for that is a figure of its own. The
two-phase algorithm solves 100 cubes, each after 40 random moves.

``--peers`` gives the same states to H48 (``NISSY_SOLVE_FILE=FILE``, the tool ``solve_file`` of
github.com/sebastianotronto/nissy-core, ready built; it makes its tables beside itself).
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice

from perf.harness import Report, run_benchmark
from perf.rubik_peers import add_h48
from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.moves import Metric, Move, format_moves, list_moves, parse_moves
from pysim.families.rubik.shortest import CubeSolver
from pysim.families.rubik.solver.ida_star.places import SIZE_VARIABLE, TableSize, read_chosen_size
from pysim.families.rubik.solver.mapping import has_tables, prepare
from pysim.families.rubik.solver.storing import find_table_path
from pysim.families.rubik.solver.twophase import solve_in_two_phases

SEED = 7
STATES = {12: 10, 14: 10, 16: 10, 17: 10, 18: 3}
DEEP = 17
CUBES = 100
STARTS = 5
SHALLOW, FARTHER = "R U F", "R U F D L B U R F D L2 B"


def measure(*, deep: bool = False, peers: bool = False) -> Report:
    """Solve every state once."""
    report = Report("rubik")
    os.environ.setdefault(SIZE_VARIABLE, TableSize.MEDIUM)
    size = read_chosen_size()
    report.notes["tables"] = f"{size} (LUBAN_CUBE_TABLES)"
    missing = not has_tables(Metric.HTM)
    began, worked = time.perf_counter(), time.process_time()
    prepare(Metric.HTM, _tell)
    if missing:
        report.figures["build_s"] = time.perf_counter() - began
        report.figures["build_cpu_s"] = time.process_time() - worked
    _solve(next(_scrambles(13)))
    chosen = {depth: _states(depth, report) for depth in STATES if deep or depth < DEEP}
    report.figures["start_s"] = min(_start(SHALLOW) for _ in range(STARTS))
    report.figures["start_12_moves_s"] = min(_start(FARTHER) for _ in range(STARTS))
    milliseconds, turns = _near_optimal()
    report.figures |= {"two_phase_mean_ms": milliseconds, "two_phase_mean_turns": turns}
    report.figures["tables_mb"] = _megabytes(size)
    report.targets = {
        name: target for name, target in _targets(size).items() if name in report.figures
    }
    if peers:
        add_h48(report, _megabytes(size), chosen)
    return report


def _targets(size: TableSize) -> dict[str, tuple[str, float]]:
    largest = size is TableSize.HUGE
    return {
        "mean_16_moves_s": ("<=", 0.7),
        "mean_17_moves_s": ("<=", 1.0 if largest else 5.0),
        "mean_18_moves_s": ("<=", 60.0),
        "tables_mb": ("<=", 2.4 * 1024**3 / 1e6 if largest else 1000.0),
        "build_s": ("<=", 180.0),
        "start_s": ("<=", 0.3),
        "two_phase_mean_ms": ("<=", 100.0),
        "two_phase_mean_turns": ("<=", 21.0),
    }


def _states(depth: int, report: Report) -> list[str]:
    """Measure states that are ``depth`` away; their scrambles."""
    seconds: list[float] = []
    worked: list[float] = []
    chosen: list[str] = []
    for cube in _scrambles(depth):
        began, cpu = time.perf_counter(), time.process_time()
        solution = _solve(cube)
        took, work = time.perf_counter() - began, time.process_time() - cpu
        if len(solution) == depth:
            if not cube.turn(solution).solved:
                raise AssertionError("the solver's moves do not solve the cube")
            seconds.append(took)
            worked.append(work)
            chosen.append(format_moves(move.inverse for move in reversed(solution)))
        if len(seconds) == STATES[depth]:
            break
    report.figures[f"mean_{depth}_moves_s"] = sum(seconds) / len(seconds)
    report.figures[f"most_{depth}_moves_s"] = max(seconds)
    report.figures[f"mean_{depth}_moves_cpu_s"] = sum(worked) / len(worked)
    return chosen


def _solve(cube: Cube) -> tuple[Move, ...]:
    """Return a shortest solution, on all cores."""
    *_, last = CubeSolver().search(cube, Metric.HTM, everything=False)
    return parse_moves(last.solutions[0])


def _start(moves: str) -> float:
    """Return seconds of a process that solves a cube."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "bridge.cli", "solve", moves]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def _megabytes(size: TableSize) -> float:
    """Measure the files that a search of this size has on the disk, in megabytes."""
    names = {"edges-htm", "corners-htm", f"search-htm-{size}", f"edges-htm-{size}"}
    paths = (find_table_path(name) for name in names)
    return sum(path.stat().st_size for path in paths if path.exists()) / 1e6


def _near_optimal() -> tuple[float, float]:
    """Milliseconds and face turns of a two-phase solution, on average."""
    cubes = list(islice(_scrambles(40), CUBES))
    solve_in_two_phases(cubes[0])  # Makes its tables.
    began = time.process_time()
    turns = sum(len(solve_in_two_phases(cube)) for cube in cubes)
    return (time.process_time() - began) / CUBES * 1000.0, turns / CUBES


def _scrambles(length: int) -> Iterator[Cube]:
    """Cubes after random moves, no two of one face in a row; the same ones every time."""
    rng = random.Random(f"{SEED} {length}")
    while True:
        moves: list[Move] = []
        while len(moves) < length:
            move = rng.choice(list_moves())
            if not moves or move.face is not moves[-1].face:
                moves.append(move)
        yield make_cube(moves)


def _tell(share: float) -> None:
    print(f"\rtables: {share:4.0%}", end="\n" if share >= 1.0 else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    run_benchmark(
        measure,
        "Seconds that shortest solutions of the cube take.",
        deep="also states at 17 and 18 face turns, which takes minutes",
        peers="also H48, by the tool of nissy-core that NISSY_SOLVE_FILE names",
    )
