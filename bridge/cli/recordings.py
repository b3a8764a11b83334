"""Recorded episodes that a command is given: logs, and the episodes of runs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.recording.dataset.episodes import Recording
from bridge.recording.log import read_log
from bridge.runs.store import LOG_NAME, RunFolder
from pysim.limits import quote
from pysim.untrusted import refuse_leaving_links

__all__ = ["filter_family", "find_recordings"]


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


def find_recordings(source: Path) -> list[Recording]:
    """Return the log that a path names, or the finished episodes of a run.

    Raises:
        CommandError: a folder is no run's, or no episode of the run is finished.
        FileRefused: a link leads out of the folder.
    """
    if not source.is_dir():
        return [Recording(source.name, source)]
    if (source / LOG_NAME).is_file():
        refuse_leaving_links(source)
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
