"""``--unity-player``: the engines that a command may use."""

from collections.abc import Iterator
from contextlib import contextmanager

from bridge.episode.engines import LOCAL, Engines
from bridge.runs.folders import RunError

__all__ = ["open_engines"]

_UNITY = "unity"


@contextmanager
def open_engines(player: str, *names: str) -> Iterator[Engines]:
    """The engines of pysim, and if there is a player those in it.

    Args:
        player: what ``--unity-player`` says; empty for none.
        names: of the world and the renderer that are wanted, so far as they are known.

    Raises:
        RunError: one of them needs a player, and there is none.
    """
    if not player:
        if _UNITY in names:
            raise RunError(
                "unity needs a player: --unity-player PATH (or LUBAN_UNITY_PLAYER=PATH), the "
                "executable that Unity built; luban-player stands in for one"
            )
        yield LOCAL
        return
    from bridge.unity.engines import open_unity_engines
    from bridge.unity.link import Launch

    with open_unity_engines(Launch(player)) as engines:
        yield engines
