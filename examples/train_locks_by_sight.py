"""A policy that takes locks apart by pictures alone: no poses, no shapes, no features.

Needs the extras ``gymnasium``, ``plots``, ``solve`` and ``torch``, and minutes of a GPU::

    python examples/train_locks_by_sight.py --seeds 0 1 2 --out runs/sight

The policy gets four pictures of 64 x 64 pixels, the steps that are left, which actions are legal,
and how often it made each of them when the pictures were the same. A convolutional network is
trained by proximal policy optimization on the sparse reward, as in ``actor_critic.py``. With
``--blind`` all pictures are black, so that what sight brings can be told from the rest.
"""

import argparse
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from actor_critic import POLICIES, Outcomes, Settings, draw_curves, evaluate, list_levels, report
from numpy.typing import NDArray
from pictured_rows import EDGE, FAMILY, TOGETHER, VIEWS, PicturedRows, draw_levels
from torch import Tensor, nn
from train_locks import LockDescriber

import luban

__all__ = ["Network", "SightSettings", "find_advantages", "train"]


@dataclass(frozen=True)
class SightSettings(Settings):
    """Settings of one run by pictures.

    Attributes:
        seconds: time for training, at most.
        each: test tasks of each difficulty; a fifth of it are validation tasks.
        blind: whether all pictures are black.
        device: that trains, ``cuda`` or ``cpu``.
    """

    seconds: float = math.inf
    each: int = 40
    blind: bool = False
    device: str = "cpu"


DEFAULTS = SightSettings(
    rows=448, updates=100, parts=14, passes=3, rate=5e-4, entropy=0.005, evaluations=5
)


class Seen(NamedTuple):
    """Tensors of some rows, as the policy sees them.

    Attributes:
        pictures: (n, views, edge, edge, 3) uint8.
        legal: (n, actions) bool.
        tried: (n, actions) float32, how often each was made when the pictures were the same.
        left: (n, 1) float32, tenths of the steps that are left.
    """

    pictures: Tensor
    legal: Tensor
    tried: Tensor
    left: Tensor

    def take(self, rows: Tensor) -> "Seen":
        """Return some rows."""
        return Seen(*(one[rows] for one in self))


class Network:
    """Logit of each action, and the return that is expected of what is seen."""

    def __init__(self, actions: int, device: str) -> None:
        self._sight = nn.Sequential(
            *(nn.Conv2d(3 * VIEWS, 48, 5, 2, 2), nn.ReLU()),
            *(nn.Conv2d(48, 96, 3, 2, 1), nn.ReLU()),
            *(nn.Conv2d(96, 96, 3, 2, 1), nn.ReLU()),
            *(nn.Flatten(), nn.Linear(96 * (EDGE // 8) ** 2, 256), nn.ReLU()),
        )
        self._body = nn.Sequential(
            *(nn.Linear(256 + 2 * actions + 1, 512), nn.ReLU()),
            *(nn.Linear(512, 512), nn.ReLU()),
        )
        self._logits, self._value = nn.Linear(512, actions), nn.Linear(512, 1)
        nn.init.zeros_(self._logits.weight)
        self._parts = nn.ModuleList([self._sight, self._body, self._logits, self._value])
        self._parts.to(device)

    def score(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """(n, actions) logits and (n,) values."""
        views = seen.pictures.permute(0, 1, 4, 2, 3).flatten(1, 2)
        sight = self._sight(views.float() / 128 - 1)
        body = self._body(torch.cat((sight, seen.legal.float(), seen.tried, seen.left), dim=1))
        logits = self._logits(body) - seen.tried  # What changed nothing is less likely.
        return logits.masked_fill(~seen.legal, -1e9), self._value(body)[:, 0]

    def list_weights(self) -> list[Tensor]:
        """Return all weights, to be trained."""
        return list(self._parts.parameters())


class Moment(NamedTuple):
    """A step of all rows: what was seen and done, its log-probability, and what came of it."""

    seen: Seen
    numbers: Tensor
    odds: Tensor
    values: Tensor
    rewards: Tensor
    ends: Tensor


def read_seen(rows: PicturedRows, device: str) -> Seen:
    """Return what rows show now, as tensors of a device."""
    legal = torch.from_numpy(rows.legal).to(device).bool()
    none = ~legal.any(dim=1, keepdim=True)  # Where nothing is legal, anything is refused.
    return Seen(
        torch.from_numpy(rows.pictures).to(device, copy=True),
        legal | none,
        torch.from_numpy(rows.tried).to(device).float().clamp(max=4),
        torch.from_numpy(rows.left).to(device).float()[:, None] / 10,
    )


def choose(network: Network, seen: Seen) -> tuple[Tensor, Tensor, Tensor]:
    """Draw an action of each row; return numbers, log-probabilities and values."""
    with torch.no_grad():
        logits, values = network.score(seen)
        drawn = torch.distributions.Categorical(logits=logits)
        numbers = drawn.sample()
        return numbers, drawn.log_prob(numbers), values


def find_advantages(
    moments: Sequence[Moment], last: Tensor, discount: float, trace: float
) -> Tensor:
    """(steps, rows) generalized advantages; ``last`` is expected of what is seen at the end."""
    advantages, after, kept = list[Tensor](), last, torch.zeros_like(last)
    for moment in reversed(moments):
        going = discount * (1 - moment.ends)
        error = moment.rewards + going * after - moment.values
        kept, after = error + trace * going * kept, moment.values
        advantages.append(kept)
    return torch.stack(advantages[::-1])


def evaluate_by_sight(
    network: Network, rows: PicturedRows, levels: Sequence[luban.Level[object]], device: str
) -> NDArray[np.bool_]:
    """(levels,) whether one episode of each level solves it."""
    solved, count = list[NDArray[np.bool_]](), len(rows.left)
    for start in range(0, len(levels), count):
        some = list(levels[start : start + count])
        rows.play(some + [some[0]] * (count - len(some)))
        done = np.zeros(count, np.bool_)
        while (rows.left > 0).any():
            numbers, _, _ = choose(network, read_seen(rows, device))
            rows.step(numbers.cpu().numpy())
            done |= rows.rewards > 0
        solved.append(done[: len(some)])
    return np.concatenate(solved)


def train(
    settings: SightSettings,
    network: Network,
    optimiser: torch.optim.Optimizer,
    rows: PicturedRows,
    tell: Callable[[str], None] = print,
) -> list[tuple[int, float]]:
    """Train a network; return the curve, steps and the share solved at each of its points."""
    validation = repeat(list_levels(FAMILY, "val", max(1, settings.each // 5)))
    levels = draw_levels(np.random.default_rng(settings.seed))
    curve = list[tuple[int, float]]()
    began = time.monotonic()
    update, share = 0, 0.0
    while True:
        if share * settings.evaluations >= len(curve):
            solved = evaluate_by_sight(network, rows, validation, settings.device)
            curve.append((update * settings.rows * settings.steps, float(solved.mean())))
            seconds = time.monotonic() - began
            tell(f"{curve[-1][0]} steps, {seconds:.0f} s: {curve[-1][1]:.3f} solved (validation)")
            rows.train(levels)
        if share >= 1:
            return curve
        optimiser.param_groups[0]["lr"] = settings.rate * (1 - share)
        improve(network, optimiser, *play(network, rows, settings), settings)
        update += 1
        share = max(update / settings.updates, (time.monotonic() - began) / settings.seconds)


def play(
    network: Network, rows: PicturedRows, settings: SightSettings
) -> tuple[list[Moment], Tensor]:
    """Play some steps; return them, and what is expected of what is seen at the end."""
    moments = list[Moment]()
    for _ in range(settings.steps):
        seen = read_seen(rows, settings.device)
        numbers, odds, values = choose(network, seen)
        rows.step(numbers.cpu().numpy())
        rewards, ends = (
            torch.from_numpy(one).to(settings.device, torch.float32, copy=True)
            for one in (rows.rewards, rows.ends)
        )
        moments.append(Moment(seen, numbers, odds, values, rewards, ends))
    return moments, choose(network, read_seen(rows, settings.device))[2]


def improve(
    network: Network,
    optimiser: torch.optim.Optimizer,
    moments: Sequence[Moment],
    last: Tensor,
    settings: SightSettings,
) -> None:
    """Make the gradient steps of an update."""
    advantages = find_advantages(moments, last, settings.discount, settings.trace).flatten()
    values = torch.cat([one.values for one in moments])
    targets = advantages + values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    seen = Seen(*(torch.cat(parts) for parts in zip(*(one.seen for one in moments), strict=True)))
    numbers = torch.cat([one.numbers for one in moments])
    odds = torch.cat([one.odds for one in moments])
    for _ in range(settings.passes):
        for rows in torch.randperm(len(numbers), device=numbers.device).chunk(settings.parts):
            logits, now = network.score(seen.take(rows))
            drawn = torch.distributions.Categorical(logits=logits)
            ratio = (drawn.log_prob(numbers[rows]) - odds[rows]).exp()
            bound = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * advantages[rows], bound * advantages[rows])
            error = (now - targets[rows]).square()
            loss = (0.5 * error - gain - settings.entropy * drawn.entropy()).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.list_weights(), 1.0)
            optimiser.step()


def play_seed(settings: SightSettings) -> Outcomes:
    """Train with a seed, and play the test tasks."""
    began = time.process_time()
    torch.manual_seed(settings.seed)
    network = Network(luban.find_space(FAMILY).actions.count, settings.device)
    # It may load a compiler, which has to come before that of a software renderer.
    optimiser = torch.optim.Adam(network.list_weights(), settings.rate)
    rows = PicturedRows(settings.rows, blind=settings.blind)
    curve = train(settings, network, optimiser, rows, partial(_tell, settings.seed))
    test = list_levels(FAMILY, "test", settings.each)
    solved = evaluate_by_sight(network, rows, repeat(test), settings.device)
    rows.close()
    shares = {"trained": solved.reshape(-1, TOGETHER).mean(axis=1)}
    levels = repeat(test)
    for name in POLICIES:
        solved = evaluate(LockDescriber(len(levels)), name, levels, settings.seed)
        shares[name] = solved.reshape(-1, TOGETHER).mean(axis=1)
    return Outcomes(curve, shares, time.process_time() - began)


def _tell(seed: int, line: str) -> None:
    print(f"seed {seed}, {line}", flush=True)


def repeat(levels: Sequence[luban.Level[object]]) -> list[luban.Level[object]]:
    """Return ``TOGETHER`` episodes of each level, those of one level in a row."""
    return [level for level in levels for _ in range(TOGETHER)]


def main() -> None:
    """Train, evaluate, print what came of it, and write it down with the learning curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--updates", type=int, default=DEFAULTS.updates)
    parser.add_argument("--seconds", type=float, default=DEFAULTS.seconds, help="for a seed")
    parser.add_argument("--rows", type=int, default=DEFAULTS.rows)
    parser.add_argument("--each", type=int, default=DEFAULTS.each, help="tasks of a difficulty")
    parser.add_argument("--blind", action="store_true", help="show black pictures")
    parser.add_argument("--out", type=Path, required=True, help="folder for figures and curve")
    given = parser.parse_args()
    names = ("updates", "seconds", "rows", "each", "blind")
    settings = replace(
        DEFAULTS,
        **{name: getattr(given, name) for name in names},
        device="cuda" if torch.cuda.is_available() else "cpu",
    )
    began, runs = time.monotonic(), dict[int, Outcomes]()
    given.out.mkdir(parents=True, exist_ok=True)
    for seed in given.seeds:
        runs[seed] = play_seed(replace(settings, seed=seed))
        figures = report(FAMILY, runs)
        figures |= {"seconds": time.monotonic() - began, "device": settings.device}
        (given.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
        draw_curves(figures, "Locks taken apart by sight", given.out / "curve.png")


if __name__ == "__main__":
    main()
