"""The check that everything comes ready-made, on indexes that lie in a folder."""

import io
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools.check_wheels import ROOT, pythons, requirements, resolve

METADATA = "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n"
PROJECT = {
    "build-system": {"requires": ["builder"]},
    "project": {
        "classifiers": ["Typing :: Typed", "Programming Language :: Python :: 3.11"],
        "dependencies": ["one>=1,<2", "two>=3; python_version < '3.12'"],
        "optional-dependencies": {"dev": ["three; python_version >= '3.12'"]},
    },
}


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which pip looks."""
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return tmp_path


def put_source(shelf: Path) -> None:
    with tarfile.open(shelf / "thing-1.0.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("thing-1.0/PKG-INFO")
        info.size = len(METADATA)
        archive.addfile(info, io.BytesIO(METADATA.encode()))


def put_wheel(shelf: Path, tag: str) -> None:
    folder = "thing-1.0.dist-info"
    with zipfile.ZipFile(shelf / f"thing-1.0-{tag}.whl", "w") as wheel:
        wheel.writestr(f"{folder}/METADATA", METADATA)
        wheel.writestr(f"{folder}/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}\n")
        wheel.writestr(f"{folder}/RECORD", "")


def test_what_has_only_sources_is_named(shelf: Path) -> None:
    put_source(shelf)
    assert "thing" in resolve(["thing"], "3.11")


def test_a_wheel_for_that_python_will_do(shelf: Path) -> None:
    put_source(shelf)
    put_wheel(shelf, "cp311-none-any")
    assert resolve(["thing"], "3.11") == ""
    assert "thing" in resolve(["thing"], "3.12")
    put_wheel(shelf, "py3-none-any")
    assert resolve(["thing"], "3.12") == ""


def test_markers_count_for_the_python_that_is_asked_about() -> None:
    assert set(requirements(PROJECT, "3.11", False)) == {"builder", "one<2,>=1", "two>=3"}
    assert set(requirements(PROJECT, "3.13", False)) == {"builder", "one<2,>=1"}
    assert set(requirements(PROJECT, "3.13", True)) == {"builder", "one<2,>=1", "three"}


def test_the_pythons_are_those_of_the_classifiers() -> None:
    assert pythons(PROJECT) == ["3.11"]
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pythons(document) == ["3.11", "3.12", "3.13"]
