"""Options dataclasses of benches and generators, built from values by name."""

import difflib
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pysim.errors import InputError

__all__ = ["build_options"]

T = TypeVar("T")


def build_options(options_type: type[T], values: Mapping[str, object]) -> T:
    """Return an instance of a dataclass of options.

    Args:
        options_type: a frozen dataclass, as a bench's ``options``.
        values: by the fields' names. Text is read as on the command line, lists become tuples.

    Raises:
        InputError: there is no such option, one is missing, or a value is not one that it takes.
    """
    known = {field.name: field for field in fields(options_type) if field.init}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            raise InputError(f"there is no option {name[:60]!r}; {hint}")
    required = [n for n, field in known.items() if _is_required(field) and n not in values]
    if required:
        raise InputError(f"give {', '.join(required)}")
    hints = get_type_hints(options_type)
    given = {name: _read(known[name], hints[name], value) for name, value in values.items()}
    try:
        return options_type(**given)
    except ValueError as error:
        raise InputError(str(error)) from None


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _read(field: Field[Any], hint: Any, value: object) -> object:
    if isinstance(value, list):
        value = tuple(value)
    if not isinstance(value, str):
        return value
    try:
        if "read" in field.metadata:
            return field.metadata["read"](value)
        return _convert(_strip_none(hint), value)
    except ValueError as error:
        raise InputError(f"{field.name}: {error}") from None


def _strip_none(hint: Any) -> Any:
    """Return a type without ``| None``."""
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        return others[0] if len(others) == 1 else hint
    return hint


def _convert(hint: Any, text: str) -> object:
    if get_origin(hint) is tuple:
        return tuple(_convert(get_args(hint)[0], part) for part in text.split(","))
    if hint is bool:
        if text not in ("true", "false"):
            raise ValueError(f"true or false, not {text[:60]!r}")
        return text == "true"
    if isinstance(hint, type) and issubclass(hint, Enum | int | float | Path):
        return hint(text)
    return text
