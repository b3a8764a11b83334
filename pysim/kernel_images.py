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
import os
import pickle
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

import numpy as np

from pysim.extras import is_installed
from pysim.machine import find_home

__all__ = ["add_runtime_symbols", "describe_arguments", "load_image", "save_image"]

SETTING = "NUMBA_CACHE_DIR"
_C_MODULES = ("numba._helperlib", "numba._dynfunc", "numba.core.runtime._nrt_python")
_LOCK = Lock()
_SIMPLE = {int: "int", bool: "bool", float: "float"}
_SYMBOLS = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8", 2)]
)
"""An entry of the symbol table of an ELF file."""


@dataclass(frozen=True, slots=True)
class _Image:
    """A compiled function and those that it calls.

    Attributes:
        origin: what it was made of, and for what; it is used where that is the same.
        code: an object file.
        entry: the symbol that Python calls.
        environments: for each function by symbol the constants that it has Python objects of; of
            the function itself first.
    """

    origin: str
    code: bytes
    entry: str
    environments: Sequence[tuple[str, Sequence[object]]]


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
        with suppress(OSError, EOFError, AttributeError, ImportError, pickle.UnpicklingError):
            image = pickle.loads((folder / _file_name(name, arguments)).read_bytes())
            if isinstance(image, _Image) and image.origin == _origin(stamp, arguments):
                return _link(name, image)
    return None


def save_image(
    name: str, source: str, stamp: str, arguments: Hashable, dispatcher: Any, signature: Any
) -> None:
    """Write down what numba has compiled for some arguments, if it can be called without numba."""
    if not _can_link():
        return
    cached = dispatcher._cache
    key = cached._index_key(signature, dispatcher.targetctx.codegen())
    with suppress(OSError):
        state = cached._cache_file.load(key)
        if state is None or not _is_plain(state[1].restype):
            return
        (_, kind, (code, *_)), descriptor, environment, *_, referenced = state
        constants = {one.env_name: one.consts for one in (environment, *referenced)}
        if kind != "object" or not all(map(_is_portable, constants.values())):
            return
        image = _Image(
            _origin(stamp, arguments),
            code,
            descriptor.llvm_cpython_wrapper_name,
            tuple((name, tuple(consts)) for name, consts in constants.items()),
        )
        _write(_list_folders(source), _file_name(name, arguments), pickle.dumps(image))


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


def _is_portable(constants: Sequence[object]) -> bool:
    """Return whether constants can be read without numba."""
    return b"numba" not in pickle.dumps(list(constants))


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
        data = pickle.dumps(None)
        read = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
        read(address)(data, len(data), bytes(20))
    finally:
        for name in provided:
            del sys.modules[name]


@cache
def _unpickle(address: int, data: bytes, digest: bytes) -> object:
    """Return an object that stands in compiled code, always the same one."""
    return pickle.loads(data)


def _link(name: str, image: _Image) -> Callable[..., Any] | None:
    """Return the function of an image; None if something that it calls is missing.

    Raises:
        ImportError: see :func:`_prepare_linker`.
    """
    from llvmlite import binding

    with _LOCK:
        linker, dynfunc = _prepare_linker()
        if any(binding.address_of_symbol(symbol) is None for symbol in _list_undefined(image.code)):
            return None
        linker.add_object_file(binding.ObjectFileRef.from_data(image.code))
        linker.finalize_object()
    made = []
    for symbol, constants in image.environments:
        environment = dynfunc.Environment({})
        environment.consts[:] = constants
        made.append(environment)
        if place := linker.get_global_value_address(symbol):
            ctypes.c_void_p.from_address(place).value = id(environment)
    entry = linker.get_function_address(image.entry)
    # The environments live as long as the function does.
    function: Callable[..., Any] = dynfunc.make_function(
        sys.modules[__name__], name, "", entry, made[0], (linker, made)
    )
    return function


def _list_undefined(code: bytes) -> list[str]:
    """List the symbols that an object file lacks; one that there is not if it is no ELF file."""
    if code[:6] != b"\x7fELF\x02\x01":
        return ["no ELF"]
    first, size, count = (
        int.from_bytes(code[at : at + n], "little") for at, n in ((40, 8), (58, 2), (60, 2))
    )
    heads = np.frombuffer(code, np.uint8, size * count, first).reshape(count, size)
    sections: list[Mapping[str, int]] = [
        {
            "kind": int(head[4:8].view("<u4")[0]),
            "start": int(head[24:32].view("<u8")[0]),
            "size": int(head[32:40].view("<u8")[0]),
            "names": int(head[40:44].view("<u4")[0]),
        }
        for head in heads
    ]
    missing = []
    for section in sections:
        if section["kind"] != 2:  # A table of symbols.
            continue
        table = np.frombuffer(
            code, _SYMBOLS, section["size"] // _SYMBOLS.itemsize, section["start"]
        )
        names = sections[section["names"]]["start"]
        for entry in table[table["section"] == 0][1:]:  # The first is empty.
            start = names + int(entry["name"])
            missing.append(code[start : code.index(b"\0", start)].decode())
    return missing
