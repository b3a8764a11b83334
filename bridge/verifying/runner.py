"""Checking many levels; each certificate is written down at once."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bridge.episode.engines import OpenEngines
from bridge.jobs.work import Executor, WorkerLost
from bridge.recording.files import append_line, whole_lines
from bridge.verifying.certificate import Certificate
from bridge.verifying.checker import Depth, check_content
from bridge.verifying.targets import LevelFile
from pysim.catalog.documents import LevelError
from pysim.errors import InputError
from pysim.untrusted import GIB, FileKind, parse_json

__all__ = ["Ledger", "verify_files"]


CERTIFICATE_FILE = FileKind("a file of certificates", GIB)


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
        lines = whole_lines(self.path, CERTIFICATE_FILE)
        return {c.hash: c for c in map(self._read, lines) if c.hash}

    def add(self, certificate: Certificate) -> None:
        """Write a certificate down."""
        if self.path is not None:
            append_line(self.path, json.dumps(certificate.to_document()).encode() + b"\n")

    def _read(self, line: bytes) -> Certificate:
        try:
            return Certificate.read(parse_json(line))
        except ValueError as error:
            raise InputError(f"{self.path}: this is no file of certificates: {error}") from None


def verify_files(
    files: Sequence[LevelFile],
    depth: Depth,
    open_engines: OpenEngines,
    executor: Executor,
    done: Callable[[int, Certificate], None],
) -> None:
    """Check levels; ``done`` is told of each one's place among the files, as they are finished.

    Args:
        open_engines: opens the engines of a worker.
        executor: performs the checks.

    Raises:
        WorkerLost: two processes ended in the check of one level.
    """
    jobs = (_CheckJob(place, str(one.path), _read(one)) for place, one in enumerate(files))
    with closing(executor.run(_CheckWork(depth, open_engines), jobs)) as results:
        for job, certificate in results:
            done(job.place, certificate)


def _read(file: LevelFile) -> bytes | InputError:
    try:
        return file.read()
    except (OSError, LevelError) as error:
        return InputError(str(error))


@dataclass(frozen=True, slots=True)
class _CheckJob:
    """A file to check, by its content: processes of a cluster share no folder with this one.

    Attributes:
        place: its place among all files.
        name: its path.
        content: its bytes; or why it can't be read.
    """

    place: int
    name: str
    content: bytes | InputError


@dataclass(frozen=True, slots=True)
class _CheckWork:
    """Checks levels; see :class:`~bridge.jobs.work.Work`."""

    depth: Depth
    open_engines: OpenEngines
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_Checker":
        return _Checker(self.depth, self.open_engines)

    def report_lost(self, job: _CheckJob, message: str) -> Certificate:
        raise WorkerLost(f"{job.name}: {message}; what was checked is kept")


class _Checker:
    """Checks levels with engines of its own."""

    def __init__(self, depth: Depth, open_engines: OpenEngines) -> None:
        self._depth = depth
        self._open = ExitStack()
        self._engines = self._open.enter_context(open_engines())

    def perform(self, job: _CheckJob) -> Certificate:
        return check_content(job.name, job.content, self._depth, self._engines)

    def close(self) -> None:
        """Free the engines."""
        self._open.close()
