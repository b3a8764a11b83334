"""Turns without code: reading the calls of an answer, exactly (appendix D).

A call of ``make_move`` holds a sequence that was planned before, like ``{"moves": ["D'", "B"]}``.
An answer is read as a whole before anything of it is carried out. Calls come as OpenAI tool calls;
in an answer without any, the text's first fenced block, or else what is between its first and its
last brace, is one JSON object: ``{"moves": [...]}``, ``{"name", "arguments"}`` or
``{"calls": [{"name", "arguments"}, ...]}``.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bridge.agents.protocol import RawCall
from bridge.agents.turns import TurnAnswer
from bridge.episode.tools import ToolCall
from pysim.errors import InputError
from pysim.families.rubik.choices import FACE_TURNS, ViewShift
from pysim.families.rubik.faces import FACELETS
from pysim.field_types import Json, label
from pysim.puzzle import InvalidAction

__all__ = [
    "MOST_CALLS",
    "MOST_MOVES",
    "FaultyAnswer",
    "Look",
    "Moves",
    "Observe",
    "Solve",
    "TurnCall",
    "make_call_schemas",
    "read_calls",
]

MOST_CALLS = 50
"""In one answer."""
MOST_MOVES = 1_000
"""In one call."""
_DIRECTIONS = tuple(shift.value for shift in ViewShift)


class FaultyAnswer(InputError):
    """An answer can't be read; nothing of it is carried out, and the turn is used up."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Make these moves, one after another."""

    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """Go around the cube."""

    direction: str


@dataclass(frozen=True, slots=True)
class Observe:
    """Look at the cube."""


@dataclass(frozen=True, slots=True)
class Solve:
    """Ask the solver."""

    state: str


TurnCall = Moves | Look | Observe | Solve


def read_calls(answer: TurnAnswer, tools: Sequence[str]) -> tuple[TurnCall, ...]:
    """Return the calls of an answer, in order; at least one.

    Args:
        tools: names of those that there are.

    Raises:
        FaultyAnswer: there are none, or one can't be read.
    """
    calls = [_of_json(call) for call in answer.calls] or _of_text(answer.text)
    if not 1 <= len(calls) <= MOST_CALLS:
        raise FaultyAnswer(f"an answer has 1 to {MOST_CALLS} calls, not {len(calls)}")
    return tuple(_read(call, tools) for call in calls)


_FENCE = re.compile(r"```[A-Za-z]*[ \t]*\n(.*?)```", re.DOTALL)


def _of_json(call: RawCall) -> ToolCall:
    try:
        return ToolCall.from_json(call.name, call.arguments)
    except InvalidAction as error:
        raise FaultyAnswer(error.message) from None


def _of_text(text: str) -> list[ToolCall]:
    fenced = _FENCE.search(text)
    body = fenced[1] if fenced else text[text.find("{") : text.rfind("}") + 1]
    if not body.strip():
        raise FaultyAnswer("there is no call in this answer")
    document = _of_json(RawCall("", body)).arguments
    if set(document) == {"moves"}:
        return [ToolCall("make_move", document)]
    if set(document) == {"calls"} and isinstance(document["calls"], list):
        return [_named(call) for call in document["calls"]]
    return [_named(document)]


def _named(document: Json) -> ToolCall:
    if isinstance(document, Mapping) and set(document) == {"name", "arguments"}:
        name, arguments = document["name"], document["arguments"]
        if isinstance(name, str) and isinstance(arguments, Mapping):
            return ToolCall(name, arguments)
    raise FaultyAnswer('a call is written {"name": "...", "arguments": {...}}')


def _read(call: ToolCall, tools: Sequence[str]) -> TurnCall:
    if call.name not in tools:
        raise FaultyAnswer(f"there is no {label(call.name)!r}; there are {', '.join(tools)}")
    field, make = _READERS[call.name]
    given = {name for name in call.arguments if name}
    if given != ({field} if field else set()) or len(given) != len(call.arguments):
        raise FaultyAnswer(f"{call.name} takes {field or 'nothing'}, and nothing else")
    return make(call.arguments.get(field))


def _moves(value: Json) -> Moves:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_MOVES:
        raise FaultyAnswer(f"moves is a list of 1 to {MOST_MOVES} moves")
    for move in value:
        if not (isinstance(move, str) and move in FACE_TURNS):
            raise FaultyAnswer(f"{_shown(move)} is no move; there are {' '.join(FACE_TURNS)}")
    return Moves(tuple(map(str, value)))


def _look(value: Json) -> Look:
    if not (isinstance(value, str) and value in _DIRECTIONS):
        raise FaultyAnswer(f"{_shown(value)} is no direction; there are {', '.join(_DIRECTIONS)}")
    return Look(value)


def _observe(value: Json) -> Observe:
    return Observe()


def _solve(value: Json) -> Solve:
    if not isinstance(value, str):
        raise FaultyAnswer("state is a text")
    return Solve(value)


_READERS: dict[str, tuple[str, Callable[[Json], TurnCall]]] = {
    "make_move": ("moves", _moves),
    "get_observation": ("", _observe),
    "apply_view_transformation": ("direction", _look),
    "solve_cube": ("state", _solve),
}


def _shown(value: Json) -> str:
    try:
        return json.dumps(value)[:40]
    except (ValueError, RecursionError):
        return f"a {type(value).__name__}"


def make_call_schemas(texts: Mapping[str, str]) -> list[dict[str, Json]]:
    """The calls as OpenAI function tools; ``texts``: the description of each tool that there is."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": " ".join(text.split()),
                "parameters": {
                    "type": "object",
                    "properties": {field: _PROPERTIES[field]} if field else {},
                    "required": [field] if field else [],
                    "additionalProperties": False,
                },
            },
        }
        for name, text in texts.items()
        for field in (_READERS[name][0],)
    ]


_PROPERTIES: dict[str, dict[str, Json]] = {
    "moves": {
        "type": "array",
        "items": {"type": "string", "enum": list(FACE_TURNS)},
        "minItems": 1,
        "maxItems": MOST_MOVES,
        "description": "The moves, in the order in which they are made.",
    },
    "direction": {"type": "string", "enum": list(_DIRECTIONS)},
    "state": {"type": "string", "minLength": FACELETS, "maxLength": FACELETS},
}
