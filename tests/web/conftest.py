"""One browser for all pages."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browsing import open_browser


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened
