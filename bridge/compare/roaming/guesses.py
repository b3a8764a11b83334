"""What may be going on next, and what else may have gone on while nothing was seen."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bridge.compare.roaming.options import Option, PassageScales
from bridge.compare.roaming.passages import Branches, Passage, Quiet
from bridge.compare.roaming.story import Story

__all__ = ["Guesses"]

_AHEAD = 10
"""Actions of the known plan that are looked ahead."""
_SKIPPED = 3
"""Of these the first may have been done otherwise."""
_BACK = 3
"""Rests from which on it may have gone otherwise while nothing was seen."""
_PAIRS = 300
"""Pairs of actions that are tried then."""
_OVER = 1.5
"""Units before the end of something at which it is looked what may follow at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """What may be going on in a picture.

    Attributes:
        branches: what the rules allow in each state.
        scales: of the picture.
        verdicts: whether signs speak for each change that an action makes.
    """

    branches: Branches
    scales: PassageScales
    verdicts: Callable[[Quiet], list[bool | None]]

    def next(self) -> Iterator[Option]:
        """What may be done from the last rest, and what may follow at once."""
        story = self.scales.story
        for passage in self.branches.moving(story.state):
            if passage is not story.passage:
                yield Option(story.at_rest, passage, story.way)
        if story.passage is not None and story.way > story.passage.ends[0] - _OVER:
            first = story.passage.steps[0]
            for passage in self.branches.moving(first.state):
                yield Option(story.at_rest, Passage.of([first, *passage.steps]), story.way)

    def explanations(self) -> Iterator[Iterator[Option]]:
        """What may be going on where much is hidden, the likeliest first."""
        yield self.next()
        yield self._planned(self.scales.story.at_rest)
        yield self._after_quiet()
        story = self.scales.story.before
        for _ in range(_BACK):
            yield self._planned(story)
            story = None if story is None else story.before
        yield self._in_hiding()

    def _planned(self, story: Story | None) -> Iterator[Option]:
        """The known plan goes on from a rest, though it may be that the next was done before."""
        if story is None:
            return
        for skipped in range(_SKIPPED):
            actions = story.plan[skipped : skipped + _AHEAD]
            steps = list(self.branches.along(story.state, actions))
            steps = steps[: self._told_so_far(story, [step.state for step in steps])]
            if steps and Passage.of(steps).length > 0.0:
                yield Option(story, Passage.of(steps), 0.0)

    def _told_so_far(self, story: Story, states: Sequence[Any]) -> int:
        """How many of the next actions no sign contradicts that would be seen."""
        before = story.state
        for number, state in enumerate(states):
            for quiet in self.branches.quiet(before):
                same = self.branches.code(quiet.state) == self.branches.code(state)
                if same and False in self.verdicts(quiet):
                    return number
            before = state
        return len(states)

    def _after_quiet(self) -> Iterator[Option]:
        """What can be done only after an action that moves nothing, and may not be seen."""
        story = self.scales.story.at_rest
        usual = {passage.steps[0].action for passage in self.branches.moving(story.state)}
        for quiet in self.branches.quiet(story.state):
            if False in self.verdicts(quiet):
                continue
            first = next(self.branches.along(story.state, [quiet.action]))
            for passage in self.branches.moving(quiet.state):
                if passage.steps[0].action not in usual:
                    yield Option(story, Passage.of([first, *passage.steps]), 0.0)

    def _in_hiding(self) -> Iterator[Option]:
        """What can be done after something of which nothing is seen."""
        story, pairs = self.scales.story.at_rest, 0
        for first in self.branches.moving(story.state):
            hidden = self.scales.hides(first)
            for second in self.branches.moving(first.path.state) if hidden else ():
                yield Option(story, Passage.of([*first.steps, *second.steps]), 0.0)
                pairs += 1
                if pairs >= _PAIRS:
                    return

    def longer(self, best: Option, still: float) -> Option:
        """Of what looks the same so far, what takes longest: it may not be over yet.

        Args:
            still: units by which poses may differ that look the same.
        """
        if best.story.is_planned(best.passage) or len(best.passage.steps) > 1:
            return best
        poses, found = best.passage.path.after, best.passage
        for passage in self.branches.moving(best.story.state):
            same = np.abs(passage.path.at(best.way) - poses).max() < still
            if same and passage.length > found.length:
                found = passage
        return Option(best.story, found, best.way, best.cost, best.seen)

    def told(self) -> Quiet | None:
        """The action of which all signs speak that are seen; None if there are several."""
        story, speaking = self.scales.story, []
        for quiet in self.branches.quiet(story.state):
            verdicts = self.verdicts(quiet)
            if True in verdicts and False not in verdicts:
                speaking.append((verdicts.count(True), quiet))
        most = [q for count, q in speaking if count == max(c for c, _ in speaking)]
        chosen = [quiet for quiet in most if story.awaits(quiet.action)] or most
        return chosen[0] if len(chosen) == 1 else None
