"""A group of commands of which each is made when it is needed."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from bridge.cli.terminal import measure_terminal

__all__ = ["choose_help_markup", "make_lazy_group", "make_single_command"]

_NARROW = 80
"""Characters of a terminal below which the boxes around options would break words."""


def choose_help_markup() -> Any:
    """Return how Typer sets help: in boxes, or in a narrow terminal as plain text."""
    return "rich" if measure_terminal() >= _NARROW else None


def make_lazy_group(
    summaries: Callable[[], Mapping[str, str]],
    make: Callable[[str], Callable[..., None] | None],
) -> type[TyperGroup]:
    """Return a class of groups, for ``typer.Typer(cls=...)``.

    Args:
        summaries: a sentence on each command, by its name, in the order of the help.
        make: the function of a command, as Typer takes them; None if there is no such command.
    """

    class Group(TyperGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            self.rich_markup_mode = "rich"  # In plain help the sentences of a list are cut.
            self.commands = _Commands(summaries, make)

    return Group


class _LazyCommand(TyperCommand):
    """A command whose options are made when it is run; its help in a list is known before."""

    def __init__(self, name: str, summary: str, make: Callable[[], Any]) -> None:
        super().__init__(name, help=summary)
        self._make = make

    @property
    def params(self) -> list[Any]:
        """Return the options and arguments of the command itself."""
        params: list[Any] = self._make().params
        return params

    @params.setter
    def params(self, value: list[Any]) -> None:
        """Ignore the options of the base class, which has none."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Return the context of the command itself."""
        return self._make().make_context(info_name, args, parent, **extra)


class _Commands(MutableMapping[str, Any]):
    """Commands by name, as groups keep them."""

    def __init__(
        self,
        summaries: Callable[[], Mapping[str, str]],
        make: Callable[[str], Callable[..., None] | None],
    ) -> None:
        self._summaries, self._function = summaries, make
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name in self._made:
            return self._made[name]
        return _LazyCommand(name, self._summaries()[name], lambda: self._make(name))

    def _make(self, name: str) -> Any:
        if name not in self._made:
            function = self._function(name)
            assert function is not None, name
            self._made[name] = make_single_command(function, name=name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._summaries(), *self._made)))

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
