"""Calls at random, of what schemas allow, without knowing the family."""

import random
from collections.abc import Sequence
from typing import Any

from bridge.episode.tools import Schema, ToolCall

__all__ = ["random_call", "random_value"]


def random_call(rng: random.Random, tools: Sequence[Schema]) -> ToolCall:
    """A call that conforms to the schema of one of the tools, and may mean anything or nothing."""
    function = rng.choice(tools)["function"]
    return ToolCall(function["name"], random_value(rng, function["parameters"]))


def random_value(rng: random.Random, schema: Schema, size: int = 8) -> Any:
    """A valid value, numbers mostly small: for playing at random without knowing the family."""
    if "anyOf" in schema:
        return random_value(rng, rng.choice(schema["anyOf"]), size)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema["type"]:
        case "integer":
            low, high = schema.get("minimum", -size), schema.get("maximum", size)
            return rng.randint(low, min(high, low + 2 * size))
        case "array":
            return _random_array(rng, schema, size)
        case "object":
            known = schema["properties"]
            return {name: random_value(rng, item, size) for name, item in known.items()}
    raise AssertionError(f"no values can be drawn from {schema}")


def _random_array(rng: random.Random, schema: Schema, size: int) -> list[Any]:
    choices = schema["items"].get("enum")
    most = min(schema.get("maxItems", size), len(choices) if choices else size)
    length = rng.randint(schema.get("minItems", 0), most)
    if choices and schema.get("uniqueItems"):
        return rng.sample(choices, length)
    return [random_value(rng, schema["items"], size) for _ in range(length)]
