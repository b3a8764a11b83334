"""Groups of commands of which each is loaded when it is needed, and their help."""

from collections.abc import Callable, Iterable, Mapping

import click

__all__ = ["HelpContext", "LazyGroup"]

_NON_BREAKING_HYPHEN = "\N{NON-BREAKING HYPHEN}"


class _HelpFormatter(click.HelpFormatter):
    """Help whose lines are broken at blanks only, so that words such as ``first-legal`` stay."""

    def write(self, string: str) -> None:
        """Write a text, wrapped before, with usual hyphens."""
        super().write(string.replace(_NON_BREAKING_HYPHEN, "-"))

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(text.replace("-", _NON_BREAKING_HYPHEN))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write a list of terms and what they mean."""
        kept = [(term, text.replace("-", _NON_BREAKING_HYPHEN)) for term, text in rows]
        super().write_dl(kept, col_max, col_spacing)


class HelpContext(click.Context):
    """Context of a command whose help breaks no word."""

    formatter_class = _HelpFormatter


class LazyGroup(click.Group):
    """A group that knows the names of its commands, and loads a command by its name.

    Args:
        name: the group's.
        summaries: returns a sentence on each command, by its name, in the order of the help.
        load: returns a command by its name; it is called with names of ``summaries`` only.
        about: the group's help.
    """

    context_class = HelpContext

    def __init__(
        self,
        name: str,
        *,
        summaries: Callable[[], Mapping[str, str]],
        load: Callable[[str], click.Command],
        about: str,
        **attributes: object,
    ) -> None:
        super().__init__(name, help=about, no_args_is_help=True, **attributes)  # type: ignore[arg-type]
        self._summaries, self._load = summaries, load

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return [*self._summaries()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, loaded; None if there is none of this name."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        if cmd_name not in self._summaries():
            return None
        return self.commands.setdefault(cmd_name, self._load(cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all commands with their sentences, none of which is cut."""
        with formatter.section("Commands"):
            formatter.write_dl([*self._summaries().items()])
