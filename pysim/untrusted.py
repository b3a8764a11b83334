"""The one reader of files that may come from another person: levels, runs, bundles, videos.

Each kind of file has a limit, and magic bytes where its format has any. A file is regular: a pipe
or a device may never end. In a folder of somebody else no link leads out of it, so that nothing
private is read or written in its place. Each :class:`FileKind` is a constant of the module that
reads it, and the soak damages a file of each (``tests/soak/kinds.py``).
"""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any, Final

from pysim.errors import InputError
from pysim.limits import clip_text

__all__ = [
    "GIB",
    "MIB",
    "MP4",
    "PNG",
    "ZIP",
    "FileKind",
    "FileRefused",
    "open_untrusted",
    "parse_json",
    "read_untrusted",
    "refuse_leaving_links",
]

MIB: Final = 2**20
GIB: Final = 2**30

Magic = tuple[int, bytes]
"""Offset from the beginning, and the bytes that stand there."""

PNG: Final[tuple[Magic, ...]] = ((0, b"\x89PNG\r\n\x1a\n"),)
MP4: Final[tuple[Magic, ...]] = ((4, b"ftyp"),)
ZIP: Final[tuple[Magic, ...]] = ((0, b"PK\x03\x04"),)


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file that some command reads.

    Attributes:
        title: its name in messages, with an article. No other kind has it.
        most: bytes that it may have.
        magic: where its format has magic bytes, those of which one has to be there.
    """

    title: str
    most: int
    magic: tuple[Magic, ...] = ()


class FileRefused(InputError, OSError):
    """A file is not read: it is no file, too large, of another kind, or outside of its folder.

    It is an ``OSError`` as well, of which ``filename`` and ``strerror`` are set: whoever handles
    files that can't be read handles these.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.filename = path
        self.strerror = reason

    def __reduce__(self) -> tuple[type["FileRefused"], tuple[object, ...]]:
        return FileRefused, (self.filename, self.strerror)

    def __str__(self) -> str:
        return clip_text(f"{self.filename}: {self.strerror}")


def open_untrusted(path: Path, kind: FileKind, inside: Path | None = None) -> BufferedReader:
    """Open a file for reading.

    Args:
        path: of the file.
        kind: what it has to be.
        inside: folder in which it has to lie, wherever links lead; None for a file that the user
            has named.

    Raises:
        FileRefused: it is no regular file, is too large, has no magic bytes, or lies elsewhere.
        OSError: it can't be opened.
    """
    if "\0" in str(path):
        raise FileRefused(str(path), "this is no name of a file")
    if inside is not None:
        _require_inside(path, os.path.realpath(inside))
    _check(path, path.stat(), kind)  # Opening some devices does something.
    file: BufferedReader = BufferedReader(FileIO(str(path), opener=_open_at_once))
    try:
        _check(path, os.fstat(file.fileno()), kind)
        if kind.magic:
            _check_magic(path, file, kind)
    except BaseException:
        file.close()
        raise
    return file


def read_untrusted(path: Path, kind: FileKind, inside: Path | None = None) -> bytes:
    """Return the content of a file; see :func:`open_untrusted`.

    Raises:
        FileRefused: it is refused.
        OSError: it can't be read.
    """
    with open_untrusted(path, kind, inside) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(size + 1)  # To make room for the largest file each time is slow.
        if len(data) > size:
            data += file.read(kind.most + 1 - len(data))
    if len(data) > kind.most:
        raise _too_large(path, kind)
    return data


def parse_json(data: str | bytes, parse_constant: Callable[[str], object] | None = None) -> Any:
    """Return the value that the JSON of a stranger holds.

    Args:
        parse_constant: as for :func:`json.loads`: what becomes of ``NaN`` and ``Infinity``.

    Raises:
        ValueError: it is no JSON in UTF-8, is nested too deep, or has a text with half of a
            surrogate pair, which no page, table or terminal can be given.
    """
    text = data if isinstance(data, str) else data.decode("utf-8-sig")
    try:
        value = json.loads(text, parse_constant=parse_constant)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return value


def refuse_leaving_links(folder: Path) -> None:
    """Refuse a folder in which a link leads out of it, at any depth; other links are fine.

    Raises:
        FileRefused: there is one; the error names it.
        OSError: the folder can't be read.
    """
    home = os.path.realpath(folder)
    for link in _links(folder):
        _require_inside(link, home)


def _links(folder: Path) -> Iterator[Path]:
    left = [str(folder)]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                if entry.is_symlink():
                    yield Path(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)


def _require_inside(path: Path, home: str) -> None:
    target = os.path.realpath(path)
    if target != home and not target.startswith(home.rstrip("/") + "/"):
        raise FileRefused(str(path), "this link leads out of its folder; remove it")


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for another end, if it has become a pipe since."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)


def _check(path: Path, about: os.stat_result, kind: FileKind) -> None:
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(about.st_mode):
        raise FileRefused(str(path), "this is no file")
    if about.st_size > kind.most:
        raise _too_large(path, kind)


def _too_large(path: Path, kind: FileKind) -> FileRefused:
    return FileRefused(str(path), f"{kind.title} has at most {kind.most:,} bytes")


def _check_magic(path: Path, file: BufferedReader, kind: FileKind) -> None:
    start = file.read(max(offset + len(magic) for offset, magic in kind.magic))
    file.seek(0)
    if not any(start.startswith(magic, offset) for offset, magic in kind.magic):
        raise FileRefused(str(path), f"its first bytes are not those of {kind.title}")
