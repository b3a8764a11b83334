"""Pieces that need not come apart."""

from collections import Counter
from collections.abc import Sequence

from pysim.families.burr.files.design import Problem

__all__ = ["may_stay_together"]


def may_stay_together(problem: Problem, parts: Sequence[int]) -> bool:
    """Return whether pieces, named by their parts, need not come apart from each other.

    They need not if there is a group that takes as many copies of each part as there are.
    """
    used = Counter(parts)
    room = [dict(problem.parts[part].memberships) for part in used]
    return any(
        group and all(of.get(group, 0) >= n for of, n in zip(room, used.values(), strict=True))
        for group in room[0]
    )
