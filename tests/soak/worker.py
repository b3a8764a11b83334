"""The process in which commands run: ``python -m tests.soak.worker``.

It has loaded everything and runs one command after another, either itself, which is quick, or in a
fork of its own, which can be killed. Requests and answers are lines of JSON on the descriptors that
were its stdin and stdout; commands find nothing on their stdin.

A request ``{"here": ARGUMENTS, "cwd"}`` is answered by ``{"status", "out", "err", "peak"}``;
``{"apart": ARGUMENTS, "cwd", "hook"}`` by ``{"pid", "printed"}`` at once, the second the folder in
which what it prints grows, and ``{"reap": PID}`` when that has ended by ``{"status", "out",
"err"}``, where the status is negative for a signal. A hook is a function ``module:name`` that the
fork calls first.
"""

import importlib
import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO, Any

from tests.soak.memory import forget_peak, peak

__all__ = ["MEMORY", "TAIL"]

MEMORY = 3 * 2**30
"""Bytes of data that a command may hold; with more it fails as if memory were used up."""
TAIL = 4000
"""Characters of what a command printed that are told."""


def main() -> None:
    """Answer until nobody asks any more."""
    requests = os.fdopen(os.dup(0), "r")
    answers = os.fdopen(os.dup(1), "w")
    _connect(os.open(os.devnull, os.O_RDONLY), 0)
    _warm()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    while line := _line(requests):
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)


def _line(requests: IO[str]) -> str:
    while True:
        try:
            return requests.readline()
        except KeyboardInterrupt:
            pass  # It was for a command that has ended meanwhile.


_HEAVY = ("httpx", "pysim.families.rubik.solver.distance_table", "pysim.render.egl.renderer")


def _warm() -> None:
    """Load what commands load, so that forks need not."""
    from bridge.runs.protocol import load_benches
    from pysim.catalog import discover_families, list_shipped_levels

    for name in ("dataset", "generate", "play", "replay", "report", "select", "verify"):
        importlib.import_module(f"bridge.cli.handlers.{name}")
    for name in ("levels", "benches", "items"):
        importlib.import_module(f"bridge.cli.handlers.eval.{name}")
    for name in ("bridge.cli.app", "bridge.rpc.server", "bridge.items.model", *_HEAVY):
        importlib.import_module(name)
    assert load_benches()
    list_shipped_levels()
    _command()
    for family in discover_families().values():
        assert family.rules


def _answer(request: dict[str, Any]) -> dict[str, object]:
    if "here" in request:
        return _here(request["here"], request["cwd"])
    if "apart" in request:
        pid = _apart(request)
        return {"pid": pid, "printed": str(_printed[pid])}
    return _reaped(request["reap"])


def _here(arguments: list[str], folder: str) -> dict[str, object]:
    forget_peak()
    os.chdir(folder)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        kept = [os.dup(1), os.dup(2)]
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            status = _run(arguments)
        finally:
            for number, descriptor in enumerate(kept, 1):
                _connect(descriptor, number)
        return {"status": status, "out": _tail(out), "err": _tail(err), "peak": peak()}


def _run(arguments: list[str]) -> int:
    """The exit status of a command."""
    from bridge.cli.errors import exit_on_errors

    sys.argv = ["luban", *arguments]
    try:
        with exit_on_errors():
            _command()(arguments, prog_name="luban")
        status: object = 0
    except SystemExit as stop:
        status = stop.code
    except BaseException:  # Whatever comes through would have ended a program with a traceback.
        import traceback

        traceback.print_exc()
        status = 70
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return status if isinstance(status, int) else 0


@cache
def _command() -> Callable[..., object]:
    """The command line with all its commands loaded; that takes longer than most refusals."""
    import click

    from bridge.cli.app import COMMANDS, app

    for name in COMMANDS:
        app.get_command(click.Context(app), name)
    return app


def _connect(source: int, target: int) -> None:
    os.dup2(source, target)
    os.close(source)


def _tail(file: IO[bytes]) -> str:
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - TAIL))
    return file.read().decode("utf-8", "replace")


# -- forks ----------------------------------------------------------------------------------------

_printed: dict[int, Path] = {}
"""Where forks print, until they have been reaped."""


def _apart(request: dict[str, Any]) -> int:
    # What has drawn, say, has threads; a fork would have none of them, and wait for them for ever.
    assert len([*Path("/proc/self/task").iterdir()]) == 1, "it has threads"
    folder = Path(tempfile.mkdtemp(prefix="luban-soak-"))
    pid = os.fork()
    if not pid:
        _child(request, folder)
    _printed[pid] = folder
    os.setpgid(pid, pid)  # In both, for nobody knows who comes first.
    return pid


def _child(request: dict[str, Any], folder: Path) -> None:
    status = 70
    try:
        os.setpgid(0, 0)
        os.chdir(request["cwd"])
        for number, name in ((1, "out"), (2, "err")):
            _connect(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600), number)
        if request.get("hook"):
            module, _, function = request["hook"].partition(":")
            getattr(importlib.import_module(module), function)()
        status = _run(request["apart"])
    finally:
        os._exit(status)


def _reaped(pid: int) -> dict[str, object]:
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    folder = _printed.pop(pid)
    told: dict[str, object] = {"status": status}
    for name in ("out", "err"):
        path = folder / name
        if path.exists():
            with path.open("rb") as file:
                told[name] = _tail(file)
            path.unlink()
        else:
            told[name] = ""
    folder.rmdir()
    return told


if __name__ == "__main__":
    main()
