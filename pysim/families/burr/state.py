"""Places of the pieces of a lock."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pysim.families.burr.lock import Goal, Lock
from pysim.geometry import IDENTITY, Pose, Rotation
from pysim.geometry.resting import find_stable_rotation

__all__ = ["Held", "LockState", "Loose", "Whereabouts", "make_initial_state"]


@dataclass(frozen=True)
class Held:
    """Held in the air, as part of a group of pieces that have not been separated.

    Attributes:
        bench: number of the bench on which the group is held; bench 0 is where the lock starts.
        pose: where the piece is, relative to its bench.
    """

    bench: int
    pose: Pose

    @cached_property
    def word(self) -> str:
        """The place in the canonical text of a state."""
        x, y, z = self.pose.offset
        return f"h{self.bench}:{self.pose.rotation.index}:{x},{y},{z}"


@dataclass(frozen=True)
class Loose:
    """Separated from all others, lying in the piece's own place on the table."""

    rotation: Rotation

    @cached_property
    def word(self) -> str:
        """The place in the canonical text of a state."""
        return f"t:{self.rotation.index}"


Whereabouts = Held | Loose


@dataclass(frozen=True)
class LockState:
    """One place for each piece, in the lock's order."""

    places: tuple[Whereabouts, ...]

    def find_bench(self, piece: int) -> int | None:
        """Return the bench on which a piece is held, or None if it is loose."""
        place = self.places[piece]
        return place.bench if isinstance(place, Held) else None

    def group(self, bench: int) -> tuple[int, ...]:
        """Return the pieces held on a bench, in order."""
        return self._groups.get(bench, ())

    def list_groups(self) -> list[list[int]]:
        """Return the pieces held on each bench, in order."""
        return list(map(list, self._groups.values()))

    def list_benches(self) -> tuple[int, ...]:
        """Return the benches in use, in order."""
        return tuple(sorted(self._groups))

    @cached_property
    def benches(self) -> Mapping[int, Mapping[int, Pose]]:
        """Bench -> the pieces held on it, in order, and their poses; benches by first pieces."""
        found: dict[int, dict[int, Pose]] = {}
        for i, place in enumerate(self.places):
            if isinstance(place, Held):
                found.setdefault(place.bench, {})[i] = place.pose
        return found

    @cached_property
    def _groups(self) -> Mapping[int, tuple[int, ...]]:
        return {bench: tuple(poses) for bench, poses in self.benches.items()}

    def replace_places(self, changed: Mapping[int, Whereabouts]) -> "LockState":
        """This state with some pieces elsewhere."""
        return LockState(tuple([changed.get(i, p) for i, p in enumerate(self.places)]))

    def free_bench(self) -> int:
        """Return the lowest number of a bench not in use."""
        used = self.list_benches()
        return next(b for b in range(len(used) + 1) if b not in used)

    def encode(self) -> str:
        """Return a canonical text: one word per piece, in order."""
        return " ".join([place.word for place in self.places])


def make_initial_state(lock: Lock) -> LockState:
    """Assembled on bench 0, or for the goal ``assemble`` every piece loose, as it was drawn."""
    if lock.goal is Goal.ASSEMBLE:
        return LockState(tuple(Loose(find_stable_rotation(p.shape, IDENTITY)) for p in lock.pieces))
    return LockState(tuple(Held(0, p.home) for p in lock.pieces))
