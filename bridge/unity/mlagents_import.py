"""The genuine ``mlagents_envs``, imported where protobuf is newer than its generated code.

Its last release, 1.1.0, ships modules that protoc made long ago and that protobuf refuses since
version 4. Each of them still holds its file's descriptor as a literal. The import hook takes
that literal out of the installed file, of which nothing else is run, and lets protobuf build the
classes from it.
"""

import ast
import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Final

from pysim.errors import LubanError

__all__ = ["INSTALL", "MlagentsUnavailable", "find_installed_version", "import_environment"]

INSTALL: Final = (
    "pip install --no-deps --ignore-requires-python mlagents-envs==1.1.0 && "
    "pip install cloudpickle pyyaml pillow"
)
"""How it is installed; its own metadata refuse Python 3.11 and every recent protobuf."""

_GENERATED = "mlagents_envs.communicator_objects."


class MlagentsUnavailable(LubanError, RuntimeError):
    """mlagents_envs is missing or can't be imported; the message says what to do."""


def find_installed_version() -> str | None:
    """Return the installed release of mlagents-envs; None if there is none."""
    try:
        return version("mlagents-envs")
    except PackageNotFoundError:
        return None


def import_environment() -> ModuleType:
    """``mlagents_envs.environment``, where ``UnityEnvironment`` is.

    Raises:
        MlagentsUnavailable: it is missing or can't be imported.
    """
    if find_installed_version() is None:
        raise MlagentsUnavailable(f"mlagents-envs is missing: {INSTALL}")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    try:
        with warnings.catch_warnings():
            # It uses distutils, of which Python 3.11 warns; from 3.12 on setuptools brings it.
            warnings.simplefilter("ignore", DeprecationWarning)
            return importlib.import_module("mlagents_envs.environment")
    except ImportError as error:
        raise MlagentsUnavailable(
            f"mlagents-envs can't be imported ({error}): pip install cloudpickle pyyaml pillow "
            "'setuptools<81'"
        ) from error


class _Finder(MetaPathFinder):
    """Finds the generated modules, to load them in our way."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not (fullname.startswith(_GENERATED) and fullname.endswith("_pb2")):
            return None
        found = PathFinder.find_spec(fullname, path)
        if found is None or found.origin is None:
            return None
        return ModuleSpec(fullname, _Loader(Path(found.origin)), origin=found.origin)


class _Loader(Loader):
    """Builds a generated module from the descriptor in its file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def exec_module(self, module: ModuleType) -> None:
        from google.protobuf import descriptor_pb2, descriptor_pool
        from google.protobuf.internal import builder

        content = _descriptor(self._path)
        file = descriptor_pb2.FileDescriptorProto.FromString(content)
        for name in file.dependency:
            importlib.import_module(name.removesuffix(".proto").replace("/", ".") + "_pb2")
        descriptor = descriptor_pool.Default().AddSerializedFile(content)
        module.__dict__["DESCRIPTOR"] = descriptor
        builder.BuildMessageAndEnumDescriptors(descriptor, module.__dict__)
        builder.BuildTopDescriptorsAndMessages(descriptor, module.__name__, module.__dict__)


def _descriptor(path: Path) -> bytes:
    """Return the serialized FileDescriptorProto in a generated file.

    Raises:
        ImportError: it holds none.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.keyword(arg="serialized_pb", value=ast.Call(args=[ast.Constant(str(text))])):
                return text.encode("latin-1")  # A character for each byte.
            case ast.Call(
                func=ast.Attribute(attr="AddSerializedFile"),
                args=[ast.Constant(value=bytes(content))],
            ):
                return content
    raise ImportError(f"there is no descriptor in {path}")
