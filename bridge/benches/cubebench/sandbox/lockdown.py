"""Taking rights away from this process for good, with what the Linux kernel offers.

- Resource limits: memory, processor time, open files, no file may grow.
- Landlock: of the file system only named places can be read, nothing can be written or run.
- seccomp: system calls that are not listed fail with EPERM. There are none for sockets, other
  processes, new processes and threads, signals to others, and none that could undo any of this;
  files open for reading only. What a file is like can be asked of open ones alone: else code could
  find out about those that Landlock keeps from it.

The child of a sandbox imports this module; it is to import little itself. Sources: landlock(7),
seccomp(2), and the kernel's ``landlock.h``, ``seccomp.h``, ``audit.h`` and ``syscall_64.tbl``.
"""

import ctypes
import errno
import os
import platform
import resource
import signal
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = [
    "LockdownError",
    "die_with_parent",
    "limit_calls",
    "limit_files",
    "limit_resources",
    "look_by_opening",
]


class LockdownError(Exception):
    """The kernel lacks what a lockdown needs; the message says what."""


_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38


def limit_resources(memory: int, seconds: int) -> None:
    """Limit what this process may use up.

    Args:
        memory: bytes of address space.
        seconds: of processor time.
    """
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CORE: 0,
    }
    for name, limit in limits.items():
        _, hard = resource.getrlimit(name)
        least = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(name, (least, least))


def die_with_parent(parent: int) -> None:
    """Have this process killed as soon as the thread that started it ends; at once if it has."""
    if sys.platform == "linux":
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


# -- Landlock -----------------------------------------------------------------------------------

_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_EVERYTHING = (1 << 13) - 1
"""All rights of Landlock's first version: run, write, read, list, remove, make."""


def limit_files(readable: Iterable[Path], listable: Iterable[Path] = ()) -> None:
    """Leave nothing of the file system but some places, and those for reading only.

    Args:
        readable: files, and folders with everything in them; what does not exist is left out.
        listable: folders in which names may be listed, those below included.

    Raises:
        LockdownError: the kernel has no Landlock.
    """
    if _syscall(_LANDLOCK_CREATE_RULESET, None, 0, _VERSION) < 1:
        raise LockdownError("this kernel has no Landlock, or it is switched off")
    attribute = struct.pack("Q", _EVERYTHING)
    rules = _checked("landlock_create_ruleset", _LANDLOCK_CREATE_RULESET, attribute, 8, 0)
    try:
        for path in readable:
            _allow(rules, path, _READ_FILE | (_READ_DIR if path.is_dir() else 0))
        for path in listable:
            _allow(rules, path, _READ_DIR)
        _promise_no_new_privileges()
        _checked("landlock_restrict_self", _LANDLOCK_RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = struct.pack("=Qi", rights, place)
        _checked("landlock_add_rule", _LANDLOCK_ADD_RULE, rules, _PATH_BENEATH, rule, 0)
    finally:
        os.close(place)


# -- seccomp ------------------------------------------------------------------------------------

_ARCHITECTURE = 0xC000003E  # AUDIT_ARCH_X86_64
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_LOAD, _AND, _EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x06
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000

_FREE = {
    "read": 0, "write": 1, "close": 3, "fstat": 5, "poll": 7, "lseek": 8,
    "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
    "rt_sigreturn": 15, "pread64": 17, "select": 23, "sched_yield": 24, "mremap": 25,
    "madvise": 28, "nanosleep": 35, "getitimer": 36, "alarm": 37, "setitimer": 38, "getpid": 39,
    "exit": 60, "uname": 63, "getcwd": 79, "gettimeofday": 96, "getrusage": 98,
    "sysinfo": 99, "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108,
    "getppid": 110, "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202,
    "sched_getaffinity": 204, "getdents64": 217, "restart_syscall": 219, "clock_gettime": 228,
    "clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231, "pselect6": 270, "ppoll": 271,
    "set_robust_list": 273, "getcpu": 309, "getrandom": 318, "membarrier": 324, "rseq": 334,
}  # fmt: skip
"""Calls that may be made with any arguments: x86-64 numbers."""
_OPEN, _OPENAT, _FCNTL, _NEWFSTATAT = 2, 257, 72, 262
_AT_EMPTY_PATH = 0x1000
"""By which the C library asks about an open file."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_O_PATH = 0x200000
"""Opens what may not be read, so that it can be asked about; Landlock lets it through."""
_HARMLESS_FCNTL = (1, 2, 3, 1030)
"""F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Others can have signals sent to other processes."""


def limit_calls() -> None:
    """Have every system call fail that Python and numpy can do without.

    Raises:
        LockdownError: the kernel has no seccomp filters, or this is no x86-64.
    """
    if platform.machine() != "x86_64":
        raise LockdownError(f"the filter of system calls is for x86_64, not {platform.machine()}")
    _promise_no_new_privileges()
    code = b"".join(_filter())
    text = ctypes.create_string_buffer(code)
    program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(text))
    if _prctl(_PR_SET_SECCOMP, 2, program) != 0:
        raise LockdownError(f"this kernel takes no seccomp filter: {os.strerror(_errno())}")


def look_by_opening() -> None:
    """Have Python open whatever it asks about, once it can't ask about names any more."""
    import posix  # What ``os`` and the import system call.

    def stat(
        path: int | str | bytes | os.PathLike[str],
        *,
        dir_fd: int | None = None,
        follow_symlinks: bool = True,
    ) -> os.stat_result:
        if isinstance(path, int):
            return os.fstat(path)
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=dir_fd)
        try:
            return os.fstat(handle)
        finally:
            os.close(handle)

    for module in (os, posix):
        vars(module).update(stat=stat, lstat=stat)


def _filter() -> Iterator[bytes]:
    """Yield the program that the kernel runs before each call; instructions of classic BPF."""
    yield _instruction(_LOAD, _ARCHITECTURE_AT)
    yield _instruction(_EQUAL, _ARCHITECTURE, 1, 0)
    yield _instruction(_RETURN, _KILL)
    yield _instruction(_LOAD, _NUMBER_AT)
    for number in _FREE.values():
        yield from (_instruction(_EQUAL, number, 0, 1), _instruction(_RETURN, _ALLOW))
    yield from _if_call(_OPEN, _without_flags(1, _WRITING | _O_PATH))
    yield from _if_call(_OPENAT, _without_flags(2, _WRITING | _O_PATH))
    yield from _if_call(_NEWFSTATAT, _one_of(3, (_AT_EMPTY_PATH,)))
    yield from _if_call(_FCNTL, _one_of(1, _HARMLESS_FCNTL))
    yield _instruction(_RETURN, _FAIL)


def _if_call(number: int, body: list[bytes]) -> list[bytes]:
    return [_instruction(_EQUAL, number, 0, len(body)), *body]


def _without_flags(argument: int, flags: int) -> list[bytes]:
    return [
        _instruction(_LOAD, _ARGUMENTS_AT + 8 * argument),
        _instruction(_AND, flags),
        *_allow_if((0,)),
    ]


def _one_of(argument: int, values: Iterable[int]) -> list[bytes]:
    return [_instruction(_LOAD, _ARGUMENTS_AT + 8 * argument), *_allow_if(values)]


def _allow_if(values: Iterable[int]) -> list[bytes]:
    tests = [
        part
        for value in values
        for part in (_instruction(_EQUAL, value, 0, 1), _instruction(_RETURN, _ALLOW))
    ]
    return [*tests, _instruction(_RETURN, _FAIL)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


# -- the kernel ---------------------------------------------------------------------------------


def _promise_no_new_privileges() -> None:
    if _prctl(_PR_SET_NO_NEW_PRIVS, 1) != 0:
        raise LockdownError("this kernel can't promise that there will be no new privileges")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _errno() -> int:
    return ctypes.get_errno()


def _prctl(option: int, argument: int, more: bytes | int = 0) -> int:
    word = ctypes.c_ulong
    last = ctypes.c_char_p(more) if isinstance(more, bytes) else word(more)
    return int(_libc().prctl(option, word(argument), last, word(0), word(0)))


def _syscall(number: int, *arguments: int | bytes | None) -> int:
    values = [ctypes.c_long(a) if isinstance(a, int) else ctypes.c_char_p(a) for a in arguments]
    _libc().syscall.restype = ctypes.c_long
    return int(_libc().syscall(ctypes.c_long(number), *values))


def _checked(name: str, number: int, *arguments: int | bytes | None) -> int:
    result = _syscall(number, *arguments)
    if result < 0:
        raise LockdownError(f"{name} fails: {os.strerror(_errno())}")
    return result
