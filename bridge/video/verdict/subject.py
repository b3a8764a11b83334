"""Subject of a video: the puzzle, its pieces, and the speed of the true film."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_type_hints

import numpy as np
from numpy.typing import NDArray

from bridge.recording.movers import has_surroundings, movers_of
from pysim.catalog import AnyLevel, find_family
from pysim.field_types import OUT, Colours, Distance, Steps
from pysim.geometry import Direction
from pysim.puzzle import Action
from pysim.scene import Colour, Scene

__all__ = ["SlideMaker", "Subject", "has_surroundings", "movers_of", "slides_of"]

_USUAL_SPEED = 8.0
"""Units a second, where no film says how fast pieces go."""


@dataclass(frozen=True, slots=True)
class SlideMaker:
    """A family's action that slides pieces along an axis, known by the kinds of its fields.

    Attributes:
        action: the type.
        pieces, direction, distance: names of its fields.
    """

    action: type[Action]
    pieces: str
    direction: str
    distance: str

    def slide(self, pieces: tuple[str, ...], direction: Direction, distance: int) -> Action:
        """Slide pieces so many units; 0 for as far as it takes to part them."""
        return self.action(
            **{
                self.pieces: tuple(map(Colour, pieces)),
                self.direction: direction,
                self.distance: Steps(distance) if distance else OUT,
            }
        )


def slides_of(level: AnyLevel) -> SlideMaker | None:
    """The family's slide; None where moves are of other kinds."""
    for action in find_family(level).actions:
        names = {kind: name for name, kind in get_type_hints(action).items() if name != "tool"}
        if set(names) == {Colours, Direction, Distance}:
            return SlideMaker(action, names[Colours], names[Direction], names[Distance])
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A level, and what is known of the film that shows it played.

    Attributes:
        level: the puzzle.
        speed: units a second that the fastest point of any piece goes in the true film.
        scene: how the puzzle stands at the start.
        cells: piece -> (m, 3) its cells in body coordinates.
        ground: body -> (m, 3) where the cells are of each that never moves, and is solid.
    """

    level: AnyLevel
    speed: float
    scene: Scene
    cells: Mapping[str, NDArray[np.float64]]
    ground: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    @staticmethod
    def of(level: AnyLevel, speed: float = _USUAL_SPEED) -> "Subject":
        """A level as its own rules show it."""
        rules = find_family(level).rules
        scene = rules.scene(level, rules.initial(level))
        movers = movers_of(level, scene)
        cells = {name: np.array(scene.find_body(name).shape.cells, np.float64) for name in movers}
        ground = {
            body.name: np.array(body.place().cells, np.float64)
            for body in scene.bodies
            if body.name not in movers and not body.translucent
        }
        return Subject(level, speed, scene, cells, ground)

    @property
    def names(self) -> tuple[str, ...]:
        """The pieces: all that may move."""
        return tuple(self.cells)
