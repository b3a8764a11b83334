"""Open episodes of a server, kept beside their logs, so that another server can go on.

A log has all that an episode needs to go on but who may. So each open episode has a small file in
``.leases/SERVER`` of the folder of runs, which only its owner can read: the folder of its log, and
a hash of its lease. A server holds a lock on its folder of these for as long as its process lives;
the next one takes over the folders whose lock is free. An episode's file goes when it is closed.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import secrets
import threading
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from bridge.recording.errors import RecordingError, reason_of

__all__ = ["LeaseRecord", "Leases", "hash_lease"]

_FOLDER = ".leases"
_LOCK = "lock"
_MOST = 1024
"""Bytes of an episode's file."""
_ID = re.compile("[0-9a-f]{16}")


def hash_lease(lease: str) -> bytes:
    """Hash a lease; only the hash is kept."""
    return hashlib.sha256(lease.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class LeaseRecord:
    """Record of an open episode.

    Attributes:
        folder: name of its folder under the folder of runs.
        lease: hash of its lease.
        picture_format: how its pictures are encoded.
    """

    folder: str
    lease: bytes
    picture_format: str

    def to_json(self) -> bytes:
        """As it is written."""
        fields = {"folder": self.folder, "lease": self.lease.hex(), "pictures": self.picture_format}
        return json.dumps(fields).encode()

    @staticmethod
    def from_json(data: bytes) -> "LeaseRecord | None":
        """The inverse; None if somebody else has written it, or a folder is named elsewhere."""
        try:
            fields = json.loads(data)
            record = LeaseRecord(
                str(fields["folder"]), bytes.fromhex(fields["lease"]), fields["pictures"]
            )
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        plain = record.folder == Path(record.folder).name and record.folder not in ("", "..")
        return record if plain and record.picture_format in ("png", "jpeg", "raw") else None


class Leases:
    """The open episodes of one server, and those that servers left which are no more.

    Safe to use from many threads, as each episode is.

    Args:
        runs: folder of the episodes' folders.
    """

    def __init__(self, runs: Path) -> None:
        self._root = runs / _FOLDER
        self._name = secrets.token_hex(8)
        self._lock: FileIO | None = None
        self._making = threading.Lock()
        self._left: set[Path] = set()

    def keep(self, episode_id: str, record: LeaseRecord) -> None:
        """Write down an episode that has begun.

        Raises:
            RecordingError: it can't be written.
        """
        path = self._own() / episode_id
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "wb") as file:  # noqa: PTH123
                file.write(record.to_json())
        except OSError as error:
            raise RecordingError(f"can't write {path}: {reason_of(error)}") from error

    def drop(self, episode_id: str) -> None:
        """An episode was closed; nobody will go on with it."""
        with contextlib.suppress(OSError):
            (self._root / self._name / episode_id).unlink()

    def find(self, episode_id: str) -> LeaseRecord | None:
        """Return the episode that a server left which is no more; None if there is none.

        It is this server's from now on.
        """
        if not _ID.fullmatch(episode_id) or not self._root.is_dir():
            return None
        self.take_over()
        try:
            with (self._root / self._name / episode_id).open("rb") as file:
                return LeaseRecord.from_json(file.read(_MOST))
        except OSError:
            return None

    def take_over(self) -> None:
        """Make what servers left that are no more this one's own."""
        with contextlib.suppress(OSError):  # Nobody has written here yet, or nobody may.
            for folder in self._root.iterdir():
                if folder.name != self._name:
                    self._take(folder)

    def forget_left(self) -> None:
        """Nobody goes on with what was left: its logs stay without an end."""
        for path in list(self._left):
            with contextlib.suppress(OSError):
                path.unlink()
        self._left.clear()

    def record_resumed(self, episode_id: str) -> None:
        """An episode that was left is played again."""
        self._left.discard(self._root / self._name / episode_id)

    def close(self) -> None:
        """The server stops, and has closed its episodes."""
        if self._lock is None:
            return
        folder = self._root / self._name
        with contextlib.suppress(OSError):
            if not [path for path in folder.iterdir() if path.name != _LOCK]:
                (folder / _LOCK).unlink()
                folder.rmdir()
                self._root.rmdir()
        self._lock.close()
        self._lock = None

    def _own(self) -> Path:
        """This server's folder, made and locked when it is first needed.

        Raises:
            RecordingError: it can't be made.
        """
        with self._making:
            if self._lock is None:
                self._lock = self._made()
            return self._root / self._name

    def _made(self, tries: int = 3) -> FileIO:
        folder = self._root / self._name
        try:
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            return _locked(folder, os.O_CREAT)
        except OSError as error:
            if tries:  # Another server may have come in between, and taken it for left.
                self._name = secrets.token_hex(8)
                return self._made(tries - 1)
            raise RecordingError(f"can't write {folder}: {reason_of(error)}") from error

    def _take(self, folder: Path) -> None:
        """Take over the files of one server, if it is no more."""
        try:
            lock = _locked(folder)
        except OSError:
            return
        with lock, contextlib.suppress(OSError, RecordingError):
            for path in [path for path in folder.iterdir() if path.name != _LOCK]:
                here = self._own() / path.name
                path.rename(here)
                self._left.add(here)
            (folder / _LOCK).unlink()
            folder.rmdir()


def _locked(folder: Path, how: int = 0) -> FileIO:
    """Return the lock of a server's folder, held until it is closed or the process ends.

    Raises:
        OSError: another process holds it, or it can't be written.
    """
    handle = os.open(folder / _LOCK, os.O_RDWR | how, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return FileIO(handle, "r+")
