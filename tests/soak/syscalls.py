"""System calls of a child process that somebody else answers, as the kernel offers it.

A filter of seccomp stops the calls that change files, in the child and all its processes and
threads, whatever library makes them, and asks here what to do: carry them out, have them fail, or
write half. The child's code knows nothing of it. Sources: seccomp(2), seccomp_unotify(2), and the
kernel's ``seccomp.h``, ``audit.h``, ``syscall_64.tbl`` and ``unistd.h``.
"""

import ctypes
import errno
import fcntl
import os
import platform
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CALLS", "Call", "answer", "filter_calls", "receive", "why_impossible"]

CALLS = {
    "write": ("write", "pwrite64", "writev", "pwritev", "ftruncate", "truncate", "sendfile",
              "copy_file_range", "fallocate"),
    "sync": ("fsync", "fdatasync"),
    "rename": ("rename", "renameat", "renameat2", "link", "linkat"),
    "make": ("open", "openat", "creat", "mkdir", "mkdirat"),
    "remove": ("unlink", "unlinkat", "rmdir"),
}  # fmt: skip
"""Calls that change files, by what they do; of those that open files the ones that may make one."""

_X86_64 = {
    "write": 1, "open": 2, "pwrite64": 18, "writev": 20, "sendfile": 40, "fsync": 74,
    "fdatasync": 75, "truncate": 76, "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84,
    "creat": 85, "link": 86, "unlink": 87, "openat": 257, "mkdirat": 258, "unlinkat": 263,
    "renameat": 264, "linkat": 265, "fallocate": 285, "pwritev": 296, "renameat2": 316,
    "seccomp": 317, "copy_file_range": 326, "pidfd_getfd": 438,
}  # fmt: skip
_AARCH64 = {
    "mkdirat": 34, "unlinkat": 35, "linkat": 37, "renameat": 38, "truncate": 45, "ftruncate": 46,
    "fallocate": 47, "openat": 56, "write": 64, "writev": 66, "pwrite64": 68, "pwritev": 70,
    "sendfile": 71, "fsync": 82, "fdatasync": 83, "renameat2": 276, "seccomp": 277,
    "copy_file_range": 285, "pidfd_getfd": 438,
}  # fmt: skip
_NUMBERS = {"x86_64": _X86_64, "aarch64": _AARCH64}
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_KIND = {name: kind for kind, names in CALLS.items() for name in names}
_BY_NUMBER = {number: name for name, number in _NUMBERS.get(platform.machine(), {}).items()}
_FLAGS_AT = {"open": 1, "openat": 2}
"""Which argument says whether a file is made."""
_PATHS_AT = {
    "truncate": (None, 0), "open": (None, 0), "creat": (None, 0), "mkdir": (None, 0),
    "unlink": (None, 0), "rmdir": (None, 0), "openat": (0, 1), "mkdirat": (0, 1),
    "unlinkat": (0, 1), "rename": (None, 1), "link": (None, 1), "renameat": (2, 3),
    "renameat2": (2, 3), "linkat": (2, 3),
}  # fmt: skip
"""Which arguments are a folder and a path from there; other calls have an open file as their first.

Of two paths it is the second."""

# Instructions of classic BPF, and what they return.
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _ASK = 0x7FFF0000, 0x7FC00000

_PR_SET_NO_NEW_PRIVS, _SET_MODE_FILTER, _NEW_LISTENER = 38, 1, 8
_NOTICE = struct.Struct("=QIIiIQ6Q")
_ANSWER = struct.Struct("=QqiI")
_RECEIVE = 3 << 30 | _NOTICE.size << 16 | ord("!") << 8
_SEND = 3 << 30 | _ANSWER.size << 16 | ord("!") << 8 | 1
_CONTINUE = 1
_AT_FDCWD = -100


@dataclass(frozen=True)
class Call:
    """A call that waits for its answer.

    Attributes:
        id: the kernel's.
        thread: who makes it.
        name: of the call.
        arguments: of the call.
        path: of the file that it is about, where it will be; None if it is no file.
    """

    id: int
    thread: int
    name: str
    arguments: tuple[int, ...]
    path: Path | None

    @property
    def kind(self) -> str:
        """What it does; see :data:`CALLS`."""
        return _KIND[self.name]


def why_impossible() -> str:
    """Why calls can't be answered here; empty if they can."""
    if platform.system() != "Linux" or platform.machine() not in _NUMBERS:
        return f"system calls of {platform.system()} on {platform.machine()} are not known"
    pid = os.fork()
    if pid == 0:
        try:
            filter_calls()
        except OSError as error:
            os._exit(error.errno or 255)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return "" if status == 0 else f"no seccomp notices here: {os.strerror(status)}"


def filter_calls() -> int:
    """Have this process ask before it changes files; the descriptor that whoever answers needs.

    Raises:
        OSError: the kernel can't do that, or must not.
    """
    code = b"".join(_program())
    text = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(
        struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(text))
    )
    word = ctypes.c_ulong
    if _libc().prctl(_PR_SET_NO_NEW_PRIVS, word(1), word(0), word(0), word(0)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return _syscall("seccomp", _SET_MODE_FILTER, _NEW_LISTENER, ctypes.addressof(program))


def _program() -> list[bytes]:
    """Ask for the calls that are known, allow all others."""
    machine = platform.machine()
    program = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _instruction(_RETURN, _ALLOW),
        _instruction(_LOAD, _NUMBER_AT),
    ]
    for name, number in _NUMBERS[machine].items():
        if name in _FLAGS_AT:
            program += [
                _instruction(_EQUAL, number, 0, 4),
                _instruction(_LOAD, _ARGUMENTS_AT + 8 * _FLAGS_AT[name]),
                _instruction(_ANY_BIT, os.O_CREAT, 0, 1),
                _instruction(_RETURN, _ASK),
                _instruction(_RETURN, _ALLOW),
            ]
        elif name in _KIND:
            program += [_instruction(_EQUAL, number, 0, 1), _instruction(_RETURN, _ASK)]
    return [*program, _instruction(_RETURN, _ALLOW)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def receive(listener: int) -> Call | None:
    """The next call that waits; None if its process has ended meanwhile."""
    notice = bytearray(_NOTICE.size)
    try:
        fcntl.ioctl(listener, _RECEIVE, notice, True)
    except FileNotFoundError:
        return None
    number_of, thread, _, number, _, _, *arguments = _NOTICE.unpack(notice)
    name = _BY_NUMBER[number]
    try:
        path = _path(thread, name, arguments)
    except OSError:
        path = None
    return Call(number_of, thread, name, tuple(arguments), path)


def answer(listener: int, call: Call, error: int = 0, *, half: bool = False) -> None:
    """Let a call be carried out, or have it fail, or write half of what it was to write.

    Args:
        error: number of the system's error.
        half: carry out a ``write`` of more than one byte in part; other calls as they are.
    """
    value, flags = 0, 0 if error else _CONTINUE
    if half and call.name in ("write", "pwrite64") and call.arguments[2] > 1:
        value, flags = _write_half(call), 0
    response = bytearray(_ANSWER.pack(call.id, value, -error, flags))
    with suppress(FileNotFoundError):  # Its process was killed.
        fcntl.ioctl(listener, _SEND, response, True)


def _write_half(call: Call) -> int:
    """Write the first half in the child's place, to its own open file; how much it was."""
    descriptor, address, size, offset = call.arguments[:4]
    process = int(_status(call.thread)["Tgid"])
    handle = os.pidfd_open(process)
    try:
        file = _syscall("pidfd_getfd", handle, descriptor, 0)
    finally:
        os.close(handle)
    try:
        data = _memory(call.thread, address, size // 2)
        return os.pwrite(file, data, offset) if call.name == "pwrite64" else os.write(file, data)
    finally:
        os.close(file)


def _status(thread: int) -> dict[str, str]:
    lines = Path(f"/proc/{thread}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _path(thread: int, name: str, arguments: list[int]) -> Path | None:
    if name not in _PATHS_AT:
        # Of the two files of copy_file_range it is the third argument.
        file = arguments[2 if name == "copy_file_range" else 0]
        target = Path(f"/proc/{thread}/fd/{file}").readlink()
        return target if target.is_absolute() else None
    folder_at, path_at = _PATHS_AT[name]
    start = ctypes.c_int(arguments[folder_at]).value if folder_at is not None else _AT_FDCWD
    place = "cwd" if start == _AT_FDCWD else f"fd/{start}"
    text = _text(thread, arguments[path_at])
    return Path(os.path.normpath(Path(f"/proc/{thread}/{place}").readlink() / text))


def _text(thread: int, address: int) -> str:
    """The text that ends with a zero byte; read up to the ends of pages, where memory may end."""
    text = b""
    while b"\0" not in text:
        text += _memory(thread, address + len(text), 4096 - (address + len(text)) % 4096)
    return os.fsdecode(text[: text.index(b"\0")])


def _memory(thread: int, address: int, size: int) -> bytes:
    with Path(f"/proc/{thread}/mem").open("rb", buffering=0) as memory:
        data = os.pread(memory.fileno(), size, address)
    if not data and size:
        raise OSError(errno.EFAULT, os.strerror(errno.EFAULT))
    return data


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def _syscall(name: str, *arguments: int) -> int:
    number = _NUMBERS[platform.machine()][name]
    result = int(_libc().syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
