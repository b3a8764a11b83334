"""Texts of an observation: true of what the agent is sent, with pictures and without."""

from bridge.episode.records import Obs, Options
from pysim.catalog import AnyLevel, find_family
from pysim.render.panels import describe_marks
from pysim.scene import Scene

__all__ = ["build_instruction", "describe_state"]


def build_instruction(level: AnyLevel, options: Options, scene: Scene | None = None) -> str:
    """Return the task, with what is written over the pictures if any are sent.

    A blind agent reads the same task as one that sees pictures.

    Args:
        scene: any of the level's. None for the one at its start.
    """
    family = find_family(level)
    if options.obs is Obs.STATE and family.text_only is not None:
        return family.text_only.instruction(level.puzzle)
    task = family.rules.instruction(level)
    if not options.obs.has_images:
        return task
    if options.shown is not None:
        scene = family.rules.scene(options.shown, family.rules.initial(options.shown))
    shown = scene or family.rules.scene(level, family.rules.initial(level))
    marks = describe_marks(shown, options.picture_size, options.views, own=bool(options.camera))
    return f"{task}\n{marks}" if marks else task


def describe_state(level: AnyLevel, options: Options, state: object, scene: Scene) -> str | None:
    """Return the state in words; None if the agent is to find it in the pictures.

    A level without pictures is put into words in their place.
    """
    family, obs = find_family(level), options.obs
    if obs is Obs.STATE and family.text_only is not None:
        return family.text_only.describe(level.puzzle, state)
    if obs.has_state or (obs.has_state_instead and scene.views == ()):
        return family.rules.describe(level, state)
    return None
