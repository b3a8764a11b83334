"""``luban show``."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.cli.commands.show import ShowRequest
from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.output import check_ending
from bridge.recording.files import write_whole
from pysim.catalog import AnyLevel, find_family
from pysim.geometry import Direction
from pysim.level_selection import is_level_folder, load_level, read_level_folder
from pysim.render.camera import (
    CAMERA_SETS,
    Camera,
    list_cameras,
    make_camera_set,
    measure_bounds,
    place_camera,
)
from pysim.render.exploded_views import cut_away, explode, make_translucent
from pysim.render.export import export_views
from pysim.render.factory import create_renderer
from pysim.render.overlay import Labels, Overlay
from pysim.render.renderer import Pass, Renderer
from pysim.render.views import Rendered, encode, observe, observe_goal, tile
from pysim.scene import Scene
from pysim.viewpoints import Views

__all__ = ["run_show"]


def run_show(request: ShowRequest) -> None:
    """Draw a level as it starts: one PNG of all views, or a folder with every pass.

    A folder of levels is drawn level by level, into the folder that ``--out`` names.
    """
    if not is_level_folder(request.level):
        drawn = _draw(load_level(request.level), request)
        print(json.dumps(drawn.to_document()) if request.as_json else drawn.format())
        return
    folder = Path() if request.out is None else request.out
    check_ending(folder, "")
    levels = list(read_level_folder(Path(request.level)))
    folder.mkdir(parents=True, exist_ok=True)
    suffix = ".png" if _passes(request.passes) == (Pass.RGB,) else ""
    pictures = []
    for level in levels:
        drawn = _draw(level, replace(request, out=folder / f"{level.id}{suffix}"))
        pictures.append(drawn.to_document())
        if not request.as_json:
            print(drawn.format())
    if request.as_json:
        print(json.dumps({"levels": pictures}))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Pictures of a level, and where they are."""

    level: str
    out: Path
    views: list[str]
    renderer: str

    def to_document(self) -> dict[str, object]:
        """Return the document that ``--json`` prints."""
        return {
            "level": self.level,
            "out": str(self.out),
            "views": self.views,
            "renderer": self.renderer,
        }

    def format(self) -> str:
        """Return the line for people."""
        return f"{self.out}: {', '.join(self.views)} ({self.renderer})"


def _draw(level: AnyLevel, request: ShowRequest) -> _Drawn:
    rules = find_family(level).rules
    passes = _passes(request.passes)
    if request.out is not None:
        check_ending(request.out, ".png" if passes == (Pass.RGB,) else "")
    scene = _staged(_scene(level, request), request)
    cameras = _cameras(request, scene)
    if passes != (Pass.RGB,):
        cameras = _usual_cameras(request, scene) if cameras is None else cameras
    renderer, note = create_renderer(request.renderer, palette=request.palette)
    try:
        views = _views(renderer, scene, cameras, passes, request)
        made_by = f"{renderer.name}: {renderer.version}"
        if passes == (Pass.RGB,):
            goal = rules.goal_scene(level) if _composition(request) and cameras is None else None
            shown = (
                views
                if goal is None
                else (*views, observe_goal(renderer, goal, request.image_size))
            )
            path = request.out or Path(f"{level.id}.png")
            _write_mosaic(path, shown, made_by)
        else:
            assert cameras is not None
            shown, path = views, request.out or Path(level.id)
            export_views(path, views, cameras, scene, passes, made_by)
    finally:
        renderer.close()
    names = [view.name for view in shown]
    if not request.as_json:
        print_notice(note)
    return _Drawn(level.id, path, names, made_by)


def _scene(level: AnyLevel, request: ShowRequest) -> Scene:
    """Return a level as it starts, with the shots that are asked for."""
    family = find_family(level)
    state = family.rules.initial(level)
    scene = family.rules.scene(level, state)
    known = {shot.name: shot for shot in family.views(level.puzzle, state)}
    if request.views in known:
        return replace(scene, views=(known[request.views],))
    if scene.views == () and not request.views:
        choice = ", ".join([*known, *CAMERA_SETS])
        raise CommandError(f"agents see no picture of {level.id}; give --views: {choice}")
    return scene


def _names(scene: Scene) -> list[str]:
    return [shot.name for shot in scene.views or ()]


def _passes(text: str) -> tuple[Pass, ...]:
    """Return the passes of a list such as ``rgb,ids``.

    Raises:
        CommandError: one of them does not exist.
    """
    names = dict.fromkeys(name.strip() for name in text.split(","))
    if unknown := [name for name in names if name not in list(Pass)]:
        raise CommandError(f"{unknown[0]!r} is no pass; known: {', '.join(Pass)}")
    return tuple(Pass(name) for name in names)


def _staged(scene: Scene, request: ShowRequest) -> Scene:
    """Return the scene in the way in which it is to be looked at.

    Raises:
        CommandError: a body or a cut that makes no sense.
    """
    names = [name.strip() for name in request.through.split(",") if name.strip()]
    try:
        staged = make_translucent(scene, names)
    except KeyError as error:
        known = ", ".join(body.name for body in scene.bodies)
        raise CommandError(
            f"--through: there is no {error.args[0]!r}; there are {known}"
        ) from error
    if request.cut:
        match = re.fullmatch(r"([+-][xyz]):(-?\d{1,6})", request.cut)
        if match is None:
            raise CommandError(f"--cut: give a side and a layer, such as +x:2, not {request.cut!r}")
        staged = cut_away(staged, Direction(match[1]), int(match[2]))
    return explode(staged, request.spread)


def _composition(request: ShowRequest) -> Views | None:
    """Return how the pictures are composed; None where single views are asked for."""
    if not request.views:
        return Views.COMPOSED
    return Views(request.views) if request.views in list(Views) else None


def _cameras(request: ShowRequest, scene: Scene) -> tuple[Camera, ...] | None:
    """Return the cameras of a set; None for the pictures of an observation, or a shot."""
    if request.camera:
        if request.views or request.orthographic:
            raise CommandError(
                "--camera is a view of its own: leave out --views and --orthographic"
            )
        return (place_camera(request.camera, scene),)
    composed = _composition(request) or request.views in _names(scene)
    if not composed:
        return make_camera_set(
            request.views, measure_bounds(scene), orthographic=request.orthographic
        )
    if request.orthographic:
        raise CommandError("--orthographic needs --views with a set of cameras")
    return None


def _usual_cameras(request: ShowRequest, scene: Scene) -> tuple[Camera, ...]:
    """Return the cameras of an observation, each of which fills a picture.

    Raises:
        CommandError: the pictures are not those of single cameras.
    """
    composition = _composition(request)
    if scene.views is not None or composition in (None, Views.SHEET):
        names = _names(scene) if scene.views is not None else [Views.SHEET.value]
        raise CommandError(f"--passes: here {', '.join(names)} can be drawn as rgb only")
    return list_cameras(scene, classic=composition is Views.CLASSIC)


def _views(
    renderer: Renderer,
    scene: Scene,
    cameras: Sequence[Camera] | None,
    passes: Sequence[Pass],
    request: ShowRequest,
) -> tuple[Rendered, ...]:
    if request.labels not in list(Labels):
        raise CommandError(f"{request.labels!r} is no kind of label; known: {', '.join(Labels)}")
    return observe(
        renderer,
        scene,
        request.image_size,
        overlay=Overlay(labels=Labels(request.labels)),
        cameras=cameras,
        views=_composition(request) or Views.COMPOSED,
        normals=Pass.NORMALS in passes,
    )


def _write_mosaic(path: Path, views: Sequence[Rendered], renderer: str) -> None:
    columns = 2 if len(views) <= 4 else 3
    picture = tile([view.rgb for view in views], columns)
    data = encode(picture, "png", renderer=renderer)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_bytes(data)  # A device, say, which can't be replaced.
    else:
        _write(path, data)


def _write(path: Path, data: bytes) -> None:
    """Write a picture whole.

    Raises:
        OSError: it can't be written; the error names the picture, not its draft.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        error.filename = str(path)
        raise
