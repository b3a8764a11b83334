"""A short actor-critic in NumPy, for puzzles that are played by the hundred in a batch.

``train_locks.py`` and ``train_boxes.py`` beside it describe the legal actions of their family by a
few dozen numbers each. One network scores every legal action of a state, so that it does not matter
how many there are, and a policy that has learned on some tasks can play any other. It is trained by
proximal policy optimization (Schulman et al., 2017) on the sparse reward: 1 when a task is solved.

Observations are symbolic. No pictures are drawn, and no GPU is used.
"""

import argparse
import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

import bridge.adapters.gymnasium  # noqa: F401 (it registers the environments)
import luban
from pysim.extras import require_extra
from pysim.machine import count_cores

__all__ = ["Describer", "Legal", "Settings", "main"]

Floats = NDArray[np.float32]
Seen = NDArray[np.uint8]
DIFFICULTIES = (1, 2, 3, 4, 5)
POLICIES = ("random", "first legal")
"""Policies without learning: one draws legal actions, one makes that with the smallest number."""


WIDTH = 64
"""Of the two hidden layers."""


@dataclass(frozen=True)
class Settings:
    """Settings of one run.

    Attributes:
        rows: episodes side by side.
        steps: of each row between updates.
        updates: number of updates.
        parts: parts of what was played since the last update; each makes a gradient step.
        passes: how often all parts are used.
        rate: Adam's step size at first; it falls to zero.
        discount: for each step until the reward.
        trace: lambda of generalized advantage estimation.
        clip: largest change of a probability that is rewarded.
        entropy: weight of the policy's entropy in the objective.
        evaluations: points of the learning curve.
    """

    seed: int = 0
    rows: int = 256
    steps: int = 32
    updates: int = 150
    parts: int = 8
    passes: int = 2
    rate: float = 2e-3
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.003
    evaluations: int = 10


class Legal(NamedTuple):
    """Legal actions of some episodes, those of one after those of another.

    Attributes:
        rows: (m,), row of each action.
        numbers: (m,), its number.
        counts: (n,), how many each row has.
    """

    rows: NDArray[np.int64]
    numbers: NDArray[np.int64]
    counts: NDArray[np.int64]


class Describer(ABC):
    """Describes legal actions by numbers about 1. It may remember what an episode has shown.

    Attributes:
        family: name of the family.
        size: how many numbers describe an action.
    """

    family: str
    size: int

    @abstractmethod
    def begin(self, rows: NDArray[np.int64], seen: Seen) -> None:
        """Begin episodes in some rows, of which all features are given."""

    def narrow(self, seen: Seen, legal: Legal) -> Legal:
        """Leave out actions that do the same as others."""
        return legal

    @abstractmethod
    def describe(self, seen: Seen, legal: Legal) -> Floats:
        """(m, size) the legal actions, given the features of each row."""


class Memory:
    """Memory of the states and actions of each row in its episode."""

    size = 7

    def __init__(self, rows: int, budget: int = 64) -> None:
        self._keys = np.zeros((rows, budget), np.uint64)
        self._made = np.full((rows, budget), -1, np.int64)
        self._length = np.zeros(rows, np.int64)
        self._now = np.zeros(rows, np.uint64)

    def begin(self, rows: NDArray[np.int64]) -> None:
        """Forget some rows."""
        self._length[rows] = 0
        self._made[rows] = -1

    def describe(self, seen: Seen, left: NDArray[np.int64], legal: Legal) -> Floats:
        """(m, size) steps left, visits of the state, and tries of each action there."""
        rows, numbers, counts = legal
        self._now = seen @ draw_weights(seen.shape[1])
        same = (self._keys == self._now[:, None]) & (self._made >= 0)
        tried = (same[rows] & (self._made[rows] == numbers[:, None])).sum(axis=1)
        fewest = np.minimum.reduceat(tried, np.cumsum(counts) - counts)
        last = self._made[np.arange(len(seen)), self._length - 1]
        columns = (
            (left / 30)[rows],
            1 / np.maximum(left, 1)[rows],
            np.minimum(same.sum(axis=1), 4)[rows] / 4,
            np.minimum(tried, 4) / 4,
            tried > fewest[rows],
            last[rows] == numbers,
            np.log(counts)[rows] / 4,
        )
        return np.stack(columns, axis=1).astype(np.float32)

    def note(self, numbers: NDArray[np.int64]) -> None:
        """Remember an action of each row, in the state that was described last."""
        rows = np.arange(len(numbers))
        self._keys[rows, self._length] = self._now
        self._made[rows, self._length] = numbers
        self._length = (self._length + 1) % self._keys.shape[1]


@cache
def draw_weights(size: int) -> NDArray[np.uint64]:
    """Return random weights. States with the same weighted sum are taken to be the same."""
    return np.random.default_rng(0).integers(1 << 63, size=size, dtype=np.uint64)


# -- the network ----------------------------------------------------------------------------------


class Network:
    """Two hidden layers. Of each action: its logit, and the discounted return that it leads to."""

    def __init__(self, inputs: int, width: int, rng: np.random.Generator) -> None:
        sizes = ((inputs, width), (width, width), (width, 2))
        self._weights = [rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in sizes]
        self._weights[2] *= 0.01
        self._weights += [np.zeros(b, np.float32) for _, b in sizes]
        self._first = [np.zeros_like(one) for one in self._weights]
        self._second = [np.zeros_like(one) for one in self._weights]
        self._made = 0

    def score(self, described: Floats) -> Floats:
        """(m, 2) logit and value of each action."""
        return self._run(described)[-1]

    def _run(self, described: Floats) -> list[Floats]:
        """Return what each layer gets, and the scores."""
        layers = [described]
        for k in range(3):
            after = layers[-1] @ self._weights[k] + self._weights[3 + k]
            layers.append(np.maximum(after, 0) if k < 2 else after)
        return layers

    def improve(self, described: Floats, slope: Callable[[Floats], Floats], rate: float) -> None:
        """Make a step of Adam, given the slope of the loss by the scores."""
        *layers, scores = self._run(described)
        back, slopes = slope(scores), [np.zeros(0, np.float32)] * 6
        for k in (2, 1, 0):
            slopes[k], slopes[3 + k] = layers[k].T @ back, back.sum(axis=0)
            back = (back @ self._weights[k].T) * (layers[k] > 0)
        norm = np.sqrt(sum(float((one**2).sum()) for one in slopes))
        self._made += 1
        for k, one in enumerate(slopes):
            one = one / max(1.0, norm)
            self._first[k] = 0.9 * self._first[k] + 0.1 * one
            self._second[k] = 0.999 * self._second[k] + 0.001 * one**2
            first = self._first[k] / (1 - 0.9**self._made)
            second = self._second[k] / (1 - 0.999**self._made)
            self._weights[k] = self._weights[k] - rate * first / (np.sqrt(second) + 1e-8)


def find_probabilities(logits: Floats, counts: NDArray[np.int64]) -> Floats:
    """(m,) the softmax within each row."""
    starts = np.cumsum(counts) - counts
    high = np.maximum.reduceat(logits, starts)
    weights = np.exp(logits - np.repeat(high, counts))
    probabilities: Floats = weights / np.repeat(np.add.reduceat(weights, starts), counts)
    return probabilities


# -- playing --------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """A step of all rows.

    Attributes:
        described: (m, size), legal actions.
        counts: (n,), how many each row has.
        chosen: (n,), place of the chosen one among all.
        odds: (n,), its probability.
        values: (n,), what was expected of the state.
        rewards: (n,).
        ends: (n,), whether the episode ended with it.
    """

    described: Floats
    counts: NDArray[np.int64]
    chosen: NDArray[np.int64]
    odds: Floats
    values: Floats
    rewards: NDArray[np.float64]
    ends: NDArray[np.bool_]


class Player:
    """Chooses legal actions of a batch by a network."""

    def __init__(self, batch: Any, describer: Describer, rng: np.random.Generator) -> None:
        self._batch, self._describer, self._rng = batch, describer, rng
        self._memory = Memory(batch.count)

    def begin(self, rows: NDArray[np.int64], seen: Seen) -> None:
        """Begin episodes in some rows."""
        self._describer.begin(rows, seen)
        self._memory.begin(rows)

    def choose(
        self, network: Network, seen: Seen, left: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], Moment]:
        """Draw an action of each row; return the numbers, and what is known of the step."""
        legal = self._describer.narrow(seen, list_legal(self._batch))
        parts = (
            self._describer.describe(seen, legal),
            self._memory.describe(seen, left, legal),
        )
        described, counts = np.concatenate(parts, axis=1), legal.counts
        scores = network.score(described)
        odds, starts = find_probabilities(scores[:, 0], counts), np.cumsum(counts) - counts
        values = np.add.reduceat(odds * scores[:, 1], starts)
        sums = np.cumsum(odds, dtype=np.float64)
        drawn = sums[starts] - odds[starts] + self._rng.random(len(counts))
        chosen = np.clip(np.searchsorted(sums, drawn), starts, starts + counts - 1)
        numbers = legal.numbers[chosen]
        self._memory.note(numbers)
        nothing = np.zeros(len(counts))
        moment = Moment(described, counts, chosen, odds[chosen], values, nothing, nothing > 0)
        return numbers, moment


def list_legal(batch: Any) -> Legal:
    """Return what is legal; in a row without a legal action some number, which is refused."""
    counts = np.maximum(batch.legal.counts, 1)
    rows, places = np.nonzero(np.arange(counts.max()) < counts[:, None])
    return Legal(rows, batch.legal.numbers[rows, places].astype(np.int64), counts)


def evaluate(
    describer: Describer, network: Network | str, levels: Sequence[luban.Level[Any]], seed: int
) -> NDArray[np.bool_]:
    """(levels,) whether one episode of each level solves it.

    Args:
        network: one, or one of ``POLICIES``.
    """
    rng, rows = np.random.default_rng(seed), np.arange(len(levels))
    batch = make_environments(describer.family, len(levels)).unwrapped.batch
    left = np.array([level.budget for level in levels])
    batch.begin(rows, np.array([batch.load(level) for level in levels]))
    player, solved = Player(batch, describer, rng), np.zeros(len(levels), np.bool_)
    player.begin(rows, batch.observe())
    while (left > 0).any() and not solved.all():
        if network == "random":
            numbers = batch.draw(rng)
        elif isinstance(network, str):
            numbers = np.where(batch.legal.counts > 0, batch.legal.mask.argmax(axis=1), -1)
        else:
            numbers, _ = player.choose(network, batch.observe(), left)
        batch.step(np.where(solved | (left <= 0), -1, numbers))
        left -= 1
        solved |= batch.legal.solved
    return solved


def make_environments(family: str, count: int) -> Any:
    """Return environments side by side, of other tasks of the training split all the time."""
    same_step = gymnasium.vector.AutoresetMode.SAME_STEP
    name = f"Luban/{family.capitalize()}-v0"
    return gymnasium.make_vec(name, num_envs=count, split="train", autoreset_mode=same_step)


@cache
def list_levels(family: str, split: str, each: int) -> list[luban.Level[Any]]:
    """Return the first tasks of each difficulty of a split."""
    tasks = (luban.tasks(f"{family}:{split}", difficulty=k)[:each] for k in DIFFICULTIES)
    return [task.level for some in tasks for task in some]


# -- training -------------------------------------------------------------------------------------


@dataclass
class Run:
    """One run of training.

    Attributes:
        network: what has learned.
        curve: steps, and the share of the validation tasks that are solved then.
        cpu: seconds of this process, for training and for the curve.
    """

    network: Network
    curve: list[tuple[int, float]]
    cpu: float


def train(
    settings: Settings,
    create: Callable[[int], Describer],
    tell: Callable[[str], None] = print,
    each: int = 40,
) -> Run:
    """Train a network; the same one for the same settings and machine.

    Args:
        create: makes a describer of a number of rows.
        each: validation tasks of each difficulty.
    """
    began = time.process_time()
    describer, rng = create(settings.rows), np.random.default_rng(settings.seed)
    network = Network(describer.size + Memory.size, WIDTH, rng)
    environments = make_environments(describer.family, settings.rows)
    found, _ = environments.reset(seed=settings.seed)
    player = Player(environments.unwrapped.batch, describer, rng)
    player.begin(np.arange(settings.rows), found["features"])
    validation = list_levels(describer.family, "val", each)
    curve = list[tuple[int, float]]()
    for update in range(settings.updates + 1):
        if update * settings.evaluations % settings.updates < settings.evaluations:
            solved = evaluate(create(len(validation)), network, validation, settings.seed)
            curve.append((update * settings.rows * settings.steps, float(solved.mean())))
            tell(f"{curve[-1][0]} steps: {curve[-1][1]:.3f} of the validation tasks solved")
        if update == settings.updates:
            break
        moments = list[Moment]()
        for _ in range(settings.steps):
            numbers, moment = player.choose(network, found["features"], found["budget"][:, 0])
            found, rewards, solved, truncated, _ = environments.step(numbers)
            ends = solved | truncated
            moments.append(moment._replace(rewards=rewards, ends=ends))
            if ends.any():
                player.begin(np.flatnonzero(ends), found["features"][ends])
        _, last = player.choose(network, found["features"], found["budget"][:, 0])
        improve(network, moments, last.values, settings, rng, 1 - update / settings.updates)
    environments.close()
    return Run(network, curve, time.process_time() - began)


def find_advantages(moments: Sequence[Moment], last: Floats, settings: Settings) -> Floats:
    """(steps, rows) generalized advantages; ``last`` is expected of the states after all steps."""
    advantages = np.zeros((len(moments), len(last)), np.float32)
    after, trace = last, np.zeros(len(last))
    for k in range(len(moments) - 1, -1, -1):
        going = settings.discount * ~moments[k].ends
        error = moments[k].rewards + going * after - moments[k].values
        trace = error + settings.trace * going * trace
        advantages[k], after = trace, moments[k].values
    return advantages


def improve(
    network: Network,
    moments: Sequence[Moment],
    last: Floats,
    settings: Settings,
    rng: np.random.Generator,
    left: float,
) -> None:
    """Make the gradient steps of an update; ``left`` is the share of updates that are left."""
    advantages = find_advantages(moments, last, settings)
    targets = advantages + np.stack([moment.values for moment in moments])
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    for _ in range(settings.passes):
        for part in np.array_split(rng.permutation(len(moments)), settings.parts):
            some = [moments[k] for k in part]
            starts = np.cumsum([0, *(len(one.described) for one in some)])
            joined = Joined(
                np.concatenate([one.counts for one in some]),
                np.concatenate([s + one.chosen for s, one in zip(starts, some, strict=False)]),
                np.concatenate([one.odds for one in some]),
                advantages[part].ravel(),
                targets[part].ravel(),
            )
            described = np.concatenate([one.described for one in some])
            slope = partial(find_slope, joined=joined, settings=settings)
            network.improve(described, slope, settings.rate * left)


class Joined(NamedTuple):
    """Some moments as one: counts, chosen places and their odds; advantages and returns."""

    counts: NDArray[np.int64]
    chosen: NDArray[np.int64]
    odds: Floats
    advantages: Floats
    targets: Floats


def find_slope(scores: Floats, joined: Joined, settings: Settings) -> Floats:
    """(m, 2) the slope of the loss: clipped gains, entropy, and the square error of values."""
    counts, chosen, advantages = joined.counts, joined.chosen, joined.advantages
    odds, starts = find_probabilities(scores[:, 0], counts), np.cumsum(counts) - counts
    ratio = odds[chosen] / joined.odds
    bound = np.where(advantages > 0, ratio < 1 + settings.clip, ratio > 1 - settings.clip)
    gain = np.where(bound, ratio * advantages, 0.0)
    surprise = np.log(odds + 1e-9)
    entropy = -np.add.reduceat(odds * surprise, starts)
    slope = np.zeros_like(scores)
    slope[:, 0] = odds * np.repeat(gain, counts)
    slope[chosen, 0] -= gain
    slope[:, 0] += settings.entropy * odds * (surprise + np.repeat(entropy, counts))
    slope[chosen, 1] = scores[chosen, 1] - joined.targets
    slope /= len(counts)
    return slope


# -- the command ----------------------------------------------------------------------------------

EPISODES = 5
"""Episodes of each test task."""


class Outcomes(NamedTuple):
    """Result of one seed.

    Attributes:
        curve: steps, and the share of the validation tasks that are solved then.
        shares: (test tasks,), how often each is solved, for what was trained and for ``POLICIES``.
        cpu: seconds of a processor, for training and for the curve.
    """

    curve: list[tuple[int, float]]
    shares: Mapping[str, NDArray[np.float64]]
    cpu: float


def play_seed(settings: Settings, create: Callable[[int], Describer]) -> Outcomes:
    """Train with a seed, and play the test tasks."""

    def tell(line: str) -> None:
        print(f"seed {settings.seed}, {line}", flush=True)

    run = train(settings, create, tell)
    levels = list_levels(create(0).family, "test", 40) * EPISODES
    policies: dict[str, Network | str] = {"trained": run.network} | {k: k for k in POLICIES}
    shares = dict[str, NDArray[np.float64]]()
    for name, policy in policies.items():
        solved = evaluate(create(len(levels)), policy, levels, settings.seed)
        shares[name] = solved.reshape(EPISODES, -1).mean(axis=0)
    return Outcomes(run.curve, shares, run.cpu)


def find_interval(
    gains: NDArray[np.float64], rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the mean of what each task gains, and its 95 % interval by bootstrapping tasks."""
    drawn = gains[rng.integers(len(gains), size=(10_000, len(gains)))].mean(axis=1)
    low, high = np.percentile(drawn, (2.5, 97.5))
    return float(gains.mean()), float(low), float(high)


def report(family: str, runs: Mapping[int, Outcomes]) -> dict[str, Any]:
    """Print how the policies compare; return the figures."""
    rng = np.random.default_rng(0)
    names = ("trained", *POLICIES)
    means = {name: np.mean([run.shares[name] for run in runs.values()], axis=0) for name in names}
    figures: dict[str, Any] = {"family": family, "solved": {}, "gains": {}}
    for name in names:
        parts = means[name].reshape(len(DIFFICULTIES), -1).mean(axis=1).tolist()
        figures["solved"][name] = [float(means[name].mean()), *parts]
        print(f"{name}: {means[name].mean():.3f} solved; by difficulty", *np.round(parts, 3))
    for other in POLICIES:
        gains = {f"seed {k}": run.shares["trained"] - run.shares[other] for k, run in runs.items()}
        gains["all seeds"] = means["trained"] - means[other]
        figures["gains"][other] = {k: find_interval(one, rng) for k, one in gains.items()}
        for key, (mean, low, high) in figures["gains"][other].items():
            print(f"{key}: {mean:+.3f} ({low:+.3f} to {high:+.3f}) against {other}")
    return figures | {"curves": {seed: run.curve for seed, run in runs.items()}}


def draw_curves(figures: Mapping[str, Any], title: str, path: Path) -> None:
    """Draw the learning curves, and what other policies solve of the test tasks."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    for seed, curve in figures["curves"].items():
        axes.plot(*zip(*curve, strict=True), marker=".", label=f"seed {seed}")
    for name, style in zip(POLICIES, ("--", ":"), strict=True):
        axes.axhline(figures["solved"][name][0], color="black", linestyle=style, label=name)
    axes.set(title=title, xlabel="steps", ylabel="solved tasks (validation)", ylim=(0, 1))
    axes.legend(loc="lower right", fontsize="small")
    figure.savefig(path, dpi=100)


def main(create: Callable[[int], Describer], settings: Settings, title: str) -> None:
    """Train, evaluate, print what came of it, and write it down with the learning curve."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--updates", type=int, default=settings.updates)
    parser.add_argument("--out", type=Path, required=True, help="folder for figures and curve")
    arguments = parser.parse_args()
    require_extra("training and its curves", "gymnasium", "plots", "solve")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # For the processes to come, one on each core.
    began = sum(os.times()[:4])
    each = [replace(settings, seed=seed, updates=arguments.updates) for seed in arguments.seeds]
    workers = min(count_cores(), len(each))
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        outcomes = pool.map(partial(play_seed, create=create), each)
        runs = dict(zip(arguments.seeds, outcomes, strict=True))
    figures = report(create(0).family, runs)
    figures["cpu_seconds"] = sum(os.times()[:4]) - began
    print(f"{figures['cpu_seconds'] / 60:.1f} CPU-minutes")
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    draw_curves(figures, title, arguments.out / "curve.png")
