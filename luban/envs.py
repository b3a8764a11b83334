"""Luban's Gymnasium environments, registered by importing this; needs the extra ``gymnasium``.

Gymnasium imports what stands before the colon of an id, so that nobody else has to::

    env = gymnasium.make(f"luban.envs:Luban/{family.capitalize()}-v0")
"""

from pysim.extras import require_extra

require_extra("environments", "gymnasium")

from bridge.adapters.gymnasium import PuzzleEnv  # noqa: E402

__all__ = ["PuzzleEnv"]
