"""Folding and unfolding: by laws, by published counts, and against matrices of real numbers."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation as Turn

from pysim.errors import InputError
from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube
from pysim.families.nets.faces import CubeFace, Frame, Heading, list_frames, rotate_face
from pysim.families.nets.folding import ArrowNet, FlatArrow, fold, list_unfoldings, open_cube
from pysim.families.nets.shapes import (
    NetShape,
    Square,
    draw_outline,
    fold_shape,
    list_net_shapes,
    normalize,
)
from pysim.geometry import Rotation, list_rotations
from tests.families.nets.strategies import CUBES, FRAMES, NETS, ROTATIONS, SHAPES

Vector = tuple[int, int, int]
HEXOMINOES = 35
TREES = 384
"""Ways to cut a cube open along edges: spanning trees of the octahedron's graph."""


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


NORMALS: list[Vector] = [tuple(face.side.vector) for face in CubeFace]
HINGES = [
    (a, b)
    for a, b in combinations(NORMALS, 2)
    if sum(x * y for x, y in zip(a, b, strict=True)) == 0
]


def is_tree(edges: tuple[tuple[Vector, Vector], ...]) -> bool:
    seen, queue = {NORMALS[0]}, [NORMALS[0]]
    for one in queue:
        for a, b in edges:
            for here, there in ((a, b), (b, a)):
                if here == one and there not in seen:
                    seen.add(there)
                    queue.append(there)
    return len(seen) == len(NORMALS)


def flattened(edges: tuple[tuple[Vector, Vector], ...]) -> NetShape:
    """The squares of a cube that is cut open and laid flat; only these hinges hold."""
    start = NORMALS[0]
    up = next(b for a, b in HINGES if a == start)
    found: dict[Vector, tuple[Square, Vector, Vector]] = {start: ((0, 0), up, cross(up, start))}
    queue = [start]
    for face in queue:
        (x, y), above, right = found[face]
        for a, b in edges:
            for here, there in ((a, b), (b, a)):
                if here != face or there in found:
                    continue
                behind: Vector = (-face[0], -face[1], -face[2])
                if there == above:
                    found[there] = ((x, y + 1), behind, right)
                elif there == right:
                    found[there] = ((x + 1, y), above, behind)
                elif there == (-above[0], -above[1], -above[2]):
                    found[there] = ((x, y - 1), face, right)
                else:
                    found[there] = ((x - 1, y), above, face)
                queue.append(there)
    return normalize(square for square, _, _ in found.values())


def copies(shape: NetShape) -> Iterator[NetShape]:
    for mirror, turns in product((1, -1), range(4)):
        squares = [(mirror * x, y) for x, y in shape]
        for _ in range(turns):
            squares = [(-y, x) for x, y in squares]
        yield normalize(squares)


def test_384_ways_to_cut_a_cube_open_give_the_11_nets_and_no_others() -> None:
    trees = [edges for edges in combinations(HINGES, 5) if is_tree(edges)]
    assert len(trees) == TREES
    classes = {frozenset(copies(flattened(edges))) for edges in trees}
    assert len(classes) == len(list_net_shapes()) == 11
    assert classes == {frozenset(copies(shape)) for shape in list_net_shapes()}


def test_the_other_24_of_35_shapes_of_six_squares_do_not_fold() -> None:
    shapes: set[frozenset[NetShape]] = set()
    found: set[NetShape] = {((0, 0),)}
    for _ in range(5):
        found = {
            normalize({*shape, (x + dx, y + dy)})
            for shape in found
            for x, y in shape
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (x + dx, y + dy) not in shape
        }
    shapes = {frozenset(copies(shape)) for shape in found}
    assert len(shapes) == HEXOMINOES
    nets = {frozenset(copies(shape)) for shape in list_net_shapes()}
    assert nets < shapes
    for shape in (min(others) for others in shapes - nets):
        arrows = (FlatArrow(ArrowColour.RED, Heading.UP),) * 6
        with pytest.raises(InputError, match="no net of a cube"):
            fold(ArrowNet(shape, arrows))


def test_shapes_are_wide_and_told_apart_by_their_outlines() -> None:
    outlines = [draw_outline(shape) for shape in list_net_shapes()]
    assert len(set(outlines)) == 11 and ".#../####/.#.." in outlines
    for shape in list_net_shapes():
        assert max(x for x, _ in shape) >= max(y for _, y in shape)
        assert shape == normalize(shape)


def test_a_cube_has_264_unfoldings_all_unlike() -> None:
    assert len(list_unfoldings()) == len(set(list_unfoldings())) == 264
    colours = list(ArrowColour)
    cube = ArrowCube(
        tuple(Arrow(c, face.beside[0]) for c, face in zip(colours[:6], CubeFace, strict=True))
    )
    nets = {open_cube(cube, *ways) for ways in list_unfoldings()}
    assert len(nets) == 264
    assert all(fold(net).is_same(cube) for net in nets)


@given(CUBES, SHAPES, FRAMES)
def test_folding_undoes_unfolding(cube: ArrowCube, shape: NetShape, frame: Frame) -> None:
    assert fold(open_cube(cube, shape, frame), frame) == cube


@given(NETS, FRAMES)
def test_unfolding_undoes_folding(net: ArrowNet, frame: Frame) -> None:
    assert open_cube(fold(net, frame), net.shape, frame) == net


@given(NETS, FRAMES, FRAMES)
def test_wherever_it_begins_a_net_folds_into_the_same_cube(
    net: ArrowNet, one: Frame, other: Frame
) -> None:
    assert fold(net, one).is_same(fold(net, other))


@given(CUBES, ROTATIONS)
def test_a_cube_that_is_turned_is_the_same_cube(cube: ArrowCube, rotation: Rotation) -> None:
    there = cube.rotate(rotation)
    assert there.is_same(cube) and cube.is_same(there)
    assert there.rotate(rotation.inverse) == cube
    assert set(there.list_rotations()) == set(cube.list_rotations())
    assert sorted(there.views) == sorted(cube.views)


@given(CUBES, ROTATIONS, ROTATIONS)
def test_turning_twice_is_turning_by_the_product(
    cube: ArrowCube, one: Rotation, two: Rotation
) -> None:
    assert cube.rotate(one).rotate(two) == cube.rotate(two.compose(one))


@given(CUBES, CUBES)
def test_cubes_are_the_same_exactly_if_one_is_among_the_others_turnings(
    one: ArrowCube, other: ArrowCube
) -> None:
    assert one.is_same(other) == (other in set(one.list_rotations()))
    canonical = [min(cube.list_rotations(), key=lambda c: c.arrows) for cube in (one, other)]
    assert one.is_same(other) == (canonical[0] == canonical[1])


@given(CUBES, st.sampled_from(list(CubeFace)), ROTATIONS)
def test_one_other_colour_makes_another_cube(
    cube: ArrowCube, face: CubeFace, rotation: Rotation
) -> None:
    arrow = cube.get_arrow(face)
    other = next(colour for colour in ArrowColour if colour is not arrow.colour)
    assert not cube.replace_arrow(face, Arrow(other, arrow.towards)).rotate(rotation).is_same(cube)


def folded_by_matrices(net: ArrowNet) -> dict[CubeFace, tuple[ArrowColour, CubeFace]]:
    """The cube of a net whose squares turn about their edges, as points in space.

    The first square lies upright in front; a hinge turns its square backwards by 90 degrees.
    """
    start = np.eye(4)
    start[:3, :3] = np.column_stack([(1, 0, 0), (0, 0, 1), (0, -1, 0)])
    places: dict[Square, NDArray[np.float64]] = {net.shape[0]: start}
    queue = [net.shape[0]]
    for x, y in queue:
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            there = (x + dx, y + dy)
            if there in net.shape and there not in places:
                to_edge = np.eye(4)
                to_edge[:2, 3] = dx / 2, dy / 2
                hinge = np.eye(4)
                hinge[:3, :3] = Turn.from_rotvec([-dy * np.pi / 2, dx * np.pi / 2, 0]).as_matrix()
                places[there] = places[x, y] @ to_edge @ hinge @ to_edge
                queue.append(there)
    corners = np.array([place[:3, 3] for place in places.values()])
    assert np.allclose(np.linalg.norm(corners - corners.mean(axis=0), axis=1), 0.5)
    found = {}
    for square, arrow in zip(net.shape, net.arrows, strict=True):
        axes = places[square][:3, :3]
        pointing = axes @ [*arrow.way.step, 0]
        found[nearest(axes[:, 2])] = (arrow.colour, nearest(pointing))
    return found


def nearest(vector: NDArray[np.float64]) -> CubeFace:
    (found,) = [face for face in CubeFace if np.allclose(vector, face.side.vector)]
    return found


@given(NETS)
def test_exact_folding_is_what_matrices_say(net: ArrowNet) -> None:
    cube = fold(net)
    assert {
        face: (cube.get_arrow(face).colour, cube.get_arrow(face).towards) for face in CubeFace
    } == (folded_by_matrices(net))


@given(CUBES, ROTATIONS)
def test_turned_faces_are_where_matrices_bring_them(cube: ArrowCube, rotation: Rotation) -> None:
    matrix = np.array(rotation.matrix)
    for face in CubeFace:
        there = nearest(matrix @ face.side.vector)
        assert rotate_face(face, rotation) is there
        arrow = cube.rotate(rotation).get_arrow(there)
        assert arrow.colour is cube.get_arrow(face).colour
        assert np.array_equal(
            arrow.towards.side.vector, matrix @ cube.get_arrow(face).towards.side.vector
        )


def test_24_frames_are_the_24_rotations_of_a_square() -> None:
    assert len(set(list_frames())) == len(list_rotations()) == 24
    for frame in list_frames():
        axes = [frame.find_face(Heading.RIGHT), frame.up, frame.outward]
        matrix = np.column_stack([face.side.vector for face in axes])
        assert np.linalg.det(matrix) == pytest.approx(1.0)
        assert all(frame.find_heading(frame.find_face(way)) is way for way in Heading)
        back = {
            Heading.UP: Heading.DOWN,
            Heading.DOWN: Heading.UP,
            Heading.LEFT: Heading.RIGHT,
            Heading.RIGHT: Heading.LEFT,
        }
        assert all(frame.cross(way).cross(back[way]) == frame for way in Heading)


def test_every_face_of_a_net_is_told_once() -> None:
    for shape in list_net_shapes():
        there = fold_shape(shape, shape[0], Frame(CubeFace.FRONT, CubeFace.TOP))
        assert Counter(frame.outward for frame in there.values()) == Counter(CubeFace)


def test_a_cube_needs_six_arrows_that_lie_in_their_faces() -> None:
    good = tuple(Arrow(ArrowColour.RED, face.beside[0]) for face in CubeFace)
    with pytest.raises(InputError, match="6 arrows"):
        ArrowCube(good[:5])
    with pytest.raises(InputError, match="on the top face can't point bottom"):
        ArrowCube((Arrow(ArrowColour.RED, CubeFace.BOTTOM), *good[1:]))
