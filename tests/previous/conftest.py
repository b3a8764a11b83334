"""Folders that the previous version left behind, copied, and the command line run in the copy."""

import shutil
from pathlib import Path

import pytest

from tests.commands import luban
from tests.previous.kept import HERE

__all__ = ["finished", "luban", "stopped"]


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """Where what was finished lies; commands run there."""
    return _copy("finished", tmp_path)


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """Where what was stopped in the middle lies; commands run there."""
    return _copy("stopped", tmp_path)


def _copy(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(HERE / name, folder, dirs_exist_ok=True))
