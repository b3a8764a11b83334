"""The benchmark of scores: what it tries, what it keeps, and what it says of that."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bridge.recording.dataset.forging.forge import strengths
from bridge.recording.dataset.forging.forgeries import ForgeryKind
from bridge.recording.files import append_line
from bridge.runs.folders import RunError
from perf.harness import Report
from perf.video.cases import BLOCK, CLEAN_CLIP, Case, Sizes, planned
from perf.video.judged import Judged, read_judged
from perf.video.running import CASES, Limits, run_cases
from perf.video.tallies import tell_of

NO_TIME = Limits(1, 0.0)
STRONGEST = {kind.value: strengths(kind)[-1] for kind in ForgeryKind}


def silent(result: Judged, done: int) -> None:
    """Nobody listens."""


def kept(out: Path, *results: Judged) -> None:
    """As a run keeps them."""
    for result in results:
        append_line(out / CASES, json.dumps(result.to_json()).encode() + b"\n")


def test_every_case_has_a_chance_of_its_own_and_the_same_each_time() -> None:
    cases = planned(Sizes(30, 5, 5))
    drawn = [tuple(case.make_rng(1).integers(2**60, size=2)) for case in cases]
    assert len(set(drawn)) == len(cases) == len(set(cases))
    again = [tuple(case.make_rng(1).integers(2**60, size=2)) for case in reversed(cases)]
    assert again[::-1] == drawn
    others = {tuple(case.make_rng(2).integers(2**60, size=2)) for case in cases}
    assert not others & {*drawn}


def test_all_that_is_asked_for_is_planned_once() -> None:
    counts = Counter((case.kind, case.strength) for case in planned(Sizes(300, 100, 90)))
    assert counts.pop((CLEAN_CLIP, 0.0)) == 300
    assert counts == {
        (kind.value, strength): 100 if strength == STRONGEST[kind.value] else 90
        for kind in ForgeryKind
        for strength in strengths(kind)
    }


def test_wherever_it_stops_all_kinds_have_been_tried_as_often() -> None:
    cases = planned(Sizes(300, 100, 100))
    clean, forged = 0, Counter[str]()
    for place, case in enumerate(cases[: len(STRONGEST) * BLOCK]):
        clean += case.kind == CLEAN_CLIP
        forged[case.kind] += case.kind != CLEAN_CLIP
        assert case.kind == CLEAN_CLIP or case.strength == STRONGEST[case.kind]
        assert abs(clean - 300 * (place + 1) / len(cases)) <= 1.0
        counts = [forged[kind] for kind in STRONGEST]
        assert max(counts) - min(counts) <= 1


def test_some_kinds_alone_are_the_same_cases() -> None:
    sizes = Sizes(50, 7, 3)
    every = planned(sizes)
    assert {*planned(sizes, ["swap", "clean"])} == {
        case for case in every if case.kind in ("swap", "clean")
    }


def test_what_was_judged_is_there_when_a_run_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    cases = planned(Sizes(2, 1, 0), ["clean", "swap"])
    assert run_cases(cases, 5, out, NO_TIME, silent) == []
    first = Judged(cases[0], "burr-piston", 90, 4.5, 0.01, off=(0.1, 0.2), likeness={"psnr": 31.0})
    second = Judged(cases[1], nowhere="too short")
    kept(out, first, second)
    assert run_cases(cases, 5, out, NO_TIME, silent) == [first, second]
    assert run_cases(cases[1:], 5, out, NO_TIME, silent) == [second]
    whole = (out / CASES).read_bytes()
    (out / CASES).write_bytes(whole[:-7])
    assert run_cases(cases, 5, out, NO_TIME, silent) == [first]


def test_cases_of_other_settings_are_not_mixed_with_these(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run_cases([], 5, out, NO_TIME, silent)
    with pytest.raises(RunError, match="another seed"):
        run_cases([], 6, out, NO_TIME, silent)
    settings = out / "settings.json"
    settings.write_text(settings.read_text().replace('"code": "', '"code": "f'))
    with pytest.raises(RunError, match="another code"):
        run_cases([], 5, out, NO_TIME, silent)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear all")
    with pytest.raises(RunError, match="other files"):
        run_cases([], 5, tmp_path / "other", NO_TIME, silent)


@pytest.mark.slow
def test_a_run_in_two_parts_finds_what_one_finds(tmp_path: Path) -> None:
    cases = planned(Sizes(1, 1, 0), ["clean", "swap", "vanish"])
    at_once = run_cases(cases, 5, None, Limits(2, 3600.0), silent)
    run_cases(cases, 5, tmp_path / "run", Limits(1, 1e-3), silent)
    assert len((tmp_path / "run" / CASES).read_bytes().splitlines()) == 1
    parts = run_cases(cases, 5, tmp_path / "run", Limits(1, 3600.0), silent)
    timeless = [[replace(r, seconds=0.0) for r in results] for results in (at_once, parts)]
    assert timeless[0] == timeless[1] and len(parts) == 3


def test_a_case_is_read_as_it_was_written() -> None:
    case = Judged(Case("teleport", 5.0, 3), "x", 9, 0.5, 0.0, 2, True, "red", ("teleport 1-2 red",))
    assert read_judged(json.loads(json.dumps(case.to_json()))) == case


def test_figures_are_what_can_be_counted() -> None:
    swaps = [
        Judged(
            Case("swap", 1.0, n), "x", 50, 2.0, found=n > 0, unseen=n, label=f"red {n % 8}-{n % 4}"
        )
        for n in range(40)
    ]
    clean = [Judged(Case(CLEAN_CLIP, 0.0, n), "x", 100, 5.0, 0.02, off=(0.1, 0.3)) for n in (0, 1)]
    nowhere = Judged(Case("split", 1.0, 0), nowhere="too short")
    report = Report("video_score")
    asked = [*(r.case for r in (*swaps, *clean, nowhere)), Case("merge", 1.0, 0)]
    tell_of(report, [*swaps, *clean, nowhere], asked)
    figures = report.figures
    assert figures["recall_swap_1"] == 39 / 40 and figures["recall_swap_1_cases"] == 40
    assert figures["recall_swap_1_places"] == 8
    # By hand: (p + z²/2n - z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96.
    assert figures["recall_swap_1_at_least"] == pytest.approx(0.8712, abs=1e-4)
    assert figures["recall_swap_1_unseen"] == sum(range(40)) / (sum(range(40)) + 40)
    assert "recall_split_1" not in figures and "too short" in report.notes["recall_split_1"]
    assert figures["clean_clips_with_alarms"] == 0.0 and figures["frames_per_core_second"] == 20.0
    assert figures["motion_error_median_u"] == pytest.approx(np.median([0.1, 0.3, 0.1, 0.3]))
    assert report.notes["not run"] == "1 of 44 cases: merge 1"
    assert report.targets["recall_swap_1_at_least"] == (">=", 0.9)


def test_few_cases_are_held_against_no_bound_of_their_own() -> None:
    report = Report("video_score")
    few = [Judged(Case("swap", 1.0, n), "x", 50, 2.0, found=True) for n in range(35)]
    tell_of(report, few, [r.case for r in few])
    assert [*report.targets] == ["recall_strongest"]
