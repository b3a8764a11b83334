"""Write the pages of commands and of the Python API: ``python -m tools.write_reference``.

``docs/commands.md`` comes from the commands themselves, and ``docs/api.md`` from the docstrings of
all that ``luban`` exports.
"""

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import click

import luban
from bridge.cli.app import app
from bridge.cli.commands.eval import bench_commands

__all__ = ["main", "write_api_page", "write_commands_page"]

ROOT = Path(__file__).resolve().parent.parent
COMMANDS_HEAD = """<!-- Written by tools/write_reference.py -->
# Options of every command

Look up each option of each command. `python -m tools.write_reference` writes this page of the
commands themselves, and
`luban COMMAND --help` shows the same in a terminal. [Commands](cli.md) describes exit statuses
and JSON.
"""
API_HEAD = """<!-- Written by tools/write_reference.py -->
# Python API

Look up what `import luban` exports. `python -m tools.write_reference` writes this page of the
docstrings.
[From Python](python.md) shows how the parts are used together.
"""
_SECTIONS = (
    "Args",
    "Arguments",
    "Attributes",
    "Raises",
    "Returns",
    "Yields",
    "Example",
    "Examples",
)
_PACKAGES = ("bridge", "luban", "pysim")
_QUOTED = re.compile(r"(?<=: )'([^']+)'|(?<=-> )'([^']+)'")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def main() -> None:
    """Write both pages."""
    (ROOT / "docs" / "commands.md").write_text(write_commands_page(), encoding="utf-8")
    (ROOT / "docs" / "api.md").write_text(write_api_page(), encoding="utf-8")


def write_commands_page() -> str:
    """Return the page of all commands with their options."""
    parts = [COMMANDS_HEAD]
    for name, command in list_commands(app, ""):
        parts += describe_command(name, command)
        if name == "eval":
            for bench, other in bench_commands().items():
                parts += describe_command(f"eval SUITE ({bench})", other)
    return "\n".join(parts)


def list_commands(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands of a group and of the groups in it, by their names as they are typed."""
    context = click.Context(group, **group.context_settings)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        if isinstance(command, click.Group):
            yield from list_commands(command, f"{prefix}{word} ")
        else:
            yield f"{prefix}{word}", command


def describe_command(name: str, command: click.Command) -> Iterator[str]:
    """Yield the section of a command: its help and a row for each argument and option."""
    about = " ".join((command.help or command.short_help or "").split())
    yield f"## {name}\n\n{escape(about)}\n"
    rows = [*describe_parameters(command)]
    if rows:
        yield "| option | default | description |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def describe_parameters(command: click.Command) -> Iterator[str]:
    """Yield a row for each parameter of a command that its help shows."""
    context = click.Context(command, info_name=command.name, **command.context_settings)
    for parameter in command.get_params(context):
        if getattr(parameter, "hidden", False) or "--help" in parameter.opts:
            continue
        facts = parameter.to_info_dict()
        text = facts.get("help") or getattr(parameter, "help", None) or ""
        if isinstance(parameter, click.Option):
            names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
            default = show_default(parameter, context)
        else:
            names = f"`{parameter.make_metavar(context)}`"
            default = ""
        yield f"| {names} | {default} | {escape(' '.join(text.split()))} |"


def show_default(option: click.Option, context: click.Context) -> str:
    """Return the default of an option as its help shows it."""
    if option.required:
        return "required"
    extra = option.get_help_extra(context)
    return escape(str(extra.get("default", "")))


def escape(text: str) -> str:
    """Return text for a table's cell."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def write_api_page() -> str:
    """Return the page of everything that ``luban`` exports."""
    parts = [API_HEAD]
    values = {name: getattr(luban, name) for name in luban.__all__ if not name.startswith("_")}
    functions = {k: v for k, v in values.items() if inspect.isroutine(v)}
    classes = {k: v for k, v in values.items() if inspect.isclass(v)}
    parts.append("## Functions\n")
    parts += [part for name in sorted(functions) for part in describe_value(name, functions[name])]
    parts.append("## Classes\n")
    for name in sorted(classes):
        parts += describe_value(name, classes[name])
        parts += describe_members(classes[name])
    return "\n".join(parts).rstrip("\n") + "\n"


def describe_value(name: str, value: object) -> Iterator[str]:
    """Yield the heading, signature and docstring of a function or class."""
    yield f"### luban.{name}\n"
    if inspect.isroutine(value):
        yield f"```text\n{show_signature(name, value)}\n```\n"
    yield from describe_docstring(inspect.getdoc(value) or "")


def show_signature(name: str, value: object) -> str:
    """Return the call of a function, a parameter a line where it is long."""
    assert callable(value)
    signature = _ADDRESS.sub("", str(inspect.signature(value)))
    line = _QUOTED.sub(lambda found: found[1] or found[2], f"{name}{signature}")
    if len(line) <= 100:
        return line
    inner = [
        _QUOTED.sub(lambda found: found[1] or found[2], str(p))
        for p in inspect.signature(value).parameters.values()
    ]
    back = line.rpartition(" -> ")[2] if " -> " in line else ""
    return (
        f"{name}(\n" + "".join(f"    {p},\n" for p in inner) + ")" + (f" -> {back}" if back else "")
    )


def describe_members(value: type) -> Iterator[str]:
    """Yield a row for each public method and property of a class, inherited ones too."""
    own = [base for base in value.__mro__ if base.__module__.partition(".")[0] in _PACKAGES]
    members = {name: member for base in reversed(own) for name, member in vars(base).items()}
    rows = []
    for name, member in members.items():
        member = getattr(member, "__func__", member)  # Class methods and static ones.
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        line = (inspect.getdoc(member) or "").partition("\n\n")[0]
        call = f"{name}({list_parameters(member)})" if inspect.isfunction(member) else name
        rows.append(f"| `{call}` | {escape(to_markdown(' '.join(line.split())))} |")
    if rows:
        yield "| member | description |\n|---|---|\n" + "\n".join(rows) + "\n"


def list_parameters(function: Callable[..., object]) -> str:
    """Return the names of a method's parameters, without the object or class itself."""
    names = []
    for parameter in inspect.signature(function).parameters.values():
        star = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
        names.append(f"{star}{parameter.name}")
    return ", ".join(name for name in names if name not in ("self", "cls"))


def describe_docstring(text: str) -> Iterator[str]:
    """Yield the paragraphs of a docstring in Google's style as Markdown."""
    for paragraph in text.split("\n\n"):
        head, _, body = paragraph.partition("\n")
        if head.rstrip(":") in _SECTIONS and head.endswith(":"):
            yield f"**{head.rstrip(':')}**\n"
            yield from list_entries(textwrap.dedent(body))
        elif paragraph.startswith(("    ", "::")) or ">>>" in paragraph:
            yield f"```text\n{textwrap.dedent(paragraph)}\n```\n"
        elif paragraph.strip():
            yield to_markdown(" ".join(paragraph.split())).replace("::", ":") + "\n"


def list_entries(body: str) -> Iterator[str]:
    """Yield the entries of a docstring's section as one list."""
    entries = re.split(r"\n(?! )", body)
    lines = []
    for entry in entries:
        name, colon, rest = " ".join(entry.split()).partition(": ")
        lines.append(f"- `{name}`: {to_markdown(rest)}" if colon else f"- {to_markdown(name)}")
    yield "\n".join(lines) + "\n"


def to_markdown(text: str) -> str:
    """Return reStructuredText's inline code as Markdown's."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


if __name__ == "__main__":
    main()
