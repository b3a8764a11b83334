"""The packages as a whole: what importing them does, and what they say of themselves."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pytest

import bridge
import luban
import pysim

ROOT = Path(__file__).resolve().parent.parent
ENGINES = ("glcontext", "moderngl", "pybullet")

IMPORT_ALL = f"""
import importlib, json, pathlib, pkgutil, sys, threading
missing, modules = [], []
for top in ("pysim", "bridge", "luban"):
    package = importlib.import_module(top)
    for module in [package, *pkgutil.walk_packages(package.__path__, top + ".")]:
        module = importlib.import_module(getattr(module, "name", top))
        modules.append(module.__name__)
        for name in getattr(module, "__all__", ()):
            if not hasattr(module, name):
                missing.append(module.__name__ + "." + name)
sys.stdout.flush()
report = {{
    "modules": modules,
    "missing": missing,
    "threads": [thread.name for thread in threading.enumerate()],
    "engines": [name for name in {ENGINES} if name in sys.modules],
}}
pathlib.Path(sys.argv[1]).write_text(json.dumps(report))
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What a fresh process says that has imported every module."""
    folder = tmp_path_factory.mktemp("imports")
    report = folder / "report.json"
    (folder / "cwd").mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL, report],
        cwd=folder / "cwd",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list((folder / "cwd").iterdir())
    found: dict[str, list[str]] = json.loads(report.read_text())
    return found


def test_importing_everything_has_no_side_effects(imported: dict[str, list[str]]) -> None:
    assert imported["threads"] == ["MainThread"]
    assert imported["engines"] == []


def test_every_module_is_among_them(imported: dict[str, list[str]]) -> None:
    sources = [path for top in ("pysim", "bridge", "luban") for path in (ROOT / top).rglob("*.py")]
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in sources]
    names = {".".join(part).removesuffix(".__init__") for part in parts}
    assert set(imported["modules"]) == names


def test_every_public_name_exists(imported: dict[str, list[str]]) -> None:
    assert imported["missing"] == []


def test_the_packages_are_typed() -> None:
    for package in (pysim, bridge, luban):
        assert (files(package) / "py.typed").is_file()


def test_the_version_is_one_and_the_same() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert version("luban") == project["version"]
    changes = re.findall(r"^## \[([^]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert changes[0] in ("Unreleased", project["version"])
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"version: {project['version']}" in citation.replace('"', "")
