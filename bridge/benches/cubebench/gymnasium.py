"""CubeBench's dense rewards for the Gymnasium environment of cubes, as a wrapper.

Needs the extra ``gymnasium``.
"""

from typing import Any

import gymnasium
import numpy as np

from pysim.errors import InputError
from pysim.families.rubik.rewards import Reward
from pysim.families.rubik.strings import Letters, Order, parse_cube

__all__ = ["CubeReward"]


class CubeReward(gymnasium.Wrapper[dict[str, Any], np.int64, dict[str, Any], np.int64]):
    """Rewards each step by the change that it makes in a metric of the cube.

    Args:
        env: ``Luban/Rubik-v0`` with ``features`` among its observations.
        reward: ``none``, ``sticker``, ``face`` or ``heuristic``.

    Raises:
        InputError: there is no such reward, or the environment shows no features of a cube.
    """

    def __init__(
        self, env: gymnasium.Env[dict[str, Any], np.int64], reward: str = "sticker"
    ) -> None:
        super().__init__(env)
        self._metric = Reward(reward).score
        self._score = 0
        space = env.observation_space
        parts = space.spaces if isinstance(space, gymnasium.spaces.Dict) else {}
        if "features" not in parts:
            raise InputError(
                'a cube is rewarded by its features: make it with observation="features"'
            )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode."""
        seen, info = self.env.reset(seed=seed, options=options)
        self._score = self._score_of(seen)
        return seen, info

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make a move; the reward is the difference that it makes."""
        seen, _, terminated, truncated, info = self.env.step(action)
        before, self._score = self._score, self._score_of(seen)
        return seen, float(self._score - before), terminated, truncated, info

    def _score_of(self, seen: dict[str, Any]) -> int:
        text = "".join("URFDLB"[value] for value in seen["features"])
        return self._metric(parse_cube(text, Order.ENVIRONMENT, Letters.FACES))
