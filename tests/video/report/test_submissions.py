"""Submissions: files and folders as authors lay them out."""

from pathlib import Path

import pytest

from bridge.video.report.floors import FloorKind
from bridge.video.report.submissions import (
    SubmissionError,
    find_bundles,
    list_floors,
    list_submissions,
)

LEVELS = ("burr-piston", "burr-half-lap")
KNOWN = (*LEVELS, "burr-piston-assemble", "packing-easy-03")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def found(*given: str, levels: tuple[str, ...] = LEVELS) -> list[tuple[str, str, str, str]]:
    clips = list_submissions(list(map(Path, given)), levels, KNOWN).clips
    return [(clip.model, clip.level, clip.name, clip.folder) for clip in clips]


def test_files_are_named_after_levels_in_any_usual_way(home: Path) -> None:
    lay(
        "veo/burr-piston.mp4",
        "veo/burr-piston-2.webm",
        "veo/burr-half-lap_seed1.MP4",
        "sora/burr-piston/0.mp4",
        "sora/burr-half-lap/take.mov",
        "wan/seed-0/burr-piston.mp4",
        "wan/seed-0/burr-half-lap.mp4",
        "wan/.hidden/burr-piston.mp4",
        "wan/notes.txt",
    )
    assert found("veo", "sora", "wan") == [
        ("veo", "burr-half-lap", "veo/burr-half-lap_seed1.MP4", "veo-burr-half-lap_seed1"),
        ("veo", "burr-piston", "veo/burr-piston-2.webm", "veo-burr-piston-2"),
        ("veo", "burr-piston", "veo/burr-piston.mp4", "veo-burr-piston"),
        ("sora", "burr-half-lap", "sora/burr-half-lap/take.mov", "sora-burr-half-lap-take"),
        ("sora", "burr-piston", "sora/burr-piston/0.mp4", "sora-burr-piston-0"),
        ("wan", "burr-half-lap", "wan/seed-0/burr-half-lap.mp4", "wan-seed-0-burr-half-lap"),
        ("wan", "burr-piston", "wan/seed-0/burr-piston.mp4", "wan-seed-0-burr-piston"),
    ]


def test_level_whose_name_begins_with_that_of_another_is_another(home: Path) -> None:
    lay("veo/burr-piston-assemble.mp4", "veo/burr-piston-assemble-1.mp4", "veo/burr-piston.mp4")
    given = list_submissions([Path("veo")], LEVELS, KNOWN)
    assert [clip.video for clip in given.clips] == [Path("veo/burr-piston.mp4")]
    assert [path.name for path in given.others] == [
        "burr-piston-assemble-1.mp4",
        "burr-piston-assemble.mp4",
    ]


def test_level_without_a_video_is_missing_but_not_where_single_files_are_given(home: Path) -> None:
    lay("veo/burr-piston.mp4", "sora/burr-piston.mp4", "sora/burr-half-lap.mp4")
    folders = list_submissions([Path("veo"), Path("sora")], LEVELS, KNOWN)
    assert folders.missing == (("veo", "burr-half-lap"),)
    assert list_submissions([Path("veo/burr-piston.mp4")], LEVELS, KNOWN).missing == ()
    assert list_submissions([Path("sora"), Path("sora/burr-piston.mp4")], LEVELS).missing == ()


def test_single_bundle_takes_any_names(home: Path) -> None:
    lay("veo/seed-0.mp4", "veo/x.gif", "clips/take.mp4", "clips/packing-easy-03.mp4")
    one = ("burr-piston",)
    assert found("veo", "clips/take.mp4", levels=one) == [
        ("veo", "burr-piston", "veo/seed-0.mp4", "veo-seed-0"),
        ("veo", "burr-piston", "veo/x.gif", "veo-x"),
        ("clips", "burr-piston", "clips/take.mp4", "clips-take"),
    ]
    # A file that is named itself is meant, whatever its name is.
    assert [row[3] for row in found("clips/packing-easy-03.mp4", levels=one)] == [
        "clips-packing-easy-03"
    ]
    assert [row[3] for row in found("clips", levels=one)] == ["clips-take"]


def test_folder_of_a_level_belongs_to_the_model_above_it(home: Path) -> None:
    lay("veo/burr-piston/0.mp4", "sora/burr-piston/0.mp4", "sora/burr-half-lap/0.mp4")
    assert [row[0] for row in found("veo/burr-piston", "sora/burr-piston")] == ["veo", "sora"]
    names = [row[2] for row in found("sora/burr-half-lap/0.mp4", "sora/burr-piston/0.mp4")]
    assert names == ["sora/burr-half-lap/0.mp4", "sora/burr-piston/0.mp4"]
    assert list_submissions([Path("veo/burr-piston")], LEVELS, KNOWN).missing == ()


def test_models_of_one_name_are_told_apart(home: Path) -> None:
    lay("may/veo/burr-piston.mp4", "june/veo/burr-piston.mp4", "slideshow/burr-piston.mp4")
    rows = found("may/veo", "june/veo", "slideshow", levels=("burr-piston",))
    assert [row[0] for row in rows[:2]] == ["may/veo", "june/veo"]
    assert len({row[3] for row in rows}) == 3
    assert rows[2][0] not in list(FloorKind)


def test_files_whose_folders_would_be_the_same_have_their_own(home: Path) -> None:
    lay("veo/burr-piston/0.mp4", "veo/burr-piston-0.mp4", "veo/burr-piston-0.webm")
    folders = [row[3] for row in found("veo", "veo")]
    assert sorted(folders) == ["veo-burr-piston-0", "veo-burr-piston-0-2", "veo-burr-piston-0-3"]


def test_what_could_be_of_any_level_is_refused(home: Path) -> None:
    lay("veo/take.mp4", "empty/notes.txt", "loose/packing-easy-03.mp4")
    with pytest.raises(SubmissionError, match=r"can't tell of which level veo/take\.mp4 is"):
        found("veo")
    with pytest.raises(SubmissionError, match="there is no video in empty"):
        found("empty")
    with pytest.raises(SubmissionError, match="named after packing-easy-03, of which there is no"):
        found("loose/packing-easy-03.mp4")


def test_folder_of_bundles_stands_for_all_of_them(home: Path) -> None:
    lay("bundles/b/manifest.json", "bundles/a/manifest.json", "bundles/x.txt", "veo/v.mp4")
    bundles, others = find_bundles([Path("bundles"), Path("veo"), Path("bundles/a"), Path("v.mp4")])
    assert bundles == [Path("bundles/a"), Path("bundles/b")]
    assert others == [Path("veo"), Path("v.mp4")]


def test_floors_of_a_level_have_folders_of_their_own() -> None:
    folders = [clip.folder for level in LEVELS for clip in list_floors(level)]
    assert len(set(folders)) == 2 * len(FloorKind)
    assert folders[0] == "floors-burr-piston-still-picture"
