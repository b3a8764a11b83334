"""JSON schemas as the action space writes them: checking values against them, and drawing values.

Only the words that the project's schemas use are known; any other one fails, loudly.
"""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

__all__ = ["conforms", "values"]

Schema = Mapping[str, Any]
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
}
_WORDS = {
    "additionalProperties",
    "anyOf",
    "description",
    "enum",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "properties",
    "required",
    "type",
    "uniqueItems",
}


def conforms(schema: Schema, value: object) -> bool:
    """Whether ``value`` is valid, after the JSON Schema specification (2020-12)."""
    unknown = set(schema) - _WORDS
    assert not unknown, f"the schema uses words that are not checked here: {unknown}"
    if "anyOf" in schema:
        return any(conforms(option, value) for option in schema["anyOf"])
    if not isinstance(value, _TYPES[schema["type"]]) or isinstance(value, bool):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, int | float):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if isinstance(value, list):
        return _conforms_array(schema, value)
    return not isinstance(value, dict) or _conforms_object(schema, value)


def _conforms_array(schema: Schema, value: list[Any]) -> bool:
    fits = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
    twice = schema.get("uniqueItems") and any(value.count(item) > 1 for item in value)
    return fits and not twice and all(conforms(schema["items"], item) for item in value)


def _conforms_object(schema: Schema, value: dict[str, Any]) -> bool:
    known = schema["properties"]
    assert schema["additionalProperties"] is False
    return (
        set(schema["required"]) <= set(value) <= set(known)
        and all(conforms(known[name], item) for name, item in value.items())
    )  # fmt: skip


def values(schema: Schema, size: int = 40) -> st.SearchStrategy[Any]:
    """Valid values; numbers that have no bounds stay within ``size`` of zero."""
    if "anyOf" in schema:
        return st.one_of([values(option, size) for option in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "integer":
            return st.integers(schema.get("minimum", -size), schema.get("maximum", size))
        case "array":
            return st.lists(
                values(schema["items"], size),
                min_size=schema.get("minItems", 0),
                max_size=schema.get("maxItems", 6),
                unique=schema.get("uniqueItems", False),
            )
        case "object":
            return st.fixed_dictionaries(
                {name: values(item, size) for name, item in schema["properties"].items()}
            )
    raise AssertionError(f"no values can be drawn from {schema}")
