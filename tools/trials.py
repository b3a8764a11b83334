"""Putting a fault into a copy of the repository, and running tests there.

A copy is whole again after each fault. Code that numba compiled is kept from one fault to the next,
except where the broken file holds compiled code: numba does not look at what the code of a file
calls in others. Tables that Luban keeps are made anew each time.
"""

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.mutants import Mutation

__all__ = [
    "LATE",
    "Processes",
    "Stale",
    "Trial",
    "Unfit",
    "Workshop",
    "broken",
    "digest",
    "stale",
    "try_mutation",
]

QUICK_SUITE = ("tests", "--ignore=tests/tools/test_mutations.py")
"""All tests but those that look whether the faults fit: there a fault would give itself away."""
_OPTIONS = ("-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-rfE", "--tb=no")
_SEED = "--hypothesis-seed=0"
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_CAUGHT = (1, 2)
"""What pytest returns if a test fails, and if tests can't even be collected."""
LATE = "(the time limit)"
"""Stands for a test where all of them together take too long."""
_LATE_STATUS = 124
_GRACE = 20.0
"""Seconds in which tests that are interrupted clean up."""


class Stale(Exception):
    """A mutation does not fit its file any more."""


class Unfit(Exception):
    """Tests say nothing: they fail without a fault, or could not be run."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of a mutation.

    Attributes:
        digest: see :func:`digest`.
        by: the test that caught it; empty if it survived.
        everywhere: whether the whole quick suite was run.
        seconds: how long the tests took.
    """

    digest: str
    by: str
    everywhere: bool
    seconds: float


def stale(mutation: Mutation, root: Path) -> str:
    """Why a mutation does not fit the files in ``root``; empty if it does."""
    path = root / mutation.file
    if not path.is_file():
        return f"{mutation.name}: there is no {mutation.file}"
    source = path.read_text(encoding="utf-8")
    for edit in mutation.edits:
        count = source.count(edit.old)
        if count != 1:
            return f"{mutation.name}: {edit.old!r} is {count} times in {mutation.file}, not once"
    return ""


def broken(mutation: Mutation, root: Path) -> str:
    """Return the text of the file that a mutation breaks, broken.

    Raises:
        Stale: the mutation does not fit the file.
    """
    if why := stale(mutation, root):
        raise Stale(why)
    source = (root / mutation.file).read_text(encoding="utf-8")
    for edit in mutation.edits:
        source = source.replace(edit.old, edit.new)
    return source


def digest(mutation: Mutation, root: Path) -> str:
    """Changes when the mutation does, or the file that it breaks, or the tests named for it."""
    files = [mutation.file, *(test.partition("::")[0] for test in mutation.tests)]
    texts = [path.read_text(encoding="utf-8") for name in files if (path := root / name).is_file()]
    return hashlib.sha256(repr((mutation, texts)).encode()).hexdigest()[:16]


def _tracked(root: Path) -> list[str]:
    """Return the files in ``root`` that git tracks and that are there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]


class Processes:
    """The processes that run tests, so that none of them outlives this one."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(
        self, command: Sequence[str], folder: Path, environ: Mapping[str, str], limit: float | None
    ) -> tuple[int, str]:
        """Return the exit status of a command, and what it printed; 124 beyond a time limit."""
        with self._lock:
            if self._stopped:
                raise Unfit("interrupted")
            process = subprocess.Popen(
                command, cwd=folder, env=environ, text=True, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            self._running.add(process)
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            _signal(process, signal.SIGKILL)
            process.communicate()
            return _LATE_STATUS, ""
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, output

    def stop(self) -> None:
        """Interrupt what runs, and kill what does not end soon."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            _signal(process, signal.SIGINT)
        limit = time.monotonic() + _GRACE
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, limit - time.monotonic()))
            _signal(process, signal.SIGKILL)


def _signal(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """Tell a process, and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


@dataclass
class Workshop:
    """A copy of the tracked files, in a folder of its own.

    Attributes:
        folder: the copy is in it, and what tests write.
        tests: runs them.
        passed: sets of tests that pass in the copy without a fault.
        faults: number of faults so far.
        limit: seconds after which tests are ended, and the fault is caught; None for none.
    """

    folder: Path
    tests: Processes = field(default_factory=Processes)
    passed: set[tuple[str, ...]] = field(default_factory=set)
    faults: int = 0
    limit: float | None = None

    @property
    def tree(self) -> Path:
        """The root of the copy."""
        return self.folder / "tree"

    @staticmethod
    def of(root: Path, folder: Path, tests: Processes, limit: float | None = None) -> "Workshop":
        """Return a copy of ``root``."""
        workshop = Workshop(folder, tests, limit=limit)
        for name in _tracked(root):
            path = workshop.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, path)
        return workshop

    @contextlib.contextmanager
    def with_fault(self, mutation: Mutation) -> Iterator[None]:
        """The copy is broken, and whole again afterwards, down to the time of the file."""
        path = self.tree / mutation.file
        text, kept = broken(mutation, self.tree), self.folder / "whole"
        shutil.copy2(path, kept)
        path.write_text(text, encoding="utf-8")
        self._age(path, kept)
        try:
            yield
        finally:
            shutil.copy2(kept, path)

    def _age(self, path: Path, kept: Path) -> None:
        """Date a broken file to a second of its own.

        Python takes a compiled module for current if its source has the same size and the same
        whole second, so that a fault of one letter would not be run.
        """
        self.faults += 1
        second = int(kept.stat().st_mtime) - self.faults
        os.utime(path, (second, second))

    def failure(self, tests: Sequence[str], *, fresh: bool) -> str:
        """Return the first of some tests that fails; empty if all pass.

        Args:
            fresh: whether to compile everything anew.

        Raises:
            Unfit: pytest could not run them.
        """
        with tempfile.TemporaryDirectory(dir=self.folder) as own:
            compiled = Path(own) / "numba" if fresh else self.folder / "numba"
            command = [sys.executable, "-m", "pytest", *_OPTIONS, _SEED, *tests]
            environ = self._environ(Path(own), compiled)
            status, output = self.tests.run(command, self.tree, environ, self.limit)
        # What failed is not tried again with another fault.
        shutil.rmtree(self.tree / ".hypothesis" / "examples", ignore_errors=True)
        if status in (0, _LATE_STATUS):
            return LATE if status else ""
        found = _FAILURE.search(output)
        if status not in _CAUGHT or found is None:
            raise Unfit(f"pytest ended with {status}:\n{output[-2000:]}")
        return found[1]

    def _environ(self, own: Path, compiled: Path) -> dict[str, str]:
        return os.environ | {
            "PYTHONPATH": str(self.tree),
            "NUMBA_CACHE_DIR": str(compiled),
            "LUBAN_CACHE": str(own / "luban"),
        }

    def check(self, tests: tuple[str, ...]) -> None:
        """Run tests without a fault, unless that was done.

        Raises:
            Unfit: one of them fails.
        """
        if tests in self.passed:
            return
        if failed := self.failure(tests, fresh=False):
            raise Unfit(f"{failed} fails without a fault, so that it can't catch one")
        self.passed.add(tests)


def try_mutation(workshop: Workshop, mutation: Mutation, *, everywhere: bool = False) -> Trial:
    """Return whether tests catch a mutation: those that are named for it, or then all.

    Raises:
        Stale: the mutation does not fit its file.
        Unfit: tests fail without it, or could not be run.
    """
    number = digest(mutation, workshop.tree)
    workshop.check(mutation.tests)
    began = time.monotonic()
    with workshop.with_fault(mutation):
        fresh = "@kernel" in (workshop.tree / mutation.file).read_text(encoding="utf-8")
        by = workshop.failure(mutation.tests, fresh=fresh)
        everywhere = everywhere and not by
        if everywhere:
            by = workshop.failure(QUICK_SUITE, fresh=fresh)
    return Trial(number, by, everywhere, round(time.monotonic() - began, 1))
