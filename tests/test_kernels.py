"""Kernels: one source, interpreted or compiled, with the same result."""

import fcntl
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.core import config, event
from numpy.typing import NDArray

from pysim.kernels import is_interpreting, kernel
from tests.interpreting import interpreting


@kernel(nogil=True, inline=True)
def rotate(word: np.uint64, by: np.uint64) -> np.uint64:
    """Turn the bits of a word."""
    return word << by | word >> (np.uint64(64) - by)


@kernel
def mix(words: NDArray[np.uint64]) -> np.uint64:
    """Mix words, with overflows."""
    total = np.uint64(1)
    for k in range(len(words)):
        total = rotate(total, np.uint64(7)) * np.uint64(0x9E3779B97F4A7C15) + words[k]
    return total


@kernel
def count_down(n: int) -> int:
    """Count by calling itself."""
    return 0 if n == 0 else 1 + count_down(n - 1)


def test_a_kernel_gives_the_same_interpreted_and_compiled() -> None:
    words = np.random.default_rng(3).integers(0, 1 << 64, 50, dtype=np.uint64)
    assert mix(words) == mix.interpreted(words)
    assert count_down(9) == count_down.interpreted(9) == 9


@kernel
def pick(words: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Make an array, or refuse a number that is known only then."""
    if n > len(words):
        raise ValueError("too many:", n, words)
    return words[:n] * count_down(n)


@kernel
def total(words: NDArray[np.int64], n: int) -> int:
    """Call a kernel that makes arrays and may raise."""
    return int(pick(words, n).sum())


@kernel
def total_twice(words: NDArray[np.int64], n: int) -> int:
    """Call it again, and another that calls it."""
    return total(words, n) + int(pick(words, n).sum())


@pytest.mark.parametrize("call", [total_twice, total, pick, total_twice])
def test_a_kernel_is_the_same_alone_and_as_a_part_of_others(call: Any) -> None:
    words = np.arange(6)
    for n in range(7):
        assert np.array_equal(call.compiled(words, n), call.plain(words, n))
    for form in (call.compiled, call.plain):
        with pytest.raises(ValueError, match="too many") as refusal:
            form(words, 7)
        text, number, array = refusal.value.args
        assert (text, number) == ("too many:", 7) and np.array_equal(array, words)


def test_kernels_that_others_call_are_no_functions_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    @kernel
    def count(words: NDArray[np.int64], n: int) -> int:
        return total(words, n)

    assert count(np.arange(6), 3) == 9
    (kept,) = tmp_path.rglob("*.nbi")
    assert ".count-" in kept.name


@kernel
def add(n: int, by: int) -> int:
    """Add."""
    return n + by


def test_a_kernel_is_compiled_once_whatever_integers_it_is_called_with() -> None:
    dispatcher: Any = add.compiled
    for one in (types.int64, types.literal(1), types.int32):
        for other in (types.int64, types.literal(2)):
            dispatcher.compile((one, other))
    assert len(dispatcher.overloads) == 1
    assert add(3, 4) == 7
    assert add(np.int32(2**31 - 1), 4) == 2**31 + 3


def test_a_kernel_keeps_its_name_and_its_words() -> None:
    assert (mix.__name__, mix.__doc__) == ("mix", "Mix words, with overflows.")
    assert mix.compiled.__name__ == mix.plain.__name__ == "mix"


def test_a_kernel_is_interpreted_until_the_time_for_it_is_spent() -> None:
    words = np.ones(2000, np.uint64)
    with interpreting(0.05):
        calls = 0
        while is_interpreting():
            mix.run(words)
            calls += 1
        assert 1 < calls < 1000
    with interpreting(0):
        assert not is_interpreting()


def test_what_a_kernel_raises_is_raised_and_its_time_is_counted() -> None:
    @kernel
    def fail(n: int) -> int:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        return [][n]

    with interpreting(0.01):
        try:
            fail.run(0)
        except IndexError:
            pass
        else:
            raise AssertionError("an empty list has no first item")
        assert not is_interpreting()


def test_threads_may_compile_a_kernel_at_the_same_time() -> None:
    @kernel
    def double(n: int) -> int:
        return 2 * n

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(double(21))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [42] * 4


def test_kernel_is_compiled_under_a_lock_that_other_processes_wait_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is opened anew is locked as if another process had opened it."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))  # Nothing is compiled there yet.

    @kernel
    def triple(n: int) -> int:
        return 3 * n

    dispatcher: Any = triple.compiled
    name = f"{triple.__module__}.{triple.__qualname__}.compiling"
    lock = Path(dispatcher._cache.cache_path, name)
    held = list[bool]()

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: object) -> None:
            held.append(is_locked(lock))

        def on_end(self, event: object) -> None:
            held.append(is_locked(lock))

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        assert dispatcher(14) == 42  # The kernel itself may have an image of it.
    finally:
        event.unregister("numba:compile", listener)
    assert held and all(held) and not is_locked(lock)


def is_locked(path: Path) -> bool:
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(file, fcntl.LOCK_UN)
        return False


def test_kernels_that_are_interpreted_load_no_compiler() -> None:
    lines = (
        "import sys, numpy as np",
        "from pysim.families.rubik.solver.ida_star import search",
        "from pysim.search import multicover",
        "from pysim.families.burr.solver import exploration, takedown",
        "assert search._largest.interpreted(0x123) == 0",
        "assert 'numba' not in sys.modules",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)
