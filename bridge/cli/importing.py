"""``luban import`` and ``luban export``."""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.cli.designs import find_lock, pick_problem
from bridge.cli.failing import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.output import check_output, write_output
from bridge.cli.progress import counter
from pysim.catalog import check_id, content_hash, level_to_document
from pysim.families.burr import FAMILY, Goal, Lock
from pysim.families.burr.design import Design, Problem
from pysim.families.burr.exporting import design_of
from pysim.families.burr.grading import budget_for, graded
from pysim.families.burr.importing import (
    PlacedPart,
    check_pieces,
    found_parts,
    lock_of,
    pinned,
    stored_parts,
)
from pysim.families.burr.puz import read_design
from pysim.families.burr.solver import Tally, level_name, solve
from pysim.families.burr.xmpuzzle import write_xmpuzzle
from pysim.puzzle import Level, Source, Tier
from pysim.render.palette import PALETTE
from pysim.scene import Colour

__all__ = ["ImportRequest", "run_export", "run_import"]

COLOURS = tuple(map(Colour, PALETTE))
"""What pieces are called, in order; a level can't have more pieces."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What ``luban import`` was asked for; see its options."""

    file: Path
    out: Path
    problem: int = 0
    solution: int = 0
    stored: bool = False
    goal: str = Goal.DISASSEMBLE.value
    id: str = ""
    name: str = ""
    tier: str = ""
    designer: str = ""
    budget: int | None = None
    force: bool = False


def run_import(request: ImportRequest, as_json: bool) -> None:
    """Make a level file of an assembly of a design."""
    goal = _goal(request.goal)
    tier = Tier(request.tier) if request.tier in list(Tier) else None
    if request.tier and tier is None:
        raise CommandError(f"a tier is one of {', '.join(Tier)}, not {request.tier!r}")
    for option, text in (("--name", request.name), ("--designer", request.designer)):
        if not text.isprintable():
            raise CommandError(f"{option}: {text!r} can't be printed")
    check_output(request.out, ".json", force=request.force)
    design = read_design(request.file)
    problem = pick_problem(str(request.file), design, request.problem)
    level_id = check_id(request.id or _default_id(request, design, goal))
    check_pieces(design, problem, most=len(COLOURS))
    look = _stored if request.stored else _search
    placed, apart = look(design, problem, request.solution, as_json)
    lock = lock_of(design, problem, placed, goal, COLOURS)
    level = _level(request, problem, lock, level_id, tier)
    document = json.dumps(level_to_document(level), indent=1, ensure_ascii=False)
    write_output(request.out, f"{document}\n".encode(), force=request.force)
    if as_json:
        print(json.dumps(_document(request, level, apart)))
    else:
        _print(request, level, apart)


def _goal(name: str) -> Goal:
    if name not in list(Goal):
        raise CommandError(f"the goal is one of {', '.join(Goal)}, not {name!r}")
    return Goal(name)


def _default_id(request: ImportRequest, design: Design, goal: Goal) -> str:
    """Made of the file's name, the problem's number if there are several, and the goal."""
    words = re.findall("[a-z0-9]+", request.file.stem.lower())
    if not words:
        raise CommandError(f"{request.file.name} makes no id for the level; give one with --id")
    words = words if words[0] == FAMILY.name else [FAMILY.name, *words]
    number = [str(request.problem)] if len(design.problems) > 1 else []
    suffix = [] if goal is Goal.DISASSEMBLE else [goal.value]
    return "-".join([*words, *number, *suffix])


def _search(
    design: Design, problem: Problem, number: int, quiet: bool
) -> tuple[tuple[PlacedPart, ...], str]:
    """An assembly that comes apart, by its number among those, and its level."""
    if number < 0:
        raise CommandError(f"solutions are numbered from 0; there is no {number}")
    tally = Tally()
    with counter("assemblies", quiet=quiet) as count:
        for assembly in solve(design, problem):
            tally.add(assembly)
            count(tally.assemblies, tally.solutions)
            if assembly.level and tally.solutions > number:
                return found_parts(design, problem, assembly.pieces), level_name(assembly.level)
    looked = f"{tally.assemblies:,} assemblies were looked at"
    if not tally.solutions:
        raise CommandError(f"the problem has no solution: {looked}, none comes apart")
    raise CommandError(
        f"the problem has solutions 0 to {tally.solutions - 1}, no {number}; {looked}"
    )


def _stored(
    design: Design, problem: Problem, number: int, quiet: bool
) -> tuple[tuple[PlacedPart, ...], str]:
    """An assembly that the file holds, by its number, and its level."""
    placed = stored_parts(design, problem, number)
    alone = pinned(design, problem, placed)
    (assembly,) = solve(alone, alone.problems[0])
    if not assembly.level:
        raise CommandError(f"stored assembly {number} does not come apart; choose another one")
    return placed, level_name(assembly.level)


def _level(
    request: ImportRequest, problem: Problem, lock: Lock, level_id: str, tier: Tier | None
) -> Level[Lock]:
    file = request.file.name.encode(errors="replace").decode()
    title = f" ({problem.name})" if problem.name else ""
    draft = Level(
        id=level_id,
        family=FAMILY.name,
        name=request.name or problem.name or Path(file).stem,
        tier=tier or Tier.HARD,
        budget=budget_for(None),
        puzzle=lock,
        colours=FAMILY.colours(lock),
        plan=None,
        source=Source(
            request.designer or "unattributed", f"{file}, problem {request.problem}{title}"
        ),
        hash="",
    )
    plan = FAMILY.rules.plan(draft)
    budget = budget_for(plan) if request.budget is None else request.budget
    if plan is not None and len(plan) > budget:
        raise CommandError(f"the plan has {len(plan)} actions; give a --budget that holds them")
    hash_ = content_hash(FAMILY, lock, budget)
    level = graded(replace(draft, budget=budget, plan=plan, hash=hash_))
    return replace(level, tier=tier or level.tier)


def _document(request: ImportRequest, level: Level[Lock], apart: str) -> dict[str, object]:
    return {
        "level": level.id,
        "out": str(request.out),
        "hash": level.hash,
        "pieces": len(level.puzzle.pieces),
        "solution": request.solution,
        "level_name": apart,
        "plan": None if level.plan is None else len(level.plan),
        "plan_proof": None if level.plan is None else level.plan.proof.value,
    }


def _print(request: ImportRequest, level: Level[Lock], apart: str) -> None:
    plan = level.plan
    if plan is None:
        print_notice("no plan was found: agents can play the level, the oracle can't")
    steps = "no plan" if plan is None else f"plan {len(plan)} {plan.proof.lower()}"
    print(
        f"{request.out}: {level.id}, {len(level.puzzle.pieces)} pieces, level {apart}, {steps}, "
        f"budget {level.budget}"
    )


def run_export(name: str, out: Path, force: bool, as_json: bool) -> None:
    """Write a level's lock as a design."""
    check_output(out, ".xmpuzzle", force=force)
    level = find_lock(name)
    source = level.source
    design = design_of(
        level.puzzle,
        name=level.name,
        comment=f"{level.name}\nDesigner: {source.designer}\nReference: {source.reference}\n"
        f"Made by Luban from the level {level.id}.",
    )
    write_output(out, write_xmpuzzle(design), force=force)
    pieces, shapes = len(level.puzzle.pieces), len(design.shapes) - 1
    if as_json:
        told = {"level": level.id, "out": str(out), "pieces": pieces, "shapes": shapes}
        print(json.dumps(told))
    else:
        print(f"{out}: {level.name}, {pieces} pieces of {shapes} shapes")
