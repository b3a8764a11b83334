"""A bounded cache for things that must be freed by hand, such as GPU memory."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

__all__ = ["Releasable", "ReleasingCache"]


class Releasable(Protocol):
    """Something that holds memory outside Python until it is released."""

    @property
    def nbytes(self) -> int:
        """Bytes held."""

    def release(self) -> None:
        """Free them."""


K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Releasable)


class ReleasingCache(Generic[K, V]):
    """The most recently used values, at most ``count`` and ``nbytes`` of them but always one."""

    def __init__(self, make: Callable[[K], V], *, count: int, nbytes: int) -> None:
        self._make = make
        self._count = count
        self._nbytes = nbytes
        self._values: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V:
        """Return the value for ``key``, made if it is not held; others are freed to make room."""
        if key not in self._values:
            self._values[key] = self._make(key)
        self._values.move_to_end(key)
        while len(self._values) > 1 and self._is_over():
            self._values.popitem(last=False)[1].release()
        return self._values[key]

    def clear(self) -> None:
        """Free everything."""
        while self._values:
            self._values.popitem()[1].release()

    def _is_over(self) -> bool:
        held = sum(value.nbytes for value in self._values.values())
        return len(self._values) > self._count or held > self._nbytes
