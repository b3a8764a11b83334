"""Tracking pieces that roam through a place that does not move, and in which much is hidden."""

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.reading import Deed
from bridge.video.verdict.subject import movers_of
from bridge.video.verdict.tracks import Presence
from bridge.compare.roaming.aim import CameraAim
from bridge.compare.roaming.guesses import Guesses
from bridge.compare.roaming.learning import Learned, learned_from
from bridge.compare.roaming.options import ODD, Option, PassageScales
from bridge.compare.roaming.passages import Branches, Quiet
from bridge.compare.roaming.story import Story
from bridge.compare.roaming.surroundings import StagedPieces, Terrain
from bridge.compare.tracking.search import FEWEST, WORTH
from bridge.compare.tracking.trackable import first_scene
from bridge.compare.tracking.tracker import Sighting
from bridge.compare.turning.board import PatchFits
from bridge.compare.turning.spares import spare_faces
from bridge.compare.turning.strays import Strays
from bridge.video.reference.bundle import Bundle

__all__ = ["RoamingTracker"]

_Array = NDArray[np.float64]
_Labels = NDArray[np.int16]
_Picture = NDArray[np.float32]
_Flags = NDArray[np.bool_]

_FINE = 14.0
"""Pixels to a unit that are enough; larger pictures are made smaller."""
_COARSEST = 10.0
"""Pixels to a unit below which nothing is decided."""
_STILL, _FRAMES = 0.03, 2
"""Units from frame to frame, and frames, after which what is being done may be over."""
_HERE = 0.25
"""Units by which pieces may be off where something ends."""
_AGAIN = 6
"""Frames after which is looked once more for what explains what can't be explained."""
_CALM, _RISE = 3.0 * WORTH, 0.02
"""Pixels, and as a share of what moves, by which it may look worse than in the frame before while
nothing else is looked for."""
_AROUND = np.ones((5, 5), np.uint8)
"""Around pieces signs are not seen well."""


class RoamingTracker:
    """Follows the pieces of a bundle through pictures of another video, one after the other.

    What the rules allow comes first, from where the puzzle is; then what goes on as the known plan
    does while much is hidden; then pieces that are elsewhere, or are gone.

    Args:
        bundle: what is looked for.
        density: pixels to a unit that the video has.
    """

    def __init__(self, bundle: Bundle, density: float) -> None:
        scene, level = first_scene(bundle), bundle.level
        self.names = movers_of(level, scene)
        still = [body for body in scene.bodies if body.name not in self.names]
        moving = [scene.find_body(name) for name in self.names]
        plan = () if level.plan is None else level.plan.actions
        self._branches = Branches(level, self.names, tuple(body.name for body in still))
        view, eye, self.size = _seen_by(bundle)
        lights = self._branches.lights(plan)
        terrain = Terrain.of(still, lights, view, eye, (self.size[1], self.size[0]))
        self.board = StagedPieces.among(moving, terrain, view, eye)
        pick = [bundle.names.index(name) for name in self.names]
        rest = np.ascontiguousarray(np.nan_to_num(bundle.poses[0, pick]))
        self._story = Story(self._branches.initial, rest, (), plan)
        self._strays = Strays.none(moving)
        self._bundle, self._decidable = bundle, density >= _COARSEST
        self._learned: Learned | None = None
        self._aim: CameraAim | None = None
        self._number, self._tried = -1, -_AGAIN
        self._step, self._slow, self._cost = 0.0, 0, np.inf
        self._asked: Quiet | None = None
        self._told = np.ones(len(self.names), bool)
        self._doubt = np.zeros(len(self.names))

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """What was done so far."""
        return self._story.deeds

    def labels(self, poses: _Array, there: _Flags) -> _Labels:
        """Which piece is seen where (H, W), as a :class:`Sighting` has it."""
        return self.board.by_piece(self.board.draw(poses, there)[1])

    def look(self, picture: _Picture) -> Sighting:
        """Find the pieces in the next picture, (height, width, 3) of :attr:`size`."""
        if self._learned is None or self._aim is None:
            self._learned = learned_from(self._bundle, self.board, self.names)
            self._aim = CameraAim(self.board, self._learned)
        self._number += 1
        frame = self._aim.frame(picture, self._labels())
        self._doubt = np.zeros(len(self.names))
        self._follow(
            self._guesses(
                PassageScales(self.board, frame, self._strays, self._story, self._told, {})
            )
        )
        self._settle()
        scales = PassageScales(self.board, frame, self._strays, self._story, self._told, {})
        self._listen(self._guesses(scales))
        fits = self._stray(scales)
        return self._seen(scales, fits, self._aim)

    def _labels(self) -> _Labels:
        return self.board.draw(self._strays.placed(self._story.poses), self._strays.there)[1]

    def _guesses(self, scales: PassageScales) -> Guesses:
        assert self._learned is not None and self._aim is not None
        near = cv2.dilate((self._labels() >= 0).astype(np.uint8), _AROUND) > 0
        signs, straight = self._learned.signs, self._aim.straight

        def verdicts(quiet: Quiet) -> list[bool | None]:
            return [signs.speaks_for(change, straight, near) for change in quiet.changes]

        return Guesses(self._branches, scales, verdicts)

    def _follow(self, guesses: Guesses) -> None:
        """On along the passage, or into another one."""
        scales = guesses.scales
        here, best = scales.here, scales.onward(self._step)
        if self._goes_on(scales, here, best):
            self._cost = min(self._cost, here) if best is None else best.cost
            self._go(guesses, best)
            return
        best = scales.likeliest(best, guesses.next(), False, here)
        if scales.is_wrong(best) and self._number >= self._tried + _AGAIN:
            for more in guesses.explanations():
                best = scales.likeliest(best, more, True, here)
                if not scales.is_wrong(best):
                    break
            else:
                self._tried = self._number
        self._cost = here if best is None else best.cost
        self._go(guesses, best)

    def _goes_on(self, scales: PassageScales, here: float, best: Option | None) -> bool:
        """Whether it rests, or goes on as before, and looks as good."""
        if best is None:
            return here < self._cost + _CALM
        return not scales.returns(best) and best.cost < self._cost + _CALM + _RISE * best.seen

    def _go(self, guesses: Guesses, best: Option | None) -> None:
        story = self._story
        if best is None:
            self._step, self._slow = 0.0, self._slow + 1
            return
        if best.way >= best.passage.length:
            best = guesses.longer(best, _STILL)
        same = best.passage is story.passage
        self._step = best.way - story.way if same else 0.0
        self._slow = self._slow + 1 if same and abs(self._step) < _STILL else 0
        self._story = best.story.on(best.passage, best.way, self._number).as_in(story)
        if not same:
            # Who is on another passage now may have been on it before, and nearer or farther.
            self._doubt = np.abs(self._story.poses - story.poses)[:, :3, 3].max(axis=1)

    def _settle(self) -> None:
        """What has stopped is over, if something that may be done ends there."""
        story = self._story
        if story.passage is None or self._slow < _FRAMES:
            return
        ends = [
            passage
            for passage in (story.passage, *self._branches.moving(story.state))
            if np.abs(passage.path.after - story.poses).max() < _HERE
        ]
        planned = [passage for passage in ends if story.is_planned(passage)]
        for passage in (*planned, *ends)[:1]:
            self._story = story.on(passage, passage.length, self._number)
            self._step = 0.0

    def _listen(self, guesses: Guesses) -> None:
        """Actions that move nothing are told by signs, twice in a row."""
        story, asked = self._story, self._asked
        self._asked = None if story.passage is not None else guesses.told()
        if self._asked is not None and asked is not None and asked.action == self._asked.action:
            self._story, self._asked = story.told(asked, story.rest, self._number), None

    def _stray(self, scales: PassageScales) -> PatchFits:
        """Pieces that do not look right may be elsewhere; how they look then."""
        fits = scales.fits(self._story, self._strays)
        odd = fits.worst < ODD
        if odd.any() or not self._strays.none_there:
            found = self._strays.looked_for(scales.frame, self._story.poses, odd)
            if found is not self._strays:
                self._strays, self._cost = found, np.inf
                return scales.fits(self._story, found)
        return fits

    def _seen(self, scales: PassageScales, fits: PatchFits, aim: CameraAim) -> Sighting:
        strays, board, labels = self._strays, self.board, self._labels()
        slots, everybody = self._story.poses, range(len(self.names))
        poses, cost = strays.placed(slots), scales.frame.cost_of(labels)
        self._told = (fits.seen >= FEWEST) | ~strays.there | strays.astray
        density = np.array([board.pixels_per_unit(poses[p], p) for p in everybody])
        return Sighting(
            strays.told(slots),
            self._presence(poses),
            np.maximum(0.03, 0.3 / density),
            np.maximum(strays.along(), self._doubt),
            np.stack([_sight(board, poses[p], p) for p in everybody]),
            fits.worst,
            spare_faces(scales.frame, labels, cost, poses),
            strays.wears.copy(),
            np.zeros(len(self.names)),
            board.by_piece(labels),
            aim.drift,
            scales.frame.changed_background(labels, cost),
        )

    def _presence(self, poses: _Array) -> NDArray[np.uint8]:
        everybody = np.ones(len(self.names), bool)
        labels = self.labels(poses, everybody)
        would = np.bincount(labels[labels >= 0] >> 2, minlength=len(self.names))
        presence = np.where(self._strays.there, Presence.PRESENT, Presence.ABSENT)
        hidden = (would < FEWEST) | (not self._decidable)
        return np.where(hidden, Presence.UNDECIDED, presence).astype(np.uint8)


def _seen_by(bundle: Bundle) -> tuple[_Array, _Array, tuple[int, int]]:
    """World to camera, the lens, and the width and height that are worked at."""
    camera = bundle.camera
    scale = min(1.0, _FINE / bundle.manifest.pixels_per_unit)
    wide, high = (max(16, round(edge * scale)) for edge in (camera.width, camera.height))
    lens = camera.intrinsics * [[wide / camera.width], [1.0], [1.0]]
    eye = np.array([lens[0, 0], lens[0, 2], lens[1, 2] * high / camera.height])
    return np.ascontiguousarray(camera.extrinsics), eye, (wide, high)


def _sight(board: StagedPieces, pose: _Array, piece: int) -> _Array:
    middle = pose[:3, :3] @ board.middles[piece] + pose[:3, 3]
    seen = board.view[:3, :3] @ middle + board.view[:3, 3]
    way: _Array = board.view[:3, :3].T @ (seen / np.linalg.norm(seen))
    return way
