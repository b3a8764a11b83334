"""Doing something as another user of the machine."""

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

__all__ = ["as_nobody", "needs_root", "open_folder"]

NOBODY = 65534

TRIES = 5
needs_root = pytest.mark.skipif(
    os.getuid() != 0, reason="NOT TESTED: only root can act as another user"
)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A new folder that every user can look into; those of pytest are for one alone."""
    with tempfile.TemporaryDirectory(prefix="luban-test-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def as_nobody(work: Callable[[], Any]) -> Any:
    """What ``work`` gives, as JSON, done by a user without rights; or the name of its error.

    Where other tests have left threads of gRPC a copy of the process may die at once, so that
    another one is asked.
    """
    for _ in range(TRIES):
        told = _told_by_a_copy(work)
        if told:
            return json.loads(told)
    raise AssertionError(f"{TRIES} copies of this process died without a word")


def _told_by_a_copy(work: Callable[[], Any]) -> bytes:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            try:
                found = work()
            except Exception as error:
                found = type(error).__name__
            os.write(writer, json.dumps(found).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        told = file.read()
    os.waitpid(child, 0)
    return told
