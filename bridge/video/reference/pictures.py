"""Pictures of a camera that stands still, each kept as the pixels that differ from the first."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar, overload

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel

__all__ = ["PackedPictures", "Recent", "cover_picture"]

_Picture = NDArray[np.uint8]
_Runs = NDArray[np.int32]

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
        self._changes: list[tuple[_Runs, _Picture]] = []
        self._whole = Recent[int, _Picture](_KEPT)
        for picture in pictures:
            if not self._changes:
                self._first = picture
            changed = np.logical_or.reduce([*np.moveaxis(picture != self._first, 2, 0)])
            runs = _find_runs(changed.ravel())
            self._changes.append((runs, picture[changed]))

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def first(self) -> _Picture:
        """The first picture."""
        return self._first

    def find_changes(self, position: int) -> tuple[_Runs, _Picture]:
        """Return where a picture differs from the first, and its colours (N, C) there.

        That is runs of pixels (M, 2) that follow each other: the first, and how many.
        """
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
        picture = self._first.copy()
        _change_runs(picture.reshape(-1, picture.shape[2]), *self._changes[position])
        return picture


def _find_runs(changed: NDArray[np.bool_]) -> _Runs:
    """Return the runs (M, 2) of pixels (N,) that have changed."""
    ends = np.flatnonzero(np.diff(changed, prepend=False, append=False)).reshape(-1, 2)
    return np.stack([ends[:, 0], ends[:, 1] - ends[:, 0]], axis=1).astype(np.int32)


@kernel(nogil=True)
def _change_runs(picture: _Picture, runs: _Runs, colors: _Picture) -> None:
    """Give pixels of a picture (N, C) other colours (M, C)."""
    count = 0
    for run in range(len(runs)):
        for place in range(runs[run, 0], runs[run, 0] + runs[run, 1]):
            for channel in range(picture.shape[1]):
                picture[place, channel] = colors[count, channel]
            count += 1


def cover_picture(picture: _Picture, other: _Picture, where: NDArray[np.uint8]) -> _Picture:
    """Return a picture (H, W, 3) with those pixels of another one that are not zero in a mask."""
    return np.asarray(cv2.copyTo(other, where, picture.copy()), np.uint8)
