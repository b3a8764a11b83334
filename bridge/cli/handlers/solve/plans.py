"""``luban solve`` of levels: the actions that solve one."""

import json
import time
from collections.abc import Iterator

from bridge.cli.commands.solve import SolveRequest
from bridge.cli.errors import CommandError
from bridge.cli.progress import show_search
from bridge.episode.tools import build_action_space
from pysim.catalog import AnyLevel, find_family
from pysim.puzzle import Plan, Proof

__all__ = ["describe_length", "find_plan", "list_actions"]


def find_plan(level: AnyLevel, request: SolveRequest) -> None:
    """Search for a plan of a level whose family has no designs, and print it.

    Raises:
        CommandError: there is none within the search's bounds, or an option is for designs.
    """
    if request != SolveRequest(target=request.target, as_json=request.as_json):
        raise CommandError(
            "--all, --problem, --rotations, --metric and --seconds are for designs and cubes; "
            f"levels of the family {level.family} are solved without them"
        )
    began = time.monotonic()
    with show_search("looking for a plan", quiet=request.as_json):
        plan = find_family(level).rules.plan(level)
    seconds = time.monotonic() - began
    if plan is None:
        raise CommandError(f"no plan of {level.id} was found within the bounds of the search")
    if request.as_json:
        print(json.dumps(_document(level, plan, seconds)))
        return
    print(*list_actions(level, plan), sep="\n")
    print(f"{describe_length(plan)} ({seconds:.1f} s)")


def list_actions(level: AnyLevel, plan: Plan) -> Iterator[str]:
    """Yield the actions of a plan as a person types them."""
    yield from map(build_action_space(level).line, plan.actions)


def describe_length(plan: Plan) -> str:
    """Return how long a plan is, and what is proven of that."""
    if plan.proof is Proof.OPTIMAL:
        return f"{len(plan)} steps, no fewer"
    return f"{len(plan)} steps; at least {plan.lower_bound} are needed"


def _document(level: AnyLevel, plan: Plan, seconds: float) -> dict[str, object]:
    return {
        "plan": [*list_actions(level, plan)],
        "at_least": plan.lower_bound,
        "at_most": len(plan),
        "seconds": round(seconds, 3),
    }
