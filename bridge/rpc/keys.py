"""Operators' keys of servers on this machine, kept where the same user's programs find them.

``luban serve`` makes a key each time that it starts, and keeps it as long as it runs in a file of
its own, named after the address, which nobody but the user can read. ``connect`` looks there. A key
is kept for the machine's own addresses as such: it is never sent to another machine that happens to
use the same port.

Folder: ``$XDG_STATE_HOME/luban/keys``, else ``~/.local/state/luban/keys``, or where neither can be
written one of the user's own among the temporary files.
"""

import contextlib
import ipaddress
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pysim.machine import find_home

__all__ = ["find_key", "generate_key", "is_loopback", "keep_key"]

_LONGEST = 4096


def generate_key() -> str:
    """Return a key that nobody can guess."""
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach what listens on ``host``."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@contextmanager
def keep_key(address: str, key: str) -> Iterator[Path]:
    """Keep the key of the server at ``host:port`` while it runs; gives the file.

    Raises:
        OSError: there is no place that can be written.
    """
    own, *others = _names(address)
    for folder in _folders():  # Left by servers that were killed: the port is ours now.
        for name in (own, *others):
            with contextlib.suppress(OSError):
                (folder / name).unlink()
    path = _written(own, key)
    try:
        yield path
    finally:
        if _read(path) == key:  # Another server may have taken the port over meanwhile.
            with contextlib.suppress(OSError):
                path.unlink()


def find_key(address: str) -> str:
    """Return the key that is kept for the server at ``host:port``; empty if there is none."""
    paths = (folder / name for name in _names(address) for folder in _folders())
    return next((key for path in paths if (key := _read(path))), "")


def _names(address: str) -> tuple[str, ...]:
    """Return the names that the file for an address may have, its own name first.

    A server that listens on every address of the machine is reached by its loopback address, too.
    """
    host, _, port = address.rpartition(":")
    here, everywhere = _plain(f"localhost-{port}"), _plain(f"any-{port}")
    if is_loopback(host):
        return here, everywhere
    if host in ("0.0.0.0", "[::]", "::", ""):
        return everywhere, here
    return (_plain(f"{host}-{port}"),)


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "_", name)[:200]


def _folders() -> tuple[Path, Path]:
    state = os.environ.get("XDG_STATE_HOME") or find_home() / ".local" / "state"
    return (
        Path(state) / "luban" / "keys",
        Path(tempfile.gettempdir()) / f"luban-keys-{os.getuid()}",
    )


def _written(name: str, key: str) -> Path:
    usual, spare = _folders()
    try:
        return _write(usual, name, key)
    except OSError:
        return _write(spare, name, key)


def _write(folder: Path, name: str, key: str) -> Path:
    """Return the file with a key, whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid() or about.st_mode & 0o022:
        raise OSError(f"{folder} may be written by others")
    handle, draft = tempfile.mkstemp(prefix=".", dir=folder)  # Readable by its owner alone.
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(key)
    return Path(draft).replace(folder / name)


def _read(path: Path) -> str:
    """The key in a file; empty if there is none, or if others could have written or read it."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(file.fileno())
        own = stat.S_ISREG(about.st_mode) and about.st_uid == os.getuid()
        if not own or about.st_mode & 0o077:
            return ""
        return file.read(_LONGEST).decode("ascii", "replace")
