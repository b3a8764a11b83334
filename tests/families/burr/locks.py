"""Locks to test with."""

import random
from collections.abc import Sequence
from itertools import product

from pysim.catalog import compute_content_hash, discover_families
from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.lock import Goal, Lock, Piece
from pysim.families.burr.notches import make_stick
from pysim.families.burr.sixpiece import enumerate_six_piece_assemblies
from pysim.geometry import (
    IDENTITY,
    Cell,
    Direction,
    Pose,
    Rotation,
    Voxels,
    add,
    list_rotations,
    scale,
)
from pysim.puzzle import Level, Source, Tier
from pysim.scene import Colour

__all__ = [
    "COLOURS",
    "LockLevel",
    "drawn",
    "keyhole",
    "keyhole_design",
    "level_of",
    "random_lock",
    "six_piece_lock",
]

COLOURS = tuple(map(Colour, ("red", "blue", "yellow", "green", "orange", "purple")))
LockLevel = Level[Lock]


def level_of(lock: Lock, budget: int = 60) -> LockLevel:
    return Level(
        id="burr-test",
        family="burr",
        name="Test",
        tier=Tier.EASY,
        budget=budget,
        puzzle=lock,
        colours=tuple(piece.colour for piece in lock.pieces),
        plan=None,
        source=Source("luban", "made by a test"),
        hash=compute_content_hash(discover_families()["burr"], lock, budget),
    )


def drawn(goal: Goal, *pieces: tuple[Sequence[str], Cell]) -> LockLevel:
    """A level of pieces that are drawn in layers, each with its low corner when assembled."""
    shapes = [(Voxels.parse(layers).move_to_origin(), corner) for layers, corner in pieces]
    return level_of(
        Lock(
            tuple(
                Piece(colour, shape, Pose(IDENTITY, corner))
                for colour, (shape, corner) in zip(COLOURS, shapes, strict=False)
            ),
            goal,
        )
    )


def six_piece_lock(numbers: Sequence[int], goal: Goal, length: int = 6, which: int = 0) -> Lock:
    poses = list(enumerate_six_piece_assemblies(numbers, length))[which]
    return Lock(
        tuple(
            Piece(colour, make_stick(number, length), pose, number)
            for colour, number, pose in zip(COLOURS, numbers, poses, strict=True)
        ),
        goal,
    )


def random_lock(rng: random.Random, goal: Goal, count: int, size: Cell = (3, 3, 3)) -> Lock:
    """Winding pieces grown in a small block until it is nearly full; turned in their own frames."""
    free = {(x, y, z) for x in range(size[0]) for y in range(size[1]) for z in range(size[2])}
    grown = [[cell] for cell in rng.sample(sorted(free), count)]
    free.difference_update(cell for cells in grown for cell in cells)
    for _ in range(rng.randint(3, 8) * len(free)):
        cells = rng.choice(grown)
        cell = add(rng.choice(cells), rng.choice(list(Direction)).vector)
        if cell in free:
            free.discard(cell)
            cells.append(cell)
    return Lock(
        tuple(
            _turned(colour, cells, rng.choice(list_rotations()))
            for colour, cells in zip(COLOURS, grown, strict=False)
        ),
        goal,
    )


def _turned(colour: Colour, cells: list[Cell], rotation: Rotation) -> Piece:
    there = Voxels.from_cells(cells)
    shape = there.rotate(rotation.inverse).move_to_origin()
    return Piece(colour, shape, Pose.place_corner(shape, rotation, there.bounds.low))


def keyhole(room: int, along: str) -> tuple[list[Cell], list[Cell]]:
    """A bar of three in a flat room of a case; the slot above runs along y."""
    middle = room // 2 + 1
    hollow = {(x, y, 1) for x in range(1, room + 1) for y in range(1, room + 1)}
    hollow |= {(middle, middle + k, 2) for k in (-1, 0, 1)}
    block = product(range(room + 2), range(room + 2), range(3))
    step = (1, 0, 0) if along == "x" else (0, 1, 0)
    bar = [add((middle, middle, 1), scale(step, k)) for k in (-1, 0, 1)]
    return [cell for cell in block if cell not in hollow], bar


def keyhole_design(room: int, along: str, group: int = 0) -> Design:
    """The same as a design; both pieces are of one group."""
    pieces = [Voxels.from_cells(cells) for cells in keyhole(room, along)]
    whole = Voxels.from_cells([*pieces[0].cells, *pieces[1].cells])
    shapes = [DrawnShape(v.bounds.size, v.move_to_origin().cell_set) for v in (whole, *pieces)]
    parts = (PartUse(1, 1, 1, group), PartUse(2, 1, 1, group))
    return Design(tuple(shapes), (Problem("", parts, 0),))
