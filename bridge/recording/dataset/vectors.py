"""States and actions as vectors of numbers, the same length for all levels of a dataset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bridge.episode.tools import ActionSpace, Schema, ToolCall
from pysim.field_types import Json, encode_arguments, list_fields
from pysim.puzzle import Action, InvalidAction
from pysim.scene import Scene

__all__ = ["ActionVector", "FloatVector", "Sizes", "state_names", "state_vector"]

FloatVector = NDArray[np.float32]

_BODY = ("present", "x", "y", "z", "rotation", "loose")


@dataclass(frozen=True, slots=True)
class Sizes:
    """The most that any level of a dataset has.

    Attributes:
        bodies: in its scene.
        colours: names that agents use.
        cells: of one piece.
    """

    bodies: int
    colours: int
    cells: int

    @staticmethod
    def of(scene: Scene, colours: int) -> "Sizes":
        """Return the sizes of a level with this scene."""
        return Sizes(len(scene.bodies), colours, max(len(b.shape.cells) for b in scene.bodies))

    def __or__(self, other: "Sizes") -> "Sizes":
        return Sizes(
            max(self.bodies, other.bodies),
            max(self.colours, other.colours),
            max(self.cells, other.cells),
        )


def state_names(sizes: Sizes) -> list[str]:
    """Return the name of each number of :func:`state_vector`."""
    return [f"body{i}.{name}" for i in range(sizes.bodies) for name in _BODY]


def state_vector(scene: Scene, sizes: Sizes) -> FloatVector:
    """Return the state of all bodies, (6 n,).

    Of each body: present (1), x, y, z, rotation (0 to 23), loose (0 or 1).

    Places are whole units; bodies that a level does not have are zeros.
    """
    rows = np.zeros((sizes.bodies, len(_BODY)), dtype=np.float32)
    for row, body in zip(rows[: len(scene.bodies)], scene.bodies, strict=True):
        row[:] = (1, *body.pose.offset, body.pose.rotation.index, body.loose)
    return rows.reshape(-1)


class _Part(Protocol):
    """Encoding of the values of one field as numbers; equal parts are one and the same."""

    def names(self) -> list[str]:
        """Endings of the numbers' names; one empty ending for a single number."""

    def numbers(self, value: Any, schema: Schema) -> list[float]:
        """Return the numbers of a value that fits ``schema``."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """The place of a word in its list, from 0; -1 if it is not there."""

    def names(self) -> list[str]:
        return [""]

    def numbers(self, value: Any, schema: Schema) -> list[float]:
        words = list(schema["enum"])
        return [words.index(value) if value in words else -1]


@dataclass(frozen=True, slots=True)
class _Number:
    """A number; 0 for a word in its place."""

    def names(self) -> list[str]:
        return [""]

    def numbers(self, value: Any, schema: Schema) -> list[float]:
        return [0 if isinstance(value, str) else value]


@dataclass(frozen=True, slots=True)
class _Mask:
    """1 for each colour of the level that is named, else 0."""

    colours: int

    def names(self) -> list[str]:
        return [f".{i}" for i in range(self.colours)]

    def numbers(self, value: Any, schema: Schema) -> list[float]:
        words = list(schema["items"]["enum"])
        named = [word in value for word in words]
        return [*map(float, named), *[0.0] * (self.colours - len(words))]


@dataclass(frozen=True, slots=True)
class _Cells:
    """Cells in order of x, y, z, as many as there is room for; zeros after them.

    With more than one, how many were named comes first.
    """

    room: int

    def names(self) -> list[str]:
        if self.room == 1:
            return [".x", ".y", ".z"]
        return [".count", *(f".{i}.{axis}" for i in range(self.room) for axis in "xyz")]

    def numbers(self, value: Any, schema: Schema) -> list[float]:
        if self.room == 1:
            return list(value)
        flat = [float(x) for cell in sorted(value)[: self.room] for x in cell]
        return [len(value), *flat, *[0.0] * (3 * self.room - len(flat))]


class ActionVector:
    """Calls as vectors (n,).

    The first number is the action's place among those of its family, -1 for a call that means
    nothing. Then come the fields of all actions, those of the same name and kind once; the fields
    that an action does not have are 0.

    Attributes:
        names: what each number is.
        words: name -> the list that it counts from, for words that are the same in all levels.

    Raises:
        TypeError: a field is of a kind that has no numbers.
    """

    def __init__(self, actions: Sequence[type[Action]], sizes: Sizes) -> None:
        self._actions = list(actions)
        self._parts: dict[str, _Part] = {}
        self._slots: dict[tuple[str, str], str] = {}
        self.names: list[str] = ["tool"]
        self.words: dict[str, list[str]] = {"tool": [action.tool for action in actions]}
        for action in actions:
            for spec in list_fields(action):
                self._add(action.tool, spec.name, spec.kind.build_schema(()), sizes)

    def __len__(self) -> int:
        return len(self.names)

    def numbers(self, space: ActionSpace, colours: Sequence[Any], call: ToolCall) -> FloatVector:
        """Return the vector of a call of an agent at a level with these colours."""
        vector = np.zeros(len(self), dtype=np.float32)
        try:
            action = space.parse(call)
        except InvalidAction:
            vector[0] = -1
            return vector
        vector[0] = self._actions.index(type(action))
        values = encode_arguments(action)
        for spec in list_fields(type(action)):
            slot = self._slots[action.tool, spec.name]
            numbers = self._parts[slot].numbers(values[spec.name], spec.kind.build_schema(colours))
            first = self.names.index(slot + self._parts[slot].names()[0])
            vector[first : first + len(numbers)] = numbers
        return vector

    def _add(self, tool: str, field: str, schema: Mapping[str, Json], sizes: Sizes) -> None:
        part = _part(schema, sizes)
        slot = field if self._parts.get(field, part) == part else f"{tool}.{field}"
        self._slots[tool, field] = slot
        if slot not in self._parts:
            self._parts[slot] = part
            self.names += [slot + ending for ending in part.names()]
            words = schema.get("enum")
            if isinstance(words, list) and words:
                self.words[slot] = [str(word) for word in words]


def _part(schema: Schema, sizes: Sizes) -> _Part:
    """Return the part for a field, by the JSON schema of its kind."""
    if "enum" in schema:
        return _Choice()
    if "anyOf" in schema or schema["type"] == "integer":
        return _Number()
    items = schema.get("items", {})
    if "enum" in items:
        return _Mask(sizes.colours)
    if items.get("type") == "integer" and schema.get("maxItems") == 3:
        return _Cells(1)
    if items.get("type") == "array":
        return _Cells(sizes.cells)
    raise TypeError(f"there are no numbers for a field like {schema}")
