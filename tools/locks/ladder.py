"""Locks of the suite ``locks-ladder``: their level rises from step to step."""

from pysim.families.burr.generator import LockKind, Settings
from tools.locks.generated import Generated

__all__ = ["LADDER"]


def _make_box(
    level: int,
    pieces: int,
    side: int,
    climb: int,
    seed: int,
    attempt: int = 0,
    sequential: bool = False,
) -> Generated:
    """Return a box of a level, made by a climb of some rounds."""
    edges = (side, side, side)
    wanted = Settings(LockKind.CUBE, seed, pieces, level, edges, sequential=sequential, climb=climb)
    return Generated(f"ladder-{level:02}", "", wanted, attempt)


LADDER = (
    _make_box(5, 3, 4, climb=1, seed=48, attempt=1),
    _make_box(6, 3, 4, climb=1, seed=48, attempt=2),
    _make_box(8, 3, 4, climb=8, seed=44, attempt=2),
    _make_box(9, 3, 4, climb=4, seed=43, attempt=3),
    _make_box(10, 3, 5, climb=4, seed=48, attempt=4),
    _make_box(12, 3, 5, climb=4, seed=48, attempt=1),
    _make_box(13, 3, 5, climb=4, seed=48, attempt=3),
    _make_box(15, 4, 5, climb=9, seed=48, attempt=3),
    _make_box(17, 4, 5, climb=9, seed=48, attempt=2),
    _make_box(19, 4, 5, climb=9, seed=45, attempt=1),
    _make_box(22, 5, 6, climb=14, seed=1, attempt=2),
    _make_box(26, 5, 6, climb=23, seed=6),
    _make_box(30, 5, 6, climb=30, seed=1, attempt=2),
    _make_box(33, 5, 6, climb=36, seed=5),
    _make_box(38, 5, 6, climb=34, seed=2, sequential=True),
    _make_box(45, 5, 7, climb=99, seed=1, sequential=True),
    _make_box(50, 5, 6, climb=41, seed=2, sequential=True),
    _make_box(56, 5, 7, climb=111, seed=1, sequential=True),
    _make_box(63, 5, 7, climb=124, seed=1, sequential=True),
    _make_box(71, 5, 8, climb=250, seed=1, sequential=True),
    _make_box(77, 5, 8, climb=253, seed=1, sequential=True),
    _make_box(87, 5, 8, climb=261, seed=1, sequential=True),
    _make_box(99, 5, 8, climb=262, seed=1, sequential=True),
    _make_box(111, 5, 8, climb=295, seed=1, sequential=True),
)
"""In the order of their levels. A climb of fewer rounds ends at a lower level."""
