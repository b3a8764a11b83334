"""Mistakes that a newcomer makes in the first hour: each is told in one line, before any work."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bridge.cli.caching import can_be_written
from bridge.rpc.errors import _explain_transport
from pysim.catalog import discover_families, encode_level, find_shipped_level
from pysim.errors import MissingPackage
from pysim.extras import EXTRAS, describe_missing_extra, require_extra
from pysim.generation import Draft, load_generator
from pysim.geometry import Bounds
from pysim.level_selection import select_levels
from pysim.puzzle import Tier
from pysim.render.camera import parse_camera
from pysim.render.palette import COLOURS
from tests.commands import ROOT, Luban
from tests.users import without_rights

# --- Homes, pipes and disks


def test_a_home_that_may_not_be_entered_is_no_place_for_compiled_code() -> None:
    with TemporaryDirectory(prefix="luban-test-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        closed = Path(name, "closed")
        closed.mkdir(mode=0o000)
        with without_rights():
            assert not can_be_written(closed / "numba")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    words = [
        "bash",
        "-c",
        f'set -o pipefail; luban() {{ {sys.executable} -m luban "$@"; }}; {line}',
    ]
    return subprocess.run(words, capture_output=True, text=True, cwd=ROOT)


def test_a_list_whose_reader_leaves_ends_well() -> None:
    done = shell("luban levels --family burr | head -1")
    assert (done.returncode, done.stderr) == (0, "")


def test_work_outlasts_the_reader_of_its_output(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from bridge.cli.terminal import filter_output, outlast_reader\n"
        "with filter_output(), outlast_reader():\n"
        "    sys.stdin.read()\n"
        "    print('x', flush=True)\n"
        f"    open({str(tmp_path / 'done')!r}, 'w').close()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=-1, stdout=-1, stderr=-1, cwd=ROOT
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        process.stdout.close()
        process.stdin.close()
        assert process.wait() == 0
    assert (tmp_path / "done").exists()


@pytest.mark.parametrize(
    ("details", "words"),
    [
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: Failed to "
            "connect to remote host: Connection refused",
            "no server answers at 127.0.0.1:1 (Connection refused): check the address",
        ),
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv6:%5B::1%5D:1: Failed to "
            "connect to remote host: Connection refused",
            "no server answers at [::1]:1 (Connection refused): check the address",
        ),
        ("errors resolving nohost:99: [field:x]", "there is no host nohost: check"),
        ("DNS resolution failed for a.invalid:50: x", "there is no host a.invalid: check"),
        ("Socket closed", "Socket closed"),
    ],
)
def test_words_of_grpc_become_a_cause_and_a_remedy(details: str, words: str) -> None:
    assert _explain_transport(details).startswith(words)


def test_words_of_the_system_come_with_advice(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    line = luban("show", "burr-half-lap", "--image-size", "64", "--out", "folder.png").complaint()
    assert line == "luban: folder.png: Is a directory; that is a folder: give a file"
    assert luban("play", "nowhere.json").complaint().endswith("; check the name")


def test_a_design_that_is_no_xml_is_named(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "bad.xmpuzzle").write_text("<puzzle><bad")
    line = luban("solve", "bad.xmpuzzle").complaint()
    assert line.startswith("luban: bad.xmpuzzle: the file is no XML (")
    assert line.endswith("save it again in the program that made it")


# --- Endings of files


@pytest.mark.parametrize("name", ["x.jpg", "x.gif", "x.mp4"])
def test_a_picture_whose_name_promises_another_file_is_refused(luban: Luban, name: str) -> None:
    assert "ends in .png, not in" in luban("show", "burr-half-lap", "--out", name).complaint()
    assert not Path(name).exists()


def test_a_film_whose_name_promises_another_file_is_refused(luban: Luban, tmp_path: Path) -> None:
    played = ("--agent", "oracle", "--observation", "state", "--video", "none", "--name", "a")
    assert luban("play", "burr-half-lap", *played).status == 0
    log = "runs/a/episode.jsonl"
    assert "ends in .mp4, not in .gif" in luban("replay", log, "--video", "x.gif").complaint()
    folder = luban("replay", log, "--video", "x.mp4", "--codec", "png").complaint()
    assert "give a folder, not a .mp4 file" in folder


# --- Wrong before play


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--agent", "noisy-oracle:2"), "the noise is a share from 0 to 1, not 2.0"),
        (("--agent", "scripted:nowhere.txt"), "there is no script 'nowhere.txt'"),
        (("--agent", "openai:x", "--base-url", "foo/v1"), "begins with http:// or https://"),
    ],
)
@pytest.mark.parametrize("suite", ["burr-half-lap", "cube-bench"])
def test_an_agent_that_can_not_play_is_refused_before_play(
    luban: Luban, words: tuple[str, str], message: str, suite: str
) -> None:
    if suite == "cube-bench" and "scripted" in words[1]:
        return  # No agent of questions.
    assert message in luban("eval", suite, *words, "--out", "run").complaint()
    assert not Path("run").exists()


def test_a_model_without_its_packages_is_refused_before_play(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    line = luban("eval", "burr-half-lap", "--agent", "openai:x", "--out", "run").complaint()
    assert line == "luban: models need httpx2: pip install 'luban[openai]'"
    assert not Path("run").exists()


@pytest.mark.parametrize("words", [("serve", "--port", 0), ("web", "burr-piston", "--port", 0)])
def test_a_server_without_a_place_for_episodes_does_not_start(
    words: tuple[object, ...], luban: Luban
) -> None:
    Path("file").touch()
    complaint = luban(*words, "--runs", "file/runs").complaint()
    assert complaint == "luban: file/runs can't be written to; give another folder with --runs"


def test_server_with_a_renderer_that_does_not_exist_does_not_start(luban: Luban) -> None:
    complaint = luban("serve", "--renderer", "nonsense", "--port", 0).complaint()
    assert "is no renderer; known: auto, egl, tiny" in complaint


def test_videos_that_cannot_be_made_are_refused_before_play(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    line = luban("eval", "demo", "--agent", "oracle", "--video", "all", "--out", "a").complaint()
    assert line == "luban: videos need av: pip install 'luban[video]'"
    assert not Path("a").exists()


@pytest.mark.parametrize("module", EXTRAS["web"])
def test_pages_without_a_part_of_their_extra_name_it(
    luban: Luban, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert luban("web").complaint() == f"luban: pages need {module}: pip install 'luban[web]'"


def test_environments_without_gymnasium_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "luban.envs", raising=False)
    with pytest.raises(MissingPackage, match=r"pip install 'luban\[gymnasium\]'"):
        __import__("luban.envs")


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_names_itself(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, EXTRAS[extra][0], None)
    assert describe_missing_extra("things", extra).startswith("things need ")
    if extra != "bullet" or sys.version_info < (3, 12):
        assert f"luban[{extra}]" in describe_missing_extra("things", extra)
    with pytest.raises(MissingPackage):
        require_extra("things", extra)


# --- Folders of levels, drafts and tiers


@pytest.fixture
def six(tmp_path: Path) -> Path:
    folder = tmp_path / "six"
    folder.mkdir()
    for level in map(find_shipped_level, ("burr-half-lap", "packing-easy-01")):
        (folder / f"{level.id}.json").write_text(json.dumps(encode_level(level)))
    (folder / "summary.json").write_text("{}")
    return folder


def test_a_folder_of_levels_is_a_suite(luban: Luban, six: Path) -> None:
    listed = luban("levels", "six", "--json").json()
    assert [one["id"] for one in listed] == ["burr-half-lap", "packing-easy-01"]
    assert luban("levels", "six", "--tier", "hard", "--json").json() == []
    options = ("--observation", "state", "--video", "none", "--workers", "1", "--json")
    assert luban("eval", "six", *options).json()["solved"] == 2
    shown = luban("show", "six", "--image-size", "32", "--out", "pictures", "--json").json()
    assert [Path(one["out"]).exists() for one in shown["levels"]] == [True, True]


def test_a_folder_without_levels_is_refused(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for command in ("levels", "show", "eval"):
        assert "'empty' holds no level: make some" in luban(command, "empty").complaint()


def test_a_draft_is_told_to_be_unsealed_and_can_be_sealed(luban: Luban, tmp_path: Path) -> None:
    document = encode_level(find_shipped_level("burr-half-lap"))
    draft = {k: v for k, v in document.items() if k not in ("hash", "plan", "facts")}
    (tmp_path / "draft.json").write_text(json.dumps(draft))
    assert "unsealed draft: `luban level seal`" in luban("play", "draft.json").complaint()
    sealed = luban("level", "seal", "draft.json", "--out", "level.json", "--json").json()
    assert sealed["hash"] == document["hash"]
    assert luban("level", "add", "draft.json", "--to", "mine", "--json").json()["plan"] == 1
    assert [one["id"] for one in luban("levels", "mine", "--json").json()] == ["burr-half-lap"]
    assert "exists; give --force" in luban("level", "add", "draft.json", "--to", "mine").complaint()


@pytest.mark.parametrize("family", ["burr", "jigsaw", "nets", "packing", "portal", "rubik"])
@pytest.mark.parametrize("tier", [Tier.EASY, Tier.MEDIUM, Tier.HARD])
def test_every_family_generates_by_tier(family: str, tier: Tier) -> None:
    plugin = load_generator(discover_families()[family])
    assert plugin is not None
    generator = plugin.make(plugin.options(tier=tier), 0, COLOURS)
    assert generator.family == family
    if (family, tier) in (("rubik", Tier.EASY), ("portal", Tier.EASY)):
        drafts = (generator.attempt(number) for number in range(20))
        made = next(one for one in drafts if isinstance(one, Draft))
        assert made.tier is tier


def test_a_level_that_ships_is_no_folder_of_its_pictures(luban: Luban) -> None:
    small = ("--image-size", "32", "--json")
    first = luban("show", "burr-half-lap", "--views", "iso4", "--passes", "rgb,ids", *small).json()
    assert Path(first["out"]).is_dir() and first["out"] == "burr-half-lap"
    assert luban("show", "burr-half-lap", *small).json()["out"] == "burr-half-lap.png"
    assert [level.id for level in select_levels("burr-half-lap")] == ["burr-half-lap"]


# --- Cameras


def test_a_camera_of_ones_own_looks_at_the_middle_or_at_a_point() -> None:
    block = Bounds((0, 0, 0), (2, 4, 6))
    assert parse_camera("9,-7,6", block).target == (1.0, 2.0, 3.0)
    assert parse_camera("9,-7,6:1,2,0.5", block).target == (1.0, 2.0, 0.5)
    assert parse_camera("1,2,30", block).up == (0.0, 1.0, 0.0)


def test_show_takes_a_camera(luban: Luban) -> None:
    small = ("--image-size", "32", "--out", "a.png", "--json")
    shown = luban("show", "burr-half-lap", "--camera", "9,-7,6", *small).json()
    assert shown["views"] == ["camera"]
    assert "EYE:TARGET" in luban("show", "burr-half-lap", "--camera", "9").complaint()
    both = luban("show", "burr-half-lap", "--camera", "9,-7,6", "--views", "iso4").complaint()
    assert "leave out --views" in both
