"""The rules of chambers behind the protocol that all families share."""

from collections.abc import Iterator

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.legal import list_actions
from pysim.families.portal.motions import list_motions
from pysim.families.portal.moves import apply_action
from pysim.families.portal.scene import make_scene
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.text import describe_state, write_instruction
from pysim.puzzle import Action, Level, Outcome, Plan, Transition
from pysim.scene import Scene

__all__ = ["PortalRules"]


class PortalRules:
    """See :class:`pysim.puzzle.Rules`."""

    def initial(self, level: Level[Chamber]) -> ChamberState:
        """Return all at their places, no gates."""
        return start_of(level.puzzle)

    def legal(self, level: Level[Chamber], state: ChamberState) -> Iterator[Action]:
        """See :mod:`pysim.families.portal.legal`."""
        return list_actions(level.puzzle, state)

    def apply(
        self, level: Level[Chamber], state: ChamberState, action: Action
    ) -> Transition[ChamberState]:
        """See the actions in :mod:`pysim.families.portal.actions`."""
        course = apply_action(level.puzzle, state, action)
        return Transition(course.state, list_motions(level.puzzle, state, course), None)

    def outcome(self, level: Level[Chamber], state: ChamberState) -> Outcome | None:
        """SOLVED when the agent rests in the exit."""
        return Outcome.SOLVED if state.agent == level.puzzle.exit else None

    def scene(self, level: Level[Chamber], state: ChamberState) -> Scene:
        """Return the room without its ceiling and the nearer walls."""
        return make_scene(level.puzzle, state)

    def goal_scene(self, level: Level[Chamber]) -> Scene | None:
        """None: the goal is a place."""
        return None

    def plan(self, level: Level[Chamber]) -> Plan | None:
        """See :mod:`pysim.families.portal.planner`."""
        from pysim.families.portal.planner import plan_for  # Not above: it is seldom needed.

        return plan_for(level.puzzle)

    def instruction(self, level: Level[Chamber]) -> str:
        """Return the task in words."""
        return write_instruction(level.puzzle)

    def describe(self, level: Level[Chamber], state: ChamberState) -> str:
        """Describe the state as the agent knows or sees it."""
        return describe_state(level.puzzle, state)

    def encode(self, state: ChamberState) -> str:
        """Agent, boxes, gates and timers."""
        return state.encode()
