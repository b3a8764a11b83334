"""Tracking all pieces of a video together, by render-and-compare."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.tracks import Presence
from bridge.compare.tracking.alignment import Drift, aligned, inside, unwarped
from bridge.compare.tracking.colours import Looks, learn_looks, match_colours, recoloured
from bridge.compare.tracking.doubles import has_double
from bridge.compare.tracking.doubts import (
    doubt_along,
    is_alone,
    is_at_home,
    is_bent,
    is_in_others,
    is_sure,
    is_torn,
    is_weak,
    line_of_sight,
    on_a_line,
    on_lattice,
    settled,
)
from bridge.compare.tracking.halves import Halves, come_apart, still_apart
from bridge.compare.tracking.mates import gone_together
from bridge.compare.tracking.memory import Memory
from bridge.compare.tracking.oddness import freely, landed, oddly
from bridge.compare.tracking.posing import moved
from bridge.compare.tracking.search import (
    FEWEST,
    WORTH,
    DepthDoubt,
    Found,
    Sight,
    around,
    axis_search,
    free_search,
    is_good,
    on_lines,
)
from bridge.compare.tracking.swings import speeded
from bridge.compare.tracking.trackable import TrackError, first_scene, landings, why_untrackable
from bridge.compare.tracking.veils import behind_veil
from bridge.compare.tracking.wearing import once_more, other_colours
from bridge.compare.tracking.weighing import TrackedPieces, WeighedFrame, components
from bridge.compare.tracking.zbuffer import Scratch, faces_of
from bridge.video.reference.bundle import Bundle

__all__ = ["Sighting", "Tracker"]

_Array = NDArray[np.float64]

_FINE = 16.0
"""Pixels to a unit that are enough; larger pictures are made smaller."""
_COARSEST = 10.0
"""Pixels to a unit below which nothing is decided."""
_UNLIKE = 0.6
"""Share of a piece's pixels that look like it below which it may have other colours."""

_STILL = 0.02
"""Units in a frame below which a piece rests."""

_VAGUE, _SURE = DepthDoubt(2.5, 1.5), DepthDoubt(0.75, 12.0)
"""Of a piece that was lost or turned, and of one that went along a line of the lattice."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """What was found in one frame; as :class:`~bridge.video.verdict.tracks.Tracks`, by piece.

    Attributes:
        labels: (H, W) which piece is seen where, at the size that is worked at.
        drift: of the camera.
        background: share of it that has changed.
    """

    poses: _Array
    presence: NDArray[np.uint8]
    across: _Array
    along: _Array
    sight: _Array
    fit: _Array
    spare: _Array
    wears: NDArray[np.int64]
    apart: _Array
    labels: NDArray[np.int16]
    drift: Drift
    background: float


class Tracker:
    """Follows the pieces of a bundle through pictures of another video, one after the other.

    Args:
        bundle: what is looked for.
        density: pixels to a unit that the video has.

    Raises:
        TrackError: its pieces can't be told apart.
    """

    def __init__(self, bundle: Bundle, density: float) -> None:
        if reason := why_untrackable(bundle):
            raise TrackError(f"{bundle.path}: pieces can't be tracked: {reason}")
        scene = first_scene(bundle)
        self.names = tuple(body.name for body in scene.bodies)
        pick = [bundle.names.index(name) for name in self.names]
        scale = min(1.0, _FINE / bundle.manifest.pixels_per_unit)
        camera = bundle.camera
        self.size = max(16, round(camera.width * scale)), max(16, round(camera.height * scale))
        inside = camera.intrinsics * [[self.size[0] / camera.width], [1.0], [1.0]]
        lens = np.array([inside[0, 0], inside[0, 2], inside[1, 2] * self.size[1] / camera.height])
        blocks = [body.shape.bounds for body in scene.bodies]
        self.board = TrackedPieces(
            [faces_of(body.shape) for body in scene.bodies],
            np.array([np.add(b.low, b.high) / 2.0 for b in blocks]),
            np.ascontiguousarray(camera.extrinsics),
            lens,
            (self.size[1], self.size[0]),
            Scratch.of(self.size[1], self.size[0]),
        )
        self.poses = np.ascontiguousarray(np.nan_to_num(bundle.poses[0, pick]))
        self._shapes = tuple(body.shape for body in scene.bodies)
        self._cells = tuple(np.array(shape.cells, np.float64) for shape in self._shapes)
        self._home = self.poses.copy()
        self._halves: dict[int, Halves] = {}
        self._decidable = density >= _COARSEST
        self._landings = landings(bundle)
        self.looks = self._learn(bundle, pick)
        self._there = np.ones(len(self.names), bool)
        self._free = np.zeros(len(self.names), bool)
        self._barred = np.zeros(len(self.names), bool)
        self._wears = np.arange(len(self.names))
        self._steps = np.zeros((len(self.names), 3))
        self._drift, self._speed = Drift.none(), np.zeros(4)
        self._memory = Memory(self._true, self.board.draw(self.poses, self._there)[1])
        self._usual = np.ones(len(self.names))
        self._leapt = np.zeros(len(self.names))
        self._rests = np.full(len(self.names), np.inf)
        self._first = True
        self._veiled: dict[int, Sight] = {}
        self._colours: _Array | None = None

    def _learn(self, bundle: Bundle, pick: list[int]) -> Looks:
        picture = next(bundle.frames())
        small = cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA).astype(np.float32)
        self._true = small
        _, labels = self.board.draw(self.poses, np.ones(len(pick), bool))
        paints = [bundle.manifest.palette[name] for name in self.names]
        return learn_looks(small, labels, np.array(paints, np.float32))

    def labels(self, poses: _Array, there: NDArray[np.bool_]) -> NDArray[np.int16]:
        """Which piece is seen where (H, W), as a :class:`Sighting` has it."""
        return self.board.draw(poses, there)[1]

    def look(self, picture: NDArray[np.float32]) -> Sighting:
        """Find the pieces in the next picture, (height, width, 3) of :attr:`size`."""
        _, labels = self.board.draw(self.poses, self._there)
        picture = self._mended(picture, labels)
        shown = inside(self.board.size, self._drift, self.board.lens)
        frame = WeighedFrame(self.board, self.looks, picture, shown, self._wears)
        if self._first:
            self._usual = self._fits_at_first(frame)
        self._first = False
        before = self.poses.copy()
        self._leapt[:] = 0.0
        self._note_barred()
        self._veiled.clear()
        painted = self._repainted(frame, labels)
        for _ in range(2):
            looked = [piece for piece in self._order() if piece not in painted]
            changed = [self._find(frame, piece, before) for piece in looked]
            if not any(changed):
                break
        self._confirm(frame, painted, before)
        self.poses = gone_together(frame, self.poses, self._there, before, ~self._free)
        self._steps = self.poses[:, :3, 3] - before[:, :3, 3]
        self._settle(frame)
        seen = self._seen(frame)
        self._memory.note(picture, seen.labels, shown)
        return seen

    def _settle(self, frame: WeighedFrame) -> None:
        """Who rests is in a place of the lattice; else pieces would drift with the camera."""
        rests = (np.abs(self._steps).max(axis=1) < _STILL) & self._there
        for piece in np.flatnonzero(rests).tolist():
            sight = frame.sight(piece, self.poses, self._there)
            self.poses[piece] = settled(sight, self.poses[piece])

    def _note_barred(self) -> None:
        """Who is in others; of one that is longer than it was, whether it was before that."""
        for piece, pose in enumerate(self.poses):
            if not is_bent(pose):
                self._barred[piece] = is_in_others(self._cells, self.poses, self._there, piece)

    def _fits_at_first(self, frame: WeighedFrame) -> _Array:
        everything = range(len(self.names))
        sights = [frame.sight(piece, self.poses, self._there) for piece in everything]
        return np.array([sights[p].weigh(self.poses[p]).fit for p in everything])

    def _mended(
        self, picture: NDArray[np.float32], labels: NDArray[np.int16]
    ) -> NDArray[np.float32]:
        """The picture as the true camera would have taken it, in true colours."""
        lens = self.board.lens
        expected, known = self._memory.expected(labels, self.looks, self._wears)
        last = self._drift
        for _ in range(2 if self._first else 1):
            straight = unwarped(picture, self._drift, lens)
            self._colours = match_colours(straight, expected, self._colours)
            painted = recoloured(picture, self._colours)
            rounds, start = 12 if self._first else 3, self._drift
            self._drift = aligned(
                painted, expected, known, labels, lens, start, rounds=rounds, speed=self._speed
            )
        if not self._first:
            self._speed = speeded(self._speed, self._drift.values - last.values)
        return unwarped(painted, self._drift, lens)

    def _repainted(self, frame: WeighedFrame, labels: NDArray[np.int16]) -> dict[int, int]:
        """Pieces that seem to have others' colours now, and whose they had before."""
        fits = frame.fits(labels, frame.cost_of(labels))
        found: dict[int, int] = {}
        for piece in once_more(np.flatnonzero(fits < _UNLIKE).tolist(), found):
            usual = float(self._usual[piece])
            if behind_veil(frame, piece, self.poses, self._there, usual) is not None:
                continue
            colour = other_colours(frame, piece, self.poses, self._there, usual)
            if colour != self._wears[piece]:
                found[piece] = int(self._wears[piece])
                self._wears[piece] = colour
        return found

    def _confirm(self, frame: WeighedFrame, painted: dict[int, int], before: _Array) -> None:
        """Say so only if it is still so once all others are where they are."""
        for piece, colour in painted.items():
            self._wears[piece] = colour
            usual = float(self._usual[piece])
            self._wears[piece] = other_colours(frame, piece, self.poses, self._there, usual)
            if self._wears[piece] == colour:
                self._find(frame, piece, before)

    def _order(self) -> list[int]:
        """Who moved last is looked for first."""
        far = np.abs(self._steps).max(axis=1)
        return [int(piece) for piece in np.argsort(-far, kind="stable")]

    def _find(self, frame: WeighedFrame, piece: int, before: _Array) -> bool:
        """Look for one piece, the others where they are; whether it is elsewhere now."""
        sight = frame.sight(piece, self.poses, self._there)
        was = best = sight.weigh(self.poses[piece])
        barred = bool(self._barred[piece])
        if self._is_at_rest(piece, was):
            return False
        if piece in self._halves:
            return self._look_for_halves(sight, piece, was)
        if self._there[piece] and self._free[piece]:
            best = freely(sight, was, self._steps[piece], self._home[piece], barred=barred)
            best = landed(sight, best, self._landings.get(self.names[piece], []))
        elif self._there[piece]:
            straight = axis_search(sight, was, self._steps[piece])
            best = oddly(sight, was, straight, self._home[piece], barred=barred)
        lost = not is_good(best, self._usual[piece]) and was.covered >= FEWEST
        if lost and self._is_veiled(frame, piece):
            return False
        if lost:
            best = self._anywhere(frame, piece, sight, best, before[piece])
        if self._there[piece] and has_double(sight, was, best):
            best = was
        usual = float(self._usual[piece])
        if is_bent(best.pose) or not on_lattice(best.pose) or is_torn(best, usual):
            shape, home = self._shapes[piece], self._home[piece]
            split = come_apart(sight, shape, home, best, usual, barred=barred)
            if split is not None:
                return self._split(piece, *split)
        flies = bool(self._landings) and bool(self._free[piece])
        if is_weak(best) and was.seen > 2 * FEWEST and not flies:
            best = was  # Who was well seen does not go by hiding; that it is gone is said.
        there = not is_weak(best)
        if there and on_lattice(best.pose) and not on_a_line(best.pose):
            vague = bool(self._free[piece]) or lost
            doubt = _VAGUE if vague else _SURE
            was_at = before[piece, :3, 3]
            going = was_at + self._steps[piece]
            found, best = best, on_lines(sight, best, was_at, going, doubt)
            self._leapt[piece] = np.linalg.norm(best.pose[:3, 3] - found.pose[:3, 3])
        self._free[piece] = not on_lattice(best.pose)
        if is_at_home(best.pose):
            self._home[piece] = best.pose
        changed = there != self._there[piece] or np.abs(best.pose - self.poses[piece]).max() > 0.02
        self._there[piece], self.poses[piece] = there, best.pose
        self._rests[piece] = np.inf if changed or not there else best.cost
        return bool(changed)

    def _is_veiled(self, frame: WeighedFrame, piece: int) -> bool:
        """Whether a piece that was there is behind something that is none of the pieces."""
        if not self._there[piece]:
            return False
        usual = float(self._usual[piece])
        veiled = behind_veil(frame, piece, self.poses, self._there, usual)
        if veiled is not None:
            self._veiled[piece], self._rests[piece] = veiled, np.inf
        return veiled is not None

    def _look_for_halves(self, sight: Sight, piece: int, was: Found) -> bool:
        """Where the halves of a piece are; it may be whole again."""
        shape, usual = self._shapes[piece], float(self._usual[piece])
        split = still_apart(sight, shape, self._halves[piece], was.pose, usual)
        if split is not None:
            return self._split(piece, *split)
        del self._halves[piece]
        self.board.faces[piece] = faces_of(self._shapes[piece])
        return True

    def _split(self, piece: int, found: Found, halves: Halves) -> bool:
        before = self._halves.get(piece)
        self._halves[piece], self.board.faces[piece] = halves, halves.faces
        self.poses[piece], self._free[piece], self._there[piece] = found.pose, False, True
        self._rests[piece] = found.cost
        return before is None or before.gap != halves.gap

    def _is_at_rest(self, piece: int, was: Found) -> bool:
        """Whether nothing is new since a piece was last looked for in vain."""
        return bool(abs(was.cost - self._rests[piece]) < WORTH / 2.0)

    def _anywhere(
        self, frame: WeighedFrame, piece: int, sight: Sight, best: Found, before: _Array
    ) -> Found:
        """Search all places and turns, also where something looks like it."""
        hidden = best.seen < FEWEST
        starts = [best.pose, moved(before, self._steps[piece])]
        _, labels = self.board.draw(self.poses, self._there)
        spots = frame.unexplained(piece, labels, frame.cost_of(labels))
        for _, spot in components(spots, FEWEST / 2)[:2]:
            starts += around(sight, best.pose, spot)
        if hidden and len(starts) == 2:
            return best
        found = free_search(sight, starts)
        better = found.cost < best.cost - 2.0 * WORTH - 0.05 * best.seen
        return found if better and not is_weak(found) else best

    def _seen(self, frame: WeighedFrame) -> Sighting:
        _, labels = self.board.draw(self.poses, self._there)
        cost = frame.cost_of(labels)
        fits = frame.fits(labels, cost)
        count = len(self.names)
        presence, fit = np.zeros(count, np.uint8), np.ones(count)
        across, along = np.zeros(count), np.full(count, 0.1)
        spare, apart, sights = np.zeros(count), np.zeros(count), np.zeros((count, 3))
        for piece in range(count):
            sight = self._veiled.get(piece) or frame.sight(piece, self.poses, self._there)
            here = sight.weigh(self.poses[piece])
            density = self.board.pixels_per_unit(self.poses[piece], piece)
            sights[piece] = line_of_sight(self.board, self.poses[piece], piece)
            across[piece] = max(0.03, 0.3 / density)
            well = here.seen >= FEWEST and piece not in self._veiled
            fit[piece] = fits[piece] if well else 1.0
            if self._free[piece] or is_alone(self.board, self.poses, piece):
                along[piece] = doubt_along(sight, here, sights[piece])
            apart[piece] = self._halves[piece].gap if piece in self._halves else 0.0
            # Who was put to another depth has not moved there.
            along[piece] = max(along[piece], self._leapt[piece] / 2.0)
            parts = components(frame.unexplained(piece, labels, cost), 0.3 * density * density)
            spare[piece] = sum(area for area, _ in parts) / (0.7 * density * density)
            presence[piece] = self._presence(sight, here, piece, bool(spare[piece] > 1.0))
        return Sighting(
            self.poses.copy(),
            presence,
            across,
            along,
            sights,
            fit,
            spare,
            self._wears.copy(),
            apart,
            labels,
            self._drift,
            frame.changed_background(labels, cost),
        )

    def _presence(self, sight: Sight, here: Found, piece: int, more: bool) -> Presence:
        if not self._decidable or here.seen < FEWEST:
            return Presence.UNDECIDED
        if self._free[piece] and self._landings:
            return Presence.UNDECIDED  # How a piece is turned in flight is soon lost.
        if not self._there[piece]:
            return Presence.ABSENT
        # Where there is more of it, half of each would look better, and be no less wrong.
        sure = self._free[piece] or (more and is_good(here, self._usual[piece]))
        return Presence.PRESENT if sure or is_sure(sight, here) else Presence.UNDECIDED
