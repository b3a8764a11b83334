"""``luban levels``."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bridge.cli.columns import Column, print_table
from bridge.cli.commands.levels import LevelsRequest
from bridge.cli.level_facts import format_plan, format_plan_length, select_summaries
from pysim.catalog.index import LevelSummary, list_fact_columns
from pysim.puzzle import FactColumn

__all__ = ["run_levels"]


def run_levels(request: LevelsRequest) -> None:
    """Print the levels of a family, of a suite or all, as a table or as JSON, or draw them."""
    if request.gallery is not None:
        from bridge.cli.handlers.gallery import make_gallery

        make_gallery(request, request.gallery)
        return
    chosen = select_summaries(request.family, request.chosen, request.tier)
    if request.as_json:
        print(json.dumps([_row(level) for level in chosen], indent=1))
        return
    print_table(*_layouts(chosen))


def _layouts(levels: Sequence[LevelSummary]) -> list[list[Column]]:
    """Return the columns that may be shown, from most to least.

    No id is cut off, since a part of one can't be played.
    """

    def column(head: str, cell: Callable[[LevelSummary], object], **more: Any) -> Column:
        return Column(head, [str(cell(level)) for level in levels], **more)

    name = column("id", lambda level: level.id)
    tier = column("tier", lambda level: level.tier.value)
    pieces = column("pieces", lambda level: level.pieces, right=True)
    telling, others = _fact_columns(levels)
    plan = column("plan", lambda level: format_plan(level.plan))
    bounds = column("plan", lambda level: format_plan_length(level.plan))
    budget = column("budget", lambda level: level.budget, right=True)
    title = column("name", lambda level: level.name, least=12)
    designer = column("designer", lambda level: level.source.designer)
    whole = [replace(one, least=None) for one in telling]
    return [
        [name, tier, pieces, *whole, plan, *others, budget, title, designer],
        [name, tier, pieces, *whole, plan, budget, title],
        [name, tier, pieces, *whole, plan, budget],
        *([name, tier, pieces, *telling[:k], bounds, budget] for k in range(len(telling), 0, -1)),
        [name, tier, *telling[:1], bounds],
        [name, tier, bounds],
        [name, bounds],
        [name],
    ]


def _fact_columns(levels: Sequence[LevelSummary]) -> tuple[list[Column], list[Column]]:
    """Facts that the levels' families put into tables: the most telling of each, and the rest."""
    shown = {name: list_fact_columns(name) for name in dict.fromkeys(one.family for one in levels)}
    telling = dict.fromkeys(columns[0] for columns in shown.values() if columns)
    others = dict.fromkeys(
        one for columns in shown.values() for one in columns if one not in telling
    )

    def column(fact: FactColumn) -> Column:
        cells = [
            str(level.facts.get(fact.fact, "-")) if fact in shown[level.family] else "-"
            for level in levels
        ]
        return Column(fact.heading, cells, fact.right, fact.least)

    return list(map(column, telling)), list(map(column, others))


def _row(level: LevelSummary) -> dict[str, object]:
    plan = level.plan
    return {
        "id": level.id,
        "family": level.family,
        "tier": level.tier.value,
        "pieces": level.pieces,
        "plan": None if plan is None else len(plan),
        "plan_proof": None if plan is None else plan.proof.value,
        "plan_lower_bound": None if plan is None else plan.lower_bound,
        "budget": level.budget,
        "facts": dict(level.facts),
        "hash": level.hash,
        "source": {
            "designer": level.source.designer,
            "reference": level.source.reference,
            "seed": level.source.seed,
            "generator": level.source.generator,
        },
    }
