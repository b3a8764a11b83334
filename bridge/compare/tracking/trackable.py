"""Which bundles have pieces that can be told apart in videos, and where the rules may put them."""

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.subject import has_surroundings, movers_of, slides_of
from bridge.video.reference.bundle import Bundle
from pysim.catalog import find_family
from pysim.errors import InputError
from pysim.scene import Scene

__all__ = ["TrackError", "first_scene", "is_painted", "landings", "why_untrackable"]

_ALIKE = 30.0
"""Two paints that differ less can't be told apart."""


_MOST = 500
"""Legal actions, one of which a piece that is turned in flight may come of; more are too many."""


class TrackError(InputError):
    """The pieces of a bundle can't be tracked in videos; the message says why."""


def why_untrackable(bundle: Bundle) -> str:
    """Why the pieces of a bundle can't be told apart by how they look; empty if they can.

    Those with stickers are told by these and by where they were.
    """
    scene = first_scene(bundle)
    names = movers_of(bundle.level, scene)
    if missing := [name for name in names if name not in bundle.names]:
        return f"the film has no {missing[0]}"
    staged = has_surroundings(scene)
    plain = [name for name in names if not scene.find_body(name).stickers]
    if staged:  # Others, as doors, stay in their places.
        plain = [str(name) for name in bundle.level.colours]
    paints = np.array([bundle.manifest.palette[name] for name in plain], np.float64).reshape(-1, 3)
    off = np.abs(paints[:, None] - paints).max(axis=2) + np.eye(len(plain)) * 255.0
    if off.size and off.min() < _ALIKE:
        one, other = divmod(int(off.argmin()), len(plain))
        return f"{plain[one]} and {plain[other]} are painted alike"
    if any(scene.find_body(name).translucent for name in names):
        return "some of its pieces are translucent"
    return ""


def is_painted(scene: Scene) -> bool:
    """Whether pieces are told by what sticks on them, whatever their own colours."""
    return any(body.stickers for body in scene.bodies)


def first_scene(bundle: Bundle) -> Scene:
    """How the puzzle of a bundle stands at the start."""
    rules = find_family(bundle.level).rules
    return rules.scene(bundle.level, rules.initial(bundle.level))


def landings(bundle: Bundle) -> dict[str, list[NDArray[np.float64]]]:
    """By piece, the poses (4, 4) to which the first action of a bundle may bring it.

    Where pieces only slide, and where there are too many, there are none.
    """
    rules, level = find_family(bundle.level).rules, bundle.level
    if slides_of(level) is not None:
        return {}
    state = rules.initial(level)
    actions = [*islice(rules.legal(level, state), _MOST + 1)]
    found: dict[str, list[NDArray[np.float64]]] = {}
    for action in actions if len(actions) <= _MOST else ():
        after = rules.scene(level, rules.apply(level, state, action).state)
        for before, body in zip(rules.scene(level, state).bodies, after.bodies, strict=True):
            if body.pose != before.pose:
                found.setdefault(body.name, []).append(body.pose.transform())
    return found
