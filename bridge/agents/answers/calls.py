"""Calls among the literals of an answer: which values are actions, and which are whole plans."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import EllipsisType

from bridge.agents.answers.literals import (
    Invocation,
    Literal,
    LiteralError,
    LiteralReader,
    WorkLimit,
)
from bridge.agents.protocol import RawCall
from pysim.errors import LubanError
from pysim.field_types import Json

__all__ = ["CallReader", "PlanError", "Signature", "read_signatures"]

NAME_KEYS = ("name", "tool", "action", "function", "tool_name", "function_name", "action_name")
LOOSE_NAME_KEYS = ("recipient_name", "type", "command", "op")
"""Keys that hold an action's name only where there is an action of that name."""
ARGUMENT_KEYS = (
    "arguments",
    "args",
    "parameters",
    "params",
    "kwargs",
    "input",
    "tool_input",
    "action_input",
    "function_args",
)
REMARK_KEYS = frozenset(
    {"id", "index", "step", "number", "call_id", "type", "comment", "note", "notes", "reason"}
    | {"reasoning", "thought", "rationale", "explanation", "description", "...", "expected"}
)
"""Keys beside flat arguments that no action takes as arguments."""
_VARIABLES = ("actions", "plan", "steps", "moves", "calls", "solution")
_SPEECH = ("text", "thinking", "reasoning")
"""Types of the parts of a message that are no calls."""
EXCERPT = 200
"""Characters of a value that is no action, as it is passed on."""


class PlanError(LubanError):
    """An answer holds no plan that can be read; the message is a clause that says why."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The part of a tool's schema that is needed to read calls of it.

    Attributes:
        fields: names of the arguments, in order.
        required: those that can't be left out.
        lists: those that are lists.
    """

    fields: tuple[str, ...]
    required: frozenset[str]
    lists: frozenset[str]


def read_signatures(tools: Iterable[Mapping[str, Json]]) -> dict[str, Signature]:
    """Return the signatures of OpenAI function tools by name."""
    return dict(_signature(tool["function"]) for tool in tools)


def _signature(function: Json) -> tuple[str, Signature]:
    assert isinstance(function, Mapping)
    parameters = function["parameters"]
    assert isinstance(parameters, Mapping)
    properties, required = parameters["properties"], parameters["required"]
    assert isinstance(properties, Mapping) and isinstance(required, Sequence)
    lists = [
        n for n, p in properties.items() if isinstance(p, Mapping) and p.get("type") == "array"
    ]
    fields = tuple(properties)
    return str(function["name"]), Signature(fields, frozenset(map(str, required)), frozenset(lists))


class CallReader:
    """Recognises actions and plans among literals.

    Args:
        signatures: the actions that there are.
        limit: bounds the work on texts inside of literals.
    """

    def __init__(self, signatures: Mapping[str, Signature], limit: WorkLimit) -> None:
        self.signatures = signatures
        self._limit = limit
        self._folded = {name.casefold(): name for name in signatures}

    def find_name(self, name: str) -> str | None:
        """Return the action that a name means: qualified, or in other letters; None if none."""
        return self._folded.get(name.rpartition(".")[2].strip().casefold().replace("-", "_"))

    def read_action(self, value: Literal, *, listed: bool = False) -> RawCall | None:
        """Return the action that a value is, or None.

        Args:
            listed: whether it stands in a list of actions, where a name makes it one.
        """
        if isinstance(value, Invocation):
            return self._invoked(value)
        if isinstance(value, list):
            return self._pair(value) if listed else None
        if isinstance(value, str):
            return self._written(value) if listed else None
        return self._object(value, listed) if isinstance(value, dict) else None

    def read_plans(self, value: Literal) -> list[list[RawCall]]:
        """Return the different plans that a value holds.

        Raises:
            PlanError: it holds one that can't be carried out as it stands.
        """
        plans: list[list[RawCall]] = []
        for plan in self._plans(value, 0):
            if plan not in plans:
                plans.append(plan)
        return plans

    def bind(self, name: str, value: Literal) -> RawCall | None:
        """Return the call of a known action with these arguments, or None if they don't fit it."""
        signature = self.signatures[name]
        if not isinstance(value, dict) or not set(value) <= set(signature.fields):
            return None
        if not value and signature.required:
            return None
        return RawCall(name, to_json(value))

    def read_text(self, text: str, *, listed: bool) -> Literal:
        """Return the value of an argument that was written between tags.

        Args:
            listed: whether the argument is a list, which may have been written as one element.
        """
        value = self._decoded(text)
        return [value] if listed and not isinstance(value, list) else value

    def _plans(self, value: Literal, depth: int) -> Iterator[list[RawCall]]:
        if isinstance(value, list):
            yield from self._listed_plans(value, depth)
        elif isinstance(value, dict):
            yield from self._held_plans(value, depth)

    def _held_plans(self, value: dict[str, Literal], depth: int) -> Iterator[list[RawCall]]:
        for key, held in value.items():
            if key.strip().casefold() == "actions":
                yield from self._declared(held)
                return
        action = self.read_action(value)
        if action is not None and action.name in self.signatures:
            return
        final = [v for k, v in value.items() if k.casefold().startswith("final")]
        settled = [plan for one in final for plan in self._plans(one, depth + 1)]
        if settled:
            yield from settled
            return
        for one in value.values():
            yield from self._plans(one, depth + 1)

    def _declared(self, value: Literal) -> Iterator[list[RawCall]]:
        """Yield the plan under a key ``actions``."""
        if isinstance(value, str):
            if value in _VARIABLES:  # In a program that prints the plan.
                return
            value = self._decoded(value)
        if isinstance(value, dict) and all(key.isdecimal() for key in value):
            value = [value[key] for key in sorted(value, key=int)]
        if isinstance(value, dict) and self.read_action(value, listed=True):
            value = [value]
        if not isinstance(value, list):
            raise PlanError("its `actions` are no list")
        yield from self._complete(value)

    def _listed_plans(self, values: list[Literal], depth: int) -> Iterator[list[RawCall]]:
        told = [v for v in values if not (isinstance(v, dict) and v.get("type") in _SPEECH)]
        if self._is_bare_plan(told):
            yield from self._complete(told)
            return
        for value in values:
            yield from self._plans(value, depth + 1)

    def _is_bare_plan(self, values: list[Literal]) -> bool:
        actions = [self.read_action(value) or self._pair(value) for value in values]
        fitting = all(
            action is not None or isinstance(value, dict | EllipsisType)
            for action, value in zip(actions, values, strict=True)
        )
        return (
            fitting
            and any(action is not None for action in actions)
            and not any(
                isinstance(value, dict) and any(k.casefold() == "actions" for k in value)
                for value in values
            )
        )

    def _complete(self, values: list[Literal]) -> Iterator[list[RawCall]]:
        """Yield the calls of a list, unless it is a pattern such as ``[{"name": ...}, ...]``."""
        whole = [value for value in values if not has_ellipsis(value)]
        if len(whole) == len(values):
            yield [self.read_action(value, listed=True) or _no_action(value) for value in values]
        elif any(self.read_action(value, listed=True) for value in whole):
            raise PlanError("it leaves actions out with an ellipsis")

    def _invoked(self, value: Invocation) -> RawCall | None:
        name = self.find_name(value.name)
        if name is None:
            return self._object(dict(value.named), False) if not value.positional else None
        if len(value.positional) == 1 and isinstance(value.positional[0], dict):
            return RawCall(name, to_json({**value.positional[0], **value.named}))
        return self._positional(name, value.positional, value.named)

    def _positional(
        self, name: str, values: Sequence[Literal], named: Mapping[str, Literal]
    ) -> RawCall | None:
        signature = self.signatures[name]
        texts = {value for value in values if isinstance(value, str)}
        if len(values) > len(signature.fields) or texts & set(signature.fields):
            return None  # The fields' own names: a mention of how it is written.
        bound: dict[str, Literal] = {}
        for field, value in zip(signature.fields, values, strict=False):
            alone = field in signature.lists and not isinstance(value, list)
            bound[field] = [value] if alone else value
        if not bound and not named and signature.required:
            return None
        return RawCall(name, to_json({**bound, **named}))

    def _pair(self, value: Literal) -> RawCall | None:
        """Return the action written ``["name", {...}]``."""
        if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
            name = self.find_name(value[0])
            return self.bind(name, value[1]) if name else None
        return None

    def _written(self, text: str) -> RawCall | None:
        """Return the action that a text in a list is, such as ``"slide(...)"``."""
        value = self._decoded(text)
        return None if isinstance(value, str) else self.read_action(value)

    def _object(self, value: dict[str, Literal], listed: bool) -> RawCall | None:
        key = self._name_key(value, listed)
        if key is None:
            return self._keyed(value)
        named = value[key]
        if isinstance(named, dict):
            return self._object(named, listed)
        assert isinstance(named, str)
        name = self.find_name(named) or named
        for argument_key in ARGUMENT_KEYS:
            if argument_key in value and argument_key != key:
                return self._with_arguments(name, value[argument_key])
        if not listed and name not in self.signatures:
            return None
        flat = {k: v for k, v in value.items() if k != key and k not in REMARK_KEYS}
        return RawCall(name, to_json(flat))

    def _name_key(self, value: Mapping[str, Literal], listed: bool) -> str | None:
        """Return the key under which the name stands, or an object that has it."""
        texts = {k: v for k in (*NAME_KEYS, *LOOSE_NAME_KEYS) if isinstance(v := value.get(k), str)}
        for key, text in texts.items():
            if self.find_name(text):
                return key
        for key in ("function", "action", "function_call", "functionCall", "tool_call", "tool_use"):
            if isinstance(value.get(key), dict):
                return key
        strict = [key for key in texts if key in NAME_KEYS]
        has_arguments = any(isinstance(value.get(key), dict | str) for key in ARGUMENT_KEYS)
        return strict[0] if strict and (listed or has_arguments) else None

    def _keyed(self, value: Mapping[str, Literal]) -> RawCall | None:
        """Return the action written ``{"name": {...arguments}}`` with its own name for a key."""
        names = [key for key in value if self.find_name(key) and isinstance(value[key], dict)]
        if len(names) != 1 or set(value) - set(names) - REMARK_KEYS:
            return None
        name = self.find_name(names[0])
        return self.bind(name, value[names[0]]) if name else None

    def _with_arguments(self, name: str, value: Literal) -> RawCall | None:
        if isinstance(value, str):
            decoded = self._decoded(value)
            if not isinstance(decoded, dict):
                return RawCall(name, value)
            value = decoded
        if isinstance(value, dict) and "properties" in value:
            return None  # A schema, not a call.
        if isinstance(value, list) and name in self.signatures:
            return self._positional(name, value, {})
        return RawCall(name, to_json({} if value is None else value))

    def _decoded(self, text: str) -> Literal:
        """Return the literal that a whole text is, or the text."""
        try:
            value, end = LiteralReader(text, self._limit).read()
        except LiteralError:
            return text
        return text if text[end:].strip() else value


def has_ellipsis(value: Literal) -> bool:
    """Return whether there is an ellipsis in a value."""
    left = [value]
    while left:
        one = left.pop()
        if one is ...:
            return True
        if isinstance(one, Invocation):
            left += [*one.positional, *one.named.values()]
        elif isinstance(one, list | dict):
            left += one.values() if isinstance(one, dict) else one
    return False


def to_json(value: Literal) -> str:
    """Return a value as JSON text; calls and ellipses in it as texts."""
    return json.dumps(value, default=lambda odd: "..." if odd is ... else f"{odd.name}(...)")


def _no_action(value: Literal) -> RawCall:
    return RawCall("", to_json(value)[:EXCERPT])
