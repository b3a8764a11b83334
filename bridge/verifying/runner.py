"""Checking many levels, in processes of their own; what was checked is written down at once."""

import json
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bridge.cluster import WorkerLost
from bridge.episode.engines import LOCAL, Engines, OpenEngines
from bridge.verifying.certificate import Certificate
from bridge.verifying.checker import Depth, check_file
from pysim.errors import InputError

__all__ = ["Ledger", "verify_files"]

_held = ExitStack()
"""What a worker keeps open as long as it lives."""
_engines: Engines = LOCAL
"""The engines of a worker."""


@dataclass(frozen=True)
class Ledger:
    """A file with a certificate in each line, from which an interrupted run resumes.

    Attributes:
        path: the file; None to keep nothing.
    """

    path: Path | None

    def read_certificates(self) -> dict[str, Certificate]:
        """The certificates that are there, by the hash of the level; a torn last line is left out.

        Raises:
            InputError: a line is no certificate.
        """
        if self.path is None or not self.path.exists():
            return {}
        lines = self.path.read_bytes().split(b"\n")
        return {c.hash: c for c in map(self._read, lines[:-1]) if c.hash}

    def add(self, certificate: Certificate) -> None:
        """Write a certificate down."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(certificate.to_document()) + "\n")

    def _read(self, line: bytes) -> Certificate:
        try:
            return Certificate.read(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.path}: this is no file of certificates: {error}") from None


def verify_files(
    files: Sequence[Path],
    depth: Depth,
    open_engines: OpenEngines | None,
    workers: int,
    done: Callable[[int, Certificate], None],
) -> None:
    """Check levels; ``done`` is told of each one's place among the files, as they are finished.

    Args:
        open_engines: opens other engines than those of pysim in a worker; None for these.
        workers: processes; with 1 everything is done here.
    """
    if workers == 1 or len(files) == 1:
        with ExitStack() as stack:
            engines = stack.enter_context(open_engines()) if open_engines else LOCAL
            for place, path in enumerate(files):
                done(place, check_file(path, depth, engines))
        return
    before = set(multiprocessing.active_children())
    # New processes, not forks: threads and engines do not survive that.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(open_engines,))
    try:
        futures = {pool.submit(_check, path, depth): i for i, path in enumerate(files)}
        for future in as_completed(futures):
            done(futures[future], future.result())
    except BrokenProcessPool:
        raise WorkerLost(
            "a worker ended by itself or was killed; what was checked is kept"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()


def _begin(open_engines: OpenEngines | None) -> None:
    """Called first in every worker."""
    global _engines
    # Ctrl-C reaches every process of a terminal; the one that asks decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if open_engines is not None:
        _engines = _held.enter_context(open_engines())


def _check(path: Path, depth: Depth) -> Certificate:
    return check_file(path, depth, _engines)
