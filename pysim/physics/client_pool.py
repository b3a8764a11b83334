"""A few PyBullet clients for any number of worlds.

A client takes 28 MiB whether or not anything is in it, and a thirtieth of a second to make. So
worlds take turns: the client that a world had last stays its own until another world needs one and
all are somebody's; then the one that was used least lately is cleared, and its world builds itself
anew when it is used next. That changes nothing: the clients of worlds only answer what is in what.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from pysim.physics.engine import BulletClient

__all__ = ["ClientPool"]


class _PooledClient:
    """One client, and whose bodies are in it."""

    def __init__(self, client: BulletClient) -> None:
        self.client = client
        self.owner: int | None = None
        self.lent = False


class ClientPool:
    """Clients that are lent to worlds. Safe to use from many threads.

    Args:
        bullet: the module.
        size: clients that are kept; more are made if more worlds move at the same time.
    """

    def __init__(self, bullet: ModuleType, size: int) -> None:
        self._bullet = bullet
        self._size = size
        self._lock = threading.Lock()
        self._places: list[_PooledClient] = []
        """Least lately used first."""
        self._falling = threading.Lock()
        self._falls: BulletClient | None = None
        self._worlds = self._entered = 0

    def __len__(self) -> int:
        """Return the number of clients, the one for falls not counted."""
        return len(self._places)

    def register(self) -> int:
        """Return one world more; by what it is known here."""
        with self._lock:
            self._worlds += 1
            self._entered += 1
            return self._entered

    def unregister(self, owner: int) -> None:
        """A world is closed; without any, no client is kept."""
        with self._lock:
            self._worlds -= 1
            for place in self._places:
                if place.owner == owner:
                    place.owner = None
            idle = [place for place in self._places if place.owner is None and not place.lent]
            self._close(idle if not self._worlds else idle[1:])
            if not self._worlds and self._falls is not None and self._falling.acquire(False):
                self._falls.close()
                self._falls = None
                self._falling.release()

    @contextmanager
    def lease(self, owner: int) -> Iterator[tuple[BulletClient, bool]]:
        """A client for a while, and whether the owner's bodies are still in it."""
        place, kept = self._take(owner)
        try:
            yield place.client, kept
        except BaseException:
            place.owner = None  # Who knows what is in it.
            raise
        finally:
            self._give_back(place)

    @contextmanager
    def lease_for_falls(self) -> Iterator[BulletClient]:
        """The client in which bodies fall, one fall at a time; it is cleared before each."""
        with self._falling:
            if self._falls is None:
                self._falls = BulletClient(self._bullet)
            yield self._falls

    def _take(self, owner: int) -> tuple[_PooledClient, bool]:
        with self._lock:
            free = [place for place in self._places if not place.lent]
            for place in free:
                if place.owner == owner:
                    return self._mark(place, owner), True
            for place in free:
                if place.owner is None:
                    return self._mark(place, owner), False
            if free and len(self._places) >= self._size:
                return self._mark(free[0], owner), False
            place = _PooledClient(BulletClient(self._bullet))
            self._places.append(place)
            return self._mark(place, owner), False

    def _mark(self, place: _PooledClient, owner: int) -> _PooledClient:
        place.owner, place.lent = owner, True
        self._places.remove(place)
        self._places.append(place)
        return place

    def _give_back(self, place: _PooledClient) -> None:
        with self._lock:
            place.lent = False
            surplus = len(self._places) - self._size
            idle = [p for p in self._places if not p.lent]
            self._close(idle[: max(0, surplus)])

    def _close(self, places: list[_PooledClient]) -> None:
        for place in places:
            self._places.remove(place)
            place.client.close()
