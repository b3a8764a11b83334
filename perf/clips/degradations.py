"""Degradations of true films: nothing that is seen in them is impossible."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from bridge.recording.blur import draw_blurred
from bridge.recording.frames import Filming
from bridge.recording.log import read_log
from bridge.video.reference.bundle import LOG
from perf.clips.sources import LEAST_DENSITY, Source
from perf.clips.takes import Picture, Take
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.render.scenery import Finish, Scenery, create_dressed
from pysim.viewpoints import Vector

__all__ = ["DEGRADATIONS", "MIXTURES", "UNSEEN", "Degradation", "Scope", "degrade"]


class Scope(StrEnum):
    """Stage at which a degradation is done; a mixture has at most one of each."""

    SURFACE = "surface"
    SHARPNESS = "sharpness"
    CAMERA = "camera"
    COLOUR = "colour"
    SIZE = "size"
    NOISE = "noise"
    TIME = "time"
    CODE = "code"


@dataclass(frozen=True, slots=True, eq=False)
class _Shot:
    """A take on its way, with all that may change it.

    Attributes:
        strength: of the degradation, in the unit of its row.
    """

    take: Take
    source: Source
    strength: float
    rng: np.random.Generator
    renderer: Renderer

    @property
    def sign(self) -> float:
        """1 or -1, as drawn."""
        return 1.0 if self.rng.integers(2) else -1.0

    def change(self, change: Callable[[int, Picture], NDArray[np.float32] | Picture]) -> Take:
        """Return the take with each picture changed, by its place and itself."""
        changed = [_to_picture(change(k, one)) for k, one in enumerate(self.take.pictures)]
        return replace(self.take, pictures=changed)


@dataclass(frozen=True, slots=True)
class Degradation:
    """A row of the table of degradations.

    Attributes:
        unit: of the strengths.
        strengths: the least first.
    """

    scope: Scope
    unit: str
    strengths: tuple[float, ...]
    change: Callable[[_Shot], Take]


def degrade(
    names: Sequence[str],
    strengths: Sequence[float],
    source: Source,
    rng: np.random.Generator,
    renderer: Renderer,
) -> Take:
    """Return the true film, made worse in some ways, from the surface on to the code."""
    order = sorted(range(len(names)), key=lambda k: list(Scope).index(_ROWS[names[k]].scope))
    frames = np.arange(len(source.bundle.poses))
    take = Take(source.pictures, frames, source.bundle.manifest.fps)
    for k in order:
        shot = _Shot(take, source, strengths[k], rng, renderer)
        take = _ROWS[names[k]].change(shot)
    return take


def _to_picture(values: NDArray[np.float32] | Picture) -> Picture:
    if values.dtype == np.uint8:
        return cast("Picture", values)
    rounded: Picture = np.clip(values + 0.5, 0.0, 255.0).astype(np.uint8)
    return rounded


def _compress(shot: _Shot) -> Take:
    return replace(shot.take, crf=round(shot.strength))


def _shrink(shot: _Shot) -> Take:
    """Shrink to a width, but not below the least pixels to a unit."""
    camera = shot.source.bundle.camera
    least = LEAST_DENSITY / shot.source.bundle.manifest.pixels_per_unit
    scale = min(1.0, max(shot.strength / camera.width, least))
    return _resize(shot, scale)


def _resize(shot: _Shot, scale: float) -> Take:
    camera = shot.source.bundle.camera
    size = (2 * round(camera.width * scale / 2.0), 2 * round(camera.height * scale / 2.0))
    return shot.change(lambda _, one: _picture(cv2.resize(one, size, interpolation=cv2.INTER_AREA)))


def _picture(found: object) -> Picture:
    return np.asarray(found, np.uint8)


def _blur(shot: _Shot) -> Take:
    return shot.change(lambda _, one: _picture(cv2.GaussianBlur(one, (0, 0), shot.strength)))


def _blur_motion(shot: _Shot) -> Take:
    """Blur what moves, as with an open shutter."""

    def draw(filming: Filming) -> list[Picture]:
        return [one.rgb for one in draw_blurred(filming, shot.renderer, samples=3)]

    return _redraw(shot, draw)


def _add_noise(shot: _Shot) -> Take:
    def change(_: int, one: Picture) -> NDArray[np.float32]:
        noise = shot.rng.standard_normal(one.shape, np.float32)
        return one.astype(np.float32) + np.float32(shot.strength) * noise

    return shot.change(change)


def _bend_gamma(shot: _Shot) -> Take:
    power = (1.0 + shot.strength / 100.0) ** shot.sign
    table = (255.0 * (np.arange(256) / 255.0) ** power + 0.5).astype(np.uint8)
    return shot.change(lambda _, one: table[one])


def _brighten(shot: _Shot) -> Take:
    gain = np.float32(1.0 + shot.sign * shot.strength / 100.0)
    return shot.change(lambda _, one: one.astype(np.float32) * gain)


def _fade_light(shot: _Shot) -> Take:
    """Change the brightness slowly and the colour of the light, as at an automatic exposure."""
    count = max(2, len(shot.take.pictures))
    cast_ = 1.0 + shot.strength / 100.0 * shot.rng.uniform(-0.6, 0.6, 3)

    def change(place: int, one: Picture) -> NDArray[np.float32]:
        swell = 1.0 + shot.strength / 100.0 * np.sin(2.0 * np.pi * place / count)
        lit: NDArray[np.float32] = one.astype(np.float32) * (cast_ * swell).astype(np.float32)
        return lit

    return shot.change(change)


def _shade(shot: _Shot) -> Take:
    """Let the light fall off towards the corners, and to one side."""
    height, width = shot.take.pictures[0].shape[:2]
    y, x = np.mgrid[-1.0 : 1.0 : height * 1j, -1.0 : 1.0 : width * 1j]
    less = (x * x + y * y) / 2.0 + shot.sign * (x if shot.rng.integers(2) else y) / 2.0
    light = (1.0 - shot.strength / 100.0 * less)[..., None].astype(np.float32)
    return shot.change(lambda _, one: one.astype(np.float32) * light)


def _turn_hue(shot: _Shot) -> Take:
    by = shot.sign * shot.strength / 2.0

    def change(_: int, one: Picture) -> Picture:
        colours = cv2.cvtColor(one, cv2.COLOR_RGB2HSV)
        colours[..., 0] = (colours[..., 0].astype(np.int64) + round(by)) % 180
        return _picture(cv2.cvtColor(colours, cv2.COLOR_HSV2RGB))

    return shot.change(change)


def _warp(picture: Picture, matrix: NDArray[np.float64]) -> Picture:
    size = picture.shape[1], picture.shape[0]
    return _picture(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE))


def _zoom(shot: _Shot) -> Take:
    """Zoom slowly in, or out and back in."""
    count, sign = max(2, len(shot.take.pictures)), shot.sign

    def change(place: int, one: Picture) -> Picture:
        swell = np.sin(np.pi * place / count) if sign < 0.0 else place / count
        scale = 1.0 + sign * shot.strength / 100.0 * swell
        middle = np.array([one.shape[1] / 2.0, one.shape[0] / 2.0])
        matrix = np.diag([scale, scale, 1.0])
        matrix[:2, 2] = (1.0 - scale) * middle
        return _warp(one, matrix)

    return shot.change(change)


def _swing(shot: _Shot) -> Take:
    """Turn the camera slowly about an axis, and back."""
    count, axis = max(2, len(shot.take.pictures)), shot.rng.standard_normal(3)
    axis /= np.linalg.norm(axis)
    inside = shot.source.bundle.camera.intrinsics

    def change(place: int, one: Picture) -> Picture:
        degrees = shot.strength * np.sin(np.pi * place / count)
        turn = Rotation.from_rotvec(np.radians(degrees) * axis).as_matrix()
        return _warp(one, inside @ turn @ np.linalg.inv(inside))

    return shot.change(change)


def _shake(shot: _Shot) -> Take:
    def change(_: int, one: Picture) -> Picture:
        matrix = np.eye(3)
        matrix[:2, 2] = shot.rng.uniform(-shot.strength, shot.strength, 2)
        return _warp(one, matrix)

    return shot.change(change)


def _resample(shot: _Shot) -> Take:
    """Show the film at another rate, each frame the one of that time."""
    fps, before = round(shot.strength), shot.take.fps
    count = max(1, len(shot.take.pictures) * fps // before)
    return _pick(shot.take, np.floor((np.arange(count) + 0.5) / fps * before).astype(np.int64), fps)


def _blend(shot: _Shot) -> Take:
    """Show the film at another rate, each frame mixed of the two around that time."""
    fps, take = round(shot.strength), shot.take
    last = len(take.pictures) - 1
    count = max(1, (last + 1) * fps // take.fps)
    times = np.clip((np.arange(count) + 0.5) / fps * take.fps - 0.5, 0.0, last)
    before = np.minimum(times.astype(np.int64), last - 1)
    mixed = [
        cv2.addWeighted(take.pictures[k], 1.0 - share, take.pictures[k + 1], share, 0.0)
        for k, share in zip(before.tolist(), (times - before).tolist(), strict=True)
    ]
    shown = np.floor(times + 0.5).astype(np.int64)
    return replace(take, pictures=[*map(_picture, mixed)], shown=take.shown[shown], fps=fps)


def _repeat(shot: _Shot) -> Take:
    """Repeat a share of the frames in place of those that follow."""
    places = np.arange(len(shot.take.pictures))
    for place in range(1, len(places)):
        if shot.rng.random() < shot.strength and places[place - 1] == place - 1:
            places[place] = places[place - 1]
    return _pick(shot.take, places, shot.take.fps)


def _pick(take: Take, places: NDArray[np.int64], fps: int) -> Take:
    pictures = [take.pictures[place] for place in places.tolist()]
    return replace(take, pictures=pictures, shown=take.shown[places], fps=fps)


def _redraw(shot: _Shot, draw: Callable[[Filming], list[Picture]]) -> Take:
    bundle = shot.source.bundle
    log = read_log(bundle.path / LOG)
    filming = Filming.of(log, bundle.camera, bundle.manifest.fps, bundle.manifest.speed)
    return replace(shot.take, pictures=draw(filming))


def _dress(shot: _Shot, scenery: Scenery) -> Take:
    painter = create_dressed(shot.renderer, scenery)
    return _redraw(shot, lambda filming: [one.rgb for one in filming.draw(painter)])


def _turn_sun(shot: _Shot) -> Take:
    """Let the sun shine from another side."""
    return _dress(shot, Scenery(sun=_find_sun(shot.sign * shot.strength, 0.82)))


def _move_sun(shot: _Shot) -> Take:
    """Let the sun stand higher or lower."""
    return _dress(shot, Scenery(sun=_find_sun(0.0, shot.strength)))


def _find_sun(degrees: float, height: float) -> Vector:
    x, y, _ = Scenery().sun
    angle = np.radians(degrees)
    across = np.sqrt(max(0.0, 1.0 - height * height) / (x * x + y * y))
    turned = (x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle))
    return (float(turned[0] * across), float(turned[1] * across), height)


_PLACES: tuple[Scenery, ...] = (
    Scenery(ground=(0.78, 0.72, 0.62)),
    Scenery(ground=(0.55, 0.60, 0.66), sky_top=(0.80, 0.87, 0.95), sky_bottom=(0.93, 0.94, 0.95)),
    Scenery(ground=(0.36, 0.30, 0.25), sky_top=(0.55, 0.50, 0.45), sky_bottom=(0.70, 0.66, 0.62)),
)
"""Grounds and skies, from nearly the usual one to a dark room."""


def _replace_background(shot: _Shot) -> Take:
    return _dress(shot, _PLACES[round(shot.strength) - 1])


def _make_of_wood(shot: _Shot) -> Take:
    return _dress(shot, Scenery(finish=Finish.WOOD))


def _make_plain(shot: _Shot) -> Take:
    return _dress(shot, Scenery(finish=Finish.PLAIN))


def _draw_tiny(shot: _Shot) -> Take:
    """Draw with the other renderer, which has another light, other lines and no soft shadow."""
    tiny, _ = create_renderer("tiny")
    try:
        return _redraw(shot, lambda filming: [one.rgb for one in filming.draw(tiny)])
    finally:
        tiny.close()


def _make_other(shot: _Shot) -> Take:
    """Change surface, light and background at once."""
    place = _PLACES[int(shot.rng.integers(len(_PLACES)))]
    finish = Finish.WOOD if shot.rng.integers(2) else Finish.PLAIN
    sun = _find_sun(float(shot.rng.uniform(-180.0, 180.0)), 0.7)
    return _dress(shot, replace(place, finish=finish, sun=sun))


DEGRADATIONS: Mapping[str, Degradation] = {
    "compressed": Degradation(Scope.CODE, "CRF", (28, 34, 40), _compress),
    "small": Degradation(Scope.SIZE, "pixels wide", (320, 256), _shrink),
    "blurred": Degradation(Scope.SHARPNESS, "pixels", (1, 2, 3), _blur),
    "motion-blurred": Degradation(Scope.SURFACE, "shutter 1/2", (1,), _blur_motion),
    "noisy": Degradation(Scope.NOISE, "levels", (8, 16, 25), _add_noise),
    "gamma": Degradation(Scope.COLOUR, "%", (7, 15), _bend_gamma),
    "bright": Degradation(Scope.COLOUR, "%", (7, 15), _brighten),
    "exposed": Degradation(Scope.COLOUR, "%", (7, 15), _fade_light),
    "shaded": Degradation(Scope.COLOUR, "%", (15, 30), _shade),
    "hue": Degradation(Scope.COLOUR, "degrees", (5, 10), _turn_hue),
    "zoomed": Degradation(Scope.CAMERA, "%", (1.5, 3), _zoom),
    "swung": Degradation(Scope.CAMERA, "degrees", (1, 2), _swing),
    "shaken": Degradation(Scope.CAMERA, "pixels", (1, 2), _shake),
    "slow": Degradation(Scope.TIME, "frames a second", (12, 8), _resample),
    "retimed": Degradation(Scope.TIME, "frames a second", (16,), _resample),
    "blended": Degradation(Scope.TIME, "frames a second", (30, 60), _blend),
    "repeated": Degradation(Scope.TIME, "share", (0.1, 0.3), _repeat),
    "light": Degradation(Scope.SURFACE, "height of the sun", (0.95, 0.55), _move_sun),
    "shadow": Degradation(Scope.SURFACE, "degrees", (60, 120, 180), _turn_sun),
    "background": Degradation(Scope.SURFACE, "place", (1, 2, 3), _replace_background),
    "wood": Degradation(Scope.SURFACE, "", (1,), _make_of_wood),
    "plain": Degradation(Scope.SURFACE, "", (1,), _make_plain),
    "tiny": Degradation(Scope.SURFACE, "", (1,), _draw_tiny),
    "other": Degradation(Scope.SURFACE, "", (1,), _make_other),
}
"""Degradations that a score has to bear, by name."""

MIXTURES = (2, 3, 4)
"""Numbers of degradations that are mixed, each of another scope."""


def _resize_unseen(shot: _Shot) -> Take:
    return _resize(shot, shot.strength / shot.source.bundle.camera.width)


def _darken(shot: _Shot) -> Take:
    return shot.change(lambda _, one: one.astype(np.float32) * np.float32(shot.strength))


UNSEEN: Mapping[str, Degradation] = {
    "unseen-small": Degradation(Scope.SIZE, "pixels wide", (64,), _resize_unseen),
    "unseen-blurred": Degradation(Scope.SHARPNESS, "pixels", (20,), _blur),
    "unseen-noisy": Degradation(Scope.NOISE, "levels", (150,), _add_noise),
    "unseen-dark": Degradation(Scope.COLOUR, "share", (0.02,), _darken),
}
"""Degradations beyond which nothing can be seen: no violations, and nearly all is undecided."""

_ROWS: Mapping[str, Degradation] = {**DEGRADATIONS, **UNSEEN}
