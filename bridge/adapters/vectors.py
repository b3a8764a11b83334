"""Vector environments from arrays: thousands of puzzles a step, without episodes or logs.

For families that have batches (:mod:`pysim.learning.batches`). They obey the same rules as the
environments of :mod:`bridge.adapters.gymnasium`, but nothing is recorded, no world is asked, and
there are no pictures. Importing that module registers them::

    gymnasium.make_vec(f"Luban/{family.capitalize()}-v0", num_envs=1024, split="train")
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bridge.adapters.levels import own_level, own_levels
from bridge.adapters.tasks import TaskChoice, TaskDraws
from bridge.adapters.vocabulary import vocabulary_of
from bridge.episode.choices import MAX_BUDGET
from bridge.episode.rewards import RewardRule
from pysim.catalog import check_family, discover_families
from pysim.catalog.spaces import AnySpace, find_space
from pysim.errors import InputError
from pysim.learning.batches import BatchFactory, PuzzleBatch, StateRows
from pysim.limits import quote
from pysim.options import check_whole
from pysim.puzzle import Level

__all__ = ["BatchEnv"]

_Seen = dict[str, Any]
MAX_ROWS = 1 << 20
"""Episodes side by side, at most."""
_POOL = 4096
"""Scrambles that are made at once: by the thousand each costs little."""


class BatchEnv(gymnasium.vector.VectorEnv[_Seen, NDArray[np.int64], NDArray[Any]]):
    """Many episodes of one level, or of new tasks or scrambles at each reset.

    Observations are ``budget`` (n, 1) int32, steps left, and ``features`` (n, size), as the
    family's batch has them, or the arrays of ``grid``. ``info`` has ``action_mask`` (n, actions)
    int8, ``success`` (n,) and ``refused`` (n,), each with a ``_``-array beside it that is true
    everywhere, as Gymnasium has it. The mask is the batch's own array, which the next step changes:
    copy what is to be kept. The other arrays are new ones.

    Args:
        family: of the levels.
        num_envs: episodes side by side.
        level: id or file; the family's shortest level of the size class by default.
        observation: ``features``, or ``grid``, which takes much longer; or ``none``.
        actions: ``family``: numbers that all levels of the size class share. ``level``: those of
            the level's other environments, for families whose actions are the same in all states;
            for these it is the default unless tasks are drawn.
        size_class: of the levels; the family's default class if None.
        refusal_price: share of the reward that each refused action costs.
        budget: steps; each level's own by default.
        split: each episode is a random task of the split, drawn with the seed.
        difficulty: of these tasks, from 1; all by default.
        pool: file of a pool of tasks; the one that ships with the family by default.
        scramble: how many random steps from solved each episode begins, drawn with the seed; for
            families that have scrambles.
        autoreset_mode: Gymnasium's ``NEXT_STEP`` or ``SAME_STEP``.

    Attributes:
        batch: the rows. It draws random legal actions, and has the state of each row.

    Raises:
        InputError: the family has no batch, or something does not exist or does not fit.
    """

    def __init__(
        self,
        family: str,
        num_envs: int,
        level: str | None = None,
        *,
        observation: str = "features",
        actions: str | None = None,
        size_class: str | None = None,
        refusal_price: float = 0.0,
        budget: int | None = None,
        split: str | None = None,
        difficulty: int | None = None,
        pool: Path | str | None = None,
        scramble: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        check_whole("num_envs", num_envs, 1, MAX_ROWS)
        if budget is not None:
            check_whole("budget", budget, 1, MAX_BUDGET)
        if observation not in ("features", "grid", "none"):
            raise InputError(
                f"a batch observes features, grid or none, not {quote(observation)}: pass "
                "vectorization_mode='sync' for all that one environment observes"
            )
        self.num_envs, self._observation = num_envs, observation
        self._kept = 1.0 - RewardRule(refusal_price=refusal_price).refusal_price
        mode = _read_mode(autoreset_mode)
        self._same_step = mode is AutoresetMode.SAME_STEP
        self.metadata = {"autoreset_mode": mode}
        self.batch = _make_batch(family, size_class, num_envs)
        self._choice = TaskChoice.read(split, difficulty, pool)
        if self._choice is not None and (level is not None or scramble is not None):
            raise InputError("tasks are drawn without a level and without a scramble")
        self._starts = _Starts(self.batch, TaskDraws(family, pool), budget)
        self._scrambles: _Scrambles | None = None
        if self._choice is None:
            self.level = self._starts.choose(family, level)
        else:
            self._starts.draw_from(self._choice)
        if scramble is not None:
            self._scrambles = _Scrambles(self.batch, scramble)
        self._set_numbers(actions)
        self._set_spaces()
        self._rows = np.arange(num_envs)
        self._always = np.ones(num_envs, dtype=bool)
        self._always.flags.writeable = False
        self._is_ready = False
        self._over = np.zeros(num_envs, dtype=bool)
        self._left = np.zeros(num_envs, dtype=np.int32)
        self._worth = np.ones(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Seen, dict[str, Any]]:
        """Begin all episodes.

        Args:
            seed: of all of them together.
            options: ``split`` and ``difficulty`` choose the tasks from now on; ``task`` names one
                for these episodes, by its index in the split or by name.

        Raises:
            InputError: there is a seed for each of them, or there is no such option or task.
        """
        if isinstance(seed, list):
            raise InputError("these episodes share one seed")
        super().reset(seed=seed)
        if seed is not None and self._scrambles is not None:
            self._scrambles.forget()
        task = self._choose(options) if options else None
        self._begin(self._rows, task)
        self._is_ready = True
        self._over = np.zeros(self.num_envs, dtype=bool)
        return self._observe(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[_Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make an action in each; an episode that is over begins anew.

        Raises:
            InputError: there is no such number.
            RuntimeError: reset() was not called.
        """
        if not self._is_ready:
            raise RuntimeError("there are no episodes; call reset() first")
        numbers = self._read(actions)
        begun = np.flatnonzero(self._over)  # In NEXT_STEP mode their actions count for nothing.
        numbers[begun] = -1
        self.batch.step(numbers)
        self._left -= np.int32(1)
        if len(begun):
            self._begin(begun)
        solved, refused = self.batch.legal.solved.copy(), self.batch.legal.refused
        if self._kept < 1:
            self._worth[refused] *= self._kept
        truncated = (self._left == 0) & ~solved
        over = solved | truncated
        rewards = np.where(solved, self._worth, 0.0)
        info = self._info()
        if self._same_step and over.any():
            info |= self._finish(np.flatnonzero(over), over)
            over = np.zeros_like(over)
        self._over = over
        return self._observe(), rewards, solved, truncated, info

    def _read(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a new array with the numbers of the batch."""
        chosen, count = np.asarray(actions), self._action_count
        is_right = chosen.dtype.kind in "iu" and chosen.shape == (self.num_envs,)
        if not is_right or chosen.min() < 0 or chosen.max() >= count:
            raise InputError(f"actions are {self.num_envs} whole numbers from 0 to {count - 1}")
        return chosen.astype(np.int64) if self._numbers is None else self._numbers[chosen]

    def _begin(self, rows: NDArray[np.int64], task: int | None = None) -> None:
        """Begin episodes in some rows."""
        levels = self._starts.draw(len(rows), self._draw_numbers, task)
        self.batch.begin(rows, levels)
        if self._scrambles is not None:
            self.batch.place(rows, self._scrambles.draw(len(rows), self.np_random))
        self._left[rows] = self._starts.find_budgets(levels)
        self._worth[rows] = 1.0

    def _draw_numbers(self, below: int, count: int) -> NDArray[np.int64]:
        return self.np_random.integers(below, size=count)

    def _choose(self, options: dict[str, Any]) -> int | None:
        """Take the options of a reset; return the number of a task that they name."""
        if self._scrambles is not None:
            raise InputError("an environment with a scramble draws no tasks")
        choice = (self._choice or TaskChoice()).update(options)
        task = None if choice.task is None else self._starts.find(choice)
        lasting = replace(choice, task=None)
        self._starts.draw_from(lasting)
        self._choice = lasting  # Now that nothing was refused.
        return task

    def _finish(self, ended: NDArray[np.int64], over: NDArray[np.bool_]) -> dict[str, Any]:
        """Begin ended episodes anew, and return their last observations as Gymnasium wants."""
        seen, info = self._observe(), self._info()
        masks = np.zeros(info["action_mask"].shape, np.int8)
        masks[ended] = info["action_mask"][ended]
        final = np.full(self.num_envs, None, dtype=object)
        for k in ended:
            final[k] = {name: part[k] for name, part in seen.items()}
        self._begin(ended)
        info |= {"action_mask": masks} | {f"_{name}": over for name in info if name[0] != "_"}
        return {
            "final_obs": final,
            "_final_obs": over,
            "final_info": info,
            "_final_info": over,
        }

    def _observe(self) -> _Seen:
        seen: _Seen = {"budget": self._left[:, None].copy()}
        if self._observation == "features":
            seen["features"] = self.batch.observe()
        elif self._observation == "grid":
            rows = [
                self.batch.space.observe(self.batch.get_level(k), self.batch.read_state(k))
                for k in range(self.num_envs)
            ]
            seen |= {name: np.stack([row[name] for row in rows]) for name in rows[0]}
        return seen

    def _info(self) -> dict[str, Any]:
        legal = self.batch.legal
        found = {
            "action_mask": legal.mask if self._masks is None else self._masks,
            "success": legal.solved.copy(),
            "refused": legal.refused.copy(),
        }
        return found | {f"_{name}": self._always for name in found}

    def _set_numbers(self, actions: str | None) -> None:
        """Take the numbers of a level, or of the family."""
        if actions not in (None, "level", "family"):
            raise InputError(f"actions of a batch are level or family, not {quote(actions)}")
        same = self.batch.actions
        self._numbers: NDArray[np.int64] | None = None
        self._masks: NDArray[np.int8] | None = None
        self._action_count = self.batch.space.actions.count
        if actions == "family" or (actions is None and (same is None or self._choice)):
            return
        if same is None or self._choice:
            raise InputError("these levels share no other numbers than actions='family'")
        known = {action: number for number, action in enumerate(same)}
        self._numbers = np.array([known[one] for one in vocabulary_of(self.level).actions])
        self._action_count = len(self._numbers)
        self._masks = np.ones((self.num_envs, self._action_count), dtype=np.int8)
        self._masks.flags.writeable = False

    def _set_spaces(self) -> None:
        one = self.batch.features
        seen: dict[str, spaces.Space[Any]] = {"budget": spaces.Box(0, MAX_BUDGET, (1,), np.int32)}
        arrays = self.batch.space.arrays if self._observation == "grid" else {}
        if self._observation == "features":
            arrays = {"features": one}
        for name, spec in arrays.items():
            seen[name] = spaces.Box(spec.low, spec.high, spec.shape, spec.dtype)
        self.single_action_space = spaces.Discrete(self._action_count)
        self.single_observation_space = spaces.Dict(seen)
        self.action_space = spaces.MultiDiscrete([self._action_count] * self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)


class _Starts:
    """The levels of which episodes are: one, or tasks.

    Args:
        batch: the rows.
        tasks: from which tasks are drawn.
        budget: steps of each episode; that of its level if None.
    """

    def __init__(self, batch: PuzzleBatch[Any, Any], tasks: TaskDraws, budget: int | None) -> None:
        self._batch, self._tasks, self._budget = batch, tasks, budget
        self._budgets = np.zeros(0, np.int32)
        self._choice: TaskChoice | None = None
        self._numbers = np.zeros(0, np.int64)

    def choose(self, family: str, name: str | None) -> Level[Any]:
        """Make all episodes one level, and return it."""
        level = own_level(family, name) if name else self._find_first(family)
        self._numbers = np.array([self._load(level)])
        return level

    def draw_from(self, choice: TaskChoice) -> None:
        """Make each episode one of some tasks, which are loaded when they are first drawn."""
        self._numbers = np.full(self._tasks.count(choice), -1)
        self._choice = choice

    def find(self, choice: TaskChoice) -> int:
        """Return the number of one task."""
        return self._load(self._tasks.draw(choice, lambda below: 0))

    def draw(self, count: int, draw: Any, number: int | None) -> NDArray[np.int64]:
        """Return numbers of levels: random ones, or all the same if a number is given."""
        if number is not None:
            return np.full(count, number)
        if self._choice is None:
            return np.full(count, self._numbers[0])
        places = draw(len(self._numbers), count)
        for place in np.unique(places[self._numbers[places] < 0]):
            task = replace(self._choice, task=int(place))
            self._numbers[place] = self._load(self._tasks.draw(task, lambda below: 0))
        drawn: NDArray[np.int64] = self._numbers[places]
        return drawn

    def find_budgets(self, levels: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the steps of episodes."""
        return self._budgets[levels]

    def _load(self, level: Level[Any]) -> int:
        number = self._batch.load(level)
        if number == len(self._budgets):
            budget = level.budget if self._budget is None else self._budget
            self._budgets = np.append(self._budgets, np.int32(budget))
        return number

    def _find_first(self, family: str) -> Level[Any]:
        for level in own_levels(family):
            try:
                self._batch.load(level)
            except InputError:
                continue
            return level
        raise InputError(f"no level of the family {family} is of this size class: draw tasks")


class _Scrambles:
    """Scrambles that are made many at once, and taken in order."""

    def __init__(self, batch: PuzzleBatch[Any, Any], depth: int) -> None:
        self._batch, self._depth = batch, depth
        # Without a seed nothing may be drawn from the generator before the first reset.
        batch.draw_scrambles(1, depth, np.random.default_rng(0))  # Raises if they can't be.
        self.forget()

    def forget(self) -> None:
        """Throw away what was made with another seed."""
        self._made: list[StateRows] = []

    def draw(self, count: int, rng: np.random.Generator) -> StateRows:
        """(count, size) where episodes begin."""
        made = self._made
        while sum(map(len, made)) < count:
            made.append(self._batch.draw_scrambles(_POOL, self._depth, rng))
        pool = np.concatenate(made) if len(made) > 1 else made[0]
        self._made = [pool[count:]]
        return pool[:count]


def _read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    known = {AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP}
    names = {name: one for one in known for name in (one, one.name, one.value)}
    if mode not in names:
        raise InputError(f"autoreset_mode is NEXT_STEP or SAME_STEP, not {quote(mode)}")
    return names[mode]


def _make_batch(family: str, size_class: str | None, count: int) -> PuzzleBatch[Any, Any]:
    check_family(family)
    make = discover_families()[family].batch
    if make is None:
        raise InputError(f"the family {family} has no batches; use its other environments")
    space: AnySpace = find_space(family, size_class)
    return cast(BatchFactory, make())(space, count)
