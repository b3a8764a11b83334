"""Error messages, help texts and public names, on pages that are read in review."""

import sys
from collections.abc import Callable

import pytest

from tools.list_messages import PAGES, list_help, list_messages, list_surface

REFRESH = "if the change is meant, run: python -m tools.list_messages, and read the difference"


@pytest.mark.parametrize(
    ("page", "write"),
    [("messages.txt", list_messages), ("help.txt", list_help), ("surface.txt", list_surface)],
)
def test_golden_page_of_texts_is_current(page: str, write: Callable[[], str]) -> None:
    if page == "surface.txt" and sys.version_info[:2] != (3, 11):
        pytest.skip("NOT TESTED: this Python writes types of signatures in another way")
    golden = (PAGES / page).read_text(encoding="utf-8").splitlines()
    changed = sorted(set(golden).symmetric_difference(write().splitlines()))
    assert not changed, REFRESH
