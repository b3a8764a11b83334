"""Limits of a server's load, and of the size of one request.

Beyond a limit a call is refused with ``RESOURCE_EXHAUSTED``, and told what to do. Everything here
is in docs/reliability.md.
"""

import resource
from dataclasses import dataclass

from pysim.errors import InputError
from pysim.limits import MAX_LEVEL_BYTES, MAX_NOTED

__all__ = [
    "FIRST_CALL",
    "GRACE",
    "MAX_LEASE",
    "MAX_PLAIN_BYTES",
    "MAX_REQUEST_BYTES",
    "STREAM_IDLE",
    "WAITING",
    "ServerLimits",
    "raise_file_limit",
]

MAX_LEASE = 64
"""Characters of an episode's id and of its lease."""
MAX_REQUEST_BYTES = MAX_LEVEL_BYTES + 2**20
"""Bytes of an operator's request that holds a level's document."""
MAX_PLAIN_BYTES = MAX_NOTED + 2**16
"""Bytes of any other request, such as an action and its arguments."""
WAITING = 16
"""Calls that may wait for one episode."""
STREAM_IDLE = 60.0
"""Seconds after which a Play stream without an episode, and over which nothing comes, is ended."""
GRACE = 30.0
"""Seconds that an episode stays open once the stream is gone in which it was played."""
FIRST_CALL = 10.0
"""Seconds until a client without a key has to have shown a lease, or it loses its place."""

_PER_EPISODE = 2
"""Descriptors that an episode may need: its log's, and its client's connection."""
_RESERVED = 256
"""Descriptors for everything else: downloads, films, libraries, health checks."""


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits of a server's load.

    Attributes:
        episodes: open episodes.
        bullet_episodes: those among them whose world is ``bullet``.
        ended: ended episodes whose files may still be downloaded; beyond it the oldest go.
        streams: open Play streams.
        watchers: open streams of health checks and reflection.
        calls: calls of every kind.
        connections: connections of clients.

    Raises:
        InputError: a limit is less than 1.
    """

    episodes: int = 1024
    bullet_episodes: int = 128
    ended: int = 10_000

    def __post_init__(self) -> None:
        for name in ("episodes", "bullet_episodes", "ended"):
            if getattr(self, name) < 1:
                raise InputError(f"a limit is 1 or more, not {getattr(self, name)}")

    @property
    def streams(self) -> int:
        """Open Play streams: one for each episode, and some that are about to begin one."""
        return 2 * self.episodes + 1024

    @property
    def watchers(self) -> int:
        """Open streams of health checks, and of reflection."""
        return 64

    @property
    def calls(self) -> int:
        """Calls of every kind: all streams, and room for single calls."""
        return self.streams + 2 * self.watchers + 2048

    @property
    def connections(self) -> int:
        """Connections: one for each stream, and some for single calls."""
        return self.streams + 1024

    def limit_to(self, descriptors: int) -> "ServerLimits":
        """Return the same, with no more episodes than the system has descriptors for."""
        episodes = max(1, min(self.episodes, (descriptors - _RESERVED) // _PER_EPISODE))
        return ServerLimits(episodes, self.bullet_episodes, self.ended)


def raise_file_limit() -> int:
    """Raise the limit of open files of this process as far as possible, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else max(soft, 2**20)
    if soft != most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):  # Some systems have a lower limit of their own.
            return soft
    return most
