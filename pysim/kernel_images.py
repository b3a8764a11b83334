"""Machine code of kernels, kept in files and called without numba.

To import numba takes a third of a second, and to load what it has compiled as much again. Both are
needed to compile only. So when a kernel was compiled, or loaded by numba, its object code is
written down together with all that it depends on, and the next process links it by itself: with
llvmlite, and with the three C modules of numba that hold what compiled code calls.

An image is used only for arguments of the very types that it was compiled for, by the same versions
on the same kind of processor. Whatever has none is loaded by numba, as everything is where there is
no Linux.
"""

import ctypes
import hashlib
import json
import os
import pickle
import sys
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, cast

import numpy as np

from pysim.extras import is_installed
from pysim.machine import find_home

__all__ = [
    "add_runtime_symbols",
    "describe_arguments",
    "list_undefined",
    "load_image",
    "save_image",
]

SETTING = "NUMBA_CACHE_DIR"
_C_MODULES = ("numba._helperlib", "numba._dynfunc", "numba.core.runtime._nrt_python")
_LOCK = Lock()
_SIMPLE = {int: "int", bool: "bool", float: "float"}
_SECTION = np.dtype(
    {
        "names": ["kind", "start", "size", "names"],
        "formats": ["<u4", "<u8", "<u8", "<u4"],
        "offsets": [4, 24, 32, 40],
        "itemsize": 64,
    }
)
_SYMBOL = np.dtype(
    {"names": ["name", "section"], "formats": ["<u4", "<u2"], "offsets": [0, 6], "itemsize": 24}
)
"""Needed parts of the header of a section, and of a symbol, of an ELF file."""
_TABLE_OF_SYMBOLS = 2


@dataclass(frozen=True, slots=True)
class _Image:
    """A compiled function and those that it calls.

    Attributes:
        origin: what it was made of, and for what; it is used where that is the same.
        code: an object file.
        entry: the symbol that Python calls.
        environments: for each function by symbol the types of arrays that it makes; of the function
            itself first.
    """

    origin: str
    code: bytes
    entry: str
    environments: Sequence[tuple[str, Sequence[np.dtype[Any]]]]

    def encode(self) -> bytes:
        """Return what :meth:`decode` reads: a line of JSON, then the object file."""
        named = [[symbol, [one.str for one in ones]] for symbol, ones in self.environments]
        digest = hashlib.sha256(self.code).hexdigest()
        return json.dumps([self.origin, self.entry, named, digest]).encode() + b"\n" + self.code

    @staticmethod
    def decode(data: bytes) -> "_Image":
        """Read an image.

        Raises:
            ValueError: it is none, or not a whole one.
        """
        head, _, code = data.partition(b"\n")
        origin, entry, named, digest = json.loads(head)
        if hashlib.sha256(code).hexdigest() != digest:
            raise ValueError("the object file has changed")
        environments = [(symbol, [np.dtype(one) for one in ones]) for symbol, ones in named]
        return _Image(origin, code, entry, environments)


def describe_arguments(arguments: Sequence[object]) -> Hashable | None:
    """Return equal values for arguments of the same compiled types; None for types without."""
    described = tuple([_describe(argument) for argument in arguments])
    return None if None in described else described


def _describe(argument: object) -> Hashable | None:
    if type(argument) is np.ndarray:
        flags = argument.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return argument.dtype.str, argument.ndim, layout, flags.writeable, flags.aligned
    if isinstance(argument, tuple):
        kind = type(argument)
        inner = describe_arguments(argument)
        return None if inner is None else (kind.__module__, kind.__qualname__, inner)
    if isinstance(argument, np.generic):
        return argument.dtype.str
    if type(argument) is int and not -(1 << 63) <= argument < 1 << 63:
        return None
    return _SIMPLE.get(type(argument))


def load_image(
    name: str, source: str, stamp: str, arguments: Hashable
) -> Callable[..., Any] | None:
    """Return a kernel as it was compiled for some arguments; None if there is no such image.

    Args:
        name: of the kernel, its module's included.
        source: the kernel's file.
        stamp: of all that the kernel is made of.
        arguments: what :func:`describe_arguments` says of them.
    """
    if not _can_link():
        return None
    for folder in _list_folders(source):
        with suppress(OSError, ValueError, ImportError):
            image = _Image.decode((folder / _file_name(name, arguments)).read_bytes())
            if image.origin == _origin(stamp, arguments):
                return _link(name, image)
    return None


def save_image(
    name: str, source: str, stamp: str, arguments: Hashable, dispatcher: Any, signature: Any
) -> None:
    """Write down what numba has compiled for some arguments, if it can be called without numba."""
    if not _can_link():
        return
    cached = dispatcher._cache
    with suppress(OSError):
        key = cached._index_key(signature, dispatcher.targetctx.codegen())
        state = cached._cache_file.load(key)
        image = None if state is None else _make_image(_origin(stamp, arguments), *state)
        if image is not None:
            _write(_list_folders(source), _file_name(name, arguments), image.encode())


def _make_image(
    origin: str, library: Any, descriptor: Any, environment: Any, *others: Any
) -> _Image | None:
    """Return an image of what numba writes down; None if it can't be called without numba."""
    _, kind, (code, *_) = library
    environments = [(one.env_name, one.consts) for one in (environment, *others[-1])]
    are_types = all(isinstance(one, np.dtype) for _, ones in environments for one in ones)
    if kind != "object" or not are_types or not _is_plain(descriptor.restype):
        return None
    return _Image(origin, code, descriptor.llvm_cpython_wrapper_name, environments)


def _write(folders: Sequence[Path], name: str, data: bytes) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            begun = folder / f"{name}.{os.getpid()}"
            begun.write_bytes(data)
            begun.replace(folder / name)
            return


def _list_folders(source: str) -> list[Path]:
    """List the folders that images may be in, in the order in which numba would take them."""
    if named := os.environ.get(SETTING):
        return [Path(named)]
    kept = os.environ.get("XDG_CACHE_HOME") or find_home() / ".cache"
    return [Path(source).parent / "__pycache__", Path(kept) / "numba"]


def _file_name(name: str, arguments: Hashable) -> str:
    return f"{name}-{hashlib.sha256(repr(arguments).encode()).hexdigest()[:12]}.kernel"


def _origin(stamp: str, arguments: Hashable) -> str:
    return repr((stamp, arguments, _describe_machine()))


@cache
def _describe_machine() -> tuple[str, ...]:
    from importlib.metadata import version

    from llvmlite import binding

    return (
        sys.version,
        *[version(package) for package in ("numba", "llvmlite", "numpy")],
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    )


@cache
def _can_link() -> bool:
    """Return whether images are used here: not where numba is set to do something unusual."""
    settings = {name for name in os.environ if name.startswith("NUMBA_")} - {SETTING}
    return sys.platform == "linux" and is_installed("numba") and not settings


def _is_plain(kind: Any) -> bool:
    """Return whether results of a type of numba are made without numba."""
    from numba.core import types

    is_tuple, is_list = isinstance(kind, types.BaseTuple), isinstance(kind, types.List)
    if is_tuple or is_list:
        return all(_is_plain(one) for one in (kind.types if is_tuple else [kind.dtype]))
    return isinstance(
        kind, types.Integer | types.Boolean | types.Float | types.Array | types.NoneType
    )


@cache
def _prepare_linker() -> tuple[Any, Any]:
    """Return llvmlite's linker, which knows all that compiled code calls, and numba's ``_dynfunc``.

    Raises:
        ImportError: numba has no such C modules.
    """
    from llvmlite import binding

    helpers, dynfunc, runtime = map(_load_c_module, _C_MODULES)
    for name, address in {**helpers.c_helpers, **dynfunc.c_helpers}.items():
        binding.add_symbol(f"numba_{name}", address)
    add_runtime_symbols(runtime)
    if "numba" not in sys.modules:
        _provide_unpickling(helpers.c_helpers["unpickle"])
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine()
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine), dynfunc


def add_runtime_symbols(runtime: Any) -> None:
    """Tell llvmlite where the functions of numba's module ``_nrt_python`` are."""
    from llvmlite import binding

    for name, address in runtime.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def _load_c_module(name: str) -> ModuleType:
    """Return a C module of numba, without the Python of the packages around it.

    Raises:
        ImportError: there is none.
    """
    if name in sys.modules:
        return sys.modules[name]
    numba = find_spec("numba")
    folders = [] if numba is None else list(numba.submodule_search_locations or ())
    for folder in folders:
        for suffix in EXTENSION_SUFFIXES:
            path = Path(folder, *name.split(".")[1:-1], name.rpartition(".")[2] + suffix)
            spec = spec_from_file_location(name, path) if path.is_file() else None
            if spec is not None and spec.loader is not None:
                module = module_from_spec(spec)
                spec.loader.exec_module(module)
                # It has entered itself there, without its package, in which numba looks for it.
                sys.modules.pop(name, None)
                return module
    raise ImportError(f"there is no {name}")


def _provide_unpickling(address: int) -> None:
    """Have numba's C function that reads pickled types call :func:`_unpickle`.

    It imports a module of numba, and with it all of numba, when it is first called; then it keeps
    the function of that module, which does the same.
    """
    provided = {name: ModuleType(name) for name in ("numba", "numba.core.serialize")}
    vars(provided["numba.core.serialize"])["_numba_unpickle"] = _unpickle
    sys.modules.update(provided)
    try:
        read = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
        read(address)(b"N.", 2, bytes(20))  # None, pickled.
    finally:
        for name in provided:
            del sys.modules[name]


@cache
def _unpickle(address: int, data: bytes, digest: bytes) -> object:
    """Return an object that stands in machine code, which is run itself; always the same one."""
    return pickle.loads(data)


def _link(name: str, image: _Image) -> Callable[..., Any] | None:
    """Return the function of an image; None if something that it calls is missing.

    Raises:
        ImportError: see :func:`_prepare_linker`.
        ValueError: the image is no whole object file.
    """
    from llvmlite import binding

    with _LOCK:
        linker, dynfunc = _prepare_linker()
        if any(binding.address_of_symbol(symbol) is None for symbol in list_undefined(image.code)):
            return None
        linker.add_object_file(binding.ObjectFileRef.from_data(image.code))
        linker.finalize_object()
    made = [_place_environment(linker, dynfunc, *one) for one in image.environments]
    entry, here = linker.get_function_address(image.entry), sys.modules[__name__]
    function = dynfunc.make_function(here, name, "", entry, made[0], (linker, made))
    return cast(Callable[..., Any], function)


def _place_environment(
    linker: Any, dynfunc: Any, symbol: str, constants: Sequence[np.dtype[Any]]
) -> object:
    """Return an environment after it was made known to the code that looks for it."""
    environment = dynfunc.Environment({})
    environment.consts[:] = constants
    if place := linker.get_global_value_address(symbol):
        ctypes.c_void_p.from_address(place).value = id(environment)
    return environment


def list_undefined(code: bytes) -> list[str]:
    """List the symbols that an object file takes from elsewhere.

    Raises:
        ValueError: it is no whole ELF file of 64 bits.
    """
    if code[:6] != b"\x7fELF\x02\x01":
        raise ValueError("this is no ELF file of 64 bits")
    first = int.from_bytes(code[40:48], "little")
    sections = np.frombuffer(code, _SECTION, int.from_bytes(code[60:62], "little"), first)
    missing = []
    for section in sections[sections["kind"] == _TABLE_OF_SYMBOLS]:
        count, start = section["size"] // _SYMBOL.itemsize, section["start"]
        table = np.frombuffer(code, _SYMBOL, count, start)
        names = sections[section["names"]]["start"]
        for place in names + table["name"][table["section"] == 0][1:]:  # The first is empty.
            missing.append(code[place : code.index(b"\0", place)].decode())
    return missing
