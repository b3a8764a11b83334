"""Packages of others in the place of Luban's are named."""

import shutil
import sys
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest

from luban import _packages
from luban._packages import check_packages


def test_luban_finds_its_own_packages() -> None:
    check_packages()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages in which Luban is installed, and which is searched first."""
    (tmp_path / "luban").mkdir()
    shutil.copy(_packages.__file__, tmp_path / "luban")
    for name in _packages.NAMES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text('"""Of Luban."""\n')
        for loaded in [one for one in sys.modules if one.partition(".")[0] == name]:
            monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(_packages, "__file__", str(tmp_path / "luban" / "_packages.py"))
    return tmp_path


def test_a_package_that_another_project_has_overwritten_is_named(site: Path) -> None:
    check_packages()
    (site / "pysim" / "__init__.py").write_text("SIMULATION = 2.4\n")
    with pytest.raises(ImportError, match="pip uninstall pysim"):
        check_packages()


def test_a_folder_that_hides_a_package_is_named(
    site: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path_factory.mktemp("beside")
    (beside / "bridge").mkdir()
    (beside / "bridge" / "__init__.py").touch()
    monkeypatch.syspath_prepend(beside)
    invalidate_caches()
    with pytest.raises(ImportError, match=f"{beside / 'bridge'} hides Luban's package bridge"):
        check_packages()


def test_the_command_line_is_a_module(capsys: pytest.CaptureFixture[str]) -> None:
    main = import_module("luban.__main__").main
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.setattr(sys, "argv", ["luban", "--version"])
        main()
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("luban ")
