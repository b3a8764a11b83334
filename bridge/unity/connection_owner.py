"""Owner of a connection to a player's port: the system knows it, where it has /proc."""

import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["is_from_session"]

_ESTABLISHED = "01"
_LOCAL, _REMOTE, _STATE, _INODE = 1, 2, 3, 9
"""Columns of the system's tables of connections."""


def is_from_session(peer: str, port: int, session: int) -> bool | None:
    """Whether a process of a session has the other end of a connection; None if nobody can tell.

    Args:
        peer: where it comes from, as gRPC writes it: ``ipv4:127.0.0.1:40000``.
        port: our end's.
        session: the number of the process that leads the session.
    """
    other = peer.rpartition(":")[2]
    if not other.isdecimal():
        return None
    sockets = {f"socket:[{inode}]" for inode in _inodes(int(other), port)}
    if not sockets:
        return None
    return any(not sockets.isdisjoint(_open_files(pid)) for pid in _processes(session))


def _inodes(local: int, remote: int) -> Iterator[str]:
    """The sockets on this machine that are bound to one port and connected with another one."""
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            fields = line.split()
            ends = tuple(int(fields[end].rpartition(":")[2], 16) for end in (_LOCAL, _REMOTE))
            if ends == (local, remote) and fields[_STATE] == _ESTABLISHED:
                yield fields[_INODE]


def _processes(session: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and _session_of(int(entry.name)) == session:
            yield int(entry.name)


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:  # It has ended since.
        return -1


def _open_files(pid: int) -> set[str]:
    found = set()
    try:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            found.add(str(entry.readlink()))
    except OSError:  # It has ended since, or closed one of them.
        pass
    return found
