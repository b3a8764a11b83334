"""Calls at random, of what schemas allow, without knowing the family."""

import random
from collections.abc import Sequence
from typing import Any

from bridge.episode.tools import Schema, ToolCall

__all__ = ["random_call", "random_value"]


def random_call(chance: random.Random, tools: Sequence[Schema]) -> ToolCall:
    """A call that conforms to the schema of one of the tools, and may mean anything or nothing."""
    function = chance.choice(tools)["function"]
    return ToolCall(function["name"], random_value(chance, function["parameters"]))


def random_value(chance: random.Random, schema: Schema, size: int = 8) -> Any:
    """A valid value, numbers mostly small: for playing at random without knowing the family."""
    if "anyOf" in schema:
        return random_value(chance, chance.choice(schema["anyOf"]), size)
    if "enum" in schema:
        return chance.choice(schema["enum"])
    match schema["type"]:
        case "integer":
            low, high = schema.get("minimum", -size), schema.get("maximum", size)
            return chance.randint(low, min(high, low + 2 * size))
        case "array":
            return _random_array(chance, schema, size)
        case "object":
            known = schema["properties"]
            return {name: random_value(chance, item, size) for name, item in known.items()}
    raise AssertionError(f"no values can be drawn from {schema}")


def _random_array(chance: random.Random, schema: Schema, size: int) -> list[Any]:
    choices = schema["items"].get("enum")
    most = min(schema.get("maxItems", size), len(choices) if choices else size)
    length = chance.randint(schema.get("minItems", 0), most)
    if choices and schema.get("uniqueItems"):
        return chance.sample(choices, length)
    return [random_value(chance, schema["items"], size) for _ in range(length)]
