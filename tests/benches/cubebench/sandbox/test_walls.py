"""Attempts to get out of a sandbox."""

import sys
import time
from pathlib import Path

import pytest

from bridge.benches.cubebench.sandbox import lockdown
from bridge.benches.cubebench.sandbox.interpreter import (
    Interpreter,
    Ran,
    SandboxError,
    Strength,
    check_sandbox,
)
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[4]


def run(interpreter: Interpreter, code: str, seconds: float = PATIENCE) -> Ran:
    return interpreter.run(code, time.monotonic() + seconds)


REFUSED = {
    "socket": "import socket\nsocket.socket()",
    "unix socket": "import socket\nsocket.socketpair()",
    "name look-up": "import socket\nsocket.create_connection(('127.0.0.1', 9))",
    "level with a plan": f"open({str(ROOT / 'assets/rubik/cubebench-d01-1-face-view.json')!r})",
    "Luban's code": f"open({str(ROOT / 'bridge/agents/protocol.py')!r})",
    "folder of levels": f"import os\nos.listdir({str(ROOT / 'assets/rubik')!r})",
    "password file": "open('/etc/passwd')",
    "size of a file": "import os\nos.stat('/etc/passwd')",
    "size of a link": "import os\nos.lstat('/etc/passwd')",
    "size by a handle": "import os\nos.fstat(os.open('/etc/passwd', os.O_PATH))",
    "age of a level": f"import os\nos.path.getmtime({str(ROOT / 'assets/rubik')!r})",
    "target of a link": "import os\nos.readlink('/proc/self/exe')",
    "environment of the parent": "import os\nopen(f'/proc/{os.getppid()}/environ')",
    "memory of the parent": "import os\nopen(f'/proc/{os.getppid()}/mem', 'rb')",
    "own maps": "open('/proc/self/maps')",
    "temporary file": "open('/tmp/x', 'w')",
    "file in its folder": "open('x', 'w')",
    "appending to itself": "import os\nopen(os.__file__, 'a')",
    "removing": "import os\nos.remove(os.__file__)",
    "changing rights": "import os\nos.chmod(os.__file__, 0o777)",
    "link": "import os\nos.symlink('/', 'x')",
    "other folder": "import os\nos.chdir('/')",
    "fork": "import os\nos.fork()",
    "program": "import subprocess\nsubprocess.run(['/bin/true'])",
    "exec": "import os\nos.execv('/bin/true', ['true'])",
    "shell": "import os\nassert os.system('true') == 0, 'Operation not permitted'",
    "killing the parent": "import os\nos.kill(os.getppid(), 9)",
    "killing all": "import os\nos.kill(-1, 9)",
    "stopping itself": "import os\nos.kill(os.getpid(), 19)",
    "raising a signal": "import signal\nsignal.raise_signal(19)",
    "process file descriptor": "import os\nos.pidfd_open(os.getppid())",
    "priority": "import os\nos.nice(-1)",
    "higher limits": ("import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))\n"),
    "limits of the parent": (
        "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))"
    ),
    "pipe": "import os\nos.pipe()",
    "shared memory": "import os\nos.memfd_create('x')",
    "signals by a pipe": "import fcntl, os\nfcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())",
}


@pytest.mark.parametrize("way", REFUSED)
def test_a_way_out_is_closed(way: str, strong: Interpreter) -> None:
    error = run(strong, REFUSED[way]).error
    assert error is not None
    assert any(
        words in error for words in ("not permitted", "Permission denied", "not allowed to raise")
    ), error
    assert run(strong, "print(double(1))").output == "2\n"


def test_threads_are_not_to_be_had(strong: Interpreter) -> None:
    error = run(strong, "import threading\nthreading.Thread(target=print).start()").error
    assert error is not None
    assert "can't start new thread" in error


RAW = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    values = [ctypes.c_long(a) if isinstance(a, int) else ctypes.c_char_p(a) for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *values)
    return ctypes.get_errno() if result < 0 else -result
"""
CALLS = {
    "ptrace": "101, 16, PARENT, 0, 0",
    "process_vm_readv": "310, PARENT, 0, 0, 0, 0, 0",
    "openat2": "437, -100, b'/etc/passwd', 0, 0",
    "open_by_handle_at": "304, 0, 0, 0",
    "clone": "56, 17, 0, 0, 0, 0",
    "clone of a thread": "56, 0x50f00, 0, 0, 0, 0",
    "vfork": "58",
    "io_uring_setup": "425, 1, 0",
    "unshare": "272, 0x10000000",
    "mount": "165, b'a', b'b', b'c', 0, 0",
    "setuid": "105, 0",
    "bpf": "321, 0, 0, 0",
    "userfaultfd": "323, 0",
    "tgkill": "234, PARENT, PARENT, 9",
    "ioctl": "16, 0, 0x5412, b'x'",
    "32-bit style": "0x40000000 + 41, 2, 1, 0",
    "stat": "4, b'/etc/passwd', b'x' * 256",
    "lstat": "6, b'/etc/passwd', b'x' * 256",
    "access": "21, b'/etc/passwd', 0",
    "readlink": "89, b'/proc/self/exe', b'x' * 256, 256",
    "newfstatat": "262, -100, b'/etc/passwd', b'x' * 256, 0",
    "readlinkat": "267, -100, b'/proc/self/exe', b'x' * 256, 256",
    "faccessat": "269, -100, b'/etc/passwd', 0",
    "statx": "332, -100, b'/etc/passwd', 0, 0xfff, b'x' * 256",
    "faccessat2": "439, -100, b'/etc/passwd', 0, 0",
}


@pytest.mark.parametrize("name", CALLS)
def test_a_system_call_past_python_fails(name: str, strong: Interpreter) -> None:
    arguments = CALLS[name].replace("PARENT", "os.getppid()")
    ran = run(strong, f"import os\n{RAW}\nprint(call({arguments}))")
    assert ran == Ran("1\n", None)  # EPERM


def test_an_interpreter_that_was_ended_is_replaced(strong: Interpreter) -> None:
    run(strong, "kept = 1")
    ran = run(strong, "import os\nos._exit(3)")
    assert ran.error is not None
    assert "exit status 3" in ran.error
    error = run(strong, "print(kept)").error
    assert error is not None
    assert "NameError" in error


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.abort()",
        "import ctypes\nctypes.string_at(0)",
        pytest.param(
            "import sys\nsys.setrecursionlimit(10**9)\ndef f(): return repr(x)\n"
            "x = []\nfor _ in range(10**5): x = [x]\nf()",
            marks=pytest.mark.skipif(
                sys.version_info >= (3, 12), reason="this Python raises RecursionError in time"
            ),
        ),
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\nwhile True: pass",
    ],
)
def test_a_crash_is_told_and_survived(code: str, strong: Interpreter) -> None:
    ran = run(strong, code)
    assert ran.error is not None
    assert "the interpreter has ended (signal" in ran.error
    assert run(strong, "print(double(1))").output == "2\n"


FRAMES = {
    "no JSON": "b'hello\\n'",
    "a list": "b'[1]\\n'",
    "nothing": "b'\\n'",
    "not UTF-8": "b'\\xff\\xfe\\n'",
    "deeply nested": "b'[' * 100_000 + b'\\n'",
    "a huge number": "b'{\"output\": ' + b'9' * 10_000 + b'}\\n'",
    "an object that is nothing": "b'{}\\n'",
    "output that is none": 'b\'{"output": 1, "error": null}\\n\'',
    "a call that is none": "b'{\"call\": 1}\\n'",
    "a call without arguments": 'b\'{"call": "double", "arguments": {}, "keywords": []}\\n\'',
    "no end": "b'x' * 300_000",
}
"""Each as the code writes it."""
WRITING = """
import os
for pipe in range(3, 1024):
    try:
        data = {frame}
        while data:
            data = data[os.write(pipe, data):]
    except OSError:
        pass
"""


@pytest.mark.by_day(3)
@pytest.mark.parametrize("name", FRAMES)
def test_a_corrupt_frame_costs_the_interpreter_and_no_more(name: str, strong: Interpreter) -> None:
    ran = run(strong, WRITING.format(frame=FRAMES[name]))
    assert ran.error is not None
    assert "the interpreter was ended: it wrote" in ran.error
    assert run(strong, "print(double(1))").output == "2\n"


def test_a_call_of_a_function_that_does_not_exist_is_refused(strong: Interpreter) -> None:
    code = (
        "import os\n"
        'line = b\'{"call": "plan", "arguments": [], "keywords": {}}\\n\'\n'
        "for fd in range(3, 1024):\n"
        "    try: os.write(fd, line)\n"
        "    except OSError: pass\n"
        "try: double(1)\n"
        "except ValueError as error: print(error)\n"
        "double(2)"  # Takes the answer to the call before.
    )
    assert run(strong, code).output == "there is no function 'plan'\n"
    strong.close()


def test_no_file_stays_open_and_no_folder_stays_behind(strong: Interpreter) -> None:
    code = "import os\nprint(os.listdir('.'), sorted(os.environ), os.getcwd())"
    text = run(strong, code).output
    assert text.startswith("[] ['LC_CTYPE', 'OPENBLAS_NUM_THREADS', 'PYTHONHASHSEED'] ")
    folder = Path(text.split()[-1])
    assert folder.is_dir()
    strong.close()
    assert not folder.exists()
    opened = Path("/proc/self/fd")
    before = len(list(opened.iterdir()))
    run(strong, "1")
    strong.close()
    assert len(list(opened.iterdir())) == before


def test_luban_can_not_be_imported(strong: Interpreter) -> None:
    for package in ("pysim", "numba", "pytest"):
        error = run(strong, f"import {package}").error
        assert error is not None
        assert "ModuleNotFoundError" in error


WHERE = """
import gc, os, sys, sysconfig, traceback, numpy
texts = [sys.executable, sys.prefix, sys.exec_prefix, numpy.__file__, os.getcwd(), *sys.path]
texts += [*sys.argv, *sys.orig_argv, *traceback.format_stack(), *map(str, os.environ.items())]
texts += [str(sysconfig.get_paths()), str(sys.flags), *map(repr, sys.modules.values())]
frame = sys._getframe()
while frame:
    texts += [frame.f_code.co_filename, repr(frame.f_globals), repr(frame.f_locals)]
    frame = frame.f_back
texts += [one for one in gc.get_objects() if isinstance(one, str)]
texts += [repr(one) for one in gc.get_objects() if type(one) in (dict, list, tuple)]
print(len(texts) > 1000, [place in text for place in PLACES for text in texts].count(True))
"""


def test_nothing_says_where_luban_is(strong: Interpreter) -> None:
    """Its place is looked for in everything that a program can ask Python for."""
    strong.close()  # What other tests have asked for names that place.
    reversed_places = [str(ROOT)[::-1], str(Path(sys.prefix).resolve())[::-1]]
    places = f"[place[::-1] for place in {reversed_places!r}]"
    assert run(strong, WHERE.replace("PLACES", places)) == Ran("True 0\n", None)


def test_python_still_finds_what_it_may_read(strong: Interpreter) -> None:
    code = (
        "import os, wave, decimal, linecache, pathlib\n"
        "print(os.path.isfile(os.__file__), os.stat(os.__file__).st_size > 1000)\n"
        "print(pathlib.Path(os.__file__).exists(), os.path.exists('nothing'))\n"
        "print(linecache.getline(os.__file__, 1) != '')\n"
    )
    assert run(strong, code) == Ran("True True\nTrue False\nTrue\n", None)


def test_where_the_kernel_lacks_something_code_does_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A child that can't lock itself in says so, and nothing is run."""
    package = tmp_path / "bridge" / "benches" / "cubebench" / "sandbox"
    package.mkdir(parents=True)
    for folder in (package, package.parent, package.parents[1]):
        (folder / "__init__.py").touch()
    source = Path(lockdown.__file__).parent
    for file in source.glob("*.py"):
        text = file.read_text().replace(
            "_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446",
            "_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 999, 998, 997",
        )
        (package / file.name).write_text(text)
    monkeypatch.setattr("bridge.__file__", str(tmp_path / "bridge" / "__init__.py"))
    with pytest.raises(SandboxError, match=r"has no Landlock.*--sandbox weak"):
        check_sandbox(Strength.STRONG)
    check_sandbox(Strength.WEAK)


def test_a_weak_sandbox_says_what_it_is() -> None:
    with Interpreter({}, Strength.WEAK) as interpreter:
        assert run(interpreter, f"print(len(open({__file__!r}).read()) > 0)").output == "True\n"
    with pytest.raises(ValueError, match="there are strong, weak"):
        Strength("none")
