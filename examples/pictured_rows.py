"""Locks of many episodes side by side, with pictures: played and drawn by worker processes.

``train_locks_by_sight.py`` beside it learns from them. Workers and learner share one piece of
memory. A worker has a batch of its own, and a renderer.
"""

import zlib
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from typing import Any, NamedTuple

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

__all__ = ["EDGE", "FAMILY", "TOGETHER", "VIEWS", "Workers"]

FAMILY, CAMERAS, VIEWS, EDGE = "burr", "iso4", 4, 64
TOGETHER = 16
"""Episodes of one level that begin one after another."""
LONGEST = 128
"""Steps of an episode that are remembered."""


class Shared(NamedTuple):
    """What workers and the learner share: of each row what the policy sees, and what came of it.

    Attributes:
        pictures: (rows, views, edge, edge, 3) uint8.
        legal: (rows, actions) uint8.
        tried: (rows, actions) uint8, how often each action was made with these pictures.
        left: (rows,) float32, steps.
        numbers: (rows,) int64, the action to come.
        rewards: (rows,) float32 of the action before.
        ends: (rows,) uint8, whether the episode ended with it; what is seen is a new one's.
    """

    pictures: NDArray[Any]
    legal: NDArray[Any]
    tried: NDArray[Any]
    left: NDArray[Any]
    numbers: NDArray[Any]
    rewards: NDArray[Any]
    ends: NDArray[Any]


def share(memory: SharedMemory | None, rows: int) -> tuple[Shared, int]:
    """Return arrays in some memory, and how many bytes they take; without memory, new ones."""
    actions = luban.find_space(FAMILY).actions.count
    shapes: tuple[tuple[tuple[int, ...], type], ...] = (
        ((rows, VIEWS, EDGE, EDGE, 3), np.uint8),
        ((rows, actions), np.uint8),
        ((rows, actions), np.uint8),
        ((rows,), np.float32),
        ((rows,), np.int64),
        ((rows,), np.float32),
        ((rows,), np.uint8),
    )
    arrays, at = list[NDArray[Any]](), 0
    for shape, kind in shapes:
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        if memory is None:
            arrays.append(np.zeros(shape, kind))
        else:
            arrays.append(np.ndarray(shape, kind, memory.buf, at))
        at += -(-size // 64) * 64
    return Shared(*arrays), at


class Rows:
    """Episodes of a worker: a batch, a renderer, and what each episode has seen and done."""

    def __init__(self, shared: Shared, blind: bool) -> None:
        self._shared, self._blind = shared, blind
        self._rules = discover_families()[FAMILY].rules
        self._batch = make_environments(FAMILY, len(shared.left)).unwrapped.batch
        renderer, _ = create_renderer()
        self._renderer = create_dressed(renderer, PLAIN)
        self._prepared = dict[str, tuple[PreparedScene, tuple[Camera, ...]]]()
        self._numbers = dict[str, int]()
        self._seen = np.zeros((len(shared.left), LONGEST), np.uint32)
        self._made = np.full((len(shared.left), LONGEST), -1, np.int64)

    def begin(self, rows: NDArray[np.int64], levels: Sequence[luban.Level[Any]]) -> None:
        """Begin a level in each of some rows."""
        for level in levels:
            if level.hash not in self._numbers:
                self._numbers[level.hash] = self._batch.load(level)
        self._batch.begin(rows, np.array([self._numbers[level.hash] for level in levels]))
        self._shared.left[rows] = [level.budget for level in levels]
        self._made[rows] = -1

    def step(self, levels: Iterator[luban.Level[Any]] | None) -> None:
        """Make the actions; where an episode ends, begin the next level, if there are levels."""
        shared, rows = self._shared, np.arange(len(self._shared.left))
        place = rows, (self._made >= 0).sum(axis=1) % LONGEST
        self._made[place] = shared.numbers
        going = shared.left > 0
        self._batch.step(np.where(going, shared.numbers, -1))
        shared.left[going] -= 1
        solved = self._batch.legal.solved & going
        shared.rewards[:] = solved
        shared.ends[:] = solved | (going & (shared.left <= 0))
        ended = np.flatnonzero(shared.ends)
        shared.left[ended] = 0
        if levels is not None and len(ended):
            self.begin(ended, [next(levels) for _ in ended])

    def look(self) -> None:
        """Draw all rows, and say what is legal and what was tried."""
        shared, count = self._shared, len(self._shared.left)
        shared.legal[:] = self._batch.legal.mask
        if not self._blind:
            self._draw(count)
        now = np.array([zlib.crc32(shared.pictures[k]) for k in range(count)], np.uint32)
        same = (self._seen == now[:, None]) & (self._made >= 0)
        shared.tried[:] = 0
        rows, places = np.nonzero(same)
        np.add.at(shared.tried, (rows, self._made[rows, places]), 1)
        self._seen[np.arange(count), (self._made >= 0).sum(axis=1) % LONGEST] = now

    def _draw(self, count: int) -> None:
        """Draw all rows, those of one level together."""
        together = dict[str, list[int]]()
        for row in range(count):
            together.setdefault(self._batch.get_level(row).hash, []).append(row)
        for key, rows in together.items():
            level = self._batch.get_level(rows[0])
            if key not in self._prepared:
                scene = self._rules.scene(level, self._rules.initial(level))
                cameras = make_camera_set(CAMERAS, measure_bounds(scene))
                self._prepared[key] = self._renderer.prepare(scene), cameras
            prepared, cameras = self._prepared[key]
            scenes = [self._rules.scene(level, self._batch.read_state(row)) for row in rows]
            poses = np.array([[body.pose.transform() for body in one.bodies] for one in scenes])
            pictures = self._renderer.render_poses(prepared, poses, cameras, EDGE, [Pass.RGB])
            self._shared.pictures[rows] = pictures.rgb


def work(pipe: Connection, memory: str, rows: int, part: slice, seed: int, blind: bool) -> None:
    """Play some of the rows as the learner says: ``("train",)``, ``("play", levels)``, or step."""
    kept = SharedMemory(memory)
    shared, _ = share(kept, rows)
    mine = Rows(Shared(*(array[part] for array in shared)), blind)
    rng, levels = np.random.default_rng((seed, part.start)), None
    every = np.arange(part.stop - part.start)
    while (message := pipe.recv()) is not None:
        match message:
            case ("train",):
                levels = draw_levels(rng)
                mine.begin(every, [next(levels) for _ in every])
            case ("play", some):
                levels = None
                mine.begin(every, some)
            case _:
                mine.step(levels)
        mine.look()
        pipe.send(True)


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


class Workers:
    """Processes, each with some rows."""

    def __init__(self, rows: int, count: int, seed: int, blind: bool) -> None:
        _, size = share(None, rows)
        self._memory = SharedMemory(create=True, size=size)
        self.shared, _ = share(self._memory, rows)
        self._parts = [slice(k[0], k[-1] + 1) for k in np.array_split(np.arange(rows), count)]
        self._pipes, self._processes = list[Connection](), list[BaseProcess]()
        context = get_context("spawn")
        for part in self._parts:
            here, there = context.Pipe()
            given = (there, self._memory.name, rows, part, seed, blind)
            process = context.Process(target=work, args=given, daemon=True)
            process.start()
            self._pipes.append(here)
            self._processes.append(process)

    def train(self) -> None:
        """Begin training tasks in all rows."""
        self._tell([("train",)] * len(self._pipes))

    def play(self, levels: Sequence[luban.Level[Any]]) -> None:
        """Begin a level in each row."""
        self._tell([("play", list(levels[part])) for part in self._parts])

    def step(self) -> None:
        """Make the actions that stand in the shared memory."""
        self._tell([("step",)] * len(self._pipes))

    def close(self) -> None:
        """End all processes."""
        for pipe in self._pipes:
            pipe.send(None)
        for process in self._processes:
            process.join()
        self.shared = share(None, 1)[0]
        self._memory.close()
        self._memory.unlink()

    def _tell(self, messages: Sequence[object]) -> None:
        for pipe, message in zip(self._pipes, messages, strict=True):
            pipe.send(message)
        for pipe in self._pipes:
            pipe.recv()
