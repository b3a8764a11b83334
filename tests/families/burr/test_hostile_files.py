"""Files that nobody should trust: refused with the reason, soon, and with little memory."""

import gzip
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from pysim.families.burr.files.design import Design, DesignError
from pysim.families.burr.files.puz import read_design
from pysim.families.burr.files.xmpuzzle import read_xmpuzzle, write_xmpuzzle
from tests.families.burr.xml import CUBE, HEAD, PART, problem, puzzle, solution
from tests.sampling import these_by_day
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[3]

VALID = gzip.compress(puzzle(problems=problem()), mtime=0)
LAUGHS = b'<!DOCTYPE puzzle [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = b'<!DOCTYPE puzzle SYSTEM "file:///etc/passwd">'

REFUSED = {
    "nothing": (b"", "empty"),
    "nothing, packed": (gzip.compress(b""), "empty"),
    "no xml": (b"hello", "no XML"),
    "zeros": (bytes(100), "no XML"),
    "a nul inside": (puzzle(rest="\0"), "no XML"),
    "cut short": (puzzle()[:-3], "no XML"),
    "something behind": (puzzle() + b"x", "no XML"),
    "packed and cut short": (VALID[:-9], "cut short"),
    "a wrong checksum": (VALID[:-8] + bytes(4) + VALID[-4:], "damaged"),
    "no packed data": (b"\x1f\x8b\x08garbage" * 3, "damaged"),
    "packed and more": (VALID + b"more", "4 bytes follow"),
    "entities": (LAUGHS + puzzle(rest="&b;"), "document type"),
    "a document type": (OUTSIDE + puzzle(), "document type"),
    "an unknown entity": (puzzle(rest="&b;"), "no XML"),
    "another root": (b"<html/>", "'html', not a puzzle"),
    "no version": (b"<puzzle/>", "no version"),
    "version 3": (b'<puzzle version="3"/>', "version 3"),
    "no shapes": (f"{HEAD}</puzzle>".encode(), "no <shapes>"),
    "two lists of shapes": (puzzle(rest="<shapes/>"), "2 <shapes>"),
    "no problems": (f"{HEAD}<shapes/></puzzle>".encode(), "no <problems>"),
    "10^9 cells": (puzzle('<voxel x="1000" y="1000" z="1000"/>'), "S1: .*4,000,000"),
    "10^27 cells": (puzzle(f'<voxel x="{10**9}" y="{10**9}" z="{10**9}"/>'), "S1: x of"),
    "a negative size": (puzzle('<voxel x="-1" y="1" z="-1">#</voxel>'), "S1: x of"),
    "no size": (puzzle('<voxel x="1" y="1">#</voxel>'), "S1: <voxel> has no z"),
    "a size of 0": (puzzle('<voxel x="1" y="1" z="0"></voxel>'), "S1: z of"),
    "a size in words": (puzzle('<voxel x="one" y="1" z="1">#</voxel>'), "whole number"),
    "a size with a point": (puzzle('<voxel x="1.0" y="1" z="1">#</voxel>'), "whole number"),
    "a long size": (puzzle(f'<voxel x="{"1" * 9999}" y="1" z="1">#</voxel>'), "whole number"),
    "too little drawn": (puzzle('<voxel x="2" y="1" z="1">#</voxel>'), "1 are drawn"),
    "too much drawn": (puzzle('<voxel x="1" y="1" z="1">##</voxel>'), "2 are drawn"),
    "a strange cell": (puzzle('<voxel x="1" y="1" z="1">@</voxel>'), "not '@'"),
    "a colour too many": (puzzle('<voxel x="1" y="1" z="1">#1</voxel>'), "no colour 1"),
    "a coloured nothing": (puzzle('<voxel x="1" y="1" z="1">_1</voxel>'), "no cell is filled"),
    "another drawing": (puzzle('<voxel x="1" y="1" z="1" type="1">#</voxel>'), "type 1"),
    "a part of nothing": (puzzle(problems=problem('<shape id="1"/>')), "P1: id of <shape>"),
    "a negative part": (puzzle(problems=problem('<shape id="-1"/>')), "P1: id of <shape>"),
    "min above max": (puzzle(problems=problem('<shape id="0" min="2" max="1"/>')), "at most 1"),
    "a min alone": (puzzle(problems=problem('<shape id="0" min="2"/>')), "no max"),
    "10^6 copies": (puzzle(problems=problem('<shape id="0" count="1000000"/>')), "10,000"),
    "copies in all": (puzzle(problems=problem('<shape id="0" count="9999"/>' * 2)), "19,998"),
    "no result": (puzzle(problems="<problem><shapes/></problem>"), "no <result>"),
    "no such result": (puzzle("", problem("")), "there is none"),
    "a pair of nothing": (
        puzzle(problems=problem().replace("<bitmap/>", '<bitmap><pair piece="0"/></bitmap>')),
        "piece of <pair>",
    ),
    "a placement cut short": (puzzle(problems=problem(PART, solution("0 0 0"))), "no placement"),
    "a 48th rotation": (puzzle(problems=problem(PART, solution("0 0 0 48"))), "nowhere"),
    "a far placement": (puzzle(problems=problem(PART, solution("9999999 0 0 0"))), "nowhere"),
    "a strange placement": (puzzle(problems=problem(PART, solution("a b c d"))), "not 'a'"),
    "a placement too many": (puzzle(problems=problem(PART, solution("x x"))), "places 2"),
    "no assembly": (puzzle(problems=problem(PART, "<solution/>")), "no <assembly>"),
    "bad holes": (puzzle(problems=problem(maxHoles="-1")), "maxHoles"),
    "bad colour": (puzzle(colours='<color red="256" green="0" blue="0"/>'), "red of <color>"),
}


@pytest.mark.parametrize(("data", "message"), REFUSED.values(), ids=REFUSED)
def test_a_bad_file_is_refused_with_the_reason(data: bytes, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        read_xmpuzzle(data)


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "triangular prisms"),
        (2, "spheres"),
        (3, "rhombic tetrahedra"),
        (4, "tetrahedra-octahedra"),
        (5, "not known"),
        (-1, "not known"),
    ],
)
def test_other_grids_than_cubes_are_refused_by_name(number: int, name: str) -> None:
    with pytest.raises(DesignError, match=f"grid {number} .*{name}"):
        read_xmpuzzle(puzzle().replace(b'gridType type="0"', f'gridType type="{number}"'.encode()))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", Path("/dev/zero"), Path("a\0b")):
        with pytest.raises(DesignError):
            read_design(path)


def test_damaged_files_are_refused_or_give_a_design() -> None:
    random_ = random.Random(0)
    plain = write_xmpuzzle(
        read_xmpuzzle(puzzle(problems=problem(PART, solution("0 0 0 0"), name="a"))),
        compressed=False,
    )
    for round_ in range(3000):
        data = bytearray(plain if round_ % 3 else VALID)
        for _ in range(random_.randint(1, 4)):
            data[random_.randrange(len(data))] = random_.choice((0, 34, 45, 57, 60, 62, 255))
        if round_ % 5 == 0:
            del data[random_.randrange(len(data)) :]
        with suppress(DesignError):
            assert isinstance(read_xmpuzzle(bytes(data)), Design)


MEASURE = """
import resource, sys, time
from pathlib import Path
from pysim.families.burr.files.puz import DesignError, read_design

def memory(key):
    return int(Path("/proc/self/status").read_text().split(key + ":")[1].split()[0])

resource.setrlimit(resource.RLIMIT_AS, (memory("VmSize") * 1024 + 2**30,) * 2)
before, start = memory("VmHWM"), time.process_time()
try:
    read_design(Path(sys.argv[1]))
except DesignError as error:
    print(error, file=sys.stderr)
print(time.process_time() - start, memory("VmHWM") - before)
"""

LONG = 15_000_000
COLOURS = '<color red="1" green="2" blue="3"/>' * 63
FULL = f'<voxel x="1" y="1" z="300000">{"#63" * 300_000}</voxel>'
STORED = "<solution><assembly>" + "99999 9999 9999 1 " * 10 + "</assembly></solution>"
SEPARATION = f"<solution><assembly>x</assembly><separation>{'<a/>' * 490_000}</separation>"

HEAVY = {
    "a bomb": lambda: gzip.compress(b" " * 300_000_000),
    "a bomb in a bomb": lambda: gzip.compress(gzip.compress(b" " * 300_000_000)),
    "a large file": lambda: b" " * 20_000_000,
    "everything allowed": lambda: puzzle(
        FULL,
        problem('<shape id="0" count="10"/>', STORED * 15_000)
        + problem(PART, SEPARATION + "</solution>"),
        COLOURS,
    ),
    "many shapes": lambda: puzzle(CUBE * 49_000),
    "many elements": lambda: puzzle("<a/>" * (LONG // 4)),
    "many states": lambda: puzzle(
        problems=problem(PART, SEPARATION.replace("<a/>", "<a/>" * 7) + "</solution>")
    ),
    "a deep file": lambda: puzzle("<a>" * (LONG // 3)),
    "a deep separation": lambda: puzzle(problems="<separation>" * (LONG // 12)),
    "a long tag": lambda: b"<puzzle " + b" " * LONG,
    "a tag of attributes": lambda: b"<p" + b"".join(b" a%d=''" % i for i in range(LONG // 12)),
    "a long comment": lambda: b"<!--" + b"-+" * (LONG // 2),
    "a long text": lambda: puzzle("é" * (LONG // 2)),
    "a long drawing": lambda: puzzle(
        f'<voxel x="2000" y="2000" z="1">{"#63" * 4_000_000}</voxel>', colours=COLOURS
    ),
    "a long assembly": lambda: puzzle(problems=problem(PART, solution("x " * (LONG // 2)))),
    "references": lambda: puzzle("&lt;" * (LONG // 4)),
    "signs": lambda: b"<" * LONG,
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("name", these_by_day(["a long drawing", "references"], HEAVY))
@pytest.mark.timing
def test_no_file_takes_more_than_2_seconds_or_200_megabytes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.xmpuzzle"
    path.write_bytes(HEAVY[name]())
    command = [sys.executable, "-c", MEASURE, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    seconds, kibibytes = map(float, done.stdout.split())
    assert seconds < 2 and kibibytes < 200_000
