"""Export memory by DLPack, the protocol by which array libraries share it without copies.

Layout of the structures: https://dmlc.github.io/dlpack/latest/c_api.html, version 0.
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["CPU", "CUDA", "make_capsule"]

CPU, CUDA = 1, 2
"""Kinds of devices."""

_CODES = {"i": 0, "u": 1, "f": 2}
_NAME = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("index", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _ManagedTensor(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ManagedTensor))
_ManagedTensor._fields_ = (
    ("tensor", _Tensor),
    ("context", ctypes.c_void_p),
    ("deleter", _Deleter),
)

_held: dict[int, tuple[object, ...]] = {}
"""Objects that live as long as a tensor is used, by the tensor's address."""


def _release(managed: Any) -> None:
    """Forget a tensor that its consumer is done with."""
    _held.pop(ctypes.addressof(managed.contents), None)


def _drop(capsule: int) -> None:
    """Forget a tensor that nobody took out of its capsule."""
    api = ctypes.pythonapi
    if api.PyCapsule_IsValid(ctypes.c_void_p(capsule), _NAME):
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        address = api.PyCapsule_GetPointer(ctypes.c_void_p(capsule), ctypes.c_char_p(_NAME))
        _held.pop(address, None)


_delete = _Deleter(_release)
_destroy = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_drop)


def make_capsule(
    pointer: int,
    shape: Sequence[int],
    strides: Sequence[int],
    dtype: np.dtype[Any],
    device: tuple[int, int],
    owner: object,
) -> object:
    """Return a capsule ``dltensor`` of some memory.

    Args:
        pointer: address of the first element.
        strides: in elements.
        device: its kind, and its number.
        owner: is kept alive as long as the memory is used.
    """
    count = len(shape)
    extents, steps = (ctypes.c_int64 * count)(*shape), (ctypes.c_int64 * count)(*strides)
    managed = _ManagedTensor(
        _Tensor(
            pointer,
            _Device(*device),
            count,
            _DataType(_CODES[dtype.kind], 8 * dtype.itemsize, 1),
            ctypes.cast(extents, ctypes.POINTER(ctypes.c_int64)),
            ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64)),
            0,
        ),
        None,
        _delete,
    )
    address = ctypes.addressof(managed)
    _held[address] = (managed, extents, steps, owner)
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = (
        ctypes.py_object,
        (ctypes.c_void_p, ctypes.c_char_p, type(_destroy)),
    )
    capsule: object = make(address, _NAME, _destroy)
    return capsule
