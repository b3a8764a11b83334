"""Executors, with work that is neither play nor questions."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from bridge.jobs.processes import Processes
from bridge.jobs.threads import Inline, Threads
from bridge.jobs.work import Executor, WorkerLost, yield_in_order
from tests.jobs.works import Echo, Environment, Failing, Squares, Unsendable
from tests.sampling import by_day, these_by_day
from tests.waiting import wait_for

THREADS = "OPENBLAS_NUM_THREADS"
EXECUTORS = these_by_day(
    [Inline(), Threads(3), Processes(2)],
    [Inline(), Threads(1), Threads(3), Processes(1), Processes(2)],
)


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard, also where the tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("jobs", by_day([40, 2]))
@pytest.mark.parametrize("executor", EXECUTORS, ids=str)
def test_every_job_is_done_once(tmp_path: Path, executor: Executor, jobs: int) -> None:
    found = list(executor.run(Squares(tmp_path), range(jobs)))
    assert sorted(found) == [(n, n * n) for n in range(jobs)]
    assert {(tmp_path / f"{n}").read_text() for n in range(jobs)} == {"x"}
    assert (tmp_path / "closed").exists()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("asked", "threads"), [(None, "1"), ("3", "3")])
def test_worker_process_calculates_in_one_thread_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, asked: str | None, threads: str
) -> None:
    monkeypatch.delenv(THREADS, raising=False)
    if asked is not None:
        monkeypatch.setenv(THREADS, asked)
    ((_, found),) = Processes(1).run(Environment(), [THREADS])
    assert found == threads
    assert os.environ.get(THREADS) == asked


@pytest.mark.parametrize("executor", EXECUTORS, ids=str)
def test_without_jobs_no_worker_is_opened(tmp_path: Path, executor: Executor) -> None:
    assert list(executor.run(Squares(tmp_path), [])) == []
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("executor", EXECUTORS, ids=str)
def test_endless_jobs_are_taken_as_there_is_room_and_leaving_stops_them(
    tmp_path: Path, executor: Executor
) -> None:
    before = set(threading.enumerate())
    with closing(executor.run(Squares(tmp_path), count())) as results:
        assert [next(results)[1] >= 0 for _ in range(5)] == [True] * 5
    assert (tmp_path / "closed").exists()
    assert not set(threading.enumerate()) - before
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("executor", EXECUTORS, ids=str)
def test_an_exception_of_a_job_is_raised_and_ends_the_work(
    tmp_path: Path, executor: Executor
) -> None:
    with pytest.raises(KeyError, match="job 7") as caught:
        list(executor.run(Squares(tmp_path, wrong=7), count()))
    assert not multiprocessing.active_children()
    if isinstance(executor, Processes):
        assert "in perform" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_job_whose_process_died_is_begun_again_once_and_then_reported(
    tmp_path: Path, deaths: int
) -> None:
    found = dict(Processes(2).run(Squares(tmp_path, deadly=((3, deaths),)), range(6)))
    assert found == {n: n * n for n in range(6)} | ({3: -1} if deaths == 2 else {})
    assert (tmp_path / "3").read_text() == "xx"
    if deaths == 2:
        said = (tmp_path / "lost").read_text()
        assert said == "its worker process ended twice (killed by SIGKILL)"


def test_the_only_job_kills_no_more_than_its_process(tmp_path: Path) -> None:
    assert list(Processes(3).run(Squares(tmp_path, deadly=((1, 1),)), [1])) == [(1, 1)]


def test_processes_that_die_at_every_job_are_given_up(tmp_path: Path) -> None:
    work = Squares(tmp_path, deadly=tuple((n, 100) for n in range(9)))
    with pytest.raises(WorkerLost, match=r"again and again .killed by SIGKILL.; with fewer"):
        list(Processes(2).run(work, range(9)))
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("executor", EXECUTORS[1:], ids=str)
def test_an_interrupt_stops_workers_between_steps_and_keeps_what_they_finished(
    tmp_path: Path, executor: Executor
) -> None:
    found = []
    with (
        pytest.raises(KeyboardInterrupt),
        closing(executor.run(Squares(tmp_path, interrupting=7), range(1000))) as results,
    ):
        for one in results:
            found.append(one)
    assert (7, 49) in found
    assert len(found) < 1000 and len(set(found)) == len(found)
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("heard")
def test_an_interrupt_ends_jobs_that_can_not_pause(tmp_path: Path) -> None:
    work = Squares(tmp_path, interrupting=0, endless=1, can_pause=False)
    with pytest.raises(KeyboardInterrupt):
        list(Processes(2).run(work, [1, 0, 2]))
    assert not multiprocessing.active_children()


def test_big_jobs_and_results_do_not_block_each_other(tmp_path: Path) -> None:
    jobs = [b"x" * 1_000_000] * 8
    assert [len(result) for _, result in Processes(2).run(Echo(), jobs)] == [1_000_000] * 8


def test_an_exception_that_can_not_be_unpickled_is_told_with_its_trace() -> None:
    with pytest.raises(RuntimeError, match="TwoArguments: salt and pepper") as caught:
        list(Processes(1).run(Failing(), [b""]))
    assert "in perform" in "".join(caught.value.__notes__)


def test_a_result_that_can_not_be_sent_is_said() -> None:
    with pytest.raises(RuntimeError, match="a worker can't send <unlocked"):
        list(Processes(1).run(Unsendable(), [b""]))


PARENT = """
from pathlib import Path
from bridge.jobs.processes import Processes
from tests.jobs.works import Squares
if __name__ == "__main__":
    list(Processes(2).run(Squares(Path({folder!r}), endless=1), range(2)))
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(folder=str(tmp_path)))
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        [sys.executable, str(script)], env={**os.environ, "PYTHONPATH": str(root)}
    ) as parent:
        wait_for(lambda: (tmp_path / "1").exists() or None)
        workers = children(parent.pid)
        assert workers
        parent.kill()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers) or None)


def children(pid: int) -> list[int]:
    """Processes that a process has started."""
    return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_results_are_yielded_in_order() -> None:
    results = [(5, "e"), (2, "b"), (3, "c"), (9, "i")]
    assert list(yield_in_order(results, [2, 3, 5, 9])) == sorted(results)
    assert next(yield_in_order(iter([(2, "b")]), count(2))) == (2, "b")
