"""Forgeries in films of cubes and nets."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from bridge.video.report.scores import bundle_speed
from bridge.recording.dataset.forging.forgeries import TrueFilm
from bridge.recording.dataset.forging.places import AXES, all_cells, hit, moved_cells, order, shift
from bridge.video.reference.bundle import Bundle
from perf.video.bundle_films import read_true_film
from perf.video.turned.cases import TurnedKind
from pysim.scene import Body, Colour

__all__ = ["FalseFilm", "TurnedLabel", "forged_film"]

_Array = NDArray[np.float64]

_MARGIN = 3
"""Frames at the start of a film that are always true."""
_LEAST = 4
"""Frames for which what is forged has to be seen."""
_TURNING = 0.15
"""Radians a frame by which something turns, where no rule allows it."""
_RESTS = 12
"""Frames for which what was turned rests."""


@dataclass(frozen=True, slots=True)
class TurnedLabel:
    """A fault: its kind, its pieces and its time.

    Attributes:
        pieces: the one that does it, or all that do; any of them may be named.
        first_frame: the first frame that is not as it should be.
        reached: the one in which that is half a unit off, or at once.
        last_frame: the last one that is wrong.
    """

    kind: TurnedKind
    pieces: tuple[str, ...]
    first_frame: int
    reached: int
    last_frame: int


@dataclass(frozen=True, slots=True, eq=False)
class FalseFilm:
    """A film that is wrong.

    Attributes:
        poses: (frames, pieces, 4, 4) in the order of the bundle's names; NaN where one is gone.
        label: what is wrong.
        looks: pieces that look otherwise from the first false frame on.
        extra: a body that no true film has, and where it is from then on.
    """

    poses: _Array
    label: TurnedLabel
    looks: Mapping[str, Body] = field(default_factory=dict)
    extra: tuple[Body, _Array] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The place of a forgery.

    Attributes:
        bundle, film, bodies: the true film.
        begin: a frame in which everything rests, as it did in the frame before.
        rng: what is drawn.
    """

    bundle: Bundle
    film: TrueFilm
    bodies: Mapping[str, Body]
    begin: int
    rng: np.random.Generator

    @property
    def names(self) -> tuple[str, ...]:
        return self.film.names

    @property
    def here(self) -> _Array:
        """(P, 4, 4) where everything is."""
        poses: _Array = self.film.poses[self.begin]
        return poses

    def label(
        self, kind: TurnedKind, pieces: tuple[str, ...], last: int | None = None
    ) -> TurnedLabel:
        """It is wrong at once."""
        end = self.film.frames - 1 if last is None else last
        return TurnedLabel(kind, pieces, self.begin, self.begin, end)


def forged_film(
    bundle: Bundle, bodies: Mapping[str, Body], kind: TurnedKind, rng: np.random.Generator
) -> FalseFilm | None:
    """Return a film with one thing wrong, put where chance finds a place; None if it finds none.

    Args:
        bodies: of the bundle, by name.
    """
    film = read_true_film(bundle)
    resting = [
        k
        for k in range(_MARGIN, film.frames - _LEAST)
        if np.abs(film.poses[k] - film.poses[k - 1]).max() < 1e-6
    ]
    if not resting:
        return None
    begin = resting[int(rng.integers(len(resting)))]
    return _FORGERS[kind](_Place(bundle, film, bodies, begin, rng))


def _vanish(place: _Place) -> FalseFilm | None:
    name = place.names[int(place.rng.integers(len(place.names)))]
    last = min(place.begin + place.film.fps, place.film.frames) - 1
    poses = place.film.poses.copy()
    poses[place.begin : last + 1, place.names.index(name)] = np.nan
    return FalseFilm(poses, place.label(TurnedKind.VANISH, (name,), last))


def _teleport(place: _Place) -> FalseFilm | None:
    # Three times the true film's greatest step is allowed, so it has to be more.
    fast = 3.0 * bundle_speed(place.bundle) / place.film.fps
    units = max(2, math.ceil(1.3 * fast))
    found = _free(place, units)
    if found is None:
        return None
    piece, by = found
    poses = place.film.poses.copy()
    poses[place.begin :, piece] = shift(by) @ poses[place.begin :, piece]
    return FalseFilm(poses, place.label(TurnedKind.TELEPORT, (place.names[piece],)))


def _duplicate(place: _Place) -> FalseFilm | None:
    size = max(max(body.shape.bounds.size) for body in place.bodies.values())
    found = _free(place, size + 1)
    if found is None:
        return None
    piece, by = found
    name = place.names[piece]
    double = replace(place.bodies[name], name="double")
    # Of a double few sides may be seen, and others may have the same there.
    alike = tuple(n for n in place.names if n != name and _shared(place.bodies, n, name) >= 2)
    label = place.label(TurnedKind.DUPLICATE, (name, *alike))
    return FalseFilm(place.film.poses, label, extra=(double, shift(by) @ place.here[piece]))


def _shared(bodies: Mapping[str, Body], one: str, other: str) -> int:
    return len(
        {s.colour for s in bodies[one].stickers} & {s.colour for s in bodies[other].stickers}
    )


def _free(place: _Place, units: int) -> tuple[int, _Array] | None:
    """Return a piece, and a way (3,) as long as that after which it is in nobody's way."""
    others = all_cells(place.film, place.begin)
    for piece in order(len(place.names), place.rng):
        for axis in order(5, place.rng):  # The last one goes into the ground.
            by = units * AXES[axis]
            if piece in others and not hit(others, -1, moved_cells(others[piece], by)):
                return piece, by
    return None


def _swap(place: _Place) -> FalseFilm | None:
    """Return two of one shape and as many stickers."""
    one, *rest = order(len(place.names), place.rng)
    mine = place.bodies[place.names[one]]
    for other in rest:
        theirs = place.bodies[place.names[other]]
        if theirs.shape == mine.shape and len(theirs.stickers) == len(mine.stickers):
            poses = place.film.poses.copy()
            poses[place.begin :, [one, other]] = poses[place.begin :, [other, one]]
            pair = place.names[one], place.names[other]
            return FalseFilm(poses, place.label(TurnedKind.SWAP, pair))
    return None


def _recolour(place: _Place) -> FalseFilm | None:
    bodies = [body for body in place.bodies.values() if body.stickers]
    body = bodies[int(place.rng.integers(len(bodies)))]
    sides = sorted({sticker.side for sticker in body.stickers}, key=str)
    side = sides[int(place.rng.integers(len(sides)))]
    own = {sticker.colour for sticker in body.stickers} | {body.colour}
    every = sorted({s.colour for b in bodies for s in b.stickers} - own, key=str)
    colour = Colour(every[int(place.rng.integers(len(every)))])
    stickers = tuple(replace(s, colour=colour) if s.side == side else s for s in body.stickers)
    painted = replace(body, stickers=stickers)
    label = place.label(TurnedKind.RECOLOUR, (body.name,))
    return FalseFilm(place.film.poses, label, looks={body.name: painted})


def _snap(place: _Place) -> FalseFilm | None:
    """One step of the film is made in a single frame."""
    steps = place.bundle.manifest.steps
    step = steps[int(place.rng.integers(len(steps)))]
    poses = place.film.poses.copy()
    moved = np.abs(poses[step.last_frame] - poses[step.first_frame - 1])[:, :3, 3].max(axis=1)
    poses[step.first_frame : step.last_frame] = poses[step.last_frame]
    pieces = tuple(place.names[k] for k in np.flatnonzero(moved > 0.5))
    first = step.first_frame
    label = TurnedLabel(TurnedKind.SNAP, pieces, first, first, first)
    return FalseFilm(poses, label) if pieces else None


def _illegal(place: _Place) -> FalseFilm | None:
    """Return the slice between two layers, or a square about an edge at which it is not folded."""
    found = _slice(place) if _is_cube(place) else _wrong_edge(place)
    if found is None:
        return None
    pieces, pivot, axis = found
    sign = 1.0 if place.rng.integers(2) else -1.0
    away = np.linalg.norm(np.cross(place.here[pieces, :3, 3] - pivot, axis), axis=1).max()
    frames = math.ceil(np.pi / 2.0 / (_TURNING * min(1.0, 4.0 / max(away, 1.0))))
    moving = [_turned(place.here, pieces, pivot, sign * s * axis) for s in _shares(frames)]
    before = place.film.poses[: place.begin]
    poses = np.concatenate([before, np.stack([*moving, *moving[-1:] * _RESTS])])
    names = tuple(place.names[k] for k in np.flatnonzero(pieces))
    far = [np.abs(one - place.here)[:, :3, 3].max() >= 0.5 for one in moving]
    reached = place.begin + frames - 1
    first = place.begin + far.index(True) if any(far) else reached
    return FalseFilm(poses, TurnedLabel(TurnedKind.ILLEGAL, names, first, reached, len(poses) - 1))


def _shares(frames: int) -> Iterator[float]:
    return ((k + 1.0) / frames for k in range(frames))


def _turned(here: _Array, pieces: NDArray[np.bool_], pivot: _Array, turn: _Array) -> _Array:
    motion = np.eye(4)
    motion[:3, :3] = Rotation.from_rotvec(np.pi / 2.0 * turn).as_matrix()
    motion[:3, 3] = pivot - motion[:3, :3] @ pivot
    there = here.copy()
    there[pieces] = motion @ here[pieces]
    return there


def _is_cube(place: _Place) -> bool:
    return all(max(body.shape.bounds.size) == 1 for body in place.bodies.values())


_Turn = tuple[NDArray[np.bool_], _Array, _Array]
"""Pieces (P,), a point (3,) that stays, and the axis (3,)."""


def _slice(place: _Place) -> _Turn | None:
    axis = int(place.rng.integers(3))
    heights = place.here[:, axis, 3]
    layers = sorted({round(float(height)) for height in heights})
    middle = place.here[:, :3, 3].mean(axis=0)
    inner = layers[1:-1]
    if not inner:
        return None
    layer = inner[int(place.rng.integers(len(inner)))]
    return np.abs(heights - layer) < 0.1, middle, np.eye(3)[axis]


def _wrong_edge(place: _Place) -> _Turn | None:
    """Return a single square, about an edge to which no other one is joined."""
    there = place.here[:, :3, 3]
    for piece in order(len(place.names), place.rng):
        pose = place.here[piece]
        for side in order(4, place.rng):
            way = pose[:3, side // 2] * (1.0 if side % 2 else -1.0)
            edge = pose[:3, 3] + 4.0 * way
            if np.linalg.norm(there - (edge + 4.0 * way), axis=1).min() > 5.7:
                return np.arange(len(there)) == piece, edge, pose[:3, 1 - side // 2].copy()
    return None


_FORGERS: Mapping[TurnedKind, Callable[[_Place], FalseFilm | None]] = {
    TurnedKind.VANISH: _vanish,
    TurnedKind.TELEPORT: _teleport,
    TurnedKind.DUPLICATE: _duplicate,
    TurnedKind.SWAP: _swap,
    TurnedKind.RECOLOUR: _recolour,
    TurnedKind.SNAP: _snap,
    TurnedKind.ILLEGAL: _illegal,
}
