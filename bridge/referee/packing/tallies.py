"""What the facts of a level with a box say: fillings are counted again, and rows of a search."""

import re
from collections.abc import Mapping
from itertools import islice

from bridge.referee.documents import facts_of, text, tier_of, whole
from bridge.referee.findings import Docket

from .effort import effort_of
from .fillings import Filling, Fillings, comes_apart
from .placing import Box

__all__ = ["judge_facts"]

_CAP = 1000
"""Fillings that are counted at most."""
_ROWS, _DEEP_ROWS = 200_000, 1_000_000
"""Rows that are counted again, some 70,000 in a second; the second is where Luban stops."""
_BANDS = {"easy": (0, 6), "medium": (8, 80), "hard": (100, 10**9)}
"""Rows for each filling in the suite ``packing-77``, by tier."""

Facts = Mapping[str, object]


def judge_facts(
    document: Mapping[str, object], box: Box, docket: Docket, *, deep: bool = False
) -> None:
    """Decide the facts of a level with a box, and the tier where it follows from them."""
    facts = facts_of(document)
    if "least_cells" in facts:
        least, own = whole(facts["least_cells"], "least_cells"), min(map(len, box.pieces.values()))
        docket.decide("facts.least_cells", least <= own, f"a piece has {own} cells")
    if "solutions" in facts:
        _judge_fillings(box, facts, docket)
    if "search_nodes" in facts and "nodes_per_solution" in facts:
        share = _judge_effort(box, facts, docket, _DEEP_ROWS if deep else _ROWS)
        _judge_band(document, share, docket)


def _judge_fillings(box: Box, facts: Facts, docket: Docket) -> None:
    claimed = whole(facts["solutions"], "solutions")
    complete = text(facts.get("solutions_complete"), "solutions_complete")
    if complete not in ("yes", "no"):
        raise ValueError(f"solutions_complete is yes or no, not {complete!r:.40}")
    found = list(islice(Fillings(box), max(claimed, 0) + 1))
    if complete == "yes":
        _judge_all(box, facts, found, docket)
    else:
        _judge_some(facts, len(found), docket)


def _judge_all(box: Box, facts: Facts, found: list[Filling], docket: Docket) -> None:
    """All fillings are said to be counted."""
    claimed = whole(facts["solutions"], "solutions")
    more = len(found) > claimed
    docket.decide("facts.solutions_complete", not more, f"there are more than {claimed} fillings")
    number = f"at least {len(found)}" if more else str(len(found))
    docket.decide("facts.solutions", len(found) == claimed, f"there are {number} fillings")
    if "linear_solutions" in facts:
        linear = sum(comes_apart(box, filling) for filling in found)
        right = not more and linear == whole(facts["linear_solutions"], "linear_solutions")
        docket.decide("facts.linear_solutions", right, f"{linear} of {number} come apart")


def _judge_some(facts: Facts, found: int, docket: Docket) -> None:
    """The count is said to have been cut off: it holds if there are as many."""
    claimed = whole(facts["solutions"], "solutions")
    docket.decide("facts.solutions", 0 <= claimed <= found, f"there are {found} fillings")
    if claimed > _CAP:
        docket.refute("facts.solutions_complete", f"at most {_CAP} are counted")
    elif found > claimed:
        docket.confirm("facts.solutions_complete")
    else:
        docket.leave("facts.solutions_complete", f"there are no more than {found} fillings")
    if "linear_solutions" not in facts:
        return
    if whole(facts["linear_solutions"], "linear_solutions") > claimed:
        docket.refute("facts.linear_solutions", f"only {claimed} fillings were counted")
    else:
        why = "the document does not say which of the fillings were counted"
        docket.leave("facts.linear_solutions", why)


def _judge_effort(box: Box, facts: Facts, docket: Docket, most: int) -> int | None:
    """Count the rows again; None if the document says that they are too many for that."""
    rows = whole(facts["search_nodes"], "search_nodes")
    share = whole(facts["nodes_per_solution"], "nodes_per_solution")
    if rows > most:
        for claim in ("facts.search_nodes", "facts.nodes_per_solution"):
            docket.leave(claim, f"at most {most} rows are counted again")
        return None
    if facts.get("solutions_complete") == "no":
        for claim in ("facts.search_nodes", "facts.nodes_per_solution"):
            docket.leave(claim, "where a search is cut off depends on the order of its rows")
        return None
    again = effort_of(box, most)
    more = "" if again.complete else "more than "
    tried = f"the search tries {more}{again.rows} rows"
    docket.decide("facts.search_nodes", again.complete and again.rows == rows, tried)
    words = f"{tried} for {again.covers} covers: {again.share}"
    docket.decide("facts.nodes_per_solution", again.complete and again.share == share, words)
    return again.share if again.complete else None


def _judge_band(document: Mapping[str, object], share: int | None, docket: Docket) -> None:
    """In the suite ``packing-77`` the tier follows from the rows for each filling."""
    if not re.fullmatch(r"\w+-(easy|medium|hard)-\d\d", str(document.get("id"))):
        return
    tier = tier_of(document)
    least, most = _BANDS[tier]
    if share is None:
        docket.leave("tier.effort", "the rows for each filling were not counted again")
    else:
        words = f"{share} rows for each filling, where {tier} has {least} to {most}"
        docket.decide("tier.effort", least <= share <= most, words)
