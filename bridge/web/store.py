"""The games of a server: those that are open, and episodes that go on from their logs."""

import secrets
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from bridge.episode.episode import Episode
from bridge.recording.errors import LogError, RecordingError
from bridge.recording.log import read_log
from bridge.recording.replay import ReplayMismatch
from bridge.recording.resuming import resume
from bridge.rpc.serving.leases import LeaseRecord, Leases, hash_lease
from bridge.web.games import LOG_NAME, EpisodeGame, Game, PracticeGame, begin_episode
from pysim.catalog import AnyLevel
from pysim.errors import LubanError
from pysim.render.renderer import Renderer

__all__ = ["GameGone", "GameStore", "OpenGame"]

_MOST = 512
"""Games that are held open; those that were used longest ago are put away, and go on when asked."""
_HIDDEN = ".web"
"""Folder under that of the runs, for the leases of pages."""
_KEY_LENGTH = 200


class GameGone(LubanError):
    """The page's episode can't go on."""


@dataclass(slots=True, eq=False)
class OpenGame:
    """A game that is open.

    Attributes:
        game: the game itself, used under ``lock`` only.
        lock: held while it is used.
        holder: the page that plays it; another one takes it over.
        touched: when it was last used, seconds of ``time.monotonic``.
        lease: hash of the secret of its page.
    """

    game: Game
    lease: bytes = b""
    lock: threading.Lock = field(default_factory=threading.Lock)
    holder: object | None = None
    touched: float = field(default_factory=time.monotonic)


class GameStore:
    """Begins games, and finds them again by the keys of their pages.

    A key is an episode's id and a secret of which the disk has a hash only. Episodes outlive the
    server: another one on the same folder goes on from their logs. Safe to use from many threads.

    Args:
        runs: folder of the episodes' folders.
        renderer: makes pictures; it may be used from any thread.
    """

    def __init__(self, runs: Path, renderer: Renderer) -> None:
        self._runs = runs
        self._renderer = renderer
        self._leases = Leases(runs / _HIDDEN)
        self._open: dict[str, OpenGame] = {}
        self._lock = threading.Lock()

    def begin(self, level: AnyLevel, *, pictures: bool) -> OpenGame:
        """Begin an episode; arguments as :func:`bridge.web.games.begin_episode`.

        Raises:
            RecordingError: its folder or log can't be written.
        """
        episode, folder = begin_episode(level, self._runs, self._renderer, pictures=pictures)
        number, secret = secrets.token_hex(8), secrets.token_urlsafe(24)
        lease = hash_lease(secret)
        self._leases.keep(number, LeaseRecord(folder.name, lease, "png"))
        return self._keep(number, OpenGame(EpisodeGame(episode, f"{number}.{secret}"), lease))

    def forget(self, known: OpenGame) -> None:
        """An episode has ended: nobody will go on with it once this server is gone."""
        with self._lock:
            numbers = [number for number, game in self._open.items() if game is known]
        for number in numbers:
            self._leases.drop(number)

    @staticmethod
    def practice(level: AnyLevel) -> OpenGame:
        """Return a new practice game, which ends with its page."""
        return OpenGame(PracticeGame(level))

    def find(self, key: str) -> OpenGame:
        """Return the episode of a page.

        Raises:
            GameGone: there is none that can go on.
        """
        number, _, secret = key[:_KEY_LENGTH].partition(".")
        lease = hash_lease(secret)
        with self._lock:
            known = self._open.get(number)
        if known is None:
            known = self._resume(number, lease, key)
        if not secrets.compare_digest(known.lease, lease):
            raise GameGone("this episode belongs to another page")
        known.touched = time.monotonic()
        return known

    def _resume(self, number: str, lease: bytes, key: str) -> OpenGame:
        record = self._leases.find(number)
        if record is None or not secrets.compare_digest(record.lease, lease):
            raise GameGone("this server knows no such episode: begin a new one")
        try:
            episode = self._replay(record)
        except (LogError, RecordingError, ReplayMismatch) as error:
            raise GameGone(f"the episode was cut off, and can't go on: {error}") from error
        self._leases.record_resumed(number)
        return self._keep(number, OpenGame(EpisodeGame(episode, key), lease))

    def _replay(self, record: LeaseRecord) -> Episode:
        log = read_log(self._runs / record.folder / LOG_NAME)
        return resume(log, self._renderer).episode

    def _keep(self, number: str, game: OpenGame) -> OpenGame:
        with self._lock:
            game = self._open.setdefault(number, game)
            spare = sorted(self._open, key=lambda one: self._open[one].touched)[:-_MOST]
            put_away = [self._open.pop(one) for one in spare]
        for one in put_away:
            _leave(one)
        return game

    def close(self) -> None:
        """Leave all games; their logs stay without an end, and another server can go on."""
        with self._lock:
            games = list(self._open.values())
            self._open.clear()
        for game in games:
            _leave(game)
        self._leases.close()


def _leave(game: OpenGame) -> None:
    with game.lock:
        game.game.leave()
