"""Places of the cubies, and the observer's viewpoint."""

from dataclasses import dataclass, field, replace

from pysim.families.rubik.choices import ViewShift
from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.moves import Move
from pysim.families.rubik.strings import format_cube
from pysim.geometry import IDENTITY, Axis, Direction, Rotation, make_quarter_turn

__all__ = ["CubeState"]


@dataclass(frozen=True, slots=True)
class CubeState:
    """A moment of play.

    Attributes:
        cube: the cube.
        gaze: how an observer is turned who looked at face F at first, U above: where what is right
            of him, behind the cube and above points in the world.
        spins: (6,) clockwise quarter turns that the centre of each face U R F D L B has made, 0 to
            3. A centre looks the same however it is turned, so states that differ in nothing else
            are equal; worlds turn it with its layer all the same.
    """

    cube: Cube
    gaze: Rotation = IDENTITY
    spins: tuple[int, ...] = field(default=(0,) * 6, compare=False)

    def turn(self, move: Move) -> "CubeState":
        """Return the state after a turn of a face."""
        number = move.face.number
        spin = (self.spins[number] + move.turns) % 4
        spins = (*self.spins[:number], spin, *self.spins[number + 1 :])
        return replace(self, cube=self.cube.compose(turn_of(move)), spins=spins)

    def shift(self, shift: ViewShift) -> "CubeState":
        """Return the same cube, seen from a neighbouring side."""
        return replace(self, gaze=self.gaze.compose(_SHIFTS[shift]))

    def encode(self) -> str:
        """Return a canonical text: the letters, and how the observer is turned."""
        return f"{format_cube(self.cube)} {self.gaze.index}"

    @property
    def front(self) -> Direction:
        """The side that is looked at."""
        return _direction(self.gaze, Direction.MINUS_Y)

    @property
    def above(self) -> Direction:
        """The side that is above it."""
        return _direction(self.gaze, Direction.PLUS_Z)

    @property
    def right(self) -> Direction:
        """The side that is right of it."""
        return _direction(self.gaze, Direction.PLUS_X)


_SHIFTS = {
    ViewShift.UP: make_quarter_turn(Axis.X, 3),
    ViewShift.DOWN: make_quarter_turn(Axis.X, 1),
    ViewShift.LEFT: make_quarter_turn(Axis.Z, 3),
    ViewShift.RIGHT: make_quarter_turn(Axis.Z, 1),
}


def _direction(gaze: Rotation, side: Direction) -> Direction:
    vector = gaze.apply(side.vector)
    return next(direction for direction in Direction if direction.vector == vector)
