"""Condition of items: a task of Cube Bench, and everything that its items depend on but the seed.

An item has the identity (depth, seed, variant). The variant is a condition as text without its
depth, such as ``closed-loop,edition=3,abstain=skip-item``: the task, its edition, and by name what
is not usual in that. Without an edition it is the first, as Luban 0.1 wrote it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from bridge.benches.cube_bench.given import GivenStates
from bridge.benches.cube_bench.settings import format_setting, read_setting, read_whole
from pysim.errors import InputError
from pysim.families.rubik.moves import Metric

__all__ = [
    "DEEPEST",
    "LATEST",
    "Abstention",
    "Condition",
    "Counting",
    "Criterion",
    "Mismatch",
    "Modality",
    "OptionSets",
    "Perturbation",
    "PictureType",
    "Reading",
    "Reflection",
    "Serialization",
    "StickerColors",
    "Task",
    "Template",
    "list_conditions",
    "list_usual_depths",
    "parse_condition",
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
    """Modality in which the state is shown."""

    BOTH = "image+text"
    IMAGE = "image"
    TEXT = "text"


class PictureType(StrEnum):
    """Contents of a picture: a net with face names, or the front and its neighbours' edges."""

    NET = "net"
    FRONT = "front"


class Serialization(StrEnum):
    """The state as text: an unfolded net of colour letters, or 54 face letters for solvers."""

    NET = "net"
    FACELETS = "facelets"


class Template(StrEnum):
    """Statement of a hypothesis about the front face (4.3.2)."""

    EQUALITY = "equality"
    """A list of all nine stickers of the front face: the template of the paper's runs."""
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
    """Consequence of the answer IDK in the closed loop (A.6)."""

    NONE = "none"
    """It is not offered, and a parse failure."""
    TEACHER = "teacher-on-abstain"
    SKIP = "skip-item"


class Criterion(StrEnum):
    """Correct moves of the closed loop: the teacher's, or all that lead nearer."""

    TEACHER = "teacher"
    OPTIMAL = "optimal"


class Counting(StrEnum):
    """From where attempts of a learning curve are counted."""

    FIRST_ERROR = "first-error"
    """The first answer that does not lead nearer, or can't be read (5.4); who makes none is left
    out."""
    START = "start"
    """The scrambled cube (A.8)."""


class Mismatch(StrEnum):
    """Fault of a grid of nine stickers (4.3.2)."""

    MOVE = "move"
    """It is the front after one turn: what the authors' program does."""
    SWAP = "swap"
    """One to three pairs of its stickers are exchanged, so that few are wrong."""


class OptionSets(StrEnum):
    """The options of the closed loop where one may not abstain."""

    BALANCED = "balanced"
    """One optimal move besides the teacher's where there is one, and others that don't lead nearer:
    the authors' program, and A.6.2."""
    UNIFORM = "uniform"
    """Three drawn evenly (A.5.2)."""


class Reading(StrEnum):
    """Strictness of reading answers."""

    FIRST = "first"
    """Whatever the authors' program takes, and of two answers the one that it takes; but after a
    reflection the one line of B.3 alone (4.3.4)."""
    PROGRAM = "program"
    """As the authors' program also after a reflection."""
    ONLY = "only"
    """The forms of the paper; of two answers that differ none."""


class StickerColors(StrEnum):
    """The colours of stickers in pictures."""

    LUBAN = "luban"
    PAPER = "paper"
    """The RGB values of the paper's prompt (B.1), which the prompt for a face then states."""


class Perturbation(StrEnum):
    """Perturbation of pictures."""

    CAMERA = "camera"
    LIGHTING = "lighting"
    OCCLUSION = "occlusion"
    BRIGHTNESS = "brightness"
    RECOLOUR = "recolour"


DEEPEST = 8
"""The greatest scramble depth that is drawn."""
FARTHEST = 13
"""So far from home distances are worked out."""
LATEST = 3
"""Edition that is asked where none is named; editions 2 and 3 differ in wording alone."""


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
        counting: of the learning curve; the setting ``from``.
        mismatch: of verification, where a grid is claimed.
        options: of the closed loop.
        answers: how they are read.
        perturb: of pictures.
        colors: of stickers in pictures.
        edition: what is usual: 1 is what Luban 0.1 asked, 2 and 3 what the authors' program asks;
            they differ in wording (:mod:`.wording`).
        given: the scrambled cubes, where a file has them; None where they are drawn.

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
    counting: Counting = Counting.FIRST_ERROR
    mismatch: Mismatch = Mismatch.MOVE
    options: OptionSets = OptionSets.BALANCED
    answers: Reading = Reading.FIRST
    perturb: tuple[Perturbation, ...] = ()
    colors: StickerColors = StickerColors.LUBAN
    edition: int = LATEST
    given: GivenStates | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.edition <= LATEST:
            raise InputError(f"edition is 1 to {LATEST}, not {self.edition}")
        if not 1 <= self.depth <= DEEPEST:
            raise InputError(f"a cube is scrambled by 1 to {DEEPEST} moves, not {self.depth}")
        if self.depth > 1 and self.task in (Task.MOVE, Task.REFLECTION):
            raise InputError(f"{self.task} is about cubes at depth 1, not {self.depth}")
        if self.task is Task.CURVE and not 1 <= self.max_attempts <= self._most_attempts:
            raise InputError(
                f"max_attempts is 1 to {self._most_attempts} at depth {self.depth}, not "
                f"{self.max_attempts}: distances are worked out up to {FARTHEST} moves from home"
            )
        for name in ("confidence", "idk_weight"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise InputError(f"{name} is a number from 0 to 1, not {getattr(self, name)}")
        if len(set(self.perturb)) < len(self.perturb):
            raise InputError("a perturbation is named twice")
        if self.given is not None and self.metric is not Metric.HTM:
            raise InputError("cubes of a file have their depth in face turns: leave out metric")

    @property
    def _most_attempts(self) -> int:
        """An error may lead one move away before attempts are counted."""
        return FARTHEST - self.depth - (self.counting is Counting.FIRST_ERROR)

    @property
    def variant(self) -> str:
        """The task and what is not as usual for it; with depth and seed it names an item."""
        usual = _usual(self.task, self.depth, self.edition)
        named = [
            f"{_SETTINGS.get(name, name)}={format_setting(getattr(self, name))}"
            for name in _NAMES
            if getattr(self, name) != getattr(usual, name)
        ]
        edition = [f"edition={self.edition}"] if self.edition > 1 else []
        given = [] if self.given is None else [f"given={self.given.name}"]
        return ",".join([self.task, *edition, *named, *given])

    @staticmethod
    def parse(variant: str, depth: int) -> "Condition":
        """Return the inverse of :attr:`variant`, without the cubes that are given.

        Raises:
            InputError: a name or value is unknown.
        """
        task, *named = variant.split(",")
        if task not in list(Task):
            raise InputError(f"there is no task {task[:60]!r}; there are {', '.join(Task)}")
        pairs = dict(part.partition("=")[::2] for part in named)
        pairs.pop("given", None)
        return parse_condition(Task(task), depth, {"edition": "1", **pairs})

    def make_item_id(self, seed: int) -> str:
        """``variant/depth/seed``."""
        return f"{self.variant}/{self.depth}/{seed}"


_SETTINGS = {"counting": "from"}
"""Names of settings that are no names of Python."""
_NAMES = tuple(
    f.name for f in fields(Condition) if f.name not in ("task", "depth", "edition", "given")
)
_SHOWN = frozenset({"metric", "picture", "perturb", "colors"})
_STATE = _SHOWN | {"mode", "text", "answers"}
_USED: Mapping[Task, frozenset[str]] = {
    Task.FACE: _SHOWN | {"answers"},
    Task.VERIFICATION: frozenset(
        {"metric", "template", "mismatch", "answers", "perturb", "colors"}
    ),
    Task.MOVE: _STATE,
    Task.REFLECTION: _STATE | {"reflection"},
    Task.LOOP: _STATE | {"abstain", "confidence", "idk_weight", "criterion", "options"},
    Task.EFFECT: frozenset({"metric", "text", "answers"}),
    Task.CURVE: _STATE | {"max_attempts", "counting"},
}
"""Which settings each task has, besides the edition."""


def _usual(task: Task, depth: int, edition: int) -> Condition:
    mode = {Task.FACE: Modality.IMAGE, Task.EFFECT: Modality.TEXT}.get(task, Modality.BOTH)
    usual = Condition(task, depth, mode, edition=edition)
    if edition > 1:
        return usual
    return replace(
        usual,
        picture=PictureType.FRONT if task is Task.FACE else PictureType.NET,
        counting=Counting.START,
        mismatch=Mismatch.SWAP,
        options=OptionSets.UNIFORM,
        answers=Reading.ONLY,
    )


def parse_condition(task: Task, depth: int, named: Mapping[str, str]) -> Condition:
    """Return the condition with some settings given as text.

    Raises:
        InputError: the task has no such setting, or a value can't be read.
    """
    edition = read_whole("edition", named.get("edition", str(LATEST)))
    usual = _usual(task, depth, edition)
    values = {}
    for given, text in named.items():
        name = next((name for name, word in _SETTINGS.items() if word == given), given)
        if given == "edition":
            continue
        if name not in _USED[task] or (name in _SETTINGS and given == name):
            known = ", ".join(sorted({_SETTINGS.get(n, n) for n in _USED[task]} | {"edition"}))
            raise InputError(f"{task} has no setting {given[:60]!r}; it has {known}")
        values[name] = read_setting(given, getattr(usual, name), text, Perturbation)
    return replace(usual, **values)  # type: ignore[arg-type]


def list_usual_depths(task: Task) -> tuple[int, ...]:
    """Return the depths of the paper's tables."""
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


def list_conditions(
    task: Task, depths: tuple[int, ...] = (), named: Mapping[str, str] | None = None
) -> tuple[Condition, ...]:
    """Return the conditions of a task's table in the paper, those that are named fixed.

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
        parse_condition(task, depth, {**given, **more})
        for depth in depths or list_usual_depths(task)
        for more in several
    )
