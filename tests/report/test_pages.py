"""The page of a report, whose texts are all markup."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.report import episodes, replays, transcript_view
from bridge.report.entries import Entry, Listed, Shown
from bridge.report.page import build_page
from bridge.report.parts import Exhibit, Figure, ReportedRun, Table
from bridge.report.pictures import PictureAlbum
from bridge.report.transcript_view import SHORT, TextBudget
from bridge.runs.settings import RunSettings
from bridge.runs.store import RunFolder
from bridge.web.static_page import ReportViewer
from pysim.catalog import find_level
from tests.markup import compare_page, outline_html
from tests.needs import usable_renderer
from tests.recording.plays import play_plan

HOSTILE = '"></pre></template><script>alert(1)</script>&amp;'


class Questions:
    """Runs of another sort."""

    title = f"Questions {HOSTILE}"

    def build_parts(self) -> list[Exhibit]:
        figure = '<svg viewBox="0 0 9 9" role="img"><rect x="1" y="1" width="2" height="3"/></svg>'
        rows = [["one", "1.0", HOSTILE], [HOSTILE, "–", "word"]]
        groups = [("", 1), (HOSTILE, 2)]
        return [
            Table(f"Table {HOSTILE}", HOSTILE, ["name", "share ↑", "words ↓"], rows, groups),
            Table("Table 2", "", ["name"], [["one"]]),
            Figure(f"Figure {HOSTILE}", figure),
            Figure("Figure 2", figure),
        ]

    def list_entries(self) -> list[tuple[str, list[Entry], int]]:
        texts = [(HOSTILE, HOSTILE), ("long", HOSTILE + "x" * SHORT)]
        step = Shown([(HOSTILE, b"png")], texts, True)
        entries = [Entry(HOSTILE, [step, Shown((), (), False)]), Entry("2", [Shown((), ())])]
        return [(f"run {HOSTILE}", entries, 7), ("empty", [], 0)]


def noted() -> Iterator[dict[str, object]]:
    """A journal: a refused step, and all the others in one turn."""
    usage = {"tokens_in": 1000, "tokens_out": 20, "tokens_cached": 0, "tokens_reasoning": 9}
    yield {
        "step": 1,
        "system": f"system {HOSTILE}",
        "user": f"given {HOSTILE}",
        "pictures": ["+x-y+z", "+x-y+z", f"none {HOSTILE}"],
        "reasoning_text": f"thoughts {HOSTILE}",
        "text": HOSTILE + "y" * 200_000,
        "calls": [{"name": HOSTILE, "arguments": {"a": HOSTILE}}, {"name": "b"}],
        "finish": HOSTILE,
        "usage": usage,
        "seconds": 1.5,
        "temperature": HOSTILE,
    }
    yield {"step": 2, "from_cache": True, "calls": [{"name": "c", "arguments": "{}"}]}
    yield {"mood": HOSTILE}


@pytest.fixture
def runs(tmp_path: Path) -> list[ReportedRun]:
    """Two episodes: one with a journal, times, pictures and a film; one with none of it."""
    level = find_level("burr-half-lap")
    settings = RunSettings("one", ((level.id, level.hash),), f"a {HOSTILE}", attempts=2)
    folder = RunFolder.begin(tmp_path / "run", settings)
    homes = [folder.locate_episode(level.id, attempt) for attempt in (1, 2)]
    for seed, home in enumerate(homes):
        home.mkdir(parents=True)
        play_plan(home / "episode.jsonl", level.id, seed=seed or None)
    home = homes[1]
    (home / "agent.jsonl").write_text("".join(f"{json.dumps(note)}\n" for note in noted()))
    times = [{"type": "began", "at": "2026-01-02T03:04:05.000Z"}]
    times += [{"type": "ended", "at": "2026-01-02T03:05:17.000Z"}]
    (home / "times.jsonl").write_text("".join(f"{json.dumps(time)}\n" for time in times))
    for name in ("first.png", "last.png"):
        (home / name).write_bytes(b"\x89PNG\r\n\x1a\npicture")
    (home / "episode.mp4").write_bytes(b"\0\0\0\x18ftypfilm")
    return [ReportedRun(f"run {HOSTILE}", folder, folder.read_results())]


def test_page_of_hostile_texts_is_the_golden_one(runs: list[ReportedRun], tmp_path: Path) -> None:
    listed: Listed = Questions()
    with usable_renderer() as renderer:
        album = PictureAlbum(renderer, 5, tmp_path, tmp_path / "page_files")
        page = build_page(runs, tmp_path, embed=False, listed=[listed], album=album)
    # Names of pictures depend on what was drawn.
    named = re.sub(r"page_files/\w+", "page_files/picture", page)
    compare_page("report", re.sub(r"(x|y){100,}", r"\1", named), tmp_path)
    outline = outline_html(page)
    assert len(re.findall("^ *<script", outline, re.MULTILINE)) == 2
    assert len(re.findall("^ *<template", outline, re.MULTILINE)) == 2


def test_embedding_page_without_pictures_refers_to_no_file(
    runs: list[ReportedRun], tmp_path: Path
) -> None:
    outline = outline_html(build_page(runs, tmp_path, embed=True))
    assert re.findall("src='(.*)'", outline) == ["data:image/png;base64"] * 2 + [
        "data:video/mp4;base64"
    ]


def test_page_with_a_viewer_has_each_episode_once_and_tells_which_it_lacks(
    runs: list[ReportedRun], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = outline_html(build_page(runs, tmp_path, embed=True, viewer=ReportViewer()))
    assert re.findall(r"<script.* id='(r\d|viewer)'", page) == ["r0", "r1", "viewer"]
    monkeypatch.setattr(replays, "PAGE_REPLAYS", 1)
    full = outline_html(build_page(runs, tmp_path, embed=True, viewer=ReportViewer()))
    assert re.findall(r"<script.* id='(r\d|viewer)'", full) == []
    assert full.count("The page is full") == 2


def test_page_that_is_full_tells_the_texts_and_steps_that_it_lacks(
    runs: list[ReportedRun], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(episodes, "TextBudget", lambda: TextBudget(1))
    monkeypatch.setattr(transcript_view, "MOST_TURNS", 2)
    monkeypatch.setattr(transcript_view, "LEAST_STEPS", 2)
    outline = outline_html(build_page(runs, tmp_path, embed=False))
    assert repr(f"system {HOSTILE}") in outline and repr(f"given {HOSTILE}") not in outline
    given = len(f"given {HOSTILE}")
    assert f"'{given} characters are left out: the page is full, agent.jsonl has them'" in outline
    assert "'1 steps are left out; the log has them'" in outline


def test_page_of_long_episode_tells_the_turns_that_it_lacks(
    runs: list[ReportedRun], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript_view, "MOST_TURNS", 2)
    (run,) = runs
    run.folder.locate_episode("burr-half-lap", 2).joinpath("agent.jsonl").unlink()
    outline = outline_html(build_page(runs, tmp_path, embed=False))
    assert "'2 turns are left out; the log has them.'" in outline
