"""Making a dataset of recorded episodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bridge.recording.dataset.cameras import RgbStream, film_moments
from bridge.recording.dataset.episodes import Moments, Recording, play_again
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.dataset.folder import Seal, new_folder, write_nothing
from bridge.recording.dataset.lerobot import LeRobotWriter
from bridge.recording.dataset.plain import PlainWriter
from bridge.recording.dataset.request import Contents, DatasetRequest, Format, survey
from pysim.extras import require_extra
from pysim.render.renderer import Renderer

__all__ = ["DatasetWriter", "Exported", "export_dataset"]


class DatasetWriter(Protocol):
    """Writes the episodes of a dataset, one after the other."""

    def add(self, moments: Moments, pictures: RgbStream) -> None:
        """Write an episode; ``pictures`` has one of each camera for each moment."""

    def finish(self) -> None:
        """Write what is known only at the end."""

    def abandon(self) -> None:
        """Stop; what was written is of no use."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Summary of an exported dataset."""

    episodes: int
    frames: int
    families: tuple[str, ...]


def export_dataset(
    recordings: Sequence[Recording],
    out: Path,
    request: DatasetRequest,
    renderer: Renderer | None,
    *,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
    seal: Seal = write_nothing,
) -> Exported:
    """Make a dataset; the folder appears whole or not at all.

    Everything comes from the logs, by replay: the same logs give the same Parquet and JSON files,
    byte for byte.

    Args:
        recordings: in the order of the episodes.
        out: the folder.
        renderer: makes the pictures; None only if none are wanted.
        force: whether a dataset that is there is replaced.
        progress: is called with the number of frames done and of all.
        seal: writes what describes the dataset, once everything else is there.

    Raises:
        DatasetError: something does not fit, or can't be replaced; the message says what.
        LogError: a log is damaged; the message names it.
        RecordingError: something can't be written.
    """
    require_extra("datasets", "dataset", *(["video"] if request.filmed else []))
    if request.filmed and renderer is None:
        raise DatasetError(
            "pictures need a renderer; --observation state is a dataset without pictures"
        )
    contents = survey(recordings, request)
    done = 0
    with new_folder(out, force=force) as folder:
        writer = _writer(folder, request, contents, renderer)
        try:
            for recording in contents.recordings:
                moments = play_again(recording)
                writer.add(moments, _pictures(moments, request, renderer))
                done += len(moments.scenes)
                if progress is not None:
                    progress(done, contents.frames)
            writer.finish()
            seal(folder, contents.recordings)
        except BaseException:
            writer.abandon()
            raise
    return Exported(len(contents.recordings), done, contents.families)


def _writer(
    folder: Path, request: DatasetRequest, contents: Contents, renderer: Renderer | None
) -> DatasetWriter:
    name = f"{renderer.name} {renderer.version}" if renderer is not None and request.filmed else ""
    if request.format is Format.LEROBOT:
        return LeRobotWriter(folder, request, contents, name)
    return PlainWriter(folder, request, contents, name)


def _pictures(moments: Moments, request: DatasetRequest, renderer: Renderer | None) -> RgbStream:
    if renderer is None or not request.filmed:
        return iter(())
    return film_moments(renderer, moments.scenes, request.filmed, request.size)
