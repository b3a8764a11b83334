"""Write every error message and every help text on two pages: ``python -m tools.list_messages``.

The pages lie in ``tests/golden/words``, so that a change of a message is seen in review. A value
that is filled in stands in braces, as in the source.
"""

import ast
import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "tests" / "golden" / "words"
PACKAGES = ("bridge", "luban", "pysim")
WIDTH = "100"
_NOTICES = frozenset({"notice", "warn"})
"""Functions that print what is no error."""


def main() -> None:
    """Write both pages."""
    PAGES.mkdir(parents=True, exist_ok=True)
    (PAGES / "messages.txt").write_text(list_messages(), encoding="utf-8")
    (PAGES / "help.txt").write_text(list_help(), encoding="utf-8")


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
    """Return the help text of every command and bench, as a terminal of 100 columns shows it."""
    from bridge.cli.app import app
    from bridge.runs.protocol import load_benches
    from pysim.catalog import discover_families

    generated = [
        name for name, family in discover_families().items() if family.generator is not None
    ]
    commands = [command.name or "" for command in app.registered_commands]
    paths = [[], *([name] for name in sorted([*commands, "generate"]))]
    paths += [["generate", name] for name in sorted(generated)]
    paths += [["eval", name] for name in sorted(load_benches())]
    lines = [line for path in paths for line in _capture_help(path).splitlines()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


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
