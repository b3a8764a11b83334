"""Corruptions of true films: each puts one impossible thing into a film, with its label.

A corruption finds a place in a source, and returns None if there is none. Films whose body is in
another place, shape or colour hold still from there on, but for what is wrong: what follows would
be wrong in many ways.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation, Slerp

from bridge.recording.dataset.forging.forge import forge
from bridge.recording.dataset.forging.forgeries import ForgeryError, ForgeryKind
from bridge.recording.dataset.forging.places import (
    AXES,
    Occupied,
    all_cells,
    hit,
    moved_cells,
    shift,
)
from bridge.recording.movers import has_surroundings
from bridge.video.reference.bundle import Bundle
from bridge.video.tracking.course import Course, list_colours, list_others
from perf.clips.altering import AlteredFilm, Extra, from_forged
from perf.clips.labels import Cause
from perf.clips.sources import Source
from pysim.geometry import HOME, Voxels
from pysim.puzzle import Action
from pysim.render.palette import PALETTE
from pysim.scene import Body, Colour

__all__ = ["CORRUPTIONS", "Corrupted", "Corruption"]

_Array = NDArray[np.float64]

_MARGIN = 8
"""Frames at the start of a film that are always true."""
_HOLD = 30
"""Frames for which what is wrong is seen at the end of a film."""
_SLOW = 0.15
"""Units that a piece goes between two frames where its way is false, and not its speed."""
_SUDDEN = 2.5
"""Factor by which a body has to leap farther than it goes in a frame nearby."""
_CLOSE = 8
"""Frames that are nearby."""
_LEAST_PIXELS = 120
"""Pixels of a piece that are seen, at least."""
_GROWN, _MOST_GROWN = 0.05, 0.12
"""Shares by which something that grows has grown when it has to be seen, and at the end."""
_SAME_PLACE = 0.3
"""Units within which a body is in the same place."""
_RECORDED = 2
"""Actions that move a body, whose whole way is looked at."""
_LEAP = 0.9
"""Units that are a leap."""


@dataclass(frozen=True, slots=True, eq=False)
class Corrupted:
    """A film with something wrong.

    Attributes:
        other: another film of as many frames that shines through it.
        weights: (F,) how much, from 0 to 1.
        swapped: a frame from which on another source's film is seen.
        absent: the frame by which a cause is seen, without the piece that is elsewhere in it.
    """

    film: AlteredFilm
    causes: tuple[Cause, ...]
    other: AlteredFilm | None = None
    weights: _Array | None = None
    swapped: int | None = None
    absent: AlteredFilm | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A source in which a place is looked for."""

    source: Source
    strength: float
    rng: np.random.Generator
    kinds: tuple[str, ...]

    @property
    def poses(self) -> _Array:
        """(F, B, 4, 4) of the true film."""
        return self.source.bundle.poses

    @property
    def frames(self) -> int:
        """Frames of the true film."""
        return len(self.poses)

    @property
    def fps(self) -> int:
        """Frames a second."""
        return self.source.bundle.manifest.fps

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.source.bundle.names

    def shuffle(self, count: int) -> list[int]:
        """Return the numbers below a count in any order."""
        return [int(k) for k in self.rng.permutation(count)]

    def cause(self, bodies: list[int], first: int, last: int, reached: int | None = None) -> Cause:
        """Return a cause of the corruption's kinds."""
        pieces = tuple(self.names[body] for body in bodies)
        return Cause(self.kinds, pieces, first, last, first if reached is None else reached)

    def list_rests(self) -> list[int]:
        """Return frames, in any order, in which everything is there and rests."""
        still = self.source.steps.max(axis=1) < 1e-6
        still[1:] &= still[:-1]
        still &= np.isfinite(self.poses[:, :, 0, 0]).any(axis=1)
        still[:_MARGIN] = False
        found = np.flatnonzero(still)
        return [int(frame) for frame in self.rng.permutation(found)]

    def list_seen(self, frame: int) -> list[int]:
        """Return the bodies that may move and are well seen in a frame, in any order."""
        pixels = np.bincount(self.source.bundle.ids(frame).ravel(), minlength=len(self.names) + 1)
        pieces = self.source.pieces
        seen = [
            body
            for body, name in enumerate(self.names)
            if name in pieces
            and pixels[body + 1] >= _LEAST_PIXELS
            and np.isfinite(self.poses[frame, body]).all()
        ]
        return [seen[k] for k in self.shuffle(len(seen))]

    def list_places(self, most: int = 12) -> Iterator[tuple[int, int]]:
        """Yield frames in which all rests, with bodies that are seen in them."""
        for frame in self.list_rests()[:most]:
            for body in self.list_seen(frame):
                yield frame, body

    def hold(self, frame: int, count: int = _HOLD) -> AlteredFilm:
        """Return the true film until a frame that is then seen for as many more."""
        shown = np.concatenate([np.arange(frame), np.full(count, frame)])
        return AlteredFilm.cut(self.source, shown)

    def find_free(self, frame: int, body: int, units: int) -> _Array | None:
        """Return a way (3,) of so many units after which a body is in no other one's place."""
        others = all_cells(self.source.film, frame)
        for axis in self.shuffle(6):
            by = units * AXES[axis]
            if _is_free(others, body, moved_cells(others.get(body, frozenset()), by)):
                return by
        return None


def _is_free(others: Mapping[int, Occupied], body: int, cells: Occupied) -> bool:
    """Return whether cells are in no other body's place, and not below all bodies."""
    lowest = min((z for own in others.values() for *_, z in own), default=0)
    return bool(cells) and not hit(others, body, cells) and min(z for *_, z in cells) >= lowest


_Find = Callable[[_Place], Corrupted | None]


@dataclass(frozen=True, slots=True)
class Corruption:
    """A row of the table of corruptions.

    Attributes:
        kinds: of violations that are right; empty if any is.
        unit: of the strengths.
        strengths: the least first.
    """

    kinds: tuple[str, ...]
    unit: str
    strengths: tuple[float, ...]
    find: _Find

    def corrupt(
        self, source: Source, strength: float, rng: np.random.Generator
    ) -> Corrupted | None:
        """Return a source's film with this in it, or None if there is no place for it."""
        return self.find(_Place(source, strength, rng, self.kinds))


def _leap(place: _Place) -> Corrupted | None:
    """Leave out the frames in which something goes some units."""
    for begin in place.shuffle(place.frames - _MARGIN - 3):
        first = begin + _MARGIN
        for after in range(first + 2, min(first + 16, place.frames)):
            far = place.source.measure_distances(first, after)
            if far.max() > 1.35 * place.strength:
                break
            if far.max() >= 0.95 * place.strength and _is_sudden(place, first, float(far.max())):
                shown = np.concatenate([np.arange(first + 1), np.arange(after, place.frames)])
                moved = np.flatnonzero(far > 0.25 * far.max()).tolist()
                return _cut(place, shown, [place.cause(moved, first + 1, first + 1)])
    return None


def _is_sudden(place: _Place, frame: int, far: float) -> bool:
    near = place.source.steps[max(0, frame - _CLOSE) : frame + _CLOSE + 1].max()
    return bool(far >= _SUDDEN * near)


def _cut(place: _Place, shown: NDArray[np.int64], causes: list[Cause]) -> Corrupted | None:
    return Corrupted(AlteredFilm.cut(place.source, shown), tuple(causes)) if causes else None


def _find_leaps(place: _Place, shown: NDArray[np.int64]) -> list[Cause]:
    """Return a cause for each frame in which something leaps that is well seen."""
    causes = []
    for frame in np.flatnonzero(np.abs(np.diff(shown)) > 1).tolist():
        before, after = sorted(shown[frame : frame + 2].tolist())
        far = place.source.measure_distances(before, after)
        # A film may leap by itself, through a gate: that is no fault.
        steps = place.source.steps[before + 1 : after + 1]
        gone = np.where(steps < _LEAP, steps, 0.0).sum(axis=0)
        seen = {*place.list_seen(before), *place.list_seen(after)}
        moved = [k for k in np.flatnonzero(far > 0.25 * far.max()).tolist() if k in seen]
        if moved and np.minimum(far, gone)[moved].max() >= _LEAP:
            causes.append(place.cause(moved, frame + 1, frame + 1))
    return causes


def _freeze(place: _Place) -> Corrupted | None:
    """Hold a frame in the middle of a motion, and go on later."""
    count = round(place.strength)
    for begin in place.shuffle(max(0, place.frames - count - _MARGIN)):
        shown = np.arange(place.frames)
        first = begin + _MARGIN
        shown[first : first + count] = first
        if place.source.steps[first].max() > 1e-3 and (causes := _find_leaps(place, shown)):
            return _cut(place, shown, causes)
    return None


def _reverse(place: _Place) -> Corrupted | None:
    """Show the frames of a step backwards."""
    steps = place.source.bundle.manifest.steps
    for number in place.shuffle(len(steps)):
        first, last = steps[number].first_frame, steps[number].last_frame
        shown = np.arange(place.frames)
        shown[first : last + 1] = shown[first : last + 1][::-1]
        if first >= _MARGIN and (causes := _find_leaps(place, shown)):
            return _cut(place, shown, causes)
    return None


def _slideshow(place: _Place) -> Corrupted | None:
    count = round(place.strength)
    shown = np.arange(place.frames) // count * count
    return _cut(place, shown, _find_leaps(place, shown))


def _teleport(place: _Place) -> Corrupted | None:
    for frame, body in place.list_places():
        by = place.find_free(frame, body, round(place.strength))
        if by is not None:
            film = place.hold(frame)
            film.poses[frame:, body] = shift(by) @ film.poses[frame:, body]
            absent = AlteredFilm.cut(place.source, np.array([frame]))
            absent.poses[:, body] = np.nan
            return Corrupted(film, (place.cause([body], frame, frame),), absent=absent)
    return None


def _grow_piece(place: _Place) -> Corrupted | None:
    frame = _MARGIN
    for body in place.list_seen(frame):
        return _grow(place, [body], place.source.film.middles(frame, body).mean(axis=0))
    return None


def _grow_all(place: _Place) -> Corrupted | None:
    """Let all that may move grow about the place on which it stands."""
    bodies = place.list_seen(_MARGIN)
    if not bodies:
        return None
    film, pieces = place.source.film, place.source.pieces
    bodies = [body for body, name in enumerate(place.names) if name in pieces]
    there = [body for body in bodies if np.isfinite(place.poses[_MARGIN, body]).all()]
    middles = np.concatenate([film.middles(_MARGIN, body) for body in there])
    foot = np.array([*middles[:, :2].mean(axis=0), middles[:, 2].min() - 0.5])
    return _grow(place, bodies, foot)


def _grow(place: _Place, bodies: list[int], about: _Array) -> Corrupted:
    rate = place.strength / 100.0 / place.fps
    count = int(np.ceil(_MOST_GROWN / rate))
    shown = np.minimum(np.arange(_MARGIN + count), place.frames - 1)
    film = AlteredFilm.cut(place.source, shown)
    for frame in range(_MARGIN, len(shown)):
        scale = np.eye(4) * (1.0 + rate * (frame - _MARGIN))
        scale[3, 3] = 1.0
        for body in bodies:
            middle = about if len(bodies) > 1 else _find_middle(place, film, frame, body)
            grown = shift(middle) @ scale @ shift(-middle)
            film.poses[frame, body] = grown @ film.poses[frame, body]
    reached = _MARGIN + int(np.ceil(_GROWN / rate))
    return Corrupted(film, (place.cause(bodies, _MARGIN, len(shown) - 1, reached),))


def _find_middle(place: _Place, film: AlteredFilm, frame: int, body: int) -> _Array:
    own = place.source.film.cells[place.names[body]].mean(axis=0)
    pose = film.poses[frame, body]
    middle: _Array = pose[:3, :3] @ own + pose[:3, 3]
    return middle


def _melt(place: _Place) -> Corrupted | None:
    """Let a piece sink together and spread, as wax does, to a share of its height."""
    for frame, body in place.list_places():
        count = round(1.5 * place.fps)
        middles = place.source.film.middles(frame, body)
        foot = np.array([*middles[:, :2].mean(axis=0), middles[:, 2].min() - 0.5])

        def melt(share: float) -> _Array:
            height = 1.0 - (1.0 - place.strength) * share
            return np.diag([height**-0.5, height**-0.5, height, 1.0])

        film = _change(place, frame, body, foot, count, melt)
        last = len(film.shown) - 1
        return Corrupted(film, (place.cause([body], frame, last, frame + count // 2),))
    return None


def _change(
    place: _Place,
    frame: int,
    body: int,
    about: _Array,
    count: int,
    change: Callable[[float], _Array],
) -> AlteredFilm:
    """Change a body about a point (3,) for so many frames after one, and hold it.

    Args:
        change: returns a map (4, 4) by the share of it that is done.
    """
    film = place.hold(frame, count + _HOLD)
    for k in range(1, count + _HOLD):
        changed = shift(about) @ change(min(1.0, k / count)) @ shift(-about)
        film.poses[frame + k, body] = changed @ film.poses[frame + k, body]
    return film


def _slant(place: _Place) -> Corrupted | None:
    """Let a piece lean over, as a pack of cards does, and stay so."""
    for frame, body in place.list_places():
        count = round(1.5 * place.fps)
        middle = place.source.film.middles(frame, body).mean(axis=0)

        def slant(share: float) -> _Array:
            lean = np.eye(4)
            lean[0, 2] = place.strength * share
            return lean

        film = _change(place, frame, body, middle, count, slant)
        return Corrupted(film, (place.cause([body], frame, len(film.shown) - 1, frame + count),))
    return None


def _mirror(place: _Place) -> Corrupted | None:
    """Let a piece become its mirror image in its place, where that is another shape."""
    for frame, body in place.list_places():
        middles = place.source.film.middles(frame, body)
        middle = middles.mean(axis=0)
        for axis in place.shuffle(3):
            flip = np.eye(4)
            flip[axis, axis] = -1.0
            far = np.linalg.norm(
                (middles - middle) @ flip[:3, :3] + middle - middles[:, None], axis=2
            )
            if far.min(axis=1).max() > 0.1:
                film = place.hold(frame)
                film.poses[frame:, body] = (
                    shift(middle) @ flip @ shift(-middle) @ film.poses[frame:, body]
                )
                return Corrupted(film, (place.cause([body], frame, len(film.shown) - 1),))
    return None


def _fade(place: _Place) -> Corrupted | None:
    """Let a piece fade until only what is behind it is seen."""
    for frame, body in place.list_places():
        count = round(place.strength * place.fps)
        film = place.hold(frame, count + _HOLD)
        other = place.hold(frame, count + _HOLD)
        other.poses[frame:, body] = np.nan
        weights = np.zeros(len(film.shown))
        weights[frame:] = np.clip(np.arange(count + _HOLD) / count, 0.0, 1.0)
        cause = place.cause([body], frame, len(weights) - 1, frame + 3 * count // 4)
        return Corrupted(film, (cause,), other, weights)
    return None


def _ghost(place: _Place) -> Corrupted | None:
    """Let a half-transparent double of a piece appear."""
    found = _double(place, 2)
    if found is None:
        return None
    other, cause = found
    weights = np.zeros(len(other.shown))
    weights[cause.first :] = place.strength
    return Corrupted(replace(other, extras=()), (cause,), other, weights)


def _duplicate(place: _Place) -> Corrupted | None:
    found = _double(place, round(place.strength))
    return None if found is None else Corrupted(found[0], (found[1],))


def _double(place: _Place, units: int) -> tuple[AlteredFilm, Cause] | None:
    for frame, body in place.list_places():
        size = int(np.ptp(place.source.film.cells[place.names[body]], axis=0).max())
        by = place.find_free(frame, body, size + units)
        if by is not None:
            film = place.hold(frame)
            double = replace(place.source.bodies[place.names[body]], name="double")
            return (
                _add(film, frame, double, shift(by) @ film.poses[frame:, body]),
                place.cause([body, *_list_like(place, body)], frame, len(film.shown) - 1),
            )
    return None


def _add(film: AlteredFilm, frame: int, body: Body, there: _Array) -> AlteredFilm:
    """Return a film with one more body from a frame on, at one pose (4, 4) or at many."""
    poses = np.full((len(film.shown), 4, 4), np.nan)
    poses[frame:] = there
    return replace(film, extras=(Extra(body, poses),))


def _list_like(place: _Place, body: int) -> list[int]:
    """Return bodies that share two colours of stickers with one: a double may be theirs."""
    bodies = place.source.bodies

    def colours(name: str) -> set[Colour]:
        return {sticker.colour for sticker in bodies[name].stickers}

    own = colours(place.names[body])
    return [k for k, name in enumerate(place.names) if k != body and len(own & colours(name)) >= 2]


def _flicker(place: _Place) -> Corrupted | None:
    """Leave a piece out of every other frame for some seconds."""
    count = round(place.strength * place.fps)
    starts = [k + _MARGIN for k in place.shuffle(max(0, place.frames - count - _MARGIN))]
    for first in starts[:12]:
        for body in place.list_seen(first):
            film = AlteredFilm.cut(place.source, np.arange(place.frames))
            film.poses[first : first + count : 2, body] = np.nan
            return Corrupted(film, (place.cause([body], first, first + count - 1),))
    return None


def _vanish(place: _Place) -> Corrupted | None:
    """Leave a piece out for some seconds, or, for 0, from some frame on."""
    count = round(place.strength * place.fps)
    starts = [k + _MARGIN for k in place.shuffle(max(0, place.frames - count - 2 * _MARGIN))]
    for first in starts[:12]:
        for body in place.list_seen(first):
            film = AlteredFilm.cut(place.source, np.arange(place.frames))
            last = first + count - 1 if count else place.frames - 1
            film.poses[first : last + 1, body] = np.nan
            return Corrupted(film, (place.cause([body], first, last),))
    return None


def _swap(place: _Place) -> Corrupted | None:
    """Let two pieces change colours, or places where they are told by what sticks on them."""
    bodies = place.source.bodies
    for frame, one in place.list_places():
        mine = bodies[place.names[one]]
        for other in place.list_seen(frame):
            theirs = bodies[place.names[other]]
            if other == one or bool(mine.stickers) != bool(theirs.stickers):
                continue
            film = place.hold(frame)
            cause = place.cause([one, other], frame, len(film.shown) - 1)
            if not mine.stickers:
                painted = {
                    mine.name: replace(mine, colour=theirs.colour),
                    theirs.name: replace(theirs, colour=mine.colour),
                }
                return Corrupted(replace(film, looks=painted, since=frame), (cause,))
            if mine.shape == theirs.shape and len(mine.stickers) == len(theirs.stickers):
                film.poses[frame:, [one, other]] = film.poses[frame:, [other, one]]
                return Corrupted(film, (cause,))
    return None


def _appear(place: _Place) -> Corrupted | None:
    """Let a cube of a colour that none has appear beside a piece."""
    size = round(place.strength)
    cube = Body("cube", Voxels.from_cells(_list_cube(size)), HOME, _find_spare(place))
    for frame, body in place.list_places():
        corner = _find_beside(place, frame, body, size)
        if corner is not None:
            film = _add(place.hold(frame), frame, cube, shift(corner))
            return Corrupted(film, (place.cause([], frame, len(film.shown) - 1),))
    return None


def _find_beside(place: _Place, frame: int, body: int, size: int) -> _Array | None:
    """Return the lowest corner (3,) of a free cube, a unit beside a body and not below all."""
    others = all_cells(place.source.film, frame)
    own = np.array(sorted(others.get(body, ())))
    if not len(own):
        return None
    low, high = own.min(axis=0), own.max(axis=0)
    for axis in place.shuffle(6):
        way = AXES[axis]
        corner = np.where(way > 0, high + 2, np.where(way < 0, low - size - 1, low))
        if _is_free(others, len(place.names), moved_cells(_list_cube(size), corner)):
            return np.asarray(corner, np.float64)
    return None


def _list_cube(size: int) -> Occupied:
    return frozenset(product(range(size), range(size), range(size)))


def _find_spare(place: _Place) -> Colour:
    """Return a colour that nothing has."""
    used = {colour for body in place.source.bodies.values() for colour in list_colours(body)}
    return next(Colour(name) for name in PALETTE if name not in used)


def _recolour(place: _Place) -> Corrupted | None:
    """Let a piece, or all that sticks on it, take a colour that none has."""
    spare = _find_spare(place)
    for frame, body in place.list_places():
        film = place.hold(frame)
        painted = _paint(place.source.bodies[place.names[body]], spare)
        cause = place.cause([body], frame, len(film.shown) - 1)
        return Corrupted(replace(film, looks={painted.name: painted}, since=frame), (cause,))
    return None


def _paint(body: Body, colour: Colour) -> Body:
    if not body.stickers:
        return replace(body, colour=colour)
    return replace(body, stickers=tuple(replace(s, colour=colour) for s in body.stickers))


def _pass_through(place: _Place) -> Corrupted | None:
    """Push a piece slowly into one that is in its way, and leave it there."""
    for frame, body in place.list_places():
        others = all_cells(place.source.film, frame)
        for axis in place.shuffle(6):
            free, blocking = _find_blocking(others, body, AXES[axis])
            if blocking:
                by = (free + place.strength) * AXES[axis]
                return _push(place, frame, [body, *blocking], by, free)
    return None


def _find_blocking(
    others: Mapping[int, Occupied], body: int, axis: _Array
) -> tuple[int, list[int]]:
    """Return the units that a body can go along an axis, one at most, and the ones behind that."""
    cells = others.get(body, frozenset())
    for free in (0, 1):
        blocking = hit(others, body, moved_cells(cells, (free + 1) * axis))
        if blocking:
            return free, blocking
    return 0, []


def _push(place: _Place, frame: int, bodies: list[int], by: _Array, free: int = 0) -> Corrupted:
    """Move the first of some bodies slowly by a way (3,), and hold it there.

    Args:
        free: units of it for which it is in nobody's way.
    """
    length = float(np.linalg.norm(by))
    count = int(np.ceil(length / _SLOW))
    film = place.hold(frame, count + _HOLD)
    for k in range(1, count + _HOLD):
        moved = shift(min(1.0, k / count) * by)
        film.poses[frame + k, bodies[0]] = moved @ film.poses[frame + k, bodies[0]]
    reached = frame + int(np.ceil(min(1.0, (free + 0.6) / length) * count))
    return Corrupted(film, (place.cause(bodies, frame + 1, len(film.shown) - 1, reached),))


def _hover(place: _Place) -> Corrupted | None:
    """Let a piece that was let go rise, and float."""
    return _drift(place, np.array([0.0, 0.0, 1.0]))


def _glide(place: _Place) -> Corrupted | None:
    """Let a piece that was let go glide along the table by itself; where some walk, none does."""
    if has_surroundings(place.source.scenes[0]):
        return None
    angle = float(place.rng.integers(4)) * np.pi / 2.0
    return _drift(place, np.array([np.cos(angle), np.sin(angle), 0.0]).round())


def _drift(place: _Place, way: _Array) -> Corrupted | None:
    """Move a body that nobody holds; where there are such, none that others hold.

    What the film does, or a single action would do, is no fault.
    """
    lawful = _LawfulPlaces(place.source.bundle)
    for frame, body in place.list_places():
        scene = place.source.scenes[frame]
        if any(one.loose for one in scene.bodies) and not scene.find_body(place.names[body]).loose:
            continue
        others = all_cells(place.source.film, frame)
        units = range(1, round(place.strength) + 1)
        moved = [moved_cells(others.get(body, frozenset()), k * way) for k in units]
        if all(cells and not hit(others, body, cells) for cells in moved):
            pushed = _push(place, frame, [body], place.strength * way)
            if not lawful.has(frame, body, pushed.film.poses[-1]):
                return pushed
    return None


class _LawfulPlaces:
    """Places that bodies have in a film, or on the way of an action. Each is found once."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle, self._course = bundle, Course.of_bundle(bundle)
        self._others: dict[int, list[tuple[Action, _Array]]] = {}
        self._ways: dict[tuple[int, Action], _Array] = {}

    def has(self, frame: int, body: int, poses: _Array) -> bool:
        """Return whether bodies (B, 4, 4) can be so after a frame, if one of them is moved."""
        done = sum(step.last_frame <= frame for step in self._bundle.manifest.steps)
        shown = [self._bundle.poses]
        here = self._bundle.poses[frame, body]
        if done not in self._others:
            self._others[done] = [*list_others(self._course, done)]
        for action, there in self._others[done]:
            if not np.allclose(there[body], here, equal_nan=True):
                # Others that move it begin with the same way.
                is_alike = len(shown) > _RECORDED
                shown.append(there[None] if is_alike else self._record(done, action))
        off = np.nan_to_num(np.concatenate(shown)) - np.nan_to_num(poses)
        return bool((np.abs(off).max(axis=(1, 2, 3)) < _SAME_PLACE).any())

    def _record(self, done: int, action: Action) -> _Array:
        if (done, action) not in self._ways:
            actions = [*self._course.list_actions()[:done], action]
            self._ways[done, action] = self._course.branch(actions).poses
        return self._ways[done, action]


def _go_straight(place: _Place) -> Corrupted | None:
    """Bring what is carried straight to its place in a box, through its wall."""
    box = place.source.scenes[0].container
    if box is None or len(box.open) > 1:
        return None
    steps = place.source.bundle.manifest.steps
    for number in place.shuffle(len(steps)):
        first, last = max(0, steps[number].first_frame - 1), steps[number].last_frame
        far = place.source.measure_distances(first, last)
        body = int(far.argmax())
        if far[body] >= 3.0:
            film = AlteredFilm.cut(place.source, np.arange(place.frames))
            film.poses[first : last + 1, body] = _interpolate(
                place.poses[[first, last], body], last - first + 1
            )
            middle = first + 3 * (last - first) // 4
            return Corrupted(film, (place.cause([body], first + 1, last, middle),))
    return None


def _interpolate(ends: _Array, count: int) -> _Array:
    """Return poses (count, 4, 4) evenly between two."""
    shares = np.linspace(0.0, 1.0, count)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = Slerp([0.0, 1.0], Rotation.from_matrix(ends[:, :3, :3]))(shares).as_matrix()
    poses[:, :3, 3] = ends[0, :3, 3] + shares[:, None] * (ends[1, :3, 3] - ends[0, :3, 3])
    poses[[0, -1]] = ends
    return poses


def _turn(place: _Place) -> Corrupted | None:
    """Turn a piece slowly between two others that hold it."""
    for frame, body in place.list_places():
        others = all_cells(place.source.film, frame)
        if body not in others:
            continue
        blocked = [bool(_find_blocking(others, body, axis)[1]) for axis in AXES]
        if not any(blocked[2 * k] and blocked[2 * k + 1] for k in range(3)) or sum(blocked) < 3:
            continue
        middles = place.source.film.middles(frame, body)
        middle = middles.mean(axis=0)
        reach = float(np.linalg.norm(middles - middle, axis=1).max()) + 0.7
        count = int(np.ceil(np.radians(place.strength) * reach / _SLOW))
        axis = np.eye(3)[int(place.rng.integers(3))]

        def turn(share: float, axis: _Array = axis) -> _Array:
            turned = np.eye(4)
            angle = np.radians(place.strength) * share
            turned[:3, :3] = Rotation.from_rotvec(angle * axis).as_matrix()
            return turned

        film = _change(place, frame, body, middle, count, turn)
        cause = place.cause([body], frame + 1, len(film.shown) - 1, frame + count)
        return Corrupted(film, (cause,))
    return None


def _switch(place: _Place) -> Corrupted | None:
    """Show another film from the middle on."""
    begin = place.frames // 2
    shown = np.arange(place.frames)
    cause = Cause((), (), begin, place.frames - 1, begin)
    return Corrupted(AlteredFilm.cut(place.source, shown), (cause,), swapped=begin)


def _forge(kind: ForgeryKind) -> _Find:
    """Return what puts a forgery of datasets into a film."""

    def find(place: _Place) -> Corrupted | None:
        try:
            forged = forge(place.source.film, kind, place.strength, place.rng)
        except ForgeryError:
            return None
        (label,) = forged.forgeries
        if label.first_frame < 3:
            return None
        cause = Cause(
            place.kinds, label.pieces[:2], label.first_frame, label.last_frame, label.reached
        )
        return Corrupted(from_forged(place.source, forged), (cause,))

    return find


_GONE = ("permanence", "rigidity")
_PUSHED = ("illegal-move", "interpenetration", "diagonal", "rotation", "wrong-order")
CORRUPTIONS: Mapping[str, Corruption] = {
    "leap": Corruption(("teleport",), "units", (1, 2), _leap),
    "freeze": Corruption(("teleport",), "frames", (12, 24), _freeze),
    "reversed": Corruption(("teleport",), "", (1,), _reverse),
    "slideshow": Corruption(("teleport",), "frames", (12, 24), _slideshow),
    "teleport": Corruption(("teleport",), "units", (2, 4), _teleport),
    "grow": Corruption(("rigidity",), "% a second", (1, 3), _grow_piece),
    "grow-all": Corruption(("rigidity",), "% a second", (1, 3), _grow_all),
    "melt": Corruption(_GONE, "share of its height", (0.5, 0.25), _melt),
    "fade": Corruption(_GONE, "seconds", (2, 1), _fade),
    "ghost": Corruption(("extra",), "opacity", (0.5, 0.7), _ghost),
    "flicker": Corruption(("permanence",), "seconds", (0.5, 1), _flicker),
    "half-other": Corruption((), "", (1,), _switch),
    "vanish": Corruption(("permanence",), "seconds, 0 for good", (0.5, 1, 0), _vanish),
    "appear": Corruption(("extra", "background"), "units", (1, 2), _appear),
    "duplicate": Corruption(("extra",), "units between both", (1, 2), _duplicate),
    "swap": Corruption(("swap",), "", (1,), _swap),
    "recolour": Corruption(_GONE, "", (1,), _recolour),
    "pass-through": Corruption(_PUSHED[:2], "units", (1, 2), _pass_through),
    "straight": Corruption(_PUSHED[:3], "", (1,), _go_straight),
    "rotation": Corruption(("rotation", *_PUSHED[:2]), "degrees", (30, 90), _turn),
    "hover": Corruption(_PUSHED, "units", (1, 2), _hover),
    "glide": Corruption(_PUSHED, "units", (2, 3), _glide),
    "diagonal": Corruption(
        ("diagonal", *_PUSHED[:2]), "units", (1, 2), _forge(ForgeryKind.DIAGONAL)
    ),
    "stretch": Corruption(("rigidity",), "share", (0.4, 0.8), _forge(ForgeryKind.STRETCH)),
    "wrong-order": Corruption(
        ("wrong-order", *_PUSHED[:2]), "", (1,), _forge(ForgeryKind.WRONG_ORDER)
    ),
    "split": Corruption(("split", "extra"), "units", (1, 2), _forge(ForgeryKind.SPLIT)),
    "merge": Corruption(("merge",), "", (1,), _forge(ForgeryKind.MERGE)),
    "slant": Corruption(("rigidity",), "units a unit", (0.25, 0.5), _slant),
    "mirror": Corruption(("rigidity", "rotation", "teleport", *_PUSHED[:2]), "", (1,), _mirror),
}
"""Corruptions that a score has to find, by name."""
