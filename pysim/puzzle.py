"""The words shared by every family: level, action, plan, rules, outcome and the two errors."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from pysim.errors import LubanError, Reason, format_reason, parse_reason
from pysim.geometry import Bounds, Cell, Direction
from pysim.scene import Body, Colour, Scene
from pysim.viewpoints import View

if TYPE_CHECKING:
    from pysim.motion import Motion, Turn

__all__ = [
    "Action",
    "ActionError",
    "Fact",
    "FactColumn",
    "Family",
    "Features",
    "Flaw",
    "Gesture",
    "GoGesture",
    "IllegalMove",
    "InvalidAction",
    "Level",
    "Outcome",
    "Plan",
    "PreviewPanel",
    "Proof",
    "Reason",
    "Rules",
    "Scope",
    "Source",
    "TextOnly",
    "Tier",
    "Transition",
    "TurnGesture",
    "find_piece",
    "format_reason",
    "list_solved_bodies",
    "parse_reason",
]


class Action:
    """Base of the typed actions; each family's are frozen dataclasses.

    The fields of an action come from the kinds in :mod:`pysim.field_types`; its docstring is what
    agents read about it, and ``metadata={"doc": ...}`` on a field what they read about that field.
    """

    tool: ClassVar[str]
    """The name by which agents call this action."""


class ActionError(LubanError):
    """An action was refused; the state did not change.

    Attributes:
        reason: a :class:`Reason`, or one of the family's own.
        culprits: colours (or fields) that the refusal is about.
        travel: whole units that the motion could have gone; None if no motion was tried.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        culprits: tuple[str, ...] = (),
        travel: int | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.culprits = culprits
        self.travel = travel

    @property
    def brief(self) -> str:
        """As :func:`format_reason`."""
        return format_reason(self.reason, self.culprits)


class InvalidAction(ActionError):
    """It does not parse, or names what does not exist."""


class IllegalMove(ActionError):
    """Well-formed, but not allowed now.

    Attributes:
        attempt: the motions that the rules refused, for a world to try; empty if the action was
            refused for another reason than geometry in the way.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        culprits: tuple[str, ...] = (),
        travel: int | None = None,
        attempt: "tuple[Motion, ...]" = (),
    ) -> None:
        super().__init__(reason, message, culprits=culprits, travel=travel)
        self.attempt = attempt


def find_piece(colour: Colour, index: Mapping[Colour, int]) -> int:
    """Return the place of the piece with a colour, by colours in the order of the pieces.

    Raises:
        InvalidAction: there is none.
    """
    if colour not in index:
        raise InvalidAction(
            Reason.UNKNOWN_COLOUR,
            f"there is no piece called {colour}; the pieces are {', '.join(index)}",
            culprits=(colour,),
        )
    return index[colour]


class Outcome(StrEnum):
    """Outcome of an episode."""

    SOLVED = "SOLVED"
    OUT_OF_BUDGET = "OUT_OF_BUDGET"
    GAVE_UP = "GAVE_UP"


class Proof(StrEnum):
    """Certainty of a plan's length."""

    OPTIMAL = "OPTIMAL"
    UPPER_BOUND = "UPPER_BOUND"


class Tier(StrEnum):
    """Difficulty of a level."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


@dataclass(frozen=True, slots=True)
class Plan:
    """A sequence of actions that solves a level, and whether a shorter one can exist.

    Attributes:
        actions: in order, from the level's initial state.
        proof: OPTIMAL if no shorter plan exists.
        lower_bound: no plan is shorter than this; the plan's own length if it is OPTIMAL.
    """

    actions: tuple[Action, ...]
    proof: Proof
    lower_bound: int

    def __len__(self) -> int:
        return len(self.actions)


@dataclass(frozen=True, slots=True)
class Source:
    """Source of a level.

    Attributes:
        designer: a person, ``traditional``, or ``luban`` for generated levels.
        reference: where the design was published, or the command that makes it again.
        seed: the generator's seed; None for known designs.
        generator: which generator made it, and in which version, as in ``family/kind 1``; empty for
            known designs.
    """

    designer: str
    reference: str
    seed: int | None = None
    generator: str = ""


Fact = int | float | str
"""A measured figure of a level."""

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Level(Generic[P]):
    """One puzzle, immutable.

    Attributes:
        id: unique, lower case, fit for a file name.
        family: name of the family that it belongs to.
        name: what people call it.
        tier: how hard it is.
        budget: number of steps that an agent has.
        puzzle: the family's own data.
        colours: public names of the pieces, in the family's order.
        plan: a certified solution, or None.
        source: where it comes from.
        facts: what was measured of it, by name (see the family's docs); a record, not needed for
            play.
        hash: ``sha256:`` and 64 hexadecimal digits over everything that play depends on (family,
            puzzle, budget).
    """

    id: str
    family: str
    name: str
    tier: Tier
    budget: int
    puzzle: P
    colours: tuple[Colour, ...]
    plan: Plan | None
    source: Source
    hash: str
    facts: Mapping[str, Fact] = field(default_factory=dict, hash=False)

    def _repr_png_(self) -> bytes | None:
        """Return a picture of the start for notebooks; None where no renderer can be used."""
        picture: bytes | None = _load_display().draw_level(self)
        return picture

    def _repr_html_(self) -> str:
        """Return a picture of the start and what is known of the level, for notebooks."""
        page: str = _load_display().format_level(self)
        return page


def _load_display() -> ModuleType:
    """Return the module that shows levels: it is above this one, and only notebooks need it."""
    return import_module("pysim.level_display")


@dataclass(frozen=True, slots=True)
class Transition(Generic[S]):
    """Effect of a legal action.

    Attributes:
        state: the state after it.
        motions: what a world has to do to get there.
        travel: whole units that the pieces moved; None if the action is no translation.
    """

    state: S
    motions: "tuple[Motion, ...]"
    travel: int | None


class Rules(Protocol[P, S]):
    """A family's pure functions. They are the authority on what is allowed."""

    def initial(self, level: Level[P]) -> S:
        """Return the state in which every episode of the level starts."""

    def legal(self, level: Level[P], state: S) -> Iterator[Action]:
        """Return the actions that :meth:`apply` accepts now, in a fixed order.

        Where a family has more legal actions than can be listed, these are a documented,
        sufficient part of them: enough to solve the level.
        """

    def apply(self, level: Level[P], state: S, action: Action) -> Transition[S]:
        """Return the state after ``action``.

        Raises:
            InvalidAction: it names what does not exist.
            IllegalMove: it is not allowed now.
        """

    def outcome(self, level: Level[P], state: S) -> Outcome | None:
        """SOLVED if the goal is met in ``state``, else None."""

    def scene(self, level: Level[P], state: S) -> Scene:
        """Return the scene with every body in its place."""

    def goal_scene(self, level: Level[P]) -> Scene | None:
        """Return the scene of the solved puzzle, where the goal is a shape to be shown."""

    def plan(self, level: Level[P]) -> Plan | None:
        """Search for a plan; None if the level can't be solved within the search's bounds."""

    def instruction(self, level: Level[P]) -> str:
        """Return the task in words, made from the level's own data."""

    def describe(self, level: Level[P], state: S) -> str:
        """Return the state as text, as far as agents may know it.

        One line per piece, in order, then what else there is to say; where scenes have shots of
        their own, so that a level decides what is seen, this text is its own affair as well.
        """

    def encode(self, state: S) -> str:
        """A canonical text of the state, equal for equal states; state hashes are made of it."""


@dataclass(frozen=True, slots=True)
class PreviewPanel:
    """One picture of a level's picture sheet: a title and what is to be seen."""

    title: str
    scene: Scene


@dataclass(frozen=True, slots=True)
class FactColumn:
    """A fact as a column of a table of levels.

    Attributes:
        fact: its name among a level's facts; it may be missing there.
        heading: what stands above it.
        right: whether it is aligned to the right.
        least: characters to which it may be cut; None if it is shown whole or not at all.
    """

    fact: str
    heading: str
    right: bool = False
    least: int | None = None


@dataclass(frozen=True, slots=True)
class Features(Generic[S]):
    """A state as a row of numbers, for policies that learn.

    Attributes:
        size: how long it is.
        values: its numbers are from 0 to this, without it.
        of: makes it.
    """

    size: int
    values: int
    of: Callable[[S], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Scope:
    """Limits of the actions of one level. Agents are offered nothing beyond them.

    Attributes:
        withheld: actions that no state of the level allows.
        colours: bodies that actions can name. None for all of the level's colours.
        cells: block of all cells that actions can name. None where there is none.
        steps: largest whole number of units or ticks that an action can take.
    """

    withheld: frozenset[type[Action]] = frozenset()
    colours: tuple[Colour, ...] | None = None
    cells: Bounds | None = None
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class TextOnly(Generic[P, S]):
    """Texts for agents that are sent no pictures.

    Attributes:
        instruction: the task, with everything that stays as it is.
        describe: the rest of the state. Both together tell all that pictures show.
    """

    instruction: Callable[[P], str]
    describe: Callable[[P, S], str]


@dataclass(frozen=True, slots=True)
class TurnGesture:
    """An action that a person makes by dragging a body about an axis.

    It says nothing of whether the action is allowed: the rules decide when it is made.

    Attributes:
        action: the action.
        grips: bodies by which it can be dragged.
        turn: what is shown of it meanwhile.
    """

    action: Action
    grips: frozenset[str]
    turn: "Turn"


@dataclass(frozen=True, slots=True)
class GoGesture:
    """An action that a person makes by pointing at a free cell, or by a key for a direction.

    Attributes:
        action: the action.
        cell: the cell; None if no pointing makes it.
        key: the direction; None if no key makes it.
    """

    action: Action
    cell: Cell | None = None
    key: Direction | None = None


Gesture = TurnGesture | GoGesture


@dataclass(frozen=True, slots=True)
class Flaw:
    """Damage to the document of a puzzle, whichever of its family, after which it is refused.

    Attributes:
        place: keys and numbers that lead to a value of the document.
        refusal: words of the refusal.
        value: the value that is put there.
        source: place of the value that is put there instead; empty for ``value``.
    """

    place: tuple[str | int, ...]
    refusal: str
    value: object = None
    source: tuple[str | int, ...] = ()

    def apply(self, document: Mapping[str, object]) -> dict[str, Any]:
        """Return the damaged document; the given one stays as it is."""
        damaged: dict[str, Any] = copy.deepcopy(dict(document))
        value = _find_value(damaged, self.source) if self.source else self.value
        _find_value(damaged, self.place[:-1])[self.place[-1]] = value
        return damaged


def _find_value(document: Any, place: tuple[str | int, ...]) -> Any:
    for key in place:
        document = document[key]
    return document


@dataclass(frozen=True)
class Family(Generic[P, S]):
    """A kind of puzzle.

    Each package under :mod:`pysim.families` offers one as ``FAMILY`` of its module ``family``.
    Other packages offer theirs as entry points of the group ``luban.families``.

    Attributes:
        name: the package's or the entry point's name.
        actions: the action types, in the order in which agents see them.
        rules: the pure functions.
        refusals: the reasons of every :class:`IllegalMove` that the rules raise.
        flaws: damage that ``read`` notices in the document of any of its levels that ship.
        read: builds a puzzle from the ``puzzle`` part of a level document; raises ValueError.
        write: the inverse of ``read``.
        colours: the pieces' public names, in order.
        preview: the pictures that show a puzzle to people, for instance solved, taken apart and
            piece by piece.
        views: every view of a puzzle in a state that people can look at, whether or not agents are
            shown it; by default none.
        features: a state as a row of numbers of fixed length; None where a family has none.
        scramble: a puzzle like another one, a number of random steps from solved (at least 1), and
            never solved; None where a family has no such thing. Its last argument draws a whole
            number below another one.
        batch: gives the :data:`pysim.learning.batches.BatchFactory` of a family that has batches.
        spaces: gives the :class:`pysim.learning.spaces.FamilySpace` of each size class, the default
            one first, of a family that has such.
        generator: gives the :class:`pysim.generation.GeneratorPlugin` of a family with one. It is
            called when levels are to be made or the help lists the options, so its imports should
            be light, and those of the generator itself come later.
        columns: those of its levels' facts that a table of levels shows, the most telling first.
        scope: limits of the actions of a puzzle.
        text_only: texts for agents that are sent no pictures. None where the texts of the rules
            mention no pictures and tell all that is shown.
        canonical_form: a text that is equal for puzzles that are the same up to symmetry: turned or
            mirrored as a whole, with their pieces listed in another order or called otherwise. It
            may be equal for more puzzles than that, never for fewer. Tasks are parted into splits
            by it. None where a family has no tasks.
        restore: as ``read``, but without its checks, of a document that ``write`` has made and a
            seal has kept as it was. None where ``read`` is as fast.
        assembly: the bodies of a level put together, each in its place, for making them of plastic;
            it gives None where no way to do so is known. The bodies are those of the scenes. None
            where a family has no solid pieces.
        gestures: actions that people make by pointing at the scene of a state, besides those that
            translate a piece, which follow from the actions themselves.
    """

    name: str
    actions: tuple[type[Action], ...]
    rules: Rules[P, S]
    read: Callable[[Mapping[str, object]], P]
    write: Callable[[P], dict[str, object]]
    colours: Callable[[P], tuple[Colour, ...]]
    preview: Callable[[P], tuple[PreviewPanel, ...]]
    views: Callable[[P, S], tuple[View, ...]] = lambda puzzle, state: ()
    features: Features[S] | None = None
    scramble: Callable[[P, int, Callable[[int], int]], P] | None = None
    batch: Callable[[], object] | None = None
    spaces: Callable[[], tuple[object, ...]] | None = None
    generator: Callable[[], object] | None = None
    columns: tuple[FactColumn, ...] = ()
    refusals: tuple[Reason | str, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    scope: Callable[[P], Scope] = lambda puzzle: Scope()
    text_only: TextOnly[P, S] | None = None
    canonical_form: Callable[[P], str] | None = None
    restore: Callable[[Mapping[str, object]], P] | None = None
    assembly: Callable[[Level[P]], tuple[Body, ...] | None] | None = None
    gestures: Callable[[Level[P], S], Iterable[Gesture]] = lambda level, state: ()


def list_solved_bodies(rules: Rules[P, S], level: Level[P]) -> tuple[Body, ...] | None:
    """Return the bodies of a level at the end of its plan; None if none is known or found."""
    plan = level.plan or rules.plan(level)
    if plan is None:
        return None
    state = rules.initial(level)
    for action in plan.actions:
        state = rules.apply(level, state, action).state
    return rules.scene(level, state).bodies
