"""Exact integer geometry: voxels, the 24 rotations, poses, boxes and meshes.

Units: one voxel edge. Frame: right-handed, z up; a cell's centre has integer coordinates.
"""

from pysim.geometry.boxes import merge_boxes
from pysim.geometry.directions import Axis, Cell, Direction, add, scale, subtract
from pysim.geometry.rotations import IDENTITY, Rotation, list_rotations, make_quarter_turn
from pysim.geometry.sectors import Sectors
from pysim.geometry.voxels import HOME, Bounds, Pose, Voxels

__all__ = [
    "HOME",
    "IDENTITY",
    "Axis",
    "Bounds",
    "Cell",
    "Direction",
    "Pose",
    "Rotation",
    "Sectors",
    "Voxels",
    "add",
    "list_rotations",
    "make_quarter_turn",
    "merge_boxes",
    "scale",
    "subtract",
]
