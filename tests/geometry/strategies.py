"""Hypothesis strategies for geometry."""

from hypothesis import strategies as st

from pysim.geometry import Bounds, Cell, Direction, Pose, Rotation, Voxels, add

__all__ = ["blocks", "cells", "connected_shapes", "poses", "rotations", "shapes"]

cells = st.tuples(*[st.integers(-40, 40)] * 3)
rotations = st.integers(0, 23).map(Rotation)
poses = st.builds(Pose, rotations, cells)
shapes = st.sets(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=40).map(
    Voxels.from_cells
)
sizes = st.tuples(*[st.integers(1, 5)] * 3)


@st.composite
def blocks(draw: st.DrawFn) -> Bounds:
    low, size = draw(cells), draw(sizes)
    return Bounds(low, add(low, (size[0] - 1, size[1] - 1, size[2] - 1)))


@st.composite
def connected_shapes(draw: st.DrawFn, most: int = 24) -> Voxels:
    """Grown cell by cell through faces."""
    grown: list[Cell] = [(0, 0, 0)]
    steps = st.tuples(st.integers(0, 10_000), st.sampled_from(list(Direction)))
    for index, direction in draw(st.lists(steps, max_size=most - 1)):
        grown.append(add(grown[index % len(grown)], direction.vector))
    return Voxels.from_cells(grown)
