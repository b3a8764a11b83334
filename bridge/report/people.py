"""Runs beside the people of a study: how many actions each of them needs."""

from collections.abc import Iterator, Sequence

from bridge.report.cells import NOTHING, format_distance, format_percent
from bridge.report.parts import ReportedRun, Table
from bridge.runs.results import EpisodeResult
from bridge.scoring.human_relative import compute_human_relative, count_human_actions
from bridge.scoring.metrics import score

__all__ = ["build_people_tables"]


def build_people_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Yield a table of all runs beside each study among them; nothing without a study."""
    rows = [
        _make_row(run, study)
        for study in runs
        if study.folder.is_study
        for run in runs
        if _share(run, study)
    ]
    yield Table(
        "Beside people",
        "Human-relative in per cent: the square of people's actions divided by the run's, at most "
        "1, and 0 for what is not solved, as in ARC-AGI-3. People's actions are the median of "
        "those who solved the level. Levels that none of them solved are left out. The study's "
        "own row is each person beside that median. People who saw the scene in 3D saw more than "
        "pictures show. Dist2Opt is of the same episodes. Luban ships no figures of real people.",
        [
            "Run",
            "People",
            "Shown to people",
            "Levels",
            "Left out",
            "Human-relative ↑",
            "Dist2Opt ↓",
        ],
        rows,
    )


def _make_row(run: ReportedRun, study: ReportedRun) -> list[str]:
    results, people = _share(run, study), study.results
    found = compute_human_relative(results, count_human_actions(people))
    counted = {result.level for result in people if result.solved}
    same = [result for result in results if result.level in counted]
    return [
        run.name,
        f"{study.name} ({len({result.attempt for result in people})})",
        "pictures" if study.folder.settings.obs == "image" else "3D",
        NOTHING if found is None else str(found.levels),
        NOTHING if found is None else str(found.left_out),
        NOTHING if found is None else format_percent(found.score),
        format_distance(score(same).dist2opt) if same else NOTHING,
    ]


def _share(run: ReportedRun, study: ReportedRun) -> list[EpisodeResult]:
    """Return the results of a run at levels that the study has, too: equal ids and hashes."""
    known = set(study.folder.settings.levels)
    ids = {level for level, digest in run.folder.settings.levels if (level, digest) in known}
    return [result for result in run.results if result.level in ids]
