"""The worlds agree with each other, and with oracles that share no code with them."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from pysim.geometry import Cell, Direction, Voxels, add, scale
from pysim.motion import Carry, Sweep
from pysim.path import Shift
from pysim.physics.factory import create_world
from pysim.physics.world import Report, World
from pysim.scene import Body, Scene
from tests.physics.scenes import (
    interlocked,
    named,
    random_sweep,
    random_way,
    same,
    scene_of,
)
from tests.sampling import more

Verdict = tuple[bool, int, frozenset[str]]


def verdict(report: Report) -> Verdict:
    return report.completed, report.travel, report.contacts


def brute_force(cells: dict[str, set[Cell]], sweep: Sweep) -> Verdict:
    """The definition, written down as plainly as can be."""
    for travel in range(sweep.distance):
        by = scale(sweep.direction.vector, travel + 1)
        entered = {add(cell, by) for name in sweep.bodies for cell in cells[name]}
        hit = {n for n, own in cells.items() if n not in sweep.bodies and own & entered}
        if hit:
            return False, travel, frozenset(hit)
    return True, sweep.distance, frozenset()


def moved(cells: dict[str, set[Cell]], sweep: Sweep) -> dict[str, set[Cell]]:
    by = scale(sweep.direction.vector, sweep.distance)
    return {
        name: {add(cell, by) for cell in own} if name in sweep.bodies else own
        for name, own in cells.items()
    }


@pytest.fixture(scope="module")
def lattice() -> Iterator[World]:
    world = create_world("lattice")
    yield world
    world.close()


@pytest.fixture(scope="module")
def bullet() -> Iterator[World]:
    pytest.importorskip("pybullet")
    world = create_world("bullet")
    yield world
    world.close()


def walks(seed: int, scenes: int) -> Iterator[tuple[random.Random, Scene]]:
    for k in range(scenes):
        rng = random.Random(f"{seed}/{k}")
        yield rng, interlocked(rng)


@pytest.mark.slow
def test_the_lattice_equals_brute_force_on_4000_sweeps(lattice: World) -> None:
    blocked = 0
    for rng, scene in walks(1, 800):
        lattice.reset(scene)
        cells = {body.name: set(body.place().cells) for body in scene.bodies}
        for _ in range(5):
            sweep = random_sweep(rng, scene)
            expected = brute_force(cells, sweep)
            assert verdict(lattice.execute([sweep])) == expected, (scene, sweep)
            blocked += not expected[0]
            cells = moved(cells, sweep) if expected[0] else cells
    assert 1200 < blocked < 3500


@pytest.mark.slow
def test_bullet_equals_the_lattice_on_random_sweeps(lattice: World, bullet: World) -> None:
    outcomes = {True: 0, False: 0}
    scenes = more(100, night=600)  # Five sweeps in each.
    for rng, scene in walks(2, scenes):
        lattice.reset(scene)
        bullet.reset(scene)
        for _ in range(5):
            sweep = random_sweep(rng, scene)
            exact, physical = lattice.execute([sweep]), bullet.execute([sweep])
            assert verdict(physical) == verdict(exact), (scene, sweep)
            assert exact.measured == exact.travel
            assert abs(physical.measured - exact.travel) < 0.05
            outcomes[exact.completed] += 1
        assert same(lattice.transforms(), bullet.transforms())
    assert min(outcomes.values()) > scenes * 3 // 2


def room_of(cells: set[Cell], turned: set[Cell]) -> tuple[np.ndarray, np.ndarray]:
    """What has to be free for a turn, in units: the block around the balls at both ends."""
    here, there = (
        (np.min(list(group), axis=0) + np.max(list(group), axis=0)) / 2.0
        for group in (cells, turned)
    )
    size = np.ptp(list(cells), axis=0) + 1.0
    reach = np.ceil(np.sqrt((size**2).sum())) / 2.0
    return np.minimum(here, there) - reach, np.maximum(here, there) + reach


def brute_carry(cells: dict[str, set[Cell]], carry: Carry) -> frozenset[str]:
    """What stands in the way of a carry, by the definition."""
    own = {cell for name in carry.bodies for cell in cells[name]}
    others = {n: c for n, c in cells.items() if n not in carry.bodies}
    for leg in carry.path:
        if isinstance(leg, Shift):
            for _ in range(leg.distance):
                own = {add(cell, leg.direction.vector) for cell in own}
                hit = {name for name, taken in others.items() if taken & own}
                if hit:
                    return frozenset(hit)
            continue
        turned = {add(leg.rotation.apply(cell), leg.offset) for cell in own}
        low, high = room_of(own, turned)
        hit = {
            name
            for name, taken in others.items()
            if any(((np.array(c) + 0.5 > low) & (np.array(c) - 0.5 < high)).all() for c in taken)
        }
        if hit:
            return frozenset(hit)
        own = turned
    return frozenset()


def random_carry(rng: random.Random, scene: Scene) -> Carry:
    names = [body.name for body in scene.bodies]
    group = rng.sample(names, rng.randint(1, max(1, len(names) - 1)))
    return Carry(frozenset(group), random_way(rng), False)


@pytest.mark.slow
def test_the_lattice_equals_brute_force_on_2000_carries(lattice: World) -> None:
    blocked = 0
    for rng, scene in walks(4, 500):
        lattice.reset(scene)
        cells = {body.name: set(body.place().cells) for body in scene.bodies}
        for _ in range(4):
            carry = random_carry(rng, scene)
            hit = brute_carry(cells, carry)
            report = lattice.execute([carry])
            assert (report.completed, report.contacts) == (not hit, hit), (scene, carry)
            blocked += bool(hit)
            if hit:
                continue
            for body in scene.bodies:
                if body.name in carry.bodies:
                    matrix = lattice.transforms()[body.name].astype(int)
                    homogeneous = np.array([(*cell, 1) for cell in body.shape.cells])
                    cells[body.name] = set(map(tuple, (homogeneous @ matrix.T)[:, :3].tolist()))
    assert 300 < blocked < 1700


@pytest.mark.slow
def test_bullet_equals_the_lattice_on_800_carries(lattice: World, bullet: World) -> None:
    """Where a turn is refused for want of room, Bullet may find that it just passes."""
    outcomes = {True: 0, False: 0}
    for rng, scene in walks(5, 200):
        for _ in range(4):
            lattice.reset(scene)
            bullet.reset(scene)
            carry = random_carry(rng, scene)
            exact, physical = lattice.execute([carry]), bullet.execute([carry])
            straight = all(isinstance(leg, Shift) for leg in carry.path)
            if straight or exact.completed:
                assert verdict(physical) == verdict(exact), (scene, carry)
                assert same(lattice.transforms(), bullet.transforms(), within=1e-9)
            outcomes[exact.completed] += 1
    assert min(outcomes.values()) > 100


def test_fcl_confirms_a_sample_of_sweeps(lattice: World) -> None:
    fcl = pytest.importorskip("fcl", reason="python-fcl is not installed")

    def hulls(body: Body) -> list[tuple[object, np.ndarray]]:
        return [(fcl.Box(0.9, 0.9, 0.9), np.array(cell, float)) for cell in body.place().cells]

    def collide(scene: Scene, sweep: Sweep, distance: float) -> set[str]:
        """Bodies hit when the swept ones have gone ``distance``: cells as smaller boxes."""
        by = np.array(sweep.direction.vector) * distance
        movers = [
            fcl.CollisionObject(box, fcl.Transform(centre + by))
            for body in scene.bodies
            if body.name in sweep.bodies
            for box, centre in hulls(body)
        ]
        group = fcl.DynamicAABBTreeCollisionManager()
        group.registerObjects(movers)
        group.setup()
        found = set()
        for body in scene.bodies:
            if body.name not in sweep.bodies:
                other = fcl.DynamicAABBTreeCollisionManager()
                other.registerObjects(
                    [fcl.CollisionObject(b, fcl.Transform(c)) for b, c in hulls(body)]
                )
                other.setup()
                data = fcl.CollisionData()
                group.collide(other, data, fcl.defaultCollisionCallback)
                if data.result.is_collision:
                    found.add(body.name)
        return found

    for rng, scene in walks(3, 100):
        lattice.reset(scene)
        sweep = random_sweep(rng, scene, farthest=4)
        report = lattice.execute([sweep])
        for unit in range(report.travel):
            assert not collide(scene, sweep, unit + 0.5), (scene, sweep)
        if not report.completed:
            assert collide(scene, sweep, report.travel + 0.5) == report.contacts, (scene, sweep)


def comb(teeth: int) -> Voxels:
    """A bar with teeth on it: as many boxes as teeth, and one more."""
    bar = [(x, 0, 0) for x in range(2 * teeth)]
    return Voxels.from_cells(bar + [(2 * k, 0, 1) for k in range(teeth)])


def test_bodies_of_more_than_sixteen_boxes_count_with_all_of_them(
    lattice: World, bullet: World
) -> None:
    # The block hangs between the teeth; PyBullet would forget the last teeth of one compound shape.
    for gap in (0, 9, 17, 21):
        block = named("block", Voxels.make_block((1, 1, 1)), (2 * gap + 1, 0, 1))
        scene = scene_of(named("comb", comb(22), (0, 0, 0)), block)
        for direction in Direction:
            for group in ({"comb"}, {"block"}):
                sweep = Sweep(frozenset(group), direction, 3)
                lattice.reset(scene)
                bullet.reset(scene)
                expected = verdict(lattice.execute([sweep]))
                assert verdict(bullet.execute([sweep])) == expected, (gap, sweep)


@pytest.mark.slow
def test_thirty_six_bodies_are_told_apart(lattice: World, bullet: World) -> None:
    shape = Voxels.parse(["##/#.", "#./.."])
    bodies = [
        named(f"b{x}{y}", shape, (3 * x, 3 * y, 0), loose=False) for x in range(6) for y in range(6)
    ]
    scene = scene_of(*bodies)
    lattice.reset(scene)
    bullet.reset(scene)
    rng = random.Random(36)
    for _ in range(200):
        sweep = random_sweep(rng, scene)
        assert verdict(bullet.execute([sweep])) == verdict(lattice.execute([sweep])), sweep
    assert same(lattice.transforms(), bullet.transforms())


def test_loose_bodies_stand_in_the_way_like_held_ones(lattice: World, bullet: World) -> None:
    def scene(loose: bool) -> Scene:
        return scene_of(
            named("bar", Voxels.make_block((4, 1, 1)), (0, 0, 0)),
            named("stone", Voxels.make_block((2, 2, 2)), (7, 0, 0), loose=loose),
        )

    sweep = Sweep(frozenset({"bar"}), Direction.PLUS_X, 5)
    for world in (lattice, bullet):
        for loose in (True, False):
            world.reset(scene(loose))
            before = world.transforms()
            assert verdict(world.execute([sweep])) == (False, 3, frozenset({"stone"}))
            assert same(world.transforms(), before)
