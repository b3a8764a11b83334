"""The renderer in Unity, or in whatever else speaks the protocol of unity.proto."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from bridge.unity.memory import keep_large_blocks
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from pysim.errors import InputError
from pysim.motion import Transform
from pysim.render.camera import Camera
from pysim.render.inputs import DrawList, checked
from pysim.render.palette import PALETTE
from pysim.render.renderer import PASSES, Pass, Pictures
from pysim.render.walls import draw_walls
from pysim.scene import Scene

__all__ = ["UnityRenderer"]


class UnityRenderer:
    """Draws in a player; see :class:`~pysim.render.renderer.Renderer`.

    The player keeps a scene as long as the bodies keep their shapes and colours: where they are is
    told with each picture. It draws no stickers, nothing translucent, no normals and no parallel
    rays; a batch is drawn one scene after another.

    Args:
        players: lend the player, and take it back at ``close``.

    Raises:
        PlayerError: no player can be started, or it can't draw.
    """

    name: Final = "unity"

    def __init__(self, players: PlayerPool) -> None:
        keep_large_blocks()
        self._players = players
        self._player: Player | None = players.take(graphics=True)
        self._version = f"{self._player.identity.engine}; {self._player.identity.graphics}"
        self._built: Scene | None = None

    @property
    def version(self) -> str:
        """Engine and graphics device, as the player says them."""
        return self._version

    def render(
        self,
        scene: Scene,
        cameras: Sequence[Camera],
        size: int,
        transforms: Mapping[str, Transform] | None = None,
        passes: Sequence[Pass] = PASSES,
    ) -> Pictures:
        """Draw ``scene`` once for each camera; see :class:`~pysim.render.renderer.Renderer`.

        Raises:
            InputError: as every renderer; or something is asked for that players don't draw.
            RuntimeError: called after ``close``.
            PlayerError: the player failed.
        """
        (job,) = checked([scene], cameras, size, passes, [transforms], PALETTE)
        return self._draw(job, size, passes)

    def render_batch(
        self,
        scenes: Sequence[Scene],
        cameras: Sequence[Camera] | Sequence[Sequence[Camera]],
        size: int,
        passes: Sequence[Pass] = PASSES,
        transforms: Sequence[Mapping[str, Transform] | None] | None = None,
    ) -> Pictures:
        """Draw many scenes, one after another; see :class:`~pysim.render.renderer.Renderer`.

        Raises:
            InputError, RuntimeError, PlayerError: as :meth:`render`.
        """
        jobs = checked(scenes, cameras, size, passes, transforms, PALETTE)
        seen = [self._draw(job, size, passes) for job in jobs]
        return Pictures({kind: np.stack([own.planes[kind] for own in seen]) for kind in passes})

    def close(self) -> None:
        """Give the player back; may be called twice."""
        if self._player is not None:
            self._players.give_back(self._player, graphics=True)
        self._player = self._built = None

    def _draw(self, job: DrawList, size: int, passes: Sequence[Pass]) -> Pictures:
        if self._player is None:
            raise RuntimeError("this renderer is closed")
        built = self._build(self._player, job.scene)
        moved = {
            body.name: transform
            for body, transform in zip(built.bodies, job.transforms, strict=True)
            if not np.array_equal(transform, body.pose.transform())
        }
        walls = Pass.RGB in passes and job.scene.container is not None
        # Walls are hidden by what stands before them.
        wanted = tuple(dict.fromkeys((*passes, Pass.DEPTH) if walls else passes))
        drawn = self._player.render(job.cameras, size, moved, wanted)
        if walls and job.scene.container is not None:
            draw_walls(drawn, job.scene.container, job.cameras)
        return Pictures({kind: drawn.planes[kind] for kind in passes})

    def _build(self, player: Player, scene: Scene) -> Scene:
        """Build ``scene`` in the player, unless one that looks the same is there already."""
        if self._built is None or _look(self._built) != _look(scene):
            if any(body.stickers or body.translucent for body in scene.bodies):
                raise InputError("a player can't draw stickers or translucent bodies; egl can")
            self._built = None
            player.reset(scene)
            self._built = scene
        return self._built


def _look(scene: Scene) -> tuple[object, ...]:
    """All that pictures show, but for where the bodies are."""
    bodies = tuple(
        (body.name, body.shape, body.colour, body.stickers, body.translucent)
        for body in scene.bodies
    )
    return (bodies, scene.work, scene.table)
