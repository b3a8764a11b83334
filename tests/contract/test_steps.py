"""Steps keep what they know of a state; they are held against rules and spaces that keep nothing.

By day some steps of each family are compared, at night ten thousand.
"""

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest

import bridge.adapters.gymnasium  # noqa: F401 (it registers the environments)
from pysim.catalog import discover_families, find_family
from pysim.catalog.spaces import AnySpace
from pysim.puzzle import ActionError
from tests.sampling import more

FAMILIES = [name for name in discover_families() if discover_families()[name].spaces]
SINGLE = [
    ("burr", {"level": "burr-thirty-four-bars", "size_class": "large"}),
    ("burr", {"level": "burr-piston-assemble", "size_class": "assembly"}),
    ("nets", {"level": "nets-easy-01"}),
]
"""Levels of their own beside the tasks of each family, which go on from step to step longest."""
Case = tuple[str, dict[str, Any]]
CASES: list[Case] = [*((name, {"split": "train"}) for name in FAMILIES), *SINGLE]


def make_space(family: str, name: str) -> AnySpace:
    """Return a new space of a size class, which has seen no state."""
    made = discover_families()[family].spaces
    return next(space for space in made() if space.name == name)  # type: ignore[misc]


def choose(mask: Any, rng: Random) -> int:
    """Return a legal number mostly, else any."""
    legal = np.flatnonzero(mask)
    return (
        rng.choice(legal.tolist())
        if len(legal) and rng.random() < 0.8
        else rng.randrange(len(mask))
    )


@pytest.mark.parametrize(("family", "options"), CASES, ids=lambda one: str(one))
def test_steps_are_those_of_rules_that_keep_nothing(family: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(
        f"Luban/{family.capitalize()}-v0", observation="none", actions="family", **options
    )
    rng, inner = Random(family), env.unwrapped
    _, info = env.reset(seed=0)
    state, refused = inner._rules.initial(inner.level), 0
    for _ in range(more(40, night=10_000)):
        level = inner.level
        rules, space = find_family(level).rules, make_space(family, inner._space.name)
        assert np.array_equal(info["action_mask"], space.mask(level, state))
        number, message, reason = choose(info["action_mask"], rng), "", ""
        action = space.make_action(level, state, number)
        try:
            state = rules.apply(level, state, action).state
        except ActionError as error:
            message, reason, refused = error.message, str(error.reason), refused + 1
        _, _, terminated, truncated, info = env.step(number)
        assert info["reason"] == reason and (not reason or info["message"] == message)
        assert rules.encode(inner._episode.state) == rules.encode(state)
        assert inner._episode.disagreements == 0
        if terminated or truncated:
            _, info = env.reset()
            state = inner._rules.initial(inner.level)
    env.close()
    assert refused
