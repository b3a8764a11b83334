"""Levels that commands are given by family and suite, and their facts as people read them."""

from collections.abc import Sequence
from pathlib import Path

from bridge.cli.errors import CommandError
from pysim.catalog import AnyLevel, discover_families, list_shipped_levels
from pysim.catalog.suite_files import read_levels
from pysim.level_selection import is_level_folder, read_level_folder
from pysim.limits import quote
from pysim.puzzle import Plan
from pysim.suites import Suite, find_suite, load_levels
from pysim.tasks.references import parse_reference

__all__ = ["format_facts", "format_plan", "format_plan_length", "select_levels"]


def select_levels(family: str, suite: str, tier: str = "") -> tuple[list[AnyLevel], Suite | None]:
    """Return the levels of a suite, or all that ship, of a family and a tier if these are given.

    In place of a suite, tasks may be named, such as ``family:split``, or a folder of levels; there
    is no suite then.

    Raises:
        CommandError: there is no such family.
        DiscoveryError: the family can't be loaded.
        SuiteError: there is no such suite, or it is faulty.
        TaskError: there are no such tasks.
    """
    if family and family not in discover_families():
        raise CommandError(
            f"there is no family {quote(family)}; there are {', '.join(discover_families())}"
        )
    if family:
        _ = discover_families()[family]  # Says so if it can't be loaded.
    levels, found = _list_levels(family, suite)
    wanted = [level for level in levels if family in ("", level.family)]
    return [level for level in wanted if tier in ("", level.tier)], found


def _list_levels(family: str, suite: str) -> tuple[Sequence[AnyLevel], Suite | None]:
    if (reference := parse_reference(suite)) is not None:
        return [task.level for task in reference.list_tasks()], None
    if suite.endswith(".json"):
        return list(read_levels(Path(suite))), None
    if is_level_folder(suite):
        return list(read_level_folder(Path(suite))), None
    found = find_suite(suite) if suite else None
    return load_levels(found) if found else list_shipped_levels(family), found


def format_plan(plan: Plan | None) -> str:
    """``15 optimal``, or ``15 (at least 12)``, or ``-``."""
    if plan is None:
        return "-"
    if plan.lower_bound == len(plan):
        return f"{len(plan)} optimal"
    return f"{len(plan)} (at least {plan.lower_bound})"


def format_plan_length(plan: Plan | None) -> str:
    """``15``, or ``12-15`` if the shortest may have 12, or ``-``."""
    if plan is None:
        return "-"
    return str(len(plan)) if plan.lower_bound == len(plan) else f"{plan.lower_bound}-{len(plan)}"


def format_facts(level: AnyLevel) -> dict[str, str]:
    """Format the facts of a level by name, for people to read."""
    known = {
        "pieces": str(len(level.colours)),
        "plan": format_plan(level.plan),
        "budget": str(level.budget),
    }
    return known | {
        name.replace("_", " "): str(value)
        for name, value in level.facts.items()
        if name not in known
    }
