"""``luban solve``."""

import json
from pathlib import Path

from bridge.cli.designs import find_lock, pick_problem
from bridge.cli.progress import counter
from pysim.catalog import levels
from pysim.families.burr.design import Design
from pysim.families.burr.exporting import design_of
from pysim.families.burr.puz import read_design
from pysim.families.burr.solver import Assembly, Tally, level_name, solve

__all__ = ["run_solve"]


def run_solve(target: str, problem: int, everything: bool, as_json: bool) -> None:
    """Find assemblies and how they come apart; an interrupt keeps what was found."""
    design = _design(target)
    chosen = pick_problem(target, design, problem)
    tally, interrupted = Tally(), False
    first: Assembly | None = None
    with counter("assemblies", quiet=as_json) as count:
        try:
            for assembly in solve(design, chosen):
                tally.add(assembly)
                count(tally.assemblies, tally.solutions)
                if assembly.level and first is None:
                    first = assembly
                    if not everything:
                        break
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        print(json.dumps(_document(tally, interrupted)))
    else:
        _print(tally, first, everything, interrupted)
    if interrupted:
        raise SystemExit(130)


def _design(target: str) -> Design:
    """A design file, or the lock of a level."""
    if target.endswith(".json") or any(level.id == target for level in levels()):
        return design_of(find_lock(target).puzzle)
    return read_design(Path(target))


def _document(tally: Tally, interrupted: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "assemblies": tally.assemblies,
        "solutions": tally.solutions,
        "levels": dict(tally.levels),
    }
    return document | ({"interrupted": True} if interrupted else {})


def _print(tally: Tally, first: Assembly | None, everything: bool, interrupted: bool) -> None:
    if interrupted:
        print("interrupted; found so far:")
    if first is not None and first.level and not everything:
        print(f"a solution of level {level_name(first.level)}, assembly {tally.assemblies}")
        return
    print(f"{tally.assemblies} assemblies, {tally.solutions} solutions")
    for name, number in tally.levels.most_common():
        print(f"{number:>6} x {name}")
