"""The episodes of a server: leases, run folders, and closing what nobody touches."""

import contextlib
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.episode.rendering import SharedRenderer
from bridge.recording.folders import new_run_folder
from bridge.recording.log import EpisodeLog, RecordingError
from bridge.rpc.errors import RequestError
from pysim.puzzle import Level

__all__ = ["EpisodeStore", "Session"]

LOG_NAME = "episode.jsonl"
VIDEO_NAME = "episode.mp4"


@dataclass
class Session:
    """One episode of one client.

    Attributes:
        id: its name on the wire.
        lease: the secret that every call carries.
        folder: where its files are.
        episode: the controller; used under ``lock`` only.
        picture_format: how its pictures are encoded.
        touched: when it was last used, seconds of ``time.monotonic``.
        closed: whether its world has been freed.
        hang_up: ends the stream in which it was begun; None if it was begun by a single call.
    """

    id: str
    lease: str
    folder: Path
    episode: Episode
    picture_format: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    touched: float = field(default_factory=time.monotonic)
    closed: bool = False
    hang_up: Callable[[], object] | None = None

    @property
    def log_path(self) -> Path:
        """The episode's log."""
        return self.folder / LOG_NAME

    @property
    def video_path(self) -> Path:
        """The episode's video, once it has been made."""
        return self.folder / VIDEO_NAME

    def close(self, note: str) -> None:
        """Give up if the episode has not ended, and free its world."""
        with self.lock:
            if not self.closed:
                self.closed = True
                try:
                    self.episode.give_up(note)
                finally:
                    self.episode.close()


class EpisodeStore:
    """All episodes of a server. Safe to use from many threads.

    Args:
        runs: folder under which each episode gets a folder of its own.
        idle_timeout: seconds after which an episode that nobody touches is closed and forgotten.
        renderer: makes everybody's pictures.
        engines: make the worlds.
        limit: episodes that may be open at once.
    """

    def __init__(
        self,
        runs: Path,
        idle_timeout: float,
        renderer: SharedRenderer,
        engines: Engines = LOCAL,
        limit: int = 256,
    ) -> None:
        self._runs = runs
        self._idle_timeout = idle_timeout
        self._renderer = renderer
        self._engines = engines
        self._limit = limit
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._reaper = threading.Thread(target=self._reap, name="luban-reaper", daemon=True)
        self._reaper.start()

    def start(
        self,
        level: Level[Any],
        options: Options,
        *,
        world: str,
        picture_format: str,
        run_name: str,
    ) -> Session:
        """Begin an episode.

        Raises:
            InputError: no such world, or a run name that is no file name.
            RequestError: too many episodes are open.
            RecordingError: its folder or log can't be written.
            WorldUnavailable, WorldError: the world's engine is not installed, or does not start.
        """
        engine = self._engines.create_world(world)
        try:
            self._require_room()
            folder = new_run_folder(self._runs, run_name or _default_name(level, options, world))
        except BaseException:
            engine.close()
            raise
        renderer = self._renderer if options.obs.has_images else None
        try:
            episode = Episode(level, engine, renderer, options, EpisodeLog(folder / LOG_NAME))
        except BaseException:
            engine.close()
            with contextlib.suppress(OSError):
                folder.rmdir()
            raise
        session = Session(
            secrets.token_hex(8), secrets.token_hex(16), folder, episode, picture_format
        )
        with self._lock:
            self._sessions[session.id] = session
        return session

    def get(self, episode_id: str, lease: str) -> Session:
        """The session of a call, which counts as touching it.

        Raises:
            RequestError: no such episode, or not the client's own.
        """
        session = self._sessions.get(episode_id)
        if session is None:
            raise RequestError(
                grpc.StatusCode.NOT_FOUND,
                "EPISODE_NOT_FOUND",
                f"there is no episode {episode_id[:40]!r}; it may have been closed after "
                f"{self._idle_timeout:g} s without a call",
            )
        if not secrets.compare_digest(session.lease.encode(), lease.encode()):
            raise RequestError(
                grpc.StatusCode.PERMISSION_DENIED,
                "WRONG_LEASE",
                "this episode belongs to another client",
            )
        session.touched = time.monotonic()
        return session

    def close(self, note: str) -> None:
        """Close every episode and stop looking for idle ones."""
        self._stop.set()
        self._reaper.join()
        with self._lock:
            sessions = list(self._sessions.values())
            self._sessions.clear()
        for session in sessions:
            _close(session, note)

    def _require_room(self) -> None:
        with self._lock:
            count = sum(not session.closed for session in self._sessions.values())
        if count >= self._limit:
            raise RequestError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_EPISODES",
                f"{count} episodes are open; end one first",
            )

    def _reap(self) -> None:
        while not self._stop.wait(min(1.0, self._idle_timeout / 4)):
            limit = time.monotonic() - self._idle_timeout
            with self._lock:
                # A call under way touches the episode for as long as it takes.
                idle = [
                    s for s in self._sessions.values() if s.touched < limit and not s.lock.locked()
                ]
                for session in idle:
                    del self._sessions[session.id]
            for session in idle:
                _close(session, f"nobody touched it for {self._idle_timeout:g} s")
                if session.hang_up is not None:
                    session.hang_up()


def _close(session: Session, note: str) -> None:
    """Close a session; if its log can't be finished, that keeps no other from being closed."""
    try:
        session.close(note)
    except RecordingError as error:
        logging.getLogger(__name__).warning("%s", error)


def _default_name(level: Level[Any], options: Options, world: str) -> str:
    agent = re.sub(r"[^A-Za-z0-9._-]+", "-", options.agent).strip("-") or "agent"
    return f"{level.id[:48]}-{agent[:40]}-{world}"
