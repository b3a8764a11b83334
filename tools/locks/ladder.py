"""Locks of the suite ``locks-ladder``: their level rises from step to step."""

from pysim.families.burr.generator import LockKind, Settings
from tools.locks.generated import Generated

__all__ = ["LADDER"]


def _make_box(level: int, pieces: int, side: int, climb: int, seed: int, attempt: int) -> Generated:
    """Return a box of a level, made by a climb of some rounds."""
    edges = (side, side, side)
    wanted = Settings(LockKind.CUBE, seed, pieces, level, edges, climb=climb)
    return Generated(f"ladder-{level:02}", "", wanted, attempt)


LADDER = (
    _make_box(5, 3, 4, climb=1, seed=48, attempt=1),
    _make_box(6, 3, 4, climb=1, seed=48, attempt=2),
    _make_box(8, 3, 4, climb=8, seed=44, attempt=2),
    _make_box(9, 3, 4, climb=4, seed=43, attempt=3),
    _make_box(10, 3, 5, climb=4, seed=48, attempt=4),
    _make_box(12, 3, 5, climb=4, seed=48, attempt=1),
    _make_box(13, 3, 5, climb=4, seed=48, attempt=3),
    _make_box(14, 3, 5, climb=4, seed=50, attempt=5),
    _make_box(15, 4, 5, climb=9, seed=48, attempt=3),
    _make_box(17, 4, 5, climb=9, seed=48, attempt=2),
    _make_box(18, 4, 6, climb=7, seed=5, attempt=0),
    _make_box(19, 4, 5, climb=9, seed=45, attempt=1),
    _make_box(21, 3, 5, climb=4, seed=46, attempt=0),
    _make_box(22, 5, 6, climb=14, seed=1, attempt=2),
    _make_box(23, 4, 5, climb=6, seed=43, attempt=1),
    _make_box(24, 4, 6, climb=16, seed=43, attempt=0),
    _make_box(26, 5, 6, climb=23, seed=6, attempt=0),
    _make_box(28, 5, 6, climb=28, seed=5, attempt=0),
    _make_box(29, 5, 6, climb=23, seed=1, attempt=0),
    _make_box(30, 5, 6, climb=30, seed=1, attempt=2),
    _make_box(31, 5, 6, climb=40, seed=44, attempt=1),
    _make_box(32, 5, 6, climb=22, seed=2, attempt=0),
    _make_box(33, 5, 6, climb=36, seed=5, attempt=0),
    _make_box(35, 5, 6, climb=60, seed=6, attempt=0),
)
"""In the order of their levels. A climb of fewer rounds ends at a lower level."""
