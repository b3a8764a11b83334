"""Pages of scores, of which no text becomes markup."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.recording.video import VideoWriter
from bridge.video.reference.bundle import Bundle, BundleStep, Manifest
from bridge.video.report.annotating import AnnotatedClip, annotation_page
from bridge.video.report.clip_metrics import ClipMetrics
from bridge.video.report.drawing import OUTLINED, choose_rate
from bridge.video.report.kind_pictures import list_kind_pictures
from bridge.video.report.leaderboard import ClipResult, rank_models
from bridge.video.report.measures import FilmLikeness
from bridge.video.report.page import ShownFrame, overview_page, video_page
from bridge.video.report.scores import CameraFigures, VideoScore
from bridge.video.verdict.reading import ReadMove, ReadPlan
from bridge.video.verdict.ruling import Ruling
from bridge.video.verdict.violations import Violation, ViolationKind
from pysim.catalog import find_level
from pysim.render.pinhole import Pinhole
from tests.browsing import browser
from tests.markup import compare_page, outline_html
from tests.web.screens import open_screen

__all__ = ["browser"]

HOSTILE = '"><script>alert(1)</script>&amp;'
WRONG = (
    Violation(ViolationKind.TELEPORT, 3, 6, ("red", HOSTILE), 2.5, "seen & gone"),
    Violation(ViolationKind.PERMANENCE, 6, 11, (), 1.0),
)
READ = ReadPlan(
    (
        ReadMove("slide", {"pieces": ["red", HOSTILE], "distance": 1}, 0, 4, True),
        ReadMove(HOSTILE, {}, 5, 6, False, f"BLOCKED by {HOSTILE}"),
        ReadMove("slide", {"pieces": ["blue"]}, 7, 9, None),
    ),
    prefix=1,
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    level = find_level("burr-piston")
    camera = Pinhole(np.array([[9.0, 0, 4], [0, 9, 4], [0, 0, 1]]), np.eye(4), 8, 8)
    steps = (BundleStep(1, "slide", {}, 0, 5), BundleStep(2, "slide", {}, 6, 11))
    shown = ("none", "diagram", {"red": (1, 2, 3)}, 9.0)
    manifest = Manifest(
        HOSTILE, "sha256:1", "burr", 12, 1.0, None, 12, camera, *shown, steps, True, {}
    )
    return Bundle(tmp_path_factory.mktemp("bundle"), manifest, level, np.zeros((12, 1, 4, 4)))


def scored(name: str, wrong: tuple[Violation, ...], read: ReadPlan, **more: Any) -> dict[str, Any]:
    """A document as it comes back from its file."""
    likeness = FilmLikeness(12, 31.25, 0.9, 0.75, None, None)
    ruling = Ruling(wrong, read, 12, 0.125)
    score = VideoScore(
        name,
        f"model {HOSTILE}",
        f"level {HOSTILE}",
        "0" * 64,
        ruling,
        ClipMetrics(1, 2, 3, 1, 12, True),
        likeness,
        CameraFigures(1.5, 0.02),
        12.5,
        (8, 8),
        **more,
    )
    document: dict[str, Any] = json.loads(json.dumps(score.document()))
    return {**document, "folder": f"folder {HOSTILE}"}


def count_scripts(page: str) -> int:
    return len(re.findall("^ *<script", outline_html(page), re.MULTILINE))


def test_page_of_broken_video_shows_violations_plan_and_frames(
    bundle: Bundle, tmp_path: Path
) -> None:
    document = scored(f"a/{HOSTILE}.mp4", WRONG, READ, agreement=0.25)
    assert (document["undecided_ratio"], document["unseen_ratio"]) == (1 / 12, 0.125)
    pictures = [ShownFrame(2, "frame-2.jpg"), ShownFrame(6, f"frame-6{HOSTILE}.jpg")]
    undecided = np.arange(12) <= 3  # Frame 3 breaks something, so it is decided.
    page = video_page(bundle, document, pictures, undecided)
    compare_page("video", page, tmp_path)
    assert count_scripts(page) == page.count("</script>") == 1
    # Frame 6 is one of both violations, frame 2 of none.
    captions = re.findall("<figcaption>(.*?)</figcaption>", page)
    assert captions[0].strip() == "frame 2"
    assert "permanence, teleport" in captions[1]


def test_page_of_flawless_video_without_plan_says_so(bundle: Bundle) -> None:
    document = scored("a.mp4", (), ReadPlan(unread="why & not"))
    page = outline_html(video_page(bundle, document, [], np.zeros(12, bool)))
    assert "'Nothing that can be decided.'" in page
    assert '"It can\'t be read: why & not."' in page
    assert "distance from our tracker" not in page


def test_scrubbing_shows_frames_and_their_violations(
    browser: Any, bundle: Bundle, tmp_path: Path
) -> None:
    page = video_page(bundle, scored("a.mp4", WRONG, READ), [], np.arange(12) < 3)
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    with VideoWriter(tmp_path / OUTLINED, (8, 8), choose_rate(12.5)) as video:
        video.write(np.zeros((8, 8, 3), np.uint8), 12)
    with open_screen(browser, (tmp_path / "index.html").as_uri()) as screen:
        screen.go()
        screen.page.wait_for_function("() => document.querySelector('#film').readyState > 1")
        frame, said = screen.page.locator("#frame"), screen.page.locator("#said b")
        assert said.all_inner_texts() == ["true film", "moves read", "undecided"]
        frame.fill("6")
        shown = ["moves read", "permanence", "teleport"]  # Between two steps of the film.
        assert said.all_inner_texts() == shown
        assert f"red, {HOSTILE}; 2.5 units; seen & gone" in screen.text("#said")
        assert 0.5 < screen.page.evaluate("() => document.querySelector('#film').currentTime") < 0.6
        frame.press("ArrowLeft")
        assert screen.text("#place") == "frame 5 of 11, 0.40 s"
        lanes = screen.page.locator("#lanes")
        lanes.click(position={"x": lanes.bounding_box()["width"] * 0.15, "y": 5})
        assert screen.text("#place").startswith("frame 0")
        screen.page.click("#play")
        screen.page.wait_for_function("() => document.querySelector('#frame').value === '11'")


def test_overview_compares_models_and_links_to_videos(tmp_path: Path) -> None:
    scores: list[Mapping[str, object]] = [
        scored(f"a/{HOSTILE}.mp4", WRONG, READ),
        scored("b.mp4", (), ReadPlan()),
    ]
    lost = ClipResult(f"lost {HOSTILE}", f"level {HOSTILE}", HOSTILE, f"{HOSTILE} is no video")
    clips = [*map(ClipResult.of, scores), lost, replace(lost, level="other")]
    floor = replace(ClipResult.of(scores[1]), model="still-picture", task=0.0)
    floors = rank_models([floor], ranked=False)
    levels = [f"level {HOSTILE}", "other"]
    page = overview_page(levels, rank_models(clips), floors, clips, scores)
    compare_page("overview", page, tmp_path)
    assert count_scripts(page) == 0
    assert "is no video" in page and "still-picture" in page


def test_annotation_page_holds_its_clips_as_data(tmp_path: Path) -> None:
    page = annotation_page([AnnotatedClip(HOSTILE, f"{HOSTILE}.mp4", 12.5, 9)])
    compare_page("annotation", page, tmp_path)
    assert page.count("</script>") == 1
    data = re.search(r"const data = (\{.*\}), by =", page)
    assert data is not None
    clip = {"name": HOSTILE, "source": f"{HOSTILE}.mp4", "fps": 12.5, "frames": 9}
    assert json.loads(data[1])["clips"] == [clip]


def test_annotation_page_explains_every_kind_with_pictures() -> None:
    page = annotation_page([])
    pictures = list_kind_pictures()
    assert [one.kind for one in pictures] == [kind.value for kind in ViolationKind]
    for one in pictures:
        assert f"<b>{one.kind}</b>: {one.words}" in page
        shown = list(zip(one.frames, one.grounds, strict=True))
        # A picture that doesn't change explains nothing.
        assert len(shown) >= 2 and all(a != b for a, b in pairwise(shown))
    assert page.count("<svg") == sum(len(one.frames) for one in pictures)
