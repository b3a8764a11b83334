"""Steps a second of single episodes, on one core, beside the bare rules and a classic peer.

Each case plays random legal actions in one Gymnasium environment without observations, as in
:mod:`perf.batches`: an action is made by the rules and in the world, hashed, judged and masked.
``legal_share`` is the part of the time that the mask takes. The peer is Gymnasium's own
``CartPole-v1`` with random actions, whose rules are four sums. Times are of this process's CPU.
"""

import time
from typing import Any

import gymnasium
import numpy as np

import bridge.adapters.gymnasium  # noqa: F401 (it registers the environments)
from perf.harness import Report, run_benchmark
from pysim.catalog.spaces import find_space

WARM_UP, SECONDS = 1.0, 3.0
PEER = "CartPole-v1"
Options = dict[str, Any]
CASES: dict[str, tuple[str, Options, float]] = {
    "lock_piston": ("burr", {"level": "burr-piston"}, 0),
    "lock_34_bars": ("burr", {"level": "burr-thirty-four-bars", "size_class": "large"}, 1_500),
    "packing_easy": ("packing", {"split": "train", "difficulty": 1}, 0),
    "packing_hard": ("packing", {"split": "train", "difficulty": 5}, 1_500),
    "nets": ("nets", {"split": "train"}, 2_000),
    "jigsaws": ("jigsaw", {"split": "train"}, 0),
    "chambers": ("portal", {"split": "train"}, 2_000),
    "cubes": ("rubik", {"scramble": 20}, 0),
}
"""Family, tasks and the least steps a second of each case."""


def measure(*, cases: str) -> Report:
    """Play all cases, or those whose names are given with commas between them."""
    report = Report("steps")
    peer = _measure_rate(gymnasium.make(PEER))
    report.figures[f"steps_per_s_{PEER}"] = peer
    for name, (family, options, least) in CASES.items():
        if cases and name not in cases.split(","):
            continue
        # Lists are compiled before the clock starts, not after a while.
        find_space(family, options.get("size_class")).compile()
        rate = _measure_rate(
            gymnasium.make(
                f"Luban/{family.capitalize()}-v0", observation="none", actions="family", **options
            )
        )
        report.figures[f"steps_per_s_{name}"] = rate
        report.figures[f"ratio_{name}"] = rate / peer
        if least:
            report.targets[f"steps_per_s_{name}"] = (">=", least)
    report.notes["ratio"] = f"steps a second, divided by those of {PEER}"
    return report


def _measure_rate(env: gymnasium.Env[Any, Any]) -> float:
    """Return the steps a second of random legal actions, after a second to get warm."""
    rng = np.random.default_rng(0)
    _play(env, rng, WARM_UP)
    made, spent = _play(env, rng, SECONDS)
    return made / spent


def _play(
    env: gymnasium.Env[Any, Any], rng: np.random.Generator, seconds: float
) -> tuple[int, float]:
    """Play for so long; return the steps, and the seconds that they took."""
    _, info = env.reset(seed=0)
    made, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        _, _, terminated, truncated, info = env.step(_draw(env, info, rng))
        made += 1
        if terminated or truncated:
            _, info = env.reset()
    return made, spent


def _draw(env: gymnasium.Env[Any, Any], info: Options, rng: np.random.Generator) -> Any:
    if "action_mask" not in info:
        return env.action_space.sample()
    legal = np.flatnonzero(info["action_mask"])
    return rng.choice(legal) if len(legal) else 0  # A chamber may leave nothing to do.


if __name__ == "__main__":
    run_benchmark(
        measure,
        "Steps a second of single episodes.",
        texts={"cases": "names of cases with commas between them; all by default"},
    )
