"""Triangle meshes of voxel shapes, through trimesh."""

from typing import TYPE_CHECKING

import numpy as np

from pysim.geometry.boxes import merge_boxes
from pysim.geometry.directions import Direction, add
from pysim.geometry.voxels import Voxels

if TYPE_CHECKING:
    import trimesh

__all__ = ["build_box_mesh", "build_surface_mesh"]


def build_surface_mesh(shape: Voxels) -> "trimesh.Trimesh":
    """Return the outer surface of ``shape``: two triangles for every visible cell face.

    Body coordinates, in units of a cell edge; cell centres on integer coordinates. Watertight
    unless two cells touch along an edge only.
    """
    import trimesh

    cells = shape.cell_set
    corners: list[np.ndarray] = []
    for cell in shape.cells:
        for direction in Direction:
            if add(cell, direction.vector) not in cells:
                corners.append(_face(np.array(cell), direction))
    vertices = np.concatenate(corners).astype(np.float64)
    starts = np.arange(len(corners))[:, None] * 4
    triangles = np.concatenate([starts + (0, 1, 2), starts + (0, 2, 3)])
    mesh = trimesh.Trimesh(vertices, triangles, process=False)
    mesh.merge_vertices()
    return mesh


def build_box_mesh(shape: Voxels, shrink: float = 0.0) -> "trimesh.Trimesh":
    """The boxes of :func:`~pysim.geometry.boxes.merge_boxes`, each ``shrink`` smaller per side."""
    import trimesh

    parts = []
    for box in merge_boxes(shape):
        part = trimesh.creation.box(extents=np.array(box.size) - 2.0 * shrink)
        part.apply_translation((np.array(box.low) + np.array(box.high)) / 2.0)
        parts.append(part)
    vertices = np.concatenate([part.vertices for part in parts])
    starts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    faces = [part.faces + start for part, start in zip(parts, starts, strict=True)]
    return trimesh.Trimesh(vertices, np.concatenate(faces), process=False)


def _face(cell: np.ndarray, direction: Direction) -> np.ndarray:
    """Return the four corners (4, 3) of one cell face, counter-clockwise seen from outside."""
    axis = direction.axis.number
    u, v = np.eye(3)[(axis + 1) % 3] / 2.0, np.eye(3)[(axis + 2) % 3] / 2.0
    centre = cell + np.array(direction.vector) / 2.0
    quad = np.array([centre - u - v, centre + u - v, centre + u + v, centre - u + v])
    return quad if direction.sign > 0 else quad[::-1]
