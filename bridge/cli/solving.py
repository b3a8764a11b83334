"""``luban solve``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.designs import find_lock, pick_problem
from bridge.cli.progress import counter
from pysim.families.burr.design import Design
from pysim.families.burr.puz import read_design
from pysim.families.burr.solver import Assembly, Tally, level_name, solve

if TYPE_CHECKING:
    from pysim.families.burr.solver.turning import TurningTally

__all__ = ["run_solve"]


def run_solve(target: str, problem: int, everything: bool, rotations: bool, as_json: bool) -> None:
    """Find assemblies and how they come apart; an interrupt keeps what was found."""
    design = _design(target)
    chosen = pick_problem(target, design, problem)
    tally, interrupted = Tally(), False
    turned = _turning() if rotations else None
    first: Assembly | None = None
    with counter("assemblies", quiet=as_json) as count:
        try:
            for assembly in solve(design, chosen):
                tally.add(assembly)
                count(tally.assemblies, tally.solutions)
                if turned is not None:
                    turned.add(chosen, assembly)
                if assembly.level and first is None:
                    first = assembly
                    if not everything:
                        break
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        print(json.dumps(_document(tally, turned, interrupted)))
    else:
        _print(tally, first, everything, interrupted)
        _print_turned(turned)
    if interrupted:
        raise SystemExit(130)


def _design(target: str) -> Design:
    """A design file, or the lock of a level."""
    path = Path(target)
    if path.suffix != ".json" and (path.suffix or path.is_file()):
        return read_design(path)
    from pysim.families.burr.exporting import design_of

    return design_of(find_lock(target).puzzle)


def _turning() -> "TurningTally":
    from pysim.families.burr.solver.turning import TurningTally

    return TurningTally()


def _document(tally: Tally, turned: "TurningTally | None", interrupted: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "assemblies": tally.assemblies,
        "labelled_assemblies": tally.labelled,
        "solutions": tally.solutions,
        "levels": dict(tally.levels),
    }
    if turned is not None:
        document["with_rotations"] = turned.found.total()
        document["rotations_cut_off"] = turned.cut_off
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


def _print_turned(turned: "TurningTally | None") -> None:
    if turned is None:
        return
    print(f"{turned.found.total()} more come apart only with rotations")
    for (moves, turns), number in turned.found.most_common():
        print(f"{number:>6} x {moves} moves to the first separation, {turns} of them turns")
    if turned.cut_off:
        print(f"{turned.cut_off} more may do so: the search for rotations was cut off")
