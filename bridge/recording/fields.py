"""Taking typed values out of a JSON object that may hold anything."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from pysim.errors import InputError
from pysim.field_types import Json
from pysim.options import is_whole
from pysim.untrusted import parse_json

__all__ = ["FieldError", "Fields", "json_object"]

_SHOWN = 60
"""Characters of a wrong value that a message quotes."""


class FieldError(InputError):
    """A line is no JSON object, or a field of it is missing or of the wrong type."""


class Fields:
    """One JSON object; each method takes out one field or raises :class:`FieldError`."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    @staticmethod
    def parse(line: bytes) -> "Fields":
        """Return the object that a line of JSON holds."""
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FieldError(f"this is not UTF-8 (byte {error.start + 1} of the line)") from None
        try:
            value = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise FieldError(f"this is not JSON ({error})") from None
        if not isinstance(value, dict):
            raise FieldError(f"a line is a JSON object, not {_shown(value)}")
        return Fields(value)

    def text(self, key: str) -> str:
        value = self._get(key)
        if not isinstance(value, str):
            raise _wrong(key, "a text", value)
        return value

    def whole(self, key: str, low: int) -> int:
        """Return a whole number that is at least ``low``."""
        value = self._get(key)
        if not is_whole(value, low):
            raise _wrong(key, f"a whole number from {low}", value)
        return value

    def integer(self, key: str) -> int:
        """Return a whole number of either sign."""
        value = self._get(key)
        if not is_whole(value):
            raise _wrong(key, "a whole number", value)
        return value

    def number(self, key: str) -> float:
        value = self._get(key)
        try:
            if not isinstance(value, bool) and isinstance(value, int | float):
                number = float(value)
                if math.isfinite(number):
                    return number
        except OverflowError:
            pass
        raise _wrong(key, "a number", value)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _wrong(key, "a list of texts", value)
        return tuple(value)

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        value = self._get(key)
        if not isinstance(value, list) or not all(map(_is_pair, value)):
            raise _wrong(key, "a list of pairs of texts", value)
        return tuple((first, second) for first, second in value)

    def digest(self, key: str) -> str:
        """Return a hash of 64 hexadecimal digits."""
        value = self.text(key)
        if not re.fullmatch("[0-9a-f]{64}", value):
            raise _wrong(key, "64 hexadecimal digits", value)
        return value

    def inner(self, key: str) -> "Fields":
        """Return an object."""
        return Fields(self.mapping(key))

    def mapping(self, key: str) -> dict[str, Json]:
        """Return an object as it is."""
        value = self._get(key)
        if not isinstance(value, dict):
            raise _wrong(key, "an object", value)
        return value

    def objects(self, key: str) -> list["Fields"]:
        """Return a list of objects."""
        value = self._get(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise _wrong(key, "a list of objects", value)
        return list(map(Fields, value))

    def value(self, key: str) -> object:
        """Return the value, whatever it is."""
        return self._get(key)

    def has(self, key: str) -> bool:
        """Return whether a field is there, whatever it holds."""
        return key in self._values

    def is_null(self, key: str) -> bool:
        """Return whether a field, which must be there, is null."""
        return self._get(key) is None

    def _get(self, key: str) -> object:
        if key not in self._values:
            raise FieldError(f"{key!r} is missing")
        return self._values[key]


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)
    )


def json_object(data: bytes) -> dict[str, Any]:
    """Return the JSON object that a file holds.

    Raises:
        FieldError: it holds none, or a text with half of a surrogate pair, which can't be written.
    """
    try:
        value = parse_json(data)
    except ValueError as error:
        raise FieldError(f"this is no JSON ({error})") from None
    if not isinstance(value, dict):
        raise FieldError(f"this is no JSON object, but {_shown(value)}")
    return value


def _wrong(key: str, wanted: str, value: object) -> FieldError:
    return FieldError(f"{key!r} is {wanted}, not {_shown(value)}")


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} that is nested too deep"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _refuse_constant(name: str) -> NoReturn:
    raise FieldError(f"{name} is no number in JSON")
