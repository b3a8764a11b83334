"""Bodies of a level that may move."""

from pysim.catalog import AnyLevel, find_family
from pysim.scene import Scene

__all__ = ["has_surroundings", "movers_of"]


def has_surroundings(scene: Scene) -> bool:
    """Return whether a puzzle is one of a few things that move in a place that does not."""
    return bool(scene.scenery)


def movers_of(level: AnyLevel, scene: Scene) -> tuple[str, ...]:
    """Return the bodies that may move: all, or in a place of its own those that its plan moves.

    The latter with those that are pieces by name.

    Args:
        scene: how it stands at the start.
    """
    if not has_surroundings(scene):
        return tuple(body.name for body in scene.bodies)
    rules = find_family(level).rules
    state, moving = rules.initial(level), set(map(str, level.colours))
    for action in () if level.plan is None else level.plan.actions:
        done = rules.apply(level, state, action)
        moving.update(name for motion in done.motions for name in motion.bodies)
        state = done.state
    return tuple(body.name for body in scene.bodies if body.name in moving)
