"""Designs that are small to read and dear to search: refused, or searched in a gigabyte."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.families.burr.xml import problem, puzzle
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[3]

SOLVE = """
import resource, sys
from pathlib import Path
from pysim.families.burr.designs import BurrDesigns
from pysim.families.burr.solver import board
from pysim.designs import DesignError

def memory(key):
    return int(Path("/proc/self/status").read_text().split(key + ":")[1].split()[0])

board.MAX_TRIES = 2**21  # A sixteenth, so that this takes no time.
resource.setrlimit(resource.RLIMIT_AS, (memory("VmSize") * 1024 + 2**30,) * 2)
for path in map(Path, sys.argv[1:]):
    try:
        design = BurrDesigns().read(path)
        search = design.search(0, everything=False, rotations=True)
        print(next(iter(search), "nothing"))
    except DesignError as error:
        print(error)
"""


def drawn(x: int, y: int, z: int, text: str = "") -> str:
    return f'<voxel x="{x}" y="{y}" z="{z}">{text or "#" * (x * y * z)}</voxel>'


def parts(*counts: int) -> str:
    return "".join(f'<shape id="{i}" count="{n}"/>' for i, n in enumerate(counts, start=1))


def built(goal: str, *shapes: str, counts: tuple[int, ...] = ()) -> bytes:
    counts = counts or (1,) * len(shapes)
    return puzzle(goal + "".join(shapes), problem(parts(*counts)))


DEAR: dict[str, tuple[Callable[[], bytes], str]] = {
    "small pieces in a large goal": (
        lambda: built(drawn(40, 40, 40), drawn(1, 1, 1), drawn(2, 1, 1)),
        "can't be searched",
    ),
    "large pieces in a large goal": (
        lambda: built(drawn(36, 36, 36), drawn(14, 14, 14), drawn(15, 14, 14)),
        "can't be searched",
    ),
    "a goal in a large box": (
        lambda: built(
            drawn(60, 60, 60, "#" + "_" * (60**3 - 1)),
            *(drawn(n, 1, 1) for n in range(2, 40)),
        ),
        "at more than 2,097,152 places",
    ),
    "a long drawing": (
        lambda: built(drawn(1, 1, 70_000), drawn(1, 1, 69_999), drawn(1, 1, 1)),
        "drawn longer than 4,096 cells",
    ),
    "many copies": (
        lambda: built(drawn(20, 20, 20), drawn(1, 1, 1), counts=(8000,)),
        "up to 62 pieces",
    ),
    "far ends": (
        lambda: built(drawn(1, 1, 4000), drawn(1, 1, 3999), drawn(1, 1, 1)),
        "spread over more than 2,000 units|cells",
    ),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_dear_designs_are_refused_with_the_bound_within_a_gigabyte(tmp_path: Path) -> None:
    paths = []
    for number, (make, _) in enumerate(DEAR.values()):
        paths.append(tmp_path / f"{number}.xmpuzzle")
        paths[-1].write_bytes(make())
    command = [sys.executable, "-c", SOLVE, *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == len(DEAR)
    for (name, (_, words)), line in zip(DEAR.items(), said, strict=True):
        assert re.search(words, line), (name, line)
