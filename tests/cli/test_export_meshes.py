"""``luban export`` of meshes: files, folders and refusals."""

import json
from pathlib import Path

import pytest
import trimesh

from pysim.catalog import encode_level, find_level
from tests.commands import Luban
from tests.recording.plays import full_disk
from tests.sampling import by_day

FORMATS = ("stl", "3mf", "glb", "obj")
COLOURS = find_level("burr-piston").colours


def list_files(folder: str) -> list[str]:
    paths = Path(folder).rglob("*")
    return sorted(path.relative_to(folder).as_posix() for path in paths if path.is_file())


@pytest.mark.parametrize("format", FORMATS)
def test_a_folder_has_every_piece_all_assembled_and_a_list(luban: Luban, format: str) -> None:
    done = luban("export", "burr-piston", "--to", format, "--out", "made")
    assert (done.status, done.out) == (0, "made: Piston, 6 pieces, 91.7 cm\u00b3\n")
    pieces = [f"pieces/{i:02}-{colour}.{format}" for i, colour in enumerate(COLOURS, 1)]
    plan = ["plan.glb"] if format == "glb" else []
    assert list_files("made") == sorted([*pieces, f"assembled.{format}", "meshes.json", *plan])
    listed = json.loads(Path("made/meshes.json").read_text())
    assert (listed["level"], listed["hash"]) == ("burr-piston", find_level("burr-piston").hash)
    assert (listed["edge_mm"], listed["tolerance_mm"], listed["bevel_mm"]) == (10.0, 0.15, 0.5)
    assert [(p["name"], p["file"]) for p in listed["pieces"]] == list(
        zip(COLOURS, pieces, strict=True)
    )
    for piece in listed["pieces"]:
        if format in ("stl", "obj"):
            mesh = trimesh.load_mesh(Path("made") / piece["file"])
            assert mesh.is_watertight
            assert mesh.volume == pytest.approx(piece["volume_mm3"], rel=1e-5)
            assert mesh.extents == pytest.approx(piece["size_mm"], abs=1e-3)


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_has_all_pieces_assembled(luban: Luban, format: str) -> None:
    told = luban("export", "burr-piston", "--out", f"x.{format}", "--json").json()
    assert told["files"] == [f"x.{format}"] and told["pieces"] == 6
    assert luban("export", "burr-piston", "--to", format, "--out", "made").status == 0
    assert Path(f"x.{format}").read_bytes() == Path(f"made/assembled.{format}").read_bytes()
    named = luban("export", "burr-piston", "--to", format, "--out", f"y.{format}")
    assert named.status == 0
    assert Path(f"y.{format}").read_bytes() == Path(f"x.{format}").read_bytes()


def test_dimensions_are_those_that_are_given(luban: Luban) -> None:
    given = ("--edge", 20, "--tolerance", 0.2, "--bevel", 0)
    assert luban("export", "burr-piston", "--out", "x.stl", *given).status == 0
    mesh = trimesh.load_mesh("x.stl")
    assert mesh.extents == pytest.approx([6 * 20 - 0.4] * 3, abs=1e-3)
    assert luban("export", "burr-piston", "--out", "y.stl", "--edge", 1).status == 0
    assert trimesh.load_mesh("y.stl").is_watertight, "the bevel of small cells is small"


@pytest.mark.parametrize(
    "level", by_day(["packing-soma", "jigsaw-easy-1", "nets-easy-01", "burr-chinese-cross"])
)
def test_every_stl_of_a_level_is_watertight(luban: Luban, level: str) -> None:
    assert luban("export", level, "--to", "stl", "--out", "made").status == 0
    paths = list(Path("made").rglob("*.stl"))
    assert len(paths) == len(find_level(level).colours) + 1
    assert all(trimesh.load_mesh(path).is_watertight for path in paths)


def test_a_level_without_a_plan_has_no_animation(luban: Luban) -> None:
    document = encode_level(find_level("burr-half-lap")) | {"plan": None}
    Path("x.json").write_text(json.dumps(document))
    assert luban("export", "x.json", "--to", "glb", "--out", "made").status == 0
    assert "assembled.glb" in list_files("made") and "plan.glb" not in list_files("made")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "x.ply"], "x.ply: give a file whose name ends in .xmpuzzle, .stl, .3mf, .glb"),
        (["--out", "x"], "or --to for a folder of meshes"),
        (["--out", "x.obj", "--to", "stl"], "x.obj is no stl: give a folder, or a file that ends"),
        (["--out", "no/x.stl"], "there is no folder no"),
        (["--out", "x.stl", "--edge", "nan"], "--edge is a number, not nan"),
        (["--out", "x.stl", "--edge", "0"], "not 0"),
        (["--out", "x.stl", "--tolerance", "0"], "the tolerance is at least 0.01 mm, not 0"),
        (["--out", "x.stl", "--tolerance", "6"], "a tolerance of 6 mm leaves too little of cells"),
        (["--out", "x.stl", "--tolerance", "-inf"], "not -inf"),
        (["--out", "x.stl", "--bevel", "9"], "the bevel is 0 or 0.01 to 4.365 mm"),
        (["--out", "x.xmpuzzle", "--bevel", "1"], "--bevel is for meshes: give --to, or a file"),
        (["--out", "x", "--to", "ply"], "ply"),
    ],
)
def test_what_can_not_be_made_is_said_in_one_line(
    luban: Luban, options: list[str], message: str
) -> None:
    assert message in luban("export", "burr-piston", *options).complaint()
    assert list_files(".") == []


@pytest.mark.parametrize("out", [("--out", "x.stl"), ("--to", "glb", "--out", "made")])
def test_a_chamber_has_nothing_to_print(luban: Luban, out: tuple[str, ...]) -> None:
    complaint = luban("export", "portal-16", *out).complaint()
    assert "portal-16 has nothing to print" in complaint
    assert list_files(".") == []


def test_files_and_folders_are_replaced_only_by_force(luban: Luban) -> None:
    file = ("export", "burr-half-lap", "--out", "x.stl")
    folder = ("export", "burr-half-lap", "--to", "stl", "--out", "made")
    for command, path in ((file, Path("x.stl")), (folder, Path("made/assembled.stl"))):
        assert luban(*command).status == 0
        before = path.read_bytes()
        assert "exists; give --force to replace it" in luban(*command, "--edge", 5).complaint()
        assert path.read_bytes() == before
        assert luban(*command, "--edge", 5, "--force").status == 0
        assert path.read_bytes() != before
    (Path("made") / "old.txt").touch()
    assert luban(*folder, "--force").status == 0
    assert "old.txt" not in list_files("made"), "the new folder is whole"


def test_a_folder_of_something_else_is_never_replaced(luban: Luban) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years of work")
    command = ("export", "burr-half-lap", "--to", "stl", "--out", "mine")
    assert "mine holds no exported meshes" in luban(*command, "--force").complaint()
    assert list_files("mine") == ["thesis.txt"]


@pytest.mark.parametrize("out", [("--out", "x.stl"), ("--to", "stl", "--out", "made")])
def test_a_full_disk_leaves_nothing(luban: Luban, out: tuple[str, ...]) -> None:
    with full_disk(2000):
        complaint = luban("export", "burr-piston", *out).complaint()
    assert out[-1] in complaint and "File too large" in complaint
    assert list(Path.cwd().iterdir()) == []
