"""Solids of plastic: manifold, as large as they should be, and where they should be."""

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from pysim.errors import InputError
from pysim.geometry import Direction, Voxels
from pysim.geometry.solids import Dimensions, Solid, build_solid, compute_volume
from tests.geometry.strategies import connected_shapes, shapes
from tests.geometry.surfaces import check_manifold, count_windings, list_intersections

WHOLE = (
    Dimensions(edge=12.0, tolerance=1.0, bevel=0.0),
    Dimensions(edge=12.0, tolerance=1.0, bevel=2.0),
    Dimensions(edge=12.0, tolerance=1.0, bevel=4.0),
    Dimensions(edge=14.0, tolerance=3.0, bevel=2.0),
)
"""Dimensions of which all coordinates are whole numbers."""
dimensions = st.sampled_from(WHOLE)
EDGE_CONTACT = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1)])
"""Connected through faces; (0, 0, 0) and (0, 1, 1) touch along an edge only."""
CORNER_CONTACT = Voxels.from_cells([(0, 0, 0), (1, 1, 1)])
WORKED = {"edge": EDGE_CONTACT, "corner": CORNER_CONTACT, "block": Voxels.make_block((2, 2, 2))}


def place_whole(solid: Solid) -> np.ndarray:
    points = np.round(solid.vertices).astype(np.int64)
    assert np.array_equal(points, solid.vertices)
    return points


@given(shapes, dimensions)
def test_solid_of_any_cells_is_a_manifold_that_no_triangle_cuts(
    shape: Voxels, size: Dimensions
) -> None:
    solid = build_solid(shape, size)
    check_manifold(solid.triangles)
    small = Voxels.from_cells(shape.cells[:8])
    solid = build_solid(small, size)
    assert list_intersections(place_whole(solid), solid.triangles) == []


@pytest.mark.parametrize("size", WHOLE)
@pytest.mark.parametrize("shape", WORKED.values(), ids=WORKED)
def test_solid_of_cells_that_touch_is_a_manifold_for_trimesh(
    shape: Voxels, size: Dimensions
) -> None:
    solid = build_solid(shape, size)
    mesh = trimesh.Trimesh(solid.vertices, solid.triangles)
    assert len(mesh.vertices) == len(solid.vertices), "no two vertices are in one place"
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.is_volume
    assert mesh.area_faces.min() > 0.0
    assert mesh.volume == pytest.approx(solid.volume)


def test_cells_that_touch_along_an_edge_or_at_a_corner_are_parted() -> None:
    size = Dimensions(edge=12.0, tolerance=1.0, bevel=0.0)
    for shape in (Voxels.from_cells([(0, 0, 0), (1, 1, 0)]), CORNER_CONTACT):
        solid = build_solid(shape, size)
        assert trimesh.Trimesh(solid.vertices, solid.triangles).body_count == 2
        assert solid.volume == pytest.approx(2 * 10.0**3)


def test_cells_that_share_a_face_stay_joined() -> None:
    for shape in (EDGE_CONTACT, Voxels.make_block((3, 2, 1))):
        solid = build_solid(shape, Dimensions())
        assert trimesh.Trimesh(solid.vertices, solid.triangles).body_count == 1


@given(shapes, st.integers(1, 4))
def test_volume_without_bevel_is_that_of_an_erosion_on_a_fine_grid(
    shape: Voxels, tolerance: int
) -> None:
    size = Dimensions(edge=10.0, tolerance=float(tolerance), bevel=0.0)
    cells = np.array(shape.cells) - shape.bounds.low
    grid = np.zeros(np.array(shape.bounds.size), bool)
    grid[tuple(cells.T)] = True
    fine = np.pad(grid.repeat(10, 0).repeat(10, 1).repeat(10, 2), 1)
    eroded = ndimage.binary_erosion(fine, np.ones((3, 3, 3)), iterations=tolerance)
    assert compute_volume(shape, size) == pytest.approx(int(eroded.sum()))


@st.composite
def any_dimensions(draw: st.DrawFn) -> Dimensions:
    edge, share = draw(st.floats(2.0, 30.0)), draw(st.floats(0.02, 0.4))
    bevel = draw(st.floats(0.1, 0.44)) * (1.0 - 2.0 * share) * edge
    return Dimensions(edge=edge, tolerance=share * edge, bevel=bevel)


@given(shapes, any_dimensions())
def test_volume_by_the_formula_is_that_which_the_surface_encloses(
    shape: Voxels, size: Dimensions
) -> None:
    solid = build_solid(shape, size)
    assert solid.volume == pytest.approx(compute_volume(shape, size))
    mesh = trimesh.Trimesh(solid.vertices, solid.triangles, process=False)
    assert mesh.volume == pytest.approx(solid.volume)


def test_volume_of_a_cube_is_that_of_the_worked_example() -> None:
    """A cube of 10 mm without twelve prisms of 1 mm, whose ends overlap at eight corners."""
    size = Dimensions(edge=12.0, tolerance=1.0, bevel=1.0)
    assert compute_volume(Voxels.make_block((1, 1, 1)), size) == 1000.0 - 12 * 5.0 + 8 * 0.75


class Cells:
    """A solid by its definition, asked point by point."""

    def __init__(self, shape: Voxels, size: Dimensions) -> None:
        self._cells, self._size = shape.cell_set, size

    def holds(self, point: np.ndarray) -> bool:
        return self._is_set_back(point) and not self._is_chamfered(point)

    def _is_set_back(self, point: np.ndarray) -> bool:
        """Whether a cube around the point lies in the cells: its corners are in different ones."""
        size = self._size
        return all(
            tuple(np.floor((point + size.tolerance * np.array(way)) / size.edge + 0.5).astype(int))
            in self._cells
            for way in np.array(list(np.ndindex(2, 2, 2))) * 2 - 1
        )

    def _is_chamfered(self, point: np.ndarray) -> bool:
        """Whether a convex edge is so near, across both of its faces, that its chamfer goes on."""
        for axis in range(3):
            p, q = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            for u in (p, -p):
                for v in (q, -q):
                    one, other = self._measure_exit(point, u), self._measure_exit(point, v)
                    if one + other < self._size.bevel and self._is_convex(
                        point + one * u + other * v, u, v
                    ):
                        return True
        return False

    def _measure_exit(self, point: np.ndarray, way: np.ndarray) -> float:
        """How far it is to where the set back solid ends, which it does on known planes only."""
        size = self._size
        at = float(point @ np.abs(way)) * (1.0 if way.sum() > 0 else -1.0)
        planes = [
            (k + 0.5) * size.edge + side * size.tolerance - at
            for k in range(-12, 12)
            for side in (-1.0, 1.0)
        ]
        for distance in sorted(d for d in planes if d > 0.0):
            if not self._is_set_back(point + (distance + 1e-6) * way):
                return distance
        raise AssertionError("a solid ends somewhere")

    def _is_convex(self, edge: np.ndarray, u: np.ndarray, v: np.ndarray) -> bool:
        quarters = [self._is_set_back(edge + 1e-6 * (i * u + j * v)) for i, j in QUARTERS]
        return quarters == [True, False, False, False]


QUARTERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@pytest.mark.slow
@given(connected_shapes(10), dimensions, st.integers(0, 2**32 - 1))
def test_points_are_inside_the_surface_if_the_definition_says_so(
    shape: Voxels, size: Dimensions, seed: int
) -> None:
    solid, cells = build_solid(shape, size), Cells(shape, size)
    rng = np.random.default_rng(seed)
    # Near the surface, where it matters.
    faces = solid.vertices[solid.triangles][rng.integers(0, len(solid.triangles), 60)]
    points = faces.mean(axis=1) + rng.uniform(-0.4, 0.4, (60, 3)) * size.edge
    windings = count_windings(solid.vertices, solid.triangles, points)
    expected = [float(cells.holds(point)) for point in points]
    assert np.round(windings, 6).tolist() == expected


def test_surface_knows_its_cells_and_sides() -> None:
    shape = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 1, 0)])
    solid = build_solid(shape, Dimensions(edge=12.0, tolerance=1.0, bevel=2.0))
    a, b, c = np.moveaxis(solid.vertices[solid.triangles], 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    flat = solid.sides >= 0
    ways = np.array([direction.vector for direction in Direction])
    assert np.allclose(normals[flat], ways[solid.sides[flat]])
    assert np.allclose(np.sort(np.abs(normals[~flat]), axis=1), [0.0, 0.5**0.5, 0.5**0.5])
    reach = np.abs((a + b + c) / 3.0 - 12.0 * solid.cells)
    assert (reach <= 12.0).all() and set(map(tuple, solid.cells.tolist())) == set(shape.cells)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"edge": float("nan")}, "the edge of a cell is 1 to 1000 mm, not nan"),
        ({"edge": 0.0}, "not 0"),
        ({"edge": float("inf")}, "not inf"),
        ({"tolerance": 0.0}, "at least 0.01 mm, not 0: pieces that are not set back can't be put"),
        ({"tolerance": float("nan")}, "at least 0.01 mm, not nan"),
        ({"tolerance": -1.0}, "not -1"),
        ({"tolerance": 5.0}, "a tolerance of 5 mm leaves too little of cells of 10 mm; it is at"),
        ({"tolerance": 60.0}, "at most 4.5"),
        ({"bevel": -0.5}, "the bevel is 0 or 0.01 to 4.365 mm where 9.7 mm of a cell are left"),
        ({"bevel": 0.001}, "not 0.001"),
        ({"bevel": 5.0}, "not 5"),
        ({"bevel": float("nan")}, "not nan"),
    ],
)
def test_dimensions_that_leave_nothing_are_refused(change: dict[str, float], message: str) -> None:
    with pytest.raises(InputError) as refused:
        Dimensions(**change)
    assert message in str(refused.value)


def test_an_extreme_tolerance_and_bevel_still_give_a_manifold() -> None:
    for size in (
        Dimensions(edge=1.0, tolerance=0.45, bevel=0.045),
        Dimensions(edge=1000.0, tolerance=0.01, bevel=0.01),
        Dimensions(edge=10.0, tolerance=0.01, bevel=4.49),
    ):
        for shape in WORKED.values():
            solid = build_solid(shape, size)
            single = trimesh.Trimesh(solid.vertices.astype(np.float32), solid.triangles)
            assert single.is_watertight, "in the 32 bits of STL and GLB, too"
            assert len(single.vertices) == len(solid.vertices)
