"""The renderer in Unity, or in whatever else speaks the protocol of unity.proto."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from pysim.motion import Transform
from pysim.render.camera import Camera
from pysim.render.inputs import checked
from pysim.render.renderer import Pictures
from pysim.render.walls import draw_walls
from pysim.scene import Scene

__all__ = ["UnityRenderer"]


class UnityRenderer:
    """Draws in a player; see :class:`~pysim.render.renderer.Renderer`.

    The player keeps a scene as long as the bodies keep their shapes and colours: where they are is
    told with each picture.

    Args:
        players: lend the player, and take it back at ``close``.

    Raises:
        PlayerError: no player can be started, or it can't draw.
    """

    name: Final = "unity"

    def __init__(self, players: PlayerPool) -> None:
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
    ) -> Pictures:
        """Draw ``scene`` once for each camera, ``size`` x ``size`` pixels.

        Raises:
            ValueError: as every renderer; or the player refuses the scene.
            RuntimeError: called after ``close``.
        """
        inputs = checked(scene, cameras, size, transforms)
        if self._player is None:
            raise RuntimeError("this renderer is closed")
        built = self._build(self._player, scene)
        moved = {
            body.name: transform
            for body, transform in zip(built.bodies, inputs.transforms, strict=True)
            if not np.array_equal(transform, body.pose.transform())
        }
        pictures = self._player.render(cameras, size, moved)
        if scene.container is not None:
            draw_walls(pictures, scene.container, cameras)
        return pictures

    def close(self) -> None:
        """Give the player back; may be called twice."""
        if self._player is not None:
            self._players.give_back(self._player, graphics=True)
        self._player = self._built = None

    def _build(self, player: Player, scene: Scene) -> Scene:
        """Build ``scene`` in the player, unless one that looks the same is there already."""
        if self._built is None or _look(self._built) != _look(scene):
            self._built = None
            player.reset(scene)
            self._built = scene
        return self._built


def _look(scene: Scene) -> tuple[object, ...]:
    """All that pictures show, but for where the bodies are."""
    bodies = tuple((body.name, body.shape, body.colour) for body in scene.bodies)
    return (bodies, scene.work, scene.table)
