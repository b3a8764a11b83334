"""Docstrings begin with a verb or a noun."""

from pathlib import Path

import pytest

from tools.check_docstrings import CLEAN, ROOT, Finding, find_in_folders, find_in_text

SOURCE = '''"""Where a module is."""


class Piece:
    """Whoever it may be."""

    def size(self) -> int:
        """
        How large it is.

        What is more: cells.
        """

    def whole(self) -> bool:
        """Whether it is whole."""


async def wait() -> None:
    """Wait. When a move ends, return."""


async def fetch() -> None:
    """Those that are there."""
'''


def test_find_in_text_question_words_returns_line_and_text_of_each() -> None:
    assert sorted(find_in_text(SOURCE)) == [
        Finding(1, "Where a module is."),
        Finding(5, "Whoever it may be."),
        Finding(8, "How large it is."),
        Finding(23, "Those that are there."),
    ]


def test_find_in_folders_nested_folder_is_searched(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/one.py").write_text('"""Which one."""\n')
    assert list(find_in_folders(tmp_path, ["a"])) == [("a/b/one.py", Finding(1, "Which one."))]


def test_find_in_folders_generated_folder_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "bridge/rpc/_pb").mkdir(parents=True)
    (tmp_path / "bridge/rpc/_pb/one.py").write_text('"""Which one."""\n')
    assert list(find_in_folders(tmp_path, ["bridge"])) == []


def test_find_in_folders_folder_without_python_raises_value_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no Python file: correct CLEAN"):
        list(find_in_folders(tmp_path, ["nowhere"]))


def test_docstrings_of_clean_folders_begin_with_no_question_word() -> None:
    assert list(find_in_folders(ROOT, CLEAN)) == []
