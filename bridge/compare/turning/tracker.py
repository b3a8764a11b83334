"""Tracking pieces that are told by what sticks on them, and that turn in groups."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.tracks import Presence
from bridge.compare.tracking.alignment import Drift, aligned, inside, unwarped
from bridge.compare.tracking.colours import recoloured
from bridge.compare.tracking.memory import Memory
from bridge.compare.tracking.search import FEWEST, WORTH
from bridge.compare.tracking.tracker import Sighting
from bridge.compare.turning.board import PaintedFrame, PaintedLooks, PaintedPieces, PatchFits
from bridge.compare.turning.headway import Headway, wild_paths
from bridge.compare.turning.outlines import Outlines, dark_lines, edge_pixels
from bridge.compare.turning.paths import Path
from bridge.compare.turning.placing import LEAVE, PathCost, Placed, best_of, refined
from bridge.compare.turning.spares import spare_faces
from bridge.compare.turning.strays import Strays
from bridge.compare.turning.tints import first_tint, later_tint
from bridge.video.reference.bundle import Bundle
from pysim.catalog import find_family

__all__ = ["TurningTracker"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]

_FINE = 16.0
"""Pixels to a unit that are enough; larger pictures are made smaller."""
_COARSEST = 10.0
"""Pixels to a unit below which nothing is decided."""
_ODD = 0.6
"""Share of the pixels of one side of a piece that look like it below which something is wrong."""
_NEAR = (-1.2, -0.6, -0.25, 0.0, 0.15, 0.35, 0.6, 1.0, 1.5, 2.2)
"""Units along a path from where it would be if it went on as before."""
_FIRST = (0.15, 0.35, 0.7, 1.1, 1.6, 2.2, 3.0)
"""Units along a path that is begun; after that it is every unit."""
_UNSURE = 0.05
"""Share of the pixels by which a place has to look better than the last one to be sure of it."""
_STAYS = 0.02
"""Units by which a piece may be elsewhere that stays."""
_PULL, _FAR = 16.0, 30.0
"""Pixels that a unit costs by which a piece is away from where it is likely to be: squared, and if
it is far away."""
_WILD = 0.1
"""The same of what the rules do not allow."""
_REACH = (-1.5, -0.7, -0.3, 0.0, 0.15, 0.35, 0.7, 1.1, 1.6, 2.2, 3.0, 4.0)
"""Units from where it is on its path at which it may be on another one, as a rule."""
_STEADY = 0.05
"""Share of what the picture costs that has to be less before the camera is said to have moved."""
_TRIED = 7
"""Paths that are looked at more closely."""
_ROWS = 3
"""At first one row of so many is looked at."""
_SWUNG = 5e-4
"""Radians, or the logarithm of zoom, by which a camera has to have moved."""
_SLOW = 0.08
"""Units from one frame to the next below which it may be going another way, too."""
_RISE = 0.005
"""Share of the pixels by which it may look worse before another path is looked for."""
_YOUNG = 0.7
"""Units along a path up to which it may be another one, too."""


class TurningTracker:
    """Follows the pieces of a bundle through pictures of another video, one after the other.

    What is legal comes first: the motions that the rules allow from where the puzzle is, of all
    that moves together, with how far along as the only unknown. Then layers that turn as they must
    not, and then pieces that are elsewhere, or are gone.

    Args:
        bundle: what is looked for.
        density: pixels to a unit that the video has.
    """

    def __init__(self, bundle: Bundle, density: float) -> None:
        rules = find_family(bundle.level).rules
        scene = rules.scene(bundle.level, rules.initial(bundle.level))
        self.names = tuple(body.name for body in scene.bodies)
        pick = [bundle.names.index(name) for name in self.names]
        camera = bundle.camera
        # Small pieces have to be seen well; of large ones fewer pixels to a unit are enough.
        large = min(sorted(body.shape.bounds.size)[1] for body in scene.bodies)
        scale = min(1.0, _FINE / large**0.25 / bundle.manifest.pixels_per_unit)
        self.size = max(16, round(camera.width * scale)), max(16, round(camera.height * scale))
        lens = camera.intrinsics * [[self.size[0] / camera.width], [1.0], [1.0]]
        eye = np.array([lens[0, 0], lens[0, 2], lens[1, 2] * self.size[1] / camera.height])
        view = np.ascontiguousarray(camera.extrinsics)
        self.board = PaintedPieces.of(scene.bodies, view, eye, (self.size[1], self.size[0]))
        poses = np.ascontiguousarray(np.nan_to_num(bundle.poses[0, pick]))
        self._headway = Headway.at_start(bundle.level, self.names, poses)
        self._axes = self._headway.axes()
        self._strays = Strays.none(scene.bodies)
        self._decidable = density * large >= _COARSEST
        everybody = np.ones(len(self.names), bool)
        small = cv2.resize(next(bundle.frames()), self.size, interpolation=cv2.INTER_AREA)
        self._true = small.astype(np.float32)
        _, labels = self.board.draw(poses, everybody)
        self._looks = PaintedLooks.learned(self.board, self._true, labels)
        self._memory = Memory(self._true, labels)
        self._drift, self._first = Drift.none(), True
        self._outlines = Outlines.none()
        self._colours: _Array = np.vstack([np.eye(3), np.zeros(3)])
        self._doubt = np.zeros(len(self.names))
        self._step, self._cost, self._calm = 0.0, np.inf, np.inf

    def labels(self, poses: _Array, there: NDArray[np.bool_]) -> NDArray[np.int16]:
        """Which piece is seen where (H, W), as a :class:`Sighting` has it."""
        return self.board.by_piece(self.board.draw(poses, there)[1])

    def look(self, picture: _Picture) -> Sighting:
        """Find the pieces in the next picture, (height, width, 3) of :attr:`size`.

        What moves may be the pieces or the camera; the pieces come first, and what they leave
        unexplained may be the camera.
        """
        before = self._headway, self._step, self._cost
        self._doubt = np.zeros(len(self.names))
        frame = self._frame(picture, self._drift)
        drift, here = self._drift, self._total(frame)
        if before[0].path is None:
            drift = self._aligned(picture)
        self._follow(frame)
        if before[0].path is not None:
            drift, here = self._aligned(picture), self._total(frame)
        if float(np.abs(drift.values - self._drift.values).max()) > _SWUNG:
            frame = self._swing(picture, drift, before, here) or frame
        fits = self._fits(frame)
        if self._is_odd(fits):
            found = self._strays.looked_for(frame, self._headway.poses, fits.worst < _ODD)
            if found is not self._strays:
                self._strays, self._cost = found, np.inf
        if self._first:
            self._outlines, self._first = self._learned_outlines(), False
        return self._seen(frame)

    def _learned_outlines(self) -> Outlines:
        """From the first picture, in which everything is where it is at first."""
        poses, there = self._strays.placed(self._headway.poses), self._strays.there
        depth, labels = self.board.draw(poses, there)
        edges = edge_pixels(depth, labels, len(self.board.paints))
        return Outlines.learned(dark_lines(self._straight), edges, labels >= 0)

    def _frame(self, picture: _Picture, drift: Drift) -> PaintedFrame:
        """The picture as the true camera would have taken it, in true colours."""
        self._straight = recoloured(unwarped(picture, drift, self.board.lens), self._colours)
        shown = inside(self.board.size, drift, self.board.lens)
        return PaintedFrame(self.board, self._looks, self._straight, shown, self._outlines)

    def _labels(self) -> NDArray[np.int16]:
        return self.board.draw(self._strays.placed(self._headway.poses), self._strays.there)[1]

    def _aligned(self, picture: _Picture) -> Drift:
        """Where the camera looks, and what its colours are, if the pieces are where they are."""
        labels, lens, drift = self._labels(), self.board.lens, self._drift
        pieces = self.board.by_piece(labels)
        expected, known = self._memory.expected(labels, self._looks, np.arange(len(self.names)))
        for _ in range(2 if self._first else 1):
            straight = unwarped(picture, drift, lens)
            self._colours = (
                first_tint(straight, expected)
                if self._first
                else later_tint(straight, expected, known, self._colours)
            )
            painted = recoloured(picture, self._colours)
            rounds = 12 if self._first else 3
            drift = aligned(painted, expected, known, pieces, lens, drift, rounds=rounds)
        return drift

    def _swing(
        self, picture: _Picture, drift: Drift, before: tuple[Headway, float, float], here: float
    ) -> PaintedFrame | None:
        """The camera has moved, if that explains more than the pieces alone do.

        Args:
            before: where everything was.
            here: what the picture costs if it has not; with what was moving where it is now.
        """
        alone, told = (self._headway, self._step, self._cost), self._straight
        frame = self._frame(picture, drift)
        if before[0].path is None:
            self._headway = before[0]
        share = _STEADY if before[0].path is None else _STEADY / 4.0
        if self._first or self._total(frame) < here * (1.0 - share) - 2.0 * WORTH:
            self._headway, self._step, self._cost = *before[:2], np.inf
            self._follow(frame)
            if self._first or self._cost < alone[2] * (1.0 - share) - 2.0 * WORTH:
                self._drift = drift
                return frame
        self._headway, self._step, self._cost = alone
        self._straight = told
        return None

    def _total(self, frame: PaintedFrame) -> float:
        return frame.total(self._strays.placed(self._headway.poses), self._strays.there)

    def _follow(self, frame: PaintedFrame) -> None:
        """On along the path, or onto another one."""
        headway, here = self._headway, self._total(frame)
        if headway.path is None and abs(here - self._cost) < WORTH:
            return
        best: Placed | None = None
        if headway.path is not None:
            going = headway.way + self._step
            best = self._along(frame, headway.path, [going + n for n in _NEAR], going)
        if best is None or not self._goes_on(best):
            legal = tuple(headway.following())
            for far in (False, True):
                best = self._likeliest(frame, best, legal, here, far, LEAVE)
                fits = self._fits(frame, best)
                if not self._is_odd(fits):
                    break
            else:
                best = self._wildest(frame, best, here, fits.worst < _ODD)
            self._calm = here if best is None else best.cost
        self._calm = min(self._calm, here if best is None else best.cost)
        self._go(here, best)

    def _wildest(
        self, frame: PaintedFrame, best: Placed | None, here: float, odd: NDArray[np.bool_]
    ) -> Placed | None:
        """A motion that the rules do not know, if it explains more than that who is odd is gone.

        A sheet that is turned until only its edge is seen looks much as if it were not there.
        """
        strays, poses = self._strays, self._poses_of(best)
        wild = wild_paths(self._headway.poses, self.board.middles, self._axes)
        found = self._likeliest(frame, best, wild, here, True, _WILD)
        if found is None or found is best:
            return best
        gone = frame.total(strays.placed(poses), strays.there & ~odd)
        return found if found.cost < gone else best

    def _poses_of(self, placed: Placed | None) -> _Array:
        return self._headway.poses if placed is None else placed.path.at(placed.way)

    def _goes_on(self, best: Placed) -> bool:
        """Whether it goes on as before, and looks as good: then nothing else is looked for."""
        young, slow = best.way < _YOUNG, abs(best.way - self._headway.way) < _SLOW
        return not (young or slow) and best.cost < self._calm + 5.0 * WORTH + _RISE * best.seen

    def _go(self, here: float, best: Placed | None) -> None:
        before, headway = self._headway.way, self._headway
        if best is None:
            self._cost, self._step = here, 0.0
            return
        if here - best.cost < _UNSURE * best.seen:
            far = abs(best.way - before) / 2.0
            self._doubt[self._strays.moving(best.path.pieces)] = far
        self._headway = headway.on(best.path, best.way)
        same = headway.path is best.path or headway.path is None
        self._step = best.way - before if same and self._headway.path is not None else 0.0
        self._cost = best.cost

    def _likeliest(
        self,
        frame: PaintedFrame,
        best: Placed | None,
        paths: Iterable[Path],
        here: float,
        far: bool,
        worth: float,
    ) -> Placed | None:
        """The best place on some paths, if it is much better than staying or what is known.

        Args:
            far: whether all of a path is looked at, or what is near where it is on its own.
            worth: by what share of the pixels it has to look better.
        """
        here_way, tried = self._headway.way, []
        for path in paths:
            ways = [*_FIRST, *np.arange(4.0, path.length, 1.5).tolist(), path.length]
            if not far:
                ways = [here_way + way for way in _REACH]
            line = self._line(frame, path, self._headway.poses)
            tried.append((line, best_of(line(way, _ROWS) for way in ways)))
        tried.sort(key=lambda pair: pair[1].cost)
        for line, coarse in tried[:_TRIED]:
            found = refined(line, line(coarse.way))
            known, share = (here, worth) if best is None else (best.cost, worth - LEAVE)
            if found.cost < known - WORTH - share * found.seen:
                best = found
        return best

    def _along(
        self, frame: PaintedFrame, path: Path, ways: Iterable[float], likely: float
    ) -> Placed:
        """The best place on a path near some; one of them is likely."""
        line = self._line(frame, path, path.at(likely))
        return refined(line, best_of(map(line, ways)))

    def _line(self, frame: PaintedFrame, path: Path, likely: _Array) -> PathCost:
        """What places on a path cost; more if pieces are far from where they are likely to be."""
        strays = self._strays
        moving = strays.moving(path.pieces)
        group = frame.group(moving & strays.there, strays.placed(path.before), strays.there)
        base, here = float(group.cost_behind.sum()), self._headway.poses

        def placed(way: float, every: int = 1) -> Placed:
            way = min(max(way, 0.0), path.length)
            there = path.at(way)
            poses = strays.placed(there)
            found = group.found(poses, poses[0], every)
            away = float(np.abs((there - likely)[:, :3, 3]).max())
            cost = base + found.cost + min(_PULL * away * away, _FAR * (1.0 + away))
            # Who is carried by this path, but not at this place of it, tells nothing.
            elsewhere = moving & (np.abs(there - here).max(axis=(1, 2)) > _STAYS)
            seen = round(found.seen * elsewhere.sum() / max(1, moving.sum()))
            return Placed(path, way, cost, seen)

        return placed

    def _fits(self, frame: PaintedFrame, placed: Placed | None = None) -> PatchFits:
        poses = self._strays.placed(self._poses_of(placed))
        _, labels = self.board.draw(poses, self._strays.there)
        return frame.fits(labels, frame.cost_of(labels), poses)

    def _is_odd(self, fits: PatchFits) -> bool:
        return bool((fits.worst < _ODD).any()) or not self._strays.none_there

    def _seen(self, frame: PaintedFrame) -> Sighting:
        strays, slots = self._strays, self._headway.poses
        poses, labels = strays.placed(slots), self._labels()
        self._memory.note(self._straight, labels, frame.shown)
        cost = frame.cost_of(labels)
        fits = frame.fits(labels, cost, poses)
        everybody = range(len(self.names))
        told = strays.told(slots)
        density = [self.board.pixels_per_unit(poses[p], p) for p in everybody]
        sights = np.stack([_sight(self.board, poses[p], p) for p in everybody])
        return Sighting(
            told,
            self._presence(frame, fits),
            np.maximum(np.maximum(0.03, self._doubt), 0.3 / np.array(density)),
            strays.along(),
            sights,
            fits.worst,
            spare_faces(frame, labels, cost, poses),
            strays.wears.copy(),
            np.zeros(len(self.names)),
            self.board.by_piece(labels),
            self._drift,
            frame.changed_background(labels, cost),
        )

    def _presence(self, frame: PaintedFrame, fits: PatchFits) -> NDArray[np.uint8]:
        strays = self._strays
        everybody = np.ones(len(self.names), bool)
        poses = strays.placed(self._headway.poses)
        _, labels = self.board.draw(poses, everybody)
        would = frame.fits(labels, frame.cost_of(labels), poses).seen
        presence = np.where(strays.there, Presence.PRESENT, Presence.ABSENT)
        hidden = (would < FEWEST) | (not self._decidable)
        return np.where(hidden, Presence.UNDECIDED, presence).astype(np.uint8)


def _sight(board: PaintedPieces, pose: _Array, piece: int) -> _Array:
    middle = pose[:3, :3] @ board.middles[piece] + pose[:3, 3]
    seen = board.view[:3, :3] @ middle + board.view[:3, 3]
    way: _Array = board.view[:3, :3].T @ (seen / np.linalg.norm(seen))
    return way
