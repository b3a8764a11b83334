"""What a lock's picture sheet shows."""

import pytest

from pysim.catalog import discover_families, list_shipped_levels
from tests.families.burr.locks import LockLevel

LOCKS: list[LockLevel] = [level for level in list_shipped_levels() if level.family == "burr"]


@pytest.mark.parametrize("level", LOCKS, ids=lambda level: level.id)
def test_a_sheet_shows_the_lock_whole_then_apart_then_every_piece(level: LockLevel) -> None:
    assembled, apart, *pieces = discover_families()["burr"].preview(level.puzzle)
    assert frozenset(b.place().cell_set for b in assembled.scene.bodies) == level.puzzle.target
    assert [panel.title for panel in pieces] == list(level.colours)
    assert all(len(panel.scene.bodies) == 1 for panel in pieces)
    owners = {cell: body.name for body in apart.scene.bodies for cell in body.place().cells}
    for (x, y, z), name in owners.items():
        for beside in ((x + 1, y, z), (x, y + 1, z), (x, y, z + 1)):
            assert owners.get(beside, name) == name, "pieces that are drawn apart do not touch"
