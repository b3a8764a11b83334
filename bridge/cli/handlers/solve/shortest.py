"""``luban solve`` of puzzles whose shortest solutions a family finds."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pysim.families
from bridge.cli.commands.solve import SolveRequest
from bridge.cli.handlers.designs import is_design_file
from bridge.cli.progress import show_frame_progress
from bridge.cli.terminal import show_status
from pysim.discovery import DiscoveryError, discover_beside
from pysim.errors import InputError
from pysim.limits import LEVEL_ID
from pysim.shortest import Searched, ShortestSolver

__all__ = ["GROUP", "ShortestRequest", "parse_shortest_request", "run_solve"]

GROUP = "luban.solvers"
"""Entry points of this group are the solvers of families in other packages."""


@dataclass(frozen=True, slots=True)
class ShortestRequest:
    """A puzzle, and who solves it."""

    solver: ShortestSolver
    puzzle: Any


def parse_shortest_request(target: str) -> ShortestRequest | None:
    """Parse a level or a text; None if no family finds shortest solutions of it.

    Raises:
        InputError: it is a text of a puzzle that there is not.
    """
    if is_design_file(target):
        return None  # It is solved before the catalog could be loaded.
    if Path(target).suffix != ".json" and not LEVEL_ID.fullmatch(target):
        return _written(target)  # No level either, so that the catalog need not be loaded.
    from pysim.level_selection import load_level

    try:
        level = load_level(target)
    except InputError:
        return _written(target)
    solver = next((solver for solver in _solvers() if solver.family == level.family), None)
    return None if solver is None else ShortestRequest(solver, solver.of(level.puzzle))


def _written(text: str) -> ShortestRequest | None:
    """Parse a text by the families; None if none of them reads it."""
    for solver in _solvers():
        if (puzzle := solver.read(text)) is not None:
            return ShortestRequest(solver, puzzle)
    return None


def _solvers() -> Iterator[ShortestSolver]:
    return discover_beside(GROUP, _checked, package=pysim.families.__name__, module="shortest")


def _checked(name: str, offered: object) -> ShortestSolver:
    if not hasattr(offered, "family") or not hasattr(offered, "search"):
        raise DiscoveryError(f"{name!r} of {GROUP} has no family, or searches nothing")
    return cast(ShortestSolver, offered)


def run_solve(request: SolveRequest) -> None:
    """Find the assemblies of a design, or shortest solutions."""
    asked = parse_shortest_request(request.target)
    if asked is None:
        from bridge.cli.handlers.solve.assemblies import solve_design

        solve_design(request)
    else:
        _find_shortest(asked, request)


def _find_shortest(asked: ShortestRequest, request: SolveRequest) -> None:
    """Search until a shortest solution is proven, or the time is over, or it is interrupted.

    Raises:
        InputError: there is no such metric.
    """
    solver, metric, everything = asked.solver, request.metric, request.everything
    limit = request.seconds
    if metric and metric not in solver.metrics:
        raise InputError(f"--metric is one of {', '.join(solver.metrics)}, not {metric[:40]!r}")
    chosen = metric or solver.metrics[0]
    began, last, interrupted = time.monotonic(), Searched(0, None, 0, 0.0), False
    try:
        with show_frame_progress("tables", quiet=request.as_json, unit="%") as told:
            solver.prepare(asked.puzzle, chosen, lambda share: told(int(100 * share), 100))
        began = time.monotonic()
        with _word(quiet=request.as_json) as tell:
            for last in solver.search(asked.puzzle, chosen, everything=everything):
                tell(last)
                is_late = limit is not None and time.monotonic() - began > limit
                if is_late and not last.over:
                    break
    except KeyboardInterrupt:
        interrupted = True
    found = replace(last, solutions=last.solutions if everything else last.solutions[:1])
    unit = solver.units[list(solver.metrics).index(chosen)]
    took = time.monotonic() - began
    if request.as_json:
        print(json.dumps(_document(found, chosen, took, interrupted)))
    else:
        print("\n".join(_lines(found, unit, took)))
    if interrupted:
        raise SystemExit(130)


@contextmanager
def _word(*, quiet: bool) -> Iterator[Callable[[Searched], None]]:
    if quiet or not sys.stderr.isatty():
        yield lambda found: None
        return
    with show_status("looking near home") as update:
        yield lambda found: update(
            f"{_bounds(found)}; {found.share:.0%} of length {found.lower}, {found.nodes:,} states"
        )


def _bounds(found: Searched) -> str:
    upper = "" if found.upper is None else f", at most {found.upper}"
    return f"at least {found.lower}{upper}"


def _lines(found: Searched, unit: str, took: float) -> Iterator[str]:
    yield from (solution or "it is solved" for solution in found.solutions)
    if found.over:
        several = f", {len(found.solutions)} of them" if len(found.solutions) > 1 else ""
        yield f"{found.lower} {unit}, no fewer{several} ({found.nodes:,} states, {took:.1f} s)"
    elif found.solutions:
        yield f"{found.lower} {unit}, no fewer; there may be more such ({took:.1f} s)"
    else:
        yield f"{_bounds(found)} {unit}: not finished ({found.nodes:,} states, {took:.1f} s)"


def _document(found: Searched, metric: str, took: float, interrupted: bool) -> dict[str, object]:
    return {
        "metric": metric,
        "solutions": list(found.solutions),
        "at_least": found.lower,
        "at_most": found.upper,
        "finished": found.over,
        "states": found.nodes,
        "seconds": round(took, 3),
    } | ({"interrupted": True} if interrupted else {})
