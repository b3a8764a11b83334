"""Two counters on a rail: get the red one to its place. A family of another package."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from pysim.geometry import HOME, Direction, Pose, Voxels
from pysim.motion import Sweep
from pysim.puzzle import (
    Action,
    FactColumn,
    Family,
    Flaw,
    IllegalMove,
    InvalidAction,
    Level,
    Outcome,
    Plan,
    PreviewPanel,
    Proof,
    Reason,
    Transition,
)
from pysim.scene import Body, Colour, Scene

__all__ = ["FAMILY"]

COLOURS = (Colour("red"), Colour("blue"))
CELL = Voxels.from_cells([(0, 0, 0)])


class RailWay(StrEnum):
    """A kind of field that only this family has."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Rail:
    """A rail of ``length`` cells, where the counters are on it, and where red belongs."""

    length: int
    start: tuple[int, int]
    goal: int

    def __post_init__(self) -> None:
        if not 3 <= self.length <= 12 or len(set(self.start)) < 2:
            raise ValueError("a rail has 3 to 12 cells and two counters on different ones")
        if not all(0 <= x < self.length for x in (*self.start, self.goal)):
            raise ValueError("a counter or its place is off the rail")


@dataclass(frozen=True, slots=True)
class Nudge(Action):
    """Push a counter one cell along the rail."""

    tool: ClassVar[str] = "nudge"

    piece: Colour = field(metadata={"doc": "The counter."})
    way: RailWay = field(metadata={"doc": "Where to: left or right."})


State = tuple[int, int]


def drawn(rail: Rail, state: State) -> Scene:
    places = zip(COLOURS, state, strict=True)
    bodies = [Body(c, CELL, Pose(HOME.rotation, (x, 0, 0)), c) for c, x in places]
    return Scene(tuple(bodies), Voxels.from_cells((x, 0, 0) for x in range(rail.length)).bounds)


class ToyRules:
    """See :class:`pysim.puzzle.Rules`."""

    def initial(self, level: Level[Rail]) -> State:
        return level.puzzle.start

    def legal(self, level: Level[Rail], state: State) -> Iterator[Action]:
        for piece in COLOURS:
            for way in RailWay:
                if self._after(level.puzzle, state, piece, way) is not None:
                    yield Nudge(piece, way)

    def apply(self, level: Level[Rail], state: State, action: Action) -> Transition[State]:
        assert isinstance(action, Nudge)
        if action.piece not in COLOURS:
            raise InvalidAction(Reason.UNKNOWN_COLOUR, f"there is no {action.piece}")
        after = self._after(level.puzzle, state, action.piece, action.way)
        if after is None:
            raise IllegalMove(Reason.BLOCKED, f"{action.piece} can't go {action.way}")
        towards = Direction.PLUS_X if action.way is RailWay.RIGHT else Direction.MINUS_X
        return Transition(after, (Sweep(frozenset({action.piece}), towards, 1),), 1)

    def outcome(self, level: Level[Rail], state: State) -> Outcome | None:
        return Outcome.SOLVED if state[0] == level.puzzle.goal else None

    def scene(self, level: Level[Rail], state: State) -> Scene:
        return drawn(level.puzzle, state)

    def goal_scene(self, level: Level[Rail]) -> Scene | None:
        return None

    def plan(self, level: Level[Rail]) -> Plan | None:
        ways: dict[State, tuple[Action, ...]] = {self.initial(level): ()}
        queue = deque(ways)
        while queue:
            state = queue.popleft()
            if self.outcome(level, state):
                return Plan(ways[state], Proof.OPTIMAL, len(ways[state]))
            for action in self.legal(level, state):
                after = self.apply(level, state, action).state
                if after not in ways:
                    ways[after] = (*ways[state], action)
                    queue.append(after)
        return None

    def instruction(self, level: Level[Rail]) -> str:
        return f"Get the red counter to cell {level.puzzle.goal} of the rail."

    def describe(self, level: Level[Rail], state: State) -> str:
        return "\n".join(f"{c}: cell {x}" for c, x in zip(COLOURS, state, strict=True))

    def encode(self, state: State) -> str:
        return f"{state[0]} {state[1]}"

    def _after(self, rail: Rail, state: State, piece: Colour, way: RailWay) -> State | None:
        step = 1 if way is RailWay.RIGHT else -1
        red, blue = state
        after = (red + step, blue) if piece == COLOURS[0] else (red, blue + step)
        fits = len(set(after)) == 2 and all(0 <= x < rail.length for x in after)
        return after if fits else None


def read(document: Mapping[str, Any]) -> Rail:
    try:
        red, blue = document["start"]
        return Rail(document["length"], (red, blue), document["goal"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"a rail has length, start and goal: {error!r}") from None


def write(rail: Rail) -> dict[str, object]:
    return {"length": rail.length, "start": list(rail.start), "goal": rail.goal}


def sheet(rail: Rail) -> tuple[PreviewPanel, ...]:
    return (PreviewPanel("start", drawn(rail, rail.start)),)


def generator() -> object:
    from toy_family.making import GENERATOR

    return GENERATOR


FAMILY: Family[Rail, State] = Family(
    name="toy",
    actions=(Nudge,),
    rules=ToyRules(),
    refusals=(Reason.BLOCKED,),
    flaws=(
        Flaw(("length",), "a rail has", "long"),
        Flaw(("length",), "3 to 12 cells", 99),
        Flaw(("start", 0), "on different ones", source=("start", 1)),
        Flaw(("goal",), "off the rail", 20),
    ),
    read=read,
    write=write,
    colours=lambda rail: COLOURS,
    preview=sheet,
    generator=generator,
    columns=(FactColumn("cells", "rail", right=True), FactColumn("maker", "made by", least=4)),
)
