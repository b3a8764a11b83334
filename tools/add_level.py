"""Adds a level to those that ship: ``python tools/add_level.py DRAFT.json [--out DIR]``.

A draft is a level document without ``hash``; a missing ``plan`` is searched for. The finished level
is checked by playing its plan. Of a lock the facts are measured, and its tier follows from them.
What is written is ``assets/<family>/<id>.json``.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from pysim.catalog import complete_document, decode_level, encode_level, find_family
from pysim.families.burr.grading import add_grade
from pysim.families.burr.lock import Lock
from pysim.puzzle import Level, Outcome

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Read a draft, seal it, check it, write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("draft", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "assets", help="folder of families")
    options = parser.parse_args()
    try:
        document = complete_document(json.loads(options.draft.read_text(encoding="utf-8")))
        level = decode_level(document)
    except (OSError, ValueError) as error:
        raise SystemExit(f"{options.draft}: {error}") from None
    problem = check(level)
    if problem:
        raise SystemExit(f"{options.draft}: {problem}")
    if isinstance(level.puzzle, Lock):
        level = add_grade(level)
    path = options.out / level.family / f"{level.id}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(encode_level(level), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    assert level.plan is not None
    plan = f"plan {len(level.plan)} ({level.plan.proof})"
    print(f"{path}: {level.tier}, {plan}, budget {level.budget}")


def check(level: Level[Any]) -> str:
    """Describe the fault of a level's plan; empty if it solves the level within the budget."""
    if level.plan is None:
        return "no plan was found: the level may have no solution"
    if len(level.plan) > level.budget:
        return f"the plan has {len(level.plan)} actions, the budget only {level.budget}"
    rules = find_family(level).rules
    state = rules.initial(level)
    for action in level.plan.actions:
        state = rules.apply(level, state, action).state
    return "" if rules.outcome(level, state) is Outcome.SOLVED else "the plan does not solve it"


if __name__ == "__main__":
    main()
