"""Locks of many episodes side by side, with pictures, for ``train_locks_by_sight.py``."""

import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from actor_critic import DIFFICULTIES, make_environments
from numpy.typing import NDArray

import luban
from pysim.catalog import discover_families
from pysim.render.camera import Camera, make_camera_set, measure_bounds
from pysim.render.factory import create_renderer
from pysim.render.prepared import PreparedScene
from pysim.render.renderer import Pass
from pysim.render.scenery import PLAIN, create_dressed

__all__ = ["EDGE", "FAMILY", "TOGETHER", "VIEWS", "PicturedRows", "draw_levels"]

FAMILY, CAMERAS, VIEWS, EDGE = "burr", "iso4", 4, 64
TOGETHER = 16
"""Episodes of one level that begin one after another."""
LONGEST = 128
"""Steps of an episode that are remembered."""


class PicturedRows:
    """Episodes side by side: a batch, a renderer, and what each episode has seen and done.

    Attributes:
        pictures: (rows, views, edge, edge, 3) uint8.
        tried: (rows, actions) uint8, how often each action was made with these pictures.
        left: (rows,) int64, steps; 0 where an episode is over and no other one has begun.
        rewards: (rows,) float32 of the action before.
        ends: (rows,) bool, whether the episode ended with it; what is seen is the next one's.

    Args:
        rows: number of episodes.
        blind: whether all pictures are black.
    """

    def __init__(self, rows: int, *, blind: bool = False) -> None:
        self._blind = blind
        self._rules = discover_families()[FAMILY].rules
        self._batch = make_environments(FAMILY, rows).unwrapped.batch
        self._own, _ = create_renderer()
        self._renderer = create_dressed(self._own, PLAIN)
        self._prepared = dict[str, tuple[PreparedScene, tuple[Camera, ...]]]()
        self._numbers = dict[str, int]()
        self._following: Iterator[luban.Level[Any]] | None = None
        self._seen = np.zeros((rows, LONGEST), np.uint32)
        self._made = np.full((rows, LONGEST), -1, np.int64)
        self.pictures = np.zeros((rows, VIEWS, EDGE, EDGE, 3), np.uint8)
        self.tried = np.zeros((rows, luban.find_space(FAMILY).actions.count), np.uint8)
        self.left = np.zeros(rows, np.int64)
        self.rewards = np.zeros(rows, np.float32)
        self.ends = np.zeros(rows, np.bool_)

    @property
    def legal(self) -> NDArray[np.int8]:
        """(rows, actions) int8, which actions are legal; the batch's own array."""
        mask: NDArray[np.int8] = self._batch.legal.mask
        return mask

    def train(self, levels: Iterator[luban.Level[Any]]) -> None:
        """Begin a level in each row, and others where episodes end."""
        self._following = levels
        self._begin(np.arange(len(self.left)), list(islice(levels, len(self.left))))
        self._look()

    def play(self, levels: Sequence[luban.Level[Any]]) -> None:
        """Begin a level in each row, and none after it."""
        self._following = None
        self._begin(np.arange(len(self.left)), levels)
        self._look()

    def step(self, numbers: NDArray[np.int64]) -> None:
        """Make an action in each row that has an episode, and draw what came of it."""
        self._made[np.arange(len(numbers)), self._find_places()] = numbers
        going = self.left > 0
        self._batch.step(np.where(going, numbers, -1))
        self.left[going] -= 1
        solved = self._batch.legal.solved & going
        self.rewards[:] = solved
        self.ends[:] = solved | (going & (self.left == 0))
        ended = np.flatnonzero(self.ends)
        self.left[ended] = 0
        if self._following is not None and len(ended):
            self._begin(ended, list(islice(self._following, len(ended))))
        self._look()

    def close(self) -> None:
        """Free the renderer."""
        self._own.close()

    def _begin(self, rows: NDArray[np.int64], levels: Sequence[luban.Level[Any]]) -> None:
        for level in levels:
            if level.hash not in self._numbers:
                self._numbers[level.hash] = self._batch.load(level)
        self._batch.begin(rows, np.array([self._numbers[level.hash] for level in levels]))
        self.left[rows] = [level.budget for level in levels]
        self._made[rows] = -1

    def _find_places(self) -> NDArray[np.int64]:
        """(rows,) places of the step to come in what is remembered."""
        places: NDArray[np.int64] = (self._made >= 0).sum(axis=1) % LONGEST
        return places

    def _look(self) -> None:
        """Draw all rows, and count what was tried."""
        if not self._blind:
            self._draw()
        now = np.array([zlib.crc32(one.tobytes()) for one in self.pictures], np.uint32)
        rows, places = np.nonzero((self._seen == now[:, None]) & (self._made >= 0))
        self.tried[:] = 0
        np.add.at(self.tried, (rows, self._made[rows, places]), 1)
        self._seen[np.arange(len(now)), self._find_places()] = now

    def _draw(self) -> None:
        """Draw all rows, those of one level together."""
        together = dict[str, list[int]]()
        for row in range(len(self.left)):
            together.setdefault(self._batch.get_level(row).hash, []).append(row)
        for rows in together.values():
            level = self._batch.get_level(rows[0])
            prepared, cameras = self._prepare(level)
            scenes = [self._rules.scene(level, self._batch.read_state(row)) for row in rows]
            poses = np.array([[body.pose.transform() for body in one.bodies] for one in scenes])
            drawn = self._renderer.render_poses(prepared, poses, cameras, EDGE, [Pass.RGB])
            self.pictures[rows] = drawn.rgb

    def _prepare(self, level: luban.Level[Any]) -> tuple[PreparedScene, tuple[Camera, ...]]:
        if level.hash not in self._prepared:
            scene = self._rules.scene(level, self._rules.initial(level))
            cameras = make_camera_set(CAMERAS, measure_bounds(scene))
            self._prepared[level.hash] = self._renderer.prepare(scene), cameras
        return self._prepared[level.hash]


def draw_levels(rng: np.random.Generator) -> Iterator[luban.Level[Any]]:
    """Yield random levels of the training split, of all difficulties alike.

    Each comes ``TOGETHER`` times in a row: episodes of one level are drawn together, which takes a
    fraction of the time.
    """
    tasks = (luban.tasks(f"{FAMILY}:train", difficulty=k) for k in DIFFICULTIES)
    found = [[task.level for task in some] for some in tasks]
    while True:
        some = found[rng.integers(len(found))]
        yield from [some[rng.integers(len(some))]] * TOGETHER
