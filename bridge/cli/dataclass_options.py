"""A command's options, derived from the fields of a dataclass.

The fields' types say what is taken: ``str``, ``int``, ``float``, ``bool``, ``Path``, an enumeration
of words, a tuple of these (``tuple[int, int]`` takes two values, ``tuple[str, ...]`` an option that
may be repeated), or any of them ``| None``. Fields without a default are required. What else there
is to say stands in a field's ``metadata``, or in ``Annotated[..., typer.Option(...)]`` where Typer
is known:

==============  ====================================================================================
``help``        what it does, one sentence; the choices of an enumeration are added
``least``       the least number that is taken
``most``        the greatest
``metavar``     what stands for the value in the help; by default its type
``option``      how it is written: ``--all``, ``--films/--no-films``; by default after its name
``read``        makes the value of a text, for types of the author's own; raises ValueError
==============  ====================================================================================
"""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from functools import wraps
from itertools import chain
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import typer

from bridge.cli.errors import CommandError

__all__ = ["build", "derive_options", "derive_parameters", "format_option"]

T = TypeVar("T")

_PLAIN = (str, int, float, bool, Path)
_METADATA = {"help", "least", "most", "metavar", "option", "read"}


def derive_options(run: Callable[..., None], **types: type) -> Callable[..., None]:
    """A function for Typer: like ``run``, but with options in place of some of its parameters.

    Args:
        run: takes what the options make, and whatever else it takes, by keyword.
        types: the dataclasses whose options stand in place of the parameters of these names; their
            options come first, in this order.

    Raises:
        TypeError: no options can be made of a dataclass, or two options have the same name.
    """
    derived = {place: derive_parameters(each) for place, each in types.items()}
    own = [p for p in inspect.signature(run).parameters.values() if p.name not in types]
    every = [*chain.from_iterable(derived.values()), *own]
    twice = sorted(name for name, count in Counter(p.name for p in every).items() if count > 1)
    if twice:
        raise TypeError(f"two options are called {', '.join(twice)}")

    @wraps(run)
    def command(**values: Any) -> None:
        taken = {place: {p.name: values.pop(p.name) for p in derived[place]} for place in types}
        made: dict[str, Any] = {place: build(types[place], taken[place]) for place in types}
        run(**made, **values)

    every = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in every]
    command.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in every}
    return command


def derive_parameters(options_type: type) -> list[inspect.Parameter]:
    """Return the options as parameters of a function for Typer, in the order of the fields.

    Raises:
        TypeError: no option can be made of a field.
    """
    hints = get_type_hints(options_type, include_extras=True)
    return [p for f in _fields(options_type) for p in _parameters(options_type, f, hints[f.name])]


def build(options_type: type[T], values: Mapping[str, object]) -> T:
    """Return the instance that options make.

    Args:
        values: by the fields' names, as Typer reads them; None for what was not given.

    Raises:
        CommandError: a value is not one that the field takes; the message names the option.
    """
    hints = get_type_hints(options_type)
    made = {
        field.name: _value(field, hints[field.name], value)
        for field in _fields(options_type)
        if (value := values.get(field.name)) is not None
    }
    try:
        return options_type(**made)
    except ValueError as error:
        raise CommandError(str(error)) from None


def format_option(field: Field[Any]) -> str:
    """Format the option of a field: ``--legal-moves``."""
    written: str = field.metadata.get("option", "--" + field.name.replace("_", "-"))
    return written.partition("/")[0]


def _fields(options_type: type) -> list[Field[Any]]:
    found = [field for field in fields(options_type) if field.init]
    for field in found:
        unknown = set(field.metadata) - _METADATA
        if unknown:
            raise TypeError(f"{options_type.__name__}.{field.name} says {', '.join(unknown)}")
    return found


def _parameters(owner: type, field: Field[Any], hint: Any) -> Iterator[inspect.Parameter]:
    if get_origin(hint) is Annotated:
        yield _parameter(field.name, hint, _default(field))
        return
    taken = _taken(field, hint)
    if taken is None:
        raise TypeError(f"no option can be made of {owner.__name__}.{field.name}")
    said = field.metadata
    info = typer.Option(
        *_declared(field, taken),
        help=_help(field, hint),
        min=said.get("least"),
        max=said.get("most"),
        metavar=said.get("metavar", f"<{field.name}>" if "read" in said else None),
    )
    yield _parameter(field.name, Annotated[taken, info], _default(field))


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def _bare(hint: Any) -> Any:
    """Return a type without ``| None``."""
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        return others[0] if len(others) == 1 else hint
    return hint


def _taken(field: Field[Any], hint: Any) -> Any:
    """Return the type of what Typer reads for a field; None if there is none."""
    bare = _bare(hint)
    if "read" in field.metadata:
        found: Any = str
    elif get_origin(bare) is tuple:
        items = [_item(one) for one in get_args(bare) if one is not Ellipsis]
        repeated = get_args(bare)[-1] is Ellipsis
        if None in items:
            return None
        found = list[items[0]] if repeated else tuple[tuple(items)]  # type: ignore[valid-type,misc]
    else:
        found = _item(bare)
    optional = _default(field) is None and found is not None
    return found | None if optional else found


def _item(hint: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return str
    return hint if hint in _PLAIN else None


def _declared(field: Field[Any], taken: Any) -> tuple[str, ...]:
    if "option" in field.metadata:
        return (field.metadata["option"],)
    is_flag = taken is bool and _default(field) is False
    return (format_option(field),) if is_flag else ()


def _default(field: Field[Any]) -> Any:
    """Return the default that Typer shows and gives; None leaves it to the dataclass."""
    if field.default is MISSING and field.default_factory is MISSING:
        return inspect.Parameter.empty
    if isinstance(field.default, Enum):
        return field.default.value
    return field.default if isinstance(field.default, _PLAIN) else None


def _help(field: Field[Any], hint: Any) -> str:
    """Return the help of an option, and for an enumeration its choices."""
    said: str = field.metadata.get("help", "")
    choices = _enumeration(hint)
    if choices is None or "read" in field.metadata:
        return said
    *others, last = (one.value for one in choices)
    named = f"{', '.join(others)} or {last}" if others else last
    return f"{said.rstrip('.')}: {named}." if said else f"{named}."


def _enumeration(hint: Any) -> type[Enum] | None:
    bare = _bare(hint)
    if get_origin(bare) is tuple:
        bare = get_args(bare)[0]
    return bare if isinstance(bare, type) and issubclass(bare, Enum) else None


def _value(field: Field[Any], hint: Any, value: Any) -> Any:
    """Return a field's value, made of what Typer has read."""
    try:
        if "read" in field.metadata:
            return field.metadata["read"](value)
        if get_origin(_bare(hint)) is tuple:
            return tuple(_chosen(field, one_hint, one) for one_hint, one in _each(hint, value))
        return _chosen(field, _bare(hint), value)
    except ValueError as error:
        raise CommandError(f"{format_option(field)}: {error}") from None


def _each(hint: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    hints = get_args(_bare(hint))
    repeated = hints[-1] is Ellipsis
    return zip([hints[0]] * len(value) if repeated else hints, value, strict=True)


def _chosen(field: Field[Any], hint: Any, value: Any) -> Any:
    if not issubclass(hint, Enum) or isinstance(value, hint):
        return value
    try:
        return hint(value)  # An enumeration may read other spellings.
    except ValueError:
        known = ", ".join(one.value for one in hint)
        raise CommandError(
            f"{format_option(field)} is one of {known}, not {str(value)[:60]!r}"
        ) from None
