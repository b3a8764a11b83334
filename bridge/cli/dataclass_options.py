"""Commands whose options are the fields of dataclasses.

:mod:`pysim.options` lists the types and the metadata of fields. An option of a tuple such as
``tuple[int, int]`` takes two values, one of ``tuple[str, ...]`` may be repeated. For commands
alone, metadata also says:

================  ==================================================================================
``metavar``       what stands for the value in the help; by default its type
``option``        how it is written: ``--all``, ``--films/--no-films``, ``--agent, --model``; by
                  default after its name
``argument``      true for an argument, which is given without a name; ``metavar`` names it
``environment``   variable that gives the value where the option does not
``shown``         default that the help shows, where it depends on other options
================  ==================================================================================

The choices of an enumeration are added to the help.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field
from enum import Enum
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import click

from bridge.cli.groups import HelpContext
from pysim.options import build_options, find_choices, is_required, list_options, strip_none

__all__ = ["build", "derive_parameters", "format_option", "load_function", "make_command"]

T = TypeVar("T")

HELP_OPTIONS = ("-h", "--help")
_PLAIN = (str, int, float, bool, Path)


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
    names = [[field.name for field in list_options(each)] for each in types]
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
    return [
        _parameter(options_type, field, hints[field.name]) for field in list_options(options_type)
    ]


def build(options_type: type[T], values: Mapping[str, object]) -> T:
    """Return the instance that options make.

    Args:
        options_type: the dataclass.
        values: by the fields' names, as they were read; None for what was not given.

    Raises:
        InputError: a value is not one that the field takes; the message names the option.
    """
    given = {name: value for name, value in values.items() if value is not None}
    return build_options(options_type, given, label=format_option)


def format_option(field: Field[Any]) -> str:
    """Format the option of a field: ``--legal-moves``; of an argument its name."""
    if field.metadata.get("argument"):
        return str(field.metadata.get("metavar", field.name.upper()))
    return _spellings(field)[0].partition("/")[0]


def _spellings(field: Field[Any]) -> list[str]:
    written: str = field.metadata.get("option", "--" + field.name.replace("_", "-"))
    return written.split(", ")


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


def _is_repeated(field: Field[Any], hint: Any) -> bool:
    bare = strip_none(hint)
    return "read" not in field.metadata and get_origin(bare) is tuple and get_args(bare)[-1] is ...


def _taken(field: Field[Any], hint: Any) -> click.ParamType[Any] | None:
    """Return the type of what is read for a field; None if there is none."""
    bare = strip_none(hint)
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
    if is_required(field):
        return MISSING
    if isinstance(field.default, Enum):
        return field.default.value
    is_shown = isinstance(field.default, (*_PLAIN, tuple)) and "read" not in field.metadata
    return field.default if is_shown else None


def _help(field: Field[Any], hint: Any) -> str:
    """Return the help of an option, and for an enumeration its choices."""
    said: str = field.metadata.get("help", "")
    choices = find_choices(hint)
    if choices is None or "read" in field.metadata:
        return said
    *others, last = (one.value for one in choices)
    named = f"{', '.join(others)} or {last}" if others else last
    return f"{said.rstrip('.')}: {named}." if said else f"{named}."
