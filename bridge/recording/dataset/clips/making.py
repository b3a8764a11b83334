"""Making a clip: a few seconds of a plan, and all that is known of them."""

import io
import json
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.recording.blur import draw_blurred
from bridge.recording.dataset.clips.recipe import ClipRecipe, other_colours, recipe_of
from bridge.recording.dataset.clips.request import ClipsRequest
from bridge.recording.dataset.forging.forge import forge, strengths
from bridge.recording.dataset.forging.forgeries import (
    ForgedFilm,
    ForgeryError,
    ForgeryKind,
    TrueFilm,
)
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.recording.frames import Filming, FilmPicture, mask_name
from bridge.recording.framing import pinhole_of
from bridge.recording.instructions import instruction
from bridge.recording.layout import HeldFrame, Phase, blocks_of
from bridge.recording.movers import movers_of
from bridge.recording.timeline import EpisodeRecording, make_timeline
from bridge.recording.video import VideoWriter
from pysim.catalog import AnyLevel
from pysim.field_types import encode_arguments
from pysim.physics.factory import create_world
from pysim.render.camera import fit
from pysim.render.palette import PALETTE, parse_color
from pysim.render.pinhole import Pinhole
from pysim.render.renderer import Renderer
from pysim.render.scenery import create_dressed
from pysim.render.views import encode
from pysim.scene import Colour

__all__ = ["ClipFiles", "make_clip"]

ClipFiles = Mapping[str, bytes]
"""Ending -> content: ``mp4``, ``png``, ``txt``, ``json``, ``ids.npz``, ``poses.npz``."""

_SHORTEST_STEP = 0.75
"""Seconds that a step of a film takes at least, with the rest after it."""
_TRIES = 12
"""Violations that are tried for a clip before it stays true."""


def make_clip(request: ClipsRequest, number: int, renderer: Renderer) -> ClipFiles:
    """The files of a clip; the same, but for the video's bytes, wherever they are made.

    Raises:
        InputError: the renderer can't draw what was asked for.
    """
    recipe = recipe_of(request, number)
    timeline = _timeline(recipe, request)
    first = timeline[0].scene
    colours = {body.name: body.colour for body in first.bodies}
    if recipe.recoloured:
        colours = dict(other_colours(first.bodies, recipe.chance))
    timeline = _painted(timeline, colours)
    truth = Filming(timeline, tuple(colours), _camera(recipe, timeline, request))
    forged = _forged(recipe, truth, request.fps)
    scenes = [held.scene for held in timeline]
    filming = truth if forged is None else forged_filming(scenes, truth.camera, forged)
    painter = create_dressed(renderer, recipe.scenery)
    draw = draw_blurred(filming, painter) if recipe.blurred else filming.draw(painter)
    about = {
        "clip": number,
        "level": recipe.level.id,
        "level_hash": recipe.level.hash,
        "family": recipe.level.family,
        "fps": request.fps,
        "frames": filming.frames,
        "width": request.size[0],
        "height": request.size[1],
        "intrinsics": truth.camera.intrinsics.tolist(),
        "extrinsics": truth.camera.extrinsics.tolist(),
        "bodies": list(filming.names),
        "palette": _palette(filming),
        "steps": _steps(recipe, truth),
        "finish": recipe.scenery.finish.value,
        "sun": list(recipe.scenery.sun),
        "blurred": recipe.blurred,
        "renderer": f"{renderer.name} {renderer.version}",
        "violations": [] if forged is None else list(map(asdict, forged.forgeries)),
    }
    shown = {
        body.name: str(colours[body.name])
        for body in first.bodies
        if body.colour != colours[body.name]
    }
    words = instruction(recipe.level, turning=truth.turning, whole=False, colours=shown)
    return {
        "json": json.dumps(about, sort_keys=True).encode(),
        "txt": words.encode(),
        **_drawn(draw, filming, request),
    }


def _timeline(recipe: ClipRecipe, request: ClipsRequest) -> list[HeldFrame]:
    """Return the frames of the clip, each held for one."""
    most = math.ceil(request.seconds / _SHORTEST_STEP) + 1
    recorded = _played(recipe.level, recipe.first_step - 1, most)
    film = make_timeline(recorded, request.fps)
    film = [replace(film[0], frames=recipe.rest), *film[1:]]
    each = (replace(held, frames=1) for held in film for _ in range(held.frames))
    return list(islice(each, round(request.seconds * request.fps)))


def _played(level: AnyLevel, before: int, most: int) -> EpisodeRecording:
    """At most so many steps of a plan, as an episode that begins after some others."""
    assert level.plan is not None
    actions, recorded = level.plan.actions[: before + most], EpisodeRecording()
    world = create_world("lattice")
    try:
        options = Options(agent="oracle", budget=max(level.budget, len(level.plan.actions)))
        episode = Episode(level, world, options=options, listener=recorded)
        for action in actions:
            episode.step(action)
    finally:
        world.close()
    assert recorded.start is not None
    if not before:
        return recorded
    start = replace(recorded.start, scene=recorded.scenes[before - 1])
    return EpisodeRecording(
        start, recorded.records[before:], recorded.scenes[before:], recorded.ending
    )


def _painted(timeline: Sequence[HeldFrame], colours: Mapping[str, Colour]) -> list[HeldFrame]:
    scenes = {id(held.scene): held.scene for held in timeline}
    painted = {
        key: replace(
            scene,
            bodies=tuple(replace(body, colour=colours[body.name]) for body in scene.bodies),
        )
        for key, scene in scenes.items()
    }
    return [replace(held, scene=painted[id(held.scene)]) for held in timeline]


def _camera(recipe: ClipRecipe, timeline: Sequence[HeldFrame], request: ClipsRequest) -> Pinhole:
    """One that sees all bodies all the time, from where chance put it."""
    width, height = request.size
    blocks = blocks_of(timeline)
    camera = fit("clip", recipe.direction, blocks, recipe.opening, aspect=width / height)
    seen = pinhole_of(camera, request.size)
    inside = seen.intrinsics.copy()
    inside[[0, 1], [0, 1]] /= recipe.zoom
    return Pinhole(inside, seen.extrinsics, width, height)


def _forged(recipe: ClipRecipe, truth: Filming, fps: int) -> ForgedFilm | None:
    """The clip with a violation, if it is to have one and there is a place for any."""
    if not recipe.forged:
        return None
    scene = truth.timeline[0].scene
    bodies = scene.bodies
    cells = {body.name: np.array(body.shape.cells, np.float64) for body in bodies}
    poses = np.array([[held.transforms[name] for name in cells] for held in truth.timeline])
    stickered = frozenset(body.name for body in bodies if body.stickers)
    fixed = frozenset(cells) - {*movers_of(recipe.level, scene)}
    film, chance = TrueFilm(cells, poses, fps, stickered, fixed), recipe.chance
    for _ in range(_TRIES):
        kind = tuple(ForgeryKind)[int(chance.integers(len(ForgeryKind)))]
        with suppress(ForgeryError):
            return forge(film, kind, float(chance.choice(strengths(kind))), chance)
    return None


def _palette(filming: Filming) -> dict[str, list[int]]:
    """The colour that each body has when it is first seen."""
    found: dict[str, list[int]] = {}
    for held in filming.timeline:
        for body in held.scene.bodies:
            found.setdefault(body.name, list(parse_color(body.colour, PALETTE)))
    return {name: found[name] for name in filming.names if name in found}


def _steps(recipe: ClipRecipe, truth: Filming) -> list[dict[str, object]]:
    """The actions that are shown, and in which frames something moves."""
    assert recipe.level.plan is not None
    told = []
    for step in sorted({held.step for held in truth.timeline} - {0}):
        frames = [
            frame
            for frame, held in enumerate(truth.timeline)
            if held.step == step and held.phase in (Phase.MOVE, Phase.CARRY)
        ]
        if frames:
            action = recipe.level.plan.actions[step - 1]
            call = {"name": action.tool, "arguments": encode_arguments(action)}
            told.append(
                {"step": step, "action": call, "first_frame": frames[0], "last_frame": frames[-1]}
            )
    return told


def _drawn(
    pictures: Iterator[FilmPicture], filming: Filming, request: ClipsRequest
) -> dict[str, bytes]:
    """The video, its first picture, masks and poses."""
    masks: dict[str, NDArray[np.uint16]] = {}
    poses: list[NDArray[np.float64]] = []
    nowhere = np.full((4, 4), np.nan)
    with tempfile.TemporaryDirectory(prefix="luban-clip-") as folder:
        path = Path(folder) / "clip.mp4"
        with VideoWriter(path, request.size, request.fps) as video:
            for frame, picture in enumerate(pictures):
                if not frame:
                    png = encode(picture.rgb, "png")
                video.write(picture.rgb)
                masks[mask_name(frame)] = picture.ids
                poses.append(np.stack([picture.poses.get(n, nowhere) for n in filming.names]))
        mp4 = path.read_bytes()
    return {
        "mp4": mp4,
        "png": png,
        "ids.npz": _archive(masks),
        "poses.npz": _archive(
            {"names": np.array(filming.names, np.str_), "poses": np.stack(poses)}
        ),
    }


def _archive(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()
