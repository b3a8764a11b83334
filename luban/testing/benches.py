"""What every bench keeps."""

from typing import ClassVar

from bridge.runs.protocol import benches
from luban.testing.contract import Contract, check

__all__ = ["BenchContract", "check_bench"]


class BenchContract(Contract):
    """The tests of a bench.

    Attributes:
        bench: its name.
    """

    bench: ClassVar[str] = "chain"


def check_bench(name: str) -> None:
    """Run the tests of :class:`BenchContract` for one bench.

    Raises:
        AssertionError: something does not hold; the message says what.
    """
    assert name in benches(), f"there is no bench {name!r}; there are {', '.join(benches())}"
    check(type("Chosen", (BenchContract,), {"bench": name})())
