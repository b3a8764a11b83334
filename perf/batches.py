"""Steps a second of cubes in batches, through the vector environment, on one core.

Actions are drawn, observed and masked as in training; episodes end after twice their scramble's
turns, and begin anew in the same step. Times are of this process's CPU.
"""

import time
from typing import Any

import gymnasium
import numpy as np

import bridge.adapters.gymnasium  # noqa: F401 (it registers the environments)
from perf.harness import Report, run_benchmark

SECONDS = 3.0
COUNTS = (64, 1024, 4096)
DEPTHS = (4, 20)


def measure() -> Report:
    """Step through every number of episodes at every depth."""
    report = Report("batches")
    for count in COUNTS:
        for depth in DEPTHS:
            name = f"steps_per_s_{count}_depth_{depth}"
            report.figures[name] = _rate(_environments(count, depth), count)
            if count >= 1024:
                report.targets[name] = (">=", 1_000_000.0)
    return report


def _environments(count: int, depth: int) -> Any:
    return gymnasium.make_vec(
        "Luban/Rubik-v0",
        num_envs=count,
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
        scramble=depth,
        budget=2 * depth,
    )


def _rate(environments: Any, count: int) -> float:
    environments.reset(seed=0)
    rng = np.random.default_rng(0)
    made, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        environments.step(rng.integers(12, size=count))
        made += count
    return made / (time.process_time() - began)


if __name__ == "__main__":
    run_benchmark(measure, "Steps a second of cubes in batches.")
