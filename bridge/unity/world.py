"""The world in Unity, or in whatever else speaks the protocol of unity.proto."""

from collections.abc import Sequence
from typing import Final

from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from pysim.geometry import Voxels
from pysim.motion import Motion
from pysim.physics.requests import check_motions, check_scene
from pysim.physics.world import Report
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["UnityWorld"]


class UnityWorld:
    """Moves bodies in a player; see :class:`~pysim.physics.world.World`.

    The player's digest is compared with ours after every call. If the player fails, this raises
    PlayerError, and goes on raising it.

    Args:
        players: lend the player, and take it back at ``close``.

    Raises:
        PlayerError: no player can be started.
    """

    name: Final = "unity"

    def __init__(self, players: PlayerPool) -> None:
        self._players = players
        self._player: Player | None = players.take(graphics=False)
        self._version = self._player.identity.engine
        self._scene: Scene | None = None
        self._shapes: dict[str, Voxels] = {}

    @property
    def version(self) -> str:
        """The engine's name and version, as the player says them."""
        return self._version

    def reset(self, scene: Scene) -> None:
        """Forget everything and build ``scene``.

        Raises:
            ValueError: bodies overlap, or a loose body has no table under it.
        """
        player = self._require_player()
        check_scene(scene)
        player.reset(scene)
        self._scene = scene
        self._shapes = {body.name: body.shape for body in scene.bodies}

    def execute(self, motions: Sequence[Motion]) -> Report:
        """Do ``motions`` one after another; all or nothing.

        Raises:
            KeyError: a motion names a body that is not in the scene.
            ValueError: the motions make no sense.
        """
        player = self._require_player()
        check_motions(self._require_scene(), self._shapes, motions)
        return player.execute(motions)

    def transforms(self) -> dict[str, Transform]:
        """Return the poses of all bodies now: name -> 4x4 transform."""
        player = self._require_player()
        self._require_scene()
        return player.transforms()

    def close(self) -> None:
        """Give the player back; the world can't be used any more."""
        if self._player is not None:
            self._players.give_back(self._player, graphics=False)
        self._player = self._scene = None

    def _require_player(self) -> Player:
        if self._player is None:
            raise RuntimeError("this world is closed")
        return self._player

    def _require_scene(self) -> Scene:
        if self._scene is None:
            raise RuntimeError("this world has no scene yet: call reset first")
        return self._scene
