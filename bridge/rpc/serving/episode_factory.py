"""Factory of sessions: episodes begun, and episodes resumed that another server left.

All of it runs in worker pools.
"""

import contextlib
import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import grpc

from bridge.episode.engines import Engines
from bridge.episode.episode import Episode
from bridge.episode.records import Options, StepResult
from bridge.episode.rendering import SharedRenderer
from bridge.recording.errors import LogError, RecordingError
from bridge.recording.folders import new_run_folder
from bridge.recording.log import EpisodeLog, Log, read_log
from bridge.recording.replay import ReplayMismatch
from bridge.recording.resuming import Resumed, resume
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_pb2 as episode_pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.errors import RequestError
from bridge.rpc.serving.leases import LeaseRecord, Leases, hash_lease
from bridge.rpc.serving.sessions import LOG_NAME, AnsweredStep, LogSync, Session, encode_refusal
from pysim.catalog import LevelError, parse_level
from pysim.level_selection import load_level
from pysim.puzzle import Level

__all__ = ["EpisodeFactory", "EpisodeSetup", "parse_setup", "resolve_level"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EpisodeSetup:
    """Setup of an episode to be begun.

    Attributes:
        options: how it is run.
        world: name of the world.
        picture_format: how its pictures are encoded.
        run_name: name of its folder; empty for one made up.
        brought: whether a client has brought the level.
    """

    options: Options
    world: str
    picture_format: str
    run_name: str
    brought: bool


def parse_setup(request: pb.StartEpisodeRequest) -> EpisodeSetup:
    """Parse a request's setup, except for the level.

    Raises:
        InputError: a value is out of range.
    """
    options = request.options
    return EpisodeSetup(
        options=codec.decode_options(options),
        world=options.world or "lattice",
        picture_format=codec.decode_picture_format(options),
        run_name=options.run_name,
        brought=request.WhichOneof("level") == "level_json",
    )


def resolve_level(request: pb.StartEpisodeRequest) -> Level[Any]:
    """Return the level that a request names or brings.

    Raises:
        LevelError: it brings one that is none.
        RequestError: it names none, or one that there is not.
    """
    if request.WhichOneof("level") == "level_json":
        return parse_level(request.level_json)
    if not request.level_id:
        raise RequestError(
            grpc.StatusCode.INVALID_ARGUMENT, "NO_LEVEL", "the request names no level"
        )
    try:
        # A file name would name a file of the server's: ids only.
        return load_level(request.level_id, files=False)
    except LevelError as error:
        code = grpc.StatusCode.NOT_FOUND
        raise RequestError(code, "LEVEL_NOT_FOUND", str(error)) from None


class EpisodeFactory:
    """Makes the :class:`~bridge.rpc.serving.sessions.Session` of an episode.

    Safe to use from many threads.

    Args:
        runs: folder under which each episode gets a folder of its own.
        renderer: makes everybody's pictures.
        engines: make the worlds.
        leases: where open episodes are written down.
    """

    def __init__(
        self, runs: Path, renderer: SharedRenderer, engines: Engines, leases: Leases
    ) -> None:
        self._runs = runs
        self._renderer = renderer
        self._engines = engines
        self._leases = leases

    def begin(
        self, level: Level[Any], order: EpisodeSetup
    ) -> tuple[Session, pb.StartEpisodeResponse]:
        """Begin an episode; if anything fails, nothing of it stays.

        Raises:
            LevelError: its texts can't be sent.
            InputError: no such world, or a run name that is no file name.
            RecordingError: its folder or log can't be written.
            WorldUnavailable, WorldError: the world's engine is not installed, or does not start.
        """
        summary = _summary(level)
        with contextlib.ExitStack() as undo:
            engine = self._engines.create_world(order.world)
            undo.callback(engine.close)
            name = order.run_name or _default_name(level, order)
            folder = new_run_folder(self._runs, name)
            undo.callback(_remove, folder)
            storing = LogSync()
            log = EpisodeLog(folder / LOG_NAME, storing.schedule)
            undo.callback(log.close)
            renderer = self._renderer if order.options.obs.has_images else None
            episode = Episode(level, engine, renderer, order.options, log, image_format="raw")
            lease, episode_id = secrets.token_hex(16), secrets.token_hex(8)
            session = Session(
                episode_id,
                hash_lease(lease),
                folder,
                episode,
                order.world,
                order.picture_format,
                storing,
                order.brought,
            )
            response = _response(session, episode, summary, lease)
            self._leases.keep(
                episode_id, LeaseRecord(folder.name, session.lease, session.picture_format)
            )
            undo.pop_all()
        return session, response

    def read(self, record: LeaseRecord) -> Log:
        """Return the log of an episode that was left.

        Raises:
            RequestError: it can't be read.
        """
        return _resuming(lambda: read_log(self._runs / record.folder / LOG_NAME))

    def resume(self, episode_id: str, record: LeaseRecord, log: Log) -> Session:
        """Go on with an episode that was left.

        Raises:
            RequestError: it can't go on.
        """
        shows = log.header.options.obs.has_images
        renderer = self._renderer if shows else None
        storing = LogSync()
        resumed = _resuming(lambda: resume(log, renderer, self._engines, storing.schedule))
        session = Session(
            episode_id,
            record.lease,
            self._runs / record.folder,
            resumed.episode,
            log.header.world[0],
            record.picture_format,
            storing,
            brought=True,
            answered=_answered(resumed, log),
        )
        self._leases.record_resumed(episode_id)
        return session


def _resuming(work: Callable[[], T]) -> T:
    try:
        return work()
    except (ReplayMismatch, LogError, RecordingError) as error:
        raise RequestError(
            grpc.StatusCode.FAILED_PRECONDITION,
            "CANNOT_RESUME",
            f"the episode was cut off, and can't go on: {error}",
        ) from error


def _answered(resumed: Resumed, log: Log) -> AnsweredStep | None:
    if resumed.last is None:
        return None
    last, episode = resumed.last, resumed.episode
    answer = last if isinstance(last, StepResult) else encode_refusal(episode, last)
    return AnsweredStep(episode.steps, log.steps[-1], answer)


def _summary(level: Level[Any]) -> episode_pb.LevelSummary:
    try:
        return codec.encode_level(level)
    except ValueError as error:  # Half of a surrogate pair, or a number of too many bits.
        raise LevelError(f"the level's description can't be sent: {error}") from None


def _response(
    session: Session, episode: Episode, summary: episode_pb.LevelSummary, lease: str
) -> pb.StartEpisodeResponse:
    observation = episode.observe(images=False)
    try:
        return pb.StartEpisodeResponse(
            episode_id=session.id,
            lease=lease,
            run_name=session.folder.name,
            level=summary,
            tools_json=json.dumps(episode.tools),
            instruction=observation.instruction,
            colours=observation.colours,
            budget=episode.budget,
            state_hash=episode.state_hash,
            knows_expected_step=True,
        )
    except ValueError as error:
        raise LevelError(f"the agent's part of the level can't be sent: {error}") from None


def _remove(folder: Path) -> None:
    """Take a new folder back."""
    with contextlib.suppress(OSError):
        (folder / LOG_NAME).unlink(missing_ok=True)
        folder.rmdir()


def _default_name(level: Level[Any], order: EpisodeSetup) -> str:
    agent = re.sub(r"[^A-Za-z0-9._-]+", "-", order.options.agent).strip("-") or "agent"
    return f"{level.id[:48]}-{agent[:40]}-{order.world}"
