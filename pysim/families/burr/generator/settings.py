"""Settings of the generators of locks, and their limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pysim.errors import InputError
from pysim.families.burr.generator import stacks
from pysim.families.burr.generator.boards import compute_least_length
from pysim.families.burr.generator.rods import measure_core
from pysim.families.burr.generator.rows import MAX_SIDE
from pysim.families.burr.generator.sequence import LEAST_CELLS
from pysim.families.burr.lock import LockKind
from pysim.puzzle import Fact

__all__ = ["LockKind", "Settings"]

MOST_CELLS = 4096
"""Cells of the largest box."""

MOST_ROUNDS = 1_000_000
"""Rounds of the longest climb."""

MOST_LEVEL = 1000
"""Moves up to the first separation that can be asked for."""

_PIECES = {
    LockKind.SIX_PIECE: (6, 6),
    LockKind.BOARD: (3, 6),
    LockKind.CUBE: (2, 12),
    LockKind.RODS: (3, 30),
}
_SEQUENTIAL_PIECES = (3, 48)
"""No more than there are colours for."""
_DEFAULT_PIECES = {LockKind.SIX_PIECE: 6, LockKind.BOARD: 6, LockKind.CUBE: 3, LockKind.RODS: 12}


@dataclass(frozen=True)
class Settings:
    """Settings of the locks to be made; those that can't be met raise InputError.

    Attributes:
        kind: six-piece burrs, boards or rods that cross, or boxes.
        seed: where random numbers come from, from 0.
        pieces: how many; 0 for what is usual.
        level: least number of moves up to the first separation.
        size: ``(n,)`` or, of a box, ``(x, y, z)``: length of sticks, rods and boards, or edge of
            the box; empty for what is usual.
        thickness: of boards, 1 or 2.
        sequential: a box whose pieces come out one after another, in one order only; of a climb,
            the box that it begins with.
        reflections: whether mirror images count as the same lock.
        climb: rounds of a search that goes on from the best lock so far; 0 for one annealing.
        stacked: 18 rods in two stacks in each direction, which reach higher levels.
    """

    kind: LockKind
    seed: int = 0
    pieces: int = 0
    level: int = 1
    size: tuple[int, ...] = field(default=())
    thickness: int = 1
    sequential: bool = False
    reflections: bool = False
    climb: int = 0
    stacked: bool = False

    def __post_init__(self) -> None:
        usual = stacks.RODS if self.stacked else _DEFAULT_PIECES[self.kind]
        object.__setattr__(self, "pieces", self.pieces or usual)
        self._check_stacked()
        self._check_pieces()
        object.__setattr__(self, "size", self.size or self._usual_size())
        self._check_size()
        if self.seed < 0:
            raise InputError(f"a seed is 0 or more, not {self.seed}")
        self._check_level()
        self._check_thickness()
        self._check_climb()
        if self.sequential and self.kind is not LockKind.CUBE:
            raise InputError(f"--sequential goes with the kind cube, not with {self.kind}")

    def _check_pieces(self) -> None:
        low, high = _SEQUENTIAL_PIECES if self.is_cut else _PIECES[self.kind]
        if low <= self.pieces <= high:
            return
        if self.kind is LockKind.SIX_PIECE:
            raise InputError(f"a six-piece burr has 6 pieces, not {self.pieces}")
        more = f"; with --sequential and without --climb, up to {_SEQUENTIAL_PIECES[1]}"
        hint = more if self.kind is LockKind.CUBE else ""
        raise InputError(
            f"the kind {self.kind} is made of {low} to {high} pieces, not {self.pieces}{hint}"
        )

    def _usual_size(self) -> tuple[int, ...]:
        match self.kind:
            case LockKind.SIX_PIECE:
                return (6,)
            case LockKind.RODS:
                return (self._rod_length,)
            case LockKind.BOARD:
                return (compute_least_length(self.pieces, self.thickness),)
            case LockKind.CUBE:
                return (8, 8, 8) if self.sequential else (4, 4, 4)

    def _check_size(self) -> None:
        if self.kind is LockKind.CUBE:
            self._check_box()
            return
        if len(self.size) != 1:
            raise InputError(f"the size of the kind {self.kind} is one number, a length")
        low = {
            LockKind.SIX_PIECE: 6,
            LockKind.RODS: self._rod_length,
            LockKind.BOARD: compute_least_length(self.pieces, self.thickness),
        }[self.kind]
        (length,) = self.size
        if not low <= length <= MAX_SIDE or length % 2:
            raise InputError(
                f"{self.pieces} pieces of the kind {self.kind} have an even length of {low} to "
                f"{MAX_SIDE - 1}, not {length}"
            )

    def _check_box(self) -> None:
        if len(self.size) == 1:
            object.__setattr__(self, "size", self.size * 3)
        if len(self.size) != 3:
            raise InputError("the size of a box is written as in 4 or 4x4x5")
        x, y, z = self.size
        if not all(2 <= edge <= MAX_SIDE for edge in self.size) or x * y * z > MOST_CELLS:
            raise InputError(
                f"a box has edges of 2 to {MAX_SIDE} cells and up to {MOST_CELLS:,} cells, "
                f"not {x}x{y}x{z}"
            )
        if x * y * z < 2 * LEAST_CELLS * self.pieces:
            raise InputError(f"a box of {x}x{y}x{z} is too small for {self.pieces} pieces")

    @property
    def _rod_length(self) -> int:
        """The shortest length of rods."""
        return stacks.LENGTH if self.stacked else measure_core(self.pieces) + 2

    def _check_stacked(self) -> None:
        if not self.stacked:
            return
        if self.kind is not LockKind.RODS:
            raise InputError(f"--stacked goes with the kind rods, not with {self.kind}")
        if self.pieces != stacks.RODS:
            raise InputError(f"{stacks.RODS} rods can be stacked, not {self.pieces}")
        if self.size not in ((), (stacks.LENGTH,)):
            raise InputError(f"stacked rods have the length {stacks.LENGTH}")

    def _check_thickness(self) -> None:
        if self.thickness not in (1, 2):
            raise InputError(f"boards are 1 or 2 thick, not {self.thickness}")
        if self.thickness == 2 and self.kind is not LockKind.BOARD:
            raise InputError(f"--thickness goes with the kind board, not with {self.kind}")
        if self.thickness == 2 and self.pieces > 3:
            raise InputError("more than 3 boards that are 2 thick can't move; make them 1 thick")

    def _check_level(self) -> None:
        if not 1 <= self.level <= MOST_LEVEL:
            raise InputError(
                f"a level is a number of moves from 1 to {MOST_LEVEL:,}, not {self.level}"
            )
        if self.is_cut and self.level > 1:
            raise InputError(
                "pieces that come out one by one make level 1; leave --level out, or climb from "
                "them with --climb"
            )
        if self.kind is LockKind.CUBE and self.level > 1 and min(self.size) < 3:
            raise InputError("a box less than 3 thick has no voids within, so its level is 1")

    def _check_climb(self) -> None:
        if not 0 <= self.climb <= MOST_ROUNDS:
            raise InputError(f"a climb has 0 to {MOST_ROUNDS:,} rounds, not {self.climb}")

    @property
    def is_cut(self) -> bool:
        """Whether pieces are cut one after another, and nothing is searched for."""
        return self.sequential and not self.climb

    @property
    def starts_apart(self) -> bool:
        """Whether the search begins with a lock that comes apart."""
        return self.stacked or (self.sequential and self.climb > 0)

    @property
    def words(self) -> str:
        """The size as it is written: ``6`` or ``4x4x5``."""
        return "x".join(map(str, self.size))

    @property
    def options(self) -> Mapping[str, Fact]:
        """All of them, by the names of the command line's options; some only if they are given."""
        given: dict[str, Fact] = {"climb": self.climb} if self.climb else {}
        if self.stacked:
            given["stacked"] = 1
        return {
            "kind": self.kind.value,
            "pieces": self.pieces,
            "level": self.level,
            "size": self.words,
            "seed": self.seed,
            "thickness": self.thickness,
            "sequential": int(self.sequential),
            "reflections": int(self.reflections),
            **given,
        }

    @property
    def command(self) -> str:
        """The command line that makes such locks, but for how many and where to."""
        words = [
            "luban generate burr",
            f"--kind {self.kind} --pieces {self.pieces} --level {self.level}",
            f"--size {self.words} --seed {self.seed}",
        ]
        if self.kind is LockKind.BOARD:
            words.append(f"--thickness {self.thickness}")
        words += ["--sequential"] * self.sequential + ["--reflections"] * self.reflections
        words += ["--stacked"] * self.stacked
        words += [f"--climb {self.climb}"] * bool(self.climb)
        return " ".join(words)
