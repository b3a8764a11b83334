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

import fcntl
import hashlib
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import EnumType
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from pysim.errors import MissingPackage
from pysim.extras import describe_missing_extra, is_installed
from pysim.kernel_images import (
    add_runtime_symbols,
    describe_arguments,
    load_image,
    save_image,
)

__all__ = [
    "COMPILING",
    "COMPILING_SECONDS",
    "INTERPRETED_SECONDS",
    "LINKED_SECONDS",
    "MOST_CALLS",
    "Kernel",
    "is_interpreting",
    "kernel",
    "watch_compiling",
]

INTERPRETED_SECONDS = 0.25
"""So much time of its processor a process interprets in all before it loads compiled code."""
LINKED_SECONDS = 0.04
"""The same where there are images, which are sooner loaded (see :mod:`pysim.kernel_images`)."""
COMPILING_SECONDS = 8.0
"""About so long it takes to compile the largest kernels."""
MOST_CALLS = 20_000
"""Calls of a kernel before numba takes over."""

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
        self._images: dict[Hashable, Callable[..., R] | None] = {}
        self._saved: set[Hashable] = set()
        self._calls = 0
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the compiled function, without numba if it has an image for such arguments.

        To look at the arguments costs more than what numba does, once numba is loaded: so a kernel
        that is called again and again is handed over to it.
        """
        if kwargs or self._calls >= MOST_CALLS:
            return self.compiled(*args, **kwargs)
        self._calls += 1
        types = describe_arguments(args)
        if (image := self._find_image(types)) is not None:
            return image(*args)
        dispatcher: Any = self.compiled
        signature = _widen(map(dispatcher.typeof_pyval, args))
        result: R = dispatcher(*args)
        if types is not None and types not in self._saved:
            self._saved.add(types)
            save_image(*self._describe(), types, dispatcher, signature)
        return result

    def run(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Interpret the function as long as :func:`is_interpreting`, else call it compiled.

        The caller sees to it that a call has little to do while the process is interpreting.
        """
        if not is_interpreting():
            return self(*args, **kwargs)
        is_late = _spent[0] >= LINKED_SECONDS and _can_compile() and not kwargs
        image = self._find_image(describe_arguments(args)) if is_late else None
        if image is not None:
            _linked[0] = True
            return image(*args)
        return self.interpreted(*args, **kwargs)

    def is_kept(self, *args: object) -> bool:
        """Return whether an image is kept for such arguments, so that a call compiles nothing."""
        types = describe_arguments(args)
        return types in self._saved or self._find_image(types) is not None

    def _find_image(self, types: Hashable | None) -> Callable[..., R] | None:
        if types is None:
            return None
        if types not in self._images:
            self._images[types] = load_image(*self._describe(), types)
        return self._images[types]

    def _describe(self) -> tuple[str, str, str]:
        """Return the name, the file and the stamp of the function."""
        code = self._function.__code__
        name = f"{self._function.__module__}.{code.co_qualname}-{code.co_firstlineno}"
        return name.replace("<locals>.", ""), code.co_filename, self.stamp

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
        made = self._make_decorator(cache=True)
        return self._copied(
            lambda function: self._adapt_dispatcher(made(function)),
            lambda other: other.callee,
        )

    @cached_property
    def callee(self) -> Callable[P, R]:
        """The function as compiled kernels call it: a part of those, which Python can't call."""
        from pysim.kernel_callees import CalleeCompiler

        made = self._make_decorator(no_cpython_wrapper=True, pipeline_class=CalleeCompiler)
        return self._copied(
            lambda function: _compile_once_for_integers(made(function)),
            lambda other: other.callee,
        )

    def _make_decorator(self, **options: Any) -> Any:
        """Return what compiles a function as this kernel is to be compiled."""
        from numba import njit

        options["no_cfunc_wrapper"] = True  # Kernels are called by Python and by each other.
        if self._borrowing:
            # LLVM inlines as well, and numba need not type the body anew for each call.
            options |= {"_nrt": False, "forceinline": self._inline}
        elif self._inline:
            options["inline"] = "always"
        return njit(nogil=self._nogil, **options)

    @cached_property
    def plain(self) -> Callable[P, R]:
        """The function, which calls the plain functions of other kernels."""
        return self._copied(lambda function: function, lambda other: other.plain)

    def _adapt_dispatcher(self, dispatcher: Any) -> Any:
        _compile_once_for_integers(dispatcher)
        _compile_in_one_process(dispatcher)
        _set_environments(dispatcher)
        _load_without_compiler(dispatcher, self.stamp)
        return dispatcher

    @cached_property
    def stamp(self) -> str:
        """Digest of all that the compiled function is made of: constants and callees, too."""
        function = self._function
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        names = function.__code__.co_names
        values = [function.__globals__.get(name) for name in names]
        used = [
            value.stamp
            if isinstance(value, Kernel) and value is not self
            else _describe_value(value, names)
            for value in (*values, *cells)
        ]
        made = (self._nogil, self._inline, self._borrowing, _describe_code(function.__code__), used)
        return hashlib.sha256(repr(made).encode()).hexdigest()

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

    vars(dispatcher)["compile"] = lambda signature: Dispatcher.compile(
        dispatcher, _widen(signature)
    )
    return dispatcher


def _compile_in_one_process(dispatcher: Any) -> None:
    """Have other processes wait that need the same function."""
    compile_now = dispatcher.compile

    def compile_for(signature: Iterable[Any]) -> object:
        with _compile_alone(dispatcher):
            return compile_now(signature)

    vars(dispatcher)["compile"] = compile_for


def _set_environments(dispatcher: Any) -> None:
    """Have a function that is compiled, and not loaded, get the environments of its callees."""
    from pysim.kernel_callees import set_environments

    compiler = dispatcher._compiler
    compile_now = compiler.compile

    def compile_for(arguments: Any, returned: Any) -> object:
        compiled = compile_now(arguments, returned)
        set_environments(compiled)
        return cast(object, compiled)

    vars(compiler)["compile"] = compile_for


@contextmanager
def _compile_alone(dispatcher: Any) -> Iterator[None]:
    """Have other processes wait that need the same function. They load it afterwards."""
    from numba.core.compiler_lock import global_compiler_lock

    name = f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}.compiling"
    path = Path(dispatcher._cache.cache_path, name)
    # The lock of this process comes first, as threads may need two functions in any order.
    with global_compiler_lock, ExitStack() as held:
        if path not in _compiling:  # Else the function calls itself.
            _compiling.add(path)
            held.callback(_compiling.discard, path)
            with suppress(OSError):  # Without a lock more than one process may compile it.
                path.parent.mkdir(parents=True, exist_ok=True)
                file = held.enter_context(path.open("w"))
                fcntl.flock(file, fcntl.LOCK_EX)
                held.callback(fcntl.flock, file, fcntl.LOCK_UN)  # A fork may have the file, too.
        yield


def _load_without_compiler(dispatcher: Any, stamp: str) -> None:
    """Have compiled code loaded without what only compiling needs, and as long as it is current.

    Numba would import all that it can compile, and scipy, which takes longer than the rest. And it
    looks only into a function's own file whether its code is current, which holds code of callees.
    """
    runtime: Any = import_module("numba.core.runtime")
    cached = dispatcher._cache
    cached._cache_file._source_stamp = cached._cache_file._source_stamp, stamp

    def load_overload(signature: Any, target: Any) -> object:
        if not runtime.rtsys._init:
            add_runtime_symbols(runtime._nrt_python)
        with cached._guard_against_spurious_io_errors():
            return cast(object, cached._load_overload(signature, target))

    vars(cached)["load_overload"] = load_overload


def _describe_code(code: CodeType) -> object:
    """Return what is equal for the same code, wherever it stands."""
    constants = [
        _describe_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts
    ]
    return code.co_code, constants, code.co_names, code.co_varnames


def _describe_value(value: object, names: Iterable[str]) -> object:
    """Return what is equal for the same value of a name that compiled code may hold.

    Args:
        value: of the name.
        names: attributes of it that may be used.
    """
    if isinstance(value, ModuleType):
        held = ((name, getattr(value, name, None)) for name in names)
        return [(name, one) for name, one in held if isinstance(one, int | float)]
    if isinstance(value, EnumType):
        return repr(dict(value.__members__))
    if isinstance(value, type):
        return value.__qualname__, getattr(value, "_fields", ())
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return repr(value)


def _widen(signature: Iterable[Any]) -> tuple[Any, ...]:
    """Return types of numba, those of 64 bits in place of constants and short integers."""
    from numba.core.types import int64, signed_domain, unliteral

    return tuple(int64 if each in signed_domain else each for each in map(unliteral, signature))


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


COMPILING = "compiling the solvers; this takes half a minute or so, once on each machine"
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
    return (_spent[0] < INTERPRETED_SECONDS and not _linked[0]) or not _can_compile()


@cache
def _can_compile() -> bool:
    return is_installed("numba")


_compiling = set[Path]()
"""Locks of the functions that this process compiles, each for the sake of the one before."""
_spent = [0.0]
_linked = [False]
"""Whether this process has found an image of a kernel, so that others are expected to be there."""
