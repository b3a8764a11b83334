"""``luban score-video``, from a video to its pages."""

import hashlib
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from bridge.recording.dataset.forging.forge import forge
from bridge.recording.dataset.forging.forgeries import ForgeryKind
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from bridge.video.report.agreement import Annotation, read_annotation
from bridge.video.report.annotating import AnnotatedClip, annotation_page
from bridge.video.report.scores import score_video
from bridge.video.tracking.footage import FootageError, open_footage
from bridge.video.verdict.tracks import read_tracks, true_tracks, write_tracks
from bridge.video.verdict.violations import ViolationKind
from perf.clips.bundle_films import read_scene, read_true_film
from pysim.catalog import find_level
from pysim.render.renderer import Renderer
from tests.browsing import browser
from tests.commands import Luban
from tests.sampling import more

__all__ = ["browser"]

FPS = more(8, night=12)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    out = tmp_path_factory.mktemp("scored") / "lock"
    make_bundle(find_level("burr-piston"), out, BundleRequest((160, 160), FPS, 2), renderer)
    return read_bundle(out)


def write(path: Path, frames: list[np.ndarray], fps: int = FPS, crf: int = 20) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps))
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt, stream.options = "yuv420p", {"crf": str(crf), "preset": "veryfast"}
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        container.mux(stream.encode())
    return path


@pytest.mark.slow
def test_a_true_film_breaks_nothing_and_is_tracked_closely(bundle: Bundle) -> None:
    score, tracked = score_video(bundle, bundle.path / "video.mp4")
    assert score.ruling.violations == ()
    assert score.ruling.reading.prefix == len(score.ruling.reading.moves) == 2
    assert score.likeness.trajectory_95 is not None and score.likeness.trajectory_95 < 0.1
    assert score.likeness.ssim is not None and score.likeness.ssim > 0.9
    assert score.likeness.iou is not None and score.likeness.iou > 0.9
    assert tracked.judged.tracks.unseen_share < 0.05


def test_borders_tints_and_drifting_cameras_break_nothing(bundle: Bundle, tmp_path: Path) -> None:
    tint = np.array([[0.95, 0.04, 0.0], [0.0, 1.03, 0.0], [0.03, 0.0, 0.94]], np.float32)
    frames = []
    for number, frame in enumerate(bundle.frames()):
        angle, zoom = 0.1 * number, 1.0 + 0.001 * number
        turn = cv2.getRotationMatrix2D((80.0, 80.0), min(angle, 1.5), min(zoom, 1.02))
        swung = cv2.warpAffine(frame, turn, (160, 160), borderMode=cv2.BORDER_REPLICATE)
        mixed = np.clip(cv2.transform(swung.astype(np.float32), tint), 0, 255).astype(np.uint8)
        frames.append(cv2.copyMakeBorder(mixed, 0, 0, 40, 40, cv2.BORDER_CONSTANT))
    video = write(tmp_path / "worse.mp4", frames, crf=26)
    score, tracked = score_video(bundle, video)
    assert tracked.footage.crop[2:] == (160, 160)
    assert score.ruling.violations == ()
    assert score.ruling.reading.prefix == 2
    assert score.camera.turn == pytest.approx(1.5, abs=0.4)


@pytest.mark.parametrize(
    ("kind", "strength", "found"),
    [
        pytest.param(ForgeryKind.VANISH, 0.5, ViolationKind.PERMANENCE, marks=pytest.mark.slow),
        (ForgeryKind.RECOLOUR, 1.0, ViolationKind.RIGIDITY),
        pytest.param(ForgeryKind.SWAP, 1.0, ViolationKind.SWAP, marks=pytest.mark.slow),
        pytest.param(ForgeryKind.STRETCH, 0.4, ViolationKind.RIGIDITY, marks=pytest.mark.slow),
        pytest.param(ForgeryKind.STRETCH, 0.8, ViolationKind.RIGIDITY, marks=pytest.mark.slow),
    ],
)
def test_what_is_forged_is_seen(
    kind: ForgeryKind,
    strength: float,
    found: ViolationKind,
    bundle: Bundle,
    renderer: Renderer,
    tmp_path: Path,
) -> None:
    film = forge(read_true_film(bundle), kind, strength, np.random.default_rng(1))
    drawn = forged_filming(read_scene(bundle), bundle.camera, film).draw(renderer)
    video = write(tmp_path / "forged.mp4", [picture.rgb for picture in drawn])
    (label,) = film.forgeries
    violations = score_video(bundle, video)[0].ruling.violations
    mine = [v for v in violations if v.kind is found and label.pieces[0] in v.pieces]
    assert any(abs(v.first - label.reached) <= 3 for v in mine), (label, violations)


def test_a_command_scores_what_it_can_and_keeps_it(
    bundle: Bundle, luban: Luban, tmp_path: Path
) -> None:
    model, out = tmp_path / "model", tmp_path / "out"
    model.mkdir()
    some = list(bundle.frames())[:6]
    write(model / "seed-0.mp4", some)
    write(model / "seed-1.mp4", some[:4])
    (model / "seed-2.mp4").write_bytes(b"no video at all")
    argv = ["score-video", str(bundle.path), str(model), "--out", str(out), "--annotate", "--json"]
    argv += ["--workers", "1", "--floors", "never"]
    told = luban(*argv).json()
    assert [one["video"] for one in told["videos"]] == ["model/seed-0.mp4", "model/seed-1.mp4"]
    (model_row,) = told["models"]
    assert (model_row["rank"], model_row["videos"], model_row["unscorable"]) == (1, 3, 1)
    # Nothing moves in the first frames, and one of three videos counts as the worst.
    assert model_row["task"]["value"] == model_row["score"]["value"] == 0.0
    assert model_row["physics"]["value"] == pytest.approx(2 / 3)
    assert "seed-2.mp4 is no video" in told["unscorable"][0]["reason"]
    page = (out / "model-seed-0" / "index.html").read_text()
    shown = re.findall(r'src="(frame-\d+\.jpg)"', page)
    assert shown and all((out / "model-seed-0" / name).is_file() for name in shown)
    people_see = (out / "annotate.html").read_text()
    assert "seed-0" not in people_see and "model/" not in people_see
    shown = [one["sha256"] for one in told["videos"]]
    for sha256 in shown:
        assert f'"annotate/clip-{sha256[:10]}.mp4"' in people_see
        copy = out / "annotate" / f"clip-{sha256[:10]}.mp4"
        assert hashlib.sha256(copy.read_bytes()).hexdigest() == sha256
    kept = (out / "model-seed-0" / "score.json").stat().st_mtime_ns
    person = tmp_path / "ann.json"
    for version, names in (
        (1, [one["video"] for one in told["videos"]]),
        (2, [f"clip-{sha256[:10]}" for sha256 in shown]),
    ):
        document = {"format": f"luban-annotation/{version}", "annotator": "ann"}
        person.write_text(json.dumps({**document, "marks": {name: [] for name in names}}))
        again = luban(*argv, "--annotations", str(person)).json()
        assert (out / "model-seed-0" / "score.json").stat().st_mtime_ns == kept
        assert again["annotator_agreement"]["videos"] == 2
        assert again["annotator_agreement"]["frame_f1"] == 1.0
        assert again["annotator_agreement"]["cohen_kappa"] is None


def test_a_person_marks_frames_in_a_browser_and_saves_them(browser: Any, tmp_path: Path) -> None:
    write(tmp_path / "v.mp4", [np.full((64, 64, 3), 9 * k, np.uint8) for k in range(20)])
    names = ["clip-0", "clip-</script>"]
    clips = [AnnotatedClip(name, "v.mp4", 12.0, 20) for name in names]
    (tmp_path / "annotate.html").write_text(annotation_page(clips))
    page = browser.new_page(viewport={"width": 390, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "annotate.html").as_uri())
    page.get_by_label("Your name").fill("ann")
    page.wait_for_function("document.getElementById('video').readyState >= 2")
    page.get_by_label("video", exact=True).first.select_option("clip-0")
    page.get_by_label("kind").select_option("teleport")
    for number in (1, 2):
        page.get_by_label("one frame on").click()
        page.wait_for_function(f"document.getElementById('frame').textContent === '{number}'")
    page.get_by_text("From here").last.click()
    page.get_by_label("one frame on").click()
    page.wait_for_function("document.getElementById('frame').textContent === '3'")
    page.get_by_text("To here").last.click()
    page.get_by_label("video", exact=True).first.select_option("clip-</script>")
    page.get_by_text("Nothing is wrong").last.click()
    with page.expect_download() as saved:
        page.get_by_text("Save").last.click()
    annotation = read_annotation(Path(saved.value.path()))
    assert annotation == Annotation("ann", {"clip-0": [("teleport", 2, 3)], "clip-</script>": []})
    order = page.evaluate("data.clips.map(c => c.name)")
    page.reload()
    assert page.evaluate("data.clips.map(c => c.name)") == order
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []
    page.close()


def test_tracks_of_others_are_judged_instead_of_ours(bundle: Bundle, tmp_path: Path) -> None:
    poses = bundle.poses.copy()
    poses[8:, 0, :3, 3] += (0.0, 0.0, 9.0)
    write_tracks(tmp_path / "t.npz", true_tracks(bundle.names, poses, float(FPS)))
    video = write(tmp_path / "v.mp4", list(bundle.frames())[:12])
    score, _ = score_video(bundle, video, other=read_tracks(tmp_path / "t.npz"))
    assert (ViolationKind.TELEPORT, 8) in {(v.kind, v.first) for v in score.ruling.violations}
    assert score.agreement is not None and score.agreement < 0.1


def sound(path: Path) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 44100
        for packet in [*stream.encode(frame), *stream.encode()]:
            container.mux(packet)
    return path


def large(path: Path) -> Path:
    return write(path, [np.zeros((64, 7680, 3), np.uint8)] * 2)


def long(path: Path) -> Path:
    return write(path, [np.zeros((16, 16, 3), np.uint8)] * 601, fps=1)


def torn(path: Path) -> Path:
    whole = write(path, [np.zeros((64, 64, 3), np.uint8)] * 9).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (sound, "has no pictures"),
        (large, "7680 x 64"),
        (long, "takes 601 s"),
        (torn, "is no video"),
        (lambda path: write(path, [np.zeros((64, 64, 3), np.uint8)]), "has 1 frame"),
        (lambda path: path, "there is no video"),
    ],
)
def test_what_is_no_good_is_refused_in_one_line(make, said: str, tmp_path: Path) -> None:
    path = make(tmp_path / "x.mp4")
    with pytest.raises(FootageError, match=said) as caught:
        open_footage(path, 1.0)
    assert "\n" not in str(caught.value) and str(path) in str(caught.value)
