"""Functions that numba compiles, once there is more to do than to load numba takes.

    @kernel
    def count_bits(bits): ...

    count_bits(bits)              # compiled
    count_bits.interpreted(bits)  # the same in plain Python
    count_bits.run(bits)          # plain Python until this process has spent so much time on it

To import numba and to load compiled code takes half a second, and to compile it many. A search that
is over before that is interpreted: the same source, and so the same result. Kernels may call
kernels, and are compiled or interpreted together with those.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from types import FunctionType
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast, overload

import numpy as np

from pysim.errors import MissingPackage
from pysim.extras import describe_missing_extra, is_installed

__all__ = [
    "COMPILING",
    "INTERPRETED_SECONDS",
    "Kernel",
    "is_interpreting",
    "kernel",
    "watch_compiling",
]

INTERPRETED_SECONDS = 0.25
"""So much time of its processor a process interprets in all before it loads compiled code."""

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function that is compiled when it is first called.

    Args:
        function: takes and returns what numba can compile.
        nogil: whether it lets other threads of Python run.
        inline: whether its body is put in the place of calls.
        borrowing: whether it makes no arrays, and so need not count the references to those that it
            is given. Short kernels that call each other are several times as fast so.
    """

    def __init__(
        self, function: Callable[P, R], *, nogil: bool, inline: bool, borrowing: bool
    ) -> None:
        self._function = cast(FunctionType, function)
        self._nogil, self._inline, self._borrowing = nogil, inline, borrowing
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the compiled function."""
        return self.compiled(*args, **kwargs)

    def run(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Interpret the function as long as :func:`is_interpreting`, else call it compiled.

        The caller sees to it that a call has little to do while the process is interpreting.
        """
        return (self.interpreted if is_interpreting() else self.compiled)(*args, **kwargs)

    def interpreted(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function in plain Python."""
        began = time.thread_time()
        try:
            with np.errstate(over="ignore"):  # Compiled integers wrap around in silence, too.
                return self.plain(*args, **kwargs)
        finally:
            _spent[0] += time.thread_time() - began

    @cached_property
    def compiled(self) -> Callable[P, R]:
        """The function and the kernels that it calls, as numba compiles them."""
        if not _can_compile():
            raise MissingPackage(describe_missing_extra("compiled searches and batches", "solve"))
        from numba import njit

        inline: Literal["always", "never"] = "always" if self._inline else "never"
        options: Any = {} if not self._borrowing else {"_nrt": False}
        made = njit(cache=True, nogil=self._nogil, inline=inline, **options)
        return self._copied(
            lambda function: self._adapt_dispatcher(made(function)),
            lambda other: other.compiled,
        )

    @cached_property
    def plain(self) -> Callable[P, R]:
        """The function, which calls the plain functions of other kernels."""
        return self._copied(lambda function: function, lambda other: other.plain)

    def _adapt_dispatcher(self, dispatcher: Any) -> Any:
        _compile_once_for_integers(dispatcher)
        callees: list[Any] = [other.compiled for other in self._callees.values()]
        _keep_compiled_code(dispatcher, callees)
        return dispatcher

    @cached_property
    def _callees(self) -> dict[str, "Kernel[..., object]"]:
        """The kernels that the function calls, itself left out, by their names in it."""
        values = self._function.__globals__
        named = {name: values.get(name) for name in self._function.__code__.co_names}
        return {n: k for n, k in named.items() if isinstance(k, Kernel) and k is not self}

    def _copied(
        self,
        made: Callable[[Callable[P, R]], Callable[P, R]],
        form: Callable[["Kernel[..., object]"], object],
    ) -> Callable[P, R]:
        """Return what is made of a copy of the function, which calls a form of the kernels."""
        own = self._function
        values = dict(own.__globals__)
        function = FunctionType(own.__code__, values, own.__name__)
        update_wrapper(function, own)
        copy = made(function)
        values[own.__name__] = copy
        values.update((name, form(other)) for name, other in self._callees.items())
        return copy


def _compile_once_for_integers(dispatcher: Any) -> Any:
    """Have a call with a constant or a short integer take what is compiled for 64 bits.

    Numba would compile the function anew for every constant that stands in a call, and for every
    width. It counts with 64 bits anyway.
    """
    from numba.core.dispatcher import Dispatcher
    from numba.core.types import int64, signed_domain, unliteral

    def compile_for(signature: Iterable[Any]) -> object:
        wide = (int64 if each in signed_domain else each for each in map(unliteral, signature))
        return Dispatcher.compile(dispatcher, tuple(wide))

    vars(dispatcher)["compile"] = compile_for
    return dispatcher


def _keep_compiled_code(dispatcher: Any, callees: Iterable[Any]) -> None:
    """Have compiled code loaded without what only compiling needs, and as long as it is current.

    Numba would import all that it can compile, and scipy, which takes longer than the rest. And it
    looks only into a function's own file whether its code is current, which holds code of callees.
    """
    from llvmlite import binding
    from numba.core.runtime import _nrt_python, rtsys

    cache = dispatcher._cache
    stamps = [callee._cache._cache_file._source_stamp for callee in callees]
    own = frozenset([cache._cache_file._source_stamp])
    cache._cache_file._source_stamp = own.union(*stamps)

    def load_overload(signature: Any, target: Any) -> object:
        if not rtsys._init:
            for name, address in _nrt_python.c_helpers.items():
                binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
        with cache._guard_against_spurious_io_errors():
            return cast(object, cache._load_overload(signature, target))

    vars(cache)["load_overload"] = load_overload


@overload
def kernel(function: Callable[P, R], /) -> Kernel[P, R]: ...
@overload
def kernel(
    *, nogil: bool = False, inline: bool = False, borrowing: bool = False
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(
    function: Callable[P, R] | None = None,
    /,
    *,
    nogil: bool = False,
    inline: bool = False,
    borrowing: bool = False,
) -> Kernel[P, R] | Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a kernel of a function; see :class:`Kernel`."""
    if function is None:
        return lambda function: Kernel(function, nogil=nogil, inline=inline, borrowing=borrowing)
    return Kernel(function, nogil=nogil, inline=inline, borrowing=borrowing)


COMPILING = "compiling the solvers; this takes a minute or so, once on each machine"
"""Words for people while functions are compiled."""


@contextmanager
def watch_compiling(tell: Callable[[int], None]) -> Iterator[None]:
    """Have ``tell`` called with the number of functions so far, for each that is compiled.

    What is kept from before is not compiled and not counted; nor is what other processes compile.
    """
    if not _can_compile():
        yield
        return
    from numba.core import event

    listener = _make_listener(event.Listener, tell)
    event.register("numba:compile", listener)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)  # type: ignore[no-untyped-call]


def _make_listener(base: Any, tell: Callable[[int], None]) -> Any:
    class Counter(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self.count = 0

        def on_start(self, event: object) -> None:
            self.count += 1
            tell(self.count)

        def on_end(self, event: object) -> None:
            """The next one begins, or play does."""

    return Counter()


def is_interpreting() -> bool:
    """Return whether kernels that have little to do are still interpreted in this process.

    They always are where numba is not installed.
    """
    return _spent[0] < INTERPRETED_SECONDS or not _can_compile()


@cache
def _can_compile() -> bool:
    return is_installed("numba")


_spent = [0.0]
