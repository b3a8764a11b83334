"""The clock of the wall jumps to and fro, by hours; nothing but what is written down may notice.

A case is one command or one server in whose process ``time.time`` and what is made of it are
replaced. Idle times are counted by the monotonic clock: a server closes no episode that is played,
and one that is left after its idle time.
"""

import random
import sys
import time
from pathlib import Path

from bridge.rpc.client import ServerError
from tests.soak.budget import Budget, Finding, Row
from tests.soak.commands import Runner, verdict_of
from tests.soak.long import LONG, Content, prepared
from tests.soak.servers import begin_server
from tests.waiting import wait_for

__all__ = ["attack", "jump"]

IDLE = 3.0
"""Seconds of idle time of the servers."""
SERVE = (sys.executable, "-m", "tests.soak.jumping", "serve", "--json")
_HOURS = (-100_000, -24, -1, 0, 0, 1, 24, 100_000)


def jump() -> None:
    """Make the clock of this process jump from now on, for all but gRPC.

    That hands times of this clock to its core, which has it from the system; a real clock jumps for
    both.
    """
    honest, honest_ns, luck = time.time, time.time_ns, random.Random(0)

    def hours() -> int:
        asking = sys._getframe(2).f_globals.get("__name__", "")
        return 0 if asking.startswith("grpc") else luck.choice(_HOURS)

    time.time = lambda: honest() + 3600 * hours()
    time.time_ns = lambda: honest_ns() + 3600 * 10**9 * hours()


def attack(budget: Budget, seed: int) -> Row:
    """Run ``budget.count`` commands and servers by clocks that jump."""
    row = Row("clocks", "commands and servers by clocks that jump")
    place = budget.work("clocks")
    whole: dict[str, Content] = {}
    with Runner() as runner:
        prepared(runner, place)
        for case in budget.cases():
            if case % 2 == 0:
                _server(budget, row, place / str(case), case, seed)
            else:
                _command(budget, runner, row, place, whole, case, seed)
            row.number += 1
            budget.watch(row)
    return row


def _command(
    budget: Budget,
    runner: Runner,
    row: Row,
    place: Path,
    whole: dict[str, Content],
    case: int,
    seed: int,
) -> None:
    long = LONG[case // 2 % len(LONG)]
    folders = {hook: place / f"{long.name}-{case}-{len(hook)}" for hook in ("", "jump")}
    if long.name in whole:
        del folders[""]
    for hook, folder in folders.items():
        folder.mkdir()
        told = "tests.soak.clocks:jump" if hook else ""
        ended = runner.wait(runner.start(list(long.arguments), folder, told))
        if ended.status:
            verdict = verdict_of(ended) or "lost"
            budget.tell(row, Finding(case, verdict, f"{long.name}: {ended.words}"), seed)
            return
        content = long.content(folder / "out")
        if whole.setdefault(long.name, content) != content:
            budget.tell(row, Finding(case, "lost", f"{long.name}: the folder differs"), seed)


def _server(budget: Budget, row: Row, folder: Path, case: int, seed: int) -> None:
    server = begin_server(folder, "--idle-timeout", f"{IDLE:g}", command=SERVE)
    try:
        with server.client() as client:
            left, played = (
                client.start("burr-piston", observation="state", stream=False) for _ in "ab"
            )
            for _ in range(10):
                time.sleep(IDLE / 30)
                played.observe()
            wait_for(lambda: _has_end(folder / "runs" / left.run_name, played.observe) or None)
            if played.end().note != "given up by the agent":
                budget.tell(row, Finding(case, "lost", "an episode was closed in play"), seed)
    except ServerError as error:
        budget.tell(row, Finding(case, "lost", f"{error.reason}: {error}"), seed)
    except AssertionError:
        words = f"an episode is open long after {IDLE:g} s"
        budget.tell(row, Finding(case, "hung", words), seed)
    finally:
        row.worst = max(row.worst, server.peak)
        server.kill()


def _has_end(run: Path, meanwhile: object) -> bool:
    assert callable(meanwhile)
    meanwhile()
    return b'{"type":"end"' in (run / "episode.jsonl").read_bytes()
