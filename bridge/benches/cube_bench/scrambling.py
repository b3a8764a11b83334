"""Random streams and scrambled cubes."""

from dataclasses import dataclass
from random import Random

from bridge.benches.cube_bench.condition import Condition
from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.moves import Metric, Move, invert_moves
from pysim.families.rubik.solver import load_distance_table

__all__ = ["Scramble", "create_rng", "scramble", "start_of"]


@dataclass(frozen=True, slots=True)
class Scramble:
    """A scrambled cube.

    Attributes:
        moves: from the solved cube to it; a shortest way.
        cube: the cube.
    """

    moves: tuple[Move, ...]
    cube: Cube

    @property
    def teacher(self) -> tuple[Move, ...]:
        """The teacher plan: the inverse of the scramble."""
        return invert_moves(self.moves)


def create_rng(*parts: object) -> Random:
    """Random numbers that depend on some values alone; unlike values, independent numbers."""
    return Random("/".join(map(str, ("cube-bench", *parts))))


def scramble(depth: int, seed: int, metric: Metric) -> Scramble:
    """Return the scramble of a depth and a seed, the same for all tasks.

    Moves are drawn evenly, whole sequences anew until the cube is as far from home as there are
    moves: so the teacher plan is a shortest one.
    """
    random = create_rng("scramble", metric, depth, seed)
    while True:
        moves = tuple(random.choice(metric.moves) for _ in range(depth))
        cube = make_cube(moves)
        if load_distance_table(metric).find_distance(cube) == depth:
            return Scramble(moves, cube)


def start_of(condition: Condition, seed: int) -> Scramble:
    """Return the cube that a trial begins with: drawn, or the given one with that number, from 0.

    A given cube has a shortest solution of Luban's as the teacher's.
    """
    if condition.given is None:
        return scramble(condition.depth, seed, condition.metric)
    cube = condition.given.pick(seed).cube
    return Scramble(invert_moves(load_distance_table(condition.metric).plan(cube)), cube)
