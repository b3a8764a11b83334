"""Layout of a film's pictures: places of its cameras and insets."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bridge.recording.caption import Caption
from bridge.recording.framing import closest_camera
from pysim.geometry import Bounds
from pysim.render.camera import Camera, fit, place_camera
from pysim.render.overlay import draw_overlay, name_height, write_title
from pysim.render.renderer import Pass, Renderer
from pysim.render.views import observe
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["HeldFrame", "Layout", "Phase", "blocks_of", "corners_of"]

_LARGEST, _SMALLEST = 0.42, 0.25
"""Edge of the close-up as a share of the whole picture; no room for the smallest: no close-up."""
_GAP = 0.015
"""Space between the close-up and anything else, as a share of the picture."""
_FAR_SIGHT = 8.0
"""Opening of the close-up's camera in degrees: it stands so far off that no piece that is carried
past it looks larger than the others."""
_FRAME = (160, 162, 166)
_SEEN = 0.4
"""Edge of what an agent sees as a share of the whole picture."""
_ASIDE = 0.7
"""The same of the place that is left for all else."""


class Phase(StrEnum):
    """Phase of a film."""

    OPENING = "opening"
    """Nothing has moved yet."""
    MOVE = "move"
    """What an action moves goes its way."""
    CARRY = "carry"
    """What came free is carried to where it lies."""
    REST = "rest"
    """A step is over, or was refused."""
    CLOSING = "closing"
    """Nothing moves any more."""


@dataclass(frozen=True, eq=False, slots=True)
class HeldFrame:
    """A frame of a film, and for how many frames it is held.

    Attributes:
        scene: what is seen.
        transforms: where every body is: name -> 4x4 transform.
        caption: what is said.
        frames: 1 or more.
        step: number of the step that is shown, or of the last one; 0 before the first.
        phase: what goes on.
    """

    scene: Scene
    transforms: Mapping[str, Transform]
    caption: Caption
    frames: int
    step: int = 0
    phase: Phase = Phase.REST

    def looks_like(self, other: "HeldFrame") -> bool:
        """Return whether bodies are in the same places in both, so that one picture does for both.

        And seen by an agent from the same side.
        """
        mine, theirs = ((s.bodies, s.scenery, s.views) for s in (self.scene, other.scene))
        return mine == theirs and all(
            np.array_equal(transform, other.transforms[name])
            for name, transform in self.transforms.items()
        )


@dataclass(frozen=True, slots=True)
class _Inset:
    """A smaller picture in a corner of the large one; all in pixels."""

    left: int
    top: int
    size: int

    def put(
        self, picture: NDArray[np.uint8], small: NDArray[np.uint8], behind: NDArray[np.bool_]
    ) -> None:
        """Draw ``small`` into ``picture``, with a frame, but not over the pixels ``behind``."""
        line = max(1, len(picture) // 400)
        rows = slice(self.top, self.top + self.size)
        columns = slice(self.left, self.left + self.size)
        place, hidden = picture[rows, columns], behind[rows, columns]
        before = place[hidden]
        place[:] = _FRAME
        place[line:-line, line:-line] = small[line:-line, line:-line]
        place[hidden] = before

    def entitle(self, picture: NDArray[np.uint8], words: str) -> None:
        """Write ``words`` above the smaller picture."""
        height = self.size // 11
        write_title(picture, words, (self.left, self.top - height, self.size, height))


@dataclass(frozen=True, slots=True)
class Layout:
    """The cameras of one film; they stand still.

    Attributes:
        size: edge of the pictures in pixels.
        camera: sees every body at every moment.
        close_up: the camera of a close-up and where it is shown, or None.
        seen: where a scene's first shot is shown, that is, what an agent sees; None if no scene has
            one.
    """

    size: int
    camera: Camera
    close_up: tuple[Camera, _Inset] | None = None
    seen: _Inset | None = None

    @staticmethod
    def for_film(film: Sequence[HeldFrame], size: int, name: str, own: str = "") -> "Layout":
        """The stage for some stills of the same work block; ``name`` stands in the pictures.

        Args:
            own: text of a camera in place of the usual ones; empty for none.
        """
        if own:
            return Layout(size, replace(place_camera(own, film[0].scene), name=name))
        camera = replace(closest_camera(blocks_of(film)), name=name)
        if any(held.scene.views for held in film):
            edge, gap = round(_SEEN * size), round(_GAP * size)
            place = size - gap - edge
            return Layout(size, _aside(camera), seen=_Inset(place, place, edge))
        if not any(body.loose for held in film for body in held.scene.bodies):
            return Layout(size, camera)
        resting = blocks_of([held for held in film if held.frames > 1] or film)
        return Layout(size, camera, _close_up(camera, film[0].scene.work, resting, size))

    def draw(self, renderer: Renderer, held: HeldFrame) -> NDArray[np.uint8]:
        """Return a frame as a picture (size, size, 3) uint8; a close-up of nothing is left out."""
        scene = _lit(held.scene)
        passes = (Pass.RGB, Pass.IDS)
        pictures = renderer.render(scene, [self.camera], self.size, held.transforms, passes)
        picture = draw_overlay(pictures.rgb[0], self.camera)
        bodies = pictures.ids[0] != 0
        if self.close_up is not None:
            near, inset = self.close_up
            small = renderer.render(scene, [near], inset.size, held.transforms, passes)
            if small.ids.any():
                inset.put(picture, small.rgb[0], behind=bodies)
        if self.seen is not None and held.scene.views:
            alone = replace(held.scene, views=held.scene.views[:1])
            (first,) = observe(renderer, alone, self.seen.size, held.transforms)
            self.seen.put(picture, first.rgb, behind=bodies)
            self.seen.entitle(picture, f"seen: {first.name}")
        return picture


def _lit(scene: Scene) -> Scene:
    """Return a scene with the scenery that one sees through, such as beams of light."""
    clear = tuple(body for body in scene.scenery if body.translucent)
    return replace(scene, bodies=(*scene.bodies, *clear), scenery=()) if clear else scene


def corners_of(bounds: Bounds, transform: Transform) -> NDArray[np.float64]:
    """World corners (8, 3) of the block around a body's cells."""
    ends = np.array([bounds.low, bounds.high]) + [[-0.5], [0.5]]
    picks = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    corners: NDArray[np.float64] = ends[picks, [0, 1, 2]] @ transform[:3, :3].T + transform[:3, 3]
    return corners


def blocks_of(film: Sequence[HeldFrame]) -> list[Bounds]:
    """Blocks of cells that hold every body at every moment."""
    blocks: set[Bounds] = set()
    seen: set[int] = set()
    for held in film:
        for body in held.scene.bodies:
            transform = held.transforms[body.name]
            if id(transform) not in seen:  # A body that rests keeps its very matrix.
                seen.add(id(transform))
                blocks.add(_block(corners_of(body.shape.bounds, transform)))
    return sorted(blocks, key=lambda block: (block.low, block.high))


def _block(corners: NDArray[np.float64]) -> Bounds:
    """Return the cells that some points are in, give or take rounding."""
    low = np.floor(corners.min(axis=0) + 0.5 + 1e-6).astype(int).tolist()
    high = np.ceil(corners.max(axis=0) - 0.5 - 1e-6).astype(int).tolist()
    return Bounds((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def _aside(camera: Camera) -> Camera:
    """Return a camera that shows what another one shows smaller, in the upper left corner."""
    slope = math.tan(math.radians(camera.fov_deg) / 2.0) / _ASIDE
    distance = float(np.linalg.norm(np.subtract(camera.eye, camera.target)))
    right, up, _ = camera.compute_view()[:3, :3]
    shift = (1.0 - _ASIDE) * slope * distance * (right - up)
    eye, target = ((np.array(at) + shift).tolist() for at in (camera.eye, camera.target))
    fov = math.degrees(2.0 * math.atan(slope))
    return replace(
        camera,
        eye=(eye[0], eye[1], eye[2]),
        target=(target[0], target[1], target[2]),
        fov_deg=fov,
    )


def _close_up(
    camera: Camera, work: Bounds, resting: list[Bounds], size: int
) -> tuple[Camera, _Inset] | None:
    """The work from close by and from the same side, in the freer upper corner, below the title.

    No body rests there; one that passes by is drawn in front of it.
    """
    gap = round(_GAP * size)
    top = max(gap, name_height(size))
    points = [corners_of(block, np.eye(4)) for block in resting]
    seen = [camera.project(corners, size) for corners in points]
    low = np.array([corners.min(axis=0) for corners in seen])
    high = np.array([corners.max(axis=0) for corners in seen])
    below = low[:, 1] - top
    on_left = int(np.maximum(low[:, 0] - gap, below).min()) - gap
    on_right = int(np.maximum(size - gap - high[:, 0], below).min()) - gap
    edge = min(max(on_left, on_right), round(_LARGEST * size))
    if edge < _SMALLEST * size:
        return None
    left = gap if on_left >= on_right else size - gap - edge
    x, y, z = np.subtract(camera.eye, camera.target).tolist()
    return fit("close-up", (x, y, z), work, _FAR_SIGHT), _Inset(left, top, edge)
