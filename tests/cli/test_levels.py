"""``luban levels`` and ``luban show``."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bridge.cli.commands import levels
from bridge.cli.level_facts import format_plan
from pysim.catalog import encode_level, find_level, list_shipped_levels
from pysim.puzzle import Proof, Tier
from pysim.suites import find_suite
from tests.commands import Luban

Patch = pytest.MonkeyPatch
FIELDS = [
    "id",
    "family",
    "tier",
    "pieces",
    "plan",
    "plan_proof",
    "plan_lower_bound",
    "budget",
    "facts",
    "hash",
    "source",
]


def test_levels_as_json_have_exactly_the_documented_fields(luban: Luban) -> None:
    rows = luban("levels", "--json").json()
    assert [row["id"] for row in rows] == [level.id for level in list_shipped_levels()]
    for row, level in zip(rows, list_shipped_levels(), strict=True):
        assert list(row) == FIELDS
        assert level.plan is not None
        assert (row["plan"], row["plan_proof"]) == (len(level.plan), level.plan.proof.value)
        assert (row["plan_lower_bound"], row["facts"]) == (level.plan.lower_bound, level.facts)
        assert (row["hash"], row["budget"]) == (level.hash, level.budget)
        assert (row["family"], row["tier"]) == (level.family, level.tier.value)
        assert row["pieces"] == len(level.colours)
        assert row["source"]["designer"] == level.source.designer


def test_the_table_shows_every_id_whole(luban: Luban) -> None:
    words = luban("levels").out.split()
    assert all(level.id in words for level in list_shipped_levels())


def test_levels_of_one_family(luban: Luban) -> None:
    assert {row["family"] for row in luban("levels", "--family", "burr", "--json").json()} == {
        "burr"
    }
    complaint = luban("levels", "--family", "sudoku").complaint()
    assert "no family 'sudoku'; there are burr" in complaint


def test_tiers_of_the_option_are_those_of_levels() -> None:
    assert tuple(Tier) == levels.TIERS


def test_levels_of_a_suite_in_its_order(luban: Luban) -> None:
    suite = find_suite("locks-32")
    rows = luban("levels", "--suite", "locks-32", "--json").json()
    assert tuple(row["id"] for row in rows) == suite.level_ids
    assert luban("levels", "--suite", "locks-32", "--family", "packing", "--json").json() == []
    complaint = luban("levels", "--suite", "locks").complaint()
    assert "no suite 'locks'; did you mean locks-32?" in complaint


def test_the_table_says_level_plan_and_legal_moves(luban: Luban, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    lines = luban("levels", "--suite", "locks-32").out.splitlines()
    assert len(lines) == 33
    (piston,) = (line.split() for line in lines if line.split()[0] == "burr-piston")
    assert piston == ["burr-piston", "hard", "6", "9.3", "15", "optimal", "2", "45", "Piston",
                      "Peter", "Marineau"]  # fmt: skip


def test_a_plan_that_is_not_proven_says_its_lower_bound() -> None:
    plan = find_level("burr-piston").plan
    assert plan is not None
    assert format_plan(replace(plan, proof=Proof.UPPER_BOUND, lower_bound=9)) == ("15 (at least 9)")
    assert format_plan(None) == "-"


@pytest.mark.parametrize(("level", "columns"), [("burr-piston", 2), ("burr-piston-assemble", 3)])
def test_show_writes_all_views_as_one_picture(luban: Luban, level: str, columns: int) -> None:
    told = luban("show", level, "--image-size", 64, "--json").json()
    assert list(told) == ["level", "out", "views", "renderer"]
    assert (told["level"], told["out"]) == (level, f"{level}.png")
    rows = -(-len(told["views"]) // columns)
    picture = cv2.imread(told["out"])
    assert picture is not None
    assert picture.shape == (rows * 66 - 2, columns * 66 - 2, 3)
    assert told["renderer"].encode() in Path(told["out"]).read_bytes()


def test_show_takes_a_level_file_and_a_place_to_write(luban: Luban, tmp_path: Path) -> None:
    document = encode_level(find_level("burr-piston")) | {"id": "mine"}
    (tmp_path / "mine.json").write_text(json.dumps(document))
    result = luban("show", "mine.json", "--image-size", 32, "--out", "views.png")
    assert result.status == 0
    assert result.out.startswith("views.png: ")
    assert (tmp_path / "views.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["burr-pistn"], "did you mean burr-piston"),
        (["missing.json"], "missing.json"),
        (["burr-piston", "--renderer", "crayon"], "'crayon' is no renderer"),
        (["burr-piston", "--image-size", 0], "4096 pixels"),
        (["burr-piston", "--image-size", 32, "--out", "no/such/folder.png"], "no/such/folder.png"),
        (["burr-piston", "--image-size", 32, "--out", "."], "directory"),
    ],
)
def test_show_says_what_is_wrong(luban: Luban, arguments: list[object], message: str) -> None:
    assert message in luban("show", *arguments).complaint()


def test_a_level_file_that_is_damaged_is_refused(luban: Luban, tmp_path: Path) -> None:
    document = encode_level(find_level("burr-piston"))
    for content in ("", "{", "[]", json.dumps(document | {"budget": 99}), "[" * 99_999, "\0"):
        (tmp_path / "level.json").write_text(content)
        for command in ("show", "play"):
            assert "level.json" in luban(command, "level.json").complaint()


def test_show_writes_every_pass_of_a_set_of_views_into_a_folder(
    luban: Luban, tmp_path: Path
) -> None:
    arguments = ("--views", "turntable3", "--image-size", 48, "--passes", "ids,depth,rgb,normals")
    told = luban("show", "burr-piston", *arguments, "--out", "views", "--json").json()
    folder = tmp_path / "views"
    assert told["views"] == ["0", "120", "240"] and told["out"] == "views"
    document = json.loads((folder / "views.json").read_text(encoding="utf-8"))
    assert len(document["bodies"]) == 6
    for view in document["views"]:
        rgb, ids = (
            cv2.imread(str(folder / f"{view['name']}{end}"), cv2.IMREAD_UNCHANGED)
            for end in (".png", ".ids.png")
        )
        depth, normals = (
            np.load(folder / f"{view['name']}.{kind}.npy") for kind in ("depth", "normals")
        )
        assert rgb.shape == normals.shape == (48, 48, 3)
        assert ids.dtype == np.uint16 and ids.max() <= 6 and ids.any()
        assert np.array_equal(np.isfinite(depth), ids > 0)
        assert np.shape(view["intrinsics"]) == (3, 3) and np.shape(view["extrinsics"]) == (4, 4)


def test_show_takes_pieces_apart_and_labels_them(luban: Luban, tmp_path: Path) -> None:
    common = ("show", "burr-piston", "--views", "iso4", "--image-size", 128)
    luban(*common, "--out", "whole.png")
    luban(*common, "--out", "apart.png", "--spread", 2)
    luban(*common, "--out", "named.png", "--labels", "colours")
    luban(*common, "--out", "parallel.png", "--orthographic")
    luban(*common, "--out", "through.png", "--through", "red, blue")
    luban(*common, "--out", "cut.png", "--cut", "+z:0")
    luban(*common, "--out", "blind.png", "--palette", "colour-blind")
    pictures = {path.read_bytes() for path in tmp_path.glob("*.png")}
    assert len(pictures) == 7


@pytest.mark.parametrize("name", ["net", "strip", "face", "vertex"])
def test_show_draws_a_picture_that_the_family_knows(
    luban: Luban, tmp_path: Path, name: str
) -> None:
    level = "cubebench-d03-1-full-symbolic"
    shown = luban(
        "show", level, "--views", name, "--image-size", 64, "--out", "one.png", "--json"
    ).json()
    assert shown["views"] == [name]
    assert cv2.imread(str(tmp_path / "one.png")).shape == (64, 64, 3)


def test_show_draws_what_an_agent_sees(luban: Luban, tmp_path: Path) -> None:
    shown = luban("show", "cubebench-d03-1-full-visual", "--image-size", 64, "--json").json()
    assert shown["views"] == ["net"]
    assert cv2.imread(shown["out"]).shape == (64, 64, 3)
    told = luban("show", "cubebench-d03-1-full-symbolic").complaint()
    assert "agents see no picture" in told
    assert "give --views: net, face, vertex, strip, iso4" in told
    told = luban("show", "cubebench-d03-1-face-view", "--passes", "rgb,ids").complaint()
    assert "face can be drawn as rgb only" in told
    told = luban("show", "cubebench-d03-1-face-view", "--orthographic").complaint()
    assert "--orthographic needs --views" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--views", "iso5"), "known: iso4, iso6, faces6, turntable8"),
        (("--passes", "rgb,flow"), "'flow' is no pass; known: rgb, ids, depth, normals"),
        (("--labels", "runes"), "known: none, letters, colours"),
        (("--orthographic",), "--orthographic needs --views"),
        (("--palette", "pastel"), "known: standard, colour-blind"),
        (("--through", "red,ghost"), "there is no 'ghost'; there are "),
        (("--cut", "x2"), "such as +x:2, not 'x2'"),
    ],
)
def test_show_refuses_what_it_can_not_draw(
    luban: Luban, arguments: tuple[str, ...], message: str
) -> None:
    assert message in luban("show", "burr-piston", *arguments).complaint()
