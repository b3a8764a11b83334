"""A server in a process of its own, which tests may kill."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ServerProcess:
    process: subprocess.Popen[str]
    address: str


@contextmanager
def running_server(runs: Path, *options: str) -> Iterator[ServerProcess]:
    command = [sys.executable, "-m", "bridge.cli", "serve", "--json", "--runs", str(runs)]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *options], stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            yield ServerProcess(process, json.loads(line)["address"])
        finally:
            process.kill()
