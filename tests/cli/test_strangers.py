"""Runs, bundles, videos and other files of strangers, as hostile as they can be."""

import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from bridge.video.reference.bundle import FILES, MANIFEST, file_hash
from bridge.video.report.agreement import ANNOTATION_FORMAT
from bridge.video.verdict.tracks import true_tracks, write_tracks
from tests.commands import Luban, call
from tests.needs import QUICK_RENDERER
from tests.previous.kept import HERE

SECRET = "the private key of the reader"
LEVEL = "burr-half-lap"
FILMED_LEVEL = "burr-piston"
SMALL = ("--film-size", "128x112", "--fps", "6", "--first-steps", "1", "--renderer", QUICK_RENDERER)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "private" / "key"
    path.parent.mkdir()
    path.write_text(SECRET)
    return path


# -- runs -----------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that somebody has passed on, with a film."""
    return Path(shutil.copytree(HERE / "finished/runs/filmed", tmp_path / "passed-on"))


def episode(run: Path) -> Path:
    return next(path.parent for path in sorted(run.glob("episodes/*/*/episode.jsonl")))


EMBED = ("report", "passed-on", "--embed", "--pictures", "0", "--out", "page.html")
PICTURED = ("report", "passed-on", "--pictures", "1", "--out", "page.html")
READING = (
    EMBED,
    ("report", "passed-on"),
    ("report", "passed-on", "--verify"),
    ("select", "passed-on", "--by", "random"),
    ("dataset", "passed-on", "--format", "parquet", "--observation", "state", "--out", "set"),
)


def test_run_that_was_passed_on_is_reported_with_its_own_pictures(luban: Luban, run: Path) -> None:
    (episode(run) / "again.png").symlink_to("first.png")  # A link that stays inside is fine.
    assert luban(*EMBED).status == 0
    assert "data:image/png;base64,iVBORw0KGgo" in Path("page.html").read_text()


@pytest.mark.parametrize("name", ["first.png", "last.png", "episode.mp4", "agent.jsonl"])
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_link_out_of_a_run_is_refused_by_name(
    luban: Luban, run: Path, secret: Path, name: str, words: tuple[str, ...]
) -> None:
    place = episode(run) / name
    place.unlink(missing_ok=True)
    place.symlink_to(secret)
    complaint = luban(*words).complaint()
    assert name in complaint and "leads out of its folder" in complaint
    assert not Path("page.html").exists()


def test_folder_of_a_run_that_is_a_link_elsewhere_is_refused_by_name(
    luban: Luban, run: Path, secret: Path
) -> None:
    shutil.move(run / "episodes", secret.parent)
    (run / "episodes").symlink_to(secret.parent / "episodes")
    assert "episodes: this link leads out of its folder" in luban(*EMBED).complaint()


@pytest.mark.parametrize("name", ["first.png", "episode.mp4"])
@pytest.mark.parametrize("embed", [True, False])
def test_picture_that_is_none_is_not_published(
    luban: Luban, run: Path, secret: Path, name: str, embed: bool
) -> None:
    (episode(run) / name).unlink()
    os.link(secret, episode(run) / name)  # Copies of archives have no links, but any content.
    words = EMBED if embed else [word for word in EMBED if word != "--embed"]
    complaint = luban(*words).complaint()
    assert name in complaint and "first bytes" in complaint


def test_note_of_a_preset_with_half_a_character_is_refused_in_one_line(
    luban: Luban, run: Path
) -> None:
    note = {"preset": "paper", "source": "\ud800", "departures": [], "remarks": []}
    (run / "preset.json").write_text(json.dumps(note))
    assert "preset.json is damaged" in luban(*EMBED).complaint()


def test_index_of_pictures_that_lists_none_is_drawn_again(luban: Luban, run: Path) -> None:
    assert luban(*PICTURED).status == 0
    (index,) = Path().rglob("pictures.json")
    document = json.loads(index.read_text())
    index.write_text(json.dumps({**document, "drawn": {key: [] for key in document["drawn"]}}))
    assert luban(*PICTURED, "--force").status == 0
    assert json.loads(index.read_text()) == document


def test_pipes_in_a_run_hang_nothing(luban: Luban, run: Path) -> None:
    for name in ("first.png", "agent.jsonl", "times.jsonl", "episode.jsonl"):
        copy = Path(shutil.copytree(run, run.with_name("piped")))
        place = episode(copy) / name
        place.unlink(missing_ok=True)
        os.mkfifo(place)
        words = ["piped" if word == "passed-on" else word for word in EMBED]
        ended = luban(*words, "--force")
        assert ended.status in (0, 1) and "Traceback" not in ended.err
        assert f"{name}: this is no file" in ended.err
        shutil.rmtree(copy)


def test_draft_that_is_a_link_does_not_overwrite_what_it_leads_to(
    luban: Luban, secret: Path
) -> None:
    Path("made").mkdir()
    Path("made/.page.html.part").symlink_to(secret)
    run = shutil.copytree(HERE / "finished/runs/filmed", "whole")
    complaint = luban("report", run, "--pictures", "0", "--out", "made/page.html").complaint()
    assert ".page.html.part" in complaint and "remove it" in complaint
    assert secret.read_text() == SECRET


def test_link_out_of_other_folders_is_refused_by_name(luban: Luban, secret: Path) -> None:
    items = shutil.copytree(HERE / "finished/runs/items", "items")
    (Path(items) / "agent.jsonl").unlink(missing_ok=True)
    (Path(items) / "agent.jsonl").symlink_to(secret)
    assert "agent.jsonl: this link leads" in luban("report", "items").complaint()
    Path("levels").mkdir()
    Path("levels/one.json").symlink_to(secret)
    assert "one.json: this link leads" in luban("verify", "levels").complaint()
    Path("scripts").mkdir()
    Path(f"scripts/{LEVEL}.txt").symlink_to(secret)
    script = luban("play", LEVEL, "--agent", "scripted:scripts", "--video", "none")
    assert script.status == 1 and "this link leads" in script.err
    batch = ("generate", "burr", "--kind", "cube", "--level", "1", "--count", "1", "--out", "batch")
    assert luban(*batch, "--workers", "1").status == 0
    Path("batch/other.json").symlink_to(secret)
    assert "other.json: this link leads" in luban(*batch).complaint()


# -- videos ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A whole bundle of a short film."""
    folder = tmp_path_factory.mktemp("bundles")
    call("bundle", FILMED_LEVEL, *SMALL, "--out", folder)
    yield folder / FILMED_LEVEL


@pytest.fixture
def bundle(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "bundle"))


def seal(bundle: Path) -> None:
    """Make the hashes right again, as whoever passes a bundle on can."""
    document = json.loads((bundle / MANIFEST).read_text())
    document["sha256"] = {name: file_hash(bundle / name) for name in FILES}
    (bundle / MANIFEST).write_text(json.dumps(document))


def score(luban: Luban, *more: object, video: object = "bundle/video.mp4") -> str:
    words = ("score-video", "bundle", "--workers", "1", "--out", "out")
    return luban(*words, *more, video).err


@pytest.mark.parametrize("name", [MANIFEST, *FILES])
def test_file_of_a_bundle_that_is_a_link_elsewhere_is_refused_by_name(
    luban: Luban, bundle: Path, name: str
) -> None:
    (bundle / name).unlink()
    (bundle / name).symlink_to("/dev/zero")
    words = ("score-video", "bundle", "any.mp4", "--workers", "1", "--out", "out")
    complaint = luban(*words).complaint()
    assert name in complaint and "leads out of its folder" in complaint


def repack(path: Path, change: Callable[[str, bytes], bytes]) -> None:
    """Write an archive again with other content."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, change(name, data))


def huge(name: str, data: bytes) -> bytes:
    """Give an array the shape of a petabyte."""
    dtype = "<f8" if "poses" in name or "sigma" in name else "<u2"
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({10**15},), }}"
    text = header.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def spoil(path: Path) -> None:
    """Damage the packed bytes of an archive, so that they can't be unpacked."""
    data = bytearray(path.read_bytes())
    start = 30 + int.from_bytes(data[26:28], "little") + int.from_bytes(data[28:30], "little")
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(data)


SPOILING: dict[str, Callable[[Path], object]] = {
    "bad deflate": spoil,
    "a petabyte": lambda path: repack(path, huge),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-30]),
    "no arrays": lambda path: repack(path, lambda name, data: b"hello"),
    "objects": lambda path: np.savez(path, poses=np.array([{}]), names=np.array([{}])),
    "a long list": lambda path: path.write_bytes(
        path.read_bytes()[:-10] + b"\xff\xff\xff\x7f" + path.read_bytes()[-6:]
    ),
    "another method": lambda path: path.write_bytes(
        re.sub(rb"(PK\x01\x02.{6}).", rb"\g<1>c", path.read_bytes(), flags=re.DOTALL)
    ),
}


@pytest.mark.parametrize("how", SPOILING)
@pytest.mark.parametrize("name", ["poses.npz"])
def test_bundle_with_damaged_arrays_is_refused_in_one_line(
    luban: Luban, bundle: Path, name: str, how: str
) -> None:
    before = (bundle / name).read_bytes()
    SPOILING[how](bundle / name)
    seal(bundle)
    err = score(luban)
    assert "Traceback" not in err
    assert name in err or (bundle / name).read_bytes() == before


@pytest.mark.parametrize("how", SPOILING)
def test_damaged_tracks_are_refused_in_one_line(luban: Luban, bundle: Path, how: str) -> None:
    poses = np.tile(np.eye(4), (8, 2, 1, 1))
    write_tracks(Path("tracks.npz"), true_tracks(("blue", "red"), poses, 6.0))
    SPOILING[how](Path("tracks.npz"))
    err = score(luban, "--tracks", "tracks.npz")
    assert "tracks.npz" in err and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("color_id", np.full((8, 2), -(2**62))),
        ("color_id", np.full((8, 2), 2)),
        ("color_id", np.full((8, 2), 1e300)),
        ("visibility", np.full((8, 2), 200, np.uint8)),
        ("visibility", np.full((8, 2), 1e300)),
        ("executed_actions", np.array("[" * 100_000)),
        ("executed_actions", np.array('[{"tool": "x", "arguments": {}, "first_frame": 1e999}]')),
        ("executed_actions", np.array('[{"tool": "slide", "arguments": [1], "first_frame": 0}]')),
        ("fps", np.array([1.0, 2.0])),
        ("fps", np.array("x")),
        ("names", np.array(3)),
        ("poses", np.array("x")),
    ],
)
def test_impossible_tracks_are_refused_in_one_line(
    luban: Luban, bundle: Path, name: str, value: np.ndarray
) -> None:
    arrays = {
        "names": np.array(["blue", "red"]),
        "fps": np.array(6.0),
        "poses": np.tile(np.eye(4), (8, 2, 1, 1)),
    }
    np.savez(Path("tracks.npz"), **{**arrays, name: value})
    err = score(luban, "--tracks", "tracks.npz")
    assert "tracks.npz has no tracks" in err and len(err.splitlines()) == 1


PLAYLISTS = {
    "hls.mp4": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{0}\n#EXT-X-ENDLIST\n",
    "concat.mp4": "ffconcat version 1.0\nfile '{0}'\n",
    "dash.mkv": '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>',
}


@pytest.mark.parametrize("name", PLAYLISTS)
def test_playlist_in_place_of_a_video_opens_no_other_file(
    luban: Luban, bundle: Path, name: str
) -> None:
    Path(name).write_text(PLAYLISTS[name].format(bundle / "video.mp4"))
    err = score(luban, video=name)
    assert name in err and "first bytes" in err


DEEP = "[" * 100_000


def annotate(marks: object) -> str:
    """Return an annotation with these marks, or with this text in their place."""
    given = marks if isinstance(marks, str) else json.dumps(marks)
    return f'{{"format": "{ANNOTATION_FORMAT}", "annotator": "a", "marks": {given}}}'


ANNOTATIONS = {
    "deep": DEEP,
    "deep marks": annotate(f'{{"v": {DEEP}}}'),
    "marks just within the limit of depth": annotate("[" * 990 + "]" * 990),
    "a list of marks": annotate([]),
    "a mark that is a list": annotate({"v": [[1]]}),
    "a frame of 400 digits alone": annotate({"v": [{"first": 10**400}]}),
    "a last frame before the first": annotate({"v": [{"kind": "x", "first": 2, "last": 1}]}),
    "a format that is an object": json.dumps({"format": {"a": []}}),
    "a list": json.dumps([ANNOTATION_FORMAT]),
    "no numbers": '{"format": 1e999999, "annotator": NaN}',
    "half a pair": annotate('{"\\ud800": []}'),
    "UTF-16": "\xff\xfe\x00\xd8",
    "a long number": "9" * 10_000,
}


@pytest.mark.parametrize("how", ANNOTATIONS)
def test_hostile_annotation_is_refused_in_one_line(luban: Luban, bundle: Path, how: str) -> None:
    Path("a.json").write_text(ANNOTATIONS[how], encoding="latin-1")
    err = score(luban, "--annotations", "a.json")
    assert "a.json is no annotation" in err and len(err.splitlines()) == 1


def damage_score(document: dict[str, object], how: str) -> object:
    if how == "no plan":
        del document["plan"]
    elif how == "a number":
        document["violations"] = 7
    elif how == "frames of text":
        document["frames"] = "many"
    elif how == "no hash":
        document["sha256"] = "\0"
    elif how == "deep":
        return json.loads("[" * 900 + "]" * 900)
    return document


@pytest.mark.by_day(1)
@pytest.mark.parametrize("how", ["no plan", "a number", "frames of text", "no hash", "deep"])
def test_video_with_a_damaged_score_is_scored_again(luban: Luban, bundle: Path, how: str) -> None:
    whole = score(luban, "--annotate")
    assert whole == ""
    (kept,) = Path("out").glob("*/score.json")
    before = kept.read_bytes()
    kept.write_text(json.dumps(damage_score(json.loads(before), how)))
    assert score(luban, "--annotate") == ""
    assert kept.read_bytes() == before


def test_film_that_is_not_that_of_the_manifest_is_refused_in_one_line(
    luban: Luban, bundle: Path
) -> None:
    for frames in (0, 1, 3):
        document = json.loads((bundle / MANIFEST).read_text())
        shutil.copy(bundle / "lossless.mp4", "kept.mp4")
        if frames == 3:
            shutil.copy(bundle / "clip.mp4", bundle / "lossless.mp4")
        else:
            data = (bundle / "lossless.mp4").read_bytes()
            codec = re.sub(rb"avc1|av01|hvc1|vp09", b"xyz1", data)
            (bundle / "lossless.mp4").write_bytes(codec if frames else data[: len(data) // 3])
        seal(bundle)
        err = score(luban)
        assert "lossless.mp4" in err and "Traceback" not in err
        shutil.move("kept.mp4", bundle / "lossless.mp4")
        (bundle / MANIFEST).write_text(json.dumps(document))


def test_video_of_an_unknown_codec_is_refused_in_one_line(luban: Luban, bundle: Path) -> None:
    data = (bundle / "video.mp4").read_bytes()
    Path("v.mp4").write_bytes(re.sub(rb"avc1|av01|hvc1|vp09", b"xyz1", data))
    err = score(luban, video="v.mp4")
    assert "v.mp4 is no video that can be read" in err and "Traceback" not in err
