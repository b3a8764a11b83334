"""Scoring of several videos as jobs: here, in processes, and without a shared folder."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import TypeVar

import pytest

from bridge.jobs.processes import Processes
from bridge.jobs.threads import Inline
from bridge.jobs.work import Executor, Work
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from bridge.video.report.comparing import (
    Compared,
    compare_videos,
    rank_videos,
    write_overview,
)
from bridge.video.report.submissions import list_submissions
from pysim.catalog import find_level
from pysim.render.renderer import Renderer
from tests.sampling import more

Job = TypeVar("Job")
Result = TypeVar("Result")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    out = tmp_path_factory.mktemp("scored") / "lock"
    make_bundle(find_level("burr-piston"), out, BundleRequest((112, 112), 6, 1), renderer)
    return read_bundle(out)


@pytest.fixture(scope="module")
def videos(bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two videos of one name, one that is none, and one that is not there."""
    folder = tmp_path_factory.mktemp("videos")
    for model in ("dawn", "dusk"):
        (folder / model).mkdir()
    (folder / "dusk" / "none.mp4").write_bytes(b"no video")
    true = [folder / "dawn" / "take.mp4", folder / "dusk" / "take.mp4"]
    copyfile(bundle.path / "video.mp4", true[0])
    copyfile(bundle.path / "lossless.mp4", true[1])
    return [true[0], folder / "dusk" / "none.mp4", true[1], folder / "gone.mp4"]


def score(
    bundle: Bundle, videos: list[Path], out: Path, executor: Executor, *, send_files: bool = False
) -> tuple[list[Compared], dict[str, bytes], list[tuple[int, int]]]:
    """Return what came of the videos, all files, and the reports of progress."""
    told: list[tuple[int, int]] = []
    bundles = {bundle.manifest.level: bundle}
    clips = list_submissions(videos, [*bundles]).clips
    done = compare_videos(
        bundles, clips, out, executor, send_files=send_files, report=lambda *n: told.append(n)
    )
    write_overview(bundles, done, rank_videos(done), out)
    files = {
        str(p.relative_to(out)): p.read_bytes()
        for p in out.rglob("*")
        if p.is_file() and p.suffix != ".parquet"
    }
    return done, files, told


def test_scores_do_not_depend_on_the_executor(
    bundle: Bundle, videos: list[Path], tmp_path: Path
) -> None:
    here, files, told = score(bundle, videos, tmp_path / "here", Inline())
    assert [bool(one.error) for one in here] == [False, True, False, True]
    assert [one.clip.video for one in here] == videos
    assert told == [(done, 4) for done in range(5)]
    assert {"dawn-take/score.json", "dusk-take/tracks.npz", "leaderboard.json"} <= files.keys()
    assert not any(name.startswith(("dusk-none", "videos/")) for name in files)
    for name, executor, send_files in (
        ("processes", Processes(more(1, night=2)), False),
        ("content", Inline(), True),
    ):
        there = score(bundle, videos, tmp_path / name, executor, send_files=send_files)
        assert (there[0], there[2]) == (here, told)
        differing = {key for key in files | there[1] if files.get(key) != there[1].get(key)}
        assert not differing, name


@dataclass(frozen=True)
class Losing:
    """Loses the worker of some jobs, and performs the others here.

    Attributes:
        lost: places of these jobs.
    """

    lost: frozenset[int]

    def run(self, work: Work[Job, Result], jobs: Iterable[Job]) -> Generator[tuple[Job, Result]]:
        every = list(jobs)
        for place in self.lost:
            yield every[place], work.report_lost(every[place], "its worker process ended twice")
        yield from Inline().run(work, [j for k, j in enumerate(every) if k not in self.lost])


def test_video_whose_worker_is_lost_is_reported_and_scored_by_the_next_command(
    bundle: Bundle, videos: list[Path], tmp_path: Path
) -> None:
    first, _, _ = score(bundle, videos, tmp_path, Losing(frozenset({0})))
    assert first[0].error == (
        f"{videos[0]}: its worker process ended twice; the same command tries again"
    )
    assert first[2].score is not None
    again, _, told = score(bundle, videos, tmp_path, Inline())
    assert (again[0].error, again[0].kept, again[2].kept) == ("", False, True)
    assert told == [(done, 4) for done in range(1, 5)]
