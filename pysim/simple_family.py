"""Base of a small family: reading and writing, listing, planning, describing.

For puzzles with few states, whose actions have few values. The puzzle is a frozen dataclass of
numbers, texts and tuples of such; a state is a puzzle of the same type.
"""

import dataclasses
from collections import deque
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin, get_type_hints

from pysim.errors import InputError
from pysim.limits import quote
from pysim.motion import Motion
from pysim.puzzle import (
    Action,
    ActionError,
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
    Rules,
    Transition,
)
from pysim.scene import Colour, Scene

__all__ = [
    "MAX_STATES",
    "SimpleRules",
    "find_shortest_plan",
    "make_blocked_error",
    "make_simple_family",
]

P = TypeVar("P")
S = TypeVar("S")
A = TypeVar("A", bound=Action)

MAX_STATES = 100_000
"""States after which a search for a plan gives up."""


class SimpleRules(Generic[P, A]):
    """Rules of which a family writes ``move``, ``solved``, ``draw`` and ``task``.

    The actions have one type; its fields are colours of pieces and enumerations of words.
    """

    action: ClassVar[type[Action]]
    """The type of the actions."""

    def move(self, level: Level[P], state: P, action: A) -> Transition[P]:
        """Return the state after an action whose pieces there are; raises IllegalMove."""
        raise NotImplementedError

    def solved(self, state: P) -> bool:
        """Return whether the goal is met."""
        raise NotImplementedError

    def draw(self, puzzle: P, colours: tuple[Colour, ...]) -> Scene:
        """Return the scene with every body in its place."""
        raise NotImplementedError

    def task(self, level: Level[P]) -> str:
        """Return the task in words, which name every piece."""
        raise NotImplementedError

    def initial(self, level: Level[P]) -> P:
        """Return the puzzle itself."""
        return level.puzzle

    def legal(self, level: Level[P], state: P) -> Iterator[Action]:
        """Yield all actions that are accepted."""
        for action in _actions(self.action, level.colours):  # type: ignore[arg-type]
            try:
                self.apply(level, state, action)
            except ActionError:
                continue
            yield action

    def apply(self, level: Level[P], state: P, action: Any) -> Transition[P]:
        """See :meth:`move`."""
        for name in _names(type(action)):  # type: ignore[arg-type]
            value = getattr(action, name)
            if not isinstance(value, StrEnum) and value not in level.colours:
                message = f"there is no piece {value}; there are {', '.join(level.colours)}"
                raise InvalidAction(Reason.UNKNOWN_COLOUR, message, culprits=(value,))
        return self.move(level, state, action)

    def outcome(self, level: Level[P], state: P) -> Outcome | None:
        """SOLVED if the goal is met."""
        return Outcome.SOLVED if self.solved(state) else None

    def scene(self, level: Level[P], state: P) -> Scene:
        """Return the scene with every body in its place."""
        return self.draw(state, level.colours)

    def goal_scene(self, level: Level[P]) -> Scene | None:
        """None: the goal is told in words."""
        return None

    def plan(self, level: Level[P]) -> Plan | None:
        """Return a shortest plan."""
        return find_shortest_plan(self, level)

    def instruction(self, level: Level[P]) -> str:
        """Return the task in words."""
        return self.task(level)

    def describe(self, level: Level[P], state: P) -> str:
        """Describe the places of the pieces: ``red: at (0, 2, 0)``."""
        scene = self.scene(level, state)
        return "\n".join(f"{c}: at {scene.find_body(c).pose.offset}" for c in level.colours)

    def encode(self, state: P) -> str:
        """Return the state as Python writes it."""
        return repr(state)


def make_simple_family(
    name: str,
    rules: SimpleRules[P, Any],
    puzzle: type[P],
    colours: tuple[str, ...],
    refusals: tuple[Reason | str, ...] = (Reason.BLOCKED,),
) -> Family[P, P]:
    """Return a family with plain rules.

    Args:
        name: of the family.
        rules: its rules.
        puzzle: a frozen dataclass of numbers, texts and tuples; ``__post_init__`` raises ValueError
            for what makes no sense. Its field ``cells`` holds one cell for each piece.
        colours: of the pieces, in order; a puzzle has as many of them as it has cells.
        refusals: the reasons of every IllegalMove that the rules raise.
    """

    def named(one: Any) -> tuple[Colour, ...]:
        return tuple(map(Colour, colours[: len(one.cells)]))

    return Family(
        name=name,
        actions=(rules.action,),
        rules=rules,
        refusals=refusals,
        flaws=tuple(Flaw((field.name,), field.name, {}) for field in dataclasses.fields(puzzle)),  # type: ignore[arg-type]
        read=lambda document: _read(puzzle, document),
        write=lambda one: dataclasses.asdict(one),  # type: ignore[call-overload]
        colours=named,
        preview=lambda one: (PreviewPanel("start", rules.draw(one, named(one))),),
    )


def make_blocked_error(by: Colour, *attempt: Motion) -> IllegalMove:
    """Return the error of a motion that could not go a single unit for another piece.

    Args:
        by: that piece.
        attempt: the motions, for a world to try.
    """
    message = f"{by} is in the way"
    return IllegalMove(Reason.BLOCKED, message, culprits=(by,), travel=0, attempt=attempt)


def find_shortest_plan(
    rules: Rules[Any, S], level: Level[Any], most: int = MAX_STATES
) -> Plan | None:
    """Return a shortest plan, found breadth first over the listed actions; None if there is none.

    It is proven optimal where the rules list every legal action. States are told apart by their
    text.

    Args:
        most: states that are looked at before the search gives up, and None is returned.
    """
    start = rules.initial(level)
    known, queue = {rules.encode(start)}, deque[tuple[S, tuple[Action, ...]]]([(start, ())])
    while queue:
        state, way = queue.popleft()
        for action in rules.legal(level, state):
            after = rules.apply(level, state, action).state
            if rules.outcome(level, after) is not None:
                return Plan((*way, action), Proof.OPTIMAL, len(way) + 1)
            if (text := rules.encode(after)) not in known:
                known.add(text)
                queue.append((after, (*way, action)))
        if len(known) > most:
            break
    return None


@lru_cache(maxsize=64)
def _actions(kind: type[Action], colours: tuple[Colour, ...]) -> tuple[Action, ...]:
    """Return every action of a type."""
    hints = get_type_hints(kind)
    names = _names(kind)  # type: ignore[arg-type]
    choices = [colours if hints[name] is Colour else tuple(hints[name]) for name in names]
    return tuple(kind(*values) for values in product(*choices))


@cache
def _names(kind: type[Action]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))  # type: ignore[arg-type]


def _read(puzzle: type[P], document: Mapping[str, object]) -> P:
    """Return a dataclass from its JSON form; raises ValueError."""
    hints = get_type_hints(puzzle)
    names = [field.name for field in dataclasses.fields(puzzle)]  # type: ignore[arg-type]
    if set(document) != set(names):
        raise InputError(f"a puzzle has {', '.join(names)}, not {', '.join(document) or 'nothing'}")
    return puzzle(**{name: _value(hints[name], document[name], name) for name in names})


def _value(kind: Any, value: object, name: str) -> object:
    if get_origin(kind) is not tuple:
        if type(value) is not kind:
            raise InputError(f"{name}: {quote(value, 60)} is no {kind.__name__}")
        return value
    if not isinstance(value, list | tuple):
        raise InputError(f"{name}: {quote(value, 60)} is no list")
    kinds = get_args(kind)
    if kinds[-1] is ...:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        raise InputError(f"{name}: {quote(value, 60)} has not {len(kinds)} entries")
    return tuple(_value(k, v, name) for k, v in zip(kinds, value, strict=True))
