"""Which items: a task of Cube Bench, and everything that its items depend on but the seed.

An item has the identity (depth, seed, variant). The variant is a condition as text without its
depth, such as ``closed-loop,abstain=skip-item``: the task, then what is not as usual, by name.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from pysim.errors import InputError
from pysim.families.rubik.moves import Metric
from pysim.items import word_of

__all__ = [
    "Abstention",
    "Condition",
    "Criterion",
    "Modality",
    "Perturbation",
    "PictureType",
    "Reflection",
    "Serialization",
    "Task",
    "Template",
    "condition",
    "conditions",
    "usual_depths",
]


class Task(StrEnum):
    """The seven tasks, in the paper's order (4.3.1 to 4.3.7)."""

    FACE = "face-reconstruction"
    VERIFICATION = "verification"
    MOVE = "move-prediction"
    REFLECTION = "reflection"
    LOOP = "closed-loop"
    EFFECT = "move-effect"
    CURVE = "learning-curve"


class Modality(StrEnum):
    """How the state is shown."""

    BOTH = "image+text"
    IMAGE = "image"
    TEXT = "text"


class PictureType(StrEnum):
    """What a picture shows: a net with its faces' names, or the front and its neighbours' edges."""

    NET = "net"
    FRONT = "front"


class Serialization(StrEnum):
    """The state as text: an unfolded net of colour letters, or 54 face letters for solvers."""

    NET = "net"
    FACELETS = "facelets"


class Template(StrEnum):
    """What a hypothesis says about the front face (4.3.2)."""

    EQUALITY = "equality"
    """These nine stickers, in this order, are the front face: what the paper's runs use."""
    MATRIX = "matrix"
    CELL = "cell"
    ROW = "row"
    COLUMN = "column"
    COUNT = "count"
    ALL = "all"
    """All of them in turn."""


class Reflection(StrEnum):
    """Whether the right option is told in the reflection."""

    REDACTED = "redacted"
    UNREDACTED = "unredacted"


class Abstention(StrEnum):
    """What follows from the answer IDK in the closed loop (A.6)."""

    NONE = "none"
    """It is not offered, and a parse failure."""
    TEACHER = "teacher-on-abstain"
    SKIP = "skip-item"


class Criterion(StrEnum):
    """Which moves of the closed loop are correct: the teacher's, or all that lead nearer."""

    TEACHER = "teacher"
    OPTIMAL = "optimal"


class Perturbation(StrEnum):
    """What is done to pictures."""

    CAMERA = "camera"
    LIGHTING = "lighting"
    OCCLUSION = "occlusion"
    BRIGHTNESS = "brightness"
    RECOLOUR = "recolour"


DEEPEST = 8
"""The greatest scramble depth that is drawn."""
FARTHEST = 12
"""Depth and attempts of a learning curve together: so far from home distances are worked out."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A task and its settings.

    Attributes:
        task: which of the seven.
        depth: the distance of the scrambled cube from home, and the length of the scramble.
        mode: how the state is shown; fixed for face reconstruction, verification and move effect.
        metric: of scrambles, distances and moves.
        picture: what pictures show.
        text: how the state is written.
        template: of verification.
        reflection: of reflection.
        abstain: of the closed loop.
        confidence: of the closed loop with abstention: IDK is permitted below it; 0 for always.
        idk_weight: lambda of APA: what an abstention counts.
        criterion: of the closed loop.
        max_attempts: of the learning curve.
        perturb: of pictures.

    Raises:
        InputError: a value is out of range.
    """

    task: Task
    depth: int
    mode: Modality = Modality.BOTH
    metric: Metric = Metric.HTM
    picture: PictureType = PictureType.NET
    text: Serialization = Serialization.NET
    template: Template = Template.EQUALITY
    reflection: Reflection = Reflection.REDACTED
    abstain: Abstention = Abstention.NONE
    confidence: float = 0.0
    idk_weight: float = 0.25
    criterion: Criterion = Criterion.TEACHER
    max_attempts: int = 6
    perturb: tuple[Perturbation, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise InputError(f"a cube is scrambled by 1 to {DEEPEST} moves, not {self.depth}")
        if self.depth > 1 and self.task in (Task.MOVE, Task.REFLECTION):
            raise InputError(f"{self.task} is about cubes at depth 1, not {self.depth}")
        if self.task is Task.CURVE and not 1 <= self.max_attempts <= FARTHEST - self.depth:
            raise InputError(
                f"max_attempts is 1 to {FARTHEST - self.depth} at depth {self.depth}, "
                f"not {self.max_attempts}"
            )
        for name in ("confidence", "idk_weight"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise InputError(f"{name} is a number from 0 to 1, not {getattr(self, name)}")
        if len(set(self.perturb)) < len(self.perturb):
            raise InputError("a perturbation is named twice")

    @property
    def variant(self) -> str:
        """The task and what is not as usual for it; with depth and seed it names an item."""
        usual = _usual(self.task, self.depth)
        named = [
            f"{name}={_written(getattr(self, name))}"
            for name in _NAMES
            if getattr(self, name) != getattr(usual, name)
        ]
        return ",".join([self.task, *named])

    @staticmethod
    def parse(variant: str, depth: int) -> "Condition":
        """The inverse of :attr:`variant`.

        Raises:
            InputError: a name or value is unknown.
        """
        task, *named = variant.split(",")
        if task not in list(Task):
            raise InputError(f"there is no task {task[:60]!r}; there are {', '.join(Task)}")
        pairs = (part.partition("=")[::2] for part in named)
        return condition(Task(task), depth, dict(pairs))

    def item_id(self, seed: int) -> str:
        """``variant/depth/seed``."""
        return f"{self.variant}/{self.depth}/{seed}"


_NAMES = tuple(f.name for f in fields(Condition) if f.name not in ("task", "depth"))
_USED: Mapping[Task, frozenset[str]] = {
    Task.FACE: frozenset({"metric", "picture", "perturb"}),
    Task.VERIFICATION: frozenset({"metric", "template", "perturb"}),
    Task.MOVE: frozenset({"mode", "metric", "picture", "text", "perturb"}),
    Task.REFLECTION: frozenset({"mode", "metric", "picture", "text", "reflection", "perturb"}),
    Task.LOOP: frozenset(
        {"mode", "metric", "picture", "text", "abstain", "confidence", "idk_weight", "criterion"}
        | {"perturb"}
    ),
    Task.EFFECT: frozenset({"metric", "text"}),
    Task.CURVE: frozenset({"mode", "metric", "picture", "text", "max_attempts", "perturb"}),
}
"""Which settings each task has."""


def _usual(task: Task, depth: int) -> Condition:
    if task is Task.FACE:
        return Condition(task, depth, Modality.IMAGE, picture=PictureType.FRONT)
    return Condition(task, depth, Modality.TEXT if task is Task.EFFECT else Modality.BOTH)


def condition(task: Task, depth: int, named: Mapping[str, str]) -> Condition:
    """The condition with some settings given as text.

    Raises:
        InputError: the task has no such setting, or a value can't be read.
    """
    values = {}
    for name, text in named.items():
        if name not in _USED[task]:
            known = ", ".join(sorted(_USED[task]))
            raise InputError(f"{task} has no setting {name[:60]!r}; it has {known}")
        values[name] = _read(name, text)
    return replace(_usual(task, depth), **values)  # type: ignore[arg-type]


def _read(name: str, text: str) -> object:
    """The value of a setting that is written as text."""
    usual = getattr(_usual(Task.LOOP, 1), name)
    if isinstance(usual, tuple):
        return tuple(word_of(name, Perturbation, word) for word in text.split("+"))
    if isinstance(usual, StrEnum):
        return word_of(name, type(usual), text)
    try:
        value = type(usual)(text)
    except ValueError:
        raise InputError(f"{name} is a number, not {text[:60]!r}") from None
    if not math.isfinite(value):
        raise InputError(f"{name} is a number, not {text!r}")
    return value


def _written(value: object) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value)


def usual_depths(task: Task) -> tuple[int, ...]:
    """The depths of the paper's tables."""
    return {
        Task.FACE: (1, 2, 3),
        Task.VERIFICATION: (5,),
        Task.MOVE: (1,),
        Task.REFLECTION: (1,),
        Task.LOOP: (1, 2, 3, 4, 5),
        Task.EFFECT: (1, 2, 3),
        Task.CURVE: (3,),
    }[task]


_SERIES: Mapping[Task, tuple[str, type[StrEnum]]] = {
    Task.MOVE: ("mode", Modality),
    Task.REFLECTION: ("reflection", Reflection),
}
"""What a task's table compares besides depths."""


def conditions(
    task: Task, depths: tuple[int, ...] = (), named: Mapping[str, str] | None = None
) -> tuple[Condition, ...]:
    """The conditions of a task's table in the paper, those that are named fixed.

    Args:
        depths: in place of the paper's.

    Raises:
        InputError: the task has no such setting, or a value can't be read.
    """
    given = dict(named or {})
    series = _SERIES.get(task)
    several = (
        [{}] if series is None or series[0] in given else [{series[0]: str(v)} for v in series[1]]
    )
    return tuple(
        condition(task, depth, {**given, **more})
        for depth in depths or usual_depths(task)
        for more in several
    )
