"""Pruning tables on disk: made once, shared by all processes.

A file holds a line of JSON (format, metric, number of entries, SHA-256 of what follows), padded to
4096 bytes, and then the packed entries. It is written beside its place and renamed, so that it is
there whole or not at all, under a lock, so that processes that need it at once make it once. It is
read by mapping it into memory: processes share its pages.

Users may share the folder, :func:`~pysim.machine.find_cache`: everybody can read its tables, only
who has made one can write it, and one that others may write is not believed. Who is not allowed to
write there keeps what is missing in a folder of their own among the temporary files, and if that
can't be had for this process only.
"""

import contextlib
import errno
import fcntl
import hashlib
import json
import logging
import os
import random
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pysim.machine import find_cache

__all__ = ["Bytes", "TableDraft", "cache_folder", "find_table_path", "has_table", "load_table"]

FORMAT = "luban-rubik-table/1"
_HEADER = 4096
_PART = ".part"
_READABLE = 0o644
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_LARGE = 1 << 27
"""A table of so many bytes is read in parts: whole, that would take a good part of a second."""
_PARTS, _SAMPLED = 64, 4
"""Each reading checks some of so many parts, others each time."""
_SHORT = 32
"""Letters of a part's digest, so that all fit into the header."""
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)

Bytes = NDArray[np.uint8]


def cache_folder() -> Path:
    """Return the folder of the tables; it may not exist yet."""
    return find_cache("rubik")


def find_table_path(name: str) -> Path:
    """Find the path of the table called ``name``."""
    return cache_folder() / f"{name}.table"


def load_table(name: str, make: Callable[[], Bytes]) -> Bytes:
    """Return the table called ``name``, read-only; made and kept if it is missing or damaged.

    Raises:
        OSError: the folder can't be written, for another reason than that it is not allowed.
    """
    path, spare = _places(name)
    found = _read(path, name)
    if found is None and _is_own(spare):
        found = _read(spare, name)
    if found is not None:
        return found
    try:
        _make_folder(path.parent)
        return _kept(path, name, make)
    except OSError as error:
        if error.errno not in _FORBIDDEN:
            raise OSError(
                f"the table {path} can't be kept ({error}); free some space, or set LUBAN_CACHE "
                "to a folder that can be written"
            ) from error
    return _kept_for_this_user(path, spare, name, make)


class TableDraft:
    """A table that is being made, as far as it has come, so that it goes on after a break.

    It is kept in this user's own folder among the temporary files, where nobody else can write.
    What can't be kept or read is begun anew.
    """

    def __init__(self, name: str, every: float = 5.0) -> None:
        self._path = _places(name)[1].with_suffix(".draft")
        self._every, self._kept = every, monotonic()

    def read(
        self, shape: tuple[int, ...], is_whole: Callable[[Bytes, list[int]], bool] | None = None
    ) -> tuple[Bytes, list[int]] | None:
        """Return the entries, and how many have each distance; None if there is no draft.

        Args:
            is_whole: whether entries are as many as counted; None if each is a distance.
        """
        if not (_is_own(self._path.parent) and _is_own(self._path)):
            return None
        try:
            with self._path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                entries, counts = kept["entries"], kept["counts"].tolist()
        except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError):
            return None
        whole = entries.shape == shape and counts and (is_whole or _are_distances)(entries, counts)
        return (entries, counts) if whole else None

    def keep(self, entries: Bytes, counts: list[int]) -> None:
        """Write it down, if that was not done a moment ago."""
        if monotonic() - self._kept < self._every:
            return
        part = self._path.with_suffix(_PART)
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            if _is_own(self._path.parent):
                with part.open("wb") as file:
                    np.savez(file, entries=entries, counts=np.array(counts))
                part.replace(self._path)
        self._kept = monotonic()

    def drop(self) -> None:
        """The table is made."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


def _are_distances(entries: Bytes, counts: list[int]) -> bool:
    found = np.bincount(entries.reshape(-1), minlength=256)
    return bool(found[: len(counts)].tolist() == counts)


def has_table(name: str) -> bool:
    """Return whether there is a table called ``name``."""
    path, spare = _places(name)
    try:
        return path.exists() or _is_own(spare)
    except PermissionError:  # A home that may not be entered.
        return _is_own(spare)


def _places(name: str) -> tuple[Path, Path]:
    """Return the path of the table called ``name``, and the one if that is not allowed."""
    own = Path(tempfile.gettempdir()) / f"luban-cache-{os.getuid()}"
    return find_table_path(name), own / f"{name}.table"


def _make_folder(folder: Path) -> None:
    """A folder into which others can look, whatever is usual here; and so the one around it."""
    for made in (folder.parent, folder):
        if not made.is_dir():
            made.mkdir(parents=True, exist_ok=True)
            made.chmod(0o755)


def _is_own(path: Path) -> bool:
    """Return whether a file is there that this user has made: anybody may make one in its place."""
    try:
        return path.lstat().st_uid == os.getuid()
    except OSError:
        return False


def _kept(path: Path, name: str, make: Callable[[], Bytes]) -> Bytes:
    """Make a table and keep it, unless another process has done so meanwhile.

    Raises:
        OSError: it can't be kept there.
    """
    with _locked(path.with_suffix(".lock")):
        found = _read(path, name)
        if found is None:
            _sweep(path)
            _write(path, name, make())
            found = _read(path, name)
    if found is None:
        raise OSError(f"{path} was written but can't be read; is the disk full?")
    return found


def _kept_for_this_user(path: Path, spare: Path, name: str, make: Callable[[], Bytes]) -> Bytes:
    say = logging.getLogger(__name__).warning
    try:
        spare.parent.mkdir(mode=0o700, exist_ok=True)
        if not (_is_own(spare.parent) and stat.S_ISDIR(spare.parent.lstat().st_mode)):
            raise OSError(f"{spare.parent} is somebody else's")
        table = _kept(spare, name, make)
    except OSError:
        say("the table %s can't be written, and is made for this process only", path)
        table = make()
        table.flags.writeable = False
        return table
    say("the table %s can't be written, and is kept in %s", path, spare)
    return table


def _read(path: Path, name: str) -> Bytes | None:
    """The table in a file; None if it is missing, damaged, of another format, or open to others."""
    try:
        status = path.stat()
        if status.st_mode & _OTHERS_WRITE:
            return None
        if status.st_uid == os.getuid() and status.st_mode & _READABLE != _READABLE:
            path.chmod(_READABLE)  # Tables of Luban 0.1 were their maker's alone.
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError):  # Not there, or empty.
        return None
    entries: Bytes = np.asarray(mapped)[_HEADER:]
    try:
        header = json.loads(bytes(mapped[:_HEADER]))
    except ValueError:
        return None
    return entries if _is_whole(header, name, entries) else None


def _sweep(path: Path) -> None:
    """Remove what was left by processes that were killed while they wrote."""
    for left in path.parent.glob(f"{path.stem}.*{_PART}"):
        left.unlink(missing_ok=True)


def _write(path: Path, name: str, entries: Bytes) -> None:
    header = json.dumps(_header(name, entries)).encode().ljust(_HEADER)
    with tempfile.NamedTemporaryFile(
        dir=path.parent, prefix=f"{path.stem}.", suffix=_PART, delete=False
    ) as file:
        try:
            file.write(header)
            file.write(entries.data)
            file.flush()
            os.fchmod(file.fileno(), _READABLE)
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _header(name: str, entries: Bytes) -> dict[str, object]:
    known = _known(name, entries)
    if len(entries) < _LARGE:
        return {**known, "sha256": _digest(entries)}
    return {**known, "parts": [_digest(part)[:_SHORT] for part in np.array_split(entries, _PARTS)]}


def _known(name: str, entries: Bytes) -> dict[str, object]:
    return {"format": FORMAT, "name": name, "bytes": len(entries)}


def _digest(entries: Bytes) -> str:
    return hashlib.sha256(entries.data).hexdigest()


def _is_whole(header: dict[str, object], name: str, entries: Bytes) -> bool:
    """Return whether a table is what its header says; of a large one some parts are looked at."""
    if len(entries) < _LARGE:
        return header == _header(name, entries)
    told, parts = header.get("parts"), np.array_split(entries, _PARTS)
    if not isinstance(told, list) or len(told) != _PARTS:
        return False
    chosen = random.sample(range(_PARTS), _SAMPLED)
    return header == {**_known(name, entries), "parts": told} and all(
        told[k] == _digest(parts[k])[:_SHORT] for k in chosen
    )


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Alone among all processes that lock the same file."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
