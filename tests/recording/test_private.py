"""What a run writes is for its owner alone; what is shared is for all to read."""

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.cli.permissions import make_files_private
from bridge.recording.folders import new_run_folder
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from luban.playing import start
from pysim.families.rubik.solver.storing import Bytes, find_table_path, has_table, load_table
from tests.commands import Luban
from tests.rpc.playing import EASY
from tests.users import as_nobody, needs_root, open_folder

__all__ = ["open_folder"]


@pytest.fixture(autouse=True)
def usual_rights() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    assert os.umask(before) == 0o022


def open_to_others(folder: Path) -> list[Path]:
    """What others may read, write or enter of what is in a folder."""
    return [p for p in folder.rglob("*") if stat.S_IMODE(p.stat().st_mode) & 0o077]


def test_a_server_s_runs_are_private(tmp_path: Path) -> None:
    with LubanServer(tmp_path / "runs") as server, connect(server.address) as client:
        client.start(EASY, observation="state").end()
    assert list((tmp_path / "runs").rglob("episode.jsonl"))
    assert open_to_others(tmp_path) == []


def test_a_log_of_one_s_own_is_private(tmp_path: Path) -> None:
    with start(EASY, observation="state", log=tmp_path / "log.jsonl"):
        pass
    assert open_to_others(tmp_path) == []


QUICK = ("--observation", "state", "--json")
COMMANDS: dict[str, list[Any]] = {
    "play": ["play", EASY, "--video", "none", *QUICK],
    "eval": ["eval", EASY, "--agent", "random", "--workers", 2, "--k", 2, *QUICK],
    "items": [
        "eval",
        "cube-bench",
        "--task",
        "verification",
        "--n",
        1,
        "--image-size",
        64,
        "--json",
    ],
}


@pytest.mark.by_day(2)
@pytest.mark.parametrize("name", COMMANDS)
def test_what_commands_make_of_runs_is_private(luban: Luban, tmp_path: Path, name: str) -> None:
    luban(*COMMANDS[name]).json()
    files = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert len(files) > 1 or name == "play"
    assert open_to_others(tmp_path) == []


@needs_root
def test_another_user_reads_no_log(open_folder: Path) -> None:
    with start(EASY, observation="state", log=open_folder / "log.jsonl"):
        pass
    folder = new_run_folder(open_folder / "runs", "one")
    (folder / "seen").write_text("by nobody")
    assert as_nobody((open_folder / "log.jsonl").read_text) == "PermissionError"
    assert as_nobody((folder / "seen").read_text) == "PermissionError"
    assert as_nobody(lambda: [str(path) for path in (open_folder / "runs").iterdir()]) in (
        "PermissionError",
        [],
    )


def make_table() -> Bytes:
    return (np.arange(10_000) % 251).astype(np.uint8)


def total(name: str) -> int:
    """The sum of a table that is there, or made now."""
    return int(load_table(name, make_table).sum())


def made_again() -> Bytes:
    raise AssertionError("it is there")


@pytest.fixture
def shared(open_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> Path:
    """A cache that users share, and temporary files of the test's own."""
    spare = open_folder / "spare"
    spare.mkdir()
    spare.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    monkeypatch.setenv("LUBAN_CACHE", str(open_folder / "shared"))
    return open_folder


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_tables_are_for_all_to_read_and_for_one_to_write(shared: Path) -> None:
    with make_files_private():
        load_table("some", make_table)
    assert rights(find_table_path("some")) == 0o644
    assert {rights(folder) for folder in (find_table_path("some").parent, shared / "shared")} == {
        0o755
    }


@needs_root
def test_another_user_reads_tables_and_keeps_missing_ones(shared: Path) -> None:
    load_table("some", make_table)
    expected = int(make_table().sum())
    assert as_nobody(lambda: int(load_table("some", made_again).sum())) == expected
    assert as_nobody(lambda: total("other")) == expected
    assert not find_table_path("other").exists()
    (kept,) = shared.glob("spare/*/other.table")
    assert kept.owner() == "nobody"
    assert as_nobody(lambda: [has_table("other"), has_table("none")]) == [True, False]
    assert as_nobody(lambda: int(load_table("other", made_again).sum())) == expected
    assert as_nobody(lambda: find_table_path("some").write_bytes(b"")) == "PermissionError"
    assert as_nobody(lambda: find_table_path("some").unlink()) == "PermissionError"


@needs_root
def test_who_may_write_nowhere_has_tables_for_one_process(shared: Path) -> None:
    load_table("some", make_table)
    (shared / "spare").chmod(0o755)
    assert as_nobody(lambda: total("other")) == int(make_table().sum())
    assert list(shared.rglob("other.*")) == []


@needs_root
def test_a_table_that_another_user_has_put_in_one_s_place_is_not_believed(shared: Path) -> None:
    """Anybody can make a folder among the temporary files before its user does."""
    (shared / "shared").mkdir()
    (shared / "shared").chmod(0o755)
    forged = shared / "spare" / "luban-cache-65534" / "other.table"
    load_table("other", lambda: np.zeros(100, np.uint8))
    forged.parent.mkdir()
    forged.parent.chmod(0o777)
    find_table_path("other").rename(forged)
    assert as_nobody(lambda: has_table("other")) is False
    assert as_nobody(lambda: total("other")) == int(make_table().sum())


@pytest.mark.parametrize("open_to", [0o664, 0o646])
def test_a_table_that_others_may_write_is_not_believed(shared: Path, open_to: int) -> None:
    load_table("some", lambda: np.zeros(100, np.uint8))
    find_table_path("some").chmod(open_to)
    assert total("some") == int(make_table().sum())
    assert rights(find_table_path("some")) == 0o644
