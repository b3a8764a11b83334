"""Contract suites for packages of others: what families, worlds, renderers, benches, servers keep.

By inheriting, for pytest::

    import luban.testing

    class TestToy(luban.testing.FamilyContract):
        family = "toy"

Or by one call, which raises AssertionError with a sentence that says what does not hold, and for
which level::

    luban.testing.check_family("toy")

This package needs pytest; nothing else of Luban does.
"""

try:
    import pytest
except ImportError as error:
    raise ImportError("luban.testing needs pytest: pip install pytest") from error

_TESTS = ("families", "worlds", "renderers", "benches", "servers", "requests", "served")
pytest.register_assert_rewrite(*(f"luban.testing.{name}" for name in _TESTS))

from luban.testing.benches import BenchContract, check_bench  # noqa: E402
from luban.testing.contract import Contract, check  # noqa: E402
from luban.testing.families import FamilyContract, check_family  # noqa: E402
from luban.testing.renderers import RendererContract, check_renderer  # noqa: E402
from luban.testing.servers import ServerContract, check_server  # noqa: E402
from luban.testing.worlds import WorldContract, check_world  # noqa: E402

__all__ = [
    "BenchContract",
    "Contract",
    "FamilyContract",
    "RendererContract",
    "ServerContract",
    "WorldContract",
    "check",
    "check_bench",
    "check_family",
    "check_renderer",
    "check_server",
    "check_world",
]
