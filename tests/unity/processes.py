"""A scene for players, and what becomes of their processes."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from pysim.geometry import Direction, Voxels
from pysim.motion import Sweep
from pysim.scene import Scene
from tests.physics.scenes import named, scene_of
from tests.waiting import PATIENCE

__all__ = ["PUSH", "SCENE", "group", "is_gone", "large_scene", "wait_until"]

SCENE = scene_of(
    named("bar", Voxels.make_block((4, 1, 1)), (0, 0, 0)),
    named("wall", Voxels.make_block((1, 3, 3)), (6, 0, 0)),
)
PUSH = Sweep(frozenset({"bar"}), Direction.PLUS_X, 1)


def large_scene() -> Scene:
    """One body of 640,000 cells, far from its own origin: more than 5 MB on the wire."""
    plate = Voxels.from_cells((x, y, 400_000) for x in range(-400, 400) for y in range(-400, 400))
    return scene_of(named("plate", plate, (0, 0, -400_000)))


def is_gone(pid: int) -> bool:
    """Whether no process has this number, not even a zombie."""
    return not Path(f"/proc/{pid}").exists()


def group(leader: int) -> list[str]:
    """States of the processes of a group that are no zombies."""
    stats = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            stats.append(path.read_text().rpartition(")")[2].split())
    return [state for state, _, number, *_ in stats if int(number) == leader and state != "Z"]


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
