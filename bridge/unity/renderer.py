"""The renderer in Unity, or in whatever else speaks the protocol of unity.proto."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from bridge.unity.memory import keep_large_blocks
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from pysim.errors import InputError
from pysim.render.drawing import CheckedRenderer, one_by_one
from pysim.render.inputs import DrawList
from pysim.render.renderer import Pass, Pictures
from pysim.render.walls import draw_walls
from pysim.scene import Scene

__all__ = ["UnityRenderer"]


class UnityRenderer(CheckedRenderer):
    """Draws in a player; see :class:`~pysim.render.renderer.Renderer`.

    The player keeps a scene as long as the bodies keep their shapes and colours: where they are is
    told with each picture. It draws no stickers, nothing translucent, no normals and no parallel
    rays; a batch is drawn one scene after another.

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

    def check_scene(self, scene: Scene) -> None:
        """Refuse stickers, translucent bodies, and shots with parallel rays or without shades.

        A scene that shows no pictures at all is fine.

        Raises:
            InputError: there are some.
        """
        if scene.shots is not None and not scene.shots:
            return
        if any(body.stickers or body.translucent for body in scene.bodies):
            raise InputError("a player can't draw stickers or translucent bodies; egl can")
        tiles = [tile for shot in scene.shots or () for tile in shot.tiles]
        if any(tile.parallel or not tile.shaded for tile in tiles):
            raise InputError("a player can't draw with parallel rays or without shades; egl can")

    def close(self) -> None:
        """Give the player back; may be called twice."""
        if self._player is not None:
            self._players.give_back(self._player, graphics=True)
        self._player = self._built = None

    def _draw(self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]) -> Pictures:
        return one_by_one(lambda job: self._draw_scene(job, size, passes), jobs, passes)

    def _draw_scene(self, job: DrawList, size: int, passes: Sequence[Pass]) -> Pictures:
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
            self.check_scene(scene)
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
