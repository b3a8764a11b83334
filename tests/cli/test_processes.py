"""Commands as processes: ``luban serve``, and what Ctrl-C leaves behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.rpc.client import connect
from tests.needs import needs_pybullet
from tests.recording.plays import play_plan
from tests.rpc.playing import EASY, ended_log, gave_up, plan_of, wait_for
from tests.sampling import by_day
from tests.waiting import PATIENCE

LUBAN = [sys.executable, "-m", "bridge.cli"]


@contextmanager
def luban(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own, as a terminal starts it.

    Tests may run in the background of a shell, where Ctrl-C is ignored and stays so in every
    process that is started from there; in a terminal it is not.
    """
    pipe = subprocess.PIPE
    attentive = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    start = f"{attentive}os.execv(sys.argv[1], sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", start, *LUBAN, *arguments],
        cwd=folder,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        process_group=0,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def interrupt(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Press Ctrl-C; the exit status and stderr of a command that leaves no process behind."""
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    wait_for(lambda: _group_is_gone(process.pid) or None)
    assert "Traceback" not in err
    return process.returncode, err


def _group_is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("number", by_day([signal.SIGTERM, signal.SIGINT]))
def test_serve_prints_its_address_and_stops_cleanly(tmp_path: Path, number: int) -> None:
    with luban(tmp_path, "serve", "--json") as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert list(told) == ["address", "runs", "operator_key", "key_file"]
        with connect(told["address"]) as client:
            episode = client.start(EASY, observation="state", stream=True)
            episode.step(plan_of(EASY)[0])
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")
    log = read_log(tmp_path / told["runs"] / episode.run_name / "episode.jsonl")
    assert (len(log.steps), gave_up(log)) == (1, "the server was stopped")


def test_serve_says_that_a_port_is_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with luban(tmp_path, "serve", "--json", "--port", str(port)) as process:
            out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert err.startswith(f"luban: can't listen on 127.0.0.1:{port}: the port is in use")
    assert err.count("\n") == 1


@needs_pybullet
def test_ctrl_c_in_the_middle_of_an_episode(tmp_path: Path) -> None:
    arguments = ["play", "burr-loves-dozen", "--agent", "random", "--world", "bullet"]
    with luban(tmp_path, *arguments, "--budget", "10000", "--observation", "state") as process:
        path = tmp_path / "runs" / "burr-loves-dozen-random-bullet" / "episode.jsonl"
        wait_for(lambda: (path.exists() and path.read_bytes().count(b"\n") > 4) or None)
        assert interrupt(process)[0] == 130
    log = ended_log(path)
    assert gave_up(log) == "the server was stopped"
    assert replay(log).steps == len(log.steps)


@pytest.mark.slow
@pytest.mark.timing
def test_ctrl_c_in_the_middle_of_a_demo_stops_its_server_too(tmp_path: Path) -> None:
    with luban(tmp_path, "demo") as process:
        path = tmp_path / "runs" / "demo-burr-chinese-cross" / "episode.jsonl"
        wait_for(lambda: path.exists() or None)
        began = time.monotonic()
        assert interrupt(process)[0] == 130
        assert time.monotonic() - began < 60
    assert read_log(path).header.level.id == EASY


def test_ctrl_c_while_a_person_thinks(tmp_path: Path) -> None:
    arguments = ["play", EASY, "--agent", "human", "--observation", "state", "--video", "none"]
    with luban(tmp_path, *arguments) as process:
        path = tmp_path / "runs" / f"{EASY}-human-lattice" / "episode.jsonl"
        assert process.stdout is not None
        for line in process.stdout:
            if "steps left" in line:
                break
        assert interrupt(process)[0] == 130
    assert gave_up(ended_log(path)) == "the server was stopped"


@pytest.mark.slow
def test_ctrl_c_while_the_video_is_made(tmp_path: Path) -> None:
    with luban(
        tmp_path, "play", "burr-piston", "--observation", "state", "--image-size", "256"
    ) as process:
        folder = tmp_path / "runs" / "burr-piston-oracle-lattice"
        wait_for(lambda: list(folder.glob(".episode.mp4*")) or None)
        assert interrupt(process)[0] == 130
    assert [path.name for path in folder.iterdir()] == ["episode.jsonl"]
    assert replay(read_log(folder / "episode.jsonl")).steps == 15


@pytest.mark.slow
def test_ctrl_c_in_the_middle_of_a_dataset_leaves_nothing_of_it(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    play_plan(log, "burr-three-bars")
    with luban(tmp_path, "dataset", *["log.jsonl"] * 200, "--out", "out") as process:
        wait_for(lambda: list(tmp_path.glob(".out.part/data")) or None)
        assert interrupt(process) == (130, "luban: interrupted\n")
    assert list(tmp_path.iterdir()) == [log]


@pytest.mark.slow  # By day a dataset, which is made in the same way.
def test_ctrl_c_in_the_middle_of_a_bundle_leaves_nothing_of_it(tmp_path: Path) -> None:
    with luban(
        tmp_path, "bundle", "burr-piston", "--film-size", "208x120", "--out", "out"
    ) as process:
        wait_for(lambda: list(tmp_path.glob("out/.burr-piston.part/ids.npz")) or None)
        assert interrupt(process) == (130, "luban: interrupted\n")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.slow
def test_ctrl_c_in_the_middle_of_clips_leaves_whole_shards(tmp_path: Path) -> None:
    out = tmp_path / "out"
    small = ("--film-size", "64x48", "--seconds", "1", "--shard", "2", "--workers", "2")
    with luban(
        tmp_path,
        "dataset",
        "packing",
        "--format",
        "clips",
        "--count",
        "400",
        *small,
        "--out",
        "out",
    ) as process:
        wait_for(lambda: list(out.glob("clips-*.tar")) or None)
        assert interrupt(process) == (130, "luban: interrupted\n")
    shards = {path.name for path in out.iterdir()} - {"dataset.json"}
    assert 0 < len(shards) < 200
    for name in shards:
        with tarfile.open(out / name) as tar:
            assert len(tar.getnames()) == 12


IN_A_CALLBACK = """
import ctypes, signal, time
from bridge.cli.errors import exit_on_errors

def wait():
    print("waiting", flush=True)
    time.sleep(60)
    return 0

with exit_on_errors():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ctypes.CFUNCTYPE(ctypes.c_int)(wait)()
    while True:
        time.sleep(0.01)
"""


def test_ctrl_c_in_a_callback_of_a_compiler_is_heard() -> None:
    # Such a callback can't raise: Python would print "Exception ignored" and go on.
    program = [sys.executable, "-c", IN_A_CALLBACK]
    pipe = subprocess.PIPE
    with subprocess.Popen(program, text=True, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "luban: interrupted\n")
