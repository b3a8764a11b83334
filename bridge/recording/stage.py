"""How the shots of a film are drawn: where its cameras stand, and what goes where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge.recording.caption import Caption
from pysim.geometry import Bounds
from pysim.motion import Transform
from pysim.render.camera import Camera, fit, stage_camera
from pysim.render.overlay import annotate
from pysim.render.renderer import Renderer
from pysim.scene import Scene

__all__ = ["Shot", "Stage", "corners_of"]

_LARGEST, _SMALLEST = 0.42, 0.25
"""Edge of the close-up as a share of the whole picture; no room for the smallest: no close-up."""
_GAP = 0.015
"""Space between the close-up and anything else, as a share of the picture."""
_FAR_SIGHT = 8.0
"""Opening of the close-up's camera in degrees: it stands so far off that no piece that is carried
past it looks larger than the others."""
_FRAME = (160, 162, 166)


@dataclass(frozen=True, eq=False, slots=True)
class Shot:
    """One picture, and for how many frames it stands.

    Attributes:
        scene: what is seen.
        transforms: where every body is: name -> 4x4 transform.
        caption: what is said.
        frames: 1 or more.
    """

    scene: Scene
    transforms: Mapping[str, Transform]
    caption: Caption
    frames: int

    def looks_like(self, other: "Shot") -> bool:
        """Whether bodies are in the same places in both, so that one picture does for both."""
        return self.scene.bodies == other.scene.bodies and all(
            np.array_equal(transform, other.transforms[name])
            for name, transform in self.transforms.items()
        )


@dataclass(frozen=True, slots=True)
class _CloseUp:
    """A smaller picture in a corner of the large one; all in pixels."""

    camera: Camera
    left: int
    top: int
    size: int

    def put(
        self, picture: NDArray[np.uint8], small: NDArray[np.uint8], behind: NDArray[np.bool_]
    ) -> None:
        """Draw ``small`` into ``picture``, with a frame, but not over the pixels ``behind``."""
        framed = np.full_like(small, _FRAME)
        line = max(1, len(picture) // 400)
        framed[line:-line, line:-line] = small[line:-line, line:-line]
        rows = slice(self.top, self.top + self.size)
        columns = slice(self.left, self.left + self.size)
        free = ~behind[rows, columns]
        picture[rows, columns][free] = framed[free]


@dataclass(frozen=True, slots=True)
class Stage:
    """The cameras of one film; they stand still.

    Attributes:
        size: edge of the pictures in pixels.
        camera: sees every body at every moment.
        close_up: what is shown in a corner, or None.
    """

    size: int
    camera: Camera
    close_up: _CloseUp | None

    @staticmethod
    def for_film(film: Sequence[Shot], size: int, name: str) -> "Stage":
        """The stage for some shots of the same work block; ``name`` stands in the pictures."""
        camera = replace(stage_camera(*_footprint(film)), name=name)
        if not any(body.loose for shot in film for body in shot.scene.bodies):
            return Stage(size, camera, None)
        resting = _footprint([shot for shot in film if shot.frames > 1] or film)
        return Stage(size, camera, _close_up(camera, film[0].scene.work, resting, size))

    def draw(self, renderer: Renderer, shot: Shot) -> NDArray[np.uint8]:
        """A shot as a picture (size, size, 3) uint8; a close-up of nothing is left out."""
        pictures = renderer.render(shot.scene, [self.camera], self.size, shot.transforms)
        picture = annotate(pictures.rgb[0], self.camera)
        if self.close_up is not None:
            small = renderer.render(
                shot.scene, [self.close_up.camera], self.close_up.size, shot.transforms
            )
            if small.ids.any():
                self.close_up.put(picture, small.rgb[0], behind=pictures.ids[0] != 0)
        return picture


def corners_of(bounds: Bounds, transform: Transform) -> NDArray[np.float64]:
    """World corners (8, 3) of the block around a body's cells."""
    ends = np.array([bounds.low, bounds.high]) + [[-0.5], [0.5]]
    picks = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    corners: NDArray[np.float64] = ends[picks, [0, 1, 2]] @ transform[:3, :3].T + transform[:3, 3]
    return corners


def _footprint(film: Sequence[Shot]) -> list[Bounds]:
    """Blocks of cells that hold every body at every moment."""
    blocks: set[Bounds] = set()
    seen: set[int] = set()
    for shot in film:
        for body in shot.scene.bodies:
            transform = shot.transforms[body.name]
            if id(transform) not in seen:  # A body that rests keeps its very matrix.
                seen.add(id(transform))
                blocks.add(_block(corners_of(body.shape.bounds, transform)))
    return sorted(blocks, key=lambda block: (block.low, block.high))


def _block(corners: NDArray[np.float64]) -> Bounds:
    """The cells that some points are in, give or take rounding."""
    low = np.floor(corners.min(axis=0) + 0.5 + 1e-6).astype(int).tolist()
    high = np.ceil(corners.max(axis=0) - 0.5 - 1e-6).astype(int).tolist()
    return Bounds((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def _close_up(camera: Camera, work: Bounds, resting: list[Bounds], size: int) -> _CloseUp | None:
    """The work from close by and from the same side, in the freer upper corner.

    No body rests there; one that passes by is drawn in front of it.
    """
    gap = round(_GAP * size)
    points = [corners_of(block, np.eye(4)) for block in resting]
    seen = [camera.project(corners, size) for corners in points]
    low = np.array([corners.min(axis=0) for corners in seen])
    high = np.array([corners.max(axis=0) for corners in seen])
    on_left = int(np.maximum(low[:, 0], low[:, 1]).min()) - 2 * gap
    on_right = int(np.maximum(size - high[:, 0], low[:, 1]).min()) - 2 * gap
    edge = min(max(on_left, on_right), round(_LARGEST * size))
    if edge < _SMALLEST * size:
        return None
    left = gap if on_left >= on_right else size - gap - edge
    x, y, z = np.subtract(camera.eye, camera.target).tolist()
    return _CloseUp(fit("close-up", (x, y, z), work, _FAR_SIGHT), left, gap, edge)
