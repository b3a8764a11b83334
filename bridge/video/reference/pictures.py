"""Pictures of a camera that stands still, each kept as the pixels that differ from the first."""

from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

__all__ = ["PackedPictures"]

_Picture = NDArray[np.uint8]

_KEPT = 48
"""Whole pictures that are kept."""


class PackedPictures(Sequence[_Picture]):
    """Pictures (H, W, 3) of one size, in the memory of what changes in them."""

    def __init__(self, pictures: Iterable[_Picture]) -> None:
        self._changes: list[tuple[NDArray[np.int32], _Picture]] = []
        self._whole: dict[int, _Picture] = {}
        for picture in pictures:
            if not self._changes:
                self._first = picture
            places = np.flatnonzero((picture != self._first).any(axis=2)).astype(np.int32)
            self._changes.append((places, picture.reshape(-1, 3)[places]))

    def __len__(self) -> int:
        return len(self._changes)

    @overload
    def __getitem__(self, position: int) -> _Picture: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[_Picture]: ...
    def __getitem__(self, position: int | slice) -> _Picture | Sequence[_Picture]:
        if isinstance(position, slice):
            return [self[k] for k in range(*position.indices(len(self)))]
        found = self._whole.get(position)
        if found is None:
            places, colors = self._changes[position]
            found = self._first.copy()
            found.reshape(-1, 3)[places] = colors
            if len(self._whole) >= _KEPT:
                self._whole.pop(next(iter(self._whole)))
            self._whole[position] = found
        return found
