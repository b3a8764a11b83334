"""The pictures of an observation: of the level that is played, or of another one in its place."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bridge.episode.observation import View
from bridge.episode.records import Obs, Options
from pysim.catalog import find_family
from pysim.errors import InputError
from pysim.puzzle import Level
from pysim.render.camera import Camera, place_camera
from pysim.render.renderer import Renderer
from pysim.render.views import observe, observe_goal
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["check_shown", "draw_views", "place_own_camera"]


def check_shown(level: Level[Any], options: Options) -> None:
    """Refuse pictures of another level where there is none that fits.

    Raises:
        InputError: the message says why.
    """
    shown = options.shown
    if options.obs is Obs.WRONG and shown is None:
        raise InputError(
            "obs wrong shows another level of the suite that is played: use it with `luban eval`"
        )
    if shown is not None and shown.family != level.family:
        raise InputError(f"{level.id} can't be shown as {shown.id}, of the family {shown.family}")


def place_own_camera(level: Level[Any], options: Options) -> tuple[Camera, ...] | None:
    """Return the camera that replaces all views; None if there is none, or the level has no views.

    It stands still, and looks where its text says in the first scene of what is shown.

    Raises:
        InputError: it can't stand there.
    """
    if not options.camera:
        return None
    shown = options.shown or level
    rules = find_family(shown).rules
    scene = rules.scene(shown, rules.initial(shown))
    camera = place_camera(options.camera, scene)
    return None if scene.views == () else (camera,)


def draw_views(
    renderer: Renderer,
    level: Level[Any],
    scene: Scene,
    transforms: Callable[[], Mapping[str, Transform]],
    options: Options,
    cameras: Sequence[Camera] | None = None,
) -> tuple[View, ...]:
    """Return the views of a scene, and of the goal where the level has a goal picture.

    Args:
        level: the one that is played.
        scene: the present one.
        transforms: gives where the world has the bodies.
        options: may name another level, which is shown as it begins.
        cameras: those of :func:`place_own_camera`.
    """
    size, shown = options.picture_size, options.shown
    rules = find_family(level).rules
    if shown is None:
        views = observe(renderer, scene, size, transforms(), cameras=cameras, views=options.views)
    else:
        start = rules.scene(shown, rules.initial(shown))
        views = observe(renderer, start, size, cameras=cameras, views=options.views)
    goal = rules.goal_scene(shown or level)
    if goal is not None:
        views = (*views, observe_goal(renderer, goal, size))
    return tuple(View.raw(view.name, view.rgb) for view in views)
