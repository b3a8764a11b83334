"""Puzzles reserved across batches: one owner each, and never without the level."""

import json
import multiprocessing
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bridge.generating import Batch, BatchError, run_batch
from bridge.generating.batch import TAKEN
from bridge.generating.registry import Registry
from bridge.jobs.threads import Inline
from pysim.puzzle import Level
from tests.generating.claiming import LEVEL, claim
from tests.generating.counting import Counting
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def draw(level: Level[object]) -> bytes:
    return level.hash.encode()


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def test_a_puzzle_belongs_to_the_batch_that_came_first(tmp_path: Path) -> None:
    one, other = Registry(tmp_path / "r", "one"), Registry(tmp_path / "r", "other")
    assert one.reserve("key", LEVEL) and not other.reserve("key", LEVEL)
    assert other.reserve("another key", LEVEL)
    assert one.reserve("key", LEVEL), "a batch that is resumed comes to its own level again"
    assert len(entries(tmp_path / "r")) == len(list((tmp_path / "r").iterdir())) == 2


def test_a_reservation_holds_the_level(tmp_path: Path) -> None:
    Registry(tmp_path, "one").reserve("../../key \0", LEVEL)
    (path,) = entries(tmp_path)
    assert json.loads(path.read_text()) == {"batch": "one", "level": LEVEL}


def test_of_processes_that_race_for_a_puzzle_one_gets_it(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        start = time.time() + 2.0
        owners = [(tmp_path, f"p{i}", 60, start) for i in range(2)]
        claimed = pool.starmap(claim, owners)
    assert sorted(key for keys in claimed for key in keys) == sorted(map(str, range(60)))
    assert not list(tmp_path.glob(".*"))


def test_a_process_that_is_killed_leaves_no_reservation_without_a_level(tmp_path: Path) -> None:
    endless = (
        "import itertools, sys; from pathlib import Path;"
        "from bridge.generating.registry import Registry;"
        "r = Registry(Path(sys.argv[1]), 'one');"
        "[r.reserve(str(k), {'cells': [k] * 5000}) for k in itertools.count()]"
    )
    for _ in range(2):
        before = len(entries(tmp_path))
        with subprocess.Popen([sys.executable, "-c", endless, str(tmp_path)], cwd=ROOT) as process:
            deadline = time.monotonic() + PATIENCE
            while len(entries(tmp_path)) < before + 20 and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
    assert len(entries(tmp_path)) >= 20
    for path in entries(tmp_path):
        assert len(json.loads(path.read_text())["level"]["cells"]) == 5000


def test_a_full_disk_reserves_nothing(tmp_path: Path) -> None:
    registry = Registry(tmp_path, "one")
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            registry.reserve("key", LEVEL)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert not list(tmp_path.iterdir())
    assert Registry(tmp_path, "other").reserve("key", LEVEL)


def test_a_file_is_no_registry(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BatchError, match="can't be a registry"):
        Registry(tmp_path / "file", "one")


def test_batches_that_share_a_registry_have_no_puzzle_twice(tmp_path: Path) -> None:
    def batch(name: str) -> Batch:
        return Batch(Counting(), 4, tmp_path / name, registry=tmp_path / "shared")

    one, other = (run_batch(batch(name), draw, executor=Inline()) for name in ("one", "other"))
    keys = [entry.key for summary in (one, other) for entry in summary.levels]
    assert len(keys) == len(set(keys)) == 8 == len(entries(tmp_path / "shared"))
    assert other.rejected[TAKEN] >= 4 and TAKEN not in one.rejected


def test_a_batch_that_stopped_before_its_level_was_written_gets_it_all_the_same(
    tmp_path: Path,
) -> None:
    def stop(level: Level[object]) -> bytes:
        raise KeyboardInterrupt

    batch = Batch(Counting(), 2, tmp_path / "one", registry=tmp_path / "shared")
    with pytest.raises(KeyboardInterrupt):
        run_batch(batch, stop, executor=Inline())
    assert len(entries(tmp_path / "shared")) == 1
    summary = run_batch(batch, draw, executor=Inline())
    assert [entry.attempt for entry in summary.levels] == [0, 1]
