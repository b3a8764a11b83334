"""The fields of actions: read from JSON and written as such, and the kinds they are made of.

An action is a dataclass; what agents see of it (a JSON schema, a JSON object, a line of text)
follows from the kinds of its fields. A new family uses these kinds and touches nothing else. What
it chooses among by names of its own is an enumeration of words, which is a kind as it stands.
Refusals call such a choice by the name of its class, so that one of ``GateState`` is a gate state,
unless the class says otherwise: ``noun = nonmember("state of the gate")``.
"""

import dataclasses
import difflib
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Generic, NewType, Protocol, TypeVar, get_type_hints

from pysim.geometry import Cell, Rotation, list_rotations
from pysim.limits import MAX_ACTION_NAME, MAX_LINE, quote
from pysim.puzzle import Action, InvalidAction, Reason, Scope
from pysim.scene import Colour

__all__ = [
    "OUT",
    "AnyFieldType",
    "Cells",
    "Colours",
    "Distance",
    "FieldSpec",
    "FieldType",
    "Json",
    "Out",
    "QuarterTurns",
    "Steps",
    "build_action",
    "encode_arguments",
    "find_field_type",
    "label",
    "list_colours",
    "list_fields",
    "refuse",
    "show_value",
]

Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]
"""A JSON value."""

_WORD = re.compile(r"[!-~]{1,60}")
"""What stands for a choice in a line of text."""
MAX_STEPS = 1000
"""No distance larger than this is taken."""
MAX_COLOURS = 256
"""No longer list of colours is taken."""
MAX_NAMED = 6
"""No refusal names more colours than these."""
MAX_CELLS = 1000
"""No longer list of cells is taken."""


class Out(Enum):
    """The distance of a piece that goes all the way out."""

    OUT = "out"


OUT = Out.OUT
Colours = tuple[Colour, ...]
Cells = tuple[Cell, ...]
Steps = NewType("Steps", int)
QuarterTurns = NewType("QuarterTurns", int)
Distance = Steps | Out

T = TypeVar("T")
_UNLIMITED = Scope()


class FieldType(Protocol[T]):
    """Encoding of one kind of field: as JSON, as a JSON schema and as a word of text."""

    def parse(self, value: object) -> T:
        """Return the field's value from JSON.

        Raises:
            InvalidAction: ``value`` is not of this kind.
        """

    def format(self, value: T) -> Json:
        """Return the JSON form of ``value``; the inverse of :meth:`parse`."""

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        """The JSON schema, for a puzzle whose pieces have these colours, within its limits."""

    def parse_word(self, word: str) -> Json:
        """Return the JSON form of a word that a person typed; not validated."""

    def to_word(self, value: T) -> str:
        """Return the word for ``value``; the inverse of :meth:`parse_word` and :meth:`parse`."""

    def make_example(self, colours: Sequence[Colour]) -> str:
        """Return a word that shows people how it is written."""


AnyFieldType = FieldType[Any]
"""A kind whose value type is known only from the annotation that leads to it."""


def refuse(message: str, reason: Reason = Reason.BAD_VALUE, *culprits: str) -> InvalidAction:
    """The error for a value that is not of its kind; culprits as in :class:`InvalidAction`."""
    return InvalidAction(reason, message, culprits=culprits)


def label(text: str) -> str:
    """Text from outside, short and fit for any message, log or wire."""
    text = text[:MAX_LINE]  # No more of it is looked at.
    return text[:60] if text.isprintable() else ascii(text)[:60]


def show_value(value: object) -> str:
    """Return any value from outside as a short text for messages."""
    return quote(value, 60)


class _ColourKind:
    def parse(self, value: object) -> Colour:
        if not isinstance(value, str):
            raise refuse(f"a colour is a name such as 'red', not {show_value(value)}")
        name = value.strip().lower()
        # U+FFFD stands where something was that is no text.
        if not name or len(name) > 64 or not name.isprintable() or "\ufffd" in name:
            raise refuse(f"a colour is a short name such as 'red', not {show_value(value)}")
        return Colour(name)

    def format(self, value: Colour) -> Json:
        return value

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        return {"type": "string", "enum": list(colours)}

    def parse_word(self, word: str) -> Json:
        return word

    def to_word(self, value: Colour) -> str:
        return value

    def make_example(self, colours: Sequence[Colour]) -> str:
        return colours[0]


class _ColoursKind:
    def parse(self, value: object) -> Colours:
        items = _read_list(value, "colours", "['red', 'blue']", "piece", MAX_COLOURS)
        colours = tuple(map(_COLOUR.parse, items))
        if len(set(colours)) < len(colours):
            counts = Counter(colours).items()
            twice = sorted(colour for colour, count in counts if count > 1)[:MAX_NAMED]
            raise refuse(f"named twice: {', '.join(twice)}", Reason.DUPLICATE_COLOUR, *twice)
        return colours

    def format(self, value: Colours) -> Json:
        return list(value)

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        return {
            "type": "array",
            "items": {"type": "string", "enum": list(colours)},
            "minItems": 1,
            "uniqueItems": True,
        }

    def parse_word(self, word: str) -> Json:
        return [part for part in word.replace("+", ",").split(",") if part]

    def to_word(self, value: Colours) -> str:
        return ",".join(value)

    def make_example(self, colours: Sequence[Colour]) -> str:
        return ",".join(colours[:2])


class _ChoiceKind(Generic[T]):
    """A value out of a fixed list, by name; letter case does not matter."""

    def __init__(self, noun: str, choices: Mapping[str, T]) -> None:
        self._noun = noun
        self._choices = choices
        self._by_key = {name.lower(): value for name, value in choices.items()}
        self._names = {value: name for name, value in choices.items()}

    def parse(self, value: object) -> T:
        found = self._by_key.get(value.strip().lower()) if isinstance(value, str) else None
        if found is None:
            some = ", ".join(list(self._choices)[:6])
            more = ", ..." if len(self._choices) > 6 else ""
            raise refuse(f"{show_value(value)} is no {self._noun}; one of {some}{more} is")
        return found

    def format(self, value: T) -> Json:
        return self._names[value]

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        return {"type": "string", "enum": list(self._choices)}

    def parse_word(self, word: str) -> Json:
        return word

    def to_word(self, value: T) -> str:
        return self._names[value]

    def make_example(self, colours: Sequence[Colour]) -> str:
        return next(iter(self._choices))


class _IntegerKind:
    """A whole number from ``low`` to ``high``."""

    def __init__(self, noun: str, low: int, high: int) -> None:
        self._noun, self._low, self._high = noun, low, high

    def parse(self, value: object) -> int:
        number = _whole(value)
        if number is None:
            raise refuse(f"{self._noun} is a whole number, not {show_value(value)}")
        if not self._low <= number <= self._high:
            raise refuse(
                f"{self._noun} lies between {self._low} and {self._high}, not {show_value(value)}"
            )
        return number

    def format(self, value: int) -> Json:
        return value

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        return {"type": "integer", "minimum": self._low, "maximum": self._high}

    def parse_word(self, word: str) -> Json:
        return _number_or_word(word)

    def to_word(self, value: int) -> str:
        return str(value)

    def make_example(self, colours: Sequence[Colour]) -> str:
        return str(max(self._low, 1))


class _StepsKind(_IntegerKind):
    """A distance or a time, within the limits of the level."""

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        schema = super().build_schema(colours, scope)
        return schema if scope.steps is None else {**schema, "maximum": scope.steps}


class _DistanceKind:
    def parse(self, value: object) -> Distance:
        if isinstance(value, str) and value.strip().lower() == OUT.value:
            return OUT
        if isinstance(value, str):
            raise refuse(f"a distance is a whole number or 'out', not {show_value(value)}")
        return Steps(_STEPS.parse(value))

    def format(self, value: Distance) -> Json:
        return value.value if isinstance(value, Out) else value

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        return {
            "anyOf": [_STEPS.build_schema(colours, scope), {"type": "string", "enum": [OUT.value]}]
        }

    def parse_word(self, word: str) -> Json:
        return _number_or_word(word)

    def to_word(self, value: Distance) -> str:
        return value.value if isinstance(value, Out) else str(value)

    def make_example(self, colours: Sequence[Colour]) -> str:
        return OUT.value


class _CellKind:
    def parse(self, value: object) -> Cell:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 3:
            raise refuse(f"a cell is three whole numbers [x, y, z], not {show_value(value)}")
        x, y, z = map(_COORDINATE.parse, value)
        return (x, y, z)

    def format(self, value: Cell) -> Json:
        return list(value)

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        item: dict[str, Json] = {"type": "integer"}
        if scope.cells is not None:
            item |= {"minimum": min(scope.cells.low), "maximum": max(scope.cells.high)}
        return {"type": "array", "items": item, "minItems": 3, "maxItems": 3}

    def parse_word(self, word: str) -> Json:
        return [_number_or_word(part) for part in word.split(",")]

    def to_word(self, value: Cell) -> str:
        return ",".join(str(v) for v in value)

    def make_example(self, colours: Sequence[Colour]) -> str:
        return "0,0,0"


class _CellsKind:
    def parse(self, value: object) -> Cells:
        items = _read_list(value, "cells", "[[0, 0, 0], [1, 0, 0]]", "cell", MAX_CELLS)
        return tuple(map(_CELL.parse, items))

    def format(self, value: Cells) -> Json:
        return [_CELL.format(cell) for cell in value]

    def build_schema(self, colours: Sequence[Colour], scope: Scope = _UNLIMITED) -> dict[str, Json]:
        return {"type": "array", "items": _CELL.build_schema(colours, scope), "minItems": 1}

    def parse_word(self, word: str) -> Json:
        return [_CELL.parse_word(part) for part in word.split("/") if part]

    def to_word(self, value: Cells) -> str:
        return "/".join(_CELL.to_word(cell) for cell in value)

    def make_example(self, colours: Sequence[Colour]) -> str:
        return "0,0,0/1,0,0"


_COLOUR = _ColourKind()
_STEPS = _StepsKind("a distance", 1, MAX_STEPS)
_COORDINATE = _IntegerKind("a coordinate", -MAX_STEPS, MAX_STEPS)
_CELL = _CellKind()


def _read_list(value: object, noun: str, example: str, one: str, most: int) -> Sequence[Any]:
    """Return a list that is neither empty nor too long."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise refuse(f"a list of {noun} such as {example} is needed, not {show_value(value)}")
    if not value:
        raise refuse(f"the list of {noun} is empty; name at least one {one}")
    if len(value) > most:
        raise refuse(f"a list has at most {most} {noun}, not {len(value)}")
    return value


def _whole(value: object) -> int | None:
    """``value`` as an int if it is a whole JSON number (2 or 2.0), else None."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not (math.isfinite(value) and value.is_integer()):
        return None
    return int(value)


def _number_or_word(word: str) -> Json:
    try:
        return int(word)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        return word


@cache
def find_field_type(annotation: object) -> AnyFieldType:
    """Return the kind of the fields with an annotation.

    Raises:
        TypeError: there is none, or an enumeration can't be written as words.
    """
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _choice_of(annotation)
    kind = _kinds().get(annotation)
    if kind is None:
        raise TypeError("is of no known kind")
    return kind


@cache
def _kinds() -> Mapping[object, AnyFieldType]:
    """Annotation -> kind."""
    return {
        Colour: _COLOUR,
        Colours: _ColoursKind(),
        Rotation: _ChoiceKind("rotation", {r.name: r for r in list_rotations()}),
        Cell: _CELL,
        Cells: _CellsKind(),
        Steps: _STEPS,
        QuarterTurns: _IntegerKind("a number of quarter turns", 1, 3),
        Distance: _DistanceKind(),
    }


def _choice_of(choices: type[Enum]) -> _ChoiceKind[Enum]:
    names = [choice.value for choice in choices]
    if not names or not all(isinstance(name, str) and _WORD.fullmatch(name) for name in names):
        raise TypeError(f"chooses among words, and {choices.__name__} is not made of such")
    if len({name.lower() for name in names}) < len(names):
        raise TypeError(f"does not tell apart what {choices.__name__} does by letter case")
    return _ChoiceKind(_noun_of(choices), {choice.value: choice for choice in choices})


def _noun_of(choices: type[Enum]) -> str:
    """Return the noun for one choice: the class's own, or the class's name in words."""
    said = getattr(choices, "noun", None)
    if isinstance(said, str) and not isinstance(said, choices):
        return said
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", choices.__name__).lower()


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an action.

    Attributes:
        name: as agents write it.
        kind: how its values are written.
        doc: what agents read about it.
        required: whether it has no default.
    """

    name: str
    kind: AnyFieldType
    doc: str
    required: bool


_FIELDS: dict[type[Action], tuple[FieldSpec, ...]] = {}
"""Fields that :func:`list_fields` has found, by action type."""


def list_fields(action_type: type[Action]) -> tuple[FieldSpec, ...]:
    """Return the fields of an action type, in order.

    Raises:
        TypeError: it is no dataclass, or a field is of no known kind.
    """
    found = _FIELDS.get(action_type)
    if found is None:
        found = _FIELDS[action_type] = _read_fields(action_type)
    return found


def list_colours(action: Action) -> tuple[Colour, ...]:
    """Return the colours that an action names."""
    values = ((spec.kind, getattr(action, spec.name)) for spec in list_fields(type(action)))
    named: list[Colour] = []
    for kind, value in values:
        named += [value] if kind is _COLOUR else value if isinstance(kind, _ColoursKind) else []
    return tuple(named)


def _read_fields(action_type: type[Action]) -> tuple[FieldSpec, ...]:
    if not dataclasses.is_dataclass(action_type):
        raise TypeError(f"{action_type.__name__} must be a dataclass")
    hints = get_type_hints(action_type)
    specs = []
    for field in dataclasses.fields(action_type):
        try:
            kind = find_field_type(hints[field.name])
        except TypeError as error:
            raise TypeError(f"{action_type.__name__}.{field.name} {error}") from None
        required = (
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        )
        specs.append(FieldSpec(field.name, kind, field.metadata.get("doc", ""), required))
    return tuple(specs)


def build_action(action_type: type[Action], arguments: Mapping[str, object]) -> Action:
    """Return the action that ``arguments`` (field name -> JSON value) describe.

    Raises:
        InvalidAction: a field is missing, unknown or of the wrong kind.
    """
    specs = list_fields(action_type)
    known = {spec.name for spec in specs}
    for name in arguments:
        if name not in known:
            alike = str(name) if len(str(name)) <= MAX_ACTION_NAME else ""
            close = difflib.get_close_matches(alike, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; it takes {sorted(known)}"
            raise refuse(
                f"{action_type.tool} has no field {show_value(name)}{hint}",
                Reason.UNKNOWN_FIELD,
                label(str(name)),
            )
    values: dict[str, object] = {}
    for spec in specs:
        if spec.name in arguments:
            values[spec.name] = _parse_field(action_type, spec, arguments[spec.name])
        elif spec.required:
            raise refuse(f"{action_type.tool} needs {spec.name!r}", Reason.MISSING_FIELD, spec.name)
    return action_type(**values)


def _parse_field(action_type: type[Action], spec: FieldSpec, value: object) -> object:
    try:
        return spec.kind.parse(value)
    except InvalidAction as error:
        message = f"{action_type.tool}.{spec.name}: {error.message}"
        raise InvalidAction(
            error.reason, message, culprits=error.culprits or (spec.name,)
        ) from None


def encode_arguments(action: Action) -> dict[str, Json]:
    """Return the JSON arguments of ``action``; the inverse of :func:`build_action`."""
    return {
        spec.name: spec.kind.format(getattr(action, spec.name))
        for spec in list_fields(type(action))
    }
