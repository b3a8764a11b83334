"""CubeBench's policy-gradient baselines: REINFORCE on scrambles of one to four face turns, and on.

Needs the extra ``torch``::

    python examples/reinforce.py --seeds 0 1 2 --out policy.json
    python examples/reinforce.py --seeds 0 1 2 --long --out policy.json

With ``--long`` each policy, once it has been evaluated, goes on to depths 5 to 20, 320,000 steps
each, and is evaluated on the long-horizon tasks with at most 400 moves. Seeds are trained side by
side, one on each core.

The set-up is that of the paper's appendix H: five layers of 256 with ReLU, Adam, a discount of
0.99, 64 environments side by side, a gradient step for every 512 episodes, scrambles of depth 1, 2,
3 and 4 in turn; at most 16 moves in evaluation. The appendix gives 40,000 steps for depth 1 and
320,000 for depth 4, and calls the growth quadratic, which no quadratic rule through these two is
(40,000 d^2 ends at 640,000 and 20,000 d^2 starts at 20,000). Doubling does both: 40,000, 80,000,
160,000 and 320,000 steps, of all environments together.

It speaks of rollouts of 512 steps and of batches of 512 episodes. Gradients are only right for
episodes of the policy as it is, so a rollout ends when a batch is complete, or after 512 steps.

What the appendix leaves open: Adam's step size, a baseline (the batch's mean return), a bonus for
entropy, how weights are drawn (He's way: with torch's own the first ones hardly see the cube), and
that an episode of training ends after two quarter turns for each face turn of its scramble, which
always do.
"""

import argparse
import json
import math
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import bridge.adapters.gymnasium  # noqa: F401 (it registers the environments)
from pysim.machine import count_cores

if TYPE_CHECKING:
    import torch

COLOURS, FACELETS, MOVES = 6, 54, 12
LEVEL = "cubebench-d01-1-full-symbolic"
"""Says how scrambles are shown: all 54 facelets."""
SHORT, LONG = (
    tuple(f"cubebench-d{depth:02}-{k}-full-symbolic" for depth in depths for k in range(1, 6))
    for depths in ((1, 2, 3, 4), (8, 12, 16, 20))
)
"""CubeBench's tasks of the short and of the long horizon, full-symbolic."""
FURTHER = (320_000,) * 16
"""Steps for each of the depths 5 to 20."""


@dataclass(frozen=True)
class Settings:
    """How to train; the defaults are the paper's where it says something.

    Attributes:
        first: the depth at which training begins.
        steps: of all environments together, for this depth and those that follow.
        rollout: steps of each environment between gradient steps, at most.
        batch: episodes for each gradient step.
        rate: Adam's step size.
        entropy: weight of the policy's entropy in the objective.
    """

    seed: int = 0
    first: int = 1
    steps: tuple[int, ...] = (40_000, 80_000, 160_000, 320_000)
    environments: int = 64
    rollout: int = 512
    batch: int = 512
    discount: float = 0.99
    layers: int = 5
    width: int = 256
    rate: float = 1e-3
    entropy: float = 0.01


@dataclass(frozen=True)
class Rollout:
    """What happened to some environments; rows are steps, columns environments.

    Attributes:
        seen: (steps, environments, 54) uint8.
        masks: (steps, environments, 12) bool, the legal actions.
        actions, rewards, ends: (steps, environments); ends says where an episode ended.
    """

    seen: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    ends: NDArray[np.bool_]


def make_environments(depth: int, count: int) -> Any:
    """Environments side by side with new scrambles all the time; (count,) of everything."""
    return gymnasium.make_vec(
        "Luban/Rubik-v0",
        num_envs=count,
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
        level=LEVEL,
        scramble=depth,
        budget=2 * depth,
    )


def discounted_returns(
    rewards: NDArray[np.float64], ends: NDArray[np.bool_], discount: float
) -> NDArray[np.float64]:
    """(steps, environments) what each step earned until its episode's end, discounted."""
    returns = np.zeros_like(rewards)
    after = np.zeros(rewards.shape[1])
    for step in range(len(rewards) - 1, -1, -1):
        after = rewards[step] + discount * np.where(ends[step], 0.0, after)
        returns[step] = after
    return returns


def finished(ends: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(steps, environments) whether each step's episode ended within the rollout."""
    return np.logical_or.accumulate(ends[::-1], axis=0)[::-1]


def one_hot(seen: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 324) for (n, 54) colours."""
    return np.eye(COLOURS, dtype=np.float32)[seen].reshape(len(seen), FACELETS * COLOURS)


def make_policy(settings: Settings) -> "torch.nn.Sequential":
    """54 colours, one-hot, to the logits of 12 moves."""
    import torch

    sizes = [FACELETS * COLOURS, *[settings.width] * settings.layers]
    layers: list[torch.nn.Module] = []
    for size, after in pairwise(sizes):
        layers += [torch.nn.Linear(size, after), torch.nn.ReLU()]
    policy = torch.nn.Sequential(*layers, torch.nn.Linear(sizes[-1], MOVES))
    for layer in policy[::2]:
        torch.nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
        torch.nn.init.zeros_(layer.bias)
    with torch.no_grad():
        policy[-1].weight *= 0.1
    return policy


def choose(
    policy: "torch.nn.Sequential",
    seen: NDArray[np.uint8],
    masks: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """(n,) actions drawn from the policy, legal ones only."""
    import torch

    with torch.no_grad():
        logits = policy(torch.from_numpy(one_hot(seen))).numpy()
    logits = np.where(masks, logits, -np.inf)
    gumbel = rng.gumbel(size=logits.shape)
    actions: NDArray[np.int64] = np.argmax(logits + gumbel, axis=1)
    return actions


def roll_out(
    environments: Any,
    policy: "torch.nn.Sequential",
    now: tuple[NDArray[np.uint8], NDArray[np.bool_]],
    settings: Settings,
    rng: np.random.Generator,
) -> tuple[Rollout, tuple[NDArray[np.uint8], NDArray[np.bool_]]]:
    """Play on for a batch of episodes; also returns what is seen then, and the legal actions."""
    rows: list[tuple[NDArray[Any], ...]] = []
    seen, masks = now
    ended = 0
    while len(rows) < settings.rollout and ended < settings.batch:
        actions = choose(policy, seen, masks, rng)
        found, rewards, terminated, truncated, info = environments.step(actions)
        rows.append((seen, masks, actions, rewards, terminated | truncated))
        ended += int(rows[-1][-1].sum())
        seen, masks = found["features"].copy(), info["action_mask"].astype(bool)
    columns = [np.stack(column) for column in zip(*rows, strict=True)]
    return Rollout(*columns), (seen, masks)


def improve(
    policy: "torch.nn.Sequential",
    optimiser: "torch.optim.Optimizer",
    rollout: Rollout,
    settings: Settings,
) -> None:
    """One step up the policy gradient, from the episodes that have ended."""
    import torch

    chosen = finished(rollout.ends)
    returns = discounted_returns(rollout.rewards, rollout.ends, settings.discount)[chosen]
    advantages = torch.from_numpy((returns - returns.mean()).astype(np.float32))
    logits = policy(torch.from_numpy(one_hot(rollout.seen[chosen])))
    logits = logits.masked_fill(torch.from_numpy(~rollout.masks[chosen]), -math.inf)
    now = torch.distributions.Categorical(logits=logits)
    gains = now.log_prob(torch.from_numpy(rollout.actions[chosen])) * advantages
    loss = -gains.mean() - settings.entropy * now.entropy().mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()


def train(
    settings: Settings,
    tell: Callable[[str], None] = print,
    policy: "torch.nn.Sequential | None" = None,
) -> "torch.nn.Sequential":
    """A policy after the whole curriculum; the same one for the same settings and machine.

    Args:
        policy: one to go on with; else a new one is made.
    """
    import torch

    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng([settings.seed, settings.first])
    policy = policy or make_policy(settings)
    optimiser = torch.optim.Adam(policy.parameters(), lr=settings.rate)
    for depth, steps in enumerate(settings.steps, settings.first):
        environments = make_environments(depth, settings.environments)
        found, info = environments.reset(seed=settings.seed + 1000 * depth)
        now = found["features"].copy(), info["action_mask"].astype(bool)
        made, solved, ended, told = 0, 0.0, 0, 0
        while made < steps:
            rollout, now = roll_out(environments, policy, now, settings, rng)
            improve(policy, optimiser, rollout, settings)
            made += rollout.actions.size
            solved, ended = solved + float(rollout.rewards.sum()), ended + int(rollout.ends.sum())
            if made // 20_000 > told or made >= steps:
                tell(f"depth {depth}, {made} steps: {solved / ended:.3f} solved")
                solved, ended, told = 0.0, 0, made // 20_000
        environments.close()
    return policy


def evaluate(
    policy: "torch.nn.Sequential", levels: tuple[str, ...], seed: int, moves: int = 16
) -> dict[str, int]:
    """Moves made until each level was solved, -1 where it was not."""
    rng = np.random.default_rng(seed)
    result: dict[str, int] = {}
    for level in levels:
        environment = gymnasium.make(
            "Luban/Rubik-v0", level=level, observation="features", budget=moves
        )
        found, info = environment.reset(seed=seed)
        result[level] = -1
        for made in range(1, moves + 1):
            mask = info["action_mask"].astype(bool)[None]
            action = choose(policy, found["features"][None], mask, rng)[0]
            found, _, solved, _, info = environment.step(action)
            if solved:
                result[level] = made
                break
        environment.close()
    return result


def run(seed: int, *, long: bool) -> dict[str, Any]:
    """Train and evaluate with one seed; what came of it, for each horizon."""

    def tell(line: str) -> None:
        print(f"seed {seed}, {line}", flush=True)

    settings, policy = Settings(seed=seed), None
    parts = [("short", settings, SHORT, 16)]
    if long:
        parts += [("long", replace(settings, first=5, steps=FURTHER), LONG, 400)]
    found: dict[str, Any] = {}
    for horizon, chosen, levels, moves in parts:
        began, worked = time.perf_counter(), time.process_time()
        policy = train(chosen, tell, policy)
        seconds, cpu = time.perf_counter() - began, time.process_time() - worked
        made = evaluate(policy, levels, seed, moves)
        found[horizon] = {
            "settings": asdict(chosen),
            "seconds": seconds,
            "cpu_seconds": cpu,
            "pass_rate": sum(count > 0 for count in made.values()) / len(made),
            "mean_moves": sum(count if count > 0 else moves for count in made.values()) / len(made),
            "moves": made,
        }
    return found


def main() -> None:
    """Train, evaluate and write down what came of it: CubeBench's Table 2 has the same columns."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--long", action="store_true", help="go on to depths 5 to 20")
    parser.add_argument("--out", type=Path, help="where to write the figures, as JSON")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(min(count_cores(), len(arguments.seeds))) as pool:
        runs = pool.map(partial(run, long=arguments.long), arguments.seeds)
        found = dict(zip(map(str, arguments.seeds), runs, strict=True))
    for horizon in ("short", "long") if arguments.long else ("short",):
        for what, name in (("pass_rate", "pass rate"), ("mean_moves", "#MM")):
            values = [one[horizon][what] for one in found.values()]
            spread = np.std(values, ddof=1) if len(values) > 1 else 0.0
            mean = f"{np.mean(values):.2f} ± {spread:.2f} ({len(values)} seeds)"
            print(f"{horizon} horizon, {name}: {mean}")
        took, worked = (
            np.mean([one[horizon][what] for one in found.values()])
            for what in ("seconds", "cpu_seconds")
        )
        print(f"{horizon} horizon: {took:.0f} s of training for each seed, {worked:.0f} s of CPU")
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
