"""Forgeries of what there is: pieces that go, come, come apart or become others."""

import numpy as np
from numpy.typing import NDArray

from bridge.recording.dataset.forging.forgeries import (
    ExtraBody,
    ForgedFilm,
    Forgery,
    ForgeryKind,
    TrueFilm,
)
from bridge.recording.dataset.forging.places import (
    AXES,
    Span,
    all_cells,
    bump,
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

__all__ = ["duplicate", "merge", "recolour", "split", "swap", "vanish"]

_Array = NDArray[np.float64]

_LEAST = 6
"""Frames for which a forgery that stays is to be seen, at least."""
_TRIES = 40
"""Moments at which two pieces that touch are looked for."""


def vanish(film: TrueFilm, seconds: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece is not there for some seconds."""
    frames = max(1, round(seconds * film.fps))
    there = _whole_film(film)
    if frames > there.frames:
        return None
    some = [body for body, name in enumerate(film.names) if name not in film.fixed]
    body = some[int(chance.integers(len(some)))]
    chosen = window(there, frames, chance)
    poses = film.poses.copy()
    poses[chosen.first : chosen.last + 1, body] = np.nan
    name = film.names[body]
    forgery = Forgery(
        ForgeryKind.VANISH, (name,), chosen.first, chosen.last, chosen.first, frames / film.fps
    )
    return forged(film, forgery, poses=poses)


def duplicate(film: TrueFilm, units: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A second piece like another one is there from some frame on, in nobody's way at first."""
    for body in movers(film, chance):
        begin = _begin(film, chance)
        if begin is None:
            return None
        others = all_cells(film, begin)
        for axis in order(6, chance):
            by = round(units) * AXES[axis]
            if body in others and not hit(others, -1, moved_cells(others[body], by)):
                poses = np.full((film.frames, 4, 4), np.nan)
                poses[begin:] = shift(by) @ film.poses[begin, body]
                name = film.names[body]
                extra = ExtraBody(film.cells[name].astype(np.int64), name, poses)
                forgery = Forgery(
                    ForgeryKind.DUPLICATE,
                    (name,),
                    begin,
                    film.frames - 1,
                    begin,
                    float(round(units)),
                )
                return forged(film, forgery, extras=(extra,))
    return None


def split(film: TrueFilm, units: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece comes apart in the middle of its longest axis; its end goes off, and stays off."""
    for body in movers(film, chance):
        cells = film.cells[film.names[body]]
        axis = int(np.ptp(cells, axis=0).argmax())
        off_end = cells[:, axis] > cells[:, axis].mean()
        if not 0 < off_end.sum() < len(cells):
            continue
        for span in rests(film, body, rise(units) + _LEAST):
            chosen = Span(window(span, rise(units) + _LEAST, chance).first, film.frames - 1)
            up = bump(2 * rise(units), units)[: rise(units)] * units
            off = np.concatenate([up, np.full(chosen.frames - len(up), units)])
            way = np.eye(3)[axis]
            here = slice(chosen.first, chosen.last + 1)
            own = film.poses[here, body]
            ends = np.full((film.frames, 4, 4), np.nan)
            ends[here] = own @ np.stack([shift(share * way) for share in off])
            stays = np.full((film.frames, 4, 4), np.nan)
            stays[here] = own
            poses = film.poses.copy()
            poses[here, body] = np.nan
            name = film.names[body]
            halves = (
                ExtraBody(cells[~off_end].astype(np.int64), name, stays),
                ExtraBody(cells[off_end].astype(np.int64), name, ends),
            )
            forgery = Forgery(
                ForgeryKind.SPLIT, (name,), chosen.first, chosen.last, reached(chosen, off), units
            )
            return forged(film, forgery, poses=poses, extras=halves)
    return None


def swap(film: TrueFilm, strength: float, chance: np.random.Generator) -> ForgedFilm | None:
    """Two pieces change colours."""
    begin = _begin(film, chance)
    plain = _plain(film, chance)
    if begin is None or len(plain) < 2:
        return None
    one, other = plain[:2]
    return _painted(film, ForgeryKind.SWAP, begin, {one: other, other: one})


def merge(film: TrueFilm, strength: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece takes the colour of one that it touches."""
    for _ in range(_TRIES):
        begin = _begin(film, chance)
        if begin is None:
            return None
        others = all_cells(film, begin)
        plain = _plain(film, chance)
        for body in plain:
            for axis in order(6, chance):
                touched = hit(others, body, moved_cells(others.get(body, frozenset()), AXES[axis]))
                if touched and touched[0] in plain:
                    return _painted(film, ForgeryKind.MERGE, begin, {body: touched[0]}, touched[0])
    return None


def recolour(film: TrueFilm, strength: float, chance: np.random.Generator) -> ForgedFilm | None:
    """A piece takes a colour that no other has."""
    begin = _begin(film, chance)
    plain = _plain(film, chance)
    if begin is None or not plain:
        return None
    return _painted(film, ForgeryKind.RECOLOUR, begin, {plain[0]: len(film.names)})


def _plain(film: TrueFilm, chance: np.random.Generator) -> list[int]:
    """The bodies that are told by their colour, in any order."""
    everybody = movers(film, chance)
    return [body for body in everybody if film.names[body] not in film.stickered]


def _painted(
    film: TrueFilm, kind: ForgeryKind, begin: int, paints: dict[int, int], *more: int
) -> ForgedFilm:
    whose = np.tile(np.arange(len(film.names)), (film.frames, 1))
    for body, paint in paints.items():
        whose[begin:, body] = paint
    names = tuple(film.names[body] for body in (*paints, *more))
    return forged(film, Forgery(kind, names, begin, film.frames - 1, begin, 1.0), paints=whose)


def _whole_film(film: TrueFilm) -> Span:
    """All frames in which every body is there, but for the first few."""
    there = np.isnan(film.poses[:, :, 0, 0]).sum(axis=1) == 0
    there[:2] = False
    spans = sorted(runs(there), key=lambda span: span.frames)
    return spans[-1] if spans else Span(0, -1)


def _begin(film: TrueFilm, chance: np.random.Generator) -> int | None:
    """A frame from which on a forgery that stays is seen long enough."""
    there = _whole_film(film)
    if there.frames <= _LEAST:
        return None
    return int(chance.integers(there.first, there.last - _LEAST + 1))
