"""Levels that commands are given by family and suite, and their facts as people read them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pysim.catalog import AnyLevel, check_family, discover_families, list_shipped_levels
from pysim.catalog.index import (
    LevelSummary,
    PlanSummary,
    list_fact_columns,
    list_level_summaries,
    summarize_level,
)
from pysim.catalog.suite_files import read_levels
from pysim.level_selection import is_level_folder, read_level_folder
from pysim.puzzle import Plan
from pysim.suites import Suite, find_suite, load_levels, load_summaries
from pysim.tasks.references import parse_reference

__all__ = [
    "format_facts",
    "format_plan",
    "format_plan_length",
    "select_levels",
    "select_summaries",
]


def select_levels(family: str, suite: str, tier: str = "") -> tuple[list[AnyLevel], Suite | None]:
    """Return the levels of a suite, or all that ship, of a family and a tier if these are given.

    In place of a suite, tasks may be named, such as ``family:split``, or a folder of levels; there
    is no suite then.

    Raises:
        InputError: there is no such family.
        DiscoveryError: the family can't be loaded.
        SuiteError: there is no such suite, or it is faulty.
        TaskError: there are no such tasks.
    """
    if family:
        check_family(family)
        _ = discover_families()[family]  # Says so if it can't be loaded.
    found = find_suite(suite) if _is_shipped(suite) and suite else None
    levels: Sequence[AnyLevel]
    if found is not None:
        levels = load_levels(found)
    else:
        levels = _read_levels(suite) if suite else list_shipped_levels(family)
    wanted = [level for level in levels if family in ("", level.family)]
    return [level for level in wanted if tier in ("", level.tier)], found


def select_summaries(family: str, suite: str, tier: str = "") -> list[LevelSummary]:
    """Return the summaries of the levels of :func:`select_levels`; no family that ships is loaded.

    Raises:
        DiscoveryError, InputError, SuiteError, TaskError: as there.
    """
    if family:
        check_family(family)
        _ = list_fact_columns(family)  # Says so if it can't be loaded.
    found: Iterable[LevelSummary]
    if not _is_shipped(suite):
        found = map(summarize_level, _read_levels(suite))
    elif suite:
        found = load_summaries(find_suite(suite))
    else:
        found = list_level_summaries(family)
    wanted = [one for one in found if family in ("", one.family)]
    return [one for one in wanted if tier in ("", one.tier)]


def _is_shipped(suite: str) -> bool:
    """Return whether a text is the name of a suite, or empty for all levels that ship."""
    is_read = parse_reference(suite) is not None or suite.endswith(".json")
    return not (is_read or is_level_folder(suite))


def _read_levels(suite: str) -> Sequence[AnyLevel]:
    """Return the levels of tasks, of a file or of a folder."""
    if (reference := parse_reference(suite)) is not None:
        return [task.level for task in reference.list_tasks()]
    if suite.endswith(".json"):
        return list(read_levels(Path(suite)))
    return list(read_level_folder(Path(suite)))


def format_plan(plan: Plan | PlanSummary | None) -> str:
    """``15 optimal``, or ``15 (at least 12)``, or ``-``."""
    if plan is None:
        return "-"
    if plan.lower_bound == len(plan):
        return f"{len(plan)} optimal"
    return f"{len(plan)} (at least {plan.lower_bound})"


def format_plan_length(plan: PlanSummary | None) -> str:
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
