"""Pieces of levels: surfaces of solids, with room between them, at rest and on the way."""

import io
from functools import cache

import numpy as np
import pytest
import trimesh

from bridge.meshes.animation import trace_plan
from bridge.meshes.files import encode_meshes
from bridge.meshes.formats import MeshFormat
from bridge.meshes.pieces import (
    lay_down,
    list_assembled_bodies,
    list_bodies,
    make_pieces,
)
from pysim.catalog import AnyLevel, find_family, find_level, list_shipped_levels
from pysim.errors import InputError
from pysim.geometry import Direction, Voxels, add
from pysim.geometry.solids import Dimensions, build_solid, compute_volume
from pysim.scene import Body
from tests.geometry.surfaces import check_manifold, list_intersections
from tests.meshes.clearances import Gauge
from tests.sampling import levels_by_day, more

USUAL = Dimensions()
WHOLE = Dimensions(edge=12.0, tolerance=1.0, bevel=2.0)
SOLID = [v for v in list_shipped_levels() if find_family(v).assembly is not None]
CLEARANCE = 2.0 * USUAL.tolerance
MANY = 1_000
SLACK = 1e-9
"""Millimetres by which a measurement in floats may be off."""


def test_all_families_but_one_are_made_of_solid_pieces() -> None:
    families = {level.family for level in list_shipped_levels()}
    assert families - {level.family for level in SOLID} == {"portal"}


def list_shapes(level: AnyLevel) -> list[Voxels]:
    """The different shapes of a level's pieces, small ones first."""
    shapes = {body.shape for body in list_bodies(level)}
    return sorted(shapes, key=lambda shape: (len(shape.cells), shape.cells))


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(SOLID))
def test_every_piece_bounds_a_solid_of_the_right_volume(level: AnyLevel) -> None:
    for shape in list_shapes(level):
        solid = build_solid(shape, USUAL)
        check_manifold(solid.triangles)
        assert solid.volume == pytest.approx(compute_volume(shape, USUAL))


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(SOLID))
def test_no_triangle_of_a_piece_cuts_another(level: AnyLevel) -> None:
    for shape in list_shapes(level)[: more(1, night=MANY)]:
        assert list_cuts(shape) == []


@cache
def list_cuts(shape: Voxels) -> list[tuple[int, int]]:
    """Pairs of triangles that cut each other; many levels have the same pieces."""
    solid = build_solid(shape, WHOLE)
    points = solid.vertices.astype(np.int64)
    assert np.array_equal(points, solid.vertices)
    return list_intersections(points, solid.triangles)


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(SOLID))
def test_every_piece_is_watertight_as_slicers_read_it(level: AnyLevel) -> None:
    for body in {body.shape: body for body in list_bodies(level)}.values():
        pieces = make_pieces([lay_down(body)], USUAL)
        mesh = load(encode_meshes(body.name, pieces, MeshFormat.STL))
        assert mesh.is_watertight and mesh.is_volume and mesh.body_count == 1
        assert mesh.volume == pytest.approx(compute_volume(body.shape, USUAL), rel=1e-5)
        assert np.allclose(mesh.bounds[0], 0.0, atol=1e-4), "it lies on the bed"


def load(data: bytes) -> trimesh.Trimesh:
    mesh = trimesh.load_mesh(io.BytesIO(data), file_type="stl")
    assert isinstance(mesh, trimesh.Trimesh)
    return mesh


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(SOLID))
def test_assembled_pieces_are_two_tolerances_apart_where_they_touch(level: AnyLevel) -> None:
    bodies = list_assembled_bodies(level)
    assert bodies is not None
    pieces = make_pieces(bodies, USUAL)
    distances = Gauge(pieces).measure(CLEARANCE + 1.0)
    assert min(distances.values()) >= CLEARANCE - SLACK
    for one, other in find_neighbours(bodies):
        assert distances[frozenset((one, other))] == pytest.approx(CLEARANCE)
    together = load(encode_meshes(level.id, pieces, MeshFormat.STL))
    assert together.is_watertight and together.body_count == len(bodies)


def find_neighbours(bodies: tuple[Body, ...]) -> set[tuple[str, str]]:
    """Names of bodies of which two cells share a face."""
    owners = {cell: body.name for body in bodies for cell in body.place().cells}
    return {
        (name, owners[there])
        for cell, name in owners.items()
        for way in Direction
        if owners.get(there := add(cell, way.vector), name) != name
    }


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(SOLID))
def test_pieces_keep_two_tolerances_apart_all_along_the_plan(level: AnyLevel) -> None:
    bodies = list_bodies(level)
    gauge = Gauge(make_pieces(bodies, USUAL, is_grounded=False))
    tracks = trace_plan(level, level.plan, USUAL.edge)
    moments: dict[float, dict[str, np.ndarray]] = {}
    for name, track in tracks.items():
        for time, transform in zip(track.times.tolist(), track.transforms, strict=True):
            moments.setdefault(time, {})[name] = transform
    stride = max(1, len(moments) // more(12, night=120))
    for number, time in enumerate(sorted(moments)):
        gauge.move(moments[time])
        if number % stride == 0:
            distances = gauge.measure(CLEARANCE)
            assert min(distances.values(), default=CLEARANCE) >= CLEARANCE - SLACK, time


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(SOLID))
def test_tracks_begin_and_end_where_the_rules_have_the_pieces(level: AnyLevel) -> None:
    rules = find_family(level).rules
    state = rules.initial(level)
    first = {body.name: body.pose for body in rules.scene(level, state).bodies}
    for action in level.plan.actions:
        state = rules.apply(level, state, action).state
    last = {body.name: body.pose for body in rules.scene(level, state).bodies}
    tracks = trace_plan(level, level.plan, 10.0)
    assert {name for name in first if first[name] != last[name]} <= set(tracks)
    for name, track in tracks.items():
        assert (np.diff(track.times) > 0.0).all()
        for at, pose in ((0, first[name]), (-1, last[name])):
            expected = pose.transform()
            expected[:3, 3] *= 10.0
            assert np.allclose(track.transforms[at], expected, atol=1e-9)


def test_piece_is_laid_on_the_side_with_most_cells() -> None:
    for body in list_bodies(find_level("burr-piston")):
        cells = lay_down(body).place().cells
        lowest = min(cell[2] for cell in cells)
        count = sum(cell[2] == lowest for cell in cells)
        for axis in range(3):
            for end in (min, max):
                side = end(cell[axis] for cell in body.shape.cells)
                assert count >= sum(cell[axis] == side for cell in body.shape.cells)


def test_chamber_has_nothing_to_print() -> None:
    level = find_level("portal-16")
    assert list_assembled_bodies(level) is None
    with pytest.raises(InputError, match="portal-16 has nothing to print: levels of the family"):
        list_bodies(level)
