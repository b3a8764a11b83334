"""Jobs on a Ray cluster of two nodes, of which one is killed."""

import json
import os
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

if not find_spec("ray"):  # Which takes seconds to import.
    pytest.skip("Ray is not installed here", allow_module_level=True)

TWO_NODES = """
import json, sys, threading, time
from contextlib import closing
from pathlib import Path
from ray.cluster_utils import Cluster
from bridge.jobs.cluster import open_cluster
from tests.jobs.test_cluster import Naps
from tests.waiting import wait_for

folder = Path(sys.argv[1])
nodes = Cluster()
nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)
doomed = nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)
nodes.wait_for_nodes()

def living():
    pids = [path.stem.split("-")[1] for path in folder.glob("*.begun")]
    return [pid for pid in pids if Path("/proc", pid).exists()]

def kill():
    wait_for(lambda: len(list(folder.glob("*.begun"))) >= 2 or None)
    nodes.remove_node(doomed, allow_graceful=False)
    wait_for(lambda: len(living()) < 2 or None)
    (folder / "survived").touch()

threading.Thread(target=kill, daemon=True).start()
with open_cluster(nodes.address, 2) as cluster:
    with closing(cluster.run(Naps(str(folder)), range(6))) as results:
        found = sorted(results)
nodes.shutdown()
print(json.dumps(found))
"""


class Naps:
    """Squares numbers, but none before the node is dead."""

    can_pause = False

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def open(self, stopped: object) -> "Naps":
        return self

    def perform(self, job: int) -> int:
        from tests.waiting import wait_for

        (Path(self.folder) / f"{job}-{os.getpid()}.begun").touch()
        wait_for(lambda: (Path(self.folder) / "survived").exists() or None)
        return job * job

    def close(self) -> None:
        pass

    def report_lost(self, job: int, message: str) -> int:
        return -1


@pytest.mark.slow
def test_jobs_of_a_node_that_is_killed_are_begun_again_on_the_other(tmp_path: Path) -> None:
    script = tmp_path / "two_nodes.py"
    script.write_text(TWO_NODES)
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": root, "RAY_USAGE_STATS_ENABLED": "0"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [[n, n * n] for n in range(6)]
    begun = Counter(path.name.split("-")[0] for path in tmp_path.glob("*.begun"))
    assert sorted(begun.values()) == [1, 1, 1, 1, 1, 2]


@pytest.mark.slow
def test_ray_that_does_not_start_is_said_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / ("t" * 110)  # Names of sockets are shorter.
    folder.mkdir()
    command = ["eval", "burr-piston", "--agent", "random", "--ray", "local"]
    done = subprocess.run(
        [sys.executable, "-m", "bridge.cli", *command, "--out", str(tmp_path / "run")],
        env={**os.environ, "RAY_TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    said = done.stderr.strip().splitlines()[-1]
    assert said.startswith("luban: Ray does not start here (") and "without --ray" in said
