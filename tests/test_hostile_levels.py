"""Level documents that are made to be dear: refused with the bound, before any memory is spent."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import luban
from pysim.catalog import (
    LevelError,
    decode_level,
    discover_families,
    encode_level,
    find_level,
    list_level_paths,
    list_shipped_levels,
    parse_level,
)
from pysim.catalog.documents import MAX_BUDGET
from pysim.families.burr.lock import MAX_BRINGS, MAX_CELLS, MAX_PIECES, Goal, count_brings
from pysim.limits import (
    MAX_FACTS,
    MAX_LEVEL_BYTES,
    MAX_LEVEL_ID,
    MAX_MESSAGE,
    MAX_PATTERN,
    MAX_SELECTION,
    MAX_TITLE,
    quote,
)
from tests.hostile import VALUES
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
BURR, PACKING, CUBE, TOGETHER = (
    encode_level(find_level(name))
    for name in (
        "burr-half-lap",
        "packing-easy-01",
        "cubebench-d02-1-full-symbolic",
        "burr-chinese-cross-assemble",
    )
)

Document = dict[str, Any]


def but(document: Document, *path: str, to: object) -> Document:
    """A document with another value at a place."""
    changed = copy.deepcopy(document)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return changed


def pieces(*drawn: tuple[list[str], tuple[int, int, int]]) -> Document:
    """A lock of drawn pieces, each in its place."""
    made = [
        {"colour": f"c{i}", "layers": layers, "rotation": "+X+Y+Z", "cell": list(cell)}
        for i, (layers, cell) in enumerate(drawn)
    ]
    puzzle = {"goal": "disassemble", "pieces": made}
    return but(but(BURR, "puzzle", to=puzzle), "plan", to=None)


def apart(units: int) -> Document:
    return pieces((["###"], (-units,) * 3), (["###"], (units,) * 3))


def far(units: int) -> Document:
    """Pieces to be put together, one of them away from the others."""
    puzzle: Any = TOGETHER["puzzle"]
    first, *others = puzzle["pieces"]
    return but(TOGETHER, "puzzle", "pieces", to=[{**first, "cell": [-units, 2, 1]}, *others])


def block(x: int, y: int, z: int) -> list[str]:
    return ["/".join(["#" * x] * y)] * z


MANY = 200_000
MIB = 2**20
DEAR: dict[str, tuple[Callable[[], object], str]] = {
    "two pieces 2000 apart": (lambda: apart(1000), "2003 x 2001 x 2001 cells is too large"),
    "two pieces 200 apart": (lambda: apart(100), "203 x 201 x 201 cells is too large"),
    "sticks that are too long together": (
        lambda: pieces(*((["#" * 64], (0, i, 0)) for i in range(62))),
        "is too large for 62 pieces",
    ),
    "a far piece": (lambda: pieces((["##"], (0, 0, 0)), (["##"], (10**9, 0, 0))), "too far out"),
    "two large pieces": (
        lambda: pieces((block(64, 64, 64), (0, 0, 0)), (["##"], (0, 0, 70))),
        f"at most {MAX_CELLS:,} cells",
    ),
    "many large pieces": (
        lambda: pieces(*((block(10, 10, 10), (0, 0, 20 * i)) for i in range(60))),
        f"at most {MAX_CELLS:,} cells",
    ),
    "a drawing of nothing": (
        lambda: pieces((["." * 15 * MIB], (0, 0, 0)), (["##"], (0, 0, 1))),
        "at most 64 cells long",
    ),
    "a drawing of rows": (
        lambda: pieces((["/" * 15 * MIB], (0, 0, 0)), (["##"], (0, 0, 1))),
        "at most 64 cells long",
    ),
    "a drawing of layers": (
        lambda: pieces(([""] * MANY, (0, 0, 0)), (["##"], (0, 0, 1))),
        "at most 64 cells long",
    ),
    "more ways to bring pieces than can be listed": (
        lambda: far(100),
        "1,029,600 ways to bring pieces into 106 x 6 x 6 cells",
    ),
    "too many pieces": (
        lambda: but(BURR, "puzzle", "pieces", to=[{}] * MANY),
        f"2 to {MAX_PIECES} pieces, not 200,000",
    ),
    "too many companions": (
        lambda: but(BURR, "puzzle", "companions", to=[[]] * MANY),
        "at most 1,000 groups",
    ),
    "companions that are no names": (
        lambda: but(BURR, "puzzle", "companions", to=[[{"pieces": [[], {}], "most": 1}]]),
        "which is no piece",
    ),
    "too many names of companions": (
        lambda: but(BURR, "puzzle", "companions", to=[[{"pieces": ["red"] * MANY, "most": 1}]]),
        "no piece|at most 62 pieces",
    ),
    "a large box": (
        lambda: but(PACKING, "puzzle", "size", to=[10**9] * 3),
        "three sides of 1 to 8 cells",
    ),
    "a full drawing": (
        lambda: but(
            PACKING, "puzzle", "pieces", to=[{"colour": "red", "layers": ["#" * 15 * MIB]}]
        ),
        "at most 8 cells long",
    ),
    "too many pieces of a box": (
        lambda: but(PACKING, "puzzle", "pieces", to=[{}] * MANY),
        "at most 128 pieces",
    ),
    "too many open sides": (
        lambda: but(PACKING, "puzzle", "open", to=["+z"] * MANY),
        "6 sides, not 200,000",
    ),
    "a long cube": (lambda: but(CUBE, "puzzle", "state", to="W" * 15 * MIB), "54 letters"),
    "a long setting": (lambda: but(CUBE, "puzzle", "setting", to="x" * 15 * MIB), "no setting"),
    "a long name": (lambda: but(BURR, "name", to="x" * 15 * MIB), f"{MAX_TITLE:,} characters"),
    "a long id": (lambda: but(BURR, "id", to="x" * 1000), "at most 80 characters"),
    "half a character": (lambda: but(BURR, "name", to="\ud800"), "'name' is a text"),
    "a long source": (lambda: but(BURR, "source", "reference", to="x" * 2000), "'reference'"),
    "a huge seed": (lambda: but(BURR, "source", "seed", to=10**4000), "a seed is"),
    "too many facts": (
        lambda: but(BURR, "facts", to=dict.fromkeys(map(str, range(MANY)), 1)),
        f"at most {MAX_FACTS:,} facts",
    ),
    "a fact that is no number": (lambda: but(BURR, "facts", to={"x": float("nan")}), "no JSON num"),
    "a fact without end": (lambda: b'{"x": 1e999}', "its format is None"),
    "too many actions": (
        lambda: but(BURR, "plan", to={"proof": "OPTIMAL", "actions": [{}] * MANY}),
        f"at most {MAX_BUDGET:,} actions",
    ),
    "a huge budget": (lambda: but(BURR, "budget", to=10**4000), "from 1 to 10000"),
    "a long proof": (lambda: but(BURR, "plan", "proof", to="x" * 15 * MIB), "a plan's proof is"),
    "a document of 16 MiB and more": (lambda: b" " * (MAX_LEVEL_BYTES + 1), "at most 16,777,216"),
    "nesting": (lambda: b"[" * MIB, "not JSON"),
    "a number of a million digits": (lambda: b"9" * MIB, "not JSON"),
}

MEASURE = """
import resource, sys, time
from pathlib import Path
from pysim.catalog import discover_families, parse_level

def memory(key):
    return int(Path("/proc/self/status").read_text().split(key + ":")[1].split()[0])

assert all(discover_families().values())
resource.setrlimit(resource.RLIMIT_AS, (memory("VmSize") * 1024 + 2**30,) * 2)
for path in map(Path, sys.argv[1:]):
    start = time.process_time()
    try:
        parse_level(path.read_bytes())
        said = "taken"
    except ValueError as error:
        said = str(error)
    print(path.stem, round(time.process_time() - start, 2), memory("VmHWM"), said, sep="\\t")
"""


def written(made: object) -> bytes:
    return made if isinstance(made, bytes) else json.dumps(made).encode()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.timing
def test_dear_documents_are_refused_in_two_seconds_and_half_a_gigabyte(tmp_path: Path) -> None:
    paths = []
    for number, (make, _) in enumerate(DEAR.values()):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_bytes(written(make()))
    command = [sys.executable, "-c", MEASURE, *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    told = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(told) == len(DEAR)
    for name, (_, seconds, kibibytes, said) in zip(DEAR, told, strict=True):
        assert said != "taken", name
        assert float(seconds) < 2 and int(kibibytes) < 600_000, (name, seconds, kibibytes)


@pytest.mark.by_day(6)
@pytest.mark.parametrize("name", DEAR)
def test_the_bound_is_named_in_a_short_message(name: str) -> None:
    make, words = DEAR[name]
    with pytest.raises(LevelError, match=words) as refused:
        parse_level(written(make()))
    assert len(str(refused.value)) <= MAX_MESSAGE


PLAY = """
import json, resource, sys, time
from contextlib import suppress
from pathlib import Path
import bridge.episode.episode  # With numpy, whose threads reserve memory.
import luban
from pysim.catalog import decode_level, complete_document
from pysim.families.burr.rules import BurrRules

def memory(key):
    return int(Path("/proc/self/status").read_text().split(key + ":")[1].split()[0])

BurrRules.plan = lambda self, level: None
resource.setrlimit(resource.RLIMIT_AS, (memory("VmSize") * 1024 + 2**30,) * 2)
for path in map(Path, sys.argv[1:]):
    level = decode_level(complete_document(json.loads(path.read_bytes())))
    with luban.start(level, observation="state", budget=30) as episode:
        for direction in ("-x", "+x", "-z"):
            with suppress(luban.errors.LubanError):
                episode.step("slide", pieces=level.colours[:1], direction=direction, distance=1)
        episode.observe()
    rules, start = BurrRules(), time.process_time()
    legal = list(rules.legal(level, rules.initial(level)))
    print(path.stem, len(legal), time.process_time() - start, sep="\\t")
"""

WIDEST = {
    "far apart": lambda: apart(80),
    "many sticks": lambda: pieces(*((["#" * 20], (0, i % 8, i // 8)) for i in range(62))),
    "many cells": lambda: pieces((block(27, 27, 27), (0, 0, 0)), (block(16, 16, 1), (0, 0, 27))),
    "many places": lambda: pieces(*((["#"], (i, 37 * i % 62, 23 * i % 62)) for i in range(62))),
    "many ways in": lambda: far(40),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_the_dearest_locks_that_are_taken_can_be_played_and_listed(tmp_path: Path) -> None:
    """In a gigabyte; what is legal is listed in seconds, where trying each action took minutes."""
    for name, make in WIDEST.items():
        (tmp_path / f"{name}.json").write_bytes(written(make()))
    command = [sys.executable, "-c", PLAY, *map(str, tmp_path.iterdir())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    told = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(told) == len(WIDEST)
    for name, listed, seconds in told:
        assert int(listed) > 2 and float(seconds) < 15, (name, listed, seconds)


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a document."""
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value[:2]) if isinstance(value, list) else inner
    for key, one in inner:
        yield (*path, key)
        yield from places(one, (*path, key))


ODD = {name: value for name, value in VALUES.items() if name != "ten megabytes"}


ONE_EACH = [encode_level(list_shipped_levels(name)[0]) for name in discover_families()]


@pytest.mark.by_day(3)
@pytest.mark.parametrize("document", ONE_EACH, ids=lambda d: str(d["family"]))
def test_any_hostile_value_at_any_place_is_refused_or_taken_and_nothing_else(
    document: Document,
) -> None:
    count = 0
    for path in places(document):
        for value in (*ODD.values(), None, True, -1, 1e308, [], {}, [[]], {"x": {}}, "x" * 10**5):
            with suppress(LevelError):
                decode_level(but_at(document, path, value))
            count += 1
    assert count > 500


def but_at(document: Document, path: tuple[Any, ...], value: object) -> Document:
    """A document with another value at a place; nothing beside the way there is copied."""
    if not path:
        return value  # type: ignore[return-value]
    changed: Any = copy.copy(document)
    changed[path[0]] = but_at(changed[path[0]], path[1:], value)
    result: Document = changed
    return result


def test_every_level_that_ships_is_far_from_the_bounds() -> None:
    for path in list_level_paths():
        if path.parent.name == "burr":
            lock = find_level(path.stem).puzzle
            assert 4 * lock.workspace.volume * len(lock.pieces) < 2**27
            assert 10 * sum(len(piece.shape.cells) for piece in lock.pieces) < MAX_CELLS
            if lock.goal is Goal.ASSEMBLE:
                assert 20 * count_brings(lock.pieces, lock.bounds.size) < MAX_BRINGS


# --- names


HUGE = "x" * (60 * 10**6)
NAMES: dict[str, tuple[Callable[[], object], str]] = {
    "an id": (lambda: luban.load(HUGE), f"at most {MAX_LEVEL_ID} characters"),
    "an id with odd signs": (lambda: luban.load("\x1b" * 10**7), "at most 80 characters"),
    "a file": (lambda: luban.load(f"{HUGE}.json"), "File name too long"),
    "a selection": (lambda: luban.levels(HUGE), f"at most {MAX_SELECTION:,} characters"),
    "a pattern": (lambda: luban.levels("*a" * 1000), f"at most {MAX_PATTERN} characters"),
    "an observation": (
        lambda: luban.start("burr-half-lap", observation=HUGE),
        "observation is one of",
    ),
    "a world": (lambda: luban.start("burr-half-lap", observation="state", world=HUGE), "no world"),
    "a format": (lambda: luban.start("burr-half-lap", image_format=HUGE), "no format"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_60_megabytes_is_refused_unread_in_a_short_message(name: str) -> None:
    ask, words = NAMES[name]
    with pytest.raises(luban.errors.LubanError, match=words) as refused:
        ask()
    assert len(str(refused.value)) <= MAX_MESSAGE


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_any_value_is_quoted_in_forty_printable_signs(value: object) -> None:
    for one in (value, [value], {"x": value}, (value, value)):
        said = quote(one)
        assert 0 < len(said) <= 40 and said.isascii() and said.isprintable()
