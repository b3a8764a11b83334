"""The renderer in Unity, or in whatever else speaks the protocol of unity.proto."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bridge.unity.memory import keep_large_blocks
from bridge.unity.pictures import GalleryScene
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from pysim.render.drawing import CheckedRenderer
from pysim.render.inputs import DrawList
from pysim.render.renderer import Pass, Pictures
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["UnityRenderer"]

_PIXEL_BYTES = 48 * 2**20
"""Bytes of pixels that are asked for at once: players answer with 60 MiB at most."""


class UnityRenderer(CheckedRenderer):
    """Draws in a player; see :class:`~pysim.render.renderer.Renderer`.

    The player keeps a scene as long as the bodies keep their looks: where they are is told with
    each picture. A batch of scenes is drawn in one exchange, or in as many as its pictures need.

    Args:
        players: lend the player, and take it back at ``close``.

    Raises (from every method):
        PlayerError: no player can be started, or it fails, or can't draw.
    """

    name: Final = "unity"

    def __init__(self, players: PlayerPool) -> None:
        super().__init__()
        keep_large_blocks()
        self._players = players
        self._player: Player | None = players.take(graphics=True)
        self._version = f"{self._player.identity.engine}; {self._player.identity.graphics}"
        self._built: Scene | None = None

    @property
    def version(self) -> str:
        """Engine and graphics device, as the player says them."""
        return self._version

    def close(self) -> None:
        """Give the player back; may be called twice."""
        if self._player is not None:
            self._players.give_back(self._player, graphics=True)
        self._player = self._built = None

    def _draw(self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]) -> Pictures:
        if self._player is None:
            raise RuntimeError("this renderer is closed")
        drawn = [
            self._draw_some(self._player, go, size, passes) for go in _goes(jobs, size, passes)
        ]
        shape = (len(jobs), len(jobs[0].cameras), size, size)
        return Pictures(
            {
                kind: _joined([some.planes[kind] for some in drawn]).reshape(*shape, *kind.channels)
                for kind in passes
            }
        )

    def _draw_some(
        self, player: Player, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]
    ) -> Pictures:
        """Return pictures that fit into one answer."""
        if len(jobs) > 1:
            exhibits = [
                GalleryScene(job.scene, job.cameras, _moved(job, job.scene)) for job in jobs
            ]
            return player.render_gallery(exhibits, size, passes)
        (job,) = jobs
        built = self._build(player, job.scene)
        return player.render(job.cameras, size, _moved(job, built), passes)

    def _build(self, player: Player, scene: Scene) -> Scene:
        """Build ``scene`` in the player, unless one that looks the same is there already."""
        if self._built is None or _look(self._built) != _look(scene):
            self._built = None
            player.reset(scene)
            self._built = scene
        return self._built


def _goes(
    jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]
) -> Iterator[Sequence[DrawList]]:
    """The jobs, as many at a time as fit into an answer; if not even one does, view by view."""
    pixel = sum(math.prod(kind.channels) * kind.dtype.itemsize for kind in passes)
    most = max(1, _PIXEL_BYTES // (pixel * size * size))
    views = len(jobs[0].cameras)
    if views <= most:
        yield from (
            jobs[start : start + most // views] for start in range(0, len(jobs), most // views)
        )
        return
    for job in jobs:
        for start in range(0, views, most):
            yield [replace(job, cameras=job.cameras[start : start + most])]


def _moved(job: DrawList, built: Scene) -> dict[str, Transform]:
    """Return the poses of bodies that stand elsewhere in ``built``."""
    return {
        body.name: transform
        for body, transform in zip(built.bodies, job.transforms, strict=True)
        if not np.array_equal(transform, body.pose.transform())
    }


def _joined(planes: list[NDArray[np.generic]]) -> NDArray[np.generic]:
    return planes[0] if len(planes) == 1 else np.concatenate(planes)


def _look(scene: Scene) -> tuple[object, ...]:
    """Return all that pictures show, but for where the bodies are."""
    bodies = tuple(
        (body.name, body.shape, body.colour, body.stickers, body.translucent)
        for body in scene.bodies
    )
    return (bodies, scene.work, scene.table, scene.container)
