"""Find the process behind a connection to a player's port, on systems with /proc."""

import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["is_from_session"]

_ESTABLISHED = "01"
_LOCAL_ADDRESS, _REMOTE_ADDRESS, _STATE, _INODE = 1, 2, 3, 9
"""Columns of /proc/net/tcp."""


def is_from_session(peer: str, port: int, session: int) -> bool | None:
    """Return whether a process of a session owns the peer's socket; None if that is unknown.

    Args:
        peer: the peer's address, as gRPC writes it: ``ipv4:127.0.0.1:40000``.
        port: the local port.
        session: session id, which is the process id of the session leader.
    """
    peer_port = peer.rpartition(":")[2]
    if not peer_port.isdecimal():
        return None
    sockets = {f"socket:[{inode}]" for inode in _find_sockets(int(peer_port), port)}
    if not sockets:
        return None
    return any(not sockets.isdisjoint(_list_open_files(pid)) for pid in _list_processes(session))


def _find_sockets(local: int, remote: int) -> Iterator[str]:
    """Yield the inodes of established sockets with a local and a remote port."""
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            fields = line.split()
            addresses = fields[_LOCAL_ADDRESS], fields[_REMOTE_ADDRESS]
            ports = tuple(int(address.rpartition(":")[2], 16) for address in addresses)
            if ports == (local, remote) and fields[_STATE] == _ESTABLISHED:
                yield fields[_INODE]


def _list_processes(session: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and _get_session(int(entry.name)) == session:
            yield int(entry.name)


def _get_session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:  # The process has ended.
        return -1


def _list_open_files(pid: int) -> set[str]:
    targets = set()
    try:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            targets.add(str(entry.readlink()))
    except OSError:  # The process has ended, or closed a file.
        pass
    return targets
