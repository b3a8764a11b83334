"""Tests leave no folders behind."""

from pathlib import Path

import pytest

from tests.scratch import find_scratch

TESTS = Path(__file__).parent


def test_scratch_folder_is_among_those_that_pytest_removes(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert find_scratch().parent == tmp_path_factory.getbasetemp()
    assert find_scratch().is_dir()


def test_folders_that_nobody_removes_are_made_by_the_soak_alone() -> None:
    """It keeps what it has found, for a person to look at."""
    made = {
        path.relative_to(TESTS).parts[0]
        for path in TESTS.rglob("*.py")
        if "mkdtemp" in path.read_text(encoding="utf-8") and path != Path(__file__)
    }
    assert made == {"soak"}
