"""Colour-hinted actions as agents see them: JSON schemas, tool calls and lines of text.

Everything follows from the action types of a family; no family is known here.
"""

import difflib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import getdoc
from typing import Any, NoReturn

from bridge.episode.sanitize import sanitize_json, sanitize_text
from pysim.catalog import AnyLevel, find_family
from pysim.errors import InputError
from pysim.field_types import (
    FieldSpec,
    Json,
    build_action,
    encode_arguments,
    label,
    list_colours,
    list_fields,
)
from pysim.limits import MAX_ACTION_NAME, MAX_ARGUMENTS, MAX_LINE
from pysim.puzzle import Action, InvalidAction, Reason, Scope
from pysim.scene import Colour

__all__ = [
    "CUT_OFF",
    "MAX_WRITTEN",
    "NO_CALL",
    "ActionSpace",
    "Schema",
    "ToolCall",
    "build_action_space",
    "is_long",
    "truncate_line",
    "truncate_unread",
]

Schema = Mapping[str, Any]
"""A JSON schema, as a dictionary."""
NO_CALL = "(no call)"
"""Name in place of an action's where an agent has answered without a call; no action has it."""
CUT_OFF: Mapping[str, Json] = {"finish": "length"}
"""Arguments under that name if the answer was cut at the token limit."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """An action as an agent writes it.

    Attributes:
        name: the action's name.
        arguments: field name -> JSON value; any JSON text that came from outside is parsed by
            :meth:`from_json`.
    """

    name: str
    arguments: Mapping[str, Json]

    @staticmethod
    def from_json(name: str, arguments: str) -> "ToolCall":
        """Return the call whose arguments are JSON text, as in an OpenAI tool call; it is harmless.

        Raises:
            InvalidAction: the text is no JSON object.
        """
        if len(arguments) > MAX_ARGUMENTS:
            raise _too_long()
        try:
            value = _DECODER.decode(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError) as error:
            raise InvalidAction(Reason.MALFORMED, f"the arguments are not JSON: {error}") from None
        _require_object(value)
        if len(arguments) <= _SHORT and "\\" not in arguments and arguments.isprintable():
            return ToolCall(
                sanitize_text(name[: MAX_ACTION_NAME + 1]), value
            )  # Harmless as a whole.
        return ToolCall(name, value).sanitize()

    @staticmethod
    def of(action: Action) -> "ToolCall":
        """Return the call that means ``action``."""
        return ToolCall(action.tool, encode_arguments(action))

    def sanitize(self) -> "ToolCall":
        """Return the same call, its texts fit to be passed on; see :mod:`bridge.episode.sanitize`.

        A name that is too long for any action is cut to one that is just so.

        Raises:
            InvalidAction: it is nested too deep, or too long, or its arguments are no mapping.
        """
        _require_object(self.arguments)
        if _weight(self.arguments, MAX_ARGUMENTS) > MAX_ARGUMENTS:
            raise _too_long()
        name = sanitize_text(self.name[: MAX_ACTION_NAME + 1])
        try:
            return ToolCall(name, sanitize_json(self.arguments))
        except RecursionError:
            raise InvalidAction(Reason.MALFORMED, "the arguments are nested too deep") from None

    def arguments_json(self) -> str:
        """Return the arguments as compact JSON text."""
        return _ENCODER.encode(self.arguments)


_SHORT = 256
"""Characters of JSON in which nothing can be nested too deep."""


def _require_object(value: object) -> None:
    if not isinstance(value, Mapping):
        raise InvalidAction(
            Reason.MALFORMED, f"the arguments are a JSON object, not {type(value).__name__}"
        )


def _too_long() -> InvalidAction:
    return InvalidAction(
        Reason.MALFORMED, f"the arguments have more than {MAX_ARGUMENTS:,} characters"
    )


def _weight(value: object, most: int) -> int:
    """Characters of JSON that a value takes up at least; no more than ``most`` are counted."""
    left, found = [value], 0
    while left and found <= most:
        one = left.pop()
        if isinstance(one, str):
            found += len(one) + 2
        elif isinstance(one, Mapping):
            found += 1 + max(1, 2 * len(one))
            left += [*one, *one.values()] if found <= most else []
        elif isinstance(one, list | tuple):
            found += 1 + max(1, len(one))
            left += one if found <= most else ()
        else:
            found += 1
    return found


def _words(line: str) -> shlex.shlex:
    """The words of a line; double quotes hold blanks together, and ``F'`` is a word like any."""
    words = shlex.shlex(line, posix=True)
    words.whitespace_split, words.commenters, words.quotes = True, "", '"'
    return words


def _no_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_ENCODER = json.JSONEncoder(separators=(",", ":"))


class ActionSpace:
    """The actions of one level's pieces.

    Args:
        scope: limits of the level. Agents are offered nothing beyond them, but calls are parsed
            all the same, so that the rules can refuse them.
        tools: schemas of the actions that are offered, where a server has sent them.

    Raises:
        TypeError: an action type is not made of known kinds.
    """

    def __init__(
        self,
        actions: Sequence[type[Action]],
        colours: Sequence[Colour],
        scope: Scope | None = None,
        *,
        tools: Sequence[dict[str, Json]] | None = None,
    ) -> None:
        self._actions = {action.tool: action for action in actions}
        self._scope = scope or Scope()
        self._offered = [a for a in actions if a not in self._scope.withheld]
        self._tools = tools
        limited = self._scope.colours
        self._colours = tuple(colours) if limited is None else limited
        for action in actions:
            list_fields(action)

    def schemas(self) -> list[dict[str, Json]]:
        """Return one OpenAI function tool per action, colours listed as an enumeration."""
        if self._tools is not None:
            return list(self._tools)
        return [self._schema(action) for action in self._offered]

    def parse(self, call: ToolCall) -> Action:
        """Return the action that a tool call means.

        Colours are taken as they are: whether a piece has one is for the rules to say.

        Raises:
            InvalidAction: no call, no such action, or its arguments are missing, unknown or of the
                wrong kind.
        """
        if call.name == NO_CALL:
            raise self._without_call(call)
        action_type = self._actions.get(call.name)
        if action_type is None:
            raise InvalidAction(
                Reason.UNKNOWN_ACTION,
                f"there is no action {call.name[:60]!r}; there are {', '.join(self.names)}",
                culprits=(label(call.name),),
            )
        return build_action(action_type, call.arguments)

    def check_colours(self, action: Action) -> None:
        """Refuse colours that no piece has, as the rules do.

        Raises:
            InvalidAction: the message names the colours that there are.
        """
        for colour in list_colours(action):
            if self._colours and colour not in self._colours:
                close = difflib.get_close_matches(colour, self._colours, n=1)
                hint = (
                    f"did you mean {close[0]}?"
                    if close
                    else f"there are {', '.join(self._colours)}"
                )
                raise InvalidAction(
                    Reason.UNKNOWN_COLOUR,
                    f"there is no piece called {label(colour)}; {hint}",
                    culprits=(colour,),
                )

    def _without_call(self, call: ToolCall) -> InvalidAction:
        if call.arguments == CUT_OFF:
            message = "the answer was cut at the token limit before a tool call"
        else:
            message = f"no tool call in the answer; call one of {', '.join(self._actions)}"
        return InvalidAction(Reason.NO_CALL, message)

    def call(self, action: Action) -> ToolCall:
        """Return the tool call for an action; the inverse of :meth:`parse`."""
        return ToolCall.of(action)

    def parse_line(self, line: str) -> ToolCall:
        """Return the tool call that a person typed: the action's name and its fields in order.

        ``slide red,blue +x 2``, or ``slide {"pieces": ["red"], ...}`` with JSON arguments.

        Raises:
            InvalidAction: no such action, or the number of words is wrong.
        """
        if len(line) > MAX_LINE:
            raise InvalidAction(Reason.MALFORMED, f"a line has at most {MAX_LINE:,} characters")
        name, _, rest = line.strip().partition(" ")
        if rest.lstrip().startswith("{"):
            return ToolCall.from_json(name, rest)
        action_type = self._actions.get(name)
        if action_type is None:
            return ToolCall(name, {})
        try:
            words = list(_words(rest))
        except ValueError as error:
            raise InvalidAction(Reason.MALFORMED, f"can't read {rest[:60]!r}: {error}") from None
        specs = list_fields(action_type)
        if len(words) > len(specs):
            raise InvalidAction(
                Reason.MALFORMED, f"too many words; it is written {self.usage(name)}"
            )
        return ToolCall(
            name,
            {spec.name: spec.kind.parse_word(w) for spec, w in zip(specs, words, strict=False)},
        )

    def line(self, action: Action) -> str:
        """Return the line of text for an action, which :meth:`parse_line` reads."""
        words = [s.kind.to_word(getattr(action, s.name)) for s in list_fields(type(action))]
        return " ".join([action.tool, *words])

    def usage(self, name: str) -> str:
        """Return usage, as in ``slide PIECES DIRECTION DISTANCE, like: slide red +x 1``."""
        fields = list_fields(self._actions[name])
        pattern = " ".join([name, *(spec.name.upper() for spec in fields)])
        words = (spec.kind.make_example(self._colours or (_NOBODY,)) for spec in fields)
        return f"{pattern}, like: {' '.join([name, *words])}"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the actions that are offered, in order."""
        return tuple(action.tool for action in self._offered)

    def _schema(self, action_type: type[Action]) -> dict[str, Json]:
        specs = list_fields(action_type)
        return {
            "type": "function",
            "function": {
                "name": action_type.tool,
                "description": " ".join((getdoc(action_type) or "").split()),
                "parameters": {
                    "type": "object",
                    "properties": {spec.name: self._property(spec) for spec in specs},
                    "required": [spec.name for spec in specs if spec.required],
                    "additionalProperties": False,
                },
            },
        }

    def _property(self, spec: FieldSpec) -> dict[str, Json]:
        return {"description": spec.doc, **spec.kind.build_schema(self._colours, self._scope)}


_NOBODY = Colour("colour")
"""Stands for a body in examples of actions that are not offered because there is none."""


def build_action_space(level: AnyLevel) -> ActionSpace:
    """Return the actions of a level, within its limits."""
    family = find_family(level)
    return ActionSpace(family.actions, level.colours, family.scope(level.puzzle))


MAX_WRITTEN = 400
"""Characters of JSON; of an action whose arguments are longer the shortest form is written down."""
_MAX_LINE = 120


def is_long(call: ToolCall) -> bool:
    """Return whether a call that was read takes up more than it needs to, or is no JSON."""
    try:
        return len(call.arguments_json()) > MAX_WRITTEN
    except (TypeError, ValueError, RecursionError):
        return True


def truncate_line(call: ToolCall) -> str:
    """Return a call that does not parse, as one short line."""
    if call.name == NO_CALL:
        return "no tool call"
    try:
        text = f"{label(call.name)} {call.arguments_json()}"
    except (TypeError, ValueError, RecursionError):
        text = f"{label(call.name)} with arguments that are no JSON"
    return text if len(text) <= _MAX_LINE else text[: _MAX_LINE - 3] + "..."


def truncate_unread(call: ToolCall, error: InvalidAction) -> str:
    """Return the note for arguments that are too long, or nested too deep, to be read."""
    try:
        return ascii(call.arguments)
    except (ValueError, RecursionError):
        return error.message
