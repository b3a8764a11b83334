"""The exact world: integer cells, no tolerance, no time.

Cells are coded as one integer each, so that moving a body is adding a number and "who is there?"
is one dictionary look-up. A step of a six-piece lock costs some tens of microseconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Final

from pysim.geometry import (
    Axis,
    Bounds,
    Cell,
    Direction,
    Pose,
    Rotation,
    Sectors,
    Voxels,
    add,
    scale,
    subtract,
)
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Segment, Shift
from pysim.physics.requests import check_leg, check_motions, check_scene
from pysim.physics.swept_volume import SweptRings, measure_reach
from pysim.physics.world import Report
from pysim.scene import Scene
from pysim.trajectory import Film, PoseTransforms, Transform

__all__ = ["LatticeWorld"]

_STRIDE = 1 << 21
_LIMIT = 1 << 20
"""Coordinates stay below this in size, so that no two cells share a code."""


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """A shape in one rotation, about the body's origin; equal ones are the same object."""

    cells: tuple[Cell, ...]
    codes: tuple[int, ...]
    low: Cell
    high: Cell


_Part = tuple[_Turned, Cell]
"""A body in a rotation, and where its origin is, seen from a cell."""


@lru_cache(maxsize=1 << 12)
def _turn_shape(shape: Voxels, rotation: Rotation) -> _Turned:
    """Return a shape in one rotation."""
    turned = shape.rotate(rotation)
    codes = tuple(map(_code, turned.cells))
    return _Turned(turned.cells, codes, turned.bounds.low, turned.bounds.high)


class _Piece:
    """A body's shape, with its turned copies as they are asked for."""

    __slots__ = ("_turned", "shape")

    def __init__(self, shape: Voxels) -> None:
        self.shape = shape
        self._turned: dict[int, _Turned] = {}

    def rotate(self, rotation: Rotation) -> _Turned:
        known = self._turned.get(rotation.index)
        if known is None:
            known = self._turned[rotation.index] = _turn_shape(self.shape, rotation)
        return known

    def encode_cells(self, pose: Pose) -> list[int]:
        """Codes of the cells that it covers in ``pose``."""
        shift = _code(pose.offset)
        return [code + shift for code in self.rotate(pose.rotation).codes]

    def get_block(self, pose: Pose) -> Bounds:
        """Return the block around the cells that it covers in ``pose``."""
        turned = self.rotate(pose.rotation)
        return Bounds(add(turned.low, pose.offset), add(turned.high, pose.offset))

    def list_cells(self, pose: Pose) -> list[Cell]:
        """Return the cells that it covers in ``pose``."""
        return [add(cell, pose.offset) for cell in self.rotate(pose.rotation).cells]


class LatticeWorld:
    """Moves bodies cell by cell; see :class:`~pysim.physics.world.World`.

    All other bodies of the scene, held or loose, stand in the way of a sweep or a carry; the table
    does not stand in that of a sweep.
    Nothing falls: a body that is let go stays in its pose. ``measured`` equals ``travel``.
    """

    name: Final = "lattice"
    version: Final = "lattice 1"

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._closed = False
        self._pieces: dict[str, _Piece] = {}
        self._shapes: dict[str, Voxels] = {}
        self._poses: dict[str, Pose] = {}
        self._blocks: dict[str, Bounds] = {}
        self._cells: dict[str, list[int]] = {}
        self._owners: dict[int, str] = {}

    def reset(self, scene: Scene) -> None:
        """Forget everything and build ``scene``.

        Raises:
            ValueError: bodies overlap, a loose body has no table under it, or a body is more than
                a million units away. The world stays as it was.
        """
        self._require_open()
        check_scene(scene)
        pieces = {body.name: _Piece(body.shape) for body in scene.bodies}
        blocks = {body.name: pieces[body.name].get_block(body.pose) for body in scene.bodies}
        for block in blocks.values():
            _check_within(block)
        self._scene = scene
        self._pieces = pieces
        self._shapes = {body.name: body.shape for body in scene.bodies}
        self._poses = {body.name: body.pose for body in scene.bodies}
        self._blocks = blocks
        self._cells = {}
        self._owners = {}
        for body in scene.bodies:
            self._fill(body.name, pieces[body.name].encode_cells(body.pose))

    def execute(self, motions: Sequence[Motion]) -> Report:
        """Do ``motions`` one after another; all or nothing.

        Raises:
            KeyError: a motion names a body that is not in the scene.
            ValueError: the motions make no sense, or a body would go a million units away.
        """
        check_motions(self._require_scene(), self._shapes, motions)
        film = Film()
        before = dict(self._poses)
        travel = 0
        contacts: frozenset[str] = frozenset()
        try:
            for motion in motions:
                if isinstance(motion, Carry):
                    contacts = self._carry(motion, film)
                elif isinstance(motion, Turn):
                    contacts = self._turn(motion, film)
                else:
                    travel, contacts = self._sweep(motion, film)
                if contacts:
                    self._restore(before)
                    film.add_reverse()
                    return Report(False, travel, float(travel), contacts, film.build_trajectory())
        except ValueError:
            self._restore(before)
            raise
        return Report(True, travel, float(travel), frozenset(), film.build_trajectory())

    def transforms(self) -> dict[str, Transform]:
        """Return the poses of all bodies now: name -> 4x4 transform."""
        self._require_scene()
        return dict(PoseTransforms(self._poses))

    def close(self) -> None:
        """Forget the scene; the world can't be used any more."""
        self._closed = True
        self._scene = None

    def _sweep(self, sweep: Sweep, film: Film) -> tuple[int, frozenset[str]]:
        """Return units gone and what stood in the way; bodies move only if nothing did."""
        starts = {name: self._poses[name] for name in self._poses if name in sweep.bodies}
        way = scale(sweep.direction.vector, sweep.distance)
        blocks = {name: self._blocks[name].translate(way) for name in starts}
        for block in blocks.values():
            _check_within(block)
        codes = [code for name in starts for code in self._cells[name]]
        travel, contacts = self._free_units(sweep.bodies, sweep.direction, sweep.distance, codes)
        film.sweep(PoseTransforms(starts), sweep.direction, travel, free=not contacts)
        if not contacts:
            self._shift(list(starts), codes, _code(way))
            self._poses.update({name: pose.translate(way) for name, pose in starts.items()})
            self._blocks.update(blocks)
        return travel, contacts

    def _free_units(
        self, movers: frozenset[str], direction: Direction, distance: int, codes: list[int]
    ) -> tuple[int, frozenset[str]]:
        """Whole units before the first blocked one, and who is entered there."""
        step = _code(direction.vector)
        own = set(codes)
        front = [code for code in codes if code + step not in own]
        bodies: set[str | None] = {None, *movers}
        owner = self._owners.get
        for travel in range(distance):
            front = [code + step for code in front]
            culprits = set(map(owner, front)) - bodies
            if culprits:
                return travel, frozenset(name for name in culprits if name is not None)
        return distance, frozenset()

    def _shift(self, names: list[str], codes: list[int], shift: int) -> None:
        """Move bodies, whose cells are ``codes``, without looking at others."""
        owners, cells = self._owners, self._cells
        for code in codes:
            del owners[code]
        for name in names:
            self._fill(name, [code + shift for code in cells[name]])

    def _carry(self, carry: Carry, film: Film) -> frozenset[str]:
        """Carry the bodies and return the obstacles; bodies move only if there is none."""
        starts = {name: self._poses[name] for name in self._poses if name in carry.bodies}
        poses, gone, contacts = starts, list[Segment](), frozenset[str]()
        first = block = Bounds.cover(self._blocks[name] for name in poses)
        for leg in carry.path:
            there = check_leg(self._require_scene(), block, leg)
            _check_within(there)
            near = _near(leg.sweep_block(block), self._blocks) - carry.bodies
            free, contacts = self._along(leg, block, poses, near)
            gone += free
            if contacts:
                break
            poses, block = {name: leg.apply(pose) for name, pose in poses.items()}, there
        film.carry(PoseTransforms(starts), first, gone)
        if not contacts:
            self._move(poses)
        return contacts

    def _along(
        self, leg: Segment, block: Bounds, poses: dict[str, Pose], near: frozenset[str]
    ) -> tuple[list[Segment], frozenset[str]]:
        """As much of a leg as is free, and what stands in the way; cell by cell."""
        if not near:
            return [leg], frozenset()
        if isinstance(leg, Shift):
            codes = [
                c for name, pose in poses.items() for c in self._pieces[name].encode_cells(pose)
            ]
            movers = frozenset(poses)
            free, hit = self._free_units(movers, leg.direction, leg.distance, codes)
            return ([Shift(leg.direction, free)] if free else []), hit
        room = leg.sweep_block(block)
        hit = frozenset(
            name
            for name in near
            if any(map(room.has_cell, self._pieces[name].list_cells(self._poses[name])))
        )
        return ([] if hit else [leg]), hit

    def _move(self, goals: dict[str, Pose]) -> None:
        """Put bodies elsewhere; all leave before any comes."""
        for name in goals:
            self._clear(name)
        for name, pose in goals.items():
            self._fill(name, self._pieces[name].encode_cells(pose))
            self._blocks[name] = self._pieces[name].get_block(pose)
        self._poses.update(goals)

    def _turn(self, turn: Turn, film: Film) -> frozenset[str]:
        """Return the bodies that are in the way; nothing turns if there are any."""
        starts = {name: self._poses[name] for name in self._poses if name in turn.bodies}
        goals = {name: turn.apply(pose) for name, pose in starts.items()}
        for name, pose in goals.items():
            _check_within(self._pieces[name].get_block(pose))
        parts = [self._find_part(name, turn.centre) for name in starts]
        reach = max(_measure_reach(turn.axis, part) for part in parts)
        contacts = frozenset(
            name
            for name in self._list_near(turn, starts, reach)
            if _is_met(turn, parts, self._find_part(name, turn.centre))
        )
        film.turn(PoseTransforms(starts), turn, reach, free=not contacts)
        if not contacts:
            self._move(goals)
        return contacts

    def _find_part(self, name: str, centre: Cell) -> _Part:
        """Return a body as it stands, seen from a cell."""
        pose = self._poses[name]
        return self._pieces[name].rotate(pose.rotation), subtract(pose.offset, centre)

    def _list_near(self, turn: Turn, turning: Mapping[str, Pose], reach: float) -> list[str]:
        """Return the other bodies whose blocks reach into the cylinder around all that turns."""
        k = turn.axis.number
        low = min(self._blocks[name].low[k] for name in turning)
        high = max(self._blocks[name].high[k] for name in turning)
        return [
            name
            for name, block in self._blocks.items()
            if block.low[k] <= high
            and low <= block.high[k]
            and name not in turning
            and _measure_distance(turn.axis, block, turn.centre) < reach
        ]

    def _restore(self, poses: dict[str, Pose]) -> None:
        """Put every body back; all leave before any comes, since they may have swapped cells."""
        self._move({name: pose for name, pose in poses.items() if self._poses[name] is not pose})

    def _clear(self, name: str) -> None:
        for code in self._cells[name]:
            del self._owners[code]

    def _fill(self, name: str, codes: list[int]) -> None:
        self._cells[name] = codes
        self._owners.update(dict.fromkeys(codes, name))

    def _require_open(self) -> None:
        if self._closed:
            raise RuntimeError("this world is closed")

    def _require_scene(self) -> Scene:
        self._require_open()
        if self._scene is None:
            raise RuntimeError("this world has no scene yet: call reset first")
        return self._scene


def _code(cell: Cell) -> int:
    """Return the cell as one number; sums of codes are codes of sums."""
    return cell[0] + _STRIDE * (cell[1] + _STRIDE * cell[2])


def _is_met(turn: Turn, parts: Sequence[_Part], other: _Part) -> bool:
    """Return whether any of the bodies that turn gets into another one."""
    quarters = turn.quarters if turn.hinged else 0
    return any(_gets_into(turn.axis, quarters, part, other) for part in parts)


@lru_cache(maxsize=1 << 16)
def _gets_into(axis: Axis, quarters: int, part: _Part, other: _Part) -> bool:
    """Return whether a body that turns gets into another one; the centre is the origin.

    Args:
        quarters: right-handed quarter turns of a hinge; 0 for a ring that must be free all round.
    """
    origin, cells = (0, 0, 0), _list_part_cells(part)
    passed = Sectors(axis, origin, cells, quarters) if quarters else SweptRings(axis, origin, cells)
    return any(map(passed.overlaps, _list_part_cells(other)))


@lru_cache(maxsize=1 << 14)
def _measure_reach(axis: Axis, part: _Part) -> float:
    """Measure the reach of a body from an axis through the origin, in units."""
    return measure_reach(axis, (0, 0, 0), _list_part_cells(part))


def _list_part_cells(part: _Part) -> list[Cell]:
    turned, offset = part
    return [add(cell, offset) for cell in turned.cells]


def _measure_distance(axis: Axis, block: Bounds, centre: Cell) -> float:
    """Measure the distance of a block from an axis, in units."""
    low, high = subtract(block.low, centre), subtract(block.high, centre)
    across = [i for i in range(3) if i != axis.number]
    return hypot(*(max(0.0, low[i] - 0.5, -high[i] - 0.5) for i in across))


def _near(room: Bounds, blocks: dict[str, Bounds]) -> frozenset[str]:
    """Return the bodies whose blocks reach into ``room``."""
    return frozenset(name for name, block in blocks.items() if room.is_overlapping(block))


def _check_within(block: Bounds) -> None:
    if min(block.low) <= -_LIMIT or max(block.high) >= _LIMIT:
        raise ValueError(f"a body stays within {_LIMIT:,} units of the origin")
