"""``luban dataset``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.recording.dataset.episodes import Recording
from bridge.recording.dataset.export import export_dataset
from bridge.recording.dataset.folder import check_folder
from bridge.recording.dataset.request import DatasetRequest
from bridge.recording.log import read_log
from bridge.runs.store import LOG_NAME, RunFolder
from pysim.limits import quote
from pysim.render.factory import create_renderer

__all__ = ["filter_family", "find_recordings", "run_dataset"]


def run_dataset(
    sources: Sequence[Path],
    out: Path,
    request: DatasetRequest,
    renderer_name: str,
    family: str = "",
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Make a dataset of the finished episodes of runs, and of single logs.

    Raises:
        CommandError: a source is neither, a run has no finished episode, or there is none of the
            family that is meant.
    """
    check_folder(out, force=force)
    recordings = [recording for source in sources for recording in find_recordings(source)]
    recordings = list(filter_family(recordings, family) if family else recordings)
    renderer, note = create_renderer(renderer_name) if request.filmed else (None, "")
    print_notice(note)
    try:
        with show_frame_progress("frames", quiet=as_json, unit="") as progress:
            done = export_dataset(
                recordings, out, request, renderer, force=force, progress=progress
            )
    finally:
        if renderer is not None:
            renderer.close()
    summary = {
        "out": str(out),
        "format": request.format.value,
        "families": list(done.families),
        "episodes": done.episodes,
        "frames": done.frames,
        "left_out": len(recordings) - done.episodes,
        "bytes": sum(file.stat().st_size for file in out.rglob("*") if file.is_file()),
    }
    print(json.dumps(summary) if as_json else _sentence(summary))


def filter_family(recordings: Sequence[Recording], family: str) -> Iterator[Recording]:
    """Return those of a family.

    Raises:
        CommandError: there is none.
    """
    families = {one.path: read_log(one.path).header.level.family for one in recordings}
    if family not in families.values():
        known = ", ".join(sorted(set(families.values())))
        raise CommandError(f"there is no episode of the family {quote(family)}; known: {known}")
    return (one for one in recordings if families[one.path] == family)


def _sentence(summary: Mapping[str, object]) -> str:
    left_out = f" ({summary['left_out']} not solved, left out)" if summary["left_out"] else ""
    return f"{summary['episodes']} episodes{left_out}, {summary['frames']} frames: {summary['out']}"


def find_recordings(source: Path) -> list[Recording]:
    """Return the log that a path names, or the finished episodes of a run.

    Raises:
        CommandError: a folder is no run's, or no episode of the run is finished.
    """
    if not source.is_dir():
        return [Recording(source.name, source)]
    if (source / LOG_NAME).is_file():
        return [Recording(source.resolve().name, source / LOG_NAME)]
    if not (source / "run.json").is_file():
        raise CommandError(f"{source} is neither a log nor the folder of a run or an episode")
    found = list(_finished(RunFolder.read(source)))
    if not found:
        raise CommandError(f"{source}: no episode of this run is finished")
    return found


def _finished(run: RunFolder) -> Iterator[Recording]:
    """Yield the finished episodes of a run, in its order."""
    name = run.path.resolve().name
    for level, _ in run.settings.levels:
        for attempt in range(1, run.settings.attempts + 1):
            if run.read_result(level, attempt) is not None:
                path = run.locate_episode(level, attempt) / LOG_NAME
                yield Recording(f"{name}/{level}/{attempt}", path)
