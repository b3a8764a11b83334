"""Forgeries of motion: leaps, ways through others, turns and growth where there is no room."""

import numpy as np
from numpy.typing import NDArray

from bridge.recording.dataset.forging.forgeries import ForgedFilm, Forgery, ForgeryKind, TrueFilm
from bridge.recording.dataset.forging.places import (
    AXES,
    HOLD,
    Span,
    all_cells,
    bump,
    eased,
    forged,
    hit,
    moved_cells,
    movers,
    order,
    reached,
    rests,
    rise,
    runs,
    shift,
    window,
)
from pysim.geometry.quaternions import rotate_by_vector

__all__ = ["diagonal", "pass_through", "rotation", "stretch", "teleport"]

_Array = NDArray[np.float64]

_FAST = 0.9
"""Units that a piece moves between two frames at most, with what is added to its motion."""
_NOTHING = 1e-3
"""Units by which a piece is not off its way."""


def teleport(film: TrueFilm, units: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece on its way is some units on in the next frame, and waits there for its time.

    So it is where it might have gone, and in nothing else.
    """
    for body in movers(film, chance):
        ways = [(_way(film, span, body), span) for span in _moves(film, body)]
        for at in order(len(ways), chance):
            way, span = ways[at]
            leaps = np.linalg.norm(way[None] - way[:, None], axis=2)
            firsts, lasts = np.nonzero(np.triu(np.abs(leaps - units) <= 0.25, k=2))
            if len(firsts):
                pick = int(chance.integers(len(firsts)))
                begin, end = span.first + int(firsts[pick]), span.first + int(lasts[pick])
                poses = film.poses.copy()
                poses[begin + 1 : end, body] = film.poses[end, body]
                length = float(leaps[firsts[pick], lasts[pick]])
                forgery = Forgery(
                    ForgeryKind.TELEPORT,
                    (film.names[body],),
                    begin + 1,
                    end - 1,
                    begin + 1,
                    length,
                )
                return forged(film, forgery, poses=poses)
    return None


def pass_through(film: TrueFilm, units: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece goes straight into one that blocks it, some units far, and back."""
    frames = 2 * rise(units) + HOLD
    for body in movers(film, chance):
        for span in rests(film, body, frames):
            chosen = window(span, frames, chance)
            others = all_cells(film, chosen.first)
            for axis in order(6, chance):
                culprits = _blocking(film, others, chosen, body, AXES[axis])
                if culprits:
                    off = bump(frames, units) * units
                    shifts = np.stack([shift(share * AXES[axis]) for share in off])
                    poses = film.poses.copy()
                    here = slice(chosen.first, chosen.last + 1)
                    poses[here, body] = shifts @ film.poses[here, body]
                    names = tuple(film.names[other] for other in (body, *culprits))
                    return _labelled(film, ForgeryKind.PASS_THROUGH, names, chosen, off, poses)
    return None


def diagonal(film: TrueFilm, units: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece between others that moves along one axis goes off along another one, and comes back.

    It is off by as much as it has gone, about: who goes off at once, and on after that, turns a
    corner, which is another thing.
    """
    for body in movers(film, chance):
        spans = _moves(film, body)
        for at in order(len(spans), chance):
            chosen = spans[at]
            way = _way(film, chosen, body)
            travel = np.abs(way[-1] - way[0])
            total = float(travel.max())
            if np.count_nonzero(travel > 0.1) != 1 or total < max(1.0, units):
                continue
            side = AXES[int(chance.choice([k for k in range(6) if not AXES[k] @ travel]))]
            gone = np.linalg.norm(way - way[0], axis=1)
            share = np.minimum(gone, total - gone) / min(units, total / 2.0)
            off = eased(np.clip(share, 0.0, 1.0)) * units
            far = np.flatnonzero(off > _NOTHING)
            off = off[far[0] : far[-1] + 1]
            chosen = Span(chosen.first + int(far[0]), chosen.first + int(far[-1]))
            poses = film.poses.copy()
            here = slice(chosen.first, chosen.last + 1)
            poses[here, body] = np.stack([shift(k * side) for k in off]) @ poses[here, body]
            steps = np.linalg.norm(np.diff(poses[here, body, :3, 3], axis=0), axis=1)
            if steps.max() <= _FAST and _among(film, reached(chosen, off), body):
                names = (film.names[body],)
                return _labelled(film, ForgeryKind.DIAGONAL, names, chosen, off, poses)
    return None


def rotation(film: TrueFilm, degrees: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece between others turns about its middle, and back."""
    for body in movers(film, chance):
        reach = float(np.linalg.norm(_spread(film, body), axis=1).max()) + 0.5
        frames = 2 * rise(reach * np.radians(degrees)) + HOLD
        for span in rests(film, body, frames):
            chosen = window(span, frames, chance)
            axes = order(3, chance)
            if not _enclosed(film, chosen, body):
                continue
            off = bump(frames, reach * np.radians(degrees)) * degrees
            middle = film.middles(chosen.first, body).mean(axis=0)
            turns = np.tile(np.eye(4), (frames, 1, 1))
            axis = np.eye(3)[axes[0]]
            turns[:, :3, :3] = [rotate_by_vector(angle * axis) for angle in np.radians(off)]
            poses = film.poses.copy()
            here = slice(chosen.first, chosen.last + 1)
            poses[here, body] = shift(middle) @ turns @ shift(-middle) @ film.poses[here, body]
            far = np.radians(off) * reach
            return _labelled(
                film, ForgeryKind.ROTATION, (film.names[body],), chosen, far, poses, degrees
            )
    return None


def stretch(film: TrueFilm, share: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece grows by a share of its length along its longest axis, and shrinks again."""
    for body in movers(film, chance):
        spread = _spread(film, body)
        axis = int(np.ptp(spread, axis=0).argmax())
        growth = share * (float(np.ptp(spread[:, axis])) + 1.0) / 2.0
        frames = 2 * rise(growth) + HOLD
        for span in rests(film, body, frames):
            chosen = window(span, frames, chance)
            off = bump(frames, growth)
            scales = np.tile(np.eye(4), (frames, 1, 1))
            scales[:, axis, axis] += off * share
            own = film.cells[film.names[body]].mean(axis=0)
            poses = film.poses.copy()
            here = slice(chosen.first, chosen.last + 1)
            poses[here, body] = film.poses[here, body] @ shift(own) @ scales @ shift(-own)
            return _labelled(
                film, ForgeryKind.STRETCH, (film.names[body],), chosen, off * growth, poses, share
            )
    return None


def _labelled(
    film: TrueFilm,
    kind: ForgeryKind,
    pieces: tuple[str, ...],
    chosen: Span,
    off: _Array,
    poses: _Array,
    magnitude: float | None = None,
) -> ForgedFilm:
    """A forgery that is ``off`` (frames,) units from the truth in the frames of a span."""
    worst = float(off.max()) if magnitude is None else magnitude
    forgery = Forgery(kind, pieces, chosen.first, chosen.last, reached(chosen, off), worst)
    return forged(film, forgery, poses=poses)


def _moves(film: TrueFilm, body: int) -> list[Span]:
    """Stretches of frames in which a body moves; the frame before each is the first one."""
    poses = film.poses[:, body]
    there = np.isfinite(poses[:, 0, 0])
    moving = np.zeros(film.frames, dtype=np.bool_)
    moving[1:] = there[1:] & there[:-1] & (np.abs(np.diff(poses, axis=0)) > 1e-6).any(axis=(1, 2))
    return [Span(span.first - 1, span.last) for span in runs(moving)]


def _way(film: TrueFilm, span: Span, body: int) -> _Array:
    """Return the middle of a body in the frames of a span: (frames, 3)."""
    own = film.cells[film.names[body]].mean(axis=0)
    poses = film.poses[span.first : span.last + 1, body]
    way: _Array = poses[:, :3, :3] @ own + poses[:, :3, 3]
    return way


def _spread(film: TrueFilm, body: int) -> _Array:
    cells = film.cells[film.names[body]]
    spread: _Array = cells - cells.mean(axis=0)
    return spread


def _blocking(
    film: TrueFilm,
    others: dict[int, frozenset[tuple[int, int, int]]],
    chosen: Span,
    body: int,
    axis: _Array,
) -> list[int]:
    """Return the bodies in the way of one along an axis that stay there for a span."""
    if body not in others:
        return []
    found = hit(others, body, moved_cells(others[body], axis))
    here = slice(chosen.first, chosen.last + 1)
    stays = [np.ptp(film.poses[here, other], axis=0).max() < 1e-6 for other in found]
    return found if all(stays) else []


def _among(film: TrueFilm, frame: int, body: int) -> bool:
    """Whether a body reaches into the box around another one, so that it is held."""
    boxes = [_box(film, frame, other) for other in range(len(film.names)) if other != body]
    low, high = _box(film, frame, body)
    return any((low < top).all() and (bottom < high).all() for bottom, top in boxes)


def _box(film: TrueFilm, frame: int, body: int) -> tuple[_Array, _Array]:
    """The corners of the box around a body; a quarter less on each side, since touch is no hold."""
    middles = film.middles(frame, body)
    return middles.min(axis=0) - 0.25, middles.max(axis=0) + 0.25


def _enclosed(film: TrueFilm, chosen: Span, body: int) -> bool:
    """Whether others are in the way of a body both ways along an axis, so that it can't turn."""
    others = all_cells(film, chosen.first)
    blocked = [bool(_blocking(film, others, chosen, body, axis)) for axis in AXES]
    return sum(blocked) >= 3
