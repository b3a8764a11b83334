"""``luban init``."""

import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import SourceFileLoader
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType

from bridge.cli.commands.init import InitRequest
from bridge.cli.errors import CommandError
from bridge.cli.options import PackageKind
from bridge.recording.files import draft_of, named

__all__ = ["run_init"]

MAX_NAME = 40


def run_init(request: InitRequest) -> None:
    """Write a package that works, whole or not at all, and say what to do with it.

    Raises:
        CommandError: the name can't be taken, or the folder is there.
    """
    kind, name = request.kind, request.name
    words = _words(kind, name)
    if os.path.lexists(name):
        raise CommandError(f"{name} is there already; give another name, or remove it")
    draft = draft_of(Path(name))
    shutil.rmtree(draft, ignore_errors=True)  # Of a process that was killed.
    try:
        draft.mkdir()
        _write(kind, draft, words)
        if kind is PackageKind.FAMILY:
            _seal_levels(draft / words["PACKAGE"], name)
        draft.rename(name)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    print(f"{name} is {_a(kind)} that works; {words['PACKAGE']}/__init__.py is all of it:")
    print(f"  pip install -e {name}")
    print(f"  python -m pytest {name}")
    print(f"{name}/README.md says how it is played.")


def _write(kind: PackageKind, root: Path, words: Mapping[str, str]) -> None:
    """Write what is made of a template into a folder that is there."""
    template = files("bridge.cli.handlers") / "templates" / kind.value
    for path, text in _written(template, root, words):
        path.parent.mkdir(parents=True, exist_ok=True)
        with named(path):
            path.write_text(text, encoding="utf-8")


def _words(kind: PackageKind, name: str) -> Mapping[str, str]:
    """Return the placeholders of a template, and their values.

    Raises:
        CommandError: no package, or no such thing, can be called so.
    """
    package = name.replace("-", "_")
    _check_name(kind, name, package)
    title = name.replace("-", " ").title()
    return {
        "PACKAGE": package,
        "CLASS": title.replace(" ", ""),
        "TITLE": title,
        "NAME": name,
    }


def _check_name(kind: PackageKind, name: str, package: str) -> None:
    if len(name) > MAX_NAME or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise CommandError(
            f"a name is made of a-z, 0-9 and single -, begins with a letter and has at most "
            f"{MAX_NAME} signs, as toy-{kind}; unlike {name[:60]!r}"
        )
    if name in _taken(kind) or package in _taken(kind):
        raise CommandError(f"there is {_a(kind)} {name} already; give another name")
    if package in sys.stdlib_module_names or _is_installed(package):
        raise CommandError(f"there is a Python package {package} already; give another name")


def _a(kind: PackageKind) -> str:
    return f"an {kind}" if kind is PackageKind.AGENT else f"a {kind}"


def _taken(kind: PackageKind) -> set[str]:
    if kind is PackageKind.FAMILY:
        from pysim.catalog import discover_families

        return {*discover_families(), "suites"}
    if kind is PackageKind.BENCH:
        from bridge.runs.protocol import load_benches

        return set(load_benches())
    from bridge.agents.registry import list_agents

    return {name.partition(":")[0] for name in list_agents()}


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _written(
    template: Traversable, folder: Path, words: Mapping[str, str]
) -> Iterator[tuple[Path, str]]:
    """Yield the files of a new package, and what is in them."""
    for entry in sorted(template.iterdir(), key=lambda entry: entry.name):
        name = {"package": words["PACKAGE"], "levels": words["NAME"]}.get(entry.name, entry.name)
        path = folder / _filled(name.removesuffix(".in"), words)
        if entry.is_dir():
            yield from _written(entry, path, words)
        elif entry.name.endswith(".in"):
            yield path, _filled(entry.read_text(encoding="utf-8"), words)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text


def _seal_levels(package: Path, name: str) -> None:
    """Give the new family's levels their hashes and the plans that it finds itself."""
    from pysim.catalog import complete_document

    family = _imported(package).FAMILY
    for path in sorted((package / "assets" / name).glob("*.json")):
        sealed = complete_document(json.loads(path.read_text(encoding="utf-8")), family)
        path.write_text(json.dumps(sealed, indent=1) + "\n", encoding="utf-8")


def _imported(package: Path) -> ModuleType:
    """Return the package as a module, which is imported under its name and forgotten."""
    loader = _Quiet(package.name, str(package / "__init__.py"))
    spec = importlib.util.spec_from_loader(package.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[package.name] = module  # Dataclasses look their types up there.
    try:
        loader.exec_module(module)
    finally:
        del sys.modules[package.name]
    return module


class _Quiet(SourceFileLoader):
    """Leaves no compiled code in the new folder."""

    def set_data(self, path: str, data: object, *, _mode: int = 0o666) -> None:
        """Write nothing."""
