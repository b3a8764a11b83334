"""Forgeries of motion: leaps, ways through others, turns and growth where there is no room."""

import numpy as np
from numpy.typing import NDArray

from bridge.compare.forging.forgeries import ForgedFilm, Forgery, ForgeryKind, TrueFilm
from bridge.compare.forging.places import (
    AXES,
    HOLD,
    Span,
    all_cells,
    bump,
    forged,
    hit,
    moved_cells,
    order,
    reached,
    rests,
    rise,
    runs,
    shift,
    window,
)

__all__ = ["diagonal", "pass_through", "rotation", "stretch", "teleport"]

_Array = NDArray[np.float64]


def teleport(film: TrueFilm, units: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece on its way is some units on in the next frame, and waits there for its time.

    So it is where it might have gone, and in nothing else.
    """
    for body in order(len(film.names), chance):
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
    for body in order(len(film.names), chance):
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
                    return _eased(film, ForgeryKind.PASS_THROUGH, names, chosen, off, poses)
    return None


def diagonal(film: TrueFilm, units: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece that moves along one axis goes off along another one meanwhile, and comes back."""
    least = 2 * rise(units)
    for body in order(len(film.names), chance):
        spans = [span for span in _moves(film, body) if span.frames >= 4]
        for at in order(len(spans), chance):
            first = spans[at].first
            last = first + max(least, spans[at].frames) - 1
            if last >= film.frames or not np.isfinite(film.poses[last, body]).all():
                continue
            chosen = Span(first, last)
            way = _way(film, spans[at], body)
            travel = np.abs(way[-1] - way[0])
            if np.count_nonzero(travel > 0.1) != 1:
                continue
            side = AXES[int(chance.choice([k for k in range(6) if not AXES[k] @ travel]))]
            off = bump(chosen.frames, units) * units
            poses = film.poses.copy()
            here = slice(first, last + 1)
            poses[here, body] = np.stack([shift(share * side) for share in off]) @ poses[here, body]
            return _eased(film, ForgeryKind.DIAGONAL, (film.names[body],), chosen, off, poses)
    return None


def rotation(film: TrueFilm, degrees: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece between others turns about its middle, and back."""
    from scipy.spatial.transform import Rotation

    for body in order(len(film.names), chance):
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
            turns[:, :3, :3] = Rotation.from_rotvec(
                np.radians(off)[:, None] * np.eye(3)[axes[0]]
            ).as_matrix()
            poses = film.poses.copy()
            here = slice(chosen.first, chosen.last + 1)
            poses[here, body] = shift(middle) @ turns @ shift(-middle) @ film.poses[here, body]
            far = np.radians(off) * reach
            return _eased(
                film, ForgeryKind.ROTATION, (film.names[body],), chosen, far, poses, degrees
            )
    return None


def stretch(film: TrueFilm, share: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece grows by a share of its length along its longest axis, and shrinks again."""
    for body in order(len(film.names), chance):
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
            return _eased(
                film, ForgeryKind.STRETCH, (film.names[body],), chosen, off * growth, poses, share
            )
    return None


def _eased(
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
    """Where the middle of a body is in the frames of a span: (frames, 3)."""
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
    """Who is in the way of a body along an axis, and stays there for a span."""
    if body not in others:
        return []
    found = hit(others, body, moved_cells(others[body], axis))
    here = slice(chosen.first, chosen.last + 1)
    stays = [np.ptp(film.poses[here, other], axis=0).max() < 1e-6 for other in found]
    return found if all(stays) else []


def _enclosed(film: TrueFilm, chosen: Span, body: int) -> bool:
    """Whether others are in the way of a body both ways along an axis, so that it can't turn."""
    others = all_cells(film, chosen.first)
    blocked = [bool(_blocking(film, others, chosen, body, axis)) for axis in AXES]
    return sum(blocked) >= 3
