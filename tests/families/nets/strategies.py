"""Cubes, nets and rotations to test with."""

from hypothesis import strategies as st

from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube
from pysim.families.nets.faces import CubeFace, list_frames
from pysim.families.nets.folding import list_unfoldings, open_cube
from pysim.families.nets.shapes import list_net_shapes
from pysim.geometry import list_rotations

__all__ = ["CUBES", "FRAMES", "NETS", "ROTATIONS", "SHAPES"]


def arrows_on(face: CubeFace) -> st.SearchStrategy[Arrow]:
    return st.builds(Arrow, st.sampled_from(list(ArrowColour)), st.sampled_from(face.beside))


CUBES = st.tuples(*map(arrows_on, CubeFace)).map(ArrowCube)
ROTATIONS = st.sampled_from(list_rotations())
FRAMES = st.sampled_from(list_frames())
SHAPES = st.sampled_from(list_net_shapes())
NETS = st.builds(
    lambda cube, ways: open_cube(cube, *ways), CUBES, st.sampled_from(list_unfoldings())
)
