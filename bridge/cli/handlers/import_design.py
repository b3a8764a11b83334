"""``luban import``: an assembly of a design becomes a level."""

import json
import re
from dataclasses import replace
from pathlib import Path

from bridge.cli.commands.import_ import ImportRequest
from bridge.cli.errors import CommandError
from bridge.cli.handlers.designs import check_problem, read_design
from bridge.cli.notices import print_notice
from bridge.cli.output import check_output, write_output
from bridge.cli.progress import show_count
from pysim.catalog import (
    AnyLevel,
    check_id,
    compute_content_hash,
    discover_families,
    encode_level,
)
from pysim.designs import Choice, Chosen, Design, Designs
from pysim.puzzle import Level, Source, Tier
from pysim.render.palette import COLOURS

__all__ = ["import_level", "make_level"]


def import_level(request: ImportRequest) -> None:
    """Make a level file of an assembly of a design."""
    tier = Tier(request.tier) if request.tier in list(Tier) else None
    if request.tier and tier is None:
        raise CommandError(f"a tier is one of {', '.join(Tier)}, not {request.tier!r}")
    for option, text in (("--name", request.name), ("--designer", request.designer)):
        if not text.isprintable():
            raise CommandError(f"{option}: {text!r} can't be printed")
    check_output(request.out, ".json", force=request.force)
    level, apart = make_level(request, tier, quiet=request.as_json)
    document = json.dumps(encode_level(level), indent=1, ensure_ascii=False)
    write_output(request.out, f"{document}\n".encode(), force=request.force)
    if request.as_json:
        print(json.dumps(_document(request, level, apart)))
    else:
        _print(request, level, apart)


def make_level(request: ImportRequest, tier: Tier | None, *, quiet: bool) -> tuple[AnyLevel, str]:
    """Return the level of an assembly of a design, and how it comes apart."""
    designs, design = read_design(request.file)
    goal = _goal(designs, request.goal)
    check_problem(str(request.file), design, request.problem)
    level_id = check_id(request.id or _default_id(request, designs, design, goal))
    choice = Choice(request.problem, request.solution, request.stored, goal, COLOURS)
    with show_count("assemblies", quiet=quiet) as count:
        chosen = design.choose(choice, count)
    title = design.problems[request.problem]
    draft = _draft(request, designs, chosen, title, level_id)
    return _level(request, designs, draft, tier), chosen.level


def _goal(designs: Designs, name: str) -> str:
    if name and name not in designs.goals:
        raise CommandError(f"the goal is one of {', '.join(designs.goals)}, not {name!r}")
    return name or designs.goals[0]


def _default_id(request: ImportRequest, designs: Designs, design: Design, goal: str) -> str:
    """Made of the file's name, the problem's number if there are several, and the goal."""
    words = re.findall("[a-z0-9]+", request.file.stem.lower())
    if not words:
        raise CommandError(f"{request.file.name} makes no id for the level; give one with --id")
    words = words if words[0] == designs.family else [designs.family, *words]
    number = [str(request.problem)] if len(design.problems) > 1 else []
    suffix = [] if goal == designs.goals[0] else [goal]
    return "-".join([*words, *number, *suffix])


def _draft(
    request: ImportRequest, designs: Designs, chosen: Chosen, title: str, level_id: str
) -> AnyLevel:
    """Return the level without what follows from its plan."""
    file = request.file.name.encode(errors="replace").decode()
    problem = f"problem {request.problem}" + (f" ({title})" if title else "")
    return Level(
        id=level_id,
        family=designs.family,
        name=request.name or title or Path(file).stem,
        tier=Tier.HARD,
        budget=designs.budget(None),
        puzzle=chosen.puzzle,
        colours=discover_families()[designs.family].colours(chosen.puzzle),
        plan=None,
        source=Source(request.designer or "unattributed", f"{file}, {problem}"),
        hash="",
    )


def _level(
    request: ImportRequest, designs: Designs, draft: AnyLevel, tier: Tier | None
) -> AnyLevel:
    family = discover_families()[designs.family]
    plan = family.rules.plan(draft)
    budget = designs.budget(plan) if request.budget is None else request.budget
    if plan is not None and len(plan) > budget:
        raise CommandError(f"the plan has {len(plan)} actions; give a --budget that holds them")
    hash_ = compute_content_hash(family, draft.puzzle, budget)
    level = designs.graded(replace(draft, budget=budget, plan=plan, hash=hash_))
    return replace(level, tier=tier or level.tier)


def _document(request: ImportRequest, level: AnyLevel, apart: str) -> dict[str, object]:
    return {
        "level": level.id,
        "out": str(request.out),
        "hash": level.hash,
        "pieces": len(level.colours),
        "solution": request.solution,
        "level_name": apart,
        "plan": None if level.plan is None else len(level.plan),
        "plan_proof": None if level.plan is None else level.plan.proof.value,
    }


def _print(request: ImportRequest, level: AnyLevel, apart: str) -> None:
    plan = level.plan
    if plan is None:
        print_notice("no plan was found: agents can play the level, the oracle can't")
    steps = "no plan" if plan is None else f"plan {len(plan)} {plan.proof.lower()}"
    print(
        f"{request.out}: {level.id}, {len(level.colours)} pieces, level {apart}, {steps}, "
        f"budget {level.budget}"
    )
