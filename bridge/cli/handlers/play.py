"""``luban play``."""

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from bridge.agents.plugins import check_settings
from bridge.agents.registry import create_agent, find_agent
from bridge.cli.commands.play import PlayRequest
from bridge.cli.interactive.position import Position
from bridge.cli.interactive.prompter import Prompter, save_views
from bridge.cli.notices import print_notice, print_warning
from bridge.cli.permissions import make_files_private
from bridge.cli.progress import show_frame_progress
from bridge.cli.requests import parse_settings
from bridge.cli.table import TurnTable, format_verdict
from bridge.cli.terminal import join_lines, outlast_reader
from bridge.episode.records import Ending, Feedback, Obs
from bridge.episode.tools import build_action_space
from bridge.recording.folders import new_run_folder
from bridge.rpc.client import Client, RemoteEpisode, connect
from bridge.runs.options import VideoPolicy
from bridge.runs.play import play_episode
from pysim.catalog import encode_level, is_shipped
from pysim.extras import describe_missing_extra, find_missing_module
from pysim.level_selection import load_level
from pysim.puzzle import Level, Outcome

__all__ = ["Played", "find_possible_video", "play_level", "run_play"]


@dataclass(frozen=True, slots=True)
class Played:
    """An episode that was played, and where its files are."""

    level: Level[Any]
    agent: str
    world: str
    ending: Ending
    folder: Path
    log: Path
    video: Path | None

    def to_document(self) -> dict[str, object]:
        """Return the document that ``luban play --json`` prints."""
        plan = self.level.plan
        return {
            "level": self.level.id,
            "agent": self.agent,
            "world": self.world,
            "outcome": self.ending.outcome.value,
            "steps": self.ending.steps,
            "plan": None if plan is None else len(plan),
            "plan_proof": None if plan is None else plan.proof.value,
            "disagreements": self.ending.disagreements,
            "state_hash": self.ending.state_hash,
            "log": str(self.log),
            "video": None if self.video is None else str(self.video),
        }


@outlast_reader()
@make_files_private()
def run_play(request: PlayRequest) -> None:
    """Play one episode and print what came of it."""
    if not request.server:
        request = replace(request, video=find_possible_video(request.video))
    with _server(request) as (address, own):
        if request.as_json:
            played = play_level(address, request, own_server=own, quiet=True)
            print(json.dumps(played.to_document()))
            return
        played = play_level(address, request, own_server=own)
    print_result(played)


def find_possible_video(policy: VideoPolicy) -> VideoPolicy:
    """Return the policy, or none after a word on the extra that videos need."""
    if policy is VideoPolicy.NONE or not find_missing_module("video"):
        return policy
    print_notice(f"{describe_missing_extra('videos', 'video')}. Making none.")
    return VideoPolicy.NONE


def print_result(played: Played) -> None:
    """The verdict, and where the files are."""
    print(format_verdict(played.ending, played.level.plan))
    for path in (played.log, played.video, played.folder / "views.png"):
        if path is not None and path.exists():
            print(f"  {path}")


@contextmanager
def _server(request: PlayRequest) -> Iterator[tuple[str, bool]]:
    """The address of the server to play on, and whether it is our own."""
    if request.server:
        yield request.server, False
        return
    from bridge.operations.engines import open_engines
    from bridge.rpc.server import LubanServer

    with (
        open_engines(request.unity_player, request.world, request.renderer) as engines,
        LubanServer(request.runs, renderer=request.renderer, engines=engines) as server,
    ):
        yield server.address, True


def play_level(
    address: str, request: PlayRequest, *, own_server: bool, quiet: bool = False
) -> Played:
    """Play one episode on a server.

    Args:
        own_server: whether the server keeps its files in ``request.runs``; if not, log and video
            are downloaded to there.
        quiet: print nothing.
    """
    level = load_level(request.level)
    settings = parse_settings(request.settings, request.base_url)
    check_settings(settings, {f"the agent {request.agent}": find_agent(request.agent)})
    human = request.agent == "human"
    obs = Obs(request.observation)
    tls: Literal["off"] | None = "off" if own_server else None
    with connect(address, deadline=120.0, tls=tls) as client:
        # Find out that there is no such agent before an episode is begun.
        actions = build_action_space(level)
        told = Feedback(request.feedback) is Feedback.FULL
        position = Position(level, actions) if human and told else None
        asker = Prompter(sys.stderr if quiet else sys.stdout, actions, position)
        agent = create_agent(
            request.agent,
            level,
            seed=request.seed,
            settings=settings,
            ask=asker if human else None,
        )
        episode = _start(client, level, request)
        # Our own server has made the folder; for another one's episode it must be a new one here.
        folder = request.runs / episode.run_name
        if not own_server:
            folder = new_run_folder(request.runs, episode.run_name)
        seen = episode.observe() if obs.has_images else None
        if seen is not None and seen.views:
            asker.renderer = client.server_info().renderer
            asker.picture = folder / "current.png"
            save_views(seen, folder / "views.png", asker.renderer)
        print_head(level, episode, request, quiet)
        with TurnTable(quiet=quiet or human) as table:
            watch = asker.show_result if human else table.add
            images = human and obs.has_images
            ending = play_episode(episode, agent, images=images, watch=watch)
        log = folder / "episode.jsonl"
        if not own_server:
            episode.save_log(log)
        wants_video = request.video.needs_video(solved=ending.outcome is Outcome.SOLVED)
        video = _video(episode, request, folder, own_server, quiet) if wants_video else None
    return Played(level, request.agent, request.world, ending, folder, log, video)


def _start(client: Client, level: Level[Any], request: PlayRequest) -> RemoteEpisode:
    return client.start(
        level.id if is_shipped(level) else json.dumps(encode_level(level)),
        world=request.world,
        observation=request.observation,
        feedback=request.feedback,
        views=request.views,
        camera=request.camera,
        image_size=request.image_size,
        budget=request.budget,
        seed=request.seed,
        agent=request.agent,
        run_name=request.name,
    )


def print_head(
    level: Level[Any], episode: RemoteEpisode, request: PlayRequest, quiet: bool
) -> None:
    """Print the level, the agent and the world."""
    if not quiet:
        print(
            f"\n{join_lines(level.name)} ({level.id}): {len(level.colours)} pieces, "
            f"{episode.budget} steps; agent {request.agent}, world {request.world}"
        )


def _video(
    episode: RemoteEpisode, request: PlayRequest, folder: Path, own_server: bool, quiet: bool
) -> Path | None:
    """Make the video; after a warning None, for the episode has been played."""
    try:
        return _make_video(episode, request, folder, own_server, quiet)
    except Exception as error:
        print_warning(
            f"no video: {error or type(error).__name__}; the outcome doesn't depend on it. "
            f"{_advice(request.world, folder)}"
        )
        return None


def _advice(world: str, folder: Path) -> str:
    """Return how to make a video that has failed."""
    files = [str(folder / "episode.jsonl"), "--video", str(folder / "episode.mp4")]
    words = f"`{shlex.join(['luban', 'replay', *files])}` tries again"
    return words if world == "lattice" else f"{words}; add `--world lattice` if {world} fails"


def _make_video(
    episode: RemoteEpisode, request: PlayRequest, folder: Path, own_server: bool, quiet: bool
) -> Path:
    path = folder / "episode.mp4"
    size = min(1080, max(128, request.image_size - request.image_size % 2))
    with show_frame_progress("video", quiet=quiet) as progress:
        if own_server:
            episode.make_video(size=size, progress=progress)
        else:
            episode.save_video(path, size=size, progress=progress)
    return path


def print_renderer(client: Client) -> str:
    """Say which renderer the server has; returns its name and version."""
    info = client.server_info()
    print_notice(info.renderer_note)
    return info.renderer
