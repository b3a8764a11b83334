"""Players that are lent out and taken back: Unity takes seconds to start, an episode far less."""

import threading

from bridge.unity.link import Launch
from bridge.unity.player import Player

__all__ = ["PlayerPool"]

_SPARE = 4
"""Idle players of a kind that are kept."""


class PlayerPool:
    """Players of one build. Safe to use from many threads.

    Args:
        launch: how they are started.
    """

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._lock = threading.Lock()
        self._idle: dict[bool, list[Player]] = {False: [], True: []}
        self._closed = False

    def take(self, *, graphics: bool) -> Player:
        """Return a player that nobody else has, with any scene or none.

        Args:
            graphics: whether it must be able to draw.

        Raises:
            PlayerError: none can be started.
            RuntimeError: the pool is closed.
        """
        while (player := self._idle_one(graphics)) is not None:
            if player.sound:
                return player
            player.close()  # It died while nobody needed it.
        return Player(self._launch, graphics=graphics)

    def give_back(self, player: Player, *, graphics: bool) -> None:
        """Take a player back; one that failed, or is one too many, is ended."""
        with self._lock:
            idle = self._idle[graphics]
            if player.sound and not self._closed and len(idle) < _SPARE:
                idle.append(player)
                return
        player.close()

    def _idle_one(self, graphics: bool) -> Player | None:
        with self._lock:
            if self._closed:
                raise RuntimeError("the players are closed")
            return self._idle[graphics].pop() if self._idle[graphics] else None

    def close(self) -> None:
        """End the idle players, and those lent out as they come back; may be called twice."""
        with self._lock:
            self._closed = True
            idle = [player for players in self._idle.values() for player in players]
            self._idle = {False: [], True: []}
        for player in idle:
            player.close()

    def __enter__(self) -> "PlayerPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
