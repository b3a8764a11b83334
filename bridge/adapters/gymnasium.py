"""Gymnasium environments, one for each family, which is capitalised in its name.

::

    import gymnasium

    name = f"luban.envs:Luban/{family.capitalize()}-v0"
    env = gymnasium.make(name, level=level, observation="rgb+state")

Importing this module registers them; with such an id Gymnasium does. Needs the extra ``gymnasium``.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bridge.adapters.levels import own_level, own_levels
from bridge.adapters.tasks import TaskChoice, TaskDraws
from bridge.adapters.vectors import BatchEnv
from bridge.adapters.vocabulary import vocabulary_of
from bridge.episode.choices import MAX_BUDGET, Feedback, Obs
from bridge.episode.episode import Episode
from bridge.episode.observation import Observation
from bridge.episode.records import Options
from bridge.episode.rewards import Reward, RewardRule
from bridge.rpc.client import RemoteEpisode, connect
from pysim.catalog import encode_level, find_family, scramble_level
from pysim.catalog.spaces import AnySpace, find_space
from pysim.errors import InputError
from pysim.former_names import accept_former_keywords
from pysim.limits import quote
from pysim.manifests import FamilyManifest, list_family_manifests
from pysim.puzzle import Action, ActionError, Features, Level, Outcome
from pysim.render.camera import make_stage_camera, measure_bounds
from pysim.render.composition import list_picture_names
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.render.scenery import DIAGRAM, PLAIN, create_dressed
from pysim.viewpoints import Views

__all__ = ["PuzzleEnv"]

ImageBatch = NDArray[np.uint8]
Seen = dict[str, Any]

_PARTS = ("features", "grid", "rgb", "state", "text")
_FINISHES = {"full": DIAGRAM, "plain": PLAIN}
_FAR = 1 << 20
_TEXT = 1 << 14
_CHARACTERS = frozenset(map(chr, range(32, 127))) | {"\n", "×", "–", "−", "°"}


Choice = np.int64 | NDArray[np.int64]
"""An action: a number, or a value for each of its parts."""


class Numbering(StrEnum):
    """Kind of the actions of an environment."""

    LEVEL = "level"
    """Numbers of the level alone, see :mod:`bridge.adapters.vocabulary`."""
    FAMILY = "family"
    """Numbers that all levels of a size class share, see :mod:`pysim.learning.spaces`."""
    PARTS = "parts"
    """The same as values of parts: a tool, a piece, a direction and so on."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"actions are {', '.join(cls)}, not {quote(value)}")


class PuzzleEnv(gymnasium.Env[Seen, Choice]):
    """One level, or a new task at each reset.

    Actions are numbers, see :class:`Numbering`.

    ``info`` has ``action_mask`` (n,) int8, ``success``, ``state_hash``, ``level_hash``, ``message``
    (what came of the last action) and ``reason`` (why it was refused, else empty). An episode is
    ``terminated`` when the level is solved and ``truncated`` when its budget is used up; refused
    actions cost a step.

    Args:
        family: of the level.
        level: id or file; the family's shortest level by default.
        world: ``lattice`` or ``bullet``.
        observation: its parts, joined by ``+``. ``state``: (pieces, 5) int32, for each
            piece where its body's origin is (x, y, z), its rotation (0 to 23) and whether it is
            loose. ``features``: what a family offers to policies that learn, a row of small numbers
            (of a cube: (54,) uint8, the colours of its facelets); not every family has them.
            ``rgb``: (views, size, size, 3) uint8, four views from corners, the table, the inside
            if it hides pieces, and the goal if the level has a goal picture; black where there is
            none now. ``text``: what a language model reads. ``none`` alone: no part.
            ``grid``: arrays of the same shapes for all levels of a size class, as the page of tasks
            lists them: where the pieces are, their shapes, the goal. There is always ``budget``:
            (1,) int32, steps left. A level whose scene has shots of its own
            shows these in place of the views; one that has no pictures can't give ``rgb``.
        reward: ``sparse``: 1 when the level is solved; ``progress``: by how much the share of the
            certified plan grows that leads to the state, in sum 1 when the level is solved. See
            :mod:`bridge.episode.rewards`.
        refusal_price: share of what the episode earns that each refused action costs.
        actions: ``level``: numbers of the level alone. ``family``: numbers that all levels of a
            size class share; with ``grid`` these are the default. ``parts``: the same as
            ``MultiDiscrete``; ``action_mask`` then has a mask for each part, 1 where some legal
            action has the value.
        size_class: of the family's levels, for ``grid`` and the numbers that they share; the
            family's default class if None. A level that is larger is refused.
        budget: steps; the level's own by default.
        split: ``train``, ``val`` or ``test``: a random task of the split at each reset, drawn with
            the environment's seed, from the pool of tasks. Without ``grid``, or numbers that levels
            share, the spaces are then those of the task.
        difficulty: of these tasks, from 1; all by default.
        pool: file of a pool; the one that ships with the family by default.
        scramble: a new puzzle at each reset, a number of random steps from solved, drawn with the
            environment's seed; the level then only says how it is shown. Such levels have no plan,
            so that their reward is sparse. Not every family can scramble.
        picture_size: edge of each view in pixels.
        render_mode: ``rgb_array`` or None.
        address: host:port of a server to play on; in this process by default.
        renderer: ``auto``, ``egl`` or ``tiny``.
        feedback: what ``message`` and ``reason`` tell: ``none``, ``legal``, ``reason`` or ``full``.
            Below ``full`` every action has 1 in ``action_mask``, and ``state_hash`` is empty.
        views: how pictures are composed: ``composed``, ``sheet``, ``single`` or ``classic``.
        finish: of pictures: ``full``, which agents are evaluated with, or ``plain``, without
            smoothing and shadows, at a quarter of the cost, to train with. ``info`` of a plain
            environment has ``finish``.

    Raises:
        InputError: something does not exist or does not fit.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012 (as its base has it)

    @accept_former_keywords(obs="observation", picture_size="image_size")
    def __init__(
        self,
        family: str,
        level: str | None = None,
        *,
        world: str = "lattice",
        observation: str = "state",
        reward: str = "sparse",
        refusal_price: float = 0.0,
        actions: str | None = None,
        size_class: str | None = None,
        budget: int | None = None,
        split: str | None = None,
        difficulty: int | None = None,
        pool: Path | str | None = None,
        scramble: int | None = None,
        image_size: int = 128,
        render_mode: str | None = None,
        address: str | None = None,
        renderer: str = "auto",
        feedback: Feedback | str = Feedback.FULL,
        views: Views | str = Views.COMPOSED,
        finish: str = "full",
    ) -> None:
        if finish not in _FINISHES:
            raise InputError(f"finish is one of {', '.join(_FINISHES)}, not {quote(finish)}")
        if finish != "full" and address is not None:
            raise InputError("a server's pictures have the full finish: leave out finish")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"there is no render mode {quote(render_mode)}; there is rgb_array")
        self._rule = RewardRule(Reward(reward), refusal_price)
        if refusal_price and feedback == Feedback.NONE:
            raise InputError("a price of refusals tells of them: use another feedback than none")
        self.render_mode = render_mode
        self._parts = _parts(observation)
        self._numbering = _find_numbering(actions, self._parts)
        self._space: AnySpace | None = None
        if "grid" in self._parts or self._numbering is not Numbering.LEVEL or size_class:
            self._space = find_space(family, size_class)
        self.level = own_level(family, level) if level else _find_first(family, self._space)
        self._rules = find_family(self.level).rules
        self._world, self._address = world, address
        self._template, self._scramble = self.level, scramble
        self._tasks = TaskDraws(family, pool)
        self._choice = TaskChoice.read(split, difficulty, pool)
        if self._choice is not None:
            if level is not None or scramble is not None:
                raise InputError("tasks are drawn without a level and without a scramble")
            self.level = self._tasks.find_first(self._choice)
        if scramble is not None:
            if self._rule.kind is not Reward.SPARSE:
                raise InputError("scrambles have no plan to measure progress by; use sparse")
            first = np.random.default_rng(0)
            self.level = scramble_level(
                self._template, scramble, lambda below: int(first.integers(below))
            )
        self._renderer_name = renderer
        self._finish = finish
        self._renderer: Renderer | None = None
        self._dressed: Renderer | None = None
        self._options = Options(
            _mode(self._parts),
            5,
            image_size,
            budget,
            agent="gymnasium",
            feedback=Feedback(feedback),
            views=Views(views),
        )
        self._episode: Episode | RemoteEpisode | None = None
        self._set_level(self.level)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode; only tasks and scrambles are drawn, else every seed gives the same.

        Args:
            seed: of what is drawn from now on.
            options: ``split`` and ``difficulty`` choose from which tasks one is drawn; they hold
                until others are given. ``task`` names one for this episode: its index in the split,
                or a name such as ``family:test:7``. ``action_space`` and ``observation_space`` are
                then those of the task, unless all tasks have the same.

        Raises:
            InputError: there is no such option or task.
        """
        super().reset(seed=seed)
        choice = self._choice if not options else self._choose(options)
        if choice is not None:  # What is refused leaves the episode and the choice as they are.
            self._set_level(self._tasks.draw(choice, self._draw))
            self._choice = replace(choice, task=None)
        self._end()
        if choice is None and self._scramble is not None:
            self.level = scramble_level(self._template, self._scramble, self._draw)
        self._state = self._rules.initial(self.level)
        self._return = self._rule.begin(self.level)
        self._episode = self._begin()
        return self._observe(), self._info("", "")

    def step(self, action: Choice) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Make the action with a number.

        Raises:
            InputError: there is no such number.
            RuntimeError: there is no episode, or it is over.
        """
        if not self.action_space.contains(action):
            raise InputError(self._describe_actions())
        episode = self._running()
        reason, message = self._act(episode, self._read(action))
        solved = episode.outcome is Outcome.SOLVED
        truncated = episode.outcome is not None and not solved
        reward = self._return.reward(episode.state_hash, solved=solved, refused=bool(reason))
        return self._observe(), reward, solved, truncated, self._info(reason, message)

    def action_masks(self) -> NDArray[np.bool_]:
        """(n,) whether each action is legal now; by this name sb3-contrib's MaskablePPO asks.

        Of actions in parts, the masks of all parts one after another.

        Raises:
            RuntimeError: there is no episode.
        """
        self._running()
        mask = self._mask()
        whole = np.concatenate(mask) if isinstance(mask, tuple) else mask
        return whole.astype(np.bool_)

    def render(self) -> ImageBatch | None:
        """The whole scene from one side, (size, size, 3) uint8; None without a render mode."""
        if self.render_mode is None:
            return None
        scene = self._rules.scene(self.level, self._state)
        camera = make_stage_camera(measure_bounds(scene))
        picture: ImageBatch = self._drawer().render(scene, [camera], 512).rgb[0]
        return picture

    def close(self) -> None:
        """Free everything; the environment may be reset again."""
        self._end()
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = self._dressed = None

    def _choose(self, options: Mapping[str, Any]) -> TaskChoice:
        if self._scramble is not None:
            raise InputError("an environment with a scramble draws no tasks")
        return (self._choice or TaskChoice()).update(options)

    def _set_level(self, level: Level[Any]) -> None:
        """Take a level, and the spaces that it has."""
        if self._space is not None:
            self._space.check(level)
        self.level, self._return = level, self._rule.begin(level)
        self._state = self._rules.initial(level)
        # Spaces stay the same objects where they can: they have generators of their own.
        actions, seen = self._make_action_space(), self._make_observation_space()
        if actions != getattr(self, "action_space", None):
            self.action_space = actions
        if seen != getattr(self, "observation_space", None):
            self.observation_space = seen

    def _make_action_space(self) -> spaces.Space[Any]:
        if self._space is None or self._numbering is Numbering.LEVEL:
            return spaces.Discrete(len(vocabulary_of(self.level)))
        numbers = self._space.actions
        if self._numbering is Numbering.PARTS:
            return spaces.MultiDiscrete(np.array(numbers.shape))
        return spaces.Discrete(numbers.count)

    def _describe_actions(self) -> str:
        if isinstance(self.action_space, spaces.MultiDiscrete):
            shape = ", ".join(map(str, self.action_space.nvec))
            return f"actions are values of parts, each below that of {shape}"
        assert isinstance(self.action_space, spaces.Discrete)
        return f"actions have numbers from 0 to {self.action_space.n - 1}"

    def _read(self, choice: Choice) -> Action:
        """Return the action of a number, or of values of parts."""
        if self._space is None or self._numbering is Numbering.LEVEL:
            return vocabulary_of(self.level).actions[int(choice)]
        is_number = self._numbering is Numbering.FAMILY
        number = int(choice) if is_number else self._space.actions.from_parts(np.asarray(choice))
        return self._space.make_action(self.level, self._state, number)

    def _draw(self, below: int) -> int:
        return int(self.np_random.integers(below))

    def _begin(self) -> Episode | RemoteEpisode:
        if self._address is None:
            renderer = self._drawer() if self._options.obs.has_images else None
            return Episode(self.level, self._world, renderer, self._options, image_format="raw")
        self._client = connect(self._address)
        return self._client.start(
            json.dumps(encode_level(self.level)),
            world=self._world,
            observation=self._options.obs,
            image_size=self._options.picture_size,
            image_format="raw",
            budget=self._options.budget,
            agent=self._options.agent,
            feedback=self._options.feedback,
        )

    def _end(self) -> None:
        episode, self._episode = self._episode, None
        if isinstance(episode, Episode):
            episode.leave()
        elif episode is not None:
            episode.end()
            self._client.close()

    def _act(self, episode: Episode | RemoteEpisode, action: Action) -> tuple[str, str]:
        """Why it was refused, empty if it was not, and what is said of it."""
        try:
            message = episode.step(action).message
        except ActionError as error:
            return str(error.reason), error.message
        if isinstance(episode, Episode):
            self._state = episode.state
            return "", message
        with suppress(ActionError):  # Without feedback a refused action looks like any other.
            self._state = self._rules.apply(self.level, self._state, action).state
        return "", message

    def _running(self) -> Episode | RemoteEpisode:
        if self._episode is None:
            raise RuntimeError("there is no episode; call reset() first")
        return self._episode

    def _drawer(self) -> Renderer:
        if self._renderer is None or self._dressed is None:
            self._renderer, _ = create_renderer(self._renderer_name)
            self._dressed = create_dressed(self._renderer, _FINISHES[self._finish])
        return self._dressed

    def _observe(self) -> Seen:
        episode = self._running()
        found: Seen = {"budget": np.array([episode.budget_left], dtype=np.int32)}
        if "features" in self._parts:
            found["features"] = np.array(self._features().of(self._state), dtype=np.uint8)
        if "grid" in self._parts and self._space is not None:
            found |= self._space.observe(self.level, self._state)
        if "state" in self._parts:
            found["state"] = self._poses()
        if "rgb" in self._parts or "text" in self._parts:
            found |= self._shown(episode.observe(images="rgb" in self._parts))
        return found

    def _shown(self, seen: Observation) -> Seen:
        found: Seen = {}
        if "rgb" in self._parts:
            found["rgb"] = self._pictures(seen)
        if "text" in self._parts:
            found["text"] = "".join(c if c in _CHARACTERS else "?" for c in seen.text())[:_TEXT]
        return found

    def _features(self) -> Features[Any]:
        features = find_family(self.level).features
        if features is None:
            raise InputError(
                f"the family {self.level.family} has no features; use observation='state'"
            )
        return features

    def _poses(self) -> NDArray[np.int32]:
        bodies = self._rules.scene(self.level, self._state).bodies
        rows = [(*b.pose.offset, b.pose.rotation.index, int(b.loose)) for b in bodies]
        return np.array(rows, dtype=np.int32)

    def _pictures(self, seen: Observation) -> ImageBatch:
        pictures = np.zeros(self.observation_space["rgb"].shape, dtype=np.uint8)  # type: ignore[index]
        names = self._views()
        for view in seen.views:
            if view.name in names:
                pictures[names.index(view.name)] = view.rgb()
        return pictures

    def _views(self) -> tuple[str, ...]:
        scene = self._rules.scene(self.level, self._rules.initial(self.level))
        fixed = list_picture_names(scene, self._options.views)
        has_goal = self._rules.goal_scene(self.level) is not None
        return (*fixed, "goal") if has_goal else fixed

    def _info(self, reason: str, message: str) -> dict[str, Any]:
        episode = self._running()
        tells = self._options.feedback is Feedback.FULL
        plain = {} if self._finish == "full" else {"finish": self._finish}
        return plain | {
            "action_mask": self._mask(),
            "success": episode.outcome is Outcome.SOLVED,
            "state_hash": episode.state_hash if tells else "",
            "level_hash": self.level.hash if tells else "",
            "reason": reason,
            "message": message,
        }

    def _mask(self) -> NDArray[np.int8] | tuple[NDArray[np.int8], ...]:
        tells = self._options.feedback is Feedback.FULL
        if self._space is None or self._numbering is Numbering.LEVEL:
            mask = vocabulary_of(self.level).mask(self._state)
            return mask if tells else np.ones_like(mask)
        numbers = self._space.actions
        if self._numbering is Numbering.PARTS:
            if not tells:
                return tuple(np.ones(size, np.int8) for size in numbers.shape)
            return numbers.mask_parts(self._space.list_legal(self.level, self._state))
        if not tells:
            return np.ones(numbers.count, np.int8)
        return self._space.mask(self.level, self._state)

    def _make_observation_space(self) -> spaces.Dict:
        makers: dict[str, Callable[[], spaces.Space[Any]]] = {
            "state": self._make_pose_space,
            "rgb": self._make_picture_space,
            "text": lambda: spaces.Text(_TEXT, charset=_CHARACTERS),
            "features": self._make_feature_space,
        }
        chosen = {part: makers[part]() for part in self._parts if part in makers}
        if "grid" in self._parts and self._space is not None:
            for name, one in self._space.arrays.items():
                chosen[name] = spaces.Box(one.low, one.high, one.shape, one.dtype)
        return spaces.Dict({"budget": spaces.Box(0, MAX_BUDGET, (1,), np.int32), **chosen})

    def _make_pose_space(self) -> spaces.Box:
        bodies = len(self._poses())
        low = np.tile([-_FAR, -_FAR, -_FAR, 0, 0], (bodies, 1))
        high = np.tile([_FAR, _FAR, _FAR, 23, 1], (bodies, 1))
        return spaces.Box(low.astype(np.int32), high.astype(np.int32), dtype=np.int32)

    def _make_picture_space(self) -> spaces.Box:
        size, views = self._options.picture_size, self._views()
        if not views:
            raise InputError(
                f"{self.level.id} has no pictures: its state is text; use observation='text'"
            )
        return spaces.Box(0, 255, (len(views), size, size, 3), np.uint8)

    def _make_feature_space(self) -> spaces.Box:
        features = self._features()
        return spaces.Box(0, features.values - 1, (features.size,), np.uint8)


def _parts(obs: str) -> tuple[str, ...]:
    if obs == Obs.NONE:
        return ()
    parts = str(obs).split("+")
    unknown = [part for part in parts if part not in _PARTS]
    if unknown or len(set(parts)) < len(parts):
        raise InputError(
            f"an observation is made of {', '.join(_PARTS)}, joined by +, not {quote(obs)}"
        )
    return tuple(sorted(parts))


def _find_numbering(actions: str | None, parts: Sequence[str]) -> Numbering:
    if actions is not None:
        return Numbering(actions)
    return Numbering.FAMILY if "grid" in parts else Numbering.LEVEL


def _find_first(family: str, space: AnySpace | None) -> Level[Any]:
    """Return the shortest of a family's levels, of those that a space holds if there is one."""
    for level in own_levels(family):
        with suppress(InputError):
            if space is not None:
                space.check(level)
            return level
    raise InputError(f"no level of the family {family} is of this size class: name one")


def _mode(parts: tuple[str, ...]) -> Obs:
    if not parts:
        return Obs.NONE
    if "rgb" not in parts:
        return Obs.STATE
    return Obs.IMAGE if parts == ("rgb",) else Obs.IMAGE_STATE


def _register(manifest: FamilyManifest) -> None:
    """Register the environment of a family, and its vector environment where it has batches."""
    title, options = manifest.name.capitalize(), {"family": manifest.name}
    env, batch = (f"{one.__module__}:{one.__name__}" for one in (PuzzleEnv, BatchEnv))
    gymnasium.register(
        f"Luban/{title}-v0",
        env,
        vector_entry_point=batch if manifest.batches else None,
        kwargs=options,
    )
    if manifest.batches:  # An id of the batch alone, as the first of them had it.
        gymnasium.register(f"Luban/{title}Batch-v0", vector_entry_point=batch, kwargs=options)


for _manifest in list_family_manifests().values():
    _register(_manifest)
