"""Check of the facts of a level with a box: fillings are counted again, and rows of a search."""

import re
from collections.abc import Mapping
from itertools import islice

from bridge.referee.documents import get_facts, get_tier, read_int, read_text
from bridge.referee.findings import JudgementBuilder

from .fillings import Filling, Fillings, is_separable
from .rules import Box
from .search_effort import measure_effort

__all__ = ["judge_facts"]

_CAP = 1000
"""Fillings that are counted at most."""
_ROWS, _DEEP_ROWS = 200_000, 1_000_000
"""Rows that are counted again, some 70,000 in a second; the second is where Luban stops."""
_BANDS = {"easy": (0, 6), "medium": (8, 80), "hard": (100, 10**9)}
"""Rows for each filling in the suite ``packing-77``, by tier."""

Facts = Mapping[str, object]


def judge_facts(
    document: Mapping[str, object], box: Box, builder: JudgementBuilder, *, deep: bool = False
) -> None:
    """Decide the facts of a level with a box, and the tier where it follows from them."""
    facts = get_facts(document)
    if "least_cells" in facts:
        least, own = (
            read_int(facts["least_cells"], "least_cells"),
            min(map(len, box.pieces.values())),
        )
        builder.decide("facts.least_cells", least <= own, f"a piece has {own} cells")
    if "solutions" in facts:
        _judge_fillings(box, facts, builder)
    if "search_nodes" in facts and "nodes_per_solution" in facts:
        share = _judge_effort(box, facts, builder, _DEEP_ROWS if deep else _ROWS)
        _judge_band(document, share, builder)


def _judge_fillings(box: Box, facts: Facts, builder: JudgementBuilder) -> None:
    claimed = read_int(facts["solutions"], "solutions")
    complete = read_text(facts.get("solutions_complete"), "solutions_complete")
    if complete not in ("yes", "no"):
        raise ValueError(f"solutions_complete is yes or no, not {complete!r:.40}")
    found = list(islice(Fillings(box), max(claimed, 0) + 1))
    if complete == "yes":
        _judge_all(box, facts, found, builder)
    else:
        _judge_some(facts, len(found), builder)


def _judge_all(box: Box, facts: Facts, found: list[Filling], builder: JudgementBuilder) -> None:
    """All fillings are said to be counted."""
    claimed = read_int(facts["solutions"], "solutions")
    more = len(found) > claimed
    builder.decide("facts.solutions_complete", not more, f"there are more than {claimed} fillings")
    number = f"at least {len(found)}" if more else str(len(found))
    builder.decide("facts.solutions", len(found) == claimed, f"there are {number} fillings")
    if "linear_solutions" in facts:
        linear = sum(is_separable(box, filling) for filling in found)
        right = not more and linear == read_int(facts["linear_solutions"], "linear_solutions")
        builder.decide("facts.linear_solutions", right, f"{linear} of {number} come apart")


def _judge_some(facts: Facts, found: int, builder: JudgementBuilder) -> None:
    """The count is said to have been cut off: it holds if there are as many."""
    claimed = read_int(facts["solutions"], "solutions")
    builder.decide("facts.solutions", 0 <= claimed <= found, f"there are {found} fillings")
    if claimed > _CAP:
        builder.refute("facts.solutions_complete", f"at most {_CAP} are counted")
    elif found > claimed:
        builder.confirm("facts.solutions_complete")
    else:
        builder.mark_undecided(
            "facts.solutions_complete", f"there are no more than {found} fillings"
        )
    if "linear_solutions" not in facts:
        return
    if read_int(facts["linear_solutions"], "linear_solutions") > claimed:
        builder.refute("facts.linear_solutions", f"only {claimed} fillings were counted")
    else:
        why = "the document does not say which of the fillings were counted"
        builder.mark_undecided("facts.linear_solutions", why)


def _judge_effort(box: Box, facts: Facts, builder: JudgementBuilder, most: int) -> int | None:
    """Count the rows again; None if the document says that they are too many for that."""
    rows = read_int(facts["search_nodes"], "search_nodes")
    share = read_int(facts["nodes_per_solution"], "nodes_per_solution")
    if rows > most:
        for claim in ("facts.search_nodes", "facts.nodes_per_solution"):
            builder.mark_undecided(claim, f"at most {most} rows are counted again")
        return None
    if facts.get("solutions_complete") == "no":
        for claim in ("facts.search_nodes", "facts.nodes_per_solution"):
            builder.mark_undecided(
                claim, "where a search is cut off depends on the order of its rows"
            )
        return None
    again = measure_effort(box, most)
    more = "" if again.complete else "more than "
    tried = f"the search tries {more}{again.rows} rows"
    builder.decide("facts.search_nodes", again.complete and again.rows == rows, tried)
    words = f"{tried} for {again.covers} covers: {again.share}"
    builder.decide("facts.nodes_per_solution", again.complete and again.share == share, words)
    return again.share if again.complete else None


def _judge_band(
    document: Mapping[str, object], share: int | None, builder: JudgementBuilder
) -> None:
    """In the suite ``packing-77`` the tier follows from the rows for each filling."""
    if not re.fullmatch(r"\w+-(easy|medium|hard)-\d\d", str(document.get("id"))):
        return
    tier = get_tier(document)
    least, most = _BANDS[tier]
    if share is None:
        builder.mark_undecided("tier.effort", "the rows for each filling were not counted again")
    else:
        words = f"{share} rows for each filling, where {tier} has {least} to {most}"
        builder.decide("tier.effort", least <= share <= most, words)
