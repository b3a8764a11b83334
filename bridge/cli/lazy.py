"""A group of commands of which each is made when it is needed."""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any

import typer
from typer.core import TyperGroup

from bridge.cli.terminal import measure_terminal

__all__ = ["choose_help_markup", "make_lazy_group", "make_single_command"]

_NARROW = 80
"""Characters of a terminal below which the boxes around options would break words."""


def choose_help_markup() -> Any:
    """Return how Typer sets help: in boxes, or in a narrow terminal as plain text."""
    return "rich" if measure_terminal() >= _NARROW else None


def make_lazy_group(
    names: Callable[[], Iterable[str]], make: Callable[[str], Callable[..., None] | None]
) -> type[TyperGroup]:
    """Return a class of groups, for ``typer.Typer(cls=...)``.

    Args:
        names: the commands' names, in the order of the help.
        make: the function of a command, as Typer takes them; None if there is no such command.
    """

    class Group(TyperGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            self.rich_markup_mode = "rich"  # In plain help the sentences of a list are cut.
            self.commands = _Commands(names, make)

    return Group


class _Commands(MutableMapping[str, Any]):
    """Commands by name, as groups keep them."""

    def __init__(
        self,
        names: Callable[[], Iterable[str]],
        make: Callable[[str], Callable[..., None] | None],
    ) -> None:
        self._names, self._make = names, make
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            function = self._make(name)
            if function is None:
                raise KeyError(name)
            self._made[name] = make_single_command(function, name=name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._names(), *self._made)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]


def make_single_command(function: Callable[..., None], **more: Any) -> Any:
    """Return a command by itself; ``more``: as for ``typer.Typer.command``."""
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=choose_help_markup(),
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command(**more)(function)
    return typer.main.get_command(app)
