"""What has been done in a video so far, and what is being done."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.reading import Deed
from bridge.compare.roaming.passages import Passage, Quiet
from bridge.compare.turning.paths import Path
from pysim.field_types import encode_arguments
from pysim.puzzle import Action

__all__ = ["Story"]

_Array = NDArray[np.float64]

_HIDDEN = 3
"""Actions of the known plan of which the first ones may be hidden."""


@dataclass(frozen=True, slots=True, eq=False)
class Story:
    """Where a puzzle is in its moves.

    Attributes:
        state: of its rules, at the last rest.
        rest: (P, 4, 4) poses there.
        deeds: what led to it.
        plan: what of the known plan has not been done.
        passage: what is being done; None at rest.
        way: units along it.
        since: the frame in which that began, or the rest.
        before: the story at the rest before; None at the start.
    """

    state: Any
    rest: _Array
    deeds: tuple[Deed, ...]
    plan: tuple[Action, ...]
    passage: Passage | None = None
    way: float = 0.0
    since: int = 0
    before: "Story | None" = None

    @property
    def poses(self) -> _Array:
        """(P, 4, 4) where pieces are."""
        return self.rest if self.passage is None else self.passage.path.at(self.way)

    @property
    def at_rest(self) -> "Story":
        """The same before what is being done."""
        return replace(self, passage=None, way=0.0)

    def on(self, passage: Passage, way: float, frame: int) -> "Story":
        """Some units along what may be done from here; what is over is done."""
        if way <= 0.0:
            return replace(self.at_rest, since=frame)
        story = self if passage is self.passage else replace(self.at_rest, since=frame)
        for number, (step, end) in enumerate(zip(passage.steps, passage.ends, strict=True)):
            if way < end and not number:
                return replace(story, passage=passage, way=way)
            if way < end:
                left = Passage.of(passage.steps[number:])
                return replace(story, passage=left, way=way - passage.ends[number - 1])
            story = story._done(step, frame)
        return story

    def awaits(self, action: Action) -> bool:
        """Whether an action is what the known plan does next, or after what may be hidden."""
        return action in self.plan[:_HIDDEN]

    def is_planned(self, passage: Passage) -> bool:
        """Whether something begins with such an action."""
        action = passage.steps[0].action
        return action is not None and self.awaits(action)

    def as_in(self, other: "Story") -> "Story":
        """The same, with what was done at the same place in another story done at that time."""
        known, left = [], other.deeds
        for deed in self.deeds:
            place = next((k for k, old in enumerate(left) if old.is_same(deed)), -1)
            known.append(left[place] if place >= 0 else deed)
            left = left[place + 1 :]
        return replace(self, deeds=tuple(known))

    def told(self, quiet: Quiet, rest: _Array, frame: int) -> "Story":
        """After an action that moves nothing."""
        path = Path(quiet.action, (), rest, rest, quiet.state)
        return replace(self.at_rest, since=frame)._done(path, frame)

    def _done(self, step: Path, frame: int) -> "Story":
        assert step.action is not None
        words = type(step.action).tool, encode_arguments(step.action)
        deed = Deed(*words, min(self.since, frame), frame)
        left = list(self.plan)
        if step.action in left:
            left.remove(step.action)
        return Story(
            step.state,
            step.after,
            (*self.deeds, deed),
            tuple(left),
            since=frame,
            before=self.at_rest,
        )
