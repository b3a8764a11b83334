"""``--ray``: the same work on a Ray of two workers, which the command starts here."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bridge.recording.log import read_log
from bridge.recording.times import TIMES_NAME
from bridge.runs.provenance import PROVENANCE_NAME
from pysim.extras import is_installed
from tests.agents.server import chat_server
from tests.agents.test_model import LEVEL as MODEL_LEVEL
from tests.agents.test_model import PLAN, planned
from tests.cli.runs import logs, start_and_stop
from tests.commands import Luban
from tests.rpc.playing import wait_for
from tests.waiting import PATIENCE

RAY = ["--ray", "local", "--workers", "2"]
LEVELS = "burr-half-lap,burr-three-bars,burr-five-bars"


def on_ray(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A command as a process of its own, for Ray leaves threads and handlers in one."""
    return subprocess.run(
        [sys.executable, "-m", "bridge.cli", *map(str, arguments), *RAY],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in (PROVENANCE_NAME, TIMES_NAME)  # They have the date.
    }


@pytest.mark.slow
def test_pool_made_on_ray_is_the_local_one(luban: Luban, tmp_path: Path) -> None:
    command = ["generate", "--pool", "rubik", "--count", 10]
    done = on_ray(tmp_path, *command, "--out", "ray.pool", "--referee")
    assert done.returncode == 0, done.stderr
    assert luban(*command, "--out", tmp_path / "here.pool", "--referee").status == 0
    assert (tmp_path / "ray.pool").read_bytes() == (tmp_path / "here.pool").read_bytes()


@pytest.mark.slow
def test_a_run_on_ray_is_the_local_one_byte_for_byte_though_a_worker_is_killed(
    luban: Luban, tmp_path: Path, strangers: Path
) -> None:
    command = ["eval", LEVELS, "--agent", f"mortal:{strangers}", "--k", 2, "--budget", 4]
    command += ["--observation", "state", "--json"]
    done = on_ray(tmp_path, *command, "--out", "ray")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["episodes"] == 6
    assert (strangers / "grave").exists()
    # One episode was lost in its third step, and begun again once; the others were played once.
    steps = Counter(line.split()[0] for line in (strangers / "steps").read_text().splitlines())
    assert sorted(steps.values()) == [4, 4, 4, 4, 4, 6]
    local = luban(*command, "--workers", 1, "--out", "local").json()
    assert json.loads(done.stdout) == {**local, "out": "ray"}
    assert files(tmp_path / "ray") == files(tmp_path / "local")


@pytest.mark.slow
def test_an_episode_whose_worker_is_lost_twice_fails_and_the_others_are_kept(
    tmp_path: Path, strangers: Path
) -> None:
    command = ["eval", "burr-half-lap", "--agent", f"doomed:{strangers}", "--observation", "state"]
    done = on_ray(tmp_path, *command, "--out", "run", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "1 of 1 episodes failed" in done.stderr
    assert "its worker process ended twice" in done.stderr


@pytest.mark.slow
def test_a_fault_of_an_agent_comes_back_with_its_trace(tmp_path: Path, strangers: Path) -> None:
    (strangers / "banana").touch()
    command = ["eval", "burr-half-lap", "--agent", f"clumsy:{strangers}", "--observation", "state"]
    command += ["--budget", "2", "--out", "run", "--json"]
    done = on_ray(tmp_path, *command)
    assert "RuntimeError: slipped" in done.stderr
    trace = tmp_path / "run" / "episodes" / "burr-half-lap" / "1" / "error.txt"
    assert "in act" in trace.read_text()
    (strangers / "banana").unlink()
    assert json.loads(on_ray(tmp_path, *command).stdout)["episodes"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_stopped_goes_on_and_plays_nothing_finished_again(
    tmp_path: Path, strangers: Path, number: signal.Signals
) -> None:
    command = ["eval", LEVELS, "--k", "6", "--agent", f"slow:{strangers}", "--budget", "6"]
    command += ["--observation", "state", "--out", "run", "--json"]
    # Ray's own agents take a minute to find out that their driver was killed; workers do at once.
    finished = start_and_stop([*command, *RAY], tmp_path, number, orphans=True)
    assert 0 < len(finished) < 18
    assert not list((tmp_path / "run" / "episodes").glob("*/*-cut-off-*"))
    assert json.loads(on_ray(tmp_path, *command).stdout)["episodes"] == 18
    now = logs(tmp_path / "run")
    assert {name: now[name] for name in finished} == finished
    steps = Counter((strangers / "steps").read_text().splitlines())
    for name in finished:
        seed = read_log(tmp_path / "run" / name).header.options.seed
        assert all(steps[f"{seed} {step}"] == 1 for step in range(6))


@pytest.mark.slow
def test_videos_of_episodes_that_were_played_here_are_made_there(
    luban: Luban, tmp_path: Path
) -> None:
    command = [
        "eval",
        "burr-half-lap,burr-three-bars",
        "--observation",
        "state",
        "--out",
        "run",
        "--json",
    ]
    luban(*command, "--workers", 1).json()
    played = logs(tmp_path / "run")
    done = on_ray(tmp_path, *command, "--video", "all")
    assert json.loads(done.stdout)["solved"] == 2
    assert logs(tmp_path / "run") == played
    for name in ("episode.mp4", "first.png", "last.png"):
        assert len(list((tmp_path / "run").rglob(name))) == 2


@pytest.mark.slow
def test_limit_that_is_raised_on_ray_goes_on_where_it_stopped(tmp_path: Path) -> None:
    command = [
        "eval",
        MODEL_LEVEL.id,
        "--agent",
        "openai:tall",
        "--observation",
        "state",
        "--out",
        "run",
    ]
    command += ["--json", "--max-tokens"]
    with chat_server(lambda request, number: planned(number)) as chat:
        given = ["--base-url", chat.url]
        stopped = on_ray(tmp_path, *command, 1, *given)
        assert stopped.returncode == 1 and "stopped after" in stopped.stderr, stopped.stderr
        assert len(chat.requests) == 1
        done = on_ray(tmp_path, *command, 10_000, *given)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["solved"] == 1
    assert len(chat.requests) == len(PLAN)


@pytest.mark.slow  # By day a run, whose jobs go the same way.
def test_levels_made_on_ray_are_those_made_here(luban: Luban, tmp_path: Path) -> None:
    command = ["generate", "packing", "--size", "3x3x2", "--tier", "easy", "--count", 3, "--json"]
    done = on_ray(tmp_path, *command, "--out", "levels")
    assert (done.returncode, done.stderr) == (0, "")
    made = files(tmp_path / "levels")
    shutil.rmtree(tmp_path / "levels")
    assert luban(*command, "--out", "levels").json() == json.loads(done.stdout)
    here = files(tmp_path / "levels")
    for found in (made, here):
        del found["timings.json"]
    assert made == here
    assert len(made) == 7


@pytest.mark.slow
def test_a_batch_that_was_interrupted_on_ray_goes_on_and_comes_out_the_same(
    luban: Luban, tmp_path: Path
) -> None:
    command = ["generate", "packing", "--size", "3x3x2", "--tier", "easy", "--json"]
    luban(*command, "--count", 6, "--out", "whole").json()
    process = subprocess.Popen(
        [sys.executable, "-m", "bridge.cli", *command, "--count", "400", "--out", "cut", *RAY],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    wait_for(lambda: len(list((tmp_path / "cut").glob("packing-*.json"))) > 1 or None)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert json.loads(out)["interrupted"] is True
    made = len(json.loads(out)["levels"])
    luban(*command, "--count", max(6, made), "--out", "cut").json()
    told = {"summary.json", "timings.json"}
    whole = {n: d for n, d in files(tmp_path / "whole").items() if n not in told}
    cut = files(tmp_path / "cut")
    assert {name: cut[name] for name in whole} == whole


@pytest.mark.slow
def test_levels_checked_on_ray_have_the_certificates_of_those_checked_here(
    luban: Luban, tmp_path: Path
) -> None:
    (tmp_path / "false.json").write_text("{}")
    command = ["verify", *LEVELS.split(","), "false.json", "--no-films", "--json"]
    done = on_ray(tmp_path, *command)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == luban(*command, "--workers", 1).out
    assert json.loads(done.stdout)["checked"] == 4


@pytest.mark.slow
def test_clips_made_on_ray_are_those_made_here(luban: Luban, tmp_path: Path) -> None:
    command = ["dataset", "burr-half-lap", "--format", "clips", "--count", 4, "--shard", 2]
    command += ["--film-size", "96x64", "--seconds", 1, "--json"]
    done = on_ray(tmp_path, *command, "--out", "ray")
    assert (done.returncode, done.stderr) == (0, "")
    assert luban(*command, "--out", "here").json() == {**json.loads(done.stdout), "out": "here"}
    assert files(tmp_path / "ray") == files(tmp_path / "here")


@pytest.mark.slow
def test_videos_scored_on_ray_have_the_files_of_those_scored_here(
    luban: Luban, tmp_path: Path
) -> None:
    small = ("--film-size", "112x112", "--fps", 6, "--first-steps", 1)
    assert luban("bundle", "burr-piston", *small, "--out", "bundles").status == 0
    films = sorted((tmp_path / "bundles" / "burr-piston").glob("*.mp4"))
    (tmp_path / "broken.mp4").write_bytes(b"no video")
    command = ["score-video", "bundles/burr-piston", *films, "broken.mp4", "--json"]
    done = on_ray(tmp_path, *command, "--out", "ray")
    assert done.returncode == 0, done.stderr
    here = luban(*command, "--workers", 1, "--out", "here")
    assert done.stderr == here.err and "broken.mp4 is no video" in here.err
    assert here.json() == {**json.loads(done.stdout), "out": "here"}
    assert files(tmp_path / "ray") == files(tmp_path / "here")


@pytest.mark.slow
def test_cluster_whose_key_is_missing_here_is_refused_with_the_remedy(tmp_path: Path) -> None:
    if not is_installed("ray"):  # To import it takes a second.
        pytest.skip("NOT TESTED: no Ray")
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = f"127.0.0.1:{head.getsockname()[1]}"
        command = ["eval", "burr-half-lap", "--observation", "state", "--ray", address]
        done = subprocess.run(
            [sys.executable, "-m", "bridge.cli", *command],
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path), "RAY_AUTH_MODE": "token"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert done.returncode != 0 and f"no Ray at '{address}': Token authentication" in done.stderr
    assert "copy ~/.ray/auth_token from its head and set RAY_AUTH_MODE=token" in done.stderr
    assert "bug" not in done.stderr


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "127.0.0.1:port", ":99999999"])
def test_an_address_without_a_cluster_is_said(luban: Luban, tmp_path: Path, address: str) -> None:
    command = ["eval", "burr-half-lap", "--observation", "state", "--out", "run", "--ray", address]
    assert f"there is no Ray at '{address}'" in luban(*command).complaint()
    command = ["generate", "packing", "--size", "3x3x2", "--tier", "easy", "--out", "levels"]
    assert "or local" in luban(*command, "--ray", address).complaint()
    assert not (tmp_path / "levels").exists()
