"""Completion of commands and options in shells."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from bridge.cli.errors import CommandError
from pysim.limits import quote

__all__ = ["completion_options"]

_PROGRAM, _VARIABLE = "luban", "_LUBAN_COMPLETE"


@dataclass(frozen=True, slots=True)
class _Shell:
    """Places where a shell looks for completion, from the user's home.

    Attributes:
        name: Click's name of the shell.
        script: file for the script of completion.
        startup: file that the shell reads when it starts; empty where it finds the script itself.
        line: what reads the script, with ``{}`` for its path.
    """

    name: str
    script: str
    startup: str = ""
    line: str = "source {}"


_SHELLS = {
    "bash": _Shell("bash", ".local/share/luban/completion.bash", ".bashrc"),
    "zsh": _Shell("zsh", ".local/share/luban/completion.zsh", ".zshrc"),
    "fish": _Shell("fish", ".config/fish/completions/luban.fish"),
    "pwsh": _Shell(
        "powershell",
        ".local/share/luban/completion.ps1",
        ".config/powershell/profile.ps1",
        ". {}",
    ),
}


def completion_options() -> list[click.Parameter]:
    """Return the options of ``luban`` itself that install or show completion."""
    return [
        _make_option("--install-completion", "Install completion for your shell.", _install),
        _make_option("--show-completion", "Show what would be installed.", _show),
    ]


def _make_option(name: str, about: str, run: click.Command | object) -> click.Option:
    def callback(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            run(ctx.command)  # type: ignore[operator]
            ctx.exit()

    return click.Option(
        [name], is_flag=True, expose_value=False, is_eager=True, help=about, callback=callback
    )


def _show(command: click.Command) -> None:
    click.echo(_make_script(command, _find_shell()))


def _install(command: click.Command) -> None:
    shell = _find_shell()
    script = Path.home() / shell.script
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f"{_make_script(command, shell)}\n", encoding="utf-8")
    if shell.startup:
        _add_line(Path.home() / shell.startup, shell.line.format(shlex.quote(str(script))))
    click.echo(f"{script}: completion takes effect when a shell starts")


def _add_line(path: Path, line: str) -> None:
    """Add a line to a file, unless it has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if line not in before.splitlines():
        end = "\n" if before and not before.endswith("\n") else ""
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{end}{line}\n")


def _make_script(command: click.Command, shell: _Shell) -> str:
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell.name)
    assert completion is not None, shell
    return completion(command, {}, _PROGRAM, _VARIABLE).source().strip()


def _find_shell() -> _Shell:
    """Return the user's shell.

    Raises:
        CommandError: it is not known, or has no completion.
    """
    name = Path(os.environ.get("SHELL", "")).name
    if name not in _SHELLS:
        raise CommandError(
            f"there is no completion for the shell {quote(name)}, as SHELL names it; known: "
            f"{', '.join(_SHELLS)}"
        )
    return _SHELLS[name]
