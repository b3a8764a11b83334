"""``luban solve``."""

import json
from pathlib import Path

from bridge.cli.commands.solve import SolveRequest
from bridge.cli.handlers.designs import check_problem, get_designs, is_design_file, read_design
from bridge.cli.progress import show_count
from pysim.designs import Design, Solved, Turned

__all__ = ["solve_design"]


def solve_design(request: SolveRequest) -> None:
    """Find assemblies and how they come apart; of a level without a design its plan."""
    if is_design_file(request.target):
        _search(request, read_design(Path(request.target))[1])
        return
    from bridge.cli.handlers.solve.plans import describe_length, find_plan, list_actions
    from pysim.level_selection import load_level

    level = load_level(request.target)
    designs = get_designs(level.family)
    if designs is None:
        find_plan(level, request)
        return
    _search(request, designs.of(level))
    if level.plan is not None and not (request.as_json or request.everything):
        print(f"the level's plan, {describe_length(level.plan)}:")
        print(*list_actions(level, level.plan), sep="\n")


def _search(request: SolveRequest, design: Design) -> None:
    """Search; an interrupt keeps what was found."""
    check_problem(request.target, design, request.problem)
    search = design.search(
        request.problem, everything=request.everything, rotations=request.rotations
    )
    interrupted = False
    with show_count("assemblies", quiet=request.as_json) as count:
        try:
            for assemblies, solutions in search:
                count(assemblies, solutions)
        except KeyboardInterrupt:
            interrupted = True
    solved = search.found()
    if request.as_json:
        print(json.dumps(_document(solved, interrupted)))
    else:
        _print(solved, interrupted)
        _print_turned(solved.turned)
    if interrupted:
        raise SystemExit(130)


def _document(solved: Solved, interrupted: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "assemblies": solved.assemblies,
        "labelled_assemblies": solved.labelled,
        "solutions": solved.solutions,
        "levels": dict(solved.levels),
    }
    if solved.turned is not None:
        document["with_rotations"] = solved.turned.found.total()
        document["rotations_cut_off"] = solved.turned.cut_off
    return document | ({"interrupted": True} if interrupted else {})


def _print(solved: Solved, interrupted: bool) -> None:
    if interrupted:
        print("interrupted; found so far:")
    if solved.first:
        print(f"a solution of level {solved.first}, assembly {solved.assemblies}")
        return
    print(f"{solved.assemblies} assemblies, {solved.solutions} solutions")
    for name, number in solved.levels.most_common():
        print(f"{number:>6} x {name}")


def _print_turned(turned: Turned | None) -> None:
    if turned is None:
        return
    print(f"{turned.found.total()} more come apart only with rotations")
    for (moves, turns), number in turned.found.most_common():
        print(f"{number:>6} x {moves} moves to the first separation, {turns} of them turns")
    if turned.cut_off:
        print(f"{turned.cut_off} more may do so: the search for rotations was cut off")
