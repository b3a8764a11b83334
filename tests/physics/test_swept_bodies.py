"""Bodies in the way of a turn: those with a cell that some turning cell sweeps, and no other."""

from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import Axis, Bounds, Cell, Pose, Sectors, Voxels, list_rotations
from pysim.motion import Turn
from pysim.physics.lattice import LatticeWorld
from pysim.physics.swept_volume import SweptRings
from pysim.scene import Body, Colour, Scene

COORDINATES = st.integers(-4, 4)
CELLS: st.SearchStrategy[Cell] = st.tuples(COORDINATES, COORDINATES, COORDINATES)
SHAPES = st.sampled_from(
    [
        Voxels.make_block((1, 1, 1)),
        Voxels.make_block((3, 1, 1)),
        Voxels.make_block((3, 3, 1)),
        Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)]),
    ]
)
POSES = st.builds(Pose, st.sampled_from(list_rotations()), CELLS)


def list_apart(bodies: list[tuple[Voxels, Pose]]) -> list[Body]:
    """Return as many of some bodies as do not overlap."""
    taken, found = set[Cell](), list[Body]()
    for k, (shape, pose) in enumerate(bodies):
        cells = pose.place(shape).cell_set
        if taken.isdisjoint(cells):
            taken |= cells
            found.append(Body(f"body{k}", shape, pose, Colour("red")))
    return found


@given(
    st.lists(st.tuples(SHAPES, POSES), min_size=2, max_size=8),
    st.integers(1, 3),
    st.sampled_from(Axis),
    CELLS,
    st.integers(1, 3),
    st.booleans(),
)
def test_turn_meets_the_bodies_with_a_cell_that_is_swept(
    drawn: list[tuple[Voxels, Pose]],
    count: int,
    axis: Axis,
    centre: Cell,
    quarters: int,
    hinged: bool,
) -> None:
    bodies = list_apart(drawn)
    turning = bodies[:count]
    turn = Turn(frozenset(body.name for body in turning), axis, centre, quarters, hinged=hinged)
    swept = [cell for body in turning for cell in body.place().cells]
    passed = Sectors(axis, centre, swept, quarters) if hinged else SweptRings(axis, centre, swept)
    met = {body.name for body in bodies[count:] if any(map(passed.overlaps, body.place().cells))}
    world = LatticeWorld()
    world.reset(Scene(tuple(bodies), Bounds((0, 0, 0), (0, 0, 0))))
    report = world.execute([turn])
    assert (report.contacts, report.completed) == (met, not met)
