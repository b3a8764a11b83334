"""The part of a picture that changes when bodies of a scene move."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera
from pysim.render.egl.batch import SceneBatch
from pysim.render.egl.gl import Region
from pysim.render.egl.models import Look
from pysim.render.faces import list_faces
from pysim.render.renderer import Pass
from pysim.render.scenery import Scenery
from pysim.scene import Scene

__all__ = ["Snapshot"]

_FILTER = 16.0
"""Texels of the shadow map up to which a shadow reaches beside what casts it: its edge is soft."""
_AROUND = np.indices((2, 2, 2)).reshape(3, -1).T * 2.0 - 1.0
"""The corners (8, 3) of a cube around the origin."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A scene in one arrangement, with all that its pictures depend on but their size.

    Attributes:
        scene: what is drawn.
        corners: (N, 8, 3) of the blocks around its bodies.
        cameras: its views.
        look: models, which of them are translucent, and which faces are covered.
        batch: numbers that the shaders read.
        passes: what is drawn of each pixel.
        scenery: its surroundings.
    """

    scene: Scene
    corners: NDArray[np.float64]
    cameras: tuple[Camera, ...]
    look: Look
    batch: SceneBatch
    passes: frozenset[Pass]
    scenery: Scenery

    def find_changed_pixels(self, before: "Snapshot | None", size: int) -> Region:
        """Return the part of the pictures of an edge that may differ from those before."""
        if before is None or not self._is_alike(before):
            return Region.whole(size)
        points = self._shade(self._find_changed_corners(before))
        with np.errstate(divide="ignore", invalid="ignore"):  # Points beside an eye.
            seen = np.stack([camera.project(points, size) for camera in self.cameras])
        nearest = np.array([camera.near for camera in self.cameras])
        if (seen[..., 2] < nearest[:, None]).any():
            return Region.whole(size)
        return Region.around(seen[..., :2].reshape(-1, 2), size)

    def find_changed_shadows(self, before: "Snapshot | None", size: int) -> Region:
        """Return the part of a shadow map of an edge that may differ from the one before."""
        if before is None or not self._casts_alike(before):
            return Region.whole(size)
        matrix = self.batch.lights[0, :16].reshape(4, 4).T
        corners = self._find_changed_corners(before)
        return Region.around((corners @ matrix[:2, :3].T + matrix[:2, 3]) * size, size)

    def _is_alike(self, before: "Snapshot") -> bool:
        """Return whether pictures differ from those before by places of bodies alone."""
        return (
            self.scenery == before.scenery
            and self.passes == before.passes
            and self.cameras == before.cameras
            and np.array_equal(self.batch.views, before.batch.views)
            and self._casts_alike(before)
        )

    def _casts_alike(self, before: "Snapshot") -> bool:
        """Return whether shadows differ from those before by places of bodies alone."""
        return (
            len(self.batch.bodies) > 0
            and self.look[:2] == before.look[:2]
            and np.array_equal(self.batch.lights, before.batch.lights)
        )

    def _find_changed_corners(self, before: "Snapshot") -> NDArray[np.float64]:
        """Return corners (n, 3) of what moved, or shows other faces, where it was and where it is.

        Faces that come to lie against another body's aren't drawn, and those beside them are cut
        in another way.
        """
        changed = (self.batch.bodies != before.batch.bodies).any(axis=1)
        ours, theirs = (np.frombuffer(own.look[2], dtype=np.uint8) for own in (self, before))
        faces = np.flatnonzero(np.unpackbits(ours ^ theirs))
        changed[list_faces(self.look[0])["body"][faces]] = True
        places = [self.corners[changed], before.corners[changed]]
        return np.concatenate(places).reshape(-1, 3)

    def _shade(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points (n, 3) around blocks with some corners, and around all that they shade.

        Blocks below the ground shade it as well: of the shade there no depth is known.
        """
        lowest = float(self.corners[..., 2].min())
        ground = lowest if self.scene.table is None else self.scene.table.low[2] - 0.5
        sun = np.array(self.scenery.sun) / self.scenery.sun[2]
        fallen = [corners - (corners[:, 2:] - level) * sun for level in (lowest, ground)]
        soft = _FILTER * float(self.batch.lights[0, 16]) / 2.5  # See `_lights` of the batch.
        around: NDArray[np.float64] = np.concatenate([corners, *fallen])[:, None] + soft * _AROUND
        return around.reshape(-1, 3)
