"""Write error messages, help texts and public names on pages: ``python -m tools.list_messages``.

The pages lie in ``tests/golden/words``, so that a change of a message or of the Python surface is
seen in review. A value that is filled in stands in braces, as in the source.
"""

import ast
import contextlib
import inspect
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "tests" / "golden" / "words"
PACKAGES = ("bridge", "luban", "pysim")
WIDTH = "100"
_NOTICES = frozenset({"check_whole", "notice", "warn"})
"""Functions that print what is no error, or name a number in an error of their own."""


def main() -> None:
    """Write all pages."""
    PAGES.mkdir(parents=True, exist_ok=True)
    (PAGES / "messages.txt").write_text(list_messages(), encoding="utf-8")
    (PAGES / "help.txt").write_text(list_help(), encoding="utf-8")
    (PAGES / "surface.txt").write_text(list_surface(), encoding="utf-8")


def list_messages() -> str:
    """Return the messages of all exceptions and notices, by module."""
    parts = []
    for path in sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = sorted(set(_find_messages(tree)))
        if found:
            module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
            parts.append("\n".join([module, *(f"  {line}" for line in found)]))
    return "\n\n".join(parts) + "\n"


def list_help() -> str:
    """Return the help text of every command and bench."""
    from bridge.cli.app import COMMANDS
    from bridge.runs.protocol import load_benches
    from pysim.catalog import discover_families

    generated = [
        name for name, family in discover_families().items() if family.generator is not None
    ]
    paths = [[], *([name] for name in sorted(COMMANDS))]
    paths += [["generate", name] for name in sorted(generated)]
    paths += [["eval", name] for name in sorted(load_benches())]
    lines = [line for path in paths for line in _capture_help(path).splitlines()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def list_surface() -> str:
    """Return the exports of ``luban``: functions with signatures, classes with members."""
    import luban

    parts = []
    for name in sorted(luban.__all__):
        thing = getattr(luban, name)
        if inspect.ismodule(thing):
            parts.append("\n".join([f"luban.{name}", *(f"  {n}" for n in sorted(thing.__all__))]))
        elif inspect.isclass(thing):
            parts.append("\n".join([f"class luban.{name}", *_list_members(thing)]))
        elif callable(thing):
            parts.append("\n".join([f"luban.{name}", *_list_parameters(thing, "  ")]))
    return "\n\n".join(parts) + "\n"


def _list_members(owner: type) -> Iterator[str]:
    """Yield fields, properties and methods of a class that are public."""
    for name, hint in sorted(inspect.get_annotations(owner).items()):
        if not name.startswith("_"):
            yield f"  {name}: {inspect.formatannotation(hint)}"
    protocols = [base for base in owner.__mro__ if getattr(base, "_is_protocol", False)]
    members = {name: member for base in reversed(protocols) for name, member in vars(base).items()}
    for name, member in sorted({**members, **vars(owner)}.items()):
        if name.startswith("_") or name in inspect.get_annotations(owner):
            continue
        if isinstance(member, property):
            yield f"  {name} (property)"
        elif isinstance(member, staticmethod | classmethod) or inspect.isfunction(member):
            yield f"  {name}()"
            yield from _list_parameters(getattr(owner, name), "    ")
        elif isinstance(member, owner):
            yield f"  {name}"


def _list_parameters(function: Callable[..., object], indent: str) -> Iterator[str]:
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        if parameter.name != "self":
            yield f"{indent}{parameter}"
    yield f"{indent}-> {inspect.formatannotation(signature.return_annotation)}"


def _find_messages(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            call = node.exc
        elif isinstance(node, ast.Call) and _name(node.func) in _NOTICES:
            call = node
        else:
            continue
        for argument in call.args:
            text = _format_template(argument)
            if any(character.isalpha() for character in text or ""):
                yield f"{_name(call.func)}: {text}"


def _name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]


def _format_template(node: ast.expr) -> str | None:
    """Return the text of a literal, its fields in braces; None for other expressions."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace("\n", "\\n")
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_format_part, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _format_template(node.left), _format_template(node.right)
        if left is not None and right is not None:
            return left + right
    return None


def _format_part(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value).replace("\n", "\\n")
    value = node.value if isinstance(node, ast.FormattedValue) else node
    return f"{{{ast.unparse(value)}}}"


def _capture_help(command: list[str]) -> str:
    from bridge.cli.app import app

    out = io.StringIO()
    environment = {"COLUMNS": WIDTH, "NO_COLOR": "1", "TERM": "dumb"}
    with (
        mock.patch.dict(os.environ, environment),
        contextlib.redirect_stdout(out),
        contextlib.suppress(SystemExit),
    ):
        app([*command, "--help"], prog_name="luban")
    return out.getvalue()


if __name__ == "__main__":
    main()
