"""What holds for all tests."""

import pytest

from tests.needs import skip_what_needs_pybullet


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip_what_needs_pybullet(items)
