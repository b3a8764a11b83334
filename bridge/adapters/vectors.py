"""Vector environments from arrays: thousands of puzzles a step, without episodes or logs.

For families that have a batch (:mod:`pysim.learning.batches`); a million steps a second and more.
They obey the same rules as the environments of :mod:`bridge.adapters.gymnasium`, but nothing is
recorded, no world is asked, and there are no pictures. Importing that module registers them::

    gymnasium.make_vec(f"Luban/{family.capitalize()}-v0", num_envs=1024, scramble=4)
"""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bridge.adapters.levels import own_level, own_levels
from bridge.adapters.vocabulary import vocabulary_of
from bridge.episode.choices import MAX_BUDGET
from pysim.catalog import discover_families, find_family
from pysim.errors import InputError
from pysim.learning.batches import PuzzleBatch, StateRows
from pysim.puzzle import Action, Level

__all__ = ["BatchEnv"]

_Seen = dict[str, Any]
_POOL = 4096
"""Scrambles that are made at once: by the thousand each costs little."""


class BatchEnv(gymnasium.vector.VectorEnv[_Seen, NDArray[np.int64], NDArray[Any]]):
    """Many episodes of one level, or of new scrambles of its kind at each reset.

    Observations are ``features`` (n, size) uint8 and ``budget`` (n, 1) int32, steps left. ``info``
    has ``action_mask`` (n, actions) int8 and ``success`` (n,), with ``_action_mask`` and
    ``_success``, which are true everywhere, as Gymnasium has it. The reward is 1 when the puzzle is
    solved. The numbers of actions are those of the level's other environments.

    Args:
        family: of the level.
        num_envs: episodes side by side.
        level: id or file; the family's shortest level that shows everything by default.
        budget: steps; the level's own by default.
        scramble: how many random steps from solved each episode begins, drawn with the seed; the
            level's own state if None.
        autoreset_mode: Gymnasium's ``NEXT_STEP`` or ``SAME_STEP``.

    Raises:
        InputError: the family has no batch, or something does not exist or does not fit.
    """

    def __init__(
        self,
        family: str,
        num_envs: int,
        level: str | None = None,
        *,
        budget: int | None = None,
        scramble: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self._batch = _batch_of(family)
        known = {action: number for number, action in enumerate(self._batch.actions)}
        if level is None:
            fitting = (one for one in own_levels(family) if _strange(one, known) is None)
            self.level = next(fitting)
        else:
            self.level = own_level(family, level)
        self.num_envs, self._scramble = num_envs, scramble
        self._same_step = AutoresetMode(autoreset_mode) is AutoresetMode.SAME_STEP
        self.metadata = {"autoreset_mode": AutoresetMode(autoreset_mode)}
        self._budget = self.level.budget if budget is None else budget
        if num_envs < 1 or not 1 <= self._budget <= MAX_BUDGET:
            raise InputError(f"there are at least 1 episode and 1 to {MAX_BUDGET} steps")
        if strange := _strange(self.level, known):
            raise InputError(
                f"{self.level.id} has {strange.tool}, which is for one episode at a time: take a "
                "level that shows everything"
            )
        actions = vocabulary_of(self.level).actions
        self._numbers = np.array([known[action] for action in actions], dtype=np.int64)
        rules = find_family(self.level).rules
        self._first = self._batch.row_of(rules.initial(self.level))
        self.single_action_space = spaces.Discrete(len(self._numbers))
        self.single_observation_space = spaces.Dict(
            {
                "budget": spaces.Box(0, MAX_BUDGET, (1,), np.int32),
                "features": spaces.Box(
                    0, self._batch.values - 1, (self._batch.features,), np.uint8
                ),
            }
        )
        self.action_space = spaces.MultiDiscrete([len(self._numbers)] * num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._always = np.ones(num_envs, dtype=bool)
        self._masks = np.ones((num_envs, len(self._numbers)), dtype=np.int8)
        for shared in (self._always, self._masks):
            shared.flags.writeable = False
        self._pool = self._states(0)
        self._states_now: StateRows | None = None
        self._over = np.zeros(num_envs, dtype=bool)
        self._left = np.zeros(num_envs, dtype=np.int32)
        self._states(1)  # Says now what is wrong with a scramble.

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Seen, dict[str, Any]]:
        """Begin all episodes.

        Args:
            seed: of all of them together.

        Raises:
            InputError: there is a seed for each of them.
        """
        if isinstance(seed, list):
            raise InputError("these episodes share one seed")
        super().reset(seed=seed)
        if seed is not None:
            self._pool = self._pool[:0]
        self._states_now = self._drawn(self.num_envs)
        self._left = np.full(self.num_envs, self._budget, dtype=np.int32)
        self._over = np.zeros(self.num_envs, dtype=bool)
        return self._seen(self._states_now, self._left), self._info(self._over)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[_Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make an action in each; an episode that is over begins anew.

        Raises:
            InputError: there is no such number.
            RuntimeError: reset() was not called.
        """
        if self._states_now is None:
            raise RuntimeError("there are no episodes; call reset() first")
        chosen = np.asarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,) or not self._are_numbers(chosen):
            raise InputError(
                f"actions are {self.num_envs} numbers from 0 to {len(self._numbers) - 1}"
            )
        states = self._batch.stepped(self._states_now, self._numbers[chosen])
        left = self._left - np.int32(1)
        begun = np.flatnonzero(self._over)  # In NEXT_STEP mode their actions count for nothing.
        self._begin(states, left, begun)
        solved = self._batch.solved(states)
        solved[begun] = False
        truncated = (left == 0) & ~solved
        over = solved | truncated
        info = self._info(solved)
        rewards = solved.astype(np.float64)
        if self._same_step and over.any():
            info |= self._final(states, left, solved, over)
            states, left = states.copy(), left.copy()
            self._begin(states, left, np.flatnonzero(over))
            over = np.zeros_like(over)
        self._states_now, self._left, self._over = states, left, over
        return self._seen(states, left), rewards, solved, truncated, info

    def _are_numbers(self, chosen: NDArray[np.int64]) -> bool:
        return bool(chosen.min() >= 0 and chosen.max() < len(self._numbers))

    def _begin(self, states: StateRows, left: NDArray[np.int32], which: NDArray[np.int64]) -> None:
        """Put new episodes into some rows, in place."""
        if len(which):
            states[which] = self._drawn(len(which))
            left[which] = self._budget

    def _final(
        self,
        states: StateRows,
        left: NDArray[np.int32],
        solved: NDArray[np.bool_],
        over: NDArray[np.bool_],
    ) -> dict[str, Any]:
        """Return the last observations of ended episodes, as Gymnasium passes them on."""
        seen = self._seen(states, left)
        final = np.full(self.num_envs, None, dtype=object)
        for k in np.flatnonzero(over):
            final[k] = {name: part[k] for name, part in seen.items()}
        return {
            "final_obs": final,
            "_final_obs": over,
            "final_info": {**self._info(solved), "_success": over, "_action_mask": over},
            "_final_info": over,
        }

    def _drawn(self, count: int) -> StateRows:
        """(count, size) where episodes begin; scrambles are taken from a pool, in order."""
        if self._scramble is None:
            return np.tile(self._first, (count, 1))
        while len(self._pool) < count:
            self._pool = np.concatenate([self._pool, self._states(_POOL)])
        taken, self._pool = self._pool[:count], self._pool[count:]
        return taken.copy()

    def _states(self, count: int) -> StateRows:
        if self._scramble is None or count == 0:
            return np.empty((0, self._batch.features), dtype=np.uint8)
        # Without a seed nothing may be drawn from the generator before the first reset.
        rng = self.np_random if count > 1 else np.random.default_rng(0)
        return self._batch.scrambled(count, self._scramble, rng)

    def _seen(self, states: StateRows, left: NDArray[np.int32]) -> _Seen:
        return {"budget": left[:, None].copy(), "features": self._batch.features_of(states)}

    def _info(self, solved: NDArray[np.bool_]) -> dict[str, Any]:
        return {
            "action_mask": self._masks,
            "_action_mask": self._always,
            "success": solved,
            "_success": self._always,
        }


def _batch_of(family: str) -> PuzzleBatch:
    if family not in discover_families():
        raise InputError(f"there is no family {family[:40]!r}")
    make = discover_families()[family].batch
    if make is None:
        raise InputError(f"the family {family} has no batches; use its other environments")
    found: PuzzleBatch = make()  # type: ignore[assignment]
    return found


def _strange(level: Level[Any], known: Mapping[Action, int]) -> Action | None:
    """Return an action of a level that a batch does not have; None if there is none."""
    return next((a for a in vocabulary_of(level).actions if a not in known), None)
