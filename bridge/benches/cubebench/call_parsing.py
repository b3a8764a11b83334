"""Strict parsing of the calls in an answer, for turns without code (appendix D).

A call of ``make_move`` holds a planned sequence like ``{"moves": ["D'", "B"]}``. An answer is
parsed as a whole before any of its calls is executed. Calls are OpenAI tool calls. An answer
without any holds one JSON object in its first fenced block, or else between its first and its last
brace: ``{"moves": [...]}``, ``{"name", "arguments"}`` or
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
    "parse_calls",
]

MOST_CALLS = 50
"""Maximum number of calls in one answer."""
MOST_MOVES = 1_000
"""Maximum number of moves in one call."""
_DIRECTIONS = tuple(shift.value for shift in ViewShift)


class FaultyAnswer(InputError):
    """An answer is invalid. None of its calls is executed, and the turn is used up."""


@dataclass(frozen=True, slots=True)
class Moves:
    """A call that makes moves in order."""

    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """A call that changes the side from which the cube is viewed."""

    direction: str


@dataclass(frozen=True, slots=True)
class Observe:
    """A call that requests an observation of the cube."""


@dataclass(frozen=True, slots=True)
class Solve:
    """A call that passes a state to the solver."""

    state: str


TurnCall = Moves | Look | Observe | Solve


def parse_calls(answer: TurnAnswer, tools: Sequence[str]) -> tuple[TurnCall, ...]:
    """Return the calls of an answer in order, at least one.

    Args:
        tools: names of the available tools.

    Raises:
        FaultyAnswer: there is no call, or one is invalid.
    """
    calls = [_parse_json(call) for call in answer.calls] or _parse_text(answer.text)
    if not 1 <= len(calls) <= MOST_CALLS:
        raise FaultyAnswer(f"an answer has 1 to {MOST_CALLS} calls, not {len(calls)}")
    return tuple(_parse_call(call, tools) for call in calls)


_FENCED_BLOCK = re.compile(r"```[A-Za-z]*[ \t]*\n(.*?)```", re.DOTALL)


def _parse_json(call: RawCall) -> ToolCall:
    try:
        return ToolCall.from_json(call.name, call.arguments)
    except InvalidAction as error:
        raise FaultyAnswer(error.message) from None


def _parse_text(text: str) -> list[ToolCall]:
    block = _FENCED_BLOCK.search(text)
    body = block[1] if block else text[text.find("{") : text.rfind("}") + 1]
    if not body.strip():
        raise FaultyAnswer("there is no call in this answer")
    document = _parse_json(RawCall("", body)).arguments
    if set(document) == {"moves"}:
        return [ToolCall("make_move", document)]
    if set(document) == {"calls"} and isinstance(document["calls"], list):
        return [_parse_named_call(call) for call in document["calls"]]
    return [_parse_named_call(document)]


def _parse_named_call(document: Json) -> ToolCall:
    if isinstance(document, Mapping) and set(document) == {"name", "arguments"}:
        name, arguments = document["name"], document["arguments"]
        if isinstance(name, str) and isinstance(arguments, Mapping):
            return ToolCall(name, arguments)
    raise FaultyAnswer('a call is written {"name": "...", "arguments": {...}}')


def _parse_call(call: ToolCall, tools: Sequence[str]) -> TurnCall:
    if call.name not in tools:
        raise FaultyAnswer(f"there is no {label(call.name)!r}; there are {', '.join(tools)}")
    field, parse = _PARSERS[call.name]
    names = {name for name in call.arguments if name}
    if names != ({field} if field else set()) or len(names) != len(call.arguments):
        raise FaultyAnswer(f"{call.name} takes {field or 'nothing'}, and nothing else")
    return parse(call.arguments.get(field))


def _parse_moves(value: Json) -> Moves:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_MOVES:
        raise FaultyAnswer(f"moves is a list of 1 to {MOST_MOVES} moves")
    for move in value:
        if not (isinstance(move, str) and move in FACE_TURNS):
            raise FaultyAnswer(f"{_shown(move)} is no move; there are {' '.join(FACE_TURNS)}")
    return Moves(tuple(map(str, value)))


def _parse_look(value: Json) -> Look:
    if not (isinstance(value, str) and value in _DIRECTIONS):
        raise FaultyAnswer(f"{_shown(value)} is no direction; there are {', '.join(_DIRECTIONS)}")
    return Look(value)


def _parse_observe(value: Json) -> Observe:
    return Observe()


def _parse_solve(value: Json) -> Solve:
    if not isinstance(value, str):
        raise FaultyAnswer("state is a text")
    return Solve(value)


_PARSERS: dict[str, tuple[str, Callable[[Json], TurnCall]]] = {
    "make_move": ("moves", _parse_moves),
    "get_observation": ("", _parse_observe),
    "apply_view_transformation": ("direction", _parse_look),
    "solve_cube": ("state", _parse_solve),
}


def _shown(value: Json) -> str:
    """Return a short form of a value for messages."""
    try:
        return json.dumps(value)[:40]
    except (ValueError, RecursionError):
        return f"a {type(value).__name__}"


def make_call_schemas(texts: Mapping[str, str]) -> list[dict[str, Json]]:
    """Return OpenAI function tools; ``texts``: the description of each available tool."""
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
        for field in (_PARSERS[name][0],)
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
