"""What may come next in a place where much is hidden: one action, or several on end.

Actions that move nothing are told by signs; those whose signs are hidden are told by what can't be
done without them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.compare.roaming.signs import SignChange, changes_between
from bridge.compare.turning.paths import Path, path_of
from pysim.catalog import AnyLevel, find_family
from pysim.puzzle import Action, IllegalMove
from pysim.scene import Body

__all__ = ["Branches", "Passage", "Quiet"]

_Array = NDArray[np.float64]

_MOST = 400
"""Legal actions that are looked at in one state."""


@dataclass(frozen=True, slots=True, eq=False)
class Quiet:
    """An action that moves nothing.

    Attributes:
        action: which.
        state: after it.
        changes: of signs.
    """

    action: Action
    state: Any
    changes: tuple[SignChange, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Actions on end.

    Attributes:
        steps: what each of them does; some may move nothing.
        path: all of it.
        ends: units along it at which each of them is over.
    """

    steps: tuple[Path, ...]
    path: Path
    ends: tuple[float, ...]

    @staticmethod
    def of(steps: Sequence[Path]) -> "Passage":
        """Some steps, the next of which begins where one ends."""
        legs = tuple(leg for step in steps for leg in step.legs)
        whole = Path(None, legs, steps[0].before, steps[-1].after, steps[-1].state)
        return Passage(tuple(steps), whole, tuple(accumulate(step.length for step in steps)))

    def within(self, way: float) -> tuple[Path, float]:
        """In which step it is, and how far along that."""
        number = next((n for n, end in enumerate(self.ends) if way < end), len(self.ends) - 1)
        return self.steps[number], way - self.ends[number] + self.steps[number].length

    @property
    def length(self) -> float:
        """Units that the farthest point goes."""
        return self.ends[-1]


class Branches:
    """What may come next in each state, worked out once.

    Args:
        level: the puzzle.
        names: of the pieces, in the order of poses.
        still: of what never moves.
    """

    def __init__(self, level: AnyLevel, names: tuple[str, ...], still: tuple[str, ...]) -> None:
        self._level, self._names, self._still = level, names, still
        self._rules = find_family(level).rules
        self._known: dict[str, tuple[tuple[Passage, ...], tuple[Quiet, ...]]] = {}

    @property
    def initial(self) -> Any:
        """The state at the start."""
        return self._rules.initial(self._level)

    def moving(self, state: Any) -> tuple[Passage, ...]:
        """What each action does that moves anything; of several that look the same the first."""
        return self._of(state)[0]

    def quiet(self, state: Any) -> tuple[Quiet, ...]:
        """The actions that move nothing."""
        return self._of(state)[1]

    def code(self, state: Any) -> str:
        """The state as a word."""
        return self._rules.encode(state)

    def _of(self, state: Any) -> tuple[tuple[Passage, ...], tuple[Quiet, ...]]:
        code = self._rules.encode(state)
        if code not in self._known:
            self._known[code] = self._found(state)
        return self._known[code]

    def _found(self, state: Any) -> tuple[tuple[Passage, ...], tuple[Quiet, ...]]:
        scene = self._rules.scene(self._level, state)
        moving: dict[object, Passage] = {}
        quiet = []
        for action in islice(self._rules.legal(self._level, state), _MOST):
            done = self._rules.apply(self._level, state, action)
            if not done.motions:
                after = self._rules.scene(self._level, done.state)
                changes = changes_between(scene, after, self._still)
                quiet.append(Quiet(action, done.state, changes))
            elif done.motions not in moving:
                path = path_of(self._level, state, action, self._names)
                if path.length > 0.0:
                    moving[done.motions] = Passage.of([path])
        return tuple(moving.values()), tuple(quiet)

    def lights(self, plan: Sequence[Action]) -> list[Body]:
        """All that one sees through, and that is there at times while a plan is followed."""
        states = [self.initial, *(path.state for path in self.along(self.initial, plan))]
        scenes = [self._rules.scene(self._level, state) for state in states]
        clear = [body for scene in scenes for body in scene.scenery if body.translucent]
        return list({(body.name, body.shape): body for body in clear}.values())

    def along(self, state: Any, actions: Sequence[Action]) -> Iterator[Path]:
        """What some actions do, one after the other, as far as they are legal."""
        for action in actions:
            try:
                path = path_of(self._level, state, action, self._names)
            except IllegalMove:
                return
            yield path
            state = path.state
