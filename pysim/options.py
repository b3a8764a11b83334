"""Dataclasses of options and settings: values read from text, and checked against their fields.

The fields' types say what is taken: ``str``, ``int``, ``float``, ``bool``, ``Path``, an enumeration
of words, a tuple of these, or any of them ``| None``. Fields without a default are required. What
else there is to say stands in a field's ``metadata``:

==========  ========================================================================================
``help``    what it does, one sentence
``least``   the least number that is taken
``most``    the greatest
``read``    makes the value of a text, for types of the author's own; raises ValueError
``free``    of a setting: nothing depends on it but the way, as the address of a server
==========  ========================================================================================

:mod:`bridge.cli.dataclass_options` lists what else a field says of its option on the command line.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeGuard, TypeVar, Union, get_args, get_origin, get_type_hints

from pysim.errors import InputError
from pysim.limits import quote

__all__ = [
    "build_options",
    "check_whole",
    "find_choices",
    "is_required",
    "is_whole",
    "list_options",
    "parse_assignment",
    "strip_none",
]

T = TypeVar("T")

_OF_COMMANDS = {"metavar", "option", "argument", "environment", "shown"}
_METADATA = {"help", "least", "most", "read", "free"} | _OF_COMMANDS


def is_whole(
    value: object, least: float | None = None, most: float | None = None
) -> TypeGuard[int]:
    """Return whether a value is a whole number in a range; NumPy's are, bools and 2.0 are not."""
    if isinstance(value, bool) or not isinstance(value, int | Integral):
        return False
    number = int(value)
    return (least is None or number >= least) and (most is None or number <= most)


def check_whole(
    name: str,
    value: object,
    least: int | None = None,
    most: int | None = None,
    *,
    error: type[InputError] = InputError,
) -> int:
    """Return a value that has to be a whole number.

    Args:
        name: what the message calls it.
        value: from a caller, or of a document.
        least: the least number that is taken.
        most: the greatest.
        error: what to raise.

    Raises:
        InputError: it is something else, or out of range.
    """
    if not is_whole(value, least, most):
        raise error(f"{name} is a whole number{_format_range(least, most)}, not {quote(value)}")
    return int(value)


def list_options(options_type: type) -> tuple[Field[Any], ...]:
    """Return the fields that can be given, in order.

    Raises:
        TypeError: the metadata of a field says what nothing reads.
    """
    found = tuple(field for field in fields(options_type) if field.init)
    for field in found:
        if unknown := set(field.metadata) - _METADATA:
            raise TypeError(f"{options_type.__name__}.{field.name} says {', '.join(unknown)}")
    return found


def build_options(
    options_type: type[T],
    values: Mapping[str, object],
    *,
    kind: str = "option",
    label: Callable[[Field[Any]], str] = lambda field: field.name,
) -> T:
    """Return an instance of a dataclass of options.

    Args:
        options_type: a frozen dataclass, as a bench's ``options``.
        values: by the fields' names. Text is read as on the command line, lists become tuples.
        kind: what messages call an option.
        label: what they call the one of a field.

    Raises:
        InputError: there is no such option, one is missing, or a value is not one that it takes.
    """
    known = {field.name: field for field in list_options(options_type)}
    for name in values:
        if name not in known:
            raise InputError(f"there is no {kind} {quote(name)}; {_hint(name, known)}")
    required = [n for n, field in known.items() if is_required(field) and n not in values]
    if required:
        raise InputError(f"give {', '.join(required)}")
    hints = get_type_hints(options_type)
    given = {
        name: _read(known[name], hints[name], value, label(known[name]))
        for name, value in values.items()
    }
    try:
        return options_type(**given)
    except ValueError as error:
        raise InputError(str(error)) from None


def parse_assignment(option: str, text: str) -> tuple[str, str]:
    """Return name and value of a text NAME=VALUE.

    Args:
        option: what the message calls it.
        text: as it was given.

    Raises:
        InputError: it is not written so.
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise InputError(f"{option} is written NAME=VALUE, not {quote(text)}")
    return name, value


def _hint(name: str, known: Collection[str]) -> str:
    """Return the closest name if one can be guessed, else all that there are."""
    from difflib import get_close_matches  # Every command would wait for it.

    if close := get_close_matches(name[:60], known, n=1):
        return f"did you mean {close[0]}?"
    return f"there are {', '.join(known)}" if known else "there is none"


def is_required(field: Field[Any]) -> bool:
    """Return whether a field has no default."""
    return field.default is MISSING and field.default_factory is MISSING


def strip_none(hint: Any) -> Any:
    """Return a type without ``| None``."""
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        return others[0] if len(others) == 1 else hint
    return hint


def find_choices(hint: Any) -> type[Enum] | None:
    """Return the enumeration that a field's values are of; None if they are of none."""
    bare = strip_none(hint)
    if get_origin(bare) is tuple:
        bare = get_args(bare)[0]
    return bare if isinstance(bare, type) and issubclass(bare, Enum) else None


def _read(field: Field[Any], hint: Any, value: object, label: str) -> object:
    bare = strip_none(hint)
    if "read" in field.metadata:
        return _read_own(field, value, label)
    if value is None and bare is not hint:
        return None
    if get_origin(bare) is tuple:
        hints = get_args(bare)
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        if not isinstance(value, Iterable):
            raise InputError(f"{label} is a list of values, not {quote(value)}")
        parts = tuple(value)
        each = [hints[0]] * len(parts) if hints[-1] is ... else hints
        if len(each) != len(parts):
            raise InputError(f"{label} is {len(each)} values, not {len(parts)}")
        return tuple(_convert(field, h, v, label) for h, v in zip(each, parts, strict=True))
    return _convert(field, bare, value, label)


def _read_own(field: Field[Any], value: object, label: str) -> object:
    """Return the value of a type of the author's own."""
    if isinstance(value, list):
        return tuple(value)
    if not isinstance(value, str):
        return value
    try:
        made: object = field.metadata["read"](value)
    except ValueError as error:
        raise InputError(f"{label}: {error}") from None
    return made


def _convert(field: Field[Any], hint: Any, value: object, label: str) -> object:
    """Return a single value, made of text if it is one."""
    if hint is int or hint is float:
        return _convert_number(field, hint, value, label)
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(value)  # An enumeration may read other spellings.
        except ValueError:
            known = ", ".join(str(one.value) for one in hint)
            raise InputError(f"{label} is one of {known}, not {quote(value)}") from None
    if not isinstance(value, str):
        return value
    if hint is bool:
        if value not in ("true", "false"):
            raise InputError(f"{label} is true or false, not {quote(value)}")
        return value == "true"
    return Path(value) if hint is Path else value


def _convert_number(
    field: Field[Any], hint: type[int] | type[float], value: object, label: str
) -> object:
    number = _read_number(hint, value) if isinstance(value, str) else value
    least, most = field.metadata.get("least"), field.metadata.get("most")
    if hint is int:
        fits = is_whole(number, least, most)
    else:
        fits = (
            isinstance(number, Real)
            and not isinstance(number, bool)
            and number == number
            and (least is None or number >= least)
            and (most is None or number <= most)
        )
    if not fits:
        words = f"{'a whole number' if hint is int else 'a number'}{_format_range(least, most)}"
        raise InputError(f"{label} is {words}, not {quote(value)}")
    return number


def _format_range(least: float | None, most: float | None) -> str:
    if least is None:
        return "" if most is None else f" up to {most}"
    return f" from {least} up" if most is None else f" from {least} to {most}"


def _read_number(hint: type[int] | type[float], text: str) -> int | float | None:
    """Return the finite number that is written as a text; None if there is none."""
    try:
        number = hint(text)
    except ValueError:
        return None
    return number if hint is int or isfinite(number) else None
