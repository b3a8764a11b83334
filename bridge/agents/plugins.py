"""Things that go by a name on the command line: built-in ones, and those of other packages.

A name may have an argument behind a colon, as in ``noisy-oracle:0.2``.
"""

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from importlib.metadata import EntryPoint
from typing import Any, Generic, TypeVar

from pysim.errors import InputError
from pysim.extras import require_extra
from pysim.limits import MAX_PATTERN, quote
from pysim.options import build_options, list_options

__all__ = ["NoSettings", "Plugin", "check_settings", "find_plugin"]

Given = TypeVar("Given", contravariant=True)
Made = TypeVar("Made", covariant=True)


@dataclass(frozen=True, slots=True)
class NoSettings:
    """Settings of an agent or scorer that takes none."""


@dataclass(frozen=True, slots=True)
class Plugin(Generic[Given, Made]):
    """A kind of agent or scorer.

    Attributes:
        name: without an argument.
        make: makes one of what it is given; raises InputError if it can't.
        usage: the name with its argument, as in ``scripted:FILE``.
        waits: whether it mostly waits, for a server or a person, rather than computes.
        settings: frozen dataclass of those that it takes, as :mod:`pysim.options` reads it, or
            their names alone. None where it does not declare any, and may take all.
        extra: name of Luban's extra without which it can't work; empty if it needs none.
        check: raises InputError if an argument is none that it takes; None where any may do.
        free: names of settings on which nothing that it says depends, such as where a server is,
            besides those that the dataclass marks.
    """

    name: str
    make: Callable[[Given], Made]
    usage: str
    waits: bool = False
    settings: type[Any] | frozenset[str] | None = NoSettings
    free: frozenset[str] = frozenset()
    extra: str = ""
    check: Callable[[str], object] | None = None

    @property
    def takes_argument(self) -> bool:
        """Whether something has to stand behind a colon."""
        return ":" in self.usage

    def select_own(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the settings that it takes, of those that were given to it and to others."""
        taken = self.names
        return {name: text for name, text in given.items() if taken is None or name in taken}

    def select_lasting(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the settings that can't be changed on the way through a run."""
        declared = list_options(self.settings) if isinstance(self.settings, type) else ()
        free = self.free | {field.name for field in declared if field.metadata.get("free")}
        return {name: text for name, text in given.items() if name not in free}

    @property
    def names(self) -> frozenset[str] | None:
        """Names of the settings that it takes; None where it may take all."""
        if isinstance(self.settings, type):
            return frozenset(field.name for field in list_options(self.settings))
        return self.settings


def check_settings(given: Mapping[str, str], takers: Mapping[str, Plugin[Any, Any]]) -> None:
    """Refuse settings that nobody takes, values that are not what is declared, and missing extras.

    Args:
        given: name -> text.
        takers: by what a message calls them, such as ``the agent random``.

    Raises:
        InputError: the message names the setting, and those that there are.
        MissingPackage: one of them needs an extra that is not installed.
    """
    for name in given:
        if not any(kind.select_own({name: ""}) for kind in takers.values()):
            known = "; ".join(f"{who} takes {_listed(kind)}" for who, kind in takers.items())
            raise InputError(f"nothing here takes the setting {quote(name)}: {known}")
    for who, kind in takers.items():
        if kind.extra:
            require_extra("models", kind.extra)
        if isinstance(kind.settings, type):
            try:
                build_options(kind.settings, kind.select_own(given), kind="setting")
            except InputError as error:
                raise InputError(f"{who}: {error}") from None


def _listed(kind: Plugin[Any, Any]) -> str:
    return ", ".join(sorted(kind.names or ())) or "none"


def find_plugin(
    what: str,
    name: str,
    built_in: Sequence[Plugin[Given, Made]],
    others: Mapping[str, EntryPoint],
    adapt: Callable[[Callable[[Any], Made]], Callable[[Given], Made]],
) -> Plugin[Given, Made]:
    """Return the kind that ``name``, argument and all, is of.

    Args:
        what: the things' common name, for messages.
        others: entry points of other packages, by name.
        adapt: makes ``make`` of what an entry point holds.

    Raises:
        InputError: there is none, its argument is missing, or its package can't be loaded.
    """
    kind_name, colon, argument = name.partition(":")
    own = next((kind for kind in built_in if kind.name == kind_name), None)
    if own is None and kind_name not in others:
        hint = _hint(kind_name, [*(kind.usage for kind in built_in), *sorted(others)])
        raise InputError(f"there is no {what} {quote(name)}; {hint}")
    kind = own or _loaded(what, others[kind_name], adapt)
    if (own and own.takes_argument != bool(argument)) or (colon and not argument):
        raise InputError(f"this {what} is written {kind.usage}, not {quote(name)}")
    if kind.check is not None:
        kind.check(argument)
    return kind


def _hint(name: str, known: Sequence[str]) -> str:
    """Return the closest names if one can be guessed, else all that there are."""
    close = difflib.get_close_matches(name[:MAX_PATTERN], known, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"


def _loaded(
    what: str, entry: EntryPoint, adapt: Callable[[Callable[[Any], Made]], Callable[[Given], Made]]
) -> Plugin[Given, Made]:
    try:
        make = entry.load()
    except Exception as error:
        raise InputError(f"{what} {entry.name} ({entry.value}) can't be loaded: {error}") from error
    if not callable(make):
        raise InputError(f"{what} {entry.name} ({entry.value}) is no callable that makes {what}s")
    made = _saying_why(adapt(make))
    waits, free = bool(getattr(make, "waits", False)), frozenset(getattr(make, "free", ()))
    try:
        settings = _find_settings(make)
    except TypeError as error:
        raise InputError(f"{what} {entry.name} ({entry.value}) can't be used: {error}") from error
    return Plugin(entry.name, made, entry.name, waits, settings, free)


def _find_settings(make: object) -> type[Any] | frozenset[str] | None:
    """Return the settings that it declares; a property of what it makes, say, declares none.

    Raises:
        TypeError: the metadata of a field says what nothing reads.
    """
    declared = getattr(make, "settings", None)
    if isinstance(declared, type) and is_dataclass(declared):
        list_options(declared)
        return declared
    return frozenset(map(str, declared)) if isinstance(declared, Collection) else None


def _saying_why(make: Callable[[Given], Made]) -> Callable[[Given], Made]:
    """Return other packages say with a ValueError that they can't make what they were asked for."""

    def make_or_refuse(given: Given) -> Made:
        try:
            return make(given)
        except ValueError as error:
            raise InputError(str(error)) from error

    return make_or_refuse
