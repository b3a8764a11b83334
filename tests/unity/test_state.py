"""The digest that both ends compare, and the poses behind it."""

import struct
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.unity.state import LatticeState, hash_fnv1a
from luban.testing.playing import attempts
from pysim.catalog import find_family, find_level
from pysim.geometry import Direction, Pose, Rotation, Voxels, add, list_rotations
from pysim.motion import Carry, Sweep
from pysim.path import Path, Shift, Spin
from pysim.physics.lattice import LatticeWorld
from pysim.puzzle import Transition
from tests.physics.scenes import named, scene_of

CUBE = Voxels.make_block((1, 1, 1))
coordinates = st.integers(-(2**20), 2**20)
poses = st.builds(
    Pose, st.sampled_from(list_rotations()), st.tuples(coordinates, coordinates, coordinates)
)


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"", 0xCBF29CE484222325), (b"a", 0xAF63DC4C8601EC8C), (b"foobar", 0x85944171F73967E8)],
)
def test_fnv1a_gives_the_published_values(data: bytes, expected: int) -> None:
    assert hash_fnv1a(data) == expected


@given(st.dictionaries(st.text(max_size=6), st.tuples(poses, st.booleans()), max_size=5))
def test_the_digest_is_over_the_documented_bytes(places: dict[str, tuple[Pose, bool]]) -> None:
    data = b""
    for name, (pose, loose) in places.items():
        data += name.encode() + b"\0" + struct.pack("<i", pose.rotation.index)
        data += struct.pack("<3i", *pose.offset) + (b"\1" if loose else b"\0")
    step = lambda value, byte: (value ^ byte) * 1099511628211 % 2**64  # noqa: E731
    assert LatticeState(places).digest == reduce(step, data, 14695981039346656037)


def test_every_part_of_a_place_counts() -> None:
    places = {"a": (Pose(Rotation(0), (0, 0, 0)), False), "b": (Pose(Rotation(0), (5, 0, 0)), True)}
    variants = [
        places,
        {"b": places["b"], "a": places["a"]},
        places | {"a": (Pose(Rotation(1), (0, 0, 0)), False)},
        places | {"a": (Pose(Rotation(0), (0, 0, -1)), False)},
        places | {"b": (Pose(Rotation(0), (5, 0, 0)), False)},
        {"a": places["a"], "c": places["b"]},
    ]
    assert len({LatticeState(variant).digest for variant in variants}) == len(variants)


@pytest.mark.parametrize("name", ["burr-chinese-cross", "packing-soma"])
def test_motions_lead_where_the_lattice_leads(name: str) -> None:
    level = find_level(name)
    world = LatticeWorld()
    world.reset(
        scene := find_family(level).rules.scene(level, find_family(level).rules.initial(level))
    )
    state = LatticeState.of(scene)
    made = 0
    for attempt in attempts(level, seed=3, count=40, share=1.0):
        if isinstance(attempt.result, Transition):
            assert world.execute(attempt.result.motions).completed
            state = state.apply(attempt.result.motions)
            made += 1
        for body, transform in world.transforms().items():
            assert (state.places[body][0].transform() == transform).all()
    assert made > 5


def test_a_carry_says_whether_a_body_is_loose_from_then_on() -> None:
    scene = scene_of(named("a", CUBE, (0, 0, 0)), named("b", CUBE, (3, 0, 0)))
    way = Path([Shift(Direction.PLUS_Z, 4), Spin(Rotation(7), (25, 0, -4))])
    lifted = Rotation(7).apply((0, 0, 4))
    state = LatticeState.of(scene).apply(
        [Carry(frozenset({"a"}), way, True), Sweep(frozenset({"a", "b"}), Direction.MINUS_Y, 2)]
    )
    assert state.places == {
        "a": (Pose(Rotation(7), add(lifted, (25, -2, -4))), True),
        "b": (Pose(Rotation(0), (3, -2, 0)), False),
    }


def test_an_unknown_body_is_a_key_error() -> None:
    state = LatticeState.of(scene_of(named("a", CUBE, (0, 0, 0))))
    for motion in (
        Sweep(frozenset({"ghost"}), Direction.PLUS_X, 1),
        Carry(frozenset({"ghost"}), Path(), False),
    ):
        with pytest.raises(KeyError, match="ghost"):
            state.apply([motion])
