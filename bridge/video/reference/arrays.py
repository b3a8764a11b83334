"""Arrays of NumPy archives, ``.npz``, that anybody may have written.

Everything is bounded before it is stored: the list of arrays, and the size that an array is said to
have. What damaged archives raise becomes one error.
"""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from lzma import LZMAError
from math import prod
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

from numpy.lib import format as npy
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.untrusted import MIB, ZIP, FileKind

__all__ = ["ARRAYS_FILE", "ArchiveError", "read_array", "read_arrays"]

ARRAYS_FILE = FileKind("an archive of arrays", 512 * MIB, ZIP)
_MOST_LISTED = 16 * MIB
"""Bytes of the list of an archive: some hundred thousand arrays."""
_END = struct.Struct("<4s4H2LH")
"""End of an archive: its signature, five numbers, the size of the list ahead of the last two."""
_LONG_END = 20
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_DAMAGED = (
    OSError, ValueError, TypeError, EOFError, OverflowError, RuntimeError, SyntaxError,
    MemoryError, BadZipFile, LZMAError, zlib.error, struct.error,
)  # fmt: skip


class ArchiveError(InputError):
    """An archive or an array of it is damaged or too large."""


def read_arrays(file: BinaryIO, most: int) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive by their names, of at most ``most`` bytes in all.

    Raises:
        ArchiveError: it is damaged, or they have more.
    """
    found: dict[str, NDArray[Any]] = {}
    with _opened(file) as archive:
        for entry in archive.namelist():
            array = _read(archive, entry, most)
            most -= array.nbytes
            found[entry.removesuffix(".npy")] = array
    return found


def read_array(file: BinaryIO, name: str, most: int) -> NDArray[Any]:
    """Return an array of an archive, of at most ``most`` bytes.

    Raises:
        ArchiveError: it is damaged or missing, or has more.
    """
    with _opened(file) as archive:
        if f"{name}.npy" not in archive.NameToInfo:
            raise ArchiveError(f"there is no array {name}")
        return _read(archive, f"{name}.npy", most)


@contextmanager
def _opened(file: BinaryIO) -> Iterator[ZipFile]:
    try:
        _check_list(file)
        with ZipFile(file) as archive:
            yield archive
    except ArchiveError:
        raise
    except _DAMAGED as error:
        raise ArchiveError(str(error) or type(error).__name__) from None


def _check_list(file: BinaryIO) -> None:
    """Refuse an archive with a long list, which would be read as a whole."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END.size - _LONG_END))
    tail = file.read()
    end = _END.unpack(tail[-_END.size :])
    if end[0] != b"PK\x05\x06" or end[-1] or tail.startswith(b"PK\x06\x07"):
        raise ArchiveError("the end of the archive is damaged, or not as NumPy writes it")
    if end[5] > _MOST_LISTED:
        raise ArchiveError("it holds too many arrays")


def _read(archive: ZipFile, entry: str, most: int) -> NDArray[Any]:
    with archive.open(entry) as file:
        read_header = _HEADERS.get(npy.read_magic(file))
        if read_header is None:
            raise ArchiveError(f"{entry} has a format that this version doesn't read")
        shape, _, dtype = read_header(file)
        if min(shape, default=0) < 0 or prod(shape) * max(1, dtype.itemsize) > most:
            raise ArchiveError(f"{entry} has the shape {shape}: too large")
        file.seek(0)
        array: NDArray[Any] = npy.read_array(file, allow_pickle=False)
        return array
