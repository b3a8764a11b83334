"""The few levels of each kind that tests play now, and all others in the slow run."""

import pytest

from luban.testing import Contract

__all__ = ["every_level"]

every_level = pytest.mark.parametrize(
    "level",
    [
        pytest.param(level, id=name, marks=[] if few else [pytest.mark.slow])
        for name, level, few in Contract().cases("few")
    ],
)
"""For tests that play."""
