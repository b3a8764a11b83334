"""The pool, with work that is neither play nor questions."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge.runs.folders import RunError
from bridge.runs.pool import perform_jobs
from tests.waiting import wait_for


@dataclass(frozen=True)
class Squares:
    """Squares numbers, notes which, and may die or be interrupted at some of them.

    Attributes:
        folder: where it notes that it began a job, and that it was closed.
        deadly: jobs at which a process kills itself, as often as it says.
        interrupting: the job at which its parent hears Ctrl-C.
        patient: the job that begins only when job 0 has been done for a moment.
    """

    folder: Path
    deadly: tuple[tuple[int, int], ...] = ()
    interrupting: int | None = None
    patient: int | None = None

    def open(self, stopped: Callable[[], bool]) -> "Squarer":
        return Squarer(self, stopped)

    def report_lost(self, job: int, message: str) -> int:
        return -1


@dataclass
class Squarer:
    work: Squares
    stopped: Callable[[], bool]

    def perform(self, job: int) -> int | None:
        if self.stopped():
            return None
        if job == self.work.patient:
            wait_for(lambda: (self.work.folder / "0").exists() or None)
            time.sleep(0.3)
        note = self.work.folder / f"{job}"
        with note.open("a") as file:
            file.write("x")
        if note.stat().st_size <= dict(self.work.deadly).get(job, 0):
            os.kill(os.getpid(), signal.SIGKILL)
        if job == self.work.interrupting:
            os.kill(os.getpid(), signal.SIGINT)
            while not self.stopped():
                time.sleep(0.01)
        return job * job

    def close(self) -> None:
        (self.work.folder / "closed").touch()


@pytest.mark.by_day(3)
@pytest.mark.parametrize(("workers", "jobs"), [(1, 40), (3, 40), (6, 4)])
@pytest.mark.parametrize("threads", [True, False])
def test_every_job_is_done_once(tmp_path: Path, workers: int, jobs: int, threads: bool) -> None:
    found = list(perform_jobs(Squares(tmp_path), range(jobs), workers=workers, threads=threads))
    assert sorted(found) == [n * n for n in range(jobs)]
    assert {(tmp_path / f"{n}").read_text() for n in range(jobs)} == {"x"}


def test_no_job_needs_no_worker(tmp_path: Path) -> None:
    assert list(perform_jobs(Squares(tmp_path), [], workers=2, threads=False)) == []
    assert not list(tmp_path.iterdir())


def test_a_job_whose_process_died_is_begun_again(tmp_path: Path) -> None:
    work = Squares(tmp_path, deadly=((3, 2),))
    found = list(perform_jobs(work, range(6), workers=2, threads=False))
    assert sorted(found) == [n * n for n in range(6)]
    assert (tmp_path / "3").read_text() == "xxx"


def test_processes_that_die_again_and_again_are_given_up(tmp_path: Path) -> None:
    work = Squares(tmp_path, deadly=((0, 100), (1, 100)))
    with pytest.raises(RunError, match="killed again and again"):
        list(perform_jobs(work, range(2), workers=2, threads=False))


def test_who_leaves_early_stops_the_workers(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with closing(perform_jobs(Squares(tmp_path), range(1000), workers=2, threads=True)) as results:
        next(results)
    assert (tmp_path / "closed").exists()
    assert len(list(tmp_path.iterdir())) < 1000
    assert not set(threading.enumerate()) - before


def test_the_last_job_kills_no_more_than_its_process(tmp_path: Path) -> None:
    # It waits until the other one is done, so that it alone is left when it is begun again.
    work = Squares(tmp_path, deadly=((1, 2),), patient=1)
    assert sorted(perform_jobs(work, range(2), workers=2, threads=False)) == [0, 1]
    assert (tmp_path / "1").read_text() == "xxx"


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard, also where the tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_what_is_done_when_somebody_interrupts_is_told_first(tmp_path: Path) -> None:
    work = Squares(tmp_path, interrupting=7)
    found = []
    with (
        pytest.raises(KeyboardInterrupt),
        closing(perform_jobs(work, range(1000), workers=1, threads=True)) as results,
    ):
        for one in results:
            found.append(one)
    assert 49 in found
    assert len(found) < 1000
