"""``luban serve``, and servers in processes of their own."""

import gc
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType

from bridge.cli.commands.serve import ServeRequest
from bridge.cli.errors import CommandError
from bridge.cli.listening import read_tls
from bridge.cli.notices import print_notice, print_warning
from bridge.cli.output import check_runs
from bridge.cli.permissions import make_files_private
from bridge.cli.terminal import outlast_reader
from bridge.episode.engines import Engines
from pysim.render.renderer import RendererUnavailable

__all__ = ["launch_server", "run_server"]

_PATIENCE, _HURRY = 60.0, 5.0
"""Seconds that a server has to stop, the second after an interrupt: it may be making a video."""
_COLLECTED = 60
"""Seconds after which a server looks for garbage among all objects."""


@outlast_reader()
@make_files_private()
def run_server(request: ServeRequest) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises:
        CommandError: what was asked for lets in whom it should not, or contradicts itself, or the
            folder for episodes can't be written to.
        LubanError: there is no such renderer.
    """
    from bridge.rpc.server import LubanServer
    from bridge.rpc.serving.limits import ServerLimits

    check_runs(request.runs)
    tls = read_tls(
        request.host, request.tls_cert, request.tls_key, request.tls_client_ca, request.insecure
    )
    key = _operator_key(request)
    stop: SimpleQueue[int] = SimpleQueue()  # An event must not be set where it is waited for.

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.put(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    with (
        _open_engines(request) as engines,
        LubanServer(
            request.runs,
            host=request.host,
            port=request.port,
            idle_timeout=request.idle_timeout,
            renderer=request.renderer,
            engines=engines,
            operator_key=key,
            tls=tls,
            limits=ServerLimits(request.max_episodes, request.max_bullet_episodes),
        ) as server,
        _kept(server.address, "" if request.operator_key else key) as path,
    ):
        if server.limits.episodes < request.max_episodes:
            print(
                f"The system lets this server open files for {server.limits.episodes} episodes at "
                "most: `ulimit -n` says how many files, and raises their number.",
                file=sys.stderr,
                flush=True,
            )
        made = "" if request.operator_key else key
        print(_said(server.address, request, made, path, request.as_json), flush=True)
        _collect_seldom()
        for second in count(1):
            if _is_told(stop):
                break
            if second % _COLLECTED == 0:
                gc.collect()


@contextmanager
def _open_engines(request: ServeRequest) -> Iterator[Engines]:
    """Open the engines, and say at once if the renderer can't be used.

    Raises:
        LubanError: no renderer has that name.
    """
    from bridge.operations.engines import open_engines

    with open_engines(request.unity_player, request.renderer) as engines:
        if request.renderer not in ("auto", *engines.more_renderers):
            try:
                engines.create_renderer(request.renderer)[0].close()
            except RendererUnavailable as error:
                print_warning(f"{error}. This server makes no pictures.")
        yield engines


def _collect_seldom() -> None:
    """Have Python look for garbage among all objects only when it is told to.

    It would do so every few seconds while many play, and with a thousand episodes each time takes
    a sixth of a second, in which nobody is answered. New objects are looked at as ever. What is
    loaded by now stays, and is never looked at again.
    """
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, 1_000_000)


def _is_told(stop: "SimpleQueue[int]") -> bool:
    """Return whether a signal comes within a second.

    One that comes just when the wait begins is heard when it ends.
    """
    try:
        stop.get(timeout=1.0)
    except Empty:
        return False
    return True


def _operator_key(request: ServeRequest) -> str:
    """Return the key that was given, or a new one; empty if there is to be none."""
    from bridge.rpc.keys import generate_key

    if not request.is_open:
        return request.operator_key or generate_key()
    if request.operator_key:
        raise CommandError(
            "--open has no key, but one was given, by --operator-key or LUBAN_OPERATOR_KEY; leave "
            "one of them out"
        )
    print_notice(
        "--open: EVERY CLIENT IS AN OPERATOR. Whoever reaches this server can begin episodes "
        "again, choose budgets, and read plans in logs. Let no agent near it that is to be "
        "measured."
    )
    return ""


@contextmanager
def _kept(address: str, key: str) -> Iterator[Path | None]:
    """Keep a key that was made up where the user's programs find it; gives the file, or None."""
    from bridge.rpc.keys import keep_key

    with ExitStack() as stack:
        path: Path | None = None
        if key:
            try:
                path = stack.enter_context(keep_key(address, key))
            except OSError as error:
                print_notice(f"The key can't be kept ({error}): clients need LUBAN_OPERATOR_KEY.")
        yield path


def _said(address: str, request: ServeRequest, key: str, path: Path | None, as_json: bool) -> str:
    """Return the lines that are printed once the server listens."""
    if as_json:
        document = {
            "address": address,
            "runs": str(request.runs),
            "operator_key": key or None,
            "key_file": None if path is None else str(path),
        }
        return json.dumps(document)
    lines = [f"Luban listens on {address}; logs go to {request.runs}/. Ctrl-C stops it."]
    if key:
        lines.append(f"The operator's key, said this once: {key}")
    if path is not None:
        lines.append(f"Your own programs find it in {path}; agents must not have it.")
    return "\n".join(lines)


@contextmanager
def launch_server(runs: Path, renderer: str) -> Iterator[str]:
    """A server in a process of its own, on a free port; gives its address, stops it at the end.

    Raises:
        CommandError: it did not start.
    """
    command = [sys.executable, "-m", "bridge.cli", "serve", "--json"]
    command += ["--runs", str(runs), "--renderer", renderer]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    patience = _PATIENCE
    try:
        line = process.stdout.readline()
        if not line:
            raise CommandError(f"the server did not start (exit status {process.wait()})")
        yield json.loads(line)["address"]
    except KeyboardInterrupt:
        patience = _HURRY
        raise
    finally:
        process.terminate()
        try:
            process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
