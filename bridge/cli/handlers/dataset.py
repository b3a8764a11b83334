"""``luban dataset``."""

import json
from collections.abc import Mapping

from bridge.cli.commands.dataset import DatasetOptions
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.cli.recordings import filter_family, find_recordings
from bridge.cli.terminal import outlast_reader
from bridge.episode.choices import Obs
from bridge.operations.dataset_cards import describe_recordings
from bridge.recording.dataset.export import export_dataset
from bridge.recording.dataset.folder import check_folder
from bridge.recording.dataset.request import DatasetRequest, Format
from pysim.render.factory import create_renderer

__all__ = ["run_dataset"]


@outlast_reader()
def run_dataset(options: DatasetOptions) -> None:
    """Make a dataset in the format that is meant.

    Raises:
        CommandError: a source is not one that the format takes.
    """
    if options.format == "clips":
        from bridge.cli.handlers.video.clips import run_clips

        run_clips(options)
    elif options.format == "chat":
        from bridge.cli.handlers.chats import run_chats

        run_chats(options)
    else:
        _export_episodes(options)


def _export_episodes(options: DatasetOptions) -> None:
    """Make a dataset of the finished episodes of runs, and of single logs.

    Raises:
        CommandError: a source is neither, a run has no finished episode, or there is none of the
            family that is meant.
    """
    request, out, force = _make_request(options), options.out, options.force
    check_folder(out, force=force)
    recordings = [one for source in options.sources for one in find_recordings(source)]
    if options.family:
        recordings = list(filter_family(recordings, options.family))
    renderer, note = create_renderer(options.renderer) if request.filmed else (None, "")
    print_notice(note)
    try:
        with show_frame_progress("frames", quiet=options.as_json, unit="") as progress:
            done = export_dataset(
                recordings,
                out,
                request,
                renderer,
                force=force,
                progress=progress,
                seal=describe_recordings,
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
    print(json.dumps(summary) if options.as_json else _sentence(summary))


def _make_request(options: DatasetOptions) -> DatasetRequest:
    return DatasetRequest(
        format=Format(options.format),
        fps=4 if options.fps is None else options.fps,
        size=256 if options.image_size is None else options.image_size,
        cameras=options.camera or ("stage",),
        obs=Obs(options.observation or "image+state"),
        only_solved=options.solved,
    )


def _sentence(summary: Mapping[str, object]) -> str:
    left_out = f" ({summary['left_out']} not solved, left out)" if summary["left_out"] else ""
    return f"{summary['episodes']} episodes{left_out}, {summary['frames']} frames: {summary['out']}"
