"""What the pages for contributors say of the house is so: files, names, layers, entry points."""

import re
import sys
import tomllib
from pathlib import Path
from types import FrameType

import pytest

import luban
from tests import test_sizes
from tests.pages import PAGES, ROOT, inline_code, sentences, table

PAGE = "architecture"
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE = sorted(
    path
    for top in ("bridge", "luban", "pysim")
    for path in (ROOT / top).rglob("*.py")
    if "_pb" not in path.parts
)
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
FILES_OF_A_SLIDE = 15
"""Most files that a slide in one process runs through."""


def paths_in(words: list[str]) -> set[str]:
    """Those of some words that are files or folders of the house."""
    tops = "|".join(sorted(p.name for p in ROOT.iterdir() if p.is_dir() and p.name[0] != "."))
    return {word for word in words if re.fullmatch(rf"(?:{tops})(?:/[\w.-]+)*/?", word)}


def fenced(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGES[PAGE], re.DOTALL | re.MULTILINE)


def test_every_file_and_folder_that_is_named_is_there() -> None:
    named = paths_in(inline_code(PAGE)) | paths_in(re.findall(r"`([^`\n]+)`", GUIDE))
    assert len(named) > 60
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_every_folder_of_the_house_is_on_the_map() -> None:
    drawn = {cell.strip("`") for cell, *_ in table(PAGE, "folder")}
    folders = {
        path.relative_to(ROOT).as_posix()
        for top in ("bridge", "luban", "pysim")
        for path in (ROOT / top, *(ROOT / top).iterdir())
        if (path / "__init__.py").is_file()
    }
    assert folders - drawn == set()


def list_stations() -> list[tuple[str, str]]:
    """The rows of both ways: a file, and the sentence about it."""
    return re.findall(r"^\| \d+ \| `([^`]+)` \| (.*) \|$", PAGES[PAGE], re.MULTILINE)


@pytest.mark.parametrize("way", [0, 1], ids=["action", "level"])
def test_each_station_of_a_way_has_what_it_is_said_to_have(way: int) -> None:
    rows = list_stations()
    ways = [rows[:9], rows[9:]]
    assert len(ways[way]) == (9, 13)[way]
    for path, said in ways[way]:
        words = re.findall(r"`([^`]+)`", said)
        known = (ROOT / path).read_text(encoding="utf-8")
        assert words or "log" in said
        for word in words:
            assert (ROOT / word).exists() if "/" in word else re.search(rf"\b{word}\b", known), word


def files_of_a_slide() -> set[str]:
    """The files of the house whose functions are called while a slide of a lock is made.

    The step before is a slide as well, so that what is loaded or kept is there.
    """
    level = luban.load("burr-piston")
    assert level.plan is not None
    before, action = level.plan.actions[:2]
    called: set[Path] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            called.add(Path(frame.f_code.co_filename))

    with luban.start(level, observation="state") as episode:
        episode.step(before)
        profiler = sys.getprofile()
        sys.setprofile(note)
        try:
            episode.step(action)
        finally:
            sys.setprofile(profiler)
    return {path.relative_to(ROOT).as_posix() for path in called.intersection(CODE)}


def test_slide_in_one_process_runs_through_few_files() -> None:
    files = files_of_a_slide()
    assert len(files) <= FILES_OF_A_SLIDE, sorted(files)
    assert f"at most {FILES_OF_A_SLIDE} files" in sentences(PAGE)
    assert files.issuperset(path for path, _ in list_stations()[4:7])


@pytest.mark.parametrize("package", ["pysim", "bridge"])
def test_the_layers_are_those_that_import_linter_checks(package: str) -> None:
    name = f"{package} is built in layers"
    (layers,) = (one["layers"] for one in CONTRACTS if one["name"] == name)
    (shown,) = re.findall(
        rf"^`{name}`:\n\n```text\n(.*?)^```", PAGES[PAGE], re.DOTALL | re.MULTILINE
    )
    assert shown.splitlines() == layers


def test_every_kind_of_entry_point_is_named_and_no_other() -> None:
    said = set(re.findall(r"`(luban\.\w+)`", sentences(PAGE)))
    asked = {
        group
        for path in CODE
        for group in re.findall(r'"(luban\.[a-z]+s)"', path.read_text(encoding="utf-8"))
    }
    assert {"luban.families", "luban.benches", "luban.agents"} <= asked
    assert said == asked


def test_the_sizes_are_those_that_are_measured() -> None:
    text = " ".join(GUIDE.split())
    assert f"The median function has at most {test_sizes.MEDIAN} lines" in text
    assert f"19 of 20 have at most {test_sizes.PERCENTILE_95}" in text


def test_every_target_of_make_that_is_named_is_one() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"^(?:\| `)?make ([a-z-]+)", GUIDE, re.MULTILINE))
    assert len(named) >= 8 and named <= targets


def test_links_lead_to_pages_and_to_headings_of_them() -> None:
    for page in (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"):
        for target, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text()):
            there = page.parent / target if target else page
            assert there.exists(), target
            assert not heading or heading in anchors(there), heading


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
