"""Masks on the disk: a NumPy file with a compressed array for each frame."""

from io import BytesIO
from pathlib import Path
from types import TracebackType
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from bridge.compare.bundles.format import mask_name

__all__ = ["MaskWriter"]

_LEVEL = 3
"""Of zlib: masks are large plain areas, on which higher ones gain little."""
_WHEN = (1980, 1, 1, 0, 0, 0)
"""The same masks make the same file."""


class MaskWriter:
    """Writes masks (H, W) uint16, frame after frame; a context manager.

    Raises (from every method):
        OSError: the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._file = ZipFile(path, "x", ZIP_DEFLATED, compresslevel=_LEVEL)
        self._count = 0
        self._last: tuple[NDArray[np.uint16], bytes] | None = None

    def write(self, ids: NDArray[np.uint16]) -> None:
        """Add a frame."""
        if self._last is None or self._last[0] is not ids:
            buffer = BytesIO()
            np.save(buffer, ids, allow_pickle=False)
            self._last = ids, buffer.getvalue()
        entry = ZipInfo(f"{mask_name(self._count)}.npy", _WHEN)
        entry.compress_type = ZIP_DEFLATED
        self._file.writestr(entry, self._last[1], compresslevel=_LEVEL)
        self._count += 1

    def __enter__(self) -> "MaskWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
