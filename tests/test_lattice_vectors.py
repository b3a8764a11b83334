"""The vectors that the C# core is held to: current, many, and true of the exact world."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pysim.catalog import discover_families, find_shipped_level, list_shipped_levels
from pysim.geometry import Axis, Bounds, Cell, Direction, Pose, Rotation, Voxels
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Path as CarryPath
from pysim.path import Segment, Shift, Spin
from pysim.physics.lattice import LatticeWorld
from pysim.scene import Body, Colour, Scene
from tests.sampling import by_day
from tools.gen_vectors import Tour, document_of, level_tour, packed_tour, turned_tour

FOLDER = Path(__file__).parent / "golden" / "lattice"
PATHS = sorted(FOLDER.glob("*.json"))
NOWHERE = Bounds((0, 0, 0), (0, 0, 0))


def sort_of(path: Path) -> tuple[str, ...]:
    """Which tour it is, or the family and tier of its level."""
    level = {level.id: level for level in list_shipped_levels()}.get(path.stem)
    return (path.stem.rpartition("-")[0],) if level is None else (level.family, level.tier)


def fnv1a(data: bytes) -> int:
    digest = 0xCBF29CE484222325
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return digest


def scene_of(document: Any) -> Scene:
    bodies = []
    for body in document["bodies"]:
        numbers = body["cells"]
        cells = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
        pose = pose_of(body["pose"])
        colour = Colour(body["name"])
        bodies.append(Body(body["name"], Voxels.from_cells(cells), pose, colour, body["loose"]))
    level = document["table"]
    table = None if level is None else Bounds((0, 0, level), (0, 0, level))
    return Scene(tuple(bodies), NOWHERE, table)


def pose_of(numbers: list[int]) -> Pose:
    rotation, x, y, z = numbers
    return Pose(Rotation(rotation), (x, y, z))


def motion_of(line: list[Any], names: list[str]) -> Motion:
    bodies = frozenset(names[i] for i in line[1])
    if line[0] == 1:
        return Carry(bodies, CarryPath(map(leg_of, line[2])), line[3])
    if line[0] == 2:
        _, _, axis, (x, y, z), quarters, hinged = line
        return Turn(bodies, list(Axis)[axis - 1], (x, y, z), quarters, hinged)
    return Sweep(bodies, list(Direction)[line[2] - 1], line[3])


def leg_of(line: list[int]) -> Segment:
    if len(line) == 2:
        return Shift(list(Direction)[line[0] - 1], line[1])
    rotation, x, y, z = line
    return Spin(Rotation(rotation), (x, y, z))


def digest_of(world: LatticeWorld, scene: Scene, loose: dict[str, bool]) -> str:
    """From the transforms alone: which of the 24 rotations it is, is found among their matrices."""
    state = b""
    for name, transform in world.transforms().items():
        turned = tuple(tuple(int(n) for n in row) for row in transform[:3, :3])
        rotation = next(i for i in range(24) if Rotation(i).matrix == turned)
        offset: Cell = tuple(int(n) for n in transform[:3, 3])  # type: ignore[assignment]
        state += name.encode() + b"\0"
        state += b"".join(n.to_bytes(4, "little", signed=True) for n in (rotation, *offset))
        state += b"\1" if loose[name] else b"\0"
    return f"{fnv1a(state):016x}"


def answers(document: Any) -> Iterator[tuple[list[Any], list[Any]]]:
    """Each step's answer as it is written, and as the world gives it now."""
    scene = scene_of(document["scene"])
    names = [body.name for body in scene.bodies]
    world = LatticeWorld()
    for motions, *expected in [[[], "reset", 0, [], document["digest"]], *document["steps"]]:
        asked = [motion_of(line, [*names, "nobody"]) for line in motions]
        verdict, travel, contacts = expected[0], 0, []
        if verdict == "reset":
            world.reset(scene)
            loose = {body.name: body.loose for body in scene.bodies}
        else:
            try:
                report = world.execute(asked)
            except (KeyError, ValueError) as error:
                verdict = "unknown" if isinstance(error, KeyError) else "invalid"
            else:
                verdict = "free" if report.completed else "blocked"
                travel, contacts = report.travel, sorted(map(names.index, report.contacts))
                if report.completed:
                    carries = [m for m in asked if isinstance(m, Carry)]
                    loose |= {name: m.loose for m in carries for name in m.bodies}
        yield expected, [verdict, travel, contacts, digest_of(world, scene, loose)]


@pytest.mark.by_day(12)
@pytest.mark.parametrize("path", by_day(PATHS, sort_of, name=lambda path: path.stem))
def test_the_lattice_world_answers_as_written(path: Path) -> None:
    for expected, found in answers(json.loads(path.read_text(encoding="utf-8"))):
        assert found == expected


def tour_called(name: str) -> Tour:
    kind, _, number = name.rpartition("-")
    boxes = {"packed": packed_tour, "turned": turned_tour}
    return boxes[kind](int(number)) if kind in boxes else level_tour(find_shipped_level(name))


@pytest.mark.parametrize(
    "path", by_day(PATHS, lambda path: sort_of(path)[0], name=lambda path: path.stem)
)
def test_the_vectors_are_what_the_tool_writes_today(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    assert written == document_of(tour_called(path.stem)), "run tools/gen_vectors.py"


def test_ten_thousand_of_them_are_turns_and_every_family_is_there() -> None:
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in PATHS]
    turns = [line for d in documents for step in d["steps"] for line in step[0] if line[0] == 2]
    assert len(turns) >= 10_000
    assert min(sum(turn[5] for turn in turns), sum(not turn[5] for turn in turns)) >= 2_000
    shipped = {level.id: level.family for level in list_shipped_levels()}
    assert {shipped[path.stem] for path in PATHS if path.stem in shipped} == set(
        discover_families()
    )


def test_there_are_ten_thousand_motions_in_thirty_scenes_with_every_verdict() -> None:
    steps = [
        step for path in PATHS for step in json.loads(path.read_text(encoding="utf-8"))["steps"]
    ]
    verdicts = [step[1] for step in steps]
    assert len(PATHS) >= 30
    assert sum(len(step[0]) for step in steps) >= 10_000
    for verdict, least in {"free": 3000, "blocked": 2000, "unknown": 200, "invalid": 500}.items():
        assert verdicts.count(verdict) >= least
