"""Pictures of a camera that stands still, each kept as the pixels that differ from the first."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar, overload

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["PackedPictures", "Recent", "cover_picture"]

_Picture = NDArray[np.uint8]

_KEPT = 16
"""Whole pictures that are kept."""
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key, of which the latest are kept.

    Args:
        most: values that are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[K, V] = {}

    def get(self, key: K, make: Callable[[K], V]) -> V:
        """Return the value of a key, made if it is not kept: the oldest one goes before that."""
        if key in self._values:
            return self._values[key]
        if len(self._values) >= self._most:
            self._values.pop(next(iter(self._values)))
        made = self._values[key] = make(key)
        return made


class PackedPictures(Sequence[_Picture]):
    """Pictures (H, W, C) of one size, in the memory of what changes in them."""

    def __init__(self, pictures: Iterable[_Picture]) -> None:
        self._changes: list[tuple[NDArray[np.int32], _Picture]] = []
        self._whole = Recent[int, _Picture](_KEPT)
        for picture in pictures:
            if not self._changes:
                self._first = picture
            changed = np.logical_or.reduce([*np.moveaxis(picture != self._first, 2, 0)])
            places = np.flatnonzero(changed).astype(np.int32)
            self._changes.append((places, picture.reshape(-1, picture.shape[2])[places]))

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def first(self) -> _Picture:
        """The first picture."""
        return self._first

    def find_changes(self, position: int) -> tuple[NDArray[np.int32], _Picture]:
        """Return where a picture differs from the first (N,), and its colours (N, C) there."""
        return self._changes[position]

    @overload
    def __getitem__(self, position: int) -> _Picture: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[_Picture]: ...
    def __getitem__(self, position: int | slice) -> _Picture | Sequence[_Picture]:
        if isinstance(position, slice):
            return [self[k] for k in range(*position.indices(len(self)))]
        return self._whole.get(position, self._unpack)

    def _unpack(self, position: int) -> _Picture:
        places, colors = self._changes[position]
        picture = self._first.copy()
        picture.reshape(-1, picture.shape[2])[places] = colors
        return picture


def cover_picture(picture: _Picture, other: _Picture, where: NDArray[np.uint8]) -> _Picture:
    """Return a picture (H, W, 3) with those pixels of another one that are not zero in a mask."""
    return np.asarray(cv2.copyTo(other, where, picture.copy()), np.uint8)
