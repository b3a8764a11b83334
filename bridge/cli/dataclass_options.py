"""Commands whose options are the fields of dataclasses.

The fields' types say what is taken: ``str``, ``int``, ``float``, ``bool``, ``Path``, an enumeration
of words, a tuple of these (``tuple[int, int]`` takes two values, ``tuple[str, ...]`` an option that
may be repeated), or any of them ``| None``. Fields without a default are required. What else there
is to say stands in a field's ``metadata``:

================  ==================================================================================
``help``          what it does, one sentence; the choices of an enumeration are added
``least``         the least number that is taken
``most``          the greatest
``metavar``       what stands for the value in the help; by default its type
``option``        how it is written: ``--all``, ``--films/--no-films``, ``--agent, --model``; by
                  default after its name
``argument``      true for an argument, which is given without a name; ``metavar`` names it
``environment``   variable that gives the value where the option does not
``shown``         default that the help shows, where it depends on other options
``read``          makes the value of a text, for types of the author's own; raises ValueError
================  ==================================================================================
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from importlib import import_module
from itertools import chain
from math import isnan
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import click

from bridge.cli.errors import CommandError
from bridge.cli.groups import HelpContext

__all__ = ["build", "derive_parameters", "format_option", "load_function", "make_command"]

T = TypeVar("T")

HELP_OPTIONS = ("-h", "--help")
_PLAIN = (str, int, float, bool, Path)
_METADATA = {
    "help", "least", "most", "metavar", "option", "argument", "environment", "shown", "read"
}  # fmt: skip


def make_command(
    name: str,
    *types: type,
    run: str | Callable[..., None],
    about: str,
    epilog: str = "",
) -> click.Command:
    """Return a command that calls a function with instances of the dataclasses.

    Args:
        name: the command's.
        types: the dataclasses, in the order of the function's parameters.
        run: the function, or ``package.module:function``, which is loaded when the command runs.
        about: what it does, one sentence.
        epilog: text below the options.

    Raises:
        TypeError: no options can be made of a dataclass, or two options have the same name.
    """
    names = [[field.name for field in _fields(each)] for each in types]
    counts = Counter(chain.from_iterable(names))
    if twice := sorted(one for one, count in counts.items() if count > 1):
        raise TypeError(f"two options are called {', '.join(twice)}")

    def callback(**values: Any) -> None:
        made: list[Any] = [
            build(each, {one: values[one] for one in own})
            for each, own in zip(types, names, strict=True)
        ]
        (run if callable(run) else load_function(run))(*made)

    return _Command(
        name,
        callback=callback,
        params=[parameter for each in types for parameter in derive_parameters(each)],
        help=about,
        epilog=epilog or None,
        context_settings={"help_option_names": [*HELP_OPTIONS]},
    )


def load_function(path: str) -> Callable[..., Any]:
    """Return the function that a path names: ``package.module:function``."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


class _Command(click.Command):
    context_class = HelpContext


def derive_parameters(options_type: type) -> list[click.Parameter]:
    """Return the options and arguments of a dataclass, in the order of its fields.

    Raises:
        TypeError: no option can be made of a field.
    """
    hints = get_type_hints(options_type)
    return [_parameter(options_type, field, hints[field.name]) for field in _fields(options_type)]


def build(options_type: type[T], values: Mapping[str, object]) -> T:
    """Return the instance that options make.

    Args:
        options_type: the dataclass.
        values: by the fields' names, as they were read; None for what was not given.

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
    """Format the option of a field: ``--legal-moves``; of an argument its name."""
    if field.metadata.get("argument"):
        return str(field.metadata.get("metavar", field.name.upper()))
    return _spellings(field)[0].partition("/")[0]


def _spellings(field: Field[Any]) -> list[str]:
    written: str = field.metadata.get("option", "--" + field.name.replace("_", "-"))
    return written.split(", ")


def _fields(options_type: type) -> list[Field[Any]]:
    found = [field for field in fields(options_type) if field.init]
    for field in found:
        unknown = set(field.metadata) - _METADATA
        if unknown:
            raise TypeError(f"{options_type.__name__}.{field.name} says {', '.join(unknown)}")
    return found


def _parameter(owner: type, field: Field[Any], hint: Any) -> click.Parameter:
    taken = _taken(field, hint)
    if taken is None:
        raise TypeError(f"no option can be made of {owner.__name__}.{field.name}")
    said, default = field.metadata, _default(field)
    required, repeated = default is MISSING, _is_repeated(field, hint)
    given: dict[str, Any] = {"type": taken, "required": required}
    if not required and default is not None:
        given["default"] = default
    if said.get("argument"):
        given |= {"nargs": -1} if repeated else {}
        metavar = said.get("metavar")
        return click.Argument([field.name], metavar=metavar, help=_help(field, hint), **given)
    if taken is click.BOOL:
        given = {"is_flag": True, "default": bool(default)}
    elif repeated:
        given["multiple"] = True
    return click.Option(
        [*_declared(field, taken), field.name],
        help=_help(field, hint),
        metavar=said.get("metavar", f"<{field.name}>" if "read" in said else None),
        envvar=said.get("environment"),
        show_envvar="environment" in said,
        show_default=said.get("shown", default not in (MISSING, None, "", ())),
        **given,
    )


def _bare(hint: Any) -> Any:
    """Return a type without ``| None``."""
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        return others[0] if len(others) == 1 else hint
    return hint


def _is_repeated(field: Field[Any], hint: Any) -> bool:
    bare = _bare(hint)
    return "read" not in field.metadata and get_origin(bare) is tuple and get_args(bare)[-1] is ...


def _taken(field: Field[Any], hint: Any) -> click.ParamType[Any] | None:
    """Return the type of what is read for a field; None if there is none."""
    bare = _bare(hint)
    if "read" in field.metadata:
        return click.STRING
    if get_origin(bare) is not tuple:
        return _item(field, bare)
    found = [_item(field, one) for one in get_args(bare) if one is not ...]
    items = [one for one in found if one is not None]
    if len(items) < len(found):
        return None
    return items[0] if _is_repeated(field, hint) else click.Tuple(items)


def _item(field: Field[Any], hint: Any) -> click.ParamType[Any] | None:
    least, most = field.metadata.get("least"), field.metadata.get("most")
    is_ranged = least is not None or most is not None
    if isinstance(hint, type) and issubclass(hint, Enum):
        words = [one.value for one in hint]
        return click.Choice(words) if field.metadata.get("argument") else click.STRING
    if hint is int:
        return click.IntRange(least, most) if is_ranged else click.INT
    if hint is float:
        return click.FloatRange(least, most) if is_ranged else click.FLOAT
    return {str: click.STRING, bool: click.BOOL, Path: click.Path(path_type=Path)}.get(hint)


def _declared(field: Field[Any], taken: click.ParamType[Any]) -> list[str]:
    if "option" not in field.metadata and taken is click.BOOL and _default(field) is True:
        name = format_option(field)
        return [f"{name}/--no-{name.removeprefix('--')}"]
    return _spellings(field)


def _default(field: Field[Any]) -> Any:
    """Return the default that the help shows; None leaves it to the dataclass."""
    if field.default is MISSING and field.default_factory is MISSING:
        return MISSING
    if isinstance(field.default, Enum):
        return field.default.value
    is_shown = isinstance(field.default, (*_PLAIN, tuple)) and "read" not in field.metadata
    return field.default if is_shown else None


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
    """Return a field's value, made of what was read."""
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
    if isinstance(value, float) and isnan(value):
        raise CommandError(f"{format_option(field)} takes a number, not nan")
    if not issubclass(hint, Enum) or isinstance(value, hint):
        return value
    try:
        return hint(value)  # An enumeration may read other spellings.
    except ValueError:
        known = ", ".join(one.value for one in hint)
        raise CommandError(
            f"{format_option(field)} is one of {known}, not {str(value)[:60]!r}"
        ) from None
