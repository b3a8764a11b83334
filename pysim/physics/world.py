"""Protocol of worlds, and the report of a motion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pysim.errors import LubanError, MissingPackage
from pysim.motion import Motion
from pysim.scene import Scene
from pysim.trajectory import Trajectory, Transform

__all__ = ["Report", "World", "WorldError", "WorldUnavailable"]


class WorldError(LubanError, RuntimeError):
    """The engine behind a world failed, and where its bodies are is unknown; the message says why.

    Any method of a world whose engine can fail by itself may raise it.
    """


class WorldUnavailable(MissingPackage):
    """A world's engine is not installed; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """Report of executed motions.

    Attributes:
        completed: True if every motion went the whole way. If False, something stood in the way of
            a sweep, a carry or a turn; every body is back where it was.
        travel: whole units that the sweep went before something stood in the way (its distance
            when it completed; 0 when there was no sweep or it was not reached).
        measured: the same as the world measured it, in units; exact worlds give ``travel``.
        contacts: names of the bodies that stood in the way; empty when it completed.
        trajectory: how the bodies moved. A blocked motion shows the attempt and the way back.
        fallen: names of the bodies that came to rest more than a tenth of a unit away from where
            they were let go, or lay; empty in worlds in which nothing falls.
    """

    completed: bool
    travel: int
    measured: float
    contacts: frozenset[str]
    trajectory: Trajectory
    fallen: frozenset[str] = frozenset()


@runtime_checkable
class World(Protocol):
    """Executes motions of bodies and says what happened. It knows no rules of any puzzle.

    A world is used from one thread at a time. ``close`` may be called twice.
    """

    @property
    def name(self) -> str:
        """Short name: ``lattice``, ``bullet``, ``unity``."""

    @property
    def version(self) -> str:
        """Name and version of the engine, as written into logs."""

    def reset(self, scene: Scene) -> None:
        """Forget everything and build ``scene``.

        Raises:
            ValueError: bodies overlap, or a loose body has no table under it.
            RuntimeError: the world is closed.
        """

    def execute(self, motions: Sequence[Motion]) -> Report:
        """Do ``motions`` one after another; all or nothing.

        Raises, and changes nothing:
            KeyError: a motion names a body that is not in the scene.
            ValueError: more than one sweep, a sweep of nothing or of less than one unit, a turn of
                nothing or not by 1 to 3 quarters, a carry of nothing, with a leg that goes less
                than one unit or turns nothing, through the table, or so near to it that there is no
                room to turn, or a body let go where there is no table.
            RuntimeError: the world is closed, or has no scene yet.
        """

    def transforms(self) -> dict[str, Transform]:
        """Return the poses of all bodies now: name -> 4x4 transform."""

    def close(self) -> None:
        """Free the engine."""
