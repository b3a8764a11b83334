"""``luban level``."""

import json
from pathlib import Path

from bridge.cli.commands.level import AddRequest, SealRequest
from bridge.cli.errors import CommandError
from bridge.cli.handlers.designs import get_designs
from bridge.cli.output import check_output, write_output
from pysim.catalog import (
    AnyLevel,
    LevelError,
    complete_document,
    decode_level,
    encode_level,
    find_family,
)
from pysim.catalog.documents import parse_document, read_bytes
from pysim.puzzle import ActionError, Outcome

__all__ = ["find_fault", "run_add", "run_seal"]


def run_seal(request: SealRequest) -> None:
    """Seal a draft in its place, or write the level elsewhere."""
    out = request.out or request.draft
    force = request.force or out == request.draft
    check_output(out, ".json", force=force)
    _write(_seal(request.draft), out, force=force, as_json=request.as_json)


def run_add(request: AddRequest) -> None:
    """Seal a draft, and write the level into a folder of levels."""
    level = _seal(request.draft)
    out = request.to / level.family / f"{level.id}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    _write(level, out, force=request.force, as_json=request.as_json)


def find_fault(level: AnyLevel) -> str:
    """Describe the fault of a level's plan; empty if it solves the level within the budget."""
    if level.plan is None:
        return "no plan was found: the level may have no solution"
    if len(level.plan) > level.budget:
        return f"the plan has {len(level.plan)} actions: raise the budget, {level.budget}"
    rules = find_family(level).rules
    state = rules.initial(level)
    try:
        for action in level.plan.actions:
            state = rules.apply(level, state, action).state
    except ActionError as error:
        return f"the plan is refused: {error.message}"
    solved = rules.outcome(level, state) is Outcome.SOLVED
    return "" if solved else "the plan does not solve it: leave it out to have one searched for"


def _seal(draft: Path) -> AnyLevel:
    """Return the level of a draft.

    Raises:
        CommandError: it can't be read, is no level, or its plan is wrong.
    """
    try:
        level = decode_level(complete_document(parse_document(read_bytes(draft))))
    except LevelError as error:
        named = str(error) if str(draft) in str(error) else f"{draft}: {error}"
        raise CommandError(named) from error
    if fault := find_fault(level):
        raise CommandError(f"{draft}: {fault}")
    designs = get_designs(level.family)
    return level if designs is None else designs.graded(level)


def _write(level: AnyLevel, out: Path, *, force: bool, as_json: bool) -> None:
    text = json.dumps(encode_level(level), indent=1, ensure_ascii=False)
    write_output(out, f"{text}\n".encode(), force=force)
    assert level.plan is not None
    if as_json:
        document = {
            "level": level.id,
            "out": str(out),
            "hash": level.hash,
            "tier": level.tier.value,
            "plan": len(level.plan),
            "plan_proof": level.plan.proof.value,
        }
        print(json.dumps(document))
        return
    plan = f"plan {len(level.plan)} {level.plan.proof.lower()}"
    print(f"{out}: {level.id}, {level.tier}, {plan}, budget {level.budget}")
