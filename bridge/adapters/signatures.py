"""Tools of a family as typed Python signatures, for libraries that make schemas of functions.

They hold for all levels of the family: colours are texts, and whole numbers have no bounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any, Literal

from bridge.episode.tools import ActionSpace, Schema
from pysim.catalog import check_family, discover_families

__all__ = ["TypedTool", "list_typed_tools"]

_TYPES: Mapping[str, object] = {"string": str, "integer": int, "boolean": bool, "number": float}


@dataclass(frozen=True, slots=True)
class TypedTool:
    """A tool of a family.

    Attributes:
        name: its name.
        description: the action in words.
        signature: its parameters with their types, those that may be left out with None.
        docs: descriptions of the parameters, by name.
        schemas: JSON schemas of their values, by name.
    """

    name: str
    description: str
    signature: Signature
    docs: Mapping[str, str]
    schemas: Mapping[str, Schema]


def list_typed_tools(family: str) -> tuple[TypedTool, ...]:
    """Return the tools of a family.

    Raises:
        InputError: there is no such family.
    """
    check_family(family)
    schemas = ActionSpace(discover_families()[family].actions, ()).schemas()
    return tuple(_make_tool(schema["function"]) for schema in schemas)


def _make_tool(function: Any) -> TypedTool:
    schema = function["parameters"]
    required, properties = schema["required"], schema["properties"]
    parameters = [
        _make_parameter(name, _find_type(one), name in required)
        for name, one in sorted(properties.items(), key=lambda pair: pair[0] not in required)
    ]
    return TypedTool(
        function["name"],
        function["description"],
        Signature(parameters),
        {name: one["description"] for name, one in properties.items()},
        {name: _drop_empty(one) for name, one in properties.items()},
    )


def _drop_empty(schema: Any) -> Any:
    """Return a schema without enumerations of nothing, which stand for colours of no level."""
    if not isinstance(schema, dict):
        return schema
    return {key: _drop_empty(one) for key, one in schema.items() if one != [] or key != "enum"}


def _make_parameter(name: str, kind: Any, required: bool) -> Parameter:
    where = Parameter.POSITIONAL_OR_KEYWORD
    if required:
        return Parameter(name, where, annotation=kind)
    return Parameter(name, where, annotation=kind | None, default=None)


def _find_type(schema: Mapping[str, Any]) -> Any:
    """Return the type of the values that fit a schema."""
    if "anyOf" in schema:
        first, *others = map(_find_type, schema["anyOf"])
        for other in others:
            first = first | other
        return first
    if schema.get("enum"):
        return Literal[tuple(schema["enum"])]
    if schema["type"] == "array":
        return list[_find_type(schema["items"])]  # type: ignore[misc]
    return _TYPES[schema["type"]]
