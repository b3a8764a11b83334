"""Making pools: the same for any number of processes, resumed, added to, and judged."""

import fcntl
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.generating import BatchError
from bridge.generating.pools import PoolOrder, PoolSummary, make_pool
from bridge.jobs.processes import Processes
from bridge.jobs.threads import Inline
from bridge.operations.generation import PoolRequest, generate_pool
from pysim.catalog import AnyLevel, encode_level, list_shipped_levels
from pysim.tasks import TaskSource
from pysim.tasks.pool import Pool, PoolStream, SealedTask, TaskCertificate, seal_pool
from pysim.tasks.recipe import CHECKED, Candidate, TaskRecipe
from pysim.tasks.splits import Split, compute_digest
from tests.commands import Luban
from tests.sampling import more
from tests.waiting import wait_for

RECIPE = TaskRecipe("nets", 1)
COUNT = more(30, night=60)
"""Tasks of a pool; it has some more, so that each difficulty and split has enough."""


class Stop(Exception):
    """A run is stopped in the middle."""


def made(
    out: Path, count: int = COUNT, workers: int = 1, recipe: TaskRecipe = RECIPE
) -> PoolSummary:
    executor = Inline() if workers == 1 else Processes(workers)
    return make_pool(PoolOrder(recipe, count, out), executor)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pool that was made in one go by one process."""
    out = tmp_path_factory.mktemp("pool") / "whole.pool"
    made(out)
    return out


def test_pool_has_enough_tasks_of_each_difficulty_and_split(whole: Path) -> None:
    pool = Pool(whole)
    for difficulty in range(1, 6):
        counts = {s: len(pool.places[s, difficulty]) for s in (Split.TRAIN, Split.VAL, Split.TEST)}
        assert counts[Split.TRAIN] >= COUNT * 2 // 15 and min(counts.values()) >= COUNT // 30
    assert len(pool) >= COUNT and list(whole.parent.iterdir()) == [whole]


@pytest.mark.slow
def test_two_processes_make_the_same_pool(whole: Path, tmp_path: Path) -> None:
    made(tmp_path / "two.pool", workers=2)
    assert (tmp_path / "two.pool").read_bytes() == whole.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("attempts", [1, 7, 40])
def test_stopped_run_is_resumed_to_the_same_pool(
    whole: Path, tmp_path: Path, attempts: int
) -> None:
    out = tmp_path / "stopped.pool"

    def stop(summary: PoolSummary) -> None:
        if summary.attempts >= attempts:
            raise Stop

    for _ in range(2):
        with pytest.raises(Stop):
            make_pool(PoolOrder(RECIPE, COUNT, out), Inline(), stop)
        assert not out.exists()
    journal = out.with_name("stopped.pool.journal")
    with journal.open("ab") as file:  # The disk was full in the middle of a line.
        file.write(b'{"difficulty":1,"att')
    made(out)
    assert out.read_bytes() == whole.read_bytes() and not journal.exists()


def test_killed_run_is_resumed_to_the_same_pool(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "killed.pool"
    words = ["generate", "--pool", "nets", "--out", str(out), "--count", str(COUNT), "--seed", "1"]
    command = [sys.executable, "-m", "bridge.cli", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    journal = out.with_name("killed.pool.journal")
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 5)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_pool_that_is_there_is_added_to(whole: Path, tmp_path: Path) -> None:
    grown, once = tmp_path / "grown.pool", tmp_path / "once.pool"
    grown.write_bytes(whole.read_bytes())
    before = Pool(whole)
    made(grown, count=2 * COUNT)
    made(once, count=2 * COUNT)
    assert grown.read_bytes() == once.read_bytes()
    old, new = TaskSource("nets", pool=whole), TaskSource("nets", pool=grown)
    assert len(Pool(grown)) > len(before)
    for split in old.splits:
        for index in range(old.count_prepared(split)):
            assert old.get_task(split, index) == new.get_task(split, index)
    written = grown.stat().st_mtime_ns
    made(grown, count=COUNT + 9)
    assert grown.stat().st_mtime_ns == written, "a pool that has enough is left alone"


def test_secret_seed_makes_private_tasks_only(tmp_path: Path) -> None:
    (tmp_path / "seed").write_bytes(bytes(range(16)))
    out = tmp_path / "mine.pool"
    generate_pool(PoolRequest(family="nets", out=out, count=5, private=tmp_path / "seed"))
    assert {split for split, _ in Pool(out).places} == {Split.PRIVATE}
    assert TaskSource("nets", pool=out).count_prepared("private") >= 5


def test_file_of_something_else_is_refused_and_kept(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "other.pool"
    out.write_bytes(whole.read_bytes())
    for recipe in (TaskRecipe("nets", 2), TaskRecipe("rubik", 1), TaskRecipe("nets", bytes(16))):
        with pytest.raises(BatchError, match="tasks of another family, seed or version"):
            made(out, recipe=recipe)
    assert out.read_bytes() == whole.read_bytes()
    journal = tmp_path / "new.pool.journal"
    journal.write_bytes(b"{}\n")
    with pytest.raises(BatchError, match="of another family, seed or version; remove it"):
        made(tmp_path / "new.pool")
    assert journal.read_bytes() == b"{}\n"


def test_damaged_journal_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "new.pool"

    def stop(summary: PoolSummary) -> None:
        raise Stop

    with pytest.raises(Stop):
        make_pool(PoolOrder(RECIPE, COUNT, out), Inline(), stop)
    journal = tmp_path / "new.pool.journal"
    journal.write_bytes(journal.read_bytes() + b'{"difficulty":9,"attempt":2}\n')
    with pytest.raises(BatchError, match=r"new\.pool\.journal is damaged .*; remove it"):
        made(out)


def test_pool_that_another_run_makes_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "busy.pool"
    with out.with_name("busy.pool.journal").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(BatchError, match="another run makes"):
            made(out)


@pytest.mark.slow
def test_pool_that_is_there_loses_tasks_that_are_levels_by_now(tmp_path: Path) -> None:
    recipe = TaskRecipe("rubik", 1)
    made(tmp_path / "clean.pool", count=5, recipe=recipe)
    first, *others = _list_streams(tmp_path / "clean.pool")
    level = next(one for one in list_shipped_levels("rubik") if one.id == "rubik-l120-easy-02")
    leaked = SealedTask(Candidate(1, 999, level, compute_digest(level)), TaskCertificate(CHECKED))
    out = tmp_path / "leaked.pool"
    first = PoolStream(1000, (*first.tasks, leaked))
    out.write_bytes(seal_pool(recipe, [first, *others]))
    summary = made(out, count=5, recipe=recipe)
    assert summary.rejected == {"a level that ships": 1}
    assert list(Pool(out).read_sealed()) == list(Pool(tmp_path / "clean.pool").read_sealed())
    written = out.stat().st_mtime_ns
    assert made(out, count=5, recipe=recipe).rejected == {} and out.stat().st_mtime_ns == written


def test_journal_that_is_there_loses_tasks_that_are_levels_by_now(tmp_path: Path) -> None:
    recipe, out = TaskRecipe("rubik", 1), tmp_path / "stopped.pool"

    def stop(summary: PoolSummary) -> None:
        raise Stop

    with pytest.raises(Stop):
        make_pool(PoolOrder(recipe, 5, out), Inline(), stop)
    level = next(one for one in list_shipped_levels("rubik") if one.id == "rubik-l120-easy-02")
    noted = {"difficulty": 1, "attempt": 999}
    entry = {**noted, "level": encode_level(level), "digest": compute_digest(level).hex()}
    judged = {**noted, "certificate": [["proof"], []]}
    with out.with_name("stopped.pool.journal").open("a") as file:
        file.write(f"{json.dumps(entry)}\n{json.dumps(judged)}\n")
    assert made(out, count=5, recipe=recipe).rejected["a level that ships"] >= 1
    assert compute_digest(level) not in Pool(out).digests


def _list_streams(path: Path) -> list[PoolStream]:
    pool = Pool(path)
    tasks = list(pool.read_sealed())
    return [
        PoolStream(attempts, tuple(one for one in tasks if one.candidate.difficulty == k))
        for k, attempts in enumerate(pool.attempts, 1)
    ]


def _judge(level: AnyLevel) -> TaskCertificate:
    return TaskCertificate(("plan", f"of {level.hash}"), ("proof",))


def _refute(level: AnyLevel) -> TaskCertificate:
    raise BatchError(f"{level.source.reference}: proof does not hold")


def test_judge_certifies_the_tasks_of_a_pool_that_is_there(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "judged.pool"
    out.write_bytes(whole.read_bytes())
    order = PoolOrder(RECIPE, COUNT, out, _judge)
    seen: list[int] = []

    def stop(summary: PoolSummary) -> None:
        seen.append(summary.judged)
        if summary.judged == 5:
            raise Stop

    with pytest.raises(Stop):
        make_pool(order, Inline(), stop)
    assert make_pool(order, Inline(), lambda summary: seen.append(summary.judged)).judged == max(
        seen
    )
    assert seen == list(range(1, len(Pool(whole)) + 1)), "none is judged twice"
    for task, before in zip(Pool(out).read_sealed(), Pool(whole).read_sealed(), strict=True):
        assert task.certificate == _judge(task.candidate.level)
        assert replace(task, certificate=before.certificate) == before


def test_task_that_a_judge_refutes_stops_the_pool(tmp_path: Path) -> None:
    with pytest.raises(BatchError, match=r"luban generate nets .*, attempt \d+: proof does not"):
        make_pool(PoolOrder(RECIPE, COUNT, tmp_path / "bad.pool", _refute), Inline())
    assert not (tmp_path / "bad.pool").exists()


def test_referee_certifies_the_tasks_of_a_pool(tmp_path: Path) -> None:
    out = tmp_path / "jigsaw.pool"
    summary = generate_pool(PoolRequest(family="rubik", out=out, count=more(2), referee=True))
    assert summary.judged == len(Pool(out))
    task = TaskSource("rubik", pool=out).get_task("train", 0)
    assert {"hash", "plan", "proof", "tier", "budget", "plan in lattice"} <= set(
        task.certificate.confirmed
    )


def test_command_makes_a_pool_wherever_the_option_stands(luban: Luban, tmp_path: Path) -> None:
    files = [tmp_path / "a.pool", tmp_path / "b.pool"]
    for out, words in zip(files, (["--pool", "rubik"], ["rubik", "--pool"]), strict=True):
        result = luban("generate", *words, "--out", str(out), "--count", "5", "--json")
        told = result.json()
        assert told["tasks"]["train"] >= 1 and told["family"] == "rubik"
    assert files[0].read_bytes() == files[1].read_bytes()
    refused = luban("generate", "--pool", "rubik", "--out", str(tmp_path / "x"))
    assert "a pool is named NAME.pool" in refused.complaint()
