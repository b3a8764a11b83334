"""The world and the renderer in Unity, ready to be put beside those of pysim."""

from collections.abc import Iterator
from contextlib import contextmanager

from bridge.episode.engines import Engines
from bridge.unity.link import Launch
from bridge.unity.pool import PlayerPool
from bridge.unity.process import find_player
from bridge.unity.renderer import UnityRenderer
from bridge.unity.world import UnityWorld

__all__ = ["open_unity_engines"]


@contextmanager
def open_unity_engines(launch: Launch) -> Iterator[Engines]:
    """The engines of pysim and those in a player, which is started when it is first needed.

    At the end all players are closed, and with them the worlds and renderers in them.

    Raises:
        PlayerUnavailable: there is no such player.
    """
    find_player(launch.player)
    with PlayerPool(launch) as players:
        yield Engines(
            {UnityWorld.name: lambda: UnityWorld(players)},
            {UnityRenderer.name: lambda: UnityRenderer(players)},
        )
