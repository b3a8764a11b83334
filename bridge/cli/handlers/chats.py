"""``luban dataset --format chat``."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from bridge.agents.baselines import OracleAgent
from bridge.cli.commands.dataset import DatasetOptions
from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.cli.recordings import filter_family, find_recordings
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.operations.dataset_cards import describe_recordings
from bridge.recording.dataset.episodes import Recording
from bridge.recording.dataset.folder import check_folder
from bridge.recording.log import EpisodeLog
from bridge.runs.chats.export import ChatRequest, ChatSource, export_chats
from bridge.runs.direct import DirectPlay
from bridge.runs.play import Mode, play_episode
from bridge.runs.protocol import make_play
from bridge.runs.store import RunFolder
from pysim.catalog import AnyLevel
from pysim.level_selection import select_levels
from pysim.limits import quote
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer

__all__ = ["run_chats"]


def run_chats(options: DatasetOptions) -> None:
    """Make a dataset of chats of recorded episodes, and of levels that the oracle plays.

    Raises:
        CommandError: a source is none of these, or was played in a mode that has no chats.
    """
    if options.mode not in tuple(Mode):
        raise CommandError(f"--mode is one of {', '.join(Mode)}, not {quote(options.mode)}")
    mode, out, force = Mode(options.mode), options.out, options.force
    obs = None if options.observation is None else Obs(options.observation)
    request = ChatRequest(obs, options.image_size, only_solved=options.solved)
    check_folder(out, force=force)
    quiet = options.as_json
    with ExitStack() as stack:
        played = Path(stack.enter_context(TemporaryDirectory(prefix="luban-chats-")))
        episodes = [e for s in options.sources for e in _episodes(s, mode, request, played)]
        episodes = _kept(episodes, options.family)
        progress = stack.enter_context(show_frame_progress("episodes", quiet=quiet, unit=""))
        make_renderer = _renderer_factory(options.renderer, stack)
        done = export_chats(
            episodes,
            out,
            request,
            make_renderer,
            force=force,
            progress=progress,
            seal=describe_recordings,
        )
    summary = {
        "out": str(out),
        "format": "chat",
        "families": list(done.families),
        "episodes": done.episodes,
        "answers": done.answers,
        "pictures": done.pictures,
        "left_out": len(episodes) - done.episodes,
        "bytes": sum(file.stat().st_size for file in out.rglob("*") if file.is_file()),
    }
    print(json.dumps(summary) if quiet else _sentence(summary))


def _sentence(summary: Mapping[str, object]) -> str:
    left_out = f" ({summary['left_out']} left out)" if summary["left_out"] else ""
    counts = f"{summary['answers']} answers, {summary['pictures']} pictures"
    return f"{summary['episodes']} episodes{left_out}, {counts}: {summary['out']}"


def _kept(episodes: Sequence[ChatSource], family: str) -> list[ChatSource]:
    if not family:
        return list(episodes)
    wanted = set(filter_family([one.recording for one in episodes], family))
    return [one for one in episodes if one.recording in wanted]


def _renderer_factory(name: str, stack: ExitStack) -> Callable[[], Renderer]:
    """Return a function that makes a renderer, which is closed with the stack."""

    def make() -> Renderer:
        renderer, note = create_renderer(name)
        stack.callback(renderer.close)
        print_notice(note)
        return renderer

    return make


def _episodes(source: Path, mode: Mode, request: ChatRequest, played: Path) -> Iterator[ChatSource]:
    """Yield the episodes of a run, a log, or the levels that a text means.

    Args:
        mode: of episodes that the oracle plays.
        played: folder for their logs.
    """
    if source.exists() and source.suffix != ".json":
        for recording in find_recordings(source):
            yield ChatSource(recording, _mode_of(recording.path))
        return
    for level in select_levels(str(source)):
        folder = played / level.hash
        folder.mkdir(exist_ok=True)
        path = folder / "episode.jsonl"
        if not path.exists():
            _play_oracle(level, path, mode, request)
        yield ChatSource(Recording(f"oracle/{level.id}", path), mode)


def _mode_of(log: Path) -> Mode:
    """Return how the agent of a log was asked; a log that lies in no run was played step by step.

    Raises:
        CommandError: its run was played in a way that has no chats.
    """
    run = log.resolve().parents[3] if len(log.resolve().parents) > 3 else log.parent
    if not (run / "run.json").is_file():
        return Mode.INTERACTIVE
    settings = RunFolder.read(run).settings
    play = make_play(settings)
    if not isinstance(play, DirectPlay):
        raise CommandError(
            f"{run}: chats are made of interactive and one-shot runs, not of mode {settings.mode}"
        )
    return play.mode


def _play_oracle(level: AnyLevel, path: Path, mode: Mode, request: ChatRequest) -> None:
    options = Options(
        obs=request.obs or Obs.IMAGE_STATE,
        picture_size=request.picture_size or Options().picture_size,
        agent="oracle",
    )
    with EpisodeLog(path) as log, Episode(level, options=options, listener=log) as episode:
        play_episode(episode, OracleAgent(level), mode=mode, images=False)
