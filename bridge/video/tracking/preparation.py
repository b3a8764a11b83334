"""Videos made ready for comparison: in the film's colours, as sharp as it is, and put straight."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.appearance import Background
from bridge.video.reference.film import TrueFilm, smooth
from bridge.video.reference.look import Look
from bridge.video.reference.pictures import PackedPictures
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.adaptation import adapt_look, find_otherness
from bridge.video.tracking.alignment import AlignedFrames, FilmAlignment
from bridge.video.tracking.camera import CameraMotion, Map, apply_map, measure_roll, measure_zoom
from bridge.video.tracking.comparison import (
    WIDE,
    ColorCalibration,
    Tolerance,
    compare_pixels,
    is_light_kept,
    measure_clarity,
    sample_colors,
    sum_differences,
)
from bridge.video.tracking.shading import find_shading, remove_shading
from bridge.video.tracking.shutter import Shutter, open_shutter, smear_picture
from bridge.video.tracking.sight import is_blank, is_card, is_dark, measure_sight

__all__ = [
    "PreparedVideo",
    "Source",
    "prepare_video",
    "read_first",
    "sum_unexplained",
]

_Picture = NDArray[np.uint8]

_SHUTTERS = (
    Shutter(-0.25, 0.25),
    Shutter(0.0, 0.5),
    Shutter(-0.5, 0.5),
    Shutter(0.0, 1.0),
    Shutter(-1.0, 1.0),
    Shutter(0.0, 1.0, moments=2, gamma=1.0),
    Shutter(-4.0, 0.0, fading=0.5, gamma=1.0),
)
"""Shutters that are tried, in frames of a video."""
_AROUND = np.ones((5, 5), np.uint8)
"""Pixels around one that it is mixed with."""
_STEADY = 1.0 - LIMITS.other_light / 180.0
"""Share of a light that is the same light still."""


Source = Callable[[], Iterable[_Picture]]
"""Reads the pictures (H, W, 3) of a video, sRGB from 0 to 255, of the size of the film's."""


class _Opening(NamedTuple):
    """The first picture of a video in which the puzzle is seen well.

    Attributes:
        frame: its number; all if there is none.
        place: position in the film of what it shows.
        picture: (H, W, 3) the picture.
    """

    frame: int
    place: int
    picture: _Picture


class _Video(NamedTuple):
    """A video before it is aligned.

    Attributes:
        source: its pictures.
        fps: frames per second.
        opening: the first picture in which the puzzle is seen well.
    """

    source: Source
    fps: float
    opening: _Opening


@dataclass(frozen=True, slots=True, eq=False)
class PreparedVideo:
    """A video, aligned with the film.

    Attributes:
        film, look: the film, as sharp as the video, and of its look.
        source: the video.
        calibrations: of each frame, from its colours to those of the film.
        tolerance: how pixels of both may differ.
        maps: (2, 3) each: where the pixels of the true camera are in its pictures; empty for a
            camera that stands still.
        fps: frames per second.
        aligned: positions in the film.
        caution: how many times as many pixels as usual a change has to explain: more where the look
            was adapted to that of the video.
        unexplained: (F,) pixels of each frame that the film does not explain, more or less.
        is_blind: (F,) whether nothing is to be seen: it is dark, or has not faded in yet.
        ground: if shadows fall otherwise on it; None if they fall as in the film.
        is_large: whether its own pictures are large enough to be judged.
        steady: the same if its camera seems to move, but stood still; else None.
    """

    film: TrueFilm
    look: Look
    source: Source
    calibrations: tuple[ColorCalibration, ...]
    tolerance: Tolerance
    maps: tuple[Map, ...]
    fps: float
    aligned: AlignedFrames
    caution: float
    unexplained: NDArray[np.float64]
    is_blind: NDArray[np.bool_]
    ground: Background | None = None
    is_large: bool = True
    steady: "PreparedVideo | None" = None
    _mixtures: dict[int, tuple[int, float]] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return len(self.aligned.positions)

    @property
    def ratio(self) -> float:
        """Frames of the film for each of the video."""
        return self.film.bundle.manifest.fps / self.fps

    @property
    def zooms(self) -> NDArray[np.float64]:
        """(F,) how much larger pictures are than the film's."""
        if not self.maps:
            return np.ones(len(self))
        return np.array([measure_zoom(one) for one in self.maps])

    @property
    def rolls(self) -> NDArray[np.float64]:
        """(F,) radians by which pictures are turned."""
        if not self.maps:
            return np.zeros(len(self))
        return np.array([measure_roll(one) for one in self.maps])

    def make_alignment(self, film: TrueFilm, start: int, passed: int) -> FilmAlignment:
        """Return an alignment of the video with a branch, from a position and a frame on."""
        return FilmAlignment(
            film, self.ratio, self.caution, start, passed, self.look, is_branch=True
        )

    def make_steady_alignment(self, film: TrueFilm, start: int, passed: int) -> FilmAlignment:
        """Return the same, but one that never leaps."""
        return replace(self.make_alignment(film, start, passed), caution=math.inf)

    def read_pictures(self) -> Iterator[tuple[_Picture, NDArray[np.bool_] | None]]:
        """Yield pictures (H, W, 3) as the film would have them, and what of each is seen.

        That is None for all of it. Where nothing is seen, the picture is the film's.
        """
        for number, raw in enumerate(_read_soft(self.source)):
            picture, seen = self._adapt(number, raw)
            yield self.unmix(number, picture), seen

    def read_chosen(self, frames: Collection[int]) -> dict[int, _Picture]:
        """Return the pictures (H, W, 3) of some frames by their numbers, mixed as they may be."""
        read = enumerate(islice(self.source(), max(frames) + 1))
        return {k: self._adapt(k, smooth(raw))[0] for k, raw in read if k in frames}

    def _adapt(self, number: int, raw: _Picture) -> tuple[_Picture, NDArray[np.bool_] | None]:
        """Return a frame's picture (H, W, 3) as the film would have it, and what of it is seen."""
        if self.is_blind[number]:
            expected = self.film.pictures[self.aligned.positions[number]]
            return expected, np.zeros(expected.shape[:2], bool)
        calibration, seen = self.calibrations[number], None
        picture = calibration.apply(raw)
        if self.maps:
            picture, seen = apply_map(picture, self.maps[number])
        brightest = calibration.apply(np.full((1, 1, 3), 255, np.uint8))[0, 0]
        if brightest.min() < LIMITS.brightest - LIMITS.camera_edges[0]:
            self._fill_overexposed(number, raw, picture, brightest)
        return picture, seen

    def unmix(self, number: int, picture: _Picture) -> _Picture:
        """Return a frame's picture (H, W, 3) without its share of the film's picture beside it.

        Frames that follow each other are mixed where a video was brought to another rate.
        """
        if self.unexplained[number] == 0.0:
            return picture
        if number not in self._mixtures:
            self._mixtures[number] = self._find_mixture(number, picture)
        other, share = self._mixtures[number]
        if share == 0.0:
            return picture
        return _subtract(picture, share * self._find_way(number, other))

    def _find_mixture(self, number: int, picture: _Picture) -> tuple[int, float]:
        """Return the position in the film of what is mixed into a frame, and its share; 0 if none.

        What is not mixed may be explained a little better so, too.
        """
        position, pictures = int(self.aligned.positions[number]), self.film.pictures
        expected, best, least = pictures[position], (position, 0.0), 1.0 / LIMITS.mixed_factor
        for other in (position - 1, position + 1):
            if not 0 <= other < len(pictures):
                continue
            share, left = _fit_mixture(picture, expected, pictures[other])
            if left < least:
                best, least = (other, share), left
        return best

    def _find_way(self, number: int, other: int) -> NDArray[np.float32]:
        """Return the way (H, W, 3) from the film's picture of a frame to that at a position."""
        expected = self.film.pictures[int(self.aligned.positions[number])]
        way = cv2.subtract(self.film.pictures[other], expected, dtype=cv2.CV_32F)
        return np.asarray(way, np.float32)

    def _fill_overexposed(
        self, number: int, raw: _Picture, picture: _Picture, brightest: NDArray[np.uint8]
    ) -> None:
        """Take from the film what is too bright in a picture (H, W, 3), channel by channel.

        Args:
            raw: the picture as it is in the video.
            brightest: (3,) the colour that white has in the picture.
        """
        over = cv2.dilate((raw >= LIMITS.brightest).astype(np.uint8), _AROUND)
        bright = apply_map(np.asarray(over, np.uint8), self.maps[number])[0] if self.maps else over
        expected = self.film.pictures[self.aligned.positions[number]]
        least = brightest.astype(np.int64) - LIMITS.camera_edges[0]
        lost = (np.asarray(bright) > 0) & (expected >= least)
        picture[lost] = expected[lost]


def prepare_video(
    film: TrueFilm, look: Look, source: Source, fps: float, unit: float = math.inf
) -> PreparedVideo:
    """Prepare a video for comparison with the true film.

    Where much stays unexplained, its camera may have moved: its pictures are put straight then, if
    that explains more of them.

    Args:
        fps: frames per second of the video.
        unit: pixels to a unit in its own pictures.
    """
    video = _remove_shading(film, _Video(source, fps, _find_opening(film, source, fps)))
    is_large = unit >= LIMITS.least_unit
    plain = replace(_align_smeared(film, look, video, moves=False), is_large=is_large)
    if plain.unexplained.mean() < LIMITS.moved_pixels or not _may_be_moved(plain):
        return plain
    moved = _align_smeared(film, look, video, moves=True)
    better = moved.unexplained.mean() * LIMITS.still_factor < plain.unexplained.mean()
    return replace(moved, is_large=is_large, steady=plain) if better else plain


def _remove_shading(film: TrueFilm, video: _Video) -> _Video:
    """Return a video, as bright everywhere as the film."""
    source, _, opening = video
    gain = find_shading(opening.picture, film, opening.place)
    if gain is None:
        return video
    flat = opening._replace(picture=remove_shading(opening.picture, gain))
    return video._replace(
        source=lambda: (remove_shading(picture, gain) for picture in source()), opening=flat
    )


def _align_smeared(film: TrueFilm, look: Look, video: _Video, *, moves: bool) -> PreparedVideo:
    """Align a video with the film, as blurred and as smeared as the video is."""
    opening = video.opening
    shown = opening.picture
    if moves:
        # A picture that is not put straight yet looks less sharp than it is.
        camera = _find_camera(shown, film.pictures[opening.place], look.background)
        shown = apply_map(shown, camera.map)[0]
    film = _match_sharpness(film, opening._replace(picture=shown))
    aligned = _align(film, look, video, moves=moves)
    if shutter := _find_shutter(aligned):
        film = open_shutter(film, look, shutter, np.flatnonzero(film.speeds > 0.0))
        aligned = _align(film, look, video, moves=moves)
    return aligned


def _may_be_moved(plain: PreparedVideo) -> bool:
    """Whether a moved camera explains some pictures of a video better.

    Those all over it, or the first that are not explained: later ones may be aligned with others
    than they show.
    """
    count = LIMITS.tried_pictures
    spread = np.linspace(0, len(plain) - 1, count).round().astype(int).tolist()
    first = np.flatnonzero(plain.unexplained > LIMITS.moved_pixels)[:count].tolist()
    chosen, gains = {*spread, *first}, dict[int, NDArray[np.float64]]()
    for number, picture in plain.read_chosen(chosen).items():
        position = int(plain.aligned.positions[number])
        expected = plain.film.pictures[position]
        camera = _find_camera(picture, expected, plain.look.background)
        straight, seen = apply_map(picture, camera.map)
        both = (
            sum_unexplained(one, plain.film, position, seen, plain.ground, plain.tolerance)
            for one in (plain.unmix(number, picture), straight)
        )
        gains[number] = np.array([*both])
    for some in (spread, first):
        still, moved = np.sum([gains[number] for number in some], axis=0) if some else (0.0, 0.0)
        if moved * LIMITS.still_factor < still:
            return True
    return False


def _find_camera(picture: _Picture, expected: _Picture, ground: Background) -> CameraMotion:
    """Return the camera that explains a picture (H, W, 3) best, whether or not shadows do."""
    colored = ColorCalibration.fit(picture, expected).apply(picture)
    found = []
    for one in (None, ground):
        camera = CameraMotion()
        camera.straighten(_light(colored, one), _light(expected, one))
        found.append((sum_differences(apply_map(colored, camera.map)[0], expected), camera))
    return min(found, key=lambda one: one[0])[1]


def read_first(source: Source) -> tuple[_Picture, _Picture]:
    """Return the first two pictures of a video; twice the same where it has one."""
    first, *rest = islice(_read_soft(source), 2)
    return first, rest[0] if rest else first


def _find_opening(film: TrueFilm, source: Source, fps: float) -> _Opening:
    """Return the first picture in which bodies are seen, as soon as it gets no lighter.

    All is where the puzzle has it in the first frame, or the film has gone on behind a fade.
    """
    first, second = read_first(source)
    sight = measure_sight(first, second, film)
    if sight.is_clear and sight.light >= _STEADY * measure_sight(second, first, film).light:
        return _Opening(0, 0, first)
    sights = [measure_sight(one, later, film) for one, later in pairwise(_read_soft(source))]
    light = [one.light if one.is_clear else 0.0 for one in sights]
    for frame in np.flatnonzero(light).tolist():
        if light[frame] >= _STEADY * max(light[frame : frame + 1 + round(fps)]):
            picture = next(islice(_read_soft(source), frame, None))
            then = film.find_position(np.array([round(frame * film.bundle.manifest.fps / fps)]))
            places = {0, *then.tolist()}
            place = min(places, key=lambda k: _measure_calibrated(picture, film.pictures[k]))
            return _Opening(frame, place, picture)
    return _Opening(len(sights) + 1, 0, film.pictures[0])


def _measure_calibrated(seen: _Picture, expected: _Picture) -> float:
    """Return the costs of all pixels of two pictures (H, W, 3) once their colours are the same."""
    return sum_differences(ColorCalibration.fit(seen, expected).apply(seen), expected)


def _read_soft(source: Source) -> Iterator[_Picture]:
    for picture in source():
        yield smooth(picture)


def _match_sharpness(film: TrueFilm, opening: _Opening) -> TrueFilm:
    """Return the film, blurred as the first picture of a video is."""

    def compare(blur: float) -> float:
        expected = smooth(film.pictures[opening.place], blur)
        return _measure_calibrated(opening.picture, expected)

    blur = min(LIMITS.blurs, key=compare)
    if blur == 0.0:
        return film
    pictures = PackedPictures(smooth(picture, blur) for picture in film.pictures)
    return replace(film, pictures=pictures, blur=blur)


def _find_shutter(plain: PreparedVideo) -> Shutter | None:
    """Return when the shutter of a video is open, in frames of the film; None for no time."""
    if plain.unexplained.max() < LIMITS.smeared_pixels:
        return None
    motions = _measure_motions(plain.film)[plain.aligned.positions]
    fast = np.argsort(-motions, kind="stable")[: LIMITS.tried_pictures]
    fast = fast[motions[fast] > 0.0]
    if not len(fast) or plain.unexplained[fast].mean() < LIMITS.smeared_pixels:
        return None
    # Few videos are smeared, and the fastest pictures tell that they are not.
    return _choose_shutter(plain, fast) if _choose_shutter(plain, fast[:2]) else None


def _choose_shutter(plain: PreparedVideo, frames: NDArray[np.int64]) -> Shutter | None:
    """Return the shutter that explains some frames best; None if none is far better than none.

    Frames may rather be mixed, one by one.
    """
    film, positions, chosen = plain.film, plain.aligned.positions, {*frames.tolist()}
    pictures = plain.read_chosen(chosen)
    usual = sum(
        sum_differences(plain.unmix(k, picture), film.pictures[positions[k]])
        for k, picture in pictures.items()
    )

    # A picture that is mixed with the next one is as near to that.
    last = len(film.pictures) - 1
    near = {k: {*np.clip(positions[k] + np.arange(-1, 2), 0, last).tolist()} for k in chosen}

    def compare(shown: Mapping[int, _Picture]) -> float:
        return sum(
            min(sum_differences(picture, shown[place]) for place in near[k])
            for k, picture in pictures.items()
        )

    def weigh(shutter: Shutter) -> float:
        places = set[int]().union(*near.values())
        return compare({k: smear_picture(film, plain.look, shutter, k) for k in places})

    plainly = compare({k: film.pictures[k] for places in near.values() for k in places})
    costs = {one: weigh(one) for one in (shutter.scale(plain.ratio) for shutter in _SHUTTERS)}
    best = min(costs, key=lambda one: costs[one])
    if costs[best] >= plainly:
        return None
    others = [*map(best.scale, LIMITS.shutter_scales), best._replace(gamma=1.0)]
    costs |= {one: weigh(one) for one in others if one not in costs}
    best = min(costs, key=lambda one: costs[one])
    return best if costs[best] * LIMITS.still_factor < plainly and costs[best] < usual else None


def _measure_motions(film: TrueFilm) -> NDArray[np.float64]:
    """Return by how much each picture (P,) differs from the next: what comes closer hardly does."""
    pairs = pairwise(film.pictures)
    return np.array([*(sum_differences(one, later) for one, later in pairs), 0.0])


def _align(film: TrueFilm, look: Look, video: _Video, *, moves: bool) -> PreparedVideo:
    """Align a video with the film; ``moves``: whether its camera may be elsewhere."""
    source, fps, opening = video
    picture, expected = opening.picture, film.pictures[opening.place]
    camera = _find_camera(picture, expected, look.background) if moves else None
    straight = picture if camera is None else apply_map(picture, camera.map)[0]
    calibration = ColorCalibration.fit(straight, expected)
    calibrated = calibration.apply(straight)
    otherness = find_otherness(film, look, calibrated, opening.place)
    if otherness.is_other:
        film, look = adapt_look(film, look, calibrated, opening.place, otherness)
    caution = LIMITS.caution if otherness.is_other else 1.0
    adapted = look if otherness.is_other else None
    ground = look.background if otherness.is_shaded else None
    ratio, shaded = film.bundle.manifest.fps / fps, otherness.is_shaded
    alignment = FilmAlignment(film, ratio, caution, look=adapted, on_bodies=shaded)
    lit = film
    if camera is not None and ground is not None:
        pictures = PackedPictures(map(ground.remove_shadows, film.pictures))
        lit = replace(film, pictures=pictures)
    aligner = _Aligner(film, alignment, camera, calibration, ground, lit)
    for number, raw in enumerate(_read_soft(source)):
        if number < opening.frame:
            alignment.skip()
            aligner.note(0.0, is_blind=True)
        else:
            aligner.advance(raw)
    is_relit = any(one.differs(calibration) for one in aligner.calibrations)
    caution = LIMITS.caution if is_relit else caution
    is_clear = caution == 1.0 and camera is None
    tolerance = Tolerance.fit(aligner.clarities) if is_clear and aligner.clarities else WIDE
    return PreparedVideo(
        film, look, source, tuple(aligner.calibrations), tolerance, tuple(aligner.maps), fps,
        alignment.trace(), caution, np.array(aligner.left), np.array(aligner.is_blind), ground,
    )  # fmt: skip


class _Fitted(NamedTuple):
    """Samples (n, 3) of a picture of a video, and a calibration that fits it."""

    colors: NDArray[np.float64]
    calibration: ColorCalibration


@dataclass(eq=False)
class _Aligner:
    """Aligns the frames of a video, of which it notes light, camera and all that is left.

    Args:
        camera: that moves; None for one that stands still.
        calibration: of the first picture.
        ground: if shadows fall otherwise on it; None if they fall as in the film.
        lit: the film to fit a camera to: without shadows where these fall otherwise.
        fitted: samples of the last picture that a calibration fitted, and that one.
    """

    film: TrueFilm
    alignment: FilmAlignment
    camera: CameraMotion | None
    calibration: ColorCalibration
    ground: Background | None
    lit: TrueFilm
    calibrations: list[ColorCalibration] = field(default_factory=list)
    maps: list[Map] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    clarities: list[float] = field(default_factory=list)
    is_blind: list[bool] = field(default_factory=list)
    fitted: _Fitted | None = None

    def advance(self, raw: _Picture) -> None:
        """Align the next picture (H, W, 3), in its own colours."""
        film, camera, alignment = self.film, self.camera, self.alignment
        colored = picture = self.calibration.apply(raw)
        if camera is not None:
            plain = _light(colored, self.ground)
            _follow_camera(camera, plain, self.lit, alignment)
            picture = apply_map(colored, camera.map)[0]
        alignment.advance(picture)
        if camera is not None:
            _fit_camera(camera, plain, self.lit, alignment.position, alignment.ratio)
        expected = film.pictures[alignment.position]
        straight, seen = (raw, None) if camera is None else apply_map(raw, camera.map)
        before, self.calibration = self.calibration, self._renew(straight, expected)
        is_known = camera is None and self.calibration is before
        picture = colored if is_known else self.calibration.apply(straight)
        if self.calibration.differs(before):
            # It was aligned in another light.
            alignment.repeat(picture)
        left = sum_unexplained(picture, film, alignment.position, seen, self.ground)
        is_unlike = left > LIMITS.ground_share * raw[..., 0].size
        if is_dark(raw, expected) or (
            is_unlike and (is_blank(raw, expected) or is_card(colored, expected, film))
        ):
            alignment.forget()
            self.calibration = before
            self.note(0.0, is_blind=True)
        else:
            self.clarities.append(measure_clarity(picture, expected))
            self.note(left)

    def _renew(self, picture: _Picture, expected: _Picture) -> ColorCalibration:
        """Return the calibration for a picture (H, W, 3); its light may be an earlier one's.

        So what leaves the film is no other light, and nothing is left of a flash.
        """
        look, fitted = self.alignment.look, self.fitted
        if fitted is not None and is_light_kept(picture, fitted.colors):
            old = fitted.calibration
            found = old.renew(picture, expected, is_kept=True) if look is None else old
            self.fitted = fitted if found is old else None
            return found
        old = self.calibration
        if look is None:
            found = old.renew(picture, expected)
        else:
            found = old.renew_light(picture, expected, look.background)
        if found is old and old.fits(picture, expected):
            self.fitted = _Fitted(sample_colors(picture), old)
        return found

    def note(self, left: float, is_blind: bool = False) -> None:
        """Note what a frame leaves unexplained, and whether nothing is seen in it."""
        self.calibrations.append(self.calibration)
        if self.camera is not None:
            self.maps.append(self.camera.map)
        self.left.append(left)
        self.is_blind.append(is_blind)


def _fit_mixture(picture: _Picture, expected: _Picture, other: _Picture) -> tuple[float, float]:
    """Return the share of another picture in one (H, W, 3), and the costs that are left without it.

    These are a share of those with it, of the pixels in which the other one differs.
    """
    moving = _find_differing(expected, other)
    if not moving.any():
        return 0.0, 1.0
    seen, shown, then = (one[moving][None] for one in (picture, expected, other))
    way = cv2.subtract(then, shown, dtype=cv2.CV_32F)
    off = cv2.subtract(seen, shown, dtype=cv2.CV_32F)
    share = float((off * way).sum()) / max(float((way * way).sum()), 1.0)
    share = min(max(share, 0.0), LIMITS.most_mixed)
    usual = sum_differences(seen, shown)
    return share, sum_differences(_subtract(seen, share * way), shown) / max(usual, 1.0)


def _find_differing(one: _Picture, other: _Picture) -> NDArray[np.bool_]:
    """Return the pixels (H, W) in which two pictures (H, W, 3) differ clearly."""
    red, green, blue = cv2.split(cv2.absdiff(one, other))
    return np.asarray(cv2.max(red, cv2.max(green, blue))) > LIMITS.moving_levels


def _subtract(picture: _Picture, way: cv2.typing.MatLike) -> _Picture:
    return np.asarray(cv2.subtract(picture, way, dtype=cv2.CV_8U), np.uint8)


def _light(picture: _Picture, ground: Background | None) -> _Picture:
    """Return a picture (H, W, 3) without shadows on a ground."""
    return picture if ground is None else ground.remove_shadows(picture)


def sum_unexplained(
    picture: _Picture,
    film: TrueFilm,
    position: int,
    seen: NDArray[np.bool_] | None,
    ground: Background | None = None,
    tolerance: Tolerance = WIDE,
) -> float:
    """Return the pixels of a picture (H, W, 3) that a picture of a film does not explain.

    Args:
        seen: (H, W) pixels that count; None for all.
        ground: on which shadows don't count; None if they do.
    """
    expected = film.pictures[position]
    picture, expected = _light(picture, ground), _light(expected, ground)
    cost = np.empty(picture.shape[:2], np.float32)
    doubt = film.doubts.get(position)
    spread = np.zeros_like(cost) if doubt is None else doubt.spread
    total = compare_pixels(picture, expected, spread, tolerance, cost)
    return total if seen is None else total - float(cost[~seen].sum())


def _follow_camera(
    camera: CameraMotion, picture: _Picture, film: TrueFilm, alignment: FilmAlignment
) -> None:
    """Fit a camera to a picture by that one of the film that explains it best then.

    A motion towards the camera looks like a zoom at first: what the film shows at the same time,
    and a little later than the frame before, is tried besides.
    """
    here, last = alignment.position, len(film.pictures) - 1
    later = min(here + max(1, round(alignment.ratio)), last)
    kept, costs = apply_map(picture, camera.map)[0], dict[int, float]()
    for place in {alignment.same_time, *range(here, min(later + 1, last) + 1)}:
        costs[place] = sum_differences(kept, film.pictures[place])
        if camera.is_kept(costs[place]):
            camera.keep(costs[place])
            return
    found = []
    for place in sorted({here, later, alignment.same_time, min(costs, key=lambda k: costs[k])}):
        trial = replace(camera)
        _fit_camera(trial, picture, film, place, alignment.ratio)
        found.append((trial.left, place, trial.map))
    camera.left, _, camera.map = min(found, key=lambda one: one[:2])


def _fit_camera(
    camera: CameraMotion, picture: _Picture, film: TrueFilm, now: int, ratio: float
) -> None:
    """Fit a camera to a picture; it stands still unless another map explains the whole better.

    A map is fitted to what stands still. Where that is too little, it is fitted to all.
    """
    expected = film.pictures[now]
    kept = apply_map(picture, camera.map)[0]
    left = sum_differences(kept, expected)
    if camera.is_kept(left):
        camera.keep(left)
        return
    best_left = left
    known, moving = camera.map, _find_moving(film, now, ratio)
    for ignored in (None,) if moving is None else (moving, None):
        trial = CameraMotion(known)
        straight = trial.straighten(picture, expected, ignored)
        trial_left = sum_differences(straight, expected)
        if trial_left < best_left:
            best_left, camera.map = trial_left, trial.map
        if camera.is_kept(best_left):
            break  # What stands still was enough to find it.
    camera.left = best_left


def _find_moving(film: TrueFilm, now: int, ratio: float) -> NDArray[np.bool_] | None:
    """Return the pixels (H, W) that change in the film at this time.

    Where little stands still, that tells little of the camera: None, for everything counts.
    """
    reach = max(2, round(3 * ratio))
    low, high = max(0, now - reach), min(len(film.pictures) - 1, now + reach)
    expected = film.pictures[now]
    moving = _find_differing(film.pictures[low], film.pictures[high])
    moving = cv2.dilate(moving.astype(np.uint8), np.ones((11, 11), np.uint8)) > 0
    edges = cv2.Laplacian(cv2.cvtColor(expected, cv2.COLOR_RGB2GRAY), cv2.CV_16S)
    clear = int((np.abs(edges[~moving]) > LIMITS.camera_edges[0]).sum())
    return moving if clear > LIMITS.camera_edges[1] else None
