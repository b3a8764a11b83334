"""The bench of scores: cases, clips that are as their labels say, and how scores are judged."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from bridge.recording.files import append_line
from bridge.video.reference.bundle import read_bundle
from bridge.video.reference.bundle_making import BundleRequest
from bridge.video.reference.bundle_making import make_bundle as make
from perf.clips.altering import AlteredFilm, Extra, count_extra_pixels
from perf.clips.cases import GROUPS, Case, plan_cases
from perf.clips.corruptions import CORRUPTIONS, Corrupted
from perf.clips.degradations import DEGRADATIONS, UNSEEN, degrade
from perf.clips.figures import add_figures
from perf.clips.judging import Outcome, hold_against, measure_errors, read_outcome
from perf.clips.labels import Cause
from perf.clips.making import ClipLabel, corrupt, make_clip, read_label, write_label
from perf.clips.ranking import MODELS, is_right_order
from perf.clips.running import Limits, run_cases
from perf.clips.scorer import Scored, Seen
from perf.clips.sources import Source, list_families, plan_sources
from perf.harness import Report
from pysim.catalog import find_level
from pysim.render.renderer import Renderer
from tests.needs import usable_renderer
from tests.pages import ROOT

FAMILIES = list_families()
LEVELS = {
    "burr-piston": (208, 120),
    "packing-easy-01": (208, 120),
    "cubebench-d02-1-full-symbolic": (128, 96),
}
CASE = Case("corrupted", "vanish", 1.0, "burr", 0)


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with usable_renderer() as made:
        yield made


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> list[Source]:
    folder = tmp_path_factory.mktemp("sources")
    for level, size in LEVELS.items():
        make(find_level(level), folder / level, BundleRequest(size, 24, 1), renderer)
    return [Source(read_bundle(folder / level)) for level in LEVELS]


def find_corrupted(
    name: str, strength: float, sources: Sequence[Source]
) -> tuple[Source, Corrupted] | None:
    for seed in range(4):
        for source in sources:
            rng = np.random.default_rng(seed)
            if (found := CORRUPTIONS[name].corrupt(source, strength, rng)) is not None:
                return source, found
    return None


def find_farthest_corner(source: Source, one: int, other: int) -> float:
    """Measure by every corner of every cell."""
    far = 0.0
    for body, cells in enumerate(source.film.cells.values()):
        for corner in np.ndindex(2, 2, 2):
            points = np.c_[cells + np.array(corner) - 0.5, np.ones(len(cells))]
            before, after = (points @ source.bundle.poses[k, body].T for k in (one, other))
            far = max(far, float(np.linalg.norm(before - after, axis=1).max()))
    return far


def label_of(*causes: Cause, frames: int = 100) -> ClipLabel:
    return ClipLabel(CASE, "b", "vanish 1", causes, tuple(range(frames)))


def test_plan_has_as_many_cases_as_are_asked_for_in_every_family() -> None:
    cases = plan_cases(FAMILIES)
    assert len({case.name for case in cases}) == len(cases)
    groups = Counter(case.group for case in cases)
    assert groups["degraded"] >= 600 and set(groups) == set(GROUPS)
    corrupted = Counter((c.family, c.recipe) for c in cases if c.group == "corrupted")
    assert len(corrupted) == len(FAMILIES) * len(CORRUPTIONS) and min(corrupted.values()) >= 17
    tried = {(c.recipe, c.strength) for c in cases}
    strengths = {name: row.strengths for name, row in {**DEGRADATIONS, **UNSEEN}.items()}
    strengths |= {name: row.strengths for name, row in CORRUPTIONS.items()}
    for name, some in strengths.items():
        assert {(name, float(strength)) for strength in some} <= tried


def test_plan_that_is_cut_has_tried_all_families_and_groups_alike() -> None:
    cases = plan_cases(FAMILIES)
    for end in range(24, 24 * 16, 24):
        counts = Counter((case.family, case.group) for case in cases[:end])
        for group in ("degraded", "corrupted"):
            assert len({counts[family, group] for family in FAMILIES}) == 1
    first = [c.recipe for c in cases if c.group == "corrupted" and c.family == "burr"]
    assert len(set(first[: len(CORRUPTIONS)])) == len(CORRUPTIONS)


def test_plan_of_some_recipes_has_the_cases_of_the_whole_plan() -> None:
    chosen = plan_cases(["burr"], ["vanish", "degraded"])
    every = [
        case for case in plan_cases(["burr"]) if case.recipe == "vanish" or case.group == "degraded"
    ]
    assert {*chosen} == {*every}


def test_case_draws_the_same_each_time_and_unlike_all_others() -> None:
    cases = plan_cases(FAMILIES)[:300]
    drawn = [int(case.make_rng(5).integers(2**60)) for case in cases]
    assert drawn == [int(case.make_rng(5).integers(2**60)) for case in cases]
    assert len(set(drawn)) == len(cases)
    assert drawn != [int(case.make_rng(6).integers(2**60)) for case in cases]


@pytest.mark.slow
def test_sources_of_two_seeds_are_other_levels_with_large_units() -> None:
    one, other = (plan_sources("packing", seed, 2) for seed in (0, 1))
    assert not {plan.level for plan in one} & {plan.level for plan in other}
    assert [plan_sources("packing", 0, 2)] == [one]


@pytest.mark.parametrize("is_behind", [False, True])
def test_double_whose_shadow_alone_is_seen_has_no_pixels(
    is_behind: bool, sources: list[Source], renderer: Renderer
) -> None:
    source = sources[0]
    name = source.bundle.names[0]
    film = AlteredFilm.cut(source, np.zeros(1, np.int64))
    poses = film.poses[:, 0].copy()
    poses[0, :3, 3] += 1000.0 * np.eye(3)[1] if is_behind else 4.0 * np.eye(3)[2]
    double = Extra(replace(source.bodies[name], name="double"), poses)
    count = count_extra_pixels(source, replace(film, extras=(double,)), 0, renderer)
    assert (count == 0) == is_behind


@pytest.mark.by_day(9)
@pytest.mark.parametrize("name", list(CORRUPTIONS))
def test_corruption_is_true_before_its_first_false_frame(
    name: str, sources: list[Source], renderer: Renderer
) -> None:
    found = find_corrupted(name, float(CORRUPTIONS[name].strengths[0]), sources)
    if found is None:
        pytest.skip("these three films have no place for it")
    source, corrupted = found
    first = min(cause.first for cause in corrupted.causes)
    take = corrupt(source, corrupted, source, renderer)
    for frame in range(first if name != "slideshow" else 1):
        assert np.array_equal(take.pictures[frame], source.pictures[int(take.shown[frame])])
    assert len(take.pictures) == len(take.shown)
    for cause in corrupted.causes:
        assert first <= cause.first <= cause.reached <= cause.last < len(take.shown)
        assert {*cause.pieces} <= {*source.bundle.names} - source.film.fixed
        assert set(cause.kinds) == set(CORRUPTIONS[name].kinds)


@pytest.mark.parametrize("name", ["leap", "freeze", "reversed", "slideshow"])
def test_cut_leaps_a_unit_at_each_cause_and_nowhere_else(name: str, sources: list[Source]) -> None:
    found = find_corrupted(name, float(CORRUPTIONS[name].strengths[0]), sources)
    assert found is not None
    source, corrupted = found
    shown = corrupted.film.shown.tolist()
    far = [find_farthest_corner(source, *shown[k - 1 : k + 1]) for k in range(1, len(shown))]
    leaps = [k + 1 for k, distance in enumerate(far) if distance >= 0.9]
    assert leaps == [cause.first for cause in corrupted.causes]


POSED = ["teleport", "pass-through", "hover", "glide", "melt", "grow", "slant", "mirror"]


@pytest.mark.parametrize("name", POSED)
def test_corruption_of_poses_changes_the_labelled_piece_alone(
    name: str, sources: list[Source]
) -> None:
    found = find_corrupted(name, float(CORRUPTIONS[name].strengths[-1]), sources)
    assert found is not None
    source, corrupted = found
    (cause,) = corrupted.causes
    moved = np.abs(corrupted.film.poses - source.bundle.poses[corrupted.film.shown]) > 1e-9
    bodies = np.flatnonzero(moved.any(axis=(0, 2, 3)))
    assert [source.bundle.names[body] for body in bodies] == [cause.pieces[0]]
    frames = np.flatnonzero(moved.any(axis=(1, 2, 3)))
    assert abs(frames[0] - cause.first) <= 1 and frames[-1] >= cause.last


@pytest.mark.parametrize("edge", [1.0, 2.0])
def test_cube_that_appears_is_beside_all_pieces_and_of_no_colour_of_theirs(
    edge: float, sources: list[Source]
) -> None:
    found = find_corrupted("appear", edge, sources)
    assert found is not None
    source, corrupted = found
    (cause,), (cube,) = corrupted.causes, corrupted.film.extras
    assert np.isnan(cube.poses[: cause.first]).all()
    middle = cube.poses[cause.first, :3, 3] + (edge - 1.0) / 2.0
    for body, name in enumerate(source.bundle.names):
        assert cube.body.colour is not source.bodies[name].colour
        far = np.abs(source.film.middles(cause.first, body) - middle).max(axis=1)
        assert far.min() >= (1.0 + edge) / 2.0


def test_ghost_is_half_of_a_double(sources: list[Source], renderer: Renderer) -> None:
    found = find_corrupted("ghost", 0.5, sources)
    assert found is not None
    source, corrupted = found
    opaque_film = corrupted.other
    assert opaque_film is not None
    take = corrupt(source, corrupted, source, renderer)
    opaque = corrupt(source, Corrupted(opaque_film, ()), source, renderer)
    frame = corrupted.causes[0].reached
    true = source.pictures[int(take.shown[frame])].astype(float)
    half = (true + opaque.pictures[frame]) / 2.0
    assert np.abs(take.pictures[frame] - half).max() <= 1.0
    assert np.abs(half - true).max() > 20.0


@pytest.mark.by_day(7)
@pytest.mark.parametrize("name", [n for n in DEGRADATIONS if n not in ("tiny", "motion-blurred")])
def test_degradation_says_the_true_frame_of_each_of_its_frames(
    name: str, sources: list[Source], renderer: Renderer
) -> None:
    source = sources[0]
    row = DEGRADATIONS[name]
    take = degrade([name], [row.strengths[-1]], source, np.random.default_rng(1), renderer)
    assert len(take.pictures) == len(take.shown)
    times = (np.arange(len(take.shown)) + 0.5) / take.fps
    late = times * 24.0 - take.shown
    assert late.min() >= 0.0 and late.max() < (3.0 if name == "repeated" else 1.0)
    changed = any(
        one.shape != source.pictures[k].shape or not np.array_equal(one, source.pictures[k])
        for one, k in zip(take.pictures, take.shown.tolist(), strict=True)
    )
    assert changed is (name not in ("compressed", "small", "slow", "retimed", "repeated"))


def test_shrinking_keeps_enough_pixels_to_a_unit(sources: list[Source], renderer: Renderer) -> None:
    for source in sources:
        take = degrade(["small"], [16.0], source, np.random.default_rng(1), renderer)
        scale = take.pictures[0].shape[1] / source.bundle.camera.width
        density = scale * source.bundle.manifest.pixels_per_unit
        assert density >= 14.0 or scale == 1.0


def test_clip_is_the_same_each_time_and_its_label_is_read_as_written(
    sources: list[Source], renderer: Renderer, tmp_path: Path
) -> None:
    case = Case("corrupted", "recolour", 1.0, "burr", 3)
    labels = []
    for name in ("one", "other"):
        label = make_clip(case, sources[:1], 7, renderer, tmp_path / f"{name}.mp4")
        write_label(tmp_path / f"{name}.json", label)
        labels.append(read_label(tmp_path / f"{name}.json"))
        assert labels[-1] == label and label.bundle
    assert labels[0] == labels[1]
    videos = [(tmp_path / f"{name}.mp4").read_bytes() for name in ("one", "other")]
    assert videos[0] == videos[1]
    with av.open(str(tmp_path / "one.mp4")) as container:
        assert sum(1 for _ in container.decode(video=0)) == len(labels[0].shown)


def judge(label: ClipLabel, *seen: Seen) -> tuple[int, ...]:
    one = hold_against(label, seen, Outcome(CASE))
    return one.causes, one.found, one.right, one.counted, one.early, one.late


def test_violation_of_right_kind_and_piece_in_time_is_right() -> None:
    label = label_of(Cause(("permanence",), ("red",), 40, 60, 40))
    right = Seen("permanence", 41, 60, ("red",))
    assert judge(label, right) == (1, 1, 1, 1, 0, 0)
    assert judge(label, Seen("swap", 41, 60, ("red",))) == (1, 1, 0, 1, 0, 0)
    assert judge(label, Seen("permanence", 41, 60, ("blue",))) == (1, 1, 0, 1, 0, 0)
    assert judge(label, right, Seen("teleport", 61, 61, ("red",))) == (1, 1, 1, 2, 0, 0)


def test_violation_before_or_long_after_a_cause_is_none_of_it() -> None:
    label = label_of(Cause(("permanence",), ("red",), 40, 60, 40))
    assert judge(label, Seen("permanence", 20, 60, ("red",))) == (1, 0, 0, 0, 1, 0)
    assert judge(label, Seen("permanence", 95, 99, ("red",))) == (1, 0, 0, 0, 0, 1)
    assert judge(label_of(), Seen("permanence", 95, 99, ("red",))) == (0, 0, 0, 0, 1, 0)


def test_violation_at_a_cut_before_the_first_cause_is_not_early() -> None:
    cause = Cause(("teleport",), ("red",), 40, 40, 40)
    shown = tuple(range(12)) + tuple(range(20, 108))
    label = ClipLabel(CASE, "b", "slideshow 12", (cause,), shown)
    assert judge(label, Seen("teleport", 12, 12, ("red",)))[4] == 0
    assert judge(label_of(cause), Seen("teleport", 12, 12, ("red",)))[4] == 1


def test_errors_are_distances_of_moving_pieces_from_their_true_places(
    sources: list[Source],
) -> None:
    source, names = sources[0], sources[0].bundle.names[::-1]
    poses = source.bundle.poses[:, ::-1].copy()
    poses[..., 0, 3] += 0.5
    scored = Scored({}, (), len(poses), 0.0, (), names, poses, 1.0)
    errors = measure_errors(label_of(frames=len(poses)), source, scored)
    assert errors and np.allclose(errors, 0.5)


def test_ranking_is_right_if_the_truth_is_first_and_the_still_picture_last() -> None:
    assert is_right_order(MODELS)
    assert is_right_order(["blurred", "true", "teleport", "vanish", "still", "slideshow"])
    assert not is_right_order(["true", "still", "blurred", "vanish", "teleport", "slideshow"])
    assert not is_right_order(["true", "blurred", "still", "vanish", "teleport", "slideshow"])
    assert not is_right_order(["true", "vanish", "blurred", "teleport", "slideshow", "still"])


def test_figures_are_shares_of_what_was_tried() -> None:
    def degraded(number: int, early: int, plan: str) -> Outcome:
        case = Case("degraded", "hue", 10.0, "burr", number)
        return Outcome(case, "b", frames=90, seconds=3.0, early=early, plan=plan, errors=(0.1, 0.3))

    found = Outcome(
        CASE, "b", causes=1, found=1, right=1, counted=3, frames=90, seconds=3.0, memory=350.0
    )
    missed = Outcome(Case("corrupted", "vanish", 0.5, "burr", 0), "b", causes=1, early=2)
    nowhere = Outcome(Case("corrupted", "glide", 2.0, "burr", 0))
    report = Report("video_score")
    rows = [degraded(0, 0, "whole"), degraded(1, 4, "wrong"), found, missed, nowhere]
    add_figures(report, rows)
    figures = report.figures
    assert figures["degraded_clips_with_alarms"] == 0.5 and figures["degraded_plans_whole"] == 0.5
    assert figures["corrupted_recall"] == 0.5 and figures["corrupted_clips"] == 2
    assert figures["one_cause_one_violation"] == 0.0 and figures["violations_per_cause"] == 3.0
    assert figures["alarms_before_a_cause"] == 0.5
    assert figures["motion_error_median_u"] == pytest.approx(0.2)
    assert figures["frames_per_core_second"] == 30.0 and figures["peak_memory_mib"] == 350.0
    assert report.notes["no place for"] == "burr glide"
    assert report.notes["alarms by degradation"] == "hue 1/2"


def test_outcome_is_read_as_it_was_written(tmp_path: Path) -> None:

    one = Outcome(CASE, "b", violations=("swap 1-2 red",), errors=(0.1,), ranks=("true",))
    append_line(tmp_path / "log", json.dumps(one.to_json()).encode() + b"\n")
    assert read_outcome(json.loads((tmp_path / "log").read_bytes())) == one


@pytest.mark.slow
def test_run_that_goes_on_keeps_its_clips_and_outcomes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = plan_cases(["rubik"], ["compressed", "vanish"])[:2]
    told: list[tuple[str, int]] = []

    def listen(outcome: Outcome, done: int) -> None:
        told.append((outcome.case.name, done))

    first = run_cases(cases, 3, tmp_path / "run", Limits(1, 3600.0), listen)
    again = run_cases(cases, 3, tmp_path / "run", Limits(1, 3600.0), listen)
    assert first == again and [done for _, done in told] == [1, 2]
    names = {path.stem for path in (tmp_path / "run" / "clips").glob("*.mp4")}
    assert names == {case.name for case in cases}


def test_tables_of_the_page_have_every_recipe_with_its_strengths_and_kinds() -> None:
    page = (ROOT / "docs" / "results" / "video-judge.md").read_text(encoding="utf-8")
    rows = [(name, row.strengths, row.unit) for name, row in DEGRADATIONS.items()]
    rows += [(name, row.strengths, row.unit) for name, row in CORRUPTIONS.items()]
    for name, strengths, unit in rows:
        told = ", ".join(f"{strength:g}" for strength in strengths)
        assert f"| `{name}` | {f'{told} {unit}' if unit else ''} |" in page
    for name, found in CORRUPTIONS.items():
        kinds = ", ".join(f"`{kind}`" for kind in found.kinds) or "any"
        assert re.search(rf"^\| `{name}` \|.*\| {re.escape(kinds)} \|$", page, re.MULTILINE)
