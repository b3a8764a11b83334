"""``luban serve``, and servers in processes of their own."""

import gc
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from bridge.cli.failing import CommandError

__all__ = ["run_server", "server_process"]

_PATIENCE, _HURRY = 60.0, 5.0
"""Seconds that a server has to stop, the second after an interrupt: it may be making a video."""


def run_server(
    host: str,
    port: int,
    idle_timeout: float,
    runs: Path,
    renderer: str,
    unity_player: str,
    operator_key: str,
    as_json: bool,
    limits: tuple[int, int],
) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        limits: open episodes, and those among them in the world bullet.
    """
    from bridge.cli.engines import open_engines
    from bridge.rpc.server import LubanServer
    from bridge.rpc.serving.limits import ServerLimits

    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    with (
        open_engines(unity_player, renderer) as engines,
        LubanServer(
            runs,
            host=host,
            port=port,
            idle_timeout=idle_timeout,
            renderer=renderer,
            engines=engines,
            operator_key=operator_key,
            limits=ServerLimits(*limits),
        ) as server,
    ):
        if server.limits.episodes < limits[0]:
            print(
                f"The system lets this server open files for {server.limits.episodes} episodes at "
                "most: `ulimit -n` says how many files, and raises their number.",
                file=sys.stderr,
                flush=True,
            )
        if as_json:
            print(json.dumps({"address": server.address, "runs": str(runs)}), flush=True)
        else:
            print(
                f"Luban listens on {server.address}; logs go to {runs}/. Ctrl-C stops it.",
                flush=True,
            )
        # What is loaded by now stays: collections during play need not look at it.
        gc.collect()
        gc.freeze()
        stop.wait()


@contextmanager
def server_process(runs: Path, renderer: str) -> Iterator[str]:
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
