"""Interpreters that are shared, because each takes a moment to start."""

from collections.abc import Iterator

import pytest

from bridge.benches.cubebench.sandbox.interpreter import (
    Interpreter,
    SandboxError,
    Strength,
    check_sandbox,
)
from tests.benches.cubebench.sandbox.functions import FUNCTIONS

__all__ = ["strong"]


@pytest.fixture(scope="package")
def strong() -> Iterator[Interpreter]:
    """A strong sandbox; a piece of code that ends it leaves a new one to the next test."""
    try:
        check_sandbox(Strength.STRONG)
    except SandboxError as error:
        pytest.skip(f"NOT TESTED: {error}")
    with Interpreter(FUNCTIONS) as interpreter:
        yield interpreter
