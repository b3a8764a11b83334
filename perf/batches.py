"""Steps a second of puzzles in batches, through the vector environment, on one core.

Each row plays tasks of its family's pool, another one in each episode, or new scrambles of a cube.
Legal actions are drawn, made, observed as features and masked as in training; what is over begins
anew in the same step. Beside each batch its figure is divided by that of one environment of the
same tasks, which plays legal actions, too. All tasks are loaded before. Times are of this process's
CPU.
"""

import time
from typing import Any

import gymnasium
import numpy as np

import bridge.adapters.gymnasium  # noqa: F401 (it registers the environments)
from bridge.adapters.vectors import BatchEnv
from perf.harness import Report, run_benchmark

SECONDS = 3.0
COUNTS = (64, 1024, 4096)
DEPTHS = (4, 20)
Options = dict[str, Any]
CASES: dict[str, tuple[str, int, Options, float]] = {
    "locks_six_piece": ("burr", 4096, {"split": "train", "difficulty": 5}, 1_000_000),
    "lock_piston": ("burr", 4096, {"level": "burr-piston"}, 1_000_000),
    "lock_34_bars": (
        "burr", 512, {"level": "burr-thirty-four-bars", "size_class": "large"}, 20_000,
    ),
    "boxes_easy": ("packing", 1024, {"split": "train", "difficulty": 1}, 200_000),
    "boxes_hard": ("packing", 256, {"split": "train", "difficulty": 5}, 0),
    "nets": ("nets", 1024, {"split": "train"}, 20_000),
    "jigsaws": ("jigsaw", 1024, {"split": "train"}, 20_000),
    "chambers": ("portal", 1024, {"split": "train"}, 20_000),
    "chamber_known": ("portal", 1024, {"level": "portal-01"}, 20_000),
}  # fmt: skip
"""Family, rows, tasks and the least steps a second of each case."""
RATIO = 20.0


def measure(*, cubes: bool) -> Report:
    """Play all cases, and with ``cubes`` every number of cubes at every depth as well."""
    report = Report("batches")
    for name, (family, count, options, least) in CASES.items():
        batch = BatchEnv(family, count, autoreset_mode="SameStep", **options)
        report.figures[f"load_ms_{name}"] = _load(batch)
        rate = _measure_batch(batch)
        alone = _measure_one(family, options)
        report.figures[f"steps_per_s_{name}"] = rate
        report.figures[f"single_steps_per_s_{name}"] = alone
        report.figures[f"ratio_{name}"] = rate / alone
        report.targets[f"ratio_{name}"] = (">=", RATIO)
        if least:
            report.targets[f"steps_per_s_{name}"] = (">=", least)
    if cubes:
        _measure_cubes(report)
    return report


def _load(batch: BatchEnv) -> float:
    """Draw tasks until nearly all are loaded; return milliseconds of each."""
    began, levels = time.process_time(), set[str]()
    batch.reset(seed=0)
    for _ in range(20):
        batch.reset()
        levels |= {batch.batch.get_level(row).hash for row in range(batch.num_envs)}
    return 1000 * (time.process_time() - began) / len(levels)


def _measure_batch(batch: BatchEnv) -> float:
    rng = np.random.default_rng(0)
    batch.step(np.maximum(batch.batch.draw(rng), 0))
    made, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        batch.step(np.maximum(batch.batch.draw(rng), 0))
        made += batch.num_envs
    return made / (time.process_time() - began)


def _measure_one(family: str, options: Options) -> float:
    env = gymnasium.make(
        f"Luban/{family.capitalize()}-v0", observation="none", actions="family", **options
    )
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    made, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        legal = np.flatnonzero(info["action_mask"])
        number = rng.choice(legal) if len(legal) else 0  # A chamber may leave nothing to do.
        _, _, terminated, truncated, info = env.step(number)
        made += 1
        if terminated or truncated:
            _, info = env.reset()
    return made / (time.process_time() - began)


def _measure_cubes(report: Report) -> None:
    for count in COUNTS:
        for depth in DEPTHS:
            name = f"steps_per_s_{count}_depth_{depth}"
            batch = BatchEnv(
                "rubik", count, autoreset_mode="SameStep", scramble=depth, budget=2 * depth
            )
            batch.reset(seed=0)
            report.figures[name] = _measure_batch(batch)
            if count >= 1024:
                report.targets[name] = (">=", 1_000_000.0)


if __name__ == "__main__":
    run_benchmark(measure, "Steps a second of puzzles in batches.", cubes="play cubes as well")
